"""Any form of `by=` -> named columns of codes, and one combined code."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading import containers
from skmetrics_ext.reading.calls import option_of_caller
from skmetrics_ext.reading.containers import column_names, index_of
from skmetrics_ext.reading.labels import Column, code_dtype, read_column, read_order
from skmetrics_ext.reading.names import check_same_samples, index_of_samples
from skmetrics_ext.reading.order import (
    KIND_OF_DTYPE,
    crossed,
    kind_of,
    name_as_text,
    position_of,
    positions_in,
    show,
    show_names,
)

# Names that results already have.
TAKEN = ("actual", "class", "count", "high", "label", "low", "n_samples", "predicted", "value")

# Whose column comes behind that of the cases.
READERS = ("reader", "readers", "rater", "raters")

# More cells are mostly empty, and many times as many exceed memory.
MOST_CELLS = 10**8


class SamplesAt(NamedTuple):
    """What groups must match: the index of the samples, their number, and their name."""

    index: Any
    n: int
    name: str


class Groups(NamedTuple):
    """Named columns of groups, sorted or in the order of an ordered categorical."""

    names: list[str]
    columns: list[Column]

    @property
    def lengths(self) -> list[int]:
        """The number of groups in each column."""
        return [len(column.labels) for column in self.columns]

    def codes(self) -> NDArray[Any]:
        """A code of each sample's combination, the last column varying fastest."""
        first, *others = self.columns
        if not others:
            return first.codes
        # One more, since the factors must fit too.
        codes = first.codes.astype(code_dtype(math.prod(self.lengths) + 1))
        for column in others:
            codes *= len(column.labels)
            np.add(codes, column.codes, out=codes, casting="unsafe")
        return codes


def groups_of_samples(
    groups: Any, name: str, true: Any, index_of_other: Any, other: str = "y_pred"
) -> Column:
    """The group of each sample of y_true and of the array compared with it."""
    return groups_at(_samples_of(true, index_of_other, other), groups, name)


def columns_of_clusters(
    clusters: Any, true: Any, index_of_other: Any, other: str = "y_pred"
) -> list[Column]:
    """The cluster of each sample; of two columns, such as a dict or a frame of cases and readers,
    both.
    """
    samples = _samples_of(true, index_of_other, other)
    if len(columns := _crossed_columns(clusters)) != 2:
        return [groups_at(samples, clusters, "clusters")]
    return [groups_at(samples, values, name) for name, values in columns]


def _crossed_columns(clusters: Any) -> list[tuple[str, Any]]:
    """The columns of cases and readers with their names in messages; those of one are not read."""
    if isinstance(clusters, np.ndarray):
        is_table = clusters.ndim == 2 and clusters.shape[1] == 2
        return [(f"clusters[:, {k}]", clusters[:, k]) for k in range(2)] if is_table else []
    if isinstance(clusters, (list, tuple)):
        are_columns = all(len(getattr(of, "shape", ())) == 1 for of in clusters)
        return [(f"clusters[{k}]", of) for k, of in enumerate(clusters)] if are_columns else []
    named = (
        clusters.items() if isinstance(clusters, Mapping) else containers.frame_columns(clusters)
    )
    columns = list(named or ())
    refuse_readers_first([name for name, _ in columns])
    return [(f"clusters[{name!r}]", column) for name, column in columns]


def refuse_readers_first(names: Sequence[Any]) -> None:
    """Refuse two columns of clusters whose names are in the other order than they are taken."""
    if len(names) == 2 and str(names[0]).lower() in READERS:
        raise ValueError(
            f"clusters= has the column {names[0]!r} first, but the cases come first: pass those "
            "of the cases and of the readers in this order, as in {'case': case, 'reader': reader}."
        )


def axis_of_groups(
    by: Any, true: Any, index_of_other: Any, other: str = "y_pred", taken: Collection[str] = ()
) -> tuple[str, Column]:
    """The same as one group per sample, with the name of its axis."""
    return axis_at(_samples_of(true, index_of_other, other), by, taken)


def _samples_of(true: Any, index_of_other: Any, other: str) -> SamplesAt:
    """The samples of y_true, in the order of its index, or of the other array's."""
    index = index_of_samples(true.index, index_of_other)
    return SamplesAt(index, true.n_samples, "y_true" if index is true.index else other)


def axis_at(samples: SamplesAt, by: Any, taken: Collection[str] = ()) -> tuple[str, Column]:
    """One axis for all columns: its name, and each sample's combination."""
    return one_axis_of(read_by(by, None, samples, taken))


def one_axis_of(groups: Groups) -> tuple[str, Column]:
    """The name of one axis for all columns, and the combination in each row."""
    if len(groups.columns) == 1:
        return groups.names[0], groups.columns[0]
    return ", ".join(groups.names), combinations(groups)


