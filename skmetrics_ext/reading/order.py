"""Label orders: positions in one, how two merge, how a message shows one."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading.calls import order_of_caller

# Below so many rows a dict is faster than the hash table.
SHORT = 2000

# Labels of different kinds are never equal, and have no common order.
KIND_OF_DTYPE = {
    **dict.fromkeys("biuf", "numbers"),
    "U": "strings",
    "S": "bytes",
    "M": "dates",
    "m": "durations",
}

# Of the types of most labels, of which no array need be made.
KIND_OF_TYPE = {**dict.fromkeys((bool, int, float), "numbers"), str: "strings", bytes: "bytes"}

# The name of a side of the data, and its classes from low to high.
Rankings = tuple[tuple[str, NDArray[Any]], ...]


def plain_label(label: Any) -> Any:
    """The value of an Enum's member, not its name as in NumPy; a whole decimal as an integer."""
    if isinstance(label, Enum) and isinstance(label, (str, bytes, int, float)):
        return label.value
    if isinstance(label, Decimal) and label.is_finite() and label == label.to_integral_value():
        return int(label)
    return label


def positions_in(order: NDArray[Any], labels: NDArray[Any]) -> NDArray[np.intp]:
    """The position of each of `labels` in `order`; len(order) if absent."""
    order, labels = comparable(order, labels)
    if order.dtype.kind in "iu" and labels.dtype.kind in "iu" and len(order) >= SHORT:
        low, high = int(order.min()), int(order.max())
        is_dense = high - low < 2 * len(order) and high < 2**63
        if is_dense and low <= labels.min() and labels.max() <= high:
            position_of_number = np.full(high - low + 1, len(order), dtype=np.intp)
            position_of_number[order.astype(np.int64) - low] = np.arange(len(order))
            return np.asarray(position_of_number[labels.astype(np.int64) - low])
    sorter = np.argsort(order, kind="stable")
    places = np.minimum(np.searchsorted(order, labels, sorter=sorter), len(order) - 1)
    positions = sorter[places]
    return np.where(order[positions] == labels, positions, len(order))


def position_of(order: NDArray[Any], label: Any) -> int | None:
    """The position of one label in `order`; None if absent or of another kind."""
    if is_crossed(order):
        known = plain(order)
        return known.index(label) if label in known else None
    if kind_of(label) != KIND_OF_DTYPE[order.dtype.kind]:
        return None
    # NumPy compares its dates only with each other.
    asked = np.datetime64(label) if isinstance(label, date) else np.asarray(plain_label(label))
    places = (order == asked).nonzero()[0]
    return int(places[0]) if len(places) else None


def kind_of(label: Any) -> str | None:
    """The kind of a label; None for anything else."""
    if type(label) in KIND_OF_TYPE:
        return KIND_OF_TYPE[type(label)]
    if isinstance(label, date):
        return "dates"
    asked = np.asarray(plain_label(label))
    return None if asked.ndim else KIND_OF_DTYPE.get(asked.dtype.kind)


def check_label(label: Any, name: str) -> None:
    """Reject anything but one label."""
    if kind_of(label) is None:
        raise ValueError(f"{name} must be one label; got {label!r}.")


