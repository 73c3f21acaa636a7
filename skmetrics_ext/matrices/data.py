"""The data of a confusion matrix: its fields, checked, frozen, compared and pickled."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis, describe_axes, same_axes
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.numbers import check_total

# The axis of a cross-validation; samples may occur in several of its entries.
FOLD = "fold"


@dataclass(frozen=True, eq=False, repr=False)
class MatrixData:
    """What a ConfusionMatrix holds, for all functions of one."""

    counts: NDArray[Any]
    labels: NDArray[Any]
    axes: tuple[Axis, ...] = ()
    pos_label: Label | None = None
    ranking: NDArray[Any] | None = None
    weighted: bool = False
    repeats: float = 1.0
    observed: NDArray[Any] | None = None
    by_stratum: NDArray[Any] | None = None

    def __post_init__(self) -> None:
        for name, value in checked_and_frozen(self).items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        # Built again, so that the arrays of a copy can't be written to either.
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MatrixData):
            return NotImplemented
        # The positive class and the ranking take no part in it.
        both = ((self.counts, other.counts), (self.labels, other.labels))
        return all(np.array_equal(*arrays) for arrays in both) and same_axes(self.axes, other.axes)


def checked_and_frozen(cm: MatrixData) -> dict[str, Any]:
    """Consistent fields, as read-only copies of arrays; axes may be plain pairs."""
    axes = tuple(Axis(*axis) for axis in cm.axes)
    shape = tuple(len(axis.coordinates) for axis in axes) + np.shape(cm.labels) * 2
    if np.ndim(cm.labels) != 1 or np.shape(cm.counts) != shape:
        raise ValueError(
            f"counts of shape {np.shape(cm.counts)} do not match {np.size(cm.labels)} labels and "
            f"the axes {describe_axes(axes)}: make a ConfusionMatrix with from_labels(y_true, "
            "y_pred) or from_counts."
        )
    if cm.by_stratum is not None and not _is_divided(cm.by_stratum, cm.counts):
        raise ValueError(
            f"by_stratum of shape {np.shape(cm.by_stratum)} does not match counts of shape "
            f"{np.shape(cm.counts)}: it "
            "must have a row more than these, for samples without a label, an axis of strata "
            "before the rows, and as many samples with each prediction."
        )
    check_counts(np.asarray(cm.counts))
    if len({axis.name for axis in axes}) < len(axes):
        raise ValueError(
            f"two axes have the same name: {describe_axes(axes)}. Give each axis a unique name."
        )
    arrays = {
        name: getattr(cm, name)
        for name in ("counts", "labels", "ranking", "observed", "by_stratum")
    }
    fields = {name: _read_only(array) for name, array in arrays.items() if array is not None}
    axes = tuple(axis._replace(coordinates=_read_only(axis.coordinates)) for axis in axes)
    return {**fields, "axes": axes, "weighted": bool(cm.weighted), "repeats": float(cm.repeats)}


def _is_divided(by_stratum: NDArray[Any], counts: NDArray[Any]) -> bool:
    """Whether counts are made of numbers of samples by stratum, with and without a label."""
    array = np.asarray(by_stratum)
    *leading, _, n_rows, n_columns = (0, 0, 0, *array.shape)
    if array.dtype.kind not in "iu" or (*leading[3:], n_rows - 1, n_columns) != np.shape(counts):
        return False
    return bool((array >= 0).all() and np.allclose(array.sum((-3, -2)), np.sum(counts, -2)))


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only copy, or the array itself if it is read-only already."""
    is_frozen = isinstance(array, np.ndarray) and array.flags.owndata and not array.flags.writeable
    own = array if is_frozen else np.array(array)
    own.setflags(write=False)
    return own


def check_counts(*parts: NDArray[Any]) -> None:
    """Refuse counts whose sum, of a table or over all leading axes, would overflow."""
    if any(part.dtype.kind == "f" for part in parts):
        with np.errstate(over="ignore"):
            totals = np.concatenate(
                [part.sum((-2, -1), dtype=np.float64).ravel() for part in parts]
            )
            check_total(np.append(totals, totals.sum()), "counts")
        return
    largest = np.iinfo(np.int64).max
    # This bound takes a far faster pass than a sum of floats.
    if sum(int(part.max(initial=0)) * part.size for part in parts) <= largest:
        return
    about = sum(float(part.sum(dtype=np.float64)) for part in parts)
    # A float is exact enough for totals far from the limit.
    if about > largest / 2 and sum(sum(part.ravel().tolist()) for part in parts) > largest:
        raise ValueError(
            f"counts add up to about {about:.4g}, more than 2**63 - 1: scale them down, or pass "
            "floats."
        )


def pooled_cells(cm: MatrixData) -> NDArray[Any]:
    """The counts (n_classes, n_classes) of all leading axes together."""
    return np.asarray(cm.counts.sum(tuple(range(len(cm.axes)))))


def arrays_of(cm: MatrixData) -> dict[str, Any]:
    """The counts of a matrix and those they were made of, all with its leading axes, by the name of
    the field.
    """
    arrays = {name: getattr(cm, name) for name in ("counts", "observed", "by_stratum")}
    return {name: array for name, array in arrays.items() if array is not None}


def is_multilabel(cm: MatrixData) -> bool:
    """Whether there is one 2 x 2 matrix per label, on an axis of labels."""
    return any(axis.name == "label" for axis in cm.axes) and cm.labels.tolist() == [0, 1]
