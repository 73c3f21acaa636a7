"""The one division."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def ratio(numerator: Any, denominator: Any) -> NDArray[Any]:
    """0/0 is NaN, x/0 is infinite, in silence."""
    with np.errstate(all="ignore"):
        return np.asarray(np.true_divide(numerator, denominator))
