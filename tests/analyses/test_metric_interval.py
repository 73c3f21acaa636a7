"""Intervals for weighted, clustered and multilabel samples: textbooks, packages, exact cases."""

import inspect
import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, special, stats

import skmetrics_ext
from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    UnreliableIntervalWarning,
    metric_interval,
)
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.metrics.from_labels import function_of
from tests.proportions import mid_p
from tests.shared import for_each, one_in, parameters_of, quietly

# Averages of unbounded metrics are tested elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore:.* is infinite or 0 for a class with an empty cell")

Z = stats.norm.ppf(0.975)


def limits(interval):
    return np.array([interval.low, interval.high])


def three_classes(n=300, seed=0):
    """Labels of which 70 % are correct, and lognormal weights."""
    random = np.random.default_rng(seed)
    true = random.integers(0, 3, n)
    pred = np.where(random.random(n) < 0.7, true, random.integers(0, 3, n))
    return true, pred, random.lognormal(size=n)


def multilabel(n=200, n_labels=4, seed=0):
    """Dependent indicators of which 80 % are correct."""
    random = np.random.default_rng(seed)
    true = random.integers(0, 2, (n, n_labels))
    wrong = random.random((n, n_labels)) < np.where(random.random((n, 1)) < 0.3, 0.5, 0.07)
    return true, np.where(wrong, 1 - true, true)


def clusters_of(n, n_clusters=30, seed=1):
    return np.random.default_rng(seed).permutation(np.arange(n) % n_clusters)


TRUE, PRED, WEIGHTS = three_classes()
CLUSTERS = clusters_of(len(TRUE))
Y_TRUE, Y_PRED = multilabel()


def options_of(row):
    options = {**parameters_of(row, 3), "n_resamples": 100, "random_state": 0}
    if row.has_average:
        options["average"] = "macro"
    return (
        {**options, "labels": [0, 1, 2]}
        if row.goes_by_order({}) or row.takes_label_distances
        else options
    )


# Without weights and clusters.


@pytest.mark.filterwarnings("ignore:.*_macro is the same in all replicates")
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
@for_each("row", METRICS)
def test_counts_alone_have_the_interval_of_the_matrix(row, step):
    """The slow one is of each metric without weights, and with equal ones of both kinds."""
    place = METRICS.index(row) % step
    of_matrix = quietly(
        ConfusionMatrix.from_predictions(TRUE, PRED).interval, row.name, **options_of(row)
    )
    named = np.array(["a", "b", "c"])
    for weights in (None, np.full(300, 0.3))[place::step]:
        interval = quietly(
            metric_interval, TRUE, PRED, row.name, sample_weight=weights, **options_of(row)
        )
        np.testing.assert_array_equal(limits(interval), limits(of_matrix))
        assert (interval.value, interval.method) == (of_matrix.value, of_matrix.method)
    if "labels" not in options_of(row) and (step == 1 or place == 2):
        options = options_of(row) | parameters_of(row, named.tolist())
        interval = quietly(
            metric_interval,
            named[TRUE],
            pd.Series(named[PRED]),
            row.name,
            sample_weight=7,
            **options,
        )
        np.testing.assert_array_equal(limits(interval), limits(of_matrix))


@pytest.mark.parametrize("metric", ["recall_macro", "mcc", "accuracy"])
def test_frequency_weights_are_numbers_of_samples(metric):
    weights = np.random.default_rng(0).integers(0, 4, len(TRUE))
    repeated = ConfusionMatrix.from_predictions(np.repeat(TRUE, weights), np.repeat(PRED, weights))
    for given in (weights, weights.astype(float)):
        interval = metric_interval(
            TRUE,
            PRED,
            metric,
            sample_weight=given,
            frequency_weights=True,
            n_resamples=200,
            random_state=0,
        )
        expected = repeated.interval(metric, n_resamples=200, random_state=0)
        np.testing.assert_array_equal(limits(interval), limits(expected))
    clusters = np.repeat(CLUSTERS, weights)
    together = metric_interval(
        TRUE, PRED, metric, sample_weight=weights, frequency_weights=True, clusters=CLUSTERS
    )
    apart = metric_interval(
        np.repeat(TRUE, weights), np.repeat(PRED, weights), metric, clusters=clusters
    )
    if together.method.startswith("delta"):
        np.testing.assert_allclose(limits(together), limits(apart), rtol=1e-9)


# Weights.


REAL, CALLED = TRUE > 0, PRED > 0
ALL = np.ones(300, dtype=bool)


@pytest.mark.parametrize(
    ("metric", "is_hit", "is_counted"),
    [
        ("recall", CALLED, REAL),
        ("precision", REAL, CALLED),
        ("specificity", ~CALLED, ~REAL),
        ("prevalence", REAL, ALL),
        ("accuracy", REAL == CALLED, ALL),
        ("zero_one_loss", REAL != CALLED, ALL),
        ("jaccard", REAL & CALLED, REAL | CALLED),
    ],
)
def test_proportions_have_wilsons_limits_with_the_effective_sample_size(metric, is_hit, is_counted):
    real, called, w, is_hit, is_counted = (
        np.tile(of, 10) for of in (REAL, CALLED, WEIGHTS, is_hit, is_counted)
    )
    weights, hits = w[is_counted], is_hit[is_counted]
    share = weights[hits].sum() / weights.sum()
    variance = 3000 / 2999 * (weights**2 * (hits - share) ** 2).sum() / weights.sum() ** 2
    # Each cell has 100 samples or more, whose own weights are those of others there.
    n, t = share * (1 - share) / variance, stats.t.isf(0.025, is_counted.sum() - 1)
    # The score test's limits by definition: (share - p)^2 n = t^2 p (1 - p).
    expected = np.sort(np.roots([n + t**2, -(2 * n * share + t**2), n * share**2]))
    interval = metric_interval(real, called, metric, sample_weight=w, method="wilson")
    np.testing.assert_allclose(limits(interval), expected, rtol=1e-10)
    # For F1 and accuracy, misses with one prediction may be unobserved.
    by_itself = "delta" if metric in ("jaccard", "accuracy", "zero_one_loss") else "mid-P"
    assert metric_interval(REAL, CALLED, metric, sample_weight=WEIGHTS).method == by_itself
    f1 = metric_interval(real, called, "f1", sample_weight=w, method="wilson")
    if metric == "jaccard":
        np.testing.assert_allclose(limits(f1), 2 * expected / (1 + expected), rtol=1e-10)


# All 400 alerts were labeled, and a tenth of 2,000 other samples.
ALERTS = (
    np.repeat([1, 0], [410, 190]),
    np.repeat([1, 0], [400, 200]),
    np.repeat([1, 10], [400, 200]),
)


def test_weights_that_depend_on_the_prediction_have_the_limits_of_r():
    # R's survey 4.4: svyciprop(method="beta") and its logit intervals, from which mid-P limits
    # differ by little.
    actual, predicted, weights = ALERTS
    for metric, of_beta, of_logit in (
        ("recall", [0.6777, 0.8916], [0.6806, 0.8825]),
        ("npv", [0.9099, 0.9758], [0.9092, 0.9730]),
    ):
        options = {"sample_weight": weights}
        beta = metric_interval(actual, predicted, metric, method="korn-graubard", **options)
        np.testing.assert_allclose(limits(beta), of_beta, atol=5e-5)
        assert beta.method == "Korn-Graubard"
        np.testing.assert_allclose(
            limits(metric_interval(actual, predicted, metric, **options)), of_logit, atol=0.005
        )


