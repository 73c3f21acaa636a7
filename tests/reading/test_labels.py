"""Labels of every kind -> codes in a known order, and what is refused."""

import datetime
import enum
import re
import tracemalloc
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.metrics
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import sparse

from skmetrics_ext import (
    ConfusionMatrix,
    ThresholdCurve,
    accuracy_score,
    confusion_matrix,
    f1_score,
    labels_from_scores,
    recall_score,
)
from skmetrics_ext.reading.labels import BLOCK, NARROWED, Column, read_labels, read_order
from skmetrics_ext.reading.order import positions_in
from skmetrics_ext.reading.pairs import encode
from tests.shared import one_in

NUMBERS_TRUE = [3, 1, 3, 7, 1, 7, 3, 12]
NUMBERS_PRED = [1, 1, 3, 7, 3, 12, 3, 7]
WORDS_TRUE = ["dog", "ant", "bee", "dog", "é", "ant", "", "elephant"]
WORDS_PRED = ["ant", "ant", "bee", "elephant", "é", "dog", "bee", ""]
DAYS_TRUE = ["2024-03-01", "2023-12-31", "2024-03-01", "1969-12-31"]
DAYS_PRED = ["2023-12-31", "2023-12-31", "2024-03-01", "2024-03-01"]
OF_NUMBERS = sklearn.metrics.confusion_matrix(NUMBERS_TRUE, NUMBERS_PRED)
OF_WORDS = sklearn.metrics.confusion_matrix(WORDS_TRUE, WORDS_PRED)
OF_DAYS = sklearn.metrics.confusion_matrix(DAYS_TRUE, DAYS_PRED)
ROWS_TRUE = [[0, 1, 1], [1, 0, 0], [0, 0, 0], [1, 1, 1], [0, 1, 0]]
ROWS_PRED = [[0, 1, 0], [1, 0, 1], [0, 1, 0], [1, 1, 1], [1, 0, 0]]

INTEGER_TYPES = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOAT_TYPES = [np.float16, np.float32, np.float64, np.longdouble]


def array_like(values):
    return SimpleNamespace(
        __array__=lambda dtype=None, copy=None: np.array(values, dtype=dtype, copy=copy)
    )


def every_second(values):
    return np.repeat(np.asarray(values), 2)[::2]


def of_second_column(values):
    return np.stack([values, values], axis=1)[:, 1]


def backwards(values):
    return np.array(values[::-1])[::-1]


def read_only(values):
    array = np.array(values)
    array.flags.writeable = False
    return array


SHAPES = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "object array": lambda values: np.array(values, dtype=object),
    "every second": every_second,
    "of a 2-D array": of_second_column,
    "backwards": backwards,
    "read-only": read_only,
    "column": lambda values: np.array(values)[:, None],
    "object column": lambda values: np.array(values, dtype=object)[:, None],
    "list of lists": lambda values: [[value] for value in values],
    "list of NumPy scalars": lambda values: list(np.array(values)),
    "masked array without masked entries": np.ma.array,
    "array-like": array_like,
}
NUMBER_FORMS = (
    SHAPES
    | {
        np.dtype(t).name: lambda values, t=t: np.array(values, dtype=t)
        for t in INTEGER_TYPES + FLOAT_TYPES
    }
    | {
        t: lambda values, t=t: np.array(values, dtype=t)
        for t in (">i2", ">i8", ">u4", ">u8", ">f4", ">f8")
    }
    | {
        "object of floats": lambda values: np.array(values, dtype=float).astype(object),
        "object of ints and floats": lambda values: np.array(
            [*values[:-1], float(values[-1])], dtype=object
        ),
        "list of floats": lambda values: [float(value) for value in values],
    }
)
WORD_FORMS = SHAPES | {
    "U8": lambda values: np.array(values, dtype="U8"),
    "U9": lambda values: np.array(values, dtype="U9"),
    "U64": lambda values: np.array(values, dtype="U64"),
    ">U8": lambda values: np.array(values, dtype=">U8"),
    "StringDType": lambda values: np.array(values, dtype=np.dtypes.StringDType()),
}
DAY_FORMS = {
    unit: lambda values, unit=unit: np.array(values, dtype=unit)
    for unit in ("M8[D]", "M8[s]", "M8[ns]", ">M8[us]")
} | {
    "column": lambda values: np.array(values, dtype="M8[D]")[:, None],
    "list of datetime64": lambda values: [np.datetime64(value) for value in values],
}


def forms(table):
    return pytest.mark.parametrize(
        "form", [pytest.param(form, id=name) for name, form in table.items()]
    )


def decoded(column):
    return column.labels[column.codes].tolist()


# What is accepted.


@forms(NUMBER_FORMS)
def test_numbers_in_every_form(form):
    column = read_labels(form(NUMBERS_TRUE), "y_true")
    assert column.labels.tolist() == [1, 3, 7, 12]
    assert decoded(column) == NUMBERS_TRUE
    np.testing.assert_array_equal(
        confusion_matrix(form(NUMBERS_TRUE), form(NUMBERS_PRED)), OF_NUMBERS
    )


@pytest.mark.parametrize("repeats", [1, 400], ids=["short", "long"])
@forms(WORD_FORMS)
def test_words_in_every_form(form, repeats):
    true, pred = WORDS_TRUE * repeats, WORDS_PRED * repeats
    column = read_labels(form(true), "y_true")
    assert column.labels.tolist() == ["", "ant", "bee", "dog", "elephant", "é"]
    assert decoded(column) == true
    np.testing.assert_array_equal(confusion_matrix(form(true), form(pred)), OF_WORDS * repeats)


@pytest.mark.parametrize("repeats", [1, 400], ids=["short", "long"])
@forms(SHAPES)
def test_bytes_in_every_form(form, repeats):
    true, pred = ([word.encode() for word in words * repeats] for words in (WORDS_TRUE, WORDS_PRED))
    column = read_labels(form(true), "y_true")
    assert column.labels.tolist() == sorted(set(true))
    assert decoded(column) == true
    np.testing.assert_array_equal(confusion_matrix(form(true), form(pred)), OF_WORDS * repeats)


@forms(DAY_FORMS)
def test_dates_in_every_form(form):
    column = read_labels(form(DAYS_TRUE), "y_true")
    assert column.labels.astype("M8[D]").astype(str).tolist() == sorted(set(DAYS_TRUE))
    assert column.labels[column.codes].astype("M8[D]").astype(str).tolist() == DAYS_TRUE
    np.testing.assert_array_equal(confusion_matrix(form(DAYS_TRUE), form(DAYS_PRED)), OF_DAYS)


def test_dates_of_the_standard_library():
    true, pred = (
        [datetime.date.fromisoformat(day) for day in days] for days in (DAYS_TRUE, DAYS_PRED)
    )
    np.testing.assert_array_equal(confusion_matrix(true, pred), OF_DAYS)


def test_durations():
    true = np.array([5, 1, 5, -3], dtype="m8[s]")
    column = read_labels(true, "y_true")
    assert column.labels.astype(int).tolist() == [-3, 1, 5]
    np.testing.assert_array_equal(column.labels[column.codes], true)


