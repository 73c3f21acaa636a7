"""Scorers in copies, processes and pickles: they keep what they were made of and what they request."""

import copy
import pickle
import pickletools

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate

from skmetrics_ext import ConfusionScorer, get_scorer, make_threshold_scorer, recall_score

COSTS = np.array([[0, 1], [5, 0]])
SCORERS = {
    "one": lambda: ConfusionScorer("recall"),
    "several": lambda: ConfusionScorer(["mcc", recall_score], per_class=True, counts=True, zero_division=0),
    "dict": lambda: ConfusionScorer({"a": "neg_fpr_macro", "b": "fbeta"}, beta=2, labels=[0, 1]),
    "threshold": lambda: get_scorer("specificity", threshold=0.3),
    "costs": lambda: get_scorer("neg_expected_cost", cost_matrix=COSTS),
    "index": lambda: get_scorer("evaluation_index", labels=[0, 1]),
    "curve": lambda: make_threshold_scorer("fbeta", subject_to={"recall": 0.5}, beta=2),
}
each_scorer = pytest.mark.parametrize("name", SCORERS)


@pytest.fixture(scope="module")
def fitted():
    X, y = make_classification(120, flip_y=0.2, random_state=0)
    return LogisticRegression().fit(X, y), X, y


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@each_scorer
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_small_and_names_nothing_private_of_the_package(name, protocol):
    data = pickle.dumps(SCORERS[name](), protocol)
    named = [argument for _, argument, _ in pickletools.genops(data) if isinstance(argument, str)]
    assert not [text for text in named if text.startswith("skmetrics_ext.")]
    assert len(data) < 600


@pytest.mark.usefixtures("routing")
@each_scorer
@pytest.mark.parametrize("again", [copy.deepcopy, copy.copy, lambda s: clone(s, safe=False), lambda s: _pickled(s)])
def test_a_copy_scores_the_same_and_requests_the_same(name, again, fitted):
    scorer = SCORERS[name]().set_score_request(sample_weight="importance")
    other = again(scorer)
    assert other is not scorer
    assert type(other) is type(scorer)
    assert repr(other) == repr(scorer)
    assert other(*fitted) == scorer(*fitted)
    requested = other.get_metadata_routing().score.requests
    assert requested == {"sample_weight": "importance"}
    # What is asked of the copy is not asked of the scorer.
    other.set_score_request(sample_weight=False)
    assert scorer.get_metadata_routing().score.requests == {"sample_weight": "importance"}


def test_a_copy_does_not_change_with_what_the_first_was_made_of(fitted):
    names, costs = ["recall", "expected_cost"], COSTS.astype(float)
    scorer = ConfusionScorer({"recall": "recall", "cost": "neg_expected_cost"}, cost_matrix=costs)
    before = scorer(*fitted)
    costs[:] = 100
    names.append("f1")
    assert _pickled(scorer)(*fitted) == scorer(*fitted) == before


@pytest.mark.usefixtures("routing")
@each_scorer
def test_weights_are_routed_to_the_scorer_in_other_processes(name, fitted):
    _, X, y = fitted
    model = LogisticRegression().set_fit_request(sample_weight=False)
    weights = np.random.default_rng(0).integers(1, 9, len(y))
    scorer = SCORERS[name]().set_score_request(sample_weight=True)
    options = {"cv": 3, "params": {"sample_weight": weights}}
    alone = cross_validate(model, X, y, scoring=scorer, **options)
    together = cross_validate(model, X, y, scoring=scorer, n_jobs=2, **options)
    unweighted = cross_validate(model, X, y, scoring=SCORERS[name](), cv=3, params={})
    keys = [key for key in alone if key.startswith("test_")]
    for key in keys:
        np.testing.assert_array_equal(together[key], alone[key])
    assert any(not np.array_equal(alone[key], unweighted[key]) for key in keys)


def test_a_search_with_a_scorer_is_pickled_with_it(fitted):
    _, X, y = fitted
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, scoring=ConfusionScorer("f1", threshold=0.4)).fit(X, y)
    assert _pickled(search).score(X, y) == search.score(X, y)


def _pickled(value):
    return pickle.loads(pickle.dumps(value))
