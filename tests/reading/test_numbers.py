"""Weights and scores of every kind, and those that are refused."""

import array
import collections
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.metrics

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    ThresholdCurves,
    confusion_matrix,
    expected_cost,
    f1_score,
    labels_from_scores,
    recall_score,
)
from skmetrics_ext.reading.numbers import read_weights

Y_TRUE = [3, 1, 3, 7, 1, 7, 3, 12]
Y_PRED = [1, 1, 3, 7, 3, 12, 3, 7]


@pytest.mark.parametrize(
    ("weights", "dtype"),
    [
        pytest.param([1, 2, 0, 3, 1, 1, 2, 1], np.int64, id="list of integers"),
        pytest.param(np.array([1, 2, 0, 3, 1, 1, 2, 1], dtype=np.uint8), np.int64, id="uint8"),
        pytest.param(np.array([True, False] * 4), np.int64, id="bool"),
        pytest.param((0.5, 1.5, 0, 3, 1, 0.25, 2, 1), np.float64, id="tuple of floats"),
        pytest.param(
            np.array([0.5, 1.5, 0, 3, 1, 0.25, 2, 1], dtype=np.float32), np.float64, id="float32"
        ),
        pytest.param(
            np.array([0.5, 1, 0, 3, 1, 0.25, 2, 1], dtype=object), np.float64, id="object"
        ),
        pytest.param(
            np.repeat([0.5, 1, 0, 3, 1, 0.25, 2, 1], 2)[::2], np.float64, id="every second"
        ),
    ],
)
def test_weights_of_every_type(weights, dtype):
    matrix = confusion_matrix(Y_TRUE, Y_PRED, sample_weight=weights)
    plain = np.asarray(weights, dtype=float)
    expected = sklearn.metrics.confusion_matrix(Y_TRUE, Y_PRED, sample_weight=plain)
    assert matrix.dtype == dtype
    np.testing.assert_array_equal(matrix, expected)


def test_integer_weights_too_large_for_exact_sums_become_floats():
    weights = read_weights(np.array([2**62, 2**62]), 2)
    assert weights.tolist() == [2.0**62, 2.0**62]
    assert weights.dtype == np.float64


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        pytest.param(
            [1, 1],
            ValueError,
            r"shape \(2,\), but there are 3 samples: pass one weight per sample",
            id="short",
        ),
        pytest.param([1] * 4, ValueError, r"shape \(4,\), but there are 3 samples", id="long"),
        pytest.param([], ValueError, r"shape \(0,\), but there are 3 samples", id="empty"),
        pytest.param(
            [[1], [1], [1]], ValueError, r"shape \(3, 1\), but there are 3 samples", id="2-D"
        ),
        pytest.param([1, -1, 2], ValueError, r"negative weights \(minimum -1\)", id="negative"),
        pytest.param(
            [1, -0.5, 2], ValueError, r"negative weights \(minimum -0\.5\)", id="negative float"
        ),
        pytest.param(
            [1, np.nan, 2],
            ValueError,
            "NaN or infinity: every weight must be a finite number",
            id="NaN",
        ),
        pytest.param([1, np.inf, 2], ValueError, "NaN or infinity", id="inf"),
        pytest.param([1, -np.inf, 2], ValueError, "NaN or infinity", id="-inf"),
        pytest.param(
            [0, 0, 0], ValueError, "all zero: at least one weight must be above 0", id="zeros"
        ),
        pytest.param([0.0, -0.0, 0.0], ValueError, "all zero", id="float zeros"),
        pytest.param([False] * 3, ValueError, "all zero", id="False"),
        pytest.param(
            ["1", "2", "3"], TypeError, "one number per sample; it holds <U1", id="strings"
        ),
        pytest.param(["a", 2, None], TypeError, "one number per sample", id="objects"),
        pytest.param(
            np.array(["1", "2", "3"], dtype=object),
            TypeError,
            "one number per sample; it holds text such as '1'",
            id="text",
        ),
        pytest.param(
            np.array([1, 2, b"3"], dtype=object),
            TypeError,
            "one number per sample; it holds text such as b'3'",
            id="bytes",
        ),
        pytest.param(
            np.ma.array([1, 2, 3], mask=[0, 1, 1]), ValueError, "2 masked entries", id="masked"
        ),
        pytest.param(
            np.ma.array([1.0, np.nan, 3], mask=[0, 1, 0]),
            ValueError,
            "1 masked entries",
            id="masked NaN",
        ),
        pytest.param(
            [1j, 2, 3], ValueError, "one number per sample; it holds complex128", id="complex"
        ),
        pytest.param([1, None, 2], ValueError, "NaN|missing", id="None"),
        pytest.param(
            [[1], [1, 2], [3]],
            (TypeError, ValueError),
            "one number per sample|one weight per sample",
            id="ragged",
        ),
    ],
)
def test_bad_weights_are_refused(weights, error, message):
    with pytest.raises(error, match=f"sample_weight .*{message}"):
        confusion_matrix([0, 1, 1], [0, 1, 0], sample_weight=weights)


