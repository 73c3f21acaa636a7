"""Counts of groups and a choice -> Gap: a difference, its limits, and a test of equality."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import stream_of
from skmetrics_ext.reading.order import name_as_text, plain, show
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat, caveats_by_sentence
from skmetrics_ext.statistics.compared import Compared, LimitsAndTest, unknown
from skmetrics_ext.statistics.estimand import Estimand, estimand_of
from skmetrics_ext.statistics.gaps.caveats import (
    of_few,
    of_no_width,
    of_undefined,
    of_unknown,
    without_told,
)
from skmetrics_ext.statistics.gaps.groups import (
    EQUALITY,
    FarthestPair,
    ValuesOfGroups,
    farthest_pair,
    gap_of_values,
)
from skmetrics_ext.statistics.gaps.limits import (
    SampledGroups,
    alphas_at_once,
    limits_of_gap,
    p_values_by_limits,
)
from skmetrics_ext.statistics.gaps.permutation import (
    Equality,
    equality_by_permutation,
    share_tested,
)
from skmetrics_ext.statistics.gaps.request import GapRequest, place_of_baseline
from skmetrics_ext.statistics.inversion import agreeing
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.results import Gap
from skmetrics_ext.statistics.values.intervals import (
    check_counts_of_samples,
    metric_and_label,
    with_classes,
)

# The test has replicates of its own, whatever the limits draw.
OF_TEST = 1


class DesignOfGroups(NamedTuple):
    """How the samples of groups were obtained."""

    # The counts of each sample once, whatever its weight.
    once: Counted
    # What is known of the groups that are compared.
    sampled: Callable[[ValuesOfGroups], SampledGroups]


class MeasuredGroups(NamedTuple):
    """The values of the compared groups, and why others are left out."""

    estimand: Estimand
    # The same of each sample once, whatever its weight.
    numbers: Estimand
    name: str
    label: Any
    groups: ValuesOfGroups
    # The effective sample size of each group (..., n_groups).
    n: Array
    is_asked: NDArray[np.bool_]
    why_not: list[Caveat]

    @property
    def holds_for_few(self) -> bool:
        """Whether an exact test compares independent groups."""
        return share_tested(self.estimand) is not None


def measured_groups(
    counted: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    place: int,
    request: GapRequest,
    design: DesignOfGroups,
) -> MeasuredGroups:
    """The values of the groups on one axis that are large enough and have one."""
    estimand = estimand_of(counted, choice)
    numbers = estimand if design.once is counted else estimand_of(design.once, choice)
    check_counts_of_samples(numbers, "a gap")
    name, label = metric_and_label(estimand, axes)
    n = np.moveaxis(numbers.samples_counted(), place, -1)
    is_asked, why_not = _asked_groups(estimand, axes[place], place, n >= request.min_samples, name)
    values = np.moveaxis(np.asarray(score(counted, choice)), place, -1)
    kept = is_asked & ~np.isnan(values)
    baseline = place_of_baseline(axes[place], request.baseline)
    groups = ValuesOfGroups(np.where(kept, values, np.nan), kept, baseline)
    return MeasuredGroups(estimand, numbers, name, label, groups, n, is_asked, why_not)


def gap_of(
    counted: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    place: int,
    request: GapRequest,
    design: DesignOfGroups,
    caveats: Iterable[Caveat] = (),
) -> Gap:
    """The gap between the groups of one axis, for each entry of the others."""
    axis, others = axes[place], (*axes[:place], *axes[place + 1 :])
    measured = measured_groups(counted, choice, axes, place, request, design)
    estimand, name, groups = measured.estimand, measured.name, measured.groups
    kept, baseline = groups.kept, groups.baseline
    _check_kept(name, axis, kept, baseline)
    pair = farthest_pair(groups, request.kind)
    value = gap_of_values(groups, request.kind, pair)
    # The difference of two infinite values, and the ratio of two that are 0.
    is_unknown = pair.is_known & np.isnan(value)
    pair = pair._replace(is_known=pair.is_known & ~is_unknown)
    compared = groups._replace(kept=kept & (groups.n_kept >= 2)[..., None])
    sampled = design.sampled(compared)
    alpha = 1 - request.confidence_level
    alphas = alphas_at_once(groups, alpha)
    limits = of_each = limits_of_gap(groups, request.kind, sampled.lowest(alphas))
    if (alphas != alpha).any():
        each = sampled.lowest(np.full(alphas.shape, alpha))
        of_each = limits_of_gap(groups, request.kind, each)
    p_values, tests, n_permutations = _equality(measured, sampled, place, request)
    p_values = np.where(pair.is_known, p_values, np.nan)
    limits = Limits(*(np.where(pair.is_known, end, np.nan) for end in limits))
    limit_of_each = of_each.low if request.kind == "ratio" else of_each.high
    if request.asked == "inverse_ratio":
        value, limit_of_each = ratio(1, value), ratio(1, limit_of_each)
        limits = Limits(ratio(1, limits.high), ratio(1, limits.low))
    limits = agreeing(limits, value, p_values, alpha, EQUALITY[request.kind])
    lowest, highest = _names_of_pair(groups, pair, axis, is_unknown)
    n_of_groups = np.moveaxis(measured.numbers.n_samples(), place, -1)
    holds_for_few = measured.holds_for_few and sampled.are_exchangeable
    of_few_samples = [*of_few(name, axis, groups, pair, measured.n, holds_for_few=holds_for_few)]
    return Gap(
        value=value,
        low=limits.low,
        high=limits.high,
        p_value=p_values,
        lowest_group=lowest,
        highest_group=highest,
        excluded_groups=_excluded_groups(kept, axis),
        metric=name,
        kind=request.asked,
        confidence_level=request.confidence_level,
        axes=with_classes(counted, estimand, others),
        baseline=None if baseline is None else plain(axis.coordinates)[baseline],
        label=measured.label,
        method=_method_of(tests, request),
        n=np.asarray(np.where(kept & pair.is_known[..., None], n_of_groups, 0).sum(-1)),
        n_permutations=n_permutations,
        limit_of_each_pair=np.where(pair.is_known, limit_of_each, np.nan),
        caveats=(
            *caveats,
            *measured.why_not,
            *of_undefined(name, axis, kept, measured.is_asked),
            *of_unknown(name, axis, groups, is_unknown),
            *of_few_samples,
            *without_told(sampled.caveats_at(alphas), of_few_samples),
            *(of_no_width(name, limits, pair.is_known) if request.is_named else ()),
        ),
    )


def difference_of_two(
    counted: Counted,
    choice: Choice,
    axis: Axis,
    request: GapRequest,
    design: DesignOfGroups,
    caveats: Iterable[Caveat] = (),
) -> Compared:
    """The value of the first of two groups minus that of the second."""
    measured = measured_groups(counted, choice, (axis,), 0, request, design)
    groups, name = measured.groups, measured.name
    if measured.estimand.labels is not None:
        raise ValueError(
            f"average=None gives {name} one value for each class, but a pair of groups has one "
            "difference: choose an average, or a class with pos_label=."
        )
    first, second = groups.values.tolist()
    why = [*caveats, *measured.why_not, *of_undefined(name, axis, groups.kept, measured.is_asked)]
    known = unknown(shown(request.chosen))
    if groups.kept.all() and not np.isnan(first - second):
        sampled = design.sampled(groups)
        p_value, tests, _ = _equality(measured, sampled, 0, request)
        pair = farthest_pair(groups, request.kind)
        holds_for_few = measured.holds_for_few and sampled.are_exchangeable
        few = [*of_few(name, axis, groups, pair, measured.n, holds_for_few=holds_for_few)]
        alpha = 1 - request.confidence_level
        why += [*few, *without_told(sampled.caveats_at(np.array(alpha)), few)]
        if request.is_named:
            why += of_no_width(name, _limits_of_two(sampled, alpha), np.array(True))
        known = LimitsAndTest(
            partial(_limits_of_two, sampled),
            float(p_value),
            _method_of(tests, request).item(),
            is_as_published=request.is_named,
        )
    else:
        why += of_unknown(name, axis, groups, np.array(groups.kept.all()))
    is_lower_better = choice.row.better == "lower"
    a, b = map(name_as_text, plain(axis.coordinates))
    return Compared(
        name, (a, b), (first, second), known, is_lower_better, tuple(why), label=measured.label
    )


def _limits_of_two(sampled: SampledGroups, alpha: float) -> Limits:
    """The limits of the first of two groups minus the second."""
    lowest = sampled.lowest(np.array(alpha))
    return Limits(lowest[0, 1], -lowest[1, 0])


def _asked_groups(
    estimand: Estimand, axis: Axis, place: int, is_large: NDArray[np.bool_], name: str
) -> tuple[NDArray[np.bool_], list[Caveat]]:
    """The groups (..., n_groups) with enough samples, of all classes that count; why not others."""
    has_samples = np.moveaxis(np.asarray(estimand.matrices.any((-2, -1))), place, -1)
    is_asked = has_samples & is_large
    # A class that any of the groups has.
    occurs = np.asarray(estimand.occurring().any(place, keepdims=True))
    lacks_class = np.moveaxis(estimand.depends_on_absent_classes(occurs), place, -1) & is_asked
    if not lacks_class.any() or estimand.proportion is not None:
        return is_asked, []
    assert estimand.order is not None, "one matrix has all classes"
    is_absent = np.moveaxis(estimand.matrices.sum(-1) == 0, place, -2)
    sentences = np.full(lacks_class.shape[:-1], "", dtype=object)
    for at in map(tuple, np.argwhere(lacks_class.any(-1))):
        groups = lacks_class[at]
        classes = estimand.order[is_absent[at][groups].any(0)]
        sentences[at] = (
            f"{name} depends on classes without samples, {show(classes)} in {axis.name} "
            f"{show(axis.coordinates[groups])}{{where}}: the gap excludes these groups."
        )
    return is_asked & ~lacks_class, [*caveats_by_sentence("absent_class", sentences)]


def _check_kept(name: str, axis: Axis, kept: NDArray[np.bool_], baseline: int | None) -> None:
    """Refuse a gap of fewer than two groups."""
    if kept.sum(-1).max(initial=0) < 2:
        known = axis.coordinates[kept.reshape(-1, kept.shape[-1]).any(0)]
        raise ValueError(
            f"a gap needs at least two groups, but of the groups {show(axis.coordinates)}, {name} "
            "can be used only for "
            f"{show(known)}: the others have too few samples, or it is 0/0 there."
        )
    if baseline is not None and not kept[..., baseline].any():
        group = plain(axis.coordinates)[baseline]
        raise ValueError(
            f"baseline={group!r} has too few samples, or {name} is 0/0: choose another."
        )


def _equality(
    measured: MeasuredGroups, sampled: SampledGroups, place: int, request: GapRequest
) -> Equality:
    """The p-values of equality: by the limits of two groups, of those that can't be permuted, and
    by a method asked for; else by permutation of several.
    """
    groups = measured.groups
    is_tested = (groups.n_kept >= 3) & sampled.are_exchangeable & (not request.is_named)
    found = Equality(
        np.full(is_tested.shape, np.nan),
        np.where(groups.n_kept >= 2, shown("inverted"), ""),
        np.zeros(is_tested.shape, dtype=np.int64),
    )
    if not is_tested.all():
        found = found._replace(p_values=p_values_by_limits(sampled, groups, request.kind))
    if is_tested.any():
        tested = groups.kept & is_tested[..., None]
        seed = stream_of(request.seed, OF_TEST)
        of_test = equality_by_permutation(
            measured.estimand, tested, place, request.n_resamples, seed
        )
        found = Equality(*(np.where(is_tested, *both) for both in zip(of_test, found, strict=True)))
    return found


def _method_of(tests: NDArray[np.str_], request: GapRequest) -> NDArray[np.str_]:
    """How limits and p-values were computed."""
    limits = shown(request.chosen)
    return np.where(tests == "", limits, np.char.add(f"{limits}, ", tests))


def _names_of_pair(
    groups: ValuesOfGroups, pair: FarthestPair, axis: Axis, is_unknown: NDArray[np.bool_]
) -> tuple[Any, Any]:
    """The groups that differ most; None if none, or not the baseline, is known."""
    names = _as_objects([*plain(axis.coordinates), None])
    is_named = groups.kept.any(-1) if groups.baseline is None else pair.is_known
    is_named = is_named & ~is_unknown
    least, most = (
        names[np.where(is_named, place, -1).ravel()].reshape(place.shape) for place in pair[:2]
    )
    return least, most


def _excluded_groups(kept: NDArray[np.bool_], axis: Axis) -> Any:
    """The names of omitted groups, a tuple per entry."""
    names = _as_objects(plain(axis.coordinates))
    found = np.empty(kept.shape[:-1], dtype=object)
    for entry in np.ndindex(found.shape):
        found[entry] = tuple(names[~kept[entry]])
    return found if found.ndim else found.item()


def _as_objects(names: list[Any]) -> NDArray[Any]:
    """Names as an array of Python objects."""
    found = np.empty(len(names), dtype=object)
    found[:] = names
    return found
