"""Values over dates or numbers: lines with bands and control limits, or with the bounds that `watch` tests."""

import re
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.names import did_you_mean
from skmetrics_ext.pictures.artists import Axes, Line2D, PolyCollection
from skmetrics_ext.pictures.axes import draw_grid, draw_legend
from skmetrics_ext.pictures.lines import LINE_COLOURS, LINE_WIDTH
from skmetrics_ext.reading.containers import frame_columns
from skmetrics_ext.reading.order import plain
from skmetrics_ext.statistics.results import Alarms
from skmetrics_ext.writing.frames import columns_of_grid
from skmetrics_ext.writing.text import on_one_line

# Axes whose numbers are names without an order.
NUMBERED = ("fold", "class", "label")
# With fewer places they are groups, not a time series.
LEAST_PLACES = 3
LIMITS = ("_low", "_high")
DATE = re.compile(r"\d{4}-\d{2}(-\d{2})?")

MOST_LINES = len(LINE_COLOURS)
OF_LIMITS = "control limits"
OF_MARKS = "outside control limits"


class Limited(NamedTuple):
    """The values of a metric and their confidence limits, nan where there are none."""

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class ScoreTable(NamedTuple):
    """The columns before "n_samples" are coordinates; after it are values, each with its limits if there are any."""

    coordinates: dict[str, NDArray[Any]]
    n_samples: NDArray[np.float64]
    metrics: dict[str, Limited]

    def axis_of_time(self) -> str | None:
        """The only column that can serve as a time axis: dates, or else numbers; None if there is no such column."""
        for are_places in (_are_dates, _are_numbers):
            found = [
                name
                for name, column in self.coordinates.items()
                if name not in NUMBERED and are_places(column) and len(np.unique(column)) >= LEAST_PLACES
            ]
            if len(found) == 1:
                return found[0]
        return None

    def names(self, metric: str, left_out: str | None = None) -> list[str]:
        """The name of each row: its coordinates, after the metric if there are several."""
        first = [metric] if len(self.metrics) > 1 else []
        columns = [plain(column) for name, column in self.coordinates.items() if name != left_out]
        rows = zip(*columns, strict=True) if columns else [()] * len(self.n_samples)
        return [", ".join([*first, *map(on_one_line, row)]) for row in rows]


def read_score_table(source: Any, metric: Any) -> ScoreTable | None:
    """The metrics of a frame, or the requested one; None if the source is not a frame."""
    columns = frame_columns(source)
    if columns is None:
        return None
    arrays = {str(name): np.asarray(column) for name, column in columns}
    names = [*arrays]
    if "n_samples" not in names:
        raise ValueError(
            f"source is a data frame without the column 'n_samples': pass one made by ConfusionMatrix.score_table; "
            f"the columns are {names}."
        )
    place = names.index("n_samples")
    ends = [name + end for name in names[place + 1 :] for end in LIMITS]
    metrics = [name for name in names[place + 1 :] if name not in ends]
    if metric is not None and metric not in metrics:
        raise ValueError(f"source has no metric {metric!r}; it has {metrics}.{did_you_mean(str(metric), metrics)}")
    chosen = metrics if metric is None else [metric]
    if not chosen:
        raise ValueError("source has no column of values after 'n_samples': pass a frame with at least one metric.")
    coordinates = {name: _with_dates(arrays[name]) for name in names[:place]}
    values = {name: Limited(*(_numbers(arrays, name + end) for end in ("", *LIMITS))) for name in chosen}
    return ScoreTable(coordinates, _numbers(arrays, "n_samples"), values)


def table_of_alarms(found: Alarms) -> ScoreTable:
    """The values of each month, which is numbered unless the months are dates or numbers in their order."""
    months = _with_dates(found.time.coordinates)
    if months.dtype.kind not in "Mifu" or (months[:-1] > months[1:]).any():
        months = np.arange(1, len(months) + 1)
    grid = columns_of_grid([(found.time.name, months), *found.axes[1:]])
    unknown = np.full(found.value[0].size, np.nan)
    values = zip(found.metrics, found.value, strict=True)
    metrics = {metric: Limited(value.ravel(), unknown, unknown) for metric, value in values}
    return ScoreTable({name: np.asarray(column) for name, column in grid.items()}, unknown, metrics)


def _numbers(arrays: dict[str, NDArray[Any]], name: str) -> NDArray[np.float64]:
    """A column of numbers; nan for limits that the frame lacks."""
    if name not in arrays:
        return np.full(len(arrays["n_samples"]), np.nan)
    try:
        return arrays[name].astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"the column {name!r} of source is not numeric: the columns after 'n_samples' must be metric values, as in "
            "ConfusionMatrix.score_table."
        ) from None


def _with_dates(column: NDArray[Any]) -> NDArray[Any]:
    """The column as dates if all of its text is dates or months."""
    texts = column.tolist() if column.dtype.kind in "OUT" else []
    if texts and all(isinstance(text, str) and DATE.fullmatch(text) for text in texts):
        with suppress(ValueError):
            return np.array(texts, dtype="M8[D]")
    return column


