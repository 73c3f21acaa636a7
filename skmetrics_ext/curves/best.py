"""The best threshold within all bounds, and the message when none satisfies them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.scale import between_scores
from skmetrics_ext.catalogue.choice import name_asked_for
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.ranking import with_weight
from skmetrics_ext.curves.data import CurveData
from skmetrics_ext.curves.values import row_of_one_class
from skmetrics_ext.reading.arguments import check_whole
from skmetrics_ext.reading.order import plain
from skmetrics_ext.statistics.receipts import head_of, plain_value, where
from skmetrics_ext.writing.text import beside_lines, count_as_text

# For rounding: with 5 weights of 0.7 a proportion of 0.6 is 0.5999999999999999.
ROUNDING = 1e-12
# Values that differ by less are equal: so often do sums of weights and a formula round.
TIED = 8 * np.finfo(float).eps

Bound = float | tuple[float | None, float | None]


class BestThreshold(NamedTuple):
    """The best value of a metric, its threshold, and the counts there.

    Attributes
    ----------
    value : float
        The value of the metric.
    threshold : float
        The midpoint between two adjacent scores; see `ThresholdCurve.best`.
    counts : ClassCounts
        tp, fp, fn and tn at the threshold, as scalars.
    """

    value: float
    threshold: float
    counts: ClassCounts

    def to_dict(self) -> dict[str, Any]:
        """The attributes as plain values for JSON, with "version"; infinities are "Infinity".

        Returns
        -------
        dict
        """
        return {**head_of(self), **plain_value(self)}

    def sentence(self, *, digits: int = 2) -> str:
        """The result in words, for a report.

        Parameters
        ----------
        digits : int, default=2
            Number of decimal places in the text.

        Returns
        -------
        str
        """
        return self._in_words("", digits)

    def _in_words(self, where: str, digits: int) -> str:
        """The sentence of one of several curves, or of the only one."""
        check_whole(digits, "digits")
        counts = ", ".join(
            f"{name} = {count_as_text(of)}" for name, of in self.counts._asdict().items()
        )
        value = f"{self.value:.{digits}f}"
        return f"The best value{where} was {value}, at threshold {self.threshold:.6g} ({counts})"


class BestThresholds(NamedTuple):
    """For each curve the best value of a metric, its threshold, and the counts there.

    Attributes
    ----------
    value : ndarray of shape (n_curves,)
        The value of the metric.
    thresholds : ndarray of shape (n_curves,)
        One for each curve.
    counts : ClassCounts
        tp, fp, fn and tn at the thresholds, each of shape (n_curves,).
    axis : Axis
        What the curves represent: classes, labels, folds or groups.
    """

    value: NDArray[np.float64]
    thresholds: NDArray[Any]
    counts: ClassCounts
    axis: Axis

    def to_dict(self) -> dict[str, Any]:
        """The attributes as plain values for JSON, with "version"; infinities are "Infinity".

        Returns
        -------
        dict
            What `BestThreshold.to_dict` has of each curve is in a list under "entries", with its
            name under "at".
        """
        entries = [
            {"at": {self.axis.name: name}, **plain_value(of)} for name, of in self._of_each()
        ]
        return {**head_of(self), "entries": entries}

    def sentence(self, *, digits: int = 2) -> str:
        """The result in words, for a report: a sentence for each curve, on a line of its own.

        Parameters
        ----------
        digits : int, default=2
            Number of decimal places in the text.

        Returns
        -------
        str
        """
        return "\n".join(
            of._in_words(where({self.axis.name: name}), digits) for name, of in self._of_each()
        )

    def _of_each(self) -> Iterator[tuple[Any, BestThreshold]]:
        """The name of each curve, and its own result."""
        names = plain_value(plain(self.axis.coordinates))
        counts = zip(*(of.tolist() for of in self.counts), strict=True)
        values = self.value.tolist(), self.thresholds.tolist(), counts
        for name, value, threshold, of in zip(names, *values, strict=True):
            yield name, BestThreshold(value, threshold, ClassCounts(*of))


class Limited(Protocol):
    """What a search for the best threshold must know of a bound."""

    @property
    def text(self) -> str:
        """The bound in words."""

    @property
    def name(self) -> str:
        """The name of the metric."""

    @property
    def holds(self) -> NDArray[np.bool_]:
        """The thresholds within the bound."""

    def best(self, where: NDArray[np.bool_] | bool = True) -> str:
        """The value furthest inside, or closest to, the bound, for a message."""


class Constraint(NamedTuple):
    """A metric with its bounds, and its value at each threshold."""

    text: str
    name: str
    low: float
    high: float
    values: NDArray[np.float64]

    @property
    def holds(self) -> NDArray[np.bool_]:
        """Where the value is defined and within the bounds."""
        return np.asarray(
            (self.values >= self.low - ROUNDING) & (self.values <= self.high + ROUNDING)
        )

    def best(self, where: NDArray[np.bool_] | bool = True) -> str:
        """The value furthest inside, or closest to, the bounds, for a message."""
        with np.errstate(invalid="ignore"):
            # Infinite minus infinite is NaN; fmin then takes the other bound.
            room = np.fmin(self.values - self.low, self.high - self.values)
        (possible,) = np.nonzero(~np.isnan(self.values) & where)
        if not len(possible):
            return "no value (0/0)"
        if np.isfinite(self.low) and np.isfinite(self.high) and room[possible].max() >= 0:
            return "its bounds"
        nearest = self.values[possible[room[possible].argmax()]].item()
        return beside_bounds(nearest, (self.low, self.high), 6, "g")


def beside_bounds(value: float, bounds: Iterable[float | None], digits: int, kind: str) -> str:
    """A value in the format of a kind, on its side of each bound; within rounding it is met."""
    lines = [bound for bound in bounds if bound is not None and np.isfinite(bound)]
    number = next((bound for bound in lines if abs(value - bound) <= ROUNDING), value)
    return beside_lines(number, lambda n_digits: f"{number:.{n_digits}{kind}}", digits, lines)


def read_constraints(
    subject_to: Mapping[Any, Bound] | None, values_of: Callable[..., NDArray[np.float64]]
) -> list[Constraint]:
    """The validated bounds, with the values that they bound."""
    constraints = []
    for metric, bound in check_bounds(subject_to).items():
        row = row_of_one_class(metric)
        name = name_asked_for(metric, row)
        if row.required:
            raise ValueError(
                f"{name} needs parameters {row.required}, which a bound can't give: bound another."
            )
        text, low, high = read_bound_of(row, name, bound)
        constraints.append(Constraint(text, name, low, high, values_of(metric)))
    return constraints


def check_bounds(subject_to: Mapping[Any, Bound] | None) -> Mapping[Any, Bound]:
    """The bounds by their metrics; rejects anything but a mapping."""
    if not isinstance(subject_to, Mapping | None):
        raise TypeError(
            f"subject_to must be a dict of bounds like {{'recall': 0.9}}; got "
            f"{type(subject_to).__name__}."
        )
    return subject_to or {}


def check_has_best(row: Metric, name: str) -> None:
    """Reject a metric without a better direction."""
    if row.better == "neither":
        raise ValueError(
            f"neither higher nor lower values of {name} are better, so there is no best "
            "value: choose another "
            f"metric, such as 'precision', and bound this one with subject_to={{{name!r}: "
            f"(low, high)}}."
        )


def best_threshold(
    curve: CurveData, metric: Any, values: NDArray[np.float64], constraints: Sequence[Limited]
) -> tuple[int, BestThreshold]:
    """The highest threshold with the best value, a finite one if any: its index, and the result."""
    row = row_of_one_class(metric)
    name = name_asked_for(metric, row)
    check_has_best(row, name)
    meets = np.logical_and.reduce([constraint.holds for constraint in constraints], initial=True)
    possible = ~np.isnan(values) & meets
    if not possible.any():
        raise ValueError(nothing_qualifies(name, constraints, bool(np.any(meets))))
    gains = np.where(possible, values if row.better == "higher" else -values, -np.inf)
    # Differences of larger numbers round like these; multiplied costs choose the same threshold.
    largest = np.abs(gains[np.isfinite(gains)]).max(initial=0)
    tied = np.isclose(gains, gains.max(), rtol=0, atol=TIED * largest)
    (winners,) = np.nonzero(possible & tied)
    thresholds = curve.thresholds[winners]
    place = winners[np.lexsort([thresholds, np.isfinite(thresholds)])[-1]].item()
    threshold = curve.thresholds[place]
    if np.isfinite(threshold) and (curve.at_every_score or curve._are_quantiles):
        threshold = between_scores(with_weight(curve._samples).scores, threshold, curve.ties)
    counts = ClassCounts(*(part[place].item() for part in curve.counts))
    return place, BestThreshold(values[place].item(), threshold.item(), counts)


def nothing_qualifies(objective: str, constraints: Sequence[Limited], met: bool) -> str:
    """The message of `best`: the best value of each constraint, alone and with the others."""
    wanted = " and ".join(constraint.text for constraint in constraints)
    if met:
        where = f" with {wanted}" if wanted else ""
        return (
            f"{objective} is undefined (0/0) at every threshold{where}: there is no best threshold."
        )
    reached = []
    for constraint in constraints:
        text = f"{constraint.name} reaches {constraint.best()}"
        others = [other.holds for other in constraints if other is not constraint]
        if others and (together := np.logical_and.reduce(others)).any():
            text += f" on its own and {constraint.best(together)} when the other bounds hold"
        reached.append(text)
    return f"no threshold satisfies {wanted}. At best {'; '.join(reached)}. Relax a bound."


def read_bound_of(row: Metric, name: str, bound: Any) -> tuple[str, float, float]:
    """The same of a metric; refuses a bound that no value reaches."""
    text, low, high = read_bound(name, row.better, bound)
    lowest, highest = (np.ravel(end) for end in row.widest_ends)
    least, most = float(lowest.min()), float(highest.max())
    if low > most or high < least:
        is_percent = most == 1 and 10 <= low <= 100
        hint = f": did you mean {low / 100:g}?" if is_percent else "."
        raise ValueError(f"{text} is out of the metric's range, from {least:g} to {most:g}{hint}")
    return text, low, high


def read_bound(name: str, better: str, bound: Any) -> tuple[str, float, float]:
    """A bound as text, and as the lowest and the highest value."""
    low, high = _limits_of_bound(name, better, bound)
    if np.isinf(high):
        text = f"{name} >= {low:g}"
    elif np.isinf(low):
        text = f"{name} <= {high:g}"
    else:
        text = f"{low:g} <= {name} <= {high:g}"
    return text, low, high


def _limits_of_bound(name: str, better: str, bound: Any) -> tuple[float, float]:
    """The lowest and the highest value; None leaves a side open."""
    if isinstance(bound, (list, tuple)) and len(bound) == 2:
        bound = [
            end if given is None else given
            for given, end in zip(bound, (-np.inf, np.inf), strict=True)
        ]
    try:
        limits = np.asarray(bound, dtype=np.float64)
    except (TypeError, ValueError):
        limits = np.array(np.nan)
    if limits.shape not in ((), (2,)) or np.isnan(limits).any():
        raise ValueError(
            f"the bound on {name} must be a number or a pair (low, high); got {bound!r}."
        )
    if limits.ndim:
        low, high = limits.tolist()
        if low > high:
            raise ValueError(
                f"the bounds on {name} are ({low:g}, {high:g}): pass the lower one first."
            )
        return low, high
    if better == "neither":
        raise ValueError(
            f"neither higher nor lower values of {name} are better, so the bound {bound!r} could "
            "be a minimum or a maximum: pass a pair (low, high)."
        )
    return (limits.item(), np.inf) if better == "higher" else (-np.inf, limits.item())
