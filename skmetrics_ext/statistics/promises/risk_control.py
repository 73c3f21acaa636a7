"""Guarantees on new data for a threshold chosen from data: limits that hold for all thresholds."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.catalogue.properties import (
    ACCURACY,
    ACTUAL_NEGATIVE,
    ACTUAL_POSITIVE,
    ALL,
    PREDICTED_NEGATIVE,
    PREDICTED_POSITIVE,
    Cells,
)
from skmetrics_ext.catalogue.rows import METRICS, Metric
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.formulas import one_class
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.multiplicity import alpha_of_each
from skmetrics_ext.statistics.values.proportions import highest_share, lowest_share

# Logarithms round: that of 0.5 ** 2 may not be twice that of 0.5.
ROUNDING_OF_LOGARITHMS = 1e-9
ROUNDING_OF_LIMITS = 1e-12


# Precision is highest where few are predicted positive; a rate of those below counts negative ones.
AT_FEW = (1 / 8, 1 / 4, 1 / 2)

SAMPLES_OF = {ACTUAL_POSITIVE: "positive samples", ACTUAL_NEGATIVE: "negative samples"}


class Rate(NamedTuple):
    """A metric that is a proportion of samples, or a function of one."""

    name: str
    formula: Callable[[ClassCounts], Any]
    # Those of which it is the proportion.
    of: Cells = ALL
    from_share: Callable[[Any], Any] = np.asarray
    to_share: Callable[[Any], Any] = float
    # Where chains of tests begin, if it is not monotone in the threshold: predicted positives, as a
    # multiple of positive ones.
    starts: tuple[float, ...] = ()

    @property
    def is_monotone(self) -> bool:
        """Whether no chains of tests are needed."""
        return not self.starts


def rate_of(row: Metric) -> Rate | None:
    """What a guarantee must know of a metric; None for one that has none."""
    if row.of_share is not None and row.has_average:
        of_share = row.of_share
        return Rate(
            row.name,
            of_share.formula,
            from_share=lambda share: of_share.value_at(share, 2),
            to_share=lambda value: of_share.share_at(value, 2),
            starts=(1, 1.5),
        )
    share = row.share
    if share is None:
        return None
    if share.is_monotone:
        return Rate(row.name, row.formula, share.among)
    if share.is_predictive and row.better == "higher":
        return Rate(row.name, row.formula, share.among, starts=AT_FEW)
    if share == ACCURACY:
        return Rate(row.name, one_class.one_vs_rest_accuracy, starts=(1,))
    return None


RATES = [rate for rate in map(rate_of, METRICS) if rate is not None]
MONOTONE = [rate.name for rate in RATES if rate.is_monotone]
RANKED = [rate.name for rate in RATES if not rate.is_monotone]


class Side(NamedTuple):
    """One side of a bound: a metric must be at least, or at most, a number."""

    rate: Rate
    limit: float
    is_least: bool

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value that satisfy it."""
        return (self.limit, math.inf) if self.is_least else (-math.inf, self.limit)

    @property
    def text(self) -> str:
        """The side in words."""
        return f"{self.rate.name} {'>=' if self.is_least else '<='} {self.limit:g}"

    @property
    def directions(self) -> tuple[int, ...]:
        """Where chains go from their starts: 1 to lower thresholds, -1 to higher."""
        if self.rate.of not in (PREDICTED_POSITIVE, PREDICTED_NEGATIVE):
            return 1, -1
        return (1,) if self.is_least == (self.rate.of == PREDICTED_POSITIVE) else (-1,)

    def error_of_test(self, error: float) -> float:
        """The error of a test at a start, where chains share the bound's."""
        if self.rate.is_monotone:
            return error
        n_chains = len(self.rate.starts) * len(self.directions)
        return float(alpha_of_each(error, n_chains))

    def n_needed(self, error: float) -> float:
        """The rate's smallest sample size that can show it: if all satisfy it by chance."""
        share = self.rate.to_share(self.limit)
        if not self.is_least:
            share = 1 - share
        if share <= 0 or share >= 1:
            # For 1 no number of samples suffices, and beyond it is impossible.
            return math.inf
        return math.ceil(math.log(error) / math.log(share) - ROUNDING_OF_LOGARITHMS)

    def holds(self, counts: ClassCounts, errors: Array) -> NDArray[np.bool_]:
        """Whether the limit at each threshold, whose test may err with this probability, satisfies
        it: found by the probability of the hits at the bound, which is much faster.
        """
        hits, n = (np.asarray(part, dtype=np.float64) for part in self.rate.formula(counts))
        share = self.rate.to_share(self.limit)
        # Without hits the lowest share is 0, without misses the highest is 1.
        if self.is_least:
            share -= ROUNDING_OF_LIMITS
            tail = special.betainc(np.maximum(hits, 1), n - hits + 1, share)
            return np.asarray((hits > 0) & (tail <= errors))
        share += ROUNDING_OF_LIMITS
        misses = n - hits
        tail = special.betaincc(hits + 1, np.maximum(misses, 1), share)
        return np.asarray((misses > 0) & (tail <= errors))

    def limits(self, counts: ClassCounts, errors: Array) -> Array:
        """The one-sided Clopper-Pearson limit at each threshold."""
        limit_of_share = lowest_share if self.is_least else highest_share
        hits, n = self.rate.formula(counts)
        return np.asarray(self.rate.from_share(limit_of_share(hits, n, errors)))


