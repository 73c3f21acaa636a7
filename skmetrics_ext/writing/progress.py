"""Progress of long work, as lines on stderr."""

import contextlib
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from skmetrics_ext.reading.arguments import check_verbose

# Seconds between lines, at least.
PAUSE = 1.0


class Progress(NamedTuple):
    """The functions that report progress."""

    # Shown if the last line was printed a while ago.
    step: Callable[[str], None]
    # Always shown.
    stage: Callable[[str], None]


def progress_of(work: str, verbose: Any) -> Progress:
    """The progress of a function: silent for verbose=0."""
    check_verbose(verbose)
    if not verbose:
        return Progress(lambda _: None, lambda _: None)
    started = shown = time.perf_counter()

    def stage(text: str) -> None:
        nonlocal shown
        shown = time.perf_counter()
        if sys.stderr is None:
            # Without a console print would use stdout.
            return
        # A closed stream must not stop the work.
        with contextlib.suppress(OSError, ValueError):
            print(f"[{work}] {shown - started:.1f} s: {text}", file=sys.stderr, flush=True)

    def step(text: str) -> None:
        if time.perf_counter() - shown >= PAUSE:
            stage(text)

    return Progress(step, stage)
