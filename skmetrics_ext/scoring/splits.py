"""Splits of repeated cross-validation, and folds whose counts pass through scikit-learn, which
takes numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Number
from typing import Any, NamedTuple

import numpy as np
import sklearn
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    cross_validate,
)

from skmetrics_ext.reading.aliases import GroupsLike, TargetLike
from skmetrics_ext.reading.arguments import check_whole
from skmetrics_ext.reading.containers import index_of
from skmetrics_ext.reading.groups import groups_of_samples
from skmetrics_ext.reading.labels import Column, read_labels
from skmetrics_ext.reading.messages import warn_once
from skmetrics_ext.reading.names import check_same_samples
from skmetrics_ext.scoring.base import BaseScorer
from skmetrics_ext.writing.text import count_as_text

N_FOLDS = 5
# Seeds of splitters are numbers below.
SEEDS = 2**31
# Of each kind: whether it keeps groups together, and whether folds have classes in proportion.
KEEPS_GROUPS = {KFold: False, StratifiedKFold: False, GroupKFold: True, StratifiedGroupKFold: True}
ARE_STRATIFIED = (StratifiedKFold, StratifiedGroupKFold)

Splits = list[tuple[NDArray[np.intp], NDArray[np.intp]]]


class Payload(Number):
    """Any object as a number type unknown to NumPy.

    From a float, `item` or `__array__`, a plain number would be taken, and the rest dropped.
    """

    __slots__ = ("text", "value")
    __hash__ = object.__hash__

    def __init__(self, value: Any, text: str) -> None:
        self.value, self.text = value, text

    def __format__(self, spec: str) -> str:
        """What `verbose` shows as the score of the fold."""
        return self.text


class FoldScorer(BaseScorer):
    """Passes on what `read` makes of a fold: that and the number or weight of samples."""

    def __init__(self, read: Callable[..., tuple[Any, float]], *arguments: Any) -> None:
        super().__init__(read.__name__, (read, *arguments), {})
        self._read, self._arguments = read, arguments

    def __call__(
        self,
        estimator: object,
        X: object,
        y_true: TargetLike,
        sample_weight: ArrayLike | None = None,
    ) -> Payload:
        """What is read, with warnings given once and not in each fold."""
        with warn_once(self._said):
            value, n_samples = self._read(estimator, X, y_true, sample_weight, *self._arguments)
        return Payload(value, f"{count_as_text(n_samples)} samples")


class PayloadsOfFolds(NamedTuple):
    """What was counted in each fold, its rows, and how many samples its model was fitted to."""

    values: list[Any]
    rows: list[NDArray[np.intp]]
    n_train: list[int]


class Folding(NamedTuple):
    """Which folds: a splitter of scikit-learn, to be shuffled, and their number."""

    kind: type
    n_folds: int


class RepeatedFolds(NamedTuple):
    """The fold of each sample in each repetition (n_repeats, n_samples)."""

    fold: NDArray[np.intp]
    codes: NDArray[Any]
    labels: NDArray[Any]
    n_folds: int
    is_stratified: bool
    in_groups: bool

    @property
    def n_repeats(self) -> int:
        """How many repetitions there are."""
        return len(self.fold)

    @property
    def n_samples(self) -> int:
        """How many samples there are."""
        return int(self.fold.shape[1])

    @property
    def n_models(self) -> int:
        """How many models are fitted, without those of the guard."""
        return self.n_repeats * self.n_folds

    @property
    def has_guard(self) -> bool:
        """Whether anything is left to train on if two folds are left out."""
        return self.n_folds > 2

    def splits(self) -> Splits:
        """Training and test samples of each fold of each repetition."""
        return [
            (np.flatnonzero(fold != k), np.flatnonzero(fold == k))
            for fold in self.fold
            for k in range(self.n_folds)
        ]

    def splits_of_guard(self) -> Splits:
        """Those of the first repetition that leave out each fold and the next one together."""
        if not self.has_guard:
            return []
        first, pairs = self.fold[0], []
        for k in range(self.n_folds):
            is_out = (first == k) | (first == (k + 1) % self.n_folds)
            pairs.append((np.flatnonzero(~is_out), np.flatnonzero(is_out)))
        sees_one = any(len(np.unique(self.codes[train])) == 1 for train, _ in pairs)
        if sees_one and len(self.labels) > 1:
            raise ValueError(
                "models that leave out two folds, which tell how much the model improves with the "
                f"number of samples, would see one class only: pass more than {self.n_folds} folds "
                "(cv=10), or more samples of the rare class."
            )
        return pairs


def read_labels_of_folds(y: TargetLike) -> Column:
    """The actual labels, one for each sample."""
    actual = read_labels(y, "y")
    if not isinstance(actual, Column):
        raise ValueError(
            "y must hold one label for each sample: how well limits of multilabel data hold in "
            "cross-validation is not known. One-hot rows have labels y.argmax(axis=1)."
        )
    return actual


def read_repeated_folds(
    cv: Any,
    X: Any,
    actual: Column,
    groups: GroupsLike | None,
    n_repeats: int,
    random: np.random.Generator,
) -> RepeatedFolds:
    """The folds of each repetition, which keep samples of a group together."""
    check_whole(n_repeats, "n_repeats", 1)
    folding = _read_folding(cv, has_groups=groups is not None)
    of_samples, units, n_units = None, "samples", actual.n_samples
    if groups is not None:
        column = groups_of_samples(groups, "groups", actual, index_of(X), "X")
        of_samples, units, n_units = column.codes, "groups", len(column.labels)
    if folding.n_folds >= n_units:
        raise ValueError(
            f"{folding.n_folds} folds of {n_units} {units} leave one out at a time, so that no "
            "repetition differs from another: pass fewer folds, such as cv=5."
        )
    seeds = random.integers(SEEDS, size=n_repeats).tolist()
    found = (_fold_of_each(folding, actual.codes, of_samples, seed) for seed in seeds)
    return RepeatedFolds(
        fold=np.array([*_distinct(found)]),
        codes=actual.codes,
        labels=actual.labels,
        n_folds=folding.n_folds,
        is_stratified=folding.kind in ARE_STRATIFIED,
        in_groups=groups is not None,
    )


def _read_folding(cv: Any, *, has_groups: bool) -> Folding:
    """What `cv` asks for; whatever is not repeated random folds is refused."""
    if cv is None or isinstance(cv, Number):
        n_folds: Any = N_FOLDS if cv is None else cv
        check_whole(n_folds, "cv", 2)
        kind = StratifiedGroupKFold if has_groups else StratifiedKFold
        return Folding(kind, int(n_folds))
    kind = type(cv)
    if kind not in KEEPS_GROUPS:
        raise ValueError(
            f"cv={_shown(cv)} is not supported: the interval is for repeated random folds, so "
            "pass their number, such as cv=5, or KFold, StratifiedKFold, GroupKFold or "
            "StratifiedGroupKFold, which are shuffled anew in each of n_repeats repetitions. "
            "Dependent samples are told by groups=; there is no interval for leave-one-out, "
            "given splits and time series."
        )
    if KEEPS_GROUPS[kind] and not has_groups:
        raise ValueError(f"cv={_shown(cv)} needs groups=, the group of each sample.")
    if has_groups and not KEEPS_GROUPS[kind]:
        raise ValueError(
            f"cv={_shown(cv)} puts samples of one group into several folds: pass a number, "
            "GroupKFold or StratifiedGroupKFold with groups=."
        )
    return Folding(kind, int(cv.n_splits))


def _fold_of_each(
    folding: Folding, y: NDArray[Any], groups: NDArray[Any] | None, seed: int
) -> NDArray[np.intp]:
    """The fold of each sample."""
    splitter = folding.kind(folding.n_folds, shuffle=True, random_state=seed)
    fold = np.empty(len(y), dtype=np.intp)
    for k, (_, test) in enumerate(splitter.split(np.zeros((len(y), 1)), y, groups)):
        fold[test] = k
    return fold


def _distinct(folds: Iterator[NDArray[np.intp]]) -> Iterator[NDArray[np.intp]]:
    """Those that no earlier one equals, in whatever order its folds are."""
    known = set()
    for fold in folds:
        _, first, place = np.unique(fold, return_index=True, return_inverse=True)
        ordered = np.argsort(np.argsort(first))[place].tobytes()
        if ordered not in known:
            known.add(ordered)
            yield fold


def _shown(cv: Any) -> str:
    """A splitter as shown; other values by type, since lists of splits are long."""
    return repr(cv) if hasattr(cv, "get_n_splits") else f"a {type(cv).__name__}"


def payloads_of_folds(
    scorer: BaseScorer,
    estimator: object,
    X: object,
    y: Any,
    params: dict[str, Any] | None,
    **options: Any,
) -> PayloadsOfFolds:
    """What the scorer counts in each fold."""
    weights = (params or {}).get("sample_weight")
    check_same_samples(index_of(y), index_of(weights), ("y", "sample_weight"), default_is_name=True)
    if weights is not None and sklearn.get_config()["enable_metadata_routing"]:
        scorer.set_score_request(sample_weight=True)
    # None is an error in scikit-learn 1.6 where metadata routing is enabled.
    options |= {"params": params or {}, "scoring": scorer}
    options |= {"error_score": "raise", "return_indices": True}
    results = cross_validate(estimator, X, y, **options)
    rows, train = results["indices"]["test"], results["indices"]["train"]
    values = [fold.value for fold in results["test_score"]]
    return PayloadsOfFolds(values, rows, [len(of_fold) for of_fold in train])
