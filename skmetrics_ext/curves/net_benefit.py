"""Net benefit at threshold probabilities: what acting on a model gains, in true positives a sample."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.rule import Ties
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.ranking import Samples, counts_at
from skmetrics_ext.curves.inputs import read_thresholds
from skmetrics_ext.formulas import one_class


def net_benefit_of_samples(samples: Samples, thresholds: Any, ties: Ties) -> NDArray[np.float64]:
    """Net benefit at each threshold probability."""
    low, high = samples.scores.min(), samples.scores.max()
    if not 0 <= low <= high <= 1:
        raise ValueError(
            f"net benefit is of probabilities, and the scores go from {low:.3g} to {high:.3g}: pass those of "
            "predict_proba, or calibrate the model (sklearn.calibration.CalibratedClassifierCV)."
        )
    chosen = read_thresholds(thresholds, samples)
    if not ((chosen >= 0) & (chosen <= 1)).all():
        raise ValueError(
            f"thresholds must be probabilities from 0 to 1; they go from {chosen.min():.3g} to {chosen.max():.3g}."
        )
    return net_benefit_at(counts_at(samples, chosen, ties), chosen.astype(np.float64))


def net_benefit_at(counts: ClassCounts, thresholds: Any) -> NDArray[np.float64]:
    """tp / n - fp / n * t / (1 - t) at each threshold t; at 1 a false positive outweighs everything."""
    weighed = ratio(*one_class.net_benefit(counts, threshold_probability=thresholds))
    # Without false positives their weight, infinite at 1, does not matter.
    return np.where(counts.fp == 0, ratio(*one_class.detection_rate(counts)), weighed)
