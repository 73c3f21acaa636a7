"""Outlier detectors: their scores are of the inliers, 1; labels are -1 and 1, at every door."""

import numpy as np
import pytest
from scipy.stats import hmean
from sklearn.covariance import EllipticEnvelope
from sklearn.ensemble import IsolationForest
from sklearn.metrics import confusion_matrix, precision_recall_curve, recall_score, roc_auc_score
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict
from sklearn.neighbors import LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import OneClassSVM

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ConstrainedThresholdClassifier,
    ProbabilityClassifier,
    ThresholdCurve,
    compare_estimators,
    cross_val_confusion_matrix,
    cross_val_interval,
    cross_val_threshold_curves,
    get_scorer,
)
from tests.shared import one_in

RANDOM = np.random.default_rng(0)
IS_OUTLIER = RANDOM.random(300) < 0.1
X = RANDOM.normal(size=(300, 2)) + 3 * IS_OUTLIER[:, np.newaxis]
Y = np.where(IS_OUTLIER, -1, 1)
FOLDS = KFold(3)

DETECTORS = {
    "forest": IsolationForest(n_estimators=4, random_state=0),
    "machine": OneClassSVM(nu=0.1),
    "envelope": EllipticEnvelope(random_state=0),
    "neighbors": LocalOutlierFactor(novelty=True),
    "pipeline": make_pipeline(StandardScaler(), OneClassSVM(nu=0.1)),
    "search": GridSearchCV(OneClassSVM(nu=0.1), {"gamma": [0.1]}, scoring="accuracy"),
}


def constrained(model, X, y, **options):
    bounds = {"recall": 0.9}
    return ConstrainedThresholdClassifier(model, "precision", subject_to=bounds, **options).fit(
        X, y
    )


TWO_FOLDS = {"scoring": "accuracy", "cv": 2, "n_repeats": 1}
DOORS = {
    "curve": ThresholdCurve.from_estimator,
    "curves of folds": lambda model, X, y: cross_val_threshold_curves(model, X, y, cv=FOLDS),
    "best threshold": lambda model, X, y: get_scorer("f1", threshold="best")(model, X, y),
    "threshold": lambda model, X, y: get_scorer("f1", threshold=0.0)(model, X, y),
    "scorer": lambda model, X, y: ConfusionScorer("recall_macro")(model, X, y),
    "matrix": ConfusionMatrix.from_estimator,
    "matrix of folds": lambda model, X, y: cross_val_confusion_matrix(model, X, y, cv=FOLDS),
    "interval": lambda model, X, y: cross_val_interval(model, X, y, **TWO_FOLDS),
    "comparison": lambda model, X, y: compare_estimators(
        {"a": model, "b": OneClassSVM()}, X, y, **TWO_FOLDS
    ),
    "constrained": constrained,
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in ("machine", "envelope") else ())
        for name in DETECTORS
    ],
)
def test_scores_are_of_the_inliers_and_of_the_outliers_negated(name):
    """The slow ones are what a pipeline and a search above have inside, and a slow one."""
    model = DETECTORS[name].fit(X, Y)
    scores, predicted = model.decision_function(X), model.predict(X)
    assert ThresholdCurve.from_estimator(model, X, Y).roc_auc() == pytest.approx(
        roc_auc_score(Y == 1, scores)
    )
    for label, sign in ((1, 1), (-1, -1)):
        curve = ThresholdCurve.from_estimator(model, X, Y, pos_label=label)
        assert curve.pos_label == label
        assert curve.roc_auc() == pytest.approx(roc_auc_score(label == Y, sign * scores))
        best = get_scorer("f1", threshold="best", pos_label=label)(model, X, Y)
        precision, recall, _ = precision_recall_curve(label == Y, sign * scores)
        assert best == pytest.approx(hmean([precision, recall]).max())
        at_zero = get_scorer("recall", threshold=0.0, pos_label=label)(model, X, Y)
        assert at_zero == pytest.approx(recall_score(Y, predicted, pos_label=label))
    assert ConfusionMatrix.from_estimator(model, X, Y).counts.tolist() == (
        confusion_matrix(Y, predicted).tolist()
    )


def test_folds_and_bounds_take_them_without_further_options():
    model = DETECTORS["forest"]
    predicted = cross_val_predict(model, X, Y, cv=FOLDS)
    of_folds = cross_val_confusion_matrix(model, X, Y, cv=FOLDS).sum("fold")
    assert of_folds.counts.tolist() == confusion_matrix(Y, predicted).tolist()
    for label in (1, -1):
        tuned = constrained(model, X, Y, pos_label=label)
        assert tuned.classes_.tolist() == [-1, 1]
        assert recall_score(Y, tuned.predict(X), pos_label=label) >= 0.9


@pytest.fixture(scope="module")
def forest():
    return DETECTORS["forest"].fit(X, Y)


@pytest.mark.parametrize(
    ("door", "labels"), one_in(2, DOORS, [[0, 1], [False, True], ["in", "out"], [2, 1]])
)
def test_other_labels_are_refused_with_what_to_do(door, labels, forest):
    """The slow ones are the other labels at each door."""
    y = np.array(labels)[IS_OUTLIER.astype(int)]
    said = r"IsolationForest detects outliers: .*-1 for outliers.*np.where\(is_outlier, -1, 1\)"
    with pytest.raises(ValueError, match=said):
        DOORS[door](forest, X, y)


@pytest.mark.filterwarnings("ignore::skmetrics_ext.UnreliableIntervalWarning")
@pytest.mark.parametrize("door", DOORS)
def test_inliers_and_outliers_are_taken(door, forest):
    DOORS[door](forest, X, Y)


def test_they_return_no_probabilities():
    with pytest.raises(TypeError, match="OneClassSVM detects outliers and returns no prob"):
        ProbabilityClassifier(DETECTORS["pipeline"]).fit(X, Y)
