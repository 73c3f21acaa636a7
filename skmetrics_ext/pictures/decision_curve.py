"""Pictures of decision curves: the net benefit of models, of acting on all and of acting on none, with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.pictures.artists import Axes, Figure, Line2D
from skmetrics_ext.pictures.axes import MARGIN, axes_for, draw_grid, draw_legend, fit_figure
from skmetrics_ext.pictures.many_curves import (
    DrawnCurve,
    NamedCurve,
    dots_of,
    draw_curves,
    draw_guide,
    draw_marks,
    draw_references,
    read_curves,
)

# The thresholds that a line has, as many as show.
N_POINTS = 1001

# What counts as a gain, as a part of that of a model without errors, which gains the prevalence.
LEAST_GAIN = 0.02

# How far the picture reaches below 0, where no model is of use, as a part of the largest prevalence.
BELOW = 0.1

# Size of the axes in a new figure, in inches.
SIZE_OF_DECISIONS = (5.2, 3.6)


@dataclass(frozen=True, eq=False, repr=False)
class DecisionCurvePlot:
    """The artists of plotted decision curves, named as in scikit-learn's displays.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the lines.
    figure_ : matplotlib.figure.Figure
        The figure of these axes.
    lines_ : dict of label or name to matplotlib.lines.Line2D
        The line of each curve, by its label or name.
    treat_all_ : dict of label or name to matplotlib.lines.Line2D
        What acting on all samples gains, for each curve with a colour; one line for those that share it.
    treat_none_ : matplotlib.lines.Line2D
        What acting on none gains: 0.
    points_ : dict of label or name to matplotlib.lines.Line2D
        The marker of each curve that has one, by `threshold`.

    Examples
    --------
    >>> from skmetrics_ext import threshold_curve
    >>> plot = plot_decision_curve(threshold_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), name="forest")
    >>> [text.get_text() for text in plot.ax_.get_legend().get_texts()]
    ['forest', 'treat all', 'treat none']
    """

    ax_: Axes
    figure_: Figure
    lines_: dict[Any, Line2D]
    treat_all_: dict[Any, Line2D]
    treat_none_: Line2D
    points_: dict[Any, Line2D] = field(default_factory=dict)


def plot_decision_curve(
    curves: ThresholdCurve | Mapping[Any, ThresholdCurve | ThresholdCurves],
    *,
    name: str | None = None,
    threshold: float | Mapping[Any, float] | None = None,
    ax: Axes | None = None,
) -> DecisionCurvePlot:
    """Draw net benefit over threshold probability, beside treating all and treating none.

    The threshold probability t is the risk above which one acts: it says that a false positive costs
    t / (1 - t) of what a true positive gains. A model is of use where its line, `ThresholdCurve.net_benefit`, is
    above both others; it needs calibrated probabilities. The picture ends where no model gains 2 % of
    what one without errors would, the prevalence, and a little below 0. Curves drawn on axes that
    have some take the next colour. Needs
    matplotlib: `pip install 'skmetrics-ext[plot]'`.

    Parameters
    ----------
    curves : ThresholdCurve, ThresholdCurves or dict of name to ThresholdCurve or to ThresholdCurves
        One curve, those of all classes or groups, or one of each model; the curves of folds are drawn as
        that of all their samples. One of chosen thresholds is drawn as the points that it has. Of more
        than ten only the three that gain most and the three that gain least have a colour and a name;
        to choose others, pass those.
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
    DecisionCurvePlot
        With `ax_`, `figure_`, `lines_`, `treat_all_`, `treat_none_` and `points_`.

    Raises
    ------
    TypeError
        If `curves` are no curves, `threshold` is no number or `ax` no Axes.
    ValueError
        If scores or thresholds are not in [0, 1]; if there is no curve, or `threshold` is that of a
        curve that is not there.
    ImportError
        If matplotlib is not installed.

    References
    ----------
    Vickers & Elkin (2006), Decision curve analysis, Medical Decision Making 26:565.

    Examples
    --------
    >>> from skmetrics_ext import threshold_curve
    >>> curve = threshold_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> plot = plot_decision_curve(curve, threshold=0.2)
    >>> plot.points_[1].get_ydata().tolist()
    [0.4375]
    """
    named, marks = read_curves(curves, name, threshold)
    for one in named:
        one.curve.net_benefit([marks.get(one.key, 0)])
    end = max(map(_end_of_use, named)) or 1.0
    grid = np.linspace(0, end, N_POINTS)[: -1 if end == 1 else None]
    drawn = [_drawn_benefit(one, grid) for one in named]

    ax, own_figure = axes_for("plot_decision_curve", ax)
    before = ax.get_ylim() if ax.has_data() else (0.0, 0.0)
    ax.set(xlabel="threshold probability", ylabel="net benefit")
    ax.margins(x=MARGIN)
    draw_grid(ax)
    lines = draw_curves(ax, drawn)
    treat_none = draw_guide(ax, [0, end], [0, 0], "treat none", linestyle="--")
    treat_all, guides = draw_references(
        ax,
        lines,
        named,
        lambda _: "treat all",
        "treat all (of each)",
        lambda prevalence: (grid, prevalence - (1 - prevalence) * grid / (1 - grid)),
    )
    points, handles = draw_marks(ax, lines, named, marks, _place_on_benefit)
    most = max(one.prevalence for one in named) or 1.0
    ax.set_ylim(min(before[0], -BELOW * most), max(before[1], (1 + MARGIN) * most))
    for point in points.values():
        # A point far below the picture would stand in that below it.
        point.set_clip_on(np.min(point.get_ydata()) < ax.get_ylim()[0])
    draw_legend(ax, [*lines.handles, *handles], [*guides, treat_none], own_figure=own_figure)
    if own_figure:
        fit_figure(ax, *SIZE_OF_DECISIONS)
    return DecisionCurvePlot(ax, ax.figure.canvas.figure, lines.lines, treat_all, treat_none, points)


def _end_of_use(one: NamedCurve) -> float:
    """The largest threshold at which a model, or acting on all, gains something."""
    thresholds = one.curve.thresholds
    gains = thresholds[one.curve.net_benefit() > LEAST_GAIN * one.prevalence]
    return max(float(gains.max(initial=0)), one.prevalence)


def _drawn_benefit(one: NamedCurve, grid: NDArray[np.float64]) -> DrawnCurve:
    """The line of a curve, or the points of chosen thresholds."""
    text = one.text(None if one.n_positive else "no positives")
    if one.curve.at_every_score:
        gain = one.curve.net_benefit(grid)
        return DrawnCurve(one.key, text, float(gain.mean()), grid, gain)
    x = np.sort(one.curve.thresholds[one.curve.thresholds < 1]).astype(np.float64)
    gain = one.curve.net_benefit(x) if len(x) else x
    return DrawnCurve(one.key, text, float(gain.mean()) if len(x) else np.nan, x, gain, dots_of(len(x)))


def _place_on_benefit(curve: ThresholdCurve, threshold: float) -> tuple[float, float]:
    """A threshold and what it gains."""
    return threshold, float(curve.net_benefit([threshold])[0])
