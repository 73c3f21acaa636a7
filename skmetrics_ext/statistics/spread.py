"""Means and standard deviations of what is defined, over folds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import averaged


def mean_and_spread(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Mean and standard deviation (ddof=0) over the first axis, without NaN."""
    folds_last = np.moveaxis(values, 0, -1)
    mean = averaged(folds_last, "macro", better="neither")
    return mean, np.sqrt(averaged((folds_last - mean[..., None]) ** 2, "macro", better="neither"))
