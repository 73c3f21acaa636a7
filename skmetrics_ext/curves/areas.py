"""Areas under the curves of one class, where they are defined."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.undefined import warn_undefined
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.ranking import precision_area, roc_area
from skmetrics_ext.reading.arguments import check_number


def checked_roc_area(counts: ClassCounts, max_fpr: float | None, *, at_every_score: bool) -> float:
    """The area under the ROC curve up to a false positive rate, nan without positives or negatives."""
    if max_fpr is not None:
        check_number(max_fpr, "max_fpr")
    if max_fpr is not None and not 0 < max_fpr <= 1:
        raise ValueError(f"max_fpr must be above 0 and at most 1; got {max_fpr!r}.")
    _check_every_score("roc_auc", counts, at_every_score)
    return _area_or_nan("roc_auc", roc_area(counts, max_fpr), "it needs positives and negatives")


def checked_precision_area(counts: ClassCounts, *, at_every_score: bool) -> float:
    """Average precision, nan without positives."""
    _check_every_score("average_precision", counts, at_every_score)
    return _area_or_nan("average_precision", precision_area(counts), "there are no positives")


def bounds_of_roc_area(counts: ClassCounts, thresholds: NDArray[Any], *, at_every_score: bool) -> tuple[float, float]:
    """The least and the largest area of scores of which only the counts at some thresholds are known."""
    if at_every_score:
        area = _area_or_nan("roc_auc", roc_area(counts), "it needs positives and negatives")
        return area, area
    order = np.argsort(-thresholds, kind="stable")
    positives, negatives = float(counts.tp[0] + counts.fn[0]), float(counts.fp[0] + counts.tn[0])
    if not (positives and negatives):
        undefined = _area_or_nan("roc_auc", np.nan, "it needs positives and negatives")
        return undefined, undefined
    tpr = np.concatenate(([0.0], counts.tp[order] / positives, [1.0]))
    found = np.diff(np.concatenate(([0.0], counts.fp[order] / negatives, [1.0])))
    # Between two thresholds each negative is above all positives there, or below all of them.
    low, high = ((found * reached).sum() for reached in (tpr[:-1], tpr[1:]))
    return min(max(float(low), 0.0), 1.0), min(max(float(high), 0.0), 1.0)


def _check_every_score(name: str, counts: ClassCounts, at_every_score: bool) -> None:
    """An area between a few thresholds is not that of the scores."""
    if not at_every_score:
        raise ValueError(
            f"{name} is an area over all scores, but this curve has {len(counts.tp)} chosen thresholds: "
            "make one with threshold_curve(..., thresholds=None), or from_frame(..., bins=None)"
            f"{'; roc_auc_bounds() has the two values between which it lies' * (name == 'roc_auc')}."
        )


def _area_or_nan(name: str, area: float, cause: str) -> float:
    """The area, with a warning where it is nan."""
    if np.isnan(area):
        warn_undefined(f"{name} is undefined, because {cause}; it is set to nan.")
    return area
