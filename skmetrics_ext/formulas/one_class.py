"""Class counts -> (numerator, denominator), or a value where there is no one quotient; pure, one function a metric."""

# Every formula takes one-vs-rest counts of shape (..., n_classes), as floats, and gives
# as many values. Undefined is 0/0. Counts may lie 600 orders of magnitude apart, so that
# rates are multiplied, whose products stay in their range, and not counts.

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio

Value = NDArray[Any]
Quotient = tuple[Any, Any]


# Rates: one count over the margin that it is a part of.


def precision(counts: ClassCounts) -> Quotient:
    return counts.tp, counts.tp + counts.fp


def recall(counts: ClassCounts) -> Quotient:
    return counts.tp, counts.tp + counts.fn


def specificity(counts: ClassCounts) -> Quotient:
    return counts.tn, counts.tn + counts.fp


def negative_predictive_value(counts: ClassCounts) -> Quotient:
    return counts.tn, counts.tn + counts.fn


def false_positive_rate(counts: ClassCounts) -> Quotient:
    return counts.fp, counts.fp + counts.tn


def false_negative_rate(counts: ClassCounts) -> Quotient:
    return counts.fn, counts.fn + counts.tp


def false_discovery_rate(counts: ClassCounts) -> Quotient:
    return counts.fp, counts.fp + counts.tp


def false_omission_rate(counts: ClassCounts) -> Quotient:
    return counts.fn, counts.fn + counts.tn


def one_vs_rest_accuracy(counts: ClassCounts) -> Quotient:
    return counts.tp + counts.tn, _total(counts)


def one_vs_rest_error(counts: ClassCounts) -> Quotient:
    return counts.fp + counts.fn, _total(counts)


def prevalence(counts: ClassCounts) -> Quotient:
    return counts.tp + counts.fn, _total(counts)


def predicted_positive_rate(counts: ClassCounts) -> Quotient:
    return counts.tp + counts.fp, _total(counts)


def detection_rate(counts: ClassCounts) -> Quotient:
    return counts.tp, _total(counts)


# Overlap of the predicted with the actual positives.


def f1(counts: ClassCounts) -> Quotient:
    return 2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn


def check_fbeta(*, beta: Any) -> None:
    if np.asarray(beta).dtype.kind not in "biuf" or not beta >= 0:
        raise ValueError(f"beta must be a number >= 0 (recall counts beta times as much as precision); got {beta!r}.")


def fbeta(counts: ClassCounts, *, beta: float) -> Quotient:
    if np.isinf(beta):
        return recall(counts)
    # The smaller of the two weights of precision and recall is below 1, so that neither overflows.
    of_recall, of_precision = (beta**2, 1.0) if beta <= 1 else (1.0, (1 / beta) ** 2)
    weighted_tp = (of_recall + of_precision) * counts.tp
    return weighted_tp, weighted_tp + of_recall * counts.fn + of_precision * counts.fp


def jaccard(counts: ClassCounts) -> Quotient:
    return counts.tp, counts.tp + counts.fp + counts.fn


def check_tversky(*, alpha: Any = 0.5, beta: Any = 0.5) -> None:
    for name, weight in (("alpha", alpha), ("beta", beta)):
        if not 0 <= weight < np.inf:
            raise ValueError(f"{name} must be a finite number >= 0; got {weight!r}.")


def tversky(counts: ClassCounts, *, alpha: float = 0.5, beta: float = 0.5) -> Quotient:
    return counts.tp, counts.tp + alpha * counts.fp + beta * counts.fn


def overlap_coefficient(counts: ClassCounts) -> Quotient:
    return counts.tp, counts.tp + np.minimum(counts.fp, counts.fn)


def fowlkes_mallows_index(counts: ClassCounts) -> Value:
    return np.asarray(np.sqrt(ratio(*precision(counts)) * ratio(*recall(counts))))


