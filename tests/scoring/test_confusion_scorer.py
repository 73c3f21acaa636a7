"""ConfusionScorer with lists and dicts of metrics: keys, values, folds, failures, searches."""

import copy
import pickle
import re
import sys
import tracemalloc
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics as sk
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    PredefinedSplit,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
    learning_curve,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, ConfusionScorer, get_scorer, labels_from_scores
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.metrics.from_labels import function_of
from skmetrics_ext.reading.messages import PACKAGE_FOLDER
from tests.doubles import Answering, BreaksOnThreeRows, CountsLooks
from tests.shared import for_each, one_in, parameters_of

PAGE = Path(__file__).parents[2] / "docs" / "tasks" / "search_and_cross_validate.md"

# Drawn labels of both sides may have none in common, which warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*none of which are in both")

FOLDS = StratifiedKFold(3)


def noisy(names, n=120, seed=0):
    """Two features that tell the classes apart now and then."""
    random = np.random.default_rng(seed)
    codes = np.arange(n) % len(names)
    return random.normal(size=(n, 2)) + codes[:, None] * 0.8, np.asarray(names)[codes]


@pytest.fixture(scope="module")
def trees():
    return noisy(["ash", "elm", "oak"])


@pytest.fixture(scope="module")
def tests_of_blood():
    return noisy(["negative", "positive"])


def naive_matrix(y_true, y_pred, labels, weights=None):
    """Counts by a loop over samples, of the labels alone."""
    weights = [1] * len(y_true) if weights is None else weights
    labels = list(labels)
    matrix = np.zeros((len(labels), len(labels)))
    for actual, predicted, weight in zip(y_true, y_pred, weights, strict=True):
        if actual in labels and predicted in labels:
            matrix[labels.index(actual), labels.index(predicted)] += weight
    return matrix


def naive_counts(y_true, y_pred, labels, weights=None):
    """The counts under the names of the evaluation index, one comparison of arrays each."""
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    weights = np.ones(len(y_true)) if weights is None else np.asarray(weights)
    index = {}
    for label in labels:
        actual, predicted = y_true == label, y_pred == label
        index[f"true_positive_{label}"] = weights[actual & predicted].sum()
        index[f"false_positive_{label}"] = weights[~actual & predicted].sum()
        index[f"true_negative_{label}"] = weights[~actual & ~predicted].sum()
        index[f"false_negative_{label}"] = weights[actual & ~predicted].sum()
        for other in labels:
            index[f"cf_{label}_{other}"] = weights[actual & (y_pred == other)].sum()
    return index


def said_in_folds(model, X, y, cv=FOLDS):
    """The rows of each fold with their predictions, for several scores."""
    return [
        (test, sklearn.clone(model).fit(X[train], y[train]).predict(X[test]))
        for train, test in cv.split(X, y)
    ]


def scores_of_folds(said, y, score, weights=None):
    """`score(y_true, y_pred, sample_weight)` of each fold, without a scorer."""
    return np.array(
        [
            score(y[test], predicted, None if weights is None else weights[test])
            for test, predicted in said
        ]
    )


def folds_by_hand(model, X, y, score, cv=FOLDS):
    return scores_of_folds(said_in_folds(model, X, y, cv), y, score)


# Keys.


def test_one_metric_is_a_float_and_a_list_of_one_a_dict():
    model = Answering([0, 1, 1], classes=[0, 1])
    assert ConfusionScorer("accuracy")(model, None, [0, 1, 0]) == 2 / 3
    assert ConfusionScorer(["accuracy"])(model, None, [0, 1, 0]) == {"accuracy": 2 / 3}
    assert isinstance(ConfusionScorer("accuracy")(model, None, [0, 1, 0]), float)


@pytest.mark.parametrize("form", [list, tuple])
def test_keys_are_the_names_as_given(form):
    names = ["specificity_macro", "tnr", "mcc", "neg_fpr", "recall_weighted"]
    scores = ConfusionScorer(form(names))(Answering([0, 1, 1], classes=[0, 1]), None, [0, 1, 0])
    assert list(scores) == names
    assert all(type(value) is float for value in scores.values())


def test_a_dict_names_its_scores():
    scorer = ConfusionScorer(
        {"hits": "recall", "false alarms": "neg_fpr", "all": skmetrics_ext.accuracy_score}
    )
    scores = scorer(Answering([1, 1, 0, 1], classes=[0, 1]), None, [1, 0, 0, 1])
    assert scores == {"hits": 1, "false alarms": -0.5, "all": 0.75}


def test_functions_go_by_the_names_of_their_scorers():
    scorer = ConfusionScorer(
        [skmetrics_ext.false_positive_rate, "recall", skmetrics_ext.matthews_corrcoef]
    )
    scores = scorer(Answering([1, 1, 0, 1], classes=[0, 1]), None, [1, 0, 0, 1])
    assert list(scores) == ["neg_false_positive_rate", "recall", "matthews_corrcoef"]
    assert scores["neg_false_positive_rate"] == -0.5


def test_values_a_class_go_by_the_metric_and_the_label_once_each():
    scorer = ConfusionScorer(
        ["recall_macro", "recall", "neg_fpr", "mcc"], per_class=True, pos_label="oak"
    )
    model = Answering(["oak", "ash", "oak"], classes=["ash", "oak"])
    scores = scorer(model, None, ["oak", "ash", "ash"])
    assert list(scores) == [
        *("recall_macro", "recall", "neg_fpr", "mcc"),
        *("recall_ash", "recall_oak", "neg_fpr_ash", "neg_fpr_oak"),
    ]
    assert (scores["recall_ash"], scores["recall_oak"]) == (0.5, 1)
    assert (scores["neg_fpr_ash"], scores["neg_fpr_oak"]) == (0, -0.5)


def test_in_a_dict_values_a_class_go_by_the_name_of_the_metric():
    scores = ConfusionScorer({"a": "recall_macro"}, per_class=True)(
        Answering([0, 1], classes=[0, 1]), None, [0, 1]
    )
    assert list(scores) == ["a", "recall_0", "recall_1"]


@pytest.mark.parametrize(
    ("classes", "names"),
    [
        ([False, True], ["False", "True"]),
        ([-1, 10], ["-1", "10"]),
        ([0.0, 1.0], ["0.0", "1.0"]),
        ([b"a", b"b"], ["b'a'", "b'b'"]),
        (["a b", "ü"], ["a b", "ü"]),
        (np.array(["2020-01", "2020-02"], dtype="datetime64[M]"), ["2020-01", "2020-02"]),
    ],
    ids=["bool", "int", "float", "bytes", "str", "dates"],
)
def test_keys_show_labels_of_every_kind_as_python_does(classes, names):
    scorer = ConfusionScorer(["recall_macro"], per_class=True, counts=True)
    scores = scorer(Answering(classes, classes=classes), None, np.asarray(classes))
    fields = ["recall", "true_positive", "false_positive", "true_negative", "false_negative"]
    assert list(scores) == [
        "recall_macro",
        *(f"{field}_{name}" for field in fields for name in names),
        *(f"cf_{actual}_{predicted}" for actual in names for predicted in names),
    ]


def test_counts_alone_need_no_metric():
    scores = ConfusionScorer([], counts=True)(Answering([0, 1, 1], classes=[0, 1]), None, [0, 1, 0])
    assert scores == naive_counts([0, 1, 0], [0, 1, 1], [0, 1])
    assert all(type(value) is int for value in scores.values())


def test_a_class_whose_key_another_score_has_is_an_error_in_the_first_call():
    scorer = ConfusionScorer(["recall", "recall_macro"], per_class=True)
    model = Answering(["b", "macro"], classes=["b", "macro"])
    with pytest.raises(
        ValueError,
        match=r"two scores have the key 'recall_macro' with the classes \['b', 'macro'\]",
    ):
        scorer(model, None, ["b", "macro"])
    renamed = ConfusionScorer(
        {"recall": "recall", "mean": "recall_macro"}, per_class=True, pos_label="macro"
    )
    assert list(renamed(model, None, ["b", "macro"])) == [
        "recall",
        "mean",
        "recall_b",
        "recall_macro",
    ]


def test_classes_that_are_named_are_checked_for_equal_keys_at_construction():
    with pytest.raises(ValueError, match="two scores have the key 'recall_a' with the classes"):
        ConfusionScorer({"recall_a": "recall_macro"}, per_class=True, classes=["a", "b"])
    with pytest.raises(ValueError, match="'recall_macro' has two readings with the classes"):
        ConfusionScorer(["recall", "recall_macro"], per_class=True, classes=["b", "macro"])
    with pytest.raises(ValueError, match="two scores have the key 'cf_a_b_c' with the classes"):
        ConfusionScorer([], counts=True, classes=["a", "b_c", "a_b", "c"])


@pytest.mark.parametrize("key", [0, ""])
def test_a_key_of_a_dict_is_kept_or_refused_but_never_replaced(key):
    try:
        scorer = ConfusionScorer({key: "recall", "other": "f1"})
    except (TypeError, ValueError):
        return
    assert list(scorer(Answering([0, 1], classes=[0, 1]), None, [0, 1])) == [key, "other"]


# Values.

