"""Matrices record what the weights of their samples say of their uncertainty, and use it."""

import json
import pickle
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
import sklearn
from matplotlib import pyplot as plt
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import matthews_corrcoef
from sklearn.tree import DecisionTreeClassifier

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    ThresholdCurves,
    UnreliableIntervalWarning,
    classification_report,
    compare,
    cross_val_confusion_matrix,
    cross_val_threshold_curves,
    metric_interval,
    plot_intervals,
    plot_threshold_curve,
)
from skmetrics_ext.counting.design import WEIGHTS_ALONE, Lost, SampleDesign, Weighted
from tests.variants.sources import Found, mid_p_of_weights

Y_TRUE = np.tile([0, 0, 0, 1, 1, 1], 10)
Y_PRED = np.tile([0, 0, 1, 1, 1, 0], 10)
SCORES = np.tile([0.1, 0.2, 0.7, 0.8, 0.9, 0.3], 10)
WEIGHTS = np.tile([1, 2, 3, 1, 2, 3], 10)
SEX = np.tile(["F", "M"], 30)
# What sums of weights say.
SAID = (
    "is not known, because the counts are sums of sample_weight, and the sums of their squares are "
    "not known: .*from_predictions.* pass frequency_weights=True"
)
WEIGHTED = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, sample_weight=WEIGHTS, by={"sex": SEX})
PLAIN = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, by={"sex": SEX})
TABLE = pl.DataFrame({"y": Y_TRUE, "said": Y_PRED, "score": SCORES, "w": WEIGHTS, "sex": SEX})


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


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
        cm = ConfusionMatrix.from_predictions(*data, sample_weight=weights)
        assert cm._design.are_weights is weighted
        assert isinstance(cm._design, Weighted) is weighted


@pytest.mark.parametrize("n_labels", [1, 2])
def test_moments_of_the_weights_are_known_in_each_cell(n_labels):
    random = np.random.default_rng(1)
    weights = np.round(random.gamma(2, size=60), 3) * (random.random(60) < 0.9)
    sides = np.stack([Y_TRUE, 1 - Y_PRED], 1), np.stack([Y_PRED, random.permutation(Y_TRUE)], 1)
    if n_labels == 1:
        sides = Y_TRUE, Y_PRED
    design = ConfusionMatrix.from_predictions(
        *sides, sample_weight=weights, by={"sex": SEX}
    )._design
    true, pred = (np.reshape(side, (60, n_labels)) for side in sides)
    for sex, label, i, j in np.ndindex(2, n_labels, 2, 2):
        is_there = ("FM"[sex] == SEX) & (true[:, label] == i) & (pred[:, label] == j)
        own, at = weights[is_there], (sex, i, j) if n_labels == 1 else (sex, label, i, j)
        assert design.numbers[at] == np.count_nonzero(own)
        assert design.squares[at] == pytest.approx((own**2).sum(), rel=1e-12)
        assert design.largest[at] == own.max(initial=0)


def test_every_constructor_remembers_them():
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=1000).fit(X, y)
    curve = ThresholdCurve.from_scores(Y_TRUE, SCORES, sample_weight=WEIGHTS)
    of_table = [
        ConfusionMatrix.from_frame(TABLE, "y", "said", sample_weight="w"),
        ConfusionMatrix.from_frame(TABLE, "y", scores="score", by="sex", sample_weight="w"),
    ]
    of_samples = [
        ConfusionMatrix.from_scores(Y_TRUE, SCORES, sample_weight=WEIGHTS),
        ConfusionMatrix.from_estimator(model, X, y, sample_weight=y + 1),
        curve.at(0.5),
        ThresholdCurves.from_scores(
            Y_TRUE, SCORES, pos_label=1, by=SEX, sample_weight=WEIGHTS
        ).at_thresholds([0.5]),
        ThresholdCurves.from_scores(
            Y_TRUE, np.c_[1 - SCORES, SCORES], sample_weight=WEIGHTS
        ).at_thresholds([0.5]),
    ]
    assert [type(cm._design) for cm in of_table + of_samples] == [Weighted] * 7
    assert [cm._design.are_weights for cm in of_table + of_samples] == [True] * 7
    independent = [
        ConfusionMatrix.from_frame(TABLE, "y", "said", count="w"),
        ThresholdCurve.from_scores(Y_TRUE, SCORES).at(0.5),
        ThresholdCurves.from_scores(Y_TRUE, SCORES, pos_label=1, by=SEX).at_thresholds([0.5]),
        ConfusionMatrix.from_counts(WEIGHTED.counts, labels=[0, 1]),
    ]
    assert [type(cm._design) for cm in independent] == [SampleDesign] * 4


