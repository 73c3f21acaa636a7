"""Intervals of areas under curves: published values, DeLong's definition, weights, edges."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special, stats
from sklearn.metrics import average_precision_score

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, ThresholdCurves
from skmetrics_ext.curves.operating_points import point_of_curve
from skmetrics_ext.statistics.areas import delong
from tests.outcomes import outcome_of
from tests.proportions import mid_p

# Hanley & McNeil (1982), Radiology 143:29: ratings 1 to 5 of CT images of 58 normal and 51 abnormal
# patients.
NORMAL, ABNORMAL = [33, 6, 6, 11, 2], [3, 2, 2, 11, 33]


def images():
    scores = np.concatenate(
        [np.repeat(np.arange(1, 6), NORMAL), np.repeat(np.arange(1, 6), ABNORMAL)]
    )
    return np.repeat([0, 1], [58, 51]), scores


def scored(n=60, seed=0, decimals=1):
    random = np.random.default_rng(seed)
    y = (np.arange(n) % 3 == 0).astype(int)
    return y, (random.normal(size=n) + y).round(decimals)


def by_definition(y, scores, weights=None):
    """DeLong's placement_values pair by pair."""
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


def on_logit(area, half):
    """Limits at a distance of `half`, on the scale of the area, from its logit."""
    half = half / (area * (1 - area))
    return special.expit(special.logit(area) + np.array([-half, half]))


def newcombe(area, m, n, z):
    """Method 5 of Newcombe (2006) as the roots of a quartic, its variance without fractions."""
    t = np.polynomial.Polynomial([0, 1])
    below = (2 - t) * (1 + t)
    others = (m + n) / 2 - 1
    spread = t * (1 - t) * (below + others * ((1 - t) * (1 + t) + t * (2 - t)))
    roots = ((t - area) ** 2 * below * m * n - z**2 * spread).roots()
    roots = np.sort(
        roots.real[(abs(roots.imag) < 1e-9) & (roots.real > -1e-9) & (roots.real < 1 + 1e-9)]
    )
    return max(roots[0], 0), min(roots[-1], 1)


def test_the_limits_of_ratings_are_those_published():
    # Stata, "roctab disease rating": area .8932, standard error .0307, limits .83295 and .95339.
    interval = ThresholdCurve.from_scores(*images()).interval("roc_auc", method="delong")
    np.testing.assert_allclose(
        [interval.value, interval.low, interval.high], [0.8932, 0.83295, 0.95339], atol=5e-5
    )
    assert interval.method == "DeLong"


@pytest.mark.filterwarnings("ignore:confidence limits by method=")
@pytest.mark.parametrize("ties", ["positive", "negative"])
@pytest.mark.parametrize("decimals", [0, 1, 9])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_variance_is_that_of_the_definition(weighted, decimals, ties):
    y, scores = scored(decimals=decimals)
    weights = np.random.default_rng(1).random(60) + 0.1 if weighted else None
    area, variance = by_definition(y, scores, weights)
    curve = ThresholdCurve.from_scores(y, scores, sample_weight=weights, ties=ties)
    z = stats.norm.ppf(0.95)
    plain = curve.interval("roc_auc", method="delong", confidence_level=0.9)
    np.testing.assert_allclose(
        [plain.low, plain.high], area + np.array([-z, z]) * np.sqrt(variance), rtol=1e-10
    )
    logit = curve.interval("roc_auc", method="delong-logit", confidence_level=0.9)
    np.testing.assert_allclose(
        [logit.low, logit.high], on_logit(area, z * np.sqrt(variance)), rtol=1e-10
    )
    assert logit.value == curve.roc_auc()
    # Student's t of one less than the samples of the rarer class, or Newcombe's limits.
    n = [
        (of.sum() ** 2 / (of**2).sum())
        for of in np.split((np.ones(60) if weights is None else weights)[np.argsort(y)], [40])
    ]
    by_t = on_logit(area, stats.t.ppf(0.95, min(n) - 1) * np.sqrt(variance))
    by_score = newcombe(area, *n, z)
    interval = curve.interval("roc_auc", confidence_level=0.9)
    expected = min(by_t[0], by_score[0]), max(by_t[1], by_score[1])
    np.testing.assert_allclose([interval.low, interval.high], expected, rtol=1e-8)
    assert interval.method == "the wider of Newcombe's method 5 and logit DeLong"


