"""Which method fits a value; counts and a choice -> Interval, with warnings of what it is worth."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.rows import BY_NAME, Metric
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import random_of
from skmetrics_ext.reading.arguments import check_flag, check_in_range, check_whole
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import show
from skmetrics_ext.statistics.bootstrap import (
    Draws,
    MethodLimits,
    as_constant,
    bootstrap,
    n_undefined,
    of_bootstrap,
    percentiles,
    posterior,
)
from skmetrics_ext.statistics.delong import RocArea, newcombe, on_logit, wider
from skmetrics_ext.statistics.delta import SCALES, limits_by_delta
from skmetrics_ext.statistics.estimand import (
    FEW,
    TWO_SHARES,
    Carried,
    Estimand,
    carried,
    estimand_of,
    rests_on_absent,
    samples_counted,
    samples_of,
    two_quotients,
)
from skmetrics_ext.statistics.proportions import Array, Limits, clopper_pearson, modified_wilson
from skmetrics_ext.statistics.results import Interval

# Names as they are given, and as they are shown.
METHODS = {
    "wilson": "Wilson",
    "clopper-pearson": "Clopper-Pearson",
    "korn-graubard": "Korn-Graubard",
    "mover": "MOVER",
    "delta": "delta",
    "bootstrap": "smoothed bootstrap",
    "dirichlet": "Dirichlet",
}

# What keeps its distribution where the numbers of the actual classes are fixed by design.
GIVEN_ACTUAL = (
    "recall",
    "specificity",
    "false_positive_rate",
    "false_negative_rate",
    "informedness",
    "one_vs_rest_balanced_accuracy",
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
    "prevalence_threshold",
)
# Metrics that are fixed where the numbers of the actual classes are.
OF_DESIGN = ("prevalence", "no_information_rate")
RESAMPLED = ("bootstrap", "dirichlet")
# Methods that hold for few samples.
OF_FEW = ("wilson", "clopper-pearson", "mover")
# Metrics that are infinite where a cell is empty have averages of which no interval is honest.
UNBOUNDED = (
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
    "diagnostic_odds_ratio",
    "relative_risk",
    "d_prime",
)
# A larger share of replicates without a value is worth a warning.
TOLERATED = 0.05
# Larger floats are no counts of single samples.
LARGEST_EXACT = 2.0**53
# A larger prior leaves nothing of the counts.
LARGEST_PRIOR = 1e15


def chosen_method(estimand: Estimand, asked: str, fitting: list[str], of: str = "") -> str:
    """The method that is asked for by name, or the first that fits."""
    if asked == "auto":
        return fitting[0]
    if asked not in fitting:
        raise ValueError(f"method={asked!r} does not fit {_described(estimand)}{of}: choose one of {sorted(fitting)}.")
    return asked


def has_slope(row: Metric, average: str | None) -> bool:
    """Whether the value moves in proportion to small changes of the counts, wherever it is."""
    return not row.has_kinks and row.interval != "biased" and average != "worst"


def fitting_counts(estimand: Estimand, *, by_row: bool) -> list[str]:
    """The methods that fit counts of samples, the best one first."""
    row = estimand.choice.row
    keeps_distribution = not by_row or (row.name in GIVEN_ACTUAL and estimand.is_of_one_class)
    fitting = []
    if keeps_distribution and carried(estimand) is not None:
        fitting += ["wilson", "clopper-pearson"]
    if keeps_distribution and estimand.is_of_one_class and row.name in TWO_SHARES:
        fitting.append("mover")
    if estimand.is_of_one_class and row.interval in SCALES:
        return [*fitting, "delta", "bootstrap", "dirichlet"]
    return [*fitting, "bootstrap", "dirichlet", *(["delta"] if has_slope(row, estimand.average) else [])]


def _described(estimand: Estimand) -> str:
    """A metric and its average for a message."""
    name = estimand.choice.row.name
    if not estimand.choice.row.has_average:
        return name
    return f"{name} of one class" if estimand.is_of_one_class else f"{name} with average={estimand.average!r}"


class Request(NamedTuple):
    """How sure, and how the limits are found."""

    confidence_level: float = 0.95
    method: str = "auto"
    fixed: str | None = None
    simultaneous: bool = False
    n_resamples: int = 9_999
    random_state: Any = None
    prior: float | None = None


def interval_of(counted: Counted, choice: Choice, axes: tuple[Axis, ...], request: Request) -> Interval:
    """The value of counts with leading axes, between its limits."""
    (interval,) = intervals_of(counted, [choice], axes, request)
    return interval


def interval_of_groups(counted: Counted, choice: Choice, request: Request) -> Interval:
    """That of groups, of whose few samples the gap warns itself."""
    of = _asked(counted, choice, request)
    axes = _with_classes(counted, of.estimand, (Axis("entry", np.arange(len(of.estimand.matrices))),))
    return _found_by(counted, of, axes, request, None)


def intervals_of(
    counted: Counted, choices: Sequence[Choice], axes: tuple[Axis, ...], request: Request
) -> Iterator[Interval]:
    """Those of several metrics, one by one; all drawn from the matrices of all classes share their replicates."""
    check_request(request)
    asked = [_asked(counted, choice, request) for choice in choices]
    refuse_weights(counted.are_weights, "an interval")
    together = [of.estimand for of in asked if of.method == "bootstrap" and of.shares_replicates]
    drawn = dict(zip(map(id, together), bootstrap(together, draws_of(request)), strict=True)) if together else {}
    for of in asked:
        all_axes = _with_classes(counted, of.estimand, axes)
        found = _found_by(counted, of, all_axes, request, drawn.get(id(of.estimand)))
        _warn_of_few_samples(of, found)
        yield found


class Sought(NamedTuple):
    """What is asked, and how its limits are found."""

    estimand: Estimand
    parts: Estimand | None
    """The values of the classes, of which it is the least, the largest or a mean; None of other values."""
    method: str
    """That of the parts, if it is the least or the largest of them."""
    is_extreme: bool
    """Whether the value is that of one class, whichever has the least or the largest."""

    @property
    def shares_replicates(self) -> bool:
        """Whether it is drawn from the matrix of all classes."""
        return not (self.is_extreme or self.estimand.is_of_one_class)

    @property
    def holds_for_few(self) -> bool:
        """Whether it is a mean whose limits are no nearer than those of classes, which hold for few samples."""
        return self.parts is not None and not self.is_extreme and fitting_counts(self.parts, by_row=False)[0] in OF_FEW

    @property
    def shown(self) -> str:
        """What its method is called."""
        if self.is_extreme:
            return f"{METHODS[self.method]} of each class"
        return METHODS[self.method] if self.parts is None else or_mover(self.method)


def _asked(counted: Counted, choice: Choice, request: Request) -> Sought:
    """What is asked, and the method that finds its limits."""
    estimand = estimand_of(counted, choice)
    check_counts_of_samples(estimand, "an interval")
    by_row = request.fixed is not None
    if by_row and choice.row.name in OF_DESIGN and not choice.row.is_own:
        raise ValueError(f"{choice.row.name} is fixed by the design, as fixed='actual' says: it has no interval.")
    if estimand.average == "worst" or choice.row.interval == "largest share":
        row = BY_NAME["prevalence"] if choice.row.interval == "largest share" else choice.row
        each = estimand_of(counted, choice._replace(row=row, average=None))
        method = chosen_method(each, request.method, fitting_counts(each, by_row=by_row))
        return Sought(estimand, each, method, is_extreme=True)
    method = chosen_method(estimand, request.method, fitting_counts(estimand, by_row=by_row))
    of_each = choice_of_each(estimand) if request.method == "auto" else None
    parts = None if of_each is None else estimand_of(counted, of_each)
    if parts is not None and fitting_counts(parts, by_row=by_row)[0] not in (*OF_FEW, "delta"):
        parts = None
    return Sought(estimand, parts, method, is_extreme=False)


def or_mover(method: str) -> str:
    """What a method is called whose limits are no nearer than those of the classes make them."""
    return f"{METHODS[method]} or MOVER, the wider"


def choice_of_each(estimand: Estimand) -> Choice | None:
    """The values of the classes of which a value is the mean; None of other values, and where they are infinite."""
    choice = estimand.choice
    if choice.row.name == "balanced_accuracy" and not choice.parameters.get("adjusted"):
        return choice._replace(row=BY_NAME["recall"], average=None, parameters={})
    is_mean = estimand.average in ("macro", "weighted") and not (estimand.is_of_one_class or estimand.is_of_labels)
    return choice._replace(average=None) if is_mean and choice.row.name not in UNBOUNDED else None


def _with_classes(counted: Counted, estimand: Estimand, axes: tuple[Axis, ...]) -> tuple[Axis, ...]:
    """The axes, and that of the classes that have an entry each, if any."""
    if estimand.labels is None:
        return axes
    return (*axes, Axis("label" if counted.multilabel else "class", estimand.labels))


def _found_by(counted: Counted, of: Sought, axes: tuple[Axis, ...], request: Request, drawn: Array | None) -> Interval:
    """The value between its limits, from replicates that are drawn already, if any."""
    estimand, parts, method, is_extreme = of

    def find(alpha: float, draws: Draws) -> MethodLimits:
        """Limits that leave out alpha."""
        if parts is not None and is_extreme:
            is_out = np.isnan(parts.value_of(parts.matrices)) & _is_nan(estimand.choice.zero_division)
            n_classes = int((~is_out).sum(-1).max(initial=1))
            each = _found(method, parts, alpha, draws, request.prior)
            # So far out Wilson's limits of few samples are too near.
            at_once = "clopper-pearson" if method == "wilson" else method
            of_all = _found(at_once, parts, alpha / n_classes, draws, request.prior)
            return _of_extreme(estimand, each, of_all, is_out)
        if drawn is not None:
            found = of_bootstrap(estimand, drawn, alpha, draws)
        else:
            found = _found(method, estimand, alpha, draws, request.prior)
        if parts is None:
            return found
        of_classes = _found(fitting_counts(parts, by_row=draws.by_row)[0], parts, alpha, draws, None).limits
        return found._replace(limits=no_nearer_than_classes(estimand, parts, found.limits, of_classes))

    # Its average is settled, but what is undefined counts as it was asked.
    return answered(estimand, score(counted, estimand.choice), axes, request, method, find, of.shown)


def no_nearer_than_classes(estimand: Estimand, parts: Estimand, limits: Limits, of_classes: Limits) -> Limits:
    """The limits of a mean of classes, no nearer than those that MOVER makes of the limits of each.

    Replicates of few errors tell too little of how many there might be.
    """
    values, support = parts.value_of(parts.matrices), parts.matrices.sum(-1)[..., 1]
    weights = np.where(np.isnan(values), 0, support if estimand.average == "weighted" else 1)
    shares = ratio(weights, weights.sum(-1, keepdims=True))
    below, above = (np.sqrt(np.nansum((shares * (values - end)) ** 2, -1)) for end in (of_classes.low, of_classes.high))
    value, is_flat = estimand.value_of(estimand.matrices), limits.low == limits.high
    return Limits(
        np.where(is_flat, limits.low, np.minimum(limits.low, value - below)),
        np.where(is_flat, limits.high, np.maximum(limits.high, value + above)),
    )


def _of_extreme(
    estimand: Estimand, each: MethodLimits, of_all: MethodLimits, is_out: NDArray[np.bool_]
) -> MethodLimits:
    """Limits of the least or the largest value of the classes, from those of each class and of all at once.

    The least is no lower than the least of the lower limits of each: to be wrong, the class that has the least must
    have it wrong. It is no higher than any class, all of which have to be right.
    """
    is_least = estimand.average == "worst" and estimand.choice.row.better == "higher"
    if is_least:
        limits = Limits(*(np.where(is_out, np.inf, end).min(-1) for end in (each.limits.low, of_all.limits.high)))
    else:
        limits = Limits(*(np.where(is_out, -np.inf, end).max(-1) for end in (of_all.limits.low, each.limits.high)))
    return MethodLimits(limits, np.where(is_out, 0, each.n_undefined).max(-1))


def _is_nan(zero_division: Any) -> bool:
    """Whether what is undefined is to be left out."""
    return zero_division != "warn" and bool(np.isnan(zero_division))


def answered(
    estimand: Estimand,
    value: Any,
    axes: tuple[Axis, ...],
    request: Request,
    method: str,
    find: Callable[[float, Draws], MethodLimits],
    shown: str = "",
    n: Any = None,
) -> Interval:
    """The value between the limits that are found, with warnings of what these are worth."""
    value = np.asarray(value)
    alpha = (1 - request.confidence_level) / (max(value.size, 1) if request.simultaneous else 1)
    draws = draws_of(request)
    found = find(alpha, draws)
    if method in RESAMPLED and (draws.n + 1) * alpha / 2 < 1:
        warn(
            f"{draws.n} replicates are too few for so high a level, so that the limits are the least and the largest "
            f"of them: pass n_resamples={math.ceil(2 / alpha)} or more."
        )
    # What is shifted may lie beside its value.
    low, high = np.minimum(found.limits.low, value), np.maximum(found.limits.high, value)
    low, high = (np.where(np.isnan(value), limit, end) for limit, end in zip(found.limits, (low, high), strict=True))
    # A class without samples may put the value beside limits that are one.
    is_flat = (low == high) | (found.limits.low == found.limits.high)
    if (is_unknown := _is_unknown(estimand, axes, is_flat)).any():
        low, high = (np.where(is_unknown, np.nan, end) for end in (low, high))
    _warn_of(estimand, value, found.n_undefined, draws.n, np.isnan(low) | np.isnan(high), is_unknown)
    parts = np.broadcast_arrays(value, low, high, found.n_undefined, samples_of(estimand) if n is None else n)
    value, low, high, undefined, n = (part if part.ndim else part.item() for part in parts)
    about = metric_and_label(estimand, axes)
    return Interval(value, low, high, request.confidence_level, shown or METHODS[method], undefined, axes, *about, n)


def _is_unknown(estimand: Estimand, axes: tuple[Axis, ...], is_flat: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which entries have no limits, since nothing says how sure they are; with a warning of the reason."""
    name = _full_name(estimand)
    rests = np.zeros(is_flat.shape, dtype=bool)
    if not _is_nan(estimand.choice.zero_division) and carried(estimand) is None and estimand.average != "worst":
        rests = rests_on_absent(estimand)
        if rests.any():
            warn(f"{name} depends on classes without samples, {absent_in(estimand, axes, rests)}: its limits are nan.")
    if (is_flat & ~rests).any():
        warn(f"{name} is the same in all replicates, which do not tell how sure it is: its limits are nan.")
    return np.asarray(rests | is_flat)


