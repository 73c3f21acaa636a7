"""Plots of several confusion matrices: a panel per group, fold or model, on one colour scale."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.data import arrays_of
from skmetrics_ext.pictures.artists import Colormap, Figure
from skmetrics_ext.pictures.axes import axes_for
from skmetrics_ext.pictures.cells import CellValues, Normalize, summarized, title_of_cells
from skmetrics_ext.pictures.class_names import WIDTH_OF_LETTER, name_classes, wrapped
from skmetrics_ext.pictures.confusion_matrix import (
    ConfusionMatrixPlot,
    check_matrix,
    draw_colour_bar,
    draw_matrix,
    largest_colour,
    names_of,
    read_look,
    shrink,
    side_for,
    side_of_cell,
)
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.text import on_one_line

# More panels than these are too small to read.
MOST_PANELS = 12
MOST_COLUMNS = 4

# The minimum side of a panel in points, and the gap between panels in inches.
LEAST_PANEL = 130.0
GAP = 0.05

# The most columns of a name, since names stand between panels, too.
WIDEST_NAME = 24


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatricesPlot:
    """The panels of several plotted confusion matrices.

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
        The figure of all panels.
    plots_ : dict of name or coordinate to ConfusionMatrixPlot
        The artists of each panel, as `plot_confusion_matrix` returns them.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_labels([0, 0, 1, 1], [0, 1, 1, 1], by=["a", "a", "b", "b"])
    >>> plot = plot_confusion_matrices(cm, values="counts")
    >>> list(plot.plots_), plot.plots_["b"].text_[1, 1].get_text()
    (['a', 'b'], '2')
    """

    figure_: Figure
    plots_: dict[Any, ConfusionMatrixPlot]


def plot_confusion_matrices(
    matrices: ConfusionMatrix | Mapping[Any, ConfusionMatrix],
    *,
    normalize: Normalize = "true",
    values: CellValues = "counts+percent",
    cmap: str | Colormap = "Blues",
    title: str | None = None,
) -> ConfusionMatricesPlot:
    """Plot confusion matrices side by side on a common colour scale, one per group, fold or model.

    Draws a new figure. Class names common to all panels are shown only at the left and bottom.
    Needs matplotlib: `pip install 'skmetrics-ext[plot]'`.

    Parameters
    ----------
    matrices : ConfusionMatrix, or dict of name to ConfusionMatrix
        A matrix with one leading axis gives one panel per entry, including folds, for which
        `plot_confusion_matrix` shows mean and standard deviation. With a "fold" axis and another
        axis it gives one panel per entry of the other, with mean and spread over the folds. A dict
        gives one panel per matrix, which may have no leading axis or only "fold". At most 12
        panels.
    normalize : {"true", "pred", "all"} or None, default="true"
        Colours show proportions of the actual class, the predicted class or all samples, as
        does the percentage. None: colours show counts, among which a rare class is as pale as its
        errors, and the percentage is of the actual class.
    values : {"counts+percent", "counts", "percent"} or None, default="counts+percent"
        Text in each cell; None for no text. A dash marks a percentage of zero samples.
    cmap : str or matplotlib.colors.Colormap, default="Blues"
        The colours; the text of a cell is black or white, whichever stands out.
    title : str, default=None
        The title of the figure; "" for none. None: a description of the cell contents.

    Returns
    -------
    ConfusionMatricesPlot
        With `figure_` and `plots_`, one ConfusionMatrixPlot per panel.

    Raises
    ------
    TypeError
        If `matrices` is of another type.
    ValueError
        If there is nothing to draw or more than 12 panels, if there are other leading axes, or an
        option is not one of those above.
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> counts = {"forest": [[5, 1], [2, 6]], "logistic": [[4, 2], [1, 7]]}
    >>> models = {name: ConfusionMatrix.from_counts(of, [0, 1]) for name, of in counts.items()}
    >>> plot = plot_confusion_matrices(models, values="percent")
    >>> plot.plots_["logistic"].text_[1, 0].get_text()
    '12 %'
    """
    look = read_look(normalize, values, cmap)
    panels = _read_panels(matrices)
    cells = {key: summarized(cm, normalize) for key, cm in panels.items()}
    most = max(largest_colour(of_panel, normalize) for of_panel in cells.values())

    # Rows of about equal length.
    n_rows = math.ceil(len(panels) / MOST_COLUMNS)
    n_columns = math.ceil(len(panels) / n_rows)
    first, _ = axes_for("plot_confusion_matrices", None)
    figure = first.figure.canvas.figure
    figure.clear()
    figure.set_layout_engine("constrained", w_pad=GAP, h_pad=GAP)
    grid = figure.subplots(n_rows, n_columns, squeeze=False)
    plots = {}
    for (key, of_panel), ax in zip(cells.items(), grid.flat, strict=False):
        image, texts = draw_matrix(ax, of_panel, look, most)
        plots[key] = ConfusionMatrixPlot(ax, figure, image, texts)
    for ax in grid.flat[len(panels) :]:
        ax.remove()
    has_text = all(plot.text_ is not None for plot in plots.values())
    if title is None and has_text:
        title = title_of_cells(next(iter(cells.values())), normalize, str(values))
    if title:
        figure.suptitle(title, fontsize="medium")
    if not look.says_colours or not has_text:
        # At the end of the first row, where there is always a panel.
        key = list(plots)[n_columns - 1]
        draw_colour_bar(plots[key].ax_, plots[key].im_, cells[key], normalize)
    _fit_panels(panels, plots, n_columns)
    return ConfusionMatricesPlot(figure, plots)


def _read_panels(matrices: Any) -> dict[Any, ConfusionMatrix]:
    """The matrix of each panel."""
    panels = dict(matrices) if isinstance(matrices, Mapping) else _entries_of_matrix(matrices)
    if not 0 < len(panels) <= MOST_PANELS:
        raise ValueError(
            f"plot_confusion_matrices draws from 1 to {MOST_PANELS} matrices; there are "
            f"{len(panels)}: pass a dict of "
            "those to draw, or pool them with cm.sum(...)."
        )
    for cm in panels.values():
        check_matrix(cm)
    return panels


def _entries_of_matrix(cm: Any) -> dict[Any, ConfusionMatrix]:
    """The entries of a matrix on its axis, or on the one that is not "fold"."""
    if not isinstance(cm, ConfusionMatrix):
        raise TypeError(
            "matrices must be a ConfusionMatrix with a leading axis, or a dict of name to "
            "ConfusionMatrix; got "
            f"{type(cm).__name__}."
        )
    names = [axis.name for axis in cm.axes]
    if len(names) > 2 or (len(names) == 2 and "fold" not in names):
        raise ValueError(
            f"panels need a single axis besides 'fold', but the matrix has {names}: pool one with "
            "cm.sum."
        )
    if not names:
        raise ValueError(
            "the matrix has no leading axis, so there is only one plot: use plot_confusion_matrix."
        )
    place = next((k for k, name in enumerate(names) if name != "fold"), 0)
    rest = cm.axes[:place] + cm.axes[place + 1 :]
    arrays: Any = arrays_of(cm)
    return {
        coordinate: replace(
            cm, axes=rest, **{name: np.take(of, k, axis=place) for name, of in arrays.items()}
        )
        for k, coordinate in enumerate(plain(cm.axes[place].coordinates))
    }


def _fit_panels(
    panels: dict[Any, ConfusionMatrix], plots: dict[Any, ConfusionMatrixPlot], n_columns: int
) -> None:
    """Name the classes, and make the figure large enough for the text of the panels."""
    figure = next(iter(plots.values())).figure_
    side = max(
        side_for(plot.ax_, plot.text_, len(panels[key].labels), LEAST_PANEL)
        for key, plot in plots.items()
    )
    names = {key: names_of(cm) for key, cm in panels.items()}
    letter = WIDTH_OF_LETTER * float(figure.axes[0].title.get_fontsize())
    titles = wrapped([on_one_line(key) for key in panels], int(side / letter))
    for plot, title in zip(plots.values(), titles, strict=True):
        plot.ax_.set_title(title, parse_math=False)
    are_shared = len({tuple(of_panel) for of_panel in names.values()}) == 1
    for k, (key, plot) in enumerate(plots.items()):
        name_classes(plot.ax_, names[key], side / len(names[key]), WIDEST_NAME)
        is_left, is_last = k % n_columns == 0, k + n_columns >= len(plots)
        plot.ax_.tick_params(
            labelleft=is_left or not are_shared, labelbottom=is_last or not are_shared
        )
        plot.ax_.yaxis.label.set_visible(is_left)
        plot.ax_.xaxis.label.set_visible(is_last)
    n_rows = math.ceil(len(plots) / n_columns)
    figure.set_size_inches(n_columns * side / 36, n_rows * side / 36)
    # The room around the panels does not depend on their size.
    layout: Any = figure.get_layout_engine()
    for _ in range(2):
        layout.execute(figure)
        width, height = figure.get_size_inches()
        box = next(iter(plots.values())).ax_.get_position(original=True)
        around = width * (1 - n_columns * box.width), height * (1 - n_rows * box.height)
        figure.set_size_inches(around[0] + n_columns * side / 72, around[1] + n_rows * side / 72)
    figure.draw_without_rendering()
    for key, plot in plots.items():
        if plot.text_ is not None:
            shrink(plot.ax_, list(plot.text_.flat), side_of_cell(plot.ax_, len(panels[key].labels)))
