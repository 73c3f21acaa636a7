"""Curves of folds as one: their mean, a band of one standard deviation around it, and thin lines of the folds."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.undefined import warn_undefined
from skmetrics_ext.pictures.bands import held_together
from skmetrics_ext.pictures.lines import OPACITY_OF_BANDS, points_to_draw
from skmetrics_ext.pictures.many_curves import GUIDE, GUIDE_COLOUR, NO_POINTS, DrawnCurve, DrawnCurves, NamedCurve
from skmetrics_ext.reading.order import show

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D

# Where curves are averaged, at most; of more points that they have some are enough for a picture.
MOST_COMMON_POINTS = 1 << 14

# What differs by less than this does so by rounding.
NOTHING = 1e-9

THIN: dict[str, Any] = {"linewidth": 0.7, "zorder": 1.7, "gid": GUIDE}
OPACITY_OF_FOLDS = 0.45
# So many thin lines are seen one by one; of more each is fainter.
FEW_FOLDS = 10

# The values of all curves at common places of the axis.
Aligned = tuple[NDArray[np.float64], NDArray[np.float64]]


class MeanCurve(NamedTuple):
    """The mean of the folds as drawn, where its band is, and the folds themselves."""

    mean: DrawnCurve
    x: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    folds: Mapping[Any, DrawnCurve]

    @property
    def n_defined(self) -> int:
        """How many folds have a line."""
        return sum(len(fold.x) > 0 for fold in self.folds.values())


class DrawnFolds(NamedTuple):
    """The band and the thin lines of each mean curve, and the entries of the legend."""

    bands: dict[Any, "PolyCollection"]
    lines: dict[Any, dict[Any, "Line2D"]]
    handles: list[Any]


def mean_curve(
    one: NamedCurve, folds: Mapping[Any, DrawnCurve], area: str, align: Callable[[Sequence[DrawnCurve]], Aligned]
) -> MeanCurve:
    """The mean of the folds that are defined, and its name with the mean area and the standard deviation."""
    defined = [fold for fold in folds.values() if len(fold.x)]
    if not defined:
        causes = " or ".join(dict.fromkeys(fold.text for fold in folds.values()))
        nothing = DrawnCurve(one.key, one.text(causes), np.nan, NO_POINTS, NO_POINTS)
        return MeanCurve(nothing, NO_POINTS, NO_POINTS, NO_POINTS, folds)
    areas = np.array([fold.value for fold in defined])
    details = f"{area} {_mean_as_text(areas)}"
    text = f"mean ({details})" if one.name is None else one.text(details)
    x, values = align(defined)
    mean, deviation = values.mean(axis=0), values.std(axis=0)
    low, high = np.clip([mean - deviation, mean + deviation], 0, 1)
    kept = np.union1d(points_to_draw(x, low), points_to_draw(x, high))
    on_line = points_to_draw(x, mean)
    line = DrawnCurve(one.key, text, float(areas.mean()), x[on_line], mean[on_line], defined[0].style)
    return MeanCurve(line, x[kept], low[kept], high[kept], folds)


def common_places(curves: Sequence[DrawnCurve]) -> NDArray[np.float64]:
    """Every x that one of the curves has, or of very many some, the first and the last among them."""
    places = np.unique(np.concatenate([curve.x for curve in curves]))
    if len(places) <= MOST_COMMON_POINTS:
        return places
    return places[np.linspace(0, len(places) - 1, MOST_COMMON_POINTS).astype(np.intp)]


def warn_of_undefined_folds(metric: str, curves: Sequence[NamedCurve], means: Mapping[Any, MeanCurve]) -> None:
    """One warning for each model some of whose folds are left out of the mean."""
    for one in curves:
        folds = means[one.key].folds if one.key in means else {}
        lacking = {key: fold.text for key, fold in folds.items() if not len(fold.x)}
        if lacking:
            of_model = "" if one.name is None else f" of {one.key!r}"
            warn_undefined(
                f"{metric} is undefined for the folds {show(np.array([*lacking]))}{of_model}, since there are "
                f"{' or '.join(dict.fromkeys(lacking.values()))}: left out of the mean."
            )


def draw_folds(ax: "Axes", drawn: DrawnCurves, means: Mapping[Any, MeanCurve]) -> DrawnFolds:
    """A band around each mean that has a colour; where there is one mean alone, its folds too."""
    from matplotlib.patches import Patch

    shown = {key: mean for key, mean in means.items() if key in drawn.coloured and mean.n_defined > 1}
    bands = {key: _draw_band_of(ax, mean, drawn.lines[key]) for key, mean in shown.items()}
    lines = {}
    if len(drawn.lines) == 1:
        lines = {key: _draw_thin(ax, mean, drawn.lines[key]) for key, mean in shown.items()}
    if not bands:
        return DrawnFolds(bands, lines, [])
    numbers = {mean.n_defined for mean in shown.values()}
    label = f"± 1 sd of {numbers.pop() if len(numbers) == 1 else 'the'} folds"
    colours = {line.get_color() for key, line in drawn.lines.items() if key in bands}
    colour = colours.pop() if len(colours) == 1 else GUIDE_COLOUR
    opacity = OPACITY_OF_BANDS if len(bands) == 1 else 2 * OPACITY_OF_BANDS
    return DrawnFolds(bands, lines, [Patch(color=colour, alpha=opacity, linewidth=0, label=label)])


def _draw_band_of(ax: "Axes", mean: MeanCurve, line: "Line2D") -> "PolyCollection":
    """One standard deviation to either side of a mean, with its steps."""
    step: Any = "pre" if line.get_drawstyle() == "steps-pre" else None
    style: dict[str, Any] = {"color": line.get_color(), "alpha": OPACITY_OF_BANDS, "linewidth": 0, "zorder": 1.2}
    return held_together(ax.fill_between(mean.x, mean.low, mean.high, step=step, **style))


def _draw_thin(ax: "Axes", mean: MeanCurve, line: "Line2D") -> dict[Any, "Line2D"]:
    """The folds in the colour of their mean, without entries in a legend."""
    opacity = OPACITY_OF_FOLDS * min(1, (FEW_FOLDS / len(mean.folds)) ** 0.5)
    style = {"color": line.get_color(), "alpha": opacity, "drawstyle": line.get_drawstyle(), **THIN}
    return {key: ax.plot(fold.x, fold.y, **style, label=f"_fold {key}")[0] for key, fold in mean.folds.items()}


def _mean_as_text(areas: NDArray[np.float64]) -> str:
    """Mean and standard deviation with as many decimals as the latter needs, and no whole number that is none."""
    mean, deviation = float(areas.mean()), float(areas.std())
    decimals = 2
    while decimals < 9 and (_misleads(mean, decimals) or _misleads(deviation, decimals)):
        decimals += 1
    return f"{mean:.{decimals}f}" + f" ± {deviation:.{decimals}f}" * (len(areas) > 1)


def _misleads(value: float, decimals: int) -> bool:
    """Whether a value is rounded to a whole number, and not by a hair."""
    return float(f"{value:.{decimals}f}").is_integer() and abs(value - round(value)) > NOTHING
