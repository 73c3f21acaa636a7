"""Intervals of areas under curves: published values, DeLong's definition, weights, edges."""

import numpy as np
import pytest
from scipy import special, stats

from skmetrics_ext import threshold_curve

# Hanley & McNeil (1982), Radiology 143:29: ratings 1 to 5 of CT images of 58 normal and 51 abnormal patients.
NORMAL, ABNORMAL = [33, 6, 6, 11, 2], [3, 2, 2, 11, 33]


def images():
    scores = np.concatenate([np.repeat(np.arange(1, 6), NORMAL), np.repeat(np.arange(1, 6), ABNORMAL)])
    return np.repeat([0, 1], [58, 51]), scores


def scored(n=60, seed=0, decimals=1):
    random = np.random.default_rng(seed)
    y = (np.arange(n) % 3 == 0).astype(int)
    return y, (random.normal(size=n) + y).round(decimals)


def by_definition(y, scores, weights=None):
    """DeLong's placements pair by pair."""
    weights = np.ones(len(y)) if weights is None else weights
    positive, negative = scores[y == 1], scores[y == 0]
    wins = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    of_positive, of_negative = weights[y == 1], weights[y == 0]
    v10, v01 = wins @ of_negative / of_negative.sum(), of_positive @ wins / of_positive.sum()
    area = of_positive @ v10 / of_positive.sum()
    variance = 0
    for own, v in ((of_positive, v10), (of_negative, v01)):
        n = own.sum() ** 2 / (own**2).sum()
        variance += (own**2 * (v - area) ** 2).sum() / own.sum() ** 2 * n / (n - 1)
    return area, variance


def test_the_limits_of_ratings_are_those_published():
    # Stata, "roctab disease rating": area .8932, standard error .0307, limits .83295 and .95339.
    interval = threshold_curve(*images()).roc_auc_interval("delong")
    np.testing.assert_allclose([interval.value, interval.low, interval.high], [0.8932, 0.83295, 0.95339], atol=5e-5)
    assert interval.method == "DeLong"


@pytest.mark.parametrize("ties", ["positive", "negative"])
@pytest.mark.parametrize("decimals", [0, 1, 9])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_variance_is_that_of_the_definition(weighted, decimals, ties):
    y, scores = scored(decimals=decimals)
    weights = np.random.default_rng(1).random(60) + 0.1 if weighted else None
    area, variance = by_definition(y, scores, weights)
    curve = threshold_curve(y, scores, sample_weight=weights, ties=ties)
    z = stats.norm.ppf(0.95)
    plain = curve.roc_auc_interval("delong", confidence_level=0.9)
    np.testing.assert_allclose([plain.low, plain.high], area + np.array([-z, z]) * np.sqrt(variance), rtol=1e-10)
    logit = curve.roc_auc_interval(confidence_level=0.9)
    half = z * np.sqrt(variance) / (area * (1 - area))
    expected = special.expit(special.logit(area) + np.array([-half, half]))
    np.testing.assert_allclose([logit.low, logit.high], expected, rtol=1e-10)
    assert logit.value == curve.roc_auc()


def test_equal_weights_change_nothing():
    y, scores = scored()
    expected = threshold_curve(y, scores).roc_auc_interval()
    for weight in (3, 0.1, 1e-200, 1e200):
        interval = threshold_curve(y, scores, sample_weight=np.full(60, weight)).roc_auc_interval()
        assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_samples_of_weight_0_tell_nothing():
    y, scores = scored(120)
    weights = (np.arange(120) % 4 > 0).astype(float)
    kept = weights > 0
    one, other = (
        threshold_curve(y, scores, sample_weight=weights),
        threshold_curve(y[kept], scores[kept], sample_weight=weights[kept]),
    )
    assert repr(one.roc_auc_interval()) == repr(other.roc_auc_interval())
    assert repr(one.average_precision_interval()) == repr(other.average_precision_interval())


@pytest.mark.parametrize("method", ["delong", "delong-logit"])
def test_a_perfect_order_of_few_samples_is_not_sure(method):
    curve = threshold_curve([0] * 9 + [1] * 5, range(14))
    interval = curve.roc_auc_interval(method)
    low, _ = stats.binomtest(5, 5).proportion_ci(method="wilson")
    assert (interval.value, interval.low, interval.high) == (1, pytest.approx(low), 1)
    turned = threshold_curve([1] * 9 + [0] * 5, range(14)).roc_auc_interval(method)
    assert (turned.value, turned.low, turned.high) == (0, 0, pytest.approx(1 - low))


def test_a_single_positive_sample_has_the_limits_of_a_share():
    interval = threshold_curve([0, 0, 1, 0], [1, 2, 3, 4]).roc_auc_interval()
    assert interval.value == pytest.approx(2 / 3)
    assert interval.low < 0.1
    assert interval.high > 0.9


