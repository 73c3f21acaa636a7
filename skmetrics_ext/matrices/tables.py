"""A confusion matrix as tables: its cells, its largest errors, and the metrics of its entries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice, average_of_each, choose, read_metrics
from skmetrics_ext.catalogue.names import resolve
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.axes import Axis, describe_axes
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.design import MoveCells
from skmetrics_ext.formulas import all_classes
from skmetrics_ext.matrices.counted import counted_for, counted_for_limits, intervals_for
from skmetrics_ext.matrices.data import MatrixData, is_multilabel, moved_cells
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.arguments import check_whole
from skmetrics_ext.reading.order import plain
from skmetrics_ext.statistics.caveats import told_once
from skmetrics_ext.statistics.request import Request, check_request
from skmetrics_ext.statistics.results import Interval, printed_intervals
from skmetrics_ext.writing.frames import columns_of_grid
from skmetrics_ext.writing.printed import Style
from skmetrics_ext.writing.text import count_as_text
from skmetrics_ext.writing.text_table import TextTable


class ConfusedPair(NamedTuple):
    """How often one class is mistaken for another.

    Attributes
    ----------
    actual, predicted : label
        The actual class of the samples and the class predicted for them.
    count : int or float
        Number of these samples; a float with float weights.
    share : float
        Proportion among the samples of the actual class.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_counts([[8, 2], [1, 9]], labels=["no", "yes"])
    >>> [most] = cm.most_confused(1)
    >>> most.actual, most.predicted, most.count, most.share
    ('no', 'yes', 2, 0.2)
    """

    actual: Label
    predicted: Label
    count: float  # type: ignore[assignment]  # hides the method of tuples, which nobody calls on a record
    share: float


def columns_of_cells(cm: MatrixData, count: str) -> dict[str, Any]:
    """One entry per cell: coordinates, "actual", "predicted", and the count under its name."""
    if not isinstance(count, str):
        raise TypeError(f"count must be the name of a column; got {count!r}.")
    names = [*(axis.name for axis in cm.axes), "actual", "predicted", count]
    if twice := [name for name in {*names} if names.count(name) > 1]:
        raise ValueError(
            f"two columns would have the name {twice[0]!r}: rename the counts column with count=, "
            "or rename the axis when making the matrix, for example with "
            "by=nw.col('actual').alias('group')."
        )
    axes = [(axis.name, axis.coordinates) for axis in cm.axes]
    coordinates = columns_of_grid([*axes, ("actual", cm.labels), ("predicted", cm.labels)])
    return {**coordinates, count: cm.counts.ravel().tolist()}


def most_frequent_errors(counts: NDArray[Any], labels: NDArray[Any], n: int) -> list[ConfusedPair]:
    """The n largest counts off the diagonal that are not 0."""
    check_whole(n, "n")
    errors = np.where(np.eye(len(counts), dtype=bool), 0, counts)
    shares = all_classes.shares(counts, "true")
    largest = np.argsort(-errors, axis=None, kind="stable")[:n]
    cells = zip(*np.unravel_index(largest, errors.shape), strict=True)
    names = plain(labels)
    return [
        ConfusedPair(
            actual=names[actual],
            predicted=names[predicted],
            count=errors[actual, predicted].item(),
            share=shares[actual, predicted].item(),
        )
        for actual, predicted in cells
        if errors[actual, predicted] > 0
    ]


def headline_of(cm: MatrixData) -> str:
    """What the counts shown below are."""
    axes = f", summed over {describe_axes(cm.axes)}" if cm.axes else ""
    counts = cm.counts
    if is_multilabel(cm):
        # Each label has all samples.
        counts = counts.take(0, axis=[axis.name for axis in cm.axes].index("label"))
    total = count_as_text(counts.sum().item())
    of = cm.design.described(total)
    return f"ConfusionMatrix of {of} (rows: actual, columns: predicted{axes})"


def table_of_scores(
    cm: MatrixData,
    metrics: Any,
    options: dict[str, Any],
    parameters: dict[str, Any],
    request: Request | None,
) -> dict[str, Any]:
    """Coordinates, the number of samples, and each metric, with limits at a level."""
    choices = _choices_of(metrics, options, parameters)
    if request is not None:
        check_request(request)
    table = _entries_of_table(cm, over_labels=_are_over_labels(cm, choices))
    counted = counted_for(table.entries, next(iter(choices.values())))
    of_entries = _columns_of_scores(table.entries, counted, choices, request)
    scores = {name: _among_all(values, table.has_samples) for name, values in of_entries}
    axes, n_samples = table.axes, table.n_samples
    if _are_per_class(scores, choices):
        axes = (*axes, Axis("label" if counted.multilabel else "class", counted.order))
        n_samples = np.repeat(n_samples, len(counted.order))
    coordinates = columns_of_grid((axis.name, axis.coordinates) for axis in axes)
    names = [*coordinates, "n_samples", *(name for name, _ in of_entries)]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(
            f"the table would have two columns {twice[0]!r}: an axis and a metric need different "
            "names."
        )
    columns_of_scores = {name: values.ravel().tolist() for name, values in scores.items()}
    return {**coordinates, "n_samples": n_samples.tolist(), **columns_of_scores}


def printed_metrics(
    cm: MatrixData,
    metrics: Any,
    options: dict[str, Any],
    parameters: dict[str, Any],
    request: Request,
    style: Style,
) -> TextTable:
    """A row per entry and a column per metric with its limits; keys of a dict are headers."""
    choices = _choices_of(metrics, options, parameters)
    check_request(request)
    _are_over_labels(cm, choices)
    counted, axes = counted_for_limits(cm, next(iter(choices.values())))
    asked = intervals_for(cm, counted, [*choices.values()], axes, request)
    intervals = [*told_once(asked)]
    if len({len(interval.axes) for interval in intervals}) > 1:
        raise _error_of_mixed_values(choices)
    headers = [*choices] if isinstance(metrics, Mapping) else None
    return printed_intervals(intervals, style, _numbers_of_rows(cm, intervals, style), headers)


def _numbers_of_rows(cm: MatrixData, intervals: list[Interval], style: Style) -> list[str] | None:
    """The samples of each entry, unless proportions say it."""
    say_it = style.fractions and not any(np.isnan(of.numerator).any() for of in intervals)
    if say_it or not cm.axes:
        return None
    n_samples = cm.counts.sum((-2, -1))
    if is_multilabel(cm) and len(intervals[0].axes) < len(cm.axes):
        # Each label has all samples.
        n_samples = n_samples.max([axis.name for axis in cm.axes].index("label"))
    n_rows_of_each = np.size(intervals[0].value) // n_samples.size
    return [count_as_text(n) for n in np.repeat(n_samples, n_rows_of_each).tolist()]


def _error_of_mixed_values(choices: dict[str, Choice]) -> ValueError:
    """Some metrics have a value per class, others one."""
    return ValueError(
        f"some of {[*choices]} have one value per class, others one over all: request them apart."
    )


def _choices_of(
    metrics: Any, options: dict[str, Any], parameters: dict[str, Any]
) -> dict[str, Choice]:
    """What is asked of each metric, by its name."""
    asked = read_metrics(metrics, parameters, lambda metric: resolve(metric)[0])
    averages = average_of_each([one.row for one in asked.values()], options["average"])
    return {
        name: choose(one.metric, **{**options, "average": average}, **one.parameters)
        for (name, one), average in zip(asked.items(), averages, strict=True)
    }


def _are_over_labels(cm: MatrixData, choices: dict[str, Choice]) -> bool:
    """Whether the metrics are over all labels, not of each; refuses a mix."""
    are_over_labels = {counted_for(cm, choice).multilabel for choice in choices.values()}
    if len(are_over_labels) > 1:
        raise ValueError(
            f"some of {[*choices]} have one value per label, others an average: request them apart."
        )
    return are_over_labels.pop()


def _are_per_class(scores: dict[str, NDArray[Any]], choices: dict[str, Choice]) -> bool:
    """Whether the metrics have a value per class; refuses a mix."""
    dimensions = {values.ndim for values in scores.values()}
    if len(dimensions) > 1:
        raise _error_of_mixed_values(choices)
    return dimensions == {2}


class _EntriesOfTable(NamedTuple):
    """The entries of a table, on one axis."""

    axes: tuple[Axis, ...]
    # Of all entries; below only of those with samples.
    n_samples: NDArray[Any]
    has_samples: NDArray[np.bool_]
    entries: MatrixData


def _entries_of_table(cm: MatrixData, *, over_labels: bool) -> _EntriesOfTable:
    """The entries with samples, on one axis."""
    axes, kept, on_one_axis = _as_entries(cm, over_labels=over_labels)
    n_samples = on_one_axis(cm.counts).sum((-2, -1))
    if n_samples.ndim > 1:
        # Each label has all samples.
        n_samples = n_samples[:, 0]
    has_samples = n_samples > 0
    entry = Axis("entry", np.arange(np.count_nonzero(has_samples)))
    occupied = moved_cells(cm, lambda cells: on_one_axis(cells)[has_samples])
    entries = replace(cm, axes=(entry, *kept), **occupied)
    return _EntriesOfTable(axes, n_samples, has_samples, entries)


def _as_entries(
    cm: MatrixData, *, over_labels: bool
) -> tuple[tuple[Axis, ...], tuple[Axis, ...], MoveCells]:
    """The axes of the table, the averaged axis of labels, and what puts entries on one axis."""
    axes, place = cm.axes, None
    kept: tuple[Axis, ...] = ()
    if over_labels and is_multilabel(cm):
        place = [axis.name for axis in axes].index("label")
        kept, axes = (axes[place],), axes[:place] + axes[place + 1 :]
    n_entries = math.prod(len(axis.coordinates) for axis in axes)

    def on_one_axis(cells: NDArray[Any]) -> NDArray[Any]:
        """The cells with one axis of entries before labels and classes."""
        in_order = cells if place is None else np.moveaxis(cells, place, -3)
        return in_order.reshape(n_entries, *in_order.shape[len(axes) :])

    return axes, kept, on_one_axis


def _columns_of_scores(
    entries: MatrixData, counted: Counted, choices: dict[str, Choice], request: Request | None
) -> list[tuple[str, Any]]:
    """The values of each metric, (n_entries,) or (n_entries, n_classes), with limits at a level."""
    if request is None:
        return [(name, score(counted, choice)) for name, choice in choices.items()]
    intervals = intervals_for(entries, counted, [*choices.values()], entries.axes[:1], request)
    columns = []
    for name, interval in zip(choices, told_once(intervals), strict=True):
        columns += [
            (name, interval.value),
            (f"{name}_low", interval.low),
            (f"{name}_high", interval.high),
        ]
    return columns


def _among_all(values: NDArray[Any], has_samples: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Values of some entries at their positions among all."""
    whole = np.full((len(has_samples), *values.shape[1:]), np.nan)
    whole[has_samples] = values
    return whole
