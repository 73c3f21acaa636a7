"""Areas under curves of dependent samples: Obuchowski's components written out, edges, errors."""

import numpy as np
import pytest
from scipy import special, stats
from sklearn.metrics import average_precision_score

from skmetrics_ext import ThresholdCurve, ThresholdCurves, compare_curves
from skmetrics_ext.statistics.areas.delong import RankedSamples, placement_values
from tests.outcomes import outcome_of
from tests.shared import for_each

pytestmark = pytest.mark.filterwarnings("ignore:confidence limits by method=")


def data(seed=0, n_clusters=20, size=6):
    random = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(n_clusters), random.integers(1, 2 * size, n_clusters))
    own = random.normal(size=n_clusters)[clusters]
    y = (random.random(len(own)) < 0.4).astype(int)
    a, b = ((own + y + random.normal(size=len(own))).round(1) for _ in range(2))
    return y, a, b, clusters


def components(y, scores, clusters):
    """The sums of Obuchowski's (1997) components, minus their mean, by cluster: those of positives
    and of negatives.
    """
    positive, negative = scores[y == 1], scores[y == 0]
    wins = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    each = (
        (wins.mean(1) - wins.mean(), clusters[y == 1]),
        (wins.mean(0) - wins.mean(), clusters[y == 0]),
    )
    return [[part[of == k].sum() / len(part) for k in np.unique(clusters)] for part, of in each]


def covariance(y, clusters, one, other):
    """Her S10 / M + S01 / N + 2 S11 / (M N), of one area or of two."""
    numbers = [len(np.unique(of)) for of in (clusters[y == 1], clusters[y == 0], clusters)]
    ten, nought, all_ = (n / (n - 1) for n in numbers)
    (x1, y1), (x2, y2) = np.array(one), np.array(other)
    return ten * x1 @ x2 + nought * y1 @ y2 + all_ * (x1 @ y2 + x2 @ y1)


@pytest.mark.filterwarnings("ignore:too few clusters")
@pytest.mark.parametrize("seed", range(4))
def test_the_variances_are_those_of_obuchowski(seed):
    y, a, b, clusters = data(seed)
    curves = {
        name: ThresholdCurve.from_scores(y, scores, clusters=clusters)
        for name, scores in (("a", a), ("b", b))
    }
    of_a, of_b = (components(y, scores, clusters) for scores in (a, b))
    variance = covariance(y, clusters, of_a, of_a)
    interval = curves["a"].interval("roc_auc", method="delong")
    np.testing.assert_allclose(
        interval.high - interval.value, stats.norm.isf(0.025) * np.sqrt(variance), rtol=1e-9
    )
    assert interval.method == "DeLong of 20 clusters"
    of_difference = (
        variance + covariance(y, clusters, of_b, of_b) - 2 * covariance(y, clusters, of_a, of_b)
    )
    row = compare_curves(curves).rows[0]
    # Limits are no nearer than these, and the p-value inverts them.
    error = np.sqrt(of_difference)
    by_delong = 2 * stats.norm.sf(abs(row.difference) / error)
    assert by_delong * (1 - 1e-9) <= row.p_value <= by_delong + 0.1
    assert row.high - row.difference >= stats.norm.isf(0.025) * error * (1 - 1e-9)
    (named,) = outcome_of(compare_curves, curves, method="delong")[0].rows
    assert named.p_value == pytest.approx(by_delong, rel=1e-9)


def precision_at(y, scores, weights, prevalence):
    """The average precision where the positives have such a share of the weight."""
    if prevalence is not None:
        totals = np.bincount(y, weights)
        weights = weights * (np.array([1 - prevalence, prevalence]) / totals)[y]
    levels = np.unique(-scores, return_inverse=True)[1]
    right, of_all = np.bincount(levels, weights * y), np.bincount(levels, weights)
    return (right * right.cumsum() / of_all.cumsum()).sum() / right.sum()


