"""Existing counts: from any container, with its names, checked, and made read-only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import known_positive, second_of
from skmetrics_ext.counting.axes import Axis, describe_axes
from skmetrics_ext.matrices.totals import refuse_totals
from skmetrics_ext.reading.aliases import LabelsLike
from skmetrics_ext.reading.containers import as_array, is_labelled, refuse_query
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.names import NamedTable, find, named_table, with_both_sides
from skmetrics_ext.reading.numbers import check_total
from skmetrics_ext.reading.order import check_same_kind, show, show_names, sorted_union
from skmetrics_ext.reading.spelling import warn_of_spelling

if TYPE_CHECKING:
    from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix


def fields_of_counts(counts: Any, labels: LabelsLike | None) -> dict[str, Any]:
    """The fields of existing counts."""
    array, order = read_counts(counts, labels)
    # The names of a frame do not declare an order.
    named = None if labels is None else order
    positive = known_positive(order, carried=second_of(named))
    return {
        "counts": array,
        "labels": order,
        "axes": default_axes(array),
        "pos_label": positive,
        "ranking": named,
    }


def read_counts(counts: Any, labels: LabelsLike | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """Counts (..., n_classes, n_classes) as int64 or float64, and their labels."""
    refuse_query(counts, "counts")
    has_names = hasattr(counts, "columns") or (is_labelled(counts) and len(counts.dims) == 2)
    table = named_table(counts, "counts") if has_names else None
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


def checked_and_frozen(cm: ConfusionMatrix) -> dict[str, Any]:
    """Consistent fields, as read-only copies of arrays; axes may be plain pairs."""
    axes = tuple(Axis(*axis) for axis in cm.axes)
    shape = tuple(len(axis.coordinates) for axis in axes) + np.shape(cm.labels) * 2
    if np.ndim(cm.labels) != 1 or np.shape(cm.counts) != shape:
        raise ValueError(
            f"counts of shape {np.shape(cm.counts)} do not match {np.size(cm.labels)} labels and "
            f"the axes {describe_axes(axes)}: make a ConfusionMatrix with from_labels(y_true, "
            "y_pred) or from_counts."
        )
    if cm.by_stratum is not None and not _is_divided(cm.by_stratum, cm.counts):
        raise ValueError(
            f"by_stratum of shape {np.shape(cm.by_stratum)} does not match counts of shape "
            f"{np.shape(cm.counts)}: it "
            "must have a row more than these, for samples without a label, an axis of strata "
            "before the rows, and as many samples with each prediction."
        )
    check_counts(np.asarray(cm.counts))
    if len({axis.name for axis in axes}) < len(axes):
        raise ValueError(
            f"two axes have the same name: {describe_axes(axes)}. Give each axis a unique name."
        )
    arrays = {
        name: getattr(cm, name)
        for name in ("counts", "labels", "ranking", "observed", "by_stratum")
    }
    fields = {name: _read_only(array) for name, array in arrays.items() if array is not None}
    axes = tuple(axis._replace(coordinates=_read_only(axis.coordinates)) for axis in axes)
    return {**fields, "axes": axes, "weighted": bool(cm.weighted), "repeats": float(cm.repeats)}


def _is_divided(by_stratum: NDArray[Any], counts: NDArray[Any]) -> bool:
    """Whether counts are made of numbers of samples by stratum, with and without a label."""
    array = np.asarray(by_stratum)
    *leading, _, n_rows, n_columns = (0, 0, 0, *array.shape)
    if array.dtype.kind not in "iu" or (*leading[3:], n_rows - 1, n_columns) != np.shape(counts):
        return False
    return bool((array >= 0).all() and np.allclose(array.sum((-3, -2)), np.sum(counts, -2)))


def check_counts(*parts: NDArray[Any]) -> None:
    """Refuse counts whose sum, of a table or over all leading axes, would overflow."""
    if any(part.dtype.kind == "f" for part in parts):
        with np.errstate(over="ignore"):
            totals = np.concatenate(
                [part.sum((-2, -1), dtype=np.float64).ravel() for part in parts]
            )
            check_total(np.append(totals, totals.sum()), "counts")
        return
    largest = np.iinfo(np.int64).max
    # This bound takes a far faster pass than a sum of floats.
    if sum(int(part.max(initial=0)) * part.size for part in parts) <= largest:
        return
    about = sum(float(part.sum(dtype=np.float64)) for part in parts)
    # A float is exact enough for totals far from the limit.
    if about > largest / 2 and sum(sum(part.ravel().tolist()) for part in parts) > largest:
        raise ValueError(
            f"counts add up to about {about:.4g}, more than 2**63 - 1: scale them down, or pass "
            "floats."
        )


def _check_rounding(array: NDArray[Any], counts: Any) -> None:
    """Refuse Python integers too large for any integer type, which NumPy has
    converted to floats.
    """
    if array.dtype.kind not in "fO" or hasattr(counts, "dtype"):
        return
    exact = np.array(counts, dtype=object)
    if all(isinstance(count, (int, np.integer)) for count in exact.flat):
        check_counts(exact)


def _aligned_table(
    table: NamedTable, order: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Named counts with the same labels in rows and columns: the order given, or the
    sorted union.
    """
    refuse_totals(table, order)
    named = [
        np.sort(read_order(names, "the names of counts"))
        for names in (table.rows, table.columns)
        if names
    ]
    if order is None:
        sides = "the index of counts", "the columns of counts"
        check_same_kind(named[0], named[-1], *sides)
        warn_of_spelling(named[0], named[-1], sides)
        order = sorted_union(named[0], named[-1])
    rows, columns = with_both_sides(table, order, "counts")
    counts = np.zeros((len(order), len(order)), dtype=table.values.dtype)
    places = [(side, find(order, side)) for side in (rows, columns)]
    if unknown := [name for side, found in places for k, name in enumerate(side) if k not in found]:
        raise ValueError(
            f"counts has rows {show_names(rows)} and columns {show_names(columns)}, but "
            f"labels={show(order)} lacks {show_names(unknown)}: list them all, in the order the "
            f"matrix should have."
        )
    to_rows, to_columns = (
        [k for k, place in enumerate(found) if place is not None] for _, found in places
    )
    of_rows, of_columns = ([place for place in found if place is not None] for _, found in places)
    counts[np.ix_(to_rows, to_columns)] = table.values[np.ix_(of_rows, of_columns)]
    return counts, order


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only copy, or the array itself if it is read-only already."""
    is_frozen = isinstance(array, np.ndarray) and array.flags.owndata and not array.flags.writeable
    own = array if is_frozen else np.array(array)
    own.setflags(write=False)
    return own