def test_proportions_without_a_miss_have_the_limits_of_the_heaviest_possible_one():
    actual, predicted, weights = ALERTS
    # A false positive would be an alert, of weight 1; 400 alerts, and 1,900 negative samples of the
    # population.
    for metric, n, counted in (("precision", 400, 400), ("specificity", 1900, 190)):
        interval = metric_interval(actual, predicted, metric, sample_weight=weights)
        t = stats.t.isf(0.025, counted - 1)
        low = (2 * stats.norm.sf(t)) ** (1 / n)
        np.testing.assert_allclose(limits(interval), [low, 1], rtol=1e-10)
    # All alerts are correct, and a miss would have weight 10.
    recall = metric_interval(predicted, predicted, "recall", sample_weight=weights)
    low = (2 * stats.norm.sf(stats.t.isf(0.025, 399))) ** (1 / 40)
    np.testing.assert_allclose(limits(recall), [low, 1], rtol=1e-10)


def test_a_light_miss_adds_no_precision():
    # 19 hits of weight 1 and a miss of 1e-9: with the typical weight of few samples there are 19,
    # times 19 / 20 as in a variance of 20 samples.
    interval = metric_interval(
        np.ones(20),
        np.repeat([1, 0], [19, 1]),
        "recall",
        sample_weight=np.repeat([1, 1e-9], [19, 1]),
    )
    n = 19 * 19 / 20
    low = (2 * stats.norm.sf(stats.t.isf(0.025, 19))) ** (1 / n)
    assert interval.low == pytest.approx(low, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [(20, 2), (50, 50)])
def test_weights_that_vary_by_chance_are_covered(numbers):
    """Weights that say nothing about the prediction; test_coverage.py has those that do."""
    random, n_covered = np.random.default_rng(0), 0
    true = np.repeat([1, 0], numbers)
    for _ in range(400):
        pred = np.where(random.random(len(true)) < 0.85, true, 1 - true)
        weights = random.lognormal(sigma=1.5, size=len(true))
        interval = metric_interval(true, pred, "recall", sample_weight=weights, pos_label=1)
        n_covered += interval.low <= 0.85 <= interval.high
    assert n_covered >= 360


@pytest.mark.filterwarnings("ignore:too few clusters")
def test_an_average_of_one_label_is_that_class():
    right = np.repeat([0, 1, 2], 10)
    for options in ({}, {"sample_weight": WEIGHTS[:30]}, {"clusters": np.arange(30) // 2}):
        (low,), (high,) = limits(
            metric_interval(right, right, "recall", labels=[0], average=None, **options)
        )
        for average in ("micro", "macro", "weighted", "worst"):
            pooled = metric_interval(right, right, "recall", labels=[0], average=average, **options)
            assert (pooled.low, pooled.high) == (low, high)


def test_micro_averages_with_weights_follow_from_the_accuracy():
    options = {"sample_weight": WEIGHTS, "method": "wilson"}
    ends = limits(metric_interval(TRUE, PRED, "accuracy", **options))
    jaccard = metric_interval(TRUE, PRED, "jaccard_micro", **options)
    np.testing.assert_allclose(limits(jaccard), ends / (2 - ends), rtol=1e-12)
    # The recall of two classes together is the accuracy of their samples.
    of_two = metric_interval(TRUE, PRED, "recall_micro", labels=[0, 2], **options)
    kept = TRUE != 1
    alone = metric_interval(
        TRUE[kept], PRED[kept], "accuracy", sample_weight=WEIGHTS[kept], method="wilson"
    )
    # n is the number of all samples in n / (n - 1).
    np.testing.assert_allclose(limits(of_two), limits(alone), rtol=1e-3)


def test_informedness_with_weights_is_the_mover_of_both_proportions():
    shares = [
        metric_interval(TRUE > 0, PRED > 0, m, sample_weight=WEIGHTS)
        for m in ("recall", "specificity")
    ]
    below = np.hypot(*(share.value - share.low for share in shares))
    above = np.hypot(*(share.high - share.value for share in shares))
    interval = metric_interval(TRUE > 0, PRED > 0, "informedness", sample_weight=WEIGHTS)
    assert interval.method == "MOVER of mid-P"
    np.testing.assert_allclose(
        limits(interval), interval.value + np.array([-below, above]), rtol=1e-10
    )


def filled(true, pred, weights):
    """Sums of weights and of their squares in [[tn, fp], [fn, tp]], plus half a sample of the
    column's weight.
    """
    w, w2 = (
        np.array(
            [[(weights[(true == t) & (pred == p)] ** power).sum() for p in (0, 1)] for t in (0, 1)]
        )
        for power in (1, 2)
    )
    typical = np.array([weights[pred == p].mean() for p in (0, 1)])
    return (w + typical / 2).ravel(), (w2 + typical**2 / 2).ravel()


def student(weights):
    """The quantile of Student's t distribution with Kish's effective sample size."""
    return stats.t(weights.sum() ** 2 / (weights**2).sum() - 1).ppf(0.975)


def test_odds_ratio_with_weights_by_hand():
    # The variance of ln OR is the sum over the cells of sum w^2 / (sum w)^2.
    true, pred, weights = np.tile(TRUE > 0, 10), np.tile(PRED > 0, 10), np.tile(WEIGHTS, 10)
    w, w2 = filled(true, pred, weights)
    half = student(weights) * np.sqrt((w2 / w**2).sum())
    expected = w[0] * w[3] / (w[1] * w[2]) * np.exp([-half, half])
    interval = metric_interval(true, pred, "diagnostic_odds_ratio", sample_weight=weights)
    np.testing.assert_allclose(limits(interval), expected, rtol=1e-7)


def test_an_empty_cell_has_half_a_sample_of_its_predictions_weight():
    true, pred = np.repeat([[0, 0], [0, 1], [1, 1], [2, 2]], [300, 200, 400, 100], 0).T
    weights = np.random.default_rng(0).lognormal(sigma=1.5, size=1000)
    interval = metric_interval(
        true, pred, "diagnostic_odds_ratio", average=None, sample_weight=weights
    )
    for k in (0, 1):
        # Class 0 is never predicted for another, and class 1 never missed.
        w, w2 = filled(true == k, pred == k, weights)
        low = np.log(w[0] * w[3] / (w[1] * w[2])) - student(weights) * np.sqrt((w2 / w**2).sum())
        assert (interval.low[k], interval.high[k]) == (pytest.approx(np.exp(low), rel=1e-7), np.inf)


def test_an_empty_cell_of_one_class_changes_no_other():
    # Class 2 is always correct, and has empty cells.
    numbers = [300, 200, 100, 400, 100]
    true, pred = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]], numbers, 0).T
    weights = np.random.default_rng(0).lognormal(size=1100)
    w, w2 = filled(true == 0, pred == 0, weights)
    half = student(weights) * np.sqrt((w2 / w**2).sum())
    interval = metric_interval(
        true, pred, "diagnostic_odds_ratio", average=None, sample_weight=weights
    )
    expected = w[0] * w[3] / (w[1] * w[2]) * np.exp([-half, half])
    np.testing.assert_allclose(limits(interval)[:, 0], expected, rtol=1e-7)


