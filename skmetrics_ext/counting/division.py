"""The one division."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def ratio(numerator: Any, denominator: Any) -> NDArray[Any]:
    """0/0 is NaN, x/0 is infinite, in silence."""
    with np.errstate(all="ignore"):
        return np.asarray(np.true_divide(numerator, denominator))


def squared(array: Any) -> Any:
    """Squares, of which those too small for floats are 0, in silence."""
    with np.errstate(under="ignore"):
        return array**2


def mean_weight(sums: NDArray[Any], numbers: NDArray[Any]) -> NDArray[Any]:
    """That of the samples in each matrix (..., n_rows, n_columns); 1 where there are none."""
    totals, n_samples = sums.sum((-2, -1)), numbers.sum((-2, -1))
    return np.where(n_samples > 0, ratio(totals, n_samples), 1)
