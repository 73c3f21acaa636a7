"""Range: every limit lies within the ends that a metric's row declares, in every design."""

import warnings

import numpy as np
import pytest
from scipy import special
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    check,
    compare,
    cross_val_interval,
    metric_interval,
)
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.ends import lowest_and_highest
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.matrices.counted import counted_for
from skmetrics_ext.plotting.bands import limits_of_net_benefit
from skmetrics_ext.statistics.intervals import intervals_at_levels
from skmetrics_ext.statistics.methods import METHODS
from skmetrics_ext.statistics.request import Request
from tests.outcomes import answered

# Few samples, few errors and none of one kind: what limits are farthest beyond.
RANDOM = np.random.default_rng(11)
N = 48
Y = np.repeat([0, 1, 2], [30, 12, 6])
PRED = np.where(RANDOM.random(N) < 0.85, Y, RANDOM.integers(0, 3, N))
OTHER = np.where(RANDOM.random(N) < 0.6, Y, RANDOM.integers(0, 3, N))
GROUP = np.arange(N) % 2
SAMPLES = {"of two": (np.minimum(Y, 1), np.minimum(PRED, 1), np.minimum(OTHER, 1))}
SAMPLES |= {"of three": (Y, PRED, OTHER)}
WEIGHTS = RANDOM.lognormal(sigma=1, size=N)
CLUSTERS = np.arange(N) // 3
PARTLY = np.where(RANDOM.random(N) < 0.7, 1.0, np.nan)
SHARES = {"of two": 0.1, "of three": {0: 0.1, 1: 0.2, 2: 0.7}}
DRAWN = {"n_resamples": 100}

COSTS = np.array([[0, 1, 5], [7, -1, 2], [3, 0, 0]], dtype=float)
PARAMETERS = {
    "fbeta": [{"beta": 3}],
    "net_benefit": [{"threshold_probability": 0.4}],
    "balanced_accuracy": [{}, {"adjusted": True}],
    "index_balanced_accuracy": [{}, {"alpha": 4}],
    "geometric_mean": [{}, {"correction": 2.0}],
}


def asked(of):
    """Each metric with parameters for two or three classes."""
    n_classes = 2 if of == "of two" else 3
    costs = COSTS[:n_classes, :n_classes]
    unlike = np.abs(COSTS)[:n_classes, :n_classes] * (1 - np.eye(n_classes))
    own = PARAMETERS | {
        "expected_cost": [{"cost_matrix": costs}],
        "cohen_kappa": [{}, {"weights": "linear"}, {"weights": unlike}],
    }
    return [(row, options) for row in METRICS for options in own.get(row.name, [{}])]


def from_predictions(of, **options):
    y, pred, _ = SAMPLES[of]
    return ConfusionMatrix.from_predictions(y, pred, by={"group": GROUP}, **options)


def of_folds(of):
    y, pred, _ = SAMPLES[of]
    cm = ConfusionMatrix.from_predictions(y, pred, by={"group": GROUP, "fold": np.arange(N) % 3})
    object.__setattr__(cm, "design", cm.design.with_shared("fold", 1))
    return cm.sum("fold")


DESIGNS = {
    "plain": from_predictions,
    "weighted": lambda of: from_predictions(of, sample_weight=WEIGHTS),
    "clustered": lambda of: from_predictions(of, clusters=CLUSTERS),
    "weighted clusters": lambda of: from_predictions(of, clusters=CLUSTERS, sample_weight=WEIGHTS),
    "prevalence": lambda of: from_predictions(of).at_prevalence(SHARES[of]),
    "prevalence of weights": lambda of: from_predictions(of, sample_weight=WEIGHTS).at_prevalence(
        SHARES[of]
    ),
    "prevalence of clusters": lambda of: from_predictions(of, clusters=CLUSTERS).at_prevalence(
        SHARES[of]
    ),
    "partly labeled": lambda of: ConfusionMatrix.from_partial_labels(
        np.where(np.isnan(PARTLY), np.nan, SAMPLES[of][0]),
        SAMPLES[of][1].astype(float),
        by={"group": GROUP},
    ),
    "folds": of_folds,
}
every_design = pytest.mark.parametrize("design", DESIGNS)
of_classes = pytest.mark.parametrize("of", SAMPLES)


def ends(cm, row, options, *, is_given):
    """The ends of a value with one entry for each group."""
    choice = choose(row, **options)
    return lowest_and_highest(counted_for(cm, choice), choice, are_shares_given=is_given)


def assert_within(limits, low, high, what, *, slack=1e-9):
    for limit in limits:
        of_each = np.asarray(limit, dtype=float)
        size = slack * (1 + np.abs(np.where(np.isfinite(of_each), of_each, 0)))
        assert not (of_each < low - size).any(), what
        assert not (of_each > high + size).any(), what


@of_classes
@every_design
def test_intervals_lie_within_the_range_by_every_method(design, of):
    cm = DESIGNS[design](of)
    is_given, n_answered = "prevalence" in design, 0
    for row, options in asked(of):
        averages = [{}]
        if row.has_average and of == "of three":
            averages = [{"average": None}, {"average": "macro"}]
        ways = [{"method": method} for method in ("auto", *METHODS)]
        if design == "plain":
            ways.append({"fixed": "actual"})
        for average in averages:
            for way in ways:
                found = answered(cm.interval, row.name, **options, **average, **way, **DRAWN)
                if found is None:
                    continue
                n_answered += 1
                is_known = is_given or "fixed" in way
                low, high = ends(cm, row, options | average, is_given=is_known)
                what = (row.name, options, average, way)
                assert_within((found.low, found.value, found.high), low, high, what)
    assert n_answered > 20


