"""What every scorer here has in common: a name, sample weights, one warning per cause, a state of
plain data.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any, Protocol, Self, TypeVar

import numpy as np
import sklearn
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.metadata_routing import MetadataRequest

from skmetrics_ext.adapter.responses import check_can_be_reached
from skmetrics_ext.adapter.rule import Rule, bound_rule, check_divides
from skmetrics_ext.reading.aliases import TargetLike
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.names import NamedNumbers, NamedTable
from skmetrics_ext.reading.numbers import read_costs, read_threshold
from skmetrics_ext.scoring.private_hooks import PrivateHooks

Alias = bool | str | None
Aliases = dict[str, Alias]
Score = TypeVar("Score", covariant=True)


class Scorer(Protocol[Score]):
    """Any scorer, including those of scikit-learn: `scorer(estimator, X, y)` -> a float, or a dict
    of them.
    """

    __name__: str

    def __call__(
        self,
        estimator: object,
        X: object,
        y_true: TargetLike,
        sample_weight: ArrayLike | None = None,
    ) -> Score:
        """The score of what the estimator predicts for X; higher is better."""

    def set_score_request(self, *, sample_weight: Alias = ...) -> Any:
        """Request sample weights from a search with metadata routing."""


def as_call(function: str, *arguments: Any, **options: Any) -> str:
    """The text of a call; options that are None are omitted."""
    given = [f"{option}={value!r}" for option, value in options.items() if value is not None]
    return f"{function}({', '.join([*map(repr, arguments), *given])})"


def given_options(function: Any, here: Mapping[str, Any]) -> dict[str, Any]:
    """The options in a call that are not the defaults, by their names so that none is forgotten,
    and the parameters.
    """
    defaults = function.__kwdefaults__
    return {
        **{name: here[name] for name in defaults if here[name] is not defaults[name]},
        **here["parameters"],
    }


def own_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Copies that do not change, of Python's and NumPy's types: not every file of a model holds a
    data frame.
    """
    return {name: _own(value, READERS.get(name, copy.deepcopy)) for name, value in options.items()}


def _own(value: Any, read: Callable[[Any], Any]) -> Any:
    """A copy; for what NumPy reads but did not make, such as a Series, what a scorer
    reads from it.
    """
    if isinstance(value, Mapping):
        return {copy.deepcopy(key): _own(entry, read_order) for key, entry in value.items()}
    is_foreign = hasattr(value, "__array__") and not isinstance(value, (np.ndarray, np.generic))
    return read(value) if is_foreign else copy.deepcopy(value)


def _own_thresholds(threshold: Any) -> Any:
    """The numbers of a Series, by their names if it has any."""
    read = read_threshold(threshold)
    if not isinstance(read, NamedNumbers):
        return read
    by_name = dict(zip(read.names, read.values.tolist(), strict=True))
    return by_name if len(by_name) == len(read.names) else copy.deepcopy(threshold)


def _own_costs(cost_matrix: Any) -> Any:
    """The costs of a frame, by pairs if rows and columns have the same names, as a
    dict requires.
    """
    read = read_costs(cost_matrix)
    if not isinstance(read, NamedTable):
        return read
    rows, columns, costs = read.rows or [], read.columns or [], read.values
    by_pair = dict(zip(product(rows, columns), costs.ravel().tolist(), strict=False))
    return (
        by_pair
        if {*rows} == {*columns} and len(by_pair) == costs.size
        else copy.deepcopy(cost_matrix)
    )


def check_rule(
    rule: Rule, methods: tuple[str, ...], classes: NDArray[Any] | None, *, divides: bool
) -> None:
    """Reject what no data can fit, since a search would turn the error into NaN."""
    if divides:
        check_divides(rule.threshold)
    if classes is not None:
        bound_rule(rule._replace(ranking=classes), classes)
    check_can_be_reached(rule, methods)


READERS = {
    "threshold": _own_thresholds,
    "cost_matrix": _own_costs,
    "labels": read_order,
    "classes": read_order,
}


class BaseScorer(PrivateHooks):
    """A scorer that takes `sample_weight` in its call, maybe groups `by`, and has a `__name__` as
    functions have.

    `arguments` and `options` make the same scorer again. With what is requested they are its state,
    so that files may move and classes change while pickles still load, and skops needs to trust
    only the class.
    """

    takes_groups = False

    def __init__(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.__name__, self._made_of = name, (arguments, options)
        # Warnings already given, which the next fold need not repeat.
        self._said: set[str] = set()
        self._request_metadata({})

    def __getstate__(self) -> dict[str, Any]:
        arguments, options = self._made_of
        made_of = {"arguments": [*map(_as_lists, arguments)], "options": _as_lists(options)}
        return made_of | {"requests": self._aliases}

    def __setstate__(self, state: dict[str, Any] | Alias) -> None:
        # Pickles of 0.1.0 made the scorer by themselves: their state is what is requested, usually
        # only the weights.
        requests: dict[str, Any] = state if isinstance(state, dict) else {"sample_weight": state}
        if "arguments" in requests:
            arguments, options = (
                map(_as_mappings, requests["arguments"]),
                _as_mappings(requests["options"]),
            )
            type(self).__init__(self, *arguments, **options)
            requests = requests["requests"]
        self._request_metadata(requests)

    def set_score_request(self, *, sample_weight: Alias = None, by: Alias = None) -> Self:
        """Request sample weights, and the groups of a ConfusionScorer, from a search with metadata
        routing.

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
        return self._request

    def _request_metadata(self, aliases: Aliases) -> None:
        """A request for the arguments of a call, by scikit-learn's public class."""
        takes = ("sample_weight", "by") if self.takes_groups else ("sample_weight",)
        self._aliases = {param: aliases.get(param) for param in takes}
        self._request = MetadataRequest(owner=type(self).__name__)
        for param, alias in self._aliases.items():
            self._request.score.add_request(param=param, alias=alias)


def _as_lists(value: Any) -> Any:
    """A mapping as lists of its keys and values, since JSON, which skops writes, has only string
    keys.
    """
    if not isinstance(value, Mapping):
        return value
    return {"keys": list(value), "values": [*map(_as_lists, value.values())]}


def _as_mappings(value: Any) -> Any:
    """The mapping of such lists."""
    if not isinstance(value, Mapping):
        return value
    return dict(zip(value["keys"], map(_as_mappings, value["values"]), strict=True))
