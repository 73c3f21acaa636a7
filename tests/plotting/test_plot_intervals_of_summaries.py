"""Plots of summaries: whiskers for groups, and control charts over dates and numbers."""

import math

import numpy as np
import pandas as pd
import pytest
from matplotlib import dates
from matplotlib import pyplot as plt

from skmetrics_ext import ConfusionMatrix, classification_report, compare, plot_intervals
from skmetrics_ext.results import Axis, Interval

RANDOM = np.random.default_rng(4)
N = 1200
TRUE, PRED = RANDOM.integers(0, 2, (2, N))
SEX = np.array(["F", "M"])[RANDOM.integers(0, 2, N)]
YEAR = RANDOM.integers(2018, 2024, N)
BY_SEX = ConfusionMatrix.from_predictions(
    TRUE, PRED, by={"sex": SEX, "left": RANDOM.random(N) < 0.1}
)
BY_YEAR = ConfusionMatrix.from_predictions(TRUE, PRED, by={"sex": SEX, "year": YEAR})


def names_in(plot):
    return [label.get_text() for label in plot.ax_.get_yticklabels()]


def legend_of(plot):
    legend = plot.ax_.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def interval_over(values, lows, highs, n=100, **axes):
    names_and_coordinates = [(name, np.asarray(of)) for name, of in axes.items()]
    return Interval(
        value=np.array(values),
        low=np.array(lows),
        high=np.array(highs),
        n=np.array(n),
        method="by hand",
        confidence_level=0.95,
        axes=tuple(Axis(*of) for of in names_and_coordinates),
    )


@pytest.mark.usefixtures("unfitted")
def test_groups_have_whiskers():
    plot = plot_intervals(BY_SEX.summary("recall", confidence_level=0.9), sort=False)
    interval = BY_SEX.interval("recall", confidence_level=0.9)
    assert names_in(plot) == ["F, False", "F, True", "M, False", "M, True"]
    assert plot.dots_.get_xdata() == pytest.approx(interval.value.ravel())
    ends = [tuple(segment[:, 0]) for segment in plot.whiskers_.get_segments()]
    assert ends == list(zip(interval.low.ravel(), interval.high.ravel(), strict=True))
    assert plot.ax_.get_xlabel() == "recall (90 % confidence intervals)"
    assert (plot.lines_, plot.bands_, plot.limits_) == ([], [], [])
    both = plot_intervals(BY_SEX.summary(["recall", "precision"]), sort=False)
    groups = names_in(plot)
    assert names_in(both) == ["recall", *groups, "precision", *groups]
    assert both.ax_.get_xlabel() == "value (95 % confidence intervals)"


@pytest.mark.usefixtures("unfitted")
def test_counts_are_not_drawn_beside_values():
    plot = plot_intervals(BY_SEX.sum("sex").sum("left").summary(), sort=False)
    assert names_in(plot)[:3] == ["prevalence", "sensitivity", "specificity"]
    assert len(plot.texts_) == 13


TWO = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])


def arrows_in(plot):
    """The direction and the row of each arrow at an edge."""
    return sorted(
        (line.get_marker(), int(y))
        for line in plot.ax_.lines
        if line.get_marker() in ("<", ">")
        for y in line.get_ydata()
    )


@pytest.mark.parametrize("source", [TWO.summary(), TWO.summary(["lr_plus", "lr_minus", "recall"])])
@pytest.mark.usefixtures("unfitted")
def test_ratios_leave_room_for_the_metrics_that_have_a_range(source):
    plot = plot_intervals(source, sort=False)
    values = {name: one.value for name, one in source._by_metric().items()}
    low, high = plot.ax_.get_xlim()
    assert -0.1 < low < values["lr_minus"] < high < 1.1
    # The least of lr_plus is 3.0, that of the odds ratio 13.
    far = [k for k, name in enumerate(values) if name in ("lr_plus", "diagnostic_odds_ratio")]
    assert arrows_in(plot) == [(">", k) for k in far]
    expected = [math.nan if k in far else value for k, value in enumerate(values.values())]
    np.testing.assert_array_equal(plot.dots_.get_xdata(), expected)
    # MOVER of mid-P limits of 45 of 50 and 20 of 100.
    assert "4.50 [3.06, 6.94]" in [text.get_text() for text in plot.texts_]


