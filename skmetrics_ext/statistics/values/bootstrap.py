"""Limits from replicates: percentiles of the smoothed bootstrap, bias, the Dirichlet posterior."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.properties import OfDifferences
from skmetrics_ext.counting.counts import Margins, as_floats, margins_of
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import random_of, stream_of
from skmetrics_ext.counting.resampling import (
    expected,
    resampled,
    resampled_margins,
    resampled_shares,
)
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.constants import BIAS_OF_OVERLAPS_REACHED, BIAS_REACHED
from skmetrics_ext.statistics.estimand import Estimand, hits_and_misses, margins_of_hits

# 1 - confidence_level may be rounded by this proportion, as 1 - 0.9.
ROUNDING = 1e-9
SAME_VALUE = 1e-12


class Draws(NamedTuple):
    """How replicates are drawn: those of each entry from the same stream, as if it were alone."""

    n: int
    seed: np.random.SeedSequence
    by_row: bool
    # Groups that are compared are independent: each of these entries has a stream of its own.
    streams: NDArray[Any] | None = None

    def random(self, place: tuple[int, ...] = ()) -> np.random.Generator:
        """The stream of one entry, from its beginning."""
        number = 0 if self.streams is None else int(self.streams[place[: self.streams.ndim]])
        return random_of(stream_of(self.seed, number))


def streams_of_groups(shape: tuple[int, ...], place: int) -> NDArray[np.intp]:
    """The stream of each entry (*shape), one for each group of an axis: groups are independent."""
    of_groups = np.arange(shape[place]).reshape(-1, *[1] * (len(shape) - place - 1))
    return np.broadcast_to(of_groups, shape)


def of_each_entry(shape: tuple[int, ...], draw: Callable[[tuple[int, ...]], Array]) -> Array:
    """What is drawn for each of the entries (n, *shape, ...), one by one."""
    drawn = [draw(place) for place in np.ndindex(shape)]
    if not drawn:
        return np.empty((1, *shape))
    n_drawn, *rest = drawn[0].shape
    return np.stack(drawn, 1).reshape(n_drawn, *shape, *rest)


def replicated(estimand: Estimand) -> Estimand:
    """What is computed for replicates: the value, or for a disagreement, which is larger in
    replicates, a bound on its deviation: half of its differences' changes, plus that of the
    accuracy.
    """
    of_differences = estimand.choice.row.made_of
    if not isinstance(of_differences, OfDifferences):
        return estimand
    observed = margins_of(estimand.matrices)
    differences, accuracy = _differences_and_accuracy(observed)

    def moved(counts: Any) -> Array:
        """An upper bound on how far replicates deviate from the counts' value."""
        of_replicates, right = _differences_and_accuracy(margins_of(counts))
        moves = np.abs(of_replicates - differences).sum(-1) / 2
        adds_accuracy = of_differences.adds_accuracy
        return np.asarray(moves + np.abs(right - accuracy) if adds_accuracy else moves)

    return replace(estimand, value_of=moved)


def _differences_and_accuracy(margins: Margins) -> tuple[Array, Array]:
    """Predicted minus actual samples (..., n_classes), and correct ones, as proportions."""
    n = margins.row_sums.sum(-1)
    return ratio(margins.fp - margins.fn, n[..., None]), ratio(margins.diagonal.sum(-1), n)


def bootstrap(estimands: Sequence[Estimand], draws: Draws) -> list[Array]:
    """Values (n, ...) of each estimand of the same matrices, for replicates of smoothed counts."""
    shape = estimands[0].matrices.shape[:-2]

    def draw(place: tuple[int, ...]) -> Array:
        """The values (n, n_estimands) of one matrix."""
        return np.stack(_of_entry([of.at(place) for of in estimands], draws, place), -1)

    values = of_each_entry(shape, draw)
    return [values[..., number] for number in range(len(estimands))]


