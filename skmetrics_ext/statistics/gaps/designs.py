"""Gaps by their design, and what they need of groups of weighted or clustered samples."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, cells_of_counted, with_cells
from skmetrics_ext.counting.design import Clustered, PartlyLabeled, Rescaled, SampleDesign
from skmetrics_ext.counting.partial_labels import cells_of
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import UNDEFINED, Caveat
from skmetrics_ext.statistics.clusters import correlation_of_entries
from skmetrics_ext.statistics.compared import Compared
from skmetrics_ext.statistics.estimand import estimand_of
from skmetrics_ext.statistics.estimate import (
    as_numbers,
    caveats_of_design,
    intervals_at_any_level,
    refuse_unknown,
)
from skmetrics_ext.statistics.gaps.caveats import of_gaps
from skmetrics_ext.statistics.gaps.gap import DesignOfGroups, difference_of_two, gap_of
from skmetrics_ext.statistics.gaps.groups import ValuesOfGroups
from skmetrics_ext.statistics.gaps.independent import independent_groups
from skmetrics_ext.statistics.gaps.levels import (
    LimitsOfEach,
    at_each_alpha,
    of_few_replicates,
    possible_limits,
    sampled_by_mover,
)
from skmetrics_ext.statistics.gaps.limits import SampledGroups
from skmetrics_ext.statistics.gaps.partial_labels import counts_of_groups
from skmetrics_ext.statistics.gaps.request import GapRequest, check_fits, check_gap, place_of_groups
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.results import Gap
from skmetrics_ext.statistics.values.bootstrap import leaves_any_out, streams_of_groups


def gap_of_design(
    counted: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    request: GapRequest,
    design: SampleDesign,
) -> Gap:
    """The gap between groups, by their design."""
    request = request.with_seed()
    place = _checked_place(counted, choice, axes, request, design)
    caveats = caveats_of_design(design, len(axes), place)
    counted, design = as_numbers(counted, design, axes)
    counts = _counts_of_design(counted, choice, axes, place, request, design)
    return gap_of(counted, choice, axes, place, request, counts, caveats)


def difference_of_design(
    counted: Counted, choice: Choice, axis: Axis, request: GapRequest, design: SampleDesign
) -> Compared:
    """The difference of two groups, by their design."""
    request = request.with_seed()
    place = _checked_place(counted, choice, (axis,), request, design)
    caveats = caveats_of_design(design, 1, place)
    counted, design = as_numbers(counted, design, (axis,))
    counts = _counts_of_design(counted, choice, (axis,), place, request, design)
    return difference_of_two(counted, choice, axis, request, counts, caveats)


def _checked_place(
    counted: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    request: GapRequest,
    design: SampleDesign,
) -> int:
    """The group axis's position, of a design and a metric whose gaps have limits."""
    refuse_unknown(design, "a gap")
    place = place_of_groups(axes, request.axis)
    _refuse_shared(design, axes[place].name)
    if isinstance(design, Rescaled):
        raise ValueError(
            "a gap at another prevalence has no confidence limits: take it before at_prevalence."
        )
    check_gap(counted, choice, axes[place], request)
    return place


def _counts_of_design(
    counted: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    place: int,
    request: GapRequest,
    design: SampleDesign,
) -> DesignOfGroups:
    """How the samples of the groups were obtained."""
    check_fits(counted, choice, request, design)
    if isinstance(design, PartlyLabeled):
        return counts_of_groups(
            counted, cells_of(design.by_stratum), choice, axes[place], place, request
        )
    if not design.sees_samples:
        return DesignOfGroups(
            counted, partial(independent_groups, counted, choice, axes, place, request)
        )
    once = with_cells(counted, design.numbers_of(cells_of_counted(counted)))
    of_groups = partial(_groups_of_design, counted, choice, axes, place, request, design)
    return DesignOfGroups(once, of_groups)


def _refuse_shared(design: SampleDesign, name: str) -> None:
    """Refuse groups that have samples in common."""
    times = np.max(dict(design.shared).get(name, 1.0))
    if times > 1 and not design.keeps_units_together:
        raise ValueError(
            f"a gap is between groups of different samples, but each sample is in {times:.3g} of "
            f"the entries of {name!r}: make the groups with by=, and specify their axis with "
            "axis=."
        )


def _groups_of_design(
    counted: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    place: int,
    request: GapRequest,
    design: SampleDesign,
    groups: ValuesOfGroups,
) -> SampledGroups:
    """What a gap needs of groups of weighted or clustered samples."""
    choice = choice.with_undefined(np.nan)
    streams = streams_of_groups(tuple(len(axis.coordinates) for axis in axes), place)
    # Beyond all replicates is no evidence, nor a p-value.
    finest = 1 - 2 / (request.n_resamples + 1)

    asked = Request(n_resamples=request.n_resamples, random_state=request.seed, streams=streams)
    of_groups = intervals_at_any_level(counted, [choice], axes, asked, design)

    @cache
    def ends_at(level: float) -> Array:
        """The limits of all groups at a confidence level."""
        return np.stack(of_groups.limits(asked._replace(confidence_level=level)))

    def limits_at(alpha: float) -> LimitsOfEach:
        """The limits of all groups; the possible ones where the farthest replicates would be."""
        level, beyond = 1 - alpha, list[Caveat]()
        ends = ends_at(min(level, finest))
        if level > finest and not leaves_any_out(request.n_resamples, alpha):
            farther = ends_at(level)
            # Other methods draw where samples do not vary; one end alone may be the range's.
            is_farthest = ~(farther != ends).any(0)
            ends = np.where(
                is_farthest, possible_limits(counted, choice, is_farthest.shape), farther
            )
            are_meant = (np.moveaxis(is_farthest, place, -1) & groups.kept).any(-1)
            if are_meant.any():
                beyond = [of_few_replicates(request.n_resamples, alpha, are_meant)]

        def caveats() -> list[Caveat]:
            """Those of the intervals, and of few replicates by a gap's own rule."""
            at_level = asked._replace(confidence_level=min(level, finest))
            found = next(of_groups.intervals(at_level))
            # A gap's own rules are for few replicates and undefined groups.
            codes = ("few_replicates", UNDEFINED)
            of_all = (of for of in found.caveats if of.code not in codes)
            axis, kept = axes[place], groups.kept
            return [
                *(of_gap for of in of_all for of_gap in of_gaps(of, axis, place, kept)),
                *beyond,
            ]

        limits = Limits(*(np.moveaxis(end, place, -1) for end in ends))
        return LimitsOfEach(limits, caveats)

    correlation = _correlation(counted, choice, design, place)
    return sampled_by_mover(groups, request.kind, at_each_alpha(limits_at), correlation)


def _correlation(
    counted: Counted, choice: Choice, design: SampleDesign, place: int
) -> Array | float:
    """The correlation (..., n_groups, n_groups) of groups that share clusters; 0 without any."""
    if not isinstance(design, Clustered):
        return 0.0
    estimand = estimand_of(counted, choice)
    between: Any = correlation_of_entries(design, estimand, multilabel=counted.multilabel)
    shape = estimand.matrices.shape[:-2]
    groups = shape[place]
    both = np.moveaxis(between.reshape(shape + shape), (place, len(shape) + place), (-2, -1))
    others = int(np.prod(shape)) // groups
    flat = both.reshape(others, others, groups, groups)
    own = flat[np.arange(others), np.arange(others)]
    rest = shape[:place] + shape[place + 1 :]
    correlation = own.reshape(*rest, groups, groups)
    is_other = ~np.eye(groups, dtype=bool)
    return np.asarray(correlation) if (correlation[..., is_other] != 0).any() else 0.0
