"""The texts of intervals, gaps and comparisons: metric, class, level, method and number."""

import copy
import pickle
import warnings
from dataclasses import fields, replace

import numpy as np
import pytest

from skmetrics_ext import ConfusionMatrix, ThresholdCurve, metric_interval, watch
from skmetrics_ext.results import Axis, Caveat, Comparison, FoldComparison, Gap, Interval
from skmetrics_ext.writing.text import p_as_text

TWO = ConfusionMatrix.from_counts([[80, 20], [5, 45]], labels=["no", "yes"])
THREE = ConfusionMatrix.from_counts([[30, 2, 1], [3, 40, 1], [2, 1, 20]], labels=["a", "b", "c"])
GROUPS = ConfusionMatrix.from_counts(
    [[[70, 30], [20, 80]], [[80, 20], [40, 60]], [[75, 25], [30, 70]]], [0, 1]
)

TWO_GROUPS = GROUPS.sel(axis_0=[0, 1])
PICKLED = [
    lambda result, protocol=k: pickle.loads(pickle.dumps(result, protocol)) for k in range(2, 6)
]


def about(result):
    return result.metric, result.label, result.n


@pytest.mark.parametrize(
    ("metric", "options", "expected"),
    [
        ("recall", {}, ("recall", "yes", 50)),
        ("tpr", {"pos_label": "no"}, ("tpr", "no", 100)),
        # 85 predictions of "no".
        ("npv", {}, ("npv", "yes", 85)),
        ("precision", {}, ("precision", "yes", 65)),
        ("prevalence", {}, ("prevalence", "yes", 150)),
        ("F1", {}, ("F1", "yes", 150)),
        ("informedness", {}, ("informedness", "yes", 150)),
        ("recall_macro", {}, ("recall_macro", None, 150)),
        ("recall", {"average": "weighted"}, ("recall_weighted", None, 150)),
        ("Recall_Worst", {}, ("Recall_worst", None, 150)),
        ("recall", {"average": "macro", "labels": ["no"]}, ("recall", "no", 100)),
        ("accuracy", {}, ("accuracy", None, 150)),
        ("kappa", {}, ("kappa", None, 150)),
    ],
)
def test_an_interval_names_what_was_asked_for(metric, options, expected):
    assert about(TWO.interval(metric, random_state=0, n_resamples=200, **options)) == expected


def test_an_axis_of_classes_says_the_class_and_each_entry_has_its_number():
    interval = THREE.interval("sensitivity", average=None)
    assert (interval.metric, interval.label, interval.n.tolist()) == (
        "sensitivity",
        None,
        [33, 44, 23],
    )
    assert THREE.interval("mcc", random_state=0).n == 100
    by_group = GROUPS.interval("recall")
    assert (by_group.label, by_group.n.tolist()) == (1, [100, 100, 100])
    with pytest.raises(ValueError, match="read-only"):
        by_group.n[0] = 0
    labels = ConfusionMatrix.from_predictions(np.eye(3, dtype=int), np.eye(3, dtype=int)).interval(
        "recall"
    )
    assert (labels.axes[0].name, labels.label) == ("label", None)


def test_all_of_it_is_pickled():
    for result in (
        TWO.interval("npv"),
        THREE.interval("recall", average=None),
        GROUPS.gap("recall", n_resamples=200),
    ):
        again = pickle.loads(pickle.dumps(result))
        assert repr(again) == repr(result)
        assert (again.metric, again.label) == (result.metric, result.label)
        np.testing.assert_array_equal(again.method, result.method)
        np.testing.assert_array_equal(again.n, result.n)
        assert getattr(again, "n_permutations", None) == getattr(result, "n_permutations", None)
        assert repr(again).count("n = ") or not result.axes


def gap_of(metric, value, low, high, p_value, **others):
    limits = {"value": value, "low": low, "high": high, "p_value": p_value}
    return Gap(**limits, lowest_group="a", highest_group="b", metric=metric, **others)


