"""Units that are resampled, swapped or omitted whole: samples, or clusters."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

# Up to so many codes are counted, more are sorted.
COUNTED_CODES = 1 << 16


class Units(NamedTuple):
    """What a unit adds to the cells of each model; equal units are one row."""

    # A sparse (n_units, n_cells) for each model.
    cells: tuple[Any, ...]
    # How many units each row represents.
    frequencies: NDArray[np.int64]

    def totals(self) -> list[NDArray[np.float64]]:
        """The counts (n_cells,) of each model."""
        return [self.frequencies @ cells for cells in self.cells]


def units_of(
    cells: list[NDArray[Any]],
    n_cells: int,
    weights: NDArray[Any] | None = None,
    clusters: NDArray[Any] | None = None,
) -> Units:
    """The units of samples of known cells, (n_samples,) per model or (n_samples, n_labels).

    `clusters` are the codes from 0 of the units; without them samples of equal cells and weight are
    one row. Samples of weight 0 are omitted.
    """
    if weights is not None and not weights.all():
        kept = weights > 0
        cells, weights = [of_model[kept] for of_model in cells], weights[kept]
        clusters = (
            None
            if clusters is None
            else np.unique(clusters[kept], return_inverse=True)[1].reshape(-1)
        )
    n_samples = len(cells[0])
    if clusters is None and cells[0].ndim == 1:
        first, frequencies = _alike(
            cells if weights is None else [*cells, weights.astype(np.float64)]
        )
        cells, weights = (
            [of_model[first] for of_model in cells],
            None if weights is None else weights[first],
        )
        clusters = np.arange(len(first))
    else:
        clusters = np.arange(n_samples) if clusters is None else clusters
        frequencies = np.ones(int(clusters.max(initial=-1)) + 1, dtype=np.int64)
    weights = np.ones(len(cells[0])) if weights is None else weights.astype(np.float64)
    shape = len(frequencies), n_cells
    return Units(
        tuple(_summed(of_model, weights, clusters, shape) for of_model in cells), frequencies
    )


def _alike(columns: Sequence[NDArray[Any]]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """The position of each distinct row of the columns, and how often it occurs."""
    code = np.zeros(len(columns[0]), dtype=np.int64)
    n_codes = 1
    for column in columns:
        if column.dtype.kind == "f" and (column == column[:1]).all():
            continue
        distinct, own = _codes(column)
        code = code * distinct + own if n_codes > 1 else own
        n_codes *= distinct
        if n_codes > COUNTED_CODES:
            n_codes, code = _codes(code)
    first = np.full(n_codes, -1, dtype=np.intp)
    # The last of several remains, as good as the first.
    first[code] = np.arange(len(code))
    frequencies = np.bincount(code, minlength=n_codes)
    return first[frequencies > 0], frequencies[frequencies > 0]


def _codes(column: NDArray[Any]) -> tuple[int, NDArray[np.int64]]:
    """The number of codes, and that of each entry; small integers are codes."""
    if column.dtype.kind != "f" and (n := int(column.max(initial=-1)) + 1) <= COUNTED_CODES:
        return n, column.astype(np.int64, copy=False)
    distinct, codes = np.unique(column, return_inverse=True)
    return len(distinct), codes.reshape(-1)


def _summed(
    cells: NDArray[Any],
    weights: NDArray[np.float64],
    clusters: NDArray[Any],
    shape: tuple[int, int],
) -> sparse.csr_array:
    """The weights of each unit in each cell."""
    n_labels = cells.size // max(len(cells), 1)
    rows, values = np.repeat(clusters, n_labels), np.repeat(weights, n_labels)
    return sparse.csr_array(sparse.coo_array((values, (rows, cells.ravel())), shape=shape))
