"""Codes -> counts: confusion matrices, their margins, and one-vs-rest class counts."""

import math
import os
from collections.abc import Sequence
from functools import cache, reduce
from operator import iadd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.reading.labels import BLOCK, FEW_SAMPLES, blocks, code_dtype
from skmetrics_ext.reading.numbers import check_total
from skmetrics_ext.reading.pairs import Encoded, Indicators

Matrix = NDArray[Any]


class ClassCounts(NamedTuple):
    """True and false positives and negatives: of every class against the rest, or of one class.

    Attributes
    ----------
    tp, fp, fn, tn : ndarray or number
        From `ConfusionMatrix.class_counts` of shape (..., n_classes), from `ThresholdCurve.counts`
        (n_thresholds,), from a curve's best threshold scalars; float weights give float counts.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> counts = ConfusionMatrix.from_counts([[8, 2], [1, 9]], labels=["no", "yes"]).class_counts
    >>> counts.tp, counts.fn
    (array([8, 9]), array([2, 1]))
    """

    tp: NDArray[Any]
    fp: NDArray[Any]
    fn: NDArray[Any]
    tn: NDArray[Any]


class Margins(ClassCounts):
    """The class counts of all classes, by diagonal, row and column sums of a matrix."""

    __slots__ = ()

    @property
    def diagonal(self) -> NDArray[Any]:
        """The correct predictions of each class."""
        return self.tp

    @property
    def row_sums(self) -> Any:
        """The actual samples of each class."""
        return self.tp + self.fn

    @property
    def column_sums(self) -> Any:
        """The samples that were predicted as each class."""
        return self.tp + self.fp


Counts = Matrix | ClassCounts

# With so many samples per cell, counting cells is faster than each margin.
SAMPLES_A_CELL = 4
# Up to so many classes float weights are counted in a matrix, without differences.
MATRIX_IS_CHEAP = 64
# Up to so many classes a product with zeros and ones is faster than cumulative sums.
FEW_CLASSES = 16

# So many floats stay in the cache, and start no threads of BLAS, which cost more than they save.
CELLS = 1 << 17

# The values of a byte: the cells of 16 codes.
BYTE = 1 << 8
# Samples in a block of pairs, each a pass over all pairs of cells. Even, to split no pair.
PAIRED_SAMPLES = 1 << 18

Sums = Sequence[NDArray[Any]]


def count_matrix(encoded: Encoded, group: NDArray[Any] | None = None, n_groups: int = 1) -> Matrix:
    """Confusion matrix (n_codes, n_codes), or (n_groups, n_codes, n_codes) by group codes."""
    n_codes = encoded.n_codes
    if group is None and len(encoded.true) <= FEW_SAMPLES:
        cell = encoded.true * np.intp(n_codes) + encoded.pred
        matrix = _bincount(cell, encoded.weights, n_codes**2)
        # In place: a view would be copied before it is frozen.
        matrix.resize(n_codes, n_codes)
        return matrix
    shape = (n_codes, n_codes) if group is None else (n_groups, n_codes, n_codes)
    if group is None and n_codes == 2 and encoded.weights is None:
        tn, fp, fn, tp = _count_two_classes(encoded.true, encoded.pred)
        return np.array([[tn, fp], [fn, tp]])
    n_cells = math.prod(shape)
    cells_are_bytes = group is None and encoded.weights is None and n_cells <= BYTE
    if cells_are_bytes and max(n_cells * BYTE, BLOCK) <= len(encoded.true):
        return _count_pairs(encoded.true, encoded.pred, n_codes)

    # Codes of few classes are narrow, too.
    dtype = code_dtype(n_codes**2) if n_codes <= BYTE else np.intp

    def count(block: slice) -> Matrix:
        """The cells of a block of samples."""
        cell_of_labels = encoded.true[block].astype(dtype)
        cell_of_labels *= n_codes
        cell_of_labels += encoded.pred[block].astype(dtype, copy=False)
        if group is None:
            cell = cell_of_labels
        else:
            cell = np.multiply(group[block], n_codes**2, dtype=np.intp)
            cell += cell_of_labels
        return _bincount(cell, None if encoded.weights is None else encoded.weights[block], n_cells)

    # Each block costs a pass over all cells.
    cells: NDArray[Any] = reduce(
        iadd, map(count, blocks(len(encoded.true), max(2 * n_cells, BLOCK)))
    )
    cells.resize(shape)
    return cells


