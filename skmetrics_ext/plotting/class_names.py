"""Names of classes along the axes of a matrix: wrapped, else shortened and tilted, or thinned."""

import math
import textwrap
from itertools import takewhile
from typing import Any

from skmetrics_ext.plotting.axes import WIDTH_OF_LETTER, Axes
from skmetrics_ext.writing.text import columns_of, shortened

# Text takes at most this part of its cell.
FILL = 0.85
LINE_HEIGHT = 1.25
SMALLEST_TICK_FONT = 8.0
TILT = 45
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

# The most columns of a name on one line, and of the lines of one beside the axes.
WIDEST_NAME = 24
WIDEST_LINE = 16


def name_classes(ax: Axes, names: list[str], side: float, widest: int = WIDEST_NAME) -> None:
    """Label the ticks of cells whose sides have a length in points."""
    # The largest font size at which all tilted names fit.
    tilted = side * math.sin(math.radians(TILT))
    largest = float(ax.xaxis.label.get_fontsize())
    font = min(largest, max(tilted / LINE_HEIGHT, SMALLEST_TICK_FONT))
    # Despite rounding errors.
    step = math.ceil(font * LINE_HEIGHT / tilted - 1e-9)
    ticks = range(0, len(names), step)
    style: dict[str, Any] = {"fontsize": font, "parse_math": False}
    columns = int(FILL * step * side / (WIDTH_OF_LETTER * font))
    wrapped = [
        textwrap.wrap(name, max(columns, 1), break_long_words=False) for name in names[::step]
    ]
    are_narrow = all(columns_of(line) <= columns for lines in wrapped for line in lines)
    if are_narrow and max(map(len, wrapped)) * font * LINE_HEIGHT <= FILL * step * side:
        across = ["\n".join(lines) for lines in wrapped]
        ax.set_xticks(ticks, across, rotation=0, ha="center", va="top", **style)
        beside = [textwrap.fill(name, max(columns, WIDEST_LINE)) for name in names[::step]]
    else:
        beside = _shortened(names[::step], widest)
        tilt: dict[str, Any] = {
            "rotation": TILT,
            "rotation_mode": "anchor",
            "ha": "right",
            "va": "center",
        }
        ax.set_xticks(ticks, beside, **style, **tilt)
    ax.set_yticks(ticks, beside, **style)


def _shortened(names: list[str], widest: int) -> list[str]:
    """Names of at most so many columns, without the words with which all begin if need be."""
    short = shortened(names, widest)
    if max(map(columns_of, short)) <= widest:
        return short
    n_alike = sum(1 for _ in takewhile(lambda at: len({*at}) == 1, zip(*names, strict=False)))
    start = names[0].rfind(" ", 0, n_alike) + 1
    return shortened([ELLIPSIS + name[start:] for name in names], widest) if start else short
