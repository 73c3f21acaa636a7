"""Methods asked for by name give what was published, digit by digit, whatever it is."""

import itertools
import warnings

import numpy as np
import pytest
from scipy import optimize, special, stats
from statsmodels.stats.contingency_tables import mcnemar

from skmetrics_ext import ConfusionMatrix, UnreliableIntervalWarning, compare
from skmetrics_ext.statistics.constants import FEWEST

# Of hits among n samples: statsmodels 0.15.0 proportion_confint; mid-P by its definition, as R's
# contingencytables prints it (Fagerland, Lydersen & Laake 2017).
PROPORTIONS = [
    ("wilson", 13, 16, 0.95, 0.5699111903802586, 0.9340840092857187),
    ("wilson", 19, 20, 0.9, 0.8039927632259835, 0.9887651831491483),
    ("wilson", 0, 20, 0.95, 0.0, 0.16112515805281938),
    ("wilson", 1, 100, 0.99, 0.0011751454265122863, 0.07980112853499423),
    ("jeffreys", 13, 16, 0.95, 0.5792148277642927, 0.9441870161099912),
    ("jeffreys", 81, 263, 0.95, 0.2545219349910236, 0.36564749917408246),
    # Equal-tailed without hits too, so that 0 is outside.
    ("jeffreys", 0, 20, 0.95, 2.4246478459242774e-05, 0.11663898290487539),
    ("clopper-pearson", 13, 16, 0.95, 0.5435434537683883, 0.9595262660940541),
    ("clopper-pearson", 1, 100, 0.99, 5.012416197765646e-05, 0.0719576824016363),
    ("mid-p", 13, 16, 0.95, 0.5699369060075897, 0.9499780118236922),
    ("mid-p", 1, 100, 0.99, 0.0001000016092575959, 0.06580782947120119),
]
# By statsmodels 0.15.0, cohens_kappa (Fleiss, Cohen & Everitt 1969); F1 by the multinomial delta
# method with complex-step gradients (Takahashi, Yamamoto, Kuchiba & Koyama 2022).
THREE = [[44, 5, 1], [7, 20, 3], [9, 5, 6]]
BY_DELTA = [
    ("cohen_kappa", [[20, 5], [10, 15]], 0.151092290476661, 0.6489077095233389),
    ("cohen_kappa", THREE, 0.35015820121748686, 0.6328926462401401),
    ("f1", [[50, 10], [8, 32]], 0.6815535639964537, 0.8794220457596439),
    ("f1", [[80, 3], [6, 11]], 0.5281729622862693, 0.8911818764234082),
    ("f1_macro", THREE, 0.5174198602054995, 0.7270245842389448),
    ("f1_macro", [[4, 0, 2], [0, 1, 4], [2, 1, 2]], 0.19128663121986314, 0.648762208828977),
]
# 7 of 34 over 1 of 34, and 56 of 70 over 48 of 80: Katz's on the logarithm, of statsmodels 0.15.0
# confint_proportions_2indep; MOVER of Wilson's limits (Donner & Zou 2012).
RATIOS = [
    ("delta", (7, 34, 1, 34), 0.9096055118420763, 53.86950646414646),
    ("mover", (7, 34, 1, 34), 1.1536686892336803, 41.976261672517545),
    ("delta", (56, 70, 48, 80), 1.0766264227631928, 1.6512485112663873),
    ("mover", (56, 70, 48, 80), 1.0782946132402953, 1.662919966511079),
]


