"""The axes of every plot: given or new ones, a grid, one legend, a figure that cuts nothing off."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from skmetrics_ext.pictures.artists import Axes

# Half-way between black and white and mostly transparent: faint on light and dark backgrounds.
GRID: dict[str, Any] = {"color": "0.5", "alpha": 0.18, "linewidth": 0.8}

# The margin at the edges of a new figure, in inches, and between lines and frame, as a fraction of the axes.
PADDING = 0.08
MARGIN = 0.03

# The most that a legend inside the axes may have, in lines and in letters per line.
MOST_LINES_INSIDE = 5
WIDEST_INSIDE = 32

# Marks a legend beside the axes, which stays there when more is plotted.
BESIDE = "beside the axes"


def axes_for(caller: str, given: Any) -> tuple[Axes, bool]:
    """The axes to draw on, and whether they belong to a new figure, which notebooks show automatically."""
    try:
        from matplotlib import pyplot
        from matplotlib.axes import Axes
    except ImportError:
        raise ImportError(f"{caller} needs matplotlib: pip install 'skmetrics-ext[plot]'.") from None
    ax = pyplot.subplots(layout="none")[1] if given is None else given
    if not isinstance(ax, Axes):
        raise TypeError(
            f"ax must be one matplotlib Axes; got {type(ax).__name__}. From an array of axes, pass one, e.g. axes[0]."
        )
    return ax, given is None


def draw_grid(ax: Axes) -> None:
    """Light lines for reading values."""
    ax.set_axisbelow(True)
    ax.grid(True, **GRID)
    ax.spines[["top", "right"]].set_visible(False)


class LegendEntry(NamedTuple):
    """A line of a legend, whose text is not parsed as a formula unless it was one before."""

    handle: Any
    text: str
    is_formula: bool = False


def draw_legend(
    ax: Axes, handles: Sequence[Any], last: Sequence[Any] = (), *, own_figure: bool, corner: str = "best"
) -> None:
    """The single legend of the axes, which keeps existing entries; guides such as chance come last, and once.

    It is placed beside the axes, where it covers no line; inside only if the axes were given and the entries are few.
    """
    guides = {str(handle.get_label()) for handle in last}
    old = ax.get_legend()
    entries = [] if old is None else [entry for entry in _entries_of(old) if entry.text not in guides]
    entries += [LegendEntry(handle, str(handle.get_label())) for handle in (*handles, *last)]
    title = None if old is None else old.get_title().get_text() or None
    is_beside = own_figure or (old is not None and old.get_gid() == BESIDE) or not _are_few(entries)
    place: dict[str, Any] = {"loc": corner, "framealpha": 0.7, "edgecolor": "none"}
    if is_beside:
        place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), "frameon": False}
    handles = [entry.handle for entry in entries]
    legend = ax.legend(handles, ["?"] * len(entries), title=title, fontsize="small", **place)
    legend.set_gid(BESIDE if is_beside else None)
    # Set afterwards, since a legend would drop names that begin with an underscore.
    for text, entry in zip(legend.get_texts(), entries, strict=True):
        text.set(text=entry.text, parse_math=entry.is_formula)


def _entries_of(legend: Any) -> list[LegendEntry]:
    """The existing entries of a legend."""
    pairs = zip(legend.legend_handles, legend.get_texts(), strict=True)
    return [LegendEntry(handle, text.get_text(), text.get_parse_math()) for handle, text in pairs]


def _are_few(entries: list[LegendEntry]) -> bool:
    """Whether entries leave room for lines."""
    lines = [line for entry in entries for line in entry.text.split("\n")]
    return len(lines) <= MOST_LINES_INSIDE and max(map(len, lines), default=0) <= WIDEST_INSIDE


def fit_figure(ax: Axes, width: float, height: float) -> None:
    """Make a new figure large enough for axes of this size in inches and everything around them."""
    figure = ax.figure.canvas.figure
    # With axes that fill the figure, whatever sticks out of them is the room that the figure lacks.
    figure.subplots_adjust(0, 0, 1, 1)
    figure.set_size_inches(width, height)
    box: Any = ax.get_tightbbox().padded(PADDING * figure.dpi)  # type: ignore[union-attr]  # visible axes have a box
    figure.set_size_inches(box.width / figure.dpi, box.height / figure.dpi)
    # The layout that keeps later additions inside the figure starts from the one that fits now.
    left, bottom = -box.x0 / box.width, -box.y0 / box.height
    side_x, side_y = width * figure.dpi / box.width, height * figure.dpi / box.height
    figure.subplots_adjust(left, bottom, left + side_x, bottom + side_y)
    figure.set_layout_engine("constrained", w_pad=PADDING, h_pad=PADDING)
