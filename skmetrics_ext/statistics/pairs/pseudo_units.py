"""Pseudo-units: what two models may differ in beyond the units on which they were seen to."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.statistics.constants import DISCORDANT
from skmetrics_ext.statistics.pairs.pair import Pair, one_cell_each


class PseudoUnits(NamedTuple):
    """Units that are all equally likely: a cell for each model."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    # The weight of each.
    weight: float
    # The total number of units they represent.
    n_units: float

    @property
    def frequency(self) -> float:
        """The number of units that each represents; there are none where all have one class."""
        return self.n_units / max(len(self.first), 1)


def units_half_right(pair: Pair, n_classes: int, n: int) -> PseudoUnits:
    """Units that one model alone has right, over all cells, of the mean weight of n."""
    first, second = (total.reshape(n_classes, n_classes) for total in pair.observed())
    is_actual = first.sum(1) > 0
    occurs = is_actual | (first.sum(0) > 0) | (second.sum(0) > 0)
    is_wrong = is_actual[:, None] & occurs[None, :] & ~np.eye(n_classes, dtype=bool)
    actual, predicted = np.nonzero(is_wrong)
    right, wrong = actual * (n_classes + 1), actual * n_classes + predicted
    return PseudoUnits(
        first=np.concatenate([right, wrong]),
        second=np.concatenate([wrong, right]),
        weight=first.sum() / n,
        n_units=DISCORDANT,
    )


def with_further_units(pair: Pair, further: PseudoUnits) -> Pair:
    """The same with pseudo-units among those that differ."""
    n_further, n_cells = len(further.first), pair.first.shape[1]
    weights = np.full(n_further, further.weight)
    first, second = (
        one_cell_each(cells, weights, n_cells) for cells in (further.first, further.second)
    )
    return replace(
        pair,
        first=sparse.vstack([pair.first, first], format="csr"),
        second=sparse.vstack([pair.second, second], format="csr"),
        frequencies=np.append(pair.frequencies, np.full(n_further, further.frequency)),
    )
