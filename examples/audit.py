"""Audit: does a model miss more ill people in one group, could that be chance, and what helps.

The data are the 442 patients of Efron et al. (2004), included in scikit-learn; "ill" means the
third whose diabetes gets worst within a year. It needs `pip install 'skmetrics-ext[frames,plot]'`
and pandas. Run it with `python examples/audit.py [PLOT]`; it takes a few seconds.
"""

import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext import (
    ConfusionScorer,
    UnreliableIntervalWarning,
    cross_val_confusion_matrix,
    plot_intervals,
)

MEASURES = ["age", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"]


def patients():
    """Features, labels and age bands. The data do not say which sex is which."""
    X, progression = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    X["sex"] = np.where(X["sex"] == 1, "sex 1", "sex 2")
    ages = pd.cut(X["age"], [0, 40, 55, 100], labels=["under 40", "40 to 55", "over 55"])
    y = np.where(progression > progression.quantile(2 / 3), "worse", "stable")
    print(f"{len(y)} patients, {(y == 'worse').sum()} of them got worse")
    return X, y, ages


def model(C=1.0):
    """Sex stays in X for the scorers, but is not a feature."""
    return make_pipeline(
        make_column_transformer((StandardScaler(), MEASURES)),
        LogisticRegression(C=C, max_iter=1000),
    )


def count(X, y, ages):
    """Each patient is predicted once, out of fold: one matrix per fold, sex and age."""
    return cross_val_confusion_matrix(
        model(), X, y, cv=10, threshold=0.35, pos_label="worse", by={"sex": X["sex"], "age": ages}
    ).sum("fold")


def audit(cm):
    """Rates of all groups, and whether the gaps between them exceed chance."""
    rates = cm.summary(
        ["false_negative_rate", "false_positive_rate", "precision"], pos_label="worse"
    )
    print("\nEach sex and age")
    shown = ["sex", "age", "metric", "value", "low", "high", "n"]
    print(rates.to_frame("pandas")[shown].round(3).to_string(index=False))
    print("\nThe largest difference between groups, with 95 % interval and p value")
    for metric in (
        "false_negative_rate",
        "false_positive_rate",
        "precision",
        "predicted_positive_rate",
    ):
        for axis, other in (("sex", "age"), ("age", "sex")):
            gap = cm.sum(other).gap(metric, pos_label="worse", random_state=0)
            limits = f"{gap.value:.3f} [{gap.low:.3f}, {gap.high:.3f}]"
            print(
                f"  {metric:<23} by {axis} {limits}  p = {gap.p_value:<8.2g}"
                f"{gap.highest_group} above {gap.lowest_group}"
            )
    oldest = cm.sel(age="over 55").gap("false_negative_rate", pos_label="worse")
    limits = f"[{oldest.low:.3f}, {oldest.high:.3f}]"
    print(
        f"\nMissed among those over 55, gap between the sexes:\n{oldest.value:.3f} {limits}, by "
        f"{oldest.method}"
    )


def choose_for_the_worst(X, y):
    """A search by the balanced accuracy of the worse-off sex, next to one by that of
    all patients.
    """
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
    scorer = ConfusionScorer(
        ["recall", "balanced_accuracy"], by="sex", threshold=0.35, pos_label="worse"
    )
    search = GridSearchCV(
        model(),
        {"logisticregression__C": np.logspace(-3, 2, 6)},
        cv=folds,
        scoring=scorer,
        refit=False,
    ).fit(X, y)
    print("\nA search that looks at the worst group, means over 20 folds")
    columns = [
        "balanced_accuracy",
        "balanced_accuracy_sex_worst",
        "recall",
        "recall_sex_worst",
        "recall_sex_gap",
    ]
    table = pd.DataFrame({name: search.cv_results_[f"mean_test_{name}"] for name in columns})
    table.insert(0, "C", search.cv_results_["param_logisticregression__C"].astype(float))
    print(table.round(3).to_string(index=False))
    for name in columns[:2]:
        print(f"  the best {name:<27} has C = {table['C'][table[name].idxmax()]:g}")


def picture(cm):
    plot = plot_intervals(cm, "false_negative_rate", pos_label="worse", sort=False)
    plot.ax_.set_title("Of those who got worse, the share that the model misses")
    save(plot.figure_)


def save(figure):
    """Save to the path on the command line, or to the folder for temporary files."""
    path = sys.argv[1] if sys.argv[1:] else Path(tempfile.gettempdir(), "audit.png")
    figure.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    # The intervals are for the mean of the ten models.
    warnings.filterwarnings("ignore", "counts pooled over 10 models", UnreliableIntervalWarning)
    X_all, y_all, age_bands = patients()
    counts = count(X_all, y_all, age_bands)
    audit(counts)
    choose_for_the_worst(X_all, y_all)
    picture(counts)
