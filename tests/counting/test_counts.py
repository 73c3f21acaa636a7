"""Codes -> counts: against loops and scikit-learn's matrices, exact where counts are exact."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics as sk

from skmetrics_ext.counting.counts import (
    CELLS,
    PAIRED_SAMPLES,
    ClassCounts,
    Margins,
    count_classes,
    count_exact_samples,
    count_indicators,
    count_margins,
    count_matrix,
    count_samples,
    margins_of,
    two_by_two,
)
from skmetrics_ext.reading.labels import BLOCK
from skmetrics_ext.reading.pairs import Encoded, Weights, encode, without_others
from tests.shared import one_in

# Drawn labels of both sides may have none in common, which warns.
pytestmark = pytest.mark.filterwarnings("ignore:.*none of which are in both")

FLOAT_WEIGHTS = [0.0, 0.1, 0.2, 0.3, 1.0, 2.5]


@st.composite
def labeled_samples(draw, weights=("none", "int", "float"), subset=False):
    n_classes = draw(st.integers(1, 6))
    n_samples = draw(st.integers(1, 30))
    columns = st.lists(st.integers(0, n_classes - 1), min_size=n_samples, max_size=n_samples)
    y_true, y_pred = draw(columns), draw(columns)
    kind = draw(st.sampled_from(weights))
    values = {"none": st.none(), "int": st.integers(0, 5), "float": st.sampled_from(FLOAT_WEIGHTS)}[
        kind
    ]
    weight = (
        None
        if kind == "none"
        else draw(st.lists(values, min_size=n_samples, max_size=n_samples).filter(any))
    )
    labels = None
    if subset:
        labels = draw(
            st.lists(st.integers(0, n_classes), min_size=1, max_size=n_classes, unique=True)
        )
    return y_true, y_pred, weight, labels


@st.composite
def multilabel_samples(draw):
    n_samples, n_labels = draw(st.integers(1, 12)), draw(st.integers(2, 5))
    cells = st.lists(
        st.integers(0, 1), min_size=n_samples * n_labels, max_size=n_samples * n_labels
    )
    true, pred = (np.reshape(draw(cells), (n_samples, n_labels)) for _ in range(2))
    values = draw(st.sampled_from([None, [0, 1, 2, 3], FLOAT_WEIGHTS]))
    if values is None:
        return true, pred, None
    return (
        true,
        pred,
        draw(st.lists(st.sampled_from(values), min_size=n_samples, max_size=n_samples).filter(any)),
    )


def loop_matrix(y_true, y_pred, weight, labels):
    """The confusion matrix by a Python loop; labels outside of `labels` have the last row and
    column.
    """
    outside = any(y not in labels for y in [*y_true, *y_pred])
    n = len(labels) + outside
    matrix = [[0] * n for _ in range(n)]
    for k, (actual, predicted) in enumerate(zip(y_true, y_pred, strict=True)):
        i = labels.index(actual) if actual in labels else n - 1
        j = labels.index(predicted) if predicted in labels else n - 1
        matrix[i][j] += 1 if weight is None else weight[k]
    return np.array(matrix)


def order_of(labels):
    """A label order as read."""
    return None if labels is None else np.array(labels)


def all_labels(y_true, y_pred, labels):
    return sorted({*y_true, *y_pred}) if labels is None else labels


@pytest.mark.parametrize("subset", [False, True], ids=["all-labels", "labels-subset"])
@given(data=st.data())
def test_matrix_equals_a_loop_over_samples(subset, data):
    y_true, y_pred, weight, labels = data.draw(labeled_samples(subset=subset))
    expected = loop_matrix(y_true, y_pred, weight, all_labels(y_true, y_pred, labels))
    matrix = count_matrix(encode(y_true, y_pred, labels=order_of(labels), weights=Weights(weight)))
    assert matrix.shape == expected.shape
    np.testing.assert_allclose(matrix, expected, rtol=1e-13, atol=0)


@pytest.mark.parametrize("subset", [False, True], ids=["all-labels", "labels-subset"])
@given(data=st.data())
def test_margins_are_the_diagonal_and_the_sums_of_the_loop_matrix(subset, data):
    y_true, y_pred, weight, labels = data.draw(labeled_samples(subset=subset))
    expected = loop_matrix(y_true, y_pred, weight, all_labels(y_true, y_pred, labels))
    margins = count_margins(
        encode(y_true, y_pred, labels=order_of(labels), weights=Weights(weight))
    )
    np.testing.assert_allclose(margins.diagonal, expected.diagonal(), rtol=1e-13, atol=0)
    np.testing.assert_allclose(margins.row_sums, expected.sum(1), rtol=1e-13, atol=0)
    np.testing.assert_allclose(margins.column_sums, expected.sum(0), rtol=1e-13, atol=0)


@pytest.mark.parametrize("subset", [False, True], ids=["all-labels", "labels-subset"])
@given(data=st.data())
def test_class_counts_equal_scikit_learns_one_vs_rest_matrices(subset, data):
    y_true, y_pred, weight, labels = data.draw(labeled_samples(subset=subset))
    order = all_labels(y_true, y_pred, labels)
    rest = sorted({*y_true, *y_pred} - {*order})
    expected = sk.multilabel_confusion_matrix(
        y_true, y_pred, labels=order + rest, sample_weight=weight
    )[: len(order)]
    tp, fp, fn, tn = count_classes(
        encode(y_true, y_pred, labels=order_of(labels), weights=Weights(weight))
    )
    np.testing.assert_allclose(tp, expected[:, 1, 1], atol=1e-12)
    np.testing.assert_allclose(fp, expected[:, 0, 1], atol=1e-12)
    np.testing.assert_allclose(fn, expected[:, 1, 0], atol=1e-12)
    np.testing.assert_allclose(tn, expected[:, 0, 0], atol=1e-12)


@given(labeled_samples(weights=("float",)))
def test_class_counts_of_float_weights_are_zero_exactly_where_no_weighted_sample_is(samples):
    y_true, y_pred, weight, _ = samples
    counted = [w > 0 for w in weight]
    labels = all_labels(y_true, y_pred, None)
    for counts in (
        count_classes(encode(y_true, y_pred, weights=Weights(weight))),
        ClassCounts(*margins_of(count_matrix(encode(y_true, y_pred, weights=Weights(weight))))),
    ):
        for k, label in enumerate(labels):
            pairs = [
                (t == label, p == label)
                for t, p, c in zip(y_true, y_pred, counted, strict=True)
                if c
            ]
            occurs = [
                pair in pairs
                for pair in [(True, True), (False, True), (True, False), (False, False)]
            ]
            assert [bool(part[k] != 0) for part in counts] == occurs
            assert all(part[k] >= 0 for part in counts)


def test_a_class_predicted_for_all_samples_has_exactly_no_predicted_negatives():
    weight = [0.1, 0.2, 0.3, 0.1, 0.7]
    encoded = encode([0, 1, 2, 1, 0], [1, 1, 1, 1, 1], weights=Weights(weight))
    for counts in (count_classes(encoded), ClassCounts(*margins_of(count_matrix(encoded)))):
        assert counts.tn[1] + counts.fn[1] == 0
        assert counts.tn.tolist() == pytest.approx([0.6, 0, 1.1])


@pytest.mark.parametrize("n_classes", [64, 65, 300])
def test_one_of_many_classes_predicted_for_all_samples_has_exactly_no_predicted_negatives(
    n_classes,
):
    true = np.arange(3 * n_classes) % n_classes
    weight = np.arange(len(true)) % 11 / 10 + 0.1
    counts = count_classes(encode(true, np.ones_like(true), weights=Weights(weight)))
    assert counts.tn[1] == counts.fn[1] == 0
    others = [weight[true != k].sum() for k in range(n_classes)]
    np.testing.assert_allclose(np.delete(counts.tn, 1), np.delete(others, 1), rtol=1e-13)


def test_a_label_column_predicted_everywhere_has_exactly_no_predicted_negatives():
    true = np.array([[1, 0], [0, 1], [1, 1]])
    counts = count_indicators(encode(true, np.ones_like(true), weights=Weights([0.1, 0.2, 0.3])))
    assert (counts.tn + counts.fn).tolist() == [0, 0]
    assert counts.fp.tolist() == pytest.approx([0.2, 0.1])


@pytest.mark.parametrize(
    ("weight", "dtype"),
    [
        (None, np.int64),
        ([1, 2, 3, 0], np.int64),
        (np.array([1, 2, 3, 0], np.uint8), np.int64),
        (np.array([True, True, False, True]), np.int64),
        ([0.5, 2, 3, 0], np.float64),
        (np.array([1, 2, 3, 0], np.float32), np.float64),
    ],
    ids=["none", "int", "uint8", "bool", "float", "float32"],
)
@pytest.mark.parametrize(
    "y_pred", [[0, 1, 1, 0], [0, 1, 2, 0]], ids=["two-classes", "three-classes"]
)
def test_counts_are_int64_unless_weights_are_floats(weight, dtype, y_pred):
    encoded = encode([0, 1, 0, 1], y_pred, weights=Weights(weight))
    assert count_matrix(encoded).dtype == dtype
    assert {part.dtype for part in count_margins(encoded)} == {np.dtype(dtype)}
    assert {part.dtype for part in count_classes(encoded)} == {np.dtype(dtype)}


def test_integer_weights_are_summed_exactly_up_to_2_to_the_53():
    matrix = count_matrix(encode([0, 0, 1], [0, 0, 1], weights=Weights([2**52, 1, 1])))
    assert matrix.tolist() == [[2**52 + 1, 0], [0, 1]]


@pytest.mark.parametrize("n_classes", [2, 3, 300], ids=["two", "three", "300"])
@pytest.mark.parametrize("weighted", ["none", "int", "float"])
def test_many_blocks_equal_scikit_learn(n_classes, weighted):
    rng = np.random.default_rng(7)
    n_samples = 3 * BLOCK + 1
    y_true, y_pred = rng.integers(0, n_classes, (2, n_samples))
    weight = {"none": None, "int": rng.integers(0, 4, n_samples), "float": rng.random(n_samples)}[
        weighted
    ]
    encoded = encode(y_true, y_pred, weights=Weights(weight))
    expected = sk.confusion_matrix(y_true, y_pred, sample_weight=weight)
    tolerance = 1e-11 if weighted == "float" else 0
    np.testing.assert_allclose(count_matrix(encoded), expected, rtol=tolerance)
    margins = count_margins(encoded)
    np.testing.assert_allclose(margins.diagonal, expected.diagonal(), rtol=tolerance)
    np.testing.assert_allclose(margins.row_sums, expected.sum(1), rtol=tolerance)
    np.testing.assert_allclose(margins.column_sums, expected.sum(0), rtol=tolerance)
    np.testing.assert_allclose(
        np.stack(count_classes(encoded), -1)[:, [3, 1, 2, 0]],
        sk.multilabel_confusion_matrix(y_true, y_pred, sample_weight=weight).reshape(-1, 4),
        rtol=tolerance or 1e-15,
    )


def margins_by_additions(true, pred, weight, n_classes):
    """tp, fp, fn and tn (n_classes,) by additions one by one."""
    weight = np.ones(len(true), dtype=int) if weight is None else weight
    right, of_true, of_pred = np.zeros((3, n_classes), dtype=weight.dtype)
    np.add.at(right, true[true == pred], weight[true == pred])
    np.add.at(of_true, true, weight)
    np.add.at(of_pred, pred, weight)
    return right, of_pred - right, of_true - right, weight.sum() - of_true - of_pred + right


def quarters(n_samples):
    """Float weights whose sums are exact."""
    return np.arange(n_samples) % 7 / 4


@pytest.mark.parametrize("weighted", ["none", "int", "float"])
@pytest.mark.parametrize("beyond", [-1, 0, 1])
@pytest.mark.parametrize("n_classes", [1, 3, 5, 63, 64, 65])
def test_margins_where_a_matrix_begins_to_pay(n_classes, beyond, weighted):
    n_samples = 4 * n_classes**2 + beyond
    true, pred = np.random.default_rng(n_classes).integers(0, n_classes, (2, n_samples))
    true[:n_classes] = np.arange(n_classes)[:n_samples]
    weight = {"none": None, "int": np.arange(n_samples) % 3, "float": quarters(n_samples)}[weighted]
    expected = margins_by_additions(true, pred, weight, n_classes)
    margins = count_margins(encode(true, pred, weights=Weights(weight)))
    assert [part.tolist() for part in margins] == [part.tolist() for part in expected]


@pytest.mark.parametrize("n_classes", [3, 65, 200])
def test_small_weights_beside_a_large_one_are_kept_where_there_is_a_matrix(n_classes):
    n_samples = 4 * n_classes**2
    true, pred = np.random.default_rng(1).integers(0, n_classes, (2, n_samples))
    true[:n_classes], pred[n_classes] = np.arange(n_classes), n_classes - 1
    true[-1], pred[-1] = 0, 1
    weight = np.ones(n_samples)
    weight[-1] = 2.0**60
    counts = count_classes(encode(true, pred, weights=Weights(weight)))
    light = slice(n_samples - 1)
    right, false, missed, rest = margins_by_additions(true[light], pred[light], None, n_classes)
    heavy = np.eye(n_classes)[:2] * 2.0**60
    np.testing.assert_allclose(counts.tp, right, rtol=1e-15)
    np.testing.assert_allclose(counts.fp, false + heavy[1], rtol=1e-15)
    np.testing.assert_allclose(counts.fn, missed + heavy[0], rtol=1e-15)
    np.testing.assert_allclose(counts.tn[:2], rest[:2], rtol=1e-15)


@pytest.mark.parametrize(
    ("weight", "dtype"), [(None, np.int64), ([1, 2], np.int64), ([0.5, 1], np.float64)]
)
@pytest.mark.parametrize("n_labels", [1, 2, 3, 70])
def test_no_sample_at_all_is_counted_as_zeros(n_labels, weight, dtype):
    order = list(range(n_labels))
    nothing = without_others(
        encode([0, n_labels], [n_labels, 0], labels=np.array(order), weights=Weights(weight))
    )
    assert len(nothing.true) == 0
    matrix, margins = count_matrix(nothing), count_margins(nothing)
    assert matrix.tolist() == [[0] * n_labels] * n_labels
    assert [part.tolist() for part in margins] == [[0] * n_labels] * 4
    assert {matrix.dtype, *(part.dtype for part in margins)} == {np.dtype(dtype)}
    assert count_matrix(nothing, nothing.true, 2).tolist() == [[[0] * n_labels] * n_labels] * 2


@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
def test_many_blocks_of_groups_equal_one_matrix_a_group(weighted):
    rng = np.random.default_rng(3)
    n_samples = 110_000
    y_true, y_pred = rng.integers(0, 3, (2, n_samples))
    group = rng.integers(0, 4, n_samples).astype(np.uint8)
    weight = rng.integers(1, 5, n_samples) if weighted else None
    matrices = count_matrix(encode(y_true, y_pred, weights=Weights(weight)), group, 4)
    for k in range(4):
        mine = group == k
        expected = sk.confusion_matrix(
            y_true[mine], y_pred[mine], sample_weight=weight[mine] if weighted else None
        )
        assert matrices[k].tolist() == expected.tolist()


def codes(n_samples, n_classes, seed=0):
    """Actual and predicted codes; the last sample is the only one in its cell."""
    true, pred = np.random.default_rng(seed).integers(0, max(n_classes - 1, 1), (2, n_samples))
    true[-1:] = pred[-1:] = n_classes - 1
    return true, pred


def matrix_of(true, pred):
    """The matrix of codes by additions one by one."""
    n_classes = int(max(true.max(), pred.max())) + 1
    counts = np.zeros((n_classes, n_classes), dtype=int)
    np.add.at(counts, (true, pred), 1)
    return counts.tolist()


def as_encoded(true, pred):
    """Codes of classes that all occur."""
    order = np.arange(max(true.max(), pred.max()) + 1)
    return Encoded(true, pred, order, len(order), None, order)


@pytest.mark.parametrize("beyond", [-1, 0, 1, 2])
@pytest.mark.parametrize("n_classes", [1, 3, 10, 16, 17])
def test_matrix_where_pairs_of_samples_begin_to_pay(n_classes, beyond):
    true, pred = codes(max(BLOCK, 2**8 * n_classes**2) + beyond, n_classes)
    matrix = count_matrix(as_encoded(true, pred))
    assert matrix.tolist() == matrix_of(true, pred)
    assert matrix.dtype == np.int64


@pytest.mark.parametrize(("beyond", "n_blocks"), one_in(2, [-2, -1, 0, 1, 2], [1, 2]))
def test_matrix_of_pairs_where_a_block_ends(beyond, n_blocks):
    true, pred = codes(n_blocks * PAIRED_SAMPLES + beyond, 10)
    assert count_matrix(as_encoded(true, pred)).tolist() == matrix_of(true, pred)


@pytest.mark.parametrize("n_samples", [BLOCK, BLOCK + 1])
@pytest.mark.parametrize("dtype", ["u1", "i1", "u2", "i4", "i8"])
@pytest.mark.parametrize("other", ["u1", "i8"])
def test_matrix_of_pairs_takes_codes_of_any_type_and_leaves_them(dtype, other, n_samples):
    true, pred = codes(n_samples, 8)
    given = true.astype(dtype), pred.astype(other)
    assert count_matrix(as_encoded(*given)).tolist() == matrix_of(true, pred)
    assert (given[0] == true).all()
    assert (given[1] == pred).all()


@pytest.mark.parametrize("dtype", [np.uint8, np.int64])
@pytest.mark.parametrize("step", [-1, 3])
def test_matrix_of_pairs_takes_columns_that_do_not_lie_together(step, dtype):
    true, pred = codes(3 * BLOCK + 1, 8)
    sides = (
        true.astype(dtype)[::step],
        np.asfortranarray(np.stack([pred, pred], 1).astype(dtype))[::step, 1],
    )
    assert count_matrix(as_encoded(*sides)).tolist() == matrix_of(true[::step], pred[::step])


def test_matrix_of_pairs_counts_one_cell_past_2_to_the_16():
    n_samples = PAIRED_SAMPLES + 1
    true, pred = np.zeros((2, n_samples), np.uint8)
    true[0] = pred[1] = 2
    assert count_matrix(as_encoded(true, pred)).tolist() == [
        [n_samples - 2, 0, 1],
        [0, 0, 0],
        [1, 0, 0],
    ]


@pytest.mark.parametrize(
    ("y_true", "y_pred"),
    [
        ([0, 1, 1, 0, 1], [1, 1, 0, 0, 1]),
        ([False, True, True, False, True], [True, True, False, False, True]),
        (["n", "y", "y", "n", "y"], ["y", "y", "n", "n", "y"]),
        (np.array([0, 1, 1, 0, 1], np.uint64), np.array([1, 1, 0, 0, 1], np.int8)),
        ([-1.0, 1.0, 1.0, -1.0, 1.0], [1.0, 1.0, -1.0, -1.0, 1.0]),
    ],
    ids=["int", "bool", "str", "uint64-int8", "float"],
)
def test_two_classes_count_the_four_cells(y_true, y_pred):
    encoded = encode(y_true, y_pred)
    assert count_matrix(encoded).tolist() == [[1, 1], [1, 2]]
    margins = count_margins(encoded)
    assert (margins.row_sums.tolist(), margins.column_sums.tolist()) == ([2, 3], [2, 3])
    assert [part.tolist() for part in count_classes(encoded)] == [[1, 2], [1, 1], [1, 1], [2, 1]]


def test_two_codes_of_one_label_and_the_rest():
    encoded = encode([0, 1, 2, 1], [1, 1, 2, 0], labels=np.array([1]))
    assert count_matrix(encoded).tolist() == [[1, 1], [1, 1]]
    assert [part.tolist() for part in count_classes(encoded)] == [[1], [1], [1], [1]]


@pytest.mark.parametrize(
    "form", [np.asarray, sparse.csr_array, sparse.csc_matrix], ids=["dense", "csr", "csc"]
)
@given(data=st.data())
def test_matrices_of_labels_equal_scikit_learns_multilabel_matrix(form, data):
    true, pred, weight = data.draw(multilabel_samples())
    expected = sk.multilabel_confusion_matrix(true, pred, sample_weight=weight)
    matrices = two_by_two(count_indicators(encode(form(true), form(pred), weights=Weights(weight))))
    np.testing.assert_allclose(matrices, expected, rtol=1e-13, atol=1e-12)


@pytest.mark.parametrize(
    ("n_columns", "beyond", "weighted", "order"),
    one_in(3, [2, 50, CELLS // 3, CELLS, CELLS + 1], [-1, 0, 1], ["int", "float"], ["C", "F"]),
)
def test_columns_in_blocks_equal_additions_one_by_one(n_columns, beyond, weighted, order):
    n_samples = 2 * max(CELLS // n_columns, 1) + beyond
    true, pred = np.random.default_rng(n_columns).random((2, n_samples, n_columns)) < 0.3
    weight = np.arange(n_samples) % 5 + 1 if weighted == "int" else quarters(n_samples) + 1
    counts = count_indicators(encode(np.asarray(true, order=order), pred, weights=Weights(weight)))
    cells = true & pred, pred & ~true, true & ~pred, ~true & ~pred
    for part, cell in zip(counts, cells, strict=True):
        assert part.dtype == weight.dtype
        np.testing.assert_array_equal(part, np.where(cell, weight[:, None], 0).sum(axis=0))


def test_integer_weights_of_columns_are_summed_exactly_up_to_2_to_the_53():
    true = np.array([[1, 0], [1, 0], [0, 1]])
    counts = count_indicators(
        encode(true, np.ones_like(true), weights=Weights([2**52, 1, 2**52 - 2]))
    )
    assert [part.tolist() for part in counts] == [
        [2**52 + 1, 2**52 - 2],
        [2**52 - 2, 2**52 + 1],
        [0, 0],
        [0, 0],
    ]
    assert {part.dtype for part in counts} == {np.dtype(np.int64)}


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "csr"])
@given(data=st.data())
def test_sample_counts_equal_scikit_learns_samplewise_matrix(form, data):
    true, pred, _ = data.draw(multilabel_samples())
    expected = sk.multilabel_confusion_matrix(true, pred, samplewise=True)
    tp, fp, fn, tn = count_samples(encode(form(true), form(pred)))
    assert np.stack([tn, fp, fn, tp], -1).tolist() == expected.reshape(-1, 4).tolist()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "csr"])
@given(data=st.data())
def test_exact_samples_equal_a_loop_over_rows(form, data):
    true, pred, weight = data.draw(multilabel_samples())
    per_row = [1] * len(true) if weight is None else weight
    margins = count_exact_samples(encode(form(true), form(pred), weights=Weights(weight)))
    right = sum(w for t, p, w in zip(true.tolist(), pred.tolist(), per_row, strict=True) if t == p)
    assert margins.diagonal.tolist() == pytest.approx([right])
    assert (
        margins.row_sums.tolist() == margins.column_sums.tolist() == pytest.approx([sum(per_row)])
    )


def test_multilabel_labels_select_columns_in_their_order():
    true, pred = np.array([[1, 0, 1], [0, 1, 1]]), np.array([[1, 1, 0], [0, 1, 0]])
    counts = count_indicators(encode(true, pred, labels=np.array([2, 0])))
    assert [part.tolist() for part in counts] == [[0, 1], [0, 0], [2, 0], [0, 1]]


def test_margins_of_100_000_classes_allocate_no_matrix():
    n_classes = 100_000
    y_true = np.arange(n_classes)
    y_pred = np.where(y_true % 2, y_true, (y_true + 1) % n_classes)
    encoded = encode(y_true, y_pred)
    tracemalloc.start()
    try:
        counts = count_classes(encoded)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100 * 8 * n_classes
    assert counts.tp.tolist() == [0, 1] * (n_classes // 2)
    assert counts.fp.tolist() == [0, 1] * (n_classes // 2)
    assert counts.fn.tolist() == [1, 0] * (n_classes // 2)


@pytest.mark.parametrize("weight", [None, 0.5], ids=["unweighted", "float"])
def test_a_large_matrix_is_allocated_once(weight):
    n_classes = 2000
    y_true = np.arange(n_classes)
    encoded = encode(y_true, y_true[::-1], weights=Weights(weight))
    tracemalloc.start()
    try:
        matrix = count_matrix(encoded)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.1 * 8 * n_classes**2
    assert matrix.sum() == n_classes * (weight or 1)
    assert (matrix[y_true, y_true[::-1]] == (weight or 1)).all()


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)], ids=["none", "one-axis", "two-axes"])
def test_margins_and_class_counts_of_matrices_keep_leading_axes(shape):
    matrices = np.random.default_rng(0).integers(0, 9, (*shape, 4, 4))
    margins = margins_of(matrices)
    for at in np.ndindex(*shape):
        one = matrices[at].tolist()
        total = sum(map(sum, one))
        for k in range(4):
            row, column = sum(one[k]), sum(line[k] for line in one)
            sums = margins.diagonal, margins.row_sums, margins.column_sums
            assert [part[(*at, k)] for part in sums] == [one[k][k], row, column]
            expected = [
                one[k][k],
                column - one[k][k],
                row - one[k][k],
                total - row - column + one[k][k],
            ]
            assert [part[(*at, k)] for part in ClassCounts(*margins)] == expected


def test_counts_in_the_form_asked_for_pass_unchanged():
    margins = Margins(*np.arange(4)[:, None])
    assert margins_of(margins) is margins


def test_margins_are_the_class_counts_of_a_matrix():
    matrix = np.array([[3, 1, 0], [2, 5, 1], [0, 0, 4]])
    expected = [[3, 5, 4], [2, 1, 1], [1, 3, 0], [10, 7, 11]]
    assert [part.tolist() for part in ClassCounts(*margins_of(matrix))] == expected
