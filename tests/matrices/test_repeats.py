"""Folds of repeated cross-validation count samples several times: intervals of sums warn."""

import json
import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import (
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import ConfusionMatrix, classification_report, cross_val_confusion_matrix

RANDOM = np.random.default_rng(0)
Y = np.repeat([0, 1], 30)
X = Y[:, None] + RANDOM.normal(size=(60, 2))
GROUP = np.tile(["a", "b"], 30)
THRICE = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
WARNING = (
    r"each sample is counted 3 times, as in repeated cross-validation, so confidence intervals are "
    r"too narrow"
)


def folds(cv, **options):
    return cross_val_confusion_matrix(GaussianNB(), X, options.pop("y", Y), cv=cv, **options)


POOLED = folds(THRICE).sum("fold")
OF_LIMITS = {
    "interval": lambda cm: cm.interval("recall"),
    "interval at a prevalence": lambda cm: cm.at_prevalence(0.1).interval("precision"),
    "frame": lambda cm: cm.score_table("recall", confidence_level=0.9),
    "report": lambda cm: classification_report(cm, confidence_level=0.9),
    "gap": lambda cm: ConfusionMatrix.stack({"x": cm, "y": cm}, axis="model").gap("recall"),
}


@pytest.mark.parametrize("ask", OF_LIMITS.values(), ids=OF_LIMITS)
def test_limits_of_repeated_folds_warn(ask):
    with pytest.warns(UserWarning, match=WARNING):
        ask(POOLED)


def test_values_and_single_folds_do_not_warn():
    cm = folds(THRICE)
    assert cm.n_samples.tolist() == [12] * 15
    for one in (cm, cm.sel(fold=7), cm.sel(fold=[3, 8]), cm.sel(fold=[0, 1, 2, 3, 4]).sum("fold")):
        one.interval("specificity")
        one.score_table("recall", confidence_level=0.95)
    POOLED.score("recall")
    POOLED.score_table(["recall", "mcc"])
    classification_report(POOLED)
    with pytest.warns(UserWarning, match="is counted 2 times"):
        cm.sel(fold=list(range(10))).sum("fold").interval("recall")


KEPT = {
    "pickle": lambda cm: pickle.loads(pickle.dumps(cm)),
    "json": lambda cm: ConfusionMatrix.from_dict(json.loads(json.dumps(cm.to_dict()))),
    "replace": lambda cm: replace(cm, pos_label=0),
    "labels": lambda cm: cm.with_labels([1, 0]),
    "sum of two": lambda cm: ConfusionMatrix.from_labels([0, 1], [0, 1]) + cm,
    "stack": lambda cm: ConfusionMatrix.stack(
        {"once": ConfusionMatrix.from_labels(Y, Y), "cm": cm}, axis="model"
    ),
    "entry": lambda cm: ConfusionMatrix.stack({"a": cm, "b": cm}, axis="model").sel(model="a"),
}


@pytest.mark.parametrize("change", KEPT.values(), ids=KEPT)
def test_it_is_remembered(change):
    changed = change(POOLED)
    assert changed.repeats == 3
    with pytest.warns(UserWarning, match=WARNING):
        changed.interval("accuracy")


def test_older_states_were_counted_once():
    state = POOLED.to_dict()
    del state["repeats"]
    assert ConfusionMatrix.from_dict(state).repeats == 1
    assert ConfusionMatrix.from_dict(state) == POOLED
    for wrong in (0.5, float("nan"), float("inf"), "2"):
        with pytest.raises((ValueError, TypeError), match="'repeats' of state"):
            ConfusionMatrix.from_dict({**state, "repeats": wrong})


@pytest.mark.parametrize(
    "cv", [5, LeaveOneOut(), StratifiedKFold(4), ShuffleSplit(1, random_state=0)]
)
def test_other_folds_count_each_sample_once_at_most(cv):
    cm = folds(cv)
    assert cm.repeats == 1
    cm.sum("fold").interval("recall")


@pytest.mark.parametrize("n_splits", [2, 20])
def test_random_splits_count_those_that_are_in_any(n_splits):
    splits = ShuffleSplit(n_splits, test_size=12, random_state=0)
    tested = {row for _, test in splits.split(X) for row in test}
    assert folds(splits).repeats == pytest.approx(12 * n_splits / len(tested))


def test_groups_and_several_labels_are_counted_too():
    by = folds(THRICE, by=GROUP)
    assert by.repeats == 3
    with pytest.warns(UserWarning, match=WARNING):
        by.sum("fold").gap("recall")
    # The folds of a group stay separate.
    by.sum("group").interval("specificity")
    labels = np.stack([Y, 1 - Y], axis=1)
    from_labels = cross_val_confusion_matrix(
        MultiOutput(), X, labels, cv=[(np.arange(60), np.arange(60))] * 2
    )
    assert from_labels.repeats == 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        from_labels.sum("fold").interval("recall")
    assert ["is counted 2 times" in str(warning.message) for warning in caught] == [True]


class MultiOutput(GaussianNB):
    """Two complementary labels."""

    def fit(self, X, y):
        return super().fit(X, y[:, 0])

    def predict(self, X):
        first = super().predict(X)
        return np.stack([first, 1 - first], axis=1)
