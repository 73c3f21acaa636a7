"""Both label arrays as codes in one order, with weights, and partly known ones: read once."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.reading import order
from skmetrics_ext.reading.arguments import check_flag
from skmetrics_ext.reading.containers import Names, index_of, missing_in, only_column, present_in
from skmetrics_ext.reading.labels import (
    Column,
    Indicator,
    of_one_row,
    read_column,
    read_few_integers,
    read_labels,
    read_order,
    recoded,
)
from skmetrics_ext.reading.names import (
    check_same_samples,
    find,
    index_of_samples,
    places_of_columns,
)
from skmetrics_ext.reading.numbers import read_weights
from skmetrics_ext.reading.order import KIND_OF_DTYPE, Rankings, plain, positions_in
from skmetrics_ext.reading.spelling import warn_of_disjoint, warn_of_spelling


class Known(NamedTuple):
    """The labels of the entries that have one."""

    # None if no entry has a label.
    column: Column | None
    # Which entries have one.
    places: NDArray[np.intp]


class PartlyKnown(NamedTuple):
    """Labels of all entries, any of them where it is missing."""

    column: Column
    is_known: NDArray[np.bool_]


class Encoded(NamedTuple):
    """Both label arrays as codes in one label order.

    `n_codes` is the number of labels, plus one for samples with labels outside the order, if any.
    `present` are the labels that occur, `rankings` the orders of ordered categoricals, by name.
    """

    true: NDArray[Any]
    pred: NDArray[Any]
    labels: NDArray[Any]
    n_codes: int
    weights: NDArray[Any] | None
    present: NDArray[Any]
    rankings: Rankings = ()
    are_frequencies: bool = False

    @property
    def is_weighted(self) -> bool:
        """Whether some sample has a weight other than 1 that is not a frequency."""
        return are_not_all_0_or_1(self.weights) and not self.are_frequencies


class Indicators(NamedTuple):
    """Both sides of multilabel data: boolean (n_samples, n_labels), dense or both CSR."""

    true: Any
    pred: Any
    labels: NDArray[Any]
    weights: NDArray[Any] | None
    are_frequencies: bool = False

    @property
    def is_weighted(self) -> bool:
        """Whether some sample has a weight other than 1 that is not a frequency."""
        return are_not_all_0_or_1(self.weights) and not self.are_frequencies


class Weights(NamedTuple):
    """The weights as given, and whether they are numbers of samples."""

    of_samples: Any = None
    are_frequencies: bool = False

    @property
    def are_none(self) -> bool:
        """Whether nothing is given."""
        return self.of_samples is None and self.are_frequencies is False


NO_WEIGHTS = Weights()


def are_not_all_0_or_1(weights: NDArray[Any] | None) -> bool:
    """Whether some weight is not 0 or 1, so that sums are not numbers of samples."""
    return weights is not None and bool(((weights != 1) & (weights != 0)).any())


def check_frequencies(are_frequencies: Any, weights: NDArray[Any] | None) -> None:
    """Reject frequencies that are no numbers of samples."""
    check_flag(are_frequencies, "frequency_weights")
    if are_frequencies and weights is not None and (weights % 1).any():
        raise ValueError(
            "frequency_weights=True treats sample_weight as numbers of samples, but some are not "
            "integers, such as "
            f"{weights[weights % 1 > 0][0]}: omit it if the weights are not repeat counts."
        )


def read_as_said(weights: Weights, n_samples: int, index: Any, name: str = "y_true") -> Weights:
    """The weights as an array, which must be numbers of samples if they are said to be."""
    own = read_weights(weights.of_samples, n_samples, index, name)
    check_frequencies(weights.are_frequencies, own)
    return Weights(own, weights.are_frequencies)


def mean_of_present(weights: NDArray[Any] | None) -> float:
    """The mean of the weights above 0."""
    return 1.0 if weights is None else float(weights.sum() / np.count_nonzero(weights))


def counted_once(weights: NDArray[Any] | None) -> NDArray[Any] | None:
    """Weights of 1 in place of those above 0."""
    return None if weights is None else (weights > 0).astype(np.int64)


def encode(
    y_true: Any,
    y_pred: Any,
    *,
    labels: NDArray[Any] | None = None,
    known: NDArray[Any] | None = None,
    weights: Weights = NO_WEIGHTS,
    names: tuple[str, str] = ("y_true", "y_pred"),
) -> Encoded | Indicators:
    """Both label arrays and the weights, in the order `labels`, else of all known or occurring."""
    few = read_few_integers(y_true, y_pred) if weights.are_none else None
    if few is not None:
        true_codes, pred_codes, present = few
        if len(present) > 3 and not (true_codes == pred_codes).any():
            of_true, of_pred = present[np.unique(true_codes)], present[np.unique(pred_codes)]
            warn_of_disjoint(of_true, of_pred, names, known if labels is None else labels)
        encoded = Encoded(true_codes, pred_codes, present, len(present), None, present)
        return _in_chosen_order(encoded, labels, known, names[0])
    true, pred = read_labels(y_true, names[0]), read_labels(y_pred, names[1])
    check_same_samples(true.index, pred.index, names, default_is_name=False)
    n_samples = common_length(true, pred.n_samples, names)
    index = index_of_samples(true.index, pred.index)
    weights = read_as_said(weights, n_samples, index, names[0 if index is true.index else 1])
    if isinstance(true, Indicator) or isinstance(pred, Indicator):
        return _encode_indicators(true, pred, labels, weights, names)
    declared = known if labels is None else labels
    true_codes, pred_codes, present = _in_common_order(true, pred, names, declared)
    sides = zip(names, (true, pred), strict=True)
    rankings = tuple((name, side.ranking) for name, side in sides if side.ranking is not None)
    own, are_frequencies = weights
    encoded = Encoded(
        true_codes, pred_codes, present, len(present), own, present, rankings, are_frequencies
    )
    return _in_chosen_order(encoded, labels, known, names[0])


def _in_chosen_order(
    encoded: Encoded, labels: NDArray[Any] | None, known: NDArray[Any] | None, name: str
) -> Encoded:
    """Codes of the labels that occur as those of `labels`, else of all that are known or occur."""
    present = encoded.present
    if labels is not None:
        chosen = labels
        order.check_same_kind(chosen, present, "labels", name)
    elif known is not None:
        chosen = order.with_all(known, present)
    else:
        return encoded
    true, pred, weights = encoded.true, encoded.pred, encoded.weights
    said = encoded.rankings, encoded.are_frequencies
    if order.are_equal(chosen, present):
        return Encoded(true, pred, chosen, len(chosen), weights, chosen, *said)
    positions = order.positions_in(chosen, present)
    n_codes = len(chosen) + int((positions == len(chosen)).any())
    true, pred = (recoded(codes, positions, len(chosen) + 1) for codes in (true, pred))
    return Encoded(true, pred, chosen, n_codes, weights, present, *said)


def encode_single_label(
    y_true: Any,
    y_pred: Any,
    *,
    labels: NDArray[Any] | None = None,
    weights: Weights = NO_WEIGHTS,
    names: tuple[str, str] = ("y_true", "y_pred"),
) -> Encoded:
    """`encode` where multilabel data are not supported."""
    encoded = encode(y_true, y_pred, labels=labels, weights=weights, names=names)
    if isinstance(encoded, Indicators):
        raise ValueError(
            f"{names[0]} and {names[1]} are 2-D 0/1 indicators (multilabel), which this metric "
            "does not support: it needs one label per sample. Convert one-hot rows to labels with "
            "classes[y.argmax(axis=1)]."
        )
    return encoded


def without_others(encoded: Encoded) -> Encoded:
    """Omit samples with a label outside the order."""
    n_labels = len(encoded.labels)
    if encoded.n_codes == n_labels:
        return encoded
    kept = (encoded.true < n_labels) & (encoded.pred < n_labels)
    weights = None if encoded.weights is None else encoded.weights[kept]
    return Encoded(
        encoded.true[kept], encoded.pred[kept], encoded.labels, n_labels, weights, encoded.labels
    )


def common_length(true: Column | Indicator, n_other: int, names: tuple[str, str]) -> int:
    """The number of samples, equal on both sides."""
    if true.n_samples != n_other:
        raise ValueError(
            f"{names[0]} has {true.n_samples} samples but {names[1]} has {n_other}: both need the "
            f"same.{_advice_of_one_row(true, names[0])}"
        )
    return n_other


def _advice_of_one_row(side: Column | Indicator, name: str) -> str:
    """What to do about an indicator of one row."""
    return of_one_row(side.values.shape, name) if isinstance(side, Indicator) else ""


def _in_common_order(
    true: Column, pred: Column, names: tuple[str, str], declared: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The codes of both sides in the sorted labels of both, and these."""
    order.check_same_kind(true.labels, pred.labels, *names)
    present = order.sorted_union(true.labels, pred.labels)
    if present is true.labels:
        return true.codes, pred.codes, present
    if len(present) > max(len(true.labels), len(pred.labels)):
        warn_of_spelling(true.labels, pred.labels, names, declared)
        warn_of_disjoint(true.labels, pred.labels, names, declared)
    in_true, in_pred = (order.positions_in(present, side.labels) for side in (true, pred))
    return (
        recoded(true.codes, in_true, len(present)),
        recoded(pred.codes, in_pred, len(present)),
        present,
    )


