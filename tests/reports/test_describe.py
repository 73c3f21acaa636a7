"""Descriptions of a metric, by all of its names."""

import re
import subprocess
import sys
import warnings

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, describe, f1_score, sensitivity_score
from skmetrics_ext.catalogue.rows import METRICS
from tests.shared import for_each, parameters_of

every_row = for_each("row", METRICS)
Y_TRUE, Y_PRED = [0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 0, 1, 1, 1]


def described(capsys, metric):
    assert describe(metric) is None
    return capsys.readouterr().out


def fields(text):
    """The names on the left, with the text to the right of them."""
    found = re.findall(r"^(\S[\w/ ]{0,10}?) {2,}(\S.*(?:\n {12}.*)*)", text, re.MULTILINE)
    return {name: " ".join(said.split()) for name, said in found}


@pytest.mark.parametrize(
    ("metric", "name", "function", "scorer", "matrix"),
    [
        ("recall", "recall", "recall_score(y_true, y_pred)", "recall", "recall"),
        ("tpr", "recall", "recall_score(y_true, y_pred)", "tpr", "tpr"),
        (
            "recall_macro",
            "recall",
            'recall_score(y_true, y_pred, average="macro")',
            "recall_macro",
            "recall_macro",
        ),
        ("fpr", "false_positive_rate", "false_positive_rate(y_true, y_pred)", "neg_fpr", "fpr"),
        ("neg_fpr", "false_positive_rate", "false_positive_rate(y_true, y_pred)", "neg_fpr", "fpr"),
        (
            "neg_fpr_worst",
            "false_positive_rate",
            'false_positive_rate(y_true, y_pred, average="worst")',
            "neg_fpr_worst",
            "fpr_worst",
        ),
        (f1_score, "f1", "f1_score(y_true, y_pred)", "f1", "f1"),
        (sensitivity_score, "recall", "recall_score(y_true, y_pred)", "recall", "recall"),
        ("IoU", "jaccard", "jaccard_score(y_true, y_pred)", "iou", "iou"),
        ("Neg_FPR", "false_positive_rate", "false_positive_rate(y_true, y_pred)", "neg_fpr", "fpr"),
        ("kappa", "cohen_kappa", "cohen_kappa_score(y1, y2)", "kappa", "kappa"),
    ],
)
def test_every_name_leads_to_the_metric_and_to_calls(
    capsys, metric, name, function, scorer, matrix
):
    text = described(capsys, metric)
    assert text.splitlines()[0] == name
    said = fields(text)
    assert said["function"] == function
    assert said["scorer"] == f'get_scorer("{scorer}")'
    assert said["matrix cm"] == f'cm.score("{matrix}")'


@pytest.mark.parametrize("metric", ["npv_samples", "neg_fpr_samples"])
def test_an_average_over_samples_is_only_called_with_labels(capsys, metric):
    said = fields(described(capsys, metric))
    assert said["scorer"] == f'get_scorer("{metric}")'
    assert 'average="samples"' in said["function"]
    assert "matrix cm" not in said
    with pytest.raises(ValueError, match="needs the labels of each sample"):
        ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED).score(metric.removeprefix("neg_"))


@every_row
def test_a_metric_is_described_in_narrow_lines(capsys, row):
    text = described(capsys, row.name)
    assert max(map(len, text.splitlines())) <= 78
    on_one_line = " ".join(text.split())
    assert row.text in on_one_line
    for paragraph in ("Use it ", "Pitfall: "):
        assert text.count(f"\n\n{paragraph}") == 1
    said = fields(text)
    assert said["value"].startswith(f"In {row.range}; ")
    assert said["source"] == row.source
    assert said.get("aliases", "") == ", ".join(row.aliases)
    assert "parameters" in said or not row.parameters
    assert (
        "binary (the class pos_label), macro, micro, weighted, samples" in said["averages"]
    ) == row.has_average
    assert ("worst" in said["averages"]) == (row.has_average and row.better != "neither")
    # Without zero_division the Returns section has the value for 0/0.
    undefined = said.get("0/0", said["value"])
    assert re.search(rf"\b{row.undefined:g}\b|never", undefined, re.IGNORECASE)


