"""One score of several, as a separate scorer for tools that take one number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.reading.aliases import GroupsLike, TargetLike
from skmetrics_ext.reading.order import show
from skmetrics_ext.scoring.base import BaseScorer

if TYPE_CHECKING:
    from skmetrics_ext.scoring.confusion_scorer import ConfusionScorer


class KeyScorer(BaseScorer):
    """Scorer for one key of a ConfusionScorer, as returned by `ConfusionScorer.scorers`.

    Parameters
    ----------
    scorer : ConfusionScorer
        The multi-metric scorer.
    key : str
        One of its keys.
    """

    takes_groups = True

    def __init__(self, scorer: ConfusionScorer, key: str) -> None:
        super().__init__(key, (scorer, key), {})
        self._scorer, self._key = scorer, key

    def __call__(
        self,
        estimator: object,
        X: object,
        y_true: TargetLike,
        sample_weight: ArrayLike | None = None,
        by: GroupsLike | None = None,
    ) -> float:
        """The score of what the estimator predicts for X; higher is better."""
        outcomes = self._scorer._outcomes(estimator, X, y_true, sample_weight, by)
        if self._key not in outcomes:
            raise ValueError(
                f"there is no score {self._key!r} for these data, only "
                f"{show(np.array([*outcomes]))}: specify classes "
                "or labels as they appear in the data."
            )
        outcome = outcomes[self._key]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def __repr__(self) -> str:
        return f"<scorer of {self._key!r}, one of several>"
