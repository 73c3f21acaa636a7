"""The mean cost at every threshold, where each sample has costs of its own."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.rule import Ties
from skmetrics_ext.counting.ranking import Samples, sums_of_either
from skmetrics_ext.reading.names import named_table
from skmetrics_ext.reading.numbers import read_numbers


def read_own_costs(cost_matrix: Any, n_samples: int) -> NDArray[np.float64] | None:
    """Finite costs (n_samples, 2, 2); None of costs that are the same for all samples."""
    if named_table(cost_matrix, "cost_matrix") is not None:
        return None
    costs = read_numbers(cost_matrix, "cost_matrix").astype(np.float64)
    if costs.shape == (2, 2):
        return None
    if costs.shape != (n_samples, 2, 2):
        raise ValueError(
            f"cost_matrix must have shape (2, 2), rows actual and columns predicted in the order of labels, or "
            f"({n_samples}, 2, 2) for the costs of each sample; it has shape {costs.shape}."
        )
    return costs


def mean_of_own_costs(
    samples: Samples, costs: NDArray[np.float64], thresholds: NDArray[Any], ties: Ties
) -> NDArray[np.float64]:
    """The mean over the samples of costs (n_samples, 2, 2), the positive class being the second of both axes."""
    scores, positive, weights = samples
    own = np.where(positive[:, None], costs[:, 1], costs[:, 0])
    weights = np.ones(len(scores)) if weights is None else weights
    as_negative, as_positive = weights * own.T
    costs = sums_of_either(as_positive, as_negative, scores, thresholds, ties)
    return np.asarray(costs / weights.sum())