def test_bad_weights_of_indicators_are_refused():
    with pytest.raises(
        ValueError, match=r"sample_weight has shape \(2,\), but there are 5 samples"
    ):
        f1_score([[0, 1]] * 5, [[1, 1]] * 5, average="macro", sample_weight=[1, 1])


MASKED = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])
MASKED_TABLE = np.ma.array([[4, 1], [2, 3]], mask=[[False, True], [False, False]])
MASKED_SCORES = np.ma.array(np.eye(3), mask=np.eye(3) * [1, 0, 0])


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("y_score", lambda: ThresholdCurve.from_scores([0, 1, 1], MASKED)),
        ("y_score", lambda: labels_from_scores(MASKED_TABLE / 5)),
        ("y_score", lambda: ThresholdCurves.from_scores([0, 1, 2], MASKED_SCORES)),
        ("thresholds", lambda: ThresholdCurve.from_scores([0, 1, 1], [1, 2, 3], thresholds=MASKED)),
        ("threshold", lambda: labels_from_scores([[0.2, 0.5, 0.3]], threshold=MASKED)),
        ("cost_matrix", lambda: labels_from_scores([[0.2, 0.8]], cost_matrix=MASKED_TABLE)),
        ("counts", lambda: ConfusionMatrix.from_counts(MASKED_TABLE, labels=["a", "b"])),
        ("y_score", lambda: labels_from_scores([np.array([0.5, 0.5]), MASKED_TABLE[0] / 5])),
        ("y_score", lambda: labels_from_scores([MASKED_TABLE / 5, MASKED_TABLE.filled(0) / 5])),
        ("counts", lambda: ConfusionMatrix.from_counts([*MASKED_TABLE], labels=["a", "b"])),
        (
            "y_true",
            lambda: f1_score(
                [*np.ma.array(np.eye(2), mask=[[0, 1], [0, 0]])], np.eye(2), average="macro"
            ),
        ),
        (
            "sample_weight",
            lambda: ThresholdCurve.from_scores([0, 1, 1], [1, 2, 3], sample_weight=MASKED),
        ),
        ("y_true", lambda: f1_score([[1, 0], MASKED_TABLE[0]], np.eye(2), average="macro")),
        (
            "y_pred",
            lambda: f1_score(np.eye(2), (np.array([0, 1]), MASKED_TABLE[0]), average="macro"),
        ),
        ("y_score", lambda: labels_from_scores([(0.2, 0.8), MASKED_TABLE[0] / 5])),
        (
            "y_score",
            lambda: labels_from_scores(collections.deque([[0.2, 0.8], MASKED_TABLE[0] / 5])),
        ),
        (
            "y_score",
            lambda: labels_from_scores(
                [[[0.2, 0.8], [0.4, 0.6]], [[0.2, 0.8], MASKED_TABLE[0] / 5]]
            ),
        ),
        (
            "cost_matrix",
            lambda: labels_from_scores([[0.2, 0.8]], cost_matrix=[[0, 1], MASKED_TABLE[0]]),
        ),
        (
            "counts",
            lambda: ConfusionMatrix.from_counts([[1, 2], MASKED_TABLE[0]], labels=["a", "b"]),
        ),
        (
            "counts",
            lambda: ConfusionMatrix.from_counts([[[1, 2], MASKED_TABLE[0]]], labels=["a", "b"]),
        ),
    ],
)
def test_what_a_mask_hides_is_no_number(name, call):
    with pytest.raises(ValueError, match=rf"^{name} holds 1 masked entries.*{name}\.filled"):
        call()


