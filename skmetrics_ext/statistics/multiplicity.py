"""Multiple comparisons: corrected p-values and confidence levels."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from skmetrics_ext.statistics.arrays import Array


def alpha_of_each(alpha: Any, n: Any) -> Any:
    """The alpha of each of so many limits or tests, at which all hold together: Bonferroni's."""
    return alpha / np.maximum(n, 1)


# The quantiles of Tukey's range take a millisecond, and most gaps are of few groups at one level.
@lru_cache(maxsize=256)
def alpha_of_group(alpha: float, n_groups: int, *, has_baseline: bool) -> float:
    """The alpha of each group with which all pairs are simultaneous at 1 - alpha: by Bonferroni
    with a baseline, else by Tukey's range, conservative for unequal standard errors (Hayter
    1984).
    """
    if has_baseline or n_groups == 2:
        return float(alpha_of_each(alpha, n_groups - 1))
    with np.errstate(under="ignore"):
        largest = stats.studentized_range.ppf(1 - alpha, n_groups, np.inf)
    return float(2 * special.ndtr(-largest / np.sqrt(2)))


def alpha_of_gap(alphas: Array, n_groups: NDArray[np.intp], *, has_baseline: bool) -> Array:
    """The alpha of the intervals of all pairs by that of each group: `alpha_of_group` reversed."""
    by_bonferroni = np.minimum(alphas * np.maximum(n_groups - 1, 1), 1)
    if has_baseline or (n_groups <= 2).all():
        return by_bonferroni
    errors = -special.ndtri(alphas / 2)
    with np.errstate(under="ignore"):
        by_tukey = stats.studentized_range.sf(
            errors * np.sqrt(2), np.where(n_groups > 2, n_groups, 3), np.inf
        )
    return np.where(n_groups > 2, by_tukey, by_bonferroni)


def holm(p_values: Array) -> Array:
    """p-values corrected by Holm (1979); NaN ones are ignored."""
    order = np.argsort(p_values, kind="stable")
    n = int((~np.isnan(p_values)).sum())
    factors = np.maximum(n - np.arange(len(p_values)), 1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(factors * p_values[order]), 1)
    return adjusted


def bonferroni(p_values: Array) -> Array:
    """p-values times their number; NaN ones are ignored."""
    return np.asarray(np.minimum(p_values * (~np.isnan(p_values)).sum(), 1))


CORRECTIONS: dict[str | None, Callable[[Array], Array]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    None: np.asarray,
}