def _encode_indicators(
    true: Column | Indicator,
    pred: Column | Indicator,
    labels: NDArray[Any] | None,
    weights: Weights,
    names: tuple[str, str],
) -> Indicators:
    """Multilabel data with the columns that `labels` selects."""
    if isinstance(true, Column) or isinstance(pred, Column):
        indicator_name, column_name = names[::-1] if isinstance(true, Column) else names
        raise ValueError(
            f"{indicator_name} is a 2-D 0/1 indicator (multilabel) but {column_name} is 1-D: pass "
            "both in the same form. Convert one-hot rows to labels with classes[y.argmax(axis=1)]. "
            "A table of cases by readers is flattened to one row per reading, for clusters= of "
            "metric_interval."
        )
    places = places_of_columns(true.names, pred.names, names)
    y_true, y_pred = true.values, pred.values if places is None else pred.values[:, places]
    n_labels, n_other = y_true.shape[1], y_pred.shape[1]
    if n_labels != n_other:
        raise ValueError(
            f"{names[0]} has {n_labels} label columns but {names[1]} has {n_other}: both need the "
            "same."
        )
    if sparse.issparse(y_true) or sparse.issparse(y_pred):
        y_true, y_pred = sparse.csr_array(y_true), sparse.csr_array(y_pred)
    columns, chosen = labels_of_columns(true.names or pred.names, n_labels, labels)
    if chosen is not None:
        y_true, y_pred = y_true[:, chosen], y_pred[:, chosen]
    return Indicators(y_true, y_pred, columns, *weights)