def test_delta_with_weights_is_that_of_a_ratio_of_sums():
    # Linearised on the logit: the residuals w (hit - share) / sum w over share (1 - share).
    true, pred = TRUE > 0, PRED > 0
    (_, _, missed, hit), (_, _, missed_2, hit_2) = filled(true, pred, WEIGHTS)
    share = hit / (hit + missed)
    variance = (hit_2 * (1 - share) ** 2 + missed_2 * share**2) / (hit + missed) ** 2
    half = student(WEIGHTS) * np.sqrt(variance) / (share * (1 - share))
    interval = metric_interval(true, pred, "recall", sample_weight=WEIGHTS, method="delta")
    np.testing.assert_allclose(
        limits(interval), special.expit(special.logit(share) + np.array([-half, half])), rtol=1e-8
    )


def times_drawn(n, n_replicates=2_000, seed=5):
    """How often each sample is drawn in each replicate, with replacement."""
    drawn = np.random.default_rng(seed).integers(0, n, (n_replicates, n))
    cells = drawn + n * np.arange(n_replicates)[:, None]
    return np.bincount(cells.ravel(), minlength=n * n_replicates).reshape(-1, n).astype(float)


def mcc(tables):
    """Of stacked tables, by its textbook formula (Gorodkin 2004)."""
    n, actual, predicted = tables.sum((1, 2)), tables.sum(2), tables.sum(1)
    together = n * np.einsum("rii->r", tables) - (actual * predicted).sum(1)
    apart = [n**2 - (side**2).sum(1) for side in (actual, predicted)]
    return together / np.sqrt(apart[0] * apart[1])


@pytest.mark.parametrize("n", [300, 3_000])
def test_the_bootstrap_with_weights_has_the_distribution_of_samples_with_replacement(n):
    # With 300 samples pairs of cell and weight are resampled, with 3,000 sums of weights; one
    # sample is smoothing.
    true, pred, weights = three_classes(n)
    cells = np.eye(9)[3 * true + pred] * weights[:, None]
    values = mcc((times_drawn(n, 2_000 if n == 300 else 700) @ cells).reshape(-1, 3, 3))
    options = {"method": "smoothed-bootstrap", "n_resamples": 4_000, "random_state": 0}
    for level in (0.5, 0.95):
        interval = metric_interval(
            true, pred, "mcc", sample_weight=weights, confidence_level=level, **options
        )
        assert interval.method == "smoothed bootstrap"
        expected = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
        np.testing.assert_allclose(limits(interval), expected, atol=0.25 * values.std())


@pytest.mark.parametrize("n_samples", [300, 3_000])
def test_a_weighted_proportion_has_the_standard_deviation_of_samples_and_their_weights(n_samples):
    # sqrt(sum w^2 (hit - share)^2) / sum w, with the weights; cells alone would give sqrt(p q / n).
    true, pred, weights = three_classes(n_samples)
    weights = weights * np.where(true == pred, 3, 1)
    hits = true == pred
    share = weights[hits].sum() / weights.sum()
    expected = np.sqrt((weights**2 * (hits - share) ** 2).sum()) / weights.sum()
    interval = metric_interval(
        true,
        pred,
        "accuracy",
        sample_weight=weights,
        method="smoothed-bootstrap",
        n_resamples=5_000,
        confidence_level=2 * stats.norm.cdf(1) - 1,
        random_state=0,
    )
    assert (interval.high - interval.low) / 2 == pytest.approx(expected, rel=0.1)
    # The smoothing is one sample with Kish's mean weight, a third of it correct.
    unit = (weights**2).sum() / weights.sum()
    smoothed = (weights[hits].sum() + unit / 3) / (weights.sum() + unit)
    assert (interval.high + interval.low) / 2 == pytest.approx(smoothed, abs=0.1 * expected)


@pytest.mark.filterwarnings("ignore:.*_macro is the same in all replicates")
@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
@for_each("row", METRICS)
def test_only_the_ratios_of_weights_count(row, step):
    """The slow one is of every metric, each of which has other factors in the tests of scale."""
    if METRICS.index(row) % step:
        return
    weights = np.round(WEIGHTS, 1) + 0.5
    intervals = [
        quietly(
            metric_interval, TRUE, PRED, row.name, sample_weight=weights * scale, **options_of(row)
        )
        for scale in (1e-100, 3e95)
    ]
    least, most = intervals
    np.testing.assert_allclose(limits(least), limits(most), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(least.value, most.value, rtol=1e-9)


@pytest.mark.filterwarnings("ignore:.*_macro is the same in all replicates")
@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.slow)])
@for_each("row", METRICS)
@pytest.mark.parametrize("given", ["weights", "both"])
def test_every_metric_has_the_value_of_its_function_within_its_limits(row, given, step):
    """The slow ones are of every metric with weights, and with clusters too."""
    if (METRICS.index(row) + (given == "both")) % step:
        return
    options = options_of(row)
    weights = np.round(WEIGHTS, 1) + 0.5
    data = {"sample_weight": weights, "clusters": None if given == "weights" else CLUSTERS}
    interval = quietly(metric_interval, TRUE, PRED, row.name, **data, **options)
    parameters = {name: options[name] for name in options if name in (*row.required, "labels")}
    if row.has_average:
        parameters["average"] = "macro"
    value = quietly(function_of(row), TRUE, PRED, sample_weight=weights, **parameters)
    assert interval.value == pytest.approx(value, rel=1e-9)
    assert not interval.low > interval.value * (1 + 1e-9)
    assert not interval.high < interval.value * (1 - 1e-9)


def test_samples_of_weight_0_are_none():
    weights = WEIGHTS * (np.arange(300) % 3 > 0)
    kept = weights > 0
    for metric in ("accuracy", "mcc", "f1_macro", "krippendorff_alpha"):
        options = {"n_resamples": 200, "random_state": 0}
        first = metric_interval(TRUE, PRED, metric, sample_weight=weights, **options)
        second = metric_interval(
            TRUE[kept], PRED[kept], metric, sample_weight=weights[kept], **options
        )
        np.testing.assert_allclose(limits(first), limits(second), rtol=1e-9)
        first = metric_interval(TRUE, PRED, metric, sample_weight=weights, clusters=CLUSTERS)
        second = metric_interval(
            TRUE[kept], PRED[kept], metric, sample_weight=weights[kept], clusters=CLUSTERS[kept]
        )
        np.testing.assert_allclose(limits(first), limits(second), rtol=1e-9)


def test_weights_of_0_and_another_number_choose_samples():
    kept = np.arange(300) % 3 > 0
    for method in ("dirichlet", "smoothed-bootstrap"):
        options = {"method": method, "n_resamples": 200, "random_state": 0}
        chosen = metric_interval(TRUE, PRED, "mcc", sample_weight=2.5 * kept, **options)
        alone = metric_interval(TRUE[kept], PRED[kept], "mcc", **options)
        np.testing.assert_allclose(limits(chosen), limits(alone), rtol=1e-12)


@pytest.mark.filterwarnings("ignore:too few samples, 10,")
def test_samples_of_several_labels_and_weight_0_are_none():
    weights = np.random.default_rng(0).lognormal(size=200) * (np.arange(200) % 20 == 0)
    kept = weights > 0
    for metric in ("jaccard_samples", "f1_macro"):
        first = metric_interval(Y_TRUE, Y_PRED, metric, sample_weight=weights, zero_division=0)
        second = metric_interval(
            Y_TRUE[kept], Y_PRED[kept], metric, sample_weight=weights[kept], zero_division=0
        )
        np.testing.assert_allclose(limits(first), limits(second), rtol=1e-9)


