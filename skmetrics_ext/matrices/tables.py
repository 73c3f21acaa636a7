"""A confusion matrix as tables of cells and errors, and what to ask in place of what it lacks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.names import _name_of_metric
from skmetrics_ext.counting.axes import Axis, describe_axes
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.formulas import all_classes
from skmetrics_ext.matrices.data import MatrixData, is_multilabel
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.arguments import check_whole
from skmetrics_ext.reading.order import plain
from skmetrics_ext.statistics.results import printed_columns
from skmetrics_ext.writing.frames import columns_of_grid
from skmetrics_ext.writing.text import count_as_text, on_one_line
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
    of = cm._design.described(total)
    return f"ConfusionMatrix of {of} (rows: actual, columns: predicted{axes})"


def counts_in_print(cm: MatrixData) -> TextTable:
    """The counts, a row per entry and actual class, under the predicted classes."""
    labels = [*map(on_one_line, plain(cm.labels))]
    axes = (*cm.axes, Axis("actual", cm.labels))
    columns = cm.counts.reshape(-1, len(labels)).T.tolist()
    texts = {
        label: [*map(count_as_text, column)] for label, column in zip(labels, columns, strict=True)
    }
    return printed_columns(headline_of(cm), axes, texts, ())


def instead_of_attribute(name: str) -> str:
    """The end of a message, for attributes of metrics, arrays and other libraries' objects."""
    if (metric := _name_of_metric(name)) is not None:
        return f": pass the metric by name, cm.score({metric!r})."
    if name in ClassCounts._fields:
        return f": cm.class_counts.{name} has one for each class, in the order of cm.labels."
    if name in ("ravel", "flatten"):
        return (
            f": its counts are an array, cm.counts.{name}(), which is tn, fp, fn, tp only if "
            "cm.labels are [negative, positive]; cm.class_counts names them for each class."
        )
    if hasattr(np.ndarray, name):
        return f": its counts are an array, cm.counts.{name}."
    return ": pass it to plot_confusion_matrix(cm)." if name.startswith("plot") else "."


def instead_of_key(key: object) -> str:
    """The end of a message, for a metric by its name, a cell or an entry."""
    metric = _name_of_metric(key) if isinstance(key, str) else None
    if metric is not None:
        return f"pass the metric by name, cm.score({metric!r})."
    return (
        "its cells are cm.counts[..., i, j], in the order of cm.labels; an entry of a leading axis "
        "is cm.sel(axis=coordinate)."
    )
