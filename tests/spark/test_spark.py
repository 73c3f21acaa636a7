"""from_frame on PySpark: that of the same rows in memory."""

import shutil
import subprocess

import narwhals.stable.v2 as nw
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyspark.sql import SparkSession

from skmetrics_ext import ConfusionMatrix
from tests.frame_cases import (
    CURVES_OF_FEW_ROWS,
    CURVES_OF_MANY_ROWS,
    OF_FEW_ROWS,
    OF_MANY_ROWS,
    drawn,
)

N_ROWS = 100_000

# Warnings of PySpark about its own doings.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:pyspark"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="session")
def spark():
    """Spark with two threads on this machine, which no other can reach."""
    if shutil.which("java") is None:
        raise RuntimeError(
            "PySpark needs Java 17 or newer, and there is no java on the PATH: install a JRE."
        )
    subprocess.run(["java", "-version"], check=True, capture_output=True)
    options = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "Europe/Berlin",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture
def make(spark):
    """Tables of Spark, which has no unsigned integers and no categories."""

    def of_table(table):
        for place, field in enumerate(table.schema):
            if pa.types.is_unsigned_integer(field.type):
                table = table.set_column(
                    place, field.name, pc.cast(table.column(place), pa.int64())
                )
        return spark.createDataFrame(table)

    return of_table


@pytest.mark.parametrize("case", OF_MANY_ROWS + CURVES_OF_MANY_ROWS, ids=lambda case: case.__name__)
def test_many_rows(make, case):
    case(make, drawn(N_ROWS))


@pytest.mark.parametrize("case", OF_FEW_ROWS + CURVES_OF_FEW_ROWS, ids=lambda case: case.__name__)
def test_few_rows(make, case):
    case(make)


def test_a_collation_makes_no_labels_one(spark):
    rows = spark.createDataFrame([("yes", "YES"), ("YES", "YES"), ("no", "no")], ["y", "p"])
    collated = rows.selectExpr(
        "collate(y, 'UTF8_LCASE') AS y", "p", "collate(p, 'UNICODE_CI') AS q"
    )
    assert collated.groupBy("y").count().count() == 2
    cm = ConfusionMatrix.from_frame(collated, "y", "p", by="q")
    assert cm.labels.tolist() == ["YES", "no", "yes"]
    assert cm.axes[0].coordinates.tolist() == ["YES", "no"]
    assert cm.sum("q") == ConfusionMatrix.from_frame(rows, "y", "p")
    assert cm.sum("q").score("accuracy") == 2 / 3


def test_a_name_that_stands_twice_is_refused_where_it_is_asked_for(spark):
    labels = "SELECT * FROM VALUES (1, 'a', 'a'), (2, 'b', 'b') AS t(id, label, p)"
    rows = spark.sql(f"{labels} JOIN (VALUES (1, 'b'), (2, 'a')) AS u(id, Label) ON t.id = u.id")
    assert ConfusionMatrix.from_frame(rows, "p", nw.col("p")).score("accuracy") == 1
    with pytest.raises(ValueError, match=r"predicted='label'.*does not identify"):
        ConfusionMatrix.from_frame(rows, "p", "label")