def combinations(groups: Groups) -> Column:
    """The combinations that occur, such as ("a", "f"), the last column varying fastest."""
    occurring, codes = np.unique(groups.codes(), return_inverse=True)
    labels = _labels_at(groups, occurring)
    indexes = (column.index for column in groups.columns if column.index is not None)
    index = next(indexes, None)
    return Column(codes.reshape(-1).astype(code_dtype(len(labels))), labels, index)


def all_combinations(groups: Groups) -> NDArray[Any]:
    """The combinations of all groups, also those that do not occur."""
    return _labels_at(groups, np.arange(math.prod(groups.lengths)))


def _labels_at(groups: Groups, numbers: NDArray[Any]) -> NDArray[Any]:
    """The labels of combinations by number."""
    places = np.unravel_index(numbers, groups.lengths)
    labels = [column.labels[place] for column, place in zip(groups.columns, places, strict=True)]
    return crossed(dict(zip(groups.names, labels, strict=True)))


def rows_of_groups(column: Column) -> list[NDArray[np.intp]]:
    """The positions of the samples of each group."""
    ends = np.bincount(column.codes, minlength=len(column.labels)).cumsum()[:-1]
    return np.split(np.argsort(column.codes, kind="stable"), ends)


def groups_at(samples: SamplesAt, groups: Any, name: str) -> Column:
    """The group of each of these samples."""
    return _checked(read_groups(groups, name), name, samples)


def read_groups(
    by: Any, name: str = "by", missing_group: Any = None, *, takes_missing: bool = False
) -> Column:
    """One group per sample: sorted, or in a declared order, and missing ones last."""
    by = _only_column(by, name)
    if isinstance(by, np.ndarray) and by.ndim == 2 and by.shape[1] == 1:
        by = by[:, 0]
    _check_one_column(by, name)
    index = index_of(by)
    by = containers.with_bins_as_text(by)
    missing = containers.missing_in(by)
    n_missing = 0 if missing is None else np.count_nonzero(missing)
    if missing is None or not n_missing:
        return in_order_of_ranking(read_column(by, name))._replace(index=index)
    if missing_group is None:
        option = takes_missing and option_of_caller("missing_group")
        how = f", with {option}='unknown' or, for numeric groups, a number" if option else ""
        raise ValueError(
            f"{name} holds {n_missing} missing groups among {len(missing)} samples: drop these "
            f"samples, or make them a group of their own{how}."
        )
    group = read_order([missing_group], "missing_group")
    if n_missing == len(missing):
        return Column(np.zeros(n_missing, dtype=np.uint8), group, index)
    present = in_order_of_ranking(read_column(containers.present_in(by, ~missing), name))
    return _with_missing(present, missing, group, name)._replace(index=index)


def _only_column(by: Any, name: str) -> Any:
    """The only column of a dict; anything else unchanged, unless it has several."""
    columns = by if isinstance(by, Mapping) else dict(containers.frame_columns(by) or ())
    if len(columns) > 1 or (isinstance(by, Mapping) and not by):
        raise ValueError(
            f"{name} has the columns {show_names(list(columns))}, but one group per sample is "
            f"needed here: pass one of them, or join them, such as {name}=[f'{{a}}, {{b}}' for a, "
            "b in zip(first, second)]."
        )
    return next(iter(columns.values())) if isinstance(by, Mapping) else by


def _check_one_column(by: Any, name: str) -> None:
    """Reject several groups per sample."""
    first = by[0] if isinstance(by, (list, tuple)) and len(by) else None
    if isinstance(first, tuple):
        raise ValueError(
            f"{name} holds tuples such as {first!r}, but a group must be a single value: pass "
            f"separate columns, such as {name}={{'first': [...], 'second': [...]}}, or join each "
            f"into a string, {name_as_text(first)!r}."
        )
    if isinstance(first, list):
        raise ValueError(
            f"{name} must hold one group per sample; it holds lists, which could be rows or "
            "columns. Pass columns by "
            f"name, {name}={{'first': [...], 'second': [...]}}, or arrays, one per column."
        )
    shape = getattr(by, "shape", (0,))
    if len(shape) != 1 and not hasattr(by, "columns"):
        raise ValueError(
            f"{name} must hold one group per sample; it has shape {tuple(shape)}. Pass columns by "
            f"name, such as {name}={{'first': ..., 'second': ...}}."
        )


def in_order_of_ranking(column: Column) -> Column:
    """Groups in the order of an ordered categorical; others come last, and end the ranking."""
    if column.ranking is None:
        return column
    places = positions_in(column.ranking, column.labels)
    order = np.argsort(places, kind="stable")
    new_codes = np.argsort(order)
    codes = new_codes.astype(code_dtype(len(new_codes)))[column.codes]
    ranking = column.ranking if (places < len(column.ranking)).all() else None
    return Column(codes, column.labels[order], ranking=ranking)