def sorted_union(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """All labels of two sorted label arrays of one kind, sorted."""
    if are_equal(first, second):
        return first
    # A stable sort merges two sorted runs in linear time.
    merged = np.sort(np.concatenate(comparable(first, second)), kind="stable")
    is_new = np.ones(len(merged), dtype=bool)
    is_new[1:] = merged[1:] != merged[:-1]
    union: NDArray[Any] = merged[is_new]
    return union


def are_equal(first: NDArray[Any], second: NDArray[Any]) -> bool:
    """Whether two label arrays of one type are equal, as they mostly are."""
    if first is second:
        return True
    are_comparable = first.dtype == second.dtype and len(first) == len(second)
    return are_comparable and not np.count_nonzero(first != second)


def with_all(order: NDArray[Any], labels: NDArray[Any]) -> NDArray[Any]:
    """A label order with further labels: unchanged if it has them, else sorted."""
    check_same_kind(order, labels, "classes", "y_true")
    if are_equal(order, labels) or (positions_in(order, labels) < len(order)).all():
        return order
    return sorted_union(np.sort(order), np.sort(labels))


def comparable(first: NDArray[Any], second: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Integers of two types in a common one, which does not round as NumPy's float64."""
    kinds = first.dtype.kind, second.dtype.kind
    if kinds[0] == kinds[1] or not set(kinds) <= set("biuf"):
        return first, second
    low = min(int(first.min()), int(second.min()))
    high = max(int(first.max()), int(second.max()))
    kind = type_of_integers(low, high)
    return first.astype(kind), second.astype(kind)


def type_of_integers(low: int, high: int, name: str = "labels") -> type[np.integer[Any]]:
    """The type that holds integers of this range, others of which NumPy would round to floats."""
    for kind in (np.int64, np.uint64):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return kind
    raise ValueError(
        f"{name} has integers from {low} to {high}, which no type of NumPy holds together: pass "
        f"text, [str(value) for value in {name}]."
    )


def check_same_kind(first: NDArray[Any], second: NDArray[Any], name: str, other: str) -> None:
    """Reject comparing strings with numbers: all would be errors."""
    kind, other_kind = KIND_OF_DTYPE[first.dtype.kind], KIND_OF_DTYPE[second.dtype.kind]
    if kind != other_kind:
        # Arrays of strings need no conversion.
        if other_kind == "strings":
            advice = _how_to_convert(first, second, name)
        else:
            advice = _how_to_convert(second, first, other)
        raise ValueError(
            f"Mix of label types: {name} holds {kind} {show(first, 3)}, {other} holds {other_kind} "
            f"{show(second, 3)}. {advice}"
        )


def check_among(classes: NDArray[Any], labels: NDArray[Any], name: str) -> None:
    """Refuse labels that are no class of the scores."""
    outside = labels[positions_in(classes, labels) == len(classes)]
    if len(outside):
        raise ValueError(
            f"{name} has labels {show(outside)} that are not among classes={show(classes)}."
        )


def check_covered(
    order: NDArray[Any],
    present: NDArray[Any],
    advice: str = "Select classes later with score(labels=...).",
) -> None:
    """Reject a label order that lacks labels of the data."""
    outside = present[positions_in(order, present) == len(order)]
    if len(outside):
        raise ValueError(
            f"labels={show(order)} must include all labels in the data, which also have "
            f"{show(outside)}. {advice}"
        )


def _how_to_convert(labels: NDArray[Any], others: NDArray[Any], name: str) -> str:
    """How to get labels of another kind: as strings if any are common, else by names."""
    if {*labels.astype(str)} & {*others.astype(str)}:
        return f"Convert one of them, e.g. with np.asarray({name}).astype(str)."
    pairs = [f"{label!r}: ..." for label in plain(labels[:3])]
    if len(labels) > 3:
        pairs.append("...")
    return (
        f"Say which is which, names = {{{', '.join(pairs)}}}, and pass [names[label] for label in "
        f"{name}]."
    )


def label_distances(
    labels: NDArray[Any], ranking: NDArray[Any] | None = None
) -> NDArray[np.float64]:
    """Distances (n_labels, n_labels) of numbers, or of the ranks of other labels."""
    if KIND_OF_DTYPE[labels.dtype.kind] == "numbers":
        # Subtracted before they become floats.
        values = labels.tolist()
    else:
        in_order = from_low_to_high(labels, None) if ranking is None else ranking
        values = _places_in_ranking(in_order, labels).tolist()
    least = min(values)
    above_least = [value - least for value in values]
    are_exact_as_floats = max(above_least) <= 1 << 53
    places = np.array(above_least, dtype=np.float64 if are_exact_as_floats else object)
    return np.asarray(np.abs(places[:, None] - places), dtype=np.float64)


def label_steps(labels: NDArray[Any], ranking: NDArray[Any] | None) -> NDArray[np.intp]:
    """The levels between labels from low to high, from the lowest level and to the highest."""
    levels = levels_of(labels, ranking)
    return np.diff(positions_in(levels, labels), prepend=0, append=len(levels) - 1)


def levels_of(labels: NDArray[Any], ranking: NDArray[Any] | None) -> NDArray[Any]:
    """The scale from low to high: all levels declared, else the labels."""
    in_order = from_low_to_high(labels, ranking)
    if ranking is None:
        return in_order
    return sorted_union(ranking, in_order) if is_natural(ranking) else ranking


def from_low_to_high(
    labels: NDArray[Any],
    ranking: NDArray[Any] | None,
    needed_by: str = "this metric depends on the order of the classes: ",
) -> NDArray[Any]:
    """Labels in a given or declared order, else of numbers or dates, not alphabetical."""
    if ranking is None and KIND_OF_DTYPE[labels.dtype.kind] in ("strings", "bytes"):
        raise ValueError(
            f"the labels {show(labels, 5)} are not numbers, and {needed_by}{_list_them()}make the "
            "labels an ordered categorical, or use numbers."
        )
    if ranking is None or (len(ranking) and is_natural(ranking)):
        # The numeric order, also of numbers missing from a ranking.
        return labels if bool((labels[:-1] < labels[1:]).all()) else np.sort(labels)
    return labels[np.argsort(_places_in_ranking(ranking, labels))]


def places_in_array(
    labels: NDArray[Any], ranking: NDArray[Any] | None, n_given: int, needed_by: str
) -> NDArray[np.intp] | None:
    """The positions in an array from low to high of the labels or a whole ranking, else None."""
    if ranking is not None and n_given == len(ranking):
        return _places_in_ranking(ranking, labels)
    if n_given == len(labels):
        return positions_in(from_low_to_high(labels, ranking, needed_by), labels)
    return None


def _list_them() -> str:
    """How to name an order, where the function that was called has an option for it."""
    option = order_of_caller()
    return "" if option is None else f"pass {option}=[...] from the lowest to the highest, or "


def as_ranked(labels: NDArray[Any], ranking: NDArray[Any] | None) -> NDArray[Any]:
    """Labels in the order of a ranking that has them all; else unchanged."""
    if ranking is None or not len(ranking) or are_equal(ranking, labels):
        return labels
    places = positions_in(ranking, labels)
    return labels if (places == len(ranking)).any() else labels[np.argsort(places)]


def ranking_of_all(rankings: Rankings) -> NDArray[Any] | None:
    """The common ranking; empty for contradictory sides, which only ordinal metrics mind."""
    for _, ranking in rankings:
        # Contradictory already.
        if not len(ranking):
            return ranking
    try:
        return common_ranking(rankings)
    except ValueError:
        return rankings[0][1][:0]


def common_ranking(rankings: Rankings) -> NDArray[Any] | None:
    """The ranking of several sides, which may lack classes; rejects contradictions."""
    if not rankings:
        return None
    name, ranking = rankings[0]
    # Twice, since one with more classes affects those before it.
    for other_name, other in (rankings * 2)[1:] if len(rankings) > 1 else ():
        places = positions_in(ranking, other)
        shared = places[places < len(ranking)]
        if (shared[:-1] > shared[1:]).any():
            raise ValueError(
                f"{name} orders the classes as {show(ranking)}, but {other_name} as {show(other)}: "
                f"{_list_them()}put the categories of both in the same order."
            )
        if len(shared) < len(other) and len(shared) == len(ranking):
            name, ranking = other_name, other
    return ranking


def is_natural(ranking: NDArray[Any]) -> bool:
    """Whether it is the natural order of numbers and dates."""
    return KIND_OF_DTYPE[ranking.dtype.kind] not in ("strings", "bytes") and bool(
        (ranking[:-1] < ranking[1:]).all()
    )


def _places_in_ranking(ranking: NDArray[Any], labels: NDArray[Any]) -> NDArray[np.intp]:
    """The positions of labels in a ranking, which must have them all."""
    if not len(ranking):
        raise ValueError(
            "the data order the classes in contradictory ways, and this metric depends on their "
            f"order: {_list_them()}put the categories of all in the same order."
        )
    places = positions_in(ranking, labels)
    if (outside := places == len(ranking)).any():
        raise ValueError(
            f"the order of the classes, {show(ranking)}, lacks the labels {show(labels[outside])}, "
            f"and this metric depends on it: {_list_them()}add them to the categories."
        )
    return places


def crossed(columns: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """Combinations of labels, given a column of each: tuples of the labels, with names."""
    types = [(name, column.dtype) for name, column in columns.items()]
    combinations = np.empty(len(next(iter(columns.values()))), dtype=types)
    for name, column in columns.items():
        combinations[name] = column
    return combinations


def is_crossed(labels: NDArray[Any]) -> bool:
    """Whether labels are combinations of others."""
    return labels.dtype.names is not None


def parts_of(labels: NDArray[Any]) -> list[NDArray[Any]]:
    """The labels that are combined."""
    return [labels[name] for name in labels.dtype.names or ()]


def plain(labels: NDArray[Any]) -> list[Any]:
    """Labels as Python objects; dates stay NumPy's, for their resolution."""
    if is_crossed(labels):
        return list(zip(*map(plain, parts_of(labels)), strict=True))
    return list(labels) if labels.dtype.kind in "mM" else labels.tolist()


def show(labels: NDArray[Any], most: int = 10) -> str:
    """Labels for a message, the first few of many."""
    return show_names(plain(labels), most)


def show_names(names: Sequence[Any], most: int = 10) -> str:
    """Names for a message, the first few of many."""
    shown = ", ".join(
        date_as_text(name) if isinstance(name, np.datetime64) else repr(name)
        for name in names[:most]
    )
    n_hidden = len(names) - most
    return f"[{shown}, ... {n_hidden} more]" if n_hidden > 0 else f"[{shown}]"


def name_as_text(name: Any) -> str:
    """A label as people read it: dates by ISO 8601, those of crossed groups joined, "F, old"."""
    if isinstance(name, tuple):
        return ", ".join(map(name_as_text, name))
    return date_as_text(name) if isinstance(name, np.datetime64) else str(name)


def date_as_text(time: np.datetime64) -> str:
    """A time by ISO 8601, without hours at midnight and without a fraction of zeros."""
    coarser = [time.astype(f"M8[{unit}]") for unit in ("D", "s")]
    return min([str(time), *(str(same) for same in coarser if same == time)], key=len)
