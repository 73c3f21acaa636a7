"""Any label array -> integer codes and the label order: the only reader of y_true, y_pred, sample_weight."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import compress, count
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from skmetrics_ext.reading.containers import Categories, unpack
from skmetrics_ext.reading.names import (
    Names,
    check_same_samples,
    column_names,
    index_of,
    index_of_samples,
    places_of_columns,
)
from skmetrics_ext.reading.order import KIND_OF_DTYPE, SHORT, check_same_kind, positions_in, show, sorted_union
from skmetrics_ext.reading.strings import codes_of_fixed_width

# Large arrays are worked through in blocks that stay in the processor's cache,
# so that no intermediate result is ever as long as the input.
BLOCK = 1 << 14


# Integer weights are summed in float64, which is exact up to here.
LARGEST_EXACT_SUM = 1 << 53

# Formulas multiply the total by small numbers, which must not make it infinite.
LARGEST_TOTAL = 2.0**1000


class Column(NamedTuple):
    """One label array, read: `labels[codes]` is the array; every label occurs, in sorted order."""

    codes: NDArray[Any]
    labels: NDArray[Any]
    index: Any = None
    """The index of a pandas Series."""

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return len(self.codes)


class Indicator(NamedTuple):
    """One side of multilabel data, read: boolean (n_samples, n_labels), dense or CSR."""

    values: Any
    names: Names | None = None
    """The names of the columns of a data frame."""
    index: Any = None

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return int(self.values.shape[0])


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


def read_labels(y: Any, name: str) -> Column | Indicator:
    """One label array -> a Column, or an Indicator for multilabel input, with the names that it carries."""
    if isinstance(y, (Column, Indicator)):
        return y
    values = _read_values(y, name)
    if not isinstance(values, Column):
        return Indicator(values, column_names(y), index_of(y))
    index = None if isinstance(y, np.ndarray) else index_of(y)
    return values if index is None else values._replace(index=index)


def _read_values(y: Any, name: str) -> Column | Any:
    """The labels of any container; boolean (n_samples, n_labels) for multilabel input."""
    if not isinstance(y, np.ndarray):
        if sparse.issparse(y):
            return _read_sparse_indicator(y, name)
        y = unpack(y, name)
        if isinstance(y, Categories):
            return _read_categories(y, name)
        if isinstance(y, list):
            return _read_objects(y, name)
    if type(y) is not np.ndarray:
        if isinstance(y, np.ma.MaskedArray) and np.ma.getmaskarray(y).any():
            raise ValueError(_missing(name, "masked entries"))
        y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim == 2:
        return _read_indicator(y, name)
    if y.ndim != 1:
        raise ValueError(
            f"{name} must be 1-D (one label a sample), a column (n, 1) or a 2-D 0/1 indicator; it has shape {y.shape}."
        )
    if not len(y):
        raise ValueError(f"{name} is empty: a metric needs at least 1 sample.")
    kind = y.dtype.kind
    if kind in "biuf":
        return _read_numbers(y, name)
    if kind in "US":
        return _read_fixed_width(y, name)
    if kind in "OT":
        return _read_objects(y.tolist(), name)
    if kind in "mM":
        if np.isnat(y).any():
            raise ValueError(_missing(name, "NaT"))
        return _read_by_sorting(y)
    raise TypeError(f"{name} holds {y.dtype}: labels must be numbers, strings, bytes or dates.")


def read_order(labels: Any, name: str = "labels") -> NDArray[Any]:
    """The label order that a caller fixes with `labels=` or `classes=`."""
    if isinstance(labels, (str, bytes, int, float)):
        raise TypeError(f"{name} must be a list of labels, such as [{labels!r}]; got {labels!r}.")
    if hasattr(labels, "__len__") and not len(labels):
        raise ValueError(f"{name} is empty: name at least one label, or pass {name}=None for all labels.")
    column = read_labels(labels, name)
    if not isinstance(column, Column):
        raise ValueError(f"{name} must be a 1-D sequence of labels; it has shape {column.values.shape}.")
    if len(column.labels) < len(column.codes):
        repeated = column.labels[np.bincount(column.codes) > 1]
        raise ValueError(f"{name} holds duplicates: {show(repeated)}. Name each label once.")
    order: NDArray[Any] = column.labels[column.codes]
    return order


def read_weights(sample_weight: Any, n_samples: int, index: Any = None, name: str = "y_true") -> NDArray[Any] | None:
    """Weights as int64 (exact counts) or float64, of the samples that are called `name` and have this index."""
    if sample_weight is None:
        return None
    check_same_samples(index, index_of(sample_weight), (name, "sample_weight"), default_is_name=True)
    try:
        weights = np.asarray(sample_weight)
        weights = weights.astype(np.float64) if weights.dtype.kind == "O" else weights
    except (TypeError, ValueError):
        raise TypeError("sample_weight must hold one number a sample, and no missing values.") from None
    if weights.dtype.kind not in "biuf":
        raise TypeError(f"sample_weight must hold one number a sample; it holds {weights.dtype}.")
    if weights.ndim == 0:
        weights = np.full(n_samples, weights)
    if weights.shape != (n_samples,):
        raise ValueError(
            f"sample_weight has shape {weights.shape}, but there are {n_samples} samples: "
            f"pass one weight a sample, shape ({n_samples},)."
        )
    least = weights.min()
    if not np.isfinite(least) or not np.isfinite(weights.max()):
        raise ValueError("sample_weight holds NaN or infinity: every weight must be a finite number.")
    if least < 0:
        raise ValueError(
            f"sample_weight holds negative weights (the least is {least}): a count can't be "
            "negative. Drop samples by weight 0."
        )
    with np.errstate(over="ignore"):
        total = float(weights.sum(dtype=np.float64))
    if not total:
        raise ValueError("sample_weight is all zero: at least one sample must count.")
    check_total(total, "sample_weight")
    exact = weights.dtype.kind != "f" and total < LARGEST_EXACT_SUM
    return weights.astype(np.int64 if exact else np.float64, copy=False)


def check_total(total: float, name: str) -> None:
    """Refuse a total of floats with which the arithmetic of a metric would be infinite."""
    if not total < LARGEST_TOTAL:
        raise ValueError(
            f"{name} adds up to {total:.4g}, but a total must be below {LARGEST_TOTAL:.4g}: divide all by one number, "
            "which changes no metric of shares."
        )


def column_from_codes(codes: NDArray[Any], labels: NDArray[Any], name: str) -> Column:
    """A Column of codes into distinct labels that need not be sorted, nor all occur."""
    if not len(codes):
        raise ValueError(f"{name} is empty: a metric needs at least 1 sample.")
    seen = _seen(codes, len(labels))
    order = np.argsort(labels, kind="stable")
    order = order[seen[order]]
    if len(order) == len(labels) and (order == np.arange(len(order))).all():
        return Column(codes, labels)
    rank = np.zeros(len(labels), dtype=_code_dtype(len(labels)))
    rank[order] = np.arange(len(order))
    return Column(rank[codes], labels[order])


def blocks(n_samples: int, size: int = BLOCK) -> Iterator[slice]:
    """Slices that cover n_samples, each short enough for the cache."""
    return (slice(start, start + size) for start in range(0, n_samples, size))


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
    codes: NDArray[Any] = positions.astype(_code_dtype(len(order) + 1))[column.codes]
    return codes


def _code_dtype(n_codes: int) -> type[np.integer[Any]]:
    """The narrowest type of codes: with ten million samples their memory counts."""
    if n_codes <= 1 << 8:
        return np.uint8
    if n_codes <= 1 << 16:
        return np.uint16
    return np.int32 if n_codes <= 1 << 31 else np.intp


def _seen(codes: NDArray[Any], n_codes: int) -> NDArray[np.bool_]:
    """Which codes occur. Stops when all have been seen, mostly after the first block."""
    seen = np.zeros(n_codes, dtype=bool)
    for block in blocks(len(codes), max(BLOCK, n_codes)):
        seen |= np.bincount(codes[block], minlength=n_codes) > 0
        if seen.all():
            break
    return seen


def _read_numbers(y: NDArray[Any], name: str) -> Column:
    """Numbers by their range where it is small, by sorting where it is not."""
    if not y.dtype.isnative:
        y = y.astype(y.dtype.newbyteorder("="))
    low, high = y.min(), y.max()
    if y.dtype.kind == "f":
        _check_integral(y, low, high, name)
    low, high = int(low), int(high)
    span = high - low + 1
    if span > 1024 + 2 * len(y) or not -(2**63) <= low <= high < 2**63:
        return _read_by_sorting(y)
    codes = _offsets(y, low, span)
    seen = _seen(codes, span)
    labels = (np.arange(span) + low).astype(y.dtype)
    if seen.all():
        return Column(codes, labels)
    rank = (np.cumsum(seen) - 1).astype(_code_dtype(span))
    return Column(rank[codes], labels[seen])


def _offsets(y: NDArray[Any], low: int, span: int) -> NDArray[Any]:
    """y - low, without a copy where y serves as it is."""
    if y.dtype.kind == "b":
        y = y.view(np.uint8)
    if low == 0 and y.dtype.kind in "iu":
        return y.view(np.int64) if y.dtype == np.uint64 else y
    codes: NDArray[Any] = np.empty(len(y), dtype=_code_dtype(span))
    wide = np.float64 if y.dtype.kind == "f" else np.int64
    np.subtract(y, low, out=codes, dtype=wide, casting="unsafe")
    return codes


def _check_integral(y: NDArray[Any], low: float, high: float, name: str) -> None:
    """Floats are labels only if they are whole numbers; others are scores, or a mistake."""
    if np.isnan(low):
        raise ValueError(_missing(name, "NaN"))
    if np.isinf(low) or np.isinf(high):
        raise ValueError(f"{name} holds infinity, which is no label.")
    for block in blocks(len(y)):
        fractional = y[block] != np.rint(y[block])
        if fractional.any():
            raise ValueError(_continuous(name, y[block][fractional][0]))


def _continuous(name: str, example: float) -> str:
    """The message for scores where labels belong."""
    found = f"{name} holds continuous values such as {example:.6g}"
    if name == "y_pred":
        return (
            f"{found}: these look like scores; turn them into labels with labels_from_scores, or "
            "score with get_scorer(..., threshold=)."
        )
    return (
        f"{found}: class labels must be whole numbers or strings. Pass y_true before the predictions or scores; bin a "
        "continuous target first."
    )


def _missing(name: str, found: str) -> str:
    """The message for missing values among labels."""
    return (
        f"{name} holds {found}: a missing label is neither right nor wrong. Drop these samples, or "
        "give them a label of their own."
    )


def _read_by_sorting(y: NDArray[Any]) -> Column:
    """Anything with an order; the slow path."""
    labels, codes = np.unique(y, return_inverse=True)
    return Column(codes, labels)


def _read_fixed_width(y: NDArray[Any], name: str) -> Column:
    """Strings of one width: hashed when there are many, exact by a dict on a collision."""
    hashed = codes_of_fixed_width(y) if len(y) >= SHORT else None
    if hashed is None:
        return _read_objects(y.tolist(), name)
    return column_from_codes(*hashed, name)


def _read_objects(values: Sequence[Any], name: str) -> Column:
    """Python objects by a dict, which numbers them as they appear."""
    if not len(values):
        raise ValueError(f"{name} is empty: a metric needs at least 1 sample.")
    number: defaultdict[Any, int] = defaultdict(count().__next__)
    try:
        codes = np.fromiter(map(number.__getitem__, values), dtype=np.intp, count=len(values))
    except TypeError:
        raise TypeError(
            f"{name} must hold one label a sample; found {type(values[0]).__name__} entries. For "
            "multilabel data pass a 2-D 0/1 indicator, e.g. by sklearn's MultiLabelBinarizer."
        ) from None
    labels = _distinct_objects(list(number), name)
    return column_from_codes(codes, labels, name)


def _distinct_objects(distinct: list[Any], name: str) -> NDArray[Any]:
    """The distinct Python objects of a label array as an array of one kind."""
    example_of_type = {type(value): value for value in distinct}
    kinds = set()
    for type_, example in example_of_type.items():
        kind = np.asarray(example).dtype.kind
        if kind == "O" and (example is None or type_.__name__ in ("NAType", "NaTType")):
            raise ValueError(_missing(name, repr(example)))
        if kind in "fmM" and any(value != value for value in distinct if type(value) is type_):
            raise ValueError(_missing(name, "NaT" if kind in "mM" else "NaN"))
        naive_date = isinstance(example, date) and getattr(example, "tzinfo", None) is None
        kinds.add("dates" if naive_date else type_.__name__ if kind == "O" else KIND_OF_DTYPE.get(kind, type_.__name__))
    if len(kinds) > 1:
        examples = show(np.array(list(example_of_type.values()), dtype=object))
        raise ValueError(
            f"{name} holds a mix of {' and '.join(sorted(kinds))} such as {examples}. Convert all "
            "labels to one type, e.g. with [str(label) for label in labels]."
        )
    labels = np.array(distinct, dtype="datetime64" if kinds == {"dates"} else None)
    if kinds == {"numbers"} and labels.dtype.kind in "fO" and all(isinstance(value, Integral) for value in distinct):
        return np.array([int(value) for value in distinct], dtype=object)
    if len(set(labels.tolist())) < len(distinct):
        raise ValueError(f"{name} holds strings that differ only by NUL characters at the end, which NumPy drops.")
    if labels.dtype.kind == "O" or labels.dtype.kind not in KIND_OF_DTYPE or labels.ndim != 1:
        raise TypeError(f"{name} holds {kinds.pop()} objects: labels must be numbers, strings, bytes or dates.")
    if labels.dtype.kind == "f":
        _check_integral(labels, labels.min(), labels.max(), name)
    return labels


def _read_categories(categories: Categories, name: str) -> Column:
    """A categorical by its codes: only the few values that occur are looked at."""
    codes = categories.codes.view(np.int64) if categories.codes.dtype == np.uint64 else categories.codes
    if not len(codes):
        raise ValueError(f"{name} is empty: a metric needs at least 1 sample.")
    if codes.dtype.kind == "i" and codes.min() < 0:
        raise ValueError(_missing(name, "missing values"))
    seen = _seen(codes, len(categories.values))
    used = _read_objects(list(compress(categories.values, seen)), name)
    if seen.all() and (used.codes == np.arange(len(seen))).all():
        return Column(codes, used.labels)
    rank = np.zeros(len(seen), dtype=_code_dtype(len(seen)))
    rank[seen] = used.codes
    return Column(rank[codes], used.labels)


def _read_indicator(y: NDArray[Any], name: str) -> NDArray[np.bool_]:
    """2-D 0/1 input as booleans."""
    if not y.shape[0] or not y.shape[1]:
        raise ValueError(f"{name} is empty (shape {y.shape}): a metric needs at least 1 sample.")
    if y.dtype.kind == "b":
        return y
    if y.dtype.kind == "O":
        try:
            y = y.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError(_not_an_indicator(name, y.shape, "missing values or objects")) from None
    if y.dtype.kind not in "iuf":
        raise ValueError(_not_an_indicator(name, y.shape, y.dtype))
    is_one: NDArray[np.bool_] = y == 1
    wrong = ~is_one & (y != 0)
    if wrong.any():
        value = y[wrong][0]
        if y.dtype.kind == "f" and np.isnan(value):
            raise ValueError(_missing(name, "NaN"))
        if value != np.rint(value):
            raise ValueError(_continuous(name, value))
        raise ValueError(_not_an_indicator(name, y.shape, value))
    return is_one


def _read_sparse_indicator(y: Any, name: str) -> Any:
    """A sparse 0/1 matrix as a boolean CSR array."""
    if len(y.shape) != 2:
        raise ValueError(
            f"{name} is sparse with shape {y.shape}: sparse input must be multilabel (n, L), which is 2-D."
        )
    if y.shape[1] < 2:
        raise TypeError(f"{name} is sparse with {y.shape[1]} column: sparse input must be multilabel (n, L).")
    if not y.shape[0]:
        raise ValueError(f"{name} is empty (shape {y.shape}): a metric needs at least 1 sample.")
    y = sparse.csr_array(y)
    wrong = (y.data != 0) & (y.data != 1)
    if wrong.any():
        raise ValueError(_not_an_indicator(name, y.shape, y.data[wrong][0]))
    return y.astype(bool)


def _not_an_indicator(name: str, shape: tuple[int, ...], found: object) -> str:
    """The message for 2-D input that is neither form we know."""
    return (
        f"{name} has shape {shape} and holds {found}: 2-D input must be a column (n, 1) or a 0/1 "
        "indicator (n, L) of multilabel data. Scores become labels with labels_from_scores."
    )


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
