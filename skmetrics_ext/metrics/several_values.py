"""Functions of scikit-learn and imbalanced-learn that are no single metric: matrices and several values at once."""

import warnings
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from skmetrics_ext.catalogue.averages import Average, ZeroDivision, check_zero_division, class_value
from skmetrics_ext.counting.counts import (
    ClassCounts,
    count_classes,
    count_indicators,
    count_matrix,
    count_samples,
    two_by_two,
)
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.formulas import all_classes, one_class
from skmetrics_ext.metrics.of_labels import counts_for, of_chosen_labels
from skmetrics_ext.metrics.rates import recall_score
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import positions_in, show
from skmetrics_ext.reading.pairs import Encoded, encode, encode_single_label


def confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: Literal["true", "pred", "all"] | None = None,
) -> NDArray[Any]:
    """M[i, j]: the number of samples of actual class i that were predicted as class j.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels: numbers, strings or categoricals.
    labels : array-like of shape (n_classes,), default=None
        Classes in the order of rows and columns; samples of other classes are left out.
        None: all labels, sorted.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    normalize : {"true", "pred", "all"} or None, default=None
        Divide by the sum of each row, of each column, or of all; an empty one gives 0.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        int64; float64 with float weights or `normalize`.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, the data are multilabel, or no
        sample of `y_true` has one of `labels`.

    Warns
    -----
    UserWarning
        If there is a single label.

    References
    ----------
    scikit-learn.

    See Also
    --------
    skmetrics_ext.ConfusionMatrix : the same with labels, arithmetic and every metric.

    Examples
    --------
    >>> from skmetrics_ext import confusion_matrix
    >>> confusion_matrix([2, 0, 2, 2, 0, 1], [0, 0, 2, 2, 0, 2])
    array([[2, 0, 0],
           [0, 0, 1],
           [1, 0, 2]])
    """
    if normalize not in (None, "true", "pred", "all"):
        raise ValueError(f"normalize must be None, 'true', 'pred' or 'all'; got {normalize!r}.")
    matrix = count_matrix(of_chosen_labels(y_true, y_pred, labels, sample_weight, ("y_true", "y_pred")))
    if len(matrix) == 1:
        warnings.warn(
            "y_true and y_pred have a single label: pass all known labels as labels= for a matrix of the full shape.",
            UserWarning,
            stacklevel=2,
        )
    return matrix if normalize is None else all_classes.shares(matrix, normalize)