@pytest.mark.parametrize("area", [0.0, 0.01, 0.5, 2 / 3, 0.93, 1.0])
@pytest.mark.parametrize(("m", "n"), [(2, 2), (5, 7), (5, 1000), (100, 20), (10_000, 10_000_000)])
def test_newcombe_allows_what_a_score_test_does(area, m, n):
    found = delong.newcombe(delong.Area(area, 0.0, m, n), 0.05)
    np.testing.assert_allclose(
        found, newcombe(area, m, n, stats.norm.ppf(0.975)), rtol=1e-6, atol=1e-12
    )
    assert found.low < found.high
    assert (found.low == 0) == (area == 0)
    assert (found.high == 1) == (area == 1)


@pytest.mark.parametrize(
    ("n", "area", "is_wider"), [(99, 0.8, True), (101, 0.8, False), (150, 0.98, True)]
)
def test_many_samples_of_which_enough_are_misplaced_have_normal_limits(n, area, is_wider):
    random = np.random.default_rng(0)
    scores = random.normal(size=2 * n)
    scores[n:] += stats.norm.ppf(area) * np.sqrt(2)
    curve = ThresholdCurve.from_scores(np.repeat([0, 1], n), scores)
    auto = curve.interval("roc_auc")
    assert (auto.method == "the wider of Newcombe's method 5 and logit DeLong") == is_wider
    if not is_wider:
        assert repr(auto) == repr(curve.interval("roc_auc", method="delong-logit"))
        assert auto.method == "DeLong on the logit"


