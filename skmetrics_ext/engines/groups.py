"""One pass over a table: its rows grouped by raw labels, with the sums of their weights and of what is wrong."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.engines.keys import Key, Missing, kept_rows, read_keys
from skmetrics_ext.engines.numbers import HALF, LARGEST_WHOLE, are_whole
from skmetrics_ext.engines.tables import Table
from skmetrics_ext.reading.labels import Column
from skmetrics_ext.reading.numbers import check_total
from skmetrics_ext.writing.progress import Progress

WEIGHT = "weight"


class GroupedRows(NamedTuple):
    """The groups of rows: their labels, what was decided of their scores, and their weight."""

    keys: list[Column]
    decided: NDArray[Any] | None
    weights: NDArray[Any]
    least: float
    most: float
    """The least and the largest of the scores that are to be in a range."""


def counted_groups(
    table: Table,
    keys: Sequence[Key],
    missing: Missing | None,
    *,
    weighted_by: str | None = None,
    has_scores: str | None = None,
    in_range: Sequence[str] = (),
    most_groups: int | None = None,
    progress: Progress,
) -> GroupedRows:
    """Groups by some columns, and by "decided" where there are scores; both by the argument that has them."""
    nw = table.nw
    progress.stage(f"rows are grouped by {table.frame.implementation.value}")
    sums = [nw.len().alias("rows")]
    if has_scores:
        sums += [nw.col("invalid_scores").sum()]
        sums += [nw.col(name).min().alias(f"least_{name}") for name in in_range]
        sums += [nw.col(name).max().alias(f"most_{name}") for name in in_range]
    if weighted_by is not None:
        parts = ("halves", "rest") if are_whole(table, WEIGHT) else (WEIGHT,)
        sums += [nw.col(name).sum() for name in ("invalid_weights", *parts)]
    columns = [key.column for key in keys] + ["decided"] * bool(has_scores)
    grouped = table.frame.group_by(*columns, drop_null_keys=False).agg(*sums)
    # Not all groups of too many are brought back.
    groups = _brought_back(grouped if most_groups is None else grouped.head(most_groups + 1))
    if most_groups is not None and len(groups) > most_groups:
        raise ValueError(
            f"there are more than {most_groups:.0e} distinct scores, which would all come into memory: pass bins=, a "
            "power of two such as 1024."
        )
    if not len(groups):
        raise ValueError("frame is empty: a metric needs at least 1 sample.")
    rows = _whole(table, groups, "rows")
    progress.stage(f"{rows.sum():,} rows in {len(rows):,} groups")
    kept = kept_rows(groups, list(keys), rows, missing)
    if kept is not None:
        if not kept.any():
            raise ValueError("no row is left: the labels of all rows are missing.")
        groups, rows = groups.filter(kept.tolist()), rows[kept]
    if has_scores:
        _check_invalid(table, groups, "invalid_scores", has_scores + " holds {} rows that are null, NaN or infinite")
    weights = rows if weighted_by is None else _weights(table, groups, weighted_by)
    decided = groups.get_column("decided").to_numpy() if has_scores else None
    least = min((float(groups.get_column(f"least_{name}").min()) for name in in_range), default=np.nan)
    most = max((float(groups.get_column(f"most_{name}").max()) for name in in_range), default=np.nan)
    return GroupedRows(read_keys(table, groups, keys), decided, weights, least, most)


def _brought_back(groups: Any) -> Any:
    """The groups as a table in memory: the only time that a query is run."""
    if not hasattr(groups, "collect"):
        return groups
    if groups.implementation.is_polars():
        # The engine of polars that reads a file in parts, whatever its size.
        return groups.collect(engine="streaming")
    try:
        return groups.collect()
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise ImportError(
            f"what is counted in a table of {groups.implementation.value} comes back through pyarrow, which is not "
            "installed: pip install pyarrow."
        ) from None


def _weights(table: Table, groups: Any, argument: str) -> NDArray[Any]:
    """The weight of each group: int64 where all are whole and their sum is exact, else float64."""
    is_whole = are_whole(table, WEIGHT)
    wrong = "negative, null, NaN or infinite" if argument == "sample_weight" else "no whole number of at least 0"
    wrong += ", or above 2**62" * is_whole
    _check_invalid(table, groups, "invalid_weights", argument + " holds {} rows that are " + wrong)
    if is_whole:
        halves, rest = _whole(table, groups, "halves"), _whole(table, groups, "rest")
        total: float = int(halves.sum()) * HALF + int(rest.sum())
        weights = halves * float(HALF) + rest
    else:
        weights = groups.get_column(WEIGHT).cast(table.nw.Float64).to_numpy().copy()
        total = float(weights.sum())
    if argument == "count" and total >= (1 << 63 if is_whole else LARGEST_WHOLE):
        raise ValueError(f"count adds up to about {total:.4g}, more than can be counted exactly: divide it.")
    if argument == "sample_weight":
        if not total:
            raise ValueError("sample_weight is all zero: at least one sample must count.")
        check_total(total, "sample_weight")
    if is_whole and (argument == "count" or total < LARGEST_WHOLE):
        return halves * HALF + rest
    return weights if argument == "sample_weight" else weights.astype(np.int64)


def _check_invalid(table: Table, groups: Any, column: str, found: str) -> None:
    """Refuse numbers that are none, and say how many."""
    if number := int(_whole(table, groups, column).sum()):
        raise ValueError(f"{found.format(number)}: fill them, or leave these rows out.")


def _whole(table: Table, groups: Any, column: str) -> NDArray[np.int64]:
    """Whole numbers of any type, which sums of databases have several of."""
    return np.asarray(groups.get_column(column).cast(table.nw.Int64).to_numpy(), dtype=np.int64)
