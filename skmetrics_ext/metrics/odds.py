"""Odds of a class after a prediction, and other measures of hits and false alarms."""

from __future__ import annotations

from typing import Unpack

from skmetrics_ext.metrics.from_labels import ClassOptions, Value, class_metric, per_class
from skmetrics_ext.reading.aliases import TargetLike


@per_class
def diagnostic_odds_ratio(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """tp tn / (fp fn): the odds of a positive prediction for the class over those for the rest.

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
        The value where the formula is 0/0 (tp tn and fp fn both 0). "warn": nan, with an
        UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, inf); higher is better, 1 is chance level.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to summarize a test in one number that does not depend on the prevalence.

    Pitfall: Recall 0.9 with specificity 0.5, and 0.5 with 0.9, both give 9. Without one kind of
    error it is infinite, unless all predictions are the same.

    References
    ----------
    Glas et al. (2003), Journal of Clinical Epidemiology 56(11).

    Examples
    --------
    >>> from skmetrics_ext import diagnostic_odds_ratio
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> diagnostic_odds_ratio(y_true, y_pred, average=None).round(4)
    array([inf, inf,  4.])
    """
    return class_metric("diagnostic_odds_ratio", y_true, y_pred, **options)


@per_class
def yule_q(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """(tp tn - fp fn) / (tp tn + fp fn): the odds ratio scaled to [-1, 1].

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
        The value where the formula is 0/0 (tp tn and fp fn both 0). "warn": 0, with an
        UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [-1, 1]; higher is better, 0 is chance level.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it in place of the odds ratio for values that are never infinite.

    Pitfall: It is 1 where one kind of error is absent from predictions that differ, even if one
    case in ten is found.

    References
    ----------
    Yule (1900), Philosophical Transactions of the Royal Society A 194.

    Examples
    --------
    >>> from skmetrics_ext import yule_q
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> yule_q(y_true, y_pred, average=None).round(4)
    array([1. , 1. , 0.6])
    """
    return class_metric("yule_q", y_true, y_pred, **options)


@per_class
def relative_risk(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """precision / false_omission_rate.

    How many times as likely the class is after a positive as after a negative prediction.

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
        The value where the formula is 0/0 (a class that is never or always predicted, or never
        occurs). "warn": nan, with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, inf); higher is better, 1 is chance level.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it where predictions stratify people by risk, for readers unfamiliar with odds.

    Pitfall: Where half of those predicted negative have the class, it cannot exceed 2.

    References
    ----------
    Cornfield (1951), Journal of the National Cancer Institute 11(6).

    Examples
    --------
    >>> from skmetrics_ext import relative_risk
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> relative_risk(y_true, y_pred, average=None).round(4)
    array([ 5., inf,  2.])
    """
    return class_metric("relative_risk", y_true, y_pred, **options)


@per_class
def d_prime(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """probit(recall) - probit(false_positive_rate).

    The separation of the class from the rest in standard deviations.

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
        rates 0 or both 1). "warn": 0, with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In (-inf, inf); higher is better, 0 is chance level, infinite where a rate is 0 or 1.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to separate sensitivity from response bias: how readily one says yes.

    Pitfall: It does so only if the scores of both classes are normal with equal variance.

    References
    ----------
    Green & Swets (1966), Signal Detection Theory and Psychophysics.

    Examples
    --------
    >>> from skmetrics_ext import d_prime
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> d_prime(y_true, y_pred, average=None).round(4)
    array([   inf,    inf, 0.8615])
    """
    return class_metric("d_prime", y_true, y_pred, **options)


@per_class
def prevalence_threshold(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """sqrt(F) / (sqrt(H) + sqrt(F)), H = recall, F = false_positive_rate.

    The prevalence below which precision falls most sharply.

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
        rates 0). "warn": 1, with an UndefinedMetricWarning. Averages ignore nan.

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
    Use it to decide where a test is worthwhile: precision there is 1 minus the value.

    Pitfall: It is no score threshold, and does not say whether precision there is enough.

    References
    ----------
    Balayla (2020), PLOS ONE 15(10).

    Examples
    --------
    >>> from skmetrics_ext import prevalence_threshold
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> prevalence_threshold(y_true, y_pred, average=None).round(4)
    array([0.    , 0.309 , 0.4142])
    """
    return class_metric("prevalence_threshold", y_true, y_pred, **options)
