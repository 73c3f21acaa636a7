"""from_frame against what DuckDB and polars do by themselves, from parquet: with the same checks, and without any.

`python tests/benchmarks/engines.py` takes 2e7 rows, `--rows 100_000_000` as many as it says. Each side has a process of
its own for its memory; times are the medians of turns.
"""

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import polars as pl

from skmetrics_ext import ConfusionMatrix, ThresholdCurve

TURNS = 5
ROWS = """
    SELECT ['ash', 'beech', 'cedar', 'elm', 'fir', 'larch', 'maple', 'oak', 'pine', 'yew'][
            1 + (hash(i) % {classes})::INT] AS actual,
        ['ash', 'beech', 'cedar', 'elm', 'fir', 'larch', 'maple', 'oak', 'pine', 'yew'][
            1 + (CASE WHEN hash(i + 1) % 10 < 7 THEN hash(i) ELSE hash(i + 2) END % {classes})::INT] AS predicted,
        hash(i + 3) % {groups} AS place, (hash(i) % 2)::INT AS ill, (hash(i + 4) % 100003) / 100003.0::DOUBLE AS score,
        (hash(i + 5) % 1009) / 1009.0::DOUBLE AS weight
    FROM range({rows}) AS rows(i)
"""
INVALID = "sum(CASE WHEN {0} * 0 = 0 THEN 0 ELSE 1 END)"
INVALID_WEIGHT = "sum(CASE WHEN weight * 0 = 0 AND weight >= 0 THEN 0 ELSE 1 END)"


def invalid(column):
    return pl.when(pl.col(column) * 0 == 0).then(0).otherwise(1).sum()


def sql(path, text):
    return duckdb.connect().sql(text.replace("TABLE", f"'{path}'")).fetchall()


def expression(path, keys, *sums, **stages):
    return pl.scan_parquet(path).with_columns(**stages).group_by(keys).agg(pl.len(), *sums).collect(engine="streaming")


def tables(path):
    return {"DuckDB": lambda: duckdb.connect().read_parquet(path), "polars": lambda: pl.scan_parquet(path)}


# What is counted: by ours, by SQL and by an expression with the same checks, and by the shortest SQL.
WORK = {
    "labels": (
        lambda table: ConfusionMatrix.from_frame(table, "actual", "predicted"),
        "SELECT actual, predicted, count(*) FROM TABLE GROUP BY ALL",
        lambda path: expression(path, ["actual", "predicted"]),
        "SELECT actual, predicted, count(*) FROM TABLE GROUP BY ALL",
    ),
    "labels by place": (
        lambda table: ConfusionMatrix.from_frame(table, "actual", "predicted", by="place"),
        "SELECT actual, predicted, place, count(*) FROM TABLE GROUP BY ALL",
        lambda path: expression(path, ["actual", "predicted", "place"]),
        "SELECT actual, predicted, place, count(*) FROM TABLE GROUP BY ALL",
    ),
    "weights": (
        lambda table: ConfusionMatrix.from_frame(table, "actual", "predicted", sample_weight="weight"),
        f"SELECT actual, predicted, count(*), sum(weight), {INVALID_WEIGHT} FROM TABLE GROUP BY ALL",
        lambda path: expression(
            path,
            ["actual", "predicted"],
            pl.col("weight").sum(),
            pl.when((pl.col("weight") * 0 == 0) & (pl.col("weight") >= 0)).then(0).otherwise(1).sum().alias("invalid"),
        ),
        "SELECT actual, predicted, sum(weight) FROM TABLE GROUP BY ALL",
    ),
    "scores": (
        lambda table: ConfusionMatrix.from_frame(table, "ill", scores="score", threshold=0.3),
        f"SELECT ill, score >= 0.3, count(*), {INVALID.format('score')} FROM TABLE GROUP BY ALL",
        lambda path: expression(path, ["ill", "reached"], invalid("score"), reached=pl.col("score") >= 0.3),
        "SELECT ill, score >= 0.3, count(*) FROM TABLE GROUP BY ALL",
    ),
    "curve of 128 bins": (
        lambda table: ThresholdCurve.from_frame(table, "ill", "score", bins=128),
        "SELECT ill, greatest(0, least(127, floor(score * 128))) AS bin, count(*), "
        f"{INVALID.format('score')} FROM TABLE GROUP BY ALL",
        lambda path: expression(
            path, ["ill", "bin"], invalid("score"), bin=(pl.col("score") * 128).floor().clip(0, 127)
        ),
        "SELECT ill, floor(score * 128), count(*) FROM TABLE GROUP BY ALL",
    ),
}


