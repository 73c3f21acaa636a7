"""Limits at any level -> p-values that invert them."""

from collections.abc import Callable

from scipy import special

from skmetrics_ext.statistics.proportions import Limits

# Levels are searched on the logit scale between this, about 1e-100, and its negative, to the
# rounding of floats.
FARTHEST = -230.0
HALVINGS = 55

# The limits of a difference at any alpha.
LimitsAt = Callable[[float], Limits]


def p_value_of(limits_at: LimitsAt, difference: float) -> float:
    """The two-sided p-value of no difference: the least level of limits that exclude 0."""
    if difference == 0:
        return 1.0
    limits_of_size = limits_at if difference > 0 else reversed_limits(limits_at)
    return min(1.0, 2 * p_value_above(limits_of_size, 0, 0.025))


def p_value_above(limits_at: LimitsAt, bound: float, level: float) -> float:
    """The least one-sided level at which the lower limit is above a bound: the p-value of a
    difference up to there.

    At a level above one half the lower limit is the upper one of 1 - level. Limits of areas may
    widen a little as alpha grows, so the search starts at the level of the test.
    """
    too_small, enough, middle = FARTHEST, -FARTHEST, float(special.logit(level))
    for _ in range(HALVINGS):
        limits = limits_at(2 * float(special.expit(-abs(middle))))
        is_above = (limits.low if middle < 0 else limits.high) > bound
        too_small, enough = (too_small, middle) if is_above else (middle, enough)
        middle = (too_small + enough) / 2
    return float(special.expit(enough))


def reversed_limits(limits_at: LimitsAt) -> LimitsAt:
    """The limits of the difference b - a."""

    def reversed_at(alpha: float) -> Limits:
        low, high = limits_at(alpha)
        return Limits(-high, -low)

    return reversed_at
