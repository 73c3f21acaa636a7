"""Scores of the positive class from models that have not seen the samples, one model per fold."""

from typing import Any, NamedTuple

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit, check_cv, cross_validate
from sklearn.utils.metadata_routing import get_routing_for_object


class HeldOut(NamedTuple):
    """The scores of all held-out samples, their indices in the data, and the models of the folds if kept."""

    scores: NDArray[Any]
    places: NDArray[np.intp]
    models: list[Any]


def read_splitter(cv: Any, y: NDArray[Any], random_state: Any) -> Any:
    """The splitter of the samples: holds out a fraction once, or several folds in turn."""
    if not isinstance(cv, (float, np.floating)):
        return check_cv(cv, y, classifier=True)
    if not 0 < cv < 1:
        raise ValueError(f"cv={cv} is the fraction of samples to hold out: pass a number between 0 and 1.")
    return StratifiedShuffleSplit(n_splits=1, test_size=float(cv), random_state=random_state)


def held_out_scores(
    estimator: Any, X: Any, y: NDArray[Any], splitter: Any, fit_params: dict[str, Any], **options: Any
) -> HeldOut:
    """Fit a clone per fold, and score the held-out samples with it."""
    groups = None
    if sklearn.get_config()["enable_metadata_routing"]:
        taken = get_routing_for_object(estimator).consumes("fit", fit_params)
        taken |= get_routing_for_object(splitter).consumes("split", fit_params)
        fit_params = {name: value for name, value in fit_params.items() if name in taken}
    else:
        groups = fit_params.get("groups")
        fit_params = {name: value for name, value in fit_params.items() if name != "groups"}
    options |= {"cv": splitter, "groups": groups, "params": fit_params, "return_indices": True, "error_score": "raise"}
    results = cross_validate(estimator, X, y, **options)
    scores = np.concatenate([fold.value.scores for fold in results["test_score"]])
    return HeldOut(scores, np.concatenate(results["indices"]["test"]), results.get("estimator", []))
