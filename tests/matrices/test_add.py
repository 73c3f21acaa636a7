"""Further samples counted into a matrix: the same as all at once, and refused labels."""

import numpy as np
import pandas as pd
import pytest

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.counting.design import SampleDesign, Weighted
from tests.shared import for_each

LABELS = {
    "ascending": np.array([1, 2, 5]),
    "descending": np.array([5, 2, 1]),
    "unsigned": np.array([0, 1, 2**64 - 1], dtype=np.uint64),
    "bytes": np.array([0, 3, 7], dtype=np.int8),
    "floats": np.array([0.0, 1.0, 2.0]),
    "strings": np.array(["b", "c", "a"]),
    "booleans": np.array([False, True]),
}


@for_each("labels", LABELS.values())
def test_batches_are_all_samples_at_once(labels):
    random = np.random.default_rng(0)
    y_true, y_pred = labels[random.integers(0, len(labels), (2, 70))]
    all_at_once = ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels)
    for make in (np.asarray, np.ndarray.tolist, pd.Series):
        cm = ConfusionMatrix.from_predictions(make(y_true[:1]), make(y_pred[:1]), labels=labels)
        for start, stop in ((1, 2), (2, 34), (34, 70)):
            cm = cm.add(make(y_true[start:stop]), make(y_pred[start:stop]))
        assert cm == all_at_once
        assert cm.counts.dtype == all_at_once.counts.dtype


def test_weights_and_what_a_matrix_remembers():
    cm = ConfusionMatrix.from_predictions([0, 1], [0, 0], labels=[1, 0], pos_label=0)
    more = cm.add([0, 1], [1, 1], sample_weight=[0.5, 2])
    np.testing.assert_array_equal(more.counts, [[2, 1], [0.5, 1]])
    assert (type(more._design), type(cm._design), more.pos_label) == (Weighted, SampleDesign, 0)
    assert more.ranking.tolist() == [1, 0]
    assert type(cm.add([0], [1], sample_weight=[3], frequency_weights=True)._design) is SampleDesign
    again = more.add([0], [0])
    at_once = ConfusionMatrix.from_predictions(
        [0, 1, 0, 1, 0], [0, 0, 1, 1, 0], labels=[1, 0], sample_weight=[1, 1, 0.5, 2, 1]
    )
    for moment in ("numbers", "squares", "largest"):
        of_both = (getattr(each._design, moment) for each in (again, at_once))
        np.testing.assert_array_equal(*of_both, err_msg=moment)
    ordered = pd.Categorical([0, 1], categories=[0, 1], ordered=True)
    assert cm.add(ordered, ordered) == cm.add([0, 1], [0, 1])


def test_further_samples_are_in_no_cluster_of_a_matrix():
    random = np.random.default_rng(0)
    y_true, y_pred = random.integers(0, 2, (2, 90))
    patients = np.arange(60) // 2
    cm = ConfusionMatrix.from_predictions(y_true[:60], y_pred[:60], clusters=patients)
    more = cm.add(y_true[60:], y_pred[60:])
    at_once = ConfusionMatrix.from_predictions(y_true, y_pred, clusters=np.r_[patients, 60:90])
    assert more == at_once
    found, expected = (each.interval("recall") for each in (more, at_once))
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert found.n == expected.n
    with pytest.raises(ValueError, match=r"are weighted samples without any.*with clusters="):
        cm.add([0], [1], sample_weight=[2])


@pytest.mark.parametrize(
    ("y_true", "y_pred", "message"),
    [
        (np.array([0, 2]), np.array([0, 1]), r"labels=\[0, 1\] must include .* \[2\]"),
        (np.array([0, -1]), np.array([0, 1]), r"labels=\[0, 1\] must include .* \[-1\]"),
        (np.array([0, 1]), np.array([0, 2]), r"labels=\[0, 1\] must include .* \[2\]"),
        (np.array([0, 1]), np.array([0]), "y_true has 2 samples but y_pred has 1"),
        (np.array([0]), np.array([0, 1]), "y_true has 1 sample"),
        (np.array([], dtype=int), np.array([], dtype=int), "empty"),
        (np.eye(2, dtype=int), np.eye(2, dtype=int), "add takes one label per sample"),
        (["a", "b"], ["a", "b"], "a mix of|kind|strings"),
    ],
)
def test_errors(y_true, y_pred, message):
    cm = ConfusionMatrix.from_predictions([0, 1], [0, 1])
    with pytest.raises((ValueError, TypeError), match=message):
        cm.add(y_true, y_pred)


def test_leading_axes_are_refused():
    cm = ConfusionMatrix.from_predictions([0, 1], [0, 1], by=["a", "b"])
    with pytest.raises(
        ValueError,
        match=r"this one has \['group'\]: count the further samples with from_predictions",
    ):
        cm.add([0], [1])


def test_sums_beyond_int64_are_refused():
    cm = ConfusionMatrix.from_counts([[2**63 - 2, 0], [0, 0]], labels=[0, 1])
    assert cm.add([0], [0]).n_samples == 2**63 - 1
    for y_pred in ([0, 1], [0, 0]):
        with pytest.raises(ValueError, match="more than 2"):
            cm.add([0, 0], y_pred)
