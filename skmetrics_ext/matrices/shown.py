"""A confusion matrix for people: all leading axes together, under a headline that says so."""

from typing import Any

from numpy.typing import NDArray

from skmetrics_ext.counting.axes import describe_axes
from skmetrics_ext.matrices.parts import Parts, is_multilabel, pooled_counts
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.text import count_as_text, matrix_as_html, matrix_as_text


def text_of(parts: Parts) -> str:
    """For a terminal."""
    return matrix_as_text(_headline(parts), pooled_counts(parts), plain(parts.labels))


def html_of(parts: Parts) -> str:
    """For a notebook."""
    return matrix_as_html(_headline(parts), pooled_counts(parts), plain(parts.labels))


def _headline(parts: Parts) -> str:
    """What is shown."""
    axes = f", summed over {describe_axes(parts.axes)}" if parts.axes else ""
    total = count_as_text(_counts_of_one_label(parts).sum().item())
    of = f"weight {total}" if parts.weighted else f"{total} samples"
    return f"ConfusionMatrix of {of} (rows: actual, columns: predicted{axes})"


def _counts_of_one_label(parts: Parts) -> NDArray[Any]:
    """The counts of multilabel data without the axis of the labels, each of which has all samples."""
    counts = parts.counts
    for position, axis in enumerate(parts.axes):
        if axis.name == "label" and is_multilabel(parts):
            counts = counts.take([0], axis=position)
    return counts
