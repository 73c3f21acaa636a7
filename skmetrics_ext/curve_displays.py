"""Pictures of threshold curves: metrics against the threshold, and ROC curves, with matplotlib."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue import Metric
from skmetrics_ext.class_curves import ThresholdCurves
from skmetrics_ext.constraints import Bound, Constraint, read_constraints, row_of_one_class
from skmetrics_ext.displays import axes_for, on_one_line
from skmetrics_ext.labels import plain
from skmetrics_ext.thresholds import BestThreshold, ThresholdCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

# Ten colours that the colour-blind tell apart too: Petroff (2021), Accessible color sequences for
# data visualization, arXiv:2107.02270.
COLOURS = (
    "#3f90da",
    "#ffa90e",
    "#bd1f01",
    "#94a4a2",
    "#832db6",
    "#a96b59",
    "#e76300",
    "#b9ac70",
    "#717581",
    "#92dadd",
)
# One colour twice needs another line.
STYLES_OF_METRICS = ("-", "--", ":")
STYLES_OF_AVERAGES = {"macro": (0, (3.6, 1.4)), "micro": (0, (1.2, 0.9))}
OTHERS = "0.75"
CHANCE = "0.6"
GRID = "0.92"
EXCLUDED = "0.9"

LINE_WIDTH = 1.8
THIN = 0.7

# A line has at most four points in each of the columns that the picture is divided into.
COLUMNS = 499
MOST_POINTS = 4 * COLUMNS

# Chosen thresholds are dots on their line, while dots can be told apart.
MOST_DOTS = 50

# Sizes of the axes in a new figure, and what is left free at its edges, in inches.
SIZE_OF_METRICS = (5.2, 3.6)
SIZE_OF_ROC = (4.2, 4.2)
PADDING = 0.08
# Part of the axes between the lines and the frame.
MARGIN = 0.03


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdCurvePlot:
    """The artists of metrics plotted against the threshold, named as in scikit-learn's displays.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the lines.
    figure_ : matplotlib.figure.Figure
        The figure of these axes.
    lines_ : dict of str to matplotlib.lines.Line2D
        The line of each metric, by its name.
    best_ : BestThreshold or None
        Value, threshold and counts of the marked point, not rounded; None where none is marked.

    Examples
    --------
    >>> from skmetrics_ext import threshold_curve
    >>> curve = threshold_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> plot = plot_threshold_curve(curve)
    >>> list(plot.lines_), plot.best_.threshold
    (['f1', 'precision', 'recall'], 0.35)
    """

    ax_: "Axes"
    figure_: "Figure"
    lines_: dict[str, "Line2D"]
    best_: BestThreshold | None


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
    >>> plot = plot_roc(threshold_curve(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8]))
    >>> plot.lines_["yes"].get_label()
    'AUC 0.75'
    """

    ax_: "Axes"
    figure_: "Figure"
    lines_: dict[Any, "Line2D"]
    average_lines_: dict[str, "Line2D"]
    chance_level_: "Line2D"


