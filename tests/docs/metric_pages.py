"""The pages of metrics, docs/metrics: this module writes them, `--check` compares them.

They say nothing of their own: the catalogue and the docstrings say it, and a page
gathers it.
"""

import argparse
import re
import sys
from pathlib import Path

import numpy as np

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import METRICS, Metric
from skmetrics_ext.reports import describe
from skmetrics_ext.reports.describe import docstring_of
from tests.docs import symbols
from tests.docs.families import HEADINGS, libraries_with, of_what, rows_of, word_of
from tests.docs.generated_parts import code
from tests.docs.theory_pages import coverages, table
from tests.shared import parameters_of, quietly

FOLDER = Path(__file__).parents[2] / "docs" / "metrics"
COMMAND = "python -m tests.docs.metric_pages"
NOT_SIMULATED = "How often its intervals are right has not been simulated yet."
# The words of a name that are not written in small letters, or say more than the name.
CAPITALS = """
    AC1 CBA CEN CSI Dice DOR EDI ETS F F1 FDR FNR FPR G Hanssen Heidke HSS IBA IoU J K Kuipers LR
    MCC NIR NLR NMI NPV Ochiai ORSS P P4 PABAK PLR POD POFD PPV PSS Q R RCI S SEDI Simpson Sorensen
    Szymkiewicz TNR TPR TSS U V
"""
# Names of authors are those of the sources.
AUTHORS = re.findall(r"\b[A-Z][a-z]+\b", " ".join(row.source for row in METRICS))
WORDS = {word.lower(): word for word in (*AUTHORS, *CAPITALS.split())} | {
    "bennett": "Bennett's",
    "dice": "Dice coefficient",
    "cohen": "Cohen's",
    "corrcoef": "correlation coefficient",
    "cramers": "Cramér's",
    "fbeta": "F-beta",
    "gerrity": "Gerrity score",
    "gwet": "Gwet's",
    "jaccard": "Jaccard index",
    "krippendorff": "Krippendorff's",
    "ovr": "one-vs-rest",
    "producers": "producer's",
    "scott": "Scott's",
    "theils": "Theil's",
    "tversky": "Tversky index",
    "users": "user's",
    "youden": "Youden's",
    "yule": "Yule's",
}
HYPHENATED = (
    *(
        "one vs rest",
        "zero one",
        "macro averaged",
        "multi category",
        "fall out",
        "F measure",
        "G mean",
        "G measure",
    ),
    *(
        "no information",
        "Fowlkes Mallows",
        "Hanssen Kuipers",
        "Sorensen Dice",
        "Szymkiewicz Simpson",
    ),
)
PHRASES = {phrase: phrase.replace(" ", "-") for phrase in HYPHENATED} | {
    "Gilbert skill": "Gilbert skill score",
    "Peirce skill": "Peirce skill score",
    "R K": "R_K",
}
# A docstring's value for 0/0 and when it occurs.
FOR_UNDEFINED = re.compile(
    r"(\S+), with a warning \((.+)\); zero_division= sets a different value\."
)
# Models by their recall and specificity, and how frequent positive samples are.
MODELS = {
    "right for 90 % of each class": (0.9, 0.9),
    "right for 70 % of each class": (0.7, 0.7),
    "all called positive": (1.0, 0.0),
}
PREVALENCES = (0.5, 0.1, 0.01)
# What all metrics share is said on a page that people write.
SHARED = "options.md"
# What the values of models depend on.
VALUES_OF = {"expected_cost": ", if each error costs 1", "net_benefit": ", at a risk of 0.5"}
N_SAMPLES = 1_000_000
# What is said of the metrics that are asked about most.
READ = {
    "matthews_corrcoef": "0 is chance, 1 is perfect, and less than 0 is worse than chance. No "
    "value is good everywhere: compare with that of what is used today, on the same samples, and "
    "with the values below at your prevalence.",
    "cohen_kappa": "0 is chance, 1 is perfect. Words for its values, such as Landis & Koch's "
    '"substantial" from 0.61, are a convention: the same raters or models have another kappa where '
    "a class is rarer.",
    "f1": "1 is perfect, but chance has no fixed value: calling everything positive has "
    "2 p / (1 + p) at a prevalence of p, which is high where positives are frequent. Compare with "
    "that, not with 0.5.",
    "krippendorff_alpha": "0 is chance, 1 is perfect, below 0 is worse than chance. Here it is of "
    "two columns of labels without gaps: for more raters, or missing ratings, use "
    "[`agreement`](../tasks/raters_and_partly_known_labels.md).",
    "informedness": "0 is chance and 1 is perfect, whatever the prevalence: it is how much more "
    "often positives are called positive than negatives are.",
}
# So many names stand in a title, so many results in an example.
IN_TITLE = 2
# What a name without aliases is short for, as readers search for it.
IN_FULL = {
    "g_mean": ["geometric mean of recall and specificity"],
    "geometric_mean": ["G-mean of all classes"],
}


