"""Limits of a proportion, and of a sum, difference or ratio of two: each from its definition."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.vectors.exact import REALS, divide
from tests.vectors.intervals.reals import (
    Level,
    Limits,
    Real,
    beta_quantile,
    level_of,
    level_of_alpha,
    mid_p_quantile,
    real,
)

Outputs = dict[str, Any]


def wilson_limits(hits: Any, n: Any, level: Level) -> Limits:
    """The proportions p with (hits - n p)^2 <= z^2 n p (1 - p), which are the roots
    of (n + z^2) p^2 - (2 hits + z^2) p + hits^2 / n.
    """
    if not n:
        return Limits(Fraction(0), Fraction(1))
    hits, n, square = real(hits), real(n), level.errors**2
    half = REALS.sqrt((2 * hits + square) ** 2 - 4 * (n + square) * hits**2 / n)
    low, high = ((2 * hits + square + side * half) / (2 * (n + square)) for side in (-1, 1))
    return Limits(Fraction(0) if hits == 0 else low, Fraction(1) if hits == n else high)


def clopper_pearson_limits(hits: Any, n: Any, level: Level) -> Limits:
    """The proportions at which neither so many hits or more, nor so many
    or fewer, have a probability below alpha / 2.
    """
    return Limits(lowest_share(hits, n, level.alpha / 2), highest_share(hits, n, level.alpha / 2))


def lowest_share(hits: Any, n: Any, share: Real) -> Real:
    """The proportion at which so many hits or more have this probability; 0 without hits."""
    return beta_quantile(hits, n - hits + 1, share) if hits else Fraction(0)


def highest_share(hits: Any, n: Any, share: Real) -> Real:
    """The proportion at which so many hits or fewer have this probability; 1 without misses."""
    return 1 - beta_quantile(n - hits, hits + 1, share) if n > hits else Fraction(1)


def mid_p_limits(hits: Any, n: Any, level: Level) -> Limits:
    """The proportions at which more hits, and half of the probability of as many, have alpha / 2,
    and fewer likewise.
    """
    of_hits, of_misses = (
        mid_p_quantile(own, other, level.alpha / 2) if own else None
        for own, other in ((hits, n - hits), (n - hits, hits))
    )
    return Limits(
        Fraction(0) if of_hits is None else of_hits,
        Fraction(1) if of_misses is None else 1 - of_misses,
    )


LIMITS: dict[str, Callable[[Any, Any, Level], Limits]] = {
    "wilson": wilson_limits,
    "mid_p": mid_p_limits,
    "clopper_pearson": clopper_pearson_limits,
}


def wilson(hits: int, n: int, level: str) -> Outputs:
    """The proportions p with (hits - n p)^2 <= z^2 n p (1 - p), z the normal quantile at
    (1 + level) / 2; all without samples.

    Source: Wilson 1927, Journal of the American Statistical Association 22:209.
    """
    return _of_share(wilson_limits, hits, n, level_of(level))


def mid_p(hits: int, n: int, level: str) -> Outputs:
    """The p at which more than these hits, and half of the probability of so many, have (1 - level)
    / 2 together, and the p at which fewer, and half of so many, have it; 0 without hits, 1 without
    misses. Of hits and n that are no integers, more than x has the probability I_p(x + 1, n - x) of
    the beta distribution, x or more I_p(x, n - x + 1).

    Source: Lancaster 1961, Journal of the American Statistical Association 56:223; Berry & Armitage
    1995, The Statistician 44:417.
    """
    return _of_share(mid_p_limits, hits, n, level_of(level))


def clopper_pearson(hits: int, n: int, level: str) -> Outputs:
    """The p at which hits or more have the probability (1 - level) / 2, and the p at which hits or
    fewer have it, by the binomial distribution; 0 without hits, 1 without misses.

    Source: Clopper & Pearson 1934, Biometrika 26:404.
    """
    return _of_share(clopper_pearson_limits, hits, n, level_of(level))


def one_sided_clopper_pearson(hits: int, n: int, level: str) -> Outputs:
    """The p at which hits or more have the probability 1 - level, and the p at which hits or fewer
    have it: each limit by itself holds with this level.

    Source: Clopper & Pearson 1934, Biometrika 26:404.
    """
    return _of_share(clopper_pearson_limits, hits, n, level_of_alpha(2 * (1 - Fraction(level))))


def newcombe_difference(
    hits_1: int, n_1: int, hits_2: int, n_2: int, level: str, limits_by: str
) -> Outputs:
    """d - sqrt((p1 - l1)^2 + (u2 - p2)^2) and d + sqrt((u1 - p1)^2 + (p2 - l2)^2), where d is
    p1 - p2, and l and u are the limits of each proportion by the method limits_by; wilson is
    Newcombe's method 10.

    Source: Newcombe 1998, Statistics in Medicine 17:873.
    """
    shares, limits = _two(hits_1, n_1, hits_2, n_2, level, limits_by)
    if shares is None:
        return _undefined("a proportion is 0/0")
    (one, other), (of_one, of_other) = shares, limits
    below = REALS.hypot(one - of_one.low, of_other.high - other)
    above = REALS.hypot(of_one.high - one, other - of_other.low)
    difference = Fraction(hits_1, n_1) - Fraction(hits_2, n_2)
    return _outputs(difference, real(difference) - below, real(difference) + above)


def mover_sum(hits_1: int, n_1: int, hits_2: int, n_2: int, level: str, limits_by: str) -> Outputs:
    """s - sqrt((p1 - l1)^2 + (p2 - l2)^2) and s + sqrt((u1 - p1)^2 + (u2 - p2)^2), where s is
    p1 + p2, and l and u are the limits of each proportion by the method limits_by; all sums where
    one of them has no samples.

    Source: Zou & Donner 2008, Statistics in Medicine 27:1693.
    """
    shares, limits = _two(hits_1, n_1, hits_2, n_2, level, limits_by)
    if shares is None:
        return _undefined("a proportion is 0/0") | {"low": Fraction(0), "high": Fraction(2)}
    (one, other), (of_one, of_other) = shares, limits
    below = REALS.hypot(one - of_one.low, other - of_other.low)
    above = REALS.hypot(of_one.high - one, of_other.high - other)
    total = Fraction(hits_1, n_1) + Fraction(hits_2, n_2)
    return _outputs(total, real(total) - below, real(total) + above)


def mover_ratio(
    hits_1: int, n_1: int, hits_2: int, n_2: int, level: str, limits_by: str
) -> Outputs:
    """The r at which p1 - r p2 has the lower limit 0, and that at which it has the upper limit 0:
    (p1 p2 - sqrt((p1 p2)^2 - l1 u2 (2 p1 - l1) (2 p2 - u2))) / (u2 (2 p2 - u2)) and (p1 p2 +
    sqrt((p1 p2)^2 - u1 l2 (2 p1 - u1) (2 p2 - l2))) / (l2 (2 p2 - l2)), where l and u are the
    limits of each proportion by the method limits_by; the upper limit is inf where l2 is 0. All
    ratios where one of them has no samples, or both have no hits.

    Source: Donner & Zou 2012, Statistical Methods in Medical Research 21:347.
    """
    shares, limits = _two(hits_1, n_1, hits_2, n_2, level, limits_by)
    of_all = {"low": Fraction(0), "high": REALS.inf}
    if shares is None:
        return _undefined("a proportion is 0/0") | of_all
    (one, other), (of_one, of_other) = shares, limits
    value = divide(Fraction(hits_1, n_1), Fraction(hits_2, n_2))
    if value is None:
        return _undefined("0/0: both proportions are 0") | of_all
    low = _ratio_at(one, other, of_one.low, of_other.high, -1)
    high = _ratio_at(one, other, of_one.high, of_other.low, 1)
    return _outputs(value, low, high)


def _ratio_at(one: Real, other: Real, end_1: Real, end_2: Real, side: int) -> Real:
    """Where one - r other has a limit of 0, by the ends of both that make it least or largest."""
    if end_2 == 0:
        return REALS.inf
    product, spread = one * other, end_1 * (2 * one - end_1)
    divisor = end_2 * (2 * other - end_2)
    root = REALS.sqrt(max(product**2 - spread * divisor, 0))
    # Where the divisor is 0 or below, the same root is that of the reciprocal equation.
    if side < 0:
        return spread / (product + root) if spread else Fraction(0)
    return (product + root) / divisor


def bonferroni(hits: list[int], n: list[int], level: str, limits_by: str) -> Outputs:
    """The limits of each proportion by the method limits_by at the level 1 - (1 - level) / k, k the
    number of proportions: all hold together with the level.

    Source: Bonferroni's inequality; Dunn 1961, Journal of the American Statistical Association
    56:52.
    """
    each = level_of_alpha((1 - Fraction(level)) / len(hits))
    limits = [LIMITS[limits_by](x, of, each) for x, of in zip(hits, n, strict=True)]
    return {
        "value": [Fraction(x, of) for x, of in zip(hits, n, strict=True)],
        "low": [of.low for of in limits],
        "high": [of.high for of in limits],
    }


def _of_share(limits: Callable[..., Limits], hits: int, n: int, level: Level) -> Outputs:
    """A proportion and its limits, which exclude nothing without samples."""
    if not n:
        found = _undefined("0/0: there are no samples, and the limits exclude nothing")
        return found | {"low": Fraction(0), "high": Fraction(1)}
    return _outputs(Fraction(hits, n), *limits(hits, n, level))


def _two(
    hits_1: int, n_1: int, hits_2: int, n_2: int, level: str, limits_by: str
) -> tuple[Any, Any]:
    """Two proportions as reals, and the limits of each; None where either is 0/0."""
    if not (n_1 and n_2):
        return None, None
    shares = real(Fraction(hits_1, n_1)), real(Fraction(hits_2, n_2))
    of_each = (
        LIMITS[limits_by](hits, n, level_of(level)) for hits, n in ((hits_1, n_1), (hits_2, n_2))
    )
    return shares, [Limits(real(of.low), real(of.high)) for of in of_each]


def _outputs(value: Any, low: Real, high: Real) -> Outputs:
    """A value and its limits."""
    return {"value": value, "low": low, "high": high}


def _undefined(why: str) -> Outputs:
    """No value and no limits, and the reason."""
    return {"value": None, "low": None, "high": None, "undefined": why}
