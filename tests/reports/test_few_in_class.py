"""Warnings for the worst class of a report with few of the samples that a metric counts."""

import numpy as np
import pandas as pd
import pytest

from skmetrics_ext import ConfusionMatrix, classification_report
from skmetrics_ext.counting.design import WEIGHTS_ALONE, Lost

# Recall 9 of 10, 20 of 25 and 1 of 4; precision 9 of 9, 20 of 23 and 1 of 7.
COUNTS = np.array([[9, 0, 1], [0, 20, 5], [0, 3, 1]])
Y_TRUE, Y_PRED = (side.repeat(COUNTS.ravel()) for side in np.indices((3, 3)).reshape(2, -1))
OPTIONS = {
    "metrics": ["recall", "precision", "specificity", "mcc"],
    "averages": ["worst"],
    "output_dict": True,
}
NAMED = r"may be due to chance: recall of 'c' \(4\), precision of 'c' \(7\)\.$"


@pytest.mark.parametrize(
    "weights", [None, np.full(39, 100.0), np.where(np.arange(39) % 2, 0.25, 7)]
)
def test_the_worst_class_is_named_with_its_samples(weights):
    with pytest.warns(UserWarning, match=NAMED) as caught:
        classification_report(
            Y_TRUE, Y_PRED, sample_weight=weights, target_names=["a", "b", "c"], **OPTIONS
        )
    assert len(caught) == 1


LABELS = {"target_names": ["a", "b", "c"]}
WEIGHTS = np.where(np.arange(39) % 2, 0.25, 7)


def of_counts():
    return ConfusionMatrix.from_counts(COUNTS, labels=[0, 1, 2])


# The same samples, whatever the counts are.
MATRICES = {
    "counts": of_counts,
    "equal weights": lambda: ConfusionMatrix.from_predictions(
        Y_TRUE, Y_PRED, sample_weight=np.full(39, 100.0)
    ),
    "weights": lambda: ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, sample_weight=WEIGHTS),
    "clusters": lambda: ConfusionMatrix.from_predictions(
        Y_TRUE, Y_PRED, clusters=np.arange(39) // 2
    ),
    "weights of a table": lambda: ConfusionMatrix.from_frame(
        pd.DataFrame({"y": Y_TRUE, "p": Y_PRED, "w": WEIGHTS}), "y", "p", sample_weight="w"
    ),
    "weights in clusters": lambda: ConfusionMatrix.from_predictions(
        Y_TRUE, Y_PRED, sample_weight=WEIGHTS, clusters=np.arange(39) // 2
    ),
    "another prevalence": lambda: of_counts().at_prevalence({2: 0.11}),
}


@pytest.mark.parametrize("matrix", MATRICES.values(), ids=MATRICES)
def test_a_matrix_has_the_number_of_samples(matrix):
    with pytest.warns(UserWarning, match=NAMED) as caught:
        classification_report(matrix(), **OPTIONS, **LABELS)
    assert len(caught) == 1


def test_sums_of_weights_do_not_have_the_number_of_samples():
    labels, design = np.array(["a", "b", "c"]), Lost(why=WEIGHTS_ALONE)
    for weight in (0.01, 100):
        few = ConfusionMatrix(COUNTS * weight, labels, _design=design)
        classification_report(few, **OPTIONS, **LABELS)


def test_others_are_shown_without_a_word():
    classification_report(Y_TRUE, Y_PRED)
    enough = COUNTS + np.diag([0, 0, 6])
    classification_report(ConfusionMatrix.from_counts(enough, labels=["a", "b", "c"]), **OPTIONS)
    # Both classes are equally bad, one of them with enough samples.
    even = ConfusionMatrix.from_counts([[20, 20], [2, 2]], labels=["a", "b"])
    classification_report(even, metrics=["recall"], averages=["worst"])


@pytest.mark.parametrize("weights", [None, np.full(24, 0.5)])
def test_labels_of_multilabel_data(weights):
    y_true = np.repeat([[1, 1], [1, 0]], [4, 20], axis=0)
    y_pred = np.repeat([[1, 0], [1, 0]], [4, 20], axis=0)
    with pytest.warns(UserWarning, match=r"may be due to chance: recall of '1' \(4\)\.$"):
        classification_report(
            y_true, y_pred, sample_weight=weights, metrics=["recall"], averages=["worst"]
        )
