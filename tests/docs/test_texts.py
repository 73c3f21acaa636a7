"""Docstrings of public functions agree with each other on parameters, with the catalogue too."""

import ast
import functools
import inspect
import math
import re
from collections import defaultdict
from typing import NamedTuple

import pytest

import skmetrics_ext
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.metrics.from_labels import function_of
from tests.shared import for_each

FUNCTIONS = [
    name for name in skmetrics_ext.__all__ if inspect.isfunction(getattr(skmetrics_ext, name))
]

# A parameter has one meaning, and so one text, except for those functions in which it means
# something else: a word for what it is there. Functions with the same word have the same text.
OTHER_MEANINGS = {
    "alpha": {"tversky_score": "false positives"},
    "average": {
        "geometric_mean_score": "of two rates",
        "metric_interval": "of any metric",
        **dict.fromkeys(
            ("prevalence", "predicted_positive_rate", "detection_rate", "frequency_bias"),
            "none of them is the worst",
        ),
    },
    "ax": {
        "plot_confusion_matrix": "with text of a size that fits",
        "plot_intervals": "with numbers beside it",
    },
    "beta": {"tversky_score": "false negatives"},
    "classes": {
        "make_eval_metric": "by number",
        "threshold_curves": "of known actual labels",
        **dict.fromkeys(("plot_roc", "plot_precision_recall"), "of labels alone"),
    },
    "correction": {"geometric_mean_score": "of a product"},
    "confidence_level": {
        "check": "one-sided",
        "classification_report": "or none, in a table",
        "plot_threshold_curve": "or none, as a band",
    },
    "cost_matrix": {"expected_cost": "scores, does not decide"},
    "curves": {
        "compare_curves": "of the same samples",
        "plot_decision_curve": "of probabilities",
        "plot_risk_coverage": "of right answers",
    },
    "labels": {
        "agreement": "of raters",
        **dict.fromkeys(("confusion_matrix", "cohen_kappa_score"), "others are left out"),
        **dict.fromkeys(("bennett_s", "confusion_entropy", "gwet_ac1"), "number of classes"),
        "class_likelihood_ratios": "two",
        "cross_val_confusion_matrix": "order",
        "evaluation_index": "all",
        "expected_cost": "costs",
        "gerrity_score": "ranks",
        "macro_averaged_mean_absolute_error": "numbers",
        "multilabel_confusion_matrix": "columns",
        "plot_confusion_matrix": "of labels alone",
    },
    "metric": {
        "agreement": "of raters",
        "compare_curves": "at a point",
        "plot_intervals": "of matrices",
        "sample_size": "a share",
        "metric_interval": "with an average",
    },
    "metrics": {"plot_threshold_curve": "lines"},
    "normalize": {
        "accuracy_score": "share right",
        "zero_one_loss": "share wrong",
        "plot_confusion_matrix": "colours",
    },
    "pos_label": {
        "check": "of many classes, too",
        "labels_from_scores": "of a threshold",
        "make_eval_metric": "of class numbers",
        **dict.fromkeys(
            ("metric_interval", "threshold_curve", "cross_val_threshold_curves"), "not guessed"
        ),
        "threshold_curves": "of groups",
        "watch": "one of several classes",
        **dict.fromkeys(("plot_roc", "plot_precision_recall"), "of labels alone"),
    },
    "name": {"make_eval_metric": "of a metric"},
    "n_resamples": {"compare": "permutations, too"},
    "random_state": {
        "compare": "permutations, too",
        "metric_interval": "an interval",
        **dict.fromkeys(("cross_val_interval", "compare_estimators"), "of splits"),
    },
    "replace_undefined_by": {"cohen_kappa_score": "one value"},
    "response_method": {"cross_val_threshold_curves": "scores alone"},
    "sample_weight": {
        "threshold_curve": "makes thresholds",
        "metric_interval": "relative to each other",
        **dict.fromkeys(
            ("plot_roc", "plot_precision_recall", "plot_confusion_matrix"), "of labels alone"
        ),
    },
    "source": {"watch": "matrices over time", "check": "of claims"},
    "threshold": dict.fromkeys(
        ("plot_decision_curve", "plot_precision_recall", "plot_risk_coverage", "plot_roc"), "marked"
    ),
    "warn_for": {"sensitivity_specificity_support": "other rates"},
    "y_pred": {
        "class_likelihood_ratios": "two labels",
        **dict.fromkeys(("classification_report", "evaluation_index"), "beside a matrix"),
        "plot_confusion_matrix": "beside labels",
    },
    "y_score": {
        "threshold_curve": "of the positive class",
        "threshold_curves": "of each class",
        **dict.fromkeys(("plot_roc", "plot_precision_recall"), "beside labels"),
    },
    "y_true": {
        "compare": "of several models",
        "class_likelihood_ratios": "two labels",
        "classification_report": "or a matrix",
        "evaluation_index": "or a matrix that may have axes",
        "threshold_curve": "alone",
        "threshold_curves": "or one-hot rows",
    },
    "weights": {"agreement": "of raters"},
    "zero_division": {"classification_report": "several metrics"},
    "**parameters": {"plot_threshold_curve": "several metrics"},
}
# The same parameter where the data may be multilabel, and where there are averages.
VARIANTS = ("0/1 indicators", "Averages ignore nan.")
# Where a metric is undefined and what it is there: its own, and looked at with its row.
OWN_WORDS = re.compile(r'0/0 \(.+\)\. "warn": (\w+),')
DIRECTIONS = {
    "higher": "higher is better",
    "lower": "lower is better",
    "neither": "neither direction is better",
}
LIBRARIES = ("scikit-learn", "imbalanced-learn", "caret", "WMO")


