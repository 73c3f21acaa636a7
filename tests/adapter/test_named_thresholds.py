"""Best thresholds of classes and labels, by name, in whatever takes `threshold=`."""

import itertools
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ProbabilityClassifier,
    ThresholdCurves,
    cross_val_confusion_matrix,
    f1_score,
    get_scorer,
    labels_from_scores,
    make_scorer,
)
from tests.doubles import Answering
from tests.shared import one_in

NAMES = ["x", "y", "z"]
RANDOM = np.random.default_rng(0)
TAGS = RANDOM.integers(0, 2, (150, 3))
FEATURES = TAGS @ RANDOM.normal(size=(3, 4)) + RANDOM.normal(size=(150, 4))
# Of both signs, as decision values are.
DECISIONS = RANDOM.normal(TAGS).round(1)
PROBABILITIES = 1 / (1 + np.exp(-DECISIONS))
TABLE = pd.DataFrame(TAGS, columns=NAMES)
# At a score, between two, what no score reaches and what all reach.
CUTS = [0.3, 0.0, -1.25, np.inf, -np.inf]


def reached(scores, cuts):
    """The rule, by hand."""
    return np.column_stack([scores[:, k] >= cut for k, cut in enumerate(cuts)]).astype(int)


def named(best):
    """The thresholds by the labels of their curves."""
    return dict(zip(best.axis.coordinates.tolist(), best.thresholds.tolist(), strict=True))


def turned(thresholds):
    return dict(reversed(thresholds.items()))


# Several labels per sample.


@pytest.mark.parametrize(
    "scores", [DECISIONS, PROBABILITIES, PROBABILITIES.astype(np.float32)], ids=range(3)
)
@pytest.mark.parametrize("bound", [None, {"recall": 1}, {"precision": 0.9}])
def test_best_thresholds_give_their_values_of_several_labels(scores, bound):
    best = ThresholdCurves.from_scores(TAGS, scores).best("f1", subject_to=bound)
    for thresholds in (named(best), turned(named(best)), pd.Series(named(best))[[2, 0, 1]]):
        expected = reached(scores.astype(float), best.thresholds)
        assert (
            labels_from_scores(scores, threshold=thresholds, multilabel=True).tolist()
            == expected.tolist()
        )
        cm = ConfusionMatrix.from_scores(TAGS, scores, threshold=thresholds)
        np.testing.assert_allclose(cm.score("f1"), best.value)
        np.testing.assert_allclose(cm.score("f1"), sk.f1_score(TAGS, expected, average=None))


@given(
    cuts=st.lists(st.sampled_from(CUTS), min_size=3, max_size=3),
    order=st.permutations(NAMES),
    columns=st.permutations(NAMES),
)
def test_a_label_is_predicted_where_its_score_reaches_its_own_threshold(cuts, order, columns):
    by_name = dict(zip(NAMES, cuts, strict=True))
    thresholds = {name: by_name[name] for name in order}
    expected = reached(DECISIONS, cuts)
    frame = pd.DataFrame(DECISIONS, columns=NAMES)[columns]
    for y_score, options, places in [
        (DECISIONS, {"classes": NAMES}, [0, 1, 2]),
        (frame, {"classes": NAMES}, [0, 1, 2]),
        (frame, {}, [NAMES.index(name) for name in columns]),
        (
            [np.column_stack([-column, column]) for column in DECISIONS.T],
            {"classes": NAMES},
            [0, 1, 2],
        ),
    ]:
        labels = labels_from_scores(y_score, threshold=thresholds, multilabel=True, **options)
        assert labels.tolist() == expected[:, places].tolist()
    for library in (pd.DataFrame, pl.DataFrame):
        true, scores = (
            {name: table[name].to_numpy() for name in table} for table in (TABLE, frame)
        )
        cm = ConfusionMatrix.from_scores(library(true), library(scores), threshold=thresholds)
        assert cm == ConfusionMatrix.from_predictions(TAGS, expected, labels=NAMES)


