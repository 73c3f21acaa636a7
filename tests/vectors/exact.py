"""Exact arithmetic for ratios of counts: undefined values, infinities, roots, logarithms."""

import functools
import math
from fractions import Fraction

from mpmath import MPContext

INFINITY = math.inf

# What 0/0 gives, and everything that is computed of it.
UNDEFINED = None

# Numbers that are no ratios. The digits beyond those that anybody sees are for differences that
# nearly cancel.
REALS = MPContext()
REALS.dps = 120

Value = Fraction | REALS.mpf | float | None


def divide(numerator: Value, denominator: Value) -> Value:
    """The ratio: 0/0 is undefined, and anything else over 0 infinite."""
    if numerator is UNDEFINED or denominator is UNDEFINED:
        return UNDEFINED
    if infinite(denominator):
        return UNDEFINED if infinite(numerator) else Fraction(0)
    if denominator:
        numerator, denominator = alike(numerator, denominator)
        return numerator / denominator
    if not numerator:
        return UNDEFINED
    return INFINITY if numerator > 0 else -INFINITY


def infinite(value: Value) -> bool:
    """Whether a value is infinite, not only too large for a float."""
    return value in (INFINITY, -INFINITY)


def root(x: Fraction, degree: int = 2) -> Value:
    """The root, which is a Fraction where both parts of it are powers."""
    parts = [int(REALS.nint(REALS.root(part, degree))) for part in (x.numerator, x.denominator)]
    rounded = Fraction(*parts)
    return rounded if rounded**degree == x else REALS.root(REALS.convert(x), degree)


@functools.lru_cache(2**16)
def log(x: Fraction) -> Value:
    """The natural logarithm, minus infinity of 0."""
    if not x:
        return -INFINITY
    return (
        REALS.log1p(REALS.convert(x - 1)) if Fraction(1, 2) < x < 2 else REALS.log(REALS.convert(x))
    )


@functools.lru_cache(2**16)
def probit(share: Fraction) -> Value:
    """The quantile of the normal distribution, infinite at 0 and at 1."""
    if share > Fraction(1, 2):
        return -probit(1 - share)
    if not share or share == Fraction(1, 2):
        return -INFINITY if not share else Fraction(0)
    # Newton's method for the logarithm of the distribution function, which is concave: it comes
    # from below.
    quantile, step = -REALS.sqrt(-2 * log(share)), 1
    while abs(step) > abs(quantile) * REALS.mpf(10) ** -(REALS.dps // 2):
        tail = REALS.erfc(-quantile / REALS.sqrt(2)) / 2
        step = (log(share) - REALS.log(tail)) * tail / REALS.npdf(quantile)
        quantile += step
    return quantile


def add(*values: Value) -> Value:
    """The sum, undefined of infinities that contradict each other."""
    total = sum(alike(*values))
    return total if total == total else UNDEFINED


def times(one: Value, other: Value) -> Value:
    """The product."""
    one, other = alike(one, other)
    return one * other


def alike(*values: Value) -> tuple[Value, ...]:
    """All values as reals, which Fractions do not mix with before mpmath 1.4, if one of them is."""
    return (
        tuple(map(REALS.convert, values))
        if any(isinstance(value, REALS.mpf) for value in values)
        else values
    )


def mean(values: list[Fraction]) -> Value:
    """The plain mean; undefined of nothing."""
    return divide(sum(values, Fraction(0)), Fraction(len(values)))


def to_float(value: Value) -> float:
    """The nearest float, infinite beyond the largest."""
    try:
        return float(value)
    except OverflowError:
        return INFINITY if value > 0 else -INFINITY
