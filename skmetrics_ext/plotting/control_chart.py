"""Values over time: lines with bands and control limits."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.names import is_metric_name, resolve
from skmetrics_ext.counting.axes import Axis, order_in_time, place_of_axis, with_dates
from skmetrics_ext.plotting.axes import Axes, Line2D, PolyCollection, draw_grid, kind_of_order
from skmetrics_ext.plotting.lines import LINE_COLOURS, LINE_WIDTH, draw_band
from skmetrics_ext.reading.order import plain, show
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.results import Alarms, Interval, names_of_entries
from skmetrics_ext.statistics.values.proportions import mover
from skmetrics_ext.writing.text import on_one_line

MOST_LINES = len(LINE_COLOURS)
MARKERS = "os^Dv<>pXP"
OF_LIMITS = "control limits"
OF_MARKS = "outside control limits"

# The range of metrics that are not known by name.
ENDLESS = Limits(np.array(-np.inf), np.array(np.inf))


class TimeSeries(NamedTuple):
    """A line: its name, and at each place (date, number or text) value, limits and samples."""

    name: str
    x: NDArray[Any]
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    n: NDArray[np.float64]
    metric: str = ""


def place_of_time(names: Sequence[str], columns: Sequence[NDArray[Any]]) -> int | None:
    """The place of the only coordinates that are dates, or else numbers."""
    kinds = [
        kind_of_order(name, with_dates(column)) for name, column in zip(names, columns, strict=True)
    ]
    for kind in ("dates", "numbers"):
        if kinds.count(kind) == 1:
            return kinds.index(kind)
    return None


def series_of_intervals(
    intervals: Mapping[Any, Interval], asked: Any = None
) -> tuple[str, list[TimeSeries]]:
    """The axis of time, maybe as asked for, and the lines along it, if all intervals have it."""
    series, names = [], set()
    for name, one in intervals.items():
        place = _place_along(one.axes, asked)
        if place is None:
            return "", []
        names.add(one.axes[place].name)
        # Unknown numbers weigh alike.
        n = np.where(np.isnan(one.n), 1, one.n)
        first = [] if name is None else [on_one_line(name)]
        of_one = _along(first, one.axes, place, (one.value, one.low, one.high, n))
        series += [line._replace(metric=one.metric) for line in of_one]
    if len(names) != 1:
        return "", []
    along = names.pop()
    _check_same_texts(along, series)
    return along, series


def _place_along(axes: Sequence[Axis], asked: Any) -> int | None:
    """The place of the axis asked for, or else of the only one of dates or numbers."""
    if asked is not None:
        return place_of_axis(tuple(axes), asked)
    return place_of_time([axis.name for axis in axes], [axis.coordinates for axis in axes])


def series_of_alarms(found: Alarms) -> list[TimeSeries]:
    """The values of each month, and the confidence sequence."""
    places = {metric: place for place, metric in enumerate(found.metrics)}
    axes = (*found.axes[1:], found.time)
    series = []
    for metric, place in places.items():
        parts = [of[place] for of in (found.value, found.low, found.high)]
        first = [metric] if len(places) > 1 else []
        series += _along(first, axes, len(axes) - 1, (*parts, np.full(parts[0].shape, np.nan)))
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
    """Where entries are drawn: at dates or numbers, or as text, if in another order."""
    dated = with_dates(axis.coordinates)[order]
    if dated.dtype.kind in "Miuf" and (dated[:-1] < dated[1:]).all():
        return dated
    # Names along an axis are text, not formulas.
    names = [on_one_line(name) for name in plain(axis.coordinates[order])]
    return np.array([name.replace("$", r"\$") for name in names])


def _check_same_texts(along: str, series: Sequence[TimeSeries]) -> None:
    """Refuse texts that differ between lines: they have no common order."""
    first = series[0].x
    for one in series[1:]:
        if "U" in (first.dtype.kind, one.x.dtype.kind) and not np.array_equal(first, one.x):
            raise ValueError(
                f"the entries of {along!r} are {show(first, 5)} in one interval and "
                f"{show(one.x, 5)} in another: plot the same entries of each, or use dates."
            )


class ControlChart(NamedTuple):
    """The artists: lines, bands, control limits, and rings at values outside these."""

    lines: list[Line2D]
    bands: list[PolyCollection]
    limits: list[Line2D]
    marks: Line2D


def draw_control_chart(ax: Axes, series: list[TimeSeries]) -> ControlChart:
    """Lines with their confidence and control limits.

    Control limits test each value anew, so chance alone marks some of many; `watch` limits the
    probability of a false alarm in all months together.
    """
    draw_grid(ax)
    if series[0].x.dtype.kind == "M":
        _format_dates(ax)
    lines: list[Line2D] = []
    bands: list[PolyCollection] = []
    limits: list[Line2D] = []
    x_outside: list[Any] = []
    y_outside: list[float] = []
    for one, color, marker in zip(series, LINE_COLOURS, MARKERS, strict=False):
        shown = _with_samples(one)
        lines += ax.plot(
            one.x,
            shown.value,
            color=color,
            linewidth=LINE_WIDTH,
            label=one.name,
            marker=marker,
            markersize=5,
            zorder=3,
        )
        if np.isnan(shown.low + shown.high).all():
            continue
        # A month between two gaps has a width of its own.
        x = lines[-1].get_xdata(orig=False)
        bands.append(draw_band(ax, lines[-1], x, shown.low, shown.high, drawstyle="steps-mid"))
        if np.isnan(one.n).all():
            # A confidence sequence is of all samples so far.
            continue
        limits_of_values = Limits(one.low, one.high)
        lower, upper = control_limits(one.value, limits_of_values, one.n, ends_of_name(one.metric))
        limits += [_draw_limit(ax, one.x, edge, color) for edge in (lower, upper)]
        is_outside = (shown.value < lower) | (shown.value > upper)
        x_outside += [*one.x[is_outside]]
        y_outside += shown.value[is_outside].tolist()
    (marks,) = ax.plot(
        np.array(x_outside, dtype=series[0].x.dtype),
        y_outside,
        "o",
        markersize=11,
        markerfacecolor="none",
        markeredgecolor=LINE_COLOURS[3],
        markeredgewidth=1.6,
        zorder=4,
        label=OF_MARKS,
    )
    return ControlChart(lines, bands, limits, marks)


def ends_of_name(metric: str) -> Limits:
    """The lowest and the highest value of a metric, if it is known by its name."""
    if not is_metric_name(metric.lower()):
        return ENDLESS
    low, high = resolve(metric)[0].widest_ends
    return Limits(np.min(low), np.max(high))


def _format_dates(ax: Axes) -> None:
    """Short dates below the axis."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    locator = AutoDateLocator()  # type: ignore[no-untyped-call]  # matplotlib has no types for it
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]  # nor for it


