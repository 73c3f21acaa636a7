"""Means of the values of samples with several labels, which no matrix gives."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.counting.counted import Counted, CountedLabels
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.classes import named
from skmetrics_ext.statistics.clusters import ALIKE, caveats_of_units, quantile_of_units
from skmetrics_ext.statistics.estimand import Estimand, range_of
from skmetrics_ext.statistics.methods import METHODS, chosen
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.results import Interval
from skmetrics_ext.statistics.values.bootstrap import Draws, MethodLimits
from skmetrics_ext.statistics.values.delta import scale_between
from skmetrics_ext.statistics.values.intervals import make_interval
from skmetrics_ext.statistics.values.proportions import effective_number, mid_p
from skmetrics_ext.writing.text import numbered


class Members(NamedTuple):
    """Cluster, weight and number of each sample."""

    # What a unit is: a cluster or a sample.
    name: str
    # Its cluster, or the sample itself.
    unit: NDArray[Any]
    weight: NDArray[Any]
    # How many units it represents.
    frequencies: NDArray[Any]
    # How many samples it contains.
    numbers: NDArray[Any]


def interval_of_means(
    counted: Counted, choice: Choice, samples: Members, request: Request
) -> Interval:
    """The mean of the values of the samples."""
    name = samples.name
    values = _value_of_each(counted, choice)
    kept = (samples.weight * samples.frequencies > 0) & ~np.isnan(values)
    samples = Members(name, *(part[kept] for part in samples[1:]))
    values = values[kept]
    total = samples.weight * samples.frequencies
    mean = np.asarray(ratio(total @ values, total.sum()))
    # By how much the mean is higher with each unit, and were if no samples offset others.
    codes = np.unique(samples.unit, return_inverse=True)[1].reshape(-1)
    frequencies, deviations = (
        np.bincount(codes, samples.frequencies) / np.bincount(codes),
        values - mean,
    )
    moves, gross = (
        np.bincount(codes, samples.weight * size / total.sum())
        for size in (deviations, np.abs(deviations) + 1)
    )
    n, n_effective = (
        int(frequencies.sum()),
        effective_number(np.bincount(codes, samples.weight), frequencies),
    )
    caveats = [*caveats_of_units(n, n_effective, name)]
    error = float(np.sqrt(frequencies @ moves**2))
    is_seen = error > ALIKE * np.hypot.reduce(gross)
    reach = error if is_seen else np.nan
    ends = range_of(counted, choice)
    estimand = Estimand(choice, "samples", mean, lambda value: value, ends)
    method = chosen(request.method, ["delta"], named(estimand))

    def find(alpha: float, _: Draws) -> MethodLimits:
        """Confidence limits at level 1 - alpha."""
        return MethodLimits(
            _limits_of_mean(ends, mean, quantile_of_units(n_effective, alpha) * reach, n, alpha)
        )

    shown = METHODS[method].shown + (f" of {numbered(n, 'cluster')}" if name == "cluster" else "")
    n_samples = int(samples.numbers.sum())
    return make_interval(counted, estimand, (), request, method, find, shown, n_samples, caveats)


def _value_of_each(counted: Counted, choice: Choice) -> Array:
    """The value of each sample; NaN if the mean omits it."""
    of_samples = CountedLabels(counted.samples, np.arange(len(counted.samples.tp)))
    values = score(of_samples, choice.quiet()._replace(average=None, labels=None))
    return np.asarray(values, dtype=np.float64)


def _limits_of_mean(ends: Limits, mean: Array, half: Any, n: int, alpha: float) -> Limits:
    """Delta limits on the values' scale; without a half-width mid-P's, each unit a sample."""
    least, most = ends
    limits = scale_between(ends).around(mean, half)
    if np.isfinite(mean) and not np.isnan(limits.low + limits.high):
        return limits
    if not (np.isfinite(least) and np.isfinite(most) and np.isfinite(mean)):
        return ends
    return Limits(
        *(
            least + (most - least) * end
            for end in mid_p((mean - least) / (most - least) * n, n, alpha)
        )
    )
