"""What a classifier is fitted to and predicts for, and how it is stored."""

import sys
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_is_fitted, validate_data

from skmetrics_ext.reading.labels import Column, read_column
from skmetrics_ext.reading.order import show


class PairsInFiles:
    """An estimator whose dicts are stored as lists of pairs.

    skops writes JSON, whose keys are strings: pairs and functions cannot be, and False is read as
    True.
    """

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()
        dicts = {name for name, value in state.items() if type(value) is dict}
        kept = {name: value for name, value in state.items() if name not in dicts}
        return kept | {"_pairs": {name: list(state[name].items()) for name in sorted(dicts)}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        kept = {name: value for name, value in state.items() if name != "_pairs"}
        pairs = state["_pairs"]
        vars(self).update(kept | {name: dict(of_name) for name, of_name in pairs.items()})


def check_input(classifier: Any, X: Any) -> None:
    """Reject X before `fit`, and unexpected features unless the estimator checks them."""
    check_is_fitted(classifier, "estimator_")
    if not hasattr(classifier.estimator_, "n_features_in_"):
        validate_data(classifier, X, reset=False, skip_check_array=True)


def beside(X: Any, targets: NDArray[Any]) -> Any:
    """Targets where the samples are, as beside tensors; names stay in NumPy."""
    if not sklearn.get_config()["array_api_dispatch"] or isinstance(X, np.ndarray):
        return targets
    # Tensors of PyTorch do not name their namespace.
    namespace = sys.modules.get("torch") if type(X).__module__ == "torch" else None
    if namespace is None and hasattr(X, "__array_namespace__"):
        namespace = X.__array_namespace__()
    if namespace is None or targets.dtype.kind not in "biuf":
        return targets
    return namespace.asarray(targets, device=X.device)


def read_target(y: Any) -> Column:
    """Labels of two or more classes, one per sample."""
    try:
        labels = read_column(
            y, "y", " Convert one-hot rows to labels with classes[y.argmax(axis=1)]."
        )
    # The message begins as scikit-learn's estimator checks expect.
    except ValueError as error:
        raise ValueError(f"Unknown label type: {error}") from error
    if np.asarray(y).ndim == 2:
        column_or_1d(y, warn=True)
    if len(labels.labels) < 2:
        raise ValueError(
            f"y holds one class, {show(labels.labels)}: a classifier needs at least two classes."
        )
    return labels
