"""A report of several metrics for each class, as text, HTML, a dict or a data frame."""

import html
from collections.abc import Sequence
from typing import Any, NamedTuple

from skmetrics_ext.writing.frames import frame


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


class ReportText(str):
    """The text of a report, which notebooks show as a table."""

    table = ""

    def _repr_html_(self) -> str:
        """The report as an HTML table; every name is escaped."""
        return self.table


def as_text(report: Report, digits: int) -> ReportText:
    """The report for people, in scikit-learn's layout."""
    width = max(*(len(row.name) for row in report.classes), len("weighted avg"), digits)
    heads = [*report.metrics, "support"]
    widths = [max(9, len(head)) for head in heads]
    lines = [_line("", heads, width, widths), ""]
    lines += [_line(row.name, _cells(row, digits), width, widths) for row in report.classes]
    lines += ["", *(_line(row.name, _cells(row, digits), width, widths) for row in report.averages)]
    text = ReportText("\n".join(lines) + "\n")
    text.table = _as_html(report, digits)
    return text


def as_dict(report: Report) -> dict[str, Any]:
    """The report for programs, in scikit-learn's form: accuracy, which has no other value, is a number."""
    names = [row.name for row in [*report.classes, *report.averages]]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"two rows of the report are named {twice!r}: name the classes otherwise by target_names=.")
    result: dict[str, Any] = {row.name: _entries(report, row) for row in report.classes}
    for row in report.averages:
        entries = _entries(report, row)
        result[row.name] = entries[report.metrics[-1]] if row.name == "accuracy" else entries
    return result


def as_frame(report: Report) -> Any:
    """The report as a data frame: a row a class and an average, null where a metric has no value."""
    rows = [*report.classes, *report.averages]
    columns: dict[str, Any] = {"class": [row.name for row in rows]}
    for metric, values in zip(report.metrics, zip(*(row.values for row in rows), strict=True), strict=True):
        columns[metric] = list(values)
    return frame({**columns, "support": [row.support.item() for row in rows]}, None)


def _entries(report: Report, row: Row) -> dict[str, float]:
    """The values that a row has, by metric, and its support."""
    values = {metric: value for metric, value in zip(report.metrics, row.values, strict=True) if value is not None}
    return {**values, "support": float(row.support)}


def _as_html(report: Report, digits: int) -> str:
    """A table whose every text is escaped, since names may come from anywhere."""
    heads = "".join(f"<th>{html.escape(head)}</th>" for head in ["", *report.metrics, "support"])
    bodies = [
        "".join(
            f"<tr><th>{html.escape(row.name)}</th>{''.join(f'<td>{cell}</td>' for cell in _cells(row, digits))}</tr>"
            for row in rows
        )
        for rows in (report.classes, report.averages)
    ]
    body = "".join(f"<tbody>{rows}</tbody>" for rows in bodies)
    return f"<table><thead><tr>{heads}</tr></thead>{body}</table>"


def _cells(row: Row, digits: int) -> list[str]:
    """The values of a row as text, blank where it has none."""
    return ["" if value is None else f"{value:.{digits}f}" for value in row.values] + [str(row.support)]


def _line(name: str, cells: Sequence[str], width: int, widths: list[int]) -> str:
    """A name and its cells in aligned columns."""
    columns = "".join(f" {cell:>{column}}" for cell, column in zip(cells, widths, strict=True))
    return f"{name:>{width}} {columns}"
