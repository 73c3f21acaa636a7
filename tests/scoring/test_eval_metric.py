"""make_eval_metric: what it computes from what libraries pass, and what it refuses to guess."""

import copy
import pickle
import warnings
from collections import namedtuple

import numpy as np
import pytest
from sklearn import metrics as sk

from skmetrics_ext import (
    ConfusionMatrix,
    expected_cost,
    f1_score,
    false_positive_rate,
    make_eval_metric,
)

RNG = np.random.default_rng(0)
N = 300
TRUE = RNG.integers(0, 2, N)
P = np.clip(TRUE * 0.3 + RNG.random(N) * 0.8, 0.001, 0.999)
MARGINS = np.log(P / (1 - P))
WEIGHTS = RNG.random(N)
TRUE_OF_5 = RNG.integers(0, 5, N)
P_OF_5 = RNG.dirichlet(np.ones(5), N)
P_OF_5[np.arange(N), TRUE_OF_5] += 0.3
P_OF_5 /= P_OF_5.sum(axis=1, keepdims=True)

Evaluation = namedtuple("Evaluation", ["predictions", "label_ids"])


class Data:
    """What the booster interfaces pass: xgboost's DMatrix has an empty array where there are no
    weights.
    """

    def __init__(self, labels, weights):
        self._labels, self._weights = labels.astype(np.float32), weights

    def get_label(self):
        return self._labels

    def get_weight(self):
        return self._weights


# Values: against scikit-learn's functions of the labels cut by hand.


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["", "weighted"])
@pytest.mark.parametrize("threshold", [None, 0.3, 0.8])
@pytest.mark.parametrize("scores", ["probabilities", "margins"])
def test_two_classes_are_cut_at_the_threshold_of_the_probability(scores, threshold, weights):
    metric = make_eval_metric("f1", scores=scores, threshold=threshold)
    by_hand = sk.f1_score(TRUE, np.greater_equal(P, threshold or 0.5), sample_weight=weights)
    passed = P if scores == "probabilities" else MARGINS
    assert metric(TRUE.astype(np.float32), passed, weights) == pytest.approx(by_hand, rel=1e-12)
    columns = np.stack([1 - P, P] if scores == "probabilities" else [np.zeros(N), MARGINS], axis=1)
    assert metric(TRUE, columns, weights) == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["", "weighted"])
@pytest.mark.parametrize("scores", ["probabilities", "margins", "labels"])
def test_five_classes_are_the_largest_score(scores, weights):
    pred = P_OF_5.argmax(axis=1)
    passed = {
        "probabilities": P_OF_5,
        "margins": np.log(P_OF_5),
        "labels": pred.astype(np.float32),
    }[scores]
    metric = make_eval_metric("f1_macro", scores=scores)
    expected = sk.f1_score(TRUE_OF_5, pred, average="macro", sample_weight=weights)
    assert metric(TRUE_OF_5, passed, weights) == pytest.approx(expected, rel=1e-12)
    named = {"scores": scores, "classes": list("edcba")}
    assert make_eval_metric("f1_macro", **named)(TRUE_OF_5, passed, weights) == pytest.approx(
        expected, rel=1e-12
    )
    # Class number 1 is "d".
    expected = sk.f1_score(TRUE_OF_5 == 1, pred == 1, sample_weight=weights)
    for of_one in (
        make_eval_metric("f1", pos_label="d", **named),
        make_eval_metric("f1_d", **named),
    ):
        assert of_one(TRUE_OF_5, passed, weights) == pytest.approx(expected, rel=1e-12)
    assert make_eval_metric("f1_d", **named).__name__ == "f1_d"
    assert make_eval_metric("f1", pos_label="d", **named).__name__ == "f1"
    of_two = "f1 is of the positive class of two, but there are 5"
    with pytest.raises(ValueError, match=of_two):
        make_eval_metric("f1", **named)
    with pytest.raises(ValueError, match=rf"{of_two}.*The first evaluation tells how many"):
        make_eval_metric("f1", scores=scores)(TRUE_OF_5, passed, weights)


def test_labels_tell_the_number_of_classes_once_and_for_all():
    metric = make_eval_metric("recall", scores="labels")
    assert metric([0, 1, 1], [0, 1, 0]) == sk.recall_score([0, 1, 1], [0, 1, 0])
    for true in ([0, 1, 2], [0, 1, 1]):
        with pytest.raises(ValueError, match=r"there are 3.*The first evaluation tells how many"):
            metric(true, [0, 1, 0])
    assert "first evaluation" in make_eval_metric.__doc__


