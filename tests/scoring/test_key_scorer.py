"""`ConfusionScorer.scorers`: one number a scorer, each of which predicts for itself."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import ConfusionScorer
from tests.doubles import Answering

METRICS = ["recall_macro", "f1_macro", "neg_false_positive_rate_macro"]


@pytest.fixture(scope="module")
def trees():
    random = np.random.default_rng(0)
    codes = np.arange(150) % 3
    return random.normal(size=(150, 2)) + codes[:, None] * 0.8, np.array(["ash", "elm", "oak"])[
        codes
    ]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"average": "weighted", "metrics": ["recall", "f1"]},
        {"pos_label": "elm", "metrics": ["recall", "f1_macro", ("neg_fpr", "oak")]},
        {"per_class": True, "counts": True, "classes": ["ash", "elm", "oak", "yew"]},
        {"per_class": True, "labels": ["oak", "ash", "elm"], "average": "macro"},
        {"threshold": {"ash": 0.5, "elm": 0.2, "oak": 0.3}},
    ],
)
@pytest.mark.filterwarnings("ignore:.*undefined")
def test_single_scorers_give_what_the_dict_has(options, trees):
    X, y = trees
    model = GaussianNB().fit(X, y)
    scorer = ConfusionScorer(**{"metrics": METRICS} | options)
    expected = scorer(model, X, y, np.arange(150) % 4)
    scorers = scorer.scorers()
    assert list(scorers) == list(expected)
    assert [one.__name__ for one in scorers.values()] == list(expected)
    np.testing.assert_equal(
        {key: one(model, X, y, np.arange(150) % 4) for key, one in scorers.items()}, expected
    )


def test_one_metric_is_its_own_scorer():
    scorer = ConfusionScorer("recall", average="macro")
    assert scorer.scorers() == {"recall_macro": scorer}


def test_keys_by_class_need_classes():
    for option in ("per_class", "counts"):
        with pytest.raises(ValueError, match=r"names scores after the classes: pass classes=\."):
            ConfusionScorer(METRICS, **{option: True}).scorers()


def test_each_predicts_for_itself_so_that_data_may_change_in_place(trees):
    X, y = trees[0].copy(), trees[1]
    model = GaussianNB().fit(X, y)
    recall, mcc = ConfusionScorer(["recall_macro", "mcc"]).scorers().values()
    recall(model, X, y)
    X[:] = X[::-1].copy()
    assert mcc(model, X, y) == ConfusionScorer("mcc")(model, X, y) < 0.5


def test_a_search_over_single_scorers_finds_what_one_over_the_dict_finds(trees):
    X, y = trees
    grid = {"var_smoothing": [1e-9, 1e-2, 1.0]}
    folds = StratifiedKFold(3)
    scorer = ConfusionScorer(METRICS)
    results = [
        GridSearchCV(GaussianNB(), grid, scoring=scoring, refit=False, cv=folds)
        .fit(X, y)
        .cv_results_
        for scoring in (scorer, scorer.scorers())
    ]
    for key in METRICS:
        np.testing.assert_array_equal(
            results[0][f"mean_test_{key}"], results[1][f"mean_test_{key}"]
        )


def test_what_fails_is_an_error_of_its_own_scorer_alone():
    recall, f1 = (
        ConfusionScorer({"recall": "recall_macro", "f1": "f1"}, average="binary").scorers().values()
    )
    model = Answering(["b", "c", "a"])
    y = np.array(["b", "c", "a"])
    assert recall(model, None, y) == 1
    with pytest.raises(ValueError, match="f1 is of the positive class of two"):
        f1(model, None, y)


def test_an_error_of_the_prediction_is_raised_by_each():
    class Fails:
        def predict(self, _):
            raise RuntimeError("no memory")

    for scorer in ConfusionScorer(METRICS).scorers().values():
        with pytest.raises(RuntimeError, match="no memory"):
            scorer(Fails(), None, [0, 1])


def test_the_scorers_say_what_they_are():
    recall = ConfusionScorer(["recall", "mcc"]).scorers()["recall"]
    assert repr(recall) == "ConfusionScorer(['recall', 'mcc']).scorers()['recall']"


def test_single_scorers_request_what_all_request(trees):
    X, y = trees
    weights = np.arange(150) % 5
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = ConfusionScorer(METRICS).set_score_request(sample_weight=True)
        model = GaussianNB().set_fit_request(sample_weight=False)
        results = [
            cross_validate(model, X, y, scoring=scoring, cv=3, params={"sample_weight": weights})
            for scoring in (scorer, scorer.scorers(), pickle.loads(pickle.dumps(scorer.scorers())))
        ]
    for key in METRICS:
        np.testing.assert_array_equal(results[0][f"test_{key}"], results[1][f"test_{key}"])
        np.testing.assert_array_equal(results[0][f"test_{key}"], results[2][f"test_{key}"])


def test_keys_that_the_data_do_not_have_are_named():
    scorers = ConfusionScorer(["f1"], average="macro", per_class=True, labels=[0, 1]).scorers()
    y = pd.DataFrame({"sport": [0, 1, 1], "news": [1, 0, 1]})
    model = Answering(y.to_numpy())
    assert scorers["f1"](model, None, y) == 1
    with pytest.raises(
        ValueError, match=r"no score 'f1_0' for these data, only \['f1_sport', 'f1_news'\]"
    ):
        scorers["f1_0"](model, None, y)
