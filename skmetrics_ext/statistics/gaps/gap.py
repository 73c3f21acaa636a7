"""Counts of groups and a choice -> Gap: a difference, its limits, and a test of equality."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.replicates import seed_of, stream_of
from skmetrics_ext.reading.arguments import check_choice, check_confidence_level, check_whole
from skmetrics_ext.reading.order import name_as_text, plain, position_of, show
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat, caveats_by_sentence
from skmetrics_ext.statistics.compared import Compared, LimitsAndTest, unknown
from skmetrics_ext.statistics.estimand import Estimand, estimand_of, range_of
from skmetrics_ext.statistics.gaps.groups import (
    EQUALITY,
    KINDS,
    FarthestPair,
    ValuesOfGroups,
    farthest_pair,
    gap_of_values,
    of_few,
    of_undefined,
    of_unknown,
)
from skmetrics_ext.statistics.gaps.limits import (
    SampledGroups,
    limit_of_each_pair,
    limits_of_gap,
    limits_of_two,
    p_values_by_limits,
)
from skmetrics_ext.statistics.gaps.permutation import (
    PERMUTATION,
    p_values_of_metric,
    p_values_of_shares,
    tests_of,
)
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


class GapRequest(NamedTuple):
    """Which groups are compared, how, and at which level."""

    axis: str | None = None
    kind: str = "difference"
    baseline: Any = None
    min_samples: int = 0
    confidence_level: float = 0.95
    n_resamples: int = 9_999
    random_state: Any = 0

    @property
    def seed(self) -> np.random.SeedSequence:
        """The seed of all streams of one gap."""
        return seed_of(self.random_state)

    def with_seed(self) -> "GapRequest":
        """The same, for all gaps of a call: a generator draws their seed once."""
        return self._replace(random_state=self.seed)


class DesignOfGroups(NamedTuple):
    """How the samples of groups were obtained."""

    # The counts of each sample once, whatever its weight.
    once: Counted
    # What is known of those groups (..., n_groups) that are compared.
    sampled: Callable[[NDArray[np.bool_]], SampledGroups]


class Equality(NamedTuple):
    """The p-values (...) of equality of all groups, and the test of each; empty if none."""

    p_values: Array
    tests: NDArray[np.str_]


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
        return _is_share(self.estimand)


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
    baseline = _place_of_baseline(axes[place], request.baseline)
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
    sampled = design.sampled(kept & (groups.n_kept >= 2)[..., None])
    found = limits_of_gap(sampled, groups, request.kind, 1 - request.confidence_level)
    of_each = limit_of_each_pair(
        sampled, groups, request.kind, 1 - request.confidence_level, found.limits
    )
    p_values, tests = _equality(estimand, groups, sampled, place, request)
    p_values = np.where(pair.is_known, p_values, np.nan)
    limits = Limits(*(np.where(pair.is_known, end, np.nan) for end in found.limits))
    limits = agreeing(limits, value, p_values, 1 - request.confidence_level, EQUALITY[request.kind])
    lowest, highest = _names_of_pair(groups, pair, axis, is_unknown)
    n_of_groups = np.moveaxis(measured.numbers.n_samples(), place, -1)
    holds_for_few = measured.holds_for_few and sampled.are_exchangeable
    return Gap(
        value=value,
        low=limits.low,
        high=limits.high,
        p_value=p_values,
        lowest_group=lowest,
        highest_group=highest,
        excluded_groups=_excluded_groups(kept, axis),
        metric=name,
        kind=request.kind,
        confidence_level=request.confidence_level,
        axes=with_classes(counted, estimand, others),
        baseline=None if baseline is None else plain(axis.coordinates)[baseline],
        label=measured.label,
        method=_method_of(tests),
        n=np.asarray(np.where(kept & pair.is_known[..., None], n_of_groups, 0).sum(-1)),
        n_permutations=np.where(tests == PERMUTATION, request.n_resamples, 0),
        limit_of_each_pair=np.where(pair.is_known, of_each, np.nan),
        caveats=(
            *caveats,
            *measured.why_not,
            *of_undefined(name, axis, kept, measured.is_asked),
            *of_unknown(name, axis, groups, is_unknown),
            *of_few(name, axis, groups, pair, measured.n, holds_for_few=holds_for_few),
            *sampled.caveats,
            *found.caveats,
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
    known = unknown(shown("mover"))
    if groups.kept.all() and not np.isnan(first - second):
        sampled = design.sampled(groups.kept)
        at_level = sampled.limits_of(np.array(1 - request.confidence_level))
        p_value, tests = _equality(measured.estimand, groups, sampled, 0, request)
        pair = farthest_pair(groups, request.kind)
        holds_for_few = measured.holds_for_few and sampled.are_exchangeable
        why += of_few(name, axis, groups, pair, measured.n, holds_for_few=holds_for_few)
        why += [*sampled.caveats, *at_level.caveats]
        known = LimitsAndTest(
            lambda alpha: limits_of_two(groups, sampled, alpha),
            float(p_value),
            _method_of(tests).item(),
            request.n_resamples if tests == PERMUTATION else 0,
        )
    else:
        why += of_unknown(name, axis, groups, np.array(groups.kept.all()))
    is_lower_better = choice.row.better == "lower"
    a, b = map(name_as_text, plain(axis.coordinates))
    return Compared(name, (a, b), (first, second), known, is_lower_better, tuple(why))


def check_gap(counted: Counted, choice: Choice, axis: Axis, request: GapRequest) -> None:
    """Refuse options that no gap accepts, and metrics whose gap has no limits."""
    check_choice(request.kind, "kind", KINDS)
    check_confidence_level(request.confidence_level)
    check_whole(request.n_resamples, "n_resamples", 100)
    check_whole(request.min_samples, "min_samples")
    if request.kind == "ratio" and range_of(counted, choice).low.min() < 0:
        raise ValueError(
            f"{choice.asked} can be negative, so a ratio is not meaningful: use kind='difference'."
        )
    _place_of_baseline(axis, request.baseline)
    _refuse_averages_of_labels(counted, choice)
    if estimand_of(counted, choice).kind.is_worst:
        raise ValueError(
            "there is no valid confidence interval for a gap between worst values of "
            f"{choice.asked}: use the gap "
            "for each class, average=None."
        )


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


def refuse_zero_division(parameters: dict[str, Any]) -> None:
    """Refuse a value for undefined groups."""
    if "zero_division" in parameters:
        raise TypeError(
            "a gap excludes groups for which the metric is 0/0, so it does not accept "
            "zero_division=."
        )


def place_of_groups(axes: tuple[Axis, ...], axis: str | None) -> int:
    """The position of the group axis."""
    names = [one.name for one in axes]
    if not names:
        raise ValueError("a gap is between groups, but the matrix has none: make it with by=.")
    if "label" in names and (axis == "label" or len(names) == 1):
        raise ValueError(
            "a gap is between groups of different samples, but the labels all refer to the same "
            "samples: make the groups with by=, and specify their axis with axis=."
        )
    if axis is None and len(names) == 1:
        return 0
    if axis not in names:
        given = f"; got {axis!r}"
        if axis is None:
            given = (
                ", for a gap at each value of the others, or several of them, whose groups are "
                "crossed; or sum these first"
            )
        raise ValueError(f"axis must be the name of the groups' axis, one of {names}{given}.")
    return names.index(axis)


def _place_of_baseline(axis: Axis, baseline: Any) -> int | None:
    """The position of the baseline group, if any."""
    if baseline is None:
        return None
    place = position_of(axis.coordinates, baseline)
    if place is None:
        raise ValueError(
            f"baseline={baseline!r} is not one of the groups {show(axis.coordinates)} of "
            f"{axis.name}."
        )
    return place


def _refuse_averages_of_labels(counted: Counted, choice: Choice) -> None:
    """Refuse averages whose uncertainty multilabel matrices do not give."""
    if counted.multilabel and choice.average is not None:
        raise ValueError(
            "the labels of a sample are not independent, so a matrix does not give the uncertainty "
            "of a gap in their "
            f"average {choice.average!r}: use the gap for each label, average=None."
        )


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


def _is_share(estimand: Estimand) -> bool:
    """Whether an exact test of proportions compares the groups."""
    is_of_errors = estimand.is_overlap and estimand.is_of_one_class
    return estimand.proportion is not None and not is_of_errors


def _equality(
    estimand: Estimand,
    groups: ValuesOfGroups,
    sampled: SampledGroups,
    place: int,
    request: GapRequest,
) -> Equality:
    """The p-values of equality: by permutation of exchangeable groups; of others, and of two
    proportions, by the limits, which reject more often than Fisher's test.
    """
    least_tested = 3 if _is_share(estimand) else 2
    is_tested = (groups.n_kept >= least_tested) & sampled.are_exchangeable
    p_values, tests = np.full(is_tested.shape, np.nan), np.full(is_tested.shape, "")
    if not is_tested.all():
        p_values = p_values_by_limits(sampled, groups, request.kind)
        tests = np.where(groups.n_kept >= 2, shown("inverted"), "")
    if is_tested.any():
        tested = groups.kept & is_tested[..., None]
        of_test = _test_of_equality(estimand, tested, place, request)
        p_values = np.where(is_tested, of_test.p_values, p_values)
        tests = np.where(is_tested, of_test.tests, tests)
    return Equality(p_values, tests)


def _method_of(tests: NDArray[np.str_]) -> NDArray[np.str_]:
    """How limits and p-values were computed."""
    limits = shown("mover")
    return np.where(tests == "", limits, np.char.add(f"{limits}, ", tests))


def _test_of_equality(
    estimand: Estimand, tested: NDArray[np.bool_], place: int, request: GapRequest
) -> Equality:
    """The test of equality of several exchangeable groups."""
    seed = stream_of(request.seed, OF_TEST)
    share = estimand.proportion
    if share is not None and _is_share(estimand):
        hits, n = (
            np.where(tested, np.moveaxis(part, place, -1), 0) for part in (share.hits, share.n)
        )
        return Equality(p_values_of_shares(hits, n, request.n_resamples, seed), tests_of(n))
    matrices = np.moveaxis(estimand.matrices, place, -3)
    asked = replace(estimand, matrices=np.where(tested[..., None, None], matrices, 0))
    tests = tests_of(asked.matrices.sum((-2, -1)))
    return Equality(p_values_of_metric(asked, request.n_resamples, seed), tests)


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
