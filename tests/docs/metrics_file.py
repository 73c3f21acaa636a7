"""The generated parts of METRICS.md: this module writes them, `--check` compares them."""

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import METRICS, Metric
from tests.shared import parameters_of, quietly
from tests.vectors.score import who_has

METRICS_MD = Path(__file__).parents[2] / "METRICS.md"
COMMAND = "python -m tests.docs.metrics_file"

# The heading of a family, by the name of its file, and its purpose.
HEADINGS = {
    "rates_of_actual": (
        "Rates of the actual classes",
        "Of the samples that belong to a class, or do not, the proportion predicted correctly or "
        "wrongly. They do not depend on prevalence, and so carry over to populations where the "
        "class is rarer.",
    ),
    "rates_of_predicted": (
        "Rates of the predicted classes",
        "Of the samples predicted as a class, or not, the proportion predicted correctly or "
        "wrongly. They say how far to trust a prediction, and depend on prevalence.",
    ),
    "rates_of_all": (
        "Proportions of all samples",
        "The proportion of all samples that a class, its predictions or its errors make up. The "
        "first three describe the data and the workload; accuracy on one rare class is high even "
        "if the model never finds it.",
    ),
    "precision_and_recall": (
        "Precision and recall as one number",
        "For searches and detectors, where finding the positives and being right about them both "
        "matter. All but P4 ignore the true negatives.",
    ),
    "overlap": (
        "Overlap of predicted and actual positives",
        "How much the two sets overlap, as for image masks; lift is how many times more often they "
        "coincide than expected by chance.",
    ),
    "balance": (
        "Balance of the two rates of a class",
        "For rare classes: recall and specificity must both be good.",
    ),
    "skill": (
        "Skill on one class",
        "How much better than chance (0) predictions are: informedness from the rates of the "
        "actual classes, markedness from those of the predicted classes, phi from both.",
    ),
    "likelihood_ratios": (
        "Likelihood ratios",
        "How many times a prediction multiplies the odds of the class, as for diagnostic tests; 1 "
        "is uninformative.",
    ),
    "odds": (
        "Odds and risks",
        "How strongly prediction and class are associated, as measured in epidemiology and signal "
        "detection.",
    ),
    "verification": (
        "Verification of forecasts",
        "Scores of weather forecasts, and the agreement on one class. A skill of 0 is chance "
        "level; a frequency bias of 1 means neither over- nor underforecasting.",
    ),
    "rare_events": (
        "Rare events",
        "Scores that do not degenerate as the event gets rarer, as most others do.",
    ),
    "cost": ("Cost and benefit", "For decisions whose errors have unequal costs."),
    "accuracy": (
        "Accuracy",
        "Proportions of correct labels over all classes, some weighted so that large classes do "
        "not swamp small ones.",
    ),
    "agreement": (
        "Agreement beyond chance",
        "How far two raters (or a model and the true labels) agree beyond chance, which is 0; each "
        "metric defines chance differently. The two disagreements separate wrong class totals "
        "(quantity) from wrong assignment (allocation).",
    ),
    "information": (
        "Information and association",
        "How much a prediction says about the class, regardless of labels: a model that always "
        "swaps two classes loses nothing. Confusion entropy is the exception: it measures how "
        "spread out the errors are.",
    ),
}

