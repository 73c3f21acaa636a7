"""The cells of a confusion matrix one by one: as columns of a data frame, and the most frequent errors."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.formulas import all_classes
from skmetrics_ext.matrices.parts import Parts
from skmetrics_ext.reading.arguments import check_whole
from skmetrics_ext.reading.order import plain

# The coarsest unit that pandas, polars and pyarrow all have, and that holds the dates (M) or durations (m) of a unit as
# they are. Not here: units finer than ns, and durations of months and years, which are written out.
UNIT_OF_FRAMES = {
    **dict.fromkeys(("MY", "MM", "MW", "MD"), "D"),
    **dict.fromkeys(("Mh", "Mm", "Ms", "Mms", "mW", "mD", "mh", "mm", "ms", "mms"), "ms"),
    **dict.fromkeys(("Mus", "mus"), "us"),
    **dict.fromkeys(("Mns", "mns"), "ns"),
}


class Confusion(NamedTuple):
    """How often one class is taken for another; `share` is of the samples of the actual class."""

    actual: Any
    predicted: Any
    count: float  # type: ignore[assignment]  # hides the method of tuples, which nobody calls on a record
    share: float


def columns_of_cells(parts: Parts) -> dict[str, Any]:
    """One entry a cell: the coordinates of the leading axes, "actual", "predicted" and "count"."""
    coordinates = [axis.coordinates for axis in parts.axes] + [parts.labels, parts.labels]
    names = [axis.name for axis in parts.axes] + ["actual", "predicted"]
    grid = np.meshgrid(*(np.arange(len(values)) for values in coordinates), indexing="ij")
    columns = {
        name: _for_frame(values[index.ravel()]) for name, values, index in zip(names, coordinates, grid, strict=True)
    }
    return {**columns, "count": parts.counts.ravel().tolist()}


def most_frequent_errors(counts: NDArray[Any], labels: NDArray[Any], n: int) -> list[Confusion]:
    """The n largest counts beside the diagonal that are not 0."""
    check_whole(n, "n")
    errors = np.where(np.eye(len(counts), dtype=bool), 0, counts)
    share = all_classes.shares(counts, "true")
    largest = np.argsort(-errors, axis=None, kind="stable")[:n]
    cells = [np.unravel_index(cell, errors.shape) for cell in largest]
    names = plain(labels)
    return [
        Confusion(names[i], names[j], errors[i, j].item(), share[i, j].item()) for i, j in cells if errors[i, j] > 0
    ]


def _for_frame(labels: NDArray[Any]) -> Any:
    """Labels as a column that every data-frame library has a type for."""
    if labels.dtype.kind == "O":
        # Integers that no integer type holds.
        return list(map(str, labels))
    if labels.dtype.kind not in "mM":
        # Lists of larger integers than int64 holds are refused by pyarrow.
        return labels if labels.dtype == np.uint64 else labels.tolist()
    unit = UNIT_OF_FRAMES.get(labels.dtype.kind + np.datetime_data(labels.dtype)[0])
    in_unit = None if unit is None else _in_unit(labels, f"{labels.dtype.kind}8[{unit}]")
    if in_unit is not None and _are_held(labels, in_unit):
        return in_unit
    # Not by NumPy, whose strings cut off what is longer than it expects.
    return list(map(str, labels))


def _in_unit(labels: NDArray[Any], dtype: str) -> NDArray[Any] | None:
    """Dates or durations in another unit; None where NumPy says that they do not fit, which older versions do not."""
    try:
        return labels.astype(dtype)
    except OverflowError:
        return None


def _are_held(labels: NDArray[Any], in_unit: NDArray[Any]) -> bool:
    """Whether a finer unit holds dates or durations that are far off; one of days holds 32 bits in polars and Arrow."""
    # As integers: NumPy would bring dates of two units to the finer one, which is what may not hold them.
    kept = np.array_equal(in_unit.astype(labels.dtype).astype(np.int64), labels.astype(np.int64))
    days = in_unit.astype(np.int64) if np.datetime_data(in_unit.dtype)[0] == "D" else np.zeros(1, dtype=np.int64)
    return kept and bool((days == days.astype(np.int32)).all())
