"""Curves, intervals and comparisons in notebooks: a parser reads them back, all names escaped."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.linear_model import LogisticRegression

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    ThresholdCurves,
    compare,
    cross_val_threshold_curves,
)


def read_table(html):
    """The caption and the rows of text of a table, which must be well-formed."""
    table = ET.fromstring(html)
    rows = [[cell.text or "" for cell in row] for row in table.iter("tr")]
    return table.findtext("caption/div"), rows


def test_a_curve_has_counts_and_rates_at_its_thresholds():
    curve = ThresholdCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    caption, rows = read_table(curve._repr_html_())
    assert caption == repr(curve)
    assert rows == [
        ["threshold", "tp", "fp", "fn", "tn", "precision", "recall"],
        ["0.8", "1", "0", "1", "2", "1.000", "0.500"],
        ["0.4", "1", "1", "1", "1", "0.500", "0.500"],
        ["0.35", "2", "1", "0", "1", "0.667", "1.000"],
        ["0.1", "2", "2", "0", "0", "0.500", "1.000"],
    ]


def test_of_many_thresholds_some_are_shown_from_the_first_to_the_last():
    scores = np.linspace(0, 1, 500)
    _, rows = read_table(ThresholdCurve.from_scores(scores > 0.5, scores)._repr_html_())
    shown = [float(row[0]) for row in rows[1:]]
    assert len(shown) == 10
    assert (shown[0], shown[-1]) == (1, 0)
    np.testing.assert_allclose(np.diff(shown), -1 / 9, atol=0.01)


def test_what_is_undefined_is_blank_and_warns_of_nothing():
    _, rows = read_table(ThresholdCurve.from_scores([0, 0], [0.1, 0.7], pos_label=1)._repr_html_())
    assert [row[-1] for row in rows[1:]] == ["", ""]


def test_curves_have_a_row_each_with_their_samples_and_areas():
    y_true = ["<b>", "<b>", "a&c", "x\ny"]
    scores = np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.4, 0.5, 0.1], [0.1, 0.1, 0.8]])
    curves = ThresholdCurves.from_scores(y_true, scores)
    caption, rows = read_table(curves._repr_html_())
    assert caption == "ThresholdCurves of 4 samples, 3 classes ['<b>', 'a&c', 'x\\ny']"
    assert rows[0] == ["class", "n", "positives", "ROC AUC", "average precision"]
    assert [row[0] for row in rows[1:]] == ["<b>", "a&c", "x\\ny"]
    for k, row in enumerate(rows[1:]):
        positive = np.array(y_true) == np.unique(y_true)[k]
        areas = [
            area(positive, scores[:, k]) for area in (sk.roc_auc_score, sk.average_precision_score)
        ]
        assert row[1:] == ["4", str(positive.sum()), *(f"{area:.3f}" for area in areas)]


def test_areas_of_curves_that_are_undefined_are_blank_and_warn_of_nothing():
    curves = ThresholdCurves.from_scores(
        ["a", "a"], [[0.6, 0.4], [0.7, 0.3]], classes=["a", "b"], sample_weight=[1, 1.5]
    )
    _, rows = read_table(curves._repr_html_())
    assert rows[1:] == [["a", "2.5", "2.5", "", "1.000"], ["b", "2.5", "0", "", ""]]


def test_curves_of_folds_have_one_row_per_fold():
    X, y = np.arange(12.0)[:, None], np.array([0, 1] * 6)
    curves = cross_val_threshold_curves(LogisticRegression(), X, y, cv=3)
    caption, rows = read_table(curves._repr_html_())
    assert caption == repr(curves)
    assert [row[:3] for row in rows] == [
        ["fold", "n", "positives"],
        *([str(k), "4", "2"] for k in range(3)),
    ]
    assert [row[3] for row in rows[1:]] == [f"{area:.3f}" for area in curves.roc_auc()]


def test_many_curves_are_cut_and_say_so():
    scores = np.random.default_rng(0).random((50, 25))
    _, rows = read_table(ThresholdCurves.from_scores(np.arange(50) % 25, scores)._repr_html_())
    assert len(rows) == 22
    assert rows[-1] == ["\N{HORIZONTAL ELLIPSIS} 5 more", "", "", "", ""]


def test_an_interval_has_one_row_per_entry():
    cm = ConfusionMatrix.from_predictions(
        [0, 0, 1, 1] * 10, [0, 1, 1, 1] * 10, by=["<b>", "a&c"] * 20
    )
    interval = cm.interval("recall", average=None)
    caption, rows = read_table(interval._repr_html_())
    assert caption == "Interval of recall (95 %, mid-P)"
    assert rows[0] == ["group", "class", "value", "low", "high", "n"]
    assert [row[:2] for row in rows[1:]] == [["<b>", "0"], ["<b>", "1"], ["a&c", "0"], ["a&c", "1"]]
    numbers = np.array([row[2:] for row in rows[1:]], dtype=float)
    np.testing.assert_allclose(numbers[:, 0], np.ravel(interval.value), atol=1e-4)
    np.testing.assert_allclose(numbers[:, 1], np.ravel(interval.low), atol=1e-4)
    alone = cm.sum("group").interval("accuracy")
    assert read_table(alone._repr_html_())[1][1] == [
        f"{x:.4f}" for x in (alone.value, alone.low, alone.high)
    ] + ["40"]


def test_an_interval_of_many_entries_is_cut_and_says_so():
    cm = ConfusionMatrix.from_counts(5 * np.ones((30, 2, 2), dtype=int), labels=[0, 1])
    _, rows = read_table(cm.interval("accuracy")._repr_html_())
    assert len(rows) == 22
    assert rows[-1] == ["\N{HORIZONTAL ELLIPSIS} 10 more", "", "", "", ""]


@pytest.mark.parametrize("margin", [None, 0.1])
def test_a_comparison_has_the_columns_of_its_text(margin):
    models = {"<a>": [0, 0, 1, 1] * 5, "b & c": [0, 1, 1, 0] * 5}
    found = compare([0, 0, 1, 1] * 5, models, ["accuracy", "recall"], margin=margin)
    caption, rows = read_table(found._repr_html_())
    lines = repr(found).splitlines()
    assert caption == lines[0]
    assert rows[0] == lines[1].split()
    assert [row[1:3] for row in rows[1:]] == [["<a>", "b & c"]] * 2
    for row, line in zip(rows[1:], lines[2:], strict=True):
        assert " ".join(row).split() == line.split()
