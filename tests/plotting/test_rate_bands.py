"""Confidence bands around ROC, precision-recall and decision curves, and what their legends say."""

import functools
import warnings

import numpy as np
import pytest

from skmetrics_ext import (
    ThresholdCurve,
    ThresholdCurves,
    UnreliableIntervalWarning,
    cross_val_threshold_curves,
    plot_decision_curve,
    plot_precision_recall,
    plot_roc,
)

RNG = np.random.default_rng(0)
N = 120
Y = np.repeat(["well", "ill"], [80, 40])
SCORES = RNG.normal(size=N) + 1.3 * (Y == "ill")
CURVE = ThresholdCurve.from_scores(Y, SCORES, pos_label="ill")
RISKS = ThresholdCurve.from_scores(Y, 1 / (1 + np.exp(-SCORES)), pos_label="ill")
OTHER = ThresholdCurve.from_scores(Y, SCORES + RNG.normal(size=N), pos_label="ill")


def limits_of(band):
    """The lower and the upper limit at each x, from the polygon of a band."""
    vertices = band.get_paths()[0].vertices
    places = np.unique(vertices[:, 0].round(9))
    at = [vertices[np.isclose(vertices[:, 0], x), 1] for x in places]
    return places, np.array([[y.min(), y.max()] for y in at]).T


def texts(plot):
    legend = plot.ax_.get_legend()
    return [text.get_text() for text in legend.get_texts()], legend.get_title().get_text()


@functools.cache
def drawn_by(draw):
    """Several tests read the same picture."""
    return draw(CURVE, confidence_level=0.9)


@pytest.mark.parametrize("place", [0.1, pytest.param(0.5, marks=pytest.mark.slow), 0.9])
def test_bands_are_the_limits_of_operating_points(place):
    """The slow one is between those at the ends."""
    # The replicates of each place are others, so that limits differ a little.
    for plot, metric, bounded in (
        (plot_roc, "recall", {"specificity": 1 - place}),
        (plot_precision_recall, "precision", {"recall": place}),
    ):
        x, (low, high) = limits_of(drawn_by(plot).bands_["ill"])
        assert (x.min(), x.max()) == pytest.approx((0.01, 0.99))
        here = np.argmin(abs(x - place))
        interval = CURVE.interval(metric, subject_to=bounded, confidence_level=0.9, random_state=1)
        assert low[here] == pytest.approx(interval.low, abs=0.03)
        assert high[here] == pytest.approx(interval.high, abs=0.03)


TIED = ThresholdCurve.from_scores(Y, SCORES.round(), pos_label="ill")


@pytest.mark.parametrize("plot", [plot_roc, plot_precision_recall])
def test_a_line_lies_within_its_band(plot):
    for drawn in (drawn_by(plot), plot(TIED, confidence_level=0.8)):
        x, (low, high) = limits_of(drawn.bands_["ill"])
        line_x, line_y = drawn.lines_["ill"].get_data()
        inside = np.isin(line_x.round(9), x)
        at = np.searchsorted(x, line_x[inside].round(9))
        if plot is plot_roc:
            assert (np.interp(x, line_x, line_y) <= high + 1e-9).all()
            assert (np.interp(x, line_x, line_y) >= low - 1e-9).all()
        else:
            assert (low <= high).all()
            assert (high[at] >= 0).all()


