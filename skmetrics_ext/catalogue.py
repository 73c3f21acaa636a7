"""METRICS, one literal row a metric, and the one `score` that every object which holds counts calls."""

import difflib
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import metrics as sklearn_metrics

from skmetrics_ext import formulas, overall_formulas
from skmetrics_ext.counts import ClassCounts, Counts, Margins, classes_of, margins_of
from skmetrics_ext.evaluate import (
    AVERAGES,
    ZeroDivision,
    check_average,
    check_zero_division,
    class_value,
    one_class,
    overall_value,
)
from skmetrics_ext.labels import read_order
from skmetrics_ext.reading.numbers import read_costs
from skmetrics_ext.reading.order import check_ordered, positions_in, show

SUFFIXES = tuple(average for average in AVERAGES if average != "binary")


@dataclass(frozen=True)
class Metric:
    """A row of the catalogue: what a metric is called, how it is computed and how it is read."""

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
    needs_matrix: tuple[str, ...] = ()
    """Parameters that make a metric of margins one of the matrix."""
    ordered: bool = False
    """Whether the order of the classes counts, beyond what their numbers tell."""
    multilabel: Literal["exact samples", "class counts"] | None = None
    """The counts of multilabel data that stand for margins, if any do."""
    counts_absent_labels: bool = False
    """Whether the value depends on labels that the data lack, such as their number."""
    own_averages: bool = False
    """Whether the function has averages that are no means of one value a class."""

    @property
    def has_average(self) -> bool:
        """Whether there is one value a class, which an average sums up."""
        return self.takes == "class counts"

    @cached_property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """The formula's own parameters, by name."""
        _, *parameters = inspect.signature(self.formula).parameters.values()
        return {parameter.name: parameter for parameter in parameters if parameter.name != "label_distances"}

    def takes_matrix(self, parameters: dict[str, Any]) -> bool:
        """Whether margins are not enough, with these parameters."""
        return self.takes == "matrix" or any(parameters.get(name) is not None for name in self.needs_matrix)

    @property
    def scorer_prefix(self) -> str:
        """What a scorer's name starts with, as in scikit-learn."""
        return "neg_" if self.better == "lower" else ""

    @property
    def required(self) -> list[str]:
        """The parameters without a default."""
        return [name for name, parameter in self.parameters.items() if parameter.default is parameter.empty]


