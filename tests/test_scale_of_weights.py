"""Scale: weights times a constant change nothing: no value, no choice, no limits, no caveat."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import (
    ConfusionMatrix,
    ConstrainedThresholdClassifier,
    ThresholdCurve,
    check,
    compare,
)
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.estimators.chosen_weights import (
    _changes,
    _largest_two,
    _margins_along,
    _matrices_along,
)
from skmetrics_ext.estimators.held_out import HeldOut
from skmetrics_ext.metrics.from_labels import function_of
from tests.shared import for_each, parameters_of

# Powers of two round nothing.
FACTORS = [2.0**40, 2.0**-30, 0.1, 1e-6, 1e6]
every_factor = pytest.mark.parametrize("factor", FACTORS)
N = 60
RANDOM = np.random.default_rng(3)
Y = np.repeat([0, 1, 2], [30, 20, 10])
PRED = np.where(RANDOM.random(N) < 0.8, Y, RANDOM.integers(0, 3, N))
OTHER = np.where(RANDOM.random(N) < 0.6, Y, RANDOM.integers(0, 3, N))
GROUP = np.arange(N) % 2
WEIGHTS = {
    "unlike": RANDOM.lognormal(sigma=0.7, size=N),
    "ones": np.ones(N),
    "by class": np.where(Y == 0, 1.0, 2.5),
}
every_weight = pytest.mark.parametrize("weights", WEIGHTS)
# Its correction for small samples takes the sum of weights for their number, as it says.
SCALED = [row for row in METRICS if row.name != "krippendorff_alpha"]


def quietly(function, *arguments, **options):
    """What a consumer says, or None where it refuses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **options)
        except ValueError:
            return None


def assert_same(first, second, factor, *, rtol=1e-9):
    """Equal by powers of two, else but for rounding."""
    if np.log2(factor) % 1 == 0:
        np.testing.assert_array_equal(second, first)
    else:
        np.testing.assert_allclose(second, first, rtol=rtol, atol=1e-12)


@every_factor
@for_each("row", SCALED)
def test_values(row, factor):
    function, weights = function_of(row), WEIGHTS["unlike"]
    options = parameters_of(row, 3) | ({"average": None} if row.has_average else {})
    for predicted in (PRED, np.zeros(N, dtype=int), np.full(N, 2)):
        first, second = (
            quietly(function, Y, predicted, sample_weight=of, **options)
            for of in (weights, weights * factor)
        )
        assert_same(first, second, factor)


