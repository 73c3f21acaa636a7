"""The results of intervals, gaps and comparisons: their fields, as frames, tables and text."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple, NoReturn

import numpy as np

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.reading.aliases import Backend, Label
from skmetrics_ext.reading.calls import explained_methods, instead
from skmetrics_ext.reading.order import plain
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.caveats import Caveat, marks_of, notes_of
from skmetrics_ext.statistics.entries import (
    Entries,
    array_of,
    entry_at,
    names_of_entries_in,
    of_entries,
    over_axes,
    shape_of,
    taken,
)
from skmetrics_ext.statistics.gaps.groups import EQUALITY
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.receipts import (
    EXPLAINED,
    WHOLE,
    WHY,
    caveats_in_words,
    coordinates_of,
    dict_of,
    estimate_in_words,
    head_of,
    in_words,
    plain_caveats,
    plain_value,
    sources_of,
    where,
    why_null,
)
from skmetrics_ext.writing.frames import column_of_numbers, columns_of_grid, frame
from skmetrics_ext.writing.printed import (
    UNKNOWN,
    Style,
    cells_with_limits,
    number,
    p_in_print,
    read_style,
)
from skmetrics_ext.writing.text import (
    ROUNDED,
    ShownTable,
    and_more,
    beside_lines,
    class_text,
    equation_of_p,
    level_as_text,
    limit_in_column,
    limits_as_text,
    lines_of_p,
    on_one_line,
    p_as_text,
)
from skmetrics_ext.writing.text_table import TextTable

# What a field says of itself in its metadata: its texts for people, that these are words, and that
# it is no column of data frames.
TEXTS, WORDS, HIDDEN = "texts", "words", "hidden"
# How a design begins to say the prevalences that it was given.
AT_PREVALENCES = "at prevalence "
OF_MARGIN = ("p_not_worse", "p_equivalent", "not_worse", "equivalent")
VERDICTS_ON_MARGIN = ("not_worse", "equivalent")

# A result and a column of it -> what people see in its cells.
Texts = Callable[[Any, list[Any]], list[str]]


def numbers(form: str) -> Texts:
    """Numbers in a format."""
    return lambda _, column: [format(value, form) for value in column]


def whole_numbers(_: Any, column: list[Any]) -> list[str]:
    """Numbers of samples, a dash where they are unknown."""
    return [UNKNOWN if math.isnan(value) else f"{value:.0f}" for value in column]


def limits(form: str) -> Texts:
    """Confidence limits, which show their side of what they are compared with."""
    return lambda result, column: [
        limit_in_column(value, form, lines)
        for value, lines in zip(column, result._lines(), strict=True)
    ]


def p_values(result: Any, column: list[Any]) -> list[str]:
    """p-values, of which some are the least of their test; unknown ones in words."""
    of_each = zip(column, result._lines_of_p(), result._are_least_p(), strict=True)
    return [
        p_as_text(value, lines, value if is_least else 0.0) for value, lines, is_least in of_each
    ]


def p_values_of_margin(result: Any, column: list[Any]) -> list[str]:
    """p-values that no replicates bound."""
    of_each = zip(column, result._lines_of_p(), strict=True)
    return [p_as_text(value, lines) for value, lines in of_each]


def evidence(result: Any, column: list[Any]) -> list[str]:
    """e-values, which show their side of what raises an alarm."""
    enough = 1 / round(1 - result.confidence_level, ROUNDED)
    return [_beside(e_value, enough) for e_value in column]


def _beside(e_value: float, enough: float) -> str:
    """An e-value, on its side of what is enough."""
    return beside_lines(e_value, lambda n_digits: f"{e_value:.{n_digits}g}", 3, [enough])


def names(_: Any, column: list[Any]) -> list[str]:
    """Names, a dash where there is none."""
    return [UNKNOWN if value is None else on_one_line(value) for value in column]


def lists_of_names(_: Any, column: list[Any]) -> list[str]:
    """Several names in each cell."""
    # Names of crossed groups have commas themselves.
    are_crossed = any(isinstance(name, tuple) for value in column for name in value)
    separator = "; " if are_crossed else ", "
    return [separator.join(map(on_one_line, value)) for value in column]


def yes_or_no(_: Any, column: list[Any]) -> list[str]:
    """Answers, if they are known."""
    return ["unknown" if value is None else ("no", "yes")[value] for value in column]


def methods_if_several(_: Any, column: list[Any]) -> list[str]:
    """How each entry was computed, where the title does not say it of all."""
    return column if len({*column}) > 1 else [""] * len(column)


def if_corrected(result: Any, column: list[Any]) -> list[str]:
    """p-values that differ from others, if any correction was asked for."""
    return [""] * len(column) if result.correction is None else p_values(result, column)


def only_of_ratios(result: Any, column: list[Any]) -> list[str]:
    """Ratios, where these are what is asked for."""
    return (
        [format(value, ".4f") for value in column] if result.kind == "ratio" else [""] * len(column)
    )


def labels_if_several(_: Any, column: list[Any]) -> list[str]:
    """The class of each row, where the title does not say it of all."""
    are_several = len(labels_of_rows(column)) > 1
    return [on_one_line(label) if are_several and label is not None else "" for label in column]


def labels_of_rows(column: list[Any]) -> list[Any]:
    """The classes that rows are about."""
    return [label for label in dict.fromkeys(column) if label is not None]


def label_of_all(column: list[Any]) -> Any:
    """The class that rows are about, unless there are several."""
    labels = labels_of_rows(column)
    return labels[0] if len(labels) == 1 else None


def limits_of_kind(result: Any, column: list[Any]) -> list[str]:
    """Limits of differences, which have a sign, or of ratios."""
    return limits(".4f" if result.kind == "ratio" else "+.4f")(result, column)


def of_margin(texts: Texts) -> Texts:
    """What is said of a margin, if there is one."""
    return lambda result, column: (
        [""] * len(column) if result.margin is None else texts(result, column)
    )


# The kinds of fields with a value for each entry.
OF_VALUES = {EXPLAINED: True, WHY: "it is undefined (0/0)"}
OF_LIMITS = {EXPLAINED: True, WHY: "no confidence limits are known"}
OF_TESTS = {EXPLAINED: True, WHY: "there is no test"}
VALUES = of_entries({TEXTS: numbers(".4f"), **OF_VALUES})
DIFFERENCES = of_entries({TEXTS: numbers("+.4f"), **OF_VALUES})
LIMITS = of_entries({TEXTS: limits(".4f"), **OF_LIMITS})
LIMITS_OF_DIFFERENCES = of_entries({TEXTS: limits("+.4f"), **OF_LIMITS})
P_VALUES = of_entries({TEXTS: p_values, **OF_TESTS})
NAMES = of_entries({TEXTS: names, WORDS: True})
ANSWERS = of_entries({TEXTS: yes_or_no, WORDS: True})
METHODS = of_entries({TEXTS: methods_if_several, WORDS: True})
LABELS = of_entries({TEXTS: labels_if_several, WORDS: True})
SAMPLES = of_entries({TEXTS: whole_numbers, WHOLE: True, WHY: "no number of samples is known"})
LISTS = of_entries({TEXTS: lists_of_names, WORDS: True, HIDDEN: True})
P_VALUES_OF_MARGIN = of_entries({TEXTS: of_margin(p_values_of_margin)})
ANSWERS_OF_MARGIN = of_entries({TEXTS: of_margin(yes_or_no), WORDS: True})
OF_ENTRIES_ALONE = of_entries({HIDDEN: True})
OF_ALL = {HIDDEN: True}
HIDDEN_LIMITS = of_entries({HIDDEN: True, **OF_LIMITS})
NUMERATORS = of_entries({WHOLE: True, WHY: "the value is no proportion of n samples"})


@explained_methods
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Result(Entries):
    """Entries as frames, tables and text, by what their fields say of themselves."""

    # The most rows that people see, and whether these begin with coordinates.
    _most: ClassVar[int] = 20
    _has_coordinates: ClassVar[bool] = True

    def __repr__(self) -> str:
        return self._table().as_text()

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        if self.axes:
            raise TypeError(
                f"the format {spec!r} is for one entry, and there are {math.prod(shape_of(self))}: "
                "take to_table(digits=2)."
            )
        if not re.fullmatch(r"\+?\.\d+f", spec):
            raise ValueError(f"the format must be such as '.2f' or '+.2f'; got {spec!r}.")
        limits = limits_as_text(self.low, self.high, spec, self._lines()[0])  # type: ignore[attr-defined]  # single ones have limits
        return f"{self._estimate:{spec}} {limits}"

    def __iter__(self) -> NoReturn:
        raise TypeError(
            f"{type(self).__name__} can't be unpacked: take its attributes, such as "
            f"{type(self).__name__.lower()}.value."
        )

    def to_frame(self, backend: Backend | None = None) -> Any:
        """A data frame of the attributes: one row per entry or per row of a comparison.

        Coordinates of the entries come first, then "metric" and "label"; an axis replaces a column
        of its name. A `Comparison` has "p_not_worse", "p_equivalent", "not_worse" and "equivalent"
        only with a margin; a `FoldComparison` has "probability_worse", "probability_equivalent" and
        "probability_better" only with a rope.

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

    @instead("Its text is to_table().to_markdown(), to_html() or to_latex().")
    def to_table(self, *, digits: int = 2, dash: str = "-", fractions: bool = True) -> TextTable:
        """The rows as printed in a paper: values with their limits, and p-values, as text.

        Parameters
        ----------
        digits : int, default=2
            Digits after the decimal point.
        dash : str, default="-"
            What stands between two limits, as in 0.86 (0.80-0.91); " to " where a limit has a sign.
        fractions : bool, default=True
            Whether a proportion is followed by its numbers of samples, as in 87/109, where known.

        Returns
        -------
        TextTable
            Text, Markdown, HTML, LaTeX, or a data frame of text for Excel. p-values have two
            digits, three below .01 and next to .05, and "< .001" below that.
        """
        return self._printed(read_style(digits, dash, fractions))

    def to_dict(self) -> dict[str, Any]:
        """Everything the result knows, as plain values for `json.dumps(..., allow_nan=False)`.

        Several entries are in a list under "entries", each with its coordinates under "at" and the
        same values as if it were alone. NaN is null, and "reasons" says why by the name of the
        field; null without a reason was not asked for. Infinities are "Infinity" and "-Infinity".

        Returns
        -------
        dict
            The attributes, "result" (the type), "version" of the package, "design" of the samples,
            "sides" of the limits, "sources" of the methods, "caveats" (code and text), and where
            replicates or folds are drawn "n_resamples" and the "seed", a `random_state` for them.
        """
        return dict_of(self, self._sides)

    def sentence(self, *, digits: int = 2) -> str:
        """The result in words, for a report: a sentence for each entry, on a line of its own.

        Parameters
        ----------
        digits : int, default=2
            Digits after the decimal point.

        Returns
        -------
        str
        """
        style = read_style(digits, " to ", fractions=True)
        if not self.axes:
            return self._in_words({}, style)
        places = zip(np.ndindex(shape_of(self)), coordinates_of(self), strict=True)
        return "\n".join(entry_at(self, place)._in_words(at, style) for place, at in places)

    # What the limits are, for people and machines.
    _sides: ClassVar[str] = "two-sided"

    def _in_words(self, at: Mapping[str, Any], style: Style) -> str:
        """The sentence of a single entry, at these coordinates."""
        subject = f"{in_words(self._subject())}{self._where(at)}"
        numbers_of_entry = (self._estimate, self.low, self.high)  # type: ignore[attr-defined]  # single ones have limits
        text = estimate_in_words(
            numbers_of_entry, self._lines()[0], self._limits_in_words(), self._details(style), style
        )
        return f"{subject} was {text}{caveats_in_words(self)}"

    def _where(self, at: Mapping[str, Any]) -> str:
        """Where an entry is, for people."""
        return where(at) if self._has_coordinates else ""

    def _subject(self) -> str:
        """What a sentence is about."""
        return self._title_of_value()

    def _limits_in_words(self) -> str:
        """What the limits of a sentence are."""
        return f"{level_as_text(self.confidence_level)} CI"  # type: ignore[attr-defined]  # they have one

    def _details(self, style: Style) -> list[str]:  # noqa: ARG002
        """What else a sentence says of an entry."""
        return []

    def _repr_html_(self) -> str:
        """The rows as an HTML table, for notebooks."""
        return self._table().as_html()

    # Which values are better, where that is not said by the metric.
    _better: ClassVar[Any] = None
    # Whether values are differences of a metric's, and whether limits of all entries hold together.
    _is_of_difference: ClassVar[bool] = False
    # Whether values are of a course over time.
    _is_over_time: ClassVar[bool] = False
    _hold_together: ClassVar[Any] = False

    @property
    def _estimate(self) -> Any:
        """What the limits are of."""
        return self.value  # type: ignore[attr-defined]  # single ones have one

    def _are_open(self) -> Any:
        """Which entries do not hold what they promise, or show nothing."""
        return np.reshape([mark != "" for mark in self._marks()], shape_of(self))

    def _lines(self) -> list[Sequence[float]]:
        """What the limits of each entry are compared with."""
        return [()] * math.prod(shape_of(self))

    def _lines_of_p(self) -> list[Sequence[float]]:
        """What the p-value of each entry is compared with."""
        return [lines_of_p(self.confidence_level)] * math.prod(shape_of(self))  # type: ignore[attr-defined]  # tests have one

    def _are_least_p(self) -> list[bool]:
        """Whether the p-value of each entry is the least of its test."""
        return [False] * math.prod(shape_of(self))

    def _by_metric(self) -> dict[str, Result]:
        """The entries of each metric; none where a result is about no metric."""
        is_of_metric = any(of.name == "metric" for of in fields(self))
        return {self._name_of_metric: self} if is_of_metric else {}

    @property
    def _name_of_metric(self) -> str:
        """The metric of all entries."""
        return str(np.ravel(self.metric)[0])  # type: ignore[attr-defined]  # what claims are about has one

    @property
    def _level_of_each_limit(self) -> float:
        """At which level a limit holds alone."""
        return float(self.confidence_level)  # type: ignore[attr-defined]  # the same

    def _title_of_value(self) -> str:
        """What the values are."""
        return self._name_of_metric + class_text(getattr(self, "label", None))

    def _deciding_limits(self) -> Limits:
        """The lower and the upper limit that decide about a claim."""
        return Limits(np.asarray(self.low), np.asarray(self.high))  # type: ignore[attr-defined]  # the same

    def _text_of_deciding(self) -> str:
        """These limits in words, where it does not suffice that each has its level."""
        return ""

    def _title(self) -> str:
        """What the rows are of, at which level."""
        raise NotImplementedError

    def _printed(self, style: Style) -> TextTable:  # noqa: ARG002
        """The rows for a paper."""
        table = self._table()
        n_names = sum(itertools.takewhile(bool, table.are_names))
        rows = tuple(map(tuple, table.rows))
        return TextTable(table.title, tuple(table.headers), rows, n_names, tuple(table.notes))

    def _columns(self) -> dict[str, Any]:
        """The columns of a data frame."""
        of_entries_alone, columns = names_of_entries_in(self), {}
        for of in fields(self):
            if of.name in OF_ALL_RESULTS or HIDDEN in of.metadata:
                continue
            value = getattr(self, of.name)
            if WHOLE in of.metadata:
                columns[of.name] = column_of_numbers(np.ravel(value))
            elif of.name in of_entries_alone:
                columns[of.name] = self._column(of.name)
            else:
                columns[of.name] = [value] * math.prod(shape_of(self))
        return behind_coordinates(self.axes, columns) if self._has_coordinates else columns

    def _column(self, name: str) -> list[Any]:
        """A value of each entry."""
        values: list[Any] = array_of(getattr(self, name)).ravel().tolist()
        return values

    def _texts(self) -> dict[str, list[str]]:
        """The columns that people see; of one without a known entry nothing is seen."""
        found = {}
        for of in fields(self):
            if TEXTS in of.metadata:
                texts = of.metadata[TEXTS](self, self._column(of.name))
                if any(text not in ("", UNKNOWN) for text in texts):
                    found[of.name] = texts
        return found

    def _names(self) -> list[tuple[str, ...]]:
        """The coordinates of each entry as text."""
        return [*names_of_entries(self.axes)] if self._has_coordinates else []

    def _marks(self) -> list[str]:
        """A star for each entry with a caveat."""
        return marks_of(self.caveats, shape_of(self))

    def _marked(self, texts: Sequence[str]) -> list[str]:
        """Texts of the entries, with a star where there is a caveat."""
        return [f"{text} {mark}".rstrip() for text, mark in zip(texts, self._marks(), strict=True)]

    def _notes(self) -> list[str]:
        """The reasons below the rows."""
        return notes_of(self.caveats)

    def _table(self) -> ShownTable:
        """The rows as shown, with a title."""
        columns = dict(zip(self._headers(), zip(*self._names(), strict=True), strict=False))
        are_names = [True] * len(columns)
        texts = self._texts()
        of_words = [of.name for of in fields(self) if WORDS in of.metadata]
        are_names += [name in of_words for name in texts]
        headers, cells = [*columns, *texts], [*columns.values(), *texts.values()]
        if self.caveats:
            headers, cells, are_names = [*headers, ""], [*cells, self._marks()], [*are_names, True]
        rows = [*map(list, zip(*cells, strict=True))]
        return ShownTable(self._title(), headers, rows, are_names, self._most, self._notes())

    def _headers(self) -> list[str]:
        """The names of the axes."""
        return [axis.name for axis in self.axes] if self._has_coordinates else []


