"""A confusion matrix for people to read: text for a terminal, HTML for a notebook."""

from typing import Any

from numpy.typing import NDArray

from skmetrics_ext.writing.html_table import html_table
from skmetrics_ext.writing.words import columns_of, count_as_text, on_one_line

# What is shown of a large matrix.
MOST_CLASSES = 12
WIDEST_LABEL = 20


def matrix_as_text(headline: str, counts: NDArray[Any], labels: list[Any]) -> str:
    """A headline, and the counts in aligned columns under the predicted labels."""
    names = [_shortened(label) for label in labels[:MOST_CLASSES]]
    rows = _shown_counts(counts)
    hidden = len(labels) - len(names)
    first = max(map(columns_of, names))
    widths = [max(columns_of(name), *(len(row[k]) for row in rows)) for k, name in enumerate(names)]
    lines = [headline]
    for head, row in zip(["", *names], [names, *rows], strict=True):
        columns = [head + " " * (first - columns_of(head))]
        columns += [" " * (width - columns_of(cell)) + cell for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join([*columns, "..."] if hidden else columns))
    if hidden:
        lines.append(f"... and {hidden} more {'class' if hidden == 1 else 'classes'}")
    return "\n".join(lines)


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
    """A label that fits a terminal, on one line."""
    text = on_one_line(label)
    return text if len(text) <= WIDEST_LABEL else text[: WIDEST_LABEL - 3] + "..."
