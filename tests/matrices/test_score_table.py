"""Tables of several metrics, a row per entry: each cell equals the entry's score and interval."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from skmetrics_ext import ConfusionMatrix, f1_score

RANDOM = np.random.default_rng(2)
N = 300
TRUE, PRED = RANDOM.integers(0, 2, (2, N))
SEX = np.array(["F", "M"])[RANDOM.integers(0, 2, N)]
YEAR = RANDOM.integers(2020, 2023, N)
BY = {"sex": SEX, "year": YEAR}
CM = ConfusionMatrix.from_predictions(TRUE, PRED, by=BY)
METRICS = ["recall", "false_negative_rate", "mcc"]


def columns_of(frame):
    names = getattr(frame, "column_names", None) or list(frame.columns)
    return {name: np.asarray(frame[name]).tolist() for name in names}


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_each_cell_is_the_score_of_its_entry(backend):
    columns = columns_of(CM.score_table(METRICS, backend=backend))
    assert [*columns] == ["sex", "year", "n_samples", *METRICS]
    rows = list(zip(columns["sex"], columns["year"], strict=True))
    assert rows == [*itertools.product("FM", (2020, 2021, 2022))]
    for k, (sex, year) in enumerate(rows):
        entry = CM.sel(sex=sex, year=year)
        assert columns["n_samples"][k] == entry.n_samples
        for metric in METRICS:
            assert columns[metric][k] == pytest.approx(entry.score(metric), abs=1e-15)


def test_a_matrix_without_axes_is_one_row():
    cm = CM.sum("sex").sum("year")
    columns = columns_of(cm.score_table(METRICS, backend="polars"))
    assert columns == {"n_samples": [N], **{metric: [cm.score(metric)] for metric in METRICS}}
    assert columns_of(cm.score_table("mcc")) == {"n_samples": [N], "mcc": [cm.score("mcc")]}
    assert columns_of(cm.score_table(f1_score)) == {"n_samples": [N], "f1": [cm.score("f1")]}


def test_limits_stand_beside_the_values():
    columns = columns_of(
        CM.score_table(METRICS, confidence_level=0.9, random_state=0, n_resamples=500)
    )
    expected = [name for metric in METRICS for name in (metric, f"{metric}_low", f"{metric}_high")]
    assert [*columns] == ["sex", "year", "n_samples", *expected]
    for metric in ("recall", "false_negative_rate"):
        interval = CM.interval(metric, confidence_level=0.9)
        for name, part in (("", interval.value), ("_low", interval.low), ("_high", interval.high)):
            assert columns[metric + name] == np.ravel(part).tolist()
    interval = CM.interval("mcc", confidence_level=0.9, random_state=0, n_resamples=500)
    assert columns["mcc_low"] == pytest.approx(interval.low.ravel().tolist(), abs=1e-12)


def test_metrics_over_all_classes_share_their_replicates():
    """Two names of one metric have the same limits, even without a seed."""
    columns = columns_of(
        CM.score_table(["mcc", "cohen_kappa", "matthews_corrcoef"], confidence_level=0.95)
    )
    assert columns["mcc_low"] == columns["matthews_corrcoef_low"]
    assert columns["mcc_low"] != columns["cohen_kappa_low"]


def test_options_are_those_of_score():
    three = ConfusionMatrix.from_predictions(
        RANDOM.integers(0, 3, 90), RANDOM.integers(0, 3, 90), by={"k": np.arange(90) % 2}
    )
    weighted = columns_of(three.score_table("recall", average="weighted"))
    assert weighted["recall"] == three.score("recall_weighted").tolist()
    named = columns_of(three.score_table(["recall_macro", "fbeta", "accuracy"], beta=2))
    assert named["recall_macro"] == three.score("recall", average="macro").tolist()
    assert named["fbeta"] == three.score("fbeta", beta=2).tolist()
    of_zero = columns_of(CM.score_table("recall", pos_label=0))
    assert of_zero["recall"] == CM.score("recall", pos_label=0).ravel().tolist()
    by_class = columns_of(
        three.score_table(["recall", "precision"], average=None, confidence_level=0.95)
    )
    assert by_class["k"] == [0, 0, 0, 1, 1, 1]
    assert by_class["class"] == [0, 1, 2, 0, 1, 2]
    assert by_class["n_samples"] == [45] * 6
    assert by_class["precision"] == three.score("precision", average=None).ravel().tolist()
    assert by_class["recall_low"] == three.interval("recall", average=None).low.ravel().tolist()


def test_an_entry_without_samples_is_nan_and_others_are_as_score_has_them():
    cm = ConfusionMatrix.from_predictions([1, 0, 1], [1, 0, 0], by={"a": [0, 0, 1], "b": [0, 1, 1]})
    assert cm.n_samples.tolist() == [[1, 1], [0, 1]]
    columns = columns_of(
        cm.score_table(["recall", "accuracy"], zero_division=1, confidence_level=0.95)
    )
    for metric, expected in (("recall", [1, 1, math.nan, 0]), ("accuracy", [1, 1, math.nan, 0])):
        np.testing.assert_array_equal(columns[metric], expected)
        for limit in ("low", "high"):
            assert math.isnan(columns[f"{metric}_{limit}"][2])
            assert math.isfinite(columns[f"{metric}_{limit}"][3])
    with pytest.warns(UserWarning, match="recall"):
        columns_of(cm.score_table("recall"))
    nothing = ConfusionMatrix.from_counts(np.zeros((2, 2, 2), int), [0, 1])
    np.testing.assert_array_equal(
        columns_of(nothing.score_table("accuracy"))["accuracy"], [math.nan] * 2
    )
    with pytest.raises(ValueError, match="no samples"):
        nothing.score_table("accuracy", confidence_level=0.9)


def test_labels_of_multilabel_data_are_rows_and_averages_are_over_them():
    true, pred = (
        pd.DataFrame(RANDOM.integers(0, 2, (N, 3)), columns=["x", "y", "z"]) for _ in range(2)
    )
    cm = ConfusionMatrix.from_predictions(true, pred, by={"sex": SEX})
    columns = columns_of(
        cm.score_table(["f1", "recall", "mcc"], confidence_level=0.95, random_state=0)
    )
    assert columns["label"] == ["x", "y", "z"] * 2
    assert columns["f1"] == cm.score("f1").ravel().tolist()
    assert columns["n_samples"] == [n for n in [sum(SEX == "F"), sum(SEX == "M")] for _ in range(3)]
    averaged = columns_of(cm.score_table(["f1_macro", "recall_micro"]))
    assert [*averaged] == ["sex", "n_samples", "f1_macro", "recall_micro"]
    assert averaged["f1_macro"] == cm.score("f1_macro").tolist()
    assert averaged["n_samples"] == [sum(SEX == "F"), sum(SEX == "M")]
    by_label = columns_of(cm.score_table("f1", average=None))
    assert (by_label["label"], by_label["f1"]) == (columns["label"], columns["f1"])
    with pytest.raises(ValueError, match=r"have one value per label, others an average"):
        cm.score_table(["f1", "f1_macro"])
    with pytest.raises(ValueError, match="the labels of a sample are not independent"):
        cm.score_table("f1_macro", confidence_level=0.95)
    turned = ConfusionMatrix(np.moveaxis(cm.counts, 1, 0), cm.labels, cm.axes[::-1])
    assert columns_of(turned.score_table("f1_macro"))["f1_macro"] == averaged["f1_macro"]


def test_weights_have_limits_beside_their_values():
    options = {"confidence_level": 0.9, "random_state": 0, "n_resamples": 200}
    equal, varied = (
        ConfusionMatrix.from_predictions(TRUE, PRED, by=BY, sample_weight=weights)
        for weights in (np.full(N, 0.3), RANDOM.gamma(2, size=N))
    )
    columns, plain = (columns_of(cm.score_table(METRICS, **options)) for cm in (equal, CM))
    for name in plain.keys() - {"sex", "year", "n_samples"}:
        assert columns[name] == pytest.approx(plain[name], rel=1e-10)
    # As before, the number of samples is their weight.
    assert columns["n_samples"] == pytest.approx([0.3 * n for n in plain["n_samples"]])
    columns = columns_of(varied.score_table(METRICS, **options))
    for metric in METRICS:
        interval = varied.interval(metric, **options)
        for name, part in (("", interval.value), ("_low", interval.low), ("_high", interval.high)):
            assert columns[metric + name] == pytest.approx(np.ravel(part).tolist(), rel=1e-12)
    # A row is its entry alone.
    for k, (sex, year) in enumerate(itertools.product("FM", (2020, 2021, 2022))):
        alone = varied.sel(sex=sex, year=year).interval("recall", confidence_level=0.9)
        assert columns["recall_low"][k] == pytest.approx(alone.low, rel=1e-10)


def test_entries_of_weights_may_have_no_samples():
    weights = np.where((SEX == "F") & (YEAR == 2021), 0, RANDOM.gamma(2, size=N))
    cm = ConfusionMatrix.from_predictions(TRUE, PRED, by=BY, sample_weight=weights)
    columns = columns_of(cm.score_table(["recall", "accuracy"], confidence_level=0.95))
    is_empty = [
        sex == "F" and year == 2021 for sex, year in itertools.product("FM", range(2020, 2023))
    ]
    for metric in ("recall", "accuracy"):
        for limit in ("", "_low", "_high"):
            assert np.isnan(columns[metric + limit]).tolist() == is_empty


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ([[]], {}, ValueError, "metrics is empty"),
        ([{"recall"}], {}, TypeError, "metrics must be a metric, a list of metrics"),
        ([["recal"]], {}, ValueError, "Did you mean"),
        ([["recall", "recall"]], {}, ValueError, "metrics has 'recall' twice"),
        (
            [["recall", "mcc"]],
            {"average": None},
            ValueError,
            "have one value per class, others one over all",
        ),
        ([["recall"]], {"beta": 2}, TypeError, "none of the metrics has a parameter 'beta'"),
        (
            [["recall"]],
            {"confidence_level": 95},
            ValueError,
            "confidence_level must be at least 0.5 and below 1",
        ),
        ([["recall"]], {"confidence_level": 0.9, "n_resamples": 1}, ValueError, "n_resamples"),
        ([["recall"]], {"average": "mean"}, ValueError, "average"),
        (
            [["net_benefit"]],
            {},
            TypeError,
            "net_benefit needs the parameter 'threshold_probability'",
        ),
    ],
)
def test_what_can_not_be_a_table_says_why(arguments, options, error, message):
    with pytest.raises(error, match=message):
        CM.score_table(*arguments, **options)


def test_an_axis_with_the_name_of_a_metric_is_refused():
    cm = ConfusionMatrix.from_predictions(TRUE, PRED, by={"recall": SEX})
    with pytest.raises(ValueError, match="two columns 'recall'"):
        cm.score_table(["recall"])
    cm = ConfusionMatrix.from_predictions(TRUE, PRED, by={"recall_low": SEX})
    assert columns_of(cm.score_table("recall"))["recall_low"] == ["F", "M"]
    with pytest.raises(ValueError, match="two columns 'recall_low'"):
        cm.score_table(["recall"], confidence_level=0.9)
