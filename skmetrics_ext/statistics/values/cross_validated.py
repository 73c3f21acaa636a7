"""Repetitions of cross-validation -> limits of the value of the model fitted to all samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import Counted
from skmetrics_ext.counting.design import SampleDesign
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.reading.messages import collecting_warnings
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import UNDEFINED, Caveat
from skmetrics_ext.statistics.constants import (
    LARGE_EXTENSION,
    LEAST_INFLATION,
    LEAST_INFLATION_OF_GROUPS,
    SUSPECT,
)
from skmetrics_ext.statistics.estimand import estimand_of, range_of
from skmetrics_ext.statistics.estimate import intervals_of
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.request import Request
from skmetrics_ext.statistics.results import CrossValidatedInterval, Interval
from skmetrics_ext.statistics.values.delta import SCALES, Scale, scale_of
from skmetrics_ext.statistics.values.intervals import value_of_counted

REPETITION = "repetition"


class Repetitions(NamedTuple):
    """The value (n_repeats,) of each repetition's counts, with limits as if of one model; and the
    value of all counts.
    """

    values: Array
    limits: Limits
    pooled: float
    n_folds: int
    # The value of the first repetition's folds by models that leave out two; None without.
    guard: float | None
    in_groups: bool = False


class StretchedLimits(NamedTuple):
    """Limits, how many times as wide as those of one repetition, and how far one is extended for
    models of fewer samples.
    """

    limits: Limits
    stretch: float
    extension: float
    # The mean of both distances of the limits before the extension.
    half_width: float


def stretched_limits(
    of: Repetitions, confidence_level: float, scale: Scale, ends: Limits
) -> StretchedLimits:
    """Limits on a scale, within the metric's range; nan where a repetition has none.

    The variance is stretched for overlapping training sets (Nadeau & Bengio 2003) and for splits; a
    limit is extended to models of more samples.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        values, lows, highs = map(scale.there, (of.values, *of.limits))
        middle = float(scale.there(np.array(of.pooled)))
        stretch = float(np.sqrt(_inflation(of, values, highs - lows, confidence_level)))
        below, above = stretch * (values - lows).mean(), stretch * (highs - values).mean()
        extension = 0.0 if of.guard is None else _extension(of, values[0], scale)
        ends_of_value = middle - below + min(extension, 0), middle + above + max(extension, 0)
        low, high = (float(np.clip(scale.back(np.array(end)), *ends)) for end in ends_of_value)
    limits = Limits(np.array(low), np.array(high))
    return StretchedLimits(limits, stretch, extension, float(below + above) / 2)


def _inflation(of: Repetitions, values: Array, widths: Array, confidence_level: float) -> float:
    """The variance of a refitted model's value over that of the counts of a repetition."""
    z = special.ndtri((1 + confidence_level) / 2)
    variance = (widths.mean() / (2 * z)) ** 2
    return variance_inflation(values, float(variance), of.n_folds, in_groups=of.in_groups)


def variance_inflation(values: Array, variance: float, n_folds: int, *, in_groups: bool) -> float:
    """The same from the values of repetitions and the variance of the counts of one."""
    n_repeats = len(values)
    of_splits = values.var(ddof=1) if n_repeats > 1 else 0.0
    with_prior = ((n_repeats - 1) * of_splits + variance) / n_repeats
    least = LEAST_INFLATION_OF_GROUPS if in_groups else LEAST_INFLATION
    return float(max(least, n_folds / (n_folds - 1)) + with_prior / (n_repeats * variance))


def _extension(of: Repetitions, first: float, scale: Scale) -> float:
    """How far models of all samples may still move: (K - 2) / K of the step from models of K - 2 of
    K folds to those of K - 1, if the error falls with 1 / samples.
    """
    step = first - float(scale.there(np.array(of.guard)))
    return float((of.n_folds - 2) / of.n_folds * step)


class CountedRepetitions(NamedTuple):
    """The counts of each repetition on one axis, of all together, and of the guard."""

    each: Counted
    together: Counted
    # None if two folds are all there are.
    guard: Counted | None
    design: SampleDesign
    n_folds: int
    n_repeats: int
    in_groups: bool
    caveats: tuple[Caveat, ...]


def cross_validated_intervals(
    counted: CountedRepetitions, choices: Sequence[Choice], request: Request
) -> Iterator[CrossValidatedInterval]:
    """The intervals of several metrics for the model fitted to all samples."""
    axes = (Axis(REPETITION, np.arange(counted.n_repeats)),)
    found = intervals_of(counted.each, choices, axes, request, counted.design)
    for choice, of_each in zip(choices, found, strict=True):
        yield _cross_validated_interval(counted, choice, of_each, request)


def _cross_validated_interval(
    counted: CountedRepetitions, choice: Choice, of_each: Interval, request: Request
) -> CrossValidatedInterval:
    """One interval from those of the repetitions."""
    with collecting_warnings() as undefined:
        pooled = float(value_of_counted(counted.together, choice))
    with collecting_warnings() as undefined_in_guard:
        guard = None if counted.guard is None else float(value_of_counted(counted.guard, choice))
    limits = Limits(np.asarray(of_each.low), np.asarray(of_each.high))
    repetitions = Repetitions(
        np.asarray(of_each.value), limits, pooled, counted.n_folds, guard, counted.in_groups
    )
    estimand = estimand_of(counted.each, choice)
    own, log = scale_of(estimand), SCALES["log"]
    scale = log if own is log else SCALES[""]
    ends = range_of(counted.together, choice)
    stretched = stretched_limits(repetitions, request.confidence_level, scale, ends)
    low, high = map(float, stretched.limits)
    caveats = [*counted.caveats, *_caveats_of_each(of_each)]
    caveats += [Caveat(UNDEFINED, text) for text in undefined or undefined_in_guard]
    is_known = np.isfinite([low, high, stretched.extension]).all()
    if not is_known:
        low = high = np.nan
        caveats.append(_without_limits(of_each, stretched.extension))
    elif abs(stretched.extension) > LARGE_EXTENSION * stretched.half_width:
        caveats.append(_of_learning(of_each.metric, stretched.extension, counted.n_folds))
    return CrossValidatedInterval(
        value=pooled,
        low=low,
        high=high,
        confidence_level=request.confidence_level,
        method=in_folds(counted.n_repeats, counted.n_folds),
        n_undefined=int(np.max(of_each.n_undefined)),
        metric=of_each.metric,
        label=of_each.label,
        n=round(float(np.mean(of_each.n))),
        caveats=tuple(caveats),
        stretch=stretched.stretch,
        extension=stretched.extension,
        n_folds=counted.n_folds,
        n_repeats=counted.n_repeats,
        _origin=of_each._origin,
    )


