"""Plots of a confusion matrix, of a single count or of folds, with matplotlib."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.pictures.artists import Axes, AxesImage, Colormap, Figure, Text
from skmetrics_ext.pictures.axes import axes_for, fit_figure, fit_room
from skmetrics_ext.pictures.cells import (
    CELL_VALUES,
    WHOLES,
    Cells,
    CellValues,
    Normalize,
    summarized,
    texts_of_cells,
    title_of_cells,
    whole_of,
)
from skmetrics_ext.pictures.class_names import FILL, LINE_HEIGHT, extent, name_classes
from skmetrics_ext.pictures.from_labels import matrix_of
from skmetrics_ext.reading.aliases import LabelsLike, TargetLike
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.text import on_one_line

LINES = "0.85"

# Marks the texts of cells, which a later plot in the same figure may have to shrink.
CELL = "cell of a confusion matrix"

# More classes than this have no text in their cells.
MOST_CLASSES_WITH_TEXT = 30

# Lengths are in points, 1/72 inch.
SMALLEST_FONT = 5.0
LEAST_SIDE = 216.0
SIDE_WITHOUT_TEXT = 432.0, 720.0
SIDE_WITH_NAME = 14.2

# In given axes a name has a column for this part of their side, and a number of columns between
# these.
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
        The colours; its array has the counts or proportions that they encode.
    text_ : ndarray of shape (n_classes, n_classes) of matplotlib.text.Text, or None
        The text of each cell; None where cells have no text.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_counts([[5, 1], [2, 4]], labels=["no", "yes"])
    >>> plot = plot_confusion_matrix(cm, values="counts")
    >>> plot.ax_.get_xlabel(), plot.text_[1, 0].get_text()
    ('predicted', '2')
    """

    ax_: Axes
    figure_: Figure
    im_: AxesImage
    text_: NDArray[Any] | None


def plot_confusion_matrix(
    cm: ConfusionMatrix | TargetLike,
    y_pred: TargetLike | None = None,
    *,
    labels: LabelsLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: Normalize = "true",
    values: CellValues = "counts+percent",
    cmap: str | Colormap = "Blues",
    title: str | None = None,
    ax: Axes | None = None,
) -> ConfusionMatrixPlot:
    """Plot a confusion matrix with actual classes in rows and predicted classes in columns.

    A cell without samples is blank. A colour bar is added where the cell text does not show the
    value that the colour encodes. Long names are wrapped or shortened. With more than 30 classes
    there is no cell text but a colour bar, and only every second, fifth, ... class name, as fits.
    For one panel per group, fold or model see `plot_confusion_matrices`. Needs matplotlib: `pip
    install 'skmetrics-ext[plot]'`.

    Parameters
    ----------
    cm : ConfusionMatrix, or array-like of shape (n_samples,)
        A single matrix, or one per fold on an axis "fold". For folds the cells show mean ± standard
        deviation (the root mean square deviation, ddof=0, as in `cv_results_`), colours the
        mean. Proportions are computed per fold; folds without samples of a class are omitted.
        With `y_pred`, the actual labels.
    y_pred : array-like of shape (n_samples,), default=None
        Predicted labels, if `cm` is actual labels.
    labels : array-like of shape (n_classes,), default=None
        The classes in order, which must include every label in the data; only with `y_pred`. None:
        all labels, in the order of an ordered categorical, else sorted.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample; only with labels.
    normalize : {"true", "pred", "all"} or None, default="true"
        Colours show proportions of the actual class, the predicted class or all samples, as
        does the percentage. None: colours show counts, among which a rare class is as pale as its
        errors, and the percentage is of the actual class.
    values : {"counts+percent", "counts", "percent"} or None, default="counts+percent"
        Text in each cell; None for no text. A dash marks a percentage of zero samples.
    cmap : str or matplotlib.colors.Colormap, default="Blues"
        The colours; the text of a cell is black or white, whichever stands out.
    title : str, default=None
        The title; "" for none. None: a description of the cell contents, unless `ax` has a title.
    ax : matplotlib.axes.Axes, default=None
        Where to draw. Its figure keeps its size and the text adapts to it; cells too small
        for text of 5 points hide theirs. Subplots side by side need a figure with
        `layout="constrained"`. None: a new figure, large enough for all text.

    Returns
    -------
    ConfusionMatrixPlot
        With `ax_`, `figure_`, `im_` and `text_`. Save the plot with `figure_.savefig`.

    Raises
    ------
    TypeError
        If `cm` is not a ConfusionMatrix or `ax` not an Axes.
    ValueError
        If `cm` has leading axes other than "fold", or an option is not one of those above; if
        options of labels are given without `y_pred`.
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_counts([[5, 1], [2, 6]], labels=["no", "yes"])
    >>> plot = plot_confusion_matrix(cm)
    >>> print(plot.text_[1, 0].get_text())
    2
    25 %
    >>> plot_confusion_matrix([0, 1, 1, 1], [0, 1, 0, 1], values="counts").text_[1, 1].get_text()
    '2'
    """
    matrix: ConfusionMatrix = matrix_of(cm, y_pred, labels=labels, sample_weight=sample_weight)
    check_matrix(matrix)
    look = read_look(normalize, values, cmap)
    ax, own_figure = axes_for("plot_confusion_matrix", ax)
    cells = summarized(matrix, normalize)
    names = names_of(matrix)
    image, texts = draw_matrix(ax, cells, look)
    if not own_figure:
        _fit_text(ax, names)
    is_said = texts is not None and bool(texts[0, 0].get_visible())
    if title is not None or (is_said and not ax.get_title()):
        ax.set_title(
            title_of_cells(cells, normalize, str(values)) if title is None else title,
            fontsize="medium",
        )
    if not is_said or not look.says_colours:
        draw_colour_bar(ax, image, cells, normalize)
    if own_figure:
        side = side_for(ax, texts, len(names), LEAST_SIDE)
        side = max(side, *extent(ax, [ax.title]))
        name_classes(ax, names, side / len(names))
        fit_figure(ax, side / 72, side / 72)
    else:
        _fit_text(ax, names)
    return ConfusionMatrixPlot(ax, ax.figure.canvas.figure, image, texts)


