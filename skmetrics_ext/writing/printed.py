"""Numbers as cells of a table: values with limits, numerators, p-values."""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from skmetrics_ext.reading.arguments import check_flag, check_whole
from skmetrics_ext.writing.text import limit_in_column

# What stands for a value that is not known.
UNKNOWN = "-"
# Many journals draw the line here: digits must not hide on which side a p-value is.
LINE = 0.05


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
    value: float, low: float, high: float, style: Style, equality: float = math.nan
) -> str:
    """A value and its limits, "0.86 (0.80-0.91)".

    A limit that is only rounded to equality says on which side it is: ">0".
    """
    if math.isnan(value + low + high):
        return number(value, style)
    first, last = (_limit(limit, style, equality) for limit in (low, high))
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
    equality: float = np.nan,
) -> list[str]:
    """The cells of arrays of values, limits, and numerators and denominators of proportions."""
    values, lows, highs = (np.ravel(of).tolist() for of in numbers)
    cells = [
        with_limits(value, low, high, style, equality)
        for value, low, high in zip(values, lows, highs, strict=True)
    ]
    if fractions is None or not style.fractions:
        return cells
    numerators, denominators = (np.ravel(of).tolist() for of in fractions)
    return [
        cell if math.isnan(numerator) else f"{cell}, {fraction(numerator, n)}"
        for cell, numerator, n in zip(cells, numerators, denominators, strict=True)
    ]


def p_in_print(p_value: float, least: float = 0.0) -> str:
    """A p-value as in journals: ".04", three digits below .01 and next to .05, "< .001", and "<=
    ..." for the least of a test by replicates.
    """
    if math.isnan(p_value):
        return UNKNOWN
    if p_value < 0.001:
        return "< .001"
    if p_value > 0.99:
        return "> .99"
    needs_three = p_value < 0.01 or round(p_value, 2) == LINE
    digits = 3 if needs_three else 2
    if p_value <= least:
        # Rounded up, so that the p-value is at most that.
        return f"<= {_without_zero(math.ceil(p_value * 10**digits) / 10**digits, digits)}"
    return _without_zero(p_value, digits)


def _without_zero(value: float, digits: int) -> str:
    """A number below 1 without the zero before the point."""
    return f"{value:.{digits}f}".removeprefix("0")


def _limit(limit: float, style: Style, equality: float) -> str:
    """A confidence limit."""
    if math.isnan(equality):
        return number(limit, style)
    text = limit_in_column(limit, f".{style.digits}f", equality)
    return text.removeprefix("-") if not text.strip("-0.") else text
