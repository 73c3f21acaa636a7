"""Which class is positive: given, carried, named by the caller, 1 of {0, 1}; never guessed."""

import datetime
import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, RidgeClassifierCV
from sklearn.model_selection import cross_validate

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ProbabilityClassifier,
    ThresholdCurve,
    ThresholdCurves,
    cross_val_confusion_matrix,
    get_scorer,
    labels_from_scores,
    recall_score,
)
from tests.doubles import Answering, AnsweringClassifier

# Of three frauds one is found, of two others both: the recall of "fraud" is 1/3 and that of "ok" 1.
FRAUD = np.array(["fraud", "fraud", "fraud", "ok", "ok"])
FOUND = np.array(["fraud", "ok", "ok", "ok", "ok"])
RECALLS = {"fraud": 1 / 3, "ok": 1.0}
NOT_KNOWN = r"which of the labels \['fraud', 'ok'\] is the positive class.*pos_label="


X = np.zeros((5, 1))
SHARE_OF_OK = np.array([0.1, 0.9, 0.8, 0.7, 0.6])
ANSWERS = {"predict": FOUND, "predict_proba": np.stack([1 - SHARE_OF_OK, SHARE_OF_OK], axis=1)}
MODEL = AnsweringClassifier(["fraud", "ok"], ANSWERS).fit()
DOORS = {
    "scorer of a function": lambda **options: get_scorer("recall", **options)(MODEL, X, FRAUD),
    "adapted scorer": lambda **options: get_scorer("recall", threshold=0.5, **options)(
        MODEL, X, FRAUD
    ),
    "scorer": lambda **options: ConfusionScorer("recall", **options)(MODEL, X, FRAUD),
    "scorer with a threshold": lambda **options: ConfusionScorer(
        "recall", threshold=0.5, **options
    )(MODEL, X, FRAUD),
    "macro with a threshold": lambda **options: ConfusionScorer(
        "recall_macro", threshold=0.5, **options
    )(MODEL, X, FRAUD),
    "matrix": lambda **options: ConfusionMatrix.from_predictions(FRAUD, FOUND).score(
        "recall", **options
    ),
    "matrix of an estimator": lambda **options: ConfusionMatrix.from_estimator(
        MODEL, X, FRAUD, **options
    ).score("recall"),
    "matrix of scores": lambda **options: ConfusionMatrix.from_scores(
        FRAUD, MODEL.predict_proba(X), threshold=0.5, **options
    ).score("recall"),
    "curve": lambda **options: (
        ThresholdCurve.from_scores(FRAUD, MODEL.predict_proba(X), **options).at(0.5).score("recall")
    ),
    "folds": lambda **options: (
        cross_val_confusion_matrix(MODEL, X, FRAUD, cv=[(range(5), range(5))], **options)
        .score("recall")
        .item()
    ),
    "function": lambda **options: recall_score(FRAUD, FOUND, **options),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("pos_label", ["fraud", "ok"])
def test_every_door_gives_the_recall_of_the_class_that_is_named(door, pos_label):
    expected = 2 / 3 if door == "macro with a threshold" else RECALLS[pos_label]
    assert DOORS[door](pos_label=pos_label) == pytest.approx(expected)


@pytest.mark.parametrize("door", DOORS)
def test_no_door_guesses(door):
    is_default = door in ("scorer of a function", "adapted scorer", "function")
    match = r"pos_label=1 .*is not (a valid|among the) label" if is_default else NOT_KNOWN
    with pytest.raises(ValueError, match=match):
        DOORS[door]()


def test_the_best_threshold_of_a_scorer_needs_the_class_too():
    with pytest.raises(ValueError, match=NOT_KNOWN):
        get_scorer("recall", threshold="best")(MODEL, X, FRAUD)
    # One fraud has the least score of "ok", so that a threshold finds it alone.
    assert get_scorer("precision", threshold="best", pos_label="fraud")(MODEL, X, FRAUD) == 1


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (False, True), (1.0, 0.0)], ids=str)
def test_one_is_positive_beside_0_or_minus_1(labels):
    y_true, y_pred = np.array(labels)[[0, 1, 1]], np.array(labels)[[0, 1, 0]]
    right = {label: np.mean(y_pred[y_true == label] == label) for label in labels}
    cm = ConfusionMatrix.from_predictions(y_true, y_pred)
    assert cm.pos_label == 1
    assert cm.score("recall") == right[1]
    scores = np.where(y_pred == 1, 0.9, 0.1)
    assert ThresholdCurve.from_scores(y_true, scores).at(0.5).score("recall") == right[1]
    assert ConfusionMatrix.from_scores(y_true, scores).score("recall") == right[1]


