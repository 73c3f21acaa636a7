"""What all scorers share: a name, sample weights, one warning per cause, a state of plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self, TypeVar

import sklearn
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.metadata_routing import MetadataRequest, get_routing_for_object

from skmetrics_ext.adapter.responses import check_can_be_reached
from skmetrics_ext.adapter.routing import with_auto_requests
from skmetrics_ext.adapter.rule import Rule, bound_rule, check_divides
from skmetrics_ext.reading.aliases import TargetLike
from skmetrics_ext.scoring.private_hooks import PrivateHooks

Alias = bool | str | None
Aliases = dict[str, Alias]
Score = TypeVar("Score", covariant=True)


class Scorer(Protocol[Score]):
    """Any scorer, as of scikit-learn: `scorer(estimator, X, y)` -> a float, or a dict of them."""

    __name__: str

    def __call__(
        self,
        estimator: object,
        X: object,
        y_true: TargetLike,
        sample_weight: ArrayLike | None = None,
    ) -> Score:
        """The score of what the estimator predicts for X; higher is better."""

    def set_score_request(self, **requested: Alias) -> Any:
        """Request sample weights, groups or costs from a search with metadata routing."""


def as_call(function: str, *arguments: Any, **options: Any) -> str:
    """The text of a call; options that are None are omitted."""
    given = [f"{option}={value!r}" for option, value in options.items() if value is not None]
    return f"{function}({', '.join([*map(repr, arguments), *given])})"


def check_rule(
    rule: Rule, methods: tuple[str, ...], classes: NDArray[Any] | None, *, divides: bool
) -> None:
    """Reject what no data can fit, since a search would turn the error into NaN."""
    if divides:
        check_divides(rule.threshold)
    if classes is not None:
        bound_rule(rule._replace(ranking=classes), classes)
    check_can_be_reached(rule, methods)


class LoggedScore(float):
    """A score that a dict can be updated with, as ScoringMonitor does."""

    def keys(self) -> tuple[str]:
        """The name under which ScoringMonitor logs a single score."""
        return ("score",)

    def __getitem__(self, key: str) -> float:
        return float(self)

    def __reduce__(self) -> tuple[type[float], tuple[float]]:
        return float, (float(self),)


class BaseScorer(PrivateHooks):
    """A scorer that takes `sample_weight`, maybe groups `by`, and has a `__name__`. `arguments` and
    `options` make it again: they are its state, so that skops needs to trust only the class.
    """

    takes_groups = False

    def __init__(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.__name__, self._made_of = name, (arguments, options)
        # Warnings already given, which the next fold need not repeat.
        self._said: set[str] = set()
        self._request_metadata({})

    def __getstate__(self) -> dict[str, Any]:
        arguments, options = self._made_of
        made_of = {"arguments": [*map(as_lists, arguments)], "options": as_lists(options)}
        return made_of | {"requests": self._aliases}

    def __setstate__(self, state: dict[str, Any]) -> None:
        arguments, options = map(as_mappings, state["arguments"]), as_mappings(state["options"])
        type(self).__init__(self, *arguments, **options)
        self._request_metadata(state["requests"])

    def set_score_request(self, *, sample_weight: Alias = None, by: Alias = None) -> Self:
        """Request sample weights, and the groups of a ConfusionScorer, with metadata routing.

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
            If `by` is requested for a scorer without groups.
        """
        if not sklearn.get_config()["enable_metadata_routing"]:
            raise RuntimeError(
                "set_score_request needs metadata routing: "
                "set_config(enable_metadata_routing=True)."
            )
        if by is not None and not self.takes_groups:
            raise ValueError(
                "this scorer takes no groups: make one with get_scorer(name, by=...) or "
                "ConfusionScorer."
            )
        self._request_metadata({"sample_weight": sample_weight, "by": by})
        return self

    def get_metadata_routing(self) -> MetadataRequest:
        """What this scorer requests from a search, for scikit-learn."""
        return with_auto_requests(get_routing_for_object(self._request), "score")

    def _request_metadata(self, aliases: Aliases) -> None:
        """A request for the arguments of a call, by scikit-learn's public class."""
        takes = ("sample_weight", "by") if self.takes_groups else ("sample_weight",)
        self._aliases = {param: aliases.get(param) for param in takes}
        self._request = MetadataRequest(owner=type(self).__name__)
        for param, alias in self._aliases.items():
            self._request.score.add_request(param=param, alias=alias)


def as_lists(value: Any) -> Any:
    """A mapping as lists of keys and values, since skops writes JSON, with string keys only."""
    if not isinstance(value, Mapping):
        return value
    return {"keys": list(value), "values": [*map(as_lists, value.values())]}


def as_mappings(value: Any) -> Any:
    """The mapping of such lists."""
    if not isinstance(value, Mapping):
        return value
    return dict(zip(value["keys"], map(as_mappings, value["values"]), strict=True))
