"""ConstrainedThresholdClassifier: scikit-learn's checks, the choice by loops, its guarantee."""

import contextlib
import pickle
import re

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy import sparse, stats
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.datasets import make_classification
from sklearn.ensemble import (
    BaggingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_score,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, scale
from sklearn.svm import LinearSVC
from sklearn.utils import estimator_checks, get_tags

from skmetrics_ext import (
    ConstrainedThresholdClassifier,
    ProbabilityClassifier,
    ThresholdCurve,
    get_scorer,
    precision_score,
    recall_score,
)
from tests.doubles import NearestMean
from tests.fuzz.curve_oracle import between
from tests.shared import one_in


class Column(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose score of the second class is the first column of X."""

    def __init__(self, classes=(0, 1)):
        self.classes = classes
        self.classes_ = np.array(classes)

    def fit(self, *_):
        return self

    def predict_proba(self, X):
        p = np.asarray(X)[:, 0]
        return np.stack([1 - p, p], axis=1)


class NeverFitted(Column):
    """A model that must not be fitted before mistakes are reported."""

    def fit(self, *_):
        raise AssertionError("fitted for nothing")


class Distance(Column):
    """The same, by decision_function, with other columns in predict_proba's stead."""

    predict_proba = None

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


class WeightedOnly(Column):
    """The score depends on the weights of the fit."""


def prefit(metric="precision", *, classes=(0, 1), model=Column, **options):
    return ConstrainedThresholdClassifier(model(classes), metric, cv="prefit", **options)


def draw(n, seed, n_values=None):
    """Scores as X, rounded to a number of values, and labels 1 with a probability of the score."""
    rng = np.random.default_rng(seed)
    scores = rng.random(n)
    if n_values is not None:
        scores = np.floor(scores * n_values) / n_values
    return scores[:, np.newaxis], (rng.random(n) < scores).astype(int)


# scikit-learn's estimator checks.

CHECKED = ConstrainedThresholdClassifier(
    LogisticRegression(), "accuracy", subject_to={"balanced_accuracy": 0.1}
)

NO_POSITIVE = (
    "its labels are two strings, {1, 2} or {2, 3}, of which none is positive without pos_label"
)
# Why the classifier does not do what a check wants. Which labels a check has depends on the version
# of scikit-learn.
EXPECTED_FAILED_CHECKS = {
    "check_classifiers_train": "predict is to be the argmax of predict_proba, and it is what the "
    "chosen threshold says"
} | dict.fromkeys(
    [
        "check_classifier_data_not_an_array",
        "check_classifiers_classes",
        "check_estimators_dtypes",
        "check_fit2d_1feature",
    ],
    NO_POSITIVE,
)


def said(error):
    """The messages of an error and of those that it came from."""
    return "" if error is None else f"{error} {said(error.__cause__ or error.__context__)}"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_accepts_the_classifier_except_for_intended_deviations():
    """Some sixty small demands of scikit-learn's version, and that the exceptions are still those
    that are named.
    """
    results = estimator_checks.check_estimator(
        CHECKED, expected_failed_checks=EXPECTED_FAILED_CHECKS, on_skip=None, on_fail=None
    )
    assert len(results) > 50
    assert [result["check_name"] for result in results if result["status"] == "failed"] == []
    failed = {
        result["check_name"]: said(result["exception"])
        for result in results
        if result["status"] == "xfail"
    }
    # One sample of 200 is on the other side of the threshold than of 0.5.
    assert "Mismatched elements: 1 / 200" in failed.pop("check_classifiers_train")
    assert [name for name, message in failed.items() if "positive class" not in message] == []
    # These data have the labels "one" and "two" first, then -1 and 1.
    for name in failed.keys() - {"check_classifiers_classes"}:
        getattr(estimator_checks, name)(
            "ConstrainedThresholdClassifier", clone(CHECKED).set_params(pos_label=2)
        )


# Labels without a default positive class.


@pytest.mark.parametrize(
    "labels",
    [
        ["one", "two"],
        [3, -7],
        *(pytest.param(of, marks=pytest.mark.slow) for of in ([1, 2], [1.0, 2.0])),
    ],
    ids=str,
)
def test_labels_come_back_in_the_type_that_they_have(labels):
    """The slow ones are other numbers."""
    labels = np.array(labels)
    X, y = draw(200, 0)
    for positive in (0, 1):
        model = ConstrainedThresholdClassifier(
            LogisticRegression(),
            "f1",
            subject_to={"recall": 0.5},
            pos_label=labels[positive].item(),
        ).fit(X, labels[y])
        assert model.predict(X).dtype == labels.dtype
        assert set(model.predict(X)) == set(labels)
        assert (model.classes_ == np.sort(labels)).all()
        assert model.score(X, labels[y]) > 0.6
        model.set_params(pos_label=None)
        with pytest.raises(ValueError, match=r"positive class"):
            model.fit(X, labels[y])


# The choice.


@pytest.mark.filterwarnings("ignore:with refit=True")
@pytest.mark.parametrize(
    ("positive", "response_method", "confidence_level"),
    one_in(2, ["malignant", "benign"], ["auto", "decision_function"], [None, 0.9]),
)
def test_the_threshold_is_the_best_of_the_pooled_scores(
    tumors, positive, response_method, confidence_level
):
    """The slow ones are the other half of the combinations."""
    X, y = (part[::3] for part in tumors)
    inner = make_pipeline(StandardScaler(), LogisticRegression())
    model = ConstrainedThresholdClassifier(
        inner,
        "specificity",
        subject_to={"recall": 0.9},
        pos_label=positive,
        cv=4,
        response_method=response_method,
        confidence_level=confidence_level,
    ).fit(X, y)

    scores = np.empty(len(y))
    for train, test in StratifiedKFold(4).split(X, y):
        fold = clone(inner).fit(X[train], y[train])
        if response_method == "auto":
            scores[test] = fold.predict_proba(X[test])[:, list(fold.classes_).index(positive)]
        else:
            scores[test] = fold.decision_function(X[test]) * (1 if positive == "malignant" else -1)
    is_positive = y == positive
    reached = {t: (scores >= t) for t in np.unique(scores)}
    least = 0.9 * is_positive.sum()
    if confidence_level is not None:
        n1 = is_positive.sum()
        least = next(k for k in range(n1 + 1) if k and stats.beta.ppf(0.1, k, n1 - k + 1) >= 0.9)
    specificity = {
        t: (~hit[~is_positive]).mean()
        for t, hit in reached.items()
        if hit[is_positive].sum() >= least
    }
    best = max(specificity.values())
    chosen = max(t for t, value in specificity.items() if value == best)
    assert model.best_threshold_ == pytest.approx(
        float(between(scores.tolist(), chosen.item())), rel=1e-12
    )
    assert model.best_value_ == pytest.approx(best, abs=1e-12)
    [kept] = model.constraints_
    assert kept._fields == ("metric", "required", "value", "limit")
    hits = reached[chosen][is_positive].sum()
    assert kept[:2] == ("recall", 0.9)
    assert kept.value == pytest.approx(hits / is_positive.sum(), abs=1e-12)
    if confidence_level is None:
        assert kept.limit is None
    else:
        assert kept.limit == pytest.approx(stats.beta.ppf(0.1, hits, n1 - hits + 1), rel=1e-9)
        assert kept.limit >= 0.9

    # The final model has seen all data.
    refitted = clone(inner).fit(X, y)
    own = refitted.predict_proba(X)[:, list(refitted.classes_).index(positive)]
    if response_method != "auto":
        own = refitted.decision_function(X) * (1 if positive == "malignant" else -1)
    other = {"malignant": "benign", "benign": "malignant"}[positive]
    assert (
        model.predict(X).tolist()
        == np.where(own >= model.best_threshold_, positive, other).tolist()
    )
    np.testing.assert_array_equal(model.predict_proba(X), refitted.predict_proba(X))
    np.testing.assert_array_equal(model.decision_function(X), refitted.decision_function(X))
    np.testing.assert_array_equal(model.predict_log_proba(X), refitted.predict_log_proba(X))


def test_the_choice_is_that_of_the_curve(tumors):
    X, y = tumors
    bounds = {"recall": 0.95, "predicted_positive_rate": (0, 0.5)}
    model = ConstrainedThresholdClassifier(
        GaussianNB(),
        precision_score,
        subject_to=bounds,
        pos_label="malignant",
        cv=KFold(3, shuffle=True, random_state=1),
    ).fit(X, y)
    best = model.curve_.best("precision", subject_to=bounds)
    assert (model.best_threshold_, model.best_value_) == (best.threshold, best.value)
    assert [kept.metric for kept in model.constraints_] == list(bounds)
    matrix = model.curve_.at(model.best_threshold_)
    for kept in model.constraints_:
        assert kept.required == bounds[kept.metric]
        assert kept.value == pytest.approx(matrix.score(kept.metric, average="binary"))
    assert model.curve_.pos_label == "malignant"
    assert (
        ConstrainedThresholdClassifier(GaussianNB(), "f1", subject_to=None)
        .fit(X, y == "benign")
        .constraints_
        == []
    )


def test_prefit_chooses_on_the_data_given_and_fits_nothing():
    X, y = draw(300, 1)
    inner = Column()
    model = ConstrainedThresholdClassifier(
        inner, "precision", subject_to={"recall": 0.8}, cv="prefit", refit=True
    )
    assert model.fit(X, y).estimator_ is inner
    best = ThresholdCurve.from_scores(y, X[:, 0]).best("precision", subject_to={"recall": 0.8})
    assert (model.best_threshold_, model.best_value_) == (best.threshold, best.value)
    with pytest.raises(NotFittedError):
        model.set_params(estimator=LogisticRegression()).fit(X, y)


def test_one_split_keeps_the_calibrated_model_or_refits_it(tumors):
    X, y = tumors
    y = y == "malignant"
    [(train, test)] = StratifiedShuffleSplit(1, test_size=0.3, random_state=5).split(X, y)
    fold = GaussianNB().fit(X[train], y[train])
    scores = fold.predict_proba(X[test])[:, 1]
    best = ThresholdCurve.from_scores(y[test], scores).best("precision", subject_to={"recall": 0.9})
    for cv in (0.3, ShuffleSplit(1, test_size=0.3, random_state=5), [(train, test)]):
        model = ConstrainedThresholdClassifier(
            GaussianNB(),
            "precision",
            subject_to={"recall": 0.9},
            cv=cv,
            refit=False,
            random_state=5,
        ).fit(X, y)
        if not isinstance(cv, ShuffleSplit):
            assert model.best_threshold_ == best.threshold
            np.testing.assert_array_equal(model.predict_proba(X), fold.predict_proba(X))
        assert not np.array_equal(model.predict_proba(X), GaussianNB().fit(X, y).predict_proba(X))
        refitted = clone(model).set_params(refit=True).fit(X, y)
        assert refitted.best_threshold_ == model.best_threshold_
        np.testing.assert_array_equal(
            refitted.predict_proba(X), GaussianNB().fit(X, y).predict_proba(X)
        )


def test_folds_are_fitted_in_parallel_to_the_same_threshold(tumors):
    X, y = tumors
    options = {"subject_to": {"recall": 0.9}, "pos_label": "malignant"}
    with joblib.parallel_config("threading"):
        models = [
            ConstrainedThresholdClassifier(GaussianNB(), "f1", n_jobs=n_jobs, **options).fit(X, y)
            for n_jobs in (None, 2)
        ]
    assert models[0].best_threshold_ == models[1].best_threshold_


def test_a_fold_whose_training_lacks_the_positive_class_has_scores_of_0():
    X, y = draw(60, 3)
    y[40:] = 0
    folds = PredefinedSplit(np.r_[np.zeros(40, int), np.ones(20, int)])
    model = ConstrainedThresholdClassifier(GaussianNB(), "f1", subject_to={"recall": 0.1}, cv=folds)
    with pytest.warns(UserWarning, match="estimator never"):
        curve = model.fit(X, y).curve_
    assert (curve.thresholds == 0).any()
    assert curve.counts.tp[-1] + curve.counts.fp[-1] == 60


def test_a_score_that_equals_the_threshold_is_positive_in_the_precision_of_the_scores():
    X = np.array([[0.7], [0.3], [0.7], [0.1]], dtype=np.float32)
    y = np.array([1, 0, 1, 0])
    model = prefit("f1", subject_to={"recall": 1}).fit(X, y)
    assert model.best_threshold_ == 0.5
    assert model.predict(X).tolist() == [1, 0, 1, 0]
    # A model may respond in another precision than the one in which the threshold was chosen.
    assert prefit("f1", subject_to={"recall": 1}).fit([[0.7], [0.3]], [1, 0]).predict(
        X
    ).tolist() == [1, 0, 1, 0]
    # The first class is positive: 1 - p, or -d, reaches it.
    for inner in (Column, Distance):
        model = prefit("f1", subject_to={"recall": 1}, model=inner, pos_label=0).fit(X, y)
        assert model.predict(X).tolist() == [1, 0, 1, 0]
    # -0.3 and -0.7, in single precision.
    assert model.best_threshold_ == pytest.approx(-0.5, rel=1e-7)
    # Where there is no number between two scores, the higher one is the threshold, and is positive.
    X = np.array([[0.7], [np.nextafter(np.float32(0.7), np.float32(0))]], dtype=np.float32)
    model = prefit("f1", subject_to={"recall": 1}).fit(X, [1, 0])
    assert model.best_threshold_ == np.float32(0.7)
    assert model.predict(X).tolist() == [1, 0]


class Moving(Column):
    """A score that depends on the batch size, by one unit in its last digit."""

    def predict_proba(self, X):
        p = np.nextafter(super().predict_proba(X)[:, 1], np.asarray(X).dtype.type(len(X) % 3 - 1))
        return np.stack([1 - p, p], axis=1)


def in_other_batches(predict, X):
    """Predictions for the same samples in Fortran order, in halves, and one by one."""
    return [
        predict(np.asfortranarray(X)),
        np.concatenate([predict(half) for half in np.array_split(X, 2)]),
        np.concatenate([predict(row) for row in np.array_split(X, len(X))]),
    ]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_sample_has_the_same_label_in_any_batch(dtype):
    # Yes or no to four questions, so that many samples have the score at which the counts change.
    answers = np.stack(np.meshgrid(*[[0, 1]] * 4), axis=-1).reshape(16, 4).astype(dtype)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = answers[rng.integers(0, 16, 1200)]
        y = (rng.random(1200) < 1 / (1 + np.exp(-(X - 0.5) @ rng.normal(0, 1.5, 4)))).astype(int)
        inner = LogisticRegression().fit(X[:400], y[:400])
        model = ConstrainedThresholdClassifier(
            inner, "specificity", subject_to={"recall": 0.8}, cv="prefit", confidence_level=0.95
        ).fit(X[400:], y[400:])
        of_answers = dict(zip(map(bytes, X), model.predict(X), strict=True))
        expected = [of_answers[bytes(answer)] for answer in answers]
        for again in in_other_batches(model.predict, answers):
            assert again.tolist() == expected
        best = model.curve_.best("f1").threshold
        reached = get_scorer("f1", threshold=best)
        assert reached(inner, X[400:], y[400:]) == pytest.approx(model.curve_.at(best).score("f1"))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_score_may_move_by_its_last_digit(dtype):
    X = np.repeat(np.array([0.2, 0.4, 0.6, 0.8], dtype=dtype), 3)[:, np.newaxis]
    y = np.repeat([0, 1, 0, 1], 3)
    model = prefit("f1", subject_to=None, model=Moving).fit(X, y)
    for again in in_other_batches(model.predict, X):
        assert again.tolist() == [0] * 3 + [1] * 9


def test_scores_that_are_all_equal_are_one_threshold():
    X, y = np.full((100, 1), 0.5), np.arange(100) % 2
    model = prefit("recall", subject_to={"recall": 0.9}, confidence_level=0.9).fit(X, y)
    assert model.best_threshold_ == 0.5
    assert (model.predict(X) == 1).all()
    with pytest.raises(ValueError, match="no threshold satisfies"):
        prefit("recall", subject_to={"precision": 0.8}, confidence_level=0.9).fit(X, y)


def test_classes_of_a_fitted_model_may_be_in_any_order():
    X, y = draw(200, 4)
    named = np.where(y == 1, "a", "b")
    model = prefit("f1", classes=("b", "a"), subject_to={"recall": 0.7}, pos_label="a").fit(
        X, named
    )
    expected = prefit("f1", subject_to={"recall": 0.7}).fit(X, y)
    assert model.best_threshold_ == expected.best_threshold_
    assert model.predict(X).tolist() == np.where(expected.predict(X) == 1, "a", "b").tolist()
    assert model.classes_.tolist() == ["b", "a"]


# The guarantee.


def rates(threshold, n_values):
    """The true rates at a threshold under the distribution of the simulated samples."""
    if n_values is None:
        below = min(max(threshold, 0.0), 1.0)
        share, positive = 1 - below, (1 - below**2) / 2
        total = 0.5
    else:
        values = np.arange(n_values) / n_values
        reached = values >= threshold - 1e-12
        share, positive, total = (
            reached.mean(),
            values[reached].sum() / n_values,
            values.sum() / n_values,
        )
    negative = share - positive
    return {
        "recall": positive / total,
        "false_positive_rate": negative / (1 - total),
        "precision": positive / share,
        "predicted_positive_rate": share,
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "bounds", "n_values"),
    [
        ("recall", {"precision": 0.6, "false_positive_rate": 0.5}, None),
        ("precision", {"recall": 0.7, "predicted_positive_rate": (0, 0.9)}, 20),
    ],
    ids=["distinct", "ties"],
)
def test_few_of_500_calibration_sets_return_a_threshold_that_misses(metric, bounds, n_values):
    """What test_risk_control.py promises of each rate alone, of several that share the error, at
    the threshold that stands between two scores.
    """
    missed = returned = 0
    for seed in range(500):
        X, y = draw(400, seed, n_values)
        model = prefit(metric, subject_to=bounds, confidence_level=0.95)
        with contextlib.suppress(ValueError):
            threshold = model.fit(X, y).best_threshold_
        if not hasattr(model, "best_threshold_"):
            continue
        # Half-way between two scores, and not below 0.
        assert threshold not in X or threshold == 0
        returned += 1
        true = rates(threshold, n_values)
        missed += any(
            true[name] > np.max(bound) if "positive_rate" in name else true[name] < bound
            for name, bound in bounds.items()
        )
    assert missed <= 0.08 * 500
    assert returned > 250


@pytest.mark.parametrize(("n_positive", "place"), [(59, 1), (60, 1), (100, 2), (1000, 39)])
def test_recall_alone_is_guaranteed_at_the_tolerance_limit(n_positive, place):
    rng = np.random.default_rng(n_positive)
    X = rng.random((n_positive + 200, 1))
    y = (np.arange(len(X)) < n_positive).astype(int)
    model = prefit("specificity", subject_to={"recall": 0.95}, confidence_level=0.95).fit(X, y)
    limit = np.sort(X[y == 1, 0])[place - 1].item()
    assert model.best_threshold_ == pytest.approx(
        float(between(X[:, 0].tolist(), limit)), rel=1e-12
    )


def test_a_bound_on_both_sides_is_guaranteed_on_both():
    X, y = draw(2000, 0)
    model = prefit(
        "recall", subject_to={"predicted_positive_rate": (0.2, 0.4)}, confidence_level=0.9
    ).fit(X, y)
    [kept] = model.constraints_
    n_reached = (X[:, 0] >= model.best_threshold_).sum()
    low, high = stats.beta.ppf(
        [0.05, 0.95], [n_reached, n_reached + 1], [2001 - n_reached, 2000 - n_reached]
    )
    assert kept.required == (0.2, 0.4)
    np.testing.assert_allclose(kept.limit, (low, high), rtol=1e-9)
    assert 0.2 <= low < high <= 0.4
    # A side that does not bind takes none of the error.
    one_sided = prefit(
        "recall", subject_to={"predicted_positive_rate": (0, 0.4)}, confidence_level=0.9
    ).fit(X, y)
    n_reached = (X[:, 0] >= one_sided.best_threshold_).sum()
    np.testing.assert_allclose(
        one_sided.constraints_[0].limit, (0, stats.beta.ppf(0.9, n_reached + 1, 2000 - n_reached))
    )
    nothing = prefit(
        "recall", subject_to={"predicted_positive_rate": (0, 1)}, confidence_level=0.9
    ).fit(X, y)
    assert nothing.best_value_ == 1
    assert nothing.constraints_[0].limit == (0, 1)
    # What is to be small has an upper limit.
    model = prefit("recall", subject_to={"false_positive_rate": 0.3}, confidence_level=0.9).fit(
        X, y
    )
    n_false, n_negative = (X[y == 0, 0] >= model.best_threshold_).sum(), (y == 0).sum()
    assert model.constraints_[0].limit == pytest.approx(
        stats.beta.ppf(0.9, n_false + 1, n_negative - n_false), rel=1e-9
    )


def test_names_of_metrics_may_be_aliases_and_functions():
    X, y = draw(1000, 0)
    thresholds = {
        prefit(subject_to=bounds, confidence_level=0.9).fit(X, y).best_threshold_
        for bounds in (
            {"recall": 0.8},
            {"sensitivity": 0.8},
            {"false_negative_rate": 0.2},
            {"miss_rate": (0, 0.2)},
        )
    }
    assert len(thresholds) == 1
    prefit("recall", subject_to={precision_score: 0.6}, confidence_level=0.9).fit(X, y)
    # Undefined at the lowest score, where nothing is predicted negative, which is not a reason for
    # a warning.
    assert prefit("recall", subject_to={"npv": 0.6}).fit(X, y).constraints_[0].metric == "npv"


# Weights, groups and metadata routing.


def test_integer_weights_count_as_repeated_samples_and_weights_of_0_as_none():
    X, y = draw(400, 0)
    weight = np.random.default_rng(0).integers(0, 4, 400)
    for level in (None, 0.9):
        weighted = prefit(subject_to={"recall": 0.8}, confidence_level=level).fit(
            X, y, sample_weight=weight, frequency_weights=True
        )
        repeated = prefit(subject_to={"recall": 0.8}, confidence_level=level).fit(
            np.repeat(X, weight, axis=0), np.repeat(y, weight)
        )
        assert weighted.best_threshold_ == repeated.best_threshold_
        assert weighted.best_value_ == repeated.best_value_
        assert weighted.constraints_ == repeated.constraints_
    counted = X[weight > 0, 0].tolist()
    least = min(score for score in counted if score >= weighted.best_threshold_)
    assert weighted.best_threshold_ == float(between(counted, least))


def test_weights_reach_the_model_of_each_fold_and_the_last_one(tumors):
    X, y = tumors
    y = (y == "malignant").astype(int)
    weight = np.where(y == 1, 3.5, 1.0)
    model = ConstrainedThresholdClassifier(GaussianNB(), "f1", subject_to={"recall": 0.9}, cv=3)
    model.fit(X, y, sample_weight=weight)
    scores = np.empty(len(y))
    for train, test in StratifiedKFold(3).split(X, y):
        scores[test] = (
            GaussianNB().fit(X[train], y[train], weight[train]).predict_proba(X[test])[:, 1]
        )
    best = ThresholdCurve.from_scores(y, scores, sample_weight=weight).best(
        "f1", subject_to={"recall": 0.9}
    )
    assert (model.best_threshold_, model.best_value_) == (best.threshold, best.value)
    np.testing.assert_array_equal(
        model.predict_proba(X), GaussianNB().fit(X, y, weight).predict_proba(X)
    )


def test_groups_reach_the_splitter():
    X, y = draw(200, 0)
    groups = np.arange(200) // 20
    model = ConstrainedThresholdClassifier(
        LogisticRegression(), "f1", subject_to={"recall": 0.5}, cv=GroupKFold(5)
    )
    grouped = model.fit(X, y, groups=groups)
    listed = clone(model).set_params(cv=list(GroupKFold(5).split(X, y, groups))).fit(X, y)
    assert grouped.best_threshold_ == listed.best_threshold_
    with pytest.raises(ValueError, match="groups"):
        clone(model).fit(X, y)


@pytest.mark.usefixtures("routing")
def test_routed_groups_reach_the_splitter():
    X, y = draw(200, 0)
    groups = np.arange(200) // 20
    model = ConstrainedThresholdClassifier(
        LogisticRegression(), "f1", subject_to={"recall": 0.5}, cv=GroupKFold(5)
    )
    listed = clone(model).set_params(cv=list(GroupKFold(5).split(X, y, groups))).fit(X, y)
    assert clone(model).fit(X, y, groups=groups).best_threshold_ == listed.best_threshold_


@pytest.mark.filterwarnings("ignore:with refit=True")
@pytest.mark.usefixtures("routing")
def test_routed_weights_go_where_they_are_requested(tumors):
    X, y = tumors
    X = scale(X)
    y = (y == "malignant").astype(int)
    weight = np.where(y == 1, 3, 1)

    def chosen(fitted, counted):
        scores = np.empty(len(y))
        for train, test in StratifiedKFold(3).split(X, y):
            fit_weight = weight[train] if fitted else None
            scores[test] = (
                NearestMean().fit(X[train], y[train], fit_weight).predict_proba(X[test])[:, 1]
            )
        return (
            ThresholdCurve.from_scores(y, scores, sample_weight=weight if counted else None)
            .best("f1")
            .threshold
        )

    for fitted in (True, False):
        for counted in (True, False):
            inner = NearestMean().set_fit_request(sample_weight=fitted)
            model = ConstrainedThresholdClassifier(inner, "f1", subject_to=None, cv=3)
            model.set_fit_request(sample_weight=counted).set_score_request(sample_weight=False)
            if not (fitted or counted):
                with pytest.raises(TypeError, match="sample_weight"):
                    model.fit(X, y, sample_weight=weight)
                continue
            alone = clone(model).fit(X, y, sample_weight=weight)
            assert alone.best_threshold_ == chosen(fitted, counted)
            refitted = NearestMean().fit(X, y, weight if fitted else None)
            np.testing.assert_array_equal(alone.predict_proba(X), refitted.predict_proba(X))
            search = GridSearchCV(model, {"cv": [3]}, cv=2, error_score="raise").fit(
                X, y, sample_weight=weight
            )
            assert search.best_estimator_.best_threshold_ == chosen(fitted, counted)
    model = ConstrainedThresholdClassifier(NearestMean(), "f1", subject_to=None)
    for options in ({}, {"cv": 0.5, "refit": False}):
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            clone(model).set_params(**options).fit(X, y, sample_weight=weight)
    # Class weights train the model, and the samples remain a random sample that allows a guarantee.
    inner = NearestMean().set_fit_request(sample_weight=True)
    model = ConstrainedThresholdClassifier(
        inner, "precision", subject_to={"recall": 0.9}, confidence_level=0.9
    )
    with pytest.raises(
        ValueError, match=r"sample_weight does not give.*set_fit_request\(sample_weight=False\)"
    ):
        model.fit(X, y, sample_weight=weight * 0.5)
    assert (
        model.set_fit_request(sample_weight=False)
        .fit(X, y, sample_weight=weight * 0.5)
        .best_threshold_
        > 0
    )


# In combination with scikit-learn's estimators.


def test_searches_reach_the_bounds_the_metric_and_the_parameters_inside(tumors):
    X, y = (part[::3] for part in tumors)
    model = ConstrainedThresholdClassifier(
        make_pipeline(StandardScaler(), NearestMean()),
        "f1",
        subject_to={"recall": 0.9},
        pos_label="malignant",
        cv=3,
    )
    assert is_classifier(model)
    grid = [
        {"metric": [metric], "subject_to": [bounds], "estimator__nearestmean__n_features": [2]}
        for metric, bounds in (("f1", {"recall": 0.9}), ("precision", {"specificity": 0.9}))
    ]
    search = GridSearchCV(model, grid, cv=2, error_score="raise").fit(X, y)
    for options, score in zip(
        search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True
    ):
        assert score == cross_val_score(clone(model).set_params(**options), X, y, cv=2).mean()
    assert len(set(search.cv_results_["mean_test_score"])) > 1
    assert search.best_estimator_.constraints_[0].metric in ("recall", "specificity")


@pytest.mark.parametrize(
    "around",
    [
        lambda model: StackingClassifier([("inside", model)], cv=2),
        lambda model: VotingClassifier([("inside", model)]),
        lambda model: BaggingClassifier(model, 2),
        OneVsRestClassifier,
    ],
    ids=["stacking", "voting", "bagging", "one-vs-rest"],
)
def test_inside_estimators_that_encode_labels_the_message_says_which_is_positive(tumors, around):
    X, y = tumors
    model = ConstrainedThresholdClassifier(
        GaussianNB(), "f1", subject_to={"recall": 0.8}, pos_label="malignant"
    )
    with pytest.raises(
        ValueError,
        match=r"'malignant' is not among .*\[0, 1\].*encoded.* pass pos_label=1 .*wrap the ens",
    ):
        around(model).fit(X, y)


def test_the_votes_of_the_second_label_reach_the_bound(tumors):
    X, y = tumors
    model = ConstrainedThresholdClassifier(
        GaussianNB(), "precision", subject_to={"recall": 0.99}, pos_label=1
    )
    recalls = []
    for member in (model, GaussianNB()):
        predicted = VotingClassifier([("inside", member)]).fit(X, y).predict(X)
        recalls.append(recall_score(y, predicted, pos_label="malignant"))
    assert recalls[0] >= 0.99 > recalls[1]


@pytest.mark.filterwarnings("ignore:with refit=True")
def test_clones_and_pickles_predict_the_same(tumors):
    X, y = tumors
    model = ConstrainedThresholdClassifier(
        GaussianNB(),
        "precision",
        subject_to={"recall": 0.9},
        pos_label="malignant",
        confidence_level=0.8,
    ).fit(X, y)
    for other in (pickle.loads(pickle.dumps(model)), clone(model).fit(X, y)):
        assert other.predict(X).tolist() == model.predict(X).tolist()
        assert other.constraints_ == model.constraints_
    assert not hasattr(clone(model), "best_threshold_")
    assert model.estimator_ is not model.estimator
    assert "subject_to={'recall': 0.9}" in repr(model)
    assert "GaussianNB" in model._repr_html_()


@pytest.mark.filterwarnings("ignore:with refit=True")
@pytest.mark.parametrize(
    ("options", "limit", "said"),
    [
        ({}, None, "violated about half of the time"),
        (
            {"confidence_level": 0.9},
            1,
            "With 0.9 confidence .* only about: the final model was fitted again",
        ),
        (
            {"confidence_level": 0.9, "cv": 0.5, "refit": False},
            1,
            "With 0.9 confidence .* exact for this model",
        ),
    ],
    ids=str,
)
def test_the_summary_says_what_the_bounds_cost_and_what_they_rest_on(tumors, options, limit, said):
    X, y = tumors
    model = ConstrainedThresholdClassifier(
        GaussianNB(),
        "precision",
        subject_to={"recall": 0.9},
        pos_label="malignant",
        random_state=0,
        **options,
    )
    assert "\n" not in repr(model)
    with pytest.raises(NotFittedError):
        model.summary()
    summary = model.fit(X, y).summary()
    [kept] = model.constraints_
    matrix = model.curve_.at(model.best_threshold_)
    unbounded = model.curve_.score("precision", zero_division=np.nan).max()
    reached = matrix.score("precision")
    first, _, *rows = summary.splitlines()
    n = matrix.counts.sum()
    assert (
        first
        == f"threshold {model.best_threshold_:.6g} for 'malignant', chosen on {n} held-out samples"
    )
    cells = [re.split(" {2,}", row) for row in rows[:4]]
    assert cells[:3] == [
        ["precision", f"{reached:.4f}"],
        ["precision without bounds", f"{unbounded:.4f}"],
        ["given up", f"{unbounded - reached:.4f}"],
    ]
    assert unbounded > reached
    assert cells[3] == ["recall >= 0.9", f"{kept.value:.4f}"] + (
        [] if limit is None else [f"{kept.limit:.4f}"]
    )
    assert re.search(said, summary)
    assert ("Not covered: repeated" in summary) == (limit is not None)
    assert repr(model).endswith(summary)
    assert "<td>" + cells[3][1] in model._repr_mimebundle_()["text/html"]
    assert repr(make_pipeline(model)).count("held-out") == 0


def test_it_works_in_pipelines_and_around_models_whose_predict_returns_probabilities(tumors):
    X, y = tumors
    inside = ProbabilityClassifier(Ridge(), pos_label="malignant")
    model = ConstrainedThresholdClassifier(
        inside, "precision", subject_to={"recall": 0.9}, pos_label="malignant"
    )
    piped = make_pipeline(StandardScaler(), model).fit(X, y)
    assert piped.score(X, y) > 0.85
    assert not hasattr(model, "decision_function")
    assert hasattr(model, "predict_proba")
    outside = ConstrainedThresholdClassifier(
        make_pipeline(StandardScaler(), LinearSVC()),
        "precision",
        subject_to={"recall": 0.9},
        pos_label="malignant",
    ).fit(X, y)
    assert not hasattr(outside, "predict_proba")
    np.testing.assert_array_equal(
        outside.decision_function(X), outside.estimator_.decision_function(X)
    )


@pytest.mark.parametrize(
    "container",
    [list, pd.Series, lambda y: pd.Series(y, dtype="category"), pl.Series],
    ids=range(4),
)
def test_labels_may_be_in_any_container(tumors, container):
    X, y = tumors
    model = ConstrainedThresholdClassifier(
        NearestMean(), "f1", subject_to={"recall": 0.9}, pos_label="malignant"
    )
    assert (
        clone(model).fit(X, container(y)).best_threshold_ == clone(model).fit(X, y).best_threshold_
    )


def test_frames_sparse_data_and_names_of_features(tumors):
    X, y = tumors
    frame = pd.DataFrame(X, columns=list("abcdef"))
    options = {"subject_to": {"recall": 0.9}, "pos_label": "malignant"}
    model = ConstrainedThresholdClassifier(GaussianNB(), "f1", **options).fit(frame, y)
    assert model.feature_names_in_.tolist() == list("abcdef")
    assert model.n_features_in_ == 6
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[list("fedcba")])
    inner = LogisticRegression(max_iter=5000)
    tags = get_tags(ConstrainedThresholdClassifier(inner, "f1", **options))
    assert tags.input_tags == get_tags(inner).input_tags
    assert tags.classifier_tags.multi_class
    X = StandardScaler().fit_transform(X)
    dense = ConstrainedThresholdClassifier(inner, "f1", **options).fit(X, y)
    assert ConstrainedThresholdClassifier(inner, "f1", **options).fit(
        sparse.csr_array(X), y
    ).best_threshold_ == (pytest.approx(dense.best_threshold_, abs=1e-6))