def test_every_constructor_of_samples_knows_the_same_of_them():
    """Scores reach a threshold where these predictions are positive."""
    options = {"sample_weight": WEIGHTS, "by": {"sex": SEX}}
    curves = ThresholdCurves.from_scores(Y_TRUE, SCORES, pos_label=1, by=SEX, sample_weight=WEIGHTS)
    several = ThresholdCurves.from_scores(Y_TRUE, np.c_[1 - SCORES, SCORES], sample_weight=WEIGHTS)
    pooled = WEIGHTED.sum("sex")
    curve = ThresholdCurve.from_scores(Y_TRUE, SCORES, sample_weight=WEIGHTS)
    negative = ThresholdCurve.from_scores(Y_TRUE, 1 - SCORES, pos_label=0, sample_weight=WEIGHTS)
    model, X = OneColumn(), SCORES[:, None]
    alike = [
        (ConfusionMatrix.from_scores(Y_TRUE, SCORES, **options), WEIGHTED),
        (ConfusionMatrix.from_estimator(model, X, Y_TRUE, threshold=0.5, **options), WEIGHTED),
        (curves.at_thresholds([0.2, 0.5]).sel(threshold=0.5), WEIGHTED),
        (curve.at(0.5), pooled),
        (negative.at(0.5), pooled),
        (several[1].at(0.5), pooled),
        (several.at_thresholds([0.5]).sel(threshold=0.5, **{"class": 1}), pooled),
    ]
    for found, expected in alike:
        np.testing.assert_array_equal(found.counts, expected.counts)
        for moment in ("numbers", "squares", "largest"):
            of_both = (getattr(cm._design, moment) for cm in (found, expected))
            np.testing.assert_array_equal(*of_both, err_msg=moment)


@pytest.mark.parametrize("by", [None, {"part": np.arange(150) % 2}])
@pytest.mark.parametrize("n_labels", [1, 2])
def test_folds_remember_them_where_they_weigh_the_counts(by, n_labels):
    X, y = load_iris(return_X_y=True)
    y = y if n_labels == 1 else np.c_[y == 0, y == 1].astype(int)
    model = DecisionTreeClassifier(random_state=0)
    params = {"sample_weight": np.arange(150) % 3 + 1}
    plain = cross_val_confusion_matrix(model, X, y, cv=3, by=by)
    assert type(plain._design) is SampleDesign
    # Without routing they are passed only to fit.
    fitted = cross_val_confusion_matrix(model, X, y, cv=3, by=by, params=params)
    assert type(fitted._design) is SampleDesign
    with sklearn.config_context(enable_metadata_routing=True):
        routed = model.set_fit_request(sample_weight=True)
        found = cross_val_confusion_matrix(routed, X, y, cv=3, by=by, params=params)
    assert isinstance(found._design, Weighted)
    assert found.n_samples.sum() == 300 * n_labels
    assert found._design.numbers.sum() == 150 * n_labels
    assert found._design.squares.sum() == pytest.approx(n_labels * (1 + 4 + 9) * 50)


def test_curves_of_folds_remember_them():
    X, y = load_iris(return_X_y=True)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = DecisionTreeClassifier(random_state=0).set_fit_request(sample_weight=True)
        curves = cross_val_threshold_curves(routed, X, y > 0, cv=3, params={"sample_weight": y + 1})
    for cm in (curves.at_thresholds([0.5]).sel(fold=0, threshold=0.5), curves[0].at(0.5)):
        assert isinstance(cm._design, Weighted)
        assert cm._design.squares.sum() > cm.counts.sum() > cm._design.numbers.sum()