def test_many_weights_leave_an_empty_cell_samples_of_kishs_weight():
    # Half a sample of that weight is missed on average, twice as much in 2.5 % of the replicates at
    # least.
    weights = np.random.default_rng(0).lognormal(sigma=1.3, size=4_000)
    weights /= weights.mean()
    unit = (weights**2).sum() / weights.sum()
    interval = metric_interval(
        np.ones(4_000),
        np.ones(4_000),
        "recall",
        sample_weight=weights,
        method="smoothed-bootstrap",
        random_state=0,
    )
    n_missed = stats.poisson(0.5).ppf(0.975)
    assert 1 / interval.low - 1 == pytest.approx(n_missed * unit / 4_000, rel=0.1)


def test_a_proportion_without_errors_is_1_with_weights_too():
    interval = metric_interval(TRUE, TRUE, "accuracy", sample_weight=WEIGHTS, method="mid-p")
    n = WEIGHTS.sum() / WEIGHTS.max()
    assert (interval.value, interval.high) == (1, 1)
    assert interval.low == pytest.approx((2 * stats.norm.sf(stats.t.isf(0.025, 299))) ** (1 / n))
    perfect = metric_interval(TRUE, TRUE, "f1_macro", sample_weight=WEIGHTS, random_state=0)
    assert 0.8 < perfect.low < 1 == perfect.high


# Clusters.


def cochran(hits, sizes):
    """A proportion in clusters by Cochran's (1977) ratio estimator, and its variance with G / (G -
    1), G by Kish.
    """
    share, n = hits.sum() / sizes.sum(), sizes.sum() ** 2 / (sizes**2).sum()
    return share, n / (n - 1) * ((hits - share * sizes) ** 2).sum() / sizes.sum() ** 2, n


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_the_recall_of_clusters_is_the_textbooks_ratio(weights):
    w = np.ones(300) if weights is None else weights
    true, pred = TRUE > 0, PRED > 0
    sizes, hits = (np.bincount(CLUSTERS, w * side) for side in (true, true & pred))
    share, variance, n = cochran(hits, sizes)
    # On the logit scale the standard error is divided by share (1 - share).
    half = stats.t(n - 1).ppf(0.95) * np.sqrt(variance) / (share * (1 - share))
    expected = special.expit(special.logit(share) + np.array([-half, half]))
    options = {"sample_weight": weights, "clusters": CLUSTERS, "confidence_level": 0.9}
    interval = metric_interval(true, pred, "recall", method="delta", **options)
    assert interval.method == "delta of 30 clusters"
    np.testing.assert_allclose(limits(interval), expected, rtol=1e-8)
    # Wilson's limits solve (share - p)^2 = t^2 p (1 - p) / n with n = share (1 - share) / variance.
    interval = metric_interval(true, pred, "recall", method="wilson", **options)
    assert interval.method == "Wilson of 30 clusters"
    for p in limits(interval):
        of_p = variance * p * (1 - p) / (share * (1 - share))
        assert (share - p) ** 2 == pytest.approx(stats.t(n - 1).ppf(0.95) ** 2 * of_p, rel=1e-8)


@pytest.mark.filterwarnings("ignore:too few clusters")
def test_clusters_without_the_class_tell_nothing_of_its_recall():
    has_class = CLUSTERS < 6
    true, pred = REAL & has_class, CALLED
    for metric in ("recall", "false_negative_rate", "overlap_coefficient"):
        options = {"random_state": 0, "n_resamples": 2_000}
        with pytest.warns(UserWarning, match="too few clusters, 6,"):
            alone = metric_interval(
                true[has_class], pred[has_class], metric, clusters=CLUSTERS[has_class], **options
            )
        among = metric_interval(true, pred, metric, clusters=CLUSTERS, **options)
        if among.method.startswith(("delta", "Wilson")):
            np.testing.assert_allclose(limits(among), limits(alone), rtol=1e-9)


def test_the_frequency_bias_of_clusters_is_a_ratio_of_sums_on_the_logarithm():
    true, pred = TRUE > 0, PRED > 0
    predicted, actual = (np.bincount(CLUSTERS, side) for side in (pred, true))
    ratio, variance, _ = cochran(predicted, actual)
    # The clusters are as large as what is actual, predicted or both.
    n_all, n = (cochran(actual, of)[2] for of in (actual, np.bincount(CLUSTERS, pred | true)))
    variance *= n / (n - 1) * (n_all - 1) / n_all
    half = stats.t(n - 1).ppf(0.975) * np.sqrt(variance) / ratio
    interval = metric_interval(true, pred, "frequency_bias", clusters=CLUSTERS)
    np.testing.assert_allclose(limits(interval), ratio * np.exp([-half, half]), rtol=1e-8)


@pytest.mark.parametrize(
    "metric", ["f1_macro", "mcc", "recall_micro", "cohen_kappa", "informedness_macro"]
)
def test_clusters_are_left_out_one_by_one(metric):
    # The jackknife over clusters is the delta method of many clusters, by sums alone.
    true, pred, _ = three_classes(6_000)
    clusters = clusters_of(6_000, 300)
    matrices = ConfusionMatrix.from_predictions(true, pred, by=clusters).counts
    without = ConfusionMatrix.from_counts(matrices.sum(0) - matrices, labels=[0, 1, 2]).score(
        metric
    )
    error = np.sqrt(299 / 300 * ((without - without.mean()) ** 2).sum())
    interval = metric_interval(true, pred, metric, clusters=clusters)
    half = (interval.high - interval.low) / 2
    assert half == pytest.approx(stats.t(299).ppf(0.975) * error, rel=0.02)


@pytest.mark.parametrize("metric", ["recall_macro", "mcc", "expected_cost", "f1_macro", "accuracy"])
def test_clusters_of_one_sample_are_samples(metric):
    options = {"cost_matrix": 1 - np.eye(3)} if metric == "expected_cost" else {}
    interval = metric_interval(
        TRUE, PRED, metric, clusters=np.arange(300), random_state=0, **options
    )
    plain = ConfusionMatrix.from_predictions(TRUE, PRED).interval(metric, random_state=0, **options)
    assert repr(interval) == repr(plain)
    np.testing.assert_array_equal(limits(interval), limits(plain))


def test_the_delta_method_of_clusters_is_the_sum_of_their_moves():
    # Twins: each sample is there twice, so that the variance is that of half as many.
    twice = np.repeat(np.arange(300), 2)
    interval = metric_interval(TRUE[twice], PRED[twice], "mcc", clusters=twice, method="delta")
    plain = ConfusionMatrix.from_predictions(TRUE, PRED).interval("mcc", method="delta")
    error = (plain.high - plain.low) / 2 / Z
    half = stats.t(299).ppf(0.975) * np.sqrt(300 / 299) * error / (1 - plain.value**2)
    expected = np.tanh(np.arctanh(plain.value) + np.array([-half, half]))
    # A sample per prediction moves the value a little, and limits are no nearer than without them.
    assert interval.low <= expected[0] * (1 + 1e-7)
    assert interval.high >= expected[1] * (1 - 1e-7)
    np.testing.assert_allclose(limits(interval), expected, rtol=0.01)


