"""The score test of no difference: the rates at which two models disagree, if they are equal."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.division import squared
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.pairs.metric import PairedMetric
from skmetrics_ext.statistics.pairs.pair import Pair
from skmetrics_ext.statistics.pairs.pseudo_units import PseudoUnits, units_half_right
from skmetrics_ext.statistics.values.delta import ValueOfMatrix

# A smaller proportion of the largest rate is none, and of the largest move another.
FLAT = 1e-10
# So many give the rates' multiplier to the rounding of floats.
HALVINGS = 55


def p_value_by_rates(pair: Pair, metric: PairedMetric) -> float:
    """The p-value of the score test of the rates of disagreement, on the scale of derivatives.

    Unlike limits it allows for disagreements that did not occur: a model that gains by many small
    moves is expected to lose by a few large ones. 0 where it is not known to hold.
    """
    value = metric.value
    further = units_half_right(pair, value.n_classes, pair.n_samples)
    slope = _slope_of_both(pair, value, further)
    moves = pair.moves @ slope
    difference = math.fsum((moves * pair.frequencies).tolist())
    if difference < 0:
        moves, difference = -moves, -difference
    # In one order, whichever model is first.
    order = np.lexsort((pair.frequencies, moves))
    moves, frequencies = moves[order], pair.frequencies[order]
    # What moves the difference one way might as well have moved it the other way.
    sizes = np.abs(moves)
    unseen = np.abs(further.weight * (slope[further.first] - slope[further.second]))
    largest = max(sizes.max(initial=0), unseen.max(initial=0))
    if not (np.isfinite(difference) and np.isfinite(largest) and difference > 0):
        return 0.0
    # Of few clusters it is not exact.
    if pair.clustered and unseen.max(initial=0) <= sizes.max():
        return 0.0
    rates = _rates_without_difference(moves, frequencies, largest)
    # What remains is due to the largest loss.
    remaining = max(rates @ moves, 0)
    variance = rates @ squared(moves) + largest * remaining
    if metric.strata is not None and not (pair.clustered or pair.is_weighted):
        of_units, of_further = (
            metric.strata[cells // value.n_classes]
            for cells in (pair.first.indices[order], further.first)
        )
        totals = np.bincount(of_units, rates * moves, metric.strata.max() + 1)
        lost = [of_units[sizes > largest * (1 - FLAT)], of_further[unseen > largest * (1 - FLAT)]]
        n = _sizes_of_strata(pair, metric.strata, of_units, rates)
        # In whichever stratum it is.
        variance -= min(
            (squared(totals - remaining * (np.arange(len(totals)) == stratum)) / n).sum()
            for stratum in np.unique(np.concatenate(lost))
        )
    return float(special.chdtrc(1, difference**2 / variance))


def _sizes_of_strata(
    pair: Pair, strata: NDArray[np.int64], of_units: NDArray[np.int64], rates: Array
) -> Array:
    """The samples of each stratum, at least those expected to differ."""
    n_cells = len(strata) ** 2
    samples = np.zeros(n_cells)
    for cells, frequencies in pair.units():
        samples += np.bincount(cells.indices, frequencies, n_cells)
    of_classes = samples.reshape(len(strata), -1).sum(1)
    n_strata = strata.max() + 1
    expected = np.bincount(of_units, rates, n_strata)
    return np.maximum(np.maximum(np.bincount(strata, of_classes, n_strata), expected), 1)


def _slope_of_both(pair: Pair, value: ValueOfMatrix, further: PseudoUnits) -> Array:
    """Derivatives by each cell (n_cells,) at both mean counts, pseudo-samples' by empty ones."""
    counts = np.mean(pair.observed(), axis=0)
    for cells in (further.first, further.second):
        np.add.at(counts, cells, further.weight * further.frequency / 2)
    return value.gradient_of(value.counts_of(counts))


def _rates_without_difference(moves: Array, frequencies: Array, largest_loss: float) -> Array:
    """Likeliest rates of units without a difference: frequencies / (1 + moves * multiplier)."""
    low, high = 0.0, (1 - FLAT) / largest_loss
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_too_low = frequencies @ (moves / (1 + moves * middle)) > 0
        low, high = (middle, high) if is_too_low else (low, middle)
    return np.asarray(frequencies / (1 + moves * low))
