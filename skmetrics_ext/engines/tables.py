"""A table of any engine, opened by narwhals: the requested columns, under internal names, and text
compared by its characters, where a collation may take "yes" and "YES" for one.
"""

import importlib
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from skmetrics_ext.reading.containers import narwhals
from skmetrics_ext.reading.order import show_names

# The arguments whose columns are compared with each other.
COMPARED = ("actual", "predicted", "scores", "score")


class Table(NamedTuple):
    """A table with only our columns, none of which a user's name can be."""

    nw: Any
    # A narwhals DataFrame or LazyFrame.
    frame: Any
    dtypes: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        """The columns of text."""
        return [name for name, dtype in self.dtypes.items() if dtype == self.nw.String]

    def with_columns(self, **expressions: Any) -> "Table":
        """A further stage, whose expressions may use the columns of those before."""
        return self._replace(frame=self.frame.with_columns(**expressions))


class Source(NamedTuple):
    """A user's table, opened by narwhals, without columns that no unique name identifies."""

    nw: Any
    frame: Any
    # The names of all columns, with duplicates.
    names: list[Any]
    # The names of those in the frame.
    alone: list[Any]


def open_table(frame: Any) -> Source:
    """Open a table; a query that has not been run stays one."""
    try:
        nw = narwhals()
    except ImportError:
        if hasattr(frame, "columns"):
            raise
        also = ", which also needs narwhals (pip install 'skmetrics-ext[frames]')"
        raise _no_table(frame, also) from None
    frame = nw.to_native(frame, pass_through=True)
    library = type(frame).__module__.partition(".")[0]
    if library == "pyarrow" and type(frame).__name__.endswith("Dataset"):
        raise TypeError(
            "frame is a pyarrow dataset, which can't be grouped: pass polars.scan_parquet(...) or "
            "duckdb.read_parquet(...) on its files, or its table, frame.to_table()."
        )
    try:
        opened = nw.from_native(frame)
    except nw.exceptions.DuplicateError:
        # pandas and pyarrow also identify columns by position.
        return _with_duplicates_renamed(nw, frame)
    except TypeError:
        raise _no_table(frame) from None
    if opened.implementation.is_polars():
        names = opened.collect_schema().names()
        # The polars optimiser is for queries.
        return Source(nw, opened.lazy(), names, names)
    # The schema of other engines has each name once.
    names = list(opened.columns)
    read_as = [_read_as(opened.implementation, name) for name in names]
    # A star is all columns.
    occurrences = Counter([*read_as, "*"] if opened.implementation.is_duckdb() else read_as)
    alone = [name for name, key in zip(names, read_as, strict=True) if occurrences[key] == 1]
    if not alone:
        raise ValueError(f"frame has no column with a unique name: it has {show_names(names)}.")
    source = Source(nw, opened, names, alone)
    if len(alone) == len(names):
        return source
    return source._replace(frame=opened.select(*(column_of(source, name) for name in alone)))


def _no_table(frame: Any, also: str = "") -> TypeError:
    """The error for anything else, with all that is missing to make a table of it."""
    what_to_do = "use from_predictions or from_scores for arrays and lists"
    if isinstance(frame, Mapping):
        what_to_do = "make one of it, such as pandas.DataFrame(frame)"
    elif isinstance(frame, (str, os.PathLike)):
        what_to_do = "open a file with pandas.read_csv(...) or polars.scan_parquet(...)"
    return TypeError(
        f"frame must be a pandas, polars, pyarrow, DuckDB, Ibis, Dask or PySpark table{also}; got "
        f"{type(frame).__name__}: {what_to_do}."
    )


def _with_duplicates_renamed(nw: Any, frame: Any) -> Source:
    """A table of pandas or pyarrow, some of whose columns have the same name."""
    is_arrow = hasattr(frame, "column_names")
    names = list(frame.column_names if is_arrow else frame.columns)
    occurrences = Counter(names)
    # They keep their positions under names that are never requested.
    renamed = [name if occurrences[name] == 1 else f"\0{place}" for place, name in enumerate(names)]
    frame = frame.rename_columns(renamed) if is_arrow else frame.set_axis(renamed, axis=1)
    alone = [name for name in names if occurrences[name] == 1]
    return Source(nw, nw.from_native(frame), names, alone)


def choose_columns(source: Source, columns: dict[str, tuple[str, Any]]) -> Table:
    """The columns of a table, by internal names with the argument and the requested column."""
    refuse_twice(list(columns.values()))
    expressions = {own: _expression(source, *asked) for own, asked in columns.items()}
    chosen = source.frame.select(**expressions)
    table = Table(source.nw, chosen, dict(chosen.collect_schema()))
    return table._replace(frame=without_collation(table.nw, chosen, table.texts))


def refuse_twice(asked: Sequence[tuple[str, Any]]) -> None:
    """Refuse labels compared with themselves, and classes that share scores."""
    taken: dict[Any, str] = {}
    for argument, column in asked:
        if argument not in COMPARED or not isinstance(column, (str, int)):
            continue
        if column in taken:
            both = f"two of {argument}"
            if taken[column] != argument:
                both = f"{taken[column]} and {argument}"
            raise ValueError(
                f"{both} are the same column, {column!r}, which agrees with itself: name a column "
                "for each."
            )
        taken[column] = argument


def columns_of_groups(source: Source, by: Any) -> dict[str, tuple[str, Any]]:
    """The group columns under internal names, with the names for their axes."""
    columns = as_list(by)
    names = [_name_of_column(source, "by", column) for column in columns]
    if len({*names}) < len(names):
        raise ValueError(f"by contains a name twice: {show_names(names)}. Name each axis once.")
    return {f"by_{k}": named for k, named in enumerate(zip(names, columns, strict=True))}


