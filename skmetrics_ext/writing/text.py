"""Counts, names, tables and matrices as text or HTML; numbers that decide never round across
the line that they are compared with.
"""

import html
import itertools
import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from skmetrics_ext.reading.order import name_as_text

# The part of a large matrix that is shown.
MOST_CLASSES = 12
WIDEST_LABEL = 20
# Smaller p-values are shown as less than this.
LEAST_P = 1e-4
# By how much rounding may take a quotient above a whole number.
ROUNDING = 1e-9


# A name and its cells.
NamedCells = tuple[str, Sequence[str]]

# Many journals draw a line here, whatever the level of a test.
LINE = 0.05

# Decimals of p-values beyond which a difference is one of rounding.
ROUNDED = 12

# A number this close to a line, after so many more digits, is only said to be beside it.
MOST_FURTHER = 4


class ShownTable(NamedTuple):
    """A title, headers, and named rows of text, of which the first are shown."""

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    # Which columns are left-aligned in text output.
    are_names: Sequence[bool] = ()
    most: int = 20
    # What is below the rows.
    notes: Sequence[str] = ()

    def as_text(self) -> str:
        """For a terminal."""
        lines = in_columns([self.headers, *self.rows[: self.most]], self.are_names)
        more = and_more(len(self.rows), self.most)
        return "\n".join([self.title, *lines, *more, *self.notes])

    def as_html(self) -> str:
        """For a notebook."""
        rows = [(row[0], row[1:]) for row in self.rows[: self.most]]
        n_hidden = len(self.rows) - self.most
        if n_hidden > 0:
            blanks = [""] * (len(self.headers) - 1)
            rows.append((f"\N{HORIZONTAL ELLIPSIS} {n_hidden} more", blanks))
        return html_table(self.headers, [rows], self.title, notes=self.notes)


def and_more(n_lines: int, most: int) -> list[str]:
    """The line that says how many more there are, if any."""
    return [f"... and {n_lines - most} more"] if n_lines > most else []


def in_columns(rows: Sequence[Sequence[str]], are_names: Sequence[bool]) -> list[str]:
    """The lines of columns, names left-aligned and numbers right-aligned."""
    columns = list(zip(*rows, strict=True))
    widths = [max(map(columns_of, column)) for column in columns]
    return [_aligned(row, widths, are_names) for row in rows]


def _aligned(row: Sequence[str], widths: Sequence[int], are_names: Sequence[bool]) -> str:
    """The cells of a row in columns of these widths."""
    cells = []
    for cell, width, is_name in zip(row, widths, are_names, strict=True):
        # Not by str.ljust: wide characters take two columns.
        blanks = " " * (width - columns_of(cell))
        cells.append(cell + blanks if is_name else blanks + cell)
    return "  ".join(cells).rstrip()


def limits_as_text(low: float, high: float, form: str, lines: Sequence[float]) -> str:
    """Confidence limits, such as "[0.1, 0.2]"; one just beside a line is open: "(0.0, 0.2]"."""
    first, last = limit_in_column(low, form, lines), limit_in_column(high, form, lines)
    opening, closing = "[", "]"
    if first.startswith(">"):
        opening, first = "(", format(float(first[1:]), form)
    if last.startswith("<"):
        closing, last = ")", format(float(last[1:]), form)
    return f"{opening}{first}, {last}{closing}"


def limit_in_column(limit: float, form: str, lines: Sequence[float]) -> str:
    """A confidence limit on its side of each line; one just beside it is as ">0"."""
    sign, _, digits = form.removesuffix("f").partition(".")
    return beside_lines(limit, lambda n: format(limit, f"{sign}.{n}f"), int(digits), lines)


def matrix_as_text(headline: str, counts: NDArray[Any], labels: list[Any]) -> str:
    """A headline, and the counts under the predicted labels."""
    whole_names = [on_one_line(label) for label in labels[:MOST_CLASSES]]
    names = shortened(whole_names, WIDEST_LABEL, "...")
    n_hidden = len(labels) - len(names)
    header = ["", *names]
    rows = [[name, *row] for name, row in zip(names, _shown_counts(counts), strict=True)]
    are_names = [True] + [False] * len(names)
    if n_hidden == 0:
        return "\n".join([headline, *in_columns([header, *rows], are_names)])
    lines = in_columns([[*row, "..."] for row in (header, *rows)], [*are_names, False])
    classes = "class" if n_hidden == 1 else "classes"
    return "\n".join([headline, *lines, f"... and {n_hidden} more {classes}"])


def matrix_as_html(headline: str, counts: NDArray[Any], labels: list[Any]) -> str:
    """The same as a table."""
    names = [str(label) for label in labels[:MOST_CLASSES]]
    n_hidden = len(labels) - len(names)
    header = ["actual", *names]
    if n_hidden > 0:
        header.append(f"\N{HORIZONTAL ELLIPSIS} {n_hidden} more")
    rows = zip(names, _shown_counts(counts), strict=True)
    return html_table(header, [rows], headline, above="predicted")


