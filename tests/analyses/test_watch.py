"""watch: which counts each claim tests, in which months alarms are raised, and what is refused."""

import re
import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

from skmetrics_ext import ConfusionMatrix, f1_score, watch
from skmetrics_ext.counting.design import SampleDesign
from skmetrics_ext.results import Axis
from tests.statistics.test_e_process import exact_ratio

# Rows no and yes of each of six months: recall falls in the fourth, for F only.
FALLING = [[[90, 10], [60 - tp, tp]] for tp in (57, 56, 58, 46, 45, 44)]
STEADY = [[[90, 10], [60 - tp, tp]] for tp in (55, 56, 54, 55, 56, 55)]
MONTHS = np.array(["2026-10", "2026-11", "2026-12", "2027-01", "2027-02", "2027-03"], dtype="M8[M]")
CM = ConfusionMatrix.from_counts(np.stack([FALLING, STEADY], axis=1), labels=["no", "yes"])
CM = replace(CM, axes=(Axis("month", MONTHS), Axis("sex", np.array(["F", "M"]))))
ONE = CM.sel(sex="F")
BOUND = Fraction(9, 10)


def e_values(claims, source=ONE, horizon=24, **options):
    return watch(source, claims, horizon=horizon, **options).e_value


def test_each_claim_and_group_is_told_whether_when_and_since_when():
    alarms = watch(CM, {"tpr": (0.9, 0.99), "accuracy": 0.5}, horizon=24, axis="month")
    assert alarms.axes[0].coordinates.tolist() == ["tpr >= 0.9", "tpr <= 0.99", "accuracy >= 0.5"]
    assert (alarms.axes[1].name, alarms.time.name, alarms.label) == ("sex", "month", "yes")
    assert alarms.alarm.tolist() == [[True, False], [False, False], [False, False]]
    assert alarms.alarm_time.tolist()[0] == [np.datetime64("2027-02"), None]
    assert alarms.change_time.tolist() == [[np.datetime64("2027-01"), None], [None] * 2, [None] * 2]
    np.testing.assert_allclose(alarms.value[0, 0], np.array([57, 56, 58, 46, 45, 44]) / 60)
    np.testing.assert_allclose(alarms.value[2, 1], (90 + np.array([55, 56, 54, 55, 56, 55])) / 160)
    # Each entry as if it were alone.
    np.testing.assert_array_equal(alarms.e_value[:1, 0], e_values({"recall": 0.9}))


def test_an_alarm_needs_more_at_a_higher_level_and_stays():
    months = [
        ConfusionMatrix.from_counts([[9, 1], [10, tp]], labels=[0, 1]) for tp in (10, 10, 10, 4000)
    ]
    # One ratio of four starts in the first month.
    needed = float(exact_ratio(10, 10, BOUND) + 3) / 4
    for error, expected in ((1.001 / needed, [1]), (0.999 / needed, [2])):
        alarms = watch(months, {"recall": 0.9}, horizon=4, confidence_level=1 - error)
        assert alarms.alarm_time.tolist() == expected
    assert alarms.e_value[0, -1] < 1


def test_evidence_that_just_reaches_what_is_enough_is_an_alarm():
    n_equal = 0
    for hits in range(20, 60, 2):
        month = ConfusionMatrix.from_counts([[9, 1], [10, hits]], labels=[0, 1])
        [[e_value]] = watch([month], {"recall": 0.9}, horizon=1).e_value
        level = 1 - 1 / e_value
        if 0.5 <= level < 1 and 1 / (1 - level) == e_value:
            n_equal += 1
            assert watch([month], {"recall": 0.9}, horizon=1, confidence_level=level).alarm.all()
    assert n_equal > 1


@pytest.mark.parametrize(
    ("claims", "same"),
    [
        ({"recall": 0.9}, {"false_negative_rate": (None, 0.1)}),
        ({"false_negative_rate": 0.1}, {"recall": (0.9, 1)}),
        ({"specificity": 0.9}, {"false_positive_rate": 0.1}),
        ({"accuracy": 0.9}, {"zero_one_loss": 0.1}),
        # F1 = 2 J / (1 + J).
        ({f1_score: 0.9}, {"jaccard": 9 / 11}),
        ({"f1": (None, 0.8)}, {"jaccard": (0, 2 / 3)}),
    ],
)
def test_the_same_claim_in_other_words_gives_the_same(claims, same):
    np.testing.assert_allclose(e_values(claims), e_values(same), rtol=1e-9)


