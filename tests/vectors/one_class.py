"""The textbook formula of every metric of tp, fp, fn and tn, in exact arithmetic."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from tests.vectors.exact import UNDEFINED, Value, add, divide, infinite, log, probit, root


class ClassMetric(NamedTuple):
    """A formula, what stands for 0/0 by default, and which values are better."""

    formula: Callable[..., Value]
    undefined: float
    better: str


class Counts(NamedTuple):
    """The samples of one class and the rest, by what they are and as what they are predicted."""

    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction


CLASS_METRICS: dict[str, ClassMetric] = {}


def metric(
    undefined: float, better: str = "higher"
) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Enter a formula, which its docstring says in words, under its name."""

    def enter(formula: Callable[..., Value]) -> Callable[..., Value]:
        CLASS_METRICS[formula.__name__] = ClassMetric(formula, undefined, better)
        return formula

    return enter


@metric(undefined=0)
def precision(c):
    """tp / (tp + fp)"""
    return divide(c.tp, c.tp + c.fp)


@metric(undefined=0)
def recall(c):
    """tp / (tp + fn)"""
    return divide(c.tp, c.tp + c.fn)


@metric(undefined=0)
def specificity(c):
    """tn / (tn + fp)"""
    return divide(c.tn, c.tn + c.fp)


@metric(undefined=0)
def negative_predictive_value(c):
    """tn / (tn + fn)"""
    return divide(c.tn, c.tn + c.fn)


@metric(undefined=1, better="lower")
def false_positive_rate(c):
    """fp / (fp + tn)"""
    return divide(c.fp, c.fp + c.tn)


@metric(undefined=1, better="lower")
def false_negative_rate(c):
    """fn / (fn + tp)"""
    return divide(c.fn, c.fn + c.tp)


@metric(undefined=1, better="lower")
def false_discovery_rate(c):
    """fp / (fp + tp)"""
    return divide(c.fp, c.fp + c.tp)


@metric(undefined=1, better="lower")
def false_omission_rate(c):
    """fn / (fn + tn)"""
    return divide(c.fn, c.fn + c.tn)


@metric(undefined=math.nan, better="neither")
def prevalence(c):
    """(tp + fn) / n"""
    return divide(c.tp + c.fn, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=math.nan, better="neither")
def predicted_positive_rate(c):
    """(tp + fp) / n"""
    return divide(c.tp + c.fp, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=math.nan, better="neither")
def detection_rate(c):
    """tp / n"""
    return divide(c.tp, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=0)
def one_vs_rest_accuracy(c):
    """(tp + tn) / n"""
    return divide(c.tp + c.tn, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=1, better="lower")
def one_vs_rest_error(c):
    """(fp + fn) / n"""
    return divide(c.fp + c.fn, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=0)
def f1(c):
    """2 tp / (2 tp + fp + fn)"""
    return divide(2 * c.tp, 2 * c.tp + c.fp + c.fn)


@metric(undefined=0)
def fbeta(c, beta):
    """(1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp)"""
    if infinite(beta):
        return recall(c)
    square = Fraction(beta) ** 2
    return divide((1 + square) * c.tp, (1 + square) * c.tp + square * c.fn + c.fp)


@metric(undefined=0)
def jaccard(c):
    """tp / (tp + fp + fn)"""
    return divide(c.tp, c.tp + c.fp + c.fn)


@metric(undefined=0)
def tversky(c, alpha=0.5, beta=0.5):
    """tp / (tp + alpha fp + beta fn)"""
    return divide(c.tp, c.tp + Fraction(alpha) * c.fp + Fraction(beta) * c.fn)


@metric(undefined=0)
def overlap_coefficient(c):
    """tp / min(tp + fp, tp + fn)"""
    return divide(c.tp, min(c.tp + c.fp, c.tp + c.fn))


@metric(undefined=0)
def fowlkes_mallows_index(c):
    """tp / sqrt((tp + fp) (tp + fn))"""
    return divide(c.tp, root((c.tp + c.fp) * (c.tp + c.fn)))


@metric(undefined=0)
def p4(c):
    """4 tp tn / (4 tp tn + (tp + tn) (fp + fn))"""
    return divide(4 * c.tp * c.tn, 4 * c.tp * c.tn + (c.tp + c.tn) * (c.fp + c.fn))


@metric(undefined=math.nan)
def lift(c):
    """(tp / (tp + fp)) / ((tp + fn) / n)"""
    return divide(precision(c), prevalence(c))


@metric(undefined=0)
def informedness(c):
    """tp / (tp + fn) + tn / (tn + fp) - 1"""
    found, spared = recall(c), specificity(c)
    return UNDEFINED if found is UNDEFINED or spared is UNDEFINED else found + spared - 1


@metric(undefined=0)
def markedness(c):
    """tp / (tp + fp) + tn / (tn + fn) - 1"""
    right, right_negative = precision(c), negative_predictive_value(c)
    return (
        UNDEFINED
        if right is UNDEFINED or right_negative is UNDEFINED
        else right + right_negative - 1
    )


@metric(undefined=0)
def g_mean(c):
    """sqrt(recall * specificity)"""
    found, spared = recall(c), specificity(c)
    return UNDEFINED if found is UNDEFINED or spared is UNDEFINED else root(found * spared)