def test_the_number_of_features_is_compared_where_the_estimator_does_not():
    X, y = draw(100, 0)
    model = prefit(subject_to=None).fit(X, y)
    with pytest.raises(
        ValueError, match="X has 2 features, but ConstrainedThresholdClassifier is expecting 1"
    ):
        model.predict(np.zeros((3, 2)))


# What is refused.


@pytest.mark.filterwarnings("ignore:with refit=True")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "recal"}, "recal"),
        ({"metric": "f1_macro"}, "'f1_macro' specifies an average, but a curve is for one class"),
        ({"metric": "prevalence"}, "neither higher nor lower values of prevalence are better"),
        ({"subject_to": {"recall": "high"}}, "the bound on recall must be a number or a pair"),
        (
            {"subject_to": {"prevalence": 0.5}},
            "neither higher nor lower values of prevalence are better",
        ),
        ({"subject_to": {"net_benefit": 0.5}}, "net_benefit needs parameters"),
        ({"confidence_level": 0}, "confidence_level must be at least 0.5 and below 1; got 0"),
        ({"confidence_level": 95}, "confidence_level must be at least 0.5 and below 1; got 95"),
        ({"refit": "no"}, r"refit.*True or False"),
        ({"refit": False}, "refit=False keeps the model.*cv=5 has 5 splits.*pass a float"),
        (
            {"cv": 1.5},
            "cv=1.5 is the fraction of samples to hold out: pass a number between 0 and 1",
        ),
        ({"cv": 0.0}, r"cv=0\.0 is the fraction"),
        ({"cv": "fitted"}, "cv"),
        ({"pos_label": 2}, r"pos_label=2.*not among.*\[0, 1\]"),
        (
            {"response_method": "predict"},
            r"response_method must be one of \['auto', 'predict_proba', 'decision_f",
        ),
        ({"subject_to": {"recall": 1.2}}, "recall >= 1.2 is out of the metric"),
        (
            {"subject_to": {"matthews_corrcoef": 0.2}, "confidence_level": 0.9},
            r"matthews_corrcoef can't be bounded with "
            r"confidence_level.*'recall'.*'precision'.*omit confidence_level",
        ),
        (
            {"subject_to": {"recall": 0.99}, "confidence_level": 0.9},
            r"recall >= 0\.99 needs at least 230 positive samples.*of 0\.1; there are \d+",
        ),
        (
            {"subject_to": {"precision": 0.9, "recall": 0.5}, "confidence_level": 0.9},
            "with confidence_level=0.9 the confidence limits must .* no threshold satisfies "
            r"precision >= 0.9 and recall >= 0.5. At best precision reaches 0\.\d+ on its own and "
            r".* recall reaches "
            ".*Relax a bound",
        ),
        (
            {"cv": RepeatedStratifiedKFold(n_splits=2, n_repeats=2), "confidence_level": 0.9},
            "holds samples out more than once.*confidence_level treats each as an independent "
            "observation",
        ),
    ],
    ids=str,
)
def test_options_that_do_not_fit_are_refused(options, message):
    X, y = draw(200, 0)
    options = {"metric": "precision", "subject_to": {"recall": 0.5}, **options}
    with pytest.raises(ValueError, match=message):
        ConstrainedThresholdClassifier(LogisticRegression(), **options).fit(X, y)


