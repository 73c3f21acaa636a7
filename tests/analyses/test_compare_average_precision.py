"""compare_curves of average precision: Zou's limits written out with scikit-learn's derivatives."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from skmetrics_ext import ThresholdCurve, ThresholdCurves, compare_curves
from skmetrics_ext.statistics.pairs.mcnemar_and_tango import tango
from tests.outcomes import outcome_of

METRIC = "average_precision"
IGNORED = pytest.mark.filterwarnings("ignore::skmetrics_ext.UnreliableIntervalWarning")


def data(n=240, seed=0, step=0.25, share=0.4):
    random = np.random.default_rng(seed)
    y = (random.random(n) < share).astype(int)
    common = random.normal(size=n)
    a, b = (
        np.round((y * shift + common + random.normal(size=n)) / step) * step for shift in (1.5, 1.0)
    )
    return y, a, b


def curves_of(y, a, b, prevalence=None, **options):
    curves = {
        name: ThresholdCurve.from_scores(y, of, **options) for name, of in (("a", a), ("b", b))
    }
    if prevalence is None:
        return curves
    return {name: curve.at_prevalence(prevalence) for name, curve in curves.items()}


def compared(curves, **options):
    """The row, and the values that it has in common with others."""
    found, _ = outcome_of(compare_curves, curves, METRIC, **options)
    (row,) = found.rows
    return row, (row.difference, row.low, row.high)


def precision_at(y, scores, weights, prevalence):
    """scikit-learn's average precision where the positives have such a share of the weight."""
    if prevalence is not None:
        weights = weights * (np.array([1 - prevalence, prevalence]) / np.bincount(y, weights))[y]
    return average_precision_score(y, scores, sample_weight=weights)


def precisions(y, scores, weights, prevalence=None):
    """scikit-learn's average precision written out, for many weights (n, n_samples) at once."""
    if prevalence is not None:
        totals = np.stack([(weights * (y == of)).sum(1) for of in (0, 1)], 1)
        weights = weights * (np.array([1 - prevalence, prevalence]) / totals)[:, y]
    at_least = (scores[:, None] >= scores).astype(float)
    with np.errstate(invalid="ignore"):
        precision = ((weights * y) @ at_least) / (weights @ at_least)
    return np.nansum(weights * y * precision, 1) / (weights * y).sum(1)


def slopes(y, scores, weights, prevalence):
    """The derivative by the logarithm of each sample's weight."""
    step = 1e-5
    factors = 1 + step * np.eye(len(y))
    higher, lower = (
        precisions(y, scores, weights * of, prevalence) for of in (factors, 1 / factors)
    )
    (value,) = precisions(y, scores, weights[None], prevalence)
    assert value == pytest.approx(precision_at(y, scores, weights, prevalence))
    return (higher - lower) / (2 * step)


def covariance(y, units, sizes, one, other):
    """Of sums over units: clusters as Obuchowski (1997) has them, or samples."""
    sums = [
        [np.bincount(units, np.where(y == of, influence, 0)) for of in (1, 0)]
        for influence in (one, other)
    ]
    (p, n), (q, m) = sums
    factors = [size / (size - 1) for size in sizes]
    n_units = len(np.unique(units))
    return p @ q * factors[0] + n @ m * factors[1] + (p @ m + n @ q) * n_units / (n_units - 1)


def by_zou(values, limits, correlation):
    """Zou's (2007) limits of a difference, his equations."""
    (a, b), ((low_a, high_a), (low_b, high_b)) = values, limits
    twice = 2 * correlation
    below = (a - low_a) ** 2 + (high_b - b) ** 2 - twice * (a - low_a) * (high_b - b)
    above = (high_a - a) ** 2 + (b - low_b) ** 2 - twice * (high_a - a) * (b - low_b)
    return a - b - np.sqrt(below), a - b + np.sqrt(above)


