"""Thresholds and scores on one scale: what no probability reaches, or every one, is refused, and
one of probabilities that meets other scores warned of.
"""

import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import LeaveOneOut, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ProbabilityClassifier,
    ThresholdCurve,
    ThresholdCurves,
    cross_val_confusion_matrix,
    get_scorer,
    labels_from_scores,
    plot_roc,
)
from skmetrics_ext.adapter.scale import FEW_DIGITS
from tests.doubles import Answering

TRUE = [0, 1, 1]
SHARES = np.array([0.2, 0.7, 1.0])
ROWS = np.stack([1 - SHARES, SHARES], axis=1)
TAGS = [[1, 0], [0, 1], [1, 1]]

NONE_REACHES_IT = (
    r"threshold(=|s holds )95, but (the scores are probabilities|all scores are from 0 to 1), so "
    "none reaches it: pass a number from 0 to 1, or infinity if none should"
)
ALL_REACH_IT = (
    r"threshold(=|s holds )-0\.1, but (the scores are probabilities|all scores are from 0 to 1), "
    "so all reach it: pass a number from 0 to 1, or -infinity if all should"
)
LOOKS_LIKE_ONE = r"threshold=0\.4 looks like a probability, but there are scores below 0 or above 1"


@pytest.fixture(scope="module")
def tumors():
    """Standardized, so that models converge at once."""
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def of_frame(scores, threshold):
    """Of a column of scores, or of one per class."""
    columns = {f"p{k}": column for k, column in enumerate(scores.T)} if scores.ndim == 2 else {}
    frame = pl.DataFrame({"y": TRUE, "p": SHARES, **(columns or {"p": scores})})
    of = dict(enumerate(columns)) if columns else "p"
    return ConfusionMatrix.from_frame(frame, "y", scores=of, threshold=threshold)


def of_estimator(threshold, classes=None, **answers):
    model = Answering(classes=classes, **answers)
    return ConfusionMatrix.from_estimator(model, ROWS, TRUE, threshold=threshold)


def of_picture(scores, threshold):
    ax = Figure().subplots()
    return plot_roc(ThresholdCurve.from_scores(TRUE, scores), threshold=threshold, ax=ax)


ONE_COLUMN = {
    "labels": lambda s, t: labels_from_scores(s, threshold=t),
    "from_scores": lambda s, t: ConfusionMatrix.from_scores(TRUE, s, threshold=t),
    "of the first class": lambda s, t: ConfusionMatrix.from_scores(
        TRUE, s, threshold=t, pos_label=0
    ),
    "from_frame": of_frame,
    "from_estimator": lambda s, t: of_estimator(t, predict=s),
    "scorer": lambda s, t: ConfusionScorer("recall", threshold=t)(Answering(s), ROWS, TRUE),
    "curve": lambda s, t: ThresholdCurve.from_scores(TRUE, s).at(t),
    "curve of a group": lambda s, t: ThresholdCurves.from_scores(TRUE, s, by=["a"] * 3)["a"].at(t),
    "curve at one": lambda s, t: ThresholdCurve.from_scores(TRUE, s, thresholds=[t]),
    "curve of an estimator": lambda s, t: ThresholdCurve.from_estimator(
        Answering(s), ROWS, TRUE, thresholds=[t]
    ),
    "curves at one": lambda s, t: ThresholdCurves.from_scores(
        TRUE, s, by=["a", "b", "b"]
    ).at_thresholds([t]),
    "picture": of_picture,
    "several labels": lambda s, t: ConfusionMatrix.from_scores(
        TAGS, np.stack([s, s], axis=1), threshold=t
    ),
    "labels of several": lambda s, t: labels_from_scores(
        np.stack([s, s], axis=1), threshold=t, multilabel=True
    ),
}
TWO_COLUMNS = {
    "two columns": lambda s, t: labels_from_scores(s, threshold=t, pos_label=1),
    "from_scores, two columns": lambda s, t: ConfusionMatrix.from_scores(TRUE, s, threshold=t),
    "one-hot": lambda s, t: ConfusionMatrix.from_scores([[1, 0], [0, 1], [0, 1]], s, threshold=t),
    "softmax": lambda s, t: of_estimator(t, predict=s, classes=[0, 1]),
    "from_frame, two columns": of_frame,
    "curve of a column": lambda s, t: ThresholdCurve.from_scores(TRUE, s).at(t),
    "two columns per label": lambda s, t: labels_from_scores([s, s], threshold=t),
}
DOORS = [
    *(pytest.param(use, SHARES, id=name) for name, use in ONE_COLUMN.items()),
    *(pytest.param(use, ROWS, id=name) for name, use in TWO_COLUMNS.items()),
]


