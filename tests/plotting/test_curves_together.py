"""Curves that share axes, and precision-recall curves: lines, areas, colors, one legend."""

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext import ThresholdCurve, ThresholdCurves, plot_precision_recall, plot_roc
from skmetrics_ext.plotting.lines import LINE_COLOURS

BOTH = pytest.mark.parametrize("draw", [plot_roc, plot_precision_recall])


def data(n_samples=300, seed=0, share=0.5):
    random = np.random.default_rng(seed)
    y_true = (random.random(n_samples) < share).astype(int)
    return y_true, np.round(random.normal(2 * y_true), 2)


def curve(seed=0, share=0.5, **options):
    return ThresholdCurve.from_scores(*data(seed=seed, share=share), **options)


def classes(n_classes=3, n_samples=400):
    random = np.random.default_rng(0)
    y_true = random.integers(0, n_classes, n_samples)
    scores = (
        random.random((n_samples, n_classes))
        + np.linspace(0.2, 1, n_classes) * np.eye(n_classes)[y_true]
    )
    return y_true, scores / scores.sum(axis=1, keepdims=True)


def texts_of(plot):
    return [text.get_text() for text in plot.ax_.get_legend().get_texts()]


def area_of_steps(line):
    assert line.get_drawstyle() == "steps-pre"
    x, y = line.get_data()
    assert (np.diff(x) >= 0).all()
    assert x[0] == 0
    return float((np.diff(x) * y[1:]).sum())


# Precision and recall.


@pytest.mark.parametrize("ties", ["positive", "negative"])
def test_the_line_has_the_points_of_scikit_learn(ties):
    y_true, scores = data()
    plot = plot_precision_recall(ThresholdCurve.from_scores(y_true, scores, ties=ties))
    precision, recall, _ = sk.precision_recall_curve(y_true, scores)
    drawn = set(map(tuple, np.column_stack(plot.lines_[1].get_data())[1:].round(12).tolist()))
    # Without the end that no threshold has, and with all samples predicted positive.
    assert drawn == set(map(tuple, np.column_stack([recall, precision])[:-1].round(12).tolist()))
    assert texts_of(plot)[0] == f"AP {sk.average_precision_score(y_true, scores):.2f}"
    assert (plot.ax_.get_xlabel(), plot.ax_.get_ylabel()) == ("recall", "precision")
    assert plot.ax_.get_xlim() == plot.ax_.get_ylim() == (-0.03, 1.03)


@settings(max_examples=3)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_samples=st.integers(1, 40),
    decimals=st.integers(0, 2),
    ties=st.sampled_from(["positive", "negative"]),
)
def test_average_precision_is_the_area_under_the_steps(seed, n_samples, decimals, ties):
    random = np.random.default_rng(seed)
    y_true = np.append(1, random.integers(0, 2, n_samples))
    scores = np.round(random.random(n_samples + 1), decimals) / 2
    plot = plot_precision_recall(ThresholdCurve.from_scores(y_true, scores, ties=ties))
    assert area_of_steps(plot.lines_[1]) == pytest.approx(
        sk.average_precision_score(y_true, scores)
    )
    plt.close("all")


def test_a_line_begins_where_the_highest_score_is_of_a_negative():
    line = plot_precision_recall(ThresholdCurve.from_scores([0, 1], [0.9, 0.1])).lines_[1]
    points = np.column_stack([line.get_xdata(), line.get_ydata()])
    np.testing.assert_array_equal(np.unique(points, axis=0), [[0, 0], [1, 0.5]])


def test_chance_is_the_prevalence():
    y_true, scores = data(share=0.1)
    weights = np.random.default_rng(1).random(len(y_true))
    share = np.average(y_true, weights=weights)
    plot = plot_precision_recall(ThresholdCurve.from_scores(y_true, scores, sample_weight=weights))
    np.testing.assert_allclose(plot.chance_levels_[1].get_ydata(), share)
    assert texts_of(plot)[-1] == f"chance (prevalence {share:#.2g})"


def test_classes_have_their_own_prevalence_area_and_number_and_a_micro_average():
    y_true, scores = classes()
    one_hot = np.eye(3)[y_true]
    plot = plot_precision_recall(ThresholdCurves.from_scores(y_true, scores))
    areas = sk.average_precision_score(one_hot, scores, average=None)
    n = np.bincount(y_true)
    assert texts_of(plot) == [
        *(f"{k} (AP {areas[k]:.2f}, n = {n[k]})" for k in range(3)),
        f"micro average (AP {sk.average_precision_score(one_hot, scores, average='micro'):.2f})",
        "chance (prevalence of each curve)",
    ]
    for k, line in plot.lines_.items():
        assert area_of_steps(line) == pytest.approx(areas[k])
        chance = plot.chance_levels_[k]
        np.testing.assert_allclose(chance.get_ydata(), n[k] / len(y_true))
        assert chance.get_color() == line.get_color()
    assert area_of_steps(plot.average_lines_["micro"]) == pytest.approx(
        sk.average_precision_score(one_hot, scores, average="micro")
    )


