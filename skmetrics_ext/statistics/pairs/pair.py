"""Pair: the counts of two models on the same units, and a metric of both."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.counting.counts import as_floats, margins_of
from skmetrics_ext.counting.division import squared
from skmetrics_ext.counting.replicates import chunk_sizes
from skmetrics_ext.counting.units import Units
from skmetrics_ext.reading.numbers import LARGEST_EXACT_SUM
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.values.delta import gradient_by_margins, gradient_of
from skmetrics_ext.statistics.values.proportions import effective_number

ROUNDING = 1e-12


@dataclass(frozen=True)
class Pair:
    """Two models on the same units, with those on which they differ apart."""

    first: Any
    # Sparse (n_units, n_cells): counts by each of two predictions.
    second: Any
    frequencies: NDArray[np.int64]
    # For how many of these units the models' predictions are the other way round.
    swapped: NDArray[np.int64]
    # Sparse (n_units, n_cells): units with the same counts by both models.
    same: Any
    frequencies_of_same: NDArray[np.int64]
    clustered: bool
    n_samples: int

    @property
    def n(self) -> int:
        """How many units there are."""
        return int(self.frequencies.sum() + self.frequencies_of_same.sum())

    @property
    def n_effective(self) -> float:
        """Kish's effective number of units, which a few large clusters reduce."""
        sizes = np.concatenate([cells.sum(-1) for cells, _ in self.units()])
        frequencies = np.concatenate([frequencies for _, frequencies in self.units()])
        return effective_number(sizes, frequencies)

    @property
    def n_differ(self) -> int:
        """On how many units the models differ."""
        return int(self.frequencies.sum())

    @property
    def is_weighted(self) -> bool:
        """Whether weights of units of one sample differ."""
        weights = np.concatenate([cells.data for cells, _ in self.units()])
        return bool((weights != weights[0]).any())

    def units(self) -> tuple[tuple[Any, NDArray[np.int64]], ...]:
        """The units' counts by one of their predictions, and how often each occurs."""
        return (self.first, self.frequencies), (self.same, self.frequencies_of_same)

    @cached_property
    def is_whole(self) -> bool:
        """Whether counts are whole, with exact sums."""
        if self.frequencies.dtype.kind != "i" or any(
            (cells.data % 1).any() for cells, _ in self.units()
        ):
            return False
        return bool(
            sum(frequencies @ cells.sum(-1) for cells, frequencies in self.units())
            < LARGEST_EXACT_SUM
        )

    @cached_property
    def gained(self) -> Any:
        """Sparse (n_units, n_cells): what a swap moves from the second model to the first."""
        return self.second - self.first

    def totals(self, swapped: NDArray[Any]) -> NDArray[Any]:
        """Both models' counts (2, ..., n_cells) with so many units (..., n_units) swapped."""
        first, second, common = self.first, self.second, self.frequencies_of_same @ self.same
        if self.is_whole:
            moved = swapped @ self.gained
            both = (
                self.frequencies @ first + common + moved,
                self.frequencies @ second + common - moved,
            )
            # Margins of integers are several times as fast.
            return np.stack(both, dtype=np.int64, casting="unsafe")
        kept = self.frequencies - swapped
        of_first = kept @ first + swapped @ second + common
        of_second = kept @ second + swapped @ first + common
        return np.stack([of_first, of_second])

    def observed(self) -> NDArray[Any]:
        """The counts (2, n_cells) of both models."""
        return self.totals(self.swapped)


def pair_of(units: Units, n_samples: int, *, clustered: bool) -> Pair:
    """The units of two models; samples alike but for which model predicted what are one row."""
    first, second = units.cells
    differ = np.zeros(len(units.frequencies), dtype=bool)
    differ[(first != second).nonzero()[0]] = True
    frequencies = units.frequencies[differ]
    pair = Pair(
        first=first[differ],
        second=second[differ],
        frequencies=frequencies,
        swapped=np.zeros_like(frequencies),
        same=first[~differ],
        frequencies_of_same=units.frequencies[~differ],
        clustered=clustered,
        n_samples=n_samples,
    )
    return pair if clustered else _with_alike_as_one(pair)