def numbers_of(interval):
    return [interval.value, interval.low, interval.high]


def moments_of(cm):
    """Those of the design, which must be one of weights, and how it was made."""
    design = cm._design
    assert isinstance(design, Weighted)
    moments = {name: getattr(design, name).tolist() for name in ("numbers", "squares", "largest")}
    return {**moments, "about": (design.repeats, design.folds, design.shared)}


def twice(weights, **options):
    """All samples twice, the second time without weights."""
    sides = (np.tile(of, 2) for of in (Y_TRUE, Y_PRED))
    both = np.r_[weights, np.ones(60, dtype=np.int64)]
    by = {name: np.tile(of, 2) for name, of in options.pop("by", {"sex": SEX}).items()}
    return ConfusionMatrix.from_predictions(*sides, sample_weight=both, by=by, **options)


OF_WEIGHTS = {"sample_weight": WEIGHTS}
IN_F = SEX == "F"
# What is made of matrices, and the same samples counted at once.
MADE = {
    "sum": (
        lambda: WEIGHTED.sum("sex"),
        lambda: ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, **OF_WEIGHTS),
    ),
    "entry": (
        lambda: WEIGHTED.sel(sex="F"),
        lambda: ConfusionMatrix.from_predictions(
            Y_TRUE[IN_F], Y_PRED[IN_F], sample_weight=WEIGHTS[IN_F]
        ),
    ),
    "labels": (
        lambda: WEIGHTED.with_labels([1, 0]),
        lambda: ConfusionMatrix.from_predictions(
            Y_TRUE, Y_PRED, labels=[1, 0], by={"sex": SEX}, **OF_WEIGHTS
        ),
    ),
    "further labels": (
        lambda: WEIGHTED.with_labels([2, 1, 0]),
        lambda: ConfusionMatrix.from_predictions(
            Y_TRUE, Y_PRED, labels=[2, 1, 0], by={"sex": SEX}, **OF_WEIGHTS
        ),
    ),
    "sum with one without": (lambda: WEIGHTED + PLAIN, lambda: twice(WEIGHTS)),
    "sum of one without": (lambda: PLAIN + WEIGHTED, lambda: twice(WEIGHTS)),
    "sum of several": (
        lambda: sum([PLAIN.sel(sex="F"), WEIGHTED.sum("sex"), PLAIN.sel(sex="M")]),
        lambda: twice(WEIGHTS).sum("sex"),
    ),
    "further samples": (
        lambda: PLAIN.sum("sex").add(Y_TRUE, Y_PRED, sample_weight=WEIGHTS),
        lambda: twice(WEIGHTS).sum("sex"),
    ),
    "stack": (
        lambda: ConfusionMatrix.stack({"a": PLAIN, "b": WEIGHTED}, axis="day").sel(day="b"),
        lambda: WEIGHTED,
    ),
    "stack of all": (
        lambda: ConfusionMatrix.stack({"a": PLAIN, "b": WEIGHTED}, axis="day").sum("day"),
        lambda: twice(WEIGHTS),
    ),
    "pickle": (lambda: pickle.loads(pickle.dumps(WEIGHTED)), lambda: WEIGHTED),
    "json": (
        lambda: ConfusionMatrix.from_dict(json.loads(json.dumps(WEIGHTED.to_dict()))),
        lambda: WEIGHTED,
    ),
    "replace": (lambda: replace(WEIGHTED, pos_label=1), lambda: WEIGHTED),
}


def recall_of_each(cm):
    """That of every class, with its limits."""
    return cm.interval("recall", average=None, zero_division=np.nan)


@pytest.mark.parametrize(("made", "at_once"), MADE.values(), ids=MADE)
def test_what_is_made_of_a_matrix_remembers_them(made, at_once):
    made, at_once = made(), at_once()
    assert moments_of(made) == moments_of(at_once)
    assert made == at_once
    found, expected = (numbers_of(recall_of_each(cm)) for cm in (made, at_once))
    np.testing.assert_array_equal(found, expected)


