"""The curves in a plot: means of folds, colors, legend entries, and points."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.averages import mean_and_spread
from skmetrics_ext.catalogue.undefined import warn_undefined
from skmetrics_ext.counting.axes import with_dates
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.plotting.axes import REFERENCE, Axes, Line2D, PolyCollection, kind_of_order
from skmetrics_ext.plotting.lines import (
    LINE_COLOURS,
    LINE_WIDTH,
    MOST_DOTS,
    OPACITY_OF_BANDS,
    draw_band,
    points_apart,
    value_as_text,
)
from skmetrics_ext.reading.arguments import check_number
from skmetrics_ext.reading.order import show
from skmetrics_ext.writing.text import count_as_text, on_one_line, shortened

# Neighbors differ in it, and so do lines whose colors are the same.
STYLES_OF_CURVES = ("-", "--", "-.")
OTHERS: dict[str, Any] = {"color": "0.5", "alpha": 0.45, "linewidth": 0.7, "zorder": 1.8}
GUIDE_COLOUR = "0.6"

STYLES_OF_AVERAGES = {"macro": (0, (3.6, 1.4)), "micro": (0, (1.2, 0.9))}

# Of more curves than colors, so many of the best and of the worst are colored.
NAMED_OF_EACH = 3

# The most columns of the name of one of several curves.
WIDEST_NAME = 20

# Of curves in an order, more than these are not all named, and none is lighter.
MOST_OF_SERIES = 12
LIGHTEST = 0.9

# Mark the lines that take a color from the cycle, and those that do not.
CURVE, GUIDE = "curve", "guide"

NO_POINTS = np.zeros(0)

# The most points at which curves are averaged.
MOST_COMMON_POINTS = 1 << 14

# Smaller differences are rounding errors.
NOTHING = 1e-9

THIN: dict[str, Any] = {"linewidth": 0.7, "zorder": 1.7, "gid": GUIDE}
OPACITY_OF_FOLDS = 0.45
# With more thin lines than this, each is fainter.
FEW_FOLDS = 10

# The values of all curves at common places of the axis.
Aligned = tuple[NDArray[np.float64], NDArray[np.float64]]

# The samples whose number an entry of the legend shows.
Counted = Literal["nothing", "positives", "samples"]


class NamedCurve(NamedTuple):
    """A curve, its names in the result and the legend, samples to count there, and folds if any."""

    key: Any
    name: str | None
    curve: ThresholdCurve
    counted: Counted = "nothing"
    folds: ThresholdCurves | None = None

    @property
    def n_positive(self) -> Any:
        """The weight of the positive samples."""
        return (self.curve.counts.tp[0] + self.curve.counts.fn[0]).item()

    @property
    def n_negative(self) -> Any:
        """The weight of the other samples."""
        return (self.curve.counts.fp[0] + self.curve.counts.tn[0]).item()

    @property
    def all_positive(self) -> ClassCounts:
        """The counts where all samples are called positive."""
        none = np.array(0)
        return ClassCounts(self.n_positive, self.n_negative, none, none)

    @property
    def n_samples(self) -> Any:
        """The weight of all samples."""
        return self.n_positive + self.n_negative

    @property
    def prevalence(self) -> float:
        """The proportion of positive samples."""
        return float(self.n_positive / self.n_samples)

    def text(self, what: str | None = None) -> str:
        """Its entry in the legend: name, value, number of samples."""
        n = 0
        if self.counted == "positives":
            n = self.n_positive
        elif self.counted == "samples":
            n = self.n_samples
        number = number_as_text(n) if n else None
        details = ", ".join(filter(None, [what, number]))
        if self.name is None:
            return details or "model"
        return f"{self.name} ({details})" if details else self.name


class DrawnCurve(NamedTuple):
    """A curve as drawn: its entry in the legend, a value to rank it by, its points and style."""

    key: Any
    text: str
    value: float = np.nan
    x: NDArray[np.float64] = NO_POINTS
    y: NDArray[np.float64] = NO_POINTS
    style: Mapping[str, Any] = {}


class DrawnCurves(NamedTuple):
    """The line of each curve, those in the legend, and the keys of colored ones."""

    lines: dict[Any, Line2D]
    handles: list[Line2D]
    colored: list[Any]


def number_as_text(n: float) -> str:
    """A number of samples in the legend."""
    return f"n = {count_as_text(n)}"


def common_number(named: list[NamedCurve]) -> str | None:
    """The number of samples of all curves, if their entries have none and it is the same."""
    numbers = {one.n_samples for one in named}
    has_own = any(one.counted != "nothing" for one in named)
    return None if has_own or len(numbers) > 1 else number_as_text(numbers.pop())


def with_number(one: NamedCurve) -> NamedCurve:
    """The curve with the number of its samples in its entry, if it has none there yet."""
    return one._replace(counted="samples") if one.counted == "nothing" else one


def read_curves(
    curves: Any, name: Any, threshold: Any
) -> tuple[list[NamedCurve], dict[Any, float]]:
    """The curves to draw, from any input, and the thresholds to mark."""
    named = _read_named(curves, name)
    return named, _read_marks(threshold, named)


def _read_named(curves: Any, name: Any) -> list[NamedCurve]:
    """The curves with their names; folds are a single pooled curve."""
    if isinstance(curves, ThresholdCurve) or _are_folds(curves):
        given = None if name is None else on_one_line(name)
        return [_named(curves.pos_label if name is None else name, given, curves)]
    if not isinstance(curves, Mapping):
        raise TypeError(
            "curves must be a ThresholdCurve or ThresholdCurves, or a dict of name to "
            "ThresholdCurve; got "
            f"{type(curves).__name__}. Make them with ThresholdCurve.from_scores(y_true, y_score) "
            "or ThresholdCurves.from_scores(y_true, y_score); plot_roc and plot_precision_recall "
            "also take y_true and y_score."
        )
    if not curves:
        raise ValueError("curves is empty: pass at least one.")
    prefix = "" if name is None else f"{on_one_line(name)}: "
    for key, curve in curves.items():
        if not isinstance(curve, ThresholdCurve) and not _are_folds(curve):
            raise TypeError(
                f"curves[{key!r}] must be a ThresholdCurve; got "
                f"{type(curve).__name__}{_advice(curve)}."
            )
    counted: Counted = "nothing"
    if isinstance(curves, ThresholdCurves):
        counted = "positives" if are_of_classes(curves) else "samples"
    names = shortened([prefix + on_one_line(key) for key in curves], WIDEST_NAME)
    return [
        _named(key, name, curve, counted)
        for (key, curve), name in zip(curves.items(), names, strict=True)
    ]


def are_of_classes(curves: Any) -> bool:
    """Whether these are curves of classes or labels, with averages."""
    return isinstance(curves, ThresholdCurves) and curves.axis.name in ("class", "label")


def _are_folds(curves: Any) -> bool:
    """Whether these are curves of the folds of one model."""
    return isinstance(curves, ThresholdCurves) and curves.axis.name == "fold"


def _named(key: Any, name: str | None, curve: Any, counted: Counted = "nothing") -> NamedCurve:
    """One curve, or folds together with their pooled curve."""
    if isinstance(curve, ThresholdCurves):
        return NamedCurve(key, name, curve.sum("fold"), counted, curve)
    return NamedCurve(key, name, curve, counted)


def _advice(curve: Any) -> str:
    """What to pass instead of the curves of classes or groups."""
    if not isinstance(curve, ThresholdCurves):
        return ""
    pooled = ".micro" if are_of_classes(curve) else f".sum({curve.axis.name!r})"
    return f"; from ThresholdCurves, pass one curve, or the pooled curve {pooled}"


def name_of_average(average: str, name: Any) -> str:
    """The name of an average, and of its model if any."""
    return f"{average} average" if name is None else f"{on_one_line(name)}: {average} average"


def _read_marks(threshold: Any, curves: list[NamedCurve]) -> dict[Any, float]:
    """The threshold to mark on each curve that has one."""
    if threshold is None:
        return {}
    keys = [curve.key for curve in curves]
    of_curves = (
        dict(threshold) if isinstance(threshold, Mapping) else dict.fromkeys(keys, threshold)
    )
    if unknown := [key for key in of_curves if key not in keys]:
        raise ValueError(f"threshold has the key {unknown[0]!r}, but the curves are {keys}.")
    for value in of_curves.values():
        check_number(value, "threshold")
        if value != value:
            raise ValueError("threshold is NaN, which no score reaches: pass a number.")
    return of_curves


def dots_of(n_thresholds: int) -> dict[str, Any]:
    """Dots at given thresholds, while they are distinguishable."""
    return {"marker": "."} if n_thresholds <= MOST_DOTS else {}


def draw_curves(ax: Axes, curves: list[DrawnCurve], source: Any) -> DrawnCurves:
    """Each in the next color; of many, only the best and the worst."""
    if isinstance(source, ThresholdCurves):
        coordinates = with_dates(source.axis.coordinates)
        if kind_of_order(source.axis.name, coordinates):
            return _draw_series(ax, curves, np.argsort(coordinates, kind="stable"))
    if len(curves) > len(LINE_COLOURS):
        return _draw_many_curves(ax, curves)
    first = colors_taken(ax)
    lines = {
        curve.key: draw_line(ax, curve, **look_of(first + k)) for k, curve in enumerate(curves)
    }
    return DrawnCurves(lines, list(lines.values()), [*lines])


def _draw_series(ax: Axes, curves: list[DrawnCurve], order: NDArray[np.intp]) -> DrawnCurves:
    """Curves in an order, such as months, from dark to light; of many, only some are named."""
    from matplotlib import colormaps

    colors = colormaps["viridis"](np.linspace(0, LIGHTEST, len(curves)))
    style: dict[str, Any] = {"linewidth": LINE_WIDTH, "gid": CURVE}
    in_order = [
        draw_line(ax, curves[k], color=color, **style)
        for k, color in zip(order, colors, strict=True)
    ]
    lines = {curves[k].key: line for k, line in zip(order, in_order, strict=True)}
    handles = in_order
    if len(in_order) > MOST_OF_SERIES:
        named = np.linspace(0, len(in_order) - 1, 2 * NAMED_OF_EACH).astype(int)
        handles = [in_order[place] for place in named]
    return DrawnCurves(lines, handles, [*lines])


def _draw_many_curves(ax: Axes, curves: list[DrawnCurve]) -> DrawnCurves:
    """The best and the worst in color, all others thin and gray with one entry."""
    first = colors_taken(ax)
    lines = {curve.key: draw_line(ax, curve, **OTHERS, gid=GUIDE) for curve in curves}
    defined = [curve for curve in curves if len(curve.x)]
    # Those without an area come last.
    ranked = sorted(defined, key=lambda curve: np.inf if np.isnan(curve.value) else -curve.value)
    of_each = min(NAMED_OF_EACH, (len(ranked) + 1) // 2)
    best, worst = ranked[:of_each], ranked[of_each:][-of_each:]
    for k, curve in enumerate([*best, *worst]):
        rank = "best" if k < of_each else "worst"
        lines[curve.key].set(**look_of(first + k), alpha=1, zorder=2, label=f"{rank}: {curve.text}")
    colored = [curve.key for curve in (*best, *worst)]
    handles = [lines[key] for key in colored]
    undefined = [curve for curve in curves if not len(curve.x)]
    others = [curve for curve in defined if curve.key not in colored]
    for rest, text in ((others, "others"), (undefined, "undefined")):
        if rest:
            line = lines[rest[0].key]
            line.set_label(f"{len(rest)} {text}")
            handles.append(line)
    return DrawnCurves(lines, handles, colored)


def draw_line(ax: Axes, curve: DrawnCurve, **style: Any) -> Line2D:
    """One line, without points if it is undefined."""
    look = {"label": curve.text, **curve.style, **style}
    (line,) = ax.plot(*points_apart(curve.x, curve.y), **look)
    return line


def draw_average(ax: Axes, average: DrawnCurve) -> Line2D:
    """An average, dashed and in the color of the text."""
    ink = ax.xaxis.label.get_color()
    style: dict[str, Any] = {
        "color": ink,
        "linewidth": LINE_WIDTH,
        "linestyle": STYLES_OF_AVERAGES[average.key],
    }
    return draw_line(ax, average, **style, zorder=3, gid=GUIDE)


def draw_guide(ax: Axes, x: Any, y: Any, label: str, **style: Any) -> Line2D:
    """A thin gray reference line; an existing identical one is reused."""
    points = np.column_stack([x, y])
    for line in ax.lines:
        if (line.get_gid(), line.get_label()) == (REFERENCE, label) and np.array_equal(
            line.get_xydata(), points
        ):
            return line
    look: dict[str, Any] = {
        "color": GUIDE_COLOUR,
        "linewidth": 1,
        "zorder": 1.5,
        "gid": REFERENCE,
        "label": label,
    }
    (line,) = ax.plot(x, y, **look | style)
    return line


def draw_references(
    ax: Axes,
    drawn: DrawnCurves,
    curves: list[NamedCurve],
    text: Callable[[NamedCurve], str],
    text_of_several: str,
    points: Callable[[NamedCurve], tuple[Any, Any]],
) -> tuple[dict[Any, Line2D], list[Any]]:
    """A line from each prevalence, in the curve's color unless all are equal; legend entries."""
    from matplotlib.lines import Line2D

    defined = [one for one in curves if one.key in drawn.colored and one.n_positive]
    differ = len({one.prevalence for one in defined}) > 1
    lines = {}
    for one in defined:
        style = {"color": drawn.lines[one.key].get_color(), "linestyle": ":"} if differ else {}
        lines[one.key] = draw_guide(ax, *points(one), text(one), **style)
    of_several = Line2D(
        [], [], color=GUIDE_COLOUR, linewidth=1, linestyle=":", label=text_of_several
    )
    return lines, [of_several] if differ else [*lines.values()][:1]


