"""Margins or matrix of all classes -> (numerator, denominator), or a value; a function a metric."""

# Every formula takes float counts with any leading axes, and gives a value for each entry;
# undefined is 0/0. Where the textbook subtracts nearly equal sums, it sums differences, without
# cancellation: n trace - sum row_i col_i is sum tp_i tn_i - fp_i fn_i. Totals lie within 1e-100 and
# 1e100, so that the product of two counts is a float; no formula multiplies more.

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.counts import ClassCounts, Margins, margins_of, sums_of_others
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.formulas.one_class import Quotient, Value, informedness
from skmetrics_ext.reading.arguments import check_flag

# Agreement of all classes.


def accuracy(margins: Margins) -> Quotient:
    return margins.diagonal.sum(-1), margins.row_sums.sum(-1)


def zero_one_loss(margins: Margins) -> Quotient:
    return margins.fn.sum(-1), margins.row_sums.sum(-1)


def no_information_rate(margins: Margins) -> Quotient:
    return margins.row_sums.max(-1), margins.row_sums.sum(-1)


def check_balanced_accuracy(*, adjusted: Any) -> None:
    check_flag(adjusted, "adjusted")


def balanced_accuracy(margins: Margins, *, adjusted: bool = False) -> Quotient:
    occurs = margins.row_sums > 0
    n_classes = occurs.sum(-1)
    recalls = ratio(margins.diagonal, np.where(occurs, margins.row_sums, 1))
    total = recalls.sum(-1)
    if not adjusted:
        return total, n_classes
    return np.where(n_classes > 1, total - 1, 0), np.maximum(n_classes - 1, 0)


def matthews_corrcoef(margins: Margins) -> Value:
    # The geometric mean of the skills in either direction, which have the same sign.
    excess = _agreement_beyond_chance(margins)
    skill_of_predicted = ratio(excess, _heterogeneity(margins.row_sums))
    skill_of_actual = ratio(excess, _heterogeneity(margins.column_sums))
    return np.asarray(np.sign(excess) * np.sqrt(skill_of_predicted * skill_of_actual))


def check_cohen_kappa(*, weights: Any) -> None:
    if weights not in (None, "linear", "quadratic"):
        raise ValueError(
            f"weights must be None, 'linear', 'quadratic' or a table; got {weights!r}."
        )


def cohen_kappa(
    counts: NDArray[Any] | Margins, *, weights: Any = None, label_steps: Any = None
) -> Quotient:
    if weights is not None:
        return _weighted_kappa(counts, weights, label_steps)
    margins = margins_of(counts)
    by_chance = (margins.row_sums * sums_of_others(margins.column_sums)).sum(-1)
    return _agreement_beyond_chance(margins), by_chance


def scott_pi(margins: Margins) -> Quotient:
    return _pooled_agreement_beyond_chance(margins), _heterogeneity(_pooled(margins))


def krippendorff_alpha(margins: Margins) -> Quotient:
    # The correction for small samples, e (1 - po) of the formula.
    bonus = margins.fn.sum(-1) / 2
    # Less than one sample leaves nothing to correct for.
    enough = margins.row_sums.sum(-1) >= 1
    excess = _pooled_agreement_beyond_chance(margins) + bonus
    return np.where(enough, excess, 0), np.where(enough, _heterogeneity(_pooled(margins)), 0)


def gwet_ac1(margins: Margins) -> Quotient:
    total, n_classes = margins.row_sums.sum(-1), margins.row_sums.shape[-1]
    if n_classes == 1:
        return np.zeros_like(total), np.zeros_like(total)
    by_chance = _heterogeneity(_pooled(margins)) / (n_classes - 1)
    return margins.diagonal.sum(-1) * total - by_chance, total**2 - by_chance


def bennett_s(margins: Margins) -> Quotient:
    total, n_classes = margins.row_sums.sum(-1), margins.row_sums.shape[-1]
    return n_classes * margins.diagonal.sum(-1) - total, (n_classes - 1) * total


def peirce_skill(margins: Margins) -> Quotient:
    return _agreement_beyond_chance(margins), _heterogeneity(margins.row_sums)


def quantity_disagreement(margins: Margins) -> Quotient:
    return np.abs(margins.fn - margins.fp).sum(-1), 2 * margins.row_sums.sum(-1)


