"""The lines and rows of a data frame that `ConfusionMatrix.score_table` made."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.names import did_you_mean
from skmetrics_ext.counting.axes import Axis, axis_of_column, order_in_time
from skmetrics_ext.plotting.control_chart import TimeSeries, place_of_time, where_drawn
from skmetrics_ext.reading.containers import frame_columns
from skmetrics_ext.reading.groups import read_groups
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.text import on_one_line

LIMITS = ("_low", "_high")


def series_of_table(
    source: Any, metric: Any, axis: Any = None
) -> tuple[str, str, list[TimeSeries]] | None:
    """The name of the values, that of the axis of time, and a line for each of the others; None for
    anything else.

    Coordinates are before the column "n_samples", values and their limits after it. Without time,
    each row is a line.
    """
    columns = frame_columns(source)
    if columns is None:
        return None
    arrays = {str(name): np.asarray(column) for name, column in columns}
    names = [*arrays]
    if "n_samples" not in names:
        raise ValueError(
            "source is a data frame without the column 'n_samples': pass one made by "
            "ConfusionMatrix.score_table; "
            f"the columns are {names}."
        )
    place = names.index("n_samples")
    ends = [name + end for name in names[place + 1 :] for end in LIMITS]
    metrics = [name for name in names[place + 1 :] if name not in ends]
    if metric is not None and metric not in metrics:
        raise ValueError(
            f"source has no metric {metric!r}; it has "
            f"{metrics}.{did_you_mean(str(metric), metrics)}"
        )
    chosen = metrics if metric is None else [metric]
    if not chosen:
        raise ValueError(
            "source has no column of values after 'n_samples': pass a frame with at least one "
            "metric."
        )
    coordinates = {name: arrays.pop(name) for name in names[:place]}
    if axis is None:
        time = place_of_time([*coordinates], [*coordinates.values()])
        along = "" if time is None else names[time]
    elif axis not in coordinates:
        raise ValueError(f"source has no axis {axis!r}; it has {[*coordinates]}.")
    else:
        along = axis
    x = rank = np.zeros(len(source), dtype=np.intp)
    if along:
        x, rank = _over_time(along, coordinates.pop(along), columns[names.index(along)][1])
    entries = list(zip(*map(plain, coordinates.values()), strict=True)) or [()] * len(x)
    series = []
    for name in chosen:
        first = [name] if len(chosen) > 1 else []
        parts = [
            _numbers(arrays, column)
            for column in (name, name + "_low", name + "_high", "n_samples")
        ]
        lines: dict[str, list[int]] = {}
        for row, entry in enumerate(entries):
            lines.setdefault(", ".join([*first, *map(on_one_line, entry)]), []).append(row)
        for title, rows in lines.items():
            rows.sort(key=rank.__getitem__)
            if along and (rank[rows][1:] == rank[rows][:-1]).any():
                raise ValueError(
                    "source has two rows for the same entry of "
                    f"{along!r}{title and f' and {title}'}."
                )
            series.append(TimeSeries(title, x[rows], *(part[rows] for part in parts)))
    return chosen[0] if len(chosen) == 1 else "value", along, series


def _over_time(
    name: str, array: NDArray[Any], column: Any
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Where each row is drawn from left to right, and its rank."""
    if array.dtype.kind in "iuf":
        labels, codes = np.unique(array, return_inverse=True)
        axis = Axis(name, labels)
    else:
        read = read_groups(column, name)
        axis, codes = axis_of_column(name, read), read.codes
    order = order_in_time(axis)
    rank = np.argsort(order)[codes]
    return where_drawn(axis, order)[rank], rank


def _numbers(arrays: dict[str, Any], name: str) -> Any:
    """A column of numbers; nan for limits that the frame lacks."""
    try:
        return arrays.get(name, np.full(len(arrays["n_samples"]), np.nan)).astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"the column {name!r} of source is not numeric: the columns after 'n_samples' must be "
            "metric values, as in ConfusionMatrix.score_table."
        ) from None
