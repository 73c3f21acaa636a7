"""ProbabilityClassifier: scikit-learn's checks, labels in and out, probabilities, options."""

import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingRegressor, VotingClassifier
from sklearn.exceptions import DataConversionWarning, NotFittedError, UnsetMetadataPassedError
from sklearn.linear_model import LinearRegression, LogisticRegression, MultiTaskLasso, Ridge
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    PredefinedSplit,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    check_cv,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.multioutput import MultiOutputRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from skmetrics_ext import ConfusionScorer, ProbabilityClassifier, get_scorer, labels_from_scores
from tests.doubles import (
    LikeNGBoost,
    LikeTabNet,
    Network,
    Recorder,
    RecordingClassifier,
    SeesAllButTheFirst,
    UntaggedClassifier,
    WrappedNetwork,
)
from tests.shared import one_in


@pytest.fixture(scope="module")
def flowers():
    data = load_iris()
    return data.data, data.target_names[data.target]


def fitted_to(estimator, y):
    """The targets that an estimator is fitted to."""
    return ProbabilityClassifier(estimator).fit(np.zeros((len(y), 1)), y).estimator_


def answering(response, y=("no", "yes"), **options):
    """A classifier around a model that answers with `response`."""
    return ProbabilityClassifier(Recorder(response), **options).fit(np.zeros((len(y), 1)), list(y))


# scikit-learn's estimator checks.

CHECKS = parametrize_with_checks(
    [
        ProbabilityClassifier(LinearRegression()),
        ProbabilityClassifier(Ridge()),
        ProbabilityClassifier(DecisionTreeRegressor(random_state=0)),
        ProbabilityClassifier(LogisticRegression()),
        ProbabilityClassifier(LogisticRegression(), response_method="predict_proba"),
    ]
)


@pytest.mark.slow
def test_scikit_learn_accepts_the_classifier():
    """Some sixty small demands of scikit-learn's version on each."""
    for estimator, check in CHECKS.args[1]:
        # Arrays of other libraries are the wrapped estimator's concern, and their check is skipped
        # by default.
        if "array_api" not in check.func.__name__:
            check(estimator)


# Labels in, labels out.


def test_strings_in_strings_out(tumors):
    X, y = tumors
    model = ProbabilityClassifier(Ridge()).fit(X, y)
    assert model.classes_.tolist() == ["benign", "malignant"]
    p = Ridge().fit(X, y == "malignant").predict(X)
    assert model.predict(X).tolist() == np.where(p > 0.5, "malignant", "benign").tolist()
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], p.clip(0, 1), atol=1e-12)
    assert model.score(X, y) == np.mean(model.predict(X) == y)


@pytest.mark.parametrize(
    "y", [[3, -7], [True, False], [1.0, 2.0], [b"x", b"y"], ["b", "a"]], ids=str
)
def test_labels_come_back_in_the_type_that_they_have(y):
    y = np.tile(y, 10)
    X = (y == y[0]).astype(float)[:, np.newaxis]
    model = ProbabilityClassifier(LinearRegression()).fit(X, y)
    assert model.predict(X).dtype == y.dtype
    assert (model.predict(X) == y).all()
    assert (model.classes_ == np.unique(y)).all()


@pytest.mark.parametrize(
    "container",
    [
        list,
        pd.Series,
        lambda y: pd.Series(y, dtype="category"),
        pl.Series,
        lambda y: np.array(y, dtype=object),
    ],
    ids=["list", "pandas", "categorical", "polars", "object"],
)
def test_labels_may_be_in_any_container(container):
    y = ["yes", "no"] * 10
    X = np.array([[1.0], [0.0]] * 10)
    assert ProbabilityClassifier(LinearRegression()).fit(X, container(y)).predict(X).tolist() == y


@pytest.mark.parametrize(
    "estimator",
    [
        LinearRegression(),
        DecisionTreeRegressor(random_state=0),
        MultiOutputRegressor(GradientBoostingRegressor(n_estimators=10)),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_more_classes_are_one_hot_targets(flowers, estimator):
    X, y = flowers
    model = ProbabilityClassifier(estimator).fit(X, y)
    one_hot = (y[:, np.newaxis] == model.classes_).astype(float)
    expected = (
        clone(estimator).set_params(**estimator.get_params()).fit(X, one_hot).predict(X).clip(0, 1)
    )
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-3)
    assert (
        model.predict(X).tolist() == model.classes_[model.predict_proba(X).argmax(axis=1)].tolist()
    )


def test_a_classifier_inside_keeps_its_probabilities_to_the_bit(flowers):
    X, y = flowers
    inner = LogisticRegression(max_iter=1000)
    np.testing.assert_array_equal(
        ProbabilityClassifier(inner).fit(X, y).predict_proba(X),
        clone(inner).fit(X, y).predict_proba(X),
    )


# What the estimator is fitted to.


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (Recorder(), [0, 1, 1]),
        (Recorder(output_shape=(None, 1), loss="binary_crossentropy"), [0, 1, 1]),
        (
            Recorder(output_shape=(None, 2), loss="categorical_crossentropy"),
            [[1, 0], [0, 1], [0, 1]],
        ),
        (Recorder(module="torch", criterion="MSELoss"), [[0], [1], [1]]),
    ],
    ids=["regressor", "sigmoid", "softmax", "skorch"],
)
def test_two_classes_are_numbers_in_the_form_that_the_outputs_have(estimator, expected):
    targets = fitted_to(estimator, ["no", "yes", "yes"]).y
    assert targets.tolist() == expected
    assert targets.dtype == np.float32


