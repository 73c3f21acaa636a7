"""Folds of repeated cross-validation count samples several times, which intervals keep together."""

import json
import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
import sklearn
from scipy import stats
from sklearn.model_selection import (
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import (
    ConfusionMatrix,
    UnreliableIntervalWarning,
    classification_report,
    cross_val_confusion_matrix,
    cross_val_threshold_curves,
    metric_interval,
)
from skmetrics_ext.counting.design import Clustered, SampleDesign
from tests.proportions import mid_p

RANDOM = np.random.default_rng(0)
Y = np.repeat([0, 1], 30)
X = Y[:, None] + RANDOM.normal(size=(60, 2))
GROUP = np.tile(["a", "b"], 30)
THRICE = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
REPEATED = r"^counts pooled over \d+ models of repeated cross-validation: .*use cross_val_interval"
POOLED_ONCE = (
    r"^counts pooled over (the models|\d+ models?) of cross-validation: the interval is for their "
    r"average, and too narrow for the model refitted to all samples: use cross_val_interval\.$"
)


def folds(cv, **options):
    return cross_val_confusion_matrix(GaussianNB(), X, options.pop("y", Y), cv=cv, **options)


OF_FOLDS = folds(THRICE)
POOLED = OF_FOLDS.sum("fold")
OF_LIMITS = {
    "interval": lambda cm: cm.interval("recall"),
    "interval at a prevalence": lambda cm: cm.at_prevalence(0.1).interval("precision"),
    "summary": lambda cm: cm.summary(["recall", "specificity"]),
    "report": lambda cm: classification_report(cm, confidence_level=0.9),
    "gap": lambda cm: ConfusionMatrix.stack({"x": cm, "y": cm}, axis="model").gap("recall"),
}


def heard(ask):
    """The warnings about limits that a call gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ask()
    assert {warning.category for warning in caught} <= {UnreliableIntervalWarning}
    return [str(warning.message) for warning in caught]


def warns(words, ask):
    """A call that gives one warning, in these words, and its answer."""
    with pytest.warns(UnreliableIntervalWarning, match=words) as caught:
        found = ask()
    assert len(caught) == 1
    return found


@pytest.mark.parametrize("ask", OF_LIMITS.values(), ids=OF_LIMITS)
def test_limits_of_repeated_folds_warn_once(ask):
    warns(REPEATED, lambda: ask(POOLED))


def test_values_and_single_folds_do_not_warn():
    cm = folds(THRICE)
    assert cm.n_samples.tolist() == [12] * 15
    for one in (cm, cm.sel(fold=7), cm.sel(fold=[3, 8])):
        one.interval("specificity")
        one.summary("recall")
    POOLED.score("recall")
    classification_report(POOLED)
    # The models of the folds are not the one that is fitted to all data.
    one = cm.sel(fold=[0, 1, 2, 3, 4]).sum("fold")
    warns(POOLED_ONCE, lambda: one.interval("recall"))
    warns(REPEATED, lambda: cm.sel(fold=list(range(10))).sum("fold").interval("recall"))


def predictions():
    """The row of each sample in each fold, and what is predicted there."""
    found = []
    for train, test in THRICE.split(X, Y):
        found += zip(test, GaussianNB().fit(X[train], Y[train]).predict(X[test]), strict=True)
    return np.transpose(found)


def numbers_of(interval):
    return [interval.value, interval.low, interval.high]


def quietly(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        return call()


@pytest.mark.parametrize("metric", ["recall", "precision", "accuracy", "f1", "plr", "mcc"])
def test_each_sample_stays_with_its_other_predictions(metric):
    rows, y_pred = predictions()
    expected = metric_interval(Y[rows], y_pred, metric, clusters=rows)
    found = quietly(lambda: POOLED.interval(metric))
    assert numbers_of(found) == pytest.approx(numbers_of(expected), rel=1e-12)
    counted = ConfusionMatrix.from_predictions(Y[rows], y_pred)
    assert counted == POOLED
    # Far wider than if there were 180 samples, and about as wide as of one repetition.
    once = quietly(lambda: OF_FOLDS.sel(fold=[0, 1, 2, 3, 4]).sum("fold").interval(metric))
    widths = [np.log(of.high / of.low) for of in (counted.interval(metric), found, once)]
    assert 1.4 * widths[0] < widths[1] < 1.15 * widths[2]


def test_limits_of_a_share_are_those_of_samples():
    """Mid-P with p (1 - p) / v samples, v of 30 means, and Student's t."""
    rows, y_pred = predictions()
    means = np.array([y_pred[rows == row].mean() for row in np.flatnonzero(Y)])
    share, n_units = means.mean(), len(means)
    n = share * (1 - share) / (means.var(ddof=1) / n_units)
    t = stats.t.isf(0.025, n_units - 1)
    # The variance of the ratio estimator has n in place of n - 1.
    n_of_ratio = n * n_units / (n_units - 1)
    wider = t * np.sqrt(n_units / (n_units - 1))
    found = quietly(lambda: POOLED.interval("recall"))
    expected = [share, *mid_p(share * n_of_ratio, n_of_ratio, 2 * stats.norm.sf(wider))]
    assert numbers_of(found) == pytest.approx(expected, rel=1e-12)


KEPT = {
    "pickle": lambda cm: pickle.loads(pickle.dumps(cm)),
    "json": lambda cm: ConfusionMatrix.from_dict(json.loads(json.dumps(cm.to_dict()))),
    "replace": lambda cm: replace(cm, pos_label=0),
    "labels": lambda cm: cm.with_labels([1, 0]),
    "stack": lambda cm: ConfusionMatrix.stack(
        {"once": ConfusionMatrix.from_predictions(Y, Y), "cm": cm}, axis="model"
    ).sel(model="cm"),
    "entry": lambda cm: ConfusionMatrix.stack({"a": cm, "b": cm}, axis="model").sel(model="a"),
}


@pytest.mark.parametrize("change", KEPT.values(), ids=KEPT)
def test_it_is_remembered(change):
    changed = change(POOLED)
    assert (changed._design.folds, changed._design.unit) == (3, "sample")
    assert (changed._design.n_models, changed._design.train_share) == (15, pytest.approx(0.8))
    found = warns(REPEATED, lambda: changed.interval("accuracy"))
    expected = quietly(lambda: POOLED.interval("accuracy"))
    assert np.ravel(found.low)[-1] == pytest.approx(expected.low, rel=1e-9)


def test_a_design_knows_its_models_and_what_they_were_fitted_to():
    cm = folds(THRICE)
    assert (cm._design.n_models, cm._design.train_share) == (15, pytest.approx(0.8))
    assert repr(cm.design) == (
        "Design: 60 samples, each counted several times, predicted by 15 models of "
        "cross-validation in 3 repetitions, fitted to 80 % each"
    )
    one = cm.sel(fold=[0, 1, 2, 3, 4])
    assert (one._design.n_models, one.sum("fold")._design.n_models) == (5, 5)
    assert repr(one.design).endswith(
        "predicted by 5 models of cross-validation, fitted to 80 % each"
    )
    assert repr(cm.sel(fold=3).design).endswith(
        "predicted by 1 model of cross-validation, fitted to 80 % each"
    )
    # Folds of unequal size: the mean of 48/60, 45/60 and 59/60.
    rows = np.arange(60)
    unequal = folds([(rows[k:], rows[:k]) for k in (12, 15, 1)])
    assert unequal._design.train_share == pytest.approx(152 / 180)
    # Weights, another prevalence and clusters of single samples keep it.
    assert cm.sum("fold").at_prevalence(0.1)._design.n_models == 15
    assert ConfusionMatrix.from_predictions(Y, Y)._design.n_models == 0
    curves = cross_val_threshold_curves(GaussianNB(), X, Y, cv=4)
    pooled = curves.sum("fold")
    assert pooled.at(0.5)._design.n_models == 4
    with pytest.warns(UnreliableIntervalWarning, match="pooled over 4 models .* all samples.$"):
        pooled.interval("roc_auc")


def test_folds_whose_models_are_not_known_say_less():
    design = replace(POOLED._design, models=(), train_share=0)
    unknown = replace(POOLED, _design=design)
    warns("^counts pooled over the models of repeated", lambda: unknown.interval("recall"))
    # The most that any of the matrices knows.
    assert (unknown + POOLED)._design.n_models == 15
    # A state says both numbers.
    plain = POOLED.to_dict(cluster_names=True)
    del plain["design"]["models"]
    with pytest.raises(ValueError, match=r"'design' of state is corrupted .*models"):
        ConfusionMatrix.from_dict(plain)


def test_further_samples_are_units_of_their_own():
    rows, y_pred = predictions()
    further = [0, 1, 1], [0, 1, 0]
    sides = np.r_[Y[rows], further[0]], np.r_[y_pred, further[1]]
    expected = metric_interval(*sides, "accuracy", clusters=np.r_[rows, 60:63])
    counted = ConfusionMatrix.from_predictions(*further)
    for cm in (counted + POOLED, POOLED + counted, POOLED.add(*further)):
        assert cm._design.folds == 3
        found = warns(REPEATED, lambda cm=cm: cm.interval("accuracy"))
        assert numbers_of(found) == pytest.approx(numbers_of(expected), rel=1e-12)


@pytest.mark.parametrize(
    "cv", [5, LeaveOneOut(), StratifiedKFold(4), ShuffleSplit(1, random_state=0)]
)
def test_other_folds_count_each_sample_once_at_most(cv):
    cm = folds(cv)
    assert type(cm._design) is SampleDesign
    assert dict(cm._design.shared) == {}
    pooled = cm.sum("fold")
    assert pooled._design.folds == 1
    # Those of numbers of samples.
    counted = ConfusionMatrix.from_counts(pooled.counts, pooled.labels).interval("recall")
    if cm._design.n_models > 1:
        found = warns(POOLED_ONCE, lambda: pooled.interval("recall"))
    else:
        # The only fold, not a mean of models.
        found = pooled.interval("recall")
    assert numbers_of(found) == numbers_of(counted)


@pytest.mark.parametrize("n_splits", [2, 20])
def test_random_splits_count_those_that_are_in_any(n_splits):
    splits = ShuffleSplit(n_splits, test_size=12, random_state=0)
    tested = {row for _, test in splits.split(X) for row in test}
    cm = folds(splits)
    assert dict(cm._design.shared)["fold"] == pytest.approx(12 * n_splits / len(tested))
    assert isinstance(cm._design, Clustered)
    assert cm._design.n_clusters == len(tested)


def test_groups_and_several_labels_are_counted_too():
    by = folds(THRICE, by=GROUP)
    assert dict(by._design.shared) == {"fold": 3}
    pooled = by.sum("fold")
    warns(REPEATED, lambda: pooled.gap("recall"))
    rows, y_pred = predictions()
    expected = metric_interval(Y[rows], y_pred, "recall", clusters=rows, by={"group": GROUP[rows]})
    found = quietly(lambda: pooled.interval("recall"))
    np.testing.assert_allclose(numbers_of(found), numbers_of(expected), rtol=1e-12)
    # The folds of a group stay separate.
    assert heard(lambda: by.sum("group").interval("specificity")) == []
    labels = np.stack([Y, 1 - Y], axis=1)
    from_predictions = cross_val_confusion_matrix(
        MultiOutput(), X, labels, cv=[(np.arange(60), np.arange(60))] * 2
    )
    assert dict(from_predictions._design.shared) == {"label": 2, "fold": 2}
    # Both folds are the same, so that they tell as much as one.
    found = warns(REPEATED, lambda: from_predictions.sum("fold").interval("recall"))
    once = from_predictions.sel(fold=0).interval("recall")
    widths = [of.high - of.low for of in (found, once)]
    np.testing.assert_allclose(*widths, rtol=0.1)


def test_clusters_stay_together_over_folds():
    patients = np.arange(60) // 3
    rows, y_pred = predictions()
    cm = folds(THRICE, clusters=patients)
    assert (cm._design.unit, cm._design.n_clusters) == ("cluster", 20)
    found = warns(REPEATED, lambda: cm.sum("fold").interval("accuracy"))
    expected = metric_interval(Y[rows], y_pred, "accuracy", clusters=patients[rows])
    assert numbers_of(found) == pytest.approx(numbers_of(expected), rel=1e-12)
    assert found.method == "mid-P of 20 clusters"


class MultiOutput(GaussianNB):
    """Two complementary labels."""

    def fit(self, X, y):
        return super().fit(X, y[:, 0])

    def predict(self, X):
        first = super().predict(X)
        return np.stack([first, 1 - first], axis=1)


def test_weights_of_0_and_1_select_samples_of_repeated_folds():
    weights = (np.arange(60) % 4 > 0).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        model = GaussianNB().set_fit_request(sample_weight=False)
        cm = cross_val_confusion_matrix(model, X, Y, cv=THRICE, params={"sample_weight": weights})
    assert cm.sum("fold").counts.sum() == 3 * weights.sum()
    assert cm.sum("fold")._design.times.sum() == weights.sum()
    rows, y_pred = predictions()
    kept = weights[rows] > 0
    expected = metric_interval(Y[rows][kept], y_pred[kept], "accuracy", clusters=rows[kept])
    found = quietly(lambda: cm.sum("fold").interval("accuracy"))
    assert numbers_of(found) == pytest.approx(numbers_of(expected), rel=1e-12)
