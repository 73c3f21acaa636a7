"""plot_risk_coverage: the points counted by hand, given thresholds, marks, and what is refused."""

import numpy as np
import pytest

from skmetrics_ext import ThresholdCurve, ThresholdCurves, plot_risk_coverage

RIGHT = np.array([True, True, False, True, False, True, False])
CERTAINTY = [0.99, 0.95, 0.9, 0.8, 0.8, 0.7, 0.5]


def test_each_point_counts_the_answers_from_the_most_certain_one():
    plot = plot_risk_coverage(
        ThresholdCurve.from_scores(RIGHT, CERTAINTY), name="forest", threshold=0.75
    )
    by_hand = [[1 / 7, 0], [2 / 7, 0], [3 / 7, 1 / 3], [5 / 7, 2 / 5], [6 / 7, 2 / 6], [1, 3 / 7]]
    np.testing.assert_allclose(plot.lines_["forest"].get_xydata(), by_hand)
    np.testing.assert_allclose(plot.points_["forest"].get_xydata(), [[5 / 7, 2 / 5]])
    assert [text.get_text() for text in plot.ax_.get_legend().get_texts()] == [
        "forest",
        "forest at 0.750",
    ]
    assert plot.ax_.get_xlim()[0] < 0 < 1 < plot.ax_.get_xlim()[1]
    assert plot.ax_.get_ylim()[0] < 0
    again = plot_risk_coverage(
        ThresholdCurve.from_scores(RIGHT, CERTAINTY), name="ridge", ax=plot.ax_
    )
    assert again.ax_ is plot.ax_
    assert again.lines_["ridge"].get_color() != plot.lines_["forest"].get_color()


def test_given_thresholds_are_points_in_the_order_of_their_coverage():
    curve = ThresholdCurve.from_scores(RIGHT, CERTAINTY, thresholds=[0.6, np.inf, 0.92])
    line = plot_risk_coverage(curve).lines_[True]
    np.testing.assert_allclose(line.get_xydata(), [[2 / 7, 0], [6 / 7, 2 / 6]])
    assert line.get_marker() == "."


def test_a_curve_of_a_million_answers_is_thinned():
    rng = np.random.default_rng(0)
    certainty = rng.random(100_000)
    plot = plot_risk_coverage(
        ThresholdCurve.from_scores(rng.random(100_000) < certainty, certainty)
    )
    x, y = plot.lines_[True].get_data()
    assert (np.diff(x) > 0).all()
    # With certainties that are uniform and calibrated the risk is half of the coverage.
    np.testing.assert_allclose(y[x > 0.05], x[x > 0.05] / 2, atol=0.02)


def test_of_many_curves_the_best_have_the_least_mean_risk():
    curves = {
        f"model {k}": ThresholdCurve.from_scores(np.arange(20) > k, np.arange(20)[::-1])
        for k in range(12)
    }
    texts = [text.get_text() for text in plot_risk_coverage(curves).ax_.get_legend().get_texts()]
    assert texts[0] == "best: model 0"
    assert "worst: model 11" in texts


def test_curves_that_are_not_of_right_answers_are_refused():
    with pytest.raises(
        ValueError, match=r"a risk-coverage curve is of right answers, but the labels are \[0, 1\]"
    ):
        plot_risk_coverage(ThresholdCurve.from_scores([0, 1], [0.2, 0.7]))
    with pytest.raises(ValueError, match="of right answers"):
        plot_risk_coverage(ThresholdCurves.from_scores([0, 1, 2], np.eye(3)))
