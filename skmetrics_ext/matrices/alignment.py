"""Labels and leading axes of matrices: selected, pooled, reordered and aligned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial, reduce
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import is_first_of_two, known_positive, second_of
from skmetrics_ext.counting.axes import (
    Axis,
    describe_axes,
    names_of_parts,
    order_in_time,
    place_of_axis,
    same_axes,
)
from skmetrics_ext.counting.design import stacked_designs
from skmetrics_ext.matrices.data import (
    MatrixData,
    check_counts,
    is_multilabel,
    moved_cells,
    pooled_cells,
)
from skmetrics_ext.reading import order as orders
from skmetrics_ext.reading.calls import did_you_mean
from skmetrics_ext.reading.groups import TAKEN, check_cells
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.names import check_are_known
from skmetrics_ext.reading.order import (
    check_covered,
    check_same_kind,
    plain,
    position_of,
    positions_in,
    show,
)
from skmetrics_ext.writing.frames import columns_of_grid

M = TypeVar("M", bound=MatrixData)


def summed_over(cm: M, axis: Any) -> M:
    """The sum over a leading axis, given by number or name."""
    if not cm.axes and isinstance(axis, (int, np.integer)):
        raise ValueError("there is nothing to sum over: the leading axes are [].")
    place = place_of_axis(cm.axes, axis)
    rest = cm.axes[:place] + cm.axes[place + 1 :]
    design = cm._design.without_axis(place, cm.axes[place].name)
    return replace(cm, counts=cm.counts.sum(place), axes=rest, _design=design)


def selected(cm: M, entries: Mapping[str, Any]) -> M:
    """One entry of an axis, which is dropped, or several, in the order listed."""
    names = [axis.name for axis in cm.axes]
    if unknown := [name for name in entries if name not in names]:
        raise ValueError(
            f"there is no axis {unknown[0]!r}; the axes are "
            f"{names}.{did_you_mean(unknown[0], names)}"
        )
    axes, counts, design = list(cm.axes), cm.counts, cm._design
    # The last one first, so that the others stay in place.
    for position in reversed(range(len(axes))):
        axis = axes[position]
        if axis.name not in entries:
            continue
        places = _places_of_entries(axis, entries[axis.name])
        take = partial(np.take, indices=places, axis=position)
        counts = take(counts)
        design = design.moved(take)
        design = design.with_entries(axis.name, places, len(axis.coordinates))
        if isinstance(places, int):
            del axes[position]
        else:
            axes[position] = _taken(axis, places)
    return replace(cm, axes=tuple(axes), counts=counts, _design=design)


def with_crossed_axes(cm: M, names: Sequence[str]) -> M:
    """The matrix with the combinations of several axes that have samples on the first one."""
    places = [[axis.name for axis in cm.axes].index(name) for name in names]
    columns = columns_of_grid((cm.axes[place].name, cm.axes[place].coordinates) for place in places)
    others = tuple(axis for axis in cm.axes if axis.name not in names)

    def in_a_row(cells: NDArray[Any]) -> NDArray[Any]:
        """The cells of all combinations."""
        first = np.moveaxis(cells, places, range(len(places)))
        return first.reshape(-1, *first.shape[len(places) :])

    together = in_a_row(cm.counts)
    kept = together.any(tuple(range(1, together.ndim)))
    name = ", ".join(columns)
    axis = Axis(name, orders.crossed(columns)[kept])
    moved = moved_cells(cm, lambda cells: in_a_row(cells)[kept])
    moved["_design"] = moved["_design"].crossed(names, name)
    return replace(cm, axes=(axis, *others), **moved)


def over_time(cm: M, place: int) -> M:
    """The matrix with one axis as the first of the leading ones, in order of time."""
    order = order_in_time(cm.axes[place])
    axes = (_taken(cm.axes[place], order), *cm.axes[:place], *cm.axes[place + 1 :])
    in_time = moved_cells(cm, lambda of: np.moveaxis(of, place, 0)[order])
    return replace(cm, axes=axes, **in_time)


def added(first: M, second: MatrixData) -> M:
    """The pooled samples of two matrices."""
    check_counts(first.counts, second.counts)
    (one, other), fields = _in_common_shape((first, second), ("the first matrix", "the second"))
    fields["_design"] = fields["_design"].summed(0)
    return replace(first, counts=one + other, **fields)


def stacked(matrices: Mapping[Any, M], axis: Any) -> M:
    """Matrices by name as the entries of a new first axis."""
    if not isinstance(axis, str):
        raise TypeError(f"axis must be the name of the new axis; got {axis!r}.")
    if axis in TAKEN:
        raise ValueError(
            f"axis={axis!r} is already a column name in the result tables: choose another."
        )
    if not matrices:
        raise ValueError("matrices is empty: pass at least one.")
    members = list(matrices.values())
    if any(axis in (one.name, *names_of_parts(one)) for cm in members for one in cm.axes):
        raise ValueError(
            f"the matrices already have an axis {axis!r}: choose another name, or add them up."
        )
    together, fields = _in_common_shape(members, [f"matrices[{key!r}]" for key in matrices])
    fields["axes"] = (Axis(axis, _coordinates(list(matrices)), True), *fields["axes"])
    return replace(members[0], counts=np.stack(together), **fields)


def relabelled(cm: M, names: Mapping[Any, Any]) -> M:
    """The same counts, of which some classes have other names."""
    if not isinstance(names, Mapping):
        raise TypeError(f"names must be a dict, such as {{0: 'well'}}; got {type(names).__name__}.")
    if is_multilabel(cm):
        raise ValueError(
            "relabel names classes, and a multilabel matrix has 0 and 1 of each label: name the "
            "columns of y_true and y_pred instead."
        )
    check_are_known([*names], [cm.labels], "the classes of names", "name only these.")
    renamed = [names.get(label, label) for label in plain(cm.labels)]
    if merged := [label for label in dict.fromkeys(renamed) if renamed.count(label) > 1]:
        raise ValueError(
            f"two classes would be called {merged[0]!r}: give each a name of its own; to merge "
            "classes, count again with labels that are alike."
        )
    ranking = None
    if cm.ranking is not None:
        ranking = read_order([names.get(label, label) for label in plain(cm.ranking)], "names")
    positive = names.get(cm.pos_label, cm.pos_label)
    return replace(cm, labels=read_order(renamed, "names"), pos_label=positive, ranking=ranking)


def in_label_order(cm: M, order: NDArray[Any]) -> M:
    """The same counts in another order of all labels with counts, which becomes the ranking."""
    check_same_kind(order, cm.labels, "labels", "the matrix")
    positive = second_of(order)
    if positive is None and (len(order) == 1 or position_of(order, cm.pos_label) is not None):
        positive = cm.pos_label
    in_order = moved_cells(cm, lambda of: _in_order(cm, of, order))
    return replace(cm, labels=order, pos_label=positive, ranking=order, **in_order)


def _in_common_shape(
    members: Sequence[MatrixData], names: Sequence[str]
) -> tuple[list[Any], dict[str, Any]]:
    """Counts with common labels, axes and coordinates, 0 where absent; and their other fields."""
    for cm, name in zip(members[1:], names[1:], strict=True):
        check_same_kind(members[0].labels, cm.labels, names[0], name)
    rankings = [
        (name, cm.ranking)
        for name, cm in zip(names, members, strict=True)
        if cm.ranking is not None
    ]
    ranking = orders.ranking_of_all(tuple(rankings))
    order = _common_order(members, ranking)
    axes = _common_axes(members, names)
    of_classes = {
        "labels": order,
        "pos_label": _positive_of_all(members, order),
        "ranking": ranking,
    }
    alike = [_moved_into(cm, order, axes) for cm in members]
    counts = [of["counts"] for of in alike]
    design = stacked_designs([of["_design"] for of in alike], counts)
    return counts, {"axes": axes, **of_classes, "_design": design}


def _moved_into(cm: MatrixData, order: NDArray[Any], axes: tuple[Axis, ...]) -> dict[str, Any]:
    """The counts and the design of a matrix in another order, with further entries."""

    def move(cells: NDArray[Any]) -> NDArray[Any]:
        """The cells there."""
        return _with_axes(_in_order(cm, cells, order), cm.axes, axes)

    return moved_cells(cm, move)


def _common_order(members: Sequence[MatrixData], ranking: NDArray[Any] | None) -> NDArray[Any]:
    """Equal label orders as they are, ranked and sorted ones as their union; refuses others."""
    first = members[0].labels
    if all(np.array_equal(first, cm.labels) for cm in members[1:]):
        return first
    union = reduce(orders.sorted_union, (np.sort(cm.labels) for cm in members))
    by_rank = orders.as_ranked(union, ranking)
    for cm in members:
        is_named = not _is_sorted(cm.labels) and not _has_positive_last(cm)
        if not is_named or np.array_equal(orders.as_ranked(cm.labels, by_rank), cm.labels):
            continue
        other = next(each.labels for each in members if not np.array_equal(each.labels, cm.labels))
        raise ValueError(
            f"label orders differ, {show(cm.labels)} and {show(other)}: count with the same "
            "labels=."
        )
    return by_rank


def _common_axes(members: Sequence[MatrixData], names: Sequence[str]) -> tuple[Axis, ...]:
    """The axes of the first matrix with the coordinates of all; refuses other axes."""
    first = members[0]
    if all(same_axes(first.axes, cm.axes) for cm in members[1:]):
        return tuple(
            axis._replace(is_ordered=any(cm.axes[place].is_ordered for cm in members))
            for place, axis in enumerate(first.axes)
        )
    for cm, name in zip(members[1:], names[1:], strict=True):
        if {axis.name for axis in cm.axes} != {axis.name for axis in first.axes}:
            raise ValueError(
                f"the leading axes differ: {describe_axes(first.axes)} of {names[0]} and "
                f"{describe_axes(cm.axes)} of {name}. For an axis that only one of them has, pool "
                f"it with sum() or select "
                "an entry with sel()."
            )
    axes = []
    for axis in first.axes:
        of_all = [own for cm in members for own in cm.axes if own.name == axis.name]
        all_coordinates = [own.coordinates for own in of_all]
        if axis.name == "threshold" or (axis.name == "label" and any(map(is_multilabel, members))):
            _check_same_entries(axis.name, all_coordinates, names)
        axes.append(_common_axis(of_all))
    check_cells(
        [axis.name for axis in axes],
        [len(axis.coordinates) for axis in axes],
        first.counts.shape[-1] ** 2,
    )
    return tuple(axes)


def _common_axis(of_all: Sequence[Axis]) -> Axis:
    """The coordinates of all: in the declared order of one that has all, if the others agree."""
    name = of_all[0].name
    union = reduce(lambda one, other: _union(one, other, name), [own.coordinates for own in of_all])
    declared = [own for own in of_all if own.is_ordered]
    whole = next((own for own in declared if len(own.coordinates) == len(union)), None)
    if whole is None:
        return Axis(name, union)
    agree = True
    for own in declared:
        place_of = {key: place for place, key in enumerate(_keys(whole.coordinates, union))}
        places = [place_of[key] for key in _keys(own.coordinates, union)]
        agree = agree and places == sorted(places)
    return Axis(name, whole.coordinates, agree)


def _check_same_entries(
    axis: str, all_coordinates: Sequence[NDArray[Any]], names: Sequence[str]
) -> None:
    """Refuse thresholds or multilabel labels that not all samples have."""
    for other, name in zip(all_coordinates[1:], names[1:], strict=True):
        if {*_keys(all_coordinates[0], other)} != {*_keys(other, all_coordinates[0])}:
            raise ValueError(
                f"{names[0]} has the axis {axis} {show(all_coordinates[0])}, but {name} {axis} "
                f"{show(other)}, and each "
                "entry covers all samples: count both at the same entries, or select common ones "
                f"by sel({axis}=[...])."
            )


def _union(first: NDArray[Any], second: NDArray[Any], name: str) -> NDArray[Any]:
    """The coordinates of both: sorted, in the order of one that has all, or the new ones last."""
    kinds = [_kind(coordinates) for coordinates in (first, second)]
    if kinds[0] != kinds[1] and len(first) and len(second):
        raise ValueError(
            f"the axis {name!r} has {kinds[0]} {show(first, 3)} in one matrix and {kinds[1]} "
            f"{show(second, 3)} in "
            "another: convert them to the same kind."
        )
    known, others = {*_keys(first, second)}, _keys(second, first)
    new = [place for place, key in enumerate(others) if key not in known]
    if not new:
        return first
    if known <= {*others}:
        return second
    # NumPy would convert signed and unsigned integers to floats.
    are_whole = all(coordinates.dtype.kind in "iu" for coordinates in (first, second))
    both = np.concatenate(
        orders.comparable(first, second[new]) if are_whole else (first, second[new])
    )
    return np.sort(both) if _is_sorted(first) and _is_sorted(second) else both


def _kind(coordinates: NDArray[Any]) -> str:
    """The kind of coordinates; those of crossed groups are several."""
    parts = orders.parts_of(coordinates) or [coordinates]
    return " and ".join(orders.KIND_OF_DTYPE[part.dtype.kind] for part in parts)


def _keys(coordinates: NDArray[Any], others: NDArray[Any]) -> list[Any]:
    """Coordinates as Python objects, to compare with those of other matrices."""
    if coordinates.dtype.kind in "mM" and others.dtype.kind == coordinates.dtype.kind:
        in_one_unit = coordinates.astype(np.promote_types(coordinates.dtype, others.dtype))
        return list(in_one_unit.astype(np.int64).tolist())
    # NaN is not equal to itself.
    return [key if key == key else None for key in orders.plain(coordinates)]


def _in_order(cm: MatrixData, counts: NDArray[Any], order: NDArray[Any]) -> NDArray[Any]:
    """Counts of the classes of a matrix in another order."""
    if np.array_equal(cm.labels, order):
        return counts
    pooled = pooled_cells(cm)
    check_covered(order, cm.labels[(pooled.sum(0) + pooled.sum(1)) > 0])
    positions = positions_in(order, cm.labels)
    # Dropped labels, which have no counts, are behind the last of the order.
    kept = positions < len(order)
    to = positions[kept]
    in_order = np.zeros((*counts.shape[:-2], len(order), len(order)), dtype=counts.dtype)
    in_order[..., to[:, None], to] = counts[..., kept, :][..., kept]
    return in_order


def _with_axes(counts: NDArray[Any], own: tuple[Axis, ...], axes: tuple[Axis, ...]) -> NDArray[Any]:
    """The counts with axes that have all coordinates."""
    if same_axes(own, axes):
        return counts
    place_of_name = {axis.name: place for place, axis in enumerate(own)}
    places_of_own = [place_of_name[axis.name] for axis in axes]
    places = []
    for axis, place_of_own in zip(axes, places_of_own, strict=True):
        coordinates = own[place_of_own].coordinates
        place_of = {key: place for place, key in enumerate(_keys(axis.coordinates, coordinates))}
        places.append([place_of[key] for key in _keys(coordinates, axis.coordinates)])
    in_order = counts.transpose(*places_of_own, -2, -1)
    lengths = [len(axis.coordinates) for axis in axes]
    among_all = np.zeros((*lengths, *counts.shape[-2:]), dtype=counts.dtype)
    among_all[np.ix_(*places)] = in_order
    return among_all


def _positive_of_all(members: Sequence[MatrixData], labels: NDArray[Any]) -> Any:
    """The positive class of any of the matrices, if it is among the labels."""
    named = [cm.pos_label for cm in members if cm.pos_label is not None]
    if other := [label for label in named if label != named[0]]:
        raise ValueError(
            f"the positive classes differ, {named[0]!r} and {other[0]!r}: use the same for both."
        )
    # A class that is positive by convention, as 1 alone, is not alongside 2.
    declared = [cm.pos_label for cm in members if cm.pos_label != known_positive(cm.labels)]
    return next((label for label in declared if label is not None), known_positive(labels))


def _has_positive_last(cm: MatrixData) -> bool:
    """Whether two labels stand as [negative, positive] since nobody named their order."""
    return cm.ranking is None and is_first_of_two(cm.labels[::-1], cm.pos_label)


def _is_sorted(labels: NDArray[Any]) -> bool:
    """Whether an order is the natural one."""
    if orders.is_crossed(labels):
        return all(one < other for one, other in pairwise(orders.plain(labels)))
    return bool((labels[:-1] < labels[1:]).all())


def _coordinates(keys: list[Any]) -> NDArray[Any]:
    """Keys as coordinates: labels of one kind, or any numbers."""
    if any(isinstance(key, (float, np.floating)) for key in keys):
        if other := [key for key in keys if orders.kind_of(key) != "numbers" or key != key]:
            raise ValueError(
                f"matrices has keys of mixed types, such as {other[0]!r} alongside numbers: use "
                "one type."
            )
        numbers = np.array(keys, dtype=np.float64)
        places = zip(keys, numbers.tolist(), strict=True)
        if rounded := [key for key, number in places if key != number]:
            raise ValueError(
                f"matrices has the key {rounded[0]!r} alongside fractions, which no float is equal "
                "to: use strings."
            )
        return numbers
    return read_order(keys, "matrices")


def _places_of_entries(axis: Axis, asked: Any) -> Any:
    """The position of one entry as a number, of several as a list."""
    if _is_entry(axis, asked):
        return _place(axis, asked)
    if not isinstance(asked, Iterable):
        raise TypeError(
            f"{axis.name}= must be an entry or several of {show(axis.coordinates)}; got {asked!r}."
        )
    entries = list(asked)
    if not entries:
        raise ValueError(
            f"{axis.name}= is empty: specify at least one of {show(axis.coordinates)}."
        )
    places = [_place(axis, entry) for entry in entries]
    if len({*places}) < len(places):
        raise ValueError(f"{axis.name}= lists an entry twice: {entries!r}. List each once.")
    return places


def _is_entry(axis: Axis, asked: Any) -> bool:
    """Whether this can be one entry, a tuple on an axis of crossed groups."""
    if orders.is_crossed(axis.coordinates):
        return isinstance(asked, tuple)
    return orders.kind_of(asked) is not None


def _taken(axis: Axis, places: Sequence[int] | NDArray[np.intp]) -> Axis:
    """Some entries of an axis; another order than before is no declared one."""
    keeps_order = bool((np.diff(places) > 0).all())
    return Axis(axis.name, axis.coordinates[places], axis.is_ordered and keeps_order)


def _place(axis: Axis, entry: Any) -> int:
    """The position of an entry on its axis, which must have it; dates may be text."""
    if orders.KIND_OF_DTYPE.get(axis.coordinates.dtype.kind) == "dates" and isinstance(entry, str):
        with suppress(ValueError):
            entry = np.datetime64(entry)
    place = position_of(axis.coordinates, entry) if _is_entry(axis, entry) else None
    if place is None:
        raise ValueError(
            f"the axis {axis.name!r} has no entry {entry!r}; it has {show(axis.coordinates)}."
        )
    return place
