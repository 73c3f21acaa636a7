"""Exact arithmetic with what ratios of counts need: an undefined value, infinities, roots, logarithms, probits."""

import functools
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist

INFINITY = math.inf

# What 0/0 gives, and everything that is computed of it.
UNDEFINED = None

Value = Fraction | float | None

# Roots are rounded, to so many bits that no tolerance ever sees it.
ROOT_BITS = 128
# Digits of a logarithm, and of one of a share so near 1 that weights 200 orders of magnitude apart tell them apart.
LOG_DIGITS, LOG_DIGITS_NEAR_1 = 40, 250


def divide(numerator: Value, denominator: Value) -> Value:
    """The ratio: 0/0 is undefined, and anything else over 0 infinite."""
    if numerator is UNDEFINED or denominator is UNDEFINED:
        return UNDEFINED
    if infinite(denominator):
        return UNDEFINED if infinite(numerator) else Fraction(0)
    if denominator:
        return numerator / denominator
    if not numerator:
        return UNDEFINED
    return INFINITY if numerator > 0 else -INFINITY


def infinite(value: Fraction | float) -> bool:
    """Whether a value is infinite; a Fraction never is, however large."""
    return isinstance(value, float) and math.isinf(value)


def root(x: Fraction) -> Fraction:
    """The square root, as a Fraction so that no size of it overflows."""
    shift = max(0, ROOT_BITS - (x.numerator.bit_length() - x.denominator.bit_length()) // 2)
    return Fraction(math.isqrt((x.numerator << 2 * shift) // x.denominator), 1 << shift)


def log(x: Fraction) -> float:
    """The natural logarithm, minus infinity of 0, also of what is beyond the range of floats."""
    if not x:
        return -INFINITY
    if Fraction(1, 2) <= x <= 2:
        return math.log1p(float(x - 1))
    return math.log(x.numerator) - math.log(x.denominator)


@functools.cache
def precise_log(x: Fraction) -> Fraction | float:
    """The natural logarithm with all digits that a comparison with another may need, minus infinity of 0."""
    if not x:
        return -INFINITY
    with localcontext() as context:
        context.prec = LOG_DIGITS if abs(x - 1) > Fraction(1, 10**9) else LOG_DIGITS_NEAR_1
        return Fraction((Decimal(x.numerator) / Decimal(x.denominator)).ln())


def probit(share: Fraction) -> float:
    """The quantile of the normal distribution, infinite at 0 and at 1."""
    if share > Fraction(1, 2):
        return -probit(1 - share)
    return NormalDist().inv_cdf(max(float(share), math.ulp(0.0))) if share else -INFINITY


def add(one: float, other: float) -> Value:
    """The sum, undefined of infinities that contradict each other."""
    total = one + other
    return UNDEFINED if math.isnan(total) else total


def mean(values: list[Fraction]) -> Value:
    """The plain mean; undefined of nothing."""
    return divide(sum(values, Fraction(0)), Fraction(len(values)))


def to_float(value: Fraction | float) -> float:
    """The nearest float, infinite beyond the largest."""
    try:
        return float(value)
    except OverflowError:
        return INFINITY if value > 0 else -INFINITY
