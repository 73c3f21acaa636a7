"""METRICS, one literal row a metric, and the one `score` that every object which holds counts calls."""

import difflib
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext import formulas
from skmetrics_ext.counts import ClassCounts, Counts, classes_of, margins_of
from skmetrics_ext.evaluate import (
    AVERAGES,
    ZeroDivision,
    check_average,
    check_zero_division,
    class_value,
    one_class,
    overall_value,
)
from skmetrics_ext.labels import positions_in, read_order, show
from skmetrics_ext.metrics import agreement, balance, overlap, rates

SUFFIXES = tuple(average for average in AVERAGES if average != "binary")


@dataclass(frozen=True)
class Metric:
    """A row of the catalogue: what a metric is called, how it is computed and how it is read."""

    name: str
    function: Callable[..., Any]
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

    @property
    def has_average(self) -> bool:
        """Whether there is one value a class, which an average sums up."""
        return self.takes == "class counts"

    @property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """The formula's own parameters, by name."""
        _, *parameters = inspect.signature(self.formula).parameters.values()
        return {parameter.name: parameter for parameter in parameters}

    @property
    def required(self) -> list[str]:
        """The parameters without a default."""
        return [name for name, parameter in self.parameters.items() if parameter.default is parameter.empty]


# In the order of the families. Not here: functions that are no single metric
# (confusion_matrix), and names that only scikit-learn has (roc_auc).
# fmt: off
METRICS = (
    Metric("precision", rates.precision_score, formulas.precision, "tp / (tp + fp)",
           "class counts", "[0, 1]", "higher", 0,
           ("ppv", "positive_predictive_value", "users_accuracy", "success_ratio"), "scikit-learn"),
    Metric("recall", rates.recall_score, formulas.recall, "tp / (tp + fn)",
           "class counts", "[0, 1]", "higher", 0,
           ("sensitivity", "tpr", "true_positive_rate", "hit_rate", "pod", "producers_accuracy"), "scikit-learn"),
    Metric("specificity", rates.specificity_score, formulas.specificity, "tn / (tn + fp)",
           "class counts", "[0, 1]", "higher", 0,
           ("tnr", "true_negative_rate", "selectivity"), "Yerushalmy 1947"),
    Metric("negative_predictive_value", rates.negative_predictive_value, formulas.negative_predictive_value,
           "tn / (tn + fn)",
           "class counts", "[0, 1]", "higher", 0,
           ("npv",), "Altman & Bland 1994"),
    Metric("false_positive_rate", rates.false_positive_rate, formulas.false_positive_rate, "fp / (fp + tn)",
           "class counts", "[0, 1]", "lower", 1,
           ("fpr", "fall_out", "pofd"), "Fawcett 2006"),
    Metric("false_negative_rate", rates.false_negative_rate, formulas.false_negative_rate, "fn / (fn + tp)",
           "class counts", "[0, 1]", "lower", 1,
           ("fnr", "miss_rate"), "Fawcett 2006"),
    Metric("false_discovery_rate", rates.false_discovery_rate, formulas.false_discovery_rate, "fp / (fp + tp)",
           "class counts", "[0, 1]", "lower", 1,
           ("fdr", "false_alarm_ratio"), "Benjamini & Hochberg 1995 (sample proportion)"),
    Metric("false_omission_rate", rates.false_omission_rate, formulas.false_omission_rate, "fn / (fn + tn)",
           "class counts", "[0, 1]", "lower", 1,
           (), "1 - negative predictive value, Altman & Bland 1994"),
    Metric("one_vs_rest_accuracy", rates.one_vs_rest_accuracy_score, formulas.one_vs_rest_accuracy, "(tp + tn) / n",
           "class counts", "[0, 1]", "higher", 0,
           ("accuracy_ovr",), "Sokolova & Lapalme 2009"),
    Metric("one_vs_rest_error", rates.one_vs_rest_error, formulas.one_vs_rest_error, "(fp + fn) / n",
           "class counts", "[0, 1]", "lower", 1,
           ("classification_error",), "Sokolova & Lapalme 2009"),

    Metric("f1", overlap.f1_score, formulas.f1, "2 tp / (2 tp + fp + fn)",
           "class counts", "[0, 1]", "higher", 0,
           ("dice", "f_measure", "sorensen_dice"), "van Rijsbergen 1979; scikit-learn"),
    Metric("fbeta", overlap.fbeta_score, formulas.fbeta, "(1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp)",
           "class counts", "[0, 1]", "higher", 0,
           (), "van Rijsbergen 1979; scikit-learn"),
    Metric("jaccard", overlap.jaccard_score, formulas.jaccard, "tp / (tp + fp + fn)",
           "class counts", "[0, 1]", "higher", 0,
           ("iou", "csi", "critical_success_index", "threat_score"), "scikit-learn"),

    Metric("informedness", balance.informedness_score, formulas.informedness, "tp / (tp + fn) + tn / (tn + fp) - 1",
           "class counts", "[-1, 1]", "higher", 0,
           ("youden_j", "tss", "peirce", "bookmaker", "hanssen_kuipers"), "Youden 1950; Powers 2011"),
    Metric("g_mean", balance.g_mean_score, formulas.g_mean, "sqrt(recall * specificity)",
           "class counts", "[0, 1]", "higher", 0,
           (), "Kubat & Matwin 1997"),

    Metric("accuracy", agreement.accuracy_score, formulas.accuracy, "trace / n",
           "margins", "[0, 1]", "higher", 0,
           ("overall_accuracy",), "scikit-learn"),
    Metric("zero_one_loss", agreement.zero_one_loss, formulas.zero_one_loss, "1 - trace / n",
           "margins", "[0, 1]", "lower", 1,
           ("error_rate", "misclassification_rate"), "scikit-learn"),
    Metric("balanced_accuracy", agreement.balanced_accuracy_score, formulas.balanced_accuracy,
           "mean of tp_i / row_i over the classes that have true samples",
           "margins", "[0, 1]", "higher", np.nan,
           (), "Brodersen et al. 2010; scikit-learn"),
    Metric("matthews_corrcoef", agreement.matthews_corrcoef, formulas.matthews_corrcoef,
           "(n trace - sum row_i col_i) / sqrt((n^2 - sum col_i^2) (n^2 - sum row_i^2))",
           "margins", "[-1, 1]", "higher", 0,
           ("mcc", "r_k"), "Gorodkin 2004; scikit-learn"),
    Metric("cohen_kappa", agreement.cohen_kappa_score, formulas.cohen_kappa,
           "(po - pe) / (1 - pe), pe = sum row_i col_i / n^2",
           "margins", "[-1, 1]", "higher", np.nan,
           ("kappa", "heidke_skill_score", "hss"), "Cohen 1960; scikit-learn",
           needs_matrix=("weights",)),
)
# fmt: on

