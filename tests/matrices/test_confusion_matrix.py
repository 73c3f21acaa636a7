"""ConfusionMatrix: making, merging, scoring, showing and storing counts."""

import copy
import dataclasses
import itertools
import json
import operator
import pickle
import re
import sys
import tracemalloc
import unicodedata
import warnings
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.metrics.from_labels import function_of
from skmetrics_ext.results import Axis
from tests.doubles import Answering
from tests.shared import for_each, parameters_of, without

# Drawn labels of both sides may have none in common, which warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*none of which are in both")

NAN = float("nan")
every_metric = for_each("row", METRICS)


def two_classes():
    return ConfusionMatrix.from_counts([[5, 1], [2, 4]], labels=["no", "yes"])


def three_classes():
    return ConfusionMatrix.from_counts(
        [[5, 1, 0], [2, 4, 1], [0, 3, 7]], labels=["ash", "beech", "cedar"]
    )


def by_groups():
    y_true, y_pred, group = ["n", "y", "y", "y"], ["n", "y", "n", "y"], ["b", "a", "b", "b"]
    return ConfusionMatrix.from_predictions(y_true, y_pred, labels=["n", "y"], by=group)


def through_json(cm):
    return ConfusionMatrix.from_dict(json.loads(json.dumps(cm.to_dict())))


# Making one from labels.


def test_from_labels_counts_pairs_and_keeps_the_sorted_labels():
    cm = ConfusionMatrix.from_predictions(["b", "a", "b", "c"], ["b", "b", "b", "a"])
    assert cm.counts.tolist() == [[0, 1, 0], [0, 2, 0], [1, 0, 0]]
    assert cm.labels.tolist() == ["a", "b", "c"]
    assert cm.counts.dtype == np.int64
    assert cm.axes == ()
    assert cm.n_samples == 4


def test_labels_fix_the_order_and_may_name_classes_that_do_not_occur():
    cm = ConfusionMatrix.from_predictions([1, 0, 1], [1, 1, 0], labels=[2, 1, 0])
    assert cm.counts.tolist() == [[0, 0, 0], [0, 1, 1], [0, 1, 0]]
    assert cm.labels.tolist() == [2, 1, 0]


@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.int16, ">i4"])
@pytest.mark.parametrize("order", [[0, 1], [1, 0], [0, 1, 2, 7], [1], [-3, 0, 1, 5], [1, 1], []])
def test_arrays_of_integers_are_read_as_lists_are(dtype, order):
    """Those of the type of ascending labels are not read as all others are."""

    def outcome(convert):
        """The fields, or the error."""
        y_true, y_pred, labels = (convert(of) for of in ([0, 1, 1], [1, 1, 0], order))
        try:
            cm = ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels)
        except (TypeError, ValueError) as error:
            return type(error), str(error)
        return cm.counts.tolist(), cm.labels.tolist(), cm.ranking.tolist(), cm.pos_label

    found = outcome(lambda of: np.array(of, dtype=dtype))
    expected = outcome(lambda of: of)
    assert found[0] == expected[0]
    if not isinstance(found[0], type):
        assert found == expected


def test_labels_that_are_read_at_once_are_copied():
    labels = np.array([0, 1, 2])
    cm = ConfusionMatrix.from_predictions(np.array([0, 1]), np.array([0, 2]), labels=labels)
    labels[:] = 9
    assert cm.labels.tolist() == cm.ranking.tolist() == [0, 1, 2]


def test_labels_may_be_a_range_as_in_scikit_learn():
    cm = ConfusionMatrix.from_predictions([0, 2], [2, 2], labels=range(3))
    assert cm.counts.tolist() == sk.confusion_matrix([0, 2], [2, 2], labels=range(3)).tolist()


@pytest.mark.parametrize(
    ("y_true", "y_pred", "labels", "outside"),
    [
        ([0, 1, 2], [0, 1, 3], [0, 1], r"\[2, 3\]"),
        (["a", "c"], ["a", "b"], ["b", "a"], r"\['c'\]"),
        ([0, 0], [0, 5], [0], r"\[5\]"),
    ],
    ids=["int", "str", "predicted-only"],
)
def test_labels_that_do_not_cover_the_data_are_an_error_that_names_the_others(
    y_true, y_pred, labels, outside
):
    with pytest.raises(
        ValueError,
        match=r"must include all labels in the data, which also have "
        rf"{outside}.*score\(labels=\.\.\.\)",
    ):
        ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels)


def test_weights_make_float_counts():
    cm = ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0], sample_weight=[0.5, 2, 0.25])
    assert cm.counts.tolist() == [[0.5, 0], [0.25, 2]]
    assert cm.counts.dtype == np.float64
    assert cm.n_samples == 2.75


def test_multilabel_data_have_one_matrix_per_label():
    true, pred = [[1, 0, 1], [0, 1, 1]], [[1, 1, 0], [0, 1, 1]]
    cm = ConfusionMatrix.from_predictions(true, pred)
    assert cm.counts.tolist() == sk.multilabel_confusion_matrix(true, pred).tolist()
    (axis,) = cm.axes
    assert (axis.name, axis.coordinates.tolist()) == ("label", [0, 1, 2])
    assert (
        cm.score("recall").tolist()
        == sk.recall_score(true, pred, average=None).tolist()
        == [1, 1, 0.5]
    )


def test_multilabel_data_with_chosen_labels_keep_their_numbers():
    cm = ConfusionMatrix.from_predictions([[1, 0, 1]], [[1, 1, 0]], labels=[2, 0])
    assert cm.axes[0].coordinates.tolist() == [2, 0]
    assert cm.counts.tolist() == [[[0, 0], [1, 0]], [[0, 0], [0, 1]]]


@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
@given(data=st.data())
def test_groups_equal_a_loop_over_groups(weighted, data):
    n = data.draw(st.integers(1, 20))
    column = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    y_true, y_pred = data.draw(column), data.draw(column)
    by = data.draw(st.lists(st.sampled_from(["north", "south", "west"]), min_size=n, max_size=n))
    weight = (
        data.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n, max_size=n))
        if weighted
        else None
    )
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=weight, by=by)
    assert [axis.name for axis in cm.axes] == ["group"]
    assert cm.axes[0].coordinates.tolist() == sorted(set(by))
    expected = np.zeros(cm.counts.shape)
    for k in range(n):
        group, actual, predicted = (
            sorted(set(by)).index(by[k]),
            *map(cm.labels.tolist().index, (y_true[k], y_pred[k])),
        )
        expected[group, actual, predicted] += weight[k] if weighted else 1
    assert cm.counts.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("by", "error", "message"),
    [
        (["a"], ValueError, r"by.*one group.*shape \(2,\)"),
        ([[0, 1], [1, 0]], ValueError, r"by.*one group"),
        (["a", None], ValueError, "by holds 1 missing groups among 2 samples"),
        ("ab", TypeError, "by must be an array or a list"),
    ],
    ids=["short", "2-D", "missing", "lone-string"],
)
def test_groups_that_do_not_fit_are_errors_that_name_by(by, error, message):
    with pytest.raises(error, match=message):
        ConfusionMatrix.from_predictions([0, 1], [1, 1], by=by)


# Making one from scores.


@pytest.mark.parametrize(
    ("y_true", "y_score", "counts", "accuracy"),
    [
        ([0, 1, 1], [0.4, 0.7, 0.3], [[1, 0], [1, 1]], 2 / 3),
        (
            [[0, 1], [1, 0], [1, 0], [0, 1]],
            [[0.4, 0.6], [0.3, 0.7], [0.05, 0.95], [0.33, 0.67]],
            [[0, 2], [0, 2]],
            0.5,
        ),
        (
            [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]],
            [[0.4, 0.6, 0, 0], [0.3, 0.2, 0.1, 0.4], [0.05, 0.35, 0.5, 0.1]],
            [[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]],
            2 / 3,
        ),
    ],
    ids=["sigmoid", "softmax-of-two", "softmax-of-four"],
)
def test_from_scores_gives_the_numbers_of_the_sources(y_true, y_score, counts, accuracy):
    cm = ConfusionMatrix.from_scores(y_true, y_score)
    assert cm.counts.tolist() == counts
    assert cm.score("accuracy") == pytest.approx(accuracy)


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({}, [[2, 1], [0, 1]]),
        ({"threshold": 0.3}, [[1, 2], [0, 1]]),
        ({"threshold": 0.3, "ties": "negative"}, [[2, 1], [0, 1]]),
        ({"threshold": 0.3, "pos_label": "no"}, [[2, 1], [1, 0]]),
        ({"cost_matrix": [[0, 1], [4, 0]]}, [[1, 2], [0, 1]]),
        ({"sample_weight": [1, 2, 3, 4]}, [[3, 3], [0, 4]]),
    ],
    ids=["default", "threshold", "ties", "pos_label", "costs", "weights"],
)
def test_from_scores_takes_the_rules_of_the_adapter(options, counts):
    y_true, y_score = ["no", "no", "no", "yes"], [0.1, 0.3, 0.6, 0.8]
    assert (
        ConfusionMatrix.from_scores(
            y_true, y_score, classes=["no", "yes"], **options
        ).counts.tolist()
        == counts
    )


