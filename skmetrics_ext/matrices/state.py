"""A confusion matrix -> plain values for JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import check_positive
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.design import (
    INDEPENDENT,
    KINDS,
    SampleDesign,
    design_of_plain,
    plain_of,
)
from skmetrics_ext.matrices.data import MatrixData
from skmetrics_ext.matrices.given_counts import default_axes, read_counts
from skmetrics_ext.reading.arguments import check_flag
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import check_same_kind, crossed, plain, positions_in, show

# What a state may say.
FIELDS = tuple(field.name.removeprefix("_") for field in fields(MatrixData))


def state_of(cm: MatrixData, *, cluster_names: bool = False) -> dict[str, Any]:
    """The fields for JSON."""
    arrays = {name: getattr(cm, name) for name in ("counts", "labels", "ranking")}
    state = {
        name: None if array is None else array_to_json(array) for name, array in arrays.items()
    }
    axes = [axis._asdict() | {"coordinates": array_to_json(axis.coordinates)} for axis in cm.axes]
    positive = None
    if cm.pos_label is not None:
        positive = array_to_json(read_order([cm.pos_label], "pos_label"))
    design = _to_json(plain_of(cm._design, cluster_names=cluster_names))
    return state | {"axes": axes, "pos_label": positive, "design": design}


def _to_json(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Plain values and arrays for JSON."""
    values = {}
    for name, value in plain.items():
        if isinstance(value, np.ndarray):
            values[name] = array_to_json(value)
        else:
            values[name] = _to_json(value) if isinstance(value, Mapping) else value
    return values


def array_to_json(array: NDArray[Any]) -> dict[str, Any]:
    """Values with their dtype, which JSON can't represent."""
    if names := array.dtype.names:
        return {"crossed": {name: array_to_json(array[name]) for name in names}}
    values = array
    if array.dtype.kind == "S":
        values = np.char.decode(array, "latin-1")
    elif array.dtype.kind in "mM":
        values = array.astype(np.int64)
    elif array.dtype.kind == "f" and not np.isfinite(array).all():
        # JSON has no numbers for them, such as the coordinate of a threshold that none reaches.
        values = array.astype(str)
    return {"dtype": array.dtype.str, "shape": list(array.shape), "values": values.ravel().tolist()}


def fields_of_state(state: Any) -> dict[str, Any]:
    """Inverse of `state_of`; of a plain state, counts and labels are enough."""
    if not isinstance(state, Mapping):
        advice = ": pass json.loads(state)" if isinstance(state, (str, bytes)) else ""
        raise TypeError(
            f"state must be a dict as returned by to_dict; got {type(state).__name__}{advice}."
        )
    if unknown := [name for name in state if name not in FIELDS]:
        raise ValueError(f"state has {unknown[0]!r}; it may have {', '.join(FIELDS)}.")
    labels = _array(state, "labels")
    counts, order = read_counts(_array(state, "counts"), labels)
    axes = default_axes(counts)
    if "axes" in state:
        if not isinstance(state["axes"], (list, tuple)):
            raise ValueError(
                f"'axes' of state must be a list of dicts, one per axis; got {state['axes']!r}."
            )
        axes = tuple(_axis(axis, f"axes[{k}]") for k, axis in enumerate(state["axes"]))
    of_classes = {
        "labels": order,
        "pos_label": _positive(state, order),
        "ranking": _ranking(state, order),
    }
    design = _design(state)
    if not design.fits(counts):
        raise ValueError("'design' of state does not match its counts.")
    return {"counts": counts, "axes": axes, "_design": design, **of_classes}


def _positive(state: Mapping[str, Any], labels: NDArray[Any]) -> Any:
    """The positive class of a state, which must be one of its labels."""
    positive = state.get("pos_label")
    if isinstance(positive, Mapping):
        values = plain(np.ravel(_array(state, "pos_label")))
        if len(values) != 1:
            raise ValueError(f"'pos_label' of state must hold one label; it holds {values}.")
        positive = values[0]
    if positive is not None:
        check_positive(positive, labels)
    return positive


