"""Entries: what every result is made of, arrays over the same axes that are taken and joined whole.

A result declares which of its fields have a value for each entry, by `of_entries`; whatever selects
or joins entries goes through all fields of the class, so that none is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.statistics.caveats import Caveat, joined_caveats

E = TypeVar("E", bound="Entries")

OF_ENTRIES = "of entries"


def of_entries(about: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """The metadata of a field with a value for each entry; one given once is that of all."""
    return {OF_ENTRIES: True, **about}


# Where a result comes from: the design of its samples, and how many replicates were drawn, from
# which seed. A plain tuple, which pickles store without a name of ours.
Origin = tuple[str, int | None, Any]


def origin_of(design: str, n_resamples: int | None = None, seed: Any = None) -> Origin:
    """Where a result comes from."""
    return design, n_resamples, seed


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Entries:
    """Values over axes, with caveats that name the entries they are about.

    Without axes there is a single entry, and its fields are single values.
    """

    axes: tuple[Axis, ...] = ()
    caveats: tuple[Caveat, ...] = ()
    # It takes no part in ==: equal numbers may come from several designs.
    _origin: Origin = ("", None, None)

    # The methods of all entries, where these do not name their own.
    _methods: ClassVar[str] = ""

    def __post_init__(self) -> None:
        shape = shape_of(self)
        own = {name: _of_each(getattr(self, name), shape) for name in names_of_entries_in(self)}
        # In one order, whichever entries are beside these.
        in_order = sorted(self.caveats, key=lambda caveat: (caveat.code, caveat.sentence))
        own["caveats"] = tuple(caveat.over(self.axes) for caveat in in_order)
        # The class is frozen.
        vars(self).update(own)

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Arrays in pickles are no longer read-only.
        vars(self).update(state)
        self.__post_init__()

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        return _are_same(_compared(self), _compared(other))

    __hash__ = None  # type: ignore[assignment]  # arrays can't be hashed


def of_origin(result: E, design: str, n_resamples: int | None = None, seed: Any = None) -> E:
    """A result that knows where it comes from."""
    return replace(result, _origin=(design, n_resamples, seed))


def _compared(result: Entries) -> tuple[Any, ...]:
    """What results are compared by."""
    return tuple(value for name, value in vars(result).items() if name != "_origin")


def shape_of(result: Entries) -> tuple[int, ...]:
    """How many entries there are along each axis."""
    return tuple(len(axis.coordinates) for axis in result.axes)


def names_of_entries_in(result: Entries) -> list[str]:
    """The fields with a value for each entry."""
    kind: Any = type(result)
    return _names_of_entries(kind)


@cache
def _names_of_entries(kind: Any) -> list[str]:
    """The same of a class, of which many results are made."""
    return [of.name for of in fields(kind) if OF_ENTRIES in of.metadata]


def entry_at(result: E, place: tuple[int, ...]) -> E:
    """One entry of the first axes, as if it were alone."""
    return _moved(result, lambda array: array[place], result.axes[len(place) :])


def taken(result: E, places: NDArray[Any]) -> E:
    """Some entries of the first axis, in this order."""
    first, *others = result.axes
    chosen = first._replace(coordinates=first.coordinates[places])
    return _moved(result, lambda array: array[places], (chosen, *others))


def over_axes(result: E, axes: tuple[Axis, ...]) -> E:
    """The entries of the first axis, over several axes in its place."""
    shape = tuple(len(axis.coordinates) for axis in axes)
    return _moved(
        result, lambda array: array.reshape(*shape, *array.shape[1:]), (*axes, *result.axes[1:])
    )


def stacked_results(results: Sequence[E], axis: Axis) -> E:
    """One result after the other along a new first axis."""
    each = Axis(axis.name, axis.coordinates[:1])
    return concatenated(
        [_moved(of, lambda array: array[None], (each, *of.axes)) for of in results], axis
    )


def with_axis_at(result: E, source: int, destination: int) -> E:
    """The same with one of the axes at another place."""
    axes = [*result.axes]
    axes.insert(destination, axes.pop(source))
    return _moved(result, lambda array: np.moveaxis(array, source, destination), tuple(axes))


def concatenated(results: Sequence[E], axis: Axis) -> E:
    """The entries of the first axis of each, one after the other along another axis."""
    first = results[0]
    axes = (axis, *first.axes[1:])
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(of, name) for of in results])
        for name in names_of_entries_in(first)
    }
    sizes = [shape_of(of)[0] for of in results]
    caveats = joined_caveats([of.caveats for of in results], sizes)
    return replace(first, **arrays, axes=axes, caveats=caveats)


def _moved(result: E, move: Callable[[NDArray[Any]], Any], axes: tuple[Axis, ...]) -> E:
    """The same with each array of entries moved."""
    arrays = {
        name: _item(move(array_of(getattr(result, name)))) for name in names_of_entries_in(result)
    }
    caveats = [caveat.moved(move, axes) for caveat in result.caveats]
    about_some = tuple(caveat for caveat in caveats if np.any(caveat.entries))
    return replace(result, **arrays, axes=axes, caveats=about_some)


def _of_each(value: Any, shape: tuple[int, ...]) -> Any:
    """A value of each entry as a read-only array of these, and a single one as itself."""
    if not shape and not isinstance(value, np.ndarray):
        return value
    array = array_of(value)
    whole_shape = (*shape, *array.shape[len(shape) :])
    whole = np.array(array if array.shape == whole_shape else np.broadcast_to(array, whole_shape))
    whole.setflags(write=False)
    return whole if whole.ndim else whole.item()


def array_of(value: Any) -> NDArray[Any]:
    """A single value, maybe a tuple of names, as an array without axes."""
    if isinstance(value, np.ndarray):
        return value
    array = np.empty((), dtype=object if isinstance(value, tuple) else np.asarray(value).dtype)
    array[()] = value
    return array


def _item(moved: Any) -> Any:
    """A single entry of an array as Python's own."""
    return moved.item() if isinstance(moved, np.generic) else moved


def _are_same(one: Any, other: Any) -> bool:
    """Whether fields are equal: tuples and arrays entry by entry, nan equal to nan."""
    if isinstance(one, tuple) or isinstance(other, tuple):
        are_alike = type(one) is type(other) and len(one) == len(other)
        return are_alike and all(map(_are_same, one, other))
    one, other = np.asarray(one), np.asarray(other)
    if one.shape != other.shape:
        return False
    # Only nan differs from itself.
    are_nan = (one != one) & (other != other)
    return bool(((one == other) | are_nan).all())
