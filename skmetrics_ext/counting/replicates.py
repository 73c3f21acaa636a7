"""Replicates of counts: what other samples of the same size might have counted."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.float64]

# So many cells are drawn at a time, so that memory does not grow with the number of replicates.
CELLS_AT_ONCE = 1 << 18

# What a hypergeometric number, a permuted sample and a call of NumPy take, in nanoseconds.
A_DRAW, A_SAMPLE, A_CALL = 400, 15, 20_000

# Tosses of a coin are counted as the bits of so many words at most.
WORD = 64
MOST_WORDS = 8


def drawn(
    matrices: Counts, n_replicates: int, random: np.random.Generator, *, smoothing: Counts, by_row: bool
) -> Iterator[NDArray[np.int64]]:
    """Chunks (r, ..., n_classes, n_classes) of matrices of as many samples, drawn from the shares of the cells.

    To draw cells has the same law as to draw samples with replacement. `smoothing` is added to the
    cells before; `by_row` keeps the number of samples of each actual class.
    """
    totals = np.rint(_parts(matrices, by_row=by_row).sum(-1)).astype(np.int64)
    shares = _shares(matrices + smoothing, by_row=by_row)
    for r in chunk_sizes(n_replicates, matrices.size):
        yield random.multinomial(totals, shares, size=(r, *totals.shape)).reshape(r, *matrices.shape)


def expected(matrices: Counts, *, smoothing: Counts, by_row: bool) -> Counts:
    """What `drawn` gives on average."""
    totals = _parts(matrices, by_row=by_row).sum(-1, keepdims=True)
    return np.asarray(totals * _shares(matrices + smoothing, by_row=by_row)).reshape(matrices.shape)


def heads(times: NDArray[np.int64], n_replicates: int, random: np.random.Generator) -> NDArray[np.int64]:
    """How many of so many tosses (n_units,) of a coin are heads, in each replicate (n_replicates, n_units).

    Few tosses are bits of a random word, of which those that are 1 are counted, several times as fast as
    a binomial number is drawn.
    """
    found = np.zeros((n_replicates, len(times)), dtype=np.int64)
    many = times > MOST_WORDS * WORD
    for word in range(MOST_WORDS):
        (units,) = np.nonzero((times > word * WORD) & ~many)
        if not len(units):
            break
        n_bits = np.minimum(times[units] - word * WORD, WORD).astype(np.uint64)
        masks = np.iinfo(np.uint64).max >> (np.uint64(WORD) - n_bits)
        bits = random.integers(0, np.iinfo(np.uint64).max, (n_replicates, len(units)), np.uint64, endpoint=True)
        found[:, units] += np.bitwise_count(bits & masks)
    found[:, many] = random.binomial(times[many][:, None], 0.5, size=(int(many.sum()), n_replicates)).T
    return found


def relabelled(
    tables: NDArray[np.int64], n_replicates: int, random: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Chunks (r, ..., n_groups, n_cells) of tables in which the samples bear each other's groups.

    Groups keep their sizes, and cells their sums over the groups. To draw cells from what former groups
    left of them has the same law as to permute the groups of the samples, and does not depend on their
    number; few samples in many cells are permuted themselves.
    """
    flat = tables.reshape(-1, *tables.shape[-2:])
    n_tables, n_groups, n_cells = flat.shape
    n_samples, n_draws = int(tables.sum()), (n_groups - 1) * (n_cells - 1)
    size = max(tables.size, 1)
    # In nanoseconds: of each number, and of each call for as many replicates as are made at once.
    by_cell = n_draws * (n_tables * A_DRAW + A_CALL * size / CELLS_AT_ONCE)
    by_sample = n_samples * A_SAMPLE + n_tables * A_CALL * max(size, n_samples) / CELLS_AT_ONCE
    shuffles = by_sample < by_cell
    make = _shuffled_samples if shuffles else _drawn_cells
    for r in chunk_sizes(n_replicates, max(size, n_samples) if shuffles else size):
        yield make(flat, r, random).reshape(r, *tables.shape)


