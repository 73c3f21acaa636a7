"""Which method applies to a value; counts and a choice -> Interval, with its warnings."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.catalogue.averages import kind_of_average
from skmetrics_ext.catalogue.choice import Choice, choice_of_classes
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.catalogue.score import resolved_average, score
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import random_of
from skmetrics_ext.reading.arguments import (
    check_confidence_level,
    check_flag,
    check_in_range,
    check_whole,
)
from skmetrics_ext.reading.messages import collecting_warnings
from skmetrics_ext.reading.order import show
from skmetrics_ext.statistics.bootstrap import (
    Draws,
    MethodLimits,
    bootstrap,
    limits_by_bootstrap,
    limits_by_posterior,
)
from skmetrics_ext.statistics.caveats import UNDEFINED, Caveat, where_entries_are
from skmetrics_ext.statistics.delong import Area, newcombe, wider
from skmetrics_ext.statistics.delta import SCALES, limits_by_delta
from skmetrics_ext.statistics.estimand import FEW, Estimand, Proportion, estimand_of
from skmetrics_ext.statistics.proportions import (
    Array,
    Limits,
    clopper_pearson,
    larger,
    modified_wilson,
    mover,
    mover_of_ratio,
)
from skmetrics_ext.statistics.results import Interval

# Names as given, and as shown.
METHODS = {
    "wilson": "Wilson",
    "clopper-pearson": "Clopper-Pearson",
    "korn-graubard": "Korn-Graubard",
    "mover": "MOVER",
}
METHODS |= {"delta": "delta", "bootstrap": "smoothed bootstrap", "dirichlet": "Dirichlet"}

# Metrics that are fixed where the numbers of the actual classes are.
# Values whose replicates are biased by more than their uncertainty, unless their own method allows
# for it.
BIASED = ("quantity", "allocation", "biased", "largest share")
# The limits of what two proportions are joined to.
JOINED = {"sum": mover, "ratio": mover_of_ratio, "larger": larger}
RESAMPLED = ("bootstrap", "dirichlet")
# Averages of values of which each may be undefined.
# Methods that hold for few samples.
OF_FEW = ("wilson", "clopper-pearson", "mover")
# A larger proportion of undefined replicates gives a warning.
TOLERATED = 0.05
# Larger floats do not count single samples exactly.
LARGEST_EXACT = 2.0**53
# With a larger prior the counts have no influence.
LARGEST_PRIOR = 1e15


def chosen_method(estimand: Estimand, asked: str, fitting: list[str], of: str = "") -> str:
    """The method requested by name, or the first applicable one."""
    if asked == "auto":
        return fitting[0]
    if asked not in fitting:
        raise ValueError(
            f"method={asked!r} does not apply to {_named(estimand)}{of}: choose one of "
            f"{sorted(fitting)}."
        )
    return asked


def has_slope(row: Metric, average: str | None) -> bool:
    """Whether the value is a differentiable function of the counts everywhere."""
    return not row.has_kinks and row.interval != "biased" and not kind_of_average(average).is_worst


def fitting_counts(estimand: Estimand, *, by_row: bool) -> list[str]:
    """The methods applicable to counts of samples, the best one first."""
    row = estimand.choice.row
    # The distribution of others changes if the numbers of the actual classes are fixed by design.
    keeps_distribution = not by_row or (estimand.is_of_one_class and estimand.is_of_actual())
    fitting = []
    if keeps_distribution and estimand.proportion() is not None:
        fitting += ["wilson", "clopper-pearson"]
    if keeps_distribution and estimand.is_of_one_class and row.of_two_shares is not None:
        fitting.append("mover")
    if estimand.is_of_one_class and row.interval in SCALES:
        return [*fitting, "delta", "bootstrap", "dirichlet"]
    return [
        *fitting,
        "bootstrap",
        "dirichlet",
        *(["delta"] if has_slope(row, estimand.average) else []),
    ]


def _named(estimand: Estimand) -> str:
    """A metric and its average for a message."""
    name = estimand.choice.row.name
    if not estimand.choice.row.has_average:
        return name
    return (
        f"{name} of one class"
        if estimand.is_of_one_class
        else f"{name} with average={estimand.average!r}"
    )


class Request(NamedTuple):
    """Confidence level, of the interval or of each of its limits, and method."""

    confidence_level: float = 0.95
    method: str = "auto"
    fixed: str | None = None
    simultaneous: bool = False
    n_resamples: int = 9_999
    random_state: Any = None
    prior: float | None = None
    is_one_sided: bool = False

    @property
    def alpha(self) -> float:
        """The probability that either limit is wrong."""
        return (1 - self.confidence_level) * (2 if self.is_one_sided else 1)


def requested(confidence_level: Any, *options: Any, **named: Any) -> Request:
    """A request of a caller; p-values look for limits at any level."""
    check_confidence_level(confidence_level)
    return Request(confidence_level, *options, **named)


def interval_of(
    counted: Counted, choice: Choice, axes: tuple[Axis, ...], request: Request
) -> Interval:
    """The value of counts with leading axes, with its confidence limits."""
    return next(intervals_of(counted, [choice], axes, request))


def interval_of_groups(counted: Counted, choice: Choice, request: Request) -> Interval:
    """The interval of groups; the gap itself warns of few samples."""
    plan = _interval_plan(counted, choice, request)
    return _planned_interval(
        counted, plan, (Axis("entry", np.arange(len(plan.estimand.matrices))),), request, None
    )


def intervals_of(
    counted: Counted, choices: Sequence[Choice], axes: tuple[Axis, ...], request: Request
) -> Iterator[Interval]:
    """The intervals of several metrics; those resampled from the matrices of all classes share
    their replicates.
    """
    check_request(request)
    plans = [_interval_plan(counted, choice, request) for choice in choices]
    refuse_weights(counted.are_weights, "an interval")
    # Values of one class have tables of their own.
    from_matrix = [plan for plan in plans if not (plan.is_extreme or plan.estimand.is_of_one_class)]
    together = [plan.estimand for plan in from_matrix if plan.method == "bootstrap"]
    drawn = (
        dict(zip(map(id, together), bootstrap(together, draws_of(request)), strict=True))
        if together
        else {}
    )
    for plan in plans:
        found = _planned_interval(counted, plan, axes, request, drawn.get(id(plan.estimand)))
        yield replace(found, caveats=(*found.caveats, *_of_few_samples(plan, found)))


class IntervalPlan(NamedTuple):
    """What is requested, and how its confidence limits are computed."""

    estimand: Estimand
    # The class values of which it is the minimum, maximum or mean; None for other values.
    parts: Estimand | None
    # The method of the parts if it is their minimum or maximum.
    method: str
    # Whether the value is that of a single class, whichever has the minimum or maximum.
    is_extreme: bool

    @property
    def shown(self) -> str:
        """The displayed name of its method."""
        if self.is_extreme:
            return f"{METHODS[self.method]} for each class"
        return METHODS[self.method] if self.parts is None else or_mover(self.method)


def _interval_plan(counted: Counted, choice: Choice, request: Request) -> IntervalPlan:
    """What is requested, and the method for its confidence limits."""
    estimand = estimand_of(counted, choice)
    check_counts_of_samples(estimand, "an interval")
    by_row = request.fixed is not None
    if by_row and choice.row.is_fixed_by_design:
        raise ValueError(
            f"{choice.row.name} is fixed by the design, fixed='actual': it has no interval."
        )
    if estimand.kind.is_worst or choice.row.largest_of:
        of_classes = choice_of_classes(choice) or choice._replace(average=None)
        each = estimand_of(counted, of_classes)
        method = chosen_method(each, request.method, fitting_counts(each, by_row=by_row))
        return IntervalPlan(estimand, each, method, is_extreme=True)
    method = chosen_method(estimand, request.method, fitting_counts(estimand, by_row=by_row))
    of_each = choice_of_each(estimand) if request.method == "auto" else None
    parts = None if of_each is None else estimand_of(counted, of_each)
    return IntervalPlan(estimand, parts, method, is_extreme=False)


def or_mover(method: str) -> str:
    """The displayed name of a method whose limits are at least as wide as MOVER of those of the
    classes.
    """
    return f"the wider of {METHODS[method]} and MOVER"


def choice_of_each(estimand: Estimand) -> Choice | None:
    """The values of the classes of which a value is the mean; None for other values, and for
    unbounded ones.
    """
    choice = estimand.choice
    if choice.row.mean_of:
        return choice_of_classes(choice)
    is_mean = estimand.kind.is_mean_of_classes and not (
        estimand.is_of_one_class or estimand.is_of_labels
    )
    # Where the value of a class with an empty cell is infinite, averages have no valid interval.
    return choice._replace(average=None) if is_mean and not choice.row.is_infinite_at_0 else None


def with_classes(counted: Counted, estimand: Estimand, axes: tuple[Axis, ...]) -> tuple[Axis, ...]:
    """The axes, and that of the classes if these have an entry each."""
    if estimand.labels is None:
        return axes
    return (*axes, Axis("label" if counted.multilabel else "class", estimand.labels))


def _planned_interval(
    counted: Counted,
    plan: IntervalPlan,
    axes: tuple[Axis, ...],
    request: Request,
    drawn: Array | None,
) -> Interval:
    """The value with its confidence limits, from existing replicates if any."""
    estimand, parts, method, is_extreme = plan

    def find(alpha: float, draws: Draws) -> MethodLimits:
        """Confidence limits at level 1 - alpha."""
        if parts is not None and is_extreme:
            is_out = np.isnan(parts.value_of(parts.matrices)) & estimand.choice.omits_undefined
            n_classes = int((~is_out).sum(-1).max(initial=1))
            each = _found(method, parts, alpha, draws, request.prior)
            # At so small an alpha Wilson's limits of few samples are too narrow.
            at_once = "clopper-pearson" if method == "wilson" else method
            of_all = _found(at_once, parts, alpha / n_classes, draws, request.prior)
            return _limits_of_extreme(estimand, each, of_all, is_out)
        if drawn is not None:
            found = limits_by_bootstrap(estimand, drawn, alpha, draws)
        else:
            found = _found(method, estimand, alpha, draws, request.prior)
        if parts is None:
            return found
        of_classes = _found(
            fitting_counts(parts, by_row=draws.by_row)[0], parts, alpha, draws, None
        ).limits
        return found._replace(
            limits=no_nearer_than_classes(estimand, parts, found.limits, of_classes)
        )

    return make_interval(counted, estimand, axes, request, method, find, plan.shown)


def no_nearer_than_classes(
    estimand: Estimand, parts: Estimand, limits: Limits, of_classes: Limits
) -> Limits:
    """The limits of a mean of classes, at least as wide as MOVER of the limits of each.

    With few errors, replicates understate how many there might be.
    """
    values, support = parts.value_of(parts.matrices), parts.matrices.sum(-1)[..., 1]
    weights = np.where(np.isnan(values), 0, support if estimand.kind.how == "weighted mean" else 1)
    shares = ratio(weights, weights.sum(-1, keepdims=True))
    below, above = (
        np.sqrt(np.nansum((shares * (values - end)) ** 2, -1))
        for end in (of_classes.low, of_classes.high)
    )
    value, is_flat = estimand.value_of(estimand.matrices), limits.low == limits.high
    wider = np.minimum(limits.low, value - below), np.maximum(limits.high, value + above)
    return Limits(
        *(np.where(is_flat, limit, end) for limit, end in zip(limits, wider, strict=True))
    )


def _limits_of_extreme(
    estimand: Estimand, each: MethodLimits, of_all: MethodLimits, is_out: NDArray[Any]
) -> MethodLimits:
    """Limits of the lowest or the highest value of the classes, from individual and from
    simultaneous limits.

    The minimum is at least the lowest of the individual lower limits, unless that of the class with
    the minimum fails. It is at most the value of any class, so all upper limits have to hold.
    """
    is_least = estimand.kind.is_worst and estimand.choice.row.better == "higher"
    if is_least:
        limits = Limits(
            *(
                np.where(is_out, np.inf, end).min(-1)
                for end in (each.limits.low, of_all.limits.high)
            )
        )
    else:
        limits = Limits(
            *(
                np.where(is_out, -np.inf, end).max(-1)
                for end in (of_all.limits.low, each.limits.high)
            )
        )
    return MethodLimits(limits, np.where(is_out, 0, each.n_undefined).max(-1))


def make_interval(
    counted: Counted,
    estimand: Estimand,
    axes: tuple[Axis, ...],
    request: Request,
    method: str,
    find: Callable[[float, Draws], MethodLimits],
    shown: str = "",
    n: Any = None,
    caveats: Iterable[Caveat] = (),
) -> Interval:
    """The value with its confidence limits, and caveats where these may lack coverage."""
    with collecting_warnings() as undefined:
        value = _value_of(counted, estimand.choice)
    axes = with_classes(counted, estimand, axes)
    is_nowhere = np.broadcast_to(np.isnan(estimand.value_of(estimand.matrices)), value.shape)
    where = is_nowhere if is_nowhere.any() else None
    reasons = [*caveats, *(Caveat(UNDEFINED, text, where, None, axes) for text in undefined)]
    alpha = request.alpha / (max(value.size, 1) if request.simultaneous else 1)
    draws = draws_of(request)
    found = find(alpha, draws)
    if method in RESAMPLED and (draws.n + 1) * alpha / 2 < 1:
        text = (
            f"{draws.n} replicates are too few for such a high confidence level, so the "
            "confidence limits are their "
            f"minimum and maximum: pass n_resamples={math.ceil(2 / alpha)} or more."
        )
        reasons.append(Caveat("few_replicates", text))
    # Shifted limits may exclude the value.
    low, high = np.minimum(found.limits.low, value), np.maximum(found.limits.high, value)
    low, high = (
        np.where(np.isnan(value), limit, end)
        for limit, end in zip(found.limits, (low, high), strict=True)
    )
    # With a class without samples, two equal limits may differ from the value.
    is_flat = (low == high) | (found.limits.low == found.limits.high)
    is_unknown, why_unknown = _is_unknown(estimand, axes, is_flat)
    if is_unknown.any():
        low, high = (np.where(is_unknown, np.nan, end) for end in (low, high))
    is_nan = np.isnan(low) | np.isnan(high)
    reasons += why_unknown
    reasons += _of_replicates(estimand, axes, found.n_undefined, draws.n, is_nan, is_unknown)
    reasons += _of_averages(estimand, axes, value, is_nan)
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
        method=shown or METHODS[method],
        n_undefined=n_undefined,
        axes=axes,
        metric=metric,
        label=label,
        n=n,
        caveats=tuple(reasons),
    )


def _value_of(counted: Counted, choice: Choice) -> Array:
    """The value, nan where it is 0/0 as a whole unless zero_division= says otherwise.

    Undefined values of some of its classes are those of `score`.
    """
    if not choice.is_default_undefined:
        return np.asarray(score(counted, choice))
    as_nan = choice._replace(undefined=np.nan)
    average = resolved_average(counted, choice) if choice.row.has_average else None
    if not kind_of_average(average).is_of_several:
        return np.asarray(score(counted, as_nan))
    omitting, filled = (
        np.asarray(score(counted, choice.with_undefined(value)))
        for value in (np.nan, choice.undefined)
    )
    is_partly_filled = (omitting != filled) & ~np.isnan(omitting)
    value = score(counted, choice if is_partly_filled.any() else as_nan)
    return np.where(np.isnan(omitting), np.nan, value)


def _is_unknown(
    estimand: Estimand, axes: tuple[Axis, ...], is_flat: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], list[Caveat]]:
    """Which entries have no limits, since their uncertainty can't be estimated; and why."""
    name, why = _full_name(estimand), list[Caveat]()
    is_unknown = np.zeros(is_flat.shape, dtype=bool)
    if (
        not estimand.choice.omits_undefined
        and estimand.proportion() is None
        and not estimand.kind.is_worst
    ):
        is_unknown = estimand.depends_on_absent_classes()
        if is_unknown.any():
            absent = absent_in(estimand, axes, is_unknown)
            text = f"{name} depends on classes without samples, {absent}: its limits are nan."
            why.append(Caveat("absent_class", text, is_unknown, None, axes))
    if (is_constant := is_flat & ~is_unknown).any():
        text = (
            f"{name} is the same in all replicates, so its uncertainty can't be estimated: the "
            "limits are nan."
        )
        why.append(Caveat("constant", text, is_constant, None, axes))
    return np.asarray(is_unknown | is_flat), why