def _are_dates(column: NDArray[Any]) -> bool:
    """Whether coordinates are points in time."""
    return column.dtype.kind == "M" and not np.isnat(column).any()


def _are_numbers(column: NDArray[Any]) -> bool:
    """Whether coordinates are finite numbers; booleans are not."""
    return column.dtype.kind in "iuf" and bool(np.isfinite(column).all())


class TimeSeries(NamedTuple):
    """A line: its name, and the values at each place from left to right."""

    name: str
    x: NDArray[Any]
    values: Limited
    n_samples: NDArray[np.float64]


class ControlChart(NamedTuple):
    """The artists of the lines."""

    lines: list[Line2D]
    bands: list[PolyCollection]
    limits: list[Line2D]
    marks: Line2D


def time_series_of(table: ScoreTable, along: str) -> list[TimeSeries]:
    """One line per metric and combination of the other coordinates, in the order of the frame."""
    x = table.coordinates[along]
    found = []
    for metric, values in table.metrics.items():
        names = np.array(table.names(metric, along))
        for name in dict.fromkeys(names.tolist()):
            (rows,) = np.nonzero(names == name)
            rows = rows[np.argsort(x[rows], kind="stable")]
            if (x[rows][:-1] == x[rows][1:]).any():
                raise ValueError(
                    f"source has two rows for the same entry of {along!r}{f' and {name}' if name else ''}."
                )
            found.append(TimeSeries(name, x[rows], Limited(*(part[rows] for part in values)), table.n_samples[rows]))
    if len(found) > MOST_LINES:
        raise ValueError(
            f"plot_intervals draws at most {MOST_LINES} lines over {along!r}, but there are {len(found)}: choose a "
            "metric with metric=, or some entries with cm.sel(...)."
        )
    return found


def limits_of_all_before(one: TimeSeries) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Control limits: the range expected for a value if its true value is the mean of all earlier ones; else nan.

    The mean is weighted by the samples, and the limits of the difference are those of MOVER.
    """
    value, low, high = one.values
    lower, upper = np.full((2, len(value)), np.nan)
    known = np.isfinite(value + low + high) & (one.n_samples > 0)
    n, value = one.n_samples[known], value[known]
    below, above = (np.maximum(part, 0) for part in (value - low[known], high[known] - value))
    if len(value) < 2:
        return lower, upper
    total = np.cumsum(n)[:-1]
    mean = np.cumsum(n * value)[:-1] / total
    mean_below, mean_above = (np.sqrt(np.cumsum((n * part) ** 2)[:-1]) / total for part in (below, above))
    (places,) = np.nonzero(known)
    lower[places[1:]] = mean - np.hypot(above[1:], mean_below)
    upper[places[1:]] = mean + np.hypot(below[1:], mean_above)
    return lower, upper


def draw_control_chart(ax: Axes, series: list[TimeSeries], *, own_figure: bool) -> ControlChart:
    """Each in its own colour, with a band between its confidence limits, and rings outside its control limits.

    Control limits test each value anew against the mean of the earlier ones, so that chance alone marks some of many;
    `watch` tests a given bound, and limits the probability of a false alarm in all months together.
    """
    draw_grid(ax)
    if series[0].x.dtype.kind == "M":
        from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

        locator = AutoDateLocator()  # type: ignore[no-untyped-call]  # matplotlib has no types for it
        ax.xaxis.set_major_locator(locator)
        ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]  # nor for it
    lines: list[Line2D] = []
    bands: list[PolyCollection] = []
    limits: list[Line2D] = []
    outside: list[tuple[Any, float]] = []
    for one, colour in zip(series, LINE_COLOURS, strict=False):
        value, low, high = (np.where(np.isfinite(part), part, np.nan) for part in one.values)
        style: dict[str, Any] = {"color": colour, "linewidth": LINE_WIDTH, "label": one.name}
        lines += ax.plot(one.x, value, marker="o", markersize=4, zorder=3, **style)
        if np.isnan(low + high).all():
            continue
        bands.append(ax.fill_between(one.x, low, high, color=colour, alpha=0.2, linewidth=0, zorder=1))
        lower, upper = limits_of_all_before(one)
        for edge in (lower, upper):
            limits += ax.plot(one.x, edge, linestyle=":", linewidth=1, color=colour, zorder=2, label=OF_LIMITS)
        places = np.nonzero((value < lower) | (value > upper))[0]
        outside += zip(one.x[places], value[places].tolist(), strict=True)
    x, y = np.array([place for place, _ in outside], dtype=series[0].x.dtype), [value for _, value in outside]
    ring: dict[str, Any] = {"markerfacecolor": "none", "markeredgecolor": LINE_COLOURS[2], "markeredgewidth": 1.6}
    (marks,) = ax.plot(x, y, "o", markersize=11, zorder=4, label=OF_MARKS, **ring)
    named = lines if series[0].name else []
    guides = [*limits[:1], *([marks] if outside else [])]
    if named or guides:
        draw_legend(ax, named, guides, own_figure=own_figure)
    return ControlChart(lines, bands, limits, marks)
