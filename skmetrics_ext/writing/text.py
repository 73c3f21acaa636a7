"""Counts, names, tables and matrices for display: text for a terminal, HTML for a notebook."""

import math
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from skmetrics_ext.writing.html_table import html_table

# The part of a large matrix that is shown.
MOST_CLASSES = 12
WIDEST_LABEL = 20
# Smaller p-values are shown as less than this.
LEAST_P = 1e-4
ROUNDING = 1e-9


class ShownTable(NamedTuple):
    """A title, the headers of the columns, and rows of text beginning with a name, of which the first are shown."""

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    # Which columns are left-aligned in text output.
    are_names: Sequence[bool] = ()
    most: int = 20

    def as_text(self) -> str:
        """For a terminal."""
        more = [f"... and {len(self.rows) - self.most} more"] if len(self.rows) > self.most else []
        return "\n".join([self.title, *in_columns([self.headers, *self.rows[: self.most]], self.are_names), *more])

    def as_html(self) -> str:
        """For a notebook."""
        rows = [(row[0], row[1:]) for row in self.rows[: self.most]]
        if len(self.rows) > self.most:
            rows += [(f"\N{HORIZONTAL ELLIPSIS} {len(self.rows) - self.most} more", [""] * (len(self.headers) - 1))]
        return html_table(self.headers, [rows], self.title)


def in_columns(rows: Sequence[Sequence[str]], are_names: Sequence[bool]) -> list[str]:
    """The lines of aligned columns, names left-aligned and numbers right-aligned."""
    widths = [max(map(columns_of, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        blanks = [" " * (width - columns_of(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = zip(row, blanks, are_names, strict=True)
        lines.append("  ".join(cell + blank if is_name else blank + cell for cell, blank, is_name in cells).rstrip())
    return lines


def matrix_as_text(headline: str, counts: NDArray[Any], labels: list[Any]) -> str:
    """A headline, and the counts in aligned columns under the predicted labels."""
    names = [_shortened(label) for label in labels[:MOST_CLASSES]]
    hidden = len(labels) - len(names)
    more = ["..."] if hidden else []
    rows = [[name, *row, *more] for name, row in zip(["", *names], [names, *_shown_counts(counts)], strict=True)]
    lines = [headline, *in_columns(rows, [True, *(False for _ in rows[0][1:])])]
    return "\n".join([*lines, *(f"... and {hidden} more {'class' if hidden == 1 else 'classes'}" for _ in more)])


def matrix_as_html(headline: str, counts: NDArray[Any], labels: list[Any]) -> str:
    """The same as a table."""
    names = [str(label) for label in labels[:MOST_CLASSES]]
    hidden = len(labels) - len(names)
    more = [f"\N{HORIZONTAL ELLIPSIS} {hidden} more"] if hidden else []
    rows = zip(names, _shown_counts(counts), strict=True)
    return html_table(["actual", *names, *more], [rows], headline, above="predicted")


def _shown_counts(counts: NDArray[Any]) -> list[list[str]]:
    """The counts that are shown, as text."""
    return [[count_as_text(count) for count in row] for row in counts[:MOST_CLASSES, :MOST_CLASSES].tolist()]


def _shortened(label: Any) -> str:
    """A label on one line, shortened for a terminal."""
    text = on_one_line(label)
    return text if len(text) <= WIDEST_LABEL else text[: WIDEST_LABEL - 3] + "..."


def count_as_text(count: float) -> str:
    """Whole counts as they are, weighted ones to four digits or one decimal."""
    if isinstance(count, int) or count.is_integer():
        return f"{count:.0f}"
    return f"{count:.4g}" if count < 1000 else f"{count:.1f}"


def on_one_line(label: Any) -> str:
    """The name of a class, with line breaks and similar characters escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(label))


def of_class(label: Any) -> str:
    """The class that follows a name, with strings in quotes; empty where there is none."""
    return "" if label is None else f" of {label!r}" if isinstance(label, str) else f" of {on_one_line(label)}"


def p_as_text(p_value: float, floor: float = 0.0) -> str:
    """A p-value to three digits; below 0.0001, or at the smallest attainable value of a test, as "< ..."."""
    if p_value < LEAST_P or p_value <= floor <= LEAST_P:
        return f"< {LEAST_P:.4f}"
    if not p_value <= floor < 1:
        return f"{p_value:.3g}"
    # Rounded up, so that the p-value is less.
    unit = 10.0 ** (math.floor(math.log10(floor)) - 1)
    return f"< {math.ceil(floor / unit - ROUNDING) * unit:.2g}"


def columns_of(text: str) -> int:
    """The number of terminal columns that a text takes: East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