def absent_in(estimand: Estimand, axes: tuple[Axis, ...], entries: NDArray[np.bool_]) -> str:
    """The classes without samples of some entries for a message, with the names of these."""
    assert estimand.order is not None, "one matrix has all classes"
    is_absent = (estimand.matrices.sum(-1) == 0)[entries].reshape(-1, len(estimand.order)).any(0)
    return show(estimand.order[is_absent]) + _of_entries(axes, entries)


def _full_name(estimand: Estimand) -> str:
    """The name of a metric with its average."""
    return estimand.choice.name_with(estimand.average)


def metric_and_label(estimand: Estimand, axes: tuple[Axis, ...]) -> tuple[str, Any]:
    """The name of a metric with its average, and the class that it is of, if no axis says it."""
    return _full_name(estimand), None if any(axis.name == "label" for axis in axes) else estimand.label


def _warn_of_few_samples(of: Sought, found: Interval) -> None:
    """Say which limits rest on too few samples for a method of many."""
    n = np.asarray(samples_counted(of.estimand))
    is_few = (n < FEW) & (n > 0) & ~np.isnan(found.low)
    if of.method in OF_FEW or of.holds_for_few or not is_few.any():
        return
    warn(
        f"{_full_name(of.estimand)} rests on too few samples, {n[is_few].min():g}{_of_entries(found.axes, is_few)}, of "
        "an average those of its smallest class: its limits may be too narrow."
    )


