"""Lines on stderr that say how far long work is."""

import contextlib
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from skmetrics_ext.reading.arguments import check_verbose

# At most one line in so many seconds.
PAUSE = 1.0


class Progress(NamedTuple):
    """What long work calls with how far it is."""

    step: Callable[[str], None]
    """Shown where the last line is a while ago."""
    stage: Callable[[str], None]
    """Shown always."""


SILENT = Progress(lambda _: None, lambda _: None)


def progress_of(work: str, verbose: Any) -> Progress:
    """The progress of a function: silent for verbose=0."""
    check_verbose(verbose)
    if not verbose:
        return SILENT
    started = shown = time.perf_counter()

    def stage(text: str) -> None:
        nonlocal shown
        shown = time.perf_counter()
        if sys.stderr is None:
            # A process without a console: print would take stdout.
            return
        # Long work does not end because the stream is closed.
        with contextlib.suppress(OSError, ValueError):
            print(f"[{work}] {shown - started:.1f} s: {text}", file=sys.stderr, flush=True)

    def step(text: str) -> None:
        if time.perf_counter() - shown >= PAUSE:
            stage(text)

    return Progress(step, stage)
