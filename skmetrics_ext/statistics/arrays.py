"""What methods take and return: arrays of numbers, and the two limits of each value."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Limits(NamedTuple):
    """A lower and an upper limit of each value."""

    low: Array
    high: Array


def wider(one: Limits, other: Limits) -> Limits:
    """The outer limits of two intervals."""
    return Limits(np.minimum(one.low, other.low), np.maximum(one.high, other.high))