def test_thresholds_of_classes_divide_probabilities():
    cuts = [0.1, 0.2, 0.3, 0.2, 0.2]
    expected = sk.accuracy_score(TRUE_OF_5, (P_OF_5 / cuts).argmax(axis=1))
    assert make_eval_metric("accuracy", threshold=cuts)(TRUE_OF_5, P_OF_5) == expected
    named = make_eval_metric(
        "accuracy", threshold=dict(zip("abcde", cuts, strict=True)), classes=list("abcde")
    )
    assert named(TRUE_OF_5, P_OF_5) == named.lightgbm(TRUE_OF_5, P_OF_5, None)[1] == expected
    of_two = make_eval_metric("accuracy", threshold=[0.7, 0.2])
    assert of_two(TRUE, P) == sk.accuracy_score(TRUE, P / 0.2 > (1 - P) / 0.7)
    of_first = make_eval_metric(
        "accuracy", threshold=[0.7, 0.2], classes=["ill", "well"], pos_label="ill"
    )
    assert of_first(TRUE, P) == of_two(TRUE, P)


@pytest.mark.parametrize("scores", ["probabilities", "margins"])
def test_the_threshold_is_for_the_positive_class_even_if_it_is_the_first(scores):
    passed = P if scores == "probabilities" else MARGINS
    metric = make_eval_metric(
        "recall", scores=scores, threshold=0.3, classes=["ill", "well"], pos_label="ill"
    )
    of_ill = 1 - P >= 0.3
    assert metric(TRUE, passed) == sk.recall_score(TRUE == 0, of_ill)
    columns = np.stack(
        [1 - P, P] if scores == "probabilities" else [-MARGINS / 2, MARGINS / 2], axis=1
    )
    assert metric(TRUE, columns) == sk.recall_score(TRUE == 0, of_ill)
    # Without a threshold only the class that is averaged is another.
    of_first = make_eval_metric("recall", scores=scores, classes=["ill", "well"], pos_label="ill")
    assert of_first(TRUE, passed) == sk.recall_score(TRUE == 0, P <= 0.5)


@pytest.mark.parametrize(("scores", "tie"), [("probabilities", 0.5), ("margins", 0.0)])
def test_a_tie_goes_to_the_first_class_without_a_threshold_and_is_positive_with_one(scores, tie):
    # As predict of XGBoost, LightGBM and CatBoost; and as everywhere here.
    assert make_eval_metric("accuracy", scores=scores)([0, 0], [tie, tie]) == 1
    assert make_eval_metric("accuracy", scores=scores, threshold=0.5)([0, 0], [tie, tie]) == 0
    assert make_eval_metric("accuracy", scores=scores)([0, 0], [[tie, tie]] * 2) == 1


