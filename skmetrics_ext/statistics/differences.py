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
from skmetrics_ext.reading.order import position_of
from skmetrics_ext.statistics.bootstrap import leaves_any_out, percentiles
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.clusters import quantile_of_units
from skmetrics_ext.statistics.delong import Area, limits_of_roc_area, wider
from skmetrics_ext.statistics.estimand import range_of, value_of_each_class, value_of_matrices
from skmetrics_ext.statistics.mcnemar import mid_p, tango
from skmetrics_ext.statistics.methods import has_slope
from skmetrics_ext.statistics.pair import (
    Pair,
    ValueOfMatrix,
    at_a_time,
    differences_if_swapped,
    one_cell_each,
)
from skmetrics_ext.statistics.permutation import Tested, swap_test
from skmetrics_ext.statistics.proportions import Array, Limits, zou
from skmetrics_ext.statistics.results import ComparisonRow

# If the models differ on fewer units, no difference is approximately normal.
FEW_DIFFER = 10
# The number of added samples on which exactly one model is correct.
PSEUDO_SAMPLES = 2.0
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
    # Whether it is a proportion of samples that are selected by the predictions alone.
    is_predictive: bool = False


class DifferenceRequest(NamedTuple):
    """Confidence level, margin and number of replicates."""

    confidence_level: float
    margin: float | None
    n_resamples: int
    # Called with the number of replicates so far.
    tell: Callable[[str], None]


class LimitsAndTest(NamedTuple):
    """What is known of a difference."""

    # The limits at any alpha.
    limits_at: Callable[[float], Limits]
    p_value: float
    # How they were computed.
    method: str
    # Behind the p-value; 0 for tests that use none.
    n_permutations: int = 0


def paired_metric(counted: CountedMatrix, choice: Choice) -> PairedMetric:
    """A choice whose value is one number, over the classes of all models."""
    n_classes = len(counted.order)
    if choice.row.is_product:
        value_of = _value_of_actual_classes(counted, choice)
        return PairedMetric(choice, ValueOfMatrix(value_of, n_classes, True), None)
    if not choice.row.has_average:
        value = ValueOfMatrix(
            of=value_of_matrices(counted, choice),
            n_classes=n_classes,
            margins_suffice=not choice.takes_matrix,
            of_each=value_of_each_class(counted, choice),
        )
        return PairedMetric(choice, value, _right_predictions(choice, n_classes))
    choice = _with_one_value(counted, choice)
    value = ValueOfMatrix(
        of=_one_value_of(counted, choice),
        n_classes=n_classes,
        margins_suffice=True,
        of_each=value_of_each_class(counted, choice),
    )
    position = _position_of_one_class(counted, choice)
    if position is None:
        return PairedMetric(choice, value, None)
    share = choice.row.share
    is_predictive = share is not None and share.is_predictive
    hits = _hits_of_class(choice, n_classes, position)
    return PairedMetric(choice, value, hits, is_predictive)


def _value_of_actual_classes(counted: CountedMatrix, choice: Choice) -> Callable[[Any], Array]:
    """The value over the classes with samples: one that only a model predicts would make a product
    0.
    """
    is_actual = counted.margins.row_sums > 0
    value_of = value_of_matrices(CountedMatrix(counted.matrix, counted.order[is_actual]), choice)
    return lambda counts: value_of(Margins(*(part[..., is_actual] for part in margins_of(counts))))


def _one_value_of(counted: CountedMatrix, choice: Choice) -> Callable[[Any], Array]:
    """The value of an average, or of the only class."""
    value_of = value_of_matrices(counted, choice)
    if choice.average is not None:
        return value_of
    return lambda counts: np.asarray(value_of(counts)[..., 0])


