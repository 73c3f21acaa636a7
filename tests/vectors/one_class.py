"""The textbook formula of every metric of tp, fp, fn and tn, in exact arithmetic."""

import math
from fractions import Fraction
from typing import NamedTuple

from tests.vectors.entries import ExactMetric, entering
from tests.vectors.exact import UNDEFINED, Value, add, divide, infinite, log, probit, root
from tests.vectors.sources import (
    by_hand,
    caret,
    difference_of_quantiles,
    finley,
    harmonic_mean_of_four_rates,
    imbalanced_learn,
    imbalanced_learn_index,
    odds_ratio_of_samples,
    pycm,
    pycm_method,
    relative_risk_of_samples,
    scikit_learn_by_class,
    scikit_learn_likelihood_ratio,
    scikit_learn_of_each_class,
    scipy_of_tables,
)


class Counts(NamedTuple):
    """The samples of one class and the rest, by what they are and as what they are predicted."""

    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction


FERRO = "Ferro & Stephenson (2011), Extremal dependence indices, Weather and Forecasting 26"

CLASS_METRICS: dict[str, ExactMetric] = {}
metric = entering(CLASS_METRICS)


@metric(
    undefined=0, oracles=[scikit_learn_by_class("precision_score"), pycm("PPV"), caret("0.100000")]
)
def precision(c):
    """tp / (tp + fp)"""
    return divide(c.tp, c.tp + c.fp)


@metric(
    undefined=0,
    oracles=[
        scikit_learn_by_class("recall_score"),
        pycm("TPR"),
        finley("0.549"),
        caret("0.666667"),
    ],
)
def recall(c):
    """tp / (tp + fn)"""
    return divide(c.tp, c.tp + c.fn)


@metric(
    undefined=0,
    oracles=[imbalanced_learn("specificity_score", average=None), pycm("TNR"), caret("0.910000")],
)
def specificity(c):
    """tn / (tn + fp)"""
    return divide(c.tn, c.tn + c.fp)


@metric(undefined=0, oracles=[pycm("NPV"), caret("0.994536")])
def negative_predictive_value(c):
    """tn / (tn + fn)"""
    return divide(c.tn, c.tn + c.fn)


@metric(undefined=1, better="lower", oracles=[pycm("FPR"), finley("0.0262")])
def false_positive_rate(c):
    """fp / (fp + tn)"""
    return divide(c.fp, c.fp + c.tn)


@metric(undefined=1, better="lower", oracles=[pycm("FNR")])
def false_negative_rate(c):
    """fn / (fn + tp)"""
    return divide(c.fn, c.fn + c.tp)


@metric(undefined=1, better="lower", oracles=[pycm("FDR"), finley("0.720")])
def false_discovery_rate(c):
    """fp / (fp + tp)"""
    return divide(c.fp, c.fp + c.tp)


@metric(undefined=1, better="lower", oracles=[pycm("FOR")])
def false_omission_rate(c):
    """fn / (fn + tn)"""
    return divide(c.fn, c.fn + c.tn)


@metric(undefined=math.nan, better="neither", oracles=[pycm("PRE"), caret("0.014778")])
def prevalence(c):
    """(tp + fn) / n"""
    return divide(c.tp + c.fn, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=math.nan, better="neither", oracles=[pycm("TOPR"), caret("0.098522")])
def predicted_positive_rate(c):
    """(tp + fp) / n"""
    return divide(c.tp + c.fp, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=math.nan, better="neither", oracles=[caret("0.009852")])
def detection_rate(c):
    """tp / n"""
    return divide(c.tp, c.tp + c.fp + c.fn + c.tn)


@metric(
    undefined=0,
    oracles=[scikit_learn_of_each_class("accuracy_score"), pycm("ACC"), finley("0.966")],
)
def one_vs_rest_accuracy(c):
    """(tp + tn) / n"""
    return divide(c.tp + c.tn, c.tp + c.fp + c.fn + c.tn)