def limits(counts, metric, **options):
    cm = ConfusionMatrix.from_counts(counts, labels=list(range(len(counts))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        found = cm.interval(metric, **options)
    return [found.low, found.high]


@pytest.mark.parametrize(("method", "hits", "n", "level", "low", "high"), PROPORTIONS)
def test_limits_of_a_proportion(method, hits, n, level, low, high):
    counts = [[5, 5], [n - hits, hits]]
    found = limits(counts, "recall", method=method, confidence_level=level)
    np.testing.assert_allclose(found, [low, high], rtol=1e-9)


@pytest.mark.parametrize(("metric", "counts", "low", "high"), BY_DELTA)
def test_limits_by_the_delta_method(metric, counts, low, high):
    np.testing.assert_allclose(limits(counts, metric, method="delta"), [low, high], rtol=1e-8)


@pytest.mark.parametrize(("method", "shares", "low", "high"), RATIOS)
def test_limits_of_a_ratio(method, shares, low, high):
    hits, n, other_hits, other_n = shares
    counts = [[other_n - other_hits, other_hits], [n - hits, hits]]
    found = limits(counts, "positive_likelihood_ratio", method=method)
    np.testing.assert_allclose(found, [low, high], rtol=1e-8)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([[50, 10], [8, 32]], [0.6667, 0.8706]), ([[80, 3], [6, 11]], [0.4848, 0.8696])],
)
def test_percentiles_of_replicates_of_the_counts_as_they_are(counts, expected):
    """Those of scipy.stats.bootstrap(method="percentile"), 40,000 replicates of F1."""
    found = limits(counts, "f1", method="bootstrap", n_resamples=40_000)
    np.testing.assert_allclose(found, expected, atol=0.012)


def test_a_width_of_0_is_kept_and_has_a_caveat():
    cm = ConfusionMatrix.from_counts([[20, 0], [0, 20]], labels=[0, 1])
    for method in ("delta", "bootstrap"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreliableIntervalWarning)
            found = cm.interval("f1", method=method)
        assert (found.low, found.high) == (1, 1)
        assert any("says nothing of its uncertainty" in of.text for of in found.caveats)


def test_what_is_not_in_the_table_is_refused_with_what_is():
    cm = ConfusionMatrix.from_counts([[20, 5], [2, 20]], labels=[0, 1])
    with pytest.raises(ValueError, match=r"'mid-p', 'wilson', .*; got 'wald'.* statsmodels"):
        cm.interval("recall", method="wald")


# Of samples that both models, only the first, only the second, and neither has right: Tango (1998)
# by its definition, and McNemar's mid-P (Fagerland, Lydersen & Laake 2013), as R's
# contingencytables prints them (2017).
OF_TWO = [
    ((59, 6, 16, 80), -0.12402343246406682, -0.0054333957316770815, 0.03468966484069824),
    ((1, 1, 7, 12), -0.5172322764213775, -0.026003032480868556, 0.0390625),
]


