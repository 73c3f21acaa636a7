"""Counts of several samples in one: an axis summed up, two matrices added."""

from typing import Any

import numpy as np

from skmetrics_ext.matrices.alignment import in_common_shape
from skmetrics_ext.matrices.given_counts import check_counts
from skmetrics_ext.matrices.parts import Parts


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


def added(first: Parts, second: Parts) -> Parts:
    """The samples of two matrices together, with their labels and axes aligned."""
    check_counts(first.counts, second.counts)
    one, other = in_common_shape((first, second), ("the first matrix", "the second"))
    return one._replace(counts=one.counts + other.counts)
