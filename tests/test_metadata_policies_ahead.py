"""Sample weights that scikit-learn asks for by a policy to come, and its class of scorers, public.

`conftest` leaves these tests out beside the oldest scikit-learn.
"""

import copy
import importlib
import pickle
import sys

import numpy as np
import pytest
import sklearn.metrics
from sklearn.base import clone
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import _scorer
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate

import skmetrics_ext
from skmetrics_ext import (
    AbstainingClassifier,
    ConstrainedThresholdClassifier,
    ProbabilityClassifier,
)
from tests import scikit_learn_ahead

# Sample weights by the policy "auto", in each tool and with each kind of scorer.

RANDOM = np.random.default_rng(0)
Y = RANDOM.integers(0, 2, 120)
X = RANDOM.normal(size=(120, 3)) + Y[:, np.newaxis] * 0.5
WEIGHTS = RANDOM.uniform(0.1, 5, 120)
FOLDS = list(StratifiedKFold(3).split(X, Y))
MODEL = LogisticRegression()


def scorers_of(package):
    """How each kind of scorer is made, by the package or by one that is imported anew."""
    scorer = package.ConfusionScorer
    return {
        "scikit-learn's": lambda: sklearn.metrics.get_scorer("recall"),
        "of labels": lambda: package.get_scorer("recall"),
        "of scores": lambda: package.get_scorer("recall", threshold=0.5),
        "several": lambda: scorer({"score": "recall", "accuracy": "accuracy"}),
        "one of several": lambda: scorer(["recall", "accuracy"]).scorers()["recall"],
    }


SCORERS = scorers_of(skmetrics_ext)


def by_cross_validation(model, scorer):
    return cross_validate(
        model,
        X,
        Y,
        scoring=scorer,
        cv=FOLDS,
        params={"sample_weight": WEIGHTS},
        error_score="raise",
    )["test_score"]


def by_search(model, scorer):
    search = GridSearchCV(
        model, {"C": [1.0]}, scoring=scorer, cv=FOLDS, refit=False, error_score="raise"
    ).fit(X, Y, sample_weight=WEIGHTS)
    return [search.cv_results_[f"split{place}_test_score"][0] for place in range(len(FOLDS))]


TOOLS = {"cross_validate": by_cross_validation, "GridSearchCV": by_search}


def expected(weighted, model=MODEL):
    """The recall of each fold, of models that learn with weights."""
    values = []
    for train, test in FOLDS:
        fitted = clone(model).fit(X[train], Y[train], sample_weight=WEIGHTS[train])
        weights = WEIGHTS[test] if weighted else None
        predicted = fitted.predict(X[test])
        values.append(sklearn.metrics.recall_score(Y[test], predicted, sample_weight=weights))
    return values


@pytest.fixture
def routing(monkeypatch):
    scikit_learn_ahead.with_policies(monkeypatch)
    with sklearn.config_context(enable_metadata_routing=True):
        yield


each_scorer = pytest.mark.parametrize("kind", SCORERS)
each_tool = pytest.mark.parametrize("tool", TOOLS)


@pytest.mark.usefixtures("routing")
@each_tool
@each_scorer
def test_weights_reach_a_scorer_by_the_policy_and_not_without_it(kind, tool):
    asking = clone(MODEL).set_fit_request(sample_weight=True)
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        TOOLS[tool](asking, SCORERS[kind]())
    with scikit_learn_ahead.policy("auto"):
        np.testing.assert_allclose(TOOLS[tool](MODEL, SCORERS[kind]()), expected(True))
    # The policy is that of the call, and leaves no trace.
    scorer = SCORERS[kind]()
    with scikit_learn_ahead.policy("auto"):
        assert scorer.get_metadata_routing().score.requests["sample_weight"] is True
    assert scorer.get_metadata_routing().score.requests["sample_weight"] is None


@pytest.mark.usefixtures("routing")
@each_tool
@each_scorer
def test_what_a_scorer_was_told_stands_above_the_policy(kind, tool):
    declining = SCORERS[kind]().set_score_request(sample_weight=False)
    with scikit_learn_ahead.policy("auto"):
        np.testing.assert_allclose(TOOLS[tool](MODEL, declining), expected(False))
        named = SCORERS[kind]().set_score_request(sample_weight="importance")
        assert named.get_metadata_routing().score.requests["sample_weight"] == "importance"


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("name", ["class-level", "auto"])
@each_scorer
def test_importances_are_weighted_by_every_policy(kind, name):
    fitted = clone(MODEL).fit(X, Y)
    options = {"sample_weight": WEIGHTS, "n_repeats": 2, "random_state": 0}
    with scikit_learn_ahead.policy(name):
        found = permutation_importance(fitted, X, Y, scoring=SCORERS[kind](), **options)
    found = found["score"] if kind == "several" else found
    theirs = permutation_importance(fitted, X, Y, scoring="recall", **options)
    np.testing.assert_allclose(found.importances, theirs.importances)


def without_ours():
    """Forget that the package was imported; what was, is returned."""
    names = [name for name in sys.modules if name.partition(".")[0] == "skmetrics_ext"]
    return {name: sys.modules.pop(name) for name in names}


@pytest.fixture
def beside_a_public_class(monkeypatch):
    """The package, imported anew where scikit-learn's class of scorers is public, as in its pull
    request 31985.
    """
    monkeypatch.setattr(sklearn.metrics, "BaseScorer", _scorer._BaseScorer, raising=False)
    imported = without_ours()
    try:
        yield importlib.import_module("skmetrics_ext")
    finally:
        without_ours()
        sys.modules.update(imported)


def test_scorers_are_of_its_public_class(beside_a_public_class):
    fitted = clone(MODEL).fit(X, Y)
    makers = scorers_of(beside_a_public_class)
    for kind, make in makers.items():
        scorer = make()
        assert isinstance(scorer, sklearn.metrics.BaseScorer), kind
        for again in (copy.deepcopy, lambda one: clone(one, safe=False)):
            assert again(scorer)(fitted, X, Y) == scorer(fitted, X, Y), kind
        assert pickle.loads(pickle.dumps(scorer))(fitted, X, Y) == scorer(fitted, X, Y), kind
    single = {kind: make() for kind, make in makers.items() if kind != "several"}
    results = cross_validate(MODEL, X, Y, scoring=single, cv=FOLDS, error_score="raise")
    values = [results[f"test_{kind}"].tolist() for kind in single]
    assert values == values[:1] * len(single)


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize(
    "model",
    [
        ProbabilityClassifier(MODEL),
        ConstrainedThresholdClassifier(MODEL, "precision", subject_to={"recall": 0.5}, cv=2),
        AbstainingClassifier(MODEL, at_least=0.5, abstain_label=2, cv=2, confidence_level=None),
    ],
    ids=["probabilities", "constrained", "abstaining"],
)
def test_estimators_ask_by_the_policy_too(model):
    options = {"cv": FOLDS, "params": {"sample_weight": WEIGHTS}, "error_score": "raise"}
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        cross_validate(model, X, Y, **options)
    with scikit_learn_ahead.policy("auto"):
        scores = cross_validate(model, X, Y, **options)["test_score"]
    for score, (train, test) in zip(scores, FOLDS, strict=True):
        fitted = clone(MODEL).set_fit_request(sample_weight=True)
        fitted = clone(model).set_params(estimator=fitted)
        fitted.fit(X[train], Y[train], sample_weight=WEIGHTS[train])
        assert score == sklearn.metrics.accuracy_score(
            Y[test], fitted.predict(X[test]), sample_weight=WEIGHTS[test]
        )
