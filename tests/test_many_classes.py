"""A hundred thousand classes: linear in samples and classes, never a matrix of all pairs."""

import tracemalloc
import warnings

import numpy as np
import pytest

from skmetrics_ext import ConfusionScorer
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.metrics.by_name import function_of
from tests.doubles import Answering
from tests.shared import parameters_of

N_CLASSES = 100_000


@pytest.fixture(scope="module")
def labels():
    """Every class twice; half of the predictions are right."""
    y_true = np.arange(2 * N_CLASSES) % N_CLASSES
    return y_true, np.where(np.arange(len(y_true)) % 2 == 0, y_true, (y_true + 1) % N_CLASSES)


@pytest.mark.parametrize("row", [row for row in METRICS if row.takes != "matrix"], ids=lambda row: row.name)
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
    assert peak < 50 * 2**20
    if row.name in ("accuracy", "recall", "balanced_accuracy"):
        assert value == 0.5


def test_a_scorer_counts_margins_only(labels):
    model = Answering(labels[1], classes=np.arange(N_CLASSES))
    tracemalloc.start()
    assert ConfusionScorer("accuracy")(model, None, labels[0]) == 0.5
    assert ConfusionScorer("kappa")(model, None, labels[0]) == pytest.approx(0.5, abs=1e-4)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50 * 2**20