@forms(SHAPES)
def test_booleans_in_every_form(form):
    true, pred = [True, False, False, True, True], [False, False, True, True, True]
    column = read_labels(form(true), "y_true")
    assert column.labels.tolist() == [False, True]
    assert decoded(column) == true
    np.testing.assert_array_equal(confusion_matrix(form(true), form(pred)), [[1, 1], [1, 2]])


@pytest.mark.parametrize(
    "true_type", [bool, np.int8, np.uint8, np.int64, np.uint64, np.float32, object]
)
@pytest.mark.parametrize(
    "pred_type", [bool, np.int8, np.uint8, np.int64, np.uint64, np.float32, object]
)
def test_two_classes_of_any_two_types(true_type, pred_type):
    true = np.array([1, 0, 0, 1, 1], dtype=true_type)
    pred = np.array([0, 0, 1, 1, 1], dtype=pred_type)
    np.testing.assert_array_equal(confusion_matrix(true, pred), [[1, 1], [1, 2]])


@pytest.mark.parametrize("true_type", INTEGER_TYPES + FLOAT_TYPES)
@pytest.mark.parametrize("pred_type", INTEGER_TYPES + FLOAT_TYPES)
def test_numbers_of_any_two_types(true_type, pred_type):
    true, pred = np.array(NUMBERS_TRUE, dtype=true_type), np.array(NUMBERS_PRED, dtype=pred_type)
    np.testing.assert_array_equal(confusion_matrix(true, pred), OF_NUMBERS)


@pytest.mark.parametrize("true_form", ["list", "object array", "U64", "StringDType"])
@pytest.mark.parametrize("pred_form", ["list", "object array", "U64", "StringDType"])
def test_words_in_different_forms_on_the_two_sides(true_form, pred_form):
    matrix = confusion_matrix(WORD_FORMS[true_form](WORDS_TRUE), WORD_FORMS[pred_form](WORDS_PRED))
    np.testing.assert_array_equal(matrix, OF_WORDS)


def test_booleans_and_integers_are_one_kind():
    encoded = encode([True, False, True], np.array([1, 2, 0]))
    assert encoded.labels.tolist() == [0, 1, 2]
    assert encoded.true.tolist() == [1, 0, 1]
    assert encoded.pred.tolist() == [1, 2, 0]


def test_booleans_and_integers_in_one_list():
    assert decoded(read_labels([True, 2, False, 1], "y_true")) == [1, 2, 0, 1]


def test_a_range_is_a_sequence_of_labels():
    np.testing.assert_array_equal(
        confusion_matrix(range(3), [0, 2, 2]), [[1, 0, 0], [0, 0, 1], [0, 0, 1]]
    )


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        pytest.param([-128, 127, 0, -128], np.int8, id="int8"),
        pytest.param([-128, -127, -128], np.int8, id="least int8"),
        pytest.param([0, 255, 255, 3], np.uint8, id="uint8"),
        pytest.param([-(2**63), 2**63 - 1, 0, 2**63 - 1], np.int64, id="int64"),
        pytest.param([-(2**63), -(2**63) + 2, -(2**63)], np.int64, id="least int64"),
        pytest.param([2**63 - 1, 2**63 - 3, 2**63 - 1], np.int64, id="greatest int64"),
        pytest.param([0, 2**64 - 1, 2**64 - 1], np.uint64, id="uint64"),
        pytest.param([2**64 - 1, 2**64 - 2, 2**64 - 1], np.uint64, id="greatest uint64"),
        pytest.param(
            [2**63, 2**63 - 1, 2**63 + 1], np.uint64, id="uint64 around the greatest int64"
        ),
        pytest.param([2**63 - 1, 2**63 - 2], np.uint64, id="uint64 that fit into int64"),
        pytest.param([10**12, -(10**12), 5, 10**12], np.int64, id="wide range"),
        pytest.param([-5, -1, -5, -3], np.int64, id="negative"),
        pytest.param([0, 999, 999, 3], np.int64, id="gaps"),
        pytest.param([7, 7], np.int64, id="one label"),
        pytest.param([7], np.int64, id="one sample"),
        pytest.param([1e19, 2e19, 1e19], np.float64, id="floats beyond int64"),
        pytest.param([-1e19, -1e19], np.float64, id="one float below int64"),
        pytest.param([-1e300, 1e300, 0.0], np.float64, id="huge floats"),
        pytest.param([-65504, 65504, 0], np.float16, id="float16"),
        pytest.param([-0.0, 0.0, 1.0], np.float64, id="both zeros"),
    ],
)
@pytest.mark.parametrize("repeats", [1, 700], ids=["short", "long"])
def test_extreme_numbers(values, dtype, repeats):
    column = read_labels(np.array(values * repeats, dtype=dtype), "y_true")
    assert column.labels.tolist() == sorted(set(values))
    assert decoded(column) == values * repeats


@pytest.mark.parametrize("n_labels", [255, 256, 257, 65535, 65536, 65537])
def test_as_many_labels_as_a_code_type_holds(n_labels):
    true = np.arange(n_labels)[::-1] * 2 - 100
    encoded = encode(true, np.roll(true, 1))
    np.testing.assert_array_equal(encoded.labels[encoded.true], true)
    np.testing.assert_array_equal(encoded.labels[encoded.pred], np.roll(true, 1))


def test_a_label_that_only_the_last_sample_has():
    values = [0, 2] * 50_000 + [1]
    column = read_labels(np.array(values), "y_true")
    assert column.labels.tolist() == [0, 1, 2]
    assert decoded(column) == values


@pytest.mark.filterwarnings("ignore:.*none of which are in both")
@pytest.mark.parametrize(
    ("true", "pred"),
    [
        pytest.param([2**63, 2**63 + 1, 2**63], [1, 2, 0], id="beyond int64"),
        pytest.param([2**53, 2**53 + 1, 5], [2**53, 2**53, -5], id="beyond the exact floats"),
        pytest.param(
            [2**53, 2**53 + 1], [2**53, 2**53], id="beyond the exact floats, close together"
        ),
        pytest.param([3, 1, 2], [-1, 2, 1], id="small"),
    ],
)
def test_signed_and_unsigned_integers_keep_their_values(true, pred):
    encoded = encode(np.array(true, dtype=np.uint64), np.array(pred, dtype=np.int64))
    assert encoded.labels.tolist() == sorted(set(true) | set(pred))
    assert encoded.true.tolist() == [sorted(set(true) | set(pred)).index(label) for label in true]
    assert encoded.pred.tolist() == [sorted(set(true) | set(pred)).index(label) for label in pred]


def test_integers_that_floats_would_merge_stay_apart():
    assert accuracy_score(np.array([2**53 + 1, 2**53]), np.array([2.0**53, 2.0**53])) == 0.5


@st.composite
def integers_and_dtype(draw):
    dtype = draw(st.sampled_from(INTEGER_TYPES))
    bounds = np.iinfo(dtype)
    near_an_end = st.integers(0, 5).flatmap(
        lambda i: st.sampled_from([int(bounds.min) + i, int(bounds.max) - i])
    )
    elements = st.one_of(
        st.integers(int(bounds.min), int(bounds.max)), near_an_end, st.integers(0, 9)
    )
    return draw(st.lists(elements, min_size=1, max_size=30)), dtype


