"""Tang's limits: the ratio of two proportions of the same samples, by the score test."""

from __future__ import annotations

import math

from scipy import special

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.values.proportions import limits_of_test

# Nearer limits of a ratio are the observed one.
BESIDE = 1e-9


def tang(both: int, only_first: int, only_second: int, alpha: float) -> Limits:
    """Limits of the first proportion divided by the second (Tang, Tang & Chan 2003).

    Samples that neither has right do not count. Where both have none right, any ratio may be true.
    """
    if not both + only_first + only_second:
        return Limits(ratio(0, 1), ratio(1, 0))
    highest = (
        _highest_share(both, *of, alpha)
        for of in ((only_second, only_first), (only_first, only_second))
    )
    of_second, of_first = highest
    return Limits(ratio(1 - of_second, of_second), ratio(of_first, 1 - of_first))


def _highest_share(both: int, only_first: int, only_second: int, alpha: float) -> float:
    """The upper limit of ratio / (1 + ratio), which ends at 1."""
    z_squared = float(special.ndtri(alpha / 2)) ** 2
    first, second = both + only_first, both + only_second

    def excess(share: float) -> float:
        """How far the squared statistic exceeds its quantile, times a difference's variance."""
        rest = 1 - share
        variance = _variance(both, only_first, only_second, share)
        return (first * rest - second * share) ** 2 - z_squared * variance

    observed = first / (first + second)
    return float(limits_of_test(excess, observed, (observed, 1.0), BESIDE).high)


def _variance(both: int, only_first: int, only_second: int, share: float) -> float:
    """That of rest * first - share * second, at the likeliest number of samples that only the
    second has right if the ratio is share / rest.
    """
    rest, any_right = 1 - share, both + only_first + only_second
    b = (both + only_second) * share**2 - (both + only_first + 2 * only_second) * rest**2
    c = only_second * (rest - share) * any_right * rest
    root = math.sqrt(max(b * b - 4 * rest * c, 0.0))
    # The roots of rest * x**2 + b * x + c, without cancellation.
    least = -2 * c / (b + root) if b > 0 else _divided(root - b, 2 * rest)
    return max(rest * least + (share - rest) * rest * any_right, 0.0)


def _divided(numerator: float, denominator: float) -> float:
    """A quotient, 0 for 0/0."""
    return numerator / denominator if denominator else 0.0