@every_row
def test_calls_work_and_agree(capsys, row):
    said = fields(described(capsys, row.name))
    names = {**vars(skmetrics_ext), "cm": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)}
    names |= dict.fromkeys(("y_true", "y1"), Y_TRUE) | dict.fromkeys(("y_pred", "y2"), Y_PRED)
    given = parameters_of(row, threshold_probability=0.2, cost_matrix=1 - np.eye(2))
    needed = [name for name in given if f"{name}=..." in said["function"]]
    assert needed == row.required
    calls = {name: said[name] for name in ("function", "scorer", "matrix cm")}
    for name in needed:
        calls = {
            kind: call.replace(f"{name}=...", f"{name}=given[{name!r}]")
            for kind, call in calls.items()
        }
    of_labels, scorer, of_matrix = (
        eval(call, {**names, "given": given}) for call in calls.values()
    )
    assert of_labels == pytest.approx(of_matrix, rel=1e-12)
    assert callable(scorer)


@pytest.mark.parametrize(
    ("metric", "advice"),
    [
        ("recal", "Did you mean 'recall'"),
        ("neg_recall", "Did you mean 'recall'"),
        ("neg_fals_positive_rate", "Did you mean 'false_positive_rate'"),
        ("f1_score", "It is the name of a function; its metric is 'f1'"),
        (
            "roc_auc",
            r"ThresholdCurve.from_scores\(y_true, y_score\)\.roc_auc\(\).*get_scorer\('roc_auc'\)",
        ),
        ("neg_log_loss", "It is a scikit-learn scorer"),
        (None, "pass a name such as 'recall'"),
        (lambda cm: cm.score("recall"), "describe is for this package's metrics"),
    ],
    ids=["misspelt", "neg_", "misspelt neg_", "function", "scorer", "neg_ scorer", "None", "own"],
)
def test_an_unknown_metric_is_answered_with_advice(metric, advice):
    with pytest.raises(ValueError, match=advice):
        describe(metric)


def test_what_0_over_0_gives_is_what_happens(capsys):
    said = fields(described(capsys, "fdr"))["0/0"]
    assert (
        said
        == "1, with a warning (a class that is never predicted); zero_division= sets a different "
        "value."
    )
    with pytest.warns(UndefinedMetricWarning):
        assert skmetrics_ext.false_discovery_rate([0, 1], [0, 0]) == 1
    said = fields(described(capsys, "prevalence"))["0/0"]
    assert said == "never, since there is at least one sample"
    assert "0 where it is undefined" in fields(described(capsys, "mcc"))["value"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert skmetrics_ext.matthews_corrcoef([0, 1], [0, 0]) == 0


@pytest.mark.slow
def test_without_docstrings_the_rest_is_said():
    """Nothing else runs under -OO, where Python compiles all packages anew."""
    code = "from skmetrics_ext import describe; describe('npv')"
    text = subprocess.run(
        [sys.executable, "-OO", "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert "\n\ntn / (tn + fn).\n\n" in text
    said = fields(text)
    assert said["value"] == "In [0, 1]; higher is better."
    assert said["0/0"] == "0, with a warning; zero_division= sets a different value."
    assert said["scorer"] == 'get_scorer("npv")'
    assert "docstring, which Python strips under -OO" in " ".join(text.split())


@pytest.mark.parametrize("is_each", [False, pytest.param(True, marks=pytest.mark.slow)])
@every_row
def test_methods_are_those_of_intervals_and_all_that_it_names_apply(row, is_each, capsys):
    """The slow one asks for each of them, not one of each metric."""
    defaults, _, taken = fields(described(capsys, row.name))["interval"].partition(
        "; method= takes "
    )
    cm = ConfusionMatrix.from_counts([[50, 20], [10, 40]], labels=[0, 1], pos_label=1)
    options = {"n_resamples": 100, **parameters_of(row)}
    shown = cm.interval(row.name, **options).method
    assert defaults.startswith(shown.removesuffix(" for each class"))
    methods = taken.split(", ")
    place = METRICS.index(row) % len(methods)
    for method in methods if is_each else methods[place : place + 1]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cm.interval(row.name, method=method, **options)
