"""Ten million predictions in a parquet file: which customers a model serves worse, and a threshold.

DuckDB and polars group the rows in place; only the counts come into Python. It needs
`pip install 'skmetrics-ext[engines,plot]' polars pyarrow`. Run it with
`python examples/large_tables.py [PLOT]`; it takes a few seconds.
"""

import sys
import tempfile
import time
from pathlib import Path

import duckdb
import polars as pl

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, plot_confusion_matrix

try:
    import resource
except ImportError:  # Windows
    resource = None

N_ROWS = 10_000_000
# A made-up model of who pays late: its scores are less informative for younger customers.
ROWS = f"""
    SELECT late, age,
        greatest(0, least(1, 0.3 + CASE WHEN age = '18-29' THEN 0.15 ELSE 0.3 END * late
        + ((hash(i + 1) % 1000)::INT + (hash(i + 2) % 1000)::INT - 1000) / 2500.0)) AS score
    FROM (SELECT i, CASE WHEN hash(i) % 10 < 2 THEN 1 ELSE 0 END AS late,
        ['18-29', '30-49', '50 and older'][1 + (hash(i + 3) % 3)::INT] AS age
        FROM range({N_ROWS}) AS rows(i))
"""


def memory():
    """Peak memory of this process so far, in MB; None where Python cannot measure it."""
    if resource is None:
        return None
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / 1024 / (1024 if sys.platform == "darwin" else 1)


def timed(name, count):
    start, before = time.perf_counter(), memory()
    result = count()
    seconds = time.perf_counter() - start
    megabytes = "" if before is None else f"  {memory():6.0f} MB (+{memory() - before:.0f})"
    print(f"{name:<34} {seconds:6.2f} s{megabytes}")
    return result


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "predictions.parquet")
        duckdb.sql(f"COPY ({ROWS}) TO '{path}' (FORMAT parquet)")
        so_far = "" if memory() is None else f", {memory():.0f} MB of memory so far"
        print(f"{N_ROWS:,} rows, {Path(path).stat().st_size / 1e6:.0f} MB in a file{so_far}\n")
        options = {"scores": "score", "threshold": 0.45, "by": "age"}
        cm = timed(
            "matrices of three ages, DuckDB", lambda: of_matrix(duckdb.read_parquet(path), options)
        )
        again = timed(
            "matrices of three ages, polars", lambda: of_matrix(pl.scan_parquet(path), options)
        )
        assert cm == again
        curve = timed("curve of 1024 bins, DuckDB", lambda: of_curve(duckdb.read_parquet(path)))
        assert of_curve(pl.scan_parquet(path)).roc_auc_bounds() == curve.roc_auc_bounds()

    print()
    print(f"{'age':<14} {'recall':>8} {'precision':>10} {'rows':>12}")
    of_ages = zip(
        cm.axes[0].coordinates, cm.score("recall"), cm.score("precision"), cm.n_samples, strict=True
    )
    for age, recall, precision, n_samples in of_ages:
        print(f"{age:<14} {recall:8.3f} {precision:10.3f} {n_samples:12,}")
    low, high = curve.roc_auc_bounds()
    best = curve.best("precision", subject_to={"recall": 0.8})
    print()
    print(f"the area under the ROC curve lies between {low:.4f} and {high:.4f}")
    print(
        f"recall of 0.8 at the threshold {best.threshold:.4f}, with a precision of {best.value:.3f}"
    )
    save(
        plot_confusion_matrix(cm, title="Of the youngest who pay late (1), half are missed").figure_
    )


def of_matrix(rows, options):
    return ConfusionMatrix.from_frame(rows, "late", **options)


def of_curve(rows):
    return ThresholdCurve.from_frame(rows, "late", "score", bins=1024)


def save(figure):
    """Save to the path on the command line, or to the folder for temporary files."""
    path = sys.argv[1] if sys.argv[1:] else Path(tempfile.gettempdir(), "large_tables.png")
    figure.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    main()