@given(integers_and_dtype())
def test_integers_are_encoded_as_np_unique_does(drawn):
    values, dtype = drawn
    array = np.array(values, dtype=dtype)
    labels, codes = np.unique(array, return_inverse=True)
    column = read_labels(array, "y_true")
    np.testing.assert_array_equal(column.labels, labels)
    np.testing.assert_array_equal(column.codes, codes)
    assert column.labels.dtype == array.dtype


@given(st.lists(st.integers(-2048, 2048), min_size=1, max_size=30), st.sampled_from(FLOAT_TYPES))
def test_integral_floats_are_encoded_as_np_unique_does(values, dtype):
    array = np.array(values, dtype=dtype)
    labels, codes = np.unique(array, return_inverse=True)
    column = read_labels(array, "y_true")
    np.testing.assert_array_equal(column.labels, labels)
    np.testing.assert_array_equal(column.codes, codes)


@pytest.mark.filterwarnings("ignore:.*none of which are in both")
@given(integers_and_dtype(), integers_and_dtype())
@example(([2**64 - 1, 2**64 - 2], np.uint64), ([1, 0], np.int8))
def test_integers_of_two_types_share_one_order(true, pred):
    n_samples = min(len(true[0]), len(pred[0]))
    (true, true_type), (pred, pred_type) = (
        (values[:n_samples], dtype) for values, dtype in (true, pred)
    )
    assume(min(*true, *pred) >= 0 or max(*true, *pred) < 2**63)
    encoded = encode(np.array(true, dtype=true_type), np.array(pred, dtype=pred_type))
    order = sorted(set(true) | set(pred))
    assert encoded.true.tolist() == [order.index(label) for label in true]
    assert encoded.pred.tolist() == [order.index(label) for label in pred]


def assert_encoded_as_np_unique_does(true, pred):
    """Both sides in codes of the sorted labels of both, which keep the type."""
    both = np.concatenate([true, pred])
    labels = np.unique(both)
    # np.unique would sort all samples once more for the codes.
    codes = np.searchsorted(labels, both)
    encoded = encode(true, pred)
    np.testing.assert_array_equal(encoded.labels, labels)
    assert encoded.labels.dtype == true.dtype.newbyteorder("=")
    np.testing.assert_array_equal(encoded.true, codes[: len(true)])
    np.testing.assert_array_equal(encoded.pred, codes[len(true) :])
    assert encoded.n_codes == len(labels)


def repeated(values, n_samples):
    """At least so many samples, with all values, of the same type to the order of its bytes."""
    return np.resize(values, max(n_samples, len(values))).astype(values.dtype)


