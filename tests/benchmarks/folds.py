"""Scorers as searches and cross-validation call them: the prediction is part of the time."""

import numpy as np
import sklearn.metrics as sk
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_predict
from timing import OURS, SKLEARN, Row

from skmetrics_ext import ConfusionScorer, cross_val_confusion_matrix, get_scorer

N_SAMPLES = 100_000
N_CLASSES = 10
AVERAGES = ("macro", "micro", "weighted")

# Twenty metrics that scikit-learn has: names that both sides know, and its functions made scorers.
BY_NAME = [
    "accuracy",
    "balanced_accuracy",
    *(
        f"{name}_{average}"
        for name in ("precision", "recall", "f1", "jaccard")
        for average in AVERAGES
    ),
]
BY_FUNCTION = {
    "matthews_corrcoef": sk.make_scorer(sk.matthews_corrcoef),
    "cohen_kappa": sk.make_scorer(sk.cohen_kappa_score),
    "neg_zero_one_loss": sk.make_scorer(sk.zero_one_loss, greater_is_better=False),
    "neg_hamming_loss": sk.make_scorer(sk.hamming_loss, greater_is_better=False),
    "fbeta_macro": sk.make_scorer(sk.fbeta_score, beta=2, average="macro"),
    "fbeta_weighted": sk.make_scorer(sk.fbeta_score, beta=2, average="weighted"),
}
TWENTY = [*BY_NAME, *BY_FUNCTION]
FEW = ["accuracy", *(name for name in BY_NAME if name.endswith("_macro"))]


def fitted(strategy="prior", names=None):
    """A classifier that costs little, with its data."""
    y = np.random.default_rng(0).integers(0, N_CLASSES, N_SAMPLES)
    X, y = np.zeros((N_SAMPLES, 1)), y if names is None else names[y]
    return DummyClassifier(strategy=strategy, random_state=0).fit(X, y), X, y


def scorers(metrics, arguments, weighted=False):
    """Our scorer of these metrics, and scikit-learn's."""
    weights = {"sample_weight": np.random.default_rng(0).random(N_SAMPLES)} if weighted else {}
    ours = ConfusionScorer(metrics, **({"beta": 2} if metrics is TWENTY else {}))
    theirs = sk.check_scoring(
        arguments[0], {metric: BY_FUNCTION.get(metric, metric) for metric in metrics}
    )

    def call(scorer):
        def scores():
            found = scorer(*arguments, **weights)
            return {metric: found[metric] for metric in metrics}

        return scores

    return {OURS: call(ours), SKLEARN: call(theirs)}


def alone(scorer):
    arguments = fitted()
    return {OURS: lambda: scorer(*arguments)}


def matrices_of_folds(n_classes):
    """The matrix of all folds together; of each fold scikit-learn has none."""
    y = np.arange(3000) % n_classes
    X, model = y[:, None], DummyClassifier(strategy="prior")
    return {
        OURS: lambda: cross_val_confusion_matrix(model, X, y).sum("fold").counts,
        SKLEARN: lambda: sk.confusion_matrix(y, cross_val_predict(model, X, y)),
    }


NAMES = np.array([f"class_number_{k:03d}" for k in range(N_CLASSES)])
ROWS = [
    Row("20 metrics, 1e5 integers", lambda: scorers(TWENTY, fitted())),
    Row("20 metrics, weights", lambda: scorers(TWENTY, fitted(), weighted=True)),
    Row("20 metrics, uniform predictions", lambda: scorers(TWENTY, fitted("uniform"))),
    Row("20 metrics, strings", lambda: scorers(TWENTY, fitted(names=NAMES))),
    Row(f"{len(FEW)} metrics", lambda: scorers(FEW, fitted())),
    Row("1 metric", lambda: scorers(["f1_macro"], fitted())),
    Row(
        "per class, with counts",
        lambda: alone(ConfusionScorer(TWENTY, beta=2, per_class=True, counts=True)),
    ),
    Row("evaluation_index", lambda: alone(get_scorer("evaluation_index"))),
    Row("matrices of 5 folds, 3 classes", lambda: matrices_of_folds(3)),
    Row("matrices of 5 folds, 300 classes", lambda: matrices_of_folds(300), times=0.78),
    Row("peak memory, matrices of 5 folds, 300 classes", lambda: matrices_of_folds(300), unit="MB"),
]
