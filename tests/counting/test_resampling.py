"""Resampled matrices: their distribution both ways, their totals, their chunks."""

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext.counting import resampling
from skmetrics_ext.counting.counts import margins_of
from skmetrics_ext.counting.replicates import CELLS_AT_ONCE
from skmetrics_ext.counting.resampling import (
    MOST_IN_TABLE,
    expected,
    resampled,
    resampled_margins,
    resampled_shares,
)
from tests.shared import one_in

MATRICES = np.array([[[5.0, 1.0], [0.0, 2.0]], [[0.0, 3.0], [4.0, 0.0]]])


def all_of(chunks):
    return np.concatenate(list(chunks))


@pytest.fixture(params=["poisson cells", "binomial cells"])
def _both_ways(request, monkeypatch):
    """Both ways of drawing, whatever the number of samples."""
    most = np.inf if request.param == "poisson cells" else 0
    monkeypatch.setattr(resampling, "ROOT_OF_SAMPLES", most)


both_ways = pytest.mark.usefixtures("_both_ways")


def drawn(matrices, n, smoothing=0.0, by_row=False, seed=0):
    """All replicates in one array."""
    random = np.random.default_rng(seed)
    return all_of(resampled(matrices, n, random, smoothing=np.asarray(smoothing), by_row=by_row))


@both_ways
@pytest.mark.parametrize(
    ("times", "smoothing", "by_row"), one_in(4, [1, 9, 300, 1.37], [0, 0.25, 0.5], [False, True])
)
def test_replicates_have_the_distribution_of_samples_with_replacement(times, smoothing, by_row):
    """Few samples a cell, many, more than a table has, and fractions of samples."""
    matrices = times * MATRICES
    replicates = drawn(matrices, 10_000, smoothing, by_row)
    assert replicates.shape == (10_000, 2, 2, 2)
    axis = -1 if by_row else (-2, -1)
    n = np.rint(matrices.sum(axis, keepdims=True))
    np.testing.assert_array_equal(
        replicates.sum(axis, keepdims=True), np.broadcast_to(n, (10_000, *n.shape))
    )
    smoothed = matrices + smoothing
    shares = smoothed / smoothed.sum(axis, keepdims=True)
    # Each cell is binomial.
    distribution = stats.binom(n, shares)
    error = 5 * distribution.std() / np.sqrt(10_000) + 1e-12
    assert (abs(replicates.mean(0) - distribution.mean()) <= error).all()
    np.testing.assert_allclose(replicates.var(0), distribution.var(), rtol=0.08, atol=1e-9)
    for edge in (0.1, 0.5, 0.9):
        quantiles = distribution.ppf(edge)
        below = (replicates <= quantiles).mean(0)
        np.testing.assert_allclose(below, distribution.cdf(quantiles), atol=0.018)
    np.testing.assert_allclose(
        expected(matrices, smoothing=np.array(smoothing), by_row=by_row),
        matrices.sum(axis, keepdims=True) * shares,
        rtol=1e-14,
    )


