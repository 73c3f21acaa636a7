"""Decide: who to refer for a rare disease, with a guaranteed recall, and whether it was worth it.

The data are simulated: 40,000 people, 2 % of them ill. It needs `pip install 'skmetrics-ext[plot]'`
for the picture. Run it with `python examples/decide.py [PLOT]`; it takes a few seconds.
"""

import sys
import tempfile
import textwrap
import warnings
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from skmetrics_ext import (
    ConfusionMatrix,
    ConstrainedThresholdClassifier,
    UnreliableIntervalWarning,
    cross_val_threshold_curves,
    plot_confusion_matrix,
    plot_decision_curve,
    plot_precision_recall,
    plot_threshold_curve,
)

PROMISE = {"recall": 0.9}
ACTS_FROM = 0.03
"""The risk from which one acts: up to 32 healthy people may be referred for each ill one found."""


def people():
    """People for development, and people held out until the end."""
    X, y = make_classification(
        40_000,
        12,
        n_informative=8,
        n_redundant=0,
        weights=[0.98],
        flip_y=0.004,
        class_sep=1.2,
        random_state=0,
    )
    X, X_test, y, y_test = train_test_split(
        X, np.array(["healthy", "ill"])[y], test_size=0.4, stratify=y, random_state=0
    )
    print(
        f"{len(y):,} people for development, {(y == 'ill').sum()} of them ill; {len(y_test):,} "
        "for the final test"
    )
    return X, X_test, y, y_test


def models():
    logistic = LogisticRegression(solver="newton-cholesky")
    return {
        "logistic": make_pipeline(StandardScaler(), logistic),
        "with squares": make_pipeline(StandardScaler(), PolynomialFeatures(2), logistic),
        "naive Bayes": GaussianNB(),
    }


def choose_model(X, y):
    """Cross-validation: which model ranks best, and how much that varies between folds."""
    curves = {
        name: cross_val_threshold_curves(model, X, y, cv=5, pos_label="ill")
        for name, model in models().items()
    }
    print("\nFive folds, mean and standard deviation")
    for name, folds in curves.items():
        roc, ap = folds.roc_auc(), folds.average_precision()
        print(
            f"  {name:<13} ROC AUC {roc.mean():.3f} +- {roc.std():.3f}   AP {ap.mean():.3f} +- "
            f"{ap.std():.3f}"
        )
    best = max(curves, key=lambda name: curves[name].average_precision().mean())
    curve = curves[best].sum("fold")
    print(f"The model {best!r}, all folds pooled; limits are for the mean of its five models")
    for area in (curve.interval("roc_auc"), curve.interval("average_precision")):
        print(f"  {area.metric:<18} {area.value:.3f} [{area.low:.3f}, {area.high:.3f}]")
    return curves, best


def choose_threshold(model, X, y):
    """The plug-in threshold meets the bound on the samples that chose it; the guaranteed one on new
    samples, too.
    """
    X, X_choose, y, y_choose = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)
    model.fit(X, y)
    options = {"pos_label": "ill", "cv": "prefit"}
    chosen = {
        "plug-in": ConstrainedThresholdClassifier(
            model, "precision", subject_to=PROMISE, **options
        ),
        "guaranteed": ConstrainedThresholdClassifier(
            model, "precision", subject_to=PROMISE, confidence_level=0.95, **options
        ),
    }
    print(
        "\nThe best precision with a recall of at least 0.9, chosen on the 40 % that the model has "
        "not seen"
    )
    for name, classifier in chosen.items():
        (recall,) = classifier.fit(X_choose, y_choose).constraints_
        limit = "no guarantee" if recall.limit is None else f"lower limit {recall.limit:.3f}"
        print(
            f"  {name:<11} threshold {classifier.best_threshold_:.4f}: recall "
            f"{recall.value:.3f}, {limit}"
        )
    too_much = ConstrainedThresholdClassifier(
        model, "precision", subject_to={"recall": 0.99}, confidence_level=0.95, **options
    )
    try:
        too_much.fit(X_choose, y_choose)
    except ValueError as error:
        print("And a recall of 0.99?")
        print(textwrap.fill(str(error), 96, initial_indent="  ", subsequent_indent="  "))
    return chosen


