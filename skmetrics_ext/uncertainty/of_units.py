"""Samples with weights, in clusters or of several labels, and a choice -> Interval."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.uncertainty.interval import Interval
from skmetrics_ext.uncertainty.methods import (
    METHODS,
    Carried,
    carried,
    chosen_method,
    fitting_counts,
    has_slope,
    two_quotients,
)
from skmetrics_ext.uncertainty.of_counts import (
    OF_FEW,
    Found,
    Request,
    answered,
    by_share,
    by_two_shares,
    check_request,
    choice_of_each,
    no_nearer_than_classes,
    of_bootstrap,
    or_mover,
)
from skmetrics_ext.uncertainty.proportions import Limits, clopper_pearson, modified_wilson
from skmetrics_ext.uncertainty.question import Array, Question
from skmetrics_ext.uncertainty.ranges import clipped
from skmetrics_ext.uncertainty.resampling import Draws, replicated
from skmetrics_ext.uncertainty.sampled import Rows, Sampled, rows_of, values_of_units, values_of_weights
from skmetrics_ext.uncertainty.slopes import EDGES, SCALES, scale_of_range, slopes

# Fewer units do not tell how much units differ, nor do clusters of other sizes that tell as much as fewer of one size.
FEW, FEW_OF_ONE_SIZE = 15, 10
# Of fewer samples with a prediction those with any say how heavy it makes them.
FEW_WEIGHTS = 10
# Fewer hits or misses do not tell how many there are in other clusters.
FEW_HITS = 5
# What units add is alike where it differs by less of itself: that is rounding.
ALIKE = 1e-7
# All slopes are 0 where none is by more of the value than this: it is what the value is rounded to, beside the step,
# in classes of few samples.
ROUNDING = 1e-8


class Spread(NamedTuple):
    """How far units move a value."""

    error: Array
    """The standard error."""
    is_seen: Any
    """Whether units differ at all."""
    n: Any
    """How many units move the value: those with any sample that it is about."""


def interval_of_weights(sampled: Sampled, choice: Choice, request: Request) -> Interval:
    """The value of samples that are drawn one by one, and count by weights."""
    check_request(request)
    question = sampled.question(choice)
    _refuse_worst(question)
    fitting = _fitting_weights(question)
    method = chosen_method(question, request.method, fitting, " of samples with weights")
    tables = rows_of(sampled, question)
    of_each = choice_of_each(question) if request.method == "auto" else None
    parts = None if of_each is None else sampled.question(of_each)
    if parts is not None and _fitting_weights(parts)[0] not in OF_FEW:
        parts = None

    def find(alpha: float, draws: Draws) -> Found:
        """Limits that leave out alpha."""
        if method == "bootstrap":
            values = values_of_weights(replicated(question), tables, draws.n, draws.random)
            found = of_bootstrap(question, values, alpha, draws)
        elif method == "delta":
            found = Found(_by_delta_of_weights(question, tables, alpha))
        else:
            found = Found(_by_shares_of_weights(sampled, question, method, tables, alpha))
        if parts is None:
            return found
        of_classes = _by_shares_of_weights(sampled, parts, _fitting_weights(parts)[0], rows_of(sampled, parts), alpha)
        return found._replace(limits=no_nearer_than_classes(question, parts, found.limits, of_classes))

    value, axes = score(sampled.counted, choice), axes_of(sampled, question)
    shown = METHODS[method] if parts is None else or_mover(method)
    return answered(question, value, axes, request, method, find, shown, sampled.n_samples(choice))


def _by_shares_of_weights(
    sampled: Sampled, question: Question, method: str, tables: list[Rows], alpha: float
) -> Limits:
    """Limits of a share, or of two, of as many samples of equal weight as would be as sure."""
    effective = _effective_shares(sampled, question, tables, alpha)
    if method == "mover":
        return by_two_shares(question, [modified_wilson(*share) for share in effective])
    share = carried(question)
    assert share is not None, "a method of shares is offered for metrics that have one"
    (of_share,) = effective
    if method == "korn-graubard":
        return by_share(share._replace(hits=of_share.hits, n=of_share.n), alpha, clopper_pearson)
    return by_share(share._replace(hits=of_share.hits, n=of_share.n), of_share.alpha)


def interval_of_dependent(sampled: Sampled, choice: Choice, request: Request) -> Interval:
    """The value of clusters of samples, or of several labels a sample."""
    check_request(request)
    check_number_of_units(sampled.units.n, sampled.name)
    _warn_of_sizes(sampled)
    question = sampled.question(choice)
    _refuse_worst(question)
    fitting = ["delta", "bootstrap"] if has_slope(question.choice.row, question.average) else ["bootstrap"]
    fitting = ["wilson", *fitting] if _is_share(question) else fitting
    of = " of clusters" if sampled.name == "cluster" else " of several labels"
    method = chosen_method(question, request.method, fitting, of)
    tables = rows_of(sampled, question)

    def find(alpha: float, draws: Draws) -> Found:
        """Limits that leave out alpha."""
        if method == "bootstrap":
            return _by_bootstrap_of_units(question, tables, alpha, draws)
        if method == "wilson":
            return _by_wilson_of_units(question, tables, alpha)
        return _by_delta_of_units(question, tables, alpha, draws)

    value, axes = score(sampled.counted, choice), axes_of(sampled, question)
    shown = with_clusters(method, sampled.units.n, sampled.name)
    return answered(question, value, axes, request, method, find, shown, sampled.n_samples(choice))


def _is_share(question: Question) -> bool:
    """Whether a value is a share of samples itself."""
    row = question.choice.row
    if row.interval != "share" or row.name == "bennett_s" or question.is_of_labels:
        return False
    return question.is_of_one_class or not row.has_average


def with_clusters(method: str, n: int, name: str) -> str:
    """A method for people, with the number of clusters, which are fewer than the samples."""
    return f"{METHODS[method]} of {n} clusters" if name == "cluster" else METHODS[method]


def axes_of(sampled: Sampled, question: Question) -> tuple[Axis, ...]:
    """The axis of the classes or labels, if there is one."""
    if question.labels is None:
        return ()
    return (Axis("label" if sampled.counted.multilabel else "class", question.labels),)


def check_number_of_units(n: int, name: str) -> None:
    """Refuse a single unit, and warn of few."""
    if n < 2:
        raise ValueError(f"there is a single {name}, which does not tell how much {name}s differ: at least two do.")
    if n < FEW:
        warn(
            f"there are only {n} {name}s, which hardly tell how much {name}s differ: the limits are not to be trusted."
        )


def _warn_of_sizes(sampled: Sampled) -> None:
    """Say where a few clusters have most of the samples, so that all tell as much as a few of one size, by Kish."""
    sizes, times = sampled.units.cells[0].sum(axis=1), sampled.units.times
    n = float((times @ sizes) ** 2 / (times @ sizes**2))
    if sampled.name == "cluster" and n < FEW_OF_ONE_SIZE and sampled.units.n >= FEW:
        warn(
            f"the clusters are of so different sizes that they tell as much as {n:.2g} of one size, which hardly tell "
            "how much clusters differ: the limits are not to be trusted."
        )


def _refuse_worst(question: Question) -> None:
    """Refuse the least of values whose limits depend on each other."""
    if question.average == "worst":
        raise ValueError(
            f"the worst value of {question.choice.row.name} of samples with weights, in clusters or of several labels "
            "has no honest interval: take that of each class, average=None."
        )


def _fitting_weights(question: Question) -> list[str]:
    """The methods that fit samples that count by weights, the best one first.

    Errors with either prediction, as F1 and the accuracy have them, may have been seen with one alone: then the
    variance that Wilson's number is of lacks the other, for which the further samples of the delta method stand.
    """
    of_counts = fitting_counts(question, by_row=False)
    of_shares = ["wilson", "korn-graubard"] if "wilson" in of_counts else []
    of_shares += ["mover"] if "mover" in of_counts else []
    by_delta = ["delta"] if has_slope(question.choice.row, question.average) else []
    has_either = not question.is_of_one_class or question.choice.row.interval == "overlap"
    return [*(by_delta + of_shares if has_either else of_shares + by_delta), "bootstrap"]


class Effective(NamedTuple):
    """A share of so many samples of equal weight as would be as sure, and what its limits leave out."""

    hits: Array
    n: Array
    alpha: Any


def _effective_shares(sampled: Sampled, question: Question, tables: list[Rows], alpha: float) -> list[Effective]:
    """The share, or the two, of a metric: p (1 - p) / v samples, v the variance of the ratio of both sums of weights.

    They are no more than where misses and hits weigh what samples with the prediction that makes them do, by Kish: a
    few that happen to be light tell little. Where all are hits, or none is, no variance is seen; then there are as many
    samples as the weights are times the largest weight that a miss, or a hit, might have.
    """
    n_samples = float(sampled.units.times.sum())
    of_sums, of_squares, of_numbers = (
        _quotients_of(of) for of in (question, sampled.powers(question.choice, 2), sampled.powers(question.choice, 0))
    )
    found = []
    for (hits, n), (squares, all_squares), (_, number), each in zip(
        of_sums, of_squares, of_numbers, _quotients_of(_of_each_cell(question)), strict=True
    ):
        share = ratio(hits, n)
        spread = squares * (1 - share) ** 2 + (all_squares - squares) * share**2
        variance = ratio(n_samples * spread, (n_samples - 1) * n**2)
        effective = ratio(share * (1 - share), variance)
        of_misses, of_hits = (
            np.reshape(list(zip(*of_tables, strict=True)), (2, *np.shape(share)))
            for of_tables in zip(*(_weights_of_predictions(table, *each) for table in tables), strict=True)
        )
        typical = share * of_misses[1] + (1 - share) * of_hits[1]
        heaviest = np.where(share == 1, of_misses[0], of_hits[0])
        is_sure = (share == 0) | (share == 1)
        effective = np.where(is_sure, ratio(n, heaviest), np.minimum(effective, ratio(n, typical)))
        effective = np.where(n > 0, effective, 0)
        quantile = special.stdtrit(np.maximum(number - 1, 1), alpha / 2)
        found.append(Effective(np.nan_to_num(share) * effective, effective, 2 * special.ndtr(quantile)))
    return found


def _quotients_of(question: Question) -> list[tuple[Array, Array]]:
    """The hits and the number of the share that a metric is, or of both of which it is the sum."""
    share = carried(question)
    return two_quotients(question) if share is None else [(share.hits, share.n)]


def _of_each_cell(question: Question) -> Question:
    """The same question of a single sample in each of the four cells of one class; of others of no cell."""
    return question._replace(matrices=np.eye(4).reshape(4, 2, 2)) if question.is_of_one_class else question


class PredictionWeights(NamedTuple):
    """How heavy the samples are with a prediction that makes a miss, or a hit."""

    heaviest: float
    typical: float
    """Their mean weight, the heavier the more it counts."""


def _weights_of_predictions(table: Rows, hits: Array, n: Array) -> tuple[PredictionWeights, PredictionWeights]:
    """Those of misses and of hits; of few such samples no lighter than those with any prediction.

    `hits` and `n` are those of a single sample in each cell; of a metric over all classes any prediction may do so.
    """
    cells = table.cells.tocsc()
    found = []
    for makes in ((n > 0) & (hits == 0), hits > 0):
        columns = cells
        if cells.shape[1] == np.size(n) == 4 and np.ndim(n) == 1:
            columns = cells[:, np.tile(makes.reshape(2, 2).any(0), 2)]
        of_all, of_some = (of.sum(axis=1) for of in (cells, columns))
        mean = _kish(of_some, table.times)
        if table.times @ (of_some > 0) < FEW_WEIGHTS:
            mean = max(mean, _kish(of_all, table.times))
        found.append(PredictionWeights(float(of_some.max(initial=0)) or float(of_all.max()), mean))
    return found[0], found[1]


def _kish(weights: Array, times: NDArray[Any]) -> float:
    """The mean weight, the heavier the more it counts; 0 without samples."""
    total = float(times @ weights)
    return float(times @ weights**2) / total if total else 0.0


def _by_delta_of_weights(question: Question, tables: list[Rows], alpha: float) -> Limits:
    """Limits by the delta method on the scale of the metric, with one sample more of each prediction.

    They are Student's, of as many samples as Kish counts. The further one is spread over the actual classes, and has
    the mean weight of the samples with that prediction: in a cell that is empty, one of these might have been.
    """
    row, matrices = question.choice.row, question.matrices
    name = row.interval if question.is_of_one_class and row.interval in EDGES else scale_of_range(question.choice)
    scale, n_classes = SCALES[name], matrices.shape[-1]
    numbers = np.stack([table.times @ table.cells.astype(bool).astype(np.float64) for table in tables])
    in_column, of_column = (part.sum(-2, keepdims=True) for part in (matrices, numbers.reshape(matrices.shape)))
    typical = np.where(of_column > 0, ratio(in_column, of_column), question.unit)
    filled = matrices + typical / n_classes
    of_cells = slopes(question.value_of, filled)
    further = ((typical * of_cells) ** 2).sum((-2, -1)) / n_classes
    moves = [table.cells @ slope for table, slope in zip(tables, of_cells.reshape(len(tables), -1), strict=True)]
    squares = [table.times @ move**2 for table, move in zip(tables, moves, strict=True)]
    middle = question.value_of(filled)
    variance = np.reshape(squares, matrices.shape[:-2]) + further
    is_noise = variance <= ROUNDING**2 * middle**2 / tables[0].times.sum()
    variance = np.where(is_noise, 0, variance)
    # The variance is that of Kish's number of samples.
    n_further = np.maximum(matrices.sum((-2, -1)) / question.unit - 1, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        half = -special.stdtrit(n_further, alpha / 2) * np.sqrt(variance) * scale.slope(middle)
        low, high = scale.back(scale.there(middle) - half), scale.back(scale.there(middle) + half)
    is_unbounded = ~np.isfinite(half)
    return clipped(Limits(np.where(is_unbounded, -np.inf, low), np.where(is_unbounded, np.inf, high)), question.choice)


def _by_wilson_of_units(question: Question, tables: list[Rows], alpha: float) -> Found:
    """Wilson's limits of p (1 - p) / v samples, v the variance; where none is seen, each cluster is a sample."""
    spread, share = _spread(question, tables, question.matrices), question.value_of(question.matrices)
    n = np.where(spread.is_seen, ratio(share * (1 - share), spread.error**2), 0)
    # So few hits or misses tell too little of how much clusters differ.
    n = np.where(np.minimum(share, 1 - share) * n < FEW_HITS, np.minimum(n, spread.n), n)
    limits = modified_wilson(np.nan_to_num(share) * n, n, 2 * special.ndtr(-_quantile(np.maximum(spread.n, 2), alpha)))
    alike = _of_clusters_as_samples(question, tables, alpha)
    assert alike is not None, "shares have it"
    return _where_seen(spread.is_seen, Found(limits), alike)


