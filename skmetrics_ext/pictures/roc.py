"""Pictures of ROC curves: one line a class, their averages and chance, with matplotlib."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import averaged
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.pictures.axes import MARGIN, axes_for, draw_grid, draw_legend, fit_figure
from skmetrics_ext.pictures.lines import LINE_COLOURS, LINE_WIDTH, MOST_DOTS, points_to_draw, value_as_text
from skmetrics_ext.writing.words import on_one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

STYLES_OF_AVERAGES = {"macro": (0, (3.6, 1.4)), "micro": (0, (1.2, 0.9))}
OTHERS = "0.75"
CHANCE = "0.6"
THIN = 0.7

# Size of the axes in a new figure, in inches.
SIZE_OF_ROC = (4.2, 4.2)


@dataclass(frozen=True, eq=False, repr=False)
class RocPlot:
    """The artists of plotted ROC curves, named as in scikit-learn's displays.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the lines.
    figure_ : matplotlib.figure.Figure
        The figure of these axes.
    lines_ : dict of label to matplotlib.lines.Line2D
        The line of each class, by its label; that of an undefined class has no points.
    average_lines_ : dict of str to matplotlib.lines.Line2D
        The lines "macro" and "micro"; empty for a single curve.
    chance_level_ : matplotlib.lines.Line2D
        The diagonal.

    Examples
    --------
    >>> from skmetrics_ext import threshold_curve
    >>> plot = plot_roc(threshold_curve(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8], pos_label="yes"))
    >>> plot.lines_["yes"].get_label()
    'AUC 0.75'
    """

    ax_: "Axes"
    figure_: "Figure"
    lines_: dict[Any, "Line2D"]
    average_lines_: dict[str, "Line2D"]
    chance_level_: "Line2D"


def plot_roc(curves: ThresholdCurve | ThresholdCurves, *, ax: "Axes | None" = None) -> RocPlot:
    """Draw tpr over fpr, one line a class with its area, and their averages.

    The macro average is the mean of the tpr of all classes at each fpr, interpolated, as in
    scikit-learn's example; the area under it is the mean of the areas. The micro average is the
    curve of all classes pooled. Of more than ten classes only the best and the worst have a
    colour and a name. Lines of more than 2,000 points are thinned for the picture; areas are
    exact. Needs matplotlib: `pip install 'skmetrics-ext[plot]'`.

    Parameters
    ----------
    curves : ThresholdCurves or ThresholdCurve
        The curves of all classes, or one curve. One of chosen thresholds is drawn as the points
        that it has, without the area, which is one over all scores.
    ax : matplotlib.axes.Axes, default=None
        Where to draw. A legend of few short entries stands inside, any other to the right of the axes, for
        which subplots side by side need a figure with `layout="constrained"`; one that is there keeps its
        entries. None: a new figure, with the legend to the right.

    Returns
    -------
    RocPlot
        With `ax_`, `figure_`, `lines_`, `average_lines_` and `chance_level_`. A class without
        positives or without negatives has no curve: the legend calls it undefined, averages
        leave it out, and there is an UndefinedMetricWarning.

    Raises
    ------
    TypeError
        If `curves` are no curves or `ax` no Axes.
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
    a (AUC 1.00)
    b (AUC 0.50)
    c (AUC 0.75)
    macro average (AUC 0.75)
    micro average (AUC 0.83)
    chance
    """
    if isinstance(curves, ThresholdCurve):
        classes, averages = [_only_class(curves)], {}
    elif isinstance(curves, ThresholdCurves):
        classes = _classes(curves)
        averages = _averages(curves, classes)
    else:
        raise TypeError(
            f"curves must be a ThresholdCurve or ThresholdCurves; got {type(curves).__name__}. Make them with "
            "threshold_curve(y_true, y_score) or threshold_curves(y_true, y_score)."
        )

    own_figure = ax is None
    ax = axes_for("plot_roc", ax)
    limits = (-MARGIN, 1 + MARGIN)
    ax.set(xlabel="false positive rate", ylabel="true positive rate", xlim=limits, ylim=limits, aspect="equal")
    draw_grid(ax)
    (chance,) = ax.plot([0, 1], [0, 1], color=CHANCE, linewidth=1, zorder=1.5, label="chance")
    lines, handles = _draw_few(ax, classes) if len(classes) <= len(LINE_COLOURS) else _draw_many(ax, classes)
    average_lines = {name: _draw_average(ax, name, roc) for name, roc in averages.items()}
    draw_legend(ax, [*handles, *average_lines.values()], [chance], own_figure=own_figure)
    if own_figure:
        fit_figure(ax, *SIZE_OF_ROC)
    return RocPlot(ax, ax.figure.canvas.figure, lines, average_lines, chance)


class Roc(NamedTuple):
    """One ROC curve as drawn: the name and area in its legend, its points, and whether they are dots."""

    label: Any
    text: str
    area: float
    fpr: NDArray[np.float64]
    tpr: NDArray[np.float64]
    dotted: bool = False


NO_POINTS = np.zeros(0)


def _only_class(curve: ThresholdCurve) -> Roc:
    """The curve of one class, which may be one of chosen thresholds and have no area."""
    label = curve.pos_label
    if curve.at_every_score:
        area = curve.roc_auc()
        return Roc(label, _area(area), area, *_points(curve))
    fpr, tpr, thresholds = curve.roc()
    if np.isnan([fpr[0], tpr[0]]).any():
        return Roc(label, _area(np.nan), np.nan, NO_POINTS, NO_POINTS)
    order = np.argsort(-thresholds, kind="stable")
    n_thresholds = len(order)
    text = f"{n_thresholds} threshold{'s' * (n_thresholds > 1)}"
    return Roc(label, text, np.nan, *_drawn_points(fpr[order], tpr[order]), n_thresholds <= MOST_DOTS)


def _classes(curves: ThresholdCurves) -> list[Roc]:
    """The curve of each class, with one warning for all that are undefined."""
    areas = curves.roc_auc(average=None).tolist()
    return [
        Roc(label, _named(on_one_line(label), area), area, *_points(curve))
        for (label, curve), area in zip(curves.items(), areas, strict=True)
    ]


def _averages(curves: ThresholdCurves, classes: list[Roc]) -> dict[str, Roc]:
    """The averages that are defined."""
    averages = {}
    defined = [roc for roc in classes if len(roc.fpr)]
    if defined:
        area = float(averaged(np.array([roc.area for roc in defined]), "macro", better="higher"))
        averages["macro"] = Roc("macro", _named("macro average", area), area, *_mean_points(defined))
    points = _points(curves.micro)
    if len(points[0]):
        area = curves.micro.roc_auc()
        averages["micro"] = Roc("micro", _named("micro average", area), area, *points)
    return averages


def _points(curve: ThresholdCurve) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """From (0, 0) to (1, 1), whichever of the two the ties leave out; none without positives or negatives."""
    tp, fp, fn, tn = curve.counts
    if not (tp[0] + fn[0] and fp[0] + tn[0]):
        return NO_POINTS, NO_POINTS
    fpr, tpr, _ = curve.roc(include_origin=True)
    return _drawn_points(np.append(fpr, 1), np.append(tpr, 1))


def _drawn_points(
    fpr: NDArray[np.float64], tpr: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Not more points than a picture can show."""
    kept = points_to_draw(fpr, tpr)
    return fpr[kept], tpr[kept]