def _of_entries(axes: tuple[Axis, ...], is_asked: NDArray[np.bool_]) -> str:
    """Where entries stand along the axes, for a message."""
    if not axes:
        return ""
    places = zip(axes, np.nonzero(is_asked), strict=True)
    return f" in {', '.join(f'{axis.name} {show(axis.coordinates[np.unique(where)])}' for axis, where in places)}"


def draws_of(request: Request) -> Draws:
    """How replicates are drawn, from the start for a seed."""
    return Draws(request.n_resamples, random_of(request.random_state), request.fixed is not None)


def check_request(request: Request) -> None:
    """Refuse what no method takes."""
    check_in_range(request.confidence_level, "confidence_level", lambda x: 0 < x < 1, "a number between 0 and 1")
    check_whole(request.n_resamples, "n_resamples", 100)
    check_flag(request.simultaneous, "simultaneous")
    if request.method not in ("auto", *METHODS):
        raise ValueError(f"method must be 'auto' or one of {[*METHODS]}; got {request.method!r}.")
    if request.fixed not in (None, "actual"):
        raise ValueError(f"fixed must be None or 'actual'; got {request.fixed!r}.")
    if request.prior is not None:
        check_in_range(request.prior, "prior", lambda x: 0 < x <= LARGEST_PRIOR, "a number above 0 and at most 1e15")
        if request.method != "dirichlet":
            raise ValueError(f"prior= is for method='dirichlet', but here it is {request.method!r}.")


