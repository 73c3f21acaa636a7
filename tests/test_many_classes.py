"""Fifty thousand classes: linear in samples and classes, never a matrix of all pairs."""

import re
import tracemalloc
import warnings
from unittest.mock import Mock

import numpy as np
import pytest

from skmetrics_ext import ConfusionMatrix, ConfusionScorer, confusion_matrix, mutual_information
from skmetrics_ext.catalogue.rows import BY_FUNCTION, METRICS
from skmetrics_ext.counting import counts
from skmetrics_ext.metrics.from_labels import function_of
from tests.doubles import Answering
from tests.shared import for_each, parameters_of

N_CLASSES = 50_000


@pytest.fixture(scope="module")
def labels():
    """Every class twice; half of the predictions are right."""
    y_true = np.arange(2 * N_CLASSES) % N_CLASSES
    return y_true, np.where(np.arange(len(y_true)) % 2 == 0, y_true, (y_true + 1) % N_CLASSES)


@for_each("row", [row for row in METRICS if row.takes != "matrix"])
def test_metrics_of_class_counts_and_margins_need_little_memory(row, labels):
    options = parameters_of(row)
    if row.has_average:
        options["average"] = "macro"
    tracemalloc.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = function_of(row)(*labels, **options)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(value, float)
    assert peak < 25 * 2**20
    if row.name in ("accuracy", "recall", "balanced_accuracy"):
        assert value == 0.5


def test_a_scorer_counts_margins_only(labels):
    model = Answering(labels[1], classes=np.arange(N_CLASSES))
    tracemalloc.start()
    assert ConfusionScorer("accuracy")(model, None, labels[0]) == 0.5
    assert ConfusionScorer("kappa")(model, None, labels[0]) == pytest.approx(0.5, abs=1e-4)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 25 * 2**20


@for_each("by", [None, np.arange(6_000) % 2])
def test_a_matrix_is_frozen_without_a_copy(by):
    y = np.arange(6_000) % 1_000
    tracemalloc.start()
    cm = ConfusionMatrix.from_predictions(y, y[::-1], by=by)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1.2 * cm.counts.nbytes
    assert cm.counts.flags.owndata
    assert not cm.counts.flags.writeable


MATRICES = {
    "confusion_matrix": confusion_matrix,
    "from_predictions": ConfusionMatrix.from_predictions,
    "by": lambda true, pred: ConfusionMatrix.from_predictions(true, pred, by=true % 2),
    "metric": mutual_information,
    "scorer": lambda true, pred: ConfusionScorer("mutual_information")(Answering(pred), None, true),
}


@pytest.mark.parametrize("name", MATRICES)
def test_a_matrix_that_no_memory_holds_says_what_needs_none(name):
    labels = np.arange(1_000_000)
    with pytest.raises(MemoryError) as caught:
        MATRICES[name](labels, labels)
    message = str(caught.value)
    many = "2 confusion matrices, one per group, of" if name == "by" else "a confusion matrix of"
    gigabytes = "1.49e+04" if name == "by" else "7451"
    assert message.startswith(f"{many} 1000000 classes would need {gigabytes} GiB")
    named = re.findall(r"\w+_score|matthews_corrcoef", message)
    assert len(named) == 8
    for function in named:
        assert BY_FUNCTION[function].takes != "matrix"


def test_a_matrix_that_the_system_refuses_says_so_too(monkeypatch):
    monkeypatch.setattr(counts, "count_matrix", Mock(side_effect=MemoryError))
    with pytest.raises(
        MemoryError, match=r"a confusion matrix of 2 classes would need .* GiB.*recall_score"
    ):
        confusion_matrix([0, 1], [0, 1])


def test_a_machine_that_does_not_tell_its_memory_has_enough(monkeypatch):
    monkeypatch.setattr(counts.os, "sysconf", Mock(side_effect=ValueError))
    assert counts._memory.__wrapped__() == np.inf
