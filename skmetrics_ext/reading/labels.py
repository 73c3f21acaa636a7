"""Any label array -> integer codes and the label order; fixed-width strings are hashed."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from enum import Enum
from itertools import count
from numbers import Integral
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.reading.containers import Categories, Names, error_of_dtype, of_time_zone, opened
from skmetrics_ext.reading.order import (
    KIND_OF_DTYPE,
    SHORT,
    name_as_text,
    plain_label,
    show,
    type_of_integers,
)

# Blocks that stay in the cache: no intermediate result is as long as the input.
BLOCK = 1 << 14
# Up to so many samples calls are the cost of reading and counting them.
FEW_SAMPLES = 1 << 10
# From so many integers on a narrower copy pays off, made of so many at a time.
NARROWED = 1 << 16
# So many codes usually have each of a few classes.
HEAD = 1 << 11
# A range of so few numbers is never worth sorting.
NARROW_RANGE = 1 << 10

_TARGET = (
    "class labels must be whole numbers or strings. Pass y_true before the predictions or scores; "
    "bin a continuous target first."
)
_GROUPS = (
    "groups must be whole numbers or strings. Put continuous values into bins first, e.g. with "
    "pd.qcut(values, 4), or pd.cut with edges of your own."
)
_RATINGS = (
    "a rating must be one of several classes, whole numbers or strings: agreement is not for "
    "measurements. Put them into bins first, e.g. with pd.cut."
)
_CLUSTERS = "pass a whole number or a string that names each sample's cluster, such as a patient."
# The type in which the bits of integers of so many bytes are codes.
_CODES_OF_SIZE = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.int64}
# What to do about numbers that are not whole, by argument.
INSTEAD_OF_NUMBERS = {
    "y_pred": "these look like scores; use labels_from_scores, or score the model with "
    "get_scorer(..., classes=[...]).",
    "predictions": "these look like scores; use labels_from_scores, or compare them with "
    "compare_curves.",
    "predicted": "these look like scores; pass the name of their column as scores= in place of "
    "predicted.",
    **dict.fromkeys(("y_true", "y", "actual"), _TARGET),
    **dict.fromkeys(("by", "strata"), _GROUPS),
    **dict.fromkeys(("ratings", "rating"), _RATINGS),
    "clusters": _CLUSTERS,
}


# Rows hashed at a time, whose words stay in the cache.
HASHED_AT_ONCE = 1 << 13

TABLE_BITS = 20

WORD = np.dtype(np.uint64)

GOLDEN_RATIO = 0x9E3779B97F4A7C15  # 2**64 / 1.618..., the multiplier of Fibonacci hashing


class Coded(NamedTuple):
    """Labels without their container: `labels[codes]`, where every label occurs, sorted."""

    codes: NDArray[Any]
    labels: NDArray[Any]
    # All classes of an ordered categorical, ranked.
    ranking: NDArray[Any] | None = None


class Column(NamedTuple):
    """One label array: `labels[codes]`, where every label occurs, sorted."""

    codes: NDArray[Any]
    labels: NDArray[Any]
    index: Any = None
    ranking: NDArray[Any] | None = None

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return len(self.codes)


class Indicator(NamedTuple):
    """One side of multilabel data: boolean (n_samples, n_labels), dense or CSR."""

    values: Any
    names: Names | None = None
    index: Any = None

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return int(self.values.shape[0])


def read_labels(y: Any, name: str) -> Column | Indicator:
    """One label array -> a Column, or an Indicator of multilabel input."""
    if isinstance(y, (Column, Indicator)):
        return y
    values, index, columns = opened(y, name)
    if isinstance(values, np.ndarray):
        if values.ndim == 2 and values.shape[1] != 1:
            return Indicator(_read_indicator(values, name), columns, index)
        values = values[:, 0] if values.ndim == 2 else values
    elif sparse.issparse(values):
        return Indicator(_read_sparse_indicator(values, name))
    codes, labels, ranking = _coded(values, name)
    return Column(codes, labels, index, ranking)


def read_few_integers(y_true: Any, y_pred: Any) -> tuple[NDArray[Any], ...] | None:
    """The codes of both sides, read as one, and the labels of few integers of a type; else None."""
    if not type(y_true) is type(y_pred) is np.ndarray or y_true.dtype != y_pred.dtype:
        return None
    n_samples, are_pairs = y_true.size, y_true.ndim == 1 and y_true.shape == y_pred.shape
    if y_true.dtype.kind not in "iub" or not are_pairs or not 0 < n_samples <= FEW_SAMPLES:
        return None
    codes, labels, _ = _coded_numbers(np.concatenate((y_true, y_pred)), "")
    return codes[:n_samples], codes[n_samples:], labels


def read_column(y: Any, name: str, advice: str = "") -> Column:
    """One label per sample; refuses multilabel input."""
    read = read_labels(y, name)
    if isinstance(read, Indicator):
        shape = read.values.shape
        raise ValueError(
            f"{name} is a 2-D 0/1 indicator of shape {shape}; pass one label per sample."
            f"{of_one_row(shape, name) or advice}"
        )
    return read


def _coded(y: NDArray[Any] | list[Any] | Categories, name: str) -> Coded:
    """One label per sample, coded as suits its type."""
    if isinstance(y, np.ndarray) and y.ndim != 1:
        raise ValueError(
            f"{name} must be 1-D, a column (n, 1) or a 2-D 0/1 indicator; got {y.shape}."
        )
    if not len(y.codes if isinstance(y, Categories) else y):
        raise ValueError(f"{name} is empty: a metric needs at least 1 sample.")
    if isinstance(y, Categories):
        return _coded_categories(y, name)
    if isinstance(y, list):
        return _coded_objects(y, name)
    kind = y.dtype.kind
    if kind in "biuf":
        return _coded_numbers(y, name)
    if kind in "US":
        return _coded_text(y)
    if kind in "OT":
        return _coded_objects(y.tolist(), name)
    if kind in "mM":
        if np.isnat(y).any():
            raise ValueError(_missing_message(name, "NaT"))
        return _coded_by_sorting(y)
    raise error_of_dtype(
        y, f"{name} holds {y.dtype}: labels must be numbers, strings, bytes or dates."
    )


def named_classes(classes: Any) -> NDArray[Any] | None:
    """The classes of columns of scores, if named."""
    return None if classes is None else read_order(classes, "classes")


def read_order(labels: Any, name: str = "labels") -> NDArray[Any]:
    """The label order set by the caller with `labels=` or `classes=`, as an array of its own."""
    if _are_ascending_integers(labels):
        return np.array(labels)
    if isinstance(labels, (str, bytes, int, float)):
        raise TypeError(f"{name} must be a list of labels, such as [{labels!r}]; got {labels!r}.")
    if isinstance(labels, Sequence) and any(isinstance(label, tuple) for label in labels):
        raise ValueError(_tuples(name, labels[0]))
    if hasattr(labels, "__len__") and getattr(labels, "ndim", 1) > 0 and not len(labels):
        raise ValueError(
            f"{name} is empty: specify at least one label, or pass {name}=None for all labels."
        )
    column = read_labels(labels, name)
    if not isinstance(column, Column):
        raise ValueError(
            f"{name} must be a 1-D sequence of labels; it has shape {column.values.shape}."
        )
    if len(column.labels) < len(column.codes):
        repeated = column.labels[np.bincount(column.codes) > 1]
        raise ValueError(f"{name} holds duplicates: {show(repeated)}. List each label once.")
    order: NDArray[Any] = column.labels[column.codes]
    return order


def _are_ascending_integers(labels: Any) -> bool:
    """Whether an array is an order as it is; to read it takes several times as long."""
    if type(labels) is not np.ndarray or labels.ndim != 1 or labels.dtype.kind not in "biu":
        return False
    is_descent = labels[:-1] >= labels[1:]
    return len(labels) > 0 and labels.dtype.isnative and not np.count_nonzero(is_descent)


def column_from_codes(codes: NDArray[Any], labels: NDArray[Any]) -> Column:
    """A Column of codes into labels, not all sorted or present."""
    occurring = _occurring(len(labels), codes)
    codes = recoded(codes, _new_codes(occurring, len(labels)), len(occurring))
    sorted_codes, present, _ = _sorted(codes, labels[occurring])
    return Column(sorted_codes, present)


def _sorted(codes: NDArray[Any], labels: NDArray[Any]) -> Coded:
    """Codes into labels that all occur, in whatever order, as codes into the sorted ones."""
    order = np.argsort(labels, kind="stable")
    return Coded(recoded(codes, _new_codes(order, len(labels)), len(labels)), labels[order])


def _new_codes(kept: NDArray[np.intp], n_codes: int) -> NDArray[np.intp]:
    """For each code its position among those that are kept, in their order."""
    new_codes = np.zeros(n_codes, dtype=np.intp)
    new_codes[kept] = np.arange(len(kept))
    return new_codes


def recoded(codes: NDArray[Any], new_codes: NDArray[np.intp], n_codes: int) -> NDArray[Any]:
    """The new codes, of which there are so many, in place of the codes 0, 1, 2, ..."""
    if (new_codes == np.arange(len(new_codes))).all():
        return codes
    of_samples: NDArray[Any] = new_codes.astype(code_dtype(n_codes))[codes]
    return of_samples


def blocks(n_samples: int, size: int = BLOCK) -> Iterator[slice]:
    """Slices of n_samples that fit the cache; an empty one for no samples."""
    return (slice(start, start + size) for start in range(0, max(n_samples, 1), size))


def code_dtype(n_codes: int) -> type[np.integer[Any]]:
    """The narrowest type of codes, for large samples."""
    if n_codes <= 1 << 8:
        return np.uint8
    if n_codes <= 1 << 16:
        return np.uint16
    return np.int32 if n_codes <= 1 << 31 else np.intp


def _occurring(n_codes: int, codes: NDArray[Any]) -> NDArray[np.intp]:
    """The codes that occur. Stops when all were seen, usually soon."""
    counts = np.bincount(codes[:HEAD], minlength=n_codes)
    start, size = HEAD, max(BLOCK, 2 * n_codes)
    while start < len(codes) and not counts.all():
        counts += np.bincount(codes[start : start + size], minlength=n_codes)
        start += size
    return counts.nonzero()[0]


def _coded_numbers(y: NDArray[Any], name: str) -> Coded:
    """Whole numbers by their range where it is narrow, by sorting where it is wide."""
    if not y.dtype.isnative:
        y = y.astype(y.dtype.newbyteorder("="))
    dtype = y.dtype
    if len(y) >= NARROWED and dtype.kind in "iu":
        y = _as_bytes(y)
    least, largest = np.minimum.reduce(y), np.maximum.reduce(y)
    if dtype.kind == "f":
        _check_integral(y, least, largest, name)
    low, high = int(least), int(largest)
    span = high - low + 1
    if span > NARROW_RANGE + 2 * len(y) or not -(2**63) <= low <= high < 2**63:
        return _coded_by_sorting(y)
    codes = _offsets(y, least, span)
    occurring = _occurring(span, codes)
    if len(occurring) < span:
        codes = recoded(codes, _new_codes(occurring, span), len(occurring))
    labels = occurring + low if low else occurring
    return Coded(codes, labels.astype(dtype, copy=False))


def _as_bytes(y: NDArray[Any]) -> NDArray[Any]:
    """Integers that are all below 256 as bytes, read several times as fast; others unchanged."""
    if y.dtype.itemsize == 1:
        return y
    narrow = np.empty(len(y), dtype=np.uint8)
    for block in blocks(len(y), NARROWED):
        # The bits of any; negative numbers have the sign bit.
        if not 0 <= np.bitwise_or.reduce(y[block]) < 1 << 8:
            return y
        narrow[block] = y[block]
    return narrow


def _offsets(y: NDArray[Any], least: Any, span: int) -> NDArray[Any]:
    """y - least as codes, without a copy where y can be used unchanged."""
    if y.dtype.kind == "f":
        # Narrower floats would round the differences.
        differences: NDArray[Any] = np.subtract(y, least, dtype=np.float64) if least else y
        return differences.astype(code_dtype(span))
    if y.dtype.kind == "b":
        y, least = y.view(np.uint8), np.uint8(least)
    # In a narrow type a large difference wraps around to its own bits.
    offsets = y - least if least else y
    return offsets if y.dtype == np.int64 else offsets.view(_CODES_OF_SIZE[y.dtype.itemsize])


def _check_integral(y: NDArray[Any], low: float, high: float, name: str) -> None:
    """Floats are labels only if whole; others are scores, or a mistake."""
    if np.isnan(low):
        raise ValueError(_missing_message(name, "NaN"))
    if np.isinf(low) or np.isinf(high):
        raise ValueError(f"{name} holds infinity, which is not a valid label.")
    for block in blocks(len(y)):
        fractional = y[block] != np.rint(y[block])
        if fractional.any():
            raise ValueError(_continuous(name, y[block][fractional][0]))


def _refuse_decimal(decimal: Decimal, name: str) -> NoReturn:
    """Reject a decimal that is not whole, which no label is."""
    if decimal.is_nan():
        raise ValueError(_missing_message(name, "NaN"))
    if decimal.is_infinite():
        raise ValueError(f"{name} holds infinity, which is not a valid label.")
    raise ValueError(_continuous(name, float(decimal)))


def _continuous(name: str, example: float) -> str:
    """The message for other numbers in place of labels or groups."""
    argument = name.partition("[")[0].partition("=")[0]
    what = INSTEAD_OF_NUMBERS.get(argument, "class labels must be whole numbers or strings.")
    return f"{name} holds continuous values such as {example:.6g}: {what}"


def _missing_message(name: str, value: str) -> str:
    """The message for missing values among labels."""
    return (
        f"{name} holds {value}: a missing label is neither correct nor incorrect. Drop these "
        "samples, or give them a label of their own."
    )


def _coded_by_sorting(y: NDArray[Any]) -> Coded:
    """Anything that can be sorted; the slow path."""
    labels, codes = np.unique(y, return_inverse=True)
    return Coded(codes, labels)


def _coded_text(y: NDArray[Any]) -> Coded:
    """Strings of one width: hashed if many, by a dict if few or on a collision."""
    hashed = codes_of_fixed_width(y) if len(y) >= SHORT else None
    if hashed is None:
        codes, distinct = _numbered(y.tolist())
        hashed = codes, np.array(distinct)
    return _sorted(*hashed)


def _coded_objects(values: Sequence[Any], name: str) -> Coded:
    """Python objects, checked to be labels of one kind."""
    try:
        codes, distinct = _numbered(values)
    except TypeError:
        several = next((value for value in values if type(value).__hash__ is None), values[0])
        raise ValueError(
            f"{name} must hold one label per sample; found {type(several).__name__} entries. For "
            "multilabel data pass a 2-D 0/1 indicator, e.g. from sklearn's MultiLabelBinarizer."
        ) from None
    return _sorted(codes, _distinct_objects(distinct, name))


def _numbered(values: Sequence[Any]) -> tuple[NDArray[np.intp], list[Any]]:
    """Codes of Python objects in the order of their first occurrence, by a dict."""
    number: defaultdict[Any, int] = defaultdict(count().__next__)
    codes = np.fromiter(map(number.__getitem__, values), dtype=np.intp, count=len(values))
    return codes, list(number)


def _distinct_objects(distinct: list[Any], name: str) -> NDArray[Any]:
    """Distinct Python objects as an array of one kind."""
    distinct = [plain_label(value) for value in distinct]
    example_of_type = {type(value): value for value in distinct}
    kinds = set()
    for type_, example in example_of_type.items():
        if isinstance(example, Decimal):
            _refuse_decimal(example, name)
        kind = np.asarray(example).dtype.kind
        if kind == "O" and (example is None or type_.__name__ in ("NAType", "NaTType")):
            raise ValueError(_missing_message(name, repr(example)))
        if kind in "fmM" and any(value != value for value in distinct if type(value) is type_):
            raise ValueError(_missing_message(name, "NaT" if kind in "mM" else "NaN"))
        kinds.add(_kind_of_object(example, kind, name))
    if len(kinds) > 1:
        examples = show(np.array(list(example_of_type.values()), dtype=object))
        raise ValueError(
            f"{name} holds a mix of {' and '.join(sorted(kinds))} such as {examples}. Convert all "
            "labels to one type, e.g. with [str(label) for label in labels]."
        )
    labels = np.array(distinct, dtype="datetime64" if kinds == {"dates"} else None)
    if kinds == {"numbers"} and labels.dtype.kind in "fO":
        return _distinct_whole(distinct, labels, name)
    if len(set(labels.tolist())) < len(distinct):
        raise ValueError(
            f"{name} holds strings that differ only by NUL characters at the end, which NumPy "
            "drops."
        )
    if labels.dtype.kind not in KIND_OF_DTYPE or labels.ndim != 1:
        raise error_of_dtype(
            labels,
            f"{name} holds {kinds.pop()} objects: labels must be numbers, strings, bytes or dates. "
            "Pass text, such as [str(label) for label in labels].",
        )
    return labels


def _kind_of_object(example: Any, dtype_kind: str, name: str) -> str:
    """The kind of an object: of dates and integers by type, of others NumPy's."""
    if isinstance(example, tuple):
        raise ValueError(_tuples(name, example))
    if isinstance(example, date):
        if getattr(example, "tzinfo", None) is not None:
            raise TypeError(of_time_zone(name))
        return "dates"
    if isinstance(example, Integral):
        return "numbers"
    if isinstance(example, Enum):
        raise TypeError(
            f"{name} holds members of {type(example).__name__}, a plain Enum (its members are "
            f"neither strings nor numbers): pass their values, [label.value for label in {name}]."
        )
    name_of_type = type(example).__name__
    return name_of_type if dtype_kind == "O" else KIND_OF_DTYPE.get(dtype_kind, name_of_type)