def check_counts_of_samples(estimand: Estimand, wanted: str) -> None:
    """Refuse counts that do not say how many samples there are."""
    if not estimand.matrices.any():
        raise ValueError("the matrix has no samples, so that nothing is known of the value.")
    if estimand.matrices.sum((-2, -1)).max() >= LARGEST_EXACT:
        raise ValueError(f"{wanted} is for fewer than 2**53 samples, and there are {estimand.matrices.sum():.3g}.")
    if (estimand.matrices % 1).any():
        raise ValueError(
            f"the counts are sums of weights, which do not tell how many samples there are: {wanted} needs whole "
            "counts. For an interval with sample weights take metric_interval."
        )


def refuse_weights(are_weights: bool, wanted: str) -> None:
    """Refuse sums of weights, whole ones too, which are no numbers of samples."""
    if are_weights:
        raise ValueError(
            f"the counts are sums of sample_weight, which do not tell how many samples there are: {wanted} of samples "
            "with weights is found by metric_interval. Where a weight says how often a sample occurs, say "
            "frequency_weights=True."
        )


def _found(method: str, estimand: Estimand, alpha: float, draws: Draws, prior: float | None) -> MethodLimits:
    """Limits by a method that fits."""
    if method in ("wilson", "clopper-pearson"):
        share = carried(estimand)
        assert share is not None, "a method of shares is offered for metrics that have one"
        return MethodLimits(by_share(share, alpha, modified_wilson if method == "wilson" else clopper_pearson))
    if method == "mover":
        return MethodLimits(
            by_two_shares(estimand, [modified_wilson(*share, alpha) for share in two_quotients(estimand)])
        )
    if method == "delta":
        return MethodLimits(limits_by_delta(estimand, alpha, by_row=draws.by_row))
    if method == "bootstrap":
        (values,) = bootstrap([estimand], draws)
        return of_bootstrap(estimand, values, alpha, draws)
    values = posterior(estimand, draws, prior)
    limits = percentiles(values, alpha)
    return MethodLimits(as_constant(values, limits, estimand.value_of(estimand.matrices)), n_undefined(values))


