"""Plots of curves: the lines are the values, the marker is the best point, and nothing is cut."""

import functools
import pickle
import sys
from itertools import pairwise

import matplotlib
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext import (
    ThresholdCurve,
    ThresholdCurves,
    plot_roc,
    plot_threshold_curve,
    recall_score,
)
from skmetrics_ext.plotting.lines import points_apart
from skmetrics_ext.plotting.rates import RocPlot
from skmetrics_ext.plotting.threshold_curve import ThresholdCurvePlot
from tests.shared import of_any_scale

LONG = "a long name " * 8


def binary(n_samples=300, seed=0, **options):
    """A curve of decision values."""
    random = np.random.default_rng(seed)
    y_true = random.integers(0, 2, n_samples)
    return ThresholdCurve.from_scores(y_true, np.round(random.normal(2 * y_true), 2), **options)


def multiclass_data(n_classes, n_samples=400, seed=0):
    random = np.random.default_rng(seed)
    y_true = random.integers(0, n_classes, n_samples)
    logits = random.normal(size=(n_samples, n_classes))
    logits[np.arange(n_samples), y_true] += np.linspace(0.5, 2, n_classes)[y_true]
    scores = np.exp(logits)
    return y_true, scores / scores.sum(axis=1, keepdims=True)


def multiclass(n_classes, names=None):
    y_true, scores = multiclass_data(n_classes)
    names = np.array([f"class {k:02d}" for k in range(n_classes)] if names is None else names)
    return ThresholdCurves.from_scores(names[y_true], scores, classes=names)


@functools.cache
def of_three_classes():
    """Two tests read the same picture."""
    return plot_roc(multiclass(3))


def one_class_missing():
    return ThresholdCurves.from_scores(
        ["a", "b", "a", "b"], np.arange(12).reshape(4, 3) % 5 / 5, classes=["a", "b", "c"]
    )


def points(line):
    return np.column_stack([line.get_xdata(), line.get_ydata()])


def legend_texts(plot):
    return [text.get_text() for text in plot.ax_.get_legend().get_texts()]


def mark_of(plot):
    """Position and text of the marked point, the one that has an entry in the legend; None if there
    is none.
    """
    markers = [line for line in plot.ax_.lines if line.get_marker() == "o"]
    if not markers:
        return None
    (marker,) = markers
    assert marker.get_label() in legend_texts(plot)
    return marker.get_xdata()[0], marker.get_ydata()[0], marker.get_label()


def place_of_mark(plot):
    """Where the marked point is, in parts of the axes."""
    (marker,) = [line for line in plot.ax_.lines if line.get_marker() == "o"]
    pixels = marker.get_transform().transform(np.column_stack(marker.get_data()))
    return plot.ax_.transAxes.inverted().transform(pixels)[0]


def shares_of_shading(plot, thresholds):
    """Whether each threshold is shaded, by the rectangles' geometry."""
    (shading,) = plot.ax_.collections
    return [any(path.contains_point((x, 0.5)) for path in shading.get_paths()) for x in thresholds]


def check_legend_covers_no_line(ax):
    """No point of a line is below the legend of drawn axes; between points lines have hundreds of
    others.
    """
    box = ax.get_legend().get_window_extent()
    for line in (
        line for line in ax.lines if len(line.get_xdata()) > 1 and line.get_gid() != "reference"
    ):
        places = line.get_transform().transform(line.get_xydata())
        steps = np.concatenate([np.linspace(a, b, 20) for a, b in pairwise(places)])
        assert (
            not np.logical_and(steps > [box.x0, box.y0], steps < [box.x1, box.y1]).all(axis=1).any()
        ), line


def check_nothing_is_cut(*plots):
    """Of plots in one figure."""
    figure, texts = plots[0].figure_, []
    figure.draw_without_rendering()
    for ax in (plot.ax_ for plot in plots):
        texts += [*ax.get_legend().get_texts(), ax.xaxis.label, ax.yaxis.label]
        for axis in (ax.xaxis, ax.yaxis):
            low, high = axis.get_view_interval()
            ticks = axis.get_major_ticks()
            texts += [tick.label1 for tick in ticks if low <= tick.get_loc() <= high]
    for text in texts:
        box = text.get_window_extent()
        assert min(box.x0, box.y0) >= 0, text.get_text()
        assert box.x1 <= figure.bbox.x1, text.get_text()
        assert box.y1 <= figure.bbox.y1, text.get_text()


# Metrics against the threshold.


@pytest.mark.parametrize("metric", ["f1", "lift", "expected_cost"])
def test_a_line_has_the_value_of_its_metric_at_every_threshold(metric):
    curve = binary()
    parameters = {"cost_matrix": [[0, 1], [5, 0]]} if metric == "expected_cost" else {}
    line = plot_threshold_curve(curve, [metric], **parameters).lines_[metric]
    expected = np.column_stack(
        [curve.thresholds, curve.score(metric, zero_division=np.nan, **parameters)]
    )[::-1]
    np.testing.assert_array_equal(points(line), expected)