def with_nan():
    return Interval(
        value=np.array([np.nan, 0.5]),
        low=np.array([0.0, 0.4]),
        high=np.array([1.0, 0.6]),
        confidence_level=0.95,
        method="Wilson",
        axes=AXES,
    )


AXES = (Axis("group", np.array(["a", "b"])),)

# A comparison of one row.
UNKNOWN = dict.fromkeys(("value", "difference", "low", "high", "p_value", "p_adjusted"), np.nan)


def one_row():
    models = {
        "metric": "f1",
        "model": "a",
        "reference": "b",
        "reference_value": 0.8,
        "method": "none",
    }
    axes = (Axis("row", np.array(["f1: a - b"])),)
    return Comparison(**models, **UNKNOWN, axes=axes, confidence_level=0.95, margin=0.1)


def one_fold_comparison():
    own = {of.name: getattr(one_row(), of.name) for of in fields(Comparison)}
    of_rope = dict.fromkeys(("worse", "equivalent", "better"), 0.1)
    own |= {f"probability_{name}": share for name, share in of_rope.items()}
    return FoldComparison(**own, degrees_of_freedom=9, simplest="a", simplest_index=0)


RESULTS = {
    "one value": lambda: TWO.interval("npv"),
    "an axis": lambda: GROUPS.interval("recall"),
    "nan": with_nan,
    "a gap": lambda: TWO_GROUPS.gap("recall"),
    "gaps": lambda: TWO_GROUPS.gap("recall", average=None),
    "rows": one_row,
    "alarms": lambda: watch(GROUPS, {"recall": 0.9, "accuracy": (0.5, 0.9)}, horizon=4),
    "folds": one_fold_comparison,
}


COPIES = {"itself": lambda result: result, "copy": copy.copy, "deepcopy": copy.deepcopy}
COPIES |= {f"protocol {k}": again for k, again in enumerate(PICKLED, 2)}


@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
def test_equal_results_are_equal_and_copies_are_as_frozen(make):
    result, alike = make(), make()
    for name, again in COPIES.items():
        other = again(alike)
        assert result == other, name
        assert (result != other) is False, name
        arrays = [value for value in vars(other).values() if isinstance(value, np.ndarray)]
        assert not any(array.flags.writeable for array in arrays), name
        with pytest.raises(TypeError, match="unhashable"):
            hash(other)


@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
def test_results_with_another_field_are_not_equal(make):
    result = make()
    others = {"axes": (Axis("fold", AXES[0].coordinates),), "caveats": (Caveat("code", "text"),)}
    for key in vars(result):
        changed = copy.copy(result)
        # Of the same class and fields, whatever the class makes of them.
        vars(changed)[key] = others.get(key, "another")
        # The same numbers may come from several designs.
        is_equal = key == "_origin"
        assert (result == changed) is (changed == result) is is_equal, key


def test_other_coordinates_entries_and_types_are_not_equal():
    result = with_nan()
    assert result != replace(result, axes=(Axis("group", np.array(["a", "c"])),))
    assert result != replace(result, value=np.array([np.nan, 0.6]))
    assert result != replace(result, value=np.array([0.5, np.nan]))
    assert result != replace(result, value=0.5)
    # Given once, a value is that of each entry.
    assert replace(result, value=0.5) == replace(result, value=np.array([0.5, 0.5]))
    for other in (None, "text", TWO.gap, 0.5, vars(result)):
        assert (result == other) is False
    assert TWO_GROUPS.gap("recall") != TWO_GROUPS.gap("precision")


