"""A table of any engine, opened by narwhals, and those of its columns that are asked for, under names of our own."""

import os
from typing import Any, NamedTuple

from skmetrics_ext.reading.any_frame import narwhals
from skmetrics_ext.reading.names import show_names


class Table(NamedTuple):
    """A table that has our columns alone, so that no name of the user's can be taken for one of them."""

    nw: Any
    frame: Any
    """A DataFrame or a LazyFrame of narwhals."""
    dtypes: dict[str, Any]
    """The type of each column as it is in the source."""

    def with_columns(self, **expressions: Any) -> "Table":
        """A further stage, in which an expression may use the columns of the stages before."""
        return self._replace(frame=self.frame.with_columns(**expressions))


def open_table(frame: Any) -> tuple[Any, Any]:
    """Narwhals, and the table in it; a query that has not been run stays one."""
    nw = narwhals()
    frame = nw.to_native(frame, pass_through=True)
    if type(frame).__module__.partition(".")[0] == "pyarrow" and type(frame).__name__.endswith("Dataset"):
        raise TypeError(
            "frame is a dataset of pyarrow, which can't be grouped: pass polars.scan_parquet(...) or "
            "duckdb.read_parquet(...) of its files, or its table, frame.to_table()."
        )
    try:
        opened = nw.from_native(frame)
    except TypeError:
        what_to_do = "Arrays and lists are for from_labels, from_scores and threshold_curve."
        if isinstance(frame, (str, os.PathLike)):
            what_to_do = "Open a file by polars.scan_parquet(...) or duckdb.read_parquet(...)."
        raise TypeError(
            f"frame must be a table of pandas, polars, pyarrow, DuckDB, Ibis, Dask or PySpark; got "
            f"{type(frame).__name__}. {what_to_do}"
        ) from None
    # The optimiser of polars is for queries.
    return nw, opened.lazy() if opened.implementation.is_polars() else opened


def choose_columns(nw: Any, opened: Any, columns: dict[str, tuple[str, Any]]) -> Table:
    """The columns of a table: for each name of ours the argument that asks for it, and the column it asks for."""
    expressions = {own: _expression(nw, opened, *asked) for own, asked in columns.items()}
    chosen = opened.select(**expressions)
    return Table(nw, chosen, dict(chosen.collect_schema()))


def columns_of_groups(nw: Any, opened: Any, by: Any) -> dict[str, tuple[str, Any]]:
    """The columns of groups under names of ours, with the names that their axes are to have."""
    columns = as_list(by)
    names = [_name_of_column(nw, opened, "by", column) for column in columns]
    if len({*names}) < len(names):
        raise ValueError(f"by has a name twice: {show_names(names)}. Name each axis once.")
    return {f"by_{k}": named for k, named in enumerate(zip(names, columns, strict=True))}


def as_list(columns: Any) -> list[Any]:
    """Columns, of which there may be none or one."""
    if columns is None:
        return []
    return list(columns) if isinstance(columns, (list, tuple)) else [columns]


def _name_of_column(nw: Any, opened: Any, argument: str, column: Any) -> str:
    """The name that a column has, or that an expression gives."""
    return str(opened.select(_expression(nw, opened, argument, column)).collect_schema().names()[0])


def _expression(nw: Any, opened: Any, argument: str, column: Any) -> Any:
    """A column by its name, or an expression of narwhals as it is."""
    # Also those of narwhals' other interfaces, which have one class in common.
    if isinstance(column, nw.Expr.__mro__[1]):
        found = opened.select(column).collect_schema().names()
        if len(found) != 1:
            raise ValueError(
                f"{argument} is an expression of {len(found)} columns, {show_names(found)}: pass one of them."
            )
        return column
    if not isinstance(column, (str, int)):
        raise TypeError(
            f"{argument} must be the name of a column, or an expression of narwhals such as nw.col('age') > 65; got "
            f"{type(column).__name__}."
        )
    names = opened.collect_schema().names()
    if column not in names:
        raise ValueError(f"{argument}={column!r} is no column of the frame, which has {show_names(names)}.")
    return nw.col(column)
