"""The e-process of a share: exact fractions, its expectation over all outcomes, its speed."""

import itertools
from fractions import Fraction
from functools import cache
from math import comb, prod

import numpy as np
import pytest

from skmetrics_ext.analyses.watch import e_process

N = (1, 3, 2, 3)
OUTCOMES = np.array(list(itertools.product(*(range(n + 1) for n in N)))).T


def integral(a, b, end):
    """Of q^(a - 1) (1 - q)^(b - 1) from 0 to the end, for whole a and b."""
    return sum(Fraction((-1) ** k * comb(b - 1, k), a + k) * end ** (a + k) for k in range(b))


@cache
def exact_ratio(hits, misses, bound):
    """The likelihood of shares below the bound, with weights of a beta distribution worth 20
    samples, to its own.
    """
    a, b = int(20 * bound), int(20 * (1 - bound))
    mixed = integral(a + hits, b + misses, bound) / integral(a, b, bound)
    return mixed / (bound**hits * (1 - bound) ** misses)


def exact_e_values(hits, bound, horizon):
    """The mean of the ratios that start in each month, at the end of each."""
    for end in range(1, len(N) + 1):
        parts = [(sum(hits[start:end]), sum(N[start:end])) for start in range(min(end, horizon))]
        started = [exact_ratio(right, n - right, bound) for right, n in parts]
        yield (sum(started) + horizon - len(started)) / Fraction(horizon)


@cache
def probability(hits, shares):
    return prod(
        comb(n, x) * p**x * (1 - p) ** (n - x) for n, x, p in zip(N, hits, shares, strict=True)
    )


@pytest.mark.parametrize("horizon", [1, 2, 4, 6])
@pytest.mark.parametrize("bound", [Fraction(9, 10), Fraction(3, 4), Fraction(1, 2), Fraction(1, 5)])
def test_over_all_outcomes_the_expectation_is_1_at_the_bound_and_less_above_it(bound, horizon):
    outcomes = [tuple(map(int, hits)) for hits in OUTCOMES.T]
    exact = [list(exact_e_values(hits, bound, horizon)) for hits in outcomes]
    values, _ = e_process(OUTCOMES, np.array(N)[:, None] - OUTCOMES, float(bound), horizon)
    np.testing.assert_allclose(values.T, np.array(exact, dtype=float), rtol=1e-10)

    above = (1 + bound) / 2
    for shares in ((bound,) * 4, (above,) * 4, (bound, above, bound, 1)):
        chances = [probability(hits, shares) for hits in outcomes]
        assert sum(chances) == 1
        expected = [
            sum(c * e[month] for c, e in zip(chances, exact, strict=True))
            for month in range(len(N))
        ]
        assert (
            expected == [1] * 4
            if shares == (bound,) * 4
            else max(expected) <= 1 and expected[-1] < 1
        )
        # Ville: at any time, at any level.
        for level in map(float, {max(e) for e in exact}):
            is_above = (values.max(0) >= level * (1 - 1e-12)).tolist()
            assert sum(itertools.compress(chances, is_above)) <= 1 / level + 1e-12
    below = [probability(hits, (bound / 2,) * 4) for hits in outcomes]
    assert sum(c * e[-1] for c, e in zip(below, exact, strict=True)) > 1


def test_the_start_is_the_month_since_which_the_share_is_low():
    hits = np.array([60, 58, 59, 40, 41, 39, 60, 60])
    values, starts = e_process(hits, 60 - hits, 0.9, 12)
    assert starts[4:].tolist() == [3] * 4
    assert values[2] < 1 < 20 < values[4]


def test_neither_large_counts_nor_empty_months_are_a_problem():
    n = np.array([0, 10**9, 0, 10**9])
    low, _ = e_process(n // 2, n - n // 2, 0.9, 4)
    assert low.tolist() == [1, np.inf, np.inf, np.inf]
    # Those that have not started yet are 1, and so is one since the empty month until the next one
    # ends.
    high, _ = e_process(n, 0 * n, 0.9, 4)
    np.testing.assert_allclose(high, [1, 0.5, 0.5, 0], atol=1e-6)


@pytest.mark.slow
def test_false_alarms_are_rare_and_falls_are_seen_soon():
    """The numbers in the docstring of watch: at 60 samples a month for 24 months, with a bound of
    0.9 and a level of 0.05.
    """
    rng = np.random.default_rng(0)

    def months_of_alarms(shares, horizon=24):
        """The number of the month of the first alarm in each of 5,000 streams; 99 for none."""
        hits = rng.binomial(60, np.array(shares)[:, None], (24, 5000))
        reached = e_process(hits, 60 - hits, 0.9, horizon)[0] >= 20
        return np.where(reached.any(0), reached.argmax(0) + 1, 99)

    # Five standard errors are .007; the medians lie four from the months before and after.
    assert np.mean(months_of_alarms([0.9] * 24) < 99) == pytest.approx(0.009, abs=0.007)
    assert np.median(months_of_alarms([0.85] * 24)) == 8
    later = months_of_alarms([0.95] * 12 + [0.85] * 12)
    assert np.mean(later < 99) == pytest.approx(0.82, abs=0.03)
    assert np.median(later) == 12 + 8
    # A single ratio, from the first month on, is held back by the months before the fall.
    assert np.mean(months_of_alarms([0.95] * 12 + [0.85] * 12, horizon=1) < 99) < 0.004