def test_a_mask_that_hides_nothing_changes_nothing():
    counts = np.ma.array([[4, 1], [2, 3]], mask=False)
    assert ConfusionMatrix.from_counts(counts, labels=["a", "b"]).counts.tolist() == [
        [4, 1],
        [2, 3],
    ]
    weights = np.ma.array([1, 2, 3])
    assert confusion_matrix([0, 1, 1], [0, 1, 0], sample_weight=weights).tolist() == [
        [1, 0],
        [3, 2],
    ]


@pytest.mark.parametrize(
    "texts", [np.array(["0.1", "0.9"], dtype=object), pd.Series(["0.1", "0.9"])]
)
def test_text_is_no_score(texts):
    with pytest.raises(
        TypeError, match=r"y_score must hold numbers; it holds text such as '0\.1'.*astype\(float\)"
    ):
        ThresholdCurve.from_scores([0, 1], texts)
    assert ThresholdCurve.from_scores(
        [0, 1], np.asarray(texts).astype(float)
    ).thresholds.tolist() == [0.9, 0.1]


SEQUENCES = {
    "deque": collections.deque,
    "UserList": collections.UserList,
    "array": lambda values: array.array("d", values),
    "pyarrow table": lambda values: pa.table({"y": values}),
    "polars frame": lambda values: pl.DataFrame({"y": values}),
    "pandas frame": lambda values: pd.DataFrame({"y": values}),
}


@pytest.mark.parametrize("make", SEQUENCES.values(), ids=SEQUENCES)
def test_sequences_and_single_columns_are_numbers(make):
    weights = make([1.0, 2.5, 3.0])
    assert confusion_matrix([0, 1, 1], [0, 1, 0], sample_weight=weights).tolist() == [
        [1, 0],
        [3, 2.5],
    ]
    curve = ThresholdCurve.from_scores(
        [0, 1, 1], make([0.1, 0.9, 0.4]), thresholds=make([0.5, 0.3]), sample_weight=weights
    )
    assert curve.thresholds.tolist() == [0.5, 0.3]
    assert curve.counts.tp.tolist() == [2.5, 5.5]
    assert labels_from_scores(make([0.1, 0.9])).tolist() == [0, 1]


LARGE = 1 << 53
INTEGERS = [LARGE - 1, LARGE, LARGE + 1, -LARGE]
LARGE_SCORES = {
    "list": INTEGERS,
    "tuple": tuple(INTEGERS),
    "deque": collections.deque(INTEGERS),
    "beside fractions": [LARGE, LARGE + 1, 0.5, 0.25],
    "beyond 64 bits": [2**70, 2**70 + 1, 1, 2],
    "int64": np.array(INTEGERS),
    "uint64": np.array([LARGE, LARGE + 1, 2**64 - 1, 2**64 - 2], dtype=np.uint64),
    "the least int64": np.array([-(2**63), -(2**63) + 1, 0, 1]),
    "objects": np.array(INTEGERS, dtype=object),
    "pandas": pd.Series(INTEGERS),
    "nullable": pd.Series(INTEGERS, dtype="Int64"),
    "Arrow in pandas": pd.Series(INTEGERS, dtype="int64[pyarrow]"),
    "polars": pl.Series(INTEGERS),
    "pyarrow": pa.array(INTEGERS),
}


