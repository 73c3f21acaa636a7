"""The results of intervals, gaps and comparisons: values with names, frames and text."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.reading.aliases import Backend, Label
from skmetrics_ext.reading.order import plain
from skmetrics_ext.statistics.caveats import MARK, Caveat, marks_of, notes_of
from skmetrics_ext.statistics.groups_compared import EQUALITY
from skmetrics_ext.writing.frames import column_of_one, columns_of_grid, frame
from skmetrics_ext.writing.printed import (
    Style,
    cells_with_limits,
    number,
    p_in_print,
    read_style,
    style_of_column,
    with_limits,
)
from skmetrics_ext.writing.text import (
    ShownTable,
    and_more,
    class_text,
    level_as_text,
    limit_in_column,
    limits_as_text,
    on_one_line,
    p_as_text,
)
from skmetrics_ext.writing.text_table import TextTable

MOST_ENTRIES = 20
MOST_COMPARED = 40
COLUMNS_OF_INTERVAL = (
    *("metric", "label", "value", "low", "high"),
    *("confidence_level", "method", "numerator", "n"),
)
COLUMNS_OF_FOLDS = ("stretch", "extension", "n_folds", "n_repeats")
SHOWN_OF_GAP = ("value", "low", "high", "p_value", "lowest_group", "highest_group")
COLUMNS_OF_GAP = (
    *("metric", "label", "kind", *SHOWN_OF_GAP),
    *("baseline", "confidence_level", "method", "n"),
)
SHOWN_OF_ALARMS = ("alarm", "alarm_time", "change_time", "largest_e_value")
# Columns of text, which are aligned left.
TEXT_OF_GAP = ("lowest_group", "highest_group", "excluded_groups")
TEXT_OF_COMPARISON = ("metric", "a", "b", "method", "not_worse", "equivalent")
OF_MARGIN = ("p_not_worse", "p_equivalent", "not_worse", "equivalent")


class Result:
    """Common parts of results: single values, read-only arrays, also in copies, and equality."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                own = value.copy()
                own.setflags(write=False)
                # The class is frozen.
                object.__setattr__(self, name, own if own.ndim else own.item())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(vars(self).values())

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        return _are_same(tuple(vars(self).values()), tuple(vars(other).values()))

    def __repr__(self) -> str:
        return self._table().as_text()

    def to_frame(self, backend: Backend | None = None) -> Any:
        """A data frame of the attributes: one row per entry or per row of a comparison.

        Coordinates of the entries come first, then "metric" and "label"; an axis replaces a column
        of its name. A `Comparison` has "p_not_worse", "p_equivalent", "not_worse" and "equivalent"
        only with a margin; a `FoldComparison`, one row, has the probabilities "worse", "equivalent"
        and "better", null without a rope.

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            Library of the frame. None: pandas if it is installed, else polars.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
        """
        return frame(self._columns(), backend)

    def to_table(self, *, digits: int = 2, dash: str = "-", fractions: bool = True) -> TextTable:
        """The rows as printed in a paper: values with their limits, and p-values, as text.

        Parameters
        ----------
        digits : int, default=2
            Digits after the decimal point.
        dash : str, default="-"
            What stands between two limits, as in 0.86 (0.80-0.91); " to " takes its place where a
            limit has a sign.
        fractions : bool, default=True
            Whether a proportion is followed by its numbers of samples, as in 87/109, where known.

        Returns
        -------
        TextTable
            Text, Markdown, HTML, LaTeX, or a data frame of text for Excel. p-values have two
            digits, three below .01 and next to .05, and "< .001" below that.
        """
        return self._printed(read_style(digits, dash, fractions))

    def _repr_html_(self) -> str:
        """The rows as an HTML table, for notebooks."""
        return self._table().as_html()

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of a data frame."""
        raise NotImplementedError

    def _columns_of(self, names: Iterable[str], n_rows: int) -> dict[str, list[Any]]:
        """Attributes as columns: arrays by entry, all else the same in each row."""
        columns = {}
        for name in names:
            value = getattr(self, name)
            is_array = isinstance(value, np.ndarray)
            columns[name] = value.ravel().tolist() if is_array else [value] * n_rows
        return columns

    def _table(self) -> ShownTable:
        """The rows for people, with a title."""
        raise NotImplementedError

    def _printed(self, style: Style) -> TextTable:  # noqa: ARG002
        """The rows for a paper."""
        table = self._table()
        n_names = sum(itertools.takewhile(bool, table.are_names))
        rows = tuple(map(tuple, table.rows))
        return TextTable(table.title, tuple(table.headers), rows, n_names, tuple(table.notes))


def printed_intervals(
    intervals: Sequence[Interval],
    style: Style,
    n_samples: Sequence[str] | None = None,
    headers_of_values: Sequence[str] | None = None,
) -> TextTable:
    """A column for each interval over the same axes, and one for the rows' samples, if given."""
    if headers_of_values is None:
        headers_of_values = [interval._of().removeprefix(" of ") for interval in intervals]
    first = intervals[0]
    rows = [[*names] for names in names_of_entries(first.axes)]
    headers = [axis.name for axis in first.axes]
    if n_samples is not None:
        headers.append("n")
        rows = [[*row, n] for row, n in zip(rows, n_samples, strict=True)]
    for interval in intervals:
        cells = interval._cells(style)
        rows = [[*row, cell] for row, cell in zip(rows, cells, strict=True)]
    headers += headers_of_values
    methods = "; ".join(dict.fromkeys(interval.method for interval in intervals))
    title = f"{level_as_text(first.confidence_level)} confidence intervals, {methods}"
    notes = notes_of([caveat for interval in intervals for caveat in interval.caveats])
    return TextTable(title, tuple(headers), tuple(map(tuple, rows)), len(first.axes), tuple(notes))


