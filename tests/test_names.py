"""Names count, or are refused: columns, labels, costs, thresholds, counts, indices of Series."""

import functools
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.metrics
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

import skmetrics_ext
from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ProbabilityClassifier,
    ThresholdCurve,
    ThresholdCurves,
    accuracy_score,
    agreement,
    classification_report,
    cohen_kappa_score,
    compare,
    cross_val_confusion_matrix,
    expected_cost,
    f1_score,
    get_scorer,
    labels_from_scores,
    recall_score,
)
from tests.doubles import Answering, AnsweringClassifier
from tests.shared import one_in

# A perfect model of three classes, with its columns in the order of the labels.
PERFECT = np.array([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.0, 0.4, 0.6]])
LABELS = {
    "int": np.array([3, 5, 8, 8]),
    "float": np.array([3.0, 5.0, 8.0, 8.0]),
    "str": np.array(["ash", "elm", "oak", "oak"]),
}
FRAMES = {
    "pandas": lambda columns: pd.DataFrame(columns),
    "polars": lambda columns: pl.DataFrame({str(name): values for name, values in columns.items()}),
    "pyarrow": lambda columns: pa.table({str(name): values for name, values in columns.items()}),
}


def frame_of(library, labels, order):
    """PERFECT as a frame whose columns stand in another order."""
    names = [
        int(name) if library != "pandas" and isinstance(name, float) else name
        for name in np.unique(labels).tolist()
    ]
    return FRAMES[library]({names[k]: PERFECT[:, k] for k in order})


@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1], [1, 0, 2]], ids=str)
def test_scores_are_found_by_the_names_of_their_columns(library, kind, order):
    y_true, scores = LABELS[kind], frame_of(library, LABELS[kind], order)
    cm = ConfusionMatrix.from_scores(y_true, scores)
    assert cm.score("accuracy") == 1
    assert cm.labels.tolist() == np.unique(y_true).tolist()
    assert ThresholdCurves.from_scores(y_true, scores).roc_auc(average=None).tolist() == [1, 1, 1]
    assert ThresholdCurve.from_scores(y_true, scores, pos_label=y_true[-1]).roc_auc() == 1
    assert labels_from_scores(scores, classes=np.unique(y_true)).tolist() == y_true.tolist()


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({1: [0.1, 0.9], 0: [0.9, 0.1]}),
        pd.DataFrame({True: [0.1, 0.9], False: [0.9, 0.1]}),
        pd.DataFrame({"1": [0.1, 0.9], "0": [0.9, 0.1]}),
        pd.DataFrame([[0.9, 0.1], [0.1, 0.9]]).iloc[:, ::-1],
        pl.DataFrame({"1": [0.1, 0.9], "0": [0.9, 0.1]}),
        pa.table({"1": [0.1, 0.9], "0": [0.9, 0.1]}),
    ],
    ids=["int", "bool", "str", "reversed range", "polars", "pyarrow"],
)
def test_a_perfect_model_whose_columns_are_turned_has_an_area_of_1(frame):
    assert ThresholdCurve.from_scores([0, 1], frame).roc_auc() == 1
    assert ConfusionMatrix.from_scores([0, 1], frame, threshold=0.5).score("recall") == 1


@pytest.mark.parametrize("names", [["True", "False"], [True, False]], ids=["str", "bool"])
def test_columns_named_by_truth_are_found_beside_booleans(names):
    frame = pd.DataFrame([[0.1, 0.9], [0.9, 0.1]], columns=names)
    assert ConfusionMatrix.from_scores([False, True], frame).score("accuracy") == 1


@pytest.mark.parametrize(
    "scores",
    [pd.DataFrame([[0.9, 0.1], [0.1, 0.9]]), pl.DataFrame(np.array([[0.9, 0.1], [0.1, 0.9]]))],
    ids=["pandas", "polars"],
)
@pytest.mark.parametrize("y_true", [[0, 1], [1, 2], ["no", "yes"]], ids=str)
def test_default_names_are_none(scores, y_true):
    assert ConfusionMatrix.from_scores(y_true, scores).score("accuracy") == 1
    assert labels_from_scores(scores).tolist() == [0, 1]


def test_a_column_of_a_class_that_the_fold_lacks_is_a_known_class():
    frame = pd.DataFrame({8: [0.1, 0.2], 3: [0.8, 0.1], 5: [0.1, 0.7]})
    cm = ConfusionMatrix.from_scores([3, 5], frame)
    assert cm.labels.tolist() == [3, 5, 8]
    assert cm.score("accuracy") == 1


@pytest.mark.parametrize("library", FRAMES)
def test_columns_that_lack_a_label_are_refused_with_both_lists(library):
    frame = FRAMES[library]({"ash": [0.4, 0.5], "elm": [0.6, 0.5]})
    match = r"columns of y_score are named \['ash', 'elm'\], but the labels are \['ash', 'oak'\]"
    for function in (ConfusionMatrix.from_scores, ThresholdCurves.from_scores):
        with pytest.raises(ValueError, match=match):
            function(["ash", "oak"], frame)
    with pytest.raises(ValueError, match=match):
        ThresholdCurve.from_scores(["ash", "oak"], frame, pos_label="oak")


def test_a_name_that_stands_twice_is_refused():
    frame = pd.DataFrame([[0.1, 0.2, 0.7]] * 2, columns=["ash", "elm", "elm"])
    with pytest.raises(ValueError, match=r"contain a name twice: \['ash', 'elm', 'elm'\]"):
        ConfusionMatrix.from_scores(["ash", "elm"], frame)


def test_names_beside_numbers_that_are_none_are_refused():
    frame = pd.DataFrame([[0.1, 0.2, 0.7]] * 2, columns=["0", "1", "rest"])
    with pytest.raises(
        ValueError,
        match=r"columns \['0', '1', 'rest'\], not all of which can be labels alongside \[0, 1\]",
    ):
        ConfusionMatrix.from_scores([0, 1], frame)


def test_labels_from_scores_gives_the_names_of_a_frame():
    frame = pd.DataFrame(PERFECT[:, [2, 0, 1]], columns=["oak", "ash", "elm"])
    assert labels_from_scores(frame).tolist() == ["ash", "elm", "oak", "oak"]
    assert labels_from_scores(frame, classes=["elm", "oak", "ash"]).tolist() == [
        "ash",
        "elm",
        "oak",
        "oak",
    ]


def test_classes_that_columns_partly_name_are_refused():
    frame = pd.DataFrame(PERFECT, columns=["ash", "elm", "oak"])
    with pytest.raises(
        ValueError,
        match=r"named \['ash', 'elm', 'oak'\], but the labels are \['ash', 'elm', 'fir'\]",
    ):
        labels_from_scores(frame, classes=["ash", "elm", "fir"])


def model_of_trees(library="pandas"):
    """A model whose predict_proba gives PERFECT as a frame with its columns in another order than
    classes_.
    """
    answers = {"predict_proba": frame_of(library, LABELS["str"], [2, 0, 1])}
    return AnsweringClassifier(["ash", "elm", "oak"], answers).fit()


@pytest.mark.parametrize("library", FRAMES)
def test_the_frame_of_an_estimator_is_read_by_its_names(library):
    y_true, model, X = LABELS["str"], model_of_trees(library), np.zeros((4, 1))
    assert ConfusionScorer("accuracy", response_method="predict_proba")(model, X, y_true) == 1
    assert (
        ConfusionMatrix.from_estimator(model, X, y_true, threshold=dict.fromkeys(NAMES, 1)).score(
            "accuracy"
        )
        == 1
    )
    best = skmetrics_ext.get_scorer("f1", threshold="best", pos_label="oak")
    assert best(model, X, y_true) == 1


# Two multilabel frames.

TAGS = {"sport": [1, 0, 1], "news": [0, 1, 1], "arts": [0, 0, 1]}
MISSED = {"sport": [1, 0, 0], "news": [0, 1, 1], "arts": [0, 0, 1]}
# Recall of sport, news and arts.
RECALLS = [1 / 2, 1, 1]


@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize("order", [["sport", "news", "arts"], ["arts", "sport", "news"]], ids=str)
def test_multilabel_frames_are_aligned_by_the_names_of_the_true_labels(library, order):
    true, pred = FRAMES[library](TAGS), FRAMES[library]({name: MISSED[name] for name in order})
    assert recall_score(true, pred, average=None).tolist() == RECALLS
    assert ConfusionMatrix.from_predictions(true, pred).score("recall").tolist() == RECALLS
    report = classification_report(true, pred, output_dict=True)
    assert [report[name]["recall"] for name in TAGS] == RECALLS
    tagger = AnsweringClassifier([0, 1, 2], {"predict": pred}).fit()
    assert ConfusionScorer("recall_macro")(tagger, None, true) == pytest.approx(2.5 / 3)
    assert get_scorer("recall_macro")(tagger, None, true) == pytest.approx(2.5 / 3)


