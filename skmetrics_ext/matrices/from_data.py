"""Labels, scores or an estimator -> the fields of a confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.adapter.columns import read_scores
from skmetrics_ext.adapter.estimator import check_response_method
from skmetrics_ext.adapter.positive import known_positive, second_of
from skmetrics_ext.adapter.responses import predict_labels
from skmetrics_ext.adapter.rule import Rule, decode
from skmetrics_ext.counting.axes import Axis, axis_of_column
from skmetrics_ext.counting.counted import at_labels
from skmetrics_ext.counting.counts import (
    count_indicators,
    count_labels_by_group,
    dense_matrix,
    two_by_two,
)
from skmetrics_ext.counting.design import (
    INDEPENDENT,
    Clusters,
    CrossedUnits,
    SampleDesign,
    clustered_design,
    crossed_design,
    stacked_designs,
    weighted_design,
)
from skmetrics_ext.matrices.data import MatrixData, check_counts
from skmetrics_ext.reading.aliases import LabelsLike
from skmetrics_ext.reading.containers import index_of
from skmetrics_ext.reading.groups import (
    Groups,
    SamplesAt,
    check_cells,
    columns_of_clusters,
    read_by,
)
from skmetrics_ext.reading.labels import Column, Indicator, named_classes, read_labels, read_order
from skmetrics_ext.reading.names import index_of_samples
from skmetrics_ext.reading.order import (
    Rankings,
    as_ranked,
    check_among,
    check_covered,
    ranking_of_all,
)
from skmetrics_ext.reading.pairs import Encoded, Indicators, Weights, encode


class GivenGroups(NamedTuple):
    """The groups and the clusters of the samples, as given."""

    groups: Any = None
    missing_group: Any = None
    clusters: Any = None

    @property
    def are_none(self) -> bool:
        """Whether nothing is given."""
        return self.groups is None and self.missing_group is None and self.clusters is None

    def read(
        self, true: Any, of_predicted: Any, names: tuple[str, str], taken: Collection[str] = ()
    ) -> Groups | None:
        """The groups of the samples of actual labels and of predictions."""
        if self.groups is None:
            if self.missing_group is not None:
                raise ValueError(
                    f"missing_group={self.missing_group!r} applies only with by=, which is None "
                    "here."
                )
            return None
        index = index_of_samples(true.index, of_predicted)
        samples = SamplesAt(index, true.n_samples, names[0 if index is true.index else 1])
        return read_by(self.groups, self.missing_group, samples, taken)

    def read_clusters(
        self, true: Any, of_predicted: Any, names: tuple[str, str]
    ) -> Clusters | CrossedUnits | None:
        """The cluster of each sample, or its case and its reader."""
        if self.clusters is None:
            return None
        return units_of_columns(columns_of_clusters(self.clusters, true, of_predicted, names[1]))


WITHOUT_WEIGHTS = (
    "clusters= of cases and readers takes each reading once: omit the weights, or pass the cases "
    "alone."
)


def units_of_columns(columns: list[Column]) -> Clusters | CrossedUnits:
    """The units of one column, or of cases and readers."""
    units = [Clusters(column.codes, column.labels) for column in columns]
    return CrossedUnits(*units) if len(units) == 2 else units[0]


def fields_of_labels(
    y_true: Any,
    y_pred: Any,
    labels: LabelsLike | None,
    pos_label: Any,
    weights: Weights,
    by: GivenGroups,
) -> dict[str, Any]:
    """Actual against predicted labels, for each group if given."""
    order = None if labels is None else read_order(labels)
    groups = clusters = None
    if not by.are_none:
        names = ("y_true", "y_pred")
        y_true, y_pred = read_labels(y_true, names[0]), read_labels(y_pred, names[1])
        groups = by.read(y_true, y_pred.index, names)
        clusters = by.read_clusters(y_true, y_pred.index, names)
    encoded = encode(y_true, y_pred, labels=order, weights=weights)
    if pos_label is not None and isinstance(encoded, Indicators):
        raise ValueError(
            f"pos_label={pos_label!r} is for one label per sample: in multilabel data 1 is "
            "positive."
        )
    encoded = ranked_by(encoded, order, "labels")
    return fields_of_encoded(encoded, groups, pos_label, second_of(order), clusters)


def fields_with(cm: MatrixData, y_true: Any, y_pred: Any, weights: Weights) -> dict[str, Any]:
    """The fields that change as further samples are counted."""
    if cm.axes:
        raise ValueError(
            "add counts into a matrix without leading axes, and this one has "
            f"{[axis.name for axis in cm.axes]}: count "
            "the further samples with from_predictions, and join the matrices by +."
        )
    encoded = encode(y_true, y_pred, labels=cm.labels, weights=weights)
    if isinstance(encoded, Indicators):
        raise ValueError("add takes one label per sample, and these are multilabel data.")
    # In the order of the matrix, whatever ordered categoricals declare.
    fields = fields_of_encoded(encoded._replace(rankings=()))
    check_counts(cm.counts, fields["counts"])
    designs = [cm._design, fields["_design"]]
    counts = [cm.counts, fields["counts"]]
    design = stacked_designs(designs, counts).summed(0)
    return {"counts": cm.counts + fields["counts"], "_design": design}


def fields_of_scores(
    y_true: Any,
    y_score: Any,
    rule: Rule,
    classes: LabelsLike | None,
    multilabel: bool | None,
    weights: Weights,
    by: GivenGroups,
) -> dict[str, Any]:
    """Actual labels against those of a rule from scores."""
    named = named_classes(classes)
    rule = rule._replace(default_positive=second_of(named))
    scores = read_scores(y_score)
    true, pred, order = decode(y_true, scores, rule, named, multilabel)
    names, actual = ("y_true", "y_score"), read_labels(true, "y_true")
    groups = by.read(actual, scores.index, names)
    clusters = by.read_clusters(actual, scores.index, names)
    if isinstance(true, Column) and order is not None:
        check_among(order, true.labels, "y_true")
    encoded = encode(true, pred, labels=order, weights=weights, names=names)
    encoded = ranked_by(encoded, named, "classes")
    return fields_of_encoded(encoded, groups, rule.pos_label, rule.default_positive, clusters)


def fields_of_estimator(
    estimator: Any,
    X: Any,
    y: Any,
    rule: Rule,
    response_method: str,
    classes: LabelsLike | None,
    multilabel: bool | None,
    weights: Weights,
    by: GivenGroups,
) -> dict[str, Any]:
    """Actual labels against an estimator's, by a rule if it returns scores."""
    methods = check_response_method(response_method)
    named = named_classes(classes)
    rule = rule._replace(default_positive=second_of(named))
    actual = read_labels(y, "y")
    index = index_of(X)
    groups = by.read(actual, index, ("y", "X"))
    clusters = by.read_clusters(actual, index, ("y", "X"))
    encoded = encoded_of_estimator(estimator, X, actual, rule, methods, named, multilabel, weights)
    return fields_of_encoded(encoded, groups, rule.pos_label, rule.default_positive, clusters)


