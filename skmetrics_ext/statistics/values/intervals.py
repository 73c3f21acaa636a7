"""Counts, a design and a choice -> Interval, with caveats where it may lack coverage."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import kind_of_average
from skmetrics_ext.catalogue.choice import Choice, choice_of_classes
from skmetrics_ext.catalogue.properties import OverClasses
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, cells_of_counted, with_cells
from skmetrics_ext.counting.design import (
    INDEPENDENT,
    Clustered,
    Crossed,
    SampleDesign,
    Weighted,
    refuse_fractions,
)
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.reading.messages import collecting_warnings
from skmetrics_ext.reading.order import show
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import UNDEFINED, Caveat, NoLimitsError, caveats_by_sentence
from skmetrics_ext.statistics.classes import choice_of_each, fitting_methods, is_share, named
from skmetrics_ext.statistics.clusters import variation_of_units
from skmetrics_ext.statistics.constants import FEW, FEW_THAT_MOVE, FEWEST, MOST_UNDEFINED
from skmetrics_ext.statistics.crossed import variation_of_readings
from skmetrics_ext.statistics.estimand import (
    Estimand,
    class_counts_of,
    clipped,
    estimand_of,
    estimand_of_labels,
    tables_of_labels,
)
from skmetrics_ext.statistics.methods import METHODS, chosen, shown_wider
from skmetrics_ext.statistics.multiplicity import alpha_of_each
from skmetrics_ext.statistics.request import Request, draws_of
from skmetrics_ext.statistics.results import Interval
from skmetrics_ext.statistics.values.bootstrap import (
    Draws,
    LimitsByAlpha,
    MethodLimits,
    bootstrap,
    least_number,
    leaves_any_out,
)
from skmetrics_ext.statistics.values.delta import gradient_of
from skmetrics_ext.statistics.values.limits import (
    OF_EFFECTIVE,
    OF_ONE,
    limits_by,
    limits_of_extreme,
    no_nearer_than_classes,
)
from skmetrics_ext.statistics.variation import OfCounts, Variation
from skmetrics_ext.statistics.weights import variation_of_weights

# Limits that differ by a smaller share are the same.
ALIKE = 1e-12
# Larger floats do not count single samples exactly.
LARGEST_EXACT = 2.0**53


class AtAnyLevel(NamedTuple):
    """The intervals of several metrics at whatever level, and the limits alone of the first one,
    which searches for a level ask for many times; what does not depend on the level is found once.
    """

    intervals: Callable[[Request], Iterator[Interval]]
    limits: Callable[[Request], Limits]


class AtLevels(NamedTuple):
    """The limits of independent groups at an alpha of each, and what is said of them."""

    limits: Callable[[Array], Limits]
    caveats: Callable[[Array], tuple[Caveat, ...]]
    # The least alpha that replicates, which are drawn once, tell from smaller ones.
    finest: float


def intervals_at_levels(counted: Counted, choice: Choice, request: Request) -> AtLevels:
    """The intervals of groups."""
    plan = _interval_plan(counted, choice, request, INDEPENDENT)
    estimand, draws = plan.estimand, draws_of(request)
    axes = (Axis("entry", np.arange(len(estimand.matrices))),)
    value = estimand.value_of(estimand.matrices)
    drawn = None
    if plan.method == "smoothed-bootstrap" and not plan.is_extreme:
        [drawn] = bootstrap([estimand], draws)
    limits_at = _limits_of_plan(plan, draws, drawn=drawn)

    def limits(alphas: Array) -> Limits:
        """As of intervals: NaN where they have no width."""
        found = clipped(limits_at(alphas).limits, estimand.ends)
        limits, is_flat = _limits_and_flat(found, value, is_named=False)
        return _nan_where(is_flat, limits)

    def caveats(alphas: Array) -> tuple[Caveat, ...]:
        """Those of the intervals."""
        at_levels = request._replace(confidence_level=1 - alphas)
        found = _planned_interval(plan, axes, at_levels, limits_at)
        return (*found.caveats, *_of_few_samples(plan, found))

    return AtLevels(limits, caveats, 0.0 if drawn is None else 2 / (draws.n + 1))


def reaching_value(limits: Limits, value: Array) -> Limits:
    """Limits that include their value; NaN where one of them is."""
    low, high = np.fmin(limits.low, value), np.fmax(limits.high, value)
    is_nan = (np.isnan(limits.low) | np.isnan(limits.high)) & ~np.isnan(value)
    return Limits(*(np.where(is_nan, np.nan, end) for end in (low, high)))


def intervals_of_design(
    counted: Counted,
    choices: Sequence[Choice],
    axes: tuple[Axis, ...],
    request: Request,
    design: SampleDesign = INDEPENDENT,
) -> Iterator[Interval]:
    """The intervals of several metrics."""
    plans = plans_of_design(counted, choices, request, design)
    return plans_at_any_level(plans, axes, request).intervals(request)


class IntervalPlan(NamedTuple):
    """What is requested, and how its limits are computed."""

    counted: Counted
    estimand: Estimand
    variation: Variation
    # The class values of which it is the minimum, maximum or mean, if it is.
    parts: Estimand | None
    variation_of_parts: Variation | None
    method: str
    method_of_parts: str
    # Whether the value is that of whichever class has the minimum or maximum.
    is_extreme: bool
    once: Estimand

    @property
    def averaged(self) -> Estimand | None:
        """The class values, if it is their mean."""
        return None if self.is_extreme else self.parts

    @property
    def shown(self) -> Any:
        """The displayed name of its method, of each entry."""
        units = self.variation.shown(self.estimand)
        name = METHODS[self.method].shown
        if self.parts is not None:
            name = shown_wider(self.method, "mover")
        if self.is_extreme:
            name = f"{METHODS[self.method].shown} for each class"
        return np.char.add(name, units)


def plans_of_design(
    counted: Counted, choices: Sequence[Choice], request: Request, design: SampleDesign
) -> list[IntervalPlan]:
    """How the limits of several metrics are computed, at whatever level."""
    return [_interval_plan(counted, choice, request, design) for choice in choices]


def plans_at_any_level(
    plans: Sequence[IntervalPlan], axes: tuple[Axis, ...], request: Request
) -> AtAnyLevel:
    """The intervals of several metrics; those of matrices of all classes share replicates."""
    from_matrix = [
        plan.estimand
        for plan in plans
        if plan.method == "smoothed-bootstrap"
        and isinstance(plan.variation, OfCounts)
        and not (plan.is_extreme or plan.estimand.is_of_one_class)
    ]
    drawn: dict[int, Array] = {}
    if from_matrix:
        replicates = bootstrap(from_matrix, draws_of(request))
        drawn = dict(zip(map(id, from_matrix), replicates, strict=True))
    found_by = [
        _limits_of_plan(
            plan, draws_of(request), prior=request.prior, drawn=drawn.get(id(plan.estimand))
        )
        for plan in plans
    ]

    def intervals(own: Request) -> Iterator[Interval]:
        """Those of each metric."""
        for plan, limits_at in zip(plans, found_by, strict=True):
            found = _planned_interval(plan, axes, own, limits_at)
            of_few = tuple(_of_few_samples(plan, found))
            yield replace(found, caveats=(*found.caveats, *of_few)) if of_few else found

    @cache
    def value_of_first() -> Array:
        """The value of the first metric."""
        with collecting_warnings():
            return value_of_counted(plans[0].counted, plans[0].estimand.choice)

    def limits(own: Request) -> Limits:
        """Those of the first metric."""
        value = value_of_first()
        found = found_by[0](own.alpha_of_values(value.size)).limits
        is_named = own.method != "auto"
        return known_limits(plans[0].estimand, found, value, is_named=is_named).limits

    return AtAnyLevel(intervals, limits)


def _interval_plan(
    counted: Counted, choice: Choice, request: Request, design: SampleDesign
) -> IntervalPlan:
    """What is requested, and the method for its limits."""
    by_row = request.fixed is not None
    if by_row and design.sees_samples:
        raise ValueError(f"fixed={request.fixed!r} does not apply to {design.name}: omit it.")
    if by_row:
        refuse_fixed(choice)
    once, scale = counted, np.ones(())
    if design.sees_samples:
        numbers = design.numbers_of(cells_of_counted(counted))
        once = with_cells(counted, numbers)
        if design.are_weights:
            counted, scale = relative_weights(counted, numbers)

    def estimated(of: Choice) -> tuple[Estimand, Variation]:
        """What is requested, with pseudo-samples of the design's weight, and its variation."""
        estimand = _estimand(counted, of, design, are_shares_given=by_row)
        variation = variation_of(
            design, estimand, scale, by_row=by_row, multilabel=counted.multilabel
        )
        return replace(estimand, weight_of_one=variation.weight_of_one(estimand)), variation

    estimand, variation = estimated(choice)
    of_once = estimand
    if design.sees_samples:
        of_once = _estimand(once, choice, design, are_shares_given=by_row)
    check_counts_of_samples(of_once, "an interval")
    if estimand.kind.is_worst and design.sees_samples:
        raise NoLimitsError(
            "there is no valid confidence interval for the worst value of "
            f"{choice.asked} with weighted, "
            "clustered or multilabel samples: use the interval for each class, average=None."
        )
    n_values = estimand.matrices[..., 0, 0].size / request.share_of_entries
    wants_exact = request.wants_exact(n_values, are_numbers=not design.sees_samples)
    made_of = choice.row.made_of
    is_largest = isinstance(made_of, OverClasses) and made_of.how == "largest"
    is_extreme = estimand.kind.is_worst or is_largest
    fitting = fitting_methods(estimand, design.kind, by_row=by_row)
    what = f"{named(estimand)}{design.of_samples}"
    if not fitting:
        raise NoLimitsError(f"{what} has no limits that are known to hold.")
    is_by_parts = request.method == "auto" and not (
        estimand.proportion is not None
        or estimand.is_of_two_shares
        or METHODS[fitting[0]].needs == "readings"
    )
    of_classes = choice_of_each(estimand) if is_by_parts else None
    if is_extreme:
        of_classes = choice_of_classes(choice) or choice._replace(average=None)
    each = of_each = None
    best_of_each = ""
    if of_classes is not None:
        each, of_each = estimated(of_classes)
        fitting_each = fitting_methods(each, design.kind, by_row=by_row)
        best_of_each = chosen("auto", fitting_each, "", prefers_exact=wants_exact)
        if not is_extreme and design.sees_samples and METHODS[best_of_each].caveat:
            of_few = [fitting for fitting in fitting_each if not METHODS[fitting].caveat]
            best_of_each = of_few[0] if of_few else ""
            each, of_each = (each, of_each) if of_few else (None, None)
    if is_extreme and each is not None:
        method = chosen(request.method, fitting_each, named(each), prefers_exact=wants_exact)
    else:
        method = chosen(request.method, fitting, what, prefers_exact=wants_exact)
    return IntervalPlan(
        counted=counted,
        estimand=estimand,
        variation=variation,
        parts=each,
        variation_of_parts=of_each,
        method=method,
        method_of_parts=best_of_each,
        is_extreme=is_extreme,
        once=of_once,
    )