def absent_in(estimand: Estimand, axes: tuple[Axis, ...], entries: NDArray[np.bool_]) -> str:
    """The classes without samples of some entries for a message, with the names of these."""
    assert estimand.order is not None, "one matrix has all classes"
    is_absent = (estimand.matrices.sum(-1) == 0)[entries].reshape(-1, len(estimand.order)).any(0)
    return show(estimand.order[is_absent]) + where_entries_are(axes, entries)


def _full_name(estimand: Estimand) -> str:
    """The name of a metric with its average."""
    return estimand.choice.name_with(estimand.average)


def metric_and_label(estimand: Estimand, axes: tuple[Axis, ...]) -> tuple[str, Any]:
    """The name of a metric with its average, and the class it refers to, unless an
    axis names it.
    """
    return _full_name(estimand), None if any(
        axis.name == "label" for axis in axes
    ) else estimand.label


def _of_few_samples(plan: IntervalPlan, found: Interval) -> Iterator[Caveat]:
    """Limits based on too few samples for an asymptotic method."""
    n = np.broadcast_to(np.asarray(plan.estimand.samples_counted()), np.shape(found.low))
    is_few = (n < FEW) & ~np.isnan(found.low)
    # The limits of a mean of classes are at least as wide as those of the classes, which may hold
    # for few samples.
    of_classes = (
        fitting_counts(plan.parts, by_row=False)[:1]
        if plan.parts is not None and not plan.is_extreme
        else []
    )
    if not is_few.any() or any(method in OF_FEW for method in (plan.method, *of_classes)):
        return
    text = (
        f"{_full_name(plan.estimand)} is based on too few samples, {{n}}{{where}} (for an average, "
        "in its smallest class): limits may be too narrow."
    )
    yield Caveat("few_samples", text, is_few, n, found.axes)


