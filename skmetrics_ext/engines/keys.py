"""The labels and the groups that rows were grouped by: missing ones refused, left out or named, and all others read."""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.engines.tables import Table
from skmetrics_ext.reading.labels import Column, Indicator, read_labels, read_order
from skmetrics_ext.reading.messages import warn

Missing = Literal["drop", "label"]

# The label of what has none, with missing="label".
NAME_OF_MISSING = "missing"


class Key(NamedTuple):
    """A column that rows are grouped by: its name in the table, and what a message calls it."""

    column: str
    name: str


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


def read_key(table: Table, groups: Any, key: Key) -> Column:
    """The labels of the groups, as read_labels has them of the column itself."""
    series, dtype = groups.get_column(key.column), table.dtypes[key.column]
    lacking = _is_null_or_nan(series)
    known = series.filter((~lacking).tolist()) if lacking.any() else series
    column = _without_missing(table.nw, known, key.name) if len(known) else None
    if lacking.any():
        column = _with_missing_label(column, lacking, key.name)
    if column is None:
        raise ValueError(f"{key.name} is empty: a metric needs at least 1 sample.")
    if dtype == table.nw.Enum and column.ranking is None:
        return column._replace(ranking=read_order(list(dtype.categories), f"the categories of {key.name}"))
    return column


def _is_null_or_nan(series: Any) -> NDArray[np.bool_]:
    """Which entries are null or NaN."""
    missing = np.array(series.is_null().to_numpy(), dtype=bool)
    return missing | np.isnan(series.to_numpy()) if series.dtype.is_float() else missing


def _without_missing(nw: Any, series: Any, name: str) -> Column:
    """Labels without missing ones; databases have types that NumPy has not."""
    dtype = series.dtype
    if dtype.is_nested():
        raise TypeError(f"{name} holds {dtype}, and a label is one value: pass a column of it, or an expression.")
    if dtype == nw.Datetime and dtype.time_zone is not None:
        series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    if dtype.is_decimal():
        series = series.cast(nw.Int64 if dtype.scale == 0 else nw.Float64)
    column = read_labels(series.to_native(), name)
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
    if column is not None and NAME_OF_MISSING in column.labels:
        raise ValueError(
            f"{name} has a label {NAME_OF_MISSING!r} already, with which missing='label' would mix the missing ones: "
            "fill these with another name."
        )
    labels = np.full(len(lacking), NAME_OF_MISSING, dtype=object)
    if column is not None:
        labels[~lacking] = column.labels[column.codes]
    named = read_labels(labels, name)
    assert isinstance(named, Column)
    return named._replace(ranking=None if column is None else column.ranking)