def test_samples_with_weights_and_in_clusters_are_counted_once():
    true, pred = [0, 0, 1, 1, 1, 0, 1, 1, 0, 1] * 4, [0, 1, 1, 1, 0, 0, 1, 1, 0, 1] * 4
    weights, patients = [1, 3] * 20, np.arange(40) // 2
    weighted = metric_interval(true, pred, "recall", sample_weight=weights)
    assert about(weighted) == ("recall", 1, 24)
    # In every ten samples three of the six positives have a weight of 1, and three of 3.
    frequencies = metric_interval(
        true, pred, "recall", sample_weight=weights, frequency_weights=True
    )
    assert about(frequencies) == ("recall", 1, 48)
    options = {"sample_weight": weights, "frequency_weights": True, "clusters": patients}
    assert about(metric_interval(true, pred, "recall", **options)) == ("recall", 1, 48)
    for options in ({}, {"sample_weight": weights}):
        clustered = metric_interval(true, pred, "recall", clusters=patients, **options)
        # Of the 20 patients 16 have positives.
        assert about(clustered) == ("recall", 1, 24)
        assert clustered.method.endswith("mid-P of 16 clusters")
        whole = metric_interval(true, pred, "accuracy", clusters=patients, **options)
        assert whole.method.endswith("of 20 clusters")
    assert metric_interval(true, pred, "mcc", sample_weight=weights).n == 40
    both = np.array([true, pred]).T
    some = metric_interval(
        both, both, "recall_samples", sample_weight=weights, zero_division=np.nan
    )
    # In 12 of the samples no label is true.
    assert (some.metric, some.n) == ("recall_samples", 28)
    assert metric_interval(both, both[:, ::-1], "f1_micro", clusters=patients).n == 40


def test_areas_are_named_with_their_class_and_all_samples():
    curve = ThresholdCurve.from_scores(["no", "yes"] * 30, np.arange(60) % 7, pos_label="yes")
    assert about(curve.interval("roc_auc")) == ("roc_auc", "yes", 60)
    assert about(curve.interval("average_precision")) == ("average_precision", "yes", 60)
    weighted = ThresholdCurve.from_scores(
        [0, 1] * 30, np.arange(60) % 7, sample_weight=np.arange(60) % 3
    )
    assert weighted.interval("roc_auc").n == 40


def test_frames_have_the_axis_where_both_have_one_name():
    cm = ConfusionMatrix.from_predictions(
        [0, 1] * 20, [0, 1, 1, 1] * 10, by={"method": np.repeat(["x", "y"], 20)}
    )
    for result in (cm.interval("recall"), cm.gap("recall")):
        frame = result.to_frame("pandas")
        assert frame["confidence_level"].unique().tolist() == [0.95]
    assert cm.interval("recall").to_frame("pandas")["method"].tolist() == ["x", "y"]


def test_dates_are_classes_of_frames_too():
    dates = np.array(["2026-01-01", "2026-01-02"], dtype="M8[D]")
    cm = ConfusionMatrix.from_counts([[8, 2], [1, 9]], labels=dates)
    interval = cm.interval("recall")
    assert repr(interval).startswith("recall of 2026-01-02 0.9000 [")
    for backend in ("pandas", "polars", "pyarrow"):
        assert len(interval.to_frame(backend)) == 1


def test_a_gap_says_how_it_was_found_and_of_how_many():
    gap = GROUPS.gap("tpr", random_state=0)
    assert (*about(gap), gap.method, gap.n_permutations) == (
        "tpr",
        1,
        300,
        "MOVER of groups, permutation",
        9_999,
    )
    two = GROUPS.sel(axis_0=[0, 1])
    gap = two.gap("precision")
    # 110 and 80 samples are predicted to be positive.
    assert (*about(gap), gap.method, gap.n_permutations) == (
        "precision",
        1,
        190,
        "MOVER of groups, inverted",
        0,
    )
    assert GROUPS.gap("mcc", n_resamples=200).method == "MOVER of groups, permutation"
    assert two.gap("f1_macro", n_resamples=200, random_state=0).metric == "f1_macro"
    large = ConfusionMatrix.from_counts(
        10**9 * np.array([[[7, 3], [2, 8]], [[8, 2], [4, 6]]]), [0, 1]
    )
    assert large.gap("recall").method == "MOVER of groups, inverted"
    three = ConfusionMatrix.from_counts(large.counts[[0, 1, 1]], [0, 1])
    for metric in ("recall", "mcc"):
        assert three.gap(metric, n_resamples=200).method == "MOVER of groups, chi-squared"