def _shown_counts(counts: NDArray[Any]) -> list[list[str]]:
    """The counts that are shown, as text."""
    shown = counts[:MOST_CLASSES, :MOST_CLASSES].tolist()
    return [[count_as_text(count) for count in row] for row in shown]


def shortened(names: Sequence[str], most: int, mark: str = "\N{HORIZONTAL ELLIPSIS}") -> list[str]:
    """Names of at most so many columns, cut in their middle; longer if they would be alike."""
    for room in itertools.count(most - columns_of(mark)):
        short = [_cut(name, room, mark) for name in names]
        if len({*short}) == len({*names}):
            return short
    raise AssertionError("whole names differ")


def _cut(name: str, room: int, mark: str) -> str:
    """A long name as its beginning and its end, which gets a third of the room."""
    if columns_of(name) <= room + columns_of(mark):
        return name
    end = _beginning(name[::-1], room // 3)[::-1]
    return _beginning(name, room - columns_of(end)).rstrip() + mark + end.lstrip()


def _beginning(text: str, most: int) -> str:
    """The longest beginning of at most this many columns."""
    width = 0
    for place, character in enumerate(text):
        width += columns_of(character)
        if width > most:
            return text[:place]
    return text


def count_as_text(count: float) -> str:
    """Whole counts; weighted ones to four digits or one decimal."""
    if isinstance(count, int) or count.is_integer():
        return f"{count:.0f}"
    return f"{count:.4g}" if count < 1000 else f"{count:.1f}"


def numbered(n: int, noun: str) -> str:
    """A number of things: "1 cluster", "2 clusters"."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def on_one_line(label: Any) -> str:
    """The name of a class, with line breaks and similar characters escaped."""
    text = name_as_text(label)
    characters = (
        character if character.isprintable() else repr(character)[1:-1] for character in text
    )
    return "".join(characters)


def class_text(label: Any) -> str:
    """The class that follows a name, with strings in quotes, if any."""
    if label is None:
        return ""
    return f" of {label!r}" if isinstance(label, str) else f" of {on_one_line(label)}"


def level_as_text(confidence_level: float) -> str:
    """A confidence level as shown: "95 %"."""
    return f"{100 * confidence_level:g} %"


def p_as_text(p_value: float, lines: Sequence[float], floor: float = 0.0) -> str:
    """A p-value to three digits or as many as show its side of each line, "< 0.0001", or "<= ..."
    at the least value of a test.
    """
    least, p_value = min(LEAST_P, *lines), round(p_value, ROUNDED)
    if p_value < least:
        return f"< {least:.12g}"
    if not p_value <= floor < 1:
        text = beside_lines(p_value, lambda n: f"{p_value:.{n}g}", 3, lines)
        return f"{text[0]} {text[1:]}" if text[0] in "<>" else text

    def bound(n_digits: int) -> str:
        """Rounded up, so that the p-value is at most that."""
        unit = 10.0 ** (math.floor(math.log10(floor)) + 1 - n_digits)
        return f"{math.ceil(floor / unit - ROUNDING) * unit:.{n_digits}g}"

    return f"<= {beside_lines(p_value, bound, 2, lines)}"


def equation_of_p(text: str) -> str:
    """What a text says of p: "p = 0.04", "p < 0.0001"."""
    return f"p {text}" if text[0] in "<>" else f"p = {text}"


def columns_of(text: str) -> int:
    """The terminal columns of a text: East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def html_table(
    headers: Sequence[str],
    bodies: Iterable[Iterable[NamedCells]],
    caption: str | None = None,
    above: str | None = None,
    notes: Sequence[str] = (),
) -> str:
    """Named rows, in several bodies, under headers and a title, with notes below."""
    # A caption is only as wide as its table, and would wrap into many short lines; a box in it has
    # a width of its own, at most that of a page.
    box = '<caption style="text-align:left"><div style="width:max-content;max-width:60em">'
    title = "" if caption is None else f"{box}{html.escape(caption)}</div></caption>"
    head = "".join(f"<th>{html.escape(text)}</th>" for text in headers)
    centred = f'<th colspan="{len(headers) - 1}" style="text-align:center">'
    over = "" if above is None else f"<tr><th></th>{centred}{html.escape(above)}</th></tr>"
    body = "".join(
        f"<tbody>{''.join(_html_row(name, cells) for name, cells in rows)}</tbody>"
        for rows in bodies
    )
    across = f'<td colspan="{len(headers)}" style="text-align:left">'
    below = "".join(f"<tr>{across}{html.escape(note)}</td></tr>" for note in notes)
    foot = f"<tfoot>{below}</tfoot>" if notes else ""
    return f"<table>{title}<thead>{over}<tr>{head}</tr></thead>{body}{foot}</table>"


def _html_row(name: str, cells: Sequence[str]) -> str:
    """A name and its cells."""
    row = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
    return f"<tr><th>{html.escape(name)}</th>{row}</tr>"


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
