"""The best threshold of a curve: the best of the values that meet all bounds."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.rule import Ties
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.ranking import with_weight
from skmetrics_ext.curves.constraints import Constraint, nothing_qualifies
from skmetrics_ext.curves.ranked import RankedCurve
from skmetrics_ext.reading.order import plain


class BestThreshold(NamedTuple):
    """The best value of a metric, the threshold that has it and the counts there."""

    value: float
    threshold: float
    counts: ClassCounts


class BestThresholds(NamedTuple):
    """The best value of a metric of each curve, the thresholds that have it and the counts there."""

    value: NDArray[np.float64]
    threshold: NDArray[Any]
    counts: ClassCounts
    axis: Axis

    @property
    def thresholds(self) -> dict[Any, float]:
        """The threshold of each entry of the axis."""
        return dict(zip(plain(self.axis.coordinates), self.threshold.tolist(), strict=True))


def best_of_each(axis: Axis, found: Iterable[BestThreshold]) -> BestThresholds:
    """The best of several curves in one; an error says which of them it is about."""
    each, entries = iter(found), []
    for entry in plain(axis.coordinates):
        try:
            entries.append(next(each))
        except ValueError as error:
            raise ValueError(f"{axis.name} {entry!r}: {error}") from None
    values, thresholds, counts = zip(*entries, strict=True)
    parts = (np.array(part) for part in zip(*counts, strict=True))
    return BestThresholds(np.array(values), np.array(thresholds), ClassCounts(*parts), axis)


def best_threshold(
    curve: RankedCurve, row: Metric, values: NDArray[np.float64], constraints: list[Constraint]
) -> tuple[int, BestThreshold]:
    """The highest of the thresholds at which a metric has its best value, by its place and as the caller gets it."""
    if row.better == "neither":
        raise ValueError(
            f"neither high nor low values of {row.name} are better, so none is best: choose another metric, such "
            f"as 'precision', and bound this one by subject_to={{{row.name!r}: (low, high)}}."
        )
    meets = np.logical_and.reduce([constraint.holds for constraint in constraints], initial=True)
    possible = ~np.isnan(values) & meets
    if not possible.any():
        raise ValueError(nothing_qualifies(row.name, constraints, bool(np.any(meets))))
    gains = np.where(possible, values if row.better == "higher" else -values, -np.inf)
    (winners,) = np.nonzero(possible & (gains == gains.max()))
    place = winners[curve.thresholds[winners].argmax()].item()
    threshold = curve.thresholds[place]
    if curve.at_every_score or curve._are_quantiles:
        threshold = between_scores(with_weight(curve._samples).scores, threshold, curve.ties)
    counts = ClassCounts(*(part[place].item() for part in curve.counts))
    return place, BestThreshold(values[place].item(), threshold.item(), counts)


def between_scores(scores: NDArray[Any], score: Any, ties: Ties) -> Any:
    """The middle of the gap in which a threshold has the counts that it has at a score; the score where there is none.

    A model's score for one sample moves in its last digits with the samples beside it and their order in memory.
    """
    below = scores.max(where=scores < score, initial=-np.inf)
    above = scores.min(where=scores > score, initial=np.inf)
    beyond, before = (below, above) if ties == "positive" else (above, below)
    if np.isfinite(beyond):
        # Halves first, since the sum of two large numbers is infinite.
        middle = score / 2 + beyond / 2
        return score if middle == beyond else middle
    if np.isinf(before):
        return score
    are_shares = scores.min() >= 0 and scores.max() <= 1
    ends = (0, 1) if are_shares else (np.finfo(scores.dtype).min, np.finfo(scores.dtype).max)
    with np.errstate(over="ignore"):
        return np.clip(score + (score / 2 - before / 2), *ends)
