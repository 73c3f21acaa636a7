"""Units of several samples, or of several labels, and a choice -> Interval."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.score import classes_request, score
from skmetrics_ext.counting.counted import Counted, CountedLabels
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import chunk_sizes
from skmetrics_ext.counting.units import Units
from skmetrics_ext.statistics import intervals
from skmetrics_ext.statistics.bootstrap import Draws, MethodLimits, limits_by_bootstrap, replicated
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.delta import EDGES, SCALES, gradient_of, scale_of_range, with_ends
from skmetrics_ext.statistics.estimand import (
    Estimand,
    Proportion,
    clipped,
    estimand_of,
    estimand_of_labels,
    range_of,
)
from skmetrics_ext.statistics.intervals import Request
from skmetrics_ext.statistics.proportions import (
    Array,
    Limits,
    alpha_of_errors,
    effective_number,
    modified_wilson,
    wilson,
)
from skmetrics_ext.statistics.results import Interval

# The number of rows of all tables that are resampled; more would not change the limits.
MOST_ROWS = 1 << 10
# If there are more units, they are put into at least this many pools.
FEWEST_POOLS = 1 << 8
# Fewer units do not give the variation between units, nor do unequal clusters with a smaller
# effective number.
FEW, FEW_OF_ONE_SIZE = 15, 10
# Fewer hits or misses do not give their number in other clusters.
FEW_HITS = 5
# Units whose contributions differ by a smaller proportion are alike: that is rounding.
ALIKE = 1e-7
# All derivatives are 0 if none exceeds this proportion of the value: the rounding of the value over
# the step, in classes of few samples.
ROUNDING = 1e-8


class Sampled(NamedTuple):
    """Units of samples, and how sums over them are read."""

    units: Units
    # Counts with one number per cell.
    counted_of: Callable[[Array], Counted]
    # What a unit is: a sample or a cluster.
    name: str
    # The unweighted counts of all samples, unless the weights are frequency weights.
    once: Counted

    @property
    def counted(self) -> Counted:
        """The counts of all units."""
        return self.counted_of(self.units.totals()[0])

    def estimand(self, choice: Choice) -> Estimand:
        """What is requested for all units; a pseudo-unit has their mean weight, itself weighted by
        the weights.
        """
        counted, frequencies = self.counted, self.units.frequencies
        weights = self.units.cells[0].sum(axis=1) / (
            len(counted.order) if counted.multilabel else 1
        )
        return _estimand_of_units(counted, choice)._replace(
            unit=float(frequencies @ weights**2 / (frequencies @ weights))
        )

    def n_samples(self, choice: Choice) -> Any:
        """The number of samples of each value."""
        return _estimand_of_units(self.once, choice).n_samples()

    def powers(self, choice: Choice, power: int) -> Estimand:
        """The same for powers of the weights that units add: 0 for their number, 2
        for the squares.
        """
        cells = self.units.cells[0]
        powers = self.units.frequencies @ (
            cells.astype(bool).astype(np.float64) if power == 0 else cells.power(power)
        )
        return _estimand_of_units(self.counted_of(powers), choice)


class Rows(NamedTuple):
    """What units add to the cells of one table, and how often."""

    # A sparse (n_rows, n_cells).
    cells: Any
    frequencies: NDArray[Any]


def rows_of(sampled: Sampled, estimand: Estimand) -> list[Rows]:
    """The units of each table of an estimand."""
    cells, frequencies = sampled.units.cells[0], sampled.units.frequencies
    if estimand.positions is None:
        return [Rows(cells, frequencies)]
    counted = sampled.counted
    n_classes = len(counted.order)
    tables = []
    for position in estimand.positions:
        if counted.multilabel:
            label, place = np.divmod(cells.indices, 4)
            weights = np.where(label == position, cells.data, 0)
        else:
            actual, predicted = np.divmod(cells.indices, n_classes)
            place, weights = 2 * (actual == position) + (predicted == position), cells.data
        table = sparse.csr_array(
            (weights, place, cells.indptr), shape=(len(frequencies), 4), copy=True
        )
        table.sum_duplicates()
        table.eliminate_zeros()
        tables.append(Rows(table, frequencies))
    return tables


def values_of_units(
    estimand: Estimand, tables: list[Rows], n: int, random: np.random.Generator
) -> Array:
    """The values (n, ...) of replicates whose units are resampled, each with all of its samples.

    Pseudo-units are among them. With very many units pools are resampled, which vary as much.
    """
    most = max(MOST_ROWS // len(tables), FEWEST_POOLS)
    tables = [
        table if table.cells.shape[0] <= most else _in_pools(table, most, random)
        for table in tables
    ]
    patterns, amounts = _pseudo_units(estimand)
    distributions = [
        _distribution_of(table, patterns, share)
        for table, share in zip(tables, amounts, strict=True)
    ]
    size = max(len(shares) for _, _, shares in distributions) * len(distributions)
    values = []
    for r in chunk_sizes(n, size):
        drawn = [
            random.multinomial(total, shares, size=r) @ cells
            for total, cells, shares in distributions
        ]
        values.append(estimand.value_of(np.stack(drawn, 1).reshape(r, *estimand.matrices.shape)))
    return np.concatenate(values)


def _estimand_of_units(counted: Counted, choice: Choice) -> Estimand:
    """What is requested for each class or for a matrix, or for all labels together."""
    if not counted.multilabel:
        return estimand_of(counted, choice)
    is_of_each = choice.row.has_average and classes_request(counted, choice).average is None
    return estimand_of(counted, choice) if is_of_each else estimand_of_labels(counted, choice)


def _pseudo_units(estimand: Estimand) -> tuple[Any, Array]:
    """What pseudo-units add (n_pseudo, n_cells), and how many there are of each (n_tables,
    n_pseudo).

    Each adds to one cell; with several labels to the same cell of each label.
    """
    amounts = estimand.smoothing / estimand.unit
    if estimand.is_of_labels:
        cells = np.concatenate([np.diag(of_label > 0) for of_label in amounts], axis=1)
        return sparse.csr_array(estimand.unit * cells), np.full((1, 4), 0.25)
    amounts = amounts.reshape(-1, estimand.matrices.shape[-2] * estimand.matrices.shape[-1])
    return estimand.unit * sparse.eye_array(amounts.shape[1], format="csr"), amounts


def _distribution_of(table: Rows, patterns: Any, amounts: Array) -> tuple[int, Any, Array]:
    """How many units are resampled, what each kind adds, and its probability."""
    shares = np.concatenate([table.frequencies, amounts])
    return (
        int(table.frequencies.sum()),
        sparse.vstack([table.cells, patterns], format="csr"),
        shares / shares.sum(),
    )


def _in_pools(table: Rows, n_pools: int, random: np.random.Generator) -> Rows:
    """Random pools of equal size; resampling pools has nearly the same distribution as resampling
    units.
    """
    units = np.repeat(np.arange(len(table.frequencies)), table.frequencies)
    pools = random.permutation(len(units)) % n_pools
    parts = sparse.csr_array(
        (np.ones(len(units)), (pools, units)), shape=(n_pools, len(table.frequencies))
    )
    return Rows(parts @ table.cells, np.ones(n_pools, dtype=np.int64))


class Spread(NamedTuple):
    """How much units change a value."""

    # The standard error.
    error: Array
    # Whether there is any variation between units.
    is_seen: Any
    # The effective number (Kish) of units that affect the value, by their relevant samples.
    n: Any


def interval_of_dependent(sampled: Sampled, choice: Choice, request: Request) -> Interval:
    """The value of clusters of samples, or of several labels per sample."""
    intervals.check_request(request)
    sizes = sampled.units.cells[0].sum(axis=1)
    n_effective = effective_number(sizes, sampled.units.frequencies)
    caveats = [*caveats_of_units(sampled.units.n, n_effective, sampled.name)]
    estimand = sampled.estimand(choice)
    refuse_worst(estimand)
    fitting = intervals.fitting_units(estimand)
    of = " of clusters" if sampled.name == "cluster" else " of several labels"
    method = intervals.chosen_method(estimand, request.method, fitting, of)
    tables = rows_of(sampled, estimand)

    def find(alpha: float, draws: Draws) -> MethodLimits:
        """Confidence limits at level 1 - alpha."""
        if method == "bootstrap":
            return _by_bootstrap_of_units(estimand, tables, alpha, draws)
        if method == "wilson":
            return _by_wilson_of_units(estimand, tables, alpha)
        return _by_delta_of_units(estimand, tables, alpha, draws)

    shown = with_clusters(method, sampled.units.n, sampled.name)
    n = sampled.n_samples(choice)
    return intervals.make_interval(
        sampled.counted, estimand, (), request, method, find, shown, n, caveats
    )


def with_clusters(method: str, n: int, name: str) -> str:
    """A method as shown, with the number of clusters."""
    return (
        f"{intervals.METHODS[method]} of {n} clusters"
        if name == "cluster"
        else intervals.METHODS[method]
    )


def caveats_of_classes(
    clusters: NDArray[np.int64], positive: NDArray[np.bool_], weights: Array
) -> Iterator[Caveat]:
    """Refuse a class with samples in a single cluster; caveats where there are few."""
    for of, name in ((positive, "positive"), (~positive, "negative")):
        sizes = np.bincount(clusters[of], weights[of]).astype(np.float64)
        n = int((sizes > 0).sum())
        yield from caveats_of_units(n, effective_number(sizes), "cluster", f" with {name} samples")


def caveats_of_units(n: int, n_effective: float, name: str, of: str = "") -> Iterator[Caveat]:
    """Few units, or clusters of which a few contain most samples, so that Kish's effective number
    is small; a single one is refused.
    """
    if n < 2:
        raise ValueError(
            f"there is a single {name}{of}, so the variation between {name}s can't be estimated."
        )
    if n < FEW:
        text = (
            f"there are only {n} {name}s{of}, too few to estimate the variation between {name}s: "
            "in the worst of simulations with 3 to 14, 87 % of 95 % confidence limits were right."
        )
        yield Caveat("few_clusters", text)
    elif name == "cluster" and n_effective < FEW_OF_ONE_SIZE:
        text = (
            "the cluster sizes are so unequal that the effective number of clusters is "
            f"{n_effective:.2g}, too few to estimate the variation between clusters: the "
            "confidence limits are unreliable."
        )
        yield Caveat("unequal_clusters", text)


def refuse_worst(estimand: Estimand) -> None:
    """Refuse the worst of values whose limits are dependent."""
    if estimand.kind.is_worst:
        raise ValueError(
            "there is no valid confidence interval for the worst value of "
            f"{estimand.choice.row.name} with weighted, "
            "clustered or multilabel samples: use the interval for each class, average=None."
        )


def _by_wilson_of_units(estimand: Estimand, tables: list[Rows], alpha: float) -> MethodLimits:
    """Wilson's limits for p (1 - p) / v samples, v the variance; if that is 0, each cluster counts
    as a sample.
    """
    spread, share = (
        _spread(estimand, tables, estimand.matrices),
        estimand.value_of(estimand.matrices),
    )
    n = np.where(spread.is_seen, ratio(share * (1 - share), spread.error**2), 0)
    # So few hits or misses do not give the variation between clusters.
    n = np.where(np.minimum(share, 1 - share) * n < FEW_HITS, np.minimum(n, spread.n), n)
    limits = modified_wilson(
        np.nan_to_num(share) * n,
        n,
        alpha_of_errors(quantile_of_units(np.maximum(spread.n, 2), alpha)),
    )
    alike = _limits_of_clusters_as_samples(estimand, tables, alpha)
    assert alike is not None, "proportions have it"
    return _where_seen(spread.is_seen, MethodLimits(limits), alike)


def _by_delta_of_units(
    estimand: Estimand, tables: list[Rows], alpha: float, draws: Draws
) -> MethodLimits:
    """Limits by the delta method, with degrees of freedom one less than the effective number of
    units that affect it.

    Without variation between units, proportions have Wilson's limits as if each cluster were one
    sample, and all other metrics those of the bootstrap.
    """
    if estimand.is_of_one_class and estimand.choice.row.interval in EDGES:
        limits, is_seen = _limits_of_filled(estimand, tables, alpha)
    else:
        limits, is_seen = _on_scale(estimand, tables, alpha)
    if np.all(is_seen):
        return MethodLimits(limits)
    alike = _limits_of_clusters_as_samples(estimand, tables, alpha) or _by_units(
        estimand, tables, alpha, draws
    )
    return _where_seen(is_seen, MethodLimits(limits), alike)


def _by_bootstrap_of_units(
    estimand: Estimand, tables: list[Rows], alpha: float, draws: Draws
) -> MethodLimits:
    """Percentiles widened for few units (Hesterberg 2015); pseudo-units are single samples where
    units vary.
    """
    spread = _spread(estimand, tables, estimand.matrices)
    expanded = np.where(spread.is_seen, alpha_of_errors(quantile_of_units(spread.n, alpha)), alpha)
    found = _by_units(estimand._replace(unit=1.0), tables, expanded, draws)
    if np.all(spread.is_seen):
        return found
    return _where_seen(spread.is_seen, found, _by_units(estimand, tables, alpha, draws))


def _where_seen(is_seen: Any, found: MethodLimits, alike: MethodLimits) -> MethodLimits:
    """The limits found where units vary, and those for units that are alike."""
    ends = (np.where(is_seen, *both) for both in zip(found.limits, alike.limits, strict=True))
    return MethodLimits(Limits(*ends), np.where(is_seen, found.n_undefined, alike.n_undefined))


def quantile_of_units(n: Any, alpha: float) -> Array:
    """The number of standard errors from value to limit, for standard errors of n units as if
    independent.
    """
    further = np.maximum(n - 1, 1)
    return np.asarray(-special.stdtrit(further, alpha / 2) * np.sqrt(n / further))


def _by_units(estimand: Estimand, tables: list[Rows], alpha: Any, draws: Draws) -> MethodLimits:
    """Percentiles of replicates of the units."""
    return limits_by_bootstrap(
        estimand, values_of_units(replicated(estimand), tables, draws.n, draws.random), alpha, draws
    )


def _on_scale(estimand: Estimand, tables: list[Rows], alpha: float) -> tuple[Limits, Any]:
    """Limits on the scale whose ends are those of the values; and where units vary."""
    spread, value = (
        _spread(estimand, tables, estimand.matrices),
        estimand.value_of(estimand.matrices),
    )
    limits = SCALES[scale_of_range(estimand.choice)].around(
        value, quantile_of_units(spread.n, alpha) * spread.error
    )
    is_known = np.isfinite(value) & ~np.isnan(limits.low + limits.high)
    return clipped(limits, estimand.choice), spread.is_seen & is_known


def _limits_of_filled(estimand: Estimand, tables: list[Rows], alpha: float) -> tuple[Limits, Any]:
    """Limits on a row's own scale, half a unit added to each cell of tables with an empty one; and
    where units vary.
    """
    name, matrices = estimand.choice.row.interval, estimand.matrices
    has_empty_cell = (matrices == 0).any((-2, -1), keepdims=True)
    extra = np.broadcast_to(np.where(has_empty_cell, 0.5, 0), matrices.shape)
    filled = matrices + extra * estimand.unit
    spread = _spread(estimand, tables, filled, extra)
    limits = SCALES[name].around(
        estimand.value_of(filled), quantile_of_units(spread.n, alpha) * spread.error
    )
    return with_ends(limits, estimand.value_of(matrices), EDGES[name]), spread.is_seen


def _spread(
    estimand: Estimand, tables: list[Rows], matrices: Array, extra: Array | None = None
) -> Spread:
    """sum (g . row)^2 over the units, g the derivatives; `extra` are pseudo-units in each cell."""
    of_cells = gradient_of(estimand.value_of, matrices).reshape(len(tables), -1)
    pseudo = np.zeros_like(of_cells) if extra is None else extra.reshape(of_cells.shape)
    sums = []
    for table, slope, n_pseudo in zip(tables, of_cells, pseudo, strict=True):
        moves = np.concatenate([table.cells @ slope, estimand.unit * slope])
        frequencies = np.concatenate([table.frequencies, n_pseudo])
        gross = np.concatenate([table.cells @ np.abs(slope), estimand.unit * np.abs(slope)])
        n = effective_number(table.cells @ (slope != 0), table.frequencies)
        sums.append(
            (
                frequencies @ moves**2 - (frequencies @ moves) ** 2 / frequencies.sum(),
                frequencies @ gross**2,
                n,
            )
        )
    variance, size, n = np.moveaxis(np.reshape(sums, (*matrices.shape[:-2], 3)), -1, 0)
    error, gross = np.sqrt(np.maximum(variance, 0)), np.sqrt(size)
    noise = ROUNDING * np.abs(estimand.value_of(matrices)) / np.sqrt(tables[0].frequencies.sum())
    return Spread(error, (error > ALIKE * gross) & ~(gross <= noise) & (n > 1), n)


def _limits_of_clusters_as_samples(
    estimand: Estimand, tables: list[Rows], alpha: float
) -> MethodLimits | None:
    """Wilson's limits of a proportion with one sample per cluster that has samples in the
    denominator.
    """
    share, choice = estimand.proportion(), estimand.choice
    is_of_some_classes = (
        choice.row.has_average and choice.labels is not None and not estimand.is_of_one_class
    )
    if share is None or is_of_some_classes:
        return None
    n: Any = tables[0].frequencies.sum()
    if estimand.is_of_one_class:
        of_units = np.stack([table.cells.toarray() for table in tables], 1)
        of_units = of_units.reshape(len(of_units), *estimand.matrices.shape)
        each = estimand._replace(matrices=of_units).proportion()
        assert each is not None, (
            "a proportion of all samples is also a proportion of the samples in a cluster"
        )
        n = np.tensordot(tables[0].frequencies, each.n > 0, 1)
    hits = np.nan_to_num(ratio(share.hits, share.n)) * n
    return MethodLimits(intervals.by_share(Proportion(hits, n, share.value_at), alpha))


class Members(NamedTuple):
    """Cluster, weight and number of each sample."""

    # Its cluster, or the sample itself.
    unit: NDArray[Any]
    weight: NDArray[Any]
    # How many units it represents.
    frequencies: NDArray[Any]
    # How many samples it contains.
    numbers: NDArray[Any]


def interval_of_means(
    counted: Counted, choice: Choice, samples: Members, name: str, request: Request
) -> Interval:
    """The mean of the values of the samples; `name` is that of a unit."""
    intervals.check_request(request)
    values = _value_of_each(counted, choice)
    kept = (samples.weight * samples.frequencies > 0) & ~np.isnan(values)
    samples, values = Members(*(part[kept] for part in samples)), values[kept]
    total = samples.weight * samples.frequencies
    mean = np.asarray(ratio(total @ values, total.sum()))
    # By how much the mean is higher with each unit than without it, and what that were if no
    # samples offset others.
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
    estimand = Estimand(choice, "samples", mean, lambda value: value)
    method = intervals.chosen_method(estimand, request.method, ["delta"])

    def find(alpha: float, _: Draws) -> MethodLimits:
        """Confidence limits at level 1 - alpha."""
        return MethodLimits(
            _limits_of_mean(choice, mean, quantile_of_units(n_effective, alpha) * reach, n, alpha)
        )

    shown = with_clusters(method, n, name)
    n_samples = int(samples.numbers.sum())
    return intervals.make_interval(
        counted, estimand, (), request, method, find, shown, n_samples, caveats
    )


def _value_of_each(counted: Counted, choice: Choice) -> Array:
    """The value of each sample; NaN where it is omitted from the mean."""
    of_samples = CountedLabels(counted.samples, np.arange(len(counted.samples.tp)))
    values = score(of_samples, choice.quiet()._replace(average=None, labels=None))
    return np.asarray(values, dtype=np.float64)


def _limits_of_mean(choice: Choice, mean: Array, half: Any, n: int, alpha: float) -> Limits:
    """Limits by the delta method on the scale of the values; Wilson's without a half-width, a unit
    being a sample.
    """
    least, most = range_of(choice)
    limits = SCALES[scale_of_range(choice)].around(mean, half)
    if np.isfinite(mean) and not np.isnan(limits.low + limits.high):
        return clipped(limits, choice)
    if not (np.isfinite(least) and np.isfinite(most) and np.isfinite(mean)):
        return Limits(np.asarray(least), np.asarray(most))
    return Limits(
        *(
            least + (most - least) * end
            for end in wilson((mean - least) / (most - least) * n, n, alpha)
        )
    )
