"""Summary: several metrics with their limits in one table, a block of rows an entry."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.statistics.entries import names_of_entries_in, of_entries
from skmetrics_ext.statistics.receipts import WHOLE, WHY, where
from skmetrics_ext.statistics.results import (
    LABELS,
    OF_ENTRIES_ALONE,
    OF_LIMITS,
    OF_VALUES,
    TEXTS,
    WORDS,
    Interval,
    Result,
    Texts,
    label_of_all,
    limits,
    names_of_entries,
    samples_in_words,
    whole_numbers,
)
from skmetrics_ext.writing.frames import columns_of_grid
from skmetrics_ext.writing.printed import Style, cells_with_limits
from skmetrics_ext.writing.text import class_text, count_as_text, level_as_text, on_one_line
from skmetrics_ext.writing.text_table import TextTable


def with_prevalence(result: Summary, column: list[Any], digits: int = 4) -> list[str]:
    """Metrics, and the prevalence at which predictive values hold."""
    names = map(on_one_line, column)
    prevalences = result._column("at_prevalence")
    return [
        name if math.isnan(at) else f"{name} at prevalence {at:.{digits}f}"
        for name, at in zip(names, prevalences, strict=True)
    ]


def values_or_counts(result: Summary, column: list[Any]) -> list[str]:
    """Values with four decimals, and counts."""
    of_each = zip(column, result._are_counts(), strict=True)
    return [count_as_text(value) if is_count else f"{value:.4f}" for value, is_count in of_each]


def of_values(texts: Texts) -> Texts:
    """What is said of values, and not of counts."""

    def of_each(result: Summary, column: list[Any]) -> list[str]:
        of_rows = zip(texts(result, column), result._are_counts(), strict=True)
        return ["" if is_count else text for text, is_count in of_rows]

    return of_each


LIMITS_OF_VALUES = of_entries({TEXTS: of_values(limits(".4f")), **OF_LIMITS})
OF_PREDICTED = of_entries({WHY: "the value does not depend on the prevalence"})
OF_NUMBERS = {WHOLE: True, WHY: "the value is a count, or no proportion of so many samples"}
SAMPLES_OF_VALUES = of_entries({TEXTS: of_values(whole_numbers), **OF_NUMBERS})


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Summary(Result):
    """Several metrics with their confidence intervals in one table: a block of rows per entry, with
    what is about all classes before the rows of each class.

    Attributes
    ----------
    metric : ndarray of object
        The metric of each row as requested, or its key; "n", "tp", "fp", "fn" and "tn" are counts.
    label : ndarray of object
        The class of each row; None for averages and for metrics over all classes.
    value, low, high, numerator, n, method, n_undefined : ndarray
        As in `Interval`; counts have no limits and no method.
    at_prevalence : ndarray
        Of predictive values, such as precision, the prevalence of the class in the counts, at which
        they hold; else nan.
    axes : tuple of Axis
        The leading axes of the matrix, and one of the rows.
    confidence_level : float
        The nominal coverage of each interval.
    caveats : tuple of Caveat
        As in `Interval`.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
    >>> found = cm.summary(["recall", "precision"])
    >>> found.at_prevalence.round(4)
    array([   nan, 0.3333])
    """

    label: Any = field(metadata=LABELS)
    metric: Any = field(metadata=of_entries({TEXTS: with_prevalence, WORDS: True}))
    value: Any = field(metadata=of_entries({TEXTS: values_or_counts, **OF_VALUES}))
    low: Any = field(metadata=LIMITS_OF_VALUES)
    high: Any = field(metadata=LIMITS_OF_VALUES)
    confidence_level: float
    numerator: Any = field(metadata=SAMPLES_OF_VALUES)
    n: Any = field(metadata=SAMPLES_OF_VALUES)
    method: Any = field(metadata=of_entries({TEXTS: lambda _, column: column, WORDS: True}))
    at_prevalence: Any = field(default=np.nan, metadata=OF_PREDICTED)
    n_undefined: Any = field(default=0, metadata=OF_ENTRIES_ALONE)

    _most: ClassVar[int] = 200
    _has_coordinates: ClassVar[bool] = False

    def _by_metric(self) -> dict[str, Result]:
        """The interval of each metric."""
        first_block = (0,) * (len(self.axes) - 1)
        names, are_counts = self.metric[first_block], self.method[first_block] == ""
        rows_of = {
            name: np.flatnonzero(names == name) for name in dict.fromkeys(names[~are_counts])
        }
        return {name: self._interval_of(rows) for name, rows in rows_of.items()}

    def _interval_of(self, rows: Any) -> Interval:
        """The values in some rows of each block, those of one metric."""
        place = rows[0] if len(rows) == 1 else rows
        entries, of_rows = self.axes[:-1], self.axes[-1]
        labels = self.label[(0,) * len(entries)][place]
        if len(rows) > 1:
            entries, labels = (*entries, Axis(of_rows.name, of_rows.coordinates[rows])), None
        caveats = [
            caveat.moved(lambda array: array[..., place], entries) for caveat in self.caveats
        ]
        shared = {of.name for of in fields(Interval)} & {*names_of_entries_in(self)}
        own = {name: getattr(self, name)[..., place] for name in shared}
        named = {"metric": np.ravel(self.metric[..., rows])[0], "label": labels}
        return Interval(
            **{**own, **named},
            axes=entries,
            caveats=tuple(caveat for caveat in caveats if np.any(caveat.entries)),
            confidence_level=self.confidence_level,
        )

    def _in_words(self, at: Mapping[str, Any], style: Style) -> str:
        """A value with its limits, or a count."""
        if self.method == "":
            return f"{self._subject()}{self._where(at)} was {count_as_text(self.value)}"
        return super()._in_words(at, style)

    def _where(self, at: Mapping[str, Any]) -> str:
        """The block, without the last axis, that of its rows."""
        return where(dict([*at.items()][:-1]))

    def _details(self, style: Style) -> list[str]:  # noqa: ARG002
        """The samples and the method."""
        return [samples_in_words(self.numerator, self.n), str(self.method)]

    def _are_counts(self) -> list[bool]:
        """Which rows are counts, which have no limits."""
        return [method == "" for method in self._column("method")]

    def _title(self) -> str:
        """The level, and the class, if there is one."""
        of_class = class_text(label_of_all(self._column("label")))
        return f"Summary{of_class}, {level_as_text(self.confidence_level)} confidence intervals"

    def _headers(self) -> list[str]:
        """The names of the leading axes."""
        return [axis.name for axis in self.axes[:-1]]

    def _names(self) -> list[tuple[str, ...]]:
        """The coordinates of each block, in each of its rows."""
        n_rows = len(self.axes[-1].coordinates)
        return [names for names in names_of_entries(self.axes[:-1]) for _ in range(n_rows)]

    def _columns(self) -> dict[str, Any]:
        """The columns of a data frame, with the coordinates of each block."""
        of_rows, n_rows = super()._columns(), len(self.axes[-1].coordinates)
        grid = columns_of_grid((axis.name, axis.coordinates) for axis in self.axes[:-1])
        if twice := [name for name in grid if name in of_rows]:
            raise ValueError(
                f"the table would have two columns {twice[0]!r}: name this axis of the matrix "
                "otherwise."
            )
        return {**{name: np.repeat(of, n_rows) for name, of in grid.items()}, **of_rows}

    def _printed(self, style: Style) -> TextTable:
        """The rows for a paper; numbers of samples where no proportion says them."""
        texts = self._texts()
        texts["metric"] = with_prevalence(self, self._column("metric"), style.digits)
        names = {name: texts[name] for name in ("label", "metric") if name in texts}
        columns = {"value": self._cells_in_print(style)}
        columns["n"] = self._samples_in_print(style)
        title = self._title()
        methods = dict.fromkeys(filter(None, self._column("method")))
        if len(methods) == 1:
            title = f"{title}, {', '.join(methods)}"
        else:
            columns["method"] = self._column("method")
        columns = {name: column for name, column in columns.items() if any(column)}
        cells = zip(*names.values(), *columns.values(), strict=True)
        rows = tuple((*block, *row) for block, row in zip(self._names(), cells, strict=True))
        headers = (*self._headers(), *names, *columns)
        n_names = len(headers) - len(columns)
        return TextTable(title, headers, rows, n_names, tuple(self._notes()))

    def _cells_in_print(self, style: Style) -> list[str]:
        """Counts, and values with their limits and samples."""
        fractions = (self.numerator, self.n)
        cells = cells_with_limits((self.value, self.low, self.high), fractions, style)
        of_each = zip(self._marked(cells), self._column("value"), self._are_counts(), strict=True)
        return [count_as_text(value) if is_count else cell for cell, value, is_count in of_each]

    def _samples_in_print(self, style: Style) -> list[str]:
        """The samples of values that are no proportion."""
        of_each = zip(self._column("numerator"), self._column("n"), strict=True)
        are_said = [(style.fractions and not math.isnan(of)) or math.isnan(n) for of, n in of_each]
        texts = whole_numbers(self, self._column("n"))
        return ["" if is_said else text for is_said, text in zip(are_said, texts, strict=True)]