class Look(NamedTuple):
    """What the cells of matrices show as text and as colour."""

    normalize: Normalize
    values: CellValues
    cmap: Any

    @property
    def says_colours(self) -> bool:
        """Whether the text of a cell includes the value that its colour encodes."""
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
    names = [axis.name for axis in cm.axes]
    if names not in ([], ["fold"]):
        entries = ", ".join(
            f"{axis.name}={plain(axis.coordinates[:1])[0]!r}"
            for axis in cm.axes
            if len(axis.coordinates)
        )
        raise ValueError(
            "cm must be one matrix, or one per fold along an axis 'fold'; its leading axes are "
            f"{names}. Draw each with plot_confusion_matrices, pool them, e.g. "
            f"cm.sum({names[0]!r}), or select an "
            "entry, "
            f"cm.sel({entries})."
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
    """The cells with their text and colours, on a scale up to the largest value of all matrices."""
    image = _draw_colours(ax, cells, look, most)
    texts = None
    if look.values is not None and len(cells.counts) <= MOST_CLASSES_WITH_TEXT:
        texts = _draw_texts(ax, image, cells, look.values)
    ax.set(xlabel="predicted", ylabel="actual")
    return image, texts


def largest_colour(cells: Cells, normalize: Normalize) -> float:
    """The value with the last colour of the scale."""
    if normalize in ("true", "pred"):
        return 1.0
    return float(np.max(cells.counts if normalize is None else np.nan_to_num(cells.shares))) or 1.0


def _draw_colours(ax: Axes, cells: Cells, look: Look, most: float | None) -> AxesImage:
    """The cells as an image, with fine lines between those that may have text."""
    colours = cells.counts if look.normalize is None else np.nan_to_num(cells.shares)
    image = ax.imshow(
        colours, cmap=look.cmap, vmin=0, vmax=most or largest_colour(cells, look.normalize)
    )
    ax.grid(False)
    if len(colours) <= MOST_CLASSES_WITH_TEXT:
        between = np.arange(1, len(colours)) - 0.5
        ax.set_xticks(between, minor=True)
        ax.set_yticks(between, minor=True)
        ax.grid(which="minor", color=LINES, linewidth=0.5)
    ax.tick_params(which="minor", length=0)
    ax.tick_params(color=LINES)
    ax.spines[:].set_color(LINES)
    return image


def _draw_texts(ax: Axes, image: AxesImage, cells: Cells, values: str) -> NDArray[Any]:
    """The text of each cell, legible on its colour."""
    colours = np.where(
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
    texts = np.empty(colours.shape, dtype=object)
    for (row, column), text in zip(
        np.ndindex(texts.shape), texts_of_cells(cells, values), strict=True
    ):
        texts[row, column] = ax.text(column, row, text, color=str(colours[row, column]), **style)
    return texts


def _luminance(colours: Any) -> NDArray[np.float64]:
    """Relative luminance (WCAG 2) of colours (..., RGBA): above 0.179 black has more contrast,
    below it white.
    """
    rgb = np.asarray(colours)[..., :3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ [0.2126, 0.7152, 0.0722])


def draw_colour_bar(ax: Axes, image: AxesImage, cells: Cells, normalize: Normalize) -> None:
    """The colour bar, on axes inside `ax`, so that it is as high as the matrix in every layout."""
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
    """The side of a matrix in points needed for the text of its cells, which shrinks with more
    classes.
    """
    side = least
    if n_classes > MOST_CLASSES_WITH_TEXT:
        # Large enough for every name, if that is not too large for a screen.
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
    """Adapt the text to axes of fixed size, also in adjacent matrices, which make room for the
    names.
    """
    figure = ax.figure.canvas.figure
    # The size of the axes depends on the layout, and the layout on the names.
    for _ in range(2):
        figure.draw_without_rendering()
        side = side_of_cell(ax, len(names))
        name_classes(
            ax, names, side, int(np.clip(side * len(names) / SIDE_WITH_LETTER, *WIDEST_IN_AXES))
        )
        fit_room(ax)
    for neighbour in figure.axes:
        texts = [text for text in neighbour.texts if text.get_gid() == CELL]
        if texts:
            shrink(neighbour, texts, side_of_cell(neighbour, math.isqrt(len(texts))))


def shrink(ax: Axes, texts: list[Text], side: float) -> None:
    """Make texts small enough for their cells, or hide them where they would be illegible."""
    size = float(texts[0].get_fontsize()) * min(1, FILL * side / max(*extent(ax, texts), 1))
    for text in texts:
        text.set(fontsize=size, visible=size >= SMALLEST_FONT)


def side_of_cell(ax: Axes, n_classes: int) -> float:
    """The side of a cell in points, in the last layout of the figure."""
    return float(ax.get_window_extent().width) * 72 / ax.figure.dpi / n_classes