def count_margins(encoded: Encoded) -> Margins:
    """Margins (n_codes,) in O(n_samples + n_codes): a matrix only if it is small.

    No sum of weights is a difference, which would lose small ones, but true negatives of many
    classes: exactly 0 if there are none.
    """
    weights, n_codes = encoded.weights, encoded.n_codes
    if n_codes == 2 and weights is None:
        tn, fp, fn, tp = _count_two_classes(encoded.true, encoded.pred)
        return Margins(
            np.array([tn, tp]), np.array([fn, fp]), np.array([fp, fn]), np.array([tp, tn])
        )
    is_float = weights is not None and weights.dtype.kind == "f"
    has_small_matrix = SAMPLES_A_CELL * n_codes**2 <= len(encoded.true)
    if has_small_matrix or (is_float and n_codes <= MATRIX_IS_CHEAP):
        return margins_of(count_matrix(encoded))
    return _count_margins_apart(encoded) if is_float else _count_margins_by_difference(encoded)


def count_classes(encoded: Encoded) -> Margins:
    """One-vs-rest counts (n_labels,) of the labels in the order."""
    margins, n_labels = count_margins(encoded), len(encoded.labels)
    if n_labels == encoded.n_codes:
        return margins
    return Margins(*(part[:n_labels] for part in margins))


def count_indicators(indicators: Indicators) -> ClassCounts:
    """Counts (n_labels,) of every label column of multilabel data.

    Those not stored in sparse columns are a difference: exact to the rounding of all float weights,
    and exactly 0 if there are none.
    """
    true, pred, weights = indicators.true, indicators.pred, indicators.weights
    if weights is not None and not sparse.issparse(true):
        return _count_dense_columns(true, pred, weights)
    if weights is not None and weights.dtype.kind == "f":
        tp, fp, fn = (
            _column_sums(x, weights) for x in (_both(true, pred), pred > true, true > pred)
        )
        return ClassCounts(tp, fp, fn, _untouched(true + pred, weights))
    total = true.shape[0] if weights is None else weights.sum()
    actual, predicted = _column_sums(true, weights), _column_sums(pred, weights)
    tp = _column_sums(_both(true, pred), weights)
    return ClassCounts(*_with_rest(tp, predicted - tp, actual - tp, total))


def count_samples(indicators: Indicators) -> ClassCounts:
    """Counts (n_samples,) over the labels of each sample, in place of classes.

    A sample of weight 0 has no counts, so undefined values stay undefined.
    """
    true, pred, weights = indicators.true, indicators.pred, indicators.weights
    tp, actual, predicted = (
        np.asarray(x.sum(axis=1, dtype=np.int64)) for x in (_both(true, pred), true, pred)
    )
    counts = ClassCounts(*_with_rest(tp, predicted - tp, actual - tp, true.shape[1]))
    if weights is None:
        return counts
    return ClassCounts(*(np.where(weights > 0, part, 0) for part in counts))


def count_exact_samples(indicators: Indicators) -> Margins:
    """Subset accuracy: one class, whose diagonal has the samples with all labels correct."""
    samples = count_samples(indicators)
    exact = (samples.fp + samples.fn) == 0
    weights = (
        np.ones(len(exact), dtype=np.int64) if indicators.weights is None else indicators.weights
    )
    right, wrong = (weights[chosen].sum(keepdims=True) for chosen in (exact, ~exact))
    return Margins(right, wrong, wrong, np.zeros_like(right))


def margins_of(counts: Matrix | Margins) -> Margins:
    """Margins of a matrix (..., C, C), without subtracting floats."""
    if isinstance(counts, Margins):
        return counts
    tp = counts.diagonal(axis1=-2, axis2=-1)
    if counts.dtype.kind != "f":
        return margins_of_sums(tp, np.add.reduce(counts, -1), np.add.reduce(counts, -2))
    elsewhere = ~np.eye(counts.shape[-1], dtype=bool)
    errors = np.where(elsewhere, counts, 0)
    # Each row without the column's cell, summed over other classes.
    of_others = counts @ elsewhere if len(elsewhere) <= FEW_CLASSES else sums_of_others(counts)
    tn = np.where(elsewhere, of_others, 0).sum(-2)
    return Margins(tp, errors.sum(-2), errors.sum(-1), tn)