@pytest.mark.parametrize("n_labels", [1, 2])
def test_one_label_and_two(n_labels):
    scores = DECISIONS[:, :n_labels]
    cuts = dict(enumerate([0.5, -0.2][:n_labels]))
    labels = labels_from_scores(scores, threshold=cuts, multilabel=True)
    assert labels.tolist() == reached(scores, cuts.values()).tolist()
    frame = pd.DataFrame(scores, columns=NAMES[:n_labels])
    named = dict(zip(NAMES, cuts.values(), strict=False))
    assert labels_from_scores(frame, threshold=named, multilabel=True).tolist() == labels.tolist()


@pytest.mark.parametrize(
    ("threshold", "message"),
    [
        (
            {"x": 0.1, "z": 0.2},
            r"are named \['x', 'z'\], but the labels are .* so \['y'\] can't be found",
        ),
        (
            {"x": 0.1, "y": 0.1, "z": 0.2, "w": 0.3},
            r"so \['w'\] match no label: name each label once",
        ),
        (pd.Series([0.1, 0.2, 0.3, 0.4], ["x", "y", "z", "x"]), "contain a name twice"),
        ([0.1, 0.2], "threshold has 2 numbers for 3 labels"),
        ({"x": 0.1, "y": np.nan, "z": 0.2}, "threshold holds NaN, which no score reaches"),
    ],
)
def test_names_that_do_not_fit_the_labels_are_refused(threshold, message):
    with pytest.raises(ValueError, match=message):
        labels_from_scores(DECISIONS, classes=NAMES, threshold=threshold, multilabel=True)
    with pytest.raises(ValueError, match=message):
        ConfusionMatrix.from_scores(TAGS, DECISIONS, classes=NAMES, threshold=threshold)
    with pytest.raises(ValueError, match=message):
        get_scorer("f1_macro", labels=NAMES, threshold=threshold)(MODELS[0], FEATURES, TAGS)


def test_names_of_an_array_are_its_numbers_unless_classes_name_it():
    thresholds = dict.fromkeys(NAMES, 0.5)
    with pytest.raises(
        ValueError, match=r"the labels are \[0, 1, 2\].* unless classes= names them"
    ):
        labels_from_scores(DECISIONS, threshold=thresholds, multilabel=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"multilabel": True, "classes": ["x"]},
            "y_score has 3 label columns, but classes lists 1",
        ),
        ({"multilabel": True, "pos_label": 0}, "pos_label is for data with one label per sample"),
        (
            {"multilabel": True, "cost_matrix": np.eye(2)},
            "cost_matrix applies to data with one label per sample",
        ),
        ({"multilabel": True}, "decision values"),
        ({"multilabel": 1}, r"multilabel.*True or False"),
    ],
)
def test_options_that_several_labels_do_not_have_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        labels_from_scores(DECISIONS, **options)


def test_a_list_of_arrays_is_no_class_a_column():
    with pytest.raises(ValueError, match="omit multilabel=False"):
        labels_from_scores([PROBABILITIES[:, :2]], multilabel=False)


def test_without_a_threshold_a_label_needs_half():
    labels = labels_from_scores(PROBABILITIES, multilabel=True)
    assert labels.tolist() == (PROBABILITIES >= 0.5).astype(int).tolist()


@pytest.mark.parametrize("columns", [["y", "x", "z"], ["x", "y", "z"], [2, 0, 1]], ids=str)
def test_columns_of_several_labels_are_no_order_of_plain_thresholds(columns):
    cuts = [0.3, 0.0, -1.25]
    scores = pd.DataFrame(DECISIONS, columns=columns)
    true = pd.DataFrame(TAGS, columns=columns)[columns[::-1]]
    message = r"the columns .* are no order: name the thresholds, such as threshold=\{"
    with pytest.raises(ValueError, match=message):
        labels_from_scores(scores, threshold=cuts, multilabel=True)
    for y_true in (true, TAGS):
        with pytest.raises(ValueError, match=message):
            ConfusionMatrix.from_scores(y_true, scores, threshold=cuts)
    expected = reached(DECISIONS, cuts)
    options = {"threshold": cuts, "classes": columns}
    labels = labels_from_scores(scores[columns[::-1]], multilabel=True, **options)
    assert labels.tolist() == expected.tolist()
    cm = ConfusionMatrix.from_scores(true, scores, **options)
    assert cm == ConfusionMatrix.from_predictions(true, pd.DataFrame(expected, columns=columns))