def refuse_fixed(choice: Choice) -> None:
    """Refuse what does not vary where the numbers or shares of the actual classes are given."""
    if choice.row.is_fixed_by_design:
        raise NoLimitsError(
            f"{choice.asked} is fixed by the design, where the numbers or the shares of the actual "
            "classes are given: it has no interval."
        )


def relative_weights(counted: Counted, numbers: Any) -> tuple[Counted, Array]:
    """Counts with weights of mean 1 in each entry, and by what these were multiplied."""
    cells = np.asarray(cells_of_counted(counted), dtype=np.float64)
    parts = (-3, -2, -1) if counted.multilabel else (-2, -1)
    scale = np.nan_to_num(ratio(numbers.sum(parts), cells.sum(parts)))
    return with_cells(counted, cells * np.expand_dims(scale, parts)), scale


def _estimand(
    counted: Counted, choice: Choice, design: SampleDesign, *, are_shares_given: bool
) -> Estimand:
    """What is requested of each class, of a matrix, or of all labels of whole samples."""
    if not (counted.multilabel and design.keeps_units_together):
        return estimand_of(counted, choice, are_shares_given=are_shares_given)
    is_of_each = choice.row.has_average and choice.average is None
    return estimand_of(counted, choice) if is_of_each else estimand_of_labels(counted, choice)


