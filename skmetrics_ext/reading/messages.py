"""Where a warning points, how often it is given, and labels that differ only in spelling."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any
from unicodedata import normalize

from numpy.typing import NDArray

PACKAGE_FOLDER = str(Path(__file__).parents[1])

_said: ContextVar[set[str] | None] = ContextVar("_said", default=None)
_collected: ContextVar[list[str] | None] = ContextVar("_collected", default=None)
_about: ContextVar[str] = ContextVar("_about", default="")


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """A warning at the line of the caller, unless `warn_once` remembers it."""
    said, message = _said.get(), _about.get() + message
    if (collected := _collected.get()) is not None:
        collected.append(message)
        return
    if said is not None and message in said:
        return
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE_FOLDER + os.sep):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
    if said is not None:
        said.add(message)


@contextmanager
def collecting_warnings() -> Iterator[list[str]]:
    """Collect warnings inside; Python's own way is for all threads."""
    collected: list[str] = []
    before = _collected.set(collected)
    try:
        yield collected
    finally:
        _collected.reset(before)


@contextmanager
def warn_once(said: set[str]) -> Iterator[None]:
    """Warnings inside are not repeated; new ones are added."""
    before = _said.set(said)
    try:
        yield
    finally:
        _said.reset(before)


@contextmanager
def naming(entry: str) -> Iterator[None]:
    """Warnings and ValueErrors inside begin with the name of an entry."""
    before = _about.set(f"{entry}: ")
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{entry}: {error}") from None
    finally:
        _about.reset(before)


# What files leave around labels: blanks, and dots, quotes or brackets.
AROUND = " \t\n\r\xa0.\"'`\u00b4\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb()[]{}"


def warn_of_spelling(
    first: NDArray[Any],
    second: NDArray[Any],
    names: tuple[str, str],
    declared: NDArray[Any] | None = None,
) -> None:
    """Say that a label of each side are one but for case, marks or as numbers, unless known."""
    if first.dtype.kind not in "US":
        return
    of_first, of_second = {*first.tolist()}, {*second.tolist()}
    known = set() if declared is None else {*declared.tolist()}
    as_written = {_read_loosely(label): label for label in sorted(of_first - of_second)}
    for label in sorted(of_second - of_first):
        other = as_written.get(_read_loosely(label))
        if other is not None and not (other in known and label in known):
            warn(
                f"{names[0]} has the label {other!r} where {names[1]} has {label!r}: they differ "
                "only in spelling, but count as two classes. Write both alike, e.g. with "
                f"{{{label!r}: {other!r}}}.get(label, label); if they are two classes, list both "
                "in labels=[...] (classes=[...] for scores), or ignore this warning."
            )
            return


def _read_loosely(label: str | bytes) -> str | Decimal:
    """A label without case, blanks and marks around it, or as a number."""
    text = label.decode("latin-1") if isinstance(label, bytes) else normalize("NFC", label)
    text = text.strip().casefold()
    # ".5" is a number.
    number = _number_in(text)
    if number is None:
        # One of marks alone is not empty.
        text = text.strip(AROUND) or text
        number = _number_in(text)
    return text if number is None else number


def _number_in(text: str) -> Decimal | None:
    """The number, exact, since long codes may differ in their last digit; "nan" is a name."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
