"""Plots of what `watch` finds: the value of each month, the bounds, a ring at an alarm."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib import dates
from matplotlib import pyplot as plt

from skmetrics_ext import ConfusionMatrix, plot_intervals, watch
from skmetrics_ext.results import Axis

F, M = (
    [[[90, 10], [60 - tp, tp]] for tp in hits]
    for hits in ((57, 56, 58, 46, 45, 44), (55, 56, 54, 55, 56, 55))
)


def matrix_over(months):
    axes = (Axis("month", np.array(months)), Axis("sex", np.array(["F", "M"])))
    return replace(
        ConfusionMatrix.from_counts(np.stack([F, M], axis=1), labels=["no", "yes"]), axes=axes
    )


def legend_of(plot):
    return [text.get_text() for text in plot.ax_.get_legend().get_texts()]


def test_dates_have_a_line_for_each_group_with_bounds_and_a_ring_at_the_alarm():
    months = [f"2026-{month:02d}" for month in range(1, 7)]
    alarms = watch(matrix_over(months), {"recall": (0.9, 0.99)}, horizon=24, axis="month")
    plot = plot_intervals(alarms)
    assert alarms.alarm_time.tolist() == [["2026-05", None], [None, None]]
    first, second = (
        np.array([57, 56, 58, 46, 45, 44]) / 60,
        np.array([55, 56, 54, 55, 56, 55]) / 60,
    )
    for line, values in zip(plot.lines_, (first, second), strict=True):
        assert line.get_ydata() == pytest.approx(values)
    assert [line.get_ydata()[0] for line in plot.limits_] == [0.9, 0.99]
    x, y = plot.dots_.get_data()
    assert (dates.num2date(dates.date2num(x[0])).month, y.tolist()) == (5, [pytest.approx(45 / 60)])
    assert legend_of(plot) == ["F", "M", "recall >= 0.9", "recall <= 0.99", "alarm"]
    assert (plot.ax_.get_xlabel(), plot.ax_.get_ylabel()) == ("month", "recall")
    assert (plot.texts_, len(plot.whiskers_.get_segments())) == ([], 0)
    # The band is the confidence sequence; control limits, of single months, are not drawn.
    for place, band in enumerate(plot.bands_):
        edges = band.get_paths()[0].vertices[:, 1]
        for limit in (alarms.low[0, place], alarms.high[0, place]):
            assert np.isin(limit, edges).all()
    assert (len(plot.bands_), len(plot.ax_.lines)) == (2, 5)


def test_months_with_names_stand_in_their_order_and_lines_name_metric_and_group():
    names = ["Oct", "Nov", "Dec", "Jan", "Feb", "Mar"]
    by_month = matrix_over(range(6))
    of_months = {name: by_month.sel(month=place) for place, name in enumerate(names)}
    cm = ConfusionMatrix.stack(of_months, axis="month")
    alarms = watch(cm, {"recall": 0.9, "fpr": 0.5}, horizon=24, axis="month")
    _, ax = plt.subplots()
    plot = plot_intervals(alarms, ax=ax)
    assert plot.ax_ is ax
    assert [line.get_label() for line in plot.lines_] == [
        "recall, F",
        "recall, M",
        "fpr, F",
        "fpr, M",
    ]
    assert plot.lines_[2].get_xdata().tolist() == names
    assert plot.lines_[2].get_xdata(orig=False).tolist() == [0, 1, 2, 3, 4, 5]
    assert plot.lines_[2].get_ydata() == pytest.approx(0.1)
    assert [tick.get_text() for tick in ax.get_xticklabels()] == names
    assert [part.tolist() for part in plot.dots_.get_data()] == [["Feb"], [pytest.approx(45 / 60)]]
    # Numbers in another order than theirs are names, too.
    fiscal = dict(zip([10, 11, 12, 1, 2, 3], of_months.values(), strict=True))
    cm = ConfusionMatrix.stack(fiscal, axis="month")
    november = plot_intervals(watch(cm, {"recall": 0.9}, horizon=24, axis="month"))
    assert november.lines_[0].get_xdata().tolist() == ["10", "11", "12", "1", "2", "3"]


def test_without_an_alarm_there_is_no_ring_and_more_lines_than_colors_are_refused():
    quiet = watch(matrix_over(range(6)).sel(sex="M"), {"recall": 0.9}, horizon=24)
    assert not quiet.alarm.any()
    assert legend_of(plot_intervals(quiet)) == ["recall >= 0.9"]
    many = ConfusionMatrix.from_counts(np.full((3, 11, 2, 2), 9), labels=[0, 1])
    with pytest.raises(ValueError, match="draws at most 8 lines over 'axis_0', but there are 11"):
        plot_intervals(watch(many, {"recall": 0.9}, horizon=24, axis=0))
    for options in ({"metric": "recall"}, {"confidence_level": 0.9}):
        with pytest.raises(ValueError, match="applies only to a ConfusionMatrix"):
            plot_intervals(quiet, **options)
    with pytest.raises(ValueError, match=r"axis= is the axis of time .*: Alarms takes none"):
        plot_intervals(quiet, axis="month")
