"""Confidence limits along a curve, at no more thresholds than a plot needs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice, choose
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.counted import CountedCurve
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.replicates import random_of
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.designs import matrices_at
from skmetrics_ext.curves.operating_points import check_unweighted, oriented_samples
from skmetrics_ext.curves.values import counted_of_curve
from skmetrics_ext.matrices.counted import counted_for_limits, intervals_for
from skmetrics_ext.reading.aliases import RandomState
from skmetrics_ext.statistics.areas.curve_bands import pointwise_band, simultaneous_roc_band
from skmetrics_ext.statistics.caveats import Caveat, tell, told
from skmetrics_ext.statistics.request import Request

# The places of the x axis at which a band around a curve is computed.
PLACES = np.linspace(0, 1, 101)[1:-1]
# Rates such as 3 / 10 are rounded.
ROUNDING = 1e-9

# A bootstrap is slow at each threshold.
MOST_LIMITS = 200


class Band(NamedTuple):
    """Both limits at some thresholds, NaN where the value is undefined or infinite."""

    x: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class BandRequest(NamedTuple):
    """The level of a band, whether it holds for the whole curve, and how replicates are drawn."""

    confidence_level: float
    is_simultaneous: bool
    random_state: RandomState


def roc_band(curve: ThresholdCurve, request: BandRequest) -> Band:
    """The limits of the tpr at each fpr, also on the line between two scores."""
    check_unweighted(curve, "a confidence band")
    fpr, tpr, _ = curve.roc(include_origin=True)
    fpr, tpr = np.append(fpr, 1), np.append(tpr, 1)
    # Where the fpr is not exceeded.
    values = tpr[np.searchsorted(fpr, PLACES + ROUNDING, side="right") - 1]
    alpha = 1 - request.confidence_level
    samples, clusters = oriented_samples(curve, given_recall=False, is_precision=False)
    if request.is_simultaneous:
        if clusters is not None:
            raise ValueError(
                "a band for the whole curve needs independent samples, and these are in clusters: "
                "pass simultaneous=False."
            )
        n_negative, n_positive = len(samples.given), len(samples.others)
        limits = simultaneous_roc_band(fpr, tpr, PLACES, n_negative, n_positive, alpha)
    else:
        random = random_of(request.random_state)
        limits = pointwise_band(samples, PLACES, values, alpha, random, clusters)
    line = np.interp(PLACES, fpr, tpr)
    return Band(PLACES, np.minimum(limits.low, line), np.maximum(limits.high, line))


def precision_recall_band(curve: ThresholdCurve, request: BandRequest) -> Band:
    """The limits of the precision at each recall."""
    check_unweighted(curve, "a confidence band")
    if request.is_simultaneous:
        raise ValueError(
            "there is no band of precision for the whole curve: pass simultaneous=False, or draw "
            "plot_roc."
        )
    recall = curve.score("recall")
    precision = curve.score("precision", zero_division=1)
    # With ties="negative" the lowest score does not exceed itself.
    prevalence = curve.score("prevalence")[0]
    recall, precision = np.append(recall, 1), np.append(precision, prevalence)
    values = precision[np.searchsorted(recall, PLACES - ROUNDING)]
    samples, clusters = oriented_samples(curve, given_recall=True, is_precision=True)
    random, alpha = random_of(request.random_state), 1 - request.confidence_level
    limits = pointwise_band(samples, 1 - PLACES, values, alpha, random, clusters)
    return Band(PLACES, limits.low, limits.high)


def places_of_limits(x: NDArray[np.float64], marked: NDArray[np.intp]) -> NDArray[np.intp]:
    """All thresholds; of many, some even by rank and by value, and those marked."""
    if len(x) <= MOST_LIMITS:
        return np.arange(len(x))
    n = (MOST_LIMITS - 1) // 2
    by_rank = np.linspace(0, len(x) - 1, n).astype(np.intp)
    by_value = np.searchsorted(x, np.linspace(x[0], x[-1], n))
    return np.unique(np.concatenate([by_rank, by_value, marked]))


def limits_along(
    curve: ThresholdCurve, choice: Choice, places: NDArray[np.intp], request: Request
) -> Band:
    """The confidence limits of a metric at some places of a curve."""
    low, high = np.full((2, len(places)), np.nan)
    known = np.isfinite(score(counted_at(curve, places), choice))
    if known.any():
        cm = matrices_at(curve, curve.thresholds[places[known]])
        counted, axes = counted_for_limits(cm, choice)
        interval = told(next(intervals_for(cm, counted, [choice], axes, request)))
        low[known], high[known] = interval.low, interval.high
    return Band(curve.thresholds[places].astype(np.float64), low, high)


def limits_of_net_benefit(curve: ThresholdCurve, x: NDArray[np.float64], request: Request) -> Band:
    """The limits of the net benefit at each threshold, NaN where too few samples decide it."""
    low, high = np.full((2, len(x)), np.nan)
    of_few, others = list[Caveat](), list[Caveat]()
    for place, risk in enumerate(x.tolist()):
        choice = choose("net_benefit", pos_label=curve.pos_label, threshold_probability=risk)
        cm = curve.at(risk)
        counted, axes = counted_for_limits(cm, choice)
        interval = next(intervals_for(cm, counted, [choice], axes, request))
        of_few = [caveat for caveat in interval.caveats if caveat.code == "few_samples"]
        others += [caveat for caveat in interval.caveats if caveat.code != "few_samples"]
        if not of_few:
            low[place], high[place] = interval.low, interval.high
    tell(others if np.isfinite(low).any() else [*others, *of_few])
    return Band(x, low, high)


def counted_at(curve: ThresholdCurve, places: NDArray[np.intp]) -> CountedCurve:
    """The counts of a curve at some of its thresholds."""
    return counted_of_curve(curve, ClassCounts(*(part[places] for part in curve.counts)))
