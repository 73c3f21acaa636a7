"""The lines and rows of a frame from `ConfusionMatrix.score_table`."""

from typing import Any, NamedTuple

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


class ScoreTable(NamedTuple):
    """The columns of a data frame by what they are."""

    # Before the column "n_samples".
    coordinates: dict[str, NDArray[Any]]
    # That column, and values and their limits after it.
    numbers: dict[str, NDArray[Any]]
    # The columns of values.
    metrics: list[str]


def series_of_table(
    source: Any, metric: Any, axis: Any = None
) -> tuple[str, str, list[TimeSeries]] | None:
    """The names of values and of the axis of time, and lines; None for anything else.

    Coordinates are before "n_samples", values and limits after it; without time, rows are lines.
    """
    columns = frame_columns(source)
    if columns is None:
        return None
    table = _read_columns(columns)
    metrics = _chosen_metrics(table, metric)
    along = _axis_of_time(table, axis)
    x = rank = np.zeros(len(source), dtype=np.intp)
    if along:
        column = next(column for name, column in columns if str(name) == along)
        x, rank = _over_time(along, table.coordinates[along], column)
    others = [array for name, array in table.coordinates.items() if name != along]
    entries = list(zip(*map(plain, others), strict=True)) or [()] * len(x)
    series = []
    for name in metrics:
        first = [name] if len(metrics) > 1 else []
        value, low, high, n = (
            _numbers(table, column) for column in (name, *_limits_of(name), "n_samples")
        )
        for title, rows in _rows_of_lines(first, entries).items():
            rows.sort(key=rank.__getitem__)
            if along and (rank[rows][1:] == rank[rows][:-1]).any():
                of_line = f" and {title}" if title else ""
                raise ValueError(f"source has two rows for the same entry of {along!r}{of_line}.")
            series.append(TimeSeries(title, x[rows], value[rows], low[rows], high[rows], n[rows]))
    return metrics[0] if len(metrics) == 1 else "value", along, series


def _read_columns(columns: list[tuple[Any, Any]]) -> ScoreTable:
    """The columns before and after "n_samples"."""
    arrays = {str(name): np.asarray(column) for name, column in columns}
    names = [*arrays]
    if "n_samples" not in names:
        raise ValueError(
            "source is a data frame without the column 'n_samples': pass one made by "
            f"ConfusionMatrix.score_table; the columns are {names}."
        )
    place = names.index("n_samples")
    values = names[place + 1 :]
    limits = [limit for name in values for limit in _limits_of(name)]
    return ScoreTable(
        coordinates={name: arrays[name] for name in names[:place]},
        numbers={name: arrays[name] for name in names[place:]},
        metrics=[name for name in values if name not in limits],
    )


def _limits_of(name: str) -> list[str]:
    """The columns of the limits of a value."""
    return [name + end for end in LIMITS]


def _chosen_metrics(table: ScoreTable, metric: Any) -> list[str]:
    """The metric asked for, or all."""
    if metric is not None and metric not in table.metrics:
        raise ValueError(
            f"source has no metric {metric!r}; it has "
            f"{table.metrics}.{did_you_mean(str(metric), table.metrics)}"
        )
    if not table.metrics:
        raise ValueError(
            "source has no column of values after 'n_samples': pass a frame with at least one "
            "metric."
        )
    return table.metrics if metric is None else [metric]


def _axis_of_time(table: ScoreTable, axis: Any) -> str:
    """The coordinate asked for, or the only one of dates or numbers, if any."""
    names = [*table.coordinates]
    if axis is not None:
        if axis not in names:
            raise ValueError(f"source has no axis {axis!r}; it has {names}.")
        return str(axis)
    place = place_of_time(names, [*table.coordinates.values()])
    return "" if place is None else names[place]


def _rows_of_lines(first: list[str], entries: list[tuple[Any, ...]]) -> dict[str, list[int]]:
    """The rows of each line, by its name: the metric, if several, and the coordinates."""
    rows: dict[str, list[int]] = {}
    for row, entry in enumerate(entries):
        title = ", ".join([*first, *map(on_one_line, entry)])
        rows.setdefault(title, []).append(row)
    return rows


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


def _numbers(table: ScoreTable, name: str) -> Any:
    """A column of numbers; nan for absent limits."""
    try:
        if name not in table.numbers:
            return np.full(len(table.numbers["n_samples"]), np.nan)
        return table.numbers[name].astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"the column {name!r} of source is not numeric: the columns after 'n_samples' must be "
            "metric values, as in ConfusionMatrix.score_table."
        ) from None
