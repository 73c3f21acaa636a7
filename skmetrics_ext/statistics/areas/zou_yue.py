"""Areas of two models on the same samples: DeLong's limits, and Zou and Yue's of few samples."""

import numpy as np
from scipy import special

from skmetrics_ext.statistics.areas.delong import Area, limits_of_roc_area, wider
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.compared import LimitsAndTest
from skmetrics_ext.statistics.inversion import p_value_of
from skmetrics_ext.statistics.methods import shown, shown_wider
from skmetrics_ext.statistics.pairs.mcnemar_and_tango import of_discordant
from skmetrics_ext.statistics.values.proportions import zou

# With more correlated areas, or fewer misranked, DeLong's test rejects up to a third of equal ones.
MOST_CORRELATED, LEAST_MISPLACED = 0.7, 2.0
# A smaller variance is due to rounding.
NO_SPREAD = 1e-24


def difference_of_areas(a: Area, b: Area, variance: float, n_deciding: float) -> LimitsAndTest:
    """What is known of two areas' difference, whose variance rests on `n_deciding` samples."""
    difference = a.value - b.value
    if variance <= NO_SPREAD:
        return _of_areas_without_spread(difference, max(round(a.rarer), 1))
    error, rarer = float(np.sqrt(variance)), min(a.rarer, b.rarer)
    correlation = _correlation(a.variance, b.variance, variance)
    # By Satterthwaite: a sum of so many squares has a relative variance of 1 / n_deciding.
    degrees = max(min(rarer - 1, 2 * n_deciding), 1)

    def by_delong(alpha: float) -> Limits:
        """Limits within the possible range of differences of areas."""
        half = -special.stdtrit(degrees, alpha / 2) * error
        return Limits(*np.clip([difference - half, difference + half], -1, 1))

    def by_areas(alpha: float) -> Limits:
        """Limits from those of both areas, within the possible range."""
        of_a, _ = limits_of_roc_area(a, alpha, "auto")
        of_b, _ = limits_of_roc_area(b, alpha, "auto")
        return Limits(*np.clip(zou((a.value, b.value), (of_a, of_b), correlation), -1, 1))

    def by_both(alpha: float) -> Limits:
        return wider(by_delong(alpha), by_areas(alpha))

    p_value = float(2 * special.stdtr(degrees, -abs(difference) / error))
    if not (a.is_of_few or b.is_of_few):
        return LimitsAndTest(by_delong, p_value, shown("delong-paired"))
    wider_limits = shown_wider("delong-paired", "zou")
    if correlation > MOST_CORRELATED or min(a.n_misplaced, b.n_misplaced) < LEAST_MISPLACED:
        # A few samples that one model places far off decide.
        p_value = p_value_of(by_both, difference)
        return LimitsAndTest(by_both, p_value, f"{wider_limits}, {shown('inverted')}")
    return LimitsAndTest(by_both, p_value, f"{shown('delong')}, {wider_limits}")


def _of_areas_without_spread(difference: float, n: int) -> LimitsAndTest:
    """What is known of areas that differ alike in all samples: as of n paired proportions."""
    n_more = round(abs(difference) * n)
    only_first, only_second = (n_more, 0) if difference > 0 else (0, n_more)
    return of_discordant(only_first, only_second, n, shown("tango"))


def _correlation(variance_a: float, variance_b: float, variance_of_difference: float) -> float:
    """The correlation of two values; 0 where either has no variance."""
    if min(variance_a, variance_b) <= NO_SPREAD:
        return 0.0
    product = variance_a * variance_b
    return float((variance_a + variance_b - variance_of_difference) / (2 * np.sqrt(product)))
