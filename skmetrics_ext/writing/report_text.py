"""A report of metrics by class as text, HTML, a dict or a data frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from skmetrics_ext.reading.aliases import Backend
from skmetrics_ext.reading.calls import explained_methods
from skmetrics_ext.writing.frames import frame
from skmetrics_ext.writing.printed import Style, fraction, number, read_style, with_limits
from skmetrics_ext.writing.text import count_as_text, html_table, on_one_line
from skmetrics_ext.writing.text_table import TextTable

# Both limits, numerator and denominator of a proportion, else None, and a mark for caveats.
Ends = tuple[float, float, tuple[int, int] | None, str] | None

# The least width of a column in scikit-learn's reports.
LEAST_WIDTH = 9


class Row(NamedTuple):
    """A class or an average: a value or None for each metric, and the number of samples."""

    name: str
    values: Sequence[float | None]
    support: Any
    # The limits of each value, if the report has them.
    ends: Sequence[Ends] | None = None


class Report(NamedTuple):
    """The metrics of each class, and their averages."""

    metrics: Sequence[str]
    classes: list[Row]
    averages: list[Row]
    # The least width of the names.
    least_width: int
    # The header of the last column.
    support: str = "support"
    # What is in the cells, beside the values.
    caption: str = ""
    # Why marked limits may not hold.
    notes: Sequence[str] = ()


class ReportText(str):
    """The text of a report, which notebooks show as a table."""

    table = ""

    def _repr_html_(self) -> str:
        """The report as an HTML table; every name is escaped."""
        return self.table


@explained_methods
class MetricsText(ReportText):
    """The text of a report of metrics, which notebooks show as a table.

    Attributes
    ----------
    headers : tuple of str
        The metrics, and the header of the numbers of samples.
    rows : tuple of tuple
        Of each class or average the name, the values, their limits and the number of samples.
    caption : str
        "95 % confidence intervals", if the report has them.
    notes : tuple of str
        Why limits marked with a star may not hold.

    Examples
    --------
    >>> from skmetrics_ext import classification_report
    >>> y_true, y_pred = ["no", "yes", "no"] * 9, ["no", "yes", "yes"] * 9
    >>> report = classification_report(
    ...     y_true, y_pred, metrics=["recall"], averages=["micro"], confidence_level=0.95
    ... )
    >>> report.to_table()
    95 % confidence intervals
    class                       recall  support
    no          0.50 (0.28-0.72), 9/18       18
    yes          1.00 (0.72-1.00), 9/9        9
    micro avg  0.67 (0.48-0.82), 18/27       27
    """

    # Plain values, so that pickles name no private class.
    headers: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    caption: str
    notes: tuple[str, ...]

    def __new__(
        cls,
        text: str,
        table: str = "",
        headers: tuple[str, ...] = (),
        rows: tuple[tuple[Any, ...], ...] = (),
        caption: str = "",
        notes: tuple[str, ...] = (),
    ) -> Self:
        """A text, its table in HTML, and what `to_frame` and `to_table` need."""
        made = super().__new__(cls, text)
        made.table, made.headers, made.rows = table, headers, rows
        made.caption, made.notes = caption, notes
        return made

    def to_frame(self, backend: Backend | None = None) -> Any:
        """One row per class and average: "class", the metrics, with limits as "recall_low" and
        "recall_high" after "recall", and "support".

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            The frame's library. None: pandas if installed, else polars.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            Null without a value or an interval.
        """
        *metrics, support = self.headers
        names, values, ends, numbers = zip(*self.rows, strict=True)
        columns: dict[str, Any] = {"class": names}
        for k, metric in enumerate(metrics):
            columns[metric] = [of_row[k] for of_row in values]
            if any(ends):
                known = [of_row[k] if of_row else None for of_row in ends]
                limits = [of_value[:2] if of_value else (None, None) for of_value in known]
                columns |= _named_ends(metric, tuple(zip(*limits, strict=True)))
        return frame({**columns, support: numbers}, backend)

    def to_table(self, *, digits: int = 2, dash: str = "-", fractions: bool = True) -> TextTable:
        """The report as it is printed in a paper.

        Parameters
        ----------
        digits : int, default=2
            Digits after the decimal point.
        dash : str, default="-"
            Between two limits, as in 0.86 (0.80-0.91); " to " where a limit has a sign.
        fractions : bool, default=True
            Whether a proportion with limits is followed by its numbers of samples, as in 87/109, if
            known.

        Returns
        -------
        TextTable
            Text, Markdown, HTML, LaTeX, or a data frame of text for Excel.
        """
        style = read_style(digits, dash, fractions)
        rows = []
        for name, values, ends, support in self.rows:
            ends_of_values = ends or (None,) * len(values)
            cells = [
                _printed_cell(value, of_value, style)
                for value, of_value in zip(values, ends_of_values, strict=True)
            ]
            rows.append((name, *cells, count_as_text(support)))
        return TextTable(self.caption, ("class", *self.headers), tuple(rows), 1, self.notes)


def _printed_cell(value: float | None, ends: Ends, style: Style) -> str:
    """A value with its limits, and the samples of a proportion; blank without one."""
    if value is None:
        return ""
    if ends is None:
        return number(value, style)
    low, high, of_proportion, mark = ends
    cell = with_limits(value, low, high, style)
    if of_proportion is not None and style.fractions:
        cell = f"{cell}, {fraction(*of_proportion)}"
    return f"{cell} {mark}".rstrip()


def report_as_text(report: Report, digits: int) -> MetricsText:
    """The report as text, which notebooks show as a table."""
    headers = (*report.metrics, report.support)
    bodies = _bodies(report, digits, pad=False)
    table = html_table(["", *headers], bodies, report.caption or None, notes=report.notes)
    rows = tuple(
        (row.name, tuple(row.values), tuple(row.ends or ()), row.support.item())
        for row in (*report.classes, *report.averages)
    )
    text, notes = aligned(report, digits), tuple(report.notes)
    if notes:
        text = "\n".join([text, *notes, ""])
    return MetricsText(text, table, headers, rows, report.caption, notes)


def aligned(report: Report, digits: int) -> str:
    """The report in the layout of scikit-learn and imbalanced-learn."""
    headers = [*report.metrics, report.support]
    bodies = [
        [(on_one_line(name), cells) for name, cells in body]
        for body in _bodies(report, digits, pad=True)
    ]
    rows = [row for body in bodies for row in body]
    width_of_names = max(*(len(name) for name, _ in rows), report.least_width, digits)
    columns = zip(headers, *(cells for _, cells in rows), strict=True)
    widths = [max(LEAST_WIDTH, *map(len, column)) for column in columns]
    blocks = []
    for body in ([("", headers)], *bodies):
        lines = [_line(name, cells, width_of_names, widths) for name, cells in body]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def report_as_dict(report: Report) -> dict[str, Any]:
    """The report as a dict in scikit-learn's form, where accuracy is a number."""
    entries: list[tuple[str, Any]] = [
        (row.name, _values_by_metric(report, row)) for row in report.classes
    ]
    for row in report.averages:
        values = _values_by_metric(report, row)
        if row.name == "accuracy":
            del values["support"]
            # In the column of the last metric, with its limits.
            for name, value in values.items():
                suffix = name.removeprefix(report.metrics[-1])
                entries.append((row.name + suffix, value))
        else:
            entries.append((row.name, values))
    names = [name for name, _ in entries]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(
            f"two rows of the report are named {twice!r}: rename the classes with target_names=."
        )
    return dict(entries)


