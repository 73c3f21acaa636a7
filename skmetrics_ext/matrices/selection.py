"""Some entries of the leading axes of a matrix, by their coordinates; and matrices as the entries of a new axis."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.names import did_you_mean
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.matrices.alignment import in_common_shape
from skmetrics_ext.matrices.parts import FOLD, Parts
from skmetrics_ext.reading.groups import TAKEN
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import KIND_OF_DTYPE, kind_of, position_of, show


def selected(parts: Parts, entries: Mapping[str, Any]) -> Parts:
    """One entry of an axis, which goes, or several, in the order that they are named in."""
    names = [axis.name for axis in parts.axes]
    if unknown := [name for name in entries if name not in names]:
        raise ValueError(
            f"there is no axis {unknown[0]!r}; the leading axes are {names}.{did_you_mean(unknown[0], names)}"
        )
    counts, axes, repeats = parts.counts, list(parts.axes), parts.repeats
    # The last one first, so that the places of the others stay.
    for position in reversed(range(len(axes))):
        axis = axes[position]
        if axis.name not in entries:
            continue
        places = _places_of_entries(axis, entries[axis.name])
        counts = counts.take(places, axis=position)
        if axis.name == FOLD:
            # Each fold counts a sample once, and some of them as often as they share out all counts.
            repeats = max(repeats * np.size(places) / len(axis.coordinates), 1.0)
        axes[position : position + 1] = [] if isinstance(places, int) else [Axis(axis.name, axis.coordinates[places])]
    return parts._replace(counts=counts, axes=tuple(axes), repeats=repeats)


def stacked(matrices: Mapping[Any, Parts], axis: Any) -> Parts:
    """Matrices by name as the entries of a new first axis, with their labels and axes aligned."""
    if not isinstance(axis, str):
        raise TypeError(f"axis must be the name of the new axis; got {axis!r}.")
    if axis in TAKEN:
        raise ValueError(f"axis={axis!r} is a name that the tables of results have already: choose another.")
    if not matrices:
        raise ValueError("matrices is empty: pass at least one.")
    members = list(matrices.values())
    if taken := [one.name for parts in members for one in parts.axes if one.name == axis]:
        raise ValueError(f"the matrices have an axis {taken[0]!r} already: choose another name, or add them up.")
    together = in_common_shape(members, [f"matrices[{key!r}]" for key in matrices])
    counts = np.stack([parts.counts for parts in together])
    return together[0]._replace(counts=counts, axes=(Axis(axis, _coordinates(list(matrices))), *together[0].axes))


def _places_of_entries(axis: Axis, asked: Any) -> Any:
    """The place of one entry as a number, those of several as a list."""
    if kind_of(asked) is not None:
        return _place(axis, asked)
    if not isinstance(asked, Iterable):
        raise TypeError(
            f"{axis.name}= must be one entry of the axis, or a list of some; got {asked!r}. There are "
            f"{show(axis.coordinates)}."
        )
    entries = list(asked)
    if not entries:
        raise ValueError(f"{axis.name}= is empty: name at least one of {show(axis.coordinates)}.")
    places = [_place(axis, entry) for entry in entries]
    if len({*places}) < len(places):
        raise ValueError(f"{axis.name}= names an entry twice: {entries!r}. Name each once.")
    return places


def _place(axis: Axis, entry: Any) -> int:
    """Where an entry stands on its axis, which must have it; dates may be text."""
    if KIND_OF_DTYPE.get(axis.coordinates.dtype.kind) == "dates" and isinstance(entry, str):
        with suppress(ValueError):
            entry = np.datetime64(entry)
    place = None if kind_of(entry) is None else position_of(axis.coordinates, entry)
    if place is None:
        raise ValueError(f"the axis {axis.name!r} has no entry {entry!r}; it has {show(axis.coordinates)}.")
    return place


def _coordinates(keys: list[Any]) -> NDArray[Any]:
    """Keys as coordinates: labels of one kind, or numbers that need not be whole."""
    if any(isinstance(key, (float, np.floating)) for key in keys):
        if other := [key for key in keys if kind_of(key) != "numbers" or key != key]:
            raise ValueError(
                f"matrices has keys of several kinds, such as {other[0]!r} beside numbers: name all alike."
            )
        return np.array(keys, dtype=np.float64)
    return read_order(keys, "matrices")
