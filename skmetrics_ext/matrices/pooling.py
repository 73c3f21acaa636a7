"""Counts of several matrices in one: an axis summed up, another label order, two matrices added."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import known_positive, second_of
from skmetrics_ext.counting.axes import describe_axes, same_axes
from skmetrics_ext.matrices.given_counts import check_counts
from skmetrics_ext.matrices.parts import Parts, check_covered
from skmetrics_ext.reading.order import check_same_kind, position_of, positions_in, ranking_of_all, show, sorted_union


def summed_over(parts: Parts, axis: Any) -> Parts:
    """Without a leading axis, given by number or name."""
    names = [leading.name for leading in parts.axes]
    if isinstance(axis, str):
        if axis not in names:
            raise ValueError(f"there is no axis {axis!r}; the leading axes are {names}.")
        axis = names.index(axis)
    elif not isinstance(axis, (int, np.integer)):
        raise TypeError(f"axis must be the name or the number of a leading axis, of {names}; got {axis!r}.")
    if not names:
        raise ValueError("there is nothing to sum over: the leading axes are [].")
    if not -len(names) <= axis < len(names):
        raise ValueError(f"axis {axis} is out of range: the leading axes are {names}.")
    axis %= len(names)
    rest = parts.axes[:axis] + parts.axes[axis + 1 :]
    return parts._replace(counts=parts.counts.sum(axis), axes=rest)


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
    return Parts(counts, order, parts.axes, positive, order)


def added(first: Parts, second: Parts) -> Parts:
    """The samples of two matrices together, with their labels aligned."""
    if not same_axes(first.axes, second.axes):
        raise ValueError(
            f"the leading axes differ: {describe_axes(first.axes)} and {describe_axes(second.axes)}. "
            "Pool them first with sum()."
        )
    check_counts(first.counts, second.counts)
    sides = ("the first matrix", first.ranking), ("the second", second.ranking)
    rankings = tuple((name, ranking) for name, ranking in sides if ranking is not None)
    if np.array_equal(first.labels, second.labels):
        ranking = ranking_of_all(rankings)
        positive = _positive_of_both(first, second, first.labels)
        return Parts(first.counts + second.counts, first.labels, first.axes, positive, ranking)
    check_same_kind(first.labels, second.labels, "the first matrix", "the second")
    if not (_is_sorted(first.labels) and _is_sorted(second.labels)):
        raise ValueError(
            f"the labels stand in conflicting orders, {show(first.labels)} and {show(second.labels)}: count "
            "both with the same labels=."
        )
    order = sorted_union(first.labels, second.labels)
    counts = in_label_order(first, order).counts + in_label_order(second, order).counts
    return Parts(counts, order, first.axes, _positive_of_both(first, second, order), ranking_of_all(rankings))


def _positive_of_both(first: Parts, second: Parts, labels: NDArray[Any]) -> Any:
    """The positive class of a sum: that of either, where the labels have it."""
    one, other = first.pos_label, second.pos_label
    if one is not None and other is not None and one != other:
        raise ValueError(f"the positive classes differ, {one!r} and {other!r}: count both with the same one.")
    # A class that is positive by convention alone, as 1 of a chunk that has no other label, is so no more beside 2.
    told = [parts.pos_label for parts in (first, second) if parts.pos_label != known_positive(parts.labels)]
    return next((label for label in told if label is not None), known_positive(labels))


def _is_sorted(labels: NDArray[Any]) -> bool:
    """Whether a label order is the natural one."""
    return bool((labels[:-1] < labels[1:]).all())
