"""Plots of intervals: a dot and whiskers per class, group, fold or model, or lines over time."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.names import resolve_any, with_class
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.plotting.axes import (
    GRID,
    MARGIN,
    Axes,
    Figure,
    Line2D,
    LineCollection,
    PolyCollection,
    Text,
    axes_for,
    draw_legend,
    fit_figure,
    letters_across,
    make_room,
)
from skmetrics_ext.plotting.control_chart import (
    ENDLESS,
    MOST_LINES,
    TimeSeries,
    draw_control_chart,
    ends_of_name,
    series_of_alarms,
    series_of_intervals,
)
from skmetrics_ext.plotting.lines import LINE_COLOURS, LINE_WIDTH
from skmetrics_ext.reading.arguments import check_flag, check_number
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.messages import warn_once
from skmetrics_ext.reading.order import plain
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.caveats import MARK, Caveat, marks_of
from skmetrics_ext.statistics.entries import shape_of
from skmetrics_ext.statistics.gaps.groups import EQUALITY
from skmetrics_ext.statistics.results import (
    Alarms,
    Comparison,
    Interval,
    names_of_entries,
    what_intervals_are,
)
from skmetrics_ext.statistics.summary import Summary
from skmetrics_ext.writing.text import level_as_text, limits_as_text, on_one_line, shortened

NO_DIFFERENCE = "0.6"

# The width of the lines of a footnote, in letters.
WIDTH_OF_NOTES = 62

# More than these are illegible.
MOST_ENTRIES = 200

# Width of new axes, and height of a row in them, in inches.
WIDTH_OF_INTERVALS = 4.2
HEIGHT_OF_ROW = 0.26

# In axes of fixed size the font is as large as a row, between these points.
LINE_SPACING = 1.3
LEAST_FONT, LARGEST_FONT = 4.0, 9.0

# The part of such axes that long names may take, and the columns that they always have.
PART_OF_NAMES = 0.5
WIDEST_NAME = 16

MOST_DECIMALS = 6

LINE_OF_BOUND: dict[str, Any] = {"color": "0.4", "linestyle": "--", "linewidth": 1, "zorder": 2}


@dataclass(frozen=True, eq=False, repr=False)
class IntervalsPlot:
    """The artists of plotted intervals.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the names.
    figure_ : matplotlib.figure.Figure
        Their figure.
    dots_ : matplotlib.lines.Line2D
        A dot at each value; nan where it is not shown.
    whiskers_ : matplotlib.collections.LineCollection
        A line between the limits of each value that has them.
    texts_ : list of matplotlib.text.Text
        The numbers of each entry, from top to bottom.
    lines_ : list of matplotlib.lines.Line2D
        Over time or numbers, one line per series, with `dots_` where it leaves its control limits
        or has an alarm.
    bands_ : list of matplotlib.collections.PolyCollection
        The band of each line.
    limits_ : list of matplotlib.lines.Line2D
        The control limits of each line, the bounds of Alarms, and `bound`.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix, plot_intervals
    >>> cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
    >>> plot_intervals(cm, "recall").texts_[0].get_text()
    '0.90 [0.79, 0.96]'
    """

    ax_: Axes
    figure_: Figure
    dots_: Line2D
    whiskers_: LineCollection
    texts_: list[Text]
    lines_: list[Line2D] = field(default_factory=list)
    bands_: list[PolyCollection] = field(default_factory=list)
    limits_: list[Line2D] = field(default_factory=list)


@explained
def plot_intervals(
    source: Any,
    metric: str | Callable[..., Any] | None = None,
    *,
    sort: bool | None = None,
    bound: float | None = None,
    axis: str | None = None,
    ax: Axes | None = None,
    **options: Any,
) -> IntervalsPlot:
    """Plot values as dots, their confidence intervals as whiskers, and the numbers (forest plot).

    An arrow at the edge stands for a limit that is infinite or beyond the range of the other
    metrics.

    Parameters
    ----------
    source : Interval, ConfusionMatrix, dict of name to either, Summary, report, Comparison, Alarms
        An Interval or a matrix gives one entry per group or fold, else per class; a dict one per
        key, such as a model; a Summary, or a report with `confidence_level=`, one per metric and
        class; a Comparison one per row, with a filled dot where interval and p-value exclude 0.
        Months, other dates and numbers give lines, see the Notes, as do Alarms of `watch`, with the
        limits of all months so far as a band, and a ring at each alarm.
    metric : str or function, default=None
        For matrices, as in `ConfusionMatrix.interval`.
    sort : bool, default=None
        Whether to sort, with the largest value on top. None: not where the source declared an
        order, as of an ordered categorical or by `ConfusionMatrix.stack`.
    bound : float, default=None
        A dashed line at this value, such as the least recall that is good enough.
    axis : str, default=None
        The axis along which lines are drawn: of dates or numbers, or in an order as in `watch`.
        None: see the Notes.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; its figure keeps its size. None: a new figure, large enough for all text.
    **options
        Options of `ConfusionMatrix.interval`, for matrices.

    Returns
    -------
    IntervalsPlot
        The artists.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        As `ConfusionMatrix.interval`; if `metric`, `axis` or options do not fit the source; if
        there is no entry, more than 200, or more than eight lines.
    ImportError
        If matplotlib is not installed.

    Notes
    -----
    Lines are drawn along an axis of at least three dates, also as text ("2026-01", "2026-01-31",
    "2026-W05"), or else numbers, one per combination of the others. "fold", "class", "label", and
    ordered text such as "Jan", "Feb", ... are used this way only if `axis=` names them.

    Dotted lines are control limits: the range expected for a value if its true value is the mean of
    all earlier ones, weighted by sample size. A ring marks a value outside them, by chance alone
    about one in 20 with `confidence_level=0.95`. For a known bound, and few false alarms over all
    months, use `watch`.

    References
    ----------
    Shewhart (1931), Economic Control of Quality of Manufactured Product; Zou & Donner (2008),
    Statistics in Medicine 27:1693.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> counts = {"logistic": [[80, 20], [5, 45]], "forest": [[90, 10], [20, 30]]}
    >>> models = {name: ConfusionMatrix.from_counts(of, [0, 1]) for name, of in counts.items()}
    >>> for text in plot_intervals(models, "accuracy").texts_:
    ...     print(text.get_text())
    0.83 [0.77, 0.89]
    0.80 [0.73, 0.86]
    """
    if sort is not None:
        check_flag(sort, "sort")
    if bound is not None:
        check_number(bound, "bound")
    is_over_time = getattr(source, "_is_over_time", False)
    if axis is not None and (is_over_time or getattr(source, "_is_of_difference", False)):
        raise ValueError(
            f"axis= is the axis of time of intervals: {type(source).__name__} takes none."
        )
    if is_over_time and metric is None and not options:
        what = source.metrics[0] if len({*source.metrics}) == 1 else "value"
        if bound is not None:
            raise ValueError("bound= is for values: Alarms show the bounds of their claims.")
        return _plot_courses(source.time.name, what, series_of_alarms(source), ax, source)
    read = _read(source, metric, options, axis)
    if read.along:
        plot = _plot_courses(read.along, read.drawn.what, read.series, ax)
        bounds = [] if bound is None else [plot.ax_.axhline(bound, **LINE_OF_BOUND)]
        return replace(plot, limits_=[*plot.limits_, *bounds])
    entries = _in_rows(read.drawn, sort=not read.drawn.is_ordered if sort is None else sort)
    if not 0 < len(entries) <= MOST_ENTRIES:
        raise ValueError(
            f"plot_intervals draws from 1 to {MOST_ENTRIES} intervals; there are {len(entries)}."
        )

    is_new = ax is None
    ax = axes_for("plot_intervals", ax, layout="none")
    font = LARGEST_FONT if is_new else _font_in(ax, len(entries))
    within = _within_ends(entries)
    _draw_frame(ax, within, read.drawn)
    whiskers = _draw_whiskers(ax, within)
    dots = _draw_dots(ax, within)
    bounds = [] if bound is None else [ax.axvline(bound, **LINE_OF_BOUND)]
    names = [entry.name for entry in entries]
    if not is_new:
        names = shortened(names, max(WIDEST_NAME, int(PART_OF_NAMES * letters_across(ax, font))))
    _draw_names(ax, entries, names, font)
    texts = _draw_numbers(ax, entries, font, "+" if read.drawn.equality == 0 else "")
    if is_new:
        fit_figure(ax, WIDTH_OF_INTERVALS, HEIGHT_OF_ROW * (len(entries) + 1))
    else:
        make_room(ax)
    return IntervalsPlot(
        ax_=ax,
        figure_=ax.figure.canvas.figure,
        dots_=dots,
        whiskers_=whiskers,
        texts_=texts,
        limits_=bounds,
    )


def _plot_courses(
    along: str, what: str, series: list[TimeSeries], ax: Axes | None, found: Alarms | None = None
) -> IntervalsPlot:
    """Lines over time, with control limits, or with the bounds and alarms of `watch`."""
    if len(series) > MOST_LINES:
        raise ValueError(
            f"plot_intervals draws at most {MOST_LINES} lines over {along!r}, but there are "
            f"{len(series)}: choose some "
            "entries with cm.sel(...)."
        )
    ax = axes_for("plot_intervals", ax)
    ax.set_xlabel(along, parse_math=False)
    ax.set_ylabel(what, parse_math=False)
    whiskers = ax.vlines([], [], [])
    lines, bands, limits, marks = draw_control_chart(ax, series)
    # One control limit stands for all in the legend.
    in_legend = limits[:1]
    if found is not None:
        limits = in_legend = _draw_bounds(ax, found)
        _mark_alarms(marks, found, series[0].x)
    if np.size(marks.get_xdata()):
        in_legend = [*in_legend, marks]
    named_lines = lines if series[0].name else []
    draw_legend(ax, named_lines, in_legend)
    return IntervalsPlot(
        ax_=ax,
        figure_=ax.figure.canvas.figure,
        dots_=marks,
        whiskers_=whiskers,
        texts_=[],
        lines_=lines,
        bands_=bands,
        limits_=limits,
    )


def _draw_bounds(ax: Axes, found: Alarms) -> list[Line2D]:
    """A dashed line at the bound of each claim."""
    claims = zip(found.bounds, found.axes[0].coordinates, strict=True)
    return [ax.axhline(bound, label=claim, **LINE_OF_BOUND) for bound, claim in claims]


def _mark_alarms(marks: Line2D, found: Alarms, x: NDArray[Any]) -> None:
    """Move the rings to the months in which alarms were raised."""
    raised = found.alarm.nonzero()
    in_order = plain(found.time.coordinates)
    months = [in_order.index(time) for time in found.alarm_time[raised]]
    marks.set(data=(x[months], found.value[(*raised, months)]), label="alarm")


class Whisker(NamedTuple):
    """The content of a row."""

    name: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    is_open: bool = False
    is_heading: bool = False
    # The range of the metric.
    ends: Limits = ENDLESS

    @property
    def numbers(self) -> tuple[float, float, float]:
        """The value and its limits."""
        return self.value, self.low, self.high


class Drawn(NamedTuple):
    """The entries in the order of their source, by metric, and what they are."""

    groups: dict[str, list[Whisker]]
    what: str
    # What entries are compared with, if they are of two models.
    equality: float | None = None
    # Whether the order of the source was declared.
    is_ordered: bool = False


class Read(NamedTuple):
    """What a source says: entries, and lines along an axis of time, if any."""

    drawn: Drawn
    # The name of the axis; empty without one.
    along: str
    series: list[TimeSeries]


def _read(source: Any, metric: Any, options: dict[str, Any], axis: str | None) -> Read:
    """The values of a source, which are not those of `watch`."""
    if isinstance(source, str) and hasattr(source, "rows"):
        return Read(_rows_of_report(source), "", [])
    named = _named(source)
    _check_metric(named, metric, options)
    if getattr(source, "_is_of_difference", False):
        return Read(_differences(source), "", [])
    intervals = _intervals_of(source, named, metric, options)
    along, series = series_of_intervals(intervals, axis)
    if not series and len(getattr(source, "_by_metric", dict)()) > 1:
        return Read(_several_metrics(intervals), "", [])
    entries = [entry for name, one in intervals.items() for entry in _whiskers_of(name, one)]
    what = _what_of(intervals)
    axes = [axis for one in intervals.values() for axis in one.axes]
    is_ordered = any(axis.is_ordered for axis in axes)
    return Read(Drawn({"": entries}, what, is_ordered=is_ordered), along, series)


def _named(source: Any) -> dict[Any, Any]:
    """What a source holds by the names of rows; a single metric needs none."""
    parts: dict[Any, Any] = getattr(source, "_by_metric", dict)()
    if len(parts) > 1:
        return dict(parts)
    if isinstance(source, Summary):
        [source] = parts.values()
    return dict(source) if isinstance(source, Mapping) else {None: source}


def _check_metric(named: dict[Any, Any], metric: Any, options: dict[str, Any]) -> None:
    """Refuse matrices without a metric, and a metric or options without matrices."""
    needs_metric = any(isinstance(one, ConfusionMatrix) for one in named.values())
    if needs_metric and metric is None:
        raise ValueError(
            "a ConfusionMatrix has many metrics: specify the one to draw, such as metric='recall'."
        )
    if not needs_metric and (metric is not None or options):
        given = ["metric"] if metric is not None else list(options)
        raise ValueError(
            f"{given[0]}= applies only to a ConfusionMatrix; the source given here already has "
            "its values."
        )


def _intervals_of(
    source: Any, named: dict[Any, Any], metric: Any, options: dict[str, Any]
) -> dict[Any, Interval]:
    """The intervals, given or computed; by default one per class of a matrix without axes."""
    if isinstance(source, ConfusionMatrix) and not source.axes:
        asked = with_class(metric, source.labels)
        row, average = resolve_any(asked)
        is_of_one = isinstance(asked, tuple) or options.get("pos_label") is not None
        if row.has_average and average is None and not is_of_one:
            options = {"average": None, **options}
    with warn_once(set()):
        return {name: _interval_of(one, metric, options) for name, one in named.items()}


def _what_of(intervals: dict[Any, Interval]) -> str:
    """The metric and the level that all intervals have."""
    metrics = {one.metric for one in intervals.values()}
    levels = {one.confidence_level for one in intervals.values()}
    what = (metrics.pop() if len(metrics) == 1 else "") or "value"
    if len(levels) == 1:
        what = f"{what} ({level_as_text(levels.pop())} confidence intervals)"
    return _with_footnote(what, "empty", [c for one in intervals.values() for c in one.caveats])


def _in_rows(drawn: Drawn, *, sort: bool) -> list[Whisker]:
    """The entries from top to bottom, below headings of several groups."""
    rows = []
    for heading, entries in drawn.groups.items():
        if not any(entry.name for entry in entries):
            # A metric with one value is its own name.
            rows += [entry._replace(name=heading) for entry in entries]
            continue
        if len(drawn.groups) > 1:
            rows.append(Whisker(heading, is_heading=True))
        rows += sorted(entries, key=_falling) if sort else entries
    return rows


def _falling(entry: Whisker) -> tuple[bool, float]:
    """What sorts entries from the largest value down, undefined ones last."""
    return math.isnan(entry.value), -entry.value


def _interval_of(one: Any, metric: Any, options: dict[str, Any]) -> Interval:
    """An interval, given or computed from a matrix."""
    if isinstance(one, ConfusionMatrix):
        return one.interval(metric, **options)
    is_of_difference = getattr(one, "_is_of_difference", True)
    if is_of_difference or one._is_over_time or len(one._by_metric()) != 1:
        raise TypeError(
            "source must be an Interval, a ConfusionMatrix, a dict of name to either, a Summary, a "
            f"report, a Comparison or Alarms; got {type(one).__name__}."
        )
    found: Interval = one
    return found


def _whiskers_of(name: Any, result: Any) -> Iterator[Whisker]:
    """One entry per value, named by its result and its coordinates."""
    first = [] if name is None else [on_one_line(name)]
    numbers = (np.ravel(part).tolist() for part in (result._estimate, result.low, result.high))
    are_open = np.ravel(result._are_open()).tolist()
    coordinates = names_of_entries(result.axes)
    ends = _ends_of_result(result)
    for place, is_open, value, low, high in zip(coordinates, are_open, *numbers, strict=True):
        yield Whisker(", ".join([*first, *place]), value, low, high, is_open, ends=ends)


def _ends_of_result(result: Any) -> Limits:
    """The range of a metric, or of its differences."""
    low, high = ends_of_name(np.ravel(result.metric)[0])
    if not result._is_of_difference:
        return Limits(low, high)
    if result.kind == "ratio":
        return Limits(np.array(0.0), np.array(np.inf))
    return Limits(low - high, high - low)


def _differences(comparison: Comparison) -> Drawn:
    """One entry per row of a comparison, marked if it has caveats."""
    groups = {}
    for metric, rows in comparison._by_metric().items():
        marks = marks_of(rows.caveats, shape_of(rows))
        entries = zip(_whiskers_of(None, rows), marks, strict=True)
        groups[metric] = [
            entry._replace(name=f"{entry.name} {mark}".rstrip()) for entry, mark in entries
        ]
    error = 1 - comparison.confidence_level
    kind = comparison.kind
    what = f"{kind} of {next(iter(groups))}" if len(groups) == 1 else kind
    correction = ""
    if comparison.correction is not None and np.size(comparison.difference) > 1:
        correction = f", corrected by {comparison.correction}"
    # Short lines fit below narrow axes.
    filled = f"filled: p < {error:.3g}{correction}"
    what_they_are = f"({what_intervals_are(comparison)};\n{filled})"
    text = _with_footnote(f"{what}\n{what_they_are}", MARK, comparison.caveats)
    return Drawn(groups, text, equality=EQUALITY[kind])


def _several_metrics(parts: dict[str, Interval]) -> Drawn:
    """One entry per metric, or below each metric those of its classes or groups."""
    groups = {metric: list(_whiskers_of(None, one)) for metric, one in parts.items()}
    return Drawn(groups, _what_of(parts), is_ordered=True)


def _rows_of_report(report: Any) -> Drawn:
    """Below each metric of a report one entry per class and average."""
    groups: dict[str, list[Whisker]] = {}
    for k, metric in enumerate(report.headers[:-1]):
        groups[metric] = []
        for name, values, ends, _ in report.rows:
            if values[k] is not None:
                low, high, _, mark = (ends and ends[k]) or (math.nan, math.nan, None, "")
                shown = f"{on_one_line(name)} {mark}".rstrip()
                entry = Whisker(shown, values[k], low, high, ends=ends_of_name(metric))
                groups[metric].append(entry)
    whats = [*groups] if len(groups) == 1 else ["value"]
    what = f"{whats[0]} ({report.caption})" if report.caption else whats[0]
    notes = [textwrap.fill(note, WIDTH_OF_NOTES) for note in report.notes]
    return Drawn(groups, "\n".join([what, *notes]), is_ordered=True)


def _with_footnote(text: str, mark: str, caveats: Iterable[Caveat]) -> str:
    """The text below the axis, and why marked limits may not hold."""
    reasons = dict.fromkeys(caveat.text for caveat in caveats)
    notes = [textwrap.fill(f"{mark}: {reason}", WIDTH_OF_NOTES) for reason in reasons]
    return "\n".join([text, *notes])


def _font_in(ax: Axes, n_entries: int) -> float:
    """The font size that fits a row of axes of fixed size."""
    height = float(ax.get_window_extent().height) * 72 / ax.figure.dpi / n_entries
    return min(max(height / LINE_SPACING, LEAST_FONT), LARGEST_FONT)


def _within_ends(entries: list[Whisker]) -> list[Whisker]:
    """The entries, infinite beyond the range of the metrics that have one: a ratio of 100 would
    leave these no room.
    """
    # Metrics of users may have the names of others, and their values any size.
    drawn = np.array([(*entry.ends, *entry.numbers) for entry in entries])
    with_ends = drawn[np.isfinite(drawn[:, :2]).all(axis=1)]
    if not with_ends.size:
        return entries
    least, largest = np.nanmin(with_ends), np.nanmax(with_ends)
    numbers = drawn[:, 2:]
    numbers = np.select([numbers < least, numbers > largest], [-np.inf, np.inf], numbers)
    within = zip(entries, numbers.tolist(), strict=True)
    return [entry._replace(value=value, low=low, high=high) for entry, (value, low, high) in within]


def _range_of(entries: list[Whisker], also: list[float]) -> tuple[float, float]:
    """The range of finite numbers, with a margin, wider on a side with an arrow."""
    numbers = [number for entry in entries for number in entry.numbers]
    finite = [*filter(math.isfinite, numbers), *also] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    margin = MARGIN * ((high - low) or abs(high) or 1.0)
    below = 3 * margin if -math.inf in numbers else margin
    above = 3 * margin if math.inf in numbers else margin
    return low - below, high + above


def _draw_frame(ax: Axes, entries: list[Whisker], drawn: Drawn) -> None:
    """The range and the grid of the values, a line at equality, and the rows."""
    ax.set_xlabel(drawn.what, parse_math=False)
    ax.set_axisbelow(True)
    ax.grid(True, axis="x", **GRID)
    ax.spines[["top", "right", "left"]].set_visible(False)
    lines = [] if drawn.equality is None else [drawn.equality]
    for line in lines:
        ax.axvline(line, color=NO_DIFFERENCE, linewidth=1, zorder=1)
    ax.set_xlim(*_range_of(entries, lines))
    ax.set_ylim(len(entries) - 0.5, -0.5)


def _draw_dots(ax: Axes, entries: list[Whisker]) -> Line2D:
    """A dot at each value, empty where the entry is open."""
    values = [entry.value if math.isfinite(entry.value) else math.nan for entry in entries]
    are_open = [entry.is_open for entry in entries]
    dot: dict[str, Any] = {"color": LINE_COLOURS[0], "markersize": 5}
    (dots,) = ax.plot(values, range(len(entries)), "o", zorder=3, **dot)
    open_values = np.where(are_open, values, math.nan)
    background = ax.get_facecolor()
    ax.plot(open_values, range(len(entries)), "o", markerfacecolor=background, zorder=3.5, **dot)
    return dots


def _draw_names(ax: Axes, entries: list[Whisker], names: list[str], font: float) -> None:
    """The names of the rows, headings in bold."""
    ax.set_yticks(range(len(entries)), names, fontsize=font, parse_math=False)
    for label, entry in zip(ax.get_yticklabels(), entries, strict=True):
        label.set_fontweight("bold" if entry.is_heading else "normal")
    ax.tick_params(axis="y", length=0)


def _draw_whiskers(ax: Axes, entries: list[Whisker]) -> LineCollection:
    """Lines between the limits; infinite ones end in an arrow at the edge."""
    left, right = ax.get_xlim()
    rows = [k for k, entry in enumerate(entries) if not any(map(math.isnan, entry.numbers))]
    lows, highs = [entries[k].low for k in rows], [entries[k].high for k in rows]
    lines = ax.hlines(
        rows,
        np.clip(lows, left, right),
        np.clip(highs, left, right),
        linewidth=LINE_WIDTH,
        color=LINE_COLOURS[0],
        zorder=2,
    )
    for edge, marker, ends, sign in ((left, "<", lows, -1), (right, ">", highs, 1)):
        beyond = [k for k, end in zip(rows, ends, strict=True) if end == sign * math.inf]
        if beyond:
            ax.plot(
                [edge] * len(beyond),
                beyond,
                marker,
                linestyle="",
                markersize=6,
                clip_on=False,
                color=LINE_COLOURS[0],
                zorder=2,
            )
    return lines


def _draw_numbers(ax: Axes, entries: list[Whisker], font: float, sign: str) -> list[Text]:
    """Value and limits to the right of the axes."""
    style: dict[str, Any] = {
        "transform": ax.get_yaxis_transform(),
        "va": "center",
        "fontsize": font,
    }
    return [
        ax.text(1.03, k, _numbers_of(entry, sign), **style)
        for k, entry in enumerate(entries)
        if not entry.is_heading
    ]


def _hides_a_side(entry: Whisker, decimals: int) -> bool:
    """Whether a limit of a difference, whose sign matters, is rounded to 0."""
    limits = [limit for limit in (entry.low, entry.high) if math.isfinite(limit)]
    return any(limit and not round(limit, decimals) for limit in limits)


def _numbers_of(entry: Whisker, sign: str) -> str:
    """Such as 0.84 [0.79, 0.88], in as many digits whatever other entries there are."""
    if math.isnan(entry.value):
        return "undefined"
    decimals = _decimals_of(entry)
    if sign and _hides_a_side(entry, decimals):
        decimals += 1
    # z: values that round to 0 have no minus sign.
    form = f"{sign}z.{decimals}f"
    # Only differences have a value at which models are equal.
    lines = [0.0] if sign else []
    value = format(entry.value, form)
    has_limits = not (math.isnan(entry.low) or math.isnan(entry.high))
    limits = limits_as_text(entry.low, entry.high, form, lines)
    return f"{value} {limits}" if has_limits else value


def _decimals_of(entry: Whisker) -> int:
    """Decimals that distinguish the limits, and two below 10."""
    width = entry.high - entry.low
    largest = max((abs(number) for number in entry.numbers if math.isfinite(number)), default=0)
    least = sum(largest < size for size in (10, 100))
    needed = -math.floor(math.log10(width)) if 0 < width < math.inf else 0
    return min(max(needed, least), MOST_DECIMALS)
