"""Counts of several labels a sample by group: all groups and labels in one pass."""

from collections.abc import Callable
from functools import reduce
from operator import iadd
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.counting.counts import CELLS, ClassCounts, Matrix, two_by_two
from skmetrics_ext.reading.labels import blocks
from skmetrics_ext.reading.pairs import Indicators


def count_labels_by_group(indicators: Indicators, group: NDArray[Any], n_groups: int) -> Matrix:
    """One 2 x 2 matrix a label and group, (n_groups, n_labels, 2, 2)."""
    if sparse.issparse(indicators.true):
        return two_by_two(_count_sparse(indicators, group, n_groups))
    true, pred, weights = indicators.true, indicators.pred, indicators.weights
    n_labels = true.shape[1]
    shape = n_groups, n_labels, 2, 2
    n_cells = int(np.prod(shape))
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
    return cells.reshape(shape).astype(np.int64 if weights is None else weights.dtype, copy=False)


def _count_sparse(indicators: Indicators, group: NDArray[Any], n_groups: int) -> ClassCounts:
    """Each (n_groups, n_labels), by products with the membership of the samples.

    Those that sparse columns do not touch are a difference: exact to the rounding of all float weights,
    and exactly 0 where there are none.
    """
    true, pred = indicators.true, indicators.pred
    weights = np.ones(len(group), dtype=np.int64) if indicators.weights is None else indicators.weights

    def summed_by(weights: NDArray[Any]) -> Callable[[Any], Any]:
        """What sums columns within each group."""
        members = sparse.csr_array((weights, (group, np.arange(len(group)))), shape=(n_groups, len(group)))
        return lambda columns: (members @ columns).toarray()

    def untouched(weights: NDArray[Any]) -> NDArray[Any]:
        """The weight in each group that each column does not hold."""
        everything = sparse.csr_array(np.ones((len(group), 1), dtype=np.int64))
        return np.asarray(summed_by(weights)(everything) - summed_by(weights)(true + pred))

    tp, fp, fn = (summed_by(weights)(columns) for columns in (true.multiply(pred), pred > true, true > pred))
    tn = untouched(weights)
    if weights.dtype.kind == "f":
        tn = np.where(untouched((weights > 0).astype(np.int64)) == 0, 0, np.maximum(tn, 0))
    return ClassCounts(tp, fp, fn, tn)
