"""Replicates of counts: what other samples of the same size might have counted."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

# So many cells are drawn at a time, so that memory does not grow with the number of replicates.
CELLS_AT_ONCE = 1 << 18


def drawn(
    matrices: NDArray[np.float64], n_replicates: int, random: np.random.Generator, *, smoothing: float, by_row: bool
) -> Iterator[NDArray[np.int64]]:
    """Chunks (r, ..., n_classes, n_classes) of matrices of as many samples, drawn from the shares of the cells.

    To draw cells has the same law as to draw samples with replacement. `smoothing` is added to each
    cell before; `by_row` keeps the number of samples of each actual class.
    """
    cells = _parts(matrices, by_row=by_row)
    totals = np.rint(cells.sum(-1)).astype(np.int64)
    shares = cells + smoothing
    shares /= shares.sum(-1, keepdims=True)
    for r in _chunks(n_replicates, matrices.size):
        yield random.multinomial(totals, shares, size=(r, *totals.shape)).reshape(r, *matrices.shape)


def expected(matrices: NDArray[np.float64], *, smoothing: float, by_row: bool) -> NDArray[np.float64]:
    """What `drawn` gives on average."""
    cells = _parts(matrices, by_row=by_row)
    shares = cells + smoothing
    shares *= cells.sum(-1, keepdims=True) / shares.sum(-1, keepdims=True)
    return shares.reshape(matrices.shape)


def drawn_shares(
    matrices: NDArray[np.float64], n_replicates: int, random: np.random.Generator, *, prior: float, by_row: bool
) -> Iterator[NDArray[np.float64]]:
    """Chunks (r, ..., n_classes, n_classes) of shares that the cells may have after these counts, times their total."""
    cells = _parts(matrices, by_row=by_row)
    totals = cells.sum(-1, keepdims=True)
    for r in _chunks(n_replicates, matrices.size):
        drawn_cells = random.standard_gamma(cells + prior, size=(r, *cells.shape))
        drawn_cells *= totals / drawn_cells.sum(-1, keepdims=True)
        yield drawn_cells.reshape(r, *matrices.shape)


def _parts(matrices: NDArray[np.float64], *, by_row: bool) -> NDArray[np.float64]:
    """The cells (..., n_parts, n_cells) of the parts that are drawn by themselves: the rows, or all together."""
    *leading, n_rows, n_columns = matrices.shape
    return matrices if by_row else matrices.reshape(*leading, 1, n_rows * n_columns)


def _chunks(n_replicates: int, n_cells: int) -> Iterator[int]:
    """The sizes of chunks that fit the memory."""
    size = max(CELLS_AT_ONCE // max(n_cells, 1), 1)
    for start in range(0, n_replicates, size):
        yield min(size, n_replicates - start)


def random_of(random_state: Any) -> np.random.Generator:
    """A generator of what scikit-learn takes as random_state, or of a generator itself."""
    if isinstance(random_state, np.random.RandomState):
        random_state = random_state.randint(1 << 31)
    return np.random.default_rng(random_state)