def draws_of(request: Request) -> Draws:
    """How replicates are drawn; a seed starts again."""
    return Draws(request.n_resamples, random_of(request.random_state), request.fixed is not None)


def check_request(request: Request) -> None:
    """Refuse options that no method accepts."""
    check_whole(request.n_resamples, "n_resamples", 100)
    check_flag(request.simultaneous, "simultaneous")
    if request.method not in ("auto", *METHODS):
        raise ValueError(f"method must be 'auto' or one of {[*METHODS]}; got {request.method!r}.")
    if request.fixed not in (None, "actual"):
        raise ValueError(f"fixed must be None or 'actual'; got {request.fixed!r}.")
    if request.prior is not None:
        check_in_range(
            request.prior,
            "prior",
            lambda x: 0 < x <= LARGEST_PRIOR,
            "a number above 0 and at most 1e15",
        )
        if request.method != "dirichlet":
            raise ValueError(
                f"prior= applies only to method='dirichlet', but method is {request.method!r}."
            )


def check_counts_of_samples(estimand: Estimand, wanted: str) -> None:
    """Refuse counts that do not give the number of samples."""
    if not estimand.matrices.any():
        raise ValueError("the matrix has no samples, so the value can't be estimated.")
    if estimand.matrices.sum((-2, -1)).max() >= LARGEST_EXACT:
        raise ValueError(
            f"{wanted} supports fewer than 2**53 samples, but there are "
            f"{estimand.matrices.sum():.3g}."
        )
    if (estimand.matrices % 1).any():
        raise ValueError(
            f"the counts are sums of weights, which do not give the number of samples: {wanted} "
            "needs whole counts. For a confidence interval with sample weights, use "
            "metric_interval."
        )


