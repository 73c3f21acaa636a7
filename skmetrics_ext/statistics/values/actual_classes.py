"""Limits of values of actual classes that were counted apart, at totals of their own."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from skmetrics_ext.catalogue.properties import PREDICTED_POSITIVE, WRONG, Share
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.resampling import expected, resampled, resampled_shares
from skmetrics_ext.statistics.arrays import Array, Limits, wider
from skmetrics_ext.statistics.constants import BIAS_REACHED, MOST_BIASED
from skmetrics_ext.statistics.estimand import Estimand, clipped
from skmetrics_ext.statistics.values.bootstrap import (
    Draws,
    MethodLimits,
    of_each_entry,
    percentiles,
)
from skmetrics_ext.statistics.values.limits import distances_of_mean
from skmetrics_ext.statistics.values.proportions import mid_p

# So near to an end of its range a value is there, except for rounding.
AT_END = 1e-12


class RescaledRows(NamedTuple):
    """Counts as observed and with rescaled rows, and the value of such matrices."""

    observed: Array
    rescaled: Array
    value_of: Callable[[Any], Array]

    @property
    def factors(self) -> Array:
        """By what each row was multiplied; an empty one has no count to rescale."""
        n_observed = np.where(self.observed.any(-1), self.observed.sum(-1), 1)
        return ratio(self.rescaled.sum(-1), n_observed)[..., None]


def limits_by_logit(rows: RescaledRows, share: Share, alpha: float, _: Draws) -> MethodLimits:
    """Limits of a predictive value of two classes."""
    return MethodLimits(_predictive_limits(rows.observed, rows.rescaled, share, alpha))


def limits_by_rates(rows: RescaledRows, estimand: Estimand, alpha: float, _: Draws) -> MethodLimits:
    """Limits of values of one class against several others: each is a function of how many of the
    class are right, and of all others predicted as it; squares of both distances add up (Newcombe
    1998).
    """
    right, false = _right_and_false(rows, estimand, alpha)

    def value_at(n_right: Array, n_false: Array) -> Array:
        """The value of tables with such counts, on a bounded scale."""
        cells = [[false.total - n_false, n_false], [right.total - n_right, n_right]]
        tables = np.stack([np.stack(row, -1) for row in cells], -2)
        return _bounded(estimand.value_of(tables))

    value = value_at(right.value, false.value)
    by_right = [value_at(end, false.value) for end in right.limits]
    by_false = [value_at(right.value, end) for end in false.limits]
    # An unknown value does not move.
    moves = np.nan_to_num(np.array([by_right, by_false]) - value)
    farthest_down, farthest_up = np.minimum(moves, 0).min(1), np.maximum(moves, 0).max(1)
    below, above = (np.sqrt((of**2).sum(0)) for of in (farthest_down, farthest_up))
    # From an end of its range only both may move a value.
    ends = [_bounded(end) for end in estimand.ends]
    corners = [value_at(one, other) for one in right.limits for other in false.limits]
    of_both = np.nan_to_num(np.array(corners) - value)
    is_least, is_most = (np.isclose(value, end, rtol=0, atol=AT_END) for end in ends)
    below = np.where(is_most, np.maximum(below, -of_both.min(0)), below)
    above = np.where(is_least, np.maximum(above, of_both.max(0)), above)
    low, high = _unbounded(value - below), _unbounded(value + above)
    if estimand.labels is None:
        low, high = low[..., 0], high[..., 0]
    return MethodLimits(clipped(Limits(low, high), estimand.ends))


class _Sum(NamedTuple):
    """A number (..., n_classes) of samples with limits, of a total."""

    value: Array
    limits: Limits
    total: Array


def _right_and_false(rows: RescaledRows, estimand: Estimand, alpha: float) -> tuple[_Sum, _Sum]:
    """How many of each class are right, and how many of all others predicted as it."""
    positions, n = estimand.positions, rows.observed.sum(-1)[..., None]
    assert positions is not None, "each class has a table"
    # A column (..., n_classes, n_asked) for each class that is asked.
    predicted = rows.observed[..., positions]
    shares = np.nan_to_num(ratio(predicted, n))
    limits = mid_p(predicted, n, alpha)
    totals = rows.rescaled.sum(-1)[..., None]
    is_own = np.arange(rows.observed.shape[-1])[:, None] == positions
    of_own, of_others = np.where(is_own, totals, 0), np.where(is_own, 0, totals)
    right = _Sum(
        value=(of_own * shares).sum(-2),
        limits=Limits(*((of_own * end).sum(-2) for end in limits)),
        total=of_own.sum(-2),
    )
    n_false = (of_others * shares).sum(-2)
    n_others = of_others.sum(-2)
    below, above = (
        np.sqrt(((of_others * distance) ** 2).sum(-2))
        for distance in (shares - limits.low, limits.high - shares)
    )
    limits_of_false = Limits(np.maximum(n_false - below, 0), np.minimum(n_false + above, n_others))
    return right, _Sum(n_false, limits_of_false, n_others)


def _bounded(values: Array) -> Array:
    """Values on a scale on which infinite ones are 1."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(values), np.sign(values), values / (1 + np.abs(values)))


def _unbounded(values: Array) -> Array:
    """The same back."""
    size = np.abs(values)
    inside = values / np.where(size < 1, 1 - size, 1)
    return np.where(size < 1, inside, np.copysign(np.inf, values))


