"""Random parameters of the metrics, and what floats can give of each metric."""

import math
from random import Random
from typing import Any

from tests.fuzz.compare import ABSOLUTE, CANCELLED

ZERO_DIVISIONS = ["warn", 0, 1, math.nan]
AVERAGES = [None, "macro", "micro", "weighted"]

# Ratios of sums of counts: right to the last digits whatever the weights are, since nothing is subtracted.
RATES = {
    *("precision", "recall", "specificity", "negative_predictive_value", "false_positive_rate", "false_negative_rate"),
    *("false_discovery_rate", "false_omission_rate", "prevalence", "predicted_positive_rate", "detection_rate"),
    *("one_vs_rest_accuracy", "f1", "fbeta", "jaccard", "tversky", "accuracy", "no_information_rate"),
}
# Quotients without bound, which weights of extreme range take beyond the floats.
UNBOUNDED = {
    *("lift", "positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio", "relative_risk"),
    *("d_prime", "frequency_bias", "net_benefit", "conditional_kappa"),
}
# Where almost all the weight is on one class, the distance to chance is below the rounding of 1, or a rate below
# the least float.
OF_CHANCE = {
    *("matthews_corrcoef", "cohen_kappa", "scott_pi", "krippendorff_alpha", "peirce_skill", "cramers_v", "gerrity"),
    *("phi_coefficient", "gilbert_skill", "yule_q", "p4", "uncertainty_coefficient", "normalized_mutual_information"),
    *("extremal_dependence_index", "symmetric_extremal_dependence_index", "gwet_ac1", "prevalence_threshold"),
}
EXTREME = {"tiny", "extreme"}
# Extreme weights where small counts are differences of large ones.
LOSSY = "lossy"


def draw_parameters(random: Random, name: str) -> dict[str, Any]:
    """The parameters of a metric of one class, in their ranges."""
    return {
        "fbeta": lambda: {"beta": random.choice([0.5, 1, 2, 1 / 3, 10, 0, math.inf])},
        "tversky": lambda: {"alpha": random.choice([0, 0.3, 1]), "beta": random.choice([0, 0.7, 2])},
        "index_balanced_accuracy": lambda: {"alpha": random.choice([0, 0.1, 0.5, 1])},
        "net_benefit": lambda: {"threshold_probability": random.choice([0.01, 0.2, 0.5, 0.9])},
        "geometric_mean": lambda: {"correction": random.choice([0, 0.001])},
        "cohen_kappa": lambda: {"weights": random.choice([None, "linear", "quadratic"])},
        "balanced_accuracy": lambda: {"adjusted": random.choice([False, True])},
    }.get(name, dict)()


def draw_costs(random: Random, size: int) -> list[list[float]]:
    """Costs of every pair of classes, also negative ones."""
    return [[random.choice([0, 0, 1, 2.5, 20, -1, 0.1]) for _ in range(size)] for _ in range(size)]


def tolerance(name: str, weights: str) -> float | None:
    """The absolute error that a metric may have with a kind of weights; None where only its range is certain."""
    if weights == LOSSY:
        return None
    if weights not in EXTREME:
        return ABSOLUTE if weights in ("none", "integers", "bytes") else CANCELLED
    if name in RATES:
        return 0.0
    return None if name in UNBOUNDED | OF_CHANCE else CANCELLED
