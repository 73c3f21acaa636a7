"""The lines of curves: color-blind-safe colors, points as visible, bands."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.plotting.artists import Axes, Line2D, PolyCollection

# Distinguishable with color blindness: Petroff (2021), Accessible color sequences for data
# visualization, arXiv:2107.02270.
LINE_COLOURS = (
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
LINE_WIDTH = 1.8
OPACITY_OF_BANDS = 0.18

# A line has at most four points in each column of the plot.
COLUMNS = 499
MOST_POINTS = 4 * COLUMNS

# Given thresholds are dots, while these are distinguishable.
MOST_DOTS = 50


def value_as_text(value: float, digits: int) -> str:
    """A value with a few digits, or more if these show a wrong whole number."""
    if not np.isfinite(value) or abs(value) >= 1e6:
        return f"{value:.{digits}g}"
    if value.is_integer():
        return f"{value:.{digits}f}" if abs(value) == 1 else f"{value:.0f}"
    texts = (f"{value:#.{more}g}" for more in range(digits, 18))
    return next(text for text in texts if not float(text).is_integer())


def points_to_draw(x: NDArray[Any], y: NDArray[np.float64]) -> NDArray[np.intp]:
    """The indices of the first, last, smallest and largest y in each column; x increases."""
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


def draw_band(
    ax: Axes,
    line: Line2D,
    x: Any,
    low: Any,
    high: Any,
    *,
    drawstyle: str | None = None,
    label: str = "",
) -> PolyCollection:
    """The band between limits, with steps; it ends where a limit is NaN."""
    from matplotlib.cbook import STEP_LOOKUP_MAP

    style: dict[str, Any] = {
        "color": line.get_color(),
        "alpha": OPACITY_OF_BANDS,
        "linewidth": 0,
        "zorder": 1.2,
    }
    steps = drawstyle or str(line.get_drawstyle())
    if steps != "default":
        # Not by step=, which leaves out steps next to a gap.
        x, low, high = STEP_LOOKUP_MAP[steps](x, low, high)
    return held_together(ax.fill_between(x, low, high, label=label, **style))


def held_together(area: PolyCollection) -> PolyCollection:
    """An area that ends just inside 0 and 1, which a logit axis cannot show."""
    for path in area.get_paths():
        vertices: Any = path.vertices
        x = vertices[:, 0]
        x[x == 0] = np.finfo(float).tiny
        x[x == 1] = np.nextafter(1, 0)
    return area