def draw_marks(
    ax: Axes,
    drawn: DrawnCurves,
    curves: list[NamedCurve],
    thresholds: dict[Any, float],
    place: Callable[[ThresholdCurve, float], tuple[float, float]],
) -> tuple[dict[Any, Line2D], list[Any]]:
    """A marker at the threshold of each colored curve, and the legend entries."""
    from matplotlib.lines import Line2D

    style: dict[str, Any] = {
        "linestyle": "",
        "marker": "o",
        "markersize": 8,
        "markeredgecolor": ax.get_facecolor(),
    }
    texts = {key: f"at {value_as_text(float(value), 3)}" for key, value in thresholds.items()}
    marks = {}
    for one in curves:
        if one.key not in thresholds or one.key not in drawn.colored:
            continue
        x, y = place(one.curve, thresholds[one.key])
        text = f"{one.name} {texts[one.key]}" if one.name else texts[one.key]
        color = drawn.lines[one.key].get_color()
        look: dict[str, Any] = {**style, "color": color, "zorder": 4, "gid": GUIDE}
        (marks[one.key],) = ax.plot([x], [y], label=text, **look)
    handles: list[Any] = list(marks.values())
    if len(handles) > 1 and len(set(thresholds.values())) == 1:
        handles = [Line2D([], [], **style, color=GUIDE_COLOUR, label=texts[next(iter(texts))])]
    return marks, handles


