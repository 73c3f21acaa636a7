"""Containers of any library -> plain values, and the names that come with them."""

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from numbers import Number
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Names = list[Any]

# So many strings usually have every label; fewer are read as fast one by one.
FIRST = 1 << 13


class Categories(NamedTuple):
    """Labels that are already coded: `values[codes]`; a negative code is a missing one."""

    codes: NDArray[Any]
    values: Any
    ordered: bool = False


class Opened(NamedTuple):
    """What a container of labels holds: all that is asked of it, once."""

    # An array, a list of Python objects, Categories, or a sparse matrix.
    values: Any
    index: Any = None
    columns: Names | None = None


def opened(y: Any, name: str) -> Opened:
    """A container of labels; a list or an array of NumPy has its values alone."""
    if isinstance(y, np.ndarray):
        return Opened(y if type(y) is np.ndarray else as_array(y, name))
    if type(y) in (list, tuple, range):
        return Opened(_from_sequence(y, name))
    if sparse.issparse(y):
        return Opened(y)
    column = only_column(y)
    if _has_time_zone(column):
        raise TypeError(of_time_zone(name))
    values = _values_of(column, name)
    columns = column_names(y) if getattr(values, "ndim", 1) == 2 else None
    return Opened(values, index_of(y), columns)


def _values_of(y: Any, name: str) -> NDArray[Any] | list[Any] | Categories:
    """A container as a NumPy array, a list of Python objects, or Categories."""
    library = _library_of(y)
    readers = {"pandas": _from_pandas, "polars": _from_polars, "pyarrow": _from_arrow}
    if library in readers:
        return readers[library](y, name)
    if library == "skmetrics_ext":
        # A ConfusionMatrix would become an array of counts.
        raise _not_a_column(y, name)
    if hasattr(y, "__array__"):
        array = as_array(y, name)
        _refuse_single_value(array, y, name)
        return array
    if isinstance(y, Sequence) and not isinstance(y, (str, bytes, bytearray)):
        return _from_sequence(list(y), name)
    refuse_unread(y, name)
    raise _not_a_column(y, name)


def _library_of(value: Any) -> str:
    """The library of the type of a value."""
    return type(value).__module__.partition(".")[0]


def only_column(frame: Any) -> Any:
    """The column of a single-column frame, of its own type; anything else unchanged."""
    if (names_and_columns := _names_and_columns(frame)) is None:
        return frame
    names, column_at = names_and_columns
    return column_at(0) if len(names) == 1 else frame


def _has_time_zone(column: Any) -> bool:
    """Whether a column has a time zone, which NumPy drops."""
    dtype = getattr(column, "dtype", None)
    # Arrow in pandas is a type within a type; Arrow has no dtype.
    dtype = getattr(dtype, "pyarrow_dtype", dtype) or getattr(column, "type", None)
    # The first is of polars, the second of Arrow.
    return (getattr(dtype, "time_zone", None) or getattr(dtype, "tz", None)) is not None


def of_time_zone(name: str) -> str:
    """The message for times with a time zone, which may be hours off those of another or none."""
    return (
        f"{name} holds times with a time zone: convert them to one zone and drop it, in pandas "
        "with .dt.tz_convert('UTC').dt.tz_localize(None), in polars with "
        ".dt.convert_time_zone('UTC').dt.replace_time_zone(None), in SQL by a cast to dates."
    )


def column_names(frame: Any) -> Names | None:
    """Names of columns of a frame or dicts; None for default ones and others."""
    if are_named_rows(frame):
        return list(frame[0])
    # The columns of pyarrow are arrays.
    names = getattr(frame, "column_names", None)
    names = getattr(frame, "columns", None) if names is None else names
    if names is None or callable(names) or is_default(names):
        return None
    listed = names.tolist() if hasattr(names, "tolist") else list(names)
    return None if listed == [f"column_{k}" for k in range(len(listed))] else listed


def are_named_rows(values: Any) -> TypeGuard[list[Any]]:
    """Whether these are dicts of column to number, as of ONNX's ZipMap."""
    return isinstance(values, list) and len(values) > 0 and isinstance(values[0], Mapping)


