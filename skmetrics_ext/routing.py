"""Sample weights of a search for our own scorers, by scikit-learn's metadata routing and without it."""

from typing import Self

import sklearn
from sklearn.utils.metadata_routing import MetadataRequest


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
