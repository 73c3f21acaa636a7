"""Strings -> codes as np.unique gives them, of any width and number, where hashes collide too."""

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import example, given
from hypothesis import strategies as st

from skmetrics_ext import confusion_matrix
from skmetrics_ext.reading import labels as labels_room
from skmetrics_ext.reading.labels import read_labels

N_SAMPLES = 3 * labels_room.HASHED_AT_ONCE + 17
WORDS = ["", "a", "b", "ab", "ba", "é", "日本", "a b", "A", "zz"]


def drawn(labels, n_samples=N_SAMPLES):
    """Every label once, then labels at random."""
    labels = np.asarray(labels)
    random = np.random.default_rng(0).choice(labels, n_samples - len(labels))
    return np.concatenate([labels, random])


def assert_decodes(values):
    codes, labels = labels_room.codes_of_fixed_width(values)
    assert labels.dtype == values.dtype
    assert len(np.unique(labels)) == len(labels)
    np.testing.assert_array_equal(labels[codes], values)


def one_slot(words, _):
    return np.zeros(len(words), dtype=np.uint64)


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 7, 8, 9, 16, 24, 31, 100])
def test_str_of_every_width(width):
    labels = np.unique(np.array([(word * width)[:width] for word in WORDS], dtype=f"U{width}"))
    assert_decodes(drawn(labels))


@pytest.mark.parametrize("width", [1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 100])
def test_bytes_of_every_width(width):
    labels = np.unique(
        np.array([(word.encode() * width)[:width] for word in WORDS], dtype=f"S{width}")
    )
    assert_decodes(drawn(labels))


@pytest.mark.parametrize("dtype", ["U5", ">U5", "U40"])
@pytest.mark.parametrize(
    "order", [slice(None), slice(None, None, -1), slice(None, None, 2)], ids=["", "back", "half"]
)
def test_str_of_any_byte_order_and_stride(dtype, order):
    assert_decodes(drawn(WORDS).astype(dtype)[order])


def test_nothing_but_empty_strings():
    assert_decodes(np.full(N_SAMPLES, "", dtype="U3"))


def test_labels_that_differ_in_their_last_character_only():
    assert_decodes(drawn([f"{'x' * 39}{last}" for last in "abcdefgh"]))


def test_labels_that_differ_in_their_first_character_only():
    assert_decodes(drawn([f"{first}{'x' * 39}" for first in "abcdefgh"]))


def test_labels_that_differ_in_length_only():
    assert_decodes(drawn(["x" * length for length in range(30)]))


def test_characters_outside_the_basic_plane():
    assert_decodes(drawn(["\U0001f600", "\U0010ffff", "\uffff", "\x01", "a\0b", "ab"]))


def test_many_labels():
    labels = np.array([f"label {i}" for i in range(300)])
    values = drawn(labels)
    column = read_labels(values, "y_true")
    expected, codes = np.unique(values, return_inverse=True)
    np.testing.assert_array_equal(column.labels, expected)
    np.testing.assert_array_equal(column.codes, codes)


def test_as_many_labels_as_samples():
    values = np.array([f"{i:05}" for i in range(20_000)])
    values = np.random.default_rng(0).permutation(values)
    column = read_labels(values, "y_true")
    assert column.labels.tolist() == [f"{i:05}" for i in range(20_000)]
    np.testing.assert_array_equal(column.codes, values.astype(int))


@pytest.mark.parametrize(
    "first",
    [
        labels_room.HASHED_AT_ONCE - 1,
        labels_room.HASHED_AT_ONCE,
        2 * labels_room.HASHED_AT_ONCE + 5,
        N_SAMPLES - 1,
    ],
)
@pytest.mark.parametrize("late", ["", "a", "m", "z"])
def test_a_label_that_appears_late(first, late):
    values = np.full(N_SAMPLES, "k", dtype="U3")
    values[::3] = "p"
    values[first] = late
    assert_decodes(values)
    column = read_labels(values, "y_true")
    assert column.labels.tolist() == sorted(["k", "p", late])
    np.testing.assert_array_equal(column.labels[column.codes], values)


def test_new_labels_in_every_block():
    assert_decodes(np.array([f"block {i // 1000}" for i in range(N_SAMPLES)]))


