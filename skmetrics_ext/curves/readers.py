"""Curves of the readers of the same cases -> their scores, by case and reader."""

from __future__ import annotations

from typing import Any

import numpy as np

from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.statistics.areas.readers import ReadScores
from skmetrics_ext.statistics.caveats import NoLimitsError
from skmetrics_ext.statistics.crossed import why_not_crossed

HOW = "ThresholdCurves.from_scores(y_true, y_score, by={'reader': reader}, clusters=case)"


def scores_of_readers(curves: dict[str, Any]) -> dict[str, ReadScores]:
    """The scores of each model by the same readers of the same cases."""
    found = {name: _scores_of(name, of_model) for name, of_model in curves.items()}
    (first_name, first), *others = found.items()
    for name, other in others:
        both = zip(first[1:], other[1:], strict=True)
        if not all(np.array_equal(*parts) for parts in both):
            raise ValueError(
                f"the curves of {first_name!r} and {name!r} are of different readings, or of "
                "readings in a different order: make them from the same y_true, readers and cases."
            )
    return found


def _scores_of(name: str, curves: Any) -> ReadScores:
    """The scores of one model."""
    if not isinstance(curves, ThresholdCurves):
        raise TypeError(
            f"curves[{name!r}] must be ThresholdCurves by reader, as the others are; got "
            f"{type(curves).__name__}."
        )
    samples = curves._samples
    is_by_reader = curves._common is not None and curves._entries == "samples"
    cases = [of.clusters for of in samples if of.clusters is not None]
    if not is_by_reader or len(cases) < len(samples) or curves._design.n_models:
        raise ValueError(
            f"curves[{name!r}] must be of readers who read the same cases, without weights: {HOW}."
        )
    reader = np.repeat(np.arange(len(samples)), [len(of.scores) for of in samples])
    case = np.unique(np.concatenate(cases), return_inverse=True)[1].reshape(-1)
    positive = np.concatenate([of.positive for of in samples])
    if sentence := why_not_crossed(case, reader):
        raise NoLimitsError(sentence.replace("{where}", ""))
    if len(np.unique(case * len(samples) + reader)) < len(case):
        raise ValueError(
            f"curves[{name!r}] has several scores of one case by one reader: an area over new "
            "readers and new cases takes each once."
        )
    if len(np.unique(2 * case + positive)) > case.max() + 1:
        raise ValueError(f"curves[{name!r}] has a case that is positive for one reader alone.")
    for entry, of in zip(curves, samples, strict=True):
        if of.positive.all() or not of.positive.any():
            raise ValueError(
                f"the reader {entry!r} of curves[{name!r}] has no positive and negative samples."
            )
    scores = np.concatenate([np.asarray(of.scores, dtype=np.float64) for of in samples])
    return ReadScores(scores, positive, case, reader)
