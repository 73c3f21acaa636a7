"""Totals in a table of named counts, which are no class."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.reading.containers import Names
from skmetrics_ext.reading.names import NamedTable, find

# Names of totals, also where sums prove nothing.
OF_TOTALS = ("all", "total", "totals", "sum", "grand total")
# Unrounded sums are equal up to this proportion of the largest entry.
ROUNDING = 1e-9
MOST_DECIMALS = 8


class Lines(NamedTuple):
    """Rows or columns of a table; the last may be totals."""

    values: NDArray[np.float64]
    name: Any
    # What the entries of a row are called.
    others: Names
    tolerance: float

    @property
    def is_sum(self) -> bool:
        """Whether the last one is the sum of the others."""
        *_, last = self.values
        sums = self.values[:-1].sum(0)
        return bool(last.any()) and np.allclose(last, sums, rtol=0, atol=self.tolerance)

    @property
    def is_mean(self) -> bool:
        """Whether all are shares, the last ones maybe a weighted mean of the others."""
        least, most = self.values[:-1].min(0), self.values[:-1].max(0)
        last, margin = self.values[-1], self.tolerance
        within = (last >= least - margin) & (last <= most + margin)
        add_up = np.allclose(self.values.sum(1), 1, rtol=0, atol=margin * len(self.others))
        return add_up and bool(within.all())


def refuse_totals(table: NamedTable, labels: NDArray[Any] | None) -> None:
    """Refuse a last row or column of totals, unless `labels` name it as a class."""
    rows, columns = table.rows or table.columns or [], table.columns or table.rows or []
    values = _numbers(table.values)
    if values is None or values.shape != (len(rows), len(columns)) or min(values.shape) < 1:
        return
    tolerance = _tolerance(values)
    of_rows = Lines(values, rows[-1], columns, tolerance)
    of_columns = Lines(values.T, columns[-1], rows, tolerance)
    found = {
        f"the last {what}, {lines.name!r}": lines.name
        for what, lines, across in (("row", of_rows, of_columns), ("column", of_columns, of_rows))
        if _are_totals(lines, across)
    }
    if named := [where for where, name in found.items() if not _is_listed(name, labels)]:
        raise ValueError(
            f"counts has totals in {' and '.join(named)}, which would be counted as a class: omit "
            "margins=True from pd.crosstab, or drop them. If it is a class, list all classes with "
            "labels=[...]."
        )


def _are_totals(lines: Lines, across: Lines) -> bool:
    """Whether the last line holds totals, as a class hardly does."""
    n_lines, n_entries = lines.values.shape
    if n_lines < 2 or not (lines.is_sum or lines.is_mean):
        return False
    if str(lines.name).strip().lower() in OF_TOTALS:
        return True
    # A useless model has two equal rows, a constant one a single column.
    if n_lines < 3 or n_entries < 2:
        return False
    if lines.name in lines.others:
        return lines.is_sum and lines.name == across.name and across.is_sum
    return True


def _is_listed(name: Any, labels: NDArray[Any] | None) -> bool:
    """Whether the caller lists this name as a class."""
    return labels is not None and any(place is not None for place in find(labels, [name]))


def _numbers(values: NDArray[Any]) -> NDArray[np.float64] | None:
    """Finite numbers as floats; None for anything else, which is refused elsewhere."""
    try:
        numbers = values.astype(np.float64)
    except (TypeError, ValueError):
        return None
    return numbers if np.isfinite(numbers).all() else None


def _tolerance(values: NDArray[np.float64]) -> float:
    """By how much a sum may differ: whole numbers not at all, shares by their rounding."""
    largest = float(np.abs(values).max())
    for decimals in range(MOST_DECIMALS):
        if np.abs(values - values.round(decimals)).max() <= 1e-12 * max(largest, 1):
            return 0.5 * 10.0**-decimals * max(values.shape) if decimals else 0.0
    return ROUNDING * largest
