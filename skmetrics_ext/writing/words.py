"""Counts and names of classes as words, for texts and pictures alike."""

import math
import unicodedata
from typing import Any

# What p values are said to be less than.
LEAST_P = 1e-4
ROUNDING = 1e-9


def count_as_text(count: float) -> str:
    """Whole counts as they are, weighted ones to four digits or one decimal."""
    if isinstance(count, int) or count.is_integer():
        return f"{count:.0f}"
    return f"{count:.4g}" if count < 1000 else f"{count:.1f}"


def on_one_line(label: Any) -> str:
    """The name of a class, with line breaks and the like written out."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(label))


def of_class(label: Any) -> str:
    """Of which class something is, behind its name: text in quotes; nothing where there is none."""
    return "" if label is None else f" of {label!r}" if isinstance(label, str) else f" of {on_one_line(label)}"


def p_as_text(p_value: float, floor: float = 0.0) -> str:
    """A p value to three digits; below 0.0001, or at the least that a test can give, that it is less."""
    if p_value < LEAST_P or p_value <= floor <= LEAST_P:
        return f"< {LEAST_P:.4f}"
    if not p_value <= floor < 1:
        return f"{p_value:.3g}"
    # Rounded up, so that it is less.
    unit = 10.0 ** (math.floor(math.log10(floor)) - 1)
    return f"< {math.ceil(floor / unit - ROUNDING) * unit:.2g}"


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes: East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
