"""Time of scikit-learn over ours at every threshold; `python tests/benchmarks/bench_thresholds.py`."""

import numpy as np
import sklearn
from bench_counts import ROWS, compare
from sklearn.metrics import (
    average_precision_score,
    confusion_matrix_at_thresholds,
    f1_score,
    metric_at_thresholds,
    roc_auc_score,
)

from skmetrics_ext.curves.class_curves import threshold_curves
from skmetrics_ext.curves.from_scores import threshold_curve


def actual_and_scores(n_samples):
    """Two overlapping classes, and probabilities that tell them apart fairly well."""
    random = np.random.default_rng(0)
    actual = random.integers(0, 2, n_samples)
    return actual, 1 / (1 + np.exp(-random.normal(2 * actual - 1)))


def ours_at_thresholds(*args, **options):
    """Our counts in scikit-learn's order."""
    curve = threshold_curve(*args, **options)
    tp, fp, fn, tn = curve.counts
    return tn, fp, fn, tp, curve.thresholds


def counts():
    actual, scores = actual_and_scores(ROWS)
    assert len(np.unique(scores)) == ROWS
    weights = np.random.default_rng(1).random(ROWS)
    for name, options in (("", {}), (", weights", {"sample_weight": weights})):
        compare(
            f"counts at 1e6 distinct scores{name}",
            lambda options=options: ours_at_thresholds(actual, scores, **options),
            lambda options=options: confusion_matrix_at_thresholds(actual, scores, **options),
            repeat_theirs=7,
        )
    rounded = scores.round(3)
    compare(
        "counts at 1,000 distinct scores of 1e6",
        lambda: ours_at_thresholds(actual, rounded),
        lambda: confusion_matrix_at_thresholds(actual, rounded),
        repeat_theirs=7,
    )


def metrics():
    actual, scores = actual_and_scores(4000)
    compare(
        "f1 at 4,000 thresholds",
        lambda: threshold_curve(actual, scores).score("f1"),
        lambda: metric_at_thresholds(actual, scores, f1_score)[0],
        repeat_theirs=1,
    )


def areas():
    actual, scores = actual_and_scores(ROWS)
    compare(
        "roc_auc of 1e6",
        lambda: threshold_curve(actual, scores).roc_auc(),
        lambda: roc_auc_score(actual, scores),
        repeat_theirs=7,
    )
    compare(
        "average_precision of 1e6",
        lambda: threshold_curve(actual, scores).average_precision(),
        lambda: average_precision_score(actual, scores),
        repeat_theirs=7,
    )
    random = np.random.default_rng(0)
    classes = random.integers(0, 10, 100_000)
    probabilities = random.dirichlet(np.ones(10), 100_000)
    for average, options in (("macro", {"multi_class": "ovr"}), ("ovo", {"multi_class": "ovo"})):
        compare(
            f"roc_auc {average}, 1e5 samples of 10 classes",
            lambda average=average: threshold_curves(classes, probabilities).roc_auc(average),
            lambda options=options: roc_auc_score(classes, probabilities, **options),
        )


if __name__ == "__main__":
    print(f"scikit-learn {sklearn.__version__}, numpy {np.__version__}; times in ms\n")
    print(f"{'':<46} {'sklearn':>10} {'ours':>10} {'ratio':>8}")
    counts()
    metrics()
    areas()