def _of_entry(estimands: Sequence[Estimand], draws: Draws, place: tuple[int, ...]) -> list[Array]:
    """The same of a single matrix; those drawn alike share replicates, each as if alone."""
    drawn_as = [(of.depends_only_on_hits(), of.margins_suffice) for of in estimands]
    values: dict[int, Array] = {}
    for kind in dict.fromkeys(drawn_as):
        alike = [k for k, own in enumerate(drawn_as) if own == kind]
        drawn = _drawn_alike([estimands[k] for k in alike], draws, place)
        values |= zip(alike, drawn, strict=True)
    return [values[k] for k in range(len(estimands))]


def _drawn_alike(
    estimands: Sequence[Estimand], draws: Draws, place: tuple[int, ...]
) -> list[Array]:
    """The values of estimands that are determined by the same part of a matrix."""
    first, n, by_row = estimands[0], draws.n, draws.by_row
    random = draws.random(place)
    matrices, smoothing = first.matrices, first.smoothing
    # Margins are made once for many metrics, from integers several times as fast.
    chunks: Iterable[tuple[Margins, Any]]
    if first.depends_only_on_hits():
        hits, smoothing = (hits_and_misses(part) for part in (matrices, smoothing))
        drawn = resampled(hits, n, random, smoothing=smoothing, by_row=by_row)
        chunks = ((margins_of_hits(as_floats(chunk)), None) for chunk in drawn)
    elif first.margins_suffice:
        of_margins = resampled_margins(matrices, n, random, smoothing=smoothing, by_row=by_row)
        chunks = ((margins, None) for margins in of_margins)
    else:
        drawn = resampled(matrices, n, random, smoothing=smoothing, by_row=by_row)
        chunks = ((margins_of(chunk), as_floats(chunk)) for chunk in drawn)
    values_of = [replicated(estimand).value_of for estimand in estimands]
    values: list[list[Array]] = [[] for _ in estimands]
    for margins, cells in chunks:
        for estimand, value_of, found in zip(estimands, values_of, values, strict=True):
            found.append(value_of(margins if estimand.margins_suffice else cells))
    return [np.concatenate(found) for found in values]


def leaves_any_out(n: int, alpha: Any) -> Any:
    """Whether percentiles of n replicates leave out one or more on each side."""
    return alpha * (1 + ROUNDING) >= 2 / (n + 1)


def least_number(alpha: float) -> int:
    """So many replicates are enough for that."""
    return math.ceil(2 / (alpha * (1 + ROUNDING))) - 1


def percentiles(values: Array, alpha: Any) -> Limits:
    """Order statistics, not interpolated, that leave out alpha / 2 of the defined replicates."""
    return percentiles_at(values)(alpha)


def percentiles_at(values: Array) -> Callable[[Any], Limits]:
    """The same by alpha, of replicates that are sorted once."""
    # Undefined replicates are sorted last.
    n_known, ordered = (~np.isnan(values)).sum(0), np.sort(values, axis=0)

    def at(alpha: Any) -> Limits:
        """The limits at level 1 - alpha."""
        rank = np.floor((n_known + 1) * (alpha / 2) * (1 + ROUNDING)).astype(np.int64)
        places = np.clip(np.stack([rank - 1, n_known - rank]), 0, np.maximum(n_known - 1, 0))
        return Limits(*np.take_along_axis(ordered, places, axis=0))

    return at


def percentiles_apart(values: Array, alpha: float, least_width: float) -> Limits:
    """Percentiles of replicates (n,), or nested further ones more than so wide apart, if any."""
    ordered = np.sort(values[~np.isnan(values)])
    n = len(ordered)
    rank = max(int(np.floor((n + 1) * (alpha / 2) * (1 + ROUNDING))), 1)
    low, high = ordered[:rank][::-1], ordered[n - rank :]
    place = int(np.argmax(high > low + least_width))
    return Limits(low[place], high[place])


class MethodLimits(NamedTuple):
    """Limits, and how many replicates of each are undefined."""

    limits: Limits
    n_undefined: Any = 0


# The limits of a method by alpha.
LimitsByAlpha = Callable[[Any], MethodLimits]


