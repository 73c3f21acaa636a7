"""Matrices record that counts are sums of weights, which do not give a value's uncertainty."""

import json
import pickle
from contextlib import nullcontext

import numpy as np
import polars as pl
import pytest
import sklearn
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    classification_report,
    compare,
    cross_val_confusion_matrix,
    cross_val_threshold_curves,
    metric_interval,
    plot_intervals,
    plot_threshold_curve,
    threshold_curve,
    threshold_curves,
)

Y_TRUE = np.tile([0, 0, 0, 1, 1, 1], 10)
Y_PRED = np.tile([0, 0, 1, 1, 1, 0], 10)
SCORES = np.tile([0.1, 0.2, 0.7, 0.8, 0.9, 0.3], 10)
WEIGHTS = np.tile([1, 2, 3, 1, 2, 3], 10)
SEX = np.tile(["F", "M"], 30)
SAID = (
    "the counts are sums of sample_weight, which do not give .* metric_interval.* pass "
    "frequency_weights=True"
)
WEIGHTED = ConfusionMatrix.from_labels(Y_TRUE, Y_PRED, sample_weight=WEIGHTS, by={"sex": SEX})
PLAIN = ConfusionMatrix.from_labels(Y_TRUE, Y_PRED, by={"sex": SEX})
TABLE = pl.DataFrame({"y": Y_TRUE, "said": Y_PRED, "score": SCORES, "w": WEIGHTS, "sex": SEX})


@pytest.mark.parametrize(
    ("weights", "weighted"),
    [
        (None, False),
        (np.ones(60), False),
        (np.ones(60, dtype=np.int64), False),
        # With weights of 0 and 1 the sums are the numbers of remaining samples.
        (np.tile([1, 1, 0], 20), False),
        (np.full(60, 2), True),
        (np.full(60, 0.5), True),
        (np.r_[np.ones(59), 2], True),
        (np.r_[1.0000001, np.ones(59)], True),
        (WEIGHTS, True),
    ],
)
def test_weights_besides_0_and_1_are_remembered(weights, weighted):
    for data in ((Y_TRUE, Y_PRED), (np.c_[Y_TRUE, Y_PRED], np.c_[Y_PRED, Y_TRUE])):
        assert ConfusionMatrix.from_labels(*data, sample_weight=weights).weighted is weighted


def test_every_constructor_remembers_them():
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=1000).fit(X, y)
    curve = threshold_curve(Y_TRUE, SCORES, sample_weight=WEIGHTS)
    of_table = [
        ConfusionMatrix.from_frame(TABLE, "y", "said", sample_weight="w"),
        ConfusionMatrix.from_frame(TABLE, "y", scores="score", by="sex", sample_weight="w"),
    ]
    others = [
        ConfusionMatrix.from_scores(Y_TRUE, SCORES, sample_weight=WEIGHTS),
        ConfusionMatrix.from_estimator(model, X, y, sample_weight=y + 1),
        curve.at(0.5),
        threshold_curves(Y_TRUE, SCORES, pos_label=1, by=SEX, sample_weight=WEIGHTS).at_thresholds(
            [0.5]
        ),
        threshold_curves(Y_TRUE, np.c_[1 - SCORES, SCORES], sample_weight=WEIGHTS).at_thresholds(
            [0.5]
        ),
    ]
    assert [cm.weighted for cm in of_table + others] == [True] * 7
    assert not ConfusionMatrix.from_frame(TABLE, "y", "said", count="w").weighted
    assert not threshold_curve(Y_TRUE, SCORES).at(0.5).weighted
    assert not threshold_curves(Y_TRUE, SCORES, pos_label=1, by=SEX).at_thresholds([0.5]).weighted
    assert not ConfusionMatrix.from_counts(WEIGHTED.counts, labels=[0, 1]).weighted


