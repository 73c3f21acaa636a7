"""Scorers in files of skops, which MLflow writes: whoever loads one trusts public names alone."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from skops import io

import skmetrics_ext
from skmetrics_ext import ConfusionScorer, get_scorer, recall_score

PUBLIC = {f"skmetrics_ext.{name}" for name in skmetrics_ext.__all__}
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
