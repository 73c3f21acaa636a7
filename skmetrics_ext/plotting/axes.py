"""The axes of every plot: a grid, and one legend."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray

# Matplotlib's types are not needed at run time.
if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.collections import LineCollection as LineCollection
    from matplotlib.collections import PolyCollection as PolyCollection
    from matplotlib.colors import Colormap as Colormap
    from matplotlib.figure import Figure as Figure
    from matplotlib.image import AxesImage as AxesImage
    from matplotlib.lines import Line2D as Line2D
    from matplotlib.text import Text as Text
else:
    Axes = AxesImage = Colormap = Figure = Line2D = LineCollection = PolyCollection = Text = Any

# Gray and mostly transparent: faint on light and dark backgrounds.
GRID: dict[str, Any] = {"color": "0.5", "alpha": 0.18, "linewidth": 0.8}

# The sizes of new figures, in inches.
SIZE = (5.8, 4.2)
SQUARE = (4.8, 4.8)

# Between lines and frame, as a fraction.
MARGIN = 0.03
# Around new axes with names of unknown length, in inches.
PADDING = 0.08

# The width of a letter as a fraction of the size of the font.
WIDTH_OF_LETTER = 0.6
# The letters that the handle of a legend is as wide as.
WIDTH_OF_HANDLE = 8

# Axes whose numbers are names without an order.
NUMBERED = ("fold", "class", "label")
# With fewer places they are groups, not a series.
LEAST_PLACES = 3

# Marks lines such as chance.
REFERENCE = "reference"


def axes_for(
    caller: str, given: Any, size: tuple[float, float] = SIZE, layout: Any = "constrained"
) -> Axes:
    """The axes to draw on: those given, or those of a new figure."""
    try:
        from matplotlib import pyplot
        from matplotlib.axes import Axes
    except ImportError:
        raise ImportError(
            f"{caller} needs matplotlib: pip install 'skmetrics-ext[plot]'."
        ) from None
    if given is None:
        return pyplot.subplots(figsize=size, layout=layout)[1]
    if not isinstance(given, Axes):
        raise TypeError(
            f"ax must be one matplotlib Axes; got {type(given).__name__}. From an array of axes, "
            "pass one, e.g. axes[0]."
        )
    return given


def draw_grid(ax: Axes) -> None:
    """Light lines for reading values."""
    ax.set_axisbelow(True)
    ax.grid(True, **GRID)
    ax.spines[["top", "right"]].set_visible(False)


def draw_legend(
    ax: Axes, handles: Sequence[Any], last: Sequence[Any] = (), *, title: str | None = None
) -> None:
    """The only legend, with its existing entries; guides such as chance come last, and once."""
    guides = {str(handle.get_label()) for handle in last}
    # Text is not parsed as a formula unless it was one before.
    entries = [(handle, str(handle.get_label()), False) for handle in (*handles, *last)]
    old = ax.get_legend()
    if old is not None:
        kept = zip(old.legend_handles, old.get_texts(), strict=True)
        triples = [
            (handle, text.get_text().replace("\n", " "), text.get_parse_math())
            for handle, text in kept
        ]
        entries = [entry for entry in triples if entry[1] not in guides] + entries
        title = old.get_title().get_text() or title
    longest = max((len(text) for _, text, _ in entries), default=0)
    font = "small" if longest <= _room_for(ax, "small") else "x-small"
    room = max(_room_for(ax, font), 1)
    legend = ax.legend(
        [handle for handle, *_ in entries],
        ["?"] * len(entries),
        title=title,
        title_fontsize=font,
        fontsize=font,
        loc="best",
        framealpha=0.7,
        edgecolor="none",
    )
    legend.get_title().set_parse_math(False)
    # A layout would make axes that are too small for it even smaller.
    legend.set_in_layout(False)
    # Set afterwards: a legend drops names that begin with an underscore.
    for shown, (_, text, is_formula) in zip(legend.get_texts(), entries, strict=True):
        shown.set(text=_wrapped(text, room), parse_math=is_formula)


def _room_for(ax: Axes, font: str) -> int:
    """The letters of a font of a named size that fit beside the handle of a legend."""
    from matplotlib.font_manager import FontProperties

    return letters_across(ax, FontProperties(size=font).get_size_in_points()) - WIDTH_OF_HANDLE


def _wrapped(text: str, room: int) -> str:
    """Text in lines of at most so many letters, with details in parentheses on their own."""
    parts = text.split("\n") if len(text) <= room else text.replace(" (", "\n(").split("\n")
    return "\n".join(textwrap.fill(part, room) for part in parts)


def letters_across(ax: Axes, font: Any) -> int:
    """How many letters in a font of a size in points are as wide as the axes."""
    ax.apply_aspect()
    width = float(ax.get_window_extent().width) * 72 / ax.figure.dpi
    return int(width / (WIDTH_OF_LETTER * font))


def fit_figure(ax: Axes, width: float, height: float) -> None:
    """Make a new figure without a layout large enough for axes of this size and all around them."""
    figure = ax.figure.canvas.figure
    # Whatever sticks out of axes that fill the figure is the room that it lacks.
    figure.subplots_adjust(0, 0, 1, 1)
    figure.set_size_inches(width, height)
    box: Any = ax.get_tightbbox().padded(PADDING * figure.dpi)  # type: ignore[union-attr]  # visible axes have a box
    figure.set_size_inches(box.width / figure.dpi, box.height / figure.dpi)
    # The layout that keeps later additions inside starts from the one that fits now.
    left, bottom = -box.x0 / box.width, -box.y0 / box.height
    right = left + width * figure.dpi / box.width
    figure.subplots_adjust(left, bottom, right, bottom + height * figure.dpi / box.height)
    figure.set_layout_engine("constrained", w_pad=PADDING, h_pad=PADDING)


def make_room(ax: Axes) -> None:
    """Lay out the figure of given axes, so that their names cover no others."""
    from matplotlib.layout_engine import PlaceHolderLayoutEngine

    figure: Any = ax.figure.canvas.figure
    layout = figure.get_layout_engine()
    is_free = layout is None or isinstance(layout, PlaceHolderLayoutEngine)
    with catch_warnings():
        # A layout warns where there is no room for names, or axes have places of their own.
        simplefilter("ignore", UserWarning)
        if is_free and ax.get_subplotspec() is not None:
            figure.tight_layout()
        else:
            figure.draw_without_rendering()


def kind_of_order(name: str, column: NDArray[Any]) -> str:
    """Whether coordinates are "dates" or finite "numbers", no booleans; else empty."""
    is_date, is_number = column.dtype.kind == "M", column.dtype.kind in "iuf"
    if name in NUMBERED or not (is_date or is_number) or len(np.unique(column)) < LEAST_PLACES:
        return ""
    if (np.isnat(column) if is_date else ~np.isfinite(column)).any():
        return ""
    return "dates" if is_date else "numbers"