def variation_of(
    design: SampleDesign, estimand: Estimand, scale: Array, *, by_row: bool, multilabel: bool
) -> Variation:
    """How the cells of an estimand vary."""
    if isinstance(design, Crossed):
        return variation_of_readings(design, estimand, scale, multilabel=multilabel)
    if isinstance(design, Clustered):
        return variation_of_units(design, estimand, scale, multilabel=multilabel)
    if isinstance(design, Weighted):
        return variation_of_weights(design, estimand, scale, multilabel=multilabel)
    return OfCounts(by_row=by_row)


def with_classes(counted: Counted, estimand: Estimand, axes: tuple[Axis, ...]) -> tuple[Axis, ...]:
    """The axes, and that of the classes if these are entries."""
    if estimand.labels is None:
        return axes
    return (*axes, Axis("label" if counted.multilabel else "class", estimand.labels))


def _planned_interval(
    plan: IntervalPlan, axes: tuple[Axis, ...], request: Request, limits_at: LimitsByAlpha
) -> Interval:
    """The value with its limits."""
    estimand = plan.estimand

    def find(alpha: Any, _: Draws) -> MethodLimits:
        """Confidence limits at level 1 - alpha."""
        return limits_at(alpha)

    caveats = plan.variation.caveats(estimand)
    n, hits = plan.once.n_samples(), plan.once.hits()
    return make_interval(
        plan.counted, estimand, axes, request, plan.method, find, plan.shown, n, caveats, hits
    )