def encoded_of_estimator(
    estimator: Any,
    X: Any,
    actual: Column | Indicator,
    rule: Rule,
    methods: tuple[str, ...],
    named: NDArray[Any] | None,
    multilabel: bool | None,
    weights: Weights,
) -> Encoded | Indicators:
    """Actual labels and an estimator's in codes of one order."""
    true, pred, known = predict_labels(
        estimator, X, actual, rule, response_method=methods, classes=named, multilabel=multilabel
    )
    known = None if known is None else np.sort(known)
    encoded = encode(true, pred, known=known, weights=weights, names=("y", "prediction"))
    return ranked_by(encoded, named, "classes")


def ranked_by(
    encoded: Encoded | Indicators, named: NDArray[Any] | None, name: str
) -> Encoded | Indicators:
    """Classes ranked as the caller lists them, whatever ordered categoricals declare."""
    if named is None or isinstance(encoded, Indicators):
        return encoded
    return encoded._replace(rankings=((name, named),))


def fields_of_encoded(
    encoded: Encoded | Indicators,
    groups: Groups | None = None,
    pos_label: Any = None,
    default_positive: Any = None,
    clusters: Clusters | CrossedUnits | None = None,
) -> dict[str, Any]:
    """Count the labels read, for each combination of groups."""
    axes = () if groups is None else tuple(map(axis_of_column, groups.names, groups.columns))
    are_weights = encoded.is_weighted
    if isinstance(encoded, Indicators):
        axes = (*axes, Axis("label", encoded.labels))
        tables = _tables_of_labels(encoded, groups)
        design = _design_of(encoded, groups, tables.shape, clusters, are_weights=are_weights)
        return {
            "counts": tables,
            "labels": np.array([0, 1]),
            "axes": axes,
            "pos_label": 1,
            "_design": design.with_shared("label", len(encoded.labels)),
        }
    order = encoded.labels
    if encoded.n_codes > len(order):
        check_covered(order, encoded.present)
    if groups is None:
        counts = dense_matrix(encoded)
    else:
        check_cells(groups.names, groups.lengths, len(order) ** 2)
        counts = dense_matrix(encoded, groups.codes(), math.prod(groups.lengths))
        counts.resize(*groups.lengths, *counts.shape[1:])
    # Frozen here, the matrix need not copy them.
    counts.setflags(write=False)
    design = _design_of(encoded, groups, counts.shape, clusters, are_weights=are_weights)
    of_classes = ranked(counts, order, encoded.rankings)
    design = design.moved(lambda of: at_labels(of, order, of_classes["labels"]))
    positive = known_positive(order, pos_label, default_positive)
    return of_classes | {"axes": axes, "pos_label": positive, "_design": design}