def slopes_of_precision(y, scores, weights, prevalence):
    """The derivative by the logarithm of each sample's weight."""
    expected = average_precision_score(y, scores, sample_weight=weights)
    assert precision_at(y, scores, weights, None) == pytest.approx(expected, rel=1e-12)
    step, slopes = 1e-6, []
    for k in range(len(y)):
        own = 1 + step * (np.arange(len(y)) == k)
        higher, lower = (precision_at(y, scores, weights * of, prevalence) for of in (own, 1 / own))
        slopes.append((higher - lower) / (2 * step))
    return np.array(slopes)


@pytest.mark.parametrize(("weighted", "prevalence"), [(False, 0.2), (True, 0.6)])
def test_average_precision_at_a_prevalence_has_the_derivatives_within_the_classes(
    weighted, prevalence
):
    """Where the prevalence is given, a sample counts at the cost of others of its class."""
    random = np.random.default_rng(4)
    y = np.repeat([0, 1], [170, 130])
    scores = y + random.normal(size=300)
    weights = random.lognormal(sigma=0.3, size=300) if weighted else np.ones(300)
    slopes = slopes_of_precision(y, scores, weights, prevalence)
    of_classes = [slopes[y == of] for of in (0, 1)]
    sizes = [weights[y == of].sum() ** 2 / (weights[y == of] ** 2).sum() for of in (0, 1)]
    rarer = min(sizes)
    error = np.sqrt((slopes**2).sum() * rarer / (rarer - 1))
    deciding = [(of**2).sum() ** 2 / (of**4).sum() for of in of_classes]
    half = stats.t.isf(0.025, min(rarer - 1, 2 * min(deciding))) * error
    value = precision_at(y, scores, weights, prevalence)
    curve = ThresholdCurve.from_scores(y, scores, sample_weight=weights if weighted else None)
    interval = curve.at_prevalence(prevalence).interval("average_precision")
    logits = special.logit(value) + np.array([-half, half]) / (value * (1 - value))
    assert interval.value == pytest.approx(value, rel=1e-12)
    assert (interval.low, interval.high) == pytest.approx(tuple(special.expit(logits)), rel=1e-5)


@pytest.mark.parametrize("in_clusters", [False, True])
@for_each("by", ["prevalence", "weights"])
def test_negative_samples_that_count_as_many_positive_ones_are_a_caveat(in_clusters, by):
    y, scores = np.tile([0, 1], 60), np.arange(120) % 7
    clusters = np.arange(120) // 4 if in_clusters else None
    most = 3 if in_clusters else 5
    for times in (0.2, most, most * 1.01):
        if by == "weights":
            weights = np.where(y == 1, 1.0, times)
            curve = ThresholdCurve.from_scores(y, scores, clusters=clusters, sample_weight=weights)
        else:
            curve = ThresholdCurve.from_scores(y, scores, clusters=clusters).at_prevalence(
                1 / (1 + times)
            )
        interval, _ = outcome_of(curve.interval, "average_precision")
        codes = [caveat.code for caveat in interval.caveats]
        assert codes == ["outweighed"] * (times > most)


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_average_precision_has_the_derivatives_of_the_weights(prevalence):
    y, a, _, clusters = data(1)
    weights = np.ones(len(y))
    value = precision_at(y, a, weights, prevalence)
    slopes = slopes_of_precision(y, a, weights, prevalence)
    sums = [
        [np.sum(slopes[(clusters == k) & (y == of)]) for k in np.unique(clusters)] for of in (1, 0)
    ]
    error = np.sqrt(covariance(y, clusters, sums, sums))
    sizes = [np.bincount(clusters[y == k]) for k in (0, 1)]
    freedom = min(of.sum() ** 2 / (of**2).sum() for of in sizes) - 1
    half = stats.t.isf(0.025, freedom) * error / (value * (1 - value))
    curve = ThresholdCurve.from_scores(y, a, clusters=clusters)
    if prevalence is not None:
        curve = curve.at_prevalence(prevalence)
    interval = outcome_of(curve.interval, "average_precision")[0]
    expected = special.expit(special.logit(value) + np.array([-half, half]))
    np.testing.assert_allclose((interval.low, interval.high), expected, rtol=1e-5)