@pytest.mark.parametrize("labels", [(1, 2), (2, 4), ("0", "1"), (0, 2), (-1, 0)])
def test_no_other_two_labels_have_a_positive_one(labels):
    cm = ConfusionMatrix.from_predictions(labels, labels)
    assert cm.pos_label is None
    with pytest.raises(ValueError, match="is the positive class"):
        cm.score("recall")
    with pytest.raises(ValueError, match="is the positive class"):
        ThresholdCurve.from_scores(labels, [0.1, 0.9])
    with pytest.raises(ValueError, match="is the positive class"):
        ConfusionMatrix.from_scores(labels, [0.1, 0.9])
    assert cm.score("recall", pos_label=labels[0]) == 1
    assert cm.score("recall_macro") == 1


def test_one_of_1_and_2_is_positive_in_functions_and_in_their_scorers():
    y_true, answers = np.array([1, 1, 1, 2, 2]), ANSWERS | {"predict": np.array([1, 2, 2, 2, 2])}
    model = AnsweringClassifier([1, 2], answers).fit()
    assert recall_score(y_true, [1, 2, 2, 2, 2]) == 1 / 3
    assert get_scorer("recall")(model, X, y_true) == 1 / 3
    assert get_scorer("recall", threshold=0.5)(model, X, y_true) == 1 / 3
    with pytest.raises(ValueError, match=r"which of the labels \[1, 2\] is the positive class"):
        ConfusionScorer("recall")(model, X, y_true)


@pytest.mark.parametrize("order", [["fraud", "ok"], ["ok", "fraud"]])
def test_the_second_of_an_order_that_the_caller_names_is_positive(order):
    second = RECALLS[order[1]]
    assert ConfusionMatrix.from_predictions(FRAUD, FOUND, labels=order).score(
        "recall"
    ) == pytest.approx(second)
    assert ConfusionMatrix.from_predictions(FRAUD, FOUND).with_labels(order).score(
        "recall"
    ) == pytest.approx(second)
    cells = [
        [sum(pair == (i, j) for pair in zip(FRAUD, FOUND, strict=True)) for j in order]
        for i in order
    ]
    assert ConfusionMatrix.from_counts(cells, labels=order).score("recall") == pytest.approx(second)
    folds = cross_val_confusion_matrix(MODEL, X, FRAUD, cv=[(range(5), range(5))], labels=order)
    assert folds.score("recall").item() == pytest.approx(second)
    assert folds.pos_label == order[1]
    probabilities = pd.DataFrame(MODEL.predict_proba(X), columns=MODEL.classes_)[order]
    assert ConfusionMatrix.from_scores(FRAUD, probabilities, classes=order).score(
        "recall"
    ) == pytest.approx(second)
    scorer = ConfusionScorer("recall", classes=order)
    assert scorer(MODEL, X, FRAUD) == pytest.approx(second)


def test_the_labels_of_functions_and_scorers_select_and_make_no_class_positive():
    with pytest.raises(ValueError, match="pos_label=1 is not among the labels"):
        recall_score(FRAUD, FOUND, labels=["ok", "fraud"])
    # They average the classes named, as in the functions.
    scorer = ConfusionScorer("recall_macro", labels=["ok", "fraud"])
    assert scorer(MODEL, X, FRAUD) == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="labels= selects the classes of an average"):
        ConfusionScorer("recall", labels=["ok", "fraud"])


def test_the_columns_of_a_frame_make_no_class_positive():
    probabilities = pd.DataFrame(MODEL.predict_proba(X), columns=MODEL.classes_)
    cm = ConfusionMatrix.from_scores(FRAUD, probabilities)
    assert cm.pos_label is None
    assert cm.score("recall", pos_label="fraud") == pytest.approx(1 / 3)


# What a matrix carries.


@pytest.fixture
def carried():
    return ConfusionMatrix.from_predictions(
        FRAUD, FOUND, labels=["ok", "fraud"], by=["a", "b", "a", "b", "a"]
    )