def _tables_of_labels(indicators: Indicators, groups: Groups | None) -> NDArray[Any]:
    """One 2 x 2 matrix per label and combination of groups."""
    if groups is None:
        return two_by_two(count_indicators(indicators))
    check_cells([*groups.names, "label"], [*groups.lengths, len(indicators.labels)], 4)
    counts = count_labels_by_group(indicators, groups.codes(), math.prod(groups.lengths))
    return counts.reshape(*groups.lengths, *counts.shape[1:])


def _design_of(
    encoded: Encoded | Indicators,
    groups: Groups | None,
    shape: tuple[int, ...],
    clusters: Clusters | CrossedUnits | None,
    *,
    are_weights: bool,
) -> SampleDesign:
    """The design; independent samples without weights cost nothing."""
    if not are_weights and clusters is None:
        return INDEPENDENT
    cells, n_cells = _cells_of(encoded)
    if groups is not None:
        codes = groups.codes().astype(np.int64)
        cells = cells + n_cells * (codes if cells.ndim == 1 else codes[:, None])
    weights = encoded.weights
    if isinstance(clusters, CrossedUnits):
        refuse_with_readers(encoded)
        return crossed_design(cells, shape, clusters)
    if clusters is not None:
        return clustered_design(cells, shape, clusters, weights, are_weights=are_weights)
    assert weights is not None, "they are weighted"
    n_labels = len(encoded.labels) if isinstance(encoded, Indicators) else 1
    return weighted_design(np.repeat(weights, n_labels), cells.ravel(), shape)


def refuse_with_readers(encoded: Encoded | Indicators) -> None:
    """Refuse what is not known to hold over new readers and new cases."""
    if encoded.weights is not None:
        raise ValueError(WITHOUT_WEIGHTS)
    if isinstance(encoded, Indicators):
        raise ValueError(
            "clusters= of cases and readers is for one label per reading, and these are multilabel "
            "data: count label by label, or pass the cases alone."
        )


def _cells_of(encoded: Encoded | Indicators) -> tuple[NDArray[np.int64], int]:
    """The cell of each sample or of its labels, and how many cells there are without groups."""
    if isinstance(encoded, Encoded):
        n_classes = len(encoded.labels)
        cells = encoded.true.astype(np.int64) * n_classes + encoded.pred
        return cells, n_classes**2
    sides = (encoded.true, encoded.pred)
    true, pred = (side.toarray() if sparse.issparse(side) else side for side in sides)
    n_labels = true.shape[1]
    cells_of_label = 2 * true.astype(np.int64) + pred
    return 4 * np.arange(n_labels) + cells_of_label, 4 * n_labels


def ranked(counts: NDArray[Any], labels: NDArray[Any], rankings: Rankings) -> dict[str, Any]:
    """Counts with ranked labels, if the data declare it, so that the repr and arrays agree."""
    ranking = ranking_of_all(rankings)
    order = as_ranked(labels, ranking)
    return {"counts": at_labels(counts, labels, order), "labels": order, "ranking": ranking}
