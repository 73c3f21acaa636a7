"""A metric of the one class of a curve, at every threshold."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice, choose, name_asked_for, read_parameters
from skmetrics_ext.catalogue.names import resolve
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.counted import CountedCurve
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.curves.costs import mean_of_own_costs
from skmetrics_ext.curves.data import CurveData
from skmetrics_ext.curves.inputs import CurveLabels
from skmetrics_ext.reading.numbers import are_of_samples


def values_of_curve(
    curve: CurveData,
    metric: str | Callable[..., Any] | Metric,
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
    metric: str | Callable[..., Any] | Metric,
    classes: NDArray[Any],
    parameters: dict[str, Any],
    zero_division: ZeroDivision = np.nan,
) -> Choice:
    """A metric of the positive class, or over both classes."""
    row = row_of_one_class(metric)
    average = "binary" if row.has_average else "auto"
    # First, so that an option is not taken for one of the metric's parameters.
    parameters = read_parameters(row, parameters)
    choice = choose(row, average=average, zero_division=zero_division, **parameters)
    choice = choice._replace(asked=name_asked_for(metric, row))
    if row.has_average or not row.goes_by_order(choice.parameters):
        return choice
    # Two classes have one order and its reverse, of the same value.
    return choice._replace(labels=classes)


def row_of_one_class(metric: str | Callable[..., Any] | Metric) -> Metric:
    """The row of a metric given without an average."""
    if isinstance(metric, Metric):
        return metric
    row, average = resolve(metric)
    if average is not None:
        raise ValueError(
            f"{metric!r} specifies an average, but a curve is for one class: pass {row.name!r}."
        )
    return row