@pytest.mark.parametrize(("ties", "style"), [("positive", "steps-pre"), ("negative", "steps-post")])
def test_steps_are_the_values_between_the_scores(ties, style):
    curve = ThresholdCurve.from_scores([0, 1, 0, 1, 1], [0.1, 0.3, 0.4, 0.8, 0.9], ties=ties)
    line = plot_threshold_curve(curve, "recall").lines_["recall"]
    assert line.get_drawstyle() == style
    x, y = line.get_data()
    for low, high, left, right in zip(x, x[1:], y, y[1:], strict=False):
        matrix = curve.at((low + high) / 2)
        assert matrix.counts[1, 1] / matrix.counts[1].sum() == (
            right if ties == "positive" else left
        )


def test_given_thresholds_in_any_order_are_dots_joined_from_left_to_right():
    curve = binary(thresholds=[1.5, -0.5, np.inf, 0.25])
    line = plot_threshold_curve(curve, "recall").lines_["recall"]
    assert line.get_drawstyle() == "default"
    assert line.get_marker() == "."
    np.testing.assert_array_equal(
        points(line), np.column_stack([[-0.5, 0.25, 1.5], curve.score("recall")[[1, 3, 0]]])
    )
    assert (
        plot_threshold_curve(binary(thresholds=100), "recall").lines_["recall"].get_marker()
        == "None"
    )


def test_names_in_the_legend_are_those_given():
    plot = plot_threshold_curve(binary(), ["tpr", recall_score, "mcc"])
    assert list(plot.lines_) == ["tpr", "recall", "mcc"]
    assert legend_texts(plot)[:3] == ["tpr", "recall", "mcc"]


def test_the_axes_are_named():
    ax = plot_threshold_curve(binary()).ax_
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("threshold", "value")
    assert plot_threshold_curve(binary(), ["mcc"]).ax_.get_ylabel() == "mcc"


def test_a_second_curve_takes_the_next_colors():
    first = plot_threshold_curve(binary(), ["f1"])
    second = plot_threshold_curve(binary(seed=1), ["f1"], ax=first.ax_)
    assert first.lines_["f1"].get_color() != second.lines_["f1"].get_color()
    assert first.ax_.get_ylabel() == "f1"
    plot_threshold_curve(binary(seed=1), ["mcc"], ax=first.ax_)
    assert first.ax_.get_ylabel() == "value"
    assert legend_texts(second)[0] == "f1"
    assert len(legend_texts(second)) == 6


def test_undefined_and_infinite_values_are_gaps():
    curve = binary()
    ratios = curve.score("positive_likelihood_ratio", zero_division=np.nan)[::-1]
    plot = plot_threshold_curve(curve, ["positive_likelihood_ratio", "f1"])
    line = plot.lines_["positive_likelihood_ratio"]
    assert np.isinf(ratios).any()
    np.testing.assert_array_equal(line.get_ydata(), np.where(np.isinf(ratios), np.nan, ratios))
    assert np.isfinite(plot.ax_.get_ylim()).all()


def test_the_axis_of_thresholds_has_all_of_them_where_lines_have_gaps():
    curve = binary()
    low, high = plot_threshold_curve(curve, "positive_likelihood_ratio").ax_.get_xlim()
    assert low < curve.thresholds.min() < curve.thresholds.max() < high


def test_a_metric_without_any_value_is_called_undefined():
    curve = ThresholdCurve.from_scores([0, 0, 0], [0.1, 0.5, 0.7], pos_label=1)
    plot = plot_threshold_curve(curve, ["recall", "specificity"])
    assert legend_texts(plot)[:2] == ["recall (undefined)", "specificity"]
    assert plot.best_ == curve.best("specificity")


@pytest.mark.parametrize(
    ("metrics", "between"), [(["f1", "recall"], True), (["f1", "lift"], False), (["mcc"], False)]
)
def test_the_axis_of_values_is_that_of_proportions_if_all_metrics_are(metrics, between):
    plot = plot_threshold_curve(binary(), metrics)
    low, high = plot.ax_.get_ylim()
    assert ((low, high) == (-0.03, 1.03)) == between
    for line in plot.lines_.values():
        assert low < np.nanmin(line.get_ydata()) <= np.nanmax(line.get_ydata()) < high


