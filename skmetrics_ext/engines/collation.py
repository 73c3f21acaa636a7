"""Text of databases, compared by its characters: a collation may take "yes" and "YES" for one."""

import importlib
from typing import Any


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
