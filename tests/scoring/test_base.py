"""Scorers in copies, processes and pickles: names, requests, one warning of a cause, parts."""

import copy
import pickle
import pickletools
import re
import warnings
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import pytest
import sklearn
from sklearn import metrics as sk
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    LearningCurveDisplay,
    TunedThresholdClassifierCV,
    cross_validate,
)

from skmetrics_ext import (
    ConfusionScorer,
    get_scorer,
    get_scorer_names,
    make_scorer,
    precision_score,
    recall_score,
)
from skmetrics_ext.catalogue.rows import METRICS
from tests.shared import for_each, parameters_of

COSTS = np.array([[0, 1], [5, 0]])
SCORERS = {
    "one": lambda: ConfusionScorer("recall"),
    "several": lambda: ConfusionScorer(
        ["mcc", recall_score], per_class=True, counts=True, zero_division=0
    ),
    "dict": lambda: ConfusionScorer(
        {"a": "neg_fpr_macro", "b": "fbeta_macro"}, beta=2, labels=[0, 1]
    ),
    "class": lambda: ConfusionScorer([("recall", 0), "f1_1"], classes=[0, 1]),
    "threshold": lambda: get_scorer("specificity", threshold=0.3),
    "costs": lambda: get_scorer("neg_expected_cost", cost_matrix=COSTS),
    "index": lambda: get_scorer("evaluation_index", labels=[0, 1]),
    "one of several": lambda: ConfusionScorer(["mcc", "recall"]).scorers()["recall"],
    "curve": lambda: get_scorer("fbeta", threshold="best", subject_to={"recall": 0.5}, beta=2),
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
@pytest.mark.parametrize(
    "again", [copy.deepcopy, copy.copy, lambda s: clone(s, safe=False), lambda s: _pickled(s)]
)
def test_a_copy_scores_the_same_and_requests_the_same(name, again, fitted):
    scorer = SCORERS[name]().set_score_request(sample_weight="importance")
    other = again(scorer)
    assert other is not scorer
    assert type(other) is type(scorer)
    assert repr(other) == repr(scorer)
    assert other(*fitted) == scorer(*fitted)
    requested = other.get_metadata_routing().score.requests
    assert requested == {"sample_weight": "importance"} | (
        {"by": None} if scorer.takes_groups else {}
    )
    # What is asked of the copy is not asked of the scorer.
    other.set_score_request(sample_weight=False)
    assert scorer.get_metadata_routing().score.requests["sample_weight"] == "importance"


@each_scorer
def test_a_dict_takes_a_score_which_is_a_plain_number_in_pickles(name, fitted):
    value, logged = SCORERS[name]()(*fitted), {}
    logged.update(value)
    again = pickle.loads(pickle.dumps(value))
    if isinstance(value, dict):
        assert logged == again == value
    else:
        assert logged == {"score": value}
        assert type(logged["score"]) is type(again) is float
        assert again == value
        assert np.array([value]).dtype == float


def test_a_copy_does_not_change_with_what_the_first_was_made_of(fitted):
    names, costs = ["recall", "expected_cost"], COSTS.astype(float)
    scorer = ConfusionScorer({"recall": "recall", "cost": "neg_expected_cost"}, cost_matrix=costs)
    before = scorer(*fitted)
    costs[:] = 100
    names.append("f1")
    assert _pickled(scorer)(*fitted) == scorer(*fitted) == before


@pytest.mark.slow
@pytest.mark.usefixtures("routing")
@each_scorer
def test_weights_are_routed_to_the_scorer_in_other_processes(name, fitted):
    """What a pickle in one process cannot show: a new process knows no request."""
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
    search = GridSearchCV(
        LogisticRegression(), {"C": [0.1, 1]}, scoring=ConfusionScorer("f1", threshold=0.4)
    ).fit(X, y)
    assert _pickled(search).score(X, y) == search.score(X, y)


def _pickled(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize(
    ("scorer", "name"),
    [
        (get_scorer("specificity"), "specificity"),
        (get_scorer("tnr"), "specificity"),
        (get_scorer("recall_macro"), "recall_macro"),
        (get_scorer("recall", average="weighted"), "recall_weighted"),
        (get_scorer("recall", threshold=0.3), "recall"),
        (get_scorer("neg_fpr_macro"), "neg_false_positive_rate_macro"),
        (
            get_scorer("neg_fpr_macro", threshold=0.3, average="macro"),
            "neg_false_positive_rate_macro",
        ),
        (get_scorer("mcc"), "matthews_corrcoef"),
        (get_scorer("fbeta", beta=2), "fbeta"),
        (get_scorer("evaluation_index"), "evaluation_index"),
        (get_scorer("roc_auc"), "roc_auc"),
        (make_scorer(recall_score), "recall"),
        (make_scorer(recall_score, average="worst"), "recall_worst"),
        (make_scorer(recall_score, greater_is_better=False), "neg_recall"),
        (make_scorer(sk.max_error), "max_error"),
        (make_scorer(sk.max_error, greater_is_better=False), "neg_max_error"),
        (make_scorer(partial(sk.fbeta_score, beta=2)), "partial"),
        (get_scorer("precision", threshold="best", subject_to={"recall": 0.9}), "best_precision"),
        (
            get_scorer("neg_expected_cost", threshold="best", cost_matrix=COSTS),
            "best_neg_expected_cost",
        ),
        (ConfusionScorer("recall"), "recall"),
        (ConfusionScorer("recall", average="macro"), "recall_macro"),
        (ConfusionScorer("recall", average="binary"), "recall"),
        (ConfusionScorer("accuracy", greater_is_better=False), "neg_accuracy"),
        (ConfusionScorer(["mcc", "recall_macro"]), "mcc, recall_macro"),
        (ConfusionScorer({"a": "mcc", "b": "recall_macro"}), "a, b"),
        (ConfusionScorer(["mcc", "recall_macro"], name="both"), "both"),
        (ConfusionScorer("mcc", name="phi"), "phi"),
        (ConfusionScorer([], counts=True), "counts"),
    ],
)
def test_every_scorer_has_a_name_which_stays_in_a_pickle(scorer, name):
    assert scorer.__name__ == name
    assert _pickled(scorer).__name__ == name
    assert copy.deepcopy(scorer).__name__ == name


def test_every_scorer_that_is_listed_is_named_as_listed():
    for name in get_scorer_names():
        assert get_scorer(name).__name__ == name


@pytest.mark.parametrize("name", ["", 3, ["a"]])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(TypeError, match="name must be a non-empty string; got"):
        ConfusionScorer("recall", name=name)


def test_learning_curves_show_the_name(fitted):
    model, X, y = fitted
    for scorer in (
        ConfusionScorer("specificity"),
        get_scorer("specificity"),
        get_scorer("specificity", threshold=0.4),
    ):
        display = LearningCurveDisplay.from_estimator(
            model, X, y, scoring=scorer, train_sizes=[0.5, 1.0], cv=2
        )
        assert display.ax_.get_ylabel() == "Specificity"
        plt.close(display.figure_)


def blood():
    return np.repeat([[0.0], [1.0]], 6, axis=0), np.repeat(["ill", "sound"], 6)


def test_the_same_cause_is_warned_of_once_a_scorer():
    X, y = blood()
    never = DummyClassifier(strategy="constant", constant="sound")
    scorer = ConfusionScorer(["precision", "f1"], pos_label="ill")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        GridSearchCV(never, {"random_state": range(10)}, scoring=scorer, refit=False, cv=2).fit(
            X, y
        )
    assert sorted(str(warning.message).split(" is")[0] for warning in caught) == ["precision"]
    assert issubclass(caught[0].category, UndefinedMetricWarning)
    with pytest.warns(UndefinedMetricWarning, match="precision is undefined"):
        _pickled(scorer)(never.fit(X, y), X, y)
    with pytest.warns(UndefinedMetricWarning, match="precision is undefined"):
        ConfusionScorer(["precision", "f1"], pos_label="ill")(never, X, y)
    assert scorer(never, X, y) == {"precision": 0, "f1": 0}


def test_other_causes_are_still_warned_of():
    X, y = blood()
    never = DummyClassifier(strategy="constant", constant="sound").fit(X, y)
    scorer = ConfusionScorer(["precision"], pos_label="ill")
    with pytest.warns(UndefinedMetricWarning, match="no predicted positives"):
        scorer(never, X, y)
    with pytest.warns(UserWarning, match="y_true has labels|precision is undefined") as caught:
        scorer(never, X[:3], ["fit", "sound", "sound"])
    said = [str(warning.message).partition("because ")[2].partition(";")[0] for warning in caught]
    assert said == ["", "there are no actual positives and no predicted positives"]


def test_a_warning_that_is_an_error_is_one_each_time():
    X, y = blood()
    never = DummyClassifier(strategy="constant", constant="sound").fit(X, y)
    scorer = ConfusionScorer("precision", pos_label="ill")
    for _ in range(2):
        with pytest.raises(UndefinedMetricWarning):
            scorer(never, X, y)


def test_functions_warn_each_time():
    for _ in range(2):
        with pytest.warns(UndefinedMetricWarning):
            precision_score([0, 1], [0, 0])


@for_each("row", METRICS)
def test_the_scorer_that_a_tuner_is_told_can_be_made(row):
    for options in (
        {},
        {"pos_label": "b"},
        {"zero_division": 0},
        *[{"average": "macro"}] * row.has_average,
    ):
        scorer = ConfusionScorer(row.scorer_name, **options, **parameters_of(row))
        with pytest.raises(AttributeError, match="get_scorer") as caught:
            scorer._score_func  # noqa: B018
        call = str(caught.value).partition("scikit-learn scorer: pass ")[2].removesuffix(".")
        call = call.replace("labels=[...]", "labels=['a', 'b', 'c']")
        assert eval(call, {"get_scorer": get_scorer, "array": np.array}).__name__ == scorer.__name__


@pytest.mark.parametrize(
    ("scorer", "instead"),
    [
        (ConfusionScorer("g_mean", pos_label=1), "get_scorer('g_mean', pos_label=1)"),
        (ConfusionScorer("recall", average="macro", threshold=0.3), "get_scorer('recall_macro')"),
        (
            ConfusionScorer("neg_fpr", pos_label=1),
            "get_scorer('neg_false_positive_rate', pos_label=1)",
        ),
        (
            ConfusionScorer("fbeta", beta=2, zero_division=0),
            "get_scorer('fbeta', zero_division=0, beta=2)",
        ),
        (ConfusionScorer("mcc", pos_label=1), "get_scorer('matthews_corrcoef')"),
        (ConfusionScorer("accuracy", pos_label=1, zero_division=0), "get_scorer('accuracy')"),
        (
            ConfusionScorer("recall_macro", zero_division=0),
            "get_scorer('recall_macro', zero_division=0)",
        ),
        (
            ConfusionScorer("cohen_kappa", weights="linear"),
            "get_scorer('cohen_kappa', weights='linear')",
        ),
        (ConfusionScorer("f1_0", classes=[0, 1]), "get_scorer('f1', pos_label=0)"),
        (ConfusionScorer(["f1"]), "get_scorer(name)"),
        (get_scorer("evaluation_index"), "get_scorer(name)"),
    ],
)
def test_a_tuner_of_thresholds_is_told_which_scorer_it_takes(scorer, instead, fitted):
    model, X, y = fitted
    with pytest.raises(
        AttributeError, match=re.escape(f"a native scikit-learn scorer: pass {instead}.")
    ):
        TunedThresholdClassifierCV(model, scoring=scorer, cv=2).fit(X, y)
    if "name" not in instead:
        tuned = TunedThresholdClassifierCV(model, scoring=eval(instead), thresholds=9, cv=2).fit(
            X, y
        )
        assert 0 <= tuned.best_threshold_ <= 1