@pytest.mark.parametrize("library", FRAMES)
def test_multilabel_scores_are_aligned_by_name(library):
    true = FRAMES[library](TAGS)
    scores = FRAMES[library](
        {name: 0.9 * np.array(MISSED[name]) for name in ["arts", "sport", "news"]}
    )
    assert ConfusionMatrix.from_scores(true, scores).score("recall").tolist() == RECALLS
    assert ThresholdCurves.from_scores(true, scores).roc_auc(average=None).tolist() == [3 / 4, 1, 1]


def test_multilabel_frames_with_some_names_in_common_are_refused():
    true, pred = pd.DataFrame(TAGS), pd.DataFrame(MISSED).rename(columns={"arts": "opera"})
    match = (
        r"y_true has the columns \['sport', 'news', 'arts'\], but y_pred has \['sport', 'news', "
        r"'opera'\]"
    )
    with pytest.raises(ValueError, match=match):
        recall_score(true, pred, average=None)
    with pytest.raises(ValueError, match=match):
        ConfusionMatrix.from_predictions(true, pred)


@pytest.mark.parametrize(
    "names", [["a", "b", "c"], [0, 1, 2], pd.RangeIndex(3)], ids=["other", "ints", "default"]
)
def test_multilabel_frames_with_no_name_in_common_are_matched_by_position(names):
    true, pred = pd.DataFrame(TAGS), pd.DataFrame(MISSED).set_axis(names, axis=1)
    assert recall_score(true, pred, average=None).tolist() == RECALLS
    assert recall_score(true, pred.to_numpy(), average=None).tolist() == RECALLS


# Costs.

ACTUAL, PREDICTED = ["ash", "elm", "oak", "oak"], ["elm", "elm", "ash", "oak"]
# ash as elm costs 3, oak as ash 10, right answers nothing but oak as oak 1.
COSTS = np.array([[0, 3, 5], [7, 0, 2], [10, 4, 1]])
NAMES = ["ash", "elm", "oak"]
TOTAL = 3 + 0 + 10 + 1
TURNED = [2, 0, 1]
NAMED_COSTS = {
    "frame": pd.DataFrame(COSTS, index=NAMES, columns=NAMES),
    "turned rows": pd.DataFrame(COSTS, index=NAMES, columns=NAMES).iloc[TURNED],
    "turned columns": pd.DataFrame(COSTS, index=NAMES, columns=NAMES).iloc[:, TURNED],
    "both turned apart": pd.DataFrame(COSTS, index=NAMES, columns=NAMES).iloc[TURNED[::-1], TURNED],
    "columns alone": pd.DataFrame(COSTS, columns=NAMES),
    "index alone": pd.DataFrame(COSTS, index=NAMES),
    "polars": pl.DataFrame(dict(zip(NAMES, COSTS.T, strict=True))),
    "pyarrow": pa.table(dict(zip(NAMES, COSTS.T, strict=True))),
    "dict": {(NAMES[i], NAMES[j]): COSTS[i, j] for i in TURNED for j in range(3) if COSTS[i, j]},
}
MORE_CLASSES = pd.DataFrame(COSTS, index=NAMES, columns=NAMES).reindex(
    index=["fir", *NAMES], columns=[*NAMES, "fir"], fill_value=50
)


@pytest.mark.parametrize("costs", NAMED_COSTS.values(), ids=NAMED_COSTS)
def test_costs_are_found_by_their_names_everywhere(costs):
    assert expected_cost(ACTUAL, PREDICTED, cost_matrix=costs) == TOTAL / 4
    assert (
        ConfusionMatrix.from_predictions(ACTUAL, PREDICTED).score(
            "expected_cost", cost_matrix=costs
        )
        == TOTAL / 4
    )
    least = [NAMES[k] for k in (PERFECT @ COSTS).argmin(axis=1)]
    assert labels_from_scores(PERFECT, classes=NAMES, cost_matrix=costs).tolist() == least


@pytest.mark.parametrize(
    "key", [key for key in NAMED_COSTS if "alone" not in key and not key.startswith("p")]
)
def test_costs_whose_sides_are_both_named_fit_any_order_of_the_labels(key):
    costs = NAMED_COSTS[key]
    assert (
        expected_cost(ACTUAL, PREDICTED, cost_matrix=costs, labels=["oak", "ash", "elm"])
        == TOTAL / 4
    )
    cm = ConfusionMatrix.from_predictions(ACTUAL, PREDICTED, labels=["elm", "oak", "ash"])
    assert cm.score("expected_cost", cost_matrix=costs) == TOTAL / 4
    least = [NAMES[k] for k in (PERFECT @ COSTS).argmin(axis=1)]
    assert (
        labels_from_scores(
            PERFECT[:, [1, 2, 0]], classes=["elm", "oak", "ash"], cost_matrix=costs
        ).tolist()
        == least
    )


@pytest.mark.parametrize(
    "costs",
    [
        pd.DataFrame([[0, 1], [5, 0]])[[1, 0]],
        pd.DataFrame([[0, 1], [5, 0]]).loc[[1, 0]],
        pd.DataFrame([[0, 1], [5, 0]]).iloc[::-1],
        pl.DataFrame({"1": [1, 0], "0": [0, 5]}),
    ],
    ids=["columns", "rows", "reversed rows", "polars"],
)
def test_a_turned_side_beside_one_without_names_is_refused(costs):
    with pytest.raises(
        ValueError, match=r"one side of cost_matrix is named \[.*but the other has no names"
    ):
        expected_cost([0, 0, 1, 1], [0, 1, 1, 1], cost_matrix=costs)
    with pytest.raises(
        ValueError, match=r"one side of counts is named \[.*but the other has no names"
    ):
        ConfusionMatrix.from_counts(costs)


@pytest.mark.parametrize("axis", ["index", "columns"])
@pytest.mark.parametrize("label", [0, 1])
def test_a_turned_side_is_refused_where_a_single_label_occurs_too(axis, label):
    costs = pd.DataFrame([[0, 1], [5, 2]]).reindex([1, 0], axis=axis)
    with pytest.raises(ValueError, match="one side of cost_matrix is named"):
        expected_cost([label], [label], cost_matrix=costs)


@pytest.mark.parametrize("label", [0, 1])
def test_a_side_without_names_beside_a_sorted_one_is_read_where_a_single_label_occurs(label):
    costs = pd.DataFrame([[3, 1], [5, 2]], columns=["0", "1"])
    assert expected_cost([label], [label], cost_matrix=costs, labels=[0, 1]) == [3, 2][label]
    mixed = pd.DataFrame([[3, 1], [5, 2]], columns=[0, "rest"])
    with pytest.raises(ValueError, match="one side of cost_matrix is named"):
        expected_cost([0], [0], cost_matrix=mixed)


def test_a_named_table_that_is_not_square_says_so():
    costs = pd.DataFrame([[0, 1, 2], [3, 0, 5]], columns=list("abc"))
    with pytest.raises(ValueError, match=r"cost_matrix has shape \(2, 3\), but rows are named"):
        expected_cost(["a", "b"], ["a", "a"], cost_matrix=costs)
    with pytest.raises(ValueError, match=r"counts has shape \(2, 3\), but rows are named"):
        ConfusionMatrix.from_counts(costs)


@pytest.mark.parametrize("costs", NAMED_COSTS.values(), ids=NAMED_COSTS)
def test_scorers_find_costs_by_their_names(costs):
    model, X, y_true = model_of_trees(), np.zeros((4, 1)), np.array(ACTUAL)
    least = (PERFECT @ COSTS).argmin(axis=1)
    accuracy = np.mean([NAMES[k] == label for k, label in zip(least, ACTUAL, strict=True)])
    assert ConfusionScorer("accuracy", cost_matrix=costs)(model, X, y_true) == accuracy
    scorer = get_scorer("neg_expected_cost", cost_matrix=costs, response_method="predict_proba")
    predicted = PERFECT.argmax(axis=1)
    assert scorer(model, X, y_true) == -np.mean(COSTS[np.searchsorted(NAMES, ACTUAL), predicted])


def test_a_classifier_finds_costs_and_thresholds_by_their_names():
    X, y = np.arange(4.0)[:, None], np.array(["no", "no", "yes", "yes"])
    # The line through 0, 0, 1, 1 is -0.1, 0.3, 0.7, 1.1.
    for costs in (
        {("no", "yes"): 1, ("yes", "no"): 9},
        pd.DataFrame([[0, 9], [1, 0]], ["yes", "no"], ["yes", "no"]),
    ):
        model = ProbabilityClassifier(LinearRegression(), cost_matrix=costs).fit(X, y)
        assert model.predict(X).tolist() == ["no", "yes", "yes", "yes"]
    for thresholds in ({"yes": 0.2, "no": 0.8}, pd.Series([0.2, 0.8], ["yes", "no"])):
        model = ProbabilityClassifier(LinearRegression(), threshold=thresholds).fit(X, y)
        assert model.predict(X).tolist() == ["no", "yes", "yes", "yes"]


