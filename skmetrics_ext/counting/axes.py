"""Leading axes of counts, such as groups and folds, and the order of their entries."""

import re
from contextlib import suppress
from datetime import date
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading.labels import Column
from skmetrics_ext.reading.order import show

# Text by ISO 8601: days, months and weeks.
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
MONTH = re.compile(r"\d{4}-\d{2}")
WEEK = re.compile(r"\d{4}-W\d{2}")


class Axis(NamedTuple):
    """A leading axis of counts: its name and the coordinate of each entry.

    Attributes
    ----------
    name : str
        What the entries index: "group", "fold", "class", "label" or the name of a column.
    coordinates : ndarray of shape (n_entries,)
        The group, fold, class or label of each entry; of crossed groups a tuple, ("F", "old").
    is_ordered : bool
        Whether their order was declared: by `ConfusionMatrix.stack`, an ordered categorical or an
        Enum. Dates, numbers, and text such as "2026-05", "2026-05-01" or "2026-W18" have their own.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> [axis] = ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0], by=["F", "M", "M"]).axes
    >>> axis.name, axis.coordinates.tolist()
    ('group', ['F', 'M'])
    """

    name: str
    coordinates: NDArray[Any]
    is_ordered: bool = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Axis):
            return NotImplemented
        own, theirs = (axis.coordinates for axis in (self, other))
        is_alike = (self.name, self.is_ordered) == (other.name, other.is_ordered)
        return is_alike and np.array_equal(own, theirs)

    def __ne__(self, other: object) -> bool:
        # A tuple has its own.
        return not self == other


def names_of_parts(axis: Axis) -> tuple[str, ...]:
    """The names of the axes that this one crosses, if any."""
    return axis.coordinates.dtype.names or ()


def axis_of_column(name: str, column: Column) -> Axis:
    """The axis of a column of groups."""
    return Axis(name, column.labels, column.ranking is not None)


def place_of_axis(axes: tuple[Axis, ...], axis: Any) -> int:
    """The position of a leading axis, given by number or name."""
    names = [leading.name for leading in axes]
    if isinstance(axis, str):
        if axis not in names:
            raise ValueError(f"there is no axis {axis!r}; the leading axes are {names}.")
        return names.index(axis)
    if not isinstance(axis, (int, np.integer)):
        raise TypeError(
            f"axis must be the name or index of a leading axis, one of {names}; got {axis!r}."
        )
    if not -len(names) <= axis < len(names):
        raise ValueError(f"axis {axis} is out of range: the leading axes are {names}.")
    return int(axis) % len(names)


def with_dates(coordinates: NDArray[Any]) -> NDArray[Any]:
    """The coordinates as dates if all text is days, months or weeks by ISO 8601."""
    texts = coordinates.tolist() if coordinates.dtype.kind in "OUT" else []
    if texts and all(isinstance(text, str) for text in texts):
        # A month that does not exist is text.
        with suppress(ValueError):
            if all(map(DAY.fullmatch, texts)) or all(map(MONTH.fullmatch, texts)):
                return np.array(texts, dtype="M8[D]")
            if all(map(WEEK.fullmatch, texts)):
                return np.array([date.fromisoformat(text) for text in texts], dtype="M8[D]")
    return coordinates


def order_in_time(axis: Axis) -> NDArray[np.intp]:
    """The entries in order of time: dates, a declared order, or numbers; refuses other text."""
    coordinates = with_dates(axis.coordinates)
    if coordinates.dtype.kind not in "mM":
        if axis.is_ordered:
            return np.arange(len(coordinates))
        if coordinates.dtype.kind not in "biuf":
            raise ValueError(
                f"the axis {axis.name!r} has the entries {show(axis.coordinates, 5)}, text without "
                "an order in time: write dates as 2026-05, 2026-05-01 or 2026-W18, make them an "
                "ordered categorical or an Enum, or pass the matrices from the first to the last, "
                f"as a list or by ConfusionMatrix.stack({{...}}, axis={axis.name!r})."
            )
    if coordinates.dtype.kind in "mMf" and (coordinates != coordinates).any():
        raise ValueError(
            f"the axis {axis.name!r} has an entry that is missing, in {show(axis.coordinates, 5)}: "
            "it has no place in time, so leave it out."
        )
    return np.argsort(coordinates, kind="stable")


def same_axes(first: tuple[Axis, ...], second: tuple[Axis, ...]) -> bool:
    """Whether leading axes agree in names and coordinates."""
    return len(first) == len(second) and all(
        one.name == two.name and np.array_equal(one.coordinates, two.coordinates)
        for one, two in zip(first, second, strict=True)
    )


def describe_axes(axes: tuple[Axis, ...]) -> str:
    """Leading axes for a message."""
    return ", ".join(f"{axis.name} {show(axis.coordinates, 5)}" for axis in axes) or "none"
