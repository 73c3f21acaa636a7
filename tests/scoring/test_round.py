"""`ConfusionScorer.scorers`: one number a scorer, of one prediction where they are called in a round."""

import pickle
from collections import deque

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext import ConfusionScorer
from tests.doubles import Answering

METRICS = ["recall", "f1", "neg_false_positive_rate_macro"]


@pytest.fixture(scope="module")
def trees():
    random = np.random.default_rng(0)
    codes = np.arange(150) % 3
    return random.normal(size=(150, 2)) + codes[:, None] * 0.8, np.array(["ash", "elm", "oak"])[codes]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"average": "weighted"},
        {"per_class": True, "counts": True, "classes": ["ash", "elm", "oak", "yew"]},
        {"per_class": True, "labels": ["oak", "ash", "elm"], "average": "macro"},
        {"threshold": {"ash": 0.5, "elm": 0.2, "oak": 0.3}},
    ],
)
@pytest.mark.filterwarnings("ignore:.*undefined")
def test_single_scorers_give_what_the_dict_has(options, trees):
    X, y = trees
    model = GaussianNB().fit(X, y)
    scorer = ConfusionScorer(METRICS, **options)
    expected = scorer(model, X, y, np.arange(150) % 4)
    scorers = scorer.scorers()
    assert list(scorers) == list(expected)
    assert [one.__name__ for one in scorers.values()] == list(expected)
    np.testing.assert_equal({key: one(model, X, y, np.arange(150) % 4) for key, one in scorers.items()}, expected)


def test_one_metric_is_its_own_scorer():
    scorer = ConfusionScorer("recall", average="macro")
    assert scorer.scorers() == {"recall_macro": scorer}


def test_keys_by_class_need_classes():
    for option in ("per_class", "counts"):
        with pytest.raises(ValueError, match=r"names scores by the classes: pass classes=\."):
            ConfusionScorer(METRICS, **{option: True}).scorers()


def test_a_round_predicts_once_and_the_next_predicts_again():
    model = Answering([0, 1, 1, 0])
    scorers = list(ConfusionScorer(METRICS).scorers().values())
    y = np.array([0, 1, 0, 0])
    for n_rounds in (1, 2, 3):
        for scorer in scorers:
            scorer(model, None, y)
        assert len(model.asked) == n_rounds
    scorers[0](model, None, y)
    scorers[0](model, None, y)
    assert len(model.asked) == 5


@pytest.mark.parametrize("changed", ["estimator", "X", "y", "weights"])
def test_other_objects_are_scored_anew(changed, trees):
    X, y = trees
    weights = np.ones(150)
    given = {"estimator": GaussianNB().fit(X, y), "X": X, "y": y, "weights": weights}
    others = {
        "estimator": KNeighborsClassifier(1).fit(X[::2], y[::2]),
        "X": X[::-1],
        "y": y[::-1],
        "weights": np.arange(150.0),
    }
    recall, mcc = ConfusionScorer(["recall", "mcc"]).scorers().values()
    recall(*given.values())
    other = {**given, changed: others[changed]}
    assert mcc(*other.values()) == ConfusionScorer("mcc")(*other.values())
    assert mcc(*other.values()) != ConfusionScorer("mcc")(*given.values())


