"""Weights and groups in searches, with metadata routing and without it: what the recipes say."""

from functools import cache

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.metrics import recall_score
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedGroupKFold, cross_validate

from skmetrics_ext import ConfusionScorer, get_scorer
from tests.doubles import NearestMean
from tests.shared import one_in

VERSION = tuple(map(int, sklearn.__version__.split(".")[:2]))
X, Y = (part[:180] for part in load_breast_cancer(return_X_y=True))
X = X[:, :4]
RNG = np.random.default_rng(0)
WEIGHT = RNG.integers(1, 20, len(Y)).astype(float)
PATIENT = np.arange(len(Y)) // 6
FEATURES = [1, 4]
SPLITTERS = [GroupKFold(3), StratifiedGroupKFold(3)]
SCORERS = {
    "of scikit-learn's kind": lambda: get_scorer("recall", pos_label=0),
    "at a threshold": lambda: get_scorer("recall", pos_label=0, threshold=0.5),
    "of several metrics": lambda: ConfusionScorer(["recall", "mcc"], pos_label=0),
}
each_scorer = pytest.mark.parametrize("make", SCORERS.values(), ids=SCORERS)


def model_of(n_features=None):
    return NearestMean(n_features)


@cache
def by_hand(splitter, *, scores_are_weighted):
    """Mean recall of class 0 over the folds, for each number of features; the fits are weighted."""
    values = []
    for train, test in splitter.split(X, Y, PATIENT):
        for n in FEATURES:
            model = model_of(n).fit(X[train], Y[train], sample_weight=WEIGHT[train])
            weight = WEIGHT[test] if scores_are_weighted else None
            predicted = model.predict(X[test])
            values.append(recall_score(Y[test], predicted, pos_label=0, sample_weight=weight))
    return np.reshape(values, (-1, len(FEATURES))).mean(axis=0)


def found(scorer, splitter, model):
    """The same by a search."""
    search = GridSearchCV(
        model,
        {"n_features": FEATURES},
        scoring=scorer,
        cv=splitter,
        refit=False,
        error_score="raise",
    )
    results = search.fit(X, Y, sample_weight=WEIGHT, groups=PATIENT).cv_results_
    name = "recall" if "mean_test_recall" in results else "score"
    return results[f"mean_test_{name}"]


@pytest.mark.parametrize(
    ("kind", "requested", "splitter"), one_in(2, SCORERS, [True, False], SPLITTERS)
)
def test_with_routing_scores_are_weighted_where_requested(kind, requested, splitter):
    """The slow ones are the other half of the combinations."""
    make = SCORERS[kind]
    with sklearn.config_context(enable_metadata_routing=True):
        model = model_of().set_fit_request(sample_weight=True)
        scorer = make().set_score_request(sample_weight=requested)
        values = found(scorer, splitter, model)
        params = {"sample_weight": WEIGHT, "groups": PATIENT}
        options = {"scoring": scorer, "cv": splitter, "params": params, "error_score": "raise"}
        results = cross_validate(model.set_params(n_features=FEATURES[0]), X, Y, **options)
    expected = by_hand(splitter, scores_are_weighted=requested)
    assert not np.allclose(expected, by_hand(splitter, scores_are_weighted=not requested))
    np.testing.assert_allclose(values, expected, rtol=1e-12)
    one = results["test_recall" if "test_recall" in results else "test_score"].mean()
    assert one == pytest.approx(expected[0])


@pytest.mark.parametrize("name", SCORERS)
def test_with_routing_weights_that_nobody_asked_for_are_an_error(name):
    with sklearn.config_context(enable_metadata_routing=True):
        model = model_of().set_fit_request(sample_weight=True)
        if name == "of scikit-learn's kind" and VERSION < (1, 9):
            values = found(SCORERS[name](), SPLITTERS[0], model)
            assert values == pytest.approx(by_hand(SPLITTERS[0], scores_are_weighted=False))
        else:
            with pytest.raises(UnsetMetadataPassedError, match="set_score_request"):
                found(SCORERS[name](), SPLITTERS[0], model)


@each_scorer
def test_without_routing_it_depends_on_the_version_of_scikit_learn(make):
    is_weighted = VERSION >= (1, 7)
    expected = by_hand(SPLITTERS[0], scores_are_weighted=is_weighted)
    np.testing.assert_allclose(found(make(), SPLITTERS[0], model_of()), expected, rtol=1e-12)
    options = {"cv": SPLITTERS[0], "groups": PATIENT, "params": {"sample_weight": WEIGHT}}
    results = cross_validate(model_of(FEATURES[0]), X, Y, scoring=make(), **options)
    one = results["test_recall" if "test_recall" in results else "test_score"].mean()
    assert one == pytest.approx(by_hand(SPLITTERS[0], scores_are_weighted=False)[0])
