"""Ratings of items, some missing -> how many raters chose each class."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading.containers import (
    as_array,
    column_names,
    frame_columns,
    index_of,
    may_be_rounded,
)
from skmetrics_ext.reading.groups import SamplesAt, axis_at, groups_at
from skmetrics_ext.reading.labels import Column, read_order
from skmetrics_ext.reading.names import check_are_known, find
from skmetrics_ext.reading.numbers import read_numbers
from skmetrics_ext.reading.order import (
    check_covered,
    check_same_kind,
    plain,
    positions_in,
    ranking_of_all,
    show,
    sorted_union,
)
from skmetrics_ext.reading.pairs import Known, read_known_labels
from skmetrics_ext.reading.spelling import warn_of_spelling

LONG = ("item", "rater", "rating")
# Whole numbers are exact below.
LARGEST_COUNT = 2**53


class Ratings(NamedTuple):
    """The ratings of items, whoever gave them."""

    # How many raters put each item into each class (n_items, n_classes).
    counts: NDArray[np.int64]
    labels: NDArray[Any]
    # The classes from low to high, if known.
    ranking: NDArray[Any] | None
    # The axis of groups, and the group of each item.
    by: tuple[str, Column] | None


def read_ratings(
    ratings: Any, order: NDArray[Any] | None, by: Any, counts: bool | None = None
) -> Ratings:
    """Items by raters, a frame of item, rater and rating, or counts of items by classes."""
    if counts:
        return _read_table_of_counts(ratings, order, by)
    columns = frame_columns(ratings)
    if columns is None:
        columns = _columns_of_array(ratings)
    by_name = {str(name).lower(): column for name, column in columns}
    if by_name.keys() >= {*LONG}:
        return _read_long_table(by_name, order, by, index_of(ratings))
    if long_names := by_name.keys() & {*LONG}:
        raise ValueError(
            f"ratings has the columns {sorted(long_names)}, but a table with one row per rating "
            f"needs all of {[*LONG]}; with one column per rater, there must be no others."
        )
    if len(columns) < 2:
        raise ValueError(
            f"ratings must have two raters or more, one per column; it has {len(columns)}."
        )
    known = [read_known_labels(column, f"ratings[{name!r}]") for name, column in columns]
    n_items = len(columns[0][1])
    if counts is None:
        _refuse_what_may_be_counts(known, n_items)
    names = [f"ratings[{name!r}]" for name, _ in columns]
    labels, ranking = _labels_and_ranking(known, names, order)
    of_classes = np.zeros((n_items, len(labels)), dtype=np.int64)
    for column, places in known:
        if column is not None:
            of_classes[places, positions_in(labels, column.labels)[column.codes]] += 1
    return Ratings(of_classes, labels, ranking, _groups_of_items(ratings, n_items, by))


def _groups_of_items(ratings: Any, n_items: int, by: Any) -> tuple[str, Column] | None:
    """The axis of groups, and the group of each row."""
    return None if by is None else axis_at(SamplesAt(index_of(ratings), n_items, "ratings"), by)


def _read_table_of_counts(ratings: Any, order: NDArray[Any] | None, by: Any) -> Ratings:
    """How many raters put each item, in rows, into each class, in columns that may be named."""
    table = read_numbers(ratings, "ratings")
    if table.ndim != 2 or not table.size or not _may_be_counts(table):
        raise ValueError(
            "counts=True needs whole numbers, how many raters put each item (row) into each class "
            "(column), 0 if none did."
        )
    n_items, n_classes = table.shape
    names = column_names(ratings)
    labels = order
    if names is not None:
        labels = read_order(names, "the columns of ratings") if order is None else order
        check_are_known(names, [labels], "the columns of ratings", "list these in labels, too.")
        places = find(labels, names)
        of_classes = np.zeros((n_items, len(labels)), dtype=np.int64)
        is_there = [place is not None for place in places]
        of_classes[:, is_there] = table[:, [place for place in places if place is not None]]
        table = of_classes
    elif order is None:
        labels = np.arange(n_classes)
    assert labels is not None, "named, listed or numbered"
    if table.shape[1] != len(labels):
        raise ValueError(
            f"ratings counts {n_classes} classes, but labels lists {len(labels)}: {show(labels)}."
        )
    return Ratings(table.astype(np.int64), labels, order, _groups_of_items(ratings, n_items, by))


def _may_be_counts(table: NDArray[Any]) -> bool:
    """Whether all numbers are whole, and none is negative."""
    return bool(((table >= 0) & (table < LARGEST_COUNT) & (table == np.floor(table))).all())


def _refuse_what_may_be_counts(known: list[Known], n_items: int) -> None:
    """Ask where the numbers of raters may have been passed in place of their ratings."""
    columns = [column for column, places in known if len(places) == n_items]
    numbers = [
        column.labels[column.codes]
        for column in columns
        if column is not None and column.labels.dtype.kind in "iuf"
    ]
    if len(numbers) < len(known):
        return
    table = np.stack(numbers, 1)
    totals = table.sum(1, dtype=np.float64)
    is_one_sum = len(totals) > 1 and totals[0] >= 2 and (totals == totals[0]).all()
    if is_one_sum and _may_be_counts(table):
        raise ValueError(
            f"every row of ratings adds up to {totals[0]:.0f}: pass counts=True if these are the "
            "numbers of raters who put an item (row) into a class (column), or counts=False if "
            "they are ratings, one column per rater."
        )


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
            f"be a data frame with the columns {list(LONG)}; it has shape {values.shape}."
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
