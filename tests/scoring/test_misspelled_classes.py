"""A class that the caller misspelled is named as the caller gave it, by every door."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ThresholdCurve,
    ThresholdCurves,
    compare_estimators,
    cross_val_confusion_matrix,
    cross_val_interval,
    get_scorer,
)

random = np.random.default_rng(2)
X = random.normal(size=(90, 2))
Y = np.where(X[:, 0] + random.normal(size=90) > 0, "malignant", "benign")
MODEL = LogisticRegression().fit(X, Y)
SCORES = MODEL.predict_proba(X)
FRAME = pd.DataFrame({"actual": Y, "benign": SCORES[:, 0], "malignant": SCORES[:, 1]})
GIVEN = {"classes": ["benign", "malignent"]}

DOORS = {
    "from_scores": lambda: ConfusionMatrix.from_scores(Y, SCORES, **GIVEN),
    "from_scores, one column": lambda: ConfusionMatrix.from_scores(Y, SCORES[:, 1], **GIVEN),
    "from_estimator": lambda: ConfusionMatrix.from_estimator(MODEL, X, Y, **GIVEN),
    "from_frame": lambda: ConfusionMatrix.from_frame(
        FRAME, "actual", scores=["benign", "malignant"], **GIVEN
    ),
    "a curve": lambda: ThresholdCurve.from_scores(Y, SCORES, **GIVEN),
    "curves": lambda: ThresholdCurves.from_scores(Y, SCORES, **GIVEN),
    "cross_val_confusion_matrix": lambda: cross_val_confusion_matrix(MODEL, X, Y, **GIVEN),
    "cross_val_interval": lambda: cross_val_interval(
        MODEL, X, Y, scoring=ConfusionScorer("recall", **GIVEN)
    ),
    "cross_val_interval, several": lambda: cross_val_interval(
        MODEL, X, Y, scoring=ConfusionScorer(["mcc", "f1_macro"], **GIVEN)
    ),
    "compare_estimators": lambda: compare_estimators(
        {"a": MODEL, "b": MODEL}, X, Y, scoring=ConfusionScorer("f1_macro", **GIVEN)
    ),
    "get_scorer": lambda: get_scorer("recall_macro", **GIVEN)(MODEL, X, Y),
    "ConfusionScorer": lambda: ConfusionScorer("recall", **GIVEN)(MODEL, X, Y),
}


@pytest.mark.parametrize("door", DOORS)
def test_the_sentence_names_classes_and_the_class(door):
    with pytest.raises(ValueError, match=r"classes.*'malignent'") as caught:
        DOORS[door]()
    assert "'malignant'" in str(caught.value)
    assert "pos_label" not in str(caught.value)


@pytest.mark.parametrize("labels", [["benign"], ["benign", "malignent"]])
@pytest.mark.parametrize("make", [get_scorer, ConfusionScorer])
def test_the_evaluation_index_of_too_few_labels_speaks_of_labels(make, labels):
    scorer = pickle.loads(pickle.dumps(make("evaluation_index", labels=labels)))
    with pytest.warns(UserWarning, match=r"labels=.*also have \['malignant'\]") as caught:
        assert np.isnan(list(scorer(MODEL, X, Y).values())).all()
    assert "classes" not in str(caught[0].message)