def test_the_legend_has_the_interval_of_the_area_the_class_and_the_number():
    area = CURVE.interval("roc_auc", confidence_level=0.9)
    (entry, band, chance), title = texts(drawn_by(plot_roc))
    assert entry == f"AUC {area.value:.2f} [{area.low:.2f}, {area.high:.2f}]"
    assert (band, chance) == ("90 % at each false positive rate, n = 120", "chance")
    assert title == "positive class 'ill'"
    ap = CURVE.interval("average_precision", confidence_level=0.9)
    (entry, band, _), title = texts(drawn_by(plot_precision_recall))
    assert entry == f"AP {ap.value:.2f} [{ap.low:.2f}, {ap.high:.2f}]"
    assert band == "90 % at each recall, n = 120"
    (entry, band, _), _ = texts(
        plot_roc(CURVE, name="forest", confidence_level=0.95, simultaneous=True)
    )
    area = CURVE.interval("roc_auc")
    assert entry == f"forest (AUC {area.value:.2f} [{area.low:.2f}, {area.high:.2f}])"
    assert band == "95 % for the whole curve, n = 120"
    entries, title = texts(plot_roc(CURVE))
    assert len(entries) == 2
    assert title == "positive class 'ill'"


@pytest.mark.usefixtures("few_replicates")
@pytest.mark.parametrize(
    "plot", [plot_roc, pytest.param(plot_precision_recall, marks=pytest.mark.slow)]
)
def test_curves_of_other_samples_each_say_how_many(plot):
    """The slow one is the other picture, which has the same legend."""
    fewer = ThresholdCurve.from_scores(Y[40:], SCORES[40:], pos_label="ill")
    (first, second, band, _), _ = texts(plot({"a": CURVE, "b": fewer}, confidence_level=0.95))
    assert first.endswith("], n = 120)")
    assert second.endswith("], n = 80)")
    assert "n =" not in band


# A layout that finds no room keeps the axes as they were, however large.
def test_the_positive_class_is_named_as_it_is():
    y = np.where(Y == "ill", "out of stock", "in stock")
    curve = ThresholdCurve.from_scores(y, SCORES, pos_label="out of stock")
    assert texts(plot_roc(curve))[1] == "positive class 'out of stock'"


# Panels of the width of a page, each with a legend that no panel has room for.
@pytest.mark.usefixtures("few_replicates")
def test_models_and_classes_have_a_band_each_in_their_colors():
    drawn = plot_roc({"a": TIED, "b": OTHER}, confidence_level=0.95)
    assert list(drawn.bands_) == ["a", "b"]
    for key, band in drawn.bands_.items():
        color = band.get_facecolor()[0, :3]
        np.testing.assert_allclose(
            color, __import__("matplotlib").colors.to_rgb(drawn.lines_[key].get_color())
        )
    entries, _ = texts(drawn)
    assert sum(entry.startswith("95 %") for entry in entries) == 1
    y, scores = RNG.integers(0, 3, 90), RNG.dirichlet([1, 1, 1], 90)
    classes = plot_roc(ThresholdCurves.from_scores(y, scores), confidence_level=0.95)
    assert list(classes.bands_) == [0, 1, 2]
    entries, title = texts(classes)
    assert entries[0].endswith(f"n = {(y == 0).sum()})")
    assert title == ""


def test_the_band_of_the_whole_curve_contains_that_at_each_place():
    at_each = drawn_by(plot_roc).bands_["ill"]
    of_all = plot_roc(CURVE, confidence_level=0.9, simultaneous=True).bands_["ill"]
    (_, (low, high)), (_, (lowest, highest)) = map(limits_of, (at_each, of_all))
    assert (lowest <= low + 0.02).all()
    assert (highest >= high - 0.02).all()


@pytest.mark.parametrize(
    "plot", [plot_precision_recall, pytest.param(plot_roc, marks=pytest.mark.slow)]
)
def test_clusters_widen_bands(plot):
    """The slow one is the other picture."""
    y, scores = np.repeat(Y, 2), np.repeat(SCORES, 2)
    copies = ThresholdCurve.from_scores(
        y, scores, pos_label="ill", clusters=np.repeat(np.arange(N), 2)
    )
    _, (low, high) = limits_of(drawn_by(plot).bands_["ill"])
    _, (lowest, highest) = limits_of(plot(copies, confidence_level=0.9).bands_["ill"])
    assert (highest - lowest).mean() == pytest.approx((high - low).mean(), rel=0.15)


