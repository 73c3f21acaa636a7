"""Limits of differences of smooth values by the delta method, and of ratios on the logarithm."""

import numpy as np
from scipy import special

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.gaps.groups import ValuesOfGroups


def lowest_by_delta(groups: ValuesOfGroups, kind: str, errors: Array, alphas: Array) -> Array:
    """The lower limits (..., n_groups, n_groups) of each group's value minus each other's, or
    divided by it (of proportions Katz et al. 1978; 0 if one is 0), from their standard errors.
    """
    if kind == "ratio":
        errors = ratio(errors, groups.values)
    reach = -special.ndtri(alphas / 2)[..., None, None]
    reach = reach * np.hypot(errors[..., :, None], errors[..., None, :])
    first, second = groups.values[..., :, None], groups.values[..., None, :]
    with np.errstate(all="ignore"):
        if kind == "ratio":
            return np.asarray(np.nan_to_num(ratio(first, second) * np.exp(-reach)))
        return np.asarray(first - second - reach)
