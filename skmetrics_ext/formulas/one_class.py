"""Class counts -> (numerator, denominator), or a value that is no quotient; a function a metric."""

# Every formula takes one-vs-rest counts (..., n_classes), as floats, and gives as many values;
# undefined is 0/0. Totals lie within 1e-100 and 1e100: the product of two counts is a float, that
# of three may overflow, so rates are multiplied.

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.reading.arguments import check_in_range

Value = NDArray[Any]
Quotient = tuple[Any, Any]


# Rates: one count over its margin.


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
    check_in_range(
        beta,
        "beta",
        lambda x: x >= 0,
        "a number >= 0 (recall counts beta times as much as precision)",
    )


def fbeta(counts: ClassCounts, *, beta: float) -> Quotient:
    if np.isinf(beta):
        return recall(counts)
    # The smaller of the two weights is below 1, so that neither overflows.
    of_recall, of_precision = (beta**2, 1.0) if beta <= 1 else (1.0, (1 / beta) ** 2)
    weighted_tp = (of_recall + of_precision) * counts.tp
    return weighted_tp, weighted_tp + of_recall * counts.fn + of_precision * counts.fp


def jaccard(counts: ClassCounts) -> Quotient:
    return counts.tp, counts.tp + counts.fp + counts.fn


def check_finite(**weights: Any) -> None:
    for name, weight in weights.items():
        check_in_range(weight, name, lambda x: 0 <= x < np.inf, "a finite number >= 0")


def tversky(counts: ClassCounts, *, alpha: float = 0.5, beta: float = 0.5) -> Quotient:
    with np.errstate(over="ignore"):
        return counts.tp, counts.tp + alpha * counts.fp + beta * counts.fn


def overlap_coefficient(counts: ClassCounts) -> Quotient:
    return counts.tp, counts.tp + np.minimum(counts.fp, counts.fn)


def fowlkes_mallows_index(counts: ClassCounts) -> Value:
    return np.asarray(np.sqrt(ratio(*precision(counts)) * ratio(*recall(counts))))


def p4(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    return 4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn)


def lift(counts: ClassCounts) -> Quotient:
    return ratio(*precision(counts)), ratio(*prevalence(counts))


# Balance of recall and specificity of a class.


def informedness(counts: ClassCounts) -> Value:
    # recall + specificity - 1, with nothing near 1 to cancel.
    hits, alarms = ratio(*recall(counts)), ratio(*false_positive_rate(counts))
    misses, spared = ratio(*false_negative_rate(counts)), ratio(*specificity(counts))
    return np.asarray(hits * spared - misses * alarms)


def g_mean(counts: ClassCounts) -> Value:
    return np.asarray(np.sqrt(ratio(*recall(counts)) * ratio(*specificity(counts))))


def markedness(counts: ClassCounts) -> Value:
    # precision + negative predictive value - 1, with nothing near 1 to cancel.
    found, spared = ratio(*precision(counts)), ratio(*negative_predictive_value(counts))
    wrongly_found = ratio(*false_discovery_rate(counts))
    wrongly_spared = ratio(*false_omission_rate(counts))
    return np.asarray(found * spared - wrongly_found * wrongly_spared)


def one_vs_rest_balanced_accuracy(counts: ClassCounts) -> Value:
    return np.asarray((ratio(*recall(counts)) + ratio(*specificity(counts))) / 2)


def phi_coefficient(counts: ClassCounts) -> Value:
    # The geometric mean of informedness and markedness, which have the same sign.
    informed, marked = informedness(counts), markedness(counts)
    return np.asarray(np.sign(informed) * np.sqrt(np.abs(informed * marked)))


def index_balanced_accuracy(counts: ClassCounts, *, alpha: float = 0.1) -> Value:
    sensitivity, spared = ratio(*recall(counts)), ratio(*specificity(counts))
    return np.asarray((1 + alpha * (sensitivity - spared)) * sensitivity * spared)


