"""Labels of which some are missing -> known ones, and where."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading.containers import index_of, missing_in, only_column, present_in
from skmetrics_ext.reading.labels import Column, read_column
from skmetrics_ext.reading.order import KIND_OF_DTYPE, plain, positions_in


class Known(NamedTuple):
    """The labels of the entries that have one."""

    # None if no entry has a label.
    column: Column | None
    # Which entries have one.
    places: NDArray[np.intp]


class PartlyKnown(NamedTuple):
    """Labels of all entries, any of them where it is missing."""

    column: Column
    is_known: NDArray[np.bool_]


def read_known_labels(values: Any, name: str) -> Known:
    """Labels, or None, NaN, NaT, NA or null."""
    missing = missing_in(values)
    if missing is not None and missing.ndim > 1:
        raise ValueError(f"{name} must hold one label per entry; it has shape {missing.shape}.")
    if missing is None or not missing.any():
        column = read_column(values, name)
        places = np.arange(column.n_samples)
    elif missing.all():
        return Known(None, np.arange(0))
    else:
        column, places = read_column(present_in(values, ~missing), name), np.flatnonzero(~missing)
    return Known(column, places)


def read_partly_known(values: Any, name: str) -> PartlyKnown:
    """The same, one per sample, maybe in a column (n, 1)."""
    values = only_column(values)
    if isinstance(values, np.ndarray) and values.shape[1:] == (1,):
        values = values[:, 0]
    column, places = read_known_labels(values, name)
    if column is None:
        raise ValueError(f"{name} holds no label: all are missing.")
    missing = missing_in(values)
    is_known = np.ones(len(places), dtype=bool) if missing is None else ~missing
    codes = np.zeros(len(is_known), dtype=column.codes.dtype)
    codes[places] = column.codes
    return PartlyKnown(column._replace(codes=codes, index=index_of(values)), is_known)


def refuse_codes_of_unknown(
    known: NDArray[Any], classes: NDArray[Any], name: str, if_a_class: str
) -> None:
    """Ask whether empty text, or the only negative number, stands for a missing label."""
    unpredicted = plain(known[positions_in(classes, known) == len(classes)])
    kind = KIND_OF_DTYPE[known.dtype.kind]
    negative = known[known < 0] if kind == "numbers" else known[:0]
    is_text = kind in ("strings", "bytes")
    codes = [
        label
        for label in unpredicted
        if (is_text and not label.strip()) or (len(negative) == 1 and label == negative[0])
    ]
    if codes:
        raise ValueError(
            f"{name} has the label {codes[0]!r}, which no sample is predicted as: does it mean "
            "'unknown'? Then pass None in its place, or NaN in an array of numbers. If it is a "
            f"class, {if_a_class}."
        )
