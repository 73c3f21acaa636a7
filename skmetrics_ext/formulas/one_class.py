"""Class counts -> (numerator, denominator), or a value where there is no one quotient; pure, one function a metric."""

# Every formula takes one-vs-rest counts of shape (..., n_classes), as floats, and gives
# as many values. Undefined is 0/0. Counts may lie 600 orders of magnitude apart: a product
# of two can lie beyond the floats, and so can a rate. Rates that are compared, as a quotient
# or as their contrast, are multiplied with both denominators, and the products that this
# gives are taken in one unit; elsewhere rates are multiplied, where only a value that is as
# good as 0 vanishes.

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.reading.arguments import check_in_range

Value = NDArray[Any]
Quotient = tuple[Any, Any]

# A smaller rate is so near the least float that it may have lost digits, or all of them.
SMALL = 1e-300
# Less than that of any product of two counts.
LEAST_EXPONENT = -10_000


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
    check_in_range(beta, "beta", lambda x: x >= 0, "a number >= 0 (recall counts beta times as much as precision)")


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
    right, right_and_wrong = _products((tp, tn), (tp + tn, fp + fn))
    return 4 * right, 4 * right + right_and_wrong


def lift(counts: ClassCounts) -> Quotient:
    tp, fp, fn, _ = counts
    return _quotient((tp, _total(counts)), (tp + fp, tp + fn))


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
    check_in_range(alpha, "alpha", lambda x: 0 <= x < np.inf, "a finite number >= 0")


def index_balanced_accuracy(counts: ClassCounts, *, alpha: float = 0.1) -> Value:
    sensitivity, spared = ratio(*recall(counts)), ratio(*specificity(counts))
    return np.asarray((1 + alpha * (sensitivity - spared)) * sensitivity * spared)


def optimized_precision(counts: ClassCounts) -> Value:
    tp, fp, fn, tn = counts
    both_right, without_alarms, without_misses = _products((tp, tn), (tn, fn), (tp, fp))
    imbalance = ratio(np.abs(without_alarms - without_misses), 2 * both_right + without_alarms + without_misses)
    return np.asarray(ratio(*one_vs_rest_accuracy(counts)) - imbalance)


