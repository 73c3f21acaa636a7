"""A confusion matrix for people to read: text for a terminal, HTML for a notebook."""

import html
import unicodedata
from typing import Any

from numpy.typing import NDArray

# What is shown of a large matrix.
MOST_CLASSES = 12
WIDEST_LABEL = 20


def as_text(headline: str, counts: NDArray[Any], labels: list[Any]) -> str:
    """A headline, and the counts in aligned columns under the predicted labels."""
    names = [_shortened(label) for label in labels[:MOST_CLASSES]]
    rows = _cells(counts)
    hidden = len(labels) - len(names)
    first = max(map(_width, names))
    widths = [max(_width(name), *(len(row[k]) for row in rows)) for k, name in enumerate(names)]
    lines = [headline]
    for head, row in zip(["", *names], [names, *rows], strict=True):
        columns = [head + " " * (first - _width(head))]
        columns += [" " * (width - _width(cell)) + cell for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join([*columns, "..."] if hidden else columns))
    if hidden:
        lines.append(f"... and {hidden} more {'class' if hidden == 1 else 'classes'}")
    return "\n".join(lines)


def as_html(headline: str, counts: NDArray[Any], labels: list[Any]) -> str:
    """A table whose every text is escaped, since labels may come from anywhere."""
    names = [html.escape(str(label)) for label in labels[:MOST_CLASSES]]
    hidden = len(labels) - len(names)
    more = f"<th>&hellip; {hidden} more</th>" if hidden else ""
    head = "".join(f"<th>{name}</th>" for name in names)
    rows = "".join(
        f"<tr><th>{name}</th>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
        for name, row in zip(names, _cells(counts), strict=True)
    )
    return (
        f"<table><caption>{html.escape(headline)}</caption>"
        f"<thead><tr><th></th>{head}{more}</tr></thead><tbody>{rows}</tbody></table>"
    )


def number(count: float) -> str:
    """Whole counts as they are, weighted ones to four digits or one decimal."""
    if isinstance(count, int) or count.is_integer():
        return f"{count:.0f}"
    return f"{count:.4g}" if count < 1000 else f"{count:.1f}"


def _cells(counts: NDArray[Any]) -> list[list[str]]:
    """The counts that are shown, as text."""
    return [[number(count) for count in row] for row in counts[:MOST_CLASSES, :MOST_CLASSES].tolist()]


def _width(text: str) -> int:
    """How many columns of a terminal a text takes: East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _shortened(label: Any) -> str:
    """A label that fits a terminal, on one line."""
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(label))
    return text if len(text) <= WIDEST_LABEL else text[: WIDEST_LABEL - 3] + "..."
