"""Intervals of values at a given prevalence of the classes, from the rows that were counted."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import special

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.properties import PREDICTED_POSITIVE, WRONG, Share
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.counts import as_floats
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import resampled, resampled_shares
from skmetrics_ext.statistics import intervals
from skmetrics_ext.statistics.bootstrap import Draws, MethodLimits, percentiles
from skmetrics_ext.statistics.estimand import Estimand, estimand_of, value_of_matrices
from skmetrics_ext.statistics.intervals import Request
from skmetrics_ext.statistics.proportions import Array, Limits
from skmetrics_ext.statistics.results import Interval

LOGIT, BY_ROWS = (
    "logit by actual class",
    "the wider of smoothed bootstrap and Dirichlet by actual class",
)


def intervals_at_prevalence(
    counted: Counted,
    observed: Counted,
    choices: Sequence[Choice],
    axes: tuple[Axis, ...],
    request: Request,
) -> Iterator[Interval]:
    """The intervals of counts whose rows were rescaled."""
    intervals.check_request(request)
    if request.method != "auto":
        raise ValueError(
            f"method={request.method!r} does not apply to counts at another prevalence: omit it."
        )
    for choice in choices:
        yield _found(counted, observed, choice, axes, request)


def _found(
    counted: Counted, observed: Counted, choice: Choice, axes: tuple[Axis, ...], request: Request
) -> Interval:
    """One value, by a method that depends on which rows it is a function of."""
    estimand, of_observed = estimand_of(counted, choice), estimand_of(observed, choice)
    intervals.check_counts_of_samples(of_observed, "an interval")
    row, is_of_class = choice.row, estimand.is_of_one_class
    # In tables of one class against several others the rest is a mix of rows.
    is_mixed = is_of_class and not counted.multilabel and len(counted.order) > 2
    if estimand.is_of_actual() and (not is_mixed or row.averages_are_of_actual):
        return intervals.interval_of(observed, choice, axes, request._replace(fixed="actual"))
    is_biased = row.interval in intervals.BIASED or estimand.kind.is_worst
    if is_biased or row.is_fixed_by_design:
        raise ValueError(
            f"there is no valid confidence interval for {row.name} at another prevalence."
        )
    share = row.share if is_of_class and not is_mixed else None
    is_predictive = share is not None and share.is_predictive
    tables, adjusted, value_of = of_observed.matrices, estimand.matrices, estimand.value_of
    if is_mixed:
        tables, adjusted = as_floats(observed.matrix), as_floats(counted.matrix)
        value_of = value_of_matrices(counted, choice)
    factors = ratio(adjusted.sum(-1), np.where(tables.any(-1), tables.sum(-1), 1))[..., None]

    def find(alpha: float, draws: Draws) -> MethodLimits:
        """Confidence limits at level 1 - alpha."""
        if share is not None and is_predictive:
            return MethodLimits(_predictive_limits(tables, adjusted, share, alpha))
        drawn = _replicates(estimand, tables, draws)
        both = [np.concatenate([value_of(chunk * factors) for chunk in chunks]) for chunks in drawn]
        first, second = (percentiles(values, alpha) for values in both)
        limits = Limits(np.minimum(first.low, second.low), np.maximum(first.high, second.high))
        return MethodLimits(limits, np.maximum(*(np.isnan(values).sum(0) for values in both)))

    n = np.rint(tables.sum((-2, -1))).astype(np.int64)
    if is_mixed and estimand.labels is not None:
        n = np.repeat(n[..., None], len(estimand.labels), -1)
    method, shown = ("delta", LOGIT) if is_predictive else ("dirichlet", BY_ROWS)
    return intervals.make_interval(counted, estimand, axes, request, method, find, shown, n)


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
    prior = np.where(
        wrong, 0.5 / np.maximum(wrong.sum(-1, keepdims=True), 1), np.where(smoothing > 0, 0.5, 0)
    )
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
    own, other = (_without_empty(rows[..., k, :], z) for k in (0, 1))
    totals = adjusted.sum(-1)
    log_odds = np.log(ratio(totals[..., 1], totals[..., 0])) * (1 if is_positive else -1)
    share_of_own, share_of_other = own[..., 0] / own.sum(-1), other[..., 0] / other.sum(-1)
    middle = log_odds + np.log(share_of_own) - np.log(share_of_other)
    half = z * np.sqrt((1 - share_of_own) / own[..., 0] + (1 - share_of_other) / other[..., 0])
    low = np.where(rows[..., 0, 0] == 0, 0, special.expit(middle - half))
    high = np.where(rows[..., 1, 0] == 0, 1, special.expit(middle + half))
    return Limits(1 - high, 1 - low) if are_errors else Limits(low, high)


def _without_empty(cells: Array, z: float) -> Array:
    """The counts of a rate, with z^2 / 2 added to both if one is empty."""
    return cells + np.where((cells == 0).any(-1, keepdims=True), z**2 / 2, 0)