@pytest.mark.parametrize(("use", "scores"), DOORS)
def test_a_threshold_outside_of_0_and_1_is_refused_for_scores_inside(use, scores):
    with pytest.raises(ValueError, match=NONE_REACHES_IT):
        use(scores, 95)
    with pytest.raises(ValueError, match=ALL_REACH_IT):
        use(scores, -0.1)
    for possible in (0, 0.4):
        use(scores, possible)
    for possible in (1, np.inf, -np.inf):
        use(scores.astype(np.float32), possible)


@pytest.mark.parametrize(("use", "scores"), DOORS)
def test_a_threshold_that_looks_like_a_probability_deserves_a_word_for_scores_outside(use, scores):
    for others, possible in ((scores * 100, (0, np.inf)), (scores * 7 - 3, (1, -0.1))):
        with pytest.warns(UserWarning, match=LOOKS_LIKE_ONE) as caught:
            use(others, 0.4)
        assert len(caught) == 1
        for threshold in possible:
            use(others, threshold)


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda t: of_estimator(t, predict_proba=SHARES), id="one column"),
        pytest.param(lambda t: of_estimator(t, predict_proba=ROWS, classes=[0, 1]), id="two"),
        pytest.param(
            lambda t: of_estimator(t, decision_function=ROWS, classes=[0, 1]),
            id="a softmax called decision_function",
        ),
        pytest.param(
            lambda t: (
                ProbabilityClassifier(LinearRegression(), threshold=t).fit(ROWS, TRUE).predict(ROWS)
            ),
            id="ProbabilityClassifier",
        ),
        pytest.param(
            lambda t: ConfusionScorer("recall", threshold=t, response_method="predict_proba"),
            id="known when made",
        ),
        pytest.param(
            lambda t: get_scorer("evaluation_index", threshold=t, response_method="predict_proba"),
            id="known when made, of a matrix",
        ),
    ],
)
def test_probabilities_of_models_have_thresholds_from_0_to_1_or_infinity(use):
    with pytest.raises(ValueError, match=NONE_REACHES_IT):
        use(95)
    with pytest.raises(ValueError, match=ALL_REACH_IT):
        use(-0.1)
    for possible in (0, 1, np.inf, -np.inf):
        use(possible)


def test_percent_of_a_model_are_refused(tumors):
    X, y = tumors
    model = LogisticRegression().fit(X, y)
    for threshold, shown in [(95, "95"), (np.nextafter(1, 2), r"1\.0000000000000002")]:
        with pytest.raises(
            ValueError, match=rf"threshold={shown}, .*response_method='decision_function'"
        ):
            get_scorer("specificity", threshold=threshold)(model, X, y)
    decisions = model.decision_function(X)
    at_3 = get_scorer("specificity", threshold=3, response_method="decision_function")(model, X, y)
    assert at_3 == pytest.approx((decisions < 3)[y == 0].mean(), abs=1e-15)
    tags = np.stack([y, 1 - y], axis=1)
    with pytest.raises(ValueError, match=NONE_REACHES_IT):
        ConfusionMatrix.from_estimator(
            OneVsRestClassifier(model).fit(X, tags), X, tags, threshold=95
        )


def test_one_of_several_thresholds_that_no_probability_reaches_is_refused():
    scores = np.stack([SHARES, SHARES], axis=1)
    for threshold in ([0.5, 95], {0: 0.5, 1: 95}):
        with pytest.raises(ValueError, match=NONE_REACHES_IT):
            ConfusionMatrix.from_scores(TAGS, scores, threshold=threshold)
    # Thresholds of several labels, and the points of a curve, may lie between 0 and 1 by chance.
    for threshold in ([0.5, np.inf], [0.5, 0.4]):
        ConfusionMatrix.from_scores(TAGS, scores * 2 - 1, threshold=threshold)
    with pytest.raises(ValueError, match=NONE_REACHES_IT):
        ThresholdCurve.from_scores(TRUE, SHARES, thresholds=[0.5, 95])
    ThresholdCurve.from_scores(TRUE, SHARES * 2 - 1, thresholds=[0.5, 0.4])


