"""A metric, costs and net benefit of the one class of a curve, at every threshold."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice, choose, name_asked_for, read_parameters
from skmetrics_ext.catalogue.names import MetricName, resolve
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.counted import CountedCurve
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.ranking import Samples, counts_at, sums_of_either
from skmetrics_ext.curves.data import CurveData
from skmetrics_ext.curves.inputs import CurveLabels, Entries, read_thresholds
from skmetrics_ext.formulas import one_class
from skmetrics_ext.reading.aliases import Ties
from skmetrics_ext.reading.numbers import are_of_samples, check_costs_of, costs_in_order
from skmetrics_ext.reading.order import position_of


def values_of_curve(
    curve: CurveData,
    metric: MetricName | Metric,
    parameters: dict[str, Any] | None = None,
    zero_division: ZeroDivision = np.nan,
) -> NDArray[np.float64]:
    """A metric at the thresholds, NaN by default where undefined."""
    row, parameters = row_of_one_class(metric), parameters or {}
    if "cost_matrix" in row.parameters:
        parameters = read_parameters(row, parameters)
        if are_of_samples(costs := parameters["cost_matrix"]):
            labels = CurveLabels(curve.labels, curve.pos_label, curve._ranked)
            return mean_of_own_costs(
                curve._weighed, curve._entries, costs, labels, curve.thresholds, curve.ties
            )
    choice = choose_of_curve(metric, curve.labels, parameters, zero_division)
    return np.asarray(score(counted_of_curve(curve, curve.counts), choice))


def counted_of_curve(curve: CurveData, counts: ClassCounts) -> CountedCurve:
    """The counts at some thresholds of a curve."""
    return CountedCurve(
        counts,
        curve.labels,
        curve.pos_label,
        curve._position,
        ranked=curve._ranked,
        weight_of_one=curve._weight_of_one,
    )


def choose_of_curve(
    metric: MetricName | Metric,
    classes: NDArray[Any],
    parameters: dict[str, Any],
    zero_division: ZeroDivision = np.nan,
) -> Choice:
    """A metric of the positive class, or over both classes."""
    row = row_of_one_class(metric)
    # First, so that an option is not taken for one of the metric's parameters.
    parameters = read_parameters(row, parameters)
    choice = choose(row, zero_division=zero_division, **parameters)
    choice = choice._replace(asked=name_asked_for(metric, row))
    if row.has_average or not row.goes_by_order(choice.parameters):
        return choice
    # Two classes have one order and its reverse, of the same value.
    return choice._replace(labels=classes)


def row_of_one_class(metric: MetricName | Metric) -> Metric:
    """The row of a metric given without an average."""
    if isinstance(metric, Metric):
        return metric
    row, average = resolve(metric)
    if average is not None:
        raise ValueError(
            f"{metric!r} specifies an average, but a curve is for one class: pass {row.name!r}."
        )
    return row


def mean_of_own_costs(
    samples: Samples,
    entries: Entries,
    costs: NDArray[Any],
    labels: CurveLabels,
    thresholds: NDArray[Any],
    ties: Ties,
) -> NDArray[np.float64]:
    """The mean over the samples of costs of shape (n_samples, 2, 2)."""
    if entries not in ("samples", "frequencies"):
        raise ValueError(
            "this curve has counts per score, not samples with own costs: make it with "
            "ThresholdCurve.from_scores."
        )
    scores, positive, weights, _ = samples
    check_costs_of(costs, len(scores))
    order, pos_label, is_ranked = labels
    costs = costs_in_order(costs, order, order if is_ranked else None)
    place = position_of(order, pos_label) or 0
    own = np.where(positive[:, None], costs[:, place], costs[:, 1 - place])
    weights = np.ones(len(scores)) if weights is None else weights
    sums = sums_of_either(
        weights * own[:, place], weights * own[:, 1 - place], scores, thresholds, ties
    )
    return np.asarray(sums / weights.sum())


def net_benefit_of_samples(samples: Samples, thresholds: Any, ties: Ties) -> NDArray[np.float64]:
    """tp / n - fp / n * t / (1 - t) at each t; at 1 a false positive outweighs everything."""
    low, high = samples.scores.min(), samples.scores.max()
    if not 0 <= low <= high <= 1:
        raise ValueError(
            f"net benefit needs probabilities, but the scores range from {low:.3g} to {high:.3g}: "
            "pass the output of predict_proba, or calibrate the model "
            "(sklearn.calibration.CalibratedClassifierCV)."
        )
    chosen = read_thresholds(thresholds, samples)
    if not ((chosen >= 0) & (chosen <= 1)).all():
        raise ValueError(
            f"thresholds must be probabilities; they range from {chosen.min():.3g} to "
            f"{chosen.max():.3g}."
        )
    counts = counts_at(samples, chosen, ties)
    probabilities: Any = chosen.astype(np.float64)
    weighed = ratio(*one_class.net_benefit(counts, threshold_probability=probabilities))
    # Without false positives their infinite weight does not matter.
    return np.where(counts.fp == 0, ratio(*one_class.detection_rate(counts)), weighed)
