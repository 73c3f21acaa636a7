"""A table of any engine, opened by narwhals, and those of its columns that are asked for, under names of our own."""

import os
from collections import Counter
from typing import Any, NamedTuple

from skmetrics_ext.reading.containers import narwhals
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


class Source(NamedTuple):
    """A table of the user, opened by narwhals, without the columns that no name stands for alone."""

    nw: Any
    frame: Any
    names: list[Any]
    """The names of all columns of the user's table, of which some may stand twice."""
    alone: list[Any]
    """The names of the columns that are in the frame."""


def open_table(frame: Any) -> Source:
    """Open a table; a query that has not been run stays one."""
    nw = narwhals()
    frame = nw.to_native(frame, pass_through=True)
    if type(frame).__module__.partition(".")[0] == "pyarrow" and type(frame).__name__.endswith("Dataset"):
        raise TypeError(
            "frame is a dataset of pyarrow, which can't be grouped: pass polars.scan_parquet(...) or "
            "duckdb.read_parquet(...) of its files, or its table, frame.to_table()."
        )
    try:
        opened = nw.from_native(frame)
    except nw.exceptions.DuplicateError:
        # Of pandas and pyarrow, which know columns by their places, too.
        is_arrow = hasattr(frame, "column_names")
        names = list(frame.column_names if is_arrow else frame.columns)
        times = Counter(names)
        # They keep their places, for expressions by place, under names that nobody asks for.
        renamed = [name if times[name] == 1 else f"\0{place}" for place, name in enumerate(names)]
        opened = nw.from_native(frame.rename_columns(renamed) if is_arrow else frame.set_axis(renamed, axis=1))
        return Source(nw, opened, names, [name for name in names if times[name] == 1])
    except TypeError:
        what_to_do = "Arrays and lists are for from_labels, from_scores and threshold_curve."
        if isinstance(frame, (str, os.PathLike)):
            what_to_do = "Open a file by polars.scan_parquet(...) or duckdb.read_parquet(...)."
        raise TypeError(
            f"frame must be a table of pandas, polars, pyarrow, DuckDB, Ibis, Dask or PySpark; got "
            f"{type(frame).__name__}. {what_to_do}"
        ) from None
    if opened.implementation.is_polars():
        names = opened.collect_schema().names()
        # The optimiser of polars is for queries.
        return Source(nw, opened.lazy(), names, names)
    # The schema of other engines has each name once.
    names = list(opened.columns)
    read_as = [_read_as(opened.implementation, name) for name in names]
    # A star is all columns.
    times = Counter([*read_as, "*"] if opened.implementation.is_duckdb() else read_as)
    alone = [name for name, key in zip(names, read_as, strict=True) if times[key] == 1]
    if not alone:
        raise ValueError(f"frame has no column with a name of its own: it has {show_names(names)}.")
    source = Source(nw, opened, names, alone)
    if len(alone) == len(names):
        return source
    return source._replace(frame=opened.select(*(_column(source, name) for name in alone)))


def choose_columns(source: Source, columns: dict[str, tuple[str, Any]]) -> Table:
    """The columns of a table: for each name of ours the argument that asks for it, and the column it asks for."""
    expressions = {own: _expression(source, *asked) for own, asked in columns.items()}
    chosen = source.frame.select(**expressions)
    return Table(source.nw, chosen, dict(chosen.collect_schema()))


def columns_of_groups(source: Source, by: Any) -> dict[str, tuple[str, Any]]:
    """The columns of groups under names of ours, with the names that their axes are to have."""
    columns = as_list(by)
    names = [_name_of_column(source, "by", column) for column in columns]
    if len({*names}) < len(names):
        raise ValueError(f"by has a name twice: {show_names(names)}. Name each axis once.")
    return {f"by_{k}": named for k, named in enumerate(zip(names, columns, strict=True))}


def as_list(columns: Any) -> list[Any]:
    """Columns, of which there may be none or one."""
    if columns is None:
        return []
    return list(columns) if isinstance(columns, (list, tuple)) else [columns]


def _name_of_column(source: Source, argument: str, column: Any) -> str:
    """The name that a column has, or that an expression gives."""
    expression = _expression(source, argument, column)
    return str(column if isinstance(column, (str, int)) else _names_given(source, argument, expression)[0])


def _expression(source: Source, argument: str, column: Any) -> Any:
    """A column by its name, or an expression of narwhals as it is."""
    # Also those of narwhals' other interfaces, which have one class in common.
    if isinstance(column, source.nw.Expr.__mro__[1]):
        found = _names_given(source, argument, column)
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
    if column not in source.names:
        raise ValueError(f"{argument}={column!r} is no column of the frame, which has {show_names(source.names)}.")
    if column not in source.alone:
        raise ValueError(
            f"{argument}={column!r} does not stand for one column of the frame, which has {show_names(source.names)}"
            f"{_what_is_taken(source.frame.implementation)}: give each column a name of its own."
        )
    return _column(source, column)


def _names_given(source: Source, argument: str, expression: Any) -> list[str]:
    """The names of the columns that an expression gives."""
    try:
        return list(source.frame.select(expression).collect_schema().names())
    except Exception as error:  # each engine has its own for a column that is not there
        lost = [name for name in dict.fromkeys(source.names) if name not in source.alone]
        if not lost:
            raise
        raise ValueError(
            f"{argument} is an expression that fails. If it uses any of {show_names(lost)}, these do not stand for one "
            f"column each{_what_is_taken(source.frame.implementation)}: give each column a name of its own."
        ) from error


def _read_as(engine: Any, name: Any) -> Any:
    """What an engine takes a name for: most of those that run queries ignore case."""
    return name.lower() if engine.is_duckdb() or engine.is_ibis() or engine.is_spark_like() else name


def _what_is_taken(engine: Any) -> str:
    """What a message says of an engine that takes one name for another."""
    if engine.is_duckdb():
        return " (DuckDB ignores case, and takes '*' for all columns)"
    return f" ({engine.value} ignores case)" if _read_as(engine, "Y") == "y" else ""


def _column(source: Source, name: Any) -> Any:
    """One column, whatever its name would mean to its engine."""
    engine = source.frame.implementation
    if engine.is_polars():
        # A name with ^ and $ is a pattern, and * all columns.
        return source.nw.nth(source.alone.index(name))
    if engine.is_spark_like():
        # A name with a point is a part of a column.
        return source.nw.col("`" + name.replace("`", "``") + "`").alias(name)
    return source.nw.col(name)
