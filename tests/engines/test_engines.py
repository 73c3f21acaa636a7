"""from_frame on DuckDB, polars reading in parts, Ibis and Dask: that of the same rows in memory."""

import sqlite3
import sys

import dask.dataframe as dd
import duckdb
import ibis
import narwhals.stable.v2 as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from distributed import Client, LocalCluster

from skmetrics_ext import ConfusionMatrix, ThresholdCurve
from tests.frame_cases import (
    CURVES_OF_FEW_ROWS,
    CURVES_OF_MANY_ROWS,
    OF_FEW_ROWS,
    OF_MANY_ROWS,
    drawn,
)

# Warnings of others about others: Ibis of DuckDB's names and options of pandas, narwhals of where
# it will keep Dask.
pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option"),
    pytest.mark.filterwarnings("ignore:Dask support is moving out of Narwhals:FutureWarning"),
]
N_ROWS = 100_000


class Engines:
    """Ways from a table of Arrow to one of each engine; files and connections last as long as the
    test.
    """

    def __init__(self, folder):
        self.folder, self.n_files = folder, 0

    def file(self, table):
        self.n_files += 1
        path = self.folder / f"{self.n_files}.parquet"
        pq.write_table(table, path)
        return str(path)

    def duckdb_of_a_file(self, table):
        return duckdb.connect().read_parquet(self.file(table))

    def duckdb_of_a_table(self, table):
        return duckdb.connect().from_arrow(table)

    def polars_of_a_file(self, table):
        return pl.scan_parquet(self.file(table))

    def ibis_of_a_file(self, table):
        return ibis.duckdb.connect().read_parquet(self.file(table))

    def dask_of_a_file(self, table):
        return dd.read_parquet(self.file(table)).repartition(npartitions=3)


NAMES = [name for name in vars(Engines) if "_of_" in name]


@pytest.fixture(scope="session", autouse=True)
def cluster():
    """Two processes of Dask on this machine."""
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster),
    ):
        yield


@pytest.fixture(params=NAMES)
def make(request, tmp_path):
    return getattr(Engines(tmp_path), request.param)


@pytest.mark.parametrize("case", OF_MANY_ROWS, ids=lambda case: case.__name__)
def test_many_rows(make, case):
    case(make, drawn(N_ROWS))


@pytest.mark.parametrize("case", OF_FEW_ROWS, ids=lambda case: case.__name__)
def test_few_rows(make, case):
    case(make)


@pytest.mark.parametrize("case", CURVES_OF_MANY_ROWS, ids=lambda case: case.__name__)
def test_curves_of_many_rows(make, case):
    case(make, drawn(N_ROWS))


@pytest.mark.parametrize("case", CURVES_OF_FEW_ROWS, ids=lambda case: case.__name__)
def test_curves_of_few_rows(make, case):
    case(make)


def test_types_of_a_database_are_labels_and_counts():
    connection = duckdb.connect()
    connection.execute("CREATE TYPE size AS ENUM ('small', 'middle', 'large', 'never')")
    rows = connection.sql(
        "SELECT s::size AS s, n::HUGEINT AS n, d::DECIMAL(9, 2) AS d, h::HUGEINT AS h FROM (VALUES "
        "('middle', 2, 1.0, 7), ('small', 3, 2.0, 8), ('large', 4, 1.0, 7)) AS t(s, n, d, h)"
    )
    cm = ConfusionMatrix.from_frame(rows, "s", nw.col("s"), by="s", count="n")
    assert cm.axes[0].coordinates.tolist() == ["small", "middle", "large"]
    assert cm.labels.tolist() == ["small", "middle", "large"]
    assert cm.ranking.tolist() == ["small", "middle", "large", "never"]
    assert cm.n_samples.tolist() == [3, 2, 4]
    cm = ConfusionMatrix.from_frame(rows, "d", nw.col("d"), by="h", sample_weight="d")
    assert cm.labels.tolist() == [1, 2]
    assert cm.axes[0].coordinates.tolist() == [7, 8]
    assert cm.counts.tolist() == [[[2, 0], [0, 0]], [[0, 0], [0, 2]]]


