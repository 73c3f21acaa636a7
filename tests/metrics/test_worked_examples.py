"""Values against published examples, and against fractions by hand from published formulas."""

import numpy as np
import pytest

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import BY_NAME
from tests.vectors.oracle import EXACT_METRICS
from tests.vectors.sources import Example

EXAMPLES = [
    (name, oracle)
    for name, metric in EXACT_METRICS.items()
    for oracle in metric.oracles
    if isinstance(oracle, Example)
]


@pytest.mark.parametrize(
    ("name", "example"), EXAMPLES, ids=[f"{name}={oracle.value}" for name, oracle in EXAMPLES]
)
def test_values_equal_those_of_the_example(name, example):
    matrix = ConfusionMatrix.from_counts(example.table, labels=list(range(len(example.table))))
    if BY_NAME[name].has_average:
        value = matrix.score(name, average=None, **example.parameters)[-1]
    else:
        value = matrix.score(name, **example.parameters)
    assert value == pytest.approx(float(example.value), abs=example.tolerance), example.source


def test_gerritys_scoring_matrix_of_three_equally_likely_classes():
    """Gerrity (1992), Monthly Weather Review 120: the scores for probabilities of one third."""
    scores = [[1.25, -0.25, -1], [-0.25, 0.5, -0.25], [-1, -0.25, 1.25]]
    for actual in range(3):
        for predicted in range(3):
            counts = np.full((3, 3), 0.0)
            counts[[0, 1, 2], [0, 1, 2]] = 1
            counts[actual] = 0
            counts[actual, predicted] = 1
            others = sum(scores[k][k] for k in range(3) if k != actual)
            expected = (others + scores[actual][predicted]) / 3
            assert ConfusionMatrix.from_counts(counts, labels=[0, 1, 2]).score(
                "gerrity"
            ) == pytest.approx(expected)


def test_numbers_of_the_three_class_example():
    """Sixteen samples, three classes; every value is a fraction of counts in the matrix."""
    target = [2, 0, 2, 0, 1, 0, 1, 1, 1, 0, 2, 2, 0, 0, 1, 2]
    predicted = [0, 0, 2, 0, 2, 2, 2, 2, 2, 2, 1, 2, 0, 0, 1, 0]
    assert skmetrics_ext.confusion_matrix(target, predicted).tolist() == [
        [4, 0, 2],
        [0, 1, 4],
        [2, 1, 2],
    ]
    per_class = {
        "precision_score": [4 / 6, 1 / 2, 2 / 8],
        "recall_score": [4 / 6, 1 / 5, 2 / 5],
        "f1_score": [8 / 12, 2 / 7, 4 / 13],
    }
    for name, expected in per_class.items():
        np.testing.assert_allclose(
            getattr(skmetrics_ext, name)(target, predicted, average=None), expected, rtol=1e-15
        )
    assert skmetrics_ext.accuracy_score(target, predicted) == 7 / 16
    assert skmetrics_ext.balanced_accuracy_score(target, predicted) == pytest.approx(
        (4 / 6 + 1 / 5 + 2 / 5) / 3
    )


def test_rates_of_the_roc_example_at_every_threshold():
    y_true, scores = np.array([1, 1, 2, 2]), np.array([0.1, 0.4, 0.35, 0.8])
    rates = []
    for threshold in (0.8, 0.4, 0.35, 0.1):
        predicted = np.where(scores >= threshold, 2, 1)
        fpr, tpr, fnr, tnr = (
            getattr(skmetrics_ext, name)(y_true, predicted, pos_label=2)
            for name in (
                "false_positive_rate",
                "recall_score",
                "false_negative_rate",
                "specificity_score",
            )
        )
        assert fpr + tnr == 1
        assert tpr + fnr == 1
        rates.append((fpr, tpr))
    assert rates == [(0, 0.5), (0.5, 0.5), (0.5, 1), (1, 1)]
