"""A report of several metrics for each class, as text, HTML, a dict or a data frame."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from skmetrics_ext.writing.frames import frame
from skmetrics_ext.writing.html_table import html_table


class Row(NamedTuple):
    """A class or an average: a value of each metric, None where it has none, and its samples."""

    name: str
    values: Sequence[float | None]
    support: Any


class Report(NamedTuple):
    """The metrics of each class, and their averages."""

    metrics: Sequence[str]
    classes: list[Row]
    averages: list[Row]
    least_width: int
    """How wide the names are at least, whichever of them the rows have."""
    support: str = "support"
    """The head of the last column."""


class ReportText(str):
    """The text of a report, which notebooks show as a table."""

    table = ""

    def _repr_html_(self) -> str:
        """The report as an HTML table; every name is escaped."""
        return self.table


def report_as_text(report: Report, digits: int) -> ReportText:
    """The report for people, which notebooks show as a table."""
    text = ReportText(aligned(report, digits))
    text.table = _as_html(report, digits)
    return text


def aligned(report: Report, digits: int) -> str:
    """The report in the layout of scikit-learn and imbalanced-learn."""
    width = max(*(len(row.name) for row in report.classes), report.least_width, digits)
    heads = [*report.metrics, report.support]
    widths = [max(9, len(head)) for head in heads]
    lines = [_line("", heads, width, widths), ""]
    lines += [_line(row.name, _shown_values(row, digits), width, widths) for row in report.classes]
    lines += ["", *(_line(row.name, _shown_values(row, digits), width, widths) for row in report.averages)]
    return "\n".join(lines) + "\n"


def report_as_dict(report: Report) -> dict[str, Any]:
    """The report for programs, in scikit-learn's form: accuracy, which has no other value, is a number."""
    names = [row.name for row in [*report.classes, *report.averages]]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"two rows of the report are named {twice!r}: name the classes otherwise by target_names=.")
    result: dict[str, Any] = {row.name: _values_by_metric(report, row) for row in report.classes}
    for row in report.averages:
        values = _values_by_metric(report, row)
        result[row.name] = values[report.metrics[-1]] if row.name == "accuracy" else values
    return result


def report_as_frame(report: Report) -> Any:
    """The report as a data frame: a row a class and an average, null where a metric has no value."""
    rows = [*report.classes, *report.averages]
    columns: dict[str, Any] = {"class": [row.name for row in rows]}
    for metric, values in zip(report.metrics, zip(*(row.values for row in rows), strict=True), strict=True):
        columns[metric] = list(values)
    return frame({**columns, "support": [row.support.item() for row in rows]}, None)


def _values_by_metric(report: Report, row: Row) -> dict[str, float]:
    """The values that a row has, by metric, and its support."""
    values = {metric: value for metric, value in zip(report.metrics, row.values, strict=True) if value is not None}
    return {**values, "support": float(row.support)}


def _as_html(report: Report, digits: int) -> str:
    """A table with a body of the classes and one of the averages."""
    bodies = [[(row.name, _shown_values(row, digits)) for row in rows] for rows in (report.classes, report.averages)]
    return html_table(["", *report.metrics, report.support], bodies)


def _shown_values(row: Row, digits: int) -> list[str]:
    """The values of a row as text, blank where it has none."""
    return ["" if value is None else f"{value:.{digits}f}" for value in row.values] + [str(row.support)]


def _line(name: str, cells: Sequence[str], width: int, widths: list[int]) -> str:
    """A name and its cells in aligned columns."""
    columns = "".join(f" {cell:>{column}}" for cell, column in zip(cells, widths, strict=True))
    return f"{name:>{width}} {columns}"
