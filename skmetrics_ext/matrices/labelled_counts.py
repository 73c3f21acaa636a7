"""Counts with their labels and axes, before any metric: they pool, add up, compare, are stored and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counts import ClassCounts, margins_of
from skmetrics_ext.matrices.cells import columns_of_cells
from skmetrics_ext.matrices.parts import Parts, are_same_parts, checked_and_frozen, in_label_order
from skmetrics_ext.matrices.pooling import added, summed_over
from skmetrics_ext.matrices.selection import selected, stacked
from skmetrics_ext.matrices.shown import html_of, text_of
from skmetrics_ext.matrices.state import parts_of_state, state_of
from skmetrics_ext.reading.aliases import Label, LabelsLike
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.writing.frames import frame


@dataclass(frozen=True, eq=False, repr=False)
class LabelledCounts:
    """What a ConfusionMatrix is apart from its metrics."""

    counts: NDArray[Any]
    labels: NDArray[Any]
    axes: tuple[Axis, ...] = ()
    pos_label: Label | None = None
    ranking: NDArray[Any] | None = None
    weighted: bool = False
    repeats: float = 1.0

    def __post_init__(self) -> None:
        for name, value in checked_and_frozen(self._parts)._asdict().items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        # Axes as plain pairs: a pickle names public classes alone, since others may move.
        of_parts = self._parts._asdict() | {"axes": tuple((axis.name, axis.coordinates) for axis in self.axes)}
        return type(self), tuple(of_parts.values())

    @classmethod
    def from_dict(cls, state: dict[str, Any]) -> Self:
        """Undo `to_dict`, also after a way through JSON.

        Parameters
        ----------
        state : dict
            What `to_dict` gives, of this version or an earlier one; or a plain dict of "counts",
            one row an actual class, and "labels".

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError, TypeError
            If counts or labels are missing, do not fit each other, or are none. The message says
            which of them.

        Examples
        --------
        >>> import json
        >>> from skmetrics_ext import ConfusionMatrix
        >>> cm = ConfusionMatrix.from_counts([[5, 1], [2, 4]], labels=[False, True])
        >>> ConfusionMatrix.from_dict(json.loads(json.dumps(cm.to_dict()))) == cm
        True
        >>> ConfusionMatrix.from_dict({"counts": [[5, 1], [2, 4]], "labels": [False, True]}) == cm
        True
        """
        return cls(*parts_of_state(state))

    def to_dict(self) -> dict[str, Any]:
        """Counts, labels and axes as plain values for JSON; `from_dict` restores their types."""
        return state_of(self._parts)

    @property
    def n_samples(self) -> Any:
        """Number (or weight) of samples: a number, or an array over the leading axes."""
        return self.counts.sum((-2, -1))

    @property
    def class_counts(self) -> ClassCounts:
        """tp, fp, fn and tn of every class against the rest, each (..., n_classes)."""
        return ClassCounts(*margins_of(self.counts))

    def sum(self, axis: int | str = 0) -> Self:
        """Pool a leading axis, given by number or name.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> ConfusionMatrix.from_labels([0, 1], [0, 0], by=["a", "b"]).sum("group").counts
        array([[1, 0],
               [1, 0]])
        """
        return type(self)(*summed_over(self._parts, axis))

    def sel(self, /, **entries: Any) -> Self:
        """Some entries of the leading axes, by their coordinates.

        Parameters
        ----------
        **entries
            By the name of an axis one entry, which drops the axis, or a list of some, which keeps it,
            in the order of the list. Dates may be text, such as "2026-01-31".

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError
            If there is no such axis or entry. The message says which there are.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> groups = {"sex": ["F", "F", "M", "M"], "year": [2025, 2026, 2025, 2026]}
        >>> cm = ConfusionMatrix.from_labels([1, 0, 1, 1], [1, 0, 0, 1], by=groups)
        >>> cm.sel(sex="M", year=2025).counts
        array([[0, 0],
               [1, 0]])
        >>> cm.sel(sex=["M", "F"]).n_samples
        array([[1, 1],
               [1, 1]])
        """
        return type(self)(*selected(self._parts, entries))

    @classmethod
    def stack(cls, matrices: Mapping[Any, Self], *, axis: str) -> Self:
        """Matrices as the entries of a new first axis.

        Parameters
        ----------
        matrices : dict of coordinate to ConfusionMatrix
            What to stack. Labels and leading axes are aligned as by `+`; what a matrix lacks has
            counts of 0.
        axis : str
            The name of the new axis.

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError, TypeError
            If there are none, they do not fit each other, or have such an axis already.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> january = ConfusionMatrix.from_labels(["cat", "dog"], ["cat", "cat"])
        >>> february = ConfusionMatrix.from_labels(["dog", "owl"], ["dog", "dog"])
        >>> by_month = ConfusionMatrix.stack({"2026-01": january, "2026-02": february}, axis="month")
        >>> by_month.score("accuracy")
        array([0.5, 0.5])
        >>> by_month.sum("month") == january + february
        True
        """
        if not isinstance(matrices, Mapping):
            raise TypeError(f"matrices must be a dict of coordinate to ConfusionMatrix; got {type(matrices).__name__}.")
        if other := [key for key, cm in matrices.items() if not isinstance(cm, LabelledCounts)]:
            raise TypeError(
                f"matrices[{other[0]!r}] must be a ConfusionMatrix; got {type(matrices[other[0]]).__name__}."
            )
        return cls(*stacked({key: cm._parts for key, cm in matrices.items()}, axis))

    def with_labels(self, labels: LabelsLike) -> Self:
        """The same counts in another label order, which may have more labels, and lack those that have no counts.

        Parameters
        ----------
        labels : array-like of shape (n_classes,)
            The classes in the new order, two of them [negative, positive]; metrics of ordered
            classes take them from low to high.

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        ValueError
            If a label that has counts is not among `labels`.

        Examples
        --------
        >>> from skmetrics_ext import ConfusionMatrix
        >>> cm = ConfusionMatrix.from_labels(["no", "yes"], ["no", "no"])
        >>> cm.with_labels(["yes", "no", "maybe"]).counts
        array([[0, 1, 0],
               [0, 1, 0],
               [0, 0, 0]])
        """
        return type(self)(*in_label_order(self._parts, read_order(labels)))

    def __add__(self, other: Any) -> Self:
        """Pool the samples of two matrices, with their labels and leading axes aligned.

        Equal orders of labels are kept, those of one ranking merge by it, as chunks of an ordered
        categorical do, and sorted ones into the sorted union; others raise a ValueError, and so do two
        different positive classes. Axes are matched by name, in the order of the first matrix, and have the coordinates
        of both: sorted if both are, in the order of one that has them all, else the new ones last.
        An axis that only one of them has, and different labels of multilabel data, are a ValueError.
        """
        if not isinstance(other, LabelledCounts):
            return NotImplemented
        return type(self)(*added(self._parts, other._parts))

    def __radd__(self, other: Any) -> Self:
        """`sum(matrices)` starts from 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] | None = None, *, count: str = "count") -> Any:
        """One row a cell, also those of 0: the coordinates of the leading axes, "actual", "predicted" and "count".

        Needs narwhals: `pip install 'skmetrics-ext[frames]'`. `ConfusionMatrix.from_frame` reads it
        again, with `count=` the name of the counts, `by=` those of the axes, and
        `labels=cm.labels` for an order that is not sorted; float counts by `sample_weight=`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            Library of the frame. None: pandas if it is installed, else polars.
        count : str, default="count"
            The name of the column of counts.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table

        Raises
        ------
        ValueError
            If an axis bears the name of another column.
        """
        return frame(columns_of_cells(self._parts, count), backend)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The counts, for `np.asarray`."""
        return np.array(self.counts, dtype=dtype, copy=copy)

    # Arithmetic with arrays is an error, instead of an array without labels.
    __array_ufunc__ = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LabelledCounts):
            return NotImplemented
        return are_same_parts(self._parts, other._parts)

    __hash__ = None  # type: ignore[assignment]  # Python's way to say that there is no hash

    def __repr__(self) -> str:
        return text_of(self._parts)

    def _repr_html_(self) -> str:
        """The matrix as an HTML table, for notebooks; every label is escaped."""
        return html_of(self._parts)

    @property
    def _parts(self) -> Parts:
        """What it is made of."""
        return Parts(self.counts, self.labels, self.axes, self.pos_label, self.ranking, self.weighted, self.repeats)
