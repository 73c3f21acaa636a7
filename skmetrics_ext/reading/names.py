"""Names of columns, indices and keys of dicts: matched or rejected."""

# Named containers are read by name: in any order, names must include every label that occurs, and
# may be those of further known classes. Default names - pandas' RangeIndex, polars' column_0 - do
# not count as names, and a plain array is in the order of the labels.

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading.containers import (
    Names,
    column_names,
    is_default,
    refuse_unread,
    row_names,
)
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import plain, show, show_names

# Words that say what the classes of a side are.
ACTUAL = {"actual", "actuals", "true", "truth", "ytrue", "target", "targets", "observed"}
PREDICTED = {"predicted", "prediction", "predictions", "pred", "preds", "ypred"}
PREDICTED |= {"hat", "yhat", "estimate", "estimated", "forecast"}
# Words that say so only beside one of the others: two judges are neither.
REFERENCE = {"disease", "human", "gold", "reference", "standard"}
TESTED = {"test", "judge", "model", "result", "classifier"}


class NamedNumbers(NamedTuple):
    """One number per label."""

    names: Names
    values: NDArray[Any]


class NamedTable(NamedTuple):
    """One number per pair of labels: one or both sides have names."""

    rows: Names | None
    columns: Names | None
    values: NDArray[Any]
    # Of a dict, in which a pair that is left out is 0.
    of_pairs: bool = False


def index_of_samples(of_true: Any, of_predicted: Any) -> Any:
    """The index of the samples: of predictions if the labels have none."""
    return of_predicted if of_true is None and not is_default(of_predicted) else of_true


def check_same_samples(
    first: Any, second: Any, names: tuple[str, str], *, default_is_name: bool
) -> None:
    """Reject two indices of the same entries in different orders; warn if only some are in both.

    A default index does not count: pd.Series(model.predict(X)) has one.
    """
    if first is None or second is None or first is second:
        return
    if len(first) != len(second):
        return
    if first.nlevels != second.nlevels:
        return
    if (not default_is_name and is_default(second)) or first.equals(second):
        return
    if not (first.is_unique and second.is_unique):
        return
    is_in_both = second.isin(first)
    if is_in_both.all():
        raise ValueError(
            f"{names[0]} and {names[1]} are pandas objects with the same index in different "
            f"orders, such as {first[:3].tolist()} and {second[:3].tolist()}: put them in the same "
            f"order with {names[1]}.loc[{names[0]}.index], or pass arrays if the samples are "
            "already in the same order."
        )
    if is_in_both.any():
        _warn_of_overlap(first, second, names)


def _warn_of_overlap(first: Any, second: Any, names: tuple[str, str]) -> None:
    """Say that samples are matched by position despite their indices."""
    alone = [
        f"{one[~one.isin(other)][:1].tolist()[0]!r} is only in that of {name}"
        for one, other, name in ((first, second, names[0]), (second, first, names[1]))
    ]
    warn(
        f"{names[0]} and {names[1]} are matched by position, but their indices have only some "
        f"entries in common: {' and '.join(alone)}. If these are not the same samples, keep those "
        f"of both, with common = {names[0]}.index.intersection({names[1]}.index), "
        f"{names[0]}.loc[common] and {names[1]}.loc[common]; if they are, pass arrays, such as "
        f"{names[1]}.to_numpy()."
    )


def places_of(
    labels: NDArray[Any], names: Sequence[Any], where: str, advice: str | Callable[[], str]
) -> list[int]:
    """The position of each label among the names, which must include them all."""
    if len({*names}) < len(names):
        raise ValueError(
            f"{where} contain a name twice: {show_names(names)}. List each label once."
        )
    places = find(labels, names)
    if missing := [
        label for label, place in zip(plain(labels), places, strict=True) if place is None
    ]:
        raise ValueError(
            f"{where} are named {show_names(names)}, but the labels are {show(labels)}, so "
            f"{show_names(missing)} can't be found: {advice() if callable(advice) else advice}"
        )
    return [place for place in places if place is not None]


