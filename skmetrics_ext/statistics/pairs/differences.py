"""Two models on the same samples -> the difference in a metric, its limits and p-value."""

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
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.counting.counts import Margins, margins_of
from skmetrics_ext.counting.division import squared
from skmetrics_ext.reading.order import position_of
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.classes import has_slope
from skmetrics_ext.statistics.clusters import quantile_of_units
from skmetrics_ext.statistics.compared import Compared, LimitsAndTest, unknown
from skmetrics_ext.statistics.estimand import (
    clipped,
    range_of_differences,
    value_of_each_class,
    value_of_matrices,
)
from skmetrics_ext.statistics.gaps.permutation import Tested, swap_test
from skmetrics_ext.statistics.inversion import p_value_of
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.pairs.pair import (
    Pair,
    ValueOfMatrix,
    at_a_time,
    differences_if_swapped,
    one_cell_each,
)
from skmetrics_ext.statistics.values.bootstrap import leaves_any_out, percentiles_apart
from skmetrics_ext.statistics.values.proportions import mid_p_value, tango

# With fewer units that differ, no difference is approximately normal.
FEW_DIFFER = 10
# So many added samples one model alone has right.
PSEUDO_SAMPLES = 2.0
# A smaller proportion of the values is rounding of derivatives and sums of weights.
FLAT = 1e-10
METHOD_OF_SHARES = shown("mcnemar", "tango")
# The hits of a proportion of the samples of some actual classes, and these classes.
Hits = tuple[NDArray[np.bool_], NDArray[np.bool_]]
# So many give the rates' multiplier to the rounding of floats.
HALVINGS = 55


class PairedMetric(NamedTuple):
    """A metric with one value per model, and its form if it is a proportion."""

    # With its average resolved: None means a single class.
    choice: Choice
    value: ValueOfMatrix
    # The lowest and the highest difference.
    possible: Limits
    # If true labels alone select the samples of a proportion: the hits (C, C), and the classes that
    # count.
    hits: Hits | None
    # Whether it is a proportion of samples that predictions alone select.
    is_predictive: bool = False
    # The stratum (n_classes,) of each actual class if only the rates within strata count, not their
    # sizes.
    strata: NDArray[np.int64] | None = None


class DifferenceRequest(NamedTuple):
    """Confidence level and number of replicates."""

    confidence_level: float
    n_resamples: int
    # Called with the number of replicates so far.
    tell: Callable[[str], None]


def paired_metric(counted: CountedMatrix, choice: Choice) -> PairedMetric:
    """A choice with one value over the classes of all models."""
    n_classes = len(counted.order)
    if choice.row.has_average:
        choice = _with_one_value(choice)
    possible = range_of_differences(counted, choice)
    if choice.row.is_product:
        value_of = _value_of_actual_classes(counted, choice)
        return PairedMetric(choice, ValueOfMatrix(value_of, n_classes, True), possible, None)
    if not choice.row.has_average:
        value = ValueOfMatrix(
            of=value_of_matrices(counted, choice),
            n_classes=n_classes,
            margins_suffice=not choice.takes_matrix,
            of_each=value_of_each_class(counted, choice),
        )
        strata = np.arange(n_classes) if choice.row.is_of_actual else None
        hits = _right_predictions(choice, n_classes)
        return PairedMetric(choice, value, possible, hits, strata=strata)
    value = ValueOfMatrix(
        of=_one_value_of(counted, choice),
        n_classes=n_classes,
        margins_suffice=True,
        of_each=value_of_each_class(counted, choice),
    )
    position = _position_of_one_class(counted, choice)
    if position is None:
        is_mean_of_rates = (
            choice.row.averages_are_of_actual and kind_of_average(choice.average).is_alike
        )
        strata = np.arange(n_classes) if is_mean_of_rates else None
        return PairedMetric(choice, value, possible, None, strata=strata)
    share = choice.row.share
    is_predictive = share is not None and share.is_predictive
    hits = _hits_of_class(choice, n_classes, position)
    of_class = (np.arange(n_classes) == position).astype(np.int64)
    strata = of_class if choice.row.is_of_actual else None
    return PairedMetric(choice, value, possible, hits, is_predictive, strata)


def _value_of_actual_classes(counted: CountedMatrix, choice: Choice) -> Callable[[Any], Array]:
    """The value over classes with samples: any others would make a product 0."""
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
    """The position of the only class; None for averages."""
    if choice.average == "binary":
        return positive_of(counted.order, choice.positive, counted.positive, counted.known).place
    if choice.average is None and choice.labels is not None:
        return position_of(counted.order, choice.labels.tolist()[0])
    return None