def _by_delta_of_units(question: Question, tables: list[Rows], alpha: float, draws: Draws) -> Found:
    """Limits by the delta method with as many degrees of freedom as there are further units that move the value.

    Where no difference is seen, shares have Wilson's limits as if each cluster were one sample, and all
    else those of the bootstrap.
    """
    if question.is_of_one_class and question.choice.row.interval in EDGES:
        limits, is_seen = _of_filled(question, tables, lambda n: _quantile(n, alpha))
    else:
        limits, is_seen = _on_scale(question, tables, alpha)
    if np.all(is_seen):
        return Found(limits)
    alike = _of_clusters_as_samples(question, tables, alpha) or _by_units(question, tables, alpha, draws)
    return _where_seen(is_seen, Found(limits), alike)


def _by_bootstrap_of_units(question: Question, tables: list[Rows], alpha: float, draws: Draws) -> Found:
    """Percentiles as far out as few units ask for (Hesterberg 2015); pseudo-units are samples where units differ."""
    spread = _spread(question, tables, question.matrices)
    expanded = np.where(spread.is_seen, 2 * special.ndtr(-_quantile(spread.n, alpha)), alpha)
    found = _by_units(question._replace(unit=1.0), tables, expanded, draws)
    if np.all(spread.is_seen):
        return found
    return _where_seen(spread.is_seen, found, _by_units(question, tables, alpha, draws))


