"""compare_curves: DeLong's covariances written out, rank sums, invariances, edges, errors."""

import re

import numpy as np
import pytest
from scipy import special, stats
from sklearn.metrics import roc_auc_score

from skmetrics_ext import ThresholdCurve, ThresholdCurves, compare_curves
from skmetrics_ext.statistics.areas.delong import Area, difference_by_delong
from skmetrics_ext.statistics.areas.zou_yue import difference_of_areas
from skmetrics_ext.statistics.pairs.mcnemar_and_tango import mid_p_value, tango
from tests.outcomes import outcome_of
from tests.shared import one_in

pytestmark = pytest.mark.filterwarnings(
    "ignore:the p-value and limits of the difference of areas may not hold"
)


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


def sizes(y, a, b):
    """The samples of the rarer class, and how many of them a model misranks, or ranks well."""
    areas = np.array([roc_auc_score(y, a), roc_auc_score(y, b)])
    m = min((y == 1).sum(), (y == 0).sum())
    return m, m * np.minimum(areas, 1 - areas).min()


def by_zou_and_yue(y, a, b, limits, of_difference):
    """Zou & Yue's (2013) limits of the difference from those of each area and the correlation."""
    variances = [written_out(y, scores, np.zeros(len(y)))[1] for scores in (a, b)]
    twice = (sum(variances) - of_difference) / np.sqrt(np.prod(variances))
    first, second = roc_auc_score(y, a), roc_auc_score(y, b)
    (low_1, high_1), (low_2, high_2) = limits
    gaps = ((first - low_1, high_2 - second), (high_1 - first, second - low_2))
    below, above = (np.sqrt(one**2 + other**2 - twice * one * other) for one, other in gaps)
    return first - second - below, first - second + above


@pytest.mark.parametrize(
    ("seed", "step", "n"), one_in(4, range(2), [0.01, 0.25, 2], [20, 40, 60, 300])
)
def test_the_limits_are_those_of_many_of_few_and_of_between(seed, step, n):
    """The slow ones are of all seeds and steps for every number."""
    y, a, b = data(n, seed=seed, step=step)
    difference, variance = written_out(y, a, b)
    row = row_of(y, a, b, confidence_level=0.9)
    areas = roc_auc_score(y, a), roc_auc_score(y, b)
    assert (row.metric, row.value, row.reference_value) == ("roc_auc", *map(pytest.approx, areas))
    assert row.difference == pytest.approx(difference, abs=1e-12)
    half = stats.norm.isf(0.05) * np.sqrt(variance)
    low, high = difference - half, difference + half
    m, q = sizes(y, a, b)
    of_few = np.clip(max((30 - m) / 10, (6 - q) / 3), 0, 1)
    if of_few == 0:
        assert row.method == "DeLong"
        by_delong = 2 * stats.norm.sf(abs(difference) / np.sqrt(variance))
        assert row.p_value == pytest.approx(by_delong, rel=1e-9)
    else:
        of_each = [
            ThresholdCurve.from_scores(y, of).interval("roc_auc", confidence_level=0.9)
            for of in (a, b)
        ]
        wide = by_zou_and_yue(y, a, b, [(of.low, of.high) for of in of_each], variance)
        low -= of_few * max(low - wide[0], 0)
        high += of_few * max(wide[1] - high, 0)
        assert row.method.startswith("between" if of_few < 1 else "the wider of")
        # The level at which the limits exclude equality.
        if row.p_value < 0.5:
            at_p = row_of(y, a, b, confidence_level=1 - row.p_value)
            assert min(abs(at_p.low), abs(at_p.high)) == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose((row.low, row.high), (low, high), rtol=1e-9)


def test_two_areas_of_asah_have_the_p_value_that_proc_prints():
    """S100b and WFNS of 41 patients of poor and 72 of good outcome: areas .7313686 and .8236789,
    with limits of .6301 to .8326 and .7490 to .8985; Z = 2.209, p-value = 0.02718.
    """
    z = stats.norm.isf(0.025)
    areas = [
        Area(area, ((high - low) / 2 / z) ** 2, 41, 72)
        for area, low, high in ((0.7313686, 0.6301, 0.8326), (0.8236789, 0.7490, 0.8985))
    ]
    variance = ((0.7313686 - 0.8236789) / 2.209) ** 2
    for find in (difference_of_areas, difference_by_delong):
        found = find(*areas, variance)
        assert found.p_value == pytest.approx(0.02718, abs=1e-5)
        assert found.method == "DeLong"
        low, high = found.limits_at(0.05)
        assert (low, high) == pytest.approx((-0.1742, -0.0104), abs=1e-4)


def areas_of(m, q, other, n=200):
    """An area with q misranked samples of m, and one, with as large variances as by chance."""
    values = 1 - q / m, other
    return [Area(value, value * (1 - value) * (1 / m + 1 / n) / 3, m, n) for value in values], 0.002


