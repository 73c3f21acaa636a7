"""What a confusion matrix is made of, checked and frozen."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import positive_of, second_of
from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis, describe_axes, same_axes
from skmetrics_ext.counting.counted import Counted, CountedLabels, CountedMatrix, at_labels
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.matrices.given_counts import check_counts
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import as_ranked, check_same_kind, plain, position_of, positions_in, show

# The axis of a cross-validation: over it samples may be counted several times.
FOLD = "fold"


class Parts(NamedTuple):
    """The attributes of a ConfusionMatrix, which its constructors make and its methods work on."""

    counts: NDArray[Any]
    labels: NDArray[Any]
    axes: tuple[Axis, ...] = ()
    pos_label: Any = None
    ranking: NDArray[Any] | None = None
    weighted: bool = False
    repeats: float = 1.0


def check_covered(order: NDArray[Any], outside: NDArray[Any]) -> None:
    """Refuse a label order that lacks labels of the data."""
    if len(outside):
        raise ValueError(
            f"labels={show(order)} must cover all data, which also have {show(outside)}. "
            "Choose among classes later, with score(labels=...)."
        )


def pooled_counts(parts: Parts) -> NDArray[Any]:
    """The counts (n_classes, n_classes) of all leading axes together."""
    return np.asarray(parts.counts.sum(tuple(range(len(parts.axes)))))


def in_label_order(parts: Parts, order: NDArray[Any]) -> Parts:
    """The same counts in another label order, which lacks no label that has counts, and is the ranking from now on."""
    check_same_kind(order, parts.labels, "labels", "the matrix")
    positions = positions_in(order, parts.labels)
    pooled = pooled_counts(parts)
    check_covered(order, parts.labels[(positions == len(order)) & ((pooled.sum(0) + pooled.sum(1)) > 0)])
    kept = positions < len(order)
    counts = np.zeros((*parts.counts.shape[:-2], len(order), len(order)), dtype=parts.counts.dtype)
    to = positions[kept]
    counts[..., to[:, None], to] = parts.counts[..., kept, :][..., kept]
    positive = second_of(order)
    if positive is None and (len(order) == 1 or position_of(order, parts.pos_label) is not None):
        positive = parts.pos_label
    return parts._replace(counts=counts, labels=order, pos_label=positive, ranking=order)


def ranked(parts: Parts) -> Parts:
    """The same counts with the labels from low to high, where the data tell, so that the print and arrays agree."""
    order = as_ranked(parts.labels, parts.ranking)
    return parts._replace(counts=at_labels(parts.counts, parts.labels, order), labels=order)


def is_multilabel(parts: Parts) -> bool:
    """Whether there is one 2 x 2 matrix a label, on an axis of labels."""
    return any(axis.name == "label" for axis in parts.axes) and parts.labels.tolist() == [0, 1]


def checked_and_frozen(parts: Parts) -> Parts:
    """Parts that fit each other, as arrays of their own that can't be written to; axes may be plain pairs."""
    axes = tuple(Axis(*axis) for axis in parts.axes)
    shape = tuple(len(axis.coordinates) for axis in axes) + np.shape(parts.labels) * 2
    if np.ndim(parts.labels) != 1 or np.shape(parts.counts) != shape:
        raise ValueError(
            f"counts of shape {np.shape(parts.counts)} do not fit {np.size(parts.labels)} labels and "
            f"the axes {describe_axes(axes)}: make a ConfusionMatrix by from_counts or another constructor."
        )
    check_counts(np.asarray(parts.counts))
    if len({axis.name for axis in axes}) < len(axes):
        raise ValueError(f"two axes have one name: {describe_axes(axes)}. Name each differently.")
    axes = tuple(Axis(axis.name, _read_only(axis.coordinates)) for axis in axes)
    ranking = None if parts.ranking is None else _read_only(parts.ranking)
    counts, labels = _read_only(parts.counts), _read_only(parts.labels)
    return Parts(counts, labels, axes, parts.pos_label, ranking, bool(parts.weighted), float(parts.repeats))


def warn_of_repeats(repeats: float, axes: tuple[Axis, ...]) -> None:
    """Say that folds which count a sample several times are pooled, where limits are asked for."""
    if repeats > 1 and all(axis.name != FOLD for axis in axes):
        warn(
            f"each sample is counted {repeats:.3g} times, as folds of a repeated cross-validation do, so that "
            "limits are too narrow and p values too small: pool the folds of one repetition, cm.sel(fold=[...])."
        )


def counted_for_limits(parts: Parts, choice: Choice) -> tuple[Counted, tuple[Axis, ...]]:
    """The counts of which limits are asked for, and their axes, with a warning where the limits are worth less."""
    warn_of_repeats(parts.repeats, parts.axes)
    counted = counted_for(parts, choice)
    return counted, tuple(axis for axis in parts.axes if not (counted.multilabel and axis.name == "label"))


def counted_for(parts: Parts, choice: Choice) -> Counted:
    """The counts that a choice is about: an average of multilabel data is one over the labels."""
    names = [axis.name for axis in parts.axes]
    if "label" in names and choice.row.has_average and choice.average not in ("auto", "binary"):
        place = names.index("label")
        cells = (parts.counts[..., i, j] for i, j in ((1, 1), (0, 1), (1, 0), (0, 0)))
        classes = ClassCounts(*(np.moveaxis(cell, place, -1) for cell in cells))
        return CountedLabels(classes, parts.axes[place].coordinates, are_weights=parts.weighted)
    return CountedMatrix(parts.counts, parts.labels, parts.pos_label, parts.ranking, are_weights=parts.weighted)


def counts_of_positive(parts: Parts, pos_label: Any) -> tuple[ClassCounts, Any]:
    """tp, fp, fn and tn of the positive class against the rest, each (...), and its name, for limits."""
    warn_of_repeats(parts.repeats, parts.axes)
    position = position_of(parts.labels, positive_of(parts.labels, pos_label, parts.pos_label))
    if position is None:
        raise ValueError(f"the matrix has the label {show(parts.labels)} alone, and none that is positive.")
    of_class = CountedMatrix(parts.counts, parts.labels).of_class(position)
    return ClassCounts(*(part[..., 0] for part in of_class)), plain(parts.labels)[position]


def are_same_parts(first: Parts, second: Parts) -> bool:
    """Whether counts, labels and axes agree; the positive class and the ranking take no part in it."""
    return (
        np.array_equal(first.counts, second.counts)
        and np.array_equal(first.labels, second.labels)
        and same_axes(first.axes, second.axes)
    )


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A copy that can't be written to, unless nobody can write to the array anyway."""
    is_frozen = isinstance(array, np.ndarray) and array.flags.owndata and not array.flags.writeable
    own = array if is_frozen else np.array(array)
    own.setflags(write=False)
    return own