def _limits_of_plan(
    plan: IntervalPlan, draws: Draws, *, prior: float | None = None, drawn: Array | None = None
) -> LimitsByAlpha:
    """Limits at level 1 - alpha, from existing replicates if any."""
    if plan.is_extreme:
        return _limits_of_extreme_class(plan, draws, prior)
    found_at = limits_by(
        plan.method, plan.estimand, plan.variation, draws, prior=prior, drawn=drawn
    )
    if plan.parts is None or plan.variation_of_parts is None:
        return found_at
    estimand, parts = plan.estimand, plan.parts
    each_at = limits_by(plan.method_of_parts, parts, plan.variation_of_parts, draws)

    def limits_at(alpha: Any) -> MethodLimits:
        """Those of a mean of classes."""
        found, of_classes = found_at(alpha), each_at(_alpha_of_classes(alpha))
        limits = no_nearer_than_classes(estimand, parts, found.limits, of_classes.limits)
        return found._replace(limits=limits)

    return limits_at


def _alpha_of_classes(alpha: Any) -> Any:
    """That of a value, or of each, for all classes that it is made of."""
    return np.expand_dims(alpha, -1) if np.ndim(alpha) else alpha


def _limits_of_extreme_class(
    plan: IntervalPlan, draws: Draws, prior: float | None
) -> LimitsByAlpha:
    """The limits of the lowest or the highest class."""
    parts, variation, estimand = plan.parts, plan.variation_of_parts, plan.estimand
    assert parts is not None, "an extreme is one of several"
    assert variation is not None, "each of which varies"
    is_out = np.isnan(parts.value) & estimand.choice.omits_undefined
    n_classes = (~is_out).sum(-1, keepdims=True)
    each_at = all_at = limits_by(plan.method, parts, variation, draws, prior=prior)
    if plan.method in OF_ONE:
        all_at = limits_by("clopper-pearson", parts, variation, draws, prior=prior)

    def limits_at(alpha: Any) -> MethodLimits:
        """Those at one level."""
        alpha = _alpha_of_classes(alpha)
        each, of_all = each_at(alpha), all_at(alpha_of_each(alpha, n_classes))
        return limits_of_extreme(estimand, each, of_all, is_out)

    return limits_at