def row_names(values: Any) -> Names | None:
    """Names along the first axis of a Series or frame; None if default or none."""
    index = index_of(values)
    return None if index is None or is_default(index) else index.tolist()


def index_of(series: Any) -> Any:
    """The index of a Series or frame, if any."""
    index = getattr(series, "index", None)
    return index if hasattr(index, "is_unique") else None


def is_default(index: Any) -> bool:
    """Whether an index is pandas' own 0, 1, 2, ..."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def frame_columns(frame: Any) -> list[tuple[Any, Any]] | None:
    """The name and the values of each column of a frame; None for anything else."""
    if (names_and_columns := _names_and_columns(frame)) is None:
        return None
    names, column_at = names_and_columns
    return [(name, column_at(position)) for position, name in enumerate(names)]


def _names_and_columns(frame: Any) -> tuple[Any, Callable[[int], Any]] | None:
    """The names of columns, and each by its position; None for anything but a frame."""
    library = _library_of(frame)
    if library == "pandas" and getattr(frame, "ndim", 1) == 2:
        return frame.columns, lambda k: frame.iloc[:, k]
    if library == "polars" and hasattr(frame, "to_series"):
        return frame.columns, frame.to_series
    if library == "pyarrow" and hasattr(frame, "num_columns"):
        return frame.schema.names, frame.column
    return None


def missing_in(column: Any) -> NDArray[np.bool_] | None:
    """Which entries are missing; None if the type allows none, or its reader rejects it."""
    library = _library_of(column)
    if library == "pandas" and hasattr(column, "isna") and not hasattr(type(column), "levels"):
        return np.asarray(column.isna())
    if library == "polars" and hasattr(column, "is_null"):
        is_null = np.asarray(column.is_null())
        if not column.dtype.is_float():
            return is_null
        is_nan = np.asarray(column.is_nan().fill_null(False))
        return np.asarray(is_null | is_nan)
    if library == "pyarrow" and hasattr(column, "is_null"):
        return np.asarray(column.is_null(nan_is_null=True))
    if isinstance(column, np.ma.MaskedArray):
        return None
    if isinstance(column, np.ndarray) and column.dtype.kind not in "OT":
        # NaN and NaT differ from themselves.
        return np.asarray(column != column) if column.dtype.kind in "fmM" else None
    if not isinstance(column, (np.ndarray, list, tuple)):
        return None
    values = column.tolist() if isinstance(column, np.ndarray) else column
    try:
        # NaN is found by identity, which a list preserves.
        missing = {value for value in set(values) if _is_missing(value)}
    except TypeError:
        return None
    if not missing:
        return None
    return np.fromiter(map(missing.__contains__, values), dtype=bool, count=len(values))


def present_in(column: Any, kept: NDArray[np.bool_]) -> Any:
    """The entries that are kept, in a container of the same kind."""
    if _library_of(column) in ("polars", "pyarrow"):
        return column.filter(kept)
    return list(compress(column, kept)) if isinstance(column, (list, tuple)) else column[kept]


def with_bins_as_text(column: Any) -> Any:
    """Intervals of pandas, as of pd.cut, by name, from low to high; others unchanged."""
    if _library_of(column) != "pandas":
        return column
    if _are_intervals(column):
        column = column.astype("category")
        column = getattr(column, "cat", column).as_ordered()
    categories = getattr(getattr(column, "dtype", None), "categories", None)
    if categories is None or not _are_intervals(categories):
        return column
    return getattr(column, "cat", column).rename_categories([*map(str, categories)])


def _are_intervals(values: Any) -> bool:
    """Whether they are of the type of intervals."""
    return type(getattr(values, "dtype", None)).__name__ == "IntervalDtype"


def _is_missing(value: Any) -> bool:
    """Whether a Python object represents a missing value."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating, np.datetime64, np.timedelta64)) and bool(
        value != value
    )


