"""Intervals of values at a given prevalence of the classes, from the rows that were counted."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.properties import PREDICTED_POSITIVE, WRONG, Share
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, cells_of_counted, with_cells
from skmetrics_ext.counting.counts import as_floats
from skmetrics_ext.counting.design import INDEPENDENT, Design
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import resampled, resampled_shares
from skmetrics_ext.statistics.bootstrap import Draws, MethodLimits, percentiles
from skmetrics_ext.statistics.delta import SCALES, gradient_of, scale_of_range
from skmetrics_ext.statistics.estimand import Estimand, clipped, estimand_of, value_of_matrices
from skmetrics_ext.statistics.intervals import (
    check_counts_of_samples,
    intervals_of_design,
    make_interval,
    variation_of,
)
from skmetrics_ext.statistics.methods import BIASED, has_slope
from skmetrics_ext.statistics.proportions import Array, Limits
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.results import Interval
from skmetrics_ext.statistics.variation import Pseudo

LOGIT = "logit by actual class"
BY_ROWS = "the wider of smoothed bootstrap and Dirichlet by actual class"


def intervals_at_prevalence(
    counted: Counted,
    observed: Counted,
    choices: Sequence[Choice],
    axes: tuple[Axis, ...],
    request: Request,
    design: Design = INDEPENDENT,
) -> Iterator[Interval]:
    """The intervals of counts whose rows were rescaled, from those observed and their design."""
    if request.method != "auto":
        raise ValueError(
            f"method={request.method!r} does not apply to counts at another prevalence: omit it."
        )
    find = _of_design if design.sees_samples else _of_counts
    for choice in choices:
        yield find(counted, observed, choice, axes, request, design)


def _of_design(
    counted: Counted,
    observed: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    request: Request,
    design: Design,
) -> Interval:
    """One value of weighted or clustered samples, a function of rows whose totals have no
    influence: by the delta method on the scale of its range.

    Both sides of a row with an empty cell get z^2 / 2 samples, as in Mercaldo, Lau & Zhou.
    """
    estimand, tables = estimand_of(counted, choice), estimand_of(observed, choice)
    is_mixed = estimand.is_of_one_class and not counted.multilabel and len(counted.order) > 2
    if estimand.is_of_actual() and not is_mixed:
        return next(intervals_of_design(observed, [choice], axes, request, design))
    if is_mixed or estimand.kind.is_worst or not has_slope(choice.row, estimand.average):
        raise ValueError(
            f"there is no valid confidence interval for {choice.row.name} of {design.name} at "
            "another prevalence."
        )
    totals = estimand.matrices.sum(-1)

    def value_of(cells: Array) -> Array:
        """The value where the rows have the totals of the population."""
        return estimand.value_of(cells * ratio(totals, cells.sum(-1))[..., None])

    of_rows = tables._replace(value_of=value_of)
    is_multilabel = counted.multilabel
    variation = variation_of(design, of_rows, np.ones(()), by_row=False, multilabel=is_multilabel)
    name = scale_of_range(choice)

    def find(alpha: float, _: Draws) -> MethodLimits:
        """Confidence limits at level 1 - alpha."""
        is_empty = (tables.matrices == 0).any(-1, keepdims=True) & tables.matrices.any(
            -1, keepdims=True
        )
        halves = np.where(is_empty, special.ndtri(alpha / 2) ** 2 / 2, 0)
        added = np.broadcast_to(halves, tables.matrices.shape)
        pseudo = Pseudo(added, variation.weight_of_one(of_rows))
        filled = tables.matrices + pseudo.cells
        spread = variation.spread(of_rows, gradient_of(value_of, filled), pseudo)
        reach = variation.quantile(spread.n, alpha) * spread.error
        return MethodLimits(clipped(SCALES[name].around(value_of(filled), reach), choice))

    numbers = design.numbers_of(cells_of_counted(observed))
    of_samples = estimand_of(with_cells(observed, numbers), choice)
    n = np.rint(of_samples.matrices.sum((-2, -1))).astype(np.int64)
    shown = f"delta by actual class{variation.shown}"
    caveats = variation.caveats(of_rows)
    return make_interval(counted, estimand, axes, request, "delta", find, shown, n, caveats)


def _of_counts(
    counted: Counted,
    observed: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    request: Request,
    design: Design,
) -> Interval:
    """One value, by a method that depends on which rows it is a function of."""
    estimand, of_observed = estimand_of(counted, choice), estimand_of(observed, choice)
    check_counts_of_samples(of_observed, "an interval")
    row, is_of_class = choice.row, estimand.is_of_one_class
    # In tables of one class against several others the rest is a mix of rows.
    is_mixed = is_of_class and not counted.multilabel and len(counted.order) > 2
    if estimand.is_of_actual() and (not is_mixed or row.averages_are_of_actual):
        by_row = request._replace(fixed="actual")
        return next(intervals_of_design(observed, [choice], axes, by_row, design))
    is_biased = row.interval in BIASED or estimand.kind.is_worst
    if is_biased or row.is_fixed_by_design:
        raise ValueError(
            f"there is no valid confidence interval for {row.name} at another prevalence."
        )
    if is_mixed:
        rows = _Rows(
            as_floats(observed.matrix),
            as_floats(counted.matrix),
            value_of_matrices(counted, choice),
        )
    else:
        rows = _Rows(of_observed.matrices, estimand.matrices, estimand.value_of)
    n = np.rint(rows.observed.sum((-2, -1))).astype(np.int64)
    if is_mixed and estimand.labels is not None:
        n = np.repeat(n[..., None], len(estimand.labels), -1)
    if is_of_class and not is_mixed and row.share is not None and row.share.is_predictive:
        method, shown = "delta", LOGIT
        find = partial(_by_logit, rows, row.share)
    else:
        method, shown = "dirichlet", BY_ROWS
        find = partial(_by_replicates, rows, estimand)
    return make_interval(counted, estimand, axes, request, method, find, shown, n)


class _Rows(NamedTuple):
    """Counts as observed and with their rows rescaled, and the value of such matrices."""

    observed: Array
    rescaled: Array
    value_of: Callable[[Any], Array]

    @property
    def factors(self) -> Array:
        """By what each row was multiplied; an empty one has no count to rescale."""
        n_observed = np.where(self.observed.any(-1), self.observed.sum(-1), 1)
        return ratio(self.rescaled.sum(-1), n_observed)[..., None]


def _by_logit(rows: _Rows, share: Share, alpha: float, _: Draws) -> MethodLimits:
    """Confidence limits of a predictive value at level 1 - alpha."""
    return MethodLimits(_predictive_limits(rows.observed, rows.rescaled, share, alpha))


def _by_replicates(rows: _Rows, estimand: Estimand, alpha: float, draws: Draws) -> MethodLimits:
    """The wider of the percentiles by both kinds of replicates, at level 1 - alpha."""
    factors = rows.factors
    values_of_both = [
        np.concatenate([rows.value_of(chunk * factors) for chunk in chunks])
        for chunks in _replicates(estimand, rows.observed, draws)
    ]
    first, second = (percentiles(values, alpha) for values in values_of_both)
    limits = Limits(np.minimum(first.low, second.low), np.maximum(first.high, second.high))
    n_undefined = [np.isnan(values).sum(0) for values in values_of_both]
    return MethodLimits(limits, np.maximum(*n_undefined))


def _replicates(estimand: Estimand, tables: Array, draws: Draws) -> tuple[Any, Any]:
    """Replicates of each row: resampled from smoothed counts, and from Jeffreys' posterior of its
    right ones.

    The first underestimates how many errors of a large class there may be if none was counted, the
    second how good near-perfect predictions of many classes may be.
    """
    # One smoothing for all tables, as for a value of all classes.
    smoothing = estimand._replace(average="macro", matrices=tables).smoothing
    right = np.eye(tables.shape[-1], dtype=bool)
    wrong = (smoothing > 0) & ~right
    of_wrong = 0.5 / np.maximum(wrong.sum(-1, keepdims=True), 1)
    of_right = np.where(smoothing > 0, 0.5, 0)
    prior = np.where(wrong, of_wrong, of_right)
    smoothed = resampled(tables, draws.n, draws.random, smoothing=smoothing, by_row=True)
    return smoothed, resampled_shares(tables, draws.n, draws.random, prior=prior, by_row=True)


def _predictive_limits(tables: Array, adjusted: Array, share: Share, alpha: float) -> Limits:
    """Limits of a predictive value on the logit: Mercaldo, Lau & Zhou (2007).

    Its logit is that of the prevalence plus the logarithm of a likelihood ratio, whose two rates
    are independent.
    """
    is_positive, are_errors = share.among == PREDICTED_POSITIVE, share.hits <= WRONG
    z = -special.ndtri(alpha / 2)
    # Rows: the class itself first; columns: those predicted as asked first.
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
    """The counts of a rate, with z^2 / 2 added to both if one is empty."""
    return cells + np.where((cells == 0).any(-1, keepdims=True), z**2 / 2, 0)