def test_a_matrix_keeps_its_positive_class(carried):
    assert carried.pos_label == "fraud"
    for kept in (
        carried.sum("group"),
        carried + carried,
        sum([carried, carried]),
        pickle.loads(pickle.dumps(carried)),
        ConfusionMatrix.from_dict(json.loads(json.dumps(carried.to_dict()))),
        carried.with_labels(["ok", "fraud", "unknown"]),
    ):
        assert kept.pos_label == "fraud"


def test_the_positive_class_takes_no_part_in_equality(carried):
    assert carried == ConfusionMatrix(carried.counts, carried.labels, carried.axes)


def test_states_without_a_positive_class_are_read(carried):
    state = carried.to_dict()
    del state["pos_label"]
    assert ConfusionMatrix.from_dict(state).pos_label is None


def test_none_yields_in_a_sum_and_two_classes_conflict(carried):
    pooled = carried.sum("group")
    unknown = ConfusionMatrix(pooled.counts, pooled.labels)
    assert (pooled + unknown).pos_label == (unknown + pooled).pos_label == "fraud"
    other = ConfusionMatrix(pooled.counts, pooled.labels, (), "ok")
    with pytest.raises(ValueError, match=r"positive classes.*'fraud'.*'ok'"):
        pooled + other


def test_a_sum_whose_labels_are_not_0_and_1_any_more_has_no_conventional_class():
    only_0, only_2 = (
        ConfusionMatrix.from_predictions([0], [0]),
        ConfusionMatrix.from_predictions([2], [2]),
    )
    assert only_0.pos_label == 1
    assert (only_0 + only_2).pos_label is None
    # Beside one other label the positive class has counts of 0.
    of_both = ConfusionMatrix.from_counts([[5, 0], [0, 0]], labels=[0, 1])
    assert of_both.with_labels([0]).pos_label == only_0.with_labels([0]).pos_label == 1
    assert ConfusionMatrix.from_counts([[5]], ["a"]).with_labels(["a"]).pos_label is None


@pytest.mark.parametrize("pos_label", ["fraud", "ok"])
def test_a_curve_has_the_positive_label_last_as_a_matrix_has(pos_label):
    curve = ThresholdCurve.from_scores(FRAUD, MODEL.predict_proba(X), pos_label=pos_label)
    assert curve.labels.tolist() == (["ok", "fraud"] if pos_label == "fraud" else ["fraud", "ok"])
    assert (curve.pos_label, curve.at(0.5).pos_label) == (pos_label, pos_label)
    assert curve.at(0.5) == ConfusionMatrix.from_predictions(FRAUD, FOUND, pos_label=pos_label)
    assert pickle.loads(pickle.dumps(curve)).pos_label == pos_label
    assert repr(pos_label) in repr(curve)


def test_one_class_against_the_rest_has_the_order_rest_class():
    curve = ThresholdCurve.from_scores(["a", "b", "c"], [0.2, 0.9, 0.1], pos_label="b")
    assert curve.labels.tolist() == ["not b", "b"]
    assert curve.pos_label == "b"
    assert ThresholdCurves.from_scores([0, 1, 2], np.eye(3))[1].pos_label == "1"


@pytest.mark.parametrize("pos_label", ["a", "b", "c"])
def test_a_curve_takes_the_column_of_its_class(pos_label):
    y_true, scores = np.array(["a", "b", "c", "c"]), np.random.default_rng(0).random((4, 3))
    column = scores[:, "abc".index(pos_label)]
    expected = ThresholdCurve.from_scores(y_true, column, pos_label=pos_label).roc_auc()
    assert ThresholdCurve.from_scores(y_true, scores, pos_label=pos_label).roc_auc() == expected
    frame = pd.DataFrame(scores, columns=list("abc"))[["c", "a", "b"]]
    assert ThresholdCurve.from_scores(y_true, frame, pos_label=pos_label).roc_auc() == expected


def test_columns_that_the_labels_do_not_tell_apart_are_refused():
    with pytest.raises(ValueError, match="y_score has 3 columns and y_true the labels"):
        ThresholdCurve.from_scores(["a", "b"], np.eye(3)[:2], pos_label="a")


# Costs, ties and scores of one column.