def multilabel_confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    samplewise: bool = False,
) -> NDArray[Any]:
    """[[tn, fp], [fn, tp]] of each class against the rest, or of each sample over its labels.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Actual and predicted labels: numbers, strings or categoricals; 2-D is multilabel.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    labels : array-like of shape (n_classes,), default=None
        Classes in their order; for multilabel data column numbers. None: all, sorted.
    samplewise : bool, default=False
        One matrix a sample (multilabel only).

    Returns
    -------
    ndarray of shape (n_classes, 2, 2) or (n_samples, 2, 2)
        int64, or float64 with float weights.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, or `samplewise` is asked of
        single-label data.

    References
    ----------
    scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import multilabel_confusion_matrix
    >>> multilabel_confusion_matrix([0, 1, 1], [0, 0, 1])
    array([[[1, 1],
            [0, 1]],
           [[1, 0],
            [1, 1]]])
    """
    encoded = encode(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    if isinstance(encoded, Encoded):
        if samplewise:
            raise ValueError("samplewise=True needs multilabel data: 2-D 0/1 indicators, one column a label.")
        return two_by_two(count_classes(encoded))
    if not samplewise:
        return two_by_two(count_indicators(encoded))
    matrices = two_by_two(count_samples(encoded))
    return matrices if encoded.weights is None else matrices * encoded.weights[:, None, None]


def precision_recall_fscore_support(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float = 1.0,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: Average | None = None,
    warn_for: Iterable[str] = ("precision", "recall", "f-score"),
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> tuple[Any, Any, Any, Any]:
    """tp / (tp + fp), tp / (tp + fn), their F-score and tp + fn, from one count.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Actual and predicted labels: numbers, strings or categoricals; 2-D is multilabel.
    beta : float, default=1
        Weight of recall against precision in the F-score, at least 0.
    labels, pos_label, average, sample_weight, zero_division
        As in `precision_score`, but `average` is None by default.
    warn_for : iterable of {"precision", "recall", "f-score"}
        Which of them warn where they are undefined.

    Returns
    -------
    precision, recall, fscore : float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1].
    support : None, or ndarray of shape (n_classes,) if `average` is None
        Number (or weight) of the true samples of each class.

    Raises
    ------
    ValueError
        As `precision_score`.

    References
    ----------
    scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import precision_recall_fscore_support
    >>> y_true = ["cat", "dog", "cat", "cat"]
    >>> y_pred = ["cat", "dog", "dog", "cat"]
    >>> precision_recall_fscore_support(y_true, y_pred, average="macro")
    (0.75, 0.8333333333333333, 0.7333333333333334, None)
    """
    check_zero_division(zero_division)
    counts, order, weights = counts_for(
        y_true, y_pred, labels=labels, pos_label=pos_label, average=average, sample_weight=sample_weight
    )
    values = []
    for name, formula, parameters in (
        ("precision", one_class.precision, {}),
        ("recall", one_class.recall, {}),
        ("f-score", one_class.fbeta, {"beta": beta}),
    ):
        value = class_value(
            formula,
            counts,
            order,
            average=average,
            undefined=0,
            zero_division=0 if zero_division == "warn" and name not in warn_for else zero_division,
            sample_weight=weights,
            **parameters,
        )
        values.append(value if average is None else float(value))
    precision, recall, fscore = values
    return precision, recall, fscore, counts.tp + counts.fn if average is None else None


def class_likelihood_ratios(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float | dict[str, float] = np.nan,
) -> tuple[float, float]:
    """recall / false_positive_rate and false_negative_rate / specificity, of the second of two classes.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels of two classes.
    labels : array-like of shape (2,), default=None
        The negative and the positive class. None: both labels, sorted.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    replace_undefined_by : nan, 1.0 or dict, default=nan
        What a ratio with denominator 0 is; a dict has the values of "LR+" (1 to inf, or nan)
        and "LR-" (0 to 1, or nan). The metric `positive_likelihood_ratio` is inf there.

    Returns
    -------
    positive, negative : float
        In [0, inf).

    Raises
    ------
    ValueError
        If an input is no label array, there are not two classes, or
        `replace_undefined_by` is none of the values above.

    Warns
    -----
    UndefinedMetricWarning
        For each ratio that is undefined.

    References
    ----------
    scikit-learn; Deeks & Altman (2004), BMJ 329:168.

    Examples
    --------
    >>> from skmetrics_ext import class_likelihood_ratios
    >>> class_likelihood_ratios([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    (1.5, 0.75)
    """
    replaced = _replacements(replace_undefined_by)
    encoded = encode_single_label(y_true, y_pred, sample_weight=sample_weight)
    order = encoded.labels if labels is None else read_order(labels)
    if len(encoded.labels) > 2:
        raise ValueError(
            f"class_likelihood_ratios is for two classes, but there are {len(encoded.labels)}. For more use "
            "positive_likelihood_ratio and negative_likelihood_ratio with average=."
        )
    if len(order) != 2:
        raise ValueError("class_likelihood_ratios needs two classes: name both with labels=[negative, positive].")
    if not np.isin(encoded.labels[np.unique(encoded.true)], order).any():
        raise ValueError(f"no sample of y_true has one of labels={show(order)}: name at least one that occurs.")
    # A class that the data lack has an empty row and column.
    positions = positions_in(encoded.labels, order)
    matrix = np.pad(count_matrix(encoded), (0, 1))[np.ix_(positions, positions)]
    (tn, fp), (fn, tp) = matrix.tolist()
    counts = ClassCounts(*map(np.asarray, (tp, fp, fn, tn)))
    values = []
    for name, formula, divisor in (
        ("LR+", one_class.positive_likelihood_ratio, fp),
        ("LR-", one_class.negative_likelihood_ratio, tn),
    ):
        value = replaced[name] if divisor == 0 else float(ratio(*formula(counts)))
        if divisor == 0 or np.isnan(value):
            cause = "there are no actual positives" if divisor else "its denominator is 0"
            warnings.warn(
                f"{formula.__name__} is undefined, because {cause}; it is set to {value}. Choose the value "
                "with replace_undefined_by=.",
                UndefinedMetricWarning,
                stacklevel=2,
            )
        values.append(float(value))
    return values[0], values[1]


def _replacements(given: Any) -> dict[str, float]:
    """The values of both likelihood ratios where they are undefined."""
    if not isinstance(given, dict):
        if not (np.isnan(given) or given == 1):
            raise ValueError(f"replace_undefined_by must be nan, 1.0 or a dict of 'LR+' and 'LR-'; got {given!r}.")
        return {"LR+": given, "LR-": given}
    positive, negative = given.get("LR+"), given.get("LR-")
    if positive is None or negative is None or positive < 1 or not (np.isnan(negative) or 0 <= negative <= 1):
        raise ValueError(
            f"replace_undefined_by must have 'LR+', from 1 to inf or nan, and 'LR-', from 0 to 1 or nan; got {given!r}."
        )
    return given


def sensitivity_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
) -> Any:
    """tp / (tp + fn): `recall_score` under the name and with the signature of imbalanced-learn.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight
        As in `recall_score`.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; higher is better; 0 where it is undefined, with an UndefinedMetricWarning.

    Raises
    ------
    ValueError
        As `recall_score`.

    References
    ----------
    imbalanced-learn.

    Examples
    --------
    >>> from skmetrics_ext import sensitivity_score
    >>> sensitivity_score([1, 0, 1], [1, 0, 0])
    0.5
    """
    return recall_score(
        y_true, y_pred, labels=labels, pos_label=pos_label, average=average, sample_weight=sample_weight
    )


def sensitivity_specificity_support(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: Average | None = None,
    warn_for: Iterable[str] = ("sensitivity", "specificity"),
    sample_weight: ArrayLike | None = None,
) -> tuple[Any, Any, Any]:
    """tp / (tp + fn), tn / (tn + fp) and tp + fn, from one count; weights count right.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, sample_weight
        As in `recall_score`.
    average : {"binary", "macro", "micro", "weighted", "samples"} or None, default=None
        As in `recall_score`.
    warn_for : iterable of {"sensitivity", "specificity"}
        Which of them warn where they are undefined, and then 0.

    Returns
    -------
    sensitivity, specificity : float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1].
    support : None, or ndarray of shape (n_classes,) if `average` is None
        Number (or weight) of the true samples of each class.

    Raises
    ------
    ValueError
        As `recall_score`.

    References
    ----------
    imbalanced-learn.

    Examples
    --------
    >>> from skmetrics_ext import sensitivity_specificity_support
    >>> sensitivity_specificity_support([1, 0, 1, 0], [1, 0, 0, 0], average="binary")
    (0.5, 1.0, None)
    """
    counts, order, weights = counts_for(
        y_true, y_pred, labels=labels, pos_label=pos_label, average=average, sample_weight=sample_weight
    )
    values = []
    for name, formula in (("sensitivity", one_class.recall), ("specificity", one_class.specificity)):
        zero_division: ZeroDivision = "warn" if name in warn_for else 0
        value = class_value(
            formula,
            counts,
            order,
            average=average,
            undefined=0,
            zero_division=zero_division,
            sample_weight=weights,
        )
        values.append(value if average is None else float(value))
    return values[0], values[1], counts.tp + counts.fn if average is None else None