# The best point.


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("recall", {}),
        ("mcc", {"thresholds": [0.5, 1.25, -0.25]}),
        ("zero_one_loss", {"ties": "negative"}),
    ],
)
def test_the_best_point_of_the_first_metric_is_marked(metric, options):
    curve = binary(**options)
    plot = plot_threshold_curve(curve, [metric, "precision"])
    best = curve.best(metric)
    assert plot.best_ == best
    x, y, text = mark_of(plot)
    assert (x, y) == (best.threshold, best.value)
    name, value, _, threshold = text.split()
    assert name == metric
    assert float(value) == pytest.approx(best.value, rel=0.01)
    assert float(threshold) == pytest.approx(best.threshold, rel=0.01)


def test_a_metric_without_a_better_direction_is_not_marked():
    alone = plot_threshold_curve(binary(), ["prevalence"])
    assert (mark_of(alone), alone.best_) == (None, None)
    plot = plot_threshold_curve(binary(), ["prevalence", "f1"])
    assert plot.best_ == binary().best("f1")


@pytest.mark.parametrize(
    ("threshold", "text"),
    [
        (0.412345, "0.412"),
        (0.99999, "0.99999"),
        (1234.56, "1234.6"),
        (-3, "-3"),
        (2.5e9, "2.5e+09"),
        pytest.param(0.5, "0.500", marks=pytest.mark.slow),
        pytest.param(0.99987, "0.9999", marks=pytest.mark.slow),
        pytest.param(0, "0", marks=pytest.mark.slow),
        pytest.param(1, "1.000", marks=pytest.mark.slow),
    ],
)
@of_any_scale
def test_a_threshold_has_the_digits_that_it_needs(threshold, text):
    """The slow ones are others of the same sizes."""
    curve = ThresholdCurve.from_scores([0, 1], [threshold - 1e7, threshold], thresholds=[threshold])
    assert mark_of(plot_threshold_curve(curve))[2] == f"f1 1.000 at {text}"


def test_an_infinite_best_value_is_marked_at_the_edge():
    plot = plot_threshold_curve(binary(), ["positive_likelihood_ratio"])
    assert mark_of(plot)[0] == plot.best_.threshold
    assert place_of_mark(plot)[1] == 1
    assert "positive_likelihood_ratio inf at " in mark_of(plot)[2]


def test_bins_have_a_line_from_edge_to_edge():
    frame = pl.DataFrame({"y": [0, 0, 1, 0, 1, 1], "risk": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]})
    curve = ThresholdCurve.from_frame(frame, "y", "risk", bins=4)
    line = plot_threshold_curve(curve, ["recall"]).lines_["recall"]
    np.testing.assert_allclose(line.get_xydata(), [[0, 1], [0.25, 1], [0.5, 2 / 3], [0.75, 0]])


def test_a_best_threshold_of_0_is_marked_at_the_edge_of_a_log_axis():
    plot = plot_threshold_curve(
        ThresholdCurve.from_scores([1, 0, 0], [0.01, 0.05, 0.09]),
        "recall",
        subject_to={"recall": 1},
    )
    assert (plot.best_.threshold, plot.ax_.get_xscale()) == (0, "log")
    assert place_of_mark(plot)[0] == 0
    assert mark_of(plot)[2] == "recall 1.000 at 0"


def test_an_infinite_best_threshold_is_marked_at_the_edge():
    plot = plot_threshold_curve(binary(thresholds=[-np.inf, 1.0]), "recall")
    assert place_of_mark(plot)[0] == pytest.approx(0)
    assert plot.best_.threshold == -np.inf
    check_nothing_is_cut(plot_threshold_curve(binary(thresholds=[np.inf]), "recall"))


# Scales.


def probabilities(n_samples=4_000, offset=0.0, decimals=12, seed=0):
    random = np.random.default_rng(seed)
    scores = np.round(1 / (1 + np.exp(-random.normal(offset, 2, n_samples))), decimals)
    return ThresholdCurve.from_scores(random.random(n_samples) < scores, scores)


def shown(line):
    """The points of a line that an axis of its scales has a place for, in parts of the axes."""
    axes = line.axes
    x, y = line.get_data()
    in_x = {"linear": x == x, "log": x > 0}[axes.get_xscale()]
    in_y = {"linear": y == y, "log": y > 0}[axes.get_yscale()]
    kept = points(line)[in_x & in_y]
    return axes.transAxes.inverted().transform(axes.transData.transform(kept))


@pytest.mark.parametrize(
    ("x_scale", "y_scale", "decimals"),
    [
        ("log", "log", 2),
        pytest.param("log", "linear", 12, marks=pytest.mark.slow),
        pytest.param("linear", "log", 1, marks=pytest.mark.slow),
    ],
)
def test_other_scales_set_afterwards_hold_the_curve_and_little_else(x_scale, y_scale, decimals):
    """The slow ones are one scale at a time, and scores that are all different."""
    plot = plot_threshold_curve(
        probabilities(decimals=decimals), subject_to={"recall": 0.1}, confidence_level=0.95
    )
    plot.ax_.set_xscale(x_scale)
    plot.ax_.set_yscale(y_scale)
    assert plot.ax_.get_xlim()[0] > 0 or x_scale == "linear"
    for line in plot.lines_.values():
        places = shown(line)
        assert len(places) >= 8
        assert places.min() >= -1e-9
        assert places.max() <= 1 + 1e-9
        assert np.ptp(places[:, 0]) > 0.6
    check_nothing_is_cut(plot)