def by_share(
    share: Carried, alpha: float, limits_of: Callable[[Array, Array, float], Limits] = modified_wilson
) -> Limits:
    """The limits of a share, carried over to the value that follows from it."""
    ends = [share.value_at(limit) for limit in limits_of(share.hits, share.n, alpha)]
    return Limits(np.minimum(*ends), np.maximum(*ends))


def by_two_shares(estimand: Estimand, limits: list[Limits]) -> Limits:
    """The limits of a sum or a ratio of two shares from those of both, carried over to the value."""
    of_both = TWO_SHARES[estimand.choice.row.name]
    first, second = (ratio(*quotient) for quotient in two_quotients(estimand))
    return Limits(*map(of_both.value_at, of_both.limits_of((first, second), (limits[0], limits[1]))))


def _warn_of(
    estimand: Estimand, value: Array, n_undefined: Any, n_resamples: int, is_nan: Any, is_unknown: Any
) -> None:
    """What makes limits worth less than they say, and why they are nan where no other warning says it."""
    name, average = estimand.choice.asked, estimand.average
    if (is_nan & ~is_unknown & (n_undefined >= n_resamples)).any():
        warn(f"{_full_name(estimand)} is undefined in all {n_resamples} replicates: its limits are nan.")
    if (most := np.max(np.where(is_nan, 0, n_undefined), initial=0)) > TOLERATED * n_resamples:
        warn(
            f"{_full_name(estimand)} is undefined in {most} of {n_resamples} replicates, which the limits leave out, "
            "so that they are too narrow."
        )
    if estimand.is_of_one_class:
        return
    is_left_out = ~np.isclose(value, estimand.value_of(estimand.matrices), equal_nan=True)
    if (is_left_out & ~is_nan).any():
        warn(
            f"{name} of some classes is undefined in the sample: the value has zero_division for them, and the limits "
            "leave them out. zero_division=nan leaves them out of both."
        )
    if average in ("macro", "weighted") and estimand.choice.row.name in UNBOUNDED:
        warn(
            f"{name} is infinite or 0 for a class with an empty cell, so that the limits of its average cover the "
            "truth far less often than they say: take those of each class, average=None."
        )