def test_samples_without_weights_stay_without():
    assert type((PLAIN + PLAIN)._design) is SampleDesign
    both = ConfusionMatrix.stack({"a": PLAIN, "b": WEIGHTED}, axis="day")
    assert (
        both.sel(day="a").interval("recall").low.tolist() == PLAIN.interval("recall").low.tolist()
    )
    # Equality of two matrices depends only on their counts.
    assert ConfusionMatrix(WEIGHTED.counts, WEIGHTED.labels, WEIGHTED.axes) == WEIGHTED


def limits_of_report(cm):
    """Of a class, of an average and of all classes."""
    found = classification_report(
        cm.sum("sex"), confidence_level=0.9, random_state=0, output_dict=True
    )
    ends = ("", "_low", "_high")
    of_classes = [found[row][f"precision{end}"] for row in ("1", "macro avg") for end in ends]
    return [*of_classes, *(found[f"accuracy{end}"] for end in ends)]


def drawn_limits(matrices):
    """The values and the ends of their whiskers."""
    drawn = plot_intervals(matrices, "recall")
    whiskers = [segment[:, 0].tolist() for segment in drawn.whiskers_.get_segments()]
    return [*drawn.dots_.get_xdata(), *np.ravel(whiskers)]


LIMITS = {
    "interval": lambda cm: numbers_of(cm.interval("recall")),
    "exact": lambda cm: numbers_of(cm.interval("recall", method="korn-graubard")),
    "all classes": lambda cm: numbers_of(cm.interval("accuracy")),
    "of each class": lambda cm: numbers_of(cm.interval("f1", average=None)),
    "bootstrap": lambda cm: numbers_of(
        cm.interval("mcc", method="smoothed-bootstrap", n_resamples=200, random_state=0)
    ),
    "gap": lambda cm: [*numbers_of(gap := cm.gap("precision", random_state=0)), gap.p_value],
    "summary": lambda cm: numbers_of(
        cm.summary(["recall", "mcc"], confidence_level=0.9, n_resamples=200)
    ),
    "at a prevalence": lambda cm: numbers_of(cm.at_prevalence([0.1, 0.4]).interval("precision")),
}
# A test below compares them with intervals.
LIMITS_SHOWN = {
    "report": limits_of_report,
    "plot": drawn_limits,
    "plot of several": lambda cm: drawn_limits({"all": cm.sum("sex"), "F": cm.sel(sex="F")}),
}


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_equal_weights_say_no_more_than_numbers_of_samples(limits):
    by = {"sex": SEX}
    expected = limits(PLAIN)
    for weights in (np.full(60, 0.3), np.full(60, 7)):
        equal = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, sample_weight=weights, by=by)
        assert isinstance(equal._design, Weighted)
        np.testing.assert_allclose(limits(equal), expected, rtol=1e-10)
    # With weights of their own, both sexes have equal ones.
    of_each = ConfusionMatrix.from_predictions(
        Y_TRUE, Y_PRED, sample_weight=np.where(IN_F, 2, 0.5), by=by
    )
    for sex in ("F", "M"):
        found, alone = (numbers_of(cm.sel(sex=sex).interval("recall")) for cm in (of_each, PLAIN))
        assert found == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_frequency_weights_give_limits_of_so_many_samples(limits):
    by = {"sex": SEX}
    frequent = ConfusionMatrix.from_predictions(
        Y_TRUE, Y_PRED, sample_weight=WEIGHTS, frequency_weights=True, by=by
    )
    given = ConfusionMatrix(WEIGHTED.counts, WEIGHTED.labels, WEIGHTED.axes, 1)
    expected = limits(given)
    np.testing.assert_array_equal(limits(frequent), expected)
    # These are other limits than those of sampling weights.
    assert not np.allclose(limits(WEIGHTED), expected, rtol=1e-3)


@pytest.mark.parametrize("limits", (LIMITS | LIMITS_SHOWN).values(), ids=LIMITS | LIMITS_SHOWN)
def test_sums_of_weights_have_values_alone(limits):
    sums = replace(WEIGHTED, _design=Lost(why=WEIGHTS_ALONE))
    assert sums == WEIGHTED
    if limits is LIMITS["summary"]:
        with pytest.warns(UnreliableIntervalWarning, match=SAID):
            assert np.isnan(limits(sums)[1:]).all()
        return
    # Its prevalence was changed of counts that tell as little.
    with pytest.raises(ValueError, match=f"{SAID}|values"):
        limits(sums)
    assert sums.score("recall").tolist() == WEIGHTED.score("recall").tolist()