def _tuples(name: str, example: Any) -> str:
    """The message for several values in place of one label."""
    return (
        f"{name} holds tuples such as {example!r}, but a label must be a single value: join each "
        f"into one string, e.g. {name_as_text(example)!r}."
    )


def _distinct_whole(distinct: list[Any], labels: NDArray[Any], name: str) -> NDArray[Any]:
    """Numbers that NumPy makes floats: integers if one would be rounded."""
    floats = np.array(
        [value for value in distinct if not isinstance(value, Integral)], dtype=np.float64
    )
    if len(floats):
        _check_integral(floats, floats.min(), floats.max(), name)
    if len(floats) == len(distinct) or all(abs(value) <= 1 << 53 for value in distinct):
        return labels
    exact = [int(value) for value in distinct]
    return np.array(exact, dtype=type_of_integers(min(exact), max(exact), name))


def integers_of_decimals(decimals: Sequence[Decimal], name: str) -> list[int]:
    """Decimals as integers; fractions are no labels."""
    # Unlike a remainder, this has no limit of digits.
    fractions = (value for value in decimals if value != value.to_integral_value())
    if (fraction := next(fractions, None)) is not None:
        raise ValueError(_continuous(name, float(fraction)))
    return [*map(int, decimals)]


def _coded_categories(categories: Categories, name: str) -> Coded:
    """A categorical by its codes: only the few values that occur are read."""
    codes, n_codes = categories.codes, len(categories.values)
    if codes.dtype == np.uint64:
        codes = codes.view(np.int64)
    if codes.dtype.kind == "i" and codes.min() < 0:
        raise ValueError(_missing_message(name, "missing values"))
    occurring = _occurring(n_codes, codes)
    used = _coded_objects([categories.values[place] for place in occurring], name)
    ranking = _ranking_of(categories, used, name) if categories.ordered else None
    # Values may be equal, and those that do not occur get any code.
    new_codes = np.zeros(n_codes, dtype=np.intp)
    new_codes[occurring] = used.codes
    return Coded(recoded(codes, new_codes, n_codes), used.labels, ranking)


