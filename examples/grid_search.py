"""Search, cross-validate and score by metrics that scikit-learn lacks, on two real data sets.

Run it with `python examples/grid_search.py [PLOT]`; it takes a few seconds. The plot needs
`pip install 'skmetrics-ext[plot]'`.
"""

import sys
import tempfile
from pathlib import Path

from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext import (
    ConfusionMatrix,
    g_mean_score,
    get_scorer,
    labels_from_scores,
    negative_predictive_value,
    plot_confusion_matrix,
    recall_score,
    specificity_score,
)


def table(title, rows):
    print(f"\n{title}")
    for name, *values in rows:
        print(
            f"  {name:<32}",
            *(f"{value:>9.3f}" if isinstance(value, float) else f"{value:>9}" for value in values),
        )


def search_at_a_threshold():
    """Choose C by the specificity when every tumor with a risk of 20 % or more is called
    malignant.
    """
    data = load_breast_cancer()
    diagnosis = data.target_names[data.target]
    X_train, X_test, y_train, y_test = train_test_split(
        data.data, diagnosis, stratify=diagnosis, random_state=0
    )

    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    grid = {"logisticregression__C": [0.001, 0.01, 0.1, 1.0, 10.0]}
    scoring = get_scorer("specificity", pos_label="malignant", threshold=0.2)
    search = GridSearchCV(model, grid, scoring=scoring, cv=5).fit(X_train, y_train)

    means = search.cv_results_["mean_test_score"].tolist()
    table(
        "Breast cancer: specificity at a threshold of 0.2, by C",
        [(f"C = {C}", mean) for C, mean in zip(grid["logisticregression__C"], means, strict=True)],
    )

    probabilities = search.predict_proba(X_test)
    rows, matrices = [], {}
    for threshold in (0.2, 0.5, 0.8):
        predicted = labels_from_scores(
            probabilities, classes=search.classes_, threshold=threshold, pos_label="malignant"
        )
        matrices[f"threshold {threshold}"] = ConfusionMatrix.from_predictions(y_test, predicted)
        metrics = (recall_score, specificity_score, negative_predictive_value, g_mean_score)
        rows.append(
            (
                f"threshold {threshold}",
                *(metric(y_test, predicted, pos_label="malignant") for metric in metrics),
            )
        )
    table(
        "Breast cancer: the best model on held-out data",
        [("", "recall", "specif.", "npv", "g-mean"), *rows],
    )
    return matrices


def several_metrics_of_ten_classes():
    """Cross-validate one metric, then several at once, on handwritten digits."""
    X, y = load_digits(return_X_y=True)
    npv = cross_val_score(GaussianNB(), X, y, scoring=get_scorer("npv_macro"), cv=5)
    table("Digits: macro NPV of five folds", [("GaussianNB", *npv.tolist())])

    names = [
        "specificity_macro",
        "g_mean_macro",
        "matthews_corrcoef",
        "neg_false_discovery_rate_macro",
    ]
    results = cross_validate(
        GaussianNB(), X, y, scoring={name: get_scorer(name) for name in names}, cv=5
    )
    table(
        "Digits: means over the folds",
        [(name, float(results[f"test_{name}"].mean())) for name in names],
    )

    split = train_test_split(X, y, random_state=0)
    X_train, X_test, y_train, y_test = split
    cm = ConfusionMatrix.from_estimator(GaussianNB().fit(X_train, y_train), X_test, y_test)
    print("\nDigits: the most frequent confusions")
    for actual, predicted, count, share in cm.most_confused(3):
        print(f"  {actual} predicted as {predicted}: {count} times, {share:.0%} of all {actual}s")


def picture(matrices):
    """The lower the threshold, the fewer tumors are missed, and the more false
    alarms there are.
    """
    try:
        plot = plot_confusion_matrix(
            matrices, title="The lower the threshold, the fewer tumors are missed"
        )
    except ImportError as error:
        print(f"\nThere is no plot: {error}")
    else:
        save(plot.figure_)


def save(figure):
    """Save to the path on the command line, or to the folder for temporary files."""
    path = sys.argv[1] if sys.argv[1:] else Path(tempfile.gettempdir(), "grid_search.png")
    figure.savefig(path)
    print(f"\nThe plot is in {path}")


if __name__ == "__main__":
    of_thresholds = search_at_a_threshold()
    several_metrics_of_ten_classes()
    picture(of_thresholds)
