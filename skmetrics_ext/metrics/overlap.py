"""Overlap of predicted and actual positives: precision and recall as one number."""

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
def f1_score(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """2 tp / (2 tp + fp + fn): the harmonic mean of precision and recall.

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
        The value where the formula is 0/0 (a class that neither occurs nor is predicted). "warn":
        0, with an UndefinedMetricWarning. Averages ignore nan.

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
    Use it where one class is of interest, and precision and recall matter equally, as in retrieval.

    Pitfall: It rises with the prevalence p: predicting the class for every sample scores 2p / (1 +
    p).

    References
    ----------
    van Rijsbergen (1979), Information Retrieval; scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import f1_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> f1_score(y_true, y_pred, average=None).round(4)
    array([0.6667, 0.6667, 0.6667])
    """
    return class_metric("f1", y_true, y_pred, **options)


@overload
def fbeta_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    beta: float,
    average: Average = "binary",
    **options: Unpack[OtherOptions],
) -> float: ...
@overload
def fbeta_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    beta: float,
    average: None,
    **options: Unpack[OtherOptions],
) -> NDArray[np.float64]: ...
@overload
def fbeta_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    beta: float,
    average: Average | None,
    **options: Unpack[OtherOptions],
) -> float | NDArray[np.float64]: ...
@takes_options_of(class_metric)
def fbeta_score(
    y_true: TargetLike, y_pred: TargetLike, *, beta: float, **options: Unpack[ClassOptions]
) -> Value:
    """(1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp): F-score with recall b times as important as
    precision.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    beta : float
        Importance of recall relative to precision, at least 0: 0 gives precision, inf recall.
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
        The value where the formula is 0/0 (a class that neither occurs nor is predicted, or with
        beta=0 is never predicted, with beta=inf never occurs). "warn": 0, with an
        UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; higher is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label`, `average` or `beta` are invalid.

    Notes
    -----
    Use it in place of F1 with b = 2 where misses are worse, with 0.5 where false alarms are.

    Pitfall: A large b rewards predicting the class for every sample: with b = 2 that scores 0.83
    where half of the samples have it.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval; scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import fbeta_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> fbeta_score(y_true, y_pred, beta=2, average=None).round(4)
    array([0.5556, 0.8333, 0.6667])
    """
    return class_metric("fbeta", y_true, y_pred, beta=beta, **options)


