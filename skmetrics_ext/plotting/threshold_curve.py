"""Plots of metrics against the threshold, with matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice, read_metrics
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.catalogue.score import lowest_and_highest
from skmetrics_ext.curves.bands import Band, counted_at, limits_along, places_of_limits
from skmetrics_ext.curves.best import (
    BestThreshold,
    Bound,
    Constraint,
    best_threshold,
    read_constraints,
)
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.curves.designs import matrix_at
from skmetrics_ext.curves.values import choose_of_curve, row_of_one_class
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
from skmetrics_ext.plotting.lines import MOST_DOTS, draw_band, points_apart, value_as_text
from skmetrics_ext.plotting.many_curves import GUIDE, colors_taken, look_of
from skmetrics_ext.reading.aliases import RandomState
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.statistics.request import Request, requested
from skmetrics_ext.writing.text import level_as_text

# Visible on light and dark backgrounds.
EXCLUDED: dict[str, Any] = {"color": "0.5", "alpha": 0.2, "linewidth": 0, "zorder": 0.5}

# For a log axis: positives below this probability, ratios that differ by this factor.
NEAR_ZERO = 0.1
FAR = 100

# The largest span of a log axis of thresholds, and its margin.
MOST_TIMES = 1e6
LOG_MARGIN = 1.2


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdCurvePlot:
    """The artists of metrics plotted against the threshold.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes with the lines.
    figure_ : matplotlib.figure.Figure
        Their figure.
    lines_ : dict of str to matplotlib.lines.Line2D
        The line of each metric.
    best_ : BestThreshold or None
        The marked point, if any.
    bands_ : dict of str to matplotlib.collections.PolyCollection
        The band of each metric; empty without `confidence_level`.

    Examples
    --------
    >>> from skmetrics_ext import ThresholdCurve, plot_threshold_curve
    >>> curve = ThresholdCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> plot = plot_threshold_curve(curve)
    >>> list(plot.lines_), round(plot.best_.threshold, 3)
    (['f1', 'precision', 'recall'], 0.225)
    """

    ax_: Axes
    figure_: Figure
    lines_: dict[str, Line2D]
    best_: BestThreshold | None
    bands_: dict[str, PolyCollection] = field(default_factory=dict)


@explained
def plot_threshold_curve(
    curve: ThresholdCurve,
    metrics: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = (
        "f1",
        "precision",
        "recall",
    ),
    *,
    subject_to: Mapping[Any, Bound] | None = None,
    confidence_level: float | None = None,
    random_state: RandomState = 0,
    ax: Axes | None = None,
    **parameters: Any,
) -> ThresholdCurvePlot:
    """Plot metrics against the threshold, marking the best point of the first metric.

    Undefined (0/0) and infinite values leave gaps. The axis is a log one for probabilities of which
    half of the positive samples have less than 0.1.

    Parameters
    ----------
    curve : ThresholdCurve
        The curve, such as `curves[label]`.
    metrics : str, function, list or dict of name to metric, default=("f1", "precision", "recall")
        As in `ThresholdCurve.score`. The point marked is of the first that has a best value.
    subject_to : dict of metric to bound, default=None
        As in `ThresholdCurve.best`, of the point marked; other thresholds are shaded.
    confidence_level : float, default=None
        With 0.95, say, a band shows the limits of `ConfusionMatrix.interval` at each threshold. At
        the marked point, chosen on the same data, it is optimistic. None: no band.
    random_state : int, numpy Generator or RandomState, default=0
        The same int gives the same bootstrap intervals; None: others at each call.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None: a new figure. An existing legend keeps its entries.
    **parameters
        Parameters such as `beta`, for every metric that accepts them.

    Returns
    -------
    ThresholdCurvePlot
        The artists.

    Raises
    ------
    TypeError
        If an argument has the wrong type, or a parameter is missing or of no metric.
    ValueError
        If no metric is given, or one is unknown or listed twice; if no threshold satisfies the
        bounds, or bands are requested and weights are not whole numbers.
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> from skmetrics_ext import ThresholdCurve
    >>> curve = ThresholdCurve.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> plot = plot_threshold_curve(curve, ["precision", "recall"], subject_to={"recall": 0.9})
    >>> round(plot.best_.threshold, 3), round(plot.best_.value, 3)
    (0.225, 0.667)
    """
    if not isinstance(curve, ThresholdCurve):
        raise TypeError(_no_curve(curve))
    curve = curve._with_ends()
    scores = _read_scores(curve, metrics, parameters)
    constraints = read_constraints(subject_to, partial(curve.score, zero_division=np.nan))
    # The best of a bounded metric would be far from its bound.
    bounded = [row_of_one_class(metric) for metric in subject_to or ()]
    with_best = [score for score in scores if score.has_best]
    marked = next((score for score in with_best if score.row not in bounded), None)
    marked = marked or next(iter(with_best), None)
    if marked is None and constraints:
        # Refused below, with the reason.
        marked = scores[0]
    place, best = None, None
    if marked is not None:
        place, best = best_threshold(curve, marked.metric, marked.values, constraints)
    limits, level = [], ""
    if confidence_level is not None:
        request = requested(confidence_level, random_state=random_state)
        limits = _limits_of(curve, scores, place, request)
        level = f"{level_as_text(confidence_level)} confidence intervals"

    ax = axes_for("plot_threshold_curve", ax)
    is_empty = not ax.has_data()
    what = scores[0].name if len(scores) == 1 else "value"
    ax.set_xlabel("threshold")
    ax.set_ylabel(what if is_empty or ax.get_ylabel() == what else "value", parse_math=False)
    draw_grid(ax)
    ax.margins(MARGIN)
    lines = _draw_scores(ax, curve, scores)
    if best is not None and np.isfinite(best.value):
        # At infinity it is on no line.
        ax.update_datalim([(0, best.value)], updatex=False)
    pairs = zip(lines.items(), limits, strict=False)
    bands = {name: draw_band(ax, line, *band, label=level) for (name, line), band in pairs}
    shading = [_shade(ax, curve, constraints)] if constraints else []
    if is_empty:
        _choose_scales(ax, curve, scores)
    mark = []
    if marked is not None and best is not None:
        mark = [_mark(ax, marked, best, str(lines[marked.name].get_color()))]
    draw_legend(ax, [*lines.values(), *mark, *list(bands.values())[:1], *shading])
    return ThresholdCurvePlot(ax, ax.figure.canvas.figure, lines, best, bands)


class Score(NamedTuple):
    """A metric with its name in the legend, its parameters, and its values."""

    name: str
    metric: str | Callable[..., Any]
    row: Metric
    parameters: dict[str, Any]
    values: NDArray[np.float64]
    # The lowest and the highest value that it can have.
    ends: tuple[float, float]

    @property
    def has_best(self) -> bool:
        """Whether there is a best threshold, possibly tied."""
        return self.row.better != "neither" and not np.isnan(self.values).all()


def _no_curve(given: Any) -> str:
    """The message for anything but a curve of one class."""
    if isinstance(given, ThresholdCurves):
        return (
            "curve must be for one class; got ThresholdCurves: pass one of them, curves[label], or "
            "curves.micro."
        )
    return (
        f"curve must be a ThresholdCurve; got {type(given).__name__}. Make one with "
        "ThresholdCurve.from_scores(y_true, y_score)."
    )


def _read_scores(curve: ThresholdCurve, metrics: Any, parameters: dict[str, Any]) -> list[Score]:
    """The metrics to draw, with their values."""
    asked = read_metrics(metrics, parameters, row_of_one_class)
    return [
        Score(
            name,
            *one,
            values=curve.score(one.metric, zero_division=np.nan, **one.parameters),
            ends=_ends_of(curve, choose_of_curve(one.metric, curve.labels, one.parameters)),
        )
        for name, one in asked.items()
    ]


def _ends_of(curve: ThresholdCurve, choice: Choice) -> tuple[float, float]:
    """The lowest and the highest value that a metric can have on a curve."""
    every = np.arange(len(curve.thresholds))
    low, high = lowest_and_highest(counted_at(curve, every), choice)
    return float(np.min(low)), float(np.max(high))


def _limits_of(
    curve: ThresholdCurve, scores: list[Score], place: int | None, request: Request
) -> list[Band]:
    """The confidence limits of each metric, at common thresholds."""
    x, order = _increasing_thresholds(curve)
    places = places_of_limits(x, np.flatnonzero(order == place))
    choices = [choose_of_curve(score.metric, curve.labels, score.parameters) for score in scores]
    return [limits_along(curve, choice, order[places], request) for choice in choices]


def _draw_scores(ax: Axes, curve: ThresholdCurve, scores: list[Score]) -> dict[str, Line2D]:
    """One line per metric, the first on top."""
    x, order = _increasing_thresholds(curve)
    style: dict[str, Any] = {"drawstyle": _drawstyle_of(curve)}
    if not curve.at_every_score and len(x) <= MOST_DOTS:
        style["marker"] = "."
    first = colors_taken(ax)
    lines = {}
    for k, score in enumerate(scores):
        y = np.where(np.isfinite(score.values), score.values, np.nan)[order]
        look = {**look_of(first + k), **style, "zorder": 3 - k / len(scores)}
        label = f"{score.name} (undefined)" if np.isnan(score.values).all() else score.name
        (lines[score.name],) = ax.plot(*points_apart(x, y), label=label, **look)
    # Even without defined values there are thresholds.
    ax.update_datalim([(end, 0) for end in x[[0, -1]]] if len(x) else [], updatey=False)
    if _all_between(scores, 0, 1):
        ax.update_datalim([(0, 0), (0, 1)], updatex=False)
    return lines


def _choose_scales(ax: Axes, curve: ThresholdCurve, scores: list[Score]) -> None:
    """Log axes where linear ones would squeeze what matters to an edge."""
    x, _ = _increasing_thresholds(curve)
    if ax.get_xscale() == "linear" and _are_near_zero(curve, x):
        ax.set_xscale("log")
        # For now: another scale computes its own.
        least = max(x[x > 0][0], x[-1] / MOST_TIMES)
        ax.set_xlim(left=max(ax.get_xlim()[0], least / LOG_MARGIN), auto=True)
    are_ratios = _all_between(scores, 0, np.inf)
    values = np.concatenate([score.values for score in scores])
    shown = values[np.isfinite(values) & (values > 0)]
    are_far_apart = len(shown) > 0 and shown.max() > FAR * shown.min()
    if are_ratios and ax.get_yscale() == "linear" and are_far_apart:
        ax.set_yscale("log")


def _all_between(scores: list[Score], low: float, high: float) -> bool:
    """Whether all metrics have these ends."""
    return all(score.ends == (low, high) for score in scores)


def _are_near_zero(curve: ThresholdCurve, x: NDArray[np.float64]) -> bool:
    """Whether half of the positive samples are in the first tenth of the axis."""
    are_probabilities = len(x) > 0 and x[0] >= 0 and 0 < x[-1] <= 1
    # Bins have counts only at their edges, near enough for a scale.
    return are_probabilities and bool(
        matrix_at(curve, NEAR_ZERO).score("recall", zero_division=np.nan) < 0.5
    )


def _increasing_thresholds(curve: ThresholdCurve) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The finite thresholds, increasing, and their indices in the curve."""
    order = np.argsort(curve.thresholds, kind="stable")
    order = order[np.isfinite(curve.thresholds[order])]
    return curve.thresholds[order].astype(np.float64), order