def margins_of_sums(right: NDArray[Any], actual: NDArray[Any], predicted: NDArray[Any]) -> Margins:
    """Margins of integer matrices from their sums (..., n_classes)."""
    n = np.add.reduce(actual, -1, keepdims=True)
    return _with_rest(right, predicted - right, actual - right, n)


def in_numbers(counts: Any, weight_of_one: Any) -> Any:
    """Counts as numbers of samples, of which one has such a weight in each entry (...)."""
    if isinstance(counts, ClassCounts):
        weight = np.expand_dims(weight_of_one, -1)
        return type(counts)(*(part / weight for part in counts))
    return counts / np.expand_dims(weight_of_one, (-2, -1))


def as_floats(counts: Any) -> Any:
    """Counts as floats, which do not overflow like integers."""
    if isinstance(counts, ClassCounts):
        return type(counts)(*[np.asarray(part, dtype=np.float64) for part in counts])
    return np.asarray(counts, dtype=np.float64)


def sums_of_others(parts: NDArray[Any]) -> NDArray[Any]:
    """For each entry of the last axis the sum of all others, without differences."""
    if parts.shape[-1] == 2:
        return parts[..., ::-1]
    before, after = np.zeros_like(parts), np.zeros_like(parts)
    np.cumsum(parts[..., :-1], axis=-1, out=before[..., 1:])
    np.cumsum(parts[..., :0:-1], axis=-1, out=after[..., -2::-1])
    before += after
    return before


def two_by_two(counts: ClassCounts) -> Matrix:
    """One matrix per class, (..., n_classes, 2, 2): actual by predicted, the rest first."""
    tp, fp, fn, tn = counts
    return np.stack([np.stack([tn, fp], -1), np.stack([fn, tp], -1)], -2)


def _count_two_classes(true: NDArray[Any], pred: NDArray[Any]) -> tuple[int, int, int, int]:
    """tn, fp, fn and tp of the codes 0 and 1, by three sums."""
    actual = predicted = both = 0
    for block in blocks(len(true)):
        actual_block, predicted_block = true[block], pred[block]
        actual += int(np.count_nonzero(actual_block))
        predicted += int(np.count_nonzero(predicted_block))
        both += int(np.count_nonzero(actual_block & predicted_block))
    return len(true) - actual - predicted + both, predicted - both, actual - both, both


def _count_pairs(true: NDArray[Any], pred: NDArray[Any], n_codes: int) -> Matrix:
    """Few classes, two samples at a time: two bytes are one number, the code of two cells.

    The order of the bytes depends on the machine, their sum does not.
    """
    n_cells, n_paired = n_codes**2, len(true) // 2 * 2

    def count(block: slice) -> Matrix:
        """The pairs of cells of a block of samples."""
        cell = true[:n_paired][block].astype(np.uint8)
        cell *= n_codes
        cell += pred[:n_paired][block].astype(np.uint8, copy=False)
        return np.bincount(cell.view(np.uint16), minlength=n_cells * BYTE)

    pairs = reduce(iadd, map(count, blocks(n_paired, PAIRED_SAMPLES))).reshape(n_cells, BYTE)
    matrix: Matrix = (pairs.sum(1) + pairs.sum(0)[:n_cells]).reshape(n_codes, n_codes)
    if n_paired < len(true):
        matrix[true[-1], pred[-1]] += 1
    return matrix


