"""Results as data frames, in whichever library is installed."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading.containers import narwhals

# The coarsest unit that pandas, polars and pyarrow all have, and that holds the dates (M) or
# durations (m) of a unit as they are. Not here: units finer than ns, and durations of months and
# years, which become text.
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
    """A data frame made by narwhals, in the library that is installed."""
    nw = narwhals()
    for library in ("pandas", "polars") if backend is None else (backend,):
        try:
            return nw.from_dict(columns, backend=library).to_native()
        except ModuleNotFoundError:
            continue
    raise ImportError(f"data frames need {backend or 'pandas or polars'}, which is not installed.")


def columns_of_grid(axes: Iterable[tuple[str, NDArray[Any]]]) -> dict[str, Any]:
    """The names and the coordinates of some axes as columns, one row per combination."""
    axes = list(axes)
    grid = np.meshgrid(*(np.arange(len(coordinates)) for _, coordinates in axes), indexing="ij")
    return {
        name: _for_frame(coordinates[index.ravel()])
        for (name, coordinates), index in zip(axes, grid, strict=True)
    }


def column_of_one(label: Any, n_rows: int) -> Any:
    """A label, or None, in each row."""
    return [None] * n_rows if label is None else _for_frame(np.array([label] * n_rows))


def _for_frame(labels: NDArray[Any]) -> Any:
    """Labels as a column of a type that every data-frame library has."""
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
    # Not with NumPy, whose strings truncate what is longer than expected.
    return list(map(str, labels))


def _in_unit(labels: NDArray[Any], dtype: str) -> NDArray[Any] | None:
    """Dates or durations in another unit; None where NumPy reports an overflow, which older
    versions do not.
    """
    try:
        return labels.astype(dtype)
    except OverflowError:
        return None


def _are_unchanged(labels: NDArray[Any], in_unit: NDArray[Any]) -> bool:
    """Whether dates or durations are the same in another unit, and fit a data frame: remote dates
    and long durations may overflow a finer unit.
    """
    back = in_unit.astype(labels.dtype)
    # As integers: NumPy would convert dates of two units to the finer one, which may overflow.
    if not np.array_equal(back.astype(np.int64), labels.astype(np.int64)):
        return False
    if np.datetime_data(in_unit.dtype)[0] != "D":
        return True
    # Days have 32 bits in polars and Arrow.
    days = in_unit[~np.isnat(in_unit)].astype(np.int64)
    return bool((days == days.astype(np.int32)).all())
