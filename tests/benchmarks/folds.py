"""Scorers as searches and cross-validation call them: the prediction is part of the time."""

import numpy as np
import sklearn.metrics as sk
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_predict
from timing import OURS, SKLEARN

from skmetrics_ext import ConfusionScorer, cross_val_confusion_matrix, get_scorer

ROWS = 100_000
N_CLASSES = 10
AVERAGES = ("macro", "micro", "weighted")

# Twenty metrics that scikit-learn has: names that both sides know, and its functions made scorers.
BY_NAME = [
    "accuracy",
    "balanced_accuracy",
    *(f"{name}_{average}" for name in ("precision", "recall", "f1", "jaccard") for average in AVERAGES),
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
    y = np.random.default_rng(0).integers(0, N_CLASSES, ROWS)
    X, y = np.zeros((ROWS, 1)), y if names is None else names[y]
    return DummyClassifier(strategy=strategy, random_state=0).fit(X, y), X, y


def scorers(metrics, arguments, weighted=False):
    """Our scorer of these metrics, and scikit-learn's."""
    weights = {"sample_weight": np.random.default_rng(0).random(ROWS)} if weighted else {}
    ours = ConfusionScorer(metrics, **({"beta": 2} if metrics is TWENTY else {}))
    theirs = sk.check_scoring(arguments[0], {metric: BY_FUNCTION.get(metric, metric) for metric in metrics})

    def call(scorer):
        def scores():
            found = scorer(*arguments, **weights)
            return {metric: found[metric] for metric in metrics}

        return scores

    return {OURS: call(ours), SKLEARN: call(theirs)}


def per_class_and_counts():
    scorer, arguments = ConfusionScorer(TWENTY, beta=2, per_class=True, counts=True), fitted()
    return {OURS: lambda: scorer(*arguments)}


def evaluation_index():
    scorer, arguments = get_scorer("evaluation_index"), fitted()
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
CASES = {
    "20 metrics of 1e5, prior": lambda: scorers(TWENTY, fitted()),
    "20 metrics of 1e5, prior, weights": lambda: scorers(TWENTY, fitted(), weighted=True),
    "20 metrics of 1e5, uniform": lambda: scorers(TWENTY, fitted("uniform")),
    "20 metrics of 1e5, prior, strings": lambda: scorers(TWENTY, fitted(names=NAMES)),
    f"{len(FEW)} metrics of 1e5, prior": lambda: scorers(FEW, fitted()),
    "1 metric of 1e5, prior": lambda: scorers(["f1_macro"], fitted()),
    "20 metrics of 1e5, per class, with counts": per_class_and_counts,
    "evaluation_index of 1e5": evaluation_index,
    "matrices of 5 folds, 3 classes": lambda: matrices_of_folds(3),
    "matrices of 5 folds, 300 classes": lambda: matrices_of_folds(300),
}
CASES_OF_MEMORY = {"peak memory, matrices of 5 folds, 300 classes": lambda: matrices_of_folds(300)}
