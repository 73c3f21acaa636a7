"""What a scorer computes from counts of predictions, part by part: keys, and their values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.responses import Prediction
from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.counted import (
    Counted,
    CountedIndicators,
    CountedPairs,
    Roles,
    at_labels,
)
from skmetrics_ext.reading.labels import Column, Indicator, read_labels
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import check_covered, plain, show, with_all
from skmetrics_ext.reading.pairs import Indicators, Weights, encode
from skmetrics_ext.reports.evaluation_index import (
    count_names,
    count_values,
    index_names,
    index_of_counts,
)
from skmetrics_ext.scoring.groups_of_scorer import (
    CountsOfGroups,
    GroupsRequest,
    keys_of_groups,
    scores_of_groups,
)

# A score, or the error instead of it.
Outcome = float | Exception


class KeysKnown(NamedTuple):
    """What keys depend on: the classes, if known yet, and the groups, if any."""

    labels: NDArray[Any] | None
    groups: GroupsRequest | None


class Predicted(NamedTuple):
    """The counts of one call, and those of its groups."""

    counts: Counted
    labels: NDArray[Any]
    request: GroupsRequest | None
    groups: CountsOfGroups | None

    @property
    def known(self) -> KeysKnown:
        """What keys depend on."""
        return KeysKnown(self.labels, self.request)


class Part(Protocol):
    """Some of the scores of one call."""

    @property
    def takes_matrix(self) -> bool:
        """Whether margins are not enough."""

    @property
    def names_classes(self) -> bool:
        """Whether its keys name the classes."""

    @property
    def is_of_one_class(self) -> bool:
        """Whether it has no value for several labels a sample."""

    def keys(self, known: KeysKnown, /) -> list[str]:
        """The keys of its scores; none if the classes that they name are not known yet."""

    def values(self, predicted: Predicted) -> Iterable[Outcome]:
        """The scores in the order of their keys."""


@dataclass(frozen=True)
class MetricPart:
    """A metric, by one key."""

    key: str
    choice: Choice
    names_classes = False

    @property
    def is_of_one_class(self) -> bool:
        """Whether it is of the positive class."""
        return self.choice.average == "binary"

    @property
    def takes_matrix(self) -> bool:
        """Whether margins are not enough."""
        return self.choice.takes_matrix

    def keys(self, _: KeysKnown, /) -> list[str]:
        """Its key."""
        return [self.key]

    def values(self, predicted: Predicted) -> Iterable[Outcome]:
        """Its value."""
        return [float(score(predicted.counts, self.choice))]


@dataclass(frozen=True)
class ClassesPart:
    """A metric of each class, by keys that begin alike: "recall_ash"."""

    beginning: str
    choice: Choice
    takes_matrix, names_classes, is_of_one_class = False, True, False

    def keys(self, known: KeysKnown, /) -> list[str]:
        """One for each class."""
        return [
            f"{self.beginning}_{name}"
            for name in ([] if known.labels is None else plain(known.labels))
        ]

    def values(self, predicted: Predicted) -> Iterable[Outcome]:
        """Its value for each class."""
        choice = self.choice._replace(average=None, positive=None, labels=predicted.labels)
        of_classes: list[Outcome] = np.ravel(score(predicted.counts, choice)).tolist()
        return of_classes


@dataclass(frozen=True)
class CountsPart:
    """The class counts and the cells of the matrix."""

    takes_matrix, names_classes, is_of_one_class = True, True, False

    def keys(self, known: KeysKnown, /) -> list[str]:
        """Those of `evaluation_index`."""
        return [] if known.labels is None else count_names(known.labels)

    def values(self, predicted: Predicted) -> Iterable[Outcome]:
        """The numbers or weights of samples."""
        counts, labels = predicted.counts, predicted.labels
        _refuse_multilabel(counts, "omit counts=True.")
        matrix = at_labels(counts.matrix, counts.order, labels)
        classes = at_labels(counts.classes, counts.order, labels)
        cells: list[Outcome] = count_values(classes, matrix).tolist()
        return cells


@dataclass(frozen=True)
class IndexPart:
    """Everything in the evaluation index, by its names."""

    takes_matrix, names_classes, is_of_one_class = True, True, True

    def keys(self, known: KeysKnown, /) -> list[str]:
        """Those of `evaluation_index`."""
        return [] if known.labels is None else index_names(known.labels)

    def values(self, predicted: Predicted) -> Iterable[Outcome]:
        """The values of `evaluation_index`."""
        counts, labels = predicted.counts, predicted.labels
        _refuse_multilabel(counts, "the evaluation index is for one label per sample.")
        check_covered(labels, counts.order, "List these, too.")
        return index_of_counts(at_labels(counts.matrix, counts.order, labels), labels).values()


@dataclass(frozen=True)
class GroupsPart:
    """A metric of each listed group, the worst of all groups, and their gap."""

    key: str
    choice: Choice
    # Groups are counted with a matrix each.
    takes_matrix, names_classes, is_of_one_class = False, False, False

    def keys(self, known: KeysKnown, /) -> list[str]:
        """One for each of them, if there are groups."""
        return [] if known.groups is None else keys_of_groups(self.key, self.choice, known.groups)

    def values(self, predicted: Predicted) -> Iterable[Outcome]:
        """The scores of the groups."""
        if predicted.request is None or predicted.groups is None:
            return []
        return scores_of_groups(self.key, self.choice, predicted.request, predicted.groups)


# Names that stand for a dict of scores instead of one.
PRESETS: dict[str, Part] = {"evaluation_index": IndexPart()}


def _refuse_multilabel(counts: Counted, advice: str) -> None:
    """Reject several labels per sample where there must be one matrix."""
    if counts.multilabel:
        raise ValueError(
            f"multilabel data have no single confusion matrix over all labels: {advice}"
        )


def keys_of(parts: Iterable[Part], known: KeysKnown) -> list[str]:
    """The keys of all parts in their order, each of which must stand once."""
    keys = [key for part in parts for key in part.keys(known)]
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        cause = "" if known.labels is None else f" with the classes {show(known.labels)}"
        raise ValueError(
            f"two scores have the key {twice!r}{cause}: rename one with a dict of key to metric."
        )
    return keys


def outcomes_of(parts: Iterable[Part], predicted: Predicted) -> dict[str, Outcome]:
    """The values of all parts by their keys, or for each key of a part that fails, the error."""
    outcomes: dict[str, Outcome] = {}
    for part in parts:
        keys = part.keys(predicted.known)
        outcomes |= _tried(keys, part, predicted)
    return outcomes


def _tried(keys: list[str], part: Part, predicted: Predicted) -> dict[str, Outcome]:
    """The values of a part by their keys, or the error for each."""
    try:
        return dict(zip(keys, part.values(predicted), strict=True))
    except Warning:
        # Who makes errors of warnings wants to see them: no value depends on the filters.
        raise
    except Exception as error:
        return dict.fromkeys(keys, error)


def with_nan(keys: Iterable[str], outcomes: Mapping[str, Outcome]) -> dict[str, float]:
    """All keys with their scores: NaN for those that failed, with one warning of the causes.

    scikit-learn can't merge the folds of a search if a scorer that gives a dict raises in one.
    """
    failures = {key: outcome for key, outcome in outcomes.items() if isinstance(outcome, Exception)}
    if failures:
        by_cause: dict[tuple[str, str], list[str]] = {}
        for key, error in failures.items():
            by_cause.setdefault((str(error), type(error).__name__), []).append(key)
        causes = [
            f"{error} ({kind} of {show(np.array(failed), 5)})"
            for (error, kind), failed in by_cause.items()
        ]
        warn(f"set to NaN: {'; '.join(causes)}")
    scores: dict[str, Any] = {**outcomes, **dict.fromkeys(failures, np.nan)}
    return {key: scores[key] for key in keys}


def count_prediction(
    prediction: Prediction,
    *,
    labels: NDArray[Any] | None = None,
    positive: Any = None,
    sample_weight: ArrayLike | None = None,
    needs_matrix: bool = False,
    columns: NDArray[Any] | None = None,
    named: NDArray[Any] | None = None,
    are_of_two: bool = False,
) -> CountedPairs | CountedIndicators:
    """The counts over all labels that occur, are known to the estimator, or chosen. `columns` name
    multilabel data if y_true does not; `named` are classes from lowest to highest; with
    `are_of_two` one of more can't be asked for.
    """
    true, pred, known = prediction
    if isinstance(true, Indicator) and true.names is None:
        # Numbers from 0 are not names.
        numbers = np.arange(true.values.shape[1])
        if (
            columns is not None
            and len(columns) == len(numbers)
            and not np.array_equal(columns, numbers)
        ):
            true = true._replace(names=plain(columns))
        # In the order of its columns, whatever their names.
        read = read_labels(pred, "y_pred")
        pred = read._replace(names=None) if isinstance(read, Indicator) else read
    also = known
    if labels is not None and isinstance(true, Column):
        also, labels = labels if known is None else with_all(known, labels), None
    weights = Weights(sample_weight)
    encoded = encode(true, pred, labels=labels, known=also, weights=weights)
    if isinstance(encoded, Indicators):
        return CountedIndicators(encoded)
    if named is not None:
        encoded = encoded._replace(rankings=(("classes", named),))
    # One of these is positive; others that occur belong to the rest.
    of_all = encoded.labels if known is None else with_all(known, true.labels)
    sought = known if named is not None and known is not None else of_all
    # Classes that training lacked count, too, so that an average means the same in every fold.
    n_classes = len(of_all) if named is None else len(named)
    roles = Roles(known=sought, n_classes=n_classes, are_of_two=are_of_two)
    return CountedPairs(encoded, positive, roles, needs_matrix=needs_matrix)