def test_from_scores_keeps_the_order_of_the_columns():
    cm = ConfusionMatrix.from_scores(
        ["a", "b"], [[0.2, 0.7, 0.1], [0.5, 0.3, 0.2]], classes=["b", "a", "c"]
    )
    assert cm.labels.tolist() == ["b", "a", "c"]
    assert cm.counts.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_from_scores_of_independent_labels_has_a_label_axis():
    cm = ConfusionMatrix.from_scores([[1, 0], [0, 1]], [[0.9, 0.1], [0.6, 0.4]], multilabel=True)
    assert [axis.name for axis in cm.axes] == ["label"]
    assert cm.counts.tolist() == [[[0, 1], [0, 1]], [[1, 0], [1, 0]]]


def test_from_scores_names_the_labels_that_no_column_stands_for():
    with pytest.raises(ValueError, match=r"\['d'\]"):
        ConfusionMatrix.from_scores(["a", "d"], [[0.6, 0.4], [0.3, 0.7]], classes=["a", "b"])


# Making one from an estimator.


def fitted_on_strings():
    return LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"])


def test_from_estimator_counts_its_predictions():
    model = fitted_on_strings()
    X, y = [[0.0], [1.4], [1.6], [3.0]], ["no", "yes", "yes", "no"]
    cm = ConfusionMatrix.from_estimator(model, X, y)
    assert cm.labels.tolist() == ["no", "yes"]
    assert (
        cm.counts.tolist() == sk.confusion_matrix(y, model.predict(X)).tolist() == [[1, 1], [1, 1]]
    )


@pytest.mark.parametrize("method", ["auto", "predict", "predict_proba", "decision_function"])
def test_every_response_of_an_estimator_gives_the_same_counts(method):
    X, y = [[0.0], [1.4], [1.6], [3.0]], ["no", "yes", "yes", "no"]
    cm = ConfusionMatrix.from_estimator(fitted_on_strings(), X, y, response_method=method)
    assert cm.counts.tolist() == [[1, 1], [1, 1]]


def test_from_estimator_with_a_threshold_weights_and_a_positive_class():
    model = fitted_on_strings()
    X, y, weight = [[0.0], [1.4], [1.6], [3.0]], ["no", "yes", "yes", "no"], [1, 2, 3, 4]
    predicted = np.where(model.predict_proba(X)[:, 0] >= 0.4, "no", "yes")
    cm = ConfusionMatrix.from_estimator(
        model, X, y, threshold=0.4, pos_label="no", sample_weight=weight
    )
    expected = sk.confusion_matrix(y, predicted, sample_weight=weight, labels=["yes", "no"])
    assert (cm.counts.tolist(), cm.labels.tolist()) == (expected.tolist(), ["yes", "no"])
    assert cm.n_samples == 10


def test_from_estimator_knows_the_classes_that_the_data_lack():
    model = DummyClassifier().fit([[0]] * 4, ["a", "b", "b", "c"])
    cm = ConfusionMatrix.from_estimator(model, [[0], [0]], ["b", "b"])
    assert cm.labels.tolist() == ["a", "b", "c"]
    assert cm.counts.tolist() == [[0, 0, 0], [0, 2, 0], [0, 0, 0]]


def test_from_estimator_serves_models_whose_predict_gives_probabilities():
    cm = ConfusionMatrix.from_estimator(Answering(np.array([0.2, 0.7, 0.9])), None, [0, 0, 1])
    assert cm.counts.tolist() == [[1, 1], [0, 1]]


@pytest.mark.parametrize(
    ("estimator", "options", "error", "message"),
    [
        (Answering([0.5]), {"response_method": "predict_proba"}, TypeError, r"Answering.*none of"),
        (Answering([0.5]), {"response_method": "transform"}, ValueError, "response_method must be"),
        (object(), {}, TypeError, r"object.*none of"),
    ],
    ids=["method-missing", "method-unknown", "no-estimator"],
)
def test_from_estimator_refuses_what_can_not_answer(estimator, options, error, message):
    with pytest.raises(error, match=message):
        ConfusionMatrix.from_estimator(estimator, [[0.5]], [1], **options)


# Making one from counts.


@pytest.mark.parametrize(
    ("counts", "labels", "error", "message"),
    [
        ([1, 2], [0, 1], ValueError, r"square tables.*\(2,\)"),
        ([[1, 2, 3], [4, 5, 6]], [0, 1], ValueError, r"square tables.*\(2, 3\)"),
        (np.ones((2, 2, 3)), [0, 1], ValueError, r"square tables.*\(2, 2, 3\)"),
        ([[1, 2], [3, 4]], ["a"], ValueError, r"counts has 2 classes but labels lists 1: \['a'\]"),
        ([[1, 2], [3, 4]], ["a", "a"], ValueError, r"labels holds duplicates: \['a'\]"),
        ([[1, 2], [3, 4]], [], ValueError, "labels is empty"),
        ([[1, -2], [3, 4]], [0, 1], ValueError, "finite and not negative"),
        ([[1, NAN], [3, 4]], [0, 1], ValueError, "finite and not negative"),
        ([[1, np.inf], [3, 4]], [0, 1], ValueError, "finite and not negative"),
        ([["1", "2"], ["3", "4"]], [0, 1], TypeError, "counts must be numbers"),
        ([[1j, 2], [3, 4]], [0, 1], TypeError, "counts must be numbers; got complex128"),
        ([[1, 2], [3]], [0, 1], ValueError, "counts"),
    ],
    ids=[
        "1-D",
        "not-square",
        "not-square-in-3-D",
        "too-few-labels",
        "duplicate-labels",
        "no-labels",
        "negative",
        "nan",
        "infinite",
        "strings",
        "complex",
        "ragged",
    ],
)
def test_from_counts_says_what_is_wrong(counts, labels, error, message):
    with pytest.raises(error, match=message):
        ConfusionMatrix.from_counts(counts, labels)


@pytest.mark.parametrize(("positive", "recall"), [("no", 5 / 6), ("yes", 4 / 6)])
def test_from_counts_takes_the_positive_class(positive, recall):
    """Of an array, a frame whose names declare no order, and a matrix that has another one."""
    counts = [[5, 1], [2, 4]]
    table = pd.DataFrame(counts, ["no", "yes"], ["no", "yes"])
    for of in ((counts, ["no", "yes"]), (table,), (two_classes(),)):
        cm = ConfusionMatrix.from_counts(*of, pos_label=positive)
        assert cm.pos_label == positive
        assert cm.score("recall") == recall
        with pytest.raises(ValueError, match=r"pos_label='maybe' is not among the labels"):
            ConfusionMatrix.from_counts(*of, pos_label="maybe")


def test_from_counts_refuses_counts_that_no_int64_holds():
    counts = np.array([[2**63 + 5, 0], [0, 1]], dtype=np.uint64)
    with pytest.raises(ValueError, match="counts"):
        ConfusionMatrix.from_counts(counts, [0, 1])


@pytest.mark.parametrize(
    ("given_dtype", "kept"),
    [
        (bool, np.int64),
        (np.uint8, np.int64),
        (np.int32, np.int64),
        (np.float32, np.float64),
        (np.float16, np.float64),
    ],
    ids=lambda dtype: np.dtype(dtype).name,
)
def test_from_counts_holds_int64_or_float64(given_dtype, kept):
    cm = ConfusionMatrix.from_counts(np.eye(2, dtype=given_dtype), ["a", "b"])
    assert cm.counts.dtype == kept
    assert cm.counts.tolist() == [[1, 0], [0, 1]]


def test_from_counts_names_and_numbers_leading_axes():
    cm = ConfusionMatrix.from_counts(np.ones((2, 3, 4, 4), int), list("abcd"))
    assert [(axis.name, axis.coordinates.tolist()) for axis in cm.axes] == [
        ("axis_0", [0, 1]),
        ("axis_1", [0, 1, 2]),
    ]
    assert cm.n_samples.tolist() == [[16] * 3] * 2


