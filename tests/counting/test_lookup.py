"""Numbers that are looked up have exactly the distribution of the table."""

import numpy as np
import pytest
from scipy import stats

from skmetrics_ext.counting.replicates import ENTRIES, looked_up, outcomes_of_left, tables_of
from skmetrics_ext.counting.resampling import poisson_numbers


def probabilities_of(tables):
    """What the entries and the cumulated shares of a table say together."""
    entries = tables.entries.reshape(-1, ENTRIES)
    numbers = np.arange(len(entries))[:, None]
    cumulated = tables.left.reshape(len(entries), tables.n_outcomes) - numbers
    left = np.diff(cumulated, axis=1, prepend=0)
    filled = np.array([np.bincount(of + 1, minlength=tables.n_outcomes + 1) for of in entries])
    return (filled[:, 1:] + filled[:, :1] * left) / ENTRIES


@pytest.mark.parametrize("means", [[0.0, 0.3, 1.0, 6.7], [0.001], [255.9, 256.0, 12.0]])
def test_poisson_numbers_have_poisson_probabilities(means):
    poisson = poisson_numbers(np.array(means))
    found = probabilities_of(poisson.tables)[poisson.table]
    outcomes = np.arange(poisson.tables.n_outcomes)
    expected = stats.poisson.pmf(outcomes, np.array(means)[:, None])
    np.testing.assert_allclose(found, expected, atol=1e-14)
    np.testing.assert_allclose(found.sum(1), 1, atol=1e-12)


# Of 10,000 equal outcomes no entry is filled, of four all are, of three one is left.
@pytest.mark.parametrize("n_outcomes", [3, 4, 100, 10_000])
def test_numbers_are_those_of_the_tables(n_outcomes):
    rising = np.arange(1, n_outcomes + 1) / (n_outcomes * (n_outcomes + 1) / 2)
    distributions = np.stack([np.full(n_outcomes, 1 / n_outcomes), rising])
    which = np.array([1, 0, 1])
    found = looked_up(tables_of(distributions), which, 200_000, np.random.default_rng(0))
    assert found.shape == (3, 200_000)
    for numbers, distribution in zip(found, distributions[which], strict=True):
        edges = np.searchsorted(np.cumsum(distribution), np.linspace(0, 1, 9)[1:-1])
        shares = np.searchsorted(np.sort(numbers), np.unique(edges), "right") / len(numbers)
        np.testing.assert_allclose(shares, np.cumsum(distribution)[np.unique(edges)], atol=0.006)
    assert abs(np.corrcoef(found) - np.eye(3)).max() < 0.01


def test_uniform_numbers_are_outcomes_in_order():
    # Of mass 0.75, 0, 2.25 in ENTRIES each, 0.75 and 0.25 are left.
    mass = np.array([0.75, 0, 2.25, ENTRIES - 3]) / ENTRIES
    tables = tables_of(np.stack([mass[::-1], mass]))
    uniform = np.array([0, 0.7499, 0.7501, 1 - 2**-53])
    np.testing.assert_array_equal(
        outcomes_of_left(tables, np.array([1, 1, 1, 1]), uniform), [0, 0, 2, 2]
    )
    uniform = np.array([0, 0.2499, 0.2501, 1 - 2**-53])
    np.testing.assert_array_equal(
        outcomes_of_left(tables, np.array([0, 0, 0, 0]), uniform), [1, 1, 3, 3]
    )


@pytest.mark.parametrize("shape", [(0, 5), (2, 0)])
def test_no_numbers_are_drawn(shape):
    tables = tables_of(np.array([[0.5, 0.5], [0.1, 0.9]]))
    n_which, n = shape
    assert looked_up(tables, np.arange(n_which), n, np.random.default_rng(0)).shape == shape
