"""Permuted tables: their distribution, their totals; random states."""

from functools import cache

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext.counting import replicates
from skmetrics_ext.counting.replicates import permuted_tables, random_of, stream_of
from tests.shared import one_in


def all_of(chunks):
    return np.concatenate(list(chunks))


@pytest.mark.parametrize("state", [0, np.random.SeedSequence(3), None])
def test_generators_of_states(state):
    assert isinstance(random_of(state), np.random.Generator)


def test_states_of_scikit_learn_and_generators_are_used_up():
    generator = np.random.default_rng(1)
    assert random_of(generator) is generator
    state = np.random.RandomState(0)
    first, second = random_of(state).random(), random_of(state).random()
    assert first != second
    assert first == random_of(np.random.RandomState(0)).random()


# SciPy's tables, or resampled cells.
@pytest.mark.parametrize("most_in_a_cell", [10**6, -1])
def test_relabeled_samples_have_the_multivariate_hypergeometric_law(monkeypatch, most_in_a_cell):
    monkeypatch.setattr(replicates, "MOST_IN_A_CELL", most_in_a_cell)
    tables = np.array([[[3, 0, 2], [4, 0, 1], [0, 0, 5]], [[1, 1, 1], [0, 2, 0], [6, 0, 9]]])
    found = all_of(permuted_tables(tables, 20_000, np.random.default_rng(0)))
    assert found.shape == (20_000, 2, 3, 3)
    assert (found >= 0).all()
    np.testing.assert_array_equal(found.sum(-1), np.broadcast_to(tables.sum(-1), found.shape[:-1]))
    np.testing.assert_array_equal(
        found.sum(-2), np.broadcast_to(tables.sum(-2), found.sum(-2).shape)
    )
    for entry, group in np.ndindex(2, 3):
        totals, size = tables[entry].sum(0), int(tables[entry, group].sum())
        distribution = stats.multivariate_hypergeom(totals, size)
        drawn_cells = found[:, entry, group]
        np.testing.assert_allclose(np.cov(drawn_cells.T, bias=True), distribution.cov(), atol=0.06)
        np.testing.assert_allclose(drawn_cells.mean(0), distribution.mean(), atol=0.06)
        for cell in range(3):
            shares = np.bincount(drawn_cells[:, cell], minlength=size + 1) / 20_000
            distribution_of_cell = stats.hypergeom.pmf(
                np.arange(size + 1), totals.sum(), totals[cell], size
            )
            np.testing.assert_allclose(shares, distribution_of_cell, atol=0.018)


@pytest.mark.parametrize("most_in_a_cell", [10**6, -1])
def test_relabeled_tables_may_be_empty_or_have_one_group(monkeypatch, most_in_a_cell):
    monkeypatch.setattr(replicates, "MOST_IN_A_CELL", most_in_a_cell)
    empty = all_of(
        permuted_tables(np.zeros((2, 3, 4), dtype=np.int64), 5, np.random.default_rng(0))
    )
    np.testing.assert_array_equal(empty, np.zeros((5, 2, 3, 4)))
    table = np.array([[1, 2, 3]])
    np.testing.assert_array_equal(
        all_of(permuted_tables(table, 2, np.random.default_rng(0))),
        np.broadcast_to(table, (2, 1, 3)),
    )


@pytest.mark.parametrize("most_in_a_cell", [10**6, -1])
def test_what_one_group_or_one_cell_has_alone_stays_there(monkeypatch, most_in_a_cell):
    # Also the algorithm for many samples, with the samples at either end.
    monkeypatch.setattr(replicates, "MOST_IN_A_CELL", most_in_a_cell)
    for first, second in ((0, 1), (3, 500)):
        of_one_group = np.zeros((3, 3), dtype=np.int64)
        of_one_group[2] = [first, 0, second]
        for table in (of_one_group, of_one_group[::-1], of_one_group.T, of_one_group[::-1].T):
            found = all_of(permuted_tables(table, 4, np.random.default_rng(0)))
            np.testing.assert_array_equal(found, np.broadcast_to(table, (4, 3, 3)))


@cache
def eighths(n_samples, n_of_cell, n_of_group):
    """Where a hypergeometric distribution reaches each eighth, and its share up to there."""
    distribution = stats.hypergeom(n_samples, n_of_cell, n_of_group)
    edges = np.unique(distribution.ppf(np.linspace(0, 1, 9)[1:-1]))
    return edges, distribution.cdf(edges)


@pytest.mark.parametrize(
    ("most_in_a_cell", "size", "columns"),
    one_in(2, [10**6, -1], [1, 40, 3000], [[0, 1, 2, 3], [0, 1, 2]]),
)
def test_relabeled_cells_of_any_number_of_samples_are_hypergeometric(
    monkeypatch, most_in_a_cell, size, columns
):
    monkeypatch.setattr(replicates, "MOST_IN_A_CELL", most_in_a_cell)
    table = size * np.array([[0, 0, 0, 0], [3, 0, 2, 4], [1, 0, 0, 1], [2, 0, 5, 6]])[:, columns]
    found = all_of(permuted_tables(table, 10_000, np.random.default_rng(1)))
    groups, cells = table.sum(1), table.sum(0)
    for group, cell in np.argwhere(groups[:, None] * cells).tolist():
        edges, shares = eighths(*map(int, (groups.sum(), cells[cell], groups[group])))
        below = (found[:, group, cell][:, None] <= edges).mean(0)
        np.testing.assert_allclose(below, shares, atol=0.018)
    # The rest of a table without one of its cells is hypergeometric, too.
    first, second = found[:, 1, 0], found[:, 1, 2]
    slope = -cells[2] / (groups.sum() - cells[0])
    assert np.cov(first, second)[0, 1] / first.var() == pytest.approx(slope, abs=0.03)


def test_purposes_of_a_call_and_children_of_a_seed_have_streams_of_their_own():
    seed = np.random.SeedSequence(5)
    assert stream_of(seed, 0) is seed
    first, second = seed.spawn(2)
    streams = [stream_of(of, number) for of in (seed, first, second) for number in (0, 1, 2)]
    streams.append(stream_of(stream_of(seed, 1), 2))
    drawn = {tuple(of.generate_state(4).tolist()) for of in streams}
    # The first two children are the streams 0 and 1 of no other purpose, as NumPy numbers them.
    assert len(drawn) == len({(*of.spawn_key,) for of in streams})
    assert len({stream_of(of, 2).spawn_key for of in (seed, first, second)}) == 3
