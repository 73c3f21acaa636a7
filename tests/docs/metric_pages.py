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
from skmetrics_ext.catalogue.names import suffixes_of
from skmetrics_ext.catalogue.rows import METRICS, Metric
from skmetrics_ext.reports import describe
from skmetrics_ext.reports.describe import docstring_of
from tests.docs import symbols
from tests.docs.edge_cases import SITUATIONS, value_in
from tests.docs.families import HEADINGS, libraries_with, of_what, rows_of, word_of
from tests.docs.generated_parts import code, codes
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
AT_THE_EDGES = (
    'Values are those of the class "yes", or of all classes with these labels. Where the formula '
    'is 0/0, "undefined" '
    "is followed by the default value."
)
# Headings that all pages have would crowd what a search finds.
NOT_FOUND = "{ data-search-exclude }"
# What values in edge cases depend on.
EDGES_OF = {"expected_cost": ": each error costs 1", "net_benefit": ": threshold_probability=0.5"}
# A docstring's value for 0/0 and when it occurs.
FOR_UNDEFINED = re.compile(
    r"(\S+), with a warning \((.+)\); zero_division= sets a different value\."
)
# Models by their recall and specificity, and how frequent positive samples are.
MODELS = {
    "right for 90 % of each class": (0.9, 0.9),
    "right for 70 % of each class": (0.7, 0.7),
    "a coin that is thrown": (0.5, 0.5),
    "all called positive": (1.0, 0.0),
    "all called negative": (0.0, 1.0),
}
PREVALENCES = (0.5, 0.1, 0.01)
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
# Which value of a metric a scenario of the simulation is about.
VALUES_OF_SCENARIOS = {
    "of first": "that of the first class",
    "of last": "that of the last class",
    "micro": "the micro average",
    "macro": "the macro average",
    "worst": "the worst class",
}
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
    symbols = describe.SYMBOLS_OF_A_CLASS if row.has_average else describe.SYMBOLS_OF_ALL_CLASSES
    lines = [
        f"# {title(row)}",
        "",
        *"\n\n".join(meaning(row)).split("\n"),
        "",
        "```text",
        row.text,
        "```",
        "",
    ]
    lines += [f"{symbols} [All symbols](index.md#symbols).", ""]
    for start in ("Use it", "Pitfall:"):
        lines += [describe._note(row, start).replace(start, f"**{start}**", 1), ""]
    lines += [f"- **{head}**: {text}" for head, text in facts(row, said, coverage).items() if text]
    lines += [
        "",
        f"## {reading(row)}",
        "",
        *how_to_read(row),
        "",
        f"## Edge cases{EDGES_OF.get(row.name, '')} {NOT_FOUND}",
        "",
        *edges(row),
        "",
        f"::: skmetrics_ext.{row.function}",
        "",
        "---",
        "",
        f"Next: [{row.name} in a search](../tasks/search_and_cross_validate.md), "
        f"[how certain it is](../tasks/how_certain.md), [its relatives]({family_of(row)}).",
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
    scorer = f"{row.scorer_name}"
    parameters = (
        f"; parameters: {codes(describe.parameters_as_text(row))}" if row.parameters else ""
    )
    averages = codes(f"{scorer}_{suffix}" for suffix in suffixes_of(row))
    method = f"[{word_of(row)}](../theory/intervals.md#which-method-and-why)"
    return {
        "Value": f"{' '.join(describe._range_in_words(row, said).split())} {of_what([row])}",
        "Undefined": undefined(row, said),
        "Also called": ", ".join(
            code(alias) + (f" ({in_words(alias)})" if "_" in alias else "") for alias in row.aliases
        ),
        "Function": f"[{code(calls['function'])}](#skmetrics_ext.{row.function}), or of a matrix "
        f"{code(calls['matrix cm'])}{parameters}",
        "Scorer": code(calls["scorer"]) + (f"; averages: {averages}" if averages else ""),
        "Interval": f"{code(calls['matrix cm'].replace('score', 'interval', 1))}: {method}. "
        f"{coverage}",
        "Source": f"{' '.join(said['References'].split())}{also_in(row)}",
    }


def family_of(row: Metric) -> str:
    """Where the index has the metrics of the same family."""
    [heading] = [heading for name, (heading, _) in HEADINGS.items() if row in rows_of(name)]
    return f"index.md#{heading.lower().replace(' ', '-')}"


def undefined(row: Metric, said: dict[str, str]) -> str:
    """When the formula is 0/0, and its value there."""
    text = describe._undefined_in_words(row, said)
    if text.startswith("never"):
        return f"N{text[1:]}."
    return FOR_UNDEFINED.sub(
        r"Where the formula is 0/0 (\2): \1, with a warning; `zero_division=` sets a different "
        r"value.",
        text,
    )


def also_in(row: Metric) -> str:
    """The other libraries that have a metric."""
    libraries = libraries_with(row)
    return f" **Also in** {', '.join(libraries)}." if libraries else ""


def reading(row: Metric) -> str:
    """What a reader asks about values."""
    if row.better == "neither":
        return "How to read a value"
    return f"{title(row)}: what is a good value?"


def how_to_read(row: Metric) -> list[str]:
    """The values of good, fair and useless models where positives are frequent and rare, and a
    table of counts worked out.
    """
    value_of = {
        (name, prevalence): value_of_rates(row, *rates, prevalence)
        for name, rates in MODELS.items()
        for prevalence in PREVALENCES
    }
    good = [value_of[next(iter(MODELS)), prevalence] for prevalence in PREVALENCES]
    of_half, *others = map(value_in_words, good)
    if len({*map(value_in_words, good)}) == 1:
        moves = f"has {of_half}, whatever the prevalence"
    else:
        shares = map(in_percent, PREVALENCES[1:])
        where = [f"{text} where {share} are" for text, share in zip(others, shares, strict=True)]
        moves = f"has {of_half} where half of the samples are positive, {' and '.join(where)}"
    lines = [
        *([READ[row.name], ""] if row.name in READ else []),
        f"A model that is right for 90 % of each class {moves}. Worked out: of 1,000 people 100 "
        "are ill; it finds 90 of them, and calls 90 of the 900 others ill. With tp 90, fn 10, "
        f"fp 90 and tn 810 the value is {value_in_words(good[1])}.",
        "",
    ]
    rows = [
        [name, *(value_in_words(value_of[name, prevalence]) for prevalence in PREVALENCES)]
        for name in MODELS
    ]
    heads = ["a model", *(f"{in_percent(share)} positive" for share in PREVALENCES)]
    return [*lines, *table(heads, rows).split("\n")[1:-2]]


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


def edges(row: Metric) -> list[str]:
    """A table of the values in the edge cases."""
    values = []
    for situation in SITUATIONS:
        value, is_undefined = value_in(row, situation)
        values.append(f"{'undefined: ' * is_undefined}{value:.3g}")
    return table([situation.heading for situation in SITUATIONS], [values]).split("\n")[1:-2]


def worst_coverage() -> dict[str, str]:
    """How often intervals of each metric are right."""
    return {
        row.metric: "In a typical [simulation](../theory/coverage.md#scenarios), "
        f"{100 * row.median:.1f} % of 95 % intervals without a warning contained the truth; in the "
        f"hardest, {in_full(row.scenario)}, {100 * row.hardest:.1f} %."
        for row in coverages()
    }


def in_full(scenario: str) -> str:
    """A scenario of the simulation, with the value of the metric that it is about in words."""
    of, separator, setting = scenario.rpartition("; ")
    return f"{VALUES_OF_SCENARIOS[of]} with {setting}" if separator else setting


def index() -> str:
    """All metrics by family, a line each, and what the pages have in common."""
    lines = [f"# Metrics: {len(METRICS)} by family", ""]
    lines += [
        "Each page has the formula, when to use the metric, its pitfall, values in edge cases, the "
        "method of its "
    ]
    lines[-1] += (
        f"intervals, an example and which other libraries have it. {code(COMMAND)} writes them."
    )
    for name, (heading, purpose) in HEADINGS.items():
        rows = rows_of(name)
        lines += ["", f"## {heading}", "", f"{purpose} {of_what(rows)}", ""]
        cells = [
            [f"[{in_words(row.name)}]({row.name}.md)", summary(row), row.better] for row in rows
        ]
        lines += table(["metric", "meaning", "better"], cells).split("\n")[1:-2]
    lines += [
        "",
        "## Other names",
        "",
        'A name or an alias works wherever a metric is asked for: `cm.score("recall")`, '
        '`get_scorer("recall_macro")`, `compare(..., "recall")`. A scorer\'s name starts with '
        "`neg_` where lower is better, and it returns the negated value. Metrics of a class have "
        "averages: `specificity_macro`, `_weighted`, `_micro`, `_samples` and, where higher or "
        "lower is better, `_worst`.",
        "",
    ]
    others = sorted((alias, row) for row in METRICS for alias in row.aliases)
    lines += [
        ", ".join(f"{code(alias)}: [{in_words(row.name)}]({row.name}.md)" for alias, row in others)
    ]
    lines += ["", "## Symbols", "", *symbols.LINES]
    lines += ["", "## Edge cases", "", AT_THE_EDGES, ""]
    for heading, meaning, *_ in SITUATIONS:
        lines += [f"- **{heading}**: {meaning}"]
    lines += ["", "Next: [which metric?](../which_metric.md), or [all names](../names.md)."]
    return "\n".join([*lines, ""])


def summary(row: Metric) -> str:
    """The first paragraph of the meaning, in a cell of a table."""
    return meaning(row)[0].replace("|", r"\|")


if __name__ == "__main__":
    sys.exit(main())
