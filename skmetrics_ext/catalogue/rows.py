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
    MadeOf,
    OfDifferences,
    OfShare,
    OfTwoShares,
    OverClasses,
    Share,
    share_of,
)
from skmetrics_ext.formulas import all_classes, one_class, ranges

# What is a fact about the formula. Narrower classes come first; "unknown" is any function.
FunctionClass = Literal[
    # Of samples: rises by some, falls by others, each alike.
    "share",
    "linear over linear",
    # Within each actual or predicted class.
    "linear in actual rates",
    "linear in predicted rates",
    "function of actual rates",
    "function of predicted rates",
    "smooth",
    # Whose replicates are off by more than they vary, as sums of logarithms and of squares.
    "biased",
    # Not differentiable at ties.
    "kinked",
    "unknown",
]

# What formulas take of the order of the classes, which is no parameter of the metric.
OF_ORDER = ("label_distances", "label_steps")


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A row of the catalogue: a metric's names, how it is computed and how it is read."""

    name: str
    function: str
    formula: Callable[..., Any]
    text: str
    kind: FunctionClass
    # Of two classes, if it is another.
    kind_of_two: FunctionClass | None = None
    # What else determines it.
    made_of: MadeOf = None
    # Whether its slope is infinite at rates of 0 or 1, faster than that of a root.
    is_steep: bool = False
    # Whether it is known no better than the samples outside of the most frequent class let it be.
    rests_on_others: bool = False
    takes: Literal["class counts", "margins", "matrix"] = "class counts"
    range: str = "[0, 1]"
    # The lowest and the highest value, by what is given and by the formula's parameters.
    ends: Callable[..., ranges.Ends] = ranges.of_proportion
    better: Literal["higher", "lower", "neither"]
    undefined: float
    aliases: tuple[str, ...] = ()
    source: str
    # Parameters with which a metric of the margins needs the full matrix.
    needs_matrix: tuple[str, ...] = ()
    # Whether the order of classes matters where the full matrix is needed.
    ordered: bool = False
    # The multilabel counts that serve as margins, if any.
    multilabel: Literal["exact samples", "class counts"] | None = None
    # Whether labels absent from the data change the value.
    counts_absent_labels: bool = False
    # Whether the number of samples counts, beside their shares.
    needs_numbers: bool = False
    # Whether the function has averages that are not means of per-class values.
    own_averages: bool = False
    check: Callable[..., None] | None = None

    @cached_property
    def widest_ends(self) -> ranges.Ends:
        """The ends of the values with whatever parameters."""
        return ranges.of_any(ranges.NOTHING) if self._has_own_ends else self.ends(ranges.NOTHING)

    @cached_property
    def is_fixed_by_design(self) -> bool:
        """Whether it is known beforehand where the numbers of actual classes are chosen."""
        if self._has_own_ends:
            return False
        low, high = self.ends(ranges.Given(n_classes=2, shares=np.full(2, 0.5)))
        return bool(np.all(low == high))

    @cached_property
    def _has_own_ends(self) -> bool:
        """Whether the ends depend on parameters."""
        parameters = inspect.signature(self.ends).parameters.values()
        return any(parameter.kind is parameter.KEYWORD_ONLY for parameter in parameters)

    @cached_property
    def proportion(self) -> Share | None:
        """The proportion of samples that determines it, if one does."""
        if self.kind != "share":
            return None
        formula = self.formula if self.of_share is None else self.of_share.formula
        return share_of(formula, of_class=self.has_average)

    @property
    def share(self) -> Share | None:
        """The proportion of samples that it is, if it is one."""
        return None if self.of_share is not None else self.proportion

    @property
    def is_of_samples(self) -> bool:
        """Whether it is the proportion of some samples, whatever their errors are."""
        return self.share is not None and not self.share.is_overlap

    @property
    def of_share(self) -> OfShare | None:
        """The function of a proportion that it is, if it is another one."""
        return self.made_of if isinstance(self.made_of, OfShare) else None

    @property
    def of_two_shares(self) -> OfTwoShares | None:
        """The function of two proportions that it is, if it is one."""
        return self.made_of if isinstance(self.made_of, OfTwoShares) else None

    @property
    def is_of_actual(self) -> bool:
        """Whether the value depends only on rates within each actual class."""
        among = None if self.share is None else self.share.among
        of_actual = ("linear in actual rates", "function of actual rates")
        return self.kind in of_actual or among in (ACTUAL_POSITIVE, ACTUAL_NEGATIVE)

    @property
    def averages_are_of_actual(self) -> bool:
        """Whether the value of averages does: each class is counted apart."""
        return self.share is not None and self.share.among == ACTUAL_POSITIVE

    @property
    def is_ratio(self) -> bool:
        """Whether the logarithm of its odds or of itself is nearly normal."""
        if self.of_two_shares is not None:
            return self.of_two_shares.joined != "larger"
        return self.kind == "linear over linear" and self.widest_ends == (0, np.inf)

    @property
    def is_infinite_at_0(self) -> bool:
        """Whether an empty cell can make it infinite."""
        is_of_rates = self.kind in ("function of actual rates", "function of predicted rates")
        return is_of_rates and not (self._has_own_ends or np.isfinite(self.widest_ends).all())

    @property
    def is_product(self) -> bool:
        """Whether it has no value without any of all classes."""
        return self.kind == "function of actual rates" and not self.has_average

    @property
    def has_slope(self) -> bool:
        """Whether it is differentiable everywhere."""
        return self.kind not in ("biased", "kinked", "unknown")

    @property
    def is_biased(self) -> bool:
        """Whether replicates are off by more than they vary; with kinks, of all classes."""
        return self.kind == "biased" or (self.kind == "kinked" and not self.has_average)

    @property
    def is_custom(self) -> bool:
        """Whether it is a function of a user."""
        return self.kind == "unknown"

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


