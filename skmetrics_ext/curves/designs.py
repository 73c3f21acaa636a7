"""The confusion matrix of a curve at a threshold, the design of such counts, and added curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.scale import in_precision_of
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counts import ClassCounts, two_by_two
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
from skmetrics_ext.curves.data import CurveData, joined, weights_of
from skmetrics_ext.curves.inputs import (
    BINS,
    CurveLabels,
    Entries,
    against_the_rest,
    are_weighted,
    labels_of_two,
)
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.data import moved_cells
from skmetrics_ext.reading.aliases import Ties
from skmetrics_ext.reading.order import position_of, show


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


def added_fields(first: CurveData, second: CurveData) -> dict[str, Any]:
    """The fields of the curve of two, at their common thresholds."""
    if not np.array_equal(first.thresholds, second.thresholds):
        raise ValueError(
            "curves can be added only at equal thresholds: make both with the same bins= or "
            "thresholds=."
        )
    entries = {first._entries, second._entries}
    if entries == {"counts", "frequencies"}:
        entries = {"counts"}
    if first.ties != second.ties or len(entries) > 1:
        raise ValueError(
            "these curves have different ties, bins or weights: make both with the same options."
        )
    labels, positive, is_ranked = _common_labels(first, second)
    counts = ClassCounts(
        *(one + other for one, other in zip(first.counts, second.counts, strict=True))
    )
    design = _design_of_both(first, second)
    parts = (*_parts_of(first), *_parts_of(second))
    samples = _joined(parts)
    if isinstance(design, Lost):
        # Clusters say nothing any more.
        samples = samples._replace(clusters=None)
    units = [part._unit for part in parts if part._samples.clusters is not None]
    own = {
        "counts": counts,
        "labels": labels,
        "pos_label": positive,
        "_entries": entries.pop(),
        "_samples": samples,
        "_design": design,
        "_unit": units[0] if units else first._unit,
        "_parts": () if samples.clusters is None else parts,
        # Both have the weights of theirs.
        "_prevalence": None,
    }
    of_both = {
        name: getattr(first, name) and getattr(second, name)
        for name in ("at_every_score", "_are_quantiles")
    }
    return vars(first) | own | of_both | {"_ranked": is_ranked}


def _parts_of(curve: CurveData) -> tuple[CurveData, ...]:
    """The curves that it is a sum of, or itself; at a prevalence it is one whole."""
    is_sum = bool(curve._parts) and curve._prevalence is None
    return curve._parts if is_sum else (curve,)


def _design_of_both(first: CurveData, second: CurveData) -> SampleDesign:
    """What the design of their sum says at any threshold."""
    each = [matrix_at(curve, first.thresholds[0]) for curve in (first, second)]
    stacked = stacked_designs([cm._design for cm in each], [cm.counts for cm in each])
    return stacked.summed(0).facts


def check_edges(chosen: Any, edges: NDArray[Any], entries: Entries) -> None:
    """Reject thresholds within a bin: counts there are unknown."""
    if entries not in BINS:
        return
    numbers = np.atleast_1d(np.asarray(chosen))
    if not (np.isin(numbers, edges) | np.isinf(numbers)).all():
        raise ValueError(
            f"this curve has {len(edges)} bins, with counts only at their edges, "
            f"{show(edges[::-1], 4)}: choose from "
            "these, or make it with more bins=."
        )


def _common_labels(first: CurveData, second: CurveData) -> CurveLabels:
    """The labels of both curves, with maybe other negatives."""
    if first.pos_label == second.pos_label and np.array_equal(
        np.sort(first.labels), np.sort(second.labels)
    ):
        declared = [curve.labels for curve in (first, second) if curve._ranked]
        is_ranked = bool(declared) and np.array_equal(declared[0], declared[-1])
        order = declared[0] if is_ranked else np.sort(first.labels)
        return labels_of_two(order, first.pos_label, is_ranked)
    if str(first.pos_label) != str(second.pos_label):
        raise ValueError(
            f"the positive class is {first.pos_label!r} in one curve and {second.pos_label!r} in "
            "the other: make both with the same pos_label=."
        )
    return against_the_rest(first.pos_label)


def _joined(parts: Sequence[CurveData]) -> Samples:
    """The samples of all; the weights of equal bins are added."""
    sides = [part._weighed for part in parts]
    if parts[0]._entries in BINS:
        weights = np.sum([weights_of(side) for side in sides], axis=0)
        return sides[0]._replace(weights=weights)
    return joined(sides)
