"""What to compute from counts, checked once: a metric, its average, class and parameters."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import KINDS, check_average, check_worst
from skmetrics_ext.catalogue.names import MetricName, is_metric_name, resolve, with_class
from skmetrics_ext.catalogue.properties import OverClasses
from skmetrics_ext.catalogue.rows import BY_NAME, Metric
from skmetrics_ext.catalogue.undefined import ZeroDivision, check_zero_division
from skmetrics_ext.reading.aliases import LabelsLike
from skmetrics_ext.reading.calls import option_hint
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.numbers import costs_of_all, read_costs, read_distances
from skmetrics_ext.reading.order import check_label

OPTIONS = ("average", "pos_label", "labels", "zero_division")


class Choice(NamedTuple):
    """A metric as it is to be computed; nothing in it needs to be resolved or checked again."""

    row: Metric
    # None: a value of each class, or one over all classes of a metric without averages.
    average: str | None
    positive: Any
    # The classes to average, or the order of all classes.
    labels: NDArray[Any] | None
    parameters: dict[str, Any]
    zero_division: ZeroDivision
    # The value of 0/0 when zero_division is "warn".
    undefined: float
    # -1 if the scorer negates the value; functions return it unchanged.
    sign: int
    # The name or the alias that the caller wrote, without an average.
    asked: str

    def name_with(self, average: str | None) -> str:
        """The caller's name of the metric, with a resolved average."""
        if not self.row.has_average or average in (None, "binary"):
            return self.asked
        return f"{self.asked}_{average}"

    @property
    def key(self) -> str:
        """The caller's name of the metric with its average or class: "recall_ash"."""
        name = self.name_with(self.average)
        return name if self.positive is None else f"{name}_{self.positive}"

    @property
    def is_default_undefined(self) -> bool:
        """Whether the caller leaves the value of 0/0 to the convention, with a warning."""
        return self.zero_division == "warn"

    @property
    def omits_undefined(self) -> bool:
        """Whether what is 0/0 has no value, and no part in an average."""
        return not self.is_default_undefined and bool(np.isnan(self.zero_division))

    def with_undefined(self, value: float) -> "Choice":
        """With this value for 0/0, without a warning."""
        return self._replace(zero_division=value)

    def quiet(self) -> "Choice":
        """With the same values, and without a warning of those that are 0/0."""
        return self.with_undefined(self.undefined) if self.is_default_undefined else self

    @property
    def takes_matrix(self) -> bool:
        """Whether margins are not enough."""
        return self.row.takes_matrix(self.parameters)


def choose(
    metric: MetricName | Metric,
    *,
    sign: int = 1,
    average: str | None = "binary",
    pos_label: Any = None,
    labels: LabelsLike | None = None,
    classes: Iterable[Any] | None = None,
    zero_division: ZeroDivision = "warn",
    **parameters: Any,
) -> Choice:
    """Resolve a name, an alias, one of this package's functions or a row, and check its options.

    The `sign` is that of `sign_of`, for scorers; a name may end with one of the `classes`, those
    that are known.
    """
    if not isinstance(metric, Metric):
        metric = with_class(metric, classes)
    if isinstance(metric, tuple):
        metric, pos_label = _metric_and_class(metric, average, pos_label)
    row, named = (metric, None) if isinstance(metric, Metric) else resolve(metric)
    check_zero_division(zero_division)
    if pos_label is not None:
        check_label(pos_label, "pos_label")
    if row.is_custom:
        _check_custom_options(row, average, pos_label, labels, zero_division)
    if average != "binary" and row.own_averages:
        raise ValueError(
            f"{row.name} has its own averaging options: call the function {row.function} to use "
            "them."
        )
    if average != "binary" and not row.has_average:
        raise ValueError(_without_average(row.name))
    average = average_in_force(f"{row.name}_{named}", named, average) if row.has_average else None
    if average in KINDS and KINDS[average].is_worst:
        check_worst(row.name, row.better)
    order = None if labels is None else read_order(labels)
    if order is not None and average == "binary":
        asked = name_asked_for(metric, row, named)
        raise ValueError(
            f"labels= selects the classes of an average, but {asked} is of one class: ask for "
            f"'{asked}_macro', or name the class by pos_label=."
        )
    if parameters or row.required:
        parameters = read_parameters(row, parameters)
        # Those of each sample are refused: counts do not tell whose they are.
        costs_of_all(parameters.get("cost_matrix"))
    if order is not None and not (
        row.has_average or row.goes_by_order(parameters) or row.counts_absent_labels
    ):
        raise ValueError(f"{row.name} is one value over all classes: labels= does not apply to it.")
    return Choice(
        row=row,
        average=average,
        positive=pos_label,
        labels=order,
        parameters=parameters,
        zero_division=zero_division,
        undefined=row.undefined,
        sign=sign,
        asked=name_asked_for(metric, row, named),
    )


