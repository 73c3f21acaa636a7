"""What a metric's name means, at every place where metrics are named, whatever the data."""

import warnings

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import skmetrics_ext as ext
from skmetrics_ext import ConfusionMatrix, ConfusionScorer, plot_intervals
from skmetrics_ext.__main__ import main

TREES = np.array(["ash", "elm", "oak"])
TWO = {"true": TREES[[0, 0, 0, 1, 1, 1, 1, 1] * 5], "pred": TREES[[0, 1, 1, 1, 1, 0, 1, 1] * 5]}
THREE = {
    "true": TREES[[0, 0, 0, 1, 1, 1, 1, 1, 2, 2] * 5],
    "pred": TREES[[0, 1, 2, 1, 1, 0, 1, 1, 2, 1] * 5],
}
SEVERAL = {"true": np.eye(3, dtype=int)[[0, 1, 2, 2] * 9]}
SEVERAL["pred"] = np.maximum(SEVERAL["true"], np.eye(3, dtype=int)[[1, 1, 0, 2] * 9])


class Says(ClassifierMixin, BaseEstimator):
    """A model that knows its classes and predicts what it was told."""

    def __init__(self, classes, says):
        self.classes, self.says = classes, says
        self.classes_, self.is_fitted_ = classes, True

    def fit(self, _X, _y):
        return self

    def predict(self, _X):
        return self.says


class Never(DecisionTreeClassifier):
    """A model that must not be fitted."""

    def fit(self, *_, **__):
        raise AssertionError


def matrix_of(data, **options):
    return ConfusionMatrix.from_predictions(data["true"], data["pred"], **options)


def asked_of_scorer(data, metric, **options):
    model = Says(np.unique(data["true"]), data["pred"])
    return ConfusionScorer(metric, **options)(model, data["true"], data["true"])


def asked_of_search(data, metric, **options):
    model = Says(np.unique(data["true"]), data["pred"])
    return ext.get_scorer(metric, **options)(model, data["true"], data["true"])


def asked_of_trainer(data, metric, **options):
    classes = np.unique(data["true"])
    metric = ext.make_eval_metric(metric, scores="labels", classes=classes, **options)
    return metric(np.searchsorted(classes, data["true"]), np.searchsorted(classes, data["pred"]))


def asked_of_watch(data, metric, **options):
    months = [matrix_of(data)] * 2
    return ext.watch(months, {metric: 0.5}, horizon=2, **options).value[0][0]


def asked_of_gap(data, metric, **options):
    groups = {"x": matrix_of(data), "y": matrix_of({"true": data["true"], "pred": data["true"]})}
    found = ConfusionMatrix.stack(groups, axis="g").gap(metric, **options)
    return 1 - found.value


def asked_of_comparison(data, metric, **options):
    models = {"says": data["pred"], "knows": data["true"]}
    return ext.compare(data["true"], models, [metric], **options).rows[0].value


# Each takes labels, a metric and its options, and gives the value of "says".
PLACES = {
    "cm.score": lambda data, metric, **options: matrix_of(data).score(metric, **options),
    "cm.interval": lambda data, metric, **options: (
        matrix_of(data).interval(metric, **options).value
    ),
    "cm.gap": asked_of_gap,
    "compare": asked_of_comparison,
    "metric_interval": lambda data, metric, **options: (
        ext.metric_interval(data["true"], data["pred"], metric, **options).value
    ),
    "check": lambda data, metric, **options: ext.check(
        matrix_of(data), {metric: 0.5}, **options
    ).value[0],
    "watch": asked_of_watch,
    "ConfusionScorer": asked_of_scorer,
    "make_eval_metric": asked_of_trainer,
}
# Options of averages are names' endings there.
WITHOUT_AVERAGE = ("check", "watch")
# What predicts labels for one sample each.
FUNCTIONS = {
    "recall_score": lambda data, **options: ext.recall_score(data["true"], data["pred"], **options),
    "get_scorer": lambda data, **options: asked_of_search(data, "recall", **options),
}
every_place = pytest.mark.parametrize("place", PLACES)
every_function = pytest.mark.parametrize("function", FUNCTIONS)
SENTENCE = r"of the positive class of two, but .*recall_macro.*average=None"
pytestmark = pytest.mark.filterwarnings("ignore::skmetrics_ext.UnreliableIntervalWarning")


