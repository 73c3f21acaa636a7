"""Random parameters of the metrics, and what floats can give of each metric."""

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from tests.fuzz.compare import ABSOLUTE, CANCELLED

ZERO_DIVISIONS = ["warn", 0, 1, math.nan]
AVERAGES = [None, "macro", "micro", "weighted"]

# Ratios of sums of counts: right to the last digits whatever the weights are, since nothing is
# subtracted.
RATES = {
    *(
        "precision",
        "recall",
        "specificity",
        "negative_predictive_value",
        "false_positive_rate",
        "false_negative_rate",
    ),
    *(
        "false_discovery_rate",
        "false_omission_rate",
        "prevalence",
        "predicted_positive_rate",
        "detection_rate",
    ),
    *(
        "one_vs_rest_accuracy",
        "f1",
        "fbeta",
        "jaccard",
        "tversky",
        "accuracy",
        "no_information_rate",
    ),
}
# Where almost all the weight is on one class, the distance to chance is below the rounding of 1.
OF_CHANCE = {
    *(
        "matthews_corrcoef",
        "cohen_kappa",
        "scott_pi",
        "krippendorff_alpha",
        "peirce_skill",
        "cramers_v",
        "gerrity",
    ),
    *("uncertainty_coefficient", "normalized_mutual_information", "gwet_ac1"),
}
# Rounding of a number below the least that has all digits.
SUBNORMAL = 1e-320
EXTREME = {"tiny", "extreme"}
# Extreme weights where small counts are differences of large ones.
LOSSY = "lossy"


def draw_parameters(random: Random, name: str) -> dict[str, Any]:
    """The parameters of a metric of one class, in their ranges."""
    return {
        "fbeta": lambda: {"beta": random.choice([0.5, 1, 2, 1 / 3, 10, 0, math.inf])},
        "tversky": lambda: {
            "alpha": random.choice([0, 0.3, 1]),
            "beta": random.choice([0, 0.7, 2]),
        },
        "index_balanced_accuracy": lambda: {"alpha": random.choice([0, 0.1, 0.5, 1])},
        "net_benefit": lambda: {"threshold_probability": random.choice([0.01, 0.2, 0.5, 0.9])},
        "geometric_mean": lambda: {"correction": random.choice([0, 0.001])},
        "cohen_kappa": lambda: {"weights": random.choice([None, "linear", "quadratic"])},
        "balanced_accuracy": lambda: {"adjusted": random.choice([False, True])},
    }.get(name, dict)()


def draw_costs(random: Random, size: int) -> list[list[float]]:
    """Costs of every pair of classes, also negative ones."""
    return [[random.choice([0, 0, 1, 2.5, 20, -1, 0.1]) for _ in range(size)] for _ in range(size)]


def costs_of(labels: Sequence[Any], costs: list[list[float]]) -> Any:
    """Costs as an argument: labels that are no numbers, whose order nobody names, have to be named
    there.
    """
    if not isinstance(labels[0], (str, bytes)):
        return costs
    pairs = ((i, j) for i in range(len(labels)) for j in range(len(labels)))
    return {(labels[i], labels[j]): costs[i][j] for i, j in pairs}


def tolerance(name: str, weights: str) -> float | None:
    """The absolute error that a metric may have with a kind of weights; None where only its range
    is certain.
    """
    if weights == LOSSY:
        return None
    if weights not in EXTREME:
        return ABSOLUTE if weights in ("none", "integers", "bytes") else CANCELLED
    if name in RATES:
        return SUBNORMAL
    return None if name in OF_CHANCE else CANCELLED
