"""A bound that no value of its metric reaches is an error wherever bounds are taken."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from skmetrics_ext import (
    ConstrainedThresholdClassifier,
    ThresholdCurve,
    ThresholdCurves,
    get_scorer,
)
from tests.shared import for_each

RANDOM = np.random.default_rng(8)
X = RANDOM.normal(size=(90, 2))
THREE = np.digitize(X[:, 0] + RANDOM.normal(size=90), [-0.5, 0.5])
Y = (THREE > 0).astype(int)
CURVE = ThresholdCurve.from_scores(Y, X[:, 0])


def tuned(y):
    """A classifier with a metric and bounds that both suit its classes."""

    def fit(subject_to):
        bounds = {f"{name}_1": bound for name, bound in subject_to.items()}
        metric, bounds = ("f1_macro", bounds) if y is THREE else ("f1", subject_to)
        return ConstrainedThresholdClassifier(GaussianNB(), metric, subject_to=bounds).fit(X, y)

    return fit


DOORS = {
    "best": lambda subject_to: CURVE.best("f1", subject_to=subject_to),
    "best of several": lambda subject_to: ThresholdCurves.from_scores(
        Y, X[:, 0], by=np.arange(90) % 2
    ).best("f1", subject_to=subject_to),
    "a scorer": lambda subject_to: get_scorer("f1", threshold="best", subject_to=subject_to)(
        GaussianNB().fit(X, Y), X, Y
    ),
    "a threshold": tuned(Y),
    "weights": tuned(THREE),
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_a_bound_out_of_range_is_an_error(door):
    with pytest.raises(ValueError, match=r"recall.* >= 90 is out of .*to 1: did you mean 0\.9\?"):
        door({"recall": 90})
    with pytest.raises(ValueError, match=r"recall.* <= -0\.1 is out of .* from 0 to 1\."):
        door({"recall": (None, -0.1)})


@for_each("bound", [0, 1, (0, 1), (-2, 0.5), (0.5, 7)])
def test_bounds_that_some_value_reaches_are_none(bound):
    """Also at both ends, and beyond the one that leaves a side open."""
    best = CURVE.best("f1", subject_to={"recall": bound})
    low, high = np.broadcast_to(bound, 2) if np.ndim(bound) else (bound, 1)
    assert low <= CURVE.at(best.threshold).score("recall") <= high


def test_a_range_without_end_has_no_bound_out_of_it():
    assert CURVE.best("f1", subject_to={"lift": 1.1}).counts.tp > 0
    with pytest.raises(ValueError, match=r"lift >= 90"):
        CURVE.best("f1", subject_to={"lift": 90})
