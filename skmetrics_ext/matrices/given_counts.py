"""Existing counts of any container, with its names, checked and made read-only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import known_positive, second_of
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.matrices.alignment import in_label_order
from skmetrics_ext.matrices.data import MatrixData, check_counts
from skmetrics_ext.reading.aliases import LabelsLike
from skmetrics_ext.reading.containers import Names, as_array, refuse_unread
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.names import (
    NamedTable,
    find,
    named_table,
    refuse_disjoint,
    with_both_sides,
)
from skmetrics_ext.reading.order import check_same_kind, show, show_names, sorted_union
from skmetrics_ext.reading.spelling import warn_of_spelling

# Names of totals, also where sums prove nothing.
OF_TOTALS = ("all", "total", "totals", "sum", "grand total")
# Unrounded sums are equal up to this proportion of the largest entry.
ROUNDING = 1e-9
MOST_DECIMALS = 8


class Lines(NamedTuple):
    """Rows or columns of a table; the last may be totals."""

    values: NDArray[np.float64]
    name: Any
    # What the entries of a row are called.
    others: Names
    tolerance: float

    @property
    def is_sum(self) -> bool:
        """Whether the last one is the sum of the others."""
        *_, last = self.values
        sums = self.values[:-1].sum(0)
        return bool(last.any()) and np.allclose(last, sums, rtol=0, atol=self.tolerance)

    @property
    def is_mean(self) -> bool:
        """Whether all are shares, the last ones maybe a weighted mean of the others."""
        least, most = self.values[:-1].min(0), self.values[:-1].max(0)
        last, margin = self.values[-1], self.tolerance
        within = (last >= least - margin) & (last <= most + margin)
        add_up = np.allclose(self.values.sum(1), 1, rtol=0, atol=margin * len(self.others))
        return add_up and bool(within.all())


def fields_of_counts(counts: Any, labels: LabelsLike | None, pos_label: Any) -> dict[str, Any]:
    """The fields of existing counts; a matrix keeps its own, in the order of labels if given."""
    if isinstance(counts, MatrixData):
        matrix = counts if labels is None else in_label_order(counts, read_order(labels))
        own = {field.name: getattr(matrix, field.name) for field in fields(matrix)}
        given = pos_label is not None
        return own | {"pos_label": known_positive(matrix.labels, pos_label)} if given else own
    array, order = read_counts(counts, labels)
    # The names of a frame do not declare an order.
    named = None if labels is None else order
    positive = known_positive(order, pos_label, second_of(named))
    return {
        "counts": array,
        "labels": order,
        "axes": default_axes(array),
        "pos_label": positive,
        "ranking": named,
    }


def read_counts(counts: Any, labels: LabelsLike | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """Counts (..., n_classes, n_classes) as int64 or float64, and their labels."""
    refuse_unread(counts, "counts")
    is_named = hasattr(counts, "columns") or isinstance(counts, Mapping)
    table = named_table(counts, "counts") if is_named else None
    if table is not None:
        counts, labels = _aligned_table(table, None if labels is None else read_order(labels))
        counts = counts.tolist() if counts.dtype == object else counts
    array = as_array(
        counts,
        "counts",
        ValueError("counts must be rows of equal length, one row per actual class."),
    )
    _check_rounding(array, counts)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"counts must be numbers; got {array.dtype}.")
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise ValueError(
            f"counts must be square tables, e.g. [[tn, fp], [fn, tp]]; it has shape {array.shape}."
        )
    if (wrong := ~(np.isfinite(array) & (array >= 0))).any():
        raise ValueError(f"counts must be finite and not negative; they hold {array[wrong][0]}.")
    if labels is None:
        raise ValueError(
            "counts without names need labels=[...], the class of each row and column in order."
        )
    order = read_order(labels)
    if len(order) != array.shape[-1]:
        raise ValueError(
            f"counts has {array.shape[-1]} classes but labels lists {len(order)}: {show(order)}."
        )
    check_counts(array)
    return array.astype(np.float64 if array.dtype.kind == "f" else np.int64), order


def default_axes(counts: NDArray[Any]) -> tuple[Axis, ...]:
    """Default leading axes of counts."""
    return tuple(Axis(f"axis_{k}", np.arange(n)) for k, n in enumerate(counts.shape[:-2]))


def _check_rounding(array: NDArray[Any], counts: Any) -> None:
    """Refuse Python integers so large that NumPy has made floats of them."""
    if array.dtype.kind not in "fO" or hasattr(counts, "dtype"):
        return
    exact = np.array(counts, dtype=object)
    if all(isinstance(count, (int, np.integer)) for count in exact.flat):
        check_counts(exact)


def _aligned_table(
    table: NamedTable, order: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Named counts with the same labels in rows and columns: as given, or the sorted union."""
    refuse_totals(table, order)
    names_of_sides = [
        np.sort(read_order(names, "the names of counts"))
        for names in (table.rows, table.columns)
        if names
    ]
    if order is None:
        refuse_disjoint(table.rows or [], table.columns or [], "counts")
        # Names of one side are those of both.
        order = _union_of_names(names_of_sides[0], names_of_sides[-1])
    rows, columns = with_both_sides(table, order, "counts")
    places_of_rows, places_of_columns = find(order, rows), find(order, columns)
    unknown = [
        *(name for k, name in enumerate(rows) if k not in places_of_rows),
        *(name for k, name in enumerate(columns) if k not in places_of_columns),
    ]
    if unknown:
        raise ValueError(
            f"counts has rows {show_names(rows)} and columns {show_names(columns)}, but "
            f"labels={show(order)} lacks {show_names([*dict.fromkeys(unknown)])}: list them all, "
            "in the order the matrix should have."
        )
    counts = np.zeros((len(order), len(order)), dtype=table.values.dtype)
    # Classes without a row or column have no samples there.
    to_rows, from_rows = _moves(places_of_rows)
    to_columns, from_columns = _moves(places_of_columns)
    counts[np.ix_(to_rows, to_columns)] = table.values[np.ix_(from_rows, from_columns)]
    return counts, order


