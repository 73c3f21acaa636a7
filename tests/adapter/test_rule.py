"""Scores -> labels: thresholds, ties, costs, columns by name, one-hot and multilabel targets."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ThresholdCurve,
    ThresholdCurves,
    labels_from_scores,
)
from tests.doubles import Answering
from tests.shared import are_on_scale, for_each, of_any_scale

CATEGORICAL_TRUE = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]]
CATEGORICAL_PRED = [[0.4, 0.6, 0, 0], [0.3, 0.2, 0.1, 0.4], [0.05, 0.35, 0.5, 0.1]]
SOFTMAX_TRUE = [[0, 1], [1, 0], [1, 0], [0, 1]]
SOFTMAX_PRED = [[0.4, 0.6], [0.3, 0.7], [0.05, 0.95], [0.33, 0.67]]

# Sums and products of small multiples of 1/64 are exact, so ties are ties in any order of
# summation.
EXACT_SHARES = st.integers(0, 64).map(lambda n: n / 64)


def exact_scores(n_classes):
    return st.integers(1, 6).flatmap(
        lambda n: arrays(np.float64, (n, n_classes), elements=EXACT_SHARES)
    )


@pytest.fixture(scope="module")
def tumor_model(tumors):
    return make_pipeline(StandardScaler(), LogisticRegression()).fit(*tumors)


# The numbers of the sources.


@pytest.mark.parametrize(
    ("y_true", "y_score", "accuracy"),
    [
        pytest.param([0, 1, 1], [0.4, 0.7, 0.3], 2 / 3, id="sigmoid"),
        pytest.param([[0], [1], [1]], [[0.4], [0.7], [0.3]], 2 / 3, id="sigmoid column"),
        pytest.param(SOFTMAX_TRUE, SOFTMAX_PRED, 0.5, id="two-column softmax"),
        pytest.param(CATEGORICAL_TRUE, CATEGORICAL_PRED, 2 / 3, id="categorical"),
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_accuracy_of_the_sources(y_true, y_score, accuracy, dtype):
    cm = ConfusionMatrix.from_scores(y_true, np.array(y_score, dtype=dtype))
    assert cm.score("accuracy") == accuracy


def test_the_categorical_source_gives_the_whole_matrix():
    cm = ConfusionMatrix.from_scores(CATEGORICAL_TRUE, CATEGORICAL_PRED)
    assert cm.labels.tolist() == [0, 1, 2, 3]
    assert cm.counts.tolist() == [[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]


# Forms of scores.


@pytest.mark.parametrize(
    ("y_score", "expected"),
    [
        pytest.param([0.2, 0.5, 0.9], [0, 1, 1], id="(n,)"),
        pytest.param((0.2, 0.5, 0.9), [0, 1, 1], id="tuple"),
        pytest.param([[0.2], [0.5], [0.9]], [0, 1, 1], id="(n, 1)"),
        pytest.param(
            [[0.8, 0.2], [0.5, 0.5], [0.1, 0.9]], [0, 0, 1], id="(n, 2), tie to the first"
        ),
        pytest.param([[-3.0, 1.0, 2.0], [7.0, 5.0, 7.0]], [2, 0], id="(n, 3), no probabilities"),
        pytest.param([[1, 0], [0, 1]], [0, 1], id="integers"),
        pytest.param([True, False], [1, 0], id="booleans"),
        pytest.param(
            [
                np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]]),
                np.array([[0.3, 0.7], [0.6, 0.4], [0.0, 1.0]]),
            ],
            [[0, 1], [1, 0], [0, 1]],
            id="list of L arrays (n, 2)",
        ),
    ],
)
def test_default_rule_for_each_form_of_scores(y_score, expected):
    assert labels_from_scores(y_score).tolist() == expected


@pytest.mark.parametrize(
    ("classes", "kind"),
    [
        pytest.param(["no", "yes"], "U", id="str"),
        pytest.param([3, -1], "i", id="int, not sorted"),
        pytest.param([False, True], "b", id="bool"),
        pytest.param(np.array(["no", "yes"], dtype=object), "U", id="object"),
    ],
)
@pytest.mark.parametrize(
    "y_score",
    [
        pytest.param([0.2, 0.9], id="(n,)"),
        pytest.param([[0.2], [0.9]], id="(n, 1)"),
        pytest.param([[0.8, 0.2], [0.1, 0.9]], id="(n, 2)"),
    ],
)
def test_labels_have_the_type_and_order_of_classes(y_score, classes, kind):
    labels = labels_from_scores(y_score, classes=classes)
    assert labels.dtype.kind == kind
    assert labels.tolist() == list(classes)


def test_list_of_arrays_obeys_thresholds_and_ties_label_by_label():
    pairs = [np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([[0.25, 0.75], [0.5, 0.5]])]
    assert labels_from_scores(pairs, threshold=0.25).tolist() == [[1, 1], [1, 1]]
    assert labels_from_scores(pairs, threshold=0.25, ties="negative").tolist() == [[0, 1], [1, 1]]
    assert labels_from_scores(pairs, threshold=[0.5, 0.75]).tolist() == [[0, 1], [1, 0]]
    assert labels_from_scores(pairs, threshold=[0.5, 0.75], ties="negative").tolist() == [
        [0, 0],
        [0, 0],
    ]


# Thresholds.


@of_any_scale
@given(
    scores=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8),
    threshold=st.floats(-1e6, 1e6),
    ties=st.sampled_from(["positive", "negative"]),
    positive=st.sampled_from(["a", "b"]),
)
@example(scores=[0.25, 0.5, 0.75], threshold=0.5, ties="positive", positive="a")
@example(scores=[0.25, 0.5, 0.75], threshold=0.5, ties="negative", positive="a")
@example(scores=[-1.0, 0.0, 1.0], threshold=0.0, ties="negative", positive="b")
def test_one_threshold_of_1d_scores_is_a_comparison(scores, threshold, ties, positive):
    assume(are_on_scale([threshold], scores))
    negative = {"a": "b", "b": "a"}[positive]
    expected = []
    for score in scores:
        reached = score >= threshold if ties == "positive" else score > threshold
        expected.append(positive if reached else negative)
    labels = labels_from_scores(
        scores, classes=["a", "b"], threshold=threshold, ties=ties, pos_label=positive
    )
    assert labels.tolist() == expected


@given(
    scores=exact_scores(2),
    threshold=EXACT_SHARES,
    ties=st.sampled_from(["positive", "negative"]),
    positive=st.sampled_from([0, 1]),
)
@example(scores=np.array([[0.75, 0.25], [0.25, 0.75]]), threshold=0.25, ties="positive", positive=0)
@example(scores=np.array([[0.75, 0.25], [0.25, 0.75]]), threshold=0.25, ties="negative", positive=0)
def test_one_threshold_of_two_columns_reads_the_column_of_pos_label(
    scores, threshold, ties, positive
):
    classes = ["a", "b"]
    expected = []
    for row in scores:
        reached = row[positive] >= threshold if ties == "positive" else row[positive] > threshold
        expected.append(classes[positive] if reached else classes[1 - positive])
    labels = labels_from_scores(
        scores, classes=classes, threshold=threshold, ties=ties, pos_label=classes[positive]
    )
    assert labels.tolist() == expected


@pytest.mark.parametrize(
    ("pos_label", "ties", "expected"),
    [
        pytest.param(None, "positive", ["a", "b", "b"], id="second class by default"),
        pytest.param("b", "negative", ["a", "a", "b"], id="second, tie negative"),
        pytest.param("a", "positive", ["b", "a", "a"], id="first"),
        pytest.param("a", "negative", ["b", "b", "a"], id="first, tie negative"),
    ],
)
def test_1d_probabilities_are_those_of_pos_label_and_cut_at_half(pos_label, ties, expected):
    assert labels_from_scores(
        [0.25, 0.5, 0.75], classes=["a", "b"], pos_label=pos_label, ties=ties
    ).tolist() == (expected)


@given(data=st.data(), n_classes=st.integers(2, 5))
def test_one_threshold_a_class_is_the_largest_quotient(data, n_classes):
    scores = data.draw(exact_scores(n_classes))
    threshold = data.draw(st.lists(st.floats(0.01, 10), min_size=n_classes, max_size=n_classes))
    expected = []
    for row in scores.tolist():
        quotients = [score / cut for score, cut in zip(row, threshold, strict=True)]
        expected.append(quotients.index(max(quotients)))
    assert labels_from_scores(scores, threshold=threshold).tolist() == expected


@pytest.mark.parametrize("pos_label", ["a", "b"])
def test_two_thresholds_of_1d_probabilities_use_the_complement(pos_label):
    score = np.array([0.1, 0.25, 0.4, 0.9])
    columns = np.column_stack([1 - score, score] if pos_label == "b" else [score, 1 - score])
    expected = np.array(["a", "b"])[np.argmax(columns / [0.8, 0.2], axis=1)]
    labels = labels_from_scores(
        score, classes=["a", "b"], threshold=[0.8, 0.2], pos_label=pos_label
    )
    assert labels.tolist() == expected.tolist()


@given(scores=exact_scores(3), scale=st.sampled_from([0.25, 0.5, 2.0]))
def test_equal_thresholds_change_nothing(scores, scale):
    assert (
        labels_from_scores(scores, threshold=[scale] * 3).tolist()
        == labels_from_scores(scores).tolist()
    )


# Costs.


@given(data=st.data(), n_classes=st.integers(2, 4))
def test_costs_pick_the_column_of_least_expected_cost(data, n_classes):
    scores = data.draw(exact_scores(n_classes))
    costs = data.draw(arrays(np.int64, (n_classes, n_classes), elements=st.integers(-8, 8)))
    expected = []
    for row in scores:
        expected_costs = [
            sum(row[actual] * costs[actual, predicted] for actual in range(n_classes))
            for predicted in range(n_classes)
        ]
        expected.append(expected_costs.index(min(expected_costs)))
    assert labels_from_scores(scores, cost_matrix=costs).tolist() == expected


@pytest.mark.parametrize("columns", [[2, 0, 1], [1, 2, 0], [0, 1, 2]], ids=str)
def test_columns_are_no_order_of_costs_nor_of_ties(columns):
    shares = np.array([[0.5, 0.3, 0.2], [0.25, 0.5, 0.25], [0.375, 0.25, 0.375], [0, 0.5, 0.5]])
    costs = np.array([[0, 1, 2], [9, 0, 9], [1, 2, 0]])
    frame = pd.DataFrame(shares)[columns]
    for each in (costs, np.stack([costs] * 4)):
        expected = (shares @ costs).argmin(axis=1).tolist()
        assert labels_from_scores(frame, cost_matrix=each).tolist() == expected
        in_order = each[..., np.array(columns)[:, None], columns]
        labels = labels_from_scores(frame, cost_matrix=in_order, classes=columns)
        assert labels.tolist() == expected
    # The first of the sorted labels, as in a matrix of these scores.
    assert labels_from_scores(frame).tolist() == shares.argmax(axis=1).tolist()
    assert ConfusionMatrix.from_scores([0, 1, 2, 1], frame).score("accuracy") == 0.75
    with pytest.raises(ValueError, match="cost_matrix is an array in the order of the classes"):
        labels_from_scores(frame.add_prefix("class "), cost_matrix=costs)


@given(
    right=st.tuples(st.integers(-5, 5), st.integers(-5, 5)),
    extra=st.tuples(st.integers(1, 50), st.integers(1, 50)),
    probabilities=st.lists(st.floats(0, 1), min_size=1, max_size=8),
)
def test_costs_of_two_classes_are_the_threshold_of_elkan_2001(right, extra, probabilities):
    true_negative, true_positive = right
    false_positive, false_negative = true_negative + extra[0], true_positive + extra[1]
    threshold = (false_positive - true_negative) / (
        false_positive - true_negative + false_negative - true_positive
    )
    assume(all(abs(p - threshold) > 1e-9 for p in probabilities))
    costs = [[true_negative, false_positive], [false_negative, true_positive]]
    expected = [int(p >= threshold) for p in probabilities]
    assert labels_from_scores(probabilities, cost_matrix=costs).tolist() == expected
    assert labels_from_scores(probabilities, threshold=threshold).tolist() == expected


@pytest.mark.parametrize(
    ("pos_label", "expected"),
    [
        pytest.param("sick", ["well", "sick", "sick"], id="second"),
        pytest.param("well", ["sick", "sick", "well"], id="first"),
    ],
)
def test_costs_of_1d_probabilities_know_whose_probability_it_is(pos_label, expected):
    costs = [[0, 1], [4, 0]]
    labels = labels_from_scores(
        [0.1, 0.5, 0.9], classes=["well", "sick"], pos_label=pos_label, cost_matrix=costs
    )
    assert labels.tolist() == expected


# Agreement with scikit-learn.


def test_argmax_is_what_a_binary_model_predicts(tumors, tumor_model):
    X, _ = tumors
    labels = labels_from_scores(tumor_model.predict_proba(X), classes=tumor_model.classes_)
    assert labels.tolist() == tumor_model.predict(X).tolist()


def test_argmax_is_what_a_multiclass_model_predicts():
    X, y = load_iris(return_X_y=True)
    names = np.array(["virginica", "setosa", "versicolor"])[y]
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, names)
    labels = labels_from_scores(model.predict_proba(X), classes=model.classes_)
    assert labels.tolist() == model.predict(X).tolist()
    assert (
        labels_from_scores(model.decision_function(X), classes=model.classes_).tolist()
        == labels.tolist()
    )


@pytest.mark.parametrize("threshold", [0.0, 0.03, 0.3, 0.9, 1.0])
@pytest.mark.parametrize("pos_label", ["benign", "malignant"])
def test_threshold_is_that_of_fixed_threshold_classifier(tumors, tumor_model, threshold, pos_label):
    X, y = tumors
    fixed = FixedThresholdClassifier(
        tumor_model, threshold=threshold, pos_label=pos_label, response_method="predict_proba"
    ).fit(X, y)
    probabilities = fixed.estimator_.predict_proba(X)
    expected = fixed.predict(X).tolist()
    options = {"classes": fixed.classes_, "threshold": threshold, "pos_label": pos_label}
    assert labels_from_scores(probabilities, **options).tolist() == expected
    column = probabilities[:, fixed.classes_.tolist().index(pos_label)]
    assert labels_from_scores(column, **options).tolist() == expected


# Errors of labels_from_scores.


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(
    "form",
    [
        pytest.param(lambda bad: [0.5, bad], id="(n,)"),
        pytest.param(lambda bad: [[0.5], [bad]], id="(n, 1)"),
        pytest.param(lambda bad: [[0.5, 0.5], [0.1, bad]], id="(n, 2)"),
        pytest.param(
            lambda bad: np.array([[0.5, 0.5], [0.1, bad]], dtype=np.float32), id="float32"
        ),
        pytest.param(lambda bad: [np.array([[0.5, 0.5]]), np.array([[0.1, bad]])], id="list"),
    ],
)
def test_scores_that_are_not_finite_are_refused(form, bad):
    with pytest.raises(ValueError, match="y_score holds NaN or infinity"):
        labels_from_scores(form(bad))


@pytest.mark.parametrize(
    ("y_score", "error", "match"),
    [
        pytest.param(["low", "high"], TypeError, "y_score must hold numbers", id="strings"),
        pytest.param([object(), 0.5], TypeError, "y_score must hold numbers", id="objects"),
        pytest.param([0.5 + 1j, 0.2], ValueError, "y_score must hold numbers", id="complex"),
        pytest.param(
            np.array(["2020-01-01", "2020-01-02"], "M8[D]"),
            TypeError,
            "y_score must hold numbers",
            id="dates",
        ),
        pytest.param([[0.1, 0.9], [0.5]], (TypeError, ValueError), "y_score", id="ragged"),
        pytest.param([None, 0.5], (TypeError, ValueError), "y_score", id="None"),
        pytest.param([], ValueError, "y_score is empty", id="empty"),
        pytest.param(np.empty((0, 3)), ValueError, "y_score is empty", id="no rows"),
        pytest.param(np.empty((3, 0)), ValueError, "y_score is empty", id="no columns"),
        pytest.param(
            [np.empty((0, 2)), np.empty((0, 2))],
            ValueError,
            "y_score is empty",
            id="list without rows",
        ),
        pytest.param(0.5, ValueError, r"y_score must be 1-D or 2-D.*\(\)", id="0-D"),
        pytest.param(
            np.full((2, 2, 2), 0.5),
            ValueError,
            r"y_score must be 1-D or 2-D.*\(2, 2, 2\)",
            id="3-D",
        ),
        pytest.param(
            [np.full((2, 2), 0.5), np.full((3, 2), 0.5)],
            ValueError,
            r"y_score is a list.*\(n_samples, 2\).*\(3, 2\)",
            id="list of different lengths",
        ),
        pytest.param(
            [np.full((2, 3), 0.5)] * 2,
            ValueError,
            r"y_score is a list.*\(n_samples, 2\).*\(2, 3\)",
            id="list of (n, 3)",
        ),
    ],
)
def test_scores_of_no_known_form_are_refused(y_score, error, match):
    with pytest.raises(error, match=match):
        labels_from_scores(y_score)


@pytest.mark.parametrize(
    ("y_score", "classes", "match"),
    [
        pytest.param(
            [[0.1, 0.2, 0.7]], ["a", "b"], r"3 columns.*classes lists 2.*'a', 'b'", id="too few"
        ),
        pytest.param([[0.1, 0.9]], ["a", "b", "c"], r"2 columns.*classes lists 3", id="too many"),
        pytest.param(
            [0.1, 0.9],
            ["a", "b", "c"],
            r"1-D scores are for two classes.*classes lists 3",
            id="1-D",
        ),
        pytest.param([0.1, 0.9], ["a", "a"], r"classes.*duplicates.*'a'", id="duplicates"),
        pytest.param([0.1, 0.9], [], r"classes.*empty", id="empty"),
        pytest.param([0.1, 0.9], [["a", "b"], ["c", "d"]], r"classes", id="2-D"),
    ],
)
def test_classes_that_do_not_fit_the_columns_are_refused(y_score, classes, match):
    with pytest.raises((ValueError, TypeError), match=match):
        labels_from_scores(y_score, classes=classes)


@pytest.mark.parametrize(
    ("y_score", "threshold", "error", "match"),
    [
        pytest.param(
            [[0.1, 0.2, 0.7]],
            0.5,
            ValueError,
            r"threshold=0\.5 .*3 classes.*one number.*per class",
            id="scalar",
        ),
        pytest.param(
            [[0.1, 0.2, 0.7]],
            [0.5, 0.5],
            ValueError,
            "threshold has 2 numbers for 3 classes",
            id="short",
        ),
        pytest.param(
            [[0.1, 0.9]], [0.5] * 3, ValueError, "threshold has 3 numbers for 2 classes", id="long"
        ),
        pytest.param(
            [0.1, 0.9],
            [0.5],
            ValueError,
            "threshold has 1 numbers? for 2 classes",
            id="one in a list",
        ),
        pytest.param(
            [[0.1, 0.9]],
            [0.5, 0.0],
            ValueError,
            r"threshold=\[0\.5, 0\.0\] must be positive",
            id="zero",
        ),
        pytest.param(
            [[0.1, 0.9]],
            [0.5, -1.0],
            ValueError,
            r"threshold=\[0\.5, -1\.0\] must be positive",
            id="negative",
        ),
        pytest.param(
            [0.1, 0.9], np.nan, ValueError, "threshold holds NaN, which no score", id="NaN"
        ),
        pytest.param(
            [[0.1, 0.9]],
            [0.5, np.inf],
            ValueError,
            r"inf\] must be positive and finite",
            id="infinite",
        ),
        pytest.param(
            [[0.1, 0.9]],
            [[0.5, 0.5]],
            ValueError,
            r"threshold must be a number.*\(1, 2\)",
            id="2-D",
        ),
        pytest.param([0.1, 0.9], "high", TypeError, "threshold must hold numbers", id="string"),
        pytest.param(
            [np.full((2, 2), 0.5)] * 3,
            [0.5] * 2,
            ValueError,
            "threshold has 2 numbers for 3 labels",
            id="list",
        ),
    ],
)
def test_thresholds_that_do_not_fit_are_refused(y_score, threshold, error, match):
    with pytest.raises(error, match=match):
        labels_from_scores(y_score, threshold=threshold)


@pytest.mark.parametrize(
    "y_score", [[-0.1, 0.5], [0.5, 1.5], [[-3.0], [2.0]]], ids=["below", "above", "column"]
)
def test_decision_values_without_a_threshold_are_refused_with_the_way_out(y_score):
    with pytest.raises(ValueError, match=r"decision values.*threshold=0"):
        labels_from_scores(y_score)


def test_decision_values_with_a_threshold_are_taken():
    assert labels_from_scores([-3.0, 0.0, 2.0], threshold=0).tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("y_score", "costs", "error", "match"),
    [
        pytest.param(
            [0.5],
            [[0, 1, 2], [1, 0, 2]],
            ValueError,
            r"cost_matrix must be square.*\(2, 3\)",
            id="not square",
        ),
        pytest.param([0.5], [0, 1], ValueError, r"cost_matrix must be square.*\(2,\)", id="1-D"),
        pytest.param(
            [0.5], [[0, np.nan], [1, 0]], ValueError, "cost_matrix holds NaN or infinity", id="NaN"
        ),
        pytest.param(
            [0.5],
            [["a", "b"], ["c", "d"]],
            TypeError,
            "cost_matrix must hold numbers",
            id="strings",
        ),
        pytest.param(
            [0.5],
            np.eye(3),
            ValueError,
            r"cost_matrix has shape \(3, 3\).* 2 classes",
            id="too large",
        ),
        pytest.param(
            [[0.1, 0.2, 0.7]],
            np.eye(2),
            ValueError,
            r"cost_matrix.*\(2, 2\).* 3 classes",
            id="too small",
        ),
        pytest.param(
            [[-1.0, 2.0]],
            np.eye(2),
            ValueError,
            "cost_matrix needs probabilities",
            id="negative scores",
        ),
        pytest.param(
            [-1.0, 2.0],
            np.eye(2),
            ValueError,
            "cost_matrix needs probabilities",
            id="1-D decision values",
        ),
        pytest.param(
            [np.full((2, 2), 0.5)] * 2,
            np.eye(2),
            ValueError,
            "cost_matrix applies to data with one label",
            id="multilabel",
        ),
    ],
)
def test_costs_that_do_not_fit_are_refused(y_score, costs, error, match):
    with pytest.raises(error, match=match):
        labels_from_scores(y_score, cost_matrix=costs)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        pytest.param(
            {"threshold": 0.5, "cost_matrix": [[0, 1], [1, 0]]},
            "threshold and cost_matrix",
            id="two rules",
        ),
        pytest.param({"ties": "up"}, r"ties must be 'positive'.*'negative'.*'up'", id="ties"),
        pytest.param(
            {"classes": ["a", "b"], "pos_label": "c"}, r"pos_label='c'.*'a', 'b'", id="pos_label"
        ),
        pytest.param(
            {"classes": ["0", "1"], "pos_label": 1},
            r"pos_label=1 .*'0', '1'",
            id="pos_label of another kind",
        ),
        pytest.param({"pos_label": 2}, r"pos_label=2 .*0, 1", id="pos_label without classes"),
    ],
)
@pytest.mark.parametrize("y_score", [[0.1, 0.9], [[0.1, 0.9], [0.5, 0.5]]], ids=["1-D", "2-D"])
def test_options_that_contradict_are_refused(y_score, options, match):
    with pytest.raises(ValueError, match=match):
        labels_from_scores(y_score, **options)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"threshold": 0.5, "cost_matrix": [[0, 1], [1, 0]]}, id="two rules"),
        pytest.param({"ties": "up"}, id="ties"),
        pytest.param({"threshold": np.nan}, id="NaN"),
        pytest.param({"cost_matrix": [[0, 1]]}, id="costs"),
        pytest.param({"classes": ["a", "b"], "pos_label": "c"}, id="pos_label"),
        pytest.param(
            {"classes": ["a", "b", "c"], "threshold": 0.5}, id="one threshold for three classes"
        ),
        pytest.param(
            {"classes": ["a", "b", "c"], "threshold": [0.5, 0.5]},
            id="two thresholds for three classes",
        ),
        pytest.param(
            {"classes": ["a", "b", "c"], "cost_matrix": [[0, 1], [1, 0]]},
            id="costs of two for three classes",
        ),
    ],
)
def test_a_scorer_refuses_at_construction_what_no_data_can_mend(options):
    with pytest.raises(ValueError, match=r"threshold|ties|cost_matrix|pos_label"):
        ConfusionScorer("accuracy", **options)


# ConfusionMatrix.from_scores.


@pytest.mark.parametrize("as_list", [False, True])
def test_from_scores_matches_named_columns_of_several_labels_by_classes(as_list):
    y = pd.DataFrame([[0, 1], [0, 1], [1, 1], [0, 0]], columns=["art", "sport"])
    p = np.array([[0.9, 0.2], [0.8, 0.1], [0.7, 0.6], [0.3, 0.4]])
    scores = [np.column_stack([1 - column, column]) for column in p.T] if as_list else p
    cm = ConfusionMatrix.from_scores(y, scores, classes=["sport", "art"])
    assert cm.counts.tolist() == [[[3, 0], [0, 1]], [[1, 0], [0, 3]]]


@pytest.mark.parametrize("classes", [["art"], ["art", "sport", "food"]], ids=str)
@pytest.mark.parametrize("multilabel", [None, True, False])
@pytest.mark.parametrize("as_list", [False, True])
def test_classes_that_are_not_as_many_as_the_columns_are_refused(classes, multilabel, as_list):
    y, p = np.array([[0, 1], [1, 0]]), np.array([[0.1, 0.9], [0.6, 0.4]])
    scores = [np.column_stack([1 - column, column]) for column in p.T] if as_list else p
    with pytest.raises(
        ValueError, match=rf"2 label columns, but classes lists {len(classes)}: \['art'"
    ):
        ConfusionMatrix.from_scores(y, scores, classes=classes, multilabel=multilabel)


def test_from_scores_infers_sorted_classes_of_as_many_columns():
    y = ["dog", "cat", "ant", "dog"]
    scores = [[0.1, 0.2, 0.7], [0.1, 0.8, 0.1], [0.2, 0.5, 0.3], [0.0, 0.3, 0.7]]
    cm = ConfusionMatrix.from_scores(y, scores)
    assert cm.labels.tolist() == ["ant", "cat", "dog"]
    assert cm.counts.tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 2]]


def test_from_scores_keeps_the_order_of_classes_given():
    y = ["dog", "cat", "dog"]
    scores = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.3, 0.5]]
    cm = ConfusionMatrix.from_scores(y, scores, classes=["dog", "cat", "ant"])
    assert cm.labels.tolist() == ["dog", "cat", "ant"]
    assert cm.counts.tolist() == [[1, 0, 1], [0, 1, 0], [0, 0, 0]]


@pytest.mark.parametrize("label", [0, 1, False, True], ids=repr)
def test_from_scores_of_one_label_present_infers_zero_and_one(label):
    cm = ConfusionMatrix.from_scores([label, label], [0.2, 0.9])
    assert cm.labels.tolist() == [0, 1]
    assert cm.counts[int(label)].tolist() == [1, 1]
    assert cm.n_samples == 2


def test_from_scores_threshold_and_pos_label_reach_the_matrix():
    y = ["ill", "well", "ill", "well"]
    cm = ConfusionMatrix.from_scores(
        y, [0.3, 0.3, 0.1, 0.0], threshold=0.3, pos_label="ill", ties="positive"
    )
    assert cm.labels.tolist() == ["well", "ill"]
    assert cm.counts.tolist() == [[1, 1], [1, 1]]
    cm = ConfusionMatrix.from_scores(
        y, [0.3, 0.3, 0.1, 0.0], threshold=0.3, pos_label="ill", ties="negative"
    )
    assert cm.counts.tolist() == [[2, 0], [2, 0]]


def test_from_scores_counts_weights():
    cm = ConfusionMatrix.from_scores([0, 1, 1], [0.4, 0.7, 0.3], sample_weight=[2, 3, 5])
    assert cm.counts.tolist() == [[2, 0], [5, 3]]


@given(data=st.data())
def test_from_scores_is_labels_from_scores_then_a_matrix(data):
    n_classes = data.draw(st.integers(2, 4))
    scores = data.draw(exact_scores(n_classes))
    y = data.draw(
        st.lists(st.integers(0, n_classes - 1), min_size=len(scores), max_size=len(scores))
    )
    classes = list(range(n_classes))
    cm = ConfusionMatrix.from_scores(y, scores, classes=classes)
    assert (
        cm.counts.tolist()
        == confusion_matrix(y, np.argmax(scores, axis=1), labels=classes).tolist()
    )


@pytest.mark.parametrize(
    ("y_true", "y_score", "match"),
    [
        pytest.param(
            ["a", "b", "a"],
            np.full((3, 3), 1 / 3),
            r"3 classes.*2 labels \['a', 'b'\].*classes=\[",
            id="K",
        ),
        pytest.param(
            ["a", "b", "c"],
            [0.1, 0.2, 0.3],
            r"2 classes.*3 labels.*classes=\[",
            id="1-D, three labels",
        ),
        pytest.param(
            ["a", "a"],
            [0.1, 0.2],
            r"2 classes.*1 labels?.*\['a'\].*classes=\[",
            id="1-D, one label",
        ),
        pytest.param(
            [-1, -1],
            [0.1, 0.2],
            r"2 classes.*1 labels?.*\[-1\].*classes=\[",
            id="1-D, one label -1",
        ),
    ],
)
def test_from_scores_says_how_to_name_columns_that_cannot_be_inferred(y_true, y_score, match):
    with pytest.raises(ValueError, match=match):
        ConfusionMatrix.from_scores(y_true, y_score)


def test_from_scores_names_the_label_that_is_not_in_classes():
    with pytest.raises(ValueError, match=r"\['dog'\]") as raised:
        ConfusionMatrix.from_scores(["cat", "dog"], [0.1, 0.9], classes=["ant", "cat"])
    assert "classes=['ant', 'cat']" in str(raised.value)
    assert "labels=['ant', 'cat']" not in str(raised.value)


def test_from_scores_refuses_classes_of_another_kind_than_the_labels():
    with pytest.raises(ValueError, match=r"strings.*numbers|numbers.*strings") as raised:
        ConfusionMatrix.from_scores(["cat", "dog"], [0.1, 0.9], classes=[0, 1])
    assert "classes" in str(raised.value)
    assert "y_pred" not in str(raised.value)


def test_from_scores_refuses_different_lengths():
    with pytest.raises(ValueError, match=r"y_true has 3 samples but y_score has 2"):
        ConfusionMatrix.from_scores([0, 1, 1], [0.1, 0.9])


# One-hot against multilabel.


def test_rows_with_one_1_and_scores_that_sum_to_1_are_one_hot():
    cm = ConfusionMatrix.from_scores(SOFTMAX_TRUE, SOFTMAX_PRED)
    assert cm.axes == ()
    assert cm.counts.tolist() == [[0, 2], [0, 2]]


@pytest.mark.parametrize(
    ("y_true", "y_score", "expected"),
    [
        pytest.param(
            [[1, 0], [1, 1]],
            [[0.9, 0.1], [0.3, 0.7]],
            [[[0, 0], [1, 1]], [[1, 0], [0, 1]]],
            id="a row with two 1",
        ),
        pytest.param(
            [[1, 0], [0, 0]],
            [[0.9, 0.1], [0.3, 0.7]],
            [[[1, 0], [0, 1]], [[1, 1], [0, 0]]],
            id="a row without 1",
        ),
        pytest.param(
            [[1, 0], [0, 1]],
            [[0.9, 0.6], [0.3, 0.7]],
            [[[1, 0], [0, 1]], [[0, 1], [0, 1]]],
            id="sums other than 1",
        ),
    ],
)
def test_other_rows_are_multilabel_cut_at_half(y_true, y_score, expected):
    cm = ConfusionMatrix.from_scores(y_true, y_score)
    assert [axis.name for axis in cm.axes] == ["label"]
    assert cm.labels.tolist() == [0, 1]
    assert cm.counts.tolist() == expected


def test_multilabel_true_overrides_one_hot():
    cm = ConfusionMatrix.from_scores(SOFTMAX_TRUE, SOFTMAX_PRED, multilabel=True)
    assert [axis.name for axis in cm.axes] == ["label"]
    assert cm.counts.tolist() == [[[2, 0], [2, 0]], [[0, 2], [0, 2]]]


def test_multilabel_false_overrides_sums_other_than_1():
    cm = ConfusionMatrix.from_scores(
        [[1, 0, 0], [0, 1, 0]], [[3.0, 2.0, -5.0], [3.0, 2.0, -5.0]], multilabel=False
    )
    assert cm.axes == ()
    assert cm.counts.tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 0]]


def test_one_hot_columns_take_the_names_of_classes():
    cm = ConfusionMatrix.from_scores(
        CATEGORICAL_TRUE, CATEGORICAL_PRED, classes=["d", "c", "b", "a"]
    )
    assert cm.labels.tolist() == ["d", "c", "b", "a"]
    assert cm.counts.tolist() == [[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]


def test_float32_softmax_of_many_classes_is_still_one_hot():
    logits = np.random.default_rng(0).normal(size=(20, 5000)).astype(np.float32)
    scores = np.exp(logits)
    scores /= scores.sum(axis=1, keepdims=True)
    true = np.zeros((20, 5000), dtype=np.int8)
    true[np.arange(20), logits.argmax(axis=1)] = 1
    assert ConfusionMatrix.from_scores(true, scores).score("accuracy") == 1.0


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(sparse.csr_array, id="csr_array"),
        pytest.param(lambda y: y.astype(bool), id="bool"),
    ],
)
def test_one_hot_targets_may_be_sparse_or_bool(form):
    cm = ConfusionMatrix.from_scores(form(np.array(CATEGORICAL_TRUE)), CATEGORICAL_PRED)
    assert cm.counts.tolist() == [[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]


def test_a_list_of_arrays_is_always_multilabel():
    pairs = [np.array([[0.2, 0.8], [0.6, 0.4]]), np.array([[0.9, 0.1], [0.3, 0.7]])]
    cm = ConfusionMatrix.from_scores([[1, 0], [0, 1]], pairs)
    assert [axis.name for axis in cm.axes] == ["label"]
    assert cm.counts.tolist() == [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]


def test_multilabel_scores_take_one_threshold_or_one_per_label():
    y = [[1, 1], [0, 1]]
    scores = [[0.25, 0.75], [0.5, 0.5]]
    cm = ConfusionMatrix.from_scores(y, scores, threshold=0.5, ties="negative")
    assert cm.counts.tolist() == [[[1, 0], [1, 0]], [[0, 0], [1, 1]]]
    cm = ConfusionMatrix.from_scores(y, scores, threshold=[0.25, 0.75])
    assert cm.counts.tolist() == [[[0, 1], [0, 1]], [[0, 0], [1, 1]]]


@pytest.mark.parametrize(
    ("y_true", "y_score", "options", "match"),
    [
        pytest.param(
            [0, 1],
            [[0.1, 0.9], [0.2, 0.8]],
            {"multilabel": True},
            r"y_true is 1-D.*2-D 0/1",
            id="multilabel, y 1-D",
        ),
        pytest.param(
            [0, 1],
            [np.full((2, 2), 0.5)] * 2,
            {},
            r"y_true is 1-D.*2-D 0/1",
            id="list of scores, y 1-D",
        ),
        pytest.param(
            [[1, 1], [0, 1]],
            [[0.1, 0.9], [0.2, 0.8]],
            {"multilabel": False},
            "multilabel=False.*exactly one 1",
            id="no one-hot",
        ),
        pytest.param(
            [[1, 0], [0, 1]],
            [0.1, 0.9],
            {"multilabel": False},
            r"one-hot \(2, 2\).*\(2,\)",
            id="one-hot, 1-D scores",
        ),
        pytest.param(
            [[1, 1], [0, 1]],
            [[0.1], [0.9]],
            {},
            r"y_true has shape \(2, 2\).*\(2,\)",
            id="multilabel, 1-D scores",
        ),
        pytest.param(
            [[1, 1], [0, 1]],
            [[-2.0, 3.0], [1.0, 0.0]],
            {},
            "decision values.*threshold=0",
            id="multilabel decision values",
        ),
        pytest.param(
            [[1, 1], [0, 1]],
            [[0.2, 0.3], [1.0, 0.0]],
            {"threshold": [0.5] * 3},
            "3 numbers for 2 labels",
            id="thresholds",
        ),
        pytest.param(
            [[1, 1], [0, 1]],
            [[0.2, 0.3], [1.0, 0.0]],
            {"cost_matrix": np.eye(2)},
            "cost_matrix applies to data with one label",
            id="costs",
        ),
    ],
)
def test_two_dimensional_targets_that_do_not_fit_are_refused(y_true, y_score, options, match):
    with pytest.raises(ValueError, match=match):
        ConfusionMatrix.from_scores(y_true, y_score, **options)


def rows_of(columns):
    """A dict per sample, as ONNX's ZipMap returns probabilities; their order differs."""
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [rows[0], *(dict(reversed(row.items())) for row in rows[1:])]