BY_NAME = {name: row for row in METRICS for name in (row.name, *row.aliases)}
BY_FUNCTION = {row.function: row for row in METRICS}


def resolve(metric: str | Callable[..., Any]) -> tuple[Metric, str | None]:
    """The row of a name, an alias, either with an average ("recall_macro"), or one of our functions."""
    if not isinstance(metric, str):
        try:
            return BY_FUNCTION[metric], None
        except (KeyError, TypeError):
            raise ValueError(
                f"{metric!r} is no metric of this package: pass a name such as 'recall' or one of its functions."
            ) from None
    if metric in BY_NAME:
        return BY_NAME[metric], None
    name, _, average = metric.rpartition("_")
    if average in SUFFIXES and name in BY_NAME and BY_NAME[name].has_average:
        return BY_NAME[name], average
    raise ValueError(f"{metric!r} is no metric of this package.{did_you_mean(metric, BY_NAME)}")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the names nearest to a misspelt one."""
    known = list(known)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    near += [other for other in known if name in (f"neg_{other}", other.removeprefix("neg_"))]
    return f" Did you mean {' or '.join(map(repr, dict.fromkeys(near)))}?" if near else ""


def score(
    counts: Counts,
    metric: str | Callable[..., Any],
    *,
    order: NDArray[Any],
    average: str | None = "auto",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    zero_division: ZeroDivision = "warn",
    sample_weight: NDArray[Any] | None = None,
    **parameters: Any,
) -> Any:
    """A metric by name from counts with any leading axes.

    `order` are the labels of the class axis, `labels` those of them that are averaged.
    average="auto" is "binary" for two classes, of which `pos_label` (None: the second)
    is positive, and "macro" for more. For average="samples" the class axis holds samples,
    weighted by `sample_weight`.
    """
    row, own_average = resolve(metric)
    check_zero_division(zero_division)
    check_parameters(row, parameters)
    average = _chosen_average(row, own_average, average, len(order))
    needed = _as_needed(counts, row, parameters)
    if not isinstance(needed, ClassCounts):
        if labels is not None:
            raise ValueError(f"{row.name} is one value over all classes: labels= does not apply to it.")
        return overall_value(row.formula, needed, undefined=row.undefined, zero_division=zero_division, **parameters)
    if average == "binary":
        needed = one_class(needed, order, order[-1] if pos_label is None else pos_label)
    elif labels is not None:
        needed, order = _selected(needed, order, labels)
    return class_value(
        row.formula,
        needed,
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
    if parameters:
        # The formula knows the range of its parameters: try it on a matrix of ones.
        row.formula(_as_needed(np.ones((2, 2)), row, parameters), **parameters)


def _as_needed(counts: Counts, row: Metric, parameters: dict[str, Any]) -> Counts:
    """Counts in the form that the formula takes."""
    if row.has_average:
        return classes_of(counts)
    if isinstance(counts, ClassCounts):
        raise ValueError(
            f"{row.name} needs the confusion matrix of all classes, but there are one-vs-rest counts only. "
            "Metrics of class counts work, such as 'recall' or 'specificity'."
        )
    if row.takes == "matrix" or any(parameters.get(name) is not None for name in row.needs_matrix):
        return counts
    return margins_of(counts)


def _chosen_average(row: Metric, own: str | None, average: str | None, n_classes: int) -> str | None:
    """The average in force: the one in the metric's name, the one asked for, or what "auto" means here."""
    if average == "auto":
        return own or ("binary" if n_classes <= 2 else "macro")
    check_average(average)
    if own is not None and average != own:
        raise ValueError(f"the name {row.name}_{own} already has an average; average={average!r} contradicts it.")
    return average


def _selected(counts: ClassCounts, order: NDArray[Any], labels: ArrayLike) -> tuple[ClassCounts, NDArray[Any]]:
    """The class counts of the labels to average."""
    chosen = read_order(labels)
    positions = positions_in(order, chosen)
    if (absent := positions == len(order)).any():
        raise ValueError(f"labels={show(chosen[absent])} are not among the labels {show(order)}.")
    return ClassCounts(*(part[..., positions] for part in counts)), chosen
