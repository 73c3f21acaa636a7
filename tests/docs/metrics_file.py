"""The generated parts of METRICS.md: `python -m tests.docs.metrics_file` writes them, `--check` compares them."""

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import METRICS, Metric
from skmetrics_ext.metrics.by_name import FAMILIES
from skmetrics_ext.statistics.estimand import TWO_SHARES
from tests.shared import parameters_of, quietly

METRICS_MD = Path(__file__).parents[2] / "METRICS.md"
COMMAND = "python -m tests.docs.metrics_file"

# The heading of a family, by the name of its file, and what it is for.
HEADINGS = {
    "rates_of_actual": (
        "Rates of the actual classes",
        "Of the samples that are of a class, or are not, how many are predicted so. They do not depend on how "
        "frequent the class is, and so carry over to places where it is rarer.",
    ),
    "rates_of_predicted": (
        "Rates of the predicted classes",
        "Of the samples that are predicted as a class, or are not, how many are. They say how far to trust a "
        "prediction, and fall or rise with the share of the class.",
    ),
    "rates_of_all": (
        "Shares of all samples",
        "How many of all samples a class, its predictions or its errors make up. The first three describe the data "
        "and the load of work; accuracy of one rare class is high for a model that never finds it.",
    ),
    "precision_and_recall": (
        "Precision and recall as one number",
        "For searches and detectors, where it matters to find the positives and to be right about them. All but P4 "
        "ignore the true negatives.",
    ),
    "overlap": (
        "Overlap of predicted and actual positives",
        "How much of the two sets is common, as for image masks; lift is how many times more often they meet than by "
        "chance.",
    ),
    "balance": (
        "Balance of the two rates of a class",
        "For rare classes: recall and specificity must both be good.",
    ),
    "skill": (
        "Skill on one class",
        "How far predictions are better than chance, which is 0: from the rates of the actual classes, from those of "
        "the predicted, and from both.",
    ),
    "likelihood_ratios": (
        "Likelihood ratios",
        "How many times a prediction multiplies the odds of the class, as for diagnostic tests; 1 tells nothing.",
    ),
    "odds": (
        "Odds and risks",
        "How strongly prediction and class hang together, as epidemiology and signal detection measure it.",
    ),
    "verification": (
        "Verification of forecasts",
        "Scores of weather forecasts, and the agreement on one class. A skill of 0 is that of chance; a frequency bias "
        "of 1 is neither too many nor too few.",
    ),
    "rare_events": (
        "Rare events",
        "Scores that do not vanish as the event gets rarer, as most others do.",
    ),
    "cost": (
        "Cost and benefit",
        "For decisions whose errors do not weigh the same.",
    ),
    "accuracy": (
        "Accuracy",
        "Shares of right labels over all classes, some of them so that large classes do not drown small ones.",
    ),
    "agreement": (
        "Agreement beyond chance",
        "How far two raters agree, a model and the truth or any two, beyond what chance gives, which is 0; each has "
        "its own chance. The disagreements say whether the numbers of the classes are wrong or their places.",
    ),
    "information": (
        "Information and association",
        "How much a prediction tells of the class, whatever it calls it: a model that swaps two classes every time "
        "loses nothing. Not so in confusion entropy, which says how mixed up the errors are.",
    ),
}

# Which other libraries have a metric, by its name here.
LIBRARIES = {
    "scikit-learn": """
        precision recall f1 fbeta jaccard positive_likelihood_ratio negative_likelihood_ratio accuracy zero_one_loss
        hamming_loss balanced_accuracy matthews_corrcoef cohen_kappa mutual_information normalized_mutual_information
    """,
    "imbalanced-learn": """
        recall specificity g_mean index_balanced_accuracy macro_averaged_mean_absolute_error geometric_mean
    """,
    "pycm": """
        precision recall specificity negative_predictive_value false_positive_rate false_negative_rate
        false_discovery_rate false_omission_rate prevalence predicted_positive_rate one_vs_rest_accuracy
        one_vs_rest_error f1 fbeta jaccard tversky overlap_coefficient fowlkes_mallows_index lift informedness
        markedness g_mean one_vs_rest_balanced_accuracy phi_coefficient index_balanced_accuracy optimized_precision
        positive_likelihood_ratio negative_likelihood_ratio diagnostic_odds_ratio yule_q d_prime net_benefit accuracy
        zero_one_loss hamming_loss no_information_rate class_balance_accuracy matthews_corrcoef cohen_kappa scott_pi
        krippendorff_alpha gwet_ac1 bennett_s cramers_v mutual_information uncertainty_coefficient confusion_entropy
    """,
    "torchmetrics": """
        precision recall specificity negative_predictive_value f1 fbeta jaccard accuracy hamming_loss balanced_accuracy
        matthews_corrcoef cohen_kappa cramers_v mutual_information normalized_mutual_information
        uncertainty_coefficient
    """,
}

# The word for Metric.interval, which METRICS.md explains.
INTERVALS = {
    "share": "Wilson",
    "largest share": "Wilson, of each class",
    "overlap": "Wilson",
    "log": "delta method",
    "atanh": "delta method",
    "logit": "delta method",
    "replicates": "bootstrap",
    "disagreement": "bootstrap of margins",
    "biased": "bootstrap",
}