def recall_of(data, label):
    """By scikit-learn, which averages over this class alone."""
    return sk.recall_score(data["true"], data["pred"], labels=[label], average="macro")


@every_place
def test_a_bare_name_is_of_the_positive_class_of_two(place):
    for label in ("ash", "elm"):
        found = PLACES[place](TWO, "recall", pos_label=label)
        assert found == pytest.approx(recall_of(TWO, label))


@every_place
def test_a_bare_name_of_three_classes_is_refused(place):
    with pytest.raises(ValueError, match=SENTENCE):
        PLACES[place](THREE, "recall")


@every_function
def test_functions_and_their_scorers_refuse_one_of_three_as_scikit_learn_does(function):
    # scikit-learn's scorers look for the class among those of the model first.
    for options in ({"pos_label": "ash"}, {"labels": ["ash"], "pos_label": "ash"}):
        with pytest.raises(ValueError, match=SENTENCE):
            FUNCTIONS[function](THREE, **options)
        with pytest.raises(ValueError, match="multiclass"):
            sk.recall_score(THREE["true"], THREE["pred"], **options)


@pytest.mark.parametrize("options", [{}, {"pos_label": 1}], ids=["default", "given"])
def test_functions_and_scorers_refuse_one_of_several_labels_a_sample(options):
    with pytest.raises(ValueError, match=SENTENCE):
        FUNCTIONS["recall_score"](SEVERAL, **options)
    with pytest.raises(ValueError, match=SENTENCE):
        ext.metric_interval(SEVERAL["true"], SEVERAL["pred"], "recall", **options)


def test_a_matrix_of_several_labels_a_sample_has_a_value_a_label():
    expected = sk.recall_score(SEVERAL["true"], SEVERAL["pred"], average=None)
    cm = matrix_of(SEVERAL)
    np.testing.assert_allclose(cm.score("recall"), expected)
    np.testing.assert_allclose(cm.interval("recall").value, expected)
    assert cm.score("recall_macro") == pytest.approx(expected.mean())


@every_place
def test_an_ending_is_an_average_whatever_the_number_of_classes(place):
    for data in (TWO, THREE):
        expected = sk.recall_score(data["true"], data["pred"], average="macro")
        assert PLACES[place](data, "recall_macro") == pytest.approx(expected)
        if place not in WITHOUT_AVERAGE:
            # "binary", given or not, yields to the ending.
            found = PLACES[place](data, "recall_macro", average="binary")
            assert found == pytest.approx(expected)
            found = PLACES[place](data, "recall", average="macro")
            assert found == pytest.approx(expected)


@every_place
@pytest.mark.parametrize("label", TREES)
def test_one_of_three_classes_is_named_in_each_way(place, label):
    expected = recall_of(THREE, label)
    assert PLACES[place](THREE, "recall", pos_label=label) == pytest.approx(expected)
    if place in ("check", "compare"):
        assert PLACES[place](THREE, ("recall", label)) == pytest.approx(expected)
    if place != "ConfusionScorer":
        assert PLACES[place](THREE, f"recall_{label}") == pytest.approx(expected)
    # The class that the matrix was given, too.
    cm = matrix_of(THREE, pos_label=label)
    assert cm.score("recall") == cm.interval("recall").value == pytest.approx(expected)


@pytest.mark.parametrize("label", TREES)
def test_one_class_in_lists_has_its_key(label):
    expected = recall_of(THREE, label)
    asked = asked_of_scorer(THREE, [("recall", label), "recall_macro"])
    assert [*asked] == [f"recall_{label}", "recall_macro"]
    assert asked[f"recall_{label}"] == pytest.approx(expected)
    named = asked_of_scorer(THREE, {"one": ("recall", label)})
    assert named == {"one": pytest.approx(expected)}
    declared = asked_of_scorer(THREE, [f"recall_{label}"], classes=TREES)
    assert declared == {f"recall_{label}": pytest.approx(expected)}
    negated = asked_of_scorer(THREE, [f"neg_fnr_{label}"], classes=TREES)
    assert negated == {f"neg_fnr_{label}": pytest.approx(expected - 1)}
    rows = matrix_of(THREE).summary([("recall", label), f"precision_{label}"]).to_frame()
    assert rows["value"].iloc[0] == pytest.approx(expected)
    assert rows["label"].tolist() == [label, label]