def test_clusters_of_one_sample_are_none():
    y, a, b, _ = data()
    for weights, tolerance in ((None, 1e-9), (np.random.default_rng(0).random(len(y)), 0.03)):
        alone, of_one = (
            {
                "a": ThresholdCurve.from_scores(y, a, sample_weight=weights, clusters=of),
                "b": ThresholdCurve.from_scores(y, b, sample_weight=weights, clusters=of),
            }
            for of in (None, np.arange(len(y)))
        )
        expected, found = (of["a"].interval("roc_auc") for of in (alone, of_one))
        assert found.method == expected.method
        np.testing.assert_allclose(
            (found.low, found.high), (expected.low, expected.high), rtol=tolerance
        )
        expected, found = (compare_curves(of).rows[0][5:9] for of in (alone, of_one))
        np.testing.assert_allclose(found, expected, rtol=tolerance)


@pytest.mark.parametrize("weights", [None, "frequency"])
def test_samples_that_occur_twice_are_as_sure_as_once_where_that_is_said(weights):
    y, a, _, _ = data()
    n, own = len(y), np.arange(len(y))
    once = ThresholdCurve.from_scores(y, a).interval("roc_auc", method="delong-logit")
    if weights is None:
        twice = ThresholdCurve.from_scores(np.tile(y, 2), np.tile(a, 2), clusters=np.tile(own, 2))
    else:
        twice = ThresholdCurve.from_scores(
            y, a, sample_weight=np.full(n, 2), frequency_weights=True, clusters=own
        )
    found = twice.interval("roc_auc", method="delong-logit")
    np.testing.assert_allclose((found.low, found.high), (once.low, once.high), rtol=1e-9)
    assert found.n == 2 * n


def test_samples_that_occur_twice_are_as_many_for_newcombes_limits():
    y, a, _, _ = data()
    positive, clusters = np.tile(y == 1, 2), np.tile(np.arange(len(y)), 2)
    ranked = RankedSamples(positive, np.ones(2 * len(y)), clusters)
    influence = ranked.influence_of(placement_values(np.tile(a, 2), *ranked[:2]))
    found = ranked.area_of(ThresholdCurve.from_scores(y, a).roc_auc(), influence)
    assert (found.n_positive, found.n_negative) == pytest.approx(
        (y.sum(), len(y) - y.sum()), rel=0.02
    )


def test_a_perfect_area_is_as_sure_as_there_are_clusters():
    y, clusters = np.tile([0, 1], 100), np.repeat(np.arange(20), 10)
    scores = y / 2
    found, of_20 = (
        ThresholdCurve.from_scores(*of).interval("roc_auc")
        for of in ((y, scores), (y[:40], scores[:40]))
    )
    of_clusters = ThresholdCurve.from_scores(y, scores, clusters=clusters).interval("roc_auc")
    assert (of_clusters.low, of_clusters.high) == pytest.approx((of_20.low, 1))
    assert found.low > of_20.low


