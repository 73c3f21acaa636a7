"""A confusion matrix -> plain values for JSON, and back."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.matrices.given_counts import default_axes, read_counts
from skmetrics_ext.matrices.parts import Parts
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import plain


def state_of(parts: Parts) -> dict[str, Any]:
    """Counts, labels, axes, the positive class and the ranking for JSON."""
    return {
        "counts": array_to_json(parts.counts),
        "labels": array_to_json(parts.labels),
        "axes": [{"name": axis.name, "coordinates": array_to_json(axis.coordinates)} for axis in parts.axes],
        "pos_label": None if parts.pos_label is None else array_to_json(read_order([parts.pos_label], "pos_label")),
        "ranking": None if parts.ranking is None else array_to_json(parts.ranking),
    }


def parts_of_state(state: Any) -> Parts:
    """Undo `state_of`; states of before have no positive class, plain ones lists for arrays and no axes."""
    if not isinstance(state, Mapping):
        advice = ": pass json.loads(state)" if isinstance(state, (str, bytes)) else ""
        raise TypeError(f"state must be a dict as to_dict gives it; got {type(state).__name__}{advice}.")
    labels = _array(state, "labels")
    counts, order = read_counts(_array(state, "counts"), labels)
    axes = default_axes(counts)
    if "axes" in state:
        axes = tuple(_axis(axis, f"axes[{k}]") for k, axis in enumerate(state["axes"]))
    positive = state.get("pos_label")
    if isinstance(positive, Mapping):
        positive = plain(_array(state, "pos_label"))[0]
    ranking = None if state.get("ranking") is None else read_order(_array(state, "ranking"), "ranking")
    return Parts(counts, order, axes, positive, ranking)


def _axis(axis: Mapping[str, Any], where: str) -> Axis:
    """A leading axis of a state."""
    return Axis(_array(axis, "name", where), np.asarray(_array(axis, "coordinates", where)))


def _array(state: Mapping[str, Any], key: str, where: str = "state") -> Any:
    """An array of a state; what is wrong with it is named."""
    if key not in state:
        raise ValueError(f"{where} has no {key!r}: pass what to_dict gives, or a dict of counts and labels.")
    array = state[key]
    if not isinstance(array, Mapping):
        return array
    if missing := [part for part in ("dtype", "shape", "values") if part not in array]:
        raise ValueError(f"{key!r} of {where} has no {missing[0]!r}: pass a list, or what to_dict gives.")
    try:
        return array_from_json(array)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"{key!r} of {where} is broken: its values do not fit dtype {array['dtype']!r} and shape {array['shape']} "
            f"({error})."
        ) from error


def array_to_json(array: NDArray[Any]) -> dict[str, Any]:
    """Values with their dtype, which JSON has no place for."""
    kind = array.dtype.kind
    values = np.char.decode(array, "latin-1") if kind == "S" else array.astype(np.int64) if kind in "mM" else array
    return {"dtype": array.dtype.str, "shape": list(array.shape), "values": values.ravel().tolist()}


def array_from_json(state: Mapping[str, Any]) -> NDArray[Any]:
    """Undo `array_to_json`; NumPy would cut strings and numbers to a dtype that is too narrow for them."""
    dtype = np.dtype(state["dtype"])
    if dtype.kind == "S":
        values = np.char.encode(np.array(state["values"], dtype=str), "latin-1")
    else:
        values = np.array(state["values"], dtype=np.int64 if dtype.kind in "mM" else dtype)
    array = values.astype(dtype).reshape(state["shape"])
    if dtype.kind != "f" and array_to_json(array)["values"] != list(state["values"]):
        raise ValueError("they would be cut")
    return array
