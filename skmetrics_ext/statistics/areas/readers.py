"""Mean areas of the curves of several readers: their difference over new readers and new cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.division import squared
from skmetrics_ext.statistics.areas.delong import placement_values
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.compared import LimitsAndTest
from skmetrics_ext.statistics.crossed import PartsOfVariance, Readings, parts_of_sums
from skmetrics_ext.statistics.pairs.crossed import caveats_of_parts, known_of_parts


class ReadScores(NamedTuple):
    """A score of each case by each reader who read it."""

    scores: Array
    positive: NDArray[np.bool_]
    case: NDArray[np.int64]
    reader: NDArray[np.int64]

    @property
    def n_readers(self) -> int:
        """How many there are."""
        return int(self.reader.max()) + 1

    def placed(self) -> Array:
        """The share of its reader's samples of the other class below, or above, each score."""
        placed = np.empty(len(self.scores))
        for rows in self._rows():
            below = placement_values(self.scores[rows], self.positive[rows], np.ones(len(rows)))
            placed[rows] = np.where(self.positive[rows], below, 1 - below)
        return placed

    def _rows(self) -> Iterator[NDArray[np.intp]]:
        """The readings of each reader."""
        return (np.flatnonzero(self.reader == of) for of in range(self.n_readers))

    def means(self, placed: Array, of_class: NDArray[np.bool_]) -> Array:
        """The mean of each reader's samples of a class, of placements the area."""
        sums, n = (
            np.bincount(self.reader[of_class], weights, self.n_readers)
            for weights in (placed[of_class], None)
        )
        return np.asarray(sums / n)

    def parts(self, placed: Array) -> PartsOfVariance:
        """The parts of the variance of a mean area, or of a difference of two, by placements
        (DeLong, DeLong & Clarke-Pearson 1988).
        """
        areas, cases, fixed, n_cases = self.means(placed, self.positive), 0.0, 0.0, []
        for of_class in (self.positive, ~self.positive):
            reader, case = self.reader[of_class], self.case[of_class]
            n = np.bincount(reader, minlength=self.n_readers)
            moves = (placed[of_class] - areas[reader]) / (n[reader] * self.n_readers)
            readings = Readings(case, reader, np.zeros(len(case), dtype=np.intp))
            found = readings.parts(moves, np.ones(len(case)))
            cases, fixed = cases + float(found.cases[0]), fixed + float(found.fixed[0])
            n_cases.append(int(found.n_cases[0]))
        deviations = (areas - areas.mean()) / self.n_readers
        of_readers = parts_of_sums(squared(deviations).sum(), 0, 0, self.n_readers, min(n_cases))
        return of_readers._replace(cases=cases, fixed=fixed)


def difference_of_mean_areas(first: ReadScores, second: ReadScores) -> LimitsAndTest:
    """The first mean area minus the second, of the same readings."""
    placed = first.placed() - second.placed()
    parts = first.parts(placed)
    difference = float(first.means(placed, first.positive).mean())
    known = known_of_parts(difference, parts, Limits(np.array(-1.0), np.array(1.0)))
    return known._replace(caveats=(*caveats_of_parts(parts, known),))
