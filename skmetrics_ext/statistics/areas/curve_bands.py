"""Limits of a curve at each value of its x axis, pointwise, or for all of them together."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from skmetrics_ext.statistics.areas.operating_point import (
    OperatingPoint,
    Sizes,
    limits_of_replicates,
    replicates,
)
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.constants import FEW_HITS

# Replicates of each place, and how many places are drawn at a time.
N_REPLICATES = 1_999


class ClusteredScores(NamedTuple):
    """The clusters of both classes' samples at an operating point, by number."""

    of_given: NDArray[np.intp]
    of_others: NDArray[np.intp]


def pointwise_band(
    point: OperatingPoint,
    beyond: Array,
    values: Array,
    alpha: float,
    random: np.random.Generator,
    clusters: ClusteredScores | None = None,
) -> Limits:
    """Limits of the value (m,) with so many shares (m,) of the given class beyond the threshold."""
    sizes = None if clusters is None else _effective_sizes(point, beyond, clusters, alpha)
    lows, highs = np.empty_like(values), np.empty_like(values)
    for place, (share, value) in enumerate(zip(beyond, values, strict=True)):
        at = point._replace(beyond=float(share))
        drawn = replicates(at, N_REPLICATES, random, sizes)
        lows[place], highs[place] = limits_of_replicates(at, float(value), drawn, alpha)
    return Limits(lows, highs)


def _effective_sizes(
    point: OperatingPoint, beyond: Array, clusters: ClusteredScores, alpha: float
) -> Sizes:
    """How many independent samples of each class vary as much as the clustered ones, by the largest
    design effect along the curve.
    """
    given = np.sort(point.given)[::-1]
    places = np.minimum((beyond * len(given)).astype(np.int64), len(given) - 1)
    thresholds = given[places]
    is_given = np.repeat([1.0, 0.0], [len(point.given), len(point.others)])
    return Sizes(
        _effective_size(point.given, clusters.of_given, thresholds, alpha),
        _effective_size(point.others, clusters.of_others, thresholds, alpha),
        _effective_size(is_given, np.concatenate([*clusters]), np.array([0.5]), alpha),
    )


def _effective_size(
    scores: Array, clusters: NDArray[np.intp], thresholds: Array, alpha: float
) -> float:
    """n over the largest design effect of the share above a threshold, with Student's quantile."""
    _, clusters = np.unique(clusters, return_inverse=True)
    sizes = np.bincount(clusters)
    n, n_clusters = len(scores), len(sizes)
    effects = [1.0]
    for threshold in np.unique(thresholds):
        is_above = scores > threshold
        share = is_above.mean()
        if min(share, 1 - share) * n >= FEW_HITS:
            residuals = np.bincount(clusters, is_above) - share * sizes
            between = (residuals**2).sum() * n_clusters / max(n_clusters - 1, 1)
            effects.append(between / (n * share * (1 - share)))
    if len(effects) == 1:
        # As if clusters were each one sample.
        effects.append(float((sizes**2).sum() / n))
    of_few = stats.t.isf(alpha / 2, max(n_clusters - 1, 1)) / stats.norm.isf(alpha / 2)
    return float(max(n / (max(effects) * of_few**2), 1.0))


def simultaneous_roc_band(
    fpr: Array, tpr: Array, at: Array, n_negative: int, n_positive: int, alpha: float
) -> Limits:
    """Limits of the tpr at these fpr for the whole curve together, by Kolmogorov's quantile of both
    distribution functions, each at level sqrt(1 - alpha): Campbell (1994).
    """
    level = math.sqrt(1 - alpha)
    of_negative, of_positive = (stats.kstwo.ppf(level, n) for n in (n_negative, n_positive))
    left = np.searchsorted(fpr, at - of_negative, side="right") - 1
    right = np.searchsorted(fpr, at + of_negative, side="right") - 1
    low = np.where(left >= 0, tpr[np.maximum(left, 0)], 0) - of_positive
    high = tpr[right] + of_positive
    return Limits(np.clip(low, 0, 1), np.clip(high, 0, 1))