def test_tables_of_weights_know_the_same_of_them():
    of_table = ConfusionMatrix.from_frame(TABLE, "y", "said", by="sex", sample_weight="w")
    assert of_table == WEIGHTED
    for moment in ("numbers", "squares", "largest"):
        of_both = (getattr(cm._design, moment) for cm in (of_table, WEIGHTED))
        np.testing.assert_array_equal(*of_both, err_msg=moment)


def test_the_micro_average_is_the_accuracy():
    options = {"confidence_level": 0.9, "random_state": 0}
    for cm in (
        WEIGHTED,
        ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, clusters=np.arange(60) // 3),
    ):
        expected = numbers_of(cm.interval("accuracy", **options))
        for metric in ("precision", "recall"):
            found = numbers_of(cm.interval(metric, average="micro", **options))
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_limits_of_a_share_are_those_of_the_ratio_estimator():
    """With 100 or more hits and misses their mean weights are those of the sample."""
    random = np.random.default_rng(2)
    y_true, y_pred = random.integers(0, 2, (2, 3000))
    weights, day = random.gamma(2, size=3000), np.arange(3000) % 2
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=weights, by={"day": day})
    found = np.transpose(numbers_of(cm.interval("recall")))
    for k in range(2):
        is_own = (day == k) & (y_true == 1)
        expected = mid_p_of_weights(Found(y_pred[is_own], weights[is_own], 1500))
        assert found[k] == pytest.approx(expected, rel=1e-12)
        assert numbers_of(cm.sel(day=k).interval("recall")) == pytest.approx(expected, rel=1e-12)
    is_positive = y_true == 1
    expected = mid_p_of_weights(Found(y_pred[is_positive], weights[is_positive], 3000))
    assert numbers_of(cm.sum("day").interval("recall")) == pytest.approx(expected, rel=1e-12)
    one = cm.sum("day").interval("recall")
    assert (one.n, one.method) == (is_positive.sum(), "mid-P")


@pytest.mark.parametrize(
    "metric", ["recall", "f1", "accuracy", "plr", "cohen_kappa", "recall_macro"]
)
def test_limits_are_those_of_the_samples(metric):
    options = {"random_state": 0, "confidence_level": 0.9}
    given = {**options, "sample_weight": WEIGHTS}
    assert WEIGHTED.interval(metric, **options) == metric_interval(
        Y_TRUE, Y_PRED, metric, by={"sex": SEX}, **given
    )
    assert WEIGHTED.sum("sex").interval(metric, **options) == metric_interval(
        Y_TRUE, Y_PRED, metric, **given
    )
    alone = metric_interval(
        Y_TRUE[IN_F], Y_PRED[IN_F], metric, **{**given, "sample_weight": WEIGHTS[IN_F]}
    )
    assert numbers_of(WEIGHTED.sel(sex="F").interval(metric, **options)) == pytest.approx(
        numbers_of(alone), rel=1e-12
    )
    by_entry = np.transpose(numbers_of(WEIGHTED.interval(metric, **options)))
    assert by_entry[0] == pytest.approx(numbers_of(alone), rel=1e-6)
    # Twice the weights are the same weights.
    doubled = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, sample_weight=WEIGHTS * 2.5)
    assert numbers_of(doubled.interval(metric, **options)) == pytest.approx(
        numbers_of(WEIGHTED.sum("sex").interval(metric, **options)), rel=1e-10
    )


def test_weights_of_whole_classes_are_those_of_another_prevalence():
    weights = np.where(Y_TRUE == 1, 0.5, 4)
    cm = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, sample_weight=weights)
    plain = PLAIN.sum("sex")
    for metric in ("recall", "precision", "accuracy"):
        options = {"n_resamples": 200, "random_state": 0}
        expected = numbers_of(plain.at_prevalence(1 / 9).interval(metric, **options))
        assert numbers_of(cm.interval(metric, **options)) == pytest.approx(expected, rel=1e-12)
        # At a prevalence of its own, they have no influence.
        expected = numbers_of(plain.at_prevalence(0.3).interval(metric, **options))
        found = numbers_of(cm.at_prevalence(0.3).interval(metric, **options))
        assert found == pytest.approx(expected, rel=1e-12)


