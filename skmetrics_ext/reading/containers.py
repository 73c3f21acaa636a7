"""Lists, pandas, polars and pyarrow label containers -> plain arrays or categories, importing none of them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Categories(NamedTuple):
    """A label array that already is codes: `values[codes]`; a negative code is a missing label."""

    codes: NDArray[Any]
    values: Any


def unpack(y: Any, name: str) -> NDArray[Any] | list[Any] | Categories:
    """The plain form of a container: a NumPy array, a list of Python objects, or Categories."""
    library = type(y).__module__.partition(".")[0]
    if library == "pandas":
        return _from_pandas(y, name)
    if library == "polars":
        return _from_polars(y, name)
    if library == "pyarrow":
        return _from_arrow(y, name)
    if isinstance(y, (list, tuple, range)):
        return _from_sequence(y, name)
    if hasattr(y, "__array__"):
        return _known_shape(np.asarray(y), y, name)
    raise _not_a_column(y, name)


def _not_a_column(y: Any, name: str) -> TypeError:
    """The error for what holds no labels, or in a form that we can't read."""
    return TypeError(
        f"{name} must be an array or a list of labels; got {type(y).__name__}. "
        "Pass one label a sample, e.g. a NumPy array, a list or a pandas Series."
    )


def _known_shape(array: NDArray[Any], y: Any, name: str) -> NDArray[Any]:
    """Refuse a lone value, which NumPy makes an array without axes."""
    if not array.ndim:
        raise TypeError(f"{name} must hold one label a sample; got the single value {y!r}.")
    return array


def _from_sequence(y: Sequence[Any], name: str) -> NDArray[Any] | list[Any]:
    """Lists of numbers as arrays; of anything else as they are, since NumPy would turn 1 into '1'."""
    if y and isinstance(y[0], (str, bytes)):
        return list(y)
    try:
        array = np.asarray(y)
    except (ValueError, OverflowError):
        raise ValueError(
            f"{name} is ragged: its entries have different lengths. Pass one label a sample, or for "
            "multilabel data a 2-D 0/1 indicator, e.g. by sklearn's MultiLabelBinarizer."
        ) from None
    if array.ndim == 1 and (array.dtype.kind in "USO" or _may_be_rounded(array)):
        return list(y)
    return array


def _may_be_rounded(array: NDArray[Any]) -> bool:
    """Whether NumPy may have rounded large Python integers to floats."""
    return array.dtype.kind == "f" and len(array) > 0 and bool(np.abs(array).max() >= 1 << 53)


def _from_pandas(y: Any, name: str) -> NDArray[Any] | list[Any] | Categories:
    """Series, Index, extension array or DataFrame."""
    dtype = None if hasattr(y, "columns") else getattr(y, "dtype", None)
    if dtype is None or isinstance(dtype, np.dtype):
        return np.asarray(y)
    values = getattr(y, "array", y)
    if hasattr(values, "categories") and hasattr(values, "codes"):
        return Categories(np.asarray(values.codes), values.categories.tolist())
    if type(dtype).__name__ == "ArrowDtype" or getattr(dtype, "storage", None) == "pyarrow":
        return _from_arrow(values.__arrow_array__(), name)
    _refuse_nulls(int(values.isna().sum()), name)
    return np.asarray(values.to_numpy(dtype=getattr(dtype, "numpy_dtype", None)))


def _from_polars(y: Any, name: str) -> NDArray[Any] | list[Any] | Categories:
    """Series or DataFrame."""
    if not hasattr(y, "to_numpy"):
        raise _not_a_column(y, name)
    dtype = str(getattr(y, "dtype", ""))
    if dtype.startswith(("Categorical", "Enum")):
        _refuse_nulls(y.null_count(), name)
        distinct = y.unique()
        numbers = distinct.to_physical().to_numpy()
        rank = np.zeros(int(numbers.max(initial=0)) + 1, dtype=np.intp)
        rank[numbers] = np.arange(len(numbers))
        return Categories(rank[y.to_physical().to_numpy()], distinct.to_list())
    if dtype == "String":
        return list(y.to_list())
    if hasattr(y, "null_count") and hasattr(y, "dtype"):
        _refuse_nulls(y.null_count(), name)
    return np.asarray(y.to_numpy())


def _from_arrow(y: Any, name: str) -> NDArray[Any] | list[Any] | Categories:
    """Array, ChunkedArray or Table; strings by Arrow's own dictionary encoding."""
    if hasattr(y, "column_names") and hasattr(y, "columns"):
        _refuse_nulls(sum(column.null_count for column in y.columns), name)
        return np.asarray(y)
    if not (hasattr(y, "null_count") and hasattr(y, "type")) or "list" in str(y.type):
        raise _not_a_column(y, name)
    _refuse_nulls(y.null_count, name)
    if hasattr(y, "combine_chunks"):
        y = y.combine_chunks()
    kind = str(y.type)
    if kind in ("string", "large_string", "string_view"):
        y = y.dictionary_encode()
    if hasattr(y, "dictionary"):
        return Categories(np.asarray(y.indices), y.dictionary.to_pylist())
    return np.asarray(y)


def _refuse_nulls(n_nulls: int, name: str) -> None:
    """The one message for containers that count their own missing values."""
    if n_nulls:
        raise ValueError(
            f"{name} holds {n_nulls} missing values (null): drop these samples, or give them a label of their own."
        )
