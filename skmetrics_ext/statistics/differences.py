"""Two models on the same samples -> the difference in a metric or an area, limits and p-value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.catalogue.averages import kind_of_average
from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.properties import ACTUAL_NEGATIVE, ACTUAL_POSITIVE, ALL, RIGHT
from skmetrics_ext.catalogue.score import resolved_average
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.counting.counts import Margins, margins_of
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import position_of
from skmetrics_ext.statistics.bootstrap import leaves_any_out, percentiles
from skmetrics_ext.statistics.clusters import quantile_of_units
from skmetrics_ext.statistics.delong import Area, wider
from skmetrics_ext.statistics.estimand import range_of, value_of_each_class, value_of_matrices
from skmetrics_ext.statistics.intervals import has_slope, limits_of_roc_area
from skmetrics_ext.statistics.mcnemar import mid_p, tango
from skmetrics_ext.statistics.pair import (
    Pair,
    ValueOfMatrix,
    at_a_time,
    differences_if_swapped,
    one_cell_each,
)
from skmetrics_ext.statistics.permutation import swap_test
from skmetrics_ext.statistics.proportions import Array, Limits, zou
from skmetrics_ext.statistics.results import ComparisonRow

# If the models differ on fewer units, no difference is approximately normal.
FEW_DIFFER = 10
# The number of added samples on which exactly one model is correct.
PSEUDO_SAMPLES = 2.0
# A smaller variance of a difference is due to rounding.
ROUNDING = 1e-15
# Limits that differ by a smaller proportion of the values differ by the rounding of derivatives and
# sums of weights.
FLAT = 1e-10
METHOD_OF_SHARES = "McNemar mid-p, Tango"
# The hits of a proportion of the samples of some actual classes, and these classes.
Hits = tuple[NDArray[np.bool_], NDArray[np.bool_]]
# A smaller variance is due to rounding.
NO_SPREAD = 1e-24
# Levels are searched on the logit scale between this, about 1e-100, and its negative, to the
# rounding of floats.
FARTHEST = -230.0
HALVINGS = 55


class PairedMetric(NamedTuple):
    """A metric with one value per model, and its form if it is a proportion."""

    # With its average resolved: None means a single class.
    choice: Choice
    value: ValueOfMatrix
    # For proportions of samples selected by the true labels alone: the hits (C, C), and the classes
    # that count.
    hits: Hits | None
    # For proportions of samples selected by the predictions alone: the hits, and the cells (C, C)
    # that count.
    predictive: Hits | None = None


class DifferenceRequest(NamedTuple):
    """Confidence level, margin and number of replicates."""

    confidence_level: float
    margin: float | None
    n_resamples: int
    # Called with the number of replicates so far.
    tell: Callable[[str], None]


def paired_metric(counted: CountedMatrix, choice: Choice) -> PairedMetric:
    """A choice whose value is one number, over the classes of all models."""
    n_classes = len(counted.order)
    if choice.row.is_product:
        return PairedMetric(
            choice, ValueOfMatrix(_value_of_actual_classes(counted, choice), n_classes, True), None
        )
    if not choice.row.has_average:
        value_of, value_of_each = (
            value_of_matrices(counted, choice),
            value_of_each_class(counted, choice),
        )
        value = ValueOfMatrix(value_of, n_classes, not choice.takes_matrix, value_of_each)
        return PairedMetric(choice, value, _right_predictions(choice, n_classes))
    choice = _with_one_value(counted, choice)
    if kind_of_average(choice.average).is_worst:
        raise ValueError(
            "there is no valid confidence interval or p-value for a difference between worst "
            "values of "
            f"{choice.row.name}: compare one class with labels=[...], or an average such as "
            "'macro'."
        )
    value_of, position = value_of_matrices(counted, choice), None
    if choice.average == "binary":
        position = position_of(
            counted.order, positive_of(counted.known, choice.positive, counted.positive)
        )
    elif choice.average is None and choice.labels is not None:
        position, of_each = position_of(counted.order, choice.labels.tolist()[0]), value_of
        value_of = lambda counts: np.asarray(of_each(counts)[..., 0])  # noqa: E731
    hits, predictive = (None, None) if position is None else _of_class(choice, n_classes, position)
    value = ValueOfMatrix(value_of, n_classes, True, value_of_each_class(counted, choice))
    return PairedMetric(choice, value, hits, predictive)


def _value_of_actual_classes(counted: CountedMatrix, choice: Choice) -> Callable[[Any], Array]:
    """The value over the classes with samples: one that only a model predicts would make a product
    0.
    """
    is_actual = counted.margins.row_sums > 0
    value_of = value_of_matrices(CountedMatrix(counted.matrix, counted.order[is_actual]), choice)
    return lambda counts: value_of(Margins(*(part[..., is_actual] for part in margins_of(counts))))


def difference_of(
    pair: Pair,
    metric: PairedMetric,
    names: tuple[str, str, str],
    request: DifferenceRequest,
    random: np.random.Generator,
) -> ComparisonRow:
    """The difference between the first model and the second; `names` are those of the metric and of
    both.
    """
    first, second = (float(metric.value.values(total)) for total in pair.observed())
    row = ComparisonRow(
        *names, first, second, first - second, np.nan, np.nan, np.nan, np.nan, "undefined"
    )
    if not np.isfinite(first - second):
        return row
    n_permutations = 0
    if metric.hits is not None and not (pair.clustered or pair.is_weighted):
        limits_at, p_value, method = _by_shares(pair, metric.hits)
    else:
        limits_at, of_limits = _limits_of_difference(pair, metric, request, random)
        by_score = _by_score(pair, metric)
        if by_score is None:
            p_value, test, n_permutations = swap_test(
                pair, metric.value, request.n_resamples, random, request.tell
            )
            # Clusters are exchanged whole: a large one that differs does not make its reverse as
            # likely.
            if not pair.clustered and (of_rates := _by_rates(pair, metric.value)) > p_value:
                p_value, test = of_rates, "score"
        else:
            p_value, test = by_score, "weighted generalised score"
        method = f"{test}, {of_limits}"

    def around(alpha: float) -> Limits:
        """Limits that include the difference, which those with added units may exclude."""
        limits = limits_at(alpha)
        return Limits(
            np.minimum(limits.low, first - second), np.maximum(limits.high, first - second)
        )

    row = row._replace(p_value=p_value, method=method, n_permutations=n_permutations)
    alpha = 1 - request.confidence_level
    low, high = map(float, around(alpha))
    least_width = 0 if method == METHOD_OF_SHARES else FLAT * max(abs(first), abs(second))
    if not high - low > least_width:
        name = metric.choice.name_with(metric.choice.average)
        warn(
            f"all replicates of the difference in {name} are identical, so its confidence limits "
            "are nan."
        )
        return row
    is_lower_better = metric.choice.row.better == "lower"
    of_margin = p_values_of_margin(
        around, request.margin, alpha / 2, is_lower_better=is_lower_better
    )
    return row._replace(low=low, high=high, p_not_worse=of_margin[0], p_equivalent=of_margin[1])


def p_values_of_margin(
    limits_at: Callable[[float], Limits],
    margin: float | None,
    level: float,
    *,
    is_lower_better: bool = False,
) -> tuple[float | None, float | None]:
    """The p-values of "not worse", and of "equivalent", which needs both one-sided tests; None
    without a margin.

    They invert the limits, whatever their method: at the one-sided level of the test, both always
    agree.
    """
    if margin is None:
        return None, None
    above, below = (
        _least_level(limits_at, -margin, level),
        _least_level(_reversed(limits_at), -margin, level),
    )
    return below if is_lower_better else above, max(above, below)


def p_value_of(limits_at: Callable[[float], Limits]) -> float:
    """The two-sided p-value of no difference: the least level of limits that exclude 0."""
    return min(
        1.0, 2 * min(_least_level(limits, 0, 0.025) for limits in (limits_at, _reversed(limits_at)))
    )


def _reversed(limits_at: Callable[[float], Limits]) -> Callable[[float], Limits]:
    """The limits of the difference b - a."""
    return lambda alpha: Limits(*(-limit for limit in limits_at(alpha)[::-1]))


def _least_level(limits_at: Callable[[float], Limits], bound: float, level: float) -> float:
    """The least one-sided level at which the lower limit is above a bound: the p-value of a
    difference up to there.

    At a level above one half the lower limit is the upper one of 1 - level. Limits of areas may
    widen a little as alpha grows, so the search starts at the level of the test.
    """
    too_small, enough, middle = FARTHEST, -FARTHEST, float(special.logit(level))
    for _ in range(HALVINGS):
        limits = limits_at(2 * float(special.expit(-abs(middle))))
        is_above = (limits.low if middle < 0 else limits.high) > bound
        too_small, enough = (too_small, middle) if is_above else (middle, enough)
        middle = (too_small + enough) / 2
    return float(special.expit(enough))


def _with_one_value(counted: CountedMatrix, choice: Choice) -> Choice:
    """A choice with its average resolved: one class, or one value over all."""
    average = resolved_average(counted, choice)
    is_of_classes = average is None or kind_of_average(average).combines == "classes"
    if is_of_classes and choice.labels is not None and len(choice.labels) == 1:
        average = None
    elif average is None:
        raise ValueError(
            f"a comparison needs one value per model, but average=None of {choice.row.name} gives "
            "one per class: choose an average, or one class with labels=[...]."
        )
    if average == "samples":
        raise ValueError(
            "average='samples' needs multilabel data, but a comparison needs one label per sample."
        )
    return choice._replace(average=average)


def _by_shares(pair: Pair, hits: Hits) -> tuple[Callable[[float], Limits], float, str]:
    """McNemar's test and Tango's limits on the samples of the actual classes that count."""
    is_hit, is_counted = hits
    counted_cells = np.repeat(is_counted, len(is_counted)).astype(float)
    n = sum(int((cells @ counted_cells > 0) @ times) for cells, times in pair.units())
    hit = (is_hit.ravel() * counted_cells).astype(float)
    of_first, of_second = pair.first @ hit > 0, pair.second @ hit > 0
    kept, swapped = (
        np.where(of_first != of_second, times, 0)
        for times in (pair.times - pair.swapped, pair.swapped)
    )
    only_first = int(np.where(of_first, kept, swapped).sum())
    only_second = int(np.where(of_first, swapped, kept).sum())
    return (
        lambda alpha: tango(only_first, only_second, n, alpha),
        mid_p(only_first, only_second),
        METHOD_OF_SHARES,
    )


def _by_score(pair: Pair, metric: PairedMetric) -> float | None:
    """The p-value of Kosinski's (2013) weighted generalised score test of two predictive values.

    None for other metrics, with weights or clusters, and if the models differ on too few samples.
    """
    if (
        metric.predictive is None
        or pair.clustered
        or pair.is_weighted
        or pair.n_differ < FEW_DIFFER
    ):
        return None
    # All samples have one weight, on which the number of samples does not depend.
    hit, counted = (cells.ravel() / pair.first.data[0] for cells in metric.predictive)
    first, second = pair.observed()
    (hits_first, n_first), (hits_second, n_second) = (
        (total @ hit, total @ counted) for total in (first, second)
    )
    times = np.concatenate([pair.times, pair.times_same])
    of_both = np.concatenate([pair.first @ counted * (pair.second @ counted), pair.same @ counted])
    is_hit = np.concatenate([pair.first @ hit, pair.same @ hit])
    n_both, hits_both = float(times @ of_both), float(times @ (of_both * is_hit))
    pooled = (hits_first + hits_second) / (n_first + n_second)
    covariance = (hits_both * (1 - pooled) ** 2 + (n_both - hits_both) * pooled**2) / (
        n_first + n_second
    )
    variance = (pooled * (1 - pooled) - 2 * covariance) * (1 / n_first + 1 / n_second)
    if variance <= ROUNDING:
        return None
    return float(special.chdtrc(1, (hits_first / n_first - hits_second / n_second) ** 2 / variance))


def _by_rates(pair: Pair, value: ValueOfMatrix) -> float:
    """The p-value of the score test of the rates at which the models differ, on the scale of
    derivatives.

    Unlike permutations it allows for kinds of disagreement that did not occur: under the null
    hypothesis a model that gains by many small moves is expected to lose by a few large ones.
    """
    further, counts = _of_one_sample(pair, value.n_classes), np.mean(pair.observed(), axis=0)
    # The derivatives by empty cells are those with pseudo-samples.
    for cells in (further.first, further.second):
        np.add.at(counts, cells, further.weight * further.times / (2 * len(cells)))
    slope = value.gradient_of(value.counts_of(counts))
    gained = pair.gained @ slope
    unseen = further.weight * (slope[further.first] - slope[further.second])
    moves, times = (
        np.concatenate([-gained, gained]),
        np.concatenate([pair.times - pair.swapped, pair.swapped]),
    )
    difference = float(moves @ times)
    moves, difference = moves * np.sign(difference), abs(difference)
    most = max(-moves.min(initial=0), np.abs(unseen).max(initial=0))
    if not (np.isfinite(difference) and np.isfinite(most) and difference > 0):
        return 0.0
    # The most likely rates without a difference, times / (1 + moves * at); what remains at the end
    # of the range of `at` is due to the largest loss.
    low, high = 0.0, (1 - FLAT) / most
    for _ in range(HALVINGS):
        at = (low + high) / 2
        low, high = (at, high) if times @ (moves / (1 + moves * at)) > 0 else (low, at)
    rates = times / (1 + moves * low)
    return float(
        special.chdtrc(1, difference**2 / (rates @ moves**2 + most * max(rates @ moves, 0)))
    )


def _limits_of_difference(
    pair: Pair, metric: PairedMetric, request: DifferenceRequest, random: np.random.Generator
) -> tuple[Callable[[float], Limits], str]:
    """Limits by the delta method; by replicates if the metric is not differentiable, or the models
    hardly differ.
    """
    least, most = range_of(metric.choice)
    further = _units_half_right(pair, metric.value.n_classes)
    if pair.n_differ >= FEW_DIFFER and has_slope(metric.choice.row, metric.choice.average):
        limits_at = limits_by_slopes(
            pair, metric.value, _of_one_sample(pair, metric.value.n_classes)
        )
        # Within the possible range of differences.
        return lambda alpha: Limits(*np.clip(limits_at(alpha), least - most, most - least)), "delta"
    values = np.sort(drawn_differences(pair, metric.value, further, request, random))
    n_known = int(np.count_nonzero(~np.isnan(values)))

    def by_replicates(alpha: float) -> Limits:
        """Percentiles, or the possible range of differences where these would leave out less than
        one replicate.
        """
        has_enough = leaves_any_out(n_known, alpha)
        return (
            percentiles(values, alpha)
            if has_enough
            else Limits(*np.array([least - most, most - least]))
        )

    return by_replicates, "smoothed bootstrap"


def _units_half_right(pair: Pair, n_classes: int) -> FurtherUnits:
    """Units of mean weight on which exactly one model is correct, over all cells where that is
    possible.
    """
    first, second = (total.reshape(n_classes, n_classes) for total in pair.observed())
    is_actual = first.sum(1) > 0
    occurs = is_actual | (first.sum(0) > 0) | (second.sum(0) > 0)
    actual, wrong = np.nonzero(
        is_actual[:, None] & occurs[None, :] & ~np.eye(n_classes, dtype=bool)
    )
    right, other = actual * (n_classes + 1), actual * n_classes + wrong
    cells = np.concatenate([right, other]), np.concatenate([other, right])
    return FurtherUnits(*cells, first.sum() / pair.n, PSEUDO_SAMPLES)


def _of_one_sample(pair: Pair, n_classes: int) -> FurtherUnits:
    """The same with a sample's weight: a whole cluster in one cell would have more influence than
    most clusters.
    """
    further = _units_half_right(pair, n_classes)
    return further._replace(weight=further.weight * pair.n / pair.n_samples)


def _right_predictions(choice: Choice, n_classes: int) -> Hits | None:
    """The hits of the accuracy and of losses that are proportions of all samples."""
    if choice.row.share is None:
        return None
    is_right = np.eye(n_classes, dtype=bool)
    counts_right = choice.row.share.hits == RIGHT
    return is_right if counts_right else ~is_right, np.ones(n_classes, dtype=bool)


def _of_class(choice: Choice, n_classes: int, position: int) -> tuple[Hits | None, Hits | None]:
    """The hits of a class, if the true labels alone, or the predictions alone, select the
    denominator.
    """
    share = choice.row.share
    if share is None:
        return None, None
    is_class = (np.arange(n_classes) == position).astype(int)
    hits, of = (
        np.array([["tn" in cells, "fp" in cells], ["fn" in cells, "tp" in cells]])
        for cells in share
    )
    of_class = hits[is_class[:, None], is_class[None, :]]
    if share.is_predictive:
        return None, (of_class, of[is_class[:, None], is_class[None, :]])
    is_of_actual = share.of in (ACTUAL_POSITIVE, ACTUAL_NEGATIVE, ALL)
    # The prevalence is that of both models.
    if not is_of_actual or share.hits == ACTUAL_POSITIVE:
        return None, None
    return (of_class, of[is_class, 0]), None


class FurtherUnits(NamedTuple):
    """Pseudo-units, all equally likely: a cell for each model."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    # The weight of each.
    weight: float
    # The total number of units they represent.
    times: float