@every_place
def test_labels_select_the_classes_of_an_average_and_nothing_else(place):
    if place in WITHOUT_AVERAGE:
        return
    with pytest.raises(ValueError, match=r"labels= selects the classes of an average, but recall"):
        PLACES[place](TWO, "recall", labels=["ash"], pos_label="ash")
    with pytest.raises(ValueError, match=r"labels= selects the classes of an average, but recall"):
        PLACES[place](THREE, "recall", labels=["ash"])
    expected = sk.precision_score(
        THREE["true"], THREE["pred"], labels=["ash", "oak"], average="macro"
    )
    assert PLACES[place](THREE, "precision_macro", labels=["ash", "oak"]) == pytest.approx(expected)


@every_function
def test_functions_ignore_labels_beside_a_positive_class_as_scikit_learn_does(function):
    options = {"labels": ["elm"], "pos_label": "ash"}
    expected = sk.recall_score(TWO["true"], TWO["pred"], **options)
    assert FUNCTIONS[function](TWO, **options) == expected == recall_of(TWO, "ash")


def test_a_positive_class_beside_an_average_warns_as_in_scikit_learn():
    with pytest.warns(UserWarning, match="pos_label='ash' is ignored"):
        ext.recall_score(TWO["true"], TWO["pred"], pos_label="ash", average="macro")
    with pytest.warns(UserWarning, match="Note that pos_label"):
        sk.recall_score(TWO["true"], TWO["pred"], pos_label="ash", average="macro")


@pytest.mark.parametrize("rows", [slice(0, 6), slice(None)], ids=["two occur", "three occur"])
def test_the_model_knows_of_classes_that_the_rows_lack(rows):
    order = np.argsort(THREE["true"], kind="stable")
    true = THREE["true"][order][rows]
    model = Says(TREES, true)
    with pytest.raises(ValueError, match=SENTENCE):
        ConfusionScorer("recall")(model, true, true)
    with pytest.warns(UserWarning, match=r"^set to NaN: .*" + SENTENCE):
        found = ConfusionScorer(["recall", "accuracy"])(model, true, true)
    assert np.isnan(found["recall"])
    assert found["accuracy"] == 1


@pytest.mark.parametrize("metrics", ["recall", ["recall"], {"r": "recall"}], ids=repr)
def test_a_scorer_that_knows_three_classes_refuses_when_made(metrics):
    with pytest.raises(ValueError, match=SENTENCE):
        ConfusionScorer(metrics, classes=TREES)
    ConfusionScorer(metrics, classes=TREES, pos_label="ash")
    with pytest.raises(ValueError, match=SENTENCE):
        ext.get_scorer("recall", classes=TREES, pos_label="ash", by="g")
    with pytest.raises(ValueError, match="yew"):
        ConfusionScorer([("recall", "yew")], classes=TREES)


@pytest.mark.parametrize("scoring", ["recall", ["accuracy", "recall"], ConfusionScorer("recall")])
def test_folds_are_refused_before_a_model_is_fitted(scoring):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=SENTENCE):
        ext.cross_val_interval(Never(), X, y, scoring=scoring)
    with pytest.raises(ValueError, match=SENTENCE):
        ext.compare_estimators({"a": Never(), "b": Never()}, X, y, scoring=scoring)


def test_cross_validation_takes_one_class_of_several():
    X, y = load_iris(return_X_y=True)
    options = {"n_repeats": 2, "random_state": 0, "n_resamples": 100}
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    scoring = {
        "name": "recall_2",
        "scorer": ConfusionScorer("recall", pos_label=2),
        "tuple": ConfusionScorer([("recall", 2)]),
    }
    found = {
        k: ext.cross_val_interval(tree, X, y, scoring=of, **options) for k, of in scoring.items()
    }
    assert found["name"].value == found["scorer"].value == found["tuple"]["recall_2"].value
    every = ext.cross_val_interval(tree, X, y, scoring="recall_macro", **options)
    assert every.value != found["name"].value


def test_a_search_is_told_what_to_ask_for():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(
        DecisionTreeClassifier(), {"max_depth": [1]}, scoring=ConfusionScorer("recall"), cv=2
    )
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        search.fit(X, y)
    assert any("recall_macro" in str(warning.message) for warning in told)


