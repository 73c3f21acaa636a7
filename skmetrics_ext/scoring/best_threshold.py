"""The value of a metric at the best of all thresholds of a model's scores."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from skmetrics_ext.adapter.responses import predict_scores
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.curves.best import Bound, read_constraints
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.reading.labels import read_column
from skmetrics_ext.reading.pairs import Weights


class BestThresholdRequest(NamedTuple):
    """What is best, within which bounds."""

    row: Metric
    sign: int
    pos_label: Any
    subject_to: Mapping[Any, Bound] | None
    parameters: dict[str, Any]


def check_best_threshold(request: BestThresholdRequest, average: str | None) -> None:
    """Reject a metric of which no value is best on a curve, and bounds that cannot be read."""
    row = request.row
    if average is not None:
        raise ValueError(
            f"the metric specifies an average, {average!r}, but a curve is for one class: pass "
            f"{row.scorer_name!r}."
        )
    if row.better == "neither":
        raise ValueError(
            f"neither higher nor lower values of {row.name} are better, so none is best: bound it."
        )
    read_constraints(request.subject_to, lambda _: np.empty(0))


def value_at_best_threshold(
    request: BestThresholdRequest, estimator: object, X: object, y_true: Any, sample_weight: Any
) -> float:
    """The best value at any threshold of the estimator's scores for X, negated for a loss."""
    true = read_column(y_true, "y_true", " One class is scored here.")
    scores, positive, known = predict_scores(estimator, X, true, request.pos_label)
    curve = ThresholdCurve._of_class(true, scores, known, positive, Weights(sample_weight))
    best = curve.best(request.row, subject_to=request.subject_to, **request.parameters)
    return request.sign * best.value
