"""Pictures of precision-recall curves: one line a class or model, and chance, with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.ranking import precision_area
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.pictures.axes import MARGIN, axes_for, draw_grid, draw_legend, fit_figure
from skmetrics_ext.pictures.folds import (
    Aligned,
    MeanCurve,
    common_places,
    draw_folds,
    mean_curve,
    warn_of_undefined_folds,
)
from skmetrics_ext.pictures.lines import value_as_text
from skmetrics_ext.pictures.many_curves import (
    NO_POINTS,
    SIZE_OF_SQUARE,
    DrawnCurve,
    NamedCurve,
    are_of_classes,
    chosen_as_text,
    dots_of,
    draw_average,
    draw_curves,
    draw_marks,
    draw_references,
    name_of_average,
    read_curves,
    read_marks,
    thinned,
    warn_of_undefined,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

# Each step of recall is as high as the precision at its end, which is what average precision sums up.
STEPS = {"drawstyle": "steps-pre"}


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecallPlot:
    """The artists of plotted precision-recall curves, named as in scikit-learn's displays.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the lines.
    figure_ : matplotlib.figure.Figure
        The figure of these axes.
    lines_ : dict of label or name to matplotlib.lines.Line2D
        The line of each curve, by its label or name; that of an undefined one has no points.
    average_lines_ : dict of str to matplotlib.lines.Line2D
        The line "micro" of the curves of classes; else empty.
    chance_levels_ : dict of label or name to matplotlib.lines.Line2D
        The prevalence of each curve with a colour, one line for those that share it.
    points_ : dict of label or name to matplotlib.lines.Line2D
        The marker of each curve that has one, by `threshold`.
    bands_ : dict of label or name to matplotlib.collections.PolyCollection
        One standard deviation around the mean of each curve with folds; else empty.
    fold_lines_ : dict of label or name to dict of fold to matplotlib.lines.Line2D
        The thin lines of the folds where one curve with folds is drawn; else empty.

    Examples
    --------
    >>> from skmetrics_ext import threshold_curve
    >>> plot = plot_precision_recall(threshold_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
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


def plot_precision_recall(
    curves: ThresholdCurve | Mapping[Any, ThresholdCurve | ThresholdCurves],
    *,
    name: str | None = None,
    threshold: float | Mapping[Any, float] | None = None,
    ax: Axes | None = None,
) -> PrecisionRecallPlot:
    """Draw precision over recall, one line a class or model with its average precision, and chance.

    Average precision (AP) is the area under the steps drawn. Chance is the prevalence, the
    precision of a model that guesses: without it a curve can't be judged, since it differs from class
    to class. The micro average is the curve of all classes pooled.

    Folds, as `cross_val_threshold_curves` gives them, are the mean of their precision at each recall, that
    of the highest threshold that reaches it, so that the area under the mean is the mean of the areas.
    The band is one standard deviation to either side; the legend has the mean and the standard
    deviation of the areas, `areas.std()`. Thin lines show the folds where there is no other curve.

    Lines of more than 2,000 points are thinned for the picture; areas are exact. Curves drawn on axes
    that have some take the next colour. Needs matplotlib: `pip install 'skmetrics-ext[plot]'`.

    Parameters
    ----------
    curves : ThresholdCurve, ThresholdCurves or dict of name to ThresholdCurve or to ThresholdCurves
        One curve, those of all classes or groups, or one of each model; that of a model may be the curves of
        its folds. One of chosen thresholds is drawn as the points that it has, without the area, which
        is one over all scores. Of more than ten only the three best and the three worst have a colour
        and a name; to choose others, pass those: `{label: curves[label] for label in ["ash", "oak"]}`.
    name : str, default=None
        Name in the legend of one curve; of several it stands before each name.
    threshold : float or dict of label or name to float, default=None
        Marks the operating point: where each curve is at this threshold, or at its own; of folds, where the
        curve of all their samples is.
    ax : matplotlib.axes.Axes, default=None
        Where to draw. A legend of few short entries stands inside, any other to the right of the axes, for
        which subplots side by side need a figure with `layout="constrained"`; one that is there keeps its
        entries. None: a new figure, with the legend to the right.

    Returns
    -------
    PrecisionRecallPlot
        With `ax_`, `figure_`, `lines_`, `average_lines_`, `chance_levels_`, `points_`, `bands_` and
        `fold_lines_`. The legend has the average precision of each curve, and of classes and groups
        the number of their samples. A curve without positives has no line: the legend says so, the mean
        of folds leaves it out, and there is an UndefinedMetricWarning.

    Raises
    ------
    TypeError
        If `curves` are no curves, `threshold` is no number or `ax` no Axes.
    ValueError
        If there is no curve, or `threshold` is NaN or that of a curve that is not there.
    ImportError
        If matplotlib is not installed.

    References
    ----------
    Davis & Goadrich (2006), The relationship between precision-recall and ROC curves, ICML.

    Examples
    --------
    >>> from skmetrics_ext import threshold_curve
    >>> y = [0, 0, 1, 1]
    >>> models = {"forest": [0.1, 0.4, 0.35, 0.8], "logistic": [0.2, 0.1, 0.6, 0.7]}
    >>> curves = {name: threshold_curve(y, scores) for name, scores in models.items()}
    >>> for text in plot_precision_recall(curves, threshold=0.5).ax_.get_legend().get_texts():
    ...     print(text.get_text())
    forest (AP 0.83)
    logistic (AP 1.00)
    at 0.500
    chance (prevalence 0.50)
    """
    named = read_curves(curves, name)
    marks = read_marks(threshold, named)
    means = {one.key: _mean_steps(one, one.folds) for one in named if one.folds is not None}
    alone = [one for one in named if one.key not in means]
    warn_of_undefined("average_precision", alone, [_lacking_recall(one) for one in alone])
    warn_of_undefined_folds("average_precision", named, means)
    drawn = [means[one.key].mean if one.key in means else _drawn_steps(one) for one in named]

    own_figure = ax is None
    ax = axes_for("plot_precision_recall", ax)
    ax.set(xlabel="recall", ylabel="precision")
    ax.set_box_aspect(1)
    ax.margins(MARGIN)
    ax.update_datalim([(0, 0), (1, 1)])
    draw_grid(ax)
    lines = draw_curves(ax, drawn)
    folds = draw_folds(ax, lines, means)
    chances, guides = draw_references(
        ax,
        lines,
        named,
        lambda one: f"chance (prevalence {value_as_text(one.prevalence, 2)})",
        "chance (prevalence of each)",
        lambda prevalence: ([0, 1], [prevalence, prevalence]),
    )
    averages = {}
    if isinstance(curves, ThresholdCurves) and are_of_classes(curves) and any(one.n_positive for one in named):
        pooled = NamedCurve("micro", name_of_average("micro", name), curves.micro)
        averages["micro"] = draw_average(ax, "micro", _drawn_steps(pooled))
    points, handles = draw_marks(ax, lines, named, marks, _place_on_steps)
    entries = [*lines.handles, *folds.handles, *handles, *averages.values()]
    draw_legend(ax, entries, guides, own_figure=own_figure)
    if own_figure:
        fit_figure(ax, *SIZE_OF_SQUARE)
    figure = ax.figure.canvas.figure
    return PrecisionRecallPlot(ax, figure, lines.lines, averages, chances, points, folds.bands, folds.lines)


def _lacking_recall(one: NamedCurve) -> str | None:
    """Why a curve has no precision-recall curve."""
    return None if one.n_positive else "no positives"


def _drawn_steps(one: NamedCurve) -> DrawnCurve:
    """A precision-recall curve, or that of chosen thresholds, which has no area."""
    if lacking := _lacking_recall(one):
        return DrawnCurve(one.key, one.text(lacking), np.nan, NO_POINTS, NO_POINTS)
    if one.curve.at_every_score:
        area = precision_area(one.curve.counts)
        return DrawnCurve(one.key, one.text(f"AP {value_as_text(area, 2)}"), area, *_steps_of(one), STEPS)
    recall, precision = (one.curve.score(metric, zero_division=np.nan) for metric in ("recall", "precision"))
    order = np.lexsort((-precision, recall))
    order = order[~np.isnan(precision[order])]
    text = one.text(chosen_as_text(len(recall)))
    return DrawnCurve(one.key, text, np.nan, *thinned(recall[order], precision[order]), STEPS | dots_of(len(recall)))


def _steps_of(one: NamedCurve) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Recall and precision from recall 0, with the precision of the highest score, to all predicted positive."""
    # With ties="negative" nothing is above the highest score, and the lowest one is not above itself.
    tp = np.append(one.curve.counts.tp, one.n_positive)
    fp = np.append(one.curve.counts.fp, one.n_negative)
    kept = tp + fp > 0
    tp, fp = tp[kept], fp[kept]
    # Sums of float weights may pass the whole by their rounding.
    recall, precision = np.minimum(tp / one.n_positive, 1), tp / (tp + fp)
    return thinned(np.append(0.0, recall), np.append(precision[:1], precision))


def _mean_steps(one: NamedCurve, folds: ThresholdCurves) -> MeanCurve:
    """The mean of the precision-recall curves of folds."""
    drawn = {key: _drawn_steps(NamedCurve(key, None, curve)) for key, curve in folds.items()}
    return mean_curve(one, drawn, "AP", _at_common_recall)


def _at_common_recall(curves: Sequence[DrawnCurve]) -> Aligned:
    """The precision of each curve at every recall that one has: that of the highest threshold that reaches it."""
    grid = common_places(curves)
    # A step begins at no recall with what the first positive that is found has.
    reached = np.maximum(grid, np.nextafter(0, 1))
    return grid, np.stack([curve.y[np.searchsorted(curve.x, reached)] for curve in curves])


def _place_on_steps(curve: ThresholdCurve, threshold: float) -> tuple[float, float]:
    """Recall and precision at a threshold."""
    matrix = curve.at(threshold)
    recall, precision = (matrix.score(metric, zero_division=np.nan) for metric in ("recall", "precision"))
    return float(recall), float(precision)
