"""What scikit-learn asks of scorers: weights of the samples, and NaN where a score in a dict can't be computed."""

import warnings
from collections.abc import Iterable
from typing import Self

import numpy as np
import sklearn
from sklearn.utils.metadata_routing import MetadataRequest

from skmetrics_ext.reading.messages import levels_to_caller
from skmetrics_ext.reading.order import show


class WeightRequests:
    """What scikit-learn asks of a scorer that takes `sample_weight` in its call."""

    def __init__(self) -> None:
        self._request = self._request_of_weights(None)

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """Request sample weights from a search with metadata routing.

        Parameters
        ----------
        sample_weight : bool, str or None
            True: pass them on; False: do not; a str: the name under which the search has
            them; None: raise if there are any.

        Returns
        -------
        scorer
            This scorer.

        Raises
        ------
        RuntimeError
            If metadata routing is not enabled.
        """
        if not sklearn.get_config()["enable_metadata_routing"]:
            raise RuntimeError(
                "set_score_request needs metadata routing: sklearn.set_config(enable_metadata_routing=True)."
            )
        self._request = self._request_of_weights(sample_weight)
        return self

    def get_metadata_routing(self) -> MetadataRequest:
        """What this scorer requests from a search, for scikit-learn."""
        return self._request

    def _request_of_weights(self, alias: bool | str | None) -> MetadataRequest:
        """A request for sample_weight, by scikit-learn's public class."""
        request = MetadataRequest(owner=type(self).__name__)
        request.score.add_request(param="sample_weight", alias=alias)
        return request

    def _accept_sample_weight(self) -> bool:
        """Asked by scikit-learn of scorers in a dict while metadata routing is off."""
        return True

    @property
    def _score_func(self) -> object:
        """Asked by TunedThresholdClassifierCV, which needs another scorer."""
        raise AttributeError(
            "TunedThresholdClassifierCV tunes the threshold itself: give it a scorer that has none, get_scorer(name)."
        )


def with_nan(keys: Iterable[str], scores: dict[str, float], failures: dict[str, Exception]) -> dict[str, float]:
    """All keys with their scores: NaN for those that failed, with one warning of the causes.

    scikit-learn can't merge the folds of a search if a scorer that gives a dict raises in one.
    """
    if failures:
        by_cause: dict[str, list[str]] = {}
        for key, error in failures.items():
            by_cause.setdefault(f"{type(error).__name__}: {error}", []).append(key)
        causes = [f"{show(np.array(failed), 5)} ({cause})" for cause, failed in by_cause.items()]
        warnings.warn(f"set to NaN: {'; '.join(causes)}", UserWarning, stacklevel=levels_to_caller())
    return {key: scores.get(key, np.nan) for key in keys}