def difference_of(
    pair: Pair,
    metric: PairedMetric,
    names: tuple[str, str, str],
    request: DifferenceRequest,
    random: np.random.Generator,
) -> Compared:
    """The first model minus the second; `names` are those of the metric and of both."""
    name, *models = names
    value_a, value_b = (float(metric.value.values(total)) for total in pair.observed())
    of_pair = Compared(
        metric=name,
        models=(models[0], models[1]),
        values=(value_a, value_b),
        known=unknown("undefined"),
        is_lower_better=metric.choice.row.better == "lower",
    )
    if not np.isfinite(of_pair.difference):
        return of_pair
    known = _limits_and_test(pair, metric, of_pair.difference, request, random)
    of_pair = of_pair._replace(known=known)
    low, high = map(float, of_pair.limits_at(alpha_of_replicates(request)))
    least_width = 0 if known.method == METHOD_OF_SHARES else FLAT * max(abs(value_a), abs(value_b))
    if high - low > least_width:
        return of_pair
    return without_limits(of_pair, metric.choice.name_with(metric.choice.average))


def alpha_of_replicates(request: DifferenceRequest) -> float:
    """The requested alpha, or the least that replicates can tell."""
    return max(1 - request.confidence_level, 2 / (request.n_resamples + 1))


def without_limits(of_pair: Compared, name: str) -> Compared:
    """A difference whose replicates don't vary."""
    text = (
        f"all replicates of the difference in {name} are identical, so its confidence limits and "
        "p-value are nan."
    )
    caveats = (*of_pair.caveats, Caveat("constant", text))
    return of_pair._replace(known=unknown(of_pair.known.method), caveats=caveats)


def _limits_and_test(
    pair: Pair,
    metric: PairedMetric,
    difference: float,
    request: DifferenceRequest,
    random: np.random.Generator,
) -> LimitsAndTest:
    """A difference's limits and p-value: exact ones of proportions, else the best test's."""
    if metric.hits is not None and not (pair.clustered or pair.is_weighted):
        return _by_shares(pair, metric.hits)
    # In this order, since both draw.
    limits_at, of_limits = _limits_of_difference(pair, metric, request, random)
    if metric.is_predictive:
        # Neither swaps nor a score test hold for samples that models select.
        p_value = p_value_of(limits_at, difference)
        return LimitsAndTest(limits_at, p_value, f"{of_limits}, {shown('inverted')}")
    test = _test_of_difference(pair, metric, request, random)
    return LimitsAndTest(
        limits_at, test.p_value, f"{test.method}, {of_limits}", test.n_permutations
    )


def _test_of_difference(
    pair: Pair, metric: PairedMetric, request: DifferenceRequest, random: np.random.Generator
) -> Tested:
    """The p-value by permutations, at least that of a score test."""
    tested = swap_test(pair, metric.value, request.n_resamples, random, request.tell)
    by_rates = _by_rates(pair, metric)
    if by_rates > tested.p_value:
        return tested._replace(p_value=by_rates, method=shown("score"))
    return tested


def _with_one_value(choice: Choice) -> Choice:
    """A choice of one class, or of one value over all."""
    average = choice.average
    is_of_classes = average is None or kind_of_average(average).combines == "classes"
    if is_of_classes and choice.labels is not None and len(choice.labels) == 1:
        average = None
    elif average is None:
        raise ValueError(
            f"a comparison needs one value per model, but average=None of {choice.asked} gives "
            "one per class: choose an average, or one class with pos_label=."
        )
    if average == "samples":
        raise ValueError(
            "average='samples' needs multilabel data, but a comparison needs one label per sample."
        )
    if kind_of_average(average).is_worst:
        raise ValueError(
            "there is no valid confidence interval or p-value for a difference between worst "
            f"values of {choice.asked}: compare one class with pos_label=, or an average "
            "such as 'macro'."
        )
    return choice._replace(average=average)


def _by_shares(pair: Pair, hits: Hits) -> LimitsAndTest:
    """McNemar's test and Tango's limits on the samples of the classes that count."""
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
    """McNemar's test and Tango's limits of n samples, by those that one model has right."""
    return LimitsAndTest(
        limits_at=lambda alpha: tango(only_first, only_second, n, alpha),
        p_value=mid_p_value(only_first, only_second),
        method=method,
    )