@st.composite
def two_sides_of_one_type(draw):
    dtype = np.dtype(draw(st.sampled_from([*INTEGER_TYPES, bool, ">i2", ">i8", ">u8"])))
    least, greatest = (
        (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    )
    centre = draw(st.integers(least, greatest))
    near = st.integers(max(least, centre - 5), min(greatest, centre + 5))
    elements = st.one_of(
        near, near, st.sampled_from([least, greatest]), st.integers(least, greatest)
    )
    true, pred = (draw(st.lists(elements, min_size=1, max_size=20)) for _ in range(2))
    n_samples = max(
        draw(st.sampled_from([1, BLOCK // 2, BLOCK // 2 + 1, NARROWED])), len(true), len(pred)
    )
    return repeated(np.array(true, dtype=dtype), n_samples), repeated(
        np.array(pred, dtype=dtype), n_samples
    )


@pytest.mark.filterwarnings("ignore:.*none of which are in both")
@given(two_sides_of_one_type())
def test_two_sides_of_one_integer_type_are_encoded_as_np_unique_does(sides):
    assert_encoded_as_np_unique_does(*sides)


LIMITS_OF_TYPES = {
    "one label": ([0], [0], np.int64),
    "True alone": ([True], [True], bool),
    "a label a side": ([False], [True], bool),
    "all of uint8": (range(256), range(256)[::-1], np.uint8),
    "all of uint8 but one a side": (range(255), range(1, 256), np.uint8),
    "all of int8": (range(-128, 128), range(-128, 127), np.int8),
    "256 and one more": (range(256), range(1, 257), np.uint16),
    "all of uint16": (range(65_536), range(65_536), np.uint16),
    "one more than all of uint16": (range(65_537), range(65_536), np.int32),
    "both ends of int64": ([-(2**63)], [2**63 - 1], np.int64),
    "least int64": ([-(2**63), -(2**63) + 2], [-(2**63) + 1], np.int64),
    "greatest int64": ([2**63 - 1, 2**63 - 3], [2**63 - 2], np.int64),
    "uint64 up to the greatest int64": ([2**63 - 1], [2**63 - 2], np.uint64),
    "uint64 beyond the greatest int64": ([2**63], [2**63 - 1], np.uint64),
    "greatest uint64": ([2**64 - 1], [2**64 - 2], np.uint64),
    "both ends of uint64": ([0], [2**64 - 1], np.uint64),
    "negative": ([-3, -1], [-2, -3], np.int16),
    "big-endian": ([-3, 5], [900, -3], ">i4"),
    "gaps": ([3, 1], [7, 1], np.int64),
}


def at_the_limits():
    """Numbers of samples with each of them: at least one of each value, and no number twice."""
    for place, (name, (true, pred, dtype)) in enumerate(LIMITS_OF_TYPES.items()):
        least = max(len(true), len(pred))
        sizes = (1, BLOCK // 2, BLOCK // 2 + 1, NARROWED - 1, NARROWED, NARROWED + 1)
        for n_samples in sorted({max(least, size) for size in sizes}):
            # Of the many samples, each number is asked for in a third of the plain tests.
            is_plain = n_samples < NARROWED - 1 or (place + n_samples) % 3 == 0
            marks = () if is_plain else pytest.mark.slow
            yield pytest.param(true, pred, dtype, n_samples, marks=marks, id=f"{name}-{n_samples}")


@pytest.mark.parametrize(("true", "pred", "dtype", "n_samples"), list(at_the_limits()))
def test_two_sides_at_the_limits_of_their_type(true, pred, dtype, n_samples):
    assert_encoded_as_np_unique_does(
        *(repeated(np.array(side, dtype=dtype), n_samples) for side in (true, pred))
    )


@pytest.mark.parametrize("n_samples", [10, BLOCK + 1])
@pytest.mark.parametrize("factor", [2, 4])
@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_two_sides_around_the_widest_range_that_is_counted(n_samples, factor, beyond):
    greatest = 1024 + factor * n_samples - 1 + beyond
    pred = repeated(np.array([0, 7]), n_samples)
    assert_encoded_as_np_unique_does(repeated(np.array([greatest, 7]), n_samples), pred)
    assert_encoded_as_np_unique_does(
        repeated(np.array([greatest - 50, 7]), n_samples) - 50, pred - 50
    )


RARE = [
    *((2, place) for place in (BLOCK - 1, BLOCK, 2 * BLOCK - 1, 2 * BLOCK, NARROWED - 1, NARROWED)),
    *((rare, -1) for rare in (-4, 2, 9, 255, 256)),
]


@pytest.mark.parametrize(("rare_at", "side"), one_in(2, RARE, [0, 1]))
def test_a_label_that_one_sample_of_one_side_has(rare_at, side):
    rare, place = rare_at
    sides = [np.array([0, 1, 3] * NARROWED), np.array([3, 0, 1] * NARROWED)]
    sides[side][place] = rare
    assert_encoded_as_np_unique_does(*sides)


@pytest.mark.parametrize("dtype", INTEGER_TYPES)
def test_a_matrix_of_many_samples_takes_little_memory(dtype):
    n_samples = 1_000_000
    true, pred = (np.resize(np.arange(n_classes), n_samples).astype(dtype) for n_classes in (10, 7))
    tracemalloc.start()
    try:
        matrix = confusion_matrix(true, pred)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2**22 + 2 * n_samples
    assert matrix.sum() == n_samples


def test_what_is_read_already_is_encoded_as_the_arrays_are():
    true, pred = np.array([3, 1, 3, 8]), np.array([1, 1, 5, 3])
    for first, second in [
        (read_labels(true, "y_true"), pred),
        (true, read_labels(pred, "y_pred")),
        (read_labels(true, "y_true"), read_labels(pred, "y_pred")),
    ]:
        for labels in (None, np.array([5, 3]), np.array([8, 5, 3, 1])):
            expected, found = (
                encode(*sides, labels=labels) for sides in ((true, pred), (first, second))
            )
            assert [np.asarray(part).tolist() for part in found] == [
                np.asarray(part).tolist() for part in expected
            ]


@pytest.mark.parametrize("labels", [[1, 3, 7, 12], [12, 7, 3, 1], [3], [7, 1, 100], [0, 1, 3]])
@pytest.mark.parametrize("pred_type", [np.int64, np.int8], ids=["one type", "two types"])
def test_codes_in_the_order_of_labels(labels, pred_type):
    encoded = encode(
        np.array(NUMBERS_TRUE), np.array(NUMBERS_PRED, dtype=pred_type), labels=np.array(labels)
    )
    place = {label: k for k, label in enumerate(labels)}
    assert encoded.true.tolist() == [place.get(label, len(labels)) for label in NUMBERS_TRUE]
    assert encoded.pred.tolist() == [place.get(label, len(labels)) for label in NUMBERS_PRED]
    assert encoded.n_codes == len(labels) + (not {*NUMBERS_TRUE, *NUMBERS_PRED} <= {*labels})


def test_encoding_leaves_the_arrays_of_the_caller_as_they_are():
    for low in (0, -3):
        true, pred = np.array([0, 5, 2]) + low, np.array([5, 5, 0]) + low
        encode(true, pred, labels=np.array([2 + low, low]))
        assert (true - low).tolist() == [0, 5, 2]
        assert (pred - low).tolist() == [5, 5, 0]


@pytest.mark.parametrize(("true", "pred"), [([], [1]), ([1], []), ([], [])])
def test_an_empty_side_is_refused_by_its_name(true, pred):
    name = "y_pred" if true else "y_true"
    with pytest.raises(ValueError, match=f"{name} is empty"):
        encode(np.array(true, dtype=int), np.array(pred, dtype=int))


# NumPy's fixed-width strings can't end in NUL.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@given(st.lists(TEXTS, min_size=1, max_size=20), st.sampled_from([1, 2500]))
def test_strings_of_any_content_in_any_form_agree_with_python(values, n_samples):
    values = (values * n_samples)[: max(len(values), n_samples)]
    order = sorted(set(values))
    for form in (list, np.array, lambda texts: np.array(texts, dtype=object)):
        column = read_labels(form(values), "y_true")
        assert column.labels.tolist() == order
        assert decoded(column) == values


# labels=


@pytest.mark.parametrize(
    "labels",
    [
        pytest.param([12, 1, 7, 3], id="list"),
        pytest.param((12, 1, 7, 3), id="tuple"),
        pytest.param(np.array([12, 1, 7, 3], dtype=np.int8), id="array"),
        pytest.param([3, 1], id="subset"),
        pytest.param([100, 3, -4, 1], id="with labels that do not occur"),
        pytest.param([7.0, 3.0], id="floats"),
    ],
)
@pytest.mark.parametrize("form", [list, np.array, lambda values: np.array(values, dtype=object)])
def test_labels_give_order_and_choice(labels, form):
    matrix = confusion_matrix(form(NUMBERS_TRUE), form(NUMBERS_PRED), labels=labels)
    expected = sklearn.metrics.confusion_matrix(NUMBERS_TRUE, NUMBERS_PRED, labels=labels)
    np.testing.assert_array_equal(matrix, expected)


def test_labels_as_a_range():
    matrix = confusion_matrix([0, 1, 2], [0, 2, 2], labels=range(4))
    np.testing.assert_array_equal(matrix, [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0]])


@pytest.mark.parametrize(
    "labels", [["dog", "ant", "no such word", ""], ["é", "bee"], np.array(["elephant", "dog"])]
)
def test_string_labels_give_order_and_choice(labels):
    matrix = confusion_matrix(WORDS_TRUE, np.array(WORDS_PRED), labels=labels)
    np.testing.assert_array_equal(
        matrix, sklearn.metrics.confusion_matrix(WORDS_TRUE, WORDS_PRED, labels=labels)
    )


def test_samples_outside_labels_share_the_last_code():
    encoded = encode([1, 5, 3, 9], [9, 5, 1, 7], labels=np.array([5, 1]))
    assert encoded.labels.tolist() == [5, 1]
    assert encoded.true.tolist() == [1, 0, 2, 2]
    assert encoded.pred.tolist() == [2, 0, 1, 2]
    assert encoded.n_codes == 3


def test_labels_that_cover_all_samples_leave_no_code_for_others():
    assert encode([1, 5], [5, 5], labels=np.array([5, 1, 8])).n_codes == 3


@pytest.mark.parametrize("labels", [[], (), np.array([]), np.array([], dtype=str)], ids=repr)
def test_empty_labels_are_refused(labels):
    with pytest.raises(ValueError, match=r"labels is empty.*pass labels=None"):
        confusion_matrix([0, 1], [0, 1], labels=labels)


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        pytest.param([1, 2, 1], r"\[1\]", id="integers"),
        pytest.param(["b", "a", "b", "a"], r"\['a', 'b'\]", id="strings"),
        pytest.param([1, 1.0], r"\[1\.0\]", id="equal numbers"),
    ],
)
def test_duplicate_labels_are_refused(labels, shown):
    with pytest.raises(
        ValueError, match=rf"labels holds duplicates: {shown}\. List each label once"
    ):
        read_order(labels)


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        pytest.param(
            ["a", "b"],
            ValueError,
            "Mix of label types: labels holds strings.*y_true holds numbers",
            id="kind",
        ),
        pytest.param([0, None], ValueError, "labels holds None", id="None"),
        pytest.param([0, np.nan], ValueError, "labels holds NaN", id="NaN"),
        pytest.param([0, "a"], ValueError, "labels holds a mix of numbers and strings", id="mix"),
        pytest.param([0.5, 1], ValueError, "labels holds continuous values", id="continuous"),
        pytest.param([[0, 1], [1, 0]], ValueError, "labels must be a 1-D sequence", id="2-D"),
        pytest.param([[0], [1, 0]], ValueError, "labels .*ragged|labels must be", id="ragged"),
        pytest.param(1, TypeError, r"labels must be a list of labels, such as \[1\]", id="number"),
        pytest.param(
            "ab", TypeError, r"labels must be a list of labels, such as \['ab'\]", id="string"
        ),
        pytest.param({0, 1}, TypeError, "labels must be an array or a list", id="set"),
        pytest.param(np.array(1), ValueError, r"labels must be 1-D.*got \(\)", id="0-D"),
    ],
)
def test_bad_labels_are_refused(labels, error, message):
    with pytest.raises(error, match=message):
        confusion_matrix([0, 1], [0, 1], labels=labels)


