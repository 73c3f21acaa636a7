"""The metrics of a confusion matrix with their limits, in one table."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from skmetrics_ext.catalogue.choice import Choice, choose, read_metrics
from skmetrics_ext.catalogue.names import resolve_any
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.formulas import one_class
from skmetrics_ext.matrices.counted import (
    counted_for,
    counted_for_limits,
    counts_of_positive,
    intervals_for,
)
from skmetrics_ext.matrices.data import MatrixData, is_multilabel, moved_cells
from skmetrics_ext.reading.aliases import Label
from skmetrics_ext.reading.order import plain
from skmetrics_ext.statistics.caveats import Caveat, NoLimitsError, told_once
from skmetrics_ext.statistics.entries import (
    concatenated,
    origin_of,
    stacked_results,
    taken,
    with_axis_at,
)
from skmetrics_ext.statistics.request import Request, check_request, requested
from skmetrics_ext.statistics.results import Interval
from skmetrics_ext.statistics.summary import Summary

# What is asked for unless metrics are named, as in papers on diagnostic tests.
METRICS = (
    *("prevalence", "sensitivity", "specificity", "ppv", "npv", "lr_plus", "lr_minus"),
    *("accuracy", "balanced_accuracy", "f1", "mcc", "kappa", "diagnostic_odds_ratio"),
)

# Options of limits, and of values.
OF_INTERVAL = ("method", "fixed", "n_resamples", "random_state", "prior")
OF_CHOICE = ("pos_label", "zero_division")


def summary_of_metrics(
    cm: MatrixData, metrics: Any, confidence_level: float, options: dict[str, Any]
) -> Summary:
    """Blocks of rows: what is about all classes, then each class; by default counts come first."""
    own = {name: options.pop(name) for name in OF_INTERVAL if name in options}
    request = requested(confidence_level, **own)
    pos_label = options.get("pos_label")
    choices = _choices_of(cm, METRICS if metrics is None else metrics, options)
    check_request(request)
    intervals = _intervals_of(cm, choices, request)
    rows: list[Summary] = []
    if metrics is None:
        counts, label, axes = _counts_of_class(cm, pos_label)
        rows.append(_rows(cm, "n", _without_limits(cm, request, *_n_samples(cm))))
        for name, count in counts._asdict().items():
            rows.append(_rows(cm, name, _without_limits(cm, request, count, axes, label)))
    told = told_once(intervals[name] for name in choices)
    for (name, choice), interval in zip(choices.items(), told, strict=True):
        rows.append(_rows(cm, name, interval, _prevalence_of(cm, choice)))
    return _in_blocks(rows)


def _choices_of(cm: MatrixData, metrics: Any, options: dict[str, Any]) -> dict[str, Choice]:
    """What is asked of each metric, by its name: of three or more classes a value of each."""
    of_all = {name: options.pop(name) for name in OF_CHOICE if name in options}
    asked = read_metrics(metrics, options, lambda metric: resolve_any(metric)[0], cm.labels)
    are_shown = len(cm.labels) > 2 and of_all.get("pos_label") is None
    choices = {}
    for name, one in asked.items():
        _, named_average = resolve_any(one.metric)
        names_class = isinstance(one.metric, tuple)
        is_of_class = one.row.has_average and named_average is None and not names_class
        own = of_all if is_of_class or one.row.is_custom else {**of_all, "pos_label": None}
        average = None if is_of_class and are_shown else "binary"
        choices[name] = choose(one.metric, average=average, **own, **one.parameters)
    return choices


def _intervals_of(
    cm: MatrixData, choices: dict[str, Choice], request: Request
) -> dict[str, Interval]:
    """The interval of each metric, or its value; averages over labels have counts of their own."""
    found: dict[str, Interval] = {}
    for are_over_labels in (False, True):
        own = {
            name: choice
            for name, choice in choices.items()
            if counted_for(cm, choice).multilabel is are_over_labels
        }
        if own:
            found |= _intervals_of_counted(cm, own, request)
    return found


def _intervals_of_counted(
    cm: MatrixData, choices: dict[str, Choice], request: Request
) -> dict[str, Interval]:
    """The intervals of metrics of the same counts, in one pass where all have limits."""
    counted, axes = counted_for_limits(cm, next(iter(choices.values())))
    try:
        intervals = intervals_for(cm, counted, [*choices.values()], axes, request)
        return dict(zip(choices, intervals, strict=True))
    except NoLimitsError:
        return {name: _interval_or_value(cm, choice, request) for name, choice in choices.items()}


def _interval_or_value(cm: MatrixData, choice: Choice, request: Request) -> Interval:
    """An interval, of each entry by itself where it is not known of all, and then maybe a value."""
    counted, axes = counted_for_limits(cm, choice)
    try:
        return next(intervals_for(cm, counted, [choice], axes, request))
    except NoLimitsError as reason:
        if not axes:
            return _value_alone(cm, choice, request, str(reason))
    place = [axis.name for axis in cm.axes].index(axes[0].name)
    each = []
    for k in range(len(axes[0].coordinates)):
        cells = moved_cells(cm, partial(np.take, indices=k, axis=place))
        entry = replace(cm, axes=(*cm.axes[:place], *cm.axes[place + 1 :]), **cells)
        find = _interval_or_value if entry.counts.any() else _value_alone
        each.append(find(entry, choice, request))
    return stacked_results(each, axes[0])


def _value_alone(cm: MatrixData, choice: Choice, request: Request, reason: str = "") -> Interval:
    """A value that has no limits, and why; what the design fixes needs none."""
    counted, axes = counted_for_limits(cm, choice)
    if choice.is_default_undefined:
        choice = choice.with_undefined(np.nan)
    value, label = score(counted, choice), None
    if np.ndim(value) > len(axes):
        axes = (*axes, _classes_of(cm))
    elif choice.average == "binary":
        _, label = counts_of_positive(cm, choice.positive, choice.asked)
    if choice.row.is_fixed_by_design:
        return _without_limits(cm, request, value, axes, label, "fixed by the design")
    found = _without_limits(cm, request, value, axes, label, "no limits")
    if not reason:
        return found
    sentence = f"{reason.removesuffix('.')}{{where}}."
    return replace(found, caveats=(Caveat("no_limits", sentence),))


def _without_limits(
    cm: MatrixData,
    request: Request,
    value: Any,
    axes: tuple[Axis, ...],
    label: Any = None,
    method: str = "",
) -> Interval:
    """A value or a count in the form of an interval."""
    return Interval(
        label=label,
        value=value,
        low=np.nan,
        high=np.nan,
        confidence_level=request.confidence_level,
        method=method,
        axes=axes,
        _origin=origin_of(cm._design.name),
    )


def _prevalence_of(cm: MatrixData, choice: Choice) -> Any:
    """The prevalence on which a proportion of predictions of a class depends; NaN of others."""
    share = choice.row.share
    if share is None or not share.is_predictive or choice.average not in (None, "binary"):
        return np.nan
    return ratio(*one_class.prevalence(_counts_of_class(cm, choice.positive)[0]))


def _counts_of_class(
    cm: MatrixData, pos_label: Any
) -> tuple[ClassCounts, Label | None, tuple[Axis, ...]]:
    """The counts of each of three or more classes, or of the positive one, which is named."""
    if len(cm.labels) > 2 and pos_label is None:
        return CountedMatrix(cm.counts, cm.labels).classes, None, (*cm.axes, _classes_of(cm))
    return *counts_of_positive(cm, pos_label, "prevalence"), cm.axes


def _classes_of(cm: MatrixData) -> Axis:
    """The axis of rows of classes."""
    return Axis("class", cm.labels)


def _n_samples(cm: MatrixData) -> tuple[Any, tuple[Axis, ...]]:
    """How many samples there are in each block, of which each label has all."""
    n_samples, axes = cm.counts.sum((-2, -1)), cm.axes
    if not is_multilabel(cm):
        return n_samples, axes
    place = [axis.name for axis in axes].index("label")
    return n_samples.max(place), (*axes[:place], *axes[place + 1 :])


def _rows(cm: MatrixData, name: str, interval: Interval, at_prevalence: Any = np.nan) -> Summary:
    """A row of each block, or one of each class, along the first axis."""
    names = [axis.name for axis in interval.axes]
    place = None
    if is_multilabel(cm):
        place = names.index("label") if "label" in names else None
    elif len(names) > len(cm.axes):
        place = len(cm.axes)
    label: Any = interval.label
    if place is not None:
        of_each = np.array(plain(interval.axes[place].coordinates), dtype=object)
        label = of_each.reshape(-1, *[1] * (len(names) - place - 1))
    shared = {of.name for of in fields(Summary)} & {of.name for of in fields(Interval)}
    own = {of: getattr(interval, of) for of in shared}
    named = {"metric": name, "label": label, "at_prevalence": at_prevalence}
    rows = Summary(**{**own, **named})
    if place is None:
        return stacked_results([rows], Axis("class", np.array([None])))
    return with_axis_at(rows, place, 0)


def _in_blocks(rows: list[Summary]) -> Summary:
    """All rows as the last axis, those of a class together behind those of all classes."""
    coordinates = np.concatenate([of.axes[0].coordinates.astype(object) for of in rows])
    places = np.concatenate([_places_of_classes(of.axes[0]) for of in rows])
    name = "label" if "label" in [of.axes[0].name for of in rows] else "class"
    joined = concatenated(rows, Axis(name, coordinates))
    in_order = taken(joined, np.argsort(places, kind="stable"))
    texts = {of: getattr(in_order, of).astype(object) for of in ("metric", "label")}
    return with_axis_at(replace(in_order, **texts), 0, len(in_order.axes) - 1)


def _places_of_classes(axis: Axis) -> Any:
    """The place of each class, behind that of all classes."""
    return np.arange(len(axis.coordinates)) - (axis.coordinates[0] is None)
