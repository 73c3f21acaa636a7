"""An estimator is asked for its classes once, and for one response, which is read once."""

import re

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from skmetrics_ext import ConfusionScorer, ProbabilityClassifier
from skmetrics_ext.adapter import columns
from skmetrics_ext.adapter import estimator as asking
from skmetrics_ext.adapter.estimator import read_classes
from skmetrics_ext.adapter.responses import predict_labels, predict_scores
from skmetrics_ext.adapter.rule import make_rule
from skmetrics_ext.reading.labels import read_labels
from tests.doubles import CountsLooks

TWO = np.array([[0.8, 0.2], [0.3, 0.7], [0.6, 0.4]])
LABELS = np.array([0, 1, 1])
INDICATOR = np.array([[0, 1], [1, 1], [0, 0]])
ONE_HOT = np.array([[1, 0], [0, 1], [0, 1]])


@pytest.fixture
def reads(monkeypatch):
    """What is read as scores, call by call."""
    read = []
    for module in (asking, columns):
        original = module.read_scores
        monkeypatch.setattr(
            module,
            "read_scores",
            lambda scores, original=original: read.append(1) or original(scores),
        )
    return read


@pytest.mark.parametrize(
    ("classes", "answers", "y", "options"),
    [
        pytest.param(
            np.array([0, 1]), {"predict_proba": TWO}, LABELS, {"threshold": 0.3}, id="threshold"
        ),
        pytest.param(
            np.array([0, 1]),
            {"predict_proba": TWO},
            LABELS,
            {"cost_matrix": [[0, 1], [5, 0]]},
            id="costs",
        ),
        pytest.param(["no", "yes"], {"predict_proba": TWO}, ["no", "yes", "no"], {}, id="argmax"),
        pytest.param(
            np.array([1, 0]),
            {"decision_function": TWO[:, 0]},
            LABELS,
            {"threshold": 0.0},
            id="decisions",
        ),
        pytest.param(None, {"predict": TWO}, LABELS, {}, id="softmax of predict"),
        pytest.param(None, {"predict": [0.2, 0.7, 0.6]}, LABELS, {}, id="sigmoid of predict"),
        pytest.param(
            np.array([0.0, 1.0]), {"predict": TWO[:, 1]}, LABELS, {}, id="regressor with classes"
        ),
        pytest.param(
            [np.array([0, 1])] * 2,
            {"predict_proba": [TWO, TWO]},
            INDICATOR,
            {},
            id="several labels",
        ),
        pytest.param(np.array([0, 1]), {"predict_proba": TWO}, ONE_HOT, {}, id="one-hot"),
    ],
)
def test_a_prediction_reads_classes_and_scores_once(reads, classes, answers, y, options):
    model = CountsLooks(classes, **answers)
    methods = () if options or "predict" in answers else ("predict_proba",)
    true = read_labels(y, "y_true")
    predict_labels(model, np.zeros((3, 1)), true, make_rule(**options), response_method=methods)
    assert (model.looked, len(reads)) == (1, 1)
    declared = read_classes(model)
    predict_labels(
        model,
        np.zeros((3, 1)),
        true,
        make_rule(**options),
        response_method=methods,
        declared=declared,
    )
    assert (model.looked, len(reads)) == (2, 2)


@pytest.mark.parametrize(
    "answer", [LABELS, LABELS.astype(float), np.array(["0", "1", "1"])], ids=["int", "float", "U"]
)
def test_labels_as_they_are_read_classes_once_and_no_scores(reads, answer):
    model = CountsLooks(np.unique(answer), predict=answer)
    assert (
        predict_labels(model, np.zeros((3, 1)), read_labels(answer, "y_true"), make_rule()).pred
        is answer
    )
    assert (model.looked, len(reads)) == (1, 0)


def test_a_model_that_saw_one_class_has_no_scores_to_read(reads):
    model = CountsLooks(np.array([1]), predict_proba=np.ones((3, 1)))
    true = read_labels(np.array([1, 1, 1]), "y_true")
    pred = predict_labels(
        model, np.zeros((3, 1)), true, make_rule(), response_method=("predict_proba",)
    ).pred
    assert (pred.labels.tolist(), pred.codes.tolist()) == ([1], [0, 0, 0])
    assert (model.looked, len(reads)) == (1, 0)