# Multilabel.

SPARSE_FORMS = [
    sparse.csr_matrix,
    sparse.csr_array,
    sparse.csc_matrix,
    sparse.csc_array,
    sparse.coo_matrix,
    sparse.coo_array,
]
INDICATOR_FORMS = {
    "list of lists": list,
    "tuple of tuples": lambda rows: tuple(map(tuple, rows)),
    "list of arrays": lambda rows: [np.array(row) for row in rows],
    "Fortran order": np.asfortranarray,
    "every second row": lambda rows: np.repeat(rows, 2, axis=0)[::2],
    **{
        np.dtype(t).name: lambda rows, t=t: np.array(rows, dtype=t)
        for t in (bool, np.int8, np.uint64, np.float32)
    },
    **{f"{form.__name__}": lambda rows, form=form: form(np.array(rows)) for form in SPARSE_FORMS},
    "csr_array of bool": lambda rows: sparse.csr_array(np.array(rows, dtype=bool)),
    "csr_array of float": lambda rows: sparse.csr_array(np.array(rows, dtype=float)),
}


@forms(INDICATOR_FORMS)
def test_indicators_in_every_form(form):
    read = read_labels(form(ROWS_TRUE), "y_true").values
    assert (read.toarray() if sparse.issparse(read) else read).tolist() == np.array(
        ROWS_TRUE, dtype=bool
    ).tolist()
    score = f1_score(form(ROWS_TRUE), form(ROWS_PRED), average=None)
    np.testing.assert_allclose(
        score, sklearn.metrics.f1_score(ROWS_TRUE, ROWS_PRED, average=None), rtol=1e-14
    )


@pytest.mark.parametrize("average", [None, "macro", "samples"])
@pytest.mark.parametrize("true_form", ["list of lists", "csr_matrix", "coo_array"])
@pytest.mark.parametrize("pred_form", ["list of lists", "csr_matrix", "coo_array"])
def test_indicators_in_different_forms_on_the_two_sides(true_form, pred_form, average):
    true, pred = INDICATOR_FORMS[true_form](ROWS_TRUE), INDICATOR_FORMS[pred_form](ROWS_PRED)
    expected = sklearn.metrics.f1_score(ROWS_TRUE, ROWS_PRED, average=average)
    np.testing.assert_allclose(f1_score(true, pred, average=average), expected, rtol=1e-14)


def test_zeros_that_a_sparse_indicator_stores():
    true = sparse.csr_array(
        (np.array([1, 0, 1]), np.array([0, 1, 1]), np.array([0, 2, 3])), shape=(2, 2)
    )
    np.testing.assert_array_equal(f1_score(true, [[1, 0], [0, 1]], average=None), [1, 1])


@pytest.mark.parametrize(
    "labels", [[2, 0], np.array([2, 0], dtype=np.uint8), [2.0, 0.0]], ids=["int", "uint8", "float"]
)
@pytest.mark.parametrize("form", ["list of lists", "csr_array"])
def test_labels_choose_the_columns_of_indicators(form, labels):
    true, pred = INDICATOR_FORMS[form](ROWS_TRUE), INDICATOR_FORMS[form](ROWS_PRED)
    expected = sklearn.metrics.f1_score(ROWS_TRUE, ROWS_PRED, average=None, labels=[2, 0])
    np.testing.assert_allclose(
        f1_score(true, pred, average=None, labels=labels), expected, rtol=1e-14
    )


@pytest.mark.parametrize("labels", [[0, 3], [-1], ["a"], [0.0, 7.0]], ids=repr)
def test_labels_that_are_no_columns_are_refused(labels):
    with pytest.raises(
        ValueError, match=r"are not labels of these multilabel data.*by index from 0 to 2"
    ):
        encode(ROWS_TRUE, ROWS_PRED, labels=np.array(labels))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        pytest.param(
            [[0, 2], [1, 0]], r"shape \(2, 2\) and holds 2: .* column \(n, 1\) or a 0/1", id="2"
        ),
        pytest.param([[0, -1], [1, 0]], r"shape \(2, 2\) and holds -1", id="-1"),
        pytest.param([["a", "b"], ["b", "a"]], r"shape \(2, 2\) and holds <U1", id="strings"),
        pytest.param([[0.0, np.nan], [1, 0]], "holds NaN", id="NaN"),
        pytest.param(
            [[0.2, 0.8], [0.6, 0.4]], "these look like scores.*labels_from_scores", id="scores"
        ),
        pytest.param(np.zeros((2, 2, 2)), r"1-D.*got \(2, 2, 2\)", id="3-D"),
        pytest.param(
            sparse.csr_array(np.array([[0, 2], [1, 0]])), "holds 2.*0/1 indicator", id="sparse 2"
        ),
        pytest.param(
            sparse.csr_array(np.array([[0, 0.5], [1, 0]])),
            r"holds 0\.5.*labels_from_scores",
            id="sparse scores",
        ),
        pytest.param(
            sparse.csr_array(np.array([[0, np.nan], [1, 0]])), "holds nan", id="sparse NaN"
        ),
        pytest.param(np.zeros((2, 0)), r"is empty \(shape \(2, 0\)\)", id="no columns"),
        pytest.param(
            sparse.coo_array(np.array([0, 1])),
            "must be multilabel|must be 1-D|2-D",
            id="sparse 1-D",
        ),
        pytest.param([[0, 1], [1]], "ragged.*MultiLabelBinarizer", id="ragged"),
    ],
)
def test_2d_input_that_is_no_indicator_is_refused(y, message):
    with pytest.raises(ValueError, match=f"y_pred .*{message}"):
        encode([[0, 1], [1, 0]], y)


DECIMALS = {
    "list": list,
    "array": lambda values: np.array(values, dtype=object),
    "pandas": pd.Series,
    "pandas of Arrow": lambda values: pd.Series(values, dtype=pd.ArrowDtype(pa.decimal128(12, 2))),
    "categorical": pd.Categorical,
    "polars": lambda values: pl.Series(values, dtype=pl.Decimal(12, 2)),
    "pyarrow": pa.array,
}