def _values_by_metric(report: Report, row: Row) -> dict[str, float]:
    """The values of a row by metric, with limits if the report has them, and its support."""
    values: dict[str, float] = {}
    for k, (metric, value) in enumerate(zip(report.metrics, row.values, strict=True)):
        if value is not None:
            values[metric] = value
            if row.ends is not None:
                values |= _named_ends(metric, (row.ends[k] or (math.nan, math.nan))[:2])
    return {**values, "support": float(row.support)}


def _named_ends(metric: str, ends: tuple[Any, ...]) -> dict[str, Any]:
    """Both limits, or columns of them, by name."""
    return dict(zip((f"{metric}_low", f"{metric}_high"), ends, strict=True))


def _bodies(report: Report, digits: int, *, pad: bool) -> list[list[tuple[str, list[str]]]]:
    """Names and texts of classes and of averages, padded to align values."""
    rows = [*report.classes, *report.averages]
    widths = [0] * len(report.metrics)
    if pad:
        texts_of_rows = [
            [_shown_ends(ends, digits) for ends in row.ends] for row in rows if row.ends is not None
        ]
        if texts_of_rows:
            widths = [max(map(len, column)) for column in zip(*texts_of_rows, strict=True)]
    return [
        [(row.name, _cells(row, digits, widths)) for row in body]
        for body in (report.classes, report.averages)
    ]


def _cells(row: Row, digits: int, widths: list[int]) -> list[str]:
    """The values of a row as text or blank, and its support without rounding errors."""
    support = row.support.item()
    if support:
        # A small sum of weights keeps two significant digits.
        decimals = max(digits, 2, 1 - math.floor(math.log10(support)))
        support = round(support, decimals)
    texts = ["" if value is None else f"{value:.{digits}f}" for value in row.values]
    if row.ends is not None:
        texts = [
            text + _shown_ends(ends, digits).ljust(width) if text else ""
            for text, ends, width in zip(texts, row.ends, widths, strict=True)
        ]
    return [*texts, str(support)]


def _shown_ends(ends: Ends, digits: int) -> str:
    """Both limits after a value, with "to" where a dash could be a minus."""
    if ends is None:
        return ""
    mark = f" {ends[3]}".rstrip()
    if math.isnan(ends[0]):
        return mark
    low, high = (f"{end:.{digits}f}" for end in ends[:2])
    separator = " to " if "-" in low + high else "-"
    return f" ({low}{separator}{high}){mark}"


def _line(name: str, cells: Sequence[str], width_of_names: int, widths: list[int]) -> str:
    """A name and its cells in aligned columns."""
    aligned_cells = (f" {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
    return f"{name:>{width_of_names}} {''.join(aligned_cells)}"