def test_thresholds_that_divide_may_be_any():
    # .8 / 30 > .2 / 95, .3 / 30 > .7 / 95
    assert labels_from_scores(ROWS, threshold=[30, 95]).tolist() == [0, 0, 1]


def test_rounding_makes_no_other_scale():
    scores = np.array([-1e-17, 0.3, 1 + 1e-7])
    assert labels_from_scores(scores, threshold=0.2).tolist() == [0, 1, 1]
    with pytest.raises(ValueError, match=NONE_REACHES_IT):
        labels_from_scores(scores, threshold=95)
    # A threshold between two scores, or at the last one, however these are rounded.
    for threshold in (1 + 1e-8, scores[2], scores[0]):
        reached = scores >= threshold
        assert labels_from_scores(scores, threshold=threshold).tolist() == reached.tolist()
    curve = ThresholdCurve.from_scores([0, 0, 1], scores, ties="negative")
    nothing = curve.best("specificity").threshold
    assert curve.at(nothing).counts.tolist() == [[2, 0], [1, 0]]


# Thresholds that curves return.


def check_accepted(y_true, scores, threshold, ties, expected):
    """Whatever takes a threshold gives the counts that a curve has there, without a warning."""
    curve = ThresholdCurve.from_scores(y_true, scores, ties=ties, pos_label=True)
    matrices = [
        curve.at(threshold),
        ThresholdCurve.from_scores(
            y_true, scores, ties=ties, pos_label=True, thresholds=[threshold, np.inf]
        ).at(threshold),
    ]
    for matrix in matrices:
        assert (matrix.counts[1, 1], matrix.counts[0, 1]) == expected
    labels = labels_from_scores(scores, classes=[False, True], threshold=threshold, ties=ties)
    assert (labels[y_true].sum(), labels[~y_true].sum()) == expected


@pytest.mark.parametrize("ties", ["positive", "negative"])
@pytest.mark.parametrize("metric", ["recall", "specificity", "accuracy", "informedness"])
@settings(max_examples=3)
@given(
    scores=st.lists(st.floats(-4, 4, width=32), min_size=4, max_size=12),
    dtype=st.sampled_from([np.float32, np.float64]),
    scale=st.sampled_from([1 / 3, 0.1, 100 / 3]),
)
def test_thresholds_that_a_curve_returns_are_accepted_without_a_word(
    ties, metric, scores, dtype, scale
):
    scores = (np.array(scores) * scale).astype(dtype)
    y_true = np.arange(len(scores)) % 2 == 1
    best = ThresholdCurve.from_scores(y_true, scores, ties=ties, pos_label=True).best(metric)
    # Short ones may have been typed.
    assume(float(f"{best.threshold:.{FEW_DIGITS}g}") != best.threshold)
    check_accepted(y_true, scores, best.threshold, ties, (best.counts.tp, best.counts.fp))


@pytest.mark.parametrize("others", [0, 0.8])
def test_thresholds_of_scores_that_rounding_took_out_of_0_and_1_need_no_word(others):
    scores = np.array([others, others, others, -0.002], dtype=np.float32) / 3
    threshold = ThresholdCurve.from_scores([0, 1, 0, 1], scores).best("recall").threshold
    # There is room for the last digits of the lowest score.
    assert -(2**-9) <= threshold < scores[3] - 1e-4
    assert labels_from_scores(scores, threshold=threshold).tolist() == [1, 1, 1, 1]
    above = ThresholdCurve.from_scores([0, 1, 0, 1], 1 - scores, ties="negative").best(
        "specificity"
    )
    labels = labels_from_scores(1 - scores, threshold=above.threshold, ties="negative")
    assert (labels[[1, 3]].sum(), labels[[0, 2]].sum()) == (above.counts.tp, above.counts.fp)
    with pytest.warns(UserWarning, match="all reach it"):
        labels_from_scores(scores, threshold=-0.0021234567)