def _with_missing(
    present: Column, missing: NDArray[np.bool_], group: NDArray[Any], name: str
) -> Column:
    """The groups that are known, and then that of missing ones."""
    kinds = [KIND_OF_DTYPE[labels.dtype.kind] for labels in (group, present.labels)]
    if kinds[0] != kinds[1]:
        raise ValueError(
            f"missing_group={group.tolist()[0]!r} and the groups of {name} differ in kind, "
            f"{kinds[0]} and {kinds[1]} such as {show(present.labels, 3)}: pass one of the same "
            "kind, or fill the missing groups yourself."
        )
    if position_of(present.labels, group[0]) is not None:
        raise ValueError(
            f"{name} already has a group {group.tolist()[0]!r}, so missing groups would be merged "
            "with it: pass another missing_group."
        )
    n_groups = len(present.labels)
    codes = np.full(len(missing), n_groups, dtype=code_dtype(n_groups + 1))
    codes[~missing] = present.codes
    return Column(codes, np.concatenate([present.labels, group]))


def read_by(by: Any, missing_group: Any, samples: SamplesAt, taken: Collection[str] = ()) -> Groups:
    """All columns of groups; `taken` are the names of the other axes."""
    if missing_group is not None and kind_of(missing_group) is None:
        raise TypeError(
            f"missing_group must be a single group label, such as 'unknown'; got {missing_group!r}."
        )
    named = _named_columns(by)
    names = [name for name, _, _ in named]
    _check_names(names, taken)
    columns = [
        read_groups(values, shown, missing_group, takes_missing=True) for _, values, shown in named
    ]
    all_shown = [shown for _, _, shown in named]
    samples = _indexed(samples, columns, all_shown)
    for column, shown in zip(columns, all_shown, strict=True):
        _checked(column, shown, samples)
    return Groups(names, columns)


def _named_columns(by: Any) -> list[tuple[str, Any, str]]:
    """The axis of each column, its groups, and its name in messages."""
    containers.refuse_unread(by, "by")
    columns = containers.frame_columns(by)
    named = None
    if isinstance(by, Mapping):
        named = list(by.items())
    elif column_names(by) is not None:
        named = columns
    if named is not None:
        return [(str(name), column, f"by[{name!r}]") for name, column in named]
    if columns is not None and len(columns) > 1:
        parts = [column for _, column in columns]
    elif isinstance(by, (list, tuple)) and any(map(_is_array, by)):
        parts = [*by]
    else:
        only = columns[0][1] if columns else by
        return [("group", only, "by")]
    return [(f"group_{k}", part, f"by[{k}]") for k, part in enumerate(parts)]


def _is_array(value: Any) -> bool:
    """Whether this is a column rather than a single group."""
    return (
        hasattr(value, "__array__")
        and not isinstance(value, np.generic)
        and getattr(value, "ndim", 1) > 0
    )


def _check_names(names: list[str], taken: Collection[str]) -> None:
    """Reject empty, duplicate and used names."""
    if not names:
        raise ValueError("by is empty: pass an array of groups, or a dict of name to array.")
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"by has the name {twice[0]!r} twice: name each axis once.")
    if other := [name for name in names if name in (*TAKEN, *taken)]:
        raise ValueError(
            f"by has the name {other[0]!r}, which is already used in the result tables or by "
            f"another axis: rename it, for example to {other[0] + '_group'!r}."
        )


def _indexed(samples: SamplesAt, columns: Sequence[Column], names: Sequence[str]) -> SamplesAt:
    """The samples in the order of the first column with an index, if labels have none."""
    if samples.index is not None:
        return samples
    in_order = (
        SamplesAt(column.index, samples.n, name)
        for column, name in zip(columns, names, strict=True)
        if column.index is not None
    )
    return next(in_order, samples)


def _checked(column: Column, name: str, samples: SamplesAt) -> Column:
    """One group per sample, in the order of the samples."""
    check_same_samples(samples.index, column.index, (samples.name, name), default_is_name=True)
    if column.n_samples != samples.n:
        raise ValueError(
            f"{name} must hold one group per sample, shape ({samples.n},), not "
            f"({column.n_samples},)."
        )
    return column


def check_cells(names: Sequence[str], lengths: Sequence[int], n_cells: int) -> None:
    """Reject axes with too many cells in all."""
    total = math.prod(lengths) * n_cells
    # Only folds can't be pooled before.
    if total <= MOST_CELLS or n_cells > MOST_CELLS or names == ["fold"]:
        return
    pooled: list[str] = []
    rest = total
    for length, name in sorted(zip(lengths, names, strict=True), reverse=True):
        if rest <= MOST_CELLS:
            break
        pooled.append(f"{name!r} ({length} entries)")
        rest //= length
    raise ValueError(
        f"the axes {show_names(names)} have {' x '.join(map(str, lengths))} entries of {n_cells} "
        f"cells each, {total:.3g} cells in all, but at most 1e8: pool {' and '.join(pooled)}, that "
        "is, omit it or merge entries."
    )