def test_evidence_is_of_the_samples_that_the_metric_counts():
    first = ConfusionMatrix.from_counts([[7, 2], [3, 5]], labels=[0, 1])
    for claims, hits, misses, bound in [
        ({"recall": 0.75}, 5, 3, 0.75),
        ({"precision": 0.75}, 5, 2, 0.75),
        ({"specificity": 0.75}, 7, 2, 0.75),
        ({"recall": (None, 0.25)}, 3, 5, 0.75),
        ({"prevalence": (None, 0.5)}, 9, 8, 0.5),
        ({"accuracy": 0.75}, 12, 5, 0.75),
        ({"jaccard": 0.75}, 5, 5, 0.75),
    ]:
        alarms = watch([first], claims, horizon=1)
        assert alarms.e_value.item() == pytest.approx(
            float(exact_ratio(hits, misses, bound)), rel=1e-9
        ), claims


def test_one_of_several_classes_is_watched_against_the_rest():
    three = ConfusionMatrix.from_counts(
        [[30, 4, 1], [3, 20, 7], [2, 5, 40]], labels=["ash", "elm", "oak"]
    )
    alarms = watch([three], {"recall": 0.75, "precision": 0.5}, horizon=3, pos_label="elm")
    np.testing.assert_allclose(alarms.value.ravel(), [20 / 30, 20 / 29])
    assert alarms.label == "elm"
    with pytest.raises(ValueError, match=r"of the positive class of two.*named by pos_label="):
        watch([three], {"recall": 0.75}, horizon=3)
    both = watch([three], {"recall_elm": 0.75, ("recall", "oak"): 0.5, "accuracy": 0.5}, horizon=3)
    np.testing.assert_allclose(both.value.ravel(), [20 / 30, 40 / 47, 90 / 112])
    assert both.label is None
    claims = ["recall of 'elm' >= 0.75", "recall of 'oak' >= 0.5", "accuracy >= 0.5"]
    assert both.axes[0].coordinates.tolist() == claims
    assert watch([three], {"accuracy": 0.75}, horizon=3).label is None


def test_a_list_is_a_month_each_and_absent_groups_say_nothing():
    both, only_f = CM.sel(month="2026-10"), CM.sel(month="2027-01", sex=["F"])
    alarms = watch([both, only_f], {"recall": 0.9}, horizon=2)
    assert (alarms.time.name, alarms.time.coordinates.tolist()) == ("month", [1, 2])
    assert np.isnan(alarms.value[0, 1, 1])
    # The second ratio has no samples.
    first = float(exact_ratio(55, 5, BOUND))
    np.testing.assert_allclose(alarms.e_value[0, 1], (first + 1) / 2)


NAMES = ["Oct", "Nov", "Dec", "Jan", "Feb", "Mar"]


@pytest.mark.parametrize(
    "names",
    [
        MONTHS,
        np.datetime_as_string(MONTHS),
        [f"{month}-15" for month in np.datetime_as_string(MONTHS)],
        ["2026-W39", "2026-W40", "2026-W51", "2026-W53", "2027-W01", "2027-W09"],
        [1, 2, 3, 9, 10, 11],
        [-1.5, 0.25, 2, 3, 10, 11],
    ],
    ids=["dates", "months", "days", "weeks", "integers", "numbers"],
)
def test_what_has_an_order_of_its_own_is_watched_in_it(names):
    # Not in the order in which the entries stand, which is that of a selection.
    order = [3, 0, 5, 1, 4, 2]
    named = replace(ONE, axes=(Axis("time", np.array(names)),))
    mixed = named.sel(time=[named.axes[0].coordinates[place] for place in order])
    assert mixed.axes[0].coordinates.tolist() != named.axes[0].coordinates.tolist()
    alarms = watch(mixed, {"recall": 0.9}, horizon=6)
    np.testing.assert_array_equal(alarms.e_value, e_values({"recall": 0.9}, horizon=6))
    assert (alarms.alarm_time[0], alarms.change_time[0]) == (
        alarms.time.coordinates[4],
        alarms.time.coordinates[3],
    )
    assert alarms.time.coordinates.tolist() == named.axes[0].coordinates.tolist()