def allocation_disagreement(margins: Margins) -> Quotient:
    return np.minimum(margins.fn, margins.fp).sum(-1), margins.row_sums.sum(-1)


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
    recalls = ratio(margins.diagonal, np.where(margins.row_sums > 0, margins.row_sums, 1))
    with np.errstate(divide="ignore"):
        values = np.exp(np.log(np.where(recalls == 0, correction, recalls)).mean(-1))
    return np.where(margins.row_sums.any(-1), values, np.nan)


def _weighted_kappa(matrix: Any, weights: Any, label_steps: Any) -> Quotient:
    """Kappa with disagreements weighted by a table, or by the distance of the labels."""
    if isinstance(weights, str):
        places = np.cumsum(_steps(matrix, label_steps)[:-1])
        apart = np.abs(places[:, None] - places).astype(np.float64)
        distance = apart**2 if weights == "quadratic" else apart
    else:
        distance = weights
    actual, predicted = matrix.sum(-1), matrix.sum(-2)
    total = actual.sum(-1, keepdims=True)
    share = ratio(predicted, np.where(total > 0, total, 1))
    by_chance = ((actual @ distance) * share).sum(-1)
    return by_chance - (matrix * distance).sum((-2, -1)), by_chance


# Cost and distance of an error.


def expected_cost(matrix: Value, *, cost_matrix: Any) -> Quotient:
    return (matrix * cost_matrix).sum((-2, -1)), matrix.sum((-2, -1))


def macro_averaged_mean_absolute_error(matrix: Value, *, label_distances: Value) -> Quotient:
    actual = matrix.sum(-1, keepdims=True)
    errors = (ratio(matrix, np.where(actual > 0, actual, 1)) * label_distances).sum(-1)
    return errors.sum(-1), (actual[..., 0] > 0).sum(-1)


def gerrity(matrix: Value, *, label_steps: Any = None) -> Quotient:
    # The mean of the Peirce skill scores of lying above each of the K - 1 boundaries between
    # levels, which equals the sum over the matrix of rewards. A boundary with nothing on one side
    # has no skill.
    below, *between, above = _steps(matrix, label_steps)
    skills = informedness(_above_each_boundary(matrix))
    total = (skills * between).sum(-1)
    return np.where(below or above, np.nan, total), below + sum(between) + above


def _steps(matrix: Value, label_steps: Any) -> NDArray[np.intp]:
    """How many levels each class lies above the one before, the first above the lowest level, and
    the highest level above the last; without a scale each class is a level.
    """
    if label_steps is not None:
        return np.asarray(label_steps)
    n_classes = matrix.shape[-1]
    return np.array([0, *[1] * (n_classes - 1), 0])


def _above_each_boundary(matrix: Value) -> ClassCounts:
    """Counts (..., K - 1) of lying above the boundary between two neighboring classes."""
    up_to_row = matrix.cumsum(-2)
    from_row = matrix[..., ::-1, :].cumsum(-2)[..., ::-1, :]

    def up_to_column(rows: Value, offset: int) -> Value:
        """For each row the sum up to the column at this offset from the diagonal."""
        return np.diagonal(rows.cumsum(-1), offset, -2, -1)

    def from_column(rows: Value, offset: int) -> Value:
        """For each row the sum from the column at this offset from the diagonal."""
        return np.diagonal(rows[..., ::-1].cumsum(-1)[..., ::-1], offset, -2, -1)

    return ClassCounts(
        tp=from_column(from_row, 0)[..., 1:],
        fp=from_column(up_to_row, 1),
        fn=up_to_column(from_row, -1),
        tn=up_to_column(up_to_row, 0)[..., :-1],
    )


# Information and association in the whole matrix.