@pytest.mark.parametrize("by", [None, {"part": np.arange(150) % 2}])
@pytest.mark.parametrize("n_labels", [1, 2])
def test_folds_remember_them_where_they_weigh_the_counts(by, n_labels):
    X, y = load_iris(return_X_y=True)
    y = y if n_labels == 1 else np.c_[y == 0, y == 1].astype(int)
    model = DecisionTreeClassifier(random_state=0)
    params = {"sample_weight": np.arange(150) % 3 + 1}
    assert not cross_val_confusion_matrix(model, X, y, cv=3, by=by).weighted
    # Without routing they are passed only to fit.
    assert not cross_val_confusion_matrix(model, X, y, cv=3, by=by, params=params).weighted
    with sklearn.config_context(enable_metadata_routing=True):
        routed = model.set_fit_request(sample_weight=True)
        found = cross_val_confusion_matrix(routed, X, y, cv=3, by=by, params=params)
    assert found.weighted
    assert found.n_samples.sum() == 300 * n_labels


def test_curves_of_folds_remember_them():
    X, y = load_iris(return_X_y=True)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = DecisionTreeClassifier(random_state=0).set_fit_request(sample_weight=True)
        curves = cross_val_threshold_curves(routed, X, y > 0, cv=3, params={"sample_weight": y + 1})
    assert curves.at_thresholds([0.5]).weighted
    assert curves[0].at(0.5).weighted


def test_what_is_made_of_a_matrix_remembers_them():
    made = [
        WEIGHTED.sum("sex"),
        WEIGHTED.sel(sex="F"),
        WEIGHTED.with_labels([1, 0]),
        WEIGHTED + PLAIN,
        PLAIN + WEIGHTED,
        sum([PLAIN, WEIGHTED, PLAIN]),
        ConfusionMatrix.stack({"a": PLAIN, "b": WEIGHTED}, axis="day"),
        pickle.loads(pickle.dumps(WEIGHTED)),
        ConfusionMatrix.from_dict(json.loads(json.dumps(WEIGHTED.to_dict()))),
    ]
    assert [cm.weighted for cm in made] == [True] * len(made)
    assert not (PLAIN + PLAIN).weighted
    # Equality of two matrices depends only on their counts.
    assert ConfusionMatrix(WEIGHTED.counts, WEIGHTED.labels, WEIGHTED.axes) == WEIGHTED


def test_states_of_before_were_not_weighted():
    state = PLAIN.to_dict()
    del state["weighted"]
    assert ConfusionMatrix.from_dict(state).weighted is False
    with pytest.raises(ValueError, match="'weighted' of state must be True or False; got 'yes'"):
        ConfusionMatrix.from_dict({**state, "weighted": "yes"})


@pytest.mark.parametrize(
    "limits",
    [
        lambda cm: cm.interval("recall"),
        lambda cm: cm.interval("f1_macro", n_resamples=100),
        lambda cm: cm.gap("recall", n_resamples=100),
        lambda cm: cm.score_table(["recall", "mcc"], confidence_level=0.9, n_resamples=100),
        lambda cm: cm.sum("sex").at_prevalence(0.1).interval("precision"),
        lambda cm: classification_report(cm.sum("sex"), confidence_level=0.9, random_state=0),
        lambda cm: plot_intervals(cm, "recall"),
        lambda cm: plot_intervals({"all": cm.sum("sex"), "F": cm.sel(sex="F")}, "recall"),
    ],
    ids=[
        "interval",
        "bootstrap",
        "gap",
        "scores",
        "predictive values",
        "report",
        "plot",
        "plot of several",
    ],
)
def test_limits_of_whole_weights_are_refused(limits):
    with pytest.raises(ValueError, match=SAID):
        limits(WEIGHTED)
    limits(PLAIN)
    limits(ConfusionMatrix(WEIGHTED.counts, WEIGHTED.labels, WEIGHTED.axes, 1))
    frequent = ConfusionMatrix.from_labels(
        Y_TRUE, Y_PRED, sample_weight=WEIGHTS, frequency_weights=True, by={"sex": SEX}
    )
    limits(frequent)


