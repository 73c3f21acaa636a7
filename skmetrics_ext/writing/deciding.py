"""Numbers that decide: rounded, but never onto or across a line that they are compared with."""

from collections.abc import Callable, Sequence

# Many journals draw a line here, whatever the level of a test.
LINE = 0.05
# Decimals of p-values beyond which a difference is one of rounding.
ROUNDED = 12
# A number this close to a line, after so many more digits, is only said to be beside it.
MOST_FURTHER = 4


def beside_lines(
    number: float, write: Callable[[int], str], digits: int, lines: Sequence[float]
) -> str:
    """A number in the fewest digits, from so many on, that show on which side of each line it is.

    `write` writes it with so many digits. One that needs too many is as ">0.05": beyond the line.
    """
    for n_digits in range(digits, digits + MOST_FURTHER):
        text = write(n_digits)
        if _hidden_line(number, text, lines) is None:
            return text
    text = write(digits + MOST_FURTHER)
    line = _hidden_line(number, text, lines)
    if line is None:
        return text
    side = ">" if number > line else "<"
    return f"{side}{line:.12g}"


def lines_of_p(confidence_level: float) -> tuple[float, ...]:
    """What p-values are compared with: the error that a level allows, and the line of journals."""
    # 1 - 0.95 is not 0.05.
    return LINE, round(1 - confidence_level, ROUNDED)


def _hidden_line(number: float, text: str, lines: Sequence[float]) -> float | None:
    """The line on whose side a text does not show a number, if any."""
    shown = float(text)
    hidden = (line for line in lines if _side(shown, line) != _side(number, line))
    return next(hidden, None)


def _side(number: float, line: float) -> int:
    """Below, on or above a line; nan is nowhere."""
    return int(number > line) - int(number < line)
