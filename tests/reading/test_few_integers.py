"""Few integers of one type are read in one go, with the labels and codes of each side alone."""

from collections import Counter

import numpy as np
import pytest

from skmetrics_ext import confusion_matrix, f1_score
from skmetrics_ext.reading.labels import FEW_SAMPLES, read_few_integers, read_labels, read_order
from tests.shared import for_each

Y = np.array([0, 1, 1])
# The least of 16 neighbors, at the ends of each type and where another one would overflow.
LEAST_OF_TYPE = [
    ("int8", -128),
    ("int8", 112),
    ("uint8", 240),
    ("int16", -32768),
    ("uint16", 65520),
    ("int32", -(2**31)),
    ("uint32", 2**32 - 16),
    ("int64", -(2**63)),
    ("int64", 2**63 - 16),
    ("uint64", 2**63 - 16),
    ("uint64", 2**64 - 16),
]


def drawn(dtype, low, n):
    """Two sides of 16 neighbors, of which 3 never occur, and the same as Python's integers."""
    places = [k for k in range(16) if k not in (1, 7, 14)]
    chosen = np.random.default_rng(0).choice(places, (2, n)).tolist()
    values = [[low + place for place in side] for side in chosen]
    return [np.array(side, dtype=dtype) for side in values], values


@for_each("end", LEAST_OF_TYPE)
@for_each("n", [1, 300, FEW_SAMPLES, FEW_SAMPLES + 1])
def test_matrices_at_the_ends_of_each_type(end, n):
    """By a counter of pairs of Python's integers."""
    dtype, low = end
    sides, values = drawn(dtype, low, n)
    pairs = Counter(zip(*values, strict=True))
    labels = sorted({label for side in values for label in side})
    expected = [[pairs[i, j] for j in labels] for i in labels]
    assert confusion_matrix(*sides, labels=np.array(labels, dtype=dtype)).tolist() == expected
    assert confusion_matrix(*sides, labels=labels[::-1]).tolist() == [
        row[::-1] for row in expected[::-1]
    ]


@for_each("end", [("bool", 0), *LEAST_OF_TYPE])
def test_labels_and_codes(end):
    dtype, low = end
    sides, values = drawn(dtype, low, 300)
    if dtype == "bool":
        values = [side.tolist() for side in sides]
    *codes, labels = read_few_integers(*sides)
    in_order = sorted({label for side in values for label in side})
    assert labels.tolist() == in_order
    assert labels.dtype == dtype
    for of_side, side in zip(codes, values, strict=True):
        assert [in_order[code] for code in of_side.tolist()] == side


@for_each("n", [1, FEW_SAMPLES, FEW_SAMPLES + 1])
def test_how_many_are_few(n):
    y = np.full(n, 5)
    assert (read_few_integers(y, y) is not None) == (n <= FEW_SAMPLES)


@for_each(
    "sides",
    [
        (Y.tolist(), Y),
        (Y, Y.astype(np.int8)),
        (Y * 1.0, Y * 1.0),
        (Y.astype("U1"), Y.astype("U1")),
        (Y[:, None], Y[:, None]),
        (Y[0:1].reshape(()), Y[0:1].reshape(())),
        (Y, Y[:2]),
        (Y[:0], Y[:0]),
        (np.ma.array(Y), np.ma.array(Y)),
    ],
)
def test_anything_else_is_read_side_by_side(sides):
    assert read_few_integers(*sides) is None


def test_different_lengths_are_refused_as_for_lists():
    with pytest.raises(ValueError, match="y_true has 3 samples but y_pred has 2"):
        f1_score(Y, Y[:2])


@for_each("dtype", [np.float16, np.float32, np.float64])
@for_each("least", [0, 1, -1])
def test_floats_are_told_apart_where_their_differences_are_rounded(dtype, least):
    """2050 is a float16, 2050 - 1 is not."""
    y = np.array([least, 2050] * 600, dtype=dtype)
    column = read_labels(y, "y_true")
    assert column.labels.tolist() == [least, 2050]
    np.testing.assert_array_equal(column.labels[column.codes], y)


@for_each("labels", [np.array([1, 3]), np.array([3, 1]), np.array([False, True]), ["a", "b"]])
def test_an_order_is_not_the_array_of_the_caller(labels):
    order = read_order(labels)
    assert order.tolist() == list(labels)
    assert not np.shares_memory(order, labels)
