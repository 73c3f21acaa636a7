"""How sure is a cross-validated score: mean plus or minus two deviations, and what holds instead.

The data are the breast cancer data of scikit-learn: models are fitted to 120 of the 569 samples,
and the other 449 say how good they are. It needs `pip install 'skmetrics-ext[plot]'` for the plot.
Run it with `python examples/cross_validated_interval.py [PLOT]`; it takes half a minute.
"""

import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skmetrics_ext import (
    UnreliableIntervalWarning,
    compare_estimators,
    cross_val_confusion_matrix,
    cross_val_interval,
    f1_score,
    get_scorer,
)

F1 = get_scorer("f1", pos_label="malignant")
N_SAMPLES, N_STUDIES = 120, 60


def tumors():
    data = load_breast_cancer()
    return data.data, data.target_names[data.target]


def three_intervals(X, y, seed):
    """What people print, the pooled folds, and the interval of the refitted model."""
    tree = DecisionTreeClassifier(random_state=0)
    scores = cross_val_score(tree, X, y, scoring=F1)
    cm = cross_val_confusion_matrix(tree, X, y, pos_label="malignant")
    with warnings.catch_warnings():
        # They say that they are too narrow, or wide since the tree still learns.
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        pooled = cm.sum("fold").interval("f1")
        found = cross_val_interval(tree, X, y, scoring=F1, random_state=seed)
    half = 2 * scores.std()
    return {
        "mean +- 2 SD": (scores.mean() - half, scores.mean() + half),
        "pooled folds": (pooled.low, pooled.high),
        "cross_val_interval": (found.low, found.high),
    }


def one_study(X, y):
    """One data set, and the F1 of the model that is fitted to it on the other samples."""
    known = train_test_split(X, y, train_size=N_SAMPLES, stratify=y, random_state=0)
    X_known, X_new, y_known, y_new = known
    print(f"F1 of malignant tumors, a tree, {N_SAMPLES} samples, 5 folds")
    for name, (low, high) in three_intervals(X_known, y_known, 0).items():
        print(f"  {name:<20} {low:.3f} to {high:.3f}")
    tree = DecisionTreeClassifier(random_state=0).fit(X_known, y_known)
    found = f1_score(y_new, tree.predict(X_new), pos_label="malignant")
    print(f"  the refitted tree has {found:.3f} on {len(y_new)} other samples")
    models = {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB()}
    comparison = compare_estimators(models, X_known, y_known, scoring=F1, random_state=0)
    row = comparison.rows[0]
    limits = f"[{row.low:+.3f}, {row.high:+.3f}]"
    print(f"  tree - bayes {row.difference:+.3f} {limits}, p = {row.p_value:.2g}")


def many_studies(X, y):
    """The limits of many data sets, and the truth for each."""
    found, truth = [], []
    for seed in range(N_STUDIES):
        X_known, X_new, y_known, y_new = train_test_split(
            X, y, train_size=N_SAMPLES, stratify=y, random_state=seed
        )
        found.append(three_intervals(X_known, y_known, seed))
        tree = DecisionTreeClassifier(random_state=0).fit(X_known, y_known)
        truth.append(f1_score(y_new, tree.predict(X_new), pos_label="malignant"))
    print(f"\nOf {N_STUDIES} such data sets, the limits have the F1 of the refitted tree in")
    limits = {name: np.array([of[name] for of in found]) for name in found[0]}
    for name, of in limits.items():
        share = np.mean((of[:, 0] <= truth) & (truth <= of[:, 1]))
        width = np.mean(of[:, 1] - of[:, 0])
        print(f"  {name:<20} {100 * share:3.0f} %, mean width {width:.2f}")
    return limits, np.array(truth)


def picture(limits, truth):
    """The limits around the truth of each data set; those that miss it stand out."""
    figure, axes = plt.subplots(1, len(limits), figsize=(8, 4.8), sharex=True, sharey=True)
    order = np.argsort(truth)
    for ax, (name, of) in zip(axes, limits.items(), strict=True):
        low, high = of[order].T
        holds = (low <= truth[order]) & (truth[order] <= high)
        for hit, color in ((True, "0.7"), (False, "#b35806")):
            places = np.flatnonzero(holds == hit)
            ax.hlines(places, low[places], high[places], color=color)
        ax.plot(truth[order], np.arange(len(truth)), ".", color="black", markersize=3)
        ax.set_title(f"{name}: {np.mean(~holds):.0%} miss", fontsize=10)
        ax.set_xlabel("F1")
    axes[0].set_yticks([])
    axes[0].set_ylabel(f"{len(truth)} data sets; a dot is the refitted tree")
    figure.tight_layout()
    return figure


def save(figure):
    """Save to the path on the command line, or to the folder for temporary files."""
    path = Path(tempfile.gettempdir(), "cross_validated_interval.png")
    path = sys.argv[1] if sys.argv[1:] else path
    figure.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    samples, labels = tumors()
    one_study(samples, labels)
    save(picture(*many_studies(samples, labels)))
