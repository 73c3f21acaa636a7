"""Guarantees on new data for a threshold chosen from the data: limits of rates that hold for all thresholds."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.rows import BY_NAME, Metric
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.formulas import one_class
from skmetrics_ext.statistics.proportions import Array, highest_share, lowest_share

N_RANKS = 12

# A logarithm rounds: that of 0.5 ** 2 is not always twice that of 0.5.
ROUNDING_OF_LOGARITHMS = 1e-9


class Rate(NamedTuple):
    """A metric that is a proportion of samples, or a function of one."""

    formula: Callable[[ClassCounts], Any]
    samples: str
    """The name of the samples of which it is a proportion."""
    from_share: Callable[[Any], Any] = lambda share: share
    to_share: Callable[[Any], Any] = lambda value: value


# Rates that are monotone in the threshold.
MONOTONE = {
    "recall": Rate(one_class.recall, "positive samples"),
    "false_negative_rate": Rate(one_class.false_negative_rate, "positive samples"),
    "specificity": Rate(one_class.specificity, "negative samples"),
    "false_positive_rate": Rate(one_class.false_positive_rate, "negative samples"),
    "predicted_positive_rate": Rate(one_class.predicted_positive_rate, "samples"),
    "detection_rate": Rate(one_class.detection_rate, "samples"),
}


# Rates that are not monotone. F1 is 2 J / (1 + J) of Jaccard's J, which is a proportion.
RANKED = {
    "precision": Rate(one_class.precision, "samples"),
    "negative_predictive_value": Rate(one_class.negative_predictive_value, "samples"),
    "accuracy": Rate(one_class.one_vs_rest_accuracy, "samples"),
    "f1": Rate(one_class.jaccard, "samples", lambda share: 2 * share / (1 + share), lambda value: value / (2 - value)),
}


# The rate of the samples below the threshold, whose ranks count from the lowest score.
FROM_BELOW = "negative_predictive_value"


class Side(NamedTuple):
    """One side of a bound: a metric must be at least, or at most, a number."""

    name: str
    limit: float
    is_least: bool

    @property
    def rate(self) -> Rate:
        """The metric."""
        return MONOTONE[self.name] if self.name in MONOTONE else RANKED[self.name]

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value that satisfy it."""
        return (self.limit, math.inf) if self.is_least else (-math.inf, self.limit)

    @property
    def text(self) -> str:
        """The side in words."""
        return f"{self.name} {'>=' if self.is_least else '<='} {self.limit:g}"

    def n_needed(self, error: float) -> float:
        """The smallest sample size of the rate that can show it: if all of them satisfy it by chance."""
        share = self.rate.to_share(self.limit) if self.is_least else 1 - self.rate.to_share(self.limit)
        if share <= 0 or share >= 1:
            # For 1 no number of samples suffices, and beyond it is impossible.
            return math.inf
        return math.ceil(math.log(error) / math.log(share) - ROUNDING_OF_LOGARITHMS)

    def limits(self, counts: ClassCounts, error: float) -> Array:
        """The one-sided Clopper-Pearson limit at each threshold."""
        # Many thresholds have the same numbers of samples, and the limit is slow to compute.
        (hits, n), place = np.unique(np.stack(self.rate.formula(counts)), axis=1, return_inverse=True)
        limit = lowest_share if self.is_least else highest_share
        return np.asarray(self.rate.from_share(limit(hits, n, error))[place.ravel()])


def sides_of(row: Metric, low: float, high: float) -> list[Side]:
    """The sides of a bound that restrict a proportion; a metric without a guarantee is refused."""
    if BY_NAME.get(row.name) is not row or row.name not in MONOTONE | RANKED:
        raise ValueError(
            f"{row.name} can't be bounded with confidence_level, which applies to rates that are monotone in the "
            f"threshold, {list(MONOTONE)}, and to {list(RANKED)}: bound one of these, or omit confidence_level."
        )
    both = Side(row.name, low, True), Side(row.name, high, False)
    return [side for side, restricts in zip(both, (low > 0, high < 1), strict=True) if restricts]