@pytest.mark.parametrize(
    ("step", "in_clusters", "weighted", "prevalence"),
    [
        (0.01, False, False, None),
        (1, False, False, None),
        (0.25, True, False, None),
        (0.25, False, True, None),
        (0.25, False, False, 0.2),
        (0.25, True, True, 0.3),
    ],
)
def test_limits_are_zous_of_both_intervals_and_the_correlation_of_scikit_learns_derivatives(
    step, in_clusters, weighted, prevalence
):
    y, a, b = data(step=step)
    random = np.random.default_rng(1)
    weights = random.lognormal(sigma=0.3, size=len(y)) if weighted else np.ones(len(y))
    units = np.arange(len(y)) // 3 if in_clusters else np.arange(len(y))
    curves = curves_of(
        y,
        a,
        b,
        prevalence,
        sample_weight=weights if weighted else None,
        clusters=units if in_clusters else None,
    )
    row, (difference, low, high) = compared(curves)
    values = [precision_at(y, of, weights, prevalence) for of in (a, b)]
    assert (difference, row.metric, row.method) == (
        pytest.approx(values[0] - values[1], abs=1e-12),
        METRIC,
        "Zou, inverted",
    )
    if in_clusters:
        sizes = [len(np.unique(units[y == of])) for of in (1, 0)]
    else:
        sizes = [weights[y == of].sum() ** 2 / (weights[y == of] ** 2).sum() for of in (1, 0)]
    of_a, of_b = (slopes(y, of, weights, prevalence) for of in (a, b))
    of_both = covariance(y, units, sizes, of_a, of_b)
    spreads = [covariance(y, units, sizes, of, of) for of in (of_a, of_b)]
    intervals = [outcome_of(curve.interval, METRIC)[0] for curve in curves.values()]
    limits = [(interval.low, interval.high) for interval in intervals]
    expected = by_zou(values, limits, of_both / np.sqrt(np.prod(spreads)))
    assert (low, high) == pytest.approx(expected, abs=1e-5)
    # The p-value is the level at which they exclude equality.
    at_p, (_, low, high) = compared(curves, confidence_level=1 - row.p_value)
    assert min(abs(low), abs(high)) == pytest.approx(0, abs=1e-9)
    assert at_p.p_value == row.p_value


def test_limits_of_many_samples_are_as_wide_as_resampled_differences_spread():
    y, a, b = data(600, share=0.3)
    _, (_, low, high) = compared(curves_of(y, a, b))
    drawn = np.random.default_rng(0).multinomial(600, np.full(600, 1 / 600), 300)
    differences = precisions(y, a, drawn) - precisions(y, b, drawn)
    assert high - low == pytest.approx(2 * 1.96 * np.std(differences), rel=0.1)


@pytest.mark.parametrize("seed", range(3))
def test_limits_are_nested_and_agree_with_the_p_value(seed):
    y, a, b = data(60, seed, share=0.3)
    curves = curves_of(y, a + 3 * y * (seed == 2), b)
    levels = (0.5, 0.8, 0.95, 0.99, 0.995, 0.999, 0.9999, 0.999999)
    found = [compared(curves, confidence_level=level) for level in levels]
    _, low, high = np.transpose([numbers for _, numbers in found])
    assert (np.diff(low) <= 0).all()
    assert (np.diff(high) >= 0).all()
    for row, (_, low, high) in found:
        assert (low <= 0 <= high) == (row.p_value >= 1 - row.confidence_level)


def test_either_curve_may_be_first_and_entries_say_the_same_among_others():
    y, a, b = data()
    curves = curves_of(y, a, b)
    row, (difference, low, high) = compared(curves)
    other, numbers = compared({"b": curves["b"], "a": curves["a"]})
    assert numbers == pytest.approx((-difference, -high, -low))
    assert other.p_value == pytest.approx(row.p_value)
    among = compare_curves(curves | {"c": curves_of(y, -a, b)["a"]}, METRIC, correction=None)
    assert among.rows[0].p_value == row.p_value


def test_other_doors_to_the_same_samples():
    y, a, b = data()
    _, plain = compared(curves_of(y, a, b))
    times = np.random.default_rng(0).integers(1, 4, len(y))
    _, counted = compared(curves_of(y, a, b, sample_weight=times, frequency_weights=True))
    _, repeated = compared(curves_of(*(np.repeat(of, times) for of in (y, a, b))))
    assert counted == pytest.approx(repeated, rel=1e-9)
    _, equal = compared(curves_of(y, a, b, sample_weight=np.full(len(y), 0.1)))
    assert equal == pytest.approx(plain, rel=1e-9)
    _, alone = compared(curves_of(y, a, b, clusters=np.arange(len(y))))
    assert alone == pytest.approx(plain, rel=1e-9)
    _, (difference, *_) = compared(curves_of(y, a, b, prevalence=y.mean()))
    assert difference == pytest.approx(plain[0])