# The name of Metric.interval, which METRICS.md explains.
INTERVALS = {
    "share": "Wilson",
    "scaled share": "Wilson",
    "largest share": "Wilson, of each class",
    "overlap": "Wilson",
    "log": "delta method",
    "atanh": "delta method",
    "logit": "delta method",
    "replicates": "bootstrap",
    "quantity": "bootstrap of the marginals",
    "allocation": "bootstrap of the marginals",
    "biased": "bootstrap",
}


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
    """Write METRICS.md, or check it; the exit status is 1 if a part differs."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description="Write the generated parts of METRICS.md."
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if a part differs"
    )
    parser.add_argument(
        "--file", type=Path, default=METRICS_MD, help="file to use instead of METRICS.md"
    )
    options = parser.parse_args(arguments)
    text = options.file.read_text(encoding="utf-8")
    if not options.check:
        options.file.write_text(with_parts(text, PARTS), encoding="utf-8")
        return 0
    different = [name for name, make in PARTS.items() if part(name, text)[1] != make()]
    for name in different:
        print(
            f"{options.file.name}: the part {name!r} is not what the package gives. To write it, "
            f"run: {COMMAND}"
        )
    return int(bool(different))


def part(name: str, text: str) -> re.Match[str]:
    """The text between the markers of a part."""
    found = list(
        re.finditer(rf"(?<=<!-- generated: {name} -->\n)(.*?)(?=<!-- end -->\n)", text, re.DOTALL)
    )
    if len(found) != 1:
        raise ValueError(
            f"the text has the part {name!r} {len(found)} times: it needs one line '<!-- "
            f"generated: {name} -->' and "
            "below it a line '<!-- end -->'."
        )
    return found[0]


def with_parts(text: str, parts: dict[str, Callable[[], str]]) -> str:
    """The text with all parts as they should be."""
    for name, make in parts.items():
        place = part(name, text)
        text = text[: place.start()] + make() + text[place.end() :]
    return text


def text_between(start: str, end: str) -> str:
    """What METRICS.md says between two texts."""
    _, found, text = METRICS_MD.read_text(encoding="utf-8").partition(start)
    text, closed, _ = text.partition(end)
    if not found or not closed:
        raise ValueError(f"METRICS.md has no {start!r} with {end!r} below it.")
    return text


def catalogue() -> str:
    """One section per family."""
    return sections(family(*heading, rows_of(name)) for name, heading in HEADINGS.items())


def rows_of(name: str) -> list[Metric]:
    """The metrics of a family, by the name of its file."""
    functions = vars(import_module(f"skmetrics_ext.metrics.{name}"))
    return [row for row in METRICS if row.function in functions]


def word_of(row: Metric) -> str:
    """The interval method of a metric."""
    return "MOVER" if row.of_two_shares is not None else INTERVALS[row.interval]


def family(heading: str, purpose: str, rows: list[Metric]) -> str:
    """What a family is for, a table of its metrics, and a list of their other names."""
    lines = [f"### {heading}", "", f"{purpose} {of_what(rows)}", ""]
    lines += [
        "| metric | formula | range | better | 0/0 gives | interval |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        formula = row.text.replace("|", r"\|")
        cells = [
            code(row.name),
            code(formula),
            row.range,
            row.better,
            f"{row.undefined:g}",
            word_of(row),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", *map(names_and_source, rows)])


def of_what(rows: list[Metric]) -> str:
    """Whether there is one value per class or one over all classes."""
    overall = [row.name for row in rows if not row.has_average]
    if not overall:
        return "One value per class."
    if len(overall) == len(rows):
        return "One value over all classes."
    return f"One value per class; {codes(overall)}: one over all classes."


def names_and_source(row: Metric) -> str:
    """The function and the scorer, if their names differ, then aliases, other libraries and the
    source.
    """
    said = []
    if row.function != row.name:
        said.append(f"function {code(row.function)}")
    if row.scorer_prefix:
        said.append(f"scorer {code(row.scorer_name)}")
    if row.aliases:
        said.append(f"also called {codes(row.aliases)}")
    if libraries := libraries_with(row):
        said.append(f"also in {', '.join(libraries)}")
    return f"- {code(row.name)}: {'; '.join([*said, f'source: {row.source}'])}"


def libraries_with(row: Metric) -> list[str]:
    """The other libraries that have a metric: those that are asked about the test vectors."""
    return [library for library, names in who_has().items() if row.name in names]


def edges() -> str:
    """One section per situation."""
    return sections(map(edge, SITUATIONS))


def sections(texts: Iterable[str]) -> str:
    """Sections with an empty line around each one."""
    return "\n" + "".join(f"{text}\n\n" for text in texts)


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
    actual, predicted, labels = situation[2:]
    if row.takes_label_distances:
        actual, predicted, labels = (
            [int(label == "yes") for label in side] for side in situation[2:]
        )
    matrix = ConfusionMatrix.from_labels(actual, predicted, labels=labels)
    parameters = parameters_of(row, threshold_probability=0.5, cost_matrix=1 - np.eye(len(labels)))
    if row.has_average:
        parameters |= {"average": None, "labels": labels[-1:]}
    value, known = (
        float(np.squeeze(quietly(matrix.score, row.name, zero_division=choice, **parameters)))
        for choice in ("warn", np.nan)
    )
    # No minus before 0.
    return value + 0.0, bool(np.isnan(known))


def code(text: str) -> str:
    """As it is written in a program."""
    return f"`{text}`"


def codes(names: Iterable[str]) -> str:
    """Several such names."""
    return ", ".join(map(code, names))


PARTS: dict[str, Callable[[], str]] = {"catalogue": catalogue, "edges": edges}

if __name__ == "__main__":
    sys.exit(main())
