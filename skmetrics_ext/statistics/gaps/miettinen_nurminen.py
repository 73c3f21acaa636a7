"""Limits of a difference of two proportions by Miettinen & Nurminen's (1985) score test."""

import numpy as np
from scipy import special

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.gaps.limits import last_beyond

# So many steps of a difference give the rounding of floats.
STEPS = 1 << 50


def lowest_by_score(hits: Array, n: Array, alphas: Array) -> Array:
    """The lower limits (..., n_groups, n_groups) of each proportion minus each other's: the least
    difference that the test does not reject.
    """
    first, second = (hits[..., :, None], n[..., :, None]), (hits[..., None, :], n[..., None, :])
    z = -special.ndtri(alphas / 2)[..., None, None]
    width = np.nan_to_num(ratio(*first) - ratio(*second)) + 1

    def beyond(steps: Array) -> Array:
        """How far beyond its quantile the test is for a difference so many steps above -1."""
        return np.asarray(_statistic(first, second, width * (steps / STEPS) - 1) - z)

    return np.asarray(width * ((last_beyond(beyond, width.shape, STEPS) + 1) / STEPS) - 1)


def _statistic(first: tuple[Array, Array], second: tuple[Array, Array], shift: Array) -> Array:
    """The observed difference minus a shift in standard errors, if that is the true one."""
    (hits, n), (other_hits, other_n) = first, second
    other = _share_of_second(first, second, shift)
    share, total = np.clip(other + shift, 0, 1), n + other_n
    variance = share * (1 - share) / n + other * (1 - other) / other_n
    excess = ratio(hits, n) - ratio(other_hits, other_n) - shift
    return np.asarray(ratio(excess, np.sqrt(variance * total / (total - 1))))


def _share_of_second(
    first: tuple[Array, Array], second: tuple[Array, Array], shift: Array
) -> Array:
    """The likeliest share of the second group if the difference is the shift: a root of a cubic."""
    (hits, n), (other_hits, other_n) = first, second
    total = n + other_n
    a = (n + 2 * other_n) * shift - total - hits - other_hits
    b = (other_n * shift - total - 2 * other_hits) * shift + hits + other_hits
    c = other_hits * shift * (1 - shift)
    a, b, c = a / total, b / total, c / total
    q, p = a**3 / 27 - a * b / 6 + c / 2, np.sqrt(np.maximum(a**2 / 9 - b / 3, 0))
    p = np.where(q > 0, p, -p)
    angle = (np.pi + np.arccos(np.clip(ratio(q, p**3), -1, 1))) / 3
    share = 2 * p * np.cos(np.nan_to_num(angle)) - a / 3
    least, most = np.maximum(-shift, 0), np.minimum(1 - shift, 1)
    return np.asarray(np.clip(share, least, most))
