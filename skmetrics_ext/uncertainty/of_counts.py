"""Counts and a choice -> Interval: limits by the method that fits, and warnings of what they are worth."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import random_of
from skmetrics_ext.reading.arguments import check_flag, check_in_range, check_whole
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.uncertainty.interval import Interval
from skmetrics_ext.uncertainty.methods import METHODS, TWO_SHARES, Carried, carried, chosen_method, fitting_counts
from skmetrics_ext.uncertainty.proportions import Limits, clopper_pearson, mover, wilson
from skmetrics_ext.uncertainty.question import Array, Question, class_counts_of, question_of
from skmetrics_ext.uncertainty.ranges import clipped
from skmetrics_ext.uncertainty.resampling import (
    Draws,
    bca,
    bias,
    bootstrap,
    n_undefined,
    percentiles,
    posterior,
    shifted_on_logit,
)
from skmetrics_ext.uncertainty.slopes import EDGES, SCALES, delta

# Metrics that are fixed where the numbers of the actual classes are.
OF_DESIGN = ("prevalence", "no_information_rate")
RESAMPLED = ("bootstrap", "bca", "dirichlet")
# How often the bootstrap's own bias is taken off the limits.
TIMES_BIASED = {"biased": 1, "twice biased": 2}
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
# Replicates that differ by less of themselves are one value.
ROUNDING = 1e-12
# Larger floats are no counts of single samples.
LARGEST_EXACT = 2.0**53
# A larger prior leaves nothing of the counts.
LARGEST_PRIOR = 1e15


class Request(NamedTuple):
    """How sure, and how the limits are found."""

    confidence_level: float = 0.95
    method: str = "auto"
    strata: str | None = None
    simultaneous: bool = False
    n_resamples: int = 9_999
    random_state: Any = None
    prior: float | None = None


class Found(NamedTuple):
    """Limits, and how many replicates of each are undefined."""

    limits: Limits
    n_undefined: Any = 0


def interval_of(counted: Counted, choice: Choice, axes: tuple[Axis, ...], request: Request) -> Interval:
    """The value of counts with leading axes, between its limits."""
    (interval,) = intervals_of(counted, [choice], axes, request)
    return interval


def intervals_of(
    counted: Counted, choices: Sequence[Choice], axes: tuple[Axis, ...], request: Request
) -> list[Interval]:
    """Those of several metrics; all that are drawn from the matrices of all classes share their replicates."""
    check_request(request)
    asked = [_asked(counted, choice, request) for choice in choices]
    if counted.are_weights:
        warn_of_weights("intervals")
    together = [question for question, method in asked if method == "bootstrap" and not question.is_of_one_class]
    drawn = dict(zip(map(id, together), bootstrap(together, draws_of(request)), strict=True)) if together else {}
    return [_found_by(counted, question, method, axes, request, drawn.get(id(question))) for question, method in asked]


def _asked(counted: Counted, choice: Choice, request: Request) -> tuple[Question, str]:
    """What is asked, and the method that finds its limits."""
    question = question_of(counted, choice)
    check_counts_of_samples(question, "an interval")
    by_row = request.strata is not None
    if by_row and choice.row.name in OF_DESIGN and not choice.row.is_own:
        raise ValueError(f"{choice.row.name} is fixed by the design where strata='actual': it has no interval.")
    return question, chosen_method(question, request.method, fitting_counts(question, by_row=by_row))


def _found_by(
    counted: Counted,
    question: Question,
    method: str,
    axes: tuple[Axis, ...],
    request: Request,
    drawn: Array | None,
) -> Interval:
    """The value between its limits, from replicates that are drawn already, if any."""
    if question.labels is not None:
        axes = (*axes, Axis("label" if counted.multilabel else "class", question.labels))

    def find(alpha: float, draws: Draws) -> Found:
        """Limits that leave out alpha."""
        if drawn is not None:
            return of_bootstrap(question, drawn, alpha, draws)
        return _found(method, question, alpha, draws, request.prior)

    # Its average is settled, but what is undefined counts as it was asked.
    return answered(question, score(counted, question.choice), axes, request, method, find)


def answered(
    question: Question,
    value: Any,
    axes: tuple[Axis, ...],
    request: Request,
    method: str,
    find: Callable[[float, Draws], Found],
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
    _warn_of(question, value, found, draws.n)
    parts = np.broadcast_arrays(value, *found.limits, found.n_undefined)
    value, low, high, undefined = (part if part.ndim else part.item() for part in parts)
    return Interval(value, low, high, request.confidence_level, METHODS[method], undefined, axes)


def draws_of(request: Request) -> Draws:
    """How replicates are drawn, from the start for a seed."""
    return Draws(request.n_resamples, random_of(request.random_state), request.strata is not None)


def check_request(request: Request) -> None:
    """Refuse what no method takes."""
    check_in_range(request.confidence_level, "confidence_level", lambda x: 0 < x < 1, "a number between 0 and 1")
    check_whole(request.n_resamples, "n_resamples", 100)
    check_flag(request.simultaneous, "simultaneous")
    if request.method not in ("auto", *METHODS):
        raise ValueError(f"method must be 'auto' or one of {[*METHODS]}; got {request.method!r}.")
    if request.strata not in (None, "actual"):
        raise ValueError(f"strata must be None or 'actual'; got {request.strata!r}.")
    if request.prior is not None:
        check_in_range(request.prior, "prior", lambda x: 0 < x <= LARGEST_PRIOR, "a number above 0 and at most 1e15")
        if request.method != "dirichlet":
            raise ValueError(f"prior= is for method='dirichlet', but here it is {request.method!r}.")


def check_counts_of_samples(question: Question, wanted: str) -> None:
    """Refuse counts that do not say how many samples there are."""
    if not question.matrices.any():
        raise ValueError("the matrix has no samples, so that nothing is known of the value.")
    if question.matrices.sum((-2, -1)).max() >= LARGEST_EXACT:
        raise ValueError(f"{wanted} is for fewer than 2**53 samples, and there are {question.matrices.sum():.3g}.")
    if (question.matrices % 1).any():
        raise ValueError(
            f"the counts are sums of weights, which do not tell how many samples there are: {wanted} needs whole "
            "counts. For an interval with sample weights take metric_interval."
        )


def warn_of_weights(limits: str) -> None:
    """Say what sums of whole weights are taken for."""
    warn(
        f"the counts are sums of sample_weight, which {limits} take for numbers of samples: that is right where a "
        "weight says how often a sample occurs, and with other weights limits are too narrow. metric_interval knows "
        "weights."
    )


def _found(method: str, question: Question, alpha: float, draws: Draws, prior: float | None) -> Found:
    """Limits by a method that fits."""
    if method in ("wilson", "clopper-pearson"):
        share = carried(question)
        assert share is not None, "a method of shares is offered for metrics that have one"
        return Found(by_share(share, alpha, wilson if method == "wilson" else clopper_pearson))
    if method == "mover":
        return Found(by_two_shares(question, two_quotients(question), alpha))
    if method == "delta":
        return Found(_by_delta(question, alpha, by_row=draws.by_row))
    if method == "bca":
        limits, values = bca(question, draws, alpha)
    elif method == "dirichlet":
        values = posterior(question, draws, prior)
        limits = percentiles(values, alpha)
    else:
        (values,) = bootstrap([question], draws)
        return of_bootstrap(question, values, alpha, draws)
    return Found(_as_constant(values, limits, question.value_of(question.matrices)), n_undefined(values))


def of_bootstrap(question: Question, values: Array, alpha: Any, draws: Draws) -> Found:
    """Percentiles of replicates, without their bias where a metric has much of it."""
    limits = _without_bias(question, values, percentiles(values, alpha), draws)
    return Found(_as_constant(values, limits, question.value_of(question.matrices)), n_undefined(values))


def by_share(share: Carried, alpha: float, limits_of: Callable[[Array, Array, float], Limits] = wilson) -> Limits:
    """The limits of a share, carried over to the value that follows from it."""
    ends = [share.value_at(limit) for limit in limits_of(share.hits, share.n, alpha)]
    return Limits(np.minimum(*ends), np.maximum(*ends))


def two_quotients(question: Question) -> list[tuple[Array, Array]]:
    """The hits and the samples of both shares of which a metric is the sum."""
    sum_of, counts = TWO_SHARES[question.choice.row.name], class_counts_of(question.matrices)
    return [share(counts) for share in (sum_of.first, sum_of.second)]


def by_two_shares(question: Question, quotients: list[tuple[Array, Array]], alpha: float) -> Limits:
    """The limits of a sum of two shares; all that it can be where one has no samples."""
    sum_of = TWO_SHARES[question.choice.row.name]
    limits = [wilson(hits, n, alpha) for hits, n in quotients]
    first, second = (ratio(*quotient) for quotient in quotients)
    total = mover((first, second), (limits[0], limits[1]))
    unknown = np.isnan(first + second)
    ends = (np.where(unknown, widest, end) for widest, end in zip((0, 2), total, strict=True))
    return Limits(*(sum_of.factor * end + sum_of.offset for end in ends))


def _by_delta(question: Question, alpha: float, *, by_row: bool) -> Limits:
    """The value on its scale, some standard errors to either side; tables with an empty cell get half a sample more."""
    row = question.choice.row
    if not (question.is_of_one_class and row.interval in EDGES):
        limits = delta(question, SCALES[""], alpha, by_row=by_row)
        unbounded = ~np.isfinite(limits.low + limits.high)
        ends = (np.where(unbounded, end, limit) for end, limit in zip((-np.inf, np.inf), limits, strict=True))
        return clipped(Limits(*ends), question.choice)
    matrices = question.matrices
    has_empty_cell = (matrices == 0).any((-2, -1), keepdims=True)
    filled = question._replace(matrices=matrices + np.where(has_empty_cell, 0.5, 0))
    low, high = delta(filled, SCALES[row.interval], alpha, by_row=by_row)
    least, most = EDGES[row.interval]
    value = question.value_of(matrices)
    return Limits(
        np.where((value == least) | np.isnan(value), least, low),
        np.where((value == most) | np.isnan(value), most, high),
    )


def _without_bias(question: Question, values: Array, limits: Limits, draws: Draws) -> Limits:
    """Percentiles, with the bootstrap's own bias taken off where a metric has much of it."""
    row = question.choice.row
    if not question.is_of_one_class and row.interval in TIMES_BIASED:
        times = TIMES_BIASED[row.interval]
        excess = times * bias(question, values, draws)
        return clipped(Limits(*(limit - excess for limit in limits)), question.choice)
    if row.interval == "overlap" and question.average in ("macro", "weighted"):
        return shifted_on_logit(question, values, draws, limits)
    return limits


