"""Limits of proportions by their definitions, from the distributions of scipy."""

from math import hypot
from typing import NamedTuple

import numpy as np
from scipy import optimize, special


class Limits(NamedTuple):
    """A lower and an upper limit."""

    low: float
    high: float


def mid_p(hits, n, error=0.05):
    """The shares at which more hits, and half of as many, have half of the error, and fewer
    likewise: of numbers the binomial's tails, of fractions those of the beta distribution.
    """
    return Limits(_lowest(hits, n, error), 1 - _lowest(n - hits, n, error))


def _lowest(hits, n, error):
    """The lower limit."""
    if not hits:
        return 0.0

    def tail(share):
        as_many = special.betainc(hits, n - hits + 1, share)
        more = special.betainc(hits + 1, n - hits, share) if hits < n else 0
        return (as_many + more) / 2 - error / 2

    return optimize.brentq(tail, 0, 1, xtol=1e-300, rtol=1e-14, maxiter=5000)


def mid_p_of_all(n, error=0.05):
    """The limits (n + 1,) of each number of hits, by halves."""
    hits = np.arange(1, n + 1)
    low, high = np.zeros(n), np.ones(n)
    for _ in range(60):
        share = (low + high) / 2
        as_many = special.betainc(hits, n - hits + 1, share)
        more = np.where(hits < n, special.betainc(hits + 1, np.maximum(n - hits, 1), share), 0)
        is_above = as_many + more > error
        low, high = np.where(is_above, low, share), np.where(is_above, share, high)
    lowest = np.concatenate([[0], low])
    return Limits(lowest, 1 - lowest[::-1])


def newcombe(hits, n, other_hits, other_n, error=0.05):
    """Limits of the difference of two shares by MOVER of their mid-P limits."""
    share, other = hits / n, other_hits / other_n
    of_one, of_other = mid_p(hits, n, error), mid_p(other_hits, other_n, error)
    below = hypot(share - of_one.low, of_other.high - other)
    above = hypot(of_one.high - share, other - of_other.low)
    return Limits(share - other - below, share - other + above)
