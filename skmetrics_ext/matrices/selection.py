"""Some entries of the leading axes of a matrix, by their coordinates, or all of them as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from skmetrics_ext.catalogue.names import did_you_mean
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.matrices.counted import FOLD
from skmetrics_ext.reading.order import KIND_OF_DTYPE, kind_of, position_of, show

if TYPE_CHECKING:
    from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix

M = TypeVar("M", bound="ConfusionMatrix")


def summed_over(cm: M, axis: Any) -> M:
    """Without a leading axis, given by number or name."""
    names = [leading.name for leading in cm.axes]
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
    rest = cm.axes[:axis] + cm.axes[axis + 1 :]
    return replace(cm, counts=cm.counts.sum(axis), axes=rest)


def selected(cm: M, entries: Mapping[str, Any]) -> M:
    """One entry of an axis, which goes, or several, in the order that they are named in."""
    names = [axis.name for axis in cm.axes]
    if unknown := [name for name in entries if name not in names]:
        raise ValueError(
            f"there is no axis {unknown[0]!r}; the leading axes are {names}.{did_you_mean(unknown[0], names)}"
        )
    counts, axes, repeats = cm.counts, list(cm.axes), cm.repeats
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
    return replace(cm, counts=counts, axes=tuple(axes), repeats=repeats)


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
