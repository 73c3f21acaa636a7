"""Control limits against MOVER written out, and a p-chart whose limits are textbook ones."""

import numpy as np
import pytest

from skmetrics_ext.plotting.control_chart import control_limits
from skmetrics_ext.statistics.arrays import Limits


def test_shares_with_normal_limits_have_those_of_two_independent_shares():
    """By the formula for p1 - p2: three standard errors, of both shares."""
    hits, n = np.array([80, 82, 60, 79]), np.array([100, 100, 100, 100])
    share = hits / n
    half = 3 * np.sqrt(share * (1 - share) / n)
    ends = Limits(np.array(-np.inf), np.array(np.inf))
    found = control_limits(share, Limits(share - half, share + half), n, ends)
    for t in (1, 2, 3):
        before = hits[:t].sum() / n[:t].sum()
        spread = np.sqrt((share[:t] * (1 - share[:t]) * n[:t]).sum()) / n[:t].sum()
        own = np.sqrt(share[t] * (1 - share[t]) / n[t])
        half_of_both = 3 * np.hypot(spread, own)
        assert found.low[t] == pytest.approx(before - half_of_both, rel=1e-12)
        assert found.high[t] == pytest.approx(before + half_of_both, rel=1e-12)
    assert np.isnan([found.low[0], found.high[0]]).all()
    is_outside = (share < found.low) | (share > found.high)
    assert is_outside.tolist() == [False, False, True, False]


def test_limits_are_no_values_that_a_metric_cannot_have():
    share, n = np.array([0.95, 0.97, 0.5]), np.array([100, 100, 4])
    limits = Limits(np.array([0.9, 0.93, 0.05]), np.array([0.98, 0.99, 0.95]))
    every = Limits(np.array(-np.inf), np.array(np.inf))
    wide = control_limits(share, limits, n, every)
    assert wide.high[2] > 1
    found = control_limits(share, limits, n, Limits(np.array(0), np.array(1)))
    np.testing.assert_array_equal(found.high, np.minimum(wide.high, 1))
    np.testing.assert_array_equal(found.low, np.maximum(wide.low, 0))
