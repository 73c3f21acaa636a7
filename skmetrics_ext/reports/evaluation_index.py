"""The classwise evaluation index: counts and basic rates in a flat dict."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.score import class_values_and_averages
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.counting.counts import ClassCounts, Matrix
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.counted import are_shares_of_rows, refuse_shares
from skmetrics_ext.reading.aliases import LabelsLike, TargetLike
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.order import plain, show

# The names in the index, and the names of the metrics.
SAME = ("precision", "recall", "specificity", "false_positive_rate", "false_negative_rate")
RATES = {"accuracy": "one_vs_rest_accuracy", "classification_error": "one_vs_rest_error"}
RATES |= {**dict(zip(SAME, SAME, strict=True)), "f_measure": "f1"}


@explained
def evaluation_index(
    y_true: TargetLike | ConfusionMatrix,
    y_pred: TargetLike | None = None,
    *,
    labels: LabelsLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> dict[str, Any]:
    """Counts, rates and matrix cells of every class, in a flat dict with keys such as "recall_ash".

    `get_scorer("evaluation_index")` returns it for each fold of `cross_validate`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,), or ConfusionMatrix
        Actual labels, or a matrix in place of both; leading axes give arrays.
    y_pred : array-like of shape (n_samples,)
        Predicted labels.
    labels : array-like of shape (n_classes,), default=None
        All classes in order. None: all labels, in the order of an ordered categorical, else sorted.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.

    Returns
    -------
    dict of str to int or float
        For each class i: `true_positive_<i>`, `false_positive_<i>`, `true_negative_<i>` and
        `false_negative_<i>` (counts); `accuracy_<i>`, `classification_error_<i>`, `precision_<i>`,
        `recall_<i>`, `specificity_<i>`, `false_positive_rate_<i>`, `false_negative_rate_<i>` and
        `f_measure_<i>` (in [0, 1]); `cf_<i>_<j>`, the samples of actual class i predicted as j. For
        each rate `<rate>_weighted`: its average weighted by prevalence.

    Raises
    ------
    ValueError
        As `ConfusionMatrix.from_predictions`; also if two entries would have the same key.

    References
    ----------
    Sokolova & Lapalme (2009), Information Processing & Management 45:427.

    Examples
    --------
    >>> from skmetrics_ext import evaluation_index
    >>> index = evaluation_index(["no", "yes", "no"], ["no", "yes", "yes"])
    >>> index["recall_no"], index["cf_no_yes"], round(index["precision_weighted"], 4)
    (0.5, 1, 0.8333)
    """
    if isinstance(y_true, ConfusionMatrix):
        if y_pred is not None or labels is not None or sample_weight is not None:
            raise ValueError(
                "a ConfusionMatrix already includes its labels and weights: pass it on its own."
            )
        cm = y_true
    else:
        predicted: Any = y_pred  # None is rejected as a label array.
        cm = ConfusionMatrix.from_predictions(
            y_true, predicted, labels=labels, sample_weight=sample_weight
        )
    if any(axis.name == "label" for axis in cm.axes):
        raise ValueError(
            "the evaluation index is for classes, with one label per sample; these data are "
            "multilabel."
        )
    if are_shares_of_rows(cm):
        refuse_shares("the evaluation index")
    return index_of_counts(cm.counts, cm.labels)


def index_of_counts(matrix: Matrix, labels: NDArray[Any]) -> dict[str, Any]:
    """The index of matrices (..., n_classes, n_classes) of these labels."""
    names = index_names(labels)
    if len(set(names)) < len(names):
        raise ValueError(
            f"the labels {show(labels)} would give two entries the same name: rename the labels."
        )
    counts = CountedMatrix(matrix, labels)
    parts = [count_values(counts.classes, matrix)]
    for metric in RATES.values():
        values, means = class_values_and_averages(counts, choose(metric), ["weighted"])
        parts += [values, np.expand_dims(means["weighted"], -1)]
    entries = [entry for part in parts for entry in np.moveaxis(part, -1, 0)]
    return {
        name: entry if entry.ndim else entry.item()
        for name, entry in zip(names, entries, strict=True)
    }


def index_names(labels: NDArray[Any]) -> list[str]:
    """The names in the index: of counts, and each rate for each class and average."""
    whose = [*plain(labels), "weighted"]
    return count_names(labels) + [f"{rate}_{name}" for rate in RATES for name in whose]


def count_names(labels: NDArray[Any]) -> list[str]:
    """The names of the class counts and of the cells of the matrix."""
    names = plain(labels)
    fields = ("true_positive", "false_positive", "true_negative", "false_negative")
    return [f"{field}_{name}" for field in fields for name in names] + [
        f"cf_{actual}_{predicted}" for actual in names for predicted in names
    ]


def count_values(classes: ClassCounts, matrix: Matrix) -> NDArray[Any]:
    """The counts (..., n_names) in the order of `count_names`."""
    cells = matrix.reshape(*matrix.shape[:-2], -1)
    return np.concatenate([classes.tp, classes.fp, classes.tn, classes.fn, cells], axis=-1)
