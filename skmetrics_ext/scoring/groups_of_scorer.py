"""The groups of a scorer: where they are read, the worst value, and the gap between them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import is_of_several, score
from skmetrics_ext.counting.counted import CountedIndicators, CountedMatrix, CountedPairs
from skmetrics_ext.reading.aliases import LabelsLike
from skmetrics_ext.reading.groups import (
    Groups,
    SamplesAt,
    all_combinations,
    combinations,
    groups_at,
    read_by,
)
from skmetrics_ext.reading.labels import Column, Indicator, read_order
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import name_as_text, plain, positions_in, show
from skmetrics_ext.statistics.constants import FEW
from skmetrics_ext.statistics.estimand import estimand_of

OverGroups = Literal["worst", "gap"]
# A column of X, several that are crossed, or a dict of them to all their groups.
GroupsOption = str | int | Sequence[str | int] | Mapping[Any, LabelsLike]


class GroupsRequest(NamedTuple):
    """What is known about the groups before any data."""

    # Names or indices of columns of X; empty if groups are passed in each call.
    columns: tuple[Any, ...] = ()
    names: tuple[NDArray[Any], ...] | None = None

    @property
    def title(self) -> str:
        """Their name in keys."""
        return "_".join(map(str, self.columns)) or "group"

    @property
    def listed(self) -> NDArray[Any]:
        """All groups or their combinations, if specified."""
        if self.names is None:
            return np.array([])
        columns = [Column(np.array([], dtype=np.intp), labels) for labels in self.names]
        return columns[0].labels if len(columns) == 1 else all_combinations(_as_groups(columns))


def _as_groups(columns: Sequence[Column]) -> Groups:
    """Several columns of groups, of which combinations are made."""
    return Groups([str(place) for place in range(len(columns))], list(columns))


class CountsOfGroups(NamedTuple):
    """The counts (n_groups, ...), their names, and which classes (n_groups, n_classes) each has."""

    counts: CountedMatrix
    # Those of the samples, regardless of weight.
    unweighted: CountedMatrix
    names: NDArray[Any]
    occurs: NDArray[np.bool_]
    min_samples: int

    @property
    def has_samples(self) -> NDArray[np.bool_]:
        """Whether a group has any sample with a weight above 0."""
        return np.asarray(self.occurs.any(axis=1))


class ScoredGroups(NamedTuple):
    """The signed values (n_groups,), NaN for omitted groups, and their numbers of samples."""

    values: NDArray[np.float64]
    n_samples: NDArray[np.float64]
    min_samples: int


def read_groups_request(by: Any) -> GroupsRequest | None:
    """The `by=` of a scorer: a column, a list of them, or a dict of them to their groups."""
    if by is None:
        return None
    is_list = isinstance(by, (list, tuple))
    columns = tuple(by) if is_list or isinstance(by, Mapping) else (by,)
    if not columns or not all(map(_is_column, columns)):
        given = [type(column).__name__ for column in columns]
        raise TypeError(
            "by= must be the name of a column of X, its index in an array, a list of them, or a "
            f"dict mapping them to their groups; got {given[0] if len(given) == 1 else given}. "
            "Pass an array of groups with each call: set_score_request(by=True)."
        )
    if len(set(columns)) < len(columns):
        raise ValueError(f"by={by!r} has a column twice: name each once.")
    if not isinstance(by, Mapping):
        return GroupsRequest(columns)
    return GroupsRequest(columns, tuple(read_order(groups, "by") for groups in by.values()))


def _is_column(column: Any) -> bool:
    """Whether this can name a column of X."""
    return isinstance(column, (str, int, np.integer)) and not isinstance(column, bool)


def groups_in_call(asked: GroupsRequest, X: Any, by: Any, true: Column | Indicator) -> Column:
    """The group of each sample: those of the call, else of columns of X."""
    if by is None:
        # Samples of X and y are in the same order, whatever their indices say, as in scikit-learn.
        samples = SamplesAt(None, true.n_samples, "y_true")
        columns = [groups_at(samples, _column_of(X, column), "by") for column in asked.columns]
    else:
        columns = read_by(by, None, SamplesAt(true.index, true.n_samples, "y_true")).columns
        if asked.columns and len(columns) != len(asked.columns):
            raise ValueError(
                f"by= of this call has {len(columns)} columns, but the scorer was made with "
                f"by={list(asked.columns)!r}."
            )
    if asked.names is not None:
        columns = [
            _among_listed(column, listed, title)
            for column, listed, title in zip(columns, asked.names, asked.columns, strict=True)
        ]
    if len(columns) == 1:
        return columns[0]
    groups = _as_groups(columns)
    if asked.names is None:
        return combinations(groups)
    return Column(groups.codes(), all_combinations(groups))


def _among_listed(column: Column, listed: NDArray[Any], title: Any) -> Column:
    """The groups of a column as places in the list of all of them."""
    places = positions_in(listed, column.labels)
    if (unknown := places == len(listed)).any():
        raise ValueError(
            f"by= lists groups {show(listed)} of {str(title)!r}, which also has "
            f"{show(column.labels[unknown])}."
        )
    return Column(places[column.codes], listed)


def _column_of(X: Any, column: Any) -> Any:
    """A column of a data frame, or of an array by index."""
    is_frame = hasattr(X, "columns") or hasattr(X, "column_names")
    if not is_frame and (isinstance(column, str) or np.ndim(X) != 2):
        raise ValueError(
            f"by={column!r} is a column of X, but this X is a {type(X).__name__}, which has no "
            "column names: pass the index of the column, or the groups with each call, "
            "set_score_request(by=True)."
        )
    try:
        return X[column] if is_frame else np.asarray(X)[:, column]
    except Exception:
        has = f"shape {np.shape(X)}"
        if is_frame:
            has = f"the columns {show(np.array([*map(str, _names_of_frame(X))]))}"
        raise ValueError(f"by={column!r} is not a column of X, which has {has}.") from None


def _names_of_frame(X: Any) -> Sequence[Any]:
    """The columns of a data frame."""
    return list(X.column_names if hasattr(X, "column_names") else X.columns)


def count_by_groups(
    counts: CountedPairs | CountedIndicators, groups: Column, min_samples: int
) -> CountsOfGroups:
    """The same samples counted for each group."""
    if isinstance(counts, CountedIndicators):
        raise ValueError("by= needs one label per sample; y_true is multilabel.")
    of_groups = counts.by_group(groups.codes, len(groups.labels))
    unweighted = of_groups
    if counts.are_weights:
        unweighted = counts.unweighted.by_group(groups.codes, len(groups.labels))
    occurs = (of_groups.matrix.sum(-1) + of_groups.matrix.sum(-2)) > 0
    return CountsOfGroups(of_groups, unweighted, groups.labels, occurs, min_samples)


def values_of_groups(groups: CountsOfGroups, choice: Choice) -> ScoredGroups:
    """The signed value of each group; NaN without samples, or where undefined."""
    if choice.is_default_undefined and not is_of_several(choice):
        choice = choice.with_undefined(np.nan)
    values = np.full(len(groups.names), np.nan)
    # Groups with the same classes are scored together.
    patterns, pattern_of_group = np.unique(groups.occurs, axis=0, return_inverse=True)
    # In NumPy 2.0 the inverse has two dimensions.
    pattern_of_group = pattern_of_group.ravel()
    for number, occurs in enumerate(patterns):
        if occurs.any():
            alike = pattern_of_group == number
            counts = groups.counts.of_entries(alike, groups.counts.order[occurs])
            values[alike] = score(counts, choice)
    if (undefined := groups.has_samples & np.isnan(values)).any():
        warn(
            f"{choice.asked} is undefined for the groups {show(groups.names[undefined])}, which "
            "are excluded from the worst group and the gap. Set the value with zero_division=."
        )
    n_samples = estimand_of(groups.unweighted, choice).samples_counted()
    return ScoredGroups(values, n_samples, groups.min_samples)


def over_groups_of(groups: ScoredGroups, over_groups: OverGroups) -> float:
    """The worst of the signed values, or the negated gap between the best and the worst."""
    is_known = ~np.isnan(groups.values) & (groups.n_samples >= groups.min_samples)
    known, n_samples = groups.values[is_known], groups.n_samples[is_known]
    needed = 1 if over_groups == "worst" else 2
    if len(known) < needed:
        what = "no group has a value"
        if len(known):
            what = "a gap needs two groups with a value, and there is one"
        enough = ""
        if groups.min_samples:
            enough = f", and at least min_samples={groups.min_samples} of them"
        raise ValueError(
            f"{what}: the groups need samples for which the metric is defined{enough}."
        )
    worst, best = known.min(), known.max()
    deciding = [worst] if over_groups == "worst" else [worst, best]
    # A group decides only if no larger group has the same value.
    if any(n_samples[known == value].max() < FEW for value in deciding):
        # The same words in every fold, so that the warning is given once.
        warn(
            "the worst group, or one of the two groups in a gap, has few of the samples that the "
            "metric counts, such as the actual positives for recall, so it may be due to chance: "
            "exclude small groups with min_samples=."
        )
    return float(worst if over_groups == "worst" else worst - best)


def keys_of_groups(key: str, choice: Choice, groups: GroupsRequest) -> list[str]:
    """The keys of each listed group, of the worst if the metric has one, and of the gap."""
    listed = [f":{name_as_text(name)}" for name in plain(groups.listed)]
    ends = ("_gap",) if choice.row.better == "neither" else ("_worst", "_gap")
    return [f"{key}_{groups.title}{end}" for end in (*listed, *ends)]


def scores_of_groups(
    key: str, choice: Choice, asked: GroupsRequest, groups: CountsOfGroups
) -> list[float | Exception]:
    """The scores of a metric in the order of their keys, or the causes of those that fail."""
    of_groups = values_of_groups(groups, choice)
    n_listed = len(asked.listed)
    outcomes: list[float | Exception] = of_groups.values[:n_listed].tolist()
    for place in np.flatnonzero(~groups.has_samples[:n_listed]):
        outcomes[place] = ValueError("the group has no samples with a weight above 0")
    for group_key in keys_of_groups(key, choice, asked)[n_listed:]:
        over: OverGroups = "worst" if group_key.endswith("_worst") else "gap"
        try:
            outcomes.append(over_groups_of(of_groups, over))
        except ValueError as error:
            outcomes.append(error)
    return outcomes
