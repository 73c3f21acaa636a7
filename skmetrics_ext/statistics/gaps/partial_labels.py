"""Gaps between groups of samples of which only some have a label."""

import numpy as np

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.partial_labels import PartialCells
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.estimand import value_of_matrices
from skmetrics_ext.statistics.gaps.caveats import of_gaps
from skmetrics_ext.statistics.gaps.gap import DesignOfGroups
from skmetrics_ext.statistics.gaps.groups import ValuesOfGroups
from skmetrics_ext.statistics.gaps.levels import (
    LimitsOfEach,
    at_each_alpha,
    of_few_replicates,
    possible_limits,
    sampled_by_mover,
)
from skmetrics_ext.statistics.gaps.limits import SampledGroups
from skmetrics_ext.statistics.gaps.request import GapRequest
from skmetrics_ext.statistics.values.bootstrap import Draws, leaves_any_out, streams_of_groups
from skmetrics_ext.statistics.values.partial_labels import (
    counted_of_labels,
    estimand_of_partial_labels,
    limits_of_partial_labels,
    of_small_cells,
    values_of_replicates,
)


def counts_of_groups(
    counted: Counted,
    cells: PartialCells,
    choice: Choice,
    axis: Axis,
    place: int,
    request: GapRequest,
) -> DesignOfGroups:
    """What a gap needs of groups with partly known labels."""
    estimand_of_partial_labels(counted, choice)
    streams = streams_of_groups(cells.totals.shape[:-2], place)
    draws = Draws(request.n_resamples, request.seed, by_row=False, streams=streams)
    (values,) = values_of_replicates(cells, [value_of_matrices(counted, choice)], draws)

    def limits_at(alpha: float) -> LimitsOfEach:
        """The limits of all groups, unknown beyond all replicates."""
        if not leaves_any_out(draws.n, alpha):
            ends = possible_limits(counted, choice, values.shape[1:])
            caveats = [of_few_replicates(draws.n, alpha)]
        else:
            ends, caveats = limits_of_partial_labels(counted, choice, values, alpha), []
        moved = Limits(*(np.moveaxis(end, place, -1) for end in ends))
        return LimitsOfEach(moved, lambda: caveats)

    def sampled(groups: ValuesOfGroups) -> SampledGroups:
        """The same of the groups that are compared."""
        has_classes = groups.kept.ndim > cells.totals.ndim - 2
        of_cells = of_small_cells(cells, has_classes=has_classes)
        caveats = [of for caveat in of_cells for of in of_gaps(caveat, axis, place, groups.kept)]
        return sampled_by_mover(groups, request.kind, at_each_alpha(limits_at), caveats=caveats)

    return DesignOfGroups(counted_of_labels(counted, cells), sampled)