# What tells three words for samples that have something in common apart, wherever one of them is a
# parameter.
BY_CLUSTERS_GROUPS = (
    "`by` gives counts and results of each group; `clusters` identify dependent samples, for "
    "confidence intervals and tests; `groups` are scikit-learn's, for cross-validation splits."
)


class Entry(NamedTuple):
    """What a docstring says of a parameter."""

    type: str
    default: str
    text: str

    @property
    def refers(self):
        """Whether another docstring is named in place of a type or a text."""
        return not self.type or re.search(r"\b([Aa]s in|see) `", self.text) is not None


def sections(name):
    """The lines under each heading of a docstring; those above the first under ""."""
    found, heading = {"": []}, ""
    lines = inspect.cleandoc(getattr(skmetrics_ext, name).__doc__).splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line and set(following) == {"-"}:
            heading = line
            found[heading] = []
        elif not (line and set(line) == {"-"}):
            found[heading].append(line)
    return found


def section(name, heading):
    """A section in one line."""
    return " ".join(" ".join(sections(name)[heading]).split())


@functools.cache
def entries(name):
    """The parameters of a function as its docstring has them."""
    found = {}
    text = "\n".join(sections(name).get("Parameters", [])).strip()
    for block in re.split(r"\n(?=\S)", text) if text else []:
        head, _, text = block.partition("\n")
        names, _, kind = head.partition(" : ")
        kind, _, default = kind.partition(", default=")
        for parameter in names.split(", "):
            found[parameter] = Entry(kind, default, " ".join(text.split()))
    return found


def test_a_parameter_has_one_text():
    texts = defaultdict(lambda: defaultdict(list))
    for name in FUNCTIONS:
        for parameter, entry in entries(name).items():
            if entry.refers:
                continue
            meaning = OTHER_MEANINGS.get(parameter, {}).get(name, "")
            said = f"{entry.type}: {OWN_WORDS.sub('0/0 (...),', entry.text)}"
            texts[parameter, meaning, *(variant in said for variant in VARIANTS)][said].append(name)
    differences = [
        f"{parameter}: {dict(said)}" for (parameter, *_), said in texts.items() if len(said) > 1
    ]
    assert not differences, "\n".join(differences)