def test_tables_reports_and_plots_have_the_limits_of_intervals():
    found = WEIGHTED.summary(["precision", "f1"])
    for row, metric in enumerate(("precision", "f1")):
        interval = WEIGHTED.interval(metric)
        limits = [found.value[:, row], found.low[:, row], found.high[:, row]]
        np.testing.assert_allclose(limits, numbers_of(interval), rtol=1e-12)
    pooled, options = WEIGHTED.sum("sex"), {"confidence_level": 0.9, "random_state": 0}
    asked = ({"pos_label": 1}, {"average": "macro"})
    expected = [numbers_of(pooled.interval("precision", **of, **options)) for of in asked]
    expected.append(numbers_of(pooled.interval("accuracy", **options)))
    np.testing.assert_allclose(limits_of_report(WEIGHTED), np.ravel(expected), rtol=1e-10)
    interval = WEIGHTED.interval("recall")
    ends = np.stack([interval.low, interval.high], 1).ravel()
    assert drawn_limits(WEIGHTED) == pytest.approx([*interval.value, *ends], rel=1e-12)


def test_labels_of_weighted_samples_have_limits():
    several = np.c_[Y_TRUE, 1 - Y_TRUE], np.c_[Y_PRED, Y_PRED]
    cm = ConfusionMatrix.from_predictions(*several, sample_weight=WEIGHTS)
    found = np.transpose(numbers_of(cm.interval("recall")))
    for k in range(2):
        sides = (side[:, k] for side in several)
        alone = metric_interval(*sides, "recall", sample_weight=WEIGHTS)
        assert found[k] == pytest.approx(numbers_of(alone), rel=1e-12)
    with pytest.raises(ValueError, match=r"each sample is counted 2 times, since .*with sel\(\)"):
        cm.sum("label").interval("recall")


@pytest.mark.filterwarnings("ignore:y_score holds only the labels")
def test_frequency_weights_are_numbers_of_samples():
    many = [np.repeat(side, WEIGHTS) for side in (Y_TRUE, Y_PRED, SCORES)]
    options = {"sample_weight": WEIGHTS, "frequency_weights": True}
    curve, repeated = (
        ThresholdCurve.from_scores(Y_TRUE, SCORES, **options),
        ThresholdCurve.from_scores(many[0], many[2]),
    )
    made = [
        (
            ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, **options),
            ConfusionMatrix.from_predictions(*many[:2]),
        ),
        (
            ConfusionMatrix.from_scores(Y_TRUE, SCORES, **options),
            ConfusionMatrix.from_scores(many[0], many[2]),
        ),
        (curve.at(0.5), repeated.at(0.5)),
    ]
    for one, other in made:
        assert one == other
        assert type(one._design) is SampleDesign
        assert one.interval("recall").low == other.interval("recall").low
    assert curve.interval("roc_auc").low == pytest.approx(
        repeated.interval("roc_auc").low, rel=1e-12
    )
    both = compare(
        Y_TRUE, {"a": Y_PRED, "b": 1 - Y_PRED}, ["accuracy", "precision"], **options
    ).rows
    expected = compare(many[0], {"a": many[1], "b": 1 - many[1]}, ["accuracy", "precision"]).rows
    for one, other in zip(both, expected, strict=True):
        assert one.method == other.method
        assert one[3:10] == pytest.approx(other[3:10], rel=1e-12)
    for make in (
        ConfusionMatrix.from_predictions,
        ThresholdCurve.from_scores,
        metric_interval_of_recall,
    ):
        with pytest.raises(ValueError, match="treats"):
            make(Y_TRUE, Y_PRED, sample_weight=WEIGHTS / 2, frequency_weights=True)
        with pytest.raises(ValueError, match=r"True or False.*'yes'"):
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
    expected = ThresholdCurve.from_scores(many, scores)
    assert curve.at(0.5) == expected.at(0.5)
    assert type(curve.at(0.5)._design) is SampleDesign
    interval, of_all = curve.interval("roc_auc"), expected.interval("roc_auc")
    assert (interval.low, interval.high, interval.n) == pytest.approx(
        (of_all.low, of_all.high, WEIGHTS.sum())
    )
    plain = ThresholdCurve.from_estimator(OneColumn(), X, Y_TRUE, sample_weight=WEIGHTS)
    assert isinstance(plain.at(0.5)._design, Weighted)
    assert plain.interval("roc_auc").n == len(Y_TRUE)
    with pytest.raises(ValueError, match="treats"):
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
    with pytest.raises(ValueError, match="treats"):
        classification_report(true, pred, sample_weight=weights / 2, frequency_weights=True)
    cm = ConfusionMatrix.from_predictions(true, pred)
    with pytest.raises(ValueError, match="replaces y_true, y_pred and sample_weight"):
        classification_report(cm, frequency_weights=True)


