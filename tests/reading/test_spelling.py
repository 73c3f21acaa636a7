"""Labels of two sides that differ only in spelling warn; labels that differ otherwise do not."""

import re

import numpy as np
import pandas as pd
import pytest

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    accuracy_score,
    agreement,
    classification_report,
    compare,
    f1_score,
    metric_interval,
)
from tests.doubles import Answering

ONE_CLASS_IN_TWO_SPELLINGS = [
    ("1", "1.0"),
    ("1000", "1e3"),
    ("01", "1"),
    ("+2", "2"),
    ("Ill", "ill"),
    ("ill", "ill "),
    ("\xa0ill", "ill"),
    ("STRASSE", "straße"),
    ("caf\u00e9", "cafe\u0301"),
    ("True", "TRUE"),
    ("NaN", "nan"),
    ("<=50K", " <=50K."),
    ("ill", "'ill'"),
    ("ill", '"Ill" '),
    ("ill", "\u201cill\u201d"),
    ("ill", "[ill]"),
    ("(ill)", "{ ill }"),
    ("1", "'1'"),
    ("1", "[1.0]"),
]
TWO_CLASSES = [
    ("1", "2"),
    ("1", "l"),
    ("12345678901234567890", "12345678901234567891"),
    ("nan", "n/a"),
    ("snan", "qnan"),
    ("inf", "Infinity"),
    ("ill", "il l"),
    ("+", "-"),
    ("", "-"),
    ("2a", "2b"),
    (".5", "5"),
    (".", ""),
    ("(a", "(b"),
    ("a.b", "ab"),
    ("<=50K", ">50K."),
]


def with_well(label):
    return [label, "well", "well", label]


def warns_of(true, pred):
    labels = (re.escape(repr(label)) for label in (true, pred))
    message = "has the label {} where .* has {}: they differ only in spelling".format(*labels)
    return pytest.warns(UserWarning, match=message)


@pytest.mark.parametrize(("true", "pred"), ONE_CLASS_IN_TWO_SPELLINGS)
@pytest.mark.parametrize(
    "container",
    [list, np.array, pd.Series, pd.Categorical, lambda labels: np.array(labels, dtype=object)],
)
def test_a_class_in_two_spellings_warns(true, pred, container):
    for one, other in ((true, pred), (pred, true)):
        with warns_of(one, other) as caught:
            value = accuracy_score(container(with_well(one)), container(with_well(other)))
        assert value == 0.5
        assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(("true", "pred"), TWO_CLASSES)
def test_two_classes_do_not_warn(true, pred):
    assert accuracy_score([true, true], [pred, pred]) == 0
    assert accuracy_score(with_well(true), with_well(pred)) == 0.5


def test_bytes_are_read_as_strings_are():
    with pytest.warns(UserWarning, match=r"b'Ill' where y_pred has b'ill'"):
        assert accuracy_score([b"Ill", b"well"], [b"ill", b"well"]) == 0.5
    assert accuracy_score([b"\xff", b"well"], [b"\xfe", b"well"]) == 0.5


def test_spellings_of_one_side_are_two_classes():
    # Letters are classes of their own, and a fold may lack one of them among the predictions.
    assert accuracy_score(["a", "A", "b"], ["a", "a", "b"]) == 2 / 3
    assert accuracy_score(["a", "A", "b"], ["A", "a", "b"]) == 1 / 3
    assert accuracy_score(["a", "a", "b"], ["a", "A", "b"]) == 2 / 3
    assert accuracy_score(["a", "A", "b"], ["a", "a", "c"]) == 1 / 3
    assert accuracy_score(["a", "a", "c"], ["a", "A", "b"]) == 1 / 3


def test_classes_that_the_caller_or_the_model_knows_are_two():
    letters = ["A", "a", "b"]
    cm = ConfusionMatrix.from_predictions(["A", "b"], ["a", "b"], labels=letters)
    assert cm.score("accuracy") == 0.5
    assert f1_score(["A", "b"], ["a", "b"], labels=letters, average="micro") == 0.5
    for labels in (["a", "b"], ["A", "b"]):
        with warns_of("A", "a"):
            f1_score(["A", "b"], ["a", "b"], labels=labels, average="micro")
    model = Answering(["a", "b"], classes=letters)
    assert ConfusionScorer("accuracy")(model, None, ["A", "b"]) == 0.5
    with warns_of("A", "a"), pytest.warns(UserWarning, match="never saw"):
        ConfusionScorer("accuracy")(Answering(["a", "b"], classes=["a", "b"]), None, ["A", "b"])


TRUE, PRED = ["Ill", "well", "well", "Ill"] * 20, ["ill", "well", "well", "well"] * 20
FRAME = pd.DataFrame({"truth": TRUE, "model": PRED})


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: f1_score(TRUE, PRED, average="macro"), ("y_true", "y_pred")),
        (lambda: ConfusionMatrix.from_predictions(TRUE, PRED), ("y_true", "y_pred")),
        (lambda: ConfusionMatrix.from_frame(FRAME, "truth", "model"), ("actual", "predicted")),
        (
            lambda: ConfusionMatrix.from_counts(pd.crosstab(FRAME.truth, FRAME.model)),
            ("the index of counts", "the columns of counts"),
        ),
        (lambda: classification_report(TRUE, PRED, zero_division=0), ("y_true", "y_pred")),
        (lambda: metric_interval(TRUE, PRED, "accuracy"), ("y_true", "y_pred")),
        (
            lambda: compare(TRUE, {"a": TRUE, "b": PRED}, "accuracy", n_resamples=100),
            ("y_true", "predictions['b']"),
        ),
        (
            lambda: agreement(pd.DataFrame({"a": TRUE, "b": TRUE, "c": PRED})),
            ("ratings['a']", "ratings['c']"),
        ),
    ],
)
def test_every_door_warns_once_with_its_own_names(call, names):
    message = f"{names[0]} has the label 'Ill' where {names[1]} has 'ill'"
    with pytest.warns(UserWarning, match=re.escape(message)) as caught:
        call()
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("true", "pred"),
    [
        (["ash", "elm", "elm"], ["0", "1", "1"]),
        ([0, 1, 1], [2, 3, 3]),
        (pd.Categorical(["ash", "elm", "elm"]), pd.Categorical(["a", "e", "e"])),
    ],
    ids=str,
)
def test_labels_of_which_none_are_in_both_warn(true, pred):
    frame = pd.DataFrame({"true": true, "pred": pred})
    doors = (
        lambda: accuracy_score(true, pred),
        lambda: f1_score(true, pred, average="macro", zero_division=0),
        lambda: ConfusionMatrix.from_predictions(true, pred).score("accuracy"),
        lambda: ConfusionMatrix.from_frame(frame, "true", "pred").score("accuracy"),
    )
    for door in doors:
        with pytest.warns(UserWarning, match="none of which are in both, so nothing is right"):
            assert door() == 0
    with pytest.warns(UserWarning, match="none of which are in both, so nothing is right"):
        compare(np.tile(true, 20), {"a": np.tile(pred, 20), "b": np.tile(true, 20)}, "accuracy")
    # One label may be all that occurred, and declared ones are classes.
    assert accuracy_score(true, [pred[0]] * 3) == 0
    both = [*dict.fromkeys([*true, *pred])]
    assert ConfusionMatrix.from_predictions(true, pred, labels=both).score("accuracy") == 0
