"""METRICS, one literal row per metric: its names, how it is computed and how it is read."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from skmetrics_ext.catalogue import properties
from skmetrics_ext.catalogue.properties import (
    ACTUAL_NEGATIVE,
    ACTUAL_POSITIVE,
    ALL,
    PREDICTED_NEGATIVE,
    PREDICTED_POSITIVE,
    RIGHT,
    WRONG,
    OfShare,
    OfTwoShares,
    Share,
)
from skmetrics_ext.formulas import all_classes, one_class, ranges

Limits = Literal[
    "share",
    "scaled share",
    "largest share",
    "overlap",
    "linear over linear",
    "smooth",
    "linear in actual rates",
    "linear in predicted rates",
    "steep",
    "log",
    "atanh",
    "logit",
    "replicates",
    "quantity",
    "allocation",
    "biased",
]


# What formulas take of the order of the classes, which is no parameter of the metric.
OF_ORDER = ("label_distances", "label_steps")


@dataclass(frozen=True)
class Metric:
    """A row of the catalogue: a metric's names, how it is computed and how it is read."""

    name: str
    function: str
    formula: Callable[..., Any]
    text: str
    takes: Literal["class counts", "margins", "matrix"]
    range: str
    better: Literal["higher", "lower", "neither"]
    undefined: float
    aliases: tuple[str, ...]
    source: str
    # Parameters with which a metric of the margins needs the full matrix.
    needs_matrix: tuple[str, ...] = ()
    # Whether the order of classes matters where the full matrix is needed.
    ordered: bool = False
    # The multilabel counts that serve as margins, if any.
    multilabel: Literal["exact samples", "class counts"] | None = None
    # Whether labels absent from the data change the value.
    counts_absent_labels: bool = False
    # Whether the function has averages that are not means of per-class values.
    own_averages: bool = False
    check: Callable[..., None] | None = None
    # How limits are computed; "log", "atanh", "logit": the scale on which it is nearly normal;
    # "smooth": between known ends; "steep": its slope is infinite at rates of 0 or 1.
    interval: Limits = "replicates"
    # The same of two classes, if only of these.
    interval_of_two: Limits | None = None
    # The lowest and the highest value, by what is given and by the formula's parameters.
    ends: Callable[..., ranges.Ends] = ranges.of_any
    share: Share | None = None
    # What determines it: a proportion, or two.
    of_share: OfShare | None = None
    of_two_shares: OfTwoShares | None = None
    # Whether the value, or that of averages, depends only on rates within each actual class.
    is_of_actual: bool = False
    averages_are_of_actual: bool = False
    # Whether it is known beforehand where the numbers of actual classes are chosen.
    is_fixed_by_design: bool = False
    # The metric of each class of which it is the mean or the largest.
    mean_of: str = ""
    largest_of: str = ""
    is_product: bool = False
    is_infinite_at_0: bool = False
    # Whether it is not differentiable at ties.
    has_kinks: bool = False
    # Whether it is known no better than the samples outside of the most frequent class let it be.
    rests_on_others: bool = False
    # Whether it is bounded by the entropy of the classes, of which a sample has less.
    is_below_entropy: bool = False
    # Whether the number of samples counts, beside their shares.
    needs_numbers: bool = False
    is_custom: bool = False

    @cached_property
    def widest_ends(self) -> ranges.Ends:
        """The ends of the values with whatever parameters."""
        parameters = inspect.signature(self.ends).parameters.values()
        if any(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters):
            return ranges.of_any(ranges.NOTHING)
        return self.ends(ranges.NOTHING)

    @property
    def has_average(self) -> bool:
        """Whether there is one value per class, to be averaged."""
        return self.takes == "class counts"

    @cached_property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """The formula's own parameters, by name."""
        _, *parameters = inspect.signature(self.formula).parameters.values()
        unnamed = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return {
            parameter.name: parameter
            for parameter in parameters
            if parameter.name not in OF_ORDER and parameter.kind not in unnamed
        }

    @cached_property
    def takes_label_distances(self) -> bool:
        """Whether the formula needs the distances between the labels."""
        return "label_distances" in inspect.signature(self.formula).parameters

    def takes_matrix(self, parameters: dict[str, Any]) -> bool:
        """Whether margins are insufficient, with these parameters."""
        return self.takes == "matrix" or any(
            parameters.get(name) is not None for name in self.needs_matrix
        )

    def takes_table(self, parameters: dict[str, Any]) -> bool:
        """Whether one of these parameters is a table of disagreements, not its name."""
        return any(
            not isinstance(parameters.get(name), (str, type(None))) for name in self.needs_matrix
        )

    def goes_by_order(self, parameters: dict[str, Any]) -> bool:
        """Whether the order of classes matters; a table may name them."""
        return self.ordered and self.takes_matrix(parameters) and not self.takes_table(parameters)

    @property
    def scorer_prefix(self) -> str:
        """What a scorer's name starts with, as in scikit-learn."""
        return "neg_" if self.better == "lower" else ""

    @property
    def scorer_name(self) -> str:
        """The name of its scorer, without an average."""
        return self.scorer_prefix + self.name

    @cached_property
    def required(self) -> list[str]:
        """The parameters without a default."""
        return [
            name
            for name, parameter in self.parameters.items()
            if parameter.default is parameter.empty
        ]


