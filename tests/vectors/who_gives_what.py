"""The page docs/who_gives_what.md: this module writes it, `--check` compares it."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.vectors.compute import METRIC_CASES, VECTORS, stored_text
from tests.vectors.libraries import MOST_SAMPLES
from tests.vectors.score import FILLED, OUTCOMES, RAISED, RESULTS_JSON, UNDEFINED, WRONG

PAGE = Path(__file__).parents[2] / "docs" / "who_gives_what.md"
COMMAND = "python -m tests.vectors.who_gives_what"


# The letter of each library in its marks.
MARKS = {
    "skmetrics-ext": "e",
    "scikit-learn": "s",
    "imbalanced-learn": "i",
    "pycm": "p",
    "torchmetrics": "t",
}


class Explanation(NamedTuple):
    """Why a library disagrees in one way about some metrics; about all where none is named."""

    library: str
    kind: str
    reason: str
    keys: tuple[str, ...] = ()


EXPLANATIONS = [
    Explanation(
        "skmetrics-ext",
        FILLED,
        "It gives a default with an UndefinedMetricWarning, and nan if you pass "
        "`zero_division=nan`. The default is scikit-learn's where scikit-learn has the metric; "
        "otherwise it is the worst value for a rate, and 0 for a score that is 0 by chance.",
    ),
    Explanation(
        "scikit-learn",
        FILLED,
        "It gives 0 with an UndefinedMetricWarning, and nan if you pass `zero_division=nan`, which "
        "`jaccard_score` does not accept.",
        ("precision", "recall", "f1", "fbeta(beta=2)", "fbeta(beta=1/2)", "jaccard"),
    ),
    Explanation(
        "scikit-learn",
        FILLED,
        "With a single actual class, the best value is also the value of chance. The vectors "
        "take this as 0/0, but scikit-learn divides by 0 and gives -inf, with a RuntimeWarning of "
        "NumPy.",
        ("balanced_accuracy(adjusted=true)",),
    ),
    Explanation(
        "scikit-learn",
        FILLED,
        "With a single actual or predicted class, where the correlation is 0/0, it gives 0 without "
        "a warning.",
        ("matthews_corrcoef",),
    ),
    Explanation(
        "scikit-learn",
        FILLED,
        "Where the entropies in the denominator are 0, it gives 1 for 0/0.",
        ("normalized_mutual_information", "uncertainty_coefficient"),
    ),
    Explanation(
        "scikit-learn",
        UNDEFINED,
        "A ratio whose denominator alone is 0 is infinite; it gives nan, with a warning.",
        ("positive_likelihood_ratio", "negative_likelihood_ratio"),
    ),
    Explanation(
        "scikit-learn",
        WRONG,
        "Large counts as integer weights are multiplied as integers of 64 bits and overflow; the "
        "same counts as floats give the right ratio.",
        ("positive_likelihood_ratio", "negative_likelihood_ratio"),
    ),
    Explanation(
        "scikit-learn",
        WRONG,
        "Products of counts that are nearly equal are subtracted in double precision: with a "
        "thousand million samples of one class and a few of the other, only some digits remain; "
        "with 2**60, none.",
        ("matthews_corrcoef",),
    ),
    Explanation("imbalanced-learn", FILLED, "It gives 0 for 0/0, and has no `zero_division`."),
    Explanation(
        "imbalanced-learn",
        WRONG,
        "With `sample_weight`, it counts true negatives without weights (imbalanced-learn#1180, "
        "open), so that rates can exceed 1. These tables have so many "
        "samples that the library gets them as weights.",
        ("specificity", "g_mean", "index_balanced_accuracy(alpha=1/10)"),
    ),
    Explanation(
        "imbalanced-learn",
        UNDEFINED,
        "The same fault makes the number of true negatives negative, which has no square root.",
        ("g_mean", "index_balanced_accuracy(alpha=1/10)"),
    ),
    Explanation(
        "imbalanced-learn",
        RAISED,
        "A class that is predicted but never occurs is an error instead of being left out of the "
        "mean.",
        ("macro_averaged_mean_absolute_error",),
    ),
    Explanation("pycm", RAISED, "A matrix of one class is refused."),
    Explanation(
        "pycm",
        UNDEFINED,
        'A ratio whose denominator alone is 0 is infinite; it gives the string "None". Where 1 - '
        "specificity of counts near 2**60 rounds to 0, it does so for a finite ratio.",
        ("positive_likelihood_ratio", "negative_likelihood_ratio"),
    ),
    Explanation(
        "pycm",
        UNDEFINED,
        'They are computed from likelihood ratios, and are "None" where one of these is "None" '
        "(p2), or their quotient is x/0, although their own formula has a value.",
        ("diagnostic_odds_ratio", "yule_q"),
    ),
    Explanation(
        "pycm",
        UNDEFINED,
        "Where a rate is 0 or 1, or rounds to it, the quantile is infinite; it gives the string "
        '"None".',
        ("d_prime",),
    ),
    Explanation(
        "pycm",
        UNDEFINED,
        'One class that neither occurs nor is predicted makes the whole "None" instead of being '
        "left out.",
        ("class_balance_accuracy", "confusion_entropy"),
    ),
    Explanation(
        "pycm",
        UNDEFINED,
        'If a row or a column is empty, it gives "None", although the table without that row or '
        "column has a chi-squared statistic.",
        ("cramers_v",),
    ),
    Explanation(
        "pycm",
        UNDEFINED,
        "The agreement by chance rounds to 1 where nearly all samples are of one class, and the "
        "denominator to 0.",
        (
            *("cohen_kappa", "cohen_kappa(weights=linear)", "cohen_kappa(weights=quadratic)"),
            *("scott_pi", "krippendorff_alpha"),
        ),
    ),
    Explanation(
        "pycm",
        WRONG,
        "The same subtraction of a chance near 1 leaves only some digits.",
        (
            *("cohen_kappa", "cohen_kappa(weights=linear)", "cohen_kappa(weights=quadratic)"),
            *("scott_pi", "krippendorff_alpha"),
        ),
    ),
    Explanation(
        "pycm",
        WRONG,
        "False positive rates are 1 - specificity, which leaves only some digits of one that is "
        "near 0.",
        ("positive_likelihood_ratio", "diagnostic_odds_ratio", "d_prime"),
    ),
    Explanation(
        "pycm",
        WRONG,
        "Differences of large, nearly equal numbers leave only some digits where nearly all "
        "samples are of one class.",
        ("matthews_corrcoef", "uncertainty_coefficient"),
    ),
    Explanation("pycm", WRONG, "It is the number of errors, not their share.", ("zero_one_loss",)),
    Explanation(
        "torchmetrics",
        FILLED,
        "It gives 0 for 0/0; `zero_division`, where there is one, may be 0 or 1.",
        (
            *("precision", "recall", "specificity", "negative_predictive_value", "f1"),
            *("fbeta(beta=2)", "fbeta(beta=1/2)", "jaccard"),
        ),
    ),
    Explanation(
        "torchmetrics",
        FILLED,
        "It gives 0 for 0/0, and has no `zero_division`.",
        ("matthews_corrcoef", "normalized_mutual_information", "uncertainty_coefficient"),
    ),
    Explanation(
        "torchmetrics",
        RAISED,
        "`num_classes=1` is refused.",
        (
            *(
                "precision",
                "recall",
                "specificity",
                "negative_predictive_value",
                "f1",
                "fbeta(beta=2)",
            ),
            *(
                "fbeta(beta=1/2)",
                "jaccard",
                "accuracy",
                "hamming_loss",
                "balanced_accuracy",
                "matthews_corrcoef",
            ),
            *("cohen_kappa", "cohen_kappa(weights=linear)", "cohen_kappa(weights=quadratic)"),
        ),
    ),
    Explanation(
        "torchmetrics",
        RAISED,
        "Labels are taken as positions in a matrix of as many classes as there are different "
        "labels: with the labels 0 and 2 but not 1, that matrix is too small.",
        ("cramers_v", "uncertainty_coefficient"),
    ),
    Explanation(
        "torchmetrics",
        WRONG,
        "In the same case, counts can also end up in wrong cells without an error.",
        ("cramers_v",),
    ),
    Explanation(
        "torchmetrics",
        WRONG,
        "A class that is predicted but never occurs counts as a recall of 0, instead of being left "
        "out.",
        ("balanced_accuracy",),
    ),
    Explanation(
        "torchmetrics",
        WRONG,
        "Information and entropies near 0 are small differences in single precision.",
        ("mutual_information", "normalized_mutual_information", "uncertainty_coefficient"),
    ),
]

HEAD = """\
# Who gives what

