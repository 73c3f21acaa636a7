"""The counts of a confusion matrix for metrics, and what is wrong with their limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, CountedLabels, CountedMatrix
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.partial_labels import cells_of
from skmetrics_ext.matrices.data import FOLD, MatrixData
from skmetrics_ext.reading.order import plain, position_of, show
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.gaps import GapRequest, gap_of
from skmetrics_ext.statistics.intervals import Request, intervals_of
from skmetrics_ext.statistics.partial_labels import intervals_of_partial_labels, sampled_groups
from skmetrics_ext.statistics.prevalence import intervals_at_prevalence
from skmetrics_ext.statistics.results import Gap, Interval


def caveats_of_samples(cm: MatrixData) -> Iterator[Caveat]:
    """What is wrong with all limits of a matrix: pooled folds that count a sample several times."""
    if cm.repeats > 1 and all(axis.name != FOLD for axis in cm.axes):
        text = (
            f"each sample is counted {cm.repeats:.3g} times, as in repeated cross-validation, so "
            "confidence intervals are too narrow and p-values too small: pool the folds of one "
            "repetition, cm.sel(fold=[...])."
        )
        yield Caveat("repeated_folds", text)


def counted_for_limits(cm: MatrixData, choice: Choice) -> tuple[Counted, tuple[Axis, ...]]:
    """The counts for confidence limits, and their axes."""
    counted = counted_for(cm, choice)
    return counted, tuple(
        axis for axis in cm.axes if not (counted.multilabel and axis.name == "label")
    )


def counted_for(cm: MatrixData, choice: Choice) -> Counted:
    """The counts for a choice: an average of multilabel data is one over the labels."""
    names = [axis.name for axis in cm.axes]
    if "label" in names and choice.row.has_average and choice.average not in ("auto", "binary"):
        place = names.index("label")
        cells = (cm.counts[..., i, j] for i, j in ((1, 1), (0, 1), (1, 0), (0, 0)))
        classes = ClassCounts(*(np.moveaxis(cell, place, -1) for cell in cells))
        return CountedLabels(classes, cm.axes[place].coordinates, are_weights=cm.weighted)
    return CountedMatrix(cm.counts, cm.labels, cm.pos_label, cm.ranking, are_weights=cm.weighted)


def intervals_for(
    cm: MatrixData,
    counted: Counted,
    choices: Sequence[Choice],
    axes: tuple[Axis, ...],
    request: Request,
) -> Iterator[Interval]:
    """The intervals of several metrics, by what the counts of the matrix were made of."""
    caveats = tuple(caveats_of_samples(cm))
    for found in _intervals_by_samples(cm, counted, choices, axes, request):
        yield replace(found, caveats=(*caveats, *found.caveats))


def _intervals_by_samples(
    cm: MatrixData,
    counted: Counted,
    choices: Sequence[Choice],
    axes: tuple[Axis, ...],
    request: Request,
) -> Iterator[Interval]:
    """The same without what is wrong with all limits."""
    if cm.by_stratum is not None:
        return intervals_of_partial_labels(counted, cells_of(cm.by_stratum), choices, axes, request)
    if cm.observed is None:
        return intervals_of(counted, choices, axes, request)
    observed = counted_for(
        replace(cm, counts=cm.observed, observed=None, weighted=False), choices[0]
    )
    return intervals_at_prevalence(counted, observed, choices, axes, request)


def gap_for(
    cm: MatrixData, counted: Counted, choice: Choice, axes: tuple[Axis, ...], request: GapRequest
) -> Gap:
    """The gap between groups, by what the counts of the matrix were made of."""
    caveats = caveats_of_samples(cm)
    if cm.by_stratum is None:
        return gap_of(counted, choice, axes, request, caveats=caveats)
    counted = counted_for(replace(cm, weighted=False), choice)
    sampled = sampled_groups(counted, cells_of(cm.by_stratum), choice, axes, request)
    return gap_of(counted, choice, axes, request, sampled, caveats)


def counts_of_positive(cm: MatrixData, pos_label: Any) -> tuple[ClassCounts, Any]:
    """tp, fp, fn and tn of the positive class against the rest, each (...), and its name, for
    limits.
    """
    position = position_of(cm.labels, positive_of(cm.labels, pos_label, cm.pos_label))
    if position is None:
        raise ValueError(f"the matrix has only the label {show(cm.labels)}, and no positive class.")
    of_class = CountedMatrix(cm.counts, cm.labels).of_class(position)
    return ClassCounts(*(part[..., 0] for part in of_class)), plain(cm.labels)[position]
