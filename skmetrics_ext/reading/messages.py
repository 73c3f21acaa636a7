"""Where a warning points, and how often it is given."""

import functools
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FrameType

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
    # The frame after that of the function which the user called.
    warnings.warn(message, category, stacklevel=len(frames_of_package()) + 1)
    if said is not None:
        said.add(message)


def frames_of_package() -> list[FrameType]:
    """The frames of this package from here up to that of the function which the user called."""
    frames: list[FrameType] = []
    frame: FrameType | None = sys._getframe(1)
    # A cached property is computed in functools.
    own = (PACKAGE_FOLDER + os.sep, functools.__file__)
    while frame is not None and frame.f_code.co_filename.startswith(own):
        frames.append(frame)
        frame = frame.f_back
    return frames


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