def _count_margins_by_difference(encoded: Encoded) -> Margins:
    """Margins of integers, which subtract exactly and faster."""
    true, pred, weights, n_codes = encoded.true, encoded.pred, encoded.weights, encoded.n_codes

    def count(block: slice) -> Sums:
        """The diagonal, row and column sums of a block of samples."""
        actual, predicted = true[block], pred[block]
        weight = None if weights is None else weights[block]
        right = _bincount(actual, weight, n_codes, actual == predicted)
        return right, _bincount(actual, weight, n_codes), _bincount(predicted, weight, n_codes)

    tp, actual, predicted = reduce(_added, map(count, blocks(len(true), max(4 * n_codes, BLOCK))))
    total = len(true) if weights is None else weights.sum()
    return _with_rest(tp, predicted - tp, actual - tp, total)


def _count_margins_apart(encoded: Encoded) -> Margins:
    """Margins of many classes with float weights: right and wrong ones are summed apart."""
    true, pred, n_codes = encoded.true, encoded.pred, encoded.n_codes
    weights: Matrix = np.asarray(encoded.weights)

    def count(block: slice) -> Sums:
        """The diagonal, and the errors of each column and row, of a block of samples."""
        actual, predicted, weight = true[block], pred[block], weights[block]
        right = actual == predicted
        # Positions select faster than booleans.
        wrong = np.flatnonzero(~right)
        of_wrong = weight.take(wrong)
        errors = (_bincount(codes.take(wrong), of_wrong, n_codes) for codes in (predicted, actual))
        return _bincount(actual, weight * right.astype(np.float64), n_codes), *errors

    tp, fp, fn = reduce(_added, map(count, blocks(len(true), max(4 * n_codes, BLOCK))))
    right_elsewhere = sums_of_others(tp)
    tn = right_elsewhere + np.maximum(sums_of_others(fn) - fp, 0)
    if not right_elsewhere.all():
        # Only a class without correct others may have no true negatives, exactly.
        occurs = _count_margins_by_difference(
            encoded._replace(weights=(weights > 0).astype(np.int64))
        )
        tn = np.where(occurs.tn == 0, 0, tn)
    return Margins(tp, fp, fn, tn)