def limits_by_slopes(
    pair: Pair, value: ValueOfMatrix, further: FurtherUnits
) -> Callable[[float], Limits]:
    """The difference plus and minus standard errors by the normal distribution, or Student's t for
    clusters.

    Pseudo-units are included, without which models that hardly differ would have a zero-width
    interval.
    """
    n_further = len(further.first)
    weights, n_cells = np.full(n_further, further.weight), pair.first.shape[1]
    cells = (one_cell_each(of, weights, n_cells) for of in (further.first, further.second))
    first, second = (
        sparse.vstack(parts, format="csr")
        for parts in zip((pair.first, pair.second), cells, strict=True)
    )
    times = np.concatenate([pair.times, np.full(n_further, further.times / max(n_further, 1))])
    swapped = np.concatenate([pair.swapped, np.zeros(n_further)])
    smoothed = replace(pair, first=first, second=second, times=times, swapped=swapped)
    differences, variances = differences_if_swapped(smoothed, value, swapped[None], None)
    n, error = pair.n_effective, np.sqrt(variances[0])

    def limits_at(alpha: float) -> Limits:
        half = error * (
            quantile_of_units(n, alpha) if pair.clustered else -special.ndtri(alpha / 2)
        )
        return Limits(differences[0] - half, differences[0] + half)

    return limits_at


