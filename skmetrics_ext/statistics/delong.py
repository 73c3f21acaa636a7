"""Areas under ROC curves: DeLong's variance and Newcombe's method 5; limits of average precision."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from skmetrics_ext.statistics.proportions import Array, Limits, modified_wilson

# The rounding of a perfect area with weights that are not whole.
ROUNDING = 1e-12
# DeLong's variance is unreliable with fewer samples of the rarer class, or fewer misranked ones.
FEW_SAMPLES = 100
FEW_MISPLACED = 5


class AtScores(NamedTuple):
    """The samples of a class at each distinct score, decreasing: their weights, and the squares of these."""

    weights: Array
    squares: Array

    @property
    def n(self) -> float:
        """Kish's effective sample size."""
        return float(self.weights.sum() ** 2 / self.squares.sum())


class RocArea(NamedTuple):
    """An area under a ROC curve, its variance, and the effective sample size of each class."""

    value: float
    variance: float
    n_positive: float
    n_negative: float

    @property
    def rarer(self) -> float:
        """The effective sample size of the rarer class."""
        return min(self.n_positive, self.n_negative)

    @property
    def has_few_misplaced(self) -> bool:
        """Whether it is so near 0 or 1 that DeLong's variance is based on a few samples."""
        return self.rarer * min(self.value, 1 - self.value) < FEW_MISPLACED

    @property
    def is_of_few(self) -> bool:
        """Whether DeLong's limits alone are too narrow."""
        return self.rarer < FEW_SAMPLES or self.has_few_misplaced


def roc_area_of(area: float, positive: AtScores, negative: AtScores) -> RocArea:
    """The area with the variance of DeLong et al. (1988), in linear time from sorted samples; ties count half.

    Each positive sample is placed among the negative ones, and each negative one among the positive. With a single
    sample of a class the variance is 0.
    """
    variance = 0.0
    if min(positive.n, negative.n) >= 2:
        for own, other in ((positive, negative), (negative, positive)):
            placed = (other.weights.cumsum() - other.weights / 2) / other.weights.sum()
            mean = (own.weights * placed).sum() / own.weights.sum()
            spread = (own.squares * (placed - mean) ** 2).sum() / own.weights.sum() ** 2
            variance += float(spread * own.n / (own.n - 1))
    return RocArea(exact(area), variance, positive.n, negative.n)


def newcombe(area: RocArea, alpha: float) -> Limits:
    """Limits by method 5 of Newcombe (2006): the areas that a score test accepts.

    Its variance at an area is that of Hanley & McNeil (1982) for exponential scores, with the mean of both numbers of
    samples instead of each, so that it is the same whichever class is positive.
    """
    value, z_squared = area.value, float(special.ndtri(alpha / 2)) ** 2
    others, n_pairs = (area.n_positive + area.n_negative) / 2 - 1, area.n_positive * area.n_negative

    def excess(true: float) -> float:
        """By how much the squared difference exceeds what the test accepts."""
        spread = 1 + others * ((1 - true) / (2 - true) + true / (1 + true))
        return float((value - true) ** 2 - z_squared * true * (1 - true) * spread / n_pairs)

    def limit(end: float) -> Array:
        """Where the excess is 0 between the area and an end."""
        # At an area of 0 or 1 the excess is 0 too.
        beside = value + ROUNDING * (end - value)
        return np.asarray(end if value == end else optimize.brentq(excess, *sorted((end, beside)), xtol=1e-15))

    return Limits(limit(0.0), limit(1.0))


