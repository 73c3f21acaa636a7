"""Coordinates along which values can be drawn: dates or numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Axes whose numbers are names without an order.
NUMBERED = ("fold", "class", "label")
# With fewer places they are groups, not a series.
LEAST_PLACES = 3


def kind_of_order(name: str, column: NDArray[Any]) -> str:
    """Whether coordinates are "dates" or finite "numbers", no booleans; else empty."""
    is_date, is_number = column.dtype.kind == "M", column.dtype.kind in "iuf"
    if name in NUMBERED or not (is_date or is_number) or len(np.unique(column)) < LEAST_PLACES:
        return ""
    if (np.isnat(column) if is_date else ~np.isfinite(column)).any():
        return ""
    return "dates" if is_date else "numbers"
