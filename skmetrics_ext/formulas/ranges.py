"""The lowest and the highest value of a metric, by its parameters and by what is given."""

# Nothing here is estimated: values of any counts with these parameters and facts lie between both
# ends. Of averages of classes the ends are those of a class.

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.division import ratio

# -p log2 p is largest at p = 1 / e; of two classes each has two such parts.
MOST_CONFUSED_OF_TWO = 2 / (np.e * np.log(2))


class Given(NamedTuple):
    """What is known of counts before they are made; None for what is not."""

    n_classes: int | None = None
    # Which classes (..., n_classes) have samples.
    is_actual: NDArray[np.bool_] | None = None
    # The shares (..., n_classes) of the actual classes.
    shares: NDArray[Any] | None = None


NOTHING = Given()
Ends = tuple[Any, Any]


# Of most metrics, whatever their parameters.


def of_any(_: Given, **_parameters: Any) -> Ends:
    return -np.inf, np.inf


def of_proportion(_: Given, **_parameters: Any) -> Ends:
    return 0.0, 1.0


def of_correlation(_: Given, **_parameters: Any) -> Ends:
    return -1.0, 1.0


def of_odds(_: Given, **_parameters: Any) -> Ends:
    return 0.0, np.inf


# Of one class, whose share may be given.


def of_prevalence(given: Given) -> Ends:
    return (0.0, 1.0) if given.shares is None else (given.shares, given.shares)


def of_detection_rate(given: Given) -> Ends:
    return 0.0, 1.0 if given.shares is None else given.shares


def of_multiple_of_prevalence(given: Given) -> Ends:
    return 0.0, np.inf if given.shares is None else ratio(1, given.shares)


def of_conditional_kappa(given: Given) -> Ends:
    if given.shares is None:
        return -np.inf, 1.0
    return -ratio(given.shares, 1 - given.shares), 1.0


def of_gilbert_skill(given: Given) -> Ends:
    # The lowest value is that of a prediction which is always wrong.
    by_chance = 0.25 if given.shares is None else given.shares * (1 - given.shares)
    return -ratio(by_chance, 1 - by_chance), 1.0


def of_net_benefit(given: Given, *, threshold_probability: float) -> Ends:
    odds_of_threshold = threshold_probability / (1 - threshold_probability)
    if given.shares is None:
        return -odds_of_threshold, 1.0
    return -(1 - given.shares) * odds_of_threshold, given.shares


def of_index_balanced_accuracy(_: Given, *, alpha: float = 0.1) -> Ends:
    if alpha <= 1:
        return 0.0, 1.0
    # One rate is 1, the other where the derivative is 0.
    return -((alpha - 1) ** 2) / (4 * alpha), (alpha + 1) ** 2 / (4 * alpha)


# Of all classes.


def of_balanced_accuracy(given: Given, *, adjusted: bool = False) -> Ends:
    if not adjusted:
        return 0.0, 1.0
    if given.is_actual is None:
        return -1.0, 1.0
    n_averaged = given.is_actual.sum(-1)
    return -ratio(1, np.maximum(n_averaged - 1, 1)), 1.0


def of_agreement_beyond_equal_chance(given: Given) -> Ends:
    # Of nothing right; chance is at most that of equally frequent classes.
    fewest = max(given.n_classes or 2, 2)
    return -1 / (fewest - 1), 1.0


def of_geometric_mean(_: Given, *, correction: float = 0.0) -> Ends:
    return 0.0, max(1.0, correction)


def of_no_information_rate(given: Given) -> Ends:
    if given.shares is not None:
        return given.shares.max(-1), given.shares.max(-1)
    return 0.0 if given.n_classes is None else 1 / given.n_classes, 1.0


def of_quantity_disagreement(given: Given) -> Ends:
    # All are predicted as the rarest class.
    return 0.0, 1.0 if given.shares is None else 1 - given.shares.min(-1)


def of_allocation_disagreement(given: Given) -> Ends:
    if given.shares is None:
        return 0.0, 1.0
    # Samples are exchanged with those outside of the most frequent class.
    return 0.0, np.minimum(2 * (1 - given.shares.max(-1)), 1)


def of_cohen_kappa(_: Given, *, weights: Any = None, **_of_order: Any) -> Ends:
    if weights is None or isinstance(weights, str):
        return -1.0, 1.0
    if weights.shape != (2, 2):
        return -np.inf, 1.0
    # All are wrong, in proportions that make most of it.
    of_either = np.array([weights[0, 1], weights[1, 0]], dtype=float)
    return -ratio(of_either.mean(), np.sqrt(of_either.prod())), 1.0


def of_mutual_information(given: Given) -> Ends:
    if given.shares is not None:
        return 0.0, special.entr(given.shares).sum(-1)
    return 0.0, np.inf if given.n_classes is None else np.log(given.n_classes)


def of_confusion_entropy(given: Given) -> Ends:
    return 0.0, MOST_CONFUSED_OF_TWO if (given.n_classes or 2) == 2 else 1.0


def of_expected_cost(given: Given, *, cost_matrix: NDArray[Any]) -> Ends:
    if given.shares is None:
        return cost_matrix.min(), cost_matrix.max()
    return given.shares @ cost_matrix.min(-1), given.shares @ cost_matrix.max(-1)


def of_macro_averaged_mean_absolute_error(
    given: Given, *, label_distances: NDArray[np.float64]
) -> Ends:
    farthest = label_distances.max(-1)
    if given.is_actual is None:
        return 0.0, farthest.max()
    return 0.0, ratio(given.is_actual @ farthest, given.is_actual.sum(-1))