def refuse_weights(are_weights: bool, wanted: str) -> None:
    """Refuse sums of weights, whole ones too, which are not numbers of samples."""
    if are_weights:
        raise ValueError(
            "the counts are sums of sample_weight, which do not give the number of samples that "
            f"{wanted} needs: "
            "metric_interval computes confidence intervals for weighted samples. If each weight is "
            "the number of times a sample occurs, pass frequency_weights=True."
        )


def _found(
    method: str, estimand: Estimand, alpha: float, draws: Draws, prior: float | None
) -> MethodLimits:
    """Confidence limits by an applicable method."""
    if method in ("wilson", "clopper-pearson"):
        share = estimand.proportion()
        assert share is not None, (
            "a method for proportions is available only for metrics that are proportions"
        )
        return MethodLimits(
            by_share(share, alpha, modified_wilson if method == "wilson" else clopper_pearson)
        )
    if method == "mover":
        of_both = [modified_wilson(*share, alpha) for share in estimand.two_quotients()]
        return MethodLimits(by_two_shares(estimand, of_both))
    if method == "delta":
        return MethodLimits(limits_by_delta(estimand, alpha, by_row=draws.by_row))
    if method == "bootstrap":
        (values,) = bootstrap([estimand], draws)
        return limits_by_bootstrap(estimand, values, alpha, draws)
    return limits_by_posterior(estimand, alpha, draws, prior)


