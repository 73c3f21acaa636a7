"""Counts -> (numerator, denominator), or a value where there is no one quotient; pure, one function a metric."""

# Every formula takes counts of shape (..., n_classes) and keeps the leading axes. A
# formula of class counts keeps the class axis too; a formula of margins or of the
# matrix sums over it. Undefined is 0/0. Where a product of counts could pass 2**63
# the counts are floats first.

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counts import ClassCounts, Margins, margins_of

Value = NDArray[Any]
Quotient = tuple[Any, Any]


def ratio(numerator: Any, denominator: Any) -> Value:
    """The one division: 0/0 is NaN, x/0 is infinite, in silence."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.true_divide(numerator, denominator))


# Rates: one count over the margin that it is a part of.


def precision(counts: ClassCounts) -> Quotient:
    return counts.tp, counts.tp + counts.fp


def recall(counts: ClassCounts) -> Quotient:
    return counts.tp, counts.tp + counts.fn


def specificity(counts: ClassCounts) -> Quotient:
    return counts.tn, counts.tn + counts.fp


def negative_predictive_value(counts: ClassCounts) -> Quotient:
    return counts.tn, counts.tn + counts.fn


def false_positive_rate(counts: ClassCounts) -> Quotient:
    return counts.fp, counts.fp + counts.tn


def false_negative_rate(counts: ClassCounts) -> Quotient:
    return counts.fn, counts.fn + counts.tp


def false_discovery_rate(counts: ClassCounts) -> Quotient:
    return counts.fp, counts.fp + counts.tp


def false_omission_rate(counts: ClassCounts) -> Quotient:
    return counts.fn, counts.fn + counts.tn


def one_vs_rest_accuracy(counts: ClassCounts) -> Quotient:
    return counts.tp + counts.tn, _total(counts)


def one_vs_rest_error(counts: ClassCounts) -> Quotient:
    return counts.fp + counts.fn, _total(counts)


# Overlap of the predicted with the actual positives.


def f1(counts: ClassCounts) -> Quotient:
    return 2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn


def fbeta(counts: ClassCounts, *, beta: float) -> Quotient:
    if not beta >= 0:
        raise ValueError(f"beta must be a number >= 0 (recall counts beta times as much as precision); got {beta!r}.")
    if np.isinf(beta):
        return recall(counts)
    weighted_tp = (1 + beta**2) * counts.tp
    return weighted_tp, weighted_tp + beta**2 * counts.fn + counts.fp


def jaccard(counts: ClassCounts) -> Quotient:
    return counts.tp, counts.tp + counts.fp + counts.fn


# Balance of the two rates of a class.


def informedness(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = _floats(counts)
    return tp * tn - fp * fn, (tp + fn) * (tn + fp)


def g_mean(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = _floats(counts)
    return np.sqrt(tp * tn), np.sqrt((tp + fn) * (tn + fp))


# Agreement of all classes.


def accuracy(margins: Margins) -> Quotient:
    return margins.diagonal.sum(-1), margins.row_sums.sum(-1)


def zero_one_loss(margins: Margins) -> Quotient:
    return (margins.row_sums - margins.diagonal).sum(-1), margins.row_sums.sum(-1)


def balanced_accuracy(margins: Margins, *, adjusted: bool = False) -> Quotient:
    occurs = margins.row_sums > 0
    n_classes = occurs.sum(-1)
    recalls = ratio(margins.diagonal, np.where(occurs, margins.row_sums, 1))
    total = recalls.sum(-1)
    if not adjusted:
        return total, n_classes
    return np.where(n_classes > 1, total - 1, 0), np.maximum(n_classes - 1, 0)


def matthews_corrcoef(margins: Margins) -> Quotient:
    actual, predicted, excess = _agreement_beyond_chance(margins)
    spread = _heterogeneity(actual) * _heterogeneity(predicted)
    return np.where(spread > 0, excess, 0), np.sqrt(spread)


def cohen_kappa(counts: NDArray[Any] | Margins, *, weights: str | None = None) -> Quotient:
    if weights is not None:
        return _weighted_kappa(counts, weights)
    actual, predicted, excess = _agreement_beyond_chance(margins_of(counts))
    total = actual.sum(-1)
    return excess, total**2 - (actual * predicted).sum(-1)


def _weighted_kappa(matrix: Any, weights: str) -> Quotient:
    """Kappa with disagreements weighted by the distance of the labels in their order."""
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"weights must be None, 'linear' or 'quadratic'; got {weights!r}.")
    matrix = matrix.astype(np.float64)
    order = np.arange(matrix.shape[-1])
    distance = np.abs(order[:, None] - order).astype(np.float64)
    if weights == "quadratic":
        distance **= 2
    actual, predicted = matrix.sum(-1), matrix.sum(-2)
    by_chance = np.einsum("...i,ij,...j->...", actual, distance, predicted)
    observed = actual.sum(-1) * (matrix * distance).sum((-2, -1))
    return by_chance - observed, by_chance


def _agreement_beyond_chance(margins: Margins) -> tuple[Value, Value, Value]:
    """Row and column sums as floats, and n * trace - sum of row_i * column_i."""
    diagonal, actual, predicted = (part.astype(np.float64) for part in margins)
    excess = actual.sum(-1) * diagonal.sum(-1) - (actual * predicted).sum(-1)
    return actual, predicted, excess


def _heterogeneity(sums: Value) -> Any:
    """n**2 - sum of squares, in a form that is exactly 0 when one class has all."""
    return (sums * (sums.sum(-1, keepdims=True) - sums)).sum(-1)


def _total(counts: ClassCounts) -> Any:
    """Number of samples."""
    return counts.tp + counts.fp + counts.fn + counts.tn


def _floats(counts: ClassCounts) -> ClassCounts:
    """Counts whose products cannot overflow."""
    return ClassCounts(*(np.asarray(part, dtype=np.float64) for part in counts))


def shares(matrix: NDArray[Any], of: str) -> Value:
    """A matrix (..., C, C) over its row sums ("true"), column sums ("pred") or total ("all"); empty ones give 0."""
    axis: tuple[int, ...] = {"true": (-1,), "pred": (-2,), "all": (-2, -1)}[of]
    total = matrix.sum(axis, keepdims=True)
    return ratio(matrix, np.where(total == 0, 1, total))