def _ranking(state: Mapping[str, Any], labels: NDArray[Any]) -> NDArray[Any] | None:
    """The ranking of a state, possibly of more or fewer classes than the labels."""
    if state.get("ranking") is None:
        return None
    ranking = _array(state, "ranking")
    if not np.size(ranking):
        # The ranking of conflicting orders.
        return labels[:0]
    order = read_order(ranking, "ranking")
    check_same_kind(order, labels, "ranking", "labels")
    if (positions_in(labels, order) == len(labels)).all():
        raise ValueError(
            f"'ranking' of state, {show(order)}, has none of the labels {show(labels)}."
        )
    return order


def _axis(axis: Any, where: str) -> Axis:
    """A leading axis of a state."""
    if not isinstance(axis, Mapping):
        raise ValueError(f"{where} must be a dict of name and coordinates; got {axis!r}.")
    name, coordinates = _array(axis, "name", where), np.asarray(_array(axis, "coordinates", where))
    if not isinstance(name, str):
        raise ValueError(f"'name' of {where} must be a string; got {name!r}.")
    if coordinates.ndim != 1:
        raise ValueError(
            f"'coordinates' of {where} must be a list, one per entry; got {axis['coordinates']!r}."
        )
    is_ordered = axis.get("is_ordered", False)
    check_flag(is_ordered, f"'is_ordered' of {where}")
    return Axis(name, coordinates, is_ordered)


def _design(state: Mapping[str, Any]) -> SampleDesign:
    """The design of a state; independent samples where it has none."""
    if state.get("design") is None:
        return INDEPENDENT
    plain = state["design"]
    if not isinstance(plain, Mapping) or plain.get("kind") not in KINDS:
        kinds = [*KINDS]
        raise ValueError(f"'design' of state must be a dict with a 'kind', one of {kinds}.")
    values = _from_json(plain, "'design' of state")
    try:
        return design_of_plain(values)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"'design' of state is corrupted ({error}).") from error


def _from_json(state: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Inverse of `_to_json`."""
    values = {}
    for name, value in state.items():
        if isinstance(value, Mapping):
            is_array = "dtype" in value
            values[name] = _array(state, name, where) if is_array else _from_json(value, where)
        else:
            values[name] = value
    return values


def _array(state: Mapping[str, Any], key: str, where: str = "state") -> Any:
    """An array of a state, or its plain value; errors name it."""
    if key not in state:
        raise ValueError(
            f"{where} has no {key!r}: pass what to_dict returns, or a dict of counts and labels."
        )
    array = state[key]
    if not isinstance(array, Mapping):
        return array
    if isinstance(parts := array.get("crossed"), Mapping) and parts:
        columns = {name: np.asarray(_array(parts, name, where)) for name in parts}
        if len({column.shape for column in columns.values()}) > 1:
            raise ValueError(f"{key!r} of {where} is corrupted: its parts differ in length.")
        return crossed(columns)
    if missing := [part for part in ("dtype", "shape", "values") if part not in array]:
        raise ValueError(
            f"{key!r} of {where} has no {missing[0]!r}: pass a list, or what to_dict returns."
        )
    try:
        return array_from_json(array)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"{key!r} of {where} is corrupted: its values do not match dtype {array['dtype']!r} "
            "and shape "
            f"{array['shape']} ({error})."
        ) from error


def array_from_json(state: Mapping[str, Any]) -> NDArray[Any]:
    """Inverse of `array_to_json`; NumPy would truncate what is too wide for its dtype."""
    dtype = np.dtype(state["dtype"])
    if dtype.kind not in "biufmMSU":
        raise ValueError("labels, counts and coordinates never have such a dtype")
    if dtype.kind in "SU":
        # The width in a state could take much memory.
        array: NDArray[Any] = np.array(state["values"], dtype=str)
        if dtype.kind == "S":
            array = np.char.encode(array, "latin-1")
        if array.dtype.itemsize > dtype.itemsize:
            raise ValueError("they would be truncated")
    else:
        dtype_of_values = np.int64 if dtype.kind in "mM" else dtype
        array = np.array(state["values"], dtype=dtype_of_values).astype(dtype)
    array = array.reshape(state["shape"])
    stored = array_to_json(array)["values"]
    # NaN is not equal to itself.
    if any(
        was != given and (was == was or given == given)
        for was, given in zip(stored, state["values"], strict=True)
    ):
        raise ValueError("they would be truncated")
    return array
