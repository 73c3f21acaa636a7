"""The data of a confusion matrix: its fields, checked, frozen, compared and pickled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis, describe_axes, same_axes
from skmetrics_ext.counting.design import (
    FOLD,
    INDEPENDENT,
    Design,
    MoveCells,
    design_of_0_1,
    design_of_plain,
    plain_of,
    read_only,
)
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.numbers import check_total


@dataclass(frozen=True, eq=False, repr=False, init=False)
class MatrixData:
    """What a ConfusionMatrix holds, for all functions of one."""

    counts: NDArray[Any]
    labels: NDArray[Any]
    axes: tuple[Axis, ...] = ()
    pos_label: Label | None = None
    ranking: NDArray[Any] | None = None
    design: Design = INDEPENDENT

    def __init__(
        self,
        counts: NDArray[Any],
        labels: NDArray[Any],
        axes: tuple[Axis, ...] = (),
        pos_label: Label | None = None,
        ranking: NDArray[Any] | None = None,
        design: Design = INDEPENDENT,
        *others_of_0_1: Any,
    ) -> None:
        if len(others_of_0_1) not in (0, 3):
            n_given = 6 + len(others_of_0_1)
            raise TypeError(f"{type(self).__name__} takes from 2 to 6 arguments; got {n_given}.")
        if others_of_0_1:
            are_apart = any(name == FOLD for name, *_ in axes)
            design = design_of_0_1(design, *others_of_0_1, are_folds_apart=are_apart)
        given = (counts, labels, axes, pos_label, ranking, design)
        for field, value in zip(fields(self), given, strict=True):
            object.__setattr__(self, field.name, value)
        for name, value in checked_and_frozen(self).items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        # Built again, so that the arrays of a copy can't be written to either.
        *values, design = (getattr(self, field.name) for field in fields(self))
        return type(self), (*values, plain_of(design))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MatrixData):
            return NotImplemented
        # The positive class, the ranking and the design take no part in it.
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
    # As plain values in pickles.
    design = design_of_plain(cm.design) if isinstance(cm.design, Mapping) else cm.design
    if not isinstance(design, Design):
        raise TypeError(f"design must be a Design; got {type(design).__name__}.")
    if design.shape not in (None, shape):
        raise ValueError(
            f"the design is of counts of shape {design.shape}, but the counts have the shape "
            f"{shape}."
        )
    check_counts(np.asarray(cm.counts))
    if len({axis.name for axis in axes}) < len(axes):
        raise ValueError(
            f"two axes have the same name: {describe_axes(axes)}. Give each axis a unique name."
        )
    arrays = {name: getattr(cm, name) for name in ("counts", "labels", "ranking")}
    fields = {name: read_only(array) for name, array in arrays.items() if array is not None}
    axes = tuple(axis._replace(coordinates=read_only(axis.coordinates)) for axis in axes)
    return {**fields, "axes": axes, "design": design}


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


def moved_cells(cm: MatrixData, move: MoveCells) -> dict[str, Any]:
    """The counts and the design of a matrix whose cells are selected, moved or put among empty
    ones, each as a whole.
    """
    return {"counts": move(cm.counts), "design": cm.design.moved(move)}


def is_multilabel(cm: MatrixData) -> bool:
    """Whether there is one 2 x 2 matrix per label, on an axis of labels."""
    return any(axis.name == "label" for axis in cm.axes) and cm.labels.tolist() == [0, 1]