def check_are_known(
    given: Sequence[Any],
    known: Sequence[NDArray[Any] | None],
    where: str,
    advice: str | Callable[[], str],
) -> None:
    """Reject names that none of the known classes has, since their numbers would be lost."""
    of_classes = [labels for labels in known if labels is not None]
    places = {place for labels in of_classes for place in find(labels, given)}
    known_names = {given[place] for place in places if place is not None}
    unknown = [name for name in given if name not in known_names]
    if unknown:
        classes = list(dict.fromkeys(label for labels in of_classes for label in plain(labels)))
        raise ValueError(
            f"{where} are named {show_names(given)}, but the labels are {show_names(classes)}, so "
            f"{show_names(unknown)} match no label{_nearest(unknown[0], classes)}: "
            f"{advice() if callable(advice) else advice}"
        )


def _nearest(name: Any, classes: Sequence[Any]) -> str:
    """A hint at the class that is written almost like a name."""
    by_text = {str(label).strip().casefold(): label for label in classes}
    near = difflib.get_close_matches(str(name).strip().casefold(), by_text, n=1)
    return f" (did you mean {by_text[near[0]]!r}?)" if near else ""


def find(labels: NDArray[Any], names: Sequence[Any]) -> list[int | None]:
    """The position of each label among the names, also as text, as polars names are."""
    place = {name: k for k, name in enumerate(names)}
    place_of_text = {str(name): k for name, k in place.items()}
    positions = []
    for label in plain(labels):
        texts = [str(label), str(int(label))] if isinstance(label, float) else [str(label)]
        places = [place.get(label), *map(place_of_text.get, texts)]
        positions.append(next((k for k in places if k is not None), None))
    return positions


def places_of_columns(
    first: Names | None, second: Names | None, names: tuple[str, str]
) -> list[int] | None:
    """The columns of the first frame in the second; None if matched by position."""
    if first is None or second is None or first == second:
        return None
    if {*first}.isdisjoint(second):
        # Numbers as names are strings in polars.
        first, second = [str(name) for name in first], [str(name) for name in second]
    if first == second or {*first}.isdisjoint(second):
        return None
    if len(first) != len(second) or {*first} != {*second} or len({*first}) < len(first):
        raise ValueError(
            f"{names[0]} has the columns {show_names(first)}, but {names[1]} has "
            f"{show_names(second)}: name the same "
            "labels in both, in any order, or pass arrays to match them by position."
        )
    return [second.index(name) for name in first]


def named_numbers(values: Any) -> NamedNumbers | None:
    """A dict or a Series of label to number; None for anything without names."""
    if isinstance(values, Mapping):
        return NamedNumbers(
            list(values), np.fromiter(values.values(), dtype=object, count=len(values))
        )
    names = row_names(values)
    return (
        None
        if names is None or hasattr(values, "columns")
        else NamedNumbers(names, np.asarray(values))
    )


def named_table(values: Any, name: str) -> NamedTable | None:
    """A frame with names, a dict of (actual, predicted), or of dicts by actual class; else None."""
    refuse_unread(values, name)
    if isinstance(values, Mapping):
        are_rows = all(isinstance(row, Mapping) for row in values.values())
        # A whole table is one of a frame.
        is_whole = are_rows and all({*row} == {*values} for row in values.values())
        if are_rows:
            by_actual = values.items()
            values = {(actual, key): n for actual, row in by_actual for key, n in row.items()}
        are_pairs = all(isinstance(pair, tuple) and len(pair) == 2 for pair in values)
        if not (values and are_pairs):
            raise ValueError(
                f"{name} as a dict must have pairs as keys, {{(actual, predicted): number}}."
            )
        labels = list(dict.fromkeys(label for pair in values for label in pair))
        table = np.zeros((len(labels), len(labels)), dtype=object)
        place = {label: k for k, label in enumerate(labels)}
        for (actual, predicted), number in values.items():
            table[place[actual], place[predicted]] = number
        return NamedTable(labels, labels, table, of_pairs=not is_whole)
    if _is_turned(values, name):
        values = values.T
    columns, rows = column_names(values), row_names(values)
    return (
        None if columns is None and rows is None else NamedTable(rows, columns, np.asarray(values))
    )


def _is_turned(values: Any, name: str) -> bool:
    """Whether a name says that rows are predicted or columns actual; refuses contradictions."""
    of_frame = (getattr(values, side, None) for side in ("index", "columns"))
    sides = tuple(getattr(side, "name", None) for side in of_frame)
    # One name of both sides is that of the classes.
    if len(sides) != 2 or sides[0] == sides[1]:
        return False
    rows, columns = map(_said_by, sides)
    if rows is not None and rows == columns:
        raise ValueError(
            f"the rows of {name} are called {sides[0]!r} and its columns {sides[1]!r}, which both "
            f"say {rows} classes: rows must be actual, columns predicted ones. Say which is which, "
            "for a pandas frame with .rename_axis(index='actual', columns='predicted')."
        )
    if rows is None and columns is None:
        return _is_tested(sides[0], sides[1])
    return rows == "predicted" or columns == "actual"