def by_share(
    share: Proportion, alpha: float, limits_of: Callable[..., Limits] = modified_wilson
) -> Limits:
    """The limits of a proportion, transformed to the value that is a function of it."""
    ends = [share.value_at(limit) for limit in limits_of(share.hits, share.n, alpha)]
    return Limits(np.minimum(*ends), np.maximum(*ends))


def by_two_shares(estimand: Estimand, limits: list[Limits]) -> Limits:
    """The limits of a sum, a ratio or a maximum of two proportions from those of both, transformed
    to the value.
    """
    first, second = (ratio(*quotient) for quotient in estimand.two_quotients())
    of_both = estimand.choice.row.of_two_shares
    assert of_both is not None
    joined = JOINED[of_both.joined]((first, second), (limits[0], limits[1]))
    return Limits(*map(of_both.value_at, joined))


def _of_replicates(
    estimand: Estimand,
    axes: tuple[Axis, ...],
    n_undefined: Any,
    n_drawn: int,
    is_nan: NDArray[np.bool_],
    is_unknown: NDArray[np.bool_],
) -> Iterator[Caveat]:
    """Replicates in which a value is undefined."""
    name = _full_name(estimand)
    n_undefined = np.broadcast_to(n_undefined, is_nan.shape)
    if (is_nowhere := is_nan & ~is_unknown & (n_undefined >= n_drawn)).any():
        text = f"{name} is undefined in all {n_drawn} replicates: its confidence limits are nan."
        yield Caveat("undefined_replicates", text, is_nowhere, None, axes)
    if (is_often := ~is_nan & (n_undefined > TOLERATED * n_drawn)).any():
        most = np.max(n_undefined[is_often])
        text = (
            f"{name} is undefined in {most} of {n_drawn} replicates, so its limits are too narrow."
        )
        yield Caveat("undefined_replicates", text, is_often, None, axes)


