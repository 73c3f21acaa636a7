"""Choose a threshold under a constraint: few false alarms, hardly a malignant tumor missed.

The data are the breast cancer data of scikit-learn. It needs `pip install 'skmetrics-ext[plot]'`
for the plot. Run it with `python examples/thresholds.py [PLOT]`; it takes a few seconds.
"""

import sys
import tempfile
import textwrap
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    TunedThresholdClassifierCV,
    cross_val_predict,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext import ConfusionScorer, ThresholdCurve, get_scorer, plot_threshold_curve

BOUNDS = {"recall": 0.98}
METRICS = ("recall", "precision", "specificity", "npv")


def data():
    cancer = load_breast_cancer()
    diagnosis = cancer.target_names[cancer.target]
    return train_test_split(
        cancer.data[:, :10], diagnosis, stratify=diagnosis, test_size=0.4, random_state=0
    )


def choose_on_training_data(model, X, y):
    """Out-of-fold probabilities, evaluated at every threshold."""
    probabilities = cross_val_predict(model, X, y, method="predict_proba", cv=5)
    # Both columns are passed: the curve takes that of "malignant".
    curve = ThresholdCurve.from_scores(y, probabilities, pos_label="malignant")
    print(curve)
    print(
        f"\nArea under the ROC curve {curve.roc_auc():.3f}, up to a false positive rate of 0.1 "
        f"{curve.roc_auc(0.1):.3f}"
    )
    best = curve.best("precision", subject_to=BOUNDS)
    print(
        f"The highest precision with a recall of 0.98: {best.value:.3f} at the threshold "
        f"{best.threshold:.3f}\n"
    )
    costs = {("benign", "malignant"): 1, ("malignant", "benign"): 5}
    cheapest = curve.best("expected_cost", cost_matrix=costs).threshold
    print(f"  {'':<34}", *(f"{name:>12}" for name in METRICS))
    for name, cut in (
        ("recall of 0.98", best.threshold),
        ("a miss costs 5 false alarms", cheapest),
        ("default", 0.5),
    ):
        cm = curve.at(cut)
        print(
            f"  {f'{name}: {cut:.3f}':<34}", *(f"{cm.score(metric):>12.3f}" for metric in METRICS)
        )
    try:
        curve.best("precision", subject_to={**BOUNDS, "false_positive_rate": 0.01})
    except ValueError as error:
        print("\nAnd with a false positive rate of at most 0.01?")
        print(textwrap.fill(str(error), 96, initial_indent="  ", subsequent_indent="  "))
    return curve, best.threshold


def picture(curve):
    plot = plot_threshold_curve(curve, ["precision", "recall", "specificity"], subject_to=BOUNDS)
    plot.ax_.set_title("The most precise threshold that misses hardly a tumor")
    save(plot.figure_)


def held_out(model, cut, X_train, X_test, y_train, y_test):
    """How well the threshold chosen on the training data does."""
    model.fit(X_train, y_train)
    scores = ConfusionScorer(METRICS, threshold=cut, pos_label="malignant")(model, X_test, y_test)
    print(
        "\nHeld-out data at that threshold:",
        *(f"{name} {score:.3f}" for name, score in scores.items()),
    )
    tuned = TunedThresholdClassifierCV(
        model, scoring=get_scorer("g_mean", pos_label="malignant"), cv=5
    )
    tuned.fit(X_train, y_train)
    print(f"TunedThresholdClassifierCV by G-mean chooses {tuned.best_threshold_:.3f}")


def compare_models(X, y):
    """A search by the precision that each model can reach at this recall, at its own best
    threshold.
    """
    models = [make_pipeline(StandardScaler(), LogisticRegression(C=C)) for C in (0.01, 1)] + [
        GaussianNB()
    ]
    names = ["logistic, C=0.01", "logistic, C=1", "naive Bayes"]
    scorer = get_scorer("precision", threshold="best", subject_to=BOUNDS, pos_label="malignant")
    pipeline = make_pipeline(GaussianNB())
    search = GridSearchCV(pipeline, {"gaussiannb": models}, scoring=scorer, cv=5).fit(X, y)
    print(
        "\nPrecision with a recall of 0.98, thresholds chosen on each fold (so slightly optimistic)"
    )
    for name, mean in zip(names, search.cv_results_["mean_test_score"], strict=True):
        print(f"  {name:<34} {mean:>12.3f}")


def save(figure):
    """Save to the path on the command line, or to the folder for temporary files."""
    path = sys.argv[1] if sys.argv[1:] else Path(tempfile.gettempdir(), "thresholds.png")
    figure.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    X_train, X_test, y_train, y_test = data()
    logistic = make_pipeline(StandardScaler(), LogisticRegression())
    all_thresholds, chosen = choose_on_training_data(logistic, X_train, y_train)
    held_out(logistic, chosen, X_train, X_test, y_train, y_test)
    compare_models(X_train, y_train)
    picture(all_thresholds)
