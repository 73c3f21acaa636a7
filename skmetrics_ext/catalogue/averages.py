"""Formula and counts -> values: the only undefined-value policy and warning, and the only averaging."""

import inspect
import numbers
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.counting.counts import ClassCounts, Counts, as_floats, margins_of
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.reading.messages import levels_to_caller
from skmetrics_ext.reading.numbers import costs_in_order, read_costs
from skmetrics_ext.reading.order import label_distances, position_of, show

Average = Literal["binary", "macro", "micro", "weighted", "samples"]
ZeroDivision = Literal["warn"] | float
AVERAGES = ("binary", "macro", "micro", "weighted", "samples")


def class_value(
    formula: Callable[..., Any],
    counts: ClassCounts,
    labels: NDArray[Any],
    *,
    average: str | None,
    undefined: float,
    zero_division: ZeroDivision,
    sample_weight: NDArray[Any] | None = None,
    **parameters: Any,
) -> Any:
    """A metric of class counts: (...,), or (..., n_classes) for average=None.

    For average="binary" the counts hold the positive class alone; for "samples" the
    class axis holds samples, weighted by `sample_weight`.
    """
    counts = as_floats(counts)
    if average == "micro":
        counts = ClassCounts(*(part.sum(-1, keepdims=True) for part in counts))
    names = None if average in ("micro", "samples") else labels
    values = _defined(formula, formula(counts, **parameters), undefined, zero_division, counts, names)
    if average is None:
        return values
    if average in ("binary", "micro"):
        return values[..., 0]
    support = counts.tp + counts.fn
    return _mean(values, {"macro": None, "weighted": support, "samples": sample_weight}[average])


def overall_value(
    formula: Callable[..., Any],
    counts: Counts,
    labels: NDArray[Any] | None = None,
    *,
    undefined: float,
    zero_division: ZeroDivision = "warn",
    **parameters: Any,
) -> Any:
    """A metric over all classes: (...,). The labels are for formulas with the distance between classes."""
    if labels is not None and takes_label_distances(formula):
        parameters["label_distances"] = label_distances(labels)
    if labels is not None and "cost_matrix" in parameters:
        margins = margins_of(counts)  # type: ignore[arg-type]  # the metric takes a matrix
        occurs = np.any(np.reshape(margins.row_sums + margins.column_sums, (-1, len(labels))) > 0, axis=0)
        parameters["cost_matrix"] = costs_in_order(read_costs(parameters["cost_matrix"]), labels, occurs)
    return _defined(formula, formula(as_floats(counts), **parameters), undefined, zero_division)


@cache
def takes_label_distances(formula: Callable[..., Any]) -> bool:
    """Whether a formula needs the distances between the labels."""
    return "label_distances" in inspect.signature(formula).parameters


def counts_of_positive(counts: ClassCounts, labels: NDArray[Any], pos_label: Any, carried: Any = None) -> ClassCounts:
    """The counts of the positive class alone, (..., 1), for average="binary".

    A positive class that never occurs beside one other label has counts too, all
    of them true negatives.
    """
    check_two_labels(labels)
    position = position_of(labels, positive_of(labels, pos_label, carried))
    if position is not None:
        return ClassCounts(*(part[..., position : position + 1] for part in counts))
    total = counts.tp + counts.fp + counts.fn + counts.tn
    total = total[..., :1]
    zero = np.zeros_like(total)
    return ClassCounts(zero, zero, zero, total)


def check_two_labels(labels: NDArray[Any]) -> None:
    """Refuse one positive class where there are several others."""
    if len(labels) > 2:
        raise ValueError(
            f"average='binary' needs two labels, but there are {len(labels)}: {show(labels)}. Choose "
            "average='macro', 'micro', 'weighted' or None, or one class by labels=[...] with average='macro'."
        )


def check_average(average: str | None) -> None:
    """Refuse a misspelt average before any work is done."""
    if average is not None and average not in AVERAGES:
        raise ValueError(f"average must be None or one of {list(AVERAGES)}; got {average!r}.")


def check_zero_division(zero_division: Any) -> None:
    """Refuse what would be no value for an undefined ratio."""
    if isinstance(zero_division, str):
        valid = zero_division == "warn"
    else:
        valid = isinstance(zero_division, numbers.Real) and (zero_division in (0, 1) or zero_division != zero_division)
    if not valid:
        raise ValueError(f"zero_division must be 'warn', 0, 1 or nan; got {zero_division!r}.")


def _defined(
    formula: Callable[..., Any],
    result: Any,
    undefined: float,
    zero_division: ZeroDivision,
    counts: ClassCounts | None = None,
    labels: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Divide, and put the value that was chosen wherever the result is 0/0."""
    values = ratio(*result) if isinstance(result, tuple) else result
    nowhere = np.isnan(values)
    if not nowhere.any():
        return values
    fill = undefined if zero_division == "warn" else zero_division
    if zero_division == "warn":
        _warn(formula.__name__, fill, nowhere, counts, labels)
    return np.where(nowhere, fill, values)


def _mean(values: NDArray[Any], weights: NDArray[Any] | None) -> Any:
    """Mean over the last axis without NaN; unweighted where the weights are all zero, as in scikit-learn."""
    weights = np.ones_like(values) if weights is None else np.broadcast_to(weights, values.shape)
    known = ~np.isnan(values)
    weights = np.where(known, weights, 0)
    weights = np.where(weights.any(-1, keepdims=True), weights, known)
    # A power of two near their sum, with which nothing rounds and no product is infinite or 0 that need not be.
    weights = np.ldexp(weights, -np.frexp(weights.sum(-1, keepdims=True))[1])
    with np.errstate(invalid="ignore", over="ignore"):
        # The mean of inf and -inf is undefined, and NaN says so.
        return ratio((np.where(weights > 0, values, 0) * weights).sum(-1), weights.sum(-1))


def _warn(
    name: str, fill: float, nowhere: NDArray[np.bool_], counts: ClassCounts | None, labels: NDArray[Any] | None
) -> None:
    """One warning that names the metric, the classes and the cause, at the line of the caller."""
    where = cause = advice = ""
    if labels is not None and nowhere.shape[-1] == len(labels) > 1:
        where = f" for {show(labels[nowhere.any(tuple(range(nowhere.ndim - 1)))])}"
    if counts is not None:
        cause, advice = f", because there are {_cause(counts, nowhere)}", " Choose the value with zero_division=."
    warnings.warn(
        f"{name} is undefined (0/0){where}{cause}; it is set to {fill}.{advice}",
        UndefinedMetricWarning,
        stacklevel=levels_to_caller(),
    )


def _cause(counts: ClassCounts, nowhere: NDArray[np.bool_]) -> str:
    """Which of the four margins are empty: in all undefined cases, or in some."""
    tp, fp, fn, tn = (part[nowhere] for part in counts)
    margins = {
        "no actual positives": tp + fn,
        "no predicted positives": tp + fp,
        "no actual negatives": tn + fp,
        "no predicted negatives": tn + fn,
    }
    always = [text for text, margin in margins.items() if not margin.any()]
    sometimes = [text for text, margin in margins.items() if not margin.all()]
    return " and ".join(always) or " or ".join(sometimes) or "nothing to divide by"