@metric(
    undefined=1, better="lower", oracles=[scikit_learn_of_each_class("zero_one_loss"), pycm("ERR")]
)
def one_vs_rest_error(c):
    """(fp + fn) / n"""
    return divide(c.fp + c.fn, c.tp + c.fp + c.fn + c.tn)


@metric(undefined=0, oracles=[scikit_learn_by_class("f1_score"), pycm("F1")])
def f1(c):
    """2 tp / (2 tp + fp + fn)"""
    return divide(2 * c.tp, 2 * c.tp + c.fp + c.fn)


@metric(
    undefined=0,
    oracles=[scikit_learn_by_class("fbeta_score", beta=3), pycm_method("F_beta", 3, beta=3)],
    cases=[{"beta": "2"}, {"beta": "1/2"}],
)
def fbeta(c, beta):
    """(1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp)"""
    if infinite(beta):
        return recall(c)
    square = Fraction(beta) ** 2
    return divide((1 + square) * c.tp, (1 + square) * c.tp + square * c.fn + c.fp)


@metric(undefined=0, oracles=[scikit_learn_by_class("jaccard_score"), pycm("J"), finley("0.228")])
def jaccard(c):
    """tp / (tp + fp + fn)"""
    return divide(c.tp, c.tp + c.fp + c.fn)


# pycm's alpha is for false negatives.
@metric(
    undefined=0,
    oracles=[pycm_method("TI", 0.3, 0.6, alpha=0.6, beta=0.3)],
    cases=[{"alpha": "3/10", "beta": "7/10"}],
)
def tversky(c, alpha=0.5, beta=0.5):
    """tp / (tp + alpha fp + beta fn)"""
    return divide(c.tp, c.tp + Fraction(alpha) * c.fp + Fraction(beta) * c.fn)


@metric(undefined=0, oracles=[pycm("OC")])
def overlap_coefficient(c):
    """tp / min(tp + fp, tp + fn)"""
    return divide(c.tp, min(c.tp + c.fp, c.tp + c.fn))


@metric(undefined=0, oracles=[pycm("G")])
def fowlkes_mallows_index(c):
    """tp / sqrt((tp + fp) (tp + fn))"""
    return divide(c.tp, root((c.tp + c.fp) * (c.tp + c.fn)))


@metric(undefined=0, oracles=[scipy_of_tables(harmonic_mean_of_four_rates)])
def p4(c):
    """4 tp tn / (4 tp tn + (tp + tn) (fp + fn))"""
    return divide(4 * c.tp * c.tn, 4 * c.tp * c.tn + (c.tp + c.tn) * (c.fp + c.fn))


@metric(undefined=math.nan, oracles=[pycm("LS")])
def lift(c):
    """(tp / (tp + fp)) / ((tp + fn) / n)"""
    return divide(precision(c), prevalence(c))


@metric(
    undefined=0,
    oracles=[
        scikit_learn_of_each_class("balanced_accuracy_score", adjusted=True),
        pycm("BM"),
        finley("0.523"),
    ],
)
def informedness(c):
    """tp / (tp + fn) + tn / (tn + fp) - 1"""
    found, spared = recall(c), specificity(c)
    return UNDEFINED if found is UNDEFINED or spared is UNDEFINED else found + spared - 1


@metric(undefined=0, oracles=[pycm("MK")])
def markedness(c):
    """tp / (tp + fp) + tn / (tn + fn) - 1"""
    right, right_negative = precision(c), negative_predictive_value(c)
    return (
        UNDEFINED
        if right is UNDEFINED or right_negative is UNDEFINED
        else right + right_negative - 1
    )


@metric(undefined=0, oracles=[imbalanced_learn("geometric_mean_score", average=None), pycm("GM")])
def g_mean(c):
    """sqrt(recall * specificity)"""
    found, spared = recall(c), specificity(c)
    return UNDEFINED if found is UNDEFINED or spared is UNDEFINED else root(found * spared)


@metric(
    undefined=0,
    oracles=[scikit_learn_of_each_class("balanced_accuracy_score"), pycm("AUC"), caret("0.788333")],
)
def one_vs_rest_balanced_accuracy(c):
    """(recall + specificity) / 2"""
    found, spared = recall(c), specificity(c)
    return UNDEFINED if found is UNDEFINED or spared is UNDEFINED else (found + spared) / 2