def rows_of(falling=FALLING):
    """One row for each sample, with its month by name."""
    months, actual, predicted = [], [], []
    for month, counts in zip(NAMES, falling, strict=True):
        for i, j in np.ndindex(2, 2):
            months += [month] * counts[i][j]
            actual += [["no", "yes"][i]] * counts[i][j]
            predicted += [["no", "yes"][j]] * counts[i][j]
    return {"month": months, "actual": actual, "predicted": predicted}


def in_months(kind):
    """A matrix of months with names, made in several ways."""
    rows = rows_of()
    actual, predicted = rows["actual"], rows["predicted"]
    in_order = pd.Categorical(rows["month"], categories=["Sep", *NAMES], ordered=True)
    if kind == "ordered categorical":
        return ConfusionMatrix.from_predictions(actual, predicted, by={"month": in_order})
    if kind == "pandas":
        frame = pd.DataFrame(rows | {"month": in_order})
    elif kind == "polars":
        frame = pl.DataFrame(rows, schema_overrides={"month": pl.Enum(NAMES)})
    else:
        of_months = {name: ONE.sel(month=at) for name, at in zip(NAMES, MONTHS, strict=True)}
        return ConfusionMatrix.stack(of_months, axis="month")
    return ConfusionMatrix.from_frame(frame, "actual", "predicted", by="month")


@pytest.mark.parametrize("kind", ["ordered categorical", "pandas", "polars", "stack"])
def test_a_declared_order_is_that_of_time(kind):
    cm = in_months(kind)
    assert cm.axes[0].is_ordered
    alarms = watch(cm, {"recall": 0.9}, horizon=6, pos_label="yes")
    np.testing.assert_array_equal(alarms.e_value, e_values({"recall": 0.9}, horizon=6))
    assert alarms.alarm_time.tolist() == ["Feb"]


def test_numbers_in_a_declared_order_are_taken_in_it():
    fiscal = {
        number: ONE.sel(month=at) for number, at in zip([10, 11, 12, 1, 2, 3], MONTHS, strict=True)
    }
    alarms = watch(ConfusionMatrix.stack(fiscal, axis="month"), {"recall": 0.9}, horizon=6)
    assert alarms.alarm_time.tolist() == [2]
    by_date = {at: ONE.sel(month=at) for at in MONTHS[::-1]}
    alarms = watch(ConfusionMatrix.stack(by_date, axis="month"), {"recall": 0.9}, horizon=6)
    assert alarms.alarm_time.tolist() == [MONTHS[4]]


@pytest.mark.parametrize(
    "names",
    [
        NAMES,
        ["2026-5", "2026-6", "2026-7", "2026-8", "2026-9", "2026-10"],
        ["week 5", "week 6", "week 7", "week 8", "week 9", "week 10"],
        ["5", "6", "7", "8", "9", "10"],
        ["2026-10", "2026-11", "2026-12", "2027-01", "2027-02", "2027-02-15"],
        ["2026-09", "2026-10", "2026-11", "2026-12", "2026-13", "2026-14"],
        ["2025-W49", "2025-W50", "2025-W51", "2025-W52", "2025-W53", "2026-W01"],
    ],
)
def test_text_without_an_order_is_no_time(names):
    cm = replace(ONE, axes=(Axis("month", np.array(names)),))
    with pytest.raises(
        ValueError, match=r"the axis 'month' has the entries \[.*text without an order in time"
    ):
        watch(cm, {"recall": 0.9}, horizon=24)
    assert watch([cm.sel(month=name) for name in names], {"recall": 0.9}, horizon=24).alarm.all()
    with pytest.raises(ValueError, match=r"ConfusionMatrix.stack\(\{...\}, axis='month'\)"):
        watch(cm, {"recall": 0.9}, horizon=24)


@pytest.mark.parametrize(
    "entries", [[np.nan, 1, 2, 3, 4, 5], np.array(["NaT", *MONTHS[1:]], dtype="M8[M]")]
)
def test_a_month_that_is_missing_has_no_place(entries):
    cm = replace(ONE, axes=(Axis("month", np.array(entries)),))
    with pytest.raises(ValueError, match="the axis 'month' has an entry that is missing"):
        watch(cm, {"recall": 0.9}, horizon=24)


