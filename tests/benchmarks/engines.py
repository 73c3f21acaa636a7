"""from_frame against what DuckDB and polars do by themselves, from parquet."""

import functools
import tempfile
from pathlib import Path

import duckdb
import polars as pl
from timing import OURS, Part, Row

from skmetrics_ext import ConfusionMatrix, ThresholdCurve

FOLDER = tempfile.TemporaryDirectory()
N_ROWS = 20_000_000
COLUMNS = """
    SELECT ['ash', 'beech', 'cedar', 'elm', 'fir', 'larch', 'maple', 'oak', 'pine', 'yew'][
            1 + (hash(i) % {classes})::INT] AS actual,
        ['ash', 'beech', 'cedar', 'elm', 'fir', 'larch', 'maple', 'oak', 'pine', 'yew'][
            1 + (CASE WHEN hash(i + 1) % 10 < 7 THEN hash(i) ELSE hash(i + 2) END % {classes})::INT
        ] AS predicted,
        (hash(i + 3) % {groups})::INT AS place, (hash(i) % 2)::INT AS ill,
        (hash(i + 4) % 100003) / 100003.0::DOUBLE AS score,
        (hash(i + 5) % 1009) / 1009.0::DOUBLE AS weight
    FROM range({rows}) AS rows(i)
"""
INVALID = "sum(CASE WHEN score * 0 = 0 THEN 0 ELSE 1 END)"
INVALID_WEIGHT = "sum(CASE WHEN weight * 0 = 0 AND weight >= 0 THEN 0 ELSE 1 END)"


def parquet(*table):
    """The path of a table of so many rows, classes and groups."""
    path = Path(FOLDER.name, "{}_{}_{}.parquet".format(*table))
    if not path.exists():
        text = COLUMNS.format(**dict(zip(("rows", "classes", "groups"), table, strict=True)))
        duckdb.sql(f"COPY ({text}) TO '{path}' (FORMAT parquet)")
    return str(path)


def sql(text, path):
    duckdb.connect().sql(f"SELECT {text.replace('TABLE', repr(path))} GROUP BY ALL").fetchall()


def expression(keys, *sums, **stages):
    """A function of a table."""
    return lambda table: (
        table.with_columns(**stages).group_by(keys).agg(pl.len(), *sums).collect(engine="streaming")
    )


def invalid(column, *conditions):
    return pl.when(pl.col(column) * 0 == 0, *conditions).then(0).otherwise(1).sum().alias("invalid")


def dask(path):
    import dask.dataframe

    return dask.dataframe.read_parquet(path)


def spark(path):
    from pyspark.sql import SparkSession

    options = dict.fromkeys(("spark.driver.bindAddress", "spark.driver.host"), "127.0.0.1")
    options |= dict.fromkeys(("spark.ui.enabled", "spark.ui.showConsoleProgress"), "false")
    builder = SparkSession.builder.master("local[2]").config(map=options)
    return builder.getOrCreate().read.parquet(path)


OPENED = {
    "DuckDB": lambda path: duckdb.connect().read_parquet(path),
    "polars": pl.scan_parquet,
    "Dask": dask,
    "Spark": spark,
}

# What is counted: by ours, by an expression with the same checks, by the shortest SQL and by SQL
# with these checks.
WORK = {
    "labels": (
        lambda table: ConfusionMatrix.from_frame(table, "actual", "predicted"),
        expression(["actual", "predicted"]),
        "actual, predicted, count(*) FROM TABLE",
    ),
    "labels by place": (
        lambda table: ConfusionMatrix.from_frame(table, "actual", "predicted", by="place"),
        expression(["actual", "predicted", "place"]),
        "actual, predicted, place, count(*) FROM TABLE",
    ),
    "weights": (
        lambda table: ConfusionMatrix.from_frame(
            table, "actual", "predicted", sample_weight="weight"
        ),
        expression(
            ["actual", "predicted"],
            pl.col("weight").sum(),
            invalid("weight", pl.col("weight") >= 0),
        ),
        "actual, predicted, sum(weight) FROM TABLE",
        f"actual, predicted, count(*), sum(weight), {INVALID_WEIGHT} FROM TABLE",
    ),
    "scores": (
        lambda table: ConfusionMatrix.from_frame(table, "ill", scores="score", threshold=0.3),
        expression(["ill", "reached"], invalid("score"), reached=pl.col("score") >= 0.3),
        "ill, score >= 0.3, count(*) FROM TABLE",
        f"ill, score >= 0.3, count(*), {INVALID} FROM TABLE",
    ),
    "curve of 128 bins": (
        lambda table: ThresholdCurve.from_frame(table, "ill", "score", bins=128),
        expression(
            ["ill", "bin"], invalid("score"), bin=(pl.col("score") * 128).floor().clip(0, 127)
        ),
        "ill, floor(score * 128), count(*) FROM TABLE",
        f"ill, greatest(0, least(127, floor(score * 128))) AS bin, count(*), {INVALID} FROM TABLE",
    ),
}


def ours(work, engine, path):
    return WORK[work][0](OPENED[engine](path))


def sides(work, engine, *table):
    path = parquet(*table)
    _, by_polars, *texts = WORK[work]
    peers = {
        name: functools.partial(sql, text, path) for name, text in zip(SQL, texts, strict=False)
    }
    if engine == "polars":
        peers = {"expression": Part(lambda: by_polars(pl.scan_parquet(path)), 1)}
    return {OURS: lambda: ours(work, engine, path)} | peers


def memory(work, engine):
    code = (
        f"import engines, timing; engines.ours({work!r}, {engine!r}, {{!r}}); "
        "print(timing.resident_megabytes())"
    )
    return {OURS: lambda: code.format(parquet(N_ROWS, 10, 5))}


def other_engines(work):
    """Dask and Spark, which are for tables of more than one machine, beside DuckDB."""
    path = parquet(FEWER, 10, 5)
    return {OURS: lambda: ours(work, "DuckDB", path)} | {
        f"ours, {engine}": Part(functools.partial(ours, work, engine, path), 1)
        for engine in ("Dask", "Spark")
    }


SQL = ("shortest SQL", "checked SQL")
ENGINES = ("DuckDB", "polars")
ASKED = {("weights", "DuckDB"): 1 / 1.4, ("curve of 128 bins", "DuckDB"): 1 / 1.6}
FEWER = N_ROWS // 10
TABLES = [
    *((work, N_ROWS, 10, 5) for work in WORK),
    ("labels", FEWER, 10, 5),
    *(
        ("labels by place", FEWER, n_classes, n_groups)
        for n_classes, n_groups in ((10, 5), (10, 5_000), (2, 5))
    ),
]
ROWS = [
    *(
        Row(
            f"{work}, {engine}, {n:,} rows, {n_classes} classes, {n_groups:,} groups",
            functools.partial(sides, work, engine, n, n_classes, n_groups),
            ASKED.get((work, engine)),
        )
        for work, n, n_classes, n_groups in TABLES
        for engine in ENGINES
    ),
    *(
        Row(
            f"memory, {work}, {engine}",
            functools.partial(memory, work, engine),
            unit="MB of a process",
        )
        for work in WORK
        for engine in ENGINES
    ),
    *(
        Row(
            f"{work}, DuckDB, Dask and Spark",
            functools.partial(other_engines, work),
            unit="ms by the clock",
        )
        for work in WORK
    ),
]
