"""Short arrays of neighboring integers, counted at once, have the counts of all others."""

from collections import Counter

import numpy as np
import pytest

from skmetrics_ext import f1_score
from skmetrics_ext.counting.counted import MOST_AT_ONCE, WIDEST_AT_ONCE, counted_at_once
from tests.shared import for_each

Y = np.array([0, 1, 1])


@for_each(
    "end",
    [
        ("int8", -128),
        ("int8", 112),
        ("uint8", 240),
        ("int64", -(2**63)),
        ("int64", 2**63 - 16),
        ("uint64", 2**64 - 16),
    ],
)
def test_counts_at_the_ends_of_each_type(end):
    """By a dictionary of Python's own integers; 3 of the 16 values never occur."""
    dtype, low = end
    true, pred = np.random.default_rng(0).choice(
        [k for k in range(16) if k not in (1, 7, 14)], (2, 300)
    )
    sides = [
        np.array([low + int(value) for value in values], dtype=dtype) for values in (true, pred)
    ]
    found = counted_at_once(*sides, None, None)
    pairs = Counter(zip(*(side.tolist() for side in sides), strict=True))
    labels = sorted({label for pair in pairs for label in pair})
    assert found.order.tolist() == labels
    assert found.order.dtype == dtype
    assert found.matrix.tolist() == [[pairs[i, j] for j in labels] for i in labels]


@for_each("n", [1, MOST_AT_ONCE, MOST_AT_ONCE + 1])
def test_limits_of_what_is_counted_at_once(n):
    y = np.full(n, 5)
    widest, wider = y.copy(), y.copy()
    widest[0], wider[0] = 5 + WIDEST_AT_ONCE - 1, 5 + WIDEST_AT_ONCE
    are_at_once = [
        counted_at_once(y, other, None, None) is not None for other in (y, widest, wider)
    ]
    assert are_at_once == [n <= MOST_AT_ONCE] * 2 + [False]


@for_each(
    "arguments",
    [
        (Y.tolist(), Y, None, None),
        (Y, Y.astype(np.int8), None, None),
        (Y.astype(">i8"), Y.astype(">i8"), None, None),
        (Y > 0, Y > 0, None, None),
        (Y * 1.0, Y * 1.0, None, None),
        (Y[:, None], Y[:, None], None, None),
        (Y, Y[:2], None, None),
        (Y[:0], Y[:0], None, None),
        (Y, Y, [1, 2, 3], None),
        (Y, Y, None, [0, 1]),
        (np.ma.array(Y), np.ma.array(Y), None, None),
    ],
)
def test_other_data_are_read_apart(arguments):
    assert counted_at_once(*arguments) is None


def test_different_lengths_are_refused_as_for_lists():
    with pytest.raises(ValueError, match="y_true has 3 samples but y_pred has 2"):
        f1_score(Y, Y[:2])