def drawn_differences(
    pair: Pair,
    value: ValueOfMatrix,
    further: FurtherUnits,
    request: DifferenceRequest,
    random: np.random.Generator,
) -> Array:
    """The differences (n_resamples,) of units resampled with replacement,
    pseudo-units among them.
    """
    cells_first = sparse.vstack([pair.first, pair.second, pair.same], format="csr")
    cells_second = sparse.vstack([pair.second, pair.first, pair.same], format="csr")
    times = further.times if len(further.first) else 0.0
    shares = np.concatenate([pair.times - pair.swapped, pair.swapped, pair.times_same, [times]])
    shares = shares / shares.sum()
    chunks = []
    for part in at_a_time(pair, value, range(request.n_resamples)):
        *_, n_further = drawn = random.multinomial(pair.n, shares, size=part.stop - part.start).T
        totals = drawn[:-1].T @ cells_first, drawn[:-1].T @ cells_second
        rows = np.repeat(np.arange(len(n_further)), n_further)
        chosen = random.integers(max(len(further.first), 1), size=len(rows))
        for total, cells in zip(totals, (further.first, further.second), strict=True):
            np.add.at(total, (rows, cells[chosen]), further.weight)
        # The difference of two infinite values is unknown.
        with np.errstate(invalid="ignore"):
            chunks.append(value.values(totals[0]) - value.values(totals[1]))
        request.tell(f"{part.stop:,} of {request.n_resamples:,} replicates")
    return np.concatenate(chunks)