def test_a_curve_of_given_thresholds_has_dots_and_no_area():
    plot = plot_precision_recall(curve(thresholds=[0.5, np.inf, 2.0]))
    assert plot.lines_[1].get_marker() == "."
    expected = [
        [float(curve().at(t).score(metric)) for metric in ("recall", "precision")]
        for t in (2.0, 0.5)
    ]
    np.testing.assert_allclose(np.column_stack(plot.lines_[1].get_data()), expected)
    assert texts_of(plot)[0] == "3 thresholds"


def test_without_positives_the_legend_says_so():
    with pytest.warns(
        UndefinedMetricWarning, match=r"average_precision is undefined for \[1\].*no positives"
    ):
        plot = plot_precision_recall(ThresholdCurve.from_scores([0, 0], [0.1, 0.7], pos_label=1))
    assert texts_of(plot) == ["no positives"]
    assert len(plot.lines_[1].get_xdata()) == 0
    y_true, scores = classes()
    curves = ThresholdCurves.from_scores(
        np.array(["a", "b"])[y_true % 2], scores, classes=["a", "b", "c"]
    )
    with pytest.warns(UndefinedMetricWarning, match=r"\['c'\]") as caught:
        plot = plot_precision_recall(curves)
    assert len(caught) == 1
    assert texts_of(plot)[2] == "c (no positives)"


# Several models.


@BOTH
def test_models_by_name_have_their_colors_and_names(draw):
    models = {"forest": curve(0), "logistic": curve(1)}
    plot = draw(models)
    assert list(plot.lines_) == ["forest", "logistic"]
    assert [text.partition(" (")[0] for text in texts_of(plot)[:2]] == ["forest", "logistic"]
    assert "n = " not in "".join(texts_of(plot))
    assert [line.get_color() for line in plot.lines_.values()] == list(LINE_COLOURS[:2])
    assert plot.average_lines_ == {}


def test_models_of_the_same_samples_share_their_chance():
    y_true, scores = data()
    models = {
        name: ThresholdCurve.from_scores(y_true, scores * factor)
        for name, factor in (("a", 1), ("b", -1))
    }
    plot = plot_precision_recall(models)
    assert plot.chance_levels_["a"] is plot.chance_levels_["b"]
    assert texts_of(plot)[-1] == f"chance (prevalence {y_true.mean():.2f})"


@pytest.mark.parametrize(
    "draw", [plot_precision_recall, pytest.param(plot_roc, marks=pytest.mark.slow)]
)
def test_a_second_plot_takes_the_next_color_and_adds_to_the_legend(draw):
    """The slow one is the other picture."""
    first = draw(curve(0), name="forest")
    second = draw(ThresholdCurve.from_scores(*data(seed=0)), name="logistic", ax=first.ax_)
    third = draw(ThresholdCurve.from_scores(*data(seed=0)), name="_boost", ax=first.ax_)
    names = [text.partition(" (")[0] for text in texts_of(third)]
    assert names == ["forest", "logistic", "_boost", "chance"]
    lines = [first.lines_["forest"], second.lines_["logistic"], third.lines_["_boost"]]
    assert [line.get_color() for line in lines] == list(LINE_COLOURS[:3])
    handles = third.ax_.get_legend().legend_handles
    assert [handle.get_color() for handle in handles[:3]] == list(LINE_COLOURS[:3])
    assert len(third.ax_.lines) == 4
    # There is room inside, where it covers no line.
    third.figure_.draw_without_rendering()
    box, inside = third.ax_.get_legend().get_window_extent(), third.ax_.get_window_extent()
    assert inside.x0 <= box.x0 < box.x1 <= inside.x1
    assert inside.y0 <= box.y0 < box.y1 <= inside.y1
    for line in third.ax_.lines:
        x, y = line.get_transform().transform(line.get_xydata()).T
        assert not ((box.x0 < x) & (x < box.x1) & (box.y0 < y) & (y < box.y1)).any()


