"""No threshold, infinities included, beats the one that is called best, at any door."""

import copy
import functools
import json
import math
import pickle
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ConstrainedThresholdClassifier,
    ThresholdCurve,
    ThresholdCurves,
    compare_curves,
    cross_val_threshold_curves,
    get_scorer,
    labels_from_scores,
    plot_threshold_curve,
)
from skmetrics_ext.catalogue.rows import METRICS
from tests.doubles import AnsweringClassifier, ReadsScores
from tests.shared import for_each, of_any_scale, parameters_of

ROUNDING = 1e-9
WITH_BEST = [row for row in METRICS if row.better != "neither"]
# Metrics to bound, and whether higher is better.
HIGHER = {"false_positive_rate": False, "recall": True, "accuracy": True, "precision": True}
BOUNDS: list[dict[str, float]] = [
    {"false_positive_rate": 0.1},
    {"recall": 0.8},
    {"precision": 0.3},
    {"false_positive_rate": 0.4, "accuracy": 0.5},
]


class Data(NamedTuple):
    """Labels, scores, and the weight of each sample, if any."""

    y: Any
    scores: Any
    weights: Any = None

    @property
    def model(self) -> Any:
        """A fitted classifier with these scores, which are probabilities or decision values."""
        answers = {"decision_function": self.scores}
        if 0 <= self.scores.min() <= self.scores.max() <= 1:
            answers = {"predict_proba": np.stack([1 - self.scores, self.scores], axis=1)}
        return AnsweringClassifier([0, 1], answers).fit()


RANDOM = np.random.default_rng(5)
Y = np.arange(20) % 3 % 2
NOISE = RANDOM.random(20)
# Of the few positive samples none is among the highest scores.
FEW = Data((np.arange(30) % 15 == 3).astype(int), (np.arange(30) % 16 / 16).round(2))
DATA = {
    "noise": Data(Y, NOISE),
    "ties": Data(Y, ((2 * NOISE + Y) / 3).round(1)),
    "constant": Data((np.arange(100) < 2).astype(int), np.full(100, 0.25)),
    "few positives": FEW,
    "against the labels": Data(Y, (1 - 0.5 * Y - 0.4 * NOISE).astype(np.float32)),
    "decision values": Data(Y, np.log(NOISE) * 4 + 3),
    "weights": Data(Y, NOISE.round(1), RANDOM.lognormal(size=20)),
    "weights of 0": Data(FEW.y, FEW.scores, np.where(FEW.scores > 0.9, 0.0, 2.0)),
}


def plain(data, **options):
    return ThresholdCurve.from_scores(data.y, data.scores, sample_weight=data.weights, **options)


def table(data, **options):
    columns = {"y": data.y, "s": data.scores}
    if data.weights is not None:
        columns["w"], options["sample_weight"] = data.weights, "w"
    return ThresholdCurve.from_frame(pl.DataFrame(columns), "y", "s", **options)


def of_group(data):
    groups = np.arange(len(data.y)) % 2
    options = {"sample_weight": data.weights, "by": groups}
    return ThresholdCurves.from_scores(data.y, data.scores, **options)[1]


def of_folds(data):
    X = np.stack([1 - data.scores, data.scores], axis=1)
    of = cross_val_threshold_curves(ReadsScores(), X, data.y, cv=StratifiedKFold(2))
    return of.sum("fold")


CURVES = {
    "scores": plain,
    "above a score": lambda data: plain(data, ties="negative"),
    "the other class": lambda data: plain(data, pos_label=0),
    "another prevalence": lambda data: plain(data, ties="negative").at_prevalence(0.03),
    "quantiles": lambda data: plain(data, thresholds=4),
    "one quantile above": lambda data: plain(data, thresholds=1, ties="negative"),
    "given": lambda data: plain(data, thresholds=[0.3, math.inf, 0.6]),
    "a table": table,
    "bins": lambda data: table(data, bins=4),
    "a sum of bins": lambda data: table(data, bins=4) + table(data, bins=4),
    "a group": of_group,
    "folds": of_folds,
}


