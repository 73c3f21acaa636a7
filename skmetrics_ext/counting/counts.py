"""Codes -> counts: confusion matrices, their margins, and one-vs-rest class counts."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.reading.labels import BLOCK, blocks
from skmetrics_ext.reading.pairs import Encoded, Indicators

Matrix = NDArray[Any]


class ClassCounts(NamedTuple):
    """One-vs-rest counts of every class, each of shape (..., n_classes)."""

    tp: NDArray[Any]
    fp: NDArray[Any]
    fn: NDArray[Any]
    tn: NDArray[Any]


class Margins(ClassCounts):
    """The class counts of all classes of a confusion matrix: what its diagonal, row and column sums tell."""

    __slots__ = ()

    @property
    def diagonal(self) -> NDArray[Any]:
        """The right predictions of each class."""
        return self.tp

    @property
    def row_sums(self) -> Any:
        """The samples that are of each class."""
        return self.tp + self.fn

    @property
    def column_sums(self) -> Any:
        """The samples that were predicted as each class."""
        return self.tp + self.fp


Counts = Matrix | ClassCounts

# Up to so many classes one count of all cells costs less than one of each margin.
MATRIX_IS_CHEAP = 64


def count_matrix(encoded: Encoded, group: NDArray[Any] | None = None, n_groups: int = 1) -> Matrix:
    """Confusion matrix (n_codes, n_codes), or (n_groups, n_codes, n_codes) by a code of groups."""
    n_codes = encoded.n_codes
    shape = (n_codes, n_codes) if group is None else (n_groups, n_codes, n_codes)
    if group is None and n_codes == 2 and encoded.weights is None:
        return matrix_of_two(count_margins(encoded))
    n_cells = math.prod(shape)
    cells: NDArray[Any] = np.zeros(n_cells, dtype=_dtype(encoded.weights))
    # A large matrix is worth larger blocks: each block costs a pass over all cells.
    for block in blocks(len(encoded.true), max(n_cells, BLOCK)):
        cell = encoded.true[block].astype(np.intp)
        if group is not None:
            cell += group[block].astype(np.intp) * n_codes
        cell *= n_codes
        np.add(cell, encoded.pred[block], out=cell, casting="unsafe")
        cells += _bincount(cell, None if encoded.weights is None else encoded.weights[block], n_cells)
    return cells.reshape(shape)


def count_margins(encoded: Encoded) -> Margins:
    """Margins (n_codes,) in O(n_samples + n_codes): a matrix only where it is small.

    No sum of weights is a difference of two others, which would lose a small one beside a large one,
    but for the true negatives of many classes with float weights: they are what the errors in other
    rows leave of the errors in the class's column, exact to the rounding of all errors; where there
    are none they are exactly 0.
    """
    true, pred, weights, n_codes = encoded.true, encoded.pred, encoded.weights, encoded.n_codes
    if n_codes == 2 and weights is None:
        return _count_two_classes(true, pred)
    if n_codes <= MATRIX_IS_CHEAP:
        return margins_of(count_matrix(encoded))
    is_float = weights is not None and weights.dtype.kind == "f"
    parts: NDArray[Any] = np.zeros((3, n_codes), dtype=_dtype(weights))
    tp, fp, fn = parts
    for block in blocks(len(true), max(n_codes, BLOCK)):
        actual, predicted = true[block], pred[block]
        weight = None if weights is None else weights[block]
        right = actual == predicted
        wrong = ~right if is_float else None
        tp += _bincount(actual, weight, n_codes, right)
        fp += _bincount(predicted, weight, n_codes, wrong)
        fn += _bincount(actual, weight, n_codes, wrong)
    if not is_float:
        # Integers subtract exactly, which is faster than to part the samples.
        fp -= tp
        fn -= tp
        return _with_rest(tp, fp, fn, tp.sum() + fn.sum())
    tn = sums_of_others(tp) + np.maximum(sums_of_others(fn) - fp, 0)
    occurs = count_margins(encoded._replace(weights=np.greater(weights, 0).astype(np.int64)))  # type: ignore[arg-type]
    return Margins(tp, fp, fn, np.where(occurs.tn == 0, 0, tn))


def count_classes(encoded: Encoded) -> ClassCounts:
    """One-vs-rest counts (n_labels,) of the labels in the order."""
    return ClassCounts(*(part[: len(encoded.labels)] for part in count_margins(encoded)))


def count_indicators(indicators: Indicators) -> ClassCounts:
    """Counts (n_labels,) of every label column of multilabel data.

    Those that sparse columns do not touch are a difference: exact to the rounding of all float weights,
    and exactly 0 where there are none.
    """
    true, pred, weights = indicators.true, indicators.pred, indicators.weights
    if weights is not None and weights.dtype.kind == "f":
        is_sparse = sparse.issparse(true)
        only_true, only_pred = (true > pred, pred > true) if is_sparse else (true & ~pred, pred & ~true)
        tp, fp, fn = (_column_sums(x, weights) for x in (_both(true, pred), only_pred, only_true))
        tn = _untouched(true + pred, weights) if is_sparse else _column_sums(~(true | pred), weights)
        return ClassCounts(tp, fp, fn, tn)
    total = true.shape[0] if weights is None else weights.sum()
    actual, predicted = _column_sums(true, weights), _column_sums(pred, weights)
    tp = _column_sums(_both(true, pred), weights)
    return ClassCounts(*_with_rest(tp, predicted - tp, actual - tp, total))


def count_samples(indicators: Indicators) -> ClassCounts:
    """Counts (n_samples,) over the labels of each sample: the sample axis stands where classes do.

    A sample of weight 0 has no counts, so that what is undefined without it stays so.
    """
    true, pred, weights = indicators.true, indicators.pred, indicators.weights
    tp, actual, predicted = (_row_sums(x) for x in (_both(true, pred), true, pred))
    counts = ClassCounts(*_with_rest(tp, predicted - tp, actual - tp, true.shape[1]))
    return counts if weights is None else ClassCounts(*(np.where(weights > 0, part, 0) for part in counts))


def count_exact_samples(indicators: Indicators) -> Margins:
    """Subset accuracy: one class, whose diagonal counts the samples with every label right."""
    samples = count_samples(indicators)
    exact = (samples.fp + samples.fn) == 0
    weights = np.ones(len(exact), dtype=np.int64) if indicators.weights is None else indicators.weights
    right, wrong = (weights[of].sum(keepdims=True) for of in (exact, ~exact))
    return Margins(right, wrong, wrong, np.zeros_like(right))


def margins_of(counts: Matrix | Margins) -> Margins:
    """Margins of a matrix (..., C, C), in which floats are never subtracted."""
    if isinstance(counts, Margins):
        return counts
    tp = np.diagonal(counts, axis1=-2, axis2=-1)
    if counts.dtype.kind != "f":
        actual, predicted = counts.sum(-1), counts.sum(-2)
        return _with_rest(tp, predicted - tp, actual - tp, actual.sum(-1, keepdims=True))
    elsewhere = ~np.eye(counts.shape[-1], dtype=bool)
    errors = np.where(elsewhere, counts, 0)
    # Each row without the cell of the column, summed over the rows of the other classes.
    tn = np.where(elsewhere, sums_of_others(counts), 0).sum(-2)
    return Margins(tp, errors.sum(-2), errors.sum(-1), tn)


def classes_of(counts: Counts) -> ClassCounts:
    """Class counts alone, of a matrix or of margins."""
    if isinstance(counts, ClassCounts):
        return ClassCounts(*counts)
    return ClassCounts(*margins_of(counts))


def as_floats(counts: Any) -> Any:
    """Counts as floats, whose sums and products do not wrap as those of integers do."""
    if isinstance(counts, ClassCounts):
        return type(counts)(*(np.asarray(part, dtype=np.float64) for part in counts))
    return np.asarray(counts, dtype=np.float64)


def matrix_of_two(margins: Margins) -> Matrix:
    """With two classes the margins are the matrix."""
    tn, fp, fn, tp = (part[1] for part in (margins.tn, margins.fp, margins.fn, margins.tp))
    return np.array([[tn, fp], [fn, tp]])


def sums_of_others(parts: NDArray[Any]) -> NDArray[Any]:
    """For each entry of the last axis the sum of all others, by sums alone, in which floats lose nothing."""
    before, after = np.zeros_like(parts), np.zeros_like(parts)
    before[..., 1:] = np.cumsum(parts[..., :-1], axis=-1)
    after[..., :-1] = np.cumsum(parts[..., :0:-1], axis=-1)[..., ::-1]
    others: NDArray[Any] = before + after
    return others


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
    missed, false = actual - both, predicted - both
    neither = len(true) - actual - false
    return Margins(
        np.array([neither, both]), np.array([missed, false]), np.array([false, missed]), np.array([both, neither])
    )


def _dtype(weights: NDArray[Any] | None) -> type:
    """Counts are exact integers unless the weights are not."""
    return np.float64 if weights is not None and weights.dtype.kind == "f" else np.int64


def _bincount(
    codes: NDArray[Any], weights: NDArray[Any] | None, n: int, where: NDArray[np.bool_] | None = None
) -> NDArray[Any]:
    """Counts of one block in the dtype of the sum; NumPy's weighted bincount is float64, exact below 2**53."""
    if where is not None:
        codes, weights = codes[where], None if weights is None else weights[where]
    if weights is None:
        return np.bincount(codes, minlength=n)
    return np.bincount(codes, weights, minlength=n).astype(_dtype(weights), copy=False)


def _with_rest(tp: Any, fp: Any, fn: Any, total: Any) -> Margins:
    """The rest of all samples are true negatives: a difference, which integers take exactly."""
    return Margins(tp, fp, fn, total - tp - fp - fn)


def _untouched(touched: Any, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of the samples that a sparse column does not hold."""
    n_others = np.count_nonzero(weights) - (weights > 0).astype(np.int64) @ touched
    return np.where(n_others == 0, 0, np.maximum(weights.sum() - weights @ touched, 0))


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
