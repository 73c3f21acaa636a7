"""What a gap needs of groups of independent samples, by the method that was asked for."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, CountedLabels, CountedMatrix
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.estimand import Estimand, estimand_of
from skmetrics_ext.statistics.gaps.bootstrap import lowest_by_bootstrap
from skmetrics_ext.statistics.gaps.caveats import FEW_SAMPLES, of_few_that_vary, of_gaps
from skmetrics_ext.statistics.gaps.delta import lowest_by_delta
from skmetrics_ext.statistics.gaps.groups import ValuesOfGroups
from skmetrics_ext.statistics.gaps.limits import SampledGroups
from skmetrics_ext.statistics.gaps.miettinen_nurminen import lowest_by_score
from skmetrics_ext.statistics.gaps.mover import lowest_by_mover
from skmetrics_ext.statistics.gaps.request import DEFAULT, GapRequest
from skmetrics_ext.statistics.request import Request, draws_of
from skmetrics_ext.statistics.values.bootstrap import bootstrap, streams_of_groups
from skmetrics_ext.statistics.values.intervals import intervals_at_levels, n_that_move
from skmetrics_ext.statistics.values.limits import slopes_at
from skmetrics_ext.statistics.variation import OfCounts, none_added

# Methods by the limits of each group, and the method of these.
BY_MOVER = {DEFAULT: "auto", "newcombe": "wilson", "mover": "wilson"}


class ComparedGroups(NamedTuple):
    """The groups of independent samples that are compared, and which of all entries they are."""

    counted: Counted
    choice: Choice
    axis: Axis
    place: int
    request: GapRequest
    groups: ValuesOfGroups
    # Of all axes.
    asked: NDArray[np.bool_]

    @property
    def estimand(self) -> Estimand:
        """What is requested of them, on one axis."""
        return estimand_of(self.counted, self.choice)

    def of_asked(self, alphas: Array) -> Array:
        """Their alphas, from those of each gap."""
        of_groups = np.broadcast_to(alphas[..., None], self.groups.kept.shape)
        return np.asarray(np.moveaxis(of_groups, -1, self.place)[self.asked])

    def among_all(self, array: NDArray[Any], filler: Any = 0) -> NDArray[Any]:
        """What is said of them, of all entries."""
        whole = np.full((*self.asked.shape, *array.shape[1:]), filler, dtype=array.dtype)
        whole[self.asked] = array
        return whole

    def of_groups(self, array: Array) -> Array:
        """The same with the groups last, NaN for others."""
        return np.moveaxis(self.among_all(array, np.nan), self.place, -1)

    def own_request(self, method: str) -> Request:
        """A request of limits of each, with replicates that are independent of the others'."""
        streams = streams_of_groups(self.asked.shape, self.place)[self.asked]
        return Request(
            method=method,
            n_resamples=self.request.n_resamples,
            random_state=self.request.seed,
            streams=streams,
        )


def independent_groups(
    counted: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    place: int,
    request: GapRequest,
    groups: ValuesOfGroups,
) -> SampledGroups:
    """What a gap needs of groups of independent samples."""
    kept = groups.kept
    has_classes = counted.multilabel or kept.ndim > counted.matrix.ndim - 2
    asked = np.moveaxis(np.asarray(kept.any(-2)) if has_classes else kept, -1, place)
    some = _some_entries(counted, asked)
    of = ComparedGroups(some, choice, axes[place], place, request, groups, asked)
    if request.chosen in BY_MOVER:
        return _by_mover(of)
    return {
        "miettinen-nurminen": _by_score,
        "delta": _by_delta,
        "bootstrap": _by_bootstrap,
        "smoothed-bootstrap": _by_bootstrap,
    }[request.method](of)


def _some_entries(counted: Counted, asked: NDArray[np.bool_]) -> Counted:
    """The counts of some entries, on one axis."""
    if counted.multilabel:
        return CountedLabels(ClassCounts(*(part[asked] for part in counted.classes)), counted.order)
    return CountedMatrix(counted.matrix[asked], counted.order, counted.positive, counted.ranking)


