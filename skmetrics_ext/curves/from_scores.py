"""threshold_curve and threshold_curves: labels and scores -> curves of classes or groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.columns import (
    NamedScores,
    columns_in_order,
    columns_matched,
    is_one_hot,
    read_scores,
)
from skmetrics_ext.adapter.rule import check_one_label, make_rule
from skmetrics_ext.counting.axes import Axis, axis_of_column
from skmetrics_ext.counting.ranking import Samples
from skmetrics_ext.curves import inputs
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.curves.inputs import Entries
from skmetrics_ext.reading.aliases import (
    GroupsLike,
    Label,
    LabelsLike,
    ScoresLike,
    TargetLike,
    Ties,
)
from skmetrics_ext.reading.groups import axis_of_groups
from skmetrics_ext.reading.labels import Column, named_classes, read_labels
from skmetrics_ext.reading.order import check_among, check_same_kind, positions_in, show
from skmetrics_ext.reading.pairs import Weights

# Axes and columns that curves have already.
NAMES_OF_CURVES = ("fold", "threshold", "tp", "fp", "fn", "tn")


def threshold_curve(
    y_true: TargetLike,
    y_score: ScoresLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    frequency_weights: bool = False,
    clusters: GroupsLike | None = None,
    thresholds: ArrayLike | None = None,
    ties: Ties = "positive",
) -> ThresholdCurve:
    """Count tp, fp, fn and tn at every threshold of the scores of one class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Actual labels.
    y_score : array-like of shape (n_samples,), (n_samples, 1) or (n_samples, n_classes)
        Scores of the positive class, larger if more likely: probabilities or decision values. Of
        one column per class, in the order of the sorted labels or named in a data frame, that of
        the positive class is used: pass `model.predict_proba(X)` unchanged.
    pos_label : int, float, bool or str, default=None
        The positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or {False, True};
        required for other labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample. Samples of weight 0 add no threshold.
    frequency_weights : bool, default=False
        Whether weights are counts of identical samples: whole numbers, of which larger ones narrow
        confidence intervals.
    clusters : array-like of shape (n_samples,), default=None
        Cluster of each sample, such as its patient, within which samples may be dependent. `by` is
        for results of each group, `clusters` for dependent samples, `groups` for cross-validation
        splits.
    thresholds : array-like of shape (n_thresholds,) or int, default=None
        The thresholds, in any order; or an int, for so many quantiles of the scores, decreasing and
        without duplicates; if more than there are samples, all distinct scores. None: all distinct
        scores, decreasing.
    ties : {"positive", "negative"}, default="positive"
        Which class a score equal to the binary threshold predicts.

    Returns
    -------
    ThresholdCurve

    Raises
    ------
    ValueError
        If the positive class is unknown, lengths differ, scores hold NaN or infinity, or thresholds
        are empty, NaN, or finite outside of [0, 1] where all scores are inside.
    TypeError
        If scores or thresholds are not numeric.

    Examples
    --------
    >>> curve = threshold_curve(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8], pos_label="yes")
    >>> curve.thresholds
    array([0.8 , 0.4 , 0.35, 0.1 ])
    >>> curve.counts.tp, curve.counts.fp
    (array([1, 1, 2, 2]), array([0, 1, 1, 2]))
    """
    make_rule(ties=ties)
    true = inputs.read_labels_of_curve(y_true, "y_true")
    scores = read_scores(y_score)
    known = inputs.known_labels_of_columns(scores, true)
    weights = Weights(sample_weight, frequency_weights)
    samples, labels, entries = inputs.samples_of_class(
        true, scores, known, pos_label, weights, clusters
    )
    return ThresholdCurve._of_samples(samples, labels, ties, thresholds, entries)


def curve_of_class(
    true: Column, scores: NDArray[Any], known: NDArray[Any], pos_label: Any, weights: Weights
) -> ThresholdCurve:
    """The curve of one of the known classes, from validated labels and scores."""
    samples, labels, entries = inputs.samples_of_class(
        true, NamedScores(scores), known, pos_label, weights
    )
    return ThresholdCurve._of_samples(samples, labels, entries=entries)


def threshold_curves(
    y_true: TargetLike,
    y_score: ScoresLike,
    *,
    classes: LabelsLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    frequency_weights: bool = False,
    clusters: GroupsLike | None = None,
    by: GroupsLike | None = None,
) -> ThresholdCurves:
    """Count tp, fp, fn and tn of every class against the rest, or of one class in every group, at
    every threshold.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_classes)
        Labels, one-hot rows or multilabel indicators: 2-D is one-hot if each row has exactly one 1
        and its scores sum to 1.
    y_score : array-like of shape (n_samples, n_classes), or list of n_labels arrays (n_samples, 2)
        One column of scores per class, larger if more likely. A list is the `predict_proba` of a
        multilabel model. With `by`, as in `threshold_curve`.
    classes : array-like of shape (n_classes,), default=None
        The label of each column. None: the names of a data frame's columns, else the sorted labels
        of `y_true`, where there are as many as columns; for 2-D targets the column numbers 0, 1,
        ... Only without `by`.
    pos_label : int, float, bool or str, default=None
        With `by`, the positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or
        {False, True}; required for other labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    frequency_weights : bool, default=False
        Whether weights are counts of identical samples: whole numbers, of which larger ones narrow
        confidence intervals.
    clusters : array-like of shape (n_samples,), default=None
        Cluster of each sample, such as its patient, within which samples may be dependent. `by` is
        for results of each group, `clusters` for dependent samples, `groups` for cross-validation
        splits.
    by : array-like of shape (n_samples,), or dict, list or data frame of several, default=None
        The group of each sample: gives an axis "group", or of the column's name, sorted, or in the
        order of an ordered categorical. Several columns give one axis, such as "site, sex", of the
        combinations that occur, such as "a, f". `by` is for results of each group, `clusters` for
        dependent samples, `groups` for cross-validation splits.

    Returns
    -------
    ThresholdCurves
        With the axis "class" or "label", or that of the groups: `sum("group")` pools them.

    Raises
    ------
    ValueError
        If columns or labels and classes do not match, lengths differ, scores hold NaN or infinity,
        the positive class of groups is unknown, or a group has no sample of positive weight.

    Examples
    --------
    >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0, 0.1, 0.9]]
    >>> curves = threshold_curves([0, 1, 2, 2], scores)
    >>> round(curves.roc_auc(), 4)
    0.8472
    >>> ill, risk = [0, 1, 1, 0, 0, 1], [0.1, 0.8, 0.4, 0.6, 0.2, 0.5]
    >>> by_site = threshold_curves(ill, risk, by=list("aabbbb"))
    >>> by_site.roc_auc()
    array([1. , 0.5])
    """
    weights_of = Weights(sample_weight, frequency_weights)
    if by is not None:
        return _curves_of_groups(y_true, y_score, classes, pos_label, weights_of, by, clusters)
    if pos_label is not None:
        raise ValueError(
            "pos_label= is only for groups given by by=: use threshold_curve for the curve of one "
            "class."
        )
    scores, true = read_scores(y_score), read_labels(y_true, "y_true")
    if isinstance(true, Column):
        check_one_label(scores, None)
    multilabel = scores.are_of_labels
    if multilabel:
        scores = NamedScores(np.stack([pair[:, 1] for pair in scores.values], axis=1))
    elif scores.values.ndim == 1:
        raise ValueError(
            "y_score has the scores of one class: use threshold_curve, or pass one column per "
            "class."
        )
    inputs.check_same_scores(true, scores)
    weights = inputs.weights_of_samples(true, scores.index, len(scores.values), weights_of)
    named = named_classes(classes)
    if isinstance(true, Column):
        columns, order = columns_in_order(scores, true.labels, named)
        _check_columns(true, columns, order)
        positive = positions_in(order, true.labels)[true.codes] == np.arange(len(order))[:, None]
    else:
        target, columns, names = columns_matched(true, scores, named)
        multilabel = multilabel or not is_one_hot(target, columns)
        order = _order_of_indicators(target.shape[1], columns.shape[1], names)
        positive = target.T
    # Copies, since curves are made on access; contiguous, since each class is sorted.
    by_class = zip(np.array(columns.T, order="C"), np.array(positive, order="C"), strict=True)
    weights = None if weights is None else weights.copy()
    of_clusters = inputs.clusters_of_samples(clusters, true, scores.index)
    samples = tuple(Samples(*of_class, weights, of_clusters) for of_class in by_class)
    entries: Entries = "counts" if frequency_weights else "samples"
    return ThresholdCurves._of(
        Axis("label" if multilabel else "class", order), samples, entries=entries
    )


def _curves_of_groups(
    y_true: Any,
    y_score: Any,
    classes: Any,
    pos_label: Any,
    weights: Weights,
    by: Any,
    clusters: Any,
) -> ThresholdCurves:
    """The curve of one class in each group."""
    if classes is not None:
        raise ValueError(
            "classes= makes a curve per class, by= one per group: with by=, choose a class by "
            "pos_label=."
        )
    true = inputs.read_labels_of_curve(y_true, "y_true")
    scores = read_scores(y_score)
    axis, group = axis_of_groups(by, true, scores.index, "y_score", NAMES_OF_CURVES)
    known = inputs.known_labels_of_columns(scores, true)
    samples, labels, entries = inputs.samples_of_class(
        true, scores, known, pos_label, weights, clusters
    )
    if samples.weights is not None:
        weightless = np.bincount(group.codes, samples.weights > 0, minlength=len(group.labels)) == 0
        if weightless.any():
            raise ValueError(
                f"the groups {show(group.labels[weightless])} of by= have only weights of 0: omit "
                "them."
            )
    order = np.argsort(group.codes, kind="stable")
    ends = np.bincount(group.codes, minlength=len(group.labels)).cumsum()[:-1]
    parts = [
        [None] * (len(ends) + 1) if part is None else np.split(part[order], ends)
        for part in samples
    ]
    return ThresholdCurves._of(
        axis_of_column(axis, group), tuple(map(Samples, *parts)), labels, entries
    )


def _check_columns(true: Column, scores: NDArray[Any], order: NDArray[Any]) -> None:
    """Reject classes that do not match the columns or the labels."""
    check_same_kind(true.labels, order, "y_true", "classes")
    if len(order) != scores.shape[1]:
        raise ValueError(
            f"y_score has {scores.shape[1]} columns, classes {len(order)}: {show(order)}. List "
            "each once."
        )
    check_among(order, true.labels, "y_true")


def _order_of_indicators(
    n_labels: int, n_columns: int, classes: NDArray[Any] | None
) -> NDArray[Any]:
    """The label of each column of 2-D targets and scores."""
    order = np.arange(n_labels) if classes is None else classes
    if not n_labels == n_columns == len(order):
        raise ValueError(
            f"y_true has {n_labels} label columns, y_score has {n_columns} and there are "
            f"{len(order)} classes: column "
            "k must be the same label in all of them."
        )
    return order
