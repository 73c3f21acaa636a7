"""What an estimator says -> labels: which method is asked, whose scores, and what is refused."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, make_multilabel_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import (
    accuracy_score,
    confusion_matrix,
    multilabel_confusion_matrix,
    recall_score,
)
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import LabelBinarizer, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ThresholdCurve,
    get_scorer,
    specificity_score,
)
from skmetrics_ext.adapter.estimator import check_response_method
from skmetrics_ext.adapter.responses import predict_labels
from skmetrics_ext.adapter.rule import make_rule
from skmetrics_ext.reading.labels import Column, Indicator, read_labels
from tests.doubles import Answering, ClippedRegression, CountsLooks
from tests.shared import one_in

COSTS = [[0, 1], [7, 0]]
SIGMOID = np.array([[0.4], [0.7], [0.5], [0.1]], dtype=np.float32)
SOFTMAX = np.array(
    [[0.2, 0.5, 0.3], [0.6, 0.1, 0.3], [0.1, 0.2, 0.7], [0.4, 0.5, 0.1]], dtype=np.float32
)


def predicted(estimator, X, y, *, response_method="auto", classes=None, multilabel=None, **rule):
    """The labels that predict_labels finds, as an array."""
    _, pred, _ = predict_labels(
        estimator,
        X,
        read_labels(y, "y"),
        make_rule(**rule),
        response_method=check_response_method(response_method),
        classes=None if classes is None else np.array(classes),
        multilabel=multilabel,
    )
    if isinstance(pred, Column):
        return pred.labels[pred.codes]
    return pred.values if isinstance(pred, Indicator) else np.asarray(pred)


def rows_for(answer):
    """As many rows as an answer has, for X."""
    return np.zeros((len(answer), 1))


@pytest.fixture(scope="module")
def tumors(tumors):
    X, y = tumors
    return StandardScaler().fit_transform(X), y


@pytest.fixture(scope="module")
def tumor_model(tumors):
    return LogisticRegression().fit(*tumors)


@pytest.fixture(scope="module")
def flowers():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X[:, :2]), np.array(
        ["virginica", "setosa", "versicolor"]
    )[y]


@pytest.fixture(scope="module")
def topics():
    return make_multilabel_classification(n_samples=150, n_classes=4, n_labels=2, random_state=0)


# Classifiers of scikit-learn, by their labels.

IRIS = ["setosa", "versicolor", "virginica"]


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(LogisticRegression(), id="LogisticRegression"),
        pytest.param(SVC(), id="SVC"),
        pytest.param(RidgeClassifier(), id="RidgeClassifier"),
        pytest.param(make_pipeline(StandardScaler(), LinearSVC()), id="Pipeline"),
        pytest.param(
            GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=2),
            id="GridSearchCV",
        ),
    ],
)
def test_labels_of_classifiers_are_counted_as_they_are(flowers, model):
    X, y = flowers
    model.fit(X, y)
    cm = ConfusionMatrix.from_estimator(model, X, y)
    assert cm.labels.tolist() == ["setosa", "versicolor", "virginica"]
    assert cm.counts.tolist() == confusion_matrix(y, model.predict(X)).tolist()
    assert ConfusionScorer("accuracy")(model, X, y) == pytest.approx(model.score(X, y), abs=1e-15)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="predict"),
        pytest.param({"response_method": "predict_proba"}, id="predict_proba"),
        pytest.param({"threshold": [1, 2, 3], "classes": IRIS}, id="thresholds"),
        pytest.param(
            {"cost_matrix": [[0, 1, 1], [5, 0, 1], [9, 1, 0]], "classes": IRIS}, id="costs"
        ),
    ],
)
@pytest.mark.parametrize("lacking", ["setosa", "versicolor", "virginica"])
def test_columns_find_their_labels_in_a_fold_that_lacks_a_class(flowers, lacking, options):
    X, y = flowers
    model = LogisticRegression().fit(X, y)
    p = model.predict_proba(X)
    if "threshold" in options:
        p = p / options["threshold"]
    elif "cost_matrix" in options:
        p = -p @ np.array(options["cost_matrix"])
    expected = np.array(["setosa", "versicolor", "virginica"])[p.argmax(axis=1)]
    fold = y != lacking
    cm = ConfusionMatrix.from_estimator(model, X[fold], y[fold], **options)
    assert cm.labels.tolist() == ["setosa", "versicolor", "virginica"]
    assert (
        cm.counts.tolist() == confusion_matrix(y[fold], expected[fold], labels=cm.labels).tolist()
    )
    scorer = ConfusionScorer("accuracy", **options)
    assert scorer(model, X[fold], y[fold]) == pytest.approx(
        np.mean(expected[fold] == y[fold]), abs=1e-15
    )


@pytest.mark.parametrize("only", ["benign", "malignant"])
def test_a_fold_of_one_class_is_scored_by_the_classes_of_the_model(tumors, tumor_model, only):
    X, y = tumors
    fold = y == only
    share = np.mean(tumor_model.predict_proba(X[fold])[:, 1] >= 0.2)
    cm = ConfusionMatrix.from_estimator(
        tumor_model, X[fold], y[fold], threshold=0.2, pos_label="malignant"
    )
    assert cm.labels.tolist() == ["benign", "malignant"]
    assert cm.normalize("all").sum(axis=0)[1] == pytest.approx(share, abs=1e-15)


def test_a_model_fitted_on_one_class_predicts_it_at_any_threshold():
    model = DummyClassifier().fit([[0], [0]], ["no", "no"])
    with pytest.warns(UserWarning, match=r"labels \['yes'\] that the estimator never saw"):
        cm = ConfusionMatrix.from_estimator(model, [[0], [0]], ["no", "yes"], threshold=0.3)
    assert cm.counts.tolist() == [[1, 0], [1, 0]]


def test_classes_name_what_the_training_may_lack():
    model = Answering(classes=["a", "c"], predict_proba=np.array([[0.9, 0.1], [0.2, 0.8]]))
    y = ["a", "c"]
    all_classes = ["c", "b", "a"]
    assert (
        predicted(model, [0, 1], y, response_method="predict_proba", classes=all_classes).tolist()
        == y
    )
    cuts = {"threshold": [0.9, 0.5, 0.1], "classes": all_classes}
    assert predicted(model, [0, 1], y, response_method="predict_proba", **cuts).tolist() == [
        "a",
        "a",
    ]


@pytest.mark.parametrize(
    ("classes", "message"), [(["a", "b"], "do not match the estimator"), ([0, 1], "Mix of")]
)
def test_classes_that_contradict_the_estimator_are_refused(classes, message):
    model = Answering(classes=["a", "c"], predict_proba=np.array([[0.9, 0.1], [0.2, 0.8]]))
    with pytest.raises(ValueError, match=message):
        predicted(model, [0, 1], ["a", "c"], response_method="predict_proba", classes=classes)


def test_order_of_classes_is_that_of_the_estimator_not_of_the_alphabet():
    p = np.array([[0.8, 0.1, 0.1], [0.1, 0.7, 0.2], [0.3, 0.1, 0.6]])
    model = Answering(classes=["c", "a", "b"], predict_proba=p)
    y = ["c", "a", "a"]
    assert predicted(model, rows_for(p), y, response_method="predict_proba").tolist() == [
        "c",
        "a",
        "b",
    ]
    cm = ConfusionMatrix.from_estimator(model, rows_for(p), y, response_method="predict_proba")
    assert cm.labels.tolist() == ["a", "b", "c"]
    assert cm.counts.tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    "classes", [["b", "a"], ("b", "a"), np.array(["b", "a"])], ids=["list", "tuple", "array"]
)
def test_classes_attribute_may_be_any_sequence(classes):
    p = np.array([[0.9, 0.1], [0.2, 0.8]])
    model = Answering(predict_proba=p)
    model.classes_ = classes
    assert predicted(model, rows_for(p), ["b", "a"], threshold=0.5, pos_label="a").tolist() == [
        "b",
        "a",
    ]


def test_classes_given_name_the_columns_of_an_estimator_without_them():
    model = Answering(predict_proba=SOFTMAX)
    y = ["c", "c", "a", "a"]
    labels = predicted(
        model, rows_for(y), y, response_method="predict_proba", classes=["c", "b", "a"]
    )
    assert labels.tolist() == ["b", "c", "a", "b"]
    with pytest.raises(ValueError, match=r"classes=\["):
        ConfusionMatrix.from_estimator(model, rows_for(y), y, response_method="predict_proba")


# Thresholds and costs with classifiers of scikit-learn.


@pytest.mark.parametrize("pos_label", ["benign", "malignant"])
@pytest.mark.parametrize("threshold", [0.05, 0.5, 0.8])
def test_threshold_of_probabilities_is_that_of_fixed_threshold_classifier(
    tumors, tumor_model, pos_label, threshold
):
    X, y = tumors
    fixed = FixedThresholdClassifier(
        tumor_model, threshold=threshold, pos_label=pos_label, response_method="predict_proba"
    ).fit(X, y)
    cm = ConfusionMatrix.from_estimator(
        fixed.estimator_, X, y, threshold=threshold, pos_label=pos_label
    )
    assert cm.labels.tolist() == sorted(cm.labels, key=lambda label: label == pos_label)
    expected = confusion_matrix(y, fixed.predict(X), labels=cm.labels)
    assert cm.counts.tolist() == expected.tolist()
    score = get_scorer("recall", threshold=threshold, pos_label=pos_label)(fixed.estimator_, X, y)
    assert score == pytest.approx(recall_score(y, fixed.predict(X), pos_label=pos_label), abs=1e-15)


@pytest.mark.parametrize(
    ("model", "threshold", "pos_label"),
    one_in(
        3,
        [LinearSVC(), SVC(), RidgeClassifier(), LogisticRegression()],
        [-0.7, 0.0, 0.4],
        ["benign", "malignant"],
    ),
)
def test_threshold_of_decision_values_is_that_of_fixed_threshold_classifier(
    tumors, model, pos_label, threshold
):
    """The slow ones are the other combinations."""
    X, y = tumors
    options = {
        "threshold": threshold,
        "pos_label": pos_label,
        "response_method": "decision_function",
    }
    fixed = FixedThresholdClassifier(model, **options).fit(X, y)
    cm = ConfusionMatrix.from_estimator(fixed.estimator_, X, y, **options)
    assert cm.labels.tolist() == sorted(cm.labels, key=lambda label: label == pos_label)
    expected = confusion_matrix(y, fixed.predict(X), labels=cm.labels)
    assert cm.counts.tolist() == expected.tolist()
    score = ConfusionScorer("recall", **options)(fixed.estimator_, X, y)
    assert score == pytest.approx(recall_score(y, fixed.predict(X), pos_label=pos_label), abs=1e-15)


@pytest.mark.parametrize(
    "model", [LinearSVC(), SVC(), RidgeClassifier()], ids=lambda model: type(model).__name__
)
def test_a_threshold_falls_back_to_decision_function(tumors, model):
    X, y = tumors
    model.fit(X, y)
    expected = model.classes_[(model.decision_function(X) >= 1.3).astype(int)]
    assert (
        predicted(model, X, y, threshold=1.3, pos_label="malignant").tolist() == expected.tolist()
    )


@pytest.mark.parametrize("pos_label", [None, "benign", "malignant"])
def test_decision_values_of_two_classes_are_cut_at_0_by_default(tumors, pos_label):
    X, y = tumors
    model = LinearSVC().fit(X, y)
    labels = predicted(model, X, y, response_method="decision_function", pos_label=pos_label)
    assert labels.tolist() == model.predict(X).tolist()


@pytest.mark.parametrize(
    ("ties", "pos_label", "expected"),
    [
        pytest.param("positive", "b", ["a", "b", "b"], id="tie positive, second class"),
        pytest.param("negative", "b", ["a", "a", "b"], id="tie negative, second class"),
        pytest.param("positive", "a", ["a", "a", "b"], id="tie positive, first class"),
        pytest.param("negative", "a", ["a", "b", "b"], id="tie negative, first class"),
    ],
)
@pytest.mark.parametrize(
    ("method", "answer"),
    [
        pytest.param("decision_function", np.array([-1.0, 0.0, 1.0]), id="decision_function"),
        pytest.param(
            "predict_proba", np.array([[0.75, 0.25], [0.5, 0.5], [0.25, 0.75]]), id="predict_proba"
        ),
        pytest.param("predict", np.array([[0.25], [0.5], [0.75]], dtype=np.float32), id="predict"),
    ],
)
def test_ties_go_to_the_side_asked_for(method, answer, ties, pos_label, expected):
    model = Answering(classes=["a", "b"], **{method: answer})
    threshold = 0 if method == "decision_function" else 0.5
    labels = predicted(
        model,
        rows_for(answer),
        ["a", "b", "b"],
        threshold=threshold,
        ties=ties,
        pos_label=pos_label,
    )
    assert labels.tolist() == expected


@pytest.mark.parametrize(
    ("method", "scores"),
    [
        ("predict", np.array([np.nextafter(0.5, 0), 0.5, np.nextafter(0.5, 1)])),
        ("predict_proba", np.array([0.2, 0.5, 0.8])),
        ("decision_function", np.array([-5e-324, 0.0, 5e-324])),
    ],
)
@pytest.mark.parametrize(
    ("ties", "pos_label", "tie"),
    [
        ("positive", "yes", "yes"),
        ("negative", "yes", "no"),
        ("positive", "no", "no"),
        ("negative", "no", "yes"),
    ],
)
def test_ties_without_a_threshold_obey_the_positive_class_whichever_it_is(
    method, scores, ties, pos_label, tie
):
    X, y = rows_for(scores), ["no", "yes", "yes"]
    options = {"pos_label": pos_label, "ties": ties, "response_method": method}
    for model, classes in [
        (Answering(classes=["no", "yes"], **{method: scores}), None),
        (Answering(**{method: scores}), ["no", "yes"]),
    ]:
        assert predicted(model, X, y, classes=classes, **options).tolist() == ["no", tie, "yes"]
        recall = ConfusionScorer("recall", classes=classes, **options)(model, X, y)
        assert recall == (1 / 2 if (pos_label, tie) == ("yes", "no") else 1)
    costs = {
        "pos_label": pos_label,
        "ties": ties,
        "cost_matrix": {("no", "yes"): 1, ("yes", "no"): 1},
    }
    if method == "predict_proba":
        assert (
            predicted(Answering(classes=["no", "yes"], predict_proba=scores), X, y, **costs)[1]
            == "no"
        )


def test_decision_values_of_several_classes_go_to_the_largest(flowers):
    X, y = flowers
    model = SVC().fit(X, y)
    expected = model.classes_[model.decision_function(X).argmax(axis=1)]
    assert predicted(model, X, y, response_method="decision_function").tolist() == expected.tolist()
    scorer = ConfusionScorer("accuracy", response_method=["predict_proba", "decision_function"])
    assert scorer(model, X, y) == pytest.approx(accuracy_score(y, expected), abs=1e-15)


def test_one_threshold_for_three_classes_is_refused(flowers):
    X, y = flowers
    with pytest.raises(ValueError, match=r"threshold=0\.3 .*3 classes"):
        ConfusionMatrix.from_estimator(LogisticRegression().fit(X, y), X, y, threshold=0.3)


@pytest.mark.parametrize("pos_label", [None, "benign", "malignant"])
def test_costs_of_a_classifier_are_in_the_order_that_the_caller_or_the_labels_declare(
    tumors, tumor_model, pos_label
):
    X, y = tumors
    benign, malignant = tumor_model.predict_proba(X).T
    for order, times in ((["benign", "malignant"], 7), (["malignant", "benign"], 1 / 7)):
        expected = np.where(malignant * times > benign, "malignant", "benign")
        declared = pd.Categorical(y, categories=order, ordered=True)
        for labels, options in ((y, {"classes": order}), (declared, {}), (pd.Series(declared), {})):
            options |= {"cost_matrix": COSTS, "pos_label": pos_label}
            cm = ConfusionMatrix.from_estimator(tumor_model, X, labels, **options)
            assert cm.labels.tolist() == order
            assert cm.counts.tolist() == confusion_matrix(y, expected, labels=order).tolist()
            scorer = ConfusionScorer("accuracy", **options)
            assert scorer(tumor_model, X, labels) == pytest.approx(
                accuracy_score(y, expected), abs=1e-15
            )
    # Neither classes_ nor a positive class is an order.
    with pytest.raises(
        ValueError,
        match=r"cost_matrix=\{\('benign', 'malignant'\): 1.0, \('malignant', 'benign'\): 7",
    ):
        ConfusionMatrix.from_estimator(tumor_model, X, y, cost_matrix=COSTS, pos_label=pos_label)
    with pytest.raises(ValueError, match=r"threshold=\{'benign': 0.2, 'malignant': 0.8\}"):
        ConfusionMatrix.from_estimator(tumor_model, X, y, threshold=[0.2, 0.8], pos_label=pos_label)


@pytest.mark.parametrize(
    "labels", [("benign", "malignant"), (0, 1), (0.0, 1.0)], ids=["str", "int", "float"]
)
@pytest.mark.parametrize("method", ["auto", "decision_function"])
def test_costs_are_refused_where_there_are_only_decision_values(tumors, labels, method):
    X, y = tumors
    y = np.where(y == "malignant", labels[1], labels[0])
    with pytest.raises(ValueError, match=r"costs?.*predict_proba"):
        ConfusionMatrix.from_estimator(
            LinearSVC().fit(X, y), X, y, cost_matrix=COSTS, response_method=method
        )


@pytest.mark.parametrize(
    "rule", [{"threshold": 0.3}, {"cost_matrix": COSTS}], ids=["threshold", "costs"]
)
@pytest.mark.parametrize(
    ("answer", "y"),
    [
        pytest.param(["no", "yes"], ["no", "no"], id="str"),
        pytest.param([0, 1], [0, 0], id="int"),
        pytest.param([False, True], [False, False], id="bool"),
    ],
)
def test_a_rule_for_scores_is_refused_where_predict_gives_labels(answer, y, rule):
    with pytest.raises(ValueError, match=r"predict returns labels.*predict_proba"):
        ConfusionMatrix.from_estimator(Answering(np.array(answer)), rows_for(y), y, **rule)


@pytest.mark.parametrize(
    "rule", [{"threshold": 0.3}, {"cost_matrix": COSTS}], ids=["threshold", "costs"]
)
def test_float_labels_of_a_classifier_are_labels_and_no_scores(rule):
    model = Answering(classes=[0.0, 1.0], predict=np.array([0.0, 1.0]))
    with pytest.raises(ValueError, match="predict returns labels"):
        ConfusionMatrix.from_estimator(model, rows_for("ab"), [0.0, 1.0], **rule)


def test_response_method_predict_with_a_threshold_asks_predict_alone(tumors, tumor_model):
    X, y = tumors
    with pytest.raises(ValueError, match="predict returns labels"):
        ConfusionMatrix.from_estimator(tumor_model, X, y, threshold=0.3, response_method="predict")


def test_response_methods_are_tried_in_order():
    model = Answering(
        classes=["a", "b"],
        predict=["a", "a"],
        decision_function=[1.0, -1.0],
        predict_proba=[[1, 0], [0, 1]],
    )
    y = ["a", "b"]
    assert predicted(model, rows_for(y), y).tolist() == ["a", "a"]
    assert predicted(model, rows_for(y), y, threshold=0.5, pos_label="b").tolist() == ["a", "b"]
    order = ["decision_function", "predict_proba"]
    assert predicted(model, rows_for(y), y, response_method=order).tolist() == ["b", "a"]


@pytest.mark.parametrize(
    "method", ["score", "", [], ["predict", "proba"], ["auto", "predict"]], ids=repr
)
def test_unknown_response_methods_are_refused(method):
    with pytest.raises(ValueError, match=r"response_method must be.*decision_function"):
        ConfusionScorer("accuracy", response_method=method)
    with pytest.raises(ValueError, match=r"response_method must be.*decision_function"):
        ConfusionMatrix.from_estimator(Answering([0]), [[0]], [0], response_method=method)


# Estimators whose predict gives probabilities.


@pytest.mark.parametrize("threshold", [None, 0.2, 0.9])
def test_clipped_regression_is_a_classifier(tumors, threshold):
    X, y = tumors
    number = (y == "malignant").astype(int)
    model = ClippedRegression().fit(X, number)
    expected = (model.predict(X) >= (0.5 if threshold is None else threshold)).astype(int)
    cm = ConfusionMatrix.from_estimator(model, X, number, threshold=threshold)
    assert cm.counts.tolist() == confusion_matrix(number, expected).tolist()
    value = ConfusionScorer("recall", threshold=threshold)(model, X, number)
    assert value == pytest.approx(recall_score(number, expected), abs=1e-15)


@pytest.mark.parametrize(
    "options",
    [{"pos_label": "malignant"}, {"classes": ["benign", "malignant"]}],
    ids=["classes inferred", "classes given"],
)
def test_regression_on_names_maps_them_in_order(tumors, options):
    X, y = tumors
    model = ClippedRegression().fit(X, y == "malignant")
    expected = np.where(model.predict(X) >= 0.3, "malignant", "benign")
    cm = ConfusionMatrix.from_estimator(model, X, y, threshold=0.3, **options)
    assert cm.counts.tolist() == confusion_matrix(y, expected).tolist()


def test_regression_beyond_0_and_1_needs_a_threshold(tumors):
    X, y = tumors
    number = (y == "malignant").astype(int)
    model = LinearRegression().fit(X, number)
    assert model.predict(X).max() > 1
    with pytest.raises(ValueError, match=r"threshold"):
        ConfusionMatrix.from_estimator(model, X, number)
    expected = (model.predict(X) >= 0.5).astype(int)
    assert predicted(model, X, number, threshold=0.5).tolist() == expected.tolist()


@pytest.mark.parametrize("classes", [None, [0, 1]], ids=["classes inferred", "classes given"])
@pytest.mark.parametrize("pos_label", [None, 0, 1], ids=repr)
def test_probabilities_of_predict_are_of_the_second_class_whichever_is_positive(pos_label, classes):
    model = Answering([0.1, 0.6, 0.9, 0.8])
    y = [0, 0, 1, 1]
    assert predicted(model, rows_for(y), y, pos_label=pos_label, classes=classes).tolist() == [
        0,
        1,
        1,
        1,
    ]
    cm = ConfusionMatrix.from_estimator(model, rows_for(y), y, pos_label=pos_label, classes=classes)
    # The positive class is last, unless the caller named the order.
    order = [1, 0] if pos_label == 0 and classes is None else [0, 1]
    assert cm.labels.tolist() == order
    assert cm.counts.tolist() == confusion_matrix(y, [0, 1, 1, 1], labels=order).tolist()
    assert (
        ConfusionScorer("accuracy", pos_label=pos_label, classes=classes)(model, rows_for(y), y)
        == 0.75
    )


@pytest.mark.parametrize("declared", ["by classes=", "by classes_"])
def test_scorer_of_predicted_probabilities_with_the_first_class_positive(declared):
    classes = ["ill", "well"]
    model = Answering(
        np.array([0.1, 0.6, 0.9, 0.8]),
        **({} if declared == "by classes=" else {"classes": classes}),
    )
    y = ["ill", "ill", "well", "well"]
    options = {
        "pos_label": "ill",
        "response_method": "predict",
        "classes": classes if declared == "by classes=" else None,
    }
    assert ConfusionScorer("recall", threshold=0.3, **options)(model, rows_for(y), y) == 1.0
    assert ConfusionScorer("recall", threshold=0.5, **options)(model, rows_for(y), y) == 0.5


def test_scores_are_not_turned_around_by_the_alphabet():
    X, y = np.zeros((4, 1)), ["ad", "ad", "ok", "ok"]
    # It is right, and gives the probability of "ad", which is before "ok" in the alphabet alone.
    finds_ads = Answering(np.array([0.9, 0.9, 0.1, 0.1]))
    calls = [
        lambda: get_scorer("recall", pos_label="ad", threshold=0.5)(finds_ads, X, y),
        lambda: ConfusionMatrix.from_estimator(finds_ads, X, y, pos_label="ad", threshold=0.5),
        lambda: get_scorer("f1", threshold="best", pos_label="ad")(finds_ads, X, y),
        lambda: ThresholdCurve.from_estimator(finds_ads, X, y, pos_label="ad"),
    ]
    said = (
        r"pos_label='ad' is the first of \['ad', 'ok'\]: it is not known which class the scores "
        r"are for. (Pass|Give)"
    )
    for call in calls:
        with pytest.raises(ValueError, match=said):
            call()
    in_order = {"pos_label": "ad", "threshold": 0.5, "classes": ["ok", "ad"]}
    assert get_scorer("recall", **in_order)(finds_ads, X, y) == 1
    assert ConfusionMatrix.from_estimator(finds_ads, X, y, **in_order).score("accuracy") == 1
    # Those who name the classes in another order get what they say.
    assert get_scorer("recall", **{**in_order, "classes": ["ad", "ok"]})(finds_ads, X, y) == 0


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (1, 2), ("no", "yes")], ids=repr)
def test_predicted_probabilities_are_of_the_second_label_whatever_the_two_are_called(labels):
    model = Answering([0.1, 0.2, 0.9, 0.8])
    y = [labels[0], labels[0], labels[1], labels[1]]
    assert ConfusionMatrix.from_estimator(model, rows_for(y), y).score("accuracy") == 1.0
    assert ConfusionScorer("accuracy")(model, rows_for(y), y) == 1.0


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (1, 2), ("no", "yes")], ids=repr)
def test_probabilities_that_are_all_0_or_1_are_read_as_those_in_between(labels):
    model = Answering(np.array([[0.0], [0.0], [1.0], [1.0]], dtype=np.float32))
    y = [labels[0], labels[0], labels[1], labels[1]]
    cm = ConfusionMatrix.from_estimator(model, rows_for(y), y, classes=list(labels))
    assert cm.labels.tolist() == list(labels)
    assert cm.counts.tolist() == [[2, 0], [0, 2]]
    assert ConfusionScorer("accuracy", classes=list(labels))(model, rows_for(y), y) == 1.0


@pytest.mark.parametrize("threshold", [None, 0.5, 1.0])
def test_tree_regressor_with_whole_outputs_gives_the_same_labels_with_and_without_a_threshold(
    tumors, threshold
):
    X, y = tumors
    number = (y == "malignant").astype(float)
    model = DecisionTreeRegressor(random_state=0).fit(X[::2], number[::2])
    answer = model.predict(X)
    assert set(answer) == {0.0, 1.0}
    cm = ConfusionMatrix.from_estimator(model, X, number.astype(int), threshold=threshold)
    assert cm.counts.tolist() == confusion_matrix(number, answer).tolist()


def test_tree_regressor_with_whole_outputs_obeys_a_threshold_that_all_reach(tumors):
    X, y = tumors
    number = (y == "malignant").astype(int)
    model = DecisionTreeRegressor(random_state=0).fit(X, number)
    cm = ConfusionMatrix.from_estimator(model, X, number, threshold=0.0)
    assert cm.counts.sum(axis=0).tolist() == [0, len(y)]


def test_tree_regressor_of_class_numbers_gives_labels():
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeRegressor(random_state=0).fit(X, y)
    assert ConfusionMatrix.from_estimator(model, X, y).score("accuracy") == 1.0


def test_whole_probabilities_of_two_named_classes_are_scores():
    y = np.array(["ill", "well", "well"])
    assert predicted(Answering(np.array([0.0, 1.0, 0.0])), rows_for(y), y).tolist() == [
        "ill",
        "well",
        "ill",
    ]


@pytest.mark.parametrize(
    ("answer", "y", "classes", "right"),
    [
        pytest.param([0.0, 2.0, 2.0], [0, 2, 0], None, 2 / 3, id="all occur in y"),
        pytest.param([0.0, 2.0, 0.0], [0, 0, 0], None, 2 / 3, id="2 is only predicted"),
        pytest.param([0.0, 2.0, 1.0], [0.0, 2.0, 2.0], None, 2 / 3, id="float labels"),
        pytest.param([0.0, 2.0, 2.0], [0, 2, 0], [0, 2], 2 / 3, id="classes named"),
        pytest.param([2.0, 2.0, 2.0], [2, 2, 0], [0, 2], 2 / 3, id="all 2"),
    ],
)
def test_whole_floats_beyond_0_and_1_are_labels_and_no_scores(answer, y, classes, right):
    model = Answering(np.array(answer))
    assert ConfusionScorer("accuracy", classes=classes)(model, rows_for(y), y) == right
    assert (
        ConfusionMatrix.from_estimator(model, rows_for(y), y, classes=classes).score("accuracy")
        == right
    )


def test_multi_output_regressor_on_one_hot_targets(flowers):
    X, y = flowers
    one_hot = LabelBinarizer().fit_transform(y)
    model = MLPRegressor(
        hidden_layer_sizes=(5,), solver="lbfgs", tol=0.05, max_iter=2000, random_state=0
    )
    model.fit(X, one_hot)
    cm = ConfusionMatrix.from_estimator(model, X, one_hot, multilabel=False)
    expected = model.predict(X).argmax(axis=1)
    assert cm.counts.tolist() == confusion_matrix(one_hot.argmax(axis=1), expected).tolist()
    names = ["setosa", "versicolor", "virginica"]
    named = ConfusionMatrix.from_estimator(model, X, y, classes=names)
    assert named.labels.tolist() == names
    assert named.counts.tolist() == cm.counts.tolist()
    value = ConfusionScorer("accuracy", classes=names)(model, X, y)
    assert value == pytest.approx(accuracy_score(one_hot.argmax(axis=1), expected), abs=1e-15)


# Objects that only have predict.


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param([0.4, 0.7, 0.5, 0.1], [0, 1, 1, 0], id="list of probabilities"),
        pytest.param(SIGMOID, [0, 1, 1, 0], id="(n, 1) float32 sigmoid"),
        pytest.param(SIGMOID[:, 0], [0, 1, 1, 0], id="(n,) float32 sigmoid"),
        pytest.param(
            np.hstack([1 - SIGMOID, SIGMOID]), [0, 1, 0, 0], id="(n, 2) softmax, tie to the first"
        ),
        pytest.param([0, 1, 1, 0], [0, 1, 1, 0], id="list of labels"),
        pytest.param([[0], [1], [1], [0]], [0, 1, 1, 0], id="column of labels"),
        pytest.param([0.0, 1.0, 1.0, 0.0], [0, 1, 1, 0], id="whole floats"),
        pytest.param([False, True, True, False], [0, 1, 1, 0], id="booleans"),
    ],
)
@pytest.mark.parametrize("y", [[0, 1, 0, 1], [[0], [1], [0], [1]]], ids=["y (n,)", "y (n, 1)"])
def test_objects_with_only_predict(answer, expected, y):
    counts = confusion_matrix([0, 1, 0, 1], expected)
    assert (
        ConfusionMatrix.from_estimator(Answering(answer), rows_for(y), y).counts.tolist()
        == counts.tolist()
    )
    value = ConfusionScorer("specificity")(Answering(answer), rows_for(y), y)
    assert value == pytest.approx(counts[0, 0] / counts[0].sum(), abs=1e-15)


@pytest.mark.parametrize(
    ("y", "classes", "expected"),
    [
        pytest.param([1, 0, 2, 0], None, [1, 0, 2, 1], id="int"),
        pytest.param(["b", "a", "c", "a"], None, ["b", "a", "c", "b"], id="str"),
        pytest.param(
            ["b", "a", "a", "a"], ["a", "b", "c"], ["b", "a", "c", "b"], id="classes given"
        ),
        pytest.param(
            ["b", "a", "a", "a"],
            ["c", "b", "a"],
            ["b", "c", "a", "b"],
            id="classes in another order",
        ),
    ],
)
def test_softmax_of_predict_is_read_by_argmax(y, classes, expected):
    labels = predicted(Answering(SOFTMAX), rows_for(y), y, classes=classes)
    assert labels.tolist() == expected
    value = ConfusionScorer("accuracy", classes=classes)(Answering(SOFTMAX), rows_for(y), y)
    assert value == np.mean(np.array(expected) == np.array(y))


def test_softmax_of_predict_on_one_hot_targets_is_multiclass():
    y = np.eye(3, dtype=int)[[1, 0, 2, 0]]
    cm = ConfusionMatrix.from_estimator(Answering(SOFTMAX), rows_for(y), y)
    assert cm.axes == ()
    assert cm.counts.tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert ConfusionScorer("accuracy")(Answering(SOFTMAX), rows_for(y), y) == 0.75


def test_certain_softmax_on_one_hot_targets_is_multiclass_where_asked_for():
    y = np.eye(3, dtype=int)[[1, 0, 2, 0]]
    certain = np.eye(3, dtype=np.float32)[[1, 0, 2, 1]]
    cm = ConfusionMatrix.from_estimator(Answering(certain), rows_for(y), y, multilabel=False)
    assert cm.axes == ()
    assert cm.counts.tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]


def test_softmax_of_predict_obeys_thresholds_and_costs():
    y = [1, 0, 2, 0]
    quotient = (SOFTMAX / [1, 3, 1]).argmax(axis=1)
    assert (
        predicted(Answering(SOFTMAX), rows_for(y), y, threshold=[1, 3, 1]).tolist()
        == quotient.tolist()
    )
    costs = np.array([[0, 1, 5], [1, 0, 5], [1, 1, 0]])
    assert predicted(Answering(SOFTMAX), rows_for(y), y, cost_matrix=costs).tolist() == (
        (SOFTMAX @ costs).argmin(axis=1).tolist()
    )


def test_columns_of_predict_without_known_classes_say_how_to_name_them():
    with pytest.raises(ValueError, match=r"3 classes.*2 labels.*classes=\["):
        ConfusionMatrix.from_estimator(Answering(SOFTMAX), rows_for(SOFTMAX), [0, 1, 0, 1])


def test_string_labels_of_predict_are_counted():
    cm = ConfusionMatrix.from_estimator(
        Answering(["a", "c", "a"]), rows_for("xyz"), ["a", "b", "b"]
    )
    assert cm.labels.tolist() == ["a", "b", "c"]
    assert cm.counts.tolist() == [[1, 0, 0], [1, 0, 1], [0, 0, 0]]


def test_predicted_scores_that_are_not_finite_are_refused():
    with pytest.raises(ValueError, match="NaN or infinity"):
        ConfusionMatrix.from_estimator(Answering([0.2, np.nan]), rows_for("ab"), [0, 1])


@pytest.mark.parametrize(
    ("estimator", "options", "needed"),
    [
        pytest.param(object(), {}, "predict", id="nothing"),
        pytest.param(StandardScaler(), {}, "predict", id="transformer"),
        pytest.param(
            object(),
            {"threshold": 0.5},
            "predict_proba.*decision_function.*predict",
            id="threshold",
        ),
        pytest.param(
            Answering([0]), {"response_method": "predict_proba"}, "predict_proba", id="only predict"
        ),
        pytest.param(
            LinearSVC(), {"response_method": "predict_proba"}, "predict_proba", id="LinearSVC"
        ),
    ],
)
def test_estimators_without_the_method_are_refused_by_name(estimator, options, needed):
    with pytest.raises(
        TypeError, match=rf"{type(estimator).__name__} has none of the methods.*{needed}"
    ):
        ConfusionMatrix.from_estimator(estimator, [[0]], [0], **options)
    with pytest.raises(
        TypeError, match=rf"{type(estimator).__name__} has none of the methods.*{needed}"
    ):
        ConfusionScorer("accuracy", **options)(estimator, [[0]], [0])


# Estimators that wrap others.


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda model: make_pipeline(StandardScaler(), model), id="Pipeline"),
        pytest.param(lambda model: GridSearchCV(model, {}, cv=2), id="GridSearchCV"),
        pytest.param(
            lambda model: GridSearchCV(make_pipeline(StandardScaler(), model), {}, cv=2), id="both"
        ),
    ],
)
@pytest.mark.parametrize("pos_label", ["benign", "malignant"])
def test_wrapped_classifiers_keep_their_classes(tumors, wrap, pos_label):
    X, y = tumors
    model = wrap(LogisticRegression()).fit(X, y)
    column = model.predict_proba(X)[:, ["benign", "malignant"].index(pos_label)]
    other = {"benign": "malignant", "malignant": "benign"}[pos_label]
    expected = np.where(column >= 0.2, pos_label, other)
    scorer = get_scorer("specificity", threshold=0.2, pos_label=pos_label)
    assert scorer(model, X, y) == pytest.approx(
        recall_score(y, expected, pos_label=other), abs=1e-15
    )


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda model: make_pipeline(StandardScaler(), model), id="Pipeline"),
        pytest.param(lambda model: GridSearchCV(model, {}, cv=2), id="GridSearchCV"),
    ],
)
def test_wrapped_decision_functions_and_regressors(tumors, wrap):
    X, y = tumors
    number = (y == "malignant").astype(int)
    machine = wrap(LinearSVC()).fit(X, y)
    expected = np.where(machine.decision_function(X) >= 0, "malignant", "benign")
    assert (
        predicted(machine, X, y, threshold=0, pos_label="malignant").tolist() == expected.tolist()
    )
    regression = wrap(LinearRegression()).fit(X, number)
    assert predicted(regression, X, number, threshold=0.4).tolist() == (
        (regression.predict(X) >= 0.4).astype(int).tolist()
    )


def test_scores_of_folds_are_those_of_a_loop(tumors):
    X, y = tumors
    folds = [(np.arange(0, 400), np.arange(400, 569)), (np.arange(200, 569), np.arange(0, 200))]
    expected = []
    for train, test in folds:
        model = LogisticRegression().fit(X[train], y[train])
        labels = np.where(model.predict_proba(X[test])[:, 1] >= 0.25, "malignant", "benign")
        expected.append(specificity_score(y[test], labels, pos_label="malignant"))
    scorer = get_scorer("specificity", threshold=0.25, pos_label="malignant")
    assert cross_val_score(LogisticRegression(), X, y, cv=folds, scoring=scorer) == pytest.approx(
        expected, abs=1e-15
    )


# Multilabel estimators.


MULTILABEL = {
    "RandomForestClassifier": RandomForestClassifier(n_estimators=5, max_depth=4, random_state=0),
    "KNeighborsClassifier": KNeighborsClassifier(4),
    "MultiOutputClassifier": MultiOutputClassifier(LogisticRegression(max_iter=1000)),
    "MLPClassifier": make_pipeline(
        StandardScaler(),
        MLPClassifier((4,), solver="lbfgs", tol=0.05, max_iter=2000, random_state=0),
    ),
}


def probability_of_each_label(model, X):
    answer = model.predict_proba(X)
    return np.column_stack([pair[:, 1] for pair in answer]) if isinstance(answer, list) else answer


@pytest.mark.parametrize(
    ("model", "threshold", "ties"),
    one_in(3, MULTILABEL, [None, 0.25, [0.2, 0.4, 0.6, 0.8]], ["positive", "negative"]),
)
def test_multilabel_estimators(topics, model, threshold, ties):
    """The slow ones are the other combinations."""
    X, y = topics
    model = MULTILABEL[model].fit(X, y)
    p = probability_of_each_label(model, X)
    if threshold is None:
        expected = model.predict(X)
    else:
        expected = (p >= threshold if ties == "positive" else p > threshold).astype(int)
    cm = ConfusionMatrix.from_estimator(model, X, y, threshold=threshold, ties=ties)
    assert [axis.name for axis in cm.axes] == ["label"]
    assert cm.counts.tolist() == multilabel_confusion_matrix(y, expected).tolist()
    subset = ConfusionScorer("accuracy", threshold=threshold, ties=ties)(model, X, y)
    assert subset == pytest.approx(accuracy_score(y, expected), abs=1e-15)
    recall = ConfusionScorer(
        "recall", average="samples", threshold=threshold, ties=ties, zero_division=0
    )(model, X, y)
    assert recall == pytest.approx(
        recall_score(y, expected, average="samples", zero_division=0), abs=1e-12
    )


@pytest.mark.parametrize("model", MULTILABEL.values(), ids=MULTILABEL)
def test_probabilities_of_multilabel_estimators_give_what_they_predict(topics, model):
    X, y = topics
    model.fit(X, y)
    p = probability_of_each_label(model, X)
    expected = (p > 0.5).astype(int)
    assert expected.tolist() == model.predict(X).tolist()
    labels = predicted(model, X, y, response_method="predict_proba", ties="negative")
    assert labels.tolist() == expected.tolist()


def test_multilabel_decision_values_are_cut_at_0(topics):
    X, y = topics
    model = RidgeClassifier().fit(X, y)
    expected = (model.decision_function(X) > 0).astype(int)
    assert predicted(model, X, y, response_method="decision_function").tolist() == expected.tolist()


@pytest.mark.parametrize(
    "rule", [{"threshold": 0.9}, {"cost_matrix": COSTS}], ids=["threshold", "costs"]
)
def test_multilabel_predict_without_scores_refuses_a_rule_for_scores(topics, rule):
    X, y = topics
    model = MultiOutputClassifier(LinearSVC()).fit(X, y)
    with pytest.raises(
        ValueError, match=r"predict returns labels|cost_matrix applies to data with one label"
    ):
        ConfusionMatrix.from_estimator(model, X, y, **rule)


@pytest.mark.parametrize("constant", [0, 1])
def test_a_label_that_was_constant_in_training_is_predicted_as_such(topics, constant):
    X, y = topics
    y_train = y.copy()
    y_train[:, 2] = constant
    model = RandomForestClassifier(n_estimators=3, random_state=0).fit(X, y_train)
    cm = ConfusionMatrix.from_estimator(model, X, y, threshold=0.1)
    assert cm.counts[2, :, 1 - constant].tolist() == [0, 0]


def test_costs_are_refused_for_multilabel_estimators(topics):
    X, y = topics
    model = KNeighborsClassifier().fit(X, y)
    with pytest.raises(ValueError, match="cost_matrix applies to data with one label per sample"):
        ConfusionMatrix.from_estimator(model, X, y, cost_matrix=np.eye(4))


def test_a_multiclass_model_meets_one_hot_targets(flowers):
    X, y = flowers
    model = LogisticRegression().fit(X, y)
    one_hot = LabelBinarizer().fit_transform(y)
    expected = confusion_matrix(y, model.predict(X)).tolist()
    cm = ConfusionMatrix.from_estimator(model, X, one_hot, response_method="predict_proba")
    assert cm.labels.tolist() == ["setosa", "versicolor", "virginica"]
    assert cm.counts.tolist() == expected
    cm = ConfusionMatrix.from_estimator(
        model, X, one_hot, response_method="decision_function", multilabel=False
    )
    assert cm.counts.tolist() == expected


@pytest.mark.parametrize("multilabel", [None, False])
@pytest.mark.parametrize("as_frame", [False, True])
@pytest.mark.parametrize("classes", [None, ["a", "b", "c", "d"], ["d", "c", "b", "a"]], ids=str)
def test_one_hot_targets_meet_columns_of_classes_that_are_not_sorted(multilabel, as_frame, classes):
    p = np.array([[0.8, 0.1, 0.1], [0.1, 0.7, 0.2], [0.3, 0.1, 0.6], [0.2, 0.5, 0.3]])
    model = Answering(classes=np.array(["c", "a", "b"]), predict_proba=p)
    y = ["c", "a", "a", "b"]
    names = classes or ["a", "b", "c"]
    one_hot = np.array([[int(label == name) for name in names] for label in y])
    if as_frame:
        one_hot = pd.DataFrame(one_hot, columns=names)[names[1:] + names[:1]]
    options = {"response_method": "predict_proba", "multilabel": multilabel, "classes": classes}
    cm = ConfusionMatrix.from_estimator(model, rows_for(y), one_hot, **options)
    assert cm.labels.tolist() == names
    assert cm.counts.tolist() == confusion_matrix(y, ["c", "a", "b", "a"], labels=names).tolist()


TAGS = pd.DataFrame([[0, 1], [0, 1], [1, 1], [0, 0]], columns=["art", "sport"])
SPORT_AND_ART = np.array([[0.9, 0.2], [0.8, 0.1], [0.7, 0.6], [0.3, 0.4]])
PAIRS = [np.column_stack([1 - p, p]) for p in SPORT_AND_ART.T]


NAMED = {
    "classes_": (Answering(classes=["sport", "art"], predict_proba=SPORT_AND_ART), None),
    "classes": (Answering(predict_proba=SPORT_AND_ART), ["sport", "art"]),
    "both": (Answering(classes=[0, 1], predict_proba=SPORT_AND_ART), ["sport", "art"]),
    "names of columns": (
        Answering(predict_proba=pd.DataFrame(SPORT_AND_ART, columns=["sport", "art"])),
        None,
    ),
    "list": (Answering(predict_proba=PAIRS), ["sport", "art"]),
    "list and list of classes_": (CountsLooks(["sport", "art"], predict_proba=PAIRS), None),
}


@pytest.mark.parametrize(
    ("named", "threshold", "tags"),
    one_in(2, NAMED, [0.5, {"sport": 0.5, "art": 0.55}], [["art", "sport"], ["sport", "art"]]),
)
def test_columns_of_several_labels_are_matched_by_name(named, threshold, tags):
    """The slow ones are the other half of the combinations."""
    (model, classes), y = NAMED[named], TAGS[tags]
    options = {"response_method": "predict_proba", "threshold": threshold, "classes": classes}
    assert ConfusionScorer("accuracy", **options)(model, rows_for(y), y) == 1.0
    cm = ConfusionMatrix.from_estimator(model, rows_for(y), y, **options)
    assert cm.counts.tolist() == multilabel_confusion_matrix(y, y).tolist()


@pytest.mark.parametrize(
    ("names", "model"),
    one_in(
        2,
        [["sport", "art", "food", "news"], [2, 0, 3, 1], ["2", "0", "3", "1"]],
        [
            OneVsRestClassifier(LogisticRegression(max_iter=1000)),
            RandomForestClassifier(n_estimators=5, max_depth=4, random_state=0),
        ],
    ),
)
def test_numbers_of_several_labels_are_not_their_names(topics, model, names):
    """The models number the labels, or have a list of classes; the slow ones are the other for each
    kind of names.
    """
    X, y = topics
    tags = pd.DataFrame(y, columns=names)
    model.fit(X, tags)
    cuts = [0.2, 0.4, 0.6, 0.8]
    expected = multilabel_confusion_matrix(y, probability_of_each_label(model, X) >= cuts).tolist()
    for options in (
        {"threshold": cuts, "classes": names},
        {"threshold": dict(zip(names, cuts, strict=True))},
        {"threshold": pd.Series(cuts, index=names)[names[::-1]]},
    ):
        cm = ConfusionMatrix.from_estimator(model, X, tags, **options)
        assert cm.counts.tolist() == expected
    with pytest.raises(ValueError, match=r"the columns .* are no order"):
        ConfusionMatrix.from_estimator(model, X, tags, threshold=cuts)


def test_two_classes_of_three_labels_name_no_column():
    p = np.array([[0.9, 0.2, 0.1], [0.8, 0.1, 0.7], [0.2, 0.6, 0.3]])
    y = pd.DataFrame((p > 0.5).astype(int), columns=["sport", "art", "food"])
    for classes in (np.array([0, 1]), np.array(["no", "yes"])):
        cm = ConfusionMatrix.from_estimator(
            Answering(classes=classes, predict_proba=p), rows_for(p), y, threshold=0.5
        )
        assert cm.counts.tolist() == multilabel_confusion_matrix(y, y).tolist()


def test_a_data_frame_of_predicted_scores_names_the_classes_of_one_hot_targets():
    p = pd.DataFrame(SOFTMAX.astype(float), columns=["c", "a", "b"])
    one_hot = np.eye(3, dtype=int)[[1, 0, 2, 1]]
    cm = ConfusionMatrix.from_estimator(Answering(p), rows_for(p), one_hot)
    assert cm.labels.tolist() == ["a", "b", "c"]
    assert cm.counts.tolist() == np.diag([2, 1, 1]).tolist()
    assert cm == ConfusionMatrix.from_scores(one_hot, p)


# Labels that the estimator never saw.


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"response_method": "predict_proba"}, id="argmax"),
        pytest.param(
            {"threshold": 0.5, "ties": "negative", "pos_label": "versicolor"}, id="threshold"
        ),
        pytest.param(
            {"cost_matrix": {("setosa", "versicolor"): 1, ("versicolor", "setosa"): 1}}, id="costs"
        ),
    ],
)
def test_labels_unseen_by_the_estimator_are_errors_with_one_warning(flowers, options):
    X, y = flowers
    seen = y != "virginica"
    model = LogisticRegression().fit(X[seen], y[seen])
    with pytest.warns(
        UserWarning, match=r"labels \['virginica'\] that the estimator never saw"
    ) as caught:
        cm = ConfusionMatrix.from_estimator(model, X, y, **options)
    assert len(caught) == 1
    assert cm.labels.tolist() == ["setosa", "versicolor", "virginica"]
    assert cm.counts.tolist() == confusion_matrix(y, model.predict(X)).tolist()
    with pytest.warns(UserWarning, match="virginica") as caught:
        value = ConfusionScorer("accuracy", **options)(model, X, y)
    assert len(caught) == 1
    assert value == pytest.approx(accuracy_score(y, model.predict(X)), abs=1e-15)
    options = {**options, "pos_label": "versicolor"}
    with pytest.warns(UserWarning, match="virginica") as caught:
        value = ConfusionScorer("specificity", **options)(model, X, y)
    assert len(caught) == 1
    actual_others = y != "versicolor"
    assert value == pytest.approx(
        np.mean(model.predict(X)[actual_others] != "versicolor"), abs=1e-15
    )


def test_a_class_that_y_lacks_is_no_reason_to_warn(flowers):
    X, y = flowers
    model = LogisticRegression().fit(X, y)
    seen = y != "virginica"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cm = ConfusionMatrix.from_estimator(
            model, X[seen], y[seen], response_method="predict_proba"
        )
    assert cm.counts[2].tolist() == [0, 0, 0]


@pytest.mark.parametrize("response_method", ["predict", "predict_proba"])
def test_weights_reach_the_counts(tumors, tumor_model, response_method):
    X, y = tumors
    weights = np.arange(len(y))
    cm = ConfusionMatrix.from_estimator(
        tumor_model, X, y, response_method=response_method, sample_weight=weights
    )
    assert (
        cm.counts.tolist()
        == confusion_matrix(y, tumor_model.predict(X), sample_weight=weights).tolist()
    )
