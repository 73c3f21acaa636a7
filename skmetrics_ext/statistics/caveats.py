"""Caveat: why a result may not hold what it promises, as data; a public function tells it once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import plain, show_names


class HasCaveats(Protocol):
    """A result that says why it may not hold what it promises."""

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """The reasons."""
        ...


R = TypeVar("R", bound=HasCaveats)

MARK = "*"
# The code of values that are 0/0, for which scikit-learn has its own warning.
UNDEFINED = "undefined"
# Codes of what limits are about, or why they are wide; with others they may not hold.
NOTES = ("pooled_folds", "learning_curve")


class NoLimitsError(ValueError):
    """Why counts do not tell the limits of a value, which is known all the same."""


class UnreliableIntervalWarning(UserWarning):
    """Confidence limits or p-values may not hold what they promise; the message says why.

    The same reason is in the `caveats` of the result.

    Examples
    --------
    >>> import warnings
    >>> from skmetrics_ext import ConfusionMatrix, UnreliableIntervalWarning
    >>> cm = ConfusionMatrix.from_counts([[6, 1], [1, 2]], labels=["no", "yes"])
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", UnreliableIntervalWarning)
    ...     interval = cm.interval("mcc")
    >>> [caveat.code for caveat in interval.caveats]
    ['few_samples']
    """


class Caveat(NamedTuple):
    """Why entries of a result may not hold what they promise.

    Attributes
    ----------
    code : str
        Which reason it is, such as "few_samples"; the documentation lists them.
    sentence : str
        The reason, with "{n}" and "{where}" for a number and names of entries, which `text` has.
    entries : ndarray of bool
        The entries that it is about, in the shape of the result's values.
    n : ndarray or None
        The number behind it, of each entry.
    axes : tuple of Axis
        The axes of the entries.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionMatrix
    >>> cm = ConfusionMatrix.from_counts([[6, 1], [1, 2]], labels=["no", "yes"])
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     [caveat] = cm.interval("mcc").caveats
    >>> caveat.code, caveat.text[:38]
    ('few_samples', 'mcc is based on too few samples, 3 (of')
    """

    code: str
    sentence: str
    # Before a result has it, whatever broadcasts to the shape of its values.
    entries: Any = True
    n: Any = None
    axes: tuple[Axis, ...] = ()

    @property
    def text(self) -> str:
        """The reason, with the smallest number and the names of its entries."""
        number = ""
        if self.n is not None:
            of_entries = np.broadcast_to(self.n, np.shape(self.entries))[self.entries]
            number = f"{of_entries.min():g}"
        where = where_entries_are(self.axes, self.entries)
        return self.sentence.replace("{n}", number).replace("{where}", where)

    def at(self, place: tuple[int, ...]) -> str:
        """The reason for one entry; empty if it isn't about that."""
        if not self.entries[place]:
            return ""
        return self.moved(lambda array: array[place], self.axes[len(place) :]).text

    def over(self, axes: tuple[Axis, ...]) -> Caveat:
        """The same of a result with these axes, of which it may have the first ones."""
        shape = tuple(len(axis.coordinates) for axis in axes)

        def whole(of_entries: Any) -> NDArray[Any]:
            """What is said of each entry of the first axes, of all entries."""
            array = np.asarray(of_entries)
            further = (1,) * (len(shape) - array.ndim)
            return np.broadcast_to(array.reshape(array.shape + further), shape)

        n = None if self.n is None else whole(self.n)
        return self._replace(entries=whole(self.entries), n=n, axes=axes)

    def moved(self, move: Callable[[NDArray[Any]], Any], axes: tuple[Axis, ...]) -> Caveat:
        """The same of entries that were moved to other axes."""
        n = None if self.n is None else move(self.n)
        return self._replace(entries=move(self.entries), n=n, axes=axes)


def caveats_by_sentence(code: str, sentences: NDArray[Any]) -> Iterator[Caveat]:
    """A caveat for each sentence, about the entries that have it; empty ones say nothing."""
    for sentence in dict.fromkeys(np.ravel(sentences).tolist()):
        if sentence:
            yield Caveat(code, sentence, sentences == sentence)


def joined_caveats(caveats: Sequence[Sequence[Caveat]], sizes: Sequence[int]) -> tuple[Caveat, ...]:
    """The caveats of results whose first axes, of these sizes, were joined; equal ones once."""
    ends = np.cumsum(sizes)
    found: dict[tuple[str, str], Caveat] = {}
    for of_result, end, size in zip(caveats, ends, sizes, strict=True):
        for caveat in of_result:
            whole = _among(caveat, slice(end - size, end), int(ends[-1]))
            key = caveat.code, caveat.sentence
            found[key] = _of_both(found[key], whole) if key in found else whole
    return tuple(found.values())


def _among(caveat: Caveat, place: slice, n_entries: int) -> Caveat:
    """A caveat of some entries of the first axis, among others."""

    def among(array: NDArray[Any]) -> NDArray[Any]:
        whole = np.zeros((n_entries, *array.shape[1:]), dtype=array.dtype)
        whole[place] = array
        return whole

    return caveat.moved(among, caveat.axes)


def _of_both(first: Caveat, second: Caveat) -> Caveat:
    """One caveat of the entries of either."""
    n = None if first.n is None else np.where(second.entries, second.n, first.n)
    return first._replace(entries=first.entries | second.entries, n=n)


def marks_of(caveats: Sequence[Caveat], shape: tuple[int, ...]) -> list[str]:
    """A star for each entry that a caveat is about."""
    is_marked = np.zeros(shape, dtype=bool)
    for caveat in caveats:
        is_marked |= caveat.entries
    return np.where(is_marked, MARK, "").ravel().tolist()


def notes_of(caveats: Sequence[Caveat]) -> list[str]:
    """The reasons below a table, each once."""
    return [f"{MARK} {text}" for text in dict.fromkeys(caveat.text for caveat in caveats)]


def where_entries_are(axes: Sequence[Axis], entries: NDArray[np.bool_]) -> str:
    """The coordinates of entries, unless these are all; of classes, unless some are of none."""
    if np.all(entries):
        return ""
    named = []
    for axis, where in zip(axes, np.nonzero(entries), strict=True):
        coordinates = [*dict.fromkeys(plain(axis.coordinates[np.unique(where)]))]
        if None not in coordinates:
            named.append(f"{axis.name} {show_names(coordinates)}")
    return f" in {', '.join(named)}" if named else ""


def tell(caveats: Iterable[Caveat], said: set[str] | None = None) -> None:
    """One warning for each reason, except those said before."""
    said = set() if said is None else said
    for caveat in caveats:
        text = caveat.text
        if text in said:
            continue
        said.add(text)
        is_undefined = caveat.code == UNDEFINED
        warn(text, UndefinedMetricWarning if is_undefined else UnreliableIntervalWarning)


def told_once(results: Iterable[R]) -> Iterator[R]:
    """The results of one call, with one warning for each reason."""
    said: set[str] = set()
    for result in results:
        tell(result.caveats, said)
        yield result


def told(result: R) -> R:
    """A result whose caveats are told."""
    tell(result.caveats)
    return result
