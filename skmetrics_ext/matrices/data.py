"""The data of a confusion matrix: its fields, checked, frozen, compared and pickled."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import is_first_of_two
from skmetrics_ext.counting.axes import Axis, describe_axes, same_axes
from skmetrics_ext.counting.design import (
    INDEPENDENT,
    MoveCells,
    SampleDesign,
    design_of_plain,
    plain_of,
    read_only,
)
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.numbers import check_total

# The largest number of samples.
LARGEST = 2**63 - 1


MADE_WITH = (
    "make a ConfusionMatrix with from_predictions(y_true, y_pred), from_scores, from_estimator, "
    "from_frame or from_counts(counts, labels=[...])"
)


@dataclass(frozen=True, eq=False, repr=False, init=False)
class MatrixData:
    """What a ConfusionMatrix holds."""

    counts: NDArray[Any]
    labels: NDArray[Any]
    axes: tuple[Axis, ...] = ()
    pos_label: Label | None = None
    ranking: NDArray[Any] | None = None
    _design: SampleDesign = INDEPENDENT

    def __init__(
        self,
        counts: NDArray[Any],
        labels: NDArray[Any] | None = None,
        axes: tuple[Axis, ...] = (),
        pos_label: Label | None = None,
        ranking: NDArray[Any] | None = None,
        _design: SampleDesign = INDEPENDENT,
    ) -> None:
        # As plain pairs and values in pickles.
        if labels is None:
            raise TypeError(f"counts need their labels: {MADE_WITH}.")
        axes = tuple(Axis(*axis) for axis in axes)
        design = design_of_plain(_design) if isinstance(_design, dict) else _design
        check_fields(counts, labels, axes, design)
        if ranking is None and is_first_of_two(labels, pos_label):
            # [negative, positive] where nobody named an order.
            counts, labels = _reversed_cells(counts), labels[::-1]
            design = design.moved(_reversed_cells)
        axes = tuple(axis._replace(coordinates=read_only(axis.coordinates)) for axis in axes)
        ranking = None if ranking is None else read_only(ranking)
        # All at once: a field of a frozen class takes as long as a dict.
        vars(self).update(
            counts=read_only(counts),
            labels=read_only(labels),
            axes=axes,
            pos_label=pos_label,
            ranking=ranking,
            _design=design,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # So that the arrays of a copy can't be written to either.
        *values, design = (getattr(self, field.name) for field in fields(self))
        return type(self), (*values, plain_of(design))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MatrixData):
            return NotImplemented
        # Without the positive class, the ranking and the design.
        both = ((self.counts, other.counts), (self.labels, other.labels))
        return all(np.array_equal(*arrays) for arrays in both) and same_axes(self.axes, other.axes)


def _reversed_cells(cells: Any) -> NDArray[Any]:
    """The cells of the classes in the reverse order."""
    return np.asarray(cells)[..., ::-1, ::-1]


def check_fields(counts: Any, labels: Any, axes: tuple[Axis, ...], design: SampleDesign) -> None:
    """Refuse inconsistent fields."""
    cells, order = np.asarray(counts), np.asarray(labels)
    shape = (*[len(axis.coordinates) for axis in axes], *order.shape, *order.shape)
    if order.ndim != 1 or cells.shape != shape:
        raise ValueError(
            f"counts of shape {cells.shape} do not match {order.size} labels and "
            f"the axes {describe_axes(axes)}: {MADE_WITH}."
        )
    if not isinstance(design, SampleDesign):
        raise TypeError(f"_design must be a SampleDesign; got {type(design).__name__}.")
    if design.shape not in (None, shape):
        raise ValueError(
            f"the design is of counts of shape {design.shape}, but the counts have the shape "
            f"{shape}."
        )
    check_counts(cells)
    if len({axis.name for axis in axes}) < len(axes):
        raise ValueError(
            f"two axes have the same name: {describe_axes(axes)}. Give each axis a unique name."
        )


def check_counts(*parts: NDArray[Any]) -> None:
    """Refuse counts whose sum would overflow."""
    if "f" in [part.dtype.kind for part in parts]:
        with np.errstate(over="ignore"):
            totals = np.concatenate(
                [part.sum((-2, -1), dtype=np.float64).ravel() for part in parts]
            )
            check_total(np.append(totals, totals.sum()), "counts")
        return
    # A bound, far faster than a sum of floats.
    if sum([int(part.max(initial=0)) * part.size for part in parts]) <= LARGEST:
        return
    about = sum(float(part.sum(dtype=np.float64)) for part in parts)
    # A float is exact enough for totals far from the limit.
    if about > LARGEST / 2 and sum(sum(part.ravel().tolist()) for part in parts) > LARGEST:
        raise ValueError(
            f"counts add up to about {about:.4g}, more than 2**63 - 1: scale them down, or pass "
            "floats."
        )


def pooled_cells(cm: MatrixData) -> NDArray[Any]:
    """The counts (n_classes, n_classes), pooled over leading axes."""
    return np.asarray(cm.counts.sum(tuple(range(len(cm.axes)))))


def moved_cells(cm: MatrixData, move: MoveCells) -> dict[str, Any]:
    """The counts and the design where whole cells are selected, moved or put among empty ones."""
    return {"counts": move(cm.counts), "_design": cm._design.moved(move)}


def is_multilabel(cm: MatrixData) -> bool:
    """Whether there is one 2 x 2 matrix per label, on an axis of labels."""
    return any(axis.name == "label" for axis in cm.axes) and cm.labels.tolist() == [0, 1]
