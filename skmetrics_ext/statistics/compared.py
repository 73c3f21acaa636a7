"""Differences of models -> rows of a Comparison, whose limits agree with the corrected p-values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.reading.arguments import check_confidence_level, check_in_range
from skmetrics_ext.reading.order import name_as_text
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat, told
from skmetrics_ext.statistics.entries import stacked_results
from skmetrics_ext.statistics.gaps.groups import EQUALITY
from skmetrics_ext.statistics.inversion import (
    LimitsAt,
    agreeing,
    p_value_above,
    reaching_or_beyond,
    reversed_limits,
)
from skmetrics_ext.statistics.multiplicity import CORRECTIONS, alpha_of_each
from skmetrics_ext.statistics.results import Comparison


class LimitsAndTest(NamedTuple):
    """What is known of a difference."""

    limits_at: LimitsAt
    p_value: float
    method: str
    # Whether limits are those of a method asked for by name, even beside the difference.
    is_as_published: bool = False
    caveats: tuple[Caveat, ...] = ()
    # How many units the variance behind limits is known by; infinite if it does not vary.
    n_deciding: float = np.inf


class Compared(NamedTuple):
    """One metric of two models, and what is known of their difference."""

    metric: str
    models: tuple[str, str]
    values: tuple[float, float]
    known: LimitsAndTest
    is_lower_better: bool = False
    caveats: tuple[Caveat, ...] = ()
    kind: str = "difference"
    # The group of the samples, if there are groups.
    group: Any = None
    # The class of the metric, if it is of one.
    label: Any = None

    @property
    def difference(self) -> float:
        """The first model's value minus the second's."""
        return self.values[0] - self.values[1]

    @property
    def ratio(self) -> float:
        """The first model's value divided by the second's."""
        return float(ratio(*self.values))

    @property
    def estimate(self) -> float:
        """What limits are of."""
        return self.ratio if self.kind == "ratio" else self.difference

    def limits_at(self, alpha: float) -> Limits:
        """Limits that include the estimate, which those with added units may exclude."""
        low, high = self.known.limits_at(alpha)
        if self.known.is_as_published:
            return Limits(low, high)
        return Limits(np.minimum(low, self.estimate), np.maximum(high, self.estimate))

    def agreeing_with(self, p_value: float, at: float, alpha: float) -> Limits:
        """The limits at one alpha, which agree with a p-value at another, maybe corrected."""
        return agreeing(self.limits_at(at), self.estimate, p_value, alpha, EQUALITY[self.kind])

    def agreeing_at(self, alpha: float) -> Limits:
        """The same, which agree with the p-value of this one alone."""
        return self.agreeing_with(self.known.p_value, alpha, alpha)


def unknown(method: str) -> LimitsAndTest:
    """A difference without a value or variation."""
    return LimitsAndTest(lambda _: Limits(*np.full(2, np.nan)), np.nan, method)


def check_comparison(confidence_level: Any, correction: Any, margin: Any) -> None:
    """Refuse options that no comparison accepts."""
    check_confidence_level(confidence_level)
    if correction not in CORRECTIONS:
        raise ValueError(f"correction must be 'holm', 'bonferroni' or None; got {correction!r}.")
    if margin is not None:
        check_in_range(margin, "margin", lambda x: 0 < x < np.inf, "a finite number above 0")


def comparison_of(
    compared: list[Compared],
    confidence_level: float,
    correction: str | None,
    margin: float | None,
    by: str | None = None,
    p_values_of_others: Sequence[float] = (),
) -> Comparison:
    """The comparison of all differences, corrected for others too, with caveats told."""
    rows = _rows_of(compared, confidence_level, correction, margin, p_values_of_others)
    stacked = stacked_results(rows, Axis("row", np.array([_name_of(row) for row in rows])))
    return told(replace(stacked, by=by))


def _name_of(row: Comparison) -> str:
    """What a row compares."""
    group = "" if row.group is None else f" in {name_as_text(row.group)}"
    return f"{row.metric}: {row.model} {row._sign} {row.reference}{group}"


def _rows_of(
    compared: list[Compared],
    confidence_level: float,
    correction: str | None,
    margin: float | None,
    p_values_of_others: Sequence[float],
) -> list[Comparison]:
    """A comparison of each difference, with p-values corrected for their number, and limits
    simultaneous by Bonferroni, which stop short of what a corrected p-value excludes.
    """
    alpha = 1 - confidence_level
    p_values = np.array([*(of.known.p_value for of in compared), *p_values_of_others])
    p_adjusted = CORRECTIONS[correction](p_values)[: len(compared)]
    n_tests = 1 if correction is None else int((~np.isnan(p_values)).sum())
    of_row = float(alpha_of_each(alpha, n_tests))
    limits = [
        of.agreeing_with(p, of_row, alpha) for of, p in zip(compared, p_adjusted, strict=True)
    ]
    asked = {"confidence_level": confidence_level, "correction": correction, "margin": margin}
    rows = [
        _row(of, p, ends, 1 - of_row, asked)
        for of, p, ends in zip(compared, p_adjusted, limits, strict=True)
    ]
    if margin is None:
        return rows
    above, below = sides_of_margin(compared, p_adjusted, margin, alpha, correction)
    return [
        _with_verdicts(row, of.is_lower_better, sides, margin, alpha)
        for row, of, sides in zip(rows, compared, zip(above, below, strict=True), strict=True)
    ]


def _row(
    of: Compared, p_adjusted: float, limits: Limits, level: float, asked: dict[str, Any]
) -> Comparison:
    """Two models compared by what is known of their difference."""
    model, reference = of.models
    value, reference_value = of.values
    return Comparison(
        metric=of.metric,
        model=model,
        reference=reference,
        value=value,
        reference_value=reference_value,
        difference=of.difference,
        low=float(limits.low),
        high=float(limits.high),
        p_value=of.known.p_value,
        p_adjusted=float(p_adjusted),
        method=of.known.method,
        level_of_row=level,
        ratio=of.ratio if of.kind == "ratio" else None,
        group=of.group,
        label=of.label,
        kind=of.kind,
        caveats=of.caveats,
        **asked,
    )


def sides_of_margin(
    compared: list[Compared], p_adjusted: Array, margin: float, alpha: float, correction: str | None
) -> tuple[Array, Array]:
    """Corrected p-values (n_rows,) of differences up to minus the margin, and from it, by the
    limits.
    """
    sides = []
    for sign in (1, -1):
        p_values = np.full(len(compared), np.nan)
        for place, of in enumerate(compared):
            limits_at = of.agreeing_at if sign > 0 else reversed_limits(of.agreeing_at)
            if not np.isnan(limits_at(alpha).low):
                p_values[place] = p_value_above(limits_at, -margin, alpha / 2)
        is_beyond = np.array([sign * of.difference > 0 for of in compared])
        of_equality = np.where(is_beyond, p_adjusted / 2, np.inf)
        corrected = CORRECTIONS[correction](p_values)
        sides.append(np.where(of_equality < corrected, of_equality, corrected))
    return sides[0], sides[1]


def _with_verdicts(
    row: Comparison, is_lower_better: bool, sides: tuple[float, float], margin: float, alpha: float
) -> Comparison:
    """A row with its verdicts on the margin, and limits that agree."""
    above, below = map(float, sides)
    p_not_worse, p_equivalent = (below if is_lower_better else above), float(np.maximum(*sides))
    if np.isnan(p_equivalent):
        return replace(row, p_not_worse=p_not_worse, p_equivalent=p_equivalent)
    limits = Limits(np.array(row.low), np.array(row.high))
    low, high = reaching_or_beyond(limits, margin, above <= alpha / 2, below <= alpha / 2)
    return replace(
        row,
        low=float(low),
        high=float(high),
        p_not_worse=p_not_worse,
        p_equivalent=p_equivalent,
        not_worse=p_not_worse <= alpha / 2,
        equivalent=p_equivalent <= alpha / 2,
    )