# Attributes.


def test_class_counts_are_defined_for_three_classes():
    tp, fp, fn, tn = three_classes().class_counts
    assert tp.tolist() == [5, 4, 7]
    assert fp.tolist() == [2, 4, 1]
    assert fn.tolist() == [1, 3, 3]
    assert tn.tolist() == [15, 12, 12]


def test_class_counts_are_defined_for_one_class():
    cm = ConfusionMatrix.from_predictions(["a", "a"], ["a", "a"])
    assert [part.tolist() for part in cm.class_counts] == [[2], [0], [0], [0]]
    assert cm.score("recall", pos_label="a") == 1
    with pytest.warns(UndefinedMetricWarning, match="no actual negatives"):
        assert cm.score("specificity", pos_label="a") == 0


@pytest.mark.parametrize("over", ["true", "pred", "all"])
def test_normalize_equals_scikit_learn(over):
    rng = np.random.default_rng(1)
    y_true, y_pred = rng.integers(0, 4, 60), rng.integers(0, 3, 60)
    expected = sk.confusion_matrix(y_true, y_pred, labels=[0, 1, 2, 3, 4], normalize=over)
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, labels=[0, 1, 2, 3, 4])
    np.testing.assert_allclose(cm.normalize(over), expected, rtol=1e-14)


@pytest.mark.parametrize("over", ["true", "pred", "all"])
def test_normalize_works_on_each_entry_of_leading_axes(over):
    counts = np.random.default_rng(2).integers(0, 4, (3, 2, 3, 3))
    counts[0, 0] = 0
    shares = ConfusionMatrix.from_counts(counts, [0, 1, 2]).normalize(over)
    for at in np.ndindex(3, 2):
        np.testing.assert_array_equal(
            shares[at], ConfusionMatrix.from_counts(counts[at], [0, 1, 2]).normalize(over)
        )
    assert shares[0, 0].tolist() == [[0] * 3] * 3


def test_normalize_lists_its_choices():
    with pytest.raises(ValueError, match=r"'true', 'pred' or 'all'; got 'rows'"):
        two_classes().normalize("rows")


def test_most_confused_lists_errors_from_the_most_frequent():
    assert three_classes().most_confused(3) == [
        ("cedar", "beech", 3, 0.3),
        ("beech", "ash", 2, 2 / 7),
        ("ash", "beech", 1, 1 / 6),
    ]
    first = three_classes().most_confused(1)[0]
    assert (first.actual, first.predicted, first.count, first.share) == ("cedar", "beech", 3, 0.3)


def test_most_confused_has_no_more_than_there_are_errors():
    assert len(three_classes().most_confused(100)) == 4
    assert ConfusionMatrix.from_counts([[3, 0], [0, 2]], [0, 1]).most_confused() == []
    assert three_classes().most_confused(0) == []


def test_most_confused_refuses_a_negative_number():
    with pytest.raises(ValueError, match=r"n.*integer >= 0"):
        three_classes().most_confused(-1)


def test_matrices_add_up_with_sum():
    parts = [two_classes(), two_classes(), two_classes()]
    assert sum(parts) == parts[0] + parts[1] + parts[2]
    with pytest.raises(TypeError, match="unsupported operand"):
        1 + two_classes()


def test_most_confused_pools_leading_axes_and_gives_python_values():
    cm = ConfusionMatrix.from_predictions([0, 0, 1, 1], [1, 1, 1, 0], by=["x", "y", "x", "y"])
    assert cm.most_confused() == [(0, 1, 2, 1.0), (1, 0, 1, 0.5)]
    assert [type(value) for value in cm.most_confused(1)[0]] == [int, int, int, float]


# Merging.


def test_equal_orders_are_kept_when_matrices_add_up():
    first = ConfusionMatrix.from_counts([[1, 2], [3, 4]], ["z", "a"])
    second = ConfusionMatrix.from_counts([[10, 20], [30, 40]], ["z", "a"])
    total = first + second
    assert total.labels.tolist() == ["z", "a"]
    assert total.counts.tolist() == [[11, 22], [33, 44]]


def test_sorted_orders_merge_into_the_sorted_union():
    first = ConfusionMatrix.from_counts([[1, 2], [3, 4]], ["a", "c"])
    second = ConfusionMatrix.from_counts([[10, 20], [30, 40]], ["b", "c"])
    for total in (first + second, second + first):
        assert total.labels.tolist() == ["a", "b", "c"]
        assert total.counts.tolist() == [[1, 0, 2], [0, 10, 20], [3, 30, 44]]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["a", "b"], ["b", "a"]),
        (["b", "a"], ["a", "b"]),
        (["c", "a"], ["a", "d"]),
        (["c", "a"], ["b", "d"]),
    ],
    ids=["reversed", "reversed-back", "overlapping", "disjoint"],
)
def test_conflicting_orders_are_an_error(first, second):
    one, other = (
        ConfusionMatrix.from_counts([[1, 2], [3, 4]], labels) for labels in (first, second)
    )
    with pytest.raises(ValueError, match=r"label orders differ.*same labels="):
        one + other


@pytest.mark.parametrize(
    "labels",
    [[0, 1], [b"a", b"b"], np.array(["2020-01-01", "2021-01-01"], "M8[D]")],
    ids=["numbers", "bytes", "dates"],
)
def test_labels_of_different_kinds_are_an_error(labels):
    other = ConfusionMatrix.from_counts([[1, 2], [3, 4]], labels)
    with pytest.raises(ValueError, match=r"'no'"):
        two_classes() + other


def test_differing_leading_axes_are_an_error_that_says_what_to_do():
    with pytest.raises(
        ValueError,
        match=r"leading axes differ: group \['a', 'b'\] of the first matrix and none.*sum\(\)",
    ):
        by_groups() + two_classes()


def test_equal_leading_axes_add_entry_by_entry_with_labels_aligned():
    other = ConfusionMatrix.from_predictions(["y", "z"], ["z", "z"], by=["b", "a"])
    total = by_groups() + other
    assert total.labels.tolist() == ["n", "y", "z"]
    assert total.axes[0].coordinates.tolist() == ["a", "b"]
    assert total.counts.tolist() == [
        [[0, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[1, 0, 0], [1, 1, 1], [0, 0, 0]],
    ]


def test_integer_and_float_counts_add_up_to_float():
    total = two_classes() + ConfusionMatrix.from_counts([[0.5]], ["yes"])
    assert total.counts.dtype == np.float64
    assert total.counts.tolist() == [[5, 1], [2, 4.5]]


def test_adding_leaves_both_summands_as_they_were():
    first, second = two_classes(), ConfusionMatrix.from_counts([[7]], ["maybe"])
    assert (first + second).n_samples == 19
    assert first == two_classes()
    assert second.counts.tolist() == [[7]]


@pytest.mark.parametrize("other", [1, 0, np.eye(2), None], ids=["1", "0", "array", "None"])
def test_adding_something_else_is_a_type_error(other):
    with pytest.raises(TypeError):
        operator.add(two_classes(), other)


@st.composite
def chunks_of_samples(draw):
    labels = st.sampled_from(["oak", "ash", "elm", "fir"])
    return draw(
        st.lists(
            st.lists(st.tuples(labels, labels), min_size=1, max_size=8), min_size=3, max_size=5
        )
    )


@pytest.mark.filterwarnings("ignore:.*none of which are in both")
@given(chunks_of_samples())
def test_chunks_add_up_to_the_whole_in_any_order_and_grouping(chunks):
    parts = [ConfusionMatrix.from_predictions(*zip(*chunk, strict=True)) for chunk in chunks]
    whole = ConfusionMatrix.from_predictions(*zip(*itertools.chain(*chunks), strict=True))
    left = parts[0]
    for part in parts[1:]:
        left = left + part
    right = parts[-1]
    for part in parts[-2::-1]:
        right = part + right
    backwards = parts[-1]
    for part in parts[-2::-1]:
        backwards = backwards + part
    assert left == whole
    assert right == whole
    assert backwards == whole


def two_axes():
    counts = np.arange(2 * 3 * 2 * 2).reshape(2, 3, 2, 2)
    return counts, ConfusionMatrix.from_counts(counts, ["n", "y"])


@pytest.mark.parametrize(
    ("axis", "position"), [(0, 0), (1, 1), (-1, 1), (-2, 0), ("axis_0", 0), ("axis_1", 1)], ids=str
)
def test_sum_pools_one_leading_axis(axis, position):
    counts, cm = two_axes()
    pooled = cm.sum(axis)
    assert pooled.counts.tolist() == counts.sum(position).tolist()
    assert [leading.name for leading in pooled.axes] == [f"axis_{1 - position}"]
    assert pooled.labels.tolist() == ["n", "y"]


def test_sum_pools_the_first_axis_by_default():
    counts, cm = two_axes()
    pooled = cm.sum("axis_0")
    assert pooled.counts.tolist() == counts.sum(0).tolist()
    assert [leading.name for leading in pooled.axes] == ["axis_1"]


def test_groups_sum_up_to_the_matrix_without_groups():
    assert by_groups().sum("group") == ConfusionMatrix.from_predictions(
        ["n", "y", "y", "y"], ["n", "y", "n", "y"]
    )


@pytest.mark.parametrize(
    ("axis", "message"),
    [
        (2, r"axis 2 is out of range.*\['axis_0', 'axis_1'\]"),
        (-3, r"axis -3 is out of range"),
        ("fold", r"no axis 'fold'; the leading axes are \['axis_0', 'axis_1'\]"),
    ],
    ids=str,
)
def test_sum_over_an_axis_that_is_not_there_lists_those_that_are(axis, message):
    _, cm = two_axes()
    with pytest.raises(ValueError, match=message):
        cm.sum(axis)


def test_sum_without_leading_axes_is_an_error():
    with pytest.raises(ValueError, match=r"leading axes are \[\]"):
        two_classes().sum("group")


# Scoring.


def sample_of(n_classes):
    rng = np.random.default_rng(n_classes)
    y_true = np.concatenate([rng.integers(0, n_classes, 80), np.arange(n_classes)])
    return y_true, np.where(
        rng.random(len(y_true)) < 0.5, y_true, rng.integers(0, n_classes, len(y_true))
    )


@cache
def weighted_sample_of(n_classes):
    """The sides and weights of samples, and their matrix."""
    y_true, y_pred = sample_of(n_classes)
    weight = np.random.default_rng(0).integers(1, 4, len(y_true))
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=weight)
    return y_true, y_pred, weight, cm