def test_a_trainer_learns_the_classes_at_the_first_evaluation():
    metric = ext.make_eval_metric("recall", scores="labels")
    assert metric([0, 1, 1], [0, 1, 0]) == 0.5
    with pytest.raises(ValueError, match=SENTENCE):
        metric([0, 1, 2], [0, 1, 2])
    # It stays known.
    with pytest.raises(ValueError, match=SENTENCE):
        metric([0, 1, 1], [0, 1, 0])


@pytest.mark.parametrize(
    ("classes", "name"), [(["macro", "other"], "recall_macro"), (["worst", "best"], "recall_worst")]
)
def test_a_name_with_two_readings_is_refused(classes, name):
    cm = ConfusionMatrix.from_counts([[3, 1], [2, 4]], labels=classes)
    with pytest.raises(
        ValueError, match=rf"'{name}' has two readings .*\('recall', '{classes[0]}'\)"
    ):
        cm.score(name)
    assert cm.score("recall", average="macro") == pytest.approx((3 / 4 + 4 / 6) / 2)
    assert cm.score("recall", pos_label=classes[0]) == 3 / 4
    rows = cm.summary([("recall", classes[0])]).to_frame()
    assert rows["value"].tolist() == [3 / 4]


def test_a_class_may_be_a_number():
    cm = ConfusionMatrix.from_counts(np.diag([1, 2, 3]) + 1, labels=[1, 2, 3])
    assert cm.score("recall_2") == 3 / 5
    assert cm.score("RECALL_2") == 3 / 5
    mixed = ConfusionMatrix.from_counts([[3, 1], [2, 4]], labels=["a_b", "b"])
    assert mixed.score("recall_a_b") == 3 / 4
    assert mixed.score("recall_b") == 4 / 6


@pytest.mark.parametrize("metric", [("accuracy", "ash"), ("recall_macro", "ash"), ("recall",)])
def test_a_pair_must_be_a_metric_of_one_class_and_its_class(metric):
    with pytest.raises(ValueError, match="of one class"):
        matrix_of(THREE).summary([metric])


def test_a_pair_contradicts_other_options():
    for option in ({"average": "macro"}, {"pos_label": "elm"}):
        with pytest.raises(ValueError, match="contradicts it"):
            matrix_of(THREE).score(("recall", "ash"), **option)


@pytest.mark.parametrize("metric", [("recall", "ash")])
def test_a_pair_is_refused_where_the_class_is_known(metric):
    curve = ext.ThresholdCurve.from_scores([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3])
    with pytest.raises(ValueError, match="names a class"):
        curve.score(metric)
    with pytest.raises(ValueError, match="names a class"):
        ext.sample_size(metric, value=0.9, half_width=0.1)


def test_reports_and_pictures_show_each_class():
    cm = matrix_of(THREE)
    expected = sk.recall_score(THREE["true"], THREE["pred"], average=None)
    np.testing.assert_allclose(cm.summary("recall").to_frame()["value"], expected)
    one = cm.summary("recall", pos_label="oak").to_frame()
    assert one["value"].tolist() == [expected[2]]
    drawn = plot_intervals(cm, "recall")
    assert {text.get_text() for text in drawn.ax_.get_yticklabels()} == {*TREES}


def test_the_command_asks_for_a_class(tmp_path, capsys):
    rows = [*zip(THREE["true"], THREE["pred"], strict=True)]
    file = tmp_path / "labels.csv"
    file.write_text("\n".join(["true,pred", *(f"{a},{b}" for a, b in rows)]))
    call = ["check", str(file), "--actual", "true", "--predicted", "pred", "--claim"]
    assert main([*call, "recall >= 0.1"]) == 3
    told = capsys.readouterr().err
    assert "of the positive class of two" in told
    assert "recall_macro" in told
    assert main([*call, "recall >= 0.01", "--pos-label", "oak"]) == 0
    assert main([*call, "recall_oak >= 0.01"]) == 0
    assert "recall of 'oak'" in capsys.readouterr().out