def _ranking_of(categories: Categories, used: Coded, name: str) -> NDArray[Any]:
    """All values of an ordered categorical; only present ones if others can't be labels."""
    try:
        return _distinct_objects(list(categories.values), name)
    except (TypeError, ValueError):
        in_order: NDArray[Any] = used.labels[used.codes]
        return in_order


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
            raise ValueError(
                _not_indicator_message(name, y.shape, "missing values or objects")
            ) from None
    if y.dtype.kind not in "iuf":
        raise ValueError(_not_indicator_message(name, y.shape, y.dtype))
    is_one: NDArray[np.bool_] = y == 1
    wrong = ~is_one & (y != 0)
    if wrong.any():
        value = y[wrong][0]
        if y.dtype.kind == "f" and np.isnan(value):
            raise ValueError(_missing_message(name, "NaN"))
        if value != np.rint(value):
            raise ValueError(_continuous(name, value))
        raise ValueError(_not_indicator_message(name, y.shape, value))
    return is_one


def _read_sparse_indicator(y: Any, name: str) -> Any:
    """A sparse 0/1 matrix as a boolean CSR array."""
    if len(y.shape) != 2:
        raise ValueError(
            f"{name} is sparse with shape {y.shape}: sparse input must be 2-D multilabel (n, L)."
        )
    if y.shape[1] < 2:
        raise TypeError(
            f"{name} is sparse with {y.shape[1]} column: sparse input must be multilabel (n, L)."
        )
    if not y.shape[0]:
        raise ValueError(f"{name} is empty (shape {y.shape}): a metric needs at least 1 sample.")
    y = sparse.csr_array(y)
    wrong = (y.data != 0) & (y.data != 1)
    if wrong.any():
        raise ValueError(_not_indicator_message(name, y.shape, y.data[wrong][0]))
    return y.astype(bool)


