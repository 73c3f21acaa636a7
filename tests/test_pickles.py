"""Pickles name public objects alone, so that they load after a file has moved."""

import io
import pickle

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.linear_model import LogisticRegression, Ridge

import skmetrics_ext
from skmetrics_ext import (
    AbstainingClassifier,
    ConfusionMatrix,
    ConstrainedThresholdClassifier,
    ProbabilityClassifier,
    ThresholdCurve,
    ThresholdCurves,
    check,
    classification_report,
    compare,
    compare_folds,
    plot_confusion_matrices,
    plot_confusion_matrix,
    plot_decision_curve,
    plot_intervals,
    plot_precision_recall,
    plot_risk_coverage,
    plot_roc,
    plot_threshold_curve,
    sample_size,
    threshold_curve,
    threshold_curves,
    watch,
)

matplotlib.use("Agg")

Y_TRUE = np.array(["no", "no", "yes", "yes", "yes"])
Y_PRED = np.array(["no", "yes", "yes", "yes", "no"])
SCORES = np.array([0.1, 0.4, 0.35, 0.8, 0.2])
WEIGHTS = np.array([1, 2, 1, 1, 3])


def matrix():
    return ConfusionMatrix.from_labels(Y_TRUE, Y_PRED, by=["a", "b", "a", "b", "b"])


def groups():
    return ConfusionMatrix.from_counts(np.full((2, 2, 2), 9), labels=["no", "yes"])


def curve(**options):
    return threshold_curve(Y_TRUE, SCORES, pos_label="yes", sample_weight=WEIGHTS, **options)


def curves():
    return threshold_curves(Y_TRUE, np.stack([1 - SCORES, SCORES], axis=1))


def asked(curves):
    """Curves that keep what they were asked for."""
    assert len(curves["yes"].thresholds) < len(curves.micro.thresholds)
    return curves


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
        cv=2,
        **options,
    )
    return model.fit(np.tile(SCORES, 9)[:, None], np.tile(Y_TRUE, 9))


def abstaining():
    model = AbstainingClassifier(
        LogisticRegression(), at_least=0.1, confidence_level=None, abstain_label="?", cv=2
    )
    return model.fit(np.tile(SCORES, 9)[:, None], np.tile(Y_TRUE, 9))


# What is public pickles by public names, whatever it is made of.
PUBLIC = {
    "a matrix": lambda: matrix().sum(),
    "a matrix with axes": matrix,
    "a matrix of multilabel data": lambda: ConfusionMatrix.from_labels(
        [[1, 0], [1, 1]], [[1, 1], [0, 1]]
    ),
    "a matrix of counts": lambda: ConfusionMatrix.from_counts(np.ones((3, 2, 2)), labels=[0, 1]),
    "alarms": lambda: watch(matrix(), {"recall": 0.9}, horizon=2, pos_label="yes"),
    "an interval": lambda: matrix().sum().interval("accuracy"),
    "intervals": lambda: matrix().interval("recall", average=None),
    "a gap": lambda: groups().gap("accuracy", baseline=0),
    "gaps": lambda: groups().gap("accuracy_ovr", average=None),
    "a comparison of models": lambda: compare(
        [0, 1], {"a": [0, 1], "b": [1, 1]}, "accuracy", margin=0.5
    ),
    "a comparison of folds": lambda: compare_folds([0.8, 0.9], [0.7, 0.9], n_train=8, n_test=2),
    "a comparison with a rope": lambda: compare_folds(
        [0.8, 0.9], [0.7, 0.9], n_train=8, n_test=2, rope=0.01
    ),
    "verdicts": lambda: check(groups(), {"accuracy": 0.1}),
    "matrix at a prevalence": lambda: matrix().at_prevalence({"yes": 0.1}),
    "a curve": curve,
    "a curve of chosen thresholds": lambda: curve(thresholds=[0.3, 0.5]),
    "the matrix of a curve": lambda: curve().at(0.3),
    "curves": curves,
    "curves that were asked": lambda: asked(curves()),
    "a classifier": lambda: classifier(Ridge()),
    "a classifier of a classifier": lambda: classifier(LogisticRegression()),
    "a classifier that is not fitted": lambda: ProbabilityClassifier(
        Ridge(), cost_matrix=[[0, 1], [2, 0]]
    ),
    "a classifier with bounds": promising,
    "a classifier that abstains": abstaining,
    "a classifier with bounds that are promised": lambda: promising(confidence_level=0.5),
    "axes": lambda: matrix().axes,
    "class counts": lambda: matrix().class_counts,
    "counts of a curve": lambda: curve().counts,
    "errors": lambda: matrix().most_confused(),
    "a best threshold": lambda: curve().best("f1"),
    "best thresholds": lambda: curves().best("f1"),
    "kept constraints": lambda: promising().constraints_,
    "points of a curve": lambda: (curve().roc(), curve().precision_recall()),
    "a sample size": lambda: sample_size("recall", value=0.9, half_width=0.03),
    "a dict of results": lambda: classification_report(Y_TRUE, Y_PRED, output_dict=True),
}

