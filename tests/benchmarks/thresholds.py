"""Counts, metrics and areas at every threshold, and at given ones."""

import numpy as np
import sklearn.metrics
from sklearn.base import BaseEstimator, ClassifierMixin
from timing import OURS, SKLEARN, Part, Row

from skmetrics_ext import ConstrainedThresholdClassifier, ThresholdCurve, ThresholdCurves

N_SAMPLES = 1_000_000


def actual_and_scores(n_samples=N_SAMPLES):
    """Two overlapping classes, and probabilities that tell them apart fairly well."""
    random = np.random.default_rng(0)
    actual = random.integers(0, 2, n_samples)
    return actual, 1 / (1 + np.exp(-random.normal(2 * actual - 1)))


def counts(digits=None, weighted=False):
    actual, scores = actual_and_scores()
    if digits is not None:
        scores = scores.round(digits)
    weights = np.random.default_rng(1).random(N_SAMPLES) if weighted else None

    def ours():
        """In scikit-learn's order."""
        curve = ThresholdCurve.from_scores(actual, scores, sample_weight=weights)
        tp, fp, fn, tn = curve.counts
        return tn, fp, fn, tp, curve.thresholds

    def theirs():
        return sklearn.metrics.confusion_matrix_at_thresholds(actual, scores, sample_weight=weights)

    # Versions before 1.9 have no such function.
    has_peer = hasattr(sklearn.metrics, "confusion_matrix_at_thresholds")
    return {OURS: ours, SKLEARN: theirs} if has_peer else {OURS: ours}


def f1():
    actual, scores = actual_and_scores(4000)

    def theirs():
        """The fastest way: metric_at_thresholds calls the metric at each threshold."""
        precision, recall, _ = sklearn.metrics.precision_recall_curve(actual, scores)
        total = precision + recall
        values = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
        return values[-2::-1]

    return {OURS: lambda: ThresholdCurve.from_scores(actual, scores).score("f1"), SKLEARN: theirs}


def at_given(n_thresholds):
    actual, scores = actual_and_scores()
    thresholds = np.linspace(0, 1, n_thresholds)
    return {OURS: lambda: ThresholdCurve.from_scores(actual, scores, thresholds=thresholds).counts}


def area(ours, theirs):
    actual, scores = actual_and_scores()
    return {
        OURS: lambda: getattr(ThresholdCurve.from_scores(actual, scores), ours)(),
        SKLEARN: lambda: getattr(sklearn.metrics, theirs)(actual, scores),
    }


def roc_auc_of_classes(n_samples, n_classes, average, multi_class):
    random = np.random.default_rng(0)
    actual = np.append(np.arange(n_classes), random.integers(0, n_classes, n_samples - n_classes))
    scores = random.dirichlet(np.ones(n_classes), n_samples)
    return {
        OURS: lambda: ThresholdCurves.from_scores(actual, scores).roc_auc(average),
        SKLEARN: lambda: sklearn.metrics.roc_auc_score(actual, scores, multi_class=multi_class),
    }


class GivenScores(ClassifierMixin, BaseEstimator):
    """A fitted model whose probabilities are its input."""

    def __init__(self, n_classes=2):
        self.n_classes = n_classes
        self.classes_ = np.arange(n_classes)

    def predict_proba(self, X):
        return X


def promise(metric):
    """A threshold that keeps a recall or a precision of .6 on new data at 95 %."""
    actual, scores = actual_and_scores()
    X = np.column_stack([1 - scores, scores])
    model = ConstrainedThresholdClassifier(
        GivenScores(), "f1", subject_to={metric: 0.6}, confidence_level=0.95, cv="prefit"
    )
    return {OURS: lambda: model.fit(X, actual), "np.sort": Part(lambda: np.sort(scores), 1)}


def weights_of_classes():
    """The best weights of 50 classes for macro F1."""
    random = np.random.default_rng(0)
    actual = random.integers(0, 50, 20_000)
    evidence = np.exp(random.normal(size=(len(actual), 50)) + 2 * np.eye(50)[actual])
    shares = evidence / evidence.sum(1, keepdims=True)
    model = ConstrainedThresholdClassifier(
        GivenScores(50), "f1_macro", subject_to=None, cv="prefit"
    )
    return {OURS: lambda: model.fit(shares, actual)}


ROWS = [
    *(
        Row(f"threshold with a promise of {metric}, 1e6", lambda m=metric: promise(m), at_most=500)
        for metric in ("recall", "precision")
    ),
    Row("weights of 50 classes, 2e4 samples", weights_of_classes, at_most=3_000),
    Row("counts at 1e6 distinct scores", counts),
    Row("counts at 1e6 distinct scores, weights", lambda: counts(weighted=True)),
    Row("counts at 1,000 distinct scores", lambda: counts(digits=3)),
    Row("counts at 1,000 given thresholds", lambda: at_given(1000)),
    Row("counts at 1e5 given thresholds", lambda: at_given(100_000)),
    Row("f1 at 4,000 thresholds", f1),
    Row("roc_auc", lambda: area("roc_auc", "roc_auc_score")),
    Row("average_precision", lambda: area("average_precision", "average_precision_score")),
    Row("roc_auc macro, 1e5 x 10", lambda: roc_auc_of_classes(100_000, 10, "macro", "ovr")),
    Row("roc_auc one-vs-one, 1e5 x 10", lambda: roc_auc_of_classes(100_000, 10, "ovo", "ovo")),
    Row("roc_auc macro, 1e4 x 100", lambda: roc_auc_of_classes(10_000, 100, "macro", "ovr")),
    Row("roc_auc macro, 1e4 x 1,000", lambda: roc_auc_of_classes(10_000, 1000, "macro", "ovr")),
]