@pytest.mark.usefixtures("few_replicates")
def test_a_class_without_samples_has_no_band():
    curves = ThresholdCurves.from_scores([0, 1, 0, 1], [[0.5, 0.3, 0.2]] * 4, classes=[0, 1, 2])
    with pytest.warns(UserWarning, match="roc_auc is undefined"):
        drawn = plot_roc(curves, confidence_level=0.5)
    assert 2 not in drawn.bands_
    assert len(drawn.lines_[2].get_xdata()) == 0


@functools.cache
def decisions():
    """Two tests read the same picture."""
    return plot_decision_curve(RISKS, confidence_level=0.9)


def test_a_decision_curve_has_the_limits_of_its_net_benefit():
    drawn = decisions()
    x, (low, high) = limits_of(drawn.bands_["ill"])
    for risk in x[[1, 20, 40]]:
        interval = RISKS.at(risk).interval(
            "net_benefit", threshold_probability=risk, confidence_level=0.9
        )
        here = np.argmin(abs(x - risk))
        assert low[here] == pytest.approx(interval.low, abs=1e-6)
        assert high[here] == pytest.approx(interval.high, abs=1e-6)
    entries, _ = texts(drawn)
    assert "90 % at each threshold probability" in entries
    assert drawn.ax_.get_ylim()[1] >= high.max()
    given = ThresholdCurve.from_scores(
        Y, 1 / (1 + np.exp(-SCORES)), pos_label="ill", thresholds=[0, 0.2, 0.5, 1]
    )
    x, _ = limits_of(plot_decision_curve(given, confidence_level=0.9).bands_["ill"])
    assert x.tolist() == [0.2, 0.5]
    assert plot_decision_curve(RISKS).bands_ == {}


WEIGHTED = ThresholdCurve.from_scores(Y, SCORES, pos_label="ill", sample_weight=RNG.random(N) + 0.5)
CLUSTERED = ThresholdCurve.from_scores(Y, SCORES, pos_label="ill", clusters=np.arange(N))


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (
            lambda: plot_roc(WEIGHTED, confidence_level=0.9),
            "needs a curve at every score, of samples without weights",
        ),
        (
            lambda: plot_precision_recall(WEIGHTED, confidence_level=0.9),
            "of samples without weights",
        ),
        (
            lambda: plot_roc(CLUSTERED, confidence_level=0.9, simultaneous=True),
            "these are in clusters: pass simultaneous=False",
        ),
        (
            lambda: plot_roc(CURVE, simultaneous=True),
            "simultaneous=True is for a band: pass confidence_level=",
        ),
        (
            lambda: plot_roc(CURVE, confidence_level=0.9, simultaneous=1),
            "simultaneous must be True or False; got 1",
        ),
        (lambda: plot_roc(CURVE, confidence_level=90), "confidence_level must be"),
        (lambda: plot_precision_recall(CURVE, confidence_level=0), "confidence_level must be"),
        (lambda: plot_decision_curve(RISKS, confidence_level=2), "confidence_level must be"),
    ],
)
def test_what_has_no_band_is_refused(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


def test_folds_have_no_confidence_band():
    from sklearn.linear_model import LogisticRegression

    folds = cross_val_threshold_curves(
        LogisticRegression(), SCORES[:, None], Y, cv=3, pos_label="ill"
    )
    with pytest.raises(ValueError, match="folds are models of their own"):
        plot_roc(folds, confidence_level=0.95)


def test_a_decision_curve_has_no_band_where_too_few_samples_decide():
    """There the interval has a caveat, which a picture cannot show at a threshold."""
    x, _ = limits_of(decisions().bands_["ill"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        codes = [
            {
                caveat.code
                for caveat in RISKS.at(risk)
                .interval("net_benefit", threshold_probability=risk, confidence_level=0.9)
                .caveats
            }
            for risk in (x[0], x[-1], 0.995)
        ]
    assert codes == [set(), set(), {"few_samples"}]
    assert x[-1] < 0.995
