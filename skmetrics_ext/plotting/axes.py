"""The axes of every plot: a grid, one legend, and a figure that cuts nothing off."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from skmetrics_ext.plotting.artists import Axes

# Gray and mostly transparent: faint on light and dark backgrounds.
GRID: dict[str, Any] = {"color": "0.5", "alpha": 0.18, "linewidth": 0.8}

# The size of most axes in a new figure, in inches.
SIZE = (5.2, 3.6)

# The margin of a new figure in inches, and between lines and frame as a fraction.
PADDING = 0.08
MARGIN = 0.03

# Where a legend may be inside, and how far it stays from what is drawn, in points.
CORNERS = ("upper right", "upper left", "lower left", "lower right", "center right", "center left")
DISTANCE = 5

# Given axes without a layout keep this fraction of their size beside a legend or long names.
LEAST_PART = 0.35

# Mark areas that a legend may cover, and lines such as chance that it may cover in small axes.
BACKGROUND, REFERENCE = "background", "reference"


def axes_for(caller: str, given: Any) -> tuple[Axes, bool]:
    """The axes to draw on, and whether they belong to a new figure."""
    try:
        from matplotlib import pyplot
        from matplotlib.axes import Axes
    except ImportError:
        raise ImportError(
            f"{caller} needs matplotlib: pip install 'skmetrics-ext[plot]'."
        ) from None
    ax = pyplot.subplots(layout="none")[1] if given is None else given
    if not isinstance(ax, Axes):
        raise TypeError(
            f"ax must be one matplotlib Axes; got {type(ax).__name__}. From an array of axes, "
            "pass one, e.g. axes[0]."
        )
    return ax, given is None


def draw_grid(ax: Axes) -> None:
    """Light lines for reading values."""
    ax.set_axisbelow(True)
    ax.grid(True, **GRID)
    ax.spines[["top", "right"]].set_visible(False)


def draw_legend(
    ax: Axes,
    handles: Sequence[Any],
    last: Sequence[Any] = (),
    *,
    size: tuple[float, float] | None,
    corner: str = CORNERS[0],
    title: str | None = None,
) -> None:
    """The only legend, with its existing entries; guides such as chance come last, and once.

    It is inside the axes where there is room, else beside them. The figure of new axes, of a size
    in inches, grows.
    """
    guides = {str(handle.get_label()) for handle in last}
    old = ax.get_legend()
    # Text is not parsed as a formula unless it was one before.
    entries = [(handle, str(handle.get_label()), False) for handle in (*handles, *last)]
    if old is not None:
        kept = zip(old.legend_handles, old.get_texts(), strict=True)
        pairs = [(handle, text.get_text(), text.get_parse_math()) for handle, text in kept]
        entries = [entry for entry in pairs if entry[1] not in guides] + entries
    if old is not None:
        title = old.get_title().get_text() or title
    draw = partial(_draw_entries, ax, entries, title)
    if size is None:
        fit_room(ax)
    else:
        _fill_figure(ax, *size)
    ax.get_xlim()  # Brings the limits of both axes up to date.
    ax.apply_aspect()
    corners = [*dict.fromkeys((corner, *CORNERS))]
    font, boxed = "small", {"framealpha": 0.7, "edgecolor": "none"}
    is_inside = not entries or any(_is_free(ax, draw(font, loc=at, **boxed)) for at in corners)
    if not is_inside and size is None:
        font = "x-small"
        tries = [(may_cover, at) for may_cover in ("", REFERENCE) for at in corners]
        is_inside = any(
            _is_free(ax, draw(font, loc=at, **boxed), may_cover) for may_cover, at in tries
        )
    if not is_inside:
        _draw_outside(ax, partial(draw, font), may_shrink=size is None)
    if size is not None:
        fit_figure(ax, *size)


def _draw_outside(ax: Axes, draw: Callable[..., Any], *, may_shrink: bool) -> None:
    """The legend beside the axes, or below given axes that are too narrow for that, or over them
    if they are too small for both.
    """
    beside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1)}
    below = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), **_below_names(ax)}
    if not may_shrink:
        draw(**beside, frameon=False)
        return
    old_place = ax.get_position(original=True)
    for place in (below, beside) if _is_in_row(ax) else (beside, below):
        draw(**place, frameon=False)
        if fit_room(ax):
            return
        # They get back what they had; a layout would leave out axes whose position is set.
        if ax.figure.get_layout_engine() is None:
            ax.set_position(old_place)
    draw(loc="best", framealpha=0.7, edgecolor="none")
    fit_room(ax)


def _is_in_row(ax: Axes) -> bool:
    """Whether a layout makes all axes of a row narrower beside the legend of one of them."""
    spec = ax.get_subplotspec()
    if ax.figure.get_layout_engine() is None or spec is None:
        return False
    grid = spec.get_gridspec()
    return bool(grid.ncols > grid.nrows)


def _below_names(ax: Axes) -> dict[str, Any]:
    """Where the names of the x axis end, however large the axes become."""
    from matplotlib.transforms import ScaledTranslation

    figure: Any = ax.figure
    names: Any = ax.xaxis.get_tightbbox()
    below = (names.y0 - ax.bbox.y0) / figure.dpi
    to_inches = figure.canvas.figure.dpi_scale_trans
    return {"bbox_transform": ax.transAxes + ScaledTranslation(0, below, to_inches)}


def _draw_entries(ax: Axes, entries: list[Any], title: str | None, font: str, **place: Any) -> Any:
    """The entries in a font of a size, somewhere."""
    legend = ax.legend(
        [handle for handle, *_ in entries],
        ["?"] * len(entries),
        title=title,
        title_fontsize=font,
        fontsize=font,
        **place,
    )
    # Set afterwards: a legend drops names that begin with an underscore.
    for shown, (_, text, is_formula) in zip(legend.get_texts(), entries, strict=True):
        shown.set(text=text, parse_math=is_formula)
    return legend


def _is_free(ax: Axes, legend: Any, may_cover: str = "") -> bool:
    """Whether a legend is inside the axes and covers no line or band that it may not."""
    from matplotlib.cbook import STEP_LOOKUP_MAP
    from matplotlib.path import Path

    box = legend.get_window_extent()
    is_within_width = ax.bbox.x0 <= box.x0 and box.x1 <= ax.bbox.x1
    is_within_height = ax.bbox.y0 <= box.y0 and box.y1 <= ax.bbox.y1
    if not (is_within_width and is_within_height):
        return False
    around = box.padded(DISTANCE * ax.figure.dpi / 72)
    for line in ax.lines:
        if may_cover and line.get_gid() == may_cover:
            continue
        points = np.column_stack(STEP_LOOKUP_MAP[line.get_drawstyle()](*line.get_data(orig=False)))
        # With the last point twice, a single point is a line, too.
        ends_twice = [*points, *points[-1:]] if len(points) else points
        path = line.get_transform().transform_path(Path(ends_twice))
        if path.intersects_bbox(around, filled=False):
            return False
    areas = [area for area in ax.collections if area.get_gid() != BACKGROUND]
    return not any(
        area.get_transform().transform_path(path).intersects_bbox(around)
        for area in areas
        for path in area.get_paths()
    )


def fit_room(ax: Axes) -> bool:
    """Make given axes smaller, so that names and legend cover no others; whether that suffices."""
    figure: Any = ax.figure
    spec = ax.get_subplotspec()
    if figure.get_layout_engine() is not None or spec is None:
        return _fits_with_layout(ax, spec)
    _, tops, _, rights = spec.get_gridspec().get_grid_positions(figure)
    left = rights[spec.colspan.start - 1] if spec.colspan.start else 0
    right = rights[spec.colspan.stop - 1] if spec.colspan.stop < len(rights) else 1
    below = tops[spec.rowspan.stop] if spec.rowspan.stop < len(tops) else 0
    old = ax.get_position(original=True)
    ax.apply_aspect()
    around: Any = ax.get_tightbbox()
    to_figure = figure.transSubfigure.inverted()
    inner = ax.bbox.transformed(to_figure)
    outer = around.padded(PADDING * figure.dpi).transformed(to_figure)
    x0 = max(old.x0, left + inner.x0 - outer.x0)
    x1 = min(old.x1, right - outer.x1 + inner.x1)
    y0 = max(old.y0, below + inner.y0 - outer.y0)
    width, height = x1 - x0, old.y1 - y0
    cell = spec.get_position(figure)
    least_width, least_height = LEAST_PART * cell.width, LEAST_PART * cell.height
    ax.set_position((x0, y0, max(width, least_width), max(height, least_height)))
    return bool(width >= least_width and height >= least_height)


def _fits_with_layout(ax: Axes, spec: Any) -> bool:
    """Whether the layout of the figure finds room for names and legend."""
    figure: Any = ax.figure
    with catch_warnings():
        # A layout warns where there is none; what is drawn then has another place.
        simplefilter("ignore", UserWarning)
        figure.canvas.figure.draw_without_rendering()
    ax.apply_aspect()
    if spec is None:
        return True
    cell = spec.get_position(figure).transformed(figure.transSubfigure)
    has_room = min(ax.bbox.width / cell.width, ax.bbox.height / cell.height) >= LEAST_PART
    return bool(has_room and _is_legend_inside(ax))


def _is_legend_inside(ax: Axes) -> bool:
    """Whether nothing of the legend, if any, is beyond the edges of the figure."""
    legend = ax.get_legend()
    if legend is None:
        return True
    box: Any = legend.get_window_extent()
    # Edges are rounded to pixels.
    edges: Any = ax.figure.bbox.padded(1)
    is_within_width = edges.x0 <= box.x0 and box.x1 <= edges.x1
    return bool(is_within_width and edges.y0 <= box.y0 and box.y1 <= edges.y1)


def _fill_figure(ax: Axes, width: float, height: float) -> None:
    """Axes of this size in inches that fill their figure."""
    ax.figure.canvas.figure.subplots_adjust(0, 0, 1, 1)
    ax.figure.canvas.figure.set_size_inches(width, height)


def fit_figure(ax: Axes, width: float, height: float) -> None:
    """Make a new figure large enough for axes of this size in inches and all around them."""
    figure = ax.figure.canvas.figure
    # Whatever sticks out of axes that fill the figure is the room that it lacks.
    _fill_figure(ax, width, height)
    box: Any = ax.get_tightbbox().padded(PADDING * figure.dpi)  # type: ignore[union-attr]  # visible axes have a box
    figure.set_size_inches(box.width / figure.dpi, box.height / figure.dpi)
    # The layout that keeps later additions inside starts from the one that fits now.
    left, bottom = -box.x0 / box.width, -box.y0 / box.height
    side_x, side_y = width * figure.dpi / box.width, height * figure.dpi / box.height
    figure.subplots_adjust(left, bottom, left + side_x, bottom + side_y)
    figure.set_layout_engine("constrained", w_pad=PADDING, h_pad=PADDING)
