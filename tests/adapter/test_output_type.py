"""Whether predict gave labels or scores: every combination of forms and contexts."""

import functools
import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from skmetrics_ext import ConfusionScorer
from skmetrics_ext.adapter import responses
from skmetrics_ext.adapter.estimator import Answer, read_classes
from skmetrics_ext.adapter.rule import make_rule
from skmetrics_ext.reading.labels import read_labels
from tests.doubles import Answering, Tensor

ANSWERS = {
    "names": np.array(["a", "b", "a"]),
    "integers": np.array([0, 1, 0]),
    "integers beyond 1": np.array([1, 2, 5]),
    "booleans": np.array([True, False, True]),
    "a column of integers": np.array([[0], [1], [1]]),
    "a column of names": np.array([["a"], ["b"], ["a"]]),
    "whole floats": np.array([0.0, 1.0, 0.0]),
    "zeros": np.array([0.0, 0.0, 0.0]),
    "ones": np.array([1.0, 1.0, 1.0], dtype=np.float32),
    "a column of whole floats": np.array([[0.0], [1.0], [1.0]], dtype=np.float32),
    "whole floats beyond 1": np.array([0.0, 2.0, 1.0]),
    "whole floats below 0": np.array([-1.0, 1.0, 1.0]),
    "fractions": np.array([0.0, 0.3, 1.0]),
    "a column of fractions": np.array([[0.4], [0.7], [0.1]]),
    "decisions": np.array([-1.0, 2.0, 0.5]),
    "NaN": np.array([0.0, np.nan, 1.0]),
    "columns of integers": np.array([[0, 1], [1, 1], [0, 0]]),
    "columns of booleans": np.array([[True, False], [False, True], [True, True]]),
    "columns of votes": np.array([[3, 0], [1, 2], [0, 3]]),
    "columns of whole floats": np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]]),
    "columns of whole floats beyond 1": np.array([[0.0, 2.0], [1.0, 0.0], [1.0, 0.0]]),
    "columns of fractions": np.array([[0.2, 0.8], [0.7, 0.3], [1.0, 0.0]]),
    "columns with NaN": np.array([[0.0, 1.0], [np.nan, 0.0], [1.0, 0.0]]),
}
TARGETS = {
    "0 and 1": np.array([0, 1, 1]),
    "0 alone": np.array([0, 0, 0]),
    "1 and 2": np.array([1, 2, 2]),
    "floats": np.array([0.0, 1.0, 1.0]),
    "booleans": np.array([False, True, True]),
    "names": np.array(["0", "1", "1"]),
    "several labels": np.array([[0, 1], [1, 1], [0, 0]]),
}
TOLD = {
    "nothing": {},
    "None": {"classes_": None},
    "classes": {"classes_": np.array([0, 1])},
    "the classes of each label": {"classes_": [np.array([0, 1]), np.array([0, 1])]},
}
RULES = {
    "no rule": {},
    "a threshold": {"threshold": 0.3},
    "costs": {"cost_matrix": [[0, 1], [5, 0]]},
}
KNOWN = list(itertools.product(TARGETS, [None, True, False], [None, [0, 1]]))


@functools.cache
def column_of(target):
    """Thousands of combinations have the same targets."""
    return read_labels(TARGETS[target], "y_true")


def found(answer, declared, rule, target, multilabel, named):
    """What the package says of an answer."""
    true = column_of(target)
    single = TARGETS[target].ndim == 1 or multilabel is False
    given = Answer("predict", ANSWERS[answer], read_classes(SimpleNamespace(**TOLD[declared])))
    classes = None if named is None else np.array(named)
    try:
        return (
            "labels"
            if responses.are_labels(given, true, make_rule(**RULES[rule]), classes, single)
            else "scores"
        )
    except ValueError as error:
        return "refused" if "predict returns labels" in str(error) else str(error)


def expected(answer, declared, rule, target, multilabel, named):
    """The same in sentences, entry by entry."""
    rule_is_for_scores = rule != "no rule"
    kind = looks_and_knowledge(answer, declared, rule_is_for_scores, target, multilabel, named)
    return "refused" if kind == "labels" and rule_is_for_scores else kind


def looks_and_knowledge(answer, declared, rule_is_for_scores, target, multilabel, named):
    rows = [row if isinstance(row, list) else [row] for row in ANSWERS[answer].tolist()]
    entries = [entry for row in rows for entry in row]
    has_floats = any(isinstance(entry, float) for entry in entries)
    only_0_and_1 = all(entry in (0, 1) for entry in entries)
    y = TARGETS[target]
    if len(rows[0]) > 1:
        if y.ndim == 1 or multilabel is False:
            return "scores"  # Each sample has one label, so there is one column per class.
        if not only_0_and_1:
            return "scores"
        if not has_floats:
            return "labels"
        # A multilabel classifier may say 1.0; of anything else this is a probability, and so it is
        # for a threshold.
        return "labels" if "classes_" in TOLD[declared] and not rule_is_for_scores else "scores"
    if not has_floats:
        return "labels"
    if any(entry != entry or entry % 1 for entry in entries):
        return "scores"
    if declared == "classes":
        return "labels"
    if rule_is_for_scores:
        return "scores"
    if not only_0_and_1:
        return "labels"
    if named is not None:
        return "scores"
    if y.ndim == 1 and len({*y.tolist()}) == 2 and not {*y.tolist()} <= {0, 1}:
        return "scores"  # 1.0 is no more the label 1 beside 2 than 0.999 is.
    return "labels" if y.ndim == 2 or all(entry in y.tolist() for entry in entries) else "scores"


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("answer", ANSWERS)
def test_predict_gave_labels_or_scores_as_the_sentences_say(answer, step):
    """In a fifth of the contexts, other ones for the next answer; in all in the slow ones."""
    contexts = [*itertools.product(TOLD, RULES, KNOWN)]
    for declared, rule, known in contexts[[*ANSWERS].index(answer) % step :: step]:
        assert found(answer, declared, rule, *known) == expected(answer, declared, rule, *known), (
            declared,
            rule,
            known,
        )


@pytest.mark.parametrize(
    "certain", [np.ones(3), np.full((3, 1), 0.999), np.ones((3, 1), dtype=np.float16)]
)
def test_certain_probabilities_for_1_and_2_are_no_labels(certain):
    for scorer in (ConfusionScorer("accuracy"), ConfusionScorer("accuracy", classes=[1, 2])):
        assert scorer(Answering(certain), None, [1, 2, 2]) == 2 / 3
    assert (
        ConfusionScorer("accuracy")(Answering(np.array([1.0, 2.0, 1.0])), None, [1, 2, 2]) == 2 / 3
    )


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (
            Tensor([0, 1], "torch.bfloat16", TypeError()),
            r"predict\(X\) has dtype bfloat16.*pass predict\(X\)\.float\(\)",
        ),
        (
            Tensor([0, 1], "torch.int64", RuntimeError("use .cpu()")),
            r"predict\(X\) can't become a NumPy array: use",
        ),
    ],
    ids=["bfloat16", "GPU"],
)
def test_predictions_that_numpy_cannot_have_say_what_to_do(response, message):
    with pytest.raises(TypeError, match=message):
        ConfusionScorer("accuracy")(Answering(response), None, [0, 1])
