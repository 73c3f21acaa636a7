"""Methods asked for by name give what was published, digit by digit, whatever it is."""

import itertools
import warnings

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from skmetrics_ext import ConfusionMatrix, UnreliableIntervalWarning, compare
from skmetrics_ext.statistics.constants import FEW_ON_A_SIDE

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
    found = compared(OF_TWO[0][0], method="bootstrap", n_resamples=40_000)
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


@pytest.mark.parametrize(("fewest", "most"), [(FEW_ON_A_SIDE, 0.1), (FEW_ON_A_SIDE - 1, 0.103)])
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
    assert bool(max(missed) > 0.1) is (fewest < FEW_ON_A_SIDE)


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


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("accuracy", {"method": "newcombe"}, r"got 'newcombe'. .* statsmodels' mcnemar; .* R's"),
        ("mcc", {"method": "tango"}, r"difference in mcc of independent samples: choose one of"),
        ("overlap_coefficient_macro", {"method": "delta"}, r"choose one of \['bootstrap', 'sm"),
        ("accuracy", {"method": "tango", "sample_weight": [1, 2] * 22}, "of weighted samples"),
    ],
)
def test_methods_of_two_models_that_do_not_apply_are_refused(metric, options, message):
    with pytest.raises(ValueError, match=message):
        compared((30, 4, 5, 5), metric, **options)