def behind_coordinates(
    axes: tuple[Axis, ...], columns: dict[str, list[Any]]
) -> dict[str, list[Any]]:
    """Columns behind the entries' coordinates, which replace those of one name."""
    coordinates = columns_of_grid((axis.name, axis.coordinates) for axis in axes)
    others = {name: column for name, column in columns.items() if name not in coordinates}
    return {**coordinates, **others}


def _columns_of_entries(result: Interval | Gap, names: tuple[str, ...]) -> dict[str, list[Any]]:
    """Attributes of each entry, behind its coordinates."""
    n_entries = np.size(result.value)
    columns = result._columns_of(names, n_entries)
    columns["label"] = column_of_one(result.label, n_entries)
    return behind_coordinates(result.axes, columns)


def _with_note(result: Interval | Gap, text: str) -> str:
    """A single value as text, with a mark and reasons if it has caveats."""
    if not result.caveats:
        return text
    return "\n".join([f"{text} {MARK}", *notes_of(result.caveats)])


def _with_notes(result: Interval | Gap, table: ShownTable) -> ShownTable:
    """A table of entries, with marks and reasons if it has caveats."""
    if not result.caveats:
        return table
    marks = marks_of(result.caveats, np.shape(result.value))
    return _marked(table, marks, notes_of(result.caveats))


def _marked(table: ShownTable, marks: list[str], notes: list[str]) -> ShownTable:
    """A table with a last column of marks, and notes below."""
    rows = [[*row, mark] for row, mark in zip(table.rows, marks, strict=True)]
    are_names = [*table.are_names, True] if table.are_names else ()
    return table._replace(headers=[*table.headers, ""], rows=rows, are_names=are_names, notes=notes)


def names_of_entries(axes: tuple[Axis, ...]) -> Iterator[tuple[str, ...]]:
    """The coordinates of each entry as text."""
    names_of_axes = [map(on_one_line, plain(axis.coordinates)) for axis in axes]
    return itertools.product(*names_of_axes)


def _numbers_as_text(n: Any, n_entries: int) -> list[str]:
    """The number of samples of each entry, if known."""
    return [""] * n_entries if n is None else [str(of_entry) for of_entry in np.ravel(n).tolist()]


def _are_same(one: Any, other: Any) -> bool:
    """Whether fields are equal: tuples and arrays entry by entry, nan equal to nan."""
    if isinstance(one, tuple) or isinstance(other, tuple):
        are_alike = type(one) is type(other) and len(one) == len(other)
        return are_alike and all(map(_are_same, one, other))
    one, other = np.asarray(one), np.asarray(other)
    if one.shape != other.shape:
        return False
    # Only nan differs from itself.
    are_nan = (one != one) & (other != other)
    return bool(((one == other) | are_nan).all())