def _union_of_names(of_rows: NDArray[Any], of_columns: NDArray[Any]) -> NDArray[Any]:
    """The names of rows and columns, sorted."""
    sides = "the index of counts", "the columns of counts"
    check_same_kind(of_rows, of_columns, *sides)
    warn_of_spelling(of_rows, of_columns, sides)
    return sorted_union(of_rows, of_columns)


def _moves(places: list[int | None]) -> tuple[list[int], list[int]]:
    """The positions of a side's classes in the order, and in the side."""
    to = [position for position, place in enumerate(places) if place is not None]
    return to, [place for place in places if place is not None]


def refuse_totals(table: NamedTable, labels: NDArray[Any] | None) -> None:
    """Refuse a last row or column of totals, unless `labels` name it as a class."""
    rows, columns = table.rows or table.columns or [], table.columns or table.rows or []
    values = _numbers(table.values)
    if values is None or values.shape != (len(rows), len(columns)) or min(values.shape) < 1:
        return
    tolerance = rounding_of(values)
    of_rows = Lines(values, rows[-1], columns, tolerance)
    of_columns = Lines(values.T, columns[-1], rows, tolerance)
    found = {
        f"the last {what}, {lines.name!r}": lines.name
        for what, lines, across in (("row", of_rows, of_columns), ("column", of_columns, of_rows))
        if _are_totals(lines, across)
    }
    if named := [where for where, name in found.items() if not _is_listed(name, labels)]:
        raise ValueError(
            f"counts has totals in {' and '.join(named)}, which would be counted as a class: drop "
            "them, or make the table with pd.crosstab(..., margins=False). If it is a class, list "
            "all classes with labels=[...]."
        )


def _are_totals(lines: Lines, across: Lines) -> bool:
    """Whether the last line holds totals, as a class hardly does."""
    n_lines, n_entries = lines.values.shape
    if n_lines < 2 or not (lines.is_sum or lines.is_mean):
        return False
    if str(lines.name).strip().lower() in OF_TOTALS:
        return True
    # A useless model has two equal rows, a constant one a single column.
    if n_lines < 3 or n_entries < 2:
        return False
    if lines.name in lines.others:
        return lines.is_sum and lines.name == across.name and across.is_sum
    return True


def _is_listed(name: Any, labels: NDArray[Any] | None) -> bool:
    """Whether the caller lists this name as a class."""
    return labels is not None and any(place is not None for place in find(labels, [name]))


def _numbers(values: NDArray[Any]) -> NDArray[np.float64] | None:
    """Finite numbers as floats; None for anything else, which is refused elsewhere."""
    try:
        numbers = values.astype(np.float64)
    except (TypeError, ValueError):
        return None
    return numbers if np.isfinite(numbers).all() else None


def rounding_of(values: NDArray[np.float64]) -> float:
    """By how much a sum may differ: whole numbers not at all, shares by their rounding."""
    largest = float(np.abs(values).max())
    for decimals in range(MOST_DECIMALS):
        if np.abs(values - values.round(decimals)).max() <= 1e-12 * max(largest, 1):
            return 0.5 * 10.0**-decimals * max(values.shape) if decimals else 0.0
    return ROUNDING * largest