OF_TABLES = ("a table", "bins", "a sum of bins")


def thresholds_of(curve):
    """All that may be asked for: given ones, or one in each gap and each score, and infinities."""
    of_curve = curve.thresholds.astype(float)
    if not curve.at_every_score and math.inf in of_curve:
        return of_curve
    if curve.at_every_score:
        of_curve = np.concatenate([of_curve, (of_curve[1:] + of_curve[:-1]) / 2])
    return np.array([*of_curve, math.inf, -math.inf])


class Found:
    """Each threshold with its matrix, as the curve counts them one by one."""

    def __init__(self, curve):
        self.thresholds = thresholds_of(curve)
        matrices = {str(k): curve.at(t) for k, t in enumerate(self.thresholds.tolist())}
        stacked = ConfusionMatrix.stack(matrices, axis="k")
        self._score = functools.partial(stacked.score, zero_division=np.nan)
        self._bounded = {name: self._score(name) for name in HIGHER}

    def values(self, row, bounds):
        """The metric at each threshold, NaN where it is undefined or a bound does not hold."""
        values = np.array(self._score(row.name, **parameters_of(row)))
        for name, bound in (bounds or {}).items():
            room = (self._bounded[name] - bound) * (1 if HIGHER[name] else -1)
            values[~(room >= -ROUNDING)] = np.nan
        return values


def check_best(best, found, row, bounds):
    """That value and threshold are the best of those found one by one."""
    values, sign = found.values(row, bounds), 1 if row.better == "higher" else -1
    known = ~np.isnan(values)
    most = sign * (sign * values[known]).max()
    assert best.value == pytest.approx(most, rel=ROUNDING, abs=ROUNDING)
    if math.isinf(best.threshold):
        of_finite = values[known & np.isfinite(found.thresholds)]
        assert (sign * of_finite < sign * most).all()


