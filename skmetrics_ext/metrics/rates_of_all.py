"""Proportions of all samples that one class, its predictions or its errors make up."""

from __future__ import annotations

from typing import Unpack

from skmetrics_ext.metrics.from_labels import ClassOptions, Value, class_metric, per_class
from skmetrics_ext.reading.aliases import TargetLike


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

    Pitfall: A sample balanced on purpose does not have that of the population.

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

    Pitfall: Missing all of a class of one sample in 100 costs 0.01.

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