def _caveats_of_each(of_each: Interval) -> Iterator[Caveat]:
    """What is wrong with a repetition's limits, once for all."""
    for caveat in of_each.caveats:
        if caveat.code != UNDEFINED:
            first = int(caveat.entries.argmax())
            yield Caveat(caveat.code, caveat.at((first,)))


def _without_limits(of_each: Interval, extension: float) -> Caveat:
    """Why there are no limits."""
    has_none = np.isnan(of_each.low) | np.isnan(of_each.high) | ~np.isfinite(of_each.value)
    if has_none.any():
        why = f"has no finite value or no limits in {has_none.sum()} of {len(has_none)} repetitions"
    elif not np.isfinite(extension):
        why = "has no value, or none with a logarithm, for models that leave out two folds"
    else:
        why = "is 0 or has limits of 0 in a repetition, which have no logarithm"
    text = f"{of_each.metric} {why}, so its limits are nan."
    return Caveat("repetition_without_limits", text)


def _of_learning(name: str, extension: float, n_folds: int) -> Caveat:
    """Limits that are wide since the model still learns."""
    course, end = ("rises", "upper") if extension > 0 else ("falls", "lower")
    advice = "" if n_folds >= 10 else ": more folds (cv=10) extend it less"
    text = (
        f"{name} still {course} with the number of samples, so that its {end} limit is extended by "
        f"much{advice}."
    )
    return Caveat("learning_curve", text)


def in_folds(n_repeats: int, n_folds: int) -> str:
    """The displayed name of limits of repetitions."""
    return f"{shown('repeated-cross-validation')}, {n_repeats} x {n_folds} folds"


class PredictedInFolds(NamedTuple):
    """How many samples each fold's model predicts as each class."""

    # (n_repeats, n_folds, n_classes)
    numbers: NDArray[np.int64]
    # By what factor (n_repeats, n_classes) groups raise the variance that independent samples would
    # have.
    effects: Array

    @property
    def n_folds(self) -> int:
        """How many folds a repetition has."""
        return int(self.numbers.shape[1])

    def excess(self) -> tuple[float, float]:
        """How many times as much the numbers vary between folds as by chance, by Pearson's
        statistic, and how much is too much.
        """
        of_classes = self.numbers.sum(1, keepdims=True)
        of_folds = self.numbers.sum(-1, keepdims=True)
        expected = of_folds * of_classes / of_classes.sum(-1, keepdims=True)
        squares = (self.numbers - expected) ** 2
        statistic = (squares / np.where(expected > 0, expected, 1)).sum()
        shares = ratio(of_classes, of_classes.sum(-1, keepdims=True))[:, 0]
        by_chance = ((1 - shares) * self.effects)[shares > 0].sum() * (self.n_folds - 1)
        n_classes = (shares > 0).sum(-1).max()
        freedom = len(self.numbers) * (self.n_folds - 1) * (n_classes - 1)
        if freedom == 0 or by_chance == 0:
            return 0.0, 1.0
        most = float(special.chdtri(freedom, SUSPECT)) / freedom
        return float(statistic / by_chance), most


def caveats_of_folding(predicted: PredictedInFolds, *, is_stratified: bool) -> Iterator[Caveat]:
    """What is wrong with all metrics: how folds are made, what classes models predict."""
    predicts = (predicted.numbers > 0).reshape(-1, predicted.numbers.shape[-1])
    is_constant = predicts.sum(-1) == 1
    n_predicted = predicts[is_constant].any(0).sum()
    excess, most = predicted.excess()
    is_unstable = excess > most
    # In folds of few samples, or of one group, also a model that always does the same.
    if is_unstable and 2 * is_constant.sum() >= len(predicts) and n_predicted > 1:
        text = (
            f"in {is_constant.sum()} of {len(predicts)} folds the model predicts one class only, "
            "and not always the same: which class it predicts depends on the training data, so the "
            "interval does not hold."
        )
        yield Caveat("unstable_class", text)
    elif is_unstable:
        text = (
            "how many samples the models of the folds predict to be of a class varies "
            f"{excess:.2g} times as much as by chance, so it depends on the training data, as with "
            "a threshold that few samples choose: limits may be too narrow."
        )
        yield Caveat("unstable_rate", text)
    if not is_stratified:
        text = (
            "the folds are not stratified: a model that follows how frequent classes are predicts "
            "too few of those that its fold has many of. Use StratifiedKFold, or with groups "
            "StratifiedGroupKFold."
        )
        yield Caveat("unstratified_folds", text)
    if predicted.n_folds == 2:
        text = (
            "of two folds none are left to tell how much the model improves with the number of "
            "samples: pass three or more."
        )
        yield Caveat("two_folds", text)