@every_metric
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_metric_scores_as_its_function(row, n_classes):
    y_true, y_pred, weight, cm = weighted_sample_of(n_classes)
    parameters = parameters_of(row, n_classes)
    if row.has_average:
        averages = [{"average": average} for average in (None, "macro", "micro", "weighted")]
        averages += [
            {"average": average, "labels": [1, 0]}
            for average in (None, "macro", "micro", "weighted")
        ]
        if n_classes == 2:
            averages += [{"average": "binary", "pos_label": pos_label} for pos_label in (0, 1)]
    else:
        averages = [{}]
    for options in averages:
        expected = function_of(row)(y_true, y_pred, sample_weight=weight, **parameters, **options)
        # What a metric is called has nothing to do with its average.
        other_names = (*row.aliases, function_of(row)) if options is averages[0] else ()
        for metric in (row.name, *other_names):
            np.testing.assert_allclose(
                cm.score(metric, **parameters, **options), expected, rtol=1e-14, atol=1e-14
            )


@cache
def stack_and_entries(float_counts):
    """A matrix with leading axes, in which classes or all are empty, and each of its entries."""
    counts = np.random.default_rng(9).integers(0, 3, (2, 3, 3, 3))
    counts[0, 0] = 0
    counts[1, 1, :, 0] = counts[1, 2, 1] = 0
    counts = counts * 0.1 if float_counts else counts
    entries = [ConfusionMatrix.from_counts(counts[at], [1, 2, 4]) for at in np.ndindex(2, 3)]
    return ConfusionMatrix.from_counts(counts, [1, 2, 4]), entries


@every_metric
@pytest.mark.parametrize("float_counts", [False, True], ids=["int", "float"])
def test_leading_axes_equal_a_loop(row, float_counts):
    cm, entries = stack_and_entries(float_counts)
    tolerance = 1e-14 if float_counts else 0
    for average in (None, "macro", "micro", "weighted") if row.has_average else ("binary",):
        options = {"average": average, "zero_division": NAN, **parameters_of(row, 3)}
        values = cm.score(row.name, **options)
        each = np.array([one.score(row.name, **options) for one in entries])
        np.testing.assert_allclose(
            values, each.reshape(values.shape), rtol=tolerance, atol=tolerance
        )


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("name", ["recall", "tpr", "specificity", "npv", "fall_out"])
def test_names_and_aliases_take_an_average(name, average):
    cm = three_classes()
    assert (
        cm.score(f"{name}_{average}")
        == cm.score(name, average=average)
        == cm.score(f"{name}_{average}", average=average)
    )


def test_a_value_is_of_the_positive_class_of_two_or_of_the_class_that_is_named():
    assert two_classes().score("recall") == 4 / 6
    assert two_classes().score("recall", pos_label="no") == 5 / 6
    assert three_classes().score("recall", pos_label="cedar") == 7 / 10
    assert three_classes().score("recall_cedar") == 7 / 10


def test_a_value_is_a_float_and_leading_axes_give_an_array():
    assert type(two_classes().score("recall")) is float
    assert type(two_classes().score("accuracy")) is float
    assert by_groups().score("recall").tolist() == [1, 0.5]
    assert by_groups().score("recall", average=None, zero_division=0).tolist() == [[0, 1], [1, 0.5]]


def test_labels_select_and_order_the_classes():
    assert three_classes().score("recall", average=None, labels=["cedar", "ash"]).tolist() == [
        7 / 10,
        5 / 6,
    ]
    assert three_classes().score("recall_macro", labels=["cedar"]) == 7 / 10
    assert three_classes().score("precision", average="micro", labels=["ash", "cedar"]) == 12 / 15


def test_the_value_of_undefined_entries_is_chosen_by_zero_division():
    cm = ConfusionMatrix.from_counts([[[2, 0], [1, 0]], [[1, 1], [1, 3]]], [0, 1])
    assert cm.score("precision", zero_division=1).tolist() == [1, 0.75]
    np.testing.assert_array_equal(cm.score("precision", zero_division=NAN), [NAN, 0.75])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert cm.score("precision").tolist() == [0, 0.75]
    assert [warning.category for warning in caught] == [UndefinedMetricWarning]


def test_weighted_kappa_reads_the_whole_matrix():
    y_true, y_pred = sample_of(3)
    cm = ConfusionMatrix.from_predictions(y_true, y_pred)
    for weights in ("linear", "quadratic"):
        expected = sk.cohen_kappa_score(y_true, y_pred, weights=weights)
        assert cm.score("kappa", weights=weights) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(
    ("metric", "hint"),
    [
        ("recal", "'recall'"),
        ("specifity", "'specificity'"),
        ("negative_predictiv_value", "'negative_predictive_value'"),
        ("accuracy_macro", "'accuracy'"),
    ],
)
def test_an_unknown_name_suggests_the_nearest(metric, hint):
    with pytest.raises(ValueError, match=rf"'{metric}'.*Did you mean .*{hint}"):
        two_classes().score(metric)


@pytest.mark.parametrize("name", ["fpr", "zero_one_loss", "false_negative_rate", "fdr"])
def test_negated_names_are_refused_with_a_hint(name):
    with pytest.raises(
        ValueError, match=rf"'neg_{name}' is not a metric.*not negated here: pass '{name}'"
    ):
        two_classes().score(f"neg_{name}")


@pytest.mark.parametrize(
    "metric",
    [sk.recall_score, skmetrics_ext.confusion_matrix, 5, None, ["recall"]],
    ids=["sklearn", "matrix", "5", "None", "list"],
)
def test_what_is_no_metric_is_refused(metric):
    with pytest.raises(ValueError, match=r"name such.*'recall'"):
        two_classes().score(metric)


