"""How often intervals cover the truth, and how often equal models are told apart: small parts of the benchmarks."""

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext import ConfusionMatrix, compare

N_SAMPLES = 400
# Counts of 150 samples of three classes, one of them rare, with other errors in each.
LAW = np.array([[0.40, 0.04, 0.02], [0.06, 0.28, 0.02], [0.03, 0.05, 0.10]])


def covered(metric, truth, **options):
    random = np.random.default_rng(0)
    counts = random.multinomial(150, LAW.ravel(), size=N_SAMPLES).reshape(-1, 3, 3)
    cm = ConfusionMatrix.from_counts(counts, labels=[0, 1, 2])
    interval = cm.interval(metric, n_resamples=399, random_state=1, zero_division=np.nan, **options)
    low, high = (np.reshape(end, (N_SAMPLES, -1))[:, 0] for end in (interval.low, interval.high))
    return ((low <= truth) & (truth <= high)).mean()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "options", "least"),
    [
        ("f1_macro", {}, 0.91),
        ("matthews_corrcoef", {}, 0.91),
        ("balanced_accuracy", {}, 0.91),
        ("recall", {"average": None, "labels": [2]}, 0.91),
        ("g_mean", {"average": None, "labels": [2]}, 0.91),
        ("positive_likelihood_ratio", {"average": None, "labels": [2]}, 0.91),
        ("mutual_information", {}, 0.85),
    ],
)
def test_intervals_cover_the_truth(metric, options, least):
    # 95 % of 400 are 380 +- 4.4, so that no generator falls below by chance.
    truth = np.ravel(ConfusionMatrix.from_counts((LAW * 1e8).round(), labels=[0, 1, 2]).score(metric, **options))[0]
    assert least <= covered(metric, truth, **options) <= 0.99


def test_wilson_on_f1_by_all_outcomes():
    coverage = []
    for n in (20, 30, 50, 100, 200, 500, 1000):
        hits = np.arange(n + 1)
        tables = np.stack([np.stack([np.full(n + 1, 50), n - hits], -1), np.stack([np.zeros(n + 1), hits], -1)], -2)
        interval = ConfusionMatrix.from_counts(tables.astype(int), labels=[0, 1]).interval("f1")
        assert interval.method == "Wilson"
        for share in np.linspace(0.01, 0.99, 99):
            truth = 2 * share / (1 + share)
            within = (interval.low <= truth) & (truth <= interval.high)
            coverage.append(stats.binom.pmf(hits, n, share)[within].sum())
    assert np.mean(coverage) >= 0.95
    assert np.quantile(coverage, 0.05) >= 0.93
    assert min(coverage) >= 0.905


@pytest.mark.slow
def test_equal_models_are_seldom_told_apart():
    # Both are right for 80 of 100, but a errs towards one class and b towards the other.
    random = np.random.default_rng(0)
    n_told = 0
    for _ in range(120):
        y = random.integers(0, 2, 120)
        a = np.where((random.random(120) < 0.7) | (y == 1), y, 1)
        b = np.where((random.random(120) < 0.7) | (y == 0), y, 0)
        n_told += (
            compare(y, {"a": a, "b": b}, "matthews_corrcoef", n_resamples=199, random_state=0).rows[0].p_value < 0.05
        )
    # 6 +- 2.4 are expected.
    assert n_told <= 16
