"""The delta method: the difference of two models plus and minus standard errors, that of logarithms
for ratios (Alonzo, Pepe & Moskowitz 2002; Moskowitz & Pepe 2006; Gu & Pepe 2009).
"""

from collections.abc import Callable

import numpy as np
from scipy import special

from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.clusters import quantile_of_units
from skmetrics_ext.statistics.pairs.pair import Pair, difference_and_variance
from skmetrics_ext.statistics.values.delta import ValueOfMatrix


def limits_by_slopes(
    pair: Pair, value: ValueOfMatrix, n_units: float, kind: str = "difference"
) -> Callable[[float], Limits]:
    """Its limits, of clusters by Student's t with their effective number; of ratios with a value of
    0 they are 0 and infinity.
    """
    difference, variance = difference_and_variance(pair, value, kind)
    error = np.sqrt(variance)

    def limits_at(alpha: float) -> Limits:
        quantile = (
            quantile_of_units(n_units, alpha) if pair.clustered else -special.ndtri(alpha / 2)
        )
        half = error * quantile
        if kind == "difference":
            return Limits(difference - half, difference + half)
        if not np.isfinite(difference + half):
            return Limits(np.array(0.0), np.array(np.inf))
        with np.errstate(over="ignore", under="ignore"):
            return Limits(np.exp(difference - half), np.exp(difference + half))

    return limits_at