def test_float32_margins_are_cut_where_float64_ones_are():
    cut = np.float32(np.log(0.9 / 0.1))
    margins = np.array(
        [np.nextafter(cut, np.float32(0)), np.nextafter(cut, np.float32(9)), 0.1, 0.9],
        dtype=np.float32,
    )
    metric = make_eval_metric("accuracy", scores="margins", threshold=0.9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert metric([0, 1, 0, 0], margins) == 1
        assert metric([0, 0], margins[2:]) == 1


def test_thresholds_of_0_and_1_accept_all_or_none():
    for scores, passed in (("probabilities", P), ("margins", MARGINS)):
        assert make_eval_metric("fpr", scores=scores, threshold=0)(TRUE, passed) == 1
        assert make_eval_metric("fpr", scores=scores, threshold=1)(TRUE, passed) == 0


def test_custom_metrics_and_metrics_with_parameters():
    costs = {("well", "ill"): 1, ("ill", "well"): 7}
    metric = make_eval_metric("expected_cost", cost_matrix=costs, classes=["well", "ill"])
    names = np.array(["well", "ill"])
    assert metric(TRUE, P) == expected_cost(
        names[TRUE], names[(P > 0.5).astype(int)], cost_matrix=costs
    )
    assert not metric.greater_is_better

    def missed(cm):
        return cm.counts[1, 0]

    missed.greater_is_better = False
    own = make_eval_metric(missed, classes=["well", "ill"], threshold=0.6)
    assert (
        own(TRUE, P)
        == ConfusionMatrix.from_predictions(TRUE, P >= 0.6, labels=[0, 1]).counts[1, 0]
        > 0
    )
    assert (own.__name__, own.greater_is_better) == ("missed", False)
    assert make_eval_metric("fbeta", beta=3)(TRUE, P) == pytest.approx(
        sk.fbeta_score(TRUE, P > 0.5, beta=3)
    )


def test_ordered_metrics_go_by_the_order_of_classes():
    # Weights of weighted kappa by rank, low to high as the caller lists them, whatever the
    # library's numbers.
    metric = make_eval_metric("cohen_kappa", weights="linear", classes=["low", "mid", "high"])
    true, scores = np.array([0, 1, 2, 2, 1, 0]), np.eye(3)[[0, 2, 2, 1, 1, 2]]
    expected = sk.cohen_kappa_score(true, scores.argmax(axis=1), weights="linear")
    assert metric(true, scores) == pytest.approx(expected)
    # LightGBM numbers high, low, mid.
    sorted_numbers = np.array([1, 2, 0])
    _, value, _ = metric.lightgbm(sorted_numbers[true], scores[:, [2, 0, 1]], None)
    assert value == pytest.approx(expected)


def test_a_warning_is_given_once_in_all_rounds():
    metric = make_eval_metric("precision")
    with pytest.warns(match="precision is undefined") as said:
        assert metric([0, 1], [0.1, 0.2]) == metric([0, 1], [0.3, 0.2]) == 0
    assert len(said) == 1


# Adapters: signatures, directions, and orders of the classes.


@pytest.mark.parametrize(
    "weights", [np.empty(0, np.float32), WEIGHTS.astype(np.float32)], ids=["", "weighted"]
)
def test_xgboost_gets_costs(weights):
    sample_weight = weights if len(weights) else None
    options = {} if sample_weight is None else {"sample_weight": weights}
    expected = f1_score(TRUE, (P > 0.5).astype(int), sample_weight=sample_weight)
    metric = make_eval_metric("f1")
    assert metric.xgboost.__name__ == "neg_f1"
    assert metric.xgboost(TRUE, P, **options) == -expected
    assert metric.xgboost_train(P, Data(TRUE, weights)) == ("neg_f1", -expected)
    lower = make_eval_metric("fpr")
    expected = false_positive_rate(TRUE, (P > 0.5).astype(int), sample_weight=sample_weight)
    assert lower.xgboost_train(P, Data(TRUE, weights)) == ("fpr", expected)
    assert lower.xgboost(TRUE, P, **options) == expected


@pytest.mark.parametrize("weights", [None, WEIGHTS.astype(np.float32)], ids=["", "weighted"])
def test_lightgbm_is_told_what_is_better(weights):
    expected = f1_score(TRUE, (P > 0.5).astype(int), sample_weight=weights)
    metric = make_eval_metric("f1", name="F")
    assert (
        metric.lightgbm(TRUE, P, weights)
        == metric.lightgbm_train(P, Data(TRUE, weights))
        == ("F", expected, True)
    )
    assert make_eval_metric("fpr").lightgbm(TRUE, P, weights)[2] is False


@pytest.mark.parametrize("weights", [None, WEIGHTS.astype(np.float32)], ids=["", "weighted"])
def test_catboost_passes_margins_in_columns(weights):
    metric = make_eval_metric("f1", threshold=0.3).catboost
    value = metric.get_final_error(*metric.evaluate((MARGINS,), TRUE.astype(np.float32), weights))
    assert value == f1_score(TRUE, (P >= 0.3).astype(int), sample_weight=weights)
    assert metric.is_max_optimal() is True
    of_5 = make_eval_metric("false_positive_rate_macro").catboost
    value, _ = of_5.evaluate(tuple(np.log(P_OF_5).T), TRUE_OF_5.astype(np.float32), weights)
    assert value == false_positive_rate(
        TRUE_OF_5, P_OF_5.argmax(axis=1), average="macro", sample_weight=weights
    )
    assert of_5.is_max_optimal() is False


@pytest.mark.parametrize("classes", [["ill", "well"], ["well", "ill"], [2, 1], [7, 3]])
def test_two_libraries_sort_the_classes_and_the_others_take_them_as_given(classes):
    first = min(classes)
    metric = make_eval_metric("recall", classes=classes, pos_label=first)
    pred = (P > 0.5).astype(int)
    of_first_number, of_second = (
        sk.recall_score(TRUE, pred, pos_label=number) for number in (0, 1)
    )
    assert metric.lightgbm(TRUE, P, None)[1] == of_first_number
    assert metric.catboost.evaluate((MARGINS,), TRUE, None)[0] == of_first_number
    as_given = of_first_number if classes[0] == first else of_second
    assert metric(TRUE, P) == -metric.xgboost(TRUE, P) == as_given
    assert metric.lightgbm_train(P, Data(TRUE, None))[1] == as_given
    assert metric.xgboost_train(P, Data(TRUE, np.empty(0)))[1] == -as_given
    assert metric.compute_metrics(Evaluation(P, TRUE)) == {"recall": as_given}
    # The second class that the caller lists is positive by default.
    by_default = make_eval_metric("recall", classes=classes)
    assert by_default(TRUE, P) == of_second
    assert by_default.lightgbm(TRUE, P, None)[1] == (
        of_first_number if classes[1] == first else of_second
    )


def test_catboost_sorts_strings_that_are_numbers_as_numbers():
    metric = make_eval_metric("recall", classes=["10", "9"], pos_label="10")
    pred = (P > 0.5).astype(int)
    assert metric.catboost.evaluate((MARGINS,), TRUE, None)[0] == sk.recall_score(TRUE, pred)
    assert metric.lightgbm(TRUE, P, None)[1] == sk.recall_score(TRUE, pred, pos_label=0)


def test_tokens_without_a_label_are_left_out():
    labels = np.where(RNG.random((20, 15)) < 0.3, -100, TRUE_OF_5.reshape(20, 15))
    logits = np.log(P_OF_5).reshape(20, 15, 5)
    kept = labels.ravel() != -100
    expected = sk.f1_score(labels.ravel()[kept], P_OF_5.argmax(axis=1)[kept], average="macro")
    metric = make_eval_metric("f1", scores="margins", average="macro")
    assert metric.compute_metrics(Evaluation(logits, labels)) == {
        "f1_macro": pytest.approx(expected)
    }
    by_label = make_eval_metric("f1_macro", scores="labels")
    assert by_label.compute_metrics(Evaluation(logits.argmax(-1), labels)) == {
        "f1_macro": pytest.approx(expected)
    }


def test_pickles_name_public_objects_alone_and_copies_are_the_same():
    cuts = np.array([0.4, 0.6])
    metric = make_eval_metric("f1", threshold=cuts, classes=np.array(["a", "b"]))
    before = metric(TRUE, P)
    cuts[:] = 0.9, 0.1
    again = pickle.loads(pickle.dumps(metric))
    assert again(TRUE, P) == metric(TRUE, P) == before
    assert repr(again) == repr(metric)
    cost = pickle.loads(pickle.dumps(metric.xgboost))
    assert (cost.__name__, cost(TRUE, P)) == ("neg_f1", -before)
    assert b"skmetrics_ext." not in pickle.dumps(metric).replace(b"skmetrics_ext\x94", b"")
    assert copy.deepcopy(metric) is metric


# Several labels per sample.

LABELS = RNG.integers(0, 2, (90, 3))
LOGITS = RNG.normal(size=(90, 3)) + LABELS
SIGMOID = 1 / (1 + np.exp(-LOGITS))


@pytest.mark.parametrize("threshold", [None, 0.3, 0.6])
@pytest.mark.parametrize("scores", ["probabilities", "margins"])
@pytest.mark.parametrize("average", ["macro", "weighted", "micro", "samples"])
def test_several_labels_are_cut_one_by_one(average, scores, threshold):
    passed = LOGITS if scores == "margins" else SIGMOID
    decided = (threshold or 0.5) <= SIGMOID
    metric = make_eval_metric(f"f1_{average}", scores=scores, threshold=threshold, zero_division=0)
    expected = pytest.approx(sk.f1_score(LABELS, decided, average=average, zero_division=0))
    of_trainer = Evaluation(passed.astype(np.float32), LABELS.astype(np.float32))
    assert metric.compute_metrics(of_trainer) == {f"f1_{average}": expected}
    assert metric(LABELS, passed) == expected
    subset = make_eval_metric("accuracy", scores=scores, threshold=threshold)
    assert subset.compute_metrics(of_trainer)["accuracy"] == sk.accuracy_score(LABELS, decided)


def test_several_labels_have_weights_names_and_thresholds_of_their_own():
    weights = RNG.random(90)
    cuts = {"c": 0.2, "a": 0.5, "b": 0.8}
    metric = make_eval_metric(
        "recall_macro", threshold=cuts, classes=["a", "b", "c"], labels=["c", "a"]
    )
    expected = sk.recall_score(
        LABELS, SIGMOID >= [0.5, 0.8, 0.2], average="macro", labels=[0, 2], sample_weight=weights
    )
    assert metric(LABELS, SIGMOID, weights) == pytest.approx(expected)
    decided = make_eval_metric("recall_macro", scores="labels", classes=["a", "b", "c"])
    expected = sk.recall_score(LABELS, LOGITS > 0, average="macro")
    assert decided(LABELS, LOGITS > 0) == pytest.approx(expected)


def test_a_score_at_the_threshold_reaches_it_for_one_of_several_labels():
    actual = [[1, 1], [0, 1]]
    for scores, tie in (("probabilities", 0.5), ("margins", 0.0)):
        metric = make_eval_metric("accuracy", scores=scores)
        assert metric.compute_metrics((np.array([[tie, tie], [tie - 0.1, tie]]), actual)) == {
            "accuracy": 1
        }


@pytest.mark.parametrize("shape", [(90, 3), (9, 10, 3)])
def test_rows_without_a_label_are_left_out(shape):
    known = RNG.random(shape[:-1]) < 0.7
    labels = np.where(known[..., np.newaxis], LABELS.reshape(shape), -100)
    metric = make_eval_metric("recall_macro", scores="margins")
    rows = known.ravel()
    expected = sk.recall_score(LABELS[rows], LOGITS[rows] >= 0, average="macro")
    assert metric.compute_metrics((LOGITS.reshape(shape), labels)) == {
        "recall_macro": pytest.approx(expected)
    }


def test_a_metric_of_one_label_per_sample_is_refused_for_several():
    with pytest.raises(ValueError, match="mcc needs one label per sample"):
        make_eval_metric("mcc", scores="margins").compute_metrics((LOGITS, LABELS))


@pytest.mark.parametrize("scores", ["probabilities", "margins"])
def test_one_hot_classes_are_not_several_labels(scores):
    passed = P_OF_5 if scores == "probabilities" else np.log(P_OF_5)
    one_hot = np.eye(5)[TRUE_OF_5]
    metric = make_eval_metric("accuracy", scores=scores)
    for call, name in ((metric, "y_true"), (lambda y, p: metric.compute_metrics((p, y)), "label")):
        with pytest.raises(ValueError, match=rf"each row of {name}.* pass class numbers, {name}"):
            call(one_hot, passed)
    expected = {"accuracy": sk.accuracy_score(TRUE_OF_5, P_OF_5.argmax(axis=1))}
    assert metric.compute_metrics((passed, one_hot.argmax(axis=-1))) == expected
    # The way out for labels of which each sample has one by chance.
    sigmoid = np.sqrt(P_OF_5)
    by_label = make_eval_metric("recall_macro").compute_metrics((sigmoid, one_hot))
    assert by_label["recall_macro"] == sk.recall_score(one_hot, sigmoid >= 0.5, average="macro")


# What transformers passes.


@pytest.mark.parametrize("form", [Evaluation, lambda p, y: (p, y), lambda p, y: [p, y]])
@pytest.mark.parametrize("more", [False, True])
def test_predictions_may_be_a_pair_and_have_logits_first(form, more):
    logits = np.log(P_OF_5)
    predictions = (logits, RNG.random((2, 7)), RNG.random(N)) if more else logits
    value = make_eval_metric("f1_macro", scores="margins").compute_metrics(
        form(predictions, TRUE_OF_5)
    )
    expected = sk.f1_score(TRUE_OF_5, P_OF_5.argmax(axis=1), average="macro")
    assert value == {"f1_macro": pytest.approx(expected)}


def test_one_score_may_have_a_column():
    expected = {"f1": sk.f1_score(TRUE, P > 0.5)}
    metric = make_eval_metric("f1", scores="margins", average="binary")
    for labels in (TRUE, TRUE[:, np.newaxis].astype(np.float32)):
        assert metric.compute_metrics((MARGINS[:, np.newaxis], labels)) == expected
    tokens = np.where(RNG.random(N) < 0.3, -100, TRUE).reshape(20, 15)
    kept = tokens.ravel() != -100
    of_tokens = metric.compute_metrics((MARGINS.reshape(20, 15, 1), tokens))
    assert of_tokens == {"f1": sk.f1_score(TRUE[kept], P[kept] > 0.5)}
    by_label = make_eval_metric("f1", scores="labels", classes=[0, 1])
    columns = (P > 0.5)[:, np.newaxis], TRUE[:, np.newaxis]
    assert by_label.compute_metrics(columns) == expected


TOKENS = np.where(RNG.random(LABELS.shape) < 0.3, -100, LABELS)


@pytest.mark.parametrize(
    ("scores", "prediction", "error", "message"),
    [
        ("margins", (LOGITS, LABELS[:, :2]), ValueError, r"\(90, 2\) do not fit .*\(90, 3\)"),
        ("margins", (LOGITS, LABELS[:, :1]), ValueError, r"\(90, 1\) do not fit"),
        ("margins", (LOGITS[:-1], LABELS[:, 0]), ValueError, "do not fit"),
        ("labels", (LOGITS, LABELS[:, 0]), ValueError, "need scores='labels'"),
        ("margins", (LOGITS, TOKENS), ValueError, r"pass predictions\[..., np.newaxis\]"),
        ("probabilities", (LOGITS, LABELS), ValueError, "pass scores='margins'"),
        ("margins", (LOGITS, LABELS * 2), ValueError, "must be 0 and 1, several labels"),
        ("labels", (LABELS, LABELS), ValueError, r"pass both arrays as .ravel\(\)"),
        ("margins", (LOGITS, None), TypeError, "label_ids must be one array; got NoneType"),
        ("margins", (LOGITS, (LABELS, LABELS)), TypeError, "must be one array; got tuple"),
        ("margins", (LOGITS, LABELS, LABELS), TypeError, "a pair .*; got tuple"),
        ("margins", LOGITS, TypeError, "takes an EvalPrediction.*; got ndarray"),
        ("margins", ([LOGITS, LOGITS[1:]], LABELS[:, 0]), ValueError, "eval_do_concat_batches"),
    ],
)
def test_other_shapes_have_a_sentence(scores, prediction, error, message):
    metric = make_eval_metric("recall_macro", scores=scores, classes=[0, 1, 2])
    with pytest.raises(error, match=message):
        metric.compute_metrics(prediction)


# Refusals.


def test_margins_that_could_be_probabilities_are_suspected():
    margins = np.stack([P / 2, P], axis=1)
    metric = make_eval_metric("recall", threshold=0.3)
    with pytest.warns(UserWarning, match="do not sum to 1.* pass scores='margins'") as said:
        assert metric(TRUE, margins) == metric(TRUE, margins)
    assert len(said) == 1
    with pytest.warns(UserWarning, match="do not sum to 1"):
        make_eval_metric("recall_macro", threshold=[0.2] * 5)(TRUE_OF_5, P_OF_5 / 2)
    # Nothing is compared with a probability.
    make_eval_metric("recall", scores="margins", threshold=0.3)(TRUE, margins)
    make_eval_metric("recall")(TRUE, margins)
    metric(TRUE, np.stack([1 - P, P], axis=1).astype(np.float32))


@pytest.mark.parametrize(
    ("options", "y_score", "message"),
    [
        ({}, MARGINS, "scores from .* are not probabilities: pass scores='margins'"),
        ({}, MARGINS.clip(-9, 1), "are not probabilities"),
        ({"threshold": 0.3}, np.stack([-MARGINS, MARGINS], axis=1), "are not probabilities"),
        ({"classes": ["a", "b", "c"]}, P, "1-D scores, but more than two classes: pass a col"),
        ({}, P_OF_5[:, :1] * 0 + TRUE_OF_5[:, None], "scores from 0 to 4 are not probabilities"),
        ({"classes": ["a", "b", "c"]}, P_OF_5, "5 columns, but classes lists 3"),
        (
            {"scores": "labels", "classes": ["a", "b"]},
            TRUE + 1,
            "y_score holds class numbers .* of 2 classes",
        ),
        ({"scores": "labels", "classes": ["a", "b"]}, P, "y_score holds continuous values"),
        ({}, np.where(TRUE, np.nan, P), "NaN"),
        (
            {"classes": ["a", "b"], "pos_label": "a", "average": "macro"},
            P,
            "applies only to average='binary'",
        ),
    ],
)
def test_scores_that_fit_no_class_are_refused(options, y_score, message):
    metric = "recall_macro" if "c" in options.get("classes", ()) else "recall"
    with pytest.raises(ValueError, match=message):
        make_eval_metric(metric, **options)(TRUE, y_score)


@pytest.mark.parametrize(
    ("y_true", "message"),
    [
        (TRUE_OF_5, "1-D scores, but more than two classes"),
        (np.array(["a", "b"])[TRUE], "y_true must be 1-D and hold class numbers"),
        (TRUE * 2 - 1, "must be 1-D and hold class numbers"),
        (P, "y_true holds continuous values"),
        (np.stack([TRUE, 1 - TRUE], axis=1), "both need one column per label"),
    ],
)
def test_labels_that_are_no_class_numbers_are_refused(y_true, message):
    with pytest.raises(ValueError, match=message):
        make_eval_metric("recall_macro")(y_true, P)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pos_label": 1}, r"pos_label=1 needs classes"),
        ({"pos_label": "c", "classes": ["a", "b"]}, "'c' is not one of the classes"),
        ({"scores": "logits"}, "scores must be one of"),
        ({"threshold": 30}, "threshold must be a probability"),
        ({"threshold": -0.1, "scores": "margins"}, "threshold must be a probability"),
        ({"threshold": [0.1, 0.9], "scores": "margins"}, "does not apply to scores='margins'"),
        (
            {"threshold": 0.5, "scores": "labels", "classes": ["a", "b"]},
            "does not apply to scores='labels'",
        ),
        ({"threshold": 0.5, "classes": ["a", "b", "c"]}, "one number, but there are 3 classes"),
        ({"threshold": [0.5, 0.0]}, "must be positive and finite"),
        ({"threshold": [0.1, 0.2, 0.7], "classes": ["a", "b"]}, "3 numbers for 2 classes"),
        ({"classes": ["a", "b", "c"]}, "recall is of the .* two, but there are 3, .*recall_macro"),
        ({"average": None}, "average=None gives one value per class"),
        ({"average": "mean"}, "average"),
        ({"name": "my metric"}, "without spaces and colons"),
        ({"name": ""}, "without spaces and colons"),
    ],
)
def test_what_can_not_be_right_is_refused_before_training(options, message):
    with pytest.raises(ValueError, match=message):
        make_eval_metric("recall", **options)


