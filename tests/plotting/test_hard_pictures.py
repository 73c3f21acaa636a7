"""What is hard to draw stays readable: long names, many classes, rare positives, many months."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurves,
    compare,
    plot_confusion_matrix,
    plot_intervals,
    plot_precision_recall,
    plot_roc,
)

TRACTS = [f"Malignant neoplasm of the {part} respiratory tract" for part in ("upper", "lower")]


def texts(labels):
    return [label.get_text() for label in labels]


@pytest.mark.usefixtures("unfitted")
def test_names_that_differ_in_the_middle_stay_apart_when_shortened():
    cm = ConfusionMatrix.from_counts([[9, 1], [2, 8]], labels=TRACTS)
    plot = plot_confusion_matrix(cm)
    for axis in (plot.ax_.get_xticklabels(), plot.ax_.get_yticklabels()):
        upper, lower = texts(axis)
        assert upper != lower
    first = str(cm).splitlines()[1]
    assert "the u...iratory tract" in first
    assert "the l...iratory tract" in first


@pytest.mark.usefixtures("unfitted")
def test_many_names_are_shortened_to_the_words_in_which_they_differ():
    names = [f"Malignant neoplasm of the {k}. respiratory tract" for k in range(10)]
    plot = plot_confusion_matrix(ConfusionMatrix.from_counts(np.eye(10, dtype=int), labels=names))
    for axis in (plot.ax_.get_xticklabels(), plot.ax_.get_yticklabels()):
        expected = [f"\N{HORIZONTAL ELLIPSIS}{k}. respiratory tract" for k in range(10)]
        assert texts(axis) == expected


def test_names_beside_axes_of_a_figure_without_a_layout_cover_no_other_axes():
    names = [f"University hospital of Sankt Augustin, ward {k}" for k in range(2)]
    groups = dict.fromkeys(names, ConfusionMatrix.from_counts([[30, 10], [8, 32]], [0, 1]))
    matrix = ConfusionMatrix.from_counts(np.eye(2, dtype=int), labels=names)
    figure, axes = plt.subplots(1, 2, figsize=(9, 4))
    plot_intervals(groups, "accuracy", ax=axes[0])
    plot_confusion_matrix(matrix, ax=axes[1])
    figure.draw_without_rendering()
    boxes = [ax.get_tightbbox() for ax in axes]
    assert boxes[0].x0 >= 0
    assert boxes[0].x1 <= boxes[1].x0
    assert boxes[1].x1 <= figure.bbox.x1


def test_forty_classes_all_have_a_name_that_can_be_read():
    # The axes are as large as they will be, and the names as far apart.
    names = [f"species {k:02d}" for k in range(40)]
    plot = plot_confusion_matrix(ConfusionMatrix.from_counts(np.eye(40, dtype=int), labels=names))
    labels = plot.ax_.get_yticklabels()
    assert texts(labels) == names
    assert min(label.get_fontsize() for label in labels) >= 8
    boxes = [label.get_window_extent() for label in labels]
    assert all(upper.y0 >= lower.y1 - 1 for upper, lower in pairwise(boxes))


@pytest.mark.usefixtures("unfitted")
def test_filled_dots_are_what_survives_the_correction():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 400)
    predictions = {
        name: np.where(random.random(400) < right, y, 1 - y)
        for name, right in (("a", 0.9), ("b", 0.8))
    }
    predictions["c"] = np.where(random.random(400) < 0.75, y, 1 - y)
    found = compare(y, predictions, ["recall", "specificity"], random_state=0)
    plot = plot_intervals(found, sort=False)
    survives = [row.p_adjusted <= 0.05 for row in found.rows]
    assert len({*survives}) == 2
    open_dots = next(
        line for line in plot.ax_.lines if line.get_marker() == "o" and line is not plot.dots_
    )
    headings = [name in ("recall", "specificity") for name in texts(plot.ax_.get_yticklabels())]
    is_open = np.isfinite(open_dots.get_xdata())[~np.array(headings)]
    assert is_open.tolist() == [not one for one in survives]
    assert (sum(headings), headings[0]) == (2, True)


def test_lines_and_bands_stop_where_months_have_no_data():
    months = np.repeat(["2026-01", "2026-02", "2026-03", "2026-04", "2026-05"], 40)
    actual = np.tile([1, 1, 1, 0], 50)
    actual[months == "2026-03"] = 0
    cm = ConfusionMatrix.from_predictions(
        actual, np.roll(actual, 1), by={"month": months}, labels=[0, 1]
    )
    with pytest.warns(UserWarning, match="recall"):
        plot = plot_intervals(cm, "recall")
    [band] = plot.bands_
    days = [
        np.datetime64(f"2026-0{month}-02").astype("M8[D]").astype(float) for month in range(1, 6)
    ]
    value = plot.lines_[0].get_ydata()[0]
    is_there = [any(path.contains_point((day, value)) for path in band.get_paths()) for day in days]
    assert is_there == [True, True, False, True, False]
    assert np.isnan(plot.lines_[0].get_ydata()).tolist() == [False, False, True, False, False]


def test_rare_positives_can_have_a_log_axis():
    random = np.random.default_rng(0)
    y = (random.random(20_000) < 0.002).astype(int)
    plot = plot_precision_recall(y, random.normal(2 * y), yscale="log")
    low, high = plot.ax_.get_ylim()
    assert plot.ax_.get_yscale() == "log"
    assert 0.3 * y.mean() < low < y.mean() < 1 <= high < 1.2


def test_months_are_colored_in_their_order():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 1300)
    months = np.array([f"{2025 + k // 12}-{k % 12 + 1:02d}" for k in range(13)])[
        np.arange(1300) % 13
    ]
    plot = plot_roc(ThresholdCurves.from_scores(y, random.normal(y), by=months))
    colors = np.array([to_rgb(plot.lines_[month].get_color()) for month in sorted(plot.lines_)])
    lightness = colors @ [0.2126, 0.7152, 0.0722]
    assert len(lightness) == 13
    assert (np.diff(lightness) > 0).all()
