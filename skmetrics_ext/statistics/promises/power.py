"""The power of tests, and the probability that intervals are narrow, by the number of samples."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.values.delta import SCALES
from skmetrics_ext.statistics.values.proportions import mid_p

MOST_SAMPLES = 2**30
# So many from the first n that is enough are searched for a last one with less power: a binomial
# test's falls before it rises.
SEARCHED = {True: 10**5, False: 200}
NEGLIGIBLE = 1e-12
# The power of `check`, whose n may from here on be too small by a quarter of a percent.
POWER, LARGEST_EXACT = 0.8, 1e5
# From so many events on the normal approximation is as exact, and SciPy's quantiles fail.
MOST_EVENTS = 2.0**40
# Proportions that differ by less are equal: 1 - 0.8 is 0.2.
ROUNDING = 8 * np.finfo(float).eps
# Quantiles that stand for the distribution of an estimated area.
QUANTILES = special.ndtri((np.arange(1000) + 0.5) / 1000)


def n_from_which(power_at: Callable[[Any], Array], power: float, *, is_binomial: bool) -> int:
    """The least number of samples from which the power is reached: it may rise in saw teeth."""

    def is_enough(n: int) -> bool:
        return bool(power_at(n) >= power)

    exponents = range(MOST_SAMPLES.bit_length())
    enough = 2 ** bisect_left(exponents, True, key=lambda exponent: is_enough(2**exponent))
    if enough > MOST_SAMPLES:
        raise ValueError(
            f"power {power:g} takes more than {MOST_SAMPLES} samples: plan for a larger difference."
        )
    first = bisect_left(range(1, enough), True, key=is_enough) + 1
    further = np.arange(first, first + min(first, SEARCHED[is_binomial]))
    last_too_few = further[power_at(further) < power].max(initial=first - 1)
    return int(last_too_few) + 1


def n_to_collect(
    power_at: Callable[[Any], Array], share: float, n: int, power: float | None
) -> int:
    """The least number of samples of which, at this share, n or more count in half of all cases;
    and that has the power, if one is asked for, over all numbers that may count.
    """
    of_half = n_from_which(
        lambda of_all: stats.binom.sf(n - 1, of_all, share), 0.5, is_binomial=False
    )
    if power is None:
        return of_half
    of_power = n_from_which(
        lambda of_all: _averaged(power_at, share, of_all), power, is_binomial=False
    )
    return max(of_half, of_power)


def _averaged(power_at: Callable[[Any], Array], share: float, n_all: Any) -> Array:
    """The power of numbers of samples, of each of which a binomial number counts."""
    least = stats.binom.ppf(NEGLIGIBLE, np.min(n_all), share)
    most = stats.binom.isf(NEGLIGIBLE, np.max(n_all), share)
    n = np.arange(max(least, 1), max(most, 1) + 1)
    return np.asarray(stats.binom.pmf(n, np.asarray(n_all)[..., None], share) @ power_at(n))


@np.errstate(under="ignore")
def bound(n: Any, value: float, bound: float, alpha: float) -> Array:
    """The probability that Clopper & Pearson's limits are on a proportion's side of a bound."""
    rarer, at_bound = (1 - value, 1 - bound) if value > bound else (value, bound)
    return np.asarray(stats.binom.cdf(stats.binom.ppf(alpha / 2, n, at_bound) - 1, n, rarer))


@np.errstate(under="ignore")
def mcnemar(n: Any, value: tuple[float, float], disagreement: float, alpha: float) -> Array:
    """The probability that McNemar's mid-p-value shows a paired difference, in its direction."""
    # Of the samples that one model alone has right, it is the worse one with this probability.
    only_worse = max((1 - abs(value[0] - value[1]) / disagreement) / 2, 0)
    fewest = stats.binom.ppf(NEGLIGIBLE, np.min(n), disagreement)
    most = stats.binom.isf(NEGLIGIBLE, np.max(n), disagreement)
    n_differ = np.arange(fewest, most + 1)
    power_at_differences = stats.binom.cdf(_most_rejected(n_differ, alpha), n_differ, only_worse)
    probabilities = stats.binom.pmf(n_differ, np.asarray(n)[..., None], disagreement)
    return np.asarray(probabilities @ power_at_differences)


