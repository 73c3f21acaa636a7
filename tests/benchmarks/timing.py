"""A row of the benchmarks and how it is measured: all sides in turn, in one process or several."""

import os
import re
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

OURS = "ours"
SKLEARN = "scikit-learn"

# The same work by each side: ours first, then its fair peer (the fastest way that its users have),
# then others.
Sides = Mapping[str, Callable[[], object]]

SECONDS_A_ROW = 3.0
TURNS = 3, 201
PROCESSES = 3


class Row(NamedTuple):
    """A piece of work and what is asked of it, which is relative where there is a peer to be
    relative to.
    """

    name: str
    sides: Callable[[], Sides]
    times: float | None = None
    """The fair peer's figure over ours must be at least that."""
    at_most: float | None = None
    """Ours, on the machine of its author, where no peer is installed or none is asked for."""
    unit: str = "ms"


class Part(NamedTuple):
    """A side that does one of so many equal parts of other or random work: its time is
    extrapolated.
    """

    call: Callable[[], object]
    times: float

    def __call__(self):
        self.call()


def assert_same(one, other):
    """Refuse to time results that differ; they may be dicts, tuples, arrays or numbers."""
    if isinstance(one, Mapping):
        assert one.keys() == other.keys()
        one, other = list(one.values()), [other[name] for name in one]
    if isinstance(one, (list, tuple)):
        assert len(one) == len(other)
        for part, other_part in zip(one, other, strict=True):
            assert_same(part, other_part)
        return
    # Differences of sums of float weights leave a rest of their rounding; torchmetrics computes
    # with 32 bits.
    is_narrow = np.asarray(other).dtype == np.float32
    np.testing.assert_allclose(one, other, rtol=1e-6 if is_narrow else 1e-9, atol=1e-8)


def check_results(sides: Sides):
    """Every side gives what ours gives; one that returns None, as a part does, has no result to
    compare.
    """
    expected = sides[OURS]()
    for side, call in sides.items():
        if side != OURS and (found := call()) is not None:
            assert_same(expected, found)


def milliseconds(
    call: Callable[[], object], clock: Callable[[], float] = time.process_time
) -> float:
    """The time of one call, by default the CPU time on all cores."""
    start = clock()
    call()
    return (clock() - start) * 1e3 * (call.times if isinstance(call, Part) else 1)


def of_turns(sides: Sides, clock: Callable[[], float] = time.process_time) -> dict[str, float]:
    """The median time of many calls of each side, called in turn, so that other work disturbs all
    alike.
    """
    check_results(sides)
    times: dict[str, list[float]] = {name: [] for name in sides}
    least, most = TURNS
    start = time.perf_counter()
    for turn in range(most):
        if turn >= least and time.perf_counter() - start > SECONDS_A_ROW:
            break
        for name, call in sides.items():
            times[name].append(milliseconds(call, clock))
    return {name: statistics.median(of_side) for name, of_side in times.items()}


def peak_megabytes(sides: Sides) -> dict[str, float]:
    """The most memory that one call of each side holds besides its arguments."""
    check_results(sides)
    peaks = {}
    for name, call in sides.items():
        tracemalloc.start()
        call()
        peaks[name] = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
    return peaks


def of_processes(sides: Sides) -> dict[str, float]:
    """The median of the numbers that processes of their own print; a side is their code."""
    return {
        name: statistics.median(printed_by(call()) for _ in range(PROCESSES))
        for name, call in sides.items()
    }


def printed_by(code: str) -> float:
    """What a process printed last; it may keep its byte code, as that of users does."""
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).parent), *filter(None, sys.path)]
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    if run.returncode:
        raise RuntimeError(run.stderr)
    return float(run.stdout.split()[-1])


def resident_megabytes() -> float:
    """The most memory of this process; getrusage would take over what the process had that started
    it.
    """
    return int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024


MEASURES: dict[str, Callable[[Sides], dict[str, float]]] = {
    "ms": of_turns,
    "ms by the clock": lambda sides: of_turns(sides, time.perf_counter),
    "MB": peak_megabytes,
    "ms of a process": of_processes,
    "MB of a process": of_processes,
}
