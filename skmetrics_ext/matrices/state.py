"""Arrays -> plain values for JSON, and back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


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
