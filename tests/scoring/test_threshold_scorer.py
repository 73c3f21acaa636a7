"""Scorers over all thresholds: the best value by a loop over thresholds, in every search."""

import pickle
import re

import numpy as np
import pytest
import sklearn
import sklearn.metrics
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_score,
)
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

import skmetrics_ext
from skmetrics_ext import get_scorer, make_scorer, precision_score
from tests.doubles import Answering


def best_precision(y, scores, positive, recall, weights=None):
    """The highest precision among thresholds with this recall, by scikit-learn."""
    precision, reached, _ = sklearn.metrics.precision_recall_curve(
        y, scores, pos_label=positive, sample_weight=weights
    )
    return precision[:-1][reached[:-1] >= recall].max()


@pytest.mark.parametrize("positive", ["malignant", "benign"])
@pytest.mark.parametrize(
    "model", [GaussianNB(), LinearSVC(random_state=0)], ids=["probabilities", "decisions"]
)
def test_value_is_the_best_of_all_thresholds_of_each_fold(tumors, model, positive):
    X, y = tumors
    scorer = get_scorer(
        "precision", threshold="best", subject_to={"recall": 0.9}, pos_label=positive
    )
    values = cross_val_score(model, X, y, scoring=scorer, cv=3)
    expected = []
    for train, test in StratifiedKFold(3).split(X, y):
        fitted = model.fit(X[train], y[train])
        if hasattr(fitted, "predict_proba"):
            scores = fitted.predict_proba(X[test])[:, list(fitted.classes_).index(positive)]
        else:
            scores = fitted.decision_function(X[test]) * (1 if positive == "malignant" else -1)
        expected.append(best_precision(y[test], scores, positive, 0.9))
    np.testing.assert_allclose(values, expected, rtol=1e-12)


def test_models_that_predict_scores_are_scored(tumors):
    X, y = tumors
    number = (y == "malignant").astype(int)
    model = LinearRegression().fit(X, number)
    value = get_scorer("precision", threshold="best", subject_to={"recall": 0.9})(model, X, number)
    assert value == pytest.approx(best_precision(number, model.predict(X), 1, 0.9), rel=1e-12)


def test_lower_is_better_is_negated_and_named_so(tumors):
    X, y = tumors
    model = GaussianNB().fit(X, y)
    malignant = model.predict_proba(X)[:, 1]
    fpr, tpr, _ = sklearn.metrics.roc_curve(
        y, malignant, pos_label="malignant", drop_intermediate=False
    )
    expected = -fpr[tpr >= 0.95].min()
    for metric in ("neg_fpr", skmetrics_ext.false_positive_rate):
        scorer = get_scorer(
            metric, threshold="best", subject_to={"recall": 0.95}, pos_label="malignant"
        )
        assert scorer(model, X, y) == pytest.approx(expected)


def test_parameters_go_to_the_metric(tumors):
    X, y = (part[::15] for part in tumors)
    model = GaussianNB().fit(X, y)
    malignant = model.predict_proba(X)[:, 1]
    expected = max(
        sklearn.metrics.fbeta_score(
            y, np.where(malignant >= t, "malignant", "benign"), beta=2, pos_label="malignant"
        )
        for t in np.unique(malignant)
    )
    assert get_scorer("fbeta", threshold="best", beta=2, pos_label="malignant")(
        model, X, y
    ) == pytest.approx(expected)


def test_weights_count_in_the_call_and_by_routing(tumors):
    X, y = tumors
    weights = np.random.default_rng(0).random(len(y))
    model = GaussianNB().fit(X, y)
    malignant = model.predict_proba(X)[:, 1]
    scorer = get_scorer(
        "precision", threshold="best", subject_to={"recall": 0.9}, pos_label="malignant"
    )
    expected = best_precision(y, malignant, "malignant", 0.9, weights)
    assert scorer(model, X, y, sample_weight=weights) == pytest.approx(expected, rel=1e-12)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer.set_score_request(sample_weight=True)
        classifier = GaussianNB().set_fit_request(sample_weight=False)
        values = cross_val_score(
            classifier, X, y, scoring=scorer, cv=3, params={"sample_weight": weights}
        )
    train, test = next(StratifiedKFold(3).split(X, y))
    scores = GaussianNB().fit(X[train], y[train]).predict_proba(X[test])[:, 1]
    assert values[0] == pytest.approx(
        best_precision(y[test], scores, "malignant", 0.9, weights[test]), rel=1e-12
    )