def look_of(k: int) -> dict[str, Any]:
    """The color and the style of the k-th line of a plot."""
    style = STYLES_OF_CURVES[k % len(STYLES_OF_CURVES)]
    return {
        "color": LINE_COLOURS[k % len(LINE_COLOURS)],
        "linestyle": style,
        "linewidth": LINE_WIDTH,
        "gid": CURVE,
    }


def colors_taken(ax: Axes) -> int:
    """The number of existing curves, also of other code, whose colors may look alike."""
    others = [
        line
        for line in ax.lines
        if line.get_gid() is None and not str(line.get_label()).startswith("_")
    ]
    # A line of two points is not a curve, but a chance line.
    n_others = sum(len(np.atleast_1d(line.get_xdata())) > 2 for line in others)
    return n_others + sum(line.get_gid() == CURVE for line in ax.lines)


class MeanCurve(NamedTuple):
    """The mean of the folds as drawn, its band, and the folds themselves."""

    mean: DrawnCurve
    x: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    folds: Mapping[Any, DrawnCurve]

    @property
    def n_defined(self) -> int:
        """The number of folds with a line."""
        return sum(len(fold.x) > 0 for fold in self.folds.values())


class DrawnFolds(NamedTuple):
    """The band and the thin lines of each mean curve, and the legend entries."""

    bands: dict[Any, PolyCollection]
    lines: dict[Any, dict[Any, Line2D]]
    handles: list[Any]


