"""Leading axes: whether the order of their entries was declared, and what keeps it."""

import functools
import itertools
import json
import operator
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurves,
    agreement,
    metric_interval,
    plot_intervals,
)
from skmetrics_ext.results import Axis

Y = np.array([0, 1, 1, 0, 1, 0] * 40)
P = np.array([0, 1, 0, 0, 1, 1] * 40)
SCORE = np.linspace(0, 1, 240)
NAMES = np.repeat(["low", "mid", "high", "top"], 60)
LEVELS = ["none", "low", "mid", "high", "top"]
DECLARED = pd.Categorical(NAMES, categories=LEVELS, ordered=True)


def frame_of(levels):
    return pl.DataFrame({"y": Y, "p": P, "level": pl.Series(NAMES, dtype=levels)})


DOORS = {
    "labels": lambda by: ConfusionMatrix.from_predictions(Y, P, by={"level": by}).axes[0],
    "scores": lambda by: ConfusionMatrix.from_scores(Y, SCORE, by={"level": by}).axes[0],
    "multilabel": lambda by: ConfusionMatrix.from_predictions(
        np.c_[Y, P], np.c_[P, Y], by={"level": by}
    ).axes[0],
    "frame": lambda by: ConfusionMatrix.from_frame(
        pd.DataFrame({"y": Y, "p": P, "level": by}), "y", "p", by="level"
    ).axes[0],
    "partial": lambda by: ConfusionMatrix.from_partial_labels(
        Y.astype(float), P, by={"level": by}
    ).axes[0],
    "curves": lambda by: ThresholdCurves.from_scores(Y, SCORE, by={"level": by}).axis,
    "matrices of curves": lambda by: (
        ThresholdCurves.from_scores(Y, SCORE, by={"level": by}).at_thresholds([0.5]).axes[0]
    ),
    "intervals": lambda by: metric_interval(
        Y, P, "accuracy", by={"level": by}, clusters=np.arange(240)
    ).axes[0],
    "intervals of a matrix": lambda by: (
        ConfusionMatrix.from_predictions(Y, P, by={"level": by}).interval("accuracy").axes[0]
    ),
    "agreement": lambda by: agreement(
        np.c_[Y, P], metric="percent_agreement", by=np.asarray(by) if isinstance(by, list) else by
    ).axes[0],
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_an_ordered_categorical_declares_the_order_of_its_axis(door):
    axis = door(DECLARED)
    assert axis.coordinates.tolist() == ["low", "mid", "high", "top"]
    assert axis.is_ordered
    unordered = door(pd.Categorical(NAMES, categories=LEVELS))
    assert (unordered.coordinates.tolist(), unordered.is_ordered) == (sorted({*NAMES}), False)
    assert not door(list(NAMES)).is_ordered


@pytest.mark.parametrize(
    ("levels", "is_ordered"), [(pl.Enum(LEVELS), True), (pl.Categorical, False), (pl.String, False)]
)
def test_an_enum_declares_it_in_a_frame(levels, is_ordered):
    [axis] = ConfusionMatrix.from_frame(frame_of(levels), "y", "p", by="level").axes
    assert axis.is_ordered is is_ordered


def test_groups_without_a_name_have_no_place_in_the_order():
    missing = pd.Categorical([None, *NAMES[1:]], categories=LEVELS, ordered=True)
    cm = ConfusionMatrix.from_predictions(Y, P, by={"level": missing}, missing_group="unknown")
    assert cm.axes[0].coordinates.tolist() == ["low", "mid", "high", "top", "unknown"]
    assert not cm.axes[0].is_ordered
    frame = frame_of(pl.Enum(LEVELS)).with_columns(
        level=pl.when(pl.int_range(240) > 0).then("level")
    )
    cm = ConfusionMatrix.from_frame(frame, "y", "p", by="level", missing="label")
    assert cm.axes[0].coordinates.tolist() == ["low", "mid", "high", "top", "missing"]
    assert not cm.axes[0].is_ordered


CM = ConfusionMatrix.from_predictions(Y, P, by={"level": DECLARED})


def test_a_stack_declares_its_order_and_selections_keep_it():
    parts = {name: CM.sel(level=name) for name in ("top", "low", "mid")}
    stacked = ConfusionMatrix.stack(parts, axis="level")
    assert stacked.axes[0].is_ordered
    assert stacked.axes[0].coordinates.tolist() == ["top", "low", "mid"]
    for chosen, is_ordered in [
        (["low", "high"], True),
        (["low"], True),
        (["high", "low"], False),
        (["low", "top", "mid"], False),
    ]:
        assert CM.sel(level=chosen).axes[0].is_ordered is is_ordered


def test_it_is_stored():
    for cm in (CM, CM.sel(level=["high", "low"])):
        again = ConfusionMatrix.from_dict(json.loads(json.dumps(cm.to_dict())))
        loaded = pickle.loads(pickle.dumps(cm))
        assert again.axes[0].is_ordered == loaded.axes[0].is_ordered == cm.axes[0].is_ordered
    curves = pickle.loads(pickle.dumps(ThresholdCurves.from_scores(Y, SCORE, by=DECLARED)))
    assert curves.axis.is_ordered
    state = CM.to_dict()
    state["axes"][0]["is_ordered"] = "yes"
    with pytest.raises((TypeError, ValueError), match=r"'is_ordered' of axes\[0\]"):
        ConfusionMatrix.from_dict(state)


@pytest.mark.parametrize(
    ("first", "second", "expected", "is_ordered"),
    [
        # One has all, the other agrees or declares nothing.
        (["low", "mid", "high", "top"], ["low", "high"], ["low", "mid", "high", "top"], True),
        (["low", "high"], ["low", "mid", "high", "top"], ["low", "mid", "high", "top"], True),
        (["low", "mid", "high"], ["low", "mid", "high"], ["low", "mid", "high"], True),
        # Nobody knows whether mid lies below high.
        (["low", "mid"], ["low", "high"], ["low", "mid", "high"], False),
        (["high", "low"], ["mid", "low"], ["high", "low", "mid"], False),
        # They contradict each other.
        (["low", "mid", "high"], ["high", "low"], ["low", "mid", "high"], False),
        (["low", "mid"], ["mid", "low"], ["low", "mid"], False),
    ],
)
def test_sums_keep_an_order_that_both_know(first, second, expected, is_ordered):
    one, other = (
        ConfusionMatrix.stack({name: CM.sel(level=name) for name in names}, axis="level")
        for names in (first, second)
    )
    [axis] = (one + other).axes
    assert (axis.coordinates.tolist(), axis.is_ordered) == (expected, is_ordered)
    at = axis.coordinates.tolist().index("low")
    times = [first, second]
    assert (one + other).counts[at].sum() == 60 * sum("low" in names for names in times)


def test_an_undeclared_order_gives_way_to_a_declared_one():
    plain = ConfusionMatrix.from_predictions(Y, P, by={"level": list(NAMES)})
    for total in (plain + CM, CM + plain, plain.sel(level=["high", "low"]) + CM):
        assert total.axes[0].coordinates.tolist() == ["low", "mid", "high", "top"]
        assert total.axes[0].is_ordered
    np.testing.assert_array_equal((plain + CM).counts, 2 * CM.counts)
    # The same coordinates, which only one of them declares.
    level = pd.Categorical(NAMES, categories=sorted(LEVELS), ordered=True)
    declared = ConfusionMatrix.from_predictions(Y, P, by={"level": level})
    assert all(total.axes[0].is_ordered for total in (plain + declared, declared + plain))
    both = plain + plain
    assert (both.axes[0].coordinates.tolist(), both.axes[0].is_ordered) == (sorted({*NAMES}), False)


def test_intervals_are_drawn_along_the_axis_that_is_named():
    plot = plot_intervals(CM, "accuracy", axis="level")
    expected = ["low", "mid", "high", "top"]
    assert [line.get_xdata().tolist() for line in plot.lines_] == [expected]
    assert plot.ax_.get_xlabel() == "level"
    assert plot_intervals(CM, "accuracy").lines_ == []
    plain = ConfusionMatrix.from_predictions(Y, P, by={"level": list(NAMES)})
    for source, options in ((plain, {"metric": "accuracy"}), (plain.summary("accuracy"), {})):
        with pytest.raises(ValueError, match=r"'level' has the entries .*without an order"):
            plot_intervals(source, axis="level", **options)
    with pytest.raises(ValueError, match=r"no axis 'month'; the leading axes are \['level'\]"):
        plot_intervals(CM, "accuracy", axis="month")
    with pytest.raises(ValueError, match=r"are \['low', 'mid', 'high', 'top'\] in one interval"):
        plot_intervals({"a": CM, "b": CM.sel(level=["low", "top"])}, "accuracy", axis="level")


def test_two_axes_of_dates_need_a_name_and_weeks_are_dates():
    weeks = np.array([f"2026-W{week:02d}" for week in (9, 10, 11)])
    cm = ConfusionMatrix.from_counts(np.full((3, 3, 2, 2), 9), labels=[0, 1])
    cm = ConfusionMatrix(
        cm.counts, cm.labels, (Axis("week", weeks), Axis("visit", np.array([1, 2, 3])))
    )
    plot = plot_intervals(cm, "accuracy")
    assert plot.ax_.get_xlabel() == "week"
    mondays = np.array(["2026-02-23", "2026-03-02", "2026-03-09"], dtype="M8[D]")
    np.testing.assert_array_equal(plot.lines_[0].get_xdata(), mondays)
    assert len(plot.lines_) == 3
    visits = plot_intervals(cm, "accuracy", axis="visit")
    assert visits.lines_[0].get_xdata().tolist() == [1, 2, 3]
    assert visits.ax_.get_xlabel() == "visit"


def of_levels(*names, is_declared=True):
    counts = [ConfusionMatrix.from_counts([[k + 1, 1], [2, k + 3]], [0, 1]) for k in range(9)]
    cm = ConfusionMatrix.stack(dict(zip(names, counts, strict=False)), axis="level")
    return replace(cm, axes=(cm.axes[0]._replace(is_ordered=is_declared),))


def test_matrices_together_have_a_declared_order_whichever_comes_first():
    """If one declares the order of all entries, and no other contradicts it."""
    whole, undeclared = (
        of_levels(*LEVELS, is_declared=is_declared) for is_declared in (True, False)
    )
    some, turned = of_levels("low", "high"), of_levels("mid", "low")
    together = [
        ((whole, undeclared), True),
        ((undeclared, undeclared), False),
        ((whole, some), True),
        ((whole, turned), False),
        ((whole, some, turned), False),
        ((whole, some, undeclared), True),
    ]
    for members, is_ordered in together:
        for in_turn in itertools.permutations(members):
            [axis] = functools.reduce(operator.add, in_turn).axes
            stacked = ConfusionMatrix.stack(dict(enumerate(in_turn)), axis="time")
            assert axis.coordinates.tolist() == stacked.axes[1].coordinates.tolist() == [*LEVELS]
            assert stacked.axes[1].is_ordered is is_ordered
            if len(members) == 2:
                assert axis.is_ordered is is_ordered


def test_entries_are_sorted_together_only_if_all_are():
    ascending, other = of_levels(1, 3), of_levels(2, 0)
    assert (ascending + of_levels(0, 2)).axes[0].coordinates.tolist() == [0, 1, 2, 3]
    assert (ascending + other).axes[0].coordinates.tolist() == [1, 3, 2, 0]
    assert (other + ascending).axes[0].coordinates.tolist() == [2, 0, 1, 3]


def test_axes_are_compared_with_their_coordinates():
    by = {"g": ["a", "b", "a"], "h": [1, 2, 2]}
    cm, same = (ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0], by=by) for _ in range(2))
    assert cm.axes == same.axes
    assert pickle.loads(pickle.dumps(cm.axes[0])) == cm.axes[0]
    assert cm.axes[0] != cm.axes[1]
    assert cm.axes[0] != cm.axes[0]._replace(is_ordered=True)
    assert cm.axes != cm.sel(g=["b", "a"]).axes