def main(arguments: list[str] | None = None) -> int:
    """Write the pages, or check them; the exit status is 1 if a page differs, is missing or has no
    metric.
    """
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write the pages of the metrics.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if a page differs"
    )
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help="folder to use instead of docs/metrics"
    )
    options = parser.parse_args(arguments)
    folder, texts = options.folder, pages()
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    there.pop(SHARED, None)
    different = sorted(
        name for name in texts.keys() | there.keys() if texts.get(name) != there.get(name)
    )
    if options.check:
        for name in different:
            print(
                f"{folder.name}/{name} is not what the package gives. To write or remove it, run: "
                f"{COMMAND}"
            )
        return int(bool(different))
    folder.mkdir(parents=True, exist_ok=True)
    for name in different:
        if name in texts:
            (folder / name).write_text(texts[name], encoding="utf-8")
        else:
            (folder / name).unlink()
    return 0


def pages() -> dict[str, str]:
    """The texts of all pages by their file names."""
    coverage = worst_coverage()
    return {"index.md": index()} | {
        f"{row.name}.md": page(row, coverage.get(row.name, NOT_SIMULATED)) for row in METRICS
    }


def page(row: Metric, coverage: str) -> str:
    """All that is known of a metric."""
    said = docstring_of(row)
    symbols = "of-one-class" if row.has_average else "of-all-classes"
    notes = [describe._note(row, start) for start in ("Use it", "Pitfall:")]
    lines = [
        f"# {title(row)}",
        "",
        *"\n\n".join(meaning(row)).split("\n"),
        "",
        "```text",
        row.text,
        "```",
        "",
        f"[What the symbols mean](index.md#{symbols}).",
        "",
        f"- {notes[0].replace('Use it', '**Use it**', 1)}",
        f"- **Pitfall**: {notes[1].removeprefix('Pitfall:').strip()}",
        *(f"- **{head}**: {text}" for head, text in facts(row, said, coverage).items() if text),
        "",
        f"## {reading(row)}",
        "",
        *how_to_read(row),
        "",
        f"::: skmetrics_ext.{row.function}",
        "",
        "---",
        "",
        f"Next: [what all metrics share]({SHARED}), [its relatives]({family_of(row)}).",
    ]
    return "\n".join([*lines, ""])


def in_words(name: str) -> str:
    """A name as it is said: "Youden's J", "true positive rate"."""
    text = " ".join(WORDS.get(word, word) for word in name.split("_"))
    for phrase, written in PHRASES.items():
        text = text.replace(phrase, written)
    return text


def title(row: Metric) -> str:
    """The name and the first aliases in words."""
    words = in_words(row.name)
    others = (
        IN_FULL.get(row.name)
        or [
            other
            for other in map(in_words, row.aliases)
            if not {*other.split()} <= {*words.split()}
        ][:IN_TITLE]
    )
    return words[0].upper() + words[1:] + (f" ({', '.join(others)})" if others else "")


def meaning(row: Metric) -> list[str]:
    """What the docstring says beside or below the formula, a line a paragraph."""
    text = docstring_of(row)[""].strip().removeprefix(row.text).lstrip(".: \n")
    return [" ".join(paragraph.split()) for paragraph in (text[0].upper() + text[1:]).split("\n\n")]


def facts(row: Metric, said: dict[str, str], coverage: str) -> dict[str, str]:
    """The lines of a page by their heads; those without a text are left out."""
    calls = describe._calls(row, row.name, None)
    names = [
        code(alias) + (f" ({in_words(alias)})" if "_" in alias else "") for alias in row.aliases
    ]
    method = f"[{word_of(row)}](../theory/intervals.md#which-method-and-why)"
    value = " ".join(describe._range_in_words(row, said).split())
    return {
        "Value": f"{value[0].lower()}{value[1:]} {of_what([row])}",
        "Undefined": undefined(row, said),
        "Also called": f"{', '.join(names)}." if names else "",
        "Call": f"[{code(calls['function'])}](#skmetrics_ext.{row.function}), "
        f"{code(calls['matrix cm'])} or {code(calls['scorer'])}.",
        "Interval": f"{method}. {coverage}",
        "Source": f"{' '.join(said['References'].split()).rstrip('.')}.{also_in(row)}",
    }


