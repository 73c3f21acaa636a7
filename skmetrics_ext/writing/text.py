"""Counts, names, tables and matrices for display: text for a terminal, HTML for a notebook."""

import itertools
import math
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from skmetrics_ext.writing.html_table import html_table

# The part of a large matrix that is shown.
MOST_CLASSES = 12
WIDEST_LABEL = 20
# Where a shortened name preferably begins again.
BREAKS = " _-/"
# Smaller p-values are shown as less than this.
LEAST_P = 1e-4
ROUNDING = 1e-9


class ShownTable(NamedTuple):
    """A title, the headers of the columns, and rows of text beginning with a name, of which the
    first are shown.
    """

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    # Which columns are left-aligned in text output.
    are_names: Sequence[bool] = ()
    most: int = 20

    def as_text(self) -> str:
        """For a terminal."""
        more = [f"... and {len(self.rows) - self.most} more"] if len(self.rows) > self.most else []
        return "\n".join(
            [
                self.title,
                *in_columns([self.headers, *self.rows[: self.most]], self.are_names),
                *more,
            ]
        )

    def as_html(self) -> str:
        """For a notebook."""
        rows = [(row[0], row[1:]) for row in self.rows[: self.most]]
        if len(self.rows) > self.most:
            rows += [
                (
                    f"\N{HORIZONTAL ELLIPSIS} {len(self.rows) - self.most} more",
                    [""] * (len(self.headers) - 1),
                )
            ]
        return html_table(self.headers, [rows], self.title)


def in_columns(rows: Sequence[Sequence[str]], are_names: Sequence[bool]) -> list[str]:
    """The lines of aligned columns, names left-aligned and numbers right-aligned."""
    widths = [max(map(columns_of, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        blanks = [" " * (width - columns_of(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = zip(row, blanks, are_names, strict=True)
        lines.append(
            "  ".join(
                cell + blank if is_name else blank + cell for cell, blank, is_name in cells
            ).rstrip()
        )
    return lines


def matrix_as_text(headline: str, counts: NDArray[Any], labels: list[Any]) -> str:
    """A headline, and the counts in aligned columns under the predicted labels."""
    names = shortened([on_one_line(label) for label in labels[:MOST_CLASSES]], WIDEST_LABEL, "...")
    hidden = len(labels) - len(names)
    more = ["..."] if hidden else []
    rows = [
        [name, *row, *more]
        for name, row in zip(["", *names], [names, *_shown_counts(counts)], strict=True)
    ]
    lines = [headline, *in_columns(rows, [True, *(False for _ in rows[0][1:])])]
    return "\n".join(
        [*lines, *(f"... and {hidden} more {'class' if hidden == 1 else 'classes'}" for _ in more)]
    )


def matrix_as_html(headline: str, counts: NDArray[Any], labels: list[Any]) -> str:
    """The same as a table."""
    names = [str(label) for label in labels[:MOST_CLASSES]]
    hidden = len(labels) - len(names)
    more = [f"\N{HORIZONTAL ELLIPSIS} {hidden} more"] if hidden else []
    rows = zip(names, _shown_counts(counts), strict=True)
    return html_table(["actual", *names, *more], [rows], headline, above="predicted")


def _shown_counts(counts: NDArray[Any]) -> list[list[str]]:
    """The counts that are shown, as text."""
    return [
        [count_as_text(count) for count in row]
        for row in counts[:MOST_CLASSES, :MOST_CLASSES].tolist()
    ]


def shortened(names: Sequence[str], most: int, mark: str = "\N{HORIZONTAL ELLIPSIS}") -> list[str]:
    """Names of at most this many columns, cut where they are alike, so that they still differ;
    longer if they must.
    """
    for room in itertools.count(most - columns_of(mark)):
        short = [_cut(name, len(name), room, mark) for name in names]
        alike: dict[str, set[str]] = {}
        for name, text in zip(names, short, strict=True):
            alike.setdefault(text, set()).add(name)
        starts = {text: _first_difference(group) for text, group in alike.items() if len(group) > 1}
        short = [
            _cut(name, starts.get(text, len(name)), room, mark)
            for name, text in zip(names, short, strict=True)
        ]
        if len({*short}) == len({*names}):
            return short
    raise AssertionError("whole names differ")


def _first_difference(names: Iterable[str]) -> int:
    """The number of letters with which all names begin."""
    return next(k for k, letters in enumerate(itertools.zip_longest(*names)) if len({*letters}) > 1)


def _cut(name: str, place: int, room: int, mark: str) -> str:
    """A long name as its beginning and the part from just before a place, or if there is room its
    whole end.
    """
    if columns_of(name) <= room + columns_of(mark):
        return name
    least = room // 3
    end = _beginning(name[::-1], least)[::-1]
    if place < len(name) - len(end):
        # From the word in which the names differ, unless it begins far before.
        end = name[max(max(name.rfind(c, 0, place) for c in BREAKS) + 1, place - least) :]
        if columns_of(end) > room - least:
            end = _beginning(end, room - least - columns_of(mark)).rstrip() + mark
    return _beginning(name, room - columns_of(end)).rstrip() + mark + end.lstrip()


def _beginning(text: str, most: int) -> str:
    """The longest beginning of at most this many columns."""
    return text[
        : next((k for k in range(len(text)) if columns_of(text[: k + 1]) > most), len(text))
    ]


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
    return (
        ""
        if label is None
        else f" of {label!r}"
        if isinstance(label, str)
        else f" of {on_one_line(label)}"
    )


def p_as_text(p_value: float, floor: float = 0.0) -> str:
    """A p-value to three digits; below 0.0001, or at the smallest attainable value of a test, as "<
    ...".
    """
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