def make_interval(
    counted: Counted,
    estimand: Estimand,
    axes: tuple[Axis, ...],
    request: Request,
    method: str,
    find: Callable[[Any, Draws], MethodLimits],
    shown: Any,
    n: Any = None,
    caveats: Iterable[Caveat] = (),
    hits: Any = None,
) -> Interval:
    """The value with limits and caveats; `hits` is the numerator of a proportion of n samples."""
    with collecting_warnings() as undefined:
        value = value_of_counted(counted, estimand.choice)
    reasons = list(caveats)
    if undefined:
        is_nowhere = np.broadcast_to(np.isnan(estimand.value), value.shape)
        reasons += _of_undefined(counted, estimand.choice, is_nowhere, undefined)
    axes = with_classes(counted, estimand, axes)
    alpha = request.alpha_of_values(value.size)
    draws = draws_of(request)
    found = find(alpha, draws)
    if METHODS[method].needs == "replicates":
        reasons += _of_few_replicates(draws.n, _of_each_value(alpha, value))
    is_named = request.method != "auto"
    (low, high), is_unknown, why_unknown = known_limits(
        estimand, found.limits, value, is_named=is_named
    )
    is_nan = np.isnan(low) | np.isnan(high)
    reasons += why_unknown
    reasons += _of_replicates(estimand, found.n_undefined, draws.n, is_nan, is_unknown)
    reasons += _of_averages(estimand, value, is_nan)
    parts = np.broadcast_arrays(
        value, low, high, found.n_undefined, estimand.n_samples() if n is None else n
    )
    value, low, high, n_undefined, n = parts
    metric, label = metric_and_label(estimand, axes)
    return Interval(
        value=value,
        low=low,
        high=high,
        confidence_level=request.confidence_level,
        level_of_each=1 - alpha if request.simultaneous else np.nan,
        method=shown,
        n_undefined=n_undefined,
        axes=axes,
        metric=metric,
        label=label,
        n=n,
        caveats=tuple(reasons),
        numerator=_numerator(value, hits, n),
    )


class KnownLimits(NamedTuple):
    """Limits, NaN of the entries that have none, which these are, and why."""

    limits: Limits
    is_unknown: NDArray[np.bool_]
    why: list[Caveat]


def known_limits(estimand: Estimand, found: Limits, value: Array, *, is_named: bool) -> KnownLimits:
    """The limits that a method found, within the range and as far as the value."""
    limits, is_flat = _limits_and_flat(clipped(found, estimand.ends), value, is_named=is_named)
    is_unknown, why = _is_unknown(estimand, is_flat, is_named=is_named)
    return KnownLimits(_nan_where(is_unknown, limits), is_unknown, why)


def _limits_and_flat(
    found: Limits, value: Array, *, is_named: bool
) -> tuple[Limits, NDArray[np.bool_]]:
    """Limits that include their value, and which have no width; what is asked for by name is as
    published.
    """
    limits = Limits(*np.broadcast_arrays(*found, value)[:2])
    if not is_named:
        limits = reaching_value(limits, value)
    return limits, _are_alike(*limits) | _are_alike(*found)


def _nan_where(is_unknown: NDArray[np.bool_], limits: Limits) -> Limits:
    """Limits of the other entries."""
    if not is_unknown.any():
        return limits
    return Limits(*(np.where(is_unknown, np.nan, end) for end in limits))


def _are_alike(low: Array, high: Array) -> NDArray[np.bool_]:
    """Where two limits are the same, but for rounding."""
    with np.errstate(invalid="ignore", under="ignore"):
        # Two infinite ones differ by more than any share of either.
        nearer = np.minimum(np.abs(low), np.abs(high))
        are_near = np.isfinite(nearer) & (np.abs(low - high) <= ALIKE * nearer)
        return np.asarray((low == high) | are_near)


def _numerator(value: Array, hits: Any, n: Any) -> Any:
    """How many samples a proportion counts; nan if it is not of samples, as with weights."""
    if hits is None:
        return np.nan
    hits = np.broadcast_to(hits, value.shape)
    is_proportion = np.isclose(value, ratio(hits, n), rtol=1e-9, atol=0, equal_nan=True)
    counted = np.rint(hits)
    if is_proportion.all():
        return counted.astype(np.int64)
    return np.where(is_proportion, counted, np.nan)


def value_of_counted(counted: Counted, choice: Choice) -> Array:
    """The value, nan where it is 0/0 unless zero_division= is given; classes' as in `score`."""
    if not choice.is_default_undefined:
        return np.asarray(score(counted, choice))
    as_nan = choice._replace(undefined=np.nan)
    if not kind_of_average(choice.average).is_of_several:
        return np.asarray(score(counted, as_nan))
    omitting, filled = (
        np.asarray(score(counted, choice.with_undefined(value)))
        for value in (np.nan, choice.undefined)
    )
    is_partly_filled = (omitting != filled) & ~np.isnan(omitting)
    score(counted, choice if is_partly_filled.any() else as_nan)
    return np.where(is_partly_filled, filled, omitting)