def test_the_axis_of_time_is_named_where_there_are_two():
    swapped = replace(CM, counts=CM.counts.swapaxes(0, 1), axes=CM.axes[::-1])
    claims = {"recall": 0.9}
    expected = watch(CM, claims, horizon=24, axis="month")
    for cm, axis in ((CM, 0), (swapped, "month"), (swapped, 1), (swapped, -1)):
        alarms = watch(cm, claims, horizon=24, axis=axis)
        np.testing.assert_array_equal(alarms.e_value, expected.e_value)
        assert (alarms.time.name, alarms.axes[1].name) == ("month", "sex")
    with pytest.raises(ValueError, match=r"the axis of time, one of \['sex', 'month'\]"):
        watch(swapped, claims, horizon=24)
    with pytest.raises(ValueError, match=r"'sex' has the entries .*text without an order"):
        watch(swapped, claims, horizon=24, axis="sex")
    with pytest.raises(ValueError, match=r"no axis 'week'; .* are \['month', 'sex'\]"):
        watch(CM, claims, horizon=24, axis="week")
    with pytest.raises(ValueError, match="axis 2 is out of range"):
        watch(CM, claims, horizon=24, axis=2)
    with pytest.raises(TypeError, match="axis must be the name or index of a leading axis"):
        watch(CM, claims, horizon=24, axis=1.5)


@pytest.mark.parametrize("name", ["fold", "label", "class", "threshold", "prevalence"])
def test_an_axis_whose_entries_share_samples_is_no_time(name):
    cm = replace(ONE, axes=(Axis(name, np.arange(6)),))
    with pytest.raises(ValueError, match=f"the axis '{name}' is not time"):
        watch(cm, {"recall": 0.9}, horizon=24)


def test_months_beyond_the_horizon_are_warned_of():
    with pytest.warns(UserWarning, match="'month' has 6 entries, more than horizon=3: .*seen late"):
        alarms = watch(ONE, {"recall": 0.9}, horizon=3)
    assert alarms.alarm.all()


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_has_a_row_for_each_claim_and_entry(backend):
    alarms = watch(CM, {"recall": 0.9, "specificity": 0.5}, horizon=24, axis="month")
    columns = alarms.to_frame(backend)
    table = (
        columns.to_pydict()
        if backend == "pyarrow"
        else {name: list(columns[name]) for name in columns.columns}
    )
    assert table["claim"] == ["recall >= 0.9"] * 2 + ["specificity >= 0.5"] * 2
    assert table["sex"] == ["F", "M"] * 2
    assert table["alarm"] == [True, False, False, False]
    assert [str(at)[:10] for at in table["alarm_time"][:1] + table["change_time"][:1]] == [
        "2027-02-01",
        "2027-01-01",
    ]
    assert {str(at) for at in table["alarm_time"][1:]} <= {"NaT", "None"}
    np.testing.assert_allclose(table["largest_e_value"], alarms.e_value.max(-1).ravel())
    numbered = watch([ONE.sel(month=month) for month in MONTHS], {"recall": 0.9}, horizon=6)
    assert numbered.to_frame("polars")["alarm_time"].to_list() == numbered.alarm_time.tolist()


