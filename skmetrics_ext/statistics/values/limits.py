"""The limits of a value by each method, whatever the design: its variation says what they need."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.counts import margins_of
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.classes import is_linear_in_share
from skmetrics_ext.statistics.crossed import OfReadings
from skmetrics_ext.statistics.estimand import Estimand, LinearInRates, clipped
from skmetrics_ext.statistics.values.bootstrap import (
    Draws,
    LimitsByAlpha,
    MethodLimits,
    limits_by_bootstrap,
    limits_by_percentiles,
    limits_by_posterior,
)
from skmetrics_ext.statistics.values.delta import (
    Scale,
    gradient_by_margins,
    gradient_of,
    scale_of,
    with_ends,
)
from skmetrics_ext.statistics.values.proportions import (
    clopper_pearson,
    jeffreys,
    larger,
    mid_p,
    mover,
    mover_of_ratio,
    wilson,
)
from skmetrics_ext.statistics.variation import (
    ROUNDING,
    Effective,
    Pseudo,
    Spread,
    Variation,
    none_added,
    where_seen,
)

# Of which limits of both proportions.
MOVERS = {"mid-p-mover": "mid-p", "mover": "wilson", "exact-mover": "clopper-pearson"}
OF_ONE = {"mid-p": mid_p, "wilson": wilson, "jeffreys": jeffreys}
EXACT = ("clopper-pearson", "korn-graubard")
OF_EFFECTIVE = {"effective-mid-p": mid_p, "effective-clopper-pearson": clopper_pearson}
JOINED = {"ratio": mover_of_ratio, "larger": larger}


def limits_by(
    method: str,
    estimand: Estimand,
    variation: Variation,
    draws: Draws,
    *,
    prior: float | None = None,
    drawn: Array | None = None,
) -> LimitsByAlpha:
    """Confidence limits at level 1 - alpha by an applicable method, within the metric's range."""
    found_at = _found_by(method, estimand, variation, draws, prior, drawn)

    def limits_at(alpha: Any) -> MethodLimits:
        """Those at one level."""
        found = found_at(alpha)
        return found._replace(limits=clipped(found.limits, estimand.ends))

    return limits_at


def _found_by(
    method: str,
    estimand: Estimand,
    variation: Variation,
    draws: Draws,
    prior: float | None,
    drawn: Array | None,
) -> LimitsByAlpha:
    """The limits as the method gives them; what takes long and is the same at all levels is found
    once.
    """
    if method in OF_EFFECTIVE:
        return partial(_by_effective_number, method, estimand, _places(estimand, variation), draws)
    if method == "smoothed-bootstrap" and drawn is not None:
        return limits_by_bootstrap(estimand, drawn, draws)
    if method == "smoothed-bootstrap" and not isinstance(variation, OfReadings):
        return variation.by_bootstrap(estimand, draws)
    if method == "delta" and not isinstance(variation, OfReadings):
        return _by_delta_or_alike(estimand, variation, draws)
    return lambda alpha: _found_at(method, estimand, variation, alpha, draws, prior)


def _found_at(
    method: str,
    estimand: Estimand,
    variation: Variation,
    alpha: Any,
    draws: Draws,
    prior: float | None,
) -> MethodLimits:
    """The limits of other methods at one level."""
    if method in MOVERS:
        return MethodLimits(_by_two_shares(method, estimand, variation, alpha))
    if method in OF_ONE or method in EXACT:
        return _by_share(method, estimand, variation, alpha)
    if isinstance(variation, OfReadings):
        return MethodLimits(variation.limits(estimand, alpha))
    if method == "bootstrap":
        return limits_by_percentiles(replace(estimand, is_smoothed=False), alpha, draws)
    return limits_by_posterior(estimand, alpha, draws, prior)


def _by_share(method: str, estimand: Estimand, variation: Variation, alpha: Any) -> MethodLimits:
    """The limits of a proportion by the design's effective numbers."""
    share = estimand.proportion
    if share is not None:
        (found,) = variation.effective(estimand, estimand.counted_shares(), alpha)
    else:
        share = estimand.overlap
        assert share is not None, "methods for proportions are only for functions of one"
        found = Effective(share.hits, share.n, alpha)
    limits = _limits_of(method, found, alpha)
    ends = [share.value_at(limit) for limit in limits]
    return MethodLimits(Limits(np.minimum(*ends), np.maximum(*ends)))


def _limits_of(method: str, found: Effective, alpha: Any) -> Limits:
    """The limits of a proportion by the design's effective numbers."""
    if method in EXACT:
        return clopper_pearson(found.hits * found.exact, found.n * found.exact, alpha)
    return OF_ONE[method](found.hits, found.n, found.alpha)