def metric_interval_of_recall(y_true, y_pred, **options):
    return metric_interval(y_true, y_pred, "recall", **options)


@pytest.mark.parametrize("bins", [None, 4])
def test_curves_of_tables_remember_a_column_of_weights(bins):
    options = {"pos_label": 1, "bins": bins}
    plain = ThresholdCurve.from_frame(TABLE, "y", "score", **options)
    weighted = ThresholdCurve.from_frame(TABLE, "y", "score", sample_weight="w", **options)
    assert type((plain + plain).at(0.5)._design) is SampleDesign
    both = weighted + pickle.loads(pickle.dumps(weighted))
    assert isinstance(both.at(0.5)._design, Lost)
    assert both.at(0.5).counts.sum() == 2 * WEIGHTS.sum()
    with pytest.raises(ValueError, match="make both with the same options"):
        plain + weighted
    with pytest.raises(ValueError, match="counts only") if bins else nullcontext():
        weighted.at(0.3)


def test_bands_of_weights_need_the_samples():
    """tests/plotting/test_bands.py compares them with the limits at each threshold."""
    options = {"confidence_level": 0.9}
    of_table = ThresholdCurve.from_frame(
        TABLE, "y", "score", pos_label=1, bins=4, sample_weight="w"
    )
    with pytest.raises(ValueError, match=SAID):
        plot_threshold_curve(of_table, "recall", **options)
    plot_threshold_curve(of_table, "recall")
    curves = [
        ThresholdCurve.from_scores(
            Y_TRUE, SCORES, sample_weight=WEIGHTS, frequency_weights=is_number
        )
        for is_number in (False, True)
    ]
    for curve in [*curves, ThresholdCurve.from_scores(Y_TRUE, SCORES)]:
        assert plot_threshold_curve(curve, "recall", **options).bands_["recall"].get_paths()


def test_reports_of_labels_have_the_limits_of_their_weights():
    options = {"confidence_level": 0.9, "random_state": 0, "output_dict": True}
    pooled = WEIGHTED.sum("sex")
    found = classification_report(Y_TRUE, Y_PRED, sample_weight=WEIGHTS, **options)
    expected = classification_report(pooled, **options)
    for row in found.keys() - {"macro avg", "weighted avg"}:
        assert found[row] == pytest.approx(expected[row], rel=1e-12)
    several = np.c_[Y_TRUE, 1 - Y_TRUE], np.c_[Y_PRED, 1 - Y_PRED]
    found = classification_report(*several, sample_weight=WEIGHTS, **options)
    for k in range(2):
        sides = (side[:, k] for side in several)
        interval = metric_interval(*sides, "precision", sample_weight=WEIGHTS, confidence_level=0.9)
        row = [found[str(k)][name] for name in ("precision", "precision_low", "precision_high")]
        assert row == pytest.approx(numbers_of(interval), rel=1e-12)
    # The labels of a sample are not independent.
    assert np.isnan(found["macro avg"]["precision_low"])
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


