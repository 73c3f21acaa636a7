"""Crossed groups are a tuple of coordinates at every door; texts join it with commas."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    ThresholdCurves,
    agreement,
    check,
    plot_confusion_matrix,
    plot_intervals,
    plot_roc,
    watch,
)
from skmetrics_ext.results import Axis

RANDOM = np.random.default_rng(0)
N = 600
Y = RANDOM.integers(0, 2, N)
SCORE = np.clip(Y + RANDOM.normal(size=N), 0, 1).round(2)
PRED = (SCORE >= 0.5).astype(int)
SEX = np.array(["M", "F"])[RANDOM.integers(0, 2, N)]
# A number beside text, in an order that is not its own.
AGE = pd.Categorical.from_codes(RANDOM.integers(0, 2, N), [60, 20], ordered=True)
CLUSTERS = np.arange(N) // 3
WEIGHTS = RANDOM.choice([0.5, 1, 2], N)
PAIRS = [("F", 60), ("F", 20), ("M", 60), ("M", 20)]
TEXTS = ["F, 60", "F, 20", "M, 60", "M, 20"]
BY = {"sex": SEX, "age": AGE}
CURVES = ThresholdCurves.from_scores(Y, SCORE, by=BY)
# On the one axis "sex, age", and on an axis each.
CROSSED = CURVES.at_thresholds([0.5]).sel(threshold=0.5)
APART = ConfusionMatrix.from_predictions(Y, PRED, by=BY)
# The same by a column of the texts.
JOINED = [f"{sex}, {age}" for sex, age in zip(SEX, AGE, strict=True)]


def rows_of(text):
    """The lines behind the title and the headers."""
    return text.splitlines()[2:]


def test_keys_and_sel_are_tuples():
    assert [*CURVES] == CROSSED.axes[0].coordinates.tolist() == PAIRS
    assert repr(CROSSED).count("('F', 60)") == 1
    for pair in PAIRS:
        alone = (pair[0] == SEX) & (pair[1] == AGE)
        assert (
            CURVES[pair].roc_auc() == ThresholdCurve.from_scores(Y[alone], SCORE[alone]).roc_auc()
        )
        one = CROSSED.sel(**{"sex, age": pair})
        assert one == APART.sel(sex=pair[0], age=pair[1])
    two = CROSSED.sel(**{"sex, age": PAIRS[::-3]})
    assert two.axes[0].coordinates.tolist() == PAIRS[::-3]
    for unknown in ("F, 60", ("F", 30), ("F",), "F"):
        with pytest.raises(ValueError, match="has no entry"):
            CROSSED.sel(**{"sex, age": unknown})
        with pytest.raises(KeyError, match="there is no curve for"):
            CURVES[unknown]


def test_matrices_of_crossed_groups_are_aligned_stored_and_pooled():
    first, last = (CROSSED.sel(**{"sex, age": pairs}) for pairs in (PAIRS[:3], PAIRS[2:]))
    both = first + last
    # Neither is sorted, so the new ones are last.
    assert both.axes[0].coordinates.tolist() == PAIRS
    shared = both.sel(**{"sex, age": PAIRS[2]})
    np.testing.assert_array_equal(shared.counts, 2 * CROSSED.counts[2])
    assert CROSSED.sum("sex, age") == APART.sum("sex").sum("age")
    for again in (
        ConfusionMatrix.from_dict(json.loads(json.dumps(CROSSED.to_dict()))),
        pickle.loads(pickle.dumps(CROSSED)),
    ):
        assert again == CROSSED
        assert again.axes[0].coordinates.tolist() == PAIRS
    longer = ThresholdCurves.from_scores(
        [0, 1], [0.2, 0.8], by={"sex": ["Female", "F"], "age": [1, 60]}
    )
    more = longer.at_thresholds([0.5]).sel(threshold=0.5) + CROSSED
    assert more.sel(**{"sex, age": ("Female", 1)}).n_samples == 1
    assert more.sel(**{"sex, age": ("F", 60)}).n_samples == CROSSED.n_samples[0] + 1
    numbers = ThresholdCurves.from_scores([0, 1], [0.2, 0.8], by={"sex": [1, 2], "age": [1, 60]})
    with pytest.raises(ValueError, match=r"numbers and numbers .* strings and numbers"):
        numbers.at_thresholds([0.5]).sel(threshold=0.5) + CROSSED


def test_a_column_of_crossed_groups_is_no_other_axis():
    with pytest.raises(ValueError, match="already have an axis 'age'"):
        ConfusionMatrix.stack({1: CROSSED}, axis="age")


def test_a_state_of_crossed_groups_that_fit_no_counts_is_refused():
    state = CROSSED.to_dict()
    parts = state["axes"][0]["coordinates"]["crossed"]
    parts["age"] |= {"values": [20], "shape": [1]}
    with pytest.raises(ValueError, match="its parts differ in length"):
        ConfusionMatrix.from_dict(state)


def test_an_axis_of_crossed_groups_is_crossed_with_another():
    year = np.arange(N) % 2
    curves = [
        ThresholdCurves.from_scores(
            Y[year == k],
            SCORE[year == k],
            by={name: column[year == k] for name, column in BY.items()},
        )
        for k in (0, 1)
    ]
    years = {k: of.at_thresholds([0.5]).sel(threshold=0.5) for k, of in enumerate(curves)}
    cm = ConfusionMatrix.stack(years, axis="year")
    found = cm.gap("accuracy", axis=["year", "sex, age"], n_resamples=100)
    apart = ConfusionMatrix.from_predictions(Y, PRED, by={"year": year, **BY})
    expected = apart.gap("accuracy", axis=["year", "sex", "age"], n_resamples=100)
    assert found.lowest_group == expected.lowest_group
    assert (found.value, found.low) == pytest.approx((expected.value, expected.low))
    rows = CROSSED.pairwise_gaps("recall", against=("F", 20)).rows
    assert [(row.model, row.reference) for row in rows] == [
        (text, TEXTS[1]) for text in TEXTS if text != TEXTS[1]
    ]


@pytest.mark.parametrize("unit", ["D", "ns"])
def test_days_are_crossed_too(unit):
    days = np.array(["2026-01-01", "2026-01-02"], dtype=f"M8[{unit}]")[np.arange(N) % 2]
    curves = ThresholdCurves.from_scores(Y, SCORE, by={"day": days, "sex": SEX})
    key = (days[1], "F")
    found = curves.at_thresholds([0.5]).sel(threshold=0.5)
    assert found.sel(**{"day, sex": key}).n_samples == ((days == days[1]) & (SEX == "F")).sum()
    assert "2026-01-02, F" in repr(found.interval("recall"))
    assert ConfusionMatrix.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    assert str(found.interval("recall").to_frame("polars")["day"].dtype).startswith("Date")


def test_frames_have_a_column_of_each_coordinate():
    for library in ("pandas", "polars", "pyarrow"):
        for found in (CROSSED.interval("recall"), CROSSED, CURVES):
            frame = pl.DataFrame(found.to_frame(library))
            assert frame.columns[:2] == ["sex", "age"]
            assert frame.select("sex", "age").unique(maintain_order=True).rows() == PAIRS
    gap = APART.gap("f1", axis=["sex", "age"], baseline=PAIRS[0], n_resamples=100)
    frame = gap.to_frame("polars")
    assert frame["baseline"].to_list() == ["F, 60"]
    assert frame["lowest_group"].item() in TEXTS


def test_texts_join_the_coordinates_with_commas():
    for of in (CROSSED, APART):
        lines = repr(of.interval("recall")).splitlines()[1:]
        assert sorted(line.split("  ")[0] for line in lines) == sorted(TEXTS)
    assert [row[0] for row in CROSSED.interval("recall").to_table().rows] == TEXTS
    transposed = APART.interval("recall").to_table().transposed()
    assert sorted(transposed.headers[1:]) == sorted(TEXTS)
    assert transposed.headers[0] == "sex, age"
    assert all(f"<th>{text}</th>" in CURVES._repr_html_() for text in TEXTS)
    assert [
        row.split("0.1  ")[1][:5] for row in rows_of(repr(check(CROSSED, {"recall": 0.1})))
    ] == (TEXTS)
    ratings = np.stack([Y, PRED], 1)
    agreed = agreement(ratings, metric="percent_agreement", by=BY)
    assert agreed.axes[0].coordinates.tolist() == PAIRS
    assert [line[:5] for line in repr(agreed).splitlines()[1:]] == TEXTS


def test_pictures_name_crossed_groups_by_their_text():
    roc = plot_roc(CURVES)
    texts = [text.get_text() for text in roc.ax_.get_legend().get_texts()]
    assert all(any(text.startswith(name) for text in texts) for name in TEXTS)
    for of in (CROSSED, APART):
        names = [label.get_text() for label in plot_intervals(of, "recall").ax_.get_yticklabels()]
        assert sorted(names) == sorted(TEXTS)
    panels = plot_confusion_matrix(CROSSED).figure_.axes
    assert [ax.get_title() for ax in panels if ax.get_title()] == TEXTS


def test_months_of_crossed_groups_are_watched_each():
    months = ConfusionMatrix.stack({1: CROSSED, 2: CROSSED}, axis="month")
    alarms = watch(months, {"recall": 0.99}, horizon=2, axis="month")
    assert sorted(row.split("0.99  ")[1][:5] for row in rows_of(repr(alarms))[:4]) == sorted(TEXTS)


def designs():
    """Samples of each design, and the same by a column of the texts."""
    for options in ({}, {"clusters": CLUSTERS}, {"sample_weight": WEIGHTS}):
        several = ConfusionMatrix.from_predictions(Y, PRED, by=BY, **options)
        yield several, ConfusionMatrix.from_predictions(Y, PRED, by=JOINED, **options)


@pytest.mark.parametrize(("several", "joined"), [*designs()], ids=["plain", "clusters", "weights"])
def test_the_gap_of_crossed_axes_is_that_of_one_column_of_both(several, joined):
    options = {"n_resamples": 199, "random_state": 0}
    found = several.gap("accuracy", axis=["sex", "age"], baseline=("M", 20), **options)
    expected = joined.gap("accuracy", baseline="M, 20", **options)
    for field in ("value", "low", "high", "n"):
        assert getattr(found, field) == pytest.approx(getattr(expected, field), rel=1e-9), field
    assert ", ".join(map(str, found.lowest_group)) == expected.lowest_group
    assert found.baseline == ("M", 20)
    assert expected.lowest_group in repr(found)
    rows = several.pairwise_gaps("accuracy", axis=["sex", "age"], against=("M", 20), **options).rows
    by_name = {
        row.model: row for row in joined.pairwise_gaps("accuracy", against="M, 20", **options).rows
    }
    assert {row.model for row in rows} == by_name.keys() == {*TEXTS[:3]}
    for row in rows:
        assert (row.low, row.high) == pytest.approx(
            (by_name[row.model].low, by_name[row.model].high)
        )


def test_gaps_of_crossed_axes_are_of_the_combinations_that_occur_at_each_entry_of_others():
    kept = (SEX != "M") | (AGE != 20)
    year = np.arange(N) % 2
    cm = ConfusionMatrix.from_predictions(
        Y[kept], PRED[kept], by={"sex": SEX[kept], "year": year[kept], "age": AGE[kept]}
    )
    options = {"n_resamples": 100, "axis": ["age", "sex"]}
    found = cm.gap("accuracy", **options)
    assert [axis.name for axis in found.axes] == ["year"]
    for k in (0, 1):
        alone = cm.sel(year=k).gap("accuracy", **options)
        assert (found.value[k], found.low[k]) == pytest.approx((alone.value, alone.low))
        assert found.lowest_group[k] == alone.lowest_group
    assert (20, "M") not in found.excluded_groups[0]


def test_several_names_of_crossed_groups_are_told_apart():
    counts = [[[60, 20], [10, 70]], [[2, 1], [1, 2]], [[1, 0], [1, 1]], [[50, 30], [20, 60]]]
    axes = (Axis("sex", np.array(["F", "M"])), Axis("age", np.array([20, 60])))
    cm = ConfusionMatrix(np.reshape(counts, (2, 2, 2, 2)), np.array([0, 1]), axes, 1)
    gap = cm.gap("recall", axis=["sex", "age"], min_samples=10)
    assert gap.excluded_groups == (("F", 60), ("M", 20))
    assert "excluded: F, 60; M, 20 (" in repr(gap)


def test_names_that_join_to_one_text_are_two_groups():
    by = {"a": ["x, y", "x"] * 20, "b": ["z", "y, z"] * 20}
    curves = ThresholdCurves.from_scores([0, 0, 1, 1] * 10, np.arange(40), by=by)
    assert [*curves] == [("x", "y, z"), ("x, y", "z")]
    cm = ConfusionMatrix.from_predictions([0, 0, 1, 1] * 10, [0, 0, 1, 0] * 10, by=by)
    gap = cm.gap("accuracy", axis=["a", "b"])
    assert (gap.lowest_group, gap.highest_group) == (("x", "y, z"), ("x, y", "z"))


def test_crossed_axes_whose_entries_share_samples_are_refused():
    cm = ThresholdCurves.from_scores(Y, SCORE, by={"sex": SEX}).at_thresholds([0.3, 0.6])
    with pytest.raises(ValueError, match="each sample is in 2 of the entries of 'sex, threshold'"):
        cm.gap("recall", axis=["sex", "threshold"])


@pytest.mark.parametrize("axis", [["sex", "sex"], [], ["sex", "size"]])
def test_axes_that_cannot_be_crossed_are_refused(axis):
    with pytest.raises(ValueError, match="axis"):
        APART.gap("recall", axis=axis)


def test_a_baseline_of_crossed_groups_is_one_of_them():
    for baseline in ("F", "F, 60", ("F", 30)):
        with pytest.raises(ValueError, match=r"is not one of the groups \[\('F', 60\)"):
            APART.gap("recall", axis=["sex", "age"], baseline=baseline)
        with pytest.raises(ValueError, match=r"or one of the groups \[\('F', 60\)"):
            APART.pairwise_gaps("recall", axis=["sex", "age"], against=baseline)