@pytest.mark.parametrize(
    ("kind", "large"),
    [
        ("HUGEINT", 2**127 - 2),
        ("UHUGEINT", 2**100),
        ("UHUGEINT", 2**128 - 2),
        ("DECIMAL(38, 2)", 2**100),
    ],
)
def test_labels_wider_than_all_types_of_numpy_are_refused(kind, large):
    sql = f"SELECT y::{kind} AS y, p::{kind} AS p FROM (VALUES ({large}, {large}), ({large + 1}, "
    sql += f"{large}), (1, 1)) AS t(y, p)"
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE rows AS {sql}")
    tables = [connection.table("rows")]
    # Ibis hands over unsigned integers of 128 bits as text.
    tables += [ibis.duckdb.from_connection(connection).table("rows")] * (kind != "UHUGEINT")
    for rows in tables:
        with pytest.raises(ValueError, match=rf"actual has integers from 1 to {large + 1}, which"):
            ConfusionMatrix.from_frame(rows, "y", "p", by="p")


def test_types_that_have_no_text_are_refused_and_json_has():
    connection = duckdb.connect()
    connection.execute("""CREATE TABLE rows AS SELECT y::BIT AS y, p::JSON AS p
        FROM (VALUES ('101', '"a"'), ('1', '"A"')) AS t(y, p)""")
    rows = ibis.duckdb.from_connection(connection).table("rows")
    with pytest.raises(TypeError, match=r"ibis can't group rows by actual .*: Invalid UTF8"):
        ConfusionMatrix.from_frame(rows, "y", "p")
    cm = ConfusionMatrix.from_frame(connection.table("rows"), "p", nw.col("p"))
    assert cm.labels.tolist() == ['"A"', '"a"']


@pytest.mark.parametrize("kind", ["UBIGINT", "HUGEINT", "UHUGEINT"])
def test_numbers_wider_than_int64_are_exact_or_refused(kind):
    sql = "SELECT y, n::{kind} AS n FROM (VALUES ('a', {n}), ('b', 3)) AS t(y, n)"
    for argument in ("count", "sample_weight"):
        rows = duckdb.connect().sql(sql.format(kind=kind, n=2**52 + 1))
        cm = ConfusionMatrix.from_frame(rows, "y", nw.col("y"), **{argument: "n"})
        assert cm.counts.tolist() == [[2**52 + 1, 0], [0, 3]]
        rows = duckdb.connect().sql(sql.format(kind=kind, n=2**63 + 1))
        with pytest.raises(
            ValueError, match=rf"{argument} holds 1 rows that are .*, or above 2\*\*62"
        ):
            ConfusionMatrix.from_frame(rows, "y", nw.col("y"), **{argument: "n"})


COLLATED = [("yes", "YES", "e"), ("YES", "YES", "é"), ("no", "no", "é"), ("größe", "no", None)]


def collated(engine, path):
    """A table whose text has collations, by its column or by the connection."""
    if engine == "sqlite":
        with sqlite3.connect(path) as connection:
            types = "y TEXT COLLATE NOCASE, p TEXT COLLATE NOCASE, g TEXT COLLATE RTRIM"
            connection.execute(f"CREATE TABLE rows ({types})")
            connection.executemany("INSERT INTO rows VALUES (?, ?, ?)", COLLATED)
        connection.close()
        return ibis.sqlite.connect(path).table("rows")
    connection = duckdb.connect()
    if engine == "ibis of a connection":
        connection.execute("SET default_collation = 'nocase'")
        types = "y VARCHAR, p VARCHAR, g VARCHAR"
    else:
        types = "y VARCHAR COLLATE NOCASE, p VARCHAR COLLATE NOCASE, g VARCHAR COLLATE NOACCENT"
    connection.execute(f"CREATE TABLE rows ({types})")
    connection.executemany("INSERT INTO rows VALUES (?, ?, ?)", COLLATED)
    if engine == "duckdb":
        return connection.table("rows")
    return ibis.duckdb.from_connection(connection).table("rows")


@pytest.mark.parametrize("engine", ["duckdb", "ibis", "ibis of a connection", "sqlite"])
def test_a_collation_makes_no_labels_or_groups_one(engine, tmp_path):
    rows = collated(engine, tmp_path / "rows.db")
    cm = ConfusionMatrix.from_frame(rows, "y", "p")
    assert cm == ConfusionMatrix.from_predictions(*zip(*[row[:2] for row in COLLATED], strict=True))
    assert cm.score("accuracy") == 1 / 2
    cm = ConfusionMatrix.from_frame(rows, nw.col("p"), "y", by="g", missing="label")
    assert cm.axes[0].coordinates.tolist() == ["e", "missing", "é"]
    assert cm.counts.sum((1, 2)).tolist() == [1, 1, 2]
    long = (nw.col("y").str.len_chars() > 3).alias("long")
    by = ConfusionMatrix.from_frame(rows, "y", "p", by=[long, "p"]).axes
    assert [axis.coordinates.tolist() for axis in by] == [[False, True], ["YES", "no"]]