def _with_alike_as_one(pair: Pair) -> Pair:
    """The same, samples alike but for which model predicted what in one row."""
    is_swapped = pair.first.indices > pair.second.indices
    cells = np.stack([pair.first.indices, pair.second.indices, pair.first.data])
    cells[:2, is_swapped] = cells[1::-1, is_swapped]
    (low, high, weights), row = np.unique(cells, axis=1, return_inverse=True)
    n_cells = pair.first.shape[1]

    def in_rows(frequencies: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often each row occurs."""
        return np.bincount(row.ravel(), frequencies, len(weights)).astype(np.int64)

    return replace(
        pair,
        first=one_cell_each(low, weights, n_cells),
        second=one_cell_each(high, weights, n_cells),
        frequencies=in_rows(pair.frequencies),
        swapped=in_rows(pair.frequencies * is_swapped),
    )


def one_cell_each(cells: NDArray[Any], weights: Array, n_cells: int) -> Any:
    """Units of one sample."""
    rows = np.arange(len(cells))
    return sparse.csr_array((weights, (rows, cells.astype(np.int64))), shape=(len(cells), n_cells))


class ValueOfMatrix(NamedTuple):
    """A metric of matrices (..., n_classes, n_classes)."""

    of: Callable[[Any], Array]
    n_classes: int
    margins_suffice: bool
    # The values (..., n_classes) of which it is the plain mean, if it is.
    of_each: Callable[[Any], Array] | None = None

    @property
    def cost(self) -> int:
        """How many cells are evaluated for the derivatives."""
        if self.of_each is not None:
            return 8 * self.n_classes
        return 16 * self.n_classes**2 if self.margins_suffice else 2 * self.n_classes**4

    def counts_of(self, cells: NDArray[Any]) -> Any:
        """Flat matrices (..., n_cells) as matrices, or as margins if these suffice."""
        matrices = cells.reshape(*cells.shape[:-1], self.n_classes, self.n_classes)
        return margins_of(matrices) if self.margins_suffice else as_floats(matrices)

    def values(self, cells: NDArray[Any]) -> Array:
        """The values of flat matrices (..., n_cells)."""
        return self.of(self.counts_of(cells))

    def gradient_of(self, counts: Any) -> Array:
        """The derivative by each cell (..., n_cells) of matrices, or of what has these margins."""
        if self.margins_suffice:
            gradient = gradient_by_margins(self.of, counts, self.of_each)
        else:
            gradient = gradient_of(self.of, counts)
        return gradient.reshape(*gradient.shape[:-2], -1)


def differences_if_swapped(
    pair: Pair,
    value: ValueOfMatrix,
    swapped: NDArray[Any],
    common: Array | None,
    needed: float = 0.0,
) -> tuple[Array, Array]:
    """The difference and its variance with so many units (n_outcomes, n_units) swapped.

    `common` derivatives (n_cells,) replace each outcome's. Variances of differences smaller than
    needed are infinite.
    """
    counts = value.counts_of(pair.totals(swapped))
    differences = _differences(value.of(counts))
    if common is not None:
        # A swap reverses a unit's contribution.
        moves = common @ pair.gained.T
        return differences, np.full(len(differences), squared(moves) @ pair.frequencies)
    are_small = np.abs(differences) < needed
    if not are_small.any():
        return differences, _variances(pair, value.gradient_of(counts), swapped)
    variances = np.full(len(differences), np.inf)
    if not are_small.all():
        _, variances[~are_small] = differences_if_swapped(pair, value, swapped[~are_small], None)
    return differences, variances


def _differences(values: Array) -> Array:
    """The differences (n_outcomes,) of the values (2, n_outcomes); 0 where they are rounding."""
    with np.errstate(invalid="ignore"):
        differences = values[0] - values[1]
        is_rounding = np.abs(differences) <= ROUNDING * np.abs(values).max(0)
    return np.where(np.isfinite(differences) & is_rounding, 0, differences)


def _variances(pair: Pair, gradient: Array, swapped: NDArray[Any]) -> Array:
    """Variances (n_outcomes,) by slopes (2, n_outcomes, n_cells), swaps (n_outcomes, n_units)."""
    of_first, of_second = gradient.swapaxes(1, 2)
    # What a unit contributes to the difference.
    kept = pair.first @ of_first - pair.second @ of_second
    turned = pair.second @ of_first - pair.first @ of_second
    unmoved = pair.same @ (of_first - of_second)
    of_kept = np.einsum("ur,ur,ur->r", pair.frequencies[:, None] - swapped.T, kept, kept)
    of_turned = np.einsum("ur,ur,ur->r", swapped.T, turned, turned)
    return np.asarray(of_kept + (of_turned + pair.frequencies_of_same @ squared(unmoved)))


def at_a_time(pair: Pair, value: ValueOfMatrix, outcomes: Any) -> Iterator[slice]:
    """Slices of the outcomes that fit in the cache."""
    n_rows = len(pair.frequencies) + len(pair.frequencies_of_same)
    start = 0
    for size in chunk_sizes(len(outcomes), 2 * max(n_rows, 4 * value.n_classes**2)):
        yield slice(start, start + size)
        start += size
