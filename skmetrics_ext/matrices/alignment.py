"""Several matrices with the same labels and axes: the union of both, each sample where it belongs."""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import known_positive
from skmetrics_ext.counting.axes import Axis, describe_axes, same_axes
from skmetrics_ext.matrices.parts import Parts, in_label_order, is_multilabel
from skmetrics_ext.reading.groups import check_cells
from skmetrics_ext.reading.order import (
    KIND_OF_DTYPE,
    as_ranked,
    check_same_kind,
    comparable,
    ranking_of_all,
    show,
    sorted_union,
)


def in_common_shape(members: Sequence[Parts], names: Sequence[str]) -> list[Parts]:
    """The same counts with one label order, one order of axes and all coordinates; absent ones have counts of 0."""
    for parts, name in zip(members[1:], names[1:], strict=True):
        check_same_kind(members[0].labels, parts.labels, names[0], name)
    sides = ((name, parts.ranking) for name, parts in zip(names, members, strict=True))
    ranking = ranking_of_all(tuple((name, told) for name, told in sides if told is not None))
    order = _common_order(members, ranking)
    axes = _common_axes(members, names)
    positive = _positive_of_all(members, order)
    in_place = (_with_axes(_with_order(parts, order), axes) for parts in members)
    weighted = any(parts.weighted for parts in members)
    repeats = max(parts.repeats for parts in members)
    return [Parts(parts.counts, order, axes, positive, ranking, weighted, repeats) for parts in in_place]


def _common_order(members: Sequence[Parts], ranking: NDArray[Any] | None) -> NDArray[Any]:
    """Equal label orders as they are, those that a ranking has and sorted ones as their union; others are refused."""
    first = members[0].labels
    if all(np.array_equal(first, parts.labels) for parts in members[1:]):
        return first
    union = reduce(sorted_union, (np.sort(parts.labels) for parts in members))
    by_rank = as_ranked(union, ranking)
    for parts in members:
        if not (_is_sorted(parts.labels) or np.array_equal(as_ranked(parts.labels, by_rank), parts.labels)):
            other = next(each.labels for each in members if not np.array_equal(each.labels, parts.labels))
            raise ValueError(
                f"the labels stand in orders that do not fit together, {show(parts.labels)} and {show(other)}: count "
                "both with the same labels=."
            )
    return by_rank


def _common_axes(members: Sequence[Parts], names: Sequence[str]) -> tuple[Axis, ...]:
    """The axes of the first matrix with the coordinates of all; matrices that lack one of them are refused."""
    first = members[0]
    if all(same_axes(first.axes, parts.axes) for parts in members[1:]):
        return first.axes
    for parts, name in zip(members[1:], names[1:], strict=True):
        if {axis.name for axis in parts.axes} != {axis.name for axis in first.axes}:
            raise ValueError(
                f"the leading axes differ: {describe_axes(first.axes)} of {names[0]} and {describe_axes(parts.axes)} "
                f"of {name}. Pool what only one of them has with sum(), or choose an entry of it with sel()."
            )
    axes = []
    for axis in first.axes:
        all_coordinates = [_axis_of(parts, axis.name).coordinates for parts in members]
        if axis.name == "threshold" or (axis.name == "label" and any(map(is_multilabel, members))):
            _check_same_entries(axis.name, all_coordinates, names)
        axes.append(Axis(axis.name, reduce(lambda one, other: _union(one, other, axis.name), all_coordinates)))
    check_cells([axis.name for axis in axes], [len(axis.coordinates) for axis in axes], first.counts.shape[-1] ** 2)
    return tuple(axes)


def _check_same_entries(axis: str, all_coordinates: Sequence[NDArray[Any]], names: Sequence[str]) -> None:
    """Refuse thresholds, or labels of several a sample, that not all samples were judged by."""
    for other, name in zip(all_coordinates[1:], names[1:], strict=True):
        if {*_keys(all_coordinates[0], other)} != {*_keys(other, all_coordinates[0])}:
            raise ValueError(
                f"{names[0]} has the axis {axis} {show(all_coordinates[0])}, but {name} {axis} {show(other)}, and each "
                f"entry is about all samples: count both at the same ones, or choose those that both have with "
                f"sel({axis}=[...])."
            )