@pytest.mark.slow
def test_limits_cover_the_truth_as_often_as_they_say():
    random = np.random.default_rng(0)
    truth = stats.norm.cdf(1 / np.sqrt(2))
    y = np.repeat([0, 1], [60, 30])
    intervals = [threshold_curve(y, random.normal(size=90) + y).roc_auc_interval() for _ in range(1000)]
    assert np.mean([one.low <= truth <= one.high for one in intervals]) == pytest.approx(0.95, abs=0.025)


def test_average_precision_has_the_limits_of_boyd():
    y, scores = scored()
    curve = threshold_curve(y, scores)
    interval = curve.average_precision_interval()
    value = curve.average_precision()
    half = stats.norm.ppf(0.975) / np.sqrt(20 * value * (1 - value))
    expected = special.expit(special.logit(value) + np.array([-half, half]))
    np.testing.assert_allclose([interval.low, interval.high], expected)
    assert interval.method == "logit"
    weighted = threshold_curve(y, scores, sample_weight=np.full(60, 0.1)).average_precision_interval()
    assert (weighted.low, weighted.high) == pytest.approx((interval.low, interval.high))


def test_average_precision_of_few_positives_is_warned_of():
    with pytest.warns(UserWarning, match="rough below 20 positive samples, and there are 3"):
        interval = threshold_curve([0, 0, 1, 1, 1], [1, 2, 3, 4, 5]).average_precision_interval()
    low, _ = stats.binomtest(3, 3).proportion_ci(method="wilson")
    assert (interval.value, interval.low, interval.high) == (1, pytest.approx(low), 1)


def test_what_has_no_interval_is_refused():
    y, scores = scored()
    curve = threshold_curve(y, scores)
    with pytest.raises(ValueError, match=r"method must be one of \['delong-logit', 'delong'\]; got 'wilson'"):
        curve.roc_auc_interval("wilson")
    for of in (curve.roc_auc_interval, curve.average_precision_interval):
        with pytest.raises(ValueError, match="confidence_level must be a number between 0 and 1; got 95"):
            of(confidence_level=95)
    with pytest.raises(ValueError, match="is an area over all scores"):
        threshold_curve(y, scores, thresholds=[0.5]).roc_auc_interval()


@pytest.mark.filterwarnings("ignore:.*undefined")
def test_curves_without_one_of_the_classes_have_no_interval():
    for only in (0, 1):
        curve = threshold_curve([only] * 3, [1, 2, 3], pos_label=1)
        with pytest.raises(ValueError, match="needs positive and negative samples"):
            curve.roc_auc_interval()
    with pytest.raises(ValueError, match="needs positive samples"):
        threshold_curve([0] * 3, [1, 2, 3], pos_label=1).average_precision_interval()


@pytest.mark.parametrize("seed", range(8))
def test_weighted_perfect_orders_are_not_sure_whatever_rounding_leaves(seed):
    y = np.repeat([0, 1], 20)
    random = np.random.default_rng(0)
    scores = np.concatenate([random.random(20), 1 + random.random(20)])
    weights = np.random.default_rng(seed).random(40)
    curve = threshold_curve(y, scores, sample_weight=weights)
    turned = threshold_curve(y, -scores, sample_weight=weights)
    assert turned.roc_auc() >= 0
    for method in ("delong", "delong-logit"):
        interval = curve.roc_auc_interval(method)
        assert 0.6 < interval.low < 0.9
        assert interval.high == 1
        assert turned.roc_auc_interval(method).high == pytest.approx(1 - interval.low)
        assert turned.roc_auc_interval(method).low == 0
    with pytest.warns(UserWarning, match="rough below 20"):
        interval = curve.average_precision_interval()
    assert 0.6 < interval.low < 0.9
    assert interval.high == 1


def test_scores_that_tell_nothing_are_not_sure_either():
    interval = threshold_curve([1, 1, 0, 0], [0.5] * 4).roc_auc_interval()
    low, high = stats.binomtest(1, 2).proportion_ci(method="wilson")
    assert (interval.value, interval.low, interval.high) == (0.5, pytest.approx(low), pytest.approx(high))


def test_a_sample_of_hardly_any_weight_does_not_make_it_surer():
    y = np.array([1, 1, *[0] * 20])
    scores = np.array([0.5, 0.3, *np.linspace(0, 1, 20)])
    widths = []
    for weight in (0, 1e-12, 1e-6):
        weights = np.ones(22)
        weights[1] = weight
        interval = threshold_curve(y, scores, sample_weight=weights).roc_auc_interval()
        widths.append(interval.high - interval.low)
    assert widths[1:] == pytest.approx([widths[0]] * 2, rel=1e-3)
