"""Labels and scores -> the samples of curves of one class, of all classes or of groups."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.columns import (
    NamedScores,
    columns_in_order,
    columns_matched,
    columns_named,
    is_one_hot,
    read_scores,
)
from skmetrics_ext.adapter.positive import second_of
from skmetrics_ext.adapter.rule import check_one_label
from skmetrics_ext.counting.axes import Axis, axis_of_column
from skmetrics_ext.counting.ranking import Samples
from skmetrics_ext.curves import inputs
from skmetrics_ext.curves.inputs import CurveLabels, Entries
from skmetrics_ext.reading.groups import axis_of_groups
from skmetrics_ext.reading.labels import Column, named_classes, read_labels
from skmetrics_ext.reading.order import check_among, check_same_kind, positions_in, show
from skmetrics_ext.reading.pairs import Weights

# Axes and columns that curves have already.
NAMES_OF_CURVES = ("fold", "threshold", "tp", "fp", "fn", "tn")


class ManySamples(NamedTuple):
    """The samples of each curve along an axis; the labels of all, or None where each is of a class
    against the rest; and what an entry is.
    """

    axis: Axis
    samples: tuple[Samples, ...]
    common: CurveLabels | None
    entries: Entries


def samples_of_scores(
    y_true: Any, y_score: Any, classes: Any, pos_label: Any, weights: Weights, clusters: Any
) -> tuple[Samples, CurveLabels, Entries]:
    """The samples of one class, its labels, and what an entry is."""
    true = inputs.read_labels_of_curve(y_true, "y_true")
    scores = read_scores(y_score)
    known = inputs.known_labels_of_columns(scores, true)
    named = named_classes(classes)
    if named is not None:
        values = columns_named(scores, named)
        _check_columns(true, values, named)
        known, scores = named, scores._replace(values=values, names=None)
        true = true._replace(ranking=named)
        pos_label = second_of(named) if pos_label is None else pos_label
    return inputs.samples_of_class(true, scores, known, pos_label, weights, clusters)


def samples_of_classes(
    y_true: Any, y_score: Any, classes: Any, weights_of: Weights, clusters: Any
) -> ManySamples:
    """Every class against the rest."""
    scores, true = read_scores(y_score), read_labels(y_true, "y_true")
    if isinstance(true, Column):
        check_one_label(scores, None)
    multilabel = scores.are_of_labels
    if multilabel:
        scores = NamedScores(np.stack([pair[:, 1] for pair in scores.values], axis=1))
    elif scores.values.ndim == 1:
        raise ValueError(
            "y_score has the scores of one class: use ThresholdCurve.from_scores, or pass one "
            "column per class."
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
    entries: Entries = "frequencies" if weights_of.are_frequencies else "samples"
    return ManySamples(Axis("label" if multilabel else "class", order), samples, None, entries)


def samples_of_groups(
    y_true: Any, y_score: Any, pos_label: Any, weights: Weights, by: Any, clusters: Any
) -> ManySamples:
    """One class in each group."""
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
    return ManySamples(axis_of_column(axis, group), tuple(map(Samples, *parts)), labels, entries)


def _check_columns(true: Column, scores: NDArray[Any], order: NDArray[Any]) -> None:
    """Reject classes that do not match the columns or the labels."""
    check_same_kind(true.labels, order, "y_true", "classes")
    # Scores of one class have no column for the other.
    n_columns = 2 if scores.ndim == 1 else scores.shape[1]
    if len(order) != n_columns:
        raise ValueError(
            f"y_score has {n_columns} columns, classes {len(order)}: {show(order)}. List each once."
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