def _position_of_one_class(counted: CountedMatrix, choice: Choice) -> int | None:
    """The position of the class whose value it is; None for averages."""
    if choice.average == "binary":
        positive = positive_of(counted.known, choice.positive, counted.positive)
        return position_of(counted.order, positive)
    if choice.average is None and choice.labels is not None:
        return position_of(counted.order, choice.labels.tolist()[0])
    return None


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
    value_a, value_b = (float(metric.value.values(total)) for total in pair.observed())
    row = _undefined_row(names, value_a, value_b)
    if not np.isfinite(row.difference):
        return row
    found = _limits_and_test(pair, metric, request, random)
    row = row._replace(
        p_value=found.p_value, method=found.method, n_permutations=found.n_permutations
    )

    def around(alpha: float) -> Limits:
        """Limits that include the difference, which those with added units may exclude."""
        low, high = found.limits_at(alpha)
        return Limits(np.minimum(low, row.difference), np.maximum(high, row.difference))

    alpha = 1 - request.confidence_level
    low, high = map(float, around(alpha))
    least_width = 0 if found.method == METHOD_OF_SHARES else FLAT * max(abs(value_a), abs(value_b))
    if not high - low > least_width:
        name = metric.choice.name_with(metric.choice.average)
        return row._replace(caveats=(constant_difference(name),))
    is_lower_better = metric.choice.row.better == "lower"
    p_not_worse, p_equivalent = p_values_of_margin(
        around, request.margin, alpha / 2, is_lower_better=is_lower_better
    )
    return row._replace(low=low, high=high, p_not_worse=p_not_worse, p_equivalent=p_equivalent)


def constant_difference(name: str) -> Caveat:
    """Replicates of the difference in a metric that don't vary."""
    text = (
        f"all replicates of the difference in {name} are identical, so its confidence limits are "
        "nan."
    )
    return Caveat("constant", text)


def _undefined_row(names: tuple[str, str, str], value_a: float, value_b: float) -> ComparisonRow:
    """The values of two models without limits and a p-value."""
    metric, a, b = names
    return ComparisonRow(
        metric=metric,
        a=a,
        b=b,
        value_a=value_a,
        value_b=value_b,
        difference=value_a - value_b,
        low=np.nan,
        high=np.nan,
        p_value=np.nan,
        p_adjusted=np.nan,
        method="undefined",
    )


def _limits_and_test(
    pair: Pair, metric: PairedMetric, request: DifferenceRequest, random: np.random.Generator
) -> LimitsAndTest:
    """The limits and the p-value of a difference: exact ones of proportions of the same samples, or
    those of the best test that there is.
    """
    if metric.hits is not None and not (pair.clustered or pair.is_weighted):
        return _by_shares(pair, metric.hits)
    # In this order, since both draw.
    limits_at, of_limits = _limits_of_difference(pair, metric, request, random)
    if metric.is_predictive and not (pair.clustered or pair.is_weighted):
        # Neither swaps nor a score test hold for samples that each model selects by itself.
        return LimitsAndTest(limits_at, p_value_of(limits_at), f"{of_limits}, inverted")
    test = _test_of_difference(pair, metric, request, random)
    return LimitsAndTest(
        limits_at, test.p_value, f"{test.method}, {of_limits}", test.n_permutations
    )


def _test_of_difference(
    pair: Pair, metric: PairedMetric, request: DifferenceRequest, random: np.random.Generator
) -> Tested:
    """The p-value by permutations, at least that of a score test of the rates of disagreement."""
    tested = swap_test(pair, metric.value, request.n_resamples, random, request.tell)
    # Clusters are exchanged whole: a large one that differs does not make its reverse as likely.
    if pair.clustered:
        return tested
    by_rates = _by_rates(pair, metric.value)
    if by_rates > tested.p_value:
        return tested._replace(p_value=by_rates, method="score")
    return tested


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
    above = _least_level(limits_at, -margin, level)
    below = _least_level(_reversed(limits_at), -margin, level)
    return below if is_lower_better else above, max(above, below)


def p_value_of(limits_at: Callable[[float], Limits]) -> float:
    """The two-sided p-value of no difference: the least level of limits that exclude 0."""
    above = _least_level(limits_at, 0, 0.025)
    below = _least_level(_reversed(limits_at), 0, 0.025)
    return min(1.0, 2 * min(above, below))


