"""Pictures of ROC curves: one line a class, their averages and chance, with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import averaged
from skmetrics_ext.counting.ranking import roc_area
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
    draw_guide,
    draw_marks,
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

# Straight on a linear axis, and where it belongs on a log axis.
DIAGONAL = np.append(0, np.geomspace(1e-6, 1, 121))


@dataclass(frozen=True, eq=False, repr=False)
class RocPlot:
    """The artists of plotted ROC curves, named as in scikit-learn's displays.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the lines.
    figure_ : matplotlib.figure.Figure
        The figure of these axes.
    lines_ : dict of label or name to matplotlib.lines.Line2D
        The line of each curve, by its label or name; that of an undefined one has no points.
    average_lines_ : dict of str to matplotlib.lines.Line2D
        The lines "macro" and "micro" of the curves of classes; else empty.
    chance_level_ : matplotlib.lines.Line2D
        The diagonal.
    points_ : dict of label or name to matplotlib.lines.Line2D
        The marker of each curve that has one, by `threshold`.
    bands_ : dict of label or name to matplotlib.collections.PolyCollection
        One standard deviation around the mean of each curve with folds; else empty.
    fold_lines_ : dict of label or name to dict of fold to matplotlib.lines.Line2D
        The thin lines of the folds where one curve with folds is drawn; else empty.

    Examples
    --------
    >>> from skmetrics_ext import threshold_curve
    >>> plot = plot_roc(threshold_curve(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8], pos_label="yes"))
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


def plot_roc(
    curves: ThresholdCurve | Mapping[Any, ThresholdCurve | ThresholdCurves],
    *,
    name: str | None = None,
    threshold: float | Mapping[Any, float] | None = None,
    ax: Axes | None = None,
) -> RocPlot:
    """Draw tpr over fpr, one line a class or model with its area, and the averages of classes.

    The macro average is the mean of the tpr of all classes at each fpr, interpolated, as in
    scikit-learn's example; the area under it is the mean of the areas. The micro average is the
    curve of all classes pooled.

    Folds, as `cross_val_threshold_curves` gives them, are the mean of their tpr at each fpr, in a band of
    one standard deviation to either side; the legend has the mean and the standard deviation of their
    areas, `areas.std()`. Thin lines show the folds where there is no other curve.

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
    RocPlot
        With `ax_`, `figure_`, `lines_`, `average_lines_`, `chance_level_`, `points_`, `bands_` and
        `fold_lines_`. The legend has the area of each curve, and of classes and groups the number of
        their samples. A curve without positives or without negatives has no line: the legend says
        so, averages and the mean of folds leave it out, and there is an UndefinedMetricWarning.

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
    Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27.

    Examples
    --------
    >>> from skmetrics_ext import threshold_curves
    >>> curves = threshold_curves(["a", "b", "c"], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3]])
    >>> for text in plot_roc(curves).ax_.get_legend().get_texts():
    ...     print(text.get_text())
    a (AUC 1.00, n = 1)
    b (AUC 0.50, n = 1)
    c (AUC 0.75, n = 1)
    macro average (AUC 0.75)
    micro average (AUC 0.83)
    chance
    """
    named = read_curves(curves, name)
    marks = read_marks(threshold, named)
    means = {one.key: _mean_roc(one, one.folds) for one in named if one.folds is not None}
    alone = [one for one in named if one.key not in means]
    lacking = {one.key: _lacking_rate(one) for one in alone}
    warn_of_undefined("roc_auc", alone, [*lacking.values()])
    warn_of_undefined_folds("roc_auc", named, means)
    drawn = [means[one.key].mean if one.key in means else _drawn_roc(one, lacking[one.key]) for one in named]
    averages = {}
    if isinstance(curves, ThresholdCurves) and are_of_classes(curves):
        averages = _averages(curves, drawn, name)

    own_figure = ax is None
    ax = axes_for("plot_roc", ax)
    ax.set(xlabel="false positive rate", ylabel="true positive rate")
    ax.set_box_aspect(1)
    ax.margins(MARGIN)
    draw_grid(ax)
    lines = draw_curves(ax, drawn)
    folds = draw_folds(ax, lines, means)
    chance = draw_guide(ax, DIAGONAL, DIAGONAL, "chance")
    average_lines = {average: draw_average(ax, average, roc) for average, roc in averages.items()}
    points, handles = draw_marks(ax, lines, named, marks, _place_on_roc)
    entries = [*lines.handles, *folds.handles, *handles, *average_lines.values()]
    draw_legend(ax, entries, [chance], own_figure=own_figure, corner="lower right")
    if own_figure:
        fit_figure(ax, *SIZE_OF_SQUARE)
    figure = ax.figure.canvas.figure
    return RocPlot(ax, figure, lines.lines, average_lines, chance, points, folds.bands, folds.lines)