@pytest.mark.parametrize(
    ("classes", "answers"),
    [(LABELS[:2], {"predict_proba": TWO}), (None, {"predict": TWO})],
    ids=["declared", "not declared"],
)
def test_scores_of_the_positive_class_read_classes_and_scores_once(reads, classes, answers):
    model = CountsLooks(classes, **answers)
    scores, positive, known = predict_scores(
        model, np.zeros((3, 1)), read_labels(LABELS, "y_true"), 0
    )
    assert (scores.tolist(), positive, known.tolist()) == (TWO[:, 0].tolist(), 0, [0, 1])
    assert (model.looked, len(reads)) == (1, 1)


@pytest.mark.parametrize(
    "classes",
    [
        pytest.param(np.array([0, 1, 5]), id="ascending"),
        pytest.param(np.array([2, 0, 1]), id="not ascending"),
        pytest.param(np.array([-3, 7], dtype=np.int8), id="int8"),
        pytest.param(np.array([1, 2**63 + 1], dtype=np.uint64), id="uint64"),
        pytest.param(np.array([0, 1, 300], dtype=">i4"), id="big-endian"),
        pytest.param(np.array([False, True]), id="bool"),
        pytest.param(np.array([3]), id="one class"),
        pytest.param(np.array([[0], [1]]), id="column"),
        pytest.param(np.array([0.0, 1.0]), id="float"),
        pytest.param(np.array(["b", "a"]), id="str"),
        pytest.param(np.array(["a", "b"], dtype=object), id="object"),
        pytest.param(["b", "a"], id="list"),
        pytest.param((1, 2), id="tuple"),
    ],
)
def test_classes_are_known_in_their_order_and_sorted(classes):
    model = CountsLooks(classes)
    declared = read_classes(model)
    in_order = np.ravel(classes).tolist()
    assert declared.is_declared
    assert declared.own.tolist() == in_order
    assert declared.known.tolist() == sorted(in_order)
    assert declared.own.dtype.isnative
    if isinstance(classes, np.ndarray):
        assert not np.shares_memory(declared.own, classes)


@pytest.mark.parametrize("classes", [np.array([0, 1, 1]), np.array([1, 0, 1])], ids=str)
def test_classes_that_are_no_order_are_refused(classes):
    with pytest.raises(ValueError, match=r"classes_ holds duplicates"):
        read_classes(CountsLooks(classes))


def test_a_single_value_is_no_classes():
    with pytest.raises(ValueError, match=r"classes_ must be 1-D.*got \(\)"):
        read_classes(CountsLooks(np.array(1)))


@pytest.mark.parametrize(
    "method", [None, 5, True, [], [None], [["predict"]], {"transform": 1}], ids=str
)
def test_what_names_no_method_is_refused(method):
    message = rf"response_method must be 'auto' or .* got {re.escape(repr(method))}"
    with pytest.raises(ValueError, match=message):
        ConfusionScorer("recall", response_method=method)
    with pytest.raises(ValueError, match=message):
        ProbabilityClassifier(Ridge(), response_method=method).fit([[0], [1]], [0, 1])


@pytest.mark.parametrize(
    "classes", [None, [np.array([0, 1]), np.array([0, 1, 2])]], ids=["absent", "of each output"]
)
def test_without_classes_of_one_output_nothing_is_known_of_columns(classes):
    declared = read_classes(CountsLooks(classes))
    assert declared.is_declared is (classes is not None)
    assert declared.declared is classes
    assert declared.own is declared.known is None


@pytest.mark.parametrize(
    "empty", [[], np.array([], dtype=object), ()], ids=["list", "array", "tuple"]
)
@pytest.mark.parametrize(
    "answer", [[0.2, 0.7, 0.6], [1.0, 0.0, 1.0]], ids=["probabilities", "certain"]
)
def test_empty_classes_are_none(empty, answer):
    true = read_labels(LABELS, "y_true")
    pred = [
        predict_labels(
            CountsLooks(classes, predict=answer), None, true, make_rule(threshold=0.5)
        ).pred
        for classes in (empty, None)
    ]
    assert (pred[0].labels[pred[0].codes] == pred[1].labels[pred[1].codes]).all()
    scores = predict_scores(CountsLooks(empty, predict=answer), None, true, None)
    assert scores.scores.tolist() == answer
    assert read_classes(CountsLooks(empty)) == read_classes(CountsLooks(None))