def _where_seen(is_seen: Any, found: Found, alike: Found) -> Found:
    """What was found where units differ, and what holds where they are alike."""
    ends = (np.where(is_seen, *both) for both in zip(found.limits, alike.limits, strict=True))
    return Found(Limits(*ends), np.where(is_seen, found.n_undefined, alike.n_undefined))


def _quantile(n: Any, alpha: float) -> Array:
    """How many standard errors limits are away, where these are of so many units, as if each were independent."""
    further = np.maximum(n - 1, 1)
    return np.asarray(-special.stdtrit(further, alpha / 2) * np.sqrt(n / further))


def _by_units(question: Question, tables: list[Rows], alpha: Any, draws: Draws) -> Found:
    """Percentiles of replicates of the units."""
    return of_bootstrap(question, values_of_units(replicated(question), tables, draws.n, draws.random), alpha, draws)


def _on_scale(question: Question, tables: list[Rows], alpha: float) -> tuple[Limits, Any]:
    """Limits on the scale whose ends are those of the values; and where units differ."""
    scale, middle = SCALES[scale_of_range(question.choice)], question.value_of(question.matrices)
    spread = _spread(question, tables, question.matrices)
    with np.errstate(invalid="ignore", divide="ignore"):
        half, there = _quantile(spread.n, alpha) * spread.error * scale.slope(middle), scale.there(middle)
        limits = clipped(Limits(scale.back(there - half), scale.back(there + half)), question.choice)
    return limits, spread.is_seen & np.isfinite(half + there)


