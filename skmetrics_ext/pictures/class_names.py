"""The names of classes along the axes of a matrix: wrapped, shortened, tilted or thinned, as needed."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from skmetrics_ext.pictures.artists import Axes, Text
from skmetrics_ext.writing.text import columns_of

# Lengths are in points, 1/72 inch. Text takes at most this fraction of its cell.
FILL = 0.85
SMALLEST_TICK_FONT = 6.0

TILT = 45
LINE_HEIGHT = 1.25

# The most columns of a name on one line, and of each line of two; an East Asian character takes two columns.
WIDEST_NAME = 24
WIDEST_LINE = 16
BREAKS = " _-/"
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def name_classes(ax: Axes, names: list[str], side: float) -> None:
    """Label the ticks: horizontally if that fits, else tilted; in a small font or thinned where cells are narrow."""
    # Tilted text needs the most room; this is the largest font size at which all names fit.
    tilted_height = side * math.sin(math.radians(TILT))
    fitting = tilted_height / LINE_HEIGHT
    default = float(ax.xaxis.label.get_fontsize())
    size = min(default, fitting) if fitting >= SMALLEST_TICK_FONT else default

    line = size * LINE_HEIGHT
    step = _step_of_ticks(line / side)
    short = [shortened(name, WIDEST_NAME) for name in names]
    two_lines = [_wrapped(name) for name in names]
    beside = two_lines if 2 * line < FILL * side else short
    width, _ = extent(ax, _label_ticks(ax, two_lines, beside, step, size, tilted=False))
    if width > FILL * step * side and len(names) > 1:
        step = _step_of_ticks(line / tilted_height)
        _label_ticks(ax, short, beside, step, size, tilted=True)


def extent(ax: Axes, texts: Iterable[Text]) -> tuple[float, float]:
    """The largest width and the largest height of the texts."""
    # Equal texts have equal extents, and measuring is slow.
    boxes = [text.get_window_extent() for text in {text.get_text(): text for text in texts}.values()]
    point = ax.figure.dpi / 72
    return max(box.width for box in boxes) / point, max(box.height for box in boxes) / point


def shortened(name: str, most: int) -> str:
    """A name of at most this many columns; a longer one keeps its beginning and its end, where names often differ."""
    if columns_of(name) <= most:
        return name
    end = _beginning(name[::-1], most // 3)[::-1]
    return _beginning(name, most - 1 - columns_of(end)).rstrip() + ELLIPSIS + end.lstrip()


def _beginning(text: str, most: int) -> str:
    """The longest beginning of at most this many columns."""
    return text[: next((k for k in range(len(text)) if columns_of(text[: k + 1]) > most), len(text))]


def _wrapped(name: str) -> str:
    """A long name on two lines if it can be broken near its middle, else shortened."""
    if columns_of(name) <= WIDEST_LINE:
        return name
    name_of_two = shortened(name, 2 * WIDEST_LINE - 2)
    breaks = [k + 1 for k, letter in enumerate(name_of_two[:-1]) if letter in BREAKS]
    lines = [(name_of_two[:k].rstrip(), name_of_two[k:].lstrip()) for k in breaks]
    fitting = [pair for pair in lines if max(map(columns_of, pair)) <= WIDEST_LINE]
    if not fitting:
        return shortened(name, WIDEST_NAME)
    return "\n".join(min(fitting, key=lambda pair: max(map(columns_of, pair))))


def _step_of_ticks(crowding: float) -> int:
    """The round step between ticks that leaves each the room of this many cells."""
    power: int = 10 ** math.floor(math.log10(max(crowding, 1)))
    # Room that is just enough suffices, despite rounding errors.
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step > crowding - 1e-9)


def _label_ticks(
    ax: Axes, across: Sequence[str], beside: Sequence[str], step: int, size: float, *, tilted: bool
) -> list[Text]:
    """Ticks with the name of every step-th class; returns the labels of the x axis."""
    ticks = range(0, len(across), step)
    style: dict[str, Any] = {"fontsize": size, "parse_math": False}
    ax.set_yticks(ticks, beside[::step], **style)
    style |= (
        {"rotation": TILT, "ha": "right", "va": "center"} if tilted else {"rotation": 0, "ha": "center", "va": "top"}
    )
    ax.set_xticks(ticks, across[::step], rotation_mode="anchor", **style)
    return ax.get_xticklabels()
