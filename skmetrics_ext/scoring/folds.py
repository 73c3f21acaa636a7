"""Cross-validation with a scorer that passes its counts through scikit-learn, which accepts only numbers."""

from numbers import Number
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.model_selection import cross_validate

from skmetrics_ext.reading.names import check_same_samples, index_of
from skmetrics_ext.scoring.base import BaseScorer


class Payload(Number):
    """Any object as a number type unknown to NumPy.

    As a float, or with `item` or `__array__`, scikit-learn or NumPy would take a plain number from it and
    drop the rest.
    """

    __slots__ = ("text", "value")
    __hash__ = object.__hash__

    def __init__(self, value: Any, text: str) -> None:
        self.value, self.text = value, text

    def __format__(self, spec: str) -> str:
        """What `verbose` shows as the score of the fold."""
        return self.text


def payloads_of_folds(
    scorer: BaseScorer, estimator: object, X: object, y: Any, params: dict[str, Any] | None, **options: Any
) -> tuple[list[Any], list[NDArray[np.intp]]]:
    """What the scorer counts in each fold, and the rows of the fold."""
    weights = (params or {}).get("sample_weight")
    check_same_samples(index_of(y), index_of(weights), ("y", "sample_weight"), default_is_name=True)
    if weights is not None and sklearn.get_config()["enable_metadata_routing"]:
        scorer.set_score_request(sample_weight=True)
    options |= {"params": params, "scoring": scorer, "error_score": "raise", "return_indices": True}
    results = cross_validate(estimator, X, y, **options)
    return [fold.value for fold in results["test_score"]], results["indices"]["test"]
