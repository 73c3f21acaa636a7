"""Agreement of predicted with actual labels over all classes."""

import warnings
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext import formulas
from skmetrics_ext.counts import count_margins, count_matrix
from skmetrics_ext.evaluate import overall_value
from skmetrics_ext.labels import Encoded, encode_single_label, show, without_others
from skmetrics_ext.metrics.pipeline import correct_and_total, margin_metric


def accuracy_score(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: ArrayLike | None = None
) -> float:
    """trace / n: the share of samples whose label is right.

    For multilabel data every label of a sample must be right (subset accuracy).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Actual and predicted labels: numbers, strings or categoricals; 2-D is multilabel.
    normalize : bool, default=True
        If False, return the number (or weight) of the samples that are right.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.

    Returns
    -------
    float
        In [0, 1], higher is better; with `normalize=False` in [0, n_samples]. Never undefined.

    Raises
    ------
    ValueError
        If an input is no label array or the lengths differ.

    References
    ----------
    scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import accuracy_score
    >>> accuracy_score([0, 1, 2, 3], [0, 2, 1, 3])
    0.5
    >>> accuracy_score([0, 1, 2, 3], [0, 2, 1, 3], normalize=False)
    2.0
    """
    margins = correct_and_total(y_true, y_pred, sample_weight)
    if not normalize:
        return float(margins.diagonal.sum())
    return float(overall_value(formulas.accuracy, margins, undefined=0))


def zero_one_loss(y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: ArrayLike | None = None) -> float:
    """1 - trace / n: the share of samples whose label is wrong.

    For multilabel data a sample is wrong if any of its labels is.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Actual and predicted labels: numbers, strings or categoricals; 2-D is multilabel.
    normalize : bool, default=True
        If False, return the number (or weight) of the samples that are wrong.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.

    Returns
    -------
    float
        In [0, 1], lower is better; with `normalize=False` in [0, n_samples]. Never undefined.

    Raises
    ------
    ValueError
        If an input is no label array or the lengths differ.

    References
    ----------
    scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import zero_one_loss
    >>> zero_one_loss([0, 1, 2, 3], [0, 2, 1, 0])
    0.75
    >>> zero_one_loss([0, 1, 2, 3], [0, 2, 1, 0], normalize=False)
    3.0
    """
    margins = correct_and_total(y_true, y_pred, sample_weight)
    if not normalize:
        return float((margins.row_sums - margins.diagonal).sum())
    return float(overall_value(formulas.zero_one_loss, margins, undefined=1))


def balanced_accuracy_score(
    y_true: Any, y_pred: Any, *, sample_weight: ArrayLike | None = None, adjusted: bool = False
) -> float:
    """mean of tp_i / row_i over the classes that have true samples: the mean recall.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels: numbers, strings or categoricals.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    adjusted : bool, default=False
        If True, (BA - 1/K) / (1 - 1/K) for K true classes, so that chance is 0.

    Returns
    -------
    float
        In [0, 1], higher is better; adjusted in [-1 / (K - 1), 1], and nan with an
        UndefinedMetricWarning for a single true class.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ or the data are multilabel.

    Warns
    -----
    UserWarning
        If a predicted class has no true samples; it is left out of the mean.

    References
    ----------
    Brodersen et al. (2010), ICPR; scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import balanced_accuracy_score
    >>> balanced_accuracy_score([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1])
    0.625
    >>> balanced_accuracy_score([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1], adjusted=True)
    0.25
    """
    margins = count_margins(encode_single_label(y_true, y_pred, sample_weight=sample_weight))
    if (margins.row_sums == 0).any():
        warnings.warn(
            "y_pred contains classes that are not in y_true; the mean leaves them out.", UserWarning, stacklevel=2
        )
    return float(overall_value(formulas.balanced_accuracy, margins, undefined=np.nan, adjusted=adjusted))


def matthews_corrcoef(y_true: Any, y_pred: Any, *, sample_weight: ArrayLike | None = None) -> float:
    """(n trace - sum row_i col_i) / sqrt((n^2 - sum col_i^2) (n^2 - sum row_i^2)), MCC or R_K.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels: numbers, strings or categoricals.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.

    Returns
    -------
    float
        In [-1, 1], higher is better, 0 is chance. 0 where it is undefined, that is where
        all true labels or all predicted ones are the same; as in scikit-learn, without a
        warning.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ or the data are multilabel.

    References
    ----------
    Gorodkin (2004), Computational Biology and Chemistry 28(5-6); scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import matthews_corrcoef
    >>> round(matthews_corrcoef([1, 1, 1, -1], [1, -1, 1, 1]), 4)
    -0.3333
    """
    return margin_metric(
        formulas.matthews_corrcoef, y_true, y_pred, undefined=0, sample_weight=sample_weight, zero_division=0
    )


def cohen_kappa_score(
    y1: Any,
    y2: Any,
    *,
    labels: ArrayLike | None = None,
    weights: Literal["linear", "quadratic"] | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """(po - pe) / (1 - pe), pe = sum row_i col_i / n^2: agreement beyond chance of two annotators.

    Parameters
    ----------
    y1, y2 : array-like of shape (n_samples,)
        Labels by the two annotators; the score is symmetric in them.
    labels : array-like of shape (n_classes,), default=None
        Classes in their order; samples of other classes are left out. None: all labels, sorted.
    weights : {"linear", "quadratic"} or None, default=None
        How a disagreement grows with the distance of the two labels in the order.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    replace_undefined_by : float in [-1, 1] or nan, default=nan
        The value where agreement by chance is certain (0/0), with an UndefinedMetricWarning.

    Returns
    -------
    float
        In [-1, 1], higher is better, 0 is chance; nan where it is undefined.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, the data are multilabel, no sample
        of `y1` has one of `labels`, or a parameter is out of its range.

    References
    ----------
    Cohen (1960), Educational and Psychological Measurement 20(1); scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import cohen_kappa_score
    >>> rater1 = ["negative", "positive", "negative", "neutral", "positive"]
    >>> rater2 = ["negative", "positive", "negative", "neutral", "negative"]
    >>> cohen_kappa_score(rater1, rater2)
    0.6875
    """
    undefined = replace_undefined_by
    if not (np.isnan(undefined) or -1 <= undefined <= 1):
        raise ValueError(f"replace_undefined_by must be nan or in [-1, 1]; got {undefined!r}.")
    encoded = _of_chosen_labels(y1, y2, labels, sample_weight, ("y1", "y2"))
    counts = count_margins(encoded) if weights is None else count_matrix(encoded)
    return float(overall_value(formulas.cohen_kappa, counts, undefined=undefined, weights=weights))


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
    matrix = count_matrix(_of_chosen_labels(y_true, y_pred, labels, sample_weight, ("y_true", "y_pred")))
    if len(matrix) == 1:
        warnings.warn(
            "y_true and y_pred have a single label: pass all known labels as labels= for a matrix of the full shape.",
            UserWarning,
            stacklevel=2,
        )
    return matrix if normalize is None else formulas.shares(matrix, normalize)


def _of_chosen_labels(y_true: Any, y_pred: Any, labels: Any, sample_weight: Any, names: tuple[str, str]) -> Encoded:
    """The samples of the chosen labels alone; one of these labels must occur."""
    encoded = encode_single_label(y_true, y_pred, labels=labels, sample_weight=sample_weight, names=names)
    if labels is not None and (encoded.true == len(encoded.labels)).all():
        raise ValueError(
            f"no sample of {names[0]} has one of labels={show(encoded.labels)}: name at least one that occurs."
        )
    return without_others(encoded)