def conditional_kappa(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    right, wrong, margins = _products((tp, tn), (fp, fn), (tp + fp, tn + fp))
    return right - wrong, margins


# Odds: how much a prediction changes the chances, and what is derived from the pair (recall, false positive rate).


def positive_likelihood_ratio(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    return _quotient((tp, tn + fp), (fp, tp + fn))


def negative_likelihood_ratio(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    return _quotient((fn, tn + fp), (tn, tp + fn))


def diagnostic_odds_ratio(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    return _quotient((tp, tn), (fp, fn))


def yule_q(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    right, wrong = _products((tp, tn), (fp, fn))
    return right - wrong, right + wrong


def relative_risk(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    return _quotient((tp, tn + fn), (fn, tp + fp))


def d_prime(counts: ClassCounts) -> Value:
    tp, fp, fn, tn = counts
    with np.errstate(invalid="ignore"):
        return np.asarray(_probit(tp, fn) - _probit(fp, tn))


def prevalence_threshold(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    hits, alarms = _products((tp, tn + fp), (fp, tp + fn))
    return np.sqrt(alarms), np.sqrt(hits) + np.sqrt(alarms)


def _probit(part: Value, rest: Value) -> Value:
    """The quantile of the normal distribution at part / (part + rest), of either tail, however far out."""
    whole, tail = part + rest, np.minimum(part, rest)
    rate = ratio(tail, whole)
    with np.errstate(divide="ignore", invalid="ignore"):
        far_out = special.ndtri_exp(np.log(tail) - np.log(whole))
    quantile = np.where(rate < SMALL, far_out, special.ndtri(rate))
    return np.asarray(np.where(part > rest, -quantile, quantile))


# Verification of forecasts.


def frequency_bias(counts: ClassCounts) -> Quotient:
    return counts.tp + counts.fp, counts.tp + counts.fn


def gilbert_skill(counts: ClassCounts) -> Quotient:
    tp, fp, fn, tn = counts
    right, wrong, errors = _products((tp, tn), (fp, fn), (fp + fn, _total(counts)))
    # n (tp - a) of the formula.
    beyond_chance = right - wrong
    return beyond_chance, beyond_chance + errors


def extreme_dependency_score(counts: ClassCounts) -> Value:
    tp, fp, fn, tn = counts
    # ln(tp / n) is ln(prevalence) + ln(recall), so that this is the contrast of the two.
    return _contrast_of_logarithms((tp + fn, fp + tn), (tp, fn))


def extremal_dependence_index(counts: ClassCounts) -> Value:
    tp, fp, fn, tn = counts
    return _contrast_of_logarithms((fp, tn), (tp, fn))


def symmetric_extremal_dependence_index(counts: ClassCounts) -> Value:
    tp, fp, fn, tn = counts
    positives, negatives = tp + fn, tn + fp
    # The two logarithms of a sum are never near 0 at once.
    against = ratio(_log_of_rate(fp, tn), negatives) + ratio(_log_of_rate(fn, tp), positives)
    pro = ratio(_log_of_rate(tp, fn), positives) + ratio(_log_of_rate(tn, fp), negatives)
    return _contrast(against, pro)


def _contrast_of_logarithms(one: tuple[Value, Value], other: tuple[Value, Value]) -> Value:
    """(ln a - ln b) / (ln a + ln b) of two rates, each the share that the first of two counts has of their sum."""
    with np.errstate(invalid="ignore"):
        # The logarithm of 0 beside a rate that is 0/0.
        return _contrast(*_products((_log_of_rate(*one), other[0] + other[1]), (_log_of_rate(*other), one[0] + one[1])))


def _log_of_rate(part: Value, rest: Value) -> Value:
    """-ln(part / whole) times the whole, part + rest: no less than the rest, which it is where that is little."""
    whole = part + rest
    rate, missing = ratio(part, whole), ratio(rest, whole)
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithm = np.where(rate < SMALL, np.log(part) - np.log(whole), np.log(rate))
        logarithm = np.where(missing < 0.5, np.log1p(-missing), logarithm)
    return np.asarray(np.where(missing < SMALL, rest, -logarithm * whole))


def _contrast(one: Value, other: Value) -> Value:
    """(one - other) / (one + other) of numbers that are not negative; where one of them is infinite the limit."""
    one_infinite, other_infinite = np.isinf(one), np.isinf(other)
    infinite = one_infinite | other_infinite
    one = np.where(infinite, one_infinite & ~other_infinite, one)
    other = np.where(infinite, other_infinite & ~one_infinite, other)
    return ratio(one - other, one + other)


# Costs and decisions.


def check_net_benefit(*, threshold_probability: Any) -> None:
    check_in_range(threshold_probability, "threshold_probability", lambda x: 0 < x < 1, "a number between 0 and 1")


def net_benefit(counts: ClassCounts, *, threshold_probability: float) -> Quotient:
    # Both sides times 1 - p, since the odds can be large.
    rest = 1 - threshold_probability
    return counts.tp * rest - counts.fp * threshold_probability, _total(counts) * rest


def _total(counts: ClassCounts) -> Any:
    """Number of samples."""
    return counts.tp + counts.fp + counts.fn + counts.tn


def _quotient(numerator: tuple[Value, Value], denominator: tuple[Value, Value]) -> Quotient:
    """One product over another."""
    above, below = _products(numerator, denominator)
    return above, below


def _products(*pairs: tuple[Value, Value]) -> tuple[Value, ...]:
    """The product of each pair, in the unit, a power of two, in which the largest of them is near 1."""
    ones, others = zip(*pairs, strict=True)
    (mantissas, exponents), (other_mantissas, other_exponents) = np.frexp(ones), np.frexp(others)
    products, exponents = mantissas * other_mantissas, exponents + other_exponents
    # That of 0 is 0, which may be more than any other.
    exponents[products == 0] = LEAST_EXPONENT
    return tuple(np.ldexp(products, exponents - exponents.max(0)))
