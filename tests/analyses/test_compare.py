"""compare: published values, brute force over outcomes, other packages, invariances, edges."""

import functools
import itertools
import pickle
import re
import warnings
from types import MappingProxyType
from unittest import mock

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special, stats
from sklearn import metrics as sk
from statsmodels.stats.multitest import multipletests

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, UnreliableIntervalWarning, compare
from skmetrics_ext.analyses.models import read_models
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.inversion import p_value_above, reversed_limits
from skmetrics_ext.statistics.multiplicity import bonferroni, holm
from skmetrics_ext.statistics.pairs import models
from skmetrics_ext.statistics.pairs.mcnemar_and_tango import tango
from skmetrics_ext.statistics.pairs.metric import paired_metric
from skmetrics_ext.statistics.pairs.pair import pair_of
from skmetrics_ext.statistics.pairs.score_test import p_value_by_rates
from tests.shared import for_each, one_in, parameters_of

# Airway hyper-responsiveness before and after stem cells: 1 both, 1 only before, 7 only after, 12
# neither.
BEFORE = np.repeat([1, 1, 0, 0], [1, 1, 7, 12])
AFTER = np.repeat([1, 0, 1, 0], [1, 1, 7, 12])


def data(n, n_classes=3, seed=0, right=(0.7, 0.75)):
    random = np.random.default_rng(seed)
    y = random.integers(0, n_classes, n)
    return y, *(np.where(random.random(n) < p, y, random.integers(0, n_classes, n)) for p in right)


def row_of(y, a, b, metric, **options):
    (row,) = compare(
        y, {"a": a, "b": b}, metric, **{"random_state": 0, "n_resamples": 1_999, **options}
    ).rows
    return row


def adjusted(p_values, correction):
    """statsmodels' p-values, without the collection of garbage that each call of it begins with."""
    with mock.patch("gc.collect"):
        return multipletests(p_values, method=correction)[1]


# Proportions of samples selected by the true labels alone.


def test_published_example():
    row = row_of(np.ones(21, dtype=int), BEFORE, AFTER, "recall", pos_label=1)
    assert round(row.p_value, 4) == 0.0391
    np.testing.assert_allclose((row.low, row.high), (-0.517, -0.026), atol=5e-4)
    assert row.method == "McNemar mid-p, Tango"
    assert row.difference == pytest.approx(-6 / 21)


@pytest.mark.parametrize(
    ("metric", "of_class", "is_error"),
    [
        ("accuracy", None, False),
        ("zero_one_loss", None, True),
        ("hamming_loss", None, True),
        ("recall", 1, False),
        ("false_negative_rate", 1, True),
        ("specificity", 0, False),
        ("false_positive_rate", 0, True),
        ("one_vs_rest_accuracy", None, False),
        ("one_vs_rest_error", None, True),
    ],
)
def test_shares_of_binary_labels(metric, of_class, is_error):
    y, a, b = data(200, 2)
    row = row_of(y, a, b, metric)
    within = np.ones(200, dtype=bool) if of_class is None else y == of_class
    hit_a, hit_b = ((p == y)[within] != is_error for p in (a, b))
    only_a, only_b = (hit_a & ~hit_b).sum(), (hit_b & ~hit_a).sum()
    distribution = stats.binom(only_a + only_b, 0.5)
    least = min(only_a, only_b)
    assert row.p_value == pytest.approx(
        min(2 * distribution.cdf(least) - distribution.pmf(least), 1)
    )
    np.testing.assert_allclose((row.low, row.high), tango(only_a, only_b, within.sum(), 0.05))
    assert (row.value, row.reference_value) == pytest.approx((hit_a.mean(), hit_b.mean()))
    assert row.difference == row.value - row.reference_value


def test_predicted_positives_are_a_share_of_all():
    y, a, b = data(150, 2)
    row = row_of(y, a, b, "predicted_positive_rate")
    np.testing.assert_allclose(
        (row.low, row.high), tango((a & ~b & 1).sum(), (b & ~a & 1).sum(), 150, 0.05)
    )


@pytest.mark.parametrize("average", ["macro", "weighted", None, "worst"])
def test_one_class_of_many_is_a_share_too(average):
    y, a, b = data(300, 4)
    row = row_of(y, a, b, "recall", labels=[2], average=average)
    of_class = y == 2
    only_a, only_b = ((p == 2)[of_class] & (q != 2)[of_class] for p, q in ((a, b), (b, a)))
    np.testing.assert_allclose(
        (row.low, row.high), tango(only_a.sum(), only_b.sum(), of_class.sum(), 0.05)
    )
    assert row.value == pytest.approx(sk.recall_score(y, a, labels=[2], average="macro"))
    assert row.method == "McNemar mid-p, Tango"


def score_test(y, a, b):
    """Kosinski (2013): the pooled residuals of all positive predictions, those of one sample taken
    together.
    """
    pooled = np.concatenate([y[a == 1], y[b == 1]]).mean()
    n_a, n_b = (a == 1).sum(), (b == 1).sum()
    covariance = ((y - pooled) ** 2)[(a == 1) & (b == 1)].sum() / (n_a + n_b)
    variance = (pooled * (1 - pooled) - 2 * covariance) * (1 / n_a + 1 / n_b)
    return stats.chi2.sf((y[a == 1].mean() - y[b == 1].mean()) ** 2 / variance, 1)


@pytest.mark.parametrize("metric", ["precision", "npv", "fdr"])
def test_the_p_value_of_predictive_values_is_the_level_at_which_their_limits_exclude_0(metric):
    y, a, b = data(200, 2)
    row = row_of(y, a, b, metric)
    assert row.method == "delta, inverted"
    assert row_of(y, b, a, metric).p_value == pytest.approx(row.p_value, rel=1e-9)
    if row.p_value < 0.5:
        nearer, farther = (
            row_of(y, a, b, metric, confidence_level=1 - row.p_value + by) for by in (-1e-6, 1e-6)
        )
        assert nearer.low > 0 or nearer.high < 0
        assert farther.low < 0 < farther.high
    sides = (1 - y, 1 - a, 1 - b) if metric == "npv" else (y, a, b)
    # Where neither model has few positive predictions, it is near Kosinski's (2013) test.
    assert row.p_value == pytest.approx(score_test(*sides), abs=0.02)
    frequent = row_of(y, a, b, metric, clusters=np.arange(200))
    assert frequent.p_value == pytest.approx(row.p_value, abs=0.05)