def test_names_and_order_of_clusters_and_samples_do_not_count():
    options = {"average": None, "random_state": 0}
    first = metric_interval(TRUE, PRED, "f1", clusters=CLUSTERS, **options)
    names = np.array([f"patient {k * 7919 % 30}" for k in range(30)])
    shuffled = np.random.default_rng(0).permutation(300)
    for given in (
        names[CLUSTERS],
        pd.Series(names[CLUSTERS], dtype="category"),
        (names[CLUSTERS]).tolist(),
    ):
        np.testing.assert_allclose(
            limits(metric_interval(TRUE, PRED, "f1", clusters=given, **options)), limits(first)
        )
    again = metric_interval(
        TRUE[shuffled], PRED[shuffled], "f1", clusters=CLUSTERS[shuffled], **options
    )
    np.testing.assert_allclose(limits(again), limits(first))


@pytest.mark.filterwarnings("ignore:too few clusters")
@pytest.mark.filterwarnings("ignore:.* rests on a class that is in an effective number of 8")
def test_all_right_is_as_sure_as_there_are_clusters_with_the_class():
    true = np.repeat([0, 1, 1, 0, 1], 20)
    clusters = np.repeat(np.arange(20), 5)
    for metric, n in (("recall", 12), ("specificity", 8), ("accuracy", 20), ("f1", 12)):
        interval = metric_interval(true, true, metric, clusters=clusters)
        assert (interval.value, interval.high) == (1, 1)
        low = mid_p(n, n).low
        assert interval.low == pytest.approx(2 * low / (1 + low) if metric == "f1" else low)
    low = mid_p(20, 20).low
    of_three = metric_interval(true, true, "bennett_s", labels=[0, 1, 2], clusters=clusters)
    assert of_three.low == pytest.approx((low - 1 / 3) * 3 / 2)
    for metric in ("f1_macro", "mcc", "g_mean", "cohen_kappa", "recall_micro"):
        interval = metric_interval(true, true, metric, clusters=clusters, n_resamples=999)
        assert 0.3 < interval.low < 0.95
        assert interval.high == 1
    miss = metric_interval(true, 1 - true, "recall", clusters=clusters)
    assert (miss.low, miss.high) == (0, pytest.approx(mid_p(0, 12).high))


