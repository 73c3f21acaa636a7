"""Limits of a share of samples, and of a sum of two shares."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.division import ratio

Array = NDArray[np.float64]


class Limits(NamedTuple):
    """A lower and an upper limit of each value."""

    low: Array
    high: Array


def wilson(hits: Any, n: Any, alpha: float) -> Limits:
    """Limits by Wilson (1927): the shares that a score test of level alpha does not reject; (0, 1) without samples."""
    hits, n = np.broadcast_arrays(np.asarray(hits, dtype=float), np.asarray(n, dtype=float))
    z = -special.ndtri(alpha / 2)
    half = z * np.sqrt(ratio(hits * (n - hits), np.where(n > 0, n, 1)) + z**2 / 4)
    middle, total = hits + z**2 / 2, n + z**2
    # Of no hit, or of hits alone, the limit is exact, and not what rounding leaves.
    return Limits(np.where(hits == 0, 0, (middle - half) / total), np.where(hits == n, 1, (middle + half) / total))


def clopper_pearson(hits: Any, n: Any, alpha: float) -> Limits:
    """Limits by Clopper & Pearson (1934): the shares that neither tail of the binomial law rejects."""
    return Limits(lowest_share(hits, n, alpha / 2), highest_share(hits, n, alpha / 2))


def lowest_share(hits: Any, n: Any, error: float) -> Array:
    """The lower one of them, which the true share is below with a probability of at most `error`."""
    hits, n = np.broadcast_arrays(np.asarray(hits, dtype=float), np.asarray(n, dtype=float))
    return np.where(hits == 0, 0, special.betaincinv(np.maximum(hits, 1), n - hits + 1, error))


def highest_share(hits: Any, n: Any, error: float) -> Array:
    """The upper one of them, which the true share is above with a probability of at most `error`."""
    hits, n = np.broadcast_arrays(np.asarray(hits, dtype=float), np.asarray(n, dtype=float))
    misses = n - hits
    return np.where(misses == 0, 1, special.betaincinv(hits + 1, np.maximum(misses, 1), 1 - error))


def mover(shares: tuple[Array, Array], limits: tuple[Limits, Limits]) -> Limits:
    """Limits of the sum of two independent shares from those of each, by the square-and-add of Newcombe (1998)."""
    below = np.hypot(*(share - of.low for share, of in zip(shares, limits, strict=True)))
    above = np.hypot(*(of.high - share for share, of in zip(shares, limits, strict=True)))
    total = shares[0] + shares[1]
    return Limits(total - below, total + above)