POOLS = {
    "bool": [False, True],
    "int": [0, 1, 2, 3],
    "negative int": [-7, -1, 4, 8],
    "float": [0.0, 1.0, 2.0],
    "bytes": [b"a", b"b", b"c"],
    "str": ["ash", "elm", "oak", "yew"],
    "object": np.array(["ash", "elm", "oak"], dtype=object),
}


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=pytest.mark.slow if kind in ("negative int", "float") else ())
        for kind in POOLS
    ],
)
@settings(max_examples=2)
@given(data=st.data())
def test_every_score_equals_scikit_learns_on_any_labels_and_weights(kind, data):
    """The slow ones are other numbers."""
    pool = POOLS[kind]
    n_classes = data.draw(st.integers(2, len(pool)))
    n = data.draw(st.integers(1, 25))
    codes = st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n)
    true, pred = np.array(data.draw(codes)), np.array(data.draw(codes))
    values = st.sampled_from(data.draw(st.sampled_from([[0, 1, 3], [0.0, 0.5, 2.25]])))
    weights = data.draw(st.none() | st.lists(values, min_size=n, max_size=n).filter(any))
    classes = np.asarray(pool)[:n_classes]
    names = [
        "recall",
        "f1_macro",
        "precision_micro",
        "jaccard_weighted",
        "accuracy",
        "mcc",
        "neg_zero_one_loss",
    ]
    # 1 of {0, 1} and True are positive by themselves.
    pos_label = None if n_classes == 2 and not classes[0] else classes[1]
    options = {"per_class": True, "counts": True, "zero_division": 0, "pos_label": pos_label}
    scorer = ConfusionScorer([*names, "specificity_weighted"], **options)
    scores = scorer(
        Answering(classes[pred], classes=classes), None, classes[true], sample_weight=weights
    )

    # The oracle sees the codes, since scikit-learn reads no bytes.
    options = {"sample_weight": weights, "zero_division": 0}
    every = {**options, "labels": range(n_classes), "average": None}
    # That of the class with code 1, of two or of several.
    assert scores["recall"] == pytest.approx(sk.recall_score(true == 1, pred == 1, **options))
    assert scores["f1_macro"] == pytest.approx(sk.f1_score(true, pred, average="macro", **options))
    assert scores["precision_micro"] == pytest.approx(
        sk.precision_score(true, pred, average="micro", **options)
    )
    assert scores["jaccard_weighted"] == pytest.approx(
        sk.jaccard_score(true, pred, average="weighted", **options)
    )
    assert scores["accuracy"] == pytest.approx(sk.accuracy_score(true, pred, sample_weight=weights))
    # scikit-learn warns where there is one label.
    mcc = sk.matthews_corrcoef(true, pred, sample_weight=weights) if len({*true, *pred}) > 1 else 0
    assert scores["mcc"] == pytest.approx(mcc)
    assert scores["neg_zero_one_loss"] == pytest.approx(
        -sk.zero_one_loss(true, pred, sample_weight=weights)
    )
    for name, score in (
        ("recall", sk.recall_score),
        ("precision", sk.precision_score),
        ("jaccard", sk.jaccard_score),
    ):
        found = [scores[f"{name}_{label}"] for label in classes.tolist()]
        np.testing.assert_allclose(found, score(true, pred, **every), atol=1e-12)
    expected = naive_counts(true, pred, range(n_classes), weights)
    label_of = dict(enumerate(classes.tolist()))
    for field in ("true_positive", "false_positive", "true_negative", "false_negative"):
        for code, label in label_of.items():
            assert scores[f"{field}_{label}"] == expected[f"{field}_{code}"]
    for actual in label_of:
        for predicted in label_of:
            assert (
                scores[f"cf_{label_of[actual]}_{label_of[predicted]}"]
                == expected[f"cf_{actual}_{predicted}"]
            )


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("n_classes", "weighted"), [(2, True), (4, False)])
@for_each("row", METRICS)
def test_a_dict_has_the_value_of_the_single_form_and_of_the_function(
    row, n_classes, weighted, step
):
    """Metrics take turns with two classes and with four; the slow ones have both of each."""
    if (METRICS.index(row) + n_classes // 2) % step:
        return
    random = np.random.default_rng(3)
    true, pred = random.integers(0, n_classes, (2, 80))
    weights = random.integers(0, 4, 80) if weighted else None
    parameters = parameters_of(row, n_classes)
    average = {"average": "binary" if n_classes == 2 else "macro"} if row.has_average else {}
    sign = -1 if row.better == "lower" else 1
    expected = sign * function_of(row)(true, pred, sample_weight=weights, **average, **parameters)
    name = row.scorer_name
    name += "_macro" if row.has_average and n_classes > 2 else ""
    model = Answering(pred, classes=np.arange(n_classes))
    assert ConfusionScorer(name, **parameters)(model, None, true, weights) == pytest.approx(
        expected, nan_ok=True
    )
    scorer = ConfusionScorer({"it": name, "other": "recall_macro"}, per_class=True, **parameters)
    scores = scorer(model, None, true, weights)
    assert scores["it"] == pytest.approx(expected, nan_ok=True)
    if row.has_average:
        each = sign * function_of(row)(
            true, pred, sample_weight=weights, average=None, **parameters
        )
        found = [scores[f"{row.scorer_name}_{label}"] for label in range(n_classes)]
        np.testing.assert_allclose(found, each, rtol=1e-12)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_an_average_is_for_the_metrics_named_without_one(trees, average):
    X, y = trees
    model = GaussianNB().fit(X, y)
    scores = ConfusionScorer(["recall", "f1_macro", "accuracy"], average=average)(model, X, y)
    predicted = model.predict(X)
    assert scores["recall"] == pytest.approx(sk.recall_score(y, predicted, average=average))
    assert scores["f1_macro"] == pytest.approx(sk.f1_score(y, predicted, average="macro"))
    assert scores["accuracy"] == pytest.approx(sk.accuracy_score(y, predicted))


@pytest.mark.parametrize(
    ("classes", "pos_label", "positive"),
    [
        ([0, 1], None, 1),
        ([1, 2], 1, 1),
        ([-1, 1], None, 1),
        ([4, 7], 7, 7),
        ([False, True], None, True),
        (["no", "yes"], "yes", "yes"),
        (["no", "yes"], "no", "no"),
        ([4, 7], 4, 4),
    ],
)
def test_the_positive_class_is_the_one_given_else_1_of_0_and_1(classes, pos_label, positive):
    first, second = classes
    y_true, y_pred = [first, first, first, second, second], [first, first, second, first, second]
    scorer = ConfusionScorer(["recall", "precision"], pos_label=pos_label)
    scores = scorer(Answering(y_pred, classes=classes), None, y_true)
    assert scores["recall"] == pytest.approx(sk.recall_score(y_true, y_pred, pos_label=positive))
    assert scores["precision"] == pytest.approx(
        sk.precision_score(y_true, y_pred, pos_label=positive)
    )


@pytest.mark.parametrize("classes", [[1, 2], [4, 7], ["no", "yes"]])
def test_a_positive_class_that_is_not_known_is_nan_under_the_keys_that_need_it(classes):
    first, second = classes
    y_true, y_pred = [first, first, first, second, second], [first, first, second, first, second]
    model = Answering(y_pred, classes=classes)
    message = f"{re.escape(str(classes))}.*positive class.*pos_label="
    with pytest.warns(
        UserWarning, match=rf"set to NaN: .*{message}.*\['recall', 'precision'\]"
    ) as caught:
        scores = ConfusionScorer(["recall", "accuracy", "precision", "recall_macro"])(
            model, None, y_true
        )
    assert len(caught) == 1
    expected = {
        "recall": np.nan,
        "accuracy": 3 / 5,
        "precision": np.nan,
        "recall_macro": (2 / 3 + 1 / 2) / 2,
    }
    np.testing.assert_equal(scores, expected)
    with pytest.raises(ValueError, match=message):
        ConfusionScorer("recall")(model, None, y_true)
    # The order that the caller names tells.
    assert ConfusionScorer(["recall"], classes=classes)(model, None, y_true) == {"recall": 1 / 2}
    assert ConfusionScorer(["recall"], classes=classes[::-1])(model, None, y_true) == {
        "recall": 2 / 3
    }


def test_parameters_go_to_every_metric_that_has_them():
    true, pred = np.random.default_rng(0).integers(0, 3, (2, 50))
    scorer = ConfusionScorer(["fbeta_macro", "tversky_macro", "accuracy"], beta=2)
    scores = scorer(Answering(pred, classes=range(3)), None, true)
    assert scores["fbeta_macro"] == pytest.approx(
        sk.fbeta_score(true, pred, beta=2, average="macro")
    )
    matrix = sk.confusion_matrix(true, pred)
    tp = np.diag(matrix)
    # alpha keeps its default.
    alpha = 0.5
    tversky = tp / (tp + alpha * (matrix.sum(0) - tp) + 2 * (matrix.sum(1) - tp))
    assert scores["tversky_macro"] == pytest.approx(tversky.mean())


def test_a_metric_that_needs_the_matrix_shares_the_count_with_those_that_do_not():
    true, pred = np.random.default_rng(0).integers(0, 3, (2, 50))
    scores = ConfusionScorer(["kappa", "recall_macro"], weights="quadratic")(
        Answering(pred, classes=range(3)), None, true
    )
    assert scores["kappa"] == pytest.approx(sk.cohen_kappa_score(true, pred, weights="quadratic"))
    assert scores["recall_macro"] == pytest.approx(sk.recall_score(true, pred, average="macro"))


def test_costs_in_a_list_are_summed_up_and_decide_nothing():
    costs = np.array([[0, 1], [5, 0]])
    y = np.array(["no", "yes", "yes"])
    model = Answering(
        ["no", "yes", "no"], predict_proba=np.array([[0.1, 0.9]] * 3), classes=["no", "yes"]
    )
    named = ["accuracy", "neg_expected_cost"]
    for order, labels in ((["no", "yes"], y), (None, pd.Categorical(y, ordered=True))):
        scores = ConfusionScorer(named, cost_matrix=costs, classes=order)(model, None, labels)
        assert scores == {"accuracy": 2 / 3, "neg_expected_cost": pytest.approx(-5 / 3)}
    assert model.asked == ["predict"] * 2
    with pytest.warns(
        UserWarning, match=r"NaN: .*not numbers.*\('yes', 'no'\): 5.*\['neg_expected_cost'\]"
    ):
        assert ConfusionScorer(named, cost_matrix=costs)(model, None, y)["accuracy"] == 2 / 3
    in_other_order = ConfusionScorer(
        ["neg_expected_cost"], classes=["yes", "no"], cost_matrix=costs
    )
    assert in_other_order(model, None, y) == {"neg_expected_cost": pytest.approx(-1 / 3)}


def test_costs_without_a_metric_of_costs_decide_the_label():
    costs = [[0, 1], [9, 0]]
    probabilities = np.array([[0.95, 0.05], [0.8, 0.2], [0.3, 0.7]])
    scores = ConfusionScorer(["recall", "precision"], cost_matrix=costs)(
        Answering([0, 0, 1], predict_proba=probabilities, classes=[0, 1]), None, [0, 0, 1]
    )
    predicted = (probabilities @ costs).argmin(1)
    assert predicted.tolist() == [0, 1, 1]
    assert scores == {"recall": 1, "precision": 0.5}


def test_labels_choose_the_classes_averaged_and_the_keys_per_class():
    true, pred = np.random.default_rng(0).integers(0, 4, (2, 60))
    names = ["recall_macro", "f1_weighted"]
    scorer = ConfusionScorer(names, labels=[3, 0], per_class=True, counts=True)
    scores = scorer(Answering(pred, classes=range(4)), None, true)
    assert scores["recall_macro"] == pytest.approx(
        sk.recall_score(true, pred, labels=[3, 0], average="macro")
    )
    assert scores["f1_weighted"] == pytest.approx(
        sk.f1_score(true, pred, labels=[3, 0], average="weighted")
    )
    assert [key for key in scores if key.startswith("recall_")][1:] == ["recall_3", "recall_0"]
    assert scores["recall_3"] == pytest.approx(
        sk.recall_score(true, pred, labels=[3], average=None).item()
    )
    expected = naive_counts(true, pred, [3, 0])
    assert {key: scores[key] for key in expected} == expected
    assert not any(key.endswith(("_1", "_2")) for key in scores)


def test_labels_give_ordered_metrics_their_order():
    y, predicted = ["low", "high", "mid", "low"], ["low", "mid", "mid", "high"]
    order = ["low", "mid", "high"]
    scores = ConfusionScorer(["gerrity", "recall_macro"], labels=order)(
        Answering(predicted, classes=sorted(order)), None, y
    )
    as_numbers = [[order.index(label) for label in side] for side in (y, predicted)]
    assert scores["gerrity"] == pytest.approx(skmetrics_ext.gerrity_score(*as_numbers))
    assert scores["recall_macro"] == pytest.approx(sk.recall_score(y, predicted, average="macro"))


# One prediction, one count.


@pytest.mark.parametrize(
    ("options", "method"),
    [
        ({}, "predict"),
        ({"threshold": 0.3}, "predict_proba"),
        ({"response_method": "predict_proba"}, "predict_proba"),
    ],
)
def test_the_estimator_is_asked_once(options, method):
    model = Answering(
        [0, 1, 1], predict_proba=np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]), classes=[0, 1]
    )
    metrics = ["recall", "recall_macro", "mcc", "kappa", "mutual_information", "neg_fpr"]
    ConfusionScorer(metrics, per_class=True, counts=True, **options)(model, None, [0, 1, 1])
    assert model.asked == [method]


