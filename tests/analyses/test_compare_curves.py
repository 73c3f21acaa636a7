"""compare_curves: DeLong's covariances written out, rank sums, invariances, edges, errors."""

import re

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

from skmetrics_ext import ThresholdCurve, ThresholdCurves, compare_curves
from skmetrics_ext.statistics.areas.delong import Area
from skmetrics_ext.statistics.areas.zou_yue import difference_of_areas
from skmetrics_ext.statistics.pairs.mcnemar_and_tango import mid_p_value, tango


def data(n=60, seed=0, step=0.25):
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, n)
    common = random.normal(size=n)
    a, b = (
        np.round((y * shift + common + random.normal(size=n)) / step) * step for shift in (1.5, 1.0)
    )
    return y, a, b


def row_of(y, a, b, **options):
    weight = options.pop("sample_weight", None)
    curves = {
        name: ThresholdCurve.from_scores(y, scores, sample_weight=weight)
        for name, scores in (("a", a), ("b", b))
    }
    (row,) = compare_curves(curves, **options).rows
    return row


def written_out(y, a, b):
    """DeLong's (1988) variance of a difference by all pairs of samples: structural components, S10,
    S01, L S L'.
    """
    kernel = [
        (scores[y == 1][:, None] > scores[y == 0])
        + 0.5 * (scores[y == 1][:, None] == scores[y == 0])
        for scores in (a, b)
    ]
    positive, negative = np.cov([k.mean(1) for k in kernel]), np.cov([k.mean(0) for k in kernel])
    covariance = positive / (y == 1).sum() + negative / (y == 0).sum()
    contrast = np.array([1, -1])
    return kernel[0].mean() - kernel[1].mean(), contrast @ covariance @ contrast


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("step", [0.01, 0.25, 2])
@pytest.mark.parametrize("n", [20, 60, 300])
def test_delong_written_out(seed, step, n):
    y, a, b = data(n, seed=seed, step=step)
    difference, variance = written_out(y, a, b)
    row = row_of(y, a, b, confidence_level=0.9)
    assert row.difference == pytest.approx(difference, abs=1e-12)
    t = stats.t(degrees(y, a, b))
    by_delong = 2 * t.sf(abs(difference) / np.sqrt(variance))
    areas = np.array([roc_auc_score(y, a), roc_auc_score(y, b)])
    n_misranked = min((y == 1).sum(), (y == 0).sum()) * np.minimum(areas, 1 - areas).min()
    is_inverted = n < 200 and (correlation(y, a, b, variance) > 0.7 or n_misranked < 2)
    if is_inverted:
        # The level at which the limits exclude equality: no less than by DeLong's alone.
        assert by_delong * (1 - 1e-9) <= row.p_value
        if row.p_value < 0.5:
            wider = row_of(y, a, b, confidence_level=1 - row.p_value)
            assert min(abs(wider.low), abs(wider.high)) == pytest.approx(0, abs=1e-9)
    else:
        assert row.p_value == pytest.approx(by_delong, rel=1e-9)
    half = t.isf(0.05) * np.sqrt(variance)
    expected = difference - half, difference + half
    assert (row.value_a, row.value_b) == pytest.approx((roc_auc_score(y, a), roc_auc_score(y, b)))
    if n < 200:
        added = squares_added(y, a, b, variance)
        low, high = min(expected[0], added[0]), max(expected[1], added[1])
        # The test alone decides about equality.
        if row.p_value < 0.1:
            low, high = (low, min(high, -5e-324)) if difference < 0 else (max(low, 5e-324), high)
        expected = low, high
    np.testing.assert_allclose((row.low, row.high), expected, rtol=1e-9)
    method = "paired DeLong"
    if n < 200:
        wider = "the wider of paired DeLong and Zou"
        method = f"{wider}, inverted" if is_inverted else f"DeLong, {wider}"
    assert (row.metric, row.method) == ("roc_auc", method)


def degrees(y, a, b):
    """Of freedom: of the rarer class, or twice the number of samples of equal influence."""
    first, second = (np.sign(scores[y == 1][:, None] - scores[y == 0]) / 2 for scores in (a, b))
    numbers = []
    for axis in (0, 1):
        moves = (first - second).mean(axis)
        squares = (moves - moves.mean()) ** 2
        numbers.append(squares.sum() ** 2 / (squares**2).sum())
    return min((y == 1).sum() - 1, (y == 0).sum() - 1, *(2 * number for number in numbers))


