"""What every scorer here has in common: a name, sample weights, one warning of a cause, pickles of public names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Self, TypeVar

import sklearn
from numpy.typing import ArrayLike
from sklearn.utils.metadata_routing import MetadataRequest

from skmetrics_ext.reading.aliases import TargetLike
from skmetrics_ext.scoring.private_hooks import PrivateHooks

Alias = bool | str | None
Aliases = dict[str, Alias]
Score = TypeVar("Score", covariant=True)


class Scorer(Protocol[Score]):
    """What every scorer is, also one of scikit-learn: `scorer(estimator, X, y)` -> a float, or a dict of them."""

    __name__: str

    def __call__(
        self, estimator: object, X: object, y_true: TargetLike, sample_weight: ArrayLike | None = None
    ) -> Score:
        """The score of what the estimator predicts for X; higher is better."""

    def set_score_request(self, *, sample_weight: Alias = ...) -> Any:
        """Request sample weights from a search with metadata routing."""


def as_call(function: str, *arguments: Any, **options: Any) -> str:
    """The text of a call; options that are None are left out."""
    given = [f"{option}={value!r}" for option, value in options.items() if value is not None]
    return f"{function}({', '.join([*map(repr, arguments), *given])})"


class BaseScorer(PrivateHooks):
    """A scorer that takes `sample_weight` in its call, maybe groups `by`, and has a `__name__` as functions have.

    `recipe` makes the same scorer again: a pickle holds it and what is requested, so that files
    may move and classes change while pickles still load.
    """

    takes_groups = False

    def __init__(self, recipe: Callable[[], Any], name: str) -> None:
        self._recipe, self.__name__ = recipe, name
        # What it has warned of, which the next fold need not hear again.
        self._said: set[str] = set()
        self._request_metadata({})

    def __reduce__(self) -> tuple[Any, ...]:
        # Without groups it is the alias of the weights alone, as in pickles of before there were any.
        state = self._aliases if self._aliases.get("by") is not None else self._aliases["sample_weight"]
        return self._recipe, (), state

    def __setstate__(self, state: Aliases | Alias) -> None:
        self._request_metadata(state if isinstance(state, dict) else {"sample_weight": state})

    def set_score_request(self, *, sample_weight: Alias = None, by: Alias = None) -> Self:
        """Request sample weights, and the groups of a ConfusionScorer, from a search with metadata routing.

        Parameters
        ----------
        sample_weight, by : bool, str or None
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
        ValueError
            If `by` is requested for a scorer that knows no groups.
        """
        if not sklearn.get_config()["enable_metadata_routing"]:
            raise RuntimeError(
                "set_score_request needs metadata routing: sklearn.set_config(enable_metadata_routing=True)."
            )
        if by is not None and not self.takes_groups:
            raise ValueError("this scorer takes no groups: make one by get_scorer(name, by=...) or ConfusionScorer.")
        self._request_metadata({"sample_weight": sample_weight, "by": by})
        return self

    def get_metadata_routing(self) -> MetadataRequest:
        """What this scorer requests from a search, for scikit-learn."""
        return self._request

    def _request_metadata(self, aliases: Aliases) -> None:
        """A request for what a call takes, by scikit-learn's public class."""
        takes = ("sample_weight", "by") if self.takes_groups else ("sample_weight",)
        self._aliases = {param: aliases.get(param) for param in takes}
        self._request = MetadataRequest(owner=type(self).__name__)
        for param, alias in self._aliases.items():
            self._request.score.add_request(param=param, alias=alias)