def _most_rejected(n_differ: Array, alpha: float) -> Array:
    """The most hits of the worse model alone with a mid-p-value up to alpha; -1 for none."""
    most = stats.binom.ppf(alpha / 2, n_differ, 0.5)
    mid_p = stats.binom.cdf(most, n_differ, 0.5) + stats.binom.cdf(most - 1, n_differ, 0.5)
    return np.asarray(most - (mid_p > alpha))


@np.errstate(under="ignore")
def width(n: Any, value: float, half_width: float, alpha: float) -> Array:
    """The probability that mid-P limits of a proportion are at most 2 half_width apart."""
    n = np.asarray(n, dtype=float)
    # The width increases with the hits or the misses, whichever are fewer.
    few, many = np.full(n.shape, -1.0), np.floor(n / 2) + 1
    while (many - few > 1).any():
        middle = np.floor((few + many) / 2)
        limits = mid_p(middle, n, alpha)
        is_narrow = limits.high - limits.low <= 2 * half_width * (1 + NEGLIGIBLE)
        few, many = np.where(is_narrow, middle, few), np.where(is_narrow, many, middle)
    has_few_hits = stats.binom.cdf(few, n, value)
    has_few_misses = stats.binom.sf(n - few - 1, n, value)
    return np.asarray(np.minimum(has_few_hits + has_few_misses, 1))


def classes_of(n: Any, prevalence: float) -> tuple[Array, Array]:
    """The positive and the negative samples among n, at least one of each."""
    n = np.asarray(n, dtype=float)
    n_positive = np.clip(np.rint(n * prevalence), 1, np.maximum(n - 1, 1))
    return n_positive, np.maximum(n - n_positive, 1)


def variance_of_area(area: Any, n_positive: Array | float, n_negative: Array | float) -> Array:
    """The variance of an area of normal scores with one standard deviation: Hanley & McNeil's
    (1982), with known probabilities (Owen 1956).
    """
    both = area - 2 * special.owens_t(special.ndtri(area), 1 / np.sqrt(3))
    spread = area * (1 - area) + (n_positive + n_negative - 2) * (both - area**2)
    return np.asarray(spread / (n_positive * n_negative))


def bound_of_area(n: Any, value: float, bound: float, prevalence: float, alpha: float) -> Array:
    """The probability that a z test shows an area on its side of a bound: Obuchowski (2004)."""
    classes = classes_of(n, prevalence)
    if_equal, variance = variance_of_area(bound, *classes), variance_of_area(value, *classes)
    return _power_of_z(value - bound, if_equal, variance, alpha)


def areas(
    n: Any, value: Any, correlation: float, prevalence: float, alpha: float, relative: Any = (1, 1)
) -> Array:
    """The probability that a z test shows the difference of two areas: Obuchowski & McClish (1997).

    If equal, both would have their larger variance. `relative` multiplies the variances of normal
    scores.
    """
    classes = classes_of(n, prevalence)
    first, second = (
        times * variance_of_area(area, *classes)
        for area, times in zip(value, relative, strict=True)
    )
    variance = first + second - 2 * correlation * np.sqrt(first * second)
    return _power_of_z(value[0] - value[1], variance + np.abs(first - second), variance, alpha)


def _power_of_z(difference: float, variance_if_equal: Any, variance: Any, alpha: float) -> Array:
    """The probability that a z test shows a difference, in its direction."""
    reached = np.abs(difference) + special.ndtri(alpha / 2) * np.sqrt(variance_if_equal)
    return np.asarray(special.ndtr(reached / np.sqrt(variance)))


def width_of_area(
    n: Any, value: float, half_width: float, prevalence: float, alpha: float
) -> Array:
    """The probability that logit t limits of an area are at most 2 half_width apart."""
    classes = classes_of(np.asarray(n)[..., None], prevalence)
    logit = SCALES["logit"]
    error = np.sqrt(variance_of_area(value, *classes))
    estimates = logit.around(value, error * QUANTILES).high
    errors = np.sqrt(variance_of_area(estimates, *classes))
    quantile = -special.stdtrit(np.maximum(np.minimum(*classes) - 1, 1), alpha / 2)
    limits = logit.around(estimates, quantile * errors)
    return np.asarray((limits.high - limits.low <= 2 * half_width).mean(-1))