@pytest.mark.parametrize(("n_positive", "enough"), [(58, False), (59, True), (60, True)])
def test_59_positive_samples_guarantee_a_recall_of_95_percent(n_positive, enough):
    X = np.linspace(0, 1, 200)[:, np.newaxis]
    y = (np.arange(200) >= 200 - n_positive).astype(int)
    model = prefit("specificity", subject_to={"recall": 0.95}, confidence_level=0.95)
    if enough:
        assert X[199 - n_positive, 0] < model.fit(X, y).best_threshold_ < X[200 - n_positive, 0]
    else:
        with pytest.raises(ValueError, match=r"needs at least 59 positive samples .* there are 58"):
            model.fit(X, y)


def test_one_positive_sample_or_none_guarantees_nothing():
    X = np.linspace(0, 1, 200)[:, np.newaxis]
    y = (np.arange(200) == 199).astype(int)
    with pytest.raises(ValueError, match=r"needs at least 29 positive samples .* there are 1"):
        prefit("specificity", subject_to={"recall": 0.9}, confidence_level=0.95).fit(X, y)
    model = ConstrainedThresholdClassifier(
        Column(), "f1", subject_to={"recall": 0.9}, cv=[(range(100, 200), range(100))]
    )
    with pytest.raises(
        ValueError, match=r"no threshold satisfies recall >= 0\.9. At best recall reaches no value"
    ):
        model.fit(X, y)


