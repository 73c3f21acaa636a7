"""Reports: to the character scikit-learn's and imbalanced-learn's, and of any other metrics."""

import html
import pickle
import re
import tracemalloc
import warnings

import imblearn.metrics
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.metrics
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, classification_report, classification_report_imbalanced
from skmetrics_ext.catalogue.names import resolve
from tests.proportions import mid_p
from tests.shared import NAMES, indicators, labeled, quietly, weights, without

# Drawn labels of both sides may have none in common, which warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*none of which are in both")


def assert_same_dict(ours, theirs):
    assert list(ours) == list(theirs)
    for key, value in theirs.items():
        if isinstance(value, dict):
            assert_same_dict(ours[key], value)
        else:
            np.testing.assert_allclose(ours[key], value, rtol=1e-12, atol=1e-12, err_msg=key)


@settings(max_examples=4)
@given(data=st.data())
def test_classification_report_is_scikit_learns(data):
    y_true, y_pred, labels = data.draw(labeled())
    # Where no prediction is correct, scikit-learn prints the support as floats.
    assume((y_true == y_pred).any())
    options = {
        "labels": data.draw(st.none() | st.lists(st.sampled_from(labels), min_size=1, unique=True)),
        "sample_weight": data.draw(weights(len(y_true))),
        "digits": data.draw(st.integers(0, 4)),
        "zero_division": data.draw(st.sampled_from(["warn", 0, 1, np.nan])),
    }
    theirs = quietly(sklearn.metrics.classification_report, y_true, y_pred, **options)
    assert quietly(skmetrics_ext.classification_report, y_true, y_pred, **options) == theirs
    as_dict = quietly(
        sklearn.metrics.classification_report, y_true, y_pred, output_dict=True, **options
    )
    assert_same_dict(
        quietly(skmetrics_ext.classification_report, y_true, y_pred, output_dict=True, **options),
        as_dict,
    )


@settings(max_examples=4)
@given(data=st.data())
def test_multilabel_classification_report_is_scikit_learns(data):
    y_true, y_pred = data.draw(indicators())
    names = NAMES[: y_true.shape[1]]
    options = {"target_names": data.draw(st.sampled_from([None, names])), "zero_division": 0}
    theirs = sklearn.metrics.classification_report(y_true, y_pred, **options)
    assert skmetrics_ext.classification_report(y_true, y_pred, **options) == theirs


def test_classification_report_warns_once_per_metric():
    with pytest.warns(UndefinedMetricWarning) as caught:
        skmetrics_ext.classification_report([0, 1, 2], [0, 1, 1])
    assert [str(warning.message).split(" ")[0] for warning in caught] == ["precision"]


