"""Plots of labels and scores: the first call draws what their matrix or curves do."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    ThresholdCurves,
    plot_confusion_matrix,
    plot_precision_recall,
    plot_roc,
)
from skmetrics_ext.plotting.cells import summarized, texts_of_cells

RANDOM = np.random.default_rng(2)
Y = RANDOM.integers(0, 2, 60)
S = np.round(RANDOM.random(60) + 0.4 * Y, 1)
WEIGHT = RANDOM.random(60)
THREE = RANDOM.choice(["ash", "elm", "oak"], 60)
COLUMNS = RANDOM.dirichlet(np.ones(3), 60)
BOTH = pytest.mark.parametrize("draw", [plot_roc, plot_precision_recall])


def lines_of(plot):
    return {name: line.get_xydata().tolist() for name, line in plot.lines_.items()}


@pytest.mark.parametrize("options", [{}, {"labels": [1, 0], "sample_weight": WEIGHT}])
@pytest.mark.usefixtures("unfitted")
def test_labels_are_counted(options):
    plot = plot_confusion_matrix(Y, S > 0.7, **options)
    cells = summarized(ConfusionMatrix.from_predictions(Y, S > 0.7, **options), "true")
    assert plot.im_.get_array().tolist() == cells.shares.tolist()
    texts = [text.get_text() for text in plot.text_.ravel()]
    assert texts == texts_of_cells(cells, "counts+percent")
    assert len({*texts}) == 4


@pytest.mark.parametrize(
    ("draw", "options"),
    [(plot_roc, {}), (plot_precision_recall, {"pos_label": 0, "sample_weight": WEIGHT})],
)
def test_scores_of_two_classes_have_one_curve(draw, options):
    expected = lines_of(draw(ThresholdCurve.from_scores(Y, S, **options)))
    assert lines_of(draw(Y, S, **options)) == expected
    if not options:
        columns = np.column_stack([1 - S / 2, S / 2])
        [line] = lines_of(draw(Y, columns, classes=[0, 1])).values()
        assert [line] == [*expected.values()]


@pytest.mark.parametrize(
    "draw", [plot_roc, pytest.param(plot_precision_recall, marks=pytest.mark.slow)]
)
def test_scores_of_more_classes_have_a_curve_each_unless_one_is_named(draw):
    """The slow one is the other picture."""
    expected = lines_of(draw(ThresholdCurves.from_scores(THREE, COLUMNS)))
    turned = pd.DataFrame(COLUMNS[:, ::-1], columns=["oak", "elm", "ash"])
    assert lines_of(draw(THREE, turned)) == expected
    assert lines_of(draw(THREE, COLUMNS[:, ::-1], classes=["oak", "elm", "ash"])).keys() == {
        "ash",
        "elm",
        "oak",
    }
    [line] = lines_of(draw(THREE, COLUMNS, pos_label="elm")).values()
    assert line == expected["elm"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plot_roc(ThresholdCurve.from_scores(Y, S), S), "y_score= applies only to labels"),
        (
            lambda: plot_roc(ThresholdCurve.from_scores(Y, S), pos_label=1),
            "pos_label= applies only to labels, y_true and y_score",
        ),
        (
            lambda: plot_precision_recall(Y, sample_weight=WEIGHT),
            "sample_weight= applies only to labels",
        ),
        (
            lambda: plot_roc({"a": ThresholdCurve.from_scores(Y, S)}, classes=[0, 1]),
            "classes= applies only to labels",
        ),
        (
            lambda: plot_confusion_matrix(ConfusionMatrix.from_predictions(Y, Y), Y),
            "y_pred= applies only to labels",
        ),
        (
            lambda: plot_confusion_matrix(ConfusionMatrix.from_predictions(Y, Y), labels=[0, 1]),
            "labels= applies only",
        ),
        (lambda: plot_roc(np.where(Y, "ill", "well"), S), "pos_label"),
        (
            lambda: plot_precision_recall(Y, S, yscale="logit"),
            "yscale must be 'auto', 'linear' or 'log'",
        ),
    ],
)
def test_options_of_labels_need_labels_and_leave_no_figure(call, message):
    with pytest.raises(ValueError, match=message):
        call()
    assert not plt.get_fignums()
