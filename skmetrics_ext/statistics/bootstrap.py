"""Limits from replicates: percentiles of the smoothed bootstrap, its bias, and the Dirichlet posterior."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.counts import Margins, as_floats, margins_of
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import expected, resampled, resampled_shares
from skmetrics_ext.statistics.estimand import Estimand, clipped, hits_and_misses, margins_of_hits, sees_hits_alone
from skmetrics_ext.statistics.proportions import Array, Limits

# 1 - confidence_level may be rounded by this proportion: 1 - 0.9 is a little below 0.1.
ROUNDING = 1e-9
# Limits are extended towards the true value by so many times the bias: the bias of small counts exceeds that of the
# replicates resampled from them.
BIAS_REACHED = 4
# Replicates that differ by a smaller proportion are one value.
SAME_VALUE = 1e-12


class Draws(NamedTuple):
    """How replicates are drawn."""

    n: int
    random: np.random.Generator
    by_row: bool


def replicated(estimand: Estimand) -> Estimand:
    """What is computed for replicates: the value, or for a disagreement an upper bound on its deviation.

    A disagreement is a sum of absolute differences, which is larger in replicates, so its percentiles are not useful.
    It changes by at most half of the sum of the changes of its differences, plus that of the accuracy.
    """
    if estimand.choice.row.interval != "disagreement":
        return estimand
    observed = margins_of(estimand.matrices)
    differences, accuracy = _differences_and_accuracy(observed)

    def moved(counts: Any) -> Array:
        """An upper bound on the deviation of the value of replicates from that of the counts."""
        of_replicates, right = _differences_and_accuracy(margins_of(counts))
        moves = np.abs(of_replicates - differences).sum(-1) / 2
        is_of_allocation = estimand.choice.row.name == "allocation_disagreement"
        return np.asarray(moves + np.abs(right - accuracy) if is_of_allocation else moves)

    return estimand._replace(value_of=moved)


def _differences_and_accuracy(margins: Margins) -> tuple[Array, Array]:
    """Predicted minus actual samples of each class (..., n_classes), and correct ones, as proportions."""
    n = margins.row_sums.sum(-1)
    return ratio(margins.fp - margins.fn, n[..., None]), ratio(margins.diagonal.sum(-1), n)


def bootstrap(estimands: Sequence[Estimand], draws: Draws) -> list[Array]:
    """The values (n, ...) of each estimand of the same matrices, for replicates resampled from the smoothed counts."""
    first = estimands[0]
    values: list[list[Array]] = [[] for _ in estimands]
    if len(estimands) == 1 and sees_hits_alone(first):
        hits, smoothing = (hits_and_misses(part) for part in (first.matrices, first.smoothing))
        chunks = resampled(hits, draws.n, draws.random, smoothing=smoothing, by_row=draws.by_row)
        return [np.concatenate([first.value_of(margins_of_hits(as_floats(chunk))) for chunk in chunks])]
    for chunk in resampled(first.matrices, draws.n, draws.random, smoothing=first.smoothing, by_row=draws.by_row):
        # Margins are made once for many metrics, and from integers several times as fast.
        margins, matrices = margins_of(chunk), as_floats(chunk)
        for estimand, of_estimand in zip(estimands, values, strict=True):
            of_estimand.append(replicated(estimand).value_of(margins if estimand.margins_suffice else matrices))
    return [np.concatenate(of_estimand) for of_estimand in values]


def posterior(estimand: Estimand, draws: Draws, prior: float | None) -> Array:
    """The values (n, ...) for proportions from a Dirichlet distribution, the prior added to each cell."""
    cells = estimand.smoothing if prior is None else np.where(estimand.smoothing > 0, prior, 0)
    return _values(
        estimand, resampled_shares(estimand.matrices, draws.n, draws.random, prior=cells, by_row=draws.by_row)
    )


def leaves_any_out(n: int, alpha: float) -> bool:
    """Whether the percentiles of n replicates leave out at least one on each side."""
    return alpha * (1 + ROUNDING) >= 2 / (n + 1)


def percentiles(values: Array, alpha: Any) -> Limits:
    """The order statistics that leave alpha / 2 of the replicates on either side; undefined ones are omitted.

    There is no interpolation, so infinite replicates are allowed.
    """
    # Undefined replicates are sorted last.
    n_known, ordered = (~np.isnan(values)).sum(0), np.sort(values, axis=0)
    rank = _rank(n_known, alpha / 2)
    return Limits(_at(ordered, rank - 1, n_known), _at(ordered, n_known - rank, n_known))


def bias(estimand: Estimand, values: Array, draws: Draws) -> Array:
    """By how much the mean of the replicates exceeds the value of the counts that they were resampled from.

    0 for proportions, which are unbiased, and where it is infinite.
    """
    if estimand.choice.row.interval == "share" and estimand.average not in ("macro", "weighted"):
        return np.zeros(values.shape[1:])
    with np.errstate(invalid="ignore"):
        excess = _mean_of(values) - _value_drawn_from(estimand, draws)
    return np.asarray(np.where(np.isfinite(excess), excess, 0))


def shifted_on_logit(estimand: Estimand, values: Array, draws: Draws, limits: Limits) -> Limits:
    """Limits of values in [0, 1] with the bootstrap bias subtracted on the logit scale."""
    mean, drawn_from = _mean_of(values), _value_drawn_from(estimand, draws)
    with np.errstate(invalid="ignore"):
        excess = np.where(mean == drawn_from, 0, special.logit(mean) - special.logit(drawn_from))
    return Limits(*(special.expit(special.logit(limit) - excess) for limit in limits))


def n_undefined(values: Array) -> NDArray[np.int64]:
    """How many replicates have no value."""
    return np.asarray(np.isnan(values).sum(0))


def _mean_of(values: Array) -> Array:
    """The mean of the replicates that have a value."""
    return ratio(np.nansum(values, 0), (~np.isnan(values)).sum(0))


def _value_drawn_from(estimand: Estimand, draws: Draws) -> Array:
    """The value of the smoothed counts."""
    return estimand.value_of(expected(estimand.matrices, smoothing=estimand.smoothing, by_row=draws.by_row))


def _values(estimand: Estimand, chunks: Iterable[NDArray[Any]]) -> Array:
    """The values of all replicates, whose matrices are not kept."""
    return np.concatenate([estimand.value_of(chunk.astype(np.float64, copy=False)) for chunk in chunks])


def _rank(n_known: NDArray[np.int64], share: Any) -> NDArray[np.int64]:
    """The rank, counted from 1, of the replicate with such a proportion of all at or below it."""
    return np.asarray(np.floor((n_known + 1) * share * (1 + ROUNDING)).astype(np.int64))


def _at(ordered: Array, place: NDArray[np.int64], n_known: NDArray[np.int64]) -> Array:
    """The order statistics at places, restricted to replicates that have a value; NaN where none has."""
    place = np.clip(place, 0, np.maximum(n_known - 1, 0))
    return np.asarray(np.take_along_axis(ordered, place[None], axis=0)[0])


class MethodLimits(NamedTuple):
    """Limits, and how many replicates of each are undefined."""

    limits: Limits
    n_undefined: Any = 0


def of_bootstrap(estimand: Estimand, values: Array, alpha: Any, draws: Draws) -> MethodLimits:
    """Percentiles of replicates, corrected for their bias."""
    if estimand.choice.row.interval == "disagreement":
        value, (_, farthest) = estimand.value_of(estimand.matrices), percentiles(values, 2 * alpha)
        return MethodLimits(clipped(Limits(value - farthest, value + farthest), estimand.choice), n_undefined(values))
    limits = _reaching_truth(estimand, values, percentiles(values, alpha), draws)
    return MethodLimits(as_constant(values, limits, estimand.value_of(estimand.matrices)), n_undefined(values))


def _reaching_truth(estimand: Estimand, values: Array, limits: Limits, draws: Draws) -> Limits:
    """Percentiles extended towards the true value if replicates are biased, as the value itself then is."""
    if estimand.choice.row.interval == "overlap" and estimand.average in ("macro", "weighted"):
        return shifted_on_logit(estimand, values, draws, limits)
    excess = BIAS_REACHED * bias(estimand, values, draws)
    # The entropy of the classes is larger than that of a sample by up to this (Miller 1955), whatever is predicted.
    of_entropy = ratio(estimand.matrices.shape[-1] - 1, estimand.matrices.sum((-2, -1)))
    further = of_entropy if estimand.choice.row.name == "mutual_information" else 0
    limits = Limits(limits.low - np.maximum(excess, 0), limits.high - np.minimum(excess, 0) + further)
    return clipped(limits, estimand.choice)


def as_constant(values: Array, limits: Limits, value: Array) -> Limits:
    """The value itself where all replicates are equal, apart from rounding."""
    with np.errstate(invalid="ignore"):
        spread = values.max(0) - values.min(0)
        is_constant = np.isfinite(spread) & (spread <= SAME_VALUE * np.abs(values).max(0))
    return Limits(*(np.where(is_constant, value, limit) for limit in limits))
