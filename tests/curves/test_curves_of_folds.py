"""Curves of folds against scikit-learn's predictions: best and common thresholds, sums."""

import pickle

import joblib
import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import KFold, LeaveOneOut, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    ThresholdCurves,
    cross_val_threshold_curves,
)

CANCER = load_breast_cancer()
X, Y = CANCER.data[:, :4], CANCER.target_names[CANCER.target]
CV = StratifiedKFold(4, shuffle=True, random_state=0)


@pytest.mark.parametrize("positive", ["malignant", "benign"])
@pytest.mark.parametrize(
    "model", [GaussianNB(), LinearSVC(random_state=0)], ids=["proba", "decision"]
)
def test_folds_are_scored_by_their_own_models(positive, model):
    curves = cross_val_threshold_curves(model, X, Y, cv=CV, pos_label=positive)
    assert (curves.axis.name, [*curves]) == ("fold", [0, 1, 2, 3])
    method = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
    scores = cross_val_predict(model, X, Y, cv=CV, method=method)
    # Classes are sorted: benign, malignant.
    scores = (
        scores[:, int(positive == "malignant")]
        if scores.ndim == 2
        else scores * (1 if positive == "malignant" else -1)
    )
    areas = [roc_auc_score(Y[test] == positive, scores[test]) for _, test in CV.split(X, Y)]
    np.testing.assert_allclose(curves.roc_auc(), areas)
    np.testing.assert_allclose(curves.roc_auc(average=None), areas)
    precisions = [
        average_precision_score(Y[test] == positive, scores[test]) for _, test in CV.split(X, Y)
    ]
    np.testing.assert_allclose(curves.average_precision(), precisions)
    together = curves.sum("fold")
    expected = ThresholdCurve.from_scores(Y, scores, pos_label=positive)
    np.testing.assert_array_equal(together.thresholds, expected.thresholds)
    np.testing.assert_array_equal(together.counts, expected.counts)
    order = ["benign", "malignant"] if positive == "malignant" else ["malignant", "benign"]
    assert together.labels.tolist() == curves.labels.tolist() == order
    assert together.pos_label == curves.pos_label == positive


def test_one_class_of_many():
    features, kinds = load_iris(return_X_y=True)
    curves = cross_val_threshold_curves(GaussianNB(), features, kinds, cv=CV, pos_label=1)
    scores = cross_val_predict(GaussianNB(), features, kinds, cv=CV, method="predict_proba")[:, 1]
    np.testing.assert_array_equal(
        curves.sum("fold").counts, ThresholdCurve.from_scores(kinds, scores, pos_label=1).counts
    )
    assert curves.labels.tolist() == ["not 1", "1"]
    with pytest.raises(ValueError, match="pos_label="):
        cross_val_threshold_curves(GaussianNB(), features, kinds, cv=CV)


def test_two_labels_without_a_positive_one_are_refused():
    with pytest.raises(ValueError, match="pass one of them as pos_label="):
        cross_val_threshold_curves(GaussianNB(), X, Y)
    with pytest.raises(ValueError, match="pos_label='ill'"):
        cross_val_threshold_curves(GaussianNB(), X, Y, pos_label="ill")
    with pytest.raises(ValueError, match=r"y.*indicator"):
        cross_val_threshold_curves(GaussianNB(), X[:2], np.eye(2, dtype=int))


def test_folds_of_one_sample():
    curves = cross_val_threshold_curves(
        GaussianNB(), X[::10], Y[::10], cv=LeaveOneOut(), pos_label="malignant"
    )
    assert len(curves) == len(Y[::10])
    scores = cross_val_predict(
        GaussianNB(), X[::10], Y[::10], cv=LeaveOneOut(), method="predict_proba"
    )[:, 1]
    assert curves.sum("fold").roc_auc() == pytest.approx(
        roc_auc_score(Y[::10] == "malignant", scores)
    )
    with pytest.warns(UserWarning, match="roc_auc is undefined"):
        assert np.isnan(curves.roc_auc()).all()


class Weighted(ClassifierMixin, BaseEstimator):
    """Scores that are the first feature; fitting accepts weights and ignores them."""

    def fit(self, X, y, sample_weight=None):
        self.classes_, self.n_features_in_, self.weighted_ = (
            np.unique(y),
            X.shape[1],
            sample_weight is not None,
        )
        return self

    def predict(self, X):
        return self.classes_[(X[:, 0] > 0).astype(int)]

    def decision_function(self, X):
        return X[:, 0] * (1 if self.weighted_ else -1)


