"""A table of counts that is about to be read as one of samples: its rows and one name tell."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

from skmetrics_ext.engines.groups import brought_back
from skmetrics_ext.engines.tables import Source, column_of
from skmetrics_ext.reading.messages import warn

NAMES_OF_COUNTS = ("n", "count", "counts", "freq")
# Tables of counts are short, and rows of long ones take long to compare.
MOST_ROWS = 10**6


def warn_of_counts_in_table(source: Source, asked: Collection[Any], n_rows: int) -> None:
    """Warn if a column that is not asked for may be the number of samples of each row."""
    name = name_of_counts(source.alone, asked, n_rows)
    if name is None:
        return
    kinds = source.frame.collect_schema()
    if not kinds[name].is_integer():
        return
    # Numbers that are measured do not group rows.
    others = [own for own in source.alone if own in asked or not _is_measured(kinds[own])]
    others.remove(name)
    # Not every engine groups by every type, and nobody asked for some of these columns.
    with suppress(TypeError, ValueError, NotImplementedError, OverflowError):
        if _are_all_different(source, others, name):
            warn_of_counts(name)


def _are_all_different(source: Source, others: Sequence[Any], name: Any) -> bool:
    """Whether no two rows are alike in the other columns, and some have a number above 1."""
    nw = source.nw
    keys = {f"key_{place}": column_of(source, own) for place, own in enumerate(others)}
    rows = source.frame.select(number=column_of(source, name), **keys)
    kinds = [*rows.collect_schema().values()]
    # Python objects that have no hash are an error of pandas, but a panic of polars.
    if any(kind.is_nested() for kind in kinds) or (nw.Object in kinds and hasattr(rows, "collect")):
        return False
    sums = nw.len().alias("rows"), nw.col("number").max()
    groups = rows.group_by(*keys, drop_null_keys=False).agg(*sums)
    most = brought_back(groups.select(nw.col("rows", "number").max()))
    return bool(most.item(0, "rows") == 1 and (most.item(0, "number") or 0) > 1)


def _is_measured(kind: Any) -> bool:
    """Whether a type is of fractions."""
    return bool(kind.is_float() or kind.is_decimal())


def name_of_counts(names: Sequence[Any], asked: Collection[Any], n_rows: int) -> str | None:
    """The column that may hold counts by its name, of a table that is not too long."""
    if n_rows > MOST_ROWS:
        return None
    own = [name for name in names if str(name).lower() in NAMES_OF_COUNTS and name not in asked]
    return own[0] if len(own) == 1 else None


def warn_of_counts(name: Any) -> None:
    """Say that rows are samples; the caller knows whether they are."""
    warn(
        f"each row is counted as one sample, but the column {name!r} looks like a number of "
        f"samples, since all rows differ in the other columns: if it is one, pass count={name!r}."
    )
