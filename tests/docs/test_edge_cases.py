"""The values in edge cases are those of other implementations, and families are whole."""

import inspect
import re
import warnings
from pathlib import Path

import imblearn.metrics
import numpy as np
import pytest
import sklearn.metrics as sk

from skmetrics_ext import ConfusionMatrix, cohen_kappa_score, get_scorer, matthews_corrcoef
from skmetrics_ext.catalogue.names import suffixes_of
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from tests.docs import edge_cases
from tests.docs.edge_cases import PAGE
from tests.docs.families import HEADINGS, libraries_with, rows_of, word_of
from tests.docs.symbols import LINES
from tests.docs.test_project_files import section
from tests.shared import for_each, parameters_of, quietly
from tests.vectors.oracle import EXACT_METRICS, class_value, overall_value, tally
from tests.vectors.sources import imbalanced_learn, scikit_learn, scikit_learn_by_class

TEXT = PAGE.read_text(encoding="utf-8")
INTERVALS = Path(PAGE.parent, "theory", "intervals.md").read_text(encoding="utf-8")
every_metric = for_each("row", METRICS)


# The command.


def test_the_page_is_what_the_command_writes_and_what_differs_is_named(
    tmp_path, monkeypatch, capsys
):
    assert edge_cases.main(["--check"]) == 0
    copy = tmp_path / "page.md"
    right, wrong = "\n### Every prediction is wrong\n", "\n### Every prediction is correct\n"
    prose = ("A ratio 0/0", "By hand, a ratio 0/0")
    assert [TEXT.count(text) for text in (right, prose[0])] == [1, 1]
    broken = TEXT.replace(right, wrong).replace(*prose)
    copy.write_text(broken, encoding="utf-8")
    monkeypatch.setattr(edge_cases, "PAGE", copy)
    assert edge_cases.main(["--check"]) == 1
    assert capsys.readouterr().out == (
        "page.md is not what the package gives. To write it, run: python -m tests.docs.edge_cases\n"
    )
    assert copy.read_text(encoding="utf-8") == broken
    assert edge_cases.main([]) == 0
    assert copy.read_text(encoding="utf-8") == TEXT.replace(*prose)


@pytest.mark.parametrize("marker", ["<!-- generated: edges -->", "<!-- end -->"])
def test_a_missing_marker_is_an_error(tmp_path, monkeypatch, marker):
    copy = tmp_path / "page.md"
    copy.write_text(TEXT.replace(marker, ""), encoding="utf-8")
    monkeypatch.setattr(edge_cases, "PAGE", copy)
    with pytest.raises(
        ValueError, match=r"needs one line '<!-- generated: \w+ -->' and below it a line"
    ):
        edge_cases.main(["--check"])


# What pages say of the metrics of a family.


def test_each_metric_is_in_one_family():
    names = [row.name for family in HEADINGS for row in rows_of(family)]
    assert sorted(names) == sorted(row.name for row in METRICS)


@every_metric
def test_scorers_have_the_names_that_are_given(row):
    name = row.scorer_name
    parameters = parameters_of(row)
    assert callable(get_scorer(name, **parameters))
    other = name.removeprefix("neg_") if name.startswith("neg_") else f"neg_{name}"
    with pytest.raises(ValueError, match=name):
        get_scorer(other, **parameters)


def test_the_libraries_that_are_named_have_it():
    by_scikit_learn = {
        "positive_likelihood_ratio": "class_likelihood_ratios",
        "negative_likelihood_ratio": "class_likelihood_ratios",
        "mutual_information": "mutual_info_score",
        "normalized_mutual_information": "normalized_mutual_info_score",
        "uncertainty_coefficient": "homogeneity_score",
    }
    by_imbalanced_learn = {
        "recall": "sensitivity_score",
        "g_mean": "geometric_mean_score",
        "index_balanced_accuracy": "make_index_balanced_accuracy",
    }
    for row in METRICS:
        libraries = libraries_with(row)
        assert ("scikit-learn" in libraries) == hasattr(
            sk, by_scikit_learn.get(row.name, row.function)
        ), row.name
        function = by_imbalanced_learn.get(row.name, row.function)
        assert ("imbalanced-learn" in libraries) == hasattr(imblearn.metrics, function), row.name
        of_pycm = [o for o in EXACT_METRICS[row.name].oracles if getattr(o, "name", "") == "pycm"]
        # pycm's zero-one loss is a number, not a proportion.
        assert ("pycm" in libraries) == (bool(of_pycm) or row.name == "zero_one_loss"), row.name


@every_metric
def test_intervals_are_found_as_is_said(row):
    word = word_of(row)
    assert f"\n- {word}: " in INTERVALS
    cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=[0, 1])
    found = cm.interval(row.name, n_resamples=100, random_state=0, **parameters_of(row, beta=1))
    method = found.method.removeprefix("the wider of ").removesuffix(" and MOVER")
    assert method.removesuffix(" for each class") == word