@pytest.mark.parametrize(
    "library", [pd.DataFrame, pl.DataFrame, rows_of], ids=["pandas", "polars", "dicts"]
)
def test_columns_of_a_frame_that_are_named_as_the_labels_are_found_by_name(library):
    frame = library({"b": [0.9, 0.2], "a": [0.1, 0.8]})
    cm = ConfusionMatrix.from_scores(["b", "a"], frame)
    assert cm.labels.tolist() == ["a", "b"]
    assert cm.score("accuracy") == 1
    assert ConfusionMatrix.from_scores(["b", "b"], frame).counts.tolist() == [[0, 0], [1, 1]]
    # The positive class does not depend on the order of the columns.
    at_a_threshold = ConfusionMatrix.from_scores(["b", "a"], frame, threshold=0.15, pos_label="b")
    assert at_a_threshold.score("recall") == 1
    assert at_a_threshold.counts.tolist() == [[0, 1], [0, 1]]
    # Nor do classes= that name them in another order.
    for classes in (["a", "b"], ["b", "a"]):
        cm = ConfusionMatrix.from_scores(["b", "a"], frame, classes=classes)
        assert cm.labels.tolist() == classes
        assert cm.counts.tolist() == [[1, 0], [0, 1]]
        curves = ThresholdCurves.from_scores(["b", "a"], frame, classes=classes)
        assert list(curves) == classes
        assert curves["a"].counts.tp.tolist() == curves["b"].counts.tp.tolist() == [1, 1]
        assert curves["a"].thresholds.tolist() == [0.8, 0.1]
        assert curves["b"].thresholds.tolist() == [0.9, 0.2]
        assert labels_from_scores(frame, classes=classes).tolist() == ["b", "a"]
    # Names of something else are refused, unless classes= say what they are.
    for y_true in (["c", "d"], [0, 1], ["b", "c"]):
        message = (
            rf"y_score are named \['b', 'a'\], but the labels are {re.escape(str(sorted(y_true)))}"
        )
        for function in (ConfusionMatrix.from_scores, ThresholdCurves.from_scores):
            with pytest.raises(ValueError, match=message):
                function(y_true, frame)
    assert ConfusionMatrix.from_scores([0, 1], frame, classes=[0, 1]).score("accuracy") == 1