@per_class
def fowlkes_mallows_index(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """tp / sqrt((tp + fp) (tp + fn)): the geometric mean of precision and recall; not
    scikit-learn's clustering score.

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
        The value where the formula is 0/0 (a class that never occurs or is never predicted).
        "warn": 0, with an UndefinedMetricWarning. Averages ignore nan.

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
    Use it as a milder F1: the geometric mean is never below the harmonic one.

    Pitfall: Predicting the class for every sample scores the square root of the prevalence.

    References
    ----------
    Fowlkes & Mallows (1983), JASA 78(383), in the precision and recall form.

    Examples
    --------
    >>> from skmetrics_ext import fowlkes_mallows_index
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> fowlkes_mallows_index(y_true, y_pred, average=None).round(4)
    array([0.7071, 0.7071, 0.6667])
    """
    return class_metric("fowlkes_mallows_index", y_true, y_pred, **options)


@per_class
def p4_score(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """4 tp tn / (4 tp tn + (tp + tn) (fp + fn)).

    The harmonic mean of precision, recall, specificity and negative predictive value.

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
        The value where the formula is 0/0 (no sample correct, or all correct and all in or all
        outside the class). "warn": 0, with an UndefinedMetricWarning. Averages ignore nan.

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
    Use it in place of F1 where both classes matter, whichever of them is positive.

    Pitfall: The lowest component dominates it: recall and specificity of 0.9 give 0.9 at a
    prevalence of 0.5, 0.03 at 0.001.

    References
    ----------
    Sitarz (2022), Extending F1 metric, probabilistic approach, arXiv:2210.11997.

    Examples
    --------
    >>> from skmetrics_ext import p4_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> p4_score(y_true, y_pred, average=None).round(4)
    array([0.7619, 0.7619, 0.6667])
    """
    return class_metric("p4", y_true, y_pred, **options)


@per_class
def jaccard_score(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """tp / (tp + fp + fn): the intersection of predicted and actual positives over their union.

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
        The value where the formula is 0/0 (a class that neither occurs nor is predicted). "warn":
        0, with an UndefinedMetricWarning. Averages ignore nan.

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
    Use it to measure overlap, as of image regions (IoU) or sets of tags.

    Pitfall: For one class it is F1 / (2 - F1), so it ranks models as F1 does and adds no evidence.

    References
    ----------
    Jaccard (1912), New Phytologist 11(2); scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import jaccard_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> jaccard_score(y_true, y_pred, average=None).round(4)
    array([0.5, 0.5, 0.5])
    """
    return class_metric("jaccard", y_true, y_pred, **options)


class TverskyOptions(OtherOptions, total=False):
    """Options of the Tversky index besides its average."""

    alpha: float
    beta: float


@overload
def tversky_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    average: Average = "binary",
    **options: Unpack[TverskyOptions],
) -> float: ...
@overload
def tversky_score(
    y_true: TargetLike, y_pred: TargetLike, *, average: None, **options: Unpack[TverskyOptions]
) -> NDArray[np.float64]: ...
@overload
def tversky_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    average: Average | None,
    **options: Unpack[TverskyOptions],
) -> float | NDArray[np.float64]: ...
@takes_options_of(class_metric)
def tversky_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    alpha: float = 0.5,
    beta: float = 0.5,
    **options: Unpack[ClassOptions],
) -> Value:
    """tp / (tp + alpha fp + beta fn): overlap with a weight for each kind of error.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    alpha : float, default=0.5
        Weight of a false positive, at least 0.
    beta : float, default=0.5
        Weight of a false negative, at least 0.
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
        The value where the formula is 0/0 (a class that neither occurs nor is predicted, or with
        alpha=0 never occurs, with beta=0 is never predicted). "warn": 0, with an
        UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; higher is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label`, `average`, `alpha` or `beta` are invalid.

    Notes
    -----
    Use it where false alarms and misses have different weights: both 0.5 is F1, both 1 is the
    Jaccard index.

    Pitfall: Values with different weights are not comparable; with beta=0 a single correct
    prediction scores 1.

    References
    ----------
    Tversky (1977), Psychological Review 84(4).

    Examples
    --------
    >>> from skmetrics_ext import tversky_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> weights = {"alpha": 0.2, "beta": 0.8}
    >>> tversky_score(y_true, y_pred, **weights, average=None).round(4)
    array([0.5556, 0.8333, 0.6667])
    """
    return class_metric("tversky", y_true, y_pred, alpha=alpha, beta=beta, **options)


@per_class
def overlap_coefficient(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """tp / min(tp + fp, tp + fn): the intersection of predicted and actual positives over the
    smaller of them.

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
        The value where the formula is 0/0 (a class that never occurs or is never predicted).
        "warn": 0, with an UndefinedMetricWarning. Averages ignore nan.

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
    Use it where one set is expected to lie within the other, as with incomplete tags.

    Pitfall: A class that is predicted once and correctly scores 1, and so does one that is
    predicted for every sample.

    References
    ----------
    Szymkiewicz (1934), Acta Societatis Botanicorum Poloniae 2(3); Simpson (1943), American Journal
    of Science 241.

    Examples
    --------
    >>> from skmetrics_ext import overlap_coefficient
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> overlap_coefficient(y_true, y_pred, average=None).round(4)
    array([1.    , 1.    , 0.6667])
    """
    return class_metric("overlap_coefficient", y_true, y_pred, **options)


@per_class
def lift_score(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """(tp / (tp + fp)) / ((tp + fn) / n): how many times as likely the class is among those
    predicted to have it.

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
        The value where the formula is 0/0 (a class that never occurs or is never predicted).
        "warn": nan, with an UndefinedMetricWarning. Averages ignore nan.

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
    Use it to say how much better predicted positives are than a random sample, as for a mailing.

    Pitfall: It cannot exceed 1 / prevalence, which a single correct prediction reaches.

    References
    ----------
    Brin, Motwani, Ullman & Tsur (1997), SIGMOD.

    Examples
    --------
    >>> from skmetrics_ext import lift_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> lift_score(y_true, y_pred, average=None).round(4)
    array([3.    , 3.    , 1.3333])
    """
    return class_metric("lift", y_true, y_pred, **options)
