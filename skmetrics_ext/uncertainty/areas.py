"""Limits of the area under a ROC curve, by DeLong's variance, and of average precision."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.uncertainty.proportions import Limits, wilson
from skmetrics_ext.uncertainty.question import Array

# Weights that are no whole numbers leave so much of a perfect area.
ROUNDING = 1e-12


class AtScores(NamedTuple):
    """The samples of a class at each distinct score, decreasing: their weights, and the squares of these."""

    weights: Array
    squares: Array

    @property
    def n(self) -> float:
        """How many samples of equal weight say as much, by Kish."""
        return float(self.weights.sum() ** 2 / self.squares.sum())


def delong_variance(positive: AtScores, negative: AtScores) -> float:
    """The variance of the area of DeLong et al. (1988), in linear time from samples in order; ties count half.

    Each positive sample is placed among the negative ones, and each negative one among the positive.
    """
    variance = 0.0
    for own, other in ((positive, negative), (negative, positive)):
        placed = (other.weights.cumsum() - other.weights / 2) / other.weights.sum()
        mean = (own.weights * placed).sum() / own.weights.sum()
        spread = (own.squares * (placed - mean) ** 2).sum() / own.weights.sum() ** 2
        variance += spread * own.n / (own.n - 1)
    return float(variance)


def limits_of_roc_area(area: float, positive: AtScores, negative: AtScores, alpha: float, *, on_logit: bool) -> Limits:
    """Normal limits of the area or of its logit; those of a share of the rarer class where no spread can be seen."""
    rarer, area = min(positive.n, negative.n), _exact(area)
    variance = delong_variance(positive, negative) if rarer >= 2 else 0.0
    if area in (0, 1) or variance <= 0:
        return wilson(area * rarer, rarer, alpha)
    half = -special.ndtri(alpha / 2) * np.sqrt(variance)
    if on_logit:
        middle, half = special.logit(area), half / (area * (1 - area))
        return Limits(special.expit(middle - half), special.expit(middle + half))
    return Limits(np.maximum(area - half, 0), np.minimum(area + half, 1))


def limits_of_average_precision(area: float, n_positive: float, alpha: float) -> Limits:
    """logit(AP) +- z / sqrt(n AP (1 - AP)) of Boyd, Eng & Page (2013); at 0 and 1 those of a share of n."""
    area = _exact(area)
    if area in (0, 1):
        return wilson(area * n_positive, n_positive, alpha)
    half = -special.ndtri(alpha / 2) / np.sqrt(n_positive * area * (1 - area))
    return Limits(special.expit(special.logit(area) - half), special.expit(special.logit(area) + half))


def placements(scores: Array, positive: NDArray[np.bool_], weights: Array) -> Array:
    """The share of the other class (n_samples,) that has a lower score than each sample; ties count half."""
    _, codes = np.unique(scores, return_inverse=True)
    codes = codes.reshape(-1)
    of_class = [np.bincount(codes, np.where(of, weights, 0)) for of in (positive, ~positive)]
    below_positive, below_negative = ((at.cumsum() - at / 2) / at.sum() for at in of_class)
    return np.asarray(np.where(positive, below_negative[codes], below_positive[codes]))


def variance_of_difference(moves: Array, positive: NDArray[np.bool_], weights: Array) -> float:
    """The variance of the difference of two areas on the same samples, whose placements differ by these moves.

    It is that of DeLong et al. (1988), without the covariances of each with the other written out.
    """
    variance = 0.0
    for of in (positive, ~positive):
        own, weight = moves[of], weights[of]
        n = weight.sum() ** 2 / (weight**2).sum()
        spread = (weight**2 * (own - (weight * own).sum() / weight.sum()) ** 2).sum() / weight.sum() ** 2
        variance += spread * n / (n - 1)
    return float(variance)


def _exact(area: float) -> float:
    """0 and 1 without what the rounding of weights has left."""
    return round(area) if abs(area - round(area)) < ROUNDING else area
