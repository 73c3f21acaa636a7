"""Pickles name public objects alone, so that they load after a file has moved, and in another
version of Python.
"""

import gc
import io
import pickle
import warnings
from functools import cache

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge

from skmetrics_ext import (
    AbstainingClassifier,
    ConfusionMatrix,
    ConfusionScorer,
    ConstrainedThresholdClassifier,
    FixedMetric,
    ProbabilityClassifier,
    ThresholdCurve,
    ThresholdCurves,
    UnreliableIntervalWarning,
    check,
    classification_report,
    compare,
    compare_folds,
    cross_val_interval,
    fbeta_score,
    get_scorer,
    make_eval_metric,
    make_scorer,
    plot_confusion_matrix,
    plot_decision_curve,
    plot_intervals,
    plot_precision_recall,
    plot_risk_coverage,
    plot_roc,
    plot_threshold_curve,
    recall_score,
    sample_size,
    watch,
)
from skmetrics_ext.counting.design import plain_of
from skmetrics_ext.results import ClassCounts
from tests import between_pythons
from tests.public_names import PUBLIC as NAMES
from tests.public_names import path_of
from tests.shared import for_each

matplotlib.use("Agg")

Y_TRUE = np.array(["no", "no", "yes", "yes", "yes"])
Y_PRED = np.array(["no", "yes", "yes", "yes", "no"])
SCORES = np.array([0.1, 0.4, 0.35, 0.8, 0.2])
WEIGHTS = np.array([1, 2, 1, 1, 3])


def matrix():
    return ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, by=["a", "b", "a", "b", "b"])


def groups():
    return ConfusionMatrix.from_counts(np.full((2, 2, 2), 9), labels=["no", "yes"])


def curve(**options):
    return ThresholdCurve.from_scores(
        Y_TRUE, SCORES, pos_label="yes", sample_weight=WEIGHTS, **options
    )


def curves():
    return ThresholdCurves.from_scores(Y_TRUE, np.stack([1 - SCORES, SCORES], axis=1))


def asked(curves):
    """Curves that keep what they were asked for."""
    assert len(curves["yes"].thresholds) < len(curves.micro.thresholds)
    return curves


def of_samples(**options):
    return ConfusionMatrix.from_predictions(
        ["no", "yes", "yes", "no"], ["no", "yes", "no", "no"], **options
    )


def few_samples():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreliableIntervalWarning)
        return matrix().sum("group").interval("mcc", n_resamples=100, random_state=0)


def classifier(estimator):
    return ProbabilityClassifier(estimator, threshold={"no": 0.3, "yes": 0.7}).fit(
        SCORES[:, None], Y_TRUE
    )


def promising(**options):
    model = ConstrainedThresholdClassifier(
        LogisticRegression(),
        "precision",
        subject_to={"recall": 0.1},
        pos_label="yes",
        **{"cv": 2, **options},
    )
    return model.fit(np.tile(SCORES, 9)[:, None], np.tile(Y_TRUE, 9))


def weighing():
    model = ConstrainedThresholdClassifier(
        LogisticRegression(), "f1_macro", subject_to={"recall_2": 0.1}, cv=2
    )
    return model.fit(np.tile(SCORES, 9)[:, None], np.tile([0, 1, 2, 2, 1], 9))


def abstaining():
    model = AbstainingClassifier(
        LogisticRegression(), at_least=0.1, confidence_level=None, abstain_label="?", cv=2
    )
    return model.fit(np.tile(SCORES, 9)[:, None], np.tile(Y_TRUE, 9))


def module_and_name(name):
    """Where a public object is found, as pickles say it."""
    module, _, last = path_of(name).rpartition(".")
    return module, last