@pytest.mark.parametrize("pos_label", ["no", "yes"])
def test_curves_find_costs_by_their_names(pos_label):
    y_true, p_yes = ["no", "yes", "yes"], np.array([0.4, 0.3, 0.8])
    scores = np.stack([1 - p_yes, p_yes], axis=1)
    curve = ThresholdCurve.from_scores(y_true, scores, pos_label=pos_label, thresholds=[0.5])
    for costs in (
        {("yes", "no"): 9, ("no", "yes"): 1},
        pd.DataFrame([[0, 9], [1, 0]], index=["yes", "no"], columns=["yes", "no"]),
    ):
        assert curve.score("expected_cost", cost_matrix=costs).tolist() == [9 / 3]


# Numbers of classes, each with a name that is none.

ANSWERS, GIVEN = ["ok", "ok", "ill", "ill", "ill"], ["ok", "ill", "ill", "ok", "ok"]
CLASSES = ["ill", "ok"]
P_OF_OK = np.array([0.9, 0.3, 0.2, 0.6, 0.7])
SCORED = np.column_stack([1 - P_OF_OK, P_OF_OK])
WRONG_COSTS = {("ok", "ill"): 1, ("ill", "OK"): 20}
WRONG_CUTS = {"ill": 0.2, "ok": 0.8, "OK": 0.8}
SCORES_OF_FRAME = pd.DataFrame({"y": ANSWERS, "ill": SCORED[:, 0], "ok": SCORED[:, 1]})


def fitted():
    """A model of the two classes."""
    return AnsweringClassifier(CLASSES, {"predict_proba": SCORED, "predict": GIVEN}).fit()


def by_scores(**options):
    """The doors that make labels of scores."""
    X, rows = np.zeros((5, 1)), {"y": ANSWERS}
    of_frame = {"scores": {"ill": "ill", "ok": "ok"}}
    return {
        "labels_from_scores": lambda: labels_from_scores(SCORED, classes=CLASSES, **options),
        "from_scores": lambda: ConfusionMatrix.from_scores(ANSWERS, SCORED, **options),
        "from_frame": lambda: ConfusionMatrix.from_frame(
            SCORES_OF_FRAME, actual="y", **of_frame, **options
        ),
        "from_estimator": lambda: ConfusionMatrix.from_estimator(fitted(), X, **rows, **options),
        "ConfusionScorer": lambda: ConfusionScorer("accuracy", **options)(fitted(), X, ANSWERS),
        "declared": lambda: ConfusionScorer("accuracy", classes=CLASSES, **options),
        "ProbabilityClassifier": lambda: ProbabilityClassifier(LinearRegression(), **options).fit(
            X, ANSWERS
        ),
        "cross-validated": lambda: cross_val_confusion_matrix(
            LogisticRegression(), X, ANSWERS, cv=2, **options
        ),
    }


def by_labels(function, metric, **options):
    """The doors that take the classes from labels."""
    cm = ConfusionMatrix.from_predictions(ANSWERS, GIVEN)
    curve = ThresholdCurve.from_scores(ANSWERS, SCORED, pos_label="ok")
    X, sign = np.zeros((5, 1)), "neg_" if "cost" in metric else ""
    return {
        "function": lambda: function(ANSWERS, GIVEN, **options),
        "score": lambda: cm.score(metric, **options),
        "interval": lambda: cm.interval(metric, n_resamples=100, **options),
        "compare": lambda: compare(ANSWERS, {"a": GIVEN, "b": ANSWERS}, metric, **options),
        "curve.score": lambda: curve.score(metric, **options),
        "curve.best": lambda: curve.best(metric, **options),
        "get_scorer": lambda: get_scorer(sign + metric, **options)(fitted(), X, ANSWERS),
    }


DOORS_OF_NAMES = {
    **{("costs", name): door for name, door in by_scores(cost_matrix=WRONG_COSTS).items()},
    **{("thresholds", name): door for name, door in by_scores(threshold=WRONG_CUTS).items()},
    **{
        ("costs", name): door
        for name, door in by_labels(expected_cost, "expected_cost", cost_matrix=WRONG_COSTS).items()
    },
    **{
        ("weights", name): door
        for name, door in by_labels(cohen_kappa_score, "cohen_kappa", weights=WRONG_COSTS).items()
    },
    ("weights", "agreement"): lambda: agreement(
        np.column_stack([ANSWERS, GIVEN]), weights={("ok", "OK"): 1, ("OK", "ok"): 1}
    ),
    ("prevalence", "matrix"): lambda: ConfusionMatrix.from_predictions(
        ANSWERS, GIVEN
    ).at_prevalence({"OK": 0.1}),
}


@pytest.mark.parametrize("door", DOORS_OF_NAMES.values(), ids=map(" of ".join, DOORS_OF_NAMES))
def test_a_name_that_no_class_has_is_refused_with_both_lists_and_the_nearest(door):
    with pytest.raises(ValueError, match=r"'OK'.*, but the labels are \['ill', 'ok'\]") as caught:
        door()
    assert "so ['OK'] match no label (did you mean 'ok'?)" in str(caught.value)


def test_the_classes_of_a_model_and_of_y_are_known_to_scorers():
    costs = {("oak", "ash"): 10, ("ash", "elm"): 1, ("ash", "fir"): 1}
    answers = {"predict": ["ash", "elm", "elm"], "predict_proba": PERFECT[:3]}
    model, X = AnsweringClassifier([*NAMES, "fir"], answers).fit(), np.zeros((3, 1))
    # Neither oak nor fir occurs, and one in three costs 1.
    scorer = get_scorer("neg_expected_cost", cost_matrix=costs)
    assert scorer(model, X, ["ash", "elm", "ash"]) == -1 / 3
    assert get_scorer("cohen_kappa", weights=costs)(model, X, ["ash", "elm", "elm"]) == 1
    # fir occurs, but the model never saw it.
    unseen = AnsweringClassifier(NAMES, answers).fit()
    for options in (
        {"cost_matrix": MORE_CLASSES},
        {"threshold": dict.fromkeys([*NAMES, "fir"], 1)},
    ):
        with pytest.warns(UserWarning, match="never saw"):
            ConfusionScorer("accuracy", **options)(unseen, X, ["ash", "elm", "fir"])


MISSPELLED = {"classes": ["ill", "okay"]}
DOORS_OF_A_MODEL = {
    "from_estimator": partial(ConfusionMatrix.from_estimator, **MISSPELLED),
    "threshold": partial(ConfusionMatrix.from_estimator, threshold=0.5, **MISSPELLED),
    "ConfusionScorer": ConfusionScorer("accuracy", **MISSPELLED),
    "of scores": ConfusionScorer("accuracy", response_method="predict_proba", **MISSPELLED),
    "get_scorer": get_scorer("recall", pos_label="ill", **MISSPELLED),
    "folds": lambda _, X, y: cross_val_confusion_matrix(
        DecisionTreeClassifier(), X, y, cv=2, **MISSPELLED
    ),
}


@pytest.mark.parametrize("door", DOORS_OF_A_MODEL.values(), ids=DOORS_OF_A_MODEL)
def test_classes_that_lack_one_of_the_models_are_refused_by_their_names(door):
    message = r"classes=\['ill', 'okay'\] do not match .* whose classes_ are \['ill', 'ok'\]"
    with pytest.raises(ValueError, match=message):
        door(fitted(), np.zeros((5, 1)), ANSWERS)


def test_a_class_in_no_pair_costs_nothing():
    costs = {("ash", "elm"): 1}
    assert expected_cost(ACTUAL, PREDICTED, cost_matrix=costs) == 1 / 4
    cm = ConfusionMatrix.from_predictions(ACTUAL, PREDICTED)
    assert cm.score("expected_cost", cost_matrix=costs) == 1 / 4
    # ash and oak cost nothing, of which ash is the first.
    least = labels_from_scores(PERFECT, classes=NAMES, cost_matrix=costs)
    assert least.tolist() == ["ash"] * 4
    incomplete = pd.DataFrame([[0, 1], [1, 0]], NAMES[:2], NAMES[:2])
    message = r"named \['ash', 'elm'\], but the labels are \['ash', 'elm', 'oak'\]"
    with pytest.raises(ValueError, match=message):
        expected_cost(ACTUAL, PREDICTED, cost_matrix=incomplete)
    scorer = get_scorer(
        "neg_expected_cost", cost_matrix=incomplete, response_method="predict_proba"
    )
    with pytest.raises(ValueError, match=message):
        scorer(model_of_trees(), np.zeros((4, 1)), np.array(ACTUAL))