@pytest.mark.parametrize(
    ("metric", "options", "error", "message"),
    [
        ("recall", {"average": "makro"}, ValueError, r"average .*got 'makro'"),
        (
            "recall",
            {"average": "samples"},
            ValueError,
            r"average='samples' needs the labels of each sample",
        ),
        ("recall_samples", {}, ValueError, "samples"),
        (
            "recall_macro",
            {"average": "micro"},
            ValueError,
            r"recall_macro already has an average.*'micro'",
        ),
        (
            "recall_macro",
            {"average": None},
            ValueError,
            r"recall_macro already has an average.*None",
        ),
        (
            "recall",
            {"average": "binary"},
            ValueError,
            r"the positive class of two, but there are 3, \['ash', 'beech', 'cedar'\]",
        ),
        (
            "recall_macro",
            {"labels": ["ash", "oak"]},
            ValueError,
            r"labels=\['oak'\].*not among.*\['ash', ",
        ),
        ("recall", {"labels": ["ash"]}, ValueError, "labels= selects the classes of an average"),
        ("recall_macro", {"labels": [1]}, ValueError, r"labels=\[1\].*not among"),
        ("recall", {"labels": []}, ValueError, "labels is empty"),
        ("recall", {"labels": ["ash", "ash"]}, ValueError, "labels holds duplicates"),
        (
            "accuracy",
            {"labels": ["ash"]},
            ValueError,
            "accuracy is one value over all classes: labels=",
        ),
        ("recall", {"beta": 2}, TypeError, r"recall has no parameter 'beta'"),
        (
            "cohen_kappa",
            {"beta": 2},
            TypeError,
            r"cohen_kappa has no parameter 'beta'.*\['weights'\]",
        ),
        ("fbeta", {}, TypeError, r"fbeta needs the parameter 'beta'"),
        ("fbeta", {"beta": -1}, ValueError, r"beta must be a number >= 0.*-1"),
        (
            "kappa",
            {"weights": "cubic"},
            ValueError,
            r"weights must be None, 'linear', 'quadratic' or a table; got 'cubic'",
        ),
        (
            "recall",
            {"zero_division": 2},
            ValueError,
            r"zero_division must be 'warn', 0, 1 or nan; got 2",
        ),
    ],
    ids=lambda value: (
        value if isinstance(value, str) and value.islower() and " " not in value else None
    ),
)
def test_options_that_do_not_fit_are_errors(metric, options, error, message):
    with pytest.raises(error, match=message):
        three_classes().score(metric, **options)


def test_a_positive_class_that_is_no_label_is_an_error_that_lists_the_labels():
    with pytest.raises(ValueError, match=r"pos_label='maybe'.*not among.*\['no', 'yes'\]"):
        two_classes().score("recall", pos_label="maybe")


def test_a_positive_class_beside_an_average_is_not_ignored_in_silence():
    with pytest.raises(ValueError, match="pos_label"):
        three_classes().score("recall_macro", pos_label="ash")


# Frames.


def rows_of(frame):
    if isinstance(frame, pd.DataFrame):
        return list(frame.columns), frame.values.tolist()
    if isinstance(frame, pl.DataFrame):
        return frame.columns, [list(row) for row in frame.rows()]
    return frame.column_names, [list(row.values()) for row in frame.to_pylist()]


@pytest.mark.parametrize(
    ("backend", "kind"),
    [
        (None, pd.DataFrame),
        ("pandas", pd.DataFrame),
        ("polars", pl.DataFrame),
        ("pyarrow", pa.Table),
    ],
    ids=["default", "pandas", "polars", "pyarrow"],
)
def test_a_frame_has_one_row_a_cell(backend, kind):
    frame = two_classes().to_frame(backend)
    assert isinstance(frame, kind)
    columns, rows = rows_of(frame)
    assert columns == ["actual", "predicted", "count"]
    assert rows == [["no", "no", 5], ["no", "yes", 1], ["yes", "no", 2], ["yes", "yes", 4]]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_has_the_coordinates_of_leading_axes(backend):
    columns, rows = rows_of(by_groups().to_frame(backend))
    assert columns == ["group", "actual", "predicted", "count"]
    assert rows == [
        ["a", "n", "n", 0],
        ["a", "n", "y", 0],
        ["a", "y", "n", 0],
        ["a", "y", "y", 1],
        ["b", "n", "n", 1],
        ["b", "n", "y", 0],
        ["b", "y", "n", 1],
        ["b", "y", "y", 1],
    ]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_has_all_leading_axes(backend):
    counts, cm = two_axes()
    columns, rows = rows_of(cm.to_frame(backend))
    assert columns == ["axis_0", "axis_1", "actual", "predicted", "count"]
    assert [row[-1] for row in rows] == counts.ravel().tolist()
    assert rows[13] == [1, 0, "n", "y", 13]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_dates_in_nanoseconds_stay_dates_in_a_frame(backend):
    days = np.array(["2020-01-01", "2021-01-01"], dtype="M8[ns]")
    _, rows = rows_of(ConfusionMatrix.from_predictions([0, 1], [0, 1], by=days).to_frame(backend))
    assert [str(row[0])[:10] for row in rows] == ["2020-01-01"] * 4 + ["2021-01-01"] * 4


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "10ms"])
def test_dates_of_every_unit_are_dates_in_a_frame(backend, unit):
    days = np.array(["1969-01-01", "2020-01-02", "2262-01-01"], dtype=f"M8[{unit}]")
    cm = ConfusionMatrix.from_predictions(days, days[[0, 0, 2]], by=days)
    _, rows = rows_of(cm.to_frame(backend))
    for column in range(3):
        found = sorted({np.datetime64(row[column], "ns") for row in rows})
        assert found == list(days.astype("M8[ns]"))


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("unit", ["W", "D", "h", "m", "s", "ms", "us", "ns"])
def test_durations_of_every_unit_are_durations_in_a_frame(backend, unit):
    durations = np.array([-1, 0, 3], dtype=f"m8[{unit}]")
    frame = ConfusionMatrix.from_predictions(durations, durations).to_frame(backend)
    found = np.unique(np.asarray(frame["actual"]))
    assert found.dtype.kind == "m"
    assert (found == durations).all()


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize(
    ("number", "dtype"),
    [
        *((1, dtype) for dtype in ("M8[ps]", "M8[as]", "m8[fs]", "m8[M]", "m8[Y]")),
        (10**13, "M8[h]"),
        (2**62, "M8[s]"),
        (10**11, "m8[W]"),
        (10**16, "m8[s]"),
        (10**10, "M8[D]"),
        (-(10**17), "M8[D]"),
        (10**7, "M8[Y]"),
        (10**15, "M8[Y]"),
    ],
)
def test_dates_and_durations_that_no_frame_holds_are_written_out(backend, number, dtype):
    labels = np.array([number, number + 1]).astype(dtype)
    _, rows = rows_of(ConfusionMatrix.from_predictions(labels, labels).to_frame(backend))
    assert [row[0] for row in rows] == [str(labels[0])] * 2 + [str(labels[1])] * 2


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("labels", [[0, 2**64 - 1], [2**63, 2**63 + 1]])
def test_large_unsigned_integers_stay_themselves_in_a_frame(backend, labels):
    labels = np.array(labels, dtype=np.uint64)
    frame = ConfusionMatrix.from_predictions(labels, labels, by=labels).to_frame(backend)
    columns = [np.asarray(frame[name]).tolist() for name in ("group", "actual", "predicted")]
    assert list(zip(*columns, strict=True)) == list(itertools.product(labels.tolist(), repeat=3))


def test_a_frame_is_polars_where_pandas_is_not_installed(monkeypatch):
    without(monkeypatch, "pandas")
    assert isinstance(two_classes().to_frame(), pl.DataFrame)


@pytest.mark.parametrize(
    ("missing", "backend", "message"),
    [
        (["pandas", "polars"], None, "data frames need pandas or polars"),
        (["pyarrow"], "pyarrow", "data frames need pyarrow"),
    ],
    ids=["both", "the-one-asked-for"],
)
def test_a_frame_names_the_library_that_is_not_installed(monkeypatch, missing, backend, message):
    without(monkeypatch, *missing)
    with pytest.raises(ImportError, match=message):
        two_classes().to_frame(backend)


def test_a_frame_without_narwhals_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(
        ImportError, match=r"data frames need narwhals: pip install 'skmetrics-ext\[frames\]'"
    ):
        two_classes().to_frame()


def test_an_unknown_frame_library_is_an_error():
    with pytest.raises(ValueError, match="frames_of_mine"):
        two_classes().to_frame("frames_of_mine")


# JSON.


LABELS = {
    "int": np.array([3, 1]),
    "int8": np.array([3, 1], np.int8),
    "uint64": np.array([2**64 - 1, 0], np.uint64),
    "str": np.array(["yes", "no"]),
    "non-ascii": np.array(["œuf", "日本"]),
    "bool": np.array([False, True]),
    "float": np.array([0.0, 1e300]),
    "bytes": np.array([b"a\xff", b"b"]),
    "days": np.array(["2020-02-29", "2021-01-01"], "M8[D]"),
    "nanoseconds": np.array(["2020-02-29T01:02:03.000000004", "2021-01-01"], "M8[ns]"),
    "durations": np.array([1, 90], "m8[s]"),
}
every_kind_of_label = pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)


