"""How a row of the benchmarks is measured: all sides in turn in one process, first calls in processes of their own."""

import os
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping

import numpy as np

OURS = "ours"
SKLEARN = "scikit-learn"

# A side by its name: the same work by each library.
Sides = Mapping[str, Callable[[], object]]

SECONDS_A_ROW = 3.0
TURNS = 3, 201


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
    # Differences of sums of float weights leave a rest of their rounding; torchmetrics computes with 32 bits.
    is_narrow = np.asarray(other).dtype == np.float32
    np.testing.assert_allclose(one, other, rtol=1e-6 if is_narrow else 1e-9, atol=1e-8)


def check_results(sides: Sides):
    """Every side gives what ours gives."""
    expected = sides[OURS]()
    for side, call in sides.items():
        if side != OURS:
            assert_same(expected, call())


def warm_milliseconds(sides: Sides) -> dict[str, float]:
    """The median CPU time of many calls of each side, called in turn, so that other work disturbs all alike."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    least, most = TURNS
    start = time.perf_counter()
    for turn in range(most):
        if turn >= least and time.perf_counter() - start > SECONDS_A_ROW:
            break
        for name, call in sides.items():
            times[name].append(milliseconds(call))
    return {name: statistics.median(of_side) for name, of_side in times.items()}


def milliseconds(call: Callable[[], object]) -> float:
    """The CPU time of one call, on all cores."""
    start = time.process_time()
    call()
    return (time.process_time() - start) * 1e3


def peak_megabytes(sides: Sides) -> dict[str, float]:
    """The most memory that one call of each side holds besides its arguments."""
    peaks = {}
    for name, call in sides.items():
        tracemalloc.start()
        call()
        peaks[name] = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
    return peaks


def in_fresh_processes(arguments: list[str], n_processes: int) -> float:
    """The median of the numbers that so many runs of Python with these arguments print."""
    return statistics.median(_printed_by(arguments) for _ in range(n_processes))


def _printed_by(arguments: list[str]) -> float:
    """What a process printed last; it may keep its byte code, as that of users does."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment)
    if run.returncode:
        raise RuntimeError(run.stderr)
    return float(run.stdout.split()[-1])