def plot_threshold_curve(
    curve: ThresholdCurve,
    metrics: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = ("f1", "precision", "recall"),
    *,
    subject_to: Mapping[Any, Bound] | None = None,
    ax: "Axes | None" = None,
    **parameters: Any,
) -> ThresholdCurvePlot:
    """Draw metrics against the threshold, the best point of the first of them marked.

    Between two scores a metric does not change, so its line has steps; only a curve of chosen
    thresholds, which says nothing of the scores between them, has its points joined by straight
    lines. Undefined values (0/0) and infinite ones are gaps. More than 2,000 thresholds are
    thinned to the first, last, least and largest value in each of 499 parts of the axis [1]_.
    Needs matplotlib: `pip install 'skmetrics-ext[plot]'`.

    Parameters
    ----------
    curve : ThresholdCurve
        Of `threshold_curve`, or one of `threshold_curves`, such as `curves[label]`.
    metrics : str or function, or list of them, default=("f1", "precision", "recall")
        Names, aliases or functions of metrics, as in `ThresholdCurve.score`. The point marked is
        the best of the first one that has one: a metric has none if neither its high nor its low
        values are better (prevalence), or if it is undefined at every threshold.
    subject_to : dict of metric to bound, default=None
        As in `ThresholdCurve.best`. The point marked satisfies these bounds, and the thresholds
        that do not are shaded.
    ax : matplotlib.axes.Axes, default=None
        Where to draw. The legend stands to the right of the axes, for which subplots side by
        side need a figure with `layout="constrained"`. None: a new figure.
    **parameters
        Parameters of the metrics, such as `beta`; each metric that has it gets it.

    Returns
    -------
    ThresholdCurvePlot
        With `ax_`, `figure_`, `lines_` and `best_`. The axis of values is [0, 1] if all metrics
        are, else that of the values; `ax_.set_yscale("log")` suits ratios such as odds.

    Raises
    ------
    TypeError
        If `curve` is no ThresholdCurve, `metrics` no metrics or `ax` no Axes; or if a parameter
        is missing or belongs to none of the metrics.
    ValueError
        If there is no metric, no such metric, or one twice; if no threshold satisfies the
        bounds, with the best that each can reach; if there are bounds and no metric has a best
        point.
    ImportError
        If matplotlib is not installed.

    References
    ----------
    .. [1] Jugel et al. (2014), M4: a visualization-oriented time series data aggregation, VLDB.

    Examples
    --------
    >>> from skmetrics_ext import threshold_curve
    >>> curve = threshold_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> plot = plot_threshold_curve(curve, ["precision", "recall"], subject_to={"recall": 0.9})
    >>> plot.best_.threshold, plot.best_.value
    (0.35, 0.6666666666666666)
    """
    if not isinstance(curve, ThresholdCurve):
        raise TypeError(_no_curve(curve))
    scores = _read_metrics(curve, metrics, parameters)
    constraints = read_constraints(subject_to, partial(curve.score, zero_division=np.nan))
    marked = next((score for score in scores if score.has_best), scores[0] if constraints else None)
    best = None if marked is None else curve.best(marked.metric, subject_to=subject_to, **marked.parameters)

    own_figure = ax is None
    ax = axes_for("plot_threshold_curve", ax)
    ax.set(xlabel="threshold", ylabel="value")
    _draw_grid(ax)
    lines = _draw_scores(ax, curve, scores, best)
    shading = [_shade(ax, curve, constraints)] if constraints else []
    if all(score.row.range == "[0, 1]" for score in scores):
        ax.set_ylim(-MARGIN, 1 + MARGIN)
    ax.margins(MARGIN)
    _draw_legend(ax, [*lines.values(), *shading])
    if marked is not None and best is not None:
        _mark(ax, marked, best, str(lines[marked.name].get_color()))
    if own_figure:
        _fit_figure(ax, *SIZE_OF_METRICS)
    return ThresholdCurvePlot(ax, ax.figure.canvas.figure, lines, best)


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
        Where to draw. The legend stands to the right of the axes, for which subplots side by
        side need a figure with `layout="constrained"`. None: a new figure.

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
    _draw_grid(ax)
    (chance,) = ax.plot([0, 1], [0, 1], color=CHANCE, linewidth=1, zorder=1.5, label="chance")
    lines, handles = _draw_few(ax, classes) if len(classes) <= len(COLOURS) else _draw_many(ax, classes)
    average_lines = {name: _draw_average(ax, name, roc) for name, roc in averages.items()}
    _draw_legend(ax, [*handles, *average_lines.values(), chance])
    if own_figure:
        _fit_figure(ax, *SIZE_OF_ROC)
    return RocPlot(ax, ax.figure.canvas.figure, lines, average_lines, chance)


# What metrics are drawn.


