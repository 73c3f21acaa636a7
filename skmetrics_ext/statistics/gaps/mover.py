"""MOVER: limits of the values of groups -> limits of how each compares with each other.

Of differences Zou & Donner (2008), of correlated groups Zou (2007), of ratios Donner & Zou (2012);
of two proportions with Wilson's limits these are Newcombe's (1998).
"""

import numpy as np

from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.gaps.groups import ValuesOfGroups
from skmetrics_ext.statistics.values.proportions import lowest_ratio


def lowest_by_mover(
    groups: ValuesOfGroups, kind: str, ends: Limits, correlation: Array | float = 0.0
) -> Array:
    """The lower limits (..., n_groups, n_groups) of each group's value minus each other's, or
    divided by it; NaN if a group's limits are unknown.
    """
    first, second = groups.values[..., :, None], groups.values[..., None, :]
    low, high = ends.low[..., :, None], ends.high[..., None, :]
    with np.errstate(all="ignore"):
        if kind == "ratio":
            lowest = lowest_ratio(first, second, low, high, correlation)
        else:
            of_first, of_second = first - low, high - second
            square = of_first**2 + of_second**2 - 2 * correlation * of_first * of_second
            lowest = first - second - np.sqrt(np.maximum(square, 0))
            # The difference of two infinite values is unknown.
            lowest = np.where(np.isnan(lowest), -np.inf, lowest)
    return np.where(np.isnan(low) | np.isnan(high), np.nan, lowest)
