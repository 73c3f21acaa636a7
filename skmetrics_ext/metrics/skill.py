"""Skill beyond chance on one class: of its prediction, of what is predicted, and the mean of the two."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.averages import Average
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.metrics.of_labels import class_metric, per_class
from skmetrics_ext.reading.aliases import Label, LabelsLike, TargetLike


@per_class
def informedness_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float | NDArray[np.float64]:
    """tp / (tp + fn) + tn / (tn + fp) - 1: recall + specificity - 1, Youden's J.

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
        In [-1, 1]; higher is better, 0 is chance.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, `pos_label` or `average` does not
        fit the labels. The message says what to do.

    Notes
    -----
    Use it where recall and specificity count the same and the prevalence may change; of two classes
    it is 2 balanced accuracy - 1.

    Pitfall: An error weighs the more, the smaller its class: with one positive in 100, a miss costs
    as much as 99 false alarms, which need not be what they cost you.

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
    >>> round(informedness_score(y_true, y_pred, average="macro"), 4)
    0.5444
    """
    return class_metric("informedness", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)


@per_class
def markedness_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float | NDArray[np.float64]:
    """tp / (tp + fp) + tn / (tn + fn) - 1: precision + negative predictive value - 1, delta P.

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
        The value where the formula is 0/0 (a class that is never or always predicted). "warn": 0,
        with an UndefinedMetricWarning. Averages leave out nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [-1, 1]; higher is better, 0 is chance.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, `pos_label` or `average` does not
        fit the labels. The message says what to do.

    Notes
    -----
    Use it to say how much a prediction tells about the truth: it looks at predictions as
    informedness does at actual classes.

    Pitfall: It depends on the prevalence and on how often the class is predicted: a single
    prediction that is right gets about 1 - prevalence, though all others are missed.

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
    >>> round(markedness_score(y_true, y_pred, average="macro"), 4)
    0.5444
    """
    return class_metric("markedness", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)


@per_class
def phi_coefficient(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float | NDArray[np.float64]:
    """(tp tn - fp fn) / sqrt((tp + fp) (tp + fn) (tn + fp) (tn + fn)).

    The correlation of predicted with actual membership of a class.

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
        The value where the formula is 0/0 (a class that no sample or every sample has, or is
        predicted to have). "warn": 0, with an UndefinedMetricWarning. Averages leave out nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [-1, 1]; higher is better, 0 is chance.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, `pos_label` or `average` does not
        fit the labels. The message says what to do.

    Notes
    -----
    Use it as one number of all four counts of a class; with two classes it is MCC, whichever of
    them is positive.

    Pitfall: 1 is out of reach where a class is predicted more or less often than it occurs: at a
    prevalence of 0.5, with a tenth predicted, 0.33 is the most.

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
    >>> round(phi_coefficient(y_true, y_pred, average="macro"), 4)
    0.5327
    """
    return class_metric("phi_coefficient", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
