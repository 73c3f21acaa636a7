"""Areas under ROC curves: DeLong's variance from all pairs of samples, and limits."""

from fractions import Fraction
from typing import Any

from tests.vectors.exact import REALS
from tests.vectors.intervals.proportions import Outputs, mid_p_limits
from tests.vectors.intervals.reals import (
    Level,
    Limits,
    Real,
    level_of,
    real,
    student_errors,
    where_zero,
)

# With fewer samples of the rarer class, or fewer misranked ones, this package does not rely on
# DeLong's variance alone.
FEW_SAMPLES, FEW_MISRANKED = 100, 5
ONE_SAMPLE = "0/0: the variance needs two samples of each class"


def placements(positive: list[int], negative: list[int]) -> tuple[list[Any], list[Any]]:
    """For each positive sample the share of the negative
    ones below it, for each negative one the share of the positive above it; ties count half.
    """
    wins = [
        [Fraction((own > other) - (own < other) + 1, 2) for other in negative] for own in positive
    ]
    of_positive = [sum(row) / len(negative) for row in wins]
    of_negative = [sum(column) / len(positive) for column in zip(*wins, strict=True)]
    return of_positive, of_negative


def variance_of_mean(values: list[Fraction]) -> Fraction | None:
    """The variance of the mean of independent values; None for a single one."""
    if len(values) < 2:
        return None
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) * (len(values) - 1))


def delong(positive: list[int], negative: list[int], level: str) -> Outputs:
    """variance: S10 / m + S01 / n, the sample variances of the shares of the n negative scores
    below each of m positive ones, and of the positive above each negative one, ties counting half;
    low and high: a +- z sqrt(variance), at most from 0 to 1; low_by_logit and high_by_logit:
    the inverse logit of logit(a) +- z sqrt(variance) / (a (1 - a)). No limits where the variance is
    0.

    Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837.
    """
    area, (of_positive, of_negative) = _area(positive, negative)
    if of_positive is None or of_negative is None:
        return _of_area(area, None) | {"undefined": ONE_SAMPLE}
    variance = of_positive + of_negative
    if not variance:
        return _of_area(area, variance) | {"undefined": "the variance is 0: no limits"}
    half = level_of(level).errors * REALS.sqrt(real(variance))
    by_logit = _around_logit(area, half)
    return _of_area(area, variance) | {
        "low": max(real(area) - half, real(0)),
        "high": min(real(area) + half, real(1)),
        "low_by_logit": by_logit.low,
        "high_by_logit": by_logit.high,
    }


def newcombe_method_5(positive: list[int], negative: list[int], level: str) -> Outputs:
    """The areas A with (a - A)^2 = z^2 A (1 - A) (1 + (N - 1) ((1 - A) / (2 - A) + A / (1 + A))) /
    (m n), where N is (m + n) / 2, for m positive and n negative samples.

    Source: Newcombe 2006, Statistics in Medicine 25:559, method 5.
    """
    area, _ = _area(positive, negative)
    limits = _method_5(area, len(positive), len(negative), level_of(level))
    return {"value": area, "low": limits.low, "high": limits.high}


def area_limits(positive: list[int], negative: list[int], level: str) -> Outputs:
    """DeLong's limits on the logit scale, with 100 or more samples of the rarer class, and 5 or
    more of them misranked: k min(a, 1 - a), k their number. Otherwise the wider, at each end, of
    these with Student's t of k - 1 degrees of freedom and newcombe_method_5. Where all samples of
    the rarer class are placed alike (their part of the variance is 0), no limit is nearer than that
    of mid_p of k a hits among k; where the variance is 0 the limits are these, and with a
    of 0 or 1 and two samples of each class the wider of these and newcombe_method_5.

    Source: skmetrics-ext, of the methods named.
    """
    area, parts = _area(positive, negative)
    sizes, of_level = (len(positive), len(negative)), level_of(level)
    rarer = min(sizes)
    of_share = mid_p_limits(area * rarer, Fraction(rarer), of_level)
    limits = of_share
    if rarer >= 2 and area in (0, 1):
        limits = _wider(_method_5(area, *sizes, of_level), of_share)
    elif rarer >= 2 and sum(parts):
        limits = _by_variance(area, sum(parts), sizes, of_level)
        if 0 in [part for part, size in zip(parts, sizes, strict=True) if size == rarer]:
            limits = _wider(limits, of_share)
    return {"value": area, "low": limits.low, "high": limits.high}


