"""Pair: the counts of two models on the same units, and a metric of both."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.counting.division import squared
from skmetrics_ext.counting.replicates import chunk_sizes
from skmetrics_ext.counting.units import Units
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.values.delta import ValueOfMatrix
from skmetrics_ext.statistics.values.proportions import effective_number


@dataclass(frozen=True)
class Pair:
    """Two models on the same units, with those on which they differ apart."""

    first: Any
    # Sparse (n_units, n_cells): counts by each model's predictions.
    second: Any
    frequencies: NDArray[Any]
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

    @property
    def kind(self) -> str:
        """The kind of its samples in the table of methods."""
        return "clustered" if self.clustered else "weighted" if self.is_weighted else "independent"

    def units(self) -> tuple[tuple[Any, NDArray[np.int64]], ...]:
        """The units' counts by one of their predictions, and how often each occurs."""
        return (self.first, self.frequencies), (self.same, self.frequencies_of_same)

    @property
    def moves(self) -> Any:
        """Sparse (n_units, n_cells): what the first model has more than the second."""
        return self.first - self.second

    def observed(self) -> NDArray[Any]:
        """The counts (2, n_cells) of both models."""
        common = self.frequencies_of_same @ self.same
        return np.stack([self.frequencies @ of + common for of in (self.first, self.second)])


def pair_of(units: Units, n_samples: int, *, clustered: bool) -> Pair:
    """The units of two models, those with different counts apart."""
    first, second = units.cells
    differ = np.zeros(len(units.frequencies), dtype=bool)
    differ[(first != second).nonzero()[0]] = True
    return Pair(
        first=first[differ],
        second=second[differ],
        frequencies=units.frequencies[differ],
        same=first[~differ],
        frequencies_of_same=units.frequencies[~differ],
        clustered=clustered,
        n_samples=n_samples,
    )


def one_cell_each(cells: NDArray[Any], weights: Array, n_cells: int) -> Any:
    """Units of one sample."""
    rows = np.arange(len(cells))
    return sparse.csr_array((weights, (rows, cells.astype(np.int64))), shape=(len(cells), n_cells))


def difference_and_variance(
    pair: Pair, value: ValueOfMatrix, kind: str = "difference"
) -> tuple[float, float]:
    """The difference of both values, or of their logarithms for a ratio, and its variance by their
    derivatives.
    """
    first, second, moves, frequencies = _moves_of_value(pair, value, kind)
    # Exact sums are the same whichever model is first.
    return first - second, math.fsum((frequencies * squared(moves)).tolist())


def n_deciding(pair: Pair, value: ValueOfMatrix, kind: str) -> float:
    """Of how many units that all move the difference as far a variance would be as well known."""
    *_, moves, frequencies = _moves_of_value(pair, value, kind)
    squares = squared(moves)
    return effective_number(squares, frequencies)


def _moves_of_value(
    pair: Pair, value: ValueOfMatrix, kind: str
) -> tuple[float, float, Array, NDArray[Any]]:
    """Both values, or their logarithms, and how far each unit moves their difference, how often."""
    counts = value.counts_of(pair.observed())
    gradients, values = value.gradient_of(counts), value.of(counts)
    if kind == "ratio":
        with np.errstate(all="ignore"):
            gradients, values = gradients / values[:, None], np.log(values)
    (of_first, of_second), (first, second) = gradients, values.tolist()
    moves = pair.first @ of_first - pair.second @ of_second
    unmoved = pair.same @ (of_first - of_second)
    frequencies = np.concatenate([pair.frequencies, pair.frequencies_of_same])
    return first, second, np.concatenate([moves, unmoved]), frequencies


def at_a_time(pair: Pair, value: ValueOfMatrix, outcomes: Any) -> Iterator[slice]:
    """Slices of the outcomes that fit in the cache."""
    n_rows = len(pair.frequencies) + len(pair.frequencies_of_same)
    start = 0
    for size in chunk_sizes(len(outcomes), 2 * max(n_rows, 4 * value.n_classes**2)):
        yield slice(start, start + size)
        start += size