def _not_indicator_message(name: str, shape: tuple[int, ...], content: object) -> str:
    """The message for 2-D input in neither known form."""
    advice = of_one_row(shape, name) or (
        " Convert scores to labels with labels_from_scores; counts are for "
        "ConfusionMatrix.from_counts."
    )
    return (
        f"{name} has shape {shape} and holds {content}: 2-D input must be a column (n, 1) or a 0/1 "
        f"indicator (n, L) of multilabel data.{advice}"
    )


def of_one_row(shape: tuple[int, ...], name: str) -> str:
    """What to do about the labels of many samples in one row."""
    return f" If its row has a label per sample, pass {name}[0]." if shape[0] == 1 else ""


def codes_of_fixed_width(values: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[Any]] | None:
    """Codes and their labels, in order of appearance; None if two labels share a slot.

    Faster than sorting: the words of a row select a slot of a table with its code, which counts
    only if the row equals its label, word for word.
    """
    padded = _padded_to_words(values.dtype)
    n_words = padded.itemsize // WORD.itemsize
    # An odd number per word: powers of one whose bits look random, modulo 2**64.
    multipliers = np.power(np.uint64(GOLDEN_RATIO), np.arange(1, n_words + 1, dtype=WORD))
    table = np.zeros(1 << TABLE_BITS, dtype=np.int32)
    codes = np.empty(len(values), dtype=np.intp)
    labels = values[:1].astype(padded)
    label_words = labels.view(WORD).reshape(-1, n_words)

    for start in range(0, len(values), HASHED_AT_ONCE):
        block = np.ascontiguousarray(values[start : start + HASHED_AT_ONCE], dtype=padded)
        words = block.view(WORD).reshape(-1, n_words)
        slots = _slots(words, multipliers)
        candidates = table[slots]
        known = label_words[candidates] == words
        if not known.all():
            labels = np.concatenate([labels, np.unique(block[~known.all(axis=1)])])
            label_words = labels.view(WORD).reshape(-1, n_words)
            label_slots = _slots(label_words, multipliers)
            if len(np.unique(label_slots)) < len(labels):
                return None
            table[label_slots] = np.arange(len(labels))
            candidates = table[slots]
        codes[start : start + HASHED_AT_ONCE] = candidates
    return codes, labels.astype(values.dtype)


def _padded_to_words(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The narrowest type for `dtype` of whole words; shorter rows end in zeros."""
    n_bytes = -(-max(dtype.itemsize, 1) // WORD.itemsize) * WORD.itemsize
    unit = np.dtype(f"{dtype.kind}1").itemsize
    return np.dtype(f"{dtype.kind}{n_bytes // unit}")


def _slots(words: NDArray[np.uint64], multipliers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Multiply-shift hashing: the high bits of a dot product modulo 2**64."""
    return (words @ multipliers) >> WORD.type(64 - TABLE_BITS)