class Situation(NamedTuple):
    """A heading, what it means, and the labels of an example, in which the class is "yes"."""

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
        'Half of the samples are "yes", and the model says "no" to all.',
        HALF,
        ["no"] * 4,
        BOTH,
    ),
    Situation(
        "The class never occurs",
        'No sample is "yes", and the model says so of half of them, as in a small fold or group.',
        ["no"] * 4,
        HALF,
        BOTH,
    ),
    Situation(
        "Only this class occurs",
        'All samples are "yes", all are predicted so, and no other label is known.',
        ["yes"] * 2,
        ["yes"] * 2,
        ["yes"],
    ),
    Situation(
        "The class neither occurs nor is predicted",
        'All is "no"; that there is a "yes" is known from `labels=`, or from other folds or groups of the same matrix.',
        ["no"] * 2,
        ["no"] * 2,
        BOTH,
    ),
    Situation("All is right", "Each class is half of the samples, and every prediction is right.", HALF, HALF, BOTH),
    Situation(
        "All is wrong", "Each class is half of the samples, and every prediction is wrong.", HALF, HALF[::-1], BOTH
    ),
]


def main(arguments: list[str] | None = None) -> int:
    """Write METRICS.md, or say what it should say; the exit status is 1 if a part differs."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write the generated parts of METRICS.md.")
    parser.add_argument("--check", action="store_true", help="write nothing, exit with 1 if a part differs")
    parser.add_argument("--file", type=Path, default=METRICS_MD, help="instead of METRICS.md")
    options = parser.parse_args(arguments)
    text = options.file.read_text(encoding="utf-8")
    if not options.check:
        options.file.write_text(with_parts(text), encoding="utf-8")
        return 0
    different = [name for name, make in PARTS.items() if part(name, text)[1] != make()]
    for name in different:
        print(f"{options.file.name}: the part {name!r} is not what the package gives. Write it by: {COMMAND}")
    return int(bool(different))


def part(name: str, text: str) -> re.Match[str]:
    """What stands between the markers of a part."""
    found = list(re.finditer(rf"(?<=<!-- generated: {name} -->\n)(.*?)(?=<!-- end -->\n)", text, re.DOTALL))
    if len(found) != 1:
        raise ValueError(
            f"METRICS.md has the part {name!r} {len(found)} times: it needs one line '<!-- generated: {name} -->' and "
            "below it a line '<!-- end -->'."
        )
    return found[0]


def with_parts(text: str) -> str:
    """The text with all parts as they should be."""
    for name, make in PARTS.items():
        place = part(name, text)
        text = text[: place.start()] + make() + text[place.end() :]
    return text


def catalogue() -> str:
    """A section a family."""
    return sections(
        family(*HEADINGS[module.__name__.rpartition(".")[2]], [row for row in METRICS if row.function in vars(module)])
        for module in FAMILIES
    )


def word_of(row: Metric) -> str:
    """How the limits of a metric are found."""
    return "MOVER" if row.name in TWO_SHARES else INTERVALS[row.interval]


def family(heading: str, purpose: str, rows: list[Metric]) -> str:
    """What a family is for, a table of how its metrics are read, and a list of what else they are called."""
    lines = [f"### {heading}", "", f"{purpose} {of_what(rows)}", ""]
    lines += ["| metric | formula | range | better | 0/0 gives | interval |", "|---|---|---|---|---|---|"]
    for row in rows:
        formula = row.text.replace("|", r"\|")
        cells = [code(row.name), code(formula), row.range, row.better, f"{row.undefined:g}", word_of(row)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", *map(names_and_source, rows)])


def of_what(rows: list[Metric]) -> str:
    """Whether there is one value a class or one over all classes."""
    overall = [row.name for row in rows if not row.has_average]
    if not overall:
        return "One value a class."
    if len(overall) == len(rows):
        return "One value over all classes."
    return f"One value a class; {codes(overall)} over all classes."


def names_and_source(row: Metric) -> str:
    """The function where its name is another, the scorer where it is another, and what they are elsewhere."""
    said = []
    if row.function != row.name:
        said.append(f"function {code(row.function)}")
    if row.scorer_prefix:
        said.append(f"scorer {code(row.scorer_prefix + row.name)}")
    if row.aliases:
        said.append(f"also called {codes(row.aliases)}")
    if libraries := [library for library, names in LIBRARIES.items() if row.name in names.split()]:
        said.append(f"also in {', '.join(libraries)}")
    return f"- {code(row.name)}: {'; '.join([*said, f'source: {row.source}'])}"


def edges() -> str:
    """A section a situation."""
    return sections(map(edge, SITUATIONS))


def sections(texts: Iterable[str]) -> str:
    """Sections with an empty line around each."""
    return "\n" + "".join(f"{text}\n\n" for text in texts)


def edge(situation: Situation) -> str:
    """An example, and the metrics by what they give."""
    named: dict[tuple[bool, float, str], list[Metric]] = defaultdict(list)
    for row in METRICS:
        value, undefined = value_in(row, situation)
        # Undefined values first, then from the least to the largest, nan last.
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
    of_class, overall = ([row.name for row in rows if row.has_average is averaged] for averaged in (True, False))
    return "; ".join([codes(of_class)] * bool(of_class) + [f"over all classes {codes(overall)}"] * bool(overall))


def value_in(row: Metric, situation: Situation) -> tuple[float, bool]:
    """The value of "yes", or of all classes, and whether it is undefined."""
    actual, predicted, labels = situation[2:]
    if row.takes_label_distances:
        actual, predicted, labels = ([int(label == "yes") for label in side] for side in situation[2:])
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
