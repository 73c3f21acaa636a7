"""Numbers as cells of a table: values with limits, numerators, p-values."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from skmetrics_ext.reading.arguments import check_flag, check_whole
from skmetrics_ext.writing.text import ROUNDED, beside_lines, limit_in_column

# What stands for a value that is not known.
UNKNOWN = "-"
# Smaller and larger p-values are printed as less and more than these.
LEAST_P, LARGEST_P = 0.001, 0.99


class Style(NamedTuple):
    """How numbers are printed: decimals, what is between limits, and whether samples follow."""

    digits: int
    dash: str
    fractions: bool


def read_style(digits: Any, dash: Any, fractions: Any) -> Style:
    """The style that a caller asks for."""
    check_whole(digits, "digits")
    check_flag(fractions, "fractions")
    if not isinstance(dash, str):
        raise TypeError(f"dash must be a string, such as '-' or ' to '; got {dash!r}.")
    return Style(digits, dash, bool(fractions))


def number(value: float, style: Style) -> str:
    """A number with so many digits; a zero has no sign."""
    if math.isnan(value):
        return UNKNOWN
    text = f"{value:.{style.digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def with_limits(
    value: float, low: float, high: float, style: Style, lines: Sequence[float] = ()
) -> str:
    """A value and its limits, "0.86 (0.80-0.91)", which show their side of each line."""
    if math.isnan(value + low + high):
        return number(value, style)
    first, last = (limit_in_print(limit, style, lines) for limit in (low, high))
    # Beside a sign a dash would be taken for another.
    is_sign = style.dash.strip() in ("-", "\N{EN DASH}", "\N{EM DASH}")
    dash = " to " if is_sign and low < 0 else style.dash
    return f"{number(value, style)} ({first}{dash}{last})"


def fraction(numerator: Any, n: Any) -> str:
    """The samples of a proportion: "87/109"."""
    return f"{numerator:.0f}/{n:.0f}"


def cells_with_limits(
    numbers: Iterable[Any],
    fractions: tuple[Any, Any] | None,
    style: Style,
    lines: Sequence[Sequence[float]] | None = None,
) -> list[str]:
    """The cells of arrays of values, limits, and numerators and denominators of proportions, with
    the lines of each.
    """
    values, lows, highs = (np.ravel(of).tolist() for of in numbers)
    lines = [()] * len(values) if lines is None else lines
    of_each = zip(values, lows, highs, lines, strict=True)
    cells = [with_limits(value, low, high, style, own) for value, low, high, own in of_each]
    if fractions is None or not style.fractions:
        return cells
    numerators, denominators = (np.ravel(of).tolist() for of in fractions)
    return [
        cell if math.isnan(numerator) else f"{cell}, {fraction(numerator, n)}"
        for cell, numerator, n in zip(cells, numerators, denominators, strict=True)
    ]


def p_in_print(p_value: float, lines: Sequence[float], least: float = 0.0) -> str:
    """A p-value as in journals: ".04", three digits below .01, as many as show its side of each
    line, "< .001", and "<= ..." for the least of a test by replicates.
    """
    if math.isnan(p_value):
        return UNKNOWN
    smallest, p_value = min(LEAST_P, *lines), round(p_value, ROUNDED)
    if p_value < smallest:
        return f"< {_without_zero(f'{smallest:.12f}'.rstrip('0'))}"
    if p_value > LARGEST_P:
        return "> .99"
    digits = max(3 if p_value < 0.01 else 2, -math.floor(math.log10(p_value)))
    if p_value > least:
        return _without_zero(beside_lines(p_value, lambda n: f"{p_value:.{n}f}", digits, lines))

    def bound(n_digits: int) -> str:
        """Rounded up, so that the p-value is at most that."""
        return f"{math.ceil(p_value * 10**n_digits) / 10**n_digits:.{n_digits}f}"

    return f"<= {_without_zero(beside_lines(p_value, bound, digits, lines))}"


def _without_zero(text: str) -> str:
    """A number below 1 without the zero before the point, maybe beyond a line."""
    side = text[0] if text[0] in "<>" else ""
    number_of_text = text.removeprefix(side).removeprefix("0")
    return f"{side} {number_of_text}".lstrip()


def limit_in_print(limit: float, style: Style, lines: Sequence[float]) -> str:
    """A confidence limit."""
    text = limit_in_column(limit, f".{style.digits}f", lines)
    return text.removeprefix("-") if not text.strip("-0.") else text