def test_every_score_counts_the_labels_that_the_threshold_decides():
    probabilities = np.array([[0.9, 0.1], [0.65, 0.35], [0.75, 0.25], [0.2, 0.8]])
    y = np.array(["no", "yes", "yes", "no"])
    model = Answering(["no", "no", "no", "yes"], predict_proba=probabilities, classes=["no", "yes"])
    scorer = ConfusionScorer(["recall", "specificity"], threshold=0.3, pos_label="yes", counts=True)
    scores = scorer(model, None, y)
    predicted = np.where(probabilities[:, 1] >= 0.3, "yes", "no")
    assert (scores["recall"], scores["specificity"]) == (0.5, 0.5)
    assert {key: value for key, value in scores.items() if "_" in key} == naive_counts(
        y, predicted, ["no", "yes"]
    )


def test_a_scorer_does_not_change_with_the_array_that_it_was_made_with():
    cuts = np.array([0.5, 0.5])
    scorer = ConfusionScorer(["recall"], threshold=cuts, classes=["no", "yes"])
    model = Answering(predict_proba=np.array([[0.3, 0.7], [0.6, 0.4]]), classes=["no", "yes"])
    assert scorer(model, None, ["yes", "yes"]) == {"recall": 0.5}
    cuts[1] = 0.1
    assert scorer(model, None, ["yes", "yes"]) == {"recall": 0.5}


N_CLASSES = 10_000


@pytest.mark.parametrize("kind", ["float", pytest.param("none", marks=pytest.mark.slow)])
def test_ten_thousand_classes_with_weights_never_make_a_matrix(kind):
    """The slow one has no weights, which need less."""
    random = np.random.default_rng(0)
    true = np.arange(2 * N_CLASSES) % N_CLASSES
    pred = np.where(np.arange(len(true)) % 2 == 0, true, (true + 1) % N_CLASSES)
    weights = {"none": None, "float": random.integers(0, 3, len(true)) / 4}
    model = Answering(pred, classes=np.arange(N_CLASSES))
    names = ["accuracy", "recall_macro", "mcc", "kappa", "f1_weighted"]
    scorer = ConfusionScorer(names, per_class=True, zero_division=0)
    tracemalloc.start()
    scores = scorer(model, None, true, sample_weight=weights[kind])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(scores) == len(names) + 2 * N_CLASSES
    assert peak < 10 * 2**20, peak  # one bit a cell would be 12 MiB
    right = true == pred
    assert scores["accuracy"] == pytest.approx(np.average(right, weights=weights[kind]))
    assert scores["recall_8"] == pytest.approx(
        1 if weights[kind] is None or weights[kind][true == 8].any() else 0
    )


