"""Margins or matrix of all classes -> (numerator, denominator), or a value; pure, one function a metric."""

# Every formula takes counts with any leading axes and gives one value for each of their
# entries. Undefined is 0/0. Products of counts are of floats, which do not overflow.

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counts import ClassCounts, Margins, margins_of
from skmetrics_ext.formulas import Quotient, Value, ratio

# Agreement of all classes.


def accuracy(margins: Margins) -> Quotient:
    return margins.diagonal.sum(-1), margins.row_sums.sum(-1)


def zero_one_loss(margins: Margins) -> Quotient:
    return (margins.row_sums - margins.diagonal).sum(-1), margins.row_sums.sum(-1)


def no_information_rate(margins: Margins) -> Quotient:
    return margins.row_sums.max(-1), margins.row_sums.sum(-1)


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


def scott_pi(margins: Margins) -> Quotient:
    total, observed, by_chance = _pooled_agreement(margins)
    return observed * total - by_chance, total**2 - by_chance


def krippendorff_alpha(margins: Margins) -> Quotient:
    n_samples = margins.row_sums.sum(-1)
    total, observed, by_chance = _pooled_agreement(margins)
    # Half a sample, in the unit of the total; both sides are multiplied by the total squared.
    half = ratio(total, 2 * np.where(n_samples > 0, n_samples, 1))
    numerator = (total - half) * observed + half * total - by_chance
    # Weights that add up to less than one sample leave nothing to correct for.
    enough = n_samples >= 1
    return np.where(enough, numerator, 0), np.where(enough, total**2 - by_chance, 0)


def gwet_ac1(margins: Margins) -> Quotient:
    diagonal, actual, predicted = _floats(margins)
    total, n_classes = actual.sum(-1), actual.shape[-1]
    if n_classes == 1:
        return np.zeros_like(total), np.zeros_like(total)
    by_chance = _heterogeneity((actual + predicted) / 2) / (n_classes - 1)
    return diagonal.sum(-1) * total - by_chance, total**2 - by_chance


def bennett_s(margins: Margins) -> Quotient:
    total, n_classes = margins.row_sums.sum(-1), margins.row_sums.shape[-1]
    return n_classes * margins.diagonal.sum(-1) - total, (n_classes - 1) * total


def peirce_skill(margins: Margins) -> Quotient:
    actual, _, excess = _agreement_beyond_chance(margins)
    return excess, _heterogeneity(actual)


def quantity_disagreement(margins: Margins) -> Quotient:
    return np.abs(margins.row_sums - margins.column_sums).sum(-1), 2 * margins.row_sums.sum(-1)


def allocation_disagreement(margins: Margins) -> Quotient:
    wrong = np.minimum(margins.row_sums, margins.column_sums) - margins.diagonal
    return wrong.sum(-1), margins.row_sums.sum(-1)


def class_balance_accuracy(margins: Margins) -> Quotient:
    larger = np.maximum(margins.row_sums, margins.column_sums)
    shares_of_larger = ratio(margins.diagonal, np.where(larger > 0, larger, 1))
    return shares_of_larger.sum(-1), (larger > 0).sum(-1)


def hamming_loss(counts: Margins | ClassCounts) -> Quotient:
    if isinstance(counts, Margins):
        return zero_one_loss(counts)
    wrong = counts.fp + counts.fn
    return wrong.sum(-1), (wrong + counts.tp + counts.tn).sum(-1)


def geometric_mean(margins: Margins, *, correction: float = 0.0) -> Value:
    if not 0 <= correction < np.inf:
        raise ValueError(f"correction must be a finite number >= 0; got {correction!r}.")
    recalls = ratio(margins.diagonal, np.where(margins.row_sums > 0, margins.row_sums, 1))
    with np.errstate(divide="ignore"):
        values = np.exp(np.log(np.where(recalls == 0, correction, recalls)).mean(-1))
    return np.where(margins.row_sums.any(-1), values, np.nan)


def _pooled_agreement(margins: Margins) -> tuple[Any, Any, Any]:
    """n, n po and n^2 pe, the classes distributed as in both sides together."""
    diagonal, actual, predicted = _floats(margins)
    total = actual.sum(-1)
    pooled = (actual + predicted) / 2
    return total, diagonal.sum(-1), total**2 - _heterogeneity(pooled)


def _weighted_kappa(matrix: Any, weights: str) -> Quotient:
    """Kappa with disagreements weighted by the distance of the labels in their order."""
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"weights must be None, 'linear' or 'quadratic'; got {weights!r}.")
    total = matrix.sum((-2, -1), keepdims=True)
    matrix = ratio(matrix, np.where(total > 0, total, 1))
    order = np.arange(matrix.shape[-1])
    distance = np.abs(order[:, None] - order).astype(np.float64)
    if weights == "quadratic":
        distance **= 2
    actual, predicted = matrix.sum(-1), matrix.sum(-2)
    by_chance = np.einsum("...i,ij,...j->...", actual, distance, predicted)
    observed = actual.sum(-1) * (matrix * distance).sum((-2, -1))
    return by_chance - observed, by_chance


# Cost and distance of an error.