@pytest.mark.parametrize(("offset", "scale"), [(0, "linear"), (-8, "log")])
def test_probabilities_of_rare_positives_have_a_log_axis(offset, scale):
    curve = probabilities(offset=offset)
    positive_scores = np.repeat(curve.thresholds, np.diff(curve.counts.tp, prepend=0))
    assert (np.median(positive_scores) < 0.1) == (scale == "log")
    plot = plot_threshold_curve(curve)
    assert plot.ax_.get_xscale() == scale
    assert 0 < place_of_mark(plot)[0] < 1
    plot.ax_.set_xscale("linear")
    low, high = plot.ax_.get_xlim()
    assert low < curve.thresholds.min() < curve.thresholds.max() < high


def test_a_log_axis_spans_six_powers_of_ten_and_no_more():
    scores = 10.0 ** -np.arange(1, 300)
    plot = plot_threshold_curve(ThresholdCurve.from_scores(np.arange(1, 300) % 3 == 0, scores))
    low, high = plot.ax_.get_xlim()
    assert (plot.ax_.get_xscale(), scores[0] < high) == ("log", True)
    assert 1e-8 < low < 1.01e-7


def test_decision_values_and_axes_that_have_data_keep_their_scale():
    random = np.random.default_rng(0)
    rare = ThresholdCurve.from_scores(random.random(500) < 0.02, random.normal(size=500))
    assert plot_threshold_curve(rare).ax_.get_xscale() == "linear"
    first = plot_threshold_curve(probabilities())
    assert plot_threshold_curve(probabilities(offset=-8), ax=first.ax_).ax_.get_xscale() == "linear"


def test_ratios_have_a_log_axis_where_they_differ_much():
    plot = plot_threshold_curve(probabilities(), ["plr"])
    values = plot.lines_["plr"].get_ydata()
    assert np.nanmax(values) > 100 * np.nanmin(values[values > 0])
    assert plot.ax_.get_yscale() == "log"
    assert plot_threshold_curve(binary(), ["lift"]).ax_.get_yscale() == "linear"
    assert plot_threshold_curve(probabilities(), ["plr", "f1"]).ax_.get_yscale() == "linear"


def test_on_a_dark_background_shading_grid_and_marker_are_not_white():
    with plt.style.context("dark_background"):
        plot = plot_threshold_curve(binary(), subject_to={"recall": 0.5})
    (shading,) = plot.ax_.collections
    assert shading.get_facecolor()[0, 3] < 0.3
    assert all(line.get_alpha() < 0.3 for line in plot.ax_.get_xgridlines())
    (marker,) = [line for line in plot.ax_.lines if line.get_marker() == "o"]
    assert matplotlib.colors.same_color(marker.get_markeredgecolor(), "black")


# Bounds.


@pytest.mark.parametrize(
    "options", [{}, {"ties": "negative"}, {"thresholds": [-1, 0.5, 0.75, 1, 0.25, 3]}]
)
def test_thresholds_that_do_not_satisfy_the_bounds_are_shaded(options):
    curve = binary(60, **options)
    bounds = {"recall": 0.7, "predicted_positive_rate": (0.2, 0.7)}
    plot = plot_threshold_curve(curve, subject_to=bounds)
    assert plot.best_ == curve.best("f1", subject_to=bounds)
    assert mark_of(plot)[:2] == (plot.best_.threshold, plot.best_.value)
    assert (
        legend_texts(plot)[-1]
        == "excluded by\nrecall >= 0.7\n0.2 <= predicted_positive_rate <= 0.7"
    )
    rate = curve.score("predicted_positive_rate")
    excluded = ~((curve.score("recall") >= 0.7) & (rate >= 0.2) & (rate <= 0.7))
    # At a threshold itself the shading may just end: look next to it, where the counts are the
    # same.
    beside = (
        {"positive": -1e-3, "negative": 1e-3}[curve.ties] if not options.get("thresholds") else 0
    )
    inner = slice(1, -1) if not options.get("thresholds") else slice(None)
    order = np.argsort(curve.thresholds)[inner]
    if beside:
        assert shares_of_shading(plot, curve.thresholds[order] + beside) == excluded[order].tolist()
    else:
        inside = order[1:-1]
        assert shares_of_shading(plot, curve.thresholds[inside]) == excluded[inside].tolist()


