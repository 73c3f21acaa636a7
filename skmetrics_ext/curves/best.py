"""The best threshold of a curve: the best of the values that meet all bounds."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.curves.constraints import Constraint, nothing_qualifies


class BestThreshold(NamedTuple):
    """The best value of a metric, the threshold that has it and the counts there."""

    value: float
    threshold: float
    counts: ClassCounts


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
