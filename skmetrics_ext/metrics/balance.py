"""Balance between the two rates of a class: positives found and negatives spared."""

from __future__ import annotations

from typing import Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.averages import Average
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.metrics.of_labels import ClassOptions, class_metric, per_class
from skmetrics_ext.reading.aliases import Label, LabelsLike, TargetLike


@per_class
def g_mean_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float | NDArray[np.float64]:
    """sqrt(recall * specificity): the geometric mean of the two rates of a class; per class and then averaged.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Actual and predicted labels: numbers, strings or categoricals; 2-D is multilabel.
    labels : array-like of shape (n_classes,), default=None
        Classes that are averaged or reported, in this order. Samples of other classes still
        count as errors of these. None: all labels of the data, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` alone; None: one value a class; "macro": their mean; "weighted":
        their mean by the number of true samples; "worst": the least of them, or the largest where
        lower is better; "micro": the formula on the sums of the counts; "samples": the mean over
        samples (multilabel only).
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that no sample or every sample has). "warn": 0,
        with an UndefinedMetricWarning. Averages leave out nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; higher is better.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, `pos_label` or `average` does not
        fit the labels. The message says what to do.

    Notes
    -----
    Use it on imbalanced data where neither recall nor specificity may be poor, since the lower of
    them pulls it down more than it does their mean.

    Pitfall: It is 0 where the class is never found or always predicted, and says no more then. It
    ignores precision, so that a rare class may drown in false alarms.

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
    >>> round(g_mean_score(y_true, y_pred, average="macro"), 4)
    0.7561
    """
    return class_metric("g_mean", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)


@per_class
def one_vs_rest_balanced_accuracy_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float | NDArray[np.float64]:
    """(recall + specificity) / 2: the mean of the two rates of a class.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Actual and predicted labels: numbers, strings or categoricals; 2-D is multilabel.
    labels : array-like of shape (n_classes,), default=None
        Classes that are averaged or reported, in this order. Samples of other classes still
        count as errors of these. None: all labels of the data, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` alone; None: one value a class; "macro": their mean; "weighted":
        their mean by the number of true samples; "worst": the least of them, or the largest where
        lower is better; "micro": the formula on the sums of the counts; "samples": the mean over
        samples (multilabel only).
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that no sample or every sample has). "warn": 0,
        with an UndefinedMetricWarning. Averages leave out nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; higher is better, 0.5 is chance.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, `pos_label` or `average` does not
        fit the labels. The message says what to do.

    Notes
    -----
    Use it for a class that is rare among the rest: never predicting it gets 0.5, where accuracy
    would be near 1.

    Pitfall: With more than two classes its macro average is not the balanced accuracy: always
    predicting one of ten classes gets 0.5 here and 0.1 there.

    References
    ----------
    Brodersen et al. (2010), ICPR, for one class against the rest.

    Examples
    --------
    >>> from skmetrics_ext import one_vs_rest_balanced_accuracy_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> one_vs_rest_balanced_accuracy_score(y_true, y_pred, average=None).round(4)
    array([0.75  , 0.9   , 0.6667])
    >>> round(one_vs_rest_balanced_accuracy_score(y_true, y_pred, average="macro"), 4)
    0.7722
    """
    return class_metric(
        "one_vs_rest_balanced_accuracy", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
    )


class IndexOptions(ClassOptions, total=False):
    """What index balanced accuracy takes besides its average."""

    alpha: float


@overload
def index_balanced_accuracy(
    y_true: TargetLike, y_pred: TargetLike, *, average: Average = "binary", **options: Unpack[IndexOptions]
) -> float: ...
@overload
def index_balanced_accuracy(
    y_true: TargetLike, y_pred: TargetLike, *, average: None, **options: Unpack[IndexOptions]
) -> NDArray[np.float64]: ...
@overload
def index_balanced_accuracy(
    y_true: TargetLike, y_pred: TargetLike, *, average: Average | None, **options: Unpack[IndexOptions]
) -> float | NDArray[np.float64]: ...
def index_balanced_accuracy(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    alpha: float = 0.1,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float | NDArray[np.float64]:
    """(1 + alpha (recall - specificity)) recall specificity: the squared G-mean, weighted by which rate dominates.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Actual and predicted labels: numbers, strings or categoricals; 2-D is multilabel.
    alpha : float, default=0.1
        Weight of the dominance, recall - specificity, in the index balanced accuracy; at least 0.
    labels : array-like of shape (n_classes,), default=None
        Classes that are averaged or reported, in this order. Samples of other classes still
        count as errors of these. None: all labels of the data, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` alone; None: one value a class; "macro": their mean; "weighted":
        their mean by the number of true samples; "worst": the least of them, or the largest where
        lower is better; "micro": the formula on the sums of the counts; "samples": the mean over
        samples (multilabel only).
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that no sample or every sample has). "warn": 0,
        with an UndefinedMetricWarning. Averages leave out nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1] for alpha <= 1; higher is better.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, `pos_label` or `average` does not
        fit the labels, or `alpha` is negative. The message says what to do.

    Notes
    -----
    Use it to prefer, of two models with the same G-mean, the one with the higher recall, as
    imbalanced-learn's reports do.

    Pitfall: It is on the scale of the squared G-mean, so that two rates of 0.8 get 0.64, and its
    value depends on alpha, which has no meaning outside of it.

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
    >>> round(index_balanced_accuracy(y_true, y_pred, average="macro"), 4)
    0.5785
    """
    return class_metric(
        "index_balanced_accuracy", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division, alpha=alpha
    )


@per_class
def optimized_precision_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float | NDArray[np.float64]:
    """accuracy - |specificity - recall| / (specificity + recall): accuracy, less the imbalance of the two rates.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Actual and predicted labels: numbers, strings or categoricals; 2-D is multilabel.
    labels : array-like of shape (n_classes,), default=None
        Classes that are averaged or reported, in this order. Samples of other classes still
        count as errors of these. None: all labels of the data, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` alone; None: one value a class; "macro": their mean; "weighted":
        their mean by the number of true samples; "worst": the least of them, or the largest where
        lower is better; "micro": the formula on the sums of the counts; "samples": the mean over
        samples (multilabel only).
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that no sample or every sample has, or both
        rates 0). "warn": 0, with an UndefinedMetricWarning. Averages leave out nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In (-1, 1]; higher is better.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, `pos_label` or `average` does not
        fit the labels. The message says what to do.

    Notes
    -----
    Use it to tune a model towards recall and specificity that are equal, without giving up
    accuracy.

    Pitfall: There is no precision in it, and evenness can outweigh being right: with equally
    frequent classes, rates of 0.95 and 0.65 get 0.61, and two of 0.62 get 0.62.

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
    >>> round(optimized_precision_score(y_true, y_pred, average="macro"), 4)
    0.6296
    """
    return class_metric("optimized_precision", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
