"""What becomes of a metric of two models where their predictions are swapped, or their units drawn again."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special, stats

from skmetrics_ext.counting.replicates import CELLS_AT_ONCE, heads
from skmetrics_ext.uncertainty.pair import Pair
from skmetrics_ext.uncertainty.proportions import Limits
from skmetrics_ext.uncertainty.question import Array
from skmetrics_ext.uncertainty.slopes import slopes, slopes_by_margins

# So few outcomes are all looked at, as a power of 2.
MOST_ENUMERATED = 12
# So many cells are looked at to find the slopes of an outcome.
MOST_EVALUATED = 1 << 13
# Statistics that differ by less of themselves are the same: slopes are found by small steps.
SAME_STATISTIC = 1e-6
# Differences that are smaller parts of the values are what rounding leaves.
ROUNDING = 1e-12


class ValueOfMatrix(NamedTuple):
    """A metric of matrices (..., n_classes, n_classes)."""

    of: Callable[[Any], Array]
    n_classes: int
    margins_suffice: bool
    """Whether it takes margins, too."""

    @property
    def cost(self) -> int:
        """How many cells it takes to find the slopes."""
        return 16 * self.n_classes**2 if self.margins_suffice else 2 * self.n_classes**4

    def values(self, cells: Array) -> Array:
        """Those of flat matrices (..., n_cells)."""
        return self.of(cells.reshape(*cells.shape[:-1], self.n_classes, self.n_classes))

    def slopes(self, cells: Array) -> Array:
        """How fast the value rises with each cell of flat matrices (..., n_cells)."""
        matrices = cells.reshape(*cells.shape[:-1], self.n_classes, self.n_classes)
        rises = slopes_by_margins(self.of, matrices) if self.margins_suffice else slopes(self.of, matrices)
        return rises.reshape(cells.shape)


class SwapTest(NamedTuple):
    """What became of a permutation test."""

    p_value: float
    method: str
    n_permutations: int
    """How many were drawn; 0 where all were looked at."""


def swap_test(
    pair: Pair, value: ValueOfMatrix, n_resamples: int, random: np.random.Generator, tell: Callable[[str], None]
) -> SwapTest:
    """The p value of a studentised permutation, and how it was found.

    Under the null hypothesis either model might have made either of the two predictions for a unit.
    The difference is measured by its own standard error in each permutation, so that models that are
    equal in the metric alone, and not in all else, are told apart no more often than they should be.
    """
    # Those of the mean of both models are the same in each outcome.
    common = None if value.cost <= MOST_EVALUATED else value.slopes(np.mean(pair.observed(), axis=0))
    observed = _observed(pair, value, common)
    if np.isnan(observed):
        return SwapTest(np.nan, "permutation", 0)
    if np.log2(pair.times + 1.0).sum() <= MOST_ENUMERATED:
        outcomes = np.array(list(itertools.product(*(range(n + 1) for n in pair.times.tolist()))), dtype=np.int64)
        odds = stats.binom.pmf(outcomes, pair.times, 0.5).prod(-1)
        statistics = np.concatenate(
            [_statistic(pair, value, outcomes[part], common) for part in _at_a_time(pair, value, outcomes)]
        )
        odds = np.where(np.isnan(statistics), 0, odds)
        p_value = min(float(odds[_as_far(statistics, observed)].sum() / odds.sum()), 1.0)
        # By common slopes the statistic of the models as they are is no longer one of these.
        return SwapTest(p_value, "exact permutation" if common is None else "permutation", 0)
    n_as_far = n_known = 0
    for part in _at_a_time(pair, value, range(n_resamples)):
        swapped = heads(pair.times, part.stop - part.start, random)
        statistics = _statistic(pair, value, swapped, common)
        n_as_far += int(_as_far(statistics, observed).sum())
        n_known += int((~np.isnan(statistics)).sum())
        tell(f"{part.stop:,} of {n_resamples:,} permutations")
    return SwapTest((1 + n_as_far) / (1 + n_known), "permutation", n_known)


class FurtherUnits(NamedTuple):
    """Units that never occurred and might have: a cell of each model, of which each is as likely as the others."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    weight: float
    """That of each of them."""
    times: float
    """How many units all of them together count for."""


def limits_by_slopes(pair: Pair, value: ValueOfMatrix, further: FurtherUnits, alpha: float) -> Limits:
    """The difference, some standard errors to either side, of the normal law, or of Student's for clusters.

    Both are those of the units and of further ones, without which models that hardly differ would surely be equal.
    """
    cells = (_further_cells(of, further.weight, pair.first.shape[1]) for of in (further.first, further.second))
    first, second = (sparse.vstack(parts, format="csr") for parts in zip((pair.first, pair.second), cells, strict=True))
    n_further = len(further.first)
    times = np.concatenate([pair.times, np.full(n_further, further.times / max(n_further, 1))])
    swapped = np.concatenate([pair.swapped, np.zeros(n_further)])
    smoothed = pair._replace(first=first, second=second, times=times, swapped=swapped)
    differences, variances = _moved(smoothed, value, swapped[None], None)
    variance, quantile = variances[0], -special.ndtri(alpha / 2)
    if pair.clustered:
        variance, quantile = variance * pair.n / (pair.n - 1), stats.t.isf(alpha / 2, pair.n - 1)
    half = quantile * np.sqrt(variance)
    return Limits(differences[0] - half, differences[0] + half)