def _by_two_shares(method: str, estimand: Estimand, variation: Variation, alpha: Any) -> Limits:
    """Limits of a sum, ratio or maximum of two proportions from those of both."""
    shares = estimand.counted_shares()
    first, second = (
        _limits_of(MOVERS[method], found, alpha)
        for found in variation.effective(estimand, shares, alpha)
    )
    one, other = (ratio(share.hits, share.n) for share in shares)
    correlation = variation.correlation(estimand, shares)
    if estimand.proportion is None and estimand.rates is not None:
        return _linear_in_rates(estimand, estimand.rates, (first, second), correlation)
    of_both = estimand.choice.row.of_two_shares
    assert of_both is not None, "MOVER is only for metrics of two proportions"
    joined = JOINED[of_both.joined]((one, other), (first, second), correlation)
    return Limits(*map(of_both.value_at, joined))


def _linear_in_rates(
    estimand: Estimand, rates: LinearInRates, limits: tuple[Limits, Limits], correlation: Any
) -> Limits:
    """The limits of a sum of both rates; of an average without samples of one class the other's."""
    n = np.stack([share.n for share in rates.shares])
    hits = np.stack([share.hits for share in rates.shares])
    slopes = np.expand_dims(rates.slopes, tuple(range(1, n.ndim)))
    slopes = np.where(n > 0, slopes * np.where(n[::-1] > 0, 1, 2), 0)
    low, high = (slopes * np.stack(ends) for ends in zip(*limits, strict=True))
    parts = slopes * np.nan_to_num(ratio(hits, n))
    total = mover(tuple(parts), (Limits(low[0], high[0]), Limits(low[1], high[1])), correlation)
    is_unknown = np.isnan(estimand.value)
    return Limits(
        np.where(is_unknown, -np.inf, rates.value_at_0 + total.low),
        np.where(is_unknown, np.inf, rates.value_at_0 + total.high),
    )


class Places(NamedTuple):
    """The places of values in their range, as shares of so many samples."""

    n: Array
    share: Array
    # Where that number is not known, limits are the place.
    is_known: NDArray[np.bool_]
    place: Array


def _by_effective_number(
    method: str, estimand: Estimand, places: Places, draws: Draws, alpha: Any
) -> MethodLimits:
    """The limits of a proportion of an effective number of samples, as those of the value."""
    least, most = estimand.ends
    limits = OF_EFFECTIVE[method](places.share * places.n, places.n, alpha)
    ends = (np.where(places.is_known, end, places.place) for end in limits)
    found = Limits(*(least + (most - least) * end for end in ends))
    return MethodLimits(found, np.where(np.isnan(found.low), draws.n, 0))


def _places(estimand: Estimand, variation: Variation) -> Places:
    """The place of a value in its range, of as many samples as have the variance of the delta
    method (Korn & Graubard 1998; Dean & Pagano 2015): of a proportion those that it counts.

    There are no more than with smoothed counts, which have errors that did not occur; an undefined
    value is where these have it.
    """
    least, most = estimand.ends
    pseudo = Pseudo(np.stack([np.zeros(estimand.matrices.shape), estimand.smoothing]))
    filled = estimand.matrices + pseudo.cells
    error = variation.spread(estimand, slopes_at(estimand, filled), pseudo).error
    value = estimand.value_of(filled)
    places = (value - least) / (most - least)
    # As of so many samples in all as were counted.
    n_counted = estimand.matrices.sum((-2, -1))
    variance = error**2 * ratio(filled.sum((-2, -1)), n_counted) / (most - least) ** 2
    does_vary = error > ROUNDING * np.abs(value) / np.sqrt(np.maximum(n_counted, 1))
    numbers = np.where(does_vary, ratio(places * (1 - places), variance), np.inf)
    n_plain, n_smoothed = numbers
    is_inside = np.isfinite(n_plain) & (np.abs(places[0] - 0.5) < 0.5 - ROUNDING)
    n = np.where(is_inside, np.fmin(n_plain, n_smoothed), n_smoothed)
    place = np.where(np.isnan(places[0]), places[1], places[0])
    is_known = np.isfinite(n)
    share = np.where(is_known, np.clip(place, 0, 1), 0)
    return Places(np.where(is_known, n, 1), share, is_known, place)


def slopes_at(estimand: Estimand, cells: Array) -> Array:
    """The derivatives by each cell; by margins, which are fewer, if these suffice."""
    if estimand.margins_suffice:
        return gradient_by_margins(estimand.value_of, margins_of(cells), estimand.value_of_each)
    return gradient_of(estimand.value_of, cells)


class Moved(NamedTuple):
    """A value, and how much the samples move it."""

    value: Array
    spread: Spread

    def limits(self, variation: Variation, alpha: Any, scale: Scale) -> Limits:
        """The value plus and minus its standard errors on a scale."""
        n_errors = variation.quantile(self.spread.n, alpha)
        return scale.around(self.value, n_errors * self.spread.error)


def moved(estimand: Estimand, variation: Variation, pseudo: Pseudo) -> Moved:
    """A value with pseudo-samples."""
    cells = estimand.matrices + pseudo.cells
    value, slopes = estimand.value_of(cells), gradient_of(estimand.value_of, cells)
    return Moved(value, variation.spread(estimand, slopes, pseudo))


