"""Limits of proportions against published tables and scipy."""

import numpy as np
import pytest
from scipy import special, stats
from statsmodels.stats.proportion import proportion_confint

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.values.proportions import clopper_pearson, mid_p, mover, wilson

# Newcombe (1998), Statistics in Medicine 17:857, table I, methods 3 and 5.
NEWCOMBE = [
    (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
    (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
    (0, 20, (0, 0.1611), (0, 0.1684)),
    (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
]


@pytest.mark.parametrize(("hits", "n", "of_wilson", "exact"), NEWCOMBE)
def test_published_limits(hits, n, of_wilson, exact):
    np.testing.assert_allclose(wilson(hits, n, 0.05), of_wilson, atol=5e-5)
    np.testing.assert_allclose(clopper_pearson(hits, n, 0.05), exact, atol=5e-5)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("limits_of", "method"), [(wilson, "wilson"), (clopper_pearson, "exact")])
def test_limits_are_those_of_scipy(limits_of, method, level):
    for n in (1, 2, 3, 10, 1000):
        for hits in {0, 1, n // 2, n - 1, n}:
            expected = stats.binomtest(hits, n).proportion_ci(level, method=method)
            np.testing.assert_allclose(
                limits_of(hits, n, 1 - level), expected, rtol=1e-8, atol=1e-14
            )


@pytest.mark.parametrize("limits_of", [wilson, mid_p, clopper_pearson])
def test_limits_without_samples_and_of_arrays(limits_of):
    hits, n = np.array([[0, 0, 3], [0, 1, 7]]), np.array([0, 4, 7])
    together = limits_of(hits, n, 0.05)
    for place in np.ndindex(2, 3):
        alone = limits_of(hits[place], n[place[1]], 0.05)
        assert (together.low[place], together.high[place]) == tuple(alone)
    assert tuple(limits_of(0, 0, 0.05)) == (0, 1)
    assert limits_of(5, 5, 0.05).high == 1
    assert limits_of(0, 5, 0.05).low == 0


# Fagerland, Lydersen & Laake (2017), Statistical Analysis of Contingency Tables, as R's
# contingencytables prints it, and the definition with scipy's binomial distribution.
MID_P = [
    (13, 16, 0.95, (0.5699369060075897, 0.9499780118236922)),
    (19, 20, 0.95, (0.7771939442823723, 0.9974991271684397)),
    (81, 263, 0.95, (0.25440210494552234, 0.3657734742577772)),
    (0, 20, 0.95, (0, 0.13910834066826505)),
    (19, 20, 0.9, (0.8105475175530304, 0.9949931429259754)),
    (1, 100, 0.99, (0.0001000016092575959, 0.06580782947120119)),
]


@pytest.mark.parametrize(("hits", "n", "level", "expected"), MID_P)
def test_mid_p_limits_are_those_of_its_definition(hits, n, level, expected):
    np.testing.assert_allclose(mid_p(hits, n, 1 - level), expected, rtol=1e-9)


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-3, 1e-9, 1e-60])
def test_mid_p_limits_solve_their_equation_for_fractions_of_samples_too(alpha):
    n = np.array([0.3, 1, 1.7, 4, 25, 1e3, 1e6])[:, None]
    hits = n * np.array([1e-6, 0.01, 0.2, 0.5, 0.9, 0.999])
    low, high = mid_p(hits, n, alpha)
    more = (special.betainc(hits, n - hits + 1, low) + special.betainc(hits + 1, n - hits, low)) / 2
    fewer = (
        special.betaincc(hits, n - hits + 1, high) + special.betaincc(hits + 1, n - hits, high)
    ) / 2
    # Limits below the least float are 0.
    np.testing.assert_allclose(more[low > 1e-300], alpha / 2, rtol=1e-6)
    np.testing.assert_allclose(fewer[1 - high > 1e-9], alpha / 2, rtol=1e-4)


@pytest.mark.parametrize(("level", "least"), [(0.95, 0.912), (0.99, 0.982), (0.9, 0.825)])
def test_mid_p_limits_cover_each_share_by_all_outcomes(level, least):
    """Of 1 to 60 samples; of Wilson's limits the least is 0.794 at 95 %."""
    covered = 1.0
    for n in range(1, 61):
        hits = np.arange(n + 1)
        low, high = mid_p(hits, n, 1 - level)
        # Coverage changes at the limits alone.
        ends = np.concatenate([low, high])
        shares = np.clip(np.concatenate([ends - 1e-9, ends + 1e-9]), 0, 1)
        is_within = (low <= shares[:, None]) & (shares[:, None] <= high)
        covered = min(covered, (stats.binom.pmf(hits, n, shares[:, None]) * is_within).sum(1).min())
    assert least <= covered < least + 0.001


def test_no_hit_leaves_0_possible_and_hits_alone_leave_1():
    # At other levels and numbers the middle minus the half is -1e-17 or 1e-17.
    n = np.arange(1, 60)
    cm = ConfusionMatrix.from_counts(
        np.stack([np.zeros((59, 2)), np.stack([n, 0 * n], -1)], 1), labels=[0, 1]
    )
    for level in np.linspace(0.5, 0.999, 20):
        assert (cm.interval("recall", confidence_level=level).low == 0).all()
        assert (cm.interval("false_negative_rate", confidence_level=level).high == 1).all()


def test_limits_of_a_difference_of_two_proportions_are_those_published():
    # Newcombe (1998), Statistics in Medicine 17:873, table II, method 10: 56/70 - 48/80.
    first, second = wilson(56, 70, 0.05), wilson(80 - 48, 80, 0.05)
    limits = mover((np.array(56 / 70), np.array(32 / 80)), (first, second))
    np.testing.assert_allclose([limits.low - 1, limits.high - 1], [0.0524, 0.3339], atol=5e-5)


def test_limits_are_a_pair_with_names():
    assert Limits(0.1, 0.2) == (0.1, 0.2)
    assert wilson(1, 2, 0.05)._fields == ("low", "high")


@pytest.mark.parametrize(("hits", "n"), [(81, 263), (15, 148), (0, 20), (20, 20), (1, 29)])
@pytest.mark.parametrize(("limits_of", "method"), [(wilson, "wilson"), (clopper_pearson, "beta")])
def test_limits_are_those_of_statsmodels(hits, n, limits_of, method):
    np.testing.assert_allclose(
        limits_of(hits, n, 0.1), proportion_confint(hits, n, 0.1, method), atol=1e-12
    )
