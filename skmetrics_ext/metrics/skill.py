"""Skill beyond chance on one class: given the actual class, given the prediction, their mean."""

from __future__ import annotations

from typing import Unpack

from skmetrics_ext.metrics.from_labels import ClassOptions, Value, class_metric, per_class
from skmetrics_ext.reading.aliases import TargetLike


@per_class
def informedness_score(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """tp / (tp + fn) + tn / (tn + fp) - 1: recall + specificity - 1, Youden's J.

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
        In [-1, 1]; higher is better, 0 is chance level.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it where recall and specificity matter equally and the prevalence may change.

    Pitfall: With one positive in 100, a miss costs as much as 99 false alarms.

    References
    ----------
    Youden (1950), Cancer 3(1); Powers (2011), J. Machine Learning Technologies 2(1).

    Examples
    --------
    >>> from skmetrics_ext import informedness_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> informedness_score(y_true, y_pred, average=None).round(4)
    array([0.5   , 0.8   , 0.3333])
    """
    return class_metric("informedness", y_true, y_pred, **options)


@per_class
def markedness_score(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """tp / (tp + fp) + tn / (tn + fn) - 1: precision + negative predictive value - 1, delta P.

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
        The value where the formula is 0/0 (a class that is never or always predicted). "warn": 0,
        with an UndefinedMetricWarning. Averages ignore nan.

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
    Use it to say how much the predictions of a class tell about it.

    Pitfall: A single correct prediction scores about 1 - prevalence, even if all other positives
    are missed.

    References
    ----------
    Powers (2011), J. Machine Learning Technologies 2(1).

    Examples
    --------
    >>> from skmetrics_ext import markedness_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> markedness_score(y_true, y_pred, average=None).round(4)
    array([0.8   , 0.5   , 0.3333])
    """
    return class_metric("markedness", y_true, y_pred, **options)


@per_class
def phi_coefficient(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """(tp tn - fp fn) / sqrt((tp + fp) (tp + fn) (tn + fp) (tn + fn)).

    The correlation between predicted and actual class membership.

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
        The value where the formula is 0/0 (a class that no sample or every sample has, or is
        predicted to have). "warn": 0, with an UndefinedMetricWarning. Averages ignore nan.

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
    Use it as a summary of all four counts of a class; of two classes it is MCC.

    Pitfall: At a prevalence of 0.5, with a tenth predicted, 0.33 is the most.

    References
    ----------
    Matthews (1975), Biochimica et Biophysica Acta 405(2).

    Examples
    --------
    >>> from skmetrics_ext import phi_coefficient
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> phi_coefficient(y_true, y_pred, average=None).round(4)
    array([0.6325, 0.6325, 0.3333])
    """
    return class_metric("phi_coefficient", y_true, y_pred, **options)
