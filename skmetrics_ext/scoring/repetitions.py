"""The counts of repeated cross-validation, of which the folds of each repetition are summed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.reading.aliases import TargetLike
from skmetrics_ext.scoring.cross_validation import cross_val_confusion_matrix
from skmetrics_ext.scoring.splits import RepeatedFolds
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.cross_validated import (
    REPETITION,
    CountedRepetitions,
    caveats_of_folding,
)


def counted_repetitions(
    estimator: object, X: object, y: TargetLike, folds: RepeatedFolds, options: Mapping[str, Any]
) -> CountedRepetitions:
    """The counts of all repetitions and of the guard, from one list of splits."""
    splits = [*folds.splits(), *folds.splits_of_guard()]
    cm = cross_val_confusion_matrix(estimator, X, y, cv=splits, **options)
    each = by_repetition(cm, folds)
    guard = counted_of_folds(cm, slice(folds.n_models, None)) if folds.has_guard else None
    return CountedRepetitions(
        each=CountedMatrix(each.counts, cm.labels, cm.pos_label, cm.ranking),
        together=counted_of_folds(cm, slice(folds.n_models)),
        guard=guard,
        # Each repetition has each sample once, of which these limits are.
        design=replace(each.design, folds=0.0),
        n_folds=folds.n_folds,
        n_repeats=folds.n_repeats,
        in_groups=folds.in_groups,
        caveats=tuple(caveats_of_models(cm, folds)),
    )


def by_repetition(cm: ConfusionMatrix, folds: RepeatedFolds) -> ConfusionMatrix:
    """The matrix of each repetition, from one of each fold."""
    starts = range(0, folds.n_models, folds.n_folds)
    return ConfusionMatrix.stack(
        {
            repetition: cm.sel(fold=range(start, start + folds.n_folds)).sum("fold")
            for repetition, start in enumerate(starts)
        },
        axis=REPETITION,
    )


def counted_of_folds(cm: ConfusionMatrix, entries: slice) -> CountedMatrix:
    """The counts of some folds together."""
    return CountedMatrix(cm.counts[entries].sum(0), cm.labels, cm.pos_label, cm.ranking)


def caveats_of_models(cm: ConfusionMatrix, folds: RepeatedFolds) -> Iterator[Caveat]:
    """What is wrong with all metrics of these folds."""
    return caveats_of_folding(
        cm.counts[: folds.n_models].sum(-2) > 0,
        n_folds=folds.n_folds,
        is_stratified=folds.is_stratified,
    )
