"""Several values at once: rates of each class with supports, and confusion matrices as arrays."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import metrics as sklearn_metrics

from skmetrics_ext.catalogue.averages import AVERAGES, Average
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.counts import (
    count_classes,
    count_indicators,
    count_samples,
    dense_matrix,
    two_by_two,
)
from skmetrics_ext.formulas import all_classes
from skmetrics_ext.metrics.from_labels import (
    CountOptions,
    OtherOptions,
    counted_of,
    encode_chosen_labels,
    what_is_averaged,
)
from skmetrics_ext.reading.aliases import Label, LabelsLike, TargetLike
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.pairs import Encoded, Weights, encode

# The default of the installed scikit-learn: None; "binary" from 1.12; a mark, which is no average,
# in the versions before that warn of the change.
_theirs = inspect.signature(sklearn_metrics.precision_recall_fscore_support).parameters
DEFAULT_AVERAGE: Any = _theirs["average"].default

# The metric of each rate and its parameters, by scikit-learn's or imbalanced-learn's name.
Rates = dict[str, tuple[str, dict[str, Any]]]


class FscoreOptions(OtherOptions, total=False):
    """Options of precision, recall and F besides their average."""

    beta: float
    warn_for: Iterable[str]


@overload
def precision_recall_fscore_support(
    y_true: TargetLike, y_pred: TargetLike, *, average: None, **options: Unpack[FscoreOptions]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[Any]]: ...
@overload
def precision_recall_fscore_support(
    y_true: TargetLike, y_pred: TargetLike, *, average: Average, **options: Unpack[FscoreOptions]
) -> tuple[float, float, float, None]: ...
@overload
def precision_recall_fscore_support(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    average: Average | None = DEFAULT_AVERAGE,
    **options: Unpack[FscoreOptions],
) -> tuple[Any, Any, Any, Any]: ...
@explained
def precision_recall_fscore_support(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    beta: float = 1.0,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = DEFAULT_AVERAGE,
    warn_for: Iterable[str] = ("precision", "recall", "f-score"),
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> tuple[Any, Any, Any, Any]:
    """Precision, recall, F-score and support in one pass: tp / (tp + fp), tp / (tp + fn), F-beta
    and tp + fn.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    beta : float, default=1
        Importance of recall relative to precision, at least 0: 0 gives precision, inf recall.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None
        As in `precision_score`. The default is that of the installed scikit-learn: None before its
        version 1.12, then "binary".
    warn_for : iterable of {"precision", "recall", "f-score"}
        Which metrics warn when undefined.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        As in `precision_score`.

    Returns
    -------
    precision, recall, fscore : float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1].
    support : None, or ndarray of shape (n_classes,) if `average` is None
        Number (or total weight) of samples of each class in y_true.

    Raises
    ------
    ValueError
        As `precision_score`.

    References
    ----------
    scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import precision_recall_fscore_support
    >>> y_true = ["cat", "dog", "cat", "cat"]
    >>> y_pred = ["cat", "dog", "dog", "cat"]
    >>> precision_recall_fscore_support(y_true, y_pred, average="macro")
    (0.75, 0.8333333333333333, 0.7333333333333334, None)
    """
    rates: Rates = {
        "precision": ("precision", {}),
        "recall": ("recall", {}),
        "f-score": ("fbeta", {"beta": beta}),
    }
    average = _average_of_mark(average)
    precision, recall, fscore, support = _rates_and_support(
        rates, y_true, y_pred, labels, pos_label, average, warn_for, sample_weight, zero_division
    )
    return precision, recall, fscore, support


def _average_of_mark(average: Any) -> Average | None:
    """The average; None, with a warning, where scikit-learn's default is about to change."""
    default_is_mark = DEFAULT_AVERAGE is not None and DEFAULT_AVERAGE not in AVERAGES
    if not default_is_mark or average != DEFAULT_AVERAGE:
        chosen: Average | None = average
        return chosen
    warn(
        "average is None by default, and 'binary' from scikit-learn 1.12: pass average=None for "
        "one value per class, or average='binary'.",
        FutureWarning,
    )
    return None


class RatesOptions(CountOptions, total=False):
    """Options of sensitivity and specificity besides their average."""

    warn_for: Iterable[str]


@overload
def sensitivity_specificity_support(
    y_true: TargetLike, y_pred: TargetLike, *, average: None = None, **options: Unpack[RatesOptions]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[Any]]: ...
@overload
def sensitivity_specificity_support(
    y_true: TargetLike, y_pred: TargetLike, *, average: Average, **options: Unpack[RatesOptions]
) -> tuple[float, float, None]: ...
@overload
def sensitivity_specificity_support(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    average: Average | None,
    **options: Unpack[RatesOptions],
) -> tuple[Any, Any, Any]: ...
@explained
def sensitivity_specificity_support(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = None,
    warn_for: Iterable[str] = ("sensitivity", "specificity"),
    sample_weight: ArrayLike | None = None,
) -> tuple[Any, Any, Any]:
    """Sensitivity, specificity and support in one pass: tp / (tp + fn), tn / (tn + fp) and tp + fn,
    weights included.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default=None
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel); "worst": the worst
        class.
    warn_for : iterable of {"sensitivity", "specificity"}
        Which metrics warn when undefined (and are then 0).
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.

    Returns
    -------
    sensitivity, specificity : float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1].
    support : None, or ndarray of shape (n_classes,) if `average` is None
        Number (or total weight) of samples of each class in y_true.

    Raises
    ------
    ValueError
        As `recall_score`.

    References
    ----------
    imbalanced-learn.

    Examples
    --------
    >>> from skmetrics_ext import sensitivity_specificity_support
    >>> sensitivity_specificity_support([1, 0, 1, 0], [1, 0, 0, 0], average="binary")
    (0.5, 1.0, None)
    """
    rates: Rates = {"sensitivity": ("recall", {}), "specificity": ("specificity", {})}
    sensitivity, specificity, support = _rates_and_support(
        rates, y_true, y_pred, labels, pos_label, average, warn_for, sample_weight
    )
    return sensitivity, specificity, support


def _rates_and_support(
    rates: Rates,
    y_true: Any,
    y_pred: Any,
    labels: LabelsLike | None,
    pos_label: Any,
    average: Average | None,
    warn_for: Iterable[str],
    sample_weight: ArrayLike | None,
    zero_division: ZeroDivision = "warn",
) -> list[Any]:
    """The value of each rate in its order here, and last the support, which is None for an average.

    `warn_for` lists the rates that warn when undefined.
    """
    if isinstance(warn_for, str) or not isinstance(warn_for, Iterable):
        raise TypeError(f"warn_for must be a list of names from {[*rates]}; got {warn_for!r}.")
    rates_that_warn = [*warn_for]
    if unknown := [name for name in rates_that_warn if name not in rates]:
        raise ValueError(
            f"warn_for must be a list of names from {[*rates]}; it contains {unknown[0]!r}."
        )
    asked = what_is_averaged(labels, pos_label, average)
    choices = []
    for name, (metric, parameters) in rates.items():
        choice = choose(BY_NAME[metric], zero_division=zero_division, **asked, **parameters)
        if zero_division == "warn" and name not in rates_that_warn:
            choice = choice._replace(zero_division=0)
        choices.append(choice)
    counts = counted_of(y_true, y_pred, sample_weight, choices[0].labels)
    support = counts.classes.tp + counts.classes.fn if average is None else None
    return [*(score(counts, choice) for choice in choices), support]


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