# What is public pickles by public names, whatever it is made of.
PUBLIC = {
    "a matrix": lambda: matrix().sum("group"),
    "a matrix with axes": matrix,
    "a matrix of multilabel data": lambda: ConfusionMatrix.from_predictions(
        [[1, 0], [1, 1]], [[1, 1], [0, 1]]
    ),
    "a matrix of counts": lambda: ConfusionMatrix.from_counts(np.ones((3, 2, 2)), labels=[0, 1]),
    "alarms": lambda: watch([matrix()], {"recall": 0.9}, horizon=2, pos_label="yes"),
    "a cross-validated interval": lambda: cross_val_interval(
        DummyClassifier(),
        np.zeros((12, 1)),
        np.arange(12) % 2,
        scoring="accuracy",
        cv=3,
        random_state=0,
    ),
    "an interval": lambda: matrix().sum("group").interval("accuracy"),
    "intervals": lambda: matrix().interval("recall", average=None),
    "a gap": lambda: groups().gap("accuracy", baseline=0),
    "gaps": lambda: groups().gap("accuracy_ovr", average=None),
    "a comparison of models": lambda: compare(
        [0, 1], {"a": [0, 1], "b": [1, 1]}, "accuracy", margin=0.5
    ),
    "a comparison by groups": lambda: compare(
        [0, 1] * 100, {"a": [0, 1] * 100, "b": [1, 1] * 100}, "accuracy", by=[0] * 100 + [1] * 100
    ),
    "a comparison of folds": lambda: compare_folds(
        {"a": [0.8, 0.9], "b": [0.7, 0.9]}, n_train=8, n_test=2
    ),
    "a comparison with a rope": lambda: compare_folds(
        {"a": [0.8, 0.9], "b": [0.7, 0.9]}, n_train=8, n_test=2, rope=0.01, simplest=ord
    ),
    "verdicts": lambda: check(groups(), {"accuracy": 0.1}),
    "matrix at a prevalence": lambda: matrix().at_prevalence({"yes": 0.1}),
    "a curve": curve,
    "a curve of chosen thresholds": lambda: curve(thresholds=[0.3, 0.5]),
    "the matrix of a curve": lambda: curve().at(0.3),
    "curves": curves,
    "curves of groups": lambda: ThresholdCurves.from_scores(
        Y_TRUE, SCORES, pos_label="yes", by=["a", "a", "a", "a", "b"], clusters=[0, 1, 2, 0, 1]
    ),
    "curves that were asked": lambda: asked(curves()),
    "a classifier": lambda: classifier(Ridge()),
    "a classifier of a classifier": lambda: classifier(LogisticRegression()),
    "a classifier that is not fitted": lambda: ProbabilityClassifier(
        Ridge(), cost_matrix=[[0, 1], [2, 0]]
    ),
    "a classifier with bounds": promising,
    "a classifier with weights of three classes": weighing,
    "a classifier that abstains": abstaining,
    "a classifier with bounds that are promised": lambda: promising(
        confidence_level=0.5, cv=0.5, refit=False, random_state=0
    ),
    "axes": lambda: matrix().axes,
    "an interval with caveats": few_samples,
    "a matrix of weights": lambda: of_samples(sample_weight=[1, 2, 3, 4]),
    "a matrix of clusters": lambda: of_samples(clusters=["a", "b", "a", "c"]),
    "the design of weights": lambda: of_samples(sample_weight=[1, 2, 3, 4]).design,
    "the design of clusters": lambda: of_samples(clusters=["a", "b", "a", "c"]).design,
    "class counts": lambda: matrix().class_counts,
    "counts of a curve": lambda: curve().counts,
    "errors": lambda: matrix().most_confused(),
    "a best threshold": lambda: curve().best("f1"),
    "best thresholds": lambda: curves().best("f1"),
    "kept constraints": lambda: promising().constraints_,
    "points of a curve": lambda: (curve().roc(), curve().precision_recall()),
    "the text of a report": lambda: classification_report(Y_TRUE, Y_PRED),
    "a table of text": lambda: matrix().to_table(),
    "a summary": lambda: matrix().sum("group").summary("recall", pos_label="yes"),
    "a sample size": lambda: sample_size("recall", value=0.9, half_width=0.03),
    "a dict of results": lambda: classification_report(Y_TRUE, Y_PRED, output_dict=True),
}