def delta_of_mcc(y_true, y_pred, weights):
    """Artanh of scikit-learn's coefficient, t and derivatives by the weight of a sample."""
    step, value, slopes = 1e-5, matthews_corrcoef(y_true, y_pred, sample_weight=weights), []
    for cell in range(4):
        own = step * (np.arange(len(weights)) == np.argmax(2 * y_true + y_pred == cell))
        ends = [matthews_corrcoef(y_true, y_pred, sample_weight=weights + d) for d in (own, -own)]
        slopes.append((ends[0] - ends[1]) / (2 * step))
    moves = weights * np.array(slopes)[2 * y_true + y_pred]
    n = weights.sum() ** 2 / (weights**2).sum()
    reach = stats.t.isf(0.025, n - 1) * np.sqrt((moves**2).sum()) / (1 - value**2)
    return np.tanh(np.arctanh(value) + np.array([-reach, reach]))


def test_limits_are_no_nearer_than_without_the_samples_that_are_added():
    """These move the value of few errors towards 0, and hide how far heavy ones reach."""
    y_true = np.repeat([0, 1], 110)
    y_pred = np.where(np.arange(220) % 110 < 3, 1 - y_true, y_true)
    for heavy, ends in ((10, [0, 1]), (3, [1])):
        weights = np.where(y_true != y_pred, heavy, 1) + np.arange(220) % 2 * 0.1
        found = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=weights).interval(
            "mcc"
        )
        expected = delta_of_mcc(y_true, y_pred, weights)
        limits = np.array([found.low, found.high])
        np.testing.assert_allclose(limits[ends], expected[ends], rtol=1e-7)
        assert found.low <= expected[0] * (1 + 1e-7)


def test_few_heavy_samples_of_a_class_are_a_caveat():
    """60 positives, of which three have nearly all of the weight: Kish's number is about 3."""
    y_true = np.repeat([0, 1], [300, 60])
    y_pred = np.where(np.arange(360) % 7 == 0, 1 - y_true, y_true)
    weights = np.ones(360)
    weights[[302, 310, 320]] = 500
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, sample_weight=weights)
    with pytest.warns(UserWarning, match=r"mcc is based on an effective number of 3\.2"):
        found = cm.interval("mcc")
    assert [caveat.code for caveat in found.caveats] == ["unequal_weights"]
    # Of a proportion the effective number is in the limits.
    assert not cm.interval("recall").caveats


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("is_actual", [True, False])
def test_few_heavy_samples_of_either_class_actual_or_predicted_are_a_caveat(label, is_actual):
    """A weight of 6 beside nine of 1 is an effective number of 5, enough; beside eight 4.5."""
    for n, said in ((10, []), (9, ["unequal_weights"])):
        of_class = np.repeat([label, 1 - label], [n, 400])
        other = np.where(np.arange(400 + n) % 2 == 0, label, 1 - label)
        weights = np.r_[6, np.ones(n - 1), np.tile([1.0, 1.5], 200)]
        sides = (of_class, other) if is_actual else (other, of_class)
        cm = ConfusionMatrix.from_predictions(*sides, sample_weight=weights)
        codes = [caveat.code for caveat in cm.interval("mcc").caveats]
        assert [code for code in codes if code == "unequal_weights"] == said


@pytest.mark.parametrize("number", [99, 100])
def test_fewer_than_100_samples_weigh_no_less_than_those_like_them(number):
    """Light misses beside heavy hits with the same prediction, of another class."""
    cells = [(0, 0, 300, 9.0), (0, 1, 200, 1.0), (1, 0, number, 1.0), (1, 1, 400, 1.0)]
    true, pred, weights = (
        np.concatenate([np.full(n, part) for *of, n, w in cells for part in [(*of, w)[k]]])
        for k in range(3)
    )
    weights += np.arange(len(weights)) % 2 * 0.1
    found = ConfusionMatrix.from_predictions(true, pred, sample_weight=weights).interval("recall")
    of_positives = true == 1
    own = mid_p_of_weights(Found(pred[of_positives], weights[of_positives], len(true)))
    assert (found.low == pytest.approx(own[1], rel=1e-9)) == (number == 100)
    assert found.low <= own[1] * (1 + 1e-9)