def drawn_shares(
    matrices: Counts, n_replicates: int, random: np.random.Generator, *, prior: Counts, by_row: bool
) -> Iterator[Counts]:
    """Chunks (r, ..., n_classes, n_classes) of shares that the cells may have after these counts, times their total."""
    cells = _parts(matrices + prior, by_row=by_row)
    totals = _parts(matrices, by_row=by_row).sum(-1, keepdims=True)
    for r in chunk_sizes(n_replicates, matrices.size):
        weights = random.standard_gamma(cells, size=(r, *cells.shape))
        yield (totals * _shares(weights, by_row=True)).reshape(r, *matrices.shape)


def _drawn_cells(tables: NDArray[np.int64], r: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Cells (r, n_tables, n_groups, n_cells) that are drawn from what former groups left."""
    found = np.zeros((r, *tables.shape), dtype=np.int64)
    left = np.array(np.broadcast_to(tables.sum(-2), (r, len(tables), tables.shape[-1])))
    (occupied,) = np.nonzero(tables.any((0, 1)))
    sizes = tables.sum(-1)
    for group in range(tables.shape[-2] - 1):
        wanted, rest = np.broadcast_to(sizes[:, group], left.shape[:-1]), left.sum(-1)
        for cell in occupied[:-1]:
            rest = rest - left[..., cell]
            taken = random.hypergeometric(left[..., cell], rest, wanted)
            found[..., group, cell] = taken
            left[..., cell] -= taken
            wanted = wanted - taken
        found[..., group, occupied[-1:]] = wanted[..., None]
        left[..., occupied[-1:]] -= wanted[..., None]
    found[..., -1, :] = left
    return found


def _shuffled_samples(tables: NDArray[np.int64], r: int, random: np.random.Generator) -> NDArray[np.int64]:
    """The same counts, of samples whose groups are permuted."""
    _, n_groups, n_cells = tables.shape
    found = np.empty((r, *tables.shape), dtype=np.int64)
    for place, table in enumerate(tables):
        cells = np.repeat(np.arange(n_cells), table.sum(0))
        groups = np.repeat(np.arange(n_groups) * n_cells, table.sum(1))
        codes = random.permuted(np.broadcast_to(groups, (r, len(groups))), axis=1)
        codes += cells + np.arange(r)[:, None] * table.size
        found[:, place] = np.bincount(codes.ravel(), minlength=r * table.size).reshape(r, n_groups, n_cells)
    return found


def _shares(matrices: Counts, *, by_row: bool) -> Counts:
    """The cells of each part as shares of it, equal ones where it is empty."""
    cells = _parts(matrices, by_row=by_row)
    sums = cells.sum(-1, keepdims=True)
    return np.asarray(np.where(sums > 0, cells, 1) / np.where(sums > 0, sums, cells.shape[-1]))


def _parts(matrices: Counts, *, by_row: bool) -> Counts:
    """The cells (..., n_parts, n_cells) of the parts that are drawn by themselves: the rows, or all together."""
    *leading, n_rows, n_columns = matrices.shape
    return matrices if by_row else matrices.reshape(*leading, 1, n_rows * n_columns)


def chunk_sizes(n_replicates: int, n_cells: int) -> Iterator[int]:
    """The sizes of chunks that fit the memory."""
    size = max(CELLS_AT_ONCE // max(n_cells, 1), 1)
    for start in range(0, n_replicates, size):
        yield min(size, n_replicates - start)


def random_of(random_state: Any) -> np.random.Generator:
    """A generator of what scikit-learn takes as random_state, or of a generator itself."""
    if isinstance(random_state, np.random.RandomState):
        random_state = random_state.randint(1 << 31)
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise ValueError(
            "random_state must be None, a whole number of at least 0, a Generator or a RandomState; "
            f"got {random_state!r}."
        ) from None