def test_dicts_of_scores_are_in_the_precision_of_their_numbers():
    in_float32 = [{"a": float(np.float32(0.3)), "b": float(np.float32(0.7))}]
    assert labels_from_scores(in_float32, threshold=0.7, pos_label="b").tolist() == ["b"]
    # Just below 0.7 in float64, and the same number in float32; and one beyond float32.
    for other, threshold, expected in [
        ({"a": 0.3, "b": float(np.nextafter(0.7, 0))}, 0.7, "a"),
        ({"a": 0.3, "b": 1e300}, 1.7, "b"),
    ]:
        labels = labels_from_scores([other], threshold=threshold, pos_label="b")
        assert labels.tolist() == [expected]


@pytest.mark.parametrize(
    ("y_score", "error", "match"),
    [
        (
            [{"a": 0.5, "b": 0.5}, {"a": 1.0}],
            ValueError,
            r"first has \['a', 'b'\], but y_score\[1\] is \{'a': 1.0\}",
        ),
        ([{"a": 1.0}, {"a": 0.5, "b": 0.5}], ValueError, "the same keys"),
        (
            [{"a": 0.5, "b": 0.5}, {"a": 0.5, "c": 0.5}],
            ValueError,
            "Give each sample a number for every class",
        ),
        ([{"a": 0.5, "b": 0.5}, [0.5, 0.5]], ValueError, r"y_score\[1\] is \[0.5, 0.5\]"),
        ([{"a": 0.5, "b": "0.5"}], TypeError, "must hold numbers"),
        ([{"a": 0.5, "b": None}], ValueError, "NaN or infinity"),
        ([{}, {}], ValueError, "y_score is empty"),
    ],
)
def test_dicts_of_scores_that_do_not_agree_are_refused(y_score, error, match):
    with pytest.raises(error, match=match):
        labels_from_scores(y_score)


