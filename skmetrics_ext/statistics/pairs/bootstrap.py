"""The bootstrap of two models: units drawn with replacement, both predictions together."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.pairs.pair import Pair, at_a_time
from skmetrics_ext.statistics.pairs.pseudo_units import PseudoUnits
from skmetrics_ext.statistics.values.delta import ValueOfMatrix


class PairedDraws(NamedTuple):
    """How many replicates are drawn, from which seed, and whom to tell."""

    n: int
    seed: np.random.SeedSequence
    # Called with the number of replicates so far.
    tell: Callable[[str], None]


def drawn_differences(
    pair: Pair,
    value: ValueOfMatrix,
    further: PseudoUnits | None,
    draws: PairedDraws,
    kind: str = "difference",
) -> Array:
    """The differences of resampled units, sorted, of logarithms for ratios: in one half of the
    replicates the models are exchanged, from the same stream, so that neither is the first.
    """
    halves = [
        np.concatenate([*_replicates(of, value, further, draws, kind)])
        for of in (pair, exchanged(pair))
    ]
    return np.sort(np.concatenate([halves[0], -halves[1]]))


def exchanged(pair: Pair) -> Pair:
    """The same with the models exchanged, its rows in the order that they then have."""
    if pair.clustered:
        return replace(pair, first=pair.second, second=pair.first)
    order = np.lexsort((pair.first.data, pair.first.indices, pair.second.indices))
    return replace(
        pair,
        first=pair.second[order],
        second=pair.first[order],
        frequencies=pair.frequencies[order],
    )


def _replicates(
    pair: Pair, value: ValueOfMatrix, further: PseudoUnits | None, draws: PairedDraws, kind: str
) -> Iterator[Array]:
    """Chunks of half of the replicates' differences, pseudo-units among the units."""
    random = np.random.default_rng(draws.seed)
    n = draws.n // 2 + draws.n % 2
    cells_first = sparse.vstack([pair.first, pair.same], format="csr")
    cells_second = sparse.vstack([pair.second, pair.same], format="csr")
    n_further = 0.0 if further is None or not len(further.first) else further.n_units
    frequencies = np.concatenate([pair.frequencies, pair.frequencies_of_same, [n_further]])
    shares = frequencies / frequencies.sum()
    for part in at_a_time(pair, value, range(n)):
        drawn = random.multinomial(pair.n, shares, size=part.stop - part.start)
        first, second = drawn[:, :-1] @ cells_first, drawn[:, :-1] @ cells_second
        if further is not None:
            _add_drawn(first, second, further, drawn[:, -1], random)
        # The difference of two infinite values is unknown, and the ratio of two that are 0.
        with np.errstate(invalid="ignore", divide="ignore"):
            values = [value.values(first), value.values(second)]
            of_first, of_second = np.log(values) if kind == "ratio" else values
            yield of_first - of_second
        draws.tell(f"{2 * part.stop:,} of {2 * n:,} replicates")


def _add_drawn(
    first: Array,
    second: Array,
    further: PseudoUnits,
    n_drawn: NDArray[np.int64],
    random: np.random.Generator,
) -> None:
    """Add so many random pseudo-units (n_replicates,) to both counts (n_replicates, n_cells)."""
    replicates = np.repeat(np.arange(len(n_drawn)), n_drawn)
    chosen = random.integers(max(len(further.first), 1), size=len(replicates))
    np.add.at(first, (replicates, further.first[chosen]), further.weight)
    np.add.at(second, (replicates, further.second[chosen]), further.weight)