@pytest.mark.usefixtures("unfitted")
def test_a_limit_beyond_the_range_of_others_is_an_arrow_and_the_value_a_dot():
    cm = ConfusionMatrix.from_counts([[50, 50], [50, 45]], labels=[0, 1])
    found = cm.interval("relative_risk")
    assert 0 < found.low < found.value < 1 < found.high
    plot = plot_intervals({name: cm.interval(name) for name in ("relative_risk", "recall")})
    assert names_in(plot) == ["relative_risk", "recall"]
    assert plot.dots_.get_xdata()[0] == found.value
    first, _ = plot.whiskers_.get_segments()
    assert first[:, 0].tolist() == [found.low, plot.ax_.get_xlim()[1]]
    assert arrows_in(plot) == [(">", 0)]


@pytest.mark.filterwarnings("ignore:lr_plus is infinite or 0 for a class with an empty cell")
@pytest.mark.usefixtures("unfitted")
def test_ratios_leave_room_in_reports_and_for_differences():
    metrics = ["recall", "lr_plus"]
    labels = [0] * 100 + [1] * 50, [0] * 80 + [1] * 20 + [0] * 5 + [1] * 45
    report = classification_report(*labels, metrics=metrics, confidence_level=0.95)
    plot = plot_intervals(report)
    assert plot.ax_.get_xlim()[1] < 1.1
    first = names_in(plot).index("lr_plus") + 1
    assert {row for _, row in arrows_in(plot)} == {*range(first, len(names_in(plot)))}
    # Of 50 positives 45 and 15 are found: lr_minus is 0.125 and 0.875.
    few = [0] * 80 + [1] * 20 + [0] * 35 + [1] * 15
    of_both = ["recall", "lr_minus", "lr_plus"]
    plot = plot_intervals(compare(labels[0], {"a": labels[1], "b": few}, of_both), sort=False)
    assert arrows_in(plot) == [(">", 5)]


@pytest.mark.usefixtures("unfitted")
def test_ratios_alone_and_metrics_of_users_have_the_axis_that_they_need():
    def accuracy(cm):
        """In percent, by the name of a metric."""
        return 100 * cm.counts.trace() / cm.counts.sum()

    for metrics in (["lr_plus", "diagnostic_odds_ratio"], [accuracy, "lr_plus"]):
        summary = TWO.summary(metrics, n_resamples=100)
        plot = plot_intervals(summary, sort=False)
        assert plot.dots_.get_xdata().tolist() == summary.value.tolist()
        ends = [tuple(segment[:, 0]) for segment in plot.whiskers_.get_segments()]
        assert ends == list(zip(summary.low, summary.high, strict=True))


def test_numbers_have_a_line_with_a_band_for_each_of_the_others():
    plot = plot_intervals(BY_YEAR.summary(["recall"], confidence_level=0.9))
    interval = BY_YEAR.interval("recall", confidence_level=0.9)
    assert len(plot.lines_) == len(plot.bands_) == 2
    assert len(plot.limits_) == 4
    for k, line in enumerate(plot.lines_):
        assert line.get_xdata().tolist() == [*range(2018, 2024)]
        assert line.get_ydata() == pytest.approx(interval.value[k])
        vertices = plot.bands_[k].get_paths()[0].vertices
        for place, year in enumerate(range(2018, 2024)):
            # Steps: a year has its limits for half a year on both sides.
            of_year = {y for x, y in vertices if abs(x - year) <= 0.5}
            assert {interval.low[k, place], interval.high[k, place]} <= of_year
    assert legend_of(plot)[:2] == ["F", "M"]
    assert (plot.ax_.get_xlabel(), plot.texts_) == ("year", [])
    assert plot.ax_.get_ylabel() == "recall (90 % confidence intervals)"


