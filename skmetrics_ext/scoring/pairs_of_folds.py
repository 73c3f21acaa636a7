"""Cross-validated predictions, sample by sample, from which all folds and groups are counted."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from skmetrics_ext.adapter.rule import Rule
from skmetrics_ext.matrices.from_data import encoded_of_estimator
from skmetrics_ext.reading.aliases import TargetLike
from skmetrics_ext.reading.groups import Groups
from skmetrics_ext.reading.labels import Column, code_dtype, read_labels
from skmetrics_ext.reading.order import check_covered, positions_in
from skmetrics_ext.reading.pairs import Encoded, Indicators, Weights


def pairs_of_fold(
    estimator: object,
    X: object,
    y: TargetLike,
    sample_weight: ArrayLike | None,
    labels: NDArray[Any],
    how: tuple[Rule, tuple[str, ...], Any, Any],
) -> tuple[Encoded | Indicators, float]:
    """Both labels of each sample, fold by fold, since a fold does not know its rows."""
    weights = Weights(sample_weight)
    encoded = encoded_of_estimator(estimator, X, read_labels(y, "y"), *how, weights)
    pairs = _in_order_of(encoded, labels)
    return pairs, pairs.true.shape[0] if pairs.weights is None else pairs.weights.sum().item()


def counted_pairs(
    folds: Sequence[Encoded | Indicators],
    rows: Sequence[NDArray[np.intp]],
    groups: Groups | None,
    labels: NDArray[Any],
) -> tuple[Encoded | Indicators, Groups]:
    """The samples of all folds one after another, with the fold and the groups of each."""
    fold = np.repeat(np.arange(len(folds)), [len(of_fold) for of_fold in rows])
    by_fold = Groups(["fold"], [Column(fold, np.arange(len(folds)))])
    if groups is not None:
        row = np.concatenate(rows)
        columns = [column._replace(codes=column.codes[row]) for column in groups.columns]
        by_fold = Groups([*by_fold.names, *groups.names], [*by_fold.columns, *columns])
    first = folds[0]
    weights = None if first.weights is None else np.concatenate([pairs.weights for pairs in folds])
    join = sparse.vstack if sparse.issparse(first.true) else np.concatenate
    true, pred = join([pairs.true for pairs in folds]), join([pairs.pred for pairs in folds])
    if isinstance(first, Indicators):
        return Indicators(true, pred, labels, weights), by_fold
    return first._replace(true=true, pred=pred, weights=weights), by_fold


def _in_order_of(encoded: Encoded | Indicators, order: NDArray[Any]) -> Encoded | Indicators:
    """Codes in a different label order, which has all labels that occur."""
    if isinstance(encoded, Indicators):
        return encoded
    check_covered(order, encoded.present)
    place = positions_in(order, encoded.labels).astype(code_dtype(len(order) + 1))
    return Encoded(
        place[encoded.true], place[encoded.pred], order, len(order), encoded.weights, order
    )
