"""What a picture shows before anything is asked of it: order, scales, marks, footnotes."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.text import Text

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    compare,
    plot_confusion_matrix,
    plot_intervals,
    plot_precision_recall,
    plot_roc,
    plot_threshold_curve,
)

RNG = np.random.default_rng(0)
N = 600
Y = RNG.integers(0, 2, N)
PRED = np.where(RNG.random(N) < 0.8, Y, 1 - Y)


def names_of(plot):
    return [label.get_text() for label in plot.ax_.get_yticklabels()]


@pytest.mark.usefixtures("unfitted")
def test_ordered_groups_keep_their_order_and_others_fall():
    ages = np.array(["young", "middle", "old"])[np.arange(N) % 3]
    ordered = pd.Categorical(ages, ["young", "middle", "old"], ordered=True)
    by_age = ConfusionMatrix.from_predictions(Y, PRED, by={"age": ordered})
    by_name = ConfusionMatrix.from_predictions(Y, PRED, by={"age": ages})
    values = by_age.score("recall")
    falling = [["young", "middle", "old"][k] for k in np.argsort(-values)]
    assert falling != ["young", "middle", "old"]
    assert names_of(plot_intervals(by_age.interval("recall"))) == ["young", "middle", "old"]
    assert names_of(plot_intervals(by_name, "recall")) == falling
    assert names_of(plot_intervals(by_age, "recall", sort=True)) == falling


def test_months_stand_in_their_order_whatever_their_values():
    months = pd.to_datetime(["2026-03-01", "2026-01-01", "2026-02-01"])[np.arange(N) % 3]
    plot = plot_intervals(ConfusionMatrix.from_predictions(Y, PRED, by={"month": months}), "recall")
    x = plot.lines_[0].get_xdata()
    assert (np.diff(x.astype("M8[D]").astype(int)) > 0).all()
    by_month = ConfusionMatrix.from_predictions(Y, PRED, by={"month": months})
    np.testing.assert_allclose(plot.lines_[0].get_ydata(), by_month.score("recall"))


def test_the_best_of_the_first_metric_without_a_bound_is_marked():
    curve = ThresholdCurve.from_scores(Y, RNG.normal(size=N) + Y)
    bound = {"recall": 0.9}
    plot = plot_threshold_curve(curve, ["recall", "precision"], subject_to=bound)
    assert plot.best_ == curve.best("precision", subject_to=bound)
    texts = [text.get_text() for text in plot.ax_.get_legend().get_texts()]
    assert any(text.startswith("precision ") for text in texts)
    # Another name of the bounded metric is the same one.
    of_alias = plot_threshold_curve(curve, ["sensitivity", "precision"], subject_to=bound)
    assert of_alias.best_ == plot.best_
    alone = plot_threshold_curve(curve, ["recall"], subject_to=bound)
    assert alone.best_ == curve.best("recall", subject_to=bound)
    first = plot_threshold_curve(curve, ["recall", "precision"])
    assert first.best_ == curve.best("recall")


@pytest.mark.parametrize(("n_positive", "scale"), [(4, "log"), (5, "linear")])
def test_precision_of_rare_positives_has_a_log_axis(n_positive, scale):
    y = np.arange(100) < n_positive
    curve = ThresholdCurve.from_scores(y.astype(int), RNG.normal(size=100) + y)
    drawn = plot_precision_recall(curve)
    assert drawn.ax_.get_yscale() == scale
    assert plot_precision_recall(curve, yscale="linear").ax_.get_yscale() == "linear"
    low, high = drawn.ax_.get_ylim()
    assert high > 1
    if scale == "log":
        assert low == pytest.approx(0.5 * n_positive / 100)
    # Axes with a curve keep their scale.
    common = ThresholdCurve.from_scores(Y, RNG.normal(size=N) + Y)
    ax = plot_precision_recall(common).ax_
    assert plot_precision_recall(curve, ax=ax).ax_.get_yscale() == "linear"


@pytest.mark.usefixtures("unfitted")
def test_limits_of_axes_leave_room_for_whole_numbers():
    low, high = plot_intervals(
        ConfusionMatrix.from_predictions(Y, PRED, by={"site": np.arange(N) % 2 == 0}), "recall"
    ).ax_.get_xlim()
    interval = ConfusionMatrix.from_predictions(
        Y, PRED, by={"site": np.arange(N) % 2 == 0}
    ).interval("recall")
    margin = 0.05 * (interval.high.max() - interval.low.min())
    assert interval.low.min() - low == pytest.approx(high - interval.high.max())
    assert 0 < interval.low.min() - low < 3 * margin


@pytest.mark.usefixtures("unfitted")
def test_caveats_are_hollow_markers_and_a_footnote():
    sites = {
        "many": ConfusionMatrix.from_predictions(Y, PRED),
        "few": ConfusionMatrix.from_counts([[9, 1], [1, 2]], labels=[0, 1]),
    }
    matrix = ConfusionMatrix.stack(sites, axis="site")
    with pytest.warns(UserWarning, match="too few samples"):
        plot = plot_intervals(matrix, "mcc")
    filled, hollow = plot.ax_.lines[:2]
    assert filled is plot.dots_
    assert names_of(plot) == ["many", "few"]
    np.testing.assert_array_equal(np.isnan(hollow.get_ydata()), [False, False])
    np.testing.assert_array_equal(np.isnan(hollow.get_xdata()), [True, False])
    assert hollow.get_markerfacecolor() == plot.ax_.get_facecolor()
    assert filled.get_markerfacecolor() != plot.ax_.get_facecolor()
    text = plot.ax_.get_xlabel()
    what, *note = text.splitlines()
    assert what == "mcc (95 % confidence intervals)"
    assert " ".join(note).startswith("empty: mcc is based on too few samples")
    assert max(map(len, note)) <= 62
    without = plot_intervals(sites["many"], "recall")
    assert without.ax_.get_xlabel() == "recall (95 % confidence intervals)"
    assert np.isnan(without.ax_.lines[1].get_xdata()).all()


@pytest.mark.usefixtures("unfitted")
def test_rows_of_a_comparison_with_caveats_have_a_star():
    clusters = np.arange(N) // 60
    other = np.where(RNG.random(N) < 0.7, Y, 1 - Y)
    with pytest.warns(UserWarning, match="clusters"):
        comparison = compare(Y, {"a": PRED, "b": other}, "accuracy", clusters=clusters)
    plot = plot_intervals(comparison)
    assert names_of(plot) == ["a - b *"]
    assert "\n*: " in plot.ax_.get_xlabel()


@pytest.mark.usefixtures("unfitted")
def test_spreads_of_a_class_that_is_absent_from_folds_are_of_the_others():
    folds = ConfusionMatrix.stack(
        {
            k: ConfusionMatrix.from_counts(counts, labels=["a", "b"])
            for k, counts in enumerate([[[8, 2], [1, 3]], [[6, 4], [0, 0]], [[7, 3], [3, 1]]])
        },
        axis="fold",
    )
    texts = plot_confusion_matrix(folds, values="percent").text_
    # b is in two folds: 75 and 25 % right.
    assert texts[1, 1].get_text() == "50 ± 25 %"
    assert texts[0, 0].get_text() == "70 ± 8 %"


MILLIMETRES = 1 / 25.4


def drawn_in_a_column(draw, height):
    """A figure as wide as a column of a journal, and its axes, with everything in its place."""
    figure, ax = plt.subplots(figsize=(85 * MILLIMETRES, height), layout="constrained")
    draw(ax)
    figure.draw_without_rendering()
    if any(text.get_wrap() for text in figure.findobj(Text)):
        # A title that wraps changes the layout once more, as saving does.
        figure.draw_without_rendering()
    return figure, ax


MALIGNANT, PRED_OF = (np.where(of == 1, "malignant", "benign") for of in (Y, PRED))
SCORES = RNG.normal(size=N) + 1.5 * Y
MODELS = {
    "ultrasound": ThresholdCurve.from_scores(MALIGNANT, SCORES, pos_label="malignant"),
    "palpation": ThresholdCurve.from_scores(
        MALIGNANT, SCORES + RNG.normal(size=N), pos_label="malignant"
    ),
}
HOSPITALS = np.array(["Aachen", "Bern", "Copenhagen University", "Delft"])[np.arange(N) % 4]


@pytest.mark.usefixtures("few_replicates")
@pytest.mark.parametrize(
    ("draw", "height"),
    [
        (
            lambda ax: plot_confusion_matrix(
                ConfusionMatrix.from_predictions(MALIGNANT, PRED_OF), ax=ax
            ),
            3,
        ),
        (lambda ax: plot_roc(MODELS, confidence_level=0.95, ax=ax), 3.2),
        pytest.param(
            lambda ax: plot_precision_recall(MODELS, confidence_level=0.95, ax=ax),
            3.2,
            marks=pytest.mark.slow,
        ),
        pytest.param(
            lambda ax: plot_intervals(
                ConfusionMatrix.from_predictions(MALIGNANT, PRED_OF, by={"hospital": HOSPITALS}),
                "accuracy",
                ax=ax,
            ),
            2.2,
            marks=pytest.mark.slow,
        ),
    ],
    ids=["matrix", "roc", "precision-recall", "intervals"],
)
def test_a_column_of_a_journal_has_room_for_everything(draw, height):
    """The slow ones have the legend of the other curves in another place, and names beside axes
    that are lower than others.
    """
    figure, ax = drawn_in_a_column(draw, height)
    page = figure.bbox.padded(1)
    shown = [
        text
        for text in figure.findobj(Text)
        if text.get_text() and text.get_visible() and text not in ax.xaxis.get_ticklabels()
    ]
    assert min(text.get_fontsize() for text in shown) >= 6
    for text in {*shown} - {*ax.yaxis.get_ticklabels()}:
        box = text.get_window_extent()
        assert page.x0 <= box.x0, text
        assert box.x1 <= page.x1, text
        assert page.y0 <= box.y0, text
        assert box.y1 <= page.y1, text
    if ax.get_legend() is not None:
        legend = ax.get_legend().get_window_extent()
        assert ax.bbox.width >= 0.35 * figure.bbox.width
        labels = ax.xaxis.label.get_window_extent()
        assert not legend.overlaps(labels)
        is_apart = legend.y1 <= ax.bbox.y0 or legend.x0 >= ax.bbox.x1
        assert is_apart or ax.bbox.contains(*legend.min)