def test_a_declared_class_that_does_not_occur_has_costs_and_thresholds():
    all_four = [*NAMES, "fir"]
    for costs in (MORE_CLASSES, MORE_CLASSES.stack().to_dict()):
        options = {"cost_matrix": costs}
        assert expected_cost(ACTUAL, PREDICTED, labels=all_four, **options) == TOTAL / 4
        cm = ConfusionMatrix.from_predictions(ACTUAL, PREDICTED, labels=all_four)
        assert cm.score("expected_cost", **options) == TOTAL / 4
        X = np.zeros((4, 1))
        scorer = ConfusionScorer("accuracy", classes=all_four, **options)
        least = (PERFECT @ COSTS).argmin(axis=1)
        assert scorer(model_of_trees(), X, ACTUAL) == np.mean(np.take(NAMES, least) == ACTUAL)
        # Those of a model and of y are known, too: it never saw fir, which occurs.
        scorer = get_scorer("neg_expected_cost", response_method="predict_proba", **options)
        with pytest.warns(UserWarning, match="never saw"):
            value = scorer(model_of_trees(), X, ["ash", "elm", "oak", "fir"])
        assert value == -(0 + 0 + 1 + 50) / 4
        with pytest.raises(ValueError, match=r"\['fir'\] match no label"):
            expected_cost(ACTUAL, PREDICTED, **options)


@pytest.mark.parametrize("costs", [{"ash": 1}, {("ash", "elm", "oak"): 1}])
def test_a_dict_of_costs_without_pairs_is_refused(costs):
    with pytest.raises(
        ValueError, match=r"must have pairs as keys, \{\(actual, predicted\): number\}"
    ):
        expected_cost(ACTUAL, PREDICTED, cost_matrix=costs)


# Thresholds.


@pytest.mark.parametrize(
    "thresholds",
    [{"oak": 0.9, "ash": 0.2, "elm": 0.4}, pd.Series([0.9, 0.4, 0.2], index=["oak", "elm", "ash"])],
    ids=["dict", "Series"],
)
def test_thresholds_are_found_by_their_names(thresholds):
    expected = [NAMES[k] for k in (PERFECT / [0.2, 0.4, 0.9]).argmax(axis=1)]
    assert labels_from_scores(PERFECT, classes=NAMES, threshold=thresholds).tolist() == expected
    turned = labels_from_scores(
        PERFECT[:, TURNED], classes=[NAMES[k] for k in TURNED], threshold=thresholds
    )
    assert turned.tolist() == expected
    accuracy = np.mean([one == other for one, other in zip(expected, LABELS["str"], strict=True)])
    scorer = ConfusionScorer("accuracy", threshold=thresholds)
    assert scorer(model_of_trees(), np.zeros((4, 1)), LABELS["str"]) == accuracy


def test_thresholds_of_multilabel_columns_are_found_by_their_names():
    scores = pd.DataFrame({name: 0.5 + 0.1 * np.array(values) for name, values in TAGS.items()})
    thresholds = {"arts": 0.55, "news": 0.7, "sport": 0.55}
    cm = ConfusionMatrix.from_scores(pd.DataFrame(TAGS), scores, threshold=thresholds)
    assert cm.score("recall").tolist() == [1, 0, 1]


def test_a_series_with_a_default_index_names_nothing():
    scores = pd.Series([0.2, 0.4, 0.9])
    assert (
        labels_from_scores(PERFECT, threshold=scores).tolist()
        == (PERFECT / scores.to_numpy()).argmax(1).tolist()
    )


def test_thresholds_that_lack_a_class_are_refused_with_both_lists():
    with pytest.raises(
        ValueError,
        match=r"thresholds are named \['ash', 'elm'\], but the labels are \['ash', 'elm', 'oak'\]",
    ):
        labels_from_scores(PERFECT, classes=NAMES, threshold={"ash": 0.1, "elm": 0.2})


# Counts.


def test_a_matrix_is_read_by_its_names_and_keeps_its_design():
    options = {"by": [0, 0, 1, 1], "clusters": [1, 1, 2, 2]}
    cm = ConfusionMatrix.from_predictions(ACTUAL, PREDICTED, **options)
    for found in (ConfusionMatrix.from_counts(cm), ConfusionMatrix.from_counts(cm, NAMES)):
        assert found == cm
        assert repr(found.sum("group").design) == repr(cm.sum("group").design)
    order = ["oak", "ash", "elm", "fir"]
    turned = ConfusionMatrix.from_predictions(ACTUAL, PREDICTED, labels=order, **options)
    found = ConfusionMatrix.from_counts(cm, labels=order)
    assert found == turned
    assert found.ranking.tolist() == order
    limits = (one.sum("group").interval("accuracy") for one in (found, turned))
    with pytest.warns(UserWarning, match="clusters"):
        first, second = limits
    assert (first.low, first.high) == (second.low, second.high)
    with pytest.raises(ValueError, match=r"must include all labels .* also have \['oak'\]"):
        ConfusionMatrix.from_counts(cm, labels=["ash", "elm", "Oak"])


def test_a_dict_of_dicts_is_by_actual_class():
    # pycm.ConfusionMatrix(ACTUAL, PREDICTED).table, whose rows have all classes.
    full = {
        "ash": {"ash": 0, "elm": 1, "oak": 0},
        "elm": {"ash": 0, "elm": 1, "oak": 0},
        "oak": {"ash": 1, "elm": 0, "oak": 1},
    }
    some = {"oak": {"oak": 1, "ash": 1}, "elm": {"elm": 1}, "ash": {"elm": 1}}
    expected = ConfusionMatrix.from_predictions(ACTUAL, PREDICTED)
    for table in (full, some):
        cm = ConfusionMatrix.from_counts(table)
        assert cm == expected
        assert cm.counts.dtype == np.int64
        turned = ConfusionMatrix.from_counts(table, labels=NAMES[::-1])
        assert turned == expected.with_labels(NAMES[::-1])
    with pytest.raises(ValueError, match=r"labels=\['ash', 'elm'\] lacks \['oak'\]"):
        ConfusionMatrix.from_counts(some, labels=["ash", "elm"])
    costs = {"ash": {"elm": 3}, "oak": {"oak": 1, "ash": 10}}
    assert expected_cost(ACTUAL, PREDICTED, cost_matrix=costs) == TOTAL / 4


def test_a_crosstab_is_a_confusion_matrix():
    actual, predicted = (
        np.array(["oak", "ash", "oak", "elm"]),
        np.array(["oak", "oak", "ash", "fir"]),
    )
    cm = ConfusionMatrix.from_counts(pd.crosstab(actual, predicted))
    assert cm == ConfusionMatrix.from_predictions(actual, predicted)
    assert cm.labels.tolist() == ["ash", "elm", "fir", "oak"]
    assert cm.pos_label is None


def test_labels_align_a_crosstab_and_never_rename_it():
    table = pd.crosstab(np.array([2, 1, 2, 1]), np.array([2, 2, 2, 1]))
    cm = ConfusionMatrix.from_counts(table, labels=[2, 1])
    assert cm == ConfusionMatrix.from_predictions([2, 1, 2, 1], [2, 2, 2, 1], labels=[2, 1])
    assert cm.pos_label == 1
    assert ConfusionMatrix.from_counts(table, labels=[1, 2, 3]).counts.sum() == 4
    for labels in (["no", "yes"], [1, 3]):
        with pytest.raises(
            ValueError, match=r"counts has rows \[1, 2\] and columns \[1, 2\], but labels="
        ):
            ConfusionMatrix.from_counts(table, labels=labels)


def test_counts_without_names_need_labels():
    with pytest.raises(ValueError, match="counts without names need labels="):
        ConfusionMatrix.from_counts([[1, 2], [3, 4]])
    frame = pd.DataFrame([[1, 2], [3, 4]])
    assert ConfusionMatrix.from_counts(frame, labels=["a", "b"]).counts.tolist() == [[1, 2], [3, 4]]


def test_counts_with_a_name_twice_are_refused():
    with pytest.raises(ValueError, match="holds duplicates"):
        ConfusionMatrix.from_counts(
            pd.DataFrame([[1, 2], [3, 4]], index=["a", "a"], columns=["a", "b"]), labels=["a", "b"]
        )


# Indices of Series.

TRUE = pd.Series(["no", "yes", "yes"], index=[10, 20, 30])
PRED = pd.Series(["yes", "no", "yes"], index=[20, 10, 30])
IN_TWO_ORDERS = r"pandas objects with the same index in different orders.*\.loc\[y_true\.index\]"