def rows_for(data, kind, step):
    """One in so many metrics, others for each kind and data, of which every third pair has any;
    sums of weights do not tell how many samples there are.
    """
    are_sums = data.weights is not None and kind in OF_TABLES
    place = [known is data for known in DATA.values()].index(True) + [*CURVES].index(kind)
    if step > 1 and place % 3:
        return []
    rows = WITH_BEST[place // 3 % step :: step]
    return [row for row in rows if not (are_sums and row.needs_numbers)]


@of_any_scale
@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
@for_each("kind", CURVES)
def test_no_threshold_of_a_curve_beats_its_best(kind, data, step):
    """The slow ones are of every metric for each kind and data."""
    if kind == "folds" and (data.weights is not None or "predict_proba" not in data.model.answers):
        return
    if not (rows := rows_for(data, kind, step)):
        return
    curve = CURVES[kind](data)
    found = Found(curve)
    for k, row in enumerate(rows):
        parameters = parameters_of(row)
        for bounds in (None, BOUNDS[k % len(BOUNDS)]):
            if np.isnan(found.values(row, bounds)).all():
                with pytest.raises(ValueError, match=r"no threshold satisfies|is undefined"):
                    curve.best(row.name, subject_to=bounds, **parameters)
                continue
            best = curve.best(row.name, subject_to=bounds, **parameters)
            check_best(best, found, row, bounds)
            there = curve.at(best.threshold)
            assert there.score(row.name, **parameters) == pytest.approx(best.value, rel=ROUNDING)


def scores_of_scorers(data, row, bounds):
    """The value of each scorer at its best threshold, before negation."""
    options = {"threshold": "best", "subject_to": bounds, **parameters_of(row)}
    scorers = [get_scorer(row.scorer_name, **options), ConfusionScorer(row.scorer_name, **options)]
    X = data.scores[:, None]
    sign = 1 if row.better == "higher" else -1
    return [sign * scorer(data.model, X, data.y, data.weights) for scorer in scorers]


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", DATA)
@for_each("row", WITH_BEST)
def test_scorers_and_classifiers_find_the_best_of_the_curve(row, name, step):
    """The slow ones are of every metric for all data."""
    data = DATA[name]
    if ([*DATA].index(name) + WITH_BEST.index(row)) % step:
        return
    bounds = BOUNDS[WITH_BEST.index(row) % 3]
    try:
        best = plain(data).best(row.name, subject_to=bounds, **parameters_of(row))
    except ValueError:
        with pytest.raises(ValueError, match=r"no threshold satisfies|is undefined"):
            scores_of_scorers(data, row, bounds)
        return
    assert scores_of_scorers(data, row, bounds) == [pytest.approx(best.value)] * 2
    if row.required:
        return
    X = data.scores[:, None]
    tuned = ConstrainedThresholdClassifier(data.model, row.name, subject_to=bounds, cv="prefit")
    tuned.fit(X, data.y, sample_weight=data.weights)
    assert (tuned.best_value_, tuned.best_threshold_) == best[:2]
    cm = ConfusionMatrix.from_predictions(
        data.y, tuned.predict(X), labels=[0, 1], sample_weight=data.weights
    )
    assert cm.score(row.name) == pytest.approx(best.value)


def test_costs_of_each_sample_are_least_where_nobody_is_positive():
    """Whose own false alarm costs more than any miss."""
    costs = np.zeros((30, 2, 2))
    costs[:, 0, 1], costs[:, 1, 0] = np.arange(30) + 40, np.arange(30)
    best = plain(FEW).best("expected_cost", cost_matrix=costs)
    of_misses = np.flatnonzero(FEW.y).sum() / 30
    assert best == (pytest.approx(of_misses), math.inf, (0, 0, 2, 28))


def test_the_best_of_a_stump_in_folds_is_never_below_a_threshold_of_its_scores():
    X, y = RANDOM.random((300, 1)), np.arange(300) % 11 == 0
    options = {"X": X, "y": y, "cv": StratifiedKFold(5, shuffle=True, random_state=0)}
    for depth in (1, 3):
        model = DecisionTreeClassifier(max_depth=depth, random_state=0)
        best, *others = (
            cross_val_score(model, **options, scoring=get_scorer("accuracy", threshold=threshold))
            for threshold in ("best", 0.5, 0.05, math.inf, -math.inf)
        )
        assert all((best >= other).all() for other in others)


@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_a_model_that_predicts_nobody_positive_works_as_any_other(method):
    X = np.stack([1 - FEW.scores, FEW.scores], axis=1)
    model = ReadsScores().fit(X, FEW.y)
    if method == "decision_function":
        model = AnsweringClassifier([0, 1], {method: FEW.scores * 9 - 4}).fit()
    tuned = ConstrainedThresholdClassifier(
        model, "accuracy", subject_to={"recall": (None, 0.5)}, cv="prefit"
    ).fit(X, FEW.y)
    assert tuned.best_threshold_ == math.inf
    assert tuned.constraints_[0].value == 0
    assert "threshold inf for 1, chosen on 30" in tuned.summary()
    for copied in (copy.deepcopy(tuned), pickle.loads(pickle.dumps(tuned))):
        assert copied.best_threshold_ == math.inf
        assert copied.predict(X).tolist() == [0] * 30
    scores = tuned.curve_._samples.scores
    assert not labels_from_scores(scores, classes=[0, 1], threshold=math.inf).any()
    options = {"threshold": tuned.best_threshold_, "response_method": method}
    assert get_scorer("accuracy", **options)(model, X, FEW.y) == tuned.best_value_ == 28 / 30


def test_a_promise_may_be_kept_by_predicting_nobody():
    """Where there are enough samples to show it: 29 without a hit are below .1 with .95."""
    scores = np.arange(40) / 40
    for n_negative, is_enough in ((29, True), (28, False)):
        y = (np.arange(40) < 40 - n_negative).astype(int)
        tuned = ConstrainedThresholdClassifier(
            Data(y, scores).model,
            "recall",
            subject_to={"false_positive_rate": 0.1},
            confidence_level=0.95,
            cv="prefit",
        )
        if not is_enough:
            with pytest.raises(ValueError, match="needs at least 29 negative samples"):
                tuned.fit(scores[:, None], y)
            continue
        tuned.fit(scores[:, None], y)
        assert (tuned.best_threshold_, tuned.best_value_) == (math.inf, 0)
        assert tuned.constraints_[0].limit == pytest.approx(1 - 0.05 ** (1 / 29))


def test_a_promise_of_all_samples_can_be_shown_where_all_are_negative():
    """Three chains share the error: log(.05 / 3) / log(.9) is 38.9. All begin where nobody is
    positive, which has the error of the three.
    """
    y, scores = (np.arange(40) == 3).astype(int), np.arange(40) / 40
    tuned = ConstrainedThresholdClassifier(
        Data(y, scores).model,
        "specificity",
        subject_to={"negative_predictive_value": 0.9},
        confidence_level=0.95,
        cv="prefit",
    )
    tuned.fit(scores[:, None], y, sample_weight=1 - y)
    assert tuned.best_threshold_ == math.inf
    assert tuned.constraints_[0].limit == pytest.approx(0.05 ** (1 / 39))


def test_an_operating_point_above_all_scores_has_limits():
    constant, ranked = (
        ThresholdCurve.from_scores(Y, scores) for scores in (np.full(20, 0.5), NOISE / 2 + Y / 3)
    )
    point = {"subject_to": {"specificity": 0.9}}
    found = constant.interval("recall", **point)
    assert found.value == found.low == 0 < found.high
    pair = compare_curves({"a": constant, "b": ranked}, "recall", **point)
    assert pair.difference == -ranked.interval("recall", **point).value


def test_counts_of_bins_are_known_beyond_all_of_them():
    curve = table(FEW, bins=4)
    assert curve.at(math.inf).counts.tolist() == [[28, 0], [2, 0]]
    assert curve.at(-math.inf).counts.tolist() == [[0, 28], [0, 2]]
    with pytest.raises(ValueError, match="counts only at their edges"):
        curve.at(1)


def test_an_infinite_threshold_is_in_json_that_any_reader_takes():
    curves = ThresholdCurves.from_scores(FEW.y, FEW.scores.astype(np.float32), by=FEW.y)
    cm = curves.at_thresholds([math.inf, 0.1, -math.inf])
    text = json.dumps(cm.to_dict(), allow_nan=False)
    again = ConfusionMatrix.from_dict(json.loads(text))
    assert again == cm
    assert again.axes[1].coordinates.tolist() == [math.inf, np.float32(0.1), -math.inf]


OF_COSTS = {"cost_matrix": [[0, 3], [10, 0]]}


@pytest.mark.parametrize(
    ("data", "metric", "parameters", "options"),
    [
        (FEW, "expected_cost", OF_COSTS, {}),
        (DATA["constant"], "expected_cost", OF_COSTS, {}),
        (DATA["constant"], "npv", {}, {"confidence_level": 0.9}),
    ],
)
def test_a_point_at_infinity_is_drawn_at_the_edge(data, metric, parameters, options):
    curve = plain(data)
    plot = plot_threshold_curve(curve, [metric, "recall"], **options, **parameters)
    best = curve.best(metric, **parameters)
    assert plot.best_ == best
    assert best.threshold == math.inf
    left, right = plot.ax_.get_xlim()
    assert left <= curve.thresholds.min() <= curve.thresholds.max() <= right < 1.1
    assert np.isfinite(plot.lines_["recall"].get_xdata()).all()
    [marker] = [line for line in plot.ax_.lines if line.get_label().endswith("at inf")]
    assert marker.get_xydata().tolist() == [[right, best.value]]
    low, high = plot.ax_.get_ylim()
    assert low < best.value < high
    plt.close(plot.figure_)
