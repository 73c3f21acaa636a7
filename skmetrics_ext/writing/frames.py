"""Results as data frames, in whichever library is installed."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading.containers import narwhals
from skmetrics_ext.reading.order import name_as_text

# The coarsest unit of pandas, polars and pyarrow that holds dates (M) or durations (m). Others,
# finer than ns or durations of months and years, become text.
UNIT_OF_FRAMES = {
    **dict.fromkeys(("MY", "MM", "MW", "MD"), "D"),
    "Mus": "us",
    "mus": "us",
    "Mns": "ns",
    "mns": "ns",
}
UNIT_OF_FRAMES |= dict.fromkeys(
    ("Mh", "Mm", "Ms", "Mms", "mW", "mD", "mh", "mm", "ms", "mms"), "ms"
)


def frame(columns: dict[str, Any], backend: str | None) -> Any:
    """A data frame in the library that is installed."""
    nw = narwhals()
    readable = {name: _for_frame(column) for name, column in columns.items()}
    for library in ("pandas", "polars") if backend is None else (backend,):
        try:
            return nw.from_dict(readable, backend=library).to_native()
        except ModuleNotFoundError:
            continue
    raise ImportError(f"data frames need {backend or 'pandas or polars'}, which is not installed.")


def columns_of_grid(axes: Iterable[tuple[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Names and coordinates of axes as columns, one row per combination.

    Crossed groups have a column of each of the groups.
    """
    axes = list(axes)
    grid = np.meshgrid(*(np.arange(len(coordinates)) for _, coordinates in axes), indexing="ij")
    columns = {}
    for (name, coordinates), index in zip(axes, grid, strict=True):
        of_rows = coordinates[index.ravel()]
        parts = {part: of_rows[part] for part in coordinates.dtype.names or ()}
        columns.update(parts or {name: of_rows})
    return columns


def column_of_numbers(numbers: NDArray[Any]) -> list[int | None]:
    """Numbers of samples, None where they are unknown."""
    return [None if number != number else int(number) for number in numbers.tolist()]


def _for_frame(column: NDArray[Any] | Sequence[Any]) -> Any:
    """Labels, numbers or texts, maybe None, as a column of a type that every library has."""
    entries = column if isinstance(column, np.ndarray) else _as_array(list(column))
    if any(isinstance(entry, tuple) for entry in column):
        return [None if entry is None else name_as_text(entry) for entry in column]
    if isinstance(entries, list):
        return entries
    if entries.dtype.kind in "mM":
        return _of_times(entries)
    if entries.dtype.kind == "O":
        # Integers beyond int64 beside unknown ones.
        return [None if entry is None else str(entry) for entry in entries.tolist()]
    # Pyarrow rejects lists of integers beyond int64.
    return entries if entries.dtype == np.uint64 else entries.tolist()


def _as_array(entries: list[Any]) -> NDArray[Any] | list[Any]:
    """Dates, durations and large integers as an array, which every library reads; others as they
    are.
    """
    known = [entry for entry in entries if entry is not None]
    if known and all(isinstance(entry, np.datetime64 | np.timedelta64) for entry in known):
        return np.array(entries)
    if not any(type(entry) is int and not -(2**63) <= entry < 2**63 for entry in known):
        return entries
    # A list of int64 and uint64 would become floats.
    fits = len(known) == len(entries) and all(0 <= entry < 2**64 for entry in known)
    return np.array(entries, dtype=np.uint64 if fits else object)


def _of_times(times: NDArray[Any]) -> Any:
    """Dates or durations in a unit of all libraries, as text if none holds them."""
    unit = UNIT_OF_FRAMES.get(times.dtype.kind + np.datetime_data(times.dtype)[0])
    in_unit = None if unit is None else _in_unit(times, f"{times.dtype.kind}8[{unit}]")
    if in_unit is not None and _are_unchanged(times, in_unit):
        return in_unit
    # NumPy's strings truncate what is longer than expected.
    return [None if np.isnat(time) else str(time) for time in times]


def _in_unit(labels: NDArray[Any], dtype: str) -> NDArray[Any] | None:
    """Dates or durations in another unit; None where newer versions of NumPy report an overflow."""
    try:
        return labels.astype(dtype)
    except OverflowError:
        return None


def _are_unchanged(labels: NDArray[Any], in_unit: NDArray[Any]) -> bool:
    """Whether dates or durations are the same in another unit: remote ones may overflow."""
    back = in_unit.astype(labels.dtype)
    # As integers: NumPy compares in the finer unit, which may overflow.
    if not np.array_equal(back.astype(np.int64), labels.astype(np.int64)):
        return False
    if np.datetime_data(in_unit.dtype)[0] != "D":
        return True
    # Days have 32 bits in polars and Arrow.
    days = in_unit[~np.isnat(in_unit)].astype(np.int64)
    return bool((days == days.astype(np.int32)).all())
