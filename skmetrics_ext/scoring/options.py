"""The options of a ConfusionScorer as one frozen value, and which of them were given."""

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from types import EllipsisType
from typing import Any

import numpy as np

from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.curves.best import Bound
from skmetrics_ext.reading.aliases import CostsLike, Label, LabelsLike, ThresholdsLike, Ties
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.names import NamedNumbers, NamedTable
from skmetrics_ext.reading.numbers import read_costs, read_threshold
from skmetrics_ext.scoring.groups_of_scorer import GroupsOption, OverGroups


@dataclass(frozen=True, kw_only=True, eq=False)
class ScorerOptions:
    """Everything a ConfusionScorer is asked for besides its metrics, as the caller gave it."""

    # "binary", unless said: said, it is of two classes only, as in the metric functions.
    average: str | EllipsisType = ...
    per_class: bool = False
    counts: bool = False
    response_method: str | Sequence[str] = "auto"
    threshold: ThresholdsLike | None = None
    subject_to: Mapping[Any, Bound] | None = None
    ties: Ties = "positive"
    pos_label: Label | None = None
    classes: LabelsLike | None = None
    cost_matrix: CostsLike | None = None
    labels: LabelsLike | None = None
    zero_division: ZeroDivision = "warn"
    greater_is_better: bool | None = None
    name: str | None = None
    by: GroupsOption | None = None
    over_groups: OverGroups | None = None
    min_samples: int = 0
    # Those of the metrics.
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def given_options(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        said = {name: getattr(self, name) for name in DEFAULTS}
        return {name: value for name, value in said.items() if value is not DEFAULTS[name]}

    def given(self) -> dict[str, Any]:
        """The keyword arguments that make the same: the options given, and the parameters."""
        return {**self.given_options(), **self.parameters}

    def owned(self) -> "ScorerOptions":
        """The same with copies that nobody else can change."""
        parameters = own_options(self.parameters)
        return replace(self, **own_options(self.given_options()), parameters=parameters)


# Of each option, without the parameters of the metrics.
DEFAULTS = {option.name: option.default for option in fields(ScorerOptions)[:-1]}
BEST = "best"
# The options that say how labels are made, and what of them; others are the metric's.
OF_SCORER = (
    "response_method",
    "threshold",
    "subject_to",
    "ties",
    "classes",
    "cost_matrix",
    "greater_is_better",
    "by",
    "over_groups",
    "min_samples",
)
# With these a scorer needs more than predicted labels.
READS_MORE = {"threshold", "classes", "cost_matrix", "by", "over_groups", "min_samples"}

# The defaults of get_scorer and make_scorer: `...` where the metric's function has its own.
NOT_SAID: dict[str, Any] = {
    "average": ...,
    "pos_label": ...,
    "labels": None,
    "zero_division": "warn",
    **{name: None if name == "response_method" else DEFAULTS[name] for name in OF_SCORER},
}


def given_options(parameters: Mapping[str, Any], **options: Any) -> dict[str, Any]:
    """The options of get_scorer or make_scorer that were said, and the parameters of the metric."""
    said = {name: value for name, value in options.items() if value is not NOT_SAID[name]}
    return {**said, **parameters}


def is_best(threshold: Any) -> bool:
    """Whether the scorer finds the threshold itself."""
    return isinstance(threshold, str) and threshold == BEST


def own_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Copies of Python's and NumPy's types: not every file of a model holds a data frame."""
    return {name: _own(value, READERS.get(name, copy.deepcopy)) for name, value in options.items()}


def _own(value: Any, read: Callable[[Any], Any]) -> Any:
    """A copy; of a Series or the like what is read from it; else the error of reading it."""
    if isinstance(value, Mapping):
        return {copy.deepcopy(key): _own(entry, read_order) for key, entry in value.items()}
    is_foreign = hasattr(value, "__array__") and not isinstance(value, (np.ndarray, np.generic))
    return read(value) if is_foreign or isinstance(value, Iterator) else copy.deepcopy(value)


def _own_thresholds(threshold: Any) -> Any:
    """The numbers of a Series, by their names if it has any."""
    read = read_threshold(threshold)
    if not isinstance(read, NamedNumbers):
        return read
    by_name = dict(zip(read.names, read.values.tolist(), strict=True))
    return by_name if len(by_name) == len(read.names) else copy.deepcopy(threshold)


def _own_costs(cost_matrix: Any) -> Any:
    """Costs as an array, or a copy of what names them."""
    read = read_costs(cost_matrix)
    if not isinstance(read, NamedTable):
        return read
    rows, columns = read.rows or [], read.columns or []
    if read.of_pairs or {*rows} != {*columns}:
        return copy.deepcopy(cost_matrix)
    # Of dicts and numbers alone, which any format stores.
    return {
        row: dict(zip(columns, costs, strict=True))
        for row, costs in zip(rows, read.values.tolist(), strict=True)
    }


READERS: dict[str, Callable[[Any], Any]] = {
    "threshold": _own_thresholds,
    "cost_matrix": _own_costs,
    "labels": read_order,
    "classes": partial(read_order, name="classes"),
}