@pytest.mark.parametrize(
    "extra", [{}, {"module": "torch"}, {"output_shape": (None, 3)}], ids=["", "skorch", "keras"]
)
def test_three_classes_are_one_hot_rows(extra):
    targets = fitted_to(Recorder(**extra), ["b", "c", "a"]).y
    assert targets.tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert targets.dtype == np.float32


UNTAGGED = {
    "untagged": (UntaggedClassifier, ["b", "a", "c"]),
    "like TabNet": (LikeTabNet, ["b", "a", "c"]),
    "like NGBoost": (LikeNGBoost, ["b", "a", "c"]),
    "numbers in order": (UntaggedClassifier, None),
    "other numbers": (UntaggedClassifier, [5, 3, 4]),
}


@pytest.mark.parametrize(("kind", "n_classes"), one_in(2, UNTAGGED, [2, 3]))
def test_classifiers_without_a_tag_get_the_numbers_of_the_classes(kind, n_classes):
    """The slow ones have the other number of classes."""
    inner, names = UNTAGGED[kind]
    X, codes = load_iris(return_X_y=True)
    X, codes = X[codes < n_classes], codes[codes < n_classes]
    y = codes if names is None else np.array(names)[codes]
    expected = GaussianNB().fit(X, y)
    model = ProbabilityClassifier(inner()).fit(X, y)
    assert model.estimator_.seen.dtype == np.int64
    assert model.estimator_.seen.tolist() == np.searchsorted(np.unique(y), y).tolist()
    assert model.predict(X).tolist() == expected.predict(X).tolist()
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X), atol=1e-12)
    assert get_tags(model).classifier_tags.multi_class
    scores = cross_val_score(model, X, y, scoring=get_scorer("recall_macro"), cv=3)
    assert (
        scores.tolist()
        == cross_val_score(GaussianNB(), X, y, scoring="recall_macro", cv=3).tolist()
    )
    with pytest.raises(ValueError, match=r"predict returns labels, not probabilities"):
        ProbabilityClassifier(inner(), response_method="predict").fit(X, y).predict(X)


@pytest.mark.parametrize(
    "around",
    [
        lambda model: make_pipeline(StandardScaler(), model),
        lambda model: GridSearchCV(model, {}, cv=2, scoring="accuracy"),
    ],
    ids=["pipeline", "search"],
)
def test_a_classifier_without_a_tag_may_be_inside(around):
    X, y = load_iris(return_X_y=True)
    names = np.array(["b", "a", "c"])[y]
    model = ProbabilityClassifier(around(LikeTabNet())).fit(X, names)
    assert model.predict(X).tolist() == around(GaussianNB()).fit(X, names).predict(X).tolist()


def sparse_categorical_crossentropy():
    """A loss of Keras given as a function."""


@pytest.mark.parametrize(
    "loss",
    ["sparse_categorical_crossentropy", sparse_categorical_crossentropy],
    ids=["name", "function"],
)
def test_a_sparse_loss_gets_the_numbers_of_the_classes(loss):
    targets = fitted_to(Recorder(loss=loss, output_shape=(None, 3)), ["b", "c", "a"]).y
    assert targets.tolist() == [1, 2, 0]
    assert targets.dtype == np.int64


@pytest.mark.parametrize(
    ("criterion", "dtype"),
    [("gini", np.int64), ("BCEWithLogitsLoss", np.float32)],
    ids=["classifier", "skorch-binary"],
)
def test_a_classifier_gets_the_numbers_of_the_classes(criterion, dtype):
    targets = fitted_to(RecordingClassifier(criterion), ["no", "yes", "yes"]).y_
    assert targets.tolist() == [0, 1, 1]
    assert targets.dtype == dtype


def test_the_last_step_of_a_pipeline_determines_the_targets():
    model = Recorder(output_shape=(None, 2))
    fitted = fitted_to(make_pipeline(StandardScaler(), model), ["no", "yes"])
    assert fitted.steps[-1][1].y.tolist() == [[1, 0], [0, 1]]


# Probabilities.


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ([0.25, 1.0], [[0.75, 0.25], [0, 1]]),
        ([[0.25], [1.0]], [[0.75, 0.25], [0, 1]]),
        ([[0.75, 0.25], [0.0, 1.0]], [[0.75, 0.25], [0, 1]]),
        (np.array([[[0.75], [0.25]], [[0.0], [1.0]]]), [[0.75, 0.25], [0, 1]]),
        ([-0.5, 1.5], [[1, 0], [0, 1]]),
        ([[-0.5, 2.0], [0.25, 0.5]], [[0, 1], [1 / 3, 2 / 3]]),
        ([[0.0, 0.0], [-1.0, -2.0]], [[0.5, 0.5], [0.5, 0.5]]),
        ([0, 1], [[1, 0], [0, 1]]),
    ],
    ids=["(n,)", "(n, 1)", "(n, 2)", "(n, 2, 1)", "clipped", "scaled", "nothing", "integers"],
)
def test_responses_become_rows_of_probabilities(response, expected):
    np.testing.assert_allclose(answering(response).predict_proba([[0], [0]]), expected, rtol=1e-15)