def correlation(y, a, b, of_difference):
    """Of both areas."""
    of_a, of_b = (written_out(y, scores, np.zeros(len(y)))[1] for scores in (a, b))
    return (of_a + of_b - of_difference) / np.sqrt(of_a * of_b) / 2


def squares_added(y, a, b, of_difference):
    """Zou's (2007) limits of the difference from those of each area at 90 % and the correlation of
    both.
    """
    first, second = (
        ThresholdCurve.from_scores(y, scores).interval("roc_auc", confidence_level=0.9)
        for scores in (a, b)
    )
    of_a, of_b = (written_out(y, scores, np.zeros(len(y)))[1] for scores in (a, b))
    twice = (of_a + of_b - of_difference) / np.sqrt(of_a * of_b)
    difference = first.value - second.value
    gaps = (
        (first.value - first.low, second.high - second.value),
        (first.high - first.value, second.value - second.low),
    )
    below, above = (np.sqrt(one**2 + other**2 - twice * one * other) for one, other in gaps)
    return difference - below, difference + above


def test_limits_are_near_those_of_resampled_samples():
    y, a, b = data(400, 3)
    row = row_of(y, a, b)
    drawn = np.random.default_rng(0).multinomial(400, np.full(400, 1 / 400), 1_000)
    positive, negative = drawn[:, y == 1], drawn[:, y == 0]
    # How much more often a positive sample is above a negative one by a than by b; ties count half.
    above = sum(
        sign * (np.sign(scores[y == 1][:, None] - scores[y == 0]) + 1) / 2
        for sign, scores in ((1, a), (-1, b))
    )
    pairs = positive.sum(1) * negative.sum(1)
    differences = ((positive @ above) * negative).sum(1) / pairs
    np.testing.assert_allclose(
        row.high - row.low, 2 * stats.norm.isf(0.025) * np.std(differences), rtol=0.1
    )


def test_against_a_constant_score_it_is_the_variance_of_one_area():
    y, a, _ = data(400)
    interval = ThresholdCurve.from_scores(y, a).interval("roc_auc", method="delong")
    row = row_of(y, a, np.zeros(len(y)))
    factor = stats.t.isf(0.025, degrees(y, a, np.zeros(400))) / stats.norm.isf(0.025)
    half = factor * (interval.high - interval.value)
    np.testing.assert_allclose(
        (row.low, row.high), (row.difference - half, row.difference + half), rtol=1e-9
    )


@pytest.mark.parametrize("scale", [1, 1e-100, 1e98])
def test_equal_weights_are_none(scale):
    y, a, b = data()
    np.testing.assert_allclose(
        row_of(y, a, b, sample_weight=np.full(60, scale))[3:9], row_of(y, a, b)[3:9], rtol=1e-9
    )


def test_samples_of_weight_0_do_not_count():
    y, a, b = data()
    weights = np.random.default_rng(0).integers(0, 3, 60).astype(float)
    kept = weights > 0
    assert row_of(y, a, b, sample_weight=weights) == row_of(
        y[kept], a[kept], b[kept], sample_weight=weights[kept]
    )


def test_weights_are_those_of_a_design():
    y, a, b = data(4_000, step=0.01)
    random = np.random.default_rng(1)
    kept = random.random(4_000) < np.where(a > 0, 0.8, 0.2)
    weights = 1 / np.where(a > 0, 0.8, 0.2)[kept]
    weighted, all_samples = (
        row_of(y[kept], a[kept], b[kept], sample_weight=weights),
        row_of(y, a, b),
    )
    assert weighted.difference == pytest.approx(
        all_samples.difference, abs=3 * (all_samples.high - all_samples.low) / 4
    )
    assert weighted.high - weighted.low > all_samples.high - all_samples.low


def test_either_curve_may_be_first():
    y, a, b = data()
    one, other = row_of(y, a, b), row_of(y, b, a)
    np.testing.assert_allclose(
        (other.difference, other.low, other.high), (-one.difference, -one.high, -one.low)
    )
    assert other.p_value == pytest.approx(one.p_value)


@pytest.mark.parametrize(
    ("a", "b", "more"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], 0),
        ([1, 2, 3, 4], [0, 0, 0, 0], 1),
        ([1, 2, 3, 4], [4, 3, 2, 1], 2),
    ],
)
def test_differences_without_variance_are_those_of_proportions(a, b, more):
    y = [0, 0, 1, 1]
    row = row_of(y, a, b)
    np.testing.assert_allclose((row.low, row.high), tango(more, 0, 2, 0.05))
    assert row.p_value == mid_p_value(more, 0)
    assert row.low < row.difference < row.high or row.high == row.difference == 1
    mirrored = row_of(y, b, a)
    np.testing.assert_allclose((mirrored.low, mirrored.high), (-row.high, -row.low), atol=1e-9)


