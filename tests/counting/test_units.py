"""Units: their sums, and which samples are alike."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skmetrics_ext.counting.units import COUNTED_CODES, units_of

N_CELLS = 4


def rows_of(units):
    """The rows of all models side by side, with how often each occurs."""
    cells = np.hstack([of_model.toarray() for of_model in units.cells])
    return sorted(
        (*row, frequencies)
        for row, frequencies in zip(cells.tolist(), units.frequencies.tolist(), strict=True)
    )


@given(st.data())
def test_units_add_up_to_the_counts(data):
    n = data.draw(st.integers(1, 30))
    draw = lambda most: np.array(data.draw(st.lists(st.integers(0, most), min_size=n, max_size=n)))  # noqa: E731
    cells = [draw(N_CELLS - 1), draw(N_CELLS - 1)]
    weights = data.draw(st.sampled_from([None, draw(3) / 4]))
    clusters = data.draw(st.sampled_from([None, np.unique(draw(5), return_inverse=True)[1]]))
    units = units_of(cells, N_CELLS, weights, clusters)
    for of_model, total in zip(cells, units.totals(), strict=True):
        np.testing.assert_allclose(
            total, np.bincount(of_model, weights, minlength=N_CELLS), rtol=1e-14
        )
    counts = np.ones(n, dtype=bool) if weights is None else weights > 0
    n_units = counts.sum() if clusters is None else len(set(clusters[counts].tolist()))
    assert units.frequencies.sum() == n_units


def test_samples_alike_are_one_row():
    units = units_of([np.array([0, 1, 1, 0]), np.array([3, 2, 2, 2])], N_CELLS)
    assert rows_of(units) == [
        (0, 1, 0, 0, 0, 0, 1, 0, 2),
        (1, 0, 0, 0, 0, 0, 0, 1, 1),
        (1, 0, 0, 0, 0, 0, 1, 0, 1),
    ]


def test_another_weight_is_another_row():
    units = units_of([np.array([1, 1, 1, 1])], N_CELLS, np.array([0.5, 2, 0.5, 0]))
    assert rows_of(units) == [(0, 0.5, 0, 0, 2), (0, 2, 0, 0, 1)]


def test_a_cluster_is_one_row():
    units = units_of(
        [np.array([0, 1, 1, 2])], N_CELLS, np.array([1, 1, 3, 0]), np.array([0, 1, 0, 2])
    )
    assert rows_of(units) == [(0, 1, 0, 0, 1), (1, 3, 0, 0, 1)]


def test_the_labels_of_a_sample_are_one_unit():
    units = units_of([np.array([[0, 2], [0, 2], [1, 3]])], N_CELLS)
    assert rows_of(units) == [(0, 1, 0, 1, 1), (1, 0, 1, 0, 1), (1, 0, 1, 0, 1)]


@pytest.mark.parametrize("n_cells", [COUNTED_CODES - 1, COUNTED_CODES, COUNTED_CODES + 1, 10**8])
def test_many_cells_are_sorted(n_cells):
    cells = np.array([n_cells - 1, 0, n_cells - 1, n_cells - 2])
    units = units_of([cells, cells[::-1]], n_cells)
    assert units.frequencies.tolist() == [1, 1, 1, 1]
    np.testing.assert_array_equal(np.sort(units.cells[0].indices), np.sort(cells))
    alike = units_of([cells, cells], n_cells)
    assert sorted(alike.frequencies.tolist()) == [1, 1, 2]