def _lacking_rate(one: NamedCurve) -> str | None:
    """Why a curve has no ROC curve."""
    lacking = [f"no {kind}" for kind, n in (("positives", one.n_positive), ("negatives", one.n_negative)) if not n]
    return " and ".join(lacking) or None


def _drawn_roc(one: NamedCurve, lacking: str | None) -> DrawnCurve:
    """A ROC curve, or that of chosen thresholds, which has no area."""
    if lacking:
        return DrawnCurve(one.key, one.text(lacking), np.nan, NO_POINTS, NO_POINTS)
    if one.curve.at_every_score:
        area = roc_area(one.curve.counts)
        return DrawnCurve(one.key, one.text(_area(area)), area, *_points(one.curve))
    fpr, tpr, thresholds = one.curve.roc()
    order = np.argsort(-thresholds, kind="stable")
    text = one.text(chosen_as_text(len(order)))
    return DrawnCurve(one.key, text, np.nan, *thinned(fpr[order], tpr[order]), dots_of(len(order)))


def _averages(curves: ThresholdCurves, classes: list[DrawnCurve], name: str | None) -> dict[str, DrawnCurve]:
    """The averages that are defined."""
    averages = {}
    defined = [roc for roc in classes if len(roc.x)]
    if defined:
        area = float(averaged(np.array([roc.value for roc in defined]), "macro", better="higher"))
        text = f"{name_of_average('macro', name)} ({_area(area)})"
        averages["macro"] = DrawnCurve("macro", text, area, *_mean_points(defined))
    pooled = NamedCurve("micro", name_of_average("micro", name), curves.micro)
    if not _lacking_rate(pooled):
        averages["micro"] = _drawn_roc(pooled, None)
    return averages


def _points(curve: ThresholdCurve) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """From (0, 0) to (1, 1), whichever of the two the ties leave out."""
    fpr, tpr, _ = curve.roc(include_origin=True)
    return thinned(np.append(fpr, 1), np.append(tpr, 1))


def _mean_roc(one: NamedCurve, folds: ThresholdCurves) -> MeanCurve:
    """The mean of the ROC curves of folds."""
    of_folds = [NamedCurve(key, None, curve) for key, curve in folds.items()]
    drawn = {fold.key: _drawn_roc(fold, _lacking_rate(fold)) for fold in of_folds}
    return mean_curve(one, drawn, "AUC", _at_common_fpr)


def _mean_points(rocs: Sequence[DrawnCurve]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean tpr at every fpr that one of the curves has."""
    fpr, tpr = _at_common_fpr(rocs)
    return thinned(fpr, tpr.mean(axis=0))


def _at_common_fpr(rocs: Sequence[DrawnCurve]) -> Aligned:
    """The tpr of each curve at every fpr that one of them has; where one rises vertically, there are two."""
    grid = common_places(rocs)
    # Of several points at one fpr interpolation takes the last, and from right to left the first.
    above = [np.interp(grid, roc.x, roc.y) for roc in rocs]
    below = [np.interp(-grid, -roc.x[::-1], roc.y[::-1]) for roc in rocs]
    return np.repeat(grid, 2), np.stack([below, above], axis=-1).reshape(len(rocs), -1)


def _place_on_roc(curve: ThresholdCurve, threshold: float) -> tuple[float, float]:
    """Both rates at a threshold."""
    matrix = curve.at(threshold)
    fpr, tpr = (matrix.score(metric, zero_division=np.nan) for metric in ("false_positive_rate", "recall"))
    return float(fpr), float(tpr)


def _area(area: float) -> str:
    """An area for the legend."""
    return f"AUC {value_as_text(area, 2)}"
