"""Counts at given thresholds against comparisons of every score with each of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skmetrics_ext.counting.ranking import FEW, MOST_BUCKETS, Samples, counts_at, sums_of_either
from tests.shared import one_in

SCORES = {
    "uniform": lambda random, n: random.random(n),
    "normal": lambda random, n: random.normal(size=n),
    "rounded": lambda random, n: random.random(n).round(2),
    "float32": lambda random, n: random.normal(size=n).astype(np.float32),
    "float16": lambda random, n: random.normal(size=n).astype(np.float16),
    "negative": lambda random, n: -1000 - random.random(n),
    "crowded beside an outlier": lambda random, n: np.append(random.random(n - 1), 1e9),
    "of one value": lambda _, n: np.full(n, 0.25),
    "of the least span": lambda _, n: np.arange(n) % 3 * 5e-324,
    "of the least span of float32": lambda _, n: (np.arange(n) % 3 * 1e-45).astype(np.float32),
    "of the widest span": lambda random, n: (random.random(n) * 2 - 1) * 1.7e308,
    "of the widest span of float32": lambda random, n: ((random.random(n) * 2 - 1) * 3.4e38).astype(
        np.float32
    ),
    "of the widest span of float16": lambda random, n: ((random.random(n) * 2 - 1) * 65000).astype(
        np.float16
    ),
}


def samples_of(scores, weighted):
    """Every third sample is positive; sums of the weights are exact."""
    numbers = np.arange(len(scores))
    weights = {"none": None, "whole": numbers % 4, "quarters": numbers % 7 / 4}[weighted]
    return Samples(scores, numbers % 3 == 0, weights)


def assert_counted_at(samples, thresholds, ties):
    """tp, fp, fn and tn at each threshold are sums over the samples that reach it, and over the
    others.
    """
    weights = (
        np.ones(len(samples.scores), dtype=int) if samples.weights is None else samples.weights
    )
    reaches = np.greater_equal if ties == "positive" else np.greater
    counts = counts_at(samples, thresholds, ties)
    sums = sums_of_either(weights * 2.0, weights * 1.0, samples.scores, thresholds, ties)
    above = reaches(samples.scores, np.asarray(thresholds)[:, None])
    # Floats, which add these weights exactly, have fast products.
    of_class = np.column_stack([weights * samples.positive, weights * ~samples.positive]) * 1.0
    reaching, others = (side.astype(float) @ of_class for side in (above, ~above))
    expected = np.column_stack([reaching, others])
    np.testing.assert_array_equal(np.column_stack(counts), expected)
    np.testing.assert_array_equal(sums, reaching.sum(axis=1) * 2 + others.sum(axis=1))


def around(scores, random, n_thresholds):
    """Thresholds at scores, next to them, between, and beyond all of them, in no order."""
    some = random.choice(scores, n_thresholds)
    least, most = np.array([-np.inf, np.inf], dtype=scores.dtype)
    beside = [np.nextafter(some, least), np.nextafter(some, most)]
    beyond = [
        least,
        most,
        scores.min(),
        scores.max(),
        np.nextafter(scores.min(), least),
        np.nextafter(scores.max(), most),
    ]
    return random.permutation(
        np.concatenate([some, some[:3], *beside, some / 2 + some[::-1] / 2, beyond])
    )


@pytest.mark.parametrize(
    ("kind", "samples", "ties"),
    one_in(
        3,
        SCORES,
        [(FEW - 1, "whole"), (FEW, "none"), (FEW + 1, "quarters")],
        ["positive", "negative"],
    ),
)
def test_counts_at_thresholds_at_scores_and_right_beside_them(kind, samples, ties):
    n_samples, weighted = samples
    random = np.random.default_rng(n_samples)
    scores = SCORES[kind](random, n_samples)
    assert_counted_at(samples_of(scores, weighted), around(scores, random, 5), ties)


@pytest.mark.parametrize(
    "n_thresholds", [1, 4095, 4096, 4097, MOST_BUCKETS // 16 - 1, MOST_BUCKETS // 16 + 1]
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_counts_at_as_many_thresholds_as_buckets_are_made_for(n_thresholds, dtype):
    random = np.random.default_rng(0)
    scores = random.random(FEW).astype(dtype)
    thresholds = random.permutation(
        np.concatenate([scores, random.random(n_thresholds).astype(dtype)])
    )[:n_thresholds]
    counts = counts_at(samples_of(scores, "none"), thresholds, "positive")
    positive = np.arange(FEW) % 3 == 0
    for of, reaching, others in (
        (positive, counts.tp, counts.fn),
        (~positive, counts.fp, counts.tn),
    ):
        below = np.searchsorted(np.sort(scores[of]), thresholds, side="left")
        np.testing.assert_array_equal(others, below)
        np.testing.assert_array_equal(reaching, of.sum() - below)


@given(
    st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=12),
    st.lists(st.floats(width=32, allow_nan=False), min_size=1, max_size=6),
    st.sampled_from([np.float32, np.float64]),
    st.sampled_from([1, FEW]),
    st.sampled_from(["positive", "negative"]),
)
def test_counts_at_any_thresholds(scores, thresholds, dtype, n_samples, ties):
    scores = np.resize(np.array(scores, dtype=dtype), max(n_samples, len(scores)))
    assert_counted_at(samples_of(scores, "quarters"), np.array(thresholds, dtype=dtype), ties)
