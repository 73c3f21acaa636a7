"""Coordinates in an order along which values can be drawn: dates, in any writing, or numbers."""

import re
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Axes whose numbers are names without an order.
NUMBERED = ("fold", "class", "label")
# With fewer places they are groups, not a series.
LEAST_PLACES = 3
DATE = re.compile(r"\d{4}-\d{2}(-\d{2})?")


def with_dates(column: NDArray[Any]) -> NDArray[Any]:
    """The column as dates if all of its text is dates or months."""
    texts = column.tolist() if column.dtype.kind in "OUT" else []
    if texts and all(isinstance(text, str) and DATE.fullmatch(text) for text in texts):
        with suppress(ValueError):
            return np.array(texts, dtype="M8[D]")
    return column


def kind_of_order(name: str, column: NDArray[Any]) -> str:
    """Whether coordinates with dates are "dates" or finite "numbers", booleans not; empty if they
    have no order.
    """
    is_date, is_number = column.dtype.kind == "M", column.dtype.kind in "iuf"
    if name in NUMBERED or not (is_date or is_number) or len(np.unique(column)) < LEAST_PLACES:
        return ""
    if (np.isnat(column) if is_date else ~np.isfinite(column)).any():
        return ""
    return "dates" if is_date else "numbers"