def test_float32_scores_meet_their_threshold_alone_and_one_per_label():
    truth = np.array([[0, 1], [1, 0]])
    scores = np.array([[0.3, 0.7], [0.7, 0.7]], dtype=np.float32)
    for threshold in (0.7, [0.7, 0.7]):
        cm = ConfusionMatrix.from_scores(truth, scores, threshold=threshold, multilabel=True)
        assert cm.counts[:, :, 1].sum() == 3


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_narrow_scores_of_a_model_meet_their_threshold(dtype):
    model = Answering(predict_proba=[np.array([[0.3, 0.7]] * 2, dtype=dtype)] * 2)
    model.classes_ = [np.array([0, 1])] * 2
    cm = ConfusionMatrix.from_estimator(model, [0, 1], [[0, 1], [1, 0]], threshold=0.7)
    assert cm.counts[:, :, 1].sum() == 4


@pytest.mark.parametrize("multilabel", [True, False])
@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_frames_with_the_same_columns_in_two_orders_are_aligned(library, multilabel):
    truth = library({"a": [1, 0, 0], "b": [0, 1, 1]})
    # Each row has its largest score where its 1 is, except the last.
    scores = library({"b": [0.1, 0.9, 0.3], "a": [0.9, 0.1, 0.7]})
    for y_score in (scores, scores[["a", "b"]]):
        cm = ConfusionMatrix.from_scores(truth, y_score, multilabel=multilabel)
        expected = [[[1, 1], [0, 1]], [[1, 0], [1, 1]]]
        assert cm.counts.tolist() == (expected if multilabel else [[1, 0], [1, 1]])
        assert ThresholdCurves.from_scores(truth, y_score).roc_auc() == 1
    for function in (ConfusionMatrix.from_scores, ThresholdCurves.from_scores):
        with pytest.raises(
            ValueError, match=r"y_true has the columns \['a', 'b'\], but y_score has \['b', 'c'\]"
        ):
            function(
                truth,
                scores.rename({"a": "c"})
                if library is pl.DataFrame
                else scores.rename(columns={"a": "c"}),
            )


