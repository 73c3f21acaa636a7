"""Balance of the two rates of a class, skill beyond chance, and verification of forecasts."""

from __future__ import annotations

from typing import Unpack, overload

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import Average
from skmetrics_ext.metrics import from_labels
from skmetrics_ext.metrics.from_labels import (
    ClassOptions,
    OtherOptions,
    OverallOptions,
    Value,
    class_metric,
    overall_metric,
    per_class,
    takes_options_of,
)
from skmetrics_ext.reading.aliases import LabelsLike, TargetLike


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
    give 0.61, and two rates of 0.62 give 0.62.

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

    Pitfall: If half of the samples have the class and a tenth are predicted to have it, it is at
    most 0.33.

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


@per_class
def frequency_bias(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """(tp + fp) / (tp + fn): number of predictions of a class per actual sample of it.

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
        The value where the formula is 0/0 (a class that neither occurs nor is predicted). "warn":
        nan, with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, inf]; neither direction is better: 1 is best, inf where a class that never occurs is
        predicted.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to see whether a class is predicted too often (above 1) or too seldom.

    Pitfall: With as many false alarms as misses it is 1, even if nothing is found.

    References
    ----------
    WMO forecast verification; Wilks (2011), Statistical Methods in the Atmospheric Sciences.

    Examples
    --------
    >>> from skmetrics_ext import frequency_bias
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> frequency_bias(y_true, y_pred, average=None).round(4)
    array([0.5, 2. , 1. ])
    """
    return class_metric("frequency_bias", y_true, y_pred, **options)


@per_class
def gilbert_skill_score(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """(tp - a) / (tp + fp + fn - a), a = (tp + fp)(tp + fn) / n.

    The Jaccard index corrected for chance hits (equitable threat score).

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
        The value where the formula is 0/0 (a class that neither occurs nor is predicted, or
        comprises all samples in both y_true and y_pred). "warn": 0, with an UndefinedMetricWarning.
        Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [-1/3, 1]; higher is better, 0 is chance level.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it where chance hits must not count, as in forecasts of rain.

    Pitfall: It is kappa / (2 - kappa) of the class against the rest, so it ranks models as kappa
    does.

    References
    ----------
    Gilbert (1884), American Meteorological Journal 1; Schaefer (1990), Weather and Forecasting
    5(4).

    Examples
    --------
    >>> from skmetrics_ext import gilbert_skill_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> gilbert_skill_score(y_true, y_pred, average=None).round(4)
    array([0.4, 0.4, 0.2])
    """
    return class_metric("gilbert_skill", y_true, y_pred, **options)


@per_class
def conditional_kappa_score(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """(precision - prevalence) / (1 - prevalence).

    Agreement beyond chance on the samples predicted to have a class.

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
        The value where the formula is 0/0 (a class that is never predicted or that every sample
        has). "warn": 0, with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In (-inf, 1]; higher is better, 0 is chance level.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to see how much better than chance the predictions of one class are, as on a map.

    Pitfall: Misses do not count, and a precision of 0.9 at a prevalence of 0.9 scores 0.

    References
    ----------
    Light (1971), Psychological Bulletin 76(5).

    Examples
    --------
    >>> from skmetrics_ext import conditional_kappa_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> conditional_kappa_score(y_true, y_pred, average=None).round(4)
    array([1.    , 0.4   , 0.3333])
    """
    return class_metric("conditional_kappa", y_true, y_pred, **options)


@per_class
def extremal_dependence_index(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """(ln F - ln H) / (ln F + ln H), H = recall, F = false_positive_rate.

    The association of prediction and class, on a scale that still works for rare events.

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
        In [-1, 1]; higher is better, 0 is chance level; where a rate is 0, it is the limit.

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

    The association of prediction and class for rare events, which is the same for the event and
    for its absence; H is recall, F is false_positive_rate.

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
        In [-1, 1]; higher is better, 0 is chance level; where a rate is 0 or 1, it is the limit.

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


@from_labels.takes_options_of(overall_metric)
def peirce_skill_score(
    y_true: LabelsLike, y_pred: LabelsLike, **options: Unpack[OverallOptions]
) -> float:
    """(po - sum row_i col_i / n^2) / (1 - sum row_i^2 / n^2): accuracy beyond that of unbiased
    random forecasts.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a single actual class). "warn": 0, with an
        UndefinedMetricWarning.

    Returns
    -------
    float
        In [-1, 1]; higher is better, 0 is chance level.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Notes
    -----
    Use it where every constant and every random forecast must score 0; of two classes it is
    informedness.

    Pitfall: It rewards predicting the class whose probability exceeds its frequency most, not the
    most probable one.

    References
    ----------
    Peirce (1884), Science 4(93); WMO forecast verification.

    Examples
    --------
    >>> from skmetrics_ext import peirce_skill_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(peirce_skill_score(y_true, y_pred), 4)
    0.5
    """
    return overall_metric("peirce_skill", y_true, y_pred, **options)


@from_labels.takes_options_of(overall_metric)
def gerrity_score(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    labels: LabelsLike | None = None,
    **options: Unpack[OverallOptions],
) -> float:
    """sum_ij p_ij s_ij: the skill of forecasts of ordinal classes: near misses cost less, rare
    classes weigh more.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        All classes from lowest to highest. None: those of an ordered categorical or Enum, else
        numbers.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (the lowest or the highest class absent from y_true, or a
        single label). "warn": 0, with an UndefinedMetricWarning.

    Returns
    -------
    float
        In [-1, 1]; higher is better, 0 is chance level.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel, `labels` omit a label in the data, or their order
        is unknown.

    Notes
    -----
    Use it for ordinal classes, such as of rain, where rare ones must be worth forecasting.

    Pitfall: The reward for a hit depends on class frequencies, so data sets are not comparable.

    References
    ----------
    Gerrity (1992), Monthly Weather Review 120(11), scoring matrix s of the observed frequencies.

    Examples
    --------
    >>> from skmetrics_ext import gerrity_score
    >>> y_true = [1, 1, 2, 3, 3, 3]
    >>> y_pred = [1, 2, 2, 3, 3, 1]
    >>> round(gerrity_score(y_true, y_pred), 4)
    0.4583
    """
    return overall_metric("gerrity", y_true, y_pred, labels=labels, **options)
