"""Intervals of values at a given prevalence of the classes, from the rows that were counted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import Any

import numpy as np

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted, cells_of_counted, with_cells
from skmetrics_ext.counting.counts import as_floats, margins_of, two_by_two
from skmetrics_ext.counting.design import INDEPENDENT, SampleDesign
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import NoLimitsError
from skmetrics_ext.statistics.classes import choice_of_each, has_slope
from skmetrics_ext.statistics.estimand import Estimand, estimand_of, value_of_matrices
from skmetrics_ext.statistics.methods import methods_for, shown
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.results import Interval
from skmetrics_ext.statistics.values.actual_classes import (
    RescaledRows,
    limits_by_logit,
    limits_by_rates,
    limits_by_replicates,
)
from skmetrics_ext.statistics.values.bootstrap import Draws, MethodLimits
from skmetrics_ext.statistics.values.delta import ValueOf, scale_between
from skmetrics_ext.statistics.values.intervals import (
    check_counts_of_samples,
    intervals_of_design,
    make_interval,
    refuse_fixed,
    relative_weights,
    variation_of,
)
from skmetrics_ext.statistics.values.limits import hull_with_plain, moved
from skmetrics_ext.statistics.variation import Variation, none_added


def intervals_at_prevalence(
    counted: Counted,
    observed: Counted,
    choices: Sequence[Choice],
    axes: tuple[Axis, ...],
    request: Request,
    design: SampleDesign = INDEPENDENT,
) -> Iterator[Interval]:
    """The intervals of rescaled rows, from those observed and their design."""
    if request.method != "auto":
        raise ValueError(
            f"method={request.method!r} does not apply to counts at another prevalence: omit it."
        )
    request = request._replace(fixed=None)
    for choice in choices:
        refuse_fixed(choice)
        if _is_of_rows(counted, choice):
            own = request if design.sees_samples else request._replace(fixed="actual")
            yield next(intervals_of_design(observed, [choice], axes, own, design))
        elif design.sees_samples:
            yield _of_design(counted, observed, choice, axes, request, design)
        else:
            yield _of_counts(counted, observed, choice, axes, request)


def _is_mixed(counted: Counted, estimand: Estimand) -> bool:
    """Whether tables are of one class against several, so that the rest is a mix of rows."""
    return estimand.is_of_one_class and not counted.multilabel and len(counted.order) > 2


def _is_of_rows(counted: Counted, choice: Choice) -> bool:
    """Whether a value does not depend on the prevalence."""
    estimand = estimand_of(counted, choice)
    is_mixed = _is_mixed(counted, estimand)
    return estimand.is_of_actual() and (not is_mixed or choice.row.averages_are_of_actual)


def _of_design(
    counted: Counted,
    observed: Counted,
    choice: Choice,
    axes: tuple[Axis, ...],
    request: Request,
    design: SampleDesign,
) -> Interval:
    """One value of weighted or clustered samples, by the delta method on the scale of its range."""
    numbers, scale_of_weights = design.numbers_of(cells_of_counted(observed)), np.ones(())
    if design.are_weights:
        observed, scale_of_weights = relative_weights(observed, numbers)
        counted, _ = relative_weights(counted, numbers)
    estimand = estimand_of(counted, choice, are_shares_given=True)
    if estimand.kind.is_worst or not has_slope(choice.row, estimand.average):
        raise NoLimitsError(
            f"there is no valid confidence interval for {choice.asked} of {design.name} at a "
            "given prevalence: use that of each class, average=None, or another metric."
        )
    tables, has_classes = estimand_of(observed, choice), False
    each = [replace(tables, value_of=_value_at(estimand.matrices.sum(-1), estimand.value_of))]
    if _is_mixed(counted, estimand):
        has_classes = estimand.labels is not None
        each = _of_all_rows(counted, observed, estimand)
    ends = [
        Limits(*(end[..., place] if has_classes and end.ndim else end for end in estimand.ends))
        for place in range(len(each))
    ]
    variations = [
        variation_of(design, one, scale_of_weights, by_row=False, multilabel=counted.multilabel)
        for one in each
    ]

    def find(alpha: float, _: Draws) -> MethodLimits:
        """Confidence limits at level 1 - alpha."""
        found = [_limits_by_delta(*one, alpha) for one in zip(each, variations, ends, strict=True)]
        if not has_classes:
            return MethodLimits(found[0])
        return MethodLimits(Limits(*(np.stack(of, -1) for of in zip(*found, strict=True))))

    def of_each_class(of: Array) -> Array:
        """What is said of all cells, of each class."""
        return np.expand_dims(of, -1) if has_classes else of

    of_samples = estimand_of(with_cells(observed, numbers), choice)
    n = np.rint(of_samples.matrices.sum((-2, -1))).astype(np.int64)
    of_units: Any = of_each_class(np.asarray(variations[0].shown(each[0])))
    how = np.char.add(shown("delta-by-class"), of_units)
    caveats = [of.moved(of_each_class, ()) for of in variations[0].caveats(each[0])]
    return make_interval(counted, estimand, axes, request, "delta-by-class", find, how, n, caveats)


def _value_at(totals: Array, value_of: ValueOf) -> ValueOf:
    """The value where the rows have the totals of the population."""
    return lambda cells: value_of(cells * ratio(totals, cells.sum(-1))[..., None])


def _of_all_rows(counted: Counted, observed: Counted, estimand: Estimand) -> list[Estimand]:
    """The value of each class against several others, whose rows have shares of their own."""
    totals, cells = (as_floats(of.matrix) for of in (counted, observed))

    def at(position: int) -> ValueOf:
        """That of one class, of cells of all."""
        return lambda cells: estimand.value_of(two_by_two(margins_of(cells))[..., position, :, :])

    assert estimand.positions is not None, "each class has a table"
    whole = replace(estimand, average="macro", matrices=cells, labels=None, positions=None)
    values = [_value_at(totals.sum(-1), at(position)) for position in estimand.positions.tolist()]
    return [replace(whole, value_of=value_of) for value_of in values]


def _limits_by_delta(of_rows: Estimand, variation: Variation, ends: Limits, alpha: float) -> Limits:
    """The limits of a value on the scale of its range."""
    scale = scale_between(ends)
    filled, plain = (
        moved(of_rows, variation, pseudo)
        for pseudo in (variation.pseudo(of_rows), none_added(of_rows))
    )
    (value, spread), limits = filled, filled.limits(variation, alpha, scale)
    # A value that no sample moves has rounding alone.
    limits = Limits(*(np.where(spread.is_seen, end, value) for end in limits))
    spread = spread._replace(error=np.where(spread.is_seen, spread.error, 0))
    return hull_with_plain(limits, spread, plain.limits(variation, alpha, scale))


def _of_counts(
    counted: Counted, observed: Counted, choice: Choice, axes: tuple[Axis, ...], request: Request
) -> Interval:
    """One value, by a method that depends on the rows that it is of."""
    estimand = estimand_of(counted, choice, are_shares_given=True)
    of_observed = estimand_of(observed, choice)
    check_counts_of_samples(of_observed, "an interval")
    row, share, is_mixed = choice.row, estimand.share, _is_mixed(counted, estimand)
    is_biased = row.is_biased or estimand.kind.is_worst
    # With kinks, the ends of a rate do not tell how far a value may move between them.
    has_no_way = row.kind == "kinked" and row.has_average and len(counted.order) > 2
    if is_biased or has_no_way:
        raise NoLimitsError(
            f"there is no valid confidence interval for {choice.asked} at a given prevalence."
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
    is_predictive = estimand.is_of_one_class and share is not None and share.is_predictive
    found = compress(("one class of several", "share of predicted"), (is_mixed, is_predictive))
    [method] = methods_for("value", "another prevalence", found)
    if method == "mover-by-class":
        find = partial(limits_by_rates, rows, estimand)
    elif method == "logit-by-class" and share is not None:
        find = partial(limits_by_logit, rows, share)
    else:
        is_of_shares = estimand.proportion is not None or estimand.is_of_two_shares
        of_classes = None if is_of_shares else choice_of_each(estimand)
        parts = None
        if of_classes is not None:
            parts = estimand_of(counted, of_classes, are_shares_given=True)
        find = partial(limits_by_replicates, rows, estimand, parts)
    return make_interval(counted, estimand, axes, request, method, find, shown(method), n)
