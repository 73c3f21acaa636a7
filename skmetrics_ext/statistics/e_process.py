"""The e-process of a share at least its bound in every month, against a fall in any of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.statistics.proportions import Array

# The beta distribution of shares after a fall is worth so many samples; its mean is the bound.
WEIGHT = 20


def e_process(
    hits: NDArray[Any], misses: NDArray[Any], bound: float, horizon: int
) -> tuple[Array, NDArray[np.intp]]:
    """The e-process of hits and misses of each month, and the month since which they speak most for
    a fall, as known at the end of each month (n_months, ...).

    It is the mean of `horizon` likelihood ratios of a mixture of shares below the bound, one
    started in each month: in expectation at most 1 before, so that it ever reaches 1 / alpha with a
    probability of at most alpha (Ville 1939).
    """
    before = [np.concatenate([0 * part[:1], part.cumsum(0)]) for part in (hits, misses)]
    values, starts = np.empty(hits.shape), np.empty(hits.shape, dtype=np.intp)
    for month in range(len(hits)):
        right, wrong = (total[month + 1] - total[: month + 1][:horizon] for total in before)
        logs = _log_integral(bound, right, wrong) - _log_integral(bound, 0, 0)
        logs -= right * np.log(bound) + wrong * np.log1p(-bound)
        with np.errstate(over="ignore"):
            values[month] = (np.exp(logs).sum(0) + horizon - len(logs)) / horizon
        # The last of equal ones: empty months before it say nothing.
        starts[month] = len(logs) - 1 - logs[::-1].argmax(0)
    return values, starts


def _log_integral(bound: float, hits: Any, misses: Any) -> Any:
    """The log likelihood of shares below the bound, integrated with the beta weights."""
    a, b = WEIGHT * bound + hits, WEIGHT * (1 - bound) + misses
    with np.errstate(divide="ignore"):
        return special.betaln(a, b) + np.log(special.betainc(a, b, bound))
