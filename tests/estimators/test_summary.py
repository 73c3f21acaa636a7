"""Values, limits and what bounds cost are printed on their side of the bounds."""

import numpy as np
import pytest

from skmetrics_ext import ThresholdCurve
from skmetrics_ext.estimators.held_out import summary_of
from skmetrics_ext.results import KeptConstraint


@pytest.mark.parametrize(
    ("required", "value", "limit", "shown"),
    [
        (0.9, 0.90004, None, ["0.90004"]),
        (0.9, 0.89996, 0.8999999999, ["0.89996", "<0.9"]),
        # A bound is met within rounding.
        (0.9, 0.9 - 1e-13, 0.95, ["0.9000", "0.9500"]),
        ((0.2, 0.4), 0.3, (0.200001, 0.4000001), ["0.3000", "0.200001", "0.4000001"]),
        ((None, 0.4), 0.399999, (0.0, 0.39999), ["0.399999", "0.0000", "0.39999"]),
    ],
)
def test_values_are_on_their_side_of_the_bounds(required, value, limit, shown):
    kept = KeptConstraint(metric="recall", required=required, value=value, limit=limit)
    chosen = ("threshold 0.5", "precision", 0.7, 0.70001, ["bound"])
    summary = summary_of(chosen, [kept], 0.9, refitted=False, by_threshold=True)
    _, _, of_metric, without, given_up, of_bound, *_ = str(summary).splitlines()
    assert (of_metric.split()[-1], without.split()[-1]) == ("0.7000", "0.7000")
    assert given_up.split()[-1] == "0.00001"
    assert [part for part in of_bound.split()[1:] if part != "to"] == shown


def test_the_nearest_value_is_on_its_side_of_a_bound_that_is_missed():
    # 899,999 of a million positives reach the only threshold.
    scores, weights = np.array([0.2, 0.8, 0.8]), [100001, 899999, 1]
    curve = ThresholdCurve.from_scores([1, 1, 0], scores, sample_weight=weights, thresholds=[0.5])
    with pytest.raises(ValueError, match=r"At best recall reaches 0\.899999\. "):
        curve.best("precision", subject_to={"recall": 0.9})
    with pytest.raises(ValueError, match=r"At best recall reaches 0\.899999\. "):
        curve.best("precision", subject_to={"recall": 0.8999995})
    with pytest.raises(ValueError, match=r"At best recall reaches 0\.899999\. "):
        curve.best("precision", subject_to={"recall": 0.8999991})