def test_weights_weight_the_samples_where_they_are_routed():
    y = (Y == "malignant").astype(int)
    weights = np.random.default_rng(0).uniform(0.1, 3, len(y))
    with config_context(enable_metadata_routing=True):
        model = Weighted().set_fit_request(sample_weight=True)
        curves = cross_val_threshold_curves(model, X, y, cv=3, params={"sample_weight": weights})
    expected = ThresholdCurve.from_scores(y, X[:, 0], sample_weight=weights)
    np.testing.assert_allclose(curves.sum("fold").counts, expected.counts)
    unrouted = cross_val_threshold_curves(Weighted(), X, y, cv=3, params={"sample_weight": weights})
    np.testing.assert_array_equal(
        unrouted.sum("fold").counts, ThresholdCurve.from_scores(y, X[:, 0]).counts
    )


def test_curves_of_folds_in_parallel_are_the_same_and_pickle():
    options = {"cv": CV, "pos_label": "benign"}
    expected = cross_val_threshold_curves(GaussianNB(), X, Y, **options)
    with joblib.parallel_config("threading"):
        curves = cross_val_threshold_curves(GaussianNB(), X, Y, n_jobs=2, **options)
    again = pickle.loads(pickle.dumps(curves))
    for fold in curves:
        np.testing.assert_array_equal(again[fold].counts, expected[fold].counts)
        assert again[fold].pos_label == "benign"
    assert repr(again) == "ThresholdCurves of 569 samples, 4 folds, positive 'benign'"


CURVES = cross_val_threshold_curves(
    LogisticRegression(max_iter=5000), X, Y, cv=CV, pos_label="malignant"
)
CLASSES = ThresholdCurves.from_scores(
    ["a", "b", "c", "a"], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.4, 0.5, 0.1]]
)


@pytest.mark.parametrize("curves", [CURVES, CLASSES], ids=["folds", "classes"])
def test_the_best_of_each_is_that_of_its_curve(curves):
    best = curves.best("precision", subject_to={"recall": 0.5})
    assert best.axis.name == curves.axis.name
    for place, curve in enumerate(curves.values()):
        of_curve = curve.best("precision", subject_to={"recall": 0.5})
        assert (best.value[place], best.thresholds[place]) == (of_curve.value, of_curve.threshold)
        assert tuple(part[place] for part in best.counts) == of_curve.counts


def test_best_says_which_curve_can_not():
    with pytest.raises(ValueError, match=r"^class 'b': .*recall"):
        CLASSES.best("precision", subject_to={"recall": 1, "specificity": 1})


@pytest.mark.parametrize("grid", [[0.5], [0.1, 0.9, 0.3], 7])
def test_common_thresholds(grid):
    at = CURVES.at_thresholds(grid)
    assert [axis.name for axis in at.axes] == ["fold", "threshold"]
    thresholds = at.axes[1].coordinates
    for fold, curve in CURVES.items():
        for place, threshold in enumerate(thresholds):
            np.testing.assert_array_equal(at.counts[fold, place], curve.at(threshold).counts)
    assert at.pos_label == "malignant"
    np.testing.assert_array_equal(
        at.sum("fold").score("recall"),
        [CURVES.sum("fold").at(t).score("recall") for t in thresholds],
    )


def test_common_thresholds_of_classes():
    at = CLASSES.at_thresholds([0.3, 0.5])
    assert isinstance(at, ConfusionMatrix)
    assert at.labels.tolist() == [0, 1]
    for place, (_, curve) in enumerate(CLASSES.items()):
        for column, threshold in enumerate([0.3, 0.5]):
            np.testing.assert_array_equal(at.counts[place, column], curve.at(threshold).counts)


def test_a_quantile_of_all_scores():
    scores = np.concatenate([curve._samples.scores for curve in CURVES.values()])
    expected = ThresholdCurve.from_scores(
        np.arange(len(scores)) % 2, scores, thresholds=5
    ).thresholds
    np.testing.assert_array_equal(CURVES.at_thresholds(5).axes[1].coordinates, expected)


def test_too_many_cells_are_refused():
    with pytest.raises(ValueError, match="thresholds=1000"):
        CURVES.at_thresholds(np.linspace(0, 1, 2**20 + 1))
    assert CLASSES.at_thresholds(np.linspace(0, 1, 2**12)).counts.shape == (3, 2**12, 2, 2)


def test_sums_are_only_of_folds():
    with pytest.raises(ValueError, match=r"curves\.micro"):
        CLASSES.sum("class")
    with pytest.raises(
        ValueError, match="there is no axis 'group': these curves have the axis 'fold'"
    ):
        CURVES.sum("group")


@pytest.mark.parametrize("average", ["weighted", "micro", "worst", "ovo"])
def test_averages_are_only_of_classes(average):
    with pytest.raises(
        ValueError,
        match=f"average='{average}' is for classes, but here there is one curve per fold",
    ):
        CURVES.roc_auc(average)


def test_a_fold_without_the_class():
    order = np.argsort(Y == "malignant", kind="stable")
    curves = cross_val_threshold_curves(
        GaussianNB(), X[order], Y[order], cv=KFold(4), pos_label="malignant"
    )
    assert (curves[0].counts.tp + curves[0].counts.fn == 0).all()
    assert curves.sum("fold").counts.tp[-1] == (Y == "malignant").sum()