def _reversed(limits_at: Callable[[float], Limits]) -> Callable[[float], Limits]:
    """The limits of the difference b - a."""

    def reversed_at(alpha: float) -> Limits:
        low, high = limits_at(alpha)
        return Limits(-high, -low)

    return reversed_at


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
    if kind_of_average(average).is_worst:
        raise ValueError(
            "there is no valid confidence interval or p-value for a difference between worst "
            f"values of {choice.row.name}: compare one class with labels=[...], or an average "
            "such as 'macro'."
        )
    return choice._replace(average=average)


def _by_shares(pair: Pair, hits: Hits) -> LimitsAndTest:
    """McNemar's test and Tango's limits on the samples of the actual classes that count."""
    is_hit, is_counted = hits
    counted_cells = np.repeat(is_counted, len(is_counted)).astype(float)
    n = 0
    for cells, frequencies in pair.units():
        n += int((cells @ counted_cells > 0) @ frequencies)
    hit_cells = is_hit.ravel() * counted_cells
    of_first, of_second = pair.first @ hit_cells > 0, pair.second @ hit_cells > 0
    kept, swapped = pair.frequencies - pair.swapped, pair.swapped
    only_of_first, only_of_second = of_first & ~of_second, of_second & ~of_first
    only_first = int(only_of_first @ kept + only_of_second @ swapped)
    only_second = int(only_of_second @ kept + only_of_first @ swapped)
    return of_discordant(only_first, only_second, n, METHOD_OF_SHARES)


def of_discordant(only_first: int, only_second: int, n: int, method: str) -> LimitsAndTest:
    """McNemar's test and Tango's limits of n samples, by those that only one model has right."""
    return LimitsAndTest(
        limits_at=lambda alpha: tango(only_first, only_second, n, alpha),
        p_value=mid_p(only_first, only_second),
        method=method,
    )


def _by_rates(pair: Pair, value: ValueOfMatrix) -> float:
    """The p-value of the score test of the rates at which the models differ, on the scale of
    derivatives.

    Unlike permutations it allows for kinds of disagreement that did not occur: under the null
    hypothesis a model that gains by many small moves is expected to lose by a few large ones.
    """
    further = _units_of_one_sample(pair, value.n_classes)
    slope = _slope_of_both(pair, value, further)
    gained = pair.gained @ slope
    # How far each unit moves the difference; swapped ones move it the other way.
    moves = np.concatenate([-gained, gained])
    frequencies = np.concatenate([pair.frequencies - pair.swapped, pair.swapped])
    difference = float(moves @ frequencies)
    if difference < 0:
        moves, difference = -moves, -difference
    unseen = further.weight * (slope[further.first] - slope[further.second])
    largest_loss = max(-moves.min(initial=0), np.abs(unseen).max(initial=0))
    if not (np.isfinite(difference) and np.isfinite(largest_loss) and difference > 0):
        return 0.0
    rates = _rates_without_difference(moves, frequencies, largest_loss)
    # What remains is due to the largest loss.
    remaining = max(rates @ moves, 0)
    variance = rates @ moves**2 + largest_loss * remaining
    return float(special.chdtrc(1, difference**2 / variance))


def _slope_of_both(pair: Pair, value: ValueOfMatrix, further: FurtherUnits) -> Array:
    """The derivative of the value by each cell (n_cells,) at the mean counts of both models.

    Those by empty cells are those with pseudo-samples.
    """
    counts = np.mean(pair.observed(), axis=0)
    for cells in (further.first, further.second):
        np.add.at(counts, cells, further.weight * further.n_units / (2 * len(cells)))
    return value.gradient_of(value.counts_of(counts))


def _rates_without_difference(moves: Array, frequencies: Array, largest_loss: float) -> Array:
    """The most likely rates of units without a difference: frequencies / (1 + moves * multiplier).

    Without a multiplier in range that is large enough, a difference remains.
    """
    low, high = 0.0, (1 - FLAT) / largest_loss
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_too_low = frequencies @ (moves / (1 + moves * middle)) > 0
        low, high = (middle, high) if is_too_low else (low, middle)
    return np.asarray(frequencies / (1 + moves * low))