@every_kind_of_label
@pytest.mark.parametrize(
    "counts", [[[5, 1], [2, 2**60]], [[0.1, 1], [2, 1e-30]]], ids=["int", "float"]
)
def test_labels_of_every_kind_survive_json(labels, counts):
    cm = ConfusionMatrix.from_counts(counts, labels)
    restored = through_json(cm)
    assert restored == cm
    assert restored.labels.dtype == cm.labels.dtype
    assert restored.labels.tolist() == labels.tolist()
    assert restored.counts.dtype == cm.counts.dtype
    assert restored.counts.tolist() == counts


@every_kind_of_label
def test_coordinates_of_every_kind_survive_json(labels):
    cm = ConfusionMatrix.from_predictions([0, 1], [1, 1], by=labels)
    restored = through_json(cm)
    assert restored == cm
    assert restored.axes[0].name == "group"
    assert restored.axes[0].coordinates.dtype == cm.axes[0].coordinates.dtype


def test_leading_axes_without_entries_survive_json():
    cm = ConfusionMatrix.from_counts(np.zeros((0, 2, 2), int), [0, 1])
    assert through_json(cm) == cm


def test_what_comes_back_from_json_is_frozen_and_adds_up():
    restored = through_json(by_groups())
    with pytest.raises(ValueError, match="read-only"):
        restored.counts[0] = 0
    assert (restored + by_groups()).counts.tolist() == (2 * by_groups().counts).tolist()


@pytest.mark.parametrize(
    "counts", [[[5, 1], [2, 4]], np.array([[5, 1], [2, 4]]), [[0.5, 1], [2, 0.25]]]
)
@pytest.mark.parametrize("labels", [["b", "a"], [3, 1], np.array([True, False])])
def test_a_plain_state_is_its_counts_and_labels(counts, labels):
    cm = ConfusionMatrix.from_dict({"counts": counts, "labels": labels})
    assert cm == ConfusionMatrix.from_counts(counts, labels)
    assert cm.counts.dtype == np.asarray(counts).dtype


def test_a_plain_state_names_no_positive_class():
    state = {"counts": [[5, 1], [2, 4]], "labels": ["no", "yes"]}
    assert ConfusionMatrix.from_dict(state).pos_label is None
    assert ConfusionMatrix.from_dict({**state, "pos_label": "no"}).score("recall") == 5 / 6


def test_leading_axes_of_a_plain_state_are_numbered():
    cm = ConfusionMatrix.from_dict({"counts": [[[5, 1], [2, 4]]] * 3, "labels": ["no", "yes"]})
    assert [(axis.name, axis.coordinates.tolist()) for axis in cm.axes] == [("axis_0", [0, 1, 2])]


@pytest.mark.parametrize("dtype", ["<U30000000", "|S30000000", "|V30000000", "(10000000,)i8"])
def test_a_state_takes_no_more_memory_than_is_there(dtype):
    state = {
        "counts": [[1, 0], [0, 1]],
        "labels": {"dtype": dtype, "shape": [2], "values": ["no", "yes"]},
    }
    tracemalloc.start()
    try:
        if dtype[1] in "US":
            assert ConfusionMatrix.from_dict(state).labels.astype(str).tolist() == ["no", "yes"]
        else:
            with pytest.raises(
                ValueError,
                match=r"'labels' of state is corrupted.*labels, counts and coordinates never have",
            ):
                ConfusionMatrix.from_dict(state)
        assert tracemalloc.get_traced_memory()[1] < 1e6
    finally:
        tracemalloc.stop()


NARROW = {"dtype": "<U1", "shape": [2], "values": ["no", "yes"]}


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        (
            {"counts": [[5, -1], [2, 4]]},
            ValueError,
            "counts must be finite and not negative; they hold -1",
        ),
        (
            {"counts": [[5, np.nan], [2, 4]]},
            ValueError,
            "counts must be finite and not negative; they hold nan",
        ),
        (
            {"counts": [[5, np.inf], [2, 4]]},
            ValueError,
            "counts must be finite and not negative; they hold inf",
        ),
        ({"counts": [["5", "1"], ["2", "4"]]}, TypeError, "counts must be numbers; got <U1"),
        ({"counts": [[5, None], [2, 4]]}, TypeError, "counts must be numbers; got object"),
        ({"counts": [[5, 1], [2]]}, ValueError, "counts must be rows of equal length"),
        ({"counts": [[5, 1, 3], [2, 4, 3]]}, ValueError, r"counts must be square.*shape \(2, 3\)"),
        ({"counts": 5}, ValueError, r"counts must be square.*shape \(\)"),
        ({"labels": ["no", "no"]}, ValueError, r"labels holds duplicates: \['no'\]"),
        ({"labels": ["no", None]}, ValueError, "labels holds None"),
        ({"labels": ["no", "yes", "maybe"]}, ValueError, "counts has 2 classes but labels lists 3"),
        (
            {"labels": NARROW},
            ValueError,
            r"'labels' of state is corrupted.*dtype '<U1' and shape \[2\] \(they would be "
            r"truncated",
        ),
        (
            {"labels": {**NARROW, "values": ["a", None]}},
            ValueError,
            "'labels' of state is corrupted.*would be truncated",
        ),
        (
            {"labels": {**NARROW, "dtype": "words"}},
            ValueError,
            "'labels' of state is corrupted.*'words'",
        ),
        (
            {"labels": {**NARROW, "shape": [3]}},
            ValueError,
            r"'labels' of state is corrupted.*shape \[3\]",
        ),
        (
            {"labels": {"dtype": "<U3", "shape": [2]}},
            ValueError,
            "'labels' of state has no 'values'",
        ),
        (
            {"counts": {"dtype": "<i8", "shape": [2, 2], "values": [5, -1, 2, 4]}},
            ValueError,
            "counts must be finite and not negative; they hold -1",
        ),
        (
            {"counts": {"dtype": "<i8", "shape": [2, 2], "values": [5, 1.5, 2, 4]}},
            ValueError,
            "'counts' of state is corrupted.*would be truncated",
        ),
        (
            {"counts": {"dtype": "|u1", "shape": [2, 2], "values": [5, 256, 2, 4]}},
            ValueError,
            r"'counts' of state is corrupted.*dtype '\|u1'",
        ),
        (
            {"counts": [[[5, 1], [2, 4]]], "axes": []},
            ValueError,
            "do not match 2 labels and the axes none",
        ),
        ({"axes": [{"name": "fold"}]}, ValueError, r"axes\[0\] has no 'coordinates'"),
        ({"axes": [{"coordinates": [0]}]}, ValueError, r"axes\[0\] has no 'name'"),
        ({"axes": None}, ValueError, "'axes' of state must be a list.*got None"),
        ({"axes": 5}, ValueError, "'axes' of state must be a list.*got 5"),
        ({"axes": [1]}, ValueError, r"axes\[0\] must be a dict of name and coordinates; got 1"),
        (
            {"axes": [None]},
            ValueError,
            r"axes\[0\] must be a dict of name and coordinates; got None",
        ),
        (
            {"axes": [{"name": "fold", "coordinates": None}]},
            ValueError,
            r"'coordinates' of axes\[0\] must be a list",
        ),
        (
            {"axes": [{"name": None, "coordinates": [0]}]},
            ValueError,
            r"'name' of axes\[0\] must be a string; got None",
        ),
        (
            {"pos_label": {"dtype": "<U1", "shape": [0], "values": []}},
            ValueError,
            r"'pos_label' of state must hold one label; it holds \[\]",
        ),
        (
            {"pos_label": {"dtype": "<U3", "shape": [2], "values": ["no", "yes"]}},
            ValueError,
            r"'pos_label' of state must hold one label; it holds \['no', 'yes'\]",
        ),
        ({"pos_label": "zzz"}, ValueError, r"pos_label='zzz'.*not among.*\['no', 'yes'\]"),
        ({"pos_label": 1}, ValueError, r"pos_label=1.*not among"),
        ({"ranking": [1, 2]}, ValueError, r"Mix of.*ranking holds numbers"),
        (
            {"ranking": ["b", "q"]},
            ValueError,
            r"'ranking' of state, \['b', 'q'\], has none of the labels \['no', ",
        ),
        ({"ranking": ["no", "no"]}, ValueError, "ranking holds duplicates"),
        (
            {"counts": {"dtype": "<f4", "shape": [2, 2], "values": [1e-60, 1, 2, 4]}},
            ValueError,
            "'counts' of state is corrupted.*dtype '<f4'.*would be truncated",
        ),
        (
            {"counts": {"dtype": "<f2", "shape": [2, 2], "values": [2049, 1, 2, 4]}},
            ValueError,
            "'counts' of state is corrupted.*dtype '<f2'.*would be truncated",
        ),
        # What would change the limits is not passed over.
        ({"weighted": True}, ValueError, "state has 'weighted'; it may have counts, labels, axes"),
        ({"repeats": 3.0}, ValueError, "state has 'repeats'; it may have .*, design"),
    ],
)
def test_a_broken_state_says_what_is_broken(changes, error, message):
    with pytest.raises(error, match=message):
        ConfusionMatrix.from_dict({"counts": [[5, 1], [2, 4]], "labels": ["no", "yes"], **changes})


