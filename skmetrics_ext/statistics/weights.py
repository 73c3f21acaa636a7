"""The variation of weighted samples, from three moments of the weights in each cell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.counts import margins_of, two_by_two
from skmetrics_ext.counting.design import Weighted
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import chunk_sizes
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.constants import ENOUGH, FEW, FEW_HITS, OF_ONE_SIDE
from skmetrics_ext.statistics.estimand import CountedShare, Estimand
from skmetrics_ext.statistics.values.bootstrap import (
    Draws,
    LimitsByAlpha,
    limits_by_bootstrap,
    of_each_entry,
    replicated,
)
from skmetrics_ext.statistics.values.proportions import alpha_of_errors
from skmetrics_ext.statistics.variation import ROUNDING, Effective, Pseudo, Spread


class OfWeights:
    """Independent samples with weights, by the moments of an estimand's cells."""

    by_range, keeps_ends, can_be_alike = True, False, False

    def __init__(self, sums: Array, numbers: Array, squares: Array, largest: Array) -> None:
        # The sums are the matrices of the estimand.
        self.sums, self.numbers, self.squares, self.largest = sums, numbers, squares, largest

    def shown(self, estimand: Estimand) -> str:
        """Nothing, since the number of samples is told anyway."""
        return ""

    def quantile(self, n: Any, alpha: Any) -> Array:
        """That of Student's t; the variance is of Kish's effective number."""
        return np.asarray(-special.stdtrit(np.maximum(n - 1, 1), alpha / 2))

    def weight_of_one(self, estimand: Estimand) -> Any:
        """The mean weight, itself weighted by the weights."""
        squares, sums = (of.sum((-2, -1), keepdims=True) for of in (self.squares, self.sums))
        return np.nan_to_num(ratio(squares, sums))

    def caveats(self, estimand: Estimand) -> Iterator[Caveat]:
        """None."""
        yield from ()

    def of_few(self, estimand: Estimand) -> Iterator[Caveat]:
        """Few effective samples (Kish) of an actual or predicted class."""
        fewest = np.full(estimand.matrices.shape[:-2], np.inf)
        for axis in (-1, -2):
            sums, squares = self.sums.sum(axis), self.squares.sum(axis)
            effective = np.where(sums > 0, ratio(sums**2, squares), np.inf)
            fewest = np.minimum(fewest, effective.min(-1))
        text = (
            "a few heavy samples have most of the weight of a class, so that {name} is based on an "
            "effective number of {n}{where}: limits may be too narrow."
        )
        yield Caveat("unequal_weights", text, fewest < FEW_HITS, fewest.round(1))

    def effective(
        self, estimand: Estimand, shares: list[CountedShare], alpha: Any
    ) -> list[Effective]:
        """n / (p m + (1 - p) h) samples, m and h the mean weights that misses and hits may have:
        Korn & Graubard's p (1 - p) / v has those of the sample, where few misses may be light by
        chance.
        """
        of_shares = []
        for counted in shares:
            share = np.nan_to_num(ratio(counted.hits, counted.n))
            is_inside = (share > 0) & (share < 1)
            n_samples = np.maximum(self.numbers.sum((-2, -1)), 2)
            n = ratio(counted.n, self._typical_weight(counted, share))
            n = np.where(counted.n > 0, n * np.where(is_inside, 1 - 1 / n_samples, 1), 0)
            number = (self.numbers * (counted.hits_in | counted.misses_in)).sum((-2, -1))
            errors = self.quantile(np.maximum(number, 2), alpha)
            of_shares.append(Effective(share * n, n, alpha_of_errors(errors)))
        return of_shares

    def heavier_unseen(self, counted: CountedShare, share: Array) -> Array:
        """How many times as heavy hits or misses would be if there were any, at least 1."""
        alike = self._mean_alike(self.sums, self.numbers)
        of_hits, of_misses = (
            np.max(alike, (-2, -1), where=cells, initial=0)
            for cells in (counted.hits_in, counted.misses_in)
        )
        unseen = np.where(share == 1, of_misses, np.where(share == 0, of_hits, 0))
        number = (self.numbers * (counted.hits_in | counted.misses_in)).sum((-2, -1))
        seen = ratio(counted.n, number)
        return np.asarray(np.maximum(np.nan_to_num(ratio(unseen, seen)), 1))

    def _typical_weight(self, counted: CountedShare, share: Array) -> Array:
        """The weight that a sample of a proportion may have, by those of misses and hits."""
        of_misses = self._weight_in(counted.misses_in)
        of_hits = self._weight_in(counted.hits_in)
        return np.asarray(share * of_misses + (1 - share) * of_hits)

    def correlation(self, estimand: Estimand, shares: list[CountedShare]) -> Any:
        """None, of samples in different rows or columns."""
        return 0.0

    def pseudo(self, estimand: Estimand) -> Pseudo:
        """One sample per prediction, spread over the actual classes, of that prediction's mean
        weight, or as far as weights depend on the class alone of the class's.
        """
        of_rows, of_columns = (self._mean_weight(estimand, axis) for axis in (-1, -2))
        by_rows, _ = self._dependence
        typical = of_rows**by_rows * of_columns ** (1 - by_rows)
        n_classes = estimand.matrices.shape[-1]
        return Pseudo(np.full(estimand.matrices.shape, 1 / n_classes), typical)

    def _mean_weight(self, estimand: Estimand, axis: int) -> Array:
        """The mean weight of rows or columns; of those without samples that of all."""
        sums, numbers = (of.sum(axis, keepdims=True) for of in (estimand.matrices, self.numbers))
        of_all = self.weight_of_one(estimand)
        return np.asarray(np.where(numbers > 0, ratio(sums, numbers), of_all))

    def spread(self, estimand: Estimand, slopes: Array, pseudo: Pseudo) -> Spread:
        """sum g^2 w^2 over the samples, g the derivative by the cell of each."""
        squares = self.squares + self.missing_squares(estimand) + pseudo.numbers * pseudo.weight**2
        size = (squares * slopes**2).sum((-2, -1))
        value = estimand.value_of(estimand.matrices + pseudo.cells)
        noise = ROUNDING**2 * value**2 / np.maximum(self.numbers.sum((-2, -1)), 1)
        n = ratio(estimand.matrices.sum((-2, -1)) ** 2, self.squares.sum((-2, -1)))
        return Spread(np.sqrt(np.where(size <= noise, 0, size)), True, n)

    def by_bootstrap(self, estimand: Estimand, draws: Draws) -> LimitsByAlpha:
        """Sums of weights are scaled Poisson of the same mean and variance."""
        sums = estimand.matrices + estimand.smoothing
        squares = self.squares + estimand.smoothing * estimand.weight_of_one
        step = np.where(sums > 0, squares, 1) / np.where(sums > 0, sums, 1)

        means = sums / step

        def draw(place: tuple[int, ...]) -> Array:
            """The values (n,) of one entry."""
            value_of, random = replicated(estimand.at(place)).value_of, draws.random(place)
            shape = means[place].shape
            chunks = chunk_sizes(draws.n, means[place].size)
            drawn = (random.poisson(means[place], size=(r, *shape)) for r in chunks)
            return np.concatenate([value_of(step[place] * numbers) for numbers in drawn])

        values = of_each_entry(means.shape[:-2], draw)
        return limits_by_bootstrap(estimand, values, draws)

    def missing_squares(self, estimand: Estimand) -> Array:
        """What squares of each cell's weights lack, of few samples, to be as of those like them."""
        if estimand.is_of_labels:
            return np.zeros(self.squares.shape)
        mean, _ = self._weights_alike
        missing = np.maximum(self.sums * mean - self.squares, 0)
        return np.asarray(np.where(self.numbers < ENOUGH, missing, 0))

    def _own_weight(self, cells: NDArray[np.bool_]) -> Array:
        """The mean weight, itself weighted, of the samples in these cells."""
        squares, sums = ((of * cells).sum((-2, -1)) for of in (self.squares, self.sums))
        return np.asarray(np.nan_to_num(ratio(squares, sums)))

    def _weight_in(self, cells: NDArray[np.bool_]) -> Array:
        """The mean weight, itself weighted, that samples in these cells may have: of few at least
        that of samples like them, of none the largest.
        """
        number = (self.numbers * cells).sum((-2, -1))
        own = self._own_weight(cells)
        mean, largest = (np.max(of, (-2, -1), where=cells, initial=0) for of in self._weights_alike)
        of_few = np.where(number == 0, largest, np.maximum(own, mean))
        return np.asarray(np.where(number < ENOUGH, of_few, own))

    @cached_property
    def _weights_alike(self) -> tuple[Array, Array]:
        """The mean and the largest weight of samples like each cell's: of the same actual class, or
        the same prediction, whichever is heavier, unless the weights depend on one of them alone.
        """
        mean = self._mean_alike(self.squares, self.sums)
        of_rows, of_columns = (self.largest.max(axis, keepdims=True) for axis in (-1, -2))
        largest = _heavier(of_rows, of_columns, *self._dependence)
        return mean, np.where(largest > 0, largest, self.largest.max((-2, -1), keepdims=True))

    def _mean_alike(self, sums: Array, over: Array) -> Array:
        """A mean of samples like each cell's, sums over numbers of these; of few rather of all."""
        of_all, of_rows, of_columns = (
            np.nan_to_num(ratio(sums.sum(axis, keepdims=True), over.sum(axis, keepdims=True)))
            for axis in ((-2, -1), -1, -2)
        )
        mean = _heavier(of_rows, of_columns, *self._dependence)
        most = np.maximum(*(self.numbers.sum(axis, keepdims=True) for axis in (-1, -2)))
        return np.where(most < FEW, np.maximum(mean, of_all), mean)

    @cached_property
    def _dependence(self) -> tuple[Array, Array]:
        """How far weights depend on the actual class alone, and on the prediction alone (..., 1,
        1): 1 if they do not differ otherwise; 0 if a class has few, or none has two predictions.
        """
        within = [self._squares_within(axis) for axis in (-1, -2)]
        found = []
        for axis, (own, other) in zip((-1, -2), (within, within[::-1]), strict=True):
            number = self.numbers.sum(axis)
            are_known = ((number == 0) | (number >= FEW)).all(-1)
            are_compared = ((self.numbers > 0).sum(axis) > 1).any(-1)
            differ = are_known & are_compared & (other > 0)
            share = ratio(own, np.where(other > 0, other, np.inf))
            depends = np.where(differ, np.maximum(1 - OF_ONE_SIDE * share, 0), 0)
            found.append(depends[..., None, None])
        return found[0], found[1]

    def _squares_within(self, axis: int) -> Array:
        """The sum of squares of weights about the mean of their row or column."""
        sums, numbers, squares = (of.sum(axis) for of in (self.sums, self.numbers, self.squares))
        of_means = sums * np.nan_to_num(ratio(sums, numbers))
        within = np.where(squares - of_means > ROUNDING * squares, squares - of_means, 0)
        return np.asarray(within.sum(-1))


