"""The groups of a scorer: where they are read, and the worst value and the gap of those that have one."""

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
from skmetrics_ext.scoring.entries import Entry
from skmetrics_ext.statistics.estimand import FEW, estimand_of, samples_counted

OverGroups = Literal["worst", "gap"]
# A column of X, or the same with all its groups.
GroupsOption = str | int | Mapping[Any, LabelsLike]


class GroupsRequest(NamedTuple):
    """What is known of the groups before there are data."""

    column: Any
    """The name of a column of X, its number in an array, or None where each call brings them."""
    names: NDArray[Any] | None
    """All groups, where the caller named them."""

    @property
    def title(self) -> str:
        """What keys call them."""
        return "group" if self.column is None else str(self.column)


class CountsOfGroups(NamedTuple):
    """The counts with a leading axis of groups, their names, and which classes (n_groups, n_classes) each has."""

    counts: CountedMatrix
    unweighted: CountedMatrix
    """Those of the samples, whatever their weights."""
    names: NDArray[Any]
    occurs: NDArray[np.bool_]
    min_samples: int
    """What a group needs to be the worst, or one of a gap."""

    @property
    def has_samples(self) -> NDArray[np.bool_]:
        """Whether a group has any of a weight above 0."""
        return np.asarray(self.occurs.any(axis=1))


class ScoredGroups(NamedTuple):
    """The signed values (n_groups,), NaN of those that are left out, and how many samples each rests on."""

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
                f"by= must name one column and its groups, such as {{'sex': ['F', 'M']}}; got {len(by)}. Make one "
                "column of the combinations of several."
            )
        ((by, given),) = by.items()
        names = read_order(given, "by")
    if not isinstance(by, (str, int, np.integer)) or isinstance(by, bool):
        raise TypeError(
            f"by= must be the name of a column of X, its number in an array, or a dict of it to its groups; got "
            f"{type(by).__name__}. An array of groups goes with each call: set_score_request(by=True)."
        )
    return GroupsRequest(by, names)


def groups_in_call(asked: GroupsRequest, X: Any, by: Any, true: Column | Indicator) -> Column:
    """The group of each sample: those of the call, else a column of X."""
    if by is None:
        # Samples of X and y are in one order, whatever their indices say: so scikit-learn has it.
        by, true = _column_of(X, asked.column), true._replace(index=None)
    column = groups_of_samples(by, "by", true, None)
    if asked.names is None:
        return column
    places = positions_in(asked.names, column.labels)
    if (unknown := places == len(asked.names)).any():
        raise ValueError(
            f"by= names the groups {show(asked.names)} of {asked.title!r}, which also has "
            f"{show(column.labels[unknown])}."
        )
    return Column(places[column.codes], asked.names)


def _column_of(X: Any, column: Any) -> Any:
    """A column of a data frame, or of an array by its number."""
    is_frame = hasattr(X, "columns") or hasattr(X, "column_names")
    if not is_frame and (isinstance(column, str) or np.ndim(X) != 2):
        raise ValueError(
            f"by={column!r} is a column of X, and this X is a {type(X).__name__}, which has no names: pass the number "
            "of the column in an array, or the groups with each call, set_score_request(by=True)."
        )
    try:
        return X[column] if is_frame else np.asarray(X)[:, column]
    except Exception:
        has = f"the columns {show(np.array([*map(str, _names_of_frame(X))]))}" if is_frame else f"shape {np.shape(X)}"
        raise ValueError(f"by={column!r} is no column of X, which has {has}.") from None


def _names_of_frame(X: Any) -> Sequence[Any]:
    """The columns of a data frame."""
    return list(X.column_names if hasattr(X, "column_names") else X.columns)


def count_by_groups(counts: CountedPairs | CountedIndicators, groups: Column, min_samples: int) -> CountsOfGroups:
    """What was counted, once more for each group."""
    if isinstance(counts, CountedIndicators):
        raise ValueError("by= is for one label a sample; y_true is multilabel.")
    of_groups = counts.by_group(groups.codes, len(groups.labels))
    once = counts.unweighted.by_group(groups.codes, len(groups.labels)) if counts.are_weights else of_groups
    occurs = (of_groups.matrix.sum(-1) + of_groups.matrix.sum(-2)) > 0
    return CountsOfGroups(of_groups, once, groups.labels, occurs, min_samples)


def values_of_groups(groups: CountsOfGroups, choice: Choice) -> ScoredGroups:
    """The signed value of each group; NaN without samples, and where it is undefined unless that has a value.

    It is that of the group's samples alone: of the classes that these have, one that is undefined counts
    in an average as it always does.
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
            values[alike] = score(groups.counts.of_entries(alike, groups.counts.order[occurs]), choice)
    if (undefined := groups.has_samples & np.isnan(values)).any():
        warn(
            f"{choice.row.name} is undefined for the groups {show(groups.names[undefined])}, which are left out of the "
            "worst and of the gap. Choose the value with zero_division=."
        )
    return ScoredGroups(values, samples_counted(estimand_of(groups.unweighted, choice)), groups.min_samples)


def over_groups_of(groups: ScoredGroups, over_groups: OverGroups) -> float:
    """The worst of the signed values, or the negated gap between the best and the worst."""
    is_known = ~np.isnan(groups.values) & (groups.n_samples >= groups.min_samples)
    known, n_samples = groups.values[is_known], groups.n_samples[is_known]
    needed = 1 if over_groups == "worst" else 2
    if len(known) < needed:
        what = "no group has a value" if not len(known) else "a gap needs two groups with a value, and there is one"
        enough = f", and at least min_samples={groups.min_samples} of them" if groups.min_samples else ""
        raise ValueError(f"{what}: the groups need samples for which the metric is defined{enough}.")
    ends = [known.min()] if over_groups == "worst" else [known.min(), known.max()]
    # A group decides only where none of more samples has the same value.
    if any(n_samples[known == end].max() < FEW for end in ends):
        # The same words in every fold, so that they are said once.
        warn(
            "the worst group, or one of the two of a gap, has few samples of what the metric counts, such as the "
            "actual positives of recall, so that the score may be theirs by chance: leave out small groups by "
            "min_samples=."
        )
    return float(ends[0] if over_groups == "worst" else ends[0] - ends[1])


def keys_of_groups(entry: Entry, groups: GroupsRequest) -> list[str]:
    """The keys of a metric: of each group that was named, of the worst if any is, and of the gap."""
    named = [] if groups.names is None else plain(groups.names)
    over = ("_gap",) if entry.choice.row.better == "neither" else ("_worst", "_gap")
    return [f"{entry.key}_{groups.title}{end}" for end in (*(f"={name}" for name in named), *over)]


def scores_of_groups(
    entry: Entry, asked: GroupsRequest, groups: CountsOfGroups
) -> tuple[dict[str, float], dict[str, Exception]]:
    """The scores of a metric by their keys, and the causes of those that fail."""
    keys = keys_of_groups(entry, asked)
    of_groups = values_of_groups(groups, entry.choice)
    scores: dict[str, float] = {}
    failures: dict[str, Exception] = {}
    if asked.names is not None:
        for key, value, has_samples in zip(keys, of_groups.values.tolist(), groups.has_samples.tolist(), strict=False):
            if has_samples:
                scores[key] = value
            else:
                failures[key] = ValueError("the group has no samples of a weight above 0")
    for key in keys[0 if asked.names is None else len(asked.names) :]:
        try:
            scores[key] = over_groups_of(of_groups, "worst" if key.endswith("_worst") else "gap")
        except ValueError as error:
            failures[key] = error
    return scores, failures