def matrix_of(weights, *, clustered, is_at_prevalence):
    clusters = {"clusters": np.arange(N) // 3} if clustered else {}
    cm = ConfusionMatrix.from_predictions(
        Y, PRED, sample_weight=weights, by={"group": GROUP}, **clusters
    )
    return cm.at_prevalence({0: 0.5, 1: 0.3, 2: 0.2}) if is_at_prevalence else cm


def said(result):
    """What a result says in words, and of which entries."""
    return [(of.code, of.text, np.asarray(of.entries).tolist()) for of in result.caveats]


@every_weight
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("is_at_prevalence", [False, True])
def test_intervals_gaps_and_verdicts(weights, clustered, is_at_prevalence):
    kinds = {"clustered": clustered, "is_at_prevalence": is_at_prevalence}
    first = matrix_of(WEIGHTS[weights], **kinds)
    options = {row.name: {"n_resamples": 100, **parameters_of(row, 3)} for row in SCALED}
    intervals = {name: quietly(first.interval, name, **own) for name, own in options.items()}
    claims = {"accuracy": 0.8, "f1_macro": 0.6, "mcc": 0.5}
    verdicts, gap = quietly(check, first, claims), quietly(first.gap, "accuracy")
    for factor in (2.0**40, 0.1, 1e-6):
        second = matrix_of(WEIGHTS[weights] * factor, **kinds)
        for name, one in intervals.items():
            other = quietly(second.interval, name, **options[name])
            assert (one is None) == (other is None), name
            if one is not None:
                # Derivatives are differences, which magnify rounding.
                assert_same([one.value, one.n], [other.value, other.n], factor)
                assert_same([one.low, one.high], [other.low, other.high], factor, rtol=5e-8)
                np.testing.assert_array_equal(other.method, one.method, name)
                assert said(one) == said(other), name
        found = quietly(check, second, claims)
        assert (found is None) == (verdicts is None)
        if found is not None:
            np.testing.assert_array_equal(found.verdict, verdicts.verdict)
            np.testing.assert_array_equal(found.reason, verdicts.reason)
        of_groups = quietly(second.gap, "accuracy")
        assert (gap is None) == (of_groups is None)
        if gap is not None:
            limits = [[of.value, of.low, of.high, of.p_value] for of in (gap, of_groups)]
            assert_same(*limits, factor, rtol=5e-8)
            assert said(gap) == said(of_groups)


@every_factor
@every_weight
def test_differences_of_models(weights, factor):
    models, metrics = {"a": PRED, "b": OTHER}, ["accuracy", "f1_macro", "mcc"]
    first, second = (
        quietly(compare, Y, models, metrics, sample_weight=of, n_resamples=100)
        for of in (WEIGHTS[weights], WEIGHTS[weights] * factor)
    )
    for one, other in zip(first.rows, second.rows, strict=True):
        limits = [[row.difference, row.low, row.high, row.p_value] for row in (one, other)]
        assert_same(*limits, factor, rtol=5e-8)
    assert said(first) == said(second)


@every_factor
def test_thresholds_that_are_called_best(factor):
    names = [
        row.name
        for row in METRICS
        if row.has_average and row.better != "neither" and not row.required
    ]
    for seed in range(9):
        random = np.random.default_rng(seed)
        n = int(random.integers(8, 60))
        y = np.append(random.integers(0, 2, n - 2), [0, 1])
        # With ties of scores and of values.
        scores = np.round(random.random(n), 1 + seed % 2)
        weights = (np.ones(n), random.choice([1.0, 2.0, 0.5], n), random.random(n))[seed % 3]
        first = ThresholdCurve.from_scores(y, scores, sample_weight=weights)
        second = ThresholdCurve.from_scores(y, scores, sample_weight=weights * factor)
        assert_same(first.roc_auc(), second.roc_auc(), factor)
        assert_same(first.average_precision(), second.average_precision(), factor)
        for name in names:
            best = [quietly(curve.best, name) for curve in (first, second)]
            assert (best[0] is None) == (best[1] is None), name
            if best[0] is not None:
                assert best[0].threshold == best[1].threshold, name
                assert_same(best[0].value, best[1].value, factor)


def test_the_highest_of_equal_thresholds_is_best_whatever_many_sums_round_to():
    # Positives and negatives take turns, so that every second threshold is as good as the first.
    y, scores = np.tile([1, 0], 1500), np.linspace(1, 0, 3000)
    plain = ThresholdCurve.from_scores(y, scores).best("one_vs_rest_accuracy")
    for weight in (0.1, 0.7, 1e-6):
        weighted = ThresholdCurve.from_scores(y, scores, sample_weight=np.full(3000, weight))
        assert weighted.best("one_vs_rest_accuracy").threshold == plain.threshold


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("count", [_matrices_along, _margins_along])
def test_what_no_sample_is_in_is_0_at_each_weight_of_a_class(count, seed):
    random = np.random.default_rng(seed)
    codes, scores = random.integers(0, 3, 40), random.dirichlet([1, 1, 1], 40)
    found = []
    for weights in (None, np.full(40, 0.1), random.random(40)):
        held_out = HeldOut(codes, scores, weights, [])
        changes = _changes(held_out, np.ones(3), _largest_two(scores.copy()), 1)
        found.append(np.asarray(count(np.arange(3), held_out, changes, 1)))
    plain, *weighted = found
    assert (plain == 0).any()
    for of_weights in weighted:
        np.testing.assert_array_equal(of_weights == 0, plain == 0)
    np.testing.assert_allclose(weighted[0], plain * 0.1, atol=1e-12)
    # Those of samples without weight alone, too.
    some = random.random(40) < 0.3
    of_some, of_weights = (
        np.asarray(count(np.arange(3), HeldOut(codes, scores, weights, []), changes, 1))
        for weights in (some.astype(int), some * 0.1)
    )
    np.testing.assert_array_equal(of_weights == 0, of_some == 0)


@every_factor
@pytest.mark.parametrize("metric", ["mcc", "f1_macro", "cohen_kappa", "mutual_information"])
def test_weights_of_classes_that_are_chosen(metric, factor):
    # Two features do not tell all classes apart, and one label for all is tried on the way.
    X, y = load_wine(return_X_y=True)
    X = X[:, :2]
    options = {"subject_to": {"recall_2": 0.6}, "cv": "prefit"}
    plain, scaled = (
        ConstrainedThresholdClassifier(GaussianNB().fit(X, y), metric, **options).fit(
            X, y, sample_weight=weights
        )
        for weights in (None, np.full(len(y), factor))
    )
    assert scaled.best_value_ == pytest.approx(plain.best_value_, rel=1e-9)
    assert scaled.best_weights_ == pytest.approx(plain.best_weights_, rel=1e-9)
    np.testing.assert_array_equal(scaled.predict(X), plain.predict(X))
    assert len(np.unique(scaled.predict(X))) == 3