def test_searches_choose_by_it(tumors):
    X, y = tumors
    bounds = {"predicted_positive_rate": (0, 0.5)}
    scorer = get_scorer("npv", threshold="best", subject_to=bounds, pos_label="malignant")
    grid = {"C": [1e-4, 1e-2, 1.0]}
    search = GridSearchCV(LogisticRegression(max_iter=5000), grid, scoring=scorer, cv=3).fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.score(X, y) == scorer(search.best_estimator_, X, y)


def test_nothing_that_qualifies_is_a_clear_error_and_nan_in_a_search(tumors):
    X, y = tumors
    bounds = {"precision": 0.99, "predicted_positive_rate": (0.9, 1)}
    scorer = get_scorer("recall", threshold="best", subject_to=bounds, pos_label="malignant")
    with pytest.raises(
        ValueError, match=r"no threshold satisfies precision >= 0\.99 and 0\.9 <= predicted_"
    ):
        scorer(GaussianNB().fit(X, y), X, y)
    with pytest.warns(UserWarning, match="Scoring failed"):
        values = cross_val_score(GaussianNB(), X, y, scoring=scorer, cv=3)
    assert np.isnan(values).all()


def test_one_class_of_several_is_scored_against_the_rest():
    X, y = load_iris(return_X_y=True)
    model = GaussianNB().fit(X[:, :2], y)
    value = get_scorer("precision", threshold="best", subject_to={"recall": 0.8}, pos_label=2)(
        model, X[:, :2], y
    )
    assert value == pytest.approx(
        best_precision(y == 2, model.predict_proba(X[:, :2])[:, 2], True, 0.8), rel=1e-12
    )
    with pytest.raises(ValueError, match=r"\[0, 1, 2\].*positive class.*pos_label="):
        get_scorer("precision", threshold="best")(model, X[:, :2], y)


@pytest.mark.parametrize(
    ("names", "pos_label", "expected"),
    [
        ([0, 1], None, 2 / 3),
        ([-1, 1], None, 2 / 3),
        ([1, 0], None, 1 / 2),
        (["no", "yes"], "yes", 2 / 3),
        ([1, 2], 2, 2 / 3),
        ([1, 2], 1, 1 / 2),
    ],
    ids=str,
)
def test_the_positive_class_is_the_one_given_else_1_of_0_and_1(names, pos_label, expected):
    y = np.array(names)[[0, 1, 0, 1, 1]]
    X = np.arange(5.0)[:, None]
    model = LogisticRegression().fit(X, y)
    # Without a false alarm the second class has the last two of its three, the first one has one of
    # two.
    scorer = get_scorer("recall", threshold="best", subject_to={"fpr": 0}, pos_label=pos_label)
    assert scorer(model, X, y) == pytest.approx(expected)


@pytest.mark.parametrize("names", [["no", "yes"], [1, 2]], ids=str)
def test_no_other_two_labels_have_a_positive_class(names):
    y = np.array(names)[[0, 1, 0, 1, 1]]
    X = np.arange(5.0)[:, None]
    message = rf"{re.escape(str(names))}.*positive class.*pos_label="
    with pytest.raises(ValueError, match=message):
        get_scorer("recall", threshold="best", subject_to={"fpr": 0})(
            LogisticRegression().fit(X, y), X, y
        )


def test_a_model_that_saw_one_class_scores_all_alike():
    X = np.zeros((4, 1))
    model = DummyClassifier().fit(X, ["no"] * 4)
    with pytest.warns(UserWarning, match="'yes'.*estimator never"):
        value = get_scorer("recall", threshold="best", pos_label="yes")(
            model, X, ["no", "yes", "no", "yes"]
        )
    assert value == 1  # everything is positive at the only threshold


def test_how_optimistic_it_is_on_scores_that_know_nothing():
    random = np.random.default_rng(0)
    model = Answering(lambda X: random.random(len(X)))
    scorer = get_scorer("informedness", threshold="best")
    for n in (50, 500):
        y = np.repeat([0, 1], n)
        mean = np.mean([scorer(model, y, y) for _ in range(100)])
        assert mean == pytest.approx(0.6 * np.sqrt(2 / n), rel=0.15)


def test_it_pickles_and_shows_itself(tumors):
    X, y = tumors
    model = GaussianNB().fit(X, y)
    scorer = get_scorer("neg_fnr", threshold="best", subject_to={"fpr": 0.1}, pos_label="benign")
    options = "threshold='best', subject_to={'fpr': 0.1}, pos_label='benign'"
    assert repr(scorer) == f"ConfusionScorer('neg_fnr', {options})"
    assert pickle.loads(pickle.dumps(scorer))(model, X, y) == scorer(model, X, y)


def test_scikit_learn_s_tuner_says_that_it_needs_another_scorer(tumors):
    with pytest.raises(AttributeError, match=r"pass get_scorer\('f1'\)\."):
        TunedThresholdClassifierCV(
            GaussianNB(), scoring=get_scorer("f1", threshold="best"), cv=3
        ).fit(*tumors)