def test_a_query_that_counts_is_read():
    table = pa.table({"y": ["a", "b", "a"], "p": ["a", "b", "b"]})
    connection = duckdb.connect()
    connection.register("rows", table)
    rows = connection.sql(
        "SELECT y AS actual, p AS predicted, count(*) AS n FROM rows GROUP BY ALL"
    )
    cm = ConfusionMatrix.from_frame(rows, "actual", "predicted", count="n")
    assert cm == ConfusionMatrix.from_predictions(["a", "b", "a"], ["a", "b", "b"])


JOINED = (
    "SELECT * FROM (VALUES (1, 'a', 'a'), (2, 'b', 'b')) AS t(id, label, p) JOIN {other} ON t.id = "
    "u.id"
)
WRONG = "(VALUES (1, 'b'), (2, 'a')) AS u(id, {name})"


def twice(name):
    """Tables of DuckDB and Ibis in which the name of the labels stands twice, the second time as
    this one.
    """
    yield duckdb.connect().sql(JOINED.format(other=WRONG.format(name=name)))
    if name != "label":
        yield ibis.memtable(pa.table({"label": ["a", "b"], name: ["b", "a"], "p": ["a", "b"]}))


@pytest.mark.parametrize("name", ["label", "Label"])
def test_a_name_that_stands_twice_is_refused_where_it_is_asked_for(name):
    for rows in twice(name):
        assert ConfusionMatrix.from_frame(rows, "p", nw.col("p")).score("accuracy") == 1
        for asked in {"label", name}:
            message = (
                f"predicted='{asked}' does not identify a single column of the frame, .* ignores "
                "case"
            )
            with pytest.raises(ValueError, match=message):
                ConfusionMatrix.from_frame(rows, "p", asked)
        with pytest.raises(
            ValueError,
            match=r"actual is an expression that could not be evaluated.* any of .*'label'.*, "
            r"these do not",
        ):
            ConfusionMatrix.from_frame(rows, nw.col("label"), "p")


def test_a_table_without_a_name_of_its_own_is_refused():
    rows = duckdb.connect().sql(
        "SELECT * FROM (VALUES ('a')) AS t(y) JOIN (VALUES ('a')) AS u(Y) ON t.y = u.Y"
    )
    with pytest.raises(
        ValueError, match=r"frame has no column with a unique name: it has \['y', 'Y'\]"
    ):
        ConfusionMatrix.from_frame(rows, "y", nw.col("y"))


def test_a_name_that_stands_twice_in_dask_is_refused_where_it_is_asked_for():
    left = dd.from_pandas(pd.DataFrame({"label": ["a", "b"], "p": ["a", "b"]}), npartitions=2)
    right = dd.from_pandas(pd.DataFrame({"label": ["b", "a"], "P": ["a", "b"]}), npartitions=2)
    rows = dd.concat([left, right], axis=1)
    assert ConfusionMatrix.from_frame(rows, "P", "p").score("accuracy") == 1
    with pytest.raises(ValueError, match="predicted='label' does not identify a single column"):
        ConfusionMatrix.from_frame(rows, "p", "label")


@pytest.mark.parametrize(
    "count",
    [
        lambda rows: ConfusionMatrix.from_frame(rows, "y", "p"),
        lambda rows: ThresholdCurve.from_frame(rows, "y", "s", bins=4),
    ],
)
def test_without_pyarrow_a_table_of_duckdb_says_what_to_install(count, monkeypatch):
    rows = duckdb.connect().sql("SELECT * FROM (VALUES (0, 0, 0.1), (1, 0, 0.4)) AS t(y, p, s)")
    count(rows)
    monkeypatch.delitem(sys.modules, "narwhals._arrow.dataframe")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    message = "a duckdb table needs pyarrow: pip install pyarrow"
    with pytest.raises(ImportError, match=message):
        count(rows)


def test_other_modules_that_are_not_there_are_named_as_they_are(monkeypatch):
    rows = duckdb.connect().sql("SELECT 1 AS y")
    monkeypatch.setitem(sys.modules, "narwhals._arrow.dataframe", None)
    with pytest.raises(ModuleNotFoundError, match=r"import of narwhals\._arrow\.dataframe halted"):
        ConfusionMatrix.from_frame(rows, "y", nw.col("y"))