class Score(NamedTuple):
    """A metric with its name in the legend, its own of the parameters, and its value at each threshold."""

    name: str
    metric: str | Callable[..., Any]
    row: Metric
    parameters: dict[str, Any]
    values: NDArray[np.float64]

    @property
    def has_best(self) -> bool:
        """Whether some threshold is better than others, or as good."""
        return self.row.better != "neither" and not np.isnan(self.values).all()


def _no_curve(given: Any) -> str:
    """The message for what is no curve of one class."""
    if isinstance(given, ThresholdCurves):
        return "curve must be of one class; got ThresholdCurves: pass one of them, curves[label], or curves.micro."
    return (
        f"curve must be a ThresholdCurve; got {type(given).__name__}. Make one with threshold_curve(y_true, y_score)."
    )


def _read_metrics(curve: ThresholdCurve, metrics: Any, parameters: dict[str, Any]) -> list[Score]:
    """The metrics to draw, each with its own of the parameters."""
    if isinstance(metrics, str) or callable(metrics):
        metrics = [metrics]
    if not isinstance(metrics, Sequence):
        raise TypeError(f"metrics must be a metric or a list of metrics, such as ['f1', 'recall']; got {metrics!r}.")
    rows = [row_of_one_class(metric) for metric in metrics]
    if not rows:
        raise ValueError("metrics is empty: name at least one, such as ['f1'].")
    if unused := [name for name in parameters if not any(name in row.parameters for row in rows)]:
        raise TypeError(f"none of the metrics has a parameter {unused[0]!r}.")
    scores: dict[str, Score] = {}
    for metric, row in zip(metrics, rows, strict=True):
        name = metric if isinstance(metric, str) else row.name
        if name in scores:
            raise ValueError(f"metrics names {name!r} twice: name each metric once.")
        own = {key: value for key, value in parameters.items() if key in row.parameters}
        scores[name] = Score(name, metric, row, own, curve.score(metric, zero_division=np.nan, **own))
    return list(scores.values())


# What ROC curves are drawn.


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
    label = plain(curve.labels)[1]
    if curve.at_every_score:
        area = curve.roc_auc()
        return Roc(label, _area(area), area, *_points(curve))
    fpr, tpr, thresholds = curve.roc()
    if np.isnan([fpr[0], tpr[0]]).any():
        return Roc(label, _area(np.nan), np.nan, NO_POINTS, NO_POINTS)
    order = np.argsort(-thresholds, kind="stable")
    n_thresholds = len(order)
    text = f"{n_thresholds} threshold{'s' * (n_thresholds > 1)}"
    return Roc(label, text, np.nan, *_thinned_points(fpr[order], tpr[order]), n_thresholds <= MOST_DOTS)


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
        area = float(np.mean([roc.area for roc in defined]))
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
    return _thinned_points(np.append(fpr, 1), np.append(tpr, 1))