def limits_by_bootstrap(estimand: Estimand, values: Array, draws: Draws) -> LimitsByAlpha:
    """Percentiles of replicates, corrected for their bias; an inverted p-value asks at twenty
    levels.
    """
    value, n_undefined = estimand.value, np.isnan(values).sum(0)
    at = percentiles_at(values)
    if isinstance(estimand.choice.row.made_of, OfDifferences):

        def around(alpha: Any) -> MethodLimits:
            """The value plus and minus the farthest deviation."""
            _, farthest = at(2 * alpha)
            return MethodLimits(Limits(value - farthest, value + farthest), n_undefined)

        return around
    below, above = _reach_of_truth(estimand, values, draws)
    is_constant = _are_constant(values)

    def extended(alpha: Any) -> MethodLimits:
        """Percentiles extended by the bias, and the value where replicates are equal."""
        low, high = at(alpha)
        ends = (np.where(is_constant, value, end) for end in (low - below, high + above))
        return MethodLimits(Limits(*ends), n_undefined)

    return extended


def limits_by_percentiles(estimand: Estimand, alpha: Any, draws: Draws) -> MethodLimits:
    """Percentiles of replicates of the counts as they are (Efron 1979)."""
    [values] = bootstrap([estimand], draws)
    return MethodLimits(percentiles(values, alpha), np.isnan(values).sum(0))


def limits_by_posterior(
    estimand: Estimand, alpha: Any, draws: Draws, prior: float | None
) -> MethodLimits:
    """Percentiles of values by a Dirichlet distribution, the prior added to each cell."""
    cells = estimand.smoothing if prior is None else np.where(estimand.smoothing > 0, prior, 0)

    def draw(place: tuple[int, ...]) -> Array:
        """The values (n,) of one posterior."""
        matrix, random = estimand.matrices[place], draws.random(place)
        drawn = resampled_shares(matrix, draws.n, random, prior=cells[place], by_row=draws.by_row)
        return np.concatenate([estimand.value_of(chunk) for chunk in drawn])

    values = of_each_entry(estimand.matrices.shape[:-2], draw)
    limits = as_constant(values, percentiles(values, alpha), estimand.value)
    return MethodLimits(limits, np.isnan(values).sum(0))


def _reach_of_truth(estimand: Estimand, values: Array, draws: Draws) -> tuple[Array, Array]:
    """By how much percentiles are extended down and up: the bias of replicates, which the value
    shares.
    """
    row = estimand.choice.row
    if estimand.counts_samples and not estimand.kind.is_mean_of_classes:
        # Proportions are unbiased.
        return np.zeros(()), np.zeros(())
    of_counts = estimand.value_of(
        expected(estimand.matrices, smoothing=estimand.smoothing, by_row=draws.by_row)
    )
    with np.errstate(invalid="ignore"):
        mean = ratio(np.nansum(values, 0), (~np.isnan(values)).sum(0))
        reached = BIAS_OF_OVERLAPS_REACHED if estimand.is_overlap else BIAS_REACHED
        excess = reached * np.nan_to_num(mean - of_counts, posinf=0, neginf=0)
    # By up to so much is the entropy of the classes, a bound, larger than a sample's (Miller 1955).
    of_entropy = ratio(estimand.matrices.shape[-1] - 1, estimand.matrices.sum((-2, -1)))
    further = of_entropy if row.kind == "biased" and row.widest_ends[1] == np.inf else 0
    return np.maximum(excess, 0), further - np.minimum(excess, 0)


def as_constant(values: Array, limits: Limits, value: Array) -> Limits:
    """The value where all replicates are equal, but for rounding."""
    is_constant = _are_constant(values)
    return Limits(*(np.where(is_constant, value, limit) for limit in limits))


def _are_constant(values: Array) -> NDArray[np.bool_]:
    """Where all replicates are equal, but for rounding."""
    with np.errstate(invalid="ignore"):
        spread = values.max(0) - values.min(0)
        is_same = np.isfinite(spread) & (spread <= SAME_VALUE * np.abs(values).max(0))
    return np.asarray(is_same)
