"""Labels, scores, an estimator or counts -> the parts of a confusion matrix."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.estimator import check_response_method
from skmetrics_ext.adapter.positive import known_positive, second_of
from skmetrics_ext.adapter.responses import predict_labels
from skmetrics_ext.adapter.rule import Rule, decode
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counts import count_indicators, two_by_two
from skmetrics_ext.counting.dense import dense_matrix
from skmetrics_ext.matrices.given_counts import default_axes, read_counts
from skmetrics_ext.matrices.parts import Parts, check_covered
from skmetrics_ext.reading.labels import Column, read_labels, read_order
from skmetrics_ext.reading.order import positions_in, ranking_of_all, ranking_of_columns, show
from skmetrics_ext.reading.pairs import Encoded, Indicators, encode, groups_of_samples


def parts_of_labels(
    y_true: Any, y_pred: Any, labels: ArrayLike | None, sample_weight: ArrayLike | None, by: Any
) -> Parts:
    """Actual against predicted labels, for each group of `by` if given."""
    order = None if labels is None else read_order(labels)
    true, pred = read_labels(y_true, "y_true"), read_labels(y_pred, "y_pred")
    group = None if by is None else groups_of_samples(by, "by", true, pred.index)
    encoded = encode(true, pred, labels=order, sample_weight=sample_weight)
    return parts_of_encoded(ranked_by(encoded, order, "labels"), group, carried=second_of(order))


def parts_of_scores(
    y_true: Any,
    y_score: Any,
    rule: Rule,
    classes: ArrayLike | None,
    multilabel: bool | None,
    sample_weight: ArrayLike | None,
) -> Parts:
    """Actual labels against those that a rule makes of scores."""
    named = None if classes is None else read_order(classes, "classes")
    rule = rule._replace(carried=second_of(named))
    true, pred, order = decode(y_true, y_score, rule, named, multilabel)
    if isinstance(true, Column) and order is not None:
        outside = true.labels[positions_in(order, true.labels) == len(order)]
        if len(outside):
            raise ValueError(f"y_true has labels {show(outside)} that are not among classes={show(order)}.")
    encoded = encode(true, pred, labels=order, sample_weight=sample_weight, names=("y_true", "y_score"))
    encoded = ranked_by(encoded, ranking_of_columns(named), "classes")
    return parts_of_encoded(encoded, pos_label=rule.pos_label, carried=rule.carried)


def parts_of_estimator(
    estimator: Any,
    X: Any,
    y: Any,
    rule: Rule,
    response_method: str,
    classes: ArrayLike | None,
    multilabel: bool | None,
    sample_weight: ArrayLike | None,
) -> Parts:
    """Actual labels against those that an estimator predicts, by a rule where it gives scores."""
    methods = check_response_method(response_method)
    named = None if classes is None else read_order(classes, "classes")
    rule = rule._replace(carried=second_of(named))
    true, pred, known = predict_labels(
        estimator, X, read_labels(y, "y"), rule, response_method=methods, classes=named, multilabel=multilabel
    )
    known = None if known is None else np.sort(known)
    encoded = encode(true, pred, known=known, sample_weight=sample_weight, names=("y", "prediction"))
    encoded = ranked_by(encoded, ranking_of_columns(named), "classes")
    return parts_of_encoded(encoded, pos_label=rule.pos_label, carried=rule.carried)


def parts_of_counts(counts: Any, labels: ArrayLike | None) -> Parts:
    """Counts that exist already."""
    array, order = read_counts(counts, labels)
    # The names of a frame are no order of the caller's.
    named = None if labels is None else order
    # Labels of a plain array name its rows, which may be by the alphabet; those of a frame choose an order.
    ranking = named if hasattr(counts, "columns") else None
    return Parts(array, order, default_axes(array), known_positive(order, carried=second_of(named)), ranking)


def ranked_by(encoded: Encoded | Indicators, named: NDArray[Any] | None, name: str) -> Encoded | Indicators:
    """Classes from low to high as the caller names them, if so, whatever ordered categoricals say."""
    if named is None or isinstance(encoded, Indicators):
        return encoded
    return encoded._replace(rankings=((name, named),))


def parts_of_encoded(
    encoded: Encoded | Indicators,
    group: Column | None = None,
    *,
    pos_label: Any = None,
    carried: Any = None,
) -> Parts:
    """Count what has been read, for each group if given."""
    if isinstance(encoded, Indicators):
        if group is not None:
            raise ValueError("by= is for one label a sample; y_true and y_pred are multilabel.")
        axes = (Axis("label", encoded.labels),)
        return Parts(two_by_two(count_indicators(encoded)), np.array([0, 1]), axes, 1)
    order, present = encoded.labels, encoded.present
    if encoded.n_codes > len(order):
        check_covered(order, present[positions_in(order, present) == len(order)])
    positive = known_positive(order, pos_label, carried)
    ranking = ranking_of_all(encoded.rankings)
    if group is None:
        return Parts(dense_matrix(encoded), order, (), positive, ranking)
    counts = dense_matrix(encoded, group.codes, len(group.labels))
    return Parts(counts, order, (Axis("group", group.labels),), positive, ranking)
