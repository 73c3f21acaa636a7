"""A neural network in cross-validation, scored by metrics that scikit-learn does not have.

The network is a Keras model whose `predict` returns probabilities; the data are handwritten digits.
It needs `pip install 'skmetrics-ext[integration,plot]'`. Run it with `python
examples/neural_network.py [PLOT]`; it takes a minute.
"""

import os
import sys
import tempfile
import warnings
from pathlib import Path

os.environ.setdefault("KERAS_BACKEND", "torch")

import keras
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import (
    StratifiedKFold,
    cross_val_score,
    cross_validate,
    train_test_split,
)

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ProbabilityClassifier,
    ThresholdCurves,
    get_scorer,
    plot_confusion_matrix,
)

DIGITS = np.array(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)
FIT = {"epochs": 30, "batch_size": 64, "verbose": 0}


def network(n_outputs):
    """Two layers; one output is a sigmoid and learns 0 and 1, several are a softmax and learn
    one-hot rows.
    """
    binary = n_outputs == 1
    model = keras.Sequential(
        [
            keras.layers.Input((64,)),
            keras.layers.Dense(32, activation="relu"),
            keras.layers.Dense(n_outputs, activation="sigmoid" if binary else "softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(0.01),
        loss=f"{'binary' if binary else 'categorical'}_crossentropy",
    )
    return model


def ten_digits(X, names):
    """ProbabilityClassifier turns the network into a classifier of strings."""
    classifier = ProbabilityClassifier(network(10))
    print("Ten digits, three folds\n")
    for name in ("accuracy", "g_mean_macro", "npv_macro", "neg_false_positive_rate_macro"):
        scores = cross_val_score(
            classifier, X, names, scoring=get_scorer(name), cv=FOLDS, params=FIT
        )
        print(f"  {name:<32}", *(f"{score:8.4f}" for score in scores))

    # All at once, and per class: the network is fitted once per fold.
    scorer = ConfusionScorer(["mcc", "recall_macro"], per_class=True)
    results = cross_validate(classifier, X, names, scoring=scorer, cv=FOLDS, params=FIT)
    print(f"\n  mcc {results['test_mcc'].mean():.4f}, and the recall of each digit:")
    for row in np.split(DIGITS, 2):
        print(" ", *(f"{name:>6} {results[f'test_recall_{name}'].mean():.3f}" for name in row))


def the_eights(X, is_eight):
    """The network as it is: predict returns one probability per sample, and scorers apply any
    threshold.
    """
    X_train, X_test, y_train, y_test = train_test_split(
        X, is_eight, stratify=is_eight, random_state=0
    )
    model = network(1)
    model.fit(X_train, y_train, **FIT)
    print("\nIs it an eight? One sigmoid output, held-out digits\n")
    print(f"  {'threshold':<12} {'recall':>8} {'precision':>10} {'specificity':>12}")
    for threshold in (0.1, 0.3, 0.5):
        scorer = ConfusionScorer(["recall", "precision", "specificity"], threshold=threshold)
        scores = scorer(model, X_test, y_test)
        print(
            f"  {threshold:<12} {scores['recall']:>8.3f} {scores['precision']:>10.3f} "
            f"{scores['specificity']:>12.3f}"
        )


def areas(X, names):
    """Every digit against the rest, at all thresholds."""
    X_train, X_test, y_train, y_test = train_test_split(X, names, stratify=names, random_state=0)
    classifier = ProbabilityClassifier(network(10)).fit(X_train, y_train, **FIT)
    curves = ThresholdCurves.from_scores(
        y_test, classifier.predict_proba(X_test), classes=classifier.classes_
    )
    print("\nArea under the ROC curve, held-out digits\n")
    print(
        "  macro", round(curves.roc_auc("macro"), 4), " one-vs-one", round(curves.roc_auc("ovo"), 4)
    )
    return ConfusionMatrix.from_predictions(y_test, classifier.predict(X_test), labels=DIGITS)


def save(figure):
    """Save to the path on the command line, or to the folder for temporary files."""
    path = sys.argv[1] if sys.argv[1:] else Path(tempfile.gettempdir(), "neural_network.png")
    figure.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    # Keras warns for each copy of the network that it has not been fitted yet.
    warnings.filterwarnings("ignore", "Skipping variable loading for optimizer")
    pixels, digit = load_digits(return_X_y=True)
    pixels = (pixels / 16).astype(np.float32)
    words = DIGITS[digit]
    ten_digits(pixels, words)
    the_eights(pixels, (digit == 8).astype(int))
    save(
        plot_confusion_matrix(
            areas(pixels, words), values="counts", title="What the network takes for what"
        ).figure_
    )