def limits_of_average_precision(area: float, positive: AtScores, negative: AtScores, alpha: float) -> Limits:
    """logit(AP) +- t SE / (AP (1 - AP)), SE the larger of Boyd, Eng & Page's (2013) and the delta method's.

    Boyd's, sqrt(AP (1 - AP) / n), is that of a proportion of the n positive samples. It holds if these are few, and is
    too small if negative ones are fewer, or positive ones vary more. At 0 and 1 the limits are those of the proportion.
    """
    area = exact(area)
    if area in (0, 1) or positive.n < 2:
        return modified_wilson(area * positive.n, positive.n, alpha)
    half = -special.stdtrit(positive.n - 1, alpha / 2) * np.sqrt(area * (1 - area) / positive.n)
    if (rarer := min(positive.n, negative.n)) >= 2:
        error = np.sqrt(precision_variance(area, positive, negative) * rarer / (rarer - 1))
        half = np.maximum(half, -special.stdtrit(rarer - 1, alpha / 2) * error)
    return on_logit(area, half)


def precision_variance(area: float, positive: AtScores, negative: AtScores) -> float:
    """The variance of average precision by the delta method, for samples drawn regardless of class.

    A sample changes the precision at its own score and at each lower one, weighted by the positive samples there.
    """
    total = positive.weights.sum()
    tp, fp = positive.weights.cumsum(), negative.weights.cumsum()
    # The highest scores may belong only to samples of weight 0.
    reached = np.where(tp + fp > 0, tp + fp, 1)
    by_fewer_fp, by_more_tp = ((positive.weights * of / reached**2)[::-1].cumsum()[::-1] / total for of in (tp, fp))
    of_positive = (tp / reached - area) / total + by_more_tp
    return float((positive.squares * of_positive**2).sum() + (negative.squares * by_fewer_fp**2).sum())


def wider(one: Limits, other: Limits) -> Limits:
    """The outer limits of two intervals."""
    return Limits(np.minimum(one.low, other.low), np.maximum(one.high, other.high))


def on_logit(area: float, half: float) -> Limits:
    """The area plus and minus half on its logit scale."""
    middle, half = special.logit(area), half / (area * (1 - area))
    return Limits(special.expit(middle - half), special.expit(middle + half))


def placement_values(scores: Array, positive: NDArray[np.bool_], weights: Array) -> Array:
    """The proportion of the other class (n_samples,) with a lower score than each sample; ties count half."""
    _, codes = np.unique(scores, return_inverse=True)
    codes = codes.reshape(-1)
    of_class = [np.bincount(codes, np.where(of, weights, 0)) for of in (positive, ~positive)]
    below_positive, below_negative = ((at.cumsum() - at / 2) / at.sum() for at in of_class)
    return np.asarray(np.where(positive, below_negative[codes], below_positive[codes]))


def variance_of_placement_values(placed: Array, positive: NDArray[np.bool_], weights: Array) -> float:
    """The variance of an area from the placement values of its samples, or of a difference of two areas from theirs.

    It is that of DeLong et al. (1988), without explicit covariances.
    """
    variance = 0.0
    for of in (positive, ~positive):
        own, weight = placed[of], weights[of]
        n = samples_of_equal_weight(weight)
        spread = (weight**2 * (own - (weight * own).sum() / weight.sum()) ** 2).sum() / weight.sum() ** 2
        variance += spread * n / (n - 1)
    return float(variance)


def samples_of_equal_weight(weights: Array) -> float:
    """Kish's effective sample size."""
    return float(weights.sum() ** 2 / (weights**2).sum())


def exact(area: float) -> float:
    """0 and 1 without the rounding of weights."""
    return float(round(area)) if abs(area - round(area)) < ROUNDING else area


class RankedSamples(NamedTuple):
    """The samples whose placement values give a variance."""

    positive: NDArray[np.bool_]
    weights: Array

    def variance_of(self, placed: Array) -> float:
        """The variance of an area or of a difference; 0 if a class has a single sample."""
        n = min(samples_of_equal_weight(self.weights[of]) for of in (self.positive, ~self.positive))
        return variance_of_placement_values(placed, self.positive, self.weights) if n >= 2 else 0.0

    def area_of(self, area: float, placed: Array) -> RocArea:
        """An area with its variance."""
        n_positive, n_negative = (samples_of_equal_weight(self.weights[of]) for of in (self.positive, ~self.positive))
        return RocArea(exact(area), self.variance_of(placed), n_positive, n_negative)