@pytest.mark.parametrize("form", DECIMALS)
@pytest.mark.parametrize("repeats", [1, 400])
def test_whole_decimals_are_integers(form, repeats):
    true, pred = [Decimal(t) for t in "0112" * repeats], [Decimal(p) for p in "0121" * repeats]
    y_true, y_pred = [0, 1, 1, 2] * repeats, [0, 1, 2, 1] * repeats
    make = DECIMALS[form]
    expected = ConfusionMatrix.from_predictions(y_true, y_pred)
    for sides in [(make(true), make(pred)), (make(true), y_pred), (y_true, make(pred))]:
        cm = ConfusionMatrix.from_predictions(*sides)
        assert cm == expected
        assert cm.labels.dtype == np.int64
    by = ConfusionMatrix.from_predictions(y_true, y_pred, by=make(true))
    assert by == ConfusionMatrix.from_predictions(y_true, y_pred, by=y_true)
    options = {"labels": [Decimal(2), Decimal(1)], "average": None}
    recalls = recall_score(make(true), make(pred), **options)
    assert recalls.tolist() == recall_score(y_true, y_pred, labels=[2, 1], average=None).tolist()
    binary = recall_score(make([Decimal(1)] * 3), [1, 0, 1], pos_label=Decimal(1))
    assert binary == 2 / 3


def test_decimals_beyond_floats_are_exact():
    large = Decimal(2**60)
    assert accuracy_score([large, large + 1, 1], [2**60, 2**60, 1]) == 2 / 3


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("1.5", "y_true holds continuous values such as 1.5"),
        ("NaN", "y_true holds NaN: a missing label"),
        ("-Infinity", "y_true holds infinity, which is not a valid label"),
    ],
)
def test_other_decimals_are_no_labels(value, message):
    for form in (list, pd.Series):
        with pytest.raises(ValueError, match=re.escape(message)):
            accuracy_score(form([Decimal(1), Decimal(value)]), [1, 1])
    with pytest.raises(ValueError, match=r"y_true holds continuous values such as 1\.5"):
        f1_score([[Decimal("1.5"), 0], [0, 1]], [[1, 0], [0, 1]], average="macro")


def test_large_python_integers_in_a_list_stay_apart():
    encoded = encode([2**63, 2**63 + 1, 0], [2**63, 2**63, 0])
    assert encoded.labels.tolist() == [0, 2**63, 2**63 + 1]
    assert accuracy_score([2**63, 2**63 + 1, 0], [2**63, 2**63, 0]) == pytest.approx(2 / 3)


@pytest.mark.parametrize("form", [list, lambda values: np.array(values, dtype=object), tuple])
@pytest.mark.parametrize(
    ("values", "least"), [([2**64, 1], 1), ([2**63, -1], -1), ([2**64, 2**64 + 1], 2**64)]
)
def test_integers_that_no_type_of_numpy_holds_are_to_be_text(form, values, least):
    said = f"has integers from {least} to {max(values)}, which no type of NumPy holds together: "
    with pytest.raises(ValueError, match=f"y_true {said}"):
        accuracy_score(form(values), values)
    with pytest.raises(ValueError, match=f"labels {said}"):
        confusion_matrix([0, 1], [0, 1], labels=form(values))
    with pytest.raises(ValueError, match=f"by {said}"):
        ConfusionMatrix.from_predictions([0, 1], [0, 1], by=form(values))
    assert accuracy_score([str(value) for value in values], [str(value) for value in values]) == 1


def test_signed_and_unsigned_integers_that_no_type_holds_are_to_be_text():
    signed, unsigned = np.array([-1, 2]), np.array([2**63, 2], dtype=np.uint64)
    for sides in ((signed, unsigned), (unsigned, signed)):
        with pytest.raises(ValueError, match=f"integers from -1 to {2**63}, which no type of"):
            accuracy_score(*sides)


class Color(str, enum.Enum):  # noqa: UP042
    BLUE = "azure"
    RED = "ruby"


class Shade(enum.StrEnum):
    BLUE = "azure"
    RED = "ruby"


class Number(enum.IntEnum):
    ONE = 11
    TWO = 2


class Real(float, enum.Enum):
    ONE = 11.0
    TWO = 2.0


@pytest.mark.parametrize("kind", [Color, Shade, Number, Real])
@pytest.mark.parametrize(
    "form", [list, lambda members: np.array(members, dtype=object), pd.Series, pd.Categorical]
)
def test_members_of_an_enum_are_their_values(kind, form):
    first, second = kind
    true, pred = form([first, second, second]), form([second, first, second])
    values = [first.value, second.value, second.value]
    assert decoded(read_labels(true, "y_true")) == values
    assert {type(label) for label in read_labels(true, "y_true").labels.tolist()} == {
        type(first.value)
    }
    assert (
        confusion_matrix(true, pred).tolist()
        == confusion_matrix(values, [second.value, *values[:2]]).tolist()
    )
    assert confusion_matrix(true, values, labels=[second, first]).tolist() == [[2, 0], [0, 1]]
    assert (
        f1_score(values, pred, pos_label=second)
        == f1_score(values, pred, pos_label=second.value)
        == 0.5
    )
    assert ConfusionMatrix.from_predictions(true, pred).score("recall", pos_label=first) == 0
    curve = ThresholdCurve.from_scores(true, [0.1, 0.9, 0.8], pos_label=second)
    assert (curve.pos_label, type(curve.pos_label)) == (second.value, type(second.value))
    assert (
        labels_from_scores(
            [[0.4, 0.6]], classes=[first, second], threshold={second: 0.9, first: 0.1}
        )
        == first.value
    )


def test_an_enum_of_other_members_says_how_to_get_their_values():
    other = enum.Enum("Other", "A B")
    with pytest.raises(
        TypeError, match=r"y_true holds members of Other.*\[label\.value for label in y_true\]"
    ):
        read_labels([other.A, other.B], "y_true")


BERLIN = datetime.timezone(datetime.timedelta(hours=1))


@pytest.mark.parametrize(
    "dates",
    [
        pytest.param([datetime.datetime(2020, 1, 1, tzinfo=BERLIN)] * 2, id="list"),
        pytest.param(
            pd.Series(pd.to_datetime(["2020-01-01", "2020-01-02"])).dt.tz_localize(BERLIN),
            id="Series",
        ),
        pytest.param(
            pd.to_datetime(["2020-01-01", "2020-01-02"]).tz_localize(BERLIN), id="DatetimeIndex"
        ),
    ],
)
def test_dates_with_a_time_zone_say_what_to_do(dates):
    with pytest.raises(
        TypeError, match=r"y_true holds times with a time zone: .*\.dt\.tz_localize\(None\)"
    ):
        read_labels(dates, "y_true")


def test_dates_without_their_time_zone_are_labels():
    """The advice of the message works."""
    dates = pd.Series(pd.to_datetime(["2020-01-01", "2020-01-02"])).dt.tz_localize(BERLIN)
    plain = dates.dt.tz_convert("UTC").dt.tz_localize(None)
    assert len(read_labels(plain, "y_true").labels) == 2


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("y_true", lambda: read_labels(pd.Series([("a", 1), ("b", 2)]), "y_true")),
        ("labels", lambda: read_order([("a", 1), ("b", 2)])),
        ("by", lambda: ConfusionMatrix.from_predictions([0, 1], [0, 1], by=[("a", 1), ("b", 2)])),
        ("by", lambda: ConfusionMatrix.from_predictions([0, 1], [0, 1], by=[("a", 1), ("b",)])),
        (
            "by",
            lambda: ConfusionMatrix.from_predictions(
                [0, 1], [0, 1], by=pd.Series([("a", 1), ("b", 2)])
            ),
        ),
        (
            "columns",
            lambda: labels_from_scores(
                pd.DataFrame([[0.1, 0.9]], columns=pd.MultiIndex.from_product([["a"], [1, 2]]))
            ),
        ),
    ],
)
def test_tuples_are_no_labels(name, read):
    with pytest.raises(
        ValueError, match=rf"{name} holds tuples such as \('[ab]', [12]\).*join each.*'[ab], [12]'"
    ):
        read()


