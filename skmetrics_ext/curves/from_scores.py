"""threshold_curve: labels and scores of one class -> its counts at every threshold."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.rule import Ties, make_rule
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.from_data import parts_of_class
from skmetrics_ext.curves.inputs import known_labels_of_columns, read_labels_of_curve
from skmetrics_ext.reading.aliases import Label, TargetLike
from skmetrics_ext.reading.labels import Column
from skmetrics_ext.reading.pairs import Weights


def threshold_curve(
    y_true: TargetLike,
    y_score: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    frequency_weights: bool = False,
    thresholds: ArrayLike | None = None,
    ties: Ties = "positive",
) -> ThresholdCurve:
    """Count tp, fp, fn and tn at every threshold of the scores of one class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Actual labels.
    y_score : array-like of shape (n_samples,), (n_samples, 1) or (n_samples, n_classes)
        Scores of the positive class, the larger the likelier: probabilities or decision values.
        Of one column a class, in the order of the sorted labels or named in a data frame, the
        column of the positive class: pass `model.predict_proba(X)` as it is.
    pos_label : int, float, bool or str, default=None
        The positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or {False, True};
        other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample. A sample of weight 0 makes no threshold.
    frequency_weights : bool, default=False
        Whether the weights are numbers of equal samples that were counted, so that they must be whole,
        and larger ones make a value surer.
    thresholds : array-like of shape (n_thresholds,) or int, default=None
        The thresholds, in any order; or a number of them, which are quantiles of the scores
        from the highest to the lowest, equal ones once; of more than there are samples, all
        distinct scores. None: all distinct scores, decreasing.
    ties : {"positive", "negative"}, default="positive"
        What a score equal to a threshold of two classes predicts: score >= threshold is
        positive, or only score > threshold.

    Returns
    -------
    ThresholdCurve

    Raises
    ------
    ValueError
        If the positive class is not clear or not among the labels, lengths differ, scores
        hold NaN or infinity, or thresholds are empty or hold NaN.
    TypeError
        If scores or thresholds are no numbers.

    Examples
    --------
    >>> curve = threshold_curve(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8], pos_label="yes")
    >>> curve.thresholds
    array([0.8 , 0.4 , 0.35, 0.1 ])
    >>> curve.counts.tp, curve.counts.fp
    (array([1, 1, 2, 2]), array([0, 1, 1, 2]))
    >>> threshold_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], thresholds=[0.3, 0.5]).score("precision").round(3)
    array([0.667, 1.   ])
    """
    make_rule(ties=ties)
    true = read_labels_of_curve(y_true, "y_true")
    return curve_of_class(
        true,
        y_score,
        known_labels_of_columns(y_score, true),
        pos_label,
        ties,
        weights=Weights(sample_weight, frequency_weights),
        thresholds=thresholds,
    )


def curve_of_class(
    true: Column,
    y_score: Any,
    known: NDArray[Any],
    pos_label: Any,
    ties: Ties = "positive",
    *,
    weights: Weights,
    thresholds: ArrayLike | None = None,
) -> ThresholdCurve:
    """The curve of one of the classes that are known, of labels that have been read."""
    return ThresholdCurve(*parts_of_class(true, y_score, known, pos_label, ties, weights, thresholds))