def test_one_error_of_both_models_is_no_evidence_that_their_precisions_differ():
    """Kosinski's test has p = .0115 here, beside limits on both sides of 0."""
    a, b = np.zeros((2, 100), dtype=int)
    a[:30], b[:27], b[30:43] = 1, 1, 1
    y = (a | b).astype(int)
    y[0] = 0
    row = row_of(y, a, b, "precision")
    assert score_test(y, a, b) < 0.05
    assert row.low < 0 < row.high
    assert row.p_value > 0.05


@pytest.mark.parametrize("weight", [2.5, 1e-90, 1e90])
@pytest.mark.parametrize("metric", ["precision", "npv", "fdr"])
def test_predictive_values_are_compared_alike_whatever_all_samples_weigh(weight, metric):
    y, a, b = data(200, 2)
    one, other = (
        row_of(y, a, b, metric),
        row_of(y, a, b, metric, sample_weight=np.full(200, weight)),
    )
    assert (other.method, other.p_value) == (one.method, pytest.approx(one.p_value, rel=1e-9))


@pytest.mark.parametrize("metric", ["prevalence_macro", "prevalence_micro", "no_information_rate"])
@pytest.mark.parametrize("kind", ["sample_weight", "clusters"])
def test_what_no_prediction_changes_has_no_limits(metric, kind):
    y, a, b = data(60, 3)
    random = np.random.default_rng(0)
    options = (
        {"sample_weight": random.gamma(2, 1, 60)}
        if kind == "sample_weight"
        else {"clusters": np.arange(60) // 2}
    )
    with pytest.warns(UserWarning, match="identical"):
        row = row_of(y, a, b, metric, n_resamples=200, **options)
    assert row.difference == pytest.approx(0, abs=1e-15)
    assert np.isnan([row.low, row.high]).all()


def test_few_that_are_all_right_are_not_certainly_so():
    y, a, b = (np.repeat([1, 0], n) for n in ((15, 25), (3, 37), (15, 25)))
    row = row_of(y, a, b, "precision", margin=0.001)
    assert (row.difference, row.not_worse) == (0, False)
    assert row.low < -0.1 < 0 < row.high


def test_differences_of_worst_values_are_refused():
    y, a, b = data(60, 3)
    with pytest.raises(ValueError, match="difference between"):
        row_of(y, a, b, "recall_worst")


def test_a_metric_that_no_prediction_changes_has_no_limits():
    y, a, b = data(60, 3)
    with pytest.warns(UserWarning, match="identical"):
        row = row_of(y, a, b, "no_information_rate")
    assert np.isnan([row.low, row.high]).all()


# p-values of all other metrics.


def score_p(y, a, b, metric, clusters=None, **options):
    """The p-value of the score test alone."""
    models = read_models(y, {"a": a, "b": b}, Weights(None, False), clusters, None)
    pair = pair_of(models.units("a", "b"), len(y), clustered=clusters is not None)
    return p_value_by_rates(pair, paired_metric(models.counted(), choose(metric, **options)))


@pytest.mark.parametrize(
    ("metric", "design"),
    one_in(
        2,
        ["f1_macro", "mcc", "cohen_kappa", "balanced_accuracy"],
        ["samples", "weights", "clusters"],
    ),
)
def test_the_p_value_inverts_the_limits_or_is_that_of_the_score_test(metric, design):
    """The slow ones are of every metric in all designs."""
    y, a, b = data(150, right=(0.7, 0.78))
    options = {
        "samples": {},
        "weights": {"sample_weight": np.random.default_rng(0).uniform(0.5, 2, 150)},
        "clusters": {"clusters": np.arange(150) // 3},
    }[design]
    row = row_of(y, a, b, metric, **options)
    at_p, beside = (
        row_of(y, a, b, metric, confidence_level=1 - row.p_value + by, **options)
        for by in (-1e-7, 1e-7)
    )
    assert at_p.high < 0 <= beside.high
    if design == "samples":
        by_rates = score_p(y, a, b, metric)
        assert row.p_value >= by_rates
        assert (row.p_value > by_rates) is row.method.startswith("delta")


def test_equal_models_of_few_samples_seldom_differ():
    """All outcomes of 6 samples of either class that one model alone has right, where each is as
    probable as the other: F1, whose p-values are those of the same outcome whichever model is
    first.
    """
    y, both_right = np.repeat([0, 1, 0, 1], [6, 6, 20, 8]), np.ones(28, dtype=bool)
    odds = special.binom(6, np.arange(7)) / 2**6
    rejected = 0.0
    for of_0, of_1 in itertools.product(range(7), repeat=2):
        is_a = np.concatenate([np.arange(6) < of_0, np.arange(6) < of_1])
        a, b = (np.where(np.append(right, both_right), y, 1 - y) for right in (is_a, ~is_a))
        rejected += odds[of_0] * odds[of_1] * (row_of(y, a, b, "f1").p_value <= 0.05)
    assert 0.01 < rejected < 0.05


def f1_and_slopes(cells):
    """F1 of [tn, fp, fn, tp] and its derivatives, on paper."""
    _, fp, fn, tp = cells
    below = 2 * tp + fp + fn
    return 2 * tp / below, np.array([0, -2 * tp, -2 * tp, 2 * (fp + fn)]) / below**2


# Limits.


@pytest.mark.parametrize("clustered", [False, True])
def test_limits_of_f1_are_those_on_paper(clustered):
    y, a, b = data(400, 2)
    units = np.arange(400) // (8 if clustered else 1)
    row = row_of(y, a, b, "f1", clusters=units if clustered else None)
    # Half a sample is added per class that only a has correct, and that only b has.
    smoothed = [np.bincount(2 * y + p, minlength=4) + 0.5 for p in (a, b)]
    slopes = [f1_and_slopes(table)[1][2 * y + p] for table, p in zip(smoothed, (a, b), strict=True)]
    (tn_a, fp_a, fn_a, tp_a), (tn_b, fp_b, fn_b, tp_b) = (
        f1_and_slopes(table)[1] for table in smoothed
    )
    variance = (np.bincount(units, slopes[0] - slopes[1]) ** 2).sum()
    variance += 0.5 * sum(move**2 for move in (tp_a - fn_b, fn_a - tp_b, tn_a - fp_b, fp_a - tn_b))
    quantile = stats.norm.isf(0.025)
    if clustered:
        variance, quantile = variance * 50 / 49, stats.t.isf(0.025, 49)
    half = quantile * np.sqrt(variance)
    middle = np.subtract(*(f1_and_slopes(table)[0] for table in smoothed))
    np.testing.assert_allclose((row.low, row.high), (middle - half, middle + half), rtol=1e-6)


def f1_macro(shares):
    tp, both = shares.diagonal(0, 1, 2), shares.sum(1) + shares.sum(2)
    return (2 * tp / both).mean(1)


def kappa(shares):
    right, by_chance = np.einsum("rii->r", shares), (shares.sum(1) * shares.sum(2)).sum(1)
    return (right - by_chance) / (1 - by_chance)


def information(shares):
    independent = shares.sum(2)[:, :, None] * shares.sum(1)[:, None]
    return special.rel_entr(shares, independent).sum((1, 2))


@functools.cache
def shares_drawn(n):
    """The share of each sample in each of 2,000 samples with replacement."""
    return np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), 2_000) / n


