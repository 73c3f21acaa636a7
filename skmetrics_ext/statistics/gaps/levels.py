"""Limits of all groups at one level -> those at a level of each entry, beyond replicates too."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.estimand import range_of
from skmetrics_ext.statistics.gaps.groups import ValuesOfGroups
from skmetrics_ext.statistics.gaps.limits import SampledGroups
from skmetrics_ext.statistics.gaps.mover import lowest_by_mover
from skmetrics_ext.statistics.values.bootstrap import least_number


class LimitsOfEach(NamedTuple):
    """The limits (..., n_groups) of groups, and why they may not hold, which is asked of a single
    one of the many levels that p-values are searched at.
    """

    limits: Limits
    caveats: Callable[[], Sequence[Caveat]]


# The limits of all groups, at an alpha of each entry (...).
LimitsOfGroups = Callable[[Array], LimitsOfEach]


def at_each_alpha(limits_at: Callable[[float], LimitsOfEach]) -> LimitsOfGroups:
    """Limits of entries with an alpha each, from those of all entries at one alpha."""

    def limits_of(alphas: Array) -> LimitsOfEach:
        found = [(alpha, limits_at(alpha)) for alpha in np.unique(alphas).tolist()]
        shape = found[0][1].limits.low.shape
        ends = np.full((2, *shape), np.nan)
        for alpha, at_alpha in found:
            of_entry = np.broadcast_to((alphas == alpha)[..., None], shape)
            ends[:, of_entry] = np.stack(at_alpha.limits)[:, of_entry]

        def caveats() -> list[Caveat]:
            """Those of each alpha, about its entries."""
            each = []
            for alpha, at_alpha in found:
                is_at_alpha = np.broadcast_to(alphas == alpha, shape[:-1])
                each += [of._replace(entries=of.entries & is_at_alpha) for of in at_alpha.caveats()]
            return [of for of in each if np.any(of.entries)]

        return LimitsOfEach(Limits(*ends), caveats)

    return limits_of


def sampled_by_mover(
    groups: ValuesOfGroups,
    kind: str,
    limits_of: LimitsOfGroups,
    correlation: Array | float = 0.0,
    caveats: Iterable[Caveat] = (),
) -> SampledGroups:
    """What a gap needs of groups that have these limits."""
    return SampledGroups(
        lambda alphas: lowest_by_mover(groups, kind, limits_of(alphas).limits, correlation),
        lambda alphas: (*caveats, *limits_of(alphas).caveats()),
    )


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