@given(
    responses=st.one_of(
        arrays(dtype, shape, elements=st.floats(-2, 2, width=32))
        for dtype in (np.float32, np.float64)
        for shape in [(5,), (5, 1), (5, 2), (5, 3), (5, 7)]
    )
)
def test_probabilities_sum_to_one_and_their_order_is_kept(responses):
    n_classes = max(2, responses.shape[1] if responses.ndim == 2 else 2)
    model = answering(responses, y=range(n_classes))
    p = model.predict_proba(np.zeros((5, 1)))
    assert p.shape == (5, n_classes)
    assert p.dtype == responses.dtype
    assert ((p >= 0) & (p <= 1)).all()
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-5 if p.dtype == np.float32 else 1e-14)
    assert (model.predict(np.zeros((5, 1))) == p.argmax(axis=1)).all()
    if responses.ndim == 1:
        np.testing.assert_array_equal(p[:, 1], responses.clip(0, 1))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@given(data=st.data())
def test_probabilities_that_sum_to_one_are_not_touched(dtype, data):
    counts = data.draw(arrays(np.int64, (4, 3), elements=st.integers(1, 50)))
    p = (counts / counts.sum(axis=1, keepdims=True)).astype(dtype)
    np.testing.assert_array_equal(answering(p, y="abc").predict_proba(np.zeros((4, 1))), p)


def test_columns_are_put_where_the_classes_inside_say():
    response = np.array([[0.25, 0.75]], dtype=np.float32)
    model = ProbabilityClassifier(Recorder(response, classes_=np.array([0, 2]))).fit(
        [[0]] * 3, ["a", "b", "c"]
    )
    assert model.predict_proba([[0]]).tolist() == [[0.25, 0, 0.75]]
    assert model.predict_proba([[0]]).dtype == np.float32
    assert model.predict([[0]]).tolist() == ["c"]


def test_a_class_that_the_estimator_leaves_out_has_probability_zero():
    model = ProbabilityClassifier(SeesAllButTheFirst()).fit([[0], [0]], ["no", "yes"])
    assert model.predict_proba([[0]]).tolist() == [[0, 1]]
    assert model.predict([[0]]).tolist() == ["yes"]


# Thresholds and costs.


def test_half_is_the_first_class_without_a_threshold_and_positive_with_it():
    assert answering([0.5, 0.6]).predict([[0]] * 2).tolist() == ["no", "yes"]
    at_half = {"threshold": 0.5, "pos_label": "yes"}
    assert answering([0.5, 0.6], **at_half).predict([[0]] * 2).tolist() == ["yes", "yes"]
    assert answering([0.5, 0.6], **at_half, ties="negative").predict([[0]] * 2).tolist() == [
        "no",
        "yes",
    ]


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": 0.3, "pos_label": "malignant"},
        {"threshold": 0.3, "pos_label": "benign"},
        {"threshold": {"benign": 0.2, "malignant": 0.8}},
        {"cost_matrix": {("benign", "malignant"): 1, ("malignant", "benign"): 9}},
    ],
    ids=str,
)
def test_options_are_those_of_labels_from_scores(tumors, options):
    X, y = tumors
    model = ProbabilityClassifier(Ridge(), **options).fit(X, y)
    expected = labels_from_scores(model.predict_proba(X), classes=model.classes_, **options)
    assert model.predict(X).tolist() == expected.tolist()
    assert model.predict(X).tolist() != ProbabilityClassifier(Ridge()).fit(X, y).predict(X).tolist()


def test_costs_choose_the_class_of_least_expected_cost(flowers):
    X, y = flowers
    cost = np.array([[0, 1, 2], [5, 0, 1], [9, 4, 0]])
    model = ProbabilityClassifier(DecisionTreeRegressor(max_depth=2), cost_matrix=cost)
    model.fit(X, pd.Categorical(y, ordered=True))
    expected = [
        model.classes_[np.argmin([row @ cost[:, k] for k in range(3)])]
        for row in model.predict_proba(X)
    ]
    assert model.predict(X).tolist() == expected


def cost_by_hand(labels, model, X, y, costs):
    """The mean cost per sample of the most probable labels and of those of the least cost, over the
    folds.
    """
    values = []
    for train, test in StratifiedKFold(3).split(X, y):
        shares = model.fit(X[train], y[train]).predict_proba(X[test])
        actual = np.searchsorted(labels, y[test])
        answers = shares.argmax(axis=1), (shares @ costs).argmin(axis=1)
        values.append([costs[actual, answer].mean() for answer in answers])
    return np.mean(values, axis=0)


def mean_score(model, X, y, scoring, name="score"):
    results = cross_validate(model, X, y, cv=3, scoring=scoring, error_score="raise")
    return results[f"test_{name}"].mean()


