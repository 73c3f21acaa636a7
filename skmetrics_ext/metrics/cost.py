"""What errors cost, and what acting on predictions gains."""

from __future__ import annotations

from typing import Any, Required, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.averages import Average
from skmetrics_ext.catalogue.undefined import ZeroDivision, check_zero_division
from skmetrics_ext.counting.counted import CountedPairs
from skmetrics_ext.metrics import from_labels
from skmetrics_ext.metrics.from_labels import (
    ClassOptions,
    OtherOptions,
    OverallOptions,
    Value,
    metric_function,
    overall_metric,
)
from skmetrics_ext.reading.aliases import CostsLike, LabelsLike, TargetLike
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.numbers import are_of_samples, check_costs_of, costs_in_order, read_costs
from skmetrics_ext.reading.pairs import Weights, encode_single_label


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
    prevalence) p / (1 - p), acting on none 0.

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