def _of_averages(
    estimand: Estimand, axes: tuple[Axis, ...], value: Array, is_nan: NDArray[np.bool_]
) -> Iterator[Caveat]:
    """Averages of which a class has no value, or an infinite one."""
    if estimand.is_of_one_class:
        return
    name = estimand.choice.asked
    differs = ~np.isclose(value, estimand.value_of(estimand.matrices), equal_nan=True)
    if (is_filled := differs & ~is_nan).any():
        text = (
            f"{name} of some classes is undefined in the sample: the value uses zero_division for "
            "them, and the confidence limits exclude them. zero_division=nan excludes them from "
            "both."
        )
        yield Caveat("undefined_class", text, is_filled, None, axes)
    if estimand.kind.is_mean_of_classes and estimand.choice.row.is_infinite_at_0:
        text = (
            f"{name} is infinite or 0 for a class with an empty cell, so the actual coverage of "
            "the confidence interval for its average is far below the nominal level: use the "
            "interval for each class, average=None."
        )
        yield Caveat("unbounded", text)


def fitting_units(estimand: Estimand) -> list[str]:
    """The methods applicable to clusters of samples, or several labels per sample, the best one
    first.
    """
    fitting = (
        ["delta", "bootstrap"]
        if has_slope(estimand.choice.row, estimand.average)
        else ["bootstrap"]
    )
    return ["wilson", *fitting] if _is_share(estimand) else fitting


