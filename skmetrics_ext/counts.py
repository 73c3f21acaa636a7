"""Codes -> counts: confusion matrices, their margins, and one-vs-rest class counts."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.labels import BLOCK, Encoded, Indicators, blocks

Matrix = NDArray[Any]


class ClassCounts(NamedTuple):
    """One-vs-rest counts of every class, each of shape (..., n_classes)."""

    tp: NDArray[Any]
    fp: NDArray[Any]
    fn: NDArray[Any]
    tn: NDArray[Any]


class Margins(NamedTuple):
    """Diagonal, row sums (actual) and column sums (predicted) of a confusion matrix, each (..., n_classes)."""

    diagonal: NDArray[Any]
    row_sums: NDArray[Any]
    column_sums: NDArray[Any]


Counts = Matrix | Margins | ClassCounts

# Up to so many classes one count of all cells costs less than one of each margin.
MATRIX_IS_CHEAP = 64


def count_matrix(encoded: Encoded, group: NDArray[Any] | None = None, n_groups: int = 1) -> Matrix:
    """Confusion matrix (n_codes, n_codes), or (n_groups, n_codes, n_codes) by a code of groups."""
    n_codes = encoded.n_codes
    shape = (n_codes, n_codes) if group is None else (n_groups, n_codes, n_codes)
    if group is None and n_codes == 2 and encoded.weights is None:
        return matrix_of_two(count_margins(encoded))
    n_cells = int(np.prod(shape))
    cells: NDArray[Any] = np.zeros(n_cells, dtype=_dtype(encoded.weights))
    # A large matrix is worth larger blocks: each block costs a pass over all cells.
    for block in blocks(len(encoded.true), max(n_cells, BLOCK)):
        cell = encoded.true[block].astype(np.intp)
        if group is not None:
            cell += group[block].astype(np.intp) * n_codes
        cell *= n_codes
        np.add(cell, encoded.pred[block], out=cell, casting="unsafe")
        cells += _bincount(cell, encoded.weights, block, n_cells)
    return cells.reshape(shape)


def count_margins(encoded: Encoded) -> Margins:
    """Margins (n_codes,) in O(n_samples + n_codes): a matrix only where it is small."""
    true, pred, weights, n_codes = encoded.true, encoded.pred, encoded.weights, encoded.n_codes
    if n_codes == 2 and weights is None:
        return _count_two_classes(true, pred)
    if n_codes <= MATRIX_IS_CHEAP:
        return margins_of(count_matrix(encoded))
    margins: NDArray[Any] = np.zeros((3, n_codes), dtype=_dtype(weights))
    for block in blocks(len(true), max(n_codes, BLOCK)):
        actual, predicted = true[block], pred[block]
        margins[1] += _bincount(actual, weights, block, n_codes)
        margins[2] += _bincount(predicted, weights, block, n_codes)
        right = np.where(actual == predicted, actual, n_codes)
        margins[0] += _bincount(right, weights, block, n_codes + 1)[:n_codes]
    return Margins(*margins)


def count_classes(encoded: Encoded) -> ClassCounts:
    """One-vs-rest counts (n_labels,) of the labels in the order."""
    cheap = encoded.n_codes <= MATRIX_IS_CHEAP
    counts = classes_of_count(
        encoded, count_matrix(encoded) if _is_float(encoded) and cheap else count_margins(encoded)
    )
    n_labels = len(encoded.labels)
    return counts if encoded.n_codes == n_labels else ClassCounts(*(part[:n_labels] for part in counts))


def classes_of_count(encoded: Encoded, counts: Matrix | Margins) -> ClassCounts:
    """Class counts (n_codes,) of a matrix or of margins that have been counted."""
    classes = classes_of(counts)
    if isinstance(counts, Margins) and _is_float(encoded):
        occurs = encoded._replace(weights=np.greater(encoded.weights, 0))  # type: ignore[arg-type]
        classes = _without_rounding(classes, classes_of(count_margins(occurs)))
    return classes


def count_indicators(indicators: Indicators) -> ClassCounts:
    """Counts (n_labels,) of every label column of multilabel data."""
    true, pred, weights = indicators.true, indicators.pred, indicators.weights
    total = true.shape[0] if weights is None else weights.sum()
    actual, predicted = _column_sums(true, weights), _column_sums(pred, weights)
    tp = _column_sums(_both(true, pred), weights)
    counts = _from_totals(tp, actual, predicted, np.full(len(tp), total))
    if weights is not None and weights.dtype.kind == "f":
        occurs = indicators._replace(weights=(weights > 0).astype(np.int64))
        counts = _without_rounding(counts, count_indicators(occurs))
    return counts


def count_samples(indicators: Indicators) -> ClassCounts:
    """Counts (n_samples,) over the labels of each sample: the sample axis stands where classes do.

    A sample of weight 0 has no counts, so that what is undefined without it stays so.
    """
    true, pred, weights = indicators.true, indicators.pred, indicators.weights
    tp, actual, predicted = (_row_sums(x) for x in (_both(true, pred), true, pred))
    counts = _from_totals(tp, actual, predicted, np.full(len(tp), true.shape[1]))
    return counts if weights is None else ClassCounts(*(np.where(weights > 0, part, 0) for part in counts))


def count_exact_samples(indicators: Indicators) -> Margins:
    """Subset accuracy: one class, whose diagonal counts the samples with every label right."""
    samples = count_samples(indicators)
    exact = (samples.fp + samples.fn) == 0
    weights = np.ones(len(exact), dtype=np.int64) if indicators.weights is None else indicators.weights
    total = weights.sum(keepdims=True)
    return Margins(weights[exact].sum(keepdims=True), total, total)


def margins_of(counts: Matrix | Margins) -> Margins:
    """Margins of a matrix (..., C, C)."""
    if isinstance(counts, Margins):
        return counts
    return Margins(np.diagonal(counts, axis1=-2, axis2=-1), counts.sum(-1), counts.sum(-2))


def classes_of(counts: Counts) -> ClassCounts:
    """Class counts of a matrix or of margins: tp from the diagonal, the rest by subtraction."""
    if isinstance(counts, ClassCounts):
        return counts
    tp, actual, predicted = margins_of(counts)
    classes = _from_totals(tp, actual, predicted, actual.sum(-1, keepdims=True))
    if isinstance(counts, np.ndarray) and counts.dtype.kind == "f":
        classes = _without_rounding(classes, classes_of((counts > 0).astype(np.int64)))
    return classes


def matrix_of_two(margins: Margins) -> Matrix:
    """With two classes the margins determine the matrix."""
    tp, actual, _ = margins
    wrong = actual - tp
    return np.array([[tp[0], wrong[0]], [wrong[1], tp[1]]])


def two_by_two(counts: ClassCounts) -> Matrix:
    """One matrix a class: (..., n_classes, 2, 2), rows actual and columns predicted, the rest before the class."""
    tp, fp, fn, tn = counts
    return np.stack([np.stack([tn, fp], -1), np.stack([fn, tp], -1)], -2)


def _count_two_classes(true: NDArray[Any], pred: NDArray[Any]) -> Margins:
    """Codes 0 and 1: three sums instead of a count per cell."""
    actual = predicted = both = 0
    for block in blocks(len(true)):
        actual_block, predicted_block = true[block], pred[block]
        actual += int(np.count_nonzero(actual_block))
        predicted += int(np.count_nonzero(predicted_block))
        both += int(np.count_nonzero(actual_block & predicted_block))
    n_samples = len(true)
    return Margins(
        np.array([n_samples - actual - predicted + both, both]),
        np.array([n_samples - actual, actual]),
        np.array([n_samples - predicted, predicted]),
    )


def _is_float(encoded: Encoded) -> bool:
    """Whether counts are sums of weights, which round."""
    return encoded.weights is not None and encoded.weights.dtype.kind == "f"


def _dtype(weights: NDArray[Any] | None) -> type:
    """Counts are exact integers unless the weights are not."""
    return np.float64 if weights is not None and weights.dtype.kind == "f" else np.int64


def _bincount(codes: NDArray[Any], weights: NDArray[Any] | None, block: slice, n: int) -> NDArray[Any]:
    """Counts of one block in the dtype of the sum; NumPy's weighted bincount is float64, exact below 2**53."""
    if weights is None:
        return np.bincount(codes, minlength=n)
    return np.bincount(codes, weights[block], minlength=n).astype(_dtype(weights), copy=False)


