"""Bands around the lines of a curve: their edges are the confidence limits at each threshold."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import colors
from matplotlib import pyplot as plt

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, metric_interval, plot_threshold_curve
from skmetrics_ext.curves.bands import MOST_LIMITS
from tests.shared import one_in


def drawn_curve(n_samples=300, seed=0, **options):
    """A curve of decision values."""
    random = np.random.default_rng(seed)
    y_true = random.integers(0, 2, n_samples)
    return ThresholdCurve.from_scores(y_true, random.normal(1.5 * y_true), **options)


def edges_of(band):
    """The least and the largest y of the area at each x that it has a corner at."""
    corners = np.concatenate([path.vertices for path in band.get_paths()])
    # Those at 0 and 1 are a hair inside.
    whole = corners[:, 0].round()
    corners[:, 0] = np.where(np.abs(corners[:, 0] - whole) < 1e-12, whole, corners[:, 0])
    return {
        x: (corners[corners[:, 0] == x, 1].min(), corners[corners[:, 0] == x, 1].max())
        for x in set(corners[:, 0])
    }


def test_edges_are_the_limits_at_each_given_threshold():
    curve = drawn_curve(thresholds=[1.5, -0.5, np.inf, 0.25, 0.75])
    metrics = ["f1", "precision", "informedness", "accuracy", "plr"]
    plot = plot_threshold_curve(curve, metrics, confidence_level=0.9)
    for metric in metrics:
        edges = edges_of(plot.bands_[metric])
        assert sorted(edges) == [-0.5, 0.25, 0.75, 1.5]
        for threshold, found in edges.items():
            interval = curve.at(threshold).interval(metric, confidence_level=0.9)
            assert found == pytest.approx((interval.low, interval.high), rel=1e-12)
        assert colors.same_color(
            plot.bands_[metric].get_facecolor()[0][:3], plot.lines_[metric].get_color()
        )


RANDOM = np.random.default_rng(4)
DESIGNS = {
    "weights": {"sample_weight": RANDOM.gamma(2, size=300)},
    "equal weights": {"sample_weight": np.full(300, 0.2)},
    "clusters": {"clusters": RANDOM.integers(0, 40, 300)},
    "weights in clusters": {
        "sample_weight": RANDOM.gamma(2, size=300),
        "clusters": RANDOM.integers(0, 40, 300),
    },
}


@pytest.mark.parametrize(
    ("design", "ties", "positive"), one_in(4, DESIGNS, ["positive", "negative"], [0, 1])
)
def test_edges_are_the_limits_of_weighted_and_of_clustered_samples(design, ties, positive):
    """The slow ones are the other combinations."""
    of_samples = DESIGNS[design]
    y_true = RANDOM.integers(0, 2, 300)
    scores = np.round(RANDOM.normal(1.5 * (y_true == positive)), 1)
    options = {"pos_label": positive, "ties": ties, "thresholds": [-0.5, 0.3, 1.5], **of_samples}
    curve = ThresholdCurve.from_scores(y_true, scores, **options)
    plot = plot_threshold_curve(curve, ["recall", "f1"], confidence_level=0.9, random_state=0)
    for metric in ("recall", "f1"):
        edges = edges_of(plot.bands_[metric])
        assert sorted(edges) == [-0.5, 0.3, 1.5]
        asked = {"confidence_level": 0.9, "random_state": 0}
        for threshold, found in edges.items():
            is_reached = scores > threshold if ties == "negative" else scores >= threshold
            y_pred = np.where(is_reached, positive, 1 - positive)
            expected = metric_interval(
                y_true, y_pred, metric, pos_label=positive, **of_samples, **asked
            )
            assert found == pytest.approx((expected.low, expected.high), rel=1e-10)


@pytest.mark.parametrize("ties", ["positive", "negative"])
def test_a_band_has_the_steps_of_its_line(ties):
    curve = ThresholdCurve.from_scores(
        [0, 1, 0, 1, 1, 0], [0.1, 0.3, 0.4, 0.8, 0.9, 0.2], ties=ties
    )
    (path,) = (
        plot_threshold_curve(curve, "recall", confidence_level=0.95).bands_["recall"].get_paths()
    )
    for low, high in ((0.1, 0.2), (0.2, 0.3), (0.3, 0.4), (0.4, 0.8), (0.8, 0.9)):
        x = (low + high) / 2
        interval = curve.at(x).interval("recall")
        for y, is_inside in ((interval.low, 1), (interval.high, -1)):
            assert path.contains_point((x, y + is_inside * 1e-6))
            assert not path.contains_point((x, y - is_inside * 1e-6))


def test_limits_by_a_bootstrap_share_one_seed():
    curve = drawn_curve(thresholds=[0.25, 0.5, 1])
    interval = ConfusionMatrix.from_counts(
        np.stack([curve.at(t).counts for t in (0.25, 0.5, 1)]), labels=[0, 1]
    ).interval("optimized_precision", random_state=5)
    first, other = (
        edges_of(
            plot_threshold_curve(
                curve, ["optimized_precision"], confidence_level=0.95, random_state=seed
            ).bands_["optimized_precision"]
        )
        for seed in (5, 6)
    )
    assert [first[t] for t in (0.25, 0.5, 1)] == list(zip(interval.low, interval.high, strict=True))
    assert first != other


def test_many_thresholds_have_few_limits_which_are_right():
    curve = drawn_curve(5_000)
    plot = plot_threshold_curve(curve, ["f1", "recall"], confidence_level=0.95)
    edges = edges_of(plot.bands_["f1"])
    assert MOST_LIMITS / 2 < len(edges) <= MOST_LIMITS
    # The best threshold lies a little below its score.
    chosen = curve.thresholds[curve.thresholds >= plot.best_.threshold].min()
    assert {curve.thresholds.min(), curve.thresholds.max(), chosen} <= set(edges)
    for threshold in list(edges)[::20]:
        interval = curve.at(threshold).interval("f1")
        # At a threshold the band steps from its own limits to those of the next one.
        corners = np.concatenate([path.vertices for path in plot.bands_["f1"].get_paths()])
        there = corners[corners[:, 0] == threshold, 1]
        for limit in (interval.low, interval.high):
            assert np.abs(there - limit).min() < 1e-12
    # Neither the axis nor the samples have a wide gap.
    x = np.sort(list(edges))
    assert np.diff(x).max() < 0.03 * np.ptp(x)
    assert np.diff(np.searchsorted(np.sort(curve.thresholds), x)).max() <= 5_000 // 50


def test_there_is_no_band_where_a_value_is_undefined_or_infinite():
    # Nothing reaches the highest threshold, and no negative sample the next.
    curve = ThresholdCurve.from_scores(
        [0, 0, 1, 1] * 5, [0.1, 0.2, 0.5, 0.7] * 5, thresholds=[0.05, 0.15, 0.3, 0.9]
    )
    edges = edges_of(
        plot_threshold_curve(curve, ["precision"], confidence_level=0.95).bands_["precision"]
    )
    assert sorted(edges) == [0.05, 0.15, 0.3]
    edges = edges_of(plot_threshold_curve(curve, ["plr"], confidence_level=0.95).bands_["plr"])
    assert sorted(edges) == [0.05, 0.15]
    nothing = ThresholdCurve.from_scores([0, 0], [0.1, 0.2], pos_label=1)
    plot = plot_threshold_curve(nothing, ["recall"], confidence_level=0.95)
    assert not plot.bands_["recall"].get_paths()


def test_parameters_and_either_order_of_the_labels_reach_the_limits():
    random = np.random.default_rng(1)
    y_true = random.integers(0, 2, 100)
    scores = random.normal(y_true)
    curve = ThresholdCurve.from_scores(y_true, scores, pos_label=0, thresholds=[0.0, 1.0])
    plot = plot_threshold_curve(
        curve, ["fbeta", "recall"], beta=2, confidence_level=0.95, random_state=0
    )
    for metric, options in (("fbeta", {"beta": 2, "random_state": 0}), ("recall", {})):
        matrices = ConfusionMatrix.from_counts(
            np.stack([curve.at(t).counts for t in (0.0, 1.0)]), labels=curve.labels
        )
        interval = matrices.interval(metric, pos_label=0, **options)
        edges = edges_of(plot.bands_[metric])
        assert [edges[0.0], edges[1.0]] == list(zip(interval.low, interval.high, strict=True))


def test_without_a_level_there_is_no_band_and_with_one_the_legend_says_so():
    curve = drawn_curve()
    assert plot_threshold_curve(curve).bands_ == {}
    plot = plot_threshold_curve(curve, confidence_level=0.99)
    texts = [text.get_text() for text in plot.ax_.get_legend().get_texts()]
    assert [texts[:3], texts[4:]] == [["f1", "precision", "recall"], ["99 % confidence intervals"]]
    plain = plot_threshold_curve(curve)
    for name, line in plot.lines_.items():
        np.testing.assert_array_equal(line.get_xydata(), plain.lines_[name].get_xydata())


def test_mistakes_leave_no_figure():
    table = pd.DataFrame({"y": [0, 1, 1], "score": [0.1, 0.5, 0.7], "w": [0.5, 1, 1]})
    weighted = ThresholdCurve.from_frame(table, "y", "score", sample_weight="w")
    for curve, level, message in (
        (weighted, 0.95, "sums of sample_weight"),
        (drawn_curve(9), 95, "confidence_level must be"),
    ):
        with pytest.raises(ValueError, match=message):
            plot_threshold_curve(curve, confidence_level=level)
    assert not plt.get_fignums()


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_areas_that_reach_0_and_1_are_whole_on_every_axis(scale):
    random = np.random.default_rng(0)
    y_true = random.random(300) < 0.4
    scores = np.round(np.clip(random.normal(0.4 + 0.3 * y_true, 0.3), 0, 1), 2)
    assert {0, 1} <= set(scores.tolist())
    curve = ThresholdCurve.from_scores(y_true, scores)
    plot = plot_threshold_curve(curve, "recall", subject_to={"recall": 0.7}, confidence_level=0.95)
    limits = plot.ax_.get_xlim()
    plot.ax_.set_xscale(scale)
    low, high = plot.ax_.get_xlim()
    if scale == "linear":
        assert (low, high) == limits
    else:
        # The axis limits are those of the scores above 0.
        assert 0.001 < low < 0.02
        assert high > 0.98
    _, shading = areas = plot.ax_.collections
    for area in areas:
        for path in area.get_paths():
            assert np.isfinite(area.get_transform().transform(path.vertices)).all()
    # On the screen the shading begins at the last threshold that is not excluded, from the bottom
    # to the top.
    edge = curve.thresholds[curve.score("recall") >= 0.7].max()
    (path,) = [path.transformed(shading.get_transform()) for path in shading.get_paths()]
    to_screen = plot.ax_.get_xaxis_transform().transform
    for share in (0.05, 0.95):
        assert path.contains_point(to_screen((edge + 0.02, share)))
        assert not path.contains_point(to_screen((edge - 0.02, share)))
