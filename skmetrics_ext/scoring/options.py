"""The options of a ConfusionScorer as one frozen value, and which of them were given."""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from types import EllipsisType
from typing import Any, Literal, NamedTuple

import numpy as np

from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.curves.best import Bound
from skmetrics_ext.reading.aliases import CostsLike, Label, LabelsLike, ThresholdsLike, Ties
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.names import NamedNumbers, NamedTable
from skmetrics_ext.reading.numbers import read_costs, read_threshold
from skmetrics_ext.scoring.groups_of_scorer import GroupsOption, OverGroups


class Option(NamedTuple):
    """Where an option is checked, which scorer it needs, which take it, and what else to do."""

    checked_in: Literal["metric", "rule", "groups", "plan"]
    # "any": also scikit-learn's own scorers, of labels; "more": a ConfusionScorer, which get_scorer
    # and make_scorer then make; "only": one that the caller makes.
    needs: Literal["any", "more", "only"]
    # Those of KINDS.
    taken_by: str
    advice: str = "leave it out"


KINDS = {
    "one": "one metric",
    "several": "several metrics",
    "index": "'evaluation_index'",
    "best": "threshold='best', which finds the labels from the scores itself",
    "foreign": "a function that is no metric of this package",
}
CONSTRAINS = "it constrains the threshold chosen by threshold='best', so pass both"
SIGNS = "names begin with 'neg_' where lower is better"
KEYS = "the worst group and the gap have keys"
DICT = "it makes a dict of scores, so pass a list of metrics"


def option(default: Any, *about: Any) -> Any:
    """A field of the table with its default and an Option of the rest."""
    return field(default=default, metadata={"option": Option(*about)})


@dataclass(frozen=True, kw_only=True, eq=False)
class ScorerOptions:
    """Everything a ConfusionScorer is asked for besides its metrics, as the caller gave it: the
    table of options.
    """

    # "binary", unless said: said, it is of two classes only, as in the metric functions.
    average: str | EllipsisType = option(..., "metric", "any", "one several foreign")
    per_class: bool = option(False, "plan", "only", "several", DICT)
    counts: bool = option(False, "plan", "only", "several", DICT)
    response_method: str | Sequence[str] = option(
        "auto", "rule", "any", "one several index foreign"
    )
    threshold: ThresholdsLike | None = option(None, "rule", "more", "one several index best")
    subject_to: Mapping[Any, Bound] | None = option(None, "plan", "more", "best", CONSTRAINS)
    ties: Ties = option("positive", "rule", "any", "one several index")
    pos_label: Label | None = option(None, "metric", "any", "one several index best foreign")
    classes: LabelsLike | None = option(None, "rule", "more", "one several index")
    cost_matrix: CostsLike | None = option(None, "rule", "more", "one several index best")
    labels: LabelsLike | None = option(None, "metric", "any", "one several index foreign")
    zero_division: ZeroDivision = option("warn", "metric", "any", "one several foreign")
    greater_is_better: bool | None = option(None, "plan", "any", "one foreign", SIGNS)
    name: str | None = option(None, "plan", "only", "one several index best")
    by: GroupsOption | None = option(None, "groups", "more", "one several")
    over_groups: OverGroups | None = option(None, "groups", "more", "one", KEYS)
    min_samples: int = option(0, "groups", "more", "one several")
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


# Without the parameters of the metrics.
OPTIONS = {of.name: of.metadata["option"] for of in fields(ScorerOptions)[:-1]}
DEFAULTS = {of.name: of.default for of in fields(ScorerOptions)[:-1]}
BEST = "best"
# The options that say how labels are made, and what of them; others are the metric's.
OF_SCORER = [
    name for name, of in OPTIONS.items() if of.checked_in != "metric" and of.needs != "only"
]
# With these a scorer needs more than predicted labels.
READS_MORE = {name for name, of in OPTIONS.items() if of.needs == "more"}


def refuse_others(given: Iterable[str], kind: str) -> None:
    """Refuse options that scorers of a kind do not take; parameters are for others to check."""
    for name in given:
        if name in OPTIONS and kind not in OPTIONS[name].taken_by.split():
            raise ValueError(f"{name}= does not apply to {KINDS[kind]}: {OPTIONS[name].advice}.")


# The defaults of get_scorer and make_scorer: `...` where the metric's function has its own.
NOT_SAID: dict[str, Any] = {**DEFAULTS, "pos_label": ..., "response_method": None}


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