@pytest.mark.parametrize("y", [[0, 0, 0, 1, 1], [0, 0, 1, 1, 1]])
def test_a_curve_and_itself_are_as_sure_as_the_rarer_class_is_large(y):
    row = row_of(y, range(5), range(5))
    np.testing.assert_allclose((row.low, row.high), tango(0, 0, 2, 0.05))


@pytest.mark.parametrize("n_positive", [1, 2])
def test_few_positives(n_positive):
    y = np.arange(30) < n_positive
    random = np.random.default_rng(0)
    row = row_of(y, *random.normal(size=(2, 30)))
    assert -1 <= row.low <= row.difference <= row.high <= 1
    assert row.high - row.low > 0.5
    assert 0 < row.p_value <= 1
    expected = "Tango" if n_positive == 1 else "the wider of paired DeLong and Zou, inverted"
    assert row.method == expected


@pytest.mark.parametrize("nearly_perfect", ["a", "b"])
def test_limits_of_many_samples_are_of_both_areas_where_one_is_near_1(nearly_perfect):
    y, near, far = data(400)
    near = near + 6 * y
    row = row_of(y, *((near, far) if nearly_perfect == "a" else (far, near)))
    assert max(row.value_a, row.value_b) > 0.995
    assert row.method == "the wider of paired DeLong and Zou, inverted"


@pytest.mark.parametrize("seed", range(4))
def test_a_perfect_curve_is_not_sure_whatever_the_rounding_of_weights_leaves(seed):
    y, _, b = data()
    weights = np.random.default_rng(seed).random(60)
    perfect, other = (
        ThresholdCurve.from_scores(y, scores, sample_weight=weights) for scores in (y + b / 100, b)
    )
    (row,) = compare_curves({"a": perfect, "b": other}).rows
    first, second = perfect.interval("roc_auc"), other.interval("roc_auc")
    # The correlation with a constant is 0.
    assert (row.value_a, first.value) == (1, pytest.approx(1))
    assert isinstance(row.value_a, float)
    assert row.low <= row.difference - np.hypot(1 - first.low, second.high - second.value) + 1e-12
    assert row.low >= row.difference - (1 - first.low) - (second.high - second.value)


def test_a_curve_and_itself_are_as_sure_as_weights_let_them_be():
    weights = np.where(np.arange(40) % 20 == 0, 1, 1e-9)
    row = row_of(np.repeat([0, 1], 20), range(40), range(40), sample_weight=weights)
    np.testing.assert_allclose((row.low, row.high), tango(0, 0, 1, 0.05))


def test_pairs_margins_and_corrections():
    y, a, b = data()
    curves = {
        name: ThresholdCurve.from_scores(y, scores)
        for name, scores in (("a", a), ("b", b), ("c", -a))
    }
    found = compare_curves(curves, baseline="b", margin=0.2, correction="bonferroni")
    assert [(row.a, row.b) for row in found.rows] == [("a", "b"), ("c", "b")]
    assert [row.not_worse for row in found.rows] == [True, False]
    assert [row.p_adjusted for row in found.rows] == [min(2 * row.p_value, 1) for row in found.rows]
    assert [row.confidence_level for row in found.rows] == [0.975, 0.975]
    options = {"baseline": "b", "correction": "bonferroni"}
    *_, one_sided = compare_curves(curves, **options).rows
    assert one_sided.low < 0
    for factor, is_within in ((1.01, True), (0.99, False)):
        *_, row = compare_curves(curves, **options, margin=-one_sided.low * factor).rows
        assert row.not_worse is is_within


@pytest.mark.parametrize("margin", [0.01, 0.05, 0.2])
def test_p_values_of_a_margin_are_those_of_the_distance_in_standard_errors(margin):
    y, a, b = data(600)
    difference, variance = written_out(y, a, b)
    row = row_of(y, b, a, margin=margin)
    assert row.method == "paired DeLong"
    t, error = stats.t(degrees(y, a, b)), np.sqrt(variance)
    one, other = t.sf((margin - difference) / error), t.sf((margin + difference) / error)
    assert (row.p_not_worse, row.p_equivalent) == pytest.approx((one, max(one, other)), rel=1e-9)


