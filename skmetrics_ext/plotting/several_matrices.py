"""Several confusion matrices in a figure: panels on one color scale."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from skmetrics_ext.counting.design import FOLD
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.data import moved_cells
from skmetrics_ext.plotting.axes import WIDTH_OF_LETTER, axes_for
from skmetrics_ext.plotting.cells import summarized, title_with
from skmetrics_ext.plotting.class_names import name_classes
from skmetrics_ext.plotting.one_matrix import (
    ConfusionMatrixPlot,
    Look,
    check_matrix,
    draw_color_bar,
    draw_matrix,
    largest_color,
    names_of,
    set_fonts,
    title_of_look,
)
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.text import on_one_line, shortened

# More panels than these are too small to read.
MOST_PANELS = 12
MOST_COLUMNS = 4

# The least side of a panel, and room between panels and for the title of all, in points.
LEAST_PANEL = 130.0
GAP = 8.0
HEIGHT_OF_TITLE = 36.0


def draw_panels(
    panels: dict[Any, ConfusionMatrix], look: Look, title: str | None
) -> ConfusionMatrixPlot:
    """A new figure with a panel for each matrix, common names at the left and bottom."""
    cells = {key: summarized(cm, look.normalize) for key, cm in panels.items()}
    most = max(largest_color(of_panel, look.normalize) for of_panel in cells.values())

    # Rows of about equal length.
    n_rows = math.ceil(len(panels) / MOST_COLUMNS)
    n_columns = math.ceil(len(panels) / n_rows)
    figure = axes_for("plot_confusion_matrix", None).figure.canvas.figure
    figure.clear()
    figure.set_layout_engine("constrained")
    grid = figure.subplots(n_rows, n_columns, squeeze=False)
    plots = {}
    for (key, of_panel), ax in zip(cells.items(), grid.flat, strict=False):
        image, texts = draw_matrix(ax, of_panel, look, most)
        plots[key] = ConfusionMatrixPlot(ax, figure, image, texts)
    for ax in grid.flat[len(panels) :]:
        ax.remove()
    has_text = all(plot.text_ is not None for plot in plots.values())
    contents = ""
    if has_text:
        contents = title_of_look(next(iter(cells.values())), look)
    if whole_title := title_with(title, contents).rstrip():
        figure.suptitle(whole_title, fontsize="medium", parse_math=False)
    if not look.says_colors or not has_text:
        # At the end of the first row, where there is always a panel.
        key = list(plots)[n_columns - 1]
        draw_color_bar(plots[key].ax_, plots[key].im_, cells[key], look.normalize)
    _fit_panels(panels, plots, n_columns)
    first_plot = next(iter(plots.values()))
    return replace(first_plot, panels_=plots)


def panels_of(matrices: Any) -> dict[Any, ConfusionMatrix] | None:
    """The matrix of each panel; None for one matrix, or one per fold."""
    if isinstance(matrices, Mapping):
        panels = dict(matrices)
    elif isinstance(matrices, ConfusionMatrix) and {axis.name for axis in matrices.axes} - {FOLD}:
        panels = _entries_of_matrix(matrices)
    else:
        return None
    if not 0 < len(panels) <= MOST_PANELS:
        raise ValueError(
            f"plot_confusion_matrix draws from 1 to {MOST_PANELS} matrices; there are "
            f"{len(panels)}: pass a dict of those to draw, or pool them with cm.sum(...)."
        )
    for cm in panels.values():
        check_matrix(cm)
    return panels


def _entries_of_matrix(cm: ConfusionMatrix) -> dict[Any, ConfusionMatrix]:
    """The entries of a matrix on the axis that is not "fold"."""
    names = [axis.name for axis in cm.axes]
    if len(names) > 2 or (len(names) == 2 and FOLD not in names):
        entries = ", ".join(
            f"{axis.name}={plain(axis.coordinates[:1])[0]!r}"
            for axis in cm.axes
            if len(axis.coordinates)
        )
        raise ValueError(
            f"panels need a single axis besides 'fold', but the matrix has {names}: pool one, "
            f"cm.sum({names[0]!r}), or select an entry, cm.sel({entries})."
        )
    place = next(k for k, name in enumerate(names) if name != FOLD)
    rest = cm.axes[:place] + cm.axes[place + 1 :]
    return {
        coordinate: replace(
            cm, axes=rest, **moved_cells(cm, partial(np.take, indices=k, axis=place))
        )
        for k, coordinate in enumerate(plain(cm.axes[place].coordinates))
    }


def _fit_panels(
    panels: dict[Any, ConfusionMatrix], plots: dict[Any, ConfusionMatrixPlot], n_columns: int
) -> None:
    """Name the classes, and make the figure large enough for its text."""
    names = {key: names_of(cm) for key, cm in panels.items()}
    side = max(set_fonts(plot.text_, len(names[key]), LEAST_PANEL) for key, plot in plots.items())
    are_shared = len({tuple(of_panel) for of_panel in names.values()}) == 1
    font = float(next(iter(plots.values())).ax_.xaxis.label.get_fontsize())
    titles = shortened([on_one_line(key) for key in panels], int(side / (WIDTH_OF_LETTER * font)))
    for k, (key, plot) in enumerate(plots.items()):
        plot.ax_.set_title(titles[k], fontsize=font, parse_math=False)
        name_classes(plot.ax_, names[key], side / len(names[key]))
        is_left, is_last = k % n_columns == 0, k + n_columns >= len(plots)
        plot.ax_.tick_params(
            labelleft=is_left or not are_shared, labelbottom=is_last or not are_shared
        )
        plot.ax_.yaxis.label.set_visible(is_left)
        plot.ax_.xaxis.label.set_visible(is_last)
    # What sticks out of the panels of each column and of each row is the room between them.
    n_rows = math.ceil(len(plots) / n_columns)
    figure = next(iter(plots.values())).figure_
    figure.set_size_inches(n_columns * side / 36, n_rows * side / 36)
    room = np.zeros((n_rows * n_columns, 2))
    for k, plot in enumerate(plots.values()):
        around: Any = plot.ax_.get_tightbbox()
        room[k] = around.width - plot.ax_.bbox.width, around.height - plot.ax_.bbox.height
    beside, above = np.moveaxis(room.reshape(n_rows, n_columns, 2) * 72 / figure.dpi + GAP, -1, 0)
    width = n_columns * side + beside.max(axis=0).sum()
    height = n_rows * side + above.max(axis=1).sum() + HEIGHT_OF_TITLE
    figure.set_size_inches(width / 72, height / 72)
    # The layout begins with the sides of the panels.
    figure.draw_without_rendering()