def _further_cells(cells: NDArray[np.int64], weight: float, n_cells: int) -> Any:
    """Units of one sample each."""
    return sparse.csr_array((np.full(len(cells), weight), (np.arange(len(cells)), cells)), shape=(len(cells), n_cells))


def drawn_differences(
    pair: Pair,
    value: ValueOfMatrix,
    further: FurtherUnits,
    n_resamples: int,
    random: np.random.Generator,
    tell: Callable[[str], None],
) -> Array:
    """The differences (n_resamples,) of units that are drawn with replacement, and some further ones with them."""
    cells_first = sparse.vstack([pair.first, pair.second, pair.same], format="csr")
    cells_second = sparse.vstack([pair.second, pair.first, pair.same], format="csr")
    times = further.times if len(further.first) else 0.0
    shares = np.concatenate([pair.times - pair.swapped, pair.swapped, pair.times_same, [times]])
    shares = shares / shares.sum()
    chunks = []
    for part in _at_a_time(pair, value, range(n_resamples)):
        *_, n_further = drawn = random.multinomial(pair.n, shares, size=part.stop - part.start).T
        totals = drawn[:-1].T @ cells_first, drawn[:-1].T @ cells_second
        rows = np.repeat(np.arange(len(n_further)), n_further)
        chosen = random.integers(max(len(further.first), 1), size=len(rows))
        for total, cells in zip(totals, (further.first, further.second), strict=True):
            np.add.at(total, (rows, cells[chosen]), further.weight)
        # Of two infinite values the difference is unknown.
        with np.errstate(invalid="ignore"):
            chunks.append(value.values(totals[0]) - value.values(totals[1]))
        tell(f"{part.stop:,} of {n_resamples:,} replicates")
    return np.concatenate(chunks)


def _observed(pair: Pair, value: ValueOfMatrix, common: Array | None) -> float:
    """The statistic of the models as they are.

    With common slopes it is the lesser of two. By the models' own slopes alone it would not be one of
    the outcomes, and would be beyond too few of them; by common slopes alone it would not make up for
    models that are not exchangeable.
    """
    own = _statistic(pair, value, pair.swapped[None])
    return float(own[0] if common is None else np.minimum(own, _statistic(pair, value, pair.swapped[None], common))[0])


def _statistic(pair: Pair, value: ValueOfMatrix, swapped: NDArray[Any], common: Array | None = None) -> Array:
    """How many standard errors (n_outcomes,) the models are apart; 0 where they are not."""
    differences, variances = _moved(pair, value, swapped, common)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(differences == 0, 0, np.abs(differences) / np.sqrt(variances)))


def _moved(pair: Pair, value: ValueOfMatrix, swapped: NDArray[Any], common: Array | None) -> tuple[Array, Array]:
    """The difference and its variance where so many units (n_outcomes, n_units) are swapped.

    `common` slopes (n_cells,) stand for those of each outcome where these take too long.
    """
    totals = pair.totals(swapped)
    values = np.stack([value.values(total) for total in totals])
    with np.errstate(invalid="ignore"):
        differences = values[0] - values[1]
        is_rounding = np.isfinite(differences) & (np.abs(differences) <= ROUNDING * np.abs(values).max(0))
    differences = np.where(is_rounding, 0, differences)
    if common is not None:
        # A swap turns the sign of what a unit moves the difference by.
        moves = common @ (pair.first - pair.second).T
        return differences, np.full(len(differences), moves**2 @ pair.times)
    of_first, of_second = (value.slopes(total) for total in totals)
    kept = of_first @ pair.first.T - of_second @ pair.second.T
    turned = of_first @ pair.second.T - of_second @ pair.first.T
    unmoved = (of_first - of_second) @ pair.same.T
    variances = ((pair.times - swapped) * kept**2 + swapped * turned**2).sum(-1) + unmoved**2 @ pair.times_same
    return differences, variances


def _as_far(statistics: Array, observed: float) -> NDArray[np.bool_]:
    """Which outcomes are as far from no difference as the one that was observed."""
    with np.errstate(invalid="ignore"):
        return np.asarray(statistics >= observed * (1 - SAME_STATISTIC))


def _at_a_time(pair: Pair, value: ValueOfMatrix, outcomes: Any) -> Iterator[slice]:
    """Outcomes that fit the memory, some at a time."""
    n_rows = len(pair.times) + len(pair.times_same)
    size = max(CELLS_AT_ONCE // max(n_rows, 4 * value.n_classes**2), 1)
    for start in range(0, len(outcomes), size):
        yield slice(start, min(start + size, len(outcomes)))
