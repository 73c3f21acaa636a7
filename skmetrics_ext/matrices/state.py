"""A confusion matrix -> plain values for JSON, and back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.matrices.parts import Parts
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import plain


def state_of(parts: Parts) -> dict[str, Any]:
    """Counts, labels, axes and the positive class for JSON."""
    return {
        "counts": array_to_json(parts.counts),
        "labels": array_to_json(parts.labels),
        "axes": [{"name": axis.name, "coordinates": array_to_json(axis.coordinates)} for axis in parts.axes],
        "pos_label": None if parts.pos_label is None else array_to_json(read_order([parts.pos_label], "pos_label")),
    }


def parts_of_state(state: dict[str, Any]) -> Parts:
    """Undo `state_of`; states of before have no positive class."""
    axes = tuple(Axis(axis["name"], array_from_json(axis["coordinates"])) for axis in state["axes"])
    positive = state.get("pos_label")
    return Parts(
        array_from_json(state["counts"]),
        array_from_json(state["labels"]),
        axes,
        None if positive is None else plain(array_from_json(positive))[0],
    )


def array_to_json(array: NDArray[Any]) -> dict[str, Any]:
    """Values with their dtype, which JSON has no place for."""
    kind = array.dtype.kind
    values = np.char.decode(array, "latin-1") if kind == "S" else array.astype(np.int64) if kind in "mM" else array
    return {"dtype": array.dtype.str, "shape": list(array.shape), "values": values.ravel().tolist()}


def array_from_json(state: dict[str, Any]) -> NDArray[Any]:
    """Undo `array_to_json`."""
    dtype = np.dtype(state["dtype"])
    if dtype.kind == "S":
        values = np.char.encode(np.array(state["values"], dtype=str), "latin-1")
    else:
        values = np.array(state["values"], dtype=np.int64 if dtype.kind in "mM" else dtype)
    return values.astype(dtype).reshape(state["shape"])