def optimized_precision(counts: ClassCounts) -> Value:
    sensitivity, spared = ratio(*recall(counts)), ratio(*specificity(counts))
    imbalance = ratio(np.abs(spared - sensitivity), spared + sensitivity)
    return np.asarray(ratio(*one_vs_rest_accuracy(counts)) - imbalance)


def conditional_kappa(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    return tp * tn - fp * fn, (tp + fp) * (tn + fp)


# Odds, and what is derived from the pair (recall, false positive rate).


def positive_likelihood_ratio(counts: ClassCounts) -> Quotient:
    return ratio(*recall(counts)), ratio(*false_positive_rate(counts))


def negative_likelihood_ratio(counts: ClassCounts) -> Quotient:
    return ratio(*false_negative_rate(counts)), ratio(*specificity(counts))


def diagnostic_odds_ratio(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    return tp * tn, fp * fn


def yule_q(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    return tp * tn - fp * fn, tp * tn + fp * fn


def relative_risk(counts: ClassCounts) -> Quotient:
    return ratio(*precision(counts)), ratio(*false_omission_rate(counts))


def d_prime(counts: ClassCounts) -> Value:
    tp, fp, fn, tn = counts
    with np.errstate(invalid="ignore"):
        return np.asarray(_probit(tp, fn) - _probit(fp, tn))


def prevalence_threshold(counts: ClassCounts) -> Quotient:
    hits, alarms = np.sqrt(ratio(*recall(counts))), np.sqrt(ratio(*false_positive_rate(counts)))
    return alarms, hits + alarms


def _probit(part: Value, rest: Value) -> Value:
    """The quantile of the normal distribution at part / (part + rest), from the nearer tail."""
    quantile = special.ndtri(ratio(np.minimum(part, rest), part + rest))
    return np.asarray(np.where(part > rest, -quantile, quantile))


# Verification of forecasts.


def frequency_bias(counts: ClassCounts) -> Quotient:
    return counts.tp + counts.fp, counts.tp + counts.fn


def gilbert_skill(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    # n (tp - a) of the formula.
    beyond_chance = tp * tn - fp * fn
    return beyond_chance, beyond_chance + (fp + fn) * _total(counts)


def extremal_dependence_index(counts: ClassCounts) -> Value:
    tp, fp, fn, tn = counts
    return _contrast(_surprise(fp, tn), _surprise(tp, fn))


def symmetric_extremal_dependence_index(counts: ClassCounts) -> Value:
    tp, fp, fn, tn = counts
    # The two logarithms of a sum are never both near 0.
    return _contrast(_surprise(fp, tn) + _surprise(fn, tp), _surprise(tp, fn) + _surprise(tn, fp))


def _surprise(part: Value, rest: Value) -> Value:
    """-ln(part / (part + rest)), without rounding error where the rest is small."""
    rate, missing = ratio(part, part + rest), ratio(rest, part + rest)
    with np.errstate(divide="ignore"):
        return np.asarray(-np.where(missing < 0.5, np.log1p(-missing), np.log(rate)))


def _contrast(one: Value, other: Value) -> Value:
    """(one - other) / (one + other) of non-negative numbers; the limit if one is infinite."""
    with np.errstate(invalid="ignore"):
        difference, total = one - other, one + other
    return np.asarray(np.where(np.isinf(total), np.sign(difference), ratio(difference, total)))


# Costs and decisions.


def check_net_benefit(*, threshold_probability: Any) -> None:
    check_in_range(
        threshold_probability,
        "threshold_probability",
        lambda x: 0 < x < 1,
        "a number between 0 and 1",
    )


def net_benefit(counts: ClassCounts, *, threshold_probability: float) -> Quotient:
    # Both sides times 1 - p, since the odds can be large.
    rest = 1 - threshold_probability
    return counts.tp * rest - counts.fp * threshold_probability, _total(counts) * rest


def _total(counts: ClassCounts) -> Any:
    """Number of samples."""
    return counts.tp + counts.fp + counts.fn + counts.tn
