"""The variation of readings of cases by readers, both drawn from more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.design import INSTEAD, Crossed
from skmetrics_ext.counting.division import ratio, squared
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.clusters import (
    ALIKE,
    OfUnits,
    PartsOfUnits,
    few_units,
    parts_of_units,
    slopes_of_share,
)
from skmetrics_ext.statistics.constants import FEW, FEW_CLUSTERS, FEW_HITS, FEW_UNITS
from skmetrics_ext.statistics.estimand import Estimand
from skmetrics_ext.statistics.values.delta import gradient_of
from skmetrics_ext.statistics.values.proportions import alpha_of_errors, mid_p
from skmetrics_ext.statistics.variation import ROUNDING, Effective
from skmetrics_ext.writing.text import numbered


class PartsOfVariance(NamedTuple):
    """The parts of the variance of a value.

    Of rates they are those of the analysis of variance, of mean areas those of Obuchowski &
    Rockette (1995). `cases` is of pairs of readings of one case by two readers, and may be
    negative; `fixed` is the variance with the same readers.
    """

    readers: Any
    cases: Any
    fixed: Any
    n_readers: Any
    n_cases: Any

    @property
    def variance(self) -> Array:
        """That of new readers and new cases, no less than of the same readers."""
        return np.asarray(np.maximum(self.readers + np.maximum(self.cases, 0), self.fixed))

    @property
    def df(self) -> Array:
        """Satterthwaite's (1946) of both parts, readers with one less than there are; no more than
        if readers had half of the variance, since few do not tell that they are alike.
        """
        rest = self.variance - self.readers
        of_readers = self.readers**2 / np.maximum(self.n_readers - 1, 1)
        of_both = of_readers + rest**2 / np.maximum(self.n_cases - 1, 1)
        found = np.maximum(np.nan_to_num(ratio(self.variance**2, of_both)), 1)
        return np.asarray(np.minimum(found, np.maximum(self.n_readers - 1, 1) / 0.5**2))

    def quantile(self, alpha: Any) -> Array:
        """How many standard errors lie between value and limit."""
        return np.asarray(-special.stdtrit(self.df, alpha / 2))


def parts_of_sums(
    of_readers: Any, of_cases: Any, of_readings: Any, n_readers: Any, n_cases: Any
) -> PartsOfVariance:
    """By the squares of what readers add to a value, and, centred within readers, of what cases
    and single readings add.
    """
    more_readers, more_cases = (n / np.maximum(n - 1, 1) for n in (n_readers, n_cases))
    return PartsOfVariance(
        readers=more_readers * of_readers,
        cases=more_readers * more_cases * (of_cases - of_readings),
        fixed=more_cases * of_cases,
        n_readers=n_readers,
        n_cases=n_cases,
    )


class Readings(NamedTuple):
    """The numbers of the case and of the reader of each reading, and the table that it is in."""

    cases: NDArray[np.int64]
    readers: NDArray[np.int64]
    table: NDArray[np.intp]
    n_tables: int = 1

    def numbers(self, sizes: Array) -> list[NDArray[np.int64]]:
        """How many cases and how many readers have readings of a size above 0, by table."""
        return [
            (np.bincount(of, sizes, most).reshape(self.n_tables, -1) > 0).sum(-1)
            for of, most in (self._by_table(self.cases), self._by_table(self.readers))
        ]

    def parts(self, moves: Array, sizes: Array) -> PartsOfVariance:
        """The parts of the variance of the sum of what readings of such sizes add, by table."""
        case, n_cases = self._by_table(self.cases)
        reader, n_readers = self._by_table(self.readers)
        of_readers = np.bincount(reader, moves, n_readers)
        mean = np.nan_to_num(ratio(of_readers, np.bincount(reader, sizes, n_readers)))
        within = moves - sizes * mean[reader]
        of_cases = np.bincount(case, within, n_cases)
        cases, readers = self.numbers(sizes)
        return parts_of_sums(
            squared(of_readers).reshape(self.n_tables, -1).sum(-1),
            squared(of_cases).reshape(self.n_tables, -1).sum(-1),
            np.bincount(self.table, squared(within), self.n_tables),
            readers,
            cases,
        )

    def _by_table(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
        """Other numbers in each table, and how many there are in all."""
        n = int(numbers.max(initial=-1)) + 1
        return self.table * n + numbers, self.n_tables * n


def why_not_crossed(cases: NDArray[np.int64], readers: NDArray[np.int64]) -> str:
    """Why readings do not tell the variation of readers and cases; empty if they do."""
    if not len(cases):
        return ""
    readings_of = {"case": np.bincount(cases), "reader": np.bincount(readers)}
    for name, of_each in readings_of.items():
        if np.count_nonzero(of_each) == 1:
            return (
                f"there is a single {name}{{where}}, so the variation between {name}s can't be "
                "estimated."
            )
    for (name, of_each), other in zip(readings_of.items(), ("reader", "case"), strict=True):
        if of_each.max() == 1:
            return (
                f"no {name} has two {other}s{{where}}, so the two are not crossed: take the "
                f"{other}s alone as clusters."
            )
    return ""


def effective_readings(
    place: Array, variance: Array, parts: PartsOfVariance, alpha: Any
) -> Effective:
    """A place in the range of a value as hits of so many independent readings: of few hits or
    misses no more than cases, and one a case where nothing varies.
    """
    is_seen = variance > 0
    n = np.where(is_seen, ratio(place * (1 - place), variance), 0)
    is_few = np.minimum(place, 1 - place) * n < FEW_HITS
    n = np.where(is_few, np.minimum(n, parts.n_cases), n)
    n = np.where(n > 0, n, parts.n_cases)
    further = np.maximum(parts.n_cases - 1, 1)
    of_cases = -special.stdtrit(further, alpha / 2)
    errors = np.where(is_seen, parts.quantile(alpha), of_cases)
    return Effective(hits=place * n, n=n, alpha=alpha_of_errors(errors))


class OfReadings(OfUnits):
    """Readings of cases by readers, each a cluster of its own."""

    def __init__(self, parts: PartsOfUnits, readings: Readings) -> None:
        super().__init__(parts, "cluster")
        self.readings = readings

    def shown(self, estimand: Estimand) -> Any:
        """How many cases and readers each entry has."""
        numbers = zip(*self.readings.numbers(self._relevant_sizes(estimand)), strict=True)
        texts = [
            f" of {numbered(int(cases), 'case')} by {numbered(int(readers), 'reader')}"
            for cases, readers in numbers
        ]
        return self._in_shape(np.array(texts), estimand)

    def caveats(self, estimand: Estimand) -> Iterator[Caveat]:
        """Few cases or readers."""
        numbers = self.readings.numbers(self._relevant_sizes(estimand))
        cases, readers = (self._in_shape(of, estimand) for of in numbers)
        if (is_few := (cases > 0) & (cases < FEW_CLUSTERS)).any():
            yield few_units("case")._replace(entries=is_few, n=cases)
        place = _place(estimand)
        is_extreme = np.minimum(place, 1 - place) < 1 / FEW
        yield from caveats_of_readers(readers, is_extreme)
        if estimand.proportion is None and estimand.is_of_actual():
            yield from caveats_of_rare_class(self._cases_of_rarest(estimand))

    def _cases_of_rarest(self, estimand: Estimand) -> Array:
        """The cases of the actual class that has the fewest."""
        fewest = np.full(estimand.matrices.shape[:-2], np.inf)
        for row in range(estimand.matrices.shape[-2]):
            is_of_row = np.zeros(estimand.matrices.shape)
            is_of_row[..., row, :] = 1
            cases, _ = self.readings.numbers(self.parts.sums(is_of_row))
            of_row = self._in_shape(cases, estimand)
            fewest = np.where(of_row > 0, np.minimum(fewest, of_row), fewest)
        return fewest

    def limits(self, estimand: Estimand, alpha: Any) -> Limits:
        """Those of a proportion, or of the place of a value in its range, by mid-P."""
        share = estimand.proportion
        if share is not None:
            (counted,) = estimand.counted_shares()
            place = np.nan_to_num(ratio(counted.hits, counted.n))
            slopes = slopes_of_share(counted, place)
            is_counted = np.broadcast_to(counted.hits_in | counted.misses_in, slopes.shape)
            found = self._effective_at(place, slopes, is_counted, estimand, alpha)
            ends = [share.value_at(limit) for limit in mid_p(found.hits, found.n, found.alpha)]
            return Limits(np.minimum(*ends), np.maximum(*ends))
        least, most = estimand.ends
        slopes = gradient_of(estimand.value_of, estimand.matrices) / (most - least)[..., None, None]
        place = _place(estimand)
        found = self._effective_at(np.nan_to_num(place), slopes, slopes != 0, estimand, alpha)
        limits = mid_p(found.hits, found.n, found.alpha)
        is_known = ~np.isnan(place)
        return Limits(*(np.where(is_known, least + (most - least) * end, np.nan) for end in limits))

    def _effective_at(
        self, place: Array, slopes: Array, counted: Any, estimand: Estimand, alpha: Any
    ) -> Effective:
        """The effective readings behind each value."""
        moves, gross, sizes = (
            self.parts.sums(np.nan_to_num(of)) for of in (slopes, np.abs(slopes), counted)
        )
        found = self.readings.parts(moves, sizes)
        parts = PartsOfVariance(*(self._in_shape(of, estimand) for of in found))
        gross_error = self._in_shape(np.sqrt(self.parts.totals(squared(gross))), estimand)
        n_units = self._in_shape(self.n_units, estimand)
        noise = ROUNDING * np.maximum(place, 1 - place) / np.sqrt(np.maximum(n_units, 1))
        rounding = np.maximum(ALIKE * gross_error, noise)
        variance = np.where(parts.variance > rounding**2, parts.variance, 0)
        return effective_readings(place, variance, parts, alpha)


def _place(estimand: Estimand) -> Array:
    """Where a value is between the ends of its range, or its proportion between 0 and 1."""
    if estimand.proportion is not None:
        (counted,) = estimand.counted_shares()
        return ratio(counted.hits, counted.n)
    least, most = estimand.ends
    return np.asarray(np.clip((estimand.value - least) / (most - least), 0, 1))


def caveats_of_readers(n: Any, is_extreme: Any) -> Iterator[Caveat]:
    """What few readers do not tell, of entries with so many and shares near 0 or 1."""
    if (is_few := (n > 0) & (n < FEW_HITS)).any():
        text = (
            "too few readers{where}, {n}, to estimate the variation between readers: in the worst "
            f"of simulations with 2, 88 % of 95 % confidence limits were right; or {INSTEAD}."
        )
        yield Caveat("few_readers", text, is_few, np.asarray(n))
    if (is_few := (n >= FEW_HITS) & (n < FEW_UNITS) & is_extreme).any():
        text = (
            "{n} readers are few{where} for a value so near the end of its range: in the worst of "
            "simulations with 5 to 19, 89 % of 95 % confidence limits were right."
        )
        yield Caveat("few_readers", text, is_few, np.asarray(n))


def caveats_of_rare_class(n: Any) -> Iterator[Caveat]:
    """What a class of few cases does not tell."""
    if (is_few := np.asarray(n) < FEW).any():
        text = (
            "too few cases of one class{where}, {n}: in the worst of simulations with 2 84 %, "
            "and with 5 of them 88 %, of 95 % confidence limits were right."
        )
        yield Caveat("few_clusters", text, is_few, np.asarray(n))


def variation_of_readings(
    design: Crossed, estimand: Estimand, scale: Array, *, multilabel: bool
) -> OfReadings:
    """The readings of the tables of an estimand."""
    parts = parts_of_units(design.readings, estimand, scale, multilabel=multilabel)
    cases, readers = (of[parts.unit] for of in design.codes())
    return OfReadings(parts, Readings(cases, readers, parts.table, parts.n_tables))
