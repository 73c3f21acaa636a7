"""Scorers, classifiers and results in files of skops: who loads one trusts public names alone."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from skops import io

from skmetrics_ext import (
    AbstainingClassifier,
    ConfusionScorer,
    ConstrainedThresholdClassifier,
    ProbabilityClassifier,
    ThresholdCurve,
    get_scorer,
    precision_score,
    recall_score,
)
from skmetrics_ext.results import MetricsText
from tests.public_names import PUBLIC as NAMES
from tests.public_names import path_of
from tests.test_pickles import PUBLIC as OBJECTS

PUBLIC = {*map(path_of, NAMES)}
COSTS = {("benign", "malignant"): 1, ("malignant", "benign"): 20}
FRAME = pd.DataFrame([[0, 1], [20, 0]], ["benign", "malignant"], ["benign", "malignant"])

# One of each class, and of each option that holds more than numbers and strings.
SCORERS = {
    "one": ConfusionScorer("mcc"),
    "at a threshold": get_scorer("specificity", threshold=0.3, pos_label="malignant"),
    "several": ConfusionScorer(
        {"a": recall_score, "b": "npv_macro"}, zero_division=np.nan, pos_label="malignant"
    ),
    "costs of pairs": get_scorer("neg_expected_cost", cost_matrix=COSTS),
    "costs of a frame": ConfusionScorer("accuracy", cost_matrix=FRAME),
    "thresholds of a Series": ConfusionScorer(
        "accuracy", threshold=pd.Series({"malignant": 0.1, "benign": 0.9})
    ),
    "columns of a Series": ConfusionScorer(
        ["recall_macro"],
        per_class=True,
        classes=pd.Series(["benign", "malignant"]),
        labels=pd.Index(["malignant"]),
    ),
    "groups of a Series": ConfusionScorer("accuracy", by={0: pd.Series([0.0, 1.0])}),
    "a best threshold": get_scorer(
        "neg_fnr",
        threshold="best",
        subject_to={"fpr": 0.1, recall_score: (0.2, 1)},
        pos_label="malignant",
    ),
    "an index": get_scorer("evaluation_index", labels=["malignant", "benign"]),
    "one of several": ConfusionScorer(["mcc", "accuracy"]).scorers()["accuracy"],
}


@pytest.fixture(scope="module")
def fitted():
    X, y = load_breast_cancer(return_X_y=True)
    # The first column is a group.
    X[:, 0] = np.arange(len(y)) % 2
    y = np.where(y == 0, "malignant", "benign")
    return GaussianNB().fit(X, y), X, y


def loaded(scorer):
    data = io.dumps(scorer)
    untrusted = io.get_untrusted_types(data=data)
    assert {*untrusted} <= PUBLIC
    return io.loads(data, trusted=untrusted)


@pytest.mark.parametrize("name", SCORERS)
def test_a_scorer_is_the_same_after_loading(name, fitted):
    again = loaded(SCORERS[name])
    assert type(again) is type(SCORERS[name])
    assert again.__name__ == SCORERS[name].__name__
    assert repr(again) == repr(SCORERS[name])
    np.testing.assert_equal(again(*fitted), SCORERS[name](*fitted))


def test_thresholds_of_booleans_keep_their_names():
    # JSON has no keys but strings, and bool("False") is True.
    X = np.array([[0.1], [0.4], [0.6], [0.9]])
    y = np.array([False, True, False, True])
    model = LogisticRegression(C=1e4).fit(X, y)
    scorer = ConfusionScorer("recall", threshold={False: 0.9, True: 0.1})
    assert loaded(scorer)(model, X, y) == scorer(model, X, y) == 1
    assert ConfusionScorer("recall", threshold={False: 0.1, True: 0.9})(model, X, y) < 1


def test_what_is_requested_is_kept():
    with sklearn.config_context(enable_metadata_routing=True):
        again = loaded(ConfusionScorer("f1").set_score_request(sample_weight="importance", by=True))
        assert again.get_metadata_routing().score.requests == {
            "sample_weight": "importance",
            "by": True,
        }


def test_a_scorer_of_several_metrics_predicts_once_after_loading(fitted):
    class Counting(GaussianNB):
        n_calls = 0

        def predict(self, X):
            type(self).n_calls += 1
            return super().predict(X)

    model, X, y = fitted
    model = Counting().fit(X, y)
    assert set(loaded(ConfusionScorer(["mcc", "accuracy"]))(model, X, y)) == {"mcc", "accuracy"}
    assert Counting.n_calls == 1


def test_a_search_is_stored_with_its_scorer(fitted):
    _, X, y = fitted
    scorer = get_scorer("specificity", threshold=0.3, pos_label="malignant")
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}, scoring=scorer, cv=2).fit(
        X, y
    )
    data = io.dumps(search)
    untrusted = io.get_untrusted_types(data=data)
    assert {name for name in untrusted if not name.startswith("sklearn.")} == {
        "skmetrics_ext.ConfusionScorer"
    }
    assert io.loads(data, trusted=untrusted).score(X, y) == search.score(X, y)


def constrained(**options):
    return ConstrainedThresholdClassifier(
        GaussianNB(), "precision", subject_to={"recall": 0.8}, pos_label="malignant", **options
    )


# A classifier of each kind, and what its file asks to trust.
CLASSIFIERS = {
    "probabilities": (
        ProbabilityClassifier(GaussianNB(), threshold={"malignant": 0.1, "benign": 0.9}),
        ["ProbabilityClassifier"],
    ),
    "costs": (ProbabilityClassifier(GaussianNB(), cost_matrix=COSTS), ["ProbabilityClassifier"]),
    "a threshold": (
        constrained(),
        ["ConstrainedThresholdClassifier", "KeptConstraint", "ThresholdCurve"],
    ),
    "a promise": (
        constrained(confidence_level=0.9, cv=0.5, refit=False),
        ["ConstrainedThresholdClassifier", "KeptConstraint", "ThresholdCurve"],
    ),
    "weights": (
        ConstrainedThresholdClassifier(GaussianNB(), "f1_macro", subject_to={"recall_0": 0.8}),
        ["ConstrainedThresholdClassifier", "KeptConstraint"],
    ),
    "abstentions": (
        AbstainingClassifier(
            GaussianNB(), at_least=0.9, abstain_label="unknown", cv=0.5, refit=False
        ),
        ["AbstainingClassifier", "KeptConstraint", "ThresholdCurve"],
    ),
}


# Keys that JSON has not: pairs, functions, and booleans, of which bool("False") is True.
OPTIONS = {
    "costs of pairs": (
        ProbabilityClassifier,
        {"cost_matrix": {(False, True): 1, (True, False): 9}},
    ),
    "thresholds": (ProbabilityClassifier, {"threshold": {False: 0.9, True: 0.1}}),
    "bounds": (
        ConstrainedThresholdClassifier,
        {"metric": precision_score, "subject_to": {recall_score: 0.9}},
    ),
}


@pytest.mark.parametrize(("kind", "options"), OPTIONS.values(), ids=OPTIONS)
def test_a_classifier_keeps_its_options(kind, options, fitted):
    _, X, y = fitted
    model = kind(GaussianNB(), **options).fit(X, y == "malignant")
    again = loaded(model)
    assert {name: again.get_params()[name] for name in options} == options
    assert again.predict(X).tolist() == model.predict(X).tolist()


@pytest.mark.parametrize(("model", "types"), CLASSIFIERS.values(), ids=CLASSIFIERS)
def test_a_fitted_classifier_needs_these_types(model, types, fitted):
    _, X, y = fitted
    y = np.arange(len(y)) % 3 if model.get_params().get("metric") == "f1_macro" else y
    model.fit(X, y)
    data = io.dumps(model)
    assert io.get_untrusted_types(data=data) == sorted(map(path_of, types))
    again = io.loads(data, trusted=[*map(path_of, types)])
    assert repr(again) == repr(model)
    assert again.predict(X).tolist() == model.predict(X).tolist()


# A design is stored with its matrix; skops stores each string as plain text.
STORED = {
    name: make
    for name, make in OBJECTS.items()
    if not name.startswith("the design") and not isinstance(make(), str)
}


@pytest.mark.parametrize("make", STORED.values(), ids=STORED)
def test_what_is_public_is_loaded_by_public_types(make):
    value = make()
    again = loaded(value)
    assert type(again) is type(value)
    assert repr(again) == repr(value)


def test_the_text_of_a_report_is_loaded_as_text():
    text = OBJECTS["the text of a report"]()
    assert isinstance(text, MetricsText)
    assert loaded(text) == text


def test_a_curve_is_read_only_after_loading(fitted):
    curve = loaded(ThresholdCurve.from_estimator(*fitted, pos_label="malignant"))
    for part in (curve.thresholds, curve.labels, *curve.counts, curve._samples.scores):
        with pytest.raises(ValueError, match="read-only"):
            part[0] = part[0]