def test_columns_that_are_ascending_numbers_are_those_of_an_array():
    scores = pd.DataFrame(DECISIONS, columns=[3, 5, 8])
    labels = labels_from_scores(scores, threshold=[0.3, 0.0, -1.25], multilabel=True)
    assert labels.tolist() == reached(DECISIONS, [0.3, 0.0, -1.25]).tolist()


# Models of several labels.

MODELS = [
    model.fit(FEATURES, TAGS)
    for model in (
        RandomForestClassifier(20, max_depth=3, random_state=0),
        OneVsRestClassifier(LogisticRegression()),
        OneVsRestClassifier(LinearSVC(random_state=0)),
    )
]


def scores_of(model):
    if not hasattr(model, "predict_proba"):
        return model.decision_function(FEATURES)
    scores = model.predict_proba(FEATURES)
    return np.stack([pair[:, 1] for pair in scores], axis=1) if isinstance(scores, list) else scores


@pytest.mark.parametrize(
    ("model", "named_by"), one_in(2, MODELS, ["numbers", "frame", "classes", "labels"])
)
def test_scorers_of_several_labels_reach_the_best_values(model, named_by):
    """The models have pairs, columns, or decision values; the slow ones are the other half."""
    best = ThresholdCurves.from_scores(TAGS, scores_of(model)).best("f1")
    thresholds = turned(named(best))
    true, options = TAGS, {}
    if named_by != "numbers":
        thresholds = {NAMES[k]: cut for k, cut in thresholds.items()}
    if named_by == "frame":
        true = TABLE
    elif named_by != "numbers":
        options = {named_by: NAMES}
    for scorer in (
        get_scorer("f1_macro", threshold=thresholds, **options),
        make_scorer(f1_score, average="macro", threshold=thresholds, **options),
        ConfusionScorer("f1_macro", threshold=thresholds, **options),
    ):
        for again in (scorer, clone(scorer, safe=False), pickle.loads(pickle.dumps(scorer))):
            assert again(model, FEATURES, true) == pytest.approx(best.value.mean())
    if named_by != "labels":
        cm = ConfusionMatrix.from_estimator(model, FEATURES, true, threshold=thresholds, **options)
        np.testing.assert_allclose(cm.score("f1"), best.value)


@pytest.mark.parametrize(
    ("named_by", "n_labels"), one_in(2, ["numbers", "frame", "classes", "labels"], [2, 3])
)
def test_folds_of_several_labels_are_cut_at_their_thresholds(named_by, n_labels):
    """The slow ones have the other number of labels."""
    tags, names = TAGS[:, :n_labels], NAMES[:n_labels]
    model, cv = OneVsRestClassifier(LinearSVC(random_state=0)), KFold(2)
    scores = cross_val_predict(model, FEATURES, tags, cv=cv, method="decision_function")
    best = ThresholdCurves.from_scores(tags, scores).best("f1")
    assert min(best.thresholds) < 0
    thresholds = turned(named(best))
    if named_by != "numbers":
        thresholds = {names[k]: cut for k, cut in thresholds.items()}
    options = {named_by: names} if named_by in ("classes", "labels") else {}
    true = pd.DataFrame(tags, columns=names) if named_by == "frame" else tags
    cm = cross_val_confusion_matrix(model, FEATURES, true, cv=cv, threshold=thresholds, **options)
    np.testing.assert_allclose(cm.sum("fold").score("f1"), best.value)
    if named_by == "frame":
        how = {"cv": cv, "threshold": best.thresholds}
        with pytest.raises(ValueError, match="are no order"):
            cross_val_confusion_matrix(model, FEATURES, true, **how)
        assert cross_val_confusion_matrix(model, FEATURES, true, labels=names, **how) == cm