# In the order of the families. Not here: functions that are no single metric
# (confusion_matrix), and names that only scikit-learn has (roc_auc).
# fmt: off
METRICS = (
    Metric("precision", "precision_score", formulas.precision,
           "tp / (tp + fp)",
           "class counts", "[0, 1]", "higher", 0,
           ("ppv", "positive_predictive_value", "users_accuracy", "success_ratio"), "scikit-learn"),
    Metric("recall", "recall_score", formulas.recall,
           "tp / (tp + fn)",
           "class counts", "[0, 1]", "higher", 0,
           ("sensitivity", "tpr", "true_positive_rate", "hit_rate", "pod", "producers_accuracy"), "scikit-learn"),
    Metric("specificity", "specificity_score", formulas.specificity,
           "tn / (tn + fp)",
           "class counts", "[0, 1]", "higher", 0,
           ("tnr", "true_negative_rate", "selectivity"), "Yerushalmy 1947"),
    Metric("negative_predictive_value", "negative_predictive_value", formulas.negative_predictive_value,
           "tn / (tn + fn)",
           "class counts", "[0, 1]", "higher", 0,
           ("npv",), "Altman & Bland 1994"),
    Metric("false_positive_rate", "false_positive_rate", formulas.false_positive_rate,
           "fp / (fp + tn)",
           "class counts", "[0, 1]", "lower", 1,
           ("fpr", "fall_out", "pofd"), "Fawcett 2006"),
    Metric("false_negative_rate", "false_negative_rate", formulas.false_negative_rate,
           "fn / (fn + tp)",
           "class counts", "[0, 1]", "lower", 1,
           ("fnr", "miss_rate"), "Fawcett 2006"),
    Metric("false_discovery_rate", "false_discovery_rate", formulas.false_discovery_rate,
           "fp / (fp + tp)",
           "class counts", "[0, 1]", "lower", 1,
           ("fdr", "false_alarm_ratio"), "Benjamini & Hochberg 1995 (sample proportion)"),
    Metric("false_omission_rate", "false_omission_rate", formulas.false_omission_rate,
           "fn / (fn + tn)",
           "class counts", "[0, 1]", "lower", 1,
           (), "1 - negative predictive value, Altman & Bland 1994"),
    Metric("prevalence", "prevalence", formulas.prevalence,
           "(tp + fn) / n",
           "class counts", "[0, 1]", "neither", np.nan,
           ("base_rate",), "Fleiss et al. 2003"),
    Metric("predicted_positive_rate", "predicted_positive_rate", formulas.predicted_positive_rate,
           "(tp + fp) / n",
           "class counts", "[0, 1]", "neither", np.nan,
           ("selection_rate", "detection_prevalence"), "caret"),
    Metric("detection_rate", "detection_rate", formulas.detection_rate,
           "tp / n",
           "class counts", "[0, 1]", "neither", np.nan,
           (), "caret"),
    Metric("one_vs_rest_accuracy", "one_vs_rest_accuracy_score", formulas.one_vs_rest_accuracy,
           "(tp + tn) / n",
           "class counts", "[0, 1]", "higher", 0,
           ("accuracy_ovr",), "Sokolova & Lapalme 2009"),
    Metric("one_vs_rest_error", "one_vs_rest_error", formulas.one_vs_rest_error,
           "(fp + fn) / n",
           "class counts", "[0, 1]", "lower", 1,
           ("classification_error",), "Sokolova & Lapalme 2009"),

    Metric("f1", "f1_score", formulas.f1,
           "2 tp / (2 tp + fp + fn)",
           "class counts", "[0, 1]", "higher", 0,
           ("dice", "f_measure", "sorensen_dice"), "van Rijsbergen 1979; scikit-learn"),
    Metric("fbeta", "fbeta_score", formulas.fbeta,
           "(1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp)",
           "class counts", "[0, 1]", "higher", 0,
           (), "scikit-learn"),
    Metric("jaccard", "jaccard_score", formulas.jaccard,
           "tp / (tp + fp + fn)",
           "class counts", "[0, 1]", "higher", 0,
           ("iou", "csi", "critical_success_index", "threat_score"), "scikit-learn"),
    Metric("tversky", "tversky_score", formulas.tversky,
           "tp / (tp + alpha fp + beta fn)",
           "class counts", "[0, 1]", "higher", 0,
           (), "Tversky 1977"),
    Metric("overlap_coefficient", "overlap_coefficient", formulas.overlap_coefficient,
           "tp / min(tp + fp, tp + fn)",
           "class counts", "[0, 1]", "higher", 0,
           ("szymkiewicz_simpson",), "Szymkiewicz 1934"),
    Metric("fowlkes_mallows_index", "fowlkes_mallows_index", formulas.fowlkes_mallows_index,
           "tp / sqrt((tp + fp) (tp + fn))",
           "class counts", "[0, 1]", "higher", 0,
           ("g_measure", "ochiai"), "Fowlkes & Mallows 1983 (precision/recall form; not the clustering score)"),
    Metric("p4", "p4_score", formulas.p4,
           "4 tp tn / (4 tp tn + (tp + tn) (fp + fn))",
           "class counts", "[0, 1]", "higher", 0,
           (), "Sitarz 2022"),
    Metric("lift", "lift_score", formulas.lift,
           "(tp / (tp + fp)) / ((tp + fn) / n)",
           "class counts", "[0, inf)", "higher", np.nan,
           (), "Brin et al. 1997"),

    Metric("informedness", "informedness_score", formulas.informedness,
           "tp / (tp + fn) + tn / (tn + fp) - 1",
           "class counts", "[-1, 1]", "higher", 0,
           ("youden_j", "tss", "peirce", "bookmaker", "hanssen_kuipers"), "Youden 1950; Powers 2011"),
    Metric("markedness", "markedness_score", formulas.markedness,
           "tp / (tp + fp) + tn / (tn + fn) - 1",
           "class counts", "[-1, 1]", "higher", 0,
           ("delta_p",), "Powers 2011"),
    Metric("g_mean", "g_mean_score", formulas.g_mean,
           "sqrt(recall * specificity)",
           "class counts", "[0, 1]", "higher", 0,
           (), "Kubat & Matwin 1997"),
    Metric("one_vs_rest_balanced_accuracy", "one_vs_rest_balanced_accuracy_score",
           formulas.one_vs_rest_balanced_accuracy,
           "(recall + specificity) / 2",
           "class counts", "[0, 1]", "higher", 0,
           (), "Brodersen et al. 2010"),
    Metric("phi_coefficient", "phi_coefficient", formulas.phi_coefficient,
           "(tp tn - fp fn) / sqrt((tp + fp) (tp + fn) (tn + fp) (tn + fn))",
           "class counts", "[-1, 1]", "higher", 0,
           ("matthews_corrcoef_ovr",), "Matthews 1975"),
    Metric("index_balanced_accuracy", "index_balanced_accuracy_score", formulas.index_balanced_accuracy,
           "(1 + alpha (recall - specificity)) recall specificity",
           "class counts", "[0, 1] for alpha <= 1", "higher", 0,
           ("iba",), "Garcia et al. 2009; imbalanced-learn's default alpha"),
    Metric("optimized_precision", "optimized_precision_score", formulas.optimized_precision,
           "accuracy - |specificity - recall| / (specificity + recall)",
           "class counts", "(-1, 1]", "higher", 0,
           (), "Ranawana & Palade 2006"),

    Metric("positive_likelihood_ratio", "positive_likelihood_ratio", formulas.positive_likelihood_ratio,
           "recall / false_positive_rate",
           "class counts", "[0, inf)", "higher", np.nan,
           ("plr", "lr_plus"), "scikit-learn class_likelihood_ratios"),
    Metric("negative_likelihood_ratio", "negative_likelihood_ratio", formulas.negative_likelihood_ratio,
           "false_negative_rate / specificity",
           "class counts", "[0, inf)", "lower", np.nan,
           ("nlr", "lr_minus"), "scikit-learn class_likelihood_ratios"),
    Metric("diagnostic_odds_ratio", "diagnostic_odds_ratio", formulas.diagnostic_odds_ratio,
           "tp tn / (fp fn)",
           "class counts", "[0, inf)", "higher", np.nan,
           ("dor",), "Glas et al. 2003"),
    Metric("yule_q", "yule_q_score", formulas.yule_q,
           "(tp tn - fp fn) / (tp tn + fp fn)",
           "class counts", "[-1, 1]", "higher", 0,
           ("orss",), "Yule 1900"),
    Metric("relative_risk", "relative_risk", formulas.relative_risk,
           "precision / false_omission_rate",
           "class counts", "[0, inf)", "higher", np.nan,
           (), "Cornfield 1951"),
    Metric("d_prime", "d_prime_score", formulas.d_prime,
           "probit(recall) - probit(false_positive_rate)",
           "class counts", "(-inf, inf)", "higher", 0,
           ("sensitivity_index",), "Green & Swets 1966"),
    Metric("prevalence_threshold", "prevalence_threshold", formulas.prevalence_threshold,
           "sqrt(F) / (sqrt(H) + sqrt(F)), H = recall, F = false_positive_rate",
           "class counts", "[0, 1]", "lower", 1,
           (), "Balayla 2020"),

    Metric("frequency_bias", "frequency_bias", formulas.frequency_bias,
           "(tp + fp) / (tp + fn)",
           "class counts", "[0, inf)", "neither", np.nan,
           (), "WMO forecast verification"),
    Metric("gilbert_skill", "gilbert_skill_score", formulas.gilbert_skill,
           "(tp - a) / (tp + fp + fn - a), a = (tp + fp)(tp + fn) / n",
           "class counts", "[-1/3, 1]", "higher", 0,
           ("ets", "equitable_threat_score"), "Gilbert 1884"),
    Metric("extremal_dependence_index", "extremal_dependence_index", formulas.extremal_dependence_index,
           "(ln F - ln H) / (ln F + ln H), H = recall, F = false_positive_rate",
           "class counts", "[-1, 1]", "higher", 0,
           ("edi",), "Ferro & Stephenson 2011"),
    Metric("symmetric_extremal_dependence_index", "symmetric_extremal_dependence_index",
           formulas.symmetric_extremal_dependence_index,
           "(ln F - ln H - ln(1-F) + ln(1-H)) / (ln F + ln H + ln(1-F) + ln(1-H))",
           "class counts", "[-1, 1]", "higher", 0,
           ("sedi",), "Ferro & Stephenson 2011"),
    Metric("conditional_kappa", "conditional_kappa", formulas.conditional_kappa,
           "(precision - prevalence) / (1 - prevalence)",
           "class counts", "(-inf, 1]", "higher", 0,
           (), "Light 1971"),
    Metric("peirce_skill", "peirce_skill_score", overall_formulas.peirce_skill,
           "(po - sum row_i col_i / n^2) / (1 - sum row_i^2 / n^2)",
           "margins", "[-1, 1]", "higher", 0,
           ("multi_category_pss",), "Peirce 1884; WMO"),
    Metric("gerrity", "gerrity_score", overall_formulas.gerrity,
           "sum_ij p_ij s_ij",
           "matrix", "[-1, 1]", "higher", 0,
           (), "Gerrity 1992", ordered=True, counts_absent_labels=True),

    Metric("net_benefit", "net_benefit", formulas.net_benefit,
           "(tp - fp p / (1 - p)) / n",
           "class counts", "(-inf, prevalence]", "higher", np.nan,
           (), "Vickers & Elkin 2006"),
    Metric("expected_cost", "expected_cost", overall_formulas.expected_cost,
           "sum_ij M_ij cost_ij / n",
           "matrix", "[min cost, max cost]", "lower", np.nan,
           (), "Elkan 2001", counts_absent_labels=True),
    Metric("macro_averaged_mean_absolute_error", "macro_averaged_mean_absolute_error",
           overall_formulas.macro_averaged_mean_absolute_error,
           "mean_i sum_j M_ij |y_i - y_j| / row_i",
           "matrix", "[0, range]", "lower", np.nan,
           (), "Baccianella et al. 2009; imbalanced-learn", counts_absent_labels=True),

    Metric("accuracy", "accuracy_score", overall_formulas.accuracy,
           "trace / n",
           "margins", "[0, 1]", "higher", 0,
           ("overall_accuracy",), "scikit-learn", multilabel="exact samples"),
    Metric("zero_one_loss", "zero_one_loss", overall_formulas.zero_one_loss,
           "1 - trace / n",
           "margins", "[0, 1]", "lower", 1,
           ("error_rate", "misclassification_rate"), "scikit-learn", multilabel="exact samples"),
    Metric("hamming_loss", "hamming_loss", overall_formulas.hamming_loss,
           "1 - trace / n",
           "margins", "[0, 1]", "lower", 1,
           (), "scikit-learn", multilabel="class counts"),
    Metric("balanced_accuracy", "balanced_accuracy_score", overall_formulas.balanced_accuracy,
           "mean of tp_i / row_i over the classes that have true samples",
           "margins", "[0, 1]; adjusted [-1/(K-1), 1]", "higher", np.nan,
           (), "scikit-learn; Brodersen et al. 2010"),
    Metric("geometric_mean", "geometric_mean_score", overall_formulas.geometric_mean,
           "(prod_i recall_i)^(1/K)",
           "margins", "[0, 1]", "higher", 0,
           (), "Kubat & Matwin 1997; imbalanced-learn average='multiclass'", own_averages=True),
    Metric("no_information_rate", "no_information_rate", overall_formulas.no_information_rate,
           "max_i row_i / n",
           "margins", "[0, 1]", "neither", np.nan,
           ("nir",), "caret"),
    Metric("class_balance_accuracy", "class_balance_accuracy", overall_formulas.class_balance_accuracy,
           "mean_i tp_i / max(row_i, col_i)",
           "margins", "[0, 1]", "higher", 0,
           ("cba",), "Mosley 2013"),

    Metric("matthews_corrcoef", "matthews_corrcoef", overall_formulas.matthews_corrcoef,
           "(n trace - sum row_i col_i) / sqrt((n^2 - sum col_i^2) (n^2 - sum row_i^2)), MCC or R_K",
           "margins", "[-1, 1]", "higher", 0,
           ("mcc", "r_k"), "Gorodkin 2004; scikit-learn"),
    Metric("cohen_kappa", "cohen_kappa_score", overall_formulas.cohen_kappa,
           "(po - pe) / (1 - pe), pe = sum row_i col_i / n^2",
           "margins", "[-1, 1]", "higher", np.nan,
           ("kappa", "heidke_skill_score", "hss"), "Cohen 1960; scikit-learn",
           needs_matrix=("weights",), counts_absent_labels=True),
    Metric("scott_pi", "scott_pi", overall_formulas.scott_pi,
           "(po - pe) / (1 - pe), pe = sum ((row_i + col_i) / 2n)^2",
           "margins", "[-1, 1]", "higher", 0,
           (), "Scott 1955"),
    Metric("krippendorff_alpha", "krippendorff_alpha", overall_formulas.krippendorff_alpha,
           "((1 - e) po + e - pe) / (1 - pe), e = 1 / (2n), pe = sum ((row_i + col_i) / 2n)^2",
           "margins", "(-1, 1]", "higher", 0,
           (), "Krippendorff 1970"),
    Metric("gwet_ac1", "gwet_ac1", overall_formulas.gwet_ac1,
           "(po - pe) / (1 - pe), pe = sum q_i (1 - q_i) / (K - 1), q_i = (row_i + col_i) / 2n",
           "margins", "[-1, 1]", "higher", 0,
           ("ac1",), "Gwet 2008", counts_absent_labels=True),
    Metric("bennett_s", "bennett_s", overall_formulas.bennett_s,
           "(po - 1/K) / (1 - 1/K)",
           "margins", "[-1/(K-1), 1]", "higher", 0,
           ("pabak",), "Bennett et al. 1954", counts_absent_labels=True),
    Metric("quantity_disagreement", "quantity_disagreement", overall_formulas.quantity_disagreement,
           "sum |row_i - col_i| / 2n",
           "margins", "[0, 1]", "lower", 1,
           (), "Pontius & Millones 2011"),
    Metric("allocation_disagreement", "allocation_disagreement", overall_formulas.allocation_disagreement,
           "(1 - po) - quantity_disagreement",
           "margins", "[0, 1]", "lower", 1,
           (), "Pontius & Millones 2011"),

    Metric("cramers_v", "cramers_v", overall_formulas.cramers_v,
           "sqrt(chi2 / n / (min(nonempty rows, nonempty columns) - 1))",
           "matrix", "[0, 1]", "higher", 0,
           (), "Cramer 1946"),
    Metric("mutual_information", "mutual_information", overall_formulas.mutual_information,
           "sum p_ij ln(p_ij / (p_i q_j))",
           "matrix", "[0, ln K]", "higher", np.nan,
           (), "Shannon 1948"),
    Metric("normalized_mutual_information", "normalized_mutual_information",
           overall_formulas.normalized_mutual_information,
           "mutual_information / mean(H(true), H(pred))",
           "matrix", "[0, 1]", "higher", 1,
           ("nmi",), "scikit-learn"),
    Metric("uncertainty_coefficient", "uncertainty_coefficient", overall_formulas.uncertainty_coefficient,
           "mutual_information / H(true)",
           "matrix", "[0, 1]", "higher", 0,
           ("theils_u", "relative_classifier_information", "rci"), "Theil 1970"),
    Metric("confusion_entropy", "confusion_entropy", overall_formulas.confusion_entropy,
           "sum_j P_j H_j, H_j = -sum_{k != j} (p_jk log p_jk + p_kj log p_kj)",
           "matrix", "[0, 1] for K > 2; binary can pass 1", "lower", 1,
           ("cen",), "Wei et al. 2010", counts_absent_labels=True),
)
# fmt: on

