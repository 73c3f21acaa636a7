"""Signatures say what is taken and given: short names, overloads that fit, Any only at need."""

import ast
import inspect
import types
import typing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import skmetrics_ext
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.metrics.from_labels import ClassMetric, function_of
from tests.public_names import PUBLIC
from tests.shared import for_each, parameters_of

PACKAGE = Path(skmetrics_ext.__file__).parent

# The parameters and results without a type, each with the reason.
UNTOLD = {
    "a table of any library, a column of it or an expression": {
        "AcrossGroups.to_frame": {"return"},
        "Alarms.to_frame": {"return"},
        "Comparison.to_frame": {"return"},
        "CrossValidatedInterval.to_frame": {"return"},
        "FoldComparison.to_frame": {"return"},
        "ConfusionMatrix.from_frame": {
            "clusters",
            "frame",
            "actual",
            "predicted",
            "scores",
            "by",
            "sample_weight",
            "count",
            "strata",
        },
        "ConfusionMatrix.to_frame": {"return"},
        "Gap.to_frame": {"return"},
        "Summary.to_frame": {"return"},
        "Interval.to_frame": {"return"},
        "MetricsText.to_frame": {"return"},
        "ThresholdCurve.from_frame": {"frame", "actual", "score", "sample_weight", "count"},
        "ThresholdCurves.from_frame": {"frame", "actual", "score", "by", "sample_weight", "count"},
        "ThresholdCurve.to_frame": {"return"},
        "ThresholdCurves.to_frame": {"return"},
        "TextTable.to_frame": {"return"},
        "Verdicts.to_frame": {"return"},
        "metrics_table": {"return"},
        "plot_intervals": {"source"},
    },
    "a float or an array, as the axes of the matrix or curves are": {
        "ConfusionMatrix.n_samples": {"return"},
        "ConfusionMatrix.score": {"return"},
        "Gap": {
            "value",
            "limit_of_each_pair",
            "low",
            "high",
            "p_value",
            "lowest_group",
            "highest_group",
            "excluded_groups",
            "n",
            "method",
            "n_permutations",
        },
        "Verdicts": {
            *("verdict", "value", "low", "high", "n", "n_needed", "reason", "method", "bound"),
            *("metric", "side"),
        },
        "Comparison": {
            *("metric", "model", "reference", "value", "reference_value", "difference"),
            *("low", "high"),
            *("p_value", "p_adjusted", "method", "p_not_worse", "p_equivalent"),
            *("not_worse", "equivalent", "level_of_row", "group", "ratio", "label"),
        },
        "AcrossGroups": {
            *("metric", "label", "model", "reference", "n_groups", "direction", "method"),
            *("p_in_every_group", "p_not_worse", "p_same"),
        },
        "FoldComparison": {*("probability_worse", "probability_equivalent", "probability_better")},
        "Alarms": {
            *("alarm", "alarm_time", "alarm_sample", "change_time", "e_value", "largest_e_value"),
            *("value", "low", "high"),
        },
        "Summary": {
            *("label", "metric", "value", "low", "high", "numerator", "n", "method"),
            *("at_prevalence", "n_undefined"),
        },
        "Interval": {"value", "low", "high", "method", "n_undefined", "n", "numerator"},
        "ThresholdCurves.average_precision": {"return"},
        "ThresholdCurves.roc_auc": {"return"},
    },
    "a float or a dict, as one or several metrics were asked for": {
        "ConfusionScorer.__call__": {"return"}
    },
    "an object of a training library": {
        "EvalMetric.compute_metrics": {"prediction"},
        "EvalMetric.lightgbm_train": {"data"},
        "EvalMetric.xgboost_train": {"data"},
    },
    "a dict of arrays, or a fitted search of any class": {"compare_folds": {"scores"}},
    "an entry of an axis": {"ThresholdCurves.__getitem__": {"entry"}},
    "told by overloads": {"get_scorer": {"return"}},
}

FUNCTIONS = {name: found for name, found in PUBLIC.items() if inspect.isfunction(found)}
CLASSES = {name: found for name, found in PUBLIC.items() if inspect.isclass(found)}


def methods_of(cls):
    """The public methods and properties of a class that are written here, and its constructor."""
    for name in dir(cls):
        if name.startswith("_") and name not in ("__init__", "__call__", "__getitem__"):
            continue
        found = inspect.getattr_static(cls, name)
        found = getattr(found, "__func__", getattr(found, "fget", getattr(found, "func", found)))
        # The constructor of a dataclass is in no file, and that of another package elsewhere.
        if inspect.isfunction(found) and Path(found.__code__.co_filename).is_relative_to(PACKAGE):
            yield f"{cls.__name__}.{name}", found


CALLABLES = FUNCTIONS | {
    name: method for cls in CLASSES.values() for name, method in methods_of(cls)
}
every_callable = for_each("name", CALLABLES)


# The functions whose overloads stand once for all of them.
PER_CLASS = {
    node.name
    for path in (PACKAGE / "metrics").glob("*.py")
    for node in ast.parse(path.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef) and "per_class" in map(ast.unparse, node.decorator_list)
}


def overloads_of(function):
    """The overloads of a function: they are kept by the module that a public object no longer
    names.
    """
    place = types.SimpleNamespace(
        __module__=inspect.unwrap(function).__globals__["__name__"],
        __qualname__=function.__qualname__,
    )
    if function.__name__ in PER_CLASS:
        place = types.SimpleNamespace(
            __module__=ClassMetric.__module__, __qualname__="ClassMetric.__call__"
        )
    return [getattr(overload, "__func__", overload) for overload in typing.get_overloads(place)]