def _metric_and_class(metric: Any, average: Any, pos_label: Any) -> tuple[Any, Any]:
    """The metric and the class of such a pair, of which options must not ask for another."""
    name, of_class = metric
    if average != "binary":
        raise ValueError(
            f"{metric!r} is of one class; average={average!r} contradicts it: omit one of them."
        )
    if pos_label not in (None, of_class):
        raise ValueError(
            f"{metric!r} is of its own class; pos_label={pos_label!r} contradicts it: omit one of "
            "them."
        )
    return name, of_class


def name_asked_for(metric: Any, row: Metric, average: str | None = None) -> str:
    """The name or the alias that the caller wrote, without an average."""
    asked = metric if isinstance(metric, str) else row.name
    # Not by removesuffix: names ignore case.
    return asked if average is None else asked[: -len(f"_{average}")]


def _check_custom_options(
    row: Metric, average: Any, pos_label: Any, labels: Any, zero_division: Any
) -> None:
    """Reject an option that is named like a parameter of a custom metric."""
    are_given = {
        "average": average != "binary",
        "pos_label": pos_label is not None,
        "labels": labels is not None,
        "zero_division": zero_division != "warn",
    }
    for option, is_given in are_given.items():
        if is_given and option in row.parameters:
            raise TypeError(
                f"{option}= is an option of every metric, so {row.name} never receives it: "
                "rename its parameter, or bind it with functools.partial."
            )


def average_in_force(name: str, named: str | None, average: Any) -> Any:
    """The average that a name has, to which "binary" yields, or the requested one."""
    if average == "binary":
        return named or average
    if named not in (None, average):
        raise ValueError(f"{name} already has an average; average={average!r} contradicts it.")
    check_average(average)
    return average


def average_of_each(rows: Sequence[Metric], average: str | None) -> list[str | None]:
    """The average of each metric, of which some may be over all classes."""
    if average != "binary" and rows and not any(row.has_average for row in rows):
        raise ValueError(_without_average(", ".join(row.name for row in rows)))
    return [average if row.has_average else "binary" for row in rows]


def _without_average(names: str) -> str:
    """The message for an average of what is one value over all classes."""
    return (
        f"{names} is one value over all classes: average= does not apply to it. Omit it, or choose "
        "a metric of one class, such as 'recall' or 'f1'."
    )


def sign_of(row: Metric, greater_is_better: bool | None = None) -> int:
    """The sign of a scorer's values: as given by the caller, else by the catalogue."""
    if greater_is_better is None:
        greater_is_better = row.better != "lower"
    return 1 if greater_is_better else -1


def choice_of_classes(choice: Choice) -> Choice | None:
    """The values of which a metric over all classes is the mean, or the largest, if any."""
    made_of, known = choice.row.made_of, choice.row.parameters
    if not isinstance(made_of, OverClasses):
        return None
    if any(value != known[key].default for key, value in choice.parameters.items()):
        return None
    return choice._replace(row=BY_NAME[made_of.name], average=None, parameters={})


class RequestedMetric(NamedTuple):
    """A metric as the caller names it, its row, and the parameters it accepts."""

    metric: Any
    row: Metric
    parameters: dict[str, Any]