def fitting_units(estimand: Estimand) -> list[str]:
    """The methods that fit clusters of samples, or several labels a sample, the best one first."""
    fitting = ["delta", "bootstrap"] if has_slope(estimand.choice.row, estimand.average) else ["bootstrap"]
    return ["wilson", *fitting] if _is_share(estimand) else fitting


def _is_share(estimand: Estimand) -> bool:
    """Whether a value is a share of samples itself."""
    row = estimand.choice.row
    if row.interval != "share" or row.name == "bennett_s" or estimand.is_of_labels:
        return False
    return estimand.is_of_one_class or not row.has_average


def fitting_weights(estimand: Estimand) -> list[str]:
    """The methods that fit samples that count by weights, the best one first.

    Errors with either prediction, as F1 and the accuracy have them, may have been seen with one alone: then the
    variance that Wilson's number is of lacks the other, for which the further samples of the delta method stand.
    """
    of_counts = fitting_counts(estimand, by_row=False)
    of_shares = ["wilson", "korn-graubard"] if "wilson" in of_counts else []
    of_shares += ["mover"] if "mover" in of_counts else []
    by_delta = ["delta"] if has_slope(estimand.choice.row, estimand.average) else []
    has_either = not estimand.is_of_one_class or estimand.choice.row.interval == "overlap"
    return [*(by_delta + of_shares if has_either else of_shares + by_delta), "bootstrap"]


def limits_of_roc_area(area: RocArea, alpha: float, method: str) -> tuple[Limits, str]:
    """Limits of the area, and how they are found: "auto", "delong" or "delong-logit".

    A perfect order has no spread to see, and has Newcombe's limits whatever the method; other samples without any,
    such as a single one of a class, those of a share of the rarer class.
    """
    if area.rarer >= 2 and area.value in (0, 1):
        return newcombe(area, alpha), "Newcombe 5"
    if area.variance <= 0:
        return modified_wilson(area.value * area.rarer, area.rarer, alpha), "Wilson"
    error, z = np.sqrt(area.variance), -special.ndtri(alpha / 2)
    if method == "delong":
        return Limits(np.maximum(area.value - z * error, 0), np.minimum(area.value + z * error, 1)), "DeLong"
    if method == "delong-logit" or not area.is_of_few:
        return on_logit(area.value, z * error), "DeLong on the logit"
    by_t = on_logit(area.value, -special.stdtrit(area.rarer - 1, alpha / 2) * error)
    return wider(by_t, newcombe(area, alpha)), "Newcombe 5 or logit DeLong, the wider"
