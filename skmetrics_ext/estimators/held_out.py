"""Scores of the positive class from models that have not seen the samples, one model a fold."""

from typing import Any, NamedTuple

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit, check_cv, cross_validate
from sklearn.utils.metadata_routing import get_routing_for_object

from skmetrics_ext.scoring.folds_of_curves import SamplesScorer


class HeldOut(NamedTuple):
    """The scores of all held-out samples, their places in the data, and the models of the folds if they are kept."""

    scores: NDArray[Any]
    places: NDArray[np.intp]
    models: list[Any]


def read_splitter(cv: Any, y: NDArray[Any], random_state: Any) -> Any:
    """What splits the samples: a share of them is held out once, of several folds each in turn."""
    if not isinstance(cv, (float, np.floating)):
        return check_cv(cv, y, classifier=True)
    if not 0 < cv < 1:
        raise ValueError(f"cv={cv} is the share of samples that are held out: pass one between 0 and 1.")
    return StratifiedShuffleSplit(n_splits=1, test_size=float(cv), random_state=random_state)


def held_out_scores(
    estimator: Any,
    X: Any,
    y: NDArray[Any],
    splitter: Any,
    scorer: SamplesScorer,
    fit_params: dict[str, Any],
    n_jobs: int | None,
    *,
    keep_models: bool,
) -> HeldOut:
    """Fit a clone a fold, and ask it for the scores of the rest."""
    groups = None
    if sklearn.get_config()["enable_metadata_routing"]:
        taken = get_routing_for_object(estimator).consumes("fit", fit_params)
        taken |= get_routing_for_object(splitter).consumes("split", fit_params)
        fit_params = {name: value for name, value in fit_params.items() if name in taken}
    else:
        groups = fit_params.get("groups")
        fit_params = {name: value for name, value in fit_params.items() if name != "groups"}
    # The weights of samples count later, with those of all folds.
    scorer._request_metadata({"sample_weight": False})
    results = cross_validate(
        estimator,
        X,
        y,
        groups=groups,
        scoring=scorer,
        cv=splitter,
        n_jobs=n_jobs,
        params=fit_params,
        return_estimator=keep_models,
        return_indices=True,
        error_score="raise",
    )
    scores = np.concatenate([fold.value.scores for fold in results["test_score"]])
    return HeldOut(scores, np.concatenate(results["indices"]["test"]), results.get("estimator", []))
