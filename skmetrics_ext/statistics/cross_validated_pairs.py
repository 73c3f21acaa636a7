"""Two learners on the same folds -> the difference of the models fitted to all samples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, stats

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.compared import Compared, LimitsAndTest, unknown
from skmetrics_ext.statistics.cross_validated import variance_inflation
from skmetrics_ext.statistics.differences import PairedMetric, paired_metric
from skmetrics_ext.statistics.estimand import FEW, estimand_of, range_of
from skmetrics_ext.statistics.methods import has_slope
from skmetrics_ext.statistics.proportions import Array, Limits

# What is added to each cell of a table of two classes; one sample in all with more.
PSEUDO_OF_TWO = 0.5


class Learner(NamedTuple):
    """What the models of a learner predict in each repetition."""

    name: str
    # Of all repetitions together.
    together: CountedMatrix
    # What each sample, or group, adds to the cells of each repetition, sparse
    # (n_units, n_repeats x n_cells).
    units: Any
    caveats: tuple[Caveat, ...]
    # The numbers of samples (n_classes, n_classes), whatever their weights.
    numbers: NDArray[Any]

    @property
    def n_cells(self) -> int:
        """The number of cells of a matrix."""
        return len(self.together.order) ** 2


class SameFolds(NamedTuple):
    """The folds on which learners are compared."""

    n_folds: int
    n_repeats: int
    in_groups: bool


def metric_of_learners(counted: CountedMatrix, choice: Choice) -> PairedMetric:
    """A metric that can be compared: bounded, and with derivatives."""
    metric = paired_metric(counted, choice)
    row, ends = metric.choice.row, range_of(metric.choice)
    if not has_slope(row, metric.choice.average):
        raise ValueError(
            f"the difference of learners in {row.name} has no limits, since it has no derivative "
            "everywhere: compare another metric."
        )
    if not np.isfinite(ends).all():
        raise ValueError(
            f"the difference of learners in {row.name}, which has no bounds, is not known to hold: "
            "compare a proportion, such as recall."
        )
    return metric


def difference_of_learners(
    first: Learner, second: Learner, metric: PairedMetric, name: str, folds: SameFolds
) -> Compared:
    """The difference between the first learner and the second in one metric.

    The linear part of the difference is a sum over samples, whose variance allows for how often
    both models are right together; it is stretched as that of one model.
    """
    learners = (first, second)
    few = _few(learners, metric, name, folds.n_repeats)
    values = [float(metric.value.values(of.together.matrix.ravel())) for of in learners]
    of_pair = Compared(
        metric=name,
        models=(first.name, second.name),
        values=(values[0], values[1]),
        known=unknown("undefined"),
        is_lower_better=metric.choice.row.better == "lower",
        caveats=(*dict.fromkeys((*first.caveats, *second.caveats)), *few),
    )
    if not np.isfinite(of_pair.difference):
        return of_pair
    of_first, of_second = (_influences(of, metric, folds.n_repeats) for of in learners)
    error = _standard_error(of_first - of_second, folds)
    # Of few groups the variance is hardly known.
    distribution = stats.t(len(of_first) - 1) if folds.in_groups else stats.norm()

    def limits_at(alpha: float) -> Limits:
        """The difference plus and minus standard errors."""
        half = error * distribution.isf(alpha / 2)
        return Limits(np.array(of_pair.difference - half), np.array(of_pair.difference + half))

    p_value = float(2 * distribution.sf(abs(of_pair.difference) / error))
    method = f"repeated cross-validation, {folds.n_repeats} x {folds.n_folds} folds"
    return of_pair._replace(known=LimitsAndTest(limits_at, p_value, method))


def _influences(of: Learner, metric: PairedMetric, n_repeats: int) -> Array:
    """What each sample, or group, adds to the linear part of the value in each repetition (n_units,
    n_repeats).

    The derivatives are those of one repetition with a pseudo-sample in each cell, so that an error
    that was not made has some, too.
    """
    counts = of.together.matrix.ravel() / n_repeats
    weight = of.together.matrix.sum() / of.numbers.sum()
    pseudo = PSEUDO_OF_TWO if metric.value.n_classes == 2 else 1 / of.n_cells
    smoothed = counts + pseudo * weight
    gradient = metric.value.gradient_of(metric.value.counts_of(smoothed))
    slopes = sparse.kron(sparse.eye_array(n_repeats), gradient[:, None], format="csr")
    return np.asarray((of.units @ slopes).toarray())


def _standard_error(influences: Array, folds: SameFolds) -> float:
    """That of the difference of both refitted models."""
    n_units = len(influences)
    variance = n_units * influences.var(0, ddof=1).mean()
    # Learners that agree everywhere differ by less than one sample.
    variance = max(float(variance), 1 / n_units**2)
    stretch = variance_inflation(
        influences.sum(0), variance, folds.n_folds, in_groups=folds.in_groups
    )
    return float(np.sqrt(stretch * variance))


def _few(
    learners: tuple[Learner, Learner], metric: PairedMetric, name: str, n_repeats: int
) -> Iterator[Caveat]:
    """Too few samples for a normal distribution, in the smallest of the classes that count."""
    n = min(float(np.min(_samples_counted(of, metric))) for of in learners) / n_repeats
    if n < FEW:
        text = (
            f"{name} is based on too few samples, {n:.3g} (for an average, in its smallest class): "
            "limits may be too narrow and p-values too small."
        )
        yield Caveat("few_samples", text)


def _samples_counted(of: Learner, metric: PairedMetric) -> Array:
    """How many samples a value rests on in all repetitions together."""
    numbers = CountedMatrix(of.numbers, of.together.order, positive=of.together.positive)
    return estimand_of(numbers, metric.choice).samples_counted()
