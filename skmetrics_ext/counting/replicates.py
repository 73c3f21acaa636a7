"""Replicates: tables looked up or permuted, sizes of chunks, and random states."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Counts = NDArray[np.float64]

# Cells resampled at a time, so that memory does not grow with replicates.
CELLS_AT_ONCE = 1 << 18

# With more samples per cell, or more tables, SciPy's tables are slower.
MOST_IN_A_CELL, MOST_TABLES = 5_000, 100

# With fewer samples per group in the rarer cell, drawing one by one is faster.
FEW_IN_A_GROUP = 5

# Entries of a table: a power of two, so that random bits are a place.
PLACE_BITS, WORD_BITS = 12, 16
ENTRIES = 1 << PLACE_BITS


class Tables(NamedTuple):
    """Tables of distributions of 0, 1, 2 ..., one after the other.

    Each outcome has the entries that its probability fills; the rest shares the last ones, -1.
    """

    entries: NDArray[np.int32]
    # The cumulated shares of what is left; each distribution begins at its number.
    left: NDArray[np.float64]
    n_outcomes: int


def permuted_tables(
    tables: NDArray[np.int64], n_replicates: int, random: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Chunks (r, ..., n_groups, n_cells) of tables with the groups of the samples permuted.

    Tables with the same sums have the distribution of permuted groups. They are drawn in an order
    of their own, so that the same tables have the same draws whatever their cells are called.
    """
    flat = tables.reshape(-1, *tables.shape[-2:])
    by_cell = np.stack([np.lexsort(table) for table in flat])
    ordered = np.take_along_axis(flat, by_cell[:, None], -1)
    by_table = np.lexsort(ordered.reshape(len(flat), -1).T)
    are_few = len(flat) <= MOST_TABLES and tables.sum() <= MOST_IN_A_CELL * tables.size
    draw = _drawn_tables if are_few else _drawn_cells
    for r in chunk_sizes(n_replicates, tables.size):
        drawn = np.empty((r, *flat.shape), dtype=np.int64)
        for place, of_table in zip(by_table, draw(ordered[by_table], r, random), strict=True):
            drawn[:, place, :, by_cell[place]] = np.moveaxis(of_table, -1, 0)
        yield drawn.reshape(r, *tables.shape)


def _drawn_tables(
    tables: NDArray[np.int64], r: int, random: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Tables (r, n_groups, n_cells) with the margins of each of these."""
    for table in tables:
        drawn = np.array(np.broadcast_to(table, (r, *table.shape)))
        groups, cells = (np.flatnonzero(table.any(axis)) for axis in (1, 0))
        # With one group or cell the table is fixed, and SciPy's are wrong.
        if min(len(groups), len(cells)) > 1:
            sums = table.sum(1)[groups], table.sum(0)[cells]
            if len(cells) == 2 and sums[1].min() < FEW_IN_A_GROUP * len(groups):
                of_first = random.multivariate_hypergeometric(sums[0], sums[1][0], r, "count")
                of_cells = np.stack([of_first, sums[0] - of_first], -1)
            else:
                of_cells = stats.random_table.rvs(*sums, size=r, random_state=random)
            drawn[:, groups[:, None], cells] = of_cells
        yield drawn


def _drawn_cells(
    tables: NDArray[np.int64], r: int, random: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """The same by cells of what previous groups left."""
    drawn_cells = np.zeros((r, *tables.shape), dtype=np.int64)
    left = np.array(np.broadcast_to(tables.sum(-2), (r, len(tables), tables.shape[-1])))
    (occupied,) = np.nonzero(tables.any((0, 1)))
    sizes = tables.sum(-1)
    for group in range(tables.shape[-2] - 1):
        wanted, rest = np.broadcast_to(sizes[:, group], left.shape[:-1]), left.sum(-1)
        for cell in occupied[:-1]:
            rest = rest - left[..., cell]
            taken = random.hypergeometric(left[..., cell], rest, wanted)
            drawn_cells[..., group, cell] = taken
            left[..., cell] -= taken
            wanted = wanted - taken
        drawn_cells[..., group, occupied[-1:]] = wanted[..., None]
        left[..., occupied[-1:]] -= wanted[..., None]
    drawn_cells[..., -1, :] = left
    return iter(np.moveaxis(drawn_cells, 1, 0))


def chunk_sizes(n_replicates: int, n_cells: int) -> Iterator[int]:
    """The sizes of chunks that fit in memory."""
    # Once so much was freed, the C library keeps chunks, which saves a third of the time.
    np.empty(8 * CELLS_AT_ONCE)
    size = max(CELLS_AT_ONCE // max(n_cells, 1), 1)
    for start in range(0, n_replicates, size):
        yield min(size, n_replicates - start)


def seed_of(random_state: Any) -> np.random.SeedSequence:
    """The seed of all streams of a call, from any random_state: a generator draws it."""
    if isinstance(random_state, np.random.SeedSequence):
        return random_state
    if isinstance(random_state, np.random.Generator):
        return np.random.SeedSequence(int(random_state.integers(1 << 63)))
    if isinstance(random_state, np.random.RandomState):
        random_state = random_state.randint(1 << 31)
    try:
        return np.random.SeedSequence(random_state)
    except (TypeError, ValueError):
        raise _error_of_seed(random_state) from None


def stream_of(seed: np.random.SeedSequence, number: int) -> np.random.SeedSequence:
    """The seed of one purpose or role; that of the first is the call's own."""
    if number == 0:
        return seed
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, number))


