"""Names of classes along the axes: wrapped, shortened, tilted or thinned."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from skmetrics_ext.plotting.artists import Axes, Text
from skmetrics_ext.writing.text import columns_of, shortened

# Lengths are in points. Text takes at most this part of its cell.
FILL = 0.85
SMALLEST_TICK_FONT = 8.0

TILT = 45
LINE_HEIGHT = 1.25

# The width of a letter as a fraction of the size of the font.
WIDTH_OF_LETTER = 0.55

# Where a name may go on in a second line.
BREAKS = " _-/"
# The most columns of a name on one line, and on each of two.
WIDEST_NAME = 36
WIDEST_LINE = 16


def name_classes(ax: Axes, names: list[str], side: float, widest: int = WIDEST_NAME) -> None:
    """Label the ticks, tilted, in a small font or thinned where cells are narrow."""
    # The largest font size at which all tilted names fit.
    tilted_height = side * math.sin(math.radians(TILT))
    size = min(
        float(ax.xaxis.label.get_fontsize()), max(tilted_height / LINE_HEIGHT, SMALLEST_TICK_FONT)
    )

    line = size * LINE_HEIGHT
    step = _step_of_ticks(line / side)
    two_lines = wrapped(names[::step], widest)
    beside = two_lines if 2 * line < FILL * side else shortened(names[::step], widest)
    width, _ = extent(ax, _label_ticks(ax, two_lines, beside, step, size, tilted=False))
    if width > FILL * step * side and len(names) > 1:
        step = _step_of_ticks(line / tilted_height)
        short = shortened(names[::step], widest)
        _label_ticks(
            ax, short, beside if len(beside) == len(short) else short, step, size, tilted=True
        )


def extent(ax: Axes, texts: Iterable[Text]) -> tuple[float, float]:
    """The largest width and height of the texts."""
    # Each text once, since measuring is slow.
    boxes = [
        text.get_window_extent() for text in {text.get_text(): text for text in texts}.values()
    ]
    point = ax.figure.dpi / 72
    return max(box.width for box in boxes) / point, max(box.height for box in boxes) / point


def wrapped(names: list[str], widest: int) -> list[str]:
    """Long names on two lines if they have a break near their middle, else shortened."""
    pairs = zip(shortened(names, 2 * WIDEST_LINE - 2), shortened(names, widest), strict=True)
    return [_on_two_lines(for_two) or for_one for for_two, for_one in pairs]


def _on_two_lines(name: str) -> str:
    """A short name on one line, on two if it can be broken, else nothing."""
    if columns_of(name) <= WIDEST_LINE:
        return name
    breaks = [k + 1 for k, letter in enumerate(name[:-1]) if letter in BREAKS]
    lines = [(name[:k].rstrip(), name[k:].lstrip()) for k in breaks]
    fitting = [pair for pair in lines if max(map(columns_of, pair)) <= WIDEST_LINE]
    return "\n".join(min(fitting, key=lambda pair: max(map(columns_of, pair)), default=()))


def _step_of_ticks(crowding: float) -> int:
    """The round step between ticks that leaves each so many cells."""
    power: int = 10 ** math.floor(math.log10(max(crowding, 1)))
    # Despite rounding errors.
    return next(
        step for step in (power, 2 * power, 5 * power, 10 * power) if step > crowding - 1e-9
    )


def _label_ticks(
    ax: Axes, across: Sequence[str], beside: Sequence[str], step: int, size: float, *, tilted: bool
) -> list[Text]:
    """A tick with its name at every step-th class; the labels of the x axis."""
    ticks = range(0, len(across) * step, step)
    style: dict[str, Any] = {"fontsize": size, "parse_math": False}
    ax.set_yticks(ticks, beside, **style)
    style |= (
        {"rotation": TILT, "ha": "right", "va": "center"}
        if tilted
        else {"rotation": 0, "ha": "center", "va": "top"}
    )
    ax.set_xticks(ticks, across, rotation_mode="anchor", **style)
    return ax.get_xticklabels()
