"""The best threshold of a curve: the best of the values that meet all bounds."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.curves.constraints import Constraint, nothing_qualifies
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
    row: Metric,
    values: NDArray[np.float64],
    constraints: list[Constraint],
    thresholds: NDArray[np.float64],
    counts: ClassCounts,
) -> BestThreshold:
    """The highest of the thresholds at which a metric has its best value."""
    meets = np.logical_and.reduce([constraint.holds for constraint in constraints], initial=True)
    possible = ~np.isnan(values) & meets
    if not possible.any():
        raise ValueError(nothing_qualifies(row.name, constraints, bool(np.any(meets))))
    gains = np.where(possible, values if row.better == "higher" else -values, -np.inf)
    (winners,) = np.nonzero(possible & (gains == gains.max()))
    winner = winners[thresholds[winners].argmax()]
    return BestThreshold(
        values[winner].item(),
        thresholds[winner].item(),
        ClassCounts(*(part[winner].item() for part in counts)),
    )
