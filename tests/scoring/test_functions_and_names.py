"""Metric functions and names, as they are given to scorers."""

import inspect

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate

import skmetrics_ext
from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    compare,
    geometric_mean_score,
    get_scorer,
    make_scorer,
    recall_score,
    sensitivity_score,
    specificity_score,
)
from skmetrics_ext.catalogue.rows import BY_FUNCTION
from tests.doubles import AnsweringClassifier

TRUE, PREDICTED = np.array([1, 1, 1, 0]), np.array([1, 0, 1, 1])
SCORES = np.stack([1 - PREDICTED, PREDICTED], axis=1)


def model(predicted=PREDICTED, **answers):
    return AnsweringClassifier(np.unique(predicted), {"predict": predicted, **answers}).fit()


def test_sensitivity_is_recall_wherever_a_metric_is_named():
    cm = ConfusionMatrix.from_predictions(TRUE, PREDICTED)
    assert cm.score(sensitivity_score) == cm.interval(sensitivity_score).value == 2 / 3
    (row,) = compare(TRUE, {"a": PREDICTED, "b": TRUE}, sensitivity_score).rows
    assert (row.metric, row.value, row.reference_value) == ("recall", pytest.approx(2 / 3), 1)
    with pytest.raises(ValueError, match="'recall' twice"):
        compare(TRUE, {"a": PREDICTED, "b": TRUE}, ["recall", sensitivity_score])
    assert ConfusionScorer([sensitivity_score])(model(), None, TRUE) == {"recall": 2 / 3}


@pytest.mark.parametrize("make", [make_scorer, get_scorer, ConfusionScorer])
def test_a_scorer_of_sensitivity_takes_the_options_of_recall(make):
    assert make(sensitivity_score).__name__ == "recall"
    assert make(sensitivity_score)(model(), None, TRUE) == 2 / 3
    # The function has no zero_division.
    assert make(sensitivity_score, zero_division=1)(model(), None, np.zeros(4, dtype=int)) == 1
    scorer = make(sensitivity_score, average="macro", threshold=0.3)
    assert scorer(model(predict_proba=SCORES), None, TRUE) == 1 / 3


@pytest.mark.parametrize(
    "adapted", [{}, {"response_method": ["predict_proba", "predict"]}, {"classes": ["a", "b"]}]
)
def test_defaults_of_a_function_may_be_said(adapted):
    true, said = np.array(["a", "a", "b", "b"]), np.array(["a", "a", "b", "a"])
    for options in (
        {},
        {"average": "multiclass"},
        {"pos_label": 1},
        {"average": "multiclass", "pos_label": 1},
    ):
        scorer = make_scorer(geometric_mean_score, **options, **adapted)
        assert scorer(model(said), None, true) == pytest.approx(np.sqrt(1 / 2))
        assert scorer.__name__ == "geometric_mean"
    assert (
        make_scorer(recall_score, average="macro", pos_label=1, **adapted)(model(said), None, true)
        == 3 / 4
    )
    with pytest.raises(ValueError, match="pos_label=1"):
        make_scorer(recall_score, pos_label=1, **adapted)(model(said), None, true)


def test_with_a_threshold_pos_label_is_its_class_whatever_is_averaged():
    scores = {"predict_proba": np.array([[0.9, 0.1], [0.6, 0.4], [0.3, 0.7]])}
    for positive, expected in ((1, (1 / 2 + 1) / 2), (0, 1 / 2)):
        scorer = make_scorer(recall_score, average="macro", pos_label=positive, threshold=0.3)
        assert scorer(model(**scores), None, np.array([0, 0, 1])) == expected


