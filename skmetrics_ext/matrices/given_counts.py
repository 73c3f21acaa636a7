"""Existing counts of any container, with its names, checked and made read-only."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import known_positive, second_of
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.matrices.data import check_counts
from skmetrics_ext.matrices.totals import refuse_totals
from skmetrics_ext.reading.aliases import LabelsLike
from skmetrics_ext.reading.containers import as_array, refuse_unread
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


def fields_of_counts(counts: Any, labels: LabelsLike | None) -> dict[str, Any]:
    """The fields of existing counts."""
    array, order = read_counts(counts, labels)
    # The names of a frame do not declare an order.
    named = None if labels is None else order
    positive = known_positive(order, default_positive=second_of(named))
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
    table = named_table(counts, "counts") if hasattr(counts, "columns") else None
    if table is not None:
        counts, labels = _aligned_table(table, None if labels is None else read_order(labels))
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
            f"labels={show(order)} lacks {show_names(unknown)}: list them all, in the order the "
            "matrix should have."
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