WITH_OVERLOADS = {name: function for name, function in CALLABLES.items() if overloads_of(function)}
every_overloaded = for_each("name", WITH_OVERLOADS)


def annotations_of(function):
    """The annotations of a function as they are written, with that of its result."""
    signature = inspect.signature(function)
    found = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
        and name not in ("self", "cls")
    }
    return found | {"return": signature.return_annotation}


def hints_of(function):
    """The types of a function's parameters, with those that stand in a TypedDict of options."""
    hints = typing.get_type_hints(function)
    options = hints.pop("options", None)
    if typing.get_origin(options) is typing.Unpack:
        (of_options,) = typing.get_args(options)
        hints |= typing.get_type_hints(of_options)
    hints.pop("return")
    return hints


def members_of(hint):
    """The types of a union, or the one."""
    return (
        set(typing.get_args(hint))
        if typing.get_origin(hint) in (typing.Union, types.UnionType)
        else {hint}
    )


@every_callable
def test_annotations_are_the_words_that_were_written(name):
    for parameter, annotation in annotations_of(CALLABLES[name]).items():
        assert isinstance(annotation, str), parameter
        assert len(annotation) <= 70, parameter
    assert "_SupportsArray" not in str(inspect.signature(CALLABLES[name]))


def test_array_likes_are_called_so():
    signature = inspect.signature(skmetrics_ext.specificity_score)
    written = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    assert written == {
        "y_true": "TargetLike",
        "y_pred": "TargetLike",
        "labels": "LabelsLike | None",
        "pos_label": "Label | None",
        "average": "Average | None",
        "sample_weight": "ArrayLike | None",
        "zero_division": "ZeroDivision",
    }
    assert signature.return_annotation == "float | NDArray[np.float64]"


def test_any_stands_only_where_no_type_is_told():
    found = {
        name: {key for key, said in annotations_of(of).items() if said == "Any"}
        for name, of in CALLABLES.items()
    }
    for name, cls in CLASSES.items():
        found[name] = {key for key, said in inspect.get_annotations(cls).items() if said == "Any"}
    untold = {name: keys for names in UNTOLD.values() for name, keys in names.items()}
    assert {name: keys for name, keys in found.items() if keys} == untold


@every_overloaded
def test_overloads_together_take_what_the_function_takes(name):
    function = WITH_OVERLOADS[name]
    own = hints_of(function)
    taken = [hints_of(overload) for overload in overloads_of(function)]
    takes_others = inspect.getfullargspec(function).varkw is not None
    assert takes_others or {key for hints in taken for key in hints} == own.keys()
    for key, hint in own.items():
        of_overloads = set().union(*(members_of(hints[key]) for hints in taken if key in hints))
        assert takes_others or members_of(hint) <= of_overloads, key


@every_overloaded
def test_defaults_of_overloads_are_those_of_the_function(name):
    function = WITH_OVERLOADS[name]
    own = {
        key: parameter.default for key, parameter in inspect.signature(function).parameters.items()
    }
    signatures = [inspect.signature(overload).parameters for overload in overloads_of(function)]
    for key, default in own.items():
        given = [parameters[key].default for parameters in signatures if key in parameters]
        others = [value for value in given if value is not inspect.Parameter.empty]
        assert all(value == default for value in others), key
        if default is not inspect.Parameter.empty:
            assert others or len(given) < len(signatures), f"no overload leaves {key} out"


every_row_with_averages = for_each("row", [row for row in METRICS if row.has_average])


@every_row_with_averages
def test_metrics_give_what_their_overloads_say(row):
    function = function_of(row)
    given = {
        average_of(overload): typing.get_type_hints(overload)["return"]
        for overload in overloads_of(function)
    }
    one, each = float, NDArray[np.float64]
    assert given == {"Average": one, "None": each, "Average | None": one | each}
    samples = [0, 1, 1, 0, 1, 0], [0, 1, 0, 1, 1, 0]
    assert type(function(*samples, **parameters_of(row))) is float
    assert type(function(*samples, average="macro", **parameters_of(row))) is float
    of_classes = function(*samples, average=None, **parameters_of(row))
    assert (type(of_classes), of_classes.dtype) == (np.ndarray, np.float64)


def average_of(overload):
    """The words of its average."""
    return inspect.signature(overload).parameters["average"].annotation


def test_every_metric_with_averages_has_overloads():
    functions = {
        name for name, of in FUNCTIONS.items() if "average" in inspect.signature(of).parameters
    }
    takers_of_any_metric = {"compare", "make_eval_metric", "make_scorer"}
    takers_of_any_metric |= {"metric_interval", "plot_intervals"}
    assert functions - takers_of_any_metric <= WITH_OVERLOADS.keys()
    assert len(WITH_OVERLOADS) > 50


def test_matrices_are_of_whole_numbers_where_nothing_is_weighted():
    samples = ["no", "yes", "yes"], ["no", "no", "yes"]
    assert skmetrics_ext.confusion_matrix(*samples).dtype == np.int64
    assert skmetrics_ext.confusion_matrix(*samples, normalize="all").dtype == np.float64
    assert skmetrics_ext.multilabel_confusion_matrix(*samples).dtype == np.int64
    assert (
        skmetrics_ext.multilabel_confusion_matrix(np.eye(3, dtype=bool), np.eye(3)).dtype
        == np.int64
    )
