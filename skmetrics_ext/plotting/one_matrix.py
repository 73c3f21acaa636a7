"""One confusion matrix in axes: its cells, their text, colors and names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.plotting.axes import (
    SQUARE,
    Axes,
    AxesImage,
    Figure,
    axes_for,
    fit_figure,
    make_room,
)
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
from skmetrics_ext.plotting.class_names import FILL, LINE_HEIGHT, name_classes
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.text import on_one_line

LINES = "0.85"

# More classes than this have no text in their cells.
MOST_CLASSES_WITH_TEXT = 30

# Lengths are in points.
SMALLEST_FONT = 5.0
LEAST_SIDE = 216.0
SIDE_WITHOUT_TEXT = 432.0, 720.0
SIDE_WITH_NAME = 14.2

# In given axes a name has a column for this part of their side, between these.
SIDE_WITH_LETTER = 12.0
WIDEST_IN_AXES = 12, 24

# The width of a digit as a fraction of the size of the font.
WIDTH_OF_DIGIT = 0.64


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrixPlot:
    """The artists of a plotted confusion matrix.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the matrix.
    figure_ : matplotlib.figure.Figure
        Their figure.
    im_ : matplotlib.image.AxesImage
        The colors; its array has their counts or proportions.
    text_ : ndarray of shape (n_classes, n_classes) of matplotlib.text.Text, or None
        The text of each cell, if any.
    panels_ : dict of name or coordinate to ConfusionMatrixPlot
        The artists of each panel, of which the others here are the first; empty for one matrix.

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
    matrix: ConfusionMatrix, look: Look, title: str | None, given: Axes | None
) -> ConfusionMatrixPlot:
    """One matrix, or the mean of folds, in given axes or in a new figure."""
    ax = axes_for("plot_confusion_matrix", given, SQUARE, layout="none")
    cells = summarized(matrix, look.normalize)
    names = names_of(matrix)
    has_title = bool(ax.get_title())
    image, texts = draw_matrix(ax, cells, look)
    if given is None:
        side = set_fonts(texts, len(names), LEAST_SIDE)
        name_classes(ax, names, side / len(names))
    else:
        # The size of the axes depends on the layout, and this on the names.
        for _ in range(2):
            side = side_of_cell(ax, len(names))
            letters = int(np.clip(side * len(names) / SIDE_WITH_LETTER, *WIDEST_IN_AXES))
            name_classes(ax, names, side, letters)
            make_room(ax)
        shrink(texts, side_of_cell(ax, len(names)))
    is_said = texts is not None and bool(texts[0, 0].get_visible())
    if title is not None or (is_said and not has_title):
        contents = title_of_look(cells, look) if is_said else ""
        whole = title_with(title, contents).rstrip()
        ax.set_title(whole, fontsize="medium", wrap=given is not None, parse_math=False)
    if not is_said or not look.says_colors:
        draw_color_bar(ax, image, cells, look.normalize)
        if given is not None:
            make_room(ax)
    if given is None:
        fit_figure(ax, side / 72, side / 72)
    return ConfusionMatrixPlot(ax, ax.figure.canvas.figure, image, texts)


class Look(NamedTuple):
    """What the cells of matrices show as text and as color."""

    normalize: Normalize
    values: CellValues
    values_format: str | None
    cmap: Any

    @property
    def says_colors(self) -> bool:
        """Whether the text of a cell has the value of its color."""
        return (
            self.values is not None
            and ("counts" if self.normalize is None else "percent") in self.values
        )


def title_of_look(cells: Cells, look: Look) -> str:
    """A description of the text in the cells."""
    return title_of_cells(cells, look.normalize, str(look.values), look.values_format)


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


def read_look(normalize: Any, values: Any, values_format: Any, cmap: Any) -> Look:
    """The validated options of the cells."""
    if normalize not in tuple(WHOLES):
        raise ValueError(f"normalize must be None, 'true', 'pred' or 'all'; got {normalize!r}.")
    if values is not None and values not in CELL_VALUES:
        raise ValueError(f"values must be None or one of {list(CELL_VALUES)}; got {values!r}.")
    if values_format is not None and values not in ("counts", "percent"):
        raise ValueError(
            "values_format= is for cells with one number: pass values='counts' or 'percent', too."
        )
    return Look(normalize, values, values_format, cmap)


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
        texts = _draw_texts(ax, image, texts_of_cells(cells, look.values, look.values_format))
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


def _draw_texts(ax: Axes, image: AxesImage, in_cells: list[str]) -> NDArray[Any]:
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
    }
    texts = np.empty(colors.shape, dtype=object)
    for (row, column), text in zip(np.ndindex(texts.shape), in_cells, strict=True):
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
    )
    of_folds = "" if cells.n_folds is None else f", mean of {cells.n_folds} folds"
    bar.set_label(name + of_folds)
    bar.outline.set_visible(False)


def set_fonts(texts: NDArray[Any] | None, n_classes: int, least: float) -> float:
    """The side in points for the text of the cells, which is smaller with more classes."""
    if texts is None:
        # For every name, if that is not too large for a screen.
        is_large = n_classes > MOST_CLASSES_WITH_TEXT
        side = float(np.clip(n_classes * SIDE_WITH_NAME, *SIDE_WITHOUT_TEXT))
        return side if is_large else least
    # Otherwise the plot would not fit on the screen.
    scale = np.interp(n_classes, (10, MOST_CLASSES_WITH_TEXT), (1, 0.7))
    font = float(scale * texts[0, 0].get_fontsize())
    for text in texts.flat:
        text.set_fontsize(font)
    return max(least, n_classes * font * _extent(texts) / FILL)


def shrink(texts: NDArray[Any] | None, side: float) -> None:
    """Make texts small enough for cells with sides of a length in points, or hide them."""
    if texts is None:
        return
    font = min(float(texts[0, 0].get_fontsize()), FILL * side / _extent(texts))
    for text in texts.flat:
        text.set(fontsize=font, visible=font >= SMALLEST_FONT)


def _extent(texts: NDArray[Any]) -> float:
    """The larger side of the largest text, in sizes of the font."""
    lines = [text.get_text().split("\n") for text in texts.flat]
    longest = max(len(line) for of_cell in lines for line in of_cell)
    return max(WIDTH_OF_DIGIT * longest, LINE_HEIGHT * max(map(len, lines)))


def side_of_cell(ax: Axes, n_classes: int) -> float:
    """The side of a cell in points, in the last layout of the figure."""
    ax.apply_aspect()
    return float(ax.get_window_extent().width) * 72 / ax.figure.dpi / n_classes