def _is_tested(name: Any, other: Any) -> bool:
    """Whether a name is that of a test, and the other that of its reference."""
    words, of_other = _words(name), _words(other)
    is_test, is_reference = words & TESTED and not words & REFERENCE, of_other & REFERENCE
    return bool(is_test and is_reference and not of_other & TESTED)


def _words(name: Any) -> set[str]:
    """The words of a name."""
    return {*re.findall("[a-z]+", str(name).lower())}


def _said_by(name: Any) -> str | None:
    """Whether a name says "actual" or "predicted"; None for neither or both."""
    words = _words(name)
    is_actual = bool(words & ACTUAL or words == {"y", "test"})
    if is_actual == bool(words & PREDICTED):
        return None
    return "actual" if is_actual else "predicted"


def refuse_disjoint(rows: Names, columns: Names, name: str) -> None:
    """Reject two names or more on each side without one in common, which cannot be classes."""
    if min(len(rows), len(columns)) < 2 or {*map(str, rows)} & {*map(str, columns)}:
        return
    alike = _stripped_alike(rows, columns)
    advice = "name the classes alike on both sides"
    if alike is not None:
        advice += f", such as counts.set_axis({alike[0]!r}, axis=0).set_axis({alike[1]!r}, axis=1)"
    raise ValueError(
        f"{name} has the rows {show_names(rows)} and the columns {show_names(columns)}, which have "
        f"no class in common, so nothing would be right: {advice}. If they are different classes, "
        "list all in labels=[...]."
    )


def _stripped_alike(rows: Names, columns: Names) -> tuple[list[str], list[str]] | None:
    """The longest names that both sides have without what is common to all of a side."""
    of_rows, of_columns = (
        {frozenset(names): names for names in _stripped(side)} for side in (rows, columns)
    )
    both = of_rows.keys() & of_columns.keys()
    if not both:
        return None
    longest = max(both, key=lambda names: sum(map(len, names)))
    return of_rows[longest], of_columns[longest]


def _stripped(side: Names) -> Iterator[list[str]]:
    """The names of a side without parts of what all begin and end with."""
    texts = [str(name) for name in side]
    n_first = _n_common(texts)
    n_last = _n_common([text[::-1] for text in texts])
    for first in range(n_first + 1):
        for last in range(n_last + 1):
            names = [text[first : len(text) - last].strip(" _.:") or text for text in texts]
            if len({*names}) == len(names):
                yield names


def _n_common(texts: list[str]) -> int:
    """How many characters all begin with."""
    places = zip(*texts, strict=False)
    return len([*takewhile(lambda characters: len({*characters}) == 1, places)])


def with_both_sides(
    table: NamedTable, labels: NDArray[Any], name: str, *, is_ranked: bool = False
) -> tuple[Names, Names]:
    """The names of rows and columns; without one's, both are in the order of the labels."""
    rows, columns = table.rows or table.columns or [], table.columns or table.rows or []
    if table.values.shape != (len(rows), len(columns)):
        raise ValueError(
            f"{name} has shape {table.values.shape}, but rows are named {show_names(rows)} and "
            f"columns {show_names(columns)}: pass one row per actual class and one column per "
            "predicted class."
        )
    if table.rows is None or table.columns is None:
        places = [place for place in find(labels, rows) if place is not None]
        # With names of further classes, all must be sorted as labels are.
        has_natural_order = not is_ranked and _are_sorted(rows, labels)
        if places != sorted(places) or not (len(places) == len(rows) or has_natural_order):
            raise ValueError(
                f"one side of {name} is named {show_names(rows)}, but the other has no names, and "
                f"would be assumed to follow the labels, {show(labels)}: name both, or pass a dict "
                "{(actual, predicted): number}."
            )
    return rows, columns


def _are_sorted(names: Names, labels: NDArray[Any]) -> bool:
    """Whether names are in the natural order of the labels, also numbers as text."""
    try:
        natural = names if labels.dtype.kind in "USO" else [float(name) for name in names]
        return natural == sorted(natural)
    except (TypeError, ValueError):
        return False