def limits_by_score(counts: ClassCounts, sides: list[Side], error: float) -> list[Array]:
    """The limit of each side at every distinct score, decreasing; NaN where it is not tested.

    `counts` are whole. A threshold is a score or lies in the gap below it, and scores at or above it are predicted
    positive. The probability, over random samples, that any threshold has limits that all satisfy their bounds while
    one of its true rates does not is at most `error`.
    """
    each = error / len(sides)
    _check_enough(counts, sides, each)
    ranked = [side for side in sides if side.name in RANKED]
    looked_at = _places_of_ranks(counts, ranked, each / N_RANKS) if ranked else None
    return [
        side.limits(counts, each) if side.name in MONOTONE else _limits_at(looked_at, counts, side, each / N_RANKS)
        for side in sides
    ]


def _limits_at(looked_at: Any, counts: ClassCounts, side: Side, error: float) -> Array:
    """The limit of a rate that is not monotone, at the ranked scores and in the gaps below them.

    Given such a score, the samples strictly above it are a random sample of all those above, and so
    are those below; those at it are in neither. The same holds for the next lower score, which ends the gap.
    The samples at both ends must show the rate, and also all samples, since scores may be tied.
    """
    tp, fp, fn, tn = counts
    upper = ClassCounts(np.append(0, tp[:-1]), np.append(0, fp[:-1]), fn, tn)
    lower = ClassCounts(tp, fp, np.append(fn[1:], 0), np.append(tn[1:], 0))
    limits = np.full(len(tp), np.nan)
    of_all = [side.limits(ClassCounts(*(part[looked_at] for part in of)), error) for of in (upper, counts, lower)]
    limits[looked_at] = np.min(of_all, axis=0) if side.is_least else np.max(of_all, axis=0)
    return limits


def _places_of_ranks(counts: ClassCounts, sides: list[Side], error: float) -> NDArray[np.intp]:
    """The positions of the ranked scores; the ranks depend only on the number of samples."""
    above, below = _fewest_on_either_side(sides, error)
    n_samples = _n_samples(counts)
    if any(side.name != FROM_BELOW for side in sides):
        ranks = _geometric(above, n_samples - 1 - below)
    else:
        ranks = n_samples - 1 - _geometric(below, n_samples - 1)
    return np.unique(np.searchsorted(counts.tp + counts.fp, ranks, side="right"))


def _fewest_on_either_side(sides: list[Side], error: float) -> tuple[int, int]:
    """The smallest numbers of samples above and below the ranked scores; below, the highest one ends the gap."""
    above = [side.n_needed(error) for side in sides if side.name != FROM_BELOW]
    below = [side.n_needed(error) + 1 for side in sides if side.name == FROM_BELOW]
    return int(max(above, default=0)), int(max(below, default=0))


def _geometric(first: int, last: int) -> NDArray[np.int64]:
    """Whole numbers from the first to the last, each about as many times as large as the one before."""
    return np.unique(np.rint(np.geomspace(first, last, N_RANKS)).astype(np.int64))


def _n_samples(counts: ClassCounts) -> int:
    """The number of samples, the same at each threshold."""
    return int(sum(part[0] for part in counts))


def _check_enough(counts: ClassCounts, sides: list[Side], each: float) -> None:
    """Refuse bounds that no sample of this size can show, with the size that can."""
    for side in sides:
        is_ranked = side.name in RANKED
        error = each / N_RANKS if is_ranked else each
        needed = side.n_needed(error)
        if math.isinf(needed):
            raise ValueError(
                f"{side.text} can't be guaranteed with confidence_level, regardless of the number of samples: relax "
                "the bound."
            )
        # The ranked sample is in neither part, and the one that ends the gap is not in the part below it.
        needed += is_ranked + (side.name == FROM_BELOW)
        there = _n_samples(counts) if is_ranked else int(side.rate.formula(counts)[1][0])
        if there < needed:
            raise ValueError(
                f"{side.text} needs at least {needed} {side.rate.samples} for an error probability of {error:.3g}; "
                f"there are {there}: use more of them, relax the bound or lower confidence_level."
            )
    ranked = [side for side in sides if side.name in RANKED]
    needed = sum(_fewest_on_either_side(ranked, each / N_RANKS)) + 1
    if ranked and _n_samples(counts) < needed:
        raise ValueError(
            f"{' and '.join(side.text for side in ranked)} together need at least {needed} samples; there are "
            f"{_n_samples(counts)}: use more samples, relax a bound or lower confidence_level."
        )