@pytest.mark.parametrize(
    "form", [np.array, lambda words: np.char.encode(words, "utf-8")], ids=["str", "bytes"]
)
def test_the_confusion_matrix_of_many_strings(form):
    rng = np.random.default_rng(0)
    true, pred = rng.choice(WORDS, (2, 5000))
    expected = sklearn.metrics.confusion_matrix(true.tolist(), pred.tolist())
    np.testing.assert_array_equal(confusion_matrix(form(true), form(pred)), expected)


@pytest.mark.parametrize(("n_samples", "hashed"), [(1999, False), (2000, True), (10_000, True)])
def test_many_strings_are_hashed_and_few_are_not(monkeypatch, n_samples, hashed):
    lengths, codes_of_fixed_width = [], labels_room.codes_of_fixed_width

    def spy(values):
        lengths.append(len(values))
        return codes_of_fixed_width(values)

    monkeypatch.setattr(labels_room, "codes_of_fixed_width", spy)
    values = drawn(WORDS, n_samples)
    column = read_labels(values, "y_true")
    assert lengths == [n_samples] * hashed
    np.testing.assert_array_equal(column.labels[column.codes], values)


def test_hashed_strings_are_not_read_as_python_objects(monkeypatch):
    monkeypatch.delattr(labels_room, "_numbered")
    values = drawn(WORDS)
    column = read_labels(values, "y_true")
    np.testing.assert_array_equal(column.labels[column.codes], values)


@pytest.mark.parametrize("labels", [WORDS, ["a", "b"]], ids=["of many labels", "of two labels"])
def test_a_collision_is_noticed_and_resolved(monkeypatch, labels):
    monkeypatch.setattr(labels_room, "_slots", one_slot)
    values = drawn(labels)
    assert labels_room.codes_of_fixed_width(values) is None
    column = read_labels(values, "y_true")
    assert column.labels.tolist() == sorted(labels)
    np.testing.assert_array_equal(column.labels[column.codes], values)


def test_a_collision_in_a_late_block_is_noticed_and_resolved(monkeypatch):
    monkeypatch.setattr(labels_room, "_slots", one_slot)
    values = np.full(N_SAMPLES, "common", dtype="U6")
    values[-1] = "rare"
    assert labels_room.codes_of_fixed_width(values) is None
    column = read_labels(values, "y_true")
    assert column.labels.tolist() == ["common", "rare"]
    np.testing.assert_array_equal(column.labels[column.codes], values)


def test_one_label_can_not_collide(monkeypatch):
    monkeypatch.setattr(labels_room, "_slots", one_slot)
    assert_decodes(np.full(N_SAMPLES, "common"))


@pytest.mark.parametrize("table_bits", [1, 2, 3, 4, 6, 8])
def test_a_small_table_changes_no_code(monkeypatch, table_bits):
    monkeypatch.setattr(labels_room, "TABLE_BITS", table_bits)
    values = drawn(WORDS)
    labels, codes = np.unique(values, return_inverse=True)
    column = read_labels(values, "y_true")
    np.testing.assert_array_equal(column.labels, labels)
    np.testing.assert_array_equal(column.codes, codes)


# NumPy's fixed-width strings can't end in NUL.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(
    lambda text: text.rstrip("\0")
)


@given(st.lists(TEXTS, min_size=1, max_size=30), st.integers(0, 2**32 - 1), st.integers(0, 5))
@example(["", "\0a"], 0, 0)
def test_any_strings_are_encoded_as_np_unique_does(labels, seed, extra_width):
    width = max(map(len, labels)) + extra_width or 1
    values = np.random.default_rng(seed).choice(np.array(labels, dtype=f"U{width}"), 2500)
    expected, codes = np.unique(values, return_inverse=True)
    column = read_labels(values, "y_true")
    np.testing.assert_array_equal(column.labels, expected)
    np.testing.assert_array_equal(column.codes, codes)


@given(st.lists(st.binary(max_size=20), min_size=1, max_size=30), st.integers(0, 2**32 - 1))
def test_any_bytes_are_encoded_as_np_unique_does(labels, seed):
    values = np.random.default_rng(seed).choice(np.array(labels, dtype="S20"), 2500)
    expected, codes = np.unique(values, return_inverse=True)
    column = read_labels(values, "y_true")
    np.testing.assert_array_equal(column.labels, expected)
    np.testing.assert_array_equal(column.codes, codes)