@pytest.mark.parametrize(
    ("n_classes", "kind", "unseen"),
    [
        *((n_classes, "float", 5) for n_classes in (63, 64, 65, 256, 257)),
        *((n_classes, "int", 0) for n_classes in (64, 65)),
        *((n_classes, "none", 5) for n_classes in (64, 65)),
    ],
)
def test_counts_are_exact_on_both_sides_of_where_margins_replace_the_matrix(
    n_classes, kind, unseen
):
    random = np.random.default_rng(n_classes)
    classes = random.permutation(n_classes) * 3
    true = random.integers(0, n_classes + unseen, 800) * 3
    true[0] = n_classes * 3 if unseen else 0
    pred = np.where(
        random.random(800) < 0.5, np.minimum(true, 3 * n_classes - 3), random.choice(classes, 800)
    )
    thirds = random.integers(0, 4, 800) / 3
    weights = {"none": None, "int": random.integers(0, 4, 800), "float": thirds}[kind]
    scorer = ConfusionScorer(
        ["mcc", "precision_macro"], classes=classes, per_class=True, zero_division=np.nan
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = scorer(Answering(pred), None, true, sample_weight=weights)
    assert ["that the estimator never saw" in str(warning.message) for warning in caught] == [
        True
    ] * bool(unseen)
    whole = np.rint(weights * 3) if kind == "float" else weights
    whole = np.ones(800) if whole is None else whole
    for label in classes.tolist():
        tp = whole[(pred == label) & (true == label)].sum()
        fp = whole[(pred == label) & (true != label)].sum()
        # 0/0 must not be hidden by the rounding of sums of thirds.
        expected = tp / (tp + fp) if tp + fp else np.nan
        assert scores[f"precision_{label}"] == pytest.approx(expected, nan_ok=True)
    assert scores["mcc"] == pytest.approx(sk.matthews_corrcoef(true, pred, sample_weight=weights))


# The estimator's classes.


def test_keys_are_the_same_in_every_fold_whether_or_not_a_class_occurs_there():
    y = np.array(["ash", "elm", "oak"] * 6)
    folds = np.where(y == "oak", 1, np.arange(18) // 3 % 2)
    train = np.arange(18)
    cv = [(train, np.flatnonzero(folds == fold)) for fold in (0, 1)]
    X = np.arange(18.0)[:, None]
    scorer = ConfusionScorer(
        ["precision_macro", "recall_macro"], per_class=True, counts=True, zero_division=np.nan
    )
    results = cross_validate(DecisionTreeClassifier(random_state=0), X, y, cv=cv, scoring=scorer)
    assert np.isnan(results["test_recall_oak"][0])
    assert results["test_recall_oak"][1] == 1
    assert results["test_cf_oak_oak"].tolist() == [0, 6]
    assert results["test_recall_ash"].tolist() == [1, 1]
    assert results["test_precision_macro"].tolist() == [1, 1]


@pytest.mark.parametrize(("zero_division", "value"), [(0, 0), (1, 1), (np.nan, np.nan)])
def test_undefined_values_follow_zero_division(zero_division, value):
    scorer = ConfusionScorer(["recall_macro"], per_class=True, zero_division=zero_division)
    scores = scorer(Answering(["a", "b"], classes=["a", "b", "c"]), None, ["a", "b"])
    assert scores["recall_c"] == pytest.approx(value, nan_ok=True)
    # Classes that do not occur are not averaged.
    assert scores["recall_macro"] == 1


def test_undefined_values_warn_by_default_at_the_line_of_the_caller():
    scorer = ConfusionScorer(["recall_macro"], per_class=True)
    with pytest.warns(
        UndefinedMetricWarning, match=r"recall is undefined \(0/0\) for \['c'\]"
    ) as caught:
        scores = scorer(Answering(["a", "b"], classes=["a", "b", "c"]), None, ["a", "b"])
    assert scores["recall_c"] == 0
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("fold", [["oak"], ["ash", "oak"], ["elm", "oak"]])
def test_columns_of_probabilities_find_their_labels_in_every_fold(fold):
    y = np.array(["ash", "elm", "oak"] * 5)
    X = np.array([[0.0], [1.0], [2.0]] * 5)
    model = KNeighborsClassifier(1).fit(X, y)
    kept = np.isin(y, fold)
    scorer = ConfusionScorer(
        ["accuracy", "recall_macro"],
        response_method="predict_proba",
        per_class=True,
        zero_division=0,
    )
    scores = scorer(model, X[kept], y[kept])
    assert scores["accuracy"] == 1
    assert [scores[f"recall_{name}"] for name in ("ash", "elm", "oak")] == [
        name in fold for name in model.classes_
    ]


@pytest.mark.parametrize(
    "options", [{}, {"response_method": "predict_proba"}, {"threshold": [0.5, 0.2, 0.3, 0.4]}]
)
def test_named_classes_may_be_unsorted_and_more_than_the_training_had(trees, options):
    X, y = trees
    classes = ["oak", "yew", "ash", "elm"]
    model = GaussianNB().fit(X, y)
    scorer = ConfusionScorer(
        ["recall_macro", "f1_weighted", "bennett_s"],
        classes=classes,
        per_class=True,
        counts=True,
        zero_division=0,
        **options,
    )
    scores = scorer(model, X, y)
    probabilities = np.insert(model.predict_proba(X)[:, [2, 0, 1]], 1, 0, axis=1)
    predicted = np.array(classes)[(probabilities / options.get("threshold", 1)).argmax(1)]
    assert scores["recall_macro"] == pytest.approx(sk.recall_score(y, predicted, average="macro"))
    assert scores["f1_weighted"] == pytest.approx(sk.f1_score(y, predicted, average="weighted"))
    assert scores["bennett_s"] == pytest.approx(
        (sk.accuracy_score(y, predicted) - 1 / 4) / (1 - 1 / 4)
    )
    assert [key for key in scores if key.startswith("recall_")] == [
        f"recall_{name}" for name in ("macro", *classes)
    ]
    expected = naive_counts(y, predicted, classes)
    assert {key: scores[key] for key in expected} == expected


def test_named_classes_keep_the_keys_of_folds_whose_training_lacks_one():
    y = np.array(["ash", "elm"] * 6 + ["oak"])
    X = np.arange(13.0)[:, None]
    cv = PredefinedSplit(np.arange(13) % 3)
    model = KNeighborsClassifier(1)
    scorer = ConfusionScorer(
        ["recall_macro", "accuracy"], classes=["ash", "elm", "oak"], per_class=True, zero_division=0
    )
    results = cross_validate(model, X, y, cv=cv, scoring=scorer)
    for label in ("ash", "elm", "oak"):
        expected = folds_by_hand(
            model,
            X,
            y,
            lambda t, p, _, label=label: sk.recall_score(
                t, p, labels=[label], average=None, zero_division=0
            ).item(),
            cv,
        )
        np.testing.assert_allclose(results[f"test_recall_{label}"], expected)
    macro = folds_by_hand(
        model, X, y, lambda t, p, _: sk.recall_score(t, p, average="macro", zero_division=0), cv
    )
    np.testing.assert_allclose(results["test_recall_macro"], macro)


def test_a_model_that_saw_one_class_is_scored_by_labels_and_by_probabilities():
    model = DummyClassifier(strategy="prior").fit([[0]] * 3, ["b"] * 3)
    for method in ("predict", "predict_proba"):
        scorer = ConfusionScorer(
            ["accuracy", "recall"],
            response_method=method,
            per_class=True,
            counts=True,
            classes=["a", "b"],
            zero_division=0,
        )
        scores = scorer(model, [[0]] * 3, ["a", "b", "b"])
        assert (scores["accuracy"], scores["recall"], scores["recall_a"], scores["cf_a_b"]) == (
            2 / 3,
            1,
            0,
            1,
        )


# True labels that the estimator never saw.


def test_unseen_labels_are_errors_of_the_class_predicted_with_one_warning():
    y = ["a", "b", "c", "z", "z", "a"]
    predicted = ["a", "b", "b", "a", "a", "c"]
    names = ["recall_macro", "f1_macro", "accuracy", "mcc", "specificity_micro"]
    scorer = ConfusionScorer(names, per_class=True, counts=True, zero_division=0)
    with pytest.warns(UserWarning, match="'z'.*estimator never") as caught:
        scores = scorer(Answering(predicted, classes=["a", "b", "c"]), None, y)
    assert [warning.filename for warning in caught] == [__file__]
    options = {"average": "macro", "zero_division": 0}
    assert scores["recall_macro"] == pytest.approx(sk.recall_score(y, predicted, **options))
    assert scores["f1_macro"] == pytest.approx(sk.f1_score(y, predicted, **options))
    assert scores["accuracy"] == pytest.approx(sk.accuracy_score(y, predicted))
    assert scores["mcc"] == pytest.approx(sk.matthews_corrcoef(y, predicted))
    expected = naive_counts(y, predicted, ["a", "b", "c", "z"])
    assert {key: scores[key] for key in expected} == expected
    assert scores["false_positive_a"] == 2
    assert scores["recall_z"] == 0


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_unseen_labels_belong_to_the_rest_of_two_classes(method):
    y = np.array(["no", "yes", "perhaps", "perhaps", "yes"])
    predicted = np.array(["no", "yes", "yes", "no", "no"])
    model = Answering(
        predicted,
        predict_proba=np.stack([predicted == "no", predicted == "yes"], 1) * 1.0,
        classes=["no", "yes"],
    )
    options = {"response_method": method, "per_class": True, "zero_division": 0, "pos_label": "yes"}
    scorer = ConfusionScorer(["recall", "precision", "specificity"], **options)
    with pytest.warns(UserWarning, match="'perhaps'") as caught:
        scores = scorer(model, None, y)
    assert len(caught) == 1
    actual, positive = y == "yes", predicted == "yes"
    assert scores["recall"] == scores["recall_yes"] == sk.recall_score(actual, positive)
    assert scores["precision"] == scores["precision_yes"] == sk.precision_score(actual, positive)
    assert scores["specificity"] == np.mean(~positive[~actual])
    assert scores["precision_no"] == sk.precision_score(y == "no", predicted == "no")
    # As said, it is of two classes only, as in the metric functions.
    scorer = ConfusionScorer(["accuracy", "recall"], average="binary", **options)
    of_two = (
        r"NaN: recall is of .* 3, \['no', 'perhaps', 'yes'\]: .* \(ValueError of \['recall'\]\)$"
    )
    with pytest.warns(UserWarning, match="'perhaps'"), pytest.warns(UserWarning, match=of_two):
        scores = scorer(model, None, y)
    assert scores["accuracy"] == sk.accuracy_score(y, predicted)
    assert np.isnan(scores["recall"])


def test_a_fold_whose_training_data_lacked_a_class_has_the_average_of_all_folds():
    X, y = load_iris(return_X_y=True)
    model = GaussianNB().fit(X[:100], y[:100])
    fold = np.r_[0:30, 60:90, 100:110]
    predicted = model.predict(X[fold])
    expected = {
        "recall_macro": sk.recall_score(y[fold], predicted, average="macro"),
        "f1_macro": sk.f1_score(y[fold], predicted, average="macro"),
    }
    names = [*expected]
    assert ConfusionScorer(names, classes=[0, 1, 2])(model, X[fold], y[fold]) == pytest.approx(
        expected
    )
    for options in ({}, {"labels": [0, 1, 2]}, {"pos_label": 1}):
        with pytest.warns(UserWarning, match=r"labels \[2\] .*pass all classes .* classes=\["):
            assert ConfusionScorer(names, **options)(model, X[fold], y[fold]) == pytest.approx(
                expected
            )

    # The caller says that there are two, and any other label belongs to the rest.
    with pytest.warns(UserWarning, match="never saw"):
        assert ConfusionScorer("recall", classes=[0, 1])(
            model, X[fold], y[fold]
        ) == sk.recall_score(y[fold] == 1, predicted == 1)


@pytest.mark.filterwarnings("ignore:y_true has labels:UserWarning")
@pytest.mark.filterwarnings("ignore:.*undefined")
def test_penguins_by_island_have_one_meaning_of_a_key_in_all_folds():
    # The species and islands of the Palmer penguins (Horst, Hill & Gorman 2020): Adelie lives on
    # all three islands, Chinstrap on Dream alone, Gentoo on Biscoe alone.
    counts = {("Biscoe", 0): 44, ("Dream", 0): 56, ("Torgersen", 0): 52}
    counts |= {("Dream", 1): 68, ("Biscoe", 2): 124}
    island = np.repeat([place for place, _ in counts], list(counts.values()))
    species = np.repeat([kind for _, kind in counts], list(counts.values()))
    X = np.random.default_rng(0).normal(size=(len(species), 2)) + species[:, None]
    splits = list(GroupKFold(3).split(X, species, island))
    assert {len({*species[train], *species[test]}) for train, test in splits} == {3}
    assert {len({*species[train]}) for train, _ in splits} == {2, 3}
    scorer = ConfusionScorer(["f1_macro"])
    results = cross_validate(GaussianNB(), X, species, cv=splits, scoring=scorer)
    expected = []
    for train, test in splits:
        predicted = GaussianNB().fit(X[train], species[train]).predict(X[test])
        expected.append(sk.f1_score(species[test], predicted, average="macro", zero_division=0))
    np.testing.assert_allclose(results["test_f1_macro"], expected)


def test_labels_from_predict_warn_of_unseen_ones_in_every_form():
    model = Answering([0, 1, 1], classes=[0, 1])
    for score in (
        ConfusionScorer("accuracy"),
        ConfusionScorer(["accuracy"]),
        ConfusionMatrix.from_estimator,
    ):
        with pytest.warns(UserWarning, match="estimator never") as caught:
            score(model, None, [0, 1, 2])
        assert len(caught) == 1


def test_a_label_among_the_named_classes_is_not_unseen():
    scores = ConfusionScorer(["accuracy"], classes=[0, 1, 2])(
        Answering([0, 1, 1], classes=[0, 1]), None, [0, 1, 2]
    )
    assert scores == {"accuracy": 2 / 3}


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_a_model_that_saw_one_class_warns_of_the_others(method):
    model = DummyClassifier(strategy="prior").fit([[0]] * 3, ["a"] * 3)
    with pytest.warns(UserWarning, match="'b'.*estimator never") as caught:
        scores = ConfusionScorer(["accuracy"], response_method=method)(
            model, [[0]] * 3, ["a", "b", "b"]
        )
    assert len(caught) == 1
    assert scores == {"accuracy": 1 / 3}


# Estimators that predict probabilities, one-hot targets and multilabel data.


def test_a_regressor_is_scored_by_the_probabilities_it_predicts():
    X = np.arange(20.0)[:, None]
    y = (X[:, 0] >= 8).astype(int)
    model = LinearRegression().fit(X, y)
    scores = ConfusionScorer(["recall", "mcc"], threshold=0.7, per_class=True)(model, X, y)
    predicted = (model.predict(X) >= 0.7).astype(int)
    assert scores["recall"] == scores["recall_1"] == sk.recall_score(y, predicted)
    assert scores["mcc"] == pytest.approx(sk.matthews_corrcoef(y, predicted))


@pytest.mark.parametrize("to_targets", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("classes", [None, ["z", "m", "a"]])
def test_one_hot_targets_of_a_network_are_classes(to_targets, classes):
    random = np.random.default_rng(1)
    codes = random.integers(0, 3, 40)
    probabilities = random.dirichlet([1, 1, 1], 40)
    predicted = probabilities.argmax(1)
    names = ["recall_macro", "mcc", "accuracy"]
    scorer = ConfusionScorer(names, classes=classes, per_class=True, counts=True)
    scores = scorer(Answering(probabilities), None, to_targets(np.eye(3, dtype=int)[codes]))
    names = np.array([0, 1, 2] if classes is None else classes)
    expected = sk.recall_score(codes, predicted, average="macro")
    assert scores["recall_macro"] == pytest.approx(expected)
    assert scores["mcc"] == pytest.approx(sk.matthews_corrcoef(codes, predicted))
    expected = naive_counts(names[codes], names[predicted], names)
    assert {key: scores[key] for key in expected} == expected


def test_one_hot_targets_are_classes_also_where_a_model_is_certain():
    X = np.arange(12.0)[:, None]
    codes = np.array([0, 1, 2, 2] * 3)
    model = DecisionTreeRegressor(random_state=0).fit(X, np.eye(3)[codes])
    targets = np.eye(3, dtype=int)[np.roll(codes, 1)]
    assert np.isin(model.predict(X), (0, 1)).all()
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        scores = ConfusionScorer(["mcc"])(model, X, targets)
    assert scores["mcc"] == pytest.approx(sk.matthews_corrcoef(targets.argmax(1), codes))


@pytest.fixture(scope="module")
def topics():
    random = np.random.default_rng(0)
    X = random.random((80, 3))
    return X, (X + random.normal(scale=0.3, size=X.shape) > 0.5).astype(int)


MODELS = {"knn": KNeighborsClassifier(5), "tree": DecisionTreeClassifier(max_depth=2)}
KINDS_OF_TARGETS = {"dense": np.asarray, "sparse": sparse.csr_matrix}


@pytest.mark.parametrize(
    ("model", "method", "kind"), one_in(2, MODELS, ["predict", "predict_proba"], KINDS_OF_TARGETS)
)
def test_multilabel_models_give_every_average_and_every_label(topics, model, method, kind):
    """The slow ones are the other half of the combinations."""
    X, y = topics
    model = sklearn.clone(MODELS[model]).fit(X, y)
    predicted = model.predict(X)
    averages = ("macro", "micro", "weighted", "samples")
    names = [
        "f1_macro",
        *(f"recall_{average}" for average in averages),
        "accuracy",
        "neg_hamming_loss",
    ]
    scorer = ConfusionScorer(names, response_method=method, per_class=True, zero_division=0)
    scores = scorer(model, X, KINDS_OF_TARGETS[kind](y))
    assert scores["f1_macro"] == pytest.approx(sk.f1_score(y, predicted, average="macro"))
    for average in averages:
        expected = sk.recall_score(y, predicted, average=average, zero_division=0)
        assert scores[f"recall_{average}"] == pytest.approx(expected)
    assert scores["accuracy"] == pytest.approx(sk.accuracy_score(y, predicted))
    assert scores["neg_hamming_loss"] == pytest.approx(-sk.hamming_loss(y, predicted))
    np.testing.assert_allclose(
        [scores[f"f1_{k}"] for k in range(3)], sk.f1_score(y, predicted, average=None)
    )


def test_labels_of_multilabel_data_are_columns(topics):
    X, y = topics
    model = KNeighborsClassifier(5).fit(X, y)
    weights = np.arange(len(y)) % 3
    scorer = ConfusionScorer(["f1_macro", "recall_weighted"], labels=[2, 0], per_class=True)
    scores = scorer(model, X, y, sample_weight=weights)
    options = {"labels": [2, 0], "sample_weight": weights}
    assert list(scores) == ["f1_macro", "recall_weighted", "f1_2", "f1_0", "recall_2", "recall_0"]
    assert scores["f1_macro"] == pytest.approx(
        sk.f1_score(y, model.predict(X), average="macro", **options)
    )
    assert scores["recall_weighted"] == pytest.approx(
        sk.recall_score(y, model.predict(X), average="weighted", **options)
    )


def test_what_multilabel_data_do_not_have_is_nan_with_its_cause(topics):
    X, y = topics
    model = KNeighborsClassifier(5).fit(X, y)
    with pytest.warns(UserWarning, match=r"set to NaN: mcc needs one label per sample.*\['mcc'\]"):
        scores = ConfusionScorer(["mcc", "recall_micro"])(model, X, y)
    assert np.isnan(scores["mcc"])
    assert scores["recall_micro"] == pytest.approx(
        sk.recall_score(y, model.predict(X), average="micro")
    )
    with pytest.warns(
        UserWarning,
        match="multilabel data have no single confusion matrix over all labels: omit counts=True",
    ):
        scores = ConfusionScorer(["recall_macro"], counts=True)(model, X, y)
    assert np.isnan(scores["true_positive_0"])


def test_multilabel_data_have_no_positive_class(topics):
    X, y = topics
    model = KNeighborsClassifier(5).fit(X, y[:, :2])
    with pytest.raises(ValueError, match="each sample may have several labels"):
        skmetrics_ext.f1_score(y[:, :2], model.predict(X), average="binary")
    for options in ({}, {"average": "binary"}, {"pos_label": 1}):
        with pytest.raises(ValueError, match=r"f1 is of the .* each sample may have several"):
            ConfusionScorer("f1", **options)(model, X, y[:, :2])


# What can't be computed.


def test_a_metric_that_fails_is_nan_and_the_others_are_not():
    true, pred = ["b", "a", "c"], ["b", "a", "a"]
    model = Answering(pred, classes=["a", "b", "c"])
    with pytest.warns(
        UserWarning,
        match=r"set to NaN: the labels .*pass labels=.* \(ValueError of \['gerrity'\]\)$",
    ) as caught:
        scores = ConfusionScorer(["gerrity", "accuracy"], counts=True)(model, None, true)
    assert [warning.filename for warning in caught] == [__file__]
    assert np.isnan(scores.pop("gerrity"))
    assert scores == {"accuracy": 2 / 3, **naive_counts(true, pred, ["a", "b", "c"])}
    with pytest.raises(ValueError, match="metric depends"):
        ConfusionScorer("gerrity")(model, None, true)


def test_one_warning_names_every_cause():
    model = Answering(["b", "a", "c"], classes=["a", "b", "c"])
    metrics = [
        "gerrity",
        "f1_samples",
        "recall_samples",
        "macro_averaged_mean_absolute_error",
        "mcc",
    ]
    metrics = [f"neg_{name}" if name.startswith("macro_") else name for name in metrics]
    with pytest.warns(UserWarning, match="set to NaN") as caught:
        scores = ConfusionScorer(metrics)(model, None, ["b", "a", "c"])
    (warning,) = caught
    message = str(warning.message)
    of_order, of_samples = message.removeprefix("set to NaN: ").split("; ")
    assert of_order.startswith("the labels")
    assert of_order.endswith("['gerrity', 'neg_macro_averaged_mean_absolute_error'])")
    assert of_samples.startswith("average='samples' needs the labels of each sample")
    assert of_samples.endswith("(ValueError of ['f1_samples', 'recall_samples'])")
    assert [name for name, value in scores.items() if np.isnan(value)] == metrics[:4]


@pytest.mark.parametrize(
    ("metric", "options", "y", "weights", "message"),
    [
        (
            "recall",
            {"average": "binary"},
            [0, 1, 2],
            None,
            "recall is of the positive class of two",
        ),
        (
            "bennett_s",
            {"labels": [0, 1]},
            [0, 1, 2],
            None,
            r"must include all labels .* for bennett_s",
        ),
        (
            "neg_expected_cost",
            {"cost_matrix": np.eye(2)},
            [0, 1, 2],
            None,
            "but there are 3 classes",
        ),
        ("recall_macro", {}, ["a", "b", "c"], None, r"Mix of.*y_true holds strings"),
        ("recall_macro", {}, [0, 1], None, "y_true has 2 samples but y_pred has 3"),
        ("recall_macro", {}, [0, 1, np.nan], None, "y_true holds NaN"),
        ("recall_macro", {}, [0, 1, 2], [1, -1, 1], "sample_weight holds negative weights"),
        ("recall_macro", {}, [0, 1, 2], [0, 0, 0], "sample_weight is all zero"),
        ("recall_macro", {}, [0, 1, 2], [1, 1], "sample_weight has shape"),
        (
            "recall_macro",
            {"response_method": "predict_proba"},
            [0, 1, 2],
            None,
            "has none of the methods",
        ),
    ],
)
def test_the_cause_is_named_in_dict_form_and_raised_in_single_form(
    metric, options, y, weights, message
):
    model = Answering([0, 1, 2], classes=[0, 1, 2])
    with pytest.warns(UserWarning, match=f"set to NaN.*{message}") as caught:
        scores = ConfusionScorer([metric], **options)(model, None, y, sample_weight=weights)
    assert len(caught) == 1
    np.testing.assert_equal(scores, {metric: np.nan})
    with pytest.raises((ValueError, TypeError), match=message):
        ConfusionScorer(metric, **options)(model, None, y, sample_weight=weights)


@pytest.mark.parametrize("where", ["first", "later"])
def test_a_fold_whose_prediction_fails_is_nan_under_every_key(where):
    y = np.array(["no", "yes"] * 5)
    X = np.zeros((10, 1))
    cv = [(np.arange(10), np.arange(3)), (np.arange(10), np.arange(4))]
    cv = cv if where == "first" else cv[::-1]
    options = {"per_class": True, "counts": True, "zero_division": 0, "pos_label": "yes"}
    scorer = ConfusionScorer(["recall", "mcc"], **options)
    with pytest.warns(
        UserWarning, match=r"set to NaN: the server is down \(RuntimeError of "
    ) as caught:
        results = cross_validate(BreaksOnThreeRows(), X, y, cv=cv, scoring=scorer)
    assert len(caught) == 1
    failed, good = (0, 1) if where == "first" else (1, 0)
    values = {key: value for key, value in results.items() if key.startswith("test_")}
    assert len(values) == 2 + 2 + 8 + 4
    assert all(np.isnan(value[failed]) for value in values.values())
    assert values["test_cf_no_no"][good] == 2
    assert values["test_recall_no"][good] == 1


def test_a_fold_whose_prediction_fails_has_the_keys_of_the_chosen_labels():
    y = np.array(["ash", "elm", "oak"] * 4)
    X = np.zeros((12, 1))
    names = ["recall_macro"]
    scorer = ConfusionScorer(names, labels=["oak", "ash"], per_class=True, zero_division=0)
    model = BreaksOnThreeRows().fit(X, y)
    keys = list(scorer(model, X[:4], y[:4]))
    assert keys == ["recall_macro", "recall_oak", "recall_ash"]
    with pytest.warns(UserWarning, match="the server is down"):
        assert list(scorer(model, X[:3], y[:3])) == keys


def test_an_estimator_that_fails_and_tells_no_classes_has_the_keys_of_the_chosen_labels():
    scorer = ConfusionScorer(["recall_macro"], labels=["oak", "ash"], per_class=True)
    with pytest.warns(UserWarning, match="set to NaN"):
        assert list(scorer(Answering(), None, ["oak", "ash"])) == [
            "recall_macro",
            "recall_oak",
            "recall_ash",
        ]


def test_an_estimator_that_fails_and_tells_no_classes_raises_where_keys_need_them():
    for scorer in (ConfusionScorer(["recall"], per_class=True), ConfusionScorer([], counts=True)):
        with pytest.raises(TypeError, match=r"Answering.*none of.*\['predict'\]"):
            scorer(Answering(), None, [0, 1])
    with pytest.warns(UserWarning, match="set to NaN"):
        assert np.isnan(ConfusionScorer(["recall"])(Answering(), None, [0, 1])["recall"])


def test_labels_of_another_kind_than_the_one_class_of_the_model_are_named():
    dates = np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]")
    with pytest.raises(ValueError, match="label types"):
        ConfusionScorer("accuracy")(Answering([0, 0], classes=[0]), None, dates)


def test_a_positive_label_that_is_no_class_is_named():
    with pytest.raises(ValueError, match=r"pos_label='sick'.*not among.*\['no', 'yes'\]"):
        ConfusionScorer("recall", pos_label="sick")(
            Answering(["no", "yes"], classes=["no", "yes"]), None, ["no", "yes"]
        )


def test_a_positive_label_that_is_no_class_is_named_beside_unseen_labels():
    model = Answering(["no", "yes", "yes"], classes=["no", "yes"])
    with pytest.raises(ValueError, match="pos_label='sick' is not"):
        ConfusionScorer("recall", pos_label="sick")(model, None, ["no", "yes", "perhaps"])


@pytest.mark.parametrize(
    ("metrics", "options", "error", "message"),
    [
        (
            "recall",
            {"per_class": True},
            ValueError,
            "per_class= does not apply to one metric: it makes a dict .* pass a list",
        ),
        ("recall", {"counts": True}, ValueError, "counts= does not apply to one metric"),
        (
            ["recall"],
            {"greater_is_better": False},
            ValueError,
            "greater_is_better= does not apply to several metrics",
        ),
        (
            {"a": "recall"},
            {"greater_is_better": True},
            ValueError,
            "names begin with 'neg_' where lower",
        ),
        ([], {}, ValueError, "metrics is empty: specify at least one, or pass counts=True"),
        ({}, {"per_class": True}, ValueError, "metrics is empty"),
        (
            ["recall"],
            {"average": None},
            ValueError,
            "average=None one per class: per_class=True adds these",
        ),
        (["recall"], {"average": "mean"}, ValueError, "average"),
        (
            ["mcc", "accuracy"],
            {"average": "macro"},
            ValueError,
            "mcc, accuracy is one value over all classes",
        ),
        (
            "recall_macro",
            {"average": "micro"},
            ValueError,
            "already has an average; average='micro' contradicts it",
        ),
        (
            ["recall_macro", "accuracy"],
            {"labels": [0, 1]},
            ValueError,
            "accuracy is one value over all classes: labels= does not apply",
        ),
        (
            ["recall", "mcc"],
            {"labels": ["benign", "malignant"], "pos_label": "malignant"},
            ValueError,
            "labels= selects the classes of an average, but recall is of one class",
        ),
        (
            ["accuracy", "recall"],
            {"classes": ["ash", "elm", "oak"]},
            ValueError,
            r"recall is of the positive class of two, but there are 3, .*'recall_macro'",
        ),
        (
            "neg_fpr",
            {"classes": ["ash", "elm", "oak"], "average": "binary", "pos_label": "ash"},
            ValueError,
            r"fpr is of the positive class of two, but there are 3, \['ash', 'elm', 'oak'\]",
        ),
        (
            [("recall", "yew")],
            {"classes": ["ash", "elm", "oak"]},
            ValueError,
            "pos_label='yew' is not",
        ),
        ([("recall_macro", "ash")], {}, ValueError, "'recall_macro' is no metric of one class"),
        ([("mcc", "ash")], {}, ValueError, "'mcc' is no metric of one class"),
        ([("recall", "ash", 2)], {}, ValueError, "is a pair of metric and class"),
        (["recall", "recall"], {}, ValueError, "metrics has 'recall' twice: name each once"),
        (["recall", skmetrics_ext.recall_score], {}, ValueError, "metrics has 'recall' twice"),
        (
            {"recall"},
            {},
            TypeError,
            "metrics must be a metric, a list of metrics .*, or a dict of key to metric",
        ),
        (None, {}, TypeError, "metrics must be a metric, a list .* got None"),
        ([None], {}, ValueError, r"None.*not a metric"),
        ([sk.recall_score], {}, ValueError, "not a metric"),
        (["roc_auc"], {}, ValueError, r"'roc_auc'.*not a metric"),
        (["recal"], {}, ValueError, "Did you mean 'recall'"),
        (
            ["fpr"],
            {},
            ValueError,
            "lower is better, so its scorer is negated. Did you mean 'neg_fpr'",
        ),
        ({"a": "neg_recall"}, {}, ValueError, "Did you mean 'recall'"),
        (
            ["recall", "mcc"],
            {"beta": 2},
            TypeError,
            "'beta' is neither an option nor a parameter of the metrics",
        ),
        (["recall", "fbeta"], {}, TypeError, "fbeta needs the parameter 'beta'"),
        (["recall", "fbeta"], {"beta": -1}, ValueError, "beta must be a number >= 0"),
        (["recall"], {"thresold": 0.5}, TypeError, "Did you mean 'threshold'"),
        (
            ["recall"],
            {"zero_division": 2},
            ValueError,
            "zero_division must be 'warn', 0, 1 or nan; got 2",
        ),
        (
            ["recall"],
            {"response_method": "predict_log_proba"},
            ValueError,
            "response_method must be",
        ),
        (
            ["recall"],
            {"threshold": 0.5, "cost_matrix": [[0, 1], [1, 0]]},
            ValueError,
            "both determine the label",
        ),
        (
            ["recall_macro"],
            {"threshold": 0.5, "classes": [0, 1, 2]},
            ValueError,
            "is one number, but there are 3 classes",
        ),
        (["recall"], {"classes": [1, 1]}, ValueError, "classes holds duplicates"),
        (
            ["recall"],
            {"labels": "ash"},
            TypeError,
            r"labels must be a list of labels, such as \['ash'\]",
        ),
        (
            ["recall"],
            {"classes": ["a", "b"], "pos_label": "c"},
            ValueError,
            "pos_label='c' is not one of the classes",
        ),
    ],
)
def test_mistakes_are_found_at_construction(metrics, options, error, message):
    with pytest.raises(error, match=message):
        ConfusionScorer(metrics, **options)


# Folds, searches and weights.

SCORES = {
    "recall_macro": lambda t, p, w: sk.recall_score(t, p, average="macro", sample_weight=w),
    "f1_weighted": lambda t, p, w: sk.f1_score(t, p, average="weighted", sample_weight=w),
    "mcc": lambda t, p, w: sk.matthews_corrcoef(t, p, sample_weight=w),
    "neg_zero_one_loss": lambda t, p, w: -sk.zero_one_loss(t, p, sample_weight=w),
    "recall_elm": lambda t, p, w: sk.recall_score(
        t, p, labels=["elm"], average=None, sample_weight=w
    ).item(),
    "cf_ash_elm": lambda t, p, w: naive_matrix(t, p, ["ash", "elm", "oak"], w)[0, 1],
    "true_negative_oak": lambda t, p, w: naive_matrix(t, p, ["ash", "elm", "oak"], w)[:2, :2].sum(),
}


def tree_scorer():
    names = ["recall_macro", "f1_weighted", "mcc", "neg_zero_one_loss"]
    return ConfusionScorer(names, per_class=True, counts=True)


def test_cross_validate_equals_a_loop_over_folds(trees):
    X, y = trees
    results = cross_validate(
        GaussianNB(), X, y, cv=FOLDS, scoring=tree_scorer(), return_train_score=True
    )
    said = said_in_folds(GaussianNB(), X, y)
    for key, score in SCORES.items():
        np.testing.assert_allclose(results[f"test_{key}"], scores_of_folds(said, y, score))
    assert {key.removeprefix("train_") for key in results if key.startswith("train_")} == {
        key.removeprefix("test_") for key in results if key.startswith("test_")
    }


WEIGHTS = {"integers with zeros": np.arange(120) % 4, "floats with zeros": np.arange(120) % 5 / 4}


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize(("kind", "alias"), one_in(2, WEIGHTS, [True, "importance"]))
def test_routed_weights_reach_every_score_of_cross_validate(trees, kind, alias):
    """The slow ones are the other half of the combinations."""
    X, y = trees
    weights = WEIGHTS[kind]
    scorer = tree_scorer()
    assert scorer.set_score_request(sample_weight=alias) is scorer
    params = {"sample_weight" if alias is True else alias: weights}
    # KNeighborsClassifier.fit takes no weights.
    results = cross_validate(KNeighborsClassifier(3), X, y, cv=FOLDS, scoring=scorer, params=params)
    said = said_in_folds(KNeighborsClassifier(3), X, y)
    for key, score in SCORES.items():
        expected = scores_of_folds(said, y, score, weights)
        np.testing.assert_allclose(results[f"test_{key}"], expected, err_msg=key)


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize(
    "weighted", [pytest.param(False, marks=pytest.mark.slow), True], ids=["unweighted", "weighted"]
)
def test_routed_weights_reach_every_score_of_a_grid_search(trees, weighted):
    """The slow one has no weights, though they are requested, as a call of the scorer without."""
    X, y = trees
    weights = np.arange(120) % 4
    scorer = tree_scorer().set_score_request(sample_weight=True)
    search = GridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=FOLDS, scoring=scorer, refit="mcc"
    )
    search.fit(X, y, **({"sample_weight": weights} if weighted else {}))
    for k, n_neighbors in enumerate([1, 9]):
        said = said_in_folds(KNeighborsClassifier(n_neighbors), X, y)
        for key, score in SCORES.items():
            expected = scores_of_folds(said, y, score, weights if weighted else None)
            found = [search.cv_results_[f"split{fold}_test_{key}"][k] for fold in range(3)]
            np.testing.assert_allclose(found, expected, err_msg=key)


@pytest.mark.usefixtures("routing")
def test_weights_that_are_not_requested_stay_out_of_the_scores(trees):
    X, y = trees
    weights = np.arange(120) % 4
    scorer = tree_scorer().set_score_request(sample_weight=False)
    model = GaussianNB().set_fit_request(sample_weight=True)
    results = cross_validate(
        model, X, y, cv=FOLDS, scoring=scorer, params={"sample_weight": weights}
    )
    expected = [
        SCORES["mcc"](
            y[test], GaussianNB().fit(X[train], y[train], weights[train]).predict(X[test]), None
        )
        for train, test in FOLDS.split(X, y)
    ]
    np.testing.assert_allclose(results["test_mcc"], expected)


def test_without_routing_the_call_takes_weights(trees):
    X, y = trees
    weights = np.random.default_rng(0).random(120)
    model = GaussianNB().fit(X, y)
    scores = tree_scorer()(model, X, y, sample_weight=weights)
    for key, score in SCORES.items():
        assert scores[key] == pytest.approx(score(y, model.predict(X), weights)), key
    with pytest.raises(RuntimeError, match=r"set_score_request needs metadata routing: set_config"):
        tree_scorer().set_score_request(sample_weight=True)


def test_refit_by_a_negated_metric_chooses_the_least(tests_of_blood):
    X, y = tests_of_blood
    grid = [1, 2, 3, 5, 9]
    scorer = ConfusionScorer(["neg_false_positive_rate", "recall"], pos_label="positive")
    search = GridSearchCV(
        KNeighborsClassifier(),
        {"n_neighbors": grid},
        cv=FOLDS,
        scoring=scorer,
        refit="neg_false_positive_rate",
    ).fit(X, y)

    def false_positive_rate(true, pred, _):
        return np.mean(pred[true == "negative"] == "positive")

    rates = [folds_by_hand(KNeighborsClassifier(k), X, y, false_positive_rate).mean() for k in grid]
    assert len(set(rates)) > 1
    assert search.best_params_["n_neighbors"] == grid[int(np.argmin(rates))]
    assert search.best_score_ == pytest.approx(-min(rates))
    np.testing.assert_allclose(
        search.cv_results_["mean_test_neg_false_positive_rate"], np.negative(rates)
    )
    expected = -false_positive_rate(y, search.predict(X), None)
    assert search.score(X, y) == pytest.approx(expected)


def test_folds_in_parallel_give_the_same(trees):
    X, y = trees
    expected = cross_validate(GaussianNB(), X, y, cv=FOLDS, scoring=tree_scorer())
    with joblib.parallel_config("threading"):
        results = cross_validate(GaussianNB(), X, y, cv=FOLDS, scoring=tree_scorer(), n_jobs=2)
    assert set(results) == set(expected)
    for key in SCORES:
        assert results[f"test_{key}"].tolist() == expected[f"test_{key}"].tolist()


def test_one_scorer_serves_many_threads():
    random = np.random.default_rng(0)
    scorer = ConfusionScorer(
        ["recall_macro", "mcc", "kappa"], per_class=True, counts=True, zero_division=0
    )
    tasks = []
    for _ in range(40):
        n_classes = random.integers(2, 6)
        true, pred = random.integers(0, n_classes, (2, 500))
        tasks.append((Answering(pred, classes=range(n_classes)), true, random.integers(0, 3, 500)))
    expected = [scorer(model, None, true, weights) for model, true, weights in tasks]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda task: scorer(task[0], None, task[1], task[2]), tasks))
    assert found == expected


