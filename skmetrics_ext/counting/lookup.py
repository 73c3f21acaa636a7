"""Random numbers of discrete distributions, looked up in a table of each."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