@pytest.mark.parametrize(
    "options",
    [
        {"metric": "f1_macro"},
        {"subject_to": {"recall": (1, 0)}},
        {"subject_to": {"mcc": 0.5}, "confidence_level": 0.9},
        {"response_method": "predict"},
        {"refit": False},
        {"pos_label": 2},
    ],
    ids=str,
)
def test_mistakes_are_reported_before_anything_is_fitted(options):
    X, y = draw(100, 0)
    with pytest.raises(
        ValueError, match=r"average|pass the lower one|be bounded|response_method|refit|pos_label"
    ):
        ConstrainedThresholdClassifier(
            NeverFitted(), **{"metric": "f1", "subject_to": None, **options}
        ).fit(X, y)


def test_bounds_that_are_not_a_dict_and_metrics_that_need_parameters_are_refused():
    X, y = draw(100, 0)
    with pytest.raises(TypeError, match="expected_cost needs the parameter 'cost_matrix'"):
        prefit("expected_cost", subject_to=None).fit(X, y)
    with pytest.raises(TypeError, match="subject_to must be a dict of bounds"):
        prefit(subject_to=["recall"]).fit(X, y)


def test_float_weights_count_only_without_a_level():
    X, y = draw(200, 0)
    weight = np.full(200, 0.5)
    assert prefit(subject_to={"recall": 0.5}).fit(X, y, sample_weight=weight).best_threshold_ > 0
    with pytest.raises(
        ValueError,
        match=r"sample_weight does not give the number of samples.*frequency_weights=True if",
    ):
        prefit(subject_to={"recall": 0.5}, confidence_level=0.9).fit(X, y, sample_weight=weight)
    with pytest.raises(ValueError, match="sample_weight has shape"):
        prefit(subject_to={"recall": 0.5}).fit(X, y, sample_weight=weight[1:])