def mean_curve(
    one: NamedCurve,
    folds: Mapping[Any, DrawnCurve],
    area: str,
    align: Callable[[Sequence[DrawnCurve]], Aligned],
) -> MeanCurve:
    """The mean of the defined folds, with the mean area and its spread in the name."""
    defined = [fold for fold in folds.values() if len(fold.x)]
    if not defined:
        causes = " or ".join(dict.fromkeys(fold.text for fold in folds.values()))
        return MeanCurve(
            DrawnCurve(one.key, one.text(causes)), NO_POINTS, NO_POINTS, NO_POINTS, folds
        )
    areas = np.array([fold.value for fold in defined])
    details = f"{area} {_mean_as_text(areas)}"
    text = f"mean ({details})" if one.name is None else one.text(details)
    x, values = align(defined)
    mean, spread = mean_and_spread(values)
    low, high = np.clip([mean - spread, mean + spread], 0, 1)
    line = DrawnCurve(one.key, text, float(mean_and_spread(areas)[0]), x, mean, defined[0].style)
    return MeanCurve(line, x, low, high, folds)


def common_places(curves: Sequence[DrawnCurve]) -> NDArray[np.float64]:
    """Every x of the curves; of many, some with the first and the last."""
    places = np.unique(np.concatenate([curve.x for curve in curves]))
    if len(places) <= MOST_COMMON_POINTS:
        return places
    return places[np.linspace(0, len(places) - 1, MOST_COMMON_POINTS).astype(np.intp)]


