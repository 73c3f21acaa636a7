"""Values over time: lines with bands, and control limits or the bounds of `watch`."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis, order_in_time, place_of_axis, with_dates
from skmetrics_ext.plotting.artists import Axes, Line2D, PolyCollection
from skmetrics_ext.plotting.axes import draw_grid
from skmetrics_ext.plotting.lines import LINE_COLOURS, LINE_WIDTH, draw_band
from skmetrics_ext.plotting.ordered import kind_of_order
from skmetrics_ext.reading.order import plain, show
from skmetrics_ext.statistics.results import Alarms, Interval, names_of_entries
from skmetrics_ext.writing.text import on_one_line

MOST_LINES = len(LINE_COLOURS)
MARKERS = "os^Dv<>pXP"
OF_LIMITS = "control limits"
OF_MARKS = "outside control limits"


class TimeSeries(NamedTuple):
    """A line: its name, and at each place from left to right, which is a date, a number or a text,
    the value, its limits, and the number of samples.
    """

    name: str
    x: NDArray[Any]
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    n: NDArray[np.float64]


def place_of_time(names: Sequence[str], columns: Sequence[NDArray[Any]]) -> int | None:
    """The place of the only coordinates that are dates, or else numbers, along which values can be
    drawn.
    """
    kinds = [
        kind_of_order(name, with_dates(column)) for name, column in zip(names, columns, strict=True)
    ]
    return next(
        (kinds.index(kind) for kind in ("dates", "numbers") if kinds.count(kind) == 1), None
    )


def series_of_intervals(
    intervals: Mapping[Any, Interval], asked: Any = None
) -> tuple[str, list[TimeSeries]]:
    """The name of the axis of time, which may be asked for, and the lines along it; no lines unless
    all intervals have one of this name.
    """
    series, names = [], set()
    for name, one in intervals.items():
        if asked is not None:
            place: int | None = place_of_axis(one.axes, asked)
        else:
            place = place_of_time(
                [axis.name for axis in one.axes], [axis.coordinates for axis in one.axes]
            )
        if place is None:
            return "", []
        names.add(one.axes[place].name)
        parts = one.value, one.low, one.high, np.ones(one.value.shape) if one.n is None else one.n
        first = [] if name is None else [on_one_line(name)]
        series += _along(first, one.axes, place, parts)
    if len(names) != 1:
        return "", []
    along = names.pop()
    _check_same_texts(along, series)
    return along, series


def series_of_alarms(found: Alarms) -> list[TimeSeries]:
    """The values of each month."""
    values = dict(zip(found.metrics, found.value, strict=True))
    axes = (found.time, *found.axes[1:])
    series = []
    for metric, value in values.items():
        unknown = np.full(value.shape, np.nan)
        first = [metric] if len(values) > 1 else []
        series += _along(first, axes, 0, (value, unknown, unknown, unknown))
    return series


def _along(
    first: list[str], axes: Sequence[Axis], place: int, parts: Sequence[Any]
) -> list[TimeSeries]:
    """One line per combination of the other axes."""
    order = order_in_time(axes[place])
    x = where_drawn(axes[place], order)
    rows = [np.moveaxis(part, place, -1)[..., order].reshape(-1, len(x)) for part in parts]
    entries = names_of_entries((*axes[:place], *axes[place + 1 :]))
    return [
        TimeSeries(", ".join([*first, *entry]), x, *row)
        for entry, *row in zip(entries, *rows, strict=True)
    ]


def where_drawn(axis: Axis, order: NDArray[np.intp]) -> NDArray[Any]:
    """Where the entries of an axis are drawn from left to right: at their dates or numbers, or
    where these have another order as text, one beside the other.
    """
    dated = with_dates(axis.coordinates)[order]
    if dated.dtype.kind in "Miuf" and (dated[:-1] < dated[1:]).all():
        return dated
    return np.array([on_one_line(name) for name in plain(axis.coordinates[order])])


def _check_same_texts(along: str, series: Sequence[TimeSeries]) -> None:
    """Refuse texts one beside the other that differ between lines, which have no common order."""
    first = series[0].x
    for one in series[1:]:
        if "U" in (first.dtype.kind, one.x.dtype.kind) and not np.array_equal(first, one.x):
            raise ValueError(
                f"the entries of {along!r} are {show(first, 5)} in one interval and "
                f"{show(one.x, 5)} in another: plot the same entries of each, or use dates."
            )


def limits_of_all_before(one: TimeSeries) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Control limits: the range expected for a value if its true value is the mean of all earlier
    ones; else nan.

    The mean is weighted by the samples, and the limits of the difference are those of MOVER.
    """
    value, low, high = one.value, one.low, one.high
    lower, upper = np.full((2, len(value)), np.nan)
    known = np.isfinite(value + low + high) & (one.n > 0)
    n, value = one.n[known], value[known]
    below, above = (np.maximum(part, 0) for part in (value - low[known], high[known] - value))
    if len(value) < 2:
        return lower, upper
    total = np.cumsum(n)[:-1]
    mean = np.cumsum(n * value)[:-1] / total
    mean_below, mean_above = (
        np.sqrt(np.cumsum((n * part) ** 2)[:-1]) / total for part in (below, above)
    )
    (places,) = np.nonzero(known)
    lower[places[1:]] = mean - np.hypot(above[1:], mean_below)
    upper[places[1:]] = mean + np.hypot(below[1:], mean_above)
    return lower, upper


def draw_control_chart(
    ax: Axes, series: list[TimeSeries]
) -> tuple[list[Line2D], list[PolyCollection], list[Line2D], Line2D]:
    """Lines, the bands between their confidence limits, their control limits, and rings at values
    outside these.

    Control limits test each value anew against the mean of the earlier ones, so that chance alone
    marks some of many; `watch` tests a given bound, and limits the probability of a false alarm in
    all months together.
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
    for one, colour, marker in zip(series, LINE_COLOURS, MARKERS, strict=False):
        # Without a sample that the metric is about, a value is what zero_division= says, and the
        # limits are 0 and 1.
        value, low, high = (
            np.where(np.isfinite(part) & (one.n != 0), part, np.nan) for part in one[2:5]
        )
        style: dict[str, Any] = {"color": colour, "linewidth": LINE_WIDTH, "label": one.name}
        lines += ax.plot(one.x, value, marker=marker, markersize=5, zorder=3, **style)
        if np.isnan(low + high).all():
            continue
        # A month with a gap on either side has a width of its own.
        bands.append(
            draw_band(
                ax, lines[-1], lines[-1].get_xdata(orig=False), low, high, drawstyle="steps-mid"
            )
        )
        lower, upper = limits_of_all_before(one)
        stepped: dict[str, Any] = {
            "drawstyle": "steps-mid",
            "linestyle": ":",
            "linewidth": 1,
            "zorder": 2,
        }
        for edge in (lower, upper):
            limits += ax.plot(one.x, edge, color=colour, label=OF_LIMITS, **stepped)
        places = np.nonzero((value < lower) | (value > upper))[0]
        outside += zip(one.x[places], value[places].tolist(), strict=True)
    x, y = (
        np.array([place for place, _ in outside], dtype=series[0].x.dtype),
        [value for _, value in outside],
    )
    ring: dict[str, Any] = {
        "markerfacecolor": "none",
        "markeredgecolor": LINE_COLOURS[2],
        "markeredgewidth": 1.6,
    }
    (marks,) = ax.plot(x, y, "o", markersize=11, zorder=4, label=OF_MARKS, **ring)
    return lines, bands, limits, marks