@metric(undefined=0)
def one_vs_rest_balanced_accuracy(c):
    """(recall + specificity) / 2"""
    found, spared = recall(c), specificity(c)
    return UNDEFINED if found is UNDEFINED or spared is UNDEFINED else (found + spared) / 2


@metric(undefined=0)
def phi_coefficient(c):
    """(tp tn - fp fn) / sqrt((tp + fp) (tp + fn) (tn + fp) (tn + fn))"""
    return divide(
        c.tp * c.tn - c.fp * c.fn,
        root((c.tp + c.fp) * (c.tp + c.fn) * (c.tn + c.fp) * (c.tn + c.fn)),
    )


@metric(undefined=0)
def index_balanced_accuracy(c, alpha=0.1):
    """(1 + alpha (recall - specificity)) recall specificity"""
    found, spared = recall(c), specificity(c)
    if found is UNDEFINED or spared is UNDEFINED:
        return UNDEFINED
    return (1 + Fraction(alpha) * (found - spared)) * found * spared


@metric(undefined=0)
def optimized_precision(c):
    """accuracy - |specificity - recall| / (specificity + recall)"""
    found, spared = recall(c), specificity(c)
    if found is UNDEFINED or spared is UNDEFINED or not found + spared:
        return UNDEFINED
    return (c.tp + c.tn) / (c.tp + c.fp + c.fn + c.tn) - abs(spared - found) / (spared + found)


@metric(undefined=math.nan)
def positive_likelihood_ratio(c):
    """recall / false_positive_rate"""
    return divide(recall(c), false_positive_rate(c))


@metric(undefined=math.nan, better="lower")
def negative_likelihood_ratio(c):
    """false_negative_rate / specificity"""
    return divide(false_negative_rate(c), specificity(c))


@metric(undefined=math.nan)
def diagnostic_odds_ratio(c):
    """tp tn / (fp fn)"""
    return divide(c.tp * c.tn, c.fp * c.fn)


@metric(undefined=0)
def yule_q(c):
    """(tp tn - fp fn) / (tp tn + fp fn)"""
    return divide(c.tp * c.tn - c.fp * c.fn, c.tp * c.tn + c.fp * c.fn)


@metric(undefined=math.nan)
def relative_risk(c):
    """precision / false_omission_rate"""
    return divide(precision(c), false_omission_rate(c))


@metric(undefined=0)
def d_prime(c):
    """probit(recall) - probit(false_positive_rate)"""
    found, alarmed = recall(c), false_positive_rate(c)
    return (
        UNDEFINED
        if found is UNDEFINED or alarmed is UNDEFINED
        else add(probit(found), -probit(alarmed))
    )


@metric(undefined=1, better="lower")
def prevalence_threshold(c):
    """sqrt(F) / (sqrt(H) + sqrt(F)), H = recall, F = false_positive_rate"""
    found, alarmed = recall(c), false_positive_rate(c)
    if found is UNDEFINED or alarmed is UNDEFINED:
        return UNDEFINED
    return divide(root(alarmed), add(root(found), root(alarmed)))


@metric(undefined=math.nan, better="neither")
def frequency_bias(c):
    """(tp + fp) / (tp + fn)"""
    return divide(c.tp + c.fp, c.tp + c.fn)


@metric(undefined=0)
def gilbert_skill(c):
    """(tp - a) / (tp + fp + fn - a), a = (tp + fp)(tp + fn) / n"""
    by_chance = divide((c.tp + c.fp) * (c.tp + c.fn), c.tp + c.fp + c.fn + c.tn)
    return (
        UNDEFINED
        if by_chance is UNDEFINED
        else divide(c.tp - by_chance, c.tp + c.fp + c.fn - by_chance)
    )


def _association(difference: Value, total: Value) -> Value:
    """A ratio of logarithms: its limit where a rate is 0 or 1, of which the
    logarithm is infinite.
    """
    if difference is UNDEFINED:
        return UNDEFINED
    if infinite(difference):
        return Fraction(-1 if difference > 0 else 1)
    return divide(difference, total)


@metric(undefined=0)
def extremal_dependence_index(c):
    """(ln F - ln H) / (ln F + ln H), H = recall, F = false_positive_rate"""
    found, alarmed = recall(c), false_positive_rate(c)
    if found is UNDEFINED or alarmed is UNDEFINED:
        return UNDEFINED
    return _association(add(log(alarmed), -log(found)), log(alarmed) + log(found))


@metric(undefined=0)
def symmetric_extremal_dependence_index(c):
    """(ln F - ln H - ln(1-F) + ln(1-H)) / (ln F + ln H + ln(1-F) + ln(1-H))"""
    found, alarmed = recall(c), false_positive_rate(c)
    if found is UNDEFINED or alarmed is UNDEFINED:
        return UNDEFINED
    pro, contra = log(alarmed) + log(1 - found), log(found) + log(1 - alarmed)
    return _association(add(pro, -contra), pro + contra)


@metric(undefined=math.nan)
def net_benefit(c, threshold_probability):
    """(tp - fp p / (1 - p)) / n"""
    odds = Fraction(threshold_probability) / (1 - Fraction(threshold_probability))
    return divide(c.tp - c.fp * odds, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=0)
def conditional_kappa(c):
    """(precision - prevalence) / (1 - prevalence)"""
    right, share = precision(c), prevalence(c)
    return UNDEFINED if right is UNDEFINED else divide(right - share, 1 - share)