def test_only_directions_have_a_worst_class():
    page = Path(PAGE.parent, "metrics", "options.md").read_text(encoding="utf-8")
    assert "the class with the worst value, where higher or lower is better" in page
    for row in METRICS:
        if row.has_average:
            assert ("worst" in suffixes_of(row)) == (row.better != "neither")


def test_functions_without_zero_division_are_said_to_have_none():
    assert "`matthews_corrcoef`, which returns 0 without a warning, and `cohen_kappa_score`" in TEXT
    assert "replace_undefined_by" in inspect.signature(cohen_kappa_score).parameters
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert matthews_corrcoef([0, 1], [0, 0]) == 0
    for function in (cohen_kappa_score, matthews_corrcoef):
        assert "zero_division" not in inspect.signature(function).parameters


def test_what_is_undefined_has_the_value_that_the_rule_gives():
    with_scikit_learn = {
        "normalized_mutual_information",
        "balanced_accuracy",
        "cohen_kappa",
        "optimized_precision",
    }
    for row in METRICS:
        worst = {"higher": 0, "lower": 1}.get(row.better)
        is_rate = row.range == "[0, 1]" or row.name in (
            "index_balanced_accuracy",
            "confusion_entropy",
        )
        by_chance = row.range in (
            "[-1, 1]",
            "(-inf, 1]",
            "[-1/3, 1]",
            "(-1, 1]",
            "[-1/(K-1), 1]",
            "[-inf, inf]",
        )
        by_rule = worst if is_rate else 0 if by_chance else None
        if row.name not in with_scikit_learn:
            assert np.isnan(row.undefined) if by_rule is None else row.undefined == by_rule, (
                row.name
            )
    assert "and for `optimized_precision`, and nan" in TEXT
    assert BY_NAME["optimized_precision"].undefined == 0


def test_each_sign_in_a_formula_is_explained():
    explained = re.findall(r"`([^`]+)`", "\n".join(LINES))
    known = {word for sign in explained for word in re.findall(r"[A-Za-z]\w*", sign)} | set(BY_NAME)
    words = (
        "mean of over the classes that occur in y_true nonempty rows columns min max sum sqrt i j k"
    )
    for row in METRICS:
        # What stands before "=" is defined there; an index after a word, as in sum_ij or mean_i, is
        # not a name.
        defined = set(re.findall(r"(\w+) =", row.text)) | set(words.split())
        used = set(
            re.findall(
                r"[A-Za-z]\w*", re.sub(r"\b(sum|mean|prod|max)_(\w+|\{.+?\})", r"\1", row.text)
            )
        )
        assert used - defined - known - {"prod", "ln"} == set(), row.name


# Edge cases.


def edge(text):
    """The labels of an example, and the value of each metric as it is written."""
    actual, predicted = (
        re.search(rf"^{who} +(.+)$", text, re.MULTILINE)[1].split()
        for who in ("actual", "predicted")
    )
    values = {}
    for head, names in re.findall(r"^- \*\*(.+?)\*\*: (.+)$", text, re.MULTILINE):
        for name in re.findall(r"`(\w+)`", names):
            assert name not in values, name
            values[name] = head
    return actual, predicted, values


_, *PARTS = re.split(r"^### (.+)\n", section(TEXT, "## Values in edge cases"), flags=re.MULTILINE)
EDGES = {heading: edge(text) for heading, text in zip(PARTS[::2], PARTS[1::2], strict=True)}
KNOWN = {
    heading: ["yes"] if heading == "Only this class occurs" else ["no", "yes"] for heading in EDGES
}
every_edge = pytest.mark.parametrize("heading", EDGES)


def as_written(value, undefined):
    text = f"{float(value) + 0.0:.3g}"
    return f"undefined, {text} by default" if undefined else text


def test_there_are_six_edges():
    assert list(EDGES) == [
        "The class is never predicted",
        "The class never occurs",
        "Only this class occurs",
        "The class neither occurs nor is predicted",
        "Every prediction is correct",
        "Every prediction is wrong",
    ]
    assert [(set(actual), set(predicted)) for actual, predicted, _ in EDGES.values()] == [
        ({"no", "yes"}, {"no"}),
        ({"no"}, {"no", "yes"}),
        ({"yes"}, {"yes"}),
        ({"no"}, {"no"}),
        ({"no", "yes"}, {"no", "yes"}),
        ({"no", "yes"}, {"no", "yes"}),
    ]
    assert EDGES["Every prediction is correct"][0] == EDGES["Every prediction is correct"][1]
    assert not set(zip(*EDGES["Every prediction is wrong"][:2], strict=True)) & {
        ("no", "no"),
        ("yes", "yes"),
    }