def delong_difference(
    positive_1: list[int], negative_1: list[int], positive_2: list[int], negative_2: list[int]
) -> Outputs:
    """The difference of the areas of two scores of the same samples, its variance S10 / m + S01 / n
    of the differences of the shares of delong; statistic: its square over the variance; p_value:
    twice the normal tail of its root.

    Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837.
    """
    of_each = [placements(positive_1, negative_1), placements(positive_2, negative_2)]
    differences = [
        [one - other for one, other in zip(*of_class, strict=True)]
        for of_class in zip(*of_each, strict=True)
    ]
    value = sum(differences[0]) / len(positive_1)
    parts = [variance_of_mean(of_class) for of_class in differences]
    found = {"value": value} | dict.fromkeys(("variance", "statistic", "p_value"))
    if None in parts:
        return found | {"undefined": ONE_SAMPLE}
    variance = sum(parts)
    found["variance"] = variance
    if not variance:
        return found | {"undefined": "0/0: the difference is the same in all samples"}
    found["statistic"] = statistic = value**2 / variance
    found["p_value"] = REALS.erfc(REALS.sqrt(real(statistic / 2)))
    return found


def _area(positive: list[int], negative: list[int]) -> tuple[Fraction, list[Fraction | None]]:
    """The area, and the variances of the means of the shares of each class."""
    of_classes = placements(positive, negative)
    return sum(of_classes[0]) / len(positive), [*map(variance_of_mean, of_classes)]


def _of_area(area: Fraction, variance: Fraction | None) -> Outputs:
    """An area and its variance, without limits."""
    names = ("low", "high", "low_by_logit", "high_by_logit")
    return {"value": area, "variance": variance} | dict.fromkeys(names)


def _around_logit(area: Fraction, half: Real) -> Limits:
    """The limits that are so far from the logit of the area, half over its derivative."""
    middle, reach = REALS.log(real(area / (1 - area))), half / real(area * (1 - area))
    return Limits(*(1 / (1 + REALS.exp(-middle - side * reach)) for side in (-1, 1)))


def _by_variance(area: Fraction, variance: Any, sizes: tuple[int, int], level: Level) -> Limits:
    """The limits of samples with a variance."""
    rarer, error = min(sizes), REALS.sqrt(real(variance))
    if rarer >= FEW_SAMPLES and rarer * min(area, 1 - area) >= FEW_MISRANKED:
        return _around_logit(area, level.errors * error)
    by_student = _around_logit(area, student_errors(rarer - 1, level.alpha) * error)
    return _wider(by_student, _method_5(area, *sizes, level))


def _method_5(area: Fraction, n_positive: int, n_negative: int, level: Level) -> Limits:
    """The areas that a score test accepts, with the variance of Hanley &
    McNeil (1982) for exponential scores, both numbers of samples replaced by their mean.
    """
    others, n_pairs = Fraction(n_positive + n_negative, 2) - 1, n_positive * n_negative
    square = level.errors**2

    def excess(true: Real) -> Real:
        spread = 1 + real(others) * ((1 - true) / (2 - true) + true / (1 + true))
        return (real(area) - true) ** 2 * n_pairs - square * true * (1 - true) * spread

    beside = Fraction(1, 10**30)
    low = where_zero(excess, beside * area, area * (1 - beside)) if area else Fraction(0)
    high = Fraction(1)
    if area < 1:
        high = where_zero(excess, area + beside * (1 - area), 1 - beside * (1 - area))
    return Limits(low, high)


def _wider(one: Limits, other: Limits) -> Limits:
    """The outer limits of two intervals."""
    return Limits(min(real(one.low), real(other.low)), max(real(one.high), real(other.high)))
