"""Decision curves: net benefit by its definition, treating all and none, useful models."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot as plt

from skmetrics_ext import ThresholdCurve, ThresholdCurves, net_benefit, plot_decision_curve
from skmetrics_ext.plotting.lines import LINE_COLOURS


def data(n_samples=2_000, seed=0, offset=0.0):
    random = np.random.default_rng(seed)
    scores = 1 / (1 + np.exp(-random.normal(offset, 1.5, n_samples)))
    return (random.random(n_samples) < scores).astype(int), scores


def gain(y_true, scores, threshold):
    """By the definition, one sample at a time."""
    total = 0.0
    for label, score in zip(y_true, scores, strict=True):
        if score >= threshold:
            total += 1 if label else -threshold / (1 - threshold)
    return total / len(y_true)


def texts_of(plot):
    return [text.get_text() for text in plot.ax_.get_legend().get_texts()]


@given(
    seed=st.integers(0, 2**32 - 1),
    n_samples=st.integers(1, 30),
    thresholds=st.lists(st.floats(0, 0.99), min_size=1, max_size=5),
)
def test_net_benefit_is_that_of_the_definition(seed, n_samples, thresholds):
    random = np.random.default_rng(seed)
    y_true, scores = random.integers(0, 2, n_samples), np.round(random.random(n_samples), 1)
    curve = ThresholdCurve.from_scores(y_true, scores, pos_label=1)
    expected = [gain(y_true, scores, t) for t in thresholds]
    np.testing.assert_allclose(curve.net_benefit(thresholds), expected, rtol=1e-9, atol=1e-12)
    own = curve.thresholds[curve.thresholds < 1]
    own_gains = curve.net_benefit()[curve.thresholds < 1]
    np.testing.assert_allclose(
        own_gains, [gain(y_true, scores, t) for t in own], rtol=1e-9, atol=1e-12
    )


def test_it_is_the_metric_at_the_threshold_also_with_weights_and_other_ties():
    y_true, scores = data(200)
    weights = np.random.default_rng(1).random(200)
    curve = ThresholdCurve.from_scores(
        y_true, np.round(scores, 1), sample_weight=weights, ties="negative"
    )
    found = curve.net_benefit([0.2, 0.5])
    for t, value in zip((0.2, 0.5), found, strict=True):
        y_pred = (np.round(scores, 1) > t).astype(int)
        assert value == pytest.approx(
            net_benefit(y_true, y_pred, threshold_probability=t, sample_weight=weights)
        )


@pytest.mark.parametrize("scores", [[-0.5, 0.2, 3.0], [0.1, 0.2, 1.5]])
def test_scores_that_are_not_probabilities_are_refused(scores):
    curve = ThresholdCurve.from_scores([0, 1, 1], scores)
    with pytest.raises(
        ValueError,
        match=r"net benefit needs probabilities, but the scores range from .*predict_proba",
    ):
        curve.net_benefit()
    with pytest.raises(ValueError, match="net benefit needs probabilities"):
        plot_decision_curve(curve)
    assert plt.get_fignums() == []


def test_thresholds_that_are_not_probabilities_are_refused():
    curve = ThresholdCurve.from_scores(*data(50))
    with pytest.raises(ValueError, match=r"probabilities; they range from -0\.1 to 0\.5"):
        curve.net_benefit([0.5, -0.1])
    with pytest.raises(ValueError, match="must be probabilities; they range"):
        plot_decision_curve(curve, threshold=2)
    assert plt.get_fignums() == []


def test_the_line_is_the_net_benefit_with_treating_all_and_none_as_references():
    y_true, scores = data()
    plot = plot_decision_curve(ThresholdCurve.from_scores(y_true, scores))
    x, y = plot.lines_[1].get_data()
    for k in range(0, len(x), 100):
        assert y[k] == pytest.approx(gain(y_true, scores, x[k]), abs=1e-9)
    x, y = plot.treat_all_[1].get_data()
    for k in range(0, len(x), 100):
        assert y[k] == pytest.approx(gain(y_true, np.ones(len(y_true)), x[k]), abs=1e-9)
    assert set(plot.treat_none_.get_ydata()) == {0}
    assert texts_of(plot) == ["model", "treat all", "treat none"]
    assert (plot.ax_.get_xlabel(), plot.ax_.get_ylabel()) == (
        "threshold probability",
        "net benefit",
    )


def test_the_plot_shows_where_a_model_of_rare_positives_is_useful():
    y_true, scores = data(20_000, offset=-5)
    plot = plot_decision_curve(ThresholdCurve.from_scores(y_true, scores))
    low, high = plot.ax_.get_ylim()
    assert -0.2 * y_true.mean() < low < 0
    assert y_true.mean() < high < 1.1 * y_true.mean()
    x, y = plot.lines_[1].get_data()
    assert y[-1] < 0.05 * y_true.mean()
    assert plot.ax_.get_xlim()[0] < 0 < y_true.mean() < x[-1] < plot.ax_.get_xlim()[1] < 0.6


def test_models_classes_and_second_plots():
    one, other = (ThresholdCurve.from_scores(*data(seed=seed)) for seed in (0, 1))
    plot = plot_decision_curve({"a": one, "b": other}, threshold={"b": 0.25})
    assert texts_of(plot) == ["a", "b", "b at 0.250", "treat all (each curve)", "treat none"]
    assert plot.treat_all_["a"].get_color() == plot.lines_["a"].get_color()
    point = np.ravel(plot.points_["b"].get_data())
    np.testing.assert_allclose(point, [0.25, gain(*data(seed=1), 0.25)])
    second = plot_decision_curve(one, name="c", ax=plot.ax_)
    assert second.lines_["c"].get_color() == LINE_COLOURS[2]
    y_true = np.array([0, 1, 2, 2])
    of_classes = plot_decision_curve(ThresholdCurves.from_scores(y_true, np.full((4, 3), 1 / 3)))
    assert texts_of(of_classes)[:3] == ["0 (n = 1)", "1 (n = 1)", "2 (n = 2)"]


def test_given_thresholds_are_dots_and_missing_positives_are_named():
    y_true, scores = data()
    plot = plot_decision_curve(
        ThresholdCurve.from_scores(y_true, scores, thresholds=[0.5, 0.25, 1.0])
    )
    x, y = plot.lines_[1].get_data()
    assert (x.tolist(), plot.lines_[1].get_marker()) == ([0.25, 0.5], ".")
    np.testing.assert_allclose(y, [gain(y_true, scores, t) for t in (0.25, 0.5)])
    nothing = plot_decision_curve(ThresholdCurve.from_scores([0, 0], [0.1, 0.7], pos_label=1))
    assert texts_of(nothing)[0] == "no positives"
    nothing.figure_.canvas.draw()


def test_a_point_far_below_the_plot_is_not_drawn_outside_it():
    y_true, scores = data(offset=-2.0)
    curve = ThresholdCurve.from_scores(y_true, 1 - scores)
    plot, without = plot_decision_curve(curve, threshold=0.6), plot_decision_curve(curve)
    assert plot.points_[1].get_ydata()[0] < plot.ax_.get_ylim()[0]
    # Nothing sticks out below.
    assert plot.ax_.get_tightbbox().y0 == pytest.approx(without.ax_.get_tightbbox().y0, abs=1)