def test_a_state_may_have_a_positive_class_and_a_ranking_beyond_its_labels():
    for state in (
        {"counts": [[5]], "labels": ["no"], "pos_label": "yes"},
        {"counts": [[5, 1], [2, 4]], "labels": ["no", "yes"], "ranking": ["yes", "perhaps"]},
        {
            "counts": [[[5.5, 1], [2, 4]]],
            "labels": [0, 1],
            "axes": [{"name": "x", "coordinates": [np.nan]}],
        },
    ):
        cm = ConfusionMatrix.from_dict(state)
        again = through_json(cm)
        assert again.counts.tolist() == cm.counts.tolist()
        assert (again.pos_label, again.ranking is None) == (cm.pos_label, cm.ranking is None)


def test_a_positive_class_leaves_with_its_label():
    cm = ConfusionMatrix.from_scores(["a", "b"], np.eye(4)[:2], classes=list("abcd"), pos_label="d")
    assert cm.pos_label == "d"
    assert cm.with_labels(["d", "b", "a"]).pos_label == "d"
    assert through_json(cm.with_labels(["c", "b", "a"])).pos_label is None


def test_a_label_is_left_out_only_if_it_neither_occurs_nor_is_predicted():
    cells = np.zeros((3, 3), dtype=int)
    cells[:2, :2] = [[5, 1], [2, 4]]
    assert ConfusionMatrix(cells, np.arange(3)).with_labels([1, 0]).counts.tolist() == [
        [4, 2],
        [1, 5],
    ]
    for place in ((2, 0), (0, 2), (2, 2)):
        third = cells.copy()
        third[place] = 1
        for cm in (
            ConfusionMatrix(third, np.arange(3)),
            ConfusionMatrix.from_counts(np.stack([cells, third]), labels=np.arange(3)),
        ):
            with pytest.raises(ValueError, match=r"which also have \[2\]"):
                cm.with_labels([1, 0])


@pytest.mark.parametrize("key", ["counts", "labels"])
def test_a_state_that_lacks_a_part_names_it(key):
    state = {"counts": [[5, 1], [2, 4]], "labels": ["no", "yes"]}
    del state[key]
    with pytest.raises(ValueError, match=f"state has no '{key}'"):
        ConfusionMatrix.from_dict(state)


def test_what_is_no_state_is_refused():
    with pytest.raises(
        TypeError, match=r"state must be a dict.*got str: pass json\.loads\(state\)"
    ):
        ConfusionMatrix.from_dict(json.dumps(two_classes().to_dict()))
    with pytest.raises(TypeError, match="state must be a dict as returned by to_dict; got list"):
        ConfusionMatrix.from_dict([[5, 1], [2, 4]])


# Frozen values.


@pytest.mark.parametrize("name", ["counts", "labels", "axes", "something"])
def test_attributes_can_not_be_assigned(name):
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(two_classes(), name, None)


FROM_EVERYWHERE = {
    "from_predictions": by_groups,
    "from_multilabel": lambda: ConfusionMatrix.from_predictions([[1, 0]], [[1, 1]]),
    "from_counts": two_classes,
    "from_scores": lambda: ConfusionMatrix.from_scores([0, 1], [0.1, 0.9]),
    "from_estimator": lambda: ConfusionMatrix.from_estimator(fitted_on_strings(), [[0.0]], ["no"]),
    "sum": lambda: by_groups().sum("group"),
    "add": lambda: by_groups() + by_groups(),
    "merge": lambda: two_classes() + ConfusionMatrix.from_counts([[1]], ["maybe"]),
    "pickle": lambda: pickle.loads(pickle.dumps(by_groups())),
    "deepcopy": lambda: copy.deepcopy(by_groups()),
    "copy": lambda: copy.copy(by_groups()),
}


@pytest.mark.parametrize("make", FROM_EVERYWHERE.values(), ids=FROM_EVERYWHERE)
def test_arrays_can_not_be_written(make):
    cm = make()
    for array in (cm.counts, cm.labels, *(axis.coordinates for axis in cm.axes)):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = array


def test_the_arrays_of_the_caller_stay_writeable_and_unchanged():
    model = fitted_on_strings()
    arrays = {
        "y_true": np.array(["no", "yes", "no"]),
        "y_pred": np.array(["yes", "yes", "no"]),
        "codes": np.array([0, 1, 0]),
        "labels": np.array(["yes", "no"]),
        "weight": np.array([1.0, 2.0, 3.0]),
        "by": np.array([7, 8, 7]),
        "counts": np.array([[1.5, 2], [3, 4]]),
        "scores": np.array([0.1, 0.9, 0.4]),
        "X": np.array([[0.0], [1.0], [3.0]]),
        "classes_": model.classes_,
        "indicators": np.array([[True, False], [False, True], [True, True]]),
    }
    before = copy.deepcopy(arrays)
    a = arrays
    ConfusionMatrix.from_predictions(
        a["y_true"], a["y_pred"], labels=a["labels"], sample_weight=a["weight"], by=a["by"]
    )
    ConfusionMatrix.from_predictions(a["y_true"], a["y_true"], sample_weight=a["by"])
    ConfusionMatrix.from_predictions(a["codes"], a["codes"], by=a["codes"])
    ConfusionMatrix.from_predictions(a["indicators"], a["indicators"], sample_weight=a["weight"])
    ConfusionMatrix.from_counts(a["counts"], a["labels"])
    ConfusionMatrix.from_scores(
        a["y_true"], a["scores"], classes=a["labels"], sample_weight=a["weight"]
    )
    ConfusionMatrix.from_scores(a["codes"], a["scores"], threshold=0.3)
    ConfusionMatrix.from_estimator(model, a["X"], a["y_true"], sample_weight=a["weight"])
    ConfusionMatrix.from_estimator(model, a["X"], a["y_true"], threshold=0.3, pos_label="yes")
    for name, array in arrays.items():
        assert array.flags.writeable, name
        np.testing.assert_array_equal(array, before[name])


def test_the_categories_of_the_caller_stay_writeable():
    values = np.array([1, 2])
    y = pd.Series(pd.Categorical.from_codes([0, 1, 1], categories=pd.Index(values, copy=False)))
    was_writeable = y.cat.categories.values.flags.writeable
    ConfusionMatrix.from_predictions(y, y)
    assert y.cat.categories.values.flags.writeable == was_writeable
    assert values.flags.writeable


def test_a_matrix_made_directly_does_not_freeze_the_arrays_of_the_caller():
    counts, labels, coordinates = np.ones((1, 2, 2), int), np.array(["a", "b"]), np.array([5])
    cm = ConfusionMatrix(counts, labels, (Axis("fold", coordinates),))
    assert not cm.counts.flags.writeable
    assert counts.flags.writeable
    assert labels.flags.writeable
    assert coordinates.flags.writeable


def test_later_changes_of_the_given_arrays_do_not_reach_the_matrix():
    counts, labels = np.array([[1, 2], [3, 4]]), np.array(["a", "b"])
    cm = ConfusionMatrix.from_counts(counts, labels)
    counts[:] = 0
    labels[:] = "z"
    assert cm.counts.tolist() == [[1, 2], [3, 4]]
    assert cm.labels.tolist() == ["a", "b"]


# Equality and copies.


def test_equal_matrices_are_equal():
    assert two_classes() == two_classes()
    assert by_groups() == by_groups()
    assert two_classes() == ConfusionMatrix.from_counts([[5.0, 1], [2, 4]], labels=["no", "yes"])


@pytest.mark.parametrize(
    "other",
    [
        ConfusionMatrix.from_counts([[5, 1], [2, 5]], labels=["no", "yes"]),
        ConfusionMatrix.from_counts([[5, 1], [2, 4]], labels=["no", "yep"]),
        ConfusionMatrix.from_counts([[5, 1], [2, 4]], labels=[0, 1]),
        ConfusionMatrix.from_counts([[[5, 1], [2, 4]]], labels=["no", "yes"]),
        [[5, 1], [2, 4]],
        None,
    ],
    ids=["counts", "labels", "kind-of-labels", "axes", "list", "None"],
)
def test_what_differs_is_not_equal(other):
    assert two_classes() != other
    assert (two_classes() == other) is False


