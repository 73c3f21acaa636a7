"""Weighted samples and a choice -> Interval."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import chunk_sizes
from skmetrics_ext.statistics import intervals
from skmetrics_ext.statistics.bootstrap import Draws, MethodLimits, limits_by_bootstrap, replicated
from skmetrics_ext.statistics.clusters import (
    MOST_ROWS,
    ROUNDING,
    Rows,
    Sampled,
    refuse_worst,
    rows_of,
    values_of_units,
)
from skmetrics_ext.statistics.delta import EDGES, SCALES, gradient_of, scale_of_range
from skmetrics_ext.statistics.estimand import Estimand, clipped
from skmetrics_ext.statistics.intervals import Request
from skmetrics_ext.statistics.proportions import Array, Limits, clopper_pearson, modified_wilson
from skmetrics_ext.statistics.results import Interval

# With fewer samples with a prediction, the mean weight is that of all samples.
FEW_WEIGHTS = 10


def values_of_weights(
    estimand: Estimand, tables: list[Rows], n: int, random: np.random.Generator
) -> Array:
    """The values (n, ...) of replicates of weighted samples.

    With few distinct weights in each cell samples are resampled; with many, sums of weights come
    from a scaled Poisson distribution with the same mean and variance.
    """
    distinct = [_distinct(table) for table in tables]
    if sum(len(table.frequencies) for table in distinct) <= MOST_ROWS:
        return values_of_units(estimand, distinct, n, random)
    smoothing = estimand.smoothing
    sums = estimand.matrices + smoothing
    of_tables = [table.frequencies @ table.cells.power(2) for table in tables]
    squares = np.reshape(of_tables, sums.shape) + smoothing * estimand.unit
    step = np.where(sums > 0, squares, 1) / np.where(sums > 0, sums, 1)
    drawn = (
        step * random.poisson(sums / step, size=(r, *sums.shape)) for r in chunk_sizes(n, sums.size)
    )
    return np.concatenate([*map(estimand.value_of, drawn)])


def _distinct(table: Rows) -> Rows:
    """Rows of one cell each without repetition."""
    kept = table.cells.tocoo()
    weights, which = np.unique(kept.data, return_inverse=True)
    pairs, code = np.unique(
        kept.col.astype(np.int64) * len(weights) + which.reshape(-1), return_inverse=True
    )
    frequencies = np.bincount(code.reshape(-1), table.frequencies[kept.row], len(pairs))
    cell, weight = np.divmod(pairs, len(weights))
    shape = len(pairs), table.cells.shape[1]
    return Rows(
        sparse.csr_array((weights[weight], (np.arange(len(pairs)), cell)), shape=shape),
        frequencies.astype(np.int64),
    )


def interval_of_weights(sampled: Sampled, choice: Choice, request: Request) -> Interval:
    """The interval of a metric of independent weighted samples."""
    intervals.check_request(request)
    estimand = sampled.estimand(choice)
    refuse_worst(estimand)
    fitting = intervals.fitting_weights(estimand)
    method = intervals.chosen_method(estimand, request.method, fitting, " of weighted samples")
    tables = rows_of(sampled, estimand)
    of_each = intervals.choice_of_each(estimand) if request.method == "auto" else None
    parts = None if of_each is None else sampled.estimand(of_each)
    if parts is not None and intervals.fitting_weights(parts)[0] not in intervals.OF_FEW:
        parts = None

    def find(alpha: float, draws: Draws) -> MethodLimits:
        """Confidence limits at level 1 - alpha."""
        if method == "bootstrap":
            values = values_of_weights(replicated(estimand), tables, draws.n, draws.random)
            found = limits_by_bootstrap(estimand, values, alpha, draws)
        elif method == "delta":
            found = MethodLimits(_by_delta_of_weights(estimand, tables, alpha))
        else:
            found = MethodLimits(_by_shares(sampled, estimand, method, tables, alpha))
        if parts is None:
            return found
        of_classes = _by_shares(
            sampled, parts, intervals.fitting_weights(parts)[0], rows_of(sampled, parts), alpha
        )
        return found._replace(
            limits=intervals.no_nearer_than_classes(estimand, parts, found.limits, of_classes)
        )

    shown = intervals.METHODS[method] if parts is None else intervals.or_mover(method)
    return intervals.make_interval(
        sampled.counted, estimand, (), request, method, find, shown, sampled.n_samples(choice)
    )


def _by_shares(
    sampled: Sampled, estimand: Estimand, method: str, tables: list[Rows], alpha: float
) -> Limits:
    """Limits of a proportion, or of two, with their effective sample sizes."""
    effective = _effective_shares(sampled, estimand, tables, alpha)
    if method == "mover":
        return intervals.by_two_shares(estimand, [modified_wilson(*share) for share in effective])
    share = estimand.proportion()
    assert share is not None, (
        "a method for proportions is available only for metrics that are proportions"
    )
    ((hits, n, of_wilson),) = effective
    share = share._replace(hits=hits, n=n)
    if method == "korn-graubard":
        return intervals.by_share(share, alpha, clopper_pearson)
    return intervals.by_share(share, of_wilson)


def _effective_shares(
    sampled: Sampled, estimand: Estimand, tables: list[Rows], alpha: float
) -> list[tuple[Array, Array, Any]]:
    """Hits of n, and the alpha of their limits, for the proportion, or the two, of a metric.

    Effectively there are p (1 - p) / v samples, v the variance of the ratio estimator. This is at
    most the size that results if misses and hits have Kish's mean weight of all samples with the
    same prediction: a few may happen to be light. If all are hits, or none is, the variance is 0;
    the size is then the total weight over the largest weight that a miss, or a hit, could have had.
    """
    n_samples = float(sampled.units.frequencies.sum())
    # A single sample in each of the four cells of one class.
    of_cells = (
        estimand._replace(matrices=np.eye(4).reshape(4, 2, 2))
        if estimand.is_of_one_class
        else estimand
    )
    squares_and_numbers = (sampled.powers(estimand.choice, power) for power in (2, 0))
    quotients = map(_quotients_of, (estimand, *squares_and_numbers, of_cells))
    found = []
    for (hits, n), (squares, all_squares), (_, number), each in zip(*quotients, strict=True):
        share = ratio(hits, n)
        spread = squares * (1 - share) ** 2 + (all_squares - squares) * share**2
        variance = ratio(n_samples * spread, (n_samples - 1) * n**2)
        effective = ratio(share * (1 - share), variance)
        of_tables = np.stack([_weights_of_predictions(table, *each) for table in tables], -1)
        of_misses, of_hits = of_tables.reshape(2, 2, *np.shape(share))
        typical = share * of_misses[1] + (1 - share) * of_hits[1]
        heaviest = np.where(share == 1, of_misses[0], of_hits[0])
        is_sure = (share == 0) | (share == 1)
        effective = np.where(is_sure, ratio(n, heaviest), np.minimum(effective, ratio(n, typical)))
        effective = np.where(n > 0, effective, 0)
        quantile = special.stdtrit(np.maximum(number - 1, 1), alpha / 2)
        found.append((np.nan_to_num(share) * effective, effective, 2 * special.ndtr(quantile)))
    return found


def _quotients_of(estimand: Estimand) -> list[tuple[Array, Array]]:
    """Hits and denominator of the proportion that a metric is, or of the two that determine it."""
    share = estimand.proportion()
    return estimand.two_quotients() if share is None else [(share.hits, share.n)]


def _weights_of_predictions(table: Rows, hits: Array, n: Array) -> list[tuple[float, float]]:
    """The largest and the mean weight of samples with a prediction that makes a miss, and with one
    that makes a hit.

    The mean is itself weighted by the weights; with few such samples it is at least that of all
    predictions. `hits` and `n` are those of a single sample in each cell; for a metric over all
    classes any prediction may make one.
    """
    cells = table.cells.tocsc()
    found = []
    for makes in ((n > 0) & (hits == 0), hits > 0):
        columns = cells
        if cells.shape[1] == np.size(n) == 4 and np.ndim(n) == 1:
            columns = cells[:, np.tile(makes.reshape(2, 2).any(0), 2)]
        of_all, of_some = (of.sum(axis=1) for of in (cells, columns))
        mean = _kish(of_some, table.frequencies)
        if table.frequencies @ (of_some > 0) < FEW_WEIGHTS:
            mean = max(mean, _kish(of_all, table.frequencies))
        found.append((float(of_some.max(initial=0)) or float(of_all.max()), mean))
    return found


def _kish(weights: Array, frequencies: NDArray[Any]) -> float:
    """The mean of the weights, itself weighted by the weights; 0 without samples."""
    total = float(frequencies @ weights)
    return float(frequencies @ weights**2) / total if total else 0.0


def _by_delta_of_weights(estimand: Estimand, tables: list[Rows], alpha: float) -> Limits:
    """Limits by the delta method on the scale of the metric, with one sample added per prediction.

    They use Student's t with Kish's effective sample size. The added sample is spread over the
    actual classes, and has the mean weight of the samples with that prediction: one of these could
    have been in an empty cell.
    """
    row, matrices = estimand.choice.row, estimand.matrices
    name = (
        row.interval
        if estimand.is_of_one_class and row.interval in EDGES
        else scale_of_range(estimand.choice)
    )
    n_classes = matrices.shape[-1]
    numbers = np.stack(
        [table.frequencies @ table.cells.astype(bool).astype(np.float64) for table in tables]
    )
    in_column, of_column = (
        part.sum(-2, keepdims=True) for part in (matrices, numbers.reshape(matrices.shape))
    )
    typical = np.where(of_column > 0, ratio(in_column, of_column), estimand.unit)
    filled = matrices + typical / n_classes
    of_cells = gradient_of(estimand.value_of, filled)
    further = ((typical * of_cells) ** 2).sum((-2, -1)) / n_classes
    moves = [
        table.cells @ slope
        for table, slope in zip(tables, of_cells.reshape(len(tables), -1), strict=True)
    ]
    squares = [table.frequencies @ move**2 for table, move in zip(tables, moves, strict=True)]
    middle = estimand.value_of(filled)
    variance = np.reshape(squares, matrices.shape[:-2]) + further
    is_noise = variance <= ROUNDING**2 * middle**2 / tables[0].frequencies.sum()
    variance = np.where(is_noise, 0, variance)
    # The variance is that of Kish's effective sample size.
    n_further = np.maximum(matrices.sum((-2, -1)) / estimand.unit - 1, 1)
    low, high = SCALES[name].around(
        middle, -special.stdtrit(n_further, alpha / 2) * np.sqrt(variance)
    )
    is_unbounded = np.isnan(low + high)
    return clipped(
        Limits(np.where(is_unbounded, -np.inf, low), np.where(is_unbounded, np.inf, high)),
        estimand.choice,
    )