def compared(numbers, metric="accuracy", **options):
    first, second = (np.repeat(of, numbers) for of in ([1, 1, 0, 0], [1, 0, 1, 0]))
    y = np.arange(len(first)) % 2
    models = {"a": np.where(first, y, 1 - y), "b": np.where(second, y, 1 - y)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        return compare(y, models, metric, **options).rows[0]


@pytest.mark.parametrize(("numbers", "low", "high", "mid_p"), OF_TWO)
def test_limits_and_tests_of_two_proportions_of_the_same_samples(numbers, low, high, mid_p):
    both, only_first, only_second, neither = numbers
    tango, test = (compared(numbers, method=name) for name in ("tango", "mcnemar"))
    np.testing.assert_allclose([tango.low, tango.high], [low, high], rtol=1e-9)
    # Its score of no difference is McNemar's, without a correction.
    score = mcnemar([[both, only_first], [only_second, neither]], exact=False, correction=False)
    assert tango.p_value == pytest.approx(score.pvalue, rel=1e-9)
    assert test.p_value == pytest.approx(mid_p, rel=1e-12)
    assert np.isnan([test.low, test.high]).all()
    assert (tango.method, test.method) == ("Tango, inverted", "McNemar mid-p")
    n, difference = sum(numbers), (only_first - only_second) / sum(numbers)
    error = np.sqrt(only_first + only_second - n * difference**2) / n
    plain = compared(numbers, method="delta")
    half = stats.norm.isf(0.025) * error
    np.testing.assert_allclose(
        [plain.low, plain.high], [difference - half, difference + half], rtol=1e-8
    )
    assert plain.p_value == pytest.approx(2 * stats.norm.sf(abs(difference) / error), rel=1e-6)


def test_percentiles_of_replicates_of_two_models():
    found = compared(OF_TWO[0][0], method="bootstrap", n_resamples=9999)
    hits = np.random.default_rng(1).multinomial(161, np.array([6, 16, 139]) / 161, 40_000)
    expected = np.quantile((hits[:, 0] - hits[:, 1]) / 161, [0.025, 0.975])
    np.testing.assert_allclose([found.low, found.high], expected, atol=1.1 / 161)


@pytest.mark.parametrize("name", ["tango", "delta", "bootstrap"])
@pytest.mark.parametrize("numbers", [OF_TWO[0][0], (20, 3, 9, 5), (30, 0, 5, 5), (30, 2, 2, 5)])
def test_the_p_value_of_a_named_method_inverts_its_limits(name, numbers):
    p_value = compared(numbers, method=name, n_resamples=999).p_value
    if p_value == 1:
        return
    for by in (-1e-3, 1e-3):
        alpha = p_value * (1 + by)
        found = compared(numbers, method=name, confidence_level=1 - alpha, n_resamples=999)
        assert (found.low <= 0 <= found.high) is (by < 0)


@pytest.mark.parametrize(("fewest", "most"), [(FEWEST, 0.1), (FEWEST - 1, 0.103)])
def test_plain_limits_miss_one_in_ten_where_few_samples_are_on_a_side(fewest, most):
    """All outcomes of 20 and 30 samples of which one model alone has so many right: of those that
    have no caveat, unless nearly all have one.
    """
    missed = []
    for n in (20, 30):
        first, second = (of.ravel() for of in np.indices((n + 1, n + 1)))
        first, second = first[first + second <= n], second[first + second <= n]
        difference = (first - second) / n
        half = stats.norm.isf(0.025) * np.sqrt(first + second - n * difference**2) / n
        is_silent = np.minimum(np.minimum(first, second), n - first - second) >= fewest
        for shares in itertools.product([0.01, 0.03, 0.1, 0.3, 0.45], repeat=2):
            outcomes = np.stack([first, second, n - first - second], -1)
            odds = stats.multinomial.pmf(outcomes, n, [*shares, 1 - sum(shares)])
            is_missed = np.abs(difference - (shares[0] - shares[1])) > half
            if odds[is_silent].sum() > 0.2:
                missed.append(odds[is_silent & is_missed].sum() / odds[is_silent].sum())
    assert max(missed) < most
    assert bool(max(missed) > 0.1) is (fewest < FEWEST)


def test_few_on_a_side_and_no_width_are_said():
    for numbers, name, text in (
        ((30, 0, 5, 5), "delta", "too few samples, 0, on which one model"),
        ((30, 0, 0, 5), "delta", "have no width"),
        ((30, 0, 0, 5), "bootstrap", "have no width"),
    ):
        found = compared(numbers, method=name)
        assert any(text in of.text for of in found.caveats), found.caveats
    assert (found.low, found.high, found.p_value) == (0, 0, 1)
    assert not compared((30, 3, 5, 5), method="delta").caveats
    assert not compared((30, 0, 5, 5), method="tango").caveats


# Of 7 of 34 minus 1 of 34, 56 of 70 minus 48 of 80, and 0 of 16 minus 15 of 72: statsmodels 0.15.0
# confint_proportions_2indep, and R's contingencytables (Fagerland, Lydersen & Laake 2017).
DIFFERENCES = [
    ("newcombe", (7, 34, 1, 34), 0.018921443885772937, 0.3403686870327074),
    ("newcombe", (56, 70, 48, 80), 0.05243147240236498, 0.33387265403690614),
    ("newcombe", (0, 16, 15, 72), -0.3156926341935934, 0.0003261098746379365),
    ("delta", (7, 34, 1, 34), 0.029169416110856966, 0.3237717603597312),
    ("delta", (56, 70, 48, 80), 0.057504899149037114, 0.342495100850963),
]


def of_two(shares):
    """Two groups whose recalls are these, and whose specificities 5 of 10."""
    hits, n, other_hits, other_n = shares
    counts = [[[5, 5], [n - hits, hits]], [[5, 5], [other_n - other_hits, other_hits]]]
    return ConfusionMatrix.from_counts(counts, labels=[0, 1])


def signed(shares, method, metric="recall", **options):
    """The difference of the first group and the second."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        found = of_two(shares).pairwise_gaps(metric, method=method, correction=None, **options)
    return found.rows[0]


@pytest.mark.parametrize(("method", "shares", "low", "high"), DIFFERENCES)
def test_limits_of_a_difference_of_two_groups(method, shares, low, high):
    row = signed(shares, method)
    np.testing.assert_allclose([row.low, row.high], [low, high], rtol=1e-8)


def z_of_score(shares, shift):
    """Miettinen & Nurminen's (1985) statistic by its definition: the variance has the likeliest
    shares that differ by so much, of which the derivative of the likelihood is 0.
    """
    hits, n, other_hits, other_n = shares

    def slope(share):
        return sum(
            (of / at if of else 0) - ((size - of) / (1 - at) if size > of else 0)
            for of, size, at in ((hits, n, share + shift), (other_hits, other_n, share))
        )

    least, most = max(0, -shift) + 1e-15, min(1, 1 - shift) - 1e-15
    if slope(least) <= 0 or slope(most) >= 0:
        share = least if slope(least) <= 0 else most
    else:
        share = optimize.brentq(slope, least, most, xtol=1e-16)
    of_both = sum(at * (1 - at) / size for at, size in ((share + shift, n), (share, other_n)))
    variance = of_both * (n + other_n) / (n + other_n - 1)
    return (hits / n - other_hits / other_n - shift) / variance**0.5


@pytest.mark.parametrize(
    ("shares", "level"),
    [
        ((7, 34, 1, 34), 0.9),
        ((56, 70, 48, 80), 0.95),
        ((0, 16, 15, 72), 0.9),
        ((10, 10, 4, 9), 0.95),
        ((1, 200, 0, 150), 0.95),
    ],
)
def test_limits_by_miettinen_and_nurminen_are_what_their_test_accepts(shares, level):
    row = signed(shares, "miettinen-nurminen", confidence_level=level)
    z = stats.norm.isf((1 - level) / 2)
    ends = [
        optimize.brentq(lambda shift, z=z: z_of_score(shares, shift) - z, -1 + 1e-9, 1 - 1e-9),
        optimize.brentq(lambda shift, z=z: z_of_score(shares, shift) + z, -1 + 1e-9, 1 - 1e-9),
    ]
    np.testing.assert_allclose([row.low, row.high], ends, atol=1e-10)
    # Its p-value is that of the test at no difference.
    assert row.p_value == pytest.approx(2 * stats.norm.sf(abs(z_of_score(shares, 0))), rel=1e-4)


def test_limits_by_miettinen_and_nurminen_are_those_printed():
    """As R's contingencytables prints those of 0 of 16 minus 15 of 72 (Fagerland et al. 2017)."""
    row = signed((0, 16, 15, 72), "miettinen-nurminen")
    assert (round(row.low, 4), round(row.high, 4)) == (-0.3164, -0.0056)
    fallen = signed((0, 16, 15, 72), "miettinen-nurminen", metric="fnr")
    assert (fallen.low, fallen.high) == pytest.approx((-row.high, -row.low), rel=1e-12)


@pytest.mark.parametrize(("method", "shares", "low", "high"), RATIOS)
def test_limits_of_a_ratio_of_two_groups(method, shares, low, high):
    """The gap is of the lower to the higher, and ends at 1."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        gap = of_two(shares).gap("recall", kind="ratio", method=method)
    ends = 1 / max(high, 1), 1 / max(low, 1)
    np.testing.assert_allclose([gap.low, gap.high], ends, rtol=1e-8)


def test_limits_by_the_bootstrap_are_percentiles_of_the_difference():
    """Those of scipy.stats.bootstrap of two samples, by the binomial distribution of both."""
    shares = (14, 35, 22, 40)
    random = np.random.default_rng(0)
    drawn = random.binomial(35, 14 / 35, 200_000) / 35 - random.binomial(40, 22 / 40, 200_000) / 40
    row = signed(shares, "bootstrap", n_resamples=20_000)
    np.testing.assert_allclose([row.low, row.high], np.quantile(drawn, [0.025, 0.975]), atol=0.006)


def test_limits_of_two_groups_by_the_bootstrap_may_lie_beside_the_difference():
    """Mutual information, which replicates overestimate, by the multinomial distribution."""
    counts = np.array([np.ones((4, 4)) + np.eye(4), np.full((4, 4), 500)], dtype=int)
    random, values = np.random.default_rng(0), []
    for of_group in counts:
        shares = of_group.ravel() / of_group.sum()
        drawn = random.multinomial(of_group.sum(), shares, 20_000).reshape(-1, 4, 4)
        joint = drawn / of_group.sum()
        expected = joint.sum(-1, keepdims=True) * joint.sum(-2, keepdims=True)
        values.append(special.rel_entr(joint, expected).sum((-2, -1)))
    cm = ConfusionMatrix.from_counts(counts, labels=range(4))
    with pytest.warns(UnreliableIntervalWarning, match="few of the samples"):
        found = cm.pairwise_gaps("mutual_information", method="bootstrap", correction=None)
    [row] = found.rows
    ends = np.quantile(values[0] - values[1], [0.025, 0.975])
    np.testing.assert_allclose([row.low, row.high], ends, atol=0.012)
    assert row.low > row.difference + 0.05
    assert row.p_value == pytest.approx(2 / 10_000, rel=0.01)


METHODS_OF_GAPS = [
    ("recall", "difference", "newcombe"),
    ("recall", "difference", "miettinen-nurminen"),
    ("recall", "difference", "delta"),
    ("recall", "difference", "bootstrap"),
    ("recall", "difference", "smoothed-bootstrap"),
    ("recall", "difference", "auto"),
    ("f1", "ratio", "delta"),
    ("f1", "ratio", "bootstrap"),
    ("f1", "ratio", "smoothed-bootstrap"),
    ("f1", "ratio", "auto"),
]


def shares_with_equality(metric, kind, method, n_pairs, levels):
    """How many of pairs of groups have limits that include equality at each level: those whose p
    is not smaller.
    """
    random = np.random.default_rng(0)
    counts = random.multinomial(60, [0.3, 0.1, 0.15, 0.45], (n_pairs, 2)).reshape(-1, 2, 2, 2)
    n_apart = len(counts[::3])
    counts[::3, 1] = random.multinomial(60, [0.3, 0.1, 0.35, 0.25], n_apart).reshape(-1, 2, 2)
    cm = ConfusionMatrix.from_counts(counts, labels=[0, 1])
    options = {"axis": "axis_1", "kind": kind, "method": method, "n_resamples": 499}
    shares = []
    for level in levels:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreliableIntervalWarning)
            gap = cm.gap(metric, confidence_level=level, **options)
        equality = 1 if kind == "ratio" else 0
        includes = (gap.low <= equality) & (gap.high >= equality)
        np.testing.assert_array_equal(includes, gap.p_value >= 1 - level)
        shares.append(includes.mean())
    return shares


# Of each metric one kind of replicates, which take long.
SOME_OF_GAPS = [
    of
    for of in METHODS_OF_GAPS
    if of[::2] not in (("recall", "smoothed-bootstrap"), ("f1", "bootstrap"))
]


@pytest.mark.parametrize(("metric", "kind", "method"), SOME_OF_GAPS)
def test_p_values_of_two_groups_invert_their_limits(metric, kind, method):
    at_90, at_99 = shares_with_equality(metric, kind, method, 21, (0.9, 0.99))
    assert 0.2 < at_90 < at_99 < 1


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "kind", "method"), METHODS_OF_GAPS)
def test_p_values_of_many_pairs_of_groups_invert_their_limits(metric, kind, method):
    """The same of all methods, and of so many pairs that rare ties of replicates occur."""
    shares = shares_with_equality(metric, kind, method, 300, (0.8, 0.9, 0.95, 0.99))
    assert 0.2 < shares[0] < shares[-1] < 1


def test_limits_of_several_groups_by_name_hold_at_once_and_p_inverts_them():
    counts = [[[5, 5], [n - hits, hits]] for hits, n in ((56, 70), (48, 80), (70, 75))]
    cm = ConfusionMatrix.from_counts(counts, labels=[0, 1])
    gap = cm.gap("recall", method="miettinen-nurminen")
    # Tukey's q of three groups at .95.
    level = 1 - 2 * stats.norm.sf(stats.studentized_range.ppf(0.95, 3, np.inf) / 2**0.5)
    row = signed((70, 75, 48, 80), "miettinen-nurminen", confidence_level=level)
    assert (gap.low, gap.high) == pytest.approx((row.low, row.high), rel=1e-7)
    q = z_of_score((70, 75, 48, 80), 0) * 2**0.5
    expected = stats.studentized_range.sf(q, 3, np.inf)
    assert gap.p_value == pytest.approx(expected, rel=1e-3)
    assert gap.method == "Miettinen-Nurminen, inverted"


def test_a_gap_without_width_by_name_has_a_caveat():
    cm = ConfusionMatrix.from_counts([[[20, 0], [0, 20]]] * 2, labels=[0, 1])
    for method in ("delta", "bootstrap"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreliableIntervalWarning)
            gap = cm.gap("recall", method=method)
        assert (gap.low, gap.high, gap.p_value) == (0, 0, 1)
        assert any("says nothing of its uncertainty" in of.text for of in gap.caveats)


@pytest.mark.parametrize("method", ["newcombe", "miettinen-nurminen", "delta", "bootstrap"])
def test_few_of_the_rarer_outcome_are_a_caveat_of_methods_by_name(method):
    for hits, codes in ((2, ["few_samples"]), (20, [])):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreliableIntervalWarning)
            gap = of_two((hits, 60, 25, 60)).gap("recall", method=method)
        assert [of.code for of in gap.caveats] == codes


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("accuracy", {"method": "newcombe"}, r"got 'newcombe'. .* statsmodels' mcnemar; .* R's"),
        ("mcc", {"method": "tango"}, r"difference of mcc of independent samples: choose one of"),
        ("overlap_coefficient_macro", {"method": "delta"}, r"choose one of \['bootstrap', 'sm"),
        ("accuracy", {"method": "tango", "sample_weight": [1, 2] * 22}, "of weighted samples"),
    ],
)
def test_methods_of_two_models_that_do_not_apply_are_refused(metric, options, message):
    with pytest.raises(ValueError, match=message):
        compared((30, 4, 5, 5), metric, **options)


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("recall", {"method": "wald"}, "'newcombe', 'miettinen-nurminen'.*; got 'wald'.*Caffo"),
        ("recall", {"method": "mover"}, "got 'mover'"),
        ("recall", {"method": "newcombe", "kind": "ratio"}, "'mover'.*; got 'newcombe'"),
        ("f1", {"method": "newcombe"}, r"a difference of f1 of one class between groups: choose"),
        ("theils_u", {"method": "delta"}, r"choose one of \['bootstrap'"),
    ],
)
def test_methods_that_no_gap_has_are_refused(metric, options, message):
    with pytest.raises(ValueError, match=message):
        of_two((56, 70, 48, 80)).gap(metric, **options)


def test_a_named_method_needs_numbers_of_independent_samples():
    groups, weights = np.arange(80) % 2, 1 + np.arange(80) % 3
    y = np.arange(80) // 2 % 2
    cm = ConfusionMatrix.from_predictions(y, y, by=groups, sample_weight=weights)
    with pytest.raises(ValueError, match=r"of weighted samples between groups: choose one of"):
        cm.gap("recall", method="newcombe")
