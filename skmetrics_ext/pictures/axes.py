"""The axes of every picture: given or new ones, a grid, a legend beside them, a figure that cuts nothing."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GRID = "0.92"

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
    box: Any = ax.get_tightbbox().padded(PADDING * figure.dpi)  # type: ignore[union-attr]  # visible axes have a box
    figure.set_size_inches(box.width / figure.dpi, box.height / figure.dpi)
    # The layout that keeps what is added later inside the figure starts from the one that fits now.
    left, bottom = -box.x0 / box.width, -box.y0 / box.height
    side_x, side_y = width * figure.dpi / box.width, height * figure.dpi / box.height
    figure.subplots_adjust(left, bottom, left + side_x, bottom + side_y)
    figure.set_layout_engine("constrained", w_pad=PADDING, h_pad=PADDING)