def _count_dense_columns(
    true: NDArray[np.bool_], pred: NDArray[np.bool_], weights: NDArray[Any]
) -> ClassCounts:
    """The weights of the four cells of each column, summed apart; integers are exact, too."""

    def count(block: slice) -> Sums:
        """The four sums of a block, as products of floats, by fast BLAS."""
        actual, predicted = true[block], pred[block]
        weight = weights[block].astype(np.float64, copy=False)
        cells = actual & predicted, predicted > actual, actual > predicted, ~(actual | predicted)
        return [weight @ cell.astype(np.float64) for cell in cells]

    sums = reduce(_added, map(count, blocks(len(true), max(CELLS // true.shape[1], 1))))
    return ClassCounts(*(part.astype(weights.dtype, copy=False) for part in sums))


def _added(total: Sums, further: Sums) -> Sums:
    """The sums of two blocks, in place in the first."""
    for one, other in zip(total, further, strict=True):
        one += other
    return total


def _bincount(
    codes: NDArray[Any],
    weights: NDArray[Any] | None,
    n: int,
    where: NDArray[np.bool_] | None = None,
) -> NDArray[Any]:
    """Counts of a block, in the dtype of weights; bincount's float64 is exact below 2**53."""
    if where is not None:
        # Faster than an index of booleans.
        codes = codes.compress(where)
        weights = None if weights is None else weights.compress(where)
    if weights is None:
        return np.bincount(codes, minlength=n)
    return np.bincount(codes, weights, minlength=n).astype(weights.dtype, copy=False)


def _with_rest(tp: Any, fp: Any, fn: Any, total: Any) -> Margins:
    """True negatives as a difference, exact for integers."""
    return Margins(tp, fp, fn, total - tp - fp - fn)


def _untouched(touched: Any, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of the samples not stored in a sparse column."""
    n_others = np.count_nonzero(weights) - (weights > 0).astype(np.int64) @ touched
    return np.where(n_others == 0, 0, np.maximum(weights.sum() - weights @ touched, 0))


def _both(true: Any, pred: Any) -> Any:
    """Where a label is true and predicted."""
    return true.multiply(pred) if isinstance(true, sparse.csr_array) else true & pred


def _column_sums(x: Any, weights: NDArray[Any] | None) -> NDArray[Any]:
    """The count of True in each column, or its weight in sparse ones."""
    return np.asarray(x.sum(axis=0, dtype=np.int64) if weights is None else weights @ x)


def dense_matrix(encoded: Encoded, group: NDArray[Any] | None = None, n_groups: int = 1) -> Matrix:
    """`count_matrix`, or an error that names metrics that need no matrix.

    More than all memory is refused first: systems that overcommit would end the process.
    """
    n_bytes = 8 * n_groups * encoded.n_codes**2
    try:
        if n_bytes > _memory():
            raise MemoryError
        matrix = count_matrix(encoded, group, n_groups)
    except MemoryError:
        matrices = (
            "a confusion matrix"
            if n_groups == 1
            else f"{n_groups} confusion matrices, one per group,"
        )
        raise MemoryError(
            f"{matrices} of {encoded.n_codes} classes would need {n_bytes / 2**30:.4g} GiB. "
            "One-vs-rest metrics, such as precision_score, recall_score, f1_score and "
            "specificity_score, and accuracy_score, balanced_accuracy_score, matthews_corrcoef and "
            "cohen_kappa_score are computed without one."
        ) from None
    if group is not None and matrix.dtype.kind == "f":
        check_total(matrix.sum((-2, -1)), "sample_weight")
    return matrix


@cache
def _memory() -> float:
    """The memory of the machine in bytes, infinite if unknown."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return math.inf


def count_labels_by_group(indicators: Indicators, group: NDArray[Any], n_groups: int) -> Matrix:
    """One 2 x 2 matrix per label and group, (n_groups, n_labels, 2, 2)."""
    if sparse.issparse(indicators.true):
        return two_by_two(_count_sparse(indicators, group, n_groups))
    true, pred, weights = indicators.true, indicators.pred, indicators.weights
    n_labels = true.shape[1]
    n_cells = 4 * n_labels * n_groups
    first_cells = 4 * np.arange(n_labels)

    def count(block: slice) -> Matrix:
        """The cells of a block of samples."""
        cell = 4 * n_labels * group[block].astype(np.intp)[:, None] + first_cells
        cell += 2 * true[block].astype(np.intp)
        cell += pred[block]
        if weights is None:
            return np.bincount(cell.ravel(), minlength=n_cells)
        return np.bincount(cell.ravel(), np.repeat(weights[block], n_labels), minlength=n_cells)

    # A block costs a pass over all cells.
    rows = max(CELLS // n_labels, 4 * n_groups, 1)
    cells: Matrix = reduce(iadd, map(count, blocks(len(true), rows)))
    return cells.reshape(n_groups, n_labels, 2, 2).astype(
        np.int64 if weights is None else weights.dtype, copy=False
    )


def _count_sparse(indicators: Indicators, group: NDArray[Any], n_groups: int) -> ClassCounts:
    """Counts (n_groups, n_labels), by products with the group membership of the samples.

    Those not stored in sparse columns are a difference: exact to the rounding of all float weights,
    and exactly 0 if there are none.
    """
    true, pred = indicators.true, indicators.pred
    weights = (
        np.ones(len(group), dtype=np.int64) if indicators.weights is None else indicators.weights
    )

    def sums(columns: Any, weights: NDArray[Any]) -> NDArray[Any]:
        """The weighted sum of each column in each group."""
        members = sparse.csr_array(
            (weights, (group, np.arange(len(group)))), shape=(n_groups, len(group))
        )
        return np.asarray((members @ columns).toarray())

    def sums_of_untouched(weights: NDArray[Any]) -> NDArray[Any]:
        """The weight in each group of the samples not stored in each column."""
        everything = sparse.csr_array(np.ones((len(group), 1), dtype=np.int64))
        return np.asarray(sums(everything, weights) - sums(true + pred, weights))

    tp, fp, fn = (
        sums(columns, weights) for columns in (true.multiply(pred), pred > true, true > pred)
    )
    tn = sums_of_untouched(weights)
    if weights.dtype.kind == "f":
        n_untouched = sums_of_untouched((weights > 0).astype(np.int64))
        tn = np.where(n_untouched == 0, 0, np.maximum(tn, 0))
    return ClassCounts(tp, fp, fn, tn)