def cramers_v(matrix: Value) -> Quotient:
    of_actual, of_predicted = matrix.sum(-1, keepdims=True), matrix.sum(-2, keepdims=True)
    of_all = matrix.sum((-2, -1), keepdims=True)
    actual_or_one, predicted_or_one, total_or_one = (
        np.where(part > 0, part, 1) for part in (of_actual, of_predicted, of_all)
    )
    # (p - e)^2 / e with e = a b is (p / a - b) (p / b - a), which does not divide by a product.
    of_row_beyond_chance = ratio(matrix, actual_or_one) - of_predicted / total_or_one
    of_column_beyond_chance = ratio(matrix, predicted_or_one) - of_actual / total_or_one
    deviation = (of_row_beyond_chance * of_column_beyond_chance).sum((-2, -1))
    n_rows, n_columns = (of_actual > 0).sum((-2, -1)), (of_predicted > 0).sum((-2, -1))
    degrees = np.maximum(np.minimum(n_rows, n_columns) - 1, 0)
    association = np.where(degrees > 0, np.clip(deviation, 0, degrees), 0)
    return np.sqrt(association), np.sqrt(degrees)


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
    involved = matrix.sum(-1) + matrix.sum(-2)
    errors = np.where(np.eye(n_classes, dtype=bool), 0, matrix)
    involved_or_one = np.where(involved > 0, involved, 1)
    by_actual = special.entr(ratio(errors, involved_or_one[..., :, None]))
    by_predicted = special.entr(ratio(errors, involved_or_one[..., None, :]))
    surprise = (by_actual.sum(-1) + by_predicted.sum(-2)) * involved
    return ratio(surprise.sum(-1), involved.sum(-1) * np.log(2 * (n_classes - 1)))


def _information(matrix: Value) -> tuple[Value, Value, Value]:
    """Mutual information and the entropies of actual and predicted classes, in nats."""
    # For each cell the rest of its row, of its column, and of the matrix.
    in_row = sums_of_others(matrix)
    in_column, elsewhere = (
        sums_of_others(part.swapaxes(-1, -2)).swapaxes(-1, -2) for part in (matrix, in_row)
    )
    row_sums, column_sums = (
        np.where(part > 0, part, 1) for part in (matrix + in_row, matrix + in_column)
    )
    of_row = ratio(matrix, row_sums)
    p = ratio(matrix, matrix.sum((-2, -1), keepdims=True))
    # p_ij / (a_i b_j) - 1, for log1p; it may overflow.
    with np.errstate(over="ignore", invalid="ignore"):
        excess = of_row * (elsewhere / column_sums) - (in_row / row_sums) * (
            in_column / column_sums
        )
    is_near = np.abs(excess) < 0.5
    near = special.xlog1py(p, np.where(is_near, excess, 0))
    far = special.xlogy(p, of_row) - special.xlogy(p, p.sum(-2, keepdims=True))
    shared = np.where(is_near, near, far).sum((-2, -1))
    actual, predicted = _entropy(matrix.sum(-1)), _entropy(matrix.sum(-2))
    # Rounding must not take it out of its bounds.
    return np.clip(shared, 0, np.minimum(actual, predicted)), actual, predicted


def _entropy(sums: Value) -> Value:
    """Entropy of parts of a sum; if one is nearly all of it, from the remainder."""
    total = sums.sum(-1, keepdims=True)
    p, rest = ratio(sums, total), ratio(sums_of_others(sums), total)
    is_large = p > 0.5
    of_large = -special.xlog1py(p, -np.where(is_large, rest, 0))
    return np.asarray(np.where(is_large, of_large, special.entr(p)).sum(-1))


def _agreement_beyond_chance(margins: Margins) -> Value:
    """n * trace - sum of row_i * column_i."""
    tp, fp, fn, tn = margins
    return np.asarray((tp * tn - fp * fn).sum(-1))


def _pooled_agreement_beyond_chance(margins: Margins) -> Value:
    """n * trace - sum of pooled_i**2."""
    tp, fp, fn, tn = margins
    return np.asarray((tp * tn - ((fp + fn) / 2) ** 2).sum(-1))


def _pooled(margins: Margins) -> Value:
    """The class distribution pooled over both sides."""
    return np.asarray((margins.row_sums + margins.column_sums) / 2)


def _heterogeneity(sums: Value) -> Value:
    """n**2 - sum of squares, in a form that is exactly 0 if one class has all samples."""
    return np.asarray((sums * sums_of_others(sums)).sum(-1))


def shares(matrix: NDArray[Any], of: str) -> Value:
    """A matrix (..., C, C) over its row sums, column sums or total; empty ones give 0."""
    axis: tuple[int, ...] = {"true": (-1,), "pred": (-2,), "all": (-2, -1)}[of]
    total = matrix.sum(axis, keepdims=True)
    return ratio(matrix, np.where(total == 0, 1, total))
