"""Plots of risk-coverage curves: wrong answers against samples answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.plotting.axes import (
    MARGIN,
    Axes,
    Figure,
    Line2D,
    axes_for,
    draw_grid,
    draw_legend,
)
from skmetrics_ext.plotting.many_curves import (
    DrawnCurve,
    NamedCurve,
    dots_of,
    draw_curves,
    draw_marks,
    read_curves,
)
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.order import show


@dataclass(frozen=True, eq=False, repr=False)
class RiskCoveragePlot:
    """The artists of plotted risk-coverage curves.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the lines.
    figure_ : matplotlib.figure.Figure
        Their figure.
    lines_ : dict of label or name to matplotlib.lines.Line2D
        The line of each curve.
    points_ : dict of label or name to matplotlib.lines.Line2D
        The markers at `threshold`.

    Examples
    --------
    >>> from skmetrics_ext import ThresholdCurve, plot_risk_coverage
    >>> curve = ThresholdCurve.from_scores([True, True, False, True], [0.9, 0.8, 0.7, 0.6])
    >>> plot = plot_risk_coverage(curve, name="forest")
    >>> plot.lines_["forest"].get_ydata().round(3)
    array([0.   , 0.   , 0.333, 0.25 ])
    """

    ax_: Axes
    figure_: Figure
    lines_: dict[Any, Line2D]
    points_: dict[Any, Line2D] = field(default_factory=dict)


@explained
def plot_risk_coverage(
    curves: ThresholdCurve | Mapping[Any, ThresholdCurve | ThresholdCurves],
    *,
    name: str | None = None,
    threshold: float | Mapping[Any, float] | None = None,
    ax: Axes | None = None,
) -> RiskCoveragePlot:
    """Plot the share of wrong answers (risk) against the share of samples answered (coverage), most
    certain first.

    A curve is of right answers by certainty: `AbstainingClassifier.curve_`, or of any model
    `ThresholdCurve.from_scores(model.predict(X) == y, model.predict_proba(X).max(axis=1))`.

    Parameters
    ----------
    curves : ThresholdCurve, ThresholdCurves or dict of name to ThresholdCurve or to ThresholdCurves
        As in `plot_roc`, but not of classes; folds are pooled.
    name : str, default=None
        Legend name of one curve; a prefix for those of several.
    threshold : float or dict of label or name to float, default=None
        Marks the point of each curve at this threshold, or at its own; for folds, that of the
        pooled curve.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None: a new figure. An existing legend keeps its entries.

    Returns
    -------
    RiskCoveragePlot
        The artists.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If there is no curve, or none for `threshold`, or its labels are not False and True.
    ImportError
        If matplotlib is not installed.

    References
    ----------
    El-Yaniv & Wiener (2010), On the foundations of noise-free selective classification, JMLR
    11:1605.

    Examples
    --------
    >>> from skmetrics_ext import ThresholdCurve
    >>> curve = ThresholdCurve.from_scores([True, True, False, True], [0.9, 0.8, 0.7, 0.6])
    >>> plot = plot_risk_coverage(curve, threshold=0.75)
    >>> plot.points_[True].get_xydata().tolist()
    [[0.5, 0.0]]
    """
    named, marks = read_curves(curves, name, threshold)
    ax = axes_for("plot_risk_coverage", ax)
    ax.set(xlabel="coverage: share of samples answered", ylabel="risk: share of wrong answers")
    ax.margins(MARGIN)
    ax.update_datalim([(0, 0), (1, 0)])
    draw_grid(ax)
    lines = draw_curves(ax, [_drawn_risk(one) for one in named], curves)
    points, handles = draw_marks(ax, lines, named, marks, lambda curve, at: _risk_at(curve.at(at)))
    draw_legend(ax, [*lines.handles, *handles])
    return RiskCoveragePlot(ax, ax.figure.canvas.figure, lines.lines, points)


def _drawn_risk(one: NamedCurve) -> DrawnCurve:
    """The line of a curve, from the most certain answers to all of them."""
    if one.curve.labels.dtype.kind != "b":
        raise ValueError(
            "a risk-coverage curve is of right answers, but the labels are "
            f"{show(one.curve.labels)}: make it with "
            "ThresholdCurve.from_scores(model.predict(X) == y, model.predict_proba(X).max(axis=1))."
        )
    x, y = _risk_at(one.curve)
    order = np.argsort(x, kind="stable")[np.isnan(y).sum() :]
    return DrawnCurve(one.key, one.text(), -y[order].mean(), x[order], y[order], dots_of(len(x)))


def _risk_at(counted: Any) -> tuple[Any, Any]:
    """Coverage and risk of a curve or a matrix; no risk where nothing is answered."""
    coverage = counted.score("predicted_positive_rate", zero_division=np.nan)
    return coverage, counted.score("false_discovery_rate", zero_division=np.nan)
