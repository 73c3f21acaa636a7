"""A curve and bounds -> the best threshold that meets or guarantees them, and its values."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import name_asked_for
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.ranking import with_weight, without_single_clusters
from skmetrics_ext.curves import best
from skmetrics_ext.curves.best import BestThreshold, Bound, Constraint, Limited
from skmetrics_ext.curves.data import CurveData
from skmetrics_ext.curves.inputs import are_weighted
from skmetrics_ext.curves.values import row_of_one_class, values_of_curve
from skmetrics_ext.reading.arguments import check_confidence_level
from skmetrics_ext.statistics.promises.risk_control import (
    Decisions,
    Side,
    decisions_by_score,
    sides_of,
)


class KeptConstraint(NamedTuple):
    """A bound on a metric, the value at the threshold and, with a confidence level, the limit that
    meets the bound.

    Attributes
    ----------
    metric : str
        Name of the metric, as in `metrics_table`.
    required : float or tuple of float
        The bound of `subject_to`.
    value : float
        The value at the threshold on the held-out samples.
    limit : float, tuple of float or None
        The one-sided confidence limit by which the threshold qualifies, if any.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext import ConstrainedThresholdClassifier
    >>> model = ConstrainedThresholdClassifier(
    ...     LogisticRegression(), "precision", subject_to={"recall": 0.9}, cv=2
    ... )
    >>> model.fit([[0], [1], [2], [3], [1], [2], [3], [4]], [0, 0, 0, 0, 1, 1, 1, 1]).constraints_
    [KeptConstraint(metric='recall', required=0.9, value=1.0, limit=None)]
    """

    metric: str
    required: Bound
    value: float
    limit: Bound | None


class DecidedSide(NamedTuple):
    """A constraint by confidence limits, which only a message needs."""

    decisions: Decisions

    @property
    def text(self) -> str:
        """The bound in words."""
        return self.decisions.side.text

    @property
    def name(self) -> str:
        """The name of the metric."""
        return self.decisions.side.rate.name

    @property
    def holds(self) -> NDArray[np.bool_]:
        """Where the limit is within the bound."""
        return self.decisions.hold

    def best(self, where: NDArray[np.bool_] | bool = True) -> str:
        """The limit closest to the bound, for a message."""
        side = self.decisions.side
        return Constraint(self.text, self.name, *side.range, self.decisions.limits()).best(where)


class MetricConstraint(NamedTuple):
    """A bound on a metric, and the sides of it to be guaranteed; None without a guarantee."""

    metric: str | Callable[..., Any]
    row: Metric
    bound: Bound
    sides: list[Side] | None

    def promised(self, decisions: Mapping[Side, Decisions], place: int) -> Bound | None:
        """The confidence limit at a threshold, or both if two sides were requested."""
        if self.sides is None:
            return None
        # A side that does not bind holds in any case.
        low, high = 0.0, 1.0
        for side in self.sides:
            limit = decisions[side].limit_at(place)
            low, high = (limit, high) if side.is_least else (low, limit)
        if np.ndim(np.asarray(self.bound)):
            return low, high
        return low if self.row.better == "higher" else high


def read_metric_constraints(
    subject_to: Mapping[Any, Bound] | None, confidence_level: float | None
) -> list[MetricConstraint]:
    """The validated bounds; those that can't be guaranteed are rejected."""
    constraints = best.read_constraints(subject_to, lambda _: np.empty(0))
    asked = []
    for (metric, bound), constraint in zip((subject_to or {}).items(), constraints, strict=True):
        row = row_of_one_class(metric)
        sides = None if confidence_level is None else sides_of(row, constraint.low, constraint.high)
        asked.append(MetricConstraint(metric, row, bound, sides))
    return asked


def check_promise(
    curve: CurveData, subject_to: Mapping[Any, Bound] | None, confidence_level: float
) -> None:
    """Refuse a promise on new data without bounds, or from samples that do not tell it."""
    check_confidence_level(confidence_level)
    if not subject_to:
        raise ValueError(
            "confidence_level= is how often bounds hold on new data: pass these, such as "
            "subject_to={'recall': 0.9}."
        )
    samples = without_single_clusters(with_weight(curve._samples))
    is_pooled = np.max(curve._design.n_models) > 1 or np.max(curve._design.repeats) > 1
    reasons = {
        "their prevalence was changed": curve._prevalence is not None,
        "they were predicted by several models": is_pooled,
        "they are in clusters": samples.clusters is not None,
        "they have weights": are_weighted(curve._samples, curve._entries),
    }
    for reason, is_so in reasons.items():
        if is_so:
            raise ValueError(
                f"confidence_level= needs numbers of independent samples, but {reason}: omit it, "
                "or make the curve of one independent sample each."
            )


def choose_threshold(
    curve: CurveData,
    metric: str | Callable[..., Any] | Metric,
    asked: list[MetricConstraint],
    confidence_level: float | None,
    parameters: dict[str, Any] | None = None,
) -> tuple[BestThreshold, list[KeptConstraint]]:
    """The best threshold, and the bounds that it meets."""
    curve = curve._with_ends()
    values_of = partial(values_of_curve, curve)
    name = name_asked_for(metric, row_of_one_class(metric))
    decisions: dict[Side, Decisions] = {}
    constraints: Sequence[Limited]
    if confidence_level is None:
        bounds = {requested.metric: requested.bound for requested in asked}
        constraints = best.read_constraints(bounds, values_of)
    else:
        if sides := [side for requested in asked for side in requested.sides or ()]:
            of_sides = decisions_by_score(curve.counts, sides, 1 - confidence_level)
            decisions = dict(zip(sides, of_sides, strict=True))
        constraints = [DecidedSide(of_side) for of_side in decisions.values()]
        if not np.logical_and.reduce([of.holds for of in constraints], initial=True).any():
            raise ValueError(
                f"with confidence_level={confidence_level:g} the confidence limits must satisfy "
                f"the bounds: {best.nothing_qualifies(name, constraints, False)} These are limits: "
                "more samples bring them closer to the values."
            )
    place, chosen = best.best_threshold(curve, metric, values_of(metric, parameters), constraints)
    kept = []
    for requested in asked:
        bounded, bound = name_asked_for(requested.metric, requested.row), requested.bound
        reached = values_of(requested.metric)[place].item()
        limit = requested.promised(decisions, place)
        kept.append(KeptConstraint(metric=bounded, required=bound, value=reached, limit=limit))
    return chosen, kept
