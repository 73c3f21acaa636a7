"""Interval: a value between its limits, or one for each entry."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.reading.order import plain
from skmetrics_ext.writing.frames import columns_of_grid, frame
from skmetrics_ext.writing.html_table import html_table, shown_rows
from skmetrics_ext.writing.words import on_one_line

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

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
    >>> interval = cm.interval("recall")
    >>> interval
    0.9000 [0.7864, 0.9565] 95 %, Wilson
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

    def __post_init__(self) -> None:
        for name in ("value", "low", "high", "undefined"):
            if isinstance(of_entries := getattr(self, name), np.ndarray):
                own = of_entries.copy()
                own.setflags(write=False)
                object.__setattr__(self, name, own)
        object.__setattr__(self, "axes", tuple(Axis(*axis) for axis in self.axes))

    def __reduce__(self) -> tuple[Any, ...]:
        # Axes as plain pairs: a pickle names public classes alone, since others may move.
        values = self.value, self.low, self.high
        return type(self), (*values, self.confidence_level, self.method, self.undefined, tuple(map(tuple, self.axes)))

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] | None = None) -> Any:
        """One row an entry: its coordinates, "value", "low" and "high".

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            Library of the frame. None: pandas if it is installed, else polars.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
        """
        values = {"value": self.value, "low": self.low, "high": self.high}
        columns = {name: np.ravel(of_entries).tolist() for name, of_entries in values.items()}
        return frame({**columns_of_grid(self.axes), **columns}, backend)

    def _repr_html_(self) -> str:
        """The values and their limits as an HTML table, for notebooks."""
        coordinates = itertools.product(*(map(on_one_line, plain(axis.coordinates)) for axis in self.axes))
        numbers = zip(*map(np.ravel, (self.value, self.low, self.high)), strict=True)
        rows = [
            [*entry, *(f"{number:.4f}" for number in of_entry)]
            for entry, of_entry in zip(coordinates, numbers, strict=True)
        ]
        heads = [*(axis.name for axis in self.axes), "value", "low", "high"]
        caption = f"Interval ({100 * self.confidence_level:g} %, {self.method})"
        return html_table(heads, [shown_rows([(row[0], row[1:]) for row in rows], MOST_ROWS)], caption)

    def __repr__(self) -> str:
        about = f"{100 * self.confidence_level:g} %, {self.method}"
        texts = [
            f"{value:.4f} [{low:.4f}, {high:.4f}]"
            for value, low, high in zip(*map(np.ravel, (self.value, self.low, self.high)), strict=True)
        ]
        if not self.axes:
            return f"{texts[0]} {about}"
        entries = itertools.product(*(plain(axis.coordinates) for axis in self.axes))
        names = [" ".join(map(on_one_line, entry)) for entry in entries]
        width = max(map(len, names[:MOST_ROWS]), default=0)
        lines = [f"{name:<{width}}  {text}" for name, text in zip(names, texts, strict=True)][:MOST_ROWS]
        more = [f"... and {len(texts) - MOST_ROWS} more"] if len(texts) > MOST_ROWS else []
        heads = ", ".join(axis.name for axis in self.axes)
        return "\n".join([f"Interval by {heads} ({about})", *lines, *more])