def test_bounds_that_no_threshold_satisfies_are_the_error_of_best():
    with pytest.raises(ValueError, match=r"recall >= 2 is out of the metric's range"):
        plot_threshold_curve(binary(), subject_to={"recall": 2})
    with pytest.raises(ValueError, match=r"no threshold satisfies lift >= 50\. At best lift reach"):
        plot_threshold_curve(binary(), subject_to={"lift": 50})
    with pytest.raises(
        ValueError, match="neither higher nor lower values of prevalence are better"
    ):
        plot_threshold_curve(binary(), "prevalence", subject_to={"recall": 0.5})
    assert plt.get_fignums() == []


# Many thresholds.


def test_few_thousand_thresholds_are_all_drawn():
    y_true = np.random.default_rng(0).integers(0, 2, 3_000)
    scores = np.random.default_rng(1).standard_cauchy(3_000) + y_true
    curve = ThresholdCurve.from_scores(y_true, scores)
    line = plot_threshold_curve(curve, ["precision"]).lines_["precision"]
    np.testing.assert_array_equal(line.get_xdata(), curve.thresholds[::-1])
    np.testing.assert_array_equal(line.get_ydata(), curve.score("precision")[::-1])


def test_of_many_points_only_those_are_left_out_that_lie_on_the_one_before():
    random = np.random.default_rng(0)
    x = np.sort(random.random(200_000)) - 0.3
    y = np.where(random.random(200_000) < 0.001, np.nan, np.sin(9 * x))
    y[7] = np.inf
    x_shown, y_shown = points_apart(x, y)
    is_shown = np.isin(x, x_shown)
    assert len(x_shown) == is_shown.sum() < 100_000
    assert is_shown[[0, -1]].all()
    assert is_shown[np.isnan(y)].all()
    np.testing.assert_array_equal(y_shown, y[is_shown])
    before = np.maximum.accumulate(np.where(is_shown, np.arange(len(x)), 0))
    for part in (x, y):
        width = np.ptp(part[np.isfinite(part)])
        away = np.abs(part[~is_shown] - part[before[~is_shown]])
        assert away.max() <= width / 10_000
    same = np.full(20_000, 0.5)
    assert points_apart(same, same)[0].tolist() == [0.5, 0.5]


# ROC curves.


def test_the_line_of_one_curve_is_that_of_scikit_learn():
    random = np.random.default_rng(0)
    y_true = random.integers(0, 2, 200)
    scores = np.round(random.normal(y_true), 1)
    plot = plot_roc(ThresholdCurve.from_scores(y_true, scores))
    fpr, tpr, _ = sk.roc_curve(y_true, scores, drop_intermediate=False)
    drawn = np.unique(points(plot.lines_[1]), axis=0)
    np.testing.assert_allclose(drawn, np.unique(np.column_stack([fpr, tpr]), axis=0))
    assert legend_texts(plot) == [f"AUC {sk.roc_auc_score(y_true, scores):.2f}", "chance"]
    assert plot.average_lines_ == {}


@pytest.mark.parametrize("ties", ["positive", "negative"])
def test_a_line_goes_from_corner_to_corner_whatever_the_ties(ties):
    x, y = plot_roc(binary(ties=ties)).lines_[1].get_data()
    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
    assert sk.auc(x, y) == pytest.approx(binary(ties=ties).roc_auc())


@pytest.mark.parametrize("n_classes", [2, 8])
def test_every_class_has_a_line_in_its_own_color_and_its_area(n_classes):
    y_true, scores = multiclass_data(n_classes)
    plot = plot_roc(multiclass(n_classes))
    one_hot = np.eye(n_classes)[y_true]
    areas = sk.roc_auc_score(one_hot, scores, average=None)
    macro, micro = (
        sk.roc_auc_score(one_hot, scores, average=average) for average in ("macro", "micro")
    )
    names = [f"class {k:02d}" for k in range(n_classes)]
    assert legend_texts(plot) == [
        *(
            f"{name} (AUC {area:.2f}, n = {n})"
            for name, area, n in zip(names, areas, np.bincount(y_true), strict=True)
        ),
        f"macro average (AUC {macro:.2f})",
        f"micro average (AUC {micro:.2f})",
        "chance",
    ]
    assert list(plot.lines_) == names
    assert len({line.get_color() for line in plot.lines_.values()}) == n_classes
    for line, area in zip(plot.lines_.values(), areas, strict=True):
        assert sk.auc(*line.get_data()) == pytest.approx(area)