def _limits_of_difference(
    pair: Pair, metric: PairedMetric, request: DifferenceRequest, random: np.random.Generator
) -> tuple[Callable[[float], Limits], str]:
    """Limits by the delta method; by replicates if the metric is not differentiable, or the models
    hardly differ.
    """
    least, most = range_of(metric.choice)
    # The possible range of differences.
    lowest, highest = least - most, most - least
    n_classes = metric.value.n_classes
    if pair.n_differ >= FEW_DIFFER and has_slope(metric.choice.row, metric.choice.average):
        limits_at = limits_by_slopes(pair, metric.value, _units_of_one_sample(pair, n_classes))
        return lambda alpha: Limits(*np.clip(limits_at(alpha), lowest, highest)), "delta"
    further = _units_half_right(pair, n_classes)
    values = np.sort(drawn_differences(pair, metric.value, further, request, random))
    n_known = int(np.count_nonzero(~np.isnan(values)))

    def by_replicates(alpha: float) -> Limits:
        """Percentiles, or the possible range where these would leave out less than one
        replicate.
        """
        if leaves_any_out(n_known, alpha):
            return percentiles(values, alpha)
        return Limits(np.asarray(lowest), np.asarray(highest))

    return by_replicates, "smoothed bootstrap"


def _units_half_right(pair: Pair, n_classes: int) -> FurtherUnits:
    """Units of mean weight on which exactly one model is correct, over all cells where that is
    possible.
    """
    first, second = (total.reshape(n_classes, n_classes) for total in pair.observed())
    is_actual = first.sum(1) > 0
    occurs = is_actual | (first.sum(0) > 0) | (second.sum(0) > 0)
    is_wrong = is_actual[:, None] & occurs[None, :] & ~np.eye(n_classes, dtype=bool)
    actual, predicted = np.nonzero(is_wrong)
    right, wrong = actual * (n_classes + 1), actual * n_classes + predicted
    return FurtherUnits(
        first=np.concatenate([right, wrong]),
        second=np.concatenate([wrong, right]),
        weight=first.sum() / pair.n,
        n_units=PSEUDO_SAMPLES,
    )


def _units_of_one_sample(pair: Pair, n_classes: int) -> FurtherUnits:
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


def _hits_of_class(choice: Choice, n_classes: int, position: int) -> Hits | None:
    """The hits of a class, if the true labels alone select the denominator."""
    share = choice.row.share
    if share is None:
        return None
    is_class = (np.arange(n_classes) == position).astype(int)
    hits, denominator = (
        np.array([["tn" in cells, "fp" in cells], ["fn" in cells, "tp" in cells]])
        for cells in share
    )
    actual, predicted = is_class[:, None], is_class[None, :]
    is_of_actual = share.among in (ACTUAL_POSITIVE, ACTUAL_NEGATIVE, ALL)
    # The prevalence is that of both models.
    if not is_of_actual or share.hits == ACTUAL_POSITIVE:
        return None
    return hits[actual, predicted], denominator[is_class, 0]