def test_it_is_shown_with_a_row_for_each():
    lines = repr(watch(CM, {"recall": 0.9}, horizon=24, axis=0, confidence_level=0.99)).splitlines()
    assert (
        lines[0]
        == "Alarms of 'yes' over month 2026-10 to 2027-03, horizon 24 (at most 1 % false alarms "
        "per row)"
    )
    assert lines[1].split() == [
        "claim",
        "sex",
        "alarm",
        "alarm_time",
        "alarm_sample",
        "change_time",
        "largest_e_value",
    ]
    assert re.fullmatch(r"recall >= 0.9  F +yes +2027-02 +800 +2027-01 +[\d.e+]+", lines[2])
    assert re.fullmatch(r"recall >= 0.9  M +no +- +- +- +[\d.]+", lines[3])
    assert watch(CM, {"recall": 0.9}, horizon=24, axis="month")._repr_html_().count("<tr") == 3


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        (
            {"mcc": 0.5},
            "'mcc' can't be watched: only proportions of samples can, ['precision', 'recall'",
        ),
        ({"recall_weighted": 0.5}, "'recall_weighted' can't be watched"),
        ({"cohen_kappa": 0.5}, "Of other metrics no test is known that keeps its promise"),
        ({"bennett_s": 0.5}, "'bennett_s' can't be watched"),
        ({"fbeta": 0.5}, "'fbeta' can't be watched"),
        ({lambda cm: cm.n_samples: 0.5}, "can't be watched"),
        ({"recall": 1}, "a bound on recall must be above 0 and below 1; got 1."),
        ({"recall": (0, None)}, "a bound on recall must be above 0 and below 1"),
        ({"recall": (0.9, 0.8)}, "pass the lower one first"),
        ({"recall": (0.1, 0.2, 0.3)}, "must be a number or a pair (low, high)"),
        ({"recall": None}, "must be a number or a pair (low, high)"),
        ({"prevalence": 0.3}, "could be a minimum or a maximum"),
        ({}, "claims must be a dict of metric to bound"),
        ("recall", "claims must be a dict of metric to bound"),
    ],
)
def test_what_is_no_claim_on_a_proportion_is_refused(claims, message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        watch(ONE, claims, horizon=24)


def test_counts_that_are_no_independent_samples_over_time_are_refused():
    weighted = ConfusionMatrix.from_predictions(
        [0, 1], [0, 1], sample_weight=[2.0, 1.5], by=["a", "b"]
    )
    repeated = replace(ONE, _design=SampleDesign(folds=2.0))
    clustered = ConfusionMatrix.from_predictions(
        [0, 1] * 4, [0, 1] * 4, clusters=[*"aabbccdd"], by=[*"ab"] * 4
    )
    for source, message in [
        (weighted, "watch needs numbers of independent samples, and these are weighted samples"),
        ([weighted.sum("group")] * 2, "independent samples, and these are weighted samples"),
        (clustered, "most samples that a cluster can have.*pass largest_cluster="),
        (repeated, "each sample is counted 2 times, as in repeated cross-validation, but watch"),
        (ONE.sum("month"), "a ConfusionMatrix with an axis of time"),
        (
            ConfusionMatrix.from_counts(np.zeros((0, 2, 2)), labels=[0, 1]),
            "a ConfusionMatrix with an axis of time",
        ),
        ({"2026-01": ONE.sum("month")}, "made by ConfusionMatrix.stack"),
        ([], "matrices is empty"),
        ([1], "is no ConfusionMatrix but int"),
    ]:
        with pytest.raises((ValueError, TypeError), match=message):
            watch(source, {"recall": 0.9}, horizon=24)
    for options in (
        {"horizon": 0},
        {"horizon": 2.5},
        *({"horizon": 24, "confidence_level": k} for k in (0, 1)),
    ):
        with pytest.raises(ValueError, match="must be"):
            watch(ONE, {"recall": 0.9}, **options)


def test_months_without_samples_are_not_the_beginning():
    empty = ConfusionMatrix.from_counts([[9, 1], [0, 0]], labels=[0, 1])
    months = [empty] * 3 + [ConfusionMatrix.from_counts([[9, 1], [30, 20]], labels=[0, 1])]
    assert watch(months, {"recall": 0.8}, horizon=6).change_time.tolist() == [4]
    nothing = ConfusionMatrix.from_counts(np.zeros((2, 2), dtype=int), labels=[0, 1])
    of_mean = watch([nothing, months[-1]], {"recall_macro": 0.9})
    assert of_mean.e_value[0, 0] == 1
    assert (of_mean.low[0, 0], of_mean.high[0, 0]) == (0, 1)


def test_months_after_an_alarm_do_not_move_it():
    falls = [57, 56, 40, 41, 40]
    recovers = [59, 60, 60, 60, 60, 60, 60]

    def months(hits):
        return [ConfusionMatrix.from_counts([[9, 1], [60 - tp, tp]], labels=[0, 1]) for tp in hits]

    claim = {"recall": 0.9}
    until = watch(months(falls), claim, horizon=24)
    assert until.alarm.tolist() == [True]
    after = watch(months(falls + recovers), claim, horizon=24)
    # The evidence is gone by the last month, and the alarm is not.
    assert after.e_value[0, -1] < 20 <= after.e_value.max()
    assert after.alarm_time.tolist() == until.alarm_time.tolist()
    assert after.change_time.tolist() == until.change_time.tolist()


@pytest.mark.parametrize("scale", [1000.3, 0.5])
def test_fractions_are_no_numbers_of_samples(scale):
    months = [ConfusionMatrix.from_counts(scale * counts, labels=[0, 1]) for counts in ONE.counts]
    with pytest.raises(ValueError, match=r"sums of weights.*: watch needs whole counts"):
        watch(months, {"recall": 0.9}, horizon=24, pos_label=1)
    whole = [ConfusionMatrix.from_counts(1.0 * counts, labels=[0, 1]) for counts in ONE.counts]
    assert watch(whole, {"recall": 0.9}, horizon=24, pos_label=1).alarm.all()


def test_without_a_horizon_the_promise_is_for_ever():
    alarms = watch(CM, {"recall": 0.9}, axis="month")
    assert alarms.horizon is None
    assert repr(alarms).splitlines()[0] == (
        "Alarms of 'yes' over month 2026-10 to 2027-03, anytime-valid (at most 5 % false alarms "
        "per row)"
    )
    hits = (57, 56, 58, 46, 45, 44)
    for end in range(1, 7):
        # Weights 1/2, 1/6, 1/12, ...; those that wait are 1.
        expected = Fraction(1, end + 1)
        for start in range(end):
            started = exact_ratio(
                sum(hits[start:end]), sum(60 - tp for tp in hits[start:end]), BOUND
            )
            expected += started / ((start + 1) * (start + 2))
        assert alarms.e_value[0, 0, end - 1] == pytest.approx(float(expected), rel=1e-9)
    assert alarms.alarm_time.tolist() == [[np.datetime64("2027-02"), None]]
    # 160 samples a month.
    assert alarms.alarm_sample[0, 0] == 5 * 160
    assert np.isnan(alarms.alarm_sample[0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        watch([CM.sel(sex="F").sum("month")] * 30, {"recall": 0.9})


def test_limits_beyond_a_bound_are_an_alarm_on_it():
    for claims in ({"recall": 0.9}, {"f1": 0.9}, {"recall_macro": 0.93}, {"fpr": (0.2, None)}):
        first = watch(ONE, claims)
        low, high = first.low[0, -1], first.high[0, -1]
        assert 0 < low < high < 1
        [[name, _]] = claims.items()
        for bound in ((None, low - 1e-6), (high + 1e-6, None)):
            assert watch(ONE, {name: bound}).alarm.all()


def test_macro_averages_are_means_of_the_classes():
    classes = np.array([[[30, 4, 1], [3, 20, 7], [2, 5, 40]], [[20, 9, 6], [8, 10, 2], [9, 9, 30]]])
    months = [
        ConfusionMatrix.from_counts(counts, labels=["ash", "elm", "oak"]) for counts in classes
    ]
    names = ["recall_macro", "precision_macro", "f1_macro", "jaccard_macro", "balanced_accuracy"]
    alarms = watch(months, dict.fromkeys(names, 0.8))
    for place, name in enumerate(names):
        np.testing.assert_allclose(
            alarms.value[place], [month.score(name) for month in months], rtol=1e-12
        )
    assert alarms.label is None
    np.testing.assert_array_equal(alarms.e_value[0], alarms.e_value[4])
    # Three equal classes, each with a third of what raises an alarm about one.
    alike = ConfusionMatrix.from_counts(np.eye(3, dtype=int) * 30 + 5, labels=[0, 1, 2])
    of_three = watch([alike], {"recall_macro": 0.8}).e_value
    of_one = watch([alike], {("recall", 0): 0.8}).e_value
    np.testing.assert_allclose(of_three - 0.5, (of_one - 0.5) / 3, rtol=1e-6)
    # A class without samples may have any recall.
    alone = ConfusionMatrix.from_counts([[30, 30], [0, 0]], labels=[0, 1])
    e_values_of_bounds = [watch([alone], {"recall_macro": b}).e_value.item() for b in (0.8, 0.95)]
    assert e_values_of_bounds[0] < 2 < 20 < e_values_of_bounds[1]
    labels = ConfusionMatrix.from_predictions(
        np.tile(np.eye(2, dtype=int), (6, 1)),
        np.tile(np.eye(2, dtype=int), (6, 1)),
        by=[1, 1, 2, 2] * 3,
    )
    with pytest.raises(ValueError, match=r"'recall_macro' of several labels can't be watched"):
        watch(labels, {"recall_macro": 0.5}, axis="group")


def clustered_months():
    """Of 20 pairs of positive samples a month: both hits or both misses, and as many negatives."""
    months, actual, predicted, clusters = [], [], [], []
    for month, n_right in enumerate((19, 18, 8), 1):
        for pair in range(40):
            months += [month] * 2
            actual += [int(pair < 20)] * 2
            predicted += [int(pair < n_right)] * 2
            clusters += [f"{month} {pair}"] * 2
    return months, actual, predicted, clusters


def test_clusters_of_a_known_largest_size_are_watched():
    months, actual, predicted, clusters = clustered_months()
    cm = ConfusionMatrix.from_predictions(
        actual, predicted, clusters=clusters, by={"month": months}
    )
    found = watch(cm, {"recall": 0.9, "recall_macro": 0.9}, largest_cluster=2, pos_label=1)
    np.testing.assert_allclose(found.value[0], [19 / 20, 18 / 20, 8 / 20])
    # Pairs that are alike are as one sample each.
    halved = ConfusionMatrix.from_predictions(
        actual[::2], predicted[::2], by={"month": months[::2]}
    )
    of_pairs = watch(halved, {"recall": 0.9, "recall_macro": 0.9}, pos_label=1)
    np.testing.assert_allclose(found.e_value, of_pairs.e_value, rtol=1e-6)
    np.testing.assert_allclose(found.low, of_pairs.low, rtol=1e-6)
    np.testing.assert_allclose(found.high, of_pairs.high, atol=5e-5)
    assert found.alarm[0]
    # Clusters of one sample, of which the largest is said to be one, are independent samples.
    single = ConfusionMatrix.from_predictions(
        actual, predicted, clusters=np.arange(len(actual)), by={"month": months}
    )
    alone = watch(single, {"recall": 0.9}, largest_cluster=1, pos_label=1)
    independent = ConfusionMatrix.from_predictions(actual, predicted, by={"month": months})
    np.testing.assert_array_equal(
        alone.e_value, watch(independent, {"recall": 0.9}, pos_label=1).e_value
    )
    # Independent months beside them are clusters of one.
    names = [f"single {place}" for place in range(len(actual))]
    of_one = ConfusionMatrix.from_predictions(actual, predicted, clusters=names)
    plain = ConfusionMatrix.from_counts(of_one.counts, labels=[0, 1])
    asked = {"claims": {"recall": 0.9}, "largest_cluster": 2, "pos_label": 1}
    mixed, whole = (watch([of, cm.sel(month=3)], **asked) for of in (plain, of_one))
    np.testing.assert_allclose(mixed.e_value, whole.e_value, rtol=1e-9)
    # In parts of a larger one, they say less.
    larger = watch(cm, {"recall": 0.9}, largest_cluster=6, pos_label=1)
    assert 1 < larger.e_value[0, -1] < found.e_value[0, -1]


def test_clusters_of_an_unknown_size_or_of_several_months_are_refused():
    months, actual, predicted, clusters = clustered_months()

    def asked(clusters=clusters, **options):
        by = {"month": months}
        cm = ConfusionMatrix.from_predictions(actual, predicted, clusters=clusters, by=by)
        return watch(cm, {"recall": 0.9}, pos_label=1, **options)

    for options, message in [
        ({}, "watch needs the most samples that a cluster can have, known in advance"),
        ({"largest_cluster": 1}, "a cluster has 2 samples, more than largest_cluster=1"),
        ({"largest_cluster": 0}, "largest_cluster must be an integer >= 1; got 0"),
        ({"largest_cluster": 2, "clusters": [name.split()[1] for name in clusters]}, "within one"),
        (
            {"largest_cluster": 2, "clusters": None},
            "largest_cluster= is for samples counted in clusters",
        ),
    ]:
        with pytest.raises(ValueError, match=message):
            asked(**options)