def _mean_points(rocs: list[Roc]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean tpr at every fpr that one of the curves has; where one rises vertically, so does the mean."""
    grid = np.unique(np.concatenate([roc.fpr for roc in rocs]))
    # Of several points at one fpr interpolation takes the last, and from right to left the first.
    above = np.mean([np.interp(grid, roc.fpr, roc.tpr) for roc in rocs], axis=0)
    below = np.mean([np.interp(-grid, -roc.fpr[::-1], roc.tpr[::-1]) for roc in rocs], axis=0)
    return _drawn_points(np.repeat(grid, 2), np.stack([below, above], axis=1).ravel())


def _named(name: str, area: float) -> str:
    """The name of a curve with its area."""
    return f"{name} ({_area(area)})"


def _area(area: float) -> str:
    """An area for the legend."""
    return "undefined" if np.isnan(area) else f"AUC {value_as_text(area, 2)}"


def _draw_few(ax: "Axes", classes: list[Roc]) -> tuple[dict[Any, "Line2D"], list["Line2D"]]:
    """Each class in its own colour and in the legend."""
    lines = {
        roc.label: _draw_roc(ax, roc, color=colour, linewidth=LINE_WIDTH)
        for roc, colour in zip(classes, LINE_COLOURS, strict=False)
    }
    return lines, list(lines.values())


def _draw_many(ax: "Axes", classes: list[Roc]) -> tuple[dict[Any, "Line2D"], list["Line2D"]]:
    """The best and the worst class in colour, and all others as thin grey lines with one entry in the legend."""
    lines = {roc.label: _draw_roc(ax, roc, color=OTHERS, linewidth=THIN, zorder=1.8) for roc in classes}
    ranked = sorted((roc for roc in classes if len(roc.fpr)), key=lambda roc: roc.area, reverse=True)
    undefined = [roc for roc in classes if not len(roc.fpr)]
    handles = []
    for name, extreme, colour in zip(("best", "worst"), (ranked[:1], ranked[1:][-1:]), LINE_COLOURS, strict=False):
        for roc in extreme:
            line = lines[roc.label]
            line.set(color=colour, linewidth=LINE_WIDTH, zorder=2, label=f"{name}: {roc.text}")
            handles.append(line)
    for rocs, text in ((ranked[1:-1], "others"), (undefined, "undefined")):
        if rocs:
            line = lines[rocs[0].label]
            line.set_label(f"{len(rocs)} {text}")
            handles.append(line)
    return lines, handles


def _draw_average(ax: "Axes", name: str, roc: Roc) -> "Line2D":
    """An average, dashed."""
    ink = ax.xaxis.label.get_color()
    return _draw_roc(ax, roc, color=ink, linewidth=LINE_WIDTH, linestyle=STYLES_OF_AVERAGES[name], zorder=3)


def _draw_roc(ax: "Axes", roc: Roc, **style: Any) -> "Line2D":
    """One line, without points where it is undefined."""
    style = {"label": roc.text, "marker": "." if roc.dotted else None} | style
    (line,) = ax.plot(roc.fpr, roc.tpr, **style)
    return line
