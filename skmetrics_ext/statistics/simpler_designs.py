"""Entries by what their design says beyond numbers of samples: a simpler one where it says less.

Clusters of one sample are samples, equal weights are none, and weights that are constant within
actual classes are another prevalence: two doors to the same thing have the same limits.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, cells_of_counted, with_cells
from skmetrics_ext.counting.design import (
    ROUNDING,
    Clustered,
    Crossed,
    PartlyLabeled,
    Rescaled,
    SampleDesign,
    Weighted,
    without_cells,
)
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.caveats import NoLimitsError, where_entries_are
from skmetrics_ext.statistics.constants import FEW
from skmetrics_ext.statistics.crossed import why_not_crossed


class AlikeEntries(NamedTuple):
    """Entries of one kind of design."""

    # Which of the entries, on one axis.
    entries: NDArray[np.bool_]
    counted: Counted
    design: SampleDesign


def alike_entries(
    counted: Counted, design: SampleDesign, axes: tuple[Axis, ...]
) -> list[AlikeEntries]:
    """The entries by what their design says beyond numbers of samples."""
    n_cells = 3 if counted.multilabel else 2
    cells = np.asarray(cells_of_counted(counted))
    leading = cells.shape[:-n_cells]

    def on_one_axis(of: NDArray[Any]) -> NDArray[Any]:
        """The cells with one axis of entries."""
        return of.reshape(-1, *of.shape[of.ndim - n_cells :])

    flat = on_one_axis(cells)
    parts = [_Some(np.ones(len(flat), dtype=bool), design.moved(on_one_axis), flat)]
    parts = _split(parts, OF_SAMPLES)
    _refuse_single_units(parts, axes, leading)
    parts = _split(parts, OF_EQUAL_WEIGHTS)
    if not counted.multilabel:
        parts = _split(parts, OF_WEIGHTED_CLASSES)
    if len(parts) > 1:
        return [_part(of.entries, counted, of.design, of.cells) for of in parts]
    for step in parts[0].steps:
        design, cells = _simpler(step, design, cells)
    return [_part(np.ones(1, dtype=bool), counted, design, cells)]


def _part(
    entries: NDArray[np.bool_], counted: Counted, design: SampleDesign, cells: NDArray[Any]
) -> AlikeEntries:
    """Entries with the counts of their design."""
    return AlikeEntries(entries, with_cells(counted, cells, design.weight_of_one(cells)), design)


class Step(NamedTuple):
    """A design that says the same of some entries in a simpler way."""

    # Of which entries (n_entries,) of a design with such cells.
    holds: Callable[[SampleDesign, NDArray[Any]], NDArray[np.bool_]]
    simpler: Callable[[Any, NDArray[Any]], tuple[SampleDesign, NDArray[Any]]]


class _Some(NamedTuple):
    """Entries for which the same steps hold, on one axis."""

    entries: NDArray[np.bool_]
    design: SampleDesign
    cells: NDArray[Any]
    steps: tuple[Step, ...] = ()


def _split(parts: list[_Some], step: Step) -> list[_Some]:
    """The entries for which a step holds, made simpler, apart from the others."""
    split = []
    for part in parts:
        holds = _holds(step, part)
        for chosen in (holds, ~holds):
            if not chosen.any():
                continue
            own = _chosen(part, chosen)
            if chosen is holds:
                design, cells = _simpler(step, own.design, own.cells)
                own = own._replace(design=design, cells=cells, steps=(*own.steps, step))
            split.append(own)
    return split or parts


def _holds(step: Step, part: _Some) -> NDArray[np.bool_]:
    """For which entries (n_entries,) a step holds; those without samples are as the others."""
    design, cells = part.design, part.cells
    if isinstance(design, Rescaled):
        cells = design.observed
        design = design.of
    holds = step.holds(design, cells)
    has_samples = cells.any(_each_cell(cells))
    return np.where(has_samples, holds, holds[has_samples][0]) if has_samples.any() else holds


def _chosen(part: _Some, chosen: NDArray[np.bool_]) -> _Some:
    """Some of the entries of a part."""
    if chosen.all():
        return part
    entries = part.entries.copy()
    entries[part.entries] = chosen
    design = part.design.moved(lambda cells: cells[chosen])
    return part._replace(entries=entries, design=design, cells=part.cells[chosen])


def _simpler(
    step: Step, design: SampleDesign, cells: NDArray[Any]
) -> tuple[SampleDesign, NDArray[Any]]:
    """A design that says the same of these cells, and its cells."""
    if not isinstance(design, Rescaled):
        return step.simpler(design, cells)
    of, observed = step.simpler(design.of, design.observed)
    if isinstance(of, Rescaled):
        # The weights of rows have no influence once these are rescaled.
        observed = of.observed
        of = of.of
    scale = _relative_totals(observed, design.observed)
    return replace(design, of=of, observed=observed), cells * scale


def _refuse_single_units(
    parts: list[_Some], axes: tuple[Axis, ...], leading: tuple[int, ...]
) -> None:
    """Refuse entries of which one unit has all samples."""
    for part in parts:
        if isinstance(part.design, Crossed):
            _refuse_not_crossed(part, part.design, axes, leading)
        if not isinstance(part.design, Clustered):
            continue
        is_alone = np.zeros(part.entries.shape, dtype=bool)
        is_alone[part.entries] = _n_units(part.design, part.cells.shape) == 1
        if is_alone.any():
            unit, where = part.design.unit, where_entries_are(axes, is_alone.reshape(leading))
            raise NoLimitsError(
                f"there is a single {unit}{where}, so the variation between {unit}s can't be "
                "estimated."
            )


def _refuse_not_crossed(
    part: _Some, design: Crossed, axes: tuple[Axis, ...], leading: tuple[int, ...]
) -> None:
    """Refuse entries whose readings do not tell the variation of readers and of cases."""
    units = design.readings.units
    reading = np.repeat(np.arange(units.shape[0]), np.diff(units.indptr))
    entry = units.indices // int(np.prod(part.cells.shape[1:]))
    cases, readers = design.codes()
    for k, place in enumerate(np.flatnonzero(part.entries)):
        is_read = np.zeros(len(cases), dtype=bool)
        is_read[reading[entry == k]] = True
        if sentence := why_not_crossed(cases[is_read], readers[is_read]):
            is_it = np.arange(len(part.entries)) == place
            where = where_entries_are(axes, is_it.reshape(leading))
            raise NoLimitsError(sentence.replace("{where}", where))


def _each_cell(cells: NDArray[Any]) -> tuple[int, ...]:
    """The axes of the cells of entries."""
    return tuple(range(1, cells.ndim))


def _units_are_samples(design: SampleDesign, cells: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether each unit is one sample, or each sample has a label."""
    if isinstance(design, PartlyLabeled):
        unlabeled = design.unlabeled.any(tuple(range(2, cells.ndim + 1)))
        return np.asarray(~unlabeled.any(0))
    if isinstance(design, Clustered):
        n_samples = design.numbers.sum(_each_cell(cells))
        return np.asarray(n_samples == _n_units(design, cells.shape))
    return np.zeros(len(cells), dtype=bool)