@settings(max_examples=3)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_classes=st.integers(2, 5),
    decimals=st.integers(0, 3),
    n_samples=st.integers(8, 40),
)
def test_the_area_under_the_macro_line_is_the_mean_of_the_areas(
    seed, n_classes, decimals, n_samples
):
    random = np.random.default_rng(seed)
    y_true = np.append(np.arange(n_classes), random.integers(0, n_classes, n_samples))
    curves = ThresholdCurves.from_scores(
        y_true, np.round(random.random((len(y_true), n_classes)), decimals)
    )
    averages = plot_roc(curves).average_lines_
    assert sk.auc(*averages["macro"].get_data()) == pytest.approx(
        curves.roc_auc("macro"), abs=1e-12
    )
    assert sk.auc(*averages["micro"].get_data()) == pytest.approx(
        curves.roc_auc("micro"), abs=1e-12
    )
    plt.close("all")


def test_the_macro_line_is_the_mean_of_the_lines_at_a_rate_between_their_points():
    plot = of_three_classes()
    x, y = plot.average_lines_["macro"].get_data()
    between = (np.unique(x)[1:] + np.unique(x)[:-1]) / 2
    expected = np.mean(
        [np.interp(between, *line.get_data()) for line in plot.lines_.values()], axis=0
    )
    np.testing.assert_allclose(np.interp(between, x, y), expected)
    assert (np.diff(x) >= 0).all()
    assert (np.diff(y) >= -1e-12).all()


def test_chance_is_where_it_belongs_on_a_log_axis_too():
    plot = plot_roc(binary())
    plot.ax_.set_xscale("log")
    x, y = plot.chance_level_.get_data()
    inside = (x >= plot.ax_.get_xlim()[0]) & (x <= 1)
    assert inside.sum() > 20
    assert plot.ax_.get_xlim()[0] > 0
    # Between its points the line is straight on the log axis, so that they must be close.
    assert np.diff(y[inside]).max() < 0.15


def test_averages_are_dashed_chance_is_a_grey_diagonal_and_axes_are_equal():
    plot = of_three_classes()
    macro, micro = plot.average_lines_["macro"], plot.average_lines_["micro"]
    assert macro.is_dashed()
    assert micro.is_dashed()
    assert macro.get_linestyle() == micro.get_linestyle() == "--"
    assert macro._unscaled_dash_pattern != micro._unscaled_dash_pattern
    # Classes differ by more than color.
    looks = [(line.get_color(), line._unscaled_dash_pattern) for line in plot.lines_.values()]
    assert len({look[1] for look in looks}) == len(looks) == 3
    assert not {pattern for _, pattern in looks} & {
        macro._unscaled_dash_pattern,
        micro._unscaled_dash_pattern,
    }
    x, y = plot.chance_level_.get_data()
    assert (x[0], x[-1]) == (0, 1)
    np.testing.assert_array_equal(x, y)
    assert len(set(matplotlib.colors.to_rgb(plot.chance_level_.get_color()))) == 1
    assert plot.ax_.get_box_aspect() == 1
    assert plot.ax_.get_xlim() == plot.ax_.get_ylim() == (-0.03, 1.03)
    assert (plot.ax_.get_xlabel(), plot.ax_.get_ylabel()) == (
        "false positive rate",
        "true positive rate",
    )


@pytest.mark.parametrize("n_classes", [11, pytest.param(30, marks=pytest.mark.slow)])
def test_of_many_classes_the_best_and_the_worst_are_named(n_classes):
    """The slow one has many more."""
    curves = multiclass(n_classes)
    plot = plot_roc(curves)
    areas = curves.roc_auc(None)
    ranked = (-areas).argsort()
    named = [*(("best", k) for k in ranked[:3]), *(("worst", k) for k in ranked[-3:])]
    n = [curves[label].counts.tp[-1] for label in curves]
    assert legend_texts(plot)[:7] == [
        *(f"{rank}: class {k:02d} (AUC {areas[k]:.2f}, n = {n[k]})" for rank, k in named),
        f"{n_classes - 6} others",
    ]
    colors = [line.get_color() for line in plot.lines_.values()]
    assert len(set(colors)) == 7
    assert colors.count("0.5") == n_classes - 6
    assert len(plot.ax_.lines) == n_classes + 3


def test_an_undefined_class_has_no_line_and_the_legend_says_so():
    curves = one_class_missing()
    with pytest.warns(UndefinedMetricWarning, match=r"roc_auc is undefined for \['c'\]") as caught:
        plot = plot_roc(curves)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert legend_texts(plot)[2] == "c (no positives)"
    assert len(plot.lines_["c"].get_xdata()) == 0
    defined = [curves[label].roc_auc() for label in "ab"]
    assert sk.auc(*plot.average_lines_["macro"].get_data()) == pytest.approx(np.mean(defined))


def test_undefined_classes_among_many_are_counted():
    random = np.random.default_rng(0)
    curves = ThresholdCurves.from_scores(
        np.arange(60) % 10, random.random((60, 13)), classes=np.arange(13)
    )
    with pytest.warns(UndefinedMetricWarning, match=r"\[10, 11, 12\]"):
        plot = plot_roc(curves)
    assert legend_texts(plot)[6:8] == ["4 others", "3 undefined"]