def sides(work, path):
    """The same work by each side."""
    ours, checked, by_polars, naive = WORK[work]
    return {
        "ours, DuckDB": lambda: ours(tables(path)["DuckDB"]()),
        "SQL": lambda: sql(path, checked),
        "naive SQL": lambda: sql(path, naive),
        "ours, polars": lambda: ours(tables(path)["polars"]()),
        "expression": lambda: by_polars(path),
    }


def seconds(calls):
    """The median of each side, taken in turn."""
    taken = {name: [] for name in calls}
    for _ in range(TURNS):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            taken[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in taken.items()}


def megabytes(work, side, path):
    """The most memory of a process that does this alone."""
    command = [sys.executable, __file__, "--one", work, side, path]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def measure(rows, classes=10, groups=5, works=WORK, *, with_memory=True):
    """Print a line for each work."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "rows.parquet")
        duckdb.sql(f"COPY ({ROWS.format(rows=rows, classes=classes, groups=groups)}) TO '{path}' (FORMAT parquet)")
        print(f"{rows:.0e} rows, {classes} classes, {groups} groups")
        for work in works:
            calls = sides(work, path)
            times = seconds(calls)
            of_sql, of_naive = (times["ours, DuckDB"] / times[side] for side in ("SQL", "naive SQL"))
            of_expression = times["ours, polars"] / times["expression"]
            print(
                f"  {work:<18} DuckDB {times['ours, DuckDB']:6.3f} s, {of_sql:5.2f} of SQL, "
                f"{of_naive:5.2f} of naive SQL; polars {times['ours, polars']:6.3f} s, "
                f"{of_expression:5.2f} of its expression"
            )
            if with_memory:
                of_sides = (
                    f"{side} {megabytes(work, side, path):,.0f} MB" for side in calls if side.startswith("ours")
                )
                print(" " * 21 + ", ".join(of_sides))


def spread(rows):
    """Print the times of Dask and Spark beside DuckDB's, each warm; both are for tables of more than one machine."""
    import dask.dataframe
    from pyspark.sql import SparkSession

    options = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1", "spark.ui.enabled": "false"}
    spark = SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "rows.parquet")
        # Spark reads no unsigned integers of 64 bits.
        text = ROWS.format(rows=rows, classes=10, groups=5)
        duckdb.sql(f"COPY (SELECT * REPLACE (place::INT AS place) FROM ({text})) TO '{path}' (FORMAT parquet)")
        opened = {
            "DuckDB": tables(path)["DuckDB"],
            "Dask": lambda: dask.dataframe.read_parquet(path),
            "Spark": lambda: spark.read.parquet(path),
        }
        print(f"{rows:.0e} rows")
        for work, (ours, *_) in WORK.items():
            calls = {name: lambda table=table, ours=ours: ours(table()) for name, table in opened.items()}
            for call in calls.values():
                call()
            times = seconds(calls)
            print(f"  {work:<18} " + ", ".join(f"{name} {taken:.2f} s" for name, taken in times.items()))
    spark.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--one", nargs=3)
    parser.add_argument("--spread", action="store_true", help="the times of Dask and Spark, which need their extras")
    chosen = parser.parse_args()
    if chosen.spread:
        spread(chosen.rows)
        return
    if chosen.one:
        work, side, path = chosen.one
        sides(work, path)[side]()
        # Not getrusage, which takes over what the process had that started this one.
        status = Path("/proc/self/status").read_text()
        print(int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024)
        return
    measure(chosen.rows)
    measure(2_000_000, works=["labels"], with_memory=False)
    for rows, classes, groups in (
        (chosen.rows // 10, 10, 5),
        (chosen.rows // 10, 10, 5_000),
        (chosen.rows // 10, 2, 5),
    ):
        measure(rows, classes, groups, ["labels by place"], with_memory=False)


if __name__ == "__main__":
    main()