def test_frequency_weights_are_numbers_of_samples():
    many = [np.repeat(side, WEIGHTS) for side in (Y_TRUE, Y_PRED, SCORES)]
    options = {"sample_weight": WEIGHTS, "frequency_weights": True}
    curve, repeated = threshold_curve(Y_TRUE, SCORES, **options), threshold_curve(many[0], many[2])
    made = [
        (
            ConfusionMatrix.from_labels(Y_TRUE, Y_PRED, **options),
            ConfusionMatrix.from_labels(*many[:2]),
        ),
        (
            ConfusionMatrix.from_scores(Y_TRUE, SCORES, **options),
            ConfusionMatrix.from_scores(many[0], many[2]),
        ),
        (curve.at(0.5), repeated.at(0.5)),
    ]
    for one, other in made:
        assert one == other
        assert not one.weighted
        assert one.interval("recall").low == other.interval("recall").low
    assert curve.roc_auc_interval().low == pytest.approx(repeated.roc_auc_interval().low, rel=1e-12)
    both = compare(
        Y_TRUE, {"a": Y_PRED, "b": 1 - Y_PRED}, ["accuracy", "precision"], **options
    ).rows
    expected = compare(many[0], {"a": many[1], "b": 1 - many[1]}, ["accuracy", "precision"]).rows
    for one, other in zip(both, expected, strict=True):
        assert one.method == other.method
        assert one[3:10] == pytest.approx(other[3:10], rel=1e-12)
    for make in (ConfusionMatrix.from_labels, threshold_curve, metric_interval_of_recall):
        with pytest.raises(
            ValueError, match=r"frequency_weights=True treats .* not integers, such as 0\.5"
        ):
            make(Y_TRUE, Y_PRED, sample_weight=WEIGHTS / 2, frequency_weights=True)
        with pytest.raises(ValueError, match="frequency_weights must be True or False; got 'yes'"):
            make(Y_TRUE, Y_PRED, sample_weight=WEIGHTS, frequency_weights="yes")


class OneColumn:
    """A fitted model whose scores are the data."""

    classes_ = np.array([0, 1])

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


def test_curves_of_models_take_frequency_weights():
    many, scores = np.repeat(Y_TRUE, WEIGHTS), np.repeat(SCORES, WEIGHTS)
    X, options = SCORES[:, None], {"sample_weight": WEIGHTS, "frequency_weights": True}
    curve = ThresholdCurve.from_estimator(OneColumn(), X, Y_TRUE, **options)
    expected = threshold_curve(many, scores)
    assert curve.at(0.5) == expected.at(0.5)
    assert not curve.at(0.5).weighted
    interval, of_all = curve.roc_auc_interval(), expected.roc_auc_interval()
    assert (interval.low, interval.high, interval.n) == pytest.approx(
        (of_all.low, of_all.high, WEIGHTS.sum())
    )
    plain = ThresholdCurve.from_estimator(OneColumn(), X, Y_TRUE, sample_weight=WEIGHTS)
    assert plain.at(0.5).weighted
    assert plain.roc_auc_interval().n == len(Y_TRUE)
    with pytest.raises(
        ValueError, match=r"frequency_weights=True treats .* not integers, such as 0\.5"
    ):
        ThresholdCurve.from_estimator(
            OneColumn(), X, Y_TRUE, sample_weight=WEIGHTS / 2, frequency_weights=True
        )


@pytest.mark.parametrize("labels", [None, [1, 2]])
def test_reports_take_frequency_weights(labels):
    random = np.random.default_rng(0)
    true, pred = random.integers(0, 3, (2, 120))
    weights = random.integers(0, 4, 120)
    several = [np.eye(3, dtype=int)[side] for side in (true, pred)]
    for sides in ((true, pred), several) if labels is None else ((true, pred),):
        options = {
            "labels": labels,
            "confidence_level": 0.9,
            "random_state": 0,
            "output_dict": True,
        }
        found = classification_report(
            *sides, sample_weight=weights, frequency_weights=True, **options
        )
        repeated = classification_report(
            *(np.repeat(side, weights, axis=0) for side in sides), **options
        )
        assert found == repeated
    with pytest.raises(ValueError, match=SAID):
        classification_report(true, pred, sample_weight=weights, **options)
    with pytest.raises(
        ValueError, match=r"frequency_weights=True treats .* not integers, such as 0\.5"
    ):
        classification_report(true, pred, sample_weight=weights / 2, frequency_weights=True)
    cm = ConfusionMatrix.from_labels(true, pred)
    with pytest.raises(ValueError, match="replaces y_true, y_pred and sample_weight"):
        classification_report(cm, frequency_weights=True)