def test_averages_of_nothing_are_left_out():
    with pytest.warns(UndefinedMetricWarning, match=r"roc_auc is undefined for \[0, 1\]") as caught:
        plot = plot_roc(ThresholdCurves.from_scores([[0, 0], [0, 0]], [[0.1, 0.2], [0.3, 0.4]]))
    assert len(caught) == 1
    assert plot.average_lines_ == {}
    assert legend_texts(plot) == ["0 (no positives)", "1 (no positives)", "chance"]


@pytest.mark.parametrize("thresholds", [None, [0.5]])
def test_an_undefined_single_curve_warns_and_says_so(thresholds):
    curve = ThresholdCurve.from_scores([0, 0], [0.1, 0.7], pos_label=1, thresholds=thresholds)
    with pytest.warns(UndefinedMetricWarning, match="positives"):
        plot = plot_roc(curve)
    assert legend_texts(plot) == ["no positives", "chance"]


def test_a_curve_of_given_thresholds_is_its_points_without_an_area():
    curve = binary(thresholds=[0.5, 2.0, -1.0])
    plot = plot_roc(curve)
    fpr, tpr, _ = curve.roc()
    np.testing.assert_array_equal(points(plot.lines_[1]), np.column_stack([fpr, tpr])[[1, 0, 2]])
    assert plot.lines_[1].get_marker() == "."
    assert legend_texts(plot) == ["3 thresholds", "chance"]
    assert legend_texts(plot_roc(binary(thresholds=[1.5]))) == ["1 threshold", "chance"]


def test_an_area_is_not_rounded_to_one():
    y_true = np.arange(1000) >= 500
    scores = np.arange(1000.0)
    scores[[499, 500]] = 500, 499
    assert legend_texts(plot_roc(ThresholdCurve.from_scores(y_true, scores)))[0] == "AUC 0.999996"
    assert (
        legend_texts(plot_roc(ThresholdCurve.from_scores(y_true, np.arange(1000))))[0] == "AUC 1.00"
    )


# Room for everything.


@pytest.mark.parametrize("names", [["$5-$10", "_hidden", "a\nb"], [LONG + "$x", LONG + "y", "z"]])
def test_names_are_not_formulas_on_one_line_and_shortened(names):
    plot = plot_roc(multiclass(3, names))
    shown = [text.replace("\n", " ") for text in legend_texts(plot)]
    written = [text.rpartition(" (")[0] for text in shown[:3]]
    for text, name in zip(written, names, strict=True):
        whole = name.replace("\n", "\\n")
        beginning, _, end = text.partition("\N{HORIZONTAL ELLIPSIS}")
        assert whole.startswith(beginning)
        assert whole.endswith(end)
        assert len(text) <= 20
        assert text == whole or len(whole) > 20
    assert len({*written}) == 3
    legend = plot.ax_.get_legend()
    assert not any(text.get_parse_math() for text in [*legend.get_texts(), legend.get_title()])


@pytest.mark.parametrize(
    ("n_classes", "dpi"), [(2, 200), pytest.param(8, 72, marks=pytest.mark.slow)]
)
def test_no_roc_plot_is_cut_and_its_legend_covers_no_line(n_classes, dpi):
    """The slow one has the longest legend."""
    plot = plot_roc(multiclass(n_classes))
    plot.figure_.set_dpi(dpi)
    check_nothing_is_cut(plot)
    check_legend_covers_no_line(plot.ax_)


@pytest.mark.parametrize(
    ("metrics", "font_size"),
    [
        (["mcc", "symmetric_extremal_dependence_index"], 14),
        pytest.param(["f1"], 14, marks=pytest.mark.slow),
        pytest.param(["positive_likelihood_ratio", "lift"], 10, marks=pytest.mark.slow),
    ],
)
def test_no_plot_of_metrics_is_cut(metrics, font_size):
    """The slow ones have short names, and axes of proportions and of ratios."""
    matplotlib.rcParams["font.size"] = font_size
    plot = plot_threshold_curve(binary(), metrics, subject_to={"recall": 0.1})
    check_nothing_is_cut(plot)


# Manners.


def test_given_axes_are_used_and_keep_their_figure():
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4), layout="constrained")
    metrics, roc = plot_threshold_curve(binary(), ax=left), plot_roc(multiclass(3), ax=right)
    assert (metrics.ax_, roc.ax_) == (left, right)
    assert metrics.figure_ is roc.figure_ is figure
    assert figure.get_size_inches().tolist() == [12, 4]
    assert plt.get_fignums() == [figure.number]
    check_nothing_is_cut(metrics, roc)