def _of_undefined(
    counted: Counted, choice: Choice, is_nowhere: NDArray[np.bool_], of_all: list[str]
) -> Iterator[Caveat]:
    """Why the value of an entry, or of a class in it, is 0/0, in the words of the entry alone."""
    cells = np.asarray(cells_of_counted(counted))
    n_leading = cells.ndim - (3 if counted.multilabel else 2)
    shape, of_entry = cells.shape[:n_leading], cells.shape[n_leading:]
    each = cells.reshape(-1, *of_entry)
    # Entries with the same empty cells are undefined for the same reason.
    are_empty = (each == 0).reshape(len(each), -1)
    patterns = np.concatenate([are_empty, is_nowhere.reshape(len(each), -1)], 1)
    _, firsts, kinds = np.unique(patterns, axis=0, return_index=True, return_inverse=True)
    entries: dict[str, NDArray[np.bool_]] = {}
    for kind, first in enumerate(firsts):
        undefined = of_all
        if shape:
            with collecting_warnings() as undefined:
                value_of_counted(with_cells(counted, each[first]), choice)
        are_alike = (kinds == kind).reshape(shape)
        where = is_nowhere[are_alike][0]
        for text in undefined:
            of_text = entries.setdefault(text, np.zeros(is_nowhere.shape, dtype=bool))
            of_text[are_alike] = where if where.any() else True
    for text, of_text in entries.items():
        yield Caveat(UNDEFINED, text, of_text)


def _of_each_value(alpha: Any, value: Array) -> Array:
    """The probabilities of errors of entries, for each value of these."""
    further = (1,) * (value.ndim - np.ndim(alpha)) if np.ndim(alpha) else ()
    return np.broadcast_to(np.reshape(alpha, (*np.shape(alpha), *further)), value.shape)


def _of_few_replicates(n_drawn: int, alpha: Array) -> Iterator[Caveat]:
    """Levels that too few replicates are beyond."""
    is_beyond = ~leaves_any_out(n_drawn, alpha)
    for least in np.unique(alpha[is_beyond]).tolist():
        text = (
            f"{n_drawn} replicates are too few for such a high confidence level, so the confidence "
            f"limits are their minimum and maximum: pass n_resamples={least_number(least)} or "
            "more."
        )
        yield Caveat("few_replicates", text, is_beyond & (alpha == least))


def _is_unknown(
    estimand: Estimand, is_flat: NDArray[np.bool_], *, is_named: bool
) -> tuple[NDArray[np.bool_], list[Caveat]]:
    """Which entries have no limits, since their uncertainty is unknown; and why. A method asked for
    by name may have limits without a width.
    """
    name, why = _full_name(estimand), list[Caveat]()
    is_unknown = np.zeros(is_flat.shape, dtype=bool)
    if (
        not estimand.choice.omits_undefined
        and estimand.proportion is None
        and not estimand.kind.is_worst
    ):
        is_unknown = estimand.depends_on_absent_classes()
        why += _of_absent_classes(estimand, is_unknown)
    if (is_constant := is_flat & ~is_unknown).any():
        text = (
            f"{name} is the same in all replicates, so its uncertainty can't be estimated: the "
            "limits are nan."
        )
        if is_named:
            text = (
                f"both limits of {name} are its value by this method{{where}}, which says nothing "
                "of its uncertainty."
            )
        why.append(Caveat("constant", text, is_constant))
    return np.asarray(is_unknown if is_named else is_unknown | is_flat), why


def _of_absent_classes(estimand: Estimand, is_unknown: NDArray[np.bool_]) -> Iterator[Caveat]:
    """Entries whose value depends on classes without samples, which it names."""
    if estimand.order is None or not is_unknown.any():
        return
    is_absent = estimand.matrices.sum(-1) == 0
    sentences = np.full(is_unknown.shape, "", dtype=object)
    for place in map(tuple, np.argwhere(is_unknown)):
        absent = show(estimand.order[is_absent[place]])
        sentences[place] = (
            f"{_full_name(estimand)} depends on classes without samples, {absent}{{where}}: its "
            "limits are nan."
        )
    yield from caveats_by_sentence("absent_class", sentences)