# p-values.


@pytest.mark.parametrize(
    ("p_value", "floor", "text"),
    [
        (0.0312, 0.0, "0.0312"),
        (6.05e-05, 0.0, "< 0.0001"),
        (0.0001, 0.0, "0.0001"),
        (1 / 10_000, 1 / 10_000, "<= 0.0001"),
        (2 / 10_000, 1 / 10_000, "0.0002"),
        (1 / 1_000, 1 / 1_000, "<= 0.001"),
        # 1 / 301 is 0.00332...
        (1 / 301, 1 / 301, "<= 0.0034"),
        (1 / 100_000, 1 / 100_000, "< 0.0001"),
        (1.0, 1.0, "1"),
        (float("nan"), 0.01, "nan"),
    ],
)
def test_a_p_value_at_its_floor_is_said_to_be_at_most_that(p_value, floor, text):
    assert p_as_text(p_value, [0.05], floor) == text


def test_gaps_say_the_least_p_value():
    far = ConfusionMatrix.from_counts(
        [[[95, 5], [5, 95]], [[10, 90], [90, 10]], [[50, 50], [50, 50]]], [0, 1]
    )
    for n, text in ((199, "p <= 0.005"), (999, "p <= 0.001")):
        gap = far.gap("mcc", n_resamples=n, random_state=0)
        assert f"{text}:" in repr(gap)
        assert text.removeprefix("p ") in gap._repr_html_().replace("&lt;", "<")
    assert "p = 0.5:" in repr(gap_of("mcc", 0.1, 0.0, 0.2, 0.5, n_permutations=999))


# Warnings.


def messages_of(ask, *arguments, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = ask(*arguments, **options)
    return result, [str(warning.message) for warning in caught]


@pytest.mark.parametrize(
    ("metric", "options", "name"),
    [
        ("tpr_macro", {}, "tpr_macro"),
        ("tpr", {"average": "weighted"}, "tpr_weighted"),
        ("kappa", {}, "kappa"),
    ],
)
def test_warnings_have_the_requested_name(metric, options, name):
    cm = ConfusionMatrix.from_counts([[20, 5, 0], [6, 20, 0], [0, 0, 0]], labels=["a", "b", "c"])
    never = cm.with_labels(["a", "b", "c"]) + ConfusionMatrix.from_counts(
        [[0, 0, 1], [0, 0, 0], [0, 0, 0]], cm.labels
    )
    _, messages = messages_of(never.interval, metric, n_resamples=200, random_state=0, **options)
    assert all(name in message for message in messages if "limits" in message)
    groups = ConfusionMatrix.from_counts([[[20, 5], [6, 20]], [[3, 1], [1, 3]]], [0, 1])
    _, messages = messages_of(groups.gap, "npv", n_resamples=200)
    assert messages[0].startswith("the gap in npv is determined by")


def test_limits_are_said_to_be_too_narrow_only_where_there_are_any():
    # Most replicates lack a class with a single sample.
    for counts in (
        [[1, 0], [0, 1]],
        [[0, 1], [1, 0]],
        [[30, 0], [1, 0]],
        [[30, 1], [0, 0]],
        [[2, 0], [0, 0]],
    ):
        for metric in (
            "mcc",
            "plr",
            "f1_macro",
            "markedness",
            "npv",
            "dor",
            "kappa",
            "precision_macro",
        ):
            cm = ConfusionMatrix.from_counts(counts, [0, 1])
            found, messages = messages_of(cm.interval, metric, n_resamples=200, random_state=0)
            if np.isnan(found.low) or np.isnan(found.high):
                assert not [message for message in messages if "too narrow" in message], (
                    counts,
                    metric,
                )
                assert [message for message in messages if "limits are nan" in message], (
                    counts,
                    metric,
                )
