"""What errors cost, and what acting on predictions gains."""

from __future__ import annotations

from typing import Any, Required, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.averages import Average
from skmetrics_ext.catalogue.undefined import ZeroDivision, check_zero_division
from skmetrics_ext.counting.counted import CountedPairs
from skmetrics_ext.metrics.of_labels import ClassOptions, class_metric, overall_metric
from skmetrics_ext.reading.aliases import CostsLike, Label, LabelsLike, TargetLike
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.numbers import are_of_samples, check_costs_of, costs_in_order, read_costs
from skmetrics_ext.reading.pairs import encode_single_label


class BenefitOptions(ClassOptions, total=False):
    """What net benefit takes besides its average."""

    threshold_probability: Required[float]


@overload
def net_benefit(
    y_true: TargetLike, y_pred: TargetLike, *, average: Average = "binary", **options: Unpack[BenefitOptions]
) -> float: ...
@overload
def net_benefit(
    y_true: TargetLike, y_pred: TargetLike, *, average: None, **options: Unpack[BenefitOptions]
) -> NDArray[np.float64]: ...
@overload
def net_benefit(
    y_true: TargetLike, y_pred: TargetLike, *, average: Average | None, **options: Unpack[BenefitOptions]
) -> float | NDArray[np.float64]: ...
def net_benefit(
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    threshold_probability: float,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float | NDArray[np.float64]:
    """(tp - fp p / (1 - p)) / n: true positives a sample, less false ones at the odds of the threshold p.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Actual and predicted labels: numbers, strings or categoricals; 2-D is multilabel.
    threshold_probability : float
        The risk p in (0, 1) above which one acts: p / (1 - p) is the harm of acting on a negative over
        the benefit of acting on a positive.
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
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": nan,
        with an UndefinedMetricWarning. Averages leave out nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In (-inf, prevalence]; higher is better.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, `pos_label` or `average` does not
        fit the labels, or `threshold_probability` is not in (0, 1). The message says what to do.

    Notes
    -----
    Use it to ask whether acting on the predictions does more good than acting on all or on none,
    for someone who acts from a probability of p on.

    Pitfall: The predictions must be made at the same p, else the value is of no decision. Compare
    it with acting on all, prevalence - (1 - prevalence) p / (1 - p), and on none, 0.

    References
    ----------
    Vickers & Elkin (2006), Medical Decision Making 26(6).

    Examples
    --------
    >>> from skmetrics_ext import net_benefit
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> net_benefit(y_true, y_pred, threshold_probability=0.2, average=None).round(4)
    array([0.1667, 0.125 , 0.2917])
    >>> round(net_benefit(y_true, y_pred, threshold_probability=0.2, average="macro"), 4)
    0.1944
    """
    return class_metric(
        "net_benefit",
        y_true,
        y_pred,
        labels,
        pos_label,
        average,
        sample_weight,
        zero_division,
        threshold_probability=threshold_probability,
    )


def expected_cost(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    cost_matrix: CostsLike,
    labels: LabelsLike | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float:
    """sum_ij M_ij cost_ij / n: the mean cost of a sample.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels: numbers, strings or categoricals.
    cost_matrix : array-like of shape (n_classes, n_classes) or (n_samples, n_classes, n_classes), data frame, \
or dict of (actual, predicted) to cost
        Cost of each actual class (row) predicted as each class (column), for all samples or for
        each. A data frame and a dict name the classes, in any order; a pair that a dict lacks costs
        0. An array is in the order of `labels`, else of an ordered categorical, else of numbers;
        strings have none. Costs of each sample, such as the amount of a fraud, reach the folds of
        `cross_validate` by `get_scorer("neg_expected_cost").set_score_request(cost_matrix=True)` and
        `params={"cost_matrix": costs}`, with metadata routing.
    labels : array-like of shape (n_classes,), default=None
        Classes in their order, which must cover all data; beside an array of costs name all that
        it is for, since some may be missing from the data. None: all labels of the data.
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
        If an input is no label array, the lengths differ, the data are multilabel, `labels` do not
        cover the data, `cost_matrix` does not fit the labels or the samples, lacks a label that
        occurs, or is an array of classes whose order is not known.

    Notes
    -----
    Use it where each kind of error has a price: the value is in the unit of the costs, for one
    sample.

    Pitfall: Only values of the same costs and the same mix of classes compare, since twice the
    costs are twice the value. The cheapest constant prediction is the value to beat.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI.

    Examples
    --------
    >>> from skmetrics_ext import expected_cost
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(expected_cost(y_true, y_pred, cost_matrix={("cat", "bee"): 5, ("ant", "cat"): 1}), 4)
    1.0
    >>> costs = [[0, 1, 1], [1, 0, 1], [5, 5, 0]]
    >>> round(expected_cost(y_true, y_pred, cost_matrix=costs, labels=["ant", "bee", "cat"]), 4)
    1.0
    >>> amounts = [120, 80, 30]
    >>> missed = [[[0, 5], [amount, 5]] for amount in amounts]  # any alarm costs 5
    >>> round(expected_cost([1, 1, 0], [1, 0, 1], cost_matrix=missed), 4)  # (5 + 80 + 5) / 3
    30.0
    """
    costs = read_costs(cost_matrix)
    if are_of_samples(costs):
        check_zero_division(zero_division)
        return _mean_of_own_costs(y_true, y_pred, costs, labels, sample_weight)
    return overall_metric("expected_cost", y_true, y_pred, sample_weight, zero_division, labels, cost_matrix=costs)


def _mean_of_own_costs(
    y_true: Any, y_pred: Any, costs: NDArray[Any], labels: LabelsLike | None, sample_weight: ArrayLike | None
) -> float:
    """The mean of cost[i, y_i, p_i] over the samples."""
    order = None if labels is None else read_order(labels)
    encoded = encode_single_label(y_true, y_pred, labels=order, sample_weight=sample_weight)
    n_samples = len(encoded.true)
    check_costs_of(costs, n_samples)
    counted = CountedPairs(encoded)
    counted.check_no_others()
    in_order = costs_in_order(costs, encoded.labels, counted.ranking if order is None else order)
    own = in_order[np.arange(n_samples), encoded.true, encoded.pred]
    weights = np.ones(n_samples) if encoded.weights is None else encoded.weights
    return float(own @ (weights / weights.sum()))


def macro_averaged_mean_absolute_error(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    labels: LabelsLike | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float:
    """mean_i sum_j M_ij |y_i - y_j| / row_i.

    The mean absolute error of each actual class, averaged over the classes. Of labels that are no
    numbers y_i is the place in the order of the classes.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels: numbers, strings or categoricals.
    labels : array-like of shape (n_classes,), default=None
        Classes from the lowest to the highest, which must cover all data; needed for labels that
        are no numbers, unless an ordered categorical of pandas or an Enum of polars on either side
        has their order. None: all labels of the data.
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
        If an input is no label array, the lengths differ, the data are multilabel, `labels` do not
        cover the data, labels that are no numbers come without an order, or those of both sides
        contradict each other.

    Notes
    -----
    Use it where classes have an order and rare ones count as much as frequent ones, as with ratings
    that are mostly 5.

    Pitfall: Always predicting the middle of five ratings gets 1.2, which is the value to beat. Of
    labels that are no numbers only the order counts, as if all steps were equal.

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
    >>> macro_averaged_mean_absolute_error(["low", "top"], ["top", "top"], labels=["low", "mid", "top"])
    1.0
    """
    return overall_metric("macro_averaged_mean_absolute_error", y_true, y_pred, sample_weight, zero_division, labels)
