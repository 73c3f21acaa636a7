"""The values in edge cases, docs/undefined_values.md: this module writes them, `--check` compares
them.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS, Metric
from tests.docs.generated_parts import codes, part, with_parts
from tests.shared import parameters_of, quietly

PAGE = Path(__file__).parents[2] / "docs" / "undefined_values.md"
COMMAND = "python -m tests.docs.edge_cases"


class Situation(NamedTuple):
    """A heading, its meaning, and the labels of an example, in which the class is "yes"."""

    heading: str
    meaning: str
    actual: list[str]
    predicted: list[str]
    labels: list[str]


BOTH = ["no", "yes"]

HALF = ["no", "no", "yes", "yes"]

SITUATIONS = [
    Situation(
        "The class is never predicted",
        'Half of the samples are "yes", and the model predicts "no" for all.',
        HALF,
        ["no"] * 4,
        BOTH,
    ),
    Situation(
        "The class never occurs",
        'No sample is "yes", but the model predicts it for half of them, as in a small fold or '
        "group.",
        ["no"] * 4,
        HALF,
        BOTH,
    ),
    Situation(
        "Only this class occurs",
        'All samples are "yes" and predicted "yes", and no other label is known.',
        ["yes"] * 2,
        ["yes"] * 2,
        ["yes"],
    ),
    Situation(
        "The class neither occurs nor is predicted",
        'All samples are "no"; "yes" is known only from `labels=`, or from other folds or groups '
        "of the same matrix.",
        ["no"] * 2,
        ["no"] * 2,
        BOTH,
    ),
    Situation(
        "Every prediction is correct",
        "Each class makes up half of the samples, and every prediction is correct.",
        HALF,
        HALF,
        BOTH,
    ),
    Situation(
        "Every prediction is wrong",
        "Each class makes up half of the samples, and every prediction is wrong.",
        HALF,
        HALF[::-1],
        BOTH,
    ),
]


def main(arguments: list[str] | None = None) -> int:
    """Write the values, or check them; the exit status is 1 if one differs."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write docs/undefined_values.md.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if a value differs"
    )
    options = parser.parse_args(arguments)
    text = PAGE.read_text(encoding="utf-8")
    if not options.check:
        PAGE.write_text(with_parts(text, PARTS), encoding="utf-8")
        return 0
    different = part("edges", text)[1] != edges()
    if different:
        print(f"{PAGE.name} is not what the package gives. To write it, run: {COMMAND}")
    return int(different)


def edges() -> str:
    """One section per situation, with an empty line around each one."""
    return "\n" + "".join(f"{edge(situation)}\n\n" for situation in SITUATIONS)


def edge(situation: Situation) -> str:
    """An example, and the metrics by their values."""
    named: dict[tuple[bool, float, str], list[Metric]] = defaultdict(list)
    for row in METRICS:
        value, undefined = value_in(row, situation)
        # Undefined values first, then from the lowest to the highest, nan last.
        named[not undefined, np.inf if np.isnan(value) else value, f"{value:.3g}"].append(row)
    lines = [f"### {situation.heading}", "", situation.meaning, "", "```text"]
    for who, labels in (("actual", situation.actual), ("predicted", situation.predicted)):
        lines.append(f"{who:<9}  {'  '.join(f'{label:<3}' for label in labels)}".rstrip())
    lines += ["```", ""]
    for (defined, _, value), rows in sorted(named.items(), key=lambda item: item[0]):
        head = value if defined else f"undefined, {value} by default"
        lines.append(f"- **{head}**: {classes_and_overall(rows)}")
    return "\n".join(lines)


def classes_and_overall(rows: list[Metric]) -> str:
    """Names of metrics of one class, then of those over all classes."""
    of_class, overall = (
        [row.name for row in rows if row.has_average is averaged] for averaged in (True, False)
    )
    return "; ".join(
        [codes(of_class)] * bool(of_class) + [f"over all classes {codes(overall)}"] * bool(overall)
    )


def value_in(row: Metric, situation: Situation) -> tuple[float, bool]:
    """The value of "yes", or of all classes, and whether it is undefined."""
    return _value_in(row.name, SITUATIONS.index(situation))


@cache
def _value_in(name: str, place: int) -> tuple[float, bool]:
    row, situation = BY_NAME[name], SITUATIONS[place]
    actual, predicted, labels = situation[2:]
    if row.takes_label_distances:
        actual, predicted, labels = (
            [int(label == "yes") for label in side] for side in situation[2:]
        )
    matrix = ConfusionMatrix.from_predictions(actual, predicted, labels=labels)
    parameters = parameters_of(row, threshold_probability=0.5, cost_matrix=1 - np.eye(len(labels)))
    if row.has_average:
        parameters |= {"average": None, "labels": labels[-1:]}
    value, known = (
        float(np.squeeze(quietly(matrix.score, row.name, zero_division=choice, **parameters)))
        for choice in ("warn", np.nan)
    )
    # No minus before 0.
    return value + 0.0, bool(np.isnan(known))


PARTS: dict[str, Callable[[], str]] = {"edges": edges}

if __name__ == "__main__":
    sys.exit(main())
