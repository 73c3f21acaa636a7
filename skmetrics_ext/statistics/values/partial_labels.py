"""Intervals of values of samples of which only some have a label."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, CountedMatrix
from skmetrics_ext.counting.counts import as_floats
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.partial_labels import PartialCells, replicates_of_cells
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat, NoLimitsError
from skmetrics_ext.statistics.constants import FEW, FEW_IN_CELL, MOST_IN_SMALL_CELLS
from skmetrics_ext.statistics.estimand import (
    Estimand,
    clipped,
    estimand_of,
    range_of,
    value_of_matrices,
)
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.request import Request, draws_of
from skmetrics_ext.statistics.results import Interval
from skmetrics_ext.statistics.values.bootstrap import (
    Draws,
    MethodLimits,
    of_each_entry,
    percentiles,
)
from skmetrics_ext.statistics.values.intervals import make_interval

BY_STRATUM = "dirichlet-by-stratum"


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
    once = counted_of_labels(counted, cells)
    estimands = [estimand_of_partial_labels(counted, choice) for choice in choices]
    values = values_of_replicates(
        cells, [value_of_matrices(counted, choice) for choice in choices], draws_of(request)
    )
    for choice, estimand, of_choice in zip(choices, estimands, values, strict=True):
        has_classes = estimand.labels is not None
        caveats = [
            *of_small_cells(cells, has_classes=has_classes),
            *_of_few_labels(once, choice, estimand, axes),
        ]
        n = np.rint(once.matrix.sum((-2, -1))).astype(np.int64)
        n = n[..., None] if has_classes else n

        def find(
            alpha: float, _: Draws, choice: Choice = choice, of_choice: Array = of_choice
        ) -> MethodLimits:
            """Confidence limits at level 1 - alpha."""
            return MethodLimits(
                limits_of_partial_labels(counted, choice, of_choice, alpha),
                np.isnan(of_choice).sum(0),
            )

        how = shown(BY_STRATUM)
        yield make_interval(counted, estimand, axes, request, BY_STRATUM, find, how, n, caveats)


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


def biased_percentiles(
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


def of_small_cells(cells: PartialCells, *, has_classes: bool) -> Iterator[Caveat]:
    """Entries, or all classes of these, with many samples in cells of very few labels."""
    in_small = np.where(cells.known.sum(-1) < FEW_IN_CELL, cells.totals, 0).sum((-2, -1))
    share = ratio(in_small, cells.totals.sum((-2, -1)))
    share = share[..., None] if has_classes else share
    is_large = share > MOST_IN_SMALL_CELLS
    if is_large.any():
        text = (
            f"{{n}} % of the samples{{where}} are in strata where fewer than {FEW_IN_CELL} with "
            "their prediction have a label: confidence limits may be too narrow. Fetch more "
            "labels, or use fewer strata."
        )
        yield Caveat("small_strata", text, is_large, np.round(100 * share, 1))


def limits_of_partial_labels(
    counted: Counted, choice: Choice, values: Array, alpha: float
) -> Limits:
    """Limits within the range of a metric."""
    value = value_of_matrices(counted, choice)(as_floats(counted.matrix))
    # As proportions of all samples are.
    is_unbiased = choice.row.proportion is not None and not choice.row.has_average
    return clipped(
        biased_percentiles(value, values, alpha, is_unbiased=is_unbiased), range_of(counted, choice)
    )


def counted_of_labels(counted: Counted, cells: PartialCells) -> Counted:
    """The counts of the samples that have a label."""
    return CountedMatrix(
        cells.known.sum(-3).swapaxes(-1, -2), counted.order, counted.positive, counted.ranking
    )


def estimand_of_partial_labels(counted: Counted, choice: Choice) -> Estimand:
    """What is requested; values whose replicates' bias exceeds their uncertainty are refused."""
    estimand = estimand_of(counted, choice)
    if choice.row.is_biased or estimand.kind.is_worst:
        raise NoLimitsError(
            f"no interval is valid for {choice.name_with(estimand.average)} if labels are partly "
            "known."
        )
    return estimand