@pytest.mark.filterwarnings("ignore:too few clusters")
def test_a_micro_average_of_some_classes_is_no_surer_than_the_clusters_that_have_them():
    # 8 of 20 clusters have class 0 or 1, and all is correct: the limits of 8 of 8.
    true = np.repeat([0, 1, 2], [30, 10, 60])
    options = {"labels": [0, 1], "average": "micro", "confidence_level": 0.94}
    interval = metric_interval(true, true, "recall", clusters=np.arange(100) // 5, **options)
    assert interval.low == pytest.approx(0.06 ** (1 / 8), rel=1e-12)


@pytest.mark.filterwarnings("ignore:too few clusters, 12,")
def test_clusters_that_are_alike_still_leave_doubt():
    true, pred = np.tile([1, 1, 1, 1, 0, 0], 12), np.tile([1, 1, 1, 0, 0, 1], 12)
    clusters = np.repeat(np.arange(12), 6)
    interval = metric_interval(true, pred, "recall", clusters=clusters)
    np.testing.assert_allclose(limits(interval), mid_p(9, 12))
    mcc = metric_interval(true, pred, "mcc", clusters=clusters, random_state=0)
    assert mcc.low < mcc.value - 0.05


def test_a_cluster_with_most_of_the_samples_is_warned_of():
    """181 of 200 samples in one cluster: Kish's effective number is 200^2 / (181^2 + 19)."""
    clusters = np.repeat(np.arange(20), [181] + 19 * [1])
    with pytest.warns(UserWarning, match="number of clusters"):
        metric_interval(
            np.arange(200) % 2, (np.arange(200) % 3 > 0).astype(int), "accuracy", clusters=clusters
        )


@pytest.mark.parametrize("metric", ["prevalence_macro", "recall_macro"])
def test_what_never_varies_has_no_limits(metric):
    # The mean of two classes' prevalences, and all that a single class can be.
    true = TRUE > 0 if metric == "prevalence_macro" else ALL
    with pytest.warns(UserWarning, match=f"{metric} is the same in all replicates"):
        interval = metric_interval(true, true, metric, clusters=CLUSTERS, random_state=0)
    assert np.isnan(limits(interval)).all()


@pytest.mark.parametrize("metric", ["prevalence_macro", "prevalence_micro", "frequency_bias_micro"])
@pytest.mark.parametrize("has_clusters", [False, True])
def test_rounding_of_weights_is_no_variation(metric, has_clusters):
    """The mean prevalence of all classes is one over their number, as is that of the
    predictions.
    """
    random = np.random.default_rng(0)
    for n_classes in (2, 3, 5):
        true, pred = random.integers(0, n_classes, (2, 70))
        clusters = random.integers(0, 25, 70) if has_clusters else None
        options = {"sample_weight": random.gamma(2, 1, 70), "clusters": clusters}
        with pytest.warns(UserWarning, match="same in all"):
            interval = metric_interval(true, pred, metric, n_resamples=100, **options)
        assert np.isnan(limits(interval)).all()


@pytest.mark.filterwarnings("ignore:too few clusters")
@pytest.mark.filterwarnings("ignore:too few clusters, 2,")
def test_one_class_may_lack_what_another_has():
    true, pred = [0, 0, 1, 1, 2, 2, 2, 0], [0, 0, 1, 1, 2, 0, 2, 1]
    interval = metric_interval(true, pred, "recall", average=None, clusters=list("aabbabab"))
    assert interval.axes[0].coordinates.tolist() == [0, 1, 2]
    # Class 1 is in a single cluster.
    assert limits(interval)[:, 1] == pytest.approx([0.05, 1])
    assert np.isfinite(limits(interval)).all()
    assert (interval.low < interval.value).all()


def test_an_odds_ratio_without_an_error_in_any_cluster():
    true = np.tile([0, 1], 30)
    pred = np.where(np.arange(60) % 15 == 0, 1, true)
    interval = metric_interval(true, pred, "diagnostic_odds_ratio", clusters=np.arange(60) // 3)
    assert (interval.value, interval.high) == (np.inf, np.inf)
    assert 1 < interval.low < 200


@pytest.mark.filterwarnings("ignore:too few clusters, 12,")
def test_percentiles_of_few_clusters_are_further_out_by_all_outcomes():
    # 6 of 12 clusters are correct for 90 of 100 samples, 6 for 70; a replicate may have one added
    # sample.
    true = np.arange(1200) % 2
    pred = np.where(np.arange(1200) % 100 < np.repeat([90, 70], 600), true, 1 - true)
    interval = metric_interval(
        true,
        pred,
        "accuracy",
        clusters=np.arange(1200) // 100,
        method="smoothed-bootstrap",
        random_state=0,
    )
    # How often each of both kinds is drawn, and the added sample, correct or not.
    times = np.array([k for k in itertools.product(range(13), repeat=4) if sum(k) == 12])
    odds = stats.multinomial(12, np.array([6, 6, 1, 1]) / 14).pmf(times)
    values = times @ [90, 70, 1, 0] / (times @ [100, 100, 1, 1])
    order = values.argsort()
    tail = stats.norm.cdf(-stats.t(11).ppf(0.975) * np.sqrt(12 / 11))
    expected = values[order][np.searchsorted(odds[order].cumsum(), [tail, 1 - tail])]
    # The distance between possible values.
    np.testing.assert_allclose(limits(interval), expected, atol=0.006)


@pytest.mark.parametrize("metric", ["cramers_v", "class_balance_accuracy", "mutual_information"])
def test_what_has_no_slope_is_resampled_by_clusters(metric):
    options = {"n_resamples": 999, "random_state": 0}
    interval = metric_interval(TRUE, PRED, metric, clusters=CLUSTERS, **options)
    assert interval.method == "smoothed bootstrap of 30 clusters"
    twice = metric_interval(
        np.repeat(TRUE, 4),
        np.repeat(PRED, 4),
        metric,
        clusters=np.repeat(np.arange(300), 4),
        **options,
    )
    once = metric_interval(TRUE, PRED, metric, **options)
    # Four copies of a sample count no more than one.
    np.testing.assert_allclose(limits(twice), limits(once), atol=0.02)
    with pytest.raises(
        ValueError,
        match=r"method='delta' does not apply to .* of clusters: choose one of \['smoothed",
    ):
        metric_interval(TRUE, PRED, metric, clusters=CLUSTERS, method="delta")


def test_very_many_clusters_are_drawn_in_pools():
    true, pred, _ = three_classes(12_000)
    clusters = np.arange(12_000) // 3
    drawn, delta = (
        metric_interval(
            true, pred, "mcc", clusters=clusters, method=method, n_resamples=1_000, random_state=0
        )
        for method in ("smoothed-bootstrap", "delta")
    )
    np.testing.assert_allclose(limits(drawn), limits(delta), atol=0.1 * (delta.high - delta.low))


# Several labels.


@pytest.mark.parametrize("metric", ["recall", "f1", "mcc"])
def test_each_label_has_the_interval_of_the_matrix(metric):
    if metric == "mcc":
        with pytest.raises(ValueError, match=f"{metric} needs one label per sample"):
            metric_interval(Y_TRUE, Y_PRED, metric)
        return
    interval = metric_interval(Y_TRUE, Y_PRED, metric, average=None)
    expected = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED).interval(metric, average=None)
    np.testing.assert_array_equal(limits(interval), limits(expected))
    assert [(axis.name, list(axis.coordinates)) for axis in interval.axes] == [
        ("label", [0, 1, 2, 3])
    ]


AVERAGES_OF_LABELS = {
    "recall_macro": lambda tp, _, fn: (tp / (tp + fn)).mean(-1),
    "f1_micro": lambda tp, fp, fn: 2 * tp.sum(-1) / (2 * tp + fp + fn).sum(-1),
    "f1_weighted": lambda tp, fp, fn: (
        ((tp + fn) * 2 * tp / (2 * tp + fp + fn)).sum(-1) / (tp + fn).sum(-1)
    ),
}


@pytest.mark.parametrize("weights", [None, np.random.default_rng(0).lognormal(size=200)])
@pytest.mark.parametrize("metric", [*AVERAGES_OF_LABELS, "hamming_loss"])
def test_averages_of_labels_are_of_whole_samples(metric, weights):
    # Samples with replacement.
    weighed = times_drawn(200) * (1 if weights is None else weights)
    tp, fp, fn = (
        weighed @ cell for cell in (Y_TRUE & Y_PRED, (1 - Y_TRUE) & Y_PRED, Y_TRUE & (1 - Y_PRED))
    )
    if metric == "hamming_loss":
        values = (fp + fn).sum(1) / (4 * weighed.sum(1))
    else:
        values = AVERAGES_OF_LABELS[metric](tp, fp, fn)
    interval = metric_interval(
        Y_TRUE, Y_PRED, metric, sample_weight=weights, confidence_level=0.68, random_state=0
    )
    assert (interval.high - interval.low) / 2 == pytest.approx(np.std(values), rel=0.12)


def test_the_accuracy_of_indicators_is_the_proportion_of_samples_all_correct():
    right = (Y_TRUE == Y_PRED).all(1)
    expected = mid_p(right.sum(), 200)
    for true, pred in ((Y_TRUE, Y_PRED), (sparse.csr_array(Y_TRUE), sparse.csr_array(Y_PRED))):
        interval = metric_interval(true, pred, "accuracy")
        np.testing.assert_allclose(limits(interval), expected)
        assert interval.value == skmetrics_ext.accuracy_score(Y_TRUE, Y_PRED)
    clusters = clusters_of(200)
    as_labels = metric_interval(
        np.ones(200, int), right.astype(int), "zero_one_loss", clusters=clusters
    )
    interval = metric_interval(Y_TRUE, Y_PRED, "zero_one_loss", clusters=clusters)
    np.testing.assert_allclose(limits(interval), limits(as_labels))


def test_the_mean_over_samples_is_that_of_a_value_each():
    values = np.array(
        [
            skmetrics_ext.jaccard_score(t, p, zero_division=1)
            for t, p in zip(Y_TRUE, Y_PRED, strict=True)
        ]
    )
    error = stats.sem(values) / (values.mean() * (1 - values.mean()))
    half = stats.t(199).ppf(0.975) * error
    expected = special.expit(special.logit(values.mean()) + np.array([-half, half]))
    interval = metric_interval(Y_TRUE, Y_PRED, "jaccard_samples", zero_division=1)
    np.testing.assert_allclose(limits(interval), expected, rtol=1e-10)
    assert interval.value == pytest.approx(values.mean())
    times = np.arange(200) % 3
    repeated = metric_interval(
        np.repeat(Y_TRUE, times, 0), np.repeat(Y_PRED, times, 0), "jaccard_samples", zero_division=1
    )
    weighted = metric_interval(
        Y_TRUE,
        Y_PRED,
        "jaccard_samples",
        zero_division=1,
        sample_weight=times,
        frequency_weights=True,
    )
    np.testing.assert_allclose(limits(weighted), limits(repeated))
    clusters = clusters_of(200)
    sums, sizes = np.bincount(clusters, values), np.bincount(clusters)
    share, variance, n = cochran(sums, sizes)
    half = stats.t(n - 1).ppf(0.975) * np.sqrt(variance) / (share * (1 - share))
    clustered = metric_interval(
        Y_TRUE, Y_PRED, "jaccard_samples", zero_division=1, clusters=clusters
    )
    np.testing.assert_allclose(
        special.logit(limits(clustered)), special.logit(share) + np.array([-half, half])
    )
    perfect = metric_interval(Y_TRUE, Y_TRUE, "jaccard_samples", zero_division=1)
    np.testing.assert_allclose(limits(perfect), mid_p(200, 200))


def test_samples_with_equal_values_are_a_proportion_of_the_range():
    # Each sample has every label predicted, so its informedness is 0, the midpoint of -1 and 1.
    interval = metric_interval(
        [[0, 1, 1], [1, 0, 1]] * 10, np.ones((20, 3), int), "informedness_samples"
    )
    low, high = mid_p(10, 20)
    np.testing.assert_allclose(
        [*limits(interval), interval.value], [2 * low - 1, 2 * high - 1, 0], atol=1e-12
    )


def test_no_wrong_label_by_all_outcomes():
    # One added sample may be drawn, which is correct or incorrect in every label.
    interval = metric_interval(Y_TRUE[:40], Y_TRUE[:40], "hamming_loss", random_state=0)
    assert (interval.low, interval.high) == (0, stats.binom(40, 0.5 / 41).ppf(0.975) / 40)


def test_frequencies_of_samples_with_several_labels():
    times = np.arange(200) % 3
    repeated = metric_interval(np.repeat(Y_TRUE, times, 0), np.repeat(Y_PRED, times, 0), "f1_macro")
    weighted = metric_interval(
        Y_TRUE, Y_PRED, "f1_macro", sample_weight=times, frequency_weights=True
    )
    np.testing.assert_allclose(limits(weighted), limits(repeated), rtol=1e-9)


@pytest.mark.parametrize(
    ("data", "average"),
    one_in(
        3,
        [{}, {"clusters": clusters_of(200)}, {"sample_weight": np.arange(1.0, 201)}],
        [None, "macro", "samples"],
    ),
)
def test_any_container_holds_the_same_labels(data, average):
    """The slow ones are of every average in all designs."""
    expected = quietly(metric_interval, Y_TRUE, Y_PRED, "f1", average=average, **data)
    fixed = [side.copy() for side in (Y_TRUE, Y_PRED)]
    for side in fixed:
        side.setflags(write=False)
    index = np.random.default_rng(0).permutation(200)
    frames = [pd.DataFrame(side, index=index) for side in (Y_TRUE, Y_PRED)]
    series = {name: pd.Series(values, index=index) for name, values in data.items()}
    for pair, given in (
        (fixed, data),
        ([sparse.csr_matrix(side) for side in (Y_TRUE, Y_PRED)], data),
        ([side.tolist() for side in (Y_TRUE, Y_PRED)], data),
        (frames, series),
    ):
        interval = quietly(metric_interval, *pair, "f1", average=average, **given)
        np.testing.assert_allclose(limits(interval), limits(expected), rtol=1e-12)


def test_labels_choose_columns_by_name():
    frames = [pd.DataFrame(side, columns=list("wxyz")) for side in (Y_TRUE, Y_PRED)]
    for average in (None, "macro", "samples"):
        options = {"average": average, "zero_division": 0}
        by_name = quietly(metric_interval, *frames, "recall", labels=["z", "x"], **options)
        alone = quietly(metric_interval, Y_TRUE[:, [3, 1]], Y_PRED[:, [3, 1]], "recall", **options)
        np.testing.assert_allclose(limits(by_name), limits(alone))
        with_weights = quietly(
            metric_interval,
            *frames,
            "recall",
            labels=["z", "x"],
            sample_weight=np.arange(1, 201),
            **options,
        )
        alone = quietly(
            metric_interval,
            Y_TRUE[:, [3, 1]],
            Y_PRED[:, [3, 1]],
            "recall",
            sample_weight=np.arange(1, 201),
            **options,
        )
        np.testing.assert_allclose(limits(with_weights), limits(alone))


def test_a_label_that_never_occurs_is_left_out():
    true, pred = Y_TRUE.copy(), Y_PRED.copy()
    true[:, 2] = pred[:, 2] = 0
    wide = metric_interval(true, pred, "recall_macro", zero_division=np.nan)
    narrow = metric_interval(true[:, [0, 1, 3]], pred[:, [0, 1, 3]], "recall_macro")
    np.testing.assert_allclose(limits(wide), limits(narrow), rtol=1e-9)
    drawn = metric_interval(
        true,
        pred,
        "recall_macro",
        zero_division=np.nan,
        method="smoothed-bootstrap",
        n_resamples=1_999,
    )
    np.testing.assert_allclose(limits(drawn), limits(narrow), atol=0.02)


# Errors and warnings.


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"clusters.*one group.*shape \(300,\), not \(299,"):
        metric_interval(TRUE, PRED, "recall_macro", clusters=CLUSTERS[:-1])
    with pytest.raises(ValueError, match=r"clusters.*one group.*it has shape \(300, 3\)"):
        metric_interval(TRUE, PRED, "recall_macro", clusters=np.ones((300, 3)))
    with pytest.raises(
        ValueError, match=r"sample_weight has shape \(2,\), but there are 300 samples"
    ):
        metric_interval(TRUE, PRED, "recall_macro", sample_weight=[1, 2])
    with pytest.raises(
        ValueError,
        match=r"there is a single cluster, so the variation between clusters can't be estimated",
    ):
        metric_interval(TRUE, PRED, "recall_macro", clusters=np.ones(300))
    with pytest.raises(ValueError, match=r"there is a single cluster"):
        metric_interval(TRUE, PRED, "recall_macro", clusters=CLUSTERS, sample_weight=CLUSTERS == 3)
    with pytest.raises(ValueError, match=r"there is a single sample"):
        metric_interval([[0, 1]], [[0, 1]], "recall_macro")
    with pytest.raises(
        ValueError, match=r"frequency_weights=True treats .* not integers, such as 0\.5"
    ):
        metric_interval(
            TRUE, PRED, "recall_macro", sample_weight=np.full(300, 0.5), frequency_weights=True
        )
    with pytest.raises(ValueError, match=r"frequency_weights.*True or False"):
        metric_interval(TRUE, PRED, "recall_macro", frequency_weights="yes")
    with pytest.raises(ValueError, match="different orders"):
        metric_interval(
            pd.Series(TRUE),
            PRED,
            "recall_macro",
            clusters=pd.Series(CLUSTERS, index=range(299, -1, -1)),
        )
    with pytest.raises(TypeError, match="f1 has no parameter 'beta'"):
        metric_interval(TRUE, PRED, "f1_macro", beta=2)


