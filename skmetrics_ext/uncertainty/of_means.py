"""One value a sample, as average="samples" has -> Interval of their mean."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.counted import Counted, CountedLabels
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.uncertainty.interval import Interval
from skmetrics_ext.uncertainty.methods import chosen_method
from skmetrics_ext.uncertainty.of_counts import Found, Request, answered, check_request
from skmetrics_ext.uncertainty.of_units import ALIKE, check_number_of_units, with_clusters
from skmetrics_ext.uncertainty.proportions import Limits, wilson
from skmetrics_ext.uncertainty.question import Array, Question
from skmetrics_ext.uncertainty.ranges import clipped, range_of
from skmetrics_ext.uncertainty.resampling import Draws
from skmetrics_ext.uncertainty.slopes import SCALES, scale_of_range


class Members(NamedTuple):
    """What each sample counts for."""

    unit: NDArray[np.int64]
    """The cluster that it belongs to, or itself."""
    weight: Array
    times: Array
    """How many units it stands for."""
    numbers: Array
    """How many samples it is."""

    def where(self, kept: NDArray[np.bool_]) -> "Members":
        """Some of the samples."""
        return Members(self.unit[kept], self.weight[kept], self.times[kept], self.numbers[kept])


class Moves(NamedTuple):
    """How far each unit moves a mean."""

    of_units: Array
    times: Array
    gross: float
    """What the moves were if none made up for others."""

    @property
    def n(self) -> int:
        """How many units there are."""
        return int(self.times.sum())


def interval_of_means(counted: Counted, choice: Choice, samples: Members, name: str, request: Request) -> Interval:
    """The mean of the values of the samples, whose units are called by a name."""
    check_request(request)
    values = _value_of_each(counted, choice)
    kept = (samples.weight * samples.times > 0) & ~np.isnan(values)
    samples, values = samples.where(kept), values[kept]
    total = samples.weight * samples.times
    mean = np.asarray(ratio(total @ values, total.sum()))
    moves = _moves(samples, values - mean, total.sum())
    check_number_of_units(moves.n, name)
    question = Question(choice, "samples", mean, lambda value: value)
    method = chosen_method(question, request.method, ["delta"])

    def find(alpha: float, _: Draws) -> Found:
        """Limits that leave out alpha."""
        return Found(_limits(choice, mean, moves, alpha))

    shown = with_clusters(method, moves.n, name)
    return answered(question, score(counted, choice), (), request, method, find, shown, int(samples.numbers.sum()))


def _value_of_each(counted: Counted, choice: Choice) -> Array:
    """The value of each sample; NaN where it is left out of the mean."""
    of_samples = CountedLabels(counted.samples, np.arange(len(counted.samples.tp)))
    policy = choice.undefined if choice.zero_division == "warn" else choice.zero_division
    values = score(of_samples, choice._replace(average=None, labels=None, zero_division=policy))
    return np.asarray(values, dtype=np.float64)


def _moves(samples: Members, deviations: Array, total: float) -> Moves:
    """By how much the mean is higher with each unit than without it."""
    codes = np.unique(samples.unit, return_inverse=True)[1].reshape(-1)
    of_units, gross = (
        np.bincount(codes, samples.weight * size / total) for size in (deviations, np.abs(deviations) + 1)
    )
    times = np.bincount(codes, samples.times) / np.bincount(codes)
    return Moves(of_units.astype(np.float64), times, float(np.hypot.reduce(gross)))


def _limits(choice: Choice, mean: Array, moves: Moves, alpha: float) -> Limits:
    """Limits by the delta method on the scale of the values; Wilson's where all are one, a unit being a sample."""
    least, most = range_of(choice)
    scale = SCALES[scale_of_range(choice)]
    error = np.sqrt(moves.n / (moves.n - 1) * (moves.times @ moves.of_units**2))
    with np.errstate(invalid="ignore", divide="ignore"):
        half = -special.stdtrit(moves.n - 1, alpha / 2) * error * scale.slope(mean)
        there = scale.there(mean)
    if error > ALIKE * moves.gross and np.isfinite(half + there):
        return clipped(Limits(scale.back(there - half), scale.back(there + half)), choice)
    if not (np.isfinite(least) and np.isfinite(most) and np.isfinite(mean)):
        return Limits(np.asarray(least), np.asarray(most))
    low, high = wilson((mean - least) / (most - least) * moves.n, moves.n, alpha)
    return Limits(least + (most - least) * low, least + (most - least) * high)
