"""Limits of differences and ratios by percentiles of replicates of independent groups."""

import numpy as np

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.values.bootstrap import percentiles


def lowest_by_bootstrap(kind: str, replicates: Array, alphas: Array) -> Array:
    """The lower limits (..., n_groups, n_groups) of each group's value minus each other's, or
    divided by it, from replicates (n, ..., n_groups) of the values.
    """
    compare = ratio if kind == "ratio" else np.subtract
    n_groups = replicates.shape[-1]
    lowest = np.empty((*alphas.shape, n_groups, n_groups))
    for place in range(n_groups):
        of_pairs = compare(replicates[..., [place]], replicates)
        lowest[..., place, :] = percentiles(of_pairs, alphas[..., None]).low
    return lowest
