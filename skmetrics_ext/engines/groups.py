"""One pass over a table: rows grouped by raw labels, with sums of weights and invalid entries."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.engines.numbers import (
    HALF,
    LARGEST_SUM,
    LARGEST_WHOLE,
    WEIGHT,
    are_whole,
    check_sum_of_counts,
    what_is_invalid,
)
from skmetrics_ext.engines.tables import Table, with_text
from skmetrics_ext.reading.containers import with_bins_as_text
from skmetrics_ext.reading.labels import (
    Column,
    column_from_codes,
    integers_of_decimals,
    read_column,
    read_order,
)
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.numbers import check_total
from skmetrics_ext.reading.order import position_of
from skmetrics_ext.writing.progress import Progress

Missing = Literal["drop", "label"]

# The label for missing ones, with missing="label".
NAME_OF_MISSING = "missing"


class Key(NamedTuple):
    """A column that rows are grouped by, and what a message calls it."""

    column: str
    name: str
    is_group: bool = False
    may_be_missing: bool = False


class Moments(NamedTuple):
    """How many rows of each group have a weight above 0, their sum of squares and the largest."""

    numbers: NDArray[np.int64]
    squares: NDArray[np.float64]
    largest: NDArray[np.float64]


class GroupedRows(NamedTuple):
    """The groups of rows: their labels, the decision from their scores, and their weight."""

    keys: list[Column]
    decided: NDArray[Any] | None
    weights: NDArray[Any]
    # The range of the scores that must lie within one.
    least: float
    most: float
    # Whether its first label is missing.
    lacks_label: NDArray[np.bool_]
    # Of sampling weights.
    moments: Moments | None = None


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
    """Groups by some columns, and by "decided" if there are scores."""
    nw = table.nw
    progress.stage(f"rows are grouped by {table.frame.implementation.value}")
    _check_one_value(table, keys)
    table, labels_of_codes = _with_codes_of_objects(table, keys)
    sums = [nw.len().alias("rows")]
    if has_scores:
        sums += [nw.col("invalid_scores").sum()]
        sums += [nw.col(name).min().alias(f"least_{name}") for name in in_range]
        sums += [nw.col(name).max().alias(f"most_{name}") for name in in_range]
    if weighted_by is not None:
        parts = ("halves", "rest") if are_whole(table, WEIGHT) else (WEIGHT,)
        sums += [nw.col(name).sum() for name in ("invalid_weights", *parts)]
    if weighted_by == "sample_weight":
        table, of_weights = _with_moments(table)
        sums += of_weights
    columns = [key.column for key in keys] + ["decided"] * bool(has_scores)
    texts = [key.column for key in keys if key.column in table.texts]
    with _naming_columns(table, keys):
        grouped = table.frame.group_by(*columns, drop_null_keys=False).agg(*sums)
        # Of too many groups not all are returned.
        groups = brought_back(grouped if most_groups is None else grouped.head(most_groups + 1))
        groups = with_text(nw, groups, texts)
    if most_groups is not None and len(groups) > most_groups:
        raise ValueError(
            f"there are more than {most_groups:.0e} distinct scores, which would all be loaded "
            "into memory: pass bins=, a power of two such as 1024."
        )
    if not len(groups):
        raise ValueError("frame is empty: a metric needs at least 1 sample.")
    rows = _whole(table, groups, "rows")
    progress.stage(f"{rows.sum():,} rows in {len(rows):,} groups")
    kept = _kept_rows(groups, list(keys), rows, missing)
    if kept is not None:
        if not kept.any():
            raise ValueError("no row is left: the labels of all rows are missing.")
        groups, rows = groups.filter(kept.tolist()), rows[kept]
    if has_scores:
        _check_invalid(
            table,
            groups,
            "invalid_scores",
            has_scores + " holds {} rows that are " + what_is_invalid(table),
        )
    weights = rows if weighted_by is None else _weights(table, groups, weighted_by)
    decided = groups.get_column("decided").to_numpy() if has_scores else None
    lows = [float(groups.get_column(f"least_{name}").min()) for name in in_range]
    highs = [float(groups.get_column(f"most_{name}").max()) for name in in_range]
    lacks_label = _is_null_or_nan(groups.get_column(keys[0].column))
    with _naming_columns(table, keys):
        read = _read_keys(table, groups, keys, labels_of_codes)
    moments = _read_moments(table, groups) if weighted_by == "sample_weight" else None
    return GroupedRows(
        keys=read,
        decided=decided,
        weights=weights,
        least=min(lows, default=np.nan),
        most=max(highs, default=np.nan),
        lacks_label=lacks_label,
        moments=moments,
    )


def _with_moments(table: Table) -> tuple[Table, list[Any]]:
    """The table with what the moments of weights are sums of."""
    nw = table.nw
    if are_whole(table, WEIGHT):
        # Arrow refuses inexact floats of integers.
        halves, rest = (nw.col(name).cast(nw.Float64) for name in ("halves", "rest"))
        weight = halves * float(HALF) + rest
    else:
        weight = nw.col(WEIGHT).cast(nw.Float64)
    table = table.with_columns(
        squares=weight * weight, occurs=(nw.col(WEIGHT) > 0).cast(nw.Int64), largest=weight
    )
    sums = [nw.col(name).sum() for name in ("squares", "occurs")]
    return table, [*sums, nw.col("largest").max()]


def _read_moments(table: Table, groups: Any) -> Moments:
    """The moments of the weights of each group."""
    squares, largest = (
        np.array(groups.get_column(name).cast(table.nw.Float64).to_numpy(), dtype=np.float64)
        for name in ("squares", "largest")
    )
    return Moments(_whole(table, groups, "occurs"), squares, largest)


def _check_one_value(table: Table, keys: Sequence[Key]) -> None:
    """Refuse columns of several values, which not all engines group by."""
    for key in keys:
        if (dtype := table.dtypes[key.column]).is_nested():
            raise TypeError(
                f"{key.name} holds {dtype}, but a label is one value: pass one column of it, or "
                "an expression."
            )


@contextmanager
def _naming_columns(table: Table, keys: Sequence[Key]) -> Iterator[None]:
    """Errors of engines about types that they do not group by name the columns."""
    try:
        yield
    except (ValueError, NotImplementedError, OverflowError) as error:
        # Arrow's, and those of invalid text, are ValueErrors too.
        if type(error) is ValueError:
            raise
        kinds = ", ".join(f"{key.name} ({table.dtypes[key.column]})" for key in keys)
        raise TypeError(
            f"{table.frame.implementation.value} can't group rows by {kinds}: {error}. Cast these "
            "columns, such as to text or Int64."
        ) from error


def _with_codes_of_objects(
    table: Table, keys: Sequence[Key]
) -> tuple[Table, dict[str, NDArray[Any]]]:
    """Python objects as codes, with their labels: pandas makes floats of integers."""
    nw, labels = table.nw, {}
    for key in keys:
        if table.dtypes[key.column] != nw.Object or hasattr(table.frame, "collect"):
            continue
        objects = table.frame.get_column(key.column)
        is_known = ~np.asarray(objects.is_null().to_numpy(), dtype=bool)
        if not is_known.any():
            continue
        column = read_column(objects.filter(is_known.tolist()).to_numpy(), key.name)
        codes = np.full(len(is_known), np.nan)
        codes[is_known], labels[key.column] = column.codes, column.labels
        backend = table.frame.implementation
        of_codes = nw.new_series(key.column, codes, nw.Float64, backend=backend)
        table = table._replace(frame=table.frame.with_columns(of_codes))
    return table, labels


def brought_back(groups: Any) -> Any:
    """The groups in memory: the only time a query is run."""
    if not hasattr(groups, "collect"):
        return groups
    if groups.implementation.is_polars():
        # This polars engine reads a file of any size in parts.
        return groups.collect(engine="streaming")
    try:
        return groups.collect()
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise ImportError(
            f"a {groups.implementation.value} table needs pyarrow: pip install pyarrow."
        ) from None


def _weights(table: Table, groups: Any, argument: str) -> NDArray[Any]:
    """The weight of each group: int64 if all are whole with an exact sum, else float64."""
    is_whole = are_whole(table, WEIGHT)
    wrong = "not integers >= 0"
    if argument == "sample_weight":
        wrong = "negative, null, NaN or infinite"
    if is_whole:
        wrong += ", or above 2**62"
    _check_invalid(table, groups, "invalid_weights", argument + " holds {} rows that are " + wrong)
    if is_whole:
        halves, rest = _whole(table, groups, "halves"), _whole(table, groups, "rest")
        total: float = int(halves.sum()) * HALF + int(rest.sum())
        weights = halves * float(HALF) + rest
    else:
        weights = groups.get_column(WEIGHT).cast(table.nw.Float64).to_numpy().copy()
        total = float(weights.sum())
    if argument == "count":
        check_sum_of_counts(total, LARGEST_SUM if is_whole else LARGEST_WHOLE)
    if argument == "sample_weight":
        if not total:
            raise ValueError("sample_weight is all zero: at least one weight must be above 0.")
        check_total(total, "sample_weight")
    if is_whole and (argument == "count" or total < LARGEST_WHOLE):
        return halves * HALF + rest
    return weights if argument == "sample_weight" else weights.astype(np.int64)


def _check_invalid(table: Table, groups: Any, column: str, template: str) -> None:
    """Reject invalid numbers, and say how many."""
    if number := int(_whole(table, groups, column).sum()):
        raise ValueError(f"{template.format(number)}: fill them, or leave these rows out.")


def _whole(table: Table, groups: Any, column: str) -> NDArray[np.int64]:
    """Whole numbers of any type, as databases sum them."""
    return np.asarray(groups.get_column(column).cast(table.nw.Int64).to_numpy(), dtype=np.int64)


def _kept_rows(
    groups: Any, keys: list[Key], rows: NDArray[Any], missing: Missing | None
) -> NDArray[np.bool_] | None:
    """Which groups are kept if labels are missing; None for all."""
    lacking = {
        key.name: _is_null_or_nan(groups.get_column(key.column))
        for key in keys
        if not key.may_be_missing
    }
    numbers = {name: int(rows[mask].sum()) for name, mask in lacking.items() if mask.any()}
    if not numbers or missing == "label":
        return None
    numbers_text = " and ".join(f"{number} in {name}" for name, number in numbers.items())
    if missing is None:
        advice = (
            "a missing label is neither correct nor incorrect. Drop these rows with "
            "missing='drop', or, for strings, "
            f"count them as the label {NAME_OF_MISSING!r} with missing='label'."
        )
        if len(lacking) < len(keys):
            advice = (
                "with strata=, only the actual labels may be. Fill these, or leave the rows out."
            )
        raise ValueError(f"there are missing labels (null or NaN), {numbers_text}: {advice}")
    dropped = np.logical_or.reduce(list(lacking.values()))
    warn(
        f"{int(rows[dropped].sum())} rows are omitted, because labels are missing (null or NaN): "
        f"{numbers_text}."
    )
    return np.asarray(~dropped)


def _read_keys(
    table: Table, groups: Any, keys: Sequence[Key], labels_of_codes: dict[str, NDArray[Any]]
) -> list[Column]:
    """The labels of the groups, as by read_labels of the columns themselves."""
    lacking = [_is_null_or_nan(groups.get_column(key.column)) for key in keys]
    known = [
        _read_known(table, groups, key, gone, labels_of_codes.get(key.column))
        for key, gone in zip(keys, lacking, strict=True)
    ]
    columns = []
    for key, column, gone in zip(keys, known, lacking, strict=True):
        if gone.any() and key.may_be_missing and column is not None:
            codes = np.zeros(len(gone), dtype=column.codes.dtype)
            codes[~gone] = column.codes
            column = column._replace(codes=codes)
        elif gone.any() and not key.may_be_missing:
            _check_stands_alone(key, keys, known)
            column = _with_missing_label(column, gone, key.name)
        if column is None:
            raise ValueError(f"{key.name} is empty: a metric needs at least 1 sample.")
        dtype = table.dtypes[key.column]
        if dtype == table.nw.Enum and column.ranking is None:
            column = column._replace(
                ranking=read_order(list(dtype.categories), f"the categories of {key.name}")
            )
        columns.append(column)
    return columns


def _read_known(
    table: Table,
    groups: Any,
    key: Key,
    lacking: NDArray[np.bool_],
    labels_of_codes: NDArray[Any] | None,
) -> Column | None:
    """The labels of the groups that have one, if any."""
    series = groups.get_column(key.column)
    known = series.filter((~lacking).tolist()) if lacking.any() else series
    if not len(known):
        return None
    if labels_of_codes is not None:
        return column_from_codes(known.to_numpy().astype(np.intp), labels_of_codes)
    _check_kept_exact(table.dtypes[key.column], known, key.name)
    return _read_complete(table.nw, known, key, table.dtypes[key.column])


def _check_kept_exact(source: Any, series: Any, name: str) -> None:
    """Refuse integers that an engine has turned into floats that cannot hold them."""
    were_floats = source.is_float() or source.is_decimal()
    are_floats = series.dtype.is_float()
    if are_floats and not were_floats and np.abs(series.to_numpy()).max() >= LARGEST_WHOLE:
        raise TypeError(
            f"{name} holds integers of 2**53 or more, which the engine has turned into floats, "
            "since some are missing: cast them to a type of integers or to text."
        )


def _read_complete(nw: Any, series: Any, key: Key, source: Any) -> Column:
    """The labels of a series without missing ones; databases have types that NumPy lacks."""
    name = key.name
    if series.dtype.is_decimal():
        # Long decimals would be equal floats.
        integers = integers_of_decimals(series.to_list(), name)
        if source == nw.UInt128:
            # DuckDB gives unsigned integers as signed ones of the same bits.
            integers = [integer % (1 << 128) for integer in integers]
        return read_column(integers, name)
    native = series.to_native()
    return read_column(with_bins_as_text(native) if key.is_group else native, name)


def _check_stands_alone(key: Key, keys: Sequence[Key], known: Sequence[Column | None]) -> None:
    """Reject a real label, in either column, with which missing ones would be merged."""
    for other, column in zip(keys, known, strict=True):
        is_compared = other is key or {key.column, other.column} == {"actual", "predicted"}
        if column is None or not is_compared:
            continue
        if position_of(column.labels, NAME_OF_MISSING) is not None:
            raise ValueError(
                f"{other.name} already has a label {NAME_OF_MISSING!r}, which missing='label' "
                "would merge with the "
                f"missing labels of {key.name}: fill those with a different label."
            )


def _with_missing_label(column: Column | None, lacking: NDArray[np.bool_], name: str) -> Column:
    """Labels with a name for missing ones."""
    if column is not None and column.labels.dtype.kind != "U":
        raise ValueError(
            f"missing='label' is for strings, but {name} holds {column.labels.dtype}: drop or "
            "cast them."
        )
    labels = np.full(len(lacking), NAME_OF_MISSING, dtype=object)
    if column is not None:
        labels[~lacking] = column.labels[column.codes]
    return read_column(labels, name)._replace(ranking=None if column is None else column.ranking)


def _is_null_or_nan(series: Any) -> NDArray[np.bool_]:
    """Which entries are null or NaN."""
    missing = np.array(series.is_null().to_numpy(), dtype=bool)
    return missing | np.isnan(series.to_numpy()) if series.dtype.is_float() else missing