def warn_of_undefined(
    metric: str,
    curves: Sequence[NamedCurve],
    lacking: Mapping[Any, str | None],
    means: Mapping[Any, MeanCurve],
) -> None:
    """A warning for all undefined curves, and for each mean that excludes folds."""
    _warn_of_lack(metric, "", lacking, "")
    for one in curves:
        if one.key in means:
            folds = {
                key: None if len(fold.x) else fold.text
                for key, fold in means[one.key].folds.items()
            }
            of_model = "" if one.name is None else f" of {one.key!r}"
            _warn_of_lack(metric, "the folds ", folds, of_model, ": excluded from the mean")


def _warn_of_lack(
    metric: str, what: str, lacking: Mapping[Any, str | None], whose: str, effect: str = ""
) -> None:
    """A warning that names the undefined curves and the reason."""
    if undefined := {key: lacks for key, lacks in lacking.items() if lacks}:
        causes = " or ".join(dict.fromkeys(undefined.values()))
        keys = show(np.array([*undefined]))
        warn_undefined(
            f"{metric} is undefined for {what}{keys}{whose}, since there are {causes}{effect}."
        )


def draw_folds(ax: Axes, drawn: DrawnCurves, means: Mapping[Any, MeanCurve]) -> DrawnFolds:
    """A band around each colored mean; with a single mean, also its folds."""
    from matplotlib.patches import Patch

    shown = {
        key: mean for key, mean in means.items() if key in drawn.colored and mean.n_defined > 1
    }
    bands = {
        key: draw_band(ax, drawn.lines[key], mean.x, mean.low, mean.high)
        for key, mean in shown.items()
    }
    lines = {}
    if len(drawn.lines) == 1:
        lines = {key: _draw_thin(ax, mean, drawn.lines[key]) for key, mean in shown.items()}
    if not bands:
        return DrawnFolds(bands, lines, [])
    numbers = {mean.n_defined for mean in shown.values()}
    label = f"± 1 SD over {numbers.pop() if len(numbers) == 1 else 'the'} folds"
    colors = {line.get_color() for key, line in drawn.lines.items() if key in bands}
    color = colors.pop() if len(colors) == 1 else GUIDE_COLOUR
    opacity = OPACITY_OF_BANDS if len(bands) == 1 else 2 * OPACITY_OF_BANDS
    return DrawnFolds(bands, lines, [Patch(color=color, alpha=opacity, linewidth=0, label=label)])


def _draw_thin(ax: Axes, mean: MeanCurve, line: Line2D) -> dict[Any, Line2D]:
    """The folds in the color of their mean, without entries in a legend."""
    opacity = OPACITY_OF_FOLDS * min(1, (FEW_FOLDS / len(mean.folds)) ** 0.5)
    style = {"color": line.get_color(), "alpha": opacity, "drawstyle": line.get_drawstyle(), **THIN}
    return {
        key: ax.plot(*points_apart(fold.x, fold.y), **style, label=f"_fold {key}")[0]
        for key, fold in mean.folds.items()
    }


def _mean_as_text(areas: NDArray[np.float64]) -> str:
    """Mean and standard deviation with decimals that show no wrong whole number."""
    mean, deviation = map(float, mean_and_spread(areas))
    decimals = 2
    while decimals < 9 and (_misleads(mean, decimals) or _misleads(deviation, decimals)):
        decimals += 1
    return f"{mean:.{decimals}f}" + f" ± {deviation:.{decimals}f}" * (len(areas) > 1)


def _misleads(value: float, decimals: int) -> bool:
    """Whether rounding would show a wrong whole number."""
    return float(f"{value:.{decimals}f}").is_integer() and abs(value - round(value)) > NOTHING