@every_edge
def test_edges_are_what_exact_fractions_give(heading):
    actual, predicted, written = EDGES[heading]
    labels = KNOWN[heading]
    samples = tally(*([int(label == "yes") for label in side] for side in (actual, predicted)))
    costs = (1 - np.eye(len(labels), dtype=int)).tolist()
    exact = {}
    for row in METRICS:
        parameters = parameters_of(row, threshold_probability=0.5, cost_matrix=costs)
        if row.has_average:
            expected = class_value(row.name, [samples.quad(1)], "binary", **parameters)
        else:
            expected = overall_value(row.name, samples.matrix([0, 1][-len(labels) :]), **parameters)
        exact[row.name] = as_written(*expected)
    assert written == exact


# Functions that return nan where the metric is undefined, and others that return a value as ours do
# by default.
NAN_IF_UNDEFINED = {
    "precision": scikit_learn_by_class("precision_score", labels=[1], zero_division=np.nan),
    "recall": scikit_learn_by_class("recall_score", labels=[1], zero_division=np.nan),
    "f1": scikit_learn_by_class("f1_score", labels=[1], zero_division=np.nan),
    "fbeta": scikit_learn_by_class("fbeta_score", labels=[1], beta=2, zero_division=np.nan),
    "cohen_kappa": scikit_learn("cohen_kappa_score"),
}
DEFAULTS = {
    "jaccard": scikit_learn_by_class("jaccard_score", labels=[1]),
    "specificity": imbalanced_learn("specificity_score", labels=[1], average=None),
    "g_mean": imbalanced_learn("geometric_mean_score", labels=[1], average=None),
    "accuracy": scikit_learn("accuracy_score"),
    "zero_one_loss": scikit_learn("zero_one_loss"),
    "hamming_loss": scikit_learn("hamming_loss"),
    "balanced_accuracy": scikit_learn("balanced_accuracy_score"),
    "matthews_corrcoef": scikit_learn("matthews_corrcoef"),
    "mutual_information": scikit_learn("mutual_info_score"),
    "normalized_mutual_information": scikit_learn("normalized_mutual_info_score"),
}


@every_edge
@pytest.mark.filterwarnings("ignore::UserWarning:sklearn", "ignore::RuntimeWarning:sklearn")
def test_edges_are_what_scikit_learn_and_imbalanced_learn_give(heading):
    actual, predicted, written = EDGES[heading]
    labels = [np.array([int(label == "yes") for label in side]) for side in (actual, predicted)]
    for name, library in NAN_IF_UNDEFINED.items():
        value = np.squeeze(quietly(library.values, *labels))
        undefined = bool(np.isnan(value))
        assert written[name] == as_written(
            BY_NAME[name].undefined if undefined else value, undefined
        ), name
    of_known = imbalanced_learn("geometric_mean_score", labels=[0, 1][-len(KNOWN[heading]) :])
    for name, library in (DEFAULTS | {"geometric_mean": of_known}).items():
        value = np.squeeze(quietly(library.values, *labels))
        assert (
            written[name].removeprefix("undefined, ").removesuffix(" by default") == f"{value:.3g}"
        ), name


# pycm takes no matrix of one class.
OF_TWO = [
    heading
    for heading, (actual, predicted, _) in EDGES.items()
    if {*actual, *predicted} == {"no", "yes"}
]
# It computes these from ratios that are undefined themselves, and takes the odds of a threshold,
# not the threshold.
OTHERWISE_IN_PYCM = {
    ("Every prediction is correct", "yule_q"),
    ("Every prediction is wrong", "diagnostic_odds_ratio"),
}
OTHERWISE_IN_PYCM |= {(heading, "net_benefit") for heading in OF_TWO}


@pytest.mark.parametrize("heading", OF_TWO)
def test_edges_are_what_pycm_gives(heading):
    actual, predicted, written = EDGES[heading]
    labels = [np.array([int(label == "yes") for label in side]) for side in (actual, predicted)]
    of_pycm = [
        (name, o)
        for name, metric in EXACT_METRICS.items()
        for o in metric.oracles
        if getattr(o, "name", "") == "pycm"
    ]
    compared = [
        (name, library) for name, library in of_pycm if (heading, name) not in OTHERWISE_IN_PYCM
    ]
    assert len(compared) > 40
    for name, library in compared:
        try:
            value = np.ravel(np.array(library.values(*labels), dtype=object))[-1]
        except TypeError:  # "None" times a unit
            value = "None"
        if value == "None":
            assert written[name].startswith("undefined") or written[name].endswith("inf"), name
        else:
            assert written[name] == as_written(value, undefined=False), name