def random_of(random_state: Any) -> np.random.Generator:
    """A generator from any random_state of scikit-learn, or from a generator itself."""
    if isinstance(random_state, np.random.RandomState):
        random_state = random_state.randint(1 << 31)
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise _error_of_seed(random_state) from None


def _error_of_seed(random_state: Any) -> ValueError:
    """The error for anything that gives no random numbers."""
    return ValueError(
        "random_state must be None, a non-negative integer, a Generator or a RandomState; got "
        f"{random_state!r}."
    )


def tables_of(probabilities: NDArray[np.float64]) -> Tables:
    """The tables of distributions (n_distributions, n_outcomes)."""
    n_distributions, n_outcomes = probabilities.shape
    mass = probabilities * ENTRIES
    n_filled = mass.astype(np.int64)
    n_entries = np.column_stack([n_filled, ENTRIES - n_filled.sum(1)])
    of_each = np.append(np.arange(n_outcomes), -1).astype(np.int32)
    entries = np.repeat(np.tile(of_each, n_distributions), n_entries.ravel())
    left = np.cumsum(mass - n_filled, axis=1)
    left /= np.where(left[:, -1:] > 0, left[:, -1:], 1)
    left += np.arange(n_distributions)[:, None]
    return Tables(entries, left.ravel(), n_outcomes)


def looked_up(
    tables: Tables, which: NDArray[np.int64], n: int, random: np.random.Generator
) -> NDArray[np.int32]:
    """n independent numbers of each of these distributions (n_which, n)."""
    # Whole words are drawn faster than fewer bits.
    words = random.integers(0, 1 << WORD_BITS, (len(which), n), dtype=np.uint16)
    words >>= WORD_BITS - PLACE_BITS
    numbers: NDArray[np.int32] = np.take(tables.entries, words + (which * ENTRIES)[:, None])
    is_left = np.flatnonzero(numbers < 0)
    uniform = random.random(len(is_left))
    outcomes = outcomes_of_left(tables, which[is_left // max(n, 1)], uniform)
    numbers.ravel()[is_left] = outcomes
    return numbers


def outcomes_of_left(
    tables: Tables, which: NDArray[np.int64], uniform: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Outcomes of what the entries leave, from uniform numbers."""
    # No sum may be rounded to the next distribution.
    sums = np.minimum(which + uniform, np.nextafter(which + 1.0, 0))
    place: NDArray[np.int64] = np.searchsorted(tables.left, sums, "right")
    return place - which * tables.n_outcomes
