"""Replicates of counts: bootstrap, permutation and posterior."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Counts = NDArray[np.float64]

# The number of cells resampled at a time, so that memory does not grow with the number of replicates.
CELLS_AT_ONCE = 1 << 18

# With more samples per cell, or more tables, SciPy's tables are slower than cells drawn for all tables together.
MOST_IN_A_CELL, MOST_TABLES = 5_000, 100

# Coin tosses are counted as the bits of at most so many words.
WORD = 64
MOST_WORDS = 8


def resampled(
    matrices: Counts, n_replicates: int, random: np.random.Generator, *, smoothing: Counts, by_row: bool
) -> Iterator[NDArray[np.int64]]:
    """Chunks (r, ..., n_classes, n_classes) of matrices with as many samples, resampled from the cell proportions.

    Resampling cells has the same distribution as resampling samples with replacement. `smoothing` is added to the
    cells before; `by_row` keeps the number of samples of each actual class.
    """
    totals = np.rint(_parts(matrices, by_row=by_row).sum(-1)).astype(np.int64)
    shares = _shares(matrices + smoothing, by_row=by_row)
    for r in chunk_sizes(n_replicates, matrices.size):
        yield random.multinomial(totals, shares, size=(r, *totals.shape)).reshape(r, *matrices.shape)


def expected(matrices: Counts, *, smoothing: Counts, by_row: bool) -> Counts:
    """The mean of `resampled`."""
    totals = _parts(matrices, by_row=by_row).sum(-1, keepdims=True)
    return np.asarray(totals * _shares(matrices + smoothing, by_row=by_row)).reshape(matrices.shape)


def coin_tosses(times: NDArray[np.int64], n_replicates: int, random: np.random.Generator) -> NDArray[np.int64]:
    """The number of heads in so many tosses (n_units,) of a coin, in each replicate (n_replicates, n_units).

    Few tosses are bits of a random word, whose ones are counted. More than 512 are a rounded normal
    number, whose distribution is within 0.00015 of the binomial one in total variation. Both are several
    times as fast as drawing binomial numbers.
    """
    # A unit is a row until the end: its words stand side by side.
    found = np.zeros((len(times), n_replicates), dtype=np.int64)
    many = times > MOST_WORDS * WORD
    words = np.iinfo(np.uint8 if times.max(initial=0) <= 8 else np.uint64)
    for start in range(0, MOST_WORDS * words.bits, words.bits):
        (units,) = np.nonzero((times > start) & ~many)
        n_bits = np.minimum(times[units] - start, words.bits)
        masks = (words.max >> (words.bits - n_bits).astype(words.dtype))[:, None]
        bits = random.integers(0, words.max, (len(units), n_replicates), words.dtype, endpoint=True)
        found[units] += np.bitwise_count(bits & masks)
    middle, spread = times[many, None] / 2, np.sqrt(times[many, None]) / 2
    found[many] = np.rint(middle + spread * random.standard_normal((len(middle), n_replicates)))
    return found.T


def permuted_tables(
    tables: NDArray[np.int64], n_replicates: int, random: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Chunks (r, ..., n_groups, n_cells) of tables with the groups of the samples permuted.

    Groups keep their sizes, and cells their sums over the groups: drawing tables with these sums has the same
    distribution as permuting the groups of the samples.
    """
    flat = tables.reshape(-1, *tables.shape[-2:])
    are_few = len(flat) <= MOST_TABLES and tables.sum() <= MOST_IN_A_CELL * tables.size
    make = _drawn_tables if are_few else _drawn_cells
    for r in chunk_sizes(n_replicates, tables.size):
        yield make(flat, r, random).reshape(r, *tables.shape)


def resampled_shares(
    matrices: Counts, n_replicates: int, random: np.random.Generator, *, prior: Counts, by_row: bool
) -> Iterator[Counts]:
    """Chunks (r, ..., n_classes, n_classes) of cell proportions from the Dirichlet posterior, times the total."""
    cells = _parts(matrices + prior, by_row=by_row)
    totals = _parts(matrices, by_row=by_row).sum(-1, keepdims=True)
    for r in chunk_sizes(n_replicates, matrices.size):
        weights = random.standard_gamma(cells, size=(r, *cells.shape))
        yield (totals * _shares(weights, by_row=True)).reshape(r, *matrices.shape)


def _drawn_tables(tables: NDArray[np.int64], r: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Tables (r, n_tables, n_groups, n_cells), each with the margins of one of these."""
    found = np.array(np.broadcast_to(tables, (r, *tables.shape)))
    for place, table in enumerate(tables):
        groups, cells = (np.flatnonzero(table.any(axis)) for axis in (1, 0))
        # With one group or one cell the table is fixed, and SciPy's tables are wrong.
        if min(len(groups), len(cells)) > 1:
            sums = table.sum(1)[groups], table.sum(0)[cells]
            found[:, place, groups[:, None], cells] = stats.random_table.rvs(*sums, size=r, random_state=random)
    return found


def _drawn_cells(tables: NDArray[np.int64], r: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Cells (r, n_tables, n_groups, n_cells) drawn from those that previous groups left."""
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


def _shares(matrices: Counts, *, by_row: bool) -> Counts:
    """The cells of each part as proportions of it, equal ones if it is empty."""
    cells = _parts(matrices, by_row=by_row)
    sums = cells.sum(-1, keepdims=True)
    return np.asarray(np.where(sums > 0, cells, 1) / np.where(sums > 0, sums, cells.shape[-1]))


def _parts(matrices: Counts, *, by_row: bool) -> Counts:
    """The cells (..., n_parts, n_cells) of the parts that are resampled separately: the rows, or all together."""
    *leading, n_rows, n_columns = matrices.shape
    return matrices if by_row else matrices.reshape(*leading, 1, n_rows * n_columns)


def chunk_sizes(n_replicates: int, n_cells: int) -> Iterator[int]:
    """The sizes of chunks that fit in memory."""
    size = max(CELLS_AT_ONCE // max(n_cells, 1), 1)
    for start in range(0, n_replicates, size):
        yield min(size, n_replicates - start)


def random_of(random_state: Any) -> np.random.Generator:
    """A generator from any random_state of scikit-learn, or from a generator itself."""
    if isinstance(random_state, np.random.RandomState):
        random_state = random_state.randint(1 << 31)
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise ValueError(
            f"random_state must be None, a non-negative integer, a Generator or a RandomState; got {random_state!r}."
        ) from None