MONTHS = ["2026-01", "2026-02", "2026-03", "2026-04"]


@pytest.mark.parametrize(
    "months",
    [
        MONTHS,
        np.array(MONTHS, "M8[M]"),
        pd.to_datetime(pd.Series(MONTHS)),
        [f"{month}-01" for month in MONTHS],
    ],
    ids=["months", "M8", "timestamps", "days"],
)
def test_dates_have_a_line_whatever_they_are_written_as(months):
    by = {"month": np.asarray(months)[np.arange(N) % 4], "number": YEAR}
    cm = ConfusionMatrix.from_predictions(TRUE, PRED, by=by).sel(number=[2018, 2019, 2020])
    plot = plot_intervals(cm.summary("recall"))
    assert len(plot.lines_) == 3
    days = [dates.num2date(x).date().isoformat() for x in plot.lines_[0].get_xdata(orig=False)]
    assert days == [f"{month}-01" for month in MONTHS]
    assert legend_of(plot)[:3] == ["2018", "2019", "2020"]


@pytest.mark.parametrize(
    "axes",
    [
        {"fold": [0, 1, 2]},
        {"sex": [0, 1]},
        {"flag": [True, False]},
        {"month": ["2026-01", "2026-02", "later"]},
        {"a": [1, 2, 3], "b": [1, 2, 3]},
        pytest.param({"class": [0, 1, 2]}, marks=pytest.mark.slow),
        pytest.param({"month": ["2026-13", "2026-14", "2026-15"]}, marks=pytest.mark.slow),
        pytest.param({"name": ["x", "y", "z"]}, marks=pytest.mark.slow),
    ],
)
@pytest.mark.usefixtures("unfitted")
def test_what_has_no_course_has_whiskers(axes):
    """The slow ones are others of the same kinds."""
    shape = [len(of) for of in axes.values()]
    limits = (np.full(shape, number) for number in (0.2, 0.1, 0.3))
    plot = plot_intervals(interval_over(*limits, **axes))
    assert len(plot.texts_) == math.prod(shape)
    assert not plot.lines_


def test_control_limits_are_those_of_the_mean_of_earlier_values_by_hand():
    """MOVER, written out for each entry."""
    values, lows, highs, n = (
        [0.8, 0.9, 0.8, 0.5],
        [0.7, 0.85, 0.6, 0.45],
        [0.85, 0.92, 0.9, 0.6],
        [100, 300, 50, 400],
    )
    plot = plot_intervals(interval_over(values, lows, highs, n, year=[1, 2, 3, 4]))
    lower, upper = (line.get_ydata() for line in plot.limits_)
    assert math.isnan(lower[0])
    assert math.isnan(upper[0])
    outside = []
    for t in (1, 2, 3):
        share = np.array(n[:t]) / sum(n[:t])
        mean = sum(share * values[:t])
        mean_below = math.sqrt(sum((share * (np.array(values) - lows)[:t]) ** 2))
        mean_above = math.sqrt(sum((share * (np.array(highs) - values)[:t]) ** 2))
        assert lower[t] == pytest.approx(
            mean - math.sqrt((highs[t] - values[t]) ** 2 + mean_below**2)
        )
        assert upper[t] == pytest.approx(
            mean + math.sqrt((values[t] - lows[t]) ** 2 + mean_above**2)
        )
        outside += [t + 1] if not lower[t] <= values[t] <= upper[t] else []
    assert outside == [2, 4]
    assert plot.dots_.get_xdata().tolist() == outside
    assert legend_of(plot) == ["control limits", "outside control limits"]