@pytest.mark.parametrize(
    ("metric", "value"),
    [("f1_macro", f1_macro), ("cohen_kappa", kappa), ("mutual_information", information)],
)
def test_limits_are_near_those_of_resampled_samples(metric, value):
    y, a, b = data(600)
    row = row_of(y, a, b, metric, n_resamples=2_000)
    drawn = shares_drawn(600)
    differences = np.subtract(
        *(value((drawn @ np.eye(9)[3 * y + p]).reshape(-1, 3, 3)) for p in (a, b))
    )
    half = stats.norm.isf(0.025) * differences.std()
    np.testing.assert_allclose(row.high - row.low, 2 * half, rtol=0.08)


@pytest.mark.parametrize("metric", ["accuracy", "f1_macro", "mcc", "overlap_coefficient_macro"])
def test_models_that_agree_everywhere_are_not_certainly_equal(metric):
    y, a, _ = data(200)
    row = row_of(y, a, a, metric)
    assert (row.difference, row.p_value) == (0, 1)
    assert -0.1 < row.low < 0 < row.high < 0.1


def test_limits_of_a_single_difference_are_those_of_all_outcomes():
    # Only b predicts 2, once and incorrectly. Two added samples, of which one model is correct, are
    # spread over the errors 0 for 1, 0 for 2, 1 for 0 and 1 for 2, and 60 of these 62 are drawn:
    # overlap coefficients are resampled.
    y = np.repeat([0, 1], 30)
    row = row_of(y, y, np.r_[y[:-1], 2], "overlap_coefficient_macro", n_resamples=20_000)
    random = np.random.default_rng(0)
    drawn = random.multinomial(60, np.array([29, 30, 1, *[0.25] * 8]) / 62, 20_000)
    samples = [(0, 0, 0), (1, 1, 1), (1, 1, 2)]
    for true, wrong in ((0, 1), (0, 2), (1, 0), (1, 2)):
        samples += [(true, true, wrong), (true, wrong, true)]
    true, *of_models = np.transpose(samples)
    differences = np.subtract(
        *(
            overlap(np.stack([drawn @ (3 * true + of == cell) for cell in range(9)], -1))
            for of in of_models
        )
    )
    np.testing.assert_allclose(
        (row.low, row.high), np.nanquantile(differences, [0.025, 0.975]), atol=0.006
    )
    assert row.method == "smoothed bootstrap, inverted"


def overlap(cells):
    """The mean over classes of tp / min(actual, predicted)."""
    tables = cells.reshape(-1, 3, 3)
    right = np.einsum("rii->ri", tables)
    with np.errstate(invalid="ignore"):
        return np.nanmean(right / np.minimum(tables.sum(1), tables.sum(2)), -1)


def test_metrics_without_slopes_are_drawn():
    y, a, b = data(300)
    assert row_of(y, a, b, "overlap_coefficient_macro").method == "smoothed bootstrap, inverted"


# Invariances.


