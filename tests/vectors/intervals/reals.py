"""Quantiles to 60 digits and more, each from a series of positive terms: nothing cancels."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from tests.vectors.exact import REALS, probit

Real = Any

# Of the quantiles; a search begins with few digits, which most of its steps need.
DIGITS, FEW_DIGITS = 80, 25
# So many terms at most are summed one by one.
FEW_TERMS = 200


class Level(NamedTuple):
    """How often both limits together may miss, and so many standard errors of the normal
    distribution.
    """

    alpha: Real
    errors: Real


class Limits(NamedTuple):
    """A lower and an upper limit."""

    low: Real
    high: Real


def level_of(confidence_level: str) -> Level:
    """The level of two-sided limits that hold as often."""
    return level_of_alpha(1 - Fraction(confidence_level))


def level_of_alpha(alpha: Fraction) -> Level:
    """The level of limits that miss as often."""
    return Level(REALS.convert(alpha), -probit(alpha / 2))


def level_of_errors(errors: Real) -> Level:
    """The level at which normal limits are so many standard errors away."""
    return Level(REALS.erfc(errors / REALS.sqrt(2)), errors)


def real(value: Any) -> Real:
    """A fraction as a real number, with which it can be mixed."""
    return REALS.convert(value)


def as_fraction(value: Real) -> Fraction:
    """The fraction that a real number is."""
    mantissa, exponent = map(int, real(value).man_exp)
    return mantissa * Fraction(2) ** exponent


def student_errors(degrees: Any, alpha: Real) -> Real:
    """The quantile of Student's t at 1 - alpha / 2, of any number of degrees of freedom.

    With x = degrees / (degrees + t^2), t is exceeded on either side with the probability
    I_x(degrees / 2, 1/2).
    """
    x = beta_quantile(Fraction(degrees) / 2, Fraction(1, 2), alpha)
    return REALS.sqrt(real(degrees) * (1 - x) / x)


def beta_quantile(a: Any, b: Any, share: Real) -> Real:
    """The x below which a variable with the beta distribution is with this probability, well below
    its mean.

    With y = 1 - x, I_x(a, b) is x^a y^b / (a B(a, b)) (1 + x (a + b) / (a + 1) + ...), and for a
    whole b x^a (1 + y a / 1 + y^2 a (a + 1) / 2 + ...) of b terms.
    """
    first, other = real(a), real(b)
    log_beta = REALS.loggamma(first) + REALS.loggamma(other) - REALS.loggamma(first + other)
    log_of = _log_share_of_beta(a, b)

    def log_share(log_x: Real) -> tuple[Real, Real]:
        value, log_slope = log_of(log_x)
        return value, REALS.exp(log_slope - value)

    start = (REALS.log(share) + REALS.log(first) + log_beta) / first
    mean = first / (first + other)
    spread = REALS.sqrt(mean * (1 - mean) / (first + other + 1))
    near = mean - REALS.sqrt(-2 * REALS.log(share)) * spread
    if near > 0:
        # With b of 1 or more the start is at most the root, else at least.
        start = (max if other >= 1 else min)(start, REALS.log(near))
    return REALS.exp(_root(log_share, start, REALS.log(share)))


def _log_share_of_beta(a: Any, b: Any) -> Callable[[Real], tuple[Real, Real]]:
    """The logarithms of the probability below x, and of its derivative by log x, of log x."""
    first, other = real(a), real(b)
    log_beta = REALS.loggamma(first) + REALS.loggamma(other) - REALS.loggamma(first + other)
    is_short = Fraction(b).denominator == 1 and b < min(a, FEW_TERMS)

    def log_share(log_x: Real) -> tuple[Real, Real]:
        x, y = REALS.exp(log_x), -REALS.expm1(log_x)
        # By log x, the share rises by x times its density.
        log_slope = first * log_x + (other - 1) * REALS.log(y) - log_beta
        if is_short:
            value = first * log_x + REALS.log(_sum_of_products(y, Fraction(1), Fraction(a), int(b)))
        else:
            series = _sum_of_products(x, Fraction(a) + 1, Fraction(a + b))
            value = log_slope + REALS.log(y * series / first)
        return value, log_slope

    return log_share


def mid_p_quantile(hits: Any, misses: Any, share: Real) -> Real:
    """The proportion at which more hits, and half of the probability of as many, have this
    probability together.

    So many hits have x^hits y^misses / (hits B(hits, misses + 1)), and its half is subtracted from
    the probability of as many or more.
    """
    log_of, number, others = _log_share_of_beta(hits, misses + 1), real(hits), real(misses)

    def log_share(log_x: Real) -> tuple[Real, Real]:
        value, log_slope = log_of(log_x)
        x, of_as_many = REALS.exp(log_x), REALS.exp(log_slope) / number
        both = REALS.exp(value) - of_as_many / 2
        slope = of_as_many * (number + others * x / (1 - x)) / 2
        return REALS.log(both), slope / both

    start = REALS.log(beta_quantile(hits, misses + 1, share))
    return REALS.exp(_root(log_share, start, REALS.log(share)))


def _sum_of_products(
    x: Real, below: Fraction, above: Fraction | None = None, n_terms: float = math.inf
) -> Real:
    """1 + x above / below + x^2 above (above + 1) / (below (below + 1)) + ..., or the same without
    the numerators, in integers: 2^bits is 1.
    """
    bits = REALS.prec + 20
    unit, factor = 1 << bits, int(REALS.ldexp(x, bits))
    step = below.denominator * (above.denominator if above else 1)
    divisor, times = int(below * step), int(above * step) if above else step
    total, term, k = 0, unit, 0
    while term and k < n_terms:
        total += term
        term = term * factor * times // divisor >> bits
        k += 1
        divisor += step
        times += step if above else 0
    return REALS.mpf(total) / unit


def _root(of: Callable[[Real], tuple[Real, Real]], start: Real, target: Real) -> Real:
    """Where a concave increasing function, given with its slope, has a value, by Newton's steps."""
    place = start
    for digits in (FEW_DIGITS, DIGITS):
        with REALS.workdps(digits + 5):
            smallest, step = REALS.mpf(10) ** (5 - digits), REALS.inf
            while abs(step) > smallest * (1 + abs(place)):
                value, slope = of(place)
                step = (target - value) / slope
                place += step
    return place


def where_zero(of: Callable[[Real], Real], low: Real, high: Real) -> Real:
    """Where a function is 0 between two places at which it has different signs: by halves, and at
    last by secants.
    """
    ends = [real(low), real(high)]
    is_positive = of(ends[1]) > 0
    if (of(ends[0]) > 0) == is_positive:
        raise ValueError("the function has the same sign at both ends")
    while abs(ends[1] - ends[0]) > abs(ends[1]) * REALS.mpf(10) ** -FEW_DIGITS:
        middle = sum(ends) / 2
        ends[(of(middle) > 0) == is_positive] = middle
    values = [of(end) for end in ends]
    while abs(ends[1] - ends[0]) > abs(ends[1]) * REALS.mpf(10) ** -DIGITS:
        place = ends[1] - values[1] * (ends[1] - ends[0]) / (values[1] - values[0])
        ends, values = [ends[1], place], [values[1], of(place)]
        if not values[1]:
            return place
    return ends[1]
