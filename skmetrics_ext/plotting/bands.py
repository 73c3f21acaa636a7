"""The confidence limits of a metric along a curve, at no more thresholds than a plot needs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import CountedCurve
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.designs import design_of_curve
from skmetrics_ext.reading.order import position_of
from skmetrics_ext.statistics.caveats import told
from skmetrics_ext.statistics.estimate import interval_of
from skmetrics_ext.statistics.request import Request

# For some metrics the limits take a bootstrap, which is slow at each threshold.
MOST_LIMITS = 200


class Band(NamedTuple):
    """Both confidence limits at some thresholds, NaN where the value is undefined or infinite."""

    x: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def places_of_limits(x: NDArray[np.float64], marked: NDArray[np.intp]) -> NDArray[np.intp]:
    """All thresholds; of many, an even selection by rank and by value, and those marked."""
    if len(x) <= MOST_LIMITS:
        return np.arange(len(x))
    n = (MOST_LIMITS - 1) // 2
    by_rank = np.linspace(0, len(x) - 1, n).astype(np.intp)
    by_value = np.searchsorted(x, np.linspace(x[0], x[-1], n))
    return np.unique(np.concatenate([by_rank, by_value, marked]))


def limits_along(
    curve: ThresholdCurve, choice: Choice, places: NDArray[np.intp], request: Request
) -> Band:
    """The confidence limits of a metric at some places of a curve, from the counts there."""
    low, high = np.full((2, len(places)), np.nan)
    known = np.isfinite(score(_counted_at(curve, places), choice))
    if known.any():
        design = design_of_curve(curve, curve.thresholds[places[known]])
        counted, axes = _counted_at(curve, places[known]), (_axis_at(curve, places[known]),)
        interval = told(interval_of(counted, choice, axes, request, design))
        low[known], high[known] = interval.low, interval.high
    return Band(curve.thresholds[places].astype(np.float64), low, high)


def _axis_at(curve: ThresholdCurve, places: NDArray[np.intp]) -> Axis:
    """The thresholds there."""
    return Axis("threshold", curve.thresholds[places])


def _counted_at(curve: ThresholdCurve, places: NDArray[np.intp]) -> CountedCurve:
    """The counts of a curve at some of its thresholds."""
    counts = ClassCounts(*(part[places] for part in curve.counts))
    position = position_of(curve.labels, curve.pos_label) or 0
    return CountedCurve(counts, curve.labels, curve.pos_label, position, ranked=curve._ranked)