@pytest.mark.parametrize("data", ["tumors", "flowers"])
def test_scorers_of_costs_ask_a_classifier_for_labels_of_least_cost(data, request):
    X, y = request.getfixturevalue(data)
    X, labels = X[:, :2], np.unique(y)
    costs = np.array([[0, 1, 2], [5, 0, 1], [9, 4, 0]])[: len(labels), : len(labels)]
    named = {(a, b): costs[i, j].item() for i, a in enumerate(labels) for j, b in enumerate(labels)}
    model = GaussianNB()
    of_predict, of_least = cost_by_hand(labels, model, X, y, costs)
    assert of_least < of_predict - 0.01
    by_cost = ProbabilityClassifier(model, cost_matrix=named)
    scorer = get_scorer("neg_expected_cost", cost_matrix=named)
    several = ConfusionScorer(["accuracy", "neg_expected_cost"], cost_matrix=named)
    for scoring in ((scorer,), (several, "neg_expected_cost")):
        assert mean_score(model, X, y, *scoring) == pytest.approx(-of_predict)
        assert mean_score(by_cost, X, y, *scoring) == pytest.approx(-of_least)

    def own_cost(cm):
        return cm.score("expected_cost", cost_matrix=named)

    own_cost.greater_is_better = False
    # For every other metric the costs of a scorer choose the labels.
    choosing = get_scorer(own_cost, cost_matrix=named)
    assert mean_score(model, X, y, choosing) == pytest.approx(-of_least)
    if len(labels) == 2:
        of_threshold = {"threshold": 1 / (1 + 5), "pos_label": labels[1]}
        scorer = get_scorer("neg_expected_cost", cost_matrix=named, **of_threshold)
        assert mean_score(model, X, y, scorer) == pytest.approx(-of_least)


def test_costs_of_a_scorer_choose_no_labels_beside_the_expected_cost(tumors):
    X, y = tumors
    X = X[:, :2]
    costs = {("benign", "malignant"): 1, ("malignant", "benign"): 20}
    options = {"cost_matrix": costs, "pos_label": "malignant"}
    alone = ConfusionScorer(["recall"], **options), "recall"
    beside = ConfusionScorer(["recall", "neg_expected_cost"], **options), "recall"
    of_predict = get_scorer("recall", pos_label="malignant")
    model = GaussianNB()
    by_cost = ProbabilityClassifier(model, cost_matrix=costs)
    of_argmax, of_least = (mean_score(one, X, y, of_predict) for one in (model, by_cost))
    assert of_least > of_argmax + 0.05
    assert mean_score(model, X, y, *alone) == of_least
    assert mean_score(model, X, y, *beside) == of_argmax
    assert mean_score(by_cost, X, y, *beside) == of_least


def test_a_float32_probability_reaches_the_same_number_as_threshold():
    response = np.array([0.3, 0.7], dtype=np.float32)
    for threshold, expected in ((0.7, ["no", "yes"]), (0.3, ["yes", "yes"])):
        model = answering(response, threshold=threshold, pos_label="yes")
        assert model.predict([[0]] * 2).tolist() == expected


@pytest.mark.parametrize("y", [["no", "yes"], [1, 2]], ids=str)
def test_one_threshold_needs_the_positive_class_when_it_is_fitted_or_set(y):
    message = rf"{re.escape(str(y))}.*positive class.*pos_label="
    with pytest.raises(ValueError, match=message):
        answering([0.4, 0.6], y=y, threshold=0.3)
    model = answering([0.4, 0.6], y=y).set_params(threshold=0.3)
    with pytest.raises(ValueError, match=message):
        model.predict([[0]] * 2)
    # One number per class needs no positive class, and 1 is the default one with 0 or -1: 0.4 and
    # 0.6 reach 0.3.
    assert (
        answering([0.4, 0.6], y=y, threshold=dict.fromkeys(y, 0.5)).predict([[0]] * 2).tolist() == y
    )
    for labels in ([0, 1], [-1, 1], [False, True]):
        assert answering([0.4, 0.6], y=labels, threshold=0.3).predict([[0]] * 2).tolist() == [1, 1]


def test_a_threshold_may_be_set_after_fitting():
    model = answering([0.4, 0.6], pos_label="yes")
    assert model.predict([[0]] * 2).tolist() == ["no", "yes"]
    assert model.set_params(threshold=0.3).predict([[0]] * 2).tolist() == ["yes", "yes"]


# In combination with scikit-learn's estimators.


def test_searches_stratify_and_reach_the_threshold_and_the_parameters_inside(tumors):
    X, y = (part[::3] for part in tumors)
    model = ProbabilityClassifier(make_pipeline(StandardScaler(), Ridge()), pos_label="malignant")
    assert is_classifier(model)
    assert not is_regressor(model)
    assert isinstance(check_cv(3, y, classifier=is_classifier(model)), StratifiedKFold)
    grid = {"threshold": [0.2, 0.6], "estimator__ridge__alpha": [0.1, 100]}
    scoring = get_scorer("g_mean", pos_label="malignant")
    search = GridSearchCV(model, grid, scoring=scoring, cv=3, error_score="raise").fit(X, y)
    for options, score in zip(
        search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True
    ):
        assert (
            score
            == cross_val_score(
                clone(model).set_params(**options), X, y, cv=3, scoring=scoring
            ).mean()
        )
    assert search.best_score_ == search.cv_results_["mean_test_score"].max()
    assert search.best_estimator_.threshold in grid["threshold"]


def test_scorers_with_a_threshold_read_the_probabilities(tumors):
    X, y = tumors
    model = ProbabilityClassifier(Ridge()).fit(X, y)
    scorer = get_scorer("specificity", pos_label="malignant", threshold=0.3)
    benign = y == "benign"
    assert scorer(model, X, y) == (model.predict_proba(X)[benign, 1] < 0.3).mean()