@pytest.mark.parametrize(
    "call",
    [
        lambda: accuracy_score(TRUE, PRED),
        lambda: f1_score(TRUE, PRED, pos_label="yes"),
        lambda: ConfusionMatrix.from_predictions(TRUE, PRED),
        lambda: classification_report(TRUE, PRED),
        lambda: accuracy_score(TRUE, TRUE, sample_weight=pd.Series([1, 2, 3], index=PRED.index)),
        lambda: ConfusionMatrix.from_predictions(
            TRUE, TRUE, by=pd.Series(["a", "b", "c"], index=PRED.index)
        ),
        lambda: ConfusionMatrix.from_scores(
            TRUE, pd.Series([0.1, 0.2, 0.3], index=PRED.index), classes=["no", "yes"]
        ),
        lambda: ConfusionMatrix.from_scores(TRUE, pd.DataFrame(PERFECT[:3, :2], index=PRED.index)),
        lambda: ThresholdCurve.from_scores(
            TRUE, pd.Series([0.1, 0.2, 0.3], index=PRED.index), pos_label="yes"
        ),
        lambda: ThresholdCurve.from_scores(
            TRUE, [0.1, 0.2, 0.3], pos_label="yes", sample_weight=PRED == "yes"
        ),
        lambda: ThresholdCurves.from_scores(TRUE, pd.DataFrame(PERFECT[:3, :2], index=PRED.index)),
        lambda: recall_score(
            pd.DataFrame(TAGS, index=TRUE.index), pd.DataFrame(TAGS, index=PRED.index), average=None
        ),
    ],
)
def test_series_in_two_orders_are_refused(call):
    with pytest.raises(ValueError, match=IN_TWO_ORDERS):
        call()


@pytest.mark.parametrize(
    ("of_b", "options"),
    [
        (PRED, {"clusters": pd.Series(["a", "b", "c"], index=TRUE.index)}),
        (PRED, {"strata": pd.Series(["a", "b", "c"], index=TRUE.index)}),
        (TRUE, {}),
    ],
    ids=["clusters", "strata", "another model"],
)
def test_predictions_of_two_orders_are_refused_where_y_true_is_a_list(of_b, options):
    with pytest.raises(ValueError, match=r"'b'.*pandas objects"):
        compare(TRUE.to_list(), {"a": PRED.to_list(), "b": of_b, "c": PRED}, "accuracy", **options)


def test_the_prediction_and_the_weights_of_a_scorer_are_compared_with_its_labels():
    probabilities = pd.DataFrame(PERFECT[:3, :2], index=PRED.index)
    model = Answering(PRED, predict_proba=probabilities, classes=["no", "yes"])
    scorer = ConfusionScorer("accuracy")
    with pytest.raises(ValueError, match="y_true and y_pred are pandas objects"):
        scorer(model, None, TRUE)
    with pytest.raises(ValueError, match="y_true and what predict_proba gives are pandas objects"):
        ConfusionScorer("accuracy", threshold=0.5, pos_label="yes")(model, None, TRUE)
    with pytest.raises(ValueError, match="y_true and sample_weight are pandas objects"):
        scorer(
            model, None, TRUE.loc[PRED.index], sample_weight=pd.Series([1, 2, 3], index=TRUE.index)
        )


@pytest.mark.parametrize(
    "pred",
    [
        PRED.loc[TRUE.index],
        PRED.reset_index(drop=True),
        PRED.set_axis([1, 2, 3]),
        PRED.set_axis([20, 20, 30]),
        PRED.to_numpy(),
        pl.Series(PRED.to_list()),
        PRED.set_axis([10.0, 20.0, 30.0]),
    ],
    ids=["same", "default", "others", "duplicates", "array", "polars", "as floats"],
)
def test_what_is_no_reordering_counts_by_position(pred):
    expected = np.mean(TRUE.to_numpy() == np.asarray(pred))
    assert accuracy_score(TRUE, pred) == expected


def test_a_default_index_names_nothing_in_predictions_but_does_in_weights_and_groups():
    true = pd.Series(["no", "yes", "yes"], index=[2, 0, 1])
    assert accuracy_score(true, pd.Series(["no", "yes", "no"])) == 2 / 3
    scores = pd.Series([0.1, 0.9, 0.8])
    assert ThresholdCurve.from_scores(true, scores, pos_label="yes").roc_auc() == 1
    with pytest.raises(ValueError, match=IN_TWO_ORDERS):
        accuracy_score(true, ["no", "yes", "no"], sample_weight=scores)
    with pytest.raises(ValueError, match=IN_TWO_ORDERS):
        ConfusionMatrix.from_predictions(true, ["no", "yes", "no"], by=pd.Series(["a", "b", "c"]))


# A range that does not start at 0 is no default index.
LATER = pd.RangeIndex(5, 9)
DAYS = pd.date_range("2026-01-01", periods=5)
BOTH = "y_true and y_pred"
LEVELS = pd.Series(pd.Categorical(["b", "a", "b", "a"], ["b", "a"], ordered=True), LATER)


def of_part(overlap, call, names):
    """The value, after the one warning that only some entries are in both indices."""
    with pytest.warns(UserWarning, match="only some entries in common") as caught:
        value = call()
    assert [str(warning.message).partition(" are matched by")[0] for warning in caught] == [names]
    assert overlap in str(caught[0].message)
    assert caught[0].filename == __file__
    return value


def test_indices_with_some_entries_in_common_warn_and_count_by_position():
    actual, predicted = pd.Series([0, 1, 1, 0, 1]), pd.Series([1, 1, 1, 0, 0])
    value = of_part(
        "3 is only in that of y_true and 0 is only in that of y_pred",
        lambda: accuracy_score(actual.iloc[1:], predicted.drop(3)),
        BOTH,
    )
    assert value == np.mean(np.array([1, 1, 0, 1]) == [1, 1, 1, 0])
    # A lagged baseline: each day's label is predicted to be that of the day before.
    days = actual.set_axis(DAYS)
    lagged = of_part("2026-01-05", lambda: accuracy_score(days[1:], days[:-1]), BOTH)
    assert lagged == 1 / 4


@pytest.mark.parametrize(
    ("names", "call"),
    [
        (BOTH, lambda true, other: ConfusionMatrix.from_predictions(true, other)),
        (BOTH, lambda true, other: classification_report(true, other)),
        ("y_true and y_score", lambda true, other: ThresholdCurve.from_scores(true, other / 2)),
        (
            "y_true and y_score",
            lambda true, other: ConfusionMatrix.from_scores(true, other / 2, threshold=0.2),
        ),
        (
            "y_true and sample_weight",
            lambda true, other: f1_score(true, [1, 0, 1, 0], sample_weight=other + 1),
        ),
        (
            "y_true and by",
            lambda true, other: ConfusionMatrix.from_predictions(true, [1, 0, 1, 0], by=other),
        ),
        (
            "y_true and by['g']",
            lambda true, other: ConfusionMatrix.from_predictions(
                true, [1, 0, 1, 0], by={"g": other}
            ),
        ),
    ],
)
def test_every_argument_with_an_index_of_some_entries_in_common_warns(names, call):
    true = pd.Series([1, 0, 0, 1], index=LATER)
    for index in ([7, 5, 6, 2], pd.RangeIndex(6, 10), pd.RangeIndex(4, 8)):
        of_part(
            "is only in that of y_true", partial(call, true, pd.Series([1, 0, 1, 0], index)), names
        )
    of_part(
        "2026-01-05",
        partial(call, true.set_axis(DAYS[1:]), pd.Series([1, 0, 1, 0], DAYS[:-1])),
        names,
    )
    pairs = [[(k, "x") for k in range(start, start + 4)] for start in (0, 2)]
    one, other = (pd.MultiIndex.from_tuples(pair) for pair in pairs)
    of_part("(0, 'x')", partial(call, true.set_axis(one), pd.Series([1, 0, 1, 0], other)), names)


def test_a_default_index_of_part_of_the_entries_names_groups_and_weights_but_no_predictions():
    true = pd.Series([1, 0, 0, 1], index=[3, 4, 5, 6])
    default = pd.Series([1, 0, 1, 0])
    assert accuracy_score(true, default) == 0.5
    of_part(
        "4 is only in that of y_true and 0 is only in that of by",
        lambda: ConfusionMatrix.from_predictions(true, default, by=default),
        "y_true and by",
    )
    of_part(
        "4 is only",
        lambda: accuracy_score(true, default, sample_weight=default),
        "y_true and sample_weight",
    )


@pytest.mark.parametrize("levels", [LEVELS, LEVELS.astype(str)], ids=["ordered", "strings"])
def test_the_index_of_groups_counts_whatever_their_type(levels):
    true = pd.Series([1, 0, 0, 1], index=LATER)
    cm = ConfusionMatrix.from_predictions(true, [1, 1, 0, 0], by=levels)
    assert cm.sel(group="a").score("recall") == 0
    for call in (
        lambda by: ConfusionMatrix.from_predictions(true, true, by=by),
        lambda by: ConfusionMatrix.from_predictions(true, true, by={"level": by}),
        lambda by: ThresholdCurves.from_scores(true, true / 2, by=by),
    ):
        with pytest.raises(ValueError, match=IN_TWO_ORDERS):
            call(levels[::-1])


