"""Columns of a table of any engine -> the samples of threshold curves, one per group."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.columns import check_name_of_column
from skmetrics_ext.counting.axes import Axis, axis_of_column
from skmetrics_ext.counting.ranking import Samples
from skmetrics_ext.curves.inputs import BINS, CurveLabels, Entries, classes_of_curve
from skmetrics_ext.engines.groups import GroupedRows, Key, Missing, counted_groups
from skmetrics_ext.engines.likely_counts import warn_of_counts_in_table
from skmetrics_ext.engines.numbers import (
    WEIGHT,
    type_of_scores,
    weights_asked,
    with_scores,
    with_weights,
)
from skmetrics_ext.engines.tables import (
    Source,
    Table,
    choose_columns,
    columns_of_groups,
    open_table,
)
from skmetrics_ext.reading.arguments import check_choice, check_power_of_two
from skmetrics_ext.reading.groups import Groups, in_order_of_ranking, one_axis_of, rows_of_groups
from skmetrics_ext.reading.labels import Column
from skmetrics_ext.reading.order import position_of
from skmetrics_ext.writing.progress import Progress

# The most distinct scores that are read into memory.
MOST_SCORES = 10**7
MOST_BINS = 1 << 20


class CurveColumns(NamedTuple):
    """The columns of a table for curves, as given by the caller."""

    actual: Any
    score: Any
    by: Any
    sample_weight: Any
    count: Any


class FrameSamples(NamedTuple):
    """The samples of a table's rows, of each group along an axis; their labels, and what an entry
    is.
    """

    axis: Axis | None
    samples: tuple[Samples, ...]
    labels: CurveLabels
    entries: Entries


def samples_of_frame(
    frame: Any,
    columns: CurveColumns,
    pos_label: Any,
    bins: int | None,
    missing: Missing | None,
    progress: Progress,
) -> FrameSamples:
    """The samples of all rows, or of each group."""
    check_choice(missing, "missing", (None, "drop", "label"))
    if bins is not None:
        check_power_of_two(bins, "bins", MOST_BINS)
    source = open_table(frame)
    groups_of = columns_of_groups(source, columns.by)
    asked = {"actual": ("actual", columns.actual)}
    asked |= {own: ("by", column) for own, (_, column) in groups_of.items()}
    asked["score"] = ("score", columns.score)
    asked |= weights_asked(columns.sample_weight, columns.count)
    weighted_by, _ = asked.get(WEIGHT, (None, None))
    weighted = weighted_by == "sample_weight"
    table = _table_of_scores(source, asked, bins)
    groups = counted_groups(
        table,
        _keys(groups_of),
        missing,
        weighted_by=weighted_by,
        has_scores="score",
        most_groups=MOST_SCORES if bins is None else None,
        progress=progress,
    )
    if weighted_by is None:
        named = [column for _, column in asked.values() if isinstance(column, (str, int))]
        named += [name for name, _ in groups_of.values()]
        warn_of_counts_in_table(source, named, int(groups.weights.sum()))
    actual = groups.keys[0]
    classes = classes_of_curve(actual.labels, actual.ranking, pos_label, "actual")
    if isinstance(columns.score, str):
        check_name_of_column(columns.score, actual.labels, classes.positive, "score")
    is_positive = _are_of_class(actual, classes.positive)
    scores = np.asarray(groups.decided)
    if bins is None:
        scores = scores.astype(type_of_scores(table, "score"))
    axis, rows_of_each = _axis_and_rows([name for name, _ in groups_of.values()], groups)
    each = [Samples(scores[at], is_positive[at], groups.weights[at]) for at in rows_of_each]
    if bins is not None:
        in_bins = tuple(_in_bins(samples, bins) for samples in each)
        return FrameSamples(axis, in_bins, classes.curve, BINS[weighted])
    return FrameSamples(axis, tuple(each), classes.curve, "weights" if weighted else "counts")


def _table_of_scores(source: Source, asked: dict[str, tuple[str, Any]], bins: int | None) -> Table:
    """The columns, the weight of each row, and as "decided" its score or bin."""
    table = with_scores(choose_columns(source, asked), ["score"], "score")
    if WEIGHT in asked:
        table = with_weights(table, WEIGHT, asked[WEIGHT][0])
    decided = table.nw.col("score") if bins is None else _bin_of_score(table.nw, bins)
    return table.with_columns(decided=decided)


def _bin_of_score(nw: Any, bins: int) -> Any:
    """The bin of each score; 0 for invalid ones, which are refused later.

    Some engines convert floored values to integers, and fail on these.
    """
    scaled = nw.col("score").cast(nw.Float64) * float(bins)
    # DuckDB takes several times as long to clip.
    up_to_last = nw.when(scaled < bins - 1.0).then(scaled).otherwise(nw.lit(bins - 1.0))
    is_valid = (nw.col("invalid_scores") == 0) & (scaled >= 0.0)
    return nw.when(is_valid).then(up_to_last).otherwise(nw.lit(0.0)).floor()


def _keys(groups_of: dict[str, tuple[str, Any]]) -> list[Key]:
    """The columns by which rows are grouped."""
    of_groups = [Key(own, f"by={name!r}", is_group=True) for own, (name, _) in groups_of.items()]
    return [Key("actual", "actual"), *of_groups]


def _are_of_class(column: Column, label: Any) -> NDArray[np.bool_]:
    """Which rows are of a class, which may not occur."""
    position = position_of(column.labels, label)
    if position is None:
        return np.zeros(len(column.codes), dtype=bool)
    return np.asarray(column.codes == position)


def _axis_and_rows(names: list[str], groups: GroupedRows) -> tuple[Axis | None, list[Any]]:
    """The axis of the groups, and the rows of each; all rows without groups."""
    if not names:
        return None, [slice(None)]
    columns = [in_order_of_ranking(column) for column in groups.keys[1:]]
    name, column = one_axis_of(Groups(names, columns))
    rows = rows_of_groups(column)
    occurs = [len(of_group) > 0 for of_group in rows]
    axis = axis_of_column(name, column)
    present = axis._replace(coordinates=axis.coordinates[occurs])
    return present, [of_group for of_group in rows if len(of_group)]


def _in_bins(samples: Samples, bins: int) -> Samples:
    """The weight of negatives and positives at the lower edge of each bin."""
    weights = np.zeros((2, bins), dtype=np.asarray(samples.weights).dtype)
    of_rows = np.asarray(samples.weights)
    np.add.at(weights, (samples.positive.astype(np.intp), samples.scores.astype(np.intp)), of_rows)
    return Samples(
        np.tile(np.arange(bins) / bins, 2), np.repeat([False, True], bins), weights.ravel()
    )