def _full_name(estimand: Estimand) -> str:
    """The name of a metric with its average."""
    is_of_one = estimand.label is not None
    return estimand.choice.name_with(estimand.average if is_of_one else estimand.choice.average)


def metric_and_label(estimand: Estimand, axes: tuple[Axis, ...]) -> tuple[str, Any]:
    """A metric's name with its average, and its class, unless an axis names it."""
    return _full_name(estimand), None if any(
        axis.name == "label" for axis in axes
    ) else estimand.label


def _of_few_samples(plan: IntervalPlan, found: Interval) -> Iterator[Caveat]:
    """Limits of fewer samples than their method needs."""
    n, least, of_which = _number_and_least(plan)
    n = np.broadcast_to(np.asarray(n), np.shape(found.low))
    is_few = (n < least) & ~np.isnan(found.low)
    name = _full_name(plan.estimand)
    if is_few.any():
        text = (
            f"{name} is based on too few samples, {{n}}{{where}} ({of_which}): limits may be too "
            "narrow."
        )
        yield Caveat("few_samples", text, is_few, n)
    if _hold_for_few(plan):
        return
    for caveat in plan.variation.of_few(plan.estimand):
        entries = (
            np.broadcast_to(np.asarray(caveat.entries), n.shape) & ~is_few & ~np.isnan(found.low)
        )
        if entries.any():
            sentence = caveat.sentence.replace("{name}", name)
            yield caveat._replace(sentence=sentence, entries=entries)


def _hold_for_few(plan: IntervalPlan) -> bool:
    """Whether the method does, or that for the classes, as whose limits a mean's are as wide."""
    of_classes = () if plan.averaged is None else (plan.method_of_parts,)
    return not all(METHODS[method].caveat for method in (plan.method, *of_classes))


def _number_and_least(plan: IntervalPlan) -> tuple[Any, float, str]:
    """How many samples limits rest on, how many their method needs, and of which."""
    of_classes, once = plan.averaged, plan.once
    holds = plan.method_of_parts in OF_EFFECTIVE or _hold_for_few(plan)
    is_plain_mean = of_classes is not None and once.kind.is_alike and holds
    if of_classes is not None and is_plain_mean and not _is_of_shares(of_classes):
        n = _samples_of_mean_class(once, of_classes)
        return n, FEWEST, "harmonic mean of the classes"
    of_which = "of the rarest class or outcome"
    if _hold_for_few(plan):
        return np.inf, 0, of_which
    if METHODS[plan.method].caveat == "few hits or misses":
        return _of_rarer_outcome(plan), FEWEST, of_which
    if plan.method in OF_EFFECTIVE and plan.is_extreme and plan.parts is not None:
        # Far out in their tails limits of fewer are off by several times their error.
        n, fewest = _that_decide(plan.parts)
        return n.min(-1), max(fewest, FEW), of_which
    if plan.method in OF_EFFECTIVE:
        return *_that_decide(plan.estimand), of_which
    n = once.samples_counted()
    if plan.method == "delta" and isinstance(plan.variation, OfCounts):
        n = n if plan.estimand.has_own_scale else np.fmin(n, n_that_move(plan.estimand).round(1))
    return n, FEW, of_which


def _is_of_shares(parts: Estimand) -> bool:
    """Whether the value of a class is a proportion, or joins two by MOVER."""
    return is_share(parts) or parts.is_of_two_shares


def _samples_of_mean_class(once: Estimand, of_classes: Estimand) -> Array:
    """The harmonic mean over the classes of the samples in the denominator of each, half of the
    errors unless they count otherwise: a plain mean varies as of so many of each (Yates 1934).
    """
    of_fp, of_fn = of_classes.weights_of_errors if of_classes.is_overlap else (0.5, 0.5)
    tp, fp, fn, _ = once.counts or class_counts_of(tables_of_labels(once.matrices))
    n = np.asarray(tp + of_fp * fp + of_fn * fn)
    mean = ratio((n > 0).sum(-1), np.where(n > 0, ratio(1, n), 0).sum(-1))
    return np.asarray(mean.round(1))


