"""Forecasts of rare events: scores that do not degenerate as the event gets rarer."""

from __future__ import annotations

from typing import Unpack

from skmetrics_ext.metrics.from_labels import ClassOptions, Value, class_metric, per_class
from skmetrics_ext.reading.aliases import TargetLike


@per_class
def extremal_dependence_index(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """(ln F - ln H) / (ln F + ln H), H = recall, F = false_positive_rate.

    Association that does not degenerate for rare events.

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
        In [-1, 1]; higher is better, 0 is chance level; the limit where a rate is 0.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to compare forecasts of rare events at different base rates.

    Pitfall: Without a false alarm it is 1 as soon as one event is found.

    References
    ----------
    Ferro & Stephenson (2011), Weather and Forecasting 26(5).

    Examples
    --------
    >>> from skmetrics_ext import extremal_dependence_index
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> extremal_dependence_index(y_true, y_pred, average=None).round(4)
    array([1.    , 1.    , 0.4608])
    """
    return class_metric("extremal_dependence_index", y_true, y_pred, **options)


@per_class
def symmetric_extremal_dependence_index(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """(ln F - ln H - ln(1-F) + ln(1-H)) / (ln F + ln H + ln(1-F) + ln(1-H)).

    The same for an event and its absence, H = recall, F = false_positive_rate.

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
        In [-1, 1]; higher is better, 0 is chance level; where a rate is 0 or 1 the limit.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it for rare events where it must not matter which of the two is forecast.

    Pitfall: It is 1 as soon as either false alarms or misses are absent, unless all forecasts are
    the same.

    References
    ----------
    Ferro & Stephenson (2011), Weather and Forecasting 26(5).

    Examples
    --------
    >>> from skmetrics_ext import symmetric_extremal_dependence_index
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> values = symmetric_extremal_dependence_index(y_true, y_pred, average=None)
    >>> values.round(4)
    array([1.    , 1.    , 0.4608])
    """
    return class_metric("symmetric_extremal_dependence_index", y_true, y_pred, **options)