def test_default_names_of_columns_are_none():
    assert (
        ConfusionMatrix.from_scores(["a", "b"], pd.DataFrame([[0.9, 0.1], [0.2, 0.8]])).score(
            "accuracy"
        )
        == 1
    )
    assert (
        ConfusionMatrix.from_scores(
            ["a", "b"], pl.DataFrame(np.array([[0.9, 0.1], [0.2, 0.8]]))
        ).n_samples
        == 2
    )
    pairs = pd.MultiIndex.from_tuples([("x", "a"), ("x", "b")])
    named = pd.DataFrame([[0.9, 0.1], [0.2, 0.8]], columns=pairs)
    with pytest.raises(
        ValueError, match=r"named \[\('x', 'a'\), \('x', 'b'\)\], but the labels are \['a', 'b'\]"
    ):
        ConfusionMatrix.from_scores(["a", "b"], named)
    assert ConfusionMatrix.from_scores(["a", "b"], named["x"]).score("accuracy") == 1
    assert ConfusionMatrix.from_scores(["a", "b"], named.to_numpy()).score("accuracy") == 1
    with pytest.raises(
        ValueError, match=r"y_score has scores for 2 classes, but y_true has 1 labels \['b'\]"
    ):
        ConfusionMatrix.from_scores(["b", "b"], pd.DataFrame({"b": [0.1, 0.7]}))