@metric(undefined=0, oracles=[scikit_learn_of_each_class("matthews_corrcoef"), pycm("MCC")])
def phi_coefficient(c):
    """(tp tn - fp fn) / sqrt((tp + fp) (tp + fn) (tn + fp) (tn + fn))"""
    return divide(
        c.tp * c.tn - c.fp * c.fn,
        root((c.tp + c.fp) * (c.tp + c.fn) * (c.tn + c.fp) * (c.tn + c.fn)),
    )


# pycm's statistic has alpha = 1.
@metric(
    undefined=0,
    oracles=[imbalanced_learn_index(alpha=0.1), pycm_method("IBA_alpha", 0.4, alpha=0.4)],
    cases=[{"alpha": "1/10"}],
)
def index_balanced_accuracy(c, alpha=0.1):
    """(1 + alpha (recall - specificity)) recall specificity"""
    found, spared = recall(c), specificity(c)
    if found is UNDEFINED or spared is UNDEFINED:
        return UNDEFINED
    return (1 + Fraction(alpha) * (found - spared)) * found * spared


@metric(undefined=0, oracles=[pycm("OP")])
def optimized_precision(c):
    """accuracy - |specificity - recall| / (specificity + recall)"""
    found, spared = recall(c), specificity(c)
    if found is UNDEFINED or spared is UNDEFINED or not found + spared:
        return UNDEFINED
    return (c.tp + c.tn) / (c.tp + c.fp + c.fn + c.tn) - abs(spared - found) / (spared + found)


@metric(undefined=math.nan, oracles=[scikit_learn_likelihood_ratio(0), pycm("PLR")])
def positive_likelihood_ratio(c):
    """recall / false_positive_rate"""
    return divide(recall(c), false_positive_rate(c))


@metric(undefined=math.nan, better="lower", oracles=[scikit_learn_likelihood_ratio(1), pycm("NLR")])
def negative_likelihood_ratio(c):
    """false_negative_rate / specificity"""
    return divide(false_negative_rate(c), specificity(c))


@metric(
    undefined=math.nan,
    oracles=[scipy_of_tables(odds_ratio_of_samples), pycm("DOR"), finley("45.3")],
)
def diagnostic_odds_ratio(c):
    """tp tn / (fp fn)"""
    return divide(c.tp * c.tn, c.fp * c.fn)


@metric(undefined=0, oracles=[pycm("Q"), finley("0.957")])
def yule_q(c):
    """(tp tn - fp fn) / (tp tn + fp fn)"""
    return divide(c.tp * c.tn - c.fp * c.fn, c.tp * c.tn + c.fp * c.fn)


@metric(undefined=math.nan, oracles=[scipy_of_tables(relative_risk_of_samples)])
def relative_risk(c):
    """precision / false_omission_rate"""
    return divide(precision(c), false_omission_rate(c))


@metric(
    undefined=0,
    oracles=[
        scipy_of_tables(difference_of_quantiles),
        pycm_method("sensitivity_index", precision=1e-7),
    ],
)
def d_prime(c):
    """probit(recall) - probit(false_positive_rate)"""
    found, alarmed = recall(c), false_positive_rate(c)
    return (
        UNDEFINED
        if found is UNDEFINED or alarmed is UNDEFINED
        else add(probit(found), -probit(alarmed))
    )


@metric(
    undefined=1,
    better="lower",
    oracles=[
        # a = 0.64 and b = 0.84: (0.32 - 0.16) / 0.48
        by_hand(
            "(sqrt(a (1 - b)) + b - 1) / (a + b - 1), sensitivity a and specificity b: Balayla "
            "(2020), Prevalence threshold (phi e) and the geometry of screening curves, PLoS ONE "
            "15, e0240215",
            [[84, 16], [36, 64]],
            Fraction(1, 3),
        )
    ],
)
def prevalence_threshold(c):
    """sqrt(F) / (sqrt(H) + sqrt(F)), H = recall, F = false_positive_rate"""
    found, alarmed = recall(c), false_positive_rate(c)
    if found is UNDEFINED or alarmed is UNDEFINED:
        return UNDEFINED
    return divide(root(alarmed), add(root(found), root(alarmed)))


