"""Counts and names of classes as words, for texts and pictures alike."""

import unicodedata
from typing import Any


def count_as_text(count: float) -> str:
    """Whole counts as they are, weighted ones to four digits or one decimal."""
    if isinstance(count, int) or count.is_integer():
        return f"{count:.0f}"
    return f"{count:.4g}" if count < 1000 else f"{count:.1f}"


def on_one_line(label: Any) -> str:
    """The name of a class, with line breaks and the like written out."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(label))


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes: East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