def test_fitted_models_take_nothing_to_fit_with():
    X, y = draw(100, 0)
    with pytest.raises(
        ValueError, match=r"cv='prefit' fits and splits nothing, but fit got \['groups'\]"
    ):
        prefit(subject_to=None).fit(X, y, groups=y)


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_non_numeric_scores_are_refused(bad):
    X, y = draw(100, 0)
    with pytest.raises(ValueError, match="NaN or infinity"):
        prefit(subject_to=None).fit(np.where(X[3] == X, bad, X), y)
    model = prefit(subject_to=None).fit(X, y)
    with pytest.raises(ValueError, match="NaN or infinity"):
        model.predict([[bad]])


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0.5, 1.5] * 10, "Unknown label type: y holds continuous"),
        (["a"] * 20, "y holds one class"),
        ([[0, 1], [1, 0]] * 10, "2-D 0/1 indicator"),
    ],
    ids=["continuous", "one", "one-hot"],
)
def test_targets_that_are_not_two_labels_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        ConstrainedThresholdClassifier(GaussianNB(), "f1", subject_to=None).fit(
            np.zeros((20, 1)), y
        )


def test_models_without_scores_are_refused():
    X, y = draw(100, 0)
    with pytest.raises(
        TypeError, match=r"Ridge.*none of.*\['predict_proba', 'decision_function'\]"
    ):
        ConstrainedThresholdClassifier(Ridge(), "f1", subject_to=None).fit(X, y)
    with pytest.raises(TypeError, match=re.escape("none of the methods ['decision_function']")):
        ConstrainedThresholdClassifier(
            KNeighborsClassifier(), "f1", subject_to=None, response_method="decision_function"
        ).fit(X, y)