Which library gives which metric, and whether it is the value of the formula. The same {tables}
tables of counts are given to each library, and every value is compared with exact arithmetic:
rational numbers as fractions, others with 30 digits. Among the tables are all patterns of empty
cells, classes that are absent from the actual labels, from the predicted ones or from both, perfect
and useless predictions, rare classes, counts up to 2**60, and tables that were published.

Every library is called by its public functions at their defaults, this one too. An empty cell means
that the library does not give the metric; the letter and number lead to the reasons below. A value
counts as right if 9 digits are right, or 5 digits of torchmetrics, which computes in single
precision. Where only the denominator is 0, inf is right. Tables of more than {most:,} samples are
given as one weighted sample for each cell; functions that take no weights do not get them. Where a
library has a metric of two classes only, each class is compared with all others. If a library
differs in several ways about the classes of one table, the table counts once, as the first of
these: a wrong value, a value for 0/0, no value, an error. Tables are counted from 0. Averages over
the classes are not compared here.

Versions: {versions}.

## Right values

The first number says in how many tables a library has no wrong value, and a value wherever there is
one; the second says how many tables it was given.
"""

CONVENTIONS = """\
## Another convention for 0/0

The first number says in how many tables a library gives a value where the formula is 0/0, instead
of nan, None or "None". That is a convention, not an error.
"""

TAIL = """\
## Use these test vectors

