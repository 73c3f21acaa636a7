"""Scale: weights times a constant change nothing: no value, no choice, no limits, no caveat."""

from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skmetrics_ext import (
    ConfusionMatrix,
    ConstrainedThresholdClassifier,
    ThresholdCurve,
    check,
    compare,
    compare_curves,
    get_scorer,
    metric_interval,
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
from tests.outcomes import answered
from tests.shared import for_each, one_in, parameters_of

# Powers of two round nothing; with these the totals are nearly as large and small as they may be.
FACTORS = [2.0**310, 2.0**-310, 0.1, 1e-6, 1e6]
every_factor = pytest.mark.parametrize("factor", FACTORS)
N = 60
RANDOM = np.random.default_rng(3)
Y = np.repeat([0, 1, 2], [30, 20, 10])
PRED = np.where(RANDOM.random(N) < 0.8, Y, RANDOM.integers(0, 3, N))
OTHER = np.where(RANDOM.random(N) < 0.6, Y, RANDOM.integers(0, 3, N))
GROUP = np.arange(N) % 2
SCORES = {name: RANDOM.normal(of > 0, 0.7) for name, of in (("a", PRED), ("b", OTHER))}
WEIGHTS = {
    "unlike": RANDOM.lognormal(sigma=0.7, size=N),
    "ones": np.ones(N),
    "by class": np.where(Y == 0, 1.0, 2.5),
}
every_weight = pytest.mark.parametrize("weights", WEIGHTS)


def assert_same(first, second, factor):
    """Equal by powers of two, else but for rounding."""
    if np.log2(factor) % 1 == 0:
        np.testing.assert_array_equal(second, first)
    else:
        np.testing.assert_allclose(second, first, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
@every_factor
@for_each("row", METRICS)
def test_values(row, factor, step):
    """The slow ones are of all predictions for every factor."""
    all_predicted = (PRED, np.zeros(N, dtype=int), np.full(N, 2))
    first = (METRICS.index(row) + FACTORS.index(factor)) % step
    function, weights = function_of(row), WEIGHTS["unlike"]
    options = parameters_of(row, 3) | ({"average": None} if row.has_average else {})
    for predicted in all_predicted[first::step]:
        first, second = (
            answered(function, Y, predicted, sample_weight=of, **options)
            for of in (weights, weights * factor)
        )
        assert_same(first, second, factor)


def matrix_of(weights, *, clustered, is_at_prevalence):
    clusters = {"clusters": np.arange(N) // 3} if clustered else {}
    cm = ConfusionMatrix.from_predictions(
        Y, PRED, sample_weight=weights, by={"group": GROUP}, **clusters
    )
    return cm.at_prevalence({0: 0.5, 1: 0.3, 2: 0.2}) if is_at_prevalence else cm


def assert_same_results(first, second, factor):
    """The same values, limits and caveats, or refusals."""
    assert (first is None) == (second is None)
    if first is not None:
        limits = [[of.value, of.low, of.high] for of in (first, second)]
        assert_same(*limits, factor)
        assert said(first) == said(second)


def said(result):
    """What a result says in words, and of which entries."""
    return [(of.code, of.text, np.asarray(of.entries).tolist()) for of in result.caveats]


@pytest.mark.parametrize(
    ("weights", "clustered", "is_at_prevalence", "first"),
    [
        ("unlike", False, False, 0),
        ("ones", True, True, 4),
        ("by class", True, False, 8),
        ("by class", False, True, 12),
    ],
)
def test_intervals_gaps_and_verdicts(weights, clustered, is_at_prevalence, first):
    check_results(weights, clustered, is_at_prevalence, step=16, first=first)


@pytest.mark.slow
@every_weight
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("is_at_prevalence", [False, True])
def test_intervals_of_every_metric_times_every_factor(weights, clustered, is_at_prevalence):
    """The same of all kinds of weights, where the test above takes a factor for each metric."""
    check_results(weights, clustered, is_at_prevalence, step=1)


def check_results(weights, clustered, is_at_prevalence, step, first=0):
    """Intervals of one in so many metrics for each factor, verdicts and a gap."""
    kinds = {"clustered": clustered, "is_at_prevalence": is_at_prevalence}
    plain = matrix_of(WEIGHTS[weights], **kinds)
    options = {row.name: {"n_resamples": 100, **parameters_of(row, 3)} for row in METRICS}
    names = [row.name for row in METRICS]
    claims = {"accuracy": 0.8, "f1_macro": 0.6, "mcc": 0.5}
    few = {"n_resamples": 100}
    verdicts, gap = answered(check, plain, claims), answered(plain.gap, "accuracy", **few)
    for start, factor in enumerate((2.0**310, 2.0**-310, 0.1, 1e-6)):
        second = matrix_of(WEIGHTS[weights] * factor, **kinds)
        for name in names[(first + start) % step :: step]:
            one, other = (answered(of.interval, name, **options[name]) for of in (plain, second))
            assert (one is None) == (other is None), name
            if one is not None:
                of_both = [[of.value, of.n, of.low, of.high] for of in (one, other)]
                assert_same(*of_both, factor)
                np.testing.assert_array_equal(other.method, one.method, name)
                assert said(one) == said(other), name
        found = answered(check, second, claims)
        assert (found is None) == (verdicts is None)
        if found is not None:
            np.testing.assert_array_equal(found.verdict, verdicts.verdict)
            np.testing.assert_array_equal(found.reason, verdicts.reason)
        of_groups = answered(second.gap, "accuracy", **few)
        assert (gap is None) == (of_groups is None)
        if gap is not None:
            limits = [[of.value, of.low, of.high, of.p_value] for of in (gap, of_groups)]
            assert_same(*limits, factor)
            assert said(gap) == said(of_groups)


@pytest.mark.parametrize(("weights", "factor"), one_in(3, WEIGHTS, FACTORS))
def test_differences_of_models(weights, factor):
    """The slow ones are of every factor for all weights."""
    models, metrics = {"a": PRED, "b": OTHER}, ["accuracy", "f1_macro", "mcc"]
    first, second = (
        answered(compare, Y, models, metrics, sample_weight=of, n_resamples=100)
        for of in (WEIGHTS[weights], WEIGHTS[weights] * factor)
    )
    for one, other in zip(first.rows, second.rows, strict=True):
        limits = [[row.difference, row.low, row.high, row.p_value] for row in (one, other)]
        assert_same(*limits, factor)
    assert said(first) == said(second)


@pytest.mark.parametrize("n_seeds", [3, pytest.param(9, marks=pytest.mark.slow)])
@every_factor
def test_thresholds_that_are_called_best(factor, n_seeds):
    """The slow ones are of all curves for every factor."""
    first = n_seeds * FACTORS.index(factor)
    names = [
        row.name
        for row in METRICS
        if row.has_average and row.better != "neither" and not row.required
    ]
    for seed in np.arange(first, first + n_seeds) % 9:
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
            best = [answered(curve.best, name) for curve in (first, second)]
            assert (best[0] is None) == (best[1] is None), name
            if best[0] is not None:
                assert best[0].threshold == best[1].threshold, name
                assert_same(best[0].value, best[1].value, factor)


@pytest.mark.parametrize("factor", [0.1, 1e-6, 1 / 3])
@pytest.mark.parametrize("n_positive", [2, 13, 16])
def test_curves_that_a_class_does_not_change(n_positive, factor):
    """What has no variance has none whatever sums of weights round to."""
    if n_positive == 2:
        # The positive samples count as fewer than two.
        y, weights = np.repeat([1, 0], [2, 8]), np.array([1, 5, 3, 3, 3, 3, 1, 1, 1, 1])
        area, clusters, prevalence = "roc_auc", [0, 1, 2, 2, 3, 4, 5, 6, 7, 8], 6 / 22
        scores = [3, 2, 1, 2.5, 0, 0, 1, 2, 1, 0]
    else:
        y, weights = np.repeat([1, 0], [n_positive, 25]), np.ones(n_positive + 25)
        area, clusters, prevalence = "average_precision", None, {13: 0.3, 16: 0.5}[n_positive]
        scores = np.arange(len(y))
    constant = np.zeros(len(y))
    first, second = (
        answered(
            compare_curves,
            {
                name: ThresholdCurve.from_scores(
                    y, of, sample_weight=weights * times, clusters=clusters, pos_label=1
                ).at_prevalence(prevalence)
                for name, of in (("a", scores), ("b", constant))
            },
            area,
        ).rows[0]
        for times in (1, factor)
    )
    assert_same([first.low, first.high], [second.low, second.high], factor)
    assert [caveat.text for caveat in first.caveats] == [caveat.text for caveat in second.caveats]


@pytest.mark.parametrize(("clustered", "factor"), one_in(2, [False, True], FACTORS))
def test_limits_of_curves(clustered, factor):
    """The slow ones are of every factor with and without clusters."""
    clusters = {"clusters": np.arange(N) // 3} if clustered else {}
    of_both = [
        {
            name: ThresholdCurve.from_scores(Y > 0, scores, sample_weight=weights, **clusters)
            for name, scores in SCORES.items()
        }
        for weights in (WEIGHTS["unlike"], WEIGHTS["unlike"] * factor)
    ]
    for ask in (
        lambda curve: curve.interval("roc_auc"),
        lambda curve: curve.interval("average_precision"),
        lambda curve: curve.at(0.4).interval("f1"),
        lambda curve: curve.at_prevalence(0.1).at(0.4).interval("precision"),
    ):
        assert_same_results(*(answered(ask, curves["a"]) for curves in of_both), factor)
    for area in ("roc_auc", "average_precision"):
        first, second = (answered(compare_curves, curves, area) for curves in of_both)
        limits = [
            [[row.difference, row.low, row.high, row.p_value] for row in of.rows]
            for of in (first, second)
        ]
        assert_same(*limits, factor)
        assert said(first) == said(second)


def alpha_of(y, predicted, weights):
    """Krippendorff's alpha of exact shares, by the number of samples that have a weight."""
    total, n = Fraction(int(weights.sum())), np.count_nonzero(weights)
    shares = np.zeros((2, 2), dtype=object)
    for row, column, weight in zip(y, predicted, weights, strict=True):
        shares[row, column] += int(weight) / total
    mean = (shares.sum(0) + shares.sum(1)) / 2
    by_chance, correction = (mean**2).sum(), Fraction(1, 2 * n)
    agreed = (1 - correction) * shares.trace() + correction
    return float((agreed - by_chance) / (1 - by_chance))


@pytest.mark.filterwarnings("ignore:y_score holds only the labels")
@for_each("row", [row for row in METRICS if row.needs_numbers])
def test_weights_are_no_numbers_of_samples_at_any_door(row):
    y, predicted, other = (np.minimum(of, 1) for of in (Y, PRED, OTHER))
    weights = np.arange(N) % 4
    expected = alpha_of(y, predicted, weights)
    for factor in (1, 0.1, 1e6):
        own = weights * factor
        cm = ConfusionMatrix.from_predictions(y, predicted, sample_weight=own)
        frame = pd.DataFrame({"y": y, "said": predicted, "weight": own})
        # A tree with a leaf for each value of its only feature says that value.
        model = DecisionTreeClassifier().fit([[0], [1]], [0, 1])
        curve = ThresholdCurve.from_scores(y, predicted, sample_weight=own)
        compared = answered(
            compare, y, {"a": predicted, "b": other}, row.name, sample_weight=own, n_resamples=100
        )
        values = [
            function_of(row)(y, predicted, sample_weight=own),
            cm.score(row.name),
            answered(cm.interval, row.name, n_resamples=100).value,
            answered(metric_interval, y, predicted, row.name, sample_weight=own).value,
            get_scorer(row.name)(model, predicted[:, None], y, sample_weight=own),
            compared.rows[0].value,
            curve.at(0.5).score(row.name),
            curve.score(row.name)[np.flatnonzero(curve.thresholds > 0)[-1]],
            ConfusionMatrix.from_frame(frame, "y", "said", sample_weight="weight").score(row.name),
        ]
        np.testing.assert_allclose(values, expected, rtol=1e-12)
        groups = ConfusionMatrix.from_predictions(y, predicted, sample_weight=own, by={"g": GROUP})
        of_groups = [
            alpha_of(*(of[group == GROUP] for of in (y, predicted, weights))) for group in (0, 1)
        ]
        np.testing.assert_allclose(groups.score(row.name), of_groups, rtol=1e-12)
    # Those that are said to be numbers are.
    repeated = function_of(row)(y.repeat(weights), predicted.repeat(weights))
    for cm in (
        ConfusionMatrix.from_predictions(
            y, predicted, sample_weight=weights, frequency_weights=True
        ),
        ConfusionMatrix.from_counts(
            ConfusionMatrix.from_predictions(y, predicted, sample_weight=weights).counts,
            labels=[0, 1],
        ),
    ):
        assert cm.score(row.name) == pytest.approx(repeated, rel=1e-12)
        assert cm.score(row.name) != pytest.approx(expected, rel=1e-3)


@for_each("row", [row for row in METRICS if row.needs_numbers])
def test_sums_of_weights_alone_are_refused_where_numbers_count(row):
    sums = {"score": [0.1, 0.1, 0.7, 0.7], "y": [0, 1, 0, 1], "weight": [2.5, 1.5, 0.5, 4.5]}
    curve = ThresholdCurve.from_frame(pd.DataFrame(sums), "y", "score", sample_weight="weight")
    assert np.isfinite(curve.at(0.5).score("scott_pi"))
    for ask in (lambda: curve.at(0.5).score(row.name), lambda: curve.score(row.name)):
        with pytest.raises(ValueError, match=r"needs the number of samples.*frequency_weights"):
            ask()


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


@cache
def chosen_of_wine(metric, factor=None):
    """Two features, which do not tell all classes apart; one label for all is tried on the way."""
    X, y = load_wine(return_X_y=True)
    X = X[:, :2]
    options = {"subject_to": {"recall_2": 0.6}, "cv": "prefit"}
    model = ConstrainedThresholdClassifier(GaussianNB().fit(X, y), metric, **options)
    return X, model.fit(X, y, sample_weight=factor and np.full(len(y), factor))


@pytest.mark.parametrize(
    ("metric", "factor"),
    one_in(4, ["mcc", "f1_macro", "cohen_kappa", "mutual_information"], FACTORS),
)
def test_weights_of_classes_that_are_chosen(metric, factor):
    """The slow ones are of every factor for all metrics."""
    (X, plain), (_, scaled) = chosen_of_wine(metric), chosen_of_wine(metric, factor)
    assert scaled.best_value_ == pytest.approx(plain.best_value_, rel=1e-9)
    assert scaled.best_weights_ == pytest.approx(plain.best_weights_, rel=1e-9)
    np.testing.assert_array_equal(scaled.predict(X), plain.predict(X))
    assert len(np.unique(scaled.predict(X))) == 3
