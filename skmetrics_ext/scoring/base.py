"""What every scorer here has in common: a name, sample weights, one warning of a cause, pickles of public names."""

from collections.abc import Callable
from typing import Any, Self

import sklearn
from sklearn.utils.metadata_routing import MetadataRequest

from skmetrics_ext.scoring.private_hooks import PrivateHooks

Alias = bool | str | None


def as_call(function: str, *arguments: Any, **options: Any) -> str:
    """The text of a call; options that are None are left out."""
    given = [f"{option}={value!r}" for option, value in options.items() if value is not None]
    return f"{function}({', '.join([*map(repr, arguments), *given])})"


class BaseScorer(PrivateHooks):
    """A scorer that takes `sample_weight` in its call, and has a `__name__` as functions have.

    `recipe` makes the same scorer again: a pickle holds it and what is requested, so that files
    may move and classes change while pickles still load.
    """

    def __init__(self, recipe: Callable[[], Any], name: str) -> None:
        self._recipe, self.__name__ = recipe, name
        # What it has warned of, which the next fold need not hear again.
        self._said: set[str] = set()
        self._request_weights(None)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._recipe, (), self._alias

    def __setstate__(self, alias: Alias) -> None:
        self._request_weights(alias)

    def set_score_request(self, *, sample_weight: Alias = None) -> Self:
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
        self._request_weights(sample_weight)
        return self

    def get_metadata_routing(self) -> MetadataRequest:
        """What this scorer requests from a search, for scikit-learn."""
        return self._request

    def _request_weights(self, alias: Alias) -> None:
        """A request for sample_weight, by scikit-learn's public class."""
        self._alias = alias
        self._request = MetadataRequest(owner=type(self).__name__)
        self._request.score.add_request(param="sample_weight", alias=alias)
