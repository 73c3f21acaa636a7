"""The groups of a scorer: where they are read, and the worst value and the gap of those that have
one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import is_of_several, score
from skmetrics_ext.counting.counted import CountedIndicators, CountedMatrix, CountedPairs
from skmetrics_ext.reading.aliases import LabelsLike
from skmetrics_ext.reading.groups import groups_of_samples
from skmetrics_ext.reading.labels import Column, Indicator, read_order
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import plain, positions_in, show
from skmetrics_ext.scoring.entries import Entry, Outcome
from skmetrics_ext.statistics.estimand import FEW, estimand_of

OverGroups = Literal["worst", "gap"]
# A column of X, or a dict of it to all its groups.
GroupsOption = str | int | Mapping[Any, LabelsLike]


class GroupsRequest(NamedTuple):
    """What is known about the groups before any data."""

    # The name of a column of X, its index in an array, or None if the groups are passed with each
    # call.
    column: Any
    # All groups, if specified by the caller.
    names: NDArray[Any] | None

    @property
    def title(self) -> str:
        """Their name in keys."""
        return "group" if self.column is None else str(self.column)


class CountsOfGroups(NamedTuple):
    """The counts with a leading axis of groups, their names, and which classes (n_groups,
    n_classes) each has.
    """

    counts: CountedMatrix
    # Those of the samples, regardless of weight.
    unweighted: CountedMatrix
    names: NDArray[Any]
    occurs: NDArray[np.bool_]
    # What a group needs to qualify as the worst group or for a gap.
    min_samples: int

    @property
    def has_samples(self) -> NDArray[np.bool_]:
        """Whether a group has any sample with a weight above 0."""
        return np.asarray(self.occurs.any(axis=1))


class ScoredGroups(NamedTuple):
    """The signed values (n_groups,), NaN for omitted groups, and how many samples
    each is based on.
    """

    values: NDArray[np.float64]
    n_samples: NDArray[np.float64]
    min_samples: int


def read_groups_request(by: Any) -> GroupsRequest | None:
    """The `by=` of a scorer: a column, or a dict of it to its groups."""
    if by is None:
        return None
    names = None
    if isinstance(by, Mapping):
        if len(by) != 1:
            raise ValueError(
                f"by= must specify one column and its groups, such as {{'sex': ['F', 'M']}}; got "
                f"{len(by)}. Combine "
                "several columns into one."
            )
        ((by, given),) = by.items()
        names = read_order(given, "by")
    if not isinstance(by, (str, int, np.integer)) or isinstance(by, bool):
        raise TypeError(
            "by= must be the name of a column of X, its index in an array, or a dict mapping the "
            "column to its "
            f"groups; got {type(by).__name__}. Pass an array of groups with each call: "
            "set_score_request(by=True)."
        )
    return GroupsRequest(by, names)


def groups_in_call(asked: GroupsRequest, X: Any, by: Any, true: Column | Indicator) -> Column:
    """The group of each sample: those of the call, else a column of X."""
    if by is None:
        # Samples of X and y are in the same order, whatever their indices say, as in scikit-learn.
        by, true = _column_of(X, asked.column), true._replace(index=None)
    column = groups_of_samples(by, "by", true, None)
    if asked.names is None:
        return column
    places = positions_in(asked.names, column.labels)
    if (unknown := places == len(asked.names)).any():
        others = show(column.labels[unknown])
        raise ValueError(
            f"by= lists groups {show(asked.names)} of {asked.title!r}, which also has {others}."
        )
    return Column(places[column.codes], asked.names)


def _column_of(X: Any, column: Any) -> Any:
    """A column of a data frame, or of an array by index."""
    is_frame = hasattr(X, "columns") or hasattr(X, "column_names")
    if not is_frame and (isinstance(column, str) or np.ndim(X) != 2):
        raise ValueError(
            f"by={column!r} is a column of X, but this X is a {type(X).__name__}, which has no "
            "column names: pass the "
            "index of the column, or the groups with each call, set_score_request(by=True)."
        )
    try:
        return X[column] if is_frame else np.asarray(X)[:, column]
    except Exception:
        has = (
            f"the columns {show(np.array([*map(str, _names_of_frame(X))]))}"
            if is_frame
            else f"shape {np.shape(X)}"
        )
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
    once = (
        counts.unweighted.by_group(groups.codes, len(groups.labels))
        if counts.are_weights
        else of_groups
    )
    occurs = (of_groups.matrix.sum(-1) + of_groups.matrix.sum(-2)) > 0
    return CountsOfGroups(of_groups, once, groups.labels, occurs, min_samples)


def values_of_groups(groups: CountsOfGroups, choice: Choice) -> ScoredGroups:
    """The signed value of each group; NaN without samples, and where undefined unless zero_division
    sets a value.

    It uses only the group's samples: a class for which the metric is undefined counts in an average
    as usual.
    """
    if choice.zero_division == "warn" and not is_of_several(groups.counts, choice):
        choice = choice._replace(zero_division=np.nan)
    values = np.full(len(groups.names), np.nan)
    patterns, which = np.unique(groups.occurs, axis=0, return_inverse=True)
    # In NumPy 2.0 the inverse has two dimensions.
    which = which.ravel()
    for number, occurs in enumerate(patterns):
        if occurs.any():
            alike = which == number
            values[alike] = score(
                groups.counts.of_entries(alike, groups.counts.order[occurs]), choice
            )
    if (undefined := groups.has_samples & np.isnan(values)).any():
        warn(
            f"{choice.row.name} is undefined for the groups {show(groups.names[undefined])}, "
            "which are excluded from "
            "the worst group and the gap. Set the value with zero_division=."
        )
    return ScoredGroups(
        values, estimand_of(groups.unweighted, choice).samples_counted(), groups.min_samples
    )


def over_groups_of(groups: ScoredGroups, over_groups: OverGroups) -> float:
    """The worst of the signed values, or the negated gap between the best and the worst."""
    is_known = ~np.isnan(groups.values) & (groups.n_samples >= groups.min_samples)
    known, n_samples = groups.values[is_known], groups.n_samples[is_known]
    needed = 1 if over_groups == "worst" else 2
    if len(known) < needed:
        what = (
            "no group has a value"
            if not len(known)
            else "a gap needs two groups with a value, and there is one"
        )
        enough = (
            f", and at least min_samples={groups.min_samples} of them" if groups.min_samples else ""
        )
        raise ValueError(
            f"{what}: the groups need samples for which the metric is defined{enough}."
        )
    ends = [known.min()] if over_groups == "worst" else [known.min(), known.max()]
    # A group decides only if no larger group has the same value.
    if any(n_samples[known == end].max() < FEW for end in ends):
        # The same words in every fold, so that the warning is given once.
        warn(
            "the worst group, or one of the two groups in a gap, has few of the samples that the "
            "metric counts, such "
            "as the actual positives for recall, so it may be due to chance: exclude small groups "
            "with min_samples=."
        )
    return float(ends[0] if over_groups == "worst" else ends[0] - ends[1])


def keys_of_groups(entry: Entry, groups: GroupsRequest) -> list[str]:
    """The keys of a metric: of each listed group, of the worst if the metric has one, and of the
    gap.
    """
    named = [] if groups.names is None else plain(groups.names)
    over = ("_gap",) if entry.choice.row.better == "neither" else ("_worst", "_gap")
    return [f"{entry.key}_{groups.title}{end}" for end in (*(f":{name}" for name in named), *over)]


def scores_of_groups(entry: Entry, asked: GroupsRequest, groups: CountsOfGroups) -> list[Outcome]:
    """The scores of a metric in the order of their keys, or the causes of those that fail."""
    keys = keys_of_groups(entry, asked)
    of_groups = values_of_groups(groups, entry.choice)
    n_named = 0 if asked.names is None else len(asked.names)
    outcomes: list[Outcome] = of_groups.values[:n_named].tolist()
    for place in np.flatnonzero(~groups.has_samples[:n_named]):
        outcomes[place] = ValueError("the group has no samples with a weight above 0")
    for key in keys[n_named:]:
        try:
            outcomes.append(over_groups_of(of_groups, "worst" if key.endswith("_worst") else "gap"))
        except ValueError as error:
            outcomes.append(error)
    return outcomes
