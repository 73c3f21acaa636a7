"""Gap: how far a metric of groups is from equal, or one for each entry."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.order import plain
from skmetrics_ext.uncertainty.interval import numbers_of_samples
from skmetrics_ext.writing.frames import column_of_one, columns_of_grid, frame
from skmetrics_ext.writing.text import ShownTable, of_class, on_one_line, p_as_text

COLUMNS = ("value", "low", "high", "p_value", "least", "most")
# The columns of text.
NAMES = ("least", "most", "left_out")


@dataclass(frozen=True, eq=False, repr=False)
class Gap:
    """How far a metric is apart between groups, with its interval and the p value of equality, or arrays of them.

    Attributes
    ----------
    value : float or ndarray
        Of "difference" the greatest value of a group less the least, of "ratio" the least over the
        greatest, of "std" the standard deviation of the values of the groups. With a baseline the
        largest difference from its value, or the least of the ratios of the lower value to the higher.
    low, high : float or ndarray
        The limits, of the shape of `value`; nan for "std".
    p_value : float or ndarray
        How probable values so far apart are where the metric is equal in all groups.
    least, most : label or ndarray of object
        The groups with the least and the greatest value. With a baseline it is one of them and the other is
        the group that `value` compares it with; None where there is no such group.
    left_out : tuple or ndarray of tuples
        The groups that are too small, or in which the metric is undefined.
    metric : str
        The name that was asked for, with its average: "recall_macro".
    kind : {"difference", "ratio", "std"}
        How the gap is measured.
    confidence_level : float
        The share of samples whose interval covers the truth.
    axes : tuple of (name, coordinates)
        What the entries are: the axes besides that of the groups, and classes.
    baseline : label or None
        The group that all others are compared with; None: all pairs are.
    label : label or None
        The class that the values are of; None of averages, of metrics over all classes, and of an axis of classes.
    method : str
        How the limits and the p value were found.
    n : int, ndarray of int or None
        Number of samples, as of an `Interval`, of all groups that are compared. None: not known.
    n_permutations : int
        Of which the p value was found, so that none is below 1 / (1 + n_permutations); 0 of tests without.

    Notes
    -----
    A group of few samples is easily the worst or the best, by chance. What a metric counts is the samples of
    its denominator, of several denominators or the classes of a macro average the fewest: of recall the actual
    positives, of precision the predicted ones, of balanced accuracy those of the rarest class, of accuracy
    all. F1 and others that need some positives do not count true negatives, nor do MCC and kappa count the
    class that is most often right, as it is; of your own metrics all samples count.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> by_sex = [[[70, 30], [20, 80]], [[80, 20], [40, 60]]]
    >>> gap = ConfusionMatrix.from_counts(by_sex, labels=["no", "yes"]).gap("recall")
    >>> gap
    0.2000 [0.0731, 0.3185] 95 %, p = 0.00319: difference of recall of 'yes', least 1, most 0 (MOVER, Fisher, n = 200)
    >>> round(gap.p_value, 4)
    0.0032
    """

    value: Any
    low: Any
    high: Any
    p_value: Any
    least: Any
    most: Any
    left_out: Any = ()
    metric: str = ""
    kind: str = "difference"
    confidence_level: float = 0.95
    axes: tuple[Axis, ...] = ()
    baseline: Label | None = None
    label: Label | None = None
    method: str = ""
    n: Any = None
    n_permutations: int = 0

    def __post_init__(self) -> None:
        for name in (*COLUMNS, "left_out", "n"):
            if isinstance(of_entries := getattr(self, name), np.ndarray):
                own = of_entries.copy()
                own.setflags(write=False)
                object.__setattr__(self, name, own)
        object.__setattr__(self, "axes", tuple(Axis(*axis) for axis in self.axes))

    def __reduce__(self) -> tuple[Any, ...]:
        # Axes as plain pairs: a pickle names public classes alone, since others may move.
        values = (getattr(self, name) for name in COLUMNS)
        about = self.left_out, self.metric, self.kind, self.confidence_level, tuple(map(tuple, self.axes))
        found = self.baseline, self.label, self.method, self.n, self.n_permutations
        return type(self), (*values, *about, *found)

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] | None = None) -> Any:
        """One row an entry: its coordinates, "metric", "label", "kind", the values, and how these were found.

        The values are "value", "low", "high", "p_value", "least", "most" and "baseline", the last columns
        "confidence_level", "method" and "n". An axis of one of these names stands in its place.

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            Library of the frame. None: pandas if it is installed, else polars.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
        """
        grid, size = columns_of_grid(self.axes), np.size(self.value)
        columns = {"metric": [self.metric] * size, "label": column_of_one(self.label, size), "kind": [self.kind] * size}
        columns |= {name: self._entries(name) for name in COLUMNS}
        columns |= {name: [getattr(self, name)] * size for name in ("baseline", "confidence_level", "method")}
        columns["n"] = [None] * size if self.n is None else self._entries("n")
        return frame({**grid, **{name: column for name, column in columns.items() if name not in grid}}, backend)

    def _repr_html_(self) -> str:
        """The gaps and their limits as an HTML table, for notebooks."""
        return self._table().as_html()

    def __repr__(self) -> str:
        if not self.axes:
            value, low, high, p_value, least, most, *_ = self._rows()[0]
            limits = "" if self.kind == "std" else f" [{low}, {high}] {100 * self.confidence_level:g} %"
            p_text = f"p {p_value}" if p_value.startswith("<") else f"p = {p_value}"
            text = f"{value}{limits}, {p_text}: {self._measure()}, least {least}, most {most}"
            text += f", left out {', '.join(map(on_one_line, self.left_out))}" if self.left_out else ""
            found = [*([self.method] if self.method else []), *([] if self.n is None else [f"n = {self.n}"])]
            return f"{text} ({', '.join(found)})" if found else text
        return self._table().as_text()

    def _table(self) -> ShownTable:
        """The entries for people, with a title that says what they are."""
        names = [axis.name for axis in self.axes]
        by = f" by {', '.join(names)}" if names else ""
        more = [*([] if self.n is None else ["n"]), *(["left_out"] if self._leaves_out() else [])]
        heads = [*names, *COLUMNS, *more]
        are_names = [place < len(names) or head in NAMES for place, head in enumerate(heads)]
        found = f", {self.method}" if self.method else ""
        title = f"Gap{by} ({self._measure()}, {100 * self.confidence_level:g} %{found})"
        return ShownTable(title, heads, self._rows(), are_names)

    def _measure(self) -> str:
        """What is compared, and with whom."""
        than = "" if self.baseline is None else f", baseline {on_one_line(self.baseline)}"
        return f"{self.kind} of {self.metric}{of_class(self.label)}{than}"

    def _rows(self) -> list[list[str]]:
        """The cells of all entries."""
        n_of_each = numbers_of_samples(self.n, np.size(self.value))
        numbers = zip(*(self._entries(name) for name in (*COLUMNS, "left_out")), n_of_each, strict=True)
        coordinates = itertools.product(*(map(on_one_line, plain(axis.coordinates)) for axis in self.axes))
        rows = []
        floor = 1 / (1 + self.n_permutations) if self.n_permutations else 0.0
        for entry, (value, low, high, p_value, least, most, left_out, n) in zip(coordinates, numbers, strict=True):
            cells = [*(f"{number:.4f}" for number in (value, low, high)), p_as_text(p_value, floor)]
            cells += ["-" if name is None else on_one_line(name) for name in (least, most)]
            cells += map(str, n)
            cells += [", ".join(map(on_one_line, left_out))] if self._leaves_out() else []
            rows.append([*entry, *cells])
        return rows

    def _leaves_out(self) -> bool:
        """Whether a group is left out of any entry."""
        return any(map(len, self._entries("left_out")))

    def _entries(self, name: str) -> list[Any]:
        """A value, or those of all entries in one list."""
        found = getattr(self, name)
        return found.ravel().tolist() if isinstance(found, np.ndarray) else [found]
