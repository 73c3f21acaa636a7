"""Counts whose rows are shares of each actual class give no value that depends on their numbers."""

import numpy as np
import pytest

from skmetrics_ext import ConfusionMatrix, check, classification_report, evaluation_index
from skmetrics_ext.catalogue.rows import METRICS

COUNTS = {2: np.array([[479, 183], [34, 588]]), 3: np.array([[50, 6, 4], [3, 200, 17], [8, 2, 30]])}
ROWS = [row for row in METRICS if not row.required]
OF_TWO = [(row.name, 2) for row in ROWS]
OF_THREE = [(f"{row.name}_macro" if row.has_average else row.name, 3) for row in ROWS]
REFUSAL = "depends on how frequent the classes are: pass counts"


def matrices(n_classes):
    counts = COUNTS[n_classes]
    rows = counts.sum(1, keepdims=True)
    labels = range(n_classes)
    return (
        ConfusionMatrix.from_counts(counts, labels=labels),
        ConfusionMatrix.from_counts(counts / rows, labels=labels),
    )


def value_or_refusal(cm, metric):
    try:
        return cm.score(metric)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize(("metric", "n_classes"), OF_TWO + OF_THREE)
def test_a_value_of_shares_is_that_of_the_counts_or_refused(metric, n_classes):
    counts, shares = matrices(n_classes)
    expected, found = (value_or_refusal(cm, metric) for cm in (counts, shares))
    others = ConfusionMatrix.from_counts(
        COUNTS[n_classes] * np.arange(2, n_classes + 2)[:, None], labels=range(n_classes)
    )
    depends = value_or_refusal(others, metric) != pytest.approx(expected)
    if isinstance(found, str):
        assert REFUSAL in found or "number of samples" in found or found == expected
        assert depends or REFUSAL not in found
    else:
        assert found == pytest.approx(expected)
        assert not depends
    proportions = COUNTS[n_classes].sum(1) / COUNTS[n_classes].sum()
    known = shares.at_prevalence(dict(enumerate(proportions)))
    assert REFUSAL not in str(value_or_refusal(known, metric))


def test_rates_of_actual_classes_are_not_refused():
    _, shares = matrices(2)
    assert shares.score("recall") == pytest.approx(588 / 622)
    assert shares.score("balanced_accuracy") == pytest.approx((588 / 622 + 479 / 662) / 2)
    assert shares.normalize().tolist() == shares.counts.tolist()


@pytest.mark.parametrize(
    "ask",
    [
        lambda cm: cm.score("accuracy"),
        lambda cm: cm.score("precision"),
        lambda cm: cm.score("recall_weighted"),
        lambda cm: cm.score(lambda cm: np.trace(cm.counts) / cm.n_samples),
        lambda cm: cm.interval("precision"),
        lambda cm: cm.summary(),
        lambda cm: check(cm, {"precision": 0.5}),
        lambda cm: classification_report(cm),
        lambda cm: evaluation_index(cm),
    ],
)
def test_every_door_refuses_them_and_says_what_helps(ask):
    _, shares = matrices(2)
    with pytest.raises(ValueError, match=REFUSAL + r".*at_prevalence\("):
        ask(shares)


def test_rounded_shares_and_those_of_several_matrices_are_found():
    rounded = [[0.72, 0.28], [0.33, 0.66]]
    several = np.stack([np.array(rounded), [[40.0, 10], [3, 9.5]]])
    for counts in (rounded, several):
        cm = ConfusionMatrix.from_counts(counts, labels=["well", "ill"])
        with pytest.raises(ValueError, match=REFUSAL):
            cm.score("accuracy")


def test_one_sample_of_each_class_and_weights_are_counts():
    for counts in ([[1, 0], [1, 0]], [[1.0, 0.0], [1.0, 0.0]]):
        assert ConfusionMatrix.from_counts(counts, labels=[0, 1]).score("accuracy") == 0.5
    weighted = ConfusionMatrix.from_predictions(
        [0, 0, 1, 1], [0, 1, 1, 1], sample_weight=[0.25, 0.75, 0.5, 0.5]
    )
    assert weighted.counts.tolist() == [[0.25, 0.75], [0, 1]]
    assert weighted.score("accuracy") == pytest.approx(1.25 / 2)
    alone = ConfusionMatrix.from_counts([[0.4, 0.6], [0, 0]], labels=[0, 1])
    assert alone.score("accuracy") == pytest.approx(0.4)
