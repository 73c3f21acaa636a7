"""The lines of curves: color-blind-safe colors, values as text, bands."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.plotting.axes import Axes, Line2D, PolyCollection

# Distinguishable with color blindness: Okabe & Ito (2008), Color universal design.
LINE_COLOURS = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#000000",
    "#F0E442",
)
LINE_WIDTH = 1.8
OPACITY_OF_BANDS = 0.18

# A line of more points than this has no two in a row that are closer than a part of its range:
# matplotlib's own simplification of a path takes seconds for millions.
MANY_POINTS = 10_000

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


def points_apart(
    x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The points of a line that are apart on any screen, with the first and the last."""
    if len(x) <= MANY_POINTS:
        return x, y
    is_shown = np.zeros(len(x), dtype=bool)
    is_shown[[0, -1]] = True
    for part in (x, y):
        finite = part[np.isfinite(part)]
        width = (np.ptp(finite) if len(finite) else 0) or 1.0
        place = np.floor(part * (MANY_POINTS / width))
        is_shown[1:] |= place[1:] != place[:-1]
    return x[is_shown], y[is_shown]


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
    return ax.fill_between(x, low, high, label=label, **style)
