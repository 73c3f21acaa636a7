"""All benchmarks, a line a peer; `--only WORD` runs the rows that have it in their names.

A row that is behind what is asked of it ends with "behind". Times that are asked are those of one
machine when idle; ratios hold on any.
"""

import argparse
import contextlib
import os
import platform
import warnings
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import timing
from timing import OURS

TOPICS = ["labels", "thresholds", "folds", "uncertainty", "engines", "imports"]
PACKAGES = [
    "skmetrics-ext",
    "scikit-learn",
    "numpy",
    "scipy",
    "pandas",
    "polars",
    "pyarrow",
    "duckdb",
    "torchmetrics",
]


def versions():
    """What is measured, and where."""
    found = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        with contextlib.suppress(PackageNotFoundError):
            found.append(f"{package} {version(package)}")
    return ", ".join([*found, platform.platform(), f"{os.cpu_count()} cores"])


def rows(only=""):
    """The rows that have this in their names, which begin with the topic."""
    for topic in TOPICS:
        try:
            module = import_module(topic)
        except ModuleNotFoundError as missing:
            if topic.startswith(only.partition(":")[0]):
                print(f"{topic}: needs {missing.name}")
            continue
        named = ((f"{topic}: {row.name}", row) for row in module.ROWS)
        yield from ((name, row) for name, row in named if only in name)


def first_calls(name, sides):
    """Each side's first call in a process, of which nothing is asked; the data are made before."""
    code = "import run, timing; print(timing.milliseconds(dict(run.rows())[{!r}].sides()[{!r}]))"
    return timing.of_processes({side: lambda side=side: code.format(name, side) for side in sides})


def lines_of(name, row, found):
    """A line for each peer, the fair one first; a row without peers has one line."""
    ours, *figures = found.values()
    unit = row.unit.split()[0]
    asked, is_behind = "", False
    if row.times and figures:
        asked, is_behind = f"{row.times:.3g} x", figures[0] / ours < row.times
    elif row.at_most:
        asked, is_behind = f"{row.at_most:,} {unit}", ours > row.at_most
    last = "behind" if is_behind else ""
    for peer, figure in list(found.items())[1:] or [("", None)]:
        ratio = "" if figure is None else as_text(figure / ours)
        yield line_of(name, f"{as_text(ours)} {unit}", as_text(figure), peer, ratio, asked, last)
        name = asked = last = ""


def line_of(name, ours, figure, peer, ratio, asked, last):
    return f"{name:<62}{ours:>12}{figure:>11} {peer:<44}{ratio:>8}{asked:>10} {last}".rstrip()


def as_text(number):
    """Three digits; nothing for what was not measured."""
    if number is None:
        return ""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="measure the rows that have this in their names")
    parser.add_argument(
        "--cold", action="store_true", help="the first call in a process instead of later ones"
    )
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(versions())
    print(
        "\nCPU time, medians of calls in turn, where the unit does not say otherwise; ratio: the "
        "peer's over ours\n"
    )
    print(line_of("", OURS, "peer", "", "ratio", "asked", ""))
    for name, row in rows(arguments.only):
        if arguments.cold and row.unit != "ms":
            continue
        try:
            sides = row.sides()
        except ModuleNotFoundError as missing:
            print(f"{name:<62} needs {missing.name}")
            continue
        found = first_calls(name, sides) if arguments.cold else timing.MEASURES[row.unit](sides)
        row = row._replace(times=None, at_most=None) if arguments.cold else row
        print(*lines_of(name, row, found), sep="\n", flush=True)


if __name__ == "__main__":
    main()