@dataclass(frozen=True, eq=False, repr=False)
class Interval(Result):
    """A value with its confidence interval, or arrays of these.

    Attributes
    ----------
    value : float or ndarray
        The estimate, as by `ConfusionMatrix.score`; nan where it is 0/0 without `zero_division`.
    low, high : float or ndarray
        Confidence limits, with the same shape as `value`.
    confidence_level : float
        The nominal coverage of each interval, or of all intervals jointly with `simultaneous=True`.
    method : str
        How the confidence limits were computed.
    n_undefined : int or ndarray of int
        Number of replicates omitted since the value is undefined in them; 0 without replicates.
    axes : tuple of Axis
        Axes of the entries: classes, groups, folds.
    metric : str
        The metric as requested, with its average: "recall_macro".
    label : label or None
        The class the value refers to; None for averages, for metrics over all classes, and where
        classes are an axis.
    n : int, ndarray of int or None
        Number of samples, with the shape of `value`: for a proportion, those in its denominator
        (for recall the actual positives); otherwise all samples. None: unknown.
    caveats : tuple of Caveat
        Why limits may not hold their level, each with the entries that it is about.
    numerator : int, ndarray of int or None
        How many of the n samples a proportion counts (for recall the true positives), with the
        shape of `value`. None where the value is no proportion of n samples, as with weights.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
    >>> cm.interval("recall")
    recall of 'yes' 0.9000 [0.7864, 0.9565] 95 %, Wilson, n = 50
    """

    value: Any
    low: Any
    high: Any
    confidence_level: float
    method: str
    n_undefined: Any = 0
    axes: tuple[Axis, ...] = ()
    metric: str = ""
    label: Label | None = None
    n: Any = None
    caveats: tuple[Caveat, ...] = ()
    numerator: Any = None

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of a data frame."""
        return _columns_of_entries(self, COLUMNS_OF_INTERVAL)

    def _printed(self, style: Style) -> TextTable:
        """The entries for a paper."""
        has_fractions = style.fractions and self.numerator is not None
        n = None if self.n is None or has_fractions else _numbers_as_text(self.n, np.size(self.n))
        return printed_intervals([self], style, n)

    def _cells(self, style: Style) -> list[str]:
        """Each entry's value with its limits, and a mark for caveats."""
        fractions = None if self.numerator is None else (self.numerator, self.n)
        cells = cells_with_limits((self.value, self.low, self.high), fractions, style)
        marks = marks_of(self.caveats, np.shape(self.value))
        return [f"{cell} {mark}".rstrip() for cell, mark in zip(cells, marks, strict=True)]

    def _table(self) -> ShownTable:
        """The entries as shown, with a title."""
        headers = [*(axis.name for axis in self.axes), "value", "low", "high"]
        if self.n is not None:
            headers.append("n")
        entries = zip(names_of_entries(self.axes), self._entries(), strict=True)
        rows = [[*coordinates, *entry.cells()] for coordinates, entry in entries]
        title = f"Interval{self._of()} ({self._how()})"
        return _with_notes(self, ShownTable(title, headers, rows, most=MOST_ENTRIES))

    def __repr__(self) -> str:
        entries = self._entries()
        if not self.axes:
            what = self._of().removeprefix(" of ")
            entry = entries[0]
            text = f"{what} {entry.as_text()} {self._how()}{entry.number()}".lstrip()
            return _with_note(self, text)
        names = [" ".join(coordinates) for coordinates in names_of_entries(self.axes)]
        width = max(map(len, names[:MOST_ENTRIES]), default=0)
        marks = marks_of(self.caveats, np.shape(self.value))
        lines = [
            f"{name:<{width}}  {entry.as_text()}{entry.number()} {mark}".rstrip()
            for name, entry, mark in zip(names, entries, marks, strict=True)
        ]
        of_axes = ", ".join(axis.name for axis in self.axes)
        title = f"Interval{self._of()} by {of_axes} ({self._how()})"
        more = and_more(len(lines), MOST_ENTRIES)
        return "\n".join([title, *lines[:MOST_ENTRIES], *more, *notes_of(self.caveats)])

    def _of(self) -> str:
        """Metric and class, as the end of a title."""
        return (f" of {self.metric}" if self.metric else "") + class_text(self.label)

    def _how(self) -> str:
        """Confidence level and method."""
        return f"{level_as_text(self.confidence_level)}, {self.method}"

    def _entries(self) -> list[_ShownInterval]:
        """The numbers of each entry as text."""
        numbers = zip(*map(np.ravel, (self.value, self.low, self.high)), strict=True)
        n = _numbers_as_text(self.n, np.size(self.value))
        return [
            _ShownInterval(f"{value:.4f}", f"{low:.4f}", f"{high:.4f}", of_entry)
            for (value, low, high), of_entry in zip(numbers, n, strict=True)
        ]


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidatedInterval(Interval):
    """A cross-validated value with the confidence interval of the model that is fitted to all
    samples.

    It is about that model on new data of the same population. It isn't valid for the learning
    algorithm's mean over training sets of this size, nor for a model whose hyperparameters were
    chosen outside of the folds: cross-validate the search.

    Attributes
    ----------
    stretch : float
        How many times as wide as one repetition's the limits are, before the extension.
    extension : float
        How far models of more samples are expected to move at most: the upper limit is extended by
        it if positive, the lower one if negative. With limits on the log scale, as of likelihood
        ratios, the logarithm of a factor.
    n_folds, n_repeats : int
        The number of folds, and of repetitions that differ.

    Notes
    -----
    Other attributes are those of `Interval`; `n_undefined` is the repetitions' largest, and `n`
    their mean.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skmetrics_ext import cross_val_interval
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> interval = cross_val_interval(GaussianNB(), X, y, scoring="accuracy", random_state=0)
    >>> round(interval.stretch, 2)
    1.15
    """

    stretch: float = 1.0
    extension: float = 0.0
    n_folds: int = 0
    n_repeats: int = 0

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of a data frame."""
        return super()._columns() | self._columns_of(COLUMNS_OF_FOLDS, 1)

    def _how(self) -> str:
        """Confidence level, what it is for, and method."""
        return f"{level_as_text(self.confidence_level)} for the refitted model, {self.method}"


class _ShownInterval(NamedTuple):
    """An entry as text; `n` is empty where it is unknown."""

    value: str
    low: str
    high: str
    n: str

    def cells(self) -> list[str]:
        """The cells of a row."""
        numbers = [self.value, self.low, self.high]
        return [*numbers, self.n] if self.n else numbers

    def as_text(self) -> str:
        """The value with its limits."""
        return f"{self.value} [{self.low}, {self.high}]"

    def number(self) -> str:
        """The number of samples, if known, as the end of a line."""
        return f", n = {self.n}" if self.n else ""


@dataclass(frozen=True, eq=False, repr=False)
class Gap(Result):
    """How much a metric differs between groups, with a confidence interval and the p-value for
    equality, or arrays.

    Attributes
    ----------
    value : float or ndarray
        For "difference" the highest group value minus the lowest, for "ratio" the lowest divided by
        the highest. With a baseline the largest difference from its value, or the lowest ratio of
        the lower value to the higher.
    low, high : float or ndarray
        Confidence limits, with the same shape as `value`. They include equality exactly where
        p_value is at least 1 - confidence_level: if the test alone excludes it, the limit is the
        float next to it, shown as open: "(0.0000, 0.3100]".
    p_value : float or ndarray
        Probability of a difference at least as large if the metric is equal in all groups.
    lowest_group, highest_group : label or ndarray of object
        The groups with the lowest and the highest value; with a baseline it and the group that
        `value` compares it with. None where there is no such group.
    excluded_groups : tuple or ndarray of tuples
        Groups omitted as too small, or since the metric is undefined in them.
    metric : str
        The metric as requested, with its average: "recall_macro".
    kind : {"difference", "ratio"}
        How the gap is measured.
    confidence_level : float
        The nominal coverage of each interval.
    axes : tuple of Axis
        Axes of the entries: all leading axes except the group axis, and classes.
    baseline : label or None
        The reference group; None: all pairs are compared.
    label : label or None
        The class the values refer to; None for averages, for metrics over all classes, and where
        classes are an axis.
    method : str
        How the confidence limits and the p-value were computed.
    n : int, ndarray of int or None
        Number of samples, as in `Interval`, over all groups compared. None: unknown.
    n_permutations : int
        Number of permutations behind the p-values, none of which is below 1 / (1 + n_permutations);
        0 for tests that use none.
    caveats : tuple of Caveat
        Why limits or p-values may not hold their level.
    limit_of_each_pair : float or ndarray
        No pair of groups differs by more than this, or has a ratio below it, at the one-sided level
        (1 + confidence_level) / 2; uncorrected for their number, unlike `low` and `high`, since
        every pair has to keep a bound. `check` decides by it whether a gap is small enough.

    Notes
    -----
    A metric's effective sample size is that of its denominator, or of the smallest of several or of
    the classes in a macro average: for recall the actual positives, for precision the predicted
    ones, for balanced accuracy the rarest class, for accuracy all. F1 and other metrics that need
    positives do not count true negatives, nor MCC and kappa the correct predictions of the class
    with most of them; custom metrics count all samples.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> by_sex = [[[70, 30], [20, 80]], [[80, 20], [40, 60]]]
    >>> ConfusionMatrix.from_counts(by_sex, labels=["no", "yes"]).gap("recall")
    0.2000 [0.0731, 0.3185] 95 %, p = 0.00282: difference of recall of 'yes', 1 below 0 (MOVER, inverted, n = 200)
    """  # noqa: E501

    value: Any
    low: Any
    high: Any
    p_value: Any
    lowest_group: Any
    highest_group: Any
    excluded_groups: Any = ()
    metric: str = ""
    kind: str = "difference"
    confidence_level: float = 0.95
    axes: tuple[Axis, ...] = ()
    baseline: Label | None = None
    label: Label | None = None
    method: str = ""
    n: Any = None
    n_permutations: int = 0
    caveats: tuple[Caveat, ...] = ()
    # Last, for pickles of before.
    limit_of_each_pair: Any = np.nan

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of a data frame."""
        return _columns_of_entries(self, COLUMNS_OF_GAP)

    def __repr__(self) -> str:
        if self.axes:
            return self._table().as_text()
        entry = self._entries()[0]
        limits = f"{entry.limits} {level_as_text(self.confidence_level)}"
        is_below = entry.p_value.startswith("<")
        p_value = f"p {entry.p_value}" if is_below else f"p = {entry.p_value}"
        groups = f"{entry.lowest_group} below {entry.highest_group}"
        text = f"{entry.value} {limits}, {p_value}: {self._measure()}, {groups}"
        if self.excluded_groups:
            text += f", excluded: {entry.excluded_groups}"
        how = [self.method] if self.method else []
        if self.n is not None:
            how.append(f"n = {self.n}")
        return _with_note(self, f"{text} ({', '.join(how)})" if how else text)

    def _table(self) -> ShownTable:
        """The entries as shown, with a title."""
        names_of_axes = [axis.name for axis in self.axes]
        shown = list(SHOWN_OF_GAP)
        if self.n is not None:
            shown.append("n")
        if self._leaves_out():
            shown.append("excluded_groups")
        rows = [
            [*coordinates, *(getattr(entry, name) for name in shown)]
            for coordinates, entry in zip(names_of_entries(self.axes), self._entries(), strict=True)
        ]
        are_text = [True] * len(names_of_axes) + [name in TEXT_OF_GAP for name in shown]
        by = f" by {', '.join(names_of_axes)}" if names_of_axes else ""
        method = f", {self.method}" if self.method else ""
        how = f"{self._measure()}, {level_as_text(self.confidence_level)}{method}"
        table = ShownTable(f"Gap{by} ({how})", [*names_of_axes, *shown], rows, are_text)
        return _with_notes(self, table)

    def _printed(self, style: Style) -> TextTable:
        """The entries for a paper."""
        marks = marks_of(self.caveats, np.shape(self.value))
        numbers = (self.value, self.low, self.high)
        cells = cells_with_limits(numbers, None, style, EQUALITY[self.kind])
        least_p = 1 / (1 + self.n_permutations) if self.n_permutations else 0.0
        rows = []
        columns = self._columns_of(["p_value", "lowest_group", "highest_group"], len(cells))
        for names, cell, mark, p_value, lowest, highest in zip(
            names_of_entries(self.axes), cells, marks, *columns.values(), strict=True
        ):
            groups = map(_name_or_dash, (lowest, highest))
            rows.append((*names, f"{cell} {mark}".rstrip(), p_in_print(p_value, least_p), *groups))
        method = f", {self.method}" if self.method else ""
        title = f"{level_as_text(self.confidence_level)} confidence intervals{method}"
        names_of_axes = [axis.name for axis in self.axes]
        headers = (*names_of_axes, self._measure(), "p", "lowest group", "highest group")
        notes = tuple(notes_of(self.caveats))
        return TextTable(title, headers, tuple(rows), len(names_of_axes), notes)

    def _measure(self) -> str:
        """What is compared, and with which group."""
        than = "" if self.baseline is None else f", baseline {on_one_line(self.baseline)}"
        return f"{self.kind} of {self.metric}{class_text(self.label)}{than}"

    def _entries(self) -> list[_ShownGap]:
        """The cells of each entry as text."""
        n_entries = np.size(self.value)
        columns = self._columns_of((*SHOWN_OF_GAP, "excluded_groups"), n_entries)
        numbers = _numbers_as_text(self.n, n_entries)
        least_p = 1 / (1 + self.n_permutations) if self.n_permutations else 0.0
        equality = EQUALITY[self.kind]
        return [
            _ShownGap(
                value=f"{value:.4f}",
                low=limit_in_column(low, ".4f", equality),
                high=limit_in_column(high, ".4f", equality),
                limits=limits_as_text(low, high, ".4f", equality),
                p_value=p_as_text(p_value, least_p),
                lowest_group=_name_or_dash(lowest),
                highest_group=_name_or_dash(highest),
                n=n,
                excluded_groups=", ".join(map(on_one_line, excluded)),
            )
            for value, low, high, p_value, lowest, highest, excluded, n in zip(
                *columns.values(), numbers, strict=True
            )
        ]

    def _leaves_out(self) -> bool:
        """Whether a group is omitted from any entry."""
        of_entries = self._columns_of(["excluded_groups"], 1)["excluded_groups"]
        return any(map(len, of_entries))


