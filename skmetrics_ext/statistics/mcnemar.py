"""Paired proportions: McNemar's test with its mid-p-value, Tango's limits of their difference."""

import math

import numpy as np
from scipy import special, stats

from skmetrics_ext.statistics.proportions import Limits, limits_of_test

# Nearer limits are the observed difference.
BESIDE = 1e-9


@np.errstate(under="ignore")
def mid_p_value(only_first: int, only_second: int) -> float:
    """McNemar's two-sided mid-p-value: the observed outcome counts half (Lancaster 1961)."""
    distribution = stats.binom(only_first + only_second, 0.5)
    rarer = min(only_first, only_second)
    return min(float(2 * distribution.cdf(rarer) - distribution.pmf(rarer)), 1.0)


def tango(only_first: int, only_second: int, n: int, alpha: float) -> Limits:
    """Limits of a difference of two proportions of n samples by Tango's (1998) score test."""
    z_squared = float(special.ndtri(alpha / 2)) ** 2
    difference = (only_first - only_second) / n

    def excess(shift: float) -> float:
        """How far the squared statistic exceeds its quantile, times a difference's variance."""
        least = _share_of_second(only_first, only_second, n, shift)
        return (only_first - only_second - n * shift) ** 2 - z_squared * n * (
            2 * least + shift * (1 - shift)
        )

    # At the difference itself the test may be 0/0.
    return limits_of_test(excess, difference, (-1.0, 1.0), BESIDE)


def _share_of_second(only_first: int, only_second: int, n: int, shift: float) -> float:
    """The likeliest share that only the second has correct, if the difference is the shift."""
    b = (2 * n - only_first + only_second) * shift - only_first - only_second
    c = -only_second * shift * (1 - shift)
    return (math.sqrt(max(b * b - 8 * n * c, 0.0)) - b) / (4 * n)