def test_metrics_that_can_not_choose_a_round_are_refused():
    with pytest.raises(
        ValueError, match="neither higher nor lower values of prevalence are better"
    ):
        make_eval_metric("prevalence")
    with pytest.raises(ValueError, match="values are not negated here"):
        make_eval_metric("neg_fpr")
    with pytest.raises(TypeError, match="has no parameter 'beta'"):
        make_eval_metric("recall", beta=2)
    with pytest.raises(ValueError, match="bennett_s depends on the number of classes"):
        make_eval_metric("bennett_s", scores="labels")


@pytest.mark.parametrize("name", ["precision_error", "auc", "map2", "ndcg_error"])
def test_a_cost_that_xgboost_would_maximize_is_refused(name):
    metric = make_eval_metric("fpr", name=name)
    with pytest.raises(ValueError, match="XGBoost maximizes"):
        metric.xgboost  # noqa: B018
    with pytest.raises(ValueError, match="XGBoost maximizes"):
        metric.xgboost_train(P, Data(TRUE, np.empty(0)))
    assert make_eval_metric("precision").xgboost.__name__ == "neg_precision"


def test_catboost_has_no_labels_and_no_probabilities():
    for options in ({"scores": "labels", "classes": ["a", "b"]}, {"threshold": [0.2, 0.8]}):
        with pytest.raises(ValueError, match="CatBoost passes margins"):
            make_eval_metric("f1", **options).catboost  # noqa: B018
