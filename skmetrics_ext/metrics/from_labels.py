"""Labels -> counts -> value: the path that every public metric function takes in one call."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, Protocol, TypedDict, TypeVar, Unpack, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.averages import Average, check_average
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.catalogue.rows import BY_FUNCTION, BY_NAME, Metric
from skmetrics_ext.catalogue.score import score, score_of_classes
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.counted import Counted, CountedPairs, counted
from skmetrics_ext.reading.aliases import Label, LabelsLike, TargetLike
from skmetrics_ext.reading.calls import has_begun, instead, why_not
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import show
from skmetrics_ext.reading.pairs import (
    Encoded,
    Weights,
    encode,
    encode_single_label,
    without_others,
)

# What metrics of class counts return: a number, or an array (n_classes,) for average=None.
Value = float | NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., Any])


class CountOptions(TypedDict, total=False):
    """Options of metrics of class counts."""

    labels: LabelsLike | None
    pos_label: Label | None
    sample_weight: ArrayLike | None


class OtherOptions(CountOptions, total=False):
    """All options but the average, which tells overloads what is returned."""

    zero_division: ZeroDivision


class ClassOptions(OtherOptions, total=False):
    """All options of metrics of class counts; their defaults are those of `class_metric`."""

    average: Average | None


class OverallOptions(TypedDict, total=False):
    """The options of metrics over all classes; their defaults are those of `overall_metric`."""

    sample_weight: ArrayLike | None
    zero_division: ZeroDivision


class ClassMetric(Protocol):
    """A metric of class counts without parameters: a number, or one per class for average=None."""

    __name__: str

    @overload
    def __call__(
        self,
        y_true: TargetLike,
        y_pred: TargetLike,
        *,
        average: Average = "binary",
        **options: Unpack[OtherOptions],
    ) -> float: ...
    @overload
    def __call__(
        self,
        y_true: TargetLike,
        y_pred: TargetLike,
        *,
        average: None,
        **options: Unpack[OtherOptions],
    ) -> NDArray[np.float64]: ...
    @overload
    def __call__(
        self,
        y_true: TargetLike,
        y_pred: TargetLike,
        *,
        average: Average | None,
        **options: Unpack[OtherOptions],
    ) -> float | NDArray[np.float64]: ...


# The public function of each name in the catalogue, as its file defines it.
FUNCTIONS: dict[str, Callable[..., Any]] = {}


def metric_function(function: Function) -> Function:
    """The public function of a row, with help for unknown options, and for a model, X and y."""
    name, row = function.__name__, BY_FUNCTION[function.__name__]
    scorer = ", ".join([f'"{row.scorer_name}"', *(f"{option}=..." for option in row.required)])
    advice = f"For a search or cross-validation, pass scoring=get_scorer({scorer})."
    advised, known = instead(advice)(function), inspect.signature(function).parameters.keys()

    @wraps(function)
    def checked(*arguments: Any, **options: Any) -> Any:
        if arguments and hasattr(arguments[0], "at_prevalence"):
            raise TypeError(
                f"{name} takes labels; of a ConfusionMatrix use cm.score({row.name!r})."
            )
        if not options.keys() <= known:
            raise TypeError(why_not(advised, arguments, options))
        try:
            return function(*arguments, **options)
        except TypeError as error:
            if has_begun(error):
                raise
            raise TypeError(why_not(advised, arguments, options)) from None

    FUNCTIONS[name] = checked
    return cast(Function, checked)


def function_of(row: Metric) -> Callable[..., Any]:
    """The public function of a row."""
    return FUNCTIONS[row.function]


@cache
def options_of(row: Metric) -> tuple[str, ...]:
    """The keyword arguments of the function that a scorer can fix."""
    _, _, *options = inspect.signature(function_of(row)).parameters
    return tuple(option for option in options if option != "sample_weight")


def default_of(row: Metric, option: str) -> Any:
    """The default of an option of the function; None if it has no such option."""
    parameter = inspect.signature(function_of(row)).parameters.get(option)
    return None if parameter is None else parameter.default


def takes_options_of(metric: Callable[..., Any]) -> Callable[[Function], Function]:
    """A public function whose signature shows each of its options, with defaults of `metric`."""
    common = inspect.signature(metric)
    options = [
        parameter
        for parameter in common.parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    ]

    def with_options(function: Function) -> Function:
        signature = inspect.signature(function)
        *own, _any_options = signature.parameters.values()
        vars(function)["__signature__"] = signature.replace(
            parameters=[*own, *options], return_annotation=common.return_annotation
        )
        return metric_function(function)

    return with_options


def class_metric(
    name: str,
    y_true: TargetLike,
    y_pred: TargetLike,
    *,
    labels: LabelsLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
    **parameters: Any,
) -> float | NDArray[np.float64]:
    """A metric of class counts: a float, or an array (n_classes,) for average=None."""
    asked = what_is_averaged(labels, pos_label, average)
    choice = choose(BY_NAME[name], zero_division=zero_division, **asked, **parameters)
    samples = counted_of(y_true, y_pred, sample_weight, choice.labels)
    value: float | NDArray[np.float64] = score_of_classes(samples, choice)
    return value


def per_class(function: Callable[..., Any]) -> ClassMetric:
    """`takes_options_of(class_metric)` where there are no other options, for type checkers."""
    return takes_options_of(class_metric)(function)


def what_is_averaged(
    labels: LabelsLike | None, pos_label: Any, average: str | None
) -> dict[str, Any]:
    """Which of `labels`, `pos_label` and `average` apply: one class, or several."""
    check_average(average)
    if average == "binary":
        return {"average": average, "pos_label": pos_label}
    if pos_label not in (None, 1):
        warn(
            f"pos_label={pos_label!r} is ignored if average={average!r}: for this class, pass "
            f"labels=[{pos_label!r}]."
        )
    return {"average": average, "labels": labels}


def counted_of(
    y_true: Any, y_pred: Any, sample_weight: Any, labels: NDArray[Any] | None = None
) -> Counted:
    """The counts of the chosen labels, all others being errors, or of those that occur."""
    return counted(encode(y_true, y_pred, labels=labels, weights=Weights(sample_weight)))


def overall_metric(
    name: str,
    y_true: LabelsLike,
    y_pred: LabelsLike,
    *,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
    **parameters: Any,
) -> float:
    """A metric over all classes; single-label data only."""
    choice = choose(BY_NAME[name], zero_division=zero_division, **parameters)
    weights = Weights(sample_weight)
    encoded = encode_single_label(y_true, y_pred, labels=choice.labels, weights=weights)
    return float(score(CountedPairs(encoded), choice))


def value_of_samples(name: str, samples: Counted, **parameters: Any) -> float:
    """A metric of counted samples that always has a value."""
    return float(score(samples, choose(BY_NAME[name], **parameters)))


def encode_chosen_labels(
    y_true: Any,
    y_pred: Any,
    labels: Any,
    sample_weight: Any,
    names: tuple[str, str] = ("y_true", "y_pred"),
) -> Encoded:
    """Only the samples with the chosen labels; one of these labels must occur."""
    order = None if labels is None else read_order(labels)
    encoded = encode_single_label(
        y_true, y_pred, labels=order, weights=Weights(sample_weight), names=names
    )
    if labels is not None and (encoded.true == len(encoded.labels)).all():
        raise ValueError(
            f"no sample in {names[0]} has any of labels={show(encoded.labels)}: include one that "
            "occurs."
        )
    return without_others(encoded)
