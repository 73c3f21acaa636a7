"""Predict once, count once, score everything: many metrics of many classes in one search.

The data are handwritten digits, grouped into "odd", "even" and, one in ten, "eight". It needs
`pip install 'skmetrics-ext[plot]'` for the plot. Run it with
`python examples/many_metrics.py [PLOT]`; it takes a few seconds.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext import (
    ConfusionScorer,
    classification_report,
    cross_val_confusion_matrix,
    plot_confusion_matrix,
)

FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def eights():
    X, digit = load_digits(return_X_y=True)
    return X, np.where(digit == 8, "eight", np.where(digit % 2, "odd", "even"))


def compare_models(X, y):
    """Several models by metrics that scikit-learn's scoring does not have, per class as well."""
    scorer = ConfusionScorer(
        ["recall_macro", "specificity_macro", "npv_macro", "mcc", "neg_false_positive_rate_macro"],
        per_class=True,
    )
    models = {
        "naive Bayes": GaussianNB(),
        "neighbors": KNeighborsClassifier(),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)),
    }
    results = {
        name: cross_validate(model, X, y, scoring=scorer, cv=FOLDS)
        for name, model in models.items()
    }

    print("Mean of five folds\n")
    print(f"  {'':<30}", *(f"{name:>13}" for name in models))
    keys = [key for key in results["neighbors"] if key.startswith("test_")]
    for key in keys[:8]:
        print(
            f"  {key.removeprefix('test_'):<30}",
            *(f"{result[key].mean():>13.3f}" for result in results.values()),
        )
    return models


def search_by_the_rare_class(X, y):
    """Look at everything, but choose the model that finds the most eights."""
    metrics = ["f1_macro", "recall_macro", "precision_macro"]
    scorer = ConfusionScorer(metrics, per_class=True, counts=True)
    grid = {"n_neighbors": [1, 5, 20, 80], "weights": ["uniform", "distance"]}
    search = GridSearchCV(
        KNeighborsClassifier(), grid, scoring=scorer, refit="recall_eight", cv=FOLDS
    ).fit(X, y)

    print("\nNeighbors: chosen by the recall of the eights\n")
    print(f"  {'':<44} {'recall':>8} {'precision':>10} {'eights taken for even':>22}")
    found = search.cv_results_
    for k, parameters in enumerate(found["params"]):
        chosen = " <- chosen" if k == search.best_index_ else ""
        print(
            f"  {parameters!s:<44} {found['mean_test_recall_eight'][k]:>8.3f} "
            f"{found['mean_test_precision_eight'][k]:>10.3f} "
            f"{5 * found['mean_test_cf_eight_even'][k]:>22.0f}{chosen}"
        )
    return search.best_estimator_


def report(model, X, y):
    """The columns that matter here, from the pooled matrices of all folds."""
    cm = cross_val_confusion_matrix(model, X, y, cv=FOLDS).sum("fold")
    print("\nThe chosen model, all folds pooled\n")
    print(
        classification_report(
            cm, metrics=["recall", "specificity", "npv", "g_mean", "mcc"], digits=3
        )
    )


def picture(models, X, y):
    matrices = {
        name: cross_val_confusion_matrix(model, X, y, cv=FOLDS).sum("fold")
        for name, model in models.items()
    }
    save(plot_confusion_matrix(matrices, title="Which digits each model takes for which").figure_)


def save(figure):
    """Save to the path on the command line, or to the folder for temporary files."""
    path = sys.argv[1] if sys.argv[1:] else Path(tempfile.gettempdir(), "many_metrics.png")
    figure.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    samples, labels = eights()
    compared = compare_models(samples, labels)
    report(search_by_the_rare_class(samples, labels), samples, labels)
    picture(compared, samples, labels)
