"""Both label arrays of a metric in codes of one label order, with the weights: read and checked once."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from skmetrics_ext.reading.labels import Column, Indicator, code_dtype, read_labels, read_order
from skmetrics_ext.reading.names import check_same_samples, index_of_samples, places_of_columns
from skmetrics_ext.reading.numbers import read_weights
from skmetrics_ext.reading.order import check_same_kind, positions_in, show, sorted_union


class Encoded(NamedTuple):
    """Both label arrays in codes of one label order.

    `n_codes` is the number of labels, and one more if samples of labels outside
    the order exist: those all have the last code.
    """

    true: NDArray[Any]
    pred: NDArray[Any]
    labels: NDArray[Any]
    n_codes: int
    weights: NDArray[Any] | None


class Indicators(NamedTuple):
    """Both sides of multilabel data: boolean (n_samples, n_labels), dense or both CSR."""

    true: Any
    pred: Any
    labels: NDArray[Any]
    weights: NDArray[Any] | None


def encode(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    names: tuple[str, str] = ("y_true", "y_pred"),
) -> Encoded | Indicators:
    """Read and check both label arrays and the weights, once, for everything behind this door."""
    true = read_labels(y_true, names[0])
    pred = read_labels(y_pred, names[1])
    n_samples = common_length(true, pred.n_samples, names)
    check_same_samples(true.index, pred.index, names, default_is_name=False)
    index = index_of_samples(true.index, pred.index)
    weights = read_weights(sample_weight, n_samples, index, names[0 if index is true.index else 1])
    if isinstance(true, Indicator) or isinstance(pred, Indicator):
        return _encode_indicators(true, pred, labels, weights, names)
    present = _union(true.labels, pred.labels, names)
    if labels is None:
        order, n_codes = present, len(present)
    else:
        order = read_order(labels)
        check_same_kind(order, present, "labels", names[0])
        outside = (positions_in(order, present) == len(order)).any()
        n_codes = len(order) + int(outside)
    return Encoded(_recode(true, order), _recode(pred, order), order, n_codes, weights)


def encode_single_label(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    names: tuple[str, str] = ("y_true", "y_pred"),
) -> Encoded:
    """`encode` for what multilabel data do not have, such as a confusion matrix of all classes."""
    encoded = encode(y_true, y_pred, labels=labels, sample_weight=sample_weight, names=names)
    if isinstance(encoded, Indicators):
        raise ValueError(
            f"{names[0]} and {names[1]} are 2-D 0/1 indicators (multilabel), which this metric does "
            "not support: it needs one label a sample. One-hot rows become labels with "
            "classes[y.argmax(axis=1)]."
        )
    return encoded


def without_others(encoded: Encoded) -> Encoded:
    """Leave out the samples whose true or predicted label is outside the label order."""
    n_labels = len(encoded.labels)
    if encoded.n_codes == n_labels:
        return encoded
    kept = (encoded.true < n_labels) & (encoded.pred < n_labels)
    weights = None if encoded.weights is None else encoded.weights[kept]
    return Encoded(encoded.true[kept], encoded.pred[kept], encoded.labels, n_labels, weights)


def common_length(true: Column | Indicator, n_other: int, names: tuple[str, str]) -> int:
    """The number of samples, equal on both sides."""
    if true.n_samples != n_other:
        raise ValueError(
            f"{names[0]} has {true.n_samples} samples but {names[1]} has {n_other}: both must have one "
            "entry for each sample, in the same order."
        )
    return n_other


def _union(true: NDArray[Any], pred: NDArray[Any], names: tuple[str, str]) -> NDArray[Any]:
    """The sorted labels of both sides, which must be of one kind."""
    check_same_kind(true, pred, *names)
    return sorted_union(true, pred)


def _recode(column: Column, order: NDArray[Any]) -> NDArray[Any]:
    """The codes of a column in another label order."""
    if column.labels is order:
        return column.codes
    positions = positions_in(order, column.labels)
    if (positions == np.arange(len(positions))).all():
        return column.codes
    codes: NDArray[Any] = positions.astype(code_dtype(len(order) + 1))[column.codes]
    return codes


def _encode_indicators(
    true: Column | Indicator,
    pred: Column | Indicator,
    labels: Any,
    weights: NDArray[Any] | None,
    names: tuple[str, str],
) -> Indicators:
    """Multilabel data with the columns that `labels` selects."""
    if isinstance(true, Column) or isinstance(pred, Column):
        one, other = names[::-1] if isinstance(true, Column) else names
        raise ValueError(
            f"{one} is a 2-D 0/1 indicator (multilabel) but {other} is 1-D: pass both in the same "
            "form. One-hot rows become labels with classes[y.argmax(axis=1)]."
        )
    places = places_of_columns(true.names, pred.names, names)
    y_true, y_pred = true.values, pred.values if places is None else pred.values[:, places]
    if y_true.shape[1] != y_pred.shape[1]:
        raise ValueError(
            f"{names[0]} has {y_true.shape[1]} label columns but {names[1]} has {y_pred.shape[1]}: "
            "column k must be the same label in both."
        )
    if sparse.issparse(y_true) or sparse.issparse(y_pred):
        y_true, y_pred = sparse.csr_array(y_true), sparse.csr_array(y_pred)
    columns = np.arange(y_true.shape[1])
    if labels is None:
        return Indicators(y_true, y_pred, columns, weights)
    chosen = read_order(labels)
    if chosen.dtype.kind not in "iuf" or positions_in(columns, chosen).max() == len(columns):
        raise ValueError(
            f"labels must be column numbers from 0 to {len(columns) - 1} for multilabel data; got {show(chosen)}."
        )
    chosen = chosen.astype(np.intp)
    return Indicators(y_true[:, chosen], y_pred[:, chosen], chosen, weights)
