"""A metric at the threshold at which a bound on another is just met."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from skmetrics_ext.catalogue.choice import name_asked_for
from skmetrics_ext.catalogue.properties import PRECISION, RECALL, SPECIFICITY
from skmetrics_ext.counting.design import Lost
from skmetrics_ext.counting.ranking import with_weight
from skmetrics_ext.curves.best import Bound, check_bounds, read_constraints
from skmetrics_ext.curves.data import CurveData, rows_of
from skmetrics_ext.curves.inputs import are_weighted
from skmetrics_ext.curves.values import row_of_one_class, values_of_curve
from skmetrics_ext.reading.arguments import check_whole
from skmetrics_ext.statistics.areas.curve_bands import ClusteredScores
from skmetrics_ext.statistics.areas.operating_point import OperatingPoint, PointOfModel, replicates

# The metrics with limits, each with the one that is bounded.
KNOWN_PAIRS = ((RECALL, SPECIFICITY), (SPECIFICITY, RECALL), (PRECISION, RECALL))


def check_independent(curve: CurveData, what: str) -> None:
    """Refuse samples that can't be resampled one by one."""
    if not _has_samples(curve) or curve._samples.clusters is not None:
        raise ValueError(
            f"{what} needs a curve at every score, of independent samples without weights or "
            "clusters: make it with ThresholdCurve.from_scores(y_true, y_score)."
        )


def check_unweighted(curve: CurveData, what: str) -> None:
    """Refuse curves without single samples, each counted once."""
    if not _has_samples(curve):
        raise ValueError(
            f"{what} needs a curve at every score, of samples without weights: make it with "
            "ThresholdCurve.from_scores(y_true, y_score)."
        )


def _has_samples(curve: CurveData) -> bool:
    """Whether scores of unweighted samples are known."""
    if not curve.at_every_score or curve._prevalence is not None:
        return False
    if isinstance(curve._design, Lost):
        return False
    has_weights = are_weighted(curve._samples, curve._entries)
    return curve._entries in ("samples", "frequencies") and not has_weights


def oriented_samples(
    curve: CurveData, *, given_recall: bool, is_precision: bool
) -> tuple[OperatingPoint, ClusteredScores | None]:
    """The samples for operating points at a recall or a specificity, and their clusters."""
    scores, positive, _, clusters = rows_of(curve)
    oriented = scores.astype(np.float64)
    if given_recall:
        oriented = -oriented
    is_given = positive == given_recall
    point = OperatingPoint(oriented[is_given], oriented[~is_given], 0.5, is_precision)
    if clusters is None:
        return point, None
    return point, ClusteredScores(clusters[is_given], clusters[~is_given])


def point_of_curve(
    curve: CurveData,
    metric: str | Callable[..., Any],
    subject_to: Mapping[Any, Bound],
    n_resamples: int,
    random: np.random.Generator,
) -> PointOfModel:
    """The samples at an operating point."""
    check_whole(n_resamples, "n_resamples", 100)
    row = row_of_one_class(metric)
    values_of = partial(values_of_curve, curve._with_ends())
    constraints = read_constraints(subject_to, values_of)
    pairs = [(row.share, row_of_one_class(bounded).share) for bounded in check_bounds(subject_to)]
    is_known = len(pairs) == 1 and pairs[0] in KNOWN_PAIRS
    if not (is_known and 0 < constraints[0].low < 1 and constraints[0].high == np.inf):
        raise ValueError(
            "an operating point is recall at one specificity, specificity at one recall, or "
            "precision at one recall, "
            f"such as 'recall', subject_to={{'specificity': 0.9}}, a number between 0 and 1; got "
            f"{metric!r}, subject_to={subject_to!r}."
        )
    check_independent(curve, "an operating point")
    positive = with_weight(curve._samples).positive
    if positive.all() or not positive.any():
        raise ValueError("an operating point needs positive and negative samples.")
    [constraint] = constraints
    (places,) = np.nonzero(constraint.holds)
    [(_, bounded)] = pairs
    given_recall = bounded == RECALL
    # As thresholds decrease, recall rises and specificity falls.
    place = places[0] if given_recall else places[-1]
    value = values_of(row)[place].item()
    samples, _ = oriented_samples(
        curve, given_recall=given_recall, is_precision=row.share == PRECISION
    )
    point = samples._replace(beyond=1 - constraint.low)
    name = f"{name_asked_for(metric, row)} at {constraint.name} {constraint.low:g}"
    return PointOfModel(name, point, value, replicates(point, n_resamples, random))