def test_a_short_one_is_accepted_by_its_curve_and_warned_of_where_it_may_be_typed():
    curve = ThresholdCurve.from_scores([0, 0, 1, 1], [-2, 0, 1, 3])
    best = curve.best("accuracy")
    assert best.threshold == 0.5
    assert curve.at(0.5).score("accuracy") == best.value
    assert (
        ThresholdCurve.from_scores([0, 1], [-2, 3], thresholds=[0.4, 2]).at(0.4).counts[1, 1] == 1
    )
    with pytest.warns(UserWarning, match=LOOKS_LIKE_ONE):
        curve.at(0.4)
    with pytest.warns(UserWarning, match="threshold=0.5 looks like a probability"):
        labels_from_scores([-2, 0, 1, 3], threshold=0.5)


@pytest.mark.filterwarnings("ignore:threshold=.* so (none|all) reach")
@settings(max_examples=5)
@given(
    scores=st.lists(st.floats(-3, 3, width=32), min_size=4, max_size=12),
    metric=st.sampled_from(["precision", "accuracy"]),
)
def test_thresholds_that_a_curve_returns_give_the_same_labels_in_any_batch(scores, metric):
    # Numbers with many digits, as decision values are.
    scores = np.array(scores) / 3**0.5
    y_true = np.arange(len(scores)) % 2 == 1
    threshold = ThresholdCurve.from_scores(y_true, scores).best(metric).threshold
    assume(not 0 < threshold < 1)
    for n_batches in (1, 2, len(scores)):
        batches = np.array_split(scores, n_batches)
        labels = [labels_from_scores(batch, threshold=threshold) for batch in batches]
        assert np.concatenate(labels).tolist() == (scores >= threshold).tolist()


@pytest.mark.parametrize(
    ("scores", "threshold"),
    [
        pytest.param([0.4], 2.5, id="one sample"),
        pytest.param([0.4], -2, id="one sample, below"),
        pytest.param([0, 1, 1], 2.5, id="whole numbers, such as points of a risk score"),
        pytest.param([0.4, 0.7], 3**0.5, id="the digits of a computed threshold"),
    ],
)
def test_a_few_numbers_from_0_to_1_need_not_be_probabilities(scores, threshold):
    reached = [int(score >= threshold) for score in scores]
    y_true = [1] * len(scores)
    reaches = "none reaches" if threshold > 1 else "all reach"
    for use in (
        lambda: labels_from_scores(scores, threshold=threshold),
        lambda: ThresholdCurve.from_scores(y_true, scores).at(threshold),
        lambda: ConfusionMatrix.from_scores(y_true, scores, threshold=threshold, classes=[0, 1]),
    ):
        with pytest.warns(UserWarning, match=f"all scores are from 0 to 1, so {reaches} it"):
            use()
    with pytest.warns(UserWarning, match=reaches):
        labels = labels_from_scores(scores, threshold=threshold)
    assert labels.tolist() == reached
    # Of several thresholds each may be such.
    assert ThresholdCurve.from_scores(y_true, scores, thresholds=[threshold, 0.5]).counts.tp[
        0
    ] == sum(reached)


def test_rows_that_sum_to_1_are_probabilities_of_any_number():
    for rows in (ROWS[:1], ROWS):
        with pytest.raises(ValueError, match="all scores are from 0 to 1"):
            labels_from_scores(rows, threshold=3**0.5, pos_label=1)


def test_intervals_and_pictures_of_a_curve_need_no_word():
    y, scores = [0, 1] * 50, [k % 7 + k % 2 for k in range(100)]
    curve = ThresholdCurve.from_scores(y, scores)
    curve.interval("recall", subject_to={"specificity": 0.5}, random_state=0)
    given = ThresholdCurve.from_scores(y, scores, thresholds=[0.4, 0.6]).at_prevalence(0.1)
    assert given.thresholds.tolist() == [0.4, 0.6]


# Decision values.


def test_a_scorer_refuses_in_every_fold():
    scorer = ConfusionScorer("recall", threshold=95)
    for scores in (SHARES, SHARES / 2):
        with pytest.raises(ValueError, match=NONE_REACHES_IT):
            scorer(Answering(scores), ROWS, TRUE)


