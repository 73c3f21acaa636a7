"""Limits of groups -> limits of the gap between them, and the p-value that inverts these."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.estimand import range_of
from skmetrics_ext.statistics.gaps.groups import EQUALITY, ValuesOfGroups
from skmetrics_ext.statistics.inversion import excludes_equality
from skmetrics_ext.statistics.multiplicity import alpha_of_gap, alpha_of_group
from skmetrics_ext.statistics.values.bootstrap import least_number
from skmetrics_ext.statistics.values.proportions import lowest_ratio

# No inverted p-value is smaller than at so many standard errors, 2e-9; so many bisections give five
# digits.
FARTHEST, BISECTIONS = 6.0, 20
# Limits unknown at this alpha, about one standard error, always are.
LARGE_ALPHA = 0.3


class LimitsOfEach(NamedTuple):
    """The limits (..., n_groups) of groups, and why they may not hold."""

    limits: Limits
    caveats: tuple[Caveat, ...] = ()


# The limits of all groups, at an alpha of each entry (...).
LimitsOfGroups = Callable[[Array], LimitsOfEach]


class SampledGroups(NamedTuple):
    """What a gap needs of its groups beyond their values."""

    limits_of: LimitsOfGroups
    # The same limits, without what is said of them.
    ends_of: Callable[[Array], Limits]
    caveats: tuple[Caveat, ...] = ()
    # The correlation (..., n_groups, n_groups) of groups; 0 for independent ones.
    correlation: Array | float = 0.0
    # Whether they are independent, so that labels may be permuted.
    are_exchangeable: bool = False


def at_each_alpha(limits_at: Callable[[float], LimitsOfEach]) -> LimitsOfGroups:
    """Limits of entries with an alpha each, from those of all entries at one alpha."""

    def limits_of(alphas: Array) -> LimitsOfEach:
        found = [(alpha, limits_at(alpha)) for alpha in np.unique(alphas).tolist()]
        shape = found[0][1].limits.low.shape
        ends, caveats = np.full((2, *shape), np.nan), list[Caveat]()
        for alpha, at_alpha in found:
            is_at_alpha = np.broadcast_to(alphas == alpha, shape[:-1])
            of_entry = np.broadcast_to(is_at_alpha[..., None], shape)
            ends[:, of_entry] = np.stack(at_alpha.limits)[:, of_entry]
            about = (of._replace(entries=of.entries & is_at_alpha) for of in at_alpha.caveats)
            caveats += [of for of in about if np.any(of.entries)]
        return LimitsOfEach(Limits(*ends), tuple(caveats))

    return limits_of


def possible_limits(counted: Counted, choice: Choice, shape: tuple[int, ...]) -> Limits:
    """The lowest and the highest possible value."""
    return Limits(*(np.array(np.broadcast_to(end, shape)) for end in range_of(counted, choice)))


def of_few_replicates(n: int, alpha: float, entries: Any = True) -> Caveat:
    """Groups whose limits would be the farthest replicates, or beyond."""
    text = (
        f"{n} replicates are too few for such a high confidence level of each group, so the limits "
        f"of groups are those of the possible range: pass n_resamples={least_number(alpha)} "
        "or more."
    )
    return Caveat("few_replicates", text, entries)


def limits_of_gap(
    sampled: SampledGroups, groups: ValuesOfGroups, kind: str, alpha: float
) -> LimitsOfEach:
    """The limits of the gap by simultaneous intervals of all pairs; and why they may not hold."""
    n_kept, has_baseline = groups.n_kept, groups.baseline is not None
    alphas = np.full(n_kept.shape, alpha)
    for n in np.unique(n_kept[n_kept >= 2]).tolist():
        alphas[n_kept == n] = alpha_of_group(alpha, n, has_baseline=has_baseline)
    found = sampled.limits_of(alphas)
    return found._replace(limits=_of_pairs(sampled, groups, kind, found.limits))


@np.errstate(all="ignore")
def limits_of_two(groups: ValuesOfGroups, sampled: SampledGroups, alpha: float) -> Limits:
    """The limits of the first of two groups minus the second, by MOVER."""
    ends = sampled.ends_of(np.array(alpha))
    first, second = groups.values
    correlation = np.broadcast_to(sampled.correlation, (2, 2))[0, 1]

    def distance(of_first: float, of_second: float) -> float:
        """From the difference to its limit, by those from both values."""
        square = of_first**2 + of_second**2 - 2 * correlation * of_first * of_second
        return float(np.sqrt(max(square, 0)))

    below = distance(first - ends.low[0], ends.high[1] - second)
    above = distance(ends.high[0] - first, second - ends.low[1])
    return Limits(np.array(first - second - below), np.array(first - second + above))


def limit_of_each_pair(
    sampled: SampledGroups, groups: ValuesOfGroups, kind: str, alpha: float, at_once: Limits
) -> Array:
    """The limit, at level 1 - alpha / 2, beyond which no pair is; of one pair, that at once."""
    found = at_once
    if (groups.n_kept > 2).any():
        ends = sampled.ends_of(np.full(groups.n_kept.shape, alpha))
        found = _of_pairs(sampled, groups, kind, ends)
    return found.low if kind == "ratio" else found.high


def p_values_by_limits(sampled: SampledGroups, groups: ValuesOfGroups, kind: str) -> Array:
    """One minus the highest level at which the gap's limits exclude equality, by bisection."""
    n_kept, equality = groups.n_kept, EQUALITY[kind]

    def at_errors(errors: Array) -> Limits:
        """The limits of the gap for groups' limits so many standard errors away."""
        return _of_pairs(sampled, groups, kind, sampled.ends_of(2 * special.ndtr(-errors)))

    least, most = np.zeros(n_kept.shape), np.full(n_kept.shape, FARTHEST)
    for _ in range(BISECTIONS):
        middle = (least + most) / 2
        excludes = excludes_equality(at_errors(middle), equality)
        least, most = np.where(excludes, middle, least), np.where(excludes, most, middle)
    alphas = 2 * special.ndtr(-least)
    p_values = alpha_of_gap(alphas, n_kept, has_baseline=groups.baseline is not None)
    low, high = at_errors(np.full(n_kept.shape, -float(special.ndtri(LARGE_ALPHA / 2))))
    return np.where(np.isnan(low) | np.isnan(high), np.nan, p_values)