# Scorers and the like, whose pickles may name functions, too.
SCORERS = {
    "a scorer at a threshold": lambda: get_scorer("specificity", threshold=0.3, pos_label="yes"),
    "a scorer with a best threshold": lambda: get_scorer(
        "neg_fnr", threshold="best", subject_to={"recall": 0.5}, pos_label="yes"
    ),
    "a scorer of a function": lambda: make_scorer(fbeta_score, beta=2, pos_label="yes"),
    "a scorer of several": lambda: ConfusionScorer(
        {"a": recall_score, "b": "npv_macro"}, per_class=True, counts=True, pos_label="yes"
    ),
    "a scorer of one of several": lambda: ConfusionScorer(["mcc", "accuracy"]).scorers()["mcc"],
    "a scorer of costs": lambda: get_scorer("neg_expected_cost", cost_matrix={("no", "yes"): 5}),
    "a scorer of the index": lambda: get_scorer("evaluation_index", labels=["yes", "no"]),
    "a metric with its options": lambda: FixedMetric("fbeta", beta=2, pos_label="yes"),
    "a metric while training": lambda: make_eval_metric(
        "recall", classes=["no", "yes"], threshold=0.4
    ),
    "a warning": lambda: UnreliableIntervalWarning("few samples"),
}
OBJECTS = PUBLIC | SCORERS

PICTURES = {
    "picture of a matrix": lambda: plot_confusion_matrix(matrix().sum("group")),
    "pictures of matrices": lambda: plot_confusion_matrix(matrix()),
    "picture of intervals": lambda: plot_intervals(matrix(), "accuracy"),
    "picture of curves": lambda: plot_roc(curves()),
    "picture of precision": lambda: plot_precision_recall(curves()),
    "picture of risks": lambda: plot_risk_coverage(abstaining().curve_),
    "picture of decisions": lambda: plot_decision_curve(curves()),
    "picture of a curve": lambda: plot_threshold_curve(curve()),
}


class Recorder(pickle.Unpickler):
    """Loads a pickle, and notes what it asks for by which name."""

    def __init__(self, data):
        super().__init__(io.BytesIO(data))
        self.named = set()

    def find_class(self, module, name):
        self.named.add((module, name))
        return super().find_class(module, name)


def asked_for_by(data, package):
    recorder = Recorder(data)
    recorder.load()
    return {
        (module, name) for module, name in recorder.named if module.partition(".")[0] == package
    }


def named_by(value, protocol=pickle.DEFAULT_PROTOCOL):
    return asked_for_by(pickle.dumps(value, protocol), "skmetrics_ext")


@cache
def made(name):
    return OBJECTS[name]()


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@for_each("name", OBJECTS)
def test_what_is_public_names_no_file(name, protocol):
    value = made(name)
    data = pickle.dumps(value, protocol)
    assert b"skmetrics_ext." not in data.replace(b"skmetrics_ext.results", b"")
    assert named_by(value, protocol) <= {*map(module_and_name, NAMES)}


# A function or class that can't be named is stored as bytecode, which crashes another version of
# Python. These three find or build what they name.
BY_DILL = {("dill._dill", name) for name in ("_create_array", "_create_namedtuple", "_load_type")}


@pytest.mark.parametrize("library", ["cloudpickle", "dill"])
@for_each("name", OBJECTS)
def test_nothing_is_stored_as_bytecode(name, library):
    value = made(name)
    data = pytest.importorskip(library).dumps(value)
    assert b"skmetrics_ext." not in data.replace(b"skmetrics_ext.results", b"")
    assert asked_for_by(data, "skmetrics_ext") <= named_by(value)
    assert asked_for_by(data, library) <= BY_DILL