def as_array(values: Any, name: str, ragged: Exception | None = None) -> NDArray[Any]:
    """What NumPy makes of a container that is not masked; `ragged` is the error for uneven rows."""
    _refuse_masked(values, name)
    refuse_unread(values, name)
    dtype_text = str(getattr(values, "dtype", "")) if _library_of(values) == "polars" else ""
    if dtype_text.startswith("Struct"):
        # NumPy would turn it into rows.
        raise TypeError(
            f"{name} is a column of structs, {values.dtype}: pass one field, "
            f"{name}.struct.field(...), or, for several columns, the frame, {name}.struct.unnest()."
        )
    try:
        return np.asarray(values)
    except ValueError as error:
        raise (ragged or error) from None
    except OverflowError as error:
        # Arrow's days of other ages, as objects of pandas.
        raise TypeError(f"{name} can't become a NumPy array: {error}") from error
    except (TypeError, RuntimeError) as error:
        # PyTorch's errors say what to do with a tensor on a GPU or with a gradient.
        if not hasattr(values, "dtype"):
            raise
        if "requires grad" in str(error):
            raise TypeError(f"{name} is a tensor with a gradient: pass {name}.detach().") from None
        if "bfloat16" in str(values.dtype):
            raise TypeError(
                f"{name} has dtype bfloat16, which NumPy does not support: pass {name}.float()."
            ) from None
        raise TypeError(f"{name} can't become a NumPy array: {error}") from error
    except Exception as error:
        if _library_of(error) != "polars":
            raise
        raise TypeError(f"{name}: {error}. Cast it, {name}.cast(pl.Float64).") from error


def error_of_dtype(array: NDArray[Any], message: str) -> TypeError | ValueError:
    """The error for a type that does not fit; for complex numbers scikit-learn's."""
    if array.dtype.kind == "c":
        return ValueError(f"Complex data not supported: {message}")
    return TypeError(message)


def _refuse_masked(values: Any, name: str) -> None:
    """Reject masked entries of an array or of the rows of a list."""
    if n_masked := sum(int(np.ma.getmaskarray(array).sum()) for array in _masked_arrays(values)):
        raise ValueError(
            f"{name} holds {n_masked} masked entries: masked values can't be counted. Drop these "
            f"samples, or give them a label or number of their own with {name}.filled(...)."
        )


def _masked_arrays(values: Any) -> list[np.ma.MaskedArray[Any, Any]]:
    """The masked arrays among a container and its rows; one that starts with a value has none."""
    if isinstance(values, np.ma.MaskedArray):
        return [values]
    has_rows = isinstance(values, (list, Sequence)) and len(values) > 0
    if not has_rows or isinstance(values[0], (int, float, str, bytes, Number)):
        return []
    rows = (row for row in values if isinstance(row, (list, tuple, np.ma.MaskedArray)))
    return [array for row in rows for array in _masked_arrays(row)]


def refuse_unread(values: Any, name: str) -> None:
    """Reject a query that has not been run, and arrays whose names would be lost."""
    library = _library_of(values)
    kind = type(values).__name__
    if library == "xarray":
        raise TypeError(
            f"{name} is a {kind} of xarray, whose dimensions and coordinates are not read: pass "
            f"{name}.values."
        )
    if library == "polars" and kind == "LazyFrame":
        raise TypeError(
            f"{name} is a polars LazyFrame, a query that has not been run: pass {name}.collect()."
        )
    if library in ("duckdb", "_duckdb") and kind.endswith("Relation"):
        raise TypeError(
            f"{name} is a DuckDB relation, not run: pass {name}.df(), or a column of "
            f"{name}.fetchnumpy()."
        )


def _not_a_column(y: Any, name: str) -> TypeError:
    """The error for anything without labels."""
    wanted = "Pass one label per sample, e.g. a NumPy array, a list or a pandas Series."
    if hasattr(y, "predict"):
        wanted = "Pass what the model predicts, model.predict(X)."
    return TypeError(
        f"{name} must be an array or a list of labels; got {type(y).__name__}. {wanted}"
    )


def _refuse_single_value(array: NDArray[Any], y: Any, name: str) -> None:
    """Reject a single value, a 0-d array to NumPy."""
    if not array.ndim:
        raise TypeError(f"{name} must hold one label per sample; got the single value {y!r}.")


