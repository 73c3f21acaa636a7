"""Ratings of items, some missing -> how many raters chose each class."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading.containers import as_array, frame_columns, index_of, may_be_rounded
from skmetrics_ext.reading.groups import SamplesAt, axis_at, groups_at
from skmetrics_ext.reading.known_labels import Known, read_known_labels
from skmetrics_ext.reading.labels import Column
from skmetrics_ext.reading.order import (
    check_covered,
    check_same_kind,
    plain,
    positions_in,
    ranking_of_all,
    sorted_union,
)
from skmetrics_ext.reading.spelling import warn_of_spelling

LONG = ("item", "rater", "rating")


class Ratings(NamedTuple):
    """The ratings of items, whoever gave them."""

    # How many raters put each item into each class (n_items, n_classes).
    counts: NDArray[np.int64]
    labels: NDArray[Any]
    # The classes from low to high, if known.
    ranking: NDArray[Any] | None
    # The axis of groups, and the group of each item.
    by: tuple[str, Column] | None


def read_ratings(ratings: Any, order: NDArray[Any] | None, by: Any) -> Ratings:
    """Items in rows and raters in columns, or a frame of item, rater and rating."""
    columns = frame_columns(ratings)
    if columns is None:
        columns = _columns_of_array(ratings)
    by_name = {str(name).lower(): column for name, column in columns}
    if by_name.keys() >= {*LONG}:
        return _read_long_table(by_name, order, by, index_of(ratings))
    if long_names := by_name.keys() & {*LONG}:
        raise ValueError(
            f"ratings has the columns {sorted(long_names)}, but a table with one row per rating "
            f"needs all of {[*LONG]}; "
            "with one column per rater, there must be no others."
        )
    if len(columns) < 2:
        raise ValueError(
            f"ratings must have two raters or more, one per column; it has {len(columns)}."
        )
    known = [read_known_labels(column, f"ratings[{name!r}]") for name, column in columns]
    n_items = len(columns[0][1])
    names = [f"ratings[{name!r}]" for name, _ in columns]
    labels, ranking = _labels_and_ranking(known, names, order)
    counts = np.zeros((n_items, len(labels)), dtype=np.int64)
    for column, places in known:
        if column is not None:
            counts[places, positions_in(labels, column.labels)[column.codes]] += 1
    group = None if by is None else axis_at(SamplesAt(index_of(ratings), n_items, "ratings"), by)
    return Ratings(counts, labels, ranking, group)


def _columns_of_array(ratings: Any) -> list[tuple[Any, NDArray[Any]]]:
    """The columns of a 2-D array or a list of rows."""
    if type(ratings).__module__.partition(".")[0] == "skmetrics_ext":
        raise TypeError(
            f"ratings must be labels by item and rater; got a {type(ratings).__name__}."
        )
    values = as_array(
        ratings, "ratings", ValueError("ratings must be rows of equal length, one per item.")
    )
    if values.dtype.kind in "US" or may_be_rounded(values, ratings):
        # NumPy turns 1 next to "a" into "1", and integers next to NaN into floats.
        values = np.array(ratings, dtype=object)
    if values.ndim != 2 or not values.size:
        raise ValueError(
            "ratings must have items in rows and raters in columns, shape (n_items, n_raters), or "
            "be a data frame "
            f"with the columns {list(LONG)}; it has shape {values.shape}."
        )
    return list(enumerate(values.T))


def _read_long_table(
    columns: dict[Any, Any], order: NDArray[Any] | None, by: Any, index: Any
) -> Ratings:
    """One row per rating; each rater rates an item once."""
    known = read_known_labels(columns["rating"], "rating")
    samples = SamplesAt(index, len(columns["rating"]), "ratings")
    item, rater = (groups_at(samples, columns[name], name) for name in LONG[:2])
    labels, ranking = _labels_and_ranking([known], ["rating"], order)
    assert known.column is not None, "there is a label"
    pair = (item.codes.astype(np.int64) * len(rater.labels) + rater.codes)[known.places]
    distinct, n_ratings = np.unique(pair, return_counts=True)
    if (twice := n_ratings > 1).any():
        place, of_rater = divmod(int(distinct[twice][0]), len(rater.labels))
        names = plain(rater.labels)[of_rater], plain(item.labels)[place]
        raise ValueError(f"rater {names[0]!r} has several ratings of item {names[1]!r}: keep one.")
    codes = positions_in(labels, known.column.labels)[known.column.codes]
    cells = item.codes.astype(np.int64)[known.places] * len(labels) + codes
    counts = np.bincount(cells, minlength=len(item.labels) * len(labels)).reshape(
        len(item.labels), len(labels)
    )
    if by is None:
        return Ratings(counts, labels, ranking, None)
    axis, group = axis_at(samples, by)
    of_item = np.zeros(len(item.labels), dtype=group.codes.dtype)
    of_item[item.codes] = group.codes
    if (differs := of_item[item.codes] != group.codes).any():
        name = plain(item.labels)[int(item.codes[differs][0])]
        raise ValueError(f"item {name!r} is in several groups of by: an item has one.")
    return Ratings(counts, labels, ranking, (axis, Column(of_item, group.labels)))


def _labels_and_ranking(
    known: list[Known], names: list[str], order: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """The classes of all columns and their ranking."""
    named = [
        (name, column) for name, (column, _) in zip(names, known, strict=True) if column is not None
    ]
    if not named:
        raise ValueError("ratings are all missing.")
    first_name, first = named[0]
    labels = first.labels
    for name, column in named[1:]:
        check_same_kind(labels, column.labels, first_name, name)
        warn_of_spelling(labels, column.labels, (first_name, name), order)
        labels = sorted_union(labels, column.labels)
    if order is None:
        return labels, ranking_of_all(
            tuple((name, each.ranking) for name, each in named if each.ranking is not None)
        )
    check_same_kind(order, labels, "labels", "ratings")
    check_covered(order, labels, "List these, too.")
    return order, order
