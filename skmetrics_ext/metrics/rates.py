"""Rates: of the samples of a class, of those predicted as such, and of all."""

from __future__ import annotations

from typing import Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.averages import Average
from skmetrics_ext.metrics.from_labels import (
    ClassOptions,
    CountOptions,
    Value,
    class_metric,
    metric_function,
    per_class,
)
from skmetrics_ext.reading.aliases import Label, LabelsLike, TargetLike


@per_class
def recall_score(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """tp / (tp + fn): the proportion of actual positives that are found (sensitivity).

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
        The value where the formula is 0/0 (a class absent from y_true). "warn": 0, with an
        UndefinedMetricWarning. Averages ignore nan.

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
    Use it where a missed sample is costly, as in screening for an illness.

    Pitfall: Predicting the class for every sample scores 1: read precision, too.

    References
    ----------
    scikit-learn; van Rijsbergen (1979), Information Retrieval.

    Examples
    --------
    >>> from skmetrics_ext import recall_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> recall_score(y_true, y_pred, average=None).round(4)
    array([0.5   , 1.    , 0.6667])
    """
    return class_metric("recall", y_true, y_pred, **options)


@overload
def sensitivity_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    average: Average = "binary",
    **options: Unpack[CountOptions],
) -> float: ...
@overload
def sensitivity_score(
    y_true: TargetLike, y_pred: TargetLike, *, average: None, **options: Unpack[CountOptions]
) -> NDArray[np.float64]: ...
@overload
def sensitivity_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    average: Average | None,
    **options: Unpack[CountOptions],
) -> float | NDArray[np.float64]: ...
@metric_function
def sensitivity_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
) -> float | NDArray[np.float64]:
    """tp / (tp + fn): `recall_score` under the name and with the signature of imbalanced-learn.

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

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; higher is better; 0 where it is undefined, with an UndefinedMetricWarning.

    Raises
    ------
    ValueError
        As `recall_score`.

    References
    ----------
    imbalanced-learn.

    Examples
    --------
    >>> from skmetrics_ext import sensitivity_score
    >>> sensitivity_score([1, 0, 1], [1, 0, 0])
    0.5
    """
    options = CountOptions(labels=labels, pos_label=pos_label, sample_weight=sample_weight)
    return class_metric("recall", y_true, y_pred, average=average, **options)