# One metric or two of each kind of range: gaps and claims take them from the same place.
OF_EACH_KIND = (
    "recall",
    "mcc",
    "expected_cost",
    "net_benefit",
    "gilbert_skill",
    "mutual_information",
)


@of_classes
@every_design
def test_gaps_and_claims_lie_within_the_range(design, of):
    cm = DESIGNS[design](of)
    n_answered = 0
    for row, options in asked(of):
        if row.name not in OF_EACH_KIND:
            continue
        low, high = (np.asarray(end) for end in ends(cm, row, options, is_given=False))
        gap = answered(cm.gap, row.name, **options, **DRAWN)
        if gap is not None:
            n_answered += 1
            limits = gap.low, gap.high, gap.limit_of_each_pair
            assert_within(limits, 0, (high - low).max(), (row.name, options))
        if not row.required:
            verdicts = answered(check, cm, {row.name: (0.25, None)})
            if verdicts is not None:
                n_answered += 1
                own = ends(cm, row, options, is_given="prevalence" in design)
                assert_within((verdicts.low, verdicts.high), *own, row.name)
    assert n_answered >= 2


@of_classes
@pytest.mark.parametrize("design", ["plain", "weighted", "clustered", "partly labeled"])
def test_differences_of_models_lie_within_that_of_the_range(design, of):
    y, first, second = SAMPLES[of]
    options = {
        "weighted": {"sample_weight": WEIGHTS},
        "clustered": {"clusters": CLUSTERS},
        "partly labeled": {"strata": ()},
    }
    known = y if design != "partly labeled" else np.where(np.isnan(PARTLY), np.nan, y)
    n_answered = 0
    for row, own in asked(of):
        average = {"average": "macro"} if row.has_average and of == "of three" else {}
        found = answered(
            compare,
            known,
            {"a": first, "b": second},
            [row.name],
            **own,
            **average,
            **options.get(design, {}),
            **DRAWN,
        )
        if found is None:
            continue
        n_answered += 1
        low, high = ends(from_predictions(of), row, own | average, is_given=False)
        widest = float((np.asarray(high) - np.asarray(low)).max())
        limits = [end for one in found.rows for end in (one.low, one.high)]
        assert_within(limits, -widest, widest, (row.name, own))
    assert n_answered > 20


def test_limits_that_gaps_search_for_a_p_value_lie_within_the_range():
    counted = counted_for(from_predictions("of three"), choose("accuracy"))
    for name in ("quantity_disagreement", "allocation_disagreement", "gilbert_skill", "accuracy"):
        choice = choose(name, **({"average": "macro"} if name == "gilbert_skill" else {}))
        at_levels = intervals_at_levels(counted, choice, Request(n_resamples=100))
        limits = at_levels.limits(np.full(2, 0.05))
        assert_within(limits, *lowest_and_highest(counted, choice), name)


def test_limits_of_a_perfect_and_a_nearly_opposite_model_end_where_differences_do():
    y = np.repeat([0, 1], 15)
    opposite = np.where(np.isin(np.arange(30), [3, 20]), y, 1 - y)
    found = answered(compare, y, {"a": y, "b": opposite}, "matthews_corrcoef")
    assert "delta" in found.rows[0].method
    assert found.rows[0].high == 2


def test_averages_over_labels_and_samples_lie_within_the_range():
    y, pred = (np.stack([labels > 0, labels > 1], 1).astype(int) for labels in (Y, PRED))
    n_answered = 0
    for row, options in asked("of two"):
        for average in ("samples", "macro", "micro"):
            for clusters in (None, CLUSTERS):
                asked_for = {"average": average} if row.has_average else {}
                found = answered(
                    metric_interval, y, pred, row.name, clusters=clusters, **asked_for, **options
                )
                if found is not None:
                    n_answered += 1
                    low, high = ends(from_predictions("of two"), row, options, is_given=False)
                    assert_within((found.low, found.value, found.high), low, high, row.name)
    assert n_answered > 50


def test_limits_of_cross_validation_lie_within_the_range():
    X = RANDOM.normal(size=(N, 2))
    names = ["macro_averaged_mean_absolute_error", "accuracy", "mcc"]
    found = answered(cross_val_interval, GaussianNB(), X, Y, scoring=names, cv=3)
    for name, ends_of_metric in zip(names, ((0, 5 / 3), (0, 1), (-1, 1)), strict=True):
        assert_within((found[name].low, found[name].high), *ends_of_metric, name)


def test_the_band_of_a_decision_curve_lies_within_the_range():
    scores = np.minimum(Y, 1) + RANDOM.normal(0, 1.5, N)
    curve = ThresholdCurve.from_scores(np.minimum(Y, 1), special.expit(scores))
    x = np.array([0.05, 0.5, 0.9])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        band = limits_of_net_benefit(curve, x, Request())
    assert_within((band.low, band.high), -x / (1 - x), 1, x)
