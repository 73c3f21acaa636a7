"""Every kind of scorer in every tool: its values, or an error that says what to pass."""

import warnings
from functools import cache, partial

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFECV, SequentialFeatureSelector
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.metrics import check_scoring
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
    learning_curve,
)

import skmetrics_ext
from skmetrics_ext import ConfusionScorer, get_scorer, make_scorer
from tests.shared import one_in

try:
    from sklearn.callback import ScoringMonitor
except ImportError:  # before scikit-learn 1.9
    ScoringMonitor = None

sklearn_version = tuple(map(int, sklearn.__version__.split(".")[:2]))

N = 90
random = np.random.default_rng(7)
CODES = np.arange(N) % 2
# The first column is a group, the others tell the classes apart now and then.
X = np.column_stack([np.arange(N) // 2 % 2, random.normal(size=(N, 2)) + CODES[:, None] * 0.9])
SPLITS = list(StratifiedKFold(2).split(X, CODES))


class BetweenTheMeans(ClassifierMixin, BaseEstimator):
    """A linear classifier of two classes, many times as quick as scikit-learn's."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        first, second = (X[y == label].mean(axis=0) for label in self.classes_)
        self.coef_ = (second - first)[None]
        self.intercept_ = -self.coef_ @ (first + second) / 2
        return self

    def predict_proba(self, X):
        shares = 1 / (1 + np.exp(-(X @ self.coef_[0] + self.intercept_)))
        return np.column_stack([1 - shares, shares])

    def predict(self, X):
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]


class PredictsProbabilities(ClassifierMixin, BaseEstimator):
    """A classifier whose predict returns the probabilities of its second class."""

    def fit(self, X, y):
        self.inner_ = BetweenTheMeans().fit(X, y)
        self.classes_ = self.inner_.classes_
        self.coef_ = self.inner_.coef_
        return self

    def predict(self, X):
        return self.inner_.predict_proba(X)[:, 1]


def missed(cm):
    """The share of the last class that is missed."""
    return cm.counts[1, 0] / cm.counts[1].sum()


missed.greater_is_better = False

# The model that LogisticRegressionCV fits.
LOGISTIC = LogisticRegression()
NUMBERS, NAMES = [1, 2], ["benign", "malignant"]
# Of each kind of scorer: how it is made, and the names of the two classes.
KINDS = {
    "a plain name": (partial(get_scorer, "recall"), NUMBERS),
    "a loss": (partial(get_scorer, "neg_fpr", pos_label=2), NUMBERS),
    "an average": (partial(get_scorer, "recall_macro"), NUMBERS),
    "labels": (partial(get_scorer, "recall_macro", labels=[2]), NUMBERS),
    "a name": (partial(get_scorer, "specificity", pos_label="malignant"), NAMES),
    "the first name": (partial(get_scorer, "recall", pos_label="benign"), NAMES),
    "own parameters": (partial(get_scorer, "fbeta", beta=2, pos_label=2), NUMBERS),
    "all classes": (partial(get_scorer, "mcc"), NAMES),
    "a threshold": (partial(get_scorer, "recall", threshold=0.3), NUMBERS),
    "thresholds": (partial(get_scorer, "f1_macro", threshold={1: 0.3, 2: 0.6}), NUMBERS),
    "costs": (partial(get_scorer, "accuracy", cost_matrix={(1, 2): 1, (2, 1): 4}), NUMBERS),
    "averaged costs": (
        partial(get_scorer, "neg_expected_cost", cost_matrix={(1, 2): 1, (2, 1): 4}),
        NUMBERS,
    ),
    "the best threshold": (
        partial(get_scorer, "precision", threshold="best", subject_to={"recall": 0.5}, pos_label=2),
        NUMBERS,
    ),
    "groups": (partial(get_scorer, "recall_macro", by=0, min_samples=1), NUMBERS),
    "a function of the matrix": (partial(make_scorer, missed, pos_label="malignant"), NAMES),
    "several": (
        partial(
            ConfusionScorer,
            {"score": "mcc", "recall": "recall_macro", "npv": "npv_macro"},
            zero_division=0,
        ),
        NUMBERS,
    ),
    "the evaluation index": (partial(get_scorer, "evaluation_index"), NAMES),
    "predict gives probabilities": (
        partial(get_scorer, "f1_macro", threshold=0.4, pos_label=2),
        NUMBERS,
    ),
}


class Case:
    """A scorer with its model and targets, and its value in each fold."""

    def __init__(self, kind, model=None):
        make, names = KINDS[kind]
        self.kind, self.scorer, self.y = kind, make(), np.array(names)[CODES]
        is_odd = kind == "predict gives probabilities"
        self.model = model or (PredictsProbabilities() if is_odd else BetweenTheMeans())

    @property
    def expected(self):
        """The values of the folds by a loop; of the key "score" where there are several."""
        return of_folds(self.kind)


@cache
def of_folds(kind, model=None):
    case = Case(kind, model)
    values = [
        case.scorer(clone(case.model).fit(X[train], case.y[train]), X[test], case.y[test])
        for train, test in SPLITS
    ]
    return np.array([value["score"] if isinstance(value, dict) else value for value in values])


def by_cross_val_score(case):
    return cross_val_score(
        case.model, X, case.y, cv=SPLITS, scoring=case.scorer, params={}
    ), case.expected


def by_cross_validate(case):
    results = cross_validate(case.model, X, case.y, cv=SPLITS, scoring=case.scorer, params={})
    if case.kind == "the evaluation index":
        model = clone(case.model).fit(X[SPLITS[0][0]], case.y[SPLITS[0][0]])
        test = SPLITS[0][1]
        index = skmetrics_ext.evaluation_index(case.y[test], model.predict(X[test]))
        return [results[f"test_{key}"][0] for key in index], [*index.values()]
    return results["test_score"], case.expected


def by_grid_search(case):
    refit = {"several": "score", "the evaluation index": False}.get(case.kind, True)
    search = GridSearchCV(case.model, {}, cv=SPLITS, scoring=case.scorer, refit=refit)
    results = search.fit(X, case.y).cv_results_
    if case.kind == "the evaluation index":
        return results["mean_test_accuracy_benign"], [
            np.mean([results[f"split{k}_test_accuracy_benign"] for k in range(2)])
        ]
    return [results[f"split{k}_test_score"][0] for k in range(2)], case.expected


def by_halving_search(case):
    refit = "score" if case.kind == "several" else True
    search = HalvingGridSearchCV(
        case.model, {}, cv=StratifiedKFold(2), scoring=case.scorer, refit=refit, min_resources=N
    )
    results = search.fit(X, case.y).cv_results_
    if case.kind == "several":
        assert {"mean_test_recall", "mean_test_npv"} <= results.keys()
    # Its folds take random samples of all N, which are all N, in another order.
    assert np.isfinite(search.best_score_)
    return search.score(X, case.y), _number(case, case.scorer(search.best_estimator_, X, case.y))


def by_learning_curve(case):
    _, _, values = learning_curve(
        case.model, X, case.y, cv=SPLITS, scoring=case.scorer, train_sizes=[1.0]
    )
    return values[0], case.expected


def by_importance(case):
    model = clone(case.model).fit(X, case.y)
    importance = permutation_importance(
        model, X, case.y, scoring=case.scorer, n_repeats=2, random_state=0
    )
    importances = importance["score"] if case.kind == "several" else importance
    values = importances.importances[:, 0]
    shuffled = []
    state = np.random.RandomState(0).randint(np.iinfo(np.int32).max + 1)
    for column in range(X.shape[1]):
        rows, changed = np.random.RandomState(state), X.copy()
        order = np.arange(N)
        rows.shuffle(order)
        changed[:, column] = X[order, column]
        shuffled.append(
            _number(case, case.scorer(model, X, case.y))
            - _number(case, case.scorer(model, changed, case.y))
        )
    return values, shuffled


def by_elimination(case):
    elimination = RFECV(
        case.model, cv=SPLITS, scoring=case.scorer, min_features_to_select=X.shape[1] - 1
    ).fit(X, case.y)
    return [elimination.cv_results_[f"split{k}_test_score"][-1] for k in range(2)], case.expected


def by_selection(case):
    selection = SequentialFeatureSelector(
        case.model, cv=SPLITS, scoring=case.scorer, n_features_to_select=1
    ).fit(X, case.y)
    means = [
        cross_val_score(
            case.model, X[:, [k]], case.y, cv=SPLITS, scoring=case.scorer, params={}
        ).mean()
        for k in range(X.shape[1])
    ]
    return means[selection.get_support(indices=True)[0]], max(means)


def by_tuned_threshold(case):
    thresholds = [0.3, 0.5, 0.7]
    tuned = TunedThresholdClassifierCV(
        case.model,
        cv=SPLITS,
        scoring=case.scorer,
        thresholds=thresholds,
        store_cv_results=True,
        response_method="predict_proba",
    ).fit(X, case.y)
    fixed = {"a plain name": 1, "the first name": "benign", "a name": "malignant"}
    positive = fixed.get(case.kind, case.y[1])
    expected = []
    for threshold in thresholds:
        values = []
        for train, test in SPLITS:
            model = clone(case.model).fit(X[train], case.y[train])
            shares = model.predict_proba(X[test])[:, list(model.classes_).index(positive)]
            (other,) = {*case.y} - {positive}
            said = np.where(shares >= threshold, positive, other)
            values.append(case.scorer(_Says(said, model.classes_), X[test], case.y[test]))
        expected.append(np.mean(values))
    return tuned.cv_results_["scores"], expected


class _Says(ClassifierMixin, BaseEstimator):
    """A fitted classifier with an answer."""

    def __init__(self, said, classes):
        self.said, self.classes_ = said, classes

    def predict(self, _):
        return self.said


def by_logistic_cv(case):
    with warnings.catch_warnings():
        # Of parameters and attributes to come, which each version of scikit-learn has.
        warnings.simplefilter("ignore", FutureWarning)
        model = LogisticRegressionCV(Cs=[1.0], cv=SPLITS, scoring=case.scorer).fit(X, case.y)
    values = model.scores_
    found = next(iter(values.values())) if isinstance(values, dict) else values
    return np.ravel(found), of_folds(case.kind, LOGISTIC)


def by_boosting(case):
    model = HistGradientBoostingClassifier(
        max_iter=3,
        scoring=case.scorer,
        early_stopping=True,
        validation_fraction=None,
        n_iter_no_change=1,
    ).fit(X, case.y)
    return model.train_score_[-1], case.scorer(model, X, case.y)


def by_monitor(case):
    scoring = case.scorer if case.kind in DICTS else {"score": case.scorer}
    monitor = ScoringMonitor(scoring=scoring)
    model = LogisticRegression().set_callbacks(monitor).fit(X, case.y)
    whole, *_ = monitor.get_logs().data
    if case.kind == "the evaluation index":
        index = skmetrics_ext.evaluation_index(case.y, model.predict(X))
        return [whole[key] for key in index], [*index.values()]
    return whole["score"], _number(case, case.scorer(model, X, case.y))


def by_monitor_alone(case):
    monitor = ScoringMonitor(scoring=case.scorer)
    model = LogisticRegression().set_callbacks(monitor).fit(X, case.y)
    whole, *_ = monitor.get_logs().data
    value = case.scorer(model, X, case.y)
    if case.kind in DICTS:
        return [whole[key] for key in value], [*value.values()]
    return whole["score"], value


def by_dict(case):
    results = cross_validate(
        case.model, X, case.y, cv=SPLITS, scoring={"a": case.scorer}, params={}
    )
    return results["test_a"], case.expected


def by_check_scoring(case):
    assert check_scoring(case.model, case.scorer) is case.scorer
    return 0, 0


def _number(case, value):
    return value["score"] if case.kind == "several" else value


TOOLS = {
    "cross_val_score": by_cross_val_score,
    "cross_validate": by_cross_validate,
    "GridSearchCV": by_grid_search,
    "HalvingGridSearchCV": by_halving_search,
    "learning_curve": by_learning_curve,
    "permutation_importance": by_importance,
    "RFECV": by_elimination,
    "SequentialFeatureSelector": by_selection,
    "TunedThresholdClassifierCV": by_tuned_threshold,
    "LogisticRegressionCV": by_logistic_cv,
    "HistGradientBoostingClassifier": by_boosting,
    "check_scoring": by_check_scoring,
    "a dict of scorers": by_dict,
}


ONE_NUMBER = "scoring must return a number|unsupported operand|reshape|dict"
NATIVE = "TunedThresholdClassifierCV tunes the threshold itself.* pass {}"
TUNED = {
    "a threshold": "get_scorer\\('recall', pos_label=1\\)",
    "thresholds": "get_scorer\\('f1_macro'\\)",
    "costs": "get_scorer\\('accuracy'\\)",
    "averaged costs": "get_scorer\\('neg_expected_cost', cost_matrix=",
    "the best threshold": "get_scorer\\('precision', pos_label=2\\)",
    "groups": "get_scorer\\('recall_macro'\\)",
    "a function of the matrix": "sklearn.metrics.make_scorer\\(lambda",
    "several": "get_scorer\\(name\\)",
    "the evaluation index": "get_scorer\\(name\\)",
}
DICTS = ("several", "the evaluation index")
NEED_ONE_NUMBER = [
    "cross_val_score",
    "learning_curve",
    "RFECV",
    "SequentialFeatureSelector",
    "LogisticRegressionCV",
    "HistGradientBoostingClassifier",
    "a dict of scorers",
]
# What does not go together, with the words of the error.
REFUSED = {(kind, tool): ONE_NUMBER for kind in DICTS for tool in NEED_ONE_NUMBER}
REFUSED |= {
    (kind, "TunedThresholdClassifierCV"): NATIVE.format(scorer) for kind, scorer in TUNED.items()
}
REFUSED["predict gives probabilities", "TunedThresholdClassifierCV"] = "'predict_proba'"
# These drop columns of X, among them that of the groups, which must be passed by routing instead.
REFUSED["groups", "RFECV"] = REFUSED["groups", "SequentialFeatureSelector"] = "continuous values"
REFUSED["the evaluation index", "HalvingGridSearchCV"] = "mean_test_score"
# No number is best in an index, and a dict of importances has one entry a key.
REFUSED["the evaluation index", "permutation_importance"] = "importances"


if ScoringMonitor is not None:
    TOOLS |= {"ScoringMonitor": by_monitor, "ScoringMonitor alone": by_monitor_alone}
if sklearn_version < (1, 8):
    # It numbers two classes -1 and 1 before the scorer sees them.
    del TOOLS["LogisticRegressionCV"]


@pytest.mark.parametrize(
    "routing", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["", "routing"]
)
@pytest.mark.parametrize(("kind", "tool"), one_in(5, KINDS, TOOLS))
@pytest.mark.filterwarnings("ignore:the worst group:UserWarning")
def test_a_tool_gives_what_the_scorer_gives(kind, tool, routing):
    """Of the slow ones, four in five of all kinds in all tools, those with routing call scorers by
    other code of scikit-learn's, though alike where nothing is requested.
    """
    if routing and tool == "SequentialFeatureSelector" and sklearn_version < (1, 7):
        return  # It fails with any scorer.
    refused = REFUSED.get((kind, tool))
    with sklearn.config_context(enable_metadata_routing=routing):
        if refused is None:
            values, expected = TOOLS[tool](Case(kind))
            np.testing.assert_allclose(values, expected, rtol=1e-12)
        else:
            with pytest.raises(Exception, match=f"(?s){refused}"):
                TOOLS[tool](Case(kind))
