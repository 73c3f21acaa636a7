"""One confusion matrix in axes: its cells, their text, colors and names."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.plotting.artists import Axes, AxesImage, Figure, Text
from skmetrics_ext.plotting.axes import axes_for, fit_figure, fit_room
from skmetrics_ext.plotting.cells import (
    CELL_VALUES,
    WHOLES,
    Cells,
    CellValues,
    Normalize,
    summarized,
    texts_of_cells,
    title_of_cells,
    title_with,
    whole_of,
)
from skmetrics_ext.plotting.class_names import FILL, LINE_HEIGHT, extent, name_classes
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.text import on_one_line

LINES = "0.85"

# Marks texts that a later plot in the same figure may have to shrink.
CELL = "cell of a confusion matrix"

# More classes than this have no text in their cells.
MOST_CLASSES_WITH_TEXT = 30

# Lengths are in points.
SMALLEST_FONT = 5.0
LEAST_SIDE = 216.0
SIDE_WITHOUT_TEXT = 432.0, 720.0
SIDE_WITH_NAME = 14.2

# In given axes a name has a column for this part of their side, between these.
SIDE_WITH_LETTER = 12.0
WIDEST_IN_AXES = 12, 36


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrixPlot:
    """The artists of a plotted confusion matrix, named as in scikit-learn's displays.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the matrix.
    figure_ : matplotlib.figure.Figure
        The figure of these axes.
    im_ : matplotlib.image.AxesImage
        The colors; its array has the counts or proportions that they encode.
    text_ : ndarray of shape (n_classes, n_classes) of matplotlib.text.Text, or None
        The text of each cell; None where cells have no text.
    panels_ : dict of name or coordinate to ConfusionMatrixPlot
        The artists of each panel; the others here are those of the first. Empty for one matrix.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix, plot_confusion_matrix
    >>> cm = ConfusionMatrix.from_counts([[5, 1], [2, 4]], labels=["no", "yes"])
    >>> plot = plot_confusion_matrix(cm, values="counts")
    >>> plot.ax_.get_xlabel(), plot.text_[1, 0].get_text()
    ('predicted', '2')
    """

    ax_: Axes
    figure_: Figure
    im_: AxesImage
    text_: NDArray[Any] | None
    panels_: dict[Any, ConfusionMatrixPlot] = field(default_factory=dict)


def draw_one(
    matrix: ConfusionMatrix, look: Look, title: str | None, ax: Axes | None
) -> ConfusionMatrixPlot:
    """One matrix, or the mean of folds, in given axes or in a new figure."""
    ax, own_figure = axes_for("plot_confusion_matrix", ax)
    cells = summarized(matrix, look.normalize)
    names = names_of(matrix)
    image, texts = draw_matrix(ax, cells, look)
    if not own_figure:
        _fit_text(ax, names)
    is_said = texts is not None and bool(texts[0, 0].get_visible())
    if title is not None or (is_said and not ax.get_title()):
        contents = title_of_cells(cells, look.normalize, str(look.values)) if is_said else ""
        # Wrapped at the edges of the figure.
        ax.set_title(title_with(title, contents).rstrip(), fontsize="medium", wrap=True)
    if not is_said or not look.says_colors:
        draw_color_bar(ax, image, cells, look.normalize)
    if own_figure:
        side = side_for(ax, texts, len(names), LEAST_SIDE)
        side = max(side, *extent(ax, [ax.title]))
        name_classes(ax, names, side / len(names))
        fit_figure(ax, side / 72, side / 72)
    else:
        _fit_text(ax, names)
    return ConfusionMatrixPlot(ax, ax.figure.canvas.figure, image, texts)


class Look(NamedTuple):
    """What the cells of matrices show as text and as color."""

    normalize: Normalize
    values: CellValues
    cmap: Any

    @property
    def says_colors(self) -> bool:
        """Whether the text of a cell has the value of its color."""
        return (
            self.values is not None
            and ("counts" if self.normalize is None else "percent") in self.values
        )


def check_matrix(cm: Any) -> None:
    """Reject what can't be drawn before a figure is made."""
    if not isinstance(cm, ConfusionMatrix):
        raise TypeError(
            f"cm must be a ConfusionMatrix; got {type(cm).__name__}. Pass y_true and y_pred, or "
            "make one with ConfusionMatrix.from_counts(counts, labels=...)."
        )
    if any(axis.name != "fold" for axis in cm.axes):
        raise ValueError(
            "a panel is one matrix, or one per fold along an axis 'fold'; the leading axes of this "
            f"one are {[axis.name for axis in cm.axes]}: pool some with cm.sum, or select with "
            "cm.sel."
        )
    if not cm.counts.size:
        raise ValueError("cm has no folds: pass at least one.")


def read_look(normalize: Any, values: Any, cmap: Any) -> Look:
    """The validated options of the cells."""
    if normalize not in tuple(WHOLES):
        raise ValueError(f"normalize must be None, 'true', 'pred' or 'all'; got {normalize!r}.")
    if values is not None and values not in CELL_VALUES:
        raise ValueError(f"values must be None or one of {list(CELL_VALUES)}; got {values!r}.")
    return Look(normalize, values, cmap)


def names_of(cm: ConfusionMatrix) -> list[str]:
    """The classes as text."""
    return [on_one_line(label) for label in plain(cm.labels)]