The tables and values are in `tests/vectors/vectors.json.xz` of the repository, {packed:,} kB, under
the BSD 3-clause license, with a JSON schema beside it; `xz` and Python's `lzma` unpack it to
{unpacked:,} kB of JSON. The file explains itself at its top: formulas, parameters, the order of
values, and what null and "inf" stand for. {averaged} tables also have the macro, weighted, micro,
binary and worst averages, for each way of filling in 0/0. `tests/vectors/compute.py` computes it
with Python's `fractions` and mpmath; it does not use this package. To test another library, read
the file, or add the library's calls to `tests/vectors/libraries.py` and run `python -m
tests.vectors.score` with its name.

The vectors are about counts. They do not test curves and thresholds, where other faults are found.
MLflow 3.12, for example, drew the curves of the other class where `pos_label` was the first of two,
and gave a wrong area under the curve of precision and recall (mlflow#23991, since mended). A
library that takes the wrong one of two classes as positive in a metric of counts disagrees here,
since each table has the values of both classes.

This page is made by `python -m tests.vectors.who_gives_what` from stored results.

Next: [instead of X write Y](instead_of.md), and [how a metric is read](metrics/index.md).
"""


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or compare it; the exit status is 1 if it differs."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write docs/who_gives_what.md.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit with 1 if the page differs"
    )
    text = page(json.loads(RESULTS_JSON.read_text(encoding="utf-8")))
    if not parser.parse_args(arguments).check:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.name} is not what results.json gives. To write it, run: {COMMAND}")
    return 1


def page(results: dict[str, Any]) -> str:
    """The page of stored results."""
    text = stored_text()
    vectors = json.loads(text)
    libraries = list(results)
    marks = {
        explanation: mark for library in libraries for mark, explanation in marked(library, results)
    }
    versions = ", ".join(f"{library} {results[library]['version']}" for library in libraries)
    head = HEAD.format(tables=len(vectors["tables"]), most=MOST_SAMPLES, versions=versions)
    columns = [f"| metric | {' | '.join(libraries)} |", "|---" * (1 + len(libraries)) + "|"]
    lines = [unwrapped(head), *columns]
    for case in METRIC_CASES:
        cells = [right_values(library, case.key, results, marks) for library in libraries]
        lines.append(f"| `{case.key}` | {' | '.join(cells)} |")
    lines += ["", unwrapped(CONVENTIONS), *columns]
    for case in METRIC_CASES:
        cells = [conventions(library, case.key, results, marks) for library in libraries]
        if any(cells):
            lines.append(f"| `{case.key}` | {' | '.join(cells)} |")
    for library in libraries:
        if reasons := marked(library, results):
            lines += ["", f"## {library} {results[library]['version']}", ""]
            lines += [
                reason(mark, explanation, results[library]["metrics"], vectors["tables"])
                for mark, explanation in reasons
            ]
    packed, unpacked = VECTORS.stat().st_size // 1000, len(text.encode()) // 1000
    averaged = len(vectors["averages"])
    return "\n".join(
        [*lines, "", unwrapped(TAIL.format(packed=packed, unpacked=unpacked, averaged=averaged))]
    )


def unwrapped(text: str) -> str:
    """Each paragraph on one line."""
    return (
        "\n\n".join(paragraph.replace("\n", " ").strip() for paragraph in text.split("\n\n")) + "\n"
    )


def marked(library: str, results: dict[str, Any]) -> list[tuple[str, Explanation]]:
    """The explanations of a library that its results need, with their marks."""
    needed = [explanation for explanation in EXPLANATIONS if explanation.library == library]
    unused = [
        explanation
        for explanation in needed
        if not explained(explanation, results[library]["metrics"])
    ]
    if unused:
        raise ValueError(f"these disagreements of {library} are no more: {unused}")
    letter = MARKS[library]
    return [(f"{letter}{number}", explanation) for number, explanation in enumerate(needed, 1)]


def explained(explanation: Explanation, metrics: dict[str, Any]) -> dict[str, Any]:
    """The disagreements that an explanation is about, by metric."""
    keys = explanation.keys or tuple(metrics)
    return {
        key: metrics[key][explanation.kind]
        for key in keys
        if explanation.kind in metrics.get(key, {})
    }


def right_values(
    library: str, key: str, results: dict[str, Any], marks: dict[Explanation, str]
) -> str:
    """In how many tables a library has no wrong value of a metric, and the marks of the reasons why
    not.
    """
    metrics = results[library]["metrics"]
    if key not in metrics:
        return ""
    counts = metrics[key]
    is_right = counts["agrees"] + counts.get(FILLED, {"tables": 0})["tables"]
    kinds = [kind for kind in OUTCOMES if kind != FILLED]
    reasons = [mark for kind in kinds for mark in marks_of(library, key, kind, metrics, marks)]
    text = f"{is_right} of {counts['asked']}"
    return f"{text} ({', '.join(reasons)})" if reasons else text


def conventions(
    library: str, key: str, results: dict[str, Any], marks: dict[Explanation, str]
) -> str:
    """In how many tables a library gives a value for 0/0, and the mark of the reason."""
    metrics = results[library]["metrics"]
    if FILLED not in metrics.get(key, {}):
        return ""
    [mark] = marks_of(library, key, FILLED, metrics, marks)
    return f"{metrics[key][FILLED]['tables']} of {metrics[key]['asked']} ({mark})"


def marks_of(
    library: str, key: str, kind: str, metrics: dict[str, Any], marks: dict[Explanation, str]
) -> list[str]:
    """The mark of the reason why a library disagrees in one way about a metric, if it does."""
    if kind not in metrics[key]:
        return []
    found = [
        mark
        for explanation, mark in marks.items()
        if (explanation.library, explanation.kind) == (library, kind)
        and key in explained(explanation, metrics)
    ]
    if len(found) != 1:
        raise ValueError(
            f"{library}, {key}, {kind}: {len(found)} explanations instead of one: "
            f"{metrics[key][kind]}. EXPLANATIONS in tests/vectors/{Path(__file__).name} has them."
        )
    return found


def reason(
    mark: str, explanation: Explanation, metrics: dict[str, Any], tables: list[dict[str, Any]]
) -> str:
    """An explanation with the metrics that it is about, their numbers of tables and
    the first one.
    """
    found = explained(explanation, metrics)
    place, _, values = next(iter(found.values()))["first"].partition(": ")
    first = f"The first is {place} ({tables[int(place.removeprefix('table '))]['about']}): {values}"
    if len(found) > 12 and len({item["tables"] for item in found.values()}) == 1:
        about = (
            f"Number of tables: {next(iter(found.values()))['tables']} of each of {len(found)} "
            "metrics"
        )
    else:
        about = "Number of tables: " + ", ".join(
            f"`{key}` {item['tables']}" for key, item in found.items()
        )
    return f"- **{mark}**, {OUTCOMES[explanation.kind]}: {explanation.reason} {about}. {first}."


if __name__ == "__main__":
    sys.exit(main())