def _heavier(of_rows: Array, of_columns: Array, by_rows: Array, by_columns: Array) -> Array:
    """The larger of both weights, or as far as they depend on rows or columns those of these."""
    heavier = np.maximum(of_rows, of_columns)
    rows, columns = (np.where(of > 0, of, heavier) for of in (of_rows, of_columns))
    found = rows**by_rows * columns**by_columns * heavier ** (1 - by_rows - by_columns)
    return np.asarray(found)


def variation_of_weights(
    design: Weighted, estimand: Estimand, scale: Array, *, multilabel: bool
) -> OfWeights:
    """The moments of the cells of an estimand, of weights times a scale of each entry."""
    of_entry = np.expand_dims(scale, (-3, -2, -1) if multilabel else (-2, -1))
    places, shape = estimand.positions, estimand.matrices.shape
    numbers = design.numbers.astype(np.float64)
    squares, largest = design.squares * of_entry**2, design.largest * of_entry
    if places is not None and multilabel:
        numbers, squares, largest = (of[..., places, :, :] for of in (numbers, squares, largest))
    elif places is not None:
        numbers, squares = (_sums_of_classes(of, places) for of in (numbers, squares))
        largest = _largest_of_classes(largest, places)
    moments = (of.reshape(shape) for of in (numbers, squares, largest))
    return OfWeights(estimand.matrices, *moments)


