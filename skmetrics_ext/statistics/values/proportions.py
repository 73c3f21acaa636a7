"""Limits of a proportion and of two, and sample sizes for them."""

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from skmetrics_ext.counting.division import ratio, squared
from skmetrics_ext.statistics.arrays import Array, Limits

# So many steps of Halley's give mid-P limits to the rounding of floats.
STEPS = 3


def effective_number(sizes: NDArray[Any], frequencies: Any = 1) -> float:
    """Kish's effective number of units of such weights: so many equal ones vary as much."""
    return float(ratio((frequencies * sizes).sum() ** 2, (frequencies * squared(sizes)).sum()))


def wilson(hits: Any, n: Any, alpha: Any) -> Limits:
    """Limits by Wilson (1927): what a score test of level alpha accepts; (0, 1) without samples."""
    hits, n = np.broadcast_arrays(np.asarray(hits, dtype=float), np.asarray(n, dtype=float))
    z = -special.ndtri(alpha / 2)
    half = z * np.sqrt(ratio(hits * (n - hits), np.where(n > 0, n, 1)) + z**2 / 4)
    middle, total = hits + z**2 / 2, n + z**2
    # Without hits, or misses, the limit has no rounding.
    return Limits(
        np.where(hits == 0, 0, (middle - half) / total),
        np.where(hits == n, 1, (middle + half) / total),
    )


def alpha_of_errors(errors: Any) -> Any:
    """The probability of a normal value so far away; 0 has no quantile."""
    return np.maximum(2 * special.ndtr(-errors), np.finfo(float).tiny)


def mid_p(hits: Any, n: Any, alpha: Any) -> Limits:
    """Limits by mid-P (Lancaster 1961; Berry & Armitage 1995): the shares at which more hits, and
    half of as many, have the probability alpha / 2; likewise fewer. Of fractions by the beta
    distribution.
    """
    hits = np.asarray(hits, dtype=float)
    # Misses have as upper limit what hits have as lower one.
    of_both = np.array(np.broadcast_arrays(hits, n - hits))
    low, above = _lowest_by_mid_p(of_both, alpha)
    return Limits(low, 1 - above)


def _lowest_by_mid_p(counts: Array, alpha: Any) -> Array:
    """The lower limits of hits and of misses (2, ...), by Halley's method on the logarithm of the
    probability as a function of the logit, from Jeffreys' limit; of less than one by Clopper &
    Pearson's, which is nearer there.
    """
    some, misses = np.where(counts > 0, counts, 1), counts[::-1]
    some_misses, difference = np.maximum(misses, np.finfo(float).tiny), misses - some
    half = np.where(some < 1, 0, 0.5)
    share = first = special.betaincinv(some + half, misses + 1 - half, alpha / 2)
    with np.errstate(all="ignore"):
        logit = special.logit(share)
        for _ in range(STEPS):
            as_many = special.betainc(some, misses + 1, share)
            more = special.betainc(some + 1, some_misses, share)
            excess = np.log((as_many + more) / alpha)
            # The difference is the probability of so many hits.
            spread = some + difference * share
            slope = (as_many - more) / (as_many + more) * spread
            bend = some - (some + misses) * share + difference * share * (1 - share) / spread
            logit = logit - excess / (slope - excess * (bend - slope) / 2)
            share = special.expit(logit)
    # Of an alpha below the smallest normal float there is no quantile: the limit is the end.
    known = np.nan_to_num(np.where(np.isnan(share), first, share))
    return np.where(counts > 0, known, 0)


def n_for_mid_p(share: float, half_width: float, alpha: float) -> int:
    """The smallest n for which mid-P's limits of n share hits are at most 2 half_width apart."""

    def is_enough(n: int) -> bool:
        limits = mid_p(n * share, n, alpha)
        # A width that is equal except for rounding suffices.
        return bool(limits.high - limits.low <= 2 * half_width * (1 + 1e-9))

    most = 1
    while not is_enough(most):
        most *= 2
    return most // 2 + 1 + bisect_left(range(most // 2 + 1, most), True, key=is_enough)


def jeffreys(hits: Any, n: Any, alpha: Any) -> Limits:
    """Limits by Jeffreys' prior, equal-tailed at 0 and n too: Brown, Cai & DasGupta (2001)."""
    hits, n = np.broadcast_arrays(np.asarray(hits, dtype=float), np.asarray(n, dtype=float))
    low, high = (
        special.betaincinv(hits + 0.5, n - hits + 0.5, at) for at in (alpha / 2, 1 - alpha / 2)
    )
    return Limits(low, high)


