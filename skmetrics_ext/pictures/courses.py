"""Values over dates or numbers as lines with bands, and where they leave the control limits of all before."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.pictures.artists import Axes, Line2D, PolyCollection
from skmetrics_ext.pictures.axes import draw_grid, draw_legend
from skmetrics_ext.pictures.lines import LINE_COLOURS, LINE_WIDTH
from skmetrics_ext.pictures.score_tables import Limited, ScoreTable

MOST_LINES = len(LINE_COLOURS)
OF_LIMITS = "limits of all before"
OF_MARKS = "outside of them"


class Course(NamedTuple):
    """A line: its name, and what stands at each place from left to right."""

    name: str
    x: NDArray[Any]
    values: Limited
    n_samples: NDArray[np.float64]


class DrawnCourses(NamedTuple):
    """The artists of lines."""

    lines: list[Line2D]
    bands: list[PolyCollection]
    limits: list[Line2D]
    marks: Line2D


def courses_of(table: ScoreTable, along: str) -> list[Course]:
    """One line each metric and combination of the other coordinates, in the order of the frame."""
    x = table.coordinates[along]
    found = []
    for metric, values in table.metrics.items():
        names = np.array(table.names(metric, along))
        for name in dict.fromkeys(names.tolist()):
            (rows,) = np.nonzero(names == name)
            rows = rows[np.argsort(x[rows], kind="stable")]
            if (x[rows][:-1] == x[rows][1:]).any():
                raise ValueError(f"source has two rows for one entry of {along!r}{f' and {name}' if name else ''}.")
            found.append(Course(name, x[rows], Limited(*(part[rows] for part in values)), table.n_samples[rows]))
    if len(found) > MOST_LINES:
        raise ValueError(
            f"plot_intervals draws at most {MOST_LINES} lines over {along!r}, and there are {len(found)}: choose a "
            "metric with metric=, or some entries with cm.sel(...)."
        )
    return found


def limits_of_all_before(course: Course) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Between which each value is to be expected if it is what all before were on average; nan where nothing is known.

    Their mean is weighted by the samples, and the limits of the difference are those of MOVER.
    """
    value, low, high = course.values
    lower, upper = np.full((2, len(value)), np.nan)
    known = np.isfinite(value + low + high) & (course.n_samples > 0)
    n, value = course.n_samples[known], value[known]
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


def draw_courses(ax: Axes, courses: list[Course], *, own_figure: bool) -> DrawnCourses:
    """Each in a colour of its own, with a band between its limits, and rings where it leaves those of all before."""
    draw_grid(ax)
    if courses[0].x.dtype.kind == "M":
        from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

        locator = AutoDateLocator()  # type: ignore[no-untyped-call]  # matplotlib has no types for it
        ax.xaxis.set_major_locator(locator)
        ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]  # nor for it
    lines: list[Line2D] = []
    bands: list[PolyCollection] = []
    limits: list[Line2D] = []
    outside: list[tuple[Any, float]] = []
    for course, colour in zip(courses, LINE_COLOURS, strict=False):
        value, low, high = (np.where(np.isfinite(part), part, np.nan) for part in course.values)
        style: dict[str, Any] = {"color": colour, "linewidth": LINE_WIDTH, "label": course.name}
        lines += ax.plot(course.x, value, marker="o", markersize=4, zorder=3, **style)
        if np.isnan(low + high).all():
            continue
        bands.append(ax.fill_between(course.x, low, high, color=colour, alpha=0.2, linewidth=0, zorder=1))
        lower, upper = limits_of_all_before(course)
        for edge in (lower, upper):
            limits += ax.plot(course.x, edge, linestyle=":", linewidth=1, color=colour, zorder=2, label=OF_LIMITS)
        places = np.nonzero((value < lower) | (value > upper))[0]
        outside += zip(course.x[places], value[places].tolist(), strict=True)
    x, y = np.array([place for place, _ in outside], dtype=courses[0].x.dtype), [value for _, value in outside]
    ring: dict[str, Any] = {"markerfacecolor": "none", "markeredgecolor": LINE_COLOURS[2], "markeredgewidth": 1.6}
    (marks,) = ax.plot(x, y, "o", markersize=11, zorder=4, label=OF_MARKS, **ring)
    named = lines if courses[0].name else []
    guides = [*limits[:1], *([marks] if outside else [])]
    if named or guides:
        draw_legend(ax, named, guides, own_figure=own_figure)
    return DrawnCourses(lines, bands, limits, marks)
