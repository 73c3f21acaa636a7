"""A threshold inside and around other estimators: where it acts, and where it belongs around."""

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import recall_score
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    TunedThresholdClassifierCV,
    train_test_split,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmetrics_ext import AbstainingClassifier, ConstrainedThresholdClassifier
from skmetrics_ext import ProbabilityClassifier as Fixed

RECALL = 0.95
X, Y = make_classification(3000, weights=[0.85], class_sep=0.7, flip_y=0.05, random_state=0)
X, X_TEST, Y, Y_TEST = train_test_split(X, Y, random_state=0)


def promising(model):
    """The model with the promise of a recall."""
    return ConstrainedThresholdClassifier(
        model,
        "precision",
        subject_to={"recall": RECALL},
        confidence_level=0.95,
        cv=0.5,
        refit=False,
        random_state=0,
    )


def recall_of(model):
    return recall_score(Y_TEST, model.fit(X, Y).predict(X_TEST))


def two_outputs(host):
    """The lower recall of two targets, of which the second is the first with some noise."""

    def fitted(model):
        targets = [
            np.stack([y, np.where(np.arange(len(y)) % 20, y, 1 - y)], axis=1) for y in (Y, Y_TEST)
        ]
        predicted = host(model).fit(X, targets[0]).predict(X_TEST)
        return recall_score(targets[1], predicted, average=None).min()

    return fitted


READ_PREDICT = {
    "a pipeline": lambda model: recall_of(make_pipeline(StandardScaler(), model)),
    "a search": lambda model: recall_of(GridSearchCV(model, {}, cv=2)),
    "hard voting": lambda model: recall_of(VotingClassifier([(name, model) for name in "abc"])),
    "several outputs": two_outputs(MultiOutputClassifier),
    "a chain": two_outputs(ClassifierChain),
    "the end of a stack": lambda model: recall_of(
        StackingClassifier([("inside", LogisticRegression())], final_estimator=model)
    ),
}
# A stack of labels decides anew, by what its last model makes of them.
READ_SCORES = {
    "bagging": lambda model: BaggingClassifier(model, 3, random_state=0),
    "one against the rest": OneVsRestClassifier,
    "soft voting": lambda model: VotingClassifier([("inside", model)], voting="soft"),
    "calibration": lambda model: CalibratedClassifierCV(model, cv=2),
    "a stack": lambda model: StackingClassifier([("inside", model)], cv=2),
    "a stack of labels": lambda model: StackingClassifier(
        [("inside", model)], cv=2, stack_method="predict"
    ),
    "another threshold": FixedThresholdClassifier,
    "a threshold tuned again": lambda model: TunedThresholdClassifierCV(model, cv=2),
}


def quick_of(hosts, *quick):
    """All hosts, of which plain pytest takes those that are quick."""
    return [pytest.param(host, marks=() if host in quick else pytest.mark.slow) for host in hosts]


@pytest.mark.parametrize("host", quick_of(READ_PREDICT, "a pipeline", "several outputs"))
def test_what_reads_predict_keeps_the_promise(host):
    """The slow ones are others of scikit-learn's, which call the same methods."""
    assert READ_PREDICT[host](promising(LogisticRegression())) >= RECALL
    assert READ_PREDICT[host](Fixed(LogisticRegression(), threshold=0.02)) >= RECALL
    # That is the threshold's work.
    assert READ_PREDICT[host](LogisticRegression()) < RECALL


@pytest.mark.parametrize("host", quick_of(READ_SCORES, "soft voting", "another threshold"))
def test_around_what_reads_scores_the_promise_is_kept_and_inside_of_it_is_not(host):
    """The slow ones are others of scikit-learn's, which call the same methods."""
    around = READ_SCORES[host]
    assert recall_of(promising(around(LogisticRegression()))) >= RECALL
    assert recall_of(Fixed(around(LogisticRegression()), threshold=0.02)) >= RECALL
    assert recall_of(around(promising(LogisticRegression()))) < RECALL
    assert recall_of(around(Fixed(LogisticRegression(), threshold=0.02))) < RECALL


def test_nor_do_they_abstain():
    model = AbstainingClassifier(
        LogisticRegression(), at_least=0.9, abstain_label=-1, cv=0.5, refit=False
    )
    assert -1 in model.fit(X, Y).predict(X_TEST)
    assert -1 not in BaggingClassifier(model, 3).fit(X, Y).predict(X_TEST)