def n_to_tell(share: Any, bound: float, error: float) -> Array:
    """The smallest n at which a one-sided binomial test of level `error` rejects the bound with
    power 0.8, on the share's side, by quantiles of negative binomials; NaN where they are equal.
    """
    share = np.asarray(share, dtype=float)
    needed = np.full(share.shape, np.nan)
    is_told = np.abs(share - bound) > ROUNDING
    needed[is_told] = _n_to_tell_rarer(*_of_rarer(share[is_told], bound), error)
    return needed


def _of_rarer(share: Array, bound: float) -> tuple[Array, float]:
    """The share and the bound of the rarer of hits and misses."""
    return (1 - share, 1 - bound) if bound > 0.5 else (share, bound)


def _n_to_tell_rarer(share: Array, bound: float, error: float) -> Array:
    """`n_to_tell` of shares (n,) that differ from a bound up to 0.5."""
    by_normal = _n_by_normal(share, bound, error)
    n_events = 2 * np.maximum(share, bound) * by_normal
    has_many = n_events > MOST_EVENTS
    tests = _tests_by_events(share, bound, error)
    # Not searched: enough at the first count.
    k = _first_enough(tests, np.where(has_many, 1, np.ceil(n_events) + 10))
    n, is_enough = tests.tried(k)
    n, is_enough = np.where(has_many, np.ceil(by_normal), n), is_enough | has_many
    while (is_open := ~is_enough & (n < LARGEST_EXACT)).any():
        k[is_open] += 1
        n[is_open], is_enough[is_open] = tests.of(is_open).tried(k[is_open])
    return n


def _n_by_normal(share: Array, bound: float, error: float) -> Array:
    """The n by the normal approximation of the binomial distribution."""
    z_of_error, z_of_power = special.ndtri([1 - error, POWER])
    at_bound = z_of_error * np.sqrt(bound * (1 - bound))
    at_share = z_of_power * np.sqrt(share * (1 - share))
    return np.asarray(((at_bound + at_share) / (share - bound)) ** 2)


class _TestsByEvents(NamedTuple):
    """Tests that stop at a number of events: shares (n,) and levels of n's quantiles."""

    higher: Array
    lower: Array
    at_least: Array
    at_most: Array

    def of(self, chosen: NDArray[np.bool_]) -> _TestsByEvents:
        """Some of the tests."""
        return _TestsByEvents(*(values[chosen] for values in self))

    @np.errstate(under="ignore")
    def tried(self, k: Array, fewer: int = 0) -> tuple[Array, NDArray[np.bool_]]:
        """The n enough at the higher share, less some, and if events are rare at the lower."""
        n = k + stats.nbinom.ppf(self.at_least, k, self.higher) - fewer
        probability = special.betainc(k, np.maximum(n - k, 0) + 1, self.lower)
        return n, (n < k) | (probability <= self.at_most)


def _tests_by_events(share: Array, bound: float, error: float) -> _TestsByEvents:
    """The tests of shares against a bound, on the side of each share."""
    is_less = share < bound
    return _TestsByEvents(
        higher=np.maximum(share, bound),
        lower=np.minimum(share, bound),
        at_least=np.where(is_less, 1 - error, POWER),
        at_most=np.where(is_less, 1 - POWER, error),
    )


def _first_enough(tests: _TestsByEvents, enough: Array) -> Array:
    """The fewest events that are enough with one sample less, so that no answer is skipped."""
    k, too_few = enough.copy(), np.zeros(enough.shape)
    while (is_open := k - too_few > 1).any():
        middle = np.floor((too_few + k) / 2)[is_open]
        _, is_enough = tests.of(is_open).tried(middle, fewer=1)
        too_few[is_open] = np.where(is_enough, too_few[is_open], middle)
        k[is_open] = np.where(is_enough, middle, k[is_open])
    return k
