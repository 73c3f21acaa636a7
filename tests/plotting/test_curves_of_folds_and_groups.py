"""Plots of curves of folds: the mean line, its band, thin lines, the legend; and of groups."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.colors import same_color
from sklearn import metrics as sk
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit

from skmetrics_ext import (
    ThresholdCurve,
    ThresholdCurves,
    cross_val_threshold_curves,
    plot_decision_curve,
    plot_precision_recall,
    plot_roc,
)
from skmetrics_ext.counting.ranking import Samples
from skmetrics_ext.curves.inputs import CurveLabels
from skmetrics_ext.plotting.lines import LINE_COLOURS
from skmetrics_ext.results import Axis

BOTH = pytest.mark.parametrize("draw", [plot_roc, plot_precision_recall])
# What folds have in common in both is tested of one, and of the other by slow tests.
ONE = pytest.mark.parametrize(
    "draw", [plot_roc, pytest.param(plot_precision_recall, marks=pytest.mark.slow)]
)
OTHER = pytest.mark.parametrize(
    "draw", [plot_precision_recall, pytest.param(plot_roc, marks=pytest.mark.slow)]
)
AREAS = {
    plot_roc: ("AUC", sk.roc_auc_score),
    plot_precision_recall: ("AP", sk.average_precision_score),
}


def samples_of(n_folds, seed=0, n_samples=60, decimals=1, share=0.4, weighted=False):
    """Labels, scores and weights of each fold, with ties."""
    random = np.random.default_rng(seed)
    y_true = random.random((n_folds, n_samples)) < share
    y_true[:, :2] = [False, True]
    scores = np.round(random.normal(1.5 * y_true), decimals)
    return [
        (y, s, random.random(n_samples) if weighted else None)
        for y, s in zip(y_true, scores, strict=True)
    ]


def curves_of(samples, axis="fold", coordinates=None):
    coordinates = np.arange(len(samples)) if coordinates is None else np.array(coordinates)
    entries = tuple(
        Samples(np.array(scores), np.array(y_true), weights) for y_true, scores, weights in samples
    )
    return ThresholdCurves._of(
        Axis(axis, coordinates), entries, CurveLabels(np.array(["no", "yes"]), "yes")
    )


def texts_of(plot):
    return [text.get_text() for text in plot.ax_.get_legend().get_texts()]


def precision_at(y_true, scores, recall):
    """The precision of the highest threshold with at least this recall, one threshold at a time."""
    for threshold in np.unique(scores)[::-1]:
        positive = scores >= threshold
        if (positive & y_true).sum() / y_true.sum() >= max(recall, 1e-12):
            return y_true[positive].mean()
    raise AssertionError


def area_of_steps(line):
    assert line.get_drawstyle() == "steps-pre"
    x, y = line.get_data()
    return float((np.diff(x) * y[1:]).sum())


def outline(band):
    """The edges of a band where it has them: x to the pair of the smallest and the
    largest y there.
    """
    (path,) = band.get_paths()
    return path.vertices


# The mean.


def test_the_mean_roc_curve_interpolates_each_fold():
    samples = samples_of(4)
    x, y = plot_roc(curves_of(samples)).lines_["yes"].get_data()
    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
    assert (np.diff(x) >= 0).all()
    assert (np.diff(y) >= -1e-12).all()
    inside = np.array([0.013, 0.222, 0.501, 0.777])
    fold_rates = [
        sk.roc_curve(y_true, scores, drop_intermediate=False)[:2] for y_true, scores, _ in samples
    ]
    expected = np.mean([np.interp(inside, *rates) for rates in fold_rates], axis=0)
    np.testing.assert_allclose(np.interp(inside, x, y), expected)


def test_the_mean_precision_is_that_of_the_highest_threshold_with_the_recall():
    samples = samples_of(4)
    x, y = plot_precision_recall(curves_of(samples)).lines_["yes"].get_data()
    assert (x[0], x[-1]) == (0, 1)
    assert (np.diff(x) > 0).all()
    for k, recall in enumerate(x):
        assert y[k] == pytest.approx(
            np.mean([precision_at(y_true, scores, recall) for y_true, scores, _ in samples])
        )


@settings(max_examples=3)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_folds=st.integers(2, 5),
    n_samples=st.integers(2, 30),
    decimals=st.integers(0, 2),
    weighted=st.booleans(),
)
def test_the_area_under_the_mean_is_the_mean_of_the_areas(
    seed, n_folds, n_samples, decimals, weighted
):
    samples = samples_of(n_folds, seed, n_samples, decimals, weighted=weighted)
    curves = curves_of(samples)
    for draw in (plot_roc, plot_precision_recall):
        line = draw(curves).lines_["yes"]
        _, area = AREAS[draw]
        expected = np.mean(
            [area(y_true, scores, sample_weight=weights) for y_true, scores, weights in samples]
        )
        found = (
            np.trapezoid(line.get_ydata(), line.get_xdata())
            if draw is plot_roc
            else area_of_steps(line)
        )
        assert found == pytest.approx(expected)
    plt.close("all")


@BOTH
def test_areas_of_many_samples_and_folds_are_exact(draw, monkeypatch):
    monkeypatch.setattr("skmetrics_ext.plotting.many_curves.MOST_COMMON_POINTS", 4_000)
    samples = samples_of(6, n_samples=2_000, decimals=9)
    plot = draw(curves_of(samples))
    x, y = plot.lines_["yes"].get_data()
    name, area = AREAS[draw]
    areas = [area(y_true, scores) for y_true, scores, _ in samples]
    assert texts_of(plot)[0] in [
        f"mean ({name} {np.mean(areas):.{d}f} ± {np.std(areas):.{d}f})" for d in (2, 3)
    ]
    found = np.trapezoid(y, x) if draw is plot_roc else area_of_steps(plot.lines_["yes"])
    assert found == pytest.approx(np.mean(areas), abs=2e-3)


# The band.


def test_the_band_is_one_standard_deviation_and_stays_within_rates():
    samples = samples_of(3, n_samples=300)
    plot = plot_precision_recall(curves_of(samples))
    vertices = outline(plot.bands_["yes"])
    assert vertices[:, 1].min() >= 0
    assert vertices[:, 1].max() <= 1
    x = plot.lines_["yes"].get_xdata()
    values = np.array(
        [[precision_at(y_true, scores, recall) for recall in x] for y_true, scores, _ in samples]
    )
    low, high = values.mean(axis=0) - values.std(axis=0), values.mean(axis=0) + values.std(axis=0)
    for k in range(1, len(x)):
        at = vertices[np.isclose(vertices[:, 0], x[k]), 1]
        # Where two steps meet the band has the ends of both.
        assert np.isclose(at, np.clip(low[k], 0, 1)).any()
        assert np.isclose(at, np.clip(high[k], 0, 1)).any()


def test_two_small_folds_by_hand():
    curves = curves_of(
        [([False, True, True], [0.9, 0.5, 0.1], None), ([True, False], [0.8, 0.2], None)]
    )
    plot = plot_precision_recall(curves)
    x, y = plot.lines_["yes"].get_data()
    # The precisions are 1/2 and 1 up to a recall of 1/2, then 2/3 and 1; at recall 0 those of the
    # first step.
    assert x.tolist() == [0, 1 / 2, 1]
    np.testing.assert_allclose(y, [3 / 4, 3 / 4, 5 / 6])
    (path,) = plot.bands_["yes"].get_paths()
    for recall, low in ((0.01, 1 / 2), (0.49, 1 / 2), (0.51, 2 / 3), (0.99, 2 / 3)):
        assert path.contains_point((recall, low + 0.01))
        assert not path.contains_point((recall, low - 0.01))
        assert path.contains_point((recall, 0.99))


def test_the_band_of_a_roc_curve_is_around_its_mean():
    samples = samples_of(5, n_samples=200)
    plot = plot_roc(curves_of(samples))
    vertices = outline(plot.bands_["yes"])
    x, y = plot.lines_["yes"].get_data()
    for k in np.flatnonzero((x > 0) & (x < 1))[::7]:
        at = vertices[np.isclose(vertices[:, 0], x[k]), 1]
        assert at.min() - 1e-9 <= y[k] <= at.max() + 1e-9
    assert same_color(plot.bands_["yes"].get_facecolor()[0][:3], plot.lines_["yes"].get_color())


@ONE
def test_folds_that_agree_have_a_mean_that_is_theirs_and_no_deviation(draw):
    """The slow one is the other picture."""
    (sample,) = samples_of(1)
    name, area = AREAS[draw]
    plot = draw(curves_of([sample] * 3))
    assert texts_of(plot)[0] == f"mean ({name} {area(*sample[:2]):.2f} ± 0.00)"
    x, y = plot.lines_["yes"].get_data()
    single = draw(ThresholdCurve.from_scores(*sample[:2], pos_label=True)).lines_[True]
    assert set(zip(x.round(9), y.round(9), strict=True)) <= {
        *zip(*(part.round(9) for part in single.get_data()), strict=True),
        (0.0, y[0].round(9)),
    }


# The legend and the thin lines.


@BOTH
def test_the_legend_has_the_mean_area_the_deviation_and_the_number_of_folds(draw):
    samples = samples_of(5)
    name, area = AREAS[draw]
    areas = [area(y_true, scores) for y_true, scores, _ in samples]
    plot = draw(curves_of(samples))
    details = f"{name} {np.mean(areas):.2f} ± {np.std(areas):.2f}"
    assert texts_of(plot)[:2] == [f"mean ({details})", "± 1 SD over 5 folds"]
    assert texts_of(plot)[2].startswith("chance")
    assert len(texts_of(plot)) == 3
    assert plot.average_lines_ == {}
    named = draw(curves_of(samples), name="forest")
    assert texts_of(named)[0] == f"forest ({details})"
    assert list(named.lines_) == list(named.bands_) == ["forest"]


@BOTH
def test_a_small_deviation_has_as_many_decimals_as_it_needs(draw):
    samples = samples_of(2, n_samples=2_000, decimals=6, seed=14)
    name, area = AREAS[draw]
    areas = [area(y_true, scores) for y_true, scores, _ in samples]
    assert 0.0005 < np.std(areas) < 0.0049
    assert (
        texts_of(draw(curves_of(samples)))[0]
        == f"mean ({name} {np.mean(areas):.3f} ± {np.std(areas):.3f})"
    )


@BOTH
def test_one_curve_with_folds_shows_them_as_thin_lines(draw):
    samples = samples_of(2)
    plot = draw(curves_of(samples, coordinates=[3, 1]))
    lines = plot.fold_lines_["yes"]
    assert list(lines) == [3, 1]
    for line, (y_true, scores, _) in zip(lines.values(), samples, strict=True):
        alone = draw(ThresholdCurve.from_scores(y_true, scores, pos_label=True)).lines_[True]
        np.testing.assert_allclose(line.get_xydata(), alone.get_xydata())
        assert line.get_drawstyle() == alone.get_drawstyle()
        assert line.get_linewidth() < plot.lines_["yes"].get_linewidth()
        assert line.get_color() == plot.lines_["yes"].get_color() == LINE_COLOURS[0]
    handles, _ = plot.ax_.get_legend_handles_labels()
    assert not set(handles) & set(lines.values())


@ONE
def test_more_folds_are_fainter(draw):
    """The slow one is the other picture."""
    few, many = (draw(curves_of(samples_of(n))).fold_lines_["yes"] for n in (5, 20))
    assert many[0].get_alpha() < few[0].get_alpha()


@OTHER
def test_models_with_folds_have_a_mean_and_a_band_each(draw):
    """The slow one is the other picture."""
    models = {"forest": curves_of(samples_of(5)), "logistic": curves_of(samples_of(5, seed=1))}
    plot = draw(models)
    assert list(plot.lines_) == list(plot.bands_) == ["forest", "logistic"]
    assert plot.fold_lines_ == {}
    for color, key in zip(LINE_COLOURS, models, strict=False):
        assert same_color(plot.lines_[key].get_color(), color)
        assert same_color(plot.bands_[key].get_facecolor()[0][:3], color)
    assert [text.partition(" (")[0] for text in texts_of(plot)[:3]] == [
        "forest",
        "logistic",
        "± 1 SD over 5 folds",
    ]
    # The patch of both bands has the color of neither.
    patch = plot.ax_.get_legend().legend_handles[2]
    assert not any(same_color(patch.get_facecolor()[:3], color) for color in LINE_COLOURS[:2])


@ONE
def test_a_model_with_folds_and_one_without_share_axes(draw):
    """The slow one is the other picture."""
    (y_true, scores, _), *_ = samples = samples_of(5)
    plot = draw(
        {
            "folds": curves_of(samples),
            "test": ThresholdCurve.from_scores(y_true, scores, pos_label=True),
        }
    )
    assert list(plot.bands_) == ["folds"]
    assert " ± " in texts_of(plot)[0]
    assert " ± " not in texts_of(plot)[1]
    different = draw({"five": curves_of(samples), "three": curves_of(samples[:3])})
    assert texts_of(different)[2] == "± 1 SD over the folds"


@ONE
def test_a_second_plot_on_the_axes_takes_the_next_color(draw):
    """The slow one is the other picture."""
    first = draw(curves_of(samples_of(5)), name="forest")
    second = draw(curves_of(samples_of(5, seed=1)), name="logistic", ax=first.ax_)
    assert second.lines_["logistic"].get_color() == LINE_COLOURS[1]
    names = [text.partition(" (")[0] for text in texts_of(second)]
    entries = [name for name in names if name != "chance"]
    assert entries == ["forest", "± 1 SD over 5 folds", "logistic", "± 1 SD over 5 folds"]


# Points, chance, and what is undefined.


@BOTH
def test_the_operating_point_is_that_of_all_samples_together(draw):
    samples = samples_of(4)
    y_true, scores = (np.concatenate(part) for part in list(zip(*samples, strict=True))[:2])
    plot = draw(curves_of(samples), threshold=0.7)
    positive = scores >= 0.7
    recall, fpr, precision = (
        positive[y_true].mean(),
        positive[~y_true].mean(),
        y_true[positive].mean(),
    )
    expected = [fpr, recall] if draw is plot_roc else [recall, precision]
    np.testing.assert_allclose(np.ravel(plot.points_["yes"].get_data()), expected)
    if draw is plot_precision_recall:
        np.testing.assert_allclose(plot.chance_levels_["yes"].get_ydata(), y_true.mean())


@BOTH
def test_a_fold_without_positives_is_left_out_and_named(draw):
    samples = samples_of(3)
    lacking = (np.zeros(5, dtype=bool), np.arange(5.0), None)
    metric = "roc_auc" if draw is plot_roc else "average_precision"
    message = (
        rf"{metric} is undefined for the folds \[1\], since there are no positives: excluded from "
        r"the mean"
    )
    with pytest.warns(UndefinedMetricWarning, match=message) as caught:
        plot = draw(curves_of([samples[0], lacking, *samples[1:]]))
    assert len(caught) == 1
    assert texts_of(plot)[:2] == [texts_of(draw(curves_of(samples)))[0], "± 1 SD over 3 folds"]
    assert len(plot.fold_lines_["yes"][1].get_xdata()) == 0
    with pytest.warns(UndefinedMetricWarning, match=r"the folds \[1\] of 'a\\nb'"):
        draw({"a\nb": curves_of([samples[0], lacking])})


@OTHER
def test_folds_that_are_all_undefined_have_no_line_and_say_so(draw):
    """The slow one is the other picture."""
    lacking = (np.zeros(5, dtype=bool), np.arange(5.0), None)
    with pytest.warns(UndefinedMetricWarning, match=r"the folds \[0, 1\]"):
        plot = draw(curves_of([lacking, lacking]))
    assert texts_of(plot)[0] == "no positives"
    assert len(plot.lines_["yes"].get_xdata()) == 0
    assert plot.bands_ == plot.fold_lines_ == {}


@OTHER
def test_one_fold_has_no_deviation(draw):
    """The slow one is the other picture."""
    (sample,) = samples_of(1)
    name, area = AREAS[draw]
    plot = draw(curves_of([sample]))
    assert texts_of(plot)[0] == f"mean ({name} {area(*sample[:2]):.2f})"
    assert plot.bands_ == plot.fold_lines_ == {}


@ONE
def test_the_curves_of_cross_validation_are_drawn(draw):
    """The slow one is the other picture."""
    y_true, scores, _ = samples_of(1, n_samples=120)[0]
    y, X, cv = np.where(y_true, "a", "b"), scores[:, None], PredefinedSplit(np.arange(120) % 3)
    plot = draw(
        {
            "logistic": cross_val_threshold_curves(
                LogisticRegression(), X, y, pos_label="a", cv=cv
            ),
            "guess": cross_val_threshold_curves(DummyClassifier(), X, y, pos_label="a", cv=cv),
        }
    )
    areas = [AREAS[draw][1](y_true[k::3], scores[k::3]) for k in range(3)]
    assert f"{np.mean(areas):.2f} ± {np.std(areas):.2f}" in texts_of(plot)[0]


def test_a_decision_curve_of_folds_is_that_of_all_their_samples():
    random = np.random.default_rng(0)
    folds = [(random.random(200) < 0.3, random.random(200), None) for _ in range(3)]
    curves = curves_of(folds)
    plot = plot_decision_curve({"forest": curves})
    assert list(plot.lines_) == ["forest"]
    x, y = plot.lines_["forest"].get_data()
    np.testing.assert_allclose(y, curves.sum("fold").net_benefit(x))
    # Folds of equal size have the mean of their net benefits.
    np.testing.assert_allclose(
        y, np.mean([curve.net_benefit(x) for curve in curves.values()], axis=0), atol=1e-12
    )


# Groups.


@ONE
def test_groups_have_a_line_each_their_number_of_samples_and_no_average(draw):
    """The slow one is the other picture."""
    samples = [*samples_of(2), *samples_of(1, n_samples=30)]
    plot = draw(curves_of(samples, "group", ["east", "north", "west"]))
    name, area = AREAS[draw]
    expected = [
        f"{group} ({name} {area(y_true, scores):.2f}, n = {len(y_true)})"
        for group, (y_true, scores, _) in zip(["east", "north", "west"], samples, strict=True)
    ]
    assert texts_of(plot)[:3] == expected
    assert texts_of(plot)[3].startswith("chance")
    assert plot.average_lines_ == plot.bands_ == {}


@BOTH
@pytest.mark.parametrize(
    ("curves", "advice"),
    [
        (curves_of(samples_of(2), "group"), r"pooled curve \.sum\('group'\)"),
        (ThresholdCurves.from_scores([0, 1, 2], np.eye(3)), r"pooled curve \.micro"),
    ],
)
def test_curves_of_groups_or_classes_of_several_models_are_refused(draw, curves, advice):
    with pytest.raises(TypeError, match=advice):
        draw({"a": curves})
    assert plt.get_fignums() == []
