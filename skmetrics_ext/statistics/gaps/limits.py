"""Limits of how groups compare -> limits of the gap, and the p-value that inverts these."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from scipy import special

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.gaps.groups import EQUALITY, ValuesOfGroups
from skmetrics_ext.statistics.inversion import excludes_equality
from skmetrics_ext.statistics.multiplicity import alpha_of_gap, alpha_of_group

# No inverted p-value is smaller than at so many standard errors, 2e-9; so many bisections give five
# digits.
FARTHEST, BISECTIONS = 6.0, 20
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
    """One minus the highest level at which the gap's limits exclude equality, by bisection."""
    n_kept, equality = groups.n_kept, EQUALITY[kind]

    def at_errors(errors: Array) -> Limits:
        """The limits of the gap for groups' limits so many standard errors away."""
        return limits_of_gap(groups, kind, sampled.lowest(2 * special.ndtr(-errors)))

    farthest = min(FARTHEST, -float(special.ndtri(sampled.finest / 2)))
    least, most = np.zeros(n_kept.shape), np.full(n_kept.shape, farthest)
    for _ in range(BISECTIONS):
        middle = (least + most) / 2
        excludes = excludes_equality(at_errors(middle), equality)
        least, most = np.where(excludes, middle, least), np.where(excludes, most, middle)
    alphas = 2 * special.ndtr(-least)
    p_values = alpha_of_gap(alphas, n_kept, has_baseline=groups.baseline is not None)
    low, high = at_errors(np.full(n_kept.shape, -float(special.ndtri(LARGE_ALPHA / 2))))
    return np.where(np.isnan(low) | np.isnan(high), np.nan, p_values)