@pytest.mark.parametrize(
    ("scorer", "text"),
    [
        (ConfusionScorer("recall"), "ConfusionScorer('recall')"),
        (
            ConfusionScorer(["recall", skmetrics_ext.false_positive_rate], per_class=True),
            "ConfusionScorer(['recall', 'neg_false_positive_rate'], per_class=True)",
        ),
        (
            ConfusionScorer({"f": "fbeta_macro"}, beta=2, zero_division=0),
            "ConfusionScorer({'f': 'fbeta_macro'}, zero_division=0, beta=2)",
        ),
        (ConfusionScorer((), counts=True), "ConfusionScorer([], counts=True)"),
        (ConfusionScorer(["mcc"], threshold=0.3), "ConfusionScorer(['mcc'], threshold=0.3)"),
    ],
)
def test_a_scorer_shows_how_it_was_made_and_is_made_again_from_that(scorer, text):
    assert repr(scorer) == text
    assert repr(eval(text)) == text


def test_copies_score_the_same(trees):
    X, y = trees
    model = GaussianNB().fit(X, y)
    metrics = {"a": "recall_elm", "b": "neg_expected_cost", "c": ("neg_fpr", "oak")}
    costs = np.arange(9).reshape(3, 3)
    classes = ["ash", "elm", "oak"]
    scorer = ConfusionScorer(
        metrics, cost_matrix=costs, classes=classes, per_class=True, counts=True
    )
    expected = scorer(model, X, y)
    predicted = model.predict(X)
    assert expected["a"] == pytest.approx(sk.recall_score(y == "elm", predicted == "elm"))
    assert expected["c"] == -np.mean(predicted[y != "oak"] == "oak")
    for again in (pickle.loads(pickle.dumps(scorer)), copy.deepcopy(scorer)):
        assert again(model, X, y) == expected
        assert list(again(model, X, y)) == list(expected)
        assert repr(again) == repr(scorer)


