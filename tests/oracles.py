"""Who else knows a metric's value: another library's function, or a worked example."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import log
from types import MappingProxyType
from typing import Any, NamedTuple

import imblearn.metrics
import numpy as np
import scipy.stats
import sklearn.metrics as sk
from pycm import ConfusionMatrix as PycmMatrix


class Library(NamedTuple):
    """A function of labels 0, 1, ... that gives the value, or an array of one value a class."""

    name: str
    values: Callable[..., Any]
    parameters: Mapping[str, Any] = MappingProxyType({})
    precision: float = 1e-11


class Example(NamedTuple):
    """The value of the last class, or of all, of a table with a row an actual class; a string is a
    rounded value.
    """

    source: str
    table: list[list[int]]
    value: float | Fraction | str
    parameters: Mapping[str, Any] = MappingProxyType({})

    @property
    def tolerance(self) -> float:
        """Half a unit of the last digit that was printed, or rounding."""
        if not isinstance(self.value, str):
            return 1e-14 * abs(float(self.value))
        return 0.5000001 * 10.0 ** -len(self.value.partition(".")[2])


# Libraries.


def each_class(function, **options):
    """A function of two classes for each class against the rest."""

    def values(y_true, y_pred):
        return [
            function(y_true == label, y_pred == label, **options) for label in np.unique(y_true)
        ]

    return values


def table_of_each_class(function):
    """A function of tp, fp, fn and tn for each class against the rest."""
    return each_class(
        lambda true, pred: function(*sk.confusion_matrix(true, pred).ravel()[[3, 1, 2, 0]].tolist())
    )


def scikit_learn(function, **parameters):
    return Library(
        "scikit-learn", lambda y_true, y_pred: function(y_true, y_pred, **parameters), parameters
    )


def scikit_learn_by_class(function, **parameters):
    def values(y_true, y_pred):
        return function(y_true, y_pred, average=None, **parameters)

    return Library("scikit-learn", values, parameters)


def scikit_learn_of_each_class(function, **options):
    return Library("scikit-learn", each_class(function, **options))


def imbalanced_learn(function, **options):
    return Library("imbalanced-learn", lambda y_true, y_pred: function(y_true, y_pred, **options))


def scipy_of_tables(function):
    return Library("scipy", table_of_each_class(function))


def pycm_matrix(y_true, y_pred):
    counts = sk.confusion_matrix(y_true, y_pred).tolist()
    return PycmMatrix(matrix={k: dict(enumerate(row)) for k, row in enumerate(counts)})


def pycm(name):
    """A statistic of each class."""
    return Library("pycm", lambda *labels: list(pycm_matrix(*labels).class_stat[name].values()))


def pycm_method(name, *arguments, precision=1e-11, **parameters):
    """A method that gives one value a class, whose own arguments may differ from our parameters."""
    return Library(
        "pycm",
        lambda *labels: list(getattr(pycm_matrix(*labels), name)(*arguments).values()),
        parameters,
        precision,
    )


def pycm_overall(name, unit=1.0):
    """A statistic of all classes, in our unit."""
    return Library("pycm", lambda *labels: pycm_matrix(*labels).overall_stat[name] * unit)


def harmonic_mean_of_four_rates(tp, fp, fn, tn):
    return scipy.stats.hmean([tp / (tp + fp), tp / (tp + fn), tn / (tn + fp), tn / (tn + fn)])


def difference_of_quantiles(tp, fp, fn, tn):
    return scipy.stats.norm.ppf(tp / (tp + fn)) - scipy.stats.norm.ppf(fp / (fp + tn))


def odds_ratio(tp, fp, fn, tn):
    return scipy.stats.contingency.odds_ratio([[tp, fp], [fn, tn]], kind="sample").statistic


def relative_risk(tp, fp, fn, tn):
    return scipy.stats.contingency.relative_risk(tp, tp + fp, fn, fn + tn).relative_risk


def association(y_true, y_pred):
    return scipy.stats.contingency.association(sk.confusion_matrix(y_true, y_pred), "cramer")


index_of_geometric_mean = imblearn.metrics.make_index_balanced_accuracy(alpha=0.1)(
    imblearn.metrics.geometric_mean_score
)


# Worked examples. The counts of two classes are [[tn, fp], [fn, tp]].


def finley(value):
    """28 tornadoes forecast, 23 missed, 72 false alarms, 2680 times neither."""
    source = (
        "Finley (1884); the scores as in Wilks (2011), Statistical Methods in the Atmospheric "
        "Sciences, 8.2.2"
    )
    return Example(source, [[2680, 72], [23, 28]], value)


def caret(value):
    """20 of 30 sick and 180 of 2000 healthy people with a positive test."""
    source = (
        "what confusionMatrix of R's caret prints for the table of Wikipedia's Sensitivity and "
        "specificity"
    )
    return Example(source, [[1820, 180], [10, 20]], value)


def gwet(value):
    source = (
        "Gwet (2002), Kappa statistic is not satisfactory for assessing the extent of agreement: "
        "kappa's paradox"
    )
    return Example(source, [[118, 5], [2, 0]], value)


def krippendorff(value):
    source = (
        "Krippendorff (2011), Computing Krippendorff's alpha-reliability, A: two observers, binary "
        "data"
    )
    return Example(source, [[5, 3], [1, 1]], value)


def by_hand(formula, table, value, **parameters):
    return Example(f"by hand from {formula}", table, value, parameters)


FERRO = "Ferro & Stephenson (2011), Extremal dependence indices, Weather and Forecasting 26"
PONTIUS = "Pontius & Millones (2011), Death to Kappa, International Journal of Remote Sensing 32"
PONTIUS_TABLE = [[30, 5, 2], [1, 20, 9], [8, 0, 25]]
GERRITY = (
    "Gerrity (1992), A note on Gandin and Murphy's equitable skill score, Monthly Weather Review "
    "120"
)


# By the names of METRICS, in its order. A test fails for a row that is not here.
ORACLES: dict[str, list[Library | Example]] = {
    "precision": [scikit_learn_by_class(sk.precision_score), pycm("PPV"), caret("0.100000")],
    "recall": [
        scikit_learn_by_class(sk.recall_score),
        pycm("TPR"),
        finley("0.549"),
        caret("0.666667"),
    ],
    "specificity": [
        imbalanced_learn(imblearn.metrics.specificity_score, average=None),
        pycm("TNR"),
        caret("0.910000"),
    ],
    "negative_predictive_value": [pycm("NPV"), caret("0.994536")],
    "false_positive_rate": [pycm("FPR"), finley("0.0262")],
    "false_negative_rate": [pycm("FNR")],
    "false_discovery_rate": [pycm("FDR"), finley("0.720")],
    "false_omission_rate": [pycm("FOR")],
    "prevalence": [pycm("PRE"), caret("0.014778")],
    "predicted_positive_rate": [pycm("TOPR"), caret("0.098522")],
    "detection_rate": [caret("0.009852")],
    "one_vs_rest_accuracy": [
        scikit_learn_of_each_class(sk.accuracy_score),
        pycm("ACC"),
        finley("0.966"),
    ],
    "one_vs_rest_error": [scikit_learn_of_each_class(sk.zero_one_loss), pycm("ERR")],
    "f1": [scikit_learn_by_class(sk.f1_score), pycm("F1")],
    "fbeta": [scikit_learn_by_class(sk.fbeta_score, beta=3), pycm_method("F_beta", 3, beta=3)],
    "jaccard": [scikit_learn_by_class(sk.jaccard_score), pycm("J"), finley("0.228")],
    # pycm's alpha is for false negatives.
    "tversky": [pycm_method("TI", 0.3, 0.6, alpha=0.6, beta=0.3)],
    "overlap_coefficient": [pycm("OC")],
    "fowlkes_mallows_index": [pycm("G")],
    "p4": [scipy_of_tables(harmonic_mean_of_four_rates)],
    "lift": [pycm("LS")],
    "informedness": [
        scikit_learn_of_each_class(sk.balanced_accuracy_score, adjusted=True),
        pycm("BM"),
        finley("0.523"),
    ],
    "markedness": [pycm("MK")],
    "g_mean": [imbalanced_learn(imblearn.metrics.geometric_mean_score, average=None), pycm("GM")],
    "one_vs_rest_balanced_accuracy": [
        scikit_learn_of_each_class(sk.balanced_accuracy_score),
        pycm("AUC"),
        caret("0.788333"),
    ],
    "phi_coefficient": [scikit_learn_of_each_class(sk.matthews_corrcoef), pycm("MCC")],
    # pycm's statistic has alpha = 1.
    "index_balanced_accuracy": [
        imbalanced_learn(index_of_geometric_mean, average=None),
        pycm_method("IBA_alpha", 0.4, alpha=0.4),
    ],
    "optimized_precision": [pycm("OP")],
    "positive_likelihood_ratio": [
        Library("scikit-learn", each_class(lambda *labels: sk.class_likelihood_ratios(*labels)[0])),
        pycm("PLR"),
    ],
    "negative_likelihood_ratio": [
        Library("scikit-learn", each_class(lambda *labels: sk.class_likelihood_ratios(*labels)[1])),
        pycm("NLR"),
    ],
    "diagnostic_odds_ratio": [scipy_of_tables(odds_ratio), pycm("DOR"), finley("45.3")],
    "yule_q": [pycm("Q"), finley("0.957")],
    "relative_risk": [scipy_of_tables(relative_risk)],
    "d_prime": [
        scipy_of_tables(difference_of_quantiles),
        pycm_method("sensitivity_index", precision=1e-7),
    ],
    "prevalence_threshold": [
        # a = 0.64 and b = 0.84: (0.32 - 0.16) / 0.48
        by_hand(
            "(sqrt(a (1 - b)) + b - 1) / (a + b - 1), sensitivity a and specificity b: Balayla "
            "(2020), Prevalence threshold (phi e) and the geometry of screening curves, PLoS ONE "
            "15, e0240215",
            [[84, 16], [36, 64]],
            Fraction(1, 3),
        )
    ],
    "frequency_bias": [finley("1.96")],
    "gilbert_skill": [finley("0.216")],
    "extremal_dependence_index": [
        # H = 1/2 and F = H**3: (3 - 1) / (3 + 1)
        by_hand(f"(ln F - ln H) / (ln F + ln H): {FERRO}", [[7, 1], [4, 4]], Fraction(1, 2)),
        by_hand(
            f"(ln F - ln H) / (ln F + ln H): {FERRO}", [[90, 10], [4, 6]], log(1 / 6) / log(0.06)
        ),
    ],
    "symmetric_extremal_dependence_index": [
        # H = 1/2 and F = 1/4: ln(1/4 * 1/2 / (1/2 * 3/4)) / ln(1/4 * 1/2 * 3/4 * 1/2)
        by_hand(
            f"(ln F - ln H - ln(1-F) + ln(1-H)) / (ln F + ln H + ln(1-F) + ln(1-H)): {FERRO}",
            [[3, 1], [4, 4]],
            log(3) / log(64 / 3),
        )
    ],
    "conditional_kappa": [
        # 3 of 4 predictions are right, and 1/2 of 16 samples are positive: (3/4 - 1/2) / (1 - 1/2)
        by_hand(
            "(p_ii - p_i. p_.i) / (p_i. - p_i. p_.i), i. as predicted: Light (1971), Measures of "
            "response agreement for qualitative data, Psychological Bulletin 76",
            [[7, 1], [5, 3]],
            Fraction(1, 2),
        )
    ],
    "peirce_skill": [
        finley("0.523"),
        # Row sums 5 3 2, column sums 4 3 3: products add up to 35, squares of the former to 38.
        by_hand(
            "(po - sum p_i q_i) / (1 - sum p_i^2), p_i as observed: Wilks (2011), 8.2.6",
            [[3, 1, 1], [1, 1, 1], [0, 1, 1]],
            (Fraction(5, 10) - Fraction(35, 100)) / (1 - Fraction(38, 100)),
        ),
    ],
    "gerrity": [
        # Of three equally likely classes the scores are 5/4 1/2 5/4 on the diagonal, -1/4 for one
        # and -1 for two steps.
        Example(GERRITY, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], Fraction(1)),
        Example(
            GERRITY,
            [[0, 1, 0], [0, 1, 0], [0, 0, 1]],
            Fraction(-1, 12) + Fraction(1, 6) + Fraction(5, 12),
        ),
        Example(
            GERRITY,
            [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
            Fraction(-1, 3) - Fraction(1, 12) - Fraction(1, 12),
        ),
    ],
    "net_benefit": [
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
    "expected_cost": [
        by_hand(
            "the mean of the costs of all cases: Elkan (2001), The foundations of cost-sensitive "
            "learning, IJCAI",
            [[80, 10], [4, 6]],
            Fraction(10 * 1 + 4 * 5, 100),
            cost_matrix=[[0, 1], [5, 0]],
        )
    ],
    "macro_averaged_mean_absolute_error": [
        imbalanced_learn(imblearn.metrics.macro_averaged_mean_absolute_error)
    ],
    "accuracy": [
        scikit_learn(sk.accuracy_score),
        pycm_overall("Overall ACC"),
        finley("0.966"),
        caret("0.9064"),
    ],
    "zero_one_loss": [scikit_learn(sk.zero_one_loss)],
    "hamming_loss": [scikit_learn(sk.hamming_loss), pycm_overall("Hamming Loss")],
    "balanced_accuracy": [scikit_learn(sk.balanced_accuracy_score), caret("0.788333")],
    "geometric_mean": [imbalanced_learn(imblearn.metrics.geometric_mean_score)],
    "no_information_rate": [pycm_overall("NIR"), caret("0.9852")],
    "class_balance_accuracy": [pycm_overall("CBA")],
    "matthews_corrcoef": [scikit_learn(sk.matthews_corrcoef), pycm_overall("Overall MCC")],
    "cohen_kappa": [
        scikit_learn(sk.cohen_kappa_score),
        scikit_learn(sk.cohen_kappa_score, weights="linear"),
        scikit_learn(sk.cohen_kappa_score, weights="quadratic"),
        pycm_overall("Kappa"),
        finley("0.355"),
        caret("0.1521"),
        gwet("-0.023"),
    ],
    "scott_pi": [pycm_overall("Scott PI")],
    "krippendorff_alpha": [pycm_overall("Krippendorff Alpha"), krippendorff("0.095")],
    "gwet_ac1": [pycm_overall("Gwet AC1"), gwet("0.94")],
    "bennett_s": [pycm_overall("Bennett S")],
    "quantity_disagreement": [
        # Row sums 37 30 33, column sums 39 25 36.
        by_hand(
            f"half the sum of |row - column| / n: {PONTIUS}",
            PONTIUS_TABLE,
            Fraction(2 + 5 + 3, 200),
        )
    ],
    "allocation_disagreement": [
        # Twice the lesser of what is missing and what is too much in each class: min(7, 9), min(10,
        # 5), min(8, 11).
        by_hand(
            f"half the sum of 2 min(row - p_gg, column - p_gg) / n: {PONTIUS}",
            PONTIUS_TABLE,
            Fraction(20, 100),
        )
    ],
    "cramers_v": [Library("scipy", association), pycm_overall("Cramer V")],
    "mutual_information": [
        scikit_learn(sk.mutual_info_score),
        pycm_overall("Mutual Information", np.log(2)),
    ],
    "normalized_mutual_information": [scikit_learn(sk.normalized_mutual_info_score)],
    "uncertainty_coefficient": [scikit_learn(sk.homogeneity_score), pycm_overall("RCI")],
    "confusion_entropy": [pycm_overall("Overall CEN")],
}
