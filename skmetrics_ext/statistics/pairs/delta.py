"""The delta method: the difference of two models plus and minus standard errors."""

from collections.abc import Callable

import numpy as np
from scipy import special

from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.clusters import quantile_of_units
from skmetrics_ext.statistics.pairs.pair import Pair, difference_and_variance
from skmetrics_ext.statistics.values.delta import ValueOfMatrix


def limits_by_slopes(pair: Pair, value: ValueOfMatrix, n_units: float) -> Callable[[float], Limits]:
    """Its limits, of clusters by Student's t with their effective number."""
    difference, variance = difference_and_variance(pair, value)
    error = np.sqrt(variance)

    def limits_at(alpha: float) -> Limits:
        quantile = (
            quantile_of_units(n_units, alpha) if pair.clustered else -special.ndtri(alpha / 2)
        )
        half = error * quantile
        return Limits(difference - half, difference + half)

    return limits_at
