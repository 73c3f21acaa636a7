"""A table for a paper: as text, Markdown, HTML, LaTeX or a data frame."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from skmetrics_ext.reading.aliases import Backend
from skmetrics_ext.reading.calls import explained_methods
from skmetrics_ext.writing.frames import frame
from skmetrics_ext.writing.text import html_table, in_columns, on_one_line

# What Markdown would take for a command anywhere, and at the beginning of a paragraph.
IN_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#~$]|&(?=#?\w+;))")
BEGINS_BLOCK = re.compile(r"^(\d*)([-+=.)])")
# The same for LaTeX: what its rows take for an option of the line above, and between characters
# that fonts join, as two hyphens to a dash.
IS_OPTION = re.compile(r"^([\[*])")
IN_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=,)(?=,)|(?<=')(?=')|(?<=[`?!])(?=`)")
IN_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\N{EN DASH}": "--",
    "\N{EM DASH}": "---",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


@explained_methods
@dataclass(frozen=True, repr=False)
class TextTable:
    """A table as it is printed: every cell is text.

    Attributes
    ----------
    title : str
        What the table is, such as the metrics, the confidence level and the method.
    headers : tuple of str
        The headers of the columns.
    rows : tuple of tuple of str
        The cells of each row.
    n_names : int
        How many columns, from the left, name the rows.
    notes : tuple of str
        What stands below the table: why limits marked with a star may not hold.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
    >>> cm.to_table()
    ConfusionMatrix of 150 samples (rows: actual, columns: predicted)
    actual  no  yes
    no      80   20
    yes      5   45
    """

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_names: int = 0
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        lines = [[on_one_line(cell) for cell in row] for row in (self.headers, *self.rows)]
        are_names = [k < self.n_names for k in range(len(self.headers))]
        title = [on_one_line(self.title)] if self.title else []
        return "\n".join([*title, *in_columns(lines, are_names), *map(on_one_line, self.notes)])

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        return self.to_html()

    def transposed(self) -> TextTable:
        """The table with its columns as rows; those that name the rows become the headers.

        Returns
        -------
        TextTable
            Its first column holds the headers of this table.

        Examples
        --------
        >>> from skmetrics_ext.results import TextTable
        >>> TextTable("", ("site", "recall"), (("A", "0.90"), ("B", "0.80")), 1).transposed()
        site       A     B
        recall  0.90  0.80
        """
        names = [", ".join(row[: self.n_names]) for row in self.rows]
        if not self.n_names and len(names) == 1:
            names = ["value"]
        corner = ", ".join(self.headers[: self.n_names])
        columns = itertools.zip_longest(self.headers, *self.rows)
        rows = tuple(tuple(column) for column in columns)[self.n_names :]
        return TextTable(self.title, (corner, *names), rows, 1, self.notes)

    def to_markdown(self) -> str:
        """The table in Markdown.

        Returns
        -------
        str
            Title, headers, rows and notes; what Markdown would take for a command is escaped.

        Examples
        --------
        >>> from skmetrics_ext.results import TextTable
        >>> print(TextTable("", ("site", "recall"), (("A", "0.90"),), 1).to_markdown())
        | site | recall |
        |---|---|
        | A | 0.90 |
        """
        lines = [_markdown_row(row) for row in (self.headers, *self.rows)]
        lines.insert(1, "|" + "---|" * len(self.headers))
        title = [f"{_paragraph(self.title)}\n"] if self.title else []
        notes = [f"\n{_paragraph(note)}" for note in self.notes]
        return "\n".join([*title, *lines, *notes])

    def to_html(self) -> str:
        """The table in HTML.

        Returns
        -------
        str
            A `table` element with the title as its caption; every text is escaped.

        Examples
        --------
        >>> from skmetrics_ext.results import TextTable
        >>> TextTable("", ("", "recall"), (("A", "0.90"),), 1).to_html()[:43]
        '<table><thead><tr><th></th><th>recall</th><'
        """
        rows = [(row[0], row[1:]) for row in self.rows]
        return html_table(self.headers, [rows], self.title or None, notes=self.notes)

    def to_latex(self) -> str:
        r"""The table in LaTeX.

        Returns
        -------
        str
            A `tabular` environment with the lines of the package booktabs, the title above and the
            notes below; what LaTeX would take for a command is escaped.

        Examples
        --------
        >>> from skmetrics_ext.results import TextTable
        >>> print(TextTable("", ("site", "p"), (("A_1", "< .001"),), 1).to_latex())
        \begin{tabular}{lr}
        \toprule
        site & p \\
        \midrule
        A\_1 & \textless{} .001 \\
        \bottomrule
        \end{tabular}
        """
        columns = "l" * self.n_names + "r" * (len(self.headers) - self.n_names)
        across = f"\\multicolumn{{{len(self.headers)}}}{{l}}"
        return "\n".join(
            [
                f"\\begin{{tabular}}{{{columns}}}",
                *([f"{across}{{{_in_latex(self.title)}}} \\\\"] if self.title else []),
                "\\toprule",
                _latex_row(self.headers),
                "\\midrule",
                *map(_latex_row, self.rows),
                "\\bottomrule",
                *(f"{across}{{{_in_latex(note)}}} \\\\" for note in self.notes),
                "\\end{tabular}",
            ]
        )

    def to_frame(self, backend: Backend | None = None) -> Any:
        """The cells as a data frame of text, such as for `to_excel` of pandas.

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            The frame's library. None: pandas if installed, else polars.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            A column for each header; headers that are alike are numbered.

        Examples
        --------
        >>> from skmetrics_ext.results import TextTable
        >>> TextTable("", ("site", "recall"), (("A", "0.90"),), 1).to_frame("pandas")
          site recall
        0    A   0.90
        """
        names = _distinct(self.headers)
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(names)
        return frame(dict(zip(names, map(list, columns), strict=True)), backend)


def _distinct(headers: Sequence[str]) -> list[str]:
    """Headers, repeated ones with a number."""
    names: list[str] = []
    for header in headers:
        numbered = (f"{header} ({number})" for number in itertools.count(2))
        candidates = itertools.chain([header], numbered)
        names.append(next(name for name in candidates if name not in names))
    return names


def _markdown_row(cells: Iterable[str]) -> str:
    """A row in Markdown."""
    return f"| {' | '.join(map(_in_markdown, cells))} |"


def _paragraph(text: str) -> str:
    """A paragraph in Markdown: no list, heading or code."""
    return BEGINS_BLOCK.sub(r"\1\\\2", _in_markdown(text).strip())


def _in_markdown(text: str) -> str:
    """Text that Markdown shows as it is."""
    return IN_MARKDOWN.sub(r"\\\1", on_one_line(text))


def _latex_row(cells: Iterable[str]) -> str:
    """A row in LaTeX, which does not begin with an option of what ends the line above."""
    row = " & ".join(map(_in_latex, cells))
    return IS_OPTION.sub(r"{\1}", row) + r" \\"


def _in_latex(text: str) -> str:
    """Text that LaTeX shows as it is."""
    parts = IN_LIGATURE.split(on_one_line(text))
    return "{}".join(map(_escaped_in_latex, parts))


def _escaped_in_latex(text: str) -> str:
    """Text without a command of LaTeX."""
    return "".join(IN_LATEX.get(character, character) for character in text)
