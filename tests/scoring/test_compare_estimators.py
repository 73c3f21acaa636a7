"""Learners on the same folds: the rule by hand, and what is refused."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold, StratifiedKFold
from sklearn.preprocessing import scale

from skmetrics_ext import (
    ConfusionScorer,
    UnreliableIntervalWarning,
    check,
    compare_estimators,
    cross_val_interval,
    get_scorer,
)
from skmetrics_ext.results import Comparison
from tests.doubles import NearestMean

X, Y = load_breast_cancer(return_X_y=True)
X, Y = scale(X[:160, :6]), Y[:160]
LEARNERS = {"one": NearestMean(1), "six": NearestMean()}
GROUPS = np.arange(len(Y)) // 4


def accuracy(cells):
    return np.trace(cells) / cells.sum()


def recall(cells):
    return cells[1, 1] / cells[1].sum()


def f1_macro(cells):
    return np.mean(2 * np.diag(cells) / (cells.sum(0) + cells.sum(1)))


def mcc(cells):
    actual, predicted, n = cells.sum(1), cells.sum(0), cells.sum()
    covariance = np.trace(cells) * n - actual @ predicted
    return covariance / np.sqrt((n**2 - actual @ actual) * (n**2 - predicted @ predicted))


FORMULAS = {"accuracy": accuracy, "recall": recall, "f1_macro": f1_macro, "mcc": mcc}


@cache
def predictions(seed, n_folds, n_repeats, is_grouped):
    """What each learner predicts of each sample in each repetition (2, n_repeats, n_samples)."""
    groups = GROUPS if is_grouped else None
    seeds = np.random.default_rng(seed).integers(2**31, size=n_repeats).tolist()
    found = np.empty((2, n_repeats, len(Y)), dtype=int)
    for repetition, of_splits in enumerate(seeds):
        kind = StratifiedKFold if groups is None else StratifiedGroupKFold
        cv = kind(n_folds, shuffle=True, random_state=of_splits)
        for train, test in cv.split(X, Y, groups):
            for place, learner in enumerate(LEARNERS.values()):
                fitted = sklearn.clone(learner).fit(X[train], Y[train])
                found[place, repetition, test] = fitted.predict(X[test])
    return found


def slopes(formula, cells):
    """Derivatives by each cell, by central differences."""
    step = 1e-5
    found = np.empty(cells.shape)
    for place in np.ndindex(*cells.shape):
        moved = np.zeros(cells.shape)
        moved[place] = step
        found[place] = (formula(cells + moved) - formula(cells - moved)) / (2 * step)
    return found


def by_hand(metric, seed, n_folds, n_repeats, groups=None):
    """Difference, standard error and p-value in plain steps."""
    formula, values, influences, largest = FORMULAS[metric], [], [], 0
    for predicted in predictions(seed, n_folds, n_repeats, groups is not None):
        cells = np.zeros((2, 2))
        np.add.at(cells, (np.tile(Y, n_repeats), predicted.ravel()), 1)
        values.append(formula(cells))
        # Half a sample in each cell of one repetition.
        slope = slopes(formula, cells / n_repeats + 0.5)
        influences.append(slope[Y, predicted])
        largest = max(largest, np.abs(slope[:, 0] - slope[:, 1]).max())
    moves = influences[0] - influences[1]
    least = 1.25
    if groups is not None:
        moves = np.stack([moves[:, groups == of].sum(1) for of in np.unique(groups)], axis=1)
        least = 1.5
    n_units = moves.shape[1]
    variance = max(n_units * moves.var(1, ddof=1).mean(), 2 * largest**2)
    of_splits = moves.sum(1).var(ddof=1) if n_repeats > 1 else 0
    inflation = max(least, n_folds / (n_folds - 1))
    inflation += ((n_repeats - 1) * of_splits + variance) / (n_repeats**2 * variance)
    error = np.sqrt(inflation * variance)
    law = stats.norm if groups is None else stats.t(n_units - 1)
    difference = values[0] - values[1]
    return difference, law.ppf(0.975) * error, 2 * law.sf(abs(difference) / error)


@pytest.mark.parametrize(
    ("n_folds", "n_repeats", "groups"), [(5, 4, None), (3, 1, None), (4, 2, GROUPS)]
)
def test_the_rule_by_hand(n_folds, n_repeats, groups):
    found = compare_estimators(
        LEARNERS,
        X,
        Y,
        scoring=[*FORMULAS],
        groups=groups,
        cv=n_folds,
        n_repeats=n_repeats,
        correction=None,
        random_state=1,
    )
    for metric, row in zip(FORMULAS, found.rows, strict=True):
        difference, half, p_value = by_hand(metric, 1, n_folds, n_repeats, groups)
        assert (row.metric, row.model, row.reference) == (metric, "one", "six")
        assert_allclose(row.difference, difference, rtol=1e-9)
        assert_allclose([row.low, row.high], [difference - half, difference + half], rtol=1e-6)
        assert_allclose(row.p_value, p_value, rtol=1e-5)
        assert row.method == f"repeated cross-validation, {n_repeats} x {n_folds} folds"


def test_values_are_those_of_the_cross_validated_intervals():
    """The splits are drawn after a seed for replicates there, so that only single folds agree."""
    scorer = get_scorer("recall", pos_label=0)
    model, features = DummyClassifier(strategy="constant", constant=0), np.zeros((160, 1))
    learners = {"all": model, "none": DummyClassifier(strategy="constant", constant=1)}
    options = {"scoring": scorer, "n_repeats": 1, "random_state": 0}
    [row] = compare_estimators(learners, features, Y, **options).rows
    one = cross_val_interval(model, features, Y, **options)
    assert row.value == one.value == 1
    assert (row.reference_value, row.difference, row.p_value < 1e-9) == (0, 1, True)


def test_equal_learners_do_not_differ():
    learners = {"one": NearestMean(), "two": NearestMean()}
    options = {"scoring": ["mcc", "accuracy"], "correction": None, "n_repeats": 1}
    of_mcc, row = compare_estimators(learners, X, Y, **options).rows
    assert (of_mcc.difference, of_mcc.p_value) == (0, 1)
    assert of_mcc.low < 0 < of_mcc.high
    # As if two samples differed, one in the favor of each.
    half = stats.norm.ppf(0.975) * np.sqrt((1.25 + 1) * 2) / 162
    assert_allclose(row.high, half, rtol=1e-6)


class Column(ClassifierMixin, BaseEstimator):
    """Predicts a column of the features."""

    def __init__(self, place=0):
        self.place = place

    def fit(self, _, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, features):
        return np.asarray(features)[:, self.place]


COLUMNS = {"a": Column(0), "b": Column(1)}


def test_learners_that_agree_on_few_positives_are_not_known_to_be_equal():
    """One positive alone moves recall by 1 in 26."""
    y = np.repeat([1, 0], [25, 975])
    first = np.r_[np.zeros(6, int), np.ones(19, int), np.zeros(975, int)]
    second = np.r_[first[:25], np.arange(975) % 12 == 0].astype(int)
    columns = np.column_stack([first, second])
    found = compare_estimators(COLUMNS, columns, y, scoring="recall", margin=0.01, n_repeats=1)
    [row] = found.rows
    assert row.difference == 0
    half = stats.norm.ppf(0.975) * np.sqrt((1.25 + 1) * 2) / 26
    assert_allclose([row.low, row.high], [-half, half], rtol=1e-6)
    assert row.equivalent is False
    assert check(found, {"recall": -0.01}).overall == "cannot tell"


def test_rows_are_corrected_and_have_margins_and_a_baseline():
    learners = LEARNERS | {"most": DummyClassifier(strategy="most_frequent")}
    options = {"scoring": ["accuracy", "f1_macro"], "n_repeats": 1, "random_state": 0}
    found = compare_estimators(learners, X, Y, margin=0.1, **options)
    assert isinstance(found, Comparison)
    assert len(found.rows) == 6
    for row in found.rows:
        assert (row.p_adjusted < 0.05) == (not row.low <= 0 <= row.high)
        assert row.not_worse == (row.low > -0.1)
        assert row.p_adjusted >= row.p_value
    against = compare_estimators(learners, X, Y, baseline="six", correction=None, **options)
    assert [row.model for row in against.rows] == ["one", "most"] * 2
    assert {row.reference for row in against.rows} == {"six"}
    assert check(against, {"accuracy": -0.9}).overall == "pass"


def test_several_classes_and_keys():
    features, y = load_iris(return_X_y=True)
    scorer = ConfusionScorer({"mean recall": "recall_macro", "kappa": "cohen_kappa"})
    options = {"n_repeats": 1, "random_state": 0}
    found = compare_estimators(LEARNERS, features, y, scoring=scorer, **options)
    assert [row.metric for row in found.rows] == ["mean recall", "kappa"]


def test_few_positives_are_told():
    y = np.r_[np.ones(6, int), np.zeros(154, int)]
    with pytest.warns(UnreliableIntervalWarning, match=r"recall is based on too few samples, 6 "):
        found = compare_estimators(LEARNERS, X, y, scoring="recall", n_repeats=1, random_state=0)
    assert [caveat.code for caveat in found.caveats] == ["few_samples"]


def test_a_learner_that_cannot_decide_is_told():
    y = np.arange(100) % 2
    learners = {"most": DummyClassifier(strategy="most_frequent"), "mean": NearestMean()}
    with pytest.warns(UnreliableIntervalWarning) as caught:
        found = compare_estimators(
            learners,
            np.arange(100.0)[:, None],
            y,
            scoring="accuracy",
            groups=np.arange(100) // 2 * 2 + (np.arange(100) % 4 == 3),
            cv=GroupKFold(10),
            n_repeats=2,
            random_state=0,
        )
    codes = {caveat.code for caveat in found.caveats}
    assert "unstratified_folds" in codes
    assert len(caught) == len({str(of.message) for of in caught})


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"scoring": "positive_likelihood_ratio"}, ValueError, "has no bounds"),
        ({"scoring": "mutual_information"}, ValueError, "no derivative"),
        ({"scoring": "recall_worst"}, ValueError, "worst"),
        ({"scoring": "roc_auc"}, ValueError, "roc_auc"),
        ({"estimators": [NearestMean()]}, TypeError, "estimators must be a dict"),
        ({"estimators": {"a": NearestMean()}}, ValueError, "at least two models"),
        ({"baseline": "x"}, ValueError, "baseline='x'"),
        ({"correction": "x"}, ValueError, "correction must be"),
        ({"margin": 0}, ValueError, "margin"),
        ({"scoring": "predicted_positive_rate", "margin": 0.1}, ValueError, "margin= needs"),
        ({"n_repeats": 0}, ValueError, "n_repeats"),
    ],
)
def test_what_can_not_be_compared_is_refused(options, error, words):
    options = {"estimators": LEARNERS, "scoring": "accuracy", "cv": 2, "n_repeats": 1} | options
    with pytest.raises(error, match=words):
        compare_estimators(options.pop("estimators"), X, Y, **options)


def test_a_value_that_is_undefined_has_no_limits():
    learners = {"none": DummyClassifier(strategy="constant", constant=0), "mean": NearestMean()}
    options = {"scoring": "precision", "n_repeats": 1, "random_state": 0}
    with pytest.warns(sklearn.exceptions.UndefinedMetricWarning, match="undefined, or infinite"):
        [row] = compare_estimators(learners, X, Y, **options).rows
    assert np.isnan([row.difference, row.low, row.high, row.p_value]).all()


def test_classes_that_a_learner_never_predicts_are_told():
    y = np.arange(100) % 2
    columns = np.column_stack([np.where(np.arange(100) % 7, y, 1 - y), np.zeros(100, int)])
    options = {"scoring": "precision_macro", "n_repeats": 1, "random_state": 0}
    with pytest.warns(UnreliableIntervalWarning, match=r"'b' leaves out classes .*: 1|\[1\]"):
        found = compare_estimators(COLUMNS, columns, y, **options)
    assert [caveat.code for caveat in found.caveats] == ["undefined_class"]
    scorer = ConfusionScorer("precision", average="macro", zero_division=0)
    with pytest.raises(ValueError, match="zero_division= does not apply"):
        compare_estimators(COLUMNS, columns, y, scoring=scorer)


def test_few_and_unequal_groups_are_told():
    random = np.random.default_rng(0)
    y = random.integers(2, size=60)
    columns = np.column_stack([np.where(random.random(60) < q, y, 1 - y) for q in (0.8, 0.7)])
    few = np.arange(60) // 10
    options = {"scoring": "accuracy", "cv": 3, "random_state": 0}
    with pytest.warns(UnreliableIntervalWarning, match="too few clusters, 6,"):
        compare_estimators(COLUMNS, columns, y, groups=few, **options)
    unequal = np.r_[np.zeros(50, int), np.arange(10) + 1]
    with pytest.warns(UnreliableIntervalWarning) as caught:
        [row] = compare_estimators(COLUMNS, columns, y, groups=unequal, **options).rows
    assert any("too few clusters, 11," in str(of.message) for of in caught)
    # Student's t with the effective number of groups, 60^2 / (50^2 + 10) - 1.
    assert_allclose((row.high - row.difference) / (row.difference - row.low), 1, rtol=1e-9)
    error = (row.high - row.difference) / stats.t(1).ppf(0.975)
    assert_allclose(row.p_value, 2 * stats.t(1).sf(row.difference / error), rtol=1e-6)


def test_limits_stay_within_the_range_of_differences():
    y = np.arange(40) % 2
    columns = np.column_stack([y, 1 - y])
    with pytest.warns(UnreliableIntervalWarning):
        [row] = compare_estimators(
            COLUMNS, columns, y, groups=np.arange(40) // 14, cv=2, scoring="mcc", random_state=0
        ).rows
    assert row.high == row.difference == 2


def test_ordered_labels_are_ordered_for_both():
    random = np.random.default_rng(0)
    labels = ["low", "middle", "high"]
    y = pd.Series(pd.Categorical(random.choice(labels, 90), categories=labels, ordered=True))
    predicted = np.where(random.random(90) < 0.7, y.to_numpy(object), "middle")
    columns = np.column_stack([predicted, y.to_numpy(object)])
    scorer = ConfusionScorer("cohen_kappa", weights="linear")
    [row] = compare_estimators(COLUMNS, columns, y, scoring=scorer, n_repeats=1).rows
    expected = cohen_kappa_score(
        y.cat.codes, pd.Categorical(predicted, categories=labels).codes, weights="linear"
    )
    assert_allclose([row.value, row.reference_value], [expected, 1], rtol=1e-9)


def test_losses_by_scorers_have_the_name_of_their_values():
    scorer = get_scorer("neg_false_positive_rate")
    found = compare_estimators(LEARNERS, X, Y, scoring=scorer, n_repeats=1, random_state=0)
    assert found.rows[0].metric == "false_positive_rate"
    assert check(found, {"false_positive_rate": 0.9}).overall == "pass"


def test_weights_count_where_they_are_routed():
    weights = np.where(Y == 1, 1.0, 3.0)
    features = X[:, 1:]  # by the first of which many are missed
    with sklearn.config_context(enable_metadata_routing=True):
        learners = {
            name: sklearn.clone(learner).set_fit_request(sample_weight=False)
            for name, learner in LEARNERS.items()
        }
        options = {"scoring": ["recall", "accuracy"], "n_repeats": 2, "random_state": 0}
        weighted = compare_estimators(
            learners, features, Y, params={"sample_weight": weights}, **options
        )
        plain = compare_estimators(learners, features, Y, **options)
    # Recall depends on samples of one weight alone, but for the pseudo-samples.
    ends = [[of.rows[0].low, of.rows[0].high] for of in (weighted, plain)]
    assert_allclose(*ends, atol=2e-3)
    assert abs(weighted.rows[1].reference_value - plain.rows[1].reference_value) > 0.01
    # Only their proportions matter, also for pseudo-samples.
    with sklearn.config_context(enable_metadata_routing=True):
        scaled = compare_estimators(
            learners, features, Y, params={"sample_weight": 1e4 * weights}, **options
        )
    for one, other in zip(scaled.rows, weighted.rows, strict=True):
        assert_allclose([one.low, one.high], [other.low, other.high], rtol=1e-6)


def test_lower_is_better_of_losses():
    options = {"margin": 0.02, "n_repeats": 2, "random_state": 0}
    [loss] = compare_estimators(LEARNERS, X, Y, scoring="misclassification_rate", **options).rows
    [gain] = compare_estimators(LEARNERS, X, Y, scoring="accuracy", **options).rows
    assert_allclose(loss.difference, -gain.difference, rtol=1e-9)
    assert_allclose(loss.p_not_worse, gain.p_not_worse, rtol=1e-6)
    assert loss.p_not_worse != pytest.approx(1 - loss.p_not_worse)


def test_learners_that_agree_have_the_same_limits_whatever_the_scale_of_weights():
    options = {"scoring": "recall", "n_repeats": 2, "random_state": 0}
    plain = compare_estimators({"a": NearestMean(), "b": NearestMean()}, X, Y, **options)
    with sklearn.config_context(enable_metadata_routing=True):
        learners = {name: NearestMean().set_fit_request(sample_weight=False) for name in "ab"}
        params = {"sample_weight": np.full(len(Y), 1e3)}
        weighted = compare_estimators(learners, X, Y, params=params, **options)
    assert_allclose(weighted.rows[0].high, plain.rows[0].high, rtol=1e-6)
