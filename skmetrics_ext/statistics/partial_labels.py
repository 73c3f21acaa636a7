"""Intervals, gaps and comparisons of which only some samples have a label."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, CountedMatrix
from skmetrics_ext.counting.counts import as_floats
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.partial_labels import PartialCells, expected_counts, replicates_of_cells
from skmetrics_ext.statistics.bootstrap import (
    Draws,
    MethodLimits,
    leaves_any_out,
    of_each_entry,
    percentiles,
    percentiles_apart,
    streams_of_groups,
)
from skmetrics_ext.statistics.caveats import Caveat, NoLimitsError
from skmetrics_ext.statistics.compared import Compared, LimitsAndTest, unknown
from skmetrics_ext.statistics.differences import (
    DifferenceRequest,
    PairedMetric,
    alpha_of_replicates,
    without_limits,
)
from skmetrics_ext.statistics.estimand import (
    FEW,
    SHARES,
    Estimand,
    clipped,
    estimand_of,
    range_of,
    value_of_matrices,
)
from skmetrics_ext.statistics.gaps import DesignOfGroups, GapRequest
from skmetrics_ext.statistics.groups_compared import of_gaps
from skmetrics_ext.statistics.intervals import make_interval
from skmetrics_ext.statistics.inversion import p_value_of
from skmetrics_ext.statistics.limits_of_gaps import (
    LimitsOfEach,
    SampledGroups,
    at_each_alpha,
    of_few_replicates,
    possible_limits,
)
from skmetrics_ext.statistics.methods import BIASED
from skmetrics_ext.statistics.proportions import Array, Limits
from skmetrics_ext.statistics.request import Request, draws_of
from skmetrics_ext.statistics.results import Interval

SHOWN = "Dirichlet by stratum and prediction"
# With a larger share of samples in cells with so few labels limits are unreliable: with a third,
# tests at 5 % rejected in 22 %; with 1 label in each, 95 % intervals covered 85 %.
TOLERATED, FEW_IN_CELL = 0.1, 4


def intervals_of_partial_labels(
    counted: Counted,
    cells: PartialCells,
    choices: Sequence[Choice],
    axes: tuple[Axis, ...],
    request: Request,
) -> Iterator[Interval]:
    """The intervals of expected counts, from the same replicates of their cells."""
    for name in ("method", "fixed"):
        if (given := getattr(request, name)) not in ("auto", None):
            raise ValueError(
                f"{name}={given!r} does not apply where labels are partly known: omit it."
            )
    once = _counted_of_labels(counted, cells)
    estimands = [_estimand(counted, choice) for choice in choices]
    values = values_of_replicates(
        cells, [value_of_matrices(counted, choice) for choice in choices], draws_of(request)
    )
    for choice, estimand, of_choice in zip(choices, estimands, values, strict=True):
        has_classes = estimand.labels is not None
        caveats = [
            *_of_small_cells(cells, has_classes=has_classes),
            *_of_few_labels(once, choice, estimand, axes),
        ]
        n = np.rint(once.matrix.sum((-2, -1))).astype(np.int64)
        n = n[..., None] if has_classes else n

        def find(
            alpha: float, _: Draws, choice: Choice = choice, of_choice: Array = of_choice
        ) -> MethodLimits:
            """Confidence limits at level 1 - alpha."""
            return MethodLimits(
                _limits(counted, choice, of_choice, alpha), np.isnan(of_choice).sum(0)
            )

        yield make_interval(counted, estimand, axes, request, "dirichlet", find, SHOWN, n, caveats)


def _of_few_labels(
    once: Counted, choice: Choice, estimand: Estimand, axes: tuple[Axis, ...]
) -> Iterator[Caveat]:
    """Values that rest on few labels."""
    fewest = estimand_of(once, choice).samples_counted()
    is_few = fewest < FEW
    if is_few.any():
        text = (
            f"{choice.name_with(estimand.average)} is based on too few labels, {{n}} (for an "
            "average, those of its smallest class): its confidence interval may be too narrow."
        )
        yield Caveat("few_labels", text, is_few, fewest, axes)


def counts_of_groups(
    counted: Counted,
    cells: PartialCells,
    choice: Choice,
    axis: Axis,
    place: int,
    request: GapRequest,
) -> DesignOfGroups:
    """What a gap needs of groups with partly known labels."""
    _estimand(counted, choice)
    streams = streams_of_groups(cells.totals.shape[:-2], place)
    draws = Draws(request.n_resamples, request.seed, by_row=False, streams=streams)
    (values,) = values_of_replicates(cells, [value_of_matrices(counted, choice)], draws)

    def limits_at(alpha: float) -> LimitsOfEach:
        """The limits of all groups, unknown beyond all replicates."""
        if not leaves_any_out(draws.n, alpha):
            ends = possible_limits(counted, choice, values.shape[1:])
            caveats: tuple[Caveat, ...] = (of_few_replicates(draws.n, alpha),)
        else:
            ends, caveats = _limits(counted, choice, values, alpha), ()
        return LimitsOfEach(Limits(*(np.moveaxis(end, place, -1) for end in ends)), caveats)

    limits_of = at_each_alpha(limits_at)

    def sampled(kept: NDArray[np.bool_]) -> SampledGroups:
        """The same of the groups that are compared."""
        has_classes = kept.ndim > cells.totals.ndim - 2
        of_cells = _of_small_cells(cells, has_classes=has_classes)
        caveats = tuple(of for caveat in of_cells for of in of_gaps(caveat, axis, place, kept))
        return SampledGroups(limits_of, lambda alphas: limits_of(alphas).limits, caveats)

    return DesignOfGroups(_counted_of_labels(counted, cells), sampled)


def values_of_replicates(
    cells: PartialCells, values_of: Sequence[Callable[[Array], Array]], draws: Draws
) -> list[Array]:
    """The values (n, ...) of each function of the counts of all samples."""
    shape = cells.totals.shape[:-2]
    drawn = {
        place: _values_of_entry(cells.at(place), values_of, draws.n, draws.random(place))
        for place in np.ndindex(shape)
    }

    def of_function(number: int) -> Array:
        """The values (n, ...) of one function."""
        return of_each_entry(shape, lambda place: drawn[place][number])

    return [of_function(number) for number in range(len(values_of))]


def _values_of_entry(
    cells: PartialCells,
    values_of: Sequence[Callable[[Array], Array]],
    n_replicates: int,
    random: np.random.Generator,
) -> list[Array]:
    """The same (n_replicates, ...) of one entry."""
    chunks = [
        [of(counts) for of in values_of]
        for counts in replicates_of_cells(cells, n_replicates, random)
    ]
    return [np.concatenate(of_function) for of_function in zip(*chunks, strict=True)]


def _limits_of(
    value: Array,
    values: Array,
    alpha: float,
    *,
    is_unbiased: bool = False,
    find: Callable[[Array, float], Limits] = percentiles,
) -> Limits:
    """Percentiles extended to the value, and by replicates' bias, or shifted if it is unbiased."""
    with np.errstate(invalid="ignore"):
        mean = ratio(np.nansum(values, 0), (~np.isnan(values)).sum(0))
        bias = np.nan_to_num(mean - value, posinf=0, neginf=0)
    below, above = (bias, bias) if is_unbiased else (np.maximum(bias, 0), np.minimum(bias, 0))
    low, high = find(values, alpha)
    return Limits(np.fmin(low - below, value), np.fmax(high - above, value))