def _drawstyle_of(curve: ThresholdCurve) -> str:
    """How thresholds are joined, which depends on ties."""
    if not curve.at_every_score:
        return "default"
    return "steps-pre" if curve.ties == "positive" else "steps-post"


def _shade(ax: Axes, curve: ThresholdCurve, constraints: list[Constraint]) -> Any:
    """Shade the thresholds that violate a constraint, given ones half-way to the next."""
    x, order = _increasing_thresholds(curve)
    holds = np.logical_and.reduce([constraint.holds for constraint in constraints])
    excluded = 1.0 - holds[order]
    # Areas are not simplified when they are drawn.
    is_edge = np.diff(excluded, prepend=np.nan, append=np.nan) != 0
    kept = is_edge[:-1] | is_edge[1:]
    label = "\n".join(["excluded by", *(constraint.text for constraint in constraints)])
    step: Any = _drawstyle_of(curve).removeprefix("steps-").replace("default", "mid")
    # All thresholds are within the limits already; the area's are rounded.
    limits = ax.dataLim.frozen()
    style = {"label": label, "step": step, "transform": ax.get_xaxis_transform(), **EXCLUDED}
    area = ax.fill_between(x[kept], excluded[kept], **style)
    ax.dataLim = limits
    return area


def _mark(ax: Axes, score: Score, best: BestThreshold, color: str) -> Line2D:
    """A marker at the best point, which the legend describes; at the edge if off the scale, such as
    at infinity.
    """
    x = float(np.clip(best.threshold, *ax.get_xlim()))
    y = float(np.clip(best.value, *ax.get_ylim()))
    label = f"{score.name} {value_as_text(best.value, 3)} at {value_as_text(best.threshold, 3)}"
    # The limits of a log axis are already set.
    style: dict[str, Any] = {"color": color, "scalex": False, "scaley": False}
    at_line = ax.get_xaxis_transform()
    ax.plot([x, x], [0, 1], linewidth=1, linestyle=":", zorder=1.5, transform=at_line, **style)
    style |= {
        "markeredgecolor": ax.get_facecolor(),
        "markersize": 8,
        "zorder": 4,
        "clip_on": False,
        "gid": GUIDE,
    }
    (marker,) = ax.plot(x, y, "o", label=label, **style)
    return marker