def labels_of_columns(
    names: Names | None, n_columns: int, labels: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[np.intp] | None]:
    """The labels of multilabel columns, and which `labels` select, by name or index; None: all."""
    columns = _names_as_labels(names, n_columns)
    if labels is None:
        return columns, None
    if names is None and are_names_of_all(labels, n_columns):
        return labels, None
    are_numbers, have_numbers = (
        order.KIND_OF_DTYPE[array.dtype.kind] == "numbers" for array in (labels, columns)
    )
    positions = find(labels, order.plain(columns))
    if are_numbers and not have_numbers and positions == [None] * len(positions):
        places_of_numbers = order.positions_in(np.arange(n_columns), labels)
        positions = [None if place == n_columns else int(place) for place in places_of_numbers]
    places = [place for place in positions if place is not None]
    if len(places) == len(positions):
        return columns[places], np.array(places, dtype=np.intp)
    raise ValueError(
        f"labels={order.show(labels)} are not labels of these multilabel data: "
        f"{order.show(columns)}. Select from these by name or by index from 0 to {n_columns - 1}; "
        "a list of all names names the columns of an array."
    )


def are_names_of_all(labels: NDArray[Any], n_columns: int) -> bool:
    """Whether labels name the numbered columns of an array."""
    return order.KIND_OF_DTYPE[labels.dtype.kind] != "numbers" and len(labels) == n_columns


def _names_as_labels(names: Names | None, n_columns: int) -> NDArray[Any]:
    """Names of columns as labels; numbers without names or with duplicates."""
    if names is None or len({str(name) for name in names}) != n_columns:
        return np.arange(n_columns)
    try:
        return read_order(names, "columns")
    except (TypeError, ValueError):
        return np.array([str(name) for name in names])


def read_known_labels(values: Any, name: str) -> Known:
    """Labels, or None, NaN, NaT, NA or null."""
    missing = missing_in(values)
    if missing is not None and missing.ndim > 1:
        raise ValueError(f"{name} must hold one label per entry; it has shape {missing.shape}.")
    if missing is None or not missing.any():
        column = read_column(values, name)
        places = np.arange(column.n_samples)
    elif missing.all():
        return Known(None, np.arange(0))
    else:
        column, places = read_column(present_in(values, ~missing), name), np.flatnonzero(~missing)
    return Known(column, places)


def read_partly_known(values: Any, name: str) -> PartlyKnown:
    """The same, one per sample, maybe in a column (n, 1)."""
    values = only_column(values)
    if isinstance(values, np.ndarray) and values.shape[1:] == (1,):
        values = values[:, 0]
    column, places = read_known_labels(values, name)
    if column is None:
        raise ValueError(f"{name} holds no label: all are missing.")
    missing = missing_in(values)
    is_known = np.ones(len(places), dtype=bool) if missing is None else ~missing
    codes = np.zeros(len(is_known), dtype=column.codes.dtype)
    codes[places] = column.codes
    return PartlyKnown(column._replace(codes=codes, index=index_of(values)), is_known)


def refuse_codes_of_unknown(
    known: NDArray[Any], classes: NDArray[Any], name: str, if_a_class: str
) -> None:
    """Ask whether empty text, or the only negative number, stands for a missing label."""
    unpredicted = plain(known[positions_in(classes, known) == len(classes)])
    kind = KIND_OF_DTYPE[known.dtype.kind]
    negative = known[known < 0] if kind == "numbers" else known[:0]
    is_text = kind in ("strings", "bytes")
    codes = [
        label
        for label in unpredicted
        if (is_text and not label.strip()) or (len(negative) == 1 and label == negative[0])
    ]
    if codes:
        raise ValueError(
            f"{name} has the label {codes[0]!r}, which no sample is predicted as: does it mean "
            "'unknown'? Then pass None in its place, or NaN in an array of numbers. If it is a "
            f"class, {if_a_class}."
        )
