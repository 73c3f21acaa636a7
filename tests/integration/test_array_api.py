"""Tensors of PyTorch where scikit-learn dispatches by array type, which only a new process can."""

import os
import subprocess
import sys

PROGRAM = """
import numpy as np
import torch
from sklearn import config_context
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Ridge
from skmetrics_ext import (
    AbstainingClassifier, ConfusionMatrix, ConstrainedThresholdClassifier, ProbabilityClassifier,
    ThresholdCurve, cross_val_confusion_matrix, get_scorer, recall_score
)

X = np.random.default_rng(0).normal(size=(90, 3)).astype(np.float32)
y, three = (X[:, 0] > 0).astype(int), np.digitize(X[:, 0], [-0.5, 0.5])
rows, binary, labels = torch.tensor(X), torch.tensor(y), torch.tensor(three)
LDA = LinearDiscriminantAnalysis

def constrained(model):
    return ConstrainedThresholdClassifier(model, "precision", subject_to={"recall": 0.9}, cv=3)

def abstaining(model):
    return AbstainingClassifier(model, "accuracy", at_least=0.9, abstain_label=-1, cv=3)

CLASSIFIERS = [
    lambda: ProbabilityClassifier(LDA()),
    lambda: ProbabilityClassifier(LogisticRegression()),
    lambda: constrained(LDA()),
    lambda: abstaining(LDA()),
]
cases = [(make, binary, y) for make in CLASSIFIERS]
cases += [(make, labels, three) for make in CLASSIFIERS if make is not CLASSIFIERS[2]]
cases += [(lambda: ProbabilityClassifier(Ridge()), binary, y)]
for make, tensor, array in cases:
    expected = make().fit(X, array).predict(X)
    with config_context(array_api_dispatch=True):
        for target in (tensor, array):
            predicted = make().fit(rows, target).predict(rows)
            assert (predicted == expected).mean() > 0.98, (make(), predicted, expected)

model = LDA().fit(X, y)
with config_context(array_api_dispatch=True):
    of_tensors = LDA().fit(rows, binary)
    assert recall_score(binary, of_tensors.predict(rows)) == recall_score(y, model.predict(X))
    assert get_scorer("mcc")(of_tensors, rows, binary) == get_scorer("mcc")(model, X, y)
    cm = ConfusionMatrix.from_estimator(of_tensors, rows, binary, threshold=0.4)
    area = ThresholdCurve.from_estimator(of_tensors, rows, binary).roc_auc()
    folds = cross_val_confusion_matrix(LDA(), rows, binary, cv=3)
assert cm == ConfusionMatrix.from_estimator(model, X, y, threshold=0.4)
assert area == ThresholdCurve.from_estimator(model, X, y).roc_auc()
assert folds == cross_val_confusion_matrix(LDA(), X, y, cv=3)
print("right")
"""


def test_tensors_are_read_and_passed_on_where_scikit_learn_dispatches():
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True
    )
    assert done.stdout == "right\n", done.stderr