def _from_totals(tp: Any, actual: Any, predicted: Any, total: Any) -> ClassCounts:
    """The four counts from tp and the three totals."""
    fp = predicted - tp
    return ClassCounts(tp, fp, actual - tp, total - actual - fp)


def _without_rounding(counts: ClassCounts, occurrences: ClassCounts) -> ClassCounts:
    """Set to 0 what is 0 but for the rounding of float sums, or 0/0 would pass for a ratio.

    `occurrences` are the counts of the same data in integers, so their zeros are exact.
    """
    return ClassCounts(
        *(np.where(occurs == 0, 0.0, np.maximum(part, 0.0)) for part, occurs in zip(counts, occurrences, strict=True))
    )


def _both(true: Any, pred: Any) -> Any:
    """Where a label is true and predicted."""
    return true.multiply(pred) if isinstance(true, sparse.csr_array) else true & pred


def _column_sums(x: Any, weights: NDArray[Any] | None) -> NDArray[Any]:
    """Weighted count of True in each column."""
    if weights is None:
        return np.asarray(x.sum(axis=0, dtype=np.int64))
    if sparse.issparse(x):
        return np.asarray(weights @ x)
    # NumPy would make one float of each bit.
    return np.asarray(sum(weights[block] @ x[block] for block in blocks(len(x))))


def _row_sums(x: Any) -> NDArray[Any]:
    """Count of True in each row."""
    return np.asarray(x.sum(axis=1, dtype=np.int64))