# What public functions and methods give besides, whose types are not public: a pickle names their
# files.
PRIVATE = {
    "text of a report": (lambda: classification_report(Y_TRUE, Y_PRED), {"ReportText"}),
    "picture of a matrix": (lambda: plot_confusion_matrix(matrix().sum()), {"ConfusionMatrixPlot"}),
    "pictures of matrices": (
        lambda: plot_confusion_matrices(matrix()),
        {"ConfusionMatricesPlot", "ConfusionMatrixPlot"},
    ),
    "picture of intervals": (lambda: plot_intervals(matrix(), "accuracy"), {"IntervalsPlot"}),
    "picture of curves": (lambda: plot_roc(curves()), {"RocPlot"}),
    "picture of precision": (lambda: plot_precision_recall(curves()), {"PrecisionRecallPlot"}),
    "picture of risks": (lambda: plot_risk_coverage(abstaining().curve_), {"RiskCoveragePlot"}),
    "picture of decisions": (lambda: plot_decision_curve(curves()), {"DecisionCurvePlot"}),
    "picture of a curve": (lambda: plot_threshold_curve(curve()), {"ThresholdCurvePlot"}),
}


class Recorder(pickle.Unpickler):
    """Loads a pickle, and notes what of the package it asks for by which name."""

    def __init__(self, data):
        super().__init__(io.BytesIO(data))
        self.named = set()

    def find_class(self, module, name):
        if module.partition(".")[0] == "skmetrics_ext":
            self.named.add((module, name))
        return super().find_class(module, name)


def named_by(value, protocol=pickle.DEFAULT_PROTOCOL):
    recorder = Recorder(pickle.dumps(value, protocol))
    recorder.load()
    return recorder.named


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("make", PUBLIC.values(), ids=PUBLIC)
def test_what_is_public_names_no_file(make, protocol):
    value = make()
    data = pickle.dumps(value, protocol)
    assert b"skmetrics_ext." not in data
    assert named_by(value, protocol) <= {("skmetrics_ext", name) for name in skmetrics_ext.__all__}


def test_every_public_class_but_scorers_is_pickled_here():
    classes = {
        name for name in skmetrics_ext.__all__ if isinstance(getattr(skmetrics_ext, name), type)
    }
    named = {name for make in PUBLIC.values() for _, name in named_by(make())}
    assert named == classes - {"ConfusionScorer", "EvalMetric", "FixedMetric"}


@pytest.mark.parametrize(("make", "private"), PRIVATE.values(), ids=PRIVATE)
def test_types_that_are_not_public_are_known(make, private):
    with matplotlib.rc_context():
        named = named_by(make())
        plt.close("all")
    assert {name for module, name in named if module != "skmetrics_ext"} == private


@pytest.mark.parametrize("name", skmetrics_ext.__all__)
def test_public_objects_say_where_users_find_them(name):
    value = getattr(skmetrics_ext, name)
    assert value.__module__ == "skmetrics_ext"
    assert pickle.loads(pickle.dumps(value)) is value
    assert named_by(value) == {("skmetrics_ext", name)}


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


# Written by 0.1.0 on 2026-11-21; whatever moves since, they load.
OF_BEFORE = {
    "ConfusionScorer({'missed': 'neg_fnr_macro'}, threshold=0.4, pos_label=1, labels=[0, 1])": (
        b"\x80\x02cfunctools\npartial\nq\x00cskmetrics_ext\nConfusionScorer\nq\x01\x85q\x02Rq\x03(h\x01}q\x04X\x06\x00"
        b"\x00\x00missedq\x05X\r\x00\x00\x00neg_fnr_macroq\x06s\x85q\x07}q\x08(X\t\x00\x00\x00thresholdq\tG?\xd9\x99"
        b"\x99\x99\x99\x99\x9aX\t\x00\x00\x00pos_labelq\nK\x01X\x06\x00\x00\x00labelsq\x0b]q\x0c(K\x00K\x01euNtq\rb)Rq"
        b"\x0e."
    )
}


@pytest.mark.parametrize("shown", OF_BEFORE)
def test_a_pickle_of_before_loads(shown):
    scorer = pickle.loads(OF_BEFORE[shown])
    assert repr(scorer) == shown
    y = np.array([0, 1] * 20)
    model = LogisticRegression().fit(y[:, None], y)
    requests = scorer.get_metadata_routing().score.requests
    assert requests == dict.fromkeys(requests)
    assert scorer(model, y[:, None], y) == {"missed": 0}