def test_chance_alone_leaves_the_control_limits_about_as_often_as_nominal():
    """Proportions with a constant true value over 200 months, twice."""
    random = np.random.default_rng(6)
    left = total = 0
    for _ in range(2):
        tp = random.binomial(150, 0.8, 200)
        counts = np.stack(
            [np.stack([np.full(200, 100), np.full(200, 20)], -1), np.stack([150 - tp, tp], -1)], -2
        )
        cm = ConfusionMatrix(counts, np.array([0, 1]), (("month", np.arange(200)),), 1)
        plot = plot_intervals(cm.summary("recall", confidence_level=0.95))
        left, total = left + len(plot.dots_.get_xdata()), total + 199
    assert 0.03 < left / total < 0.07


def test_a_fall_is_marked():
    tp = np.array([80, 82, 79, 81, 60])
    counts = np.stack(
        [np.stack([np.full(5, 90), np.full(5, 10)], -1), np.stack([100 - tp, tp], -1)], -2
    )
    by_month = {
        month: ConfusionMatrix.from_counts(of, [0, 1])
        for month, of in zip([*MONTHS, "2026-05"], counts, strict=True)
    }
    plot = plot_intervals(
        ConfusionMatrix.stack(by_month, axis="month").summary("recall", confidence_level=0.9973)
    )
    assert plot.dots_.get_ydata().tolist() == [0.6]
    assert legend_of(plot) == ["control limits", "outside control limits"]


def test_undefined_and_infinite_values_are_gaps_and_no_part_of_the_mean():
    values, lows, highs = (
        [0.5, np.nan, np.inf, 0.5, 0.5],
        [0.4, 0, 1, 0.4, 0.4],
        [0.6, 1, np.inf, 0.6, np.inf],
    )
    plot = plot_intervals(interval_over(values, lows, highs, year=[1, 2, 3, 4, 5]))
    np.testing.assert_array_equal(plot.lines_[0].get_ydata(), [0.5, np.nan, np.nan, 0.5, 0.5])
    lower = plot.limits_[0].get_ydata()
    assert np.isnan(lower).tolist() == [True, True, True, False, True]
    assert lower[3] == pytest.approx(0.5 - math.hypot(0.1, 0.1))
    nothing = plot_intervals(interval_over(*np.full((3, 3), np.nan), year=[1, 2, 3]))
    assert (len(nothing.lines_), nothing.limits_, nothing.dots_.get_xdata().tolist()) == (1, [], [])
    empty = interval_over([0.5] * 3, [0.4] * 3, [0.6] * 3, n=[0, 10, 10], year=[1, 2, 3])
    assert np.isnan(plot_intervals(empty).limits_[0].get_ydata()).tolist() == [True, True, False]


def test_nothing_is_cut_and_axes_that_are_given_are_kept():
    plot = plot_intervals(BY_YEAR.summary(["recall", "precision"], confidence_level=0.95))
    plot.figure_.draw_without_rendering()
    assert legend_of(plot)[:4] == ["recall, F", "recall, M", "precision, F", "precision, M"]
    for text in [plot.ax_.xaxis.label, plot.ax_.yaxis.label, *plot.ax_.get_legend().get_texts()]:
        box = text.get_window_extent()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= plot.figure_.bbox.x1
    figure, ax = plt.subplots()
    size = figure.get_size_inches().tolist()
    assert plot_intervals(BY_YEAR.summary("recall"), ax=ax).figure_ is figure
    assert figure.get_size_inches().tolist() == size


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (BY_SEX.summary("recall"), {"metric": "recall"}, "metric= applies only to"),
        (BY_SEX.summary("recall"), {"average": None}, "average= applies only to a ConfusionMatrix"),
        (
            interval_over(*np.full((3, 3, 11), 0.5), year=[1, 2, 3], k=[*"abcdefghijk"]),
            {},
            "at most 8 lines .* there are 11",
        ),
    ],
)
def test_mistakes_are_named_and_leave_no_figure(source, options, message):
    with pytest.raises(ValueError, match=message):
        plot_intervals(source, **options)
    assert not plt.get_fignums()


def test_a_frame_is_no_source():
    with pytest.raises(TypeError, match="a report, a Comparison or Alarms; got DataFrame"):
        plot_intervals(BY_SEX.summary("recall").to_frame())