def _thinned_points(
    fpr: NDArray[np.float64], tpr: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Not more points than a picture can show."""
    kept = _thinned(fpr, tpr)
    return fpr[kept], tpr[kept]


def _mean_points(rocs: list[Roc]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean tpr at every fpr that one of the curves has; where one rises vertically, so does the mean."""
    grid = np.unique(np.concatenate([roc.fpr for roc in rocs]))
    # Of several points at one fpr interpolation takes the last, and from right to left the first.
    above = np.mean([np.interp(grid, roc.fpr, roc.tpr) for roc in rocs], axis=0)
    below = np.mean([np.interp(-grid, -roc.fpr[::-1], roc.tpr[::-1]) for roc in rocs], axis=0)
    return _thinned_points(np.repeat(grid, 2), np.stack([below, above], axis=1).ravel())


def _named(name: str, area: float) -> str:
    """The name of a curve with its area."""
    return f"{name} ({_area(area)})"


def _area(area: float) -> str:
    """An area for the legend."""
    return "undefined" if np.isnan(area) else f"AUC {_rounded(area, 2)}"


def _rounded(value: float, digits: int) -> str:
    """A few digits, and more where they would say a whole number that the value is not."""
    if not np.isfinite(value) or abs(value) >= 1e6:
        return f"{value:.{digits}g}"
    if value.is_integer():
        return f"{value:.{digits}f}" if abs(value) == 1 else f"{value:.0f}"
    texts = (f"{value:#.{more}g}" for more in range(digits, 18))
    return next(text for text in texts if not float(text).is_integer())


# Drawing.


def _thinned(x: NDArray[Any], y: NDArray[np.float64]) -> NDArray[np.intp]:
    """Where the first, last, least and largest y of each column of the picture are; x increases."""
    if len(x) <= MOST_POINTS:
        return np.arange(len(x))
    edges = np.linspace(x[0], x[-1], COLUMNS + 1)[1:-1]
    starts = np.unique(np.append(0, np.searchsorted(x, edges)))
    stops = np.append(starts[1:], len(x))
    column = np.repeat(np.arange(len(starts)), stops - starts)
    kept = [starts, stops - 1]
    for extreme in (np.fmin, np.fmax):
        (hits,) = np.nonzero(y == extreme.reduceat(y, starts)[column])
        kept.append(hits[np.unique(column[hits], return_index=True)[1]])
    return np.unique(np.concatenate(kept))


def _draw_scores(
    ax: "Axes", curve: ThresholdCurve, scores: list[Score], best: BestThreshold | None
) -> dict[str, "Line2D"]:
    """One line a metric, the first on top."""
    x, order = _in_order(curve)
    chosen = np.zeros(0, dtype=np.intp) if best is None else np.flatnonzero(x == best.threshold)[:1]
    style: dict[str, Any] = {"drawstyle": _steps(curve), "linewidth": LINE_WIDTH}
    if not curve.at_every_score and len(x) <= MOST_DOTS:
        style["marker"] = "."
    lines = {}
    for k, score in enumerate(scores):
        y = np.where(np.isfinite(score.values), score.values, np.nan)[order]
        kept = np.union1d(_thinned(x, y), chosen)
        (lines[score.name],) = ax.plot(
            x[kept],
            y[kept],
            color=COLOURS[k % len(COLOURS)],
            linestyle=STYLES_OF_METRICS[k // len(COLOURS) % len(STYLES_OF_METRICS)],
            zorder=3 - k / len(scores),
            label=score.name if not np.isnan(score.values).all() else f"{score.name} (undefined)",
            **style,
        )
    # Where all metrics are undefined or infinite there are thresholds nevertheless.
    if len(x):
        ax.update_datalim([(x[0], 0), (x[-1], 0)], updatey=False)
    return lines


def _in_order(curve: ThresholdCurve) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The thresholds that an axis has a place for, increasing, and where they are in the curve."""
    order = np.argsort(curve.thresholds, kind="stable")
    order = order[np.isfinite(curve.thresholds[order])]
    return curve.thresholds[order].astype(np.float64), order


def _steps(curve: ThresholdCurve) -> str:
    """How a line runs between thresholds: as low as the next score below has, or above if ties are negative."""
    if not curve.at_every_score:
        return "default"
    return "steps-pre" if curve.ties == "positive" else "steps-post"


def _shade(ax: "Axes", curve: ThresholdCurve, constraints: list[Constraint]) -> Any:
    """Grey out the thresholds that do not satisfy all constraints; chosen ones to half way between them."""
    x, order = _in_order(curve)
    excluded = 1.0 - np.logical_and.reduce([constraint.holds for constraint in constraints])[order]
    kept = _thinned(x, excluded)
    step = {"default": "mid", "steps-pre": "pre", "steps-post": "post"}[_steps(curve)]
    return ax.fill_between(
        x[kept],
        excluded[kept],
        step=step,  # type: ignore[arg-type]
        transform=ax.get_xaxis_transform(),
        color=EXCLUDED,
        linewidth=0,
        zorder=0.5,
        label="\n".join(["excluded by", *(constraint.text for constraint in constraints)]),
    )


def _mark(ax: "Axes", score: Score, best: BestThreshold, colour: str) -> None:
    """A marker at the best point, and its value and threshold above the frame, where they cover no line."""
    # What is infinite is marked at the edge, which stays where it is.
    limits = ax.axis()
    x, y = np.clip(best.threshold, *limits[:2]), np.clip(best.value, *limits[2:])
    ax.axvline(x, color=colour, linewidth=1, linestyle=":", zorder=1.5)
    ax.plot(x, y, "o", color=colour, markeredgecolor="white", markersize=8, zorder=4, clip_on=False)
    ax.axis(limits)
    # A tick, unlike a text, is what a title moves up for.
    ax.tick_params(axis="x", which="minor", length=0, bottom=False, top=True, labelbottom=False, labeltop=True)
    text = f"{score.name} {_rounded(best.value, 3)} at {_rounded(best.threshold, 3)}"
    ax.set_xticks([x], [text], minor=True, fontsize="small")
    # A threshold such as 0.6 may have a tick below the axes too.
    ax.xaxis.remove_overlapping_locs = False


def _draw_few(ax: "Axes", classes: list[Roc]) -> tuple[dict[Any, "Line2D"], list["Line2D"]]:
    """Each class in its own colour and in the legend."""
    lines = {
        roc.label: _draw_roc(ax, roc, color=colour, linewidth=LINE_WIDTH)
        for roc, colour in zip(classes, COLOURS, strict=False)
    }
    return lines, list(lines.values())


def _draw_many(ax: "Axes", classes: list[Roc]) -> tuple[dict[Any, "Line2D"], list["Line2D"]]:
    """The best and the worst class in colour, and all others as thin grey lines with one entry in the legend."""
    lines = {roc.label: _draw_roc(ax, roc, color=OTHERS, linewidth=THIN, zorder=1.8) for roc in classes}
    ranked = sorted((roc for roc in classes if len(roc.fpr)), key=lambda roc: roc.area, reverse=True)
    undefined = [roc for roc in classes if not len(roc.fpr)]
    handles = []
    for name, extreme, colour in zip(("best", "worst"), (ranked[:1], ranked[1:][-1:]), COLOURS, strict=False):
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


def _draw_grid(ax: "Axes") -> None:
    """Light lines to read values by."""
    ax.set_axisbelow(True)
    ax.grid(True, color=GRID, linewidth=0.8)
    ax.spines[["top", "right"]].set_visible(False)


def _draw_legend(ax: "Axes", handles: list[Any]) -> None:
    """A legend beside the axes, where it covers no line."""
    legend = ax.legend(
        handles, ["?"] * len(handles), loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize="small"
    )
    # Set afterwards, for a legend would drop names that begin with an underscore.
    for text, handle in zip(legend.get_texts(), handles, strict=True):
        text.set(text=handle.get_label(), parse_math=False)


def _fit_figure(ax: "Axes", width: float, height: float) -> None:
    """Make a new figure as large as axes of this size in inches need with everything around them."""
    figure = ax.figure.canvas.figure
    # Axes that fill the figure show what sticks out of them, which is what the figure lacks.
    figure.subplots_adjust(0, 0, 1, 1)
    figure.set_size_inches(width, height)
    box: Any = ax.get_tightbbox().padded(PADDING * figure.dpi)  # type: ignore[union-attr]
    figure.set_size_inches(box.width / figure.dpi, box.height / figure.dpi)
    # The layout that keeps what is added later inside the figure starts from the one that fits now.
    left, bottom = -box.x0 / box.width, -box.y0 / box.height
    side_x, side_y = width * figure.dpi / box.width, height * figure.dpi / box.height
    figure.subplots_adjust(left, bottom, left + side_x, bottom + side_y)
    figure.set_layout_engine("constrained", w_pad=PADDING, h_pad=PADDING)
