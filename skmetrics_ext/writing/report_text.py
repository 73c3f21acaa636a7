"""A report of several metrics for each class, as text, HTML, a dict or a data frame."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from skmetrics_ext.writing.frames import frame
from skmetrics_ext.writing.html_table import html_table
from skmetrics_ext.writing.text import on_one_line

# The lower and the upper confidence limit; None where they are unknown.
Ends = tuple[float, float] | None

# The least width of a column of numbers in scikit-learn's reports.
LEAST_WIDTH = 9


class Row(NamedTuple):
    """A class or an average: a value for each metric, None where there is none, and the number of
    samples.
    """

    name: str
    values: Sequence[float | None]
    support: Any
    # The confidence limits of each value, in a report that includes them.
    ends: Sequence[Ends] | None = None


class Report(NamedTuple):
    """The metrics of each class, and their averages."""

    metrics: Sequence[str]
    classes: list[Row]
    averages: list[Row]
    # The minimum width of the names, whichever of them the rows have.
    least_width: int
    # The header of the last column.
    support: str = "support"


class ReportText(str):
    """The text of a report, which notebooks show as a table."""

    table = ""

    def _repr_html_(self) -> str:
        """The report as an HTML table; every name is escaped."""
        return self.table


def report_as_text(report: Report, digits: int) -> ReportText:
    """The report as text, which notebooks show as a table."""
    text = ReportText(aligned(report, digits))
    text.table = html_table(
        ["", *report.metrics, report.support], _bodies(report, digits, pad=False)
    )
    return text


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
    """The report as a dict in scikit-learn's form: accuracy is a number, since it has no other
    value.
    """
    entries: list[tuple[str, Any]] = [
        (row.name, _values_by_metric(report, row)) for row in report.classes
    ]
    for row in report.averages:
        values = _values_by_metric(report, row)
        if row.name == "accuracy":
            del values["support"]
            # It stands in the column of the last metric, and its limits beside it.
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


def report_as_frame(report: Report) -> Any:
    """The report as a data frame: one row per class and average, null where a metric
    has no value.
    """
    rows = [*report.classes, *report.averages]
    has_ends = any(row.ends for row in rows)
    columns: dict[str, Any] = {"class": [row.name for row in rows]}
    for k, metric in enumerate(report.metrics):
        columns[metric] = [row.values[k] for row in rows]
        if has_ends:
            ends = [row.ends[k] if row.ends else None for row in rows]
            lows_and_highs = zip(*(known or (None, None) for known in ends), strict=True)
            columns |= _named_ends(metric, tuple(lows_and_highs))
    return frame({**columns, "support": [row.support.item() for row in rows]}, None)


def _values_by_metric(report: Report, row: Row) -> dict[str, float]:
    """The values of a row by metric, each followed by its confidence limits if the report has them,
    and its support.
    """
    values: dict[str, float] = {}
    for k, (metric, value) in enumerate(zip(report.metrics, row.values, strict=True)):
        if value is not None:
            values[metric] = value
            if row.ends is not None:
                values |= _named_ends(metric, row.ends[k] or (math.nan, math.nan))
    return {**values, "support": float(row.support)}


def _named_ends(metric: str, ends: tuple[Any, ...]) -> dict[str, Any]:
    """The lower and the upper limit, or columns of them, keyed by name."""
    return dict(zip((f"{metric}_low", f"{metric}_high"), ends, strict=True))


def _bodies(report: Report, digits: int, *, pad: bool) -> list[list[tuple[str, list[str]]]]:
    """The names and texts of the classes, and those of the averages; padded, so that values are
    aligned.
    """
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
    """The values of a row as text, blank where there is none, and its support without rounding
    errors of sums.
    """
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
    """Both limits as shown after a value, separated by "to" where a dash could be
    read as a minus.
    """
    if ends is None or math.isnan(ends[0]):
        return ""
    low, high = (f"{end:.{digits}f}" for end in ends)
    separator = " to " if "-" in low + high else "-"
    return f" ({low}{separator}{high})"


def _line(name: str, cells: Sequence[str], width_of_names: int, widths: list[int]) -> str:
    """A name and its cells in aligned columns."""
    aligned_cells = (f" {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
    return f"{name:>{width_of_names}} {''.join(aligned_cells)}"
