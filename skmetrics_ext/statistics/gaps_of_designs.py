"""What a gap needs of groups of weighted or clustered samples, or of partly known labels."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, cells_of_counted, with_cells
from skmetrics_ext.counting.design import Clustered, Design, PartlyLabelled, Rescaled
from skmetrics_ext.counting.partial_labels import cells_of
from skmetrics_ext.counting.replicates import random_of
from skmetrics_ext.statistics.bootstrap import leaves_any_out
from skmetrics_ext.statistics.caveats import UNDEFINED, Caveat
from skmetrics_ext.statistics.clusters import correlation_of_entries
from skmetrics_ext.statistics.estimand import estimand_of
from skmetrics_ext.statistics.estimate import (
    as_numbers,
    caveats_of_design,
    intervals_of,
    refuse_unknown,
)
from skmetrics_ext.statistics.gaps import (
    GapRequest,
    LimitsOfEach,
    SampledGroups,
    gap_of,
    place_of_groups,
)
from skmetrics_ext.statistics.partial_labels import sampled_groups
from skmetrics_ext.statistics.proportions import Array, Limits
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.results import Gap, Interval


def gap_of_design(
    counted: Counted, choice: Choice, axes: tuple[Axis, ...], request: GapRequest, design: Design
) -> Gap:
    """The gap between groups, by how the samples were obtained."""
    refuse_unknown(design, "a gap")
    place = place_of_groups(axes, request.axis)
    _refuse_shared(design, axes[place].name)
    caveats = caveats_of_design(design)
    if isinstance(design, Rescaled):
        raise ValueError(
            "a gap at another prevalence has no confidence limits: take it before at_prevalence."
        )
    if isinstance(design, PartlyLabelled):
        cells = cells_of(design.by_stratum)
        groups = sampled_groups(counted, cells, choice, axes, request)
        return gap_of(counted, choice, axes, request, groups, caveats)
    counted, design = as_numbers(counted, design, axes)
    if not design.sees_samples:
        return gap_of(counted, choice, axes, request, caveats=caveats)
    groups = _groups_of_design(counted, choice, axes, request, design)
    return gap_of(counted, choice, axes, request, groups, caveats)


def _refuse_shared(design: Design, name: str) -> None:
    """Refuse groups that have samples in common."""
    times = dict(design.shared).get(name, 1.0)
    if times > 1 and not design.keeps_units_together:
        raise ValueError(
            f"a gap is between groups of different samples, but each sample is in {times:.3g} of "
            f"the entries of {name!r}: make the groups with by=, and specify their axis with "
            "axis=."
        )


def _groups_of_design(
    counted: Counted, choice: Choice, axes: tuple[Axis, ...], request: GapRequest, design: Design
) -> SampledGroups:
    """What a gap needs of groups of weighted or clustered samples."""
    place = place_of_groups(axes, request.axis)
    once = with_cells(counted, design.numbers_of(cells_of_counted(counted)))
    choice = choice.with_undefined(np.nan)
    # The replicates of all confidence levels must be the same.
    seed = int(random_of(request.random_state).integers(2**32))
    # Beyond all replicates there is no evidence, so that no p-value goes there.
    finest = 1 - 2 / (request.n_resamples + 1)

    @cache
    def at_level(level: float) -> Interval:
        """The intervals of all groups at a confidence level."""
        own = Request(level, n_resamples=request.n_resamples, random_state=seed)
        return next(intervals_of(counted, [choice], axes, own, design))

    def limits_of(_: NDArray[np.bool_], asked: Request) -> LimitsOfEach:
        """The limits of all groups; NaN where they would be those of the farthest replicates."""
        level = asked.confidence_level
        found = at_level(min(level, finest))
        ends = np.stack([found.low, found.high])
        if level > finest and not leaves_any_out(request.n_resamples, 1 - level):
            further = found if "bootstrap" in found.method else at_level(level)
            farther = np.stack([further.low, further.high])
            # Other methods draw replicates where the samples do not vary; one end alone may be that
            # of the range.
            ends = np.where((farther != ends).any(0), farther, np.nan)
        limits = Limits(*(np.moveaxis(end, place, -1) for end in ends))
        # The gap has its own rules for few samples and for undefined groups.
        codes = ("few_samples", UNDEFINED)
        kept = (_of_gap(of, place) for of in found.caveats if of.code not in codes)
        return LimitsOfEach(limits, tuple(kept))

    return SampledGroups(once, limits_of, correlation=_correlation(counted, choice, design, place))


def _of_gap(caveat: Caveat, place: int) -> Caveat:
    """A caveat of groups as one of their gap, whose text names them."""
    if caveat.entries is None:
        return caveat
    axes = caveat.axes[:place] + caveat.axes[place + 1 :]
    entries = np.asarray(caveat.entries.any(place))
    return Caveat(caveat.code, caveat.text, entries, None, axes)


def _correlation(counted: Counted, choice: Choice, design: Design, place: int) -> Array | None:
    """The correlation (..., n_groups, n_groups) of the values of groups that have clusters in
    common; None without any.
    """
    if not isinstance(design, Clustered):
        return None
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
    return np.asarray(correlation) if (correlation[..., is_other] != 0).any() else None
