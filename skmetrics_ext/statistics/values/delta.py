"""Limits by the delta method: the derivatives of the value by each cell."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skmetrics_ext.counting.counts import Margins, as_floats, margins_of
from skmetrics_ext.counting.replicates import CELLS_AT_ONCE
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.estimand import Estimand

ValueOf = Callable[[Any], Array]

# By what proportion a cell is changed each way, and how often this difference counts: rounding and
# the fifth derivative are then below 1e-11 of the derivative.
STEPS = ((1e-3, 4 / 3), (2e-3, -1 / 3))
WAYS = np.array([way for step, _ in STEPS for way in (step, -step)])
TIMES = np.array([times / (2 * step) for step, times in STEPS])
# Values that differ by a smaller proportion differ by rounding.
ALIKE = 16 * np.finfo(np.float64).eps


class Scale(NamedTuple):
    """A scale on which values are nearly normal, and its inverse."""

    there: Callable[[Array], Array]
    back: Callable[[Array], Array]
    slope: Callable[[Array], Array]

    def around(self, value: Any, error: Any) -> Limits:
        """A value plus and minus an error on this scale; NaN at its ends."""
        with np.errstate(all="ignore"):
            middle, half = self.there(value), error * self.slope(value)
            return Limits(self.back(middle - half), self.back(middle + half))


SCALES = {
    "": Scale(np.asarray, np.asarray, np.ones_like),
    "log": Scale(np.log, np.exp, np.reciprocal),
    "logit": Scale(special.logit, special.expit, lambda value: 1 / (value * (1 - value))),
}


def scale_between(ends: Limits) -> Scale:
    """The scale whose ends are those of the values, of all entries or of each; else none."""
    least, most = ends
    if (least == 0).all() and np.isposinf(most).all():
        return SCALES["log"]
    width = most - least
    if not np.isfinite(width).all():
        return SCALES[""]
    logit = SCALES["logit"]
    # A range of a single value has no other scale.
    is_range, width = width > 0, np.where(width > 0, width, 1)

    def there(value: Any) -> Array:
        """The logit of the place between both ends."""
        return np.where(is_range, logit.there((value - least) / width), value)

    def back(place: Any) -> Array:
        """The value there."""
        return np.where(is_range, least + width * logit.back(place), place)

    def slope(value: Any) -> Array:
        """How fast the logit rises with the value."""
        return np.where(is_range, logit.slope((value - least) / width) / width, 1)

    return Scale(there, back, slope)


def scale_of(estimand: Estimand, *, by_range: bool = False) -> Scale:
    """The scale of a ratio, by all values that it may have; else of these counts, if asked."""
    if estimand.has_own_scale:
        return scale_between(Limits(*map(np.asarray, estimand.choice.row.widest_ends)))
    if not by_range:
        return SCALES[""]
    if estimand.proportion is None:
        return scale_between(estimand.ends)
    # A function of a proportion has its values at none and at all hits.
    return scale_between(Limits(*np.sort(estimand.proportion.value_at(np.array([0.0, 1.0])))))


def with_ends(limits: Limits, value: Array, ends: tuple[float, float]) -> Limits:
    """Limits between two ends: a value at an end is its own limit, an undefined one has both."""
    is_unknown = np.isnan(value)
    return Limits(
        *(
            np.where((value == end) | is_unknown, end, of)
            for end, of in zip(ends, limits, strict=True)
        )
    )


def gradient_of(value_of: ValueOf, counts: Array) -> Array:
    """The derivative by each cell (..., n_rows, n_columns); 0 for empty cells, which need none."""
    *leading, n_rows, n_columns = counts.shape
    flat = counts.reshape(*leading, n_rows * n_columns)
    found = np.zeros(flat.shape)
    (occupied,) = np.nonzero((flat > 0).reshape(-1, flat.shape[-1]).any(0))
    n_at_once = max(CELLS_AT_ONCE // max(counts.size * len(WAYS), 1), 1)
    for start in range(0, len(occupied), n_at_once):
        some = occupied[start : start + n_at_once]
        factors = np.ones((len(WAYS), len(some), flat.shape[-1]))
        factors[:, np.arange(len(some)), some] += WAYS[:, None]
        shape = (*factors.shape[:2], *(1 for _ in leading), n_rows, n_columns)
        rises = np.moveaxis(_rise(value_of(factors.reshape(shape) * counts)), 0, -1)
        filled = flat[..., some]
        found[..., some] = np.where(filled > 0, rises / np.where(filled > 0, filled, 1), 0)
    return found.reshape(counts.shape)


def gradient_by_margins(
    value_of: ValueOf, margins: Margins, value_of_each: ValueOf | None
) -> Array:
    """Derivatives by cell of a value of margins alone, which are fewer."""
    tp, fp, fn, tn = slopes_by_parts(value_of, margins, Margins._fields, value_of_each)
    of_rows, of_columns = fn - tn, fp - tn
    cells = of_rows[..., :, None] + of_columns[..., None, :] + tn.sum(-1)[..., None, None]
    of_class = np.arange(margins.tp.shape[-1])
    cells[..., of_class, of_class] += tp - fn - fp + tn
    return np.asarray(cells)


def variance(counts: Array, rises: Array, *, by_row: bool) -> Array:
    """sum g^2 M - (sum g M)^2 / n with derivatives g; with fixed row sums the same in each row."""
    products = counts * rises
    parts = (-1,) if by_row else (-2, -1)
    totals, sums = counts.sum(parts), products.sum(parts)
    squares = np.einsum("...ij,...ij->...i" if by_row else "...ij,...ij->...", products, rises)
    spread = squares - sums**2 / np.where(totals > 0, totals, 1)
    return np.asarray(np.maximum(spread.sum(-1) if by_row else spread, 0))


def _rise(values: Array) -> Array:
    """The derivative by what was changed by `WAYS`, relatively, from the values then (n_ways, ...);
    a difference that is rounding moves no sample.
    """
    up, down = values[::2], values[1::2]
    with np.errstate(invalid="ignore"):
        rise = up - down
        is_rounding = np.abs(rise) <= ALIKE * np.minimum(np.abs(down), np.abs(up))
        times = TIMES.reshape(-1, *(1 for _ in rise.shape[1:]))
        return np.asarray((np.where(is_rounding, 0, rise) * times).sum(0))


def slopes_by_parts(
    value_of: ValueOf, margins: Margins, names: Sequence[str], value_of_each: ValueOf | None
) -> list[Array]:
    """The derivatives by these margins; of a mean of classes all classes move at once."""
    if value_of_each is None:
        parts = np.stack([getattr(margins, name) for name in names], -2)

        def value_of_parts(replaced: Array) -> Array:
            """The value with these margins replaced."""
            named = dict(zip(names, np.moveaxis(replaced, -2, 0), strict=True))
            return value_of(Margins(*np.broadcast_arrays(*margins._replace(**named))))

        return [*np.moveaxis(gradient_of(value_of_parts, parts), -2, 0)]
    margins = as_floats(margins)
    found = []
    for name in names:
        part = getattr(margins, name)
        # One call for all steps: with few counts calls are slow.
        moved = margins._replace(**{name: np.multiply.outer(1 + WAYS, part)})
        values = value_of_each(Margins(*np.broadcast_arrays(*moved)))
        is_known = ~np.isnan(values[0])
        n_known = is_known.sum(-1, keepdims=True)
        with np.errstate(invalid="ignore"):
            rises = _rise(values) / (np.where(part > 0, part, 1) * n_known)
        # An undefined class is not part of the mean.
        found.append(np.where((part > 0) & is_known, rises, 0))
    return found


class ValueOfMatrix(NamedTuple):
    """A metric of matrices (..., n_classes, n_classes)."""

    of: Callable[[Any], Array]
    n_classes: int
    margins_suffice: bool
    # The values (..., n_classes) of which it is the plain mean, if it is.
    of_each: Callable[[Any], Array] | None = None

    @property
    def cost(self) -> int:
        """How many cells are evaluated for the derivatives."""
        if self.of_each is not None:
            return 8 * self.n_classes
        return 16 * self.n_classes**2 if self.margins_suffice else 2 * self.n_classes**4

    def counts_of(self, cells: NDArray[Any]) -> Any:
        """Flat matrices (..., n_cells) as matrices, or as margins if these suffice."""
        matrices = cells.reshape(*cells.shape[:-1], self.n_classes, self.n_classes)
        return margins_of(matrices) if self.margins_suffice else as_floats(matrices)

    def values(self, cells: NDArray[Any]) -> Array:
        """The values of flat matrices (..., n_cells)."""
        return self.of(self.counts_of(cells))

    def gradient_of(self, counts: Any) -> Array:
        """The derivative by each cell (..., n_cells) of matrices, or of what has these margins."""
        if self.margins_suffice:
            gradient = gradient_by_margins(self.of, counts, self.of_each)
        else:
            gradient = gradient_of(self.of, counts)
        return gradient.reshape(*gradient.shape[:-2], -1)