def p4(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    both = ratio(tp, tp + tn) * tn
    return 4 * both, 4 * both + fp + fn


def lift(counts: ClassCounts) -> Quotient:
    return ratio(*precision(counts)), ratio(*prevalence(counts))


# Balance of the two rates of a class.


def informedness(counts: ClassCounts) -> Value:
    # recall + specificity - 1, with nothing near 1 to cancel.
    hits, alarms = ratio(*recall(counts)), ratio(*false_positive_rate(counts))
    misses, spared = ratio(*false_negative_rate(counts)), ratio(*specificity(counts))
    return np.asarray(hits * spared - misses * alarms)


def g_mean(counts: ClassCounts) -> Value:
    return np.asarray(np.sqrt(ratio(*recall(counts)) * ratio(*specificity(counts))))


def markedness(counts: ClassCounts) -> Value:
    positives, negatives = ratio(*precision(counts)), ratio(*negative_predictive_value(counts))
    false_positives, false_negatives = ratio(*false_discovery_rate(counts)), ratio(*false_omission_rate(counts))
    return np.asarray(positives * negatives - false_positives * false_negatives)


def one_vs_rest_balanced_accuracy(counts: ClassCounts) -> Value:
    return np.asarray((ratio(*recall(counts)) + ratio(*specificity(counts))) / 2)


def phi_coefficient(counts: ClassCounts) -> Value:
    # The geometric mean of the two, which have one sign.
    actual, predicted = informedness(counts), markedness(counts)
    return np.asarray(np.sign(actual) * np.sqrt(np.abs(actual * predicted)))


def check_index_balanced_accuracy(*, alpha: Any) -> None:
    if not 0 <= alpha < np.inf:
        raise ValueError(f"alpha must be a finite number >= 0; got {alpha!r}.")


def index_balanced_accuracy(counts: ClassCounts, *, alpha: float = 0.1) -> Value:
    sensitivity, spared = ratio(*recall(counts)), ratio(*specificity(counts))
    return np.asarray((1 + alpha * (sensitivity - spared)) * sensitivity * spared)


def optimized_precision(counts: ClassCounts) -> Value:
    sensitivity, spared = ratio(*recall(counts)), ratio(*specificity(counts))
    correct = ratio(*one_vs_rest_accuracy(counts))
    return np.asarray(correct - ratio(np.abs(spared - sensitivity), spared + sensitivity))


def conditional_kappa(counts: ClassCounts) -> Quotient:
    _, fp, fn, tn = counts
    return ratio(*precision(counts)) * tn - ratio(*false_discovery_rate(counts)) * fn, tn + fp


# Odds: how much a prediction changes the chances, and what is derived from the pair (recall, false positive rate).


def positive_likelihood_ratio(counts: ClassCounts) -> Quotient:
    return ratio(*recall(counts)), ratio(*false_positive_rate(counts))


def negative_likelihood_ratio(counts: ClassCounts) -> Quotient:
    return ratio(*false_negative_rate(counts)), ratio(*specificity(counts))


def diagnostic_odds_ratio(counts: ClassCounts) -> Value:
    with np.errstate(over="ignore", invalid="ignore"):
        # An infinite times a zero odds is 0/0.
        return np.asarray(ratio(counts.tp, counts.fn) * ratio(counts.tn, counts.fp))


def yule_q(counts: ClassCounts) -> Quotient:
    hits, alarms = ratio(*recall(counts)), ratio(*false_positive_rate(counts))
    misses, spared = ratio(*false_negative_rate(counts)), ratio(*specificity(counts))
    return hits * spared - misses * alarms, hits * spared + misses * alarms


def relative_risk(counts: ClassCounts) -> Quotient:
    return ratio(*precision(counts)), ratio(*false_omission_rate(counts))


def d_prime(counts: ClassCounts) -> Value:
    hits, alarms = ratio(*recall(counts)), ratio(*false_positive_rate(counts))
    with np.errstate(invalid="ignore"):
        return np.asarray(special.ndtri(hits) - special.ndtri(alarms))


# Verification of forecasts.


def frequency_bias(counts: ClassCounts) -> Quotient:
    return counts.tp + counts.fp, counts.tp + counts.fn


def gilbert_skill(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    total = _total(counts)
    # tp - a of the formula.
    beyond_chance = tp * ratio(tn, total) - fp * ratio(fn, total)
    return beyond_chance, beyond_chance + fp + fn


def extremal_dependence_index(counts: ClassCounts) -> Value:
    hits, alarms = ratio(*recall(counts)), ratio(*false_positive_rate(counts))
    return _contrast_of_logarithms([alarms], [hits])


def symmetric_extremal_dependence_index(counts: ClassCounts) -> Value:
    hits, alarms = ratio(*recall(counts)), ratio(*false_positive_rate(counts))
    misses, spared = ratio(*false_negative_rate(counts)), ratio(*specificity(counts))
    return _contrast_of_logarithms([alarms, misses], [hits, spared])


def _contrast_of_logarithms(low: list[Value], high: list[Value]) -> Value:
    """(a - b) / (a + b) of the sums a, b of the logarithms of rates; where a rate is 0 the limit, NaN if both are."""
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (np.sum([np.log(rate) for rate in rates], axis=0) for rates in (low, high))
    a_infinite, b_infinite = np.isinf(a), np.isinf(b)
    values = ratio(np.where(a_infinite, 0, a) - np.where(b_infinite, 0, b), a + b)
    values = np.where(a_infinite & ~b_infinite, 1.0, values)
    values = np.where(b_infinite & ~a_infinite, -1.0, values)
    return np.where((a_infinite & b_infinite) | np.isnan(a) | np.isnan(b), np.nan, values)


# Costs and decisions.


def check_net_benefit(*, threshold_probability: Any) -> None:
    if not 0 < threshold_probability < 1:
        raise ValueError(f"threshold_probability must lie between 0 and 1; got {threshold_probability!r}.")


def net_benefit(counts: ClassCounts, *, threshold_probability: float) -> Quotient:
    odds = threshold_probability / (1 - threshold_probability)
    return counts.tp - counts.fp * odds, _total(counts)


def prevalence_threshold(counts: ClassCounts) -> Quotient:
    hits, alarms = ratio(*recall(counts)), ratio(*false_positive_rate(counts))
    return np.sqrt(alarms), np.sqrt(hits) + np.sqrt(alarms)


def _total(counts: ClassCounts) -> Any:
    """Number of samples."""
    return counts.tp + counts.fp + counts.fn + counts.tn
