"""Plots of intervals: dots and whiskers are the values and limits, sorted, names readable."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.cbook import is_math_text

from skmetrics_ext import (
    ConfusionMatrix,
    classification_report,
    plot_confusion_matrix,
    plot_intervals,
    recall_score,
)
from skmetrics_ext.results import Axis, ComparisonRow, Interval
from tests.shared import comparison_of_rows

THREE = ConfusionMatrix.from_counts(
    [[30, 4, 1], [3, 20, 7], [2, 5, 40]], labels=["ash", "elm", "oak"]
)
GROUPS = ConfusionMatrix.from_predictions(
    [0, 1, 1, 0, 1] * 12, [0, 1, 0, 1, 1] * 12, by=["a", "b", "c"] * 20
)
LONG = "a long name " * 8


def of_values(*entries, level=0.95):
    """An Interval with given values and limits."""
    value, low, high = np.array(entries, dtype=float).T
    axes = (Axis("class", np.array([f"class {k}" for k in range(len(entries))])),)
    limits = {"value": value, "low": low, "high": high}
    return Interval(**limits, confidence_level=level, method="Wilson", axes=axes)


def names_in(plot):
    return [label.get_text() for label in plot.ax_.get_yticklabels()]


def dots_in(plot):
    """The place and the value of each dot that is drawn."""
    x, y = plot.dots_.get_data()
    return {int(place): value for place, value in zip(y, x, strict=True) if not math.isnan(value)}


def whiskers_in(plot):
    """The limits of each whisker, by the place of its row."""
    ends = {}
    for segment in plot.whiskers_.get_segments():
        (low, row), (high, same) = segment
        assert row == same
        ends[int(row)] = (low, high)
    return ends


def arrows_in(plot):
    """The direction, the place and the edge of each arrow."""
    return sorted(
        (line.get_marker(), int(y), x)
        for line in plot.ax_.lines
        if line.get_marker() in ("<", ">")
        for x, y in zip(*line.get_data(), strict=True)
    )


def check_nothing_is_cut(*plots):
    """Of plots in one figure."""
    figure = plots[0].figure_
    figure.draw_without_rendering()
    for text in (
        text
        for plot in plots
        for text in (*plot.texts_, *plot.ax_.get_yticklabels(), plot.ax_.xaxis.label)
    ):
        box = text.get_window_extent()
        assert min(box.x0, box.y0) >= 0, text.get_text()
        assert box.x1 <= figure.bbox.x1, text.get_text()
        assert box.y1 <= figure.bbox.y1, text.get_text()


def check_drawn(plot, names, values, lows, highs):
    """The entries from top to bottom."""
    assert names_in(plot) == list(names)
    assert dots_in(plot) == dict(enumerate(values))
    assert whiskers_in(plot) == dict(enumerate(zip(lows, highs, strict=True)))
    bottom, top = plot.ax_.get_ylim()
    assert bottom > top
    texts = [text.get_text() for text in plot.texts_]
    assert texts == [
        f"{v:.2f} [{a:.2f}, {b:.2f}]" for v, a, b in zip(values, lows, highs, strict=True)
    ]
    assert [text.get_position()[1] for text in plot.texts_] == list(range(len(texts)))


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.usefixtures("unfitted")
def test_classes_of_an_interval_are_sorted_unless_they_are_not_to_be(sort):
    interval = THREE.interval("recall", average=None)
    order = [0, 2, 1] if sort else [0, 1, 2]
    expected = [
        np.asarray(part)[order].tolist() for part in (interval.value, interval.low, interval.high)
    ]
    assert not sort or expected[0] == sorted(expected[0], reverse=True)
    plot = plot_intervals(interval, sort=sort)
    check_drawn(plot, np.array(["ash", "elm", "oak"])[order], *expected)
    assert plot.ax_.get_xlabel() == "recall (95 % confidence intervals)"
    assert not [line for line in plot.ax_.lines if set(line.get_xdata()) == {0}]


@pytest.mark.usefixtures("unfitted")
def test_a_matrix_is_drawn_by_class_unless_an_average_is_named():
    plot = plot_intervals(THREE, recall_score, confidence_level=0.8)
    interval = THREE.interval("recall", average=None, confidence_level=0.8)
    assert set(whiskers_in(plot).values()) == set(zip(interval.low, interval.high, strict=True))
    assert plot.ax_.get_xlabel() == "recall (80 % confidence intervals)"
    for metric, options in (("recall", {"average": "micro"}), ("mcc", {})):
        interval = THREE.interval(metric, random_state=3, **options)
        plot = plot_intervals(THREE, metric, random_state=3, **options)
        assert whiskers_in(plot) == {0: (interval.low, interval.high)}
        assert dots_in(plot) == {0: interval.value}
        assert names_in(plot) == [""]


@pytest.mark.usefixtures("unfitted")
def test_groups_of_a_matrix_are_entries():
    interval = GROUPS.interval("recall")
    plot = plot_intervals(GROUPS, "recall", sort=False)
    check_drawn(plot, ["a", "b", "c"], interval.value, interval.low, interval.high)
    both = plot_intervals(GROUPS, "recall", average=None, sort=False)
    assert names_in(both) == ["a, 0", "a, 1", "b, 0", "b, 1", "c, 0", "c, 1"]


@pytest.mark.usefixtures("unfitted")
def test_models_are_entries():
    other = THREE + THREE
    models = {"one": THREE, "two": other}
    plot = plot_intervals(models, "accuracy", sort=False, confidence_level=0.9)
    intervals = [cm.interval("accuracy", confidence_level=0.9) for cm in models.values()]
    expected = [
        [getattr(interval, name) for interval in intervals] for name in ("value", "low", "high")
    ]
    check_drawn(plot, ["one", "two"], *expected)
    assert plot.ax_.get_xlabel() == "accuracy (90 % confidence intervals)"
    mixed = plot_intervals(
        {"one": THREE, "two": of_values((0.5, 0.2, 0.7), level=0.9)}, "accuracy", sort=False
    )
    assert names_in(mixed) == ["one", "two, class 0"]
    assert mixed.ax_.get_xlabel() == "value"
    assert whiskers_in(mixed)[1] == (0.2, 0.7)


@pytest.mark.usefixtures("unfitted")
def test_an_infinite_limit_is_an_arrow_at_the_edge():
    plot = plot_intervals(
        of_values((2, 1, np.inf), (np.inf, 4, np.inf), (3, -np.inf, 5), (1, 0, 2)), sort=False
    )
    left, right = plot.ax_.get_xlim()
    assert left < 0
    assert right > 5
    # There is more room for an arrow than without one.
    for low, high in ((1, np.inf), (-np.inf, 5)):
        edges = plot_intervals(of_values((2, low, high), (2, 1, 5))).ax_.get_xlim()
        is_wide = [1 - edges[0] > 0.3, edges[1] - 5 > 0.3]
        assert is_wide == [low == -np.inf, high == np.inf]
    assert arrows_in(plot) == [("<", 2, left), (">", 0, right), (">", 1, right)]
    assert whiskers_in(plot) == {0: (1, right), 1: (4, right), 2: (left, 5), 3: (0, 2)}
    assert dots_in(plot) == {0: 2, 2: 3, 3: 1}
    assert plot.texts_[1].get_text() == "inf [4.00, inf]"


@pytest.mark.usefixtures("unfitted")
def test_an_axis_in_a_declared_order_keeps_it_beside_others():
    counts = [[[9, 1], [10 - hits, hits]] for hits in (2, 9, 5)]
    groups = replace(GROUPS, counts=np.array(counts)).sel(group=["c", "a", "b"])
    together = ConfusionMatrix.stack({"z": groups, "y": groups}, axis="declared")
    assert [axis.is_ordered for axis in together.axes] == [True, False]
    drawn = names_in(plot_intervals(together, "recall"))
    assert drawn == [f"{first}, {second}" for first in "zy" for second in "cab"]


@pytest.mark.usefixtures("unfitted")
def test_undefined_values_are_words_at_the_bottom():
    plot = plot_intervals(of_values((np.nan, 0, 1), (0.2, 0.1, 0.3), (0.4, np.nan, np.nan)))
    assert names_in(plot) == ["class 2", "class 1", "class 0"]
    assert [text.get_text() for text in plot.texts_] == ["0.40", "0.20 [0.10, 0.30]", "undefined"]
    assert whiskers_in(plot) == {1: (0.1, 0.3)}
    assert dots_in(plot) == {0: 0.4, 1: 0.2}
    nothing = plot_intervals(of_values((np.nan, np.nan, np.nan)))
    assert (dots_in(nothing), whiskers_in(nothing)) == ({}, {})


FOREST = ComparisonRow("f1", "forest", "tree", 0.90, 0.85, 0.05, 0.02, 0.08, 0.01, 0.02, "delta")
LOGISTIC = ComparisonRow(
    "f1", "logistic", "tree", 0.84, 0.85, -0.01, -0.04, 0.02, 0.5, 0.5, "delta"
)


def comparison_of(*rows, correction=None):
    level = 0.95 if correction is None else 1 - 0.05 / len(rows)
    rows = tuple(row._replace(confidence_level=level) for row in rows)
    return comparison_of_rows(rows, 0.95, correction)


@pytest.mark.usefixtures("unfitted")
def test_a_comparison_has_one_whisker_per_row_and_a_line_at_no_difference():
    plot = plot_intervals(comparison_of(LOGISTIC, FOREST))
    assert names_in(plot) == ["forest - tree", "logistic - tree"]
    assert whiskers_in(plot) == {0: (0.02, 0.08), 1: (-0.04, 0.02)}
    assert [text.get_text() for text in plot.texts_] == [
        "+0.05 [+0.02, +0.08]",
        "-0.01 [-0.04, +0.02]",
    ]
    assert (
        plot.ax_.get_xlabel()
        == "difference of f1\n(uncorrected 95 % confidence intervals;\nfilled: p < 0.05)"
    )
    vertical = [line for line in plot.ax_.lines if set(line.get_xdata()) == {0}]
    assert len(vertical) == 1
    several = plot_intervals(comparison_of(FOREST, LOGISTIC._replace(metric="mcc")), sort=False)
    assert names_in(several) == ["f1", "forest - tree", "mcc", "logistic - tree"]
    assert several.ax_.get_xlabel().startswith(
        "difference\n(uncorrected 95 % confidence intervals;"
    )
    # The line is there, however far off the differences are.
    left, right = plot_intervals(comparison_of(FOREST)).ax_.get_xlim()
    assert left < 0 < 0.08 < right


@pytest.mark.parametrize("correction", ["holm", "bonferroni"])
@pytest.mark.usefixtures("unfitted")
def test_intervals_with_corrected_p_values_are_labeled_as_simultaneous(correction):
    plot = plot_intervals(comparison_of(FOREST, LOGISTIC, correction=correction))
    what = "\n(simultaneous 95 % confidence intervals, 97.5 % each;\nfilled: p < 0.05"
    assert plot.ax_.get_xlabel() == f"difference of f1{what}, corrected by {correction})"


def test_several_metrics_with_corrected_p_values_have_room_and_a_single_row_is_not_corrected():
    long = [
        row._replace(metric=metric)
        for row, metric in ((FOREST, "balanced_accuracy"), (LOGISTIC, "mcc"))
    ]
    plot = plot_intervals(comparison_of(*long, correction="bonferroni"))
    what = "\n(simultaneous 95 % confidence intervals, 97.5 % each;\nfilled: p < 0.05"
    assert plot.ax_.get_xlabel() == f"difference{what}, corrected by bonferroni)"
    check_nothing_is_cut(plot)
    alone = plot_intervals(comparison_of(FOREST, correction="holm"))
    assert "simultaneous" not in alone.ax_.get_xlabel()
    assert "corrected" not in alone.ax_.get_xlabel()


@pytest.mark.usefixtures("unfitted")
def test_limits_of_differences_near_zero_show_their_side_and_what_rounds_to_it_has_no_minus():
    texts = {
        (0.08, 0.004, 0.15): "+0.080 [+0.004, +0.150]",
        (0.08, -0.004, 0.15): "+0.080 [-0.004, +0.150]",
        (0.08, 0.006, 0.15): "+0.08 [+0.01, +0.15]",
        (-0.001, -0.2, -0.0): "+0.00 [-0.20, +0.00]",
    }
    rows = [FOREST._replace(difference=of, low=low, high=high) for of, low, high in texts]
    plot = plot_intervals(comparison_of(*rows), sort=False)
    assert [text.get_text() for text in plot.texts_] == [*texts.values()]


@pytest.mark.usefixtures("unfitted")
def test_numbers_have_as_many_digits_as_are_informative_whatever_those_of_others():
    texts = {
        (0.5, 0.4999, 0.5002): "0.5000 [0.4999, 0.5002]",
        (0.5, 0.05, 0.95): "0.50 [0.05, 0.95]",
        (20, 10, 40): "20.0 [10.0, 40.0]",
        (5, 2, 9.99): "5.00 [2.00, 9.99]",
        (5, 2, 10): "5.0 [2.0, 10.0]",
        (50, 20, 100): "50 [20, 100]",
        (1200, 300, 5000): "1200 [300, 5000]",
        (1, 1, 1): "1.00 [1.00, 1.00]",
        (-0.001, -0.2, -0.0): "0.00 [-0.20, 0.00]",
    }
    plot = plot_intervals(of_values(*texts), sort=False)
    assert [text.get_text() for text in plot.texts_] == [*texts.values()]


@pytest.mark.parametrize(
    ("n", "name"),
    [
        (2, "$x^{_ and %"),
        (4, LONG),
        pytest.param(1, LONG, marks=pytest.mark.slow),
        pytest.param(40, "class", marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_names_are_whole_and_nothing_is_cut(n, name):
    """The slow ones are the lowest and the highest figure."""
    values = np.linspace(0.1, 0.9, n)
    axes = (Axis("class", np.array([f"{name} {k}" for k in range(n)])),)
    limits = {"value": values, "low": values - 0.1, "high": values + 0.1}
    interval = Interval(**limits, confidence_level=0.95, method="Wilson", axes=axes)
    plot = plot_intervals(interval, sort=False)
    assert names_in(plot) == [f"{name} {k}" for k in range(n)]
    check_nothing_is_cut(plot)
    boxes = [text.get_window_extent() for text in plot.ax_.get_yticklabels()]
    assert all(below.y1 <= above.y0 + 1e-6 for above, below in itertools.pairwise(boxes))


def test_axes_that_are_given_keep_their_figure_and_small_rows_have_small_type():
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 1.5), layout="constrained")
    few = plot_intervals(THREE, "recall", ax=left)
    values = np.linspace(0.1, 0.9, 8)
    many = plot_intervals(
        of_values(*np.stack([values, values - 0.1, values + 0.1], axis=1)), ax=right
    )
    assert (few.ax_, many.ax_, few.figure_) == (left, right, figure)
    assert figure.get_size_inches().tolist() == [9, 1.5]
    assert many.texts_[0].get_fontsize() < few.texts_[0].get_fontsize()
    check_nothing_is_cut(few, many)


@pytest.mark.parametrize(
    ("source", "options", "error", "message"),
    [
        (THREE, {}, ValueError, "specify the one to draw, such as metric='recall'"),
        ({"a": THREE}, {}, ValueError, "specify the one to draw"),
        (
            of_values((0.5, 0.4, 0.6)),
            {"metric": "recall"},
            ValueError,
            "metric= applies only to a ConfusionMatrix",
        ),
        (
            of_values((0.5, 0.4, 0.6)),
            {"average": None},
            ValueError,
            "average= applies only to a ConfusionMatrix",
        ),
        (
            comparison_of(FOREST),
            {"metric": "recall"},
            ValueError,
            "metric= applies only to a ConfusionMatrix",
        ),
        ([1, 2], {}, TypeError, "must be an Interval, a ConfusionMatrix, a dict.* got list"),
        ({"a": 0.5}, {}, TypeError, "got float"),
        ({}, {}, ValueError, "from 1 to 200 intervals; there are 0"),
        (of_values(*[(0.5, 0.4, 0.6)] * 201), {}, ValueError, "there are 201"),
        (THREE, {"metric": "recal"}, ValueError, "Did you mean 'recall'"),
        (THREE, {"metric": "recall", "sort": "yes"}, ValueError, r"sort.*True or False"),
        (THREE, {"metric": "recall", "ax": 3}, TypeError, "ax must be one matplotlib Axes"),
        (THREE, {"metric": "recall", "confidence_level": 2}, ValueError, "confidence_level"),
    ],
)
def test_mistakes_are_named_and_leave_no_figure(source, options, error, message):
    with pytest.raises(error, match=message):
        plot_intervals(source, **options)
    assert not plt.get_fignums()


def test_long_names_are_shortened_in_given_axes_and_leave_the_lines_room():
    names = [
        "acute myocardial infarction of the left ventricle",
        "chronic obstructive pulmonary disease",
        "none",
    ]
    source = {
        name: ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=[0, 1]) for name in names
    }
    _, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    plot = plot_intervals(source, "accuracy", sort=False, ax=axes[0])
    shown = [label.get_text() for label in plot.ax_.get_yticklabels()]
    assert all("\N{HORIZONTAL ELLIPSIS}" in text for text in shown[:2])
    assert shown[0].startswith("acute my")
    assert shown[0].endswith("ntricle")
    assert shown[2] == "none"
    assert plot.ax_.get_window_extent().width > 0.2 * axes[1].get_window_extent().width
    # In a figure of their own they are whole.
    whole = [
        label.get_text()
        for label in plot_intervals(source, "accuracy", sort=False).ax_.get_yticklabels()
    ]
    assert whole == names


def test_names_that_differ_only_in_their_middle_stay_apart():
    names = [
        f"a very long name of a model with {k} of its trees and more words after it"
        for k in ("few", "many")
    ]
    source = {
        name: ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=[0, 1]) for name in names
    }
    _, ax = plt.subplots()
    plot = plot_intervals(source, "accuracy", sort=False, ax=ax)
    few, many = (label.get_text() for label in plot.ax_.get_yticklabels())
    assert few.startswith("a very long name of a model with f")
    assert many.startswith("a very long name of a model with m")
    assert few.endswith(" words after it")
    assert few[len(few) - 15 :] == many[len(many) - 15 :]


@pytest.mark.usefixtures("unfitted")
def test_dots_are_filled_by_the_corrected_p_value():
    # Both are significant by themselves, and only one where the level is shared.
    small = LOGISTIC._replace(p_value=0.04, p_adjusted=0.08)
    rows = [FOREST._replace(p_value=0.001, p_adjusted=0.002), small]
    plot = plot_intervals(comparison_of(*rows, correction="bonferroni"), sort=False)
    _, open_dots = (line for line in plot.ax_.lines if line.get_marker() == "o")
    assert np.isnan(open_dots.get_xdata()).tolist() == [True, False]
    alone = comparison_of(*(row._replace(p_adjusted=row.p_value) for row in rows))
    plot = plot_intervals(alone, sort=False)
    _, open_dots = (line for line in plot.ax_.lines if line.get_marker() == "o")
    assert np.isnan(open_dots.get_xdata()).all()


Y_OF_REPORT = np.tile(["oak", "ash", "elm", "oak"], 60)
PRED_OF_REPORT = np.where(np.arange(240) % 5 == 0, np.roll(Y_OF_REPORT, 1), Y_OF_REPORT)


@pytest.mark.usefixtures("unfitted")
def test_a_report_has_the_limits_of_each_class_below_its_metric():
    report = classification_report(
        Y_OF_REPORT, PRED_OF_REPORT, metrics=["recall", "f1"], confidence_level=0.9
    )
    cm = ConfusionMatrix.from_predictions(Y_OF_REPORT, PRED_OF_REPORT)
    plot = plot_intervals(report)
    names = [label.get_text() for label in plot.ax_.get_yticklabels()]
    assert names[:4] == ["recall", "ash", "elm", "oak"]
    assert "f1" in names
    whiskers = [segment[:, 0] for segment in plot.whiskers_.get_segments()]
    of_classes = cm.interval("recall", average=None, confidence_level=0.9)
    np.testing.assert_allclose(whiskers[:3], np.column_stack([of_classes.low, of_classes.high]))
    np.testing.assert_allclose(plot.dots_.get_xdata()[1:4], of_classes.value)
    assert plot.ax_.get_xlabel().startswith("value (90 % confidence intervals)")
    without = classification_report(Y_OF_REPORT, PRED_OF_REPORT, metrics=["recall"])
    assert plot_intervals(without).ax_.get_xlabel() == "recall"


class OfSeveralMetrics:
    """A result that has the interval of each metric."""

    _is_of_difference = _is_over_time = False

    def __init__(self, cm, *metrics, **options):
        self.parts = {metric: cm.interval(metric, **options) for metric in metrics}

    def _by_metric(self):
        return self.parts


@pytest.mark.usefixtures("unfitted")
def test_what_has_intervals_of_several_metrics_has_an_entry_for_each():
    cm = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
    plot = plot_intervals(OfSeveralMetrics(cm, "recall", "precision"))
    assert [label.get_text() for label in plot.ax_.get_yticklabels()] == ["recall", "precision"]
    expected = [cm.interval(metric) for metric in ("recall", "precision")]
    whiskers = [segment[:, 0] for segment in plot.whiskers_.get_segments()]
    np.testing.assert_allclose(whiskers, [(one.low, one.high) for one in expected])
    of_classes = OfSeveralMetrics(cm, "recall", "f1", average=None)
    of_classes.parts["mcc"] = cm.interval("mcc")
    plot = plot_intervals(of_classes)
    labels = plot.ax_.get_yticklabels()
    names = ["recall", "no", "yes", "f1", "no", "yes", "mcc"]
    assert [label.get_text() for label in labels] == names
    are_bold = [label.get_fontweight() == "bold" for label in labels]
    assert are_bold == [True, False, False, True, False, False, False]
    with pytest.raises(TypeError, match="a Summary, a report"):
        plot_intervals({"a": of_classes})


@pytest.mark.usefixtures("unfitted")
def test_text_of_users_is_no_formula():
    names = ["$5 or less", "$10 or more"]
    cm = ConfusionMatrix.from_counts([[9, 1], [1, 2]], labels=names)
    with pytest.warns(UserWarning, match="too few samples"):
        of_income = plot_intervals({f"${k} and ${k + 1}": cm for k in range(2)}, "mcc")
    assert not of_income.ax_.xaxis.label.get_parse_math()
    assert not any(label.get_parse_math() for label in of_income.ax_.get_yticklabels())
    panels = plot_confusion_matrix({names[0]: cm}, title="$1 to $2")
    assert not panels.figure_._suptitle.get_parse_math()
    assert not any(panel.ax_.title.get_parse_math() for panel in panels.panels_.values())
    months = [f"${k} to ${k + 5}" for k in range(3)]
    stack = ConfusionMatrix.stack(
        {
            month: ConfusionMatrix.from_counts([[40, 10], [5, 45]], labels=[0, 1])
            for month in months
        },
        axis="price",
    )
    over_prices = plot_intervals(stack, "accuracy", axis="price")
    shown = [label.get_text() for label in over_prices.ax_.get_xticklabels()]
    assert [is_math_text(text) for text in shown] == [False] * 3


def test_no_control_limit_is_beyond_the_range_of_the_metric():
    months = np.repeat(["2026-01", "2026-02", "2026-03"], [60, 60, 6])
    actual = np.tile([0, 1], 63)
    wrong = (np.arange(126) % 20 == 0) | ((np.arange(126) >= 120) & (np.arange(126) % 2 == 0))
    cm = ConfusionMatrix.from_predictions(
        actual, np.where(wrong, 1 - actual, actual), by={"month": months}
    )
    plot = plot_intervals(cm, "accuracy")
    edges = np.concatenate([line.get_ydata() for line in plot.limits_])
    assert np.nanmax(edges) == 1
    assert 1 < plot.ax_.get_ylim()[1] < 1.1
    # A metric of one's own has no known range.
    of_own = plot_intervals(replace(cm.interval("accuracy"), metric="own"))
    assert max(np.nanmax(line.get_ydata()) for line in of_own.limits_) > 1


@pytest.mark.usefixtures("unfitted")
def test_a_bound_is_a_dashed_line_whichever_way_the_values_are_drawn():
    of_classes = plot_intervals(THREE, "recall", bound=0.75)
    [line] = of_classes.limits_
    assert [*line.get_xdata()] == [0.75, 0.75]
    months = np.array(["2026-01", "2026-02", "2026-03"])
    entries = of_values((0.8, 0.7, 0.9), (0.7, 0.6, 0.8), (0.75, 0.6, 0.8))
    over_time = plot_intervals(replace(entries, axes=(Axis("month", months),)), bound=0.75)
    assert [*over_time.limits_[-1].get_ydata()] == [0.75, 0.75]
    assert line.get_linestyle() == over_time.limits_[-1].get_linestyle() == "--"
    with pytest.raises(TypeError, match="bound must be one number; got 'high'"):
        plot_intervals(THREE, "recall", bound="high")
