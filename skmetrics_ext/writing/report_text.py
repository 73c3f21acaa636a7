"""A report of several metrics for each class, as text, HTML, a dict or a data frame."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from skmetrics_ext.writing.frames import frame
from skmetrics_ext.writing.html_table import html_table
from skmetrics_ext.writing.text import on_one_line

# A lower and an upper limit; None where they are not known.
Ends = tuple[float, float] | None


class Row(NamedTuple):
    """A class or an average: a value of each metric, None where it has none, and its samples."""

    name: str
    values: Sequence[float | None]
    support: Any
    ends: Sequence[Ends] | None = None
    """The limits of each value, in a report that has them."""


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
    headers = [*report.metrics, report.support]
    bodies = [[(on_one_line(name), cells) for name, cells in body] for body in _bodies(report, digits, pad=True)]
    rows = [row for body in bodies for row in body]
    width = max(*(len(name) for name, _ in rows), report.least_width, digits)
    widths = [max(9, *map(len, column)) for column in zip(headers, *(cells for _, cells in rows), strict=True)]
    blocks = [[("", headers)], *bodies]
    return "\n\n".join("\n".join(_line(*row, width, widths) for row in block) for block in blocks) + "\n"


def report_as_dict(report: Report) -> dict[str, Any]:
    """The report for programs, in scikit-learn's form: accuracy, which has no other value, is a number."""
    entries: list[tuple[str, Any]] = [(row.name, _values_by_metric(report, row)) for row in report.classes]
    for row in report.averages:
        values = _values_by_metric(report, row)
        if row.name == "accuracy":
            del values["support"]
            entries += [(row.name + name.removeprefix(report.metrics[-1]), value) for name, value in values.items()]
        else:
            entries.append((row.name, values))
    names = [name for name, _ in entries]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"two rows of the report are named {twice!r}: name the classes otherwise by target_names=.")
    return dict(entries)


def report_as_frame(report: Report) -> Any:
    """The report as a data frame: a row a class and an average, null where a metric has no value."""
    rows = [*report.classes, *report.averages]
    columns: dict[str, Any] = {"class": [row.name for row in rows]}
    for k, metric in enumerate(report.metrics):
        columns[metric] = [row.values[k] for row in rows]
        if any(row.ends for row in rows):
            ends = [(row.ends and row.ends[k]) or (None, None) for row in rows]
            columns |= _named_ends(metric, tuple(zip(*ends, strict=True)))
    return frame({**columns, "support": [row.support.item() for row in rows]}, None)


def _values_by_metric(report: Report, row: Row) -> dict[str, float]:
    """The values that a row has, by metric, each followed by its limits in a report that has them, and its support."""
    values: dict[str, float] = {}
    for k, (metric, value) in enumerate(zip(report.metrics, row.values, strict=True)):
        if value is not None:
            values[metric] = value
            if row.ends is not None:
                values |= _named_ends(metric, row.ends[k] or (math.nan, math.nan))
    return {**values, "support": float(row.support)}


def _named_ends(metric: str, ends: tuple[Any, ...]) -> dict[str, Any]:
    """A lower and an upper limit, or columns of them, by their names."""
    return dict(zip((f"{metric}_low", f"{metric}_high"), ends, strict=True))


def _as_html(report: Report, digits: int) -> str:
    """A table with a body of the classes and one of the averages."""
    return html_table(["", *report.metrics, report.support], _bodies(report, digits, pad=False))


def _bodies(report: Report, digits: int, *, pad: bool) -> list[list[tuple[str, list[str]]]]:
    """The names and the texts of the classes, and those of the averages; padded, so that values stand in line."""
    rows = [*report.classes, *report.averages]
    widths = [0] * len(report.metrics)
    if pad:
        ends = ([_shown_ends(ends, digits) for ends in row.ends] for row in rows if row.ends is not None)
        widths = [max(map(len, column)) for column in zip(*ends, strict=True)] or widths
    return [
        [(row.name, _shown_values(row, digits, widths)) for row in body] for body in (report.classes, report.averages)
    ]


def _shown_values(row: Row, digits: int, widths: list[int]) -> list[str]:
    """The values of a row as text, blank where it has none, and its support without the rounding of sums."""
    support = row.support.item()
    if support:
        support = round(support, max(digits, 2, 1 - math.floor(math.log10(support))))
    texts = ["" if value is None else f"{value:.{digits}f}" for value in row.values]
    if row.ends is not None:
        ends = (_shown_ends(ends, digits) for ends in row.ends)
        texts = [text and text + end.ljust(width) for text, end, width in zip(texts, ends, widths, strict=True)]
    return [*texts, str(support)]


def _shown_ends(ends: Ends, digits: int) -> str:
    """Both limits as they stand behind a value, with a word between them where a dash would be another minus."""
    if ends is None or math.isnan(ends[0]):
        return ""
    low, high = (f"{end:.{digits}f}" for end in ends)
    return f" ({low}{' to ' if '-' in low + high else '-'}{high})"


def _line(name: str, cells: Sequence[str], width: int, widths: list[int]) -> str:
    """A name and its cells in aligned columns."""
    columns = "".join(f" {cell:>{column}}" for cell, column in zip(cells, widths, strict=True))
    return f"{name:>{width}} {columns}"