def differences_of_partial_labels(
    cells: PartialCells,
    predictions: tuple[NDArray[np.intp], ...],
    metrics: dict[str, PairedMetric],
    models: tuple[str, str],
    request: DifferenceRequest,
    seed: np.random.SeedSequence,
) -> Iterator[Compared]:
    """The differences of two models, by each one's `predictions` (n_predictions,) in the cells."""
    caveats = (*_of_labels_that_differ(cells, predictions[0] != predictions[1], models),)
    of_models = [np.eye(cells.known.shape[-1])[of_model] for of_model in predictions]

    def values_of(metric: PairedMetric, counts: Array) -> Array:
        """The values (..., 2) of both models."""
        cells_of_models = (
            (counts @ of_model).reshape(*counts.shape[:-2], -1) for of_model in of_models
        )
        return np.stack([*map(metric.value.values, cells_of_models)], -1)

    of_metrics = [partial(values_of, metric) for metric in metrics.values()]
    draws = Draws(request.n_resamples, seed, by_row=False)
    drawn = values_of_replicates(cells, of_metrics, draws)
    for (name, metric), of_replicates in zip(metrics.items(), drawn, strict=True):
        first, second = values_of(metric, expected_counts(cells)).tolist()
        of_pair = Compared(
            metric=name,
            models=models,
            values=(first, second),
            known=unknown("undefined"),
            is_lower_better=metric.choice.row.better == "lower",
            caveats=caveats,
        )
        if not np.isfinite(of_pair.difference):
            yield of_pair
            continue
        limits_at = partial(
            _limits_of_difference,
            metric.possible,
            np.asarray(of_pair.difference),
            np.sort(of_replicates[:, 0] - of_replicates[:, 1]),
        )
        p_value = p_value_of(limits_at, of_pair.difference)
        of_pair = of_pair._replace(known=LimitsAndTest(limits_at, p_value, SHOWN))
        low, high = map(float, limits_at(alpha_of_replicates(request)))
        yield without_limits(of_pair, name) if low == high else of_pair