@per_class
def specificity_score(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """tn / (tn + fp): the proportion of actual negatives correctly predicted negative (true
    negative rate).

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
        The value where the formula is 0/0 (a class that every sample has). "warn": 0, with an
        UndefinedMetricWarning. Averages ignore nan.

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
    Use it beside recall to describe a test at any prevalence.

    Pitfall: If it is 0.99 and one sample in 1,000 is positive, precision is 0.09 at best.

    References
    ----------
    Yerushalmy (1947), Public Health Reports 62(40).

    Examples
    --------
    >>> from skmetrics_ext import specificity_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> specificity_score(y_true, y_pred, average=None).round(4)
    array([1.    , 0.8   , 0.6667])
    """
    return class_metric("specificity", y_true, y_pred, **options)


@per_class
def false_positive_rate(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """fp / (fp + tn): the proportion of actual negatives that raise a false alarm (fall-out).

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
        The value where the formula is 0/0 (a class that every sample has). "warn": 1, with an
        UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; lower is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it where the proportion of negatives that may raise an alarm is limited.

    Pitfall: A small proportion may be many: 0.01 of 100,000 are 1,000 false alarms.

    References
    ----------
    Fawcett (2006), Pattern Recognition Letters 27(8).

    Examples
    --------
    >>> from skmetrics_ext import false_positive_rate
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> false_positive_rate(y_true, y_pred, average=None).round(4)
    array([0.    , 0.2   , 0.3333])
    """
    return class_metric("false_positive_rate", y_true, y_pred, **options)


@per_class
def false_negative_rate(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """fn / (fn + tp): the proportion of actual positives that are missed (miss rate).

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
        The value where the formula is 0/0 (a class absent from y_true). "warn": 1, with an
        UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; lower is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it where the proportion of positives that may be missed is limited; it is 1 - recall.

    Pitfall: Predicting the class for every sample scores 0, the best value.

    References
    ----------
    Fawcett (2006), Pattern Recognition Letters 27(8).

    Examples
    --------
    >>> from skmetrics_ext import false_negative_rate
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> false_negative_rate(y_true, y_pred, average=None).round(4)
    array([0.5   , 0.    , 0.3333])
    """
    return class_metric("false_negative_rate", y_true, y_pred, **options)


@per_class
def precision_score(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """tp / (tp + fp): the proportion of predicted positives that are correct.

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
        The value where the formula is 0/0 (a class that is never predicted). "warn": 0, with an
        UndefinedMetricWarning. Averages ignore nan.

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
    Use it where acting on a positive prediction is costly, as on an alarm that sends someone out.

    Pitfall: It falls with the prevalence at the same recall and false positive rate; and misses do
    not count.

    References
    ----------
    scikit-learn; van Rijsbergen (1979), Information Retrieval.

    Examples
    --------
    >>> from skmetrics_ext import precision_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> precision_score(y_true, y_pred, average=None).round(4)
    array([1.    , 0.5   , 0.6667])
    """
    return class_metric("precision", y_true, y_pred, **options)


@per_class
def negative_predictive_value(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """tn / (tn + fn): the proportion of predicted negatives that are correct.

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
        The value where the formula is 0/0 (a class that is always predicted). "warn": 0, with an
        UndefinedMetricWarning. Averages ignore nan.

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
    Use it where no action follows a negative prediction, as of a test that rules out an illness.

    Pitfall: Never predicting a class of one sample in 100 scores 0.99.

    References
    ----------
    Altman & Bland (1994), BMJ 309:102.

    Examples
    --------
    >>> from skmetrics_ext import negative_predictive_value
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> negative_predictive_value(y_true, y_pred, average=None).round(4)
    array([0.8   , 1.    , 0.6667])
    """
    return class_metric("negative_predictive_value", y_true, y_pred, **options)


@per_class
def false_discovery_rate(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """fp / (fp + tp): the proportion of predicted positives that are incorrect.

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
        The value where the formula is 0/0 (a class that is never predicted). "warn": 1, with an
        UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; lower is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to say how much work on positive predictions is wasted; it is 1 - precision.

    Pitfall: It is not the expected proportion that multiple-testing procedures control.

    References
    ----------
    Benjamini & Hochberg (1995), JRSS B 57(1); here the proportion in the sample.

    Examples
    --------
    >>> from skmetrics_ext import false_discovery_rate
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> false_discovery_rate(y_true, y_pred, average=None).round(4)
    array([0.    , 0.5   , 0.3333])
    """
    return class_metric("false_discovery_rate", y_true, y_pred, **options)


@per_class
def false_omission_rate(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """fn / (fn + tn): the proportion of predicted negatives that are incorrect.

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
        The value where the formula is 0/0 (a class that is always predicted). "warn": 1, with an
        UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; lower is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it where nobody looks at predicted negatives again, though some have the class.

    Pitfall: Never predicting the class scores the prevalence, which is the baseline to beat.

    References
    ----------
    the complement of the negative predictive value, Altman & Bland (1994), BMJ 309:102.

    Examples
    --------
    >>> from skmetrics_ext import false_omission_rate
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> false_omission_rate(y_true, y_pred, average=None).round(4)
    array([0.2   , 0.    , 0.3333])
    """
    return class_metric("false_omission_rate", y_true, y_pred, **options)


@per_class
def prevalence(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """(tp + fn) / n: the proportion of samples that have the class (base rate).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel).
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": nan,
        with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; neither direction is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it beside every value that depends on it, such as precision.

    Pitfall: Samples that were balanced on purpose do not have the prevalence of the population.

    References
    ----------
    Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions.

    Examples
    --------
    >>> from skmetrics_ext import prevalence
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> prevalence(y_true, y_pred, average=None).round(4)
    array([0.3333, 0.1667, 0.5   ])
    """
    return class_metric("prevalence", y_true, y_pred, **options)


@per_class
def predicted_positive_rate(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """(tp + fp) / n: the proportion of samples that are predicted to have the class (selection
    rate).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel).
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": nan,
        with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; neither direction is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to plan the workload, and per group to see whom a model selects (demographic parity).

    Pitfall: Of two groups selected at the same rate, one may be selected at random.

    References
    ----------
    Kuhn (2008), Journal of Statistical Software 28(5): detection prevalence in caret.

    Examples
    --------
    >>> from skmetrics_ext import predicted_positive_rate
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> predicted_positive_rate(y_true, y_pred, average=None).round(4)
    array([0.1667, 0.3333, 0.5   ])
    """
    return class_metric("predicted_positive_rate", y_true, y_pred, **options)


@per_class
def detection_rate(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """tp / n: the proportion of samples that have the class and are predicted to have it.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel).
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": nan,
        with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; neither direction is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it where yield matters: cases found per sample examined, as in screening programs.

    Pitfall: It cannot exceed the prevalence, so 0.01 may be perfect.

    References
    ----------
    Kuhn (2008), Journal of Statistical Software 28(5): caret.

    Examples
    --------
    >>> from skmetrics_ext import detection_rate
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> detection_rate(y_true, y_pred, average=None).round(4)
    array([0.1667, 0.1667, 0.3333])
    """
    return class_metric("detection_rate", y_true, y_pred, **options)


@per_class
def one_vs_rest_accuracy_score(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """(tp + tn) / n: the proportion of samples correctly assigned to one class or the rest.

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
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": 0,
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
    Use it for a class that half of the samples have, if both kinds of errors cost the same.

    Pitfall: Always predicting one of ten equally frequent classes has a macro average of 0.82.

    References
    ----------
    Sokolova & Lapalme (2009), Information Processing & Management 45(4).

    Examples
    --------
    >>> from skmetrics_ext import one_vs_rest_accuracy_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> one_vs_rest_accuracy_score(y_true, y_pred, average=None).round(4)
    array([0.8333, 0.8333, 0.6667])
    """
    return class_metric("one_vs_rest_accuracy", y_true, y_pred, **options)


@per_class
def one_vs_rest_error(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """(fp + fn) / n: the proportion of samples wrongly assigned to one class or the rest.

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
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": 1,
        with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; lower is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to see which class causes most misses and false alarms.

    Pitfall: If one sample in 100 has the class, a model that misses them all has 0.01.

    References
    ----------
    Sokolova & Lapalme (2009), Information Processing & Management 45(4).

    Examples
    --------
    >>> from skmetrics_ext import one_vs_rest_error
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> one_vs_rest_error(y_true, y_pred, average=None).round(4)
    array([0.1667, 0.1667, 0.3333])
    """
    return class_metric("one_vs_rest_error", y_true, y_pred, **options)