def test_every_public_class_is_pickled_here():
    classes = {name for name, found in NAMES.items() if isinstance(found, type)}
    named = {name for of in OBJECTS for _, name in named_by(made(of))}
    # Rows are made anew by their comparison, and pictures are pickled below.
    pictures = {name for name in classes if name.endswith("Plot")}
    assert classes - named - pictures == {"ComparisonRow", "EvalMetric"}
    assert "make_eval_metric" in named


@pytest.mark.parametrize("make", PICTURES.values(), ids=PICTURES)
def test_types_of_pictures_are_public(make):
    with matplotlib.rc_context():
        picture = make()
        # Old versions of matplotlib fail where weak references end while it looks at them.
        gc.disable()
        try:
            named = named_by(picture)
        finally:
            gc.enable()
        plt.close("all")
    assert named <= {*map(module_and_name, NAMES)}


@for_each("name", NAMES)
def test_public_objects_say_where_users_find_them(name):
    value = NAMES[name]
    module, _ = module_and_name(name)
    assert value.__module__ == module
    assert pickle.loads(pickle.dumps(value)) is value
    assert named_by(value) == {(module, name)}
    by_cloudpickle = pytest.importorskip("cloudpickle").dumps(value)
    assert asked_for_by(by_cloudpickle, "skmetrics_ext") == {(module, name)}


def test_what_a_pickle_of_parts_holds_is_whole_again():
    again = pickle.loads(pickle.dumps(matrix()))
    assert again == matrix()
    assert again.axes[0].name == "group"
    again = pickle.loads(pickle.dumps(curve()))
    assert isinstance(again, ThresholdCurve)
    assert again.counts.tp.tolist() == curve().counts.tp.tolist()
    assert again.at(0.3) == curve().at(0.3)
    again = pickle.loads(pickle.dumps(curves()))
    assert isinstance(again, ThresholdCurves)
    assert again.roc_auc() == curves().roc_auc()


def test_dicts_of_a_classifier_are_stored_as_pairs():
    # skops writes JSON, whose keys are strings.
    model = classifier(Ridge()).set_params(cost_matrix=None, threshold={"no": 0.2, "yes": 0.8})
    state = model.__getstate__()
    assert state.pop("_pairs") == {"threshold": [("no", 0.2), ("yes", 0.8)]}
    assert not [value for value in state.values() if isinstance(value, dict)]
    again = pickle.loads(pickle.dumps(model))
    assert vars(again).keys() == vars(model).keys()
    assert again.get_params()["threshold"] == {"no": 0.2, "yes": 0.8}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_curves_stay_read_only_and_keep_what_they_are(protocol):
    original = curve(thresholds=[0.3, 0.5], clusters=[0, 0, 1, 1, 2], ties="negative")
    again = pickle.loads(pickle.dumps(original, protocol))
    assert again._samples.clusters.tolist() == [0, 0, 1, 1, 2]
    assert type(again.counts) is ClassCounts
    same_but_design = [vars(of) | {"_design": plain_of(of._design)} for of in (again, original)]
    np.testing.assert_equal(*same_but_design)
    several = pickle.loads(pickle.dumps(asked(curves()), protocol))
    parts = [again.thresholds, again.labels, *again.counts, *again._samples]
    parts += [several.axis.coordinates, *several._samples[0][:2], several["yes"].thresholds]
    for part in parts:
        with pytest.raises(ValueError, match="read-only"):
            part[0] = part[0]
    assert len(pickle.dumps(several, protocol)) == len(pickle.dumps(asked(several), protocol))


@pytest.mark.slow
def test_what_one_python_writes_another_reads(tmp_path):
    """Each object by each library: in plain pytest they take turns, and a new interpreter reads
    them. Here it is one and the same; .ci/run all has another.
    """
    pytest.importorskip("dill")
    between_pythons.write(tmp_path)
    between_pythons.read(tmp_path)
