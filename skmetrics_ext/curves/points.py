"""The points of a ROC curve and of a precision-recall curve."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.undefined import warn_undefined
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.formulas import one_class


class RocCurve(NamedTuple):
    """False positive rate and true positive rate at each threshold."""

    fpr: NDArray[np.float64]
    tpr: NDArray[np.float64]
    thresholds: NDArray[Any]


class PrecisionRecallCurve(NamedTuple):
    """Precision and recall at each threshold."""

    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    thresholds: NDArray[Any]


def roc_points(counts: ClassCounts, thresholds: NDArray[Any], include_origin: bool) -> RocCurve:
    """Both rates at every threshold, and before them at that which nothing reaches if asked for."""
    fpr = ratio(*one_class.false_positive_rate(counts))
    tpr = ratio(*one_class.recall(counts))
    if lacking := _lacking(fpr, tpr):
        warn_undefined(f"there are no {lacking}: their rate is undefined (0/0) and set to nan.")
    if not include_origin:
        return RocCurve(fpr, tpr, thresholds)
    # 0 of none is as undefined as all of them.
    fpr, tpr = (np.append(0 * rate[:1], rate) for rate in (fpr, tpr))
    return RocCurve(fpr, tpr, np.append(np.inf, thresholds))


def _lacking(fpr: NDArray[np.float64], tpr: NDArray[np.float64]) -> str:
    """Which of the two classes has no samples, by its rate."""
    return " and no ".join(name for name, rate in (("negatives", fpr), ("positives", tpr)) if np.isnan(rate).any())
