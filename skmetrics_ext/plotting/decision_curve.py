"""Plots of decision curves: net benefit of models, and of treating all or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.division import ratio
from skmetrics_ext.curves.bands import limits_of_net_benefit
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.formulas import one_class
from skmetrics_ext.plotting.axes import (
    MARGIN,
    Axes,
    Figure,
    Line2D,
    PolyCollection,
    axes_for,
    draw_grid,
    draw_legend,
)
from skmetrics_ext.plotting.lines import draw_band
from skmetrics_ext.plotting.many_curves import (
    DrawnCurve,
    DrawnCurves,
    NamedCurve,
    dots_of,
    draw_curves,
    draw_guide,
    draw_marks,
    draw_references,
    read_curves,
)
from skmetrics_ext.reading.aliases import RandomState
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.statistics.request import Request, requested

# The thresholds on a line, as many as are visible.
N_POINTS = 1001

# The least net benefit of interest, as a fraction of the prevalence.
LEAST_GAIN = 0.02

# The thresholds of a band, up to one at which a false positive costs a thousand true ones.
N_LIMITS, MOST_RISK = 60, 0.999
# Where it begins, as a fraction of where it ends.
LEAST_RISK = 1e-3

# How far the y axis extends below 0, as a fraction of the largest prevalence.
BELOW = 0.1


@dataclass(frozen=True, eq=False, repr=False)
class DecisionCurvePlot:
    """The artists of plotted decision curves.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the lines.
    figure_ : matplotlib.figure.Figure
        Their figure.
    lines_ : dict of label or name to matplotlib.lines.Line2D
        The line of each curve.
    treat_all_ : dict of label or name to matplotlib.lines.Line2D
        That of treating all, for each colored curve.
    treat_none_ : matplotlib.lines.Line2D
        That of treating none: 0.
    points_ : dict of label or name to matplotlib.lines.Line2D
        The markers at `threshold`.
    bands_ : dict of label or name to matplotlib.collections.PolyCollection
        The confidence band of each colored curve; empty without `confidence_level`.

    Examples
    --------
    >>> from skmetrics_ext import ThresholdCurve, plot_decision_curve
    >>> curve = ThresholdCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> plot = plot_decision_curve(curve, name="forest")
    >>> [text.get_text() for text in plot.ax_.get_legend().get_texts()]
    ['forest', 'treat all', 'treat none']
    """

    ax_: Axes
    figure_: Figure
    lines_: dict[Any, Line2D]
    treat_all_: dict[Any, Line2D]
    treat_none_: Line2D
    points_: dict[Any, Line2D] = field(default_factory=dict)
    bands_: dict[Any, PolyCollection] = field(default_factory=dict)


@explained
def plot_decision_curve(
    curves: ThresholdCurve | Mapping[Any, ThresholdCurve | ThresholdCurves],
    *,
    name: str | None = None,
    threshold: float | Mapping[Any, float] | None = None,
    confidence_level: float | None = None,
    random_state: RandomState = 0,
    ax: Axes | None = None,
) -> DecisionCurvePlot:
    """Plot net benefit against threshold probability, with treat-all and treat-none as references.

    A calibrated model is useful at those risks, above which one would treat, where its curve,
    `ThresholdCurve.net_benefit`, is above both others.

    Parameters
    ----------
    curves : ThresholdCurve, ThresholdCurves or dict of name to ThresholdCurve or to ThresholdCurves
        As in `plot_roc`; folds are pooled.
    name : str, default=None
        Legend name of one curve; a prefix for those of several.
    threshold : float or dict of label or name to float, default=None
        Marks the point of each curve at this threshold, or at its own; for folds, that of the
        pooled curve.
    confidence_level : float, default=None
        At least 0.5 and below 1.
    random_state : int, numpy Generator or RandomState, default=0
        The same int gives the same interval; None: another at each call.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None: a new figure. An existing legend keeps its entries.

    Returns
    -------
    DecisionCurvePlot
        The artists.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If scores or thresholds are not in [0, 1], there is no curve, or none for `threshold`.
    ImportError
        If matplotlib is not installed.

    References
    ----------
    Vickers & Elkin (2006), Decision curve analysis, Medical Decision Making 26:565.

    Examples
    --------
    >>> from skmetrics_ext import ThresholdCurve
    >>> curve = ThresholdCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
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

    ax = axes_for("plot_decision_curve", ax)
    before = ax.get_ylim() if ax.has_data() else (0.0, 0.0)
    ax.set(xlabel="threshold probability", ylabel="net benefit")
    ax.margins(x=MARGIN)
    draw_grid(ax)
    lines = draw_curves(ax, drawn, curves)
    treat_none = draw_guide(ax, [0, end], [0, 0], "treat none", linestyle="--")
    treat_all, guides = draw_references(
        ax,
        lines,
        named,
        lambda _: "treat all",
        "treat all (each curve)",
        lambda one: (grid, _benefit_of_all(one, grid)),
    )
    bands: dict[Any, PolyCollection] = {}
    if confidence_level is not None:
        request = requested(confidence_level, random_state=random_state)
        bands = _draw_bands(ax, lines, named, end, request)
    points, handles = draw_marks(ax, lines, named, marks, _place_on_benefit)
    most = max(one.prevalence for one in named) or 1.0
    highest = max([most, *(float(band.get_datalim(ax.transData).y1) for band in bands.values())])
    ax.set_ylim(min(before[0], -BELOW * most), max(before[1], (1 + MARGIN) * highest))
    draw_legend(ax, [*lines.handles, *handles, *list(bands.values())[:1]], [*guides, treat_none])
    return DecisionCurvePlot(
        ax, ax.figure.canvas.figure, lines.lines, treat_all, treat_none, points, bands
    )