def _is_share(estimand: Estimand) -> bool:
    """Whether a value is itself a proportion of samples."""
    row = estimand.choice.row
    if row.interval != "share" or estimand.is_of_labels:
        return False
    return estimand.is_of_one_class or not row.has_average


def fitting_weights(estimand: Estimand) -> list[str]:
    """The methods applicable to weighted samples, the best one first.

    F1 and accuracy count errors with either prediction, of which only one may occur in the sample:
    the variance behind Wilson's effective size then lacks the other, which the samples added by the
    delta method represent.
    """
    of_counts = fitting_counts(estimand, by_row=False)
    of_shares = ["wilson", "korn-graubard"] if "wilson" in of_counts else []
    of_shares += ["mover"] if "mover" in of_counts else []
    by_delta = ["delta"] if has_slope(estimand.choice.row, estimand.average) else []
    has_either = not estimand.is_of_one_class or estimand.choice.row.interval == "overlap"
    return [*(by_delta + of_shares if has_either else of_shares + by_delta), "bootstrap"]


def limits_of_roc_area(area: Area, alpha: float, method: str) -> tuple[Limits, str]:
    """Limits of the area, and how they are computed: "auto", "delong" or "delong-logit".

    A perfect ranking has no estimated variance, and has Newcombe's limits whatever the method;
    other samples without a variance, such as a single one of a class, have those of a proportion of
    the rarer class.
    """
    if area.rarer >= 2 and area.value in (0, 1):
        return newcombe(area, alpha), "Newcombe 5"
    # Of a perfect ranking in fewer than two clusters, rounding may leave a variance.
    if area.variance <= 0 or area.value in (0, 1):
        return modified_wilson(area.value * area.rarer, area.rarer, alpha), "Wilson"
    error, z = np.sqrt(area.variance), -special.ndtri(alpha / 2)
    if method == "delong":
        return Limits(
            np.maximum(area.value - z * error, 0), np.minimum(area.value + z * error, 1)
        ), "DeLong"
    if method == "delong-logit" or not area.is_of_few:
        return SCALES["logit"].around(area.value, z * error), "DeLong on the logit"
    by_t = SCALES["logit"].around(area.value, -special.stdtrit(area.rarer - 1, alpha / 2) * error)
    return wider(by_t, newcombe(area, alpha)), "the wider of Newcombe's method 5 and logit DeLong"
