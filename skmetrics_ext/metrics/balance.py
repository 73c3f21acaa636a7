"""Balance between recall and specificity of a class."""

from __future__ import annotations

from typing import Unpack, overload

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import Average
from skmetrics_ext.metrics.from_labels import (
    ClassOptions,
    OtherOptions,
    Value,
    class_metric,
    per_class,
    takes_options_of,
)
from skmetrics_ext.reading.aliases import TargetLike


@per_class
def g_mean_score(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """sqrt(recall * specificity): the geometric mean of recall and specificity; per class and then
    averaged.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel); "worst": the worst
        class.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that no sample or every sample has). "warn": 0,
        with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; higher is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it where neither rate may be poor: the lower one pulls it down more than an arithmetic mean.

    Pitfall: It ignores precision, so a rare class may be swamped by false alarms.

    References
    ----------
    Kubat & Matwin (1997), ICML.

    Examples
    --------
    >>> from skmetrics_ext import g_mean_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> g_mean_score(y_true, y_pred, average=None).round(4)
    array([0.7071, 0.8944, 0.6667])
    """
    return class_metric("g_mean", y_true, y_pred, **options)


@per_class
def one_vs_rest_balanced_accuracy_score(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """(recall + specificity) / 2: the mean of recall and specificity of a class.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel); "worst": the worst
        class.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that no sample or every sample has). "warn": 0,
        with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; higher is better, 0.5 is chance level.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it for a rare class: never predicting it scores 0.5, where accuracy would be near 1.

    Pitfall: Its macro average is not the balanced accuracy: always predicting one of ten classes
    scores 0.5 here and 0.1 there.

    References
    ----------
    Brodersen et al. (2010), ICPR, for one class against the rest.

    Examples
    --------
    >>> from skmetrics_ext import one_vs_rest_balanced_accuracy_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> values = one_vs_rest_balanced_accuracy_score(y_true, y_pred, average=None)
    >>> values.round(4)
    array([0.75  , 0.9   , 0.6667])
    """
    return class_metric("one_vs_rest_balanced_accuracy", y_true, y_pred, **options)


class IndexOptions(OtherOptions, total=False):
    """Options of index balanced accuracy besides its average."""

    alpha: float


@overload
def index_balanced_accuracy(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    average: Average = "binary",
    **options: Unpack[IndexOptions],
) -> float: ...
@overload
def index_balanced_accuracy(
    y_true: TargetLike, y_pred: TargetLike, *, average: None, **options: Unpack[IndexOptions]
) -> NDArray[np.float64]: ...
@overload
def index_balanced_accuracy(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    average: Average | None,
    **options: Unpack[IndexOptions],
) -> float | NDArray[np.float64]: ...
@takes_options_of(class_metric)
def index_balanced_accuracy(
    y_true: TargetLike, y_pred: TargetLike, *, alpha: float = 0.1, **options: Unpack[ClassOptions]
) -> Value:
    """(1 + alpha (recall - specificity)) recall specificity: the squared G-mean, weighted by the
    dominance.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    alpha : float, default=0.1
        Weight of the dominance, recall - specificity, in the index balanced accuracy; at least 0.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel); "worst": the worst
        class.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that no sample or every sample has). "warn": 0,
        with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1] for alpha <= 1; higher is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label`, `average` or `alpha` are invalid.

    Notes
    -----
    Use it to prefer, of two models with the same G-mean, the one with the higher recall.

    Pitfall: It depends on alpha, and is on the scale of the squared G-mean: two rates of 0.8 give
    0.64.

    References
    ----------
    Garcia, Mollineda & Sanchez (2009), IbPRIA; default alpha of imbalanced-learn.

    Examples
    --------
    >>> from skmetrics_ext import index_balanced_accuracy
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> index_balanced_accuracy(y_true, y_pred, average=None).round(4)
    array([0.475 , 0.816 , 0.4444])
    """
    return class_metric("index_balanced_accuracy", y_true, y_pred, alpha=alpha, **options)


@per_class
def optimized_precision_score(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """accuracy - |specificity - recall| / (specificity + recall): accuracy minus the imbalance of
    the two rates.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel); "worst": the worst
        class.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that no sample or every sample has, or both
        rates 0). "warn": 0, with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In (-1, 1]; higher is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to tune a model towards equal recall and specificity.

    Pitfall: Balance can outweigh correctness: with equally frequent classes, rates of 0.95 and 0.65
    give 0.61, two of 0.62 give 0.62.

    References
    ----------
    Ranawana & Palade (2006), IEEE Congress on Evolutionary Computation.

    Examples
    --------
    >>> from skmetrics_ext import optimized_precision_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> optimized_precision_score(y_true, y_pred, average=None).round(4)
    array([0.5   , 0.7222, 0.6667])
    """
    return class_metric("optimized_precision", y_true, y_pred, **options)
