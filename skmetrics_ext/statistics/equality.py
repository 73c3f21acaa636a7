"""Limits and the p-value of a test -> limits that include equality exactly where it is not
rejected.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.statistics.proportions import Limits


def agreeing(limits: Limits, value: Any, p_value: Any, alpha: Any, equality: float = 0.0) -> Limits:
    """Limits that reach to equality where it is not rejected at level alpha, and stop short of it,
    on the side of the value, where it is.

    The test alone decides about equality, the limits say by how much: both stay valid, and nested
    in the level. Limits or p-values that are NaN stay as they are.
    """
    low, high = limits
    is_kept, is_rejected = np.greater_equal(p_value, alpha), np.less(p_value, alpha)
    low = np.where(is_kept, np.minimum(low, equality), low)
    high = np.where(is_kept, np.maximum(high, equality), high)
    is_above = is_rejected & np.greater(value, equality) & (low <= equality)
    is_below = is_rejected & np.less(value, equality) & (high >= equality)
    return Limits(
        np.where(is_above, np.nextafter(equality, np.inf), low),
        np.where(is_below, np.nextafter(equality, -np.inf), high),
    )


def reaching_or_beyond(limits: Limits, margin: float, is_above: bool, is_below: bool) -> Limits:
    """Limits that stop short of minus the margin where the value is shown to be above it, and of
    the margin where it is shown to be below; else they reach there.
    """
    low, high = limits
    least = np.nextafter(-margin, np.inf)
    return Limits(
        np.maximum(low, least) if is_above else np.minimum(low, -margin),
        np.minimum(high, -least) if is_below else np.maximum(high, margin),
    )


def excludes_equality(limits: Limits, equality: float) -> NDArray[np.bool_]:
    """Whether equality is outside of the limits; unknown ones exclude nothing."""
    return np.asarray((limits.low > equality) | (limits.high < equality))
