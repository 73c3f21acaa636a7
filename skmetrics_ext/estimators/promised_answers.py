"""A promised share of right answers, and held-out samples -> the least probability of an answer."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.scale import in_precision_of
from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.counting.ranking import Samples
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.inputs import CurveLabels
from skmetrics_ext.estimators.chosen_threshold import (
    KeptConstraint,
    choose_threshold,
    read_metric_constraints,
)
from skmetrics_ext.estimators.held_out import HeldOut

# The more answers the better.
COVERAGE = replace(BY_NAME["predicted_positive_rate"], better="higher")


class Answers(NamedTuple):
    """The code of the most probable class of each sample, and its probability."""

    codes: NDArray[np.intp]
    largest: NDArray[Any]

    def below(self, thresholds: list[float]) -> NDArray[np.bool_]:
        """Which of them are less probable than the threshold of their class."""
        least = in_precision_of(self.largest, np.array(thresholds))
        return np.asarray(self.largest < least[self.codes])


class Promise(NamedTuple):
    """The least share of right ones among the answers of some classes."""

    metric: str
    at_least: float
    classes: list[int]

    def __str__(self) -> str:
        return f"{self.metric} >= {self.at_least:.10g}"


class Outcome(NamedTuple):
    """The threshold that keeps a promise, or infinity and why none does."""

    threshold: float
    kept: KeptConstraint | None
    why_not: str = ""


def answers_of(shares: NDArray[Any]) -> Answers:
    """The answers of a model that never abstains."""
    return Answers(shares.argmax(axis=1), shares.max(axis=1))


def curve_of(promise: Promise, answers: Answers, held_out: HeldOut) -> ThresholdCurve | None:
    """The curve of right answers by their probability; None if there are none."""
    is_about = np.isin(answers.codes, promise.classes)
    weights = None if held_out.weights is None else held_out.weights[is_about]
    if not np.any(is_about if weights is None else weights):
        return None
    is_right = (answers.codes == held_out.codes)[is_about]
    samples = Samples(answers.largest[is_about], is_right, weights)
    return ThresholdCurve._of_samples(samples, CurveLabels(np.array([False, True]), True))


def outcome_of(
    promise: Promise, curve: ThresholdCurve | None, confidence_level: float | None, n_promises: int
) -> Outcome:
    """The outcome of one of some promises: the threshold with the most answers that keeps it."""
    if curve is None:
        return Outcome(
            np.inf,
            None,
            f"no held-out sample is predicted as the class of {promise.metric!r}: there is no "
            "threshold.",
        )
    level, part = confidence_level, ""
    if level is not None and n_promises > 1:
        # Each has its part of the error.
        level = 1 - (1 - level) / n_promises
        part = f", at {level:.6g} so that {n_promises} promises hold at {confidence_level:g}"
    asked = read_metric_constraints({"precision": promise.at_least}, level)
    try:
        best, [kept] = choose_threshold(curve, COVERAGE, asked, level)
    except ValueError as error:
        return Outcome(np.inf, None, f"no threshold promises {promise} of answers{part}: {error}")
    return Outcome(best.threshold, kept._replace(metric=promise.metric))