def test_columns_of_groups_are_compared_with_each_other_where_the_labels_have_no_index():
    labels = [1, 0, 0, 1]
    for by in ([LEVELS, LEVELS[::-1]], {"a": labels, "b": LEVELS, "c": LEVELS[::-1]}):
        with pytest.raises(ValueError, match="pandas objects"):
            ConfusionMatrix.from_predictions(labels, labels, by=by)
    cm = ConfusionMatrix.from_predictions(
        labels, labels, by={"a": labels, "b": LEVELS, "c": LEVELS}
    )
    assert cm.counts.shape == (2, 2, 2, 2, 2)


def test_weights_are_compared_with_the_prediction_where_the_labels_have_no_index():
    weights = pd.Series([1, 2, 3], index=TRUE.index)
    with pytest.raises(ValueError, match="y_pred and sample_weight are pandas objects"):
        accuracy_score(TRUE.to_numpy(), PRED, sample_weight=weights)
    assert (
        accuracy_score(TRUE.to_numpy(), PRED.reset_index(drop=True), sample_weight=weights) == 3 / 6
    )


@pytest.mark.parametrize("classes", [["no", "yes"], ["yes", "no"]])
def test_one_hot_frames_keep_their_classes_in_the_order_that_is_named(classes):
    true = pd.DataFrame({"no": [1, 1, 0], "yes": [0, 0, 1]})
    scores = pd.DataFrame({"yes": [0.2, 0.3, 0.6], "no": [0.8, 0.7, 0.4]})
    cm = ConfusionMatrix.from_scores(true, scores, classes=classes)
    assert cm == ConfusionMatrix.from_predictions(
        ["no", "no", "yes"], ["no", "no", "yes"], labels=classes
    )
    areas = ThresholdCurves.from_scores(true, scores, classes=classes)
    assert (areas["no"].roc_auc(), areas["yes"].roc_auc()) == (1, 1)
    assert areas["no"].at(0.5).score("prevalence") == 2 / 3


def test_a_cost_that_is_no_number_is_named():
    with pytest.raises(TypeError, match="cost_matrix must hold numbers"):
        expected_cost(["a"], ["b"], cost_matrix={("a", "b"): "x"})


def test_floats_as_names_are_found():
    frame = pl.DataFrame({"1.0": [0.9, 0.1], "0.0": [0.1, 0.9]})
    assert ConfusionMatrix.from_scores([1.0, 0.0], frame).score("accuracy") == 1


# What a first attempt let through.


@pytest.mark.parametrize("pos_label", ["no", "yes"])
def test_the_name_of_a_single_column_must_be_that_of_its_class(pos_label):
    scores = pd.DataFrame({"no": [0.9, 0.2, 0.7]})
    y_true = ["no", "yes", "no"]
    if pos_label == "no":
        assert ThresholdCurve.from_scores(y_true, scores, pos_label="no").roc_auc() == 1
        assert ConfusionMatrix.from_scores(y_true, scores, pos_label="no").score("accuracy") == 1
        return
    for call in (
        lambda: ThresholdCurve.from_scores(y_true, scores, pos_label="yes"),
        lambda: ConfusionMatrix.from_scores(y_true, scores, pos_label="yes"),
        lambda: labels_from_scores(scores, classes=["no", "yes"]),
    ):
        with pytest.raises(ValueError, match=r"'no'.*interpreted.*'yes'"):
            call()
    assert (
        ThresholdCurve.from_scores(
            y_true, scores.rename(columns={"no": "score"}), pos_label="yes"
        ).roc_auc()
        == 0
    )


@pytest.mark.parametrize("order", [["a", "b"], ["b", "a"]])
def test_one_hot_frames_have_the_labels_that_their_columns_name(order):
    y = pd.Series(["b", "b", "a", "a"])
    scores = pd.DataFrame([[0.9, 0.1], [0.9, 0.1], [0.8, 0.2], [0.1, 0.9]], columns=["b", "a"])
    one_hot = pd.get_dummies(y)[order]
    expected = ConfusionMatrix.from_scores(y, scores)
    for options in ({}, {"classes": ["a", "b"]}):
        assert ConfusionMatrix.from_scores(one_hot, scores, **options) == expected
    assert ConfusionMatrix.from_scores(one_hot, scores).pos_label is None
    areas = ThresholdCurves.from_scores(one_hot, scores)
    assert areas["a"].roc_auc() == ThresholdCurve.from_scores(y, scores, pos_label="a").roc_auc()
    # 0.1 / 0.15 < 0.9 / 0.85, and 0.2 / 0.15 > 0.8 / 0.85.
    assert (
        ConfusionMatrix.from_scores(one_hot, scores, threshold={"a": 0.15, "b": 0.85}).score(
            "accuracy"
        )
        == 1
    )


@pytest.mark.parametrize("classes", [[2, 1], [1, 2]])
def test_arrays_are_in_ascending_order_whatever_the_order_of_classes_(classes):
    """The order of an estimator's classes_ is not the caller's."""
    of_a = np.array([0.9, 0.6, 0.2])
    probabilities = np.stack([of_a if name == 1 else 1 - of_a for name in classes], axis=1)
    answers = {"predict": np.array([1, 1, 2]), "predict_proba": probabilities}
    model = AnsweringClassifier(classes, answers).fit()
    X, y = np.zeros((3, 1)), np.array([1, 2, 2])
    costs = [[0, 1], [10, 0]]
    # One 2 is taken for 1.
    for scorer in (
        get_scorer("neg_expected_cost", cost_matrix=costs),
        get_scorer("neg_expected_cost", cost_matrix=costs, response_method="predict_proba"),
        ConfusionScorer("neg_expected_cost", cost_matrix=costs),
    ):
        assert scorer(model, X, y) == pytest.approx(-10 / 3)
    assert (
        ConfusionMatrix.from_estimator(model, X, y).score("expected_cost", cost_matrix=costs)
        == 10 / 3
    )
    # 1 where p / 0.8 > (1 - p) / 0.2, for p = 0.9 alone; and where 1 p < 10 (1 - p) fails, for
    # none.
    assert ConfusionScorer("accuracy", threshold=[0.8, 0.2])(model, X, y) == 1
    # The cost of predicting 1 is 10 (1 - p), of predicting 2 p: 1 > 0.9, 4 > 0.6 and 8 > 0.2.
    assert ConfusionScorer("accuracy", cost_matrix=costs)(model, X, y) == 2 / 3


def test_a_classifier_reads_the_classes_and_the_names_inside():
    X, y = np.arange(4.0)[:, None], np.array(["n", "n", "y", "y"])
    turned = np.stack([X[:, 0] / 3, 1 - X[:, 0] / 3], axis=1)
    for classes, answer in (([1, 0], turned), ([0, 1], pd.DataFrame(turned, columns=[1, 0]))):
        model = ProbabilityClassifier(AnsweringClassifier(classes, {"predict_proba": answer})).fit(
            X, y
        )
        assert model.predict(X).tolist() == y.tolist()


