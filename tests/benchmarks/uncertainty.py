"""What intervals and comparisons cost; `python tests/benchmarks/uncertainty.py` prints one line a claim.

Resampled labels are timed for three replicates and extrapolated to as many as ours, which is said in the line.
"""

import time
import tracemalloc
import warnings

import numpy as np
from sklearn.metrics import f1_score

from skmetrics_ext import ConfusionMatrix, compare, compare_curves, threshold_curve
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.statistics.intervals import Request, interval_of, intervals_of

ROWS = 1_000_000
REPLICATES = 1_000


def labels(n, n_classes, shares=(0.8, 0.81)):
    """Actual labels, and those of models that are right so often."""
    random = np.random.default_rng(0)
    y = random.integers(0, n_classes, n)
    return y, *(np.where(random.random(n) < share, y, random.integers(0, n_classes, n)) for share in shares)


def seconds(call, times=3):
    """The least CPU time of some calls."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken)


def resampled_labels():
    """Macro F1 of replicates of cells beside replicates of labels."""
    y, pred, _ = labels(ROWS, 10)
    cm = ConfusionMatrix.from_labels(y, pred)
    ours = seconds(lambda: cm.interval("f1_macro", n_resamples=REPLICATES, random_state=0))
    random = np.random.default_rng(0)

    def theirs():
        for _ in range(3):
            drawn = random.integers(0, ROWS, ROWS)
            f1_score(y[drawn], pred[drawn], average="macro")

    of_labels = seconds(theirs, 1) / 3 * REPLICATES
    small = ConfusionMatrix.from_labels(y[:1000], pred[:1000])
    few = seconds(lambda: small.interval("f1_macro", n_resamples=REPLICATES, random_state=0))
    print(f"macro F1, {ROWS:,} samples, {REPLICATES:,} replicates: {ours * 1e3:.0f} ms, of labels by scikit-learn")
    print(
        f"  {of_labels:.0f} s (extrapolated from 3), {of_labels / ours:,.0f} times; 1,000 samples: {few * 1e3:.0f} ms"
    )


def all_metrics():
    """Every metric of the catalogue on the same replicates."""
    y, pred, _ = labels(ROWS, 10)
    counted = CountedMatrix(ConfusionMatrix.from_labels(y, pred).counts, np.arange(10))
    options = {
        "fbeta": {"beta": 2},
        "expected_cost": {"cost_matrix": 1 - np.eye(10)},
        "net_benefit": {"threshold_probability": 0.5},
    }
    choices = [
        choose(row, average="macro" if row.has_average else "auto", **options.get(row.name, {})) for row in METRICS
    ]
    request = Request(random_state=0)
    one = seconds(lambda: interval_of(counted, choose("f1_macro"), (), request))
    together = seconds(lambda: intervals_of(counted, choices, (), request))
    print(f"{len(choices)} metrics, 9,999 replicates: {together:.2f} s, {together / one:.1f} times macro F1 alone")


def many_classes():
    """The memory of replicates of large matrices."""
    cm = ConfusionMatrix.from_labels(*labels(ROWS, 100)[:2])
    tracemalloc.start()
    start = time.process_time()
    cm.interval("f1_macro", random_state=0)
    taken, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    print(f"macro F1 of 100 classes, 9,999 replicates: {taken:.0f} s, {peak:.0f} MB")


def areas():
    """DeLong's limits beside the area."""
    y, *_ = labels(ROWS, 2)
    scores = np.random.default_rng(1).normal(size=(2, ROWS)) + y
    curves = {name: threshold_curve(y, of_model) for name, of_model in zip("ab", scores, strict=True)}
    area = seconds(lambda: threshold_curve(y, scores[0]).roc_auc())
    limits = seconds(lambda: threshold_curve(y, scores[0]).roc_auc_interval())
    paired = seconds(lambda: compare_curves(curves))
    print(f"area under the ROC curve, {ROWS:,} samples: {area * 1e3:.0f} ms; with DeLong's limits {limits / area:.1f}")
    print(f"  times that; DeLong's paired test of two curves {paired / area:.1f} times")


def comparisons():
    """Two models of a million samples."""
    y, a, b = labels(ROWS, 10)
    for metric in ("accuracy", "f1_macro", "matthews_corrcoef"):
        taken = seconds(lambda metric=metric: compare(y, {"a": a, "b": b}, metric, random_state=0))
        print(f"compare {metric}, {ROWS:,} samples, 10 classes: {taken:.2f} s")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for claim in (resampled_labels, all_metrics, many_classes, areas, comparisons):
        claim()