@pytest.mark.usefixtures("routing")
def test_a_copy_keeps_the_request_for_weights():
    scorer = ConfusionScorer(["recall"]).set_score_request(sample_weight="importance")
    again = pickle.loads(pickle.dumps(scorer))
    assert str(again.get_metadata_routing()) == str(scorer.get_metadata_routing())
    assert "importance" in str(again.get_metadata_routing())


def test_what_takes_one_score_takes_the_single_form_and_the_docstring_says_so(tests_of_blood):
    X, y = tests_of_blood
    single = ConfusionScorer("f1", pos_label="positive")
    search = HalvingGridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 5]}, scoring=single, cv=FOLDS, random_state=0
    ).fit(X, y)
    assert search.score(X, y) == pytest.approx(
        sk.f1_score(y, search.predict(X), pos_label="positive")
    )
    _, _, scores = learning_curve(GaussianNB(), X, y, scoring=single, cv=FOLDS, train_sizes=[1.0])
    expected = folds_by_hand(
        GaussianNB(), X, y, lambda t, p, _: sk.f1_score(t, p, pos_label="positive")
    )
    np.testing.assert_allclose(scores[0], expected)
    with pytest.raises(ValueError, match="scoring must return a number"):
        cross_val_score(
            GaussianNB(),
            X,
            y,
            scoring=ConfusionScorer(["f1"], pos_label="positive"),
            cv=FOLDS,
            error_score="raise",
        )
    page = PAGE.read_text(encoding="utf-8")
    for name in ("HalvingGridSearchCV", "learning_curve", "validation_curve", "cross_val_score"):
        assert f"`{name}`" in page