@pytest.mark.usefixtures("few_replicates")
def test_a_legend_is_inside_its_axes_which_keep_their_size_however_long_its_names():
    curves = {f"{LONG} number {k}": binary(60, seed=k) for k in range(2)}
    sizes = []
    for names in (["a longer model", "another model"], [*curves]):
        figure, ax = plt.subplots(figsize=(3, 3), layout="constrained")
        plot_roc(dict(zip(names, curves.values(), strict=True)), confidence_level=0.95, ax=ax)
        figure.draw_without_rendering()
        sizes.append(ax.get_window_extent().width)
        box, inside = ax.get_legend().get_window_extent(), ax.get_window_extent()
        assert inside.x0 <= box.x0 <= box.x1 <= inside.x1
        assert inside.y0 <= box.y0 <= box.y1 <= inside.y1
        for text in ax.get_legend().get_texts()[:2]:
            details = text.get_text().split("\n")[-1]
            assert details.startswith("(AUC")
            assert details.endswith("])")
    assert sizes[0] == sizes[1]


@pytest.mark.usefixtures("few_replicates")
def test_a_legend_that_is_too_large_does_not_shrink_its_axes():
    figure, ax = plt.subplots(figsize=(2, 1.4), layout="constrained")
    plot_roc(binary(60), name="forest", confidence_level=0.95, ax=ax)
    figure.draw_without_rendering()
    assert ax.get_legend().get_window_extent().height > ax.get_window_extent().height
    assert ax.get_window_extent().height > 0.5 * figure.bbox.height


@pytest.mark.parametrize(
    "draw", [lambda: plot_threshold_curve(binary(9)), lambda: plot_roc(multiclass(3))]
)
def test_a_plot_changes_no_setting_is_not_shown_and_pickles(draw, monkeypatch):
    monkeypatch.setattr(plt, "show", lambda *_: pytest.fail("shown"))
    before = dict(matplotlib.rcParams)
    plot = draw()
    assert dict(matplotlib.rcParams) == before
    assert plt.get_fignums() == [plot.figure_.number]
    assert isinstance(plot, (ThresholdCurvePlot, RocPlot))
    with pytest.raises(AttributeError):
        plot.ax_ = None
    copy = pickle.loads(pickle.dumps(plot.figure_))
    assert [text.get_text() for text in copy.axes[0].get_legend().get_texts()] == legend_texts(plot)


def test_without_matplotlib_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name, draw in (("plot_threshold_curve", plot_threshold_curve), ("plot_roc", plot_roc)):
        with pytest.raises(
            ImportError, match=rf"^{name} needs matplotlib: pip install 'skmetrics-ext\[plot\]'\.$"
        ):
            draw(binary())


@pytest.mark.parametrize(
    ("error", "message", "arguments", "parameters"),
    [
        (
            TypeError,
            r"curve must be a ThresholdCurve; got list\. Make one with "
            r"ThresholdCurve.from_scores\(",
            ([0, 1],),
            {},
        ),
        (
            TypeError,
            r"got ThresholdCurves: pass one of them, curves\[label\], or curves\.micro",
            (multiclass(3),),
            {},
        ),
        (ValueError, r"metrics is empty: specify at least one", (binary(), []), {}),
        (TypeError, r"metrics must be a metric, a list of metrics .*; got 5", (binary(), 5), {}),
        (ValueError, r"f2.*It is 'fbeta' with beta=2", (binary(), ["f2"]), {}),
        (
            ValueError,
            r"specifies an average, but a curve is for one class: pass 'recall'",
            (binary(), ["recall_macro"]),
            {},
        ),
        (ValueError, r"metrics has 'f1' twice: name each once", (binary(), ["f1", "f1"]), {}),
        (TypeError, r"none of the metrics has a parameter 'beta'", (binary(),), {"beta": 2}),
        (TypeError, r"fbeta needs the parameter 'beta': pass beta=", (binary(), "fbeta"), {}),
        (TypeError, r"subject_to must be a dict of bounds", (binary(),), {"subject_to": 0.9}),
        (TypeError, r"ax must be one matplotlib Axes; got list", (binary(),), {"ax": []}),
    ],
)
def test_metrics_that_cannot_be_drawn_are_an_error_and_leave_no_figure(
    error, message, arguments, parameters
):
    with pytest.raises(error, match=message):
        plot_threshold_curve(*arguments, **parameters)
    assert plt.get_fignums() == []


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        (
            r"curves must be a ThresholdCurve or ThresholdCurves, or a dict .*; got list\. Make "
            r"them with .*from_scores\(",
            ([0],),
        ),
        (r"ax must be one matplotlib Axes; got int", (binary(), 3)),
    ],
)
def test_what_is_not_a_curve_is_an_error_and_leaves_no_figure(message, arguments):
    curves, *ax = arguments
    with pytest.raises(TypeError, match=message):
        plot_roc(curves, **({"ax": ax[0]} if ax else {}))
    assert plt.get_fignums() == []
