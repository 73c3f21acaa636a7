"""A rate at the threshold at which another reaches a value: replicates, limits, differences."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.areas.bootstrap import drawn_of_classes
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.compared import LimitsAndTest
from skmetrics_ext.statistics.constants import FEW_HITS
from skmetrics_ext.statistics.inversion import p_value_of
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.pairs.mcnemar_and_tango import of_discordant
from skmetrics_ext.statistics.values.bootstrap import leaves_any_out
from skmetrics_ext.statistics.values.proportions import zou

# More replicates hardly change a correlation.
N_CORRELATED = 999
# A sum of rounded shares may be a little below a whole number.
ROUNDING = 1e-9


class OperatingPoint(NamedTuple):
    """The samples of one class, beyond whose scores a given share must not lie, and of the other,
    counted above the threshold. For a given recall all scores are negated.
    """

    given: Array
    others: Array
    # The share of the given class that may lie beyond the threshold.
    beyond: float
    # Whether the value is precision, at a given recall, not the others' share above the threshold.
    is_precision: bool

    @property
    def n_beyond(self) -> int:
        """How many samples of the given class may lie beyond the threshold."""
        return int(self.beyond * len(self.given) + ROUNDING)

    @property
    def is_tied_at_bound(self) -> bool:
        """Whether many of the given class have the score of the threshold."""
        _, numbers = np.unique(self.given, return_counts=True)
        n = len(self.given)
        error = np.sqrt(n * self.beyond * (1 - self.beyond))
        n_above = n - numbers.cumsum()
        is_near = np.abs(n_above - n * self.beyond) <= 1.5 * error
        larger_side = np.maximum(numbers, np.append(numbers[1:], 0))
        return bool((is_near & (larger_side > error)).any())

    def value_of(self, share: Array, beyond: Array, prevalence: Array | float) -> Array:
        """The metric by shares of the others above the threshold, and of the given class."""
        if not self.is_precision:
            return share
        found, false = prevalence * (1 - beyond), (1 - prevalence) * (1 - share)
        return np.asarray(np.where(found > 0, ratio(found, found + false), share == 1))


class Sizes(NamedTuple):
    """How many independent samples vary as much as the shares of both classes, and these shares."""

    given: float
    others: float
    together: float


def replicates(
    point: OperatingPoint, n: int, random: np.random.Generator, sizes: Sizes | None = None
) -> Array:
    """Values (n,) for the threshold and the share above it that a population may have: half of the
    replicates are at either end (melded, Fay, Proschan & Brittain 2015). Clusters have `sizes`.
    """
    n_given, n_others = len(point.given), len(point.others)
    drawn_from, of_others, together = sizes or (n_given, n_others, n_given + n_others)
    ends = np.concatenate([[np.inf], np.sort(point.given)[::-1], [-np.inf]])
    share_beyond = random.binomial(int(drawn_from), point.beyond, n) / int(drawn_from)
    n_beyond = np.rint(share_beyond * n_given).astype(np.int64)
    is_upper = random.random(n) < 0.5
    threshold = n_beyond + is_upper
    n_above = n_others - np.searchsorted(np.sort(point.others), ends, side="right")
    above = n_above[threshold] * (of_others / n_others)
    first, second = above + is_upper, of_others + 1 - above - is_upper
    share = np.where(first == 0, 0, random.beta(np.maximum(first, 1), np.maximum(second, 1)))
    # Whole ties are on one side of the threshold.
    n_strict = n_given - np.searchsorted(np.sort(point.given), ends, side="right")
    beyond = point.beyond * ratio(n_strict[threshold], np.maximum(n_beyond, 1))
    of_one = together / (n_given + n_others)
    prevalence = random.beta(n_given * of_one + 0.5, n_others * of_one + 0.5, n)
    return point.value_of(np.where(second <= 0, 1, share), beyond, prevalence)


class PointOfModel(NamedTuple):
    """A model at an operating point: the value of the sample, and replicates."""

    name: str
    point: OperatingPoint
    value: float
    replicates: Array


def limits_of(model: PointOfModel, alphas: Array | float) -> Limits:
    """Percentiles of replicates at each alpha, with the value; the whole range if too few are left
    out. With ties at the bound either side gets the whole of alpha.
    """
    return limits_of_replicates(model.point, model.value, model.replicates, alphas)


def limits_of_replicates(
    point: OperatingPoint, value: float, drawn: Array, alphas: Array | float
) -> Limits:
    """The same of a value and its replicates."""
    ordered = np.sort(drawn)
    n, alphas = len(ordered), np.asarray(alphas, dtype=float)
    alphas = alphas / 4 if point.is_tied_at_bound else alphas
    rank = np.floor((n + 1) * (alphas / 2) * (1 + ROUNDING)).astype(np.int64)
    place = np.maximum(rank, 1) - 1
    low, high = (
        np.where(rank > 0, of[place], end) for of, end in ((ordered, 0.0), (ordered[::-1], 1.0))
    )
    return Limits(np.minimum(low, value), np.maximum(high, value))


def correlated(
    points: tuple[OperatingPoint, OperatingPoint], random: np.random.Generator
) -> NDArray[np.float64]:
    """Values (2, n) of two models for the same resampled samples, each threshold chosen anew."""
    n_given, n_others = len(points[0].given), len(points[0].others)
    chunks = [
        [_values_of_drawn(point, *drawn) for point in points]
        for drawn in drawn_of_classes((n_given, n_others), N_CORRELATED, random)
    ]
    return np.concatenate(chunks, axis=1)


def _values_of_drawn(
    point: OperatingPoint, given_drawn: NDArray[np.int64], others_drawn: NDArray[np.int64]
) -> Array:
    """Values (size,) of resamples, by how often each was drawn (size, n_given or n_others)."""
    given, others = _drawn_ranks(point.given, given_drawn), _drawn_ranks(point.others, others_drawn)
    is_beyond = given.n_up_to[:, 1:] > point.n_beyond
    thresholds = given.scores[is_beyond.argmax(1)]
    n_given, n_others = len(point.given), len(point.others)
    return point.value_of(
        others.share_above(thresholds),
        given.share_above(thresholds),
        n_given / (n_given + n_others),
    )


class _DrawnRanks(NamedTuple):
    """Scores from the highest, and how many drawn samples have the first of them (size, n + 1)."""

    scores: Array
    n_up_to: NDArray[np.int64]

    def share_above(self, thresholds: Array) -> Array:
        """The share above each replicate's threshold (size,)."""
        places = np.searchsorted(-self.scores, -thresholds, side="left")
        replicates = np.arange(len(thresholds))
        return np.asarray(self.n_up_to[replicates, places] / len(self.scores))