@both_ways
@pytest.mark.parametrize(
    ("cells", "smoothing"),
    [
        ([2.0, 1.0, 0.0, 1.0], [0.5, 0.5, 0.5, 0.5]),
        ([3.0, 0.0, 0.0, 0.0], [0.0, 0.25, 0.75, 0.0]),
        ([5.0, 1.0, 2.0, 0.0], [0.0, 0.0, 0.0, 1.0]),
        ([1.5, 1.0, 0.75, 0.75], [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_all_cells_together_are_multinomial(cells, smoothing):
    matrix, added = np.reshape(cells, (2, 2)), np.reshape(smoothing, (2, 2))
    replicates = drawn(matrix, 100_000, added).reshape(-1, 4)
    n, shares = round(sum(cells)), (matrix + added).ravel() / (matrix + added).sum()
    # Rows as numbers are sorted many times as fast.
    digits = (round(sum(cells)) + 1) ** np.arange(4)
    _, first, numbers = np.unique(replicates @ digits, return_index=True, return_counts=True)
    outcomes = replicates[first]
    probabilities = stats.multinomial.pmf(outcomes, n, shares)
    assert probabilities.sum() == pytest.approx(1, abs=0.001)
    often = probabilities * 100_000 > 5
    observed = np.append(numbers[often], numbers[~often].sum())
    predicted = np.append(probabilities[often], 1 - probabilities[often].sum()) * 100_000
    statistic = ((observed - predicted) ** 2 / np.maximum(predicted, 1e-9))[predicted > 1].sum()
    assert stats.chi2.sf(statistic, len(observed) - 1) > 1e-4


@both_ways
@pytest.mark.parametrize("n", [MOST_IN_TABLE - 1, 2 * MOST_IN_TABLE, 40 * MOST_IN_TABLE])
def test_cells_beside_the_largest_table(n):
    matrix = np.array([[n, 7.0], [1.0, n + 300.0]])
    replicates = drawn(matrix, 10_000)
    correlation = np.corrcoef(replicates.reshape(-1, 4).T)
    shares = matrix.ravel() / matrix.sum()
    odds = np.sqrt(shares / (1 - shares))
    np.testing.assert_allclose(
        correlation, np.where(np.eye(4, dtype=bool), 1, -np.outer(odds, odds)), atol=0.03
    )


@both_ways
@pytest.mark.parametrize(
    ("shape", "n_replicates", "by_row"),
    one_in(
        2, [(2, 2), (3, 3), (4, 3, 3), (2, 3, 5, 5), (0, 3, 3), (40, 40)], [1, 300], [False, True]
    ),
)
def test_margins_are_those_of_the_same_matrices(shape, n_replicates, by_row):
    random = np.random.default_rng(1)
    matrices = random.poisson(random.choice([0, 0.5, 4], shape)).astype(float)
    smoothing = random.random(shape) * (random.random(shape) < 0.5)
    how = {"smoothing": smoothing, "by_row": by_row}
    replicates = all_of(resampled(matrices, n_replicates, np.random.default_rng(2), **how))
    margins = resampled_margins(matrices, n_replicates, np.random.default_rng(2), **how)
    for found, of_matrices in zip(
        map(all_of, zip(*margins, strict=True)), margins_of(replicates), strict=True
    ):
        assert found.dtype == np.int64
        np.testing.assert_array_equal(found, of_matrices)
    # What is neither counted nor added is not drawn.
    assert not replicates[:, (matrices == 0) & (smoothing == 0)].any()


def test_few_and_many_samples_are_drawn_in_different_ways():
    def is_multinomial(matrix):
        """Whether cells are those of NumPy's."""
        shares = (matrix / matrix.sum()).ravel()
        random = np.random.default_rng(0)
        return np.array_equal(
            drawn(matrix, 9).reshape(9, -1), random.multinomial(int(matrix.sum()), shares, 9)
        )

    assert not is_multinomial(np.full((3, 3), 35.0))
    assert is_multinomial(np.full((3, 3), 37.0))
    assert is_multinomial(np.full((200, 200), 500.0))


def test_shares_after_the_counts_have_the_distribution_of_dirichlet():
    shares = all_of(
        resampled_shares(
            MATRICES, 20_000, np.random.default_rng(0), prior=np.array(0.5), by_row=False
        )
    )
    np.testing.assert_allclose(
        shares.sum((-2, -1)), np.broadcast_to(MATRICES.sum((-2, -1)), (20_000, 2))
    )
    of_cell = stats.beta(5.5, 8 + 2 - 5.5)
    assert stats.kstest(shares[:, 0, 0, 0] / 8, of_cell.cdf).pvalue > 1e-3


@both_ways
@pytest.mark.parametrize(
    "n", [1, 2, CELLS_AT_ONCE // 8 - 1, CELLS_AT_ONCE // 8, CELLS_AT_ONCE // 8 + 1]
)
def test_chunks_add_up_to_all_replicates(n):
    chunks = list(
        resampled(MATRICES, n, np.random.default_rng(0), smoothing=np.zeros(()), by_row=False)
    )
    assert sum(map(len, chunks)) == n
    assert max(chunk.size for chunk in chunks) <= CELLS_AT_ONCE


@both_ways
def test_one_replicate_at_a_time_of_large_matrices():
    chunks = resampled(
        np.ones((600, 600)), 3, np.random.default_rng(0), smoothing=np.zeros(()), by_row=False
    )
    assert [len(chunk) for chunk in chunks] == [1, 1, 1]


@both_ways
def test_empty_rows_stay_empty():
    matrix = np.array([[0.0, 0.0], [3.0, 1.0]])
    assert not drawn(matrix, 100, 0.25, by_row=True)[:, 0].any()
    assert not drawn(0 * matrix, 100, 0.25).any()
