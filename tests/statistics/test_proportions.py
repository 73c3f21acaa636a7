"""Limits of proportions against published tables and scipy."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.statistics.proportions import (
    Limits,
    clopper_pearson,
    modified_wilson,
    mover,
    wilson,
)

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


@pytest.mark.parametrize("limits_of", [wilson, clopper_pearson])
def test_limits_without_samples_and_of_arrays(limits_of):
    hits, n = np.array([[0, 0, 3], [0, 1, 7]]), np.array([0, 4, 7])
    together = limits_of(hits, n, 0.05)
    for place in np.ndindex(2, 3):
        alone = limits_of(hits[place], n[place[1]], 0.05)
        assert (together.low[place], together.high[place]) == tuple(alone)
    assert tuple(limits_of(0, 0, 0.05)) == (0, 1)
    assert limits_of(5, 5, 0.05).high == 1
    assert limits_of(0, 5, 0.05).low == 0


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_limits_of_one_or_two_hits_or_misses_are_those_of_poisson(level):
    # Brown, Cai & DasGupta (2001), section 4.1.1: half of the quantile of chi-squared of 2 x hits
    # at alpha, over n.
    n = 100
    for hits in range(n + 1):
        plain, found = wilson(hits, n, 1 - level), modified_wilson(hits, n, 1 - level)
        low = stats.chi2(2 * hits).ppf(1 - level) / 2 / n if hits in (1, 2) else plain.low
        high = (
            1 - stats.chi2(2 * (n - hits)).ppf(1 - level) / 2 / n
            if hits in (n - 2, n - 1)
            else plain.high
        )
        expected = [min(low, plain.low), max(high, plain.high)]
        if level > 0.99:
            exact = stats.binomtest(hits, n).proportion_ci(level, method="exact")
            expected = [min(expected[0], exact.low), max(expected[1], exact.high)]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-15)


def test_shares_are_covered_wherever_they_are_by_all_outcomes():
    for n in (20, 50, 200, 1000):
        hits = np.arange(n + 1)
        low, high = modified_wilson(hits, n, 0.05)
        shares = np.concatenate([np.geomspace(1e-4, 0.5, 300), 1 - np.geomspace(1e-4, 0.5, 300)])
        chances = stats.binom.pmf(hits, n, shares[:, None])
        is_within = (low <= shares[:, None]) & (shares[:, None] <= high)
        assert (chances * is_within).sum(1).min() >= 0.9


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
