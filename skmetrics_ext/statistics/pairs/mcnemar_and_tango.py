"""McNemar's test and Tango's limits: two proportions of the same samples."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy import special, stats

from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.compared import LimitsAndTest
from skmetrics_ext.statistics.pairs.metric import PairedMetric
from skmetrics_ext.statistics.pairs.pair import Pair
from skmetrics_ext.statistics.pairs.tang import tang
from skmetrics_ext.statistics.values.proportions import limits_of_test

# Nearer limits of a difference are the observed one.
BESIDE = 1e-9


class Discordant(NamedTuple):
    """So many samples that only the first model, and only the second, has right, of n."""

    only_first: int
    only_second: int
    n: int
    # A difference of proportions counts so often.
    slope: float = 1.0
    both: int = 0

    @property
    def n_of_either(self) -> int:
        """How many samples either model has right."""
        return self.both + self.only_first + self.only_second

    def limits_at(self, alpha: float) -> Limits:
        """Tango's limits."""
        found = tango(self.only_first, self.only_second, self.n, alpha)
        return Limits(*(self.slope * end for end in found))

    def limits_of_ratio_at(self, alpha: float) -> Limits:
        """Tang's limits."""
        return tang(self.both, self.only_first, self.only_second, alpha)


def of_discordant(only_first: int, only_second: int, n: int, method: str) -> LimitsAndTest:
    """McNemar's test and Tango's limits of n samples, by those that one model has right."""
    found = Discordant(only_first, only_second, n)
    return LimitsAndTest(found.limits_at, mid_p_value(only_first, only_second), method)


def discordant(pair: Pair, metric: PairedMetric) -> Discordant:
    """Samples of the classes that count, by which model has them right."""
    share = metric.share
    assert share is not None, "a proportion of samples of true classes"
    counted_cells = np.repeat(share.counted, len(share.counted)).astype(float)
    hit_cells = share.hits.ravel() * counted_cells
    of_first, of_second = (of @ hit_cells > 0 for of in (pair.first, pair.second))
    n = sum(int((cells @ counted_cells > 0) @ numbers) for cells, numbers in pair.units())
    both = (of_first & of_second) @ pair.frequencies
    both += (pair.same @ hit_cells > 0) @ pair.frequencies_of_same
    return Discordant(
        only_first=int((of_first & ~of_second) @ pair.frequencies),
        only_second=int((of_second & ~of_first) @ pair.frequencies),
        n=n,
        slope=share.slope,
        both=int(both),
    )


@np.errstate(under="ignore")
def mid_p_value(only_first: int, only_second: int) -> float:
    """McNemar's two-sided mid-p-value: the observed outcome counts half (Lancaster 1961)."""
    rarer, both = min(only_first, only_second), only_first + only_second
    # To make a distribution of its own takes four times as long.
    no_more, as_many = (of(rarer, both, 0.5) for of in (stats.binom.cdf, stats.binom.pmf))
    return min(float(2 * no_more - as_many), 1.0)


def tango(only_first: int, only_second: int, n: int, alpha: float) -> Limits:
    """Limits of a difference of two proportions of n samples by Tango's (1998) score test."""
    return Limits(
        -_highest(only_second, only_first, n, alpha), _highest(only_first, only_second, n, alpha)
    )


def _highest(only_first: int, only_second: int, n: int, alpha: float) -> Array:
    """The upper one."""
    z_squared = float(special.ndtri(alpha / 2)) ** 2
    difference = (only_first - only_second) / n

    def excess(shift: float) -> float:
        """How far the squared statistic exceeds its quantile, times a difference's variance."""
        least = _share_of_second(only_first, only_second, n, shift)
        return (only_first - only_second - n * shift) ** 2 - z_squared * n * (
            2 * least + shift * (1 - shift)
        )

    # At the difference itself the test may be 0/0.
    return limits_of_test(excess, difference, (difference, 1.0), BESIDE).high


def _share_of_second(only_first: int, only_second: int, n: int, shift: float) -> float:
    """The likeliest share that only the second has correct, if the difference is the shift."""
    b = (2 * n - only_first + only_second) * shift - only_first - only_second
    c = -only_second * shift * (1 - shift)
    return (math.sqrt(max(b * b - 8 * n * c, 0.0)) - b) / (4 * n)