class _ShownGap(NamedTuple):
    """An entry as text; `n` is empty where it is unknown."""

    value: str
    low: str
    high: str
    # Both, as of a single entry.
    limits: str
    p_value: str
    lowest_group: str
    highest_group: str
    n: str
    excluded_groups: str


def _name_or_dash(label: Label | None) -> str:
    """The name of a group or a month, or a dash where there is none."""
    return "-" if label is None else on_one_line(label)


@dataclass(frozen=True, eq=False, repr=False)
class Alarms(Result):
    """Whether and when metrics left their bounds, for each claim and entry.

    Attributes
    ----------
    alarm : ndarray of bool of shape (n_claims, ...)
        Whether the months show that the claim did not hold in all of them.
    alarm_time : ndarray of object of shape (n_claims, ...)
        The coordinate of the month in which that was first shown; None without an alarm.
    change_time : ndarray of object of shape (n_claims, ...)
        An estimate of the month in which it began: the data from it to `alarm_time` speak most for
        a value out of bounds. None without an alarm.
    value : ndarray of shape (n_claims, n_months, ...)
        The metric in each month; nan where undefined.
    e_value : ndarray of shape (n_claims, n_months, ...)
        The e-process at the end of each month: the evidence against the claim so far, which raises
        a lasting alarm when it reaches 1 / (1 - confidence_level).
    axes : tuple of Axis
        The axis "claim", with texts such as "recall >= 0.9", and those of the entries.
    time : Axis
        The axis of the months.
    metrics : tuple of str
        The metric of each claim.
    bounds : tuple of float
        The bound of each claim.
    horizon : int
        The planned number of months.
    confidence_level : float
        1 minus the largest probability of a false alarm in all months together, for each claim and
        entry.
    label : label or None
        The positive class; None for metrics over all classes.
    caveats : tuple of Caveat
        What the alarms do not promise.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix, watch
    >>> by_month = [[[90, 10], [5, 55]], [[88, 12], [20, 40]]]
    >>> months = ConfusionMatrix.from_counts(by_month, labels=["no", "yes"])
    >>> alarms = watch(months, {"recall": 0.9, "specificity": 0.8}, horizon=12)
    >>> alarms.alarm, alarms.alarm_time
    (array([ True, False]), array([1, None], dtype=object))
    """

    alarm: NDArray[np.bool_]
    alarm_time: NDArray[Any]
    change_time: NDArray[Any]
    value: NDArray[np.float64]
    e_value: NDArray[np.float64]
    axes: tuple[Axis, ...]
    time: Axis
    metrics: tuple[str, ...]
    bounds: tuple[float, ...]
    horizon: int
    confidence_level: float
    label: Label | None = None
    caveats: tuple[Caveat, ...] = ()

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of a data frame."""
        return behind_coordinates(
            self.axes,
            {
                "label": column_of_one(self.label, self.alarm.size),
                "alarm": self.alarm.ravel().tolist(),
                "alarm_time": self._column_of_months("alarm_time"),
                "change_time": self._column_of_months("change_time"),
                "largest_e_value": self._largest_e_values().ravel().tolist(),
            },
        )

    def _column_of_months(self, name: str) -> Any:
        """The months of an attribute, as dates where those of the data are."""
        months = getattr(self, name).ravel()
        dtype = self.time.coordinates.dtype
        if dtype.kind not in "mM":
            return months.tolist()
        return columns_of_grid([(name, months.astype(dtype))])[name]

    def _largest_e_values(self) -> NDArray[np.float64]:
        """The largest evidence against each claim (n_claims, ...)."""
        return np.asarray(self.e_value.max(1))

    def _table(self) -> ShownTable:
        """The claims and entries as shown, with a title."""
        columns = (self.alarm, self.alarm_time, self.change_time, self._largest_e_values())
        cells = zip(*(column.flat for column in columns), strict=True)
        rows = [
            [
                *coordinates,
                "yes" if alarm else "no",
                _name_or_dash(alarm_time),
                _name_or_dash(change_time),
                f"{e_value:.3g}",
            ]
            for coordinates, (alarm, alarm_time, change_time, e_value) in zip(
                names_of_entries(self.axes), cells, strict=True
            )
        ]
        names_of_axes = [axis.name for axis in self.axes]
        are_text = [True] * len(names_of_axes) + [False] * len(SHOWN_OF_ALARMS)
        table = ShownTable(self._title(), [*names_of_axes, *SHOWN_OF_ALARMS], rows, are_text)
        return table._replace(notes=notes_of(self.caveats))

    def _title(self) -> str:
        """Which class and months were watched."""
        first, last = map(on_one_line, plain(self.time.coordinates[[0, -1]]))
        months = f"{self.time.name} {first} to {last}, horizon {self.horizon}"
        false_alarms = f"{100 * (1 - self.confidence_level):.4g} % false alarms per row"
        return f"Alarms{class_text(self.label)} over {months} (at most {false_alarms})"


class ComparisonRow(NamedTuple):
    """One metric compared between two models, or two groups.

    Attributes
    ----------
    metric : str
        The metric as requested; "roc_auc" for curves.
    a, b : str
        The names of the models or groups.
    value_a, value_b : float
        The values of the metric.
    difference : float
        value_a - value_b.
    low, high : float
        Its confidence limits, simultaneous with other rows' if corrected. If the test alone
        excludes 0, the limit is the float next to it, shown as ">0" or "<0".
    p_value : float
        p-value of the test of zero difference.
    p_adjusted : float
        The p-value after correction for multiple comparisons.
    method : str
        How the confidence limits and the p-value were computed.
    p_not_worse : float or None
        One-sided p-value, corrected, of the test that a is worse than b by the margin or more; None
        without a margin.
    p_equivalent : float or None
        The larger of two such p-values, that a is worse and that it is better by the margin or
        more; None without a margin.
    not_worse : bool or None
        Whether a is shown to be worse than b by less than the margin: p_not_worse is at most (1 -
        confidence_level) / 2. None without a margin, or if that is NaN.
    equivalent : bool or None
        Whether a and b are shown to differ by less than the margin: p_equivalent is at most (1 -
        confidence_level) / 2. None without a margin, or if that is NaN.
    n_permutations : int
        Number of permutations behind p_value, which is at least 1 / (1 + n_permutations); 0 for
        tests that use none.
    caveats : tuple of Caveat
        Why limits or p-values may not hold their level.
    confidence_level : float
        The level of the limits of this row alone.

    Examples
    --------
    >>> from skmetrics_ext import compare
    >>> y = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    >>> models = {"a": [0, 0, 0, 0, 0, 1, 1, 1, 1, 1], "b": [0, 0, 1, 1, 1, 1, 1, 1, 0, 0]}
    >>> [row] = compare(y, models, "accuracy").rows
    >>> row.a, row.b, round(row.difference, 2)
    ('a', 'b', 0.5)
    """

    metric: str
    a: str
    b: str
    value_a: float
    value_b: float
    difference: float
    low: float
    high: float
    p_value: float
    p_adjusted: float
    method: str
    p_not_worse: float | None = None
    p_equivalent: float | None = None
    not_worse: bool | None = None
    equivalent: bool | None = None
    n_permutations: int = 0
    caveats: tuple[Caveat, ...] = ()
    confidence_level: float = np.nan


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Whether models differ on the same samples, or groups in a metric: one row per pair.

    Attributes
    ----------
    rows : tuple of ComparisonRow
        A named tuple per metric and pair.
    confidence_level : float
        Confidence level of all intervals together; without a correction, that of each.
    correction : str or None
        Multiple-testing correction of p_adjusted, p_not_worse, p_equivalent and the confidence
        limits: 0 is between the limits of a row exactly where p_adjusted is at least 1 -
        confidence_level.
    margin : float or None
        Non-inferiority and equivalence margin: a difference as large as this matters.

    Examples
    --------
    >>> from skmetrics_ext import compare
    >>> y = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    >>> models = {"a": [0, 0, 0, 0, 0, 1, 1, 1, 1, 1], "b": [0, 0, 1, 1, 1, 1, 1, 1, 0, 0]}
    >>> row = compare(y, models, "accuracy").rows[0]
    >>> round(row.difference, 2), round(row.p_value, 4)
    (0.5, 0.0313)
    """

    rows: tuple[ComparisonRow, ...]
    confidence_level: float
    correction: str | None = None
    margin: float | None = None

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """Why limits or p-values of any row may not hold their level."""
        return tuple(caveat for row in self.rows for caveat in row.caveats)

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of a data frame."""
        hidden = OF_MARGIN if self.margin is None else ()
        names = [name for name in ComparisonRow._fields if name not in (*hidden, "caveats")]
        return {name: [getattr(row, name) for row in self.rows] for name in names}

    def _table(self) -> ShownTable:
        """The rows as shown, with a title."""
        hidden = {"n_permutations", "confidence_level"}
        if self.correction is None:
            hidden.add("p_adjusted")
        names = [name for name in self._columns() if name not in hidden]
        rows = [[_cell_of_row(row, name) for name in names] for row in self.rows]
        are_text = [name in TEXT_OF_COMPARISON for name in names]
        table = ShownTable(self._title(), names, rows, are_text, MOST_COMPARED)
        if not self.caveats:
            return table
        marks = [MARK if row.caveats else "" for row in self.rows]
        return _marked(table, marks, notes_of(self.caveats))

    def _printed(self, style: Style) -> TextTable:
        """The rows for a paper, with p-values corrected if they are."""
        verdicts = () if self.margin is None else ("not_worse", "equivalent")
        of_limits = style_of_column([row.low for row in self.rows], style)
        rows = [
            (
                *map(on_one_line, (row.metric, row.a, row.b)),
                number(row.value_a, style),
                number(row.value_b, style),
                _difference_in_print(row, of_limits),
                p_in_print(row.p_adjusted, row.p_adjusted if _has_least_p(row) else 0.0),
                *(_cell_of_row(row, name) for name in verdicts),
            )
            for row in self.rows
        ]
        p_value = "p" if self.correction is None else f"p ({self.correction})"
        headers = ["metric", "a", "b", "value of a", "value of b", "a - b", p_value]
        headers += [name.replace("_", " ") for name in verdicts]
        notes = [] if self.margin is None else [self._of_margin()]
        notes += notes_of(self.caveats)
        title = what_intervals_are(self)
        title = title[0].upper() + title[1:]
        return TextTable(title, tuple(headers), tuple(rows), 3, tuple(notes))

    def _title(self) -> str:
        """What is compared, and by what."""
        n_rows = len(self.rows)
        rows = "1 row" if n_rows == 1 else f"{n_rows} rows"
        parts = [f"Comparison of {rows}: difference = a - b", what_intervals_are(self)]
        if self.correction is not None:
            of_margin = "" if self.margin is None else ", p_not_worse and p_equivalent"
            parts.append(f"p_adjusted{of_margin} by {self.correction}")
        if self.margin is not None:
            parts.append(self._of_margin())
        return ", ".join(parts)

    def _of_margin(self) -> str:
        """What the verdicts on the margin are."""
        one_sided = f"{50 * (1 - self.confidence_level):.4g} %"
        return (
            f"margin {self.margin:g}: not_worse by a one-sided test at {one_sided}, equivalent by "
            "two"
        )


def what_intervals_are(comparison: Comparison) -> str:
    """The level of a comparison's intervals, and whether all together have it."""
    level = f"{level_as_text(comparison.confidence_level)} confidence intervals"
    if len(comparison.rows) == 1:
        return level
    if comparison.correction is None:
        return f"uncorrected {level}"
    of_each = f"{100 * comparison.rows[0].confidence_level:.4g} % each"
    return f"simultaneous {level}, {of_each}"


def _cell_of_row(row: ComparisonRow, name: str) -> str:
    """A cell as shown."""
    value = getattr(row, name)
    if isinstance(value, str):
        return on_one_line(value)
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in ("p_value", "p_adjusted"):
        return p_as_text(value, value if _has_least_p(row) else 0.0)
    if name in OF_MARGIN:
        return p_as_text(value)
    if name in ("low", "high"):
        return limit_in_column(value, "+.4f")
    return f"{value:+.4f}" if name == "difference" else f"{value:.4f}"


def _difference_in_print(row: ComparisonRow, style: Style) -> str:
    """The difference with its limits, and a mark for caveats."""
    cell = with_limits(row.difference, row.low, row.high, style, equality=0)
    return f"{cell} {MARK}" if row.caveats else cell


def _has_least_p(row: ComparisonRow) -> bool:
    """Whether no permutation was as far: the p-value is only known to be less."""
    return row.n_permutations > 0 and row.p_value <= 1 / (1 + row.n_permutations)
