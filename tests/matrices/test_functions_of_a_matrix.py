"""A function of a matrix gets [negative, positive], however the matrix was made, or an error."""

import copy
import json
import pickle
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import cross_val_score

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ThresholdCurve,
    ThresholdCurves,
    check,
    compare,
    cross_val_confusion_matrix,
    cross_val_interval,
    cross_val_threshold_curves,
    get_scorer,
    make_scorer,
    metric_interval,
)
from tests.shared import one_in

random = np.random.default_rng(11)
N = 60
# 1 is positive, whatever it is called.
ACTUAL = np.tile([0, 0, 1], N // 3)
SCORES = np.round(np.clip(random.normal(0.35 + 0.3 * ACTUAL, 0.2), 0.01, 0.99), 2)
PREDICTED = (SCORES >= 0.5).astype(int)
OTHER = np.where(random.random(N) < 0.7, ACTUAL, 1 - ACTUAL)
PARTS = np.arange(N) % 2
HALVES = slice(0, None, 2), slice(1, None, 2)
N_FALSE, N_MISSED = (int(np.sum(np.equal(PREDICTED - ACTUAL, sign))) for sign in (1, -1))
# By hand: a false alarm costs 1, a miss 20.
COST = (N_FALSE + 20 * N_MISSED) / N

# Names of the negative and the positive class; the positive one is first if sorted in most.
NAMES = {
    "strings": ["well", "ill"],
    "numbers": [2, 1],
    "0 and 1": [1, 0],
    "-1 and 1": [1, -1],
    "bools": [True, False],
    "sorted": ["fine", "ill"],
}


def cost(cm):
    return (cm.counts[..., 0, 1] + 20 * cm.counts[..., 1, 0]) / cm.n_samples


def share_right(cm):
    return np.trace(cm.counts, axis1=-2, axis2=-1) / cm.n_samples


cost.vectorized = share_right.vectorized = True


class Model(ClassifierMixin, BaseEstimator):
    """Says what the scores say; X holds the rows of the data."""

    def __init__(self, names=()):
        self.names = names

    def fit(self, _, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        positive = SCORES[np.ravel(X)]
        is_second = self.classes_[1] == self.names[1]
        return np.column_stack([1 - positive, positive] if is_second else [positive, 1 - positive])

    def predict(self, X):
        return np.array(self.names)[PREDICTED[np.ravel(X)]]


X = np.arange(N)[:, None]


def sides_of(names):
    return np.array(names)[ACTUAL], np.array(names)[PREDICTED]


def frame_of(names):
    true, pred = sides_of(names)
    return pd.DataFrame({"true": true, "pred": pred, "score": SCORES, "part": PARTS})


@cache
def ways_of(kind):
    """A matrix of each way, whose positive class is known, and whose order nobody named."""
    names = NAMES[kind]
    positive = names[1]
    true, pred = sides_of(names)
    frame, model = frame_of(names), Model(names).fit(None, true)
    known = {"pos_label": positive}
    whole = ConfusionMatrix.from_predictions(true, pred, **known)
    parts = [
        ConfusionMatrix.from_predictions(true[HALVES[k]], pred[HALVES[k]], **known) for k in (0, 1)
    ]
    one_class = [
        ConfusionMatrix.from_predictions(true[at], pred[at], **options)
        for at, options in (
            ((ACTUAL == 1) & (PREDICTED == 1), known),
            ((ACTUAL == 0) & (PREDICTED == 0), {} if isinstance(positive, str) else known),
            (ACTUAL != PREDICTED, {} if isinstance(positive, str) else known),
        )
    ]
    folds = cross_val_confusion_matrix(model, X, true, cv=3, **known)
    curve = ThresholdCurve.from_scores(true, SCORES, **known)
    curves = ThresholdCurves.from_scores(true, SCORES, by=PARTS, **known)
    binned = [
        ThresholdCurve.from_frame(frame.iloc[HALVES[k]], "true", "score", bins=4, **known)
        for k in (0, 1)
    ]
    renamed = dict(zip(names, ["a", "b"], strict=True))
    stacked = ConfusionMatrix.stack(dict(enumerate(parts)), axis="part")
    return {
        "from_predictions": whole,
        "weights": ConfusionMatrix.from_predictions(
            true, pred, sample_weight=np.full(N, 0.7), **known
        ),
        "clusters": ConfusionMatrix.from_predictions(true, pred, clusters=X[:, 0] // 2, **known),
        "by": ConfusionMatrix.from_predictions(true, pred, by=PARTS, **known).sum(0),
        "from_scores": ConfusionMatrix.from_scores(true, SCORES, threshold=0.5, **known),
        "from_estimator": ConfusionMatrix.from_estimator(model, X, true, **known),
        "from_partial_labels": ConfusionMatrix.from_partial_labels(true, pred, **known),
        "from_frame": ConfusionMatrix.from_frame(frame, "true", "pred", **known),
        "from_frame, scores": ConfusionMatrix.from_frame(
            frame, "true", scores="score", threshold=0.5, **known
        ),
        "from_frame, by": ConfusionMatrix.from_frame(frame, "true", "pred", by="part", **known).sum(
            "part"
        ),
        "cross_val_confusion_matrix": folds.sum("fold"),
        "from_dict": ConfusionMatrix.from_dict(json.loads(json.dumps(whole.to_dict()))),
        "a plain state": ConfusionMatrix.from_dict(
            {
                "labels": sorted(names),
                "counts": ConfusionMatrix.from_predictions(true, pred, labels=sorted(names)).counts,
                "pos_label": positive,
            }
        ),
        "pickle": pickle.loads(pickle.dumps(whole)),
        "deepcopy": copy.deepcopy(whole),
        "curve.at": curve.at(0.5),
        "curve of an estimator": ThresholdCurve.from_estimator(model, X, true, **known).at(0.5),
        "curve of a frame": ThresholdCurve.from_frame(frame, "true", "score", **known).at(0.5),
        "pickled curve": pickle.loads(pickle.dumps(curve)).at(0.5),
        "sum of curves": curves.sum("group").at(0.5),
        "curve + curve": (binned[0] + binned[1]).at(0.5),
        "at_thresholds": curves.at_thresholds([0.5]).sum(0).sel(threshold=0.5),
        "curves of folds": cross_val_threshold_curves(model, X, true, cv=3, **known)
        .sum("fold")
        .at(0.5),
        "with_labels": whole.with_labels(names),
        "relabel": whole.relabel(renamed).relabel({new: old for old, new in renamed.items()}),
        "+": parts[0] + parts[1],
        "+ the other way": parts[1] + parts[0],
        "+ of single classes": (one_class[0] + one_class[1]) + one_class[2],
        "+ of single classes from the end": one_class[2] + (one_class[1] + one_class[0]),
        "stack": stacked.sum("part"),
        "sel": ConfusionMatrix.stack({"a": whole, "b": parts[0]}, axis="day").sel(day="a"),
        "add": parts[0].add(true[HALVES[1]], pred[HALVES[1]]),
        "at_prevalence": whole.at_prevalence(1 / 3),
    }


WAYS = list(ways_of("strings"))


@pytest.mark.parametrize(("kind", "way"), one_in(2, NAMES, WAYS))
def test_a_matrix_is_negative_and_positive_however_it_was_made(way, kind):
    cm = ways_of(kind)[way]
    assert cm.labels.tolist() == NAMES[kind]
    assert cm.pos_label == NAMES[kind][1]
    assert cost(cm) == pytest.approx(COST)
    assert cm.score(cost) == pytest.approx(COST)
    assert cm.score("recall") == pytest.approx(1 - N_MISSED / (N // 3))


@pytest.mark.parametrize("way", ["weights", "clusters", "from_partial_labels", "at_prevalence"])
def test_the_design_has_the_order_of_the_counts(way):
    found = ways_of("strings")[way].interval("precision")
    expected = ways_of("sorted")[way].interval("precision")
    assert (found.low, found.high, found.n) == (expected.low, expected.high, expected.n)


@pytest.mark.parametrize("kind", ["strings", "numbers"])
def test_one_whose_positive_class_is_unknown_yields_in_a_sum(kind):
    negative, positive = NAMES[kind]
    true, pred = sides_of(NAMES[kind])
    known, unknown = (
        ConfusionMatrix.from_predictions(true[HALVES[k]], pred[HALVES[k]], pos_label=pos_label)
        for k, pos_label in ((0, positive), (1, None))
    )
    assert unknown.labels.tolist() == [positive, negative]
    for both in (known + unknown, unknown + known, sum([unknown, known, unknown])):
        assert both.labels.tolist() == [negative, positive]
    assert (unknown + known).score(cost) == pytest.approx(COST)


def test_a_third_class_is_sorted_in_whatever_order_parts_are_added():
    two = ConfusionMatrix.from_predictions(["a", "b", "b"], ["a", "a", "b"], pos_label="a")
    three = ConfusionMatrix.from_predictions(["a", "b", "c"], ["c", "b", "c"])
    for both in (two + three, three + two, (two + two) + three):
        assert (both.labels.tolist(), both.pos_label) == (["a", "b", "c"], "a")


@cache
def named_orders():
    """Matrices whose caller, or whose data, name an order with the positive class first."""
    names = ["ill", "well"]
    true, pred = sides_of(["well", "ill"])
    known = {"pos_label": "ill"}
    frame = frame_of(["well", "ill"])
    declared = pd.CategoricalDtype(names, ordered=True)
    model = Model(["well", "ill"]).fit(None, true)
    cm = ConfusionMatrix.from_predictions(true, pred, labels=names, **known)
    named, unnamed = (
        ConfusionMatrix.from_predictions(true[HALVES[k]], pred[HALVES[k]], labels=order, **known)
        for k, order in ((0, names), (1, None))
    )
    return {
        "from_predictions": cm,
        "from_scores": ConfusionMatrix.from_scores(
            true, SCORES, classes=names, threshold=0.5, **known
        ),
        "from_frame": ConfusionMatrix.from_frame(frame, "true", "pred", labels=names, **known),
        "from_partial_labels": ConfusionMatrix.from_partial_labels(
            true, pred, labels=names, **known
        ),
        "cross_val_confusion_matrix": cross_val_confusion_matrix(
            model, X, true, labels=names, cv=3, **known
        ).sum("fold"),
        "curve.at": ThresholdCurve.from_scores(true, SCORES, classes=names, **known).at(0.5),
        "an ordered categorical": ConfusionMatrix.from_predictions(
            pd.Series(true, dtype=declared), pd.Series(pred, dtype=declared), **known
        ),
        "from_dict": ConfusionMatrix.from_dict(cm.to_dict()),
        "pickle": pickle.loads(pickle.dumps(cm)),
        "named + unnamed": named + unnamed,
        "unnamed + named": unnamed + named,
    }


@pytest.mark.parametrize("way", named_orders())
def test_an_order_that_was_named_stays_and_no_function_mistakes_it(way):
    cm = named_orders()[way]
    assert (cm.labels.tolist(), cm.pos_label) == (["ill", "well"], "ill")
    assert cm.score(share_right) == pytest.approx(np.mean(ACTUAL == PREDICTED))
    with pytest.raises(ValueError, match=r"cost depends on.*'ill' is positive.*\['well', 'ill'\]"):
        cm.score(cost)
    assert cm.with_labels(["well", "ill"]).score(cost) == pytest.approx(COST)


def doors(names):
    """What computes a function of the matrix, given further options, and where its values are."""
    true, pred = sides_of(names)
    model, other = Model(names).fit(None, true), np.array(names)[OTHER]
    cm = ConfusionMatrix.from_predictions(true, pred)
    by_part = ConfusionMatrix.from_predictions(true, pred, by=PARTS)
    few = {"n_resamples": 100, "random_state": 0}

    def scored(make):
        return lambda f, **options: make(f, **options)(model, X, true)

    return {
        "score": cm.score,
        "interval": lambda f, **options: cm.interval(f, **few, **options).value,
        "gap": lambda f, **options: by_part.gap(f, **few, **options).value,
        "metric_interval": lambda f, **options: (
            metric_interval(true, pred, f, **few, **options).value
        ),
        "compare": lambda f, **options: [
            getattr(compare(true, {"a": pred, "b": other}, f, **few, **options).rows[0], side)
            for side in ("value", "reference_value")
        ],
        "get_scorer": scored(get_scorer),
        "make_scorer": scored(make_scorer),
        "ConfusionScorer": scored(ConfusionScorer),
        "cross_val_score": lambda f, **options: cross_val_score(
            model, X, true, scoring=get_scorer(f, **options), cv=3, error_score="raise"
        ),
        "cross_val_interval": lambda f, **options: (
            cross_val_interval(model, X, true, scoring=get_scorer(f, **options), cv=3).value
        ),
        "check": lambda f, **options: check(cm, {f: 0.5}, **options).value,
    }


DOORS = list(doors(["well", "ill"]))


@cache
def with_usual_names(door, function):
    """The same data with 0 and 1 have one positive class."""
    return np.asarray(doors([0, 1])[door](function))


@pytest.mark.parametrize(("door", "kind"), one_in(2, DOORS, ["strings", "numbers"]))
def test_every_door_asks_which_class_is_positive_if_the_value_depends_on_it(door, kind):
    names = NAMES[kind]
    value_of = doors(names)[door]
    known = np.asarray(value_of(cost, pos_label=names[1]))
    np.testing.assert_allclose(known, with_usual_names(door, cost))
    with pytest.raises(ValueError, match=r"not known which of the labels.*pos_label="):
        value_of(cost)


@pytest.mark.parametrize("door", DOORS)
def test_a_function_of_the_same_value_in_both_orders_needs_no_positive_class(door):
    found = np.asarray(doors(["well", "ill"])[door](share_right))
    np.testing.assert_allclose(found, with_usual_names(door, share_right))


def test_the_positive_class_of_a_scorer_with_classes_is_their_second():
    true, _ = sides_of(["well", "ill"])
    model = Model(["well", "ill"]).fit(None, true)
    options = {"scores": {"classes": ["well", "ill"]}, "order": {"labels": ["well", "ill"]}}
    for given in options.values():
        assert ConfusionScorer(cost, **given)(model, X, true) == pytest.approx(COST)
    with pytest.raises(ValueError, match="'ill' is positive"):
        ConfusionScorer(cost, classes=["ill", "well"], pos_label="ill")(model, X, true)


def test_one_score_of_several_is_missing_and_says_why():
    true, _ = sides_of(["well", "ill"])
    scorer = ConfusionScorer({"cost": cost, "right": share_right})
    with pytest.warns(UserWarning, match=r"set to NaN: it is not known.*pos_label=.*\['cost'\]"):
        found = scorer(Model(["well", "ill"]).fit(None, true), X, true)
    assert np.isnan(found["cost"])
    assert found["right"] == pytest.approx(np.mean(ACTUAL == PREDICTED))


def test_several_thresholds_and_groups_have_each_its_own_answer():
    true, pred = sides_of(["well", "ill"])
    by_part = ConfusionMatrix.from_predictions(true, pred, by=PARTS, pos_label="ill")
    alone = [
        ConfusionMatrix.from_predictions(true[HALVES[k]], pred[HALVES[k]], labels=["well", "ill"])
        for k in (0, 1)
    ]
    np.testing.assert_allclose(by_part.score(cost), [cost(cm) for cm in alone])
    curve = ThresholdCurve.from_scores(true, SCORES, pos_label="ill", thresholds=[0.3, 0.5])
    values = [cost(curve.at(cut)) for cut in (0.3, 0.5)]
    np.testing.assert_allclose(curve.score(cost), values)
    assert values[1] == pytest.approx(COST)
