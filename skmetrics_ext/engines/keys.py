"""The labels and the groups that rows were grouped by: missing ones refused, left out or named, and all others read."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.engines.tables import Table
from skmetrics_ext.reading.containers import with_spans_as_text
from skmetrics_ext.reading.labels import Column, Indicator, read_labels, read_order
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import position_of

Missing = Literal["drop", "label"]

# The label of what has none, with missing="label".
NAME_OF_MISSING = "missing"


class Key(NamedTuple):
    """A column that rows are grouped by: its name in the table, and what a message calls it."""

    column: str
    name: str
    is_group: bool = False


def kept_rows(groups: Any, keys: list[Key], rows: NDArray[Any], missing: Missing | None) -> NDArray[np.bool_] | None:
    """Which of the groups stay where labels are missing; None for all of them."""
    lacking = {key.name: _is_null_or_nan(groups.get_column(key.column)) for key in keys}
    numbers = {name: int(rows[mask].sum()) for name, mask in lacking.items() if mask.any()}
    if not numbers or missing == "label":
        return None
    found = " and ".join(f"{number} in {name}" for name, number in numbers.items())
    if missing is None:
        raise ValueError(
            f"there are missing labels (null or NaN), {found}: a missing label is neither right nor wrong. Leave out "
            f"these rows by missing='drop', or, of strings, count them as the label {NAME_OF_MISSING!r} by "
            "missing='label'."
        )
    dropped = np.logical_or.reduce(list(lacking.values()))
    warn(f"{int(rows[dropped].sum())} rows are left out, since labels are missing (null or NaN): {found}.")
    return np.asarray(~dropped)


def read_keys(table: Table, groups: Any, keys: Sequence[Key]) -> list[Column]:
    """The labels of the groups, as read_labels has them of the columns themselves."""
    lacking = [_is_null_or_nan(groups.get_column(key.column)) for key in keys]
    known = [_read_known(table, groups, key, gone) for key, gone in zip(keys, lacking, strict=True)]
    columns = []
    for key, column, gone in zip(keys, known, lacking, strict=True):
        if gone.any():
            _check_stands_alone(key, keys, known)
            column = _with_missing_label(column, gone, key.name)
        if column is None:
            raise ValueError(f"{key.name} is empty: a metric needs at least 1 sample.")
        dtype = table.dtypes[key.column]
        if dtype == table.nw.Enum and column.ranking is None:
            column = column._replace(ranking=read_order(list(dtype.categories), f"the categories of {key.name}"))
        columns.append(column)
    return columns


def _read_known(table: Table, groups: Any, key: Key, lacking: NDArray[np.bool_]) -> Column | None:
    """The labels of the groups that have one, if any has."""
    series = groups.get_column(key.column)
    known = series.filter((~lacking).tolist()) if lacking.any() else series
    return _without_missing(table.nw, known, key) if len(known) else None


def _check_stands_alone(key: Key, keys: Sequence[Key], known: Sequence[Column | None]) -> None:
    """Refuse a real label, be it of the column that it is compared with, as which missing ones would count."""
    for other, column in zip(keys, known, strict=True):
        is_met = other is key or {key.column, other.column} == {"actual", "predicted"}
        if is_met and column is not None and position_of(column.labels, NAME_OF_MISSING) is not None:
            raise ValueError(
                f"{other.name} has a label {NAME_OF_MISSING!r} already, with which missing='label' would mix the "
                f"missing ones of {key.name}: fill these with another name."
            )


def _is_null_or_nan(series: Any) -> NDArray[np.bool_]:
    """Which entries are null or NaN."""
    missing = np.array(series.is_null().to_numpy(), dtype=bool)
    return missing | np.isnan(series.to_numpy()) if series.dtype.is_float() else missing


def _without_missing(nw: Any, series: Any, key: Key) -> Column:
    """Labels without missing ones; databases have types that NumPy has not."""
    name, dtype = key.name, series.dtype
    if dtype.is_nested():
        raise TypeError(f"{name} holds {dtype}, and a label is one value: pass a column of it, or an expression.")
    if dtype == nw.Datetime and dtype.time_zone is not None:
        series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    if dtype.is_decimal():
        series = series.cast(nw.Int64 if dtype.scale == 0 else nw.Float64)
    native = series.to_native()
    column = read_labels(with_spans_as_text(native) if key.is_group else native, name)
    if isinstance(column, Indicator):
        raise ValueError(f"{name} must hold one label a row; it holds {dtype}.")
    return column


def _with_missing_label(column: Column | None, lacking: NDArray[np.bool_], name: str) -> Column:
    """Labels among which a missing one has a name."""
    if column is not None and column.labels.dtype.kind != "U":
        raise ValueError(
            f"missing='label' is for strings, but {name} holds {column.labels.dtype}: pass missing='drop', or cast the "
            "column to strings."
        )
    labels = np.full(len(lacking), NAME_OF_MISSING, dtype=object)
    if column is not None:
        labels[~lacking] = column.labels[column.codes]
    named = read_labels(labels, name)
    assert isinstance(named, Column)
    return named._replace(ranking=None if column is None else column.ranking)