BY_NAME = {name: row for row in METRICS for name in (row.name, *row.aliases)}
BY_FUNCTION = {row.function: row for row in METRICS}
PACKAGE = __name__.partition(".")[0]


def resolve(metric: str | Callable[..., Any]) -> tuple[Metric, str | None]:
    """The row of a name, an alias, either with an average ("recall_macro"), or one of our functions."""
    if not isinstance(metric, str):
        row = row_of(metric)
        if row is None:
            raise ValueError(
                f"{metric!r} is no metric of this package: pass a name such as 'recall' or one of its functions."
            )
        return row, None
    if (found := _find(metric)) is not None:
        return found
    unsigned = _find(metric.removeprefix("neg_"))
    if unsigned is not None and unsigned[0].scorer_prefix:
        hint = f" It is the name of a scorer; values are unsigned here: pass {metric.removeprefix('neg_')!r}."
    elif metric in sklearn_metrics.get_scorer_names():
        hint = f" It is a scorer of scikit-learn: use get_scorer({metric!r}) beside the scorers of this package."
    else:
        hint = did_you_mean(metric, BY_NAME)
    raise ValueError(f"{metric!r} is no metric of this package.{hint}")


def _find(name: str) -> tuple[Metric, str | None] | None:
    """The row of a name or an alias, and the average at its end."""
    if name in BY_NAME:
        return BY_NAME[name], None
    base, _, average = name.rpartition("_")
    known = average in SUFFIXES and base in BY_NAME and BY_NAME[base].has_average
    return (BY_NAME[base], average) if known else None


