"""Where a warning points, and how often it is given."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

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