@pytest.mark.parametrize(
    ("data", "method", "message"),
    [
        (
            {"clusters": CLUSTERS},
            "wilson",
            r"recall with average='macro' of clusters: choose one of \['delta', 'smoothed",
        ),
        (
            {"sample_weight": WEIGHTS},
            "dirichlet",
            r"of weighted samples: choose one of \['delta', 'smoothed",
        ),
    ],
)
@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"confidence_level": 1}, "confidence_level must be at least 0.5 and below 1"),
        ({"n_resamples": 50}, r"n_resamples.*integer >= 100"),
        ({"method": "wald"}, "method must be 'auto' or one of"),
        ({"random_state": -1}, "random_state must be"),
    ],
)
def test_options_that_do_not_fit_are_refused(data, method, message, options, wrong):
    with pytest.raises(ValueError, match=wrong):
        metric_interval(TRUE, PRED, "recall_macro", **data, **options)
    with pytest.raises(ValueError, match=message):
        metric_interval(TRUE, PRED, "recall_macro", **data, method=method)


def test_few_clusters_are_warned_of():
    with pytest.warns(
        UserWarning, match="too few clusters, 14, to estimate the variation between clusters"
    ):
        metric_interval(TRUE, PRED, "recall_macro", clusters=CLUSTERS % 14)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        metric_interval(TRUE, PRED, "recall_macro", clusters=CLUSTERS % 15)


def test_simultaneous_intervals_are_those_of_bonferroni():
    for data in ({"clusters": CLUSTERS}, {"sample_weight": WEIGHTS}):
        together = metric_interval(TRUE, PRED, "recall", average=None, simultaneous=True, **data)
        alone = metric_interval(
            TRUE, PRED, "recall", average=None, confidence_level=1 - 0.05 / 3, **data
        )
        np.testing.assert_allclose(limits(together), limits(alone), rtol=1e-12)


