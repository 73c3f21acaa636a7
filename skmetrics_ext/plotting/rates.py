"""Plots of ROC and precision-recall curves: a line per class or model, averages and chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.catalogue.averages import averaged, mean_and_spread
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.ranking import precision_area, roc_area
from skmetrics_ext.curves.bands import Band, BandRequest, precision_recall_band, roc_band
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.formulas import one_class
from skmetrics_ext.plotting.axes import (
    MARGIN,
    SQUARE,
    Axes,
    Figure,
    Line2D,
    PolyCollection,
    axes_for,
    draw_grid,
    draw_legend,
)
from skmetrics_ext.plotting.from_labels import curves_of
from skmetrics_ext.plotting.lines import draw_band, value_as_text
from skmetrics_ext.plotting.many_curves import (
    Aligned,
    DrawnCurve,
    DrawnCurves,
    MeanCurve,
    NamedCurve,
    are_of_classes,
    common_number,
    common_places,
    dots_of,
    draw_average,
    draw_curves,
    draw_folds,
    draw_guide,
    draw_marks,
    draw_references,
    mean_curve,
    name_of_average,
    read_curves,
    warn_of_undefined,
    with_number,
)
from skmetrics_ext.reading.aliases import Label, LabelsLike, RandomState, TargetLike
from skmetrics_ext.reading.arguments import check_flag
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.statistics.request import requested
from skmetrics_ext.writing.text import class_text, level_as_text, numbered

# With a smaller prevalence precision is mostly near 0.
RARE = 0.05
# Where a log axis begins, as a fraction of the least prevalence.
LEAST_OF_LOG = 0.5

# Points of a diagonal that is drawn correctly on linear and log axes.
DIAGONAL = np.append(0, np.geomspace(1e-6, 1, 121))


@dataclass(frozen=True, eq=False, repr=False)
class RocPlot:
    """The artists of plotted ROC curves.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the lines.
    figure_ : matplotlib.figure.Figure
        Their figure.
    lines_ : dict of label or name to matplotlib.lines.Line2D
        The line of each curve; an undefined one has no points.
    average_lines_ : dict of str to matplotlib.lines.Line2D
        The lines "macro" and "micro" for curves of classes.
    chance_level_ : matplotlib.lines.Line2D
        The diagonal.
    points_ : dict of label or name to matplotlib.lines.Line2D
        The markers at `threshold`.
    bands_ : dict of label or name to matplotlib.collections.PolyCollection
        The band of each colored curve with `confidence_level` or folds.
    fold_lines_ : dict of label or name to dict of fold to matplotlib.lines.Line2D
        The lines of the folds if a single curve with folds is drawn.

    Examples
    --------
    >>> from skmetrics_ext import ThresholdCurve, plot_roc
    >>> y_true, y_score = ["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8]
    >>> plot = plot_roc(ThresholdCurve.from_scores(y_true, y_score, pos_label="yes"))
    >>> plot.lines_["yes"].get_label()
    'AUC 0.75'
    """

    ax_: Axes
    figure_: Figure
    lines_: dict[Any, Line2D]
    average_lines_: dict[str, Line2D]
    chance_level_: Line2D
    points_: dict[Any, Line2D] = field(default_factory=dict)
    bands_: dict[Any, PolyCollection] = field(default_factory=dict)
    fold_lines_: dict[Any, dict[Any, Line2D]] = field(default_factory=dict)


@explained
def plot_roc(
    curves: ThresholdCurve | Mapping[Any, Any] | TargetLike,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Label | None = None,
    classes: LabelsLike | None = None,
    sample_weight: ArrayLike | None = None,
    name: str | None = None,
    threshold: float | Mapping[Any, float] | None = None,
    confidence_level: float | None = None,
    simultaneous: bool = False,
    random_state: RandomState = 0,
    ax: Axes | None = None,
) -> RocPlot:
    """Plot tpr against fpr, one line per class or model with its area, and the averages over
    classes.

    The macro average is the mean tpr of all classes at each fpr, the micro average the curve of all
    classes pooled. Folds are shown as their mean tpr at each fpr, in a band of one standard
    deviation to either side.

    Parameters
    ----------
    curves : ThresholdCurve, ThresholdCurves, dict of either, or array-like of shape (n_samples,)
        A curve, the curves of all classes or groups, or one per model, maybe of folds; with
        `y_score`, the actual labels. A curve with given thresholds is drawn as points, without an
        area. Dates or numbers are colored from dark to light; of more than eight others, only the
        three best and the three worst are colored and named.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes), default=None
        Scores, if `curves` are actual labels: of the positive class, or a column per class, which
        give one curve for two and one per class for more, unless `pos_label` names it.
    pos_label : int, float, bool or str, default=None
        The positive class; only with `y_score`. None: the second of two `classes`, else 1 of {0,
        1}, {-1, 1} or {False, True}.
    classes : array-like of shape (n_classes,), default=None
        The label of each column; only with `y_score`. None: the names of a data frame's columns,
        else the sorted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample; only with labels.
    name : str, default=None
        Legend name of one curve; a prefix for those of several.
    threshold : float or dict of label or name to float, default=None
        Marks the point of each curve at this threshold, or at its own; for folds, that of the
        pooled curve.
    confidence_level : float, default=None
        At least 0.5 and below 1.
    simultaneous : bool, default=False
        Whether the band holds for the whole curve (Campbell 1994). Independent samples only.
    random_state : int, numpy Generator or RandomState, default=0
        The same int gives the same interval; None: another at each call.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None: a new figure. An existing legend keeps its entries.

    Returns
    -------
    RocPlot
        The artists. A curve without positives or negatives is not drawn, nor averaged, with an
        UndefinedMetricWarning.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If there is no curve, or none for `threshold`, options of labels are given without
        `y_score`, or the positive class is unknown.
    ImportError
        If matplotlib is not installed.

    References
    ----------
    Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27.

    Examples
    --------
    >>> from skmetrics_ext import ThresholdCurves
    >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3]]
    >>> curves = ThresholdCurves.from_scores(["a", "b", "c"], scores)
    >>> plot_roc(curves).average_lines_["macro"].get_label()
    'macro average (AUC 0.75)'
    """
    curves = curves_of(
        curves, y_score, pos_label=pos_label, classes=classes, sample_weight=sample_weight
    )
    request = _band_asked(confidence_level, simultaneous, random_state)
    return RocPlot(*_draw(ROC, curves, name, threshold, ax, request))


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecallPlot:
    """The artists of plotted precision-recall curves.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the lines.
    figure_ : matplotlib.figure.Figure
        Their figure.
    lines_ : dict of label or name to matplotlib.lines.Line2D
        The line of each curve; an undefined one has no points.
    average_lines_ : dict of str to matplotlib.lines.Line2D
        The line "micro" for curves of classes.
    chance_levels_ : dict of label or name to matplotlib.lines.Line2D
        The prevalence of each colored curve.
    points_ : dict of label or name to matplotlib.lines.Line2D
        The markers at `threshold`.
    bands_ : dict of label or name to matplotlib.collections.PolyCollection
        The band of each colored curve with `confidence_level` or folds.
    fold_lines_ : dict of label or name to dict of fold to matplotlib.lines.Line2D
        The lines of the folds if a single curve with folds is drawn.

    Examples
    --------
    >>> from skmetrics_ext import ThresholdCurve, plot_precision_recall
    >>> curve = ThresholdCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> plot = plot_precision_recall(curve)
    >>> plot.lines_[1].get_label()
    'AP 0.83'
    """

    ax_: Axes
    figure_: Figure
    lines_: dict[Any, Line2D]
    average_lines_: dict[str, Line2D]
    chance_levels_: dict[Any, Line2D]
    points_: dict[Any, Line2D] = field(default_factory=dict)
    bands_: dict[Any, PolyCollection] = field(default_factory=dict)
    fold_lines_: dict[Any, dict[Any, Line2D]] = field(default_factory=dict)


@explained
def plot_precision_recall(
    curves: ThresholdCurve | Mapping[Any, Any] | TargetLike,
    y_score: ArrayLike | None = None,
    *,
    pos_label: Label | None = None,
    classes: LabelsLike | None = None,
    sample_weight: ArrayLike | None = None,
    name: str | None = None,
    threshold: float | Mapping[Any, float] | None = None,
    yscale: Literal["auto", "linear", "log"] = "auto",
    confidence_level: float | None = None,
    random_state: RandomState = 0,
    ax: Axes | None = None,
) -> PrecisionRecallPlot:
    """Plot precision against recall, one line per class or model with its average precision, and
    the chance level.

    The chance level is the prevalence, and the micro average the curve of all classes pooled. Folds
    are shown as their mean precision at each recall, in a band of one standard deviation to either
    side.

    Parameters
    ----------
    curves : ThresholdCurve, ThresholdCurves, dict of either, or array-like of shape (n_samples,)
        A curve, the curves of all classes or groups, or one per model, maybe of folds; with
        `y_score`, the actual labels. A curve with given thresholds is drawn as points, without an
        area. Dates or numbers are colored from dark to light; of more than eight others, only the
        three best and the three worst are colored and named.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes), default=None
        Scores, if `curves` are actual labels: of the positive class, or a column per class, which
        give one curve for two and one per class for more, unless `pos_label` names it.
    pos_label : int, float, bool or str, default=None
        The positive class; only with `y_score`. None: the second of two `classes`, else 1 of {0,
        1}, {-1, 1} or {False, True}.
    classes : array-like of shape (n_classes,), default=None
        The label of each column; only with `y_score`. None: the names of a data frame's columns,
        else the sorted labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample; only with labels.
    name : str, default=None
        Legend name of one curve; a prefix for those of several.
    threshold : float or dict of label or name to float, default=None
        Marks the point of each curve at this threshold, or at its own; for folds, that of the
        pooled curve.
    yscale : {"auto", "linear", "log"}, default="auto"
        The scale of precision. "auto": "log" where less than 5 % of a curve's samples are positive,
        unless `ax` has a curve.
    confidence_level : float, default=None
        At least 0.5 and below 1.
    random_state : int, numpy Generator or RandomState, default=0
        The same int gives the same interval; None: another at each call.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None: a new figure. An existing legend keeps its entries.

    Returns
    -------
    PrecisionRecallPlot
        The artists. A curve without positives is not drawn, nor averaged, with an
        UndefinedMetricWarning.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If there is no curve, or none for `threshold`, options of labels are given without
        `y_score`, or the positive class is unknown.
    ImportError
        If matplotlib is not installed.

    References
    ----------
    Davis & Goadrich (2006), The relationship between precision-recall and ROC curves, ICML.

    Examples
    --------
    >>> from skmetrics_ext import ThresholdCurve
    >>> curve = ThresholdCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> plot_precision_recall({"forest": curve}).lines_["forest"].get_label()
    'forest (AP 0.83)'
    """
    if yscale not in ("auto", "linear", "log"):
        raise ValueError(f"yscale must be 'auto', 'linear' or 'log'; got {yscale!r}.")
    curves = curves_of(
        curves, y_score, pos_label=pos_label, classes=classes, sample_weight=sample_weight
    )
    request = _band_asked(confidence_level, False, random_state)
    return PrecisionRecallPlot(
        *_draw(PRECISION_RECALL, curves, name, threshold, ax, request, yscale)
    )


class Rates(NamedTuple):
    """The differences between the two kinds of curves."""

    caller: str
    # Those along the x and the y axis.
    metrics: tuple[str, str]
    # The samples without which a curve is undefined.
    needs: tuple[str, ...]
    # The metric that is the area, its name in the legend, and its value.
    area: str
    name_of_area: str
    area_of: Callable[[ClassCounts], float]
    # Its interval, and the confidence band of a curve.
    band: Callable[[ThresholdCurve, BandRequest], Band]
    # The points of a curve over all scores.
    points: Callable[[NamedCurve], Aligned]
    # Several curves at common places of the x axis.
    align: Callable[[Sequence[DrawnCurve]], Aligned]
    # The chance line(s) in the plot, and the legend entries.
    draw_chance: Callable[[Axes, DrawnCurves, list[NamedCurve]], tuple[Any, list[Any]]]
    style: Mapping[str, Any] = {}
    has_macro: bool = False


def _band_asked(
    confidence_level: Any, simultaneous: Any, random_state: RandomState
) -> BandRequest | None:
    """What band is asked for, if any."""
    check_flag(simultaneous, "simultaneous")
    if confidence_level is None:
        if simultaneous:
            raise ValueError("simultaneous=True is for a band: pass confidence_level=, too.")
        return None
    level = requested(confidence_level).confidence_level
    return BandRequest(level, bool(simultaneous), random_state)


def _draw(
    rates: Rates,
    curves: Any,
    name: Any,
    threshold: Any,
    ax: Axes | None,
    request: BandRequest | None,
    yscale: str = "linear",
) -> tuple[Any, ...]:
    """The artists of a plot, in the order of its attributes."""
    named, marks = read_curves(curves, name, threshold)
    if request is not None and any(one.folds is not None for one in named):
        raise ValueError(
            "confidence_level is for curves of one model; folds are models of their own, and have "
            "a band of one standard deviation: omit confidence_level."
        )
    means = {
        one.key: _mean_of_folds(rates, one, one.folds) for one in named if one.folds is not None
    }
    common_n = None if request is None else common_number(named)
    if request is not None and common_n is None:
        named = [with_number(one) for one in named]
    lacking = {one.key: _cause_of_undefined(rates, one) for one in named if one.key not in means}
    warn_of_undefined(rates.area, named, lacking, means)
    drawn = [
        means[one.key].mean if one.key in means else _drawn(rates, one, request) for one in named
    ]
    averages = _averages(rates, curves, drawn, name) if are_of_classes(curves) else []

    ax = axes_for(rates.caller, ax, SQUARE)
    prevalences = [one.prevalence for one in named if one.n_positive]
    if yscale == "auto":
        are_rare = min(prevalences, default=1) < RARE and not ax.has_data()
        yscale = "log" if are_rare else str(ax.get_yscale())
    x, y = (metric.replace("_", " ") for metric in rates.metrics)
    ax.set(xlabel=x, ylabel=y, box_aspect=1)
    ax.margins(MARGIN)
    ax.update_datalim([(0, 0), (1, 1)])
    draw_grid(ax)
    lines = draw_curves(ax, drawn, curves)
    folds = draw_folds(ax, lines, means)
    bands = {}
    if request is not None:
        where = "for the whole curve" if request.is_simultaneous else f"at each {x}"
        of_band = f"{level_as_text(request.confidence_level)} {where}"
        text = ", ".join(filter(None, [of_band, common_n]))
        bands = _draw_bands(rates, ax, lines, named, lacking, request, text)
    chance, guides = rates.draw_chance(ax, lines, named)
    average_lines = {average.key: draw_average(ax, average) for average in averages}
    points, handles = draw_marks(
        ax, lines, named, marks, lambda curve, at: _point_at(rates, curve, at)
    )
    if yscale == "log":
        ax.set_yscale("log")
        ax.set_ylim(LEAST_OF_LOG * min(prevalences, default=1), 1 + MARGIN)
    entries = [*lines.handles, *folds.handles, *handles, *average_lines.values()]
    entries += list(bands.values())[:1]
    draw_legend(ax, entries, guides, title=_positive_class(curves, named))
    return (
        ax,
        ax.figure.canvas.figure,
        lines.lines,
        average_lines,
        chance,
        points,
        folds.bands | bands,
        folds.lines,
    )


def _draw_bands(
    rates: Rates,
    ax: Axes,
    lines: DrawnCurves,
    named: list[NamedCurve],
    lacking: Mapping[Any, str | None],
    request: BandRequest,
    text: str,
) -> dict[Any, PolyCollection]:
    """The confidence band of each curve with a color."""
    return {
        one.key: draw_band(
            ax,
            lines.lines[one.key],
            *rates.band(one.curve, request),
            drawstyle="default",
            label=text,
        )
        for one in named
        if one.key in lines.colored and lacking[one.key] is None
    }


def _positive_class(curves: Any, named: list[NamedCurve]) -> str | None:
    """The class of all curves, as the title of the legend."""
    labels = {one.curve.pos_label for one in named}
    if are_of_classes(curves) or len(labels) > 1 or None in labels:
        return None
    return f"positive class {class_text(labels.pop()).removeprefix(' of ')}"


def _cause_of_undefined(rates: Rates, one: NamedCurve) -> str | None:
    """The reason why the curve is undefined, or None."""
    numbers = {"positives": one.n_positive, "negatives": one.n_negative}
    return " and ".join(f"no {needed}" for needed in rates.needs if not numbers[needed]) or None


def _drawn(rates: Rates, one: NamedCurve, request: BandRequest | None = None) -> DrawnCurve:
    """The curve as drawn; with given thresholds it has no area."""
    if lacking := _cause_of_undefined(rates, one):
        return DrawnCurve(one.key, one.text(lacking))
    if one.curve.at_every_score:
        area = rates.area_of(one.curve.counts)
        text = _with_area(rates, one, area, request)
        return DrawnCurve(one.key, text, area, *rates.points(one), rates.style)
    x, y = (one.curve.score(metric, zero_division=np.nan) for metric in rates.metrics)
    n = len(x)
    order = np.argsort(one.curve.thresholds, kind="stable")[::-1]
    order = order[~np.isnan(y[order])]
    text = one.text(numbered(n, "threshold"))
    style = {**rates.style, **dots_of(n)}
    return DrawnCurve(one.key, text, np.nan, x[order], y[order], style)


def _mean_of_folds(rates: Rates, one: NamedCurve, folds: ThresholdCurves) -> MeanCurve:
    """The mean of the curves of folds."""
    drawn = {key: _drawn(rates, NamedCurve(key, None, curve)) for key, curve in folds.items()}
    return mean_curve(one, drawn, rates.name_of_area, rates.align)


def _averages(
    rates: Rates, curves: ThresholdCurves, classes: list[DrawnCurve], name: str | None
) -> list[DrawnCurve]:
    """The averages that are defined."""
    averages = []
    defined = [one for one in classes if len(one.x)]
    if rates.has_macro and defined:
        area = float(averaged(np.array([one.value for one in defined]), "macro", better="higher"))
        x, values = rates.align(defined)
        text = f"{name_of_average('macro', name)} ({_area_as_text(rates, area)})"
        averages.append(DrawnCurve("macro", text, area, x, mean_and_spread(values)[0]))
    pooled = NamedCurve("micro", name_of_average("micro", name), curves.micro)
    if not _cause_of_undefined(rates, pooled):
        averages.append(_drawn(rates, pooled))
    return averages


def _point_at(rates: Rates, curve: ThresholdCurve, threshold: float) -> tuple[float, float]:
    """Where a curve is at a threshold."""
    matrix = curve.at(threshold)
    x, y = (matrix.score(metric, zero_division=np.nan) for metric in rates.metrics)
    return float(x), float(y)


def _area_as_text(rates: Rates, area: float) -> str:
    """An area for the legend."""
    return f"{rates.name_of_area} {value_as_text(area, 2)}"


def _with_area(rates: Rates, one: NamedCurve, area: float, request: BandRequest | None) -> str:
    """The entry of a curve in the legend: its area, with a band also the interval of the area."""
    text = _area_as_text(rates, area)
    if request is None:
        return one.text(text)
    interval = one.curve.interval(rates.area, confidence_level=request.confidence_level)
    return one.text(f"{text} [{interval.low:.2f}, {interval.high:.2f}]")


def _points_of_roc(one: NamedCurve) -> Aligned:
    """From (0, 0) to (1, 1), even if ties omit one of the two."""
    fpr, tpr, _ = one.curve.roc(include_origin=True)
    return np.append(fpr, 1), np.append(tpr, 1)


def _points_of_steps(one: NamedCurve) -> Aligned:
    """Recall and precision from recall 0, with that of the highest score, to all positive."""
    # With ties="negative" no score exceeds the highest threshold, nor the lowest itself.
    with_end = ClassCounts(
        *(
            np.append(part, end)
            for part, end in zip(one.curve.counts, one.all_positive, strict=True)
        )
    )
    precision, recall = ratio(*one_class.precision(with_end)), ratio(*one_class.recall(with_end))
    kept = ~np.isnan(precision)
    # Sums of float weights may exceed the total by rounding.
    recall, precision = np.minimum(recall[kept], 1), precision[kept]
    return np.append(0.0, recall), np.append(precision[:1], precision)


def _at_common_fpr(rocs: Sequence[DrawnCurve]) -> Aligned:
    """The tpr of each curve at every fpr of any; two where it rises vertically."""
    grid = common_places(rocs)
    # Of points at one fpr interpolation takes the last, from the right the first.
    above = [np.interp(grid, roc.x, roc.y) for roc in rocs]
    below = [np.interp(-grid, -roc.x[::-1], roc.y[::-1]) for roc in rocs]
    return np.repeat(grid, 2), np.stack([below, above], axis=-1).reshape(len(rocs), -1)


def _at_common_recall(curves: Sequence[DrawnCurve]) -> Aligned:
    """The precision of each curve at every recall of any, where first reached."""
    grid = common_places(curves)
    # The first step has the precision at the first positive.
    reached = np.maximum(grid, math.nextafter(0, 1))
    return grid, np.stack([curve.y[np.searchsorted(curve.x, reached)] for curve in curves])


def _draw_diagonal(ax: Axes, *_: Any) -> tuple[Line2D, list[Any]]:
    """Chance of ROC curves."""
    line = draw_guide(ax, DIAGONAL, DIAGONAL, "chance")
    return line, [line]


def _draw_prevalences(
    ax: Axes, drawn: DrawnCurves, curves: list[NamedCurve]
) -> tuple[dict[Any, Line2D], list[Any]]:
    """Chance of precision-recall curves."""
    return draw_references(
        ax,
        drawn,
        curves,
        lambda one: f"chance (prevalence {value_as_text(one.prevalence, 2)})",
        "chance (prevalence of each curve)",
        lambda one: ([0, 1], [one.prevalence, one.prevalence]),
    )


ROC = Rates(
    caller="plot_roc",
    metrics=("false_positive_rate", "true_positive_rate"),
    needs=("positives", "negatives"),
    area="roc_auc",
    name_of_area="AUC",
    area_of=roc_area,
    band=roc_band,
    points=_points_of_roc,
    align=_at_common_fpr,
    draw_chance=_draw_diagonal,
    has_macro=True,
)
# A step is as high as the precision at its end, as in average precision.
PRECISION_RECALL = Rates(
    caller="plot_precision_recall",
    metrics=("recall", "precision"),
    needs=("positives",),
    area="average_precision",
    name_of_area="AP",
    area_of=precision_area,
    band=precision_recall_band,
    points=_points_of_steps,
    align=_at_common_recall,
    draw_chance=_draw_prevalences,
    style={"drawstyle": "steps-pre"},
)