def decide(curve):
    """Whether acting on the model is better than referring everybody or nobody."""
    n_positive = curve.counts.tp[0] + curve.counts.fn[0]
    n_negative = curve.counts.fp[0] + curve.counts.tn[0]
    share = n_positive / (n_positive + n_negative)
    gains = {
        "the model": float(curve.net_benefit([ACTS_FROM])[0]),
        "everybody": share - (1 - share) * ACTS_FROM / (1 - ACTS_FROM),
        "nobody": 0.0,
    }
    print(
        f"\nNet benefit per 10,000 people at a risk threshold of {ACTS_FROM:.0%}: ill found, "
        "minus cost of false alarms"
    )
    for name, gain in gains.items():
        print(f"  {name:<10} {1e4 * gain:>7.0f}")


def test(chosen, X, y):
    """The required and the observed recall, on people that neither the model nor the threshold has
    seen.
    """
    print("\nThe final test: required and observed recall")
    print(
        f"  {'':<11} {'required':>18} {'recall (95 % interval)':>26} {'precision':>22} "
        f"{'referred':>9}"
    )
    matrices = {}
    for name, classifier in chosen.items():
        matrices[name] = cm = ConfusionMatrix.from_estimator(classifier, X, y, pos_label="ill")
        (asked,) = classifier.constraints_
        promised = f"{asked.required}" if asked.limit is None else f"{asked.required} (guaranteed)"
        recall, precision = (short(cm.interval(metric)) for metric in ("recall", "precision"))
        print(
            f"  {name:<11} {promised:>18} {recall:>26} {precision:>22} "
            f"{cm.score('predicted_positive_rate'):>9.1%}"
        )
    return matrices


def short(interval):
    return f"{interval.value:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def picture(curves, best, classifier, cm):
    figure, axes = plt.subplots(2, 2, figsize=(9.8, 7.4), dpi=80, layout="constrained")
    of_all_folds = {name: folds.sum("fold") for name, folds in curves.items()}
    plot_precision_recall(of_all_folds, ax=axes[0, 0]).ax_.set_title("1. Which model ranks best")
    of_thresholds = plot_threshold_curve(
        classifier.curve_,
        ["precision", "recall"],
        subject_to=PROMISE,
        confidence_level=0.95,
        ax=axes[0, 1],
    )
    of_thresholds.ax_.set(xscale="log", xlim=(1e-4, 1))
    of_thresholds.ax_.axvline(classifier.best_threshold_, color="0.5", linestyle="--")
    of_thresholds.ax_.set_title("2. Dashed: the threshold that promises")
    plot_decision_curve(
        of_all_folds[best], name=best, threshold=ACTS_FROM, ax=axes[1, 0]
    ).ax_.set_title("3. What acting on it is worth")
    plot_confusion_matrix(cm, title="", ax=axes[1, 1]).ax_.set_title("4. The test")
    save(figure)


def save(figure):
    """Save to the path on the command line, or to the folder for temporary files."""
    path = sys.argv[1] if sys.argv[1:] else Path(tempfile.gettempdir(), "decide.png")
    figure.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    # What is printed says so.
    warnings.filterwarnings("ignore", "counts pooled over 5 models", UnreliableIntervalWarning)
    X_known, X_new, y_known, y_new = people()
    of_models, winner = choose_model(X_known, y_known)
    classifiers = choose_threshold(models()[winner], X_known, y_known)
    decide(of_models[winner].sum("fold"))
    matrices_of_test = test(classifiers, X_new, y_new)
    picture(of_models, winner, classifiers["guaranteed"], matrices_of_test["guaranteed"])
