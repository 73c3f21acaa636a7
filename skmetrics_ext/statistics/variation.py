"""Variation: all that methods ask of a design, and the answers of independent samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.estimand import CountedShare, Estimand
from skmetrics_ext.statistics.values.bootstrap import (
    Draws,
    LimitsByAlpha,
    MethodLimits,
    bootstrap,
    limits_by_bootstrap,
)
from skmetrics_ext.statistics.values.delta import variance

# Derivatives are 0 if none exceeds this proportion of the value, its rounding over the step.
ROUNDING = 1e-8


class Pseudo(NamedTuple):
    """Samples added to the cells (..., n_rows, n_columns): how many, and their weights."""

    numbers: Array
    weight: Any = 1.0

    @property
    def cells(self) -> Array:
        """What they add to the counts."""
        return np.asarray(self.numbers * self.weight)


class Spread(NamedTuple):
    """How much the samples move a value."""

    error: Array
    # Whether the units vary.
    is_seen: Any = True
    # The effective number of units that move the value.
    n: Any = np.inf


class Effective(NamedTuple):
    """A proportion as if of independent samples: hits of n."""

    hits: Array
    n: Array
    # Of limits that allow for how little units tell of their variation.
    alpha: Any
    # How many times as many samples exact limits have at this level: Korn & Graubard (1998).
    exact: Any = 1.0


class Variation(Protocol):
    """What a method for limits may ask of a design, for the cells of an estimand."""

    # Whether delta limits are on the range's scale, and no nearer than without pseudo-samples.
    by_range: bool
    # Whether a value at the end of its own scale is its own limit.
    keeps_ends: bool
    # Whether units may be so alike that their variation is unknown.
    can_be_alike: bool

    def shown(self, estimand: Estimand) -> Any:
        """What follows the name of a method, of each entry."""
        ...

    def quantile(self, n: Any, alpha: Any) -> Array:
        """How many standard errors of n effective units lie between value and limit."""
        ...

    def weight_of_one(self, estimand: Estimand) -> Any:
        """The weight of a pseudo-sample of each entry (..., 1, 1)."""
        ...

    def caveats(self, estimand: Estimand) -> Iterator[Caveat]:
        """What is wrong with all values."""
        ...

    def of_few(self, estimand: Estimand) -> Iterator[Caveat]:
        """What is wrong where methods do not hold for few samples of a class."""
        ...

    def effective(
        self, estimand: Estimand, shares: list[CountedShare], alpha: Any
    ) -> list[Effective]:
        """Proportions that determine a value."""
        ...

    def correlation(self, estimand: Estimand, shares: list[CountedShare]) -> Any:
        """The correlation of two of them."""
        ...

    def pseudo(self, estimand: Estimand) -> Pseudo:
        """The samples that are added for the delta method."""
        ...

    def spread(self, estimand: Estimand, slopes: Array, pseudo: Pseudo) -> Spread:
        """The standard error of the cells times slopes, summed."""
        ...

    def by_bootstrap(self, estimand: Estimand, draws: Draws) -> LimitsByAlpha:
        """Percentiles of replicates, which are drawn once for all levels."""
        ...


def none_added(estimand: Estimand) -> Pseudo:
    """No pseudo-samples."""
    return Pseudo(np.zeros(estimand.matrices.shape))


def halves_beside_empty(estimand: Estimand) -> Array:
    """Half a sample in each cell beside an empty one."""
    has_empty = (estimand.matrices == 0).any((-2, -1), keepdims=True)
    return np.broadcast_to(np.where(has_empty, 0.5, 0), estimand.matrices.shape)


class OfCounts:
    """Independent samples, whose numbers are the counts."""

    by_range, keeps_ends, can_be_alike = False, True, False

    def __init__(self, *, by_row: bool) -> None:
        # Whether the numbers of samples of the actual classes are fixed.
        self.by_row = by_row

    def shown(self, estimand: Estimand) -> str:
        """Nothing, since the number of samples is told anyway."""
        return ""

    def quantile(self, n: Any, alpha: Any) -> Array:
        """That of the normal distribution."""
        return np.asarray(-special.ndtri(alpha / 2))

    def weight_of_one(self, estimand: Estimand) -> Any:
        """One."""
        return 1.0

    def caveats(self, estimand: Estimand) -> Iterator[Caveat]:
        """None."""
        yield from ()

    def of_few(self, estimand: Estimand) -> Iterator[Caveat]:
        """None: their number says it."""
        yield from ()

    def effective(
        self, estimand: Estimand, shares: list[CountedShare], alpha: Any
    ) -> list[Effective]:
        """As counted."""
        return [Effective(share.hits, share.n, alpha) for share in shares]

    def correlation(self, estimand: Estimand, shares: list[CountedShare]) -> Any:
        """None, of samples in different rows or columns."""
        return 0.0

    def pseudo(self, estimand: Estimand) -> Pseudo:
        """Half a sample in each cell, if one is empty and the metric has its own scale."""
        if not estimand.has_own_scale:
            return none_added(estimand)
        return Pseudo(halves_beside_empty(estimand))

    def spread(self, estimand: Estimand, slopes: Array, pseudo: Pseudo) -> Spread:
        """That of multinomial counts."""
        cells = estimand.matrices + pseudo.cells
        return Spread(np.sqrt(variance(cells, slopes, by_row=self.by_row)))

    def by_bootstrap(self, estimand: Estimand, draws: Draws) -> LimitsByAlpha:
        """Cells are resampled, which is as good as samples."""
        [values] = bootstrap([estimand], draws)
        return limits_by_bootstrap(estimand, values, draws)


def where_seen(
    is_seen: NDArray[np.bool_], found: MethodLimits, alike: MethodLimits
) -> MethodLimits:
    """The limits where units vary, and those where units are alike."""
    ends = (np.where(is_seen, *both) for both in zip(found.limits, alike.limits, strict=True))
    n_undefined = np.where(is_seen, found.n_undefined, alike.n_undefined)
    return MethodLimits(type(found.limits)(*ends), n_undefined)