@metric(undefined=math.nan, better="neither", oracles=[finley("1.96")])
def frequency_bias(c):
    """(tp + fp) / (tp + fn)"""
    return divide(c.tp + c.fp, c.tp + c.fn)


@metric(undefined=0, oracles=[finley("0.216")])
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


@metric(
    undefined=0,
    oracles=[
        # H = 1/2 and F = H**3: (3 - 1) / (3 + 1)
        by_hand(f"(ln F - ln H) / (ln F + ln H): {FERRO}", [[7, 1], [4, 4]], Fraction(1, 2)),
        by_hand(
            f"(ln F - ln H) / (ln F + ln H): {FERRO}",
            [[90, 10], [4, 6]],
            math.log(1 / 6) / math.log(0.06),
        ),
    ],
)
def extremal_dependence_index(c):
    """(ln F - ln H) / (ln F + ln H), H = recall, F = false_positive_rate"""
    found, alarmed = recall(c), false_positive_rate(c)
    if found is UNDEFINED or alarmed is UNDEFINED:
        return UNDEFINED
    return _association(add(log(alarmed), -log(found)), log(alarmed) + log(found))


@metric(
    undefined=0,
    oracles=[
        # H = 1/2 and F = 1/4: ln(1/4 * 1/2 / (1/2 * 3/4)) / ln(1/4 * 1/2 * 3/4 * 1/2)
        by_hand(
            f"(ln F - ln H - ln(1-F) + ln(1-H)) / (ln F + ln H + ln(1-F) + ln(1-H)): {FERRO}",
            [[3, 1], [4, 4]],
            math.log(3) / math.log(64 / 3),
        )
    ],
)
def symmetric_extremal_dependence_index(c):
    """(ln F - ln H - ln(1-F) + ln(1-H)) / (ln F + ln H + ln(1-F) + ln(1-H))"""
    found, alarmed = recall(c), false_positive_rate(c)
    if found is UNDEFINED or alarmed is UNDEFINED:
        return UNDEFINED
    pro, contra = log(alarmed) + log(1 - found), log(found) + log(1 - alarmed)
    return _association(add(pro, -contra), pro + contra)


@metric(
    undefined=math.nan,
    oracles=[
        # pycm takes the odds of the threshold.
        pycm_method("NB", 0.25, threshold_probability=0.2),
        by_hand(
            "tp / n - fp / n p / (1 - p): Vickers & Elkin (2006), Decision curve analysis, Medical "
            "Decision Making 26",
            [[600, 200], [50, 150]],
            Fraction(150, 1000) - Fraction(200, 1000) * Fraction(1, 4),
            threshold_probability=0.2,
        ),
    ],
    cases=[{"threshold_probability": "3/10"}],
)
def net_benefit(c, threshold_probability):
    """(tp - fp p / (1 - p)) / n"""
    odds = Fraction(threshold_probability) / (1 - Fraction(threshold_probability))
    return divide(c.tp - c.fp * odds, c.tp + c.fp + c.fn + c.tn)


@metric(
    undefined=0,
    oracles=[
        # 3 of 4 predictions are right, and 1/2 of 16 samples are positive: (3/4 - 1/2) / (1 - 1/2)
        by_hand(
            "(p_ii - p_i. p_.i) / (p_i. - p_i. p_.i), i. as predicted: Light (1971), Measures of "
            "response agreement for qualitative data, Psychological Bulletin 76",
            [[7, 1], [5, 3]],
            Fraction(1, 2),
        )
    ],
)
def conditional_kappa(c):
    """(precision - prevalence) / (1 - prevalence)"""
    right, share = precision(c), prevalence(c)
    return UNDEFINED if right is UNDEFINED else divide(right - share, 1 - share)