OF_ALL_RESULTS = [of.name for of in fields(Entries)]


def printed_columns(
    title: str, axes: tuple[Axis, ...], columns: Mapping[str, Sequence[str]], notes: Sequence[str]
) -> TextTable:
    """A table for a paper of named columns behind the entries' coordinates."""
    headers = (*(axis.name for axis in axes), *columns)
    coordinates = zip(*names_of_entries(axes), strict=True)
    rows = zip(*coordinates, *columns.values(), strict=True)
    return TextTable(title, headers, tuple(rows), len(axes), tuple(notes))


def behind_coordinates(axes: tuple[Axis, ...], columns: dict[str, Any]) -> dict[str, Any]:
    """Columns behind the entries' coordinates, which replace those of one name."""
    coordinates = columns_of_grid((axis.name, axis.coordinates) for axis in axes)
    others = {name: column for name, column in columns.items() if name not in coordinates}
    return {**coordinates, **others}


def names_of_entries(axes: tuple[Axis, ...]) -> Iterator[tuple[str, ...]]:
    """The coordinates of each entry as text."""
    names_of_axes = [map(on_one_line, plain(axis.coordinates)) for axis in axes]
    return itertools.product(*names_of_axes)


def methods_of(result: Result) -> str:
    """How all entries were computed."""
    return ", ".join(dict.fromkeys(result._column("method")))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
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
    level_of_each : float
        With `simultaneous=True` the level of each interval alone; else nan.
    method : str or ndarray of str
        How the confidence limits were computed, with the shape of `value`.
    n_undefined : int or ndarray of int
        Number of replicates omitted since the value is undefined in them; 0 without replicates.
    axes : tuple of Axis
        Axes of the entries: classes, groups, folds.
    metric : str
        The metric as requested, with its average: "recall_macro".
    label : label or None
        The class the value refers to; None for averages, for metrics over all classes, and where
        classes are an axis.
    n : int or ndarray
        Number of samples, with the shape of `value`: for a proportion, those in its denominator
        (for recall the actual positives); otherwise all samples. nan: unknown.
    caveats : tuple of Caveat
        Why limits may not hold their level, each with the entries that it is about.
    numerator : int or ndarray
        How many of the n samples a proportion counts (for recall the true positives); nan where
        the value is no proportion of n samples, as with weights.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
    >>> cm.interval("recall")
    recall of 'yes' 0.9000 [0.7922, 0.9624] 95 %, mid-P, n = 50
    >>> f"{cm.interval('recall'):.2f}"
    '0.90 [0.79, 0.96]'
    """

    metric: str = ""
    label: Label | None = None
    value: Any = field(metadata=VALUES)
    low: Any = field(metadata=LIMITS)
    high: Any = field(metadata=LIMITS)
    confidence_level: float
    method: Any = field(metadata=METHODS)
    numerator: Any = field(default=np.nan, metadata=NUMERATORS)
    n: Any = field(default=np.nan, metadata=SAMPLES)
    n_undefined: Any = field(default=0, metadata=OF_ENTRIES_ALONE)
    level_of_each: float = field(default=np.nan, metadata={**OF_ALL, WHY: "limits hold one by one"})

    def __float__(self) -> NoReturn:
        raise TypeError(
            f"{type(self).__name__} is more than one number: its value is interval.value, its "
            "limits interval.low and interval.high."
        )

    def __repr__(self) -> str:
        texts = self._texts()
        of_entries_alone = [
            f"{value} [{low}, {high}]"
            for value, low, high in zip(texts["value"], texts["low"], texts["high"], strict=True)
        ]
        further = [""] * len(of_entries_alone)
        if "n" in texts:
            further = [f", n = {n}" for n in texts["n"]]
        if "method" in texts:
            further = [f"{of}, {how}" for of, how in zip(further, texts["method"], strict=True)]
        if not self.axes:
            text = f"{self._of().removeprefix(' of ')} {of_entries_alone[0]} {self._how()}"
            return "\n".join([*self._marked([text.lstrip() + further[0]]), *self._notes()])
        coordinates = [", ".join(of_entry) for of_entry in self._names()]
        width = max(map(len, coordinates[: self._most]), default=0)
        lines = [
            f"{name:<{width}}  {text}{end}"
            for name, text, end in zip(coordinates, of_entries_alone, further, strict=True)
        ]
        of_axes = ", ".join(axis.name for axis in self.axes)
        title = f"Interval{self._of()} by {of_axes} ({self._how()})"
        more = and_more(len(lines), self._most)
        return "\n".join([title, *self._marked(lines)[: self._most], *more, *self._notes()])

    def _limits_in_words(self) -> str:
        """The level, which may be that of all limits together."""
        is_of_all = not np.isnan(self.level_of_each)
        return f"{'simultaneous ' * is_of_all}{super()._limits_in_words()}"

    def _details(self, style: Style) -> list[str]:  # noqa: ARG002
        """The samples, the prevalences that are given, and the method."""
        samples = samples_in_words(self.numerator, self.n)
        return [samples, self._given_prevalences(), str(self.method)]

    def _title(self) -> str:
        """Metric, class, level and method."""
        return f"Interval{self._of()} ({self._how()})"

    def _of(self) -> str:
        """Metric and class, as the end of a title."""
        return (f" of {self.metric}" if self.metric else "") + class_text(self.label)

    def _how(self) -> str:
        """Confidence level, maybe that of each alone, and method."""
        is_of_all = not np.isnan(self.level_of_each)
        of_each = f"{100 * self.level_of_each:.4g} % each, " if is_of_all else ""
        given = self._given_prevalences()
        at = f"{given}, " if given else ""
        return f"{level_as_text(self.confidence_level)}, {of_each}{at}{methods_of(self)}"

    def _given_prevalences(self) -> str:
        """The prevalences that at_prevalence was given, as the design says."""
        given = self._origin[0].partition(AT_PREVALENCES)[2]
        return AT_PREVALENCES + given if given else ""

    def _text_of_deciding(self) -> str:
        """Its own limits, whose two sides err together."""
        return f"two-sided {level_as_text(self.confidence_level)} limits of the interval"

    def _printed(self, style: Style) -> TextTable:
        """The entries for a paper."""
        are_said = style.fractions and not np.isnan(self.numerator).any()
        columns = {} if are_said or "n" not in self._texts() else {"n": self._texts()["n"]}
        numbers_of_all = (self.value, self.low, self.high)
        cells = cells_with_limits(numbers_of_all, (self.numerator, self.n), style)
        columns[self._of().removeprefix(" of ")] = self._marked(cells)
        level = level_as_text(self.confidence_level)
        given = self._given_prevalences()
        at = f" {given}" if given else ""
        title = f"{level} confidence intervals{at}, {methods_of(self)}"
        return printed_columns(title, self.axes, columns, self._notes())


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CrossValidatedInterval(Interval):
    """A cross-validated value with the confidence interval of the model that is fitted to all
    samples.

    It isn't valid for the learning algorithm's mean over training sets, nor for hyperparameters
    chosen outside of the folds: cross-validate the search.

    Attributes
    ----------
    stretch : float
        How many times as wide as one repetition's the limits are, before the extension.
    extension : float
        How far models of more samples are expected to move at most: the upper limit is extended by
        it if positive, the lower one if negative; on the log scale where the limits are.
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

    @property
    def _level_of_each_limit(self) -> float:
        """That of one side: repeated cross-validation errs on both alike."""
        return (1 + self.confidence_level) / 2

    def _details(self, style: Style) -> list[str]:
        """What the interval is of."""
        return ["of the model fitted to all samples", *super()._details(style)]

    def _how(self) -> str:
        """Confidence level, what it is for, and method."""
        return f"{level_as_text(self.confidence_level)} for the refitted model, {self.method}"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Gap(Result):
    """How much a metric differs between groups, with a confidence interval and the p-value for
    equality, or arrays.

    Attributes
    ----------
    value : float or ndarray
        The highest group value minus the lowest, for "ratio" the lowest divided by the highest, and
        for "inverse_ratio" 1 divided by that. With a baseline the largest difference from it, or
        the lowest ratio of the lower value to the higher.
    low, high : float or ndarray
        Confidence limits, with the same shape as `value`. They include equality exactly where
        p_value is at least 1 - confidence_level; an open limit, "(0.0000, 0.3100]", excludes it.
    p_value : float or ndarray
        Probability of a difference at least as large if the metric is equal in all groups.
    lowest_group, highest_group : label or ndarray of object
        The groups that `value` compares, or None.
    excluded_groups : tuple or ndarray of tuples
        Groups omitted as too small, or since the metric is undefined in them.
    metric : str
        The metric as requested, with its average: "recall_macro".
    kind, baseline, confidence_level
        As they were asked for.
    axes : tuple of Axis
        Axes of the entries: all leading axes except the group axis, and classes.
    label, method, n
        As in `Interval`, over all groups compared.
    n_permutations : int or ndarray of int
        Number of permutations behind the p-values; 0 for tests that use none.
    caveats : tuple of Caveat
        Why limits or p-values may not hold their level.
    limit_of_each_pair : float or ndarray
        No pair of groups differs by more than this, or has a ratio below it or an inverse ratio
        above it, at the one-sided level (1 + confidence_level) / 2, uncorrected for their number.
        `check` decides by it.

    Notes
    -----
    A metric's effective sample size is that of its denominator, or of the smallest of several or of
    the classes in a macro average: for recall the actual positives, for accuracy all. Metrics that
    need positives, as F1, do not count true negatives, nor MCC and kappa the correct predictions of
    the class with most of them; custom metrics count all samples.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> by_sex = [[[70, 30], [20, 80]], [[80, 20], [40, 60]]]
    >>> ConfusionMatrix.from_counts(by_sex, labels=["no", "yes"]).gap("recall")
    0.2000 [0.0731, 0.3205] 95 %, p = 0.00205: difference of recall of 'yes', 1 below 0 (MOVER of groups, inverted, n = 200)
    """  # noqa: E501

    metric: str = ""
    label: Label | None = None
    kind: str = "difference"
    value: Any = field(metadata=VALUES)
    low: Any = field(metadata=LIMITS)
    high: Any = field(metadata=LIMITS)
    p_value: Any = field(metadata=P_VALUES)
    lowest_group: Any = field(metadata=NAMES)
    highest_group: Any = field(metadata=NAMES)
    baseline: Label | tuple[Label, ...] | None = None
    confidence_level: float = 0.95
    method: Any = field(default="", metadata=METHODS)
    n: Any = field(default=np.nan, metadata=SAMPLES)
    excluded_groups: Any = field(default=(), metadata=LISTS)
    n_permutations: Any = field(default=0, metadata=OF_ENTRIES_ALONE)
    limit_of_each_pair: Any = field(
        default=np.nan, metadata=of_entries({HIDDEN: True, **OF_LIMITS})
    )

    def _subject(self) -> str:
        """What is compared, between which groups."""
        groups = (self.lowest_group, self.highest_group)
        between = "" if None in groups else f" between {' and '.join(names(self, [*groups]))}"
        return f"the {self._measure()}{between}"

    def _details(self, style: Style) -> list[str]:  # noqa: ARG002
        """The test, the groups left out, the samples and the method."""
        p_value = equation_of_p(p_values_in_print(self, [self.p_value])[0])
        excluded = "".join(lists_of_names(self, [self.excluded_groups]))
        parts = [p_value, f"without {excluded}" if excluded else ""]
        return [*parts, samples_in_words(math.nan, self.n), str(self.method)]

    def _lines(self) -> list[Sequence[float]]:
        """The value of no difference."""
        return [(EQUALITY[self.kind],)] * math.prod(shape_of(self))

    @property
    def _better(self) -> str:
        """Small differences, and ratios near 1."""
        return "higher" if self.kind == "ratio" else "lower"

    @property
    def _level_of_each_limit(self) -> float:
        """That of one side."""
        return (1 + self.confidence_level) / 2

    def _title_of_value(self) -> str:
        """What the gap is in."""
        return f"{self.kind.replace('_', ' ')} of {super()._title_of_value()}"

    def _deciding_limits(self) -> Limits:
        """Small enough is what each pair is, uncorrected; larger, what one of all at once is."""
        of_each = np.asarray(self.limit_of_each_pair)
        if self.kind == "ratio":
            return Limits(of_each, np.asarray(self.high))
        return Limits(np.asarray(self.low), of_each)

    def _text_of_deciding(self) -> str:
        """Which of them is that of each pair."""
        ends = (
            ("limit_of_each_pair", "high")
            if self.kind == "ratio"
            else ("low", "limit_of_each_pair")
        )
        level = level_as_text(self._level_of_each_limit)
        return f"{' and '.join(ends)} of the gap, one-sided {level} limits"

    def _are_least_p(self) -> list[bool]:
        """Whether no permutation was as far."""
        pairs = zip(self._column("p_value"), self._column("n_permutations"), strict=True)
        return [is_least_p(*pair) for pair in pairs]

    def __repr__(self) -> str:
        if self.axes:
            return self._table().as_text()
        texts = {name: of_entry for name, [of_entry] in self._texts().items()}
        limits_in_text = limits_as_text(self.low, self.high, ".4f", self._lines()[0])
        p_value = equation_of_p(texts["p_value"])
        lowest, highest = (names(self, [of])[0] for of in (self.lowest_group, self.highest_group))
        text = (
            f"{texts['value']} {limits_in_text} {level_as_text(self.confidence_level)}, "
            f"{p_value}: {self._measure()}, {lowest} below {highest}"
        )
        if "excluded_groups" in texts:
            text += f", excluded: {texts['excluded_groups']}"
        n = f"n = {texts['n']}" if "n" in texts else ""
        how = ", ".join(filter(None, [self.method, n]))
        return "\n".join([*self._marked([f"{text} ({how})" if how else text]), *self._notes()])

    def _title(self) -> str:
        """What is compared, how."""
        by = f" by {', '.join(axis.name for axis in self.axes)}" if self.axes else ""
        how = ", ".join(filter(None, [level_as_text(self.confidence_level), methods_of(self)]))
        return f"Gap{by} ({self._measure()}, {how})"

    def _measure(self) -> str:
        """What is compared, and with which group."""
        than = "" if self.baseline is None else f", baseline {on_one_line(self.baseline)}"
        kind = self.kind.replace("_", " ")
        return f"{kind} of {self.metric}{class_text(self.label)}{than}"

    def _printed(self, style: Style) -> TextTable:
        """The entries for a paper."""
        numbers_of_all = (self.value, self.low, self.high)
        columns = {
            self._measure(): self._marked(
                cells_with_limits(numbers_of_all, None, style, self._lines())
            ),
            "p": p_values_in_print(self, self._column("p_value")),
            "lowest group": names(self, self._column("lowest_group")),
            "highest group": names(self, self._column("highest_group")),
        }
        how = ", ".join(filter(None, ["confidence intervals", methods_of(self)]))
        title = f"{level_as_text(self.confidence_level)} {how}"
        return printed_columns(title, self.axes, columns, self._notes())


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Alarms(Result):
    """Whether and when metrics left their bounds, for each claim and entry.

    Attributes
    ----------
    alarm : ndarray of bool of shape (n_claims, ...)
        Whether the months show that the claim did not hold in all of them.
    alarm_time, change_time : ndarray of object of shape (n_claims, ...)
        The month in which that was first shown, and an estimate of that in which it began; None
        without an alarm.
    alarm_sample : ndarray of shape (n_claims, ...)
        The number of samples up to the end of the month of the alarm; NaN without one.
    value, e_value : ndarray of shape (n_claims, ..., n_months)
        The metric in each month, and the evidence against the claim up to its end.
    low, high : ndarray of shape (n_claims, ..., n_months)
        The confidence sequence: limits of a value that stays the same, from all samples up to the
        end of each month; with probability `confidence_level` none of them is wrong.
    largest_e_value : ndarray of shape (n_claims, ...)
        The largest evidence against each claim.
    axes : tuple of Axis
        The axis "claim", with texts such as "recall >= 0.9", and those of the entries.
    time : Axis
        The axis of the months.
    metrics, bounds : tuple
        The metric and the bound of each claim.
    horizon : int or None
        The planned number of months; None for ever.
    confidence_level : float
        1 minus the largest probability of a false alarm in all months, for each claim and entry.
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

    label: Label | None = None
    alarm: Any = field(metadata=ANSWERS)
    alarm_time: Any = field(metadata=NAMES)
    alarm_sample: Any = field(metadata={**SAMPLES, WHY: "there was no alarm"})
    change_time: Any = field(metadata=NAMES)
    largest_e_value: Any = field(metadata=of_entries({TEXTS: evidence}))
    value: Any = field(metadata=OF_ENTRIES_ALONE)
    low: Any = field(metadata=OF_ENTRIES_ALONE)
    high: Any = field(metadata=OF_ENTRIES_ALONE)
    e_value: Any = field(metadata=OF_ENTRIES_ALONE)
    time: Axis = field(metadata=OF_ALL)
    metrics: tuple[str, ...] = field(metadata=OF_ALL)
    bounds: tuple[float, ...] = field(metadata=OF_ALL)
    horizon: int | None = field(metadata=OF_ALL)
    confidence_level: float = field(metadata=OF_ALL)

    _is_over_time: ClassVar[bool] = True
    _sides: ClassVar[str] = "two-sided, at all times together"
    _methods: ClassVar[str] = shown("e-process")

    def _in_words(self, at: Mapping[str, Any], style: Style) -> str:  # noqa: ARG002
        """Whether and when a claim was shown not to hold."""
        others = {name: of for name, of in at.items() if name != "claim"}
        claim = f"{in_words(at.get('claim', 'the claim'))}{where(others)}"
        evidence_of_all = f"(largest e-value {self._texts()['largest_e_value'][0]})"
        if not self.alarm:
            return f"{claim}: no alarm {evidence_of_all}{caveats_in_words(self)}"
        alarmed, changed = names(self, [self.alarm_time, self.change_time])
        text = f"alarm at {alarmed} after {self.alarm_sample:.0f} samples, changed about {changed}"
        return f"{claim}: {text} {evidence_of_all}{caveats_in_words(self)}"

    @property
    def exit_status(self) -> int:
        """That of the command: 0 without an alarm, 1 with one."""
        return int(np.any(self.alarm))

    def _columns(self) -> dict[str, Any]:
        """The columns of a data frame, with dates as in the data."""
        columns, dtype = super()._columns(), self.time.coordinates.dtype
        if dtype.kind in "mM":
            for name in ("alarm_time", "change_time"):
                columns[name] = np.array(columns[name], dtype=dtype)
        return columns

    def _title(self) -> str:
        """Which class and months were watched."""
        first, last = map(on_one_line, plain(self.time.coordinates[[0, -1]]))
        promise = "anytime-valid" if self.horizon is None else f"horizon {self.horizon}"
        months = f"{self.time.name} {first} to {last}, {promise}"
        false_alarms = f"{100 * (1 - self.confidence_level):.4g} % false alarms per row"
        return f"Alarms{class_text(self.label)} over {months} (at most {false_alarms})"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AcrossGroups(Result):
    """What the differences in several groups say together, a row for each metric and pair.

    Attributes
    ----------
    metric, label, model, reference : ndarray
        As in the comparison.
    n_groups : ndarray of int
        The number of groups.
    direction : ndarray of object
        "higher" or "lower" where the model's value is that in every group, compared with the
        reference; else None.
    p_in_every_group : ndarray of float
        The two-sided p-value of the claim that the values differ in this direction in every group:
        the largest one of all groups, which needs no correction; 1 without a direction.
    p_not_worse : ndarray of float
        That of the claim that the model is not worse by the margin in any group, one-sided as in
        `ComparisonRow`; None without a margin.
    p_same : ndarray of float
        The p-value of equality of the differences in all groups, or of the ratios: Cochran's Q.
    method : ndarray of str
        How they were computed.
    confidence_level : float
        That of the comparison.
    margin : float or None
        The same.
    caveats : tuple of Caveat
        Why p-values may not hold their level, and which groups they leave out.

    Examples
    --------
    >>> from skmetrics_ext import compare
    >>> y = [0, 1] * 120
    >>> models = {"a": [0, 1] * 120, "b": [0, 1, 0, 1, 1, 0] * 40}
    >>> across = compare(y, models, "accuracy", by=["x", "y"] * 120).across_groups
    >>> across.direction.tolist(), bool(across.p_in_every_group[0] < 0.05)
    (['higher'], True)
    """

    metric: Any = field(metadata=NAMES)
    label: Any = field(default=None, metadata=LABELS)
    model: Any = field(metadata=NAMES)
    reference: Any = field(metadata=NAMES)
    n_groups: Any = field(metadata=SAMPLES)
    direction: Any = field(metadata=NAMES)
    p_in_every_group: Any = field(metadata=P_VALUES)
    p_not_worse: Any = field(default=None, metadata=P_VALUES_OF_MARGIN)
    p_same: Any = field(metadata=P_VALUES)
    method: Any = field(metadata=METHODS)
    confidence_level: float = field(metadata=OF_ALL)
    margin: float | None = field(default=None, metadata=OF_ALL)

    _has_coordinates: ClassVar[bool] = False

    def _title(self) -> str:
        """What the p-values are of."""
        return (
            f"Across groups{in_title(self)}: a difference in every group, and the same one "
            "(uncorrected p-values)"
        )

    def _columns(self) -> dict[str, Any]:
        """The columns of a data frame, of a margin only with one."""
        columns = super()._columns()
        if self.margin is None:
            del columns["p_not_worse"]
        return columns

    def _by_metric(self) -> dict[str, Result]:
        """None: there are no limits."""
        return {}

    def _in_words(self, at: Mapping[str, Any], style: Style) -> str:  # noqa: ARG002
        """What the p-values are of."""
        everywhere, same = map(equation_of_p, self._texts_of_p())
        side = "not on one side of" if self.direction is None else f"{self.direction} than"
        return (
            f"{in_words(self.metric)}{class_text(self.label)} of {self.model} was {side} that of "
            f"{self.reference} in every group ({everywhere}); that it differs by the same in all "
            f"{self.n_groups} groups has {same}{caveats_in_words(self)}"
        )

    def _texts_of_p(self) -> list[str]:
        """Both p-values of a single entry."""
        columns = ("p_in_every_group", "p_same")
        return [p_values(self, self._column(name))[0] for name in columns]


class ComparisonRow(NamedTuple):
    """One metric compared between two models, or two groups.

    Attributes
    ----------
    metric : str
        The metric as requested; "roc_auc" for curves.
    model, reference : str
        The names of the models or groups; with a baseline, the reference is this.
    value, reference_value : float
        The values of the metric.
    difference : float
        value - reference_value.
    low, high : float
        Its confidence limits, or those of the ratio, simultaneous with other rows' if corrected.
    p_value, p_adjusted : float
        p-value of the test of equal values, without and with the correction.
    method : str
        How the confidence limits and the p-value were computed.
    p_not_worse : float or None
        One-sided p-value, corrected, of the test that the model is worse by the margin or more;
        None without a margin.
    p_equivalent : float or None
        The larger of two such p-values, in both directions; None without a margin.
    not_worse, equivalent : bool or None
        Whether the model is shown to be worse by less than the margin, or both to differ by less:
        if the p-value is at most (1 - confidence_level) / 2. None without a margin, or if that is
        NaN.
    caveats : tuple of Caveat
        Why limits or p-values may not hold their level.
    confidence_level : float
        The level of the limits of this row alone.
    ratio : float or None
        value / reference_value, with `kind="ratio"`.
    group : label, tuple of them or None
        The group of the samples, with `by=`.
    label : label or None
        The class the values refer to; None for averages and for metrics over all classes.

    Examples
    --------
    >>> from skmetrics_ext import compare
    >>> y = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    >>> models = {"a": [0, 0, 0, 0, 0, 1, 1, 1, 1, 1], "b": [0, 0, 1, 1, 1, 1, 1, 1, 0, 0]}
    >>> [row] = compare(y, models, "accuracy").rows
    >>> row.model, row.reference, round(row.difference, 2)
    ('a', 'b', 0.5)
    """

    metric: str
    model: str
    reference: str
    value: float
    reference_value: float
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
    caveats: tuple[Caveat, ...] = ()
    confidence_level: float = np.nan
    ratio: float | None = None
    group: Any = None
    label: Any = None

    def to_dict(self) -> dict[str, Any]:
        """The attributes as plain values for JSON, as `Comparison.to_dict` has them of each row.

        The design of the samples and the seed are those of the comparison, whose `to_dict` has
        them.

        Returns
        -------
        dict
            The attributes, "result", "version", "sides" of the limits, "sources" of the methods,
            and "reasons" why values are null.
        """
        entry, values = self._alone(), self._asdict()
        reasons = {name: why for name, why in why_null(entry).items() if name in values}
        values["caveats"] = plain_caveats(self.caveats)
        return {
            **head_of(self),
            "sides": entry._sides,
            **plain_value(values),
            "sources": sources_of(self.method),
            "reasons": reasons,
        }

    def sentence(self, *, digits: int = 2) -> str:
        """The row in words, for a report, with the level that its limits have alone.

        Parameters
        ----------
        digits : int, default=2
            Number of decimal places in the text.

        Returns
        -------
        str
        """
        return self._alone().sentence(digits=digits)

    def _alone(self) -> Comparison:
        """A comparison of this row alone, at the level of its limits."""
        kind = "difference" if self.ratio is None else "ratio"
        return Comparison(**self._asdict(), level_of_row=self.confidence_level, kind=kind)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Comparison(Result):
    """Whether models differ on the same samples, or groups in a metric: one row per pair.

    Attributes
    ----------
    metric, model, reference, value, reference_value, difference, low, high : ndarray
        Of each row, as in `ComparisonRow`.
    p_value, p_adjusted, method, p_not_worse, p_equivalent, not_worse, equivalent : ndarray
        The same.
    level_of_row, ratio, group, label : ndarray
        The same.
    kind : {"difference", "ratio"}
        What the limits are of.
    by : str or None
        The name of the groups.
    across_groups : AcrossGroups or None
        Whether models differ in every group, and by the same in all, with `by=`.
    confidence_level : float
        Confidence level of all intervals together; without a correction, that of each.
    correction : str or None
        Multiple-testing correction of p_adjusted, p_not_worse, p_equivalent and the limits.
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

    metric: Any = field(metadata=NAMES)
    label: Any = field(default=None, metadata=LABELS)
    model: Any = field(metadata=NAMES)
    reference: Any = field(metadata=NAMES)
    group: Any = field(default=None, metadata=NAMES)
    value: Any = field(metadata=VALUES)
    reference_value: Any = field(metadata=VALUES)
    difference: Any = field(metadata=DIFFERENCES)
    ratio: Any = field(default=None, metadata=of_entries({TEXTS: only_of_ratios}))
    low: Any = field(metadata=of_entries({TEXTS: limits_of_kind}))
    high: Any = field(metadata=of_entries({TEXTS: limits_of_kind}))
    p_value: Any = field(metadata=P_VALUES)
    p_adjusted: Any = field(metadata=of_entries({TEXTS: if_corrected}))
    method: Any = field(metadata=NAMES)
    p_not_worse: Any = field(default=None, metadata=P_VALUES_OF_MARGIN)
    p_equivalent: Any = field(default=None, metadata=P_VALUES_OF_MARGIN)
    not_worse: Any = field(default=None, metadata=ANSWERS_OF_MARGIN)
    equivalent: Any = field(default=None, metadata=ANSWERS_OF_MARGIN)
    level_of_row: Any = field(default=np.nan, metadata=of_entries())
    confidence_level: float = field(metadata=OF_ALL)
    correction: str | None = field(default=None, metadata=OF_ALL)
    margin: float | None = field(default=None, metadata=OF_ALL)
    kind: str = field(default="difference", metadata=OF_ALL)
    by: str | None = field(default=None, metadata=OF_ALL)
    across_groups: AcrossGroups | None = field(default=None, metadata=OF_ALL)

    _most: ClassVar[int] = 40
    _has_coordinates: ClassVar[bool] = False
    _is_of_difference: ClassVar[bool] = True

    def __repr__(self) -> str:
        parts = [self._table().as_text()]
        if self.across_groups is not None:
            parts.append(repr(self.across_groups))
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        """The rows as an HTML table, for notebooks."""
        of_all = "" if self.across_groups is None else self.across_groups._repr_html_()
        return super()._repr_html_() + of_all

    @property
    def rows(self) -> tuple[ComparisonRow, ...]:
        """A named tuple per metric and pair."""
        return tuple(map(self._row, range(np.size(self.difference))))

    def _row(self, place: int) -> ComparisonRow:
        """One row, with the level of its own limits."""
        entry = entry_at(self, (place,))
        own = {"confidence_level": entry.level_of_row}
        return ComparisonRow(
            **{name: own.get(name, getattr(entry, name)) for name in ComparisonRow._fields}
        )

    @property
    def _estimate(self) -> Any:
        """The differences, or ratios."""
        return self.ratio if self.kind == "ratio" else self.difference

    @property
    def n(self) -> float:
        """How many samples they are of is not said."""
        return math.nan

    @property
    def _hold_together(self) -> bool:
        """Whether the limits of all rows hold together."""
        return self.correction is not None

    def _lines(self) -> list[Sequence[float]]:
        """Equality, and the margin."""
        equality = EQUALITY[self.kind]
        lines = (equality,) if self.margin is None else (-self.margin, equality, self.margin)
        return [lines] * np.size(self.difference)

    def _lines_of_p(self) -> list[Sequence[float]]:
        """The errors of two sides, of all rows and of each, and, with a margin, of one."""
        of_all = list(lines_of_p(self.confidence_level))
        if self.margin is not None:
            of_all.append(round((1 - self.confidence_level) / 2, ROUNDED))
        levels = self._column("level_of_row")
        return [of_all if np.isnan(level) else [*of_all, *lines_of_p(level)] for level in levels]

    def _are_open(self) -> Any:
        """Which differences may be none."""
        return ~(self.p_adjusted < 1 - self.confidence_level)

    @property
    def _level_of_each_limit(self) -> float:
        """That of one side of a row."""
        return (1 + float(np.ravel(self.level_of_row)[0])) / 2

    def _subject(self) -> str:
        """The metric and the models."""
        group = "" if self.group is None else f" in {on_one_line(self.group)}"
        sign = "divided by" if self.kind == "ratio" else "minus"
        return f"the {self._title_of_value()} ({self.model} {sign} {self.reference}){group}"

    def _limits_in_words(self) -> str:
        """The level, which may be that of all limits together."""
        return f"{'simultaneous ' * self._are_several}{super()._limits_in_words()}"

    @property
    def _are_several(self) -> bool:
        """Whether a row is corrected for others."""
        return bool(self.level_of_row > self.confidence_level)

    def _details(self, style: Style) -> list[str]:
        """Both values, the test, the margin and the method."""
        of_both = f"{number(self.value, style)} against {number(self.reference_value, style)}"
        [p_value] = p_values_in_print(self, [self.p_adjusted])
        corrected = f" by {self.correction}" if self._are_several else ""
        # A row alone does not know by what.
        corrected = corrected or ", corrected" * (self.p_adjusted > self.p_value)
        answers = [
            f"{name.replace('_', ' ')}: {'yes' if answer else 'no'}"
            for name in VERDICTS_ON_MARGIN
            if (answer := getattr(self, name)) is not None
        ]
        return [of_both, f"{equation_of_p(p_value)}{corrected}", *answers, str(self.method)]

    def _by_metric(self) -> dict[str, Result]:
        """The rows of each metric, by their models."""
        if len(self.axes) > 1:
            return {self._name_of_metric: self}
        return {metric: self._of_metric(metric) for metric in dict.fromkeys(self.metric.tolist())}

    def _of_metric(self, metric: str) -> Comparison:
        """The rows of a metric, by their models, and groups."""
        rows = taken(self, np.flatnonzero(self.metric == metric))
        sign = self._sign
        models = [
            f"{one} {sign} {other}" for one, other in zip(rows.model, rows.reference, strict=True)
        ]
        if self.by is None:
            return replace(rows, axes=(Axis("models", np.array(models)),))
        groups = [*dict.fromkeys(rows.group.tolist())]
        names_of_groups = np.empty(len(groups), dtype=object)
        names_of_groups[:] = groups
        of_pairs = Axis("models", np.array([*dict.fromkeys(models)]))
        return over_axes(rows, (of_pairs, Axis(self.by, names_of_groups)))

    @property
    def _sign(self) -> str:
        """What stands between two models that are compared."""
        return "/" if self.kind == "ratio" else "-"

    def _title_of_value(self) -> str:
        """What the rows of one metric compare."""
        of_class = class_text(label_of_all(self._column("label")))
        what = "ratio of" if self.kind == "ratio" else "difference in"
        return f"{what} {self._name_of_metric}{of_class}"

    def _columns(self) -> dict[str, Any]:
        """The columns of a data frame, of a margin only with one."""
        columns = super()._columns()
        columns["confidence_level"] = columns.pop("level_of_row")
        of_none = [*OF_MARGIN] if self.margin is None else []
        of_none += [] if self.kind == "ratio" else ["ratio"]
        of_none += ["group"] if self.by is None else []
        return {name: column for name, column in columns.items() if name not in of_none}

    def _printed(self, style: Style) -> TextTable:
        """The rows for a paper, with p-values corrected if they are."""
        estimates = (self._estimate, self.low, self.high)
        p_value = "p" if self.correction is None else f"p ({self.correction})"
        texts = self._texts()
        of_labels = ["label"] if "label" in texts else []
        of_rows = ["metric", *of_labels, "model", "reference", *(["group"] if self.by else [])]
        columns = {name: names(self, self._column(name)) for name in of_rows}
        columns |= {
            "value": [number(value, style) for value in self._column("value")],
            "reference value": [number(value, style) for value in self._column("reference_value")],
            self.kind: self._marked(cells_with_limits(estimates, None, style, self._lines())),
            p_value: p_values_in_print(self, self._column("p_adjusted")),
        }
        columns |= {
            name.replace("_", " "): texts[name] for name in VERDICTS_ON_MARGIN if name in texts
        }
        notes = [] if self.margin is None else [self._of_margin()]
        title = f"{what_intervals_are(self)}{in_title(self)}"
        rows = tuple(zip(*columns.values(), strict=True))
        all_notes = (*notes, *self._notes())
        title = title[0].upper() + title[1:]
        return TextTable(title, tuple(columns), rows, len(of_rows), all_notes)

    def _title(self) -> str:
        """What is compared, and by what."""
        n_rows = np.size(self.difference)
        rows = "1 row" if n_rows == 1 else f"{n_rows} rows"
        by = "" if self.by is None else f" by {self.by}"
        what = (
            f"Comparison of {rows}{by}{in_title(self)}: {self.kind} = model {self._sign} reference"
        )
        parts = [what, what_intervals_are(self)]
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
    if np.size(comparison.difference) == 1:
        return level
    if comparison.correction is None:
        return f"uncorrected {level}"
    of_each = f"{100 * float(np.ravel(comparison.level_of_row)[0]):.4g} % each"
    return f"simultaneous {level}, {of_each}"


def in_title(result: Result) -> str:
    """The class of all rows, behind a title."""
    label = label_of_all(result._column("label"))
    return "" if label is None else f", class {class_text(label).removeprefix(' of ')}"


def samples_in_words(numerator: float, n: float) -> str:
    """The samples of a value: "90 of 100", or how many there are, if known."""
    if math.isnan(n):
        return ""
    return f"n = {n:.0f}" if math.isnan(numerator) else f"{numerator:.0f} of {n:.0f}"


def is_least_p(p_value: float, n_permutations: int) -> bool:
    """Whether no permutation was as far: the p-value is only known to be less."""
    return n_permutations > 0 and p_value <= 1 / (1 + n_permutations)


def p_values_in_print(result: Result, column: Sequence[float]) -> list[str]:
    """p-values of a result as in journals, of which some are the least of their test."""
    of_each = zip(column, result._lines_of_p(), result._are_least_p(), strict=True)
    return [
        p_in_print(p_value, lines, p_value if is_least else 0.0)
        for p_value, lines, is_least in of_each
    ]