@pytest.mark.parametrize(
    ("design", "n_apart"),
    one_in(4, ["samples", "weights", "clusters", "partly labeled"], [0, 1, 2, 5, 40]),
)
def test_either_model_may_be_first(design, n_apart):
    """The slow ones are of all differences in every design."""
    y, a, other = data(60, right=(0.8, 0.5))
    apart = np.flatnonzero(a != other)[:n_apart]
    b = np.where(np.isin(np.arange(60), apart), other, a)
    options = {
        "samples": {},
        "weights": {"sample_weight": np.random.default_rng(0).uniform(0.5, 2, 60)},
        "clusters": {"clusters": np.arange(60) // 3},
        "partly labeled": {"strata": np.arange(60) % 2},
    }[design]
    metrics = ["accuracy", "f1_macro", "mcc", "balanced_accuracy", "overlap_coefficient_macro"]
    if design == "partly labeled":
        y = [None if k % 7 == 6 else label for k, label in enumerate(y.tolist())]
        metrics = metrics[:-1]
    asked = {"n_resamples": 199, "correction": None, "margin": 0.1, **options}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one, turned = (
            compare(y, models, metrics, **asked).rows
            for models in ({"a": a, "b": b}, {"b": b, "a": a})
        )
    for row, other in zip(one, turned, strict=True):
        np.testing.assert_allclose(
            (other.difference, other.low, other.high, other.p_value, other.p_equivalent),
            (-row.difference, -row.high, -row.low, row.p_value, row.p_equivalent),
            rtol=1e-9,
            atol=1e-12,
        )
        if design == "samples":
            assert (other.low, other.high) == (-row.high, -row.low)
            assert (other.method, other.p_value) == (row.method, row.p_value)


@pytest.mark.parametrize("weights", [None, np.linspace(0.5, 2, 10)])
@pytest.mark.parametrize("kind", ["difference", "ratio"])
def test_one_class_that_both_models_always_predict_says_nothing(weights, kind):
    """No error is possible, so no other warning, such as numpy's of a division by 0, is made."""
    models = {name: np.ones(10, dtype=int) for name in "ab"}
    with pytest.warns(UserWarning, match="replicates of the difference in f1 are") as told:
        found = compare(models["a"], models, "f1", sample_weight=weights, kind=kind)
    assert {of.category for of in told} == {UnreliableIntervalWarning}
    assert np.isnan([found.low, found.high, found.p_value]).all()


def test_the_order_of_samples_does_not_count():
    y, a, b = data(300)
    order = np.random.default_rng(1).permutation(300)
    assert row_of(y, a, b, "f1_macro") == row_of(y[order], a[order], b[order], "f1_macro")


@pytest.mark.parametrize("weight", [3, 0.25])
@pytest.mark.parametrize("metric", ["accuracy", "f1_macro", "overlap_coefficient_macro"])
def test_equal_weights_are_none(metric, weight):
    y, a, b = data(300)
    one, other = (
        row_of(y, a, b, metric, sample_weight=weights) for weights in (np.full(300, weight), None)
    )
    assert one.method == other.method
    np.testing.assert_allclose(one[3:10], other[3:10], rtol=1e-9)


def test_values_are_those_of_the_weights():
    # Its correction for small samples depends on their number.
    y, a, b = data(30)
    weights = np.full(30, 0.25)
    row = row_of(y, a, b, "krippendorff_alpha", sample_weight=weights)
    assert row.value == pytest.approx(skmetrics_ext.krippendorff_alpha(y, a, sample_weight=weights))


def test_the_scale_of_weights_does_not_count():
    y, a, b = data(300)
    weights = np.random.default_rng(0).uniform(0.1, 3, 300)
    one, other = (row_of(y, a, b, "mcc", sample_weight=scale * weights) for scale in (1, 1024))
    np.testing.assert_allclose(one[3:10], other[3:10], rtol=1e-7)


def test_samples_of_weight_0_do_not_count():
    y, a, b = data(300)
    weights = np.random.default_rng(0).integers(0, 3, 300)
    kept = weights > 0
    assert (
        row_of(y, a, b, "f1_macro", sample_weight=weights)[3:]
        == row_of(y[kept], a[kept], b[kept], "f1_macro", sample_weight=weights[kept])[3:]
    )


@pytest.mark.parametrize("n_apart", [5, 60])
@pytest.mark.parametrize("metric", ["accuracy", "f1_macro"])
def test_samples_of_weight_0_are_as_if_not_there(metric, n_apart):
    y, a, _ = data(300)
    b = np.where(np.arange(300) < n_apart, (a + 1) % 3, a)
    weights = np.tile([0, 2], 150)
    kept = weights > 0
    one, other = (
        row_of(y, a, b, metric, sample_weight=weights),
        row_of(y[kept], a[kept], b[kept], metric),
    )
    assert one.method == other.method
    np.testing.assert_allclose(one[3:10], other[3:10], rtol=1e-9)


def test_small_weights_count():
    y, a, b = data(300)
    weights = np.where(y == 2, 1e-200, 1.0)
    row = row_of(y, a, b, "recall_macro", sample_weight=weights)
    assert row.value == pytest.approx(sk.recall_score(y, a, average="macro", sample_weight=weights))
    assert row.reference_value == pytest.approx(
        sk.recall_score(y, b, average="macro", sample_weight=weights)
    )


def test_few_clusters_that_differ_say_as_little_as_few_samples():
    y, a, _ = data(60)
    many = [np.repeat(labels, 20) for labels in (y, a, a)]
    row = row_of(y, a, a, "f1_macro")
    clustered = row_of(*many, "f1_macro", clusters=np.repeat(np.arange(60), 20))
    np.testing.assert_allclose((clustered.low, clustered.high), (row.low, row.high), rtol=0.15)


@pytest.mark.parametrize("metric", ["f1_macro", "accuracy", "precision_macro", "mcc"])
def test_a_cluster_each_is_no_cluster(metric):
    y, a, b = data(400)
    assert row_of(y, a, b, metric) == row_of(y, a, b, metric, clusters=np.arange(400)[::-1])
    weights = np.random.default_rng(0).uniform(0.5, 2, 400)
    one, other = (
        row_of(y, a, b, metric, sample_weight=weights, clusters=clusters)
        for clusters in (None, np.arange(400))
    )
    assert one == other


def test_a_kind_of_error_that_did_not_occur_is_one_of_its_class():
    """Thirty of 980 are an error of one model; without a difference its gain would be made up for
    in the class of 20, whose mean the variance is around.
    """
    n, unseen = np.array([980, 20]), 1 / (2 * 21)
    y = np.repeat([0, 1], n)
    a = y.copy()
    a[:30] = 1
    move = 1 / (2 * 981)
    # The largest multiplier that leaves the rate of the unseen loss positive.
    rate = 30 / (1 + move * (1 - 1e-10) / unseen)
    total = rate * move
    variance = rate * move**2 + unseen * total - total**2 / 980 - total**2 / 20
    expected = stats.chi2.sf((30 * move) ** 2 / variance, 1)
    found = score_p(y, y, a, "balanced_accuracy")
    assert found == pytest.approx(expected, rel=1e-6)
    assert row_of(y, y, a, "balanced_accuracy").p_value >= found


@pytest.mark.parametrize("size", [1, 2])
def test_costly_errors_that_no_cluster_shows_are_allowed_for(size):
    """Three percent of 980 samples are cheap errors of one model; of twenty costly samples none is
    an error by chance. Whole clusters exchanged rejected 55 % of equal models.
    """
    random = np.random.default_rng(3)
    y = (random.random(1_000) < 0.02).astype(int)
    a = np.where((y == 0) & (random.random(1_000) < 0.03), 1, y)
    row = row_of(y, a, y, "balanced_accuracy", clusters=np.arange(1_000) // size)
    assert row.p_value > 0.1
    assert row.low < 0 < row.high


def test_what_is_known_of_models_does_not_depend_on_the_level():
    """At 95 % both percentiles of most replicates are 0, at 99 % they are not."""
    y = np.repeat(np.arange(100), 5)
    other = y.copy()
    other[:4] = 1
    models = {"a": y, "b": other, "c": y.copy()}
    found = [
        compare(y, models, "f1", pos_label=0, confidence_level=level, n_resamples=999).rows
        for level in (0.95, 0.99)
    ]
    for row, of_row in zip(*found, strict=True):
        assert (row.p_value, row.p_adjusted) == (of_row.p_value, of_row.p_adjusted)
        assert of_row.low <= row.low < row.high <= of_row.high
    assert found[0][1].p_value == 1


def test_samples_of_one_cluster_say_less():
    y, a, b = data(100)
    many = [np.repeat(labels, 10) for labels in (y, a, b)]
    assert row_of(*many, "f1_macro").p_value < row_of(y, a, b, "f1_macro").p_value
    clustered = row_of(*many, "f1_macro", clusters=np.repeat(np.arange(100), 10))
    assert clustered.p_value == pytest.approx(row_of(y, a, b, "f1_macro").p_value, abs=0.02)


@for_each("row", METRICS)
def test_every_metric_compares(row):
    y, a, b = data(120)
    options = parameters_of(row, 3)
    if row.has_average:
        options["average"] = "macro"
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "all replicates of the difference in (prevalence|predicted_pos|no_inf)"
        )
        found = row_of(y, a, b, row.name, n_resamples=100, **options)
    of = [ConfusionMatrix.from_predictions(y, p).score(row.name, **options) for p in (a, b)]
    assert (found.value, found.reference_value) == pytest.approx(tuple(of))
    # Macro-averaged rates of predictions, and what the true labels alone decide, do not vary.
    if row.name in ("prevalence", "predicted_positive_rate", "no_information_rate"):
        assert np.isnan([found.p_value, found.low, found.high]).all()
    else:
        assert 0 < found.p_value <= 1
        assert found.low < found.high
    assert not found.low > found.difference
    assert not found.high < found.difference


@pytest.mark.parametrize("n_classes", [2, 256, 257])
def test_many_classes(n_classes):
    y, a, b = data(1_500, n_classes)
    row = row_of(y, a, b, "f1_macro", n_resamples=100)
    assert row.value == pytest.approx(sk.f1_score(y, a, average="macro"))
    assert row.reference_value == pytest.approx(sk.f1_score(y, b, average="macro"))


def test_a_class_that_one_model_alone_predicts():
    y, a, b = np.array([0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 0]), np.array([0, 2, 1, 1, 1])
    row = row_of(y, a, b, "f1_macro")
    assert row.value == pytest.approx(sk.f1_score(y, a, average="macro"))
    assert row.reference_value == pytest.approx(sk.f1_score(y, b, average="macro"))


# Rows.


def test_rows_are_in_the_order_of_metrics_and_pairs():
    y, a, b = data(100)
    found = compare(
        y, {"x": a, "y": b, "z": y}, ["mcc", skmetrics_ext.accuracy_score], n_resamples=100
    )
    assert [row[:3] for row in found.rows] == [
        (metric, *pair)
        for metric in ("mcc", "accuracy")
        for pair in (("x", "y"), ("x", "z"), ("y", "z"))
    ]


def test_others_less_the_baseline():
    y, a, b = data(100)
    found = compare(y, {"x": a, "base": b, "z": y}, "accuracy", baseline="base")
    assert [(row.model, row.reference) for row in found.rows] == [("x", "base"), ("z", "base")]
    assert found.rows[1].difference == pytest.approx(1 - sk.accuracy_score(y, b))


@pytest.mark.parametrize("correction", ["holm", "bonferroni"])
def test_corrections(correction):
    y, a, b = data(200, right=(0.7, 0.8))
    found = compare(
        y, {"a": a, "b": b, "c": y}, ["accuracy", "zero_one_loss"], correction=correction
    )
    p_values = [row.p_value for row in found.rows]
    expected = adjusted(p_values, correction)
    np.testing.assert_allclose([row.p_adjusted for row in found.rows], expected)


def test_no_correction():
    y, a, b = data(200)
    row = row_of(y, a, b, "accuracy", correction=None)
    assert row.p_adjusted == row.p_value


def test_undefined_values_take_no_part_in_the_correction():
    p_values = np.array([0.01, np.nan, 0.04, 0.03])
    np.testing.assert_allclose(holm(p_values), [0.03, np.nan, 0.06, 0.06])
    np.testing.assert_allclose(bonferroni(p_values), [0.03, np.nan, 0.12, 0.09])


# Margins.


def test_published_example_of_a_margin():
    # Tango (1998): disinfection of contact lenses, 43 of 44 by the chemical method and all by the
    # thermal one.
    row = row_of(
        [1] * 44, [1] * 43 + [0], [1] * 44, "recall", pos_label=1, confidence_level=0.9, margin=0.1
    )
    assert round(stats.norm.isf(row.p_not_worse), 3) == 1.709
    assert round(row.p_not_worse, 3) == 0.044
    np.testing.assert_allclose((row.low, row.high), (-0.096, 0.037), atol=5e-4)
    assert (row.not_worse, row.equivalent) == (True, True)
    assert row.p_equivalent == row.p_not_worse


MARGINS = {
    "shares": ("accuracy", {}),
    "lower is better": ("zero_one_loss", {}),
    "slopes": ("f1_macro", {}),
    "slopes of clusters": ("f1_macro", {"clusters": np.arange(120) // 4}),
    "replicates": ("mcc", {}),
}


@pytest.mark.parametrize("kind", MARGINS)
def test_margins_are_within_the_limits_exactly_where_the_tests_reject(kind):
    metric, options = MARGINS[kind]
    n_true = set()
    for seed, level in enumerate((0.5, 0.98)):
        y, a, b = data(120, right=[(0.7, 0.75), (0.75, 0.65)][seed])
        b = np.where(np.arange(120) < 20, b, a) if kind == "replicates" else b
        options = options | {"confidence_level": level, "n_resamples": 100}
        wide = row_of(y, a, b, metric, **options)
        for limit, factor in itertools.product((wide.low, wide.high), (0.999, 1, 1.001)):
            margin = abs(limit * factor)
            row = row_of(y, a, b, metric, margin=margin, **options)
            is_above, is_below = row.low > -margin, row.high < margin
            assert row[:11] == wide[:11]
            assert row.not_worse is (is_below if metric == "zero_one_loss" else is_above)
            assert row.equivalent is (is_below and is_above)
            assert row.not_worse is (row.p_not_worse <= (1 - level) / 2)
            assert row.equivalent is (row.p_equivalent <= (1 - level) / 2)
            n_true |= {(row.not_worse, row.equivalent)}
    assert n_true == {(False, False), (True, False), (True, True)}


@pytest.mark.parametrize(
    ("options", "of_clusters"), [({}, None), ({"clusters": np.arange(300) // 5}, 60)]
)
@pytest.mark.parametrize("margin", [0.001, 0.02, 0.1])
def test_p_values_of_a_margin_are_those_of_the_distance_in_standard_errors(
    options, of_clusters, margin
):
    y, a, b = data(300)
    distribution = stats.norm() if of_clusters is None else stats.t(of_clusters - 1)
    for first, second in ((a, b), (b, a)):
        row = row_of(y, first, second, "f1_macro", margin=margin, **options)
        middle, error = (row.low + row.high) / 2, (row.high - row.low) / 2 / distribution.isf(0.025)
        one, other = (
            distribution.sf((margin + middle) / error),
            distribution.sf((margin - middle) / error),
        )
        # Two added samples move the middle, but limits include the difference.
        assert row.p_not_worse == pytest.approx(one, rel=1e-6)
        assert row.p_equivalent == pytest.approx(max(one, other), rel=1e-6)


ALIKE = np.repeat([1, 0], [15, 25]), np.repeat([1, 0], [3, 37]), np.repeat([1, 0], [3, 37])
REPLICATES = np.random.default_rng(0).permutation(np.arange(-10, 190) / 100)


@pytest.mark.parametrize(
    ("margin", "n_beyond"), [(0.105, 0), (0.1, 1), (0.0999, 1), (0.0501, 5), (0.05, 6), (1e-9, 10)]
)
def test_p_values_of_a_margin_count_the_replicates_beyond_it(margin, n_beyond, monkeypatch):
    monkeypatch.setattr(models, "drawn_differences", lambda *_: REPLICATES)
    row = row_of(*ALIKE, "overlap_coefficient", margin=margin, confidence_level=0.9)
    assert row.p_not_worse == pytest.approx((n_beyond + 1) / (len(REPLICATES) + 1), rel=1e-6)
    assert row.p_equivalent > 0.5
    # 201 * 0.05 is 10: nine smaller ones are left out.
    assert row.low == sorted(REPLICATES)[9]


@pytest.mark.parametrize(
    ("n", "level", "low", "is_shown"),
    [(200, 0.99, -0.1, True), (200, 0.991, -1, False), (19_999, 0.9999, -0.1, True)],
)
def test_too_few_replicates_for_a_level_show_nothing(n, level, low, is_shown, monkeypatch):
    monkeypatch.setattr(models, "drawn_differences", lambda *_: np.resize(REPLICATES, n))
    row = row_of(*ALIKE, "overlap_coefficient", margin=0.105, confidence_level=level)
    # At 0.991 less than one of 200 replicates would lie outside; 1 - 0.9999 is a little less than
    # 0.0001.
    assert (row.low, row.not_worse) == (low, is_shown)
    assert row.p_not_worse == pytest.approx(1 / (n + 1))


def p_values_of_margin(limits_at, margin, level):
    """Of not worse, and of equivalent."""
    above, below = (
        p_value_above(of, -margin, level) for of in (limits_at, reversed_limits(limits_at))
    )
    return above, max(above, below)


def test_models_apart_by_the_margin_are_seldom_called_not_worse():
    """All tables: by Tango's score test, the probability is at most 0.04 whatever share of samples
    differs.
    """
    n, margin = 8, 0.1
    tables = np.array([(b, c, n - b - c) for b in range(n + 1) for c in range(n + 1 - b)])
    limits = (functools.partial(tango, b, c, n) for b, c, _ in tables.tolist())
    p_values = np.array([p_values_of_margin(of, margin, 0.025) for of in limits])
    for differ in np.linspace(margin, 1, 20):
        shares = [(differ - margin) / 2, (differ + margin) / 2, 1 - differ]
        probabilities = stats.multinomial.pmf(tables, n, shares)
        not_worse, equivalent = probabilities @ (p_values <= 0.025)
        assert equivalent <= not_worse <= 0.04


@pytest.mark.parametrize("correction", ["holm", "bonferroni"])
def test_verdicts_are_by_corrected_p_values(correction):
    y, a, b = data(300)
    models = {"b": b, "a": a, "c": np.where(np.arange(300) % 5, b, a)}
    options = {"margin": 0.08, "n_resamples": 199, "random_state": 0}
    metrics = ["accuracy", "f1_macro"]
    one, found = (
        compare(y, models, metrics, correction=how, **options).rows for how in (None, correction)
    )
    below = []
    for row in one:
        pair = {name: models[name] for name in (row.reference, row.model)}
        below += compare(y, pair, row.metric, correction=None, **options).rows
    # What is shown of equality is shown of the margin; each side has a correction of its own.
    equality = np.array([row.p_adjusted for row in found]) / 2
    np.testing.assert_allclose(2 * equality, adjusted([row.p_value for row in one], correction))
    is_above = np.array([row.difference > 0 for row in one])
    sides = [
        np.minimum(adjusted([row.p_not_worse for row in of], correction), of_equality)
        for of, of_equality in (
            (one, np.where(is_above, equality, 1)),
            (below, np.where(is_above, 1, equality)),
        )
    ]
    for name, verdict, expected in (
        ("p_not_worse", "not_worse", sides[0]),
        ("p_equivalent", "equivalent", np.maximum(*sides)),
    ):
        np.testing.assert_allclose([getattr(row, name) for row in found], expected, rtol=1e-4)
        assert [getattr(row, verdict) for row in found] == (expected <= 0.025).tolist()
        assert [getattr(row, verdict) for row in found] != [getattr(row, verdict) for row in one]
    for row, of_row in zip(one, found, strict=True):
        assert (row[:6], row.p_value) == (of_row[:6], of_row.p_value)
        assert of_row.low < row.low < row.high < of_row.high
        assert of_row.confidence_level == pytest.approx(1 - 0.05 / 6)


def test_a_search_that_starts_at_the_level_agrees_with_limits_that_are_not_monotone():
    def limits_at(alpha):
        return Limits(np.array(-0.2 if alpha < 0.01 or 0.04 < alpha < 0.2 else 0.0), np.array(0.2))

    for level, is_above in ((0.004, False), (0.01, True), (0.025, False), (0.2, True)):
        p_value, _ = p_values_of_margin(limits_at, 0.1, level)
        assert (p_value <= level) is is_above


def test_comparisons_as_frames():
    y, a, b = data(50)
    found = compare(y, {"a": a, "b": b}, ["mcc", "accuracy"], n_resamples=100)
    columns = [
        "metric",
        "label",
        "model",
        "reference",
        "value",
        "reference_value",
        "difference",
        "low",
        "high",
        "p_value",
        "p_adjusted",
        "method",
    ]
    for backend in ("pandas", "polars", "pyarrow"):
        frame = nw.from_native(found.to_frame(backend))
        assert frame.columns == [*columns, "confidence_level"]
        assert frame["metric"].to_list() == ["mcc", "accuracy"]
        assert frame["p_value"].to_list() == [row.p_value for row in found.rows]
    with_margin = compare(y, {"a": a, "b": b}, "mcc", n_resamples=100, margin=0.1)
    of_margin = ["p_not_worse", "p_equivalent", "not_worse", "equivalent"]
    assert [*with_margin.to_frame().columns] == [*columns, *of_margin, "confidence_level"]


def test_comparisons_as_text():
    y, a, b = data(50)
    text = repr(compare(y, {"a\nx": a, "b": b}, ["mcc", "accuracy"], n_resamples=100, margin=0.25))
    head, columns, *rows = text.splitlines()
    assert head == (
        "Comparison of 2 rows: difference = model - reference, simultaneous 95 % confidence "
        "intervals, 97.5 % each, p_adjusted, p_not_worse and p_equivalent by holm, margin 0.25: "
        "not_worse by a one-sided test at 2.5 %, equivalent by two"
    )
    assert columns.split()[-5:] == [
        "method",
        "p_not_worse",
        "p_equivalent",
        "not_worse",
        "equivalent",
    ]
    assert len(rows) == 2
    assert rows[0].startswith("mcc")
    assert rows[0].endswith(("yes", "no"))
    many = compare(y, {f"m{k}": a for k in range(11)}, "accuracy")
    assert repr(many).endswith("... and 15 more")


def test_comparisons_survive_pickling():
    y, a, b = data(50)
    found = compare(y, {"a": a, "b": b}, "mcc", n_resamples=100)
    assert pickle.loads(pickle.dumps(found)).rows == found.rows


def test_the_same_state_gives_the_same_result():
    y, a, b = data(300)
    one, other, third = (
        compare(
            y, {"a": a, "b": b}, "overlap_coefficient_macro", random_state=seed, n_resamples=200
        ).rows
        for seed in (0, 0, 2)
    )
    assert one == other
    assert one != third


def test_inputs_are_matched_by_their_index():
    y, a, b = data(60)
    index = pd.RangeIndex(100, 160)
    series = pd.Series(y, index)
    with pytest.raises(ValueError, match=re.escape("predictions['b']")):
        compare(series, {"a": pd.Series(a, index), "b": pd.Series(b, index[::-1])}, "accuracy")
    with pytest.raises(ValueError, match="clusters"):
        compare(series, {"a": a, "b": b}, "accuracy", clusters=pd.Series(y, index[::-1]))


def test_ordered_labels():
    names = np.array(["low", "mid", "high"])
    y, a, b = (names[codes] for codes in data(100))
    row = row_of(y, a, b, "gerrity", labels=["low", "mid", "high"], n_resamples=100)
    expected = ConfusionMatrix.from_predictions(y, a, labels=["low", "mid", "high"]).score(
        "gerrity"
    )
    assert row.value == pytest.approx(expected)
    ordered = pd.Categorical(y, ["low", "mid", "high"], ordered=True)
    assert row_of(ordered, a, b, "gerrity", n_resamples=100).value == pytest.approx(expected)


# Warnings and errors.


def test_undefined_values_are_said():
    with pytest.warns(UserWarning, match="precision is undefined"):
        row = row_of([0, 1, 0, 1], [0, 0, 0, 0], [0, 1, 1, 1], "precision", margin=0.1)
    assert np.isnan([row.value, row.difference, row.p_value, row.p_adjusted, row.low]).all()
    assert (row.not_worse, row.equivalent) == (None, None)
    assert np.isnan([row.p_not_worse, row.p_equivalent]).all()
    with pytest.warns(UserWarning, match="recall is undefined"):
        row = row_of([0, 0], [0, 1], [0, 0], "recall")
    assert np.isnan([row.value, row.p_value, row.high]).all()


def test_few_clusters_are_said():
    y, a, b = data(90)
    with pytest.warns(UserWarning, match="too few clusters, 14,"):
        row_of(y, a, b, "f1_macro", clusters=np.arange(90) % 14)
    row_of(y, a, b, "f1_macro", clusters=np.arange(90) % 15)


def test_unequal_clusters_are_said_and_their_effective_number_gives_the_quantile():
    y, a, b = data(1_000)
    # 6 clusters of 160 and 20 of 2.
    clusters = np.concatenate([np.repeat(np.arange(6), 160), np.repeat(np.arange(6, 26), 2)])
    n = 1_000**2 / (6 * 160**2 + 20 * 2**2)
    with pytest.warns(UserWarning, match="the effective number of clusters is 6.5"):
        nearly, usual = (
            row_of(y, a, b, "mcc", clusters=clusters, confidence_level=level)
            for level in (0.5, 0.95)
        )
    widths = [row.high - row.low for row in (nearly, usual)]
    assert widths[1] / widths[0] == pytest.approx(
        stats.t(n - 1).isf(0.025) / stats.t(n - 1).isf(0.25)
    )


def rates_test(moves, times):
    """The chi-squared of no sum of moves of Poisson counts, by maximising the likelihood
    numerically.
    """
    rates = optimize.minimize(
        lambda of_log: np.exp(of_log).sum() - times @ of_log,
        np.log(times + 0.5),
        constraints={"type": "eq", "fun": lambda of_log: moves @ np.exp(of_log)},
        options={"ftol": 1e-14, "maxiter": 1_000},
    )
    return (moves @ times) ** 2 / (moves**2 @ np.exp(rates.x))


def test_disagreements_that_did_not_occur_are_allowed_for():
    # Forty samples without the condition are told apart from it by one model alone: under the null
    # hypothesis it would also miss 40 / 19 with the condition, which none by chance is not rare.
    y = np.repeat([0, 1, 0], [40, 400, 1_000])
    all_right, few = np.repeat([0, 1, 0], [40, 400, 1_000]), np.repeat([1, 1, 0], [40, 400, 1_000])
    row = row_of(y, all_right, few, "net_benefit", threshold_probability=0.05, pos_label=1)
    # The largest rates are 38 and 2, whose variance is 40 / 19 in units of a true positive, the
    # difference 40 / 19.
    assert row.p_value == pytest.approx(stats.chi2.sf(40 / 19, 1))
    assert row.method == "score, delta"
    # With frequency weights of 2 it is the same as with every sample twice.
    (twice,) = compare(
        y,
        {"a": all_right, "b": few},
        "net_benefit",
        threshold_probability=0.05,
        pos_label=1,
        sample_weight=np.full(1_440, 2),
        frequency_weights=True,
    ).rows
    assert twice.p_value == pytest.approx(stats.chi2.sf(80 / 19, 1))


@pytest.mark.parametrize("times", [(1, 3, 60, 20), (0, 2, 90, 10), (9, 2, 4, 40)])
def test_the_rates_of_disagreement_are_the_most_likely_ones(times):
    # Samples with the condition that one model alone has right, then those without it.
    y, a, b = np.repeat(
        [(1, 1, 0), (1, 0, 1), (0, 0, 1), (0, 1, 0), (1, 1, 1), (0, 0, 0)], [*times, 50, 500], 0
    ).T
    row = row_of(y, a, b, "net_benefit", threshold_probability=0.1, pos_label=1, n_resamples=2_000)
    moves = np.array([1, -1, 1 / 9, -1 / 9])
    kept = np.array(times) > 0
    if not kept.all():
        # Without a sample of that kind its rate is 0: the difference is not in its favor.
        assert moves @ times > 0
    expected = stats.chi2.sf(rates_test(moves[kept], np.array(times)[kept]), 1)
    assert (
        row.p_value == pytest.approx(expected, rel=1e-4)
        if row.method == "score, delta"
        else row.p_value > expected
    )


def test_a_score_test_of_rates_within_classes_has_the_variance_within_these():
    """150 of 500 samples are an error of one model, and 2 of 20 of the other: the most likely rates
    of both without a difference, and their variance around the mean of each class.
    """
    n, times = np.array([500, 20]), np.array([150.0, 2.0])
    y = np.repeat([0, 1], n)
    a, b = y.copy(), y.copy()
    b[:150], a[500:502] = 1, 0
    # A pseudo-sample of each class is added to the counts that the derivatives are taken at.
    moves = np.array([1, -1]) / (2 * (n + 1))
    multiplier = optimize.brentq(lambda by: times @ (moves / (1 + moves * by)), 0, 41.99)
    rates = times / (1 + moves * multiplier)
    variance = rates @ moves**2 - ((rates * moves) ** 2 / n).sum()
    expected = stats.chi2.sf((moves @ times) ** 2 / variance, 1)
    for metric in ("balanced_accuracy", "recall_macro", "informedness"):
        row = row_of(y, a, b, metric, n_resamples=500)
        assert row.method == "score, delta"
        assert row.p_value == pytest.approx(expected, rel=1e-6)


Y, A, B = data(20)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"predictions": {"a": A}}, "predictions must contain at least two models; got ['a']"),
        (
            {"predictions": {"a": A, "b": B[:-1]}},
            "y_true has 20 samples but predictions['b'] has 19",
        ),
        (
            {"predictions": {"a": A, "b": B.astype(str)}},
            "one of them, e.g. with np.asarray(y_true).astype(str)",
        ),
        ({"predictions": {"a": A, "b": np.eye(3, dtype=int)[B]}}, "predictions['b'] is a 2-D"),
        ({"metrics": []}, "metrics is empty"),
        ({"metrics": ["f1_macro", "f1_macro"]}, "metrics has 'f1_macro' twice: name each once"),
        ({"metrics": "nonsense"}, "'nonsense' is not a metric"),
        (
            {"metrics": "f1", "average": None},
            "a comparison needs one value per model, but average=None of f1",
        ),
        ({"metrics": "f1", "average": "samples"}, "average='samples' needs multilabel data"),
        ({"metrics": "f1_macro", "pos_label": 1}, "pos_label=1 applies only to average='binary'"),
        ({"baseline": "c"}, "baseline='c' is not one of the models ['a', 'b']"),
        ({"confidence_level": 1}, "confidence_level must be at least 0.5 and below 1; got 1"),
        ({"n_resamples": 99}, "n_resamples"),
        ({"correction": "fdr"}, "correction must be 'holm', 'bonferroni' or None; got 'fdr'"),
        ({"margin": 0}, "margin must be a finite number above 0; got 0"),
        ({"margin": 0.1, "metrics": "prevalence_macro"}, "unlike 'prevalence_macro'"),
        ({"clusters": np.zeros(20)}, "clusters has only 0.0"),
        ({"clusters": np.arange(19)}, "shape (20,), not (19,)"),
        ({"sample_weight": np.ones(19)}, "sample_weight"),
        ({"sample_weight": np.eye(20)[0]}, "needs at least two samples"),
    ],
)
def test_errors(options, message):
    arguments = {"predictions": {"a": A, "b": B}, "metrics": "accuracy", **options}
    with pytest.raises(ValueError, match=re.escape(message)):
        compare(Y, **arguments)


@pytest.mark.parametrize("predictions", [[A, B], {"a": A, 1: B}])
def test_models_have_names(predictions):
    with pytest.raises(TypeError, match="predictions must"):
        compare(Y, predictions, "accuracy")


def test_the_geometric_mean_is_over_the_classes_that_have_samples():
    y, a, b = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 2, 1, 1, 0, 1]
    row = row_of(y, a, b, "geometric_mean")
    assert row.value == pytest.approx(np.sqrt(2 / 3 * 1))
    assert row.reference_value == pytest.approx(np.sqrt(1 / 3 * 2 / 3))
    third = compare(
        y, {"a": a, "b": a, "c": b}, "geometric_mean", n_resamples=100, random_state=0
    ).rows[0]
    assert third.value == row.value


def test_models_may_be_any_mapping():
    y, a, b = data(40)
    of_dict = compare(y, {"a": a, "b": b}, "accuracy").rows
    assert compare(y, MappingProxyType({"a": a, "b": b}), "accuracy").rows == of_dict