@pytest.mark.parametrize("pos_label", ["fraud", "ok"])
def test_the_positive_class_is_no_order_of_costs(pos_label):
    # Two frauds of three are missed at 10 each.
    expected = 2 * 10 / 5
    curve = ThresholdCurve.from_scores(
        FRAUD, MODEL.predict_proba(X), pos_label=pos_label, thresholds=[0.5]
    )
    found = ConfusionMatrix.from_predictions(FRAUD, FOUND, pos_label=pos_label)
    for ask in (
        lambda costs: curve.score("expected_cost", cost_matrix=costs),
        lambda costs: curve.at(0.5).score("expected_cost", cost_matrix=costs),
        lambda costs: found.score("expected_cost", cost_matrix=costs),
    ):
        assert ask({("fraud", "ok"): 10, ("ok", "fraud"): 1}) == expected
        with pytest.raises(
            ValueError, match=r"cost_matrix=\{\('fraud', 'ok'\): 10.0, \('ok', 'fraud'\): 1.0\}"
        ):
            ask([[0, 10], [1, 0]])


@pytest.mark.parametrize(
    ("pos_label", "expected"),
    [(None, [[0, 1], [0, 1]]), ("no", [[0, 1], [0, 1]]), ("yes", [[0, 1], [0, 1]])],
)
def test_a_tie_is_positive_and_without_a_positive_class_of_the_class_whose_score_it_is(
    pos_label, expected
):
    half = Answering(np.full(2, 0.5), decision_function=np.zeros(2), classes=["no", "yes"])
    for options in ({}, {"response_method": "decision_function"}):
        cm = ConfusionMatrix.from_estimator(
            half, None, ["no", "yes"], pos_label=pos_label, **options
        )
        assert cm.counts.tolist() == expected
        assert cm.labels.tolist() == (["yes", "no"] if pos_label == "no" else ["no", "yes"])


@pytest.mark.parametrize(("pos_label", "expected"), [("yes", ["no", "yes"]), ("no", ["yes", "no"])])
def test_scores_of_one_column_that_come_from_no_estimator_are_of_the_positive_class(
    pos_label, expected
):
    assert (
        labels_from_scores([0.1, 0.9], classes=["no", "yes"], pos_label=pos_label).tolist()
        == expected
    )
    with pytest.raises(ValueError, match="is the positive class"):
        ConfusionMatrix.from_scores(["no", "yes"], [0.1, 0.9])


def test_scores_of_one_column_that_come_from_an_estimator_are_of_its_second_class():
    assert ConfusionScorer("accuracy")(Answering(np.array([0.1, 0.9])), None, ["no", "yes"]) == 1


# Several metrics, other kinds of labels, estimators.


def test_in_a_dict_the_keys_that_need_the_class_are_nan_with_one_warning():
    scorer = ConfusionScorer(["recall", "specificity", "accuracy", "recall_macro"])
    with pytest.warns(
        UserWarning, match=r"set to NaN: .*as pos_label=.*\['recall', 'specificity'\]"
    ) as caught:
        scores = scorer(MODEL, X, FRAUD)
    assert len(caught) == 1
    assert np.isnan([scores["recall"], scores["specificity"]]).all()
    assert (scores["accuracy"], scores["recall_macro"]) == pytest.approx((3 / 5, 2 / 3))


@pytest.mark.parametrize("y", [[0, 0], [0, 1], [2, 3]])
def test_a_positive_class_of_another_kind_is_an_error_even_beside_one_label(y):
    y = np.array(y)
    with pytest.raises(ValueError, match="pos_label='yes' is not among the labels in the data"):
        recall_score(y, y, pos_label="yes")
    with pytest.raises(ValueError, match="pos_label='yes' is not among the labels in the data"):
        ConfusionMatrix.from_predictions(y, y).score("recall", pos_label="yes")
    with pytest.raises(ValueError, match="pos_label='yes' is not among the labels in the data"):
        ThresholdCurve.from_scores(y, [0.1, 0.2], pos_label="yes")


def test_ridge_classifier_cv_does_not_get_a_perfect_score_of_no_class():
    random = np.random.default_rng(0)
    features, y = random.normal(size=(30, 2)), np.array(["no", "yes"])[random.integers(0, 2, 30)]
    scoring = ConfusionScorer("recall", pos_label="yes")
    with pytest.raises(ValueError, match="pos_label='yes' is not among the labels in the data"):
        RidgeClassifierCV(scoring=scoring).fit(features, y)


def test_a_class_that_the_fold_lacks_beside_another_of_its_kind_has_no_samples():
    with pytest.warns(match="no actual positives"):
        assert recall_score(["no", "no"], ["no", "no"], pos_label="yes") == 0
    with pytest.warns(match="it needs positives and negatives"):
        assert np.isnan(
            ThresholdCurve.from_scores(["no", "no"], [0.1, 0.2], pos_label="yes").roc_auc()
        )
    assert ThresholdCurve.from_scores(
        ["no", "no"], [0.1, 0.2], pos_label="yes"
    ).labels.tolist() == ["no", "yes"]