@pytest.mark.parametrize(("m", "q"), [(30, 7), (20, 7), (60, 6), (60, 3), (30, 6), (20, 3)])
def test_nothing_jumps_between_many_and_few(m, q):
    found = []
    for by in (-1e-9, 1e-9):
        areas, variance = areas_of(m * (1 + by), q * (1 + by), 0.7)
        known = difference_of_areas(*areas, variance)
        found.append([*known.limits_at(0.05), *known.limits_at(0.3), known.p_value])
    np.testing.assert_allclose(*found, rtol=1e-6)


def test_limits_are_nested_where_those_of_the_areas_make_correlated_ones_nearer():
    areas, variance = (Area(0.468, 0.0126, 5, 500), Area(0.2224, 0.0311, 5, 500)), 0.00615
    known = difference_of_areas(*areas, variance)
    alphas = (0.4, 0.1, 0.05, 0.01, 0.003, 0.001, 1e-4, 1e-6)
    low, high = np.transpose([known.limits_at(alpha) for alpha in alphas])
    assert (np.diff(low) <= 0).all()
    assert (np.diff(high) >= 0).all()


@pytest.mark.parametrize("n", [12, 30, 70])
def test_equality_is_in_the_limits_exactly_where_it_is_not_rejected(n):
    for seed in range(2):
        y, a, b = data(n, seed)
        p_value = row_of(y, a, b).p_value
        for level in (0.95, 1 - p_value * 1.001, 1 - p_value * 0.999):
            if 0.5 <= level < 1:
                row = row_of(y, a, b, confidence_level=level)
                assert (row.low <= 0 <= row.high) == (row.p_value >= 1 - row.confidence_level)


@pytest.mark.parametrize(
    ("n_positive", "n_below", "codes"),
    [(9, 4, ["few_samples"]), (10, 4, []), (200, 0, ["few_misranked"]), (200, 2, [])],
)
def test_caveats_of_few_samples_and_of_few_misranked_ones(n_positive, n_below, codes):
    """A positive sample below all negative ones is misranked once."""
    y = np.repeat([0, 1], [300, n_positive])
    far = np.concatenate([np.arange(300), np.full(n_positive, 400)])
    far[300 : 300 + n_below] = -1
    near = np.concatenate([np.arange(300), 10 * np.arange(n_positive) + 0.5])
    row, _ = outcome_of(row_of, y, far, near)
    assert [caveat.code for caveat in row.caveats] == codes


def drawn_differences(y, a, b, n, seed=0):
    """Differences of areas of resampled samples of each class; ties count half."""
    random = np.random.default_rng(seed)
    drawn = [random.multinomial(of, np.full(of, 1 / of), n) for of in np.bincount(y)]
    above = sum(
        sign * (np.sign(scores[y == 1][:, None] - scores[y == 0]) + 1) / 2
        for sign, scores in ((1, a), (-1, b))
    )
    return ((drawn[1] @ above) * drawn[0]).sum(1) / np.prod(np.bincount(y))


def test_methods_by_name_are_as_published():
    y, a, b = data(20)
    difference, variance = written_out(y, a, b)
    z = stats.norm.isf(0.025)
    found = {}
    for method in ("delong", "delong-logit", "bootstrap"):
        (row,) = outcome_of(compare, y, a, b, method=method)[0].rows
        found[method] = row.low, row.high
        # DeLong's variance is not relied on with ten samples of a class.
        assert [caveat.code for caveat in row.caveats] == ["few_misranked"]
        assert min(abs(row.low - difference), abs(row.high - difference)) > 0.01
    half = z * np.sqrt(variance)
    assert found["delong"] == pytest.approx((difference - half, difference + half), rel=1e-9)
    logits = []
    for of in (a, b):
        area, of_area = written_out(y, of, np.zeros(len(y)))
        area += 0.5
        reach = z * np.sqrt(of_area) / (area * (1 - area))
        logits.append(special.expit(special.logit(area) + np.array([-reach, reach])))
    assert found["delong-logit"] == pytest.approx(by_zou_and_yue(y, a, b, logits, variance))
    expected = np.quantile(drawn_differences(y, a, b, 40_000), [0.025, 0.975])
    np.testing.assert_allclose(found["bootstrap"], expected, atol=0.015)


def test_areas_of_fewer_than_two_effective_clusters_have_neither_limits_nor_a_p_value():
    y, clusters = [1] * 6 + [0] * 4, [1, 0, 0, 1, 1, 1, 1, 0, 0, 0]
    a, b = [15, 2, 19, 11, 13, 17, 2, 1, 12, 0], [13, 11, 19, 8, 17, 15, 1, 2, 3, 4]
    curves = {
        name: ThresholdCurve.from_scores(y, of, clusters=clusters)
        for name, of in (("a", a), ("b", b))
    }
    (row,) = outcome_of(compare_curves, curves)[0].rows
    assert np.isnan([row.low, row.high, row.p_value]).all()
    assert "few_samples" in [caveat.code for caveat in row.caveats]


