"""The lines of curves: colours that all can tell apart, no more points than show, values in the legend."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Ten colours that the colour-blind tell apart too: Petroff (2021), Accessible color sequences for
# data visualization, arXiv:2107.02270.
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

# A line has at most four points in each of the columns that the picture is divided into.
COLUMNS = 499
MOST_POINTS = 4 * COLUMNS

# Chosen thresholds are dots on their line, while dots can be told apart.
MOST_DOTS = 50


def value_as_text(value: float, digits: int) -> str:
    """A value with a few digits, and more where they would say a whole number that the value is not."""
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
