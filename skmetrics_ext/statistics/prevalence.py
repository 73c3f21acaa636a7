"""Intervals of values at a given prevalence of the classes, from the rows that were counted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from scipy import special

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, cells_of_counted, with_cells
from skmetrics_ext.counting.counts import as_floats
from skmetrics_ext.counting.design import INDEPENDENT, Design
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.actual_classes import (
    RescaledRows,
    limits_by_logit,
    limits_by_rates,
    limits_by_replicates,
)
from skmetrics_ext.statistics.bootstrap import Draws, MethodLimits
from skmetrics_ext.statistics.delta import SCALES, gradient_of, scale_of_range
from skmetrics_ext.statistics.estimand import clipped, estimand_of, value_of_matrices
from skmetrics_ext.statistics.intervals import (
    check_counts_of_samples,
    intervals_of_design,
    make_interval,
    variation_of,
)
from skmetrics_ext.statistics.methods import BIASED, choice_of_each, has_slope
from skmetrics_ext.statistics.proportions import Array
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.results import Interval
from skmetrics_ext.statistics.variation import Pseudo

LOGIT = "logit by actual class"
MOVER = "MOVER by actual class"
BY_ROWS = "the wider of smoothed bootstrap and Dirichlet by actual class"


def intervals_at_prevalence(
    counted: Counted,
    observed: Counted,
    choices: Sequence[Choice],
    axes: tuple[Axis, ...],
    request: Request,
    design: Design = INDEPENDENT,
) -> Iterator[Interval]:
    """The intervals of rescaled rows, from those observed and their design."""
    if request.method != "auto":
        raise ValueError(
            f"method={request.method!r} does not apply to counts at another prevalence: omit it."
        )
    find = _of_design if design.sees_samples else _of_counts
    for choice in choices:
        _refuse_given(choice)
        yield find(counted, observed, choice, axes, request, design)


def _refuse_given(choice: Choice) -> None:
    """Refuse what follows from the prevalence alone, which was given."""
    if choice.row.is_fixed_by_design:
        raise ValueError(
            f"there is no valid confidence interval for {choice.row.name} at another prevalence."
        )


def _of_design(
    counted: Counted,
    observed: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    request: Request,
    design: Design,
) -> Interval:
    """One value of weighted or clustered samples, by the delta method on the scale of its range.

    Both sides of a row with an empty cell get z^2 / 2 samples, as in Mercaldo, Lau & Zhou.
    """
    estimand, tables = estimand_of(counted, choice), estimand_of(observed, choice)
    is_mixed = estimand.is_of_one_class and not counted.multilabel and len(counted.order) > 2
    if estimand.is_of_actual() and not is_mixed:
        return next(intervals_of_design(observed, [choice], axes, request, design))
    if is_mixed or estimand.kind.is_worst or not has_slope(choice.row, estimand.average):
        raise ValueError(
            f"there is no valid confidence interval for {choice.row.name} of {design.name} at "
            "another prevalence."
        )
    totals = estimand.matrices.sum(-1)

    def value_of(cells: Array) -> Array:
        """The value where the rows have the totals of the population."""
        return estimand.value_of(cells * ratio(totals, cells.sum(-1))[..., None])

    of_rows = replace(tables, value_of=value_of)
    is_multilabel = counted.multilabel
    variation = variation_of(design, of_rows, np.ones(()), by_row=False, multilabel=is_multilabel)
    name = scale_of_range(choice)

    def find(alpha: float, _: Draws) -> MethodLimits:
        """Confidence limits at level 1 - alpha."""
        is_empty = (tables.matrices == 0).any(-1, keepdims=True) & tables.matrices.any(
            -1, keepdims=True
        )
        halves = np.where(is_empty, special.ndtri(alpha / 2) ** 2 / 2, 0)
        added = np.broadcast_to(halves, tables.matrices.shape)
        pseudo = Pseudo(added, variation.weight_of_one(of_rows))
        filled = tables.matrices + pseudo.cells
        spread = variation.spread(of_rows, gradient_of(value_of, filled), pseudo)
        reach = variation.quantile(spread.n, alpha) * spread.error
        return MethodLimits(clipped(SCALES[name].around(value_of(filled), reach), choice))

    numbers = design.numbers_of(cells_of_counted(observed))
    of_samples = estimand_of(with_cells(observed, numbers), choice)
    n = np.rint(of_samples.matrices.sum((-2, -1))).astype(np.int64)
    shown = np.char.add("delta by actual class", variation.shown(of_rows))
    caveats = variation.caveats(of_rows)
    return make_interval(counted, estimand, axes, request, "delta", find, shown, n, caveats)


def _of_counts(
    counted: Counted,
    observed: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    request: Request,
    design: Design,
) -> Interval:
    """One value, by a method that depends on the rows that it is of."""
    estimand, of_observed = estimand_of(counted, choice), estimand_of(observed, choice)
    check_counts_of_samples(of_observed, "an interval")
    row, is_of_class = choice.row, estimand.is_of_one_class
    # In tables of one class against several the rest is a mix of rows.
    is_mixed = is_of_class and not counted.multilabel and len(counted.order) > 2
    if estimand.is_of_actual() and (not is_mixed or row.averages_are_of_actual):
        by_row = request._replace(fixed="actual")
        return next(intervals_of_design(observed, [choice], axes, by_row, design))
    is_biased = row.interval in BIASED or estimand.kind.is_worst
    # With kinks, the ends of a rate do not tell how far a value may move between them.
    has_no_way = row.has_kinks and row.has_average and len(counted.order) > 2
    if is_biased or has_no_way:
        raise ValueError(
            f"there is no valid confidence interval for {row.name} at another prevalence."
        )
    if is_mixed:
        rows = RescaledRows(
            as_floats(observed.matrix),
            as_floats(counted.matrix),
            value_of_matrices(counted, choice),
        )
    else:
        rows = RescaledRows(of_observed.matrices, estimand.matrices, estimand.value_of)
    n = np.rint(rows.observed.sum((-2, -1))).astype(np.int64)
    if is_mixed and estimand.labels is not None:
        n = np.repeat(n[..., None], len(estimand.labels), -1)
    if is_mixed:
        method, shown = "mover", MOVER
        find = partial(limits_by_rates, rows, estimand)
    elif is_of_class and row.share is not None and row.share.is_predictive:
        method, shown = "delta", LOGIT
        find = partial(limits_by_logit, rows, row.share)
    else:
        method, shown = "dirichlet", BY_ROWS
        of_classes = choice_of_each(estimand)
        parts = None if of_classes is None else estimand_of(counted, of_classes)
        find = partial(limits_by_replicates, rows, estimand, parts)
    return make_interval(counted, estimand, axes, request, method, find, shown, n)