def test_data_of_several_labels_a_sample_are_refused():
    y = np.array([[0, 1], [1, 1], [1, 0], [0, 0]])
    X = np.arange(8.0).reshape(4, 2)
    model = MultiOutputClassifier(GaussianNB()).fit(X, y)
    with pytest.raises(ValueError, match="pass one label"):
        get_scorer("f1", threshold="best")(model, X, y)
    with pytest.raises(ValueError, match="a list of arrays"):
        get_scorer("f1", threshold="best")(model, X, y[:, 0])


def test_classifiers_without_scores_are_refused(tumors):
    X, y = tumors
    model = Answering(np.full(len(y), "benign"), classes=["benign", "malignant"])
    with pytest.raises(
        TypeError, match=r"Answering.*none of.*\['predict_proba', 'decision_function'\]"
    ):
        get_scorer("f1", threshold="best")(model, X, y)


@pytest.mark.parametrize(
    ("metric", "options", "error", "message"),
    [
        ("fpr", {}, ValueError, "Did you mean 'neg_fpr'"),
        ("precisoin", {}, ValueError, "Did you mean 'precision'"),
        ("recall_macro", {}, ValueError, "a curve is for one class"),
        ("prevalence", {}, ValueError, "neither higher nor lower values"),
        ("fbeta", {}, TypeError, "needs the parameter 'beta'"),
        ("precision", {"subject_to": {"prevalence": 0.5}}, ValueError, "pass a pair"),
        ("precision", {"subject_to": [0.5]}, TypeError, "subject_to must be a dict"),
        ("precision", {"subject_to": {"recal": 0.5}}, ValueError, "Did you mean 'recall'"),
    ],
)
def test_mistakes_are_found_at_construction(metric, options, error, message):
    with pytest.raises(error, match=message):
        get_scorer(metric, threshold="best", **options)


@pytest.mark.parametrize(
    ("model", "y", "message"),
    [
        (Answering(classes=["a"], predict_proba=np.array([[1.0], [1.0]])), [0, 1], "Mix of"),
        (
            Answering(classes=["a", "b"], predict_proba=np.array([[0.2, 0.8], [0.5, 0.5]])),
            [0, 1],
            "Mix of",
        ),
        (
            Answering(classes=[0, 1, 2], predict_proba=np.array([[0.2, 0.8], [0.5, 0.5]])),
            [0, 1],
            r"scores for 2 classes, but .* are \[0, 1, 2\]",
        ),
        (
            Answering(classes=[0, 1], predict_proba=np.array([[0.2, 0.7, 0.1], [0.5, 0.5, 0]])),
            [0, 1],
            r"scores for 3 classes, but .* are \[0, 1\]",
        ),
    ],
)
def test_classes_that_do_not_fit_are_named(model, y, message):
    with pytest.raises(ValueError, match=message):
        get_scorer("f1", threshold="best", pos_label=None)(model, y, y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"subject_to": {"recall": 0.9}},
            "subject_to= does not apply to one metric: it constrains the threshold chosen by",
        ),
        (
            {"subject_to": {"recall": 0.9}, "threshold": 0.5},
            "subject_to= does not apply to one metric: it constrains the threshold chosen by",
        ),
        (
            {"threshold": "best", "by": "sex"},
            "by= does not apply to threshold='best', which finds the labels from the scores",
        ),
        ({"threshold": "best", "ties": "negative"}, "ties= does not apply to threshold='best'"),
    ],
)
@pytest.mark.parametrize("make", [get_scorer, make_scorer])
def test_what_does_not_go_with_a_best_threshold_is_refused(make, options, message):
    with pytest.raises(ValueError, match=message):
        make(precision_score, **options)


def test_a_function_makes_the_scorer_of_its_name():
    of_function = make_scorer(precision_score, threshold="best", subject_to={"recall": 0.9})
    assert repr(of_function) == repr(
        get_scorer("precision", threshold="best", subject_to={"recall": 0.9})
    )


def test_the_bounds_are_those_that_were_given():
    bounds = {"recall": 0.5}
    scorer = get_scorer("precision", threshold="best", subject_to=bounds)
    bounds["recall"] = "nonsense"
    assert (
        scorer(
            Answering(classes=[0, 1], predict_proba=np.array([[0.2, 0.8], [0.5, 0.5]])),
            [0, 1],
            [0, 1],
        )
        == 0.5
    )


def test_a_name_with_an_average_is_refused_with_the_name_to_use():
    with pytest.raises(ValueError, match="pass 'neg_false_positive_rate'"):
        get_scorer("neg_fpr_macro", threshold="best")
