"""Confusion matrices as arrays: of all classes, and of each class or sample against the rest."""

from __future__ import annotations

from typing import Any, Literal

from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.counting.counts import (
    count_classes,
    count_indicators,
    count_samples,
    dense_matrix,
    two_by_two,
)
from skmetrics_ext.formulas import all_classes
from skmetrics_ext.metrics.from_labels import encode_chosen_labels
from skmetrics_ext.reading.aliases import LabelsLike, TargetLike
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.pairs import Encoded, Weights, encode

Normalize = Literal["true", "pred", "all"]


@explained
def confusion_matrix(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    labels: LabelsLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: Normalize | None = None,
) -> NDArray[Any]:
    """M[i, j]: the number of samples of actual class i that were predicted as class j.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes in order; samples of others are omitted. None: all, sorted.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    normalize : {"true", "pred", "all"} or None, default=None
        Divide by the sum of each row, of each column, or of all samples; an empty row or column
        gives 0.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        int64; float64 with float weights or `normalize`.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel, or no sample in `y_true` has any of `labels`.

    Warns
    -----
    UserWarning
        If there is a single label.

    References
    ----------
    scikit-learn.

    See Also
    --------
    skmetrics_ext.ConfusionMatrix : The same with labels, arithmetic and every metric.

    Examples
    --------
    >>> from skmetrics_ext import confusion_matrix
    >>> confusion_matrix([2, 0, 2, 2, 0, 1], [0, 0, 2, 2, 0, 2])
    array([[2, 0, 0],
           [0, 0, 1],
           [1, 0, 2]])
    """
    if normalize not in (None, "true", "pred", "all"):
        raise ValueError(f"normalize must be None, 'true', 'pred' or 'all'; got {normalize!r}.")
    matrix = dense_matrix(encode_chosen_labels(y_true, y_pred, labels, sample_weight))
    if len(matrix) == 1:
        warn(
            "y_true and y_pred have a single label: pass all known labels as labels= for a matrix "
            "of the full shape."
        )
    return matrix if normalize is None else all_classes.shares(matrix, normalize)


@explained
def multilabel_confusion_matrix(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: LabelsLike | None = None,
    samplewise: bool = False,
) -> NDArray[Any]:
    """[[tn, fp], [fn, tp]] of each class against the rest, or of each sample over its labels.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    labels : array-like of shape (n_classes,), default=None
        Classes in order; for multilabel data, column numbers. None: all, sorted.
    samplewise : bool, default=False
        One matrix per sample (multilabel only).

    Returns
    -------
    ndarray of shape (n_classes, 2, 2) or (n_samples, 2, 2)
        int64, or float64 with float weights.

    Raises
    ------
    ValueError
        If the inputs are invalid, or `samplewise` is requested for single-label data.

    References
    ----------
    scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import multilabel_confusion_matrix
    >>> multilabel_confusion_matrix([0, 1, 1], [0, 0, 1])
    array([[[1, 1],
            [0, 1]],
           [[1, 0],
            [1, 1]]])
    """
    order = None if labels is None else read_order(labels)
    encoded = encode(y_true, y_pred, labels=order, weights=Weights(sample_weight))
    if isinstance(encoded, Encoded):
        if samplewise:
            raise ValueError(
                "samplewise=True needs multilabel data: 2-D 0/1 indicators, one column per label."
            )
        return two_by_two(count_classes(encoded))
    if not samplewise:
        return two_by_two(count_indicators(encoded))
    matrices = two_by_two(count_samples(encoded))
    return matrices if encoded.weights is None else matrices * encoded.weights[:, None, None]
