"""Proportions of correct labels over all classes, and what errors cost."""

from __future__ import annotations

from typing import Any, Literal, Required, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.averages import Average
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.catalogue.undefined import ZeroDivision, check_zero_division
from skmetrics_ext.counting.counted import CountedPairs
from skmetrics_ext.metrics import from_labels
from skmetrics_ext.metrics.from_labels import (
    ClassOptions,
    CountOptions,
    OtherOptions,
    OverallOptions,
    Value,
    counted_of,
    metric_function,
    overall_metric,
    value_of_samples,
)
from skmetrics_ext.reading.aliases import CostsLike, Label, LabelsLike, TargetLike
from skmetrics_ext.reading.arguments import check_flag
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.numbers import are_of_samples, check_costs_of, costs_in_order, read_costs
from skmetrics_ext.reading.pairs import Weights, encode_single_label


@metric_function
def accuracy_score(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
) -> float:
    """trace / n: the proportion of samples classified correctly.

    For multilabel data every label of a sample must be correct (subset accuracy).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    normalize : bool, default=True
        If False, return the number (or total weight) of correctly classified samples.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.

    Returns
    -------
    float
        In [0, 1]; higher is better; with `normalize=False` in [0, n_samples]. Never undefined.

    Raises
    ------
    ValueError
        If the inputs are invalid.

    Notes
    -----
    Use it where the classes are about equally frequent and all errors cost the same.

    Pitfall: Always predicting the class of 95 of 100 samples scores 0.95: compare it with
    `no_information_rate`.

    References
    ----------
    scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import accuracy_score
    >>> accuracy_score([0, 1, 2, 3], [0, 2, 1, 3])
    0.5
    """
    samples = counted_of(y_true, y_pred, sample_weight)
    check_flag(normalize, "normalize")
    return (
        value_of_samples("accuracy", samples) if normalize else float(samples.exact.diagonal.sum())
    )


@metric_function
def zero_one_loss(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
) -> float:
    """1 - trace / n: the proportion of misclassified samples.

    For multilabel data a sample is incorrect if any of its labels is.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    normalize : bool, default=True
        If False, return the number (or total weight) of misclassified samples.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.

    Returns
    -------
    float
        In [0, 1]; lower is better; with `normalize=False` in [0, n_samples]. Never undefined.

    Raises
    ------
    ValueError
        If the inputs are invalid.

    Notes
    -----
    Use it to count mistakes; their proportion is 1 - accuracy.

    Pitfall: In multilabel data one incorrect label of twenty counts as much as all twenty.

    References
    ----------
    scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import zero_one_loss
    >>> zero_one_loss([0, 1, 2, 3], [0, 2, 1, 0])
    0.75
    """
    samples = counted_of(y_true, y_pred, sample_weight)
    check_flag(normalize, "normalize")
    return (
        value_of_samples("zero_one_loss", samples) if normalize else float(samples.exact.fn.sum())
    )


@metric_function
def balanced_accuracy_score(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    sample_weight: ArrayLike | None = None,
    adjusted: bool = False,
) -> float:
    """mean of tp_i / row_i over the classes that occur in y_true: the mean recall.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    adjusted : bool, default=False
        If True, (BA - 1/K) / (1 - 1/K) for K classes in y_true: chance level is 0.

    Returns
    -------
    float
        In [0, 1]; adjusted [-1/(K-1), 1]; higher is better. The adjusted score is nan where
        undefined, for a single class in y_true, with an UndefinedMetricWarning.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Warns
    -----
    UserWarning
        If a predicted class is absent from y_true; it is omitted from the mean.

    Notes
    -----
    Use it where all classes matter equally: always predicting one of K scores 1 / K.

    Pitfall: It ignores precision: with recall 1 and specificity 0.95 it is 0.975, though with one
    positive in 1,000, 98 of 100 alarms are false.

    References
    ----------
    Brodersen et al. (2010), ICPR; scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import balanced_accuracy_score
    >>> y_true, y_pred = [0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1]
    >>> balanced_accuracy_score(y_true, y_pred)
    0.625
    """
    samples = CountedPairs(encode_single_label(y_true, y_pred, weights=Weights(sample_weight)))
    if (samples.margins.row_sums == 0).any():
        warn("y_pred contains classes that are not in y_true; these are omitted from the mean.")
    return value_of_samples("balanced_accuracy", samples, adjusted=adjusted)