def _from_sequence(y: Sequence[Any], name: str) -> NDArray[Any] | list[Any]:
    """Lists of numbers as arrays; not others, since NumPy turns 1 into '1'."""
    if y and isinstance(y[0], (str, bytes)):
        return list(y)
    _refuse_masked(y, name)
    try:
        array = np.asarray(y)
    except (ValueError, OverflowError):
        raise ValueError(
            f"{name} is ragged: its entries have different lengths. Pass one label per sample, or "
            "for multilabel data a 2-D 0/1 indicator, e.g. from sklearn's MultiLabelBinarizer."
        ) from None
    if array.ndim != 1:
        return array
    return list(y) if array.dtype.kind in "USO" or may_be_rounded(array, y) else array


def may_be_rounded(array: NDArray[Any], values: Any) -> bool:
    """Whether NumPy may have rounded large integers to floats."""
    if array.dtype.kind != "f" or hasattr(values, "dtype"):
        return False
    return bool((np.abs(array) >= 1 << 53).any())


def _from_pandas(y: Any, name: str) -> NDArray[Any] | list[Any] | Categories:
    """Series, Index, extension array or DataFrame."""
    if hasattr(type(y), "levels"):
        raise TypeError(
            f"{name} is a pandas MultiIndex, which has several labels per sample: pass one level, "
            f"{name}.get_level_values(0), or join them, {name}.map(str)."
        )
    dtype = None if hasattr(y, "columns") else getattr(y, "dtype", None)
    if dtype is None or isinstance(dtype, np.dtype):
        return np.asarray(y)
    values = getattr(y, "array", y)
    if hasattr(values, "categories") and hasattr(values, "codes"):
        return Categories(np.asarray(values.codes), values.categories.tolist(), values.ordered)
    if type(dtype).__name__ == "ArrowDtype" or getattr(dtype, "storage", None) == "pyarrow":
        return _from_arrow(values.__arrow_array__(), name)
    _refuse_nulls(int(values.isna().sum()), name)
    return np.asarray(values.to_numpy(dtype=getattr(dtype, "numpy_dtype", None)))


def _from_polars(y: Any, name: str) -> NDArray[Any] | list[Any] | Categories:
    """Series or DataFrame."""
    refuse_unread(y, name)
    if not hasattr(y, "to_numpy"):
        raise _not_a_column(y, name)
    dtype = str(getattr(y, "dtype", ""))
    if dtype == "String":
        return _from_polars_strings(y)
    if dtype:
        _refuse_nulls(y.null_count(), name)
    if dtype.startswith("Enum"):
        return Categories(y.to_physical().to_numpy(), y.dtype.categories.to_list(), True)
    if dtype.startswith("Categorical"):
        distinct = y.unique()
        numbers = distinct.to_physical().to_numpy()
        rank = np.zeros(int(numbers.max(initial=0)) + 1, dtype=np.intp)
        rank[numbers] = np.arange(len(numbers))
        return Categories(rank[y.to_physical().to_numpy()], distinct.to_list())
    # NumPy has no integers this wide.
    return y.to_list() if dtype in ("Int128", "UInt128") else as_array(y, name)


def _from_polars_strings(y: Any) -> list[Any] | Categories:
    """Many strings by a cast to an Enum; few, or with nulls, one by one."""
    if len(y) < FIRST or y.null_count():
        return list(y.to_list())
    from polars import Enum

    distinct = y.head(FIRST).unique().sort()
    codes = y.cast(Enum(distinct), strict=False)
    if codes.null_count():
        distinct = y.unique().sort()
        codes = y.cast(Enum(distinct))
    return Categories(codes.to_physical().to_numpy(), distinct.to_list())


def _from_arrow(y: Any, name: str) -> NDArray[Any] | list[Any] | Categories:
    """Array, ChunkedArray or Table; strings by Arrow's dictionaries."""
    if hasattr(y, "column_names"):
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
        return Categories(np.asarray(y.indices), y.dictionary.to_pylist(), y.type.ordered)
    return np.asarray(y)


def _refuse_nulls(n_nulls: int, name: str) -> None:
    """Reject missing values of containers that count them."""
    if n_nulls:
        raise ValueError(
            f"{name} holds {n_nulls} missing values (null): drop them, or give them a label of "
            "their own."
        )


def narwhals() -> Any:
    """The stable interface of narwhals, or how to install it."""
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        raise ImportError(
            "data frames need narwhals: pip install 'skmetrics-ext[frames]'."
        ) from None
    return nw