def _drawn_ranks(scores: Array, drawn: NDArray[np.int64]) -> _DrawnRanks:
    """The ranks of samples that were drawn so often (size, n)."""
    from_highest = np.argsort(-scores)
    n_up_to = np.pad(drawn[:, from_highest].cumsum(1), ((0, 0), (1, 0)))
    return _DrawnRanks(scores[from_highest], n_up_to)


def difference_of_points(
    a: PointOfModel, b: PointOfModel, random: np.random.Generator
) -> LimitsAndTest:
    """The difference of two models on the same samples by Zou (2007), inverted for the p-value."""
    of_a, of_b = correlated((a.point, b.point), random)
    difference = a.value - b.value
    if np.ptp(of_a - of_b) == 0:
        n = min(len(a.point.given), len(a.point.others))
        only_a, only_b = round(max(difference, 0) * n), round(max(-difference, 0) * n)
        return of_discordant(only_a, only_b, n, shown("tango"))
    spreads = of_a.std() * of_b.std()
    correlation = np.cov(of_a, of_b, bias=True)[0, 1] / spreads if spreads > 0 else 0.0
    if a.point.beyond * len(a.point.given) < FEW_HITS:
        correlation = min(correlation, 0.0)

    # Zou's limits at each alpha that replicates can tell; correlated, they might else be nearer at
    # a higher level.
    n = len(a.replicates)
    alphas = 2 * np.arange(1, (n + 1) // 2 + 1) / (n + 1)
    found = zou((a.value, b.value), (limits_of(a, alphas), limits_of(b, alphas)), correlation)
    low = np.minimum.accumulate(found.low[::-1])[::-1]
    high = np.maximum.accumulate(found.high[::-1])[::-1]

    def limits_at(alpha: float) -> Limits:
        """These limits at level 1 - alpha, or the whole range."""
        if not leaves_any_out(n, alpha):
            return Limits(np.array(-1.0), np.array(1.0))
        place = int(np.searchsorted(alphas, alpha * (1 + ROUNDING), side="right")) - 1
        return Limits(low[place], high[place])

    return LimitsAndTest(limits_at, p_value_of(limits_at, difference), shown("zou"))