def test_names_and_coordinates_of_axes_belong_to_equality():
    renamed = ConfusionMatrix.from_counts(by_groups().counts, ["n", "y"])
    assert renamed.counts.tolist() == by_groups().counts.tolist()
    assert renamed != by_groups()


def test_a_matrix_is_unhashable():
    with pytest.raises(TypeError, match="unhashable"):
        hash(two_classes())


@pytest.mark.parametrize(
    "clone",
    [
        copy.copy,
        copy.deepcopy,
        *(lambda cm, p=p: pickle.loads(pickle.dumps(cm, p)) for p in range(2, 6)),
    ],
    ids=["copy", "deepcopy", "pickle-2", "pickle-3", "pickle-4", "pickle-5"],
)
def test_copies_equal_the_original(clone):
    for cm in (by_groups(), by_groups() + by_groups()):
        twin = clone(cm)
        assert type(twin) is ConfusionMatrix
        assert twin == cm
        assert twin.pos_label == cm.pos_label == "y"
        assert twin.score("precision").tolist() == cm.score("precision").tolist()


# Terminal and notebook.


@pytest.mark.parametrize(
    ("cm", "expected"),
    [
        (
            two_classes(),
            """
ConfusionMatrix of 12 samples (rows: actual, columns: predicted)
     no  yes
no    5    1
yes   2    4
""",
        ),
        (
            ConfusionMatrix.from_counts([[12345]], ["a"]),
            """
ConfusionMatrix of 12345 samples (rows: actual, columns: predicted)
       a
a  12345
""",
        ),
        (
            ConfusionMatrix.from_predictions(
                [True, False, True], [True, True, True], sample_weight=[0.5, 0.25, 2]
            ),
            """
ConfusionMatrix of weight 2.75 (rows: actual, columns: predicted)
       False  True
False      0  0.25
True       0   2.5
""",
        ),
        (
            by_groups(),
            """
ConfusionMatrix of 4 samples (rows: actual, columns: predicted, summed over group ['a', 'b'])
   n  y
n  1  0
y  1  2
""",
        ),
        (
            ConfusionMatrix.from_counts([[1, 2], [3, 4]], ["été", "Ümlaut"]),
            """
ConfusionMatrix of 10 samples (rows: actual, columns: predicted)
        été  Ümlaut
été       1       2
Ümlaut    3       4
""",
        ),
        (
            ConfusionMatrix.from_counts([[1, 2], [3, 4]], ["x" * 20, "y" * 21]),
            """
ConfusionMatrix of 10 samples (rows: actual, columns: predicted)
                      xxxxxxxxxxxxxxxxxxxx  yyyyyyyyyyyy...yyyyy
xxxxxxxxxxxxxxxxxxxx                     1                     2
yyyyyyyyyyyy...yyyyy                     3                     4
""",
        ),
    ],
    ids=["two-classes", "one-class", "weighted", "leading-axis", "non-ascii", "long-labels"],
)
def test_repr_is_an_aligned_table(cm, expected):
    assert repr(cm) == expected.strip("\n")


def test_repr_of_many_classes_shows_the_first_and_counts_the_rest():
    counts = np.zeros((30, 30), int)
    counts[0, 1], counts[29, 29] = 4, 70_000_000
    lines = repr(ConfusionMatrix.from_counts(counts, np.arange(30))).splitlines()
    assert lines[0] == "ConfusionMatrix of 70000004 samples (rows: actual, columns: predicted)"
    assert lines[1].split() == [*map(str, range(12)), "..."]
    assert lines[2].split() == ["0", "0", "4", *["0"] * 10, "..."]
    assert lines[-1] == "... and 18 more classes"
    assert len(lines) == 15
    assert max(map(len, lines)) < 80


def test_repr_of_thirteen_classes_speaks_of_one_more_class():
    last = repr(ConfusionMatrix.from_counts(np.eye(13, dtype=int), np.arange(13))).splitlines()[-1]
    assert last in ("... and 1 more class", "... and 1 more")


def display_width(line):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


def test_repr_is_aligned_where_characters_are_wide():
    lines = repr(ConfusionMatrix.from_counts([[1, 2], [3, 4]], ["日本", "z"])).splitlines()[1:]
    assert len({display_width(line) for line in lines}) == 1


def test_repr_keeps_a_label_with_a_line_break_on_one_line():
    assert len(repr(ConfusionMatrix.from_counts([[1, 2], [3, 4]], ["a\nb", "c"])).splitlines()) == 4


@pytest.mark.parametrize("unit", ["D", "s", "ns"])
def test_repr_shows_dates_as_dates(unit):
    days = np.array(["2020-01-01", "2021-01-01"], dtype=f"M8[{unit}]")
    assert "2021-01-01" in repr(ConfusionMatrix.from_counts([[1, 2], [3, 4]], days)).splitlines()[1]


@pytest.mark.parametrize(
    "cm",
    [
        ConfusionMatrix.from_counts([[1, 2], [3, 4]], ["<script>alert(1)</script>", "&amp"]),
        ConfusionMatrix.from_predictions([0, 1], [0, 1], by=["<script>alert(1)</script>", "&amp"]),
        ConfusionMatrix.from_counts([[1, 2], [3, 4]], [b"<script>", b"&amp"]),
    ],
    ids=["labels", "coordinates", "bytes"],
)
def test_html_escapes_labels_and_coordinates(cm):
    text = cm._repr_html_()
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "&amp;amp" in text


def test_html_has_every_count_of_a_small_matrix():
    text = two_classes()._repr_html_()
    assert (
        "<tr><th>no</th><td>5</td><td>1</td></tr><tr><th>yes</th><td>2</td><td>4</td></tr>" in text
    )


def test_html_titles_its_axes():
    text = two_classes()._repr_html_()
    above, below = re.search("<thead>(.*)</thead>", text)[1].split("</tr><tr>")
    assert re.sub("<[^>]*>", "|", above).strip("|") == "predicted"
    assert 'colspan="2"' in above
    assert below.startswith("<th>actual</th><th>no</th>")


def test_html_of_many_classes_is_cut_and_says_so():
    text = ConfusionMatrix.from_counts(np.eye(30, dtype=int), np.arange(30))._repr_html_()
    assert text.count("<tr>") == 14
    assert "<th>\N{HORIZONTAL ELLIPSIS} 18 more</th></tr></thead>" in text


def test_numbers_of_errors_and_of_axes_are_whole():
    cm = ConfusionMatrix.from_predictions([0, 1, 1], [0, 0, 1], by=["a", "b", "b"])
    for n in (1.5, "a", None, True):
        with pytest.raises(ValueError, match=f"n.*integer >= 0; got {n!r}"):
            cm.most_confused(n)
    assert cm.most_confused(np.int8(0)) == []
    for axis in (None, 0.0, ["group"]):
        with pytest.raises(
            TypeError, match=r"axis must be the name or index of a leading axis, one of \['group'\]"
        ):
            cm.sum(axis)
    assert cm.sum(np.int64(-1)) == cm.sum("group")


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [("averge", "average"), ("poslabel", "pos_label"), ("lables", "labels"), ("Beta", "beta")],
)
def test_a_misspelt_option_of_score_suggests_what_is_meant(misspelt, meant):
    cm = ConfusionMatrix.from_predictions([0, 1, 1], [0, 0, 1])
    with pytest.raises(
        TypeError, match=f"fbeta has no parameter '{misspelt}'.* Did you mean '{meant}'"
    ):
        cm.score("fbeta", **{misspelt: 1})


@pytest.mark.parametrize("weights", [None, [0.1] * 10])
def test_a_multilabel_matrix_speaks_of_its_samples_not_of_their_labels(weights):
    cm = ConfusionMatrix.from_predictions(
        np.eye(10, 3, dtype=int), np.ones((10, 3), dtype=int), sample_weight=weights
    )
    of = "10 samples" if weights is None else "weight 1"
    assert repr(cm).startswith(
        f"ConfusionMatrix of {of} (rows: actual, columns: predicted, summed over label"
    )
    assert f"ConfusionMatrix of {of} (rows" in cm._repr_html_()


def test_a_matrix_is_made_with_a_method():
    words = (
        r"make a ConfusionMatrix with from_predictions\(y_true, y_pred\), from_scores, .*from_co"
    )
    with pytest.raises(TypeError, match=f"counts need their labels: {words}"):
        ConfusionMatrix([[5, 1], [2, 4]])
    with pytest.raises(ValueError, match=words):
        ConfusionMatrix([0, 1, 1], [0, 1, 0])