def compare(y, a, b, **options):
    return compare_curves(
        {name: ThresholdCurve.from_scores(y, of) for name, of in (("a", a), ("b", b))}, **options
    )


@pytest.mark.parametrize("method", ["delong", "delong-logit", "bootstrap"])
@pytest.mark.parametrize(("b", "p_value"), [([1, 2, 3, 4], 1), ([4, 3, 2, 1], 0)])
def test_a_difference_without_variance_has_no_width_by_name(method, b, p_value):
    (row,) = outcome_of(compare, [0, 0, 1, 1], [1, 2, 3, 4], b, method=method)[0].rows
    assert row.low == row.high == row.difference
    assert row.p_value == pytest.approx(p_value, abs=1e-3)
    assert [caveat.code for caveat in row.caveats] == ["constant"]


def test_a_method_that_areas_do_not_have_is_refused_with_who_has_it():
    y, a, b = data()
    with pytest.raises(ValueError, match=r"'bootstrap'\]; got 'venkatraman'. R's pROC also has"):
        compare(y, a, b, method="venkatraman")
    with pytest.raises(ValueError, match="got 'delong'"):
        compare(y, a, b, metric="recall", subject_to={"specificity": 0.8}, method="delong")
    with pytest.raises(ValueError, match="n_resamples"):
        compare(y, a, b, method="bootstrap", n_resamples=10)
    weighted = {
        name: ThresholdCurve.from_scores(y, of, sample_weight=np.arange(1, 61))
        for name, of in (("a", a), ("b", b))
    }
    with pytest.raises(ValueError, match="independent samples without weights or clusters"):
        compare_curves(weighted, method="bootstrap")


def test_limits_are_near_those_of_resampled_samples():
    y, a, b = data(400, 3)
    row = row_of(y, a, b)
    differences = drawn_differences(y, a, b, 1_000)
    np.testing.assert_allclose(
        row.high - row.low, 2 * stats.norm.isf(0.025) * np.std(differences), rtol=0.1
    )


def test_against_a_constant_score_it_is_the_variance_of_one_area():
    y, a, _ = data(400)
    interval = ThresholdCurve.from_scores(y, a).interval("roc_auc", method="delong")
    row = row_of(y, a, np.zeros(len(y)))
    half = interval.high - interval.value
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
    expected = "Tango" if n_positive == 1 else "the wider of DeLong and Zou & Yue, inverted"
    assert row.method == expected


@pytest.mark.parametrize("nearly_perfect", ["a", "b"])
def test_limits_of_many_samples_are_of_both_areas_where_one_is_near_1(nearly_perfect):
    y, near, far = data(400)
    near = near + 6 * y
    row = row_of(y, *((near, far) if nearly_perfect == "a" else (far, near)))
    assert max(row.value, row.reference_value) > 0.995
    assert row.method == "the wider of DeLong and Zou & Yue, inverted"


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
    assert (row.value, first.value) == (1, pytest.approx(1))
    assert isinstance(row.value, float)
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
    assert [(row.model, row.reference) for row in found.rows] == [("a", "b"), ("c", "b")]
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
    assert row.method == "DeLong"
    error = np.sqrt(variance)
    one, other = stats.norm.sf([(margin - difference) / error, (margin + difference) / error])
    assert (row.p_not_worse, row.p_equivalent) == pytest.approx((one, max(one, other)), rel=1e-9)


@pytest.mark.parametrize(("n", "level"), [(6, 0.6), (20, 0.99)])
def test_margins_are_within_the_limits_exactly_where_the_tests_reject(n, level):
    y, a, b = data(n)
    for first, second in ((b, a), (a, a), (b, y / 2)):
        difference, low, high = row_of(y, first, second, confidence_level=level)[5:8]
        # At the difference itself limits of no width are reached.
        for margin in np.abs([0.999 * low, 1.001 * low, difference or 0.5]).tolist():
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
    with pytest.raises(ValueError, match="needs positive and negative samples"):
        compare_curves({"a": alone, "b": alone})


def test_differences_of_areas_are_mirrored_when_models_are_exchanged():
    """Effective numbers of clusters may depend on the model."""
    a, b = Area(0.4457, 0.0153, 4.2, 9.2, 4.5), Area(0.4796, 0.0163, 3.95, 9.2, 4.5)
    one, other = (difference_of_areas(*of, 0.00616) for of in ((a, b), (b, a)))
    for alpha in (0.001, 0.05, 0.3):
        of_one, of_other = one.limits_at(alpha), other.limits_at(alpha)
        assert (-of_other.high, -of_other.low) == pytest.approx((of_one.low, of_one.high))
    assert one.p_value == pytest.approx(other.p_value)
    # A perfect area's variance of rounding is none.
    perfect, worse = Area(1.0, 2.6e-33, 20, 20), Area(0.86, 0.00457, 20, 20)
    first, second = (
        difference_of_areas(perfect, worse, 0.00457 + by).limits_at(0.05) for by in (0, 1e-18)
    )
    assert first.low == pytest.approx(second.low)