def metric_interval_of_recall(y_true, y_pred, **options):
    return metric_interval(y_true, y_pred, "recall", **options)


@pytest.mark.parametrize("bins", [None, 4])
def test_curves_of_tables_remember_a_column_of_weights(bins):
    options = {"pos_label": 1, "bins": bins}
    plain = ThresholdCurve.from_frame(TABLE, "y", "score", **options)
    weighted = ThresholdCurve.from_frame(TABLE, "y", "score", sample_weight="w", **options)
    assert not (plain + plain).at(0.5).weighted
    assert (weighted + pickle.loads(pickle.dumps(weighted))).at(0.5).weighted
    assert (weighted + weighted).at(0.5).counts.sum() == 2 * WEIGHTS.sum()
    with pytest.raises(ValueError, match="make both with the same options"):
        plain + weighted
    with (
        pytest.raises(ValueError, match="with counts only at their edges")
        if bins
        else nullcontext()
    ):
        weighted.at(0.3)


def test_bands_of_whole_weights_are_refused():
    curve = threshold_curve(Y_TRUE, SCORES, sample_weight=WEIGHTS)
    with pytest.raises(ValueError, match=SAID):
        plot_threshold_curve(curve, ["recall", "precision"], confidence_level=0.9)
    frequent = threshold_curve(Y_TRUE, SCORES, sample_weight=WEIGHTS, frequency_weights=True)
    plot_threshold_curve(frequent, "recall", confidence_level=0.9)
    plot_threshold_curve(curve, ["recall", "precision"])
    plot_threshold_curve(threshold_curve(Y_TRUE, SCORES), "recall", confidence_level=0.9)


def test_reports_of_labels_with_weights_say_so_too():
    with pytest.raises(ValueError, match=SAID):
        classification_report(
            Y_TRUE, Y_PRED, sample_weight=WEIGHTS, confidence_level=0.9, random_state=0
        )
    classification_report(Y_TRUE, Y_PRED, sample_weight=WEIGHTS)
    several = np.c_[Y_TRUE, 1 - Y_TRUE], np.c_[Y_PRED, 1 - Y_PRED]
    with pytest.raises(ValueError, match=SAID):
        classification_report(*several, sample_weight=WEIGHTS, confidence_level=0.9, random_state=0)
    classification_report(*several, confidence_level=0.9, random_state=0)
    metric_interval(*several, "hamming_loss", sample_weight=WEIGHTS, random_state=0)
    metric_interval(*several, "recall", average=None, sample_weight=WEIGHTS, frequency_weights=True)


def test_values_and_metric_interval_know_weights():
    assert WEIGHTED.sum("sex").score("recall") == pytest.approx(3 / 6)
    of_numbers = metric_interval(
        Y_TRUE, Y_PRED, "recall", sample_weight=WEIGHTS, frequency_weights=True
    )
    of_weights = metric_interval(Y_TRUE, Y_PRED, "recall", sample_weight=WEIGHTS)
    # 60 samples give less information than 120.
    assert of_weights.high - of_weights.low > 1.3 * (of_numbers.high - of_numbers.low)


def test_the_headline_says_that_it_is_a_weight():
    assert repr(WEIGHTED).startswith("ConfusionMatrix of weight 120 (rows: actual")
    assert repr(PLAIN).startswith("ConfusionMatrix of 60 samples (rows: actual")
    assert "of weight 120 (" in WEIGHTED._repr_html_()
