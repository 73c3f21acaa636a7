"""Two models read by the same readers: the difference over new readers and new cases."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import special

from skmetrics_ext.counting.design import INSTEAD
from skmetrics_ext.counting.units import Units
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.clusters import ALIKE, caveats_of_units
from skmetrics_ext.statistics.compared import Compared, LimitsAndTest, unknown
from skmetrics_ext.statistics.crossed import (
    PartsOfVariance,
    Readings,
    caveats_of_rare_class,
    caveats_of_readers,
)
from skmetrics_ext.statistics.estimand import clipped
from skmetrics_ext.statistics.methods import methods_for, shown
from skmetrics_ext.statistics.pairs.metric import PairedMetric


def difference_of_readings(
    units: Units, readings: Readings, metric: PairedMetric, names: tuple[str, str, str]
) -> Compared:
    """The first model minus the second; `names` are those of the metric and of both."""
    name, first, second = names
    totals = np.stack(units.totals())
    values = [float(metric.value.values(total)) for total in totals]
    of_pair = Compared(
        metric=name,
        models=(first, second),
        values=(values[0], values[1]),
        known=unknown("undefined"),
        is_lower_better=metric.choice.row.better == "lower",
    )
    if not np.isfinite(of_pair.difference):
        return of_pair
    slopes = metric.value.gradient_of(metric.value.counts_of(totals))
    moves, gross = _moves(units, slopes), _moves(units, np.abs(slopes) * [[1], [-1]])
    sizes = np.asarray(units.cells[0].sum(1)).ravel() * (gross != 0)
    parts = PartsOfVariance(*(of[0] for of in readings.parts(moves, sizes)))
    least = ALIKE * np.sqrt((gross**2).sum())
    known = known_of_parts(of_pair.difference, parts, metric.possible, least)
    caveats = [*caveats_of_parts(parts, known)]
    if metric.strata is not None and metric.share is None:
        caveats += caveats_of_rare_class(_cases_of_rarest(units, readings, metric))
    return of_pair._replace(known=known, caveats=tuple(caveats))


def _cases_of_rarest(units: Units, readings: Readings, metric: PairedMetric) -> float:
    """The cases of the actual class, or of all others than one, that has the fewest."""
    assert metric.strata is not None, "a function of the rates of actual classes"
    of_cells = np.repeat(metric.strata, metric.value.n_classes)
    sizes = [np.asarray(units.cells[0] @ (of_cells == k)) for k in np.unique(metric.strata)]
    numbers = [float(readings.numbers(of_stratum)[0][0]) for of_stratum in sizes]
    return min((n for n in numbers if n), default=0.0)


def _moves(units: Units, slopes: Array) -> Array:
    """What each reading adds to the first value minus the second."""
    first, second = (cells @ of for cells, of in zip(units.cells, slopes, strict=True))
    return np.asarray(first - second)


def known_of_parts(
    difference: float, parts: PartsOfVariance, possible: Limits, least: float = 0.0
) -> LimitsAndTest:
    """The difference plus and minus standard errors by Student's t, and its p-value, of a standard
    error above the least.
    """
    [method] = methods_for("difference", "crossed")
    [test] = methods_for("equality of models", "crossed")
    how = shown(method, test)
    error = float(np.sqrt(parts.variance))
    if error <= least:
        return unknown(how)

    def limits_at(alpha: float) -> Limits:
        """Limits at level 1 - alpha, within the range of differences."""
        reach = parts.quantile(alpha) * error
        return clipped(Limits(difference - reach, difference + reach), possible)

    p_value = float(2 * special.stdtr(parts.df, -abs(difference) / error))
    return LimitsAndTest(limits_at, p_value, how)


def caveats_of_parts(parts: PartsOfVariance, known: LimitsAndTest) -> Iterator[Caveat]:
    """Few cases or readers, or none that vary."""
    yield from caveats_of_units(int(parts.n_cases), np.inf, "case")
    yield from caveats_of_readers(np.asarray(parts.n_readers), False)
    if np.isnan(known.p_value):
        text = (
            "no reading moves the difference more than another, so its limits and p-value are nan: "
            f"{INSTEAD}."
        )
        yield Caveat("constant", text)