def expected_cost(matrix: Value, *, cost_matrix: Any) -> Quotient:
    try:
        costs = np.asarray(cost_matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("cost_matrix must hold numbers, in rows of one length.") from None
    n_classes = matrix.shape[-1]
    if costs.shape != (n_classes, n_classes):
        raise ValueError(
            f"cost_matrix has shape {costs.shape}, but there are {n_classes} classes: pass one row an actual "
            "and one column a predicted class, and name all classes in this order with labels=[...]. Costs of each "
            "sample are for ThresholdCurve.expected_cost."
        )
    if not np.isfinite(costs).all():
        raise ValueError("cost_matrix holds NaN or infinity: every cost must be a finite number.")
    return (matrix * costs).sum((-2, -1)), matrix.sum((-2, -1))


def macro_averaged_mean_absolute_error(matrix: Value, *, label_values: Value) -> Quotient:
    distance = np.abs(label_values[:, None] - label_values)
    actual = matrix.sum(-1)
    errors = ratio((matrix * distance).sum(-1), np.where(actual > 0, actual, 1))
    return errors.sum(-1), (actual > 0).sum(-1)


def gerrity(matrix: Value) -> Value:
    n_classes = matrix.shape[-1]
    total = matrix.sum((-2, -1))
    # The odds of lying above each of the K - 1 boundaries between neighbouring classes.
    below = np.cumsum(matrix.sum(-1), axis=-1)[..., :-1]
    above = total[..., None] - below
    odds, inverse_odds = ratio(above, below), ratio(below, above)
    start = np.zeros((*total.shape, 1))
    with np.errstate(invalid="ignore"):
        below_lower = np.concatenate([start, np.cumsum(inverse_odds, axis=-1)], axis=-1)
        above_upper = np.concatenate([np.cumsum(odds[..., ::-1], axis=-1)[..., ::-1], start], axis=-1)
        order = np.arange(n_classes)
        lower, upper = np.minimum(order[:, None], order), np.maximum(order[:, None], order)
        rewards = below_lower[..., lower] + above_upper[..., upper] - (upper - lower)
        values = ratio((matrix * rewards).sum((-2, -1)), total * (n_classes - 1))
    # A boundary with nothing on one side has no odds.
    bounded = ((below > 0) & (above > 0)).all(-1) & (n_classes > 1)
    return np.where(bounded, values, np.nan)


# Information and association in the whole matrix.


def cramers_v(matrix: Value) -> Quotient:
    total = matrix.sum((-2, -1), keepdims=True)
    p = ratio(matrix, np.where(total > 0, total, 1))
    actual, predicted = p.sum(-1), p.sum(-2)
    expected = actual[..., :, None] * predicted[..., None, :]
    deviation = ratio((p - expected) ** 2, np.where(expected > 0, expected, 1)).sum((-2, -1))
    degrees = np.maximum(np.minimum((actual > 0).sum(-1), (predicted > 0).sum(-1)) - 1, 0)
    return np.sqrt(np.where(degrees > 0, deviation, 0)), np.sqrt(degrees)


def mutual_information(matrix: Value) -> Value:
    shared, _, _ = _information(matrix)
    return shared


def normalized_mutual_information(matrix: Value) -> Quotient:
    shared, actual, predicted = _information(matrix)
    return 2 * shared, actual + predicted


def uncertainty_coefficient(matrix: Value) -> Quotient:
    shared, actual, _ = _information(matrix)
    return shared, actual


def confusion_entropy(matrix: Value) -> Value:
    n_classes = matrix.shape[-1]
    if n_classes == 1:
        return np.full(matrix.shape[:-2], np.nan)
    matrix = matrix.astype(np.float64)
    involved = matrix.sum(-1) + matrix.sum(-2)
    errors = np.where(np.eye(n_classes, dtype=bool), 0, matrix)
    involved_or_one = np.where(involved > 0, involved, 1)
    by_actual = special.entr(ratio(errors, involved_or_one[..., :, None]))
    by_predicted = special.entr(ratio(errors, involved_or_one[..., None, :]))
    surprise = (by_actual.sum(-1) + by_predicted.sum(-2)) * involved
    return ratio(surprise.sum(-1), involved.sum(-1) * np.log(2 * (n_classes - 1)))


def _information(matrix: Value) -> tuple[Value, Value, Value]:
    """Mutual information and the entropies of the actual and predicted classes, in nats; NaN without samples."""
    total = matrix.sum((-2, -1))
    p = ratio(matrix, total[..., None, None])
    of_actual, of_predicted = p.sum(-1), p.sum(-2)
    shared = special.rel_entr(p, of_actual[..., :, None] * of_predicted[..., None, :]).sum((-2, -1))
    actual, predicted = special.entr(of_actual).sum(-1), special.entr(of_predicted).sum(-1)
    # Rounding must not take it out of its bounds.
    return np.clip(shared, 0, np.minimum(actual, predicted)), actual, predicted


def _agreement_beyond_chance(margins: Margins) -> tuple[Value, Value, Value]:
    """Row and column sums as floats, and n * trace - sum of row_i * column_i."""
    diagonal, actual, predicted = _floats(margins)
    excess = actual.sum(-1) * diagonal.sum(-1) - (actual * predicted).sum(-1)
    return actual, predicted, excess


def _heterogeneity(sums: Value) -> Any:
    """n**2 - sum of squares, in a form that is exactly 0 when one class has all."""
    return (sums * (sums.sum(-1, keepdims=True) - sums)).sum(-1)


def _floats(margins: Margins) -> Margins:
    """Margins whose products neither overflow nor vanish: integers as floats, floats as shares of all samples."""
    if margins.diagonal.dtype.kind != "f":
        return Margins(*(part.astype(np.float64) for part in margins))
    total = margins.row_sums.sum(-1, keepdims=True)
    return Margins(*(ratio(part, np.where(total > 0, total, 1)) for part in margins))


def shares(matrix: NDArray[Any], of: str) -> Value:
    """A matrix (..., C, C) over its row sums ("true"), column sums ("pred") or total ("all"); empty ones give 0."""
    axis: tuple[int, ...] = {"true": (-1,), "pred": (-2,), "all": (-2, -1)}[of]
    total = matrix.sum(axis, keepdims=True)
    return ratio(matrix, np.where(total == 0, 1, total))