def documented():
    """Each public function, class and method with its docstring."""
    for name in skmetrics_ext.__all__:
        value = getattr(skmetrics_ext, name)
        keys = (
            [key for key in dir(value) if key == "__call__" or key[0] != "_"]
            if inspect.isclass(value)
            else []
        )
        # A request is of what is passed on, not of what it is.
        members = [
            (f"{name}.{key}", getattr(value, key)) for key in keys if not key.endswith("_request")
        ]
        yield from (
            (key, inspect.getdoc(member) or "") for key, member in [(name, value), *members]
        )


def test_by_clusters_and_groups_are_told_apart_wherever_one_of_them_stands():
    explained = set()
    for name, text in documented():
        parameters = re.split(r"\n\n[\w ]+\n--", text.partition("\nParameters\n")[2])[0]
        for block in re.split(r"\n(?=\S)", parameters):
            names, _, text = block.partition("\n")
            if {"by", "clusters", "groups"} & set(re.findall(r"\w+", names.partition(" : ")[0])):
                text = " ".join(text.split())
                assert BY_CLUSTERS_GROUPS in text or re.search(r"\b([Aa]s in|see) `", text), name
                explained |= {name} if BY_CLUSTERS_GROUPS in text else set()
    assert {
        "ConfusionMatrix.from_labels",
        "metric_interval",
        "compare",
        "cross_val_confusion_matrix",
    } <= explained


def test_other_meanings_have_other_texts():
    """No function is excepted in vain."""
    for parameter, functions in OTHER_MEANINGS.items():
        usual = {
            entries(name)[parameter]
            for name in FUNCTIONS
            if parameter in entries(name) and name not in functions
        }
        usual_texts = {(entry.type, entry.text) for entry in usual}
        for name in functions:
            assert entries(name)[parameter][0::2] not in usual_texts, (name, parameter)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_parameters_and_defaults_are_those_of_the_signature(name):
    signature = {}
    for parameter in inspect.signature(getattr(skmetrics_ext, name)).parameters.values():
        stars = {parameter.VAR_KEYWORD: "**", parameter.VAR_POSITIONAL: "*"}.get(parameter.kind, "")
        signature[stars + parameter.name] = parameter.default
    said = {parameter: entry.default for parameter, entry in entries(name).items()}
    assert said.keys() == signature.keys()
    for parameter, default in said.items():
        if default == "nan":
            assert math.isnan(signature[parameter])
        elif default:
            assert ast.literal_eval(default) == signature[parameter]


every_row = for_each("row", METRICS)


@every_row
def test_the_first_line_has_the_formula(row):
    first = sections(row.function)[""][0]
    assert re.match(re.escape(row.text) + r"(\.$|: )", first)


@every_row
def test_the_range_and_the_direction_are_those_of_the_row(row):
    assert f"In {row.range}; {DIRECTIONS[row.better]}" in section(row.function, "Returns")


@every_row
def test_the_value_where_a_metric_is_undefined_is_that_of_the_row(row):
    value = f"{row.undefined:g}"
    if "zero_division" not in inspect.signature(function_of(row)).parameters:
        returns = section(row.function, "Returns")
        assert "Never undefined." in returns or re.search(rf"\b{value} where", returns)
        return
    averages = " Averages ignore nan." * row.has_average
    text = entries(row.function)["zero_division"].text
    assert OWN_WORDS.search(text)[1] == value
    assert (
        OWN_WORDS.sub("...", text)
        == f"The value where the formula is ... with an UndefinedMetricWarning.{averages}"
    )


@every_row
def test_the_sources_of_the_row_are_among_the_references(row):
    references = section(row.function, "References")
    papers = re.findall(r"([\w-]+)(?: & \w+| et al\.)? (\d{4})", row.source)
    libraries = [library for library in LIBRARIES if library in row.source]
    assert papers or libraries
    for author, year in papers:
        assert re.search(rf"\b{author}\b[^;]* \({year}\)", references)
    for library in libraries:
        assert library in references