def _of_small_cells(cells: PartialCells, *, has_classes: bool) -> Iterator[Caveat]:
    """Entries, or all classes of these, with many samples in cells of very few labels."""
    in_small = np.where(cells.known.sum(-1) < FEW_IN_CELL, cells.totals, 0).sum((-2, -1))
    share = ratio(in_small, cells.totals.sum((-2, -1)))
    share = share[..., None] if has_classes else share
    is_large = share > TOLERATED
    if is_large.any():
        text = (
            f"{{n}} % of the samples{{where}} are in strata where fewer than {FEW_IN_CELL} with "
            "their prediction have a label: confidence limits may be too narrow. Fetch more "
            "labels, or use fewer strata."
        )
        yield Caveat("small_strata", text, is_large, np.round(100 * share, 1))


def _of_labels_that_differ(
    cells: PartialCells, differ: NDArray[np.bool_], models: tuple[str, str]
) -> Iterator[Caveat]:
    """Whether few differently predicted samples have a label, or many are in cells with few."""
    n_labels, totals = (part[..., differ] for part in (cells.known.sum(-1), cells.totals))
    share = totals[n_labels < FEW_IN_CELL].sum() / max(totals.sum(), 1)
    if n_labels.sum() < FEW or share > TOLERATED:
        text = (
            f"of the samples for which the predictions of {models[0]!r} and {models[1]!r} differ, "
            f"{n_labels.sum():g} have a label, and {100 * share:.3g} % are where fewer than "
            f"{FEW_IN_CELL} are alike "
            "and labeled: confidence limits and p-values are unreliable. Fetch more labels, or "
            "use fewer strata."
        )
        yield Caveat("few_labels", text)


def _limits_of_difference(
    possible: Limits, difference: Array, differences: Array, alpha: float
) -> Limits:
    """Limits of a difference; the possible ones if replicates would leave out less than one."""
    if not leaves_any_out(int((~np.isnan(differences)).sum()), alpha):
        return possible
    apart = partial(percentiles_apart, least_width=0.0)
    return clipped(_limits_of(difference, differences, alpha, find=apart), possible)


def _limits(counted: Counted, choice: Choice, values: Array, alpha: float) -> Limits:
    """Limits within the range of a metric."""
    value = value_of_matrices(counted, choice)(as_floats(counted.matrix))
    # As proportions of all samples are.
    is_unbiased = choice.row.interval in SHARES and not choice.row.has_average
    return clipped(
        _limits_of(value, values, alpha, is_unbiased=is_unbiased), range_of(counted, choice)
    )


def _counted_of_labels(counted: Counted, cells: PartialCells) -> Counted:
    """The counts of the samples that have a label."""
    return CountedMatrix(
        cells.known.sum(-3).swapaxes(-1, -2), counted.order, counted.positive, counted.ranking
    )


def _estimand(counted: Counted, choice: Choice) -> Estimand:
    """What is requested; values whose replicates' bias exceeds their uncertainty are refused."""
    estimand = estimand_of(counted, choice)
    if choice.row.interval in BIASED or estimand.kind.is_worst:
        raise NoLimitsError(
            f"no interval is valid for {choice.name_with(estimand.average)} if labels are partly "
            "known."
        )
    return estimand