def test_fixed_and_tuned_thresholds_wrap_it(tumors):
    X, y = tumors
    model = ProbabilityClassifier(Ridge())
    fixed = FixedThresholdClassifier(
        model, threshold=0.3, pos_label="malignant", response_method="predict_proba"
    )
    expected = (
        ProbabilityClassifier(Ridge(), threshold=0.3, pos_label="malignant").fit(X, y).predict(X)
    )
    assert fixed.fit(X, y).predict(X).tolist() == expected.tolist()
    scorer = get_scorer("g_mean", pos_label="malignant")
    tuned = TunedThresholdClassifierCV(model, scoring=scorer, cv=3, thresholds=20).fit(X, y)
    assert scorer(tuned, X, y) >= scorer(model.fit(X, y), X, y)


def test_it_calibrates_votes_and_cross_predicts(tumors):
    X, y = tumors
    model = ProbabilityClassifier(Ridge())
    for meta in (
        CalibratedClassifierCV(model, cv=2),
        VotingClassifier([("a", model), ("b", model)], voting="soft"),
    ):
        assert set(meta.fit(X, y).predict(X)) == {"benign", "malignant"}
    assert cross_val_predict(model, X, y, cv=2, method="predict_proba").shape == (len(y), 2)


def test_clones_and_pickles_predict_the_same(tumors):
    X, y = tumors
    tree = DecisionTreeRegressor(max_depth=2, random_state=0)
    model = ProbabilityClassifier(tree, threshold=0.2, pos_label="malignant").fit(X, y)
    for other in (pickle.loads(pickle.dumps(model)), clone(model).fit(X, y)):
        assert other.predict(X).tolist() == model.predict(X).tolist()
    assert not hasattr(clone(model), "estimator_")
    assert model.estimator_ is not model.estimator
    assert "threshold=0.2" in repr(model)
    assert "DecisionTreeRegressor" in model._repr_html_()


def test_weights_count_as_repeated_rows(tumors):
    X, y = tumors
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    model = ProbabilityClassifier(LinearRegression())
    weighted = clone(model).fit(X, y, sample_weight=weight).predict_proba(X)
    repeated = clone(model).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight)).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-9)
    assert not np.allclose(weighted, clone(model).fit(X, y).predict_proba(X), atol=1e-3)


def test_fit_parameters_reach_the_estimator_and_none_is_added():
    weight = np.array([1, 2])
    model = ProbabilityClassifier(Recorder())
    given = model.fit([[0], [1]], [0, 1], sample_weight=weight, epochs=3).estimator_.fit_params
    assert given == {"sample_weight": weight, "epochs": 3}
    assert model.fit([[0], [1]], [0, 1]).estimator_.fit_params == {}


@pytest.mark.usefixtures("routing")
def test_routed_weights_reach_an_estimator_that_requests_them(tumors):
    X, y = tumors
    weight = np.where(y == "malignant", 9.0, 1.0)
    inner = Ridge().set_fit_request(sample_weight=True)
    model = ProbabilityClassifier(inner).fit(X, y, sample_weight=weight)
    expected = Ridge().fit(X, y == "malignant", sample_weight=weight).predict(X).clip(0, 1)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expected, atol=1e-9)
    assert ProbabilityClassifier(inner).fit(X, y).score(X, y) > 0.8
    requesting = ProbabilityClassifier(inner, pos_label="malignant").set_score_request(
        sample_weight=True
    )
    in_pipeline = make_pipeline("passthrough", requesting).fit(X, y, sample_weight=weight)
    right = in_pipeline.predict(X) == y
    assert in_pipeline.score(X, y, sample_weight=weight) == pytest.approx(
        np.average(right, weights=weight), abs=1e-12
    )
    folds = np.arange(len(y)) % 2
    search = GridSearchCV(requesting, {"threshold": [0.5]}, cv=PredefinedSplit(folds)).fit(
        X, y, sample_weight=weight
    )
    np.testing.assert_allclose(search.best_estimator_.predict_proba(X)[:, 1], expected, atol=1e-9)
    scores = []
    for train, test in [(folds == 1, folds == 0), (folds == 0, folds == 1)]:
        p = (
            Ridge()
            .fit(X[train], y[train] == "malignant", sample_weight=weight[train])
            .predict(X[test])
        )
        scores.append(np.average((p >= 0.5) == (y[test] == "malignant"), weights=weight[test]))
    assert search.best_score_ == pytest.approx(np.mean(scores), abs=1e-12)


@pytest.mark.usefixtures("routing")
def test_routed_weights_without_a_request_are_refused(tumors):
    X, y = tumors
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        ProbabilityClassifier(Ridge()).fit(X, y, sample_weight=np.ones(len(y)))
    assert not hasattr(ProbabilityClassifier(Ridge()), "set_fit_request")


@pytest.mark.usefixtures("routing")
def test_an_estimator_that_cannot_request_gets_what_fit_is_given():
    assert ProbabilityClassifier(Recorder()).fit(
        [[0], [1]], [0, 1], epochs=3
    ).estimator_.fit_params == {"epochs": 3}


