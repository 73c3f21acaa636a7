"""Costs per sample and net benefit of acting at a threshold."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.ranking import Samples, counts_at, sums_of_either
from skmetrics_ext.curves.inputs import CurveLabels, Entries, read_thresholds
from skmetrics_ext.formulas import one_class
from skmetrics_ext.reading.aliases import Ties
from skmetrics_ext.reading.numbers import check_costs_of, costs_in_order
from skmetrics_ext.reading.order import position_of


def mean_of_own_costs(
    samples: Samples,
    entries: Entries,
    costs: NDArray[Any],
    labels: CurveLabels,
    thresholds: NDArray[Any],
    ties: Ties,
) -> NDArray[np.float64]:
    """The mean over the samples of costs of shape (n_samples, 2, 2)."""
    if entries not in ("samples", "frequencies"):
        raise ValueError(
            "this curve has counts per score, not samples with own costs: make it with "
            "ThresholdCurve.from_scores."
        )
    scores, positive, weights, _ = samples
    check_costs_of(costs, len(scores))
    order, pos_label, is_ranked = labels
    costs = costs_in_order(costs, order, order if is_ranked else None)
    place = position_of(order, pos_label) or 0
    own = np.where(positive[:, None], costs[:, place], costs[:, 1 - place])
    weights = np.ones(len(scores)) if weights is None else weights
    sums = sums_of_either(
        weights * own[:, place], weights * own[:, 1 - place], scores, thresholds, ties
    )
    return np.asarray(sums / weights.sum())


def net_benefit_of_samples(samples: Samples, thresholds: Any, ties: Ties) -> NDArray[np.float64]:
    """tp / n - fp / n * t / (1 - t) at each t; at 1 a false positive outweighs everything."""
    low, high = samples.scores.min(), samples.scores.max()
    if not 0 <= low <= high <= 1:
        raise ValueError(
            f"net benefit needs probabilities, but the scores range from {low:.3g} to {high:.3g}: "
            "pass the output of predict_proba, or calibrate the model "
            "(sklearn.calibration.CalibratedClassifierCV)."
        )
    chosen = read_thresholds(thresholds, samples)
    if not ((chosen >= 0) & (chosen <= 1)).all():
        raise ValueError(
            f"thresholds must be probabilities; they range from {chosen.min():.3g} to "
            f"{chosen.max():.3g}."
        )
    counts = counts_at(samples, chosen, ties)
    probabilities: Any = chosen.astype(np.float64)
    weighed = ratio(*one_class.net_benefit(counts, threshold_probability=probabilities))
    # Without false positives their infinite weight does not matter.
    return np.where(counts.fp == 0, ratio(*one_class.detection_rate(counts)), weighed)
