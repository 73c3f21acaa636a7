"""A rate at the threshold at which another reaches a value: replicates, limits, differences."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import chunk_sizes
from skmetrics_ext.statistics.bootstrap import leaves_any_out, percentiles
from skmetrics_ext.statistics.differences import p_value_of
from skmetrics_ext.statistics.mcnemar import mid_p, tango
from skmetrics_ext.statistics.proportions import Array, Limits, zou

# More replicates hardly change a correlation.
N_CORRELATED = 999
# With fewer samples beyond the threshold, resampled ones vary less than those of a population, and
# are too much alike.
FEW_BEYOND = 5
# A sum of rounded shares may be a little below a whole number.
ROUNDING = 1e-9


class OperatingPoint(NamedTuple):
    """The samples of one class, beyond whose scores a given share must not lie, and those of the
    other class.

    The other class is counted above the threshold. For a given recall all scores are negated, so
    that positive samples beyond the threshold are those missed, and negative ones are counted where
    they are rejected.
    """

    given: Array
    others: Array
    # The share of the given class that may lie beyond the threshold.
    beyond: float
    # Whether the value is precision, at a given recall, and not the share of the others above the
    # threshold.
    is_precision: bool

    @property
    def n_beyond(self) -> int:
        """How many samples of the given class may lie beyond the threshold."""
        return int(self.beyond * len(self.given) + ROUNDING)

    def value_of(self, share: Array, beyond: Array, prevalence: Array | float) -> Array:
        """The metric for a share of the others above the threshold, and one of the given class."""
        if not self.is_precision:
            return share
        found, false = prevalence * (1 - beyond), (1 - prevalence) * (1 - share)
        return np.asarray(np.where(found > 0, ratio(found, found + false), share == 1))


def replicates(point: OperatingPoint, n: int, random: np.random.Generator) -> Array:
    """Values (n,) for the threshold and the share above it that a population may have.

    A binomial number of the samples of the given class lie beyond the population's threshold, which
    is between two of them; half of the replicates are at either end, and so are the beta
    distributions of the share above it, between those of both limits of Clopper & Pearson:
    confidence distributions melded as in Fay, Proschan & Brittain (2015).
    """
    n_given, n_others = len(point.given), len(point.others)
    ends = np.concatenate([[np.inf], np.sort(point.given)[::-1], [-np.inf]])
    n_beyond, is_upper = random.binomial(n_given, point.beyond, n), random.random(n) < 0.5
    threshold = ends[n_beyond + is_upper]
    above = n_others - np.searchsorted(np.sort(point.others), threshold, side="right")
    first, second = above + is_upper, n_others + 1 - above - is_upper
    share = np.where(first == 0, 0, random.beta(np.maximum(first, 1), np.maximum(second, 1)))
    # Whole ties are on one side of the threshold.
    n_strict = n_given - np.searchsorted(np.sort(point.given), threshold, side="right")
    beyond = point.beyond * ratio(n_strict, np.maximum(n_beyond, 1))
    prevalence = random.beta(n_given + 0.5, n_others + 0.5, n)
    return point.value_of(np.where(second == 0, 1, share), beyond, prevalence)


def limits_of(values: Array, value: float, alpha: float) -> Limits:
    """Percentiles of replicates, which include the value; the whole range where too few are left
    out.
    """
    low, high = (
        percentiles(values, alpha) if leaves_any_out(len(values), alpha) else np.array([0.0, 1.0])
    )
    return Limits(np.minimum(low, value), np.maximum(high, value))


def correlated(
    points: tuple[OperatingPoint, OperatingPoint], random: np.random.Generator
) -> NDArray[np.float64]:
    """Values (2, n) of two models for the same resampled samples of each class, the threshold
    chosen anew.
    """
    n_given, n_others = len(points[0].given), len(points[0].others)
    values: list[list[Array]] = [[], []]
    for size in chunk_sizes(N_CORRELATED, n_given + n_others):
        of_given, of_others = (
            random.multinomial(k, np.full(k, 1 / k), size) for k in (n_given, n_others)
        )
        for point, found in zip(points, values, strict=True):
            order, place = np.argsort(-point.given), np.argsort(-point.others)
            reached = of_given[:, order].cumsum(1)
            given = point.given[order]
            threshold = given[(reached > point.n_beyond).argmax(1)]
            up_to = np.pad(reached, ((0, 0), (1, 0)))
            rows = np.arange(size)
            beyond = up_to[rows, np.searchsorted(-given, -threshold, side="left")] / n_given
            above = np.pad(of_others[:, place].cumsum(1), ((0, 0), (1, 0)))
            share = (
                above[rows, np.searchsorted(-point.others[place], -threshold, side="left")]
                / n_others
            )
            found.append(point.value_of(share, beyond, n_given / (n_given + n_others)))
    return np.array([np.concatenate(found) for found in values])


class PointOfModel(NamedTuple):
    """A model at an operating point: the value of the sample, and replicates."""

    name: str
    point: OperatingPoint
    value: float
    replicates: Array


def difference_of_points(
    a: PointOfModel, b: PointOfModel, random: np.random.Generator
) -> tuple[Callable[[float], Limits], float, str]:
    """Limits by level of the difference of two models on the same samples, its p-value, and how
    they are computed.

    Zou's (2007) limits combine those of each model with the correlation of both; the p-value
    inverts them.
    """
    of_a, of_b = correlated((a.point, b.point), random)
    difference = a.value - b.value
    if np.ptp(of_a - of_b) == 0:
        n = min(len(a.point.given), len(a.point.others))
        only_a, only_b = round(max(difference, 0) * n), round(max(-difference, 0) * n)
        return partial(tango, only_a, only_b, n), mid_p(only_a, only_b), "Tango"
    spreads = of_a.std() * of_b.std()
    correlation = np.cov(of_a, of_b, bias=True)[0, 1] / spreads if spreads > 0 else 0.0
    if a.point.beyond * len(a.point.given) < FEW_BEYOND:
        correlation = min(correlation, 0.0)

    def limits_at(alpha: float) -> Limits:
        """Zou's limits at level 1 - alpha, or the whole range."""
        if not leaves_any_out(len(a.replicates), alpha):
            return Limits(np.array(-1.0), np.array(1.0))
        of_a, of_b = (limits_of(of.replicates, of.value, alpha) for of in (a, b))
        return zou((a.value, b.value), (of_a, of_b), correlation)

    return limits_at, p_value_of(limits_at), "Zou"