class FurtherUnits(NamedTuple):
    """Pseudo-units, all equally likely: a cell for each model."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    # The weight of each.
    weight: float
    # The total number of units they represent.
    n_units: float


def limits_by_slopes(
    pair: Pair, value: ValueOfMatrix, further: FurtherUnits
) -> Callable[[float], Limits]:
    """The difference plus and minus standard errors by the normal distribution, or Student's t for
    clusters.

    Pseudo-units are included, without which models that hardly differ would have a zero-width
    interval.
    """
    smoothed = _with_further_units(pair, further)
    differences, variances = differences_if_swapped(smoothed, value, smoothed.swapped[None], None)
    difference, error = differences[0], np.sqrt(variances[0])
    n_units = pair.n_effective

    def limits_at(alpha: float) -> Limits:
        quantile = (
            quantile_of_units(n_units, alpha) if pair.clustered else -special.ndtri(alpha / 2)
        )
        half = error * quantile
        return Limits(difference - half, difference + half)

    return limits_at


def _with_further_units(pair: Pair, further: FurtherUnits) -> Pair:
    """The same with pseudo-units among those on which the models differ."""
    n_further, n_cells = len(further.first), pair.first.shape[1]
    weights = np.full(n_further, further.weight)
    frequencies = np.full(n_further, further.n_units / max(n_further, 1))
    first, second = (
        one_cell_each(cells, weights, n_cells) for cells in (further.first, further.second)
    )
    return replace(
        pair,
        first=sparse.vstack([pair.first, first], format="csr"),
        second=sparse.vstack([pair.second, second], format="csr"),
        frequencies=np.concatenate([pair.frequencies, frequencies]),
        swapped=np.concatenate([pair.swapped, np.zeros(n_further)]),
    )


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
    n_further = further.n_units if len(further.first) else 0.0
    n_kept = pair.frequencies - pair.swapped
    frequencies = np.concatenate([n_kept, pair.swapped, pair.frequencies_of_same, [n_further]])
    shares = frequencies / frequencies.sum()
    chunks = []
    for part in at_a_time(pair, value, range(request.n_resamples)):
        drawn = random.multinomial(pair.n, shares, size=part.stop - part.start)
        units, n_further_drawn = drawn[:, :-1], drawn[:, -1]
        first, second = units @ cells_first, units @ cells_second
        _add_drawn(first, second, further, n_further_drawn, random)
        # The difference of two infinite values is unknown.
        with np.errstate(invalid="ignore"):
            chunks.append(value.values(first) - value.values(second))
        request.tell(f"{part.stop:,} of {request.n_resamples:,} replicates")
    return np.concatenate(chunks)


def _add_drawn(
    first: Array,
    second: Array,
    further: FurtherUnits,
    n_drawn: NDArray[np.int64],
    random: np.random.Generator,
) -> None:
    """Add so many pseudo-units (n_replicates,), drawn at random, to the counts (n_replicates,
    n_cells) of both models.
    """
    replicates = np.repeat(np.arange(len(n_drawn)), n_drawn)
    chosen = random.integers(max(len(further.first), 1), size=len(replicates))
    np.add.at(first, (replicates, further.first[chosen]), further.weight)
    np.add.at(second, (replicates, further.second[chosen]), further.weight)


def difference_of_areas(a: Area, b: Area, variance: float) -> LimitsAndTest:
    """What is known of the difference of two areas with this variance."""
    difference = a.value - b.value
    if variance <= NO_SPREAD:
        return _of_areas_without_spread(difference, max(round(a.rarer), 1))
    error, rarer = float(np.sqrt(variance)), min(a.rarer, b.rarer)
    correlation = _correlation(a.variance, b.variance, variance)

    def by_delong(alpha: float) -> Limits:
        """Limits within the possible range of differences of areas."""
        half = -special.stdtrit(rarer - 1, alpha / 2) * error
        return Limits(*np.clip([difference - half, difference + half], -1, 1))

    def by_areas(alpha: float) -> Limits:
        """Limits from those of both areas, within the possible range."""
        of_a, _ = limits_of_roc_area(a, alpha, "auto")
        of_b, _ = limits_of_roc_area(b, alpha, "auto")
        return Limits(*np.clip(zou((a.value, b.value), (of_a, of_b), correlation), -1, 1))

    def by_both(alpha: float) -> Limits:
        return wider(by_delong(alpha), by_areas(alpha))

    if a.is_of_few or b.is_of_few:
        return LimitsAndTest(by_both, p_value_of(by_both), "the wider of paired DeLong and Zou")
    p_value = float(2 * special.stdtr(rarer - 1, -abs(difference) / error))
    return LimitsAndTest(by_delong, p_value, "DeLong, paired")


def _of_areas_without_spread(difference: float, n: int) -> LimitsAndTest:
    """What is known of areas whose difference is the same in all samples: as of a proportion of the
    n samples of the rarer class.
    """
    n_more = round(abs(difference) * n)
    only_first, only_second = (n_more, 0) if difference > 0 else (0, n_more)
    return of_discordant(only_first, only_second, n, "Tango")


def _correlation(variance_a: float, variance_b: float, variance_of_difference: float) -> float:
    """The correlation of two values; 0 where either has no variance."""
    if min(variance_a, variance_b) <= NO_SPREAD:
        return 0.0
    product = variance_a * variance_b
    return float((variance_a + variance_b - variance_of_difference) / (2 * np.sqrt(product)))