def _by_mover(of: ComparedGroups) -> SampledGroups:
    """By the limits of each group, which have Wilson's if a published method is asked for."""
    method = BY_MOVER[of.request.chosen]
    at_levels = intervals_at_levels(of.counted, of.choice, of.own_request(method))

    def lowest(alphas: Array) -> Array:
        """How the groups compare at least."""
        ends = map(of.of_groups, at_levels.limits(of.of_asked(alphas)))
        return lowest_by_mover(of.groups, of.request.kind, Limits(*ends))

    def caveats_at(alphas: Array) -> Iterator[Caveat]:
        """What is said of these limits."""
        if method != "auto":
            yield from _of_few(of, alphas)
        for caveat in at_levels.caveats(of.of_asked(alphas)):
            if method != "auto" and caveat.code == FEW_SAMPLES:
                continue
            moved = caveat.moved(of.among_all, ())
            yield from of_gaps(moved, of.axis, of.place, of.groups.kept)

    return SampledGroups(lowest, caveats_at, are_exchangeable=True, finest=at_levels.finest)


def _by_score(of: ComparedGroups) -> SampledGroups:
    """By Miettinen & Nurminen's test of the proportions that the values rise or fall with."""
    share = of.estimand.proportion
    assert share is not None, "the score test is of proportions"
    at_none, at_all = share.value_at(np.array([0.0, 1.0]))
    hits, n = map(of.of_groups, (share.hits, share.n))
    hits = n - hits if at_all < at_none else hits

    def lowest(alphas: Array) -> Array:
        """How the groups compare at least."""
        return np.asarray(abs(at_all - at_none) * lowest_by_score(hits, n, alphas))

    return SampledGroups(lowest, partial(_of_few, of), are_exchangeable=True)


def _by_delta(of: ComparedGroups) -> SampledGroups:
    """By standard errors of each group, within the possible range."""
    estimand = of.estimand
    slopes = slopes_at(estimand, estimand.matrices)
    spread = OfCounts(by_row=False).spread(estimand, slopes, none_added(estimand))
    errors = of.of_groups(spread.error)
    least, most = (of.of_groups(np.broadcast_to(end, spread.error.shape)) for end in estimand.ends)

    def lowest(alphas: Array) -> Array:
        """How the groups compare at least."""
        found = lowest_by_delta(of.groups, of.request.kind, errors, alphas)
        if of.request.kind == "ratio":
            return found
        return np.asarray(np.maximum(found, least[..., :, None] - most[..., None, :]))

    return SampledGroups(lowest, partial(_of_few, of), are_exchangeable=True)


def _by_bootstrap(of: ComparedGroups) -> SampledGroups:
    """By replicates of each group, of the counts as they are or smoothed."""
    draws = draws_of(of.own_request("auto"))
    estimand = of.estimand
    is_smoothed = of.request.method == "smoothed-bootstrap"
    [values] = bootstrap([replace(estimand, is_smoothed=is_smoothed)], draws)
    replicates = np.moveaxis(of.of_groups(np.moveaxis(values, 0, -1)), -2, 0)

    def lowest(alphas: Array) -> Array:
        """How the groups compare at least."""
        return lowest_by_bootstrap(of.request.kind, replicates, alphas)

    finest = 2 / (draws.n + 1)
    return SampledGroups(lowest, partial(_of_few, of), are_exchangeable=True, finest=finest)


def _of_few(of: ComparedGroups, _: Array) -> Iterator[Caveat]:
    """Groups of few samples that move the value."""
    estimand = of.estimand
    fewest = of.of_groups(np.fmin(estimand.samples_counted(), n_that_move(estimand)).round(1))
    name = estimand.choice.name_with(estimand.average)
    yield from of_few_that_vary(name, of.axis, of.groups, fewest)
