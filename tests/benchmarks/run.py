"""All benchmarks as one table; `python tests/benchmarks/run.py [PATH]` writes it as JSON, too."""

import argparse
import json
import os
import platform
import warnings
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import folds
import labels
import many_classes
import thresholds
import timing
from timing import OURS, SKLEARN

CASES = labels.CASES | thresholds.CASES | folds.CASES
CASES_OF_MEMORY = labels.CASES_OF_MEMORY | folds.CASES_OF_MEMORY
PACKAGES = [
    "skmetrics-ext",
    "scikit-learn",
    "numpy",
    "scipy",
    "pandas",
    "polars",
    "pyarrow",
    "torchmetrics",
    "torch",
    "imbalanced-learn",
]
# Columns of peers that need not be installed, and their modules.
OTHERS = {labels.TORCHMETRICS: "torchmetrics", labels.UNVALIDATED: "torchmetrics", labels.IMBLEARN: "imblearn"}
IMPORT = (
    "import sys, time, sklearn.metrics; start = time.process_time(); import skmetrics_ext; "
    "print((time.process_time() - start) * 1e3)"
)


def versions():
    """What was measured, and where."""
    found = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found | {"machine": platform.platform(), "cores": os.cpu_count()}


class Row(NamedTuple):
    """What was measured of one piece of work: a number a side, of later calls and of the first in a process."""

    name: str
    unit: str
    warm: dict[str, float]
    cold: dict[str, float]


def measured(only, n_processes):
    """All rows whose names have `only` in them."""
    for name, make in CASES.items():
        if only in name:
            sides = make()
            timing.check_results(sides)
            cold = {side: first_call(name, side, n_processes) for side in sides} if n_processes else {}
            yield Row(name, "ms", timing.warm_milliseconds(sides), cold)
    for name, make in CASES_OF_MEMORY.items():
        if only in name:
            sides = make()
            timing.check_results(sides)
            yield Row(name, "MB", timing.peak_megabytes(sides), {})
    if only in "100,000 classes over 10":
        for name, ratio in many_classes.median_and_slowest().items():
            yield Row(name, "times", {OURS: ratio}, {})
    if n_processes and only in "import after sklearn.metrics":
        yield Row(
            "import after sklearn.metrics", "ms", {}, {OURS: timing.in_fresh_processes(["-c", IMPORT], n_processes)}
        )


def first_call(name, side, n_processes):
    """The time of the first call in a process; the data are made before."""
    return timing.in_fresh_processes([__file__, "--first", name, side], n_processes)


def print_line(cells):
    """A line of the table: the name and its numbers."""
    name, *numbers = cells
    print(f"{name:<46}" + "".join(f"{number:>19}" for number in numbers), flush=True)


def as_text(number):
    """Three digits; nothing for what was not measured."""
    if number is None:
        return ""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def main():
    """The table on the terminal, and the same as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", nargs="?", type=Path, help="where to write the table as JSON")
    parser.add_argument("--only", default="", help="measure the rows that have this in their names")
    parser.add_argument("--processes", type=int, default=3, help="for each first call; 0 leaves first calls out")
    parser.add_argument("--first", nargs=2, metavar=("NAME", "SIDE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if arguments.first:
        name, side = arguments.first
        print(timing.milliseconds(CASES[name]()[side]))
        return
    for name, found in versions().items():
        print(f"{name} {found}")
    others = [name for name, package in OTHERS.items() if find_spec(package)]
    columns = [OURS, SKLEARN, *others]
    print(
        "\nCPU ms, medians of calls in turn; cold: the first call in a process; ratio: scikit-learn over ours, warm\n"
    )
    print_line(["", *columns, "ratio", *(f"{side}, cold" for side in (OURS, SKLEARN))])
    rows = []
    for row in measured(arguments.only, arguments.processes):
        rows.append(row._asdict())
        ratio = row.warm[SKLEARN] / row.warm[OURS] if SKLEARN in row.warm else None
        numbers = [*map(row.warm.get, columns), ratio, *map(row.cold.get, (OURS, SKLEARN))]
        print_line([row.name if row.unit == "ms" else f"{row.name} ({row.unit})", *map(as_text, numbers)])
    if arguments.path:
        arguments.path.write_text(json.dumps({"versions": versions(), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