# One label per sample.

IRIS, KINDS = load_iris(return_X_y=True)
KINDS = np.array(["setosa", "versicolor", "virginica"])[KINDS]
# As one model would have them that is not certain.
SHARES = LogisticRegression(C=0.01).fit(IRIS, KINDS).predict_proba(IRIS)
BEST = ThresholdCurves.from_scores(KINDS, SHARES).best("f1", subject_to={"recall": 0.9})


def quotients(scores, thresholds, names):
    """The rule, by hand."""
    return np.array(names)[(scores / [thresholds[name] for name in names]).argmax(axis=1)]


@pytest.mark.parametrize("thresholds", [named(BEST), turned(named(BEST)), pd.Series(named(BEST))])
def test_best_thresholds_of_classes_are_found_by_name(thresholds):
    names = sorted(named(BEST))
    expected = quotients(SHARES, named(BEST), names)
    assert (expected != np.array(names)[SHARES.argmax(axis=1)]).any()
    assert (
        labels_from_scores(SHARES, classes=names, threshold=thresholds).tolist()
        == expected.tolist()
    )
    model = LogisticRegression(C=0.01).fit(IRIS, KINDS)
    cm = ConfusionMatrix.from_predictions(KINDS, expected)
    assert ConfusionMatrix.from_scores(KINDS, SHARES, threshold=thresholds) == cm
    assert ConfusionMatrix.from_estimator(model, IRIS, KINDS, threshold=thresholds) == cm
    for scorer in (
        get_scorer("f1_macro", threshold=thresholds),
        make_scorer(f1_score, average="macro", threshold=thresholds),
        ConfusionScorer("f1_macro", threshold=thresholds),
    ):
        for again in (scorer, clone(scorer, safe=False), pickle.loads(pickle.dumps(scorer))):
            assert again(model, IRIS, KINDS) == cm.score("f1_macro")
    shuffled = KFold(2, shuffle=True, random_state=0)
    folds = cross_val_confusion_matrix(model, IRIS, KINDS, cv=shuffled, threshold=thresholds)
    scores = cross_val_predict(model, IRIS, KINDS, cv=shuffled, method="predict_proba")
    assert folds.sum("fold") == ConfusionMatrix.from_predictions(
        KINDS, quotients(scores, named(BEST), names)
    )


@pytest.mark.parametrize("columns", list(itertools.permutations(range(3))), ids=str)
def test_columns_of_classes_are_no_order_of_plain_thresholds(columns):
    y = np.searchsorted(sorted(named(BEST)), KINDS)
    best = ThresholdCurves.from_scores(y, SHARES).best("f1", subject_to={"recall": 0.9})
    expected = (SHARES / best.thresholds).argmax(axis=1)
    frame = pd.DataFrame(SHARES)[list(columns)]
    rows = frame.to_dict("records")
    thresholds = best.thresholds.tolist()
    for scores in (frame, rows):
        labels = labels_from_scores(scores, threshold=thresholds)
        assert labels.tolist() == expected.tolist()
        cm = ConfusionMatrix.from_scores(y, scores, threshold=thresholds)
        assert cm == ConfusionMatrix.from_predictions(y, expected)
    in_order = [thresholds[k] for k in columns]
    labels = labels_from_scores(frame, threshold=in_order, classes=columns)
    assert labels.tolist() == expected.tolist()
    model = Answering(classes=range(3), predict_proba=frame)
    assert ConfusionScorer("accuracy", threshold=thresholds)(model, IRIS, y) == cm.score("accuracy")