def _with_samples(one: TimeSeries) -> TimeSeries:
    """The line with gaps where it is infinite or without samples: there only zero_division=
    decides.
    """

    def shown(part: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(np.isfinite(part) & (one.n != 0), part, np.nan)

    return one._replace(value=shown(one.value), low=shown(one.low), high=shown(one.high))


def _draw_limit(ax: Axes, x: NDArray[Any], edge: NDArray[np.float64], color: str) -> Line2D:
    """A dotted line at a control limit."""
    (line,) = ax.plot(
        x,
        edge,
        color=color,
        label=OF_LIMITS,
        drawstyle="steps-mid",
        linestyle=":",
        linewidth=1,
        zorder=2,
    )
    return line


def control_limits(value: NDArray[Any], limits: Limits, n: NDArray[Any], ends: Limits) -> Limits:
    """The range expected for each value if its true value is the mean of all earlier ones, weighted
    by samples, by MOVER of their difference, within the ends of a metric's values; else nan.
    """
    expected = Limits(*np.full((2, len(value)), np.nan))
    (known,) = np.nonzero(np.isfinite(value + limits.low + limits.high) & (n > 0))
    if len(known) < 2:
        return expected
    value, n = value[known], n[known]
    below = np.maximum(value - limits.low[known], 0)
    above = np.maximum(limits.high[known] - value, 0)
    n_before = np.cumsum(n)[:-1]
    mean = np.cumsum(n * value)[:-1] / n_before
    mean_below = np.sqrt(np.cumsum((n * below) ** 2)[:-1]) / n_before
    mean_above = np.sqrt(np.cumsum((n * above) ** 2)[:-1]) / n_before
    last = value[1:]
    difference = mover(
        (last, -mean),
        (
            Limits(last - below[1:], last + above[1:]),
            Limits(-mean - mean_above, -mean + mean_below),
        ),
    )
    expected.low[known[1:]] = np.maximum(last - difference.high, ends.low)
    expected.high[known[1:]] = np.minimum(last - difference.low, ends.high)
    return expected