def _of_pairs(sampled: SampledGroups, groups: ValuesOfGroups, kind: str, ends: Limits) -> Limits:
    """The limits of the gap from those of the groups, NaN if unknown."""
    of_pairs = limits_of_ratio if kind == "ratio" else limits_of_difference
    limits = of_pairs(groups, ends, sampled.correlation)
    is_unknown = (groups.kept & (np.isnan(ends.low) | np.isnan(ends.high))).any(-1)
    is_unknown |= ~groups.pairs().any((-2, -1))
    return Limits(*(np.where(is_unknown, np.nan, limit) for limit in limits))


def limits_of_difference(
    groups: ValuesOfGroups, limits: Limits, correlation: Array | float = 0.0
) -> Limits:
    """Limits of a pair's largest difference by MOVER (Zou & Donner 2008; correlated, Zou 2007)."""
    first, second = groups.values[..., :, None], groups.values[..., None, :]
    with np.errstate(all="ignore"):
        of_first = first - limits.low[..., :, None]
        of_second = limits.high[..., None, :] - second
        square = of_first**2 + of_second**2 - 2 * correlation * of_first * of_second
        lower = first - second - np.sqrt(np.maximum(square, 0))
    # The difference of two infinite values is unknown.
    lower, pairs = np.where(np.isnan(lower), -np.inf, lower), groups.pairs()
    low = np.max(lower, (-2, -1), where=pairs, initial=0)
    # A pair's upper limit is its lower one the other way round.
    return Limits(low, 0 - np.min(lower, (-2, -1), where=pairs, initial=0))


def limits_of_ratio(
    groups: ValuesOfGroups, limits: Limits, correlation: Array | float = 0.0
) -> Limits:
    """Limits of a pair's lowest ratio by MOVER: Donner & Zou (2012)."""
    first, second = groups.values[..., :, None], groups.values[..., None, :]
    low, high = limits.low[..., :, None], limits.high[..., None, :]
    lower, pairs = lowest_ratio(first, second, low, high, correlation), groups.pairs()
    # Of either group to the other, at most 1.
    least = np.min(lower, (-2, -1), where=pairs, initial=1)
    return Limits(least, ratio(1, np.max(lower, (-2, -1), where=pairs, initial=1)))
