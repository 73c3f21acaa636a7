"""The confusion matrix of a curve at a threshold, and the design of such counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.scale import in_precision_of
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counts import two_by_two
from skmetrics_ext.counting.design import (
    INDEPENDENT,
    MOST_IN_CLUSTERS,
    TOO_MANY,
    WEIGHTS_ALONE,
    Clusters,
    Lost,
    SampleDesign,
    Weighted,
    clustered_design,
    stacked_designs,
)
from skmetrics_ext.counting.ranking import Samples, counts_at, with_weight
from skmetrics_ext.curves.data import CurveData
from skmetrics_ext.curves.inputs import Entries, are_weighted
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.data import moved_cells
from skmetrics_ext.reading.aliases import Ties
from skmetrics_ext.reading.order import position_of


def matrix_at(curve: CurveData, threshold: float) -> ConfusionMatrix:
    """The confusion matrix at a validated threshold."""
    one = in_precision_of(curve._samples.scores, np.array([threshold]))
    tables = matrices_at(curve, one)
    fields = moved_cells(tables, lambda cells: cells[0])
    return replace(tables, axes=(), **fields)


def matrices_at(curve: CurveData, thresholds: NDArray[Any]) -> ConfusionMatrix:
    """The confusion matrices at thresholds in the precision of the scores."""
    counts, design = _cells_at(curve, thresholds)
    if not curve._position:
        counts, design = counts[:, ::-1, ::-1], design.moved(lambda cells: cells[:, ::-1, ::-1])
    ranking = curve.labels if curve._ranked else None
    axes = (Axis("threshold", thresholds),)
    cm = ConfusionMatrix(counts, curve.labels, axes, curve.pos_label, ranking, design)
    if curve._prevalence is None:
        return cm
    return cm.at_prevalence({curve.pos_label: curve._prevalence})


def _cells_at(curve: CurveData, thresholds: NDArray[Any]) -> tuple[NDArray[Any], SampleDesign]:
    """The counts (n_thresholds, 2, 2), the positive class second, and their design."""
    if not curve._parts:
        counts = two_by_two(counts_at(curve._samples, thresholds, curve.ties))
        found = design_at(curve._samples, curve._entries, thresholds, curve.ties, curve._unit)
        return counts, curve._design.of_cells(found)
    each = [_with_positive_second(matrices_at(part, thresholds)) for part in curve._parts]
    counts_of_parts = [of["counts"] for of in each]
    design = stacked_designs([of["_design"] for of in each], counts_of_parts).summed(0)
    return np.sum(counts_of_parts, axis=0), design


def _with_positive_second(cm: ConfusionMatrix) -> dict[str, Any]:
    """The counts and the design in the order of a curve."""
    if position_of(cm.labels, cm.pos_label):
        return moved_cells(cm, lambda cells: cells)
    return moved_cells(cm, lambda cells: cells[:, ::-1, ::-1])


def design_at(
    samples: Samples, entries: Entries, thresholds: NDArray[Any], ties: Ties, unit: str
) -> SampleDesign:
    """The design of the tables (n_thresholds, 2, 2) of samples, the positive class second; each
    threshold has all samples.
    """
    is_weighted = are_weighted(samples, entries)
    if samples.clusters is None and not is_weighted:
        return INDEPENDENT
    if entries != "samples" and is_weighted:
        return Lost(why=WEIGHTS_ALONE)
    samples = with_weight(samples)
    if samples.clusters is None:
        return _design_of_weights(samples, thresholds, ties)
    if len(samples.scores) * len(thresholds) > MOST_IN_CLUSTERS:
        return Lost(why=TOO_MANY)
    reaches = samples.scores[:, None] >= thresholds
    if ties == "negative":
        reaches = samples.scores[:, None] > thresholds
    cells = 4 * np.arange(len(thresholds)) + 2 * samples.positive[:, None] + reaches
    shape = len(thresholds), 2, 2
    names, codes = np.unique(samples.clusters, return_inverse=True)
    clusters = Clusters(codes.reshape(-1), names, unit)
    return clustered_design(cells, shape, clusters, samples.weights, are_weights=is_weighted)


def _design_of_weights(samples: Samples, thresholds: NDArray[Any], ties: Ties) -> Weighted:
    """Moments of the weights above and below each threshold, by one sort."""
    shape = len(thresholds), 2, 2
    moments = {name: np.zeros(shape) for name in ("numbers", "squares", "largest")}
    weights = np.asarray(samples.weights, dtype=np.float64)
    for row, of_class in enumerate((~samples.positive, samples.positive)):
        order = np.argsort(samples.scores[of_class], kind="stable")
        scores, own = samples.scores[of_class][order], weights[of_class][order]
        n_below = np.searchsorted(scores, thresholds, "left" if ties == "positive" else "right")
        below = {
            "numbers": np.arange(len(own) + 1),
            "squares": np.append(0, np.cumsum(own**2)),
            "largest": np.append(0, np.maximum.accumulate(own)),
        }
        above = np.append(np.maximum.accumulate(own[::-1])[::-1], 0)
        for name, cumulated in below.items():
            moments[name][:, row, 0] = cumulated[n_below]
            moments[name][:, row, 1] = cumulated[-1] - cumulated[n_below]
        moments["largest"][:, row, 1] = above[n_below]
    numbers = moments["numbers"].astype(np.int64)
    return Weighted(numbers=numbers, squares=moments["squares"], largest=moments["largest"])
