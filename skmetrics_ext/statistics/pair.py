"""Pair: the counts of two models on the same units, and a metric of both."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.counting.counts import as_floats, margins_of
from skmetrics_ext.counting.replicates import CELLS_AT_ONCE
from skmetrics_ext.counting.units import Units
from skmetrics_ext.reading.numbers import LARGEST_EXACT_SUM
from skmetrics_ext.statistics.delta import gradient_by_margins, gradient_of
from skmetrics_ext.statistics.proportions import Array

# Differences that are a smaller proportion of the values are due to rounding.
ROUNDING = 1e-12


class Pair(NamedTuple):
    """Two models on the same units, with those on which they differ separate."""

    first: Any
    second: Any
    """Sparse (n_units, n_cells): the counts for each of two predictions."""
    times: NDArray[np.int64]
    swapped: NDArray[np.int64]
    """For how many of these units the first model makes the second prediction and the second model makes the first."""
    same: Any
    """Sparse (n_units, n_cells) of units for which both models have the same counts."""
    times_same: NDArray[np.int64]
    clustered: bool
    n_samples: int
    """How many samples the units contain."""

    @property
    def n(self) -> int:
        """How many units there are."""
        return int(self.times.sum() + self.times_same.sum())

    @property
    def n_differ(self) -> int:
        """On how many units the models differ."""
        return int(self.times.sum())

    @property
    def is_weighted(self) -> bool:
        """Whether weights of units of one sample differ."""
        weights = np.concatenate([cells.data for cells, _ in self.units()])
        return bool((weights != weights[0]).any())

    def units(self) -> tuple[tuple[Any, NDArray[np.int64]], ...]:
        """The counts of the units for one of their predictions, and how often each occurs."""
        return (self.first, self.times), (self.same, self.times_same)

    @property
    def is_whole(self) -> bool:
        """Whether units have whole counts, whose sums are exact."""
        if self.times.dtype.kind != "i" or any((cells.data % 1).any() for cells, _ in self.units()):
            return False
        return bool(sum(times @ cells.sum(-1) for cells, times in self.units()) < LARGEST_EXACT_SUM)

    def totals(self, swapped: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The counts (..., n_cells) of both models with so many units (..., n_units) swapped."""
        common = self.times_same @ self.same
        if self.is_whole:
            moved = swapped @ (self.second - self.first)
            both = self.times @ self.first + common + moved, self.times @ self.second + common - moved
            # Margins of integers are several times as fast.
            return both[0].astype(np.int64), both[1].astype(np.int64)
        kept = self.times - swapped
        first, second = self.first, self.second
        return kept @ first + swapped @ second + common, kept @ second + swapped @ first + common

    def observed(self) -> tuple[Array, Array]:
        """The counts (n_cells,) of both models."""
        return self.totals(self.swapped)


def pair_of(units: Units, n_samples: int, *, clustered: bool) -> Pair:
    """The units of two models; samples that are alike except for which model predicted what are one row."""
    first, second = units.cells
    differ = np.zeros(len(units.times), dtype=bool)
    differ[(first != second).nonzero()[0]] = True
    same, times_same = first[~differ], units.times[~differ]
    first, second, times = first[differ], second[differ], units.times[differ]
    if clustered:
        return Pair(first, second, times, np.zeros_like(times), same, times_same, True, n_samples)
    is_swapped = first.indices > second.indices
    cells = np.stack([first.indices, second.indices, first.data])
    cells[:2, is_swapped] = cells[1::-1, is_swapped]
    (low, high, weights), row = np.unique(cells, axis=1, return_inverse=True)
    first, second = (_one_cell_each(of, weights, first.shape[1]) for of in (low, high))
    n_alike, n_swapped = (
        np.bincount(row.ravel(), counts, len(weights)).astype(np.int64) for counts in (times, times * is_swapped)
    )
    return Pair(first, second, n_alike, n_swapped, same, times_same, False, n_samples)


def _one_cell_each(cells: Array, weights: Array, n_cells: int) -> Any:
    """Units of one sample."""
    rows = np.arange(len(cells))
    return sparse.csr_array((weights, (rows, cells.astype(np.int64))), shape=(len(cells), n_cells))


class ValueOfMatrix(NamedTuple):
    """A metric of matrices (..., n_classes, n_classes)."""

    of: Callable[[Any], Array]
    n_classes: int
    margins_suffice: bool
    """Whether it also accepts margins."""
    of_each: Callable[[Any], Array] | None = None
    """The values (..., n_classes) whose plain mean it is; None for other values."""

    @property
    def cost(self) -> int:
        """How many cells are evaluated for the derivatives."""
        if self.of_each is not None:
            return 8 * self.n_classes
        return 16 * self.n_classes**2 if self.margins_suffice else 2 * self.n_classes**4

    def counts_of(self, cells: NDArray[Any]) -> Any:
        """Flat matrices (..., n_cells) as matrices, or as their margins where these suffice."""
        matrices = cells.reshape(*cells.shape[:-1], self.n_classes, self.n_classes)
        return margins_of(matrices) if self.margins_suffice else as_floats(matrices)

    def values(self, cells: NDArray[Any]) -> Array:
        """The values of flat matrices (..., n_cells)."""
        return self.of(self.counts_of(cells))

    def gradient_of(self, counts: Any) -> Array:
        """The derivative of the value by each cell (..., n_cells) of matrices, or of what has these margins."""
        if self.margins_suffice:
            gradient = gradient_by_margins(self.of, counts, self.of_each)
        else:
            gradient = gradient_of(self.of, counts)
        return gradient.reshape(*gradient.shape[:-2], -1)


def differences_if_swapped(
    pair: Pair, value: ValueOfMatrix, swapped: NDArray[Any], common: Array | None
) -> tuple[Array, Array]:
    """The difference and its variance with so many units (n_outcomes, n_units) swapped.

    `common` derivatives (n_cells,) replace those of each outcome where these take too long.
    """
    counts = [value.counts_of(total) for total in pair.totals(swapped)]
    values = np.stack([value.of(of_model) for of_model in counts])
    with np.errstate(invalid="ignore"):
        differences = values[0] - values[1]
        is_rounding = np.isfinite(differences) & (np.abs(differences) <= ROUNDING * np.abs(values).max(0))
    differences = np.where(is_rounding, 0, differences)
    if common is not None:
        # A swap reverses the sign of a unit's contribution to the difference.
        moves = common @ (pair.first - pair.second).T
        return differences, np.full(len(differences), moves**2 @ pair.times)
    of_first, of_second = map(value.gradient_of, counts)
    kept = of_first @ pair.first.T - of_second @ pair.second.T
    turned = of_first @ pair.second.T - of_second @ pair.first.T
    unmoved = (of_first - of_second) @ pair.same.T
    variances = ((pair.times - swapped) * kept**2 + swapped * turned**2).sum(-1) + unmoved**2 @ pair.times_same
    return differences, variances


def at_a_time(pair: Pair, value: ValueOfMatrix, outcomes: Any) -> Iterator[slice]:
    """Slices of the outcomes that fit in memory."""
    n_rows = len(pair.times) + len(pair.times_same)
    size = max(CELLS_AT_ONCE // max(n_rows, 4 * value.n_classes**2), 1)
    for start in range(0, len(outcomes), size):
        yield slice(start, min(start + size, len(outcomes)))