def _by_delta_or_alike(estimand: Estimand, variation: Variation, draws: Draws) -> LimitsByAlpha:
    """Delta limits; if units do not vary, each is a sample of a proportion, else replicates."""
    delta_at = _by_delta(estimand, variation)

    @cache
    def replicates_at() -> LimitsByAlpha:
        """Limits of replicates, which few ask for."""
        return variation.by_bootstrap(estimand, draws)

    def limits_at(alpha: Any) -> MethodLimits:
        """Those at one level."""
        limits, is_seen = delta_at(alpha)
        if np.all(is_seen):
            return MethodLimits(limits)
        if estimand.proportion is not None:
            alike = _by_share("mid-p", estimand, variation, alpha)
        else:
            alike = replicates_at()(alpha)
        return where_seen(is_seen, MethodLimits(limits), alike)

    return limits_at


def _by_delta(
    estimand: Estimand, variation: Variation
) -> Callable[[Any], tuple[Limits, NDArray[np.bool_]]]:
    """The value plus and minus standard errors, with pseudo-samples; and where units vary."""
    # The textbook's, of proportions.
    is_linear = is_linear_in_share(estimand)
    is_plain = variation.can_be_alike and is_linear
    filled = moved(
        estimand, variation, none_added(estimand) if is_plain else variation.pseudo(estimand)
    )
    scale = scale_of(estimand, by_range=variation.by_range)
    has_own_ends = estimand.has_own_scale and variation.keeps_ends
    has_hull = variation.by_range and not (is_linear or estimand.has_own_scale)
    plain = moved(estimand, variation, none_added(estimand)) if has_hull else filled

    def delta_at(alpha: Any) -> tuple[Limits, NDArray[np.bool_]]:
        """Those at one level."""
        limits, spread = filled.limits(variation, alpha, scale), plain.spread
        if has_own_ends:
            ends = estimand.choice.row.widest_ends
            return with_ends(limits, estimand.value, ends), np.asarray(spread.is_seen)
        if has_hull:
            limits = hull_with_plain(limits, filled.spread, plain.limits(variation, alpha, scale))
        total = limits.low + limits.high
        is_known, is_open = np.isfinite(filled.value) & ~np.isnan(total), ~np.isfinite(total)
        low, high = np.where(is_open, -np.inf, limits.low), np.where(is_open, np.inf, limits.high)
        is_seen = spread.is_seen & (is_known | (not variation.can_be_alike))
        return Limits(low, high), np.asarray(is_seen)

    return delta_at


def hull_with_plain(limits: Limits, of_filled: Spread, plain: Limits) -> Limits:
    """Limits no nearer than without pseudo-samples, which move values of few errors."""
    is_constant = of_filled.error == 0
    low = np.where(is_constant, limits.low, np.fmin(limits.low, plain.low))
    high = np.where(is_constant, limits.high, np.fmax(limits.high, plain.high))
    return Limits(low, high)


def no_nearer_than_classes(
    estimand: Estimand, parts: Estimand, limits: Limits, of_classes: Limits
) -> Limits:
    """The limits of a mean of classes, at least as wide as MOVER of the limits of each.

    Values at an end of their scale err to one side: their distances add up.
    """
    ends = parts.choice.row.widest_ends if parts.has_own_scale else ()
    is_at_end = np.isin(parts.value, ends)
    below, above = (
        np.where(is_at_end, distances, 0).sum(-1)
        + np.sqrt((np.where(is_at_end, 0, distances) ** 2).sum(-1))
        for distances in distances_of_mean(estimand, parts, of_classes)
    )
    value, is_flat = estimand.value, limits.low == limits.high
    low = np.where(is_flat, limits.low, np.minimum(limits.low, value - below))
    high = np.where(is_flat, limits.high, np.maximum(limits.high, value + above))
    return Limits(low, high)


def distances_of_mean(
    estimand: Estimand, parts: Estimand, of_classes: Limits
) -> tuple[Array, Array]:
    """How far each class alone may move a mean down and up (..., n_classes)."""
    values, support = parts.value, parts.matrices.sum(-1)[..., 1]
    is_weighted = estimand.kind.how == "weighted mean"
    weights = np.where(np.isnan(values), 0, support if is_weighted else 1)
    shares = ratio(weights, weights.sum(-1, keepdims=True))
    below, above = (
        np.nan_to_num(shares * np.abs(values - end)) for end in (of_classes.low, of_classes.high)
    )
    return below, above


def limits_of_extreme(
    estimand: Estimand, each: MethodLimits, of_all: MethodLimits, is_out: NDArray[Any]
) -> MethodLimits:
    """Limits of the lowest or highest value of the classes: the minimum is at least the lowest
    lower limit, unless that fails, and at most any value, so that all upper limits have to hold.
    """
    is_least = estimand.kind.is_worst and estimand.choice.row.better == "higher"
    if is_least:
        low = np.where(is_out, np.inf, each.limits.low).min(-1)
        high = np.where(is_out, np.inf, of_all.limits.high).min(-1)
    else:
        low = np.where(is_out, -np.inf, of_all.limits.low).max(-1)
        high = np.where(is_out, -np.inf, each.limits.high).max(-1)
    return MethodLimits(Limits(low, high), np.where(is_out, 0, each.n_undefined).max(-1))