def limits_by_replicates(
    rows: RescaledRows, estimand: Estimand, parts: Estimand | None, alpha: float, draws: Draws
) -> MethodLimits:
    """The wider percentiles of both kinds of replicates, of a mean at least its classes' limits."""
    values_of_both = _values_of_replicates(rows, estimand, draws)
    limits = wider(*(percentiles(values, alpha) for values in values_of_both))
    if parts is not None:
        of_classes = limits_by_rates(rows, parts, alpha, draws).limits
        limits = reaching_classes(rows, estimand, parts, limits, of_classes, values_of_both)
    n_undefined = [np.isnan(values).sum(0) for values in values_of_both]
    return MethodLimits(limits, np.maximum(*n_undefined))


def reaching_classes(
    rows: RescaledRows,
    estimand: Estimand,
    parts: Estimand,
    limits: Limits,
    of_classes: Limits,
    replicates: list[Array],
) -> Limits:
    """Limits of a mean as wide as by those of each class, extended by replicates' bias.

    Where all classes may err to one side, as predictive values of rare ones, distances add up; else
    their squares.
    """
    value = rows.value_of(rows.rescaled)
    smoothed = expected(rows.observed, smoothing=_smoothing(estimand, rows.observed), by_row=True)
    with np.errstate(invalid="ignore"):
        means = np.array([np.nanmean(values, 0) for values in replicates])
        spreads = np.array([np.nanstd(values, 0) for values in replicates])
        bias = BIAS_REACHED * np.nan_to_num(means[0] - rows.value_of(smoothed * rows.factors))
        is_biased = (np.abs(means - value) > MOST_BIASED * spreads).any(0)
    distances = distances_of_mean(estimand, parts, of_classes)
    below, above = (np.where(is_biased, of.sum(-1), np.sqrt((of**2).sum(-1))) for of in distances)
    low = np.minimum(limits.low, value - below) - np.maximum(bias, 0)
    high = np.maximum(limits.high, value + above) - np.minimum(bias, 0)
    return Limits(low, high)


def _smoothing(estimand: Estimand, tables: Array) -> Array:
    """What is added before resampling: one smoothing for all tables, as of a value of all."""
    return replace(estimand, average="macro", matrices=tables).smoothing


def _values_of_replicates(rows: RescaledRows, estimand: Estimand, draws: Draws) -> list[Array]:
    """The values (n, ...) of replicates of each row: of smoothed counts, too narrow for large
    classes without errors, and of Jeffreys' posterior of its right ones, too narrow near
    perfection.
    """
    tables, factors = rows.observed, rows.factors
    smoothing = _smoothing(estimand, tables)
    right = np.eye(tables.shape[-1], dtype=bool)
    wrong = (smoothing > 0) & ~right
    of_wrong = 0.5 / np.maximum(wrong.sum(-1, keepdims=True), 1)
    of_right = np.where(smoothing > 0, 0.5, 0)
    prior = np.where(wrong, of_wrong, of_right)

    def draw(place: tuple[int, ...]) -> Array:
        """Both (n, 2, ...) of one entry."""
        table, random = tables[place], draws.random(place)
        smoothed = resampled(table, draws.n, random, smoothing=smoothing[place], by_row=True)
        of_smoothed = [rows.value_of(chunk * factors[place]) for chunk in smoothed]
        posterior = resampled_shares(table, draws.n, random, prior=prior[place], by_row=True)
        of_posterior = [rows.value_of(chunk * factors[place]) for chunk in posterior]
        return np.stack([np.concatenate(of_smoothed), np.concatenate(of_posterior)], 1)

    shape = tables.shape[:-2]
    values = of_each_entry(shape, draw)
    return [*np.moveaxis(values, 1 + len(shape), 0)]


def _predictive_limits(tables: Array, adjusted: Array, share: Share, alpha: float) -> Limits:
    """Limits of a predictive value on the logit: Mercaldo, Lau & Zhou (2007)."""
    is_positive, are_errors = share.among == PREDICTED_POSITIVE, share.hits <= WRONG
    z = -special.ndtri(alpha / 2)
    # The class's own row first, and the asked column.
    rows = tables[..., ::-1, ::-1] if is_positive else tables
    own, other = _without_empty(rows[..., 0, :], z), _without_empty(rows[..., 1, :], z)
    share_of_own, share_of_other = own[..., 0] / own.sum(-1), other[..., 0] / other.sum(-1)
    totals = adjusted.sum(-1)
    log_odds = np.log(ratio(totals[..., 1], totals[..., 0]))
    log_odds_of_own = log_odds if is_positive else -log_odds
    middle = log_odds_of_own + np.log(share_of_own) - np.log(share_of_other)
    variance_of_own = (1 - share_of_own) / own[..., 0]
    variance_of_other = (1 - share_of_other) / other[..., 0]
    half = z * np.sqrt(variance_of_own + variance_of_other)
    low = np.where(rows[..., 0, 0] == 0, 0, special.expit(middle - half))
    high = np.where(rows[..., 1, 0] == 0, 1, special.expit(middle + half))
    return Limits(1 - high, 1 - low) if are_errors else Limits(low, high)


def _without_empty(cells: Array, z: float) -> Array:
    """The counts of a rate, both plus z^2 / 2 if one is empty."""
    return cells + np.where((cells == 0).any(-1, keepdims=True), z**2 / 2, 0)