def _of_rarer_outcome(plan: IntervalPlan) -> Array:
    """The hits or misses of the proportions that determine a value, whichever are fewest; of the
    worst class those of any.
    """
    of_each = plan.parts if plan.is_extreme and plan.parts is not None else plan.estimand
    shares = of_each.counted_shares()
    fewest = np.min([np.minimum(of.hits, of.n - of.hits) for of in shares], 0)
    return np.asarray(fewest.min(-1) if plan.is_extreme else fewest)


def _that_decide(estimand: Estimand) -> tuple[Array, int]:
    """How many samples decide whether limits by an effective number hold, and how many are enough:
    those that move a linear function, if all its classes occur, else those of other classes than
    the most frequent one.
    """
    actual = estimand.matrices.sum(-1)
    if estimand.choice.row.kind != "linear over linear":
        return actual.sum(-1) - actual.max(-1), FEW
    is_absent = ((actual == 0) & estimand.occurring()).any(-1)
    return np.where(is_absent, 0, n_that_move(estimand).round(1)), FEW_THAT_MOVE


def n_that_move(estimand: Estimand) -> Array:
    """How many rare errors of one kind would skew a value as much: by exact probabilities delta
    limits of a share were right in 84 %, of costs of 1 and 7 in 58 %; from 10 on in 88 %.
    """
    cells = estimand.matrices + estimand.smoothing
    slopes = gradient_of(estimand.value_of, cells)
    mean = ratio((cells * slopes).sum((-2, -1)), cells.sum((-2, -1)))
    moves = np.abs(slopes - mean[..., None, None])
    squares, cubes = ((cells * moves**power).sum((-2, -1)) for power in (2, 3))
    return ratio(squares**3, cubes**2)


def check_counts_of_samples(estimand: Estimand, wanted: str) -> None:
    """Refuse counts that do not give the number of samples."""
    if not estimand.matrices.any():
        raise ValueError("the matrix has no samples, so the value can't be estimated.")
    if estimand.matrices.sum((-2, -1)).max() >= LARGEST_EXACT:
        raise ValueError(
            f"{wanted} supports fewer than 2**53 samples, but there are "
            f"{estimand.matrices.sum():.3g}."
        )
    refuse_fractions(estimand.matrices, wanted)


def _of_replicates(
    estimand: Estimand,
    n_undefined: Any,
    n_drawn: int,
    is_nan: NDArray[np.bool_],
    is_unknown: NDArray[np.bool_],
) -> Iterator[Caveat]:
    """Replicates in which a value is undefined."""
    name = _full_name(estimand)
    n_undefined = np.broadcast_to(n_undefined, is_nan.shape)
    if (is_nowhere := is_nan & ~is_unknown & (n_undefined >= n_drawn)).any():
        text = f"{name} is undefined whatever the samples may be: its confidence limits are nan."
        yield Caveat("undefined_replicates", text, is_nowhere)
    if (is_often := ~is_nan & (n_undefined > MOST_UNDEFINED * n_drawn)).any():
        text = (
            f"{name} is undefined in {{n}} of {n_drawn} replicates{{where}}, so its limits are too "
            "narrow."
        )
        yield Caveat("undefined_replicates", text, is_often, n_undefined)


def _of_averages(estimand: Estimand, value: Array, is_nan: NDArray[np.bool_]) -> Iterator[Caveat]:
    """Averages of which a class has no value, or an infinite one."""
    if estimand.is_of_one_class:
        return
    name = estimand.choice.asked
    is_filled = (value != estimand.value) & ~is_nan
    if is_filled.any():
        is_filled &= ~np.isclose(value, estimand.value, equal_nan=True)
    if is_filled.any():
        text = (
            f"{name} of some classes is undefined in the sample: the value uses zero_division for "
            "them, and the confidence limits exclude them. zero_division=nan excludes them from "
            "both."
        )
        yield Caveat("undefined_class", text, is_filled)
    if estimand.kind.is_mean_of_classes and estimand.choice.row.is_infinite_at_0:
        text = (
            f"{name} is infinite or 0 for a class with an empty cell, so the actual coverage of "
            "the confidence interval for its average is far below the nominal level: use the "
            "interval for each class, average=None."
        )
        yield Caveat("unbounded", text)