def clopper_pearson(hits: Any, n: Any, alpha: Any) -> Limits:
    """Limits by Clopper & Pearson (1934): what no tail of the binomial distribution rejects."""
    return Limits(lowest_share(hits, n, alpha / 2), highest_share(hits, n, alpha / 2))


def lowest_share(hits: Any, n: Any, error: float | Array) -> Array:
    """Its lower limit; the true proportion is lower with probability `error` at most."""
    hits, n = np.broadcast_arrays(np.asarray(hits, dtype=float), np.asarray(n, dtype=float))
    return np.where(
        hits == 0, 0, special.betaincinv(np.where(hits > 0, hits, 1), n - hits + 1, error)
    )


def highest_share(hits: Any, n: Any, error: float | Array) -> Array:
    """Its upper limit; the true proportion is higher with probability `error` at most."""
    hits, n = np.broadcast_arrays(np.asarray(hits, dtype=float), np.asarray(n, dtype=float))
    misses = n - hits
    inside = special.betainccinv(hits + 1, np.where(misses > 0, misses, 1), error)
    return np.where(misses == 0, 1, inside)


def mover(
    shares: tuple[Array, Array], limits: tuple[Limits, Limits], correlation: Any = 0.0
) -> Limits:
    """Limits of a sum of two values (Newcombe 1998, Zou 2007)."""
    (first, second), (of_first, of_second) = shares, limits
    below = _joint(first - of_first.low, second - of_second.low, correlation)
    above = _joint(of_first.high - first, of_second.high - second, correlation)
    return Limits(first + second - below, first + second + above)


def limits_of_test(
    excess: Callable[[float], float], value: float, ends: tuple[float, float], step: float
) -> Limits:
    """What a test accepts: where its excess is 0; searched from a step beside the value."""
    found = []
    for end in ends:
        beside = value + step * (end - value)
        is_within = excess(end) > 0 > excess(beside)
        nearest = end if excess(end) <= 0 else beside
        found.append(
            optimize.brentq(excess, *sorted((end, beside)), xtol=1e-15) if is_within else nearest
        )
    return Limits(*np.array(found))


def zou(values: tuple[Any, Any], limits: tuple[Limits, Limits], correlation: float) -> Limits:
    """Limits of a difference of two correlated values by Zou (2007)."""
    (first, second), (of_first, of_second) = values, limits
    turned = Limits(-of_second.high, -of_second.low)
    return mover((first, -second), (of_first, turned), -correlation)


def _joint(first: Array, second: Array, correlation: Any) -> Array:
    """The distance of a sum whose parts are as far."""
    squares = first**2 + second**2 + 2 * correlation * first * second
    return np.asarray(np.sqrt(np.maximum(squares, 0)))


def mover_of_ratio(
    shares: tuple[Array, Array], limits: tuple[Limits, Limits], correlation: Any = 0.0
) -> Limits:
    """Limits of a ratio of two proportions (Donner & Zou 2012); (0, inf) for 0/0."""
    first, second = shares
    low = lowest_ratio(first, second, limits[0].low, limits[1].high, correlation)
    turned = lowest_ratio(second, first, limits[1].low, limits[0].high, correlation)
    return Limits(low, ratio(1, turned))


def larger(_: tuple[Array, Array], limits: tuple[Limits, Limits], correlation: Any = 0.0) -> Limits:
    """Limits of the larger of two shares; the upper fails with its own, the lower with either."""
    return Limits(
        np.maximum(limits[0].low, limits[1].low), np.maximum(limits[0].high, limits[1].high)
    )


def lowest_ratio(
    first: Array, second: Array, low: Array, high: Array, correlation: Any = 0.0
) -> Array:
    """The ratio's lower limit; 0 if unknown. A correlation that raises it is not relied on."""
    with np.errstate(all="ignore"):
        of_first, of_second = low * (2 * first - low), high * (2 * second - high)
        product = first * second - np.minimum(correlation, 0) * (first - low) * (high - second)
        lowest = ratio(
            of_first, product + np.sqrt(np.maximum(product**2 - of_first * of_second, 0))
        )
    return np.where(np.isnan(lowest), 0, lowest)
