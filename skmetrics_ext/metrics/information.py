"""Information and association between predicted and actual labels."""

from __future__ import annotations

from typing import Unpack

from skmetrics_ext.metrics.from_labels import OverallOptions, overall_metric, takes_options_of
from skmetrics_ext.reading.aliases import LabelsLike


@takes_options_of(overall_metric)
def cramers_v(y_true: LabelsLike, y_pred: LabelsLike, **options: Unpack[OverallOptions]) -> float:
    """sqrt(chi2 / n / (min(nonempty rows, nonempty columns) - 1)).

    Association between predicted and actual labels.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a single actual or predicted class). "warn": 0, with an
        UndefinedMetricWarning.

    Returns
    -------
    float
        In [0, 1]; higher is better.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Notes
    -----
    Use it to see whether predictions or clusters are associated with the classes at all.

    Pitfall: It ignores which label is which: a model that swaps all labels scores 1.

    References
    ----------
    Cramer (1946), Mathematical Methods of Statistics.

    Examples
    --------
    >>> from skmetrics_ext import cramers_v
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(cramers_v(y_true, y_pred), 4)
    0.6236
    """
    return overall_metric("cramers_v", y_true, y_pred, **options)


@takes_options_of(overall_metric)
def mutual_information(
    y_true: LabelsLike, y_pred: LabelsLike, **options: Unpack[OverallOptions]
) -> float:
    """sum p_ij ln(p_ij / (p_i q_j)): the information in nats that predictions give about the actual
    classes.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": nan,
        with an UndefinedMetricWarning.

    Returns
    -------
    float
        In [0, ln K]; higher is better.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Notes
    -----
    Use it to say how informative predictions are, whatever the labels are called.

    Pitfall: Its maximum is the entropy of the classes, so data sets are not comparable.

    References
    ----------
    Shannon (1948), Bell System Technical Journal 27(3).

    Examples
    --------
    >>> from skmetrics_ext import mutual_information
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(mutual_information(y_true, y_pred), 4)
    0.4621
    """
    return overall_metric("mutual_information", y_true, y_pred, **options)


@takes_options_of(overall_metric)
def normalized_mutual_information(
    y_true: LabelsLike, y_pred: LabelsLike, **options: Unpack[OverallOptions]
) -> float:
    """mutual_information / mean(H(true), H(pred)): the information that predictions and actual
    classes share.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (the same single label throughout y_true and y_pred).
        "warn": 1, with an UndefinedMetricWarning.

    Returns
    -------
    float
        In [0, 1]; higher is better.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Notes
    -----
    Use it to compare clusterings across data sets.

    Pitfall: It is not corrected for chance: four samples of two classes, each with its own label,
    score 0.67.

    References
    ----------
    scikit-learn's normalized_mutual_info_score; Strehl & Ghosh (2002), JMLR 3.

    Examples
    --------
    >>> from skmetrics_ext import normalized_mutual_information
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(normalized_mutual_information(y_true, y_pred), 4)
    0.4569
    """
    return overall_metric("normalized_mutual_information", y_true, y_pred, **options)


@takes_options_of(overall_metric)
def uncertainty_coefficient(
    y_true: LabelsLike, y_pred: LabelsLike, **options: Unpack[OverallOptions]
) -> float:
    """mutual_information / H(true).

    The proportion of the entropy of the actual classes explained by the predictions (Theil's U).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a single actual class). "warn": 0, with an
        UndefinedMetricWarning.

    Returns
    -------
    float
        In [0, 1]; higher is better.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Notes
    -----
    Use it to say how much uncertainty about the classes predictions resolve.

    Pitfall: Always predicting the wrong one of two classes scores 1, and splitting a predicted
    label never lowers it.

    References
    ----------
    Theil (1970), American Journal of Sociology 76(1).

    Examples
    --------
    >>> from skmetrics_ext import uncertainty_coefficient
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(uncertainty_coefficient(y_true, y_pred), 4)
    0.4569
    """
    return overall_metric("uncertainty_coefficient", y_true, y_pred, **options)


@takes_options_of(overall_metric)
def confusion_entropy(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    labels: LabelsLike | None = None,
    **options: Unpack[OverallOptions],
) -> float:
    """sum_j P_j H_j, H_j = -sum_{k != j} (p_jk log p_jk + p_kj log p_kj): how evenly errors are
    spread over classes.

    p_jk = M_jk / (row_j + col_j), P_j = (row_j + col_j) / 2n, logarithms to base 2(K - 1) for K
    labels.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes in order, with every label in the data; one without samples counts in K. None: all
        in the data, sorted.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a single label). "warn": 1, with an
        UndefinedMetricWarning.

    Returns
    -------
    float
        In [0, 1] for K > 2; can exceed 1 for K = 2; lower is better.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel, or `labels` omit a label in the data.

    Notes
    -----
    Use it to distinguish models of the same accuracy, of which errors in few classes are better.

    Pitfall: With two classes it does not follow accuracy: 80 errors in 100 samples, evenly spread,
    give 1.06, and 100 give 1.

    References
    ----------
    Wei, Yuan, Hu & Wang (2010), Expert Systems with Applications 37(5).

    Examples
    --------
    >>> from skmetrics_ext import confusion_entropy
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(confusion_entropy(y_true, y_pred), 4)
    0.3475
    """
    return overall_metric("confusion_entropy", y_true, y_pred, labels=labels, **options)