@pytest.mark.parametrize("scores", LARGE_SCORES.values(), ids=LARGE_SCORES)
def test_integer_scores_that_may_be_one_float_are_refused(scores):
    message = r"y_score holds integers of 2\*\*53 or more, such as -?\d+, which float64 may not"
    y_true, classes, listed = [0, 1, 0, 1], [0, 1], pd.Series(list(scores), dtype=object)
    calls = [
        lambda: ThresholdCurve.from_scores(y_true, scores),
        lambda: labels_from_scores(scores, threshold=1, classes=classes),
        lambda: ConfusionMatrix.from_scores(y_true, scores, threshold=1),
        lambda: ThresholdCurves.from_scores(y_true, pd.DataFrame({0: [0.5] * 4, 1: listed})),
        lambda: labels_from_scores([{0: 1, 1: score} for score in list(scores)]),
    ]
    # The entries of an array of Arrow are no numbers.
    for call in calls[: 3 if isinstance(scores, pa.Array) else 5]:
        with pytest.raises(ValueError, match=message):
            call()


def test_integers_and_floats_that_are_exact_are_scores():
    y_true = [0, 1, 0, 1, 1]
    for scores in (
        [LARGE - 1, LARGE - 2, 1 - LARGE, 3, -7],
        np.array([LARGE - 1, LARGE - 2, 1, 3, 0], dtype=np.uint64),
        [float(LARGE), 2.0 * LARGE, 1.0, 3.0, 0.0],
        pd.Series([1e300, 1.0, -1e300, 2.0, 3.0]),
    ):
        area = sklearn.metrics.roc_auc_score(y_true, np.asarray(scores))
        assert ThresholdCurve.from_scores(y_true, scores).roc_auc() == pytest.approx(
            area, abs=1e-15
        )


@pytest.mark.parametrize("threshold", [LARGE + 1, np.int64(LARGE), np.uint64(LARGE), [1, LARGE]])
def test_integer_thresholds_that_may_be_another_float_are_refused(threshold):
    scores = np.array([0.5, 2.0**53, 2.0**54])
    curve = ThresholdCurve.from_scores([0, 1, 1], scores)
    calls = [
        lambda: ThresholdCurve.from_scores([0, 1, 1], scores, thresholds=np.atleast_1d(threshold))
    ]
    if np.ndim(threshold):
        calls += [lambda: labels_from_scores([[0.5, 0.5]], threshold=threshold)]
    else:
        calls += [lambda: labels_from_scores(scores, threshold=threshold, classes=[0, 1])]
        calls += [lambda: curve.at(threshold)]
    for call in calls:
        with pytest.raises(ValueError, match=r"threshold holds integers of 2\*\*53 or more"):
            call()
    assert curve.at(2.0**53).counts.tolist() == [[1, 0], [0, 2]]
    assert curve.at(np.inf).counts.tolist() == [[1, 0], [2, 0]]


@pytest.mark.parametrize(
    "make",
    [
        list,
        pd.Series,
        pa.array,
        lambda values: pl.Series(values, dtype=pl.Decimal(12, 4)),
        lambda values: np.array(values, dtype=object),
    ],
    ids=["list", "pandas", "pyarrow", "polars", "array"],
)
def test_decimals_are_scores_weights_thresholds_and_costs(make):
    numbers = [0.1, 0.35, 0.8, 0.7]
    decimals = make([Decimal(str(number)) for number in numbers])
    y_true, y_pred = [0, 1, 1, 0], [0, 1, 0, 1]
    curve = ThresholdCurve.from_scores(y_true, decimals)
    assert curve.thresholds.tolist() == sorted(numbers, reverse=True)
    of_decimals = recall_score(y_true, y_pred, sample_weight=decimals)
    assert of_decimals == recall_score(y_true, y_pred, sample_weight=numbers)
    labels = labels_from_scores(decimals, threshold=Decimal("0.35"))
    assert labels.tolist() == [0, 1, 1, 1]
    costs = [[Decimal(0), Decimal(1)], [Decimal("2.5"), Decimal(0)]]
    assert expected_cost(y_true, y_pred, cost_matrix=costs) == 3.5 / 4