def _of_filled(question: Question, tables: list[Rows], quantile_of: Callable[[Any], Any]) -> tuple[Limits, Any]:
    """Limits on a row's own scale, tables with an empty cell having half a unit more in all; and where units differ."""
    name = question.choice.row.interval
    matrices, scale = question.matrices, SCALES[name]
    has_empty_cell = (matrices == 0).any((-2, -1), keepdims=True)
    extra = np.broadcast_to(np.where(has_empty_cell, 0.5, 0), matrices.shape)
    filled = matrices + extra * question.unit
    middle, spread = question.value_of(filled), _spread(question, tables, filled, extra)
    half = quantile_of(spread.n) * spread.error * scale.slope(middle)
    low, high = scale.back(scale.there(middle) - half), scale.back(scale.there(middle) + half)
    least, most = EDGES[name]
    value = question.value_of(matrices)
    low = np.where((value == least) | np.isnan(value), least, low)
    return Limits(low, np.where((value == most) | np.isnan(value), most, high)), spread.is_seen


def _spread(question: Question, tables: list[Rows], matrices: Array, extra: Array | None = None) -> Spread:
    """sum (g . row)^2 over the units, g the slopes; `extra` are pseudo-units in each cell."""
    of_cells = slopes(question.value_of, matrices).reshape(len(tables), -1)
    pseudo = np.zeros_like(of_cells) if extra is None else extra.reshape(of_cells.shape)
    sums = []
    for table, slope, n_pseudo in zip(tables, of_cells, pseudo, strict=True):
        moves = np.concatenate([table.cells @ slope, question.unit * slope])
        times = np.concatenate([table.times, n_pseudo])
        gross = np.concatenate([table.cells @ np.abs(slope), question.unit * np.abs(slope)])
        n = table.times @ (gross[: len(table.times)] > 0)
        sums.append((times @ moves**2 - (times @ moves) ** 2 / times.sum(), times @ gross**2, n))
    variance, size, n = np.moveaxis(np.reshape(sums, (*matrices.shape[:-2], 3)), -1, 0)
    error, gross = np.sqrt(np.maximum(variance, 0)), np.sqrt(size)
    noise = ROUNDING * np.abs(question.value_of(matrices)) / np.sqrt(tables[0].times.sum())
    return Spread(error, (error > ALIKE * gross) & ~(gross <= noise) & (n > 1), n)


def _of_clusters_as_samples(question: Question, tables: list[Rows], alpha: float) -> Found | None:
    """Wilson's limits of a share with as many samples as there are clusters that have any of its samples."""
    share, choice = carried(question), question.choice
    is_of_some_classes = choice.row.has_average and choice.labels is not None and not question.is_of_one_class
    if share is None or is_of_some_classes:
        return None
    n: Any = tables[0].times.sum()
    if question.is_of_one_class:
        of_units = np.stack([table.cells.toarray() for table in tables], 1)
        of_units = of_units.reshape(len(of_units), *question.matrices.shape)
        each = carried(question._replace(matrices=of_units))
        assert each is not None, "what is a share of all samples is one of those of a cluster"
        n = np.tensordot(tables[0].times, each.n > 0, 1)
    hits = np.nan_to_num(ratio(share.hits, share.n)) * n
    return Found(by_share(Carried(hits, n, share.value_at), alpha))
