"""Likelihood ratios, odds and other comparisons of hits and false alarms."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.catalogue.undefined import defined
from skmetrics_ext.counting.counts import ClassCounts, count_matrix
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.formulas import one_class
from skmetrics_ext.metrics.from_labels import ClassOptions, Value, class_metric, per_class
from skmetrics_ext.reading.aliases import LabelsLike, TargetLike
from skmetrics_ext.reading.arguments import check_in_range
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import positions_in, show
from skmetrics_ext.reading.pairs import Weights, encode_single_label


@per_class
def positive_likelihood_ratio(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """recall / false_positive_rate.

    How many times as likely a positive prediction is for the class as for the rest.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel); "worst": the worst
        class.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that no sample or every sample has, or is never
        predicted). "warn": nan, with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, inf]; higher is better, 1 is chance level.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it at any prevalence: multiply the odds of the class by it, and you have the odds after a
    positive prediction.

    Pitfall: It is infinite if there happens to be no false positive, and then the macro average is,
    too: look at the interval.

    References
    ----------
    scikit-learn's class_likelihood_ratios; Deeks & Altman (2004), BMJ 329:168.

    Examples
    --------
    >>> from skmetrics_ext import positive_likelihood_ratio
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> positive_likelihood_ratio(y_true, y_pred, average=None).round(4)
    array([inf,  5.,  2.])
    """
    return class_metric("positive_likelihood_ratio", y_true, y_pred, **options)


@per_class
def negative_likelihood_ratio(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """false_negative_rate / specificity.

    How many times as likely a negative prediction is for the class as for the rest.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel); "worst": the worst
        class.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that no sample or every sample has, or is always
        predicted). "warn": nan, with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, inf]; lower is better, 1 is chance level.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to rule a class out: the odds of the class times this value are its odds after a negative
    prediction.

    Pitfall: It multiplies odds: 0.1 turns a probability of 0.5 into 0.09, and one of 0.9 into 0.47.

    References
    ----------
    scikit-learn's class_likelihood_ratios; Deeks & Altman (2004), BMJ 329:168.

    Examples
    --------
    >>> from skmetrics_ext import negative_likelihood_ratio
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> negative_likelihood_ratio(y_true, y_pred, average=None).round(4)
    array([0.5, 0. , 0.5])
    """
    return class_metric("negative_likelihood_ratio", y_true, y_pred, **options)


@explained
def class_likelihood_ratios(
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    labels: LabelsLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float | dict[str, float] = np.nan,
) -> tuple[float, float]:
    """recall / false_positive_rate and false_negative_rate / specificity, for the second of two
    classes.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        Actual and predicted labels of two classes.
    labels : array-like of shape (2,), default=None
        The negative and the positive class. None: both labels, sorted.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    replace_undefined_by : nan, 1.0 or dict, default=nan
        Value of a ratio whose denominator is 0; a dict gives those of "LR+" (at least 1) and "LR-"
        (0 to 1).

    Returns
    -------
    positive, negative : float
        In [0, inf].

    Raises
    ------
    ValueError
        If the inputs are invalid, or there are not exactly two classes.

    Warns
    -----
    UndefinedMetricWarning
        For each undefined ratio.

    References
    ----------
    scikit-learn; Deeks & Altman (2004), BMJ 329:168.

    Examples
    --------
    >>> from skmetrics_ext import class_likelihood_ratios
    >>> class_likelihood_ratios([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    (1.5, 0.75)
    """
    replacements = _replacements(replace_undefined_by)
    encoded = encode_single_label(y_true, y_pred, weights=Weights(sample_weight))
    order = encoded.labels if labels is None else read_order(labels)
    if len(encoded.labels) > 2:
        raise ValueError(
            f"class_likelihood_ratios is for two classes, but there are {len(encoded.labels)}. "
            "For more classes, use positive_likelihood_ratio and negative_likelihood_ratio with "
            "average=."
        )
    if len(order) != 2:
        raise ValueError(
            "class_likelihood_ratios needs two classes: specify both with labels=[negative, "
            "positive]."
        )
    if not np.isin(encoded.labels[np.unique(encoded.true)], order).any():
        raise ValueError(
            f"no sample in y_true has any of labels={show(order)}: include one that occurs."
        )
    # A class absent from the data has an empty row and column.
    positions = positions_in(encoded.labels, order)
    matrix = np.pad(count_matrix(encoded), (0, 1))[np.ix_(positions, positions)]
    (tn, fp), (fn, tp) = matrix.tolist()
    counts = ClassCounts(*map(np.asarray, (tp, fp, fn, tn)))
    positive = _value_or_replacement(
        one_class.positive_likelihood_ratio, counts, fp, replacements["LR+"]
    )
    negative = _value_or_replacement(
        one_class.negative_likelihood_ratio, counts, tn, replacements["LR-"]
    )
    return positive, negative


def _replacements(given: Any) -> dict[str, float]:
    """The values of both likelihood ratios where they are undefined, as "LR+" and "LR-"."""
    if not isinstance(given, dict):
        wanted = "nan, 1.0 or a dict of 'LR+' and 'LR-'"
        check_in_range(given, "replace_undefined_by", lambda x: np.isnan(x) or x == 1, wanted)
        return {"LR+": given, "LR-": given}
    check_in_range(
        given.get("LR+"), "replace_undefined_by['LR+']", lambda x: not x < 1, "from 1 to inf or nan"
    )
    check_in_range(
        given.get("LR-"),
        "replace_undefined_by['LR-']",
        lambda x: np.isnan(x) or 0 <= x <= 1,
        "from 0 to 1 or nan",
    )
    return given


def _value_or_replacement(
    formula: Callable[[ClassCounts], one_class.Quotient],
    counts: ClassCounts,
    denominator: float,
    replacement: float,
) -> float:
    """A likelihood ratio, or where its denominator is 0 the replacement, not infinity."""
    with_warning = partial(
        defined, name=formula.__name__, zero_division="warn", option="replace_undefined_by"
    )
    if not denominator:
        nothing = np.asarray(np.nan)
        return float(with_warning(nothing, undefined=replacement, because="its denominator is 0"))
    return float(
        with_warning(
            ratio(*formula(counts)), undefined=np.nan, because="there are no actual positives"
        )
    )


@per_class
def diagnostic_odds_ratio(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """tp tn / (fp fn): the odds of a positive prediction for the class over those for the rest.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel); "worst": the worst
        class.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (tp tn and fp fn both 0). "warn": nan, with an
        UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, inf]; higher is better, 1 is chance level.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to summarize a test in one number that does not depend on the prevalence.

    Pitfall: Recall 0.9 with specificity 0.5, and 0.5 with 0.9, both give 9. Without one kind of
    error it is infinite, unless all predictions are the same.

    References
    ----------
    Glas et al. (2003), Journal of Clinical Epidemiology 56(11).

    Examples
    --------
    >>> from skmetrics_ext import diagnostic_odds_ratio
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> diagnostic_odds_ratio(y_true, y_pred, average=None).round(4)
    array([inf, inf,  4.])
    """
    return class_metric("diagnostic_odds_ratio", y_true, y_pred, **options)


@per_class
def yule_q(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """(tp tn - fp fn) / (tp tn + fp fn): the odds ratio scaled to [-1, 1].

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel); "worst": the worst
        class.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (tp tn and fp fn both 0). "warn": 0, with an
        UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [-1, 1]; higher is better, 0 is chance level.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it in place of the odds ratio for values that are never infinite.

    Pitfall: It is 1 where one kind of error is absent from predictions that differ, even if one
    case in ten is found.

    References
    ----------
    Yule (1900), Philosophical Transactions of the Royal Society A 194.

    Examples
    --------
    >>> from skmetrics_ext import yule_q
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> yule_q(y_true, y_pred, average=None).round(4)
    array([1. , 1. , 0.6])
    """
    return class_metric("yule_q", y_true, y_pred, **options)


@per_class
def relative_risk(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """precision / false_omission_rate.

    How many times as likely the class is after a positive as after a negative prediction.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel); "worst": the worst
        class.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that is never or always predicted, or never
        occurs). "warn": nan, with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, inf]; higher is better, 1 is chance level.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it where predictions stratify people by risk, for readers unfamiliar with odds.

    Pitfall: Where half of those predicted negative have the class, it cannot exceed 2.

    References
    ----------
    Cornfield (1951), Journal of the National Cancer Institute 11(6).

    Examples
    --------
    >>> from skmetrics_ext import relative_risk
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> relative_risk(y_true, y_pred, average=None).round(4)
    array([ 5., inf,  2.])
    """
    return class_metric("relative_risk", y_true, y_pred, **options)


@per_class
def d_prime(y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]) -> Value:
    """probit(recall) - probit(false_positive_rate).

    The separation of the class from the rest in standard deviations.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel); "worst": the worst
        class.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that no sample or every sample has, or both
        rates 0 or both 1). "warn": 0, with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [-inf, inf]; higher is better, 0 is chance level, infinite where a rate is 0 or 1.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to separate sensitivity from response bias: how readily someone says yes.

    Pitfall: It does so only if the scores of both classes are normal with equal variance.

    References
    ----------
    Green & Swets (1966), Signal Detection Theory and Psychophysics.

    Examples
    --------
    >>> from skmetrics_ext import d_prime
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> d_prime(y_true, y_pred, average=None).round(4)
    array([   inf,    inf, 0.8615])
    """
    return class_metric("d_prime", y_true, y_pred, **options)


@per_class
def prevalence_threshold(
    y_true: TargetLike, y_pred: TargetLike, **options: Unpack[ClassOptions]
) -> Value:
    """sqrt(F) / (sqrt(H) + sqrt(F)), H = recall, F = false_positive_rate.

    The prevalence below which precision falls most sharply.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report, in this order; samples of others still count as errors. None:
        all, sorted.
    pos_label : int, float, bool or str, default=1
        The positive class, for `average="binary"` only.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"} or None, default="binary"
        "binary": `pos_label` only; None: each class; "macro": their mean, "weighted" by support;
        "micro": of summed counts; "samples": mean over samples (multilabel); "worst": the worst
        class.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the formula is 0/0 (a class that no sample or every sample has, or both
        rates 0). "warn": 1, with an UndefinedMetricWarning. Averages ignore nan.

    Returns
    -------
    float, or ndarray of shape (n_classes,) if `average` is None
        In [0, 1]; lower is better.

    Raises
    ------
    ValueError
        If the inputs, `pos_label` or `average` are invalid.

    Notes
    -----
    Use it to decide where a test is worthwhile: precision there is 1 minus the value.

    Pitfall: It is no score threshold, and does not say whether precision there is enough.

    References
    ----------
    Balayla (2020), PLOS ONE 15(10).

    Examples
    --------
    >>> from skmetrics_ext import prevalence_threshold
    >>> y_true = ["cat", "ant", "cat", "bee", "ant", "cat"]
    >>> y_pred = ["cat", "cat", "cat", "bee", "ant", "bee"]
    >>> prevalence_threshold(y_true, y_pred, average=None).round(4)
    array([0.    , 0.309 , 0.4142])
    """
    return class_metric("prevalence_threshold", y_true, y_pred, **options)