@BOTH
def test_names_are_prefixes_of_those_of_classes(draw):
    curves = ThresholdCurves.from_scores(*classes())
    plot = draw(curves, name="forest")
    assert [text.partition(" (")[0] for text in texts_of(plot)[:3]] == [
        "forest: 0",
        "forest: 1",
        "forest: 2",
    ]
    assert all(line.get_label().startswith("forest: ") for line in plot.average_lines_.values())


@pytest.mark.parametrize("draw_theirs", [sk.RocCurveDisplay.from_predictions, None])
def test_entries_of_scikit_learn_are_kept(draw_theirs):
    y_true, scores = data()
    _, ax = plt.subplots()
    if draw_theirs is None:
        sk.PrecisionRecallDisplay.from_predictions(y_true, scores, name="theirs", ax=ax)
        plot = plot_precision_recall(curve(1), name="ours", ax=ax)
    else:
        draw_theirs(y_true, scores, name="theirs", ax=ax, plot_chance_level=True)
        plot = plot_roc(curve(1), name="ours", ax=ax)
    theirs, *_, ours, chance = texts_of(plot)
    assert (theirs[:8], ours[:6], chance[:6]) == ("theirs (", "ours (", "chance")
    assert plot.lines_["ours"].get_color() == LINE_COLOURS[1]
    handle = ax.get_legend().legend_handles[0]
    assert matplotlib.colors.same_color(handle.get_color(), ax.lines[0].get_color())


@pytest.mark.parametrize(
    "draw", [plot_roc, pytest.param(plot_precision_recall, marks=pytest.mark.slow)]
)
def test_more_curves_than_colors_repeat_them_with_another_line(draw):
    """The slow one is the other picture."""
    curves = dict.fromkeys(range(8), curve(0))
    first = draw(curves)
    second = draw({f"{k} again": one for k, one in curves.items()}, ax=first.ax_)
    looks = {
        (line.get_color(), line.get_linestyle())
        for plot in (first, second)
        for line in plot.lines_.values()
    }
    assert len(looks) == 16


# Operating points.


@pytest.mark.parametrize(
    ("draw", "threshold"), [(plot_roc, 0.5), (plot_precision_recall, {"b": -1.25, "a": 3})]
)
def test_the_operating_point_is_where_the_curve_is_at_the_threshold(draw, threshold):
    samples = {"a": data(seed=0), "b": data(seed=1)}
    plot = draw(
        {name: ThresholdCurve.from_scores(*pair) for name, pair in samples.items()},
        threshold=threshold,
    )
    assert set(plot.points_) == {"a", "b"}
    for name, (y_true, scores) in samples.items():
        positive = scores >= (threshold if isinstance(threshold, float) else threshold[name])
        recall = positive[y_true == 1].mean()
        fpr, precision = positive[y_true == 0].mean(), y_true[positive].mean()
        expected = [fpr, recall] if draw is plot_roc else [recall, precision]
        mark = plot.points_[name]
        np.testing.assert_allclose(np.ravel(mark.get_data()), expected)
        assert mark.get_color() == plot.lines_[name].get_color()
    entries = ["at 0.500"] if isinstance(threshold, float) else ["a at 3", "b at -1.25"]
    assert texts_of(plot)[2 : 2 + len(entries)] == entries


@BOTH
def test_one_curve_of_several_may_have_a_point(draw):
    plot = draw({"a": curve(0), "b": curve(1)}, threshold={"b": 0.5})
    assert list(plot.points_) == ["b"]
    assert texts_of(plot)[2] == "b at 0.500"
    assert draw(curve(0)).points_ == {}


# Mistakes.


@BOTH
@pytest.mark.parametrize(
    ("error", "message", "curves", "options"),
    [
        (TypeError, r"curves\['a'\] must be a ThresholdCurve; got int", {"a": 1}, {}),
        (
            TypeError,
            r"got ThresholdCurves; .* pooled curve .micro",
            {"a": ThresholdCurves.from_scores(*classes())},
            {},
        ),
        (ValueError, "curves is empty", {}, {}),
        (
            ValueError,
            r"threshold has the key 'c', but the curves are \['a'\]",
            {"a": curve()},
            {"threshold": {"c": 1}},
        ),
        (ValueError, "threshold is NaN", curve(), {"threshold": np.nan}),
        (TypeError, "threshold must be", curve(), {"threshold": "0.5"}),
    ],
)
def test_what_cannot_be_drawn_is_an_error_and_leaves_no_figure(
    draw, error, message, curves, options
):
    with pytest.raises(error, match=message):
        draw(curves, **options)
    assert plt.get_fignums() == []
