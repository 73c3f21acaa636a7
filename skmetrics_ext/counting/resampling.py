"""Matrices resampled from the proportions of their cells, or drawn from the posterior of these.

Samples drawn with replacement give multinomial cells. With few samples a cell, these are Poisson
numbers of a lower mean, and the missing samples are drawn one by one: given their sum, Poisson
numbers are multinomial. Tables of them are faster than binomial numbers, and empty cells cost
nothing.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.counts import Margins, margins_of, margins_of_sums
from skmetrics_ext.counting.replicates import Counts, Tables, chunk_sizes, looked_up, tables_of

Integers = NDArray[np.int64]

# The Poisson mean is so many standard deviations below the number of samples. More are drawn again,
# what is missing one by one.
BELOW = 2
# With more samples in a part than the square of so many times its cells, binomial numbers are
# faster.
ROOT_OF_SAMPLES = 2
# So many samples take 64 MB, each with its cell.
MOST_SAMPLES = 1 << 24
# Parts whose rates differ by less have one: the difference to 1 is rounded to so many steps.
STEPS_OF_RATE = 4
# Larger means are NumPy's: their tables would be large.
MOST_IN_TABLE = 256
# Tables end so many standard deviations and samples beyond the mean, where nothing is left but
# rounding.
DEVIATIONS, FURTHER = 9, 20


def resampled(
    matrices: Counts,
    n_replicates: int,
    random: np.random.Generator,
    *,
    smoothing: Counts,
    by_row: bool,
) -> Iterator[Integers]:
    """Chunks (r, ..., n_rows, n_columns) of matrices with as many samples, resampled from the cell
    proportions.

    The distribution is that of resampled samples. `smoothing` is added to the cells before;
    `by_row` keeps the number of each actual class.
    """
    parts = _parts_of(matrices, smoothing, by_row=by_row)
    if parts.have_many_samples():
        yield from _binomial_cells(matrices, parts, n_replicates, random)
        return
    for drawn in _poisson_cells(parts, n_replicates, random):
        # Of chunks of the occupied cells, and so of the same samples.
        start = 0
        for r in chunk_sizes(drawn.numbers.shape[1], matrices.size):
            few = drawn.of_replicates(start, start + r)
            cells = np.zeros((matrices.size, r), dtype=np.int64)
            cells[parts.occupied] = few.numbers
            _count_each(cells, few.cell, few.replicate)
            yield np.ascontiguousarray(cells.T).reshape(r, *matrices.shape)
            start += r


def resampled_margins(
    matrices: Counts,
    n_replicates: int,
    random: np.random.Generator,
    *,
    smoothing: Counts,
    by_row: bool,
) -> Iterator[Margins]:
    """The margins (r, ..., n_classes) of matrices (r, ..., n_classes, n_classes) as from
    `resampled`.
    """
    parts = _parts_of(matrices, smoothing, by_row=by_row)
    if parts.have_many_samples():
        yield from map(margins_of, _binomial_cells(matrices, parts, n_replicates, random))
        return
    *leading, n_classes, _ = matrices.shape
    shape = (*leading, n_classes)
    row = parts.occupied // n_classes
    column = _column(parts.occupied, n_classes)
    is_right, by_column = row == column, np.argsort(column, kind="stable")
    for drawn in _poisson_cells(parts, n_replicates, random):
        r = drawn.numbers.shape[1]
        actual = _sums_by(row, drawn.numbers, math.prod(shape))
        predicted = _sums_by(column[by_column], drawn.numbers[by_column], math.prod(shape))
        right = np.zeros_like(actual)
        right[row[is_right]] = drawn.numbers[is_right]
        row_of_each, column_of_each = drawn.cell // n_classes, _column(drawn.cell, n_classes)
        _count_each(actual, row_of_each, drawn.replicate)
        _count_each(predicted, column_of_each, drawn.replicate)
        on_diagonal = row_of_each == column_of_each
        _count_each(right, row_of_each[on_diagonal], drawn.replicate[on_diagonal])
        yield margins_of_sums(
            *(np.ascontiguousarray(of.T).reshape(r, *shape) for of in (right, actual, predicted))
        )


def expected(matrices: Counts, *, smoothing: Counts, by_row: bool) -> Counts:
    """The mean of `resampled`."""
    totals = _cells_of_parts(matrices, by_row=by_row).sum(-1, keepdims=True)
    return np.asarray(totals * _shares(matrices + smoothing, by_row=by_row)).reshape(matrices.shape)


def resampled_shares(
    matrices: Counts, n_replicates: int, random: np.random.Generator, *, prior: Counts, by_row: bool
) -> Iterator[Counts]:
    """Chunks (r, ..., n_classes, n_classes) of the Dirichlet posterior, times the total."""
    cells = _cells_of_parts(matrices + prior, by_row=by_row)
    totals = _cells_of_parts(matrices, by_row=by_row).sum(-1, keepdims=True)
    for r in chunk_sizes(n_replicates, matrices.size):
        weights = random.standard_gamma(cells, size=(r, *cells.shape))
        yield (totals * _shares(weights, by_row=True)).reshape(r, *matrices.shape)


class Parts(NamedTuple):
    """The parts that are resampled separately: rows or matrices.

    Whole samples are apart from fractions and smoothing.
    """

    # (n_parts,)
    n_samples: Integers
    # (n_parts, n_cells)
    whole: Integers
    fractions: Counts
    # The cells with whole samples (n_occupied,), and the part of each.
    occupied: Integers
    part: Integers

    def have_many_samples(self) -> bool:
        """Whether drawing one by one is slower than cells, or takes much memory."""
        roots, n = np.sqrt(self.n_samples).sum(), self.n_samples.sum()
        return bool(roots > ROOT_OF_SAMPLES * self.whole.size or n > MOST_SAMPLES)


class DrawnCells(NamedTuple):
    """Whole samples (n_occupied, r), and cell and replicate of each sample of a fraction."""

    numbers: NDArray[np.int32]
    cell: Integers
    replicate: Integers

    def of_replicates(self, start: int, stop: int) -> Self:
        """What was drawn for some of the replicates."""
        is_theirs = (self.replicate >= start) & (self.replicate < stop)
        return type(self)(
            self.numbers[:, start:stop], self.cell[is_theirs], self.replicate[is_theirs] - start
        )


class PoissonNumbers(NamedTuple):
    """Poisson distributions, most of them as tables."""

    means: Counts
    is_large: NDArray[np.bool_]
    tables: Tables
    # The table of each distribution that has one.
    table: Integers

    def drawn(self, which: Integers, r: int, random: np.random.Generator) -> NDArray[np.int32]:
        """r independent numbers of each of these distributions (n_which, r)."""
        numbers = looked_up(self.tables, self.table[which], r, random)
        of_large = np.flatnonzero(self.is_large[which])
        means = self.means[which[of_large], None]
        numbers[of_large] = random.poisson(means, (len(of_large), r))
        return numbers


def poisson_numbers(means: Counts) -> PoissonNumbers:
    """Distributions of these means; equal ones share a table."""
    is_large = means > MOST_IN_TABLE
    distinct, table = np.unique(np.where(is_large, 0, means), return_inverse=True)
    most = distinct.max(initial=0)
    outcomes = np.arange(math.ceil(most + DEVIATIONS * math.sqrt(most)) + FURTHER)
    logarithms = special.xlogy(outcomes, distinct[:, None]) - special.gammaln(outcomes + 1)
    tables = tables_of(np.exp(logarithms - distinct[:, None]))
    return PoissonNumbers(means, is_large, tables, table)


class WholeSamples(NamedTuple):
    """The whole samples, one after the other."""

    # The place among the occupied cells of each.
    cell: NDArray[np.int32]
    # The first one of each part, and how many the part has.
    first: Integers
    of_part: Integers

    def drawn(self, part: Integers, random: np.random.Generator) -> NDArray[np.int32]:
        """The occupied cell of a sample of each of these parts."""
        place = (random.random(len(part)) * self.of_part[part]).astype(np.int64)
        cells: NDArray[np.int32] = self.cell[self.first[part] + place]
        return cells


class Fractions(NamedTuple):
    """The sums of the fractions up to each cell, and before each part and after the last."""

    up_to_cell: Counts
    before_part: Counts

    def of_part(self) -> Counts:
        """Their sum in each part."""
        return np.diff(self.before_part)

    def drawn(self, part: Integers, random: np.random.Generator) -> Integers:
        """The cell of a fraction of each of these parts."""
        sums = self.before_part[part] + random.random(len(part)) * self.of_part()[part]
        # No sum may be rounded to the next part.
        sums = np.minimum(sums, np.nextafter(self.before_part[part + 1], 0))
        return np.searchsorted(self.up_to_cell, sums, "right")


def _samples_of(parts: Parts) -> WholeSamples:
    """Every whole sample."""
    counts, of_part = parts.whole.ravel()[parts.occupied], parts.whole.sum(1)
    cell = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    return WholeSamples(cell, np.cumsum(of_part) - of_part, of_part)


def _fractions_of(parts: Parts) -> Fractions:
    """The fractions of all cells."""
    up_to_cell = np.append(0, np.cumsum(parts.fractions))
    return Fractions(up_to_cell[1:], up_to_cell[:: parts.fractions.shape[1]])


def _parts_of(matrices: Counts, smoothing: Counts, *, by_row: bool) -> Parts:
    """The parts of matrices to whose cells so much is added."""
    cells = _cells_of_parts(matrices, by_row=by_row)
    added = _cells_of_parts(np.broadcast_to(smoothing, matrices.shape), by_row=by_row)
    cells, added = (of.reshape(-1, cells.shape[-1]) for of in (cells, added))
    whole = np.floor(cells).astype(np.int64)
    occupied = np.flatnonzero(whole)
    n_samples = np.rint(cells.sum(1)).astype(np.int64)
    return Parts(
        n_samples, whole, cells - whole + added, occupied, occupied // max(cells.shape[1], 1)
    )


def _binomial_cells(
    matrices: Counts, parts: Parts, n_replicates: int, random: np.random.Generator
) -> Iterator[Integers]:
    """Matrices of binomial cells."""
    shares = _shares(parts.whole + parts.fractions, by_row=True)
    for r in chunk_sizes(n_replicates, matrices.size):
        cells = random.multinomial(parts.n_samples, shares, size=(r, len(shares)))
        yield cells.reshape(r, *matrices.shape)


def _poisson_cells(
    parts: Parts, n_replicates: int, random: np.random.Generator
) -> Iterator[DrawnCells]:
    """Chunks of Poisson cells, with other samples drawn one by one."""
    samples, fractions = _samples_of(parts), _fractions_of(parts)
    n = parts.n_samples[:, None]
    in_fractions, in_samples = fractions.of_part()[:, None], samples.of_part[:, None]
    share_of_fractions = in_fractions / np.maximum(in_fractions + in_samples, np.finfo(float).tiny)
    rates = _rates(samples.of_part, (n * (1 - share_of_fractions))[:, 0])
    poisson = poisson_numbers(parts.whole.ravel()[parts.occupied] * rates[parts.part])
    n_occupied, n_parts = len(parts.occupied), len(n)
    for r in chunk_sizes(n_replicates, max(n_occupied, n_parts)):
        n_of_fractions = random.binomial(n, share_of_fractions, (n_parts, r))
        numbers = poisson.drawn(np.arange(n_occupied), r, random)
        missing = n - n_of_fractions - _sums_by(parts.part, numbers, n_parts)
        while (missing < 0).any():
            again, replicate = np.nonzero((missing < 0)[parts.part])
            numbers[again, replicate] = poisson.drawn(again, 1, random)[:, 0]
            missing = n - n_of_fractions - _sums_by(parts.part, numbers, n_parts)
        part, replicate = _one_by_one(missing)
        _count_each(numbers, samples.drawn(part, random), replicate)
        part, replicate = _one_by_one(n_of_fractions)
        yield DrawnCells(numbers, fractions.drawn(part, random), replicate)


def _rates(n_whole: Integers, expected_whole: Counts) -> Counts:
    """The Poisson mean of each whole sample of each part, whose number is seldom exceeded.

    Rounded down, so that similar parts share tables.
    """
    mean = np.maximum(expected_whole - BELOW * np.sqrt(expected_whole), 0)
    below = 1 - mean / np.maximum(n_whole, 1)
    steps = np.ceil(STEPS_OF_RATE * np.log2(below))
    return np.asarray(1 - np.minimum(2 ** (steps / STEPS_OF_RATE), 1))


def _one_by_one(numbers: Integers) -> tuple[Integers, Integers]:
    """The part and the replicate of each of so many samples (n_parts, r)."""
    r = numbers.shape[1]
    place = np.repeat(np.arange(numbers.size), numbers.ravel())
    part = place // r
    return part, place - part * r


def _count_each(numbers: NDArray[Any], place: NDArray[Any], replicate: Integers) -> None:
    """Add each of these samples to numbers (n_places, r)."""
    # Another type would be thirty times as slow.
    one = numbers.dtype.type(1)
    np.add.at(numbers.reshape(-1), place * numbers.shape[1] + replicate, one)


def _sums_by(group: Integers, numbers: NDArray[Any], n_groups: int) -> Integers:
    """Numbers (n, r) summed by their ascending group (n,): (n_groups, r)."""
    sums = np.zeros((n_groups, numbers.shape[1]), dtype=np.int64)
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    if len(starts):
        sums[group[starts]] = np.add.reduceat(numbers, starts, axis=0, dtype=np.int64)
    return sums


def _column(cells: Integers, n_classes: int) -> Integers:
    """The column of each cell, among the columns of all matrices."""
    return cells // n_classes**2 * n_classes + cells % n_classes


def _shares(matrices: Counts, *, by_row: bool) -> Counts:
    """The cells of each part as proportions of it, equal ones if it is empty."""
    cells = _cells_of_parts(matrices, by_row=by_row)
    sums = cells.sum(-1, keepdims=True)
    return np.asarray(np.where(sums > 0, cells, 1) / np.where(sums > 0, sums, cells.shape[-1]))


def _cells_of_parts(matrices: Counts, *, by_row: bool) -> Counts:
    """The cells (..., n_parts, n_cells) of the parts: rows, or all together."""
    *leading, n_rows, n_columns = matrices.shape
    return matrices if by_row else matrices.reshape(*leading, 1, n_rows * n_columns)