TP, FP, FN, TN = (frozenset({cell}) for cell in ("tp", "fp", "fn", "tn"))

# docs/metrics has this order. Not here: functions of no single metric (confusion_matrix), and names
# that only scikit-learn has (roc_auc).
# fmt: off
METRICS = (
    Metric("precision", "precision_score", one_class.precision,
           "tp / (tp + fp)", "class counts", "[0, 1]", "higher", 0,
           ("ppv", "positive_predictive_value", "users_accuracy", "success_ratio"),
           "scikit-learn", interval="share",
           ends=ranges.of_proportion, share=Share(TP, PREDICTED_POSITIVE)),
    Metric("recall", "recall_score", one_class.recall,
           "tp / (tp + fn)", "class counts", "[0, 1]", "higher", 0,
           ("sensitivity", "tpr", "true_positive_rate", "hit_rate", "pod", "producers_accuracy"),
           "scikit-learn",
           interval="share",
           ends=ranges.of_proportion, share=Share(TP, ACTUAL_POSITIVE), is_of_actual=True,
           averages_are_of_actual=True),
    Metric("specificity", "specificity_score", one_class.specificity,
           "tn / (tn + fp)", "class counts", "[0, 1]", "higher", 0,
           ("tnr", "true_negative_rate", "selectivity"), "Yerushalmy 1947", interval="share",
           ends=ranges.of_proportion, share=Share(TN, ACTUAL_NEGATIVE), is_of_actual=True),
    Metric("negative_predictive_value", "negative_predictive_value",
           one_class.negative_predictive_value,
           "tn / (tn + fn)", "class counts", "[0, 1]", "higher", 0,
           ("npv",), "Altman & Bland 1994", interval="share",
           ends=ranges.of_proportion, share=Share(TN, PREDICTED_NEGATIVE)),
    Metric("false_positive_rate", "false_positive_rate", one_class.false_positive_rate,
           "fp / (fp + tn)", "class counts", "[0, 1]", "lower", 1,
           ("fpr", "fall_out", "pofd"), "Fawcett 2006", interval="share",
           ends=ranges.of_proportion, share=Share(FP, ACTUAL_NEGATIVE), is_of_actual=True),
    Metric("false_negative_rate", "false_negative_rate", one_class.false_negative_rate,
           "fn / (fn + tp)", "class counts", "[0, 1]", "lower", 1,
           ("fnr", "miss_rate"), "Fawcett 2006", interval="share",
           ends=ranges.of_proportion, share=Share(FN, ACTUAL_POSITIVE), is_of_actual=True,
           averages_are_of_actual=True),
    Metric("false_discovery_rate", "false_discovery_rate", one_class.false_discovery_rate,
           "fp / (fp + tp)", "class counts", "[0, 1]", "lower", 1,
           ("fdr", "false_alarm_ratio"),
           "Benjamini & Hochberg 1995 (sample proportion)", interval="share",
           ends=ranges.of_proportion, share=Share(FP, PREDICTED_POSITIVE)),
    Metric("false_omission_rate", "false_omission_rate", one_class.false_omission_rate,
           "fn / (fn + tn)", "class counts", "[0, 1]", "lower", 1,
           (), "1 - negative predictive value, Altman & Bland 1994", interval="share",
           ends=ranges.of_proportion, share=Share(FN, PREDICTED_NEGATIVE)),
    Metric("prevalence", "prevalence", one_class.prevalence,
           "(tp + fn) / n", "class counts", "[0, 1]", "neither", np.nan,
           ("base_rate",), "Fleiss et al. 2003", interval="share",
           ends=ranges.of_prevalence, share=Share(ACTUAL_POSITIVE, ALL), is_fixed_by_design=True),
    Metric("predicted_positive_rate", "predicted_positive_rate", one_class.predicted_positive_rate,
           "(tp + fp) / n", "class counts", "[0, 1]", "neither", np.nan,
           ("selection_rate", "detection_prevalence"), "caret", interval="share",
           ends=ranges.of_proportion, share=Share(PREDICTED_POSITIVE, ALL)),
    Metric("detection_rate", "detection_rate", one_class.detection_rate,
           "tp / n", "class counts", "[0, 1]", "neither", np.nan,
           (), "caret", interval="share",
           ends=ranges.of_detection_rate, share=Share(TP, ALL)),
    Metric("one_vs_rest_accuracy", "one_vs_rest_accuracy_score", one_class.one_vs_rest_accuracy,
           "(tp + tn) / n", "class counts", "[0, 1]", "higher", 0,
           ("accuracy_ovr",), "Sokolova & Lapalme 2009", interval="share",
           ends=ranges.of_proportion, share=Share(RIGHT, ALL)),
    Metric("one_vs_rest_error", "one_vs_rest_error", one_class.one_vs_rest_error,
           "(fp + fn) / n", "class counts", "[0, 1]", "lower", 1,
           ("classification_error",), "Sokolova & Lapalme 2009", interval="share",
           ends=ranges.of_proportion, share=Share(WRONG, ALL)),

    Metric("f1", "f1_score", one_class.f1,
           "2 tp / (2 tp + fp + fn)", "class counts", "[0, 1]", "higher", 0,
           ("dice", "f_measure", "sorensen_dice"),
           "van Rijsbergen 1979; scikit-learn", interval="overlap",
           ends=ranges.of_proportion, of_share=properties.F1),
    Metric("fbeta", "fbeta_score", one_class.fbeta,
           "(1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp)", "class counts", "[0, 1]", "higher", 0,
           (), "scikit-learn", check=one_class.check_fbeta, interval="overlap",
           ends=ranges.of_proportion),
    Metric("jaccard", "jaccard_score", one_class.jaccard,
           "tp / (tp + fp + fn)", "class counts", "[0, 1]", "higher", 0,
           ("iou", "csi", "critical_success_index", "threat_score"),
           "scikit-learn", interval="overlap",
           ends=ranges.of_proportion, share=Share(TP, TP | WRONG)),
    Metric("tversky", "tversky_score", one_class.tversky,
           "tp / (tp + alpha fp + beta fn)", "class counts", "[0, 1]", "higher", 0,
           (), "Tversky 1977", check=one_class.check_finite, interval="overlap",
           ends=ranges.of_proportion),
    Metric("overlap_coefficient", "overlap_coefficient", one_class.overlap_coefficient,
           "tp / min(tp + fp, tp + fn)", "class counts", "[0, 1]", "higher", 0,
           ("szymkiewicz_simpson",), "Szymkiewicz 1934", has_kinks=True,
           ends=ranges.of_proportion, of_two_shares=properties.LARGER_OF_BOTH),
    Metric("fowlkes_mallows_index", "fowlkes_mallows_index", one_class.fowlkes_mallows_index,
           "tp / sqrt((tp + fp) (tp + fn))", "class counts", "[0, 1]", "higher", 0,
           ("g_measure", "ochiai"), "Fowlkes & Mallows 1983 (precision/recall form; not the "
                                    "clustering score)",
           interval="smooth", ends=ranges.of_proportion),
    Metric("p4", "p4_score", one_class.p4,
           "4 tp tn / (4 tp tn + (tp + tn) (fp + fn))", "class counts", "[0, 1]", "higher", 0,
           (), "Sitarz 2022",
           interval="smooth", ends=ranges.of_proportion),
    Metric("lift", "lift_score", one_class.lift,
           "(tp / (tp + fp)) / ((tp + fn) / n)", "class counts", "[0, inf)", "higher", np.nan,
           (), "Brin et al. 1997",
           ends=ranges.of_multiple_of_prevalence),

    Metric("informedness", "informedness_score", one_class.informedness,
           "tp / (tp + fn) + tn / (tn + fp) - 1", "class counts", "[-1, 1]", "higher", 0,
           ("youden_j", "tss", "peirce", "bookmaker", "hanssen_kuipers"),
           "Youden 1950; Powers 2011", interval="linear in actual rates",
           ends=ranges.of_correlation, is_of_actual=True),
    Metric("markedness", "markedness_score", one_class.markedness,
           "tp / (tp + fp) + tn / (tn + fn) - 1", "class counts", "[-1, 1]", "higher", 0,
           ("delta_p",), "Powers 2011", interval="linear in predicted rates",
           ends=ranges.of_correlation),
    Metric("g_mean", "g_mean_score", one_class.g_mean,
           "sqrt(recall * specificity)", "class counts", "[0, 1]", "higher", 0,
           (), "Kubat & Matwin 1997",
           interval="smooth", ends=ranges.of_proportion, is_of_actual=True),
    Metric("one_vs_rest_balanced_accuracy", "one_vs_rest_balanced_accuracy_score",
           one_class.one_vs_rest_balanced_accuracy,
           "(recall + specificity) / 2", "class counts", "[0, 1]", "higher", 0,
           (), "Brodersen et al. 2010", interval="linear in actual rates",
           ends=ranges.of_proportion, is_of_actual=True),
    Metric("phi_coefficient", "phi_coefficient", one_class.phi_coefficient,
           "(tp tn - fp fn) / sqrt((tp + fp) (tp + fn) (tn + fp) (tn + fn))",
           "class counts", "[-1, 1]", "higher", 0,
           ("matthews_corrcoef_ovr",), "Matthews 1975",
           interval="smooth", ends=ranges.of_correlation),
    Metric("index_balanced_accuracy", "index_balanced_accuracy", one_class.index_balanced_accuracy,
           "(1 + alpha (recall - specificity)) recall specificity",
           "class counts", "[0, 1] for alpha <= 1", "higher", 0,
           ("iba",), "Garcia et al. 2009; imbalanced-learn's default alpha",
           check=one_class.check_finite,
           interval="smooth", ends=ranges.of_index_balanced_accuracy, is_of_actual=True),
    Metric("optimized_precision", "optimized_precision_score", one_class.optimized_precision,
           "accuracy - |specificity - recall| / (specificity + recall)",
           "class counts", "(-1, 1]", "higher", 0,
           (), "Ranawana & Palade 2006", has_kinks=True,
           ends=ranges.of_correlation),

    Metric("positive_likelihood_ratio", "positive_likelihood_ratio",
           one_class.positive_likelihood_ratio,
           "recall / false_positive_rate", "class counts", "[0, inf)", "higher", np.nan,
           ("plr", "lr_plus"), "scikit-learn class_likelihood_ratios", interval="log",
           ends=ranges.of_odds, of_two_shares=properties.POSITIVE_RATIO, is_of_actual=True,
           is_infinite_at_0=True),
    Metric("negative_likelihood_ratio", "negative_likelihood_ratio",
           one_class.negative_likelihood_ratio,
           "false_negative_rate / specificity", "class counts", "[0, inf)", "lower", np.nan,
           ("nlr", "lr_minus"), "scikit-learn class_likelihood_ratios", interval="log",
           ends=ranges.of_odds, of_two_shares=properties.NEGATIVE_RATIO, is_of_actual=True,
           is_infinite_at_0=True),
    Metric("diagnostic_odds_ratio", "diagnostic_odds_ratio", one_class.diagnostic_odds_ratio,
           "tp tn / (fp fn)", "class counts", "[0, inf)", "higher", np.nan,
           ("dor",), "Glas et al. 2003", interval="log",
           ends=ranges.of_odds, is_of_actual=True, is_infinite_at_0=True),
    Metric("yule_q", "yule_q", one_class.yule_q,
           "(tp tn - fp fn) / (tp tn + fp fn)", "class counts", "[-1, 1]", "higher", 0,
           ("orss",), "Yule 1900", interval="atanh",
           ends=ranges.of_correlation, is_of_actual=True),
    Metric("relative_risk", "relative_risk", one_class.relative_risk,
           "precision / false_omission_rate", "class counts", "[0, inf)", "higher", np.nan,
           (), "Cornfield 1951", interval="log",
           ends=ranges.of_odds, of_two_shares=properties.RELATIVE_RISK, is_infinite_at_0=True),
    Metric("d_prime", "d_prime", one_class.d_prime,
           "probit(recall) - probit(false_positive_rate)",
           "class counts", "(-inf, inf)", "higher", 0,
           ("sensitivity_index",), "Green & Swets 1966",
           ends=ranges.of_any, is_of_actual=True, is_infinite_at_0=True),
    Metric("prevalence_threshold", "prevalence_threshold", one_class.prevalence_threshold,
           "sqrt(F) / (sqrt(H) + sqrt(F)), H = recall, F = false_positive_rate",
           "class counts", "[0, 1]", "lower", 1,
           (), "Balayla 2020", interval="logit",
           ends=ranges.of_proportion, of_two_shares=properties.PREVALENCE_THRESHOLD,
           is_of_actual=True),

    Metric("frequency_bias", "frequency_bias", one_class.frequency_bias,
           "(tp + fp) / (tp + fn)", "class counts", "[0, inf)", "neither", np.nan,
           (), "WMO forecast verification", interval="log",
           ends=ranges.of_multiple_of_prevalence),
    Metric("gilbert_skill", "gilbert_skill_score", one_class.gilbert_skill,
           "(tp - a) / (tp + fp + fn - a), a = (tp + fp)(tp + fn) / n",
           "class counts", "[-1/3, 1]", "higher", 0,
           ("ets", "equitable_threat_score"), "Gilbert 1884",
           interval="smooth", ends=ranges.of_gilbert_skill),
    Metric("extremal_dependence_index", "extremal_dependence_index",
           one_class.extremal_dependence_index,
           "(ln F - ln H) / (ln F + ln H), H = recall, F = false_positive_rate",
           "class counts", "[-1, 1]", "higher", 0,
           ("edi",), "Ferro & Stephenson 2011", interval="steep",
           ends=ranges.of_correlation, is_of_actual=True),
    Metric("symmetric_extremal_dependence_index", "symmetric_extremal_dependence_index",
           one_class.symmetric_extremal_dependence_index,
           "(ln F - ln H - ln(1-F) + ln(1-H)) / (ln F + ln H + ln(1-F) + ln(1-H))",
           "class counts", "[-1, 1]", "higher", 0,
           ("sedi",), "Ferro & Stephenson 2011", interval="steep",
           ends=ranges.of_correlation, is_of_actual=True),
    Metric("conditional_kappa", "conditional_kappa_score", one_class.conditional_kappa,
           "(precision - prevalence) / (1 - prevalence)", "class counts", "(-inf, 1]", "higher", 0,
           (), "Light 1971",
           ends=ranges.of_conditional_kappa),
    Metric("peirce_skill", "peirce_skill_score", all_classes.peirce_skill,
           "(po - sum row_i col_i / n^2) / (1 - sum row_i^2 / n^2)",
           "margins", "[-1, 1]", "higher", 0,
           ("multi_category_pss",), "Peirce 1884; WMO",
           interval_of_two="linear in actual rates",
           interval="smooth", ends=ranges.of_correlation),
    Metric("gerrity", "gerrity_score", all_classes.gerrity,
           "sum_ij p_ij s_ij", "matrix", "[-1, 1]", "higher", 0,
           (), "Gerrity 1992", ordered=True, counts_absent_labels=True,
           interval_of_two="linear in actual rates",
           interval="smooth", ends=ranges.of_correlation),

    Metric("net_benefit", "net_benefit", one_class.net_benefit,
           "(tp - fp p / (1 - p)) / n", "class counts", "(-inf, prevalence]", "higher", np.nan,
           (), "Vickers & Elkin 2006", check=one_class.check_net_benefit,
           interval="linear over linear", ends=ranges.of_net_benefit),
    Metric("expected_cost", "expected_cost", all_classes.expected_cost,
           "sum_ij M_ij cost_ij / n", "matrix", "[min cost, max cost]", "lower", np.nan,
           (), "Elkan 2001", counts_absent_labels=True, rests_on_others=True,
           interval="linear over linear",
           ends=ranges.of_expected_cost),
    Metric("macro_averaged_mean_absolute_error", "macro_averaged_mean_absolute_error",
           all_classes.macro_averaged_mean_absolute_error,
           "mean_i sum_j M_ij |y_i - y_j| / row_i", "matrix", "[0, range]", "lower", np.nan,
           (), "Baccianella et al. 2009; imbalanced-learn", counts_absent_labels=True,
           interval_of_two="linear in actual rates",
           ends=ranges.of_macro_averaged_mean_absolute_error, is_of_actual=True),

    Metric("accuracy", "accuracy_score", all_classes.accuracy,
           "trace / n", "margins", "[0, 1]", "higher", 0,
           ("overall_accuracy",), "scikit-learn", multilabel="exact samples", interval="share",
           ends=ranges.of_proportion, share=Share(RIGHT, ALL)),
    Metric("zero_one_loss", "zero_one_loss", all_classes.zero_one_loss,
           "1 - trace / n", "margins", "[0, 1]", "lower", 1,
           ("error_rate", "misclassification_rate"),
           "scikit-learn", multilabel="exact samples", interval="share",
           ends=ranges.of_proportion, share=Share(WRONG, ALL)),
    Metric("hamming_loss", "hamming_loss", all_classes.hamming_loss,
           "1 - trace / n", "margins", "[0, 1]", "lower", 1,
           (), "scikit-learn", multilabel="class counts", interval="share",
           ends=ranges.of_proportion, share=Share(WRONG, ALL)),
    Metric("balanced_accuracy", "balanced_accuracy_score", all_classes.balanced_accuracy,
           "mean of tp_i / row_i over the classes that occur in y_true",
           "margins", "[0, 1]; adjusted [-1/(K-1), 1]", "higher", np.nan,
           (), "scikit-learn; Brodersen et al. 2010", check=all_classes.check_balanced_accuracy,
           interval_of_two="linear in actual rates",
           ends=ranges.of_balanced_accuracy, mean_of="recall", is_of_actual=True),
    Metric("geometric_mean", "geometric_mean_score", all_classes.geometric_mean,
           "(prod_i recall_i)^(1/K)", "margins", "[0, 1]", "higher", 0,
           (), "Kubat & Matwin 1997; imbalanced-learn average='multiclass'", own_averages=True,
           check=one_class.check_finite,
           interval="smooth", ends=ranges.of_geometric_mean, is_product=True, is_of_actual=True),
    Metric("no_information_rate", "no_information_rate", all_classes.no_information_rate,
           "max_i row_i / n", "margins", "[1/K, 1]", "neither", np.nan,
           ("nir",), "caret", interval="largest share", has_kinks=True,
           ends=ranges.of_no_information_rate, largest_of="prevalence", is_fixed_by_design=True),
    Metric("class_balance_accuracy", "class_balance_accuracy", all_classes.class_balance_accuracy,
           "mean_i tp_i / max(row_i, col_i)", "margins", "[0, 1]", "higher", 0,
           ("cba",), "Mosley 2013", interval="biased", has_kinks=True,
           ends=ranges.of_proportion),

    Metric("matthews_corrcoef", "matthews_corrcoef", all_classes.matthews_corrcoef,
           "(n trace - sum row_i col_i) / sqrt((n^2 - sum col_i^2) (n^2 - sum row_i^2))",
           "margins", "[-1, 1]", "higher", 0,
           ("mcc", "r_k"), "Gorodkin 2004; scikit-learn",
           interval="smooth", ends=ranges.of_correlation),
    Metric("cohen_kappa", "cohen_kappa_score", all_classes.cohen_kappa,
           "(po - pe) / (1 - pe), pe = sum row_i col_i / n^2",
           "margins", "[-1, 1]", "higher", np.nan,
           ("kappa", "heidke_skill_score", "hss"), "Cohen 1960; scikit-learn",
           needs_matrix=("weights",), ordered=True, counts_absent_labels=True,
           check=all_classes.check_cohen_kappa,
           interval="smooth", ends=ranges.of_cohen_kappa),
    Metric("scott_pi", "scott_pi", all_classes.scott_pi,
           "(po - pe) / (1 - pe), pe = sum ((row_i + col_i) / 2n)^2",
           "margins", "[-1, 1]", "higher", 0,
           (), "Scott 1955", rests_on_others=True,
           interval="smooth", ends=ranges.of_correlation),
    Metric("krippendorff_alpha", "krippendorff_alpha", all_classes.krippendorff_alpha,
           "((1 - e) po + e - pe) / (1 - pe), e = 1 / (2n), pe = sum ((row_i + col_i) / 2n)^2",
           "margins", "(-1, 1]", "higher", 0,
           (), "Krippendorff 1970", rests_on_others=True, needs_numbers=True,
           interval="smooth", ends=ranges.of_correlation),
    Metric("gwet_ac1", "gwet_ac1", all_classes.gwet_ac1,
           "(po - pe) / (1 - pe), pe = sum q_i (1 - q_i) / (K - 1), q_i = (row_i + col_i) / 2n",
           "margins", "[-1/(K-1), 1]", "higher", 0,
           ("ac1",), "Gwet 2008", counts_absent_labels=True,
           interval="smooth", ends=ranges.of_agreement_beyond_equal_chance),
    Metric("bennett_s", "bennett_s", all_classes.bennett_s,
           "(po - 1/K) / (1 - 1/K)", "margins", "[-1/(K-1), 1]", "higher", 0,
           ("pabak",), "Bennett et al. 1954", counts_absent_labels=True, interval="scaled share",
           ends=ranges.of_agreement_beyond_equal_chance, of_share=properties.BENNETT),
    Metric("quantity_disagreement", "quantity_disagreement", all_classes.quantity_disagreement,
           "sum |row_i - col_i| / 2n", "margins", "[0, 1]", "lower", 1,
           (), "Pontius & Millones 2011", interval="quantity", has_kinks=True,
           ends=ranges.of_quantity_disagreement),
    Metric("allocation_disagreement", "allocation_disagreement",
           all_classes.allocation_disagreement,
           "(1 - po) - quantity_disagreement", "margins", "[0, 1]", "lower", 1,
           (), "Pontius & Millones 2011", interval="allocation", has_kinks=True,
           ends=ranges.of_allocation_disagreement),

    Metric("cramers_v", "cramers_v", all_classes.cramers_v,
           "sqrt(chi2 / n / (min(nonempty rows, nonempty columns) - 1))",
           "matrix", "[0, 1]", "higher", 0,
           (), "Cramer 1946", interval="biased",
           ends=ranges.of_proportion),
    Metric("mutual_information", "mutual_information", all_classes.mutual_information,
           "sum p_ij ln(p_ij / (p_i q_j))", "matrix", "[0, ln K]", "higher", np.nan,
           (), "Shannon 1948", interval="biased", is_below_entropy=True,
           ends=ranges.of_mutual_information),
    Metric("normalized_mutual_information", "normalized_mutual_information",
           all_classes.normalized_mutual_information,
           "mutual_information / mean(H(true), H(pred))", "matrix", "[0, 1]", "higher", 1,
           ("nmi",), "scikit-learn", interval="biased",
           ends=ranges.of_proportion),
    Metric("uncertainty_coefficient", "uncertainty_coefficient",
           all_classes.uncertainty_coefficient,
           "mutual_information / H(true)", "matrix", "[0, 1]", "higher", 0,
           ("theils_u", "relative_classifier_information", "rci"), "Theil 1970", interval="biased",
           ends=ranges.of_proportion),
    Metric("confusion_entropy", "confusion_entropy", all_classes.confusion_entropy,
           "sum_j P_j H_j, H_j = -sum_{k != j} (p_jk log p_jk + p_kj log p_kj)",
           "matrix", "[0, 1] for K > 2; can exceed 1 for K = 2", "lower", 1,
           ("cen",), "Wei et al. 2010", counts_absent_labels=True, interval="biased",
           ends=ranges.of_confusion_entropy),
)
# fmt: on

BY_NAME = {name: row for row in METRICS for name in (row.name, *row.aliases)}
# Recall has two functions.
BY_FUNCTION = {row.function: row for row in METRICS} | {"sensitivity_score": BY_NAME["recall"]}
