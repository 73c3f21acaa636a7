"""Permutation tests of groups exchanged between samples."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from skmetrics_ext.counting.counts import Margins, as_floats, margins_of
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.counting.replicates import permuted_tables, random_of
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.estimand import Estimand, hits_and_misses, margins_of_hits
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.values.delta import ValueOfMatrix, scale_of, slopes_by_parts, variance

# A smaller proportion of the values is rounding of derivatives.
ROUNDING = 1e-12
# Up to so many cells derivatives are taken at each permutation.
MOST_EVALUATED = 1 << 13
# Statistics that differ by a smaller proportion are ties: derivatives are numerical.
SAME_STATISTIC = 1e-6
# After so many permutations as extreme, or this share of those asked for, the p-value is not small
# (Besag & Clifford 1991): of 9,999, one near 0.05 varies by 0.0022 with the seed.
FEWEST_AS_FAR, SHARE_AS_FAR = 50, 1 / 20
# NumPy draws from no more; the distribution is then chi-squared.
MOST_DRAWN = 10**9
PERMUTATION = shown("permutation")


def _as_far(statistics: Array, observed: Any) -> NDArray[np.bool_]:
    """Which permutations are at least as extreme as observed; ties up to rounding."""
    with np.errstate(invalid="ignore"):
        return np.asarray(statistics >= observed * (1 - SAME_STATISTIC))


class Equality(NamedTuple):
    """The p-values (...) of equality of all groups, the test of each, empty if none, and how many
    permutations were drawn.
    """

    p_values: Array
    tests: NDArray[np.str_]
    n_permutations: NDArray[np.int64]


def share_tested(estimand: Estimand) -> tuple[Array, Array] | None:
    """Hits and n of the proportion whose exact test compares the groups: the one that the value is
    a function of, or a linear one by what single samples have; None without any.
    """
    share = estimand.proportion
    if share is not None:
        return share.hits, share.n
    if not (estimand.is_overlap or estimand.choice.row.kind == "linear over linear"):
        return None
    n_classes = estimand.matrices.shape[-1]
    rows = np.eye(n_classes**2).reshape(n_classes, n_classes, n_classes, n_classes)
    alone = np.stack([estimand.value_of(row) for row in rows])
    least, most = np.nanmin(alone), np.nanmax(alone)
    hits_in, misses_in = alone == most, alone == least
    some = 1 + np.arange(alone.size).reshape(alone.shape)
    hits, n = (hits_in * some).sum(), ((hits_in | misses_in) * some).sum()
    if not np.isclose(estimand.value_of(some), least + (most - least) * hits / n, rtol=1e-12):
        return None
    hits, misses = ((estimand.matrices * of).sum((-2, -1)) for of in (hits_in, misses_in))
    return hits, hits + misses


def equality_by_permutation(
    estimand: Estimand,
    tested: NDArray[np.bool_],
    place: int,
    n_resamples: int,
    seed: np.random.SeedSequence,
) -> Equality:
    """The test of equality of several exchangeable groups (..., n_groups), which are on the axis
    of this place.
    """
    share = share_tested(estimand)
    if share is not None:
        hits, n = (np.where(tested, np.moveaxis(part, place, -1), 0) for part in share)
        return _equality_of_shares(hits, n, n_resamples, seed)
    matrices = np.moveaxis(estimand.matrices, place, -3)
    asked = replace(estimand, matrices=np.where(tested[..., None, None], matrices, 0))
    return _equality_of_metric(asked, n_resamples, seed)


def _equality_of_shares(
    hits: NDArray[Any], n: NDArray[Any], n_resamples: int, seed: np.random.SeedSequence
) -> Equality:
    """The test of hits of n (..., n_groups) by Pearson's statistic, each entry's by the same
    stream.
    """
    entries, n_groups = n.shape[:-1], n.shape[-1]
    hits, n = (np.rint(part).astype(np.int64).reshape(-1, n_groups) for part in (hits, n))
    observed = _pearson(hits, n)
    tables = np.stack([hits, n - hits], -1)

    def statistics_of(place: int) -> Iterator[Array]:
        """Those of permutations of an entry."""
        for chunk in permuted_tables(tables[place], n_resamples, random_of(seed)):
            yield _pearson(chunk[..., 0], n[place])

    return _equality_by(statistics_of, observed, n, n_resamples, entries)


def _equality_of_metric(
    estimand: Estimand, n_resamples: int, seed: np.random.SeedSequence
) -> Equality:
    """The test for any metric of matrices (..., n_groups, n_classes, n_classes), empty for omitted
    groups, by its studentised differences: each permutation has its own standard errors, so that
    the level also holds for groups that are equal in the metric alone (Chung & Romano 2013).
    """
    *entries, n_groups, n_classes, _ = estimand.matrices.shape
    matrices = estimand.matrices.reshape(-1, n_groups, n_classes, n_classes)
    estimand = replace(estimand, matrices=matrices)

    def statistics_of(place: int) -> Iterator[Array]:
        """Those of permutations of an entry."""
        drawn = Studentised(replace(estimand, matrices=matrices[place : place + 1]))
        for chunk in _permuted(drawn.counts, n_resamples, random_of(seed), by_row=drawn.by_row):
            yield drawn.of(chunk, drawn.common)[:, 0]

    n = matrices.sum((-2, -1))
    return _equality_by(
        statistics_of, Studentised(estimand).observed(), n, n_resamples, tuple(entries)
    )


def _equality_by(
    statistics_of: Callable[[int], Iterator[Array]],
    observed: Array,
    n: NDArray[Any],
    n_resamples: int,
    entries: tuple[int, ...],
) -> Equality:
    """The p-values of statistics observed in entries whose groups have n samples (n_entries,
    n_groups), by those of permutations; of very many samples by their limit.
    """
    n_groups, is_large = (n > 0).sum(-1), n.sum(-1) >= MOST_DRAWN
    tests = np.select([n_groups < 2, is_large], ["", shown("chi-squared")], PERMUTATION)
    p_values = np.where(tests == "", np.nan, stats.chi2.sf(observed, n_groups - 1))
    n_permutations = np.zeros(len(n), dtype=np.int64)
    for place in np.flatnonzero((tests == PERMUTATION) & ~np.isnan(observed)).tolist():
        p_values[place], n_permutations[place] = _p_value_of(
            statistics_of(place), observed[place], n_resamples
        )
    return Equality(
        p_values.reshape(entries), tests.reshape(entries), n_permutations.reshape(entries)
    )


def _p_value_of(chunks: Iterable[Array], observed: float, n_resamples: int) -> tuple[float, int]:
    """The p-value by statistics of permutations, until enough are as far, and their number."""
    n_as_far, n_known = 0, 0
    enough = max(FEWEST_AS_FAR, round(SHARE_AS_FAR * n_resamples))
    for statistics in chunks:
        as_far = _as_far(statistics, observed).cumsum()
        known = (~np.isnan(statistics)).cumsum()
        if n_as_far + as_far[-1] >= enough:
            n_known += int(known[np.searchsorted(as_far, enough - n_as_far)])
            return enough / n_known, n_known
        n_as_far += int(as_far[-1])
        n_known += int(known[-1])
    return (1 + n_as_far) / (1 + n_known), n_known


class Studentised:
    """How much the values of the groups differ, in standard errors of each."""

    def __init__(self, estimand: Estimand) -> None:
        matrices = estimand.matrices
        scale = scale_of(estimand)

        def value_of(counts: Any) -> Array:
            """The value on its nearly normal scale."""
            with np.errstate(divide="ignore", invalid="ignore"):
                return scale.there(estimand.value_of(counts))

        self.estimand, self.by_row = estimand, estimand.is_of_actual()
        self.value = ValueOfMatrix(
            value_of, matrices.shape[-1], estimand.margins_suffice, estimand.value_of_each
        )
        self.are_hits = estimand.depends_only_on_hits()
        self.counts = hits_and_misses(matrices) if self.are_hits else matrices
        # Slow derivatives are taken of all groups together.
        self.common = None
        if self.value.cost > MOST_EVALUATED and not self.are_hits:
            self.common = self._gradient(self._smoothed(matrices.sum(-3, keepdims=True)))

    def observed(self) -> Array:
        """The observed statistic; with common derivatives the smaller of two, as in `swap_test`."""
        own = self.of(self.counts, None)
        return own if self.common is None else np.minimum(own, self.of(self.counts, self.common))

    def of(self, matrices: Array, common: Array | None) -> Array:
        """sum (f_g - f)^2 / v_g of matrices (..., n_groups, n_classes, n_classes), f weighted by 1
        / v_g, v_g smoothed: a group without errors would have none.
        """
        smoothed = self._smoothed(matrices)
        values = self._values(matrices)
        if not np.isfinite(values).all():
            values = np.where(np.isfinite(values), values, self._values(smoothed))
        if common is None:
            gradient = self._gradient(smoothed)
        else:
            # A group's derivatives are larger by the factor between the sizes.
            n = matrices.sum((-2, -1), keepdims=True)
            gradient = common * ratio(n.sum(-3, keepdims=True), n)
        # The same for fixed sizes of actual classes if the value does not depend on these.
        variances = variance(smoothed, gradient, by_row=False)
        is_known = (matrices.sum((-2, -1)) > 0) & np.isfinite(values) & np.isfinite(variances)
        values = np.where(is_known, values, 0)
        size = np.abs(values).max(-1, keepdims=True)
        least_variance = np.maximum(ROUNDING * size, ROUNDING) ** 2
        weights = np.where(is_known, 1 / np.maximum(variances, least_variance), 0)
        middle = ratio((weights * values).sum(-1, keepdims=True), weights.sum(-1, keepdims=True))
        moves = values - middle
        moves = np.where(np.abs(moves) <= ROUNDING * size, 0, moves)
        return np.asarray((weights * moves**2).sum(-1))

    def _smoothed(self, matrices: Array) -> Array:
        """The counts, smoothed; hits and misses as by the observed groups' cells."""
        if self.are_hits:
            return np.asarray(matrices + hits_and_misses(self.estimand.smoothing))
        return matrices + replace(self.estimand, matrices=matrices).smoothing

    def _values(self, counts: Array) -> Array:
        """The values of matrices, or of hits and misses; margins of integers are faster."""
        if self.estimand.is_of_one_class:
            counts = as_floats(counts)
        return self.value.of(margins_of_hits(counts) if self.are_hits else counts)

    def _values_of_rates(self, margins: Margins) -> Array:
        """The values (..., n_classes) of classes of so many right and wrong."""
        assert self.value.of_each is not None, "hits and misses are of classes"
        return self.value.of_each(Margins(margins.tp, margins.fn, margins.fn, margins.tp))

    def _gradient(self, smoothed: Array) -> Array:
        """The derivative of the value by each cell."""
        if self.are_hits:
            [of_right] = slopes_by_parts(
                self.value.of, margins_of_hits(smoothed), ("tp",), self._values_of_rates
            )
            # Rates are the same of twice as many, so that both slopes cancel.
            right, wrong = smoothed[..., 0], smoothed[..., 1]
            return np.stack([of_right, -of_right * ratio(right, np.where(wrong > 0, wrong, 1))], -1)
        counts = margins_of(smoothed) if self.value.margins_suffice else smoothed
        return self.value.gradient_of(counts).reshape(smoothed.shape)


def _permuted(
    matrices: Array, n_resamples: int, random: np.random.Generator, *, by_row: bool
) -> Any:
    """Chunks (r, n_entries, n_groups, n_classes, n_classes), permuted within actual classes."""
    counts = np.rint(matrices).astype(np.int64)
    tables = counts.swapaxes(1, 2) if by_row else counts.reshape(*counts.shape[:2], -1)
    for chunk in permuted_tables(tables, n_resamples, random):
        yield chunk.swapaxes(2, 3) if by_row else chunk.reshape(len(chunk), *counts.shape)


def _pearson(hits: NDArray[Any], n: NDArray[Any]) -> Array:
    """sum n_g (f_g - f)^2 / (f (1 - f)) of hits (..., n_groups) of n."""
    of_all = ratio(hits.sum(-1, keepdims=True), n.sum(-1, keepdims=True))
    squares = np.where(n > 0, ratio((hits - n * of_all) ** 2, n), 0).sum(-1)
    variance_of_one = (of_all * (1 - of_all))[..., 0]
    return np.where(variance_of_one > 0, ratio(squares, variance_of_one), 0)
