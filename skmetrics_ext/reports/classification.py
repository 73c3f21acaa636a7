"""Reports of several metrics for each class: drop-ins for scikit-learn's and imbalanced-learn's, of any metrics."""

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.averages import ZeroDivision, check_zero_division
from skmetrics_ext.catalogue.names import resolve
from skmetrics_ext.catalogue.rows import BY_NAME, Metric
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.counts import (
    ClassCounts,
    Matrix,
    classes_of,
    count_classes,
    count_indicators,
    count_matrix,
    count_samples,
)
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import plain, positions_in, show
from skmetrics_ext.reading.pairs import Indicators, encode, encode_single_label
from skmetrics_ext.writing.report_text import Report, Row, as_dict, as_frame, as_text

# The columns of scikit-learn's report, and our names of them.
SCIKIT_LEARN = {"precision": "precision", "recall": "recall", "f1-score": "f1"}

# Those of imbalanced-learn's.
IMBALANCED = {
    "pre": "precision",
    "rec": "recall",
    "spe": "specificity",
    "f1": "f1",
    "geo": "g_mean",
    "iba": "index_balanced_accuracy",
}


class _Counted(NamedTuple):
    """What a report is about: the classes reported, the matrix if a metric needs it, and each multilabel sample."""

    labels: NDArray[Any]
    classes: ClassCounts
    covers_all: bool = False
    matrix: Matrix | None = None
    samples: ClassCounts | None = None
    weights: NDArray[Any] | None = None


def classification_report(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: ArrayLike | None = None,
    target_names: Sequence[str] | None = None,
    sample_weight: ArrayLike | None = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: ZeroDivision = "warn",
    metrics: Sequence[str | Callable[..., Any]] | None = None,
    output: Literal["text", "dict", "frame"] = "text",
) -> Any:
    """Precision, recall, F1 and support, or any other metrics, of every class and their averages.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,), 0/1 indicators (n_samples, n_labels), or ConfusionMatrix
        Actual labels: numbers, strings or categoricals; 2-D is multilabel. Or a matrix in place
        of both arrays.
    y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to report, in this order. None: all, sorted.
    target_names : sequence of str, default=None
        What to print for each class. None: the labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    digits : int, default=2
        Digits after the point in the text.
    output_dict : bool, default=False
        The same as output="dict", as in scikit-learn.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where a metric is 0/0. "warn": 0 for the default metrics, with an
        UndefinedMetricWarning.
    metrics : list of str or function, default=None
        The columns: names, aliases or functions of metrics. Metrics of one class against the rest
        ("specificity", "npv") have a value a class and averages; those over all classes ("mcc")
        one value, in the row "overall". None: precision, recall and F1, with the row "accuracy".
    output : {"text", "dict", "frame"}, default="text"
        The text shows itself as a table in notebooks; a frame, of pandas if that is installed and
        else of polars, needs narwhals: `pip install 'skmetrics-ext[frames]'`.

    Returns
    -------
    str, dict of class or average to dict of metric to float, or data frame
        A data frame has the columns "class", one a metric, and "support".

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, `target_names` do not match all
        labels, a metric can't be a column, or two rows of a dict have one name.
    ImportError
        If a data frame is asked for and there is no library for it.

    Warns
    -----
    UserWarning
        If `target_names` do not match the `labels` given.

    References
    ----------
    scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import classification_report
    >>> print(classification_report(["no", "yes", "no"], ["no", "yes", "yes"]))
                  precision    recall  f1-score   support
    <BLANKLINE>
              no       1.00      0.50      0.67         2
             yes       0.50      1.00      0.67         1
    <BLANKLINE>
        accuracy                           0.67         3
       macro avg       0.75      0.75      0.67         3
    weighted avg       0.83      0.67      0.67         3
    <BLANKLINE>
    >>> print(classification_report(["no", "yes", "no"], ["no", "yes", "yes"], metrics=["specificity", "npv", "mcc"]))
                 specificity       npv       mcc   support
    <BLANKLINE>
              no        1.00      0.50                   2
             yes        0.50      1.00                   1
    <BLANKLINE>
       micro avg        0.67      0.67                   3
       macro avg        0.75      0.75                   3
    weighted avg        0.83      0.67                   3
         overall                            0.50         3
    <BLANKLINE>
    """
    check_zero_division(zero_division)
    if output not in ("text", "dict", "frame"):
        raise ValueError(f"output must be 'text', 'dict' or 'frame'; got {output!r}.")
    if output_dict and output == "frame":
        raise ValueError("output_dict=True and output='frame' contradict each other: pass one of them.")
    columns = _columns(SCIKIT_LEARN if metrics is None else metrics)
    counted = _counted(y_true, y_pred, labels, sample_weight, not all(row.has_average for row in columns.values()))
    names = _target_names(counted.labels, target_names, labels is not None)
    report = Report(
        list(columns),
        _rows_of_classes(columns, counted, names, zero_division),
        _rows_of_averages(columns, counted, zero_division, metrics is None),
    )
    if output == "frame":
        return as_frame(report)
    return as_dict(report) if output_dict or output == "dict" else as_text(report, digits)