def test_a_probability_classifier_with_one_threshold_needs_the_class_in_fit():
    features = np.arange(4.0)[:, None]
    y = np.array(["no", "no", "yes", "yes"])
    with pytest.raises(
        ValueError, match=r"which of the labels \['no', 'yes'\] is the positive class"
    ):
        ProbabilityClassifier(LinearRegression(), threshold=0.3).fit(features, y)
    model = ProbabilityClassifier(LinearRegression(), threshold=0.3, pos_label="no").fit(
        features, y
    )
    # The line through 0, 0, 1, 1 is -0.1, 0.3, 0.7, 1.1, so that "no" has 1, 0.7, 0.3 and 0.
    assert model.predict(features).tolist() == ["no", "no", "no", "yes"]
    assert (
        ProbabilityClassifier(LinearRegression()).fit(features, y).predict(features).tolist()
        == y.tolist()
    )
    of_codes = ProbabilityClassifier(LinearRegression(), threshold=0.3).fit(features, y == "yes")
    assert of_codes.predict(features).tolist() == [False, True, True, True]


def test_a_fold_whose_training_lacked_the_class_is_scored_by_a_confusion_scorer():
    features, y = np.zeros((6, 1)), np.array(["no", "no", "no", "no", "no", "yes"])
    options = {"cv": [([0, 1, 2], [3, 4, 5])], "error_score": np.nan}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        by_labels, by_counts = (
            cross_validate(DummyClassifier(), features, y, scoring=scorer, **options)[
                "test_score"
            ].tolist()
            for scorer in (
                get_scorer("specificity", pos_label="yes"),
                ConfusionScorer("specificity", pos_label="yes"),
            )
        )
    # scikit-learn looks for pos_label among the classes of the model, which saw one.
    assert np.isnan(by_labels).all()
    assert by_counts == [1]


@pytest.mark.parametrize(("label", "pos_label"), [("fraud", "fraud"), (5, 5), (2, 2)])
def test_of_two_columns_beside_one_label_none_can_be_identified(label, pos_label):
    with pytest.raises(ValueError, match=f"the column for {pos_label!r} can't be identified"):
        ThresholdCurve.from_scores([label, label], [[0.9, 0.1], [0.8, 0.2]], pos_label=pos_label)


@pytest.mark.parametrize(("label", "labels"), [(0, [0, 1]), (1, [0, 1]), (-1, [-1, 1])])
def test_two_columns_beside_one_conventional_label_are_those_of_both(label, labels):
    curve = ThresholdCurve.from_scores([label, label], [[0.9, 0.1], [0.8, 0.2]])
    assert curve.thresholds.tolist() == [0.2, 0.1]
    assert (curve.labels.tolist(), curve.pos_label) == (labels, 1)


def test_a_named_column_is_found_beside_a_single_shorter_label():
    frame = pd.DataFrame({"fraud": [0.9, 0.1], "ok": [0.1, 0.9]})
    assert ThresholdCurve.from_scores(
        ["ok", "ok"], frame, pos_label="fraud"
    ).thresholds.tolist() == [0.9, 0.1]


@pytest.mark.parametrize("rest", ["a", "c"])
def test_costs_of_a_class_against_the_rest_are_in_the_order_rest_class(rest):
    probabilities = np.array([[0.05, 0.9, 0.05], [0.1, 0.3, 0.6], [0.1, 0.2, 0.7]])
    model = Answering(predict_proba=probabilities, classes=["a", "b", "c"])
    bound = {"predicted_positive_rate": (0.3, 0.4)}
    costs = [[0, 1], [10, 0]]
    scorer = get_scorer(
        "neg_expected_cost", threshold="best", cost_matrix=costs, pos_label="b", subject_to=bound
    )
    # One sample is predicted b: a false alarm at 1, and two misses at 10.
    assert scorer(model, None, [rest, "b", "b"]) == -(1 + 10 + 10) / 3
    assert scorer(model, None, ["a", "c", "a"]) == -1 / 3


