"""The mean cost at every threshold, where each sample has costs of its own."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.rule import Ties
from skmetrics_ext.counting.ranking import Samples, sums_of_either
from skmetrics_ext.curves.from_data import Entries
from skmetrics_ext.curves.inputs import CurveLabels
from skmetrics_ext.reading.numbers import check_costs_of, costs_in_order
from skmetrics_ext.reading.order import position_of


def mean_of_own_costs(
    samples: Samples,
    entries: Entries,
    costs: NDArray[np.float64],
    labels: CurveLabels,
    thresholds: NDArray[Any],
    ties: Ties,
) -> NDArray[np.float64]:
    """The mean over the samples of costs (n_samples, 2, 2)."""
    if entries != "samples":
        raise ValueError(
            "this curve has counts of scores, and no samples with costs of their own: make it by threshold_curve."
        )
    scores, positive, weights = samples
    check_costs_of(costs, len(scores))
    order, pos_label, is_ranked = labels
    costs = costs_in_order(costs, order, order if is_ranked else None)
    place = position_of(order, pos_label) or 0
    own = np.where(positive[:, None], costs[:, place], costs[:, 1 - place])
    weights = np.ones(len(scores)) if weights is None else weights
    sums = sums_of_either(weights * own[:, place], weights * own[:, 1 - place], scores, thresholds, ties)
    return np.asarray(sums / weights.sum())
