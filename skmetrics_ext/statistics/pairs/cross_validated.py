"""Two learners on the same folds -> the difference of the models fitted to all samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse, stats

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.reading.order import show
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.classes import has_slope
from skmetrics_ext.statistics.clusters import caveats_of_units
from skmetrics_ext.statistics.compared import Compared, LimitsAndTest, unknown
from skmetrics_ext.statistics.constants import DISCORDANT, FEW
from skmetrics_ext.statistics.estimand import clipped, estimand_of
from skmetrics_ext.statistics.pairs.metric import PairedMetric, paired_metric
from skmetrics_ext.statistics.values.cross_validated import in_folds, variance_inflation
from skmetrics_ext.statistics.values.proportions import effective_number


class Learner(NamedTuple):
    """What the models of a learner predict in each repetition."""

    name: str
    # A repetition's mean counts, and the numbers of samples, whatever their weights.
    once: CountedMatrix
    numbers: CountedMatrix
    # What each sample, or group, adds to all cells, sparse (n_units, n_repeats x n_cells).
    units: Any
    caveats: tuple[Caveat, ...]

    @property
    def n_cells(self) -> int:
        """The number of cells of a matrix."""
        return len(self.once.order) ** 2


class SameFolds(NamedTuple):
    """The folds on which learners are compared."""

    n_folds: int
    n_repeats: int
    in_groups: bool


def metric_of_learners(counted: CountedMatrix, choice: Choice) -> PairedMetric:
    """A metric that can be compared: bounded, and with derivatives."""
    if not (choice.is_default_undefined or choice.omits_undefined):
        raise ValueError(
            "zero_division= does not apply to differences, whose limits leave out classes that are "
            "undefined: omit it."
        )
    metric = paired_metric(counted, choice)
    row = metric.choice.row
    if not has_slope(row, metric.choice.average):
        raise ValueError(
            f"the difference of learners in {row.name} has no limits, since it has no derivative "
            "everywhere: compare another metric."
        )
    if not np.isfinite(metric.possible).all():
        raise ValueError(
            f"the difference of learners in {row.name}, which has no bounds, is not known to hold: "
            "compare a proportion, such as recall."
        )
    return metric


def difference_of_learners(
    first: Learner, second: Learner, metric: PairedMetric, name: str, folds: SameFolds
) -> Compared:
    """The difference between the first learner and the second in one metric, by a sum over samples,
    so that its variance allows for both being right together; stretched as that of one model.
    """
    learners = (first, second)
    values = [float(metric.value.values(of.once.matrix.ravel())) for of in learners]
    of_pair = Compared(
        metric=name,
        models=(first.name, second.name),
        values=(values[0], values[1]),
        known=unknown("undefined"),
        is_lower_better=metric.choice.row.better == "lower",
        caveats=tuple(dict.fromkeys((*first.caveats, *second.caveats))),
    )
    if not np.isfinite(of_pair.difference):
        return of_pair
    known = _limits_and_test(learners, metric, of_pair.difference, folds)
    caveats = [*of_pair.caveats, *_of_counts(learners, metric, name)]
    if folds.in_groups:
        sizes = _sizes(first, folds)
        caveats += caveats_of_units(len(sizes), effective_number(sizes), "cluster")
    return of_pair._replace(known=known, caveats=tuple(caveats))


def _limits_and_test(
    learners: tuple[Learner, Learner], metric: PairedMetric, difference: float, folds: SameFolds
) -> LimitsAndTest:
    """The difference plus and minus standard errors, and the p-value by inversion."""
    first, second = learners
    slopes = [_slopes(of, metric) for of in learners]
    moves = _influences(first, slopes[0], folds) - _influences(second, slopes[1], folds)
    least = max(_variance_of_few(*pair) for pair in zip(learners, slopes, strict=True))
    error = _standard_error(moves, least, folds)
    # Of few groups the variance is hardly known.
    degrees = max(effective_number(_sizes(first, folds)) - 1, 1)
    # Named with its shape: to make a distribution takes as long as the rest.
    law, shape = (stats.t, (degrees,)) if folds.in_groups else (stats.norm, ())

    def limits_at(alpha: float) -> Limits:
        """Limits at level 1 - alpha, within the range of differences."""
        half = error * law.isf(alpha / 2, *shape)
        limits = Limits(np.array(difference - half), np.array(difference + half))
        return clipped(limits, metric.possible)

    p_value = float(2 * law.sf(abs(difference) / error, *shape))
    return LimitsAndTest(limits_at, p_value, in_folds(folds.n_repeats, folds.n_folds))


def _sizes(of: Learner, folds: SameFolds) -> Array:
    """The weight of each sample, or group (n_units,)."""
    return np.asarray(of.units.sum(-1)) / folds.n_repeats


def _slopes(of: Learner, metric: PairedMetric) -> Array:
    """Derivatives by each cell (n_cells,), with pseudo-samples: errors not made have some too."""
    weight = of.once.matrix.sum() / of.numbers.matrix.sum()
    # Half a sample in each cell of two classes (Haldane 1956), one in all of more.
    pseudo = 0.5 if metric.value.n_classes == 2 else 1 / of.n_cells
    smoothed = of.once.matrix.ravel() + pseudo * weight
    return metric.value.gradient_of(metric.value.counts_of(smoothed))


def _influences(of: Learner, slope: Array, folds: SameFolds) -> Array:
    """What each sample, or group, adds to the value (n_units, n_repeats), linearly."""
    of_each = sparse.kron(sparse.eye_array(folds.n_repeats), slope[:, None], format="csr")
    return np.asarray((of.units @ of_each).toarray())


def _variance_of_few(of: Learner, slope: Array) -> float:
    """The variance of a difference in a few samples: all that is known of learners that agree."""
    weight = of.once.matrix.sum() / of.numbers.matrix.sum()
    of_cells = slope.reshape(of.once.matrix.shape)
    return float(DISCORDANT * (weight * np.ptp(of_cells, axis=-1).max()) ** 2)


def _standard_error(influences: Array, least: float, folds: SameFolds) -> float:
    """That of the difference of both refitted models."""
    variance = max(float(len(influences) * influences.var(0, ddof=1).mean()), least)
    stretch = variance_inflation(
        influences.sum(0), variance, folds.n_folds, in_groups=folds.in_groups
    )
    return float(np.sqrt(stretch * variance))


def _of_counts(
    learners: tuple[Learner, Learner], metric: PairedMetric, name: str
) -> Iterator[Caveat]:
    """Too few samples for a normal distribution in the smallest class, and undefined classes."""
    estimands = [estimand_of(of.numbers, metric.choice) for of in learners]
    n = min(float(np.min(estimand.samples_counted())) for estimand in estimands)
    if n < FEW:
        text = (
            f"{name} is based on too few samples, {n:.3g} (of the rarest class or outcome): "
            "limits may be too narrow and p-values too small."
        )
        yield Caveat("few_samples", text)
    if metric.value.of_each is None:
        return
    for of in learners:
        of_classes = metric.value.of_each(metric.value.counts_of(of.once.matrix.ravel()))
        is_actual = of.once.matrix.sum(-1) > 0
        if (is_out := np.isnan(of_classes) & is_actual).any():
            text = (
                f"{name} of {of.name!r} leaves out classes for which it is undefined (0/0), "
                f"{show(of.once.order[is_out])}, so that the limits are not of the same classes."
            )
            yield Caveat("undefined_class", text)