# docs/metrics has this order. What is said of none is as in `Metric`: counts of one class, within
# [0, 1]. Not here: functions of no single metric (confusion_matrix), and names
# that only scikit-learn has (roc_auc).
# fmt: off
METRICS = (
    Metric(name="precision", function="precision_score", formula=one_class.precision,
           text="tp / (tp + fp)",
           kind="share", better="higher", undefined=0,
           aliases=("ppv", "positive_predictive_value", "users_accuracy", "success_ratio"),
           source="scikit-learn"),
    Metric(name="recall", function="recall_score", formula=one_class.recall, text="tp / (tp + fn)",
           kind="share", better="higher", undefined=0,
           aliases=("sensitivity", "tpr", "true_positive_rate", "hit_rate", "pod",
                    "producers_accuracy"), source="scikit-learn"),
    Metric(name="specificity", function="specificity_score", formula=one_class.specificity,
           text="tn / (tn + fp)",
           kind="share", better="higher", undefined=0,
           aliases=("tnr", "true_negative_rate", "selectivity"), source="Yerushalmy 1947"),
    Metric(name="negative_predictive_value", function="negative_predictive_value",
           formula=one_class.negative_predictive_value, text="tn / (tn + fn)",
           kind="share", better="higher", undefined=0, aliases=("npv",),
           source="Altman & Bland 1994"),
    Metric(name="false_positive_rate", function="false_positive_rate",
           formula=one_class.false_positive_rate, text="fp / (fp + tn)",
           kind="share", better="lower", undefined=1, aliases=("fpr", "fall_out", "pofd"),
           source="Fawcett 2006"),
    Metric(name="false_negative_rate", function="false_negative_rate",
           formula=one_class.false_negative_rate, text="fn / (fn + tp)",
           kind="share", better="lower", undefined=1, aliases=("fnr", "miss_rate"),
           source="Fawcett 2006"),
    Metric(name="false_discovery_rate", function="false_discovery_rate",
           formula=one_class.false_discovery_rate, text="fp / (fp + tp)",
           kind="share", better="lower", undefined=1, aliases=("fdr", "false_alarm_ratio"),
           source="Benjamini & Hochberg 1995 (sample proportion)"),
    Metric(name="false_omission_rate", function="false_omission_rate",
           formula=one_class.false_omission_rate, text="fn / (fn + tn)",
           kind="share", better="lower", undefined=1,
           source="1 - negative predictive value, Altman & Bland 1994"),
    Metric(name="prevalence", function="prevalence", formula=one_class.prevalence,
           text="(tp + fn) / n",
           kind="share", ends=ranges.of_prevalence, better="neither", undefined=np.nan,
           aliases=("base_rate",), source="Fleiss et al. 2003"),
    Metric(name="predicted_positive_rate", function="predicted_positive_rate",
           formula=one_class.predicted_positive_rate, text="(tp + fp) / n",
           kind="share", better="neither", undefined=np.nan,
           aliases=("selection_rate", "detection_prevalence"), source="caret"),
    Metric(name="detection_rate", function="detection_rate", formula=one_class.detection_rate,
           text="tp / n",
           kind="share", ends=ranges.of_detection_rate, better="neither", undefined=np.nan,
           source="caret"),
    Metric(name="one_vs_rest_accuracy", function="one_vs_rest_accuracy_score",
           formula=one_class.one_vs_rest_accuracy, text="(tp + tn) / n",
           kind="share", better="higher", undefined=0, aliases=("accuracy_ovr",),
           source="Sokolova & Lapalme 2009"),
    Metric(name="one_vs_rest_error", function="one_vs_rest_error",
           formula=one_class.one_vs_rest_error, text="(fp + fn) / n",
           kind="share", better="lower", undefined=1, aliases=("classification_error",),
           source="Sokolova & Lapalme 2009"),

    Metric(name="f1", function="f1_score", formula=one_class.f1, text="2 tp / (2 tp + fp + fn)",
           kind="share", made_of=properties.F1, better="higher", undefined=0,
           aliases=("dice", "f_measure", "sorensen_dice"),
           source="van Rijsbergen 1979; scikit-learn"),
    Metric(name="fbeta", function="fbeta_score", formula=one_class.fbeta,
           text="(1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp)",
           kind="linear over linear", better="higher", undefined=0, check=one_class.check_fbeta,
           source="scikit-learn"),
    Metric(name="jaccard", function="jaccard_score", formula=one_class.jaccard,
           text="tp / (tp + fp + fn)",
           kind="share", better="higher", undefined=0,
           aliases=("iou", "csi", "critical_success_index", "threat_score"), source="scikit-learn"),
    Metric(name="tversky", function="tversky_score", formula=one_class.tversky,
           text="tp / (tp + alpha fp + beta fn)",
           kind="linear over linear", better="higher", undefined=0, check=one_class.check_finite,
           source="Tversky 1977"),
    Metric(name="overlap_coefficient", function="overlap_coefficient",
           formula=one_class.overlap_coefficient, text="tp / min(tp + fp, tp + fn)",
           kind="kinked", made_of=properties.LARGER_OF_BOTH, better="higher", undefined=0,
           aliases=("szymkiewicz_simpson",), source="Szymkiewicz 1934"),
    Metric(name="fowlkes_mallows_index", function="fowlkes_mallows_index",
           formula=one_class.fowlkes_mallows_index, text="tp / sqrt((tp + fp) (tp + fn))",
           kind="smooth", better="higher", undefined=0, aliases=("g_measure", "ochiai"),
           source="Fowlkes & Mallows 1983 (precision/recall form; not the clustering score)"),
    Metric(name="p4", function="p4_score", formula=one_class.p4,
           text="4 tp tn / (4 tp tn + (tp + tn) (fp + fn))",
           kind="smooth", better="higher", undefined=0, source="Sitarz 2022"),
    Metric(name="lift", function="lift_score", formula=one_class.lift,
           text="(tp / (tp + fp)) / ((tp + fn) / n)",
           kind="smooth", range="[0, inf)", ends=ranges.of_multiple_of_prevalence, better="higher",
           undefined=np.nan, source="Brin et al. 1997"),

    Metric(name="informedness", function="informedness_score", formula=one_class.informedness,
           text="tp / (tp + fn) + tn / (tn + fp) - 1",
           kind="linear in actual rates", range="[-1, 1]", ends=ranges.of_correlation,
           better="higher", undefined=0,
           aliases=("youden_j", "tss", "peirce", "bookmaker", "hanssen_kuipers"),
           source="Youden 1950; Powers 2011"),
    Metric(name="markedness", function="markedness_score", formula=one_class.markedness,
           text="tp / (tp + fp) + tn / (tn + fn) - 1",
           kind="linear in predicted rates", range="[-1, 1]", ends=ranges.of_correlation,
           better="higher", undefined=0, aliases=("delta_p",), source="Powers 2011"),
    Metric(name="g_mean", function="g_mean_score", formula=one_class.g_mean,
           text="sqrt(recall * specificity)",
           kind="function of actual rates", better="higher", undefined=0,
           source="Kubat & Matwin 1997"),
    Metric(name="one_vs_rest_balanced_accuracy", function="one_vs_rest_balanced_accuracy_score",
           formula=one_class.one_vs_rest_balanced_accuracy, text="(recall + specificity) / 2",
           kind="linear in actual rates", better="higher", undefined=0,
           source="Brodersen et al. 2010"),
    Metric(name="phi_coefficient", function="phi_coefficient", formula=one_class.phi_coefficient,
           text="(tp tn - fp fn) / sqrt((tp + fp) (tp + fn) (tn + fp) (tn + fn))",
           kind="smooth", range="[-1, 1]", ends=ranges.of_correlation, better="higher", undefined=0,
           aliases=("matthews_corrcoef_ovr",), source="Matthews 1975"),
    Metric(name="index_balanced_accuracy", function="index_balanced_accuracy",
           formula=one_class.index_balanced_accuracy,
           text="(1 + alpha (recall - specificity)) recall specificity",
           kind="function of actual rates", range="[0, 1] for alpha <= 1",
           ends=ranges.of_index_balanced_accuracy, better="higher", undefined=0,
           check=one_class.check_finite, aliases=("iba",),
           source="Garcia et al. 2009; imbalanced-learn's default alpha"),
    Metric(name="optimized_precision", function="optimized_precision_score",
           formula=one_class.optimized_precision,
           text="accuracy - |specificity - recall| / (specificity + recall)",
           kind="kinked", range="(-1, 1]", ends=ranges.of_correlation, better="higher", undefined=0,
           source="Ranawana & Palade 2006"),

    Metric(name="positive_likelihood_ratio", function="positive_likelihood_ratio",
           formula=one_class.positive_likelihood_ratio, text="recall / false_positive_rate",
           kind="function of actual rates", made_of=properties.POSITIVE_RATIO, range="[0, inf]",
           ends=ranges.of_odds, better="higher", undefined=np.nan, aliases=("plr", "lr_plus"),
           source="scikit-learn class_likelihood_ratios"),
    Metric(name="negative_likelihood_ratio", function="negative_likelihood_ratio",
           formula=one_class.negative_likelihood_ratio, text="false_negative_rate / specificity",
           kind="function of actual rates", made_of=properties.NEGATIVE_RATIO, range="[0, inf]",
           ends=ranges.of_odds, better="lower", undefined=np.nan, aliases=("nlr", "lr_minus"),
           source="scikit-learn class_likelihood_ratios"),
    Metric(name="diagnostic_odds_ratio", function="diagnostic_odds_ratio",
           formula=one_class.diagnostic_odds_ratio, text="tp tn / (fp fn)",
           kind="function of actual rates", made_of=properties.ODDS_RATIO, range="[0, inf]",
           ends=ranges.of_odds, better="higher", undefined=np.nan, aliases=("dor",),
           source="Glas et al. 2003"),
    Metric(name="yule_q", function="yule_q", formula=one_class.yule_q,
           text="(tp tn - fp fn) / (tp tn + fp fn)",
           kind="function of actual rates", made_of=properties.YULE_Q, range="[-1, 1]",
           ends=ranges.of_correlation, better="higher", undefined=0, aliases=("orss",),
           source="Yule 1900"),
    Metric(name="relative_risk", function="relative_risk", formula=one_class.relative_risk,
           text="precision / false_omission_rate",
           kind="function of predicted rates", made_of=properties.RELATIVE_RISK, range="[0, inf]",
           ends=ranges.of_odds, better="higher", undefined=np.nan, source="Cornfield 1951"),
    Metric(name="d_prime", function="d_prime", formula=one_class.d_prime,
           text="probit(recall) - probit(false_positive_rate)",
           kind="function of actual rates", range="[-inf, inf]", ends=ranges.of_any,
           better="higher", undefined=0, aliases=("sensitivity_index",),
           source="Green & Swets 1966"),
    Metric(name="prevalence_threshold", function="prevalence_threshold",
           formula=one_class.prevalence_threshold,
           text="sqrt(F) / (sqrt(H) + sqrt(F)), H = recall, F = false_positive_rate",
           kind="function of actual rates", made_of=properties.PREVALENCE_THRESHOLD, better="lower",
           undefined=1, source="Balayla 2020"),

    Metric(name="frequency_bias", function="frequency_bias", formula=one_class.frequency_bias,
           text="(tp + fp) / (tp + fn)",
           kind="linear over linear", range="[0, inf]", ends=ranges.of_multiple_of_prevalence,
           better="neither", undefined=np.nan, source="WMO forecast verification"),
    Metric(name="gilbert_skill", function="gilbert_skill_score", formula=one_class.gilbert_skill,
           text="(tp - a) / (tp + fp + fn - a), a = (tp + fp)(tp + fn) / n",
           kind="smooth", range="[-1/3, 1]", ends=ranges.of_gilbert_skill, better="higher",
           undefined=0, aliases=("ets", "equitable_threat_score"), source="Gilbert 1884"),
    Metric(name="extremal_dependence_index", function="extremal_dependence_index",
           formula=one_class.extremal_dependence_index,
           text="(ln F - ln H) / (ln F + ln H), H = recall, F = false_positive_rate",
           kind="function of actual rates", is_steep=True, range="[-1, 1]",
           ends=ranges.of_correlation, better="higher", undefined=0, aliases=("edi",),
           source="Ferro & Stephenson 2011"),
    Metric(name="symmetric_extremal_dependence_index",
           function="symmetric_extremal_dependence_index",
           formula=one_class.symmetric_extremal_dependence_index,
           text="(ln F - ln H - ln(1-F) + ln(1-H)) / (ln F + ln H + ln(1-F) + ln(1-H))",
           kind="function of actual rates", is_steep=True, range="[-1, 1]",
           ends=ranges.of_correlation, better="higher", undefined=0, aliases=("sedi",),
           source="Ferro & Stephenson 2011"),
    Metric(name="conditional_kappa", function="conditional_kappa_score",
           formula=one_class.conditional_kappa, text="(precision - prevalence) / (1 - prevalence)",
           kind="smooth", range="(-inf, 1]", ends=ranges.of_conditional_kappa, better="higher",
           undefined=0, source="Light 1971"),
    Metric(name="peirce_skill", function="peirce_skill_score", formula=all_classes.peirce_skill,
           text="(po - sum row_i col_i / n^2) / (1 - sum row_i^2 / n^2)",
           kind="smooth", kind_of_two="linear in actual rates", takes="margins", range="[-1, 1]",
           ends=ranges.of_correlation, better="higher", undefined=0,
           aliases=("multi_category_pss",), source="Peirce 1884; WMO"),
    Metric(name="gerrity", function="gerrity_score", formula=all_classes.gerrity,
           text="sum_ij p_ij s_ij",
           kind="smooth", kind_of_two="linear in actual rates", takes="matrix", range="[-1, 1]",
           ends=ranges.of_correlation, better="higher", undefined=0, ordered=True,
           counts_absent_labels=True, source="Gerrity 1992"),

    Metric(name="net_benefit", function="net_benefit", formula=one_class.net_benefit,
           text="(tp - fp p / (1 - p)) / n",
           kind="linear over linear", range="(-inf, prevalence]", ends=ranges.of_net_benefit,
           better="higher", undefined=np.nan, check=one_class.check_net_benefit,
           source="Vickers & Elkin 2006"),
    Metric(name="expected_cost", function="expected_cost", formula=all_classes.expected_cost,
           text="sum_ij M_ij cost_ij / n",
           kind="linear over linear", rests_on_others=True, takes="matrix",
           range="[min cost, max cost]", ends=ranges.of_expected_cost, better="lower",
           undefined=np.nan, counts_absent_labels=True, source="Elkan 2001"),
    Metric(name="macro_averaged_mean_absolute_error", function="macro_averaged_mean_absolute_error",
           formula=all_classes.macro_averaged_mean_absolute_error,
           text="mean_i sum_j M_ij |y_i - y_j| / row_i",
           kind="linear in actual rates", takes="matrix", range="[0, range]",
           ends=ranges.of_macro_averaged_mean_absolute_error, better="lower", undefined=np.nan,
           counts_absent_labels=True, source="Baccianella et al. 2009; imbalanced-learn"),

    Metric(name="accuracy", function="accuracy_score", formula=all_classes.accuracy,
           text="trace / n",
           kind="share", takes="margins", better="higher", undefined=0, multilabel="exact samples",
           aliases=("overall_accuracy",), source="scikit-learn"),
    Metric(name="zero_one_loss", function="zero_one_loss", formula=all_classes.zero_one_loss,
           text="1 - trace / n",
           kind="share", takes="margins", better="lower", undefined=1, multilabel="exact samples",
           aliases=("error_rate", "misclassification_rate"), source="scikit-learn"),
    Metric(name="hamming_loss", function="hamming_loss", formula=all_classes.hamming_loss,
           text="1 - trace / n",
           kind="share", takes="margins", better="lower", undefined=1, multilabel="class counts",
           source="scikit-learn"),
    Metric(name="balanced_accuracy", function="balanced_accuracy_score",
           formula=all_classes.balanced_accuracy,
           text="mean of tp_i / row_i over the classes that occur in y_true",
           kind="linear in actual rates", made_of=OverClasses("recall", "mean"), takes="margins",
           range="[0, 1]; adjusted [-1/(K-1), 1]", ends=ranges.of_balanced_accuracy,
           better="higher", undefined=np.nan, check=all_classes.check_balanced_accuracy,
           source="scikit-learn; Brodersen et al. 2010"),
    Metric(name="geometric_mean", function="geometric_mean_score",
           formula=all_classes.geometric_mean, text="(prod_i recall_i)^(1/K)",
           kind="function of actual rates", takes="margins", ends=ranges.of_geometric_mean,
           better="higher", undefined=0, own_averages=True, check=one_class.check_finite,
           source="Kubat & Matwin 1997; imbalanced-learn average='multiclass'"),
    Metric(name="no_information_rate", function="no_information_rate",
           formula=all_classes.no_information_rate, text="max_i row_i / n",
           kind="kinked", made_of=OverClasses("prevalence", "largest"), takes="margins",
           range="[1/K, 1]", ends=ranges.of_no_information_rate, better="neither", undefined=np.nan,
           aliases=("nir",), source="caret"),
    Metric(name="class_balance_accuracy", function="class_balance_accuracy",
           formula=all_classes.class_balance_accuracy, text="mean_i tp_i / max(row_i, col_i)",
           kind="kinked", takes="margins", better="higher", undefined=0, aliases=("cba",),
           source="Mosley 2013"),

    Metric(name="matthews_corrcoef", function="matthews_corrcoef",
           formula=all_classes.matthews_corrcoef,
           text="(n trace - sum row_i col_i) / sqrt((n^2 - sum col_i^2) (n^2 - sum row_i^2))",
           kind="smooth", takes="margins", range="[-1, 1]", ends=ranges.of_correlation,
           better="higher", undefined=0, aliases=("mcc", "r_k"),
           source="Gorodkin 2004; scikit-learn"),
    Metric(name="cohen_kappa", function="cohen_kappa_score", formula=all_classes.cohen_kappa,
           text="(po - pe) / (1 - pe), pe = sum row_i col_i / n^2",
           kind="smooth", takes="margins", range="[-1, 1]", ends=ranges.of_cohen_kappa,
           better="higher", undefined=np.nan, needs_matrix=("weights",), ordered=True,
           counts_absent_labels=True, check=all_classes.check_cohen_kappa,
           aliases=("kappa", "heidke_skill_score", "hss"), source="Cohen 1960; scikit-learn"),
    Metric(name="scott_pi", function="scott_pi", formula=all_classes.scott_pi,
           text="(po - pe) / (1 - pe), pe = sum ((row_i + col_i) / 2n)^2",
           kind="smooth", rests_on_others=True, takes="margins", range="[-1, 1]",
           ends=ranges.of_correlation, better="higher", undefined=0, source="Scott 1955"),
    Metric(name="krippendorff_alpha", function="krippendorff_alpha",
           formula=all_classes.krippendorff_alpha,
           text="((1 - e) po + e - pe) / (1 - pe), e = 1 / (2n), "
                "pe = sum ((row_i + col_i) / 2n)^2",
           kind="smooth", rests_on_others=True, takes="margins", range="(-1, 1]",
           ends=ranges.of_correlation, better="higher", undefined=0, needs_numbers=True,
           source="Krippendorff 1970"),
    Metric(name="gwet_ac1", function="gwet_ac1", formula=all_classes.gwet_ac1,
           text="(po - pe) / (1 - pe), pe = sum q_i (1 - q_i) / (K - 1), "
                "q_i = (row_i + col_i) / 2n",
           kind="smooth", takes="margins", range="[-1/(K-1), 1]",
           ends=ranges.of_agreement_beyond_equal_chance, better="higher", undefined=0,
           counts_absent_labels=True, aliases=("ac1",), source="Gwet 2008"),
    Metric(name="bennett_s", function="bennett_s", formula=all_classes.bennett_s,
           text="(po - 1/K) / (1 - 1/K)",
           kind="share", made_of=properties.BENNETT, takes="margins", range="[-1/(K-1), 1]",
           ends=ranges.of_agreement_beyond_equal_chance, better="higher", undefined=0,
           counts_absent_labels=True, aliases=("pabak",), source="Bennett et al. 1954"),
    Metric(name="quantity_disagreement", function="quantity_disagreement",
           formula=all_classes.quantity_disagreement, text="sum |row_i - col_i| / 2n",
           kind="kinked", made_of=OfDifferences(), takes="margins",
           ends=ranges.of_quantity_disagreement, better="lower", undefined=1,
           source="Pontius & Millones 2011"),
    Metric(name="allocation_disagreement", function="allocation_disagreement",
           formula=all_classes.allocation_disagreement, text="(1 - po) - quantity_disagreement",
           kind="kinked", made_of=OfDifferences(adds_accuracy=True), takes="margins",
           ends=ranges.of_allocation_disagreement, better="lower", undefined=1,
           source="Pontius & Millones 2011"),

    Metric(name="cramers_v", function="cramers_v", formula=all_classes.cramers_v,
           text="sqrt(chi2 / n / (min(nonempty rows, nonempty columns) - 1))",
           kind="biased", takes="matrix", better="higher", undefined=0, source="Cramer 1946"),
    Metric(name="mutual_information", function="mutual_information",
           formula=all_classes.mutual_information, text="sum p_ij ln(p_ij / (p_i q_j))",
           kind="biased", takes="matrix", range="[0, ln K]", ends=ranges.of_mutual_information,
           better="higher", undefined=np.nan, source="Shannon 1948"),
    Metric(name="normalized_mutual_information", function="normalized_mutual_information",
           formula=all_classes.normalized_mutual_information,
           text="mutual_information / mean(H(true), H(pred))",
           kind="biased", takes="matrix", better="higher", undefined=1, aliases=("nmi",),
           source="scikit-learn"),
    Metric(name="uncertainty_coefficient", function="uncertainty_coefficient",
           formula=all_classes.uncertainty_coefficient, text="mutual_information / H(true)",
           kind="biased", takes="matrix", better="higher", undefined=0,
           aliases=("theils_u", "relative_classifier_information", "rci"), source="Theil 1970"),
    Metric(name="confusion_entropy", function="confusion_entropy",
           formula=all_classes.confusion_entropy,
           text="sum_j P_j H_j, H_j = -sum_{k != j} (p_jk log p_jk + p_kj log p_kj)",
           kind="biased", kind_of_two="smooth", takes="matrix",
           range="[0, 1] for K > 2; can exceed 1 for K = 2", ends=ranges.of_confusion_entropy,
           better="lower", undefined=1, counts_absent_labels=True, aliases=("cen",),
           source="Wei et al. 2010"),
)
# fmt: on

BY_NAME = {name: row for row in METRICS for name in (row.name, *row.aliases)}
# Recall has two functions.
BY_FUNCTION = {row.function: row for row in METRICS} | {"sensitivity_score": BY_NAME["recall"]}