@pytest.mark.parametrize("data", [{"clusters": CLUSTERS}, {"sample_weight": WEIGHTS}])
def test_the_same_state_gives_the_same_interval(data):
    first, second, other = (
        limits(
            metric_interval(
                TRUE, PRED, "mutual_information", random_state=state, n_resamples=300, **data
            )
        )
        for state in (3, 3, 4)
    )
    np.testing.assert_array_equal(first, second)
    assert (first != other).any()


def test_two_misses_in_40_clusters_count_each_cluster_as_one_sample():
    # So few misses do not show how clusters vary: the limits of 198 / 200 of 40 samples, at the
    # level that Student's t has of 40 clusters.
    clusters = np.repeat(np.arange(40), 5)
    true, said = np.ones(200, dtype=int), np.ones(200, dtype=int)
    said[[0, 100]] = 0
    interval = metric_interval(true, said, "accuracy", clusters=clusters, method="mid-p")
    z = -stats.t.ppf(0.025, 39) * np.sqrt(40 / 39)
    expected = mid_p(0.99 * 40, 40, 2 * stats.norm.sf(z))
    assert (interval.low, interval.high) == pytest.approx(tuple(expected))


def test_clusters_are_as_unequal_as_their_weights():
    random = np.random.default_rng(0)
    clusters = np.repeat(np.arange(20), 10)
    true = random.integers(0, 2, 200)
    said = np.where(random.random(200) < 0.8, true, 1 - true)
    weights = np.ones(200)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        metric_interval(true, said, "accuracy", clusters=clusters, sample_weight=weights)
    # (19 + 9)^2 / (19 + 81) = 7.84 clusters of one size.
    weights[clusters == 7] = 9
    with pytest.warns(UserWarning, match="number of clusters"):
        metric_interval(true, said, "accuracy", clusters=clusters, sample_weight=weights)


def test_a_mean_of_labels_is_at_least_as_wide_as_by_its_labels():
    """Of 50 samples three have the rare label, all found: replicates have them, too."""
    y = np.zeros((50, 2), dtype=int)
    y[:3, 0], y[:25, 1] = 1, 1
    pred = y.copy()
    pred[20:25, 1] = 0
    for metric in ("recall", "f1"):
        mean = metric_interval(y, pred, f"{metric}_macro")
        each = metric_interval(y, pred, metric, average=None, method="mid-p")
        below = np.sqrt(((each.value - each.low) ** 2).sum()) / 2
        assert mean.low <= mean.value - below + 1e-12
        assert mean.low < 0.75


@pytest.mark.filterwarnings("ignore:too few clusters")
def test_a_class_in_few_clusters_gives_few_degrees_of_freedom():
    """120 positives in three of 40 clusters: g_mean is not surer than their recall allows."""
    of_negatives = np.tile([1] + [0] * 9, 80)
    of_positives = np.repeat([1, 0, 1, 0, 1, 0], [38, 2, 36, 4, 37, 3])
    true = np.repeat([0, 1], [800, 120])
    pred = np.append(of_negatives, of_positives)
    clusters = np.append(np.repeat(np.arange(40), 20), np.repeat([0, 1, 2], 40))
    with pytest.warns(UserWarning, match="g_mean rests on a class that is in .* 3 clusters, too"):
        g_mean = metric_interval(true, pred, "g_mean", clusters=clusters)
    with pytest.warns(UserWarning, match="g_mean rests on a class that is in .* 3 clusters, too"):
        other = metric_interval(1 - true, 1 - pred, "g_mean", clusters=clusters)
    np.testing.assert_allclose(limits(other), limits(g_mean), rtol=1e-9)
    recall = metric_interval(true, pred, "recall", clusters=clusters)
    assert g_mean.low < np.sqrt((recall.low + 0.01) * 0.9)
    assert g_mean.high > np.sqrt((recall.high - 0.05) * 0.9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("n", "code"), [(14, "few_clusters"), (15, "unequal_clusters")])
def test_clusters_of_unequal_sizes_are_unequal_where_they_are_not_few(n, code):
    clusters = np.repeat(np.arange(n), np.append(200, np.full(n - 1, 2)))
    true = np.arange(len(clusters)) % 2
    pred = np.where(np.arange(len(clusters)) % 5 == 0, 1 - true, true)
    found = metric_interval(true, pred, "accuracy", clusters=clusters)
    assert [caveat.code for caveat in found.caveats] == [code]


@pytest.mark.filterwarnings("ignore")
def test_clusters_of_an_area_are_as_unequal_as_the_weights_of_their_samples():
    clusters = np.arange(200) // 10
    true, scores = np.arange(200) % 2, np.linspace(0, 1, 200) + np.arange(200) % 2 / 4
    for label in (0, 1):
        weights = np.where((clusters == 0) & (true == label), 50.0, 1.0)
        curve = ThresholdCurve.from_scores(true, scores, clusters=clusters, sample_weight=weights)
        [caveat] = curve.interval("roc_auc").caveats
        sums = np.bincount(clusters[true == label], weights[true == label])
        kish = sums.sum() ** 2 / (sums**2).sum()
        assert caveat.code == "unequal_clusters"
        assert f"clusters is {kish:.1f}" in caveat.text
    assert (
        ThresholdCurve.from_scores(true, scores, clusters=clusters).interval("roc_auc").caveats
        == ()
    )


@pytest.mark.parametrize(
    "options",
    [{"fixed": "actual"}, {"method": "dirichlet", "prior": 0.5}, {"method": "dirichlet"}, {}],
)
def test_options_are_those_of_the_matrix_and_of_its_interval(options):
    random = np.random.default_rng(3)
    y_true, y_pred = random.integers(0, 2, (2, 400))
    group = np.where(random.random(400) < 0.2, None, "a")
    groups = {"by": {"site": group}, "missing_group": "unknown"}
    found = metric_interval(y_true, y_pred, "mcc", n_resamples=200, **groups, **options)
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, **groups)
    assert found == cm.interval("mcc", n_resamples=200, **options)
    assert found.axes[0].coordinates.tolist() == ["a", "unknown"]


def test_the_parameters_are_those_of_the_matrix_and_of_its_interval():
    of_both = {
        *inspect.signature(ConfusionMatrix.from_predictions).parameters,
        *inspect.signature(ConfusionMatrix.interval).parameters,
    }
    assert {*inspect.signature(metric_interval).parameters} == of_both - {"self"}


def test_a_mean_over_samples_has_no_actual_classes():
    both = np.eye(3, dtype=int)[np.arange(30) % 3]
    with pytest.raises(ValueError, match=r"fixed='actual' is for actual classes, and average="):
        metric_interval(both, both, "f1", average="samples", fixed="actual")


def test_clusters_without_a_metric_s_samples_are_no_clusters_of_it():
    """The caveat of few clusters is about those that have samples in the denominator."""
    patient = np.arange(120) // 3
    y_true = (patient < 12).astype(int)
    y_pred = np.where(np.arange(120) % 7 == 0, 1 - y_true, y_true)
    words = "too few clusters, 12, to estimate the variation"
    with pytest.warns(UnreliableIntervalWarning, match=words):
        found = metric_interval(y_true, y_pred, "recall", clusters=patient)
    rows = y_true == 1
    with pytest.warns(UnreliableIntervalWarning, match=words):
        alone = metric_interval(
            y_true[rows], y_pred[rows], "recall", clusters=patient[rows], pos_label=1
        )
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high), rel=1e-12)
    assert metric_interval(y_true, y_pred, "specificity", clusters=patient).caveats == ()
