"""Methods asked for by name give what was published, digit by digit, whatever it is."""

import warnings

import numpy as np
import pytest

from skmetrics_ext import ConfusionMatrix, UnreliableIntervalWarning

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