def resolve_scorer(metric: str | Callable[..., Any]) -> tuple[Metric, str | None]:
    """`resolve` for scorers, whose names start with "neg_" where lower is better."""
    if not isinstance(metric, str):
        return resolve(metric)
    bare = metric.removeprefix("neg_")
    row, average = _find(bare) or resolve(metric)
    if (prefix := row.scorer_prefix) != metric.removesuffix(bare):
        direction = "lower is better, so its scorer is negated" if prefix else f"{row.better} is better"
        raise ValueError(f"{metric!r} is no scorer: of {row.name}, {direction}. Did you mean {prefix + bare!r}?")
    return row, average


def row_of(function: Any) -> Metric | None:
    """The row of one of our functions; None of anything else."""
    is_own = inspect.isfunction(function) and function.__module__.partition(".")[0] == PACKAGE
    return BY_FUNCTION.get(function.__name__) if is_own else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the names nearest to a misspelt one."""
    known = list(known)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    near += [other for other in known if name in (f"neg_{other}", other.removeprefix("neg_"))]
    return f" Did you mean {' or '.join(map(repr, dict.fromkeys(near)))}?" if near else ""


def score(
    counts: Counts,
    metric: str | Callable[..., Any] | Metric,
    *,
    order: NDArray[Any],
    average: str | None = "auto",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    carried: Any = None,
    zero_division: ZeroDivision = "warn",
    sample_weight: NDArray[Any] | None = None,
    **parameters: Any,
) -> Any:
    """A metric by name from counts with any leading axes.

    `order` are the labels of the class axis, `labels` those of them that are averaged.
    average="auto" is "binary" for two classes, of which `pos_label` is positive, or the class
    that the counts' owner carries, and "macro" for more or with `labels`. For average="samples" the class
    axis holds samples, weighted by `sample_weight`.
    """
    row, own_average = (metric, None) if isinstance(metric, Metric) else resolve(metric)
    check_zero_division(zero_division)
    check_parameters(row, parameters)
    needed = _as_needed(counts, row, parameters)
    if not row.has_average:
        if average != "auto" and row.own_averages:
            raise ValueError(f"{row.name} has averages of its own: call the function {row.function} for them.")
        if row.ordered:
            needed, order = _in_order(needed, order, labels)
        elif labels is not None:
            raise ValueError(f"{row.name} is one value over all classes: labels= does not apply to it.")
        return overall_value(
            row.formula, needed, order, undefined=row.undefined, zero_division=zero_division, **parameters
        )
    average = _chosen_average(row, own_average, average, len(order), labels)
    if average == "samples" and not isinstance(counts, ClassCounts):
        raise ValueError("average='samples' needs the labels of each sample: call the metric function on them.")
    if pos_label is not None and average != "binary":
        raise ValueError(f"pos_label={pos_label!r} is for average='binary', but here it is {average!r}: leave it out.")
    if labels is not None and average == "binary":
        raise ValueError("labels= are classes to average, and average='binary' is about pos_label: pass one of them.")
    classes = classes_of(needed)
    if average == "binary":
        classes = one_class(classes, order, pos_label, carried)
    elif labels is not None:
        classes, order = _selected(classes, order, labels)
    return class_value(
        row.formula,
        classes,
        order,
        average=average,
        undefined=row.undefined,
        zero_division=zero_division,
        sample_weight=sample_weight,
        **parameters,
    )


def check_parameters(row: Metric, parameters: dict[str, Any]) -> None:
    """Refuse a parameter that is missing, unknown or out of range, before any work is done."""
    known = row.parameters
    if unknown := [name for name in parameters if name not in known]:
        takes = f"its parameters are {sorted(known)}" if known else "it has none"
        raise TypeError(f"{row.name} has no parameter {unknown[0]!r}: {takes}.")
    if missing := [name for name in row.required if name not in parameters]:
        raise TypeError(f"{row.name} needs the parameter {missing[0]!r}: pass {missing[0]}=...")
    if "cost_matrix" in parameters:
        read_costs(parameters["cost_matrix"])
    elif parameters:
        # The formula knows the range of its parameters: try it on a matrix of ones.
        row.formula(_as_needed(np.ones((2, 2)), row, parameters), **parameters)


def _as_needed(counts: Counts, row: Metric, parameters: dict[str, Any]) -> Counts:
    """Counts in the form that the formula takes."""
    if row.has_average:
        return classes_of(counts)
    if isinstance(counts, ClassCounts) and not isinstance(counts, Margins):
        if row.multilabel == "class counts":
            return counts
        raise ValueError(
            f"{row.name} needs the confusion matrix of all classes, but there are one-vs-rest counts only. "
            "Metrics of class counts work, such as 'recall' or 'specificity'."
        )
    if row.takes_matrix(parameters):
        return counts
    return margins_of(counts)


def _chosen_average(
    row: Metric, own: str | None, average: str | None, n_classes: int, labels: ArrayLike | None
) -> str | None:
    """The average in force: the one in the metric's name, the one asked for, or what "auto" means here."""
    if average == "auto":
        return own or ("binary" if n_classes <= 2 and labels is None else "macro")
    check_average(average)
    if own is not None and average != own:
        raise ValueError(f"the name {row.name}_{own} already has an average; average={average!r} contradicts it.")
    return average


def _in_order(matrix: Any, order: NDArray[Any], labels: ArrayLike | None) -> tuple[Any, NDArray[Any]]:
    """The matrix with its classes from the lowest to the highest, as `labels` has them."""
    if labels is None:
        check_ordered(order)
        return matrix, order
    chosen = read_order(labels)
    positions = positions_in(order, chosen)
    if len(chosen) != len(order) or (positions == len(order)).any():
        raise ValueError(f"labels={show(chosen)} must be all labels, {show(order)}, from the lowest to the highest.")
    return matrix[..., positions[:, None], positions], chosen


def _selected(counts: ClassCounts, order: NDArray[Any], labels: ArrayLike) -> tuple[ClassCounts, NDArray[Any]]:
    """The class counts of the labels to average."""
    chosen = read_order(labels)
    positions = positions_in(order, chosen)
    if (absent := positions == len(order)).any():
        raise ValueError(f"labels={show(chosen[absent])} are not among the labels {show(order)}.")
    return ClassCounts(*(part[..., positions] for part in counts)), chosen