def test_thresholds_a_class_decide_in_every_fold(trees):
    X, y = trees
    cuts = [0.5, 0.2, 0.3]
    scorer = ConfusionScorer(
        ["recall_macro", "mcc"], threshold=dict(zip(np.unique(y), cuts, strict=True))
    )
    results = cross_validate(GaussianNB(), X, y, cv=FOLDS, scoring=scorer)
    expected = []
    for train, test in FOLDS.split(X, y):
        model = GaussianNB().fit(X[train], y[train])
        predicted = labels_from_scores(
            model.predict_proba(X[test]), classes=model.classes_, threshold=cuts
        )
        expected.append(sk.matthews_corrcoef(y[test], predicted))
    np.testing.assert_allclose(results["test_mcc"], expected)


def test_keys_are_the_same_in_folds_whose_training_lacks_a_class():
    X = np.zeros((9, 1))
    y = np.repeat(["ash", "elm", "oak"], 3)
    scorer = ConfusionScorer(["recall_macro"], per_class=True, counts=True, zero_division=0)
    folds = PredefinedSplit([0, 1, 1, 0, 1, 1, 2, 2, 2])
    with pytest.warns(UserWarning, match="'oak'.*estimator never"):
        results = cross_validate(DummyClassifier(), X, y, scoring=scorer, cv=folds)
    assert len([key for key in results if key.startswith("test_cf_")]) == 9
    np.testing.assert_array_equal(results["test_cf_oak_oak"], 0)
    assert np.isfinite(results["test_recall_oak"]).all()


