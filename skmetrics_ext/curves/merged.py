"""Curves added up, and thresholds that bins cannot resolve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.design import Lost, SampleDesign, stacked_designs
from skmetrics_ext.counting.ranking import Samples
from skmetrics_ext.curves.data import CurveData, joined, weights_of
from skmetrics_ext.curves.designs import matrix_at
from skmetrics_ext.curves.inputs import BINS, CurveLabels, Entries, against_the_rest
from skmetrics_ext.reading.order import show


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
    if not np.isin(numbers, edges).all():
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
        return CurveLabels(
            declared[0] if is_ranked else np.sort(first.labels), first.pos_label, is_ranked
        )
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