@pytest.mark.parametrize(("n", "level"), [(6, 0.6), (20, 0.99)])
def test_margins_are_within_the_limits_exactly_where_the_tests_reject(n, level):
    y, a, b = data(n)
    for first, second in ((b, a), (a, a), (b, y / 2)):
        difference, low, high = row_of(y, first, second, confidence_level=level)[5:8]
        # At the difference itself limits of no width are reached.
        for margin in np.abs(
            [0.999 * low, 1.001 * low, 0.999 * high, 1.001 * high, difference or 0.5]
        ).tolist():
            row = row_of(y, first, second, confidence_level=level, margin=margin)
            assert row.not_worse is (row.p_not_worse <= (1 - level) / 2) is (low > -margin)
            assert (
                row.equivalent
                is (row.p_equivalent <= (1 - level) / 2)
                is (-margin < low < high < margin)
            )


def test_classes_of_several():
    random = np.random.default_rng(0)
    y = random.integers(0, 3, 90)
    shares = [random.dirichlet(np.ones(3), 90) for _ in range(2)]
    first, second = (ThresholdCurves.from_scores(y, of) for of in shares)
    row = compare_curves({"a": first[1], "b": second[1]}).rows[0]
    np.testing.assert_allclose(
        row.difference, written_out((y == 1).astype(int), shares[0][:, 1], shares[1][:, 1])[0]
    )


Y, A, B = data()
CURVE = ThresholdCurve.from_scores(Y, A)


@pytest.mark.parametrize(
    ("curves", "options", "error", "message"),
    [
        ({"a": CURVE}, {}, ValueError, "curves must contain at least two models"),
        ([CURVE, CURVE], {}, TypeError, "curves must be a dict"),
        ({"a": CURVE, "b": A}, {}, TypeError, "curves['b'] must be a ThresholdCurve; got ndarray"),
        (
            {"a": CURVE, "b": ThresholdCurve.from_scores(1 - Y, B)},
            {},
            ValueError,
            "'a' and 'b' are based on different samples",
        ),
        (
            {"a": CURVE, "b": ThresholdCurve.from_scores(Y[1:], B[1:])},
            {},
            ValueError,
            "'a' and 'b' are based on different samples",
        ),
        (
            {"a": CURVE, "b": ThresholdCurve.from_scores(Y, B, sample_weight=A - A.min() + 1)},
            {},
            ValueError,
            "different samples",
        ),
        (
            {"a": CURVE, "b": ThresholdCurve.from_scores(Y, B, thresholds=5)},
            {},
            ValueError,
            "threshold",
        ),
        (
            {"a": CURVE, "b": CURVE},
            {"baseline": "c"},
            ValueError,
            "baseline='c' is not one of the models ['a', 'b']",
        ),
        (
            {"a": CURVE, "b": CURVE},
            {"confidence_level": 0},
            ValueError,
            "confidence_level must be at least 0.5",
        ),
        ({"a": CURVE, "b": CURVE}, {"correction": "fdr"}, ValueError, "correction must be"),
        ({"a": CURVE, "b": CURVE}, {"margin": -1}, ValueError, "margin must be"),
    ],
)
def test_errors(curves, options, error, message):
    with pytest.raises(error, match=re.escape(message)):
        compare_curves(curves, **options)


def test_one_class_has_no_area():
    alone: ThresholdCurve = ThresholdCurve.from_scores([1, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match="need positive and negative samples"):
        compare_curves({"a": alone, "b": alone})


def test_differences_of_areas_are_mirrored_when_models_are_exchanged():
    """Effective numbers of clusters may depend on the model."""
    a, b = Area(0.4457, 0.0153, 4.2, 9.2, 4.5), Area(0.4796, 0.0163, 3.95, 9.2, 4.5)
    one, other = (difference_of_areas(*of, 0.00616, 9) for of in ((a, b), (b, a)))
    for alpha in (0.001, 0.05, 0.3):
        of_one, of_other = one.limits_at(alpha), other.limits_at(alpha)
        assert (-of_other.high, -of_other.low) == pytest.approx((of_one.low, of_one.high))
    assert one.p_value == pytest.approx(other.p_value)
    # A perfect area's variance of rounding is none.
    perfect, worse = Area(1.0, 2.6e-33, 20, 20), Area(0.86, 0.00457, 20, 20)
    first, second = (
        difference_of_areas(perfect, worse, 0.00457 + by, 9).limits_at(0.05) for by in (0, 1e-18)
    )
    assert first.low == pytest.approx(second.low)
