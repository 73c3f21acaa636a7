"""Costs of each sample, such as the amount of a fraud: cost[i, y_i, p_i], behind every door."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ProbabilityClassifier,
    ThresholdCurve,
    ThresholdCurves,
    compare,
    expected_cost,
    get_scorer,
    labels_from_scores,
    metric_interval,
)

RANDOM = np.random.default_rng(3)
N = 60
TRUE, PRED = RANDOM.integers(0, 3, (2, N))
COSTS = RANDOM.integers(-3, 50, (N, 3, 3)) / 4
WEIGHTS = RANDOM.integers(0, 5, N)
LEVELS = np.array(["low", "mid", "high"])
BINARY = np.array([0, 1] * (N // 2))
SCORES = np.round(RANDOM.random(N) / 2 + BINARY / 4, 2)
OF_TWO = COSTS[:, :2, :2]


def mean_cost(true, pred, costs, weights=None):
    weights = np.ones(len(true)) if weights is None else weights
    return sum(w * costs[i][true[i]][pred[i]] for i, w in enumerate(weights)) / sum(weights)


@pytest.mark.parametrize(
    "weights", [None, WEIGHTS, WEIGHTS * 0.3, WEIGHTS * 1e90], ids=["none", "int", "float", "huge"]
)
def test_the_mean_of_the_cost_of_each_sample(weights):
    expected = pytest.approx(mean_cost(TRUE, PRED, COSTS, weights), rel=1e-13)
    assert expected_cost(TRUE, PRED, cost_matrix=COSTS, sample_weight=weights) == expected
    assert expected_cost(TRUE, PRED, cost_matrix=COSTS.tolist(), sample_weight=weights) == expected
    # By the order that is named or declared, not by the alphabet: high, low, mid.
    true, pred = LEVELS[TRUE], LEVELS[PRED]
    assert (
        expected_cost(true, pred, labels=LEVELS, cost_matrix=COSTS, sample_weight=weights)
        == expected
    )
    declared = pd.Categorical(true, categories=[*LEVELS], ordered=True)
    assert expected_cost(declared, pred, cost_matrix=COSTS, sample_weight=weights) == expected
    alphabet = COSTS[:, [2, 0, 1]][:, :, [2, 0, 1]]
    named = {"labels": sorted(LEVELS), "cost_matrix": alphabet, "sample_weight": weights}
    assert expected_cost(declared, pred, **named) == expected


def test_costs_that_are_equal_are_those_of_one_matrix():
    same = np.repeat(COSTS[:1], N, axis=0)
    assert expected_cost(TRUE, PRED, cost_matrix=same) == pytest.approx(
        expected_cost(TRUE, PRED, cost_matrix=COSTS[0]), rel=1e-14
    )


@pytest.mark.parametrize(
    ("true", "costs", "labels", "message"),
    [
        (
            LEVELS[TRUE],
            COSTS,
            None,
            r"are not numbers.*cost_matrix is an array.*classes: pass labels=",
        ),
        (TRUE, COSTS[1:], None, r"costs for 59 samples, but there are 60"),
        (TRUE, OF_TWO, None, r"shape \(60, 2, 2\), but there are 3 classes"),
        (TRUE, COSTS[:, :2], None, r"must be square.*\(60, 2, 3\)"),
        (
            TRUE,
            COSTS,
            [2, 1, 5],
            r"labels=\[2, 1, 5\] must include all labels in the data, which also have \[0\]",
        ),
        (TRUE, np.where(COSTS > 12, np.nan, COSTS), None, "NaN or infinity"),
    ],
    ids=["strings", "too few", "too small", "not square", "labels", "NaN"],
)
def test_costs_that_do_not_fit_are_refused(true, costs, labels, message):
    pred = LEVELS[PRED] if true.dtype.kind == "U" else PRED
    with pytest.raises(ValueError, match=message):
        expected_cost(true, pred, cost_matrix=costs, labels=labels)


def test_labels_of_least_expected_cost_for_each_sample():
    scores = RANDOM.dirichlet(np.ones(3), N)
    expected = [LEVELS[np.argmin(row @ costs)] for row, costs in zip(scores, COSTS, strict=True)]
    assert labels_from_scores(scores, classes=LEVELS, cost_matrix=COSTS).tolist() == expected
    assert expected != labels_from_scores(scores, classes=LEVELS, cost_matrix=COSTS[0]).tolist()
    by_number = [
        int(np.argmin([1 - p, p] @ costs)) for p, costs in zip(SCORES, OF_TWO, strict=True)
    ]
    assert labels_from_scores(SCORES, classes=[0, 1], cost_matrix=OF_TWO).tolist() == by_number
    with pytest.raises(ValueError, match="costs for 60 samples, but there are 59"):
        labels_from_scores(SCORES[1:], classes=[0, 1], cost_matrix=OF_TWO)


@pytest.mark.parametrize("pos_label", ["bad", "average"])
@pytest.mark.parametrize("ties", ["positive", "negative"])
def test_a_curve_has_the_mean_cost_and_its_least_at_every_threshold(pos_label, ties):
    order = ["bad", "average"]
    true = pd.Categorical(np.array(order)[BINARY], categories=order, ordered=True)
    curve = ThresholdCurve.from_scores(
        true, SCORES, pos_label=pos_label, ties=ties, sample_weight=WEIGHTS
    )
    place = order.index(pos_label)
    expected = []
    for threshold in curve.thresholds:
        reached = threshold <= SCORES if ties == "positive" else threshold < SCORES
        expected.append(mean_cost(BINARY, np.where(reached, place, 1 - place), OF_TWO, WEIGHTS))
    found = curve.score("expected_cost", cost_matrix=OF_TWO)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    best = curve.best("expected_cost", cost_matrix=OF_TWO)
    assert best.value == pytest.approx(min(expected))
    bounded = curve.best("expected_cost", cost_matrix=OF_TWO, subject_to={"recall": (0.3, 0.6)})
    kept = (curve.score("recall") >= 0.3) & (curve.score("recall") <= 0.6)
    assert bounded.value == pytest.approx(np.array(expected)[kept].min())
    with pytest.raises(ValueError, match="costs for 59 samples"):
        curve.best("expected_cost", cost_matrix=OF_TWO[1:])
    with pytest.raises(TypeError, match="no parameter 'beta'"):
        curve.best("expected_cost", cost_matrix=OF_TWO, beta=2)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("names", [None, ["ok", "fraud"]], ids=["numbers", "strings"])
def test_costs_reach_the_folds_by_metadata_routing(names):
    X, model, cv = (
        np.stack([SCORES, RANDOM.random(N)], axis=1),
        LogisticRegression(),
        StratifiedKFold(3),
    )
    y = BINARY if names is None else np.array(names)[BINARY]
    scorer = get_scorer("neg_expected_cost", **({} if names is None else {"labels": names}))
    scorer.set_score_request(cost_matrix=True)
    params = {"cost_matrix": OF_TWO}
    found = cross_val_score(model, X, y, cv=cv, scoring=scorer, params=params, error_score="raise")
    expected = []
    for train, test in cv.split(X, y):
        predicted = model.fit(X[train], BINARY[train]).predict(X[test])
        expected.append(-mean_cost(BINARY[test], predicted, OF_TWO[test]))
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    search = GridSearchCV(model, {"C": [0.01, 1]}, scoring=scorer, cv=cv, error_score="raise").fit(
        X, y, **params
    )
    assert search.cv_results_["mean_test_score"][1] == pytest.approx(np.mean(expected))


CM = ConfusionMatrix.from_predictions(BINARY, 1 - BINARY)
PREDICTIONS = {"a": BINARY, "b": 1 - BINARY}


@pytest.mark.parametrize(
    "call",
    [
        lambda **costs: CM.score("expected_cost", **costs),
        lambda **costs: CM.interval("expected_cost", **costs),
        lambda **costs: ConfusionMatrix.from_scores(BINARY, SCORES, **costs),
        lambda **costs: ConfusionScorer("neg_expected_cost", **costs),
        lambda **costs: ConfusionScorer("accuracy", **costs),
        lambda **costs: get_scorer("neg_expected_cost", **costs),
        lambda **costs: get_scorer("neg_expected_cost", threshold="best", **costs),
        lambda **costs: metric_interval(BINARY, BINARY, "expected_cost", **costs),
        lambda **costs: compare(BINARY, PREDICTIONS, "expected_cost", **costs),
        lambda **costs: ProbabilityClassifier(LogisticRegression(), **costs).fit(
            SCORES[:, None], BINARY
        ),
    ],
    ids=[
        *(
            "score",
            "interval",
            "from_scores",
            "ConfusionScorer",
            "rule of a scorer",
            "get_scorer",
            "threshold scorer",
        ),
        *("metric_interval", "compare", "classifier"),
    ],
)
def test_what_knows_no_samples_refuses_them_and_names_what_takes_them(call):
    message = (
        r"\(60, 2, 2\), per-sample costs.* expected_cost, "
        r"labels_from_scores.*set_score_request\(cost_matrix="
    )
    with pytest.raises(ValueError, match=message):
        call(cost_matrix=OF_TWO)


def test_curves_of_groups_have_other_samples():
    curves = ThresholdCurves.from_scores(BINARY, SCORES, by=np.arange(N) % 2)
    with pytest.raises(ValueError, match="costs for 60 samples, but there are 30"):
        curves[0].best("expected_cost", cost_matrix=OF_TWO)
    curve = ThresholdCurve.from_scores(BINARY, SCORES)
    assert (
        curve.score("expected_cost", cost_matrix=OF_TWO).min()
        == curve.best("expected_cost", cost_matrix=OF_TWO).value
    )