def test_chunks_of_one_label_do_not_settle_the_positive_class_of_all():
    whole = ConfusionMatrix.from_predictions([1, 1, 1, 2], [1, 1, 2, 2])
    chunks = ConfusionMatrix.from_predictions([1, 1], [1, 1]) + ConfusionMatrix.from_predictions(
        [1, 2], [2, 2]
    )
    assert whole == chunks
    assert whole.pos_label is chunks.pos_label is None
    named = ConfusionMatrix.from_scores([1, 1], [0.1, 0.2], classes=[1, 2])
    assert (named + whole).pos_label == (whole + named).pos_label == 2


@pytest.mark.parametrize("shape", [(3,), (3, 1)])
def test_decision_values_in_a_column_are_cut_at_0(shape):
    model = Answering(decision_function=np.reshape([-0.2, 0.3, 0.6], shape), classes=["no", "yes"])
    cm = ConfusionMatrix.from_estimator(
        model, None, ["no", "yes", "yes"], response_method="decision_function"
    )
    assert cm.counts.tolist() == [[1, 0], [0, 2]]


@pytest.mark.parametrize(
    "options", [{"labels": ["ok", "fraud"]}, {"labels": ["fraud", "ok"], "pos_label": "fraud"}]
)
def test_the_threshold_of_folds_is_for_the_class_that_labels_name(options):
    folds = cross_val_confusion_matrix(
        MODEL, X, FRAUD, cv=[(range(5), range(5))], threshold=0.85, **options
    )
    # One sample has 0.9 of fraud, and it is one.
    assert folds.score("recall").tolist() == [pytest.approx(1 / 3)]
    assert folds.score("precision").tolist() == [1]


def test_classes_with_the_positive_one_first_fit_scores_of_one_column():
    model = Answering(decision_function=np.array([-1.0, 0.3, 0.6]), classes=["no", "yes"])
    scorer = ConfusionScorer("recall", response_method="decision_function", classes=["yes", "no"])
    assert scorer(model, None, ["no", "no", "yes"]) == 1 / 2


def test_a_class_that_the_model_knows_is_positive_where_the_fold_has_others():
    model = Answering(predict_proba=np.eye(3), classes=["a", "b", "c"])
    scorer = get_scorer("accuracy", threshold="best", pos_label="a")
    # None is a: where nobody is predicted as a, all are right.
    assert scorer(model, None, ["b", "c", "b"]) == 1
    frame = pd.DataFrame(np.eye(3), columns=["a", "b", "c"])
    assert ThresholdCurve.from_scores(
        ["b", "c", "b"], frame, pos_label="a"
    ).thresholds.tolist() == [1, 0]


def test_a_date_is_a_positive_class():
    days = np.array(["2020-01-01", "2020-01-02", "2020-01-02"], dtype="datetime64[D]")
    for pos_label in (
        datetime.date(2020, 1, 2),
        pd.Timestamp("2020-01-02"),
        np.datetime64("2020-01-02"),
    ):
        assert recall_score(days, days[[0, 1, 0]], pos_label=pos_label) == 1 / 2
    cm = ConfusionMatrix.from_scores(days, [0.1, 0.9, 0.2], pos_label=datetime.date(2020, 1, 2))
    restored = ConfusionMatrix.from_dict(json.loads(json.dumps(cm.to_dict())))
    assert restored.score("recall") == cm.score("recall") == 1 / 2


def test_from_labels_takes_the_positive_class_as_the_other_constructors_do():
    y_true, y_pred = ["ad", "ad", "ok", "ok", "ok"], ["ad", "ok", "ok", "ok", "ad"]
    cm = ConfusionMatrix.from_predictions(y_true, y_pred, pos_label="ad")
    assert (cm.pos_label, cm.score("recall")) == ("ad", 1 / 2)
    assert (
        ConfusionMatrix.from_predictions(y_true, y_pred, labels=["ad", "ok"], pos_label="ad").score(
            "recall"
        )
        == 1 / 2
    )
    assert (
        ConfusionMatrix.from_predictions(y_true, y_pred, labels=["ad", "ok"]).score("recall")
        == 2 / 3
    )
    by = ConfusionMatrix.from_predictions(y_true, y_pred, pos_label="ad", by=[1, 1, 1, 2, 2])
    assert by.sum("group").score("recall") == 1 / 2
    with pytest.raises(ValueError, match="pos_label='Ad' is not among the labels in the data"):
        ConfusionMatrix.from_predictions(y_true, y_pred, pos_label="Ad")
    with pytest.raises(ValueError, match="pos_label=1 is for one label per sample"):
        ConfusionMatrix.from_predictions([[0, 1]], [[1, 1]], pos_label=1)