def test_classes_of_several_are_compared_one_against_the_rest():
    random = np.random.default_rng(0)
    y = random.integers(0, 3, 240)
    shares = [random.dirichlet(np.ones(3), 240) for _ in range(2)]
    first, second = (ThresholdCurves.from_scores(y, of) for of in shares)
    row, numbers = compared({"a": first[1], "b": second[1]})
    expected = [average_precision_score(y == 1, of[:, 1]) for of in shares]
    assert row.difference == pytest.approx(expected[0] - expected[1])
    of_one = curves_of((y == 1).astype(int), *(of[:, 1] for of in shares))
    assert compared(of_one)[1] == pytest.approx(numbers)


@pytest.mark.parametrize(
    ("n_positive", "codes"), [(20, []), (19, ["few_samples"]), (2, ["few_samples"] * 2)]
)
def test_caveats_of_few_samples_and_of_few_that_decide(n_positive, codes):
    random = np.random.default_rng(0)
    y = np.repeat([1, 0], [n_positive, 300])
    row, _ = compared(curves_of(y, *random.normal(size=(2, len(y)))))
    assert [caveat.code for caveat in row.caveats] == codes


def test_few_that_decide_are_a_caveat_whatever_their_number():
    """Of two models that differ in two positive samples alone."""
    y, a = np.repeat([1, 0], [100, 300]), np.random.default_rng(0).random(400)
    b = a.copy()
    b[[0, 1]] += 0.9
    row, _ = compared(curves_of(y, a, b))
    assert [caveat.code for caveat in row.caveats] == ["few_samples"]


def test_few_clusters_are_a_caveat_once():
    y, a, b = data(90)
    row, _ = compared(curves_of(y, a, b, clusters=np.arange(90) // 9))
    assert {caveat.code for caveat in row.caveats} == {"few_clusters", "few_samples"}
    texts = [caveat.text for caveat in row.caveats]
    assert len({*texts}) == len(texts)


@IGNORED
def test_without_variance_limits_are_those_of_proportions():
    y = np.repeat([1, 0], [30, 50])
    scores = np.random.default_rng(0).random(80)
    row, numbers = compared(curves_of(y, scores, 2 * scores))
    assert (row.method, row.p_value, row.caveats) == ("Tango", 1, ())
    assert numbers == pytest.approx((0, *tango(0, 0, 30, 0.05)))
    # Both perfect, and one of them.
    for worse in (y + scores / 2, scores):
        row, (difference, low, high) = compared(curves_of(y, y + scores / 3, worse))
        assert low < difference < high or high == difference == 1


@pytest.mark.parametrize(
    ("y", "clusters", "message"),
    [
        ([1, 0, 0, 0], None, "two samples of each class"),
        ([1, 1, 1, 0], None, "two samples of each class"),
        ([1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 2], "two clusters with each"),
        ([1, 1, 1], None, "needs positive and negative samples"),
    ],
)
def test_too_few_are_refused(y, clusters, message):
    scores = np.arange(len(y)) % 3
    with pytest.raises(ValueError, match=message):
        compare_curves(curves_of(y, scores, -scores, clusters=clusters, pos_label=1), METRIC)


def test_what_does_not_apply_is_refused():
    curves = curves_of(*data())
    at_another = {"a": curves["a"], "b": curves["b"].at_prevalence(0.1)}
    for of, options, message in (
        (curves, {"method": "delong"}, "method must be one of"),
        (curves, {"method": "bootstrap"}, "method must be one of"),
        (curves, {"subject_to": {"recall": 0.9}}, "an area does not have"),
        (at_another, {}, "at one prevalence"),
    ):
        with pytest.raises(ValueError, match=message):
            compare_curves(of, METRIC, **options)
    by_name = compare_curves(curves, "Average_Precision", method="zou")
    assert by_name == compare_curves(curves, METRIC)
