"""Limits and p-values that agree: p-values that invert limits, and limits that follow a test."""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy import optimize, special

from skmetrics_ext.statistics.arrays import Limits

# Levels are searched up to this normal quantile, about 1e-100, to the rounding of floats.
FARTHEST, ROUNDING, MOST_STEPS = 21.25, 1e-15, 1000
# How far a limit is from a bound is no less, and no more.
NEGLIGIBLE, LARGEST = 1e-300, 1e100

# Lower levels are looked at in steps of the normal quantile, up to the last one, where hardly any
# limits become nearer.
STEPS, LAST = 8, 48

LimitsAt = Callable[[float], Limits]


def p_value_of(limits_at: LimitsAt, difference: float) -> float:
    """The p-value of no difference: the least level of limits that exclude 0."""
    if difference == 0:
        return 1.0
    limits_of_size = limits_at if difference > 0 else reversed_limits(limits_at)
    return min(1.0, 2 * p_value_above(limits_of_size, 0, 0.025))


def p_value_above(limits_at: LimitsAt, bound: float, level: float) -> float:
    """The least one-sided level whose lower limit is above a bound: the p-value of a difference up
    to it, by Brent's (1973) search among normal quantiles, on which most limits are almost linear.

    The search starts at the test's level, since limits of areas may widen a little as alpha grows.
    """
    enough = [FARTHEST]

    @cache
    def beyond(quantile: float) -> float:
        """How far the limit is above the bound; never 0, so that each quantile is on a side."""
        limits = limits_at(2 * float(special.ndtr(-abs(quantile))))
        excess = float((limits.low if quantile < 0 else limits.high) - bound)
        size = min(max(NEGLIGIBLE, abs(excess)), LARGEST)
        if excess > 0:
            enough.append(quantile)
            return size
        return -size

    near = far = start = float(special.ndtri(level))
    is_enough = beyond(start) > 0
    while (beyond(far) > 0) == is_enough and abs(far) < FARTHEST:
        step = max(1.0, abs(far - start))
        near = far
        far = max(far - step, -FARTHEST) if is_enough else min(far + step, FARTHEST)
    if (beyond(far) > 0) != is_enough:
        optimize.brentq(beyond, near, far, xtol=ROUNDING, maxiter=MOST_STEPS)
    return float(special.ndtr(min(enough)))


def reversed_limits(limits_at: LimitsAt) -> LimitsAt:
    """The limits of the difference b - a."""

    def reversed_at(alpha: float) -> Limits:
        low, high = limits_at(alpha)
        return Limits(-high, -low)

    return reversed_at


def on_logarithm(limits_at: LimitsAt) -> LimitsAt:
    """The limits of the logarithm of what limits are of."""

    def logarithms_at(alpha: float) -> Limits:
        with np.errstate(divide="ignore"):
            return Limits(*np.log(limits_at(alpha)))

    return logarithms_at


def nested(limits_at: LimitsAt) -> LimitsAt:
    """The same limits, no nearer than those at lower levels, as those by correlations may be."""
    found_at = cache(limits_at)

    @cache
    def nested_at(alpha: float) -> Limits:
        n_lower = min(int(-special.ndtri(alpha / 2) * STEPS), LAST)
        lower = 2 * special.ndtr(-np.arange(1, n_lower + 1) / STEPS)
        lows, highs = zip(*map(found_at, [alpha, *lower.tolist()]), strict=True)
        return Limits(np.min(lows), np.max(highs))

    return nested_at


def agreeing(limits: Limits, value: Any, p_value: Any, alpha: Any, equality: float = 0.0) -> Limits:
    """Limits that reach to equality where it is not rejected at level alpha, and stop short of it,
    on the value's side, where it is; so both stay valid, and nested in the level. NaN ones stay.
    """
    low, high = limits
    is_kept, is_rejected = np.greater_equal(p_value, alpha), np.less(p_value, alpha)
    low = np.where(is_kept, np.minimum(low, equality), low)
    high = np.where(is_kept, np.maximum(high, equality), high)
    is_above = is_rejected & np.greater(value, equality) & (low <= equality)
    is_below = is_rejected & np.less(value, equality) & (high >= equality)
    return Limits(
        np.where(is_above, math.nextafter(equality, math.inf), low),
        np.where(is_below, math.nextafter(equality, -math.inf), high),
    )


def reaching_or_beyond(limits: Limits, margin: float, is_above: bool, is_below: bool) -> Limits:
    """Limits that stop short of a margin if the value is shown to be within, else reach there."""
    low, high = limits
    least = math.nextafter(-margin, math.inf)
    return Limits(
        np.maximum(low, least) if is_above else np.minimum(low, -margin),
        np.minimum(high, -least) if is_below else np.maximum(high, margin),
    )
