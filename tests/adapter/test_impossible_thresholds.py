"""Thresholds that no probability reaches, and probabilities where decisions are meant: refused."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ProbabilityClassifier,
    cross_val_confusion_matrix,
    get_scorer,
    labels_from_scores,
    threshold_curve,
)
from tests.doubles import Answering

TRUE = [0, 1, 1]
SHARES = np.array([0.2, 0.7, 1.0])
ROWS = np.stack([1 - SHARES, SHARES], axis=1)
TAGS = [[1, 0], [0, 1], [1, 1]]
NONE_REACHES_IT = "threshold=95, but the scores are probabilities, none of which can reach it"
ALL_ARE_SHARES = "threshold=95, but all scores are from 0 to 1"


@pytest.fixture(scope="module")
def tumours():
    return load_breast_cancer(return_X_y=True)


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(
            lambda t: labels_from_scores(ROWS, threshold=t, pos_label=1), id="labels_from_scores"
        ),
        pytest.param(
            lambda t: labels_from_scores([ROWS, ROWS], threshold=t),
            id="a list of two columns per label",
        ),
        pytest.param(
            lambda t: ConfusionMatrix.from_scores(TRUE, ROWS, threshold=t), id="from_scores"
        ),
        pytest.param(
            lambda t: ConfusionMatrix.from_scores([[1, 0], [0, 1], [0, 1]], ROWS, threshold=t),
            id="one-hot",
        ),
        pytest.param(
            lambda t: ConfusionMatrix.from_estimator(
                Answering(ROWS, classes=[0, 1]), ROWS, TRUE, threshold=t
            ),
            id="a softmax that predicts",
        ),
        pytest.param(
            lambda t: ConfusionScorer("recall", threshold=t)(
                Answering(predict_proba=SHARES), ROWS, TRUE
            ),
            id="one column of predict_proba",
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
def test_what_no_probability_reaches_is_refused_unless_it_is_infinity(use):
    with pytest.raises(ValueError, match=NONE_REACHES_IT):
        use(95)
    for possible in (1, np.inf, -np.inf):
        use(possible)


def test_percent_of_a_model_are_refused(tumours):
    X, y = tumours
    model = LogisticRegression(max_iter=10_000).fit(X, y)
    for threshold in (95, np.nextafter(1, 2)):
        with pytest.raises(
            ValueError, match=r"threshold=(95|1), .*response_method='decision_function'"
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


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda t, s: labels_from_scores(s, threshold=t), id="labels_from_scores"),
        pytest.param(
            lambda t, s: ConfusionMatrix.from_scores(TRUE, s, threshold=t), id="from_scores"
        ),
        pytest.param(
            lambda t, s: ConfusionScorer("recall", threshold=t)(Answering(s), ROWS, TRUE),
            id="scorer",
        ),
        pytest.param(
            lambda t, s: ConfusionMatrix.from_scores(TAGS, np.stack([s, s], axis=1), threshold=t),
            id="several labels",
        ),
        pytest.param(
            lambda t, s: ConfusionMatrix.from_scores(
                TAGS, np.stack([s, s], axis=1), threshold=[0.5, t]
            ),
            id="a threshold per label",
        ),
    ],
)
def test_what_no_score_within_0_and_1_reaches_deserves_a_word(use):
    with pytest.warns(UserWarning, match=ALL_ARE_SHARES) as caught:
        use(95, SHARES)
    assert len(caught) == 1
    use(1, SHARES)
    use(np.inf, SHARES)
    use(95, SHARES * 100)
    use(95, SHARES - 0.5)


def test_a_scorer_says_it_once():
    scorer = ConfusionScorer("recall", threshold=95)
    with pytest.warns(UserWarning, match=ALL_ARE_SHARES) as caught:
        assert [scorer(Answering(scores), ROWS, TRUE) for scores in (SHARES, SHARES / 2)] == [0, 0]
    assert len(caught) == 1


def test_thresholds_that_divide_and_curves_may_be_any():
    assert labels_from_scores(ROWS, threshold=[30, 95]).tolist() == [
        0,
        0,
        1,
    ]  # .8 / 30 > .2 / 95, .3 / 30 > .7 / 95
    assert threshold_curve(TRUE, SHARES).at(95).counts.tolist() == [[1, 0], [2, 0]]


def test_a_threshold_of_probabilities_that_meets_decision_values_deserves_a_word_once(tumours):
    X, y = tumours
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
    assert cm == ConfusionMatrix.from_labels(y, expected)
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
def test_other_thresholds_of_decision_values_need_none(tumours, options):
    X, y = tumours
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ConfusionScorer("recall", **options)(LinearSVC().fit(X, y), X, y)