def test_another_class_than_the_default_is_refused_of_averages():
    for metric, average in ((geometric_mean_score, "multiclass"), (recall_score, "macro")):
        with pytest.raises(ValueError, match="pos_label=2 is only for average='binary'"):
            make_scorer(metric, average=average, pos_label=2)
    with pytest.raises(ValueError, match="average"):
        make_scorer(recall_score, average="multiclass")


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("MCC", "mcc"),
        ("NPV", "npv"),
        ("IoU_Macro", "iou_macro"),
        ("Neg_FPR", "neg_fpr"),
        ("ROC_AUC", "roc_auc"),
    ],
)
def test_names_ignore_case(name, same):
    assert repr(get_scorer(name)) == repr(get_scorer(same))
    assert get_scorer(name).__name__ == get_scorer(same).__name__


def test_keys_are_as_they_were_named_and_classes_keep_their_case():
    true, said = np.array(["A", "a", "a"]), np.array(["A", "A", "a"])
    cm = ConfusionMatrix.from_predictions(true, said)
    assert cm.score("PPV", pos_label="A") == 1 / 2
    assert cm.score("PPV", pos_label="a") == 1
    scorer = ConfusionScorer(["PPV_Macro"], per_class=True)
    assert scorer(model(said), None, true) == {"PPV_Macro": 3 / 4, "PPV_A": 1 / 2, "PPV_a": 1}
    assert cm.summary(["Accuracy"]).metric.tolist() == ["Accuracy"]


@pytest.mark.parametrize(
    ("name", "known"), [("f1_score", "f1"), ("F1_Score", "f1"), ("sensitivity_score", "recall")]
)
def test_the_name_of_a_function_is_answered_as_a_matrix_does(name, known):
    with pytest.raises(
        ValueError,
        match=f"^'{name}' is not a scorer. It is the name of a function; its .* '{known}'",
    ):
        get_scorer(name)
    cm = ConfusionMatrix.from_predictions(TRUE, PREDICTED)
    with pytest.raises(
        ValueError,
        match=f"^'{name}' is not a metric .* It is the name of a function; its .* '{known}'",
    ):
        cm.score(name)


@pytest.mark.parametrize("scoring", [specificity_score, {"a": specificity_score}])
def test_a_function_as_scoring_is_answered_with_its_scorer(scoring):
    X, y = np.zeros((20, 1)), np.arange(20) % 2
    said = (
        r"specificity_score takes y_true and y_pred without a name, and 3 such values.*pass "
        r'scoring=get_scorer\("specificity"\)\.'
    )
    with pytest.raises(TypeError, match=said):
        cross_validate(DummyClassifier(), X, y, scoring=scoring, error_score="raise")
    # scikit-learn decides what becomes of an error.
    with pytest.warns(UserWarning, match=f"(?s)Scoring failed.*{said}"):
        assert np.isnan(
            cross_validate(DummyClassifier(), X, y, scoring=scoring, cv=2).popitem()[1]
        ).all()
    with pytest.raises(TypeError, match=said):
        GridSearchCV(DummyClassifier(), {}, scoring=specificity_score, error_score="raise").fit(
            X, y
        )
    assert (
        cross_val_score(DummyClassifier(), X, y, scoring=get_scorer("specificity")).tolist()
        == [1] * 5
    )


def test_labels_instead_of_a_model_are_answered_with_the_function():
    scorer = ConfusionScorer("recall")
    with pytest.raises(TypeError, match=r"called with a model, X and y_true; .* metric function"):
        scorer(TRUE, PREDICTED, TRUE)


@pytest.mark.parametrize("name", BY_FUNCTION)
def test_every_metric_function_names_its_scorer_and_keeps_its_signature(name):
    function, row = getattr(skmetrics_ext, name), BY_FUNCTION[name]
    first, second, *others = inspect.signature(function).parameters.values()
    assert {first.kind, second.kind} == {first.POSITIONAL_OR_KEYWORD}
    assert {other.kind for other in others} == {first.KEYWORD_ONLY}
    with pytest.raises(TypeError, match=rf'scoring=get_scorer\("{row.scorer_name}"'):
        function(DummyClassifier(), TRUE, PREDICTED)
    with pytest.raises(TypeError, match=rf"{name} needs y_?(pred|2)="):
        function(TRUE)