def test_names_of_columns_are_no_order_either():
    frame = pd.DataFrame(SHARES, columns=sorted(named(BEST)))
    message = "threshold is an array in the order of the classes: name them, such as threshold="
    with pytest.raises(ValueError, match=message):
        labels_from_scores(frame, threshold=BEST.thresholds)
    expected = quotients(SHARES, named(BEST), sorted(named(BEST)))
    by_order = {"threshold": BEST.thresholds, "classes": sorted(named(BEST))}
    for options in ({"threshold": named(BEST)}, by_order):
        assert labels_from_scores(frame, **options).tolist() == expected.tolist()


def test_a_fold_that_lacks_a_class_in_training_needs_no_other_thresholds():
    scorer = get_scorer("accuracy", threshold=named(BEST))
    with pytest.warns(UserWarning, match="estimator never"):
        values = cross_val_score(LogisticRegression(), IRIS, KINDS, cv=KFold(3), scoring=scorer)
    assert values.tolist() == [0, 0, 0]


def test_a_class_without_a_threshold_is_named():
    lacking = {name: cut for name, cut in named(BEST).items() if name != "setosa"}
    message = r"so \['setosa'\] can't be found"
    with pytest.raises(ValueError, match=message):
        ConfusionMatrix.from_scores(KINDS, SHARES, threshold=lacking)
    with pytest.raises(ValueError, match=message):
        ProbabilityClassifier(LogisticRegression(), threshold=lacking).fit(IRIS, KINDS)
    with pytest.raises(ValueError, match=message):
        get_scorer("f1_macro", threshold=lacking, classes=sorted(named(BEST)))


@pytest.mark.parametrize("value", [0, -1, np.inf, -np.inf])
def test_scores_are_not_divided_by_everything(value):
    thresholds = named(BEST) | {"setosa": value}
    message = rf"'setosa': {float(value)}.* must be positive and finite: scores are divided by it"
    with pytest.raises(ValueError, match=message):
        ConfusionMatrix.from_scores(KINDS, SHARES, threshold=thresholds)
    with pytest.raises(ValueError, match=message):
        ProbabilityClassifier(LogisticRegression(), threshold=thresholds).fit(IRIS, KINDS)
    with pytest.raises(ValueError, match=message):
        get_scorer("evaluation_index", threshold=thresholds)
    with pytest.raises(ValueError, match=message):
        get_scorer("f1", threshold=thresholds, pos_label="setosa")


@pytest.mark.parametrize(("threshold", "expected"), [(np.inf, [0, 0, 0]), (-np.inf, [1, 1, 1])])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_one_threshold_may_be_what_no_score_reaches_or_every_one(threshold, expected, dtype):
    assert (
        labels_from_scores(np.array([0, 0.5, 1], dtype=dtype), threshold=threshold).tolist()
        == expected
    )


def test_thresholds_of_a_classifier_are_found_by_name_and_searched_over():
    model = ProbabilityClassifier(LinearRegression(), threshold=turned(named(BEST))).fit(
        IRIS, KINDS
    )
    names = sorted(named(BEST))
    expected = quotients(model.predict_proba(IRIS), named(BEST), names)
    assert model.predict(IRIS).tolist() == expected.tolist()
    assert pickle.loads(pickle.dumps(model)).predict(IRIS).tolist() == expected.tolist()
    assert clone(model).get_params()["threshold"] == named(BEST)
    assert clone(model).fit(IRIS, KINDS).predict(IRIS).tolist() == expected.tolist()
    never = dict.fromkeys(names, 1.0) | {"setosa": 1e9}
    search = GridSearchCV(
        ProbabilityClassifier(LinearRegression()),
        {"threshold": [never, named(BEST)]},
        scoring="accuracy",
        cv=3,
    ).fit(IRIS, KINDS)
    assert search.best_params_["threshold"] == named(BEST)
    assert search.cv_results_["mean_test_score"][0] < 0.7