def test_it_predicts_only_when_fitted():
    model = ConstrainedThresholdClassifier(LogisticRegression(), "f1", subject_to=None)
    for method in ("predict", "predict_proba", "decision_function"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(model, method)([[0]])
    assert not hasattr(model, "classes_")
    assert not hasattr(model, "constraints_")


def test_a_forest_has_a_guarantee_at_its_few_values():
    X, y = draw(3000, 0)
    forest = RandomForestClassifier(10, max_depth=3, random_state=0).fit(X[:1000], y[:1000])
    bounds = {"precision": 0.6, "recall": 0.5}
    model = ConstrainedThresholdClassifier(
        forest, "f1", subject_to=bounds, cv="prefit", confidence_level=0.95
    )
    model.fit(X[1000:], y[1000:])
    new, actual = draw(20_000, 1)
    predicted = model.predict(new)
    assert predicted[actual == 1].mean() >= 0.5
    assert actual[predicted == 1].mean() >= 0.6


class Rounds(ClassifierMixin, BaseEstimator):
    """Its probabilities are the first feature to one digit, so that most of them are tied."""

    def fit(self, _, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        shares = np.round(np.asarray(X)[:, 0], 1)
        return np.column_stack([1 - shares, shares])

    def predict(self, X):
        return self.classes_[(self.predict_proba(X)[:, 1] >= 0.5).astype(int)]


def test_a_promise_of_precision_goes_by_all_samples_of_a_tied_score():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 400)
    shares = np.where(y == 1, random.beta(4, 2, 800), random.beta(2, 5, 800))
    X = shares[:, None]
    promised = {"subject_to": {"precision": 0.8}, "confidence_level": 0.9, "cv": "prefit"}
    # Whichever of tied samples come first.
    for order in (np.arange(800), np.arange(800)[::-1], random.permutation(800)):
        model = ConstrainedThresholdClassifier(Rounds().fit(X, y), "recall", **promised)
        model.fit(X[order], y[order])
        predicted = np.round(shares, 1) >= model.best_threshold_
        (kept,) = model.constraints_
        assert kept.value == y[predicted].mean()
        # Clopper & Pearson's one-sided limit, or a lower one where several thresholds are tested.
        hits, n = y[predicted].sum(), predicted.sum()
        assert 0.8 <= kept.limit <= stats.beta.ppf(0.1, hits, n - hits + 1) + 1e-12
        assert model.best_threshold_ == pytest.approx(0.45)


# What a promise rests on.


def promised(**options):
    options = {"confidence_level": 0.9, "subject_to": {"recall": 0.5}, **options}
    return ConstrainedThresholdClassifier(GaussianNB(), "precision", **options)


@pytest.mark.parametrize(
    "options",
    [
        {"refit": False, "cv": 0.5, "random_state": 0},
        {"cv": "prefit", "estimator": True},
        {"confidence_level": None},
    ],
)
def test_what_a_refit_does_to_a_promise_is_said_only_where_there_are_both(options):
    X, y = make_classification(300, random_state=0)
    model = promised(**{name: of for name, of in options.items() if name != "estimator"})
    if "estimator" in options:
        model.set_params(estimator=GaussianNB().fit(X[:50], y[:50]))
    model.fit(X, y)
    for given in ({"cv": 3}, {"cv": 0.5, "random_state": 0}):
        with pytest.warns(UserWarning, match="refit=False") as warned:
            promised(**given).fit(X, y)
        [one] = warned
        assert one.filename == __file__


@pytest.mark.parametrize("cv", [GroupKFold(3), GroupShuffleSplit(1, random_state=0)])
def test_groups_and_a_promise_are_refused_before_any_fit(cv):
    X, y = make_classification(300, random_state=0)
    groups = np.arange(300) // 10
    options = {"cv": cv, "refit": not isinstance(cv, GroupShuffleSplit)}
    with pytest.raises(ValueError, match=r"groups=.*confidence_level.*clusters=groups"):
        promised(**options).set_params(estimator=NeverFitted()).fit(X, y, groups=groups)
    promised(**{**options, "confidence_level": None}).fit(X, y, groups=groups)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = promised(**options)
        with pytest.raises(ValueError, match=r"groups=.*confidence_level"):
            routed.fit(X, y, groups=groups)
        routed.set_params(confidence_level=None).fit(X, y, groups=groups)


def test_identical_samples_of_few_groups_are_no_evidence():
    """30 groups of 20 identical samples counted as 600 independent ones, a limit of .858."""
    random = np.random.default_rng(0)
    once = random.normal(size=(30, 1)), np.ones(30, dtype=int)
    X, y = np.repeat(once[0], 20, axis=0), np.repeat(once[1], 20)
    X, y = np.vstack([X, -5 - X]), np.append(y, 1 - y)
    with pytest.raises(ValueError, match="one sample of each group"):
        promised(refit=False, cv=GroupShuffleSplit(1, random_state=0)).fit(
            X, y, groups=np.repeat(np.arange(60), 20)
        )
