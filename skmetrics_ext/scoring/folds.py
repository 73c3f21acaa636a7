"""Cross-validation with a scorer that passes counts through scikit-learn, which takes numbers."""

from collections.abc import Callable
from numbers import Number
from typing import Any, NamedTuple

import numpy as np
import sklearn
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import cross_validate

from skmetrics_ext.reading.aliases import TargetLike
from skmetrics_ext.reading.containers import index_of
from skmetrics_ext.reading.messages import warn_once
from skmetrics_ext.reading.names import check_same_samples
from skmetrics_ext.scoring.base import BaseScorer
from skmetrics_ext.writing.text import count_as_text


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