def test_two_columns_without_names_are_no_groups():
    by = np.array([["a", "x"], ["b", "y"]])
    with pytest.raises(
        ValueError, match=r"by must hold one group per sample; it has shape \(2, 2\)\. Pass"
    ):
        ConfusionMatrix.from_predictions([0, 1], [0, 1], by=by)


@pytest.mark.parametrize(
    "labels",
    [
        [2**53, 2**53 + 1, 1.0],
        [2**53, 2**53 + 1, -1.0],
        [2**63, 1.0, True, np.float32(2)],
        [2**62 + 1, -1.0, 5],
        [2.0**60, 2**60 + 1],
    ],
    ids=str,
)
def test_large_integers_beside_whole_floats_are_not_rounded(labels):
    assert (
        confusion_matrix(labels, [int(label) for label in labels]).tolist()
        == confusion_matrix(*[[sorted(set(labels)).index(label) for label in labels]] * 2).tolist()
    )
    assert ConfusionMatrix.from_predictions(labels, labels).labels.tolist() == sorted(
        {int(label) for label in labels}
    )


@pytest.mark.parametrize("large", [2**53 + 1, 2**64])
def test_large_integers_beside_floats_that_are_no_labels_are_refused_for_these(large):
    with pytest.raises(ValueError, match=r"y_true holds continuous values such as 1\.5"):
        confusion_matrix([large, 1.5], [1, 1])
    with pytest.raises(ValueError, match="y_true holds infinity"):
        confusion_matrix([large, np.inf], [1, 1])


def test_strings_that_numpy_would_merge_are_refused():
    with pytest.raises(ValueError, match="y_true holds strings that differ only by NUL"):
        encode(["a", "a\0", "b"], ["a", "b", "b"])


def test_a_matrix_is_a_column():
    assert encode(sparse.csr_matrix([[0], [1]]).todense(), [0, 1]).true.tolist() == [0, 1]


def test_a_sparse_column_is_refused():
    with pytest.raises(
        TypeError, match=r"y_true is sparse with 1 column: sparse input must be multilabel"
    ):
        encode(sparse.csr_array([[0], [1]]), [0, 1])


def test_an_indicator_beside_labels_is_refused():
    with pytest.raises(
        ValueError, match=r"y_true is a 2-D 0/1 indicator.*but y_pred is 1-D.*argmax"
    ):
        encode([[0, 1], [1, 0]], [1, 0])
    with pytest.raises(
        ValueError, match=r"y_pred is a 2-D 0/1 indicator.*but y_true is 1-D.*argmax"
    ):
        encode([1, 0], [[0, 1], [1, 0]])


def test_indicators_of_different_width_are_refused():
    with pytest.raises(ValueError, match="y_true has 2 label columns but y_pred has 3"):
        encode([[0, 1], [1, 0]], [[0, 1, 1], [1, 0, 1]])


def test_a_confusion_matrix_of_indicators_is_refused():
    with pytest.raises(
        ValueError, match=r"y_true and y_pred are 2-D 0/1 indicators.*one label per sample"
    ):
        confusion_matrix(ROWS_TRUE, ROWS_PRED)


# Bad label arrays.


@pytest.mark.parametrize(
    ("true", "pred"),
    [
        pytest.param([0, 1, 1], [0, 1], id="lists"),
        pytest.param(np.zeros(3, dtype=int), ["0", "1"], id="of different kinds"),
        pytest.param([[0, 1], [1, 0], [1, 1]], [[0, 1], [1, 0]], id="indicators"),
        pytest.param(sparse.csr_array(np.eye(3)), sparse.csr_array(np.ones((2, 3))), id="sparse"),
    ],
)
def test_different_lengths_are_refused(true, pred):
    with pytest.raises(
        ValueError, match="y_true has 3 samples but y_pred has 2: both need the same"
    ):
        encode(true, pred)


@pytest.mark.parametrize(
    "empty",
    [
        pytest.param([], id="list"),
        pytest.param((), id="tuple"),
        pytest.param(np.array([]), id="floats"),
        pytest.param(np.array([], dtype=int), id="integers"),
        pytest.param(np.array([], dtype="U3"), id="strings"),
        pytest.param(np.array([], dtype=object), id="objects"),
        pytest.param(np.array([], dtype="M8[D]"), id="dates"),
        pytest.param(np.zeros((0, 1)), id="column"),
        pytest.param(np.zeros((0, 3)), id="indicator"),
        pytest.param(sparse.csr_array((0, 3)), id="sparse"),
    ],
)
def test_empty_input_is_refused(empty):
    with pytest.raises(ValueError, match=r"y_true is empty.*at least 1 sample"):
        encode(empty, empty)


@pytest.mark.parametrize(
    ("y", "found"),
    [
        pytest.param([1.0, np.nan], "NaN", id="list"),
        pytest.param(np.array([1, np.nan], dtype=np.float16), "NaN", id="float16"),
        pytest.param(np.array([1, np.nan], dtype=np.float32), "NaN", id="float32"),
        pytest.param(np.array([np.nan, 1]), "NaN", id="float64"),
        pytest.param(np.array([1, np.nan], dtype=object), "NaN", id="object"),
        pytest.param(["a", np.nan], "NaN", id="NaN after a string"),
        pytest.param([np.nan, "a"], "NaN", id="NaN before a string"),
        pytest.param(np.array(["a", np.nan], dtype=object), "NaN", id="NaN among object strings"),
        pytest.param([1, None], "None", id="None after a number"),
        pytest.param([None, 1], "None", id="None before a number"),
        pytest.param(["a", None], "None", id="None after a string"),
        pytest.param([None, None], "None", id="nothing but None"),
        pytest.param(np.array(["a", None], dtype=object), "None", id="None among object strings"),
        pytest.param(np.array(["2024-01-01", "NaT"], dtype="M8[D]"), "NaT", id="date"),
        pytest.param(
            np.array([np.timedelta64(1, "s"), np.timedelta64("NaT", "s")]), "NaT", id="duration"
        ),
        pytest.param(
            [np.datetime64("2024-01-01"), np.datetime64("NaT", "D")], "NaT", id="list of dates"
        ),
        pytest.param(
            np.array(["a", np.nan], dtype=np.dtypes.StringDType(na_object=np.nan)),
            "NaN",
            id="StringDType",
        ),
        pytest.param(np.array([[1.0], [np.nan]]), "NaN", id="column"),
        pytest.param(
            np.ma.array([1, 2], mask=[False, True]), "1 masked entries", id="masked array"
        ),
    ],
)
@pytest.mark.parametrize("name", ["y_true", "y_pred"])
def test_missing_labels_are_refused(y, found, name):
    with pytest.raises(
        ValueError, match=f"{name} holds {found}: .* Drop these samples, or give them a label"
    ):
        read_labels(y, name)


