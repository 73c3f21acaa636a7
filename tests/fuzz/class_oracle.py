"""The textbook formula of every metric of tp, fp, fn and tn, in exact fractions."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from tests.fuzz.exact import UNDEFINED, Value, add, divide, infinite, precise_log, probit, root


class ClassMetric(NamedTuple):
    """A formula and what stands for 0/0 by default."""

    formula: Callable[..., Value]
    undefined: float


class Counts(NamedTuple):
    """The samples of one class and the rest, by what they are and as what they are predicted."""

    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction


CLASS_METRICS: dict[str, ClassMetric] = {}


def metric(undefined: float) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Enter a formula under its name."""

    def enter(formula: Callable[..., Value]) -> Callable[..., Value]:
        CLASS_METRICS[formula.__name__] = ClassMetric(formula, undefined)
        return formula

    return enter


@metric(undefined=0)
def precision(c):
    return divide(c.tp, c.tp + c.fp)


@metric(undefined=0)
def recall(c):
    return divide(c.tp, c.tp + c.fn)


@metric(undefined=0)
def specificity(c):
    return divide(c.tn, c.tn + c.fp)


@metric(undefined=0)
def negative_predictive_value(c):
    return divide(c.tn, c.tn + c.fn)


@metric(undefined=1)
def false_positive_rate(c):
    return divide(c.fp, c.fp + c.tn)


@metric(undefined=1)
def false_negative_rate(c):
    return divide(c.fn, c.fn + c.tp)


@metric(undefined=1)
def false_discovery_rate(c):
    return divide(c.fp, c.fp + c.tp)


@metric(undefined=1)
def false_omission_rate(c):
    return divide(c.fn, c.fn + c.tn)


@metric(undefined=math.nan)
def prevalence(c):
    return divide(c.tp + c.fn, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=math.nan)
def predicted_positive_rate(c):
    return divide(c.tp + c.fp, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=math.nan)
def detection_rate(c):
    return divide(c.tp, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=0)
def one_vs_rest_accuracy(c):
    return divide(c.tp + c.tn, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=1)
def one_vs_rest_error(c):
    return divide(c.fp + c.fn, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=0)
def f1(c):
    return divide(2 * c.tp, 2 * c.tp + c.fp + c.fn)


@metric(undefined=0)
def fbeta(c, beta):
    if infinite(beta):
        return recall(c)
    square = Fraction(beta) ** 2
    return divide((1 + square) * c.tp, (1 + square) * c.tp + square * c.fn + c.fp)


@metric(undefined=0)
def jaccard(c):
    return divide(c.tp, c.tp + c.fp + c.fn)


@metric(undefined=0)
def tversky(c, alpha=0.5, beta=0.5):
    return divide(c.tp, c.tp + Fraction(alpha) * c.fp + Fraction(beta) * c.fn)


@metric(undefined=0)
def overlap_coefficient(c):
    return divide(c.tp, min(c.tp + c.fp, c.tp + c.fn))


@metric(undefined=0)
def fowlkes_mallows_index(c):
    return divide(c.tp, root((c.tp + c.fp) * (c.tp + c.fn)))


@metric(undefined=0)
def p4(c):
    return divide(4 * c.tp * c.tn, 4 * c.tp * c.tn + (c.tp + c.tn) * (c.fp + c.fn))


@metric(undefined=math.nan)
def lift(c):
    return divide(precision(c), prevalence(c))


@metric(undefined=0)
def informedness(c):
    found, spared = recall(c), specificity(c)
    return UNDEFINED if found is UNDEFINED or spared is UNDEFINED else found + spared - 1


@metric(undefined=0)
def markedness(c):
    right, right_negative = precision(c), negative_predictive_value(c)
    return UNDEFINED if right is UNDEFINED or right_negative is UNDEFINED else right + right_negative - 1


@metric(undefined=0)
def g_mean(c):
    found, spared = recall(c), specificity(c)
    return UNDEFINED if found is UNDEFINED or spared is UNDEFINED else root(found * spared)


