"""A matrix or curves where a plot is given labels, predictions or scores."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from skmetrics_ext.adapter.columns import read_scores
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.reading.labels import Column, read_labels


def matrix_of(cm: Any, y_pred: Any, **options: Any) -> Any:
    """The matrix given, or that of actual and predicted labels."""
    return (
        ConfusionMatrix.from_predictions(cm, y_pred, **options)
        if _are_labels(cm, "y_pred", y_pred, options)
        else cm
    )


def curves_of(
    curves: Any, y_score: Any, *, pos_label: Any, classes: Any, sample_weight: Any
) -> Any:
    """The curves given, or those of actual labels and scores."""
    options = {"pos_label": pos_label, "classes": classes, "sample_weight": sample_weight}
    if not _are_labels(curves, "y_score", y_score, options):
        return curves
    is_of_one = pos_label is not None or np.size(read_scores(y_score).values[0]) <= 2
    if is_of_one and classes is None and isinstance(read_labels(curves, "y_true"), Column):
        return ThresholdCurve.from_scores(
            curves, y_score, pos_label=pos_label, sample_weight=sample_weight
        )
    made = ThresholdCurves.from_scores(
        curves, y_score, classes=classes, sample_weight=sample_weight
    )
    if pos_label is None and len(made) == 2 and made.axis.name == "class":
        pos_label = list(made)[1]
    return made if pos_label is None else {pos_label: made[pos_label]}


def _are_labels(first: Any, name: str, second: Any, options: Mapping[str, Any]) -> bool:
    """Whether labels are given; without them, refuse their options."""
    is_made = isinstance(first, (ConfusionMatrix, ThresholdCurve, Mapping))
    given = [name for name, option in {name: second, **options}.items() if option is not None]
    if given and (is_made or second is None):
        raise ValueError(
            f"{given[0]}= applies only to labels, y_true and {name}: pass both, or without it "
            "what is made from them."
        )
    return bool(given)