def read_metrics(
    metrics: Any,
    parameters: dict[str, Any],
    row_of: Callable[[Any], Metric],
    classes: Iterable[Any] | None = None,
) -> dict[str, RequestedMetric]:
    """One or several metrics by their keys, each with those of the parameters that it accepts."""
    requested = {}
    asked = keyed_metrics(metrics, lambda metric: row_of(metric).name, classes=classes)
    for key, metric in asked.items():
        row = row_of(metric)
        own = {name: value for name, value in parameters.items() if name in row.parameters}
        requested[key] = RequestedMetric(metric, row, own)
    rows = [metric.row for metric in requested.values()]
    known = {name for row in rows for name in row.parameters}
    if unused := [name for name in parameters if name not in known]:
        hint = option_hint(unused[0], known)
        raise TypeError(f"none of the metrics has a parameter {unused[0]!r}.{hint}")
    return requested


def keyed_metrics(
    metrics: Any,
    name_of: Callable[[Any], str],
    *,
    classes: Iterable[Any] | None = None,
    may_be_empty: bool = False,
) -> dict[str, Any]:
    """One metric, a list or a dict of them, by keys or by names as the caller writes them.

    A set is refused, since it has no order. Names that end with one of the classes become pairs.
    """
    if isinstance(metrics, str) or callable(metrics):
        pairs = [(None, metrics)]
    elif isinstance(metrics, Mapping):
        pairs = [*metrics.items()]
    elif isinstance(metrics, Iterable) and not isinstance(metrics, Set):
        pairs = [(None, metric) for metric in metrics]
    else:
        raise TypeError(
            "metrics must be a metric, a list of metrics such as ['f1', 'recall'], or a dict of "
            f"key to metric; got {metrics!r}."
        )
    if isinstance(metrics, tuple) and _is_pair(metrics):
        raise ValueError(
            f"{metrics!r} is read as two metrics: for one class of several, pass it in a list, "
            f"[{metrics!r}]."
        )
    by_key: dict[str, Any] = {}
    for given, metric in pairs:
        key = given
        if key is None:
            key = metric if isinstance(metric, str) else _name_of(metric, name_of)
        if not isinstance(key, str) or not key:
            raise TypeError(f"the keys of metrics must be non-empty strings; got {key!r}.")
        if key in by_key:
            raise ValueError(
                f"metrics has {key!r} twice: name each once, or use a dict of key to metric."
            )
        by_key[key] = with_class(metric, classes)
    if not by_key and not may_be_empty:
        raise ValueError("metrics is empty: specify at least one, such as ['f1'].")
    return by_key


def _is_pair(metrics: tuple[Any, ...]) -> bool:
    """Whether the second of two is no metric, but may be a class of the first."""
    if len(metrics) != 2 or callable(metrics[1]) or isinstance(metrics[1], tuple):
        return False
    second = str(metrics[1]).lower()
    return not is_metric_name(second.removeprefix("neg_"))


def _name_of(metric: Any, name_of: Callable[[Any], str]) -> str:
    """The name of a function, or of a metric and its class: "recall_ash"."""
    name = name_of(metric)
    if not isinstance(metric, tuple):
        return name
    base, of_class = metric
    return f"{base if isinstance(base, str) else name_of(base)}_{of_class}"


def read_parameters(row: Metric, parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a metric; one that is missing, unknown or out of range is rejected."""
    known = row.parameters
    if unknown := [name for name in parameters if name not in known]:
        takes = f"its parameters are {sorted(known)}" if known else "it takes none"
        hint = option_hint(unknown[0], [*known, *OPTIONS])
        raise TypeError(
            f"{row.name} has no parameter {unknown[0]!r}, nor is it another option here: {takes}."
            f"{hint}"
        )
    if missing := [name for name in row.required if name not in parameters]:
        raise TypeError(f"{row.name} needs the parameter {missing[0]!r}: pass {missing[0]}=...")
    if "cost_matrix" in parameters:
        # Named costs keep their names until there is an order of classes.
        return {**parameters, "cost_matrix": read_costs(parameters["cost_matrix"])}
    if row.takes_table(parameters):
        return {**parameters, "weights": read_distances(parameters["weights"])}
    if parameters and row.check is not None:
        row.check(**parameters)
    return parameters