class Decisions(NamedTuple):
    """The tests of one side of a bound at every distinct score, decreasing."""

    side: Side
    counts: ClassCounts
    # The probability that a test errs, NaN where there is none.
    errors: Array
    hold: NDArray[np.bool_]

    def limits(self) -> Array:
        """The limit at every score; NaN where there is no test."""
        limits = self.side.limits(self.counts, self.errors)
        return np.where(np.isnan(self.errors), np.nan, limits)

    def limit_at(self, place: int) -> float:
        """The limit at one of the scores that are tested."""
        there = ClassCounts(*(part[place] for part in self.counts))
        return float(self.side.limits(there, self.errors[place]))


def sides_of(row: Metric, low: float, high: float) -> list[Side]:
    """The sides of a bound that restrict a proportion; metrics without a guarantee are refused."""
    rate = rate_of(row)
    if rate is None:
        raise ValueError(
            f"{row.name} can't be bounded with confidence_level, which applies to rates that are "
            f"monotone in the threshold, {MONOTONE}, and to {RANKED}: bound one of these, or omit "
            "confidence_level."
        )
    sides = []
    if low > 0:
        sides.append(Side(rate, low, is_least=True))
    if high < 1:
        sides.append(Side(rate, high, is_least=False))
    return sides


def decisions_by_score(counts: ClassCounts, sides: list[Side], error: float) -> list[Decisions]:
    """The tests of each side at every distinct score, and the gap below it, of whole counts: any
    passes while a true rate violates its bound with a probability of at most `error`.
    """
    each = float(alpha_of_each(error, len(sides)))
    _check_enough(counts, sides, each)
    decisions = []
    for side in sides:
        if side.rate.is_monotone:
            errors = np.full(len(counts.tp), each)
        else:
            errors = _errors_of_chains(counts, side, each)
        decisions.append(Decisions(side, counts, errors, side.holds(counts, errors)))
    return decisions


def _errors_of_chains(counts: ClassCounts, side: Side, error: float) -> Array:
    """The error of the test of each score that chains reach, by the fallback procedure."""
    # Of two tests of a score the likelier to err has the nearer limit.
    return np.asarray(
        np.fmax.reduce([_errors_of_chains_in(counts, side, error, way) for way in side.directions])
    )


def _errors_of_chains_in(counts: ClassCounts, side: Side, error: float, direction: int) -> Array:
    """The errors of the tests of chains in one direction."""
    # From below, samples below a score are those above it.
    ordered = ClassCounts(*(part[::direction] for part in counts))
    errors = np.full(len(counts.tp), np.nan)
    error_of_chain = side.error_of_test(error)
    spent = 0.0
    starts = _starts(counts, side, direction, error_of_chain)
    for start, end in zip(starts, [*starts[1:], len(errors)], strict=True):
        spent += error_of_chain
        # Chains in both directions begin with the same test.
        is_start = np.arange(start, end) == start
        error_at_start = spent + error_of_chain * (len(side.directions) - 1)
        of_part = np.where(is_start, error_at_start, spent)
        holds = side.holds(ClassCounts(*(part[start:end] for part in ordered)), of_part)
        fails = np.flatnonzero(~holds)
        n_tested = fails[0] + 1 if len(fails) else len(of_part)
        errors[start : start + n_tested] = of_part[:n_tested]
        if len(fails):
            spent = 0.0
    return errors[::direction]


def _starts(counts: ClassCounts, side: Side, direction: int, error: float) -> NDArray[np.intp]:
    """The positions of the scores at which chains in a direction begin."""
    tp, fp, fn, tn = counts
    last, multiples = len(tp) - 1, np.array(side.rate.starts)
    n_above = tp + fp
    if len(side.directions) == 2:
        starts = np.minimum(np.searchsorted(n_above, tp[-1] * multiples), last)
        return np.asarray(starts if direction == 1 else last - starts[::-1])
    n_predicted, n_of_class = n_above, tp[-1]
    if direction == -1:
        n_predicted, n_of_class = (fn + tn)[::-1], fp[-1]
    # With fewer samples no test can succeed.
    enough = np.maximum(n_of_class * multiples, side.n_needed(error))
    return np.asarray(np.minimum(np.searchsorted(n_predicted, enough), last))


def _n_samples(counts: ClassCounts, rate: Rate) -> int:
    """The number of samples of a rate, the same at every threshold; all if it is not monotone."""
    if not rate.is_monotone:
        return int(sum(part[0] for part in counts))
    _, n = rate.formula(counts)
    return int(n[0])


def _check_enough(counts: ClassCounts, sides: list[Side], each: float) -> None:
    """Refuse bounds that no sample of this size can show, with the size that can."""
    for side in sides:
        error = side.error_of_test(each)
        needed = side.n_needed(error)
        if math.isinf(needed):
            raise ValueError(f"{side.text} can't be guaranteed by any number of samples: relax it.")
        there = _n_samples(counts, side.rate)
        if there < needed:
            samples = SAMPLES_OF.get(side.rate.of, "samples")
            raise ValueError(
                f"{side.text} needs at least {needed} {samples} for an error probability of "
                f"{error:.3g}; there are {there}: use more of them, relax the bound or lower "
                "confidence_level."
            )