def silent(function, *args, **options):
    """The result, ignoring warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **options)


def test_target_names_that_do_not_match():
    with pytest.raises(ValueError, match="target_names has 1 names for 2 classes"):
        skmetrics_ext.classification_report([0, 1], [0, 1], target_names=["a"])
    with pytest.warns(UserWarning, match="target_names has 2 names for 1 classes"):
        skmetrics_ext.classification_report([0, 1], [0, 1], labels=[0], target_names=["a", "b"])
    # As many rows as fit together, as wide as the widest name.
    for labels, names in (([0], ["a", "a name that is wider than all"]), ([0, 1], ["a"])):
        options = {"labels": labels, "target_names": names}
        theirs = silent(sklearn.metrics.classification_report, [0, 1], [0, 1], **options)
        assert silent(skmetrics_ext.classification_report, [0, 1], [0, 1], **options) == theirs
    options = {"labels": [0], "target_names": ["a", "a name that is wider than all"]}
    theirs = silent(imblearn.metrics.classification_report_imbalanced, [0, 1], [0, 1], **options)
    assert (
        silent(skmetrics_ext.classification_report_imbalanced, [0, 1], [0, 1], **options) == theirs
    )


@settings(max_examples=4)
@given(data=st.data())
def test_imbalanced_report_is_imbalanced_learns(data):
    y_true, y_pred, _ = data.draw(labeled())
    assume((y_true == y_pred).any())
    options = {
        "digits": data.draw(st.integers(1, 4)),
        "alpha": data.draw(st.sampled_from([0.1, 0.5])),
    }
    theirs = quietly(imblearn.metrics.classification_report_imbalanced, y_true, y_pred, **options)
    ours = quietly(skmetrics_ext.classification_report_imbalanced, y_true, y_pred, **options)
    # Numbers that lie between two roundings may fall on either side.
    number = re.compile(r"\d\.\d+")
    assert number.sub("x.y", ours) == number.sub("x.y", theirs)
    values = [[float(value) for value in number.findall(text)] for text in (ours, theirs)]
    np.testing.assert_allclose(*values, rtol=0, atol=1.01 * 10.0 ** -options["digits"])
    as_dict = quietly(
        imblearn.metrics.classification_report_imbalanced,
        y_true,
        y_pred,
        output_dict=True,
        **options,
    )
    ours = quietly(
        skmetrics_ext.classification_report_imbalanced, y_true, y_pred, output_dict=True, **options
    )
    assert_same_dict(ours, as_dict)


def test_weights_are_handled_correctly_in_the_imbalanced_functions():
    y_true, y_pred = np.random.default_rng(0).integers(0, 3, (2, 60))
    constant = np.full(60, 0.2)
    for function in (
        skmetrics_ext.sensitivity_specificity_support,
        skmetrics_ext.geometric_mean_score,
        skmetrics_ext.macro_averaged_mean_absolute_error,
    ):
        unweighted, weighted = (
            function(y_true, y_pred),
            function(y_true, y_pred, sample_weight=constant),
        )
        if isinstance(weighted, tuple):
            unweighted, weighted = unweighted[:2], weighted[:2]
        np.testing.assert_allclose(weighted, unweighted, rtol=1e-12)
    report = skmetrics_ext.classification_report_imbalanced(
        y_true, y_pred, sample_weight=constant, output_dict=True
    )
    unweighted = skmetrics_ext.classification_report_imbalanced(y_true, y_pred, output_dict=True)
    for column in ("pre", "rec", "spe", "f1", "geo", "iba"):
        assert report[f"avg_{column}"] == pytest.approx(unweighted[f"avg_{column}"])


TREES = (
    ["ash", "oak", "elm", "oak", "ash", "elm", "oak"],
    ["ash", "oak", "oak", "oak", "elm", "elm", "ash"],
)


def test_any_metrics_are_columns_with_their_averages():
    report = classification_report(
        *TREES, metrics=["specificity", "npv", skmetrics_ext.jaccard_score], output_dict=True
    )
    functions = {
        "specificity": skmetrics_ext.specificity_score,
        "npv": skmetrics_ext.negative_predictive_value,
        "jaccard": skmetrics_ext.jaccard_score,
    }
    for head, function in functions.items():
        each = dict(zip(["ash", "elm", "oak"], function(*TREES, average=None), strict=True))
        averages = {
            f"{name} avg": function(*TREES, average=name) for name in ("micro", "macro", "weighted")
        }
        expected = {**each, **averages}
        assert {row: values[head] for row, values in report.items()} == pytest.approx(expected)
    assert {row: values["support"] for row, values in report.items()} == {
        "ash": 2,
        "elm": 2,
        "oak": 3,
        "micro avg": 7,
        "macro avg": 7,
        "weighted avg": 7,
    }


def test_metrics_over_all_classes_have_a_row_of_their_own():
    report = classification_report(*TREES, metrics=["recall", "mcc", "kappa"], output_dict=True)
    assert report["overall"] == pytest.approx(
        {
            "mcc": sklearn.metrics.matthews_corrcoef(*TREES),
            "kappa": sklearn.metrics.cohen_kappa_score(*TREES),
            "support": 7,
        }
    )
    assert set(report["ash"]) == {"recall", "support"}
    assert list(classification_report(*TREES, metrics=["mcc"], output_dict=True)) == [
        "ash",
        "elm",
        "oak",
        "overall",
    ]


def test_text_of_any_metrics_is_aligned_under_its_heads():
    text = classification_report(
        *TREES, metrics=["specificity", "one_vs_rest_balanced_accuracy", "mcc"], digits=3
    )
    head, _, *lines = text.splitlines()
    names = ["specificity", "one_vs_rest_balanced_accuracy", "mcc", "support"]
    assert head.split() == names
    ends = [head.index(f" {name}") + len(name) + 1 for name in names]
    for line in filter(None, lines):
        # The words of a line end where its name, its cells and its support do.
        cells = [match.end() for match in re.finditer(r"\S+", line[16:])]
        assert {16 + end for end in cells} <= set(ends)
    assert len({len(line) for line in [head, *lines] if line}) == 1


def test_a_matrix_replaces_both_arrays():
    cm = ConfusionMatrix.from_predictions(*TREES)
    assert classification_report(cm) == sklearn.metrics.classification_report(*TREES)
    options = {"labels": ["oak", "ash"], "target_names": ["Oak", "Ash"], "digits": 4}
    assert classification_report(cm, **options) == sklearn.metrics.classification_report(
        *TREES, **options
    )
    reordered = {"labels": ["oak", "elm", "ash"]}
    assert classification_report(cm, **reordered) == sklearn.metrics.classification_report(
        *TREES, **reordered
    )
    metrics = ["specificity", "mcc"]
    assert classification_report(cm, metrics=metrics) == classification_report(
        *TREES, metrics=metrics
    )


@given(data=st.data())
def test_weighted_matrices_give_the_report_of_the_weighted_arrays(data):
    y_true, y_pred, _ = data.draw(labeled())
    sample_weight = data.draw(weights(len(y_true)))
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=sample_weight)
    expected = quietly(
        classification_report, y_true, y_pred, sample_weight=sample_weight, output_dict=True
    )
    assert_same_dict(quietly(classification_report, cm, output_dict=True), expected)


@pytest.mark.parametrize("installed", [pd, pl], ids=["pandas", "polars"])
def test_frames_are_of_the_installed_library(installed, monkeypatch):
    if installed is pl:
        without(monkeypatch, "pandas")
    report = classification_report(*TREES)
    frame = report.to_frame()
    assert isinstance(frame, installed.DataFrame)
    assert isinstance(pickle.loads(pickle.dumps(report)).to_frame("polars"), pl.DataFrame)
    columns = {name: list(frame[name]) for name in frame.columns}
    assert list(columns) == ["class", "precision", "recall", "f1-score", "support"]
    assert columns["class"] == ["ash", "elm", "oak", "accuracy", "macro avg", "weighted avg"]
    assert columns["support"] == [2, 2, 3, 7, 7, 7]
    theirs = sklearn.metrics.classification_report(*TREES, output_dict=True)
    for k, name in enumerate(columns["class"]):
        if name == "accuracy":
            assert columns["f1-score"][k] == pytest.approx(theirs["accuracy"])
            assert columns["recall"][k] is None or np.isnan(columns["recall"][k])
        else:
            assert columns["recall"][k] == pytest.approx(theirs[name]["recall"])


def test_notebooks_show_the_report_as_a_table_with_escaped_names():
    report = classification_report(["<b>", "a&b"], ["<b>", "<b>"], zero_division=0)
    table = report._repr_html_()
    assert table.startswith("<table>")
    assert "<th>&lt;b&gt;</th><td>0.50</td><td>1.00</td><td>0.67</td><td>1</td>" in table
    assert "a&amp;b" in table
    assert "<b>" not in table
    assert "<th>accuracy</th><td></td><td></td><td>0.50</td><td>2</td>" in table
    assert pickle.loads(pickle.dumps(report))._repr_html_() == table
    assert "<caption" not in table
    assert isinstance(report, str)
    assert report == sklearn.metrics.classification_report(
        ["<b>", "a&b"], ["<b>", "<b>"], zero_division=0
    )


def test_each_table_of_a_report_with_limits_says_their_level():
    y = ["no", "yes"] * 20
    report = classification_report(y, y, metrics=["recall"], confidence_level=0.9)
    said = "90 % confidence intervals"
    assert f">{said}</div></caption>" in report._repr_html_()
    assert report.to_table().title == said
    copied = pickle.loads(pickle.dumps(report))
    assert copied.to_table() == report.to_table()


def test_multilabel_reports_have_an_average_over_samples():
    y_true, y_pred = np.array([[1, 0], [1, 1], [0, 1]]), np.array([[1, 1], [0, 1], [0, 1]])
    report = classification_report(
        y_true, y_pred, metrics=["recall", "specificity"], output_dict=True, zero_division=1
    )
    for name in ("micro", "macro", "weighted", "samples"):
        expected = sklearn.metrics.recall_score(y_true, y_pred, average=name, zero_division=1)
        assert report[f"{name} avg"]["recall"] == pytest.approx(expected)


def test_classes_named_as_the_averages_keep_their_values():
    y_true, y_pred = ["accuracy", "b", "accuracy"], ["accuracy", "b", "b"]
    report = classification_report(y_true, y_pred, metrics=["npv"], output_dict=True)
    assert report["accuracy"]["npv"] == 0.5


def test_a_report_of_many_classes_builds_no_matrix():
    y_true = np.arange(4_000)
    tracemalloc.start()
    report = classification_report(y_true, y_true, output_dict=True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert report["accuracy"] == 1
    assert len(report) == 4_003
    assert peak < 4_000**2  # a byte a cell


def test_undefined_columns_warn_once_and_have_the_value_of_their_metric():
    with pytest.warns(UndefinedMetricWarning, match="fdr is undefined") as caught:
        report = classification_report([0, 1, 1], [0, 0, 0], metrics=["fdr"], output_dict=True)
    assert len(caught) == 1
    assert report["1"]["fdr"] == 1


CM = ConfusionMatrix.from_predictions([0, 1], [0, 1])


@pytest.mark.parametrize(
    ("args", "options", "message"),
    [
        (([0, 1], [0, 1]), {"metrics": []}, "metrics is empty"),
        (
            ([0, 1], [0, 1]),
            {"metrics": {"recall"}},
            r"such as \['f1', 'recall'\], or a dict of key to metric; got {'recall'}",
        ),
        (
            ([0, 1], [0, 1]),
            {"metrics": ["recall_macro"]},
            "specifies an average, but a report includes all averages: pass 'recall'",
        ),
        (
            ([0, 1], [0, 1]),
            {"metrics": ["fbeta"]},
            "needs the parameter 'beta', which can't be passed in a report",
        ),
        (([0, 1], [0, 1]), {"metrics": ["npv", "npv"]}, "has 'npv' twice"),
        (([0, 1], [0, 1]), {"metrics": ["recal"]}, "Did you mean 'recall'"),
        (
            ([0, 1], [0, 1]),
            {"metrics": ["mcc"], "labels": [0]},
            r"can't be computed from only the labels \[0\]",
        ),
        (
            ([[0, 1], [1, 1]], [[0, 1], [1, 0]]),
            {"metrics": ["mcc"]},
            "can't be computed from multilabel data",
        ),
        ((CM, [0, 1]), {}, "replaces y_true, y_pred and sample_weight"),
        ((CM,), {"sample_weight": [1, 1]}, "replaces y_true, y_pred and sample_weight"),
        ((CM,), {"labels": [0, 7]}, r"labels=\[7\].*not among.*\[0, 1\]"),
        (
            (ConfusionMatrix.from_predictions([0, 1], [0, 1], by=[1, 2]),),
            {},
            r"pool them with sum\('group'\), or .* sel\(group=",
        ),
    ],
)
def test_mistakes_are_named(args, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        classification_report(*args, **options)


def test_a_dict_loses_no_class_that_is_named_as_an_average():
    y = ["accuracy", "b", "accuracy"]
    with pytest.raises(
        ValueError, match=r"two rows of the report are named 'accuracy'.*with target_names="
    ):
        classification_report(y, y, output_dict=True)
    report = classification_report(y, y, output_dict=True, target_names=["a", "b"])
    assert report["a"]["support"] == 2


def test_a_dict_of_the_imbalanced_report_loses_no_class_either():
    with pytest.raises(ValueError, match="the class name 'total_support' is also that of a total"):
        skmetrics_ext.classification_report_imbalanced(
            ["total_support", "x"], ["x", "x"], output_dict=True, zero_division=0
        )


def test_alphabetical_order_is_not_an_order_for_a_report():
    y_true, y_pred = ["low", "high", "mid", "low", "high"], ["low", "mid", "mid", "high", "high"]
    options = {"metrics": ["recall", "gerrity"], "output_dict": True}
    for data in (
        (y_true, y_pred),
        (skmetrics_ext.ConfusionMatrix.from_predictions(y_true, y_pred),),
    ):
        with pytest.raises(ValueError, match="metric depends"):
            skmetrics_ext.classification_report(*data, **options)
        for order in (["low", "mid", "high"], ["high", "mid", "low"]):
            report = skmetrics_ext.classification_report(*data, labels=order, **options)
            expected = skmetrics_ext.gerrity_score(y_true, y_pred, labels=order)
            assert report["overall"]["gerrity"] == pytest.approx(expected, rel=1e-14)
    alphabetical = skmetrics_ext.classification_report(
        y_true, y_pred, labels=["high", "low", "mid"], **options
    )
    assert alphabetical["overall"]["gerrity"] == skmetrics_ext.gerrity_score(
        y_true, y_pred, labels=["high", "low", "mid"]
    )


def test_support_of_float_weights_is_rounded_and_stays_in_its_column():
    weights = np.array([0.1, 0.2, 0.3, 0.7]) * 1e9
    text = classification_report(
        [0, 1, 2, 0], [0, 1, 1, 0], sample_weight=[0.1, 0.2, 0.3, 0.7], zero_division=0
    )
    assert [line.split()[-1] for line in text.splitlines() if line.strip()][1:4] == [
        "0.8",
        "0.2",
        "0.3",
    ]
    text = classification_report(
        [0, 1, 2, 0], [0, 1, 1, 0], sample_weight=weights + 0.123456, zero_division=0
    )
    lines = [line for line in text.splitlines() if line.strip()]
    assert lines[1].split()[-1] == "800000000.25"
    assert len({len(line) for line in lines}) == 1
    report = classification_report(
        [0, 1, 2, 0], [0, 1, 1, 0], sample_weight=weights, zero_division=0, output_dict=True
    )
    assert report["0"]["support"] == weights[0] + weights[3]


@pytest.mark.parametrize("report", [classification_report, classification_report_imbalanced])
@pytest.mark.parametrize(
    ("weights", "shown"),
    [
        ([0.001, 0.002, 0.001], ["0.001", "0.003", "0.004"]),
        ([0.25, 0.5, 0.25], ["0.25", "0.75", "1.0"]),
        ([1e-9, 1.23456789, 1e-9], ["1e-09", "1.23", "1.23"]),
        ([1e20, 2e20, 0.0], ["1e+20", "2e+20", "3e+20"]),
    ],
)
def test_small_weights_are_not_rounded_away(report, weights, shown):
    text = report([0, 1, 1], [0, 1, 0], sample_weight=weights)
    found = [line.split()[-1] for line in text.splitlines() if line.strip()]
    assert [*found[1:3], found[-1]] == shown


def test_control_characters_of_names_are_escaped_only_in_the_text():
    y_true, y_pred = ["a\nb", "c\x1b[0m", "c\x1b[0m"], ["a\nb", "a\nb", "c\x1b[0m"]
    for report in (classification_report, classification_report_imbalanced):
        text = report(y_true, y_pred)
        assert text.isascii()
        assert "\x1b" not in text
        headers = [line.split()[0] for line in text.splitlines() if line.strip()]
        assert headers[1:3] == [r"a\nb", r"c\x1b[0m"]
    assert "a\nb" in classification_report(y_true, y_pred, output_dict=True)


@pytest.mark.parametrize("report", [classification_report, classification_report_imbalanced])
def test_digits_are_a_whole_number(report):
    for digits in (-1, "a", 1.0, None):
        with pytest.raises(ValueError, match=f"digits.*integer >= 0; got {digits!r}"):
            report([0, 1], [0, 1], digits=digits)
    assert " 0.500 " in report([0, 1, 0, 1], [0, 1, 1, 0], digits=np.int64(3))


@pytest.mark.parametrize("report", [classification_report, classification_report_imbalanced])
def test_names_may_come_from_a_generator(report):
    assert report([0, 1], [0, 1], target_names=(name for name in "ab")) == report(
        [0, 1], [0, 1], target_names=["a", "b"]
    )


@pytest.mark.parametrize("names", [["a"], ["a", "b", "c"]])
@pytest.mark.parametrize("options", [{}, {"labels": [0, 1]}])
@pytest.mark.parametrize("report", [classification_report, classification_report_imbalanced])
def test_names_of_a_wrong_number_say_both_numbers(report, options, names):
    message = f"target_names has {len(names)} names for 2 classes"
    for output in ({}, {"output_dict": True}):
        if options:
            with pytest.warns(UserWarning, match=message):
                report([0, 1], [0, 1], target_names=names, **options, **output)
        else:
            with pytest.raises(ValueError, match=message):
                report([0, 1], [0, 1], target_names=names, **output)


def test_zero_division_counts_in_every_column_of_the_imbalanced_report():
    options = {"zero_division": 1, "output_dict": True}
    ours = classification_report_imbalanced([0], [0], **options)["0"]
    theirs = silent(imblearn.metrics.classification_report_imbalanced, [0], [0], **options)["0"]
    assert [ours[column] for column in ("pre", "rec", "f1")] == [
        theirs[column] for column in ("pre", "rec", "f1")
    ]
    assert [ours[column] for column in ("spe", "geo", "iba")] == [1, 1, 1]
    assert [theirs[column] for column in ("spe", "geo", "iba")] == [0, 0, 0]


# Confidence limits.


def drawn_labels(n_classes=3, n_samples=200, seed=0):
    random = np.random.default_rng(seed)
    names = np.array(["ash", "elm", "oak", "yew"][:n_classes])
    y_true = random.integers(0, n_classes, n_samples)
    y_pred = np.where(
        random.random(n_samples) < 0.7, y_true, random.integers(0, n_classes, n_samples)
    )
    return names[y_true], names[y_pred]


def limits_in(values, metric):
    return values[f"{metric}_low"], values[f"{metric}_high"]


def test_limits_of_proportions_are_those_of_mid_p():
    y_true, y_pred = drawn_labels()
    report = classification_report(
        y_true, y_pred, output_dict=True, confidence_level=0.9, random_state=0
    )
    for name in ("ash", "elm", "oak"):
        right = int(((y_true == name) & (y_pred == name)).sum())
        for metric, of in (("recall", y_true), ("precision", y_pred)):
            expected = mid_p(right, int((of == name).sum()), 0.1)
            assert limits_in(report[name], metric) == pytest.approx(tuple(expected))
    expected = mid_p(int((y_true == y_pred).sum()), 200, 0.1)
    assert limits_in(report, "accuracy") == pytest.approx(tuple(expected))
    assert list(report)[3:] == [
        "accuracy",
        "accuracy_low",
        "accuracy_high",
        "macro avg",
        "weighted avg",
    ]
    assert list(report["ash"]) == [
        "precision",
        "precision_low",
        "precision_high",
        "recall",
        "recall_low",
        "recall_high",
        "f1-score",
        "f1-score_low",
        "f1-score_high",
        "support",
    ]


@pytest.mark.parametrize(
    ("labels", "metric"), [(["oak", "ash"], "g_mean"), (["oak", "elm", "ash"], "specificity")]
)
def test_limits_are_those_of_the_matrix(labels, metric):
    y_true, y_pred = drawn_labels()
    # Replicates are resampled in the order of the classes.
    order = labels if len(labels) == 3 else None
    in_order, as_sorted = (
        ConfusionMatrix.from_predictions(y_true, y_pred, labels=names) for names in (order, None)
    )
    averages = ["micro", "macro", "worst"]
    options = {"metrics": [metric], "averages": averages, "labels": labels, "random_state": 1}
    for data, cm in (((y_true, y_pred), in_order), ((as_sorted,), as_sorted)):
        report = classification_report(*data, output_dict=True, confidence_level=0.95, **options)
        each = cm.interval(metric, average=None, labels=labels, random_state=1)
        for k, name in enumerate(labels):
            assert limits_in(report[name], metric) == (each.low[k], each.high[k])
        for average in averages:
            # All classes are covered in whichever order; for the worst, each class is resampled.
            some = labels if len(labels) == 2 or average == "worst" else None
            pooled = cm.interval(metric, average=average, labels=some, random_state=1)
            found = limits_in(report[f"{average} avg"], metric)
            assert found == pytest.approx((pooled.low, pooled.high), rel=1e-12)


@pytest.mark.parametrize(
    "labels", [None, ["oak", "ash"], pytest.param(["oak", "elm", "ash"], marks=pytest.mark.slow)]
)
def test_limits_of_weighted_labels_are_those_of_the_matrix(labels):
    """The slow one has all classes in another order."""
    y_true, y_pred = drawn_labels()
    weights = np.random.default_rng(3).gamma(2, size=len(y_true))
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=weights)
    options = {"averages": ["micro", "macro"], "metrics": ["precision", "g_mean"]}
    options |= {"labels": labels, "confidence_level": 0.9, "output_dict": True, "random_state": 1}
    for report in (
        classification_report(y_true, y_pred, sample_weight=weights, **options),
        classification_report(cm, **options),
    ):
        for metric in ("precision", "g_mean"):
            asked = {"labels": labels, "confidence_level": 0.9, "random_state": 1}
            each = cm.interval(metric, average=None, **asked)
            for k, name in enumerate(labels or ["ash", "elm", "oak"]):
                expected = pytest.approx((each.low[k], each.high[k]), rel=1e-9)
                assert limits_in(report[name], metric) == expected
            for average in ("micro", "macro"):
                pooled = cm.interval(metric, average=average, **asked)
                found = limits_in(report[f"{average} avg"], metric)
                assert found == pytest.approx((pooled.low, pooled.high), rel=1e-9)


def test_equal_weights_give_the_report_of_samples():
    y_true, y_pred = drawn_labels()
    options = {"confidence_level": 0.9, "random_state": 0, "digits": 4}
    expected = classification_report(y_true, y_pred, **options)
    found = classification_report(y_true, y_pred, sample_weight=np.full(200, 0.25), **options)
    of_rows = [[line.split() for line in str(text).splitlines()] for text in (expected, found)]
    # The support is the sum of weights.
    without_support = [[line[:-1] for line in lines if len(line) > 2] for lines in of_rows]
    assert without_support[0] == without_support[1]


def test_metrics_over_all_classes_have_limits():
    y_true, y_pred = drawn_labels()
    options = {"metrics": ["recall", "mcc", "gerrity"], "labels": ["oak", "elm", "ash"]}
    report = classification_report(
        y_true, y_pred, output_dict=True, confidence_level=0.95, random_state=2, **options
    )
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, labels=["oak", "elm", "ash"])
    for metric, order in (("mcc", None), ("gerrity", ["oak", "elm", "ash"])):
        interval = cm.interval(metric, labels=order, random_state=2)
        assert limits_in(report["overall"], metric) == pytest.approx((interval.low, interval.high))
    assert "recall_low" not in report["overall"]
    assert "mcc_low" not in report["oak"]


def test_values_are_the_same_with_limits():
    y_true, y_pred = drawn_labels()
    without_limits = classification_report(y_true, y_pred, output_dict=True)
    report = classification_report(
        y_true, y_pred, output_dict=True, confidence_level=0.95, random_state=0
    )
    for name, values in without_limits.items():
        if name == "accuracy":
            assert report[name] == values
        else:
            assert {key: report[name][key] for key in values} == values


@pytest.mark.parametrize("digits", [pytest.param(2, marks=pytest.mark.slow), 4])
def test_the_text_shows_aligned_limits(digits):
    """The slow one has as many digits as by default."""
    y_true, y_pred = drawn_labels()
    options = {"confidence_level": 0.95, "random_state": 0}
    text = classification_report(y_true, y_pred, digits=digits, **options)
    report = classification_report(y_true, y_pred, output_dict=True, **options)
    shown = f"{report['elm']['recall']:.{digits}f} ({report['elm']['recall_low']:.{digits}f}-"
    (line,) = [line for line in text.splitlines() if line.split()[:1] == ["elm"]]
    assert shown + f"{report['elm']['recall_high']:.{digits}f})" in line
    assert f"{report['accuracy']:.{digits}f} ({report['accuracy_low']:.{digits}f}-" in text
    lines = [line for line in text.splitlines() if line]
    assert len({len(line) for line in lines}) == 1
    places = [[match.start() for match in re.finditer(r"\d\.\d+ \(", line)] for line in lines[1:]]
    assert len(set(map(tuple, places))) == 2  # those of the accuracy are the last of all others
    assert f"<td>{shown}" in text._repr_html_()


def test_negative_limits_are_separated_by_a_word():
    cm = ConfusionMatrix.from_counts([[10, 12], [11, 9]], labels=["a", "b"])
    text = classification_report(cm, metrics=["mcc"], confidence_level=0.95, random_state=0)
    interval = cm.interval("mcc", random_state=0)
    assert interval.low < 0 < interval.high
    assert f"{interval.value:.2f} ({interval.low:.2f} to {interval.high:.2f})" in text


def test_limits_of_multilabel_data_are_those_of_each_label():
    y_true, y_pred = np.random.default_rng(0).integers(0, 2, (2, 60, 3))
    options = {"zero_division": 0, "confidence_level": 0.95}
    report = classification_report(y_true, y_pred, output_dict=True, **options)
    each = ConfusionMatrix.from_predictions(y_true, y_pred).interval("f1", average=None)
    for k in range(3):
        assert limits_in(report[str(k)], "f1-score") == pytest.approx((each.low[k], each.high[k]))
    for name in ("micro", "macro", "weighted", "samples"):
        assert np.isnan(limits_in(report[f"{name} avg"], "recall")).all()
    text = classification_report(y_true, y_pred, **options)
    lines = [line for line in text.splitlines() if line]
    assert all("(" not in line for line in lines if " avg " in line)
    # Values without limits are aligned with those that have them.
    first = lines[1].index(f"{report['0']['precision']:.2f} (")
    assert all(re.match(r"\d\.\d\d ", line[first:]) for line in lines[1:])


@pytest.mark.parametrize("installed", [pd, pl], ids=["pandas", "polars"])
def test_frames_have_columns_of_limits(installed, monkeypatch):
    if installed is pl:
        without(monkeypatch, "pandas")
    y_true, y_pred = drawn_labels()
    options = {"metrics": ["recall", "mcc"], "confidence_level": 0.95, "random_state": 0}
    frame = classification_report(y_true, y_pred, **options).to_frame()
    report = classification_report(y_true, y_pred, output_dict=True, **options)
    assert list(frame.columns) == [
        "class",
        "recall",
        "recall_low",
        "recall_high",
        "mcc",
        "mcc_low",
        "mcc_high",
        "support",
    ]
    for column in frame.columns[1:]:
        for name, value in zip(frame["class"], frame[column], strict=True):
            expected = report[name].get(column)
            assert (value is None or np.isnan(value)) if expected is None else value == expected


def test_classes_that_are_undefined_have_limits_and_their_averages_a_warning():
    y_true, y_pred = ["a", "b", "c", "a", "b"] * 8, ["a", "b", "a", "a", "b"] * 8
    with pytest.warns() as caught:
        report = classification_report(
            y_true, y_pred, output_dict=True, confidence_level=0.95, random_state=0
        )
    assert limits_in(report["c"], "precision") == (0, 1)
    messages = [
        str(warning.message) for warning in caught if warning.category is UndefinedMetricWarning
    ]
    assert len(messages) == 1
    assert any("the confidence limits exclude them" in str(warning.message) for warning in caught)


@pytest.mark.filterwarnings("ignore:.* is based on too few samples")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence_level": 95}, "confidence_level must be at least 0.5 and below 1; got 95"),
        ({"random_state": "a"}, "random_state must be"),
        (
            {"target_names": ["accuracy_low", "b"], "output_dict": True},
            "two rows of the report are named 'accuracy_low'",
        ),
    ],
)
def test_mistakes_about_limits_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        classification_report(
            [0, 1, 1, 0], [0, 1, 0, 0], **{"confidence_level": 0.95, "random_state": 0, **options}
        )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("metric", ["recall", "f1", "matthews_corrcoef", "informedness"])
@pytest.mark.parametrize("n", [1, 40])
def test_a_report_shows_the_caveats_of_the_matrix(metric, n):
    """In its text, its page and its table, each at its cell; few samples or many."""
    cm = ConfusionMatrix.from_counts(n * np.array([[6, 1], [1, 2]]), labels=["no", "yes"])
    average = {"average": None} if resolve(metric)[0].has_average else {}
    caveats = cm.interval(metric, **average).caveats
    report = classification_report(
        cm, metrics=[metric], averages=["macro"], confidence_level=0.95, zero_division=np.nan
    )
    texts = [caveat.text for caveat in caveats]
    if average:
        texts += [caveat.text for caveat in cm.interval(f"{metric}_macro").caveats]
    assert report.notes == tuple(f"* {text}" for text in dict.fromkeys(texts))
    assert report.to_table().notes == report.notes
    for shown in (str(report), html.unescape(report._repr_html_())):
        assert all(note in shown for note in report.notes)
    marks = [" *" in row[1] for row in report.to_table().rows]
    assert any(marks) == bool(texts)
    lines = [line for line in str(report).splitlines()[1:] if line and line[0] == " "]
    assert [" * " in line for line in lines] == marks


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("weights", [None, np.tile([0.5, 2.0, 1.0], 40)], ids=["", "weighted"])
def test_limits_of_classes_in_a_declared_order_are_those_of_the_matrix(weights):
    random = np.random.default_rng(0)
    levels = np.array(["low", "mid", "high"])
    y = random.integers(0, 3, 120)
    pred = np.where(random.random(120) < 0.7, y, random.integers(0, 3, 120))
    declared = [pd.Categorical(levels[of], categories=levels, ordered=True) for of in (y, pred)]
    cm = ConfusionMatrix.from_predictions(*declared, sample_weight=weights)
    options = {"metrics": ["gerrity", "mcc", "f1"], "confidence_level": 0.95, "output_dict": True}
    report = classification_report(*declared, sample_weight=weights, **options)
    of_matrix = classification_report(cm, **options)
    for name in ("overall", "macro avg", "low", "high"):
        assert report[name] == pytest.approx(of_matrix[name], nan_ok=True)
    for metric in ("gerrity", "mcc"):
        interval = cm.interval(metric)
        ends = report["overall"][f"{metric}_low"], report["overall"][f"{metric}_high"]
        assert ends == (interval.low, interval.high)
