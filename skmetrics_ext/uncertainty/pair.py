"""Pair: what two models count of the same units, those apart on which they differ."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.counting.units import Units
from skmetrics_ext.uncertainty.question import Array


class Pair(NamedTuple):
    """Two models on the same units, those apart on which they differ."""

    first: Any
    second: Any
    """Sparse (n_units, n_cells): what each of two predictions counts."""
    times: NDArray[np.int64]
    swapped: NDArray[np.int64]
    """For how many of these units the first model makes the second prediction, and the second model the first."""
    same: Any
    """Sparse (n_units, n_cells) of units for which both models count the same."""
    times_same: NDArray[np.int64]
    clustered: bool
    n_samples: int
    """How many samples the units have together."""

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
        """What the units count by one of their predictions, and how often there is each."""
        return (self.first, self.times), (self.same, self.times_same)

    def totals(self, swapped: NDArray[Any]) -> tuple[Array, Array]:
        """The counts (..., n_cells) of both models where so many units (..., n_units) are swapped."""
        kept, common = self.times - swapped, self.times_same @ self.same
        first, second = (kept @ one + swapped @ other + common for one, other in self._both_ways())
        return first, second

    def observed(self) -> tuple[Array, Array]:
        """The counts (n_cells,) of both models."""
        return self.totals(self.swapped)

    def _both_ways(self) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
        """What each model counts of units as they are, and of those that are swapped."""
        return (self.first, self.second), (self.second, self.first)


def pair_of(units: Units, n_samples: int, *, clustered: bool) -> Pair:
    """The units of two models; samples that are alike but for which model said what are one row."""
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
