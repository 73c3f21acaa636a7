"""Control limits: the range expected for each value of a series after those before it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.statistics.proportions import Limits, mover


def control_limits(value: NDArray[Any], limits: Limits, n: NDArray[Any], ends: Limits) -> Limits:
    """The range expected for each value if its true value is the mean of all earlier ones, weighted
    by samples, by MOVER of their difference, within the ends of a metric's values; else nan.
    """
    expected = Limits(*np.full((2, len(value)), np.nan))
    (known,) = np.nonzero(np.isfinite(value + limits.low + limits.high) & (n > 0))
    if len(known) < 2:
        return expected
    value, n = value[known], n[known]
    below = np.maximum(value - limits.low[known], 0)
    above = np.maximum(limits.high[known] - value, 0)
    n_before = np.cumsum(n)[:-1]
    mean = np.cumsum(n * value)[:-1] / n_before
    mean_below = np.sqrt(np.cumsum((n * below) ** 2)[:-1]) / n_before
    mean_above = np.sqrt(np.cumsum((n * above) ** 2)[:-1]) / n_before
    last = value[1:]
    difference = mover(
        (last, -mean),
        (
            Limits(last - below[1:], last + above[1:]),
            Limits(-mean - mean_above, -mean + mean_below),
        ),
    )
    expected.low[known[1:]] = np.maximum(last - difference.high, ends.low)
    expected.high[known[1:]] = np.minimum(last - difference.low, ends.high)
    return expected
