"""Pictures: confusion matrices, of one count or of folds, with matplotlib."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import averaged
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.pictures.axes import axes_for, fit_figure
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.words import count_as_text, on_one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage
    from matplotlib.text import Text

Normalize = Literal["true", "pred", "all"] | None
CellValues = Literal["counts+percent", "counts", "percent"] | None
CELL_VALUES = ("counts+percent", "counts", "percent")

# What a share is a share of, and the axes of counts that it is summed over.
WHOLES: dict[str | None, tuple[str, tuple[int, ...]]] = {
    None: ("the actual class", (-1,)),
    "true": ("the actual class", (-1,)),
    "pred": ("the predicted class", (-2,)),
    "all": ("all samples", (-2, -1)),
}

# Light for none and dark for many, which prints well and leaves most cells of a good classifier white.
COLOUR_MAP = "Blues"
LINES = "0.85"
# On the lightest colour this grey is faint, but still has the contrast that small text needs.
MUTED = "0.4"

# Marks the texts of cells, which a later picture in the same figure may have to shrink.
CELL = "cell of a confusion matrix"

# A share of no samples.
NO_SHARE = "\N{EN DASH}"

# More classes than this have no text in their cells.
MOST_CLASSES_WITH_TEXT = 30

# Lengths are in points, 1/72 inch. Text takes at most this part of its cell.
FILL = 0.85
SMALLEST_FONT = 5.0
SMALLEST_TICK_FONT = 6.0
LEAST_SIDE = 216.0
SIDE_WITHOUT_TEXT = 432.0

TILT = 45
LINE_HEIGHT = 1.25


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
        The colours; its array has the counts or shares that they stand for.
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

    ax_: "Axes"
    figure_: "Figure"
    im_: "AxesImage"
    text_: NDArray[Any] | None


def plot_confusion_matrix(
    cm: ConfusionMatrix, *, normalize: Normalize = None, values: CellValues = "counts+percent", ax: "Axes | None" = None
) -> ConfusionMatrixPlot:
    """Draw a confusion matrix: actual classes downwards, predicted classes to the right.

    The title tells what the cells say; replace it with `ax_.set_title`. A colour bar stands
    beside the matrix where the cells do not say what their colour stands for. More than 30
    classes have no text and a colour bar, and of their names every second, fifth, ... that
    fits. Needs matplotlib: `pip install 'skmetrics-ext[plot]'`.

    Parameters
    ----------
    cm : ConfusionMatrix
        One matrix, or one a fold on an axis "fold". Of folds the cells show mean ± standard
        deviation (the root mean square deviation, ddof=0, as in `cv_results_`), colours the
        mean. Shares are those of each fold; a fold without samples of a class has none.
    normalize : {"true", "pred", "all"}, default=None
        Colours show shares of the actual class, of the predicted class or of all samples, as
        does the percentage. None: colours show counts, and the percentage is of the actual
        class.
    values : {"counts+percent", "counts", "percent"} or None, default="counts+percent"
        What each cell says; None for no text. A dash is a share of no samples.
    ax : matplotlib.axes.Axes, default=None
        Where to draw. Its figure keeps its size and the text adapts to it; cells too small
        for text of 5 points hide theirs. Subplots side by side need a figure with
        `layout="constrained"`. None: a new figure, large enough for all text.

    Returns
    -------
    ConfusionMatrixPlot
        With `ax_`, `figure_`, `im_` and `text_`. `figure_.savefig` stores the picture.

    Raises
    ------
    TypeError
        If `cm` is no ConfusionMatrix or `ax` no Axes.
    ValueError
        If `cm` has leading axes other than "fold", or an option is none of those above.
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
    """
    _check_matrix(cm, normalize, values)
    own_figure = ax is None
    ax = axes_for("plot_confusion_matrix", ax)
    cells = _summarize(cm, normalize)
    names = [on_one_line(label) for label in plain(cm.labels)]
    shown = values if len(names) <= MOST_CLASSES_WITH_TEXT else None

    image = _draw_colours(ax, cells, normalize)
    texts = None if shown is None else _draw_texts(ax, image, cells, shown)
    ax.set(xlabel="predicted", ylabel="actual")
    if not own_figure:
        _fit_text(ax, names)
        shown = shown if texts is not None and texts[0, 0].get_visible() else None
    if shown is not None and not ax.get_title():
        ax.set_title(_title(cells, normalize, shown), fontsize="small")
    if shown is None or ("counts" if normalize is None else "percent") not in shown:
        _draw_colour_bar(ax, image, cells, normalize)
    if own_figure:
        _fit_figure(ax, names, texts)
    else:
        _fit_text(ax, names)
    return ConfusionMatrixPlot(ax, ax.figure.canvas.figure, image, texts)


def _check_matrix(cm: Any, normalize: Any, values: Any) -> None:
    """Refuse what can't be drawn before there is a figure."""
    if not isinstance(cm, ConfusionMatrix):
        raise TypeError(
            f"cm must be a ConfusionMatrix; got {type(cm).__name__}. Make one with "
            "ConfusionMatrix.from_labels(y_true, y_pred) or ConfusionMatrix.from_counts(counts, labels=...)."
        )
    names = [axis.name for axis in cm.axes]
    if names not in ([], ["fold"]):
        raise ValueError(
            f"cm must be one matrix, or one a fold on an axis 'fold'; its leading axes are {names}. Pool them, e.g. "
            f"cm.sum({names[0]!r}), or choose one entry, e.g. "
            f"ConfusionMatrix.from_counts(cm.counts[{', '.join('0' * len(names))}], labels=cm.labels)."
        )
    if not cm.counts.size:
        raise ValueError("cm has no folds: pass at least one.")
    if normalize not in tuple(WHOLES):
        raise ValueError(f"normalize must be None, 'true', 'pred' or 'all'; got {normalize!r}.")
    if values is not None and values not in CELL_VALUES:
        raise ValueError(f"values must be None or one of {list(CELL_VALUES)}; got {values!r}.")