def _draw_bands(
    ax: Axes, lines: DrawnCurves, named: list[NamedCurve], end: float, request: Request
) -> dict[Any, PolyCollection]:
    """The limits of the net benefit of each curve with a color."""
    label = f"{100 * request.confidence_level:g} % at each threshold probability"
    bands = {}
    for one in named:
        if one.key in lines.colored and one.n_positive:
            x = np.linspace(LEAST_RISK, 1, N_LIMITS) * min(end, MOST_RISK)
            if not one.curve.at_every_score:
                given = np.sort(one.curve.thresholds).astype(np.float64)
                x = given[(given > 0) & (given < 1)]
            band = limits_of_net_benefit(one.curve, x, request)
            bands[one.key] = draw_band(ax, lines.lines[one.key], *band, label=label)
    return bands


def _end_of_use(one: NamedCurve) -> float:
    """The largest threshold with a net benefit of a model or of treating all."""
    thresholds = one.curve.thresholds
    gains = thresholds[one.curve.net_benefit() > LEAST_GAIN * one.prevalence]
    return max(float(gains.max(initial=0)), one.prevalence)


def _drawn_benefit(one: NamedCurve, grid: NDArray[np.float64]) -> DrawnCurve:
    """The line of a curve, or the points of given thresholds."""
    text = one.text(None if one.n_positive else "no positives")
    if one.curve.at_every_score:
        gain = one.curve.net_benefit(grid)
        return DrawnCurve(one.key, text, float(gain.mean()), grid, gain)
    x = np.sort(one.curve.thresholds[one.curve.thresholds < 1]).astype(np.float64)
    gain = one.curve.net_benefit(x) if len(x) else x
    return DrawnCurve(
        one.key, text, float(gain.mean()) if len(x) else np.nan, x, gain, dots_of(len(x))
    )


def _benefit_of_all(one: NamedCurve, grid: NDArray[np.float64]) -> NDArray[np.float64]:
    """The net benefit of treating all."""
    return ratio(*one_class.net_benefit(one.all_positive, threshold_probability=grid))  # type: ignore[arg-type]  # it broadcasts


def _place_on_benefit(curve: ThresholdCurve, threshold: float) -> tuple[float, float]:
    """A threshold and its net benefit."""
    return threshold, float(curve.net_benefit([threshold])[0])