def test_tags_are_those_of_a_classifier_with_the_input_of_the_estimator():
    tags = get_tags(ProbabilityClassifier(DecisionTreeRegressor()))
    assert tags.estimator_type == "classifier"
    assert tags.input_tags == get_tags(DecisionTreeRegressor()).input_tags
    assert tags.classifier_tags.multi_class
    assert get_tags(ProbabilityClassifier(LogisticRegression())).classifier_tags.multi_class
    assert not get_tags(
        ProbabilityClassifier(GradientBoostingRegressor())
    ).classifier_tags.multi_class
    assert get_tags(ProbabilityClassifier(Recorder())).estimator_type == "classifier"


def test_sparse_data_reach_the_estimator(tumors):
    X, y = tumors
    dense = ProbabilityClassifier(Ridge(solver="lsqr", tol=1e-10)).fit(X, y).predict(X)
    from_sparse = ProbabilityClassifier(Ridge(solver="lsqr", tol=1e-10)).fit(sparse.csr_array(X), y)
    assert np.mean(from_sparse.predict(sparse.csr_array(X)) == dense) > 0.99


@pytest.mark.parametrize("estimator", [LinearRegression(), Network(2)], ids=["sklearn", "network"])
def test_names_of_features_are_kept_and_compared(estimator):
    X = pd.DataFrame({"age": [1.0, 2, 3, 4], "size": [0.0, 1, 1, 0]})
    model = ProbabilityClassifier(estimator).fit(X, [0, 0, 1, 1])
    assert model.feature_names_in_.tolist() == ["age", "size"]
    assert model.n_features_in_ == 2
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(X[["size", "age"]])


def test_the_number_of_features_is_compared_where_the_estimator_does_not():
    model = ProbabilityClassifier(Network(2)).fit(np.zeros((2, 2)), [0, 1])
    with pytest.raises(
        ValueError, match="X has 3 features, but ProbabilityClassifier is expecting 2"
    ):
        model.predict(np.zeros((2, 3)))


def test_a_positive_class_is_looked_up_when_labels_are_predicted(tumors):
    X, y = tumors
    model = ProbabilityClassifier(Ridge(), threshold=0.3, pos_label="malignant")
    codes = (y == "malignant").astype(int)
    expected = cross_val_predict(
        ProbabilityClassifier(Ridge()), X, codes, cv=2, method="predict_proba"
    )
    # scikit-learn encodes the labels here, before fit sees them.
    np.testing.assert_array_equal(
        cross_val_predict(model, X, y, cv=2, method="predict_proba"), expected
    )
    with pytest.raises(
        ValueError, match=r"pos_label='malignant' is not one of the classes \[0, 1\]"
    ):
        model.fit(X, codes).predict(X)


# Models as Keras has them.


def test_a_network_without_get_params_is_searched_scored_and_pickled(tumors):
    X, y = tumors
    X = StandardScaler().fit_transform(X)
    model = ProbabilityClassifier(Network(X.shape[1]), pos_label="malignant")
    scoring = get_scorer("specificity", pos_label="malignant")
    search = GridSearchCV(
        model, {"threshold": [0.3, 0.9]}, scoring=scoring, cv=3, error_score="raise"
    )
    search.fit(X, y, epochs=20)
    assert search.best_params_ == {"threshold": 0.9}
    assert pickle.loads(pickle.dumps(search)).predict(X).tolist() == search.predict(X).tolist()
    assert search.score(X, y) > 0.9


def test_a_copied_model_goes_on_from_its_weights_and_leaves_the_original_alone():
    X, y = np.array([[-1.0], [1.0]]), ["no", "yes"]
    network = Network(1)
    network.fit(X, np.array([0, 1]), epochs=5)
    before = network.weights.copy()
    fitted = ProbabilityClassifier(network).fit(X, y, epochs=1).estimator_
    network_copy = Network(1)
    network_copy.fit(X, np.array([0, 1]), epochs=6)
    assert fitted.weights.tolist() == network_copy.weights.tolist()
    assert network.weights.tolist() == before.tolist()


# What is refused.


@pytest.mark.parametrize(
    ("y", "error", "message"),
    [
        (
            [0.5, 1.5],
            ValueError,
            r"Unknown label type: y holds continuous values such as 0\.5.*bin a continuous",
        ),
        ([0.0, np.nan], ValueError, "Unknown label type: y holds NaN"),
        (["a", None], ValueError, "Unknown label type: y holds None"),
        (["a", 1], ValueError, "Unknown label type: y holds a mix of numbers and strings"),
        (["a", "a"], ValueError, r"y holds one class, \['a'\]: a classifier needs at least two"),
        (
            [[0, 1], [1, 0]],
            ValueError,
            r"2-D 0/1 indicator of shape \(2, 2\).*classes\[y.argmax\(axis=1\)\]",
        ),
        ([1j, 2j], ValueError, "Complex data not supported"),
        (None, ValueError, "requires y to be passed, but the target y is None"),
        ([{}, {}], ValueError, "y must hold one label per sample"),
    ],
    ids=[
        "continuous",
        "nan",
        "none",
        "mixed",
        "one-class",
        "one-hot",
        "complex",
        "absent",
        "dicts",
    ],
)
def test_targets_that_are_not_labels_are_refused(y, error, message):
    with pytest.raises(error, match=message):
        ProbabilityClassifier(LinearRegression()).fit([[0], [1]], y)


