"""What `metrics=` may be, which is one thing at every door that takes several."""

import numpy as np
import pytest

from skmetrics_ext import (
    ConfusionMatrix,
    ConfusionScorer,
    ThresholdCurve,
    classification_report,
    compare,
    plot_threshold_curve,
    recall_score,
)
from tests.doubles import Answering

Y = np.array([0, 1] * 30)
PREDICTED = np.where(np.arange(60) % 7 == 0, 1 - Y, Y)
SCORES = np.linspace(0.1, 0.9, 60) + 0.05 * Y
RECALL = (PREDICTED[Y == 1] == 1).mean()
PRECISION = (Y[PREDICTED == 1] == 1).mean()


def scores_of(metrics):
    found = ConfusionScorer(metrics)(Answering(PREDICTED), np.zeros((60, 1)), Y)
    return found if isinstance(found, dict) else {None: found}


def table_of(metrics):
    found = ConfusionMatrix.from_predictions(Y, PREDICTED).summary(metrics, n_resamples=100)
    return dict(zip(found.metric.tolist(), found.value.tolist(), strict=True))


def comparison_of(metrics):
    found = compare(Y, {"a": PREDICTED, "b": Y}, metrics, n_resamples=100, random_state=0)
    return {row.metric: row.value for row in found.rows}


def report_of(metrics):
    found = classification_report(Y, PREDICTED, metrics=metrics, output_dict=True)
    return {name: value for name, value in found["1"].items() if name != "support"}


def lines_of(metrics):
    curve = ThresholdCurve.from_scores(Y, SCORES)
    plot = plot_threshold_curve(curve, metrics)
    return dict.fromkeys(plot.lines_)


DOORS = {
    "scorer": scores_of,
    "table": table_of,
    "comparison": comparison_of,
    "report": report_of,
    "curve": lines_of,
}
each_door = pytest.mark.parametrize("door", DOORS)


@each_door
@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        ("recall", {"recall": RECALL}),
        (recall_score, {"recall": RECALL}),
        (["recall", "precision"], {"recall": RECALL, "precision": PRECISION}),
        (("ppv", recall_score), {"ppv": PRECISION, "recall": RECALL}),
        # Two names of one metric are two names.
        (["recall", "tpr"], {"recall": RECALL, "tpr": RECALL}),
        ({"found": "recall", "right": "precision"}, {"found": RECALL, "right": PRECISION}),
        ({"f1": "recall"}, {"f1": RECALL}),
    ],
    ids=["name", "function", "list", "tuple", "aliases", "dict", "dict that misleads"],
)
def test_a_metric_a_list_and_a_dict_are_taken_everywhere(door, metrics, expected):
    found = DOORS[door](metrics)
    if door == "curve":
        assert [*found] == [*expected]
        return
    if door == "scorer" and isinstance(metrics, str | type(recall_score)):
        expected = {None: RECALL}
    assert [*found] == [*expected]
    assert found == pytest.approx(expected)


@each_door
@pytest.mark.parametrize(
    ("metrics", "error", "message"),
    [
        ({"recall", "f1"}, TypeError, "must be a metric, a list .*, or a dict of key to metric"),
        (None, TypeError, "must be a metric, a list of metrics .*; got None"),
        (3, TypeError, "must be a metric, a list of metrics .*; got 3"),
        ([], ValueError, "metrics is empty: specify at least one"),
        ({}, ValueError, "metrics is empty: specify at least one"),
        (["f1", "f1"], ValueError, "metrics has 'f1' twice: name each once"),
        (["recall", recall_score], ValueError, "metrics has 'recall' twice: name each once"),
        ({"": "recall"}, TypeError, "the keys of metrics must be non-empty strings; got ''"),
        ({1: "recall"}, TypeError, "the keys of metrics must be non-empty strings; got 1"),
        (["recal"], ValueError, "'recal' is not a metric .*Did you mean 'recall'"),
    ],
)
def test_anything_else_is_refused_in_the_same_words(door, metrics, error, message):
    if door == "report" and metrics is None:
        # The metrics of scikit-learn's report.
        assert [*report_of(None)] == ["precision", "recall", "f1-score"]
        return
    if door == "table" and metrics is None:
        assert {"n", "sensitivity", "kappa"} < {*table_of(None)}
        return
    with pytest.raises(error, match=message):
        DOORS[door](metrics)