def test_named_options_of_a_classifier_do_not_hinder_what_fits_to_numbers():
    X, y = np.arange(8.0)[:, None], np.array(["no", "yes"])[np.arange(8) // 4]
    for options in (
        {"threshold": {"no": 0.7, "yes": 0.3}},
        {"cost_matrix": {("no", "yes"): 1, ("yes", "no"): 5}},
    ):
        model = ProbabilityClassifier(LinearRegression(), **options)
        assert cross_val_predict(model, X, y, method="predict_proba", cv=2).shape == (8, 2)


LETTERS = pd.Series(list("aabbcc") * 5)
GUESSES = pd.Series(list("abbbca") * 5)


NUMBERS = {"a": 1, "b": 2, "c": 3}
SIDES_OF_CROSSTABS = {
    "letters": (LETTERS, GUESSES),
    "numbers": (LETTERS.map(NUMBERS), GUESSES.map(NUMBERS)),
    "a class that is only predicted": (LETTERS[LETTERS != "c"], GUESSES[LETTERS != "c"]),
}


@functools.cache
def crosstab(kind, **options):
    """The table of two of the sides, which takes pandas long."""
    return pd.crosstab(*SIDES_OF_CROSSTABS[kind], **options)


@pytest.mark.parametrize(
    ("normalize", "margins_name", "decimals"),
    one_in(3, [False, "all", "index", "columns"], ["All", "Total", "zero"], [None, 2, 3]),
)
def test_margins_of_a_crosstab_are_refused(normalize, margins_name, decimals):
    """The slow ones guard all combinations, of which plain pytest has each pair."""
    for kind, (actual, guessed) in SIDES_OF_CROSSTABS.items():
        table = crosstab(kind, margins=True, margins_name=margins_name, normalize=normalize)
        table = table.copy() if decimals is None else table.round(decimals)
        for options in ({}, {"labels": sorted({*actual, *guessed})}):
            with pytest.raises(ValueError, match=f"totals in .*'{margins_name}'.*margins=False"):
                ConfusionMatrix.from_counts(table, **options)
        plain = crosstab(kind, normalize=normalize)
        assert ConfusionMatrix.from_counts(plain).labels.tolist() == sorted({*actual, *guessed})
    # Where the caller lists it, it is a class.
    table = crosstab("letters", margins=True, margins_name=margins_name, normalize=False)
    cm = ConfusionMatrix.from_counts(table, labels=["a", "b", "c", margins_name])
    assert cm.counts.sum() == 4 * len(LETTERS)


@pytest.mark.parametrize(
    "make", [lambda table: table, lambda table: table.T], ids=["row", "column"]
)
def test_totals_of_one_side_are_refused(make):
    table = pd.crosstab(LETTERS, GUESSES)
    table.loc["x"] = table.sum()
    with pytest.raises(ValueError, match=r"totals in the last (row|column), 'x', which"):
        ConfusionMatrix.from_counts(make(table))


@pytest.mark.parametrize(
    "table",
    [
        # Useless models, a constant one, shares, and a class that is as frequent as two others.
        pd.DataFrame([[3, 1], [3, 1]], list("ab"), list("ab")),
        pd.DataFrame([[5, 5], [5, 5]], list("ab"), list("ab")),
        pd.DataFrame([[25], [25], [50]], list("abc"), ["a"]),
        pd.DataFrame([[5, 0], [0, 5], [4, 6]], list("abc"), list("ab")),
        pd.DataFrame([[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.3, 0.3, 0.4]], list("abc"), list("abc")),
        pd.DataFrame([[3, 1, 2], [1, 3, 1], [4, 4, 3]], list("abc"), list("abc")),
        pd.DataFrame([[0, 0], [0, 0]], list("ab"), list("ab")),
        pd.DataFrame([[4]], ["a"], ["a"]),
        pd.DataFrame([[0, 4]], ["a"], ["a", "b"]),
        # Between rows that were not rounded, whole numbers do not differ by a little.
        pd.DataFrame([[30, 1], [1, 30], [31, 30]], list("abc"), list("ab")),
    ],
)
def test_classes_that_only_look_like_totals_are_classes(table):
    cm = ConfusionMatrix.from_counts(table)
    assert cm.counts.sum() == pytest.approx(table.to_numpy().sum())
    assert cm.labels.tolist() == sorted({*table.index, *table.columns})


NAMES_OF_SIDES = [
    ("truth", "predicted"),
    ("y_true", "y_pred"),
    ("actual class", "my model"),
    ("species", "Prediction"),
    (None, "yhat"),
    ("Truth", None),
    ("target", "guess"),
    ("y_test", "rf"),
    ("observed", "forecast"),
    (3, "pred"),
    ("disease", "test"),
    ("human", "LLM judge"),
    ("gold", "model"),
    ("reference standard", "test result"),
]


@pytest.mark.parametrize(
    ("rows", "columns", "offered"),
    [
        (["Actual Negative", "Actual Positive"], ["Predicted Negative", "Predicted Positive"], []),
        (["true_no", "true_yes"], ["pred_no", "pred_yes"], ["no", "yes"]),
        (["yes", "no"], ["P(yes)", "P(no)"], ["yes", "no"]),
        (["Disease +", "Disease -"], ["Test +", "Test -"], ["+", "-"]),
        (["ash (gold)", "elm (gold)"], ["elm", "ash", "oak"], None),
        (["no", "yes"], ["0", "1"], None),
    ],
)
def test_sides_without_a_name_in_common_are_refused(rows, columns, offered):
    offered = ["Negative", "Positive"] if offered == [] else offered
    table = pd.DataFrame(np.arange(len(rows) * len(columns)).reshape(len(rows), -1), rows, columns)
    with pytest.raises(ValueError, match=r"no class in common.*name the classes alike") as caught:
        ConfusionMatrix.from_counts(table)
    said = "" if offered is None else f", such as counts.set_axis({offered}, axis=0)"
    assert f"name the classes alike on both sides{said}" in str(caught.value)
    if offered is not None:
        named = table.set_axis(offered, axis=0).set_axis(offered, axis=1)
        cm = ConfusionMatrix.from_counts(named, labels=offered)
        assert cm.counts.tolist() == table.to_numpy().tolist()
    # Listed, they are classes; one name a side may be all that occurred.
    all_of_them = ConfusionMatrix.from_counts(table, labels=[*rows, *columns])
    assert all_of_them.score("accuracy") == 0
    assert ConfusionMatrix.from_counts(table.iloc[:1, :1] + 1).counts.sum() == 1


@pytest.mark.parametrize(("rows", "columns"), NAMES_OF_SIDES)
def test_the_name_of_either_side_of_a_table_says_which_it_is(rows, columns):
    table = pd.crosstab(LETTERS, GUESSES).rename_axis(index=rows, columns=columns)
    expected = ConfusionMatrix.from_predictions(LETTERS, GUESSES)
    assert ConfusionMatrix.from_counts(table) == expected
    assert ConfusionMatrix.from_counts(table.T) == expected
    assert ConfusionMatrix.from_counts(table.T, labels=["c", "a", "b"]) == expected.with_labels(
        ["c", "a", "b"]
    )
    costs = pd.DataFrame([[0, 5, 1], [1, 0, 1], [2, 2, 0]], list("abc"), list("abc"))
    costs = costs.rename_axis(index=rows, columns=columns)
    value = (expected.counts * costs.to_numpy()).sum() / len(LETTERS)
    assert expected_cost(LETTERS, GUESSES, cost_matrix=costs) == pytest.approx(value)
    assert expected_cost(LETTERS, GUESSES, cost_matrix=costs.T) == pytest.approx(value)


@pytest.mark.parametrize(
    ("rows", "columns"), [("pred_a", "pred_b"), ("y_true", "target"), ("estimate", "forecast")]
)
def test_names_of_both_sides_that_say_the_same_are_refused(rows, columns):
    table = pd.crosstab(LETTERS.rename(rows), GUESSES.rename(columns))
    with pytest.raises(ValueError, match=r"both say (actual|predicted) classes.*rename_axis"):
        ConfusionMatrix.from_counts(table)
    named = table.rename_axis(index="actual", columns="predicted")
    assert ConfusionMatrix.from_counts(named) == ConfusionMatrix.from_predictions(LETTERS, GUESSES)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ("target", "target"),
        (None, None),
        ("x", "y"),
        ("true predicted", "z"),
        ("structure", "hatch"),
        ("judge 1", "judge 2"),
        ("model a", "model b"),
        ("human judge", "human"),
        ("test", "site"),
        ("test", "reference test"),
    ],
)
def test_names_that_say_nothing_of_the_sides_leave_them(rows, columns):
    table = pd.crosstab(LETTERS, GUESSES).rename_axis(index=rows, columns=columns)
    expected = ConfusionMatrix.from_predictions(LETTERS, GUESSES)
    assert ConfusionMatrix.from_counts(table) == expected
    assert ConfusionMatrix.from_counts(table.T) != expected


def test_numbers_as_text_are_found_whatever_their_type():
    assert labels_from_scores(
        pd.DataFrame([[0.9, 0.1]], columns=["1.0", "0.0"]), classes=[0.0, 1.0]
    ).tolist() == [1]
    assert labels_from_scores(
        pd.DataFrame([[0.9, 0.1]], columns=[1, 0]), classes=["0", "1"]
    ).tolist() == ["1"]
    narrow = pl.DataFrame({"0": [0.1, 0.2], "1": [0.1, 0.2], "300": [0.8, 0.6]})
    assert ConfusionMatrix.from_scores(np.array([0, 1], dtype=np.int8), narrow).labels.tolist() == [
        0,
        1,
        300,
    ]
    true = pd.DataFrame([[1, 0], [1, 1], [0, 1], [0, 0]], columns=[10, 20])
    pred = pl.DataFrame({"20": [0, 1, 1, 0], "10": [1, 1, 0, 0]})
    assert f1_score(true, pred, average=None).tolist() == [1, 1]
    counts = pl.DataFrame({"0": [5, 2], "1": [1, 4]})
    assert ConfusionMatrix.from_counts(counts, labels=[0, 1]).counts.tolist() == [[5, 1], [2, 4]]


@pytest.mark.parametrize("value", ["3", [1, 2]])
def test_values_of_a_dict_that_are_no_numbers_are_named(value):
    with pytest.raises(TypeError, match="cost_matrix must hold numbers"):
        expected_cost(["a"], ["b"], cost_matrix={("a", "b"): value})
    with pytest.raises(TypeError, match="threshold must hold numbers"):
        labels_from_scores(PERFECT[:, :2], classes=["a", "b"], threshold={"a": value, "b": 1})