def test_a_column_of_labels_is_taken_with_scikit_learn_s_warning():
    model = ProbabilityClassifier(LinearRegression())
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
        model.fit([[0], [1]], [["no"], ["yes"]])
    assert model.predict([[0], [1]]).tolist() == ["no", "yes"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ties": "both"}, "ties must be 'positive'"),
        ({"threshold": 0.5, "cost_matrix": np.eye(2)}, "pass only one of them"),
        ({"threshold": [0.2, 0.3, 0.5]}, "threshold has 3 numbers for 2 classes"),
        ({"pos_label": "maybe"}, r"pos_label='maybe' is not one of the classes \['no', 'yes'\]"),
        ({"cost_matrix": np.eye(3)}, r"cost_matrix has shape \(3, 3\), but there are 2 classes"),
    ],
    ids=str,
)
def test_options_that_do_not_fit_are_refused_by_fit(options, message):
    model = ProbabilityClassifier(LinearRegression(), **options)
    with pytest.raises(ValueError, match=message):
        model.fit([[0], [1]], ["no", "yes"])


def test_one_threshold_for_three_classes_is_refused():
    with pytest.raises(ValueError, match=r"threshold=0\.5 is one number, but there are 3 classes"):
        ProbabilityClassifier(LinearRegression(), threshold=0.5).fit(
            [[0], [1], [2]], ["a", "b", "c"]
        )


def test_a_classifier_without_probabilities_is_refused():
    with pytest.raises(
        TypeError, match=r"LinearSVC is a classifier without predict_proba.*CalibratedClassifierCV"
    ):
        ProbabilityClassifier(LinearSVC()).fit([[0], [1]], ["no", "yes"])


@pytest.mark.parametrize(
    ("response", "y", "error", "message"),
    [
        (
            [0.5, np.nan],
            "ab",
            ValueError,
            "Recorder.predict returns no probabilities: .* NaN or infinity",
        ),
        (
            [0.5, np.inf],
            "ab",
            ValueError,
            "Recorder.predict returns no probabilities: .* NaN or infinity",
        ),
        (
            ["a", "b"],
            "ab",
            TypeError,
            "Recorder.predict returns no probabilities: .* must hold numbers",
        ),
        (
            np.zeros((2, 2, 2)),
            "ab",
            ValueError,
            "Recorder.predict returns no probabilities: .* must be 1-D or 2-D",
        ),
        (
            [np.ones((2, 2))] * 3,
            "ab",
            ValueError,
            "Recorder.predict returns 3 arrays, not a single output",
        ),
        (
            [0.5, 0.5],
            "abc",
            ValueError,
            r"Recorder.predict returns one output, but there are 3 classes \['a', 'b', 'c'\]",
        ),
        (
            np.ones((2, 3)),
            "ab",
            ValueError,
            "returns 3 outputs, but there are 2 classes .*MultiOutputRegressor",
        ),
    ],
    ids=["nan", "inf", "labels", "3-D", "list", "one-for-three", "three-for-two"],
)
def test_responses_that_are_not_probabilities_of_the_classes_are_refused(
    response, y, error, message
):
    with pytest.raises(error, match=message):
        answering(response, y=y).predict([[0], [0]])


# The method that gives the probabilities.


@pytest.mark.parametrize(
    ("data", "method"),
    one_in(2, ["flowers", "tumors"], ["decision_function", ["predict_proba", "decision_function"]]),
)
def test_outputs_by_the_name_of_decision_function_are_probabilities(request, data, method):
    """The slow ones are the other data for each."""
    X, y = request.getfixturevalue(data)
    X = StandardScaler().fit_transform(X)
    model = clone(ProbabilityClassifier(WrappedNetwork(), response_method=method)).fit(X, y)
    assert model.get_params()["response_method"] == method
    p = LogisticRegression().fit(X, y).predict_proba(X)
    np.testing.assert_allclose(model.predict_proba(X), p, atol=1e-6)
    assert model.predict(X).tolist() == model.classes_[p.argmax(axis=1)].tolist()
    if len(model.classes_) == 2:
        model.set_params(threshold=0.2, pos_label="malignant")
        assert model.predict(X).tolist() == np.where(p[:, 1] >= 0.2, "malignant", "benign").tolist()
        scorer = get_scorer("specificity", pos_label="malignant", threshold=0.2)
        assert scorer(model, X, y) == (p[y == "benign", 1] < 0.2).mean()
        grid = {"threshold": [0.1, 0.9], "estimator__slope": [1.0, 2.0]}
        search = GridSearchCV(model, grid, cv=3, scoring="recall_macro", error_score="raise").fit(
            X, y
        )
        assert search.best_score_ > 0.9


def test_decision_values_are_not_probabilities(tumors):
    X, y = tumors
    for estimator in (LinearSVC(), make_pipeline(StandardScaler(), LinearSVC())):
        model = ProbabilityClassifier(
            estimator, response_method=["predict_proba", "decision_function"]
        )
        message = (
            r"decision_function returns values from -\d.* to \d.*not "
            r"probabilities.*CalibratedClassifierCV"
        )
        with pytest.raises(ValueError, match=message):
            model.fit(X[:200], y[:200])
        with pytest.raises(NotFittedError):
            model.predict(X)


