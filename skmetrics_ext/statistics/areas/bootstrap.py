"""Samples of each class resampled (Efron 1979), and percentiles of the areas that they have."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.replicates import chunk_sizes
from skmetrics_ext.statistics.arrays import Array, Limits
from skmetrics_ext.statistics.compared import LimitsAndTest
from skmetrics_ext.statistics.inversion import LimitsAt, p_value_of
from skmetrics_ext.statistics.methods import shown
from skmetrics_ext.statistics.values.bootstrap import leaves_any_out, percentiles


def drawn_of_classes(
    sizes: tuple[int, int], n: int, random: np.random.Generator
) -> Iterator[list[NDArray[np.int64]]]:
    """How often each sample of either class is drawn (size, n_of_class), n times in chunks."""
    for size in chunk_sizes(n, sum(sizes)):
        yield [random.multinomial(of, np.full(of, 1 / of), size) for of in sizes]


def resampled_areas(
    models: Sequence[tuple[Array, Array]], n: int, random: np.random.Generator
) -> Array:
    """Areas (n_models, n) by the scores of positive and negative samples, the same for all."""
    positive, negative = models[0]
    chunks = [
        [_areas_of_drawn(*scores, *drawn) for scores in models]
        for drawn in drawn_of_classes((len(positive), len(negative)), n, random)
    ]
    return np.concatenate(chunks, axis=1)


def _areas_of_drawn(
    positive: Array, negative: Array, of_positive: NDArray[np.int64], of_negative: NDArray[np.int64]
) -> Array:
    """The areas (size,) of samples that were drawn so often; ties count half."""
    order = np.argsort(negative)
    n_up_to = np.pad(of_negative[:, order].cumsum(1), ((0, 0), (1, 0)))
    first, last = (np.searchsorted(negative[order], positive, side) for side in ("left", "right"))
    below = (n_up_to[:, first] + n_up_to[:, last]) / 2
    return np.asarray((of_positive * below).sum(1) / (len(positive) * len(negative)))


def percentiles_or_range(values: Array, possible: Limits) -> LimitsAt:
    """The percentiles of replicates, or the possible range if these leave out less than one."""
    return lambda alpha: (
        percentiles(values, alpha) if leaves_any_out(len(values), alpha) else possible
    )


def difference_by_bootstrap(difference: float, values: Array) -> LimitsAndTest:
    """The percentiles of the difference of two areas, inverted for the p-value."""
    limits_at = percentiles_or_range(values, Limits(np.array(-1.0), np.array(1.0)))
    return LimitsAndTest(
        limits_at, p_value_of(limits_at, difference), shown("bootstrap", "inverted")
    )
