"""The lines and rows of a data frame that `ConfusionMatrix.score_table` made."""

from typing import Any

import numpy as np

from skmetrics_ext.catalogue.names import did_you_mean
from skmetrics_ext.pictures.control_chart import TimeSeries, place_of_time
from skmetrics_ext.pictures.ordered import with_dates
from skmetrics_ext.reading.containers import frame_columns
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.text import on_one_line

LIMITS = ("_low", "_high")


def series_of_table(source: Any, metric: Any) -> tuple[str, str, list[TimeSeries]] | None:
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
    coordinates = {name: with_dates(arrays.pop(name)) for name in names[:place]}
    time = place_of_time([*coordinates], [*coordinates.values()])
    along = "" if time is None else names[time]
    x = coordinates.pop(along, np.zeros(len(source)))
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
            rows.sort(key=x.__getitem__)
            if along and (x[rows][1:] == x[rows][:-1]).any():
                raise ValueError(
                    "source has two rows for the same entry of "
                    f"{along!r}{title and f' and {title}'}."
                )
            series.append(TimeSeries(title, x[rows], *(part[rows] for part in parts)))
    return chosen[0] if len(chosen) == 1 else "value", along, series


def _numbers(arrays: dict[str, Any], name: str) -> Any:
    """A column of numbers; nan for limits that the frame lacks."""
    try:
        return arrays.get(name, np.full(len(arrays["n_samples"]), np.nan)).astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"the column {name!r} of source is not numeric: the columns after 'n_samples' must be "
            "metric values, as in ConfusionMatrix.score_table."
        ) from None