def test_advice_on_one_of_several_classes_works():
    model = Says(TREES, THREE["pred"])
    with pytest.raises(ValueError, match=r"in a search ConfusionScorer\('recall', pos_label=...\)"):
        ext.get_scorer("recall", pos_label="ash")(model, THREE["true"], THREE["true"])
    with pytest.raises(ValueError, match=r"in a list, \[\('recall', 'ash'\)\]"):
        matrix_of(THREE).summary(("recall", "ash"))
    with pytest.raises(ValueError, match=r"pass 'recall' with pos_label='class_1'"):
        ext.get_scorer("recall_class_1")
    with pytest.raises(ValueError, match=r"pass one of these as pos_label=, or name .* classes="):
        ext.labels_from_scores([0.2, 0.7], threshold=0.5, pos_label="ash")


def test_the_command_names_its_option(tmp_path, capsys):
    file = tmp_path / "labels.csv"
    file.write_text("true,pred\nash,elm\nelm,elm\nash,ash\n")
    call = ["check", str(file), "--actual", "true", "--predicted", "pred", "--pos-label", "Ash"]
    assert main([*call, "--claim", "recall >= 0.1"]) == 3
    assert "--pos-label 'Ash' is" in capsys.readouterr().err


def recall_of_matrix(cm):
    return cm.counts[..., 1, 1] / cm.counts[..., 1, :].sum(-1)


@pytest.mark.parametrize(("only", "positive"), [(0, None), ("well", "ill"), (False, True)])
def test_a_function_of_a_matrix_sees_the_positive_class_that_never_occurs(only, positive):
    cm = ConfusionMatrix.from_predictions([only] * 5, [only] * 5)
    assert cm.counts.tolist() == [[5]]
    options = {} if positive is None else {"pos_label": positive}
    seen = []

    def count_missed(cm):
        seen.append((cm.counts.tolist(), cm.labels.tolist()))
        return float(cm.counts[1, 0])

    assert cm.score(count_missed, **options) == 0
    assert seen[-1] == ([[5, 0], [0, 0]], [only, positive if positive is not None else 1])


def test_a_summary_hands_the_positive_class_to_a_function_of_a_matrix():
    y, said = ["ill", "well", "ill", "ill"], ["ill", "ill", "well", "ill"]
    cm = ConfusionMatrix.from_predictions(y, said)
    for label, expected in (("ill", 2 / 3), ("well", 0)):
        rows = cm.summary([recall_of_matrix, "recall"], pos_label=label, n_resamples=100).to_frame()
        assert rows["value"].tolist() == pytest.approx([expected, expected])


@pytest.mark.filterwarnings("ignore:y_true has labels")
def test_a_class_that_training_lacked_is_known_from_the_actual_labels():
    model = Says(np.array([0, 1]), np.array([0, 1, 0, 1]))
    y = np.array([2, 2, 0, 1])
    expected = sk.recall_score(y, model.says, labels=[2], average="macro")
    assert ConfusionScorer("recall", pos_label=2)(model, y, y) == expected == 0
    found = ConfusionScorer([("recall", 2), ("recall", 1)])(model, y, y)
    assert found == {"recall_2": 0, "recall_1": 1}


@pytest.mark.parametrize("scale", [1, 2.0**-60, 2.0**40])
def test_costs_of_another_unit_choose_the_same_threshold(scale):
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 300)
    curve = ext.ThresholdCurve.from_scores(y, random.random(300) + 0.3 * y)
    costs = np.array([[0, 1], [3, 0]]) * scale
    best = curve.best("expected_cost", cost_matrix=costs)
    at = [*curve.thresholds, np.inf, -np.inf]
    least = min(curve.at(t).score("expected_cost", cost_matrix=costs) for t in at)
    assert best.value == least
    assert best.threshold == curve.best("expected_cost", cost_matrix=[[0, 1], [3, 0]]).threshold


@pytest.mark.parametrize("labels", [(-1, 1), ("a b", "c-d")])
def test_the_command_takes_any_name_of_a_class(tmp_path, labels):
    file = tmp_path / "labels.csv"
    rows = "\n".join(f"{labels[k % 2]},{labels[k % 2]}" for k in range(60))
    file.write_text(f"true,pred\n{rows}\n")
    call = ["check", str(file), "--actual", "true", "--predicted", "pred"]
    assert main([*call, "--claim", f"recall_{labels[0]} >= 0.5"]) == 0