def _by_rates(pair: Pair, metric: PairedMetric) -> float:
    """The p-value of the score test of the rates of disagreement, on the scale of derivatives.

    Unlike permutations it allows for disagreements that did not occur: a model that gains by many
    small moves is expected to lose by a few large ones.
    """
    value = metric.value
    further = _units_of_one_sample(pair, value.n_classes)
    slope = _slope_of_both(pair, value, further)
    gained = pair.gained @ slope
    # How far each unit moves the difference; swapped the other way.
    moves = np.concatenate([-gained, gained])
    frequencies = np.concatenate([pair.frequencies - pair.swapped, pair.swapped])
    difference = float(moves @ frequencies)
    if difference < 0:
        moves, difference = -moves, -difference
    unseen = np.abs(further.weight * (slope[further.first] - slope[further.second]))
    largest_loss = max(-moves.min(initial=0), unseen.max(initial=0))
    if not (np.isfinite(difference) and np.isfinite(largest_loss) and difference > 0):
        return 0.0
    # Of few clusters only permutations are exact, which do not know losses that none shows.
    if pair.clustered and unseen.max(initial=0) <= np.abs(moves).max():
        return 0.0
    rates = _rates_without_difference(moves, frequencies, largest_loss)
    # What remains is due to the largest loss.
    remaining = max(rates @ moves, 0)
    variance = rates @ squared(moves) + largest_loss * remaining
    if metric.strata is not None and not (pair.clustered or pair.is_weighted):
        losses = np.concatenate([-moves, unseen])
        of_pair = pair.first.indices
        places = np.concatenate([of_pair, of_pair, further.first])
        of_units = metric.strata[places // value.n_classes]
        total = np.bincount(of_units[: len(moves)], rates * moves, metric.strata.max() + 1)
        total[of_units[losses.argmax()]] -= remaining
        variance -= (total**2 / _sizes_of_strata(pair, metric.strata, of_units, rates)).sum()
    return float(special.chdtrc(1, difference**2 / variance))


def _sizes_of_strata(
    pair: Pair, strata: NDArray[np.int64], of_units: NDArray[np.int64], rates: Array
) -> Array:
    """The samples of each stratum, at least those expected to differ."""
    n_cells = len(strata) ** 2
    samples = np.zeros(n_cells)
    for cells, frequencies in pair.units():
        samples += np.bincount(cells.indices, frequencies, n_cells)
    of_classes = samples.reshape(len(strata), -1).sum(1)
    n_strata = strata.max() + 1
    expected = np.bincount(of_units[: len(rates)], rates, n_strata)
    return np.maximum(np.maximum(np.bincount(strata, of_classes, n_strata), expected), 1)


def _slope_of_both(pair: Pair, value: ValueOfMatrix, further: FurtherUnits) -> Array:
    """Derivatives by each cell (n_cells,) at both mean counts, pseudo-samples' by empty ones."""
    counts = np.mean(pair.observed(), axis=0)
    for cells in (further.first, further.second):
        np.add.at(counts, cells, further.weight * further.n_units / (2 * len(cells)))
    return value.gradient_of(value.counts_of(counts))


def _rates_without_difference(moves: Array, frequencies: Array, largest_loss: float) -> Array:
    """Likeliest rates of units without a difference: frequencies / (1 + moves * multiplier)."""
    low, high = 0.0, (1 - FLAT) / largest_loss
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_too_low = frequencies @ (moves / (1 + moves * middle)) > 0
        low, high = (middle, high) if is_too_low else (low, middle)
    return np.asarray(frequencies / (1 + moves * low))


def _limits_of_difference(
    pair: Pair, metric: PairedMetric, request: DifferenceRequest, random: np.random.Generator
) -> tuple[Callable[[float], Limits], str]:
    """Delta limits; by replicates if the metric has kinks, or models hardly differ."""
    n_classes = metric.value.n_classes
    if pair.n_differ >= FEW_DIFFER and has_slope(metric.choice.row, metric.choice.average):
        limits_at = limits_by_slopes(pair, metric.value, _units_of_one_sample(pair, n_classes))
        return lambda alpha: clipped(limits_at(alpha), metric.possible), shown("delta")
    further = _units_half_right(pair, n_classes)
    least_width = FLAT * float(np.abs(metric.value.values(pair.observed())).max())
    values = np.sort(drawn_differences(pair, metric.value, further, request, random))
    n_known = int(np.count_nonzero(~np.isnan(values)))

    def by_replicates(alpha: float) -> Limits:
        """Percentiles, or the possible range if these leave out less than one."""
        if leaves_any_out(n_known, alpha):
            return percentiles_apart(values, alpha, least_width)
        return metric.possible

    return by_replicates, shown("smoothed-bootstrap")


def _units_half_right(pair: Pair, n_classes: int) -> FurtherUnits:
    """Units of mean weight that one model alone has right, over all cells."""
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
    """The same with a sample's weight: whole clusters would be too influential."""
    further = _units_half_right(pair, n_classes)
    return further._replace(weight=further.weight * pair.n / pair.n_samples)


def _right_predictions(choice: Choice, n_classes: int) -> Hits | None:
    """The hits of the accuracy and of losses of all samples."""
    if choice.row.share is None:
        return None
    is_right = np.eye(n_classes, dtype=bool)
    counts_right = choice.row.share.hits == RIGHT
    return is_right if counts_right else ~is_right, np.ones(n_classes, dtype=bool)


def _hits_of_class(choice: Choice, n_classes: int, position: int) -> Hits | None:
    """The hits of a class, if true labels alone select the denominator."""
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
    """The difference plus and minus standard errors, with pseudo-units."""
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
    """The same with pseudo-units among those that differ."""
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
    """The differences (n_resamples,) of resampled units, pseudo-units among them."""
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
    """Add so many random pseudo-units (n_replicates,) to both counts (n_replicates, n_cells)."""
    replicates = np.repeat(np.arange(len(n_drawn)), n_drawn)
    chosen = random.integers(max(len(further.first), 1), size=len(replicates))
    np.add.at(first, (replicates, further.first[chosen]), further.weight)
    np.add.at(second, (replicates, further.second[chosen]), further.weight)