# What the cells say.


class Cells(NamedTuple):
    """Counts and shares (n_classes, n_classes), means if there are folds; a share of no samples is NaN."""

    counts: NDArray[Any]
    shares: NDArray[np.float64]
    spread_of_counts: NDArray[np.float64]
    spread_of_shares: NDArray[np.float64]
    n_folds: int | None


def _summarize(cm: ConfusionMatrix, normalize: Normalize) -> Cells:
    """The numbers of the picture."""
    shares = cm.normalize(normalize or "true")
    empty = ~shares.any(WHOLES[normalize][1], keepdims=True)
    shares = np.where(empty, np.nan, shares)
    if not cm.axes:
        no_spread = np.zeros(cm.counts.shape)
        return Cells(cm.counts, shares, no_spread, no_spread, None)
    (counts, spread_of_counts), (shares, spread_of_shares) = _mean_and_spread(cm.counts), _mean_and_spread(shares)
    return Cells(counts, shares, spread_of_counts, spread_of_shares, len(cm.counts))


def _mean_and_spread(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Mean and standard deviation over the first axis, of the values that are not NaN."""
    folds_last = np.moveaxis(values, 0, -1)
    mean = averaged(folds_last, "macro", better="neither")
    return mean, np.sqrt(averaged((folds_last - mean[..., None]) ** 2, "macro", better="neither"))


def _cell_texts(cells: Cells, values: str) -> list[str]:
    """What each cell says, row by row."""
    counts, shares = cells.counts.ravel().tolist(), cells.shares.ravel().tolist()
    if cells.n_folds is None:
        lines = {"counts": map(count_as_text, counts), "percent": map(_percent, shares)}
    else:
        lines = {
            "counts": map(_count_with_spread, counts, cells.spread_of_counts.ravel().tolist()),
            "percent": map(_percent_with_spread, shares, cells.spread_of_shares.ravel().tolist()),
        }
    return ["\n".join(texts) for texts in zip(*(lines[value] for value in values.split("+")), strict=True)]


def _percent(share: float) -> str:
    """Whole percents, but few are not rounded to none, nor nearly all to all."""
    if math.isnan(share):
        return NO_SHARE
    if 0 < share < 0.005:
        return "<1 %"
    if 0.995 <= share < 1:
        return ">99 %"
    return f"{100 * share:.0f} %"


def _count_with_spread(mean: float, spread: float) -> str:
    """A mean count, such as 12.4 ± 1.1."""
    return _with_spread(mean, spread, least_decimals=int(spread < 10))


def _percent_with_spread(mean: float, spread: float) -> str:
    """A mean percentage, such as 87 ± 3 %."""
    return NO_SHARE if math.isnan(mean) else f"{_with_spread(100 * mean, 100 * spread, least_decimals=0)} %"


def _with_spread(mean: float, spread: float, least_decimals: int) -> str:
    """Mean and spread, to the first digit of the spread or beyond."""
    if not mean:
        return "0"
    if spread < 1e-9 * mean:
        return f"{count_as_text(round(mean, 9))} ± 0"
    decimals = max(-math.floor(math.log10(spread)), least_decimals)
    return f"{mean:.{decimals}f} ± {spread:.{decimals}f}"


def _title(cells: Cells, normalize: Normalize, values: str) -> str:
    """What the cells say, in words."""
    parts = {"counts": "samples", "percent": f"% of {WHOLES[normalize][0]}"}
    title = " and ".join(parts[value] for value in values.split("+"))
    return title if cells.n_folds is None else f"{title}\nmean ± standard deviation of {cells.n_folds} folds"


# Drawing.


def _draw_colours(ax: "Axes", cells: Cells, normalize: Normalize) -> "AxesImage":
    """The cells as an image, with fine lines between those that may have text."""
    colours = cells.counts if normalize is None else np.nan_to_num(cells.shares)
    most = 1 if normalize in ("true", "pred") else colours.max() or 1
    image = ax.imshow(colours, cmap=COLOUR_MAP, vmin=0, vmax=most)
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


def _draw_texts(ax: "Axes", image: "AxesImage", cells: Cells, values: str) -> NDArray[Any]:
    """The text of each cell, legible on its colour; cells without samples are muted."""
    n_classes = len(cells.counts)
    on_colour = np.where(_luminance(image.to_rgba(np.asarray(image.get_array()))) > 0.179, "black", "white")
    text_colours = np.where(cells.counts == 0, MUTED, on_colour)
    # The layout need not measure what stays inside the matrix.
    style: dict[str, Any] = {
        "ha": "center",
        "va": "center",
        "linespacing": LINE_HEIGHT,
        "in_layout": False,
        "gid": CELL,
    }
    texts = np.empty(n_classes * n_classes, dtype=object)
    for k, (text, colour) in enumerate(zip(_cell_texts(cells, values), text_colours.ravel().tolist(), strict=True)):
        row, column = divmod(k, n_classes)
        texts[k] = ax.text(column, row, text, color=colour, **style)
    return texts.reshape(n_classes, n_classes)


def _luminance(colours: Any) -> NDArray[np.float64]:
    """Relative luminance (WCAG 2) of colours (..., RGBA): above 0.179 black has more contrast, below it white."""
    rgb = np.asarray(colours)[..., :3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ [0.2126, 0.7152, 0.0722])


def _draw_colour_bar(ax: "Axes", image: "AxesImage", cells: Cells, normalize: Normalize) -> None:
    """What the colours stand for, on axes inside `ax`, so that it is as high as the matrix in every layout."""
    from matplotlib.ticker import PercentFormatter

    name = "samples" if normalize is None else f"% of {WHOLES[normalize][0]}"
    bar = ax.figure.colorbar(
        image,
        cax=ax.inset_axes((1.04, 0, 0.04, 1)),
        format=None if normalize is None else PercentFormatter(1, symbol=" %"),
        label=name if cells.n_folds is None else f"{name}, mean of {cells.n_folds} folds",
    )
    bar.outline.set_visible(False)


# Fitting text and picture to each other.


def _fit_figure(ax: "Axes", names: list[str], texts: NDArray[Any] | None) -> None:
    """Make the figure of `ax` as large as the text of the cells and everything around them need."""
    n_classes = len(names)
    side = LEAST_SIDE if n_classes <= MOST_CLASSES_WITH_TEXT else SIDE_WITHOUT_TEXT
    side = max(side, *_extent(ax, [ax.title]))
    if texts is not None:
        # The more classes, the smaller the text, or the picture would outgrow the screen.
        scale = np.interp(n_classes, (10, MOST_CLASSES_WITH_TEXT), (1, 0.7))
        size = scale * texts[0, 0].get_fontsize()
        for text in texts.flat:
            text.set_fontsize(size)
        side = max(side, n_classes * max(_extent(ax, texts.flat)) / FILL)
    _name_classes(ax, names, side / n_classes)
    fit_figure(ax, side / 72, side / 72)


def _fit_text(ax: "Axes", names: list[str]) -> None:
    """Adapt the text to axes that keep their size, and that of matrices beside it, which make room for its names."""
    figure = ax.figure.canvas.figure
    # The layout decides on the size of the axes, and the names on the layout.
    for _ in range(2):
        figure.draw_without_rendering()
        _name_classes(ax, names, _side_of_cell(ax, len(names)))
    figure.draw_without_rendering()
    for neighbour in figure.axes:
        texts = [text for text in neighbour.texts if text.get_gid() == CELL]
        if texts:
            _shrink(neighbour, texts, _side_of_cell(neighbour, math.isqrt(len(texts))))


def _shrink(ax: "Axes", texts: list["Text"], side: float) -> None:
    """Make texts small enough for their cells, or hide them where nobody could read that."""
    size = float(texts[0].get_fontsize()) * min(1, FILL * side / max(_extent(ax, texts)))
    for text in texts:
        text.set(fontsize=size, visible=size >= SMALLEST_FONT)


def _side_of_cell(ax: "Axes", n_classes: int) -> float:
    """The side of a cell in points, as the figure was laid out last."""
    return float(ax.get_window_extent().width) * 72 / ax.figure.dpi / n_classes


def _name_classes(ax: "Axes", names: list[str], side: float) -> None:
    """Label the ticks: horizontally if that fits, else tilted; in small type or thinned where cells are narrow."""
    # Tilted text needs the most room; this is the largest type in which all names fit.
    tilted_height = side * math.sin(math.radians(TILT))
    fitting = tilted_height / LINE_HEIGHT
    default = float(ax.xaxis.label.get_fontsize())
    size = min(default, fitting) if fitting >= SMALLEST_TICK_FONT else default

    line = size * LINE_HEIGHT
    step = _step_of_ticks(line / side)
    width, _ = _extent(ax, _label_ticks(ax, names, step, size, tilted=False))
    if width > FILL * step * side and len(names) > 1:
        step = _step_of_ticks(line / tilted_height)
        _label_ticks(ax, names, step, size, tilted=True)


def _step_of_ticks(crowding: float) -> int:
    """The round step between ticks that leaves each of them the room of this many cells."""
    power: int = 10 ** math.floor(math.log10(max(crowding, 1)))
    # Room that just suffices does, whatever was rounded on the way.
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step > crowding - 1e-9)


def _label_ticks(ax: "Axes", names: list[str], step: int, size: float, *, tilted: bool) -> list["Text"]:
    """Ticks with the name of every step-th class; gives the labels of the x axis."""
    ticks = range(0, len(names), step)
    style: dict[str, Any] = {"fontsize": size, "parse_math": False}
    ax.set_yticks(ticks, names[::step], **style)
    style |= (
        {"rotation": TILT, "ha": "right", "va": "center"} if tilted else {"rotation": 0, "ha": "center", "va": "top"}
    )
    ax.set_xticks(ticks, names[::step], rotation_mode="anchor", **style)
    return ax.get_xticklabels()


def _extent(ax: "Axes", texts: Iterable["Text"]) -> tuple[float, float]:
    """The largest width and the largest height of texts."""
    # Equal texts have equal extents, and measuring is slow.
    boxes = [text.get_window_extent() for text in {text.get_text(): text for text in texts}.values()]
    point = ax.figure.dpi / 72
    return max(box.width for box in boxes) / point, max(box.height for box in boxes) / point
