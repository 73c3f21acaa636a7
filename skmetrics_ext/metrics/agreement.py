"""Agreement and information of predicted and actual labels, and how they disagree."""

from __future__ import annotations

from typing import Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.catalogue.undefined import check_replacement
from skmetrics_ext.counting.counted import CountedPairs
from skmetrics_ext.metrics.from_labels import (
    OverallOptions,
    encode_chosen_labels,
    metric_function,
    overall_metric,
    takes_options_of,
)
from skmetrics_ext.reading.aliases import CostsLike, LabelsLike


@metric_function
def matthews_corrcoef(
    y_true: LabelsLike, y_pred: LabelsLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """(n trace - sum row_i col_i) / sqrt((n^2 - sum col_i^2) (n^2 - sum row_i^2)).

    The correlation between actual and predicted classes: MCC, or R_K of more than two classes.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.

    Returns
    -------
    float
        In [-1, 1]; higher is better, 0 is chance level. 0 where it is undefined, as all actual or
        all predicted labels are the same, without a warning.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Notes
    -----
    Use it as a single summary: of two classes it is high only if precision, recall, specificity and
    NPV all are.

    Pitfall: With recall and specificity of 0.9 it is 0.8 at a prevalence of 0.5, and 0.26 at 0.01.

    References
    ----------
    Gorodkin (2004), Computational Biology and Chemistry 28(5-6); scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import matthews_corrcoef
    >>> round(matthews_corrcoef([1, 1, 1, -1], [1, -1, 1, 1]), 4)
    -0.3333
    """
    return overall_metric(
        "matthews_corrcoef", y_true, y_pred, sample_weight=sample_weight, zero_division=0
    )


@metric_function
def cohen_kappa_score(
    y1: LabelsLike,
    y2: LabelsLike,
    *,
    labels: LabelsLike | None = None,
    weights: Literal["linear", "quadratic"] | CostsLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """(po - pe) / (1 - pe), pe = sum row_i col_i / n^2: chance-corrected agreement between two
    annotators.

    Parameters
    ----------
    y1, y2 : array-like of shape (n_samples,)
        Labels from the two annotators; the score is symmetric.
    labels : array-like of shape (n_classes,), default=None
        Classes in order; samples of others are omitted. None: all, sorted.
    weights : {"linear", "quadratic"} or array-like of shape (n_classes, n_classes), default=None
        Weights of disagreement: the distance between the labels in the order of `labels`, else of
        an ordered categorical, else of numbers; or a table, 0 on the diagonal, which a frame or a
        dict {(label of y1, label of y2): disagreement} may label.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    replace_undefined_by : float in [-1, 1] or nan, default=nan
        The value where the chance agreement is 1 (0/0), with an UndefinedMetricWarning.

    Returns
    -------
    float
        In [-1, 1]; higher is better, 0 is chance level; nan where it is undefined. With a table of
        disagreements it may be below -1.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel, or a parameter does not match them.

    Notes
    -----
    Use it for agreement beyond what the annotators' own label frequencies would give.

    Pitfall: It may be low despite high agreement where one label dominates (kappa paradox): counts
    [[90, 5], [5, 0]] give -0.05.

    References
    ----------
    Cohen (1960), Educational and Psychological Measurement 20(1); Feinstein & Cicchetti (1990),
    Journal of Clinical Epidemiology 43(6); scikit-learn.

    Examples
    --------
    >>> from skmetrics_ext import cohen_kappa_score
    >>> rater1 = ["negative", "positive", "negative", "neutral", "positive"]
    >>> rater2 = ["negative", "positive", "negative", "neutral", "negative"]
    >>> cohen_kappa_score(rater1, rater2)
    0.6875
    """
    check_replacement(replace_undefined_by)
    choice = choose(BY_NAME["cohen_kappa"], weights=weights)
    encoded = encode_chosen_labels(y1, y2, labels, sample_weight, ("y1", "y2"))
    in_order = None if labels is None else encoded.labels
    return float(
        score(
            CountedPairs(encoded), choice._replace(undefined=replace_undefined_by, labels=in_order)
        )
    )


@takes_options_of(overall_metric)
def scott_pi(y_true: LabelsLike, y_pred: LabelsLike, **options: Unpack[OverallOptions]) -> float:
    """(po - pe) / (1 - pe), pe = sum ((row_i + col_i) / 2n)^2.

    Agreement beyond that of random labels from the pooled distribution.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (the same single label throughout y_true and y_pred).
        "warn": 0, with an UndefinedMetricWarning.

    Returns
    -------
    float
        In [-1, 1]; higher is better, 0 is chance level.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Notes
    -----
    Use it for two interchangeable annotators, assumed to share one label distribution.

    Pitfall: A model and the truth are not interchangeable. It is never above kappa, and shares its
    paradox.

    References
    ----------
    Scott (1955), Public Opinion Quarterly 19(3).

    Examples
    --------
    >>> from skmetrics_ext import scott_pi
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(scott_pi(y_true, y_pred), 4)
    0.4667
    """
    return overall_metric("scott_pi", y_true, y_pred, **options)


@takes_options_of(overall_metric)
def krippendorff_alpha(
    y_true: LabelsLike, y_pred: LabelsLike, **options: Unpack[OverallOptions]
) -> float:
    """((1 - e) po + e - pe) / (1 - pe), e = 1 / (2n), pe = sum ((row_i + col_i) / 2n)^2.

    Scott's pi with a correction for small samples, so it falls as the number of samples of weight
    above 0 grows.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (the same single label throughout y_true and y_pred).
        "warn": 0, with an UndefinedMetricWarning.

    Returns
    -------
    float
        In (-1, 1]; higher is better, 0 is chance level.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Notes
    -----
    Use it for small samples labeled by two interchangeable annotators.

    Pitfall: Weights change the proportions alone: for numbers of samples use
    ``ConfusionMatrix.from_counts``.

    References
    ----------
    Krippendorff (1970), Educational and Psychological Measurement 30(1), for nominal data of two
    raters.

    Examples
    --------
    >>> from skmetrics_ext import krippendorff_alpha
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(krippendorff_alpha(y_true, y_pred), 4)
    0.5111
    """
    return overall_metric("krippendorff_alpha", y_true, y_pred, **options)


@takes_options_of(overall_metric)
def gwet_ac1(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    labels: LabelsLike | None = None,
    **options: Unpack[OverallOptions],
) -> float:
    """(po - pe) / (1 - pe), pe = sum q_i (1 - q_i) / (K - 1), q_i = (row_i + col_i) / 2n.

    Agreement beyond chance; K is the number of labels.

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
        The value where the formula is 0/0 (a single label). "warn": 0, with an
        UndefinedMetricWarning.

    Returns
    -------
    float
        In [-1/(K-1), 1]; higher is better, 0 is chance level.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel, or `labels` omit a label in the data.

    Notes
    -----
    Use it where one label dominates and kappa is low despite high agreement: counts [[90, 5], [5,
    0]] give 0.89.

    Pitfall: It is no measure of skill: always predicting the label of 95 of 100 samples scores
    0.95.

    References
    ----------
    Gwet (2008), British Journal of Mathematical and Statistical Psychology 61(1).

    Examples
    --------
    >>> from skmetrics_ext import gwet_ac1
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(gwet_ac1(y_true, y_pred), 4)
    0.5152
    """
    return overall_metric("gwet_ac1", y_true, y_pred, labels=labels, **options)


@takes_options_of(overall_metric)
def bennett_s(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    labels: LabelsLike | None = None,
    **options: Unpack[OverallOptions],
) -> float:
    """(po - 1/K) / (1 - 1/K): agreement beyond that of uniformly random labels; K is the number of
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
        The value where the formula is 0/0 (a single label). "warn": 0, with an
        UndefinedMetricWarning.

    Returns
    -------
    float
        In [-1/(K-1), 1]; higher is better, 0 is chance level.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel, or `labels` omit a label in the data.

    Notes
    -----
    Use it where chance means uniformly random labels; for two classes it is 2 accuracy - 1 (PABAK).

    Pitfall: It depends on the number of labels: an accuracy of 0.9 gives 0.8 with two, 0.89 with
    ten.

    References
    ----------
    Bennett, Alpert & Goldstein (1954), Public Opinion Quarterly 18(3).

    Examples
    --------
    >>> from skmetrics_ext import bennett_s
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(bennett_s(y_true, y_pred), 4)
    0.5
    """
    return overall_metric("bennett_s", y_true, y_pred, labels=labels, **options)


@takes_options_of(overall_metric)
def quantity_disagreement(
    y_true: LabelsLike, y_pred: LabelsLike, **options: Unpack[OverallOptions]
) -> float:
    """sum |row_i - col_i| / 2n.

    The proportion of samples misclassified because classes are predicted too often or too seldom.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": 1,
        with an UndefinedMetricWarning.

    Returns
    -------
    float
        In [0, 1]; lower is better.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Notes
    -----
    Use it where totals matter, such as the area of each class on a map.

    Pitfall: Swapping two classes of the same size scores 0, as if all samples were correct.

    References
    ----------
    Pontius & Millones (2011), International Journal of Remote Sensing 32(15).

    Examples
    --------
    >>> from skmetrics_ext import quantity_disagreement
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(quantity_disagreement(y_true, y_pred), 4)
    0.1667
    """
    return overall_metric("quantity_disagreement", y_true, y_pred, **options)


@takes_options_of(overall_metric)
def allocation_disagreement(
    y_true: LabelsLike, y_pred: LabelsLike, **options: Unpack[OverallOptions]
) -> float:
    """(1 - po) - quantity_disagreement.

    The proportion of misclassified samples that the class totals do not show.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (never, since there is at least one sample). "warn": 1,
        with an UndefinedMetricWarning.

    Returns
    -------
    float
        In [0, 1]; lower is better.

    Raises
    ------
    ValueError
        If the inputs are invalid or multilabel.

    Notes
    -----
    Use it for errors that cancel out in the totals, such as areas on a map in the wrong place.

    Pitfall: A constant model scores 0, the best value: read it beside `quantity_disagreement`.

    References
    ----------
    Pontius & Millones (2011), International Journal of Remote Sensing 32(15).

    Examples
    --------
    >>> from skmetrics_ext import allocation_disagreement
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> round(allocation_disagreement(y_true, y_pred), 4)
    0.1667
    """
    return overall_metric("allocation_disagreement", y_true, y_pred, **options)


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
    Use it to choose, of models with the same accuracy, one whose errors are in few classes.

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