def difference_of_areas(
    a: Area, b: Area, variance: float
) -> tuple[Callable[[float], Limits], float, str]:
    """Limits of a difference at any level, its p-value, and how they are computed."""
    difference = a.value - b.value
    if variance <= NO_SPREAD:
        n = max(round(a.rarer), 1)
        n_more = round(abs(difference) * n)
        only_first, only_second = (n_more, 0) if difference > 0 else (0, n_more)
        return (
            lambda alpha: tango(only_first, only_second, n, alpha),
            mid_p(only_first, only_second),
            "Tango",
        )
    error = float(np.sqrt(variance))
    product = a.variance * b.variance
    correlation = (
        (a.variance + b.variance - variance) / (2 * np.sqrt(product))
        if product > NO_SPREAD**2
        else 0.0
    )

    def by_delong(alpha: float) -> Limits:
        """Limits within the possible range of differences of areas."""
        half = -special.stdtrit(a.rarer - 1, alpha / 2) * error
        return Limits(*np.clip([difference - half, difference + half], -1, 1))

    def by_areas(alpha: float) -> Limits:
        """Limits from those of both areas, within the possible range."""
        (of_a, _), (of_b, _) = (limits_of_roc_area(area, alpha, "auto") for area in (a, b))
        return Limits(*np.clip(zou((a.value, b.value), (of_a, of_b), correlation), -1, 1))

    p_value = float(2 * special.stdtr(a.rarer - 1, -abs(difference) / error))
    if a.is_of_few or b.is_of_few:
        return (
            lambda alpha: wider(by_delong(alpha), by_areas(alpha)),
            p_value,
            "the wider of paired DeLong and Zou",
        )
    return by_delong, p_value, "DeLong, paired"
