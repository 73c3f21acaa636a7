"""Gap: how far a metric of groups is from equal, or one for each entry."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.columns import in_columns
from skmetrics_ext.writing.frames import columns_of_grid, frame
from skmetrics_ext.writing.html_table import html_table, shown_rows
from skmetrics_ext.writing.words import on_one_line

COLUMNS = ("value", "low", "high", "p_value", "least", "most")
# The columns of text.
NAMES = ("least", "most", "left_out")
MOST_ENTRIES = 20


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
        Name of the metric.
    kind : {"difference", "ratio", "std"}
        How the gap is measured.
    confidence_level : float
        The share of samples whose interval covers the truth.
    axes : tuple of (name, coordinates)
        What the entries are: the axes besides that of the groups, and classes.
    baseline : label or None
        The group that all others are compared with; None: all pairs are.

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
    0.2000 [0.0731, 0.3185] 95 %, p = 0.00319: difference of recall, least 1, most 0
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

    def __post_init__(self) -> None:
        for name in (*COLUMNS, "left_out"):
            if isinstance(of_entries := getattr(self, name), np.ndarray):
                own = of_entries.copy()
                own.setflags(write=False)
                object.__setattr__(self, name, own)
        object.__setattr__(self, "axes", tuple(Axis(*axis) for axis in self.axes))

    def __reduce__(self) -> tuple[Any, ...]:
        # Axes as plain pairs: a pickle names public classes alone, since others may move.
        values = (getattr(self, name) for name in COLUMNS)
        about = self.left_out, self.metric, self.kind, self.confidence_level
        return type(self), (*values, *about, tuple(map(tuple, self.axes)), self.baseline)

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] | None = None) -> Any:
        """One row an entry: its coordinates, "value", "low", "high", "p_value", "least", "most" and "baseline".

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            Library of the frame. None: pandas if it is installed, else polars.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
        """
        columns = {name: self._entries(name) for name in COLUMNS}
        columns["baseline"] = [self.baseline] * len(columns["value"])
        return frame({**columns_of_grid(self.axes), **columns}, backend)

    def _repr_html_(self) -> str:
        """The gaps and their limits as an HTML table, for notebooks."""
        rows = [(row[0], row[1:]) for row in self._rows()]
        return html_table(self._heads(), [shown_rows(rows, MOST_ENTRIES)], self._about())

    def __repr__(self) -> str:
        if not self.axes:
            value, low, high, p_value, least, most, *left_out = self._rows()[0]
            limits = "" if self.kind == "std" else f" [{low}, {high}] {100 * self.confidence_level:g} %"
            text = f"{value}{limits}, p = {p_value}: {self._measure()}, least {least}, most {most}"
            return text + "".join(f", left out {names}" for names in left_out)
        rows, heads = self._rows(), self._heads()
        more = [f"... and {len(rows) - MOST_ENTRIES} more"] if len(rows) > MOST_ENTRIES else []
        are_names = [place < len(self.axes) or name in NAMES for place, name in enumerate(heads)]
        return "\n".join([self._about(), in_columns(heads, rows[:MOST_ENTRIES], are_names), *more])

    def _about(self) -> str:
        """What the entries are."""
        by = f" by {', '.join(axis.name for axis in self.axes)}" if self.axes else ""
        return f"Gap{by} ({self._measure()}, {100 * self.confidence_level:g} %)"

    def _measure(self) -> str:
        """What is compared, and with whom."""
        than = "" if self.baseline is None else f", baseline {on_one_line(self.baseline)}"
        return f"{self.kind} of {self.metric}{than}"

    def _heads(self) -> list[str]:
        """The names of the columns."""
        return [*(axis.name for axis in self.axes), *COLUMNS, *(["left_out"] if self._leaves_out() else [])]

    def _rows(self) -> list[list[str]]:
        """The cells of all entries."""
        numbers = zip(*(self._entries(name) for name in COLUMNS), self._entries("left_out"), strict=True)
        coordinates = itertools.product(*(map(on_one_line, plain(axis.coordinates)) for axis in self.axes))
        rows = []
        for entry, (value, low, high, p_value, least, most, left_out) in zip(coordinates, numbers, strict=True):
            cells = [*(f"{number:.4f}" for number in (value, low, high)), f"{p_value:.3g}"]
            cells += ["-" if name is None else on_one_line(name) for name in (least, most)]
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