def family_of(row: Metric) -> str:
    """Where the index has the metrics of the same family."""
    [heading] = [heading for name, (heading, _) in HEADINGS.items() if row in rows_of(name)]
    return f"index.md#{heading.lower().replace(' ', '-')}"


def undefined(row: Metric, said: dict[str, str]) -> str:
    """When the formula is 0/0, and its value there."""
    text = describe._undefined_in_words(row, said)
    if text.startswith("never"):
        return f"{text}."
    return FOR_UNDEFINED.sub(r"where the formula is 0/0 (\2); then \1, with a warning.", text)


def also_in(row: Metric) -> str:
    """The other libraries that have a metric."""
    libraries = libraries_with(row)
    return f" Also in {', '.join(libraries)}." if libraries else ""


def reading(row: Metric) -> str:
    """What a reader asks about values."""
    if row.better == "neither":
        return "How to read a value"
    return f"{title(row)}: what is a good value?"


def how_to_read(row: Metric) -> list[str]:
    """The values of good, fair and useless models where positives are frequent and rare."""
    rows = [
        [name, *(value_in_words(value_of_rates(row, *rates, share)) for share in PREVALENCES)]
        for name, rates in MODELS.items()
    ]
    heads = [f"a model{VALUES_OF.get(row.name, '')}"]
    if all(len(set(values)) == 1 for _, *values in rows):
        heads, rows = [*heads, "at any prevalence"], [[name, value] for name, value, *_ in rows]
    else:
        heads += [f"{in_percent(share)} positive" for share in PREVALENCES]
    said = [READ[row.name], ""] if row.name in READ else []
    return [*said, *table(heads, rows).split("\n")[1:-2]]


def in_percent(share: float) -> str:
    """A proportion as "10 %"."""
    return f"{100 * share:g} %"


def value_of_rates(row: Metric, recall: float, specificity: float, prevalence: float) -> float:
    """The value of a model with these rates, of the positive class or of both; nan for 0/0."""
    n_positive = round(N_SAMPLES * prevalence)
    n_negative = N_SAMPLES - n_positive
    tp, tn = round(recall * n_positive), round(specificity * n_negative)
    counts = [[tn, n_negative - tn], [n_positive - tp, tp]]
    matrix = ConfusionMatrix.from_counts(counts, labels=[0, 1])
    parameters = parameters_of(row, threshold_probability=0.5, cost_matrix=1 - np.eye(2))
    return float(quietly(matrix.score, row.name, zero_division=np.nan, **parameters))


def value_in_words(value: float) -> str:
    """A value with three digits, and no sign before 0."""
    return "0/0" if np.isnan(value) else f"{value + 0.0:.3g}"


def worst_coverage() -> dict[str, str]:
    """How often intervals of each metric are right, in the hardest scenario."""
    return {
        row.metric: "In the hardest [simulation](../theory/coverage.md), the true value was in "
        f"{100 * row.hardest:.1f} % of the 95 % intervals without a caveat."
        for row in coverages()
    }


def index() -> str:
    """All metrics by family, a line each, and what the pages have in common."""
    lines = [
        f"# Metrics: {len(METRICS)} by family",
        "",
        "A page says what a metric is, when it is right and when it misleads, and how certain its "
        f"values are. [Averages, labels, weights and 0/0]({SHARED}) are the same for all of them.",
    ]
    for name, (heading, purpose) in HEADINGS.items():
        rows = rows_of(name)
        lines += ["", f"## {heading}", "", f"{purpose} {of_what(rows)}", ""]
        cells = [
            [f"[{in_words(row.name)}]({row.name}.md)", summary(row), row.better] for row in rows
        ]
        lines += table(["metric", "meaning", "better"], cells).split("\n")[1:-2]
    lines += ["", "## Symbols", "", *symbols.LINES]
    lines += ["", "Next: [which metric?](../which_metric.md), or [all names](../names.md)."]
    return "\n".join([*lines, ""])


def summary(row: Metric) -> str:
    """The first paragraph of the meaning, in a cell of a table."""
    return meaning(row)[0].replace("|", r"\|")


if __name__ == "__main__":
    sys.exit(main())