def as_list(columns: Any) -> list[Any]:
    """Columns, possibly none or one."""
    if columns is None:
        return []
    return list(columns) if isinstance(columns, (list, tuple)) else [columns]


def _name_of_column(source: Source, argument: str, column: Any) -> str:
    """The name of a column, or of the result of an expression."""
    expression = _expression(source, argument, column)
    if isinstance(column, (str, int)):
        return str(column)
    return str(_names_given(source, argument, expression)[0])


def _expression(source: Source, argument: str, column: Any) -> Any:
    """A column by its name, or a narwhals expression unchanged."""
    # Also those of narwhals' other interfaces.
    if isinstance(column, source.nw.Expr.__mro__[1]):
        names = _names_given(source, argument, column)
        if len(names) != 1:
            raise ValueError(
                f"{argument} selects {len(names)} columns, {show_names(names)}: pass one of them."
            )
        return column
    if not isinstance(column, (str, int)):
        raise TypeError(
            f"{argument} must be the name of a column, or a narwhals expression such as "
            f"nw.col('age') > 65; got {type(column).__name__}."
        )
    if column not in source.names:
        raise ValueError(
            f"{argument}={column!r} is not a column of the frame, which has "
            f"{show_names(source.names)}."
        )
    if column not in source.alone:
        raise ValueError(
            f"{argument}={column!r} does not identify a single column of the frame, which has "
            f"{show_names(source.names)}{_what_is_taken(source.frame.implementation)}: give each "
            "column a unique name."
        )
    return column_of(source, column)


def _names_given(source: Source, argument: str, expression: Any) -> list[str]:
    """The names of the columns that an expression returns."""
    try:
        return list(source.frame.select(expression).collect_schema().names())
    except Exception as error:  # each engine has its own error for a missing column
        lost = [name for name in dict.fromkeys(source.names) if name not in source.alone]
        if not lost:
            raise
        raise ValueError(
            f"{argument} is an expression that could not be evaluated. If it uses any of "
            f"{show_names(lost)}, these do not each identify a single "
            f"column{_what_is_taken(source.frame.implementation)}: give each a unique name."
        ) from error


def _read_as(engine: Any, name: Any) -> Any:
    """How an engine reads a name."""
    return name.lower() if _ignores_case(engine) else name


def _ignores_case(engine: Any) -> bool:
    """Whether an engine ignores the case of names, as most do that run queries."""
    return bool(engine.is_duckdb() or engine.is_ibis() or engine.is_spark_like())


def _what_is_taken(engine: Any) -> str:
    """What a message says about an engine that confuses names."""
    if engine.is_duckdb():
        return " (DuckDB ignores case, and takes '*' for all columns)"
    return f" ({engine.value} ignores case)" if _ignores_case(engine) else ""


def column_of(source: Source, name: Any) -> Any:
    """One column, whatever its name means to its engine."""
    engine = source.frame.implementation
    if engine.is_polars():
        # A name with ^ and $ is a pattern, and * all columns.
        return source.nw.nth(source.alone.index(name))
    if engine.is_spark_like():
        # A name with a point is a part of a column.
        return source.nw.col("`" + name.replace("`", "``") + "`").alias(name)
    return source.nw.col(name)


def without_collation(nw: Any, frame: Any, texts: list[str]) -> Any:
    """A table whose text an engine compares by characters, or by bytes."""
    engine, native = frame.implementation, frame.to_native()
    if not texts:
        return frame
    if engine.is_duckdb():
        # Other types read as text, such as JSON, have no collation.
        kinds = dict(zip(native.columns, map(str, native.types), strict=True))
        own = {
            name: f'"{name}" COLLATE "binary" AS "{name}"'
            for name in texts
            if kinds[name] == "VARCHAR"
        }
        native = native.project(", ".join(own.get(name, f'"{name}"') for name in native.columns))
    elif engine.is_ibis():
        native = _with_bytes(native, texts)
    elif engine.is_spark_like():
        native = _in_order_of_bytes(native, texts)
    else:
        return frame
    return nw.from_native(native)


def with_text(nw: Any, groups: Any, texts: list[str]) -> Any:
    """Groups in memory, with text again for its bytes."""
    as_bytes = [name for name in texts if groups.schema[name] == nw.Binary]
    return groups.with_columns(*(nw.col(name).cast(nw.String) for name in as_bytes))


def _with_bytes(native: Any, texts: list[str]) -> Any:
    """A table of Ibis with text as bytes, where it is known to be UTF-8."""
    ibis: Any = importlib.import_module("ibis")
    database = native.get_backend().name
    if database == "duckdb":
        encode = ibis.udf.scalar.builtin(_encode, name="encode")
        return native.mutate(**{name: encode(native[name]) for name in texts})
    if database == "sqlite":
        return native.mutate(**{name: native[name].cast("binary") for name in texts})
    return native


def _encode(text: str) -> bytes:
    """What the function of the database takes and returns."""
    raise NotImplementedError


def _in_order_of_bytes(native: Any, texts: list[str]) -> Any:
    """A table of Spark whose text has no collation but that of its bytes."""
    kinds = {name: native.schema[name].dataType for name in texts}
    own = {
        name: f"collate({name}, 'UTF8_BINARY') AS {name}"
        for name, kind in kinds.items()
        # Before Spark 4 there was no other.
        if getattr(kind, "collation", "UTF8_BINARY") != "UTF8_BINARY"
    }
    return native.selectExpr(*(own.get(name, name) for name in native.columns)) if own else native
