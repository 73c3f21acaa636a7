"""What a threshold that is chosen from the data may promise of new data: limits of rates that hold for all at once."""

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
    """A metric that is a share of samples, or follows from one."""

    formula: Callable[[ClassCounts], Any]
    samples: str
    """What the samples are called of which it is a share."""
    from_share: Callable[[Any], Any] = lambda share: share
    to_share: Callable[[Any], Any] = lambda value: value


# They rise or fall with the threshold.
MONOTONE = {
    "recall": Rate(one_class.recall, "positive samples"),
    "false_negative_rate": Rate(one_class.false_negative_rate, "positive samples"),
    "specificity": Rate(one_class.specificity, "negative samples"),
    "false_positive_rate": Rate(one_class.false_positive_rate, "negative samples"),
    "predicted_positive_rate": Rate(one_class.predicted_positive_rate, "samples"),
    "detection_rate": Rate(one_class.detection_rate, "samples"),
}


# They go up and down. F1 is 2 J / (1 + J) of Jaccard's J, which is a share.
RANKED = {
    "precision": Rate(one_class.precision, "samples"),
    "negative_predictive_value": Rate(one_class.negative_predictive_value, "samples"),
    "accuracy": Rate(one_class.one_vs_rest_accuracy, "samples"),
    "f1": Rate(one_class.jaccard, "samples", lambda share: 2 * share / (1 + share), lambda value: value / (2 - value)),
}


# That of the samples below the threshold, whose ranks count from the lowest score.
FROM_BELOW = "negative_predictive_value"


class Side(NamedTuple):
    """One side of a bound: a metric is to be at least, or at most, a number."""

    name: str
    limit: float
    is_least: bool

    @property
    def rate(self) -> Rate:
        """The metric."""
        return MONOTONE[self.name] if self.name in MONOTONE else RANKED[self.name]

    @property
    def range(self) -> tuple[float, float]:
        """The least and the largest value that keep to it."""
        return (self.limit, math.inf) if self.is_least else (-math.inf, self.limit)

    @property
    def text(self) -> str:
        """The side in words."""
        return f"{self.name} {'>=' if self.is_least else '<='} {self.limit:g}"

    def n_needed(self, error: float) -> float:
        """The fewest samples of the rate that can show it at all: all of them on the right side of it by accident."""
        share = self.rate.to_share(self.limit) if self.is_least else 1 - self.rate.to_share(self.limit)
        if share <= 0 or share >= 1:
            # Of 1 no number of samples is enough, and what is beyond it is impossible.
            return math.inf
        return math.ceil(math.log(error) / math.log(share) - ROUNDING_OF_LOGARITHMS)

    def limits(self, counts: ClassCounts, error: float) -> Array:
        """The one-sided limit of Clopper & Pearson at each threshold."""
        # Many thresholds have the same numbers of samples, and the limit of a share is slow.
        (hits, n), place = np.unique(np.stack(self.rate.formula(counts)), axis=1, return_inverse=True)
        limit = lowest_share if self.is_least else highest_share
        return np.asarray(self.rate.from_share(limit(hits, n, error))[place.ravel()])


def sides_of(row: Metric, low: float, high: float) -> list[Side]:
    """The sides of a bound that say something of a share; a metric that can't be promised is refused."""
    if BY_NAME.get(row.name) is not row or row.name not in MONOTONE | RANKED:
        raise ValueError(
            f"{row.name} can't be bounded with confidence_level, which is for rates that rise or fall with the "
            f"threshold, {list(MONOTONE)}, and for {list(RANKED)}: bound one of these, or leave confidence_level out."
        )
    sides = []
    if low > 0:
        sides.append(Side(row.name, low, True))
    if high < 1:
        sides.append(Side(row.name, high, False))
    return sides


