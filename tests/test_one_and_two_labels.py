"""Folds and models with one class, one of two classes chosen, and two that are not 0 and 1."""

import numpy as np
import pytest
import sklearn.metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ThresholdCurve,
    get_scorer,
    labels_from_scores,
)
from tests.doubles import Answering

# One of two classes by labels=.


@pytest.mark.parametrize(("negative", "positive"), [(0, 1), ("no", "yes"), (2, 4)], ids=str)
@pytest.mark.parametrize("classes", [True, False], ids=["classes_", "no-classes_"])
def test_labels_with_one_of_two_classes_average_that_class_alone(negative, positive, classes):
    y_true = [negative] * 5 + [positive] * 3
    y_pred = [negative] * 4 + [positive] * 3 + [negative]
    model = Answering(y_pred, classes=[negative, positive] if classes else None)
    for label, recall, precision in ((negative, 4 / 5, 4 / 5), (positive, 2 / 3, 2 / 3)):
        assert ConfusionScorer("recall_macro", labels=[label])(model, None, y_true) == recall
        scores = ConfusionScorer(["recall_macro", "precision_macro"], labels=[label])(
            model, None, y_true
        )
        assert scores == {"recall_macro": recall, "precision_macro": precision}
        assert (
            ConfusionMatrix.from_predictions(y_true, y_pred).score("recall_macro", labels=[label])
            == recall
        )


# Models that saw one class.


@pytest.mark.parametrize("names", [["a", "b", "c"], [0, 1, 2], [5, 6, 7]], ids=str)
@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_a_model_of_one_class_is_averaged_over_all_classes_of_its_fold(names, method):
    y_true = [names[k] for k in (0, 1, 1, 2)]
    model = Answering(names[:1] * 4, predict_proba=np.ones((4, 1)), classes=names[:1])
    scorer = ConfusionScorer(
        ["recall_macro", "f1_macro", "accuracy"],
        response_method=method,
        per_class=True,
        zero_division=0,
    )
    with pytest.warns(UserWarning, match="estimator never"):
        scores = scorer(model, None, y_true)
    assert scores["accuracy"] == 1 / 4
    assert scores["recall_macro"] == pytest.approx((1 + 0 + 0) / 3)
    assert scores["f1_macro"] == pytest.approx((2 / 5 + 0 + 0) / 3)
    assert [scores[f"recall_{name}"] for name in names] == [1, 0, 0]


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_a_model_of_one_class_in_a_fold_of_two_is_binary(method):
    model = Answering(["no"] * 3, predict_proba=np.ones((3, 1)), classes=["no"])
    scorer = ConfusionScorer(
        ["recall", "specificity"],
        response_method=method,
        pos_label="yes",
        zero_division=0,
        classes=["no", "yes"],
    )
    assert scorer(model, None, ["no", "yes", "no"]) == {"recall": 0, "specificity": 1}


# Folds of one class.


@pytest.mark.parametrize(("only", "other"), [(0, 1), (1, 0), ("no", "yes"), (4, 2)], ids=str)
def test_a_fold_of_one_class_has_only_negatives_where_another_is_positive(only, other):
    scorer = ConfusionScorer(["specificity", "accuracy", "npv"], pos_label=other)
    scores = scorer(Answering([only, only]), None, [only, only])
    assert scores == {"specificity": 1, "accuracy": 1, "npv": 1}


@pytest.mark.parametrize("only", [0, 1, "yes", 4])
def test_a_fold_of_one_class_has_only_positives_where_it_is_positive(only):
    scorer = ConfusionScorer(["recall", "precision", "accuracy"], pos_label=only)
    scores = scorer(Answering([only, only]), None, [only, only])
    assert scores == {"recall": 1, "precision": 1, "accuracy": 1}


def test_recall_without_positives_is_undefined():
    with pytest.warns(UndefinedMetricWarning, match="recall is undefined"):
        assert (
            ConfusionScorer("recall", pos_label="yes")(Answering(["no", "no"]), None, ["no", "no"])
            == 0
        )


# Two classes that are not 0 and 1.

TRUE = np.array([2, 2, 2, 4, 4])
SCORES_OF_4 = np.array([0.1, 0.7, 0.2, 0.6, 0.3])


@pytest.mark.parametrize(("pos_label", "threshold"), [(4, 0.25), (4, 0.65), (2, 0.35), (2, 0.75)])
@pytest.mark.parametrize("columns", [1, 2])
def test_classes_2_and_4_are_scored_at_a_threshold(pos_label, threshold, columns):
    of_positive = SCORES_OF_4 if pos_label == 4 else 1 - SCORES_OF_4
    expected = np.where(of_positive >= threshold, pos_label, 6 - pos_label)
    scores = SCORES_OF_4 if columns == 1 else np.stack([1 - SCORES_OF_4, SCORES_OF_4], axis=1)
    model = Answering(predict_proba=scores, classes=[2, 4])
    value = ConfusionScorer(["recall", "precision"], threshold=threshold, pos_label=pos_label)(
        model, None, TRUE
    )
    assert value == {
        "recall": sk.recall_score(TRUE, expected, pos_label=pos_label),
        "precision": sk.precision_score(TRUE, expected, pos_label=pos_label),
    }


@pytest.mark.parametrize("pos_label", [2, 4])
def test_probabilities_of_classes_2_and_4_become_these_labels(pos_label):
    labels = labels_from_scores(
        np.stack([1 - SCORES_OF_4, SCORES_OF_4], axis=1),
        classes=[2, 4],
        pos_label=pos_label,
        threshold=0.35,
    )
    expected = SCORES_OF_4 >= 0.35 if pos_label == 4 else 1 - SCORES_OF_4 < 0.35
    assert labels.tolist() == np.where(expected, 4, 2).tolist()


@pytest.mark.parametrize("pos_label", [2, 4])
def test_classes_2_and_4_have_a_curve(pos_label):
    scores = SCORES_OF_4 if pos_label == 4 else -SCORES_OF_4
    curve = ThresholdCurve.from_scores(TRUE, scores, pos_label=pos_label)
    assert curve.labels.tolist() == ([2, 4] if pos_label == 4 else [4, 2])
    assert curve.pos_label == pos_label
    assert curve.roc_auc() == pytest.approx(sk.roc_auc_score(pos_label == TRUE, scores))
    assert curve.counts.tp[-1] == (pos_label == TRUE).sum()
    assert curve.counts.fp[-1] == (pos_label != TRUE).sum()


@pytest.mark.parametrize("pos_label", [2, 4])
def test_classes_2_and_4_are_scored_at_their_best_threshold(pos_label):
    model = Answering(
        predict_proba=np.stack([1 - SCORES_OF_4, SCORES_OF_4], axis=1), classes=[2, 4]
    )
    value = get_scorer("f1", threshold="best", pos_label=pos_label)(model, None, TRUE)
    scores = SCORES_OF_4 if pos_label == 4 else 1 - SCORES_OF_4
    assert value == max(sk.f1_score(pos_label == TRUE, scores >= threshold) for threshold in scores)


@pytest.mark.parametrize(("pos_label", "recall"), [(2, 2 / 3), (4, 1 / 2)])
def test_labels_2_and_4_are_scored_by_predict(pos_label, recall):
    model = Answering([2, 4, 2, 4, 2], classes=[2, 4])
    assert ConfusionScorer("recall", pos_label=pos_label)(model, None, TRUE) == recall
    assert (
        ConfusionMatrix.from_estimator(model, None, TRUE).score("recall", pos_label=pos_label)
        == recall
    )