def _union(first: NDArray[Any], second: NDArray[Any], name: str) -> NDArray[Any]:
    """The coordinates of both: sorted if both are, in the order of one that has all, else the new ones come last."""
    kinds = [KIND_OF_DTYPE.get(coordinates.dtype.kind) for coordinates in (first, second)]
    if kinds[0] != kinds[1] and len(first) and len(second):
        raise ValueError(
            f"the axis {name!r} has {kinds[0]} {show(first, 3)} in one matrix and {kinds[1]} {show(second, 3)} in "
            "another: make them one kind."
        )
    known, others = {*_keys(first, second)}, _keys(second, first)
    new = [place for place, key in enumerate(others) if key not in known]
    if not new:
        return first
    if known <= {*others}:
        return second
    both = np.concatenate(_in_one_type(first, second[new]))
    return np.sort(both) if _is_sorted(first) and _is_sorted(second) else both


def _in_one_type(first: NDArray[Any], second: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Coordinates as NumPy can join them: it would make floats of signed and unsigned integers."""
    are_whole = all(coordinates.dtype.kind in "iuO" for coordinates in (first, second))
    return comparable(first, second) if are_whole else (first, second)


def _keys(coordinates: NDArray[Any], others: NDArray[Any]) -> list[Any]:
    """Coordinates as Python objects that are equal where those of another matrix are."""
    if coordinates.dtype.kind in "mM" and others.dtype.kind == coordinates.dtype.kind:
        in_one_unit = coordinates.astype(np.promote_types(coordinates.dtype, others.dtype))
        return list(in_one_unit.astype(np.int64).tolist())
    # NaN is not equal to itself.
    return [key if key == key else None for key in coordinates.tolist()]


def _axis_of(parts: Parts, name: str) -> Axis:
    """The axis of a name."""
    return next(axis for axis in parts.axes if axis.name == name)


def _with_order(parts: Parts, order: NDArray[Any]) -> Parts:
    """The counts in a label order that has all labels."""
    return parts if np.array_equal(parts.labels, order) else in_label_order(parts, order)


def _with_axes(parts: Parts, axes: tuple[Axis, ...]) -> Parts:
    """The counts with axes of the same names that have all coordinates."""
    if same_axes(parts.axes, axes):
        return parts
    names = [axis.name for axis in parts.axes]
    places = []
    for axis in axes:
        own = _axis_of(parts, axis.name).coordinates
        place_of = {key: place for place, key in enumerate(_keys(axis.coordinates, own))}
        places.append([place_of[key] for key in _keys(own, axis.coordinates)])
    moved = parts.counts.transpose(*(names.index(axis.name) for axis in axes), -2, -1)
    counts = np.zeros((*(len(axis.coordinates) for axis in axes), *moved.shape[-2:]), dtype=moved.dtype)
    counts[np.ix_(*places)] = moved
    return parts._replace(counts=counts, axes=axes)


def _positive_of_all(members: Sequence[Parts], labels: NDArray[Any]) -> Any:
    """The positive class of matrices together: that of any, where the labels have it."""
    named = [parts.pos_label for parts in members if parts.pos_label is not None]
    if other := [label for label in named if label != named[0]]:
        raise ValueError(f"the positive classes differ, {named[0]!r} and {other[0]!r}: count both with the same one.")
    # A class that is positive by convention alone, as 1 of a chunk that has no other label, is so no more beside 2.
    told = [parts.pos_label for parts in members if parts.pos_label != known_positive(parts.labels)]
    return next((label for label in told if label is not None), known_positive(labels))


def _is_sorted(labels: NDArray[Any]) -> bool:
    """Whether an order is the natural one."""
    return bool((labels[:-1] < labels[1:]).all())