@metric_function
def hamming_loss(
    y_true: TargetLike, y_pred: TargetLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """1 - trace / n: the proportion of misclassified samples; for multilabel data of incorrect
    labels.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.

    Returns
    -------
    float
        In [0, 1]; lower is better. Never undefined.

    Raises
    ------
    ValueError
        If the inputs are invalid.

    Notes
    -----
    Use it for multilabel data where each label of a sample is judged separately.

    Pitfall: It is small where samples have few labels: predicting none scores 0.02 if each has 2 of
    100.

    References
    ----------
    scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import hamming_loss
    >>> hamming_loss([[0, 1], [1, 1]], [[0, 0], [0, 0]])
    0.75
    """
    return value_of_samples("hamming_loss", counted_of(y_true, y_pred, sample_weight))


@overload
def geometric_mean_score(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    average: Average | Literal["multiclass"] = "multiclass",
    correction: float = 0.0,
    **options: Unpack[CountOptions],
) -> float: ...
@overload
def geometric_mean_score(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    average: None,
    correction: float = 0.0,
    **options: Unpack[CountOptions],
) -> NDArray[np.float64]: ...
@overload
def geometric_mean_score(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    average: Average | Literal["multiclass"] | None,
    correction: float = 0.0,
    **options: Unpack[CountOptions],
) -> float | NDArray[np.float64]: ...
@metric_function
def geometric_mean_score(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | Literal["multiclass"] | None = "multiclass",
    sample_weight: ArrayLike | None = None,
    correction: float = 0.0,
) -> float | NDArray[np.float64]:
    """(prod_i recall_i)^(1/K): the geometric mean of the recalls of K classes.

    With another `average`, sqrt(recall * specificity).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"multiclass", "binary", "macro", "micro", "weighted"} or None, default="multiclass"
        "multiclass": that of the recalls; otherwise how recall and specificity are averaged first.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    correction : float, default=0
        Value substituted for a recall of 0, or of a class absent from y_true, in "multiclass".

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; higher is better; 0 where a recall or specificity is undefined.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel, `pos_label` or `average` does not match the labels,
        or `correction` is negative.

    Notes
    -----
    Use it where poor recall in one class must not be offset by the others.

    Pitfall: It is 0 for all models that never predict one class correctly, unless `correction=`
    replaces it.

    References
    ----------
    Kubat & Matwin (1997), ICML; imbalanced-learn.

    Examples
    --------
    >>> from skmetrics_ext import geometric_mean_score
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(geometric_mean_score(y_true, y_pred), 4)
    0.6934
    """
    if average == "multiclass":
        choice = choose(BY_NAME["geometric_mean"], correction=correction)
        order = None if labels is None else read_order(labels)
        encoded = encode_single_label(y_true, y_pred, labels=order, weights=Weights(sample_weight))
        # Other labels are errors for these, which the recalls account for.
        return float(
            score(CountedPairs(encoded, others="errors"), choice._replace(undefined=correction))
        )
    options = from_labels.ClassOptions(
        labels=labels,
        pos_label=pos_label,
        average=average,
        sample_weight=sample_weight,
        zero_division=0,
    )
    recall = from_labels.class_metric("recall", y_true, y_pred, **options)
    specificity = from_labels.class_metric("specificity", y_true, y_pred, **options)
    values: NDArray[np.float64] = np.sqrt(recall * specificity)
    return values if average is None else float(values)


@from_labels.takes_options_of(overall_metric)
def no_information_rate(
    y_true: LabelsLike, y_pred: LabelsLike, **options: Unpack[OverallOptions]
) -> float:
    """max_i row_i / n: the accuracy of always predicting the most frequent class.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": nan,
        with an UndefinedMetricWarning.

    Returns
    -------
    float
        In [1/K, 1]; neither direction is better.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Notes
    -----
    Use it as the baseline that the lower confidence limit of accuracy must exceed.

    Pitfall: The accuracy of a useful detector of a rare class may lie below it.

    References
    ----------
    Kuhn (2008), Journal of Statistical Software 28(5): caret.

    Examples
    --------
    >>> from skmetrics_ext import no_information_rate
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(no_information_rate(y_true, y_pred), 4)
    0.5
    """
    return overall_metric("no_information_rate", y_true, y_pred, **options)


@from_labels.takes_options_of(overall_metric)
def class_balance_accuracy(
    y_true: LabelsLike, y_pred: LabelsLike, **options: Unpack[OverallOptions]
) -> float:
    """mean_i tp_i / max(row_i, col_i).

    The mean over the classes that occur or are predicted of the smaller of precision and recall.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": 0,
        with an UndefinedMetricWarning.

    Returns
    -------
    float
        In [0, 1]; higher is better.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Notes
    -----
    Use it as a strict score of imbalanced classes, never above macro precision or macro recall.

    Pitfall: Always predicting one of K equally frequent classes scores 1 / K^2, not 1 / K.

    References
    ----------
    Mosley (2013), A balanced approach to the multi-class imbalance problem, Iowa State University.

    Examples
    --------
    >>> from skmetrics_ext import class_balance_accuracy
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(class_balance_accuracy(y_true, y_pred), 4)
    0.5556
    """
    return overall_metric("class_balance_accuracy", y_true, y_pred, **options)


class BenefitOptions(OtherOptions, total=False):
    """Options of net benefit besides its average."""

    threshold_probability: Required[float]


@overload
def net_benefit(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    average: Average = "binary",
    **options: Unpack[BenefitOptions],
) -> float: ...
@overload
def net_benefit(
    y_true: TargetLike, y_pred: TargetLike, *, average: None, **options: Unpack[BenefitOptions]
) -> NDArray[np.float64]: ...
@overload
def net_benefit(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    average: Average | None,
    **options: Unpack[BenefitOptions],
) -> float | NDArray[np.float64]: ...
@from_labels.takes_options_of(from_labels.class_metric)
def net_benefit(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    threshold_probability: float,
    **options: Unpack[ClassOptions],
) -> Value:
    """(tp - fp p / (1 - p)) / n: true positives per sample, minus false ones weighted by the odds
    of p.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    threshold_probability : float
        The risk p in (0, 1) above which one would act (treat).
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
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": nan,
        with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In (-inf, prevalence]; higher is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label`, `average` or `threshold_probability` are invalid.

    Notes
    -----
    Use it to ask whether acting on predictions does more good than acting on all or none.

    Pitfall: Predictions must be made at the same p. Acting on all gives prevalence - (1 -
    prevalence) p / (1 - p), and acting on none gives 0.

    References
    ----------
    Vickers & Elkin (2006), Medical Decision Making 26(6).

    Examples
    --------
    >>> from skmetrics_ext import net_benefit
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> risk = {"threshold_probability": 0.2}
    >>> net_benefit(y_true, y_pred, **risk, average=None).round(4)
    array([0.1667, 0.125 , 0.2917])
    """
    return from_labels.class_metric(
        "net_benefit", y_true, y_pred, threshold_probability=threshold_probability, **options
    )


@metric_function
def expected_cost(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    cost_matrix: CostsLike,
    labels: LabelsLike | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float:
    """sum_ij M_ij cost_ij / n: the mean cost per sample, where predicting j for class i costs
    cost_ij.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    cost_matrix : array-like of shape (n_classes, n_classes) or (n_samples, n_classes, n_classes), \
data frame, or dict of (actual, predicted) to cost
        Cost of each actual class (row) predicted as each class (column), for all samples or for
        each: labeled, or in the order of `labels`, of an ordered categorical or of numbers. A pair
        missing from a dict costs 0.
    labels : array-like of shape (n_classes,), default=None
        All classes in order, of the data and of an array of costs. None: all in the data.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": nan,
        with an UndefinedMetricWarning.

    Returns
    -------
    float
        In [min cost, max cost]; lower is better.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel, `labels` omit a label in the data, or `cost_matrix`
        does not match the labels or the samples.

    Notes
    -----
    Use it where each kind of error has a cost, to compare models for the same class distribution.

    Pitfall: A model's `predict` knows no costs: `ProbabilityClassifier(model, cost_matrix=costs)`
    predicts the cheapest labels.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI.

    Examples
    --------
    >>> from skmetrics_ext import expected_cost
    >>> costs = {("cat", "ant"): 6}
    >>> expected_cost(["cat", "ant"], ["ant", "ant"], cost_matrix=costs)
    3.0
    """
    costs = read_costs(cost_matrix)
    if are_of_samples(costs):
        check_zero_division(zero_division)
        return _mean_of_own_costs(y_true, y_pred, costs, labels, sample_weight)
    options = OverallOptions(sample_weight=sample_weight, zero_division=zero_division)
    return overall_metric(
        "expected_cost", y_true, y_pred, cost_matrix=costs, labels=labels, **options
    )


def _mean_of_own_costs(
    y_true: Any,
    y_pred: Any,
    costs: NDArray[Any],
    labels: LabelsLike | None,
    sample_weight: ArrayLike | None,
) -> float:
    """The mean of cost[i, y_i, p_i] over the samples."""
    order = None if labels is None else read_order(labels)
    encoded = encode_single_label(y_true, y_pred, labels=order, weights=Weights(sample_weight))
    n_samples = len(encoded.true)
    check_costs_of(costs, n_samples)
    counted = CountedPairs(encoded)
    counted.check_no_others()
    in_order = costs_in_order(costs, encoded.labels, counted.ranking if order is None else order)
    own = in_order[np.arange(n_samples), encoded.true, encoded.pred]
    weights = np.ones(n_samples) if encoded.weights is None else encoded.weights
    return float(own @ (weights / weights.sum()))


@from_labels.takes_options_of(overall_metric)
def macro_averaged_mean_absolute_error(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    labels: LabelsLike | None = None,
    **options: Unpack[OverallOptions],
) -> float:
    """mean_i sum_j M_ij |y_i - y_j| / row_i.

    The mean absolute error of each actual class, averaged; y_i is the number or the rank of the
    class.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        All classes from lowest to highest. None: those of an ordered categorical or Enum, or
        numbers.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": nan,
        with an UndefinedMetricWarning.

    Returns
    -------
    float
        In [0, range]; lower is better.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel, `labels` omit a label in the data, or the order of
        labels is unknown.

    Notes
    -----
    Use it for ordinal classes where rare ones count as much as frequent ones.

    Pitfall: Always predicting the middle of five ratings scores 1.2, which is the baseline to beat.

    References
    ----------
    Baccianella, Esuli & Sebastiani (2009), ISDA; imbalanced-learn.

    Examples
    --------
    >>> from skmetrics_ext import macro_averaged_mean_absolute_error
    >>> y_true = [1, 1, 2, 3, 3, 3]
    >>> y_pred = [1, 2, 2, 3, 3, 1]
    >>> round(macro_averaged_mean_absolute_error(y_true, y_pred), 4)
    0.3889
    """
    return overall_metric(
        "macro_averaged_mean_absolute_error", y_true, y_pred, labels=labels, **options
    )
