"""Interval: a value between its limits, or one for each entry."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.frames import column_of_one, columns_of_grid, frame
from skmetrics_ext.writing.text import ShownTable, of_class, on_one_line

MOST_ROWS = 20


@dataclass(frozen=True, eq=False, repr=False)
class Interval:
    """A value between the limits of its confidence interval, or arrays of them.

    Attributes
    ----------
    value : float or ndarray
        What was measured, as `ConfusionMatrix.score` gives it.
    low, high : float or ndarray
        The limits, of the shape of `value`.
    confidence_level : float
        The share of samples whose interval covers the truth; of all intervals at once with `simultaneous=True`.
    method : str
        How the limits were found.
    undefined : int or ndarray of int
        The replicates in which the value is undefined, and which are left out; 0 of methods without.
    axes : tuple of (name, coordinates)
        What the entries are: classes, groups, folds.
    metric : str
        The name that was asked for, with its average: "recall_macro".
    label : label or None
        The class that the value is of; None of averages, of metrics over all classes, and of an axis of classes.
    n : int, ndarray of int or None
        Number of samples, of the shape of `value`: of a share of some of the samples those of its denominator, of
        recall the actual positives; of all else all samples. None: not known.

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
    undefined: Any = 0
    axes: tuple[Axis, ...] = ()
    metric: str = ""
    label: Label | None = None
    n: Any = None

    def __post_init__(self) -> None:
        for name in ("value", "low", "high", "undefined", "n"):
            if isinstance(of_entries := getattr(self, name), np.ndarray):
                own = of_entries.copy()
                own.setflags(write=False)
                object.__setattr__(self, name, own)
        object.__setattr__(self, "axes", tuple(Axis(*axis) for axis in self.axes))

    def __reduce__(self) -> tuple[Any, ...]:
        # Axes as plain pairs: a pickle names public classes alone, since others may move.
        limits = self.value, self.low, self.high, self.confidence_level, self.method, self.undefined
        return type(self), (*limits, tuple(map(tuple, self.axes)), self.metric, self.label, self.n)

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] | None = None) -> Any:
        """One row an entry: its coordinates, "metric", "label", "value", "low", "high" and how these were found.

        The last columns are "confidence_level", "method" and "n". An axis of one of these names stands in its place.

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
        columns = {"metric": [self.metric] * size, "label": column_of_one(self.label, size)}
        columns |= {name: np.ravel(getattr(self, name)).tolist() for name in ("value", "low", "high")}
        columns |= {"confidence_level": [self.confidence_level] * size, "method": [self.method] * size}
        columns["n"] = [None] * size if self.n is None else np.ravel(self.n).tolist()
        return frame({**grid, **{name: column for name, column in columns.items() if name not in grid}}, backend)

    def _repr_html_(self) -> str:
        """The values and their limits as an HTML table, for notebooks."""
        coordinates = itertools.product(*(map(on_one_line, plain(axis.coordinates)) for axis in self.axes))
        rows = [
            [*entry, *(f"{number:.4f}" for number in numbers), *map(str, n)]
            for entry, (*numbers, n) in zip(coordinates, self._rows(), strict=True)
        ]
        heads = [*(axis.name for axis in self.axes), "value", "low", "high", *([] if self.n is None else ["n"])]
        caption = f"Interval{self._of()} ({self._about()})"
        return ShownTable(caption, heads, rows, most=MOST_ROWS).as_html()

    def __repr__(self) -> str:
        texts = [f"{value:.4f} [{low:.4f}, {high:.4f}]" for value, low, high, _ in self._rows()]
        numbers = ["".join(f", n = {number}" for number in n) for *_, n in self._rows()]
        if not self.axes:
            return f"{self._of()[len(' of ') :]} {texts[0]} {self._about()}{numbers[0]}".lstrip()
        entries = itertools.product(*(plain(axis.coordinates) for axis in self.axes))
        names = [" ".join(map(on_one_line, entry)) for entry in entries]
        width = max(map(len, names[:MOST_ROWS]), default=0)
        rows = zip(names, texts, numbers, strict=True)
        lines = [f"{name:<{width}}  {text}{n}" for name, text, n in rows][:MOST_ROWS]
        more = [f"... and {len(texts) - MOST_ROWS} more"] if len(texts) > MOST_ROWS else []
        heads = ", ".join(axis.name for axis in self.axes)
        return "\n".join([f"Interval{self._of()} by {heads} ({self._about()})", *lines, *more])

    def _of(self) -> str:
        """What was measured, as the end of a title."""
        return (f" of {self.metric}" if self.metric else "") + of_class(self.label)

    def _about(self) -> str:
        """How sure the limits are, and how they were found."""
        return f"{100 * self.confidence_level:g} %, {self.method}"

    def _rows(self) -> Iterator[tuple[float, float, float, list[int]]]:
        """Value, limits and the number of samples, if it is known, of each entry."""
        n = numbers_of_samples(self.n, np.size(self.value))
        return zip(*map(np.ravel, (self.value, self.low, self.high)), n, strict=True)


def numbers_of_samples(n: Any, n_entries: int) -> list[list[int]]:
    """The number of samples of each entry, or none where it is not known."""
    return [[]] * n_entries if n is None else np.reshape(n, (-1, 1)).tolist()
