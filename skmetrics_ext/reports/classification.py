"""Reports of any metrics for each class, as scikit-learn's and imbalanced-learn's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypedDict, Unpack, overload

from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.choice import Choice, choose, name_asked_for, read_metrics
from skmetrics_ext.catalogue.names import SUFFIXES, resolve
from skmetrics_ext.catalogue.rows import BY_NAME, Metric
from skmetrics_ext.catalogue.score import class_values_and_averages
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.counted import Counted, CountedPairs, at_labels
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.reading.aliases import LabelsLike, RandomState, TargetLike
from skmetrics_ext.reading.arguments import check_flag, check_whole
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import plain
from skmetrics_ext.reading.pairs import Weights, encode_single_label
from skmetrics_ext.reports import cells
from skmetrics_ext.reports.cells import Sure
from skmetrics_ext.statistics.request import requested
from skmetrics_ext.writing.report_text import (
    MetricsText,
    Report,
    Row,
    aligned,
    report_as_dict,
    report_as_text,
)
from skmetrics_ext.writing.text import level_as_text

# The columns of scikit-learn's report, and the names of the metrics.
SCIKIT_LEARN = {"precision": "precision", "recall": "recall", "f1-score": "f1"}

# The same for imbalanced-learn's report.
IMBALANCED = {"pre": "precision", "rec": "recall", "spe": "specificity", "f1": "f1"}
IMBALANCED |= {"geo": "g_mean", "iba": "index_balanced_accuracy"}


class ReportOptions(TypedDict, total=False):
    """The options that overloads need not repeat."""

    labels: LabelsLike | None
    target_names: Sequence[str] | None
    sample_weight: ArrayLike | None
    digits: int
    zero_division: ZeroDivision


class ReportOfAnyOptions(ReportOptions, total=False):
    """The same for a report of any metrics."""

    metrics: Sequence[str | Callable[..., Any]] | None
    averages: Sequence[str] | None
    frequency_weights: bool
    confidence_level: float | None
    random_state: RandomState


class ImbalancedOptions(ReportOptions, total=False):
    """The same with the parameter of the index balanced accuracy."""

    alpha: float


@overload
def classification_report(
    y_true: TargetLike | ConfusionMatrix,
    y_pred: TargetLike | None = None,
    *,
    output_dict: Literal[False] = False,
    **options: Unpack[ReportOfAnyOptions],
) -> MetricsText: ...
@overload
def classification_report(
    y_true: TargetLike | ConfusionMatrix,
    y_pred: TargetLike | None = None,
    *,
    output_dict: Literal[True],
    **options: Unpack[ReportOfAnyOptions],
) -> dict[str, Any]: ...
@overload
def classification_report(
    y_true: TargetLike | ConfusionMatrix,
    y_pred: TargetLike | None = None,
    *,
    output_dict: bool,
    **options: Unpack[ReportOfAnyOptions],
) -> MetricsText | dict[str, Any]: ...
@explained
def classification_report(
    y_true: TargetLike | ConfusionMatrix,
    y_pred: TargetLike | None = None,
    *,
    labels: LabelsLike | None = None,
    target_names: Sequence[str] | None = None,
    sample_weight: ArrayLike | None = None,
    frequency_weights: bool = False,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: ZeroDivision = "warn",
    metrics: Sequence[str | Callable[..., Any]] | None = None,
    averages: Sequence[str] | None = None,
    confidence_level: float | None = None,
    random_state: RandomState = 0,
) -> MetricsText | dict[str, Any]:
    """Precision, recall, F1 and support, or any other metrics, for every class, with averages.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels), or ConfusionMatrix
        Actual labels, 2-D if multilabel, or a ConfusionMatrix in place of both arrays.
    y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    target_names : sequence of str, default=None
        What to print for each class. None: the labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    frequency_weights : bool, default=False
        Whether weights are counts of identical samples, which narrow confidence intervals.
    digits : int, default=2
        Number of decimal places in the text.
    output_dict : bool, default=False
        Whether to return a dict, as in scikit-learn.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where a metric is 0/0. "warn": 0 for the default metrics, with an
        UndefinedMetricWarning.
    metrics : str or function, list of them, or dict of header to metric, default=None
        The columns: names, aliases or functions. Metrics over all classes ("mcc", custom ones) have
        a value in the row "overall", others ("npv") per class and averages. None: precision, recall
        and F1, with the row "accuracy".
    averages : sequence of {"micro", "macro", "weighted", "samples", "worst"}, default=None
        The rows below the classes. None: "micro", "macro" and "weighted", and "samples" for
        multilabel data.
    confidence_level : float, default=None
        With 0.95, say, values have intervals as of `ConfusionMatrix.interval`, 0.84 (0.79-0.88),
        but for averages of multilabel data. None: no intervals.
    random_state : int, numpy Generator or RandomState, default=0
        The same int gives the same bootstrap intervals; None: others at each call.

    Returns
    -------
    MetricsText (a str), or dict of class or average to dict of metric to float
        The text has `to_frame`, of numbers, and `to_table`, for a paper. With `confidence_level`, a
        dict has "recall_low" and "recall_high" after "recall".

    Raises
    ------
    ValueError
        If the inputs are invalid, a metric can't be a column, two rows of a dict have the same
        name, or intervals are requested and weights are not whole numbers.

    Warns
    -----
    UserWarning
        If `target_names` do not match `labels`, the worst class has fewer than 10 of the samples
        that the metric counts, or confidence limits are unreliable.

    References
    ----------
    scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import classification_report
    >>> y_true, y_pred = ["no", "yes", "no"], ["no", "yes", "yes"]
    >>> print(classification_report(y_true, y_pred))
                  precision    recall  f1-score   support
    <BLANKLINE>
              no       1.00      0.50      0.67         2
             yes       0.50      1.00      0.67         1
    <BLANKLINE>
        accuracy                           0.67         3
       macro avg       0.75      0.75      0.67         3
    weighted avg       0.83      0.67      0.67         3
    <BLANKLINE>
    """
    check_whole(digits, "digits")
    check_flag(output_dict, "output_dict")
    columns = _columns(metrics)
    asked = None if labels is None else read_order(labels)
    weights = Weights(sample_weight, frequency_weights)
    counts = cells.counts_of_report(y_true, y_pred, asked, weights)
    sure = None
    if confidence_level is not None:
        request = requested(confidence_level, random_state=random_state)
        sure = cells.basis_of_limits(counts, y_true, y_pred, asked, weights, request)
    order = counts.order if asked is None or counts.are_chosen else asked
    are_chosen = labels is not None
    names = _target_names(order, target_names, are_chosen=are_chosen)
    shown = _averages_shown(averages, multilabel=counts.multilabel)
    choices = {
        key: cells.choice_of(counts, order, row, zero_division, are_chosen=are_chosen)._replace(
            asked=asked_for
        )
        for key, (asked_for, row) in columns.items()
    }
    once = cells.each_sample_once(counts, y_true)
    report = _report(counts, once, order, choices, names, shown, sure, is_default=metrics is None)
    if output_dict:
        return report_as_dict(report)
    if confidence_level is not None:
        report = report._replace(caption=f"{level_as_text(confidence_level)} confidence intervals")
    return report_as_text(report, digits)


def _columns(metrics: Any) -> dict[str, tuple[str, Metric]]:
    """The names asked for and the rows by the headers of their columns."""
    if metrics is None:
        return {head: (name, BY_NAME[name]) for head, name in SCIKIT_LEARN.items()}
    return {
        head: (name_asked_for(metric, row), row)
        for head, (metric, row, _) in read_metrics(metrics, {}, _row_of).items()
    }


def _row_of(metric: Any) -> Metric:
    """A metric of which a report can have all averages."""
    row, average = resolve(metric)
    if average is not None:
        raise ValueError(
            f"{metric!r} specifies an average, but a report includes all averages: pass "
            f"{row.name!r}."
        )
    if row.required:
        raise ValueError(
            f"{row.name} needs the parameter {row.required[0]!r}, which can't be passed in a "
            "report."
        )
    return row


def _target_names(
    labels: NDArray[Any], given: Iterable[str] | None, *, are_chosen: bool
) -> list[str]:
    """The name of each class in a report."""
    if given is None:
        return [str(label) for label in plain(labels)]
    given = [*given]
    if len(given) != len(labels):
        message = f"target_names has {len(given)} names for {len(labels)} classes"
        if not are_chosen:
            raise ValueError(f"{message}: name them all, or select classes with labels=.")
        warn(f"{message}.")
    return [str(name) for name in given]


def _averages_shown(asked: Any, *, multilabel: bool) -> list[str]:
    """The averages in the report."""
    # Over the samples it is of the labels of each.
    excluded = () if multilabel else ("samples",)
    if asked is None:
        standard = ("micro", "macro", "weighted", "samples")
        return [average for average in standard if average not in excluded]
    known = [average for average in SUFFIXES if average not in excluded]
    if isinstance(asked, str) or not all(average in known for average in asked):
        raise ValueError(f"averages must be a list of names from {known}; got {asked!r}.")
    return list(dict.fromkeys(asked))


def _report(
    counts: Counted,
    once: Counted | None,
    labels: NDArray[Any],
    choices: dict[str, Choice],
    names: list[str],
    averages: list[str],
    sure: Sure | None,
    *,
    is_default: bool,
) -> Report:
    """A row per class, per average, and for the metrics over all classes."""
    classes = at_labels(counts.classes, counts.order, labels)
    support = classes.tp + classes.fn
    total = support.sum()
    values = [cells.values_of(counts, choice, averages) for choice in choices.values()]
    cells.warn_of_worst(once, choices, values, names)
    is_whole = cells.covers_all(counts, labels)
    ends: list[cells.Column] | None = None
    notes: list[str] = []
    if sure is not None:
        ends, notes = cells.ends_of(sure, [*choices.values()], averages, covers_all=is_whole)

    def row_of(name: str, n: Any, key: int | str) -> Row:
        """The row of the cells with one key."""
        values_of_key = [column.get(key) for column in values]
        ends_of_key = None if ends is None else [column.get(key) for column in ends]
        return Row(name, values_of_key, n, ends_of_key)

    rows = [row_of(name, n, k) for k, (name, n) in enumerate(zip(names, support, strict=False))]
    # With every class, micro-averaged precision, recall and F1 are the accuracy.
    micro_is_accuracy = is_default and not counts.multilabel and is_whole
    has_averages = any(choice.row.has_average for choice in choices.values())
    summary = []
    for average in averages if has_averages else []:
        if average == "micro" and micro_is_accuracy:
            summary.append(_last_cell_of(row_of("accuracy", total, average)))
        else:
            summary.append(row_of(f"{average} avg", total, average))
    if any("overall" in column for column in values):
        summary.append(row_of("overall", total, "overall"))
    least_width = max(map(len, [*names, "weighted avg"]))
    return Report(list(choices), rows, summary, least_width, notes=notes)


def _last_cell_of(row: Row) -> Row:
    """The row with all but its last column blank."""
    blank = [None] * (len(row.values) - 1)
    ends = None if row.ends is None else [*blank, row.ends[-1]]
    return row._replace(values=[*blank, row.values[-1]], ends=ends)


@overload
def classification_report_imbalanced(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    output_dict: Literal[False] = False,
    **options: Unpack[ImbalancedOptions],
) -> str: ...
@overload
def classification_report_imbalanced(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    output_dict: Literal[True],
    **options: Unpack[ImbalancedOptions],
) -> dict[str, Any]: ...
@overload
def classification_report_imbalanced(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    output_dict: bool,
    **options: Unpack[ImbalancedOptions],
) -> str | dict[str, Any]: ...
@explained
def classification_report_imbalanced(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    labels: LabelsLike | None = None,
    target_names: Sequence[str] | None = None,
    sample_weight: ArrayLike | None = None,
    digits: int = 2,
    alpha: float = 0.1,
    output_dict: bool = False,
    zero_division: ZeroDivision = "warn",
) -> str | dict[str, Any]:
    """Precision, recall, specificity, F1, G-mean, index balanced accuracy and support, as
    imbalanced-learn prints them.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    target_names : sequence of str, default=None
        What to print for each class. None: the labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    digits : int, default=2
        Number of decimal places in the text.
    alpha : float, default=0.1
        Weight of the dominance, recall - specificity, in the index balanced accuracy; at least 0.
    output_dict : bool, default=False
        Whether to return a dict, as in scikit-learn.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where a metric is 0/0. "warn": 0 for the default metrics, with an
        UndefinedMetricWarning.

    Returns
    -------
    str, or dict of class to dict of column to number, with averages `avg_<column>` and
    "total_support"

    Raises
    ------
    ValueError
        If the inputs are invalid or do not match.

    References
    ----------
    imbalanced-learn; here sample weights are handled correctly.

    Examples
    --------
    >>> from skmetrics_ext import classification_report_imbalanced
    >>> print(classification_report_imbalanced(["no", "yes", "no"], ["no", "yes", "yes"]))
                       pre       rec       spe        f1       geo       iba       sup
    <BLANKLINE>
             no       1.00      0.50      1.00      0.67      0.71      0.47         2
            yes       0.50      1.00      0.50      0.67      0.71      0.53         1
    <BLANKLINE>
    avg / total       0.83      0.67      0.83      0.67      0.71      0.49         3
    <BLANKLINE>
    """
    check_whole(digits, "digits")
    check_flag(output_dict, "output_dict")
    order = None if labels is None else read_order(labels)
    encoded = encode_single_label(y_true, y_pred, labels=order, weights=Weights(sample_weight))
    names = _target_names(encoded.labels, target_names, are_chosen=labels is not None)
    counts = CountedPairs(encoded)
    support = counts.classes.tp + counts.classes.fn
    columns: dict[str, NDArray[Any]] = {}
    averages: dict[str, Any] = {}
    for head, name in IMBALANCED.items():
        parameters: dict[str, Any] = {"alpha": alpha} if head == "iba" else {}
        options = {"labels": encoded.labels, "zero_division": zero_division, **parameters}
        choice = choose(BY_NAME[name], average=None, **options)
        columns[head], means = class_values_and_averages(counts, choice, ["weighted"])
        averages[head] = means["weighted"]
    if output_dict:
        report: dict[str, Any] = {}
        for k, name in enumerate(names[: len(support)]):
            values_of_class = {head: float(values[k]) for head, values in columns.items()}
            report[name] = {**values_of_class, "sup": support[k].item()}
        totals = {
            **{f"avg_{name}": value for name, value in averages.items()},
            "total_support": support.sum().item(),
        }
        if taken := [name for name in report if name in totals]:
            raise ValueError(
                f"the class name {taken[0]!r} is also that of a total: rename classes with "
                "target_names=."
            )
        return {**report, **totals}
    rows = [*map(Row, names, zip(*columns.values(), strict=True), support)]
    total = Row("avg / total", list(averages.values()), support.sum())
    least_width = max(map(len, [*names, total.name]))
    return aligned(Report(list(columns), rows, [total], least_width, "sup"), digits)
