"""Results as data frames, in whichever library is installed."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading.containers import narwhals

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
    for library in ("pandas", "polars") if backend is None else (backend,):
        try:
            return nw.from_dict(columns, backend=library).to_native()
        except ModuleNotFoundError:
            continue
    raise ImportError(f"data frames need {backend or 'pandas or polars'}, which is not installed.")


def columns_of_grid(axes: Iterable[tuple[str, NDArray[Any]]]) -> dict[str, Any]:
    """Names and coordinates of axes as columns, one row per combination."""
    axes = list(axes)
    grid = np.meshgrid(*(np.arange(len(coordinates)) for _, coordinates in axes), indexing="ij")
    return {
        name: _for_frame(coordinates[index.ravel()])
        for (name, coordinates), index in zip(axes, grid, strict=True)
    }


def column_of_one(label: Any, n_rows: int) -> Any:
    """A label, or None, in each row."""
    return [None] * n_rows if label is None else _for_frame(np.array([label] * n_rows))


def column_of_values(values: NDArray[Any]) -> Any:
    """Values of entries, of which some may be None."""
    if values.dtype.kind != "O":
        return _for_frame(values)
    dates = [value for value in values if isinstance(value, np.datetime64)]
    if not dates:
        return values.tolist()
    never = np.datetime64("NaT")
    return _for_frame(np.array([never if value is None else value for value in values]))


def column_of_numbers(numbers: NDArray[Any]) -> list[int | None]:
    """Numbers of samples, None where they are unknown."""
    return [None if number != number else int(number) for number in numbers.tolist()]


def _for_frame(labels: NDArray[Any]) -> Any:
    """Labels as a column of a type that every library has."""
    if labels.dtype.kind == "O":
        # Integers too large for any integer type.
        return list(map(str, labels))
    if labels.dtype.kind not in "mM":
        # Pyarrow rejects lists of integers beyond int64.
        return labels if labels.dtype == np.uint64 else labels.tolist()
    unit = UNIT_OF_FRAMES.get(labels.dtype.kind + np.datetime_data(labels.dtype)[0])
    in_unit = None if unit is None else _in_unit(labels, f"{labels.dtype.kind}8[{unit}]")
    if in_unit is not None and _are_unchanged(labels, in_unit):
        return in_unit
    # NumPy's strings truncate what is longer than expected.
    return list(map(str, labels))


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
