"""The generated parts of docs/theory: this module writes them, `--check` compares the texts.

They sum up docs/theory/coverage.csv by what was simulated and by the method of intervals, and draw
it.
"""

import argparse
import csv
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.statistics.classes import classes_of_function, example_of
from skmetrics_ext.statistics.methods import METHODS, TABLE
from tests.docs import cross_validation_tables
from tests.docs.families import word_of
from tests.docs.generated_parts import codes, part, with_parts

FOLDER = Path(__file__).parents[2] / "docs" / "theory"
PICTURE = FOLDER.parent / "pictures" / "coverage.png"
COMMAND = "python -m tests.docs.theory_pages"


class Coverage(NamedTuple):
    """How often the intervals of a metric are right, in its hardest scenario and in the median of
    all.
    """

    part: str
    metric: str
    scenario: str
    hardest: float
    median: float


def main(arguments: list[str] | None = None) -> int:
    """Write the parts and the picture, or check the parts; the exit status is 1 if one differs."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description="Write the generated parts of docs/theory."
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if a part differs"
    )
    options = parser.parse_args(arguments)
    different = []
    for name, parts in PARTS.items():
        text = (FOLDER / name).read_text(encoding="utf-8")
        different += [
            f"{name}: {one}" for one, make in parts.items() if part(one, text)[1] != make()
        ]
        if not options.check:
            (FOLDER / name).write_text(with_parts(text, parts), encoding="utf-8")
    if not options.check:
        draw()
        return 0
    for one in different:
        print(f"{one!r} is not what its figures give. To write it, run: {COMMAND}")
    return int(bool(different))


def coverages() -> list[Coverage]:
    """The rows of coverage.csv on intervals of a matrix."""
    return [one for one in all_coverages() if one.part.startswith("Intervals of a matrix")]


def all_coverages() -> list[Coverage]:
    """All rows of coverage.csv with enough intervals without a warning."""
    with (FOLDER / "coverage.csv").open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return [
        Coverage(part, metric, scenario, float(right), float(median))
        for part, metric, scenario, right, median, _ in rows
        if scenario
    ]


def by_part() -> str:
    """A line a part of the simulation: its hardest scenario."""
    of_part: dict[str, list[Coverage]] = defaultdict(list)
    for one in all_coverages():
        of_part[one.part].append(one)
    rows = []
    for part_of_all, found in of_part.items():
        worst = min(found, key=lambda one: one.hardest)
        usual = statistics.median(one.median for one in found)
        rows.append(
            [part_of_all, len(found), usual, f"{worst.metric}: {worst.scenario}", worst.hardest]
        )
    return table(["what", "figures", "right in the median", "hardest", "right there"], rows)


def by_method() -> str:
    """A line a method: how many metrics have it, and how often their intervals, also of averages,
    are right.
    """
    of_method: dict[str, list[Coverage]] = defaultdict(list)
    for one in coverages():
        of_method[word_of(BY_NAME[one.metric])].append(one)
    head = [
        "method for one class",
        "metrics",
        "right in the median scenario",
        "in the hardest, averages included",
    ]
    rows = []
    for method, found in sorted(of_method.items(), key=lambda item: -len(item[1])):
        medians, worst = [one.median for one in found], min(found, key=lambda one: one.hardest)
        between = " to ".join(
            f"{100 * share:.1f}" for share in sorted({min(medians), max(medians)})
        )
        rows.append(
            [method, len(found), f"{between} %", f"{100 * worst.hardest:.1f} % (`{worst.metric}`)"]
        )
    return table(head, rows)


CAVEATS = {"": "", "few samples": "few samples", "few hits or misses": "few hits or misses"}
# Where `method=` names another one; elsewhere all that stand in a line are used together.
BY_NAME_TOO = {"value", "difference of groups", "ratio of groups", "difference", "roc_auc"}


def by_question() -> str:
    """A line a question, kind of samples and kind of metric: the method, who published it, when its
    limits have a caveat, and what else may be asked for by name.
    """
    designs: dict[tuple[str, str, tuple[str, ...]], list[str]] = defaultdict(list)
    for question, of_designs in TABLE.items():
        for design, of_classes in of_designs.items():
            for of_class, names in of_classes.items():
                designs[question, of_class, names].append(design)
    kinds: dict[tuple[str, str, tuple[str, ...]], list[str]] = defaultdict(list)
    for (question, of_class, names), alike in designs.items():
        samples = "any" if "any" in alike else ", ".join(alike)
        kinds[question, samples, names].append(of_class)
    rows = []
    for (question, samples, names), of_classes in kinds.items():
        is_asked = bool({question, *of_classes} & BY_NAME_TOO)
        used, others = (names[:1], names[1:]) if is_asked else (names, ())
        methods = [METHODS[name] for name in used]
        cells = [", ".join(method.shown for method in methods) or "none: there are no limits"]
        cells.append("; ".join(method.source for method in methods))
        cells.append("".join(CAVEATS[method.caveat] for method in methods[:1]))
        rows.append([question, samples, ", ".join(of_classes), *cells, codes(others)])
    head = ["of", "samples", "kind of metric", "method", "source", "a caveat for", "by name, too"]
    return table(head, rows)


def by_name() -> str:
    """A line a method that is only used where it is asked for by name."""
    cells = [names for of in TABLE.values() for kinds in of.values() for names in kinds.values()]
    best = {name for names in cells for name in names[:1]}
    rows = [
        [f"`{name}`", method.shown, method.source, CAVEATS[method.caveat]]
        for name, method in METHODS.items()
        if name not in best
    ]
    return table(["method", "shown as", "source", "a caveat for"], rows)


def by_kind() -> str:
    """A line a kind of metric: those of one class or of two, and those of three classes."""
    of_kind: dict[str, list[list[str]]] = defaultdict(lambda: [[], []])
    for row in METRICS:
        for place, n_classes in enumerate((2, 3)):
            if place == 0 or not row.has_average:
                kinds = [*classes_of_function(example_of(row, n_classes)), "any"]
                known = next(kind for kind in kinds if kind in TABLE["value"]["independent"])
                of_kind[known][place].append(row.name)
    rows = []
    for kind in [*TABLE["value"]["independent"]]:
        of_two, of_three = of_kind[kind]
        rows.append([kind, codes(of_two), codes(name for name in of_three if name not in of_two)])
    return table(["kind of metric", "of one class, or of two classes", "also of three"], rows)


def table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A part with a table, its numbers to three digits."""
    cells = [head, ["---" for _ in head], *rows]
    lines = [
        [f"{cell:.3g}" if isinstance(cell, float) else str(cell) for cell in row] for row in cells
    ]
    return "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"


