"""Rows of text -> an HTML table; every text is escaped."""

import html
from collections.abc import Iterable, Sequence

# A name and its cells.
NamedCells = tuple[str, Sequence[str]]


def html_table(
    headers: Sequence[str],
    bodies: Iterable[Iterable[NamedCells]],
    caption: str | None = None,
    above: str | None = None,
    notes: Sequence[str] = (),
) -> str:
    """Named rows, in several bodies, under headers and a title, with notes below."""
    # A caption is only as wide as its table, and may wrap into many short lines.
    style = ' style="white-space:nowrap;text-align:left"'
    title = "" if caption is None else f"<caption{style}>{html.escape(caption)}</caption>"
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