@pytest.mark.parametrize(
    "model",
    [
        GaussianNB(),
        make_pipeline(StandardScaler(), GaussianNB()),
        RandomForestClassifier(5, random_state=0),
        LogisticRegression(warm_start=True),
        SGDClassifier(random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.filterwarnings("ignore:.*undefined")
def test_a_model_that_is_fitted_again_in_between_is_predicted_anew(model, trees):
    X, y = trees
    recall, mcc = ConfusionScorer(["recall", "mcc"]).scorers().values()
    recall(model.fit(X, y), X, y)
    model.fit(X, np.roll(y, 1))
    assert mcc(model, X, y) == ConfusionScorer("mcc")(model, X, y)


def test_a_model_that_is_trained_further_is_predicted_anew(trees):
    X, y = trees
    for model in (GaussianNB(), SGDClassifier(random_state=0)):
        recall, mcc = ConfusionScorer(["recall", "mcc"]).scorers().values()
        recall(model.partial_fit(X, y, classes=np.unique(y)), X, y)
        for _ in range(5):
            model.partial_fit(X, np.roll(y, 1))
        assert mcc(model, X, y) == ConfusionScorer("mcc")(model, X, y)


def test_an_option_that_is_set_in_between_is_heeded(trees):
    X, y = trees
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(1)).fit(X, y)
    recall, mcc = ConfusionScorer(["recall", "mcc"]).scorers().values()
    recall(model, X, y)
    model[-1].n_neighbors = 75
    assert mcc(model, X, y) == ConfusionScorer("mcc")(model, X, y) < 1


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_search_over_single_scorers_finds_what_one_over_the_dict_finds(n_jobs, trees):
    X, y = trees
    grid = {"var_smoothing": [1e-9, 1e-2, 1.0]}
    folds = StratifiedKFold(3)
    scorer = ConfusionScorer(METRICS)
    results = [
        GridSearchCV(GaussianNB(), grid, scoring=scoring, refit=False, cv=folds, n_jobs=n_jobs).fit(X, y).cv_results_
        for scoring in (scorer, scorer.scorers())
    ]
    for key in METRICS:
        np.testing.assert_array_equal(results[0][f"mean_test_{key}"], results[1][f"mean_test_{key}"])


def test_data_that_a_client_shuffles_in_place_between_rounds_are_predicted_anew(trees):
    X, y = trees
    model = GaussianNB().fit(X, y)
    scorer = ConfusionScorer(["recall", "mcc"])
    one_by_one, alone = (
        permutation_importance(model, X, y, scoring=scoring, n_repeats=3, random_state=0)
        for scoring in (scorer.scorers(), {"recall": ConfusionScorer("recall"), "mcc": ConfusionScorer("mcc")})
    )
    for key in ("recall", "mcc"):
        np.testing.assert_array_equal(one_by_one[key].importances, alone[key].importances)


def test_what_fails_is_an_error_of_its_own_scorer_alone():
    recall, f1 = ConfusionScorer({"recall": "recall_macro", "f1": "f1"}, average="binary").scorers().values()
    model = Answering(["b", "c", "a"])
    y = np.array(["b", "c", "a"])
    assert recall(model, None, y) == 1
    with pytest.raises(ValueError, match="average='binary' needs two labels"):
        f1(model, None, y)


def test_an_error_of_the_prediction_is_raised_by_each():
    class Fails:
        def predict(self, _):
            raise RuntimeError("no memory")

    for scorer in ConfusionScorer(METRICS).scorers().values():
        with pytest.raises(RuntimeError, match="no memory"):
            scorer(Fails(), None, [0, 1])


def test_nothing_is_kept_after_a_round(trees):
    X, y = trees
    scorer = ConfusionScorer(METRICS)
    model = GaussianNB().fit(X, y)
    for one in scorer.scorers().values():
        assert one(model, X, y) < 1
    assert scorer._round._left is None


def test_pickled_together_they_still_share_a_prediction():
    model = Answering([0, 1, 1, 0])
    scorers = pickle.loads(pickle.dumps(ConfusionScorer(METRICS).scorers()))
    y = np.array([0, 1, 0, 0])
    for scorer in scorers.values():
        scorer(model, None, y)
    assert len(model.asked) == 1


def test_the_scorers_say_what_they_are():
    recall = ConfusionScorer(["recall", "mcc"]).scorers()["recall"]
    assert repr(recall) == "<scorer of 'recall', one of several of one prediction>"


class Net:
    """No estimator: it only has weights."""


class WithNet:
    def __init__(self):
        self.net = Net()

    def fit(self, labels):
        self.net.labels = np.array(labels)

    def predict(self, _):
        return self.net.labels


class WithSlots:
    __slots__ = ("labels",)

    def fit(self, labels):
        self.labels = np.array(labels)

    def predict(self, _):
        return self.labels


class WithBoth(WithSlots):
    """A slot of its base, and a dict."""


class WithPrivateSlot:
    __slots__ = ("__labels",)

    def fit(self, labels):
        self.__labels = np.array(labels)

    def predict(self, _):
        return self.__labels


class WithMethod(WithNet):
    """It predicts by the method of another object."""

    def __init__(self):
        self.by_method = WithSlots().predict

    def fit(self, labels):
        self.by_method.__self__.fit(labels)

    def predict(self, X):
        return self.by_method(X)


class WithClosure(WithNet):
    """It predicts by a function that holds another object."""

    def __init__(self):
        net = WithSlots()
        self.train, self.answer = (lambda labels: net.fit(labels)), (lambda X: net.predict(X))

    def fit(self, labels):
        self.train(labels)

    def predict(self, X):
        return self.answer(X)


class WithHidden:
    """Its state is where Python does not see it."""

    def __init__(self):
        self.labels = deque()

    def fit(self, labels):
        self.labels.clear()
        self.labels.extend(labels)

    def predict(self, _):
        return np.array(self.labels)


class WithTrap(WithNet):
    """Its parts raise when they are asked for what they lack."""

    class Lazy:
        def __getattr__(self, name):
            raise RuntimeError(name)

    def __init__(self):
        super().__init__()
        self.lazy = self.Lazy()


@pytest.mark.parametrize(
    "model", [WithNet, WithSlots, WithBoth, WithPrivateSlot, WithMethod, WithClosure, WithHidden, WithTrap]
)
def test_a_model_of_any_kind_that_is_fitted_again_is_predicted_anew(model):
    X, y = np.zeros((4, 1)), np.array([0, 1, 1, 0])
    fitted = model()
    fitted.fit(y)
    accuracy, recall = ConfusionScorer(["accuracy", "recall"]).scorers().values()
    assert accuracy(fitted, X, y) == 1
    fitted.fit(1 - y)
    assert recall(fitted, X, y) == 0


@pytest.mark.parametrize(
    ("model", "n"),
    [
        (WithNet, 1),
        (WithSlots, 1),
        (WithBoth, 1),
        (WithPrivateSlot, 1),
        (WithMethod, 1),
        (WithClosure, 1),
        (WithTrap, 1),
        (WithHidden, 2),
    ],
)
def test_a_state_that_shows_is_predicted_once(model, n, monkeypatch):
    asked = []
    predict = model.predict
    monkeypatch.setattr(model, "predict", lambda self, X: asked.append(X) or predict(self, X))
    X, y = np.zeros((4, 1)), np.array([0, 1, 1, 0])
    fitted = model()
    fitted.fit(y)
    for scorer in ConfusionScorer(["accuracy", "recall"]).scorers().values():
        scorer(fitted, X, y)
    assert len(asked) == n


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
    with pytest.raises(ValueError, match=r"no score 'f1_0' of these data, but \['f1', 'f1_sport', 'f1_news'\]"):
        scorers["f1_0"](model, None, y)
