"""Cross-validated matrices by group: each fold's samples in their groups, as by a loop."""

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold
from sklearn.multioutput import MultiOutputClassifier

from skmetrics_ext import ConfusionMatrix, cross_val_confusion_matrix
from tests.doubles import NearestMean

RANDOM = np.random.default_rng(5)
N = 90
X = RANDOM.normal(size=(N, 2))
Y = np.array(["a", "b", "c"])[(X[:, 0] + RANDOM.normal(size=N) > 0) * 1 + (X[:, 1] > 0.5)]
SEX = np.array(["F", "M"])[RANDOM.integers(0, 2, N)]
YEAR = RANDOM.integers(2020, 2023, N)
MODEL = NearestMean()


def check_is_a_loop(cm, cv, y=Y, weights=None, **options):
    for fold, (train, test) in enumerate(cv.split(X, Y)):
        model = clone(MODEL if y.ndim == 1 else MultiOutputClassifier(MODEL)).fit(
            X[train], y[train]
        )
        by = {"sex": SEX[test], "year": YEAR[test]}
        of_fold = ConfusionMatrix.from_estimator(
            model,
            X[test],
            y[test],
            by=by,
            sample_weight=None if weights is None else weights[test],
            **options,
        )
        assert cm.sel(fold=fold) == of_fold


@pytest.mark.parametrize(
    "cv", [StratifiedKFold(3), KFold(4, shuffle=True, random_state=0)], ids=["sorted", "shuffled"]
)
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_groups_stand_beside_the_folds(cv, n_jobs):
    by = {"sex": SEX, "year": YEAR}
    with joblib.parallel_config("threading"):
        cm = cross_val_confusion_matrix(MODEL, X, Y, cv=cv, by=by, n_jobs=n_jobs)
    assert [axis.name for axis in cm.axes] == ["fold", "sex", "year"]
    assert cm.axes[1].coordinates.tolist() == ["F", "M"]
    check_is_a_loop(cm, cv)
    assert cm.sum("sex").sum("year") == cross_val_confusion_matrix(MODEL, X, Y, cv=cv)


def test_samples_may_be_in_several_folds_or_in_none():
    cv = ShuffleSplit(5, test_size=0.4, random_state=3)
    cm = cross_val_confusion_matrix(MODEL, X, Y, cv=cv, by=SEX)
    assert cm.n_samples.sum(1).tolist() == [36] * 5
    assert [axis.name for axis in cm.axes] == ["fold", "group"]
    one = cross_val_confusion_matrix(
        MODEL, X, Y, cv=[(np.arange(60), [65, 61])], by=pd.Series(YEAR).astype(str)
    )
    assert one.n_samples.sum() == 2
    assert one.axes[1].coordinates.tolist() == ["2020", "2021", "2022"]


def test_thresholds_labels_and_what_the_matrix_carries_are_those_without_groups():
    y = np.where(Y == "a", "yes", "no")
    for options in (
        {"threshold": 0.3, "pos_label": "yes"},
        {"labels": ["no", "yes", "maybe"]},
        {"labels": ["yes", "no"]},
        {"classes": ["yes", "no"]},
        {
            "response_method": "predict_proba",
            "cost_matrix": [[0, 1], [5, 0]],
            "classes": ["no", "yes"],
        },
    ):
        cm = cross_val_confusion_matrix(MODEL, X, y, cv=3, by=SEX, **options)
        plain = cross_val_confusion_matrix(MODEL, X, y, cv=3, **options)
        assert cm.sum("group") == plain
        assert cm.pos_label == plain.pos_label
        assert (cm.ranking is None) == (plain.ranking is None)
        assert cm.ranking is None or cm.ranking.tolist() == plain.ranking.tolist()
    with pytest.raises(ValueError, match=r"labels=\['yes'\] must include all labels in the data"):
        cross_val_confusion_matrix(MODEL, X, y, cv=3, by=SEX, labels=["yes"])


def test_weights_are_counted_by_group():
    weights = RANDOM.integers(1, 5, N) / 4
    with sklearn.config_context(enable_metadata_routing=True):
        model = NearestMean().set_fit_request(sample_weight=False)
        cm = cross_val_confusion_matrix(
            model, X, Y, cv=3, by={"sex": SEX, "year": YEAR}, params={"sample_weight": weights}
        )
    assert cm.counts.dtype == float
    check_is_a_loop(cm, StratifiedKFold(3), weights=weights)


def test_multilabel_data_have_the_labels_last():
    y = np.stack([X[:, 0] > 0, X[:, 1] > 0, RANDOM.random(N) > 0.5], axis=1).astype(int)
    cv = KFold(3)
    model = MultiOutputClassifier(MODEL)
    frame = pd.DataFrame(y, columns=["p", "q", "r"])
    cm = cross_val_confusion_matrix(model, X, frame, cv=cv, by={"sex": SEX, "year": YEAR})
    assert [axis.name for axis in cm.axes] == ["fold", "sex", "year", "label"]
    assert cm.axes[3].coordinates.tolist() == ["p", "q", "r"]
    assert cm.sum("sex").sum("year") == cross_val_confusion_matrix(model, X, frame, cv=cv)
    check_is_a_loop(
        cross_val_confusion_matrix(model, X, y, cv=cv, by={"sex": SEX, "year": YEAR}), cv, y=y
    )


def test_missing_groups_and_wrong_ones():
    by = np.where(SEX == "F", "F", None)
    cm = cross_val_confusion_matrix(MODEL, X, Y, cv=3, by={"sex": by}, missing_group="unknown")
    assert cm.axes[1].coordinates.tolist() == ["F", "unknown"]
    with pytest.raises(ValueError, match=r"by\['sex'\] holds \d+ missing groups among 90 samples"):
        cross_val_confusion_matrix(MODEL, X, Y, cv=3, by={"sex": by})
    with pytest.raises(ValueError, match=r"by.*one group.*shape \(90,\)"):
        cross_val_confusion_matrix(MODEL, X, Y, cv=3, by=SEX[:4])
    with pytest.raises(ValueError, match="by has the name 'fold'"):
        cross_val_confusion_matrix(MODEL, X, Y, cv=3, by={"fold": SEX})
    index = np.arange(N)
    with pytest.raises(ValueError, match=r"'sex'.*different orders"):
        cross_val_confusion_matrix(
            MODEL, X, pd.Series(Y, index), cv=3, by={"sex": pd.Series(SEX, index[::-1])}
        )
    frame = pd.DataFrame(X, index=index[::-1])
    with pytest.raises(ValueError, match="different orders"):
        cross_val_confusion_matrix(MODEL, frame, Y, cv=3, by=pd.Series(SEX, index))