@pytest.mark.filterwarnings("ignore:too few clusters", "ignore:the effective number of clusters")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("perfect", [1, 0])
def test_a_perfect_area_of_fewer_than_two_effective_clusters_has_limits(weighted, perfect):
    clusters = np.append(np.zeros(100, dtype=int), [1, 2])
    y = np.arange(102) % 2
    weights = np.random.default_rng(0).random(102) + 0.1 if weighted else None
    scores = y if perfect else -y
    curves = [
        ThresholdCurve.from_scores(
            y, scores + np.arange(102) / 1000, clusters=clusters, sample_weight=weights
        )
        for _ in range(2)
    ]
    interval = curves[0].interval("roc_auc")
    masses = np.ones(102) if weights is None else weights
    of_clusters = [np.bincount(clusters, masses * (y == side)) for side in (0, 1)]
    n = min(of.sum() ** 2 / (of**2).sum() for of in of_clusters)
    assert n < 2
    # The limit of as many hits by mid-P.
    lowest = 0.05 ** (1 / n)
    expected = (lowest, 1) if perfect else (0, 1 - lowest)
    assert interval.value == perfect
    assert (interval.low, interval.high) == pytest.approx(expected)
    compared, _ = outcome_of(compare_curves, {"a": curves[0], "b": curves[1]})
    assert [row.p_value for row in compared.rows] == [1]


def test_groups_and_classes_keep_the_clusters():
    y, a, _, clusters = data(2, n_clusters=40)
    by = clusters % 2
    of_group = ThresholdCurves.from_scores(y, a, by=by, clusters=clusters)
    alone = ThresholdCurve.from_scores(y[by == 1], a[by == 1], clusters=clusters[by == 1])
    assert repr(of_group[1].interval("roc_auc")) == repr(alone.interval("roc_auc"))
    both = ThresholdCurve.from_scores(y, a, clusters=clusters).interval("roc_auc")
    assert of_group.sum("group").interval("roc_auc").low == pytest.approx(both.low)
    columns = np.column_stack([-a, a])
    assert ThresholdCurves.from_scores(y, columns, clusters=clusters)[1].interval(
        "roc_auc"
    ).high == pytest.approx(both.high)


def test_few_clusters_of_a_class_warn_and_one_is_refused():
    y, clusters = np.repeat([0, 1], [60, 20]), np.arange(80) // 2
    with pytest.warns(
        UserWarning, match="too few clusters with positive samples, 10,.*87 % of 95 %"
    ):
        ThresholdCurve.from_scores(y, np.arange(80) % 7, clusters=clusters).interval("roc_auc")
    alone = ThresholdCurve.from_scores(y, np.arange(80) % 7, clusters=np.where(y, 0, clusters))
    compared = {"a": alone, "b": alone}
    for call in (
        lambda: alone.interval("roc_auc"),
        lambda: alone.interval("average_precision"),
        lambda: compare_curves(compared),
    ):
        with pytest.raises(ValueError, match="positive samples"):
            call()


def test_a_cluster_that_holds_most_samples_warns():
    y, clusters = np.tile([0, 1], 60), np.maximum(np.arange(120) // 2 - 30, 0)
    with pytest.warns(UserWarning, match="number of clusters"):
        ThresholdCurve.from_scores(y, np.arange(120) % 7, clusters=clusters).interval("roc_auc")


def test_errors():
    y, a, _, clusters = data()
    curve = ThresholdCurve.from_scores(y, a, clusters=clusters)
    with pytest.raises(ValueError, match="based on different samples"):
        compare_curves({"a": curve, "b": ThresholdCurve.from_scores(y, a)})
    with pytest.raises(ValueError, match="one group"):
        ThresholdCurve.from_scores(y, a, clusters=clusters[1:])


def test_frequency_weights_are_repeated_rows():
    random = np.random.default_rng(1)
    y, clusters, times = (
        random.integers(0, 2, 200),
        random.integers(0, 30, 200),
        random.integers(1, 4, 200),
    )
    scores = random.integers(0, 12, 200) + 3 * y
    weighted = ThresholdCurve.from_scores(
        y, scores, sample_weight=times, frequency_weights=True, clusters=clusters
    )
    repeated = ThresholdCurve.from_scores(
        *(np.repeat(of, times) for of in (y, scores)), clusters=np.repeat(clusters, times)
    )
    for name in ("roc_auc", "average_precision"):
        found, expected = weighted.interval(name), repeated.interval(name)
        assert [found.low, found.high] == pytest.approx([expected.low, expected.high])
