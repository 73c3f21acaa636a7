"""The counts of a confusion matrix for metrics, and what is wrong with their limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import of_more_than_two
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, CountedLabels, CountedMatrix
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.design import SampleDesign
from skmetrics_ext.matrices.data import MatrixData
from skmetrics_ext.matrices.given_counts import ROUNDING, rounding_of
from skmetrics_ext.reading.order import plain, show
from skmetrics_ext.statistics.compared import Compared
from skmetrics_ext.statistics.estimand import value_of_matrices
from skmetrics_ext.statistics.estimate import intervals_of
from skmetrics_ext.statistics.gaps.designs import difference_of_design, gap_of_design
from skmetrics_ext.statistics.gaps.request import GapRequest
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.results import Gap, Interval


def counted_for_limits(
    cm: MatrixData, choice: Choice, *, over_labels: bool = False
) -> tuple[Counted, tuple[Axis, ...]]:
    """The counts for confidence limits, and their axes."""
    counted = counted_for(cm, choice, over_labels=over_labels)
    return counted, tuple(
        axis for axis in cm.axes if not (counted.multilabel and axis.name == "label")
    )


def counted_for(cm: MatrixData, choice: Choice, *, over_labels: bool = False) -> Counted:
    """The counts for a choice; multilabel averages are over the labels."""
    names = [axis.name for axis in cm.axes]
    is_average = choice.row.has_average and choice.average != "binary"
    if "label" in names and (is_average or over_labels):
        place = names.index("label")
        cells = (cm.counts[..., i, j] for i, j in ((1, 1), (0, 1), (1, 0), (0, 0)))
        classes = ClassCounts(*(np.moveaxis(cell, place, -1) for cell in cells))
        return CountedLabels(classes, cm.axes[place].coordinates)
    weight_of_one = cm._design.weight_of_one(cm.counts)
    counted = CountedMatrix(
        cm.counts, cm.labels, cm.pos_label, cm.ranking, weight_of_one=weight_of_one
    )
    if are_shares_of_rows(cm):
        factors = np.sqrt(np.arange(2, len(cm.labels) + 2))[:, None]
        value_of = value_of_matrices(counted, choice)
        values = value_of(cm.counts), value_of(factors * cm.counts)
        if not np.allclose(*values, rtol=1e-9, atol=1e-12, equal_nan=True):
            refuse_shares(choice.asked)
    return counted


def are_shares_of_rows(cm: MatrixData) -> bool:
    """Whether given counts are shares of each actual class, whose own share is lost."""
    if cm.counts.dtype.kind != "f" or type(cm._design) is not SampleDesign or not cm.counts.size:
        return False
    rows, has_fractions = cm.counts.sum(-1), (cm.counts % 1 != 0).any((-2, -1))
    is_share = (rows == 0) | (np.abs(rows - 1) <= rounding_of(cm.counts) + ROUNDING)
    return bool((has_fractions & is_share.all(-1)).any())


def refuse_shares(what: str) -> NoReturn:
    """Say that shares of each actual class do not give a value."""
    raise ValueError(
        f"each row of the counts sums to 1, a share of its class, and {what} depends on how "
        "frequent the classes are: pass counts, or say it with at_prevalence({class: share})."
    )


def intervals_for(
    cm: MatrixData,
    counted: Counted,
    choices: Sequence[Choice],
    axes: tuple[Axis, ...],
    request: Request,
) -> Iterator[Interval]:
    """The intervals of several metrics, by the design."""
    return intervals_of(counted, choices, axes, request, design_of_counted(cm, counted))


def gap_for(
    cm: MatrixData, counted: Counted, choice: Choice, axes: tuple[Axis, ...], request: GapRequest
) -> Gap:
    """The gap between groups, by the design."""
    return gap_of_design(counted, choice, axes, request, design_of_counted(cm, counted))


def difference_for(
    cm: MatrixData, counted: Counted, choice: Choice, axes: tuple[Axis, ...], request: GapRequest
) -> Compared:
    """The difference of two groups, by the design."""
    [axis] = axes
    return difference_of_design(counted, choice, axis, request, design_of_counted(cm, counted))


def design_of_counted(cm: MatrixData, counted: Counted) -> SampleDesign:
    """The design of counts whose labels are before the cells."""
    if not counted.multilabel:
        return cm._design
    place = [axis.name for axis in cm.axes].index("label")
    return cm._design.moved(lambda cells: np.moveaxis(cells, place, -3))


def counts_of_positive(cm: MatrixData, pos_label: Any, asked: str) -> tuple[ClassCounts, Any]:
    """tp, fp, fn and tn of the positive class, each (...), and its name, for limits."""
    if len(cm.labels) > 2 and pos_label is None and cm.pos_label is None:
        raise ValueError(of_more_than_two(asked, cm.labels))
    _, position = positive_of(cm.labels, pos_label, cm.pos_label)
    if position is None:
        raise ValueError(f"the matrix has only the label {show(cm.labels)}, and no positive class.")
    of_class = CountedMatrix(cm.counts, cm.labels).of_class(position)
    return ClassCounts(*(part[..., 0] for part in of_class)), plain(cm.labels)[position]