def test_weights_of_all_folds_are_compared_with_the_labels():
    y = pd.Series(["no", "yes"] * 4, index=range(10, 18))
    weights = pd.Series(np.arange(8.0), index=y.index[::-1])
    with pytest.raises(ValueError, match="y and sample_weight are pandas objects"):
        skmetrics_ext.cross_val_confusion_matrix(
            LinearRegression(), np.zeros((8, 1)), y, params={"sample_weight": weights}
        )


def test_the_single_column_of_one_class_is_not_read_as_that_of_another():
    scores = pd.DataFrame({"oak": [0.1, 0.2, 0.7, 0.8]})
    assert ThresholdCurve.from_scores(LABELS["str"], scores, pos_label="oak").roc_auc() == 1
    with pytest.raises(ValueError, match=r"'oak'.*interpreted.*'elm'"):
        ThresholdCurve.from_scores(LABELS["str"], scores, pos_label="elm")


def test_averages_of_a_multilabel_matrix_are_over_its_labels():
    true, pred = pd.DataFrame(TAGS), pd.DataFrame(MISSED)
    weights = np.arange(1, len(true) + 1)
    cm = ConfusionMatrix.from_predictions(true, pred, sample_weight=weights)
    assert cm.axes[0].coordinates.tolist() == list(TAGS)
    for average in ("macro", "micro", "weighted", None):
        expected = sklearn.metrics.recall_score(true, pred, average=average, sample_weight=weights)
        np.testing.assert_allclose(cm.score("recall", average=average), expected)
    assert cm.score("recall_worst") == min(cm.score("recall"))
    assert cm.score("recall_macro", labels=["arts", "sport"]) == cm.score("recall")[[2, 0]].mean()
    np.testing.assert_array_equal(cm.score("recall"), cm.score("recall", average=None))
    with pytest.raises(
        ValueError, match=r"labels=\['opera'\].*not among.*\['sport', 'news', 'arts'\]"
    ):
        cm.score("recall_macro", labels=["opera"])


def test_a_fold_axis_stays_beside_the_label_axis():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = pd.DataFrame({"up": X[:, 0] > 0, "right": X[:, 1] > 0.2, "both": (X > 0).all(1)}).astype(
        int
    )
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    cm = cross_val_confusion_matrix(model, X, y, cv=3)
    assert [axis.name for axis in cm.axes] == ["fold", "label"]
    assert cm.axes[1].coordinates.tolist() == ["up", "right", "both"]
    assert cm.score("f1").shape == (3, 3)
    np.testing.assert_allclose(cm.score("f1_macro"), cm.score("f1").mean(axis=1))
    named = cross_val_confusion_matrix(model, X, y.to_numpy(), cv=3, labels=["up", "right", "both"])
    assert named == cm
    with pytest.raises(ValueError, match=r"'right'.*list all columns"):
        cross_val_confusion_matrix(model, X, y, cv=3, labels=["right"])


@pytest.mark.parametrize("form", ["frame", "array"])
def test_scores_of_labels_have_their_names_as_keys(form):
    true, pred = pd.DataFrame(TAGS), pd.DataFrame(MISSED)
    labels = None
    if form == "array":
        true, pred, labels = true.to_numpy(), pred.to_numpy(), list(TAGS)
    model = AnsweringClassifier([0, 1, 2], {"predict": pred}).fit()
    scores = ConfusionScorer(["recall_macro"], per_class=True, labels=labels)(model, None, true)
    assert list(scores) == ["recall_macro", "recall_sport", "recall_news", "recall_arts"]
    assert list(scores.values()) == [np.mean(RECALLS), *RECALLS]
    broken = AnsweringClassifier([0, 1, 2], {"predict": None}).fit()
    with pytest.warns(UserWarning, match="set to NaN"):
        assert list(
            ConfusionScorer(["recall_macro"], per_class=True, labels=labels)(broken, None, true)
        ) == list(scores)


def test_labels_of_multilabel_data_choose_by_name_or_by_number():
    true, pred = pd.DataFrame(TAGS), pd.DataFrame(MISSED)
    for labels in (["arts", "sport"], [2, 0]):
        assert recall_score(true, pred, labels=labels, average=None).tolist() == [
            RECALLS[2],
            RECALLS[0],
        ]
        report = classification_report(true, pred, labels=labels, output_dict=True, zero_division=0)
        assert [name for name in report if "avg" not in name] == ["arts", "sport"]
    assert (
        recall_score(true.to_numpy(), pred.to_numpy(), labels=list(TAGS), average=None).tolist()
        == RECALLS
    )
    numbered = true.set_axis([10, 20, 30], axis=1), pred.set_axis([10, 20, 30], axis=1)
    assert recall_score(*numbered, labels=[30, 10], average=None).tolist() == [
        RECALLS[2],
        RECALLS[0],
    ]
    with pytest.raises(
        ValueError, match=r"labels=\[0, 1\] are not labels of these multilabel data"
    ):
        recall_score(*numbered, labels=[0, 1], average=None)
    with pytest.raises(ValueError, match=r"labels=\['opera'\] are not labels.*data: \['sport'"):
        recall_score(true, pred, labels=["opera"], average=None)
    for names in (["a", "a", "b"], ["a", 1, 2.5]):
        odd = true.set_axis(names, axis=1), pred.set_axis(names, axis=1)
        assert recall_score(*odd, average=None).tolist() == RECALLS


def test_labels_by_number_are_names_where_names_are_written_so():
    values, missed = (np.column_stack(list(data.values())) for data in (TAGS, MISSED))
    expected = [RECALLS[0]]
    for names in ([2, 0, 1], ["2", "0", "1"], ["2", "a", "b"]):
        for library in FRAMES if names[1] != 0 else ["pandas"]:
            true, pred = (
                FRAMES[library](dict(zip(names, data.T, strict=True))) for data in (values, missed)
            )
            assert recall_score(true, pred, labels=[2], average=None).tolist() == expected
    true, pred = (pd.DataFrame(data, columns=["2", "a", "b"]) for data in (values, missed))
    with pytest.raises(
        ValueError, match=r"labels=\[2, 1\] are not labels of these multilabel data"
    ):
        recall_score(true, pred, labels=[2, 1], average=None)


class ScoresInOrder(AnsweringClassifier):
    """Scores of the columns of TAGS in an order of its own, a row for each value of X."""

    def __init__(self, order=(0, 1, 2)):
        self.order = order

    def fit(self, *_):
        self.fitted_ = True
        return self

    def predict(self, X):
        scores = 0.1 + 0.6 * np.column_stack(list(MISSED.values()))
        return scores[:, list(self.order)][np.asarray(X)[:, 0].astype(int)]


def test_folds_of_several_labels_stand_in_the_order_of_their_names():
    true = pd.DataFrame(TAGS)
    X = np.arange(len(true), dtype=float)[:, None]
    alone = {
        name: ConfusionMatrix.from_predictions(true[name], MISSED[name]).counts for name in TAGS
    }
    for order in ((0, 1, 2), (2, 0, 1)):
        classes = [list(TAGS)[k] for k in order]
        cm = cross_val_confusion_matrix(ScoresInOrder(order), X, true, cv=2, classes=classes)
        assert cm.axes[1].coordinates.tolist() == list(TAGS)
        for name, counts in zip(cm.axes[1].coordinates, cm.sum("fold").counts, strict=True):
            np.testing.assert_array_equal(counts, alone[name])
    with pytest.raises(ValueError, match="y_true has 3 label columns, but classes lists 4"):
        cross_val_confusion_matrix(
            ScoresInOrder(), X, true.to_numpy(), cv=2, classes=["a", "b", "c", "d"]
        )


@pytest.mark.parametrize("classes", [None, ["a", "b", "c"]], ids=str)
@pytest.mark.parametrize("as_frame", [False, True], ids=["array", "frame"])
def test_keys_are_the_same_where_a_fold_fails(as_frame, classes):
    true, pred = np.column_stack(list(TAGS.values())), pd.DataFrame(MISSED)
    for model in (
        AnsweringClassifier([0, 1, 2], {"predict": pred if as_frame else pred.to_numpy()}),
        AnsweringClassifier(
            [0, 1, 2], {"predict": 0.1 + 0.6 * (pred if as_frame else pred.to_numpy())}
        ),
    ):
        scorer = ConfusionScorer(["recall_macro"], per_class=True, classes=classes)
        keys = list(scorer(model.fit(), None, true))
        with pytest.warns(UserWarning, match="set to NaN"):
            assert (
                list(scorer(AnsweringClassifier([0, 1, 2], {"predict": None}).fit(), None, true))
                == keys
            )
        assert keys == ["recall_macro", *(f"recall_{name}" for name in classes or range(3))]
