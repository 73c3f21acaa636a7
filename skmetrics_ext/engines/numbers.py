"""Scores and weights of a table: their types, and checks counted in the pass that groups rows."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from skmetrics_ext.engines.tables import Table

T = TypeVar("T")

# The largest number of samples up to which a float64 is exact.
LARGEST_WHOLE = float(1 << 53)
# An integer weight is summed in two parts, a multiple of this and a rest, so that no number of rows
# overflows.
HALF = 1 << 31
LARGEST_WEIGHT = 1 << 62
LARGEST_SUM = 1 << 63

WEIGHT = "weight"


def with_scores(table: Table, columns: Sequence[str], argument: str = "scores") -> Table:
    """Scores as floats, float32 kept, and whether one of a row is invalid."""
    nw = table.nw
    for name in columns:
        _check_numeric(table, name, argument)
    wide = [name for name in columns if table.dtypes[name] not in (nw.Float32, nw.Float64)]
    integers = [name for name in wide if table.dtypes[name] in _wide_integers(nw)]
    decimals = [name for name in wide if table.dtypes[name].is_decimal()]
    for names, expression in ((integers, _if_exact), (wide, _as_float), (decimals, _if_exact)):
        if names:
            table = table.with_columns(**{name: expression(table, name) for name in names})
    finite = in_halves([_is_finite(nw, name) for name in columns], lambda one, other: one & other)
    return table.with_columns(invalid_scores=_number_of_invalid(nw, finite))


def what_is_invalid(table: Table) -> str:
    """What a message says of rows with invalid scores."""
    kinds = [kind for name, kind in table.dtypes.items() if name.startswith("score")]
    are_floats = all(kind.is_float() for kind in kinds)
    return "null, NaN or infinite" + ("" if are_floats else ", or integers of 2**53 or more")


def _wide_integers(nw: Any) -> tuple[Any, ...]:
    """The types of integers that float64 does not hold all of."""
    return nw.Int64, nw.UInt64, nw.Int128, nw.UInt128


def _if_exact(table: Table, column: str) -> Any:
    """Numbers below 2**53, either way; null for others, of which two may be one float."""
    nw, kind = table.nw, table.dtypes[column]
    # Decimals are compared as floats.
    kind = nw.Float64 if kind.is_decimal() else kind
    number, limit = nw.col(column), int(LARGEST_WHOLE)
    # Arrow compares unsigned numbers only with their own type.
    is_exact = number < nw.lit(limit, kind)
    if kind not in (nw.UInt64, nw.UInt128):
        is_exact &= number > nw.lit(-limit, kind)
    return nw.when(is_exact).then(number)


def type_of_scores(table: Table, column: str) -> type[Any]:
    """The type in which scores meet thresholds: that of the source, if it is narrow."""
    # Older releases of narwhals have no Float16.
    return {"Float16": np.float16, "Float32": np.float32}.get(str(table.dtypes[column]), np.float64)


def weights_asked(sample_weight: Any, count: Any) -> dict[str, tuple[str, Any]]:
    """The column of weights, if any: by its name here, the argument and the column."""
    if sample_weight is not None and count is not None:
        raise ValueError(
            "count is a number of samples, sample_weight the weight of one: pass only one of them."
        )
    if count is not None:
        return {WEIGHT: ("count", count)}
    return {} if sample_weight is None else {WEIGHT: ("sample_weight", sample_weight)}


def check_sum_of_counts(total: float, limit: float = LARGEST_SUM) -> None:
    """Reject more samples than can be counted exactly."""
    if total >= limit:
        raise ValueError(
            f"count adds up to about {total:.4g}, too large to be counted exactly: scale it down."
        )


def with_weights(table: Table, column: str, argument: str) -> Table:
    """Weights as floats, or whole ones as "halves" and "rest", and whether a row is invalid."""
    nw = table.nw
    _check_numeric(table, column, argument)
    if are_whole(table, column):
        return _with_halves(table, column)
    table = table.with_columns(**{column: _as_float(table, column)})
    valid = _is_finite(nw, column) & (nw.col(column) >= 0)
    if argument == "count":
        # Some engines turn these into integers, whose range they must not exceed.
        number = (
            nw.when(valid & (nw.col(column) < LARGEST_WHOLE))
            .then(nw.col(column))
            .otherwise(nw.lit(0.5))
        )
        valid = number.floor() == number
    return table.with_columns(invalid_weights=_number_of_invalid(nw, valid))


def _with_halves(table: Table, column: str) -> Table:
    """The two parts of whole numbers of any type, and whether a row is invalid."""
    nw, kind = table.nw, table.dtypes[column]
    if kind == nw.Boolean:
        table, kind = table.with_columns(**{column: nw.col(column).cast(nw.Int64)}), nw.Int64
    # Arrow compares unsigned numbers only with their own type; a null is neither.
    zero, number = nw.lit(0, kind), nw.col(column)
    valid = number >= zero
    if kind not in (nw.Int8, nw.Int16, nw.Int32, nw.UInt8, nw.UInt16, nw.UInt32):
        valid &= number <= nw.lit(LARGEST_WEIGHT, kind)
    table = table.with_columns(invalid_weights=_number_of_invalid(nw, valid))
    fitting = nw.when(nw.col("invalid_weights") == 0).then(number).otherwise(zero)
    table = table.with_columns(**{column: fitting.cast(nw.Int64)})
    table = table.with_columns(halves=nw.col(column) // HALF)
    # Rounding of large numbers' halves, as PySpark divides, goes into the rest.
    return table.with_columns(rest=nw.col(column) - nw.col("halves") * HALF)


def are_whole(table: Table, column: str) -> bool:
    """Whether a column holds whole numbers, or booleans, by its type."""
    dtype = table.dtypes[column]
    return bool(dtype.is_integer() or dtype == table.nw.Boolean)


def in_halves(parts: Sequence[T], join: Callable[[T, T], T]) -> T:
    """All parts joined two by two, so that the depth is logarithmic in their number."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return join(in_halves(parts[:middle], join), in_halves(parts[middle:], join))


def _as_float(table: Table, column: str) -> Any:
    """Numbers as float64; Arrow decimals by their text: its cast misses the nearest float."""
    nw, engine = table.nw, table.frame.implementation
    by_text = table.dtypes[column].is_decimal() and (engine.is_pyarrow() or engine.is_pandas_like())
    return (nw.col(column).cast(nw.String) if by_text else nw.col(column)).cast(nw.Float64)


def _is_finite(nw: Any, column: str) -> Any:
    """Whether a number is finite; null for a null. Not by is_nan, for which DuckDB asks parquet
    statistics that may omit NaN, nor by a comparison: NaN is above all numbers in some engines.
    """
    return nw.col(column) * 0 == 0


def _number_of_invalid(nw: Any, valid: Any) -> Any:
    """1 where a row is invalid, wide enough for a sum."""
    return nw.when(valid).then(nw.lit(0, nw.Int64)).otherwise(nw.lit(1, nw.Int64))


def _check_numeric(table: Table, column: str, argument: str) -> None:
    """Reject a column of text or dates where numbers belong."""
    dtype = table.dtypes[column]
    if not (dtype.is_numeric() or dtype == table.nw.Boolean):
        raise TypeError(f"{argument} must be a column of numbers; it holds {dtype}: cast it.")
