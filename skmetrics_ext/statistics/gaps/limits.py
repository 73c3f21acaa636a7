"""Limits of how groups compare -> limits of the gap, and the p-value that inverts these."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from scipy import special

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.gaps.groups import EQUALITY, ValuesOfGroups
from skmetrics_ext.statistics.multiplicity import alpha_of_gap, alpha_of_group

# No inverted p-value is smaller than at so many standard errors, 2e-9; so many steps give five
# digits.
FARTHEST, STEPS = 6.0, 1 << 20
# Limits unknown at this alpha, about one standard error, always are.
LARGE_ALPHA = 0.3


class SampledGroups(NamedTuple):
    """What a gap needs of its groups beyond their values."""

    # The lower limits (..., n_groups, n_groups) of each group's value minus each other's, or
    # divided by it, at an alpha of each entry (...); NaN if unknown.
    lowest: Callable[[Array], Array]
    # Why these may not hold.
    caveats_at: Callable[[Array], Iterable[Caveat]]
    # Whether they are independent, so that labels may be permuted.
    are_exchangeable: bool = False
    # The least alpha that limits tell from smaller ones, which replicates do not reach.
    finest: float = 0.0


def alphas_at_once(groups: ValuesOfGroups, alpha: float) -> Array:
    """The alpha of each entry (...) at which the limits of all its pairs hold together."""
    n_kept, has_baseline = groups.n_kept, groups.baseline is not None
    alphas = np.full(n_kept.shape, alpha)
    for n in np.unique(n_kept[n_kept >= 2]).tolist():
        alphas[n_kept == n] = alpha_of_group(alpha, n, has_baseline=has_baseline)
    return alphas


def limits_of_gap(groups: ValuesOfGroups, kind: str, lowest: Array) -> Limits:
    """The limits of the largest difference or lowest ratio of a pair, NaN if unknown.

    A pair's upper limit is its lower one the other way round.
    """
    pairs = groups.pairs()
    if kind == "ratio":
        least = np.min(lowest, (-2, -1), where=pairs, initial=1)
        # Of either group to the other, at most 1.
        limits = Limits(least, ratio(1, np.max(lowest, (-2, -1), where=pairs, initial=1)))
    else:
        least = np.max(lowest, (-2, -1), where=pairs, initial=0)
        limits = Limits(least, 0 - np.min(lowest, (-2, -1), where=pairs, initial=0))
    is_unknown = ~pairs.any((-2, -1))
    return Limits(*(np.where(is_unknown, np.nan, limit) for limit in limits))


def p_values_by_limits(sampled: SampledGroups, groups: ValuesOfGroups, kind: str) -> Array:
    """One minus the highest level at which the gap's limits exclude equality."""
    n_kept = groups.n_kept
    step = min(FARTHEST, -float(special.ndtri(sampled.finest / 2))) / STEPS

    def beyond(steps: Array) -> Array:
        """How far beyond equality the limit is for groups' limits so many steps away."""
        lowest = sampled.lowest(2 * special.ndtr(-steps * step))
        farthest = np.max(lowest, (-2, -1), where=groups.pairs(), initial=-np.inf)
        return np.asarray(farthest - EQUALITY[kind])

    alphas = 2 * special.ndtr(-last_beyond(beyond, n_kept.shape, STEPS) * step)
    p_values = alpha_of_gap(alphas, n_kept, has_baseline=groups.baseline is not None)
    low, high = limits_of_gap(groups, kind, sampled.lowest(np.full(n_kept.shape, LARGE_ALPHA)))
    return np.where(np.isnan(low) | np.isnan(high), np.nan, p_values)


@np.errstate(all="ignore")
def last_beyond(beyond: Callable[[Array], Array], shape: tuple[int, ...], n_steps: int) -> Array:
    """The last step of each entry that is beyond equality, by the Illinois method; by halves where
    values repeat, as those of replicates do.
    """
    ends = np.stack([np.zeros(shape), np.full(shape, float(n_steps))])
    values, weights = np.full((2, *shape), np.nan), np.ones((2, *shape))
    by_halves, side = np.zeros(shape, dtype=bool), np.full(shape, -1)
    while (is_open := ends[1] - ends[0] > 1).any():
        at_first, at_last = values * weights
        secant = ends[0] + (ends[1] - ends[0]) * (at_first / (at_first - at_last)) // 1
        by_secant = np.isfinite(secant) & ~by_halves
        steps = np.clip(np.where(by_secant, secant, ends.sum(0) // 2), ends[0] + 1, ends[1] - 1)
        found = beyond(np.where(is_open, steps, ends[0]))
        before, side = side, np.where(found > 0, 0, 1)
        is_moved = is_open & np.stack([side == 0, side == 1])
        by_halves |= (is_moved & (values == found)).any(0)
        weights = np.where(is_moved, 1, np.where(side == before, weights / 2, weights))
        values, ends = np.where(is_moved, found, values), np.where(is_moved, steps, ends)
    return np.asarray(ends[0])