@pytest.mark.parametrize("method", ["delong", "delong-logit"])
def test_the_limits_of_delong_warn_where_few_samples_are_misplaced(method):
    curve = ThresholdCurve.from_scores([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    with pytest.warns(
        UserWarning, match=f"'{method}'.*area 0.8889, 3 samples of the rarer class.*method='auto'"
    ):
        curve.interval("roc_auc", method=method)


def test_equal_weights_change_nothing():
    y, scores = scored()
    expected = ThresholdCurve.from_scores(y, scores).interval("roc_auc")
    for weight in (3, 0.1, 1e-100, 1e98):
        interval = ThresholdCurve.from_scores(
            y, scores, sample_weight=np.full(60, weight)
        ).interval("roc_auc")
        assert (interval.low, interval.high) == pytest.approx(
            (expected.low, expected.high), rel=1e-9
        )


def test_samples_of_weight_0_change_nothing():
    y, scores = scored(120)
    weights = (np.arange(120) % 4 > 0).astype(float)
    kept = weights > 0
    one, other = (
        ThresholdCurve.from_scores(y, scores, sample_weight=weights),
        ThresholdCurve.from_scores(y[kept], scores[kept], sample_weight=weights[kept]),
    )
    assert repr(one.interval("roc_auc")) == repr(other.interval("roc_auc"))
    assert repr(one.interval("average_precision")) == repr(other.interval("average_precision"))


def test_a_perfect_order_of_few_samples_is_not_certain():
    interval = ThresholdCurve.from_scores([0] * 9 + [1] * 5, range(14)).interval("roc_auc")
    # The next positive sample may be below all others: no limits of 5 samples are nearer.
    low = min(0.05 ** (1 / 5), newcombe(1, 9, 5, stats.norm.ppf(0.975))[0])
    assert interval.method == "the wider of Newcombe's method 5 and mid-P"
    assert (interval.value, interval.low, interval.high) == (1, pytest.approx(low), 1)
    turned = ThresholdCurve.from_scores([1] * 9 + [0] * 5, range(14)).interval("roc_auc")
    assert (turned.value, turned.low, turned.high) == (0, 0, pytest.approx(1 - low))


BY_NAME = ("delong", "delong-logit", "bootstrap")


@pytest.mark.parametrize("method", BY_NAME)
@pytest.mark.parametrize("order", [1, -1])
def test_a_width_of_0_is_kept_by_name_and_has_a_caveat(method, order):
    curve = ThresholdCurve.from_scores([0] * 9 + [1] * 5, order * np.arange(14))
    found, _ = outcome_of(curve.interval, "roc_auc", method=method)
    assert found.low == found.high == found.value
    assert [caveat.code for caveat in found.caveats] == ["constant"]
    assert "says nothing of its uncertainty" in found.caveats[0].text


@pytest.mark.parametrize("method", BY_NAME[:2])
def test_a_class_of_one_sample_has_no_variance_of_delong(method):
    curve = ThresholdCurve.from_scores([0, 0, 1, 0], [1, 2, 3, 4])
    found, _ = outcome_of(curve.interval, "roc_auc", method=method)
    assert np.isnan([found.low, found.high]).all()
    assert [caveat.code for caveat in found.caveats] == ["few_samples"]


def test_the_bootstrap_resamples_each_class():
    # numpy, 40,000 resamples of each class, percentiles, as pROC's ci.auc(method="bootstrap").
    curve = ThresholdCurve.from_scores(*images())
    found = curve.interval("roc_auc", method="bootstrap")
    assert [found.low, found.high] == pytest.approx([0.8293, 0.9483], abs=0.004)
    assert found.method == "bootstrap"
    repeated = curve.interval("roc_auc", method="bootstrap", random_state=1)
    assert repeated.low != found.low
    y, scores = images()
    of_two = ThresholdCurve.from_scores([0, 0, 1], [1, 2, 1.5]).interval
    few, _ = outcome_of(of_two, "roc_auc", method="bootstrap", n_resamples=999)
    # Of two negative samples twice the lower, each, or twice the higher.
    assert (few.low, few.high) == (0, 1)
    for options in ({"sample_weight": scores}, {"clusters": np.arange(len(y)) // 2}):
        other = ThresholdCurve.from_scores(y, scores, **options)
        with pytest.raises(ValueError, match="independent samples without weights or clusters"):
            other.interval("roc_auc", method="bootstrap")


def test_a_single_positive_sample_has_the_limits_of_a_proportion():
    interval = ThresholdCurve.from_scores([0, 0, 1, 0], [1, 2, 3, 4]).interval("roc_auc")
    assert interval.value == pytest.approx(2 / 3)
    assert interval.low < 0.1
    assert interval.high > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n", "area", "spread"), [(10, 1000, 0.8, 2.5), (100, 20, 0.8, 0.4)])
def test_limits_have_their_nominal_coverage(m, n, area, spread):
    """Few positive or few negative samples; the spread of the positive scores. DeLong's normal
    limits alone cover 0.82 of the true areas in the worst of such, and the limits of a proportion
    0.85 of the true average precisions; test_coverage.py has no few negative ones.
    """
    random = np.random.default_rng(0)
    shift = stats.norm.ppf(area) * np.hypot(1, spread)
    shares = (np.arange(20_000) + 0.5) / 20_000
    precision = (
        m * shares / (m * shares + n * stats.norm.sf(shift + spread * stats.norm.isf(shares)))
    )
    y = np.repeat([1, 0], [m, n])
    truths, covered = (area, precision.mean()), []
    for _ in range(1000):
        curve = ThresholdCurve.from_scores(
            y, random.normal(size=m + n) * np.where(y, spread, 1) + shift * y
        )
        found = (curve.interval("roc_auc"), curve.interval("average_precision"))
        covered.append(
            [one.low <= truth <= one.high for one, truth in zip(found, truths, strict=True)]
        )
    assert (np.mean(covered, axis=0) >= 0.9).all()


def test_average_precision_has_the_limits_of_boyd():
    y, scores = scored()
    curve = ThresholdCurve.from_scores(y, scores)
    interval = curve.interval("average_precision")
    value = curve.average_precision()
    expected = on_logit(value, stats.t.ppf(0.975, 19) * np.sqrt(value * (1 - value) / 20))
    np.testing.assert_allclose([interval.low, interval.high], expected)
    assert interval.method == "logit"
    weighted = ThresholdCurve.from_scores(y, scores, sample_weight=np.full(60, 0.1)).interval(
        "average_precision"
    )
    assert (weighted.low, weighted.high) == pytest.approx((interval.low, interval.high))


def precisions(y, scores, weights):
    """The average precision for each row of weights."""
    is_at = np.unique(-scores)[:, None] == -scores
    right, of_all = (weights * y) @ is_at.T, weights @ is_at.T
    return (right * right.cumsum(1) / of_all.cumsum(1)).sum(1) / right.sum(1)


@pytest.mark.parametrize(("weighted", "decimals"), [(True, 1), (False, 9)])
def test_average_precision_of_few_negatives_has_the_limits_of_the_delta_method(weighted, decimals):
    y, scores = np.repeat([1, 0], [54, 6]), np.random.default_rng(0).normal(size=60)
    scores = np.where(y, scores / 3, scores).round(decimals)
    weights = np.random.default_rng(1).random(60) + 0.1 if weighted else np.ones(60)
    curve = ThresholdCurve.from_scores(y, scores, sample_weight=weights if weighted else None)
    interval = curve.interval("average_precision")
    value = average_precision_score(y, scores, sample_weight=weights)

    higher, lower = (precisions(y, scores, weights + of * np.eye(60)) for of in (1e-5, -1e-5))
    assert precisions(y, scores, weights[None]) == pytest.approx(value, rel=1e-12)
    influence = (higher - lower) / 2e-5
    n = min(of.sum() ** 2 / (of**2).sum() for of in (weights[y == 1], weights[y == 0]))
    parts = (weights * influence) ** 2
    error = np.sqrt(parts.sum() * n / (n - 1))
    assert error > np.sqrt(value * (1 - value) / 54)
    # So many samples of a class of equal influence would vary as much.
    n_deciding = min(of.sum() ** 2 / (of**2).sum() for of in (parts[y == 1], parts[y == 0]))
    degrees = min(n - 1, 2 * n_deciding)
    assert degrees < n - 1
    expected = on_logit(value, stats.t.ppf(0.975, degrees) * error)
    # Of samples with one score the mean weight is known.
    rtol = 0.02 if weighted else 1e-5
    np.testing.assert_allclose([interval.low, interval.high], expected, rtol=rtol)


def test_average_precision_of_many_samples_is_as_sure_as_resampled_samples():
    """Where positive samples spread more than negative ones, it varies less than a proportion."""
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 1_000)
    scores = np.where(y, random.normal(2, 3, 2_000), random.normal(size=2_000))
    interval = ThresholdCurve.from_scores(y, scores).interval("average_precision")
    times = random.multinomial(2_000, np.full(2_000, 1 / 2_000), 400)
    # No two scores are equal: the precision at each, from the highest.
    order = np.argsort(-scores)
    times = times[:, order]
    right = times * y[order]
    resampled = (right * right.cumsum(1) / np.maximum(times.cumsum(1), 1)).sum(1) / right.sum(1)
    low, high = np.quantile(resampled, [0.025, 0.975])
    assert interval.high - interval.low == pytest.approx(high - low, rel=0.1)
    of_share = 2 * 1.96 * np.sqrt(interval.value * (1 - interval.value) / 1_000)
    assert interval.high - interval.low < 0.85 * of_share


def test_perfect_average_precision_of_few_positives_has_the_limits_of_a_proportion():
    interval = ThresholdCurve.from_scores([0, 0, 1, 1, 1], [1, 2, 3, 4, 5]).interval(
        "average_precision"
    )
    low = 0.05 ** (1 / 3)
    assert (interval.value, interval.low, interval.high) == (1, pytest.approx(low), 1)


@pytest.mark.parametrize("y", [[0, 1, 0, 0], [1, 0, 1, 1], [0, 1]])
@pytest.mark.parametrize("scores", [[1, 2, 3, 4], [4, 3, 2, 1], [1, 1, 1, 1]])
def test_hardly_any_samples_have_limits_around_their_value(y, scores):
    curve = ThresholdCurve.from_scores(y, scores[: len(y)])
    for interval in (curve.interval("roc_auc"), curve.interval("average_precision")):
        assert 0 <= interval.low <= interval.value <= interval.high <= 1
        assert interval.high - interval.low > 0.3


def test_what_has_no_interval_is_refused():
    y, scores = scored()
    curve = ThresholdCurve.from_scores(y, scores)
    with pytest.raises(
        ValueError,
        match=r"one of \['auto', 'delong-logit', 'delong', 'bootstrap'\]; got 'wilson'. R's pROC",
    ):
        curve.interval("roc_auc", method="wilson")
    for area in ("roc_auc", "average_precision"):
        with pytest.raises(ValueError, match=r"confidence_level"):
            curve.interval(area, confidence_level=95)
    with pytest.raises(
        ValueError, match=r"method must be one of \['auto', 'logit'\]; got 'delong'"
    ):
        curve.interval("average_precision", method="delong")
    with pytest.raises(ValueError, match="area over"):
        ThresholdCurve.from_scores(y, scores, thresholds=[1.5]).interval("roc_auc")


def test_curves_without_one_of_the_classes_have_no_interval():
    # An error, without a warning of the undefined value before it.
    for only in (0, 1):
        curve = ThresholdCurve.from_scores([only] * 3, [1, 2, 3], pos_label=1)
        with pytest.raises(ValueError, match="needs positives and negatives"):
            curve.interval("roc_auc")
    with pytest.raises(ValueError, match="needs positive samples"):
        ThresholdCurve.from_scores([0] * 3, [1, 2, 3], pos_label=1).interval("average_precision")


def test_average_precision_without_negatives_is_that_of_so_many_hits():
    of = ThresholdCurve.from_scores([1] * 40, np.arange(40)).interval("average_precision")
    low, _ = mid_p(40, 40)
    np.testing.assert_allclose([of.value, of.low, of.high], [1, low, 1])


@pytest.mark.parametrize("seed", range(8))
def test_weighted_perfect_orders_are_not_certain_despite_rounding(seed):
    y = np.repeat([0, 1], 20)
    random = np.random.default_rng(0)
    scores = np.concatenate([random.random(20), 1 + random.random(20)])
    weights = np.random.default_rng(seed).random(40)
    curve = ThresholdCurve.from_scores(y, scores, sample_weight=weights)
    turned = ThresholdCurve.from_scores(y, -scores, sample_weight=weights)
    assert turned.roc_auc() >= 0
    interval, other = (of.interval("roc_auc") for of in (curve, turned))
    assert 0.6 < interval.low < 0.95
    assert interval.high == 1
    assert (other.low, other.high) == (0, pytest.approx(1 - interval.low))
    interval = curve.interval("average_precision")
    assert 0.6 < interval.low < 0.9
    assert interval.high == 1


def test_uninformative_scores_are_not_certain_either():
    interval = ThresholdCurve.from_scores([1, 1, 0, 0], [0.5] * 4).interval("roc_auc")
    # One hit of two: half of its probability 2 p (1 - p), and p^2 of two hits, are p.
    low = 0.025
    assert (interval.value, interval.low, interval.high) == (
        0.5,
        pytest.approx(low),
        pytest.approx(1 - low),
    )
    assert interval.method == "mid-P"


def test_a_sample_of_hardly_any_weight_does_not_narrow_the_interval():
    y = np.array([1, 1, *[0] * 20])
    scores = np.array([0.5, 0.3, *np.linspace(0, 1, 20)])
    widths = []
    for weight in (0, 1e-12, 1e-6):
        weights = np.ones(22)
        weights[1] = weight
        interval = ThresholdCurve.from_scores(y, scores, sample_weight=weights).interval("roc_auc")
        widths.append(interval.high - interval.low)
    assert widths[1:] == pytest.approx([widths[0]] * 2, rel=1e-3)


@pytest.mark.parametrize("are_groups", [False, True])
def test_curves_of_numbers_of_samples_are_those_of_repeated_ones(are_groups):
    random = np.random.default_rng(0)
    true, scores, times = (
        random.integers(0, 2, 60),
        random.random((60, 2)),
        random.integers(0, 4, 60),
    )
    by = np.arange(60) % 2 if are_groups else None
    weighted = ThresholdCurves.from_scores(
        true, scores, sample_weight=times, frequency_weights=True, by=by
    )
    repeated = ThresholdCurves.from_scores(
        np.repeat(true, times),
        np.repeat(scores, times, 0),
        by=None if by is None else np.repeat(by, times),
    )
    for curves in (weighted, pickle.loads(pickle.dumps(weighted))):
        for key in curves:
            found, expected = curves[key].interval("roc_auc"), repeated[key].interval("roc_auc")
            assert (found.low, found.high) == pytest.approx(
                (expected.low, expected.high), rel=1e-12
            )
            assert found.n == expected.n
    if are_groups:
        assert weighted.sum("group").interval("roc_auc").n == times.sum()
    with pytest.raises(ValueError, match="treats sample_weight"):
        ThresholdCurves.from_scores(
            true, scores, sample_weight=times + 0.5, frequency_weights=True, by=by
        )


def test_samples_that_are_all_placed_alike_say_no_more_than_their_number():
    """Seven positives above all of 1,000 negatives: the next may be below these."""
    perfect = ThresholdCurve.from_scores([0] * 1000 + [1] * 7, range(1007)).interval("roc_auc")
    assert perfect.low == pytest.approx(0.05 ** (1 / 7))
    of_twelve = ThresholdCurve.from_scores([0] * 1000 + [1] * 12, range(1012)).interval("roc_auc")
    assert of_twelve.low == pytest.approx(0.05 ** (1 / 12))
    # Two of 12 below all negatives: these are placed apart, with the ordinary limits.
    scores = np.append(np.arange(1000), [*range(2000, 2010), -1, -2])
    two_below = ThresholdCurve.from_scores([0] * 1000 + [1] * 12, scores).interval("roc_auc")
    assert two_below.method == "the wider of Newcombe's method 5 and logit DeLong"
    tied = ThresholdCurve.from_scores([0] * 1000 + [1] * 12, [*range(1000), *[500.5] * 12])
    assert tied.interval("roc_auc").method.endswith("no nearer than mid-P")
    plain = mid_p(6, 12)
    assert tied.interval("roc_auc").low <= plain.low + 0.01


@pytest.mark.filterwarnings("ignore:too few clusters")
@pytest.mark.parametrize("side", [0, 1])
def test_clusters_of_the_rarer_class_that_are_placed_alike_are_a_proportion(side):
    """12 positives of one score in the middle of 200 negatives, by two in a cluster."""
    y = np.repeat([0, 1], [200, 12])
    scores = np.append(np.arange(200), np.full(12, 99.5))
    clusters = np.append(np.arange(200) // 2, 200 + np.arange(12) // 2)
    if side == 0:
        y, scores = 1 - y, -scores
    found = ThresholdCurve.from_scores(y, scores, clusters=clusters).interval("roc_auc")
    assert "no nearer than mid-P" in found.method
    # The other class alike, which is the more frequent one.
    others = np.append(np.full(200, 5.5), np.arange(12))
    found = ThresholdCurve.from_scores(y, others if side else -others, clusters=clusters).interval(
        "roc_auc"
    )
    assert "mid-P" not in found.method


@pytest.mark.parametrize("clusters", [False, True])
def test_placements_that_differ_by_a_hair_are_the_ordinary_case(clusters):
    scores = np.append(np.arange(1000.0), [*[999.5] * 11, 998.5])
    options = {"clusters": np.arange(1012)} if clusters else {}
    found = ThresholdCurve.from_scores([0] * 1000 + [1] * 12, scores, **options).interval("roc_auc")
    assert "mid-P" not in found.method


@pytest.mark.parametrize("tied", [False, True])
def test_ties_at_the_bound_leave_both_sides_open(tied):
    """The population's specificity may be reached on either side of the 40 negatives at one score:
    each gets all of alpha.
    """
    y = np.repeat([0, 1], [400, 50])
    negatives = np.concatenate([np.linspace(0, 1, 320), np.full(40, 2.0), np.linspace(3, 4, 40)])
    if not tied:
        negatives[320:360] = np.linspace(1.5, 2.5, 40)
    scores = np.append(negatives, np.linspace(1.2, 4, 50))
    curve = ThresholdCurve.from_scores(y, scores)
    options = {"subject_to": {"specificity": 0.9}, "n_resamples": 3_999}
    found = curve.interval("recall", **options)
    farther = curve.interval("recall", confidence_level=1 - 0.05 / 4, **options)
    nearer = curve.interval("recall", confidence_level=1 - 0.05 * 4, **options)
    assert farther.high - farther.low > found.high - found.low > nearer.high - nearer.low
    from_replicates = np.quantile(
        point_of_curve(
            curve, "recall", {"specificity": 0.9}, 3_999, np.random.default_rng(0)
        ).replicates,
        [0.025, 0.975],
    )
    is_wider = found.high - found.low > 1.05 * np.ptp(from_replicates)
    assert is_wider == tied


@pytest.mark.parametrize("seed", range(4))
def test_areas_of_as_many_samples_of_both_classes_are_mirrored(seed):
    random = np.random.default_rng(seed)
    y = np.repeat([0, 1], 10)
    scores = np.where(y, 0.5, random.random(20)) if seed % 2 else random.integers(0, 4, 20)
    found = ThresholdCurve.from_scores(y, scores).interval("roc_auc")
    turned = ThresholdCurve.from_scores(1 - y, scores).interval("roc_auc")
    assert (1 - turned.high, 1 - turned.low) == pytest.approx((found.low, found.high), abs=1e-9)
    assert turned.method == found.method


COSTS = [[0, 1], [5, 0]]


@pytest.mark.parametrize(
    ("metric", "parameters"),
    [("expected_cost", {"cost_matrix": COSTS}), ("recall", {}), ("fbeta", {"beta": 2})],
)
def test_curves_of_given_thresholds_have_intervals_of_any_metric_at_each(metric, parameters):
    random = np.random.default_rng(3)
    y = random.integers(2, size=200)
    scores, thresholds = y + random.normal(size=200), [1.5, 0.5, -0.5]
    curve = ThresholdCurve.from_scores(y, scores, thresholds=thresholds)
    found = curve.interval(metric, **parameters)
    assert_allclose(found.value, curve.score(metric, **parameters))
    assert found.axes[0].coordinates.tolist() == thresholds
    for k, threshold in enumerate(thresholds):
        cm = ConfusionMatrix.from_predictions(y, (scores >= threshold).astype(int))
        alone = cm.interval(metric, **parameters)
        assert_allclose((found.low[k], found.high[k]), (alone.low, alone.high), rtol=1e-12)
    everywhere = ThresholdCurve.from_scores(y, scores)
    with pytest.raises(ValueError, match=r"an interval at one: curve.at\(threshold\)"):
        everywhere.interval(metric, **parameters)
    with pytest.raises(TypeError, match="cost_matrix= is no option of an interval of roc_auc"):
        everywhere.interval("roc_auc", cost_matrix=COSTS)
