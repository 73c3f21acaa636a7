"""What all pictures share: axes, colours, lines of few points, a legend beside the axes, a figure that cuts nothing."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Ten colours that the colour-blind tell apart too: Petroff (2021), Accessible color sequences for
# data visualization, arXiv:2107.02270.
COLOURS = (
    "#3f90da",
    "#ffa90e",
    "#bd1f01",
    "#94a4a2",
    "#832db6",
    "#a96b59",
    "#e76300",
    "#b9ac70",
    "#717581",
    "#92dadd",
)
GRID = "0.92"
LINE_WIDTH = 1.8

# A line has at most four points in each of the columns that the picture is divided into.
COLUMNS = 499
MOST_POINTS = 4 * COLUMNS

# Chosen thresholds are dots on their line, while dots can be told apart.
MOST_DOTS = 50

# What is left free at the edges of a new figure, in inches, and between lines and frame, as a part of the axes.
PADDING = 0.08
MARGIN = 0.03


def axes_for(caller: str, ax: Any) -> "Axes":
    """The axes to draw on: those given, or those of a new figure, which notebooks show by themselves."""
    try:
        from matplotlib import pyplot
        from matplotlib.axes import Axes
    except ImportError:
        raise ImportError(f"{caller} needs matplotlib: pip install 'skmetrics-ext[plot]'.") from None
    if ax is None:
        _, ax = pyplot.subplots(layout="none")
    if not isinstance(ax, Axes):
        raise TypeError(
            f"ax must be one matplotlib Axes; got {type(ax).__name__}. Of an array of axes pass one, e.g. axes[0]."
        )
    return ax


def rounded(value: float, digits: int) -> str:
    """A few digits, and more where they would say a whole number that the value is not."""
    if not np.isfinite(value) or abs(value) >= 1e6:
        return f"{value:.{digits}g}"
    if value.is_integer():
        return f"{value:.{digits}f}" if abs(value) == 1 else f"{value:.0f}"
    texts = (f"{value:#.{more}g}" for more in range(digits, 18))
    return next(text for text in texts if not float(text).is_integer())


def points_to_draw(x: NDArray[Any], y: NDArray[np.float64]) -> NDArray[np.intp]:
    """Where the first, last, least and largest y of each column of the picture are; x increases."""
    if len(x) <= MOST_POINTS:
        return np.arange(len(x))
    edges = np.linspace(x[0], x[-1], COLUMNS + 1)[1:-1]
    starts = np.unique(np.append(0, np.searchsorted(x, edges)))
    stops = np.append(starts[1:], len(x))
    column = np.repeat(np.arange(len(starts)), stops - starts)
    kept = [starts, stops - 1]
    for extreme in (np.fmin, np.fmax):
        (hits,) = np.nonzero(y == extreme.reduceat(y, starts)[column])
        kept.append(hits[np.unique(column[hits], return_index=True)[1]])
    return np.unique(np.concatenate(kept))


def draw_grid(ax: "Axes") -> None:
    """Light lines to read values by."""
    ax.set_axisbelow(True)
    ax.grid(True, color=GRID, linewidth=0.8)
    ax.spines[["top", "right"]].set_visible(False)


def draw_legend(ax: "Axes", handles: list[Any]) -> None:
    """A legend beside the axes, where it covers no line."""
    legend = ax.legend(
        handles, ["?"] * len(handles), loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize="small"
    )
    # Set afterwards, for a legend would drop names that begin with an underscore.
    for text, handle in zip(legend.get_texts(), handles, strict=True):
        text.set(text=handle.get_label(), parse_math=False)


def fit_figure(ax: "Axes", width: float, height: float) -> None:
    """Make a new figure as large as axes of this size in inches need with everything around them."""
    figure = ax.figure.canvas.figure
    # Axes that fill the figure show what sticks out of them, which is what the figure lacks.
    figure.subplots_adjust(0, 0, 1, 1)
    figure.set_size_inches(width, height)
    box: Any = ax.get_tightbbox().padded(PADDING * figure.dpi)  # type: ignore[union-attr]
    figure.set_size_inches(box.width / figure.dpi, box.height / figure.dpi)
    # The layout that keeps what is added later inside the figure starts from the one that fits now.
    left, bottom = -box.x0 / box.width, -box.y0 / box.height
    side_x, side_y = width * figure.dpi / box.width, height * figure.dpi / box.height
    figure.subplots_adjust(left, bottom, left + side_x, bottom + side_y)
    figure.set_layout_engine("constrained", w_pad=PADDING, h_pad=PADDING)