def _columns(metrics: Any) -> dict[str, Metric]:
    """The rows of the catalogue by the heads of their columns."""
    is_list = isinstance(metrics, Collection) and not isinstance(metrics, (str, Mapping))
    if metrics is not SCIKIT_LEARN and not (is_list and len(metrics)):
        raise ValueError(f"metrics must be a list of metrics, such as ['specificity', 'npv']; got {metrics!r}.")
    pairs = list(metrics.items()) if metrics is SCIKIT_LEARN else [(None, metric) for metric in metrics]
    columns: dict[str, Metric] = {}
    for head, metric in pairs:
        row, average = resolve(metric)
        if average is not None:
            raise ValueError(f"{metric!r} names an average, but a report has all: name it {row.name!r}.")
        if row.required:
            raise ValueError(f"{row.name} needs the parameter {row.required[0]!r}, which a report has no place for.")
        name = head or (metric if isinstance(metric, str) else row.name)
        if name in columns:
            raise ValueError(f"metrics names {name!r} twice: name each metric once.")
        columns[name] = row
    return columns


def _counted(y_true: Any, y_pred: Any, labels: Any, sample_weight: Any, needs_matrix: bool) -> _Counted:
    """Count label arrays, or take what a matrix has counted."""
    if isinstance(y_true, ConfusionMatrix):
        if y_pred is not None or sample_weight is not None:
            raise ValueError("a ConfusionMatrix takes the place of y_true, y_pred and sample_weight: pass it alone.")
        return _of_matrix(y_true, labels)
    encoded = encode(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    if isinstance(encoded, Indicators):
        return _Counted(
            encoded.labels, count_indicators(encoded), samples=count_samples(encoded), weights=encoded.weights
        )
    covers_all = encoded.n_codes == len(encoded.labels)
    if covers_all and needs_matrix:
        matrix = count_matrix(encoded)
        return _Counted(encoded.labels, classes_of(matrix), True, matrix)
    return _Counted(encoded.labels, count_classes(encoded), covers_all)


def _of_matrix(cm: ConfusionMatrix, labels: Any) -> _Counted:
    """The counts of a matrix, or of some of its classes."""
    if cm.axes:
        names = [axis.name for axis in cm.axes]
        raise ValueError(
            f"a report is of one matrix, but this one has the leading axes {names}: pool them by sum({names[0]!r})."
        )
    order = cm.labels if labels is None else read_order(labels)
    positions = positions_in(cm.labels, order)
    if (absent := positions == len(cm.labels)).any():
        raise ValueError(f"labels={show(order[absent])} are not among the labels of the matrix, {show(cm.labels)}.")
    classes = ClassCounts(*(part[positions] for part in cm.class_counts))
    covers_all = len(order) == len(cm.labels)
    return _Counted(order, classes, covers_all, cm.with_labels(order).counts if covers_all else None)


def _rows_of_classes(
    columns: dict[str, Metric], counted: _Counted, names: list[str], zero_division: ZeroDivision
) -> list[Row]:
    """A row a class; metrics over all classes have no value there."""
    support = counted.classes.tp + counted.classes.fn
    values = [
        _value(row, counted, None, zero_division).tolist() if row.has_average else [None] * len(support)
        for row in columns.values()
    ]
    return [Row(name, row, n) for name, row, n in zip(names, zip(*values, strict=True), support, strict=False)]


def _rows_of_averages(
    columns: dict[str, Metric], counted: _Counted, zero_division: ZeroDivision, is_default: bool
) -> list[Row]:
    """The averages of class metrics, and one row of the metrics over all classes."""
    total = (counted.classes.tp + counted.classes.fn).sum()
    rows = []
    averages = ["micro", "macro", "weighted"] if any(row.has_average for row in columns.values()) else []
    for average in [*averages, *(["samples"] if averages and counted.samples is not None else [])]:
        values = [
            float(_value(row, counted, average, zero_division)) if row.has_average else None for row in columns.values()
        ]
        if is_default and average == "micro" and counted.covers_all:
            # With every class reported, micro-averaged precision, recall and F1 are all the accuracy.
            rows.append(Row("accuracy", [None, None, values[-1]], total))
        else:
            rows.append(Row(f"{average} avg", values, total))
    overall = [None if row.has_average else float(_overall(row, counted, zero_division)) for row in columns.values()]
    return rows if set(overall) == {None} else [*rows, Row("overall", overall, total)]


def _value(row: Metric, counted: _Counted, average: str | None, zero_division: ZeroDivision, **parameters: Any) -> Any:
    """A class metric. The classes and samples warn of what is undefined; averages of classes need not do so again."""
    if zero_division == "warn" and average not in (None, "samples"):
        zero_division = row.undefined
    return score(
        counted.samples if average == "samples" else counted.classes,  # type: ignore[arg-type]
        row.name,
        order=counted.labels,
        average=average,
        zero_division=zero_division,
        sample_weight=counted.weights,
        **parameters,
    )


def _overall(row: Metric, counted: _Counted, zero_division: ZeroDivision) -> Any:
    """A metric over all classes."""
    if counted.matrix is None:
        what = "multilabel data" if counted.samples is not None else f"the labels {show(counted.labels)} alone"
        raise ValueError(f"{row.name} is one value over all classes, and has none for {what}: leave it out.")
    return score(counted.matrix, row.name, order=counted.labels, zero_division=zero_division)


def _target_names(labels: NDArray[Any], given: Sequence[str] | None, labels_given: bool) -> list[str]:
    """What stands for each class in a report."""
    if given is None:
        return [str(label) for label in plain(labels)]
    if len(given) != len(labels):
        message = f"target_names has {len(given)} names for {len(labels)} classes"
        if not labels_given:
            raise ValueError(f"{message}: name them all, or choose classes with labels=.")
        warnings.warn(f"{message}.", UserWarning, stacklevel=3)
    return [str(name) for name in given]


def classification_report_imbalanced(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    target_names: Sequence[str] | None = None,
    sample_weight: ArrayLike | None = None,
    digits: int = 2,
    alpha: float = 0.1,
    output_dict: bool = False,
    zero_division: ZeroDivision = "warn",
) -> str | dict[str, Any]:
    """Precision, recall, specificity, F1, G-mean, index balanced accuracy and support, as imbalanced-learn prints them.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels: numbers, strings or categoricals.
    labels, target_names, sample_weight, digits, output_dict, zero_division
        As in `classification_report`.
    alpha : float, default=0.1
        Weight of the dominance recall - specificity in the index balanced accuracy.

    Returns
    -------
    str, or dict of class to dict of column to number, with averages "avg_<column>" and "total_support"

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, or `target_names` do not match
        all labels.

    References
    ----------
    imbalanced-learn; with weights that count right.

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
    check_zero_division(zero_division)
    encoded = encode_single_label(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    names = _target_names(encoded.labels, target_names, labels is not None)
    counted = _Counted(encoded.labels, count_classes(encoded))
    support = counted.classes.tp + counted.classes.fn
    columns, averages = {}, {}
    for head, name in IMBALANCED.items():
        row, parameters = BY_NAME[name], {"alpha": alpha} if head == "iba" else {}
        columns[head] = _value(row, counted, None, zero_division, **parameters)
        averages[head] = float(_value(row, counted, "weighted", zero_division, **parameters))
    if output_dict:
        report: dict[str, Any] = {
            name: {**{column: float(values[k]) for column, values in columns.items()}, "sup": support[k].item()}
            for k, name in enumerate(names[: len(support)])
        }
        totals = {**{f"avg_{name}": value for name, value in averages.items()}, "total_support": support.sum().item()}
        if taken := [name for name in report if name in totals]:
            raise ValueError(f"a class is named {taken[0]!r} as a total is: name the classes by target_names=.")
        return {**report, **totals}
    width = max(*map(len, names), len("avg / total"), digits)
    rows = [[f"{values[k]:.{digits}f}" for values in columns.values()] + [str(support[k])] for k in range(len(support))]
    last = [f"{value:.{digits}f}" for value in averages.values()] + [str(support.sum())]
    lines = [
        f"{head:>{width}}  " + " ".join(f"{cell:>9}" for cell in row)
        for head, row in zip(["", *names[: len(support)], "avg / total"], [[*columns, "sup"], *rows, last], strict=True)
    ]
    return "\n".join([lines[0], "", *lines[1:-1], "", lines[-1]]) + "\n"