def draw_matrix(
    ax: Axes, cells: Cells, look: Look, most: float | None = None
) -> tuple[AxesImage, NDArray[Any] | None]:
    """The cells with text and colors, on a scale up to the largest value of all."""
    image = _draw_colors(ax, cells, look, most)
    texts = None
    if look.values is not None and len(cells.counts) <= MOST_CLASSES_WITH_TEXT:
        texts = _draw_texts(ax, image, cells, look.values)
    ax.set(xlabel="predicted", ylabel="actual")
    return image, texts


def largest_color(cells: Cells, normalize: Normalize) -> float:
    """The value with the last color of the scale."""
    if normalize in ("true", "pred"):
        return 1.0
    return float(np.max(cells.counts if normalize is None else np.nan_to_num(cells.shares))) or 1.0


def _draw_colors(ax: Axes, cells: Cells, look: Look, most: float | None) -> AxesImage:
    """The cells as an image, with fine lines between those with text."""
    colors = cells.counts if look.normalize is None else np.nan_to_num(cells.shares)
    image = ax.imshow(
        colors, cmap=look.cmap, vmin=0, vmax=most or largest_color(cells, look.normalize)
    )
    ax.grid(False)
    if len(colors) <= MOST_CLASSES_WITH_TEXT:
        between = np.arange(1, len(colors)) - 0.5
        ax.set_xticks(between, minor=True)
        ax.set_yticks(between, minor=True)
        ax.grid(which="minor", color=LINES, linewidth=0.5)
    ax.tick_params(which="minor", length=0)
    ax.tick_params(color=LINES)
    ax.spines[:].set_color(LINES)
    return image


def _draw_texts(ax: Axes, image: AxesImage, cells: Cells, values: str) -> NDArray[Any]:
    """The text of each cell, legible on its color."""
    colors = np.where(
        _luminance(image.to_rgba(np.asarray(image.get_array()))) > 0.179, "black", "white"
    )
    # The layout need not measure text inside the matrix.
    style: dict[str, Any] = {
        "ha": "center",
        "va": "center",
        "linespacing": LINE_HEIGHT,
        "in_layout": False,
        "gid": CELL,
    }
    texts = np.empty(colors.shape, dtype=object)
    for (row, column), text in zip(
        np.ndindex(texts.shape), texts_of_cells(cells, values), strict=True
    ):
        texts[row, column] = ax.text(column, row, text, color=str(colors[row, column]), **style)
    return texts


def _luminance(colors: Any) -> NDArray[np.float64]:
    """Relative luminance (WCAG 2) of colors (..., RGBA): from 0.179 on black stands out."""
    rgb = np.asarray(colors)[..., :3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ [0.2126, 0.7152, 0.0722])


def draw_color_bar(ax: Axes, image: AxesImage, cells: Cells, normalize: Normalize) -> None:
    """The color bar, inside `ax`, so that it is as high as the matrix."""
    from matplotlib.ticker import PercentFormatter

    name = whole_of(normalize)
    bar = ax.figure.colorbar(
        image,
        cax=ax.inset_axes((1.04, 0, 0.04, 1)),
        format=None if normalize is None else PercentFormatter(1, symbol=" %"),
        label=name if cells.n_folds is None else f"{name}, mean of {cells.n_folds} folds",
    )
    bar.outline.set_visible(False)


def side_for(ax: Axes, texts: NDArray[Any] | None, n_classes: int, least: float) -> float:
    """The side in points for the text of the cells, which shrinks with more classes."""
    side = least
    if n_classes > MOST_CLASSES_WITH_TEXT:
        # For every name, if that is not too large for a screen.
        side = float(np.clip(n_classes * SIDE_WITH_NAME, *SIDE_WITHOUT_TEXT))
    if texts is None:
        return side
    # Otherwise the plot would not fit on the screen.
    scale = np.interp(n_classes, (10, MOST_CLASSES_WITH_TEXT), (1, 0.7))
    size = scale * texts[0, 0].get_fontsize()
    for text in texts.flat:
        text.set_fontsize(size)
    return max(side, n_classes * max(extent(ax, texts.flat)) / FILL)


def _fit_text(ax: Axes, names: list[str]) -> None:
    """Adapt the text to axes of fixed size, also in adjacent matrices."""
    figure = ax.figure.canvas.figure
    # Their size depends on the layout, and this on the names.
    for _ in range(2):
        figure.draw_without_rendering()
        side = side_of_cell(ax, len(names))
        name_classes(
            ax, names, side, int(np.clip(side * len(names) / SIDE_WITH_LETTER, *WIDEST_IN_AXES))
        )
        fit_room(ax)
    for neighbor in figure.axes:
        texts = [text for text in neighbor.texts if text.get_gid() == CELL]
        if texts:
            shrink(neighbor, texts, side_of_cell(neighbor, math.isqrt(len(texts))))


def shrink(ax: Axes, texts: list[Text], side: float) -> None:
    """Make texts small enough for their cells, or hide illegible ones."""
    size = float(texts[0].get_fontsize()) * min(1, FILL * side / max(*extent(ax, texts), 1))
    for text in texts:
        text.set(fontsize=size, visible=size >= SMALLEST_FONT)


def side_of_cell(ax: Axes, n_classes: int) -> float:
    """The side of a cell in points, in the last layout of the figure."""
    return float(ax.get_window_extent().width) * 72 / ax.figure.dpi / n_classes
