"""Rates of the samples predicted, or not predicted, as a class: the proportion that is correct."""

from __future__ import annotations

from typing import Unpack

from skmetrics_ext.metrics.from_labels import ClassOptions, Value, class_metric, per_class
from skmetrics_ext.reading.aliases import TargetLike


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