def limits_by_score(counts: ClassCounts, sides: list[Side], error: float) -> list[Array]:
    """The limit of each side at every distinct score, decreasing; NaN where it is not looked at.

    `counts` are whole. A threshold is a score or stands in the gap below it, and what reaches it is predicted
    positive. The chance, over draws of the samples, that there is any threshold whose limits all keep to their
    bounds while one of its true rates does not is at most `error`.
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
    """The limit of a rate that goes up and down, at the ranked scores and in the gaps below them.

    Given such a score, the samples strictly above it are a plain draw from all that is above, and so
    are those below; those at it are in neither. So it is with the next lower score, which ends the gap.
    The draws at both ends must show the rate, and all samples, too, since scores may have ties.
    """
    tp, fp, fn, tn = counts
    upper = ClassCounts(np.append(0, tp[:-1]), np.append(0, fp[:-1]), fn, tn)
    lower = ClassCounts(tp, fp, np.append(fn[1:], 0), np.append(tn[1:], 0))
    limits = np.full(len(tp), np.nan)
    of_all = [side.limits(ClassCounts(*(part[looked_at] for part in of)), error) for of in (upper, counts, lower)]
    limits[looked_at] = np.min(of_all, axis=0) if side.is_least else np.max(of_all, axis=0)
    return limits


def _places_of_ranks(counts: ClassCounts, sides: list[Side], error: float) -> NDArray[np.intp]:
    """Where the scores of the ranks stand, which depend on nothing but the number of samples."""
    above, below = _fewest_on_either_side(sides, error)
    n_samples = _n_samples(counts)
    if any(side.name != FROM_BELOW for side in sides):
        ranks = _geometric(above, n_samples - 1 - below)
    else:
        ranks = n_samples - 1 - _geometric(below, n_samples - 1)
    return np.unique(np.searchsorted(counts.tp + counts.fp, ranks, side="right"))


def _fewest_on_either_side(sides: list[Side], error: float) -> tuple[int, int]:
    """The fewest samples above the ranked scores, and below them, where the highest ends the gap."""
    above = [side.n_needed(error) for side in sides if side.name != FROM_BELOW]
    below = [side.n_needed(error) + 1 for side in sides if side.name == FROM_BELOW]
    return int(max(above, default=0)), int(max(below, default=0))


def _geometric(first: int, last: int) -> NDArray[np.int64]:
    """Whole numbers from the first to the last, each about as many times as large as the one before."""
    return np.unique(np.rint(np.geomspace(first, last, N_RANKS)).astype(np.int64))


def _n_samples(counts: ClassCounts) -> int:
    """All samples, which are the same at each threshold."""
    return int(sum(part[0] for part in counts))


def _check_enough(counts: ClassCounts, sides: list[Side], each: float) -> None:
    """Refuse what no sample of this size can show, with the size that can."""
    for side in sides:
        is_ranked = side.name in RANKED
        error = each / N_RANKS if is_ranked else each
        needed = side.n_needed(error)
        if math.isinf(needed):
            raise ValueError(
                f"{side.text} can't be shown with confidence_level, whatever the number of samples: relax the bound."
            )
        # The ranked sample is in no draw, nor is that which ends the gap in a draw from below it.
        needed += is_ranked + (side.name == FROM_BELOW)
        there = _n_samples(counts) if is_ranked else int(side.rate.formula(counts)[1][0])
        if there < needed:
            raise ValueError(
                f"{side.text} needs at least {needed} {side.rate.samples} with a probability of error of {error:.3g}; "
                f"there are {there}: take more of them, relax the bound or lower confidence_level."
            )
    ranked = [side for side in sides if side.name in RANKED]
    needed = sum(_fewest_on_either_side(ranked, each / N_RANKS)) + 1
    if ranked and _n_samples(counts) < needed:
        raise ValueError(
            f"{' and '.join(side.text for side in ranked)} need at least {needed} samples together; there are "
            f"{_n_samples(counts)}: take more of them, relax a bound or lower confidence_level."
        )