def _as_constant(values: Array, limits: Limits, value: Array) -> Limits:
    """The value itself where all replicates are one, apart from rounding."""
    with np.errstate(invalid="ignore"):
        spread = values.max(0) - values.min(0)
        is_constant = np.isfinite(spread) & (spread <= ROUNDING * np.abs(values).max(0))
    return Limits(*(np.where(is_constant, value, limit) for limit in limits))


def _warn_of(question: Question, value: Array, found: Found, n_resamples: int) -> None:
    """What makes limits worth less than they say."""
    name, average = question.choice.row.name, question.average
    if (most := np.max(found.n_undefined, initial=0)) > TOLERATED * n_resamples:
        warn(
            f"{name} is undefined in {most} of {n_resamples} replicates, which the limits leave out, so that they are "
            "too narrow."
        )
    if question.is_of_one_class:
        return
    if not np.allclose(value, question.value_of(question.matrices), equal_nan=True):
        warn(
            f"{name} of some classes is undefined in the sample: the value has zero_division for them, and the limits "
            "leave them out. zero_division=nan leaves them out of both."
        )
    if average in ("macro", "weighted", "worst") and name in UNBOUNDED:
        warn(
            f"{name} is infinite or 0 for a class with an empty cell, so that the limits of its average cover the "
            "truth far less often than they say: take those of each class, average=None."
        )
