"""The confusion matrix of every fold: which classes are confused, and how stably.

The data are handwritten digits, grouped into "odd", "even" and, one in ten, "eight". It needs
`pip install 'skmetrics-ext[plot]'` for the plot. Run it with
`python examples/cross_validated_matrix.py [PLOT]`; it takes a few seconds.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import LeaveOneOut, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from skmetrics_ext import cross_val_confusion_matrix, plot_confusion_matrix


def eights():
    X, digit = load_digits(return_X_y=True)
    return X, np.where(digit == 8, "eight", np.where(digit % 2, "odd", "even"))


def folds_and_pooled(X, y):
    """One count of ten folds answers all later questions."""
    folds = cross_val_confusion_matrix(
        KNeighborsClassifier(20), X, y, cv=StratifiedKFold(10, shuffle=True, random_state=0)
    )
    print(folds.sum("fold"))
    print("\nThe most frequent confusions, all folds pooled")
    for actual, predicted, count, share in folds.most_confused(3):
        print(f"  {actual} predicted as {predicted}: {count} times, {share:.0%} of the class")

    print(f"\n  {'metric':<20} {'mean of the folds':>18} {'SD of the folds':>16} {'pooled':>8}")
    for metric in ("accuracy", "mcc", "recall_macro", "specificity_macro", "g_mean_macro"):
        values = folds.score(metric)
        pooled = folds.sum("fold").score(metric)
        print(f"  {metric:<20} {values.mean():>18.3f} {values.std():>16.3f} {pooled:>8.3f}")

    recall = folds.score("recall", average=None)
    print("\nRecall of each class, from the worst fold to the best")
    for label, values in zip(folds.labels, recall.T, strict=True):
        print(f"  {label:<6}", *(f"{value:.2f}" for value in np.sort(values)))
    return folds


def leave_one_out(X, y):
    """A fold of one sample has no recall for the other classes; the pooled folds do."""
    folds = cross_val_confusion_matrix(KNeighborsClassifier(20), X, y, cv=LeaveOneOut(), n_jobs=2)
    means = folds.score("recall_macro", zero_division=0).mean()
    pooled = folds.sum("fold").score("recall_macro")
    print(
        f"\nLeave-one-out on {len(y)} samples: pooled macro recall {pooled:.3f}. The mean of the "
        f"folds, {means:.3f},"
    )
    print("is not a recall: each fold has one sample of one class.")


def save(figure):
    """Save to the path on the command line, or to the folder for temporary files."""
    path = (
        sys.argv[1] if sys.argv[1:] else Path(tempfile.gettempdir(), "cross_validated_matrix.png")
    )
    figure.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    samples, labels = eights()
    of_folds = folds_and_pooled(samples, labels)
    leave_one_out(samples[::6], labels[::6])
    save(plot_confusion_matrix(of_folds).figure_)