@metric(undefined=0)
def one_vs_rest_balanced_accuracy(c):
    found, spared = recall(c), specificity(c)
    return UNDEFINED if found is UNDEFINED or spared is UNDEFINED else (found + spared) / 2


@metric(undefined=0)
def phi_coefficient(c):
    return divide(c.tp * c.tn - c.fp * c.fn, root((c.tp + c.fp) * (c.tp + c.fn) * (c.tn + c.fp) * (c.tn + c.fn)))


@metric(undefined=0)
def index_balanced_accuracy(c, alpha=0.1):
    found, spared = recall(c), specificity(c)
    if found is UNDEFINED or spared is UNDEFINED:
        return UNDEFINED
    return (1 + Fraction(alpha) * (found - spared)) * found * spared


@metric(undefined=0)
def optimized_precision(c):
    found, spared = recall(c), specificity(c)
    if found is UNDEFINED or spared is UNDEFINED or not found + spared:
        return UNDEFINED
    return (c.tp + c.tn) / (c.tp + c.fp + c.fn + c.tn) - abs(spared - found) / (spared + found)


@metric(undefined=math.nan)
def positive_likelihood_ratio(c):
    return divide(recall(c), false_positive_rate(c))


@metric(undefined=math.nan)
def negative_likelihood_ratio(c):
    return divide(false_negative_rate(c), specificity(c))


@metric(undefined=math.nan)
def diagnostic_odds_ratio(c):
    return divide(c.tp * c.tn, c.fp * c.fn)


@metric(undefined=0)
def yule_q(c):
    return divide(c.tp * c.tn - c.fp * c.fn, c.tp * c.tn + c.fp * c.fn)


@metric(undefined=math.nan)
def relative_risk(c):
    return divide(precision(c), false_omission_rate(c))


@metric(undefined=0)
def d_prime(c):
    found, alarmed = recall(c), false_positive_rate(c)
    return UNDEFINED if found is UNDEFINED or alarmed is UNDEFINED else add(probit(found), -probit(alarmed))


@metric(undefined=1)
def prevalence_threshold(c):
    found, alarmed = recall(c), false_positive_rate(c)
    if found is UNDEFINED or alarmed is UNDEFINED:
        return UNDEFINED
    return divide(root(alarmed), root(found) + root(alarmed))


@metric(undefined=math.nan)
def frequency_bias(c):
    return divide(c.tp + c.fp, c.tp + c.fn)


@metric(undefined=0)
def gilbert_skill(c):
    by_chance = divide((c.tp + c.fp) * (c.tp + c.fn), c.tp + c.fp + c.fn + c.tn)
    return UNDEFINED if by_chance is UNDEFINED else divide(c.tp - by_chance, c.tp + c.fp + c.fn - by_chance)


def _association(difference: Value, total: Fraction | float) -> Value:
    """A ratio of logarithms: its limit where a rate is 0 or 1, of which the logarithm is infinite."""
    if difference is UNDEFINED:
        return UNDEFINED
    if infinite(difference):
        return -1.0 if difference > 0 else 1.0
    return divide(difference, total)


@metric(undefined=0)
def extremal_dependence_index(c):
    found, alarmed = recall(c), false_positive_rate(c)
    if found is UNDEFINED or alarmed is UNDEFINED:
        return UNDEFINED
    return _association(add(precise_log(alarmed), -precise_log(found)), precise_log(alarmed) + precise_log(found))


@metric(undefined=0)
def symmetric_extremal_dependence_index(c):
    found, alarmed = recall(c), false_positive_rate(c)
    if found is UNDEFINED or alarmed is UNDEFINED:
        return UNDEFINED
    pro, contra = precise_log(alarmed) + precise_log(1 - found), precise_log(found) + precise_log(1 - alarmed)
    return _association(add(pro, -contra), pro + contra)


@metric(undefined=math.nan)
def net_benefit(c, threshold_probability):
    odds = Fraction(threshold_probability) / (1 - Fraction(threshold_probability))
    return divide(c.tp - c.fp * odds, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=0)
def conditional_kappa(c):
    right, share = precision(c), prevalence(c)
    return UNDEFINED if right is UNDEFINED else divide(right - share, 1 - share)