def test_a_scorer_says_once_that_scores_are_no_probabilities():
    scorer = ConfusionScorer("recall", threshold=0.4)
    with pytest.warns(UserWarning, match=LOOKS_LIKE_ONE) as caught:
        recalls = [scorer(Answering(SHARES * factor), ROWS, TRUE) for factor in (7, 100)]
    assert recalls == [1, 1]
    assert len(caught) == 1


def test_a_threshold_of_probabilities_that_meets_decision_values_deserves_a_word_once(tumors):
    X, y = tumors
    expected = (LinearSVC().fit(X, y).decision_function(X) >= 0.3).astype(int)
    message = (
        r"threshold=0\.3 is compared with the values of decision_function.*LinearSVC has no "
        r"predict_proba"
    )
    scorer = get_scorer("recall", threshold=0.3)
    with pytest.warns(UserWarning, match=message) as caught:
        cross_val_score(LinearSVC(), X, y, scoring=scorer, cv=3)
    assert len(caught) == 1
    with pytest.warns(UserWarning, match=message):
        cm = ConfusionMatrix.from_estimator(LinearSVC().fit(X, y), X, y, threshold=0.3)
    assert cm == ConfusionMatrix.from_predictions(y, expected)
    with pytest.warns(UserWarning, match=message) as caught:
        cross_val_confusion_matrix(LinearSVC(), X, y, cv=3, threshold=0.3)
    assert len(caught) == 1


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": 0.3, "response_method": "decision_function"},
        {"threshold": 0.3, "response_method": ("predict_proba", "decision_function")},
        {"threshold": 0},
        {"threshold": 1},
        {"threshold": -0.3},
        {"response_method": "decision_function"},
    ],
    ids=str,
)
def test_other_thresholds_of_decision_values_need_none(tumors, options):
    X, y = tumors
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ConfusionScorer("recall", **options)(LinearSVC().fit(X, y), X, y)


def test_decision_values_of_a_few_samples_may_lie_between_0_and_1():
    y, decisions = [0, 0, 1, 1], np.array([0.1, 0.3, 0.6, 0.9])
    tags = np.stack([y, y], axis=1)
    for threshold, expected in [(-0.3, [1, 1, 1, 1]), (0.4, [0, 0, 1, 1]), (1.2, [0, 0, 0, 0])]:
        model = Answering(decision_function=decisions, classes=[0, 1])
        cm = ConfusionMatrix.from_estimator(model, tags, y, threshold=threshold)
        assert cm == ConfusionMatrix.from_predictions(y, expected, labels=[0, 1])
        both = Answering(decision_function=np.stack([decisions, decisions], axis=1))
        cm = ConfusionMatrix.from_estimator(both, tags, tags, threshold=threshold)
        assert cm == ConfusionMatrix.from_predictions(tags, np.stack([expected, expected], axis=1))


def test_a_fold_of_one_sample_does_not_tell_the_scale_of_decision_values(tumors):
    X, y = (values[::56] for values in tumors)
    scorer = ConfusionScorer("accuracy", threshold=-0.25)
    scores = cross_val_score(RidgeClassifier(), X, y, cv=LeaveOneOut(), scoring=scorer)
    decisions = cross_val_predict(
        RidgeClassifier(), X, y, cv=LeaveOneOut(), method="decision_function"
    )
    assert ((decisions > 0) & (decisions < 1)).any()
    assert scores.tolist() == ((decisions >= -0.25) == y).tolist()


def test_a_regressor_of_0_and_1_has_such_thresholds(tumors):
    X, y = tumors
    model = LinearRegression().fit(X, y)
    scores = model.predict(X)
    assert scores.max() > 1.1
    cm = ConfusionMatrix.from_estimator(model, X, y, threshold=0.4)
    assert cm == ConfusionMatrix.from_predictions(y, (scores >= 0.4).astype(int))
    options = {"threshold": 0.4, "response_method": "predict"}
    assert ConfusionScorer("recall", **options)(Answering(scores), X, y) == cm.score("recall")
    with pytest.warns(UserWarning, match=LOOKS_LIKE_ONE):
        ConfusionMatrix.from_scores(y, scores, threshold=0.4)