def test_one_hot_targets_of_two_classes_are_binary():
    softmax = Answering(np.array([[0.9, 0.1], [0.3, 0.7], [0.8, 0.2], [0.55, 0.45]]))
    targets = np.eye(2, dtype=int)[[0, 1, 1, 0]]
    assert ConfusionScorer("precision", threshold=0.4)(softmax, None, targets) == 0.5
    assert ConfusionScorer(["precision", "recall"])(softmax, None, targets) == {
        "precision": 1,
        "recall": 0.5,
    }
    named = ConfusionScorer("recall", classes=["no", "yes"], pos_label="no", threshold=0.85)
    assert named(softmax, None, targets) == 0.5


def test_metrics_over_all_classes_do_not_mind_the_average_of_the_others(topics):
    X, y = topics
    model = KNeighborsClassifier(5).fit(X, y)
    predicted = model.predict(X)
    scores = ConfusionScorer(["accuracy", "f1"], average="samples", zero_division=0)(model, X, y)
    assert scores["accuracy"] == pytest.approx(sk.accuracy_score(y, predicted))
    assert scores["f1"] == pytest.approx(
        sk.f1_score(y, predicted, average="samples", zero_division=0)
    )
    with pytest.warns(UserWarning, match="each sample may have several labels.*'f1'"):
        scores = ConfusionScorer(["accuracy", "f1"], average="binary")(model, X, y)
    assert scores["accuracy"] == pytest.approx(sk.accuracy_score(y, predicted))


def test_a_misspelt_positive_label_is_named_also_where_no_metric_is_binary():
    model = Answering(["no", "yes"], classes=["no", "yes"])
    for metric in ("accuracy", "recall_macro"):
        with pytest.raises(ValueError, match=r"pos_label='sick'.*not among"):
            ConfusionScorer(metric, pos_label="sick")(model, None, ["no", "yes"])


def test_a_fold_of_one_class_is_scored_without_classes_too():
    net = Answering([0.2, 0.7, 0.1])
    with pytest.warns(UndefinedMetricWarning):
        assert ConfusionScorer("recall", pos_label=1)(net, None, [0, 0, 0]) == 0
    scores = ConfusionScorer(["accuracy"], pos_label=1)(net, None, [0, 0, 0])
    assert scores["accuracy"] == pytest.approx(2 / 3)


def test_columns_of_a_model_without_classes_are_found_by_name():
    model = Answering(predict_proba=lambda X: pd.DataFrame({"b": X, "a": 1 - X}))
    X, y = np.array([0.9, 0.8, 0.1]), ["b", "b", "a"]
    assert ConfusionScorer("accuracy", response_method="predict_proba")(model, X, y) == 1
    assert skmetrics_ext.get_scorer("f1", threshold="best", pos_label="b")(model, X, y) == 1


def test_options_are_read_before_they_are_copied():
    with pytest.raises(TypeError, match="classes must be an array or a list of labels"):
        ConfusionScorer(["f1"], classes=(label for label in [0, 1]))


@pytest.mark.parametrize(
    "scorer_of",
    [
        lambda costs: ConfusionScorer("neg_expected_cost", cost_matrix=costs),
        lambda costs: ConfusionScorer(["neg_expected_cost"], cost_matrix=costs),
        lambda costs: get_scorer("neg_expected_cost", cost_matrix=costs),
        lambda costs: get_scorer("neg_expected_cost", cost_matrix=costs, classes=[0, 1]),
    ],
    ids=["one", "list", "function", "adapted"],
)
def test_costs_that_change_after_a_scorer_was_made_do_not_change_its_value(scorer_of):
    costs = np.array([[0.0, 1.0], [5.0, 0.0]])
    scorer, model = (
        scorer_of(costs),
        DummyClassifier(strategy="constant", constant=0).fit([[0], [0]], [0, 1]),
    )
    before, text = scorer(model, [[0], [0]], [0, 1]), repr(scorer)
    costs[:] = 99
    assert scorer(model, [[0], [0]], [0, 1]) == before
    assert repr(scorer) == text


def calls_of(scorer, *args):
    """How often each function of the package is called by a scorer."""
    calls = Counter()

    def count(frame, event, _):
        if event == "call" and PACKAGE_FOLDER in frame.f_code.co_filename:
            calls[frame.f_code.co_name] += 1

    sys.setprofile(count)
    try:
        scorer(*args)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize(
    "make", [get_scorer, lambda name, **options: ConfusionScorer([name], **options)]
)
def test_one_call_reads_and_decides_everything_once(make):
    true = np.array(["ham", "spam"] * 50)
    proba = np.random.default_rng(0).dirichlet([1, 1], 100)
    model = CountsLooks(np.array(["ham", "spam"]), predict_proba=proba)
    calls = calls_of(make("specificity", threshold=0.3, pos_label="spam"), model, None, true)
    assert model.looked == 1
    assert (
        calls["read_classes"]
        == calls["read_scores"]
        == calls["encode"]
        == calls["count_margins"]
        == 1
    )
    # The actual labels, the names of the classes and nothing else are read from arrays.
    assert calls["read_order"] <= 1
    # For the threshold and for the average, which may be about different labels.
    assert calls["positive_of"] <= 2


def old_answer(X):  # noqa: ARG001
    warnings.warn("an old model", FutureWarning, stacklevel=2)
    return ["a", "a"]


@pytest.mark.parametrize(
    ("answer", "category", "words"),
    [(["a", "a"], UndefinedMetricWarning, "recall is"), (old_answer, FutureWarning, "an old")],
)
def test_a_warning_that_a_filter_makes_an_error_is_no_failure_of_a_metric(answer, category, words):
    """Else the value would depend on the filter: NaN instead of 0."""
    model = Answering(answer, classes=["a", "b"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = ConfusionScorer(["recall", "accuracy"], pos_label="b")(model, None, ["a", "a"])
        assert scores == {"recall": 0, "accuracy": 1}
        warnings.simplefilter("error", category)
        with pytest.raises(category, match=words):
            ConfusionScorer(["recall", "accuracy"], pos_label="b")(model, None, ["a", "a"])
