"""Counts of groups and a choice -> Gap: a difference, its limits, and a test of equality."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import classes_request, score
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, CountedLabels, CountedMatrix
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import random_of
from skmetrics_ext.reading.arguments import check_choice, check_confidence_level, check_whole
from skmetrics_ext.reading.order import plain, position_of, show
from skmetrics_ext.statistics.caveats import UNDEFINED, Caveat
from skmetrics_ext.statistics.estimand import FEW, Estimand, estimand_of, range_of
from skmetrics_ext.statistics.intervals import (
    absent_in,
    check_counts_of_samples,
    interval_of_groups,
    metric_and_label,
    with_classes,
)
from skmetrics_ext.statistics.multiplicity import alpha_of_group
from skmetrics_ext.statistics.permutation import p_values_of_metric, p_values_of_shares, tests_of
from skmetrics_ext.statistics.proportions import Array, Limits, lowest_ratio
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.results import Gap

MOST_NAMED = 10
KINDS = ("difference", "ratio")
# No p-value by inversion is smaller than that of so many standard errors, 2e-9; so many bisections
# give three digits.
FARTHEST, BISECTIONS = 6.0, 14


class LimitsOfEach(NamedTuple):
    """The limits (..., n_groups) of groups, and why these may not hold."""

    limits: Limits
    caveats: tuple[Caveat, ...] = ()


# The limits of the requested groups.
LimitsOfGroups = Callable[[NDArray[np.bool_], Request], LimitsOfEach]


def with_numbers(names: NDArray[Any], numbers: Array) -> str:
    """Names for a message, each with its number of samples; only the first few of many."""
    few = [
        f"{name!r} ({number:g})"
        for name, number in zip(plain(names), numbers[:MOST_NAMED], strict=False)
    ]
    rest = len(names) - MOST_NAMED
    return ", ".join([*few, *([f"{rest} more"] if rest > 0 else [])])


class GapRequest(NamedTuple):
    """Which groups are compared, how, and at which confidence level."""

    axis: str | None = None
    kind: str = "difference"
    baseline: Any = None
    min_samples: int = 0
    confidence_level: float = 0.95
    n_resamples: int = 9_999
    random_state: Any = 0


class ValuesOfGroups(NamedTuple):
    """The values (..., n_groups) of the groups, NaN for those omitted."""

    values: Array
    kept: NDArray[np.bool_]
    # The position of the baseline group, with which all others are compared.
    baseline: int | None


class FarthestPair(NamedTuple):
    """The positions of the two groups that differ most, the one with the lower value first; and
    where there are two.
    """

    least: NDArray[np.intp]
    most: NDArray[np.intp]
    is_known: NDArray[np.bool_]


class SampledGroups(NamedTuple):
    """Groups of samples that are weighted or in clusters, so that their counts do not give the
    uncertainty.
    """

    # The counts of each sample once, whatever its weight.
    once: Counted
    limits_of: LimitsOfGroups
    caveats: tuple[Caveat, ...] = ()
    # The correlation (..., n_groups, n_groups) of the values of groups; None for independent ones.
    correlation: Array | None = None


def gap_of(
    counted: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    request: GapRequest,
    sampled: SampledGroups | None = None,
    caveats: Iterable[Caveat] = (),
) -> Gap:
    """The gap between the groups of one axis, for each entry of the others."""
    _check_gap(choice, request)
    place = place_of_groups(axes, request.axis)
    axis, others = axes[place], (*axes[:place], *axes[place + 1 :])
    baseline = _place_of_baseline(axis, request.baseline)
    _refuse_averages_of_labels(counted, choice)
    estimand = estimand_of(counted, choice)
    if estimand.kind.is_worst:
        raise ValueError(
            "there is no valid confidence interval for a gap between worst values of "
            f"{choice.row.name}: use the gap "
            "for each class, average=None."
        )
    numbers = estimand if sampled is None else estimand_of(sampled.once, choice)
    check_counts_of_samples(numbers, "a gap")
    others = with_classes(counted, estimand, others)
    name, label = metric_and_label(estimand, axes)
    n = np.moveaxis(numbers.samples_counted(), place, -1)
    is_asked, why_not = _asked_groups(estimand, axes, place, n >= request.min_samples, name)
    values = np.moveaxis(np.asarray(score(counted, choice)), place, -1)
    kept = is_asked & ~np.isnan(values)
    _check_kept(name, axis, kept, baseline)
    groups = ValuesOfGroups(np.where(kept, values, np.nan), kept, baseline)
    pair = farthest_pair(groups, request.kind)
    reasons = [*caveats, *why_not, *_of_undefined(name, axis, kept, is_asked)]
    is_unknown = pair.is_known & (np.isinf(groups.values).sum(-1) >= 2)
    is_unknown &= np.isnan(gap_of_values(groups, request.kind, pair))
    reasons += _of_infinite(name, axis, groups, is_unknown)
    pair = pair._replace(is_known=pair.is_known & ~is_unknown)
    has_exact_test = _is_share(estimand) and sampled is None
    reasons += _of_few(name, axis, groups, pair, n, has_exact_test=has_exact_test)
    random = random_of(request.random_state)
    if sampled is None:
        limits_of: LimitsOfGroups = partial(_limits_of_groups, counted, choice, place)
        limits, of_limits = _limits_of_gap(limits_of, None, groups, request, random)
        p_values, tests = _p_values(estimand, groups, place, request.n_resamples, random)
    else:
        reasons += sampled.caveats
        of_groups = sampled.limits_of, sampled.correlation
        limits, of_limits = _limits_of_gap(*of_groups, groups, request, random)
        p_values = _p_values_by_limits(*of_groups, groups, request, random)
        tests = ["inverted"]
    limits = Limits(*(np.where(is_unknown, np.nan, end) for end in limits))
    p_values = np.where(is_unknown, np.nan, p_values)
    lowest, highest = _names_of_pair(groups, pair, axis, is_unknown)
    n_of_groups = np.moveaxis(numbers.n_samples(), place, -1)
    return Gap(
        value=np.asarray(gap_of_values(groups, request.kind, pair)),
        low=np.asarray(limits.low),
        high=np.asarray(limits.high),
        p_value=np.asarray(p_values),
        lowest_group=lowest,
        highest_group=highest,
        excluded_groups=_excluded_groups(kept, axis),
        metric=name,
        kind=request.kind,
        confidence_level=request.confidence_level,
        axes=others,
        baseline=None if baseline is None else plain(axis.coordinates)[baseline],
        label=label,
        method=", ".join(["MOVER", *tests]),
        n=np.asarray(np.where(kept, n_of_groups, 0).sum(-1)),
        n_permutations=request.n_resamples if "permutation" in tests else 0,
        caveats=(*reasons, *of_limits),
    )


def _asked_groups(
    estimand: Estimand, axes: tuple[Axis, ...], place: int, is_large: NDArray[np.bool_], name: str
) -> tuple[NDArray[np.bool_], list[Caveat]]:
    """The groups (..., n_groups) that are large enough, with samples of each class that the value
    depends on; and why others are left out.
    """
    has_samples = np.moveaxis(np.asarray(estimand.matrices.any((-2, -1))), place, -1)
    is_asked = has_samples & is_large
    lacks_class = np.moveaxis(estimand.depends_on_absent_classes(), place, -1) & is_asked
    if not lacks_class.any() or estimand.proportion() is not None:
        return is_asked, []
    absent = absent_in(estimand, axes, np.moveaxis(lacks_class, -1, place))
    text = f"{name} depends on classes without samples, {absent}: the gap excludes these groups."
    return is_asked & ~lacks_class, [Caveat("absent_class", text)]


def refuse_zero_division(parameters: dict[str, Any]) -> None:
    """Refuse a value for undefined groups."""
    if "zero_division" in parameters:
        raise TypeError(
            "a gap excludes groups for which the metric is 0/0, so it does not accept "
            "zero_division=."
        )


def farthest_pair(groups: ValuesOfGroups, kind: str) -> FarthestPair:
    """The groups with the lowest and the highest value, or the baseline and the group that differs
    most from it.
    """
    values, kept, baseline = groups
    if baseline is None:
        # Omitted groups are NaN, which is sorted last.
        least, most = (
            np.argsort(ordered, -1, kind="stable")[..., 0] for ordered in (values, -values)
        )
        return FarthestPair(least, most, kept.sum(-1) >= 2)
    of_baseline = values[..., [baseline]]
    low, high = np.minimum(values, of_baseline), np.maximum(values, of_baseline)
    with np.errstate(invalid="ignore"):
        near = low - high if kind == "difference" else ratio(low, high)
    is_other = kept & kept[..., [baseline]] & (np.arange(kept.shape[-1]) != baseline)
    near = np.where(is_other, np.where(np.isnan(near), np.inf, near), np.nan)
    other = np.argsort(near, -1, kind="stable")[..., 0]
    is_lower = _parts_of_group(values, other) <= of_baseline[..., 0]
    return FarthestPair(
        np.where(is_lower, other, baseline), np.where(is_lower, baseline, other), is_other.any(-1)
    )


def gap_of_values(groups: ValuesOfGroups, kind: str, pair: FarthestPair) -> Array:
    """How much the groups differ; NaN where fewer than two are known, or the baseline is not."""
    least, most = (_parts_of_group(groups.values, place) for place in pair[:2])
    with np.errstate(invalid="ignore"):
        gap = most - least if kind == "difference" else ratio(least, most)
    return np.where(pair.is_known, gap, np.nan)


def _parts_of_group(parts: Array, place: NDArray[np.intp]) -> Array:
    """The part of one group per entry of (..., n_groups)."""
    return np.take_along_axis(parts, place[..., None], -1)[..., 0]


def _check_gap(choice: Choice, request: GapRequest) -> None:
    """Refuse options that no gap accepts."""
    check_choice(request.kind, "kind", KINDS)
    check_confidence_level(request.confidence_level)
    check_whole(request.n_resamples, "n_resamples", 100)
    check_whole(request.min_samples, "min_samples")
    if request.kind == "ratio" and range_of(choice)[0] < 0:
        raise ValueError(
            f"{choice.row.name} can be negative, so a ratio is not meaningful: use "
            "kind='difference'."
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
        given = (
            f"; got {axis!r}"
            if axis is not None
            else ", for a gap at each value of the others; or sum these first"
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
    """Refuse averages whose uncertainty a matrix of multilabel data does not give."""
    if (
        counted.multilabel
        and choice.row.has_average
        and (average := classes_request(counted, choice).average)
    ):
        raise ValueError(
            "the labels of a sample are not independent, so a matrix does not give the uncertainty "
            "of a gap in their "
            f"average {average!r}: use the gap for each label, average=None."
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


def _of_undefined(
    name: str, axis: Axis, kept: NDArray[np.bool_], asked: NDArray[np.bool_]
) -> Iterator[Caveat]:
    """Groups with samples but without a value."""
    if (undefined := asked & ~kept).any():
        groups = axis.coordinates[undefined.reshape(-1, undefined.shape[-1]).any(0)]
        text = f"{name} is undefined (0/0) for {axis.name} {show(groups)}, which the gap excludes."
        yield Caveat(UNDEFINED, text)


def _of_infinite(
    name: str, axis: Axis, groups: ValuesOfGroups, is_unknown: NDArray[np.bool_]
) -> Iterator[Caveat]:
    """Groups whose values are infinite, so that their difference is unknown."""
    if is_unknown.any():
        are_infinite = np.isinf(groups.values) & is_unknown[..., None]
        where = axis.coordinates[are_infinite.reshape(-1, are_infinite.shape[-1]).any(0)]
        text = (
            f"{name} is infinite for {axis.name} {show(where)}, so the gap between these is "
            "unknown: compare the rates that it is a ratio of."
        )
        yield Caveat("infinite", text)


def _is_share(estimand: Estimand) -> bool:
    """Whether groups are compared by an exact test of proportions of margins."""
    is_of_errors = estimand.choice.row.interval == "overlap" and estimand.is_of_one_class
    return estimand.proportion() is not None and not is_of_errors


def _of_few(
    name: str,
    axis: Axis,
    groups: ValuesOfGroups,
    pair: FarthestPair,
    n: Array,
    *,
    has_exact_test: bool,
) -> Iterator[Caveat]:
    """Whether the groups that differ most have a small effective sample size, or any group of a
    test that is not exact.

    A group does not determine the gap if a larger one has the same value and could replace it.
    """
    decides, numbers = np.zeros(n.shape, dtype=bool), np.arange(n.shape[-1])
    for place in pair[:2]:
        alike = groups.kept & (groups.values == _parts_of_group(groups.values, place)[..., None])
        alike &= (numbers == groups.baseline) == (place == groups.baseline)[..., None]
        decides |= (numbers == place[..., None]) & (np.where(alike, n, 0).max(-1) < FEW)[..., None]
    fewest = np.where(decides & pair.is_known[..., None], n, np.inf).reshape(-1, n.shape[-1]).min(0)
    if (is_few := fewest < FEW).any():
        text = (
            f"the gap in {name} is determined by groups with few of the samples that the metric "
            "counts, and may be due "
            f"to chance: {axis.name} {with_numbers(axis.coordinates[is_few], fewest[is_few])}. "
            "Exclude groups with "
            f"fewer than {FEW} with min_samples={FEW}."
        )
        yield Caveat("few_samples", text)
    counted = np.where(groups.kept & pair.is_known[..., None], n, np.inf)
    fewest = counted.reshape(-1, n.shape[-1]).min(0)
    if not has_exact_test and not is_few.any() and (fewest < FEW).any():
        are_few = fewest < FEW
        text = (
            f"the test of equal {name} rests on groups with few of the samples that the metric "
            f"counts, {axis.name} {with_numbers(axis.coordinates[are_few], fewest[are_few])}: its "
            f"p-value may be too small. Exclude such groups with min_samples={FEW}."
        )
        yield Caveat("few_samples", text)


def _p_values(
    estimand: Estimand,
    groups: ValuesOfGroups,
    place: int,
    n_resamples: int,
    random: np.random.Generator,
) -> tuple[Array, list[str]]:
    """p-values for equality of the metric in all groups, and the tests."""
    share = estimand.proportion()
    if share is not None and _is_share(estimand):
        hits, n = (
            np.where(groups.kept, np.moveaxis(part, place, -1), 0) for part in (share.hits, share.n)
        )
        return p_values_of_shares(hits, n, n_resamples, random), tests_of(n, of_shares=True)
    matrices = np.moveaxis(estimand.matrices, place, -3)
    kept = estimand._replace(matrices=np.where(groups.kept[..., None, None], matrices, 0))
    tests = tests_of(kept.matrices.sum((-2, -1)), of_shares=False)
    return p_values_of_metric(kept, n_resamples, random), tests


def _p_values_by_limits(
    limits_of: LimitsOfGroups,
    correlation: Array | None,
    groups: ValuesOfGroups,
    request: GapRequest,
    random: np.random.Generator,
) -> Array:
    """One minus the highest confidence level at which the limits of the gap exclude equality, by
    bisection.
    """
    found = np.full(groups.kept.shape[:-1], np.nan)
    for entry in np.ndindex(found.shape):
        least, most = 0.0, FARTHEST
        for _ in range(BISECTIONS):
            middle = (least + most) / 2
            level = request._replace(confidence_level=float(1 - 2 * special.ndtr(-middle)))
            (low, high), _ = _limits_of_gap(limits_of, correlation, groups, level, random)
            excludes = high[entry] < 1 if request.kind == "ratio" else low[entry] > 0
            least, most = (middle, most) if excludes else (least, middle)
        found[entry] = 2 * special.ndtr(-least) if groups.kept[entry].sum() >= 2 else np.nan
    return found


def _limits_of_gap(
    limits_of: LimitsOfGroups,
    correlation: Array | None,
    groups: ValuesOfGroups,
    request: GapRequest,
    random: np.random.Generator,
) -> tuple[Limits, list[Caveat]]:
    """The limits of the gap, from simultaneous intervals of all pairs; and why these may not
    hold.
    """
    caveats: list[Caveat] = []
    ends = Limits(*np.full((2, *groups.values.shape), np.nan))
    n_groups = groups.kept.sum(-1)
    alpha, has_baseline = 1 - request.confidence_level, groups.baseline is not None
    for n in np.unique(n_groups[n_groups >= 2]).tolist():
        of_entry = groups.kept & (n_groups == n)[..., None]
        level = 1 - alpha_of_group(alpha, n, has_baseline=has_baseline)
        asked = Request(level, n_resamples=request.n_resamples, random_state=random)
        found, of_groups = limits_of(of_entry, asked)
        caveats += of_groups
        for end, limit in zip(ends, found, strict=True):
            end[of_entry] = limit[of_entry]
    of_pairs = limits_of_ratio if request.kind == "ratio" else limits_of_difference
    limits = of_pairs(groups, ends, 0.0 if correlation is None else correlation)
    is_unknown = (groups.kept & np.isnan(ends.low + ends.high)).any(-1) | ~_pairs(groups).any(
        (-2, -1)
    )
    return Limits(*(np.where(is_unknown, np.nan, limit) for limit in limits)), caveats


def _limits_of_groups(
    counted: Counted, choice: Choice, place: int, of_entry: NDArray[np.bool_], request: Request
) -> LimitsOfEach:
    """The limits (..., n_groups) of the requested groups, each by the applicable method."""
    has_classes = counted.multilabel or of_entry.ndim > counted.matrix.ndim - 2
    asked = np.moveaxis(np.asarray(of_entry.any(-2)) if has_classes else of_entry, -1, place)
    if counted.multilabel:
        of_asked: Counted = CountedLabels(
            ClassCounts(*(part[asked] for part in counted.classes)), counted.order
        )
    else:
        of_asked = CountedMatrix(
            counted.matrix[asked], counted.order, counted.positive, counted.ranking
        )
    interval = interval_of_groups(of_asked, choice, request)
    ends = []
    for limit in (interval.low, interval.high):
        found = np.full((*asked.shape, *limit.shape[1:]), np.nan)
        found[asked] = limit
        ends.append(np.moveaxis(found, place, -1))
    # Not of each group alone: a gap has its own rule for few samples.
    return LimitsOfEach(Limits(*ends), tuple(of._replace(entries=None) for of in interval.caveats))


def limits_of_difference(groups: ValuesOfGroups, limits: Limits, correlation: Any = 0.0) -> Limits:
    """Limits of the largest difference of a pair, each by MOVER: Zou & Donner (2008); of correlated
    values Zou (2007).
    """
    first, second = groups.values[..., :, None], groups.values[..., None, :]
    with np.errstate(invalid="ignore"):
        of_first = first - limits.low[..., :, None]
        of_second = limits.high[..., None, :] - second
        square = of_first**2 + of_second**2 - 2 * correlation * of_first * of_second
        lower = first - second - np.sqrt(np.maximum(square, 0))
    # The difference of two infinite values is unknown.
    lower, pairs = np.where(np.isnan(lower), -np.inf, lower), _pairs(groups)
    low = np.max(lower, (-2, -1), where=pairs, initial=0)
    # The upper limit of a pair is the lower one of the same pair the other way round.
    return Limits(low, 0 - np.min(lower, (-2, -1), where=pairs, initial=0))


def limits_of_ratio(groups: ValuesOfGroups, limits: Limits, correlation: Any = 0.0) -> Limits:
    """Limits of the lowest ratio of a pair, each by MOVER for ratios: Donner & Zou (2012)."""
    first, second = groups.values[..., :, None], groups.values[..., None, :]
    low, high = limits.low[..., :, None], limits.high[..., None, :]
    lower, pairs = lowest_ratio(first, second, low, high, correlation), _pairs(groups)
    # The ratio is at most 1, of either group to the other.
    least = np.min(lower, (-2, -1), where=pairs, initial=1)
    return Limits(least, ratio(1, np.max(lower, (-2, -1), where=pairs, initial=1)))


def _pairs(groups: ValuesOfGroups) -> NDArray[np.bool_]:
    """Which pairs of groups (..., n_groups, n_groups) are compared, in both directions."""
    n_groups = groups.kept.shape[-1]
    compared = ~np.eye(n_groups, dtype=bool)
    if groups.baseline is not None:
        is_baseline = np.arange(n_groups) == groups.baseline
        compared &= is_baseline[:, None] | is_baseline
    return groups.kept[..., :, None] & groups.kept[..., None, :] & compared


def _names_of_pair(
    groups: ValuesOfGroups, pair: FarthestPair, axis: Axis, is_unknown: NDArray[np.bool_]
) -> tuple[Any, Any]:
    """The groups that differ most; None if no group has a value, the baseline has none to compare
    with, or it is unknown how much they differ.
    """
    names = _as_objects([*plain(axis.coordinates), None])
    is_named = groups.kept.any(-1) if groups.baseline is None else pair.is_known
    is_named = is_named & ~is_unknown
    least, most = (
        names[np.where(is_named, place, -1).ravel()].reshape(place.shape) for place in pair[:2]
    )
    return least, most


def _excluded_groups(kept: NDArray[np.bool_], axis: Axis) -> Any:
    """The names of the omitted groups, a tuple per entry."""
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