@for_each("threshold", [k / 100 for k in range(7, 100, 31)])
def test_float16_scores_meet_their_threshold(threshold):
    scores = np.array(
        [np.nextafter(np.float16(threshold), np.float16(0)), threshold], dtype=np.float16
    )
    rows = np.stack([1 - scores, scores], axis=1)
    for y_score in (scores, rows, pd.DataFrame(rows), pl.DataFrame({"s": scores})):
        assert labels_from_scores(y_score, threshold=threshold, classes=[0, 1]).tolist() == [0, 1]
    for frame in (
        pd.DataFrame({"y": [0, 1], "s": scores}),
        pl.DataFrame({"y": [0, 1], "s": scores}),
    ):
        cm = ConfusionMatrix.from_frame(frame, "y", scores="s", threshold=threshold)
        assert cm.counts.tolist() == [[1, 0], [0, 1]]
        assert ThresholdCurve.from_scores([0, 1], scores).at(threshold) == cm
        assert ThresholdCurve.from_frame(frame, "y", "s").at(threshold) == cm


def test_float16_is_too_narrow_to_count_in():
    scores = np.array([0.3, 0.9], dtype=np.float16)
    # .3 is 1229 / 4096 there, and its rest 2867 / 4096, which float16 would round up.
    assert labels_from_scores(
        scores, pos_label=1, cost_matrix=[[0, 1229], [2867.5, 0]]
    ).tolist() == [1, 1]
    rows = np.array([[0.1, 0.9]], dtype=np.float16)
    assert labels_from_scores(
        rows, threshold=np.array([1e-6, 2e-6], dtype=np.float16)
    ).tolist() == [1]


def test_thresholds_beyond_float32_are_beyond_all_scores():
    scores = np.array([0.3, 7.0], dtype=np.float32)
    assert labels_from_scores(scores, threshold=1e300).tolist() == [0, 0]