def _sums_of_classes(cells: Array, places: NDArray[np.intp]) -> Array:
    """Tables (..., n_classes, 2, 2) of classes against the rest; none of those that never occur."""
    tables = two_by_two(margins_of(cells))
    never = np.zeros((*tables.shape[:-3], 1, 2, 2))
    never[..., 0, 0, 0] = cells.sum((-2, -1))
    return np.concatenate([tables, never], -3)[..., places, :, :]


def _largest_of_classes(cells: Array, places: NDArray[np.intp]) -> Array:
    """The largest of the cells that a table of one class against the rest makes one."""
    n_classes = cells.shape[-1]
    is_own = np.eye(n_classes, dtype=bool)
    diagonal = np.diagonal(cells, axis1=-2, axis2=-1)
    off_diagonal = np.where(is_own, 0, cells)
    missed, false = off_diagonal.max(-1), off_diagonal.max(-2)
    # Of each row without one of its cells, then of the other rows.
    first = cells.max(-1, keepdims=True)
    is_first = np.arange(n_classes) == cells.argmax(-1)[..., None]
    second = np.where(is_first, 0, cells).max(-1, keepdims=True)
    of_row = np.where(is_first, second, first)
    others = np.where(is_own, 0, of_row).max(-2)
    tables = np.stack([np.stack([others, false], -1), np.stack([missed, diagonal], -1)], -2)
    never = np.zeros((*tables.shape[:-3], 1, 2, 2))
    never[..., 0, 0, 0] = cells.max((-2, -1))
    return np.concatenate([tables, never], -3)[..., places, :, :]
