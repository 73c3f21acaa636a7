"""The results of intervals, gaps and comparisons: values with names, frames and text."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.frames import column_of_one, columns_of_grid, frame
from skmetrics_ext.writing.text import ShownTable, of_class, on_one_line, p_as_text

MOST_ROWS = 20
COLUMNS = ("value", "low", "high", "p_value", "lowest_group", "highest_group")
# The columns of text.
NAMES_OF_GAP = ("lowest_group", "highest_group", "excluded_groups")
# The columns of text.
NAMES_OF_COMPARISON = ("metric", "a", "b", "method", "not_worse", "equivalent")
OF_MARGIN = ("p_not_worse", "p_equivalent", "not_worse", "equivalent")
MOST_SHOWN = 40


class Result:
    """Common parts of results: single values, arrays that can't be written to, also in copies,
    equality by value.
    """

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                own = value.copy()
                own.setflags(write=False)
                object.__setattr__(self, name, own if own.ndim else own.item())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(vars(self).values())

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and _are_same(
            *(tuple(vars(one).values()) for one in (self, other))
        )

    def __repr__(self) -> str:
        return self._table().as_text()

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] | None = None) -> Any:
        """The attributes as columns of a data frame: one row per entry or per row of a comparison.

        Coordinates of the entries come first, and "metric" and "label" follow; an axis with the
        name of a column replaces that column. A `Comparison` has "p_not_worse", "p_equivalent",
        "not_worse" and "equivalent" only with a margin; a `FoldComparison` is one row, in which the
        probabilities are "worse", "equivalent" and "better", null without a rope.

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

    def _repr_html_(self) -> str:
        """The rows as an HTML table, for notebooks."""
        return self._table().as_html()

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of a data frame."""
        raise NotImplementedError

    def _columns_of(self, names: Iterable[str], size: int) -> dict[str, list[Any]]:
        """Attributes as columns: an array by its entries, anything else the same in each row."""
        found = ((name, getattr(self, name)) for name in names)
        return {
            name: of.ravel().tolist() if isinstance(of, np.ndarray) else [of] * size
            for name, of in found
        }

    def _table(self) -> ShownTable:
        """The rows for people, with a title that says what they are."""
        raise NotImplementedError


def behind_coordinates(
    axes: tuple[Axis, ...], columns: dict[str, list[Any]]
) -> dict[str, list[Any]]:
    """The columns behind the coordinates of the entries, which replace those of the same name."""
    grid = columns_of_grid(axis[:2] for axis in axes)
    return {**grid, **{name: column for name, column in columns.items() if name not in grid}}


def names_of_entries(axes: tuple[Axis, ...]) -> Iterator[tuple[str, ...]]:
    """The coordinates of each entry as text."""
    return itertools.product(*(map(on_one_line, plain(axis.coordinates)) for axis in axes))


def _are_same(one: Any, other: Any) -> bool:
    """Whether values of fields are equal: tuples and arrays entry by entry, with nan
    equal to nan.
    """
    if isinstance(one, tuple) or isinstance(other, tuple):
        return (
            type(one) is type(other) and len(one) == len(other) and all(map(_are_same, one, other))
        )
    one, other = np.asarray(one), np.asarray(other)
    return one.shape == other.shape and bool(
        ((one == other) | ((one != one) & (other != other))).all()
    )


@dataclass(frozen=True, eq=False, repr=False)
class Interval(Result):
    """A value with its confidence interval, or arrays of these.

    Attributes
    ----------
    value : float or ndarray
        The estimate, as returned by `ConfusionMatrix.score`; nan where it is 0/0 and no
        `zero_division` was given.
    low, high : float or ndarray
        Confidence limits, with the same shape as `value`.
    confidence_level : float
        The nominal coverage of each interval, or of all intervals jointly with `simultaneous=True`.
    method : str
        How the confidence limits were computed.
    n_undefined : int or ndarray of int
        Number of replicates omitted because the value is undefined in them; 0 for methods without
        replicates.
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

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
    >>> interval = cm.interval("recall")
    >>> interval
    recall of 'yes' 0.9000 [0.7864, 0.9565] 95 %, Wilson, n = 50
    >>> print(round(interval.high - interval.low, 3))
    0.17
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

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of a data frame."""
        size = np.size(self.value)
        names = ("metric", "label", "value", "low", "high", "confidence_level", "method", "n")
        of_label = {"label": column_of_one(self.label, size)}
        return behind_coordinates(self.axes, self._columns_of(names, size) | of_label)

    def _table(self) -> ShownTable:
        """The entries as shown, with a title."""
        entries = zip(names_of_entries(self.axes), self._rows(), strict=True)
        rows = [
            [*entry, *(f"{number:.4f}" for number in numbers), *map(str, n)]
            for entry, (*numbers, n) in entries
        ]
        headers = [
            *(axis.name for axis in self.axes),
            "value",
            "low",
            "high",
            *([] if self.n is None else ["n"]),
        ]
        caption = f"Interval{self._of()} ({self._about()})"
        return ShownTable(caption, headers, rows, most=MOST_ROWS)

    def __repr__(self) -> str:
        texts = [f"{value:.4f} [{low:.4f}, {high:.4f}]" for value, low, high, _ in self._rows()]
        numbers = ["".join(f", n = {number}" for number in n) for *_, n in self._rows()]
        if not self.axes:
            return f"{self._of()[len(' of ') :]} {texts[0]} {self._about()}{numbers[0]}".lstrip()
        names = [" ".join(entry) for entry in names_of_entries(self.axes)]
        width = max(map(len, names[:MOST_ROWS]), default=0)
        rows = zip(names, texts, numbers, strict=True)
        lines = [f"{name:<{width}}  {text}{n}" for name, text, n in rows][:MOST_ROWS]
        more = [f"... and {len(texts) - MOST_ROWS} more"] if len(texts) > MOST_ROWS else []
        headers = ", ".join(axis.name for axis in self.axes)
        return "\n".join([f"Interval{self._of()} by {headers} ({self._about()})", *lines, *more])

    def _of(self) -> str:
        """Metric and class, as the end of a title."""
        return (f" of {self.metric}" if self.metric else "") + of_class(self.label)

    def _about(self) -> str:
        """Confidence level and method."""
        return f"{100 * self.confidence_level:g} %, {self.method}"

    def _rows(self) -> Iterator[tuple[float, float, float, list[int]]]:
        """Value, confidence limits and the number of samples, if known, of each entry."""
        n = numbers_of_samples(self.n, np.size(self.value))
        return zip(*map(np.ravel, (self.value, self.low, self.high)), n, strict=True)


def numbers_of_samples(n: Any, n_entries: int) -> list[list[int]]:
    """The number of samples of each entry, or nothing if unknown."""
    return [[]] * n_entries if n is None else np.reshape(n, (-1, 1)).tolist()


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
        Confidence limits, with the same shape as `value`.
    p_value : float or ndarray
        Probability of a difference at least as large if the metric is equal in all groups.
    lowest_group, highest_group : label or ndarray of object
        The groups with the lowest and the highest value. With a baseline one of them is the
        baseline and the other is the group that `value` compares it with; None where there is no
        such group.
    excluded_groups : tuple or ndarray of tuples
        Groups omitted because they are too small or the metric is undefined in them.
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
        Number of permutations behind the p-values, so that none is below 1 / (1 + n_permutations);
        0 for tests that use none.

    Notes
    -----
    A small group is easily the worst or the best by chance. A metric's effective sample size is the
    number of samples in its denominator, or the smallest of several denominators or of the classes
    in a macro average: for recall the actual positives, for precision the predicted ones, for
    balanced accuracy the rarest class, for accuracy all. F1 and other metrics that need positives
    do not count true negatives, nor do MCC and kappa count the correct predictions of the class
    with the most of them; for custom metrics all samples count.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> by_sex = [[[70, 30], [20, 80]], [[80, 20], [40, 60]]]
    >>> gap = ConfusionMatrix.from_counts(by_sex, labels=["no", "yes"]).gap("recall")
    >>> gap
    0.2000 [0.0731, 0.3185] 95 %, p = 0.00319: difference of recall of 'yes', 1 below 0 (MOVER, Fisher, n = 200)
    >>> round(gap.p_value, 4)
    0.0032
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

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of a data frame."""
        size = np.size(self.value)
        names = ("metric", "label", "kind", *COLUMNS, "baseline", "confidence_level", "method", "n")
        of_label = {"label": column_of_one(self.label, size)}
        return behind_coordinates(self.axes, self._columns_of(names, size) | of_label)

    def __repr__(self) -> str:
        if not self.axes:
            value, low, high, p_value, lowest, highest, *_ = self._rows()[0]
            limits = f" [{low}, {high}] {100 * self.confidence_level:g} %"
            p_text = f"p {p_value}" if p_value.startswith("<") else f"p = {p_value}"
            text = f"{value}{limits}, {p_text}: {self._measure()}, {lowest} below {highest}"
            text += (
                f", excluded: {', '.join(map(on_one_line, self.excluded_groups))}"
                if self.excluded_groups
                else ""
            )
            found = [
                *([self.method] if self.method else []),
                *([] if self.n is None else [f"n = {self.n}"]),
            ]
            return f"{text} ({', '.join(found)})" if found else text
        return self._table().as_text()

    def _table(self) -> ShownTable:
        """The entries as shown, with a title."""
        names = [axis.name for axis in self.axes]
        by = f" by {', '.join(names)}" if names else ""
        more = [
            *([] if self.n is None else ["n"]),
            *(["excluded_groups"] if self._leaves_out() else []),
        ]
        headers = [*names, *COLUMNS, *more]
        are_names = [
            place < len(names) or head in NAMES_OF_GAP for place, head in enumerate(headers)
        ]
        found = f", {self.method}" if self.method else ""
        title = f"Gap{by} ({self._measure()}, {100 * self.confidence_level:g} %{found})"
        return ShownTable(title, headers, self._rows(), are_names)

    def _measure(self) -> str:
        """What is compared, and with which group."""
        than = "" if self.baseline is None else f", baseline {on_one_line(self.baseline)}"
        return f"{self.kind} of {self.metric}{of_class(self.label)}{than}"

    def _rows(self) -> list[list[str]]:
        """The cells of all entries."""
        size = np.size(self.value)
        columns = self._columns_of((*COLUMNS, "excluded_groups"), size).values()
        entries = zip(
            names_of_entries(self.axes), *columns, numbers_of_samples(self.n, size), strict=True
        )
        rows = []
        floor = 1 / (1 + self.n_permutations) if self.n_permutations else 0.0
        for entry, value, low, high, p_value, lowest, highest, excluded, n in entries:
            cells = [*(f"{number:.4f}" for number in (value, low, high)), p_as_text(p_value, floor)]
            cells += ["-" if name is None else on_one_line(name) for name in (lowest, highest)]
            cells += map(str, n)
            cells += [", ".join(map(on_one_line, excluded))] if self._leaves_out() else []
            rows.append([*entry, *cells])
        return rows

    def _leaves_out(self) -> bool:
        """Whether a group is omitted from any entry."""
        return any(map(len, self._columns_of(["excluded_groups"], 1)["excluded_groups"]))


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
        An estimate of the month in which it began: the one for which the data from it to
        `alarm_time` speak most for a value out of bounds. None without an alarm.
    value : ndarray of shape (n_claims, n_months, ...)
        The metric in each month; nan where undefined.
    e_value : ndarray of shape (n_claims, n_months, ...)
        The e-process at the end of each month: the evidence against the claim so far. The alarm is
        raised when it reaches 1 / (1 - confidence_level), and stays.
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

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of a data frame."""
        columns: dict[str, Any] = {"label": column_of_one(self.label, self.alarm.size)}
        columns["alarm"] = self.alarm.ravel().tolist()
        dtype = self.time.coordinates.dtype
        for name in ("alarm_time", "change_time"):
            at = getattr(self, name).ravel()
            columns |= (
                columns_of_grid([(name, at.astype(dtype))])
                if dtype.kind in "mM"
                else {name: at.tolist()}
            )
        columns["largest_e_value"] = self.e_value.max(1).ravel().tolist()
        return behind_coordinates(self.axes, columns)

    def _table(self) -> ShownTable:
        """The claims and entries as shown, with a title."""
        columns = (self.alarm, self.alarm_time, self.change_time, self.e_value.max(1))
        entries = zip(
            names_of_entries(self.axes), *(column.flat for column in columns), strict=True
        )
        rows = [
            [
                *entry,
                "yes" if alarm else "no",
                *("-" if at is None else on_one_line(at) for at in months),
                f"{e:.3g}",
            ]
            for entry, alarm, *months, e in entries
        ]
        names = [axis.name for axis in self.axes]
        first, last = map(on_one_line, plain(self.time.coordinates[[0, -1]]))
        of_time = (
            f"{of_class(self.label)} over {self.time.name} {first} to {last}, horizon "
            f"{self.horizon}"
        )
        title = (
            f"Alarms{of_time} (at most {100 * (1 - self.confidence_level):.4g} % false alarms per "
            "row)"
        )
        headers = [*names, "alarm", "alarm_time", "change_time", "largest_e_value"]
        return ShownTable(title, headers, rows, [head in names for head in headers])


class ComparisonRow(NamedTuple):
    """One metric compared between two models.

    Attributes
    ----------
    metric : str
        The metric as requested; "roc_auc" for curves.
    a, b : str
        The names of the models.
    value_a, value_b : float
        The values of the metric.
    difference : float
        value_a - value_b.
    low, high : float
        Its confidence limits.
    p_value : float
        p-value of the test of zero difference.
    p_adjusted : float
        The p-value after correction for multiple comparisons.
    method : str
        How the confidence limits and the p-value were computed.
    p_not_worse : float or None
        One-sided p-value of the test that a is worse than b by the margin or more, after correction
        for multiple comparisons; None without a margin.
    p_equivalent : float or None
        The larger p-value of two one-sided tests, that a is worse and that it is better by the
        margin or more, after correction; None without a margin.
    not_worse : bool or None
        Whether a is shown to be worse than b by less than the margin: p_not_worse is at most
        (1 - confidence_level) / 2. None without a margin, or if p_not_worse is NaN.
    equivalent : bool or None
        Whether a and b are shown to differ by less than the margin: p_equivalent is at most
        (1 - confidence_level) / 2. None without a margin, or if p_equivalent is NaN.
    n_permutations : int
        Number of permutations behind p_value, which therefore is at least 1 / (1 + n_permutations);
        0 for tests that use none.

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


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Whether models differ on the same samples: one row per metric and pair of models.

    Attributes
    ----------
    rows : tuple of ComparisonRow
        Named tuples of metric, a, b, value_a, value_b, difference (of a - b), low, high, p_value,
        p_adjusted, method, p_not_worse, p_equivalent, not_worse and equivalent (None without a
        margin; corrected), and n_permutations (0 for tests that use none): no permutation p-value
        is below 1 / (1 + n_permutations).
    confidence_level : float
        Confidence level of each individual interval (not simultaneous).
    correction : str or None
        Multiple-testing correction used for p_adjusted, p_not_worse and p_equivalent.
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

    def _columns(self) -> dict[str, list[Any]]:
        """The columns of a data frame."""
        names = [
            name
            for name in ComparisonRow._fields
            if name not in OF_MARGIN or self.margin is not None
        ]
        return {name: [getattr(row, name) for row in self.rows] for name in names}

    def _table(self) -> ShownTable:
        """The rows as shown, with a title."""
        about = [
            f"Comparison of {len(self.rows)} {'row' if len(self.rows) == 1 else 'rows'}: "
            "difference = a - b"
        ]
        about += [
            f"{'uncorrected ' * (len(self.rows) > 1)}{100 * self.confidence_level:g} % confidence "
            "intervals"
        ]
        corrected = (
            "p_adjusted" if self.margin is None else "p_adjusted, p_not_worse and p_equivalent"
        )
        about += [] if self.correction is None else [f"{corrected} by {self.correction}"]
        if self.margin is not None:
            level = 50 * (1 - self.confidence_level)
            about += [
                f"margin {self.margin:g}: not_worse by a one-sided test at {level:.4g} %, "
                "equivalent by two"
            ]
        hidden = ("n_permutations", *(() if self.correction is not None else ("p_adjusted",)))
        names = [name for name in self._columns() if name not in hidden]
        texts = [[_text(name, row) for name in names] for row in self.rows]
        return ShownTable(
            ", ".join(about),
            names,
            texts,
            [name in NAMES_OF_COMPARISON for name in names],
            MOST_SHOWN,
        )


def _text(name: str, row: ComparisonRow) -> str:
    """A cell as shown."""
    value = getattr(row, name)
    if isinstance(value, str):
        return on_one_line(value)
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "unknown"}[value]
    if name.startswith("p_"):
        is_least = (
            name not in OF_MARGIN
            and row.n_permutations > 0
            and row.p_value <= 1 / (1 + row.n_permutations)
        )
        return p_as_text(value, value if is_least else 0.0)
    return f"{value:+.4f}" if name in ("difference", "low", "high") else f"{value:.4f}"