def test_decision_values_are_refused_before_a_few_of_them_look_like_probabilities():
    X, y = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]
    wrapped = LinearSVC(C=0.1).fit(X, y)
    assert ((wrapped.decision_function(X[4:5]) > 0) & (wrapped.decision_function(X[4:5]) < 1)).all()
    with pytest.raises(
        ValueError, match=r"LinearSVC.decision_function returns values from .*not probabilities"
    ):
        ProbabilityClassifier(LinearSVC(C=0.1), response_method="decision_function").fit(X, y)


@pytest.mark.parametrize(
    ("outputs", "found"),
    [
        ([[0.2, 0.8], [-0.1, 1.1]], "values from -0.1 to 1.1"),
        ([[0.2, 0.8], [0.4, 0.8]], "rows that do not sum to 1"),
        ([0.2, 1.5], "values from -0.5 to 1.5"),
        ([-0.2, 0.5], "values from -0.2 to 1.2"),
    ],
)
def test_outputs_that_are_not_probabilities_are_refused(outputs, found):
    message = f"Recorder.decision_function returns {found}, which are not probabilities"
    model = Recorder(decision_function=lambda X: np.array(outputs if X[0] == [5] else [0.25, 0.75]))
    model = ProbabilityClassifier(model, response_method="decision_function")
    with pytest.raises(ValueError, match=message):
        model.fit([[5], [1]], ["no", "yes"])
    model.fit([[0], [1]], ["no", "yes"])
    with pytest.raises(ValueError, match=message):
        model.predict_proba([[5], [0]])


def test_one_output_by_the_name_of_decision_function_is_that_of_the_second_class():
    model = Recorder(decision_function=lambda _: np.array([[0.25], [0.75]]))
    model = ProbabilityClassifier(model, response_method="decision_function").fit(
        [[0], [1]], ["no", "yes"]
    )
    assert model.predict_proba([[0], [0]]).tolist() == [[0.75, 0.25], [0.25, 0.75]]


def test_predict_is_taken_where_it_is_named():
    model = Recorder([0.25, 0.75], predict_proba=lambda _: np.array([[1.0, 0], [1, 0]]))
    assert ProbabilityClassifier(model).fit([[0], [1]], [0, 1]).predict_proba(
        [[0]] * 2
    ).tolist() == [[1, 0], [1, 0]]
    model = ProbabilityClassifier(model, response_method="predict").fit([[0], [1]], [0, 1])
    assert model.predict_proba([[0]] * 2).tolist() == [[0.75, 0.25], [0.25, 0.75]]


def test_labels_of_a_classifier_are_not_probabilities(tumors):
    model = ProbabilityClassifier(LogisticRegression(max_iter=9999), response_method="predict").fit(
        *tumors
    )
    with pytest.raises(
        ValueError, match=r"LogisticRegression.predict returns labels.*response_method="
    ):
        model.predict(tumors[0])


@pytest.mark.parametrize("method", ["predict_log_proba", [], ["auto", "predict"]], ids=str)
def test_an_unknown_method_is_refused(method):
    with pytest.raises(
        ValueError, match=r"response_method must be 'auto' or one or more of \['predict', "
    ):
        ProbabilityClassifier(Ridge(), response_method=method).fit([[0], [1]], [0, 1])


def test_a_method_that_the_estimator_lacks_is_refused():
    with pytest.raises(TypeError, match=r"Ridge.*none of.*\['decision_function'\]"):
        ProbabilityClassifier(Ridge(), response_method="decision_function").fit([[0], [1]], [0, 1])
    for estimator in (LinearSVC(), make_pipeline(StandardScaler(), LinearSVC())):
        with pytest.raises(
            TypeError, match=r"is a classifier without predict_proba.*or use it as it is\.$"
        ):
            ProbabilityClassifier(estimator).fit([[0], [1]], ["no", "yes"])
    with pytest.raises(
        TypeError, match=r"WrappedNetwork is a classifier.*response_method='decision_function'\.$"
    ):
        ProbabilityClassifier(WrappedNetwork()).fit([[0], [1]], ["no", "yes"])


@pytest.mark.parametrize(
    ("estimator", "name"),
    [
        (MultiOutputRegressor(Ridge()), "MultiOutputRegressor"),
        (make_pipeline(StandardScaler(), MultiOutputRegressor(Ridge())), "MultiOutputRegressor"),
        (MultiTaskLasso(), "MultiTaskLasso"),
    ],
)
def test_a_model_of_several_outputs_is_refused_for_two_classes(estimator, name):
    X = np.arange(6.0)[:, None]
    with pytest.raises(
        ValueError, match=f"{name} learns several target columns.*two classes is a single column"
    ):
        ProbabilityClassifier(estimator).fit(X, [0, 1] * 3)
    assert ProbabilityClassifier(estimator).fit(X, [0, 1, 2] * 2).predict_proba(X).shape == (6, 3)


def test_it_predicts_only_when_fitted():
    for method in ("predict", "predict_proba"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(ProbabilityClassifier(LinearRegression()), method)([[0]])


def test_what_is_not_a_model_is_refused():
    with pytest.raises(TypeError, match="estimator must be a model with fit; got <function"):
        ProbabilityClassifier(answering).fit([[0], [1]], [0, 1])
