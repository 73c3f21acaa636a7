"""How certain a score is, and whether one model is better: intervals, comparisons, folds, a plot.

The data are the breast cancer data and the handwritten digits of scikit-learn. It needs
`pip install 'skmetrics-ext[plot]'` for the plot. Run it with
`python examples/how_sure.py [PLOT]`; it takes a few seconds.
"""

import sys
import tempfile
import textwrap
import warnings
from pathlib import Path

from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    UnreliableIntervalWarning,
    compare,
    compare_curves,
    compare_folds,
    get_scorer,
    plot_intervals,
    sample_size,
)


def models():
    return {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "tree": DecisionTreeClassifier(max_depth=8, random_state=0),
        "neighbors": make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
    }


def tumors():
    """A few hundred samples: the intervals are wider than most differences between models."""
    data = load_breast_cancer()
    diagnosis = data.target_names[data.target]
    X, X_test, y, y_test = train_test_split(
        data.data, diagnosis, stratify=diagnosis, test_size=0.4, random_state=0
    )
    fitted = {name: model.fit(X, y) for name, model in models().items()}
    predictions = {name: model.predict(X_test) for name, model in fitted.items()}

    print(f"Recall of malignant tumors, {(y_test == 'malignant').sum()} in the test data")
    matrices = {
        name: ConfusionMatrix.from_predictions(y_test, labels, labels=["benign", "malignant"])
        for name, labels in predictions.items()
    }
    for name, cm in matrices.items():
        print(f"  {name:<12} {cm.interval('recall')}")
    wanted = sample_size("recall", value=0.95, half_width=0.02).n
    print(f"  estimating a recall of 0.95 to within 0.02 takes {wanted} malignant tumors\n")

    comparison = compare(
        y_test,
        predictions,
        ["recall", "specificity", "mcc"],
        baseline="tree",
        pos_label="malignant",
        random_state=0,
    )
    print(short(comparison))
    alone, together = (
        sum(getattr(row, p) < 0.05 for row in comparison.rows) for p in ("p_value", "p_adjusted")
    )
    print(
        f"  p below 0.05: {alone} of {len(comparison.rows)} unadjusted, {together} after Holm's "
        "correction\n"
    )

    curves = {
        name: ThresholdCurve.from_scores(y_test, model.predict_proba(X_test), pos_label="malignant")
        for name, model in fitted.items()
    }
    print("Areas under the ROC curves")
    with warnings.catch_warnings():
        # The same words are printed below.
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        areas = compare_curves(curves, baseline="tree")
    print(short(areas))
    for caveat in areas.caveats:
        print(textwrap.indent(textwrap.fill(f"Caveat: {caveat.text}", 90), "  "))
    return comparison


def digits():
    """Ten classes: each has its own interval."""
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, stratify=y, test_size=0.5, random_state=0)
    predictions = {name: model.fit(X, y).predict(X_test) for name, model in models().items()}
    cm = ConfusionMatrix.from_predictions(y_test, predictions["tree"])
    print("\nF1 of each digit, tree")
    print(cm.interval("f1", average=None))
    print(f"  {cm.interval('f1_macro', random_state=0)}")
    print("\nDigits: the other models compared with the tree")
    print(
        short(
            compare(y_test, predictions, ["accuracy", "f1_macro"], baseline="tree", random_state=0)
        )
    )
    return cm


def folds():
    """Allows for other training data, too: a plain paired t-test on repeated folds would be far too
    confident.
    """
    data = load_breast_cancer()
    X, y = data.data[:, :10], data.target
    splits = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
    scores = {
        name: cross_val_score(model, X, y, cv=splits, scoring=get_scorer("mcc"))
        for name, model in models().items()
    }
    sizes = {"n_train": 0.8 * len(y), "n_test": 0.2 * len(y)}
    two = {name: scores[name] for name in ("logistic", "neighbors")}
    found = compare_folds(two, **sizes, baseline="neighbors", rope=0.02)
    (row,) = found.rows
    print("\nMCC over 20 folds, logistic minus neighbors, allowing for other training data")
    print(f"  {row.difference:+.3f} [{row.low:+.3f}, {row.high:+.3f}], p = {row.p_value:.2g}")
    print(f"  worse by more than 0.02  {found.probability_worse[0]:.2f}")
    print(f"  about the same           {found.probability_equivalent[0]:.2f}")
    print(f"  better by more than 0.02 {found.probability_better[0]:.2f}")


def short(comparison):
    """The columns that fit a page."""
    lines = [
        f"  {'metric':<12} {'model':<10} {'reference':<9} {'difference':>10} "
        f"{'95 % interval':>18} {'p':>8} {'adjusted':>9}"
    ]
    lines += [
        f"  {row.metric:<12} {row.model:<10} {row.reference:<9} {row.difference:>+10.3f} "
        f"{f'[{row.low:+.3f}, {row.high:+.3f}]':>18} {row.p_value:>8.2g} {row.p_adjusted:>9.2g}"
        for row in comparison.rows
    ]
    return "\n".join(lines)


def picture(comparison):
    plot = plot_intervals(comparison, sort=False)
    plot.ax_.set_title("Tumors: how much better than the tree")
    save(plot.figure_)


def save(figure):
    """Save to the path on the command line, or to the folder for temporary files."""
    path = sys.argv[1] if sys.argv[1:] else Path(tempfile.gettempdir(), "how_sure.png")
    figure.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    of_tumors = tumors()
    digits()
    folds()
    picture(of_tumors)
