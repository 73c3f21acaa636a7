"""The one `score` that every object which holds counts calls."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.averages import (
    ZeroDivision,
    check_average,
    check_zero_division,
    class_value,
    counts_of_positive,
    overall_value,
)
from skmetrics_ext.catalogue.names import resolve
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.counts import ClassCounts, Counts, Margins, classes_of, margins_of
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.numbers import read_costs
from skmetrics_ext.reading.order import check_ordered, positions_in, show


def score(
    counts: Counts,
    metric: str | Callable[..., Any] | Metric,
    *,
    order: NDArray[Any],
    average: str | None = "auto",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    carried: Any = None,
    zero_division: ZeroDivision = "warn",
    sample_weight: NDArray[Any] | None = None,
    **parameters: Any,
) -> Any:
    """A metric by name from counts with any leading axes.

    `order` are the labels of the class axis, `labels` those of them that are averaged.
    average="auto" is "binary" for two classes, of which `pos_label` is positive, or the class
    that the counts' owner carries, and "macro" for more or with `labels`. For average="samples" the class
    axis holds samples, weighted by `sample_weight`.
    """
    row, own_average = (metric, None) if isinstance(metric, Metric) else resolve(metric)
    check_zero_division(zero_division)
    check_parameters(row, parameters)
    needed = _as_needed(counts, row, parameters)
    if not row.has_average:
        if average != "auto" and row.own_averages:
            raise ValueError(f"{row.name} has averages of its own: call the function {row.function} for them.")
        if row.ordered:
            needed, order = _in_order(needed, order, labels)
        elif labels is not None:
            raise ValueError(f"{row.name} is one value over all classes: labels= does not apply to it.")
        return overall_value(
            row.formula, needed, order, undefined=row.undefined, zero_division=zero_division, **parameters
        )
    average = _chosen_average(row, own_average, average, len(order), labels)
    if average == "samples" and not isinstance(counts, ClassCounts):
        raise ValueError("average='samples' needs the labels of each sample: call the metric function on them.")
    if pos_label is not None and average != "binary":
        raise ValueError(f"pos_label={pos_label!r} is for average='binary', but here it is {average!r}: leave it out.")
    if labels is not None and average == "binary":
        raise ValueError("labels= are classes to average, and average='binary' is about pos_label: pass one of them.")
    classes = classes_of(needed)
    if average == "binary":
        classes = counts_of_positive(classes, order, pos_label, carried)
    elif labels is not None:
        classes, order = _selected(classes, order, labels)
    return class_value(
        row.formula,
        classes,
        order,
        average=average,
        undefined=row.undefined,
        zero_division=zero_division,
        sample_weight=sample_weight,
        **parameters,
    )


def check_parameters(row: Metric, parameters: dict[str, Any]) -> None:
    """Refuse a parameter that is missing, unknown or out of range, before any work is done."""
    known = row.parameters
    if unknown := [name for name in parameters if name not in known]:
        takes = f"its parameters are {sorted(known)}" if known else "it has none"
        raise TypeError(f"{row.name} has no parameter {unknown[0]!r}: {takes}.")
    if missing := [name for name in row.required if name not in parameters]:
        raise TypeError(f"{row.name} needs the parameter {missing[0]!r}: pass {missing[0]}=...")
    if "cost_matrix" in parameters:
        read_costs(parameters["cost_matrix"])
    elif parameters:
        # The formula knows the range of its parameters: try it on a matrix of ones.
        row.formula(_as_needed(np.ones((2, 2)), row, parameters), **parameters)


def _as_needed(counts: Counts, row: Metric, parameters: dict[str, Any]) -> Counts:
    """Counts in the form that the formula takes."""
    if row.has_average:
        return classes_of(counts)
    if isinstance(counts, ClassCounts) and not isinstance(counts, Margins):
        if row.multilabel == "class counts":
            return counts
        raise ValueError(
            f"{row.name} needs the confusion matrix of all classes, but there are one-vs-rest counts only. "
            "Metrics of class counts work, such as 'recall' or 'specificity'."
        )
    if row.takes_matrix(parameters):
        return counts
    return margins_of(counts)


def _chosen_average(
    row: Metric, own: str | None, average: str | None, n_classes: int, labels: ArrayLike | None
) -> str | None:
    """The average in force: the one in the metric's name, the one asked for, or what "auto" means here."""
    if average == "auto":
        return own or ("binary" if n_classes <= 2 and labels is None else "macro")
    check_average(average)
    if own is not None and average != own:
        raise ValueError(f"the name {row.name}_{own} already has an average; average={average!r} contradicts it.")
    return average


def _in_order(matrix: Any, order: NDArray[Any], labels: ArrayLike | None) -> tuple[Any, NDArray[Any]]:
    """The matrix with its classes from the lowest to the highest, as `labels` has them."""
    if labels is None:
        check_ordered(order)
        return matrix, order
    chosen = read_order(labels)
    positions = positions_in(order, chosen)
    if len(chosen) != len(order) or (positions == len(order)).any():
        raise ValueError(f"labels={show(chosen)} must be all labels, {show(order)}, from the lowest to the highest.")
    return matrix[..., positions[:, None], positions], chosen


def _selected(counts: ClassCounts, order: NDArray[Any], labels: ArrayLike) -> tuple[ClassCounts, NDArray[Any]]:
    """The class counts of the labels to average."""
    chosen = read_order(labels)
    positions = positions_in(order, chosen)
    if (absent := positions == len(order)).any():
        raise ValueError(f"labels={show(chosen[absent])} are not among the labels {show(order)}.")
    return ClassCounts(*(part[..., positions] for part in counts)), chosen
