"""Intervals of the areas under the curves of one class, from its samples at each score."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.ranking import Samples, counts_at_every_score, with_weight
from skmetrics_ext.curves.from_data import Entries
from skmetrics_ext.reading.arguments import check_in_range
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.uncertainty.areas import AtScores, limits_of_average_precision, limits_of_roc_area, roc_area_of
from skmetrics_ext.uncertainty.interval import Interval
from skmetrics_ext.uncertainty.proportions import Limits

ROC_METHODS = ("auto", "delong-logit", "delong")


def roc_area_interval(
    area: float, samples: Samples, label: Any, method: str, confidence_level: float, entries: Entries = "samples"
) -> Interval:
    """The area between its limits."""
    if method not in ROC_METHODS:
        raise ValueError(f"method must be one of {[*ROC_METHODS]}; got {method!r}.")
    alpha = _alpha(confidence_level)
    positive, negative = _at_scores(samples, entries)
    if not (positive.weights.any() and negative.weights.any()):
        raise ValueError("the area under the ROC curve needs positive and negative samples: there is no interval.")
    found = roc_area_of(area, positive, negative)
    limits, how = limits_of_roc_area(found, alpha, method)
    if how.startswith("DeLong") and found.has_few_misplaced:
        warn(
            f"DeLong's limits are too near where so few samples are on the wrong side (method={method!r}, area "
            f"{area:.4g}, {found.rarer:.4g} samples of the rarer class): method='auto' has wider ones."
        )
    return _interval("roc_auc", area, limits, confidence_level, how, label, _n_of(samples, entries))


def average_precision_interval(
    area: float, samples: Samples, label: Any, confidence_level: float, entries: Entries = "samples"
) -> Interval:
    """Average precision between its limits."""
    alpha = _alpha(confidence_level)
    positive, negative = _at_scores(samples, entries)
    if not positive.weights.any():
        raise ValueError("average precision needs positive samples: there is no interval.")
    limits = limits_of_average_precision(area, positive, negative, alpha)
    n = _n_of(samples, entries)
    return _interval("average_precision", area, limits, confidence_level, "logit", label, n)


def _interval(
    metric: str, area: float, limits: Limits, confidence_level: float, method: str, label: Any, n: int
) -> Interval:
    """An area between its limits."""
    ends = float(limits.low), float(limits.high)
    return Interval(area, *ends, confidence_level, method, metric=metric, label=label, n=n)


def _n_of(samples: Samples, entries: Entries) -> int:
    """How many samples there are."""
    scores, _, weights = with_weight(samples)
    return int(weights.sum()) if weights is not None and entries == "counts" else len(scores)


def _alpha(confidence_level: Any) -> float:
    """What the limits leave out."""
    check_in_range(confidence_level, "confidence_level", lambda x: 0 < x < 1, "a number between 0 and 1")
    return float(1 - confidence_level)


def _at_scores(samples: Samples, entries: Entries) -> tuple[AtScores, AtScores]:
    """The positive and the negative samples at each score."""
    if entries not in ("samples", "counts"):
        raise ValueError(
            "an interval needs the weight of each sample, and this curve has their sum at each score: make it by "
            "threshold_curve, or without sample_weight."
        )
    weights = _masses(samples)
    if samples.weights is None or entries == "counts":
        squares = weights
    else:
        # Weights near the largest float have squares beyond it.
        scale = float(samples.weights.max()) or 1.0
        relative = samples.weights / scale
        weights = _masses(samples._replace(weights=relative))
        squares = _masses(samples._replace(weights=relative**2))
    positive, negative = (AtScores(*pair) for pair in zip(weights, squares, strict=True))
    return positive, negative


def _masses(samples: Samples) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights of the positive and of the negative samples at each distinct score."""
    _, counts = counts_at_every_score(samples, "positive")
    tp, fp = (np.diff(reached.astype(np.float64), prepend=0.0) for reached in (counts.tp, counts.fp))
    return tp, fp
