"""Which groups of a matrix are compared: each with each, with the rest, or with one."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.matrices.alignment import M, selected, stacked, summed_over, with_crossed_axes
from skmetrics_ext.matrices.counted import counted_for_limits, difference_for
from skmetrics_ext.matrices.data import MatrixData
from skmetrics_ext.reading.order import name_as_text, plain, position_of, show_names
from skmetrics_ext.statistics.compared import Compared
from skmetrics_ext.statistics.gaps.request import GapRequest

EACH, REST = "each", "rest"
# The axis of the two groups of a pair.
OF_PAIR = "group"


class Group(NamedTuple):
    """The samples of one group, and its name in rows."""

    name: str
    matrix: Any


def differences_of_groups(
    cm: MatrixData, choice: Choice, axis: Any, against: Any, request: GapRequest
) -> list[Compared]:
    """The difference of each pair, in the order of the groups."""
    names, request = _names_of_axes(cm, axis), request.with_seed()
    of_each = _read_against(cm, names, against)
    return [
        _difference(first, second, choice, request)
        for level, of_level in _levels(cm, names)
        for first, second in _pairs(_groups(of_level, names, level), of_each, level)
    ]


def crossed_groups(cm: M, axis: Any) -> tuple[M, Any]:
    """The matrix with several axes as one, of their combinations; and the name of that axis."""
    if not isinstance(axis, (list, tuple)):
        return cm, axis
    names = _names_of_axes(cm, axis)
    if len(names) == 1:
        return cm, names[0]
    together = with_crossed_axes(cm, names)
    return together, together.axes[0].name


def _names_of_axes(cm: MatrixData, axis: Any) -> list[str]:
    """The axes whose entries, crossed if several, are the groups."""
    known = [leading.name for leading in cm.axes]
    if not known:
        raise ValueError("a gap is between groups, but the matrix has none: make it with by=.")
    if axis is None and len(known) > 1:
        raise ValueError(
            f"axis must be the name of the groups' axis, one of {known}, or several of them, whose "
            "groups are crossed: the entries of other axes are levels, within which groups are "
            "compared."
        )
    names = known if axis is None else [axis] if isinstance(axis, str) else list(axis)
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"axis={unknown[0]!r} is not an axis of the matrix, which has {known}.")
    if not names or len({*names}) < len(names):
        raise ValueError(f"axis must name each axis once; got {names}.")
    if "label" in names:
        raise ValueError(
            "a gap is between groups of different samples, but the labels all refer to the same "
            "samples: make the groups with by=, and specify their axis with axis=."
        )
    return names


def _read_against(cm: MatrixData, names: list[str], against: Any) -> str:
    """The word for several groups, or the name of one; refuses what is neither or both."""
    coordinates = _axis(cm, names[0]).coordinates
    groups = plain(coordinates)
    place = position_of(coordinates, against)
    if len(names) > 1:
        groups = list(product(*(plain(_axis(cm, name).coordinates) for name in names)))
        place = groups.index(against) if against in groups else None
    is_group = place is not None
    is_word = isinstance(against, str) and against in (EACH, REST)
    if is_group and is_word:
        raise ValueError(
            f"against={against!r} is a group of {names[0]!r}, and a word for several: rename the "
            "group."
        )
    if not is_group and not is_word:
        raise ValueError(
            f"against must be 'each' or 'rest' or one of the groups {show_names(groups)}; got "
            f"{against!r}."
        )
    # Its own name: 1 may be given as 1.0, and a day as a date.
    return str(against) if place is None else name_as_text(groups[place])


def _axis(cm: MatrixData, name: str) -> Any:
    """The axis of a name."""
    return next(axis for axis in cm.axes if axis.name == name)


def _levels(cm: M, names: Sequence[str]) -> Iterator[tuple[list[str], M]]:
    """The matrix of each combination of the other axes, and its name."""
    others = [axis for axis in cm.axes if axis.name not in names]
    for entries in product(*(plain(axis.coordinates) for axis in others)):
        chosen = {axis.name: entry for axis, entry in zip(others, entries, strict=True)}
        yield [name_as_text(entry) for entry in entries], selected(cm, chosen) if chosen else cm


def _groups(cm: MatrixData, names: Sequence[str], level: list[str]) -> list[Group]:
    """The groups that have samples."""
    found = []
    for entries in product(*(plain(_axis(cm, name).coordinates) for name in names)):
        matrix = selected(cm, dict(zip(names, entries, strict=True)))
        if matrix.counts.any():
            found.append(Group(name_as_text((*entries, *level)), matrix))
    called = [group.name for group in found]
    if same := next((name for name in called if called.count(name) > 1), None):
        raise ValueError(f"two groups of {list(names)} would be called {same!r}: rename one.")
    return found


def _pairs(groups: list[Group], against: str, level: list[str]) -> Iterator[tuple[Group, Group]]:
    """The pairs to compare."""
    if against == EACH:
        yield from combinations(groups, 2)
        return
    if against == REST:
        for group in groups if len(groups) > 1 else ():
            others = {of.name: of.matrix for of in groups if of is not group}
            rest = summed_over(stacked(others, OF_PAIR), OF_PAIR)
            yield group, Group(", ".join([REST, *level]), rest)
        return
    baseline = ", ".join([against, *level])
    of_baseline = [group for group in groups if group.name == baseline]
    for group in groups:
        if group.name != baseline and of_baseline:
            yield group, of_baseline[0]


def _difference(first: Group, second: Group, choice: Choice, request: GapRequest) -> Compared:
    """The difference of two groups."""
    pair = stacked({group.name: group.matrix for group in (first, second)}, OF_PAIR)
    counted, axes = counted_for_limits(pair, choice)
    return difference_for(pair, counted, choice, axes, request)