@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, object])
def test_infinite_labels_are_refused(infinity, dtype):
    with pytest.raises(ValueError, match="y_true holds infinity"):
        read_labels(np.array([1.0, infinity], dtype=dtype), "y_true")


@pytest.mark.parametrize(
    "y", [["a", 1], [1, "a"], [True, "a"], [1.5, "a"], np.array([1, "a"], dtype=object)], ids=repr
)
@pytest.mark.parametrize("name", ["y_true", "y_pred"])
def test_strings_and_numbers_in_one_array_are_refused(y, name):
    with pytest.raises(
        ValueError, match=rf"{name} holds a mix of numbers and strings such as .*'a'.*str\(label\)"
    ):
        read_labels(y, name)


@pytest.mark.parametrize(
    "y", [[1, "a"], [1, "a", 1, "a"], np.array([1, "a"], dtype=object)], ids=repr
)
def test_the_message_of_mixed_types_shows_an_example_of_each(y):
    with pytest.raises(
        ValueError, match=r"y_true holds a mix of numbers and strings such as \[1, 'a'\]\. Convert"
    ):
        accuracy_score(y, y)


def test_strings_and_bytes_in_one_array_are_refused():
    with pytest.raises(ValueError, match="y_true holds a mix of bytes and strings"):
        read_labels(["a", b"a"], "y_true")


@pytest.mark.parametrize(
    ("true", "pred", "kinds"),
    [
        pytest.param([0, 1], ["0", "1"], ("numbers", "strings"), id="numbers, strings"),
        pytest.param(["0", "1"], [0, 1], ("strings", "numbers"), id="strings, numbers"),
        pytest.param(
            np.array(["a", "b"]),
            np.array([True, False]),
            ("strings", "numbers"),
            id="strings, booleans",
        ),
        pytest.param([b"a", b"b"], ["a", "b"], ("bytes", "strings"), id="bytes, strings"),
        pytest.param(
            np.array([0, 1], dtype="M8[D]"), [0, 1], ("dates", "numbers"), id="dates, numbers"
        ),
    ],
)
def test_two_sides_of_different_kinds_are_refused(true, pred, kinds):
    message = (
        rf"Mix of label types: y_true holds {kinds[0]} \[.*\], y_pred holds {kinds[1]} \[.*\]\. "
        r"(Convert|Say)"
    )
    with pytest.raises(ValueError, match=message):
        confusion_matrix(true, pred)


def test_labels_that_look_alike_are_converted_and_others_are_named_by_the_caller():
    """What is advised gives the right value: text of 0 and 1 is no "yes" and "no"."""
    true, said = [0, 1, 1], ["no", "yes", "yes"]
    with pytest.raises(ValueError, match=r"np\.asarray\(y_pred\)\.astype\(str\)"):
        confusion_matrix(["0", "1"], [0, 1])
    advice = (
        r"Say which is which, names = \{0: \.\.\., 1: \.\.\.\}, and pass \[names\[label\] for "
        r"label in y_true\]"
    )
    with pytest.raises(ValueError, match=advice):
        confusion_matrix(true, said)
    names = {0: "no", 1: "yes"}
    assert confusion_matrix([names[label] for label in true], said).tolist() == [[1, 0], [0, 2]]
    with pytest.raises(ValueError, match=r"3: \.\.\., \.\.\.\}.* for label in y_pred\]"):
        confusion_matrix(["a", "b", "c", "d"], [1, 2, 3, 4])


CONTINUOUS = [
    pytest.param([0.25, 1.0], id="list"),
    pytest.param(np.array([1.0, 0.25]), id="float64"),
    pytest.param(np.array([1.0, 0.25], dtype=np.float16), id="float16"),
    pytest.param(np.array([1.0, 0.25], dtype=object), id="object"),
    pytest.param(np.array([[1.0], [0.25]]), id="column"),
    pytest.param(np.array([1.0] * 40_000 + [0.25]), id="the last of many"),
]


@pytest.mark.parametrize("scores", CONTINUOUS)
def test_scores_in_y_pred_are_refused_with_the_way_out(scores):
    message = (
        r"y_pred holds continuous values such as 0\.25: these look like scores; use "
        r"labels_from_scores, or score the model with get_scorer\(\.\.\., classes="
    )
    with pytest.raises(ValueError, match=message):
        confusion_matrix(np.arange(len(scores)) % 2, scores)


@pytest.mark.parametrize("target", CONTINUOUS)
def test_a_continuous_target_is_refused(target):
    message = (
        r"y_true holds continuous values such as 0\.25: class labels must be whole numbers or "
        r"strings"
    )
    with pytest.raises(ValueError, match=message):
        confusion_matrix(target, np.arange(len(target)) % 2)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        pytest.param("abc", "must be an array or a list of labels; got str", id="string"),
        pytest.param(3, "must be an array or a list of labels; got int", id="number"),
        pytest.param(None, "must be an array or a list of labels; got NoneType", id="None"),
        pytest.param({"a": 1}, "must be an array or a list of labels; got dict", id="dict"),
        pytest.param(np.float64(3), "got the single value", id="NumPy scalar"),
        pytest.param([object(), object()], "holds object objects", id="objects"),
        pytest.param(
            np.zeros(2, dtype=[("a", int)]),
            "labels must be numbers, strings, bytes or dates",
            id="records",
        ),
    ],
)
@pytest.mark.parametrize("name", ["y_true", "y_pred"])
def test_what_is_no_label_array_is_refused(y, message, name):
    with pytest.raises(TypeError, match=f"{name} .*{message}"):
        read_labels(y, name)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        pytest.param([{1}, {2}], "one label per sample; found set.*MultiLabelBinarizer", id="sets"),
        pytest.param(["a", ["b"]], "one label per sample; found list entries", id="a list"),
        pytest.param(
            np.array([[0], [0, 1]], dtype=object), "one label per sample; found list", id="lists"
        ),
        pytest.param(np.array([(0,), (0, 1)], dtype=object), "holds tuples such as", id="tuples"),
        pytest.param([1j, 2], "holds complex128", id="complex"),
        pytest.param(np.array([1j, 2j], dtype=object), "holds complex objects", id="of objects"),
    ],
)
@pytest.mark.parametrize("name", ["y_true", "y_pred"])
def test_sequences_and_complex_numbers_are_no_labels(y, message, name):
    with pytest.raises(ValueError, match=f"{name} .*{message}"):
        read_labels(y, name)


def test_messages_use_the_names_of_the_caller():
    with pytest.raises(ValueError, match="y1 has 2 samples but y2 has 1"):
        encode([0, 1], [0], names=("y1", "y2"))


def test_a_column_is_read_once():
    column = read_labels([3, 1, 3], "y_true")
    assert isinstance(column, Column)
    assert read_labels(column, "y_true") is column


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.uint16, np.uint64])
def test_positions_in_an_order_as_wide_as_its_type(dtype):
    limits = np.iinfo(dtype)
    low = max(limits.min, -30_000) if limits.bits < 64 else limits.max - 60_000
    order = np.arange(low, low + 60_000 if low >= 0 else 30_000, dtype=dtype)[::-1].copy()
    positions = positions_in(order, order[::7])
    assert positions.tolist() == list(range(0, len(order), 7))