def _weights_of(design: SampleDesign) -> Weighted | None:
    """The weights of the samples, in clusters or not."""
    of = design.weights if isinstance(design, Clustered) else design
    return of if isinstance(of, Weighted) else None


def _weights_are_equal(design: SampleDesign, cells: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether all samples have the same weight."""
    if (of := _weights_of(design)) is None:
        return np.zeros(len(cells), dtype=bool)
    each = _each_cell(cells)
    if_equal = of.numbers.sum(each) * of.largest.max(each) ** 2
    return np.asarray(np.isclose(of.squares.sum(each), if_equal, ROUNDING, 0))


def _weights_are_of_classes(design: SampleDesign, cells: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether weights are constant within actual classes, which is another prevalence."""
    if (of := _weights_of(design)) is None:
        return np.zeros(len(cells), dtype=bool)
    of_rows = of.numbers.sum(-1)
    heaviest = of.largest.max(-1)
    is_constant = np.isclose(of.squares.sum(-1), of_rows * heaviest**2, ROUNDING, 0)
    is_known = (of_rows == 0) | (is_constant & (of_rows >= FEW))
    # Without an error weights may depend on the prediction.
    of_columns, heaviest = of.numbers.sum(-2), of.largest.max(-2)
    squares = of_columns * heaviest**2
    depends_on_class = ~np.isclose(of.squares.sum(-2), squares, ROUNDING, 0)
    return np.asarray(is_known.all(-1) & depends_on_class.any(-1))


def _n_units(design: Clustered, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """How many units have samples in each entry."""
    block = int(np.prod(shape[1:]))
    entry = design.units.copy()
    entry.data = np.ones_like(entry.data)
    of_entries = without_cells(entry, block)
    return np.asarray(design.times @ (of_entries > 0))


def _without_units(design: SampleDesign, cells: NDArray[Any]) -> tuple[SampleDesign, NDArray[Any]]:
    """The samples themselves."""
    of_samples = design.without_units()
    return of_samples, cells if of_samples.are_weights else design.numbers_of(cells)


def _without_weights(design: Any, cells: NDArray[Any]) -> tuple[SampleDesign, NDArray[Any]]:
    """Their numbers."""
    return design.without_weights(cells), design.numbers


def _of_prevalence(design: Any, cells: NDArray[Any]) -> tuple[SampleDesign, NDArray[Any]]:
    """Their numbers at another prevalence."""
    of, numbers = _without_weights(design, cells)
    scaled = cells * _relative_totals(numbers, cells)
    return Rescaled(**design.about, observed=numbers, of=of), scaled


OF_SAMPLES = Step(_units_are_samples, _without_units)
OF_EQUAL_WEIGHTS = Step(_weights_are_equal, _without_weights)
OF_WEIGHTED_CLASSES = Step(_weights_are_of_classes, _of_prevalence)


def _relative_totals(numbers: NDArray[Any], cells: NDArray[Any]) -> NDArray[Any]:
    """How many samples there are in each matrix for one of weight."""
    totals, weights = (of.sum((-2, -1), keepdims=True) for of in (numbers, cells))
    return np.asarray(np.nan_to_num(ratio(totals, weights)))