def save(figure: Figure, path: Path) -> None:
    """Save a picture, in few colors, which suffice and take a third of the bytes."""
    figure.savefig(path)
    with Image.open(path) as image:
        image.convert("RGB").quantize(32).save(path, optimize=True)


def draw() -> None:
    """Save the picture of the coverage of each metric, lowest first."""
    rows = sorted(coverages(), key=lambda row: row.hardest)
    figure = Figure(figsize=(7.5, 10.5), layout="constrained", dpi=80)
    ax, places = figure.subplots(), np.arange(len(rows))
    ax.hlines(places, [row.hardest for row in rows], [row.median for row in rows], color="0.75")
    ax.plot(
        [row.hardest for row in rows],
        places,
        "o",
        color="#b35806",
        markersize=4,
        label="hardest scenario",
    )
    ax.plot(
        [row.median for row in rows],
        places,
        "s",
        color="#2d708e",
        markersize=4,
        label="median scenario",
    )
    for share, style, label in ((0.95, "-", "nominal, 95 %"), (0.9, ":", "required, 90 %")):
        ax.axvline(share, color="black", linestyle=style, linewidth=0.8, label=label)
    ax.set_yticks(places, [row.metric for row in rows], fontsize=8)
    ax.set(
        xlim=(0.8, 1.002),
        ylim=(len(rows) - 0.3, -0.7),
        xlabel="share of 95 % intervals that cover the true value",
    )
    ax.legend(loc="lower left")
    save(figure, PICTURE)
    save(cross_validation_tables.draw(), cross_validation_tables.PICTURE)


PARTS: dict[str, dict[str, Callable[[], str]]] = {
    "coverage.md": {"parts": by_part},
    "intervals.md": {
        "kinds": by_kind,
        "table": by_question,
        "methods": by_name,
        "coverage": by_method,
    },
    "cross_validation.md": {
        "settings": cross_validation_tables.settings,
        "fresh": cross_validation_tables.fresh,
        "metrics": cross_validation_tables.metrics,
        "levels": cross_validation_tables.levels,
        "learners": cross_validation_tables.learners,
    },
}

if __name__ == "__main__":
    sys.exit(main())
