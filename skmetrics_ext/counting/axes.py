"""Leading axes of counts: groups, folds and others, each with a name and coordinates."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading.order import show


class Axis(NamedTuple):
    """A leading axis of counts: its name and the coordinate of each entry.

    Attributes
    ----------
    name : str
        What the entries index: "group", "fold", "class", "label" or the name of a column.
    coordinates : ndarray of shape (n_entries,)
        The group, fold, class or label of each entry.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> [axis] = ConfusionMatrix.from_labels([0, 1, 1], [0, 1, 0], by=["F", "M", "M"]).axes
    >>> axis.name, axis.coordinates.tolist()
    ('group', ['F', 'M'])
    """

    name: str
    coordinates: NDArray[Any]


def same_axes(first: tuple[Axis, ...], second: tuple[Axis, ...]) -> bool:
    """Whether leading axes agree in names and coordinates."""
    return len(first) == len(second) and all(
        one.name == two.name and np.array_equal(one.coordinates, two.coordinates)
        for one, two in zip(first, second, strict=True)
    )


def describe_axes(axes: tuple[Axis, ...]) -> str:
    """Leading axes for a message."""
    return ", ".join(f"{axis.name} {show(axis.coordinates, 5)}" for axis in axes) or "none"
