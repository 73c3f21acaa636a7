"""Numbers of classes around the limits of narrow integers, in every container: no code wraps."""

from functools import cache, partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from skmetrics_ext import (
    ConfusionMatrix,
    accuracy_score,
    confusion_matrix,
    false_positive_rate,
    multilabel_confusion_matrix,
    precision_score,
    recall_score,
)
from tests.shared import one_in

N_CLASSES = [63, 64, 65, 127, 128, 129, 255, 256, 257, 32767, 32768, 65535, 65536, 65537]
# Strings of many classes take long: each container has one such number, and each number several
# containers.
FEW, MANY = N_CLASSES[:9], N_CLASSES[9:]
N_CLASSES_OF_MATRICES = [*FEW, 2047, 2048, 2049]
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
WEIGHTS = ["none", "integers", "floats"]


@cache
def codes(n_classes):
    """Actual and predicted codes, each class on both sides; of the second half a third is right."""
    random = np.random.default_rng(n_classes)
    true, pred = random.integers(0, n_classes, (2, n_classes))
    pred[::3] = true[::3]
    every = np.arange(n_classes)
    return np.append(every, true), np.append(every[::-1], pred)


def weights_of(kind, n_samples):
    """Quarters, whose sums are exact, for floats."""
    weights = np.arange(n_samples) % 7 + 1
    return {"none": None, "integers": weights, "floats": weights / 4}[kind]


@cache
def counts(n_classes, weighting):
    """tn, fp, fn and tp of each class, (n_classes, 4), by additions one by one."""
    true, pred = codes(n_classes)
    weights = (
        np.ones(len(true), dtype=int) if weighting == "none" else weights_of(weighting, len(true))
    )
    actual, predicted, right = np.zeros((3, n_classes), dtype=weights.dtype)
    np.add.at(actual, true, weights)
    np.add.at(predicted, pred, weights)
    np.add.at(right, true[true == pred], weights[true == pred])
    neither = weights.sum() - actual - predicted + right
    return np.stack([neither, predicted - right, actual - right, right], axis=1)


def assert_counted(y_true, y_pred, n_classes, weighting="none"):
    """Every count of every class, and the values of a few metrics, are those of plain additions."""
    weights = weights_of(weighting, 2 * n_classes)
    expected = counts(n_classes, weighting)
    tn, fp, fn, tp = expected.T
    found = multilabel_confusion_matrix(y_true, y_pred, sample_weight=weights)
    assert np.array_equal(found.reshape(-1, 4), expected)
    assert accuracy_score(y_true, y_pred, sample_weight=weights, normalize=False) == tp.sum()
    if n_classes > 257 and weighting != "none":
        return
    for function, of, rest in (
        (recall_score, tp, fn),
        (precision_score, tp, fp),
        (false_positive_rate, fp, tn),
    ):
        values = function(y_true, y_pred, average=None, sample_weight=weights)
        assert np.array_equal(values, of / (of + rest))


def holds(dtype, first, n_classes):
    return np.iinfo(dtype).min <= first and first + n_classes - 1 <= np.iinfo(dtype).max


@pytest.mark.parametrize(
    ("dtype", "first"),
    [(dtype, first) for dtype in INTEGERS for first in sorted({0, 1, int(np.iinfo(dtype).min)})],
)
def test_integers_of_every_width_are_counted(dtype, first):
    numbers = FEW if first == 1 else N_CLASSES
    for k, n_classes in enumerate(n for n in numbers if holds(dtype, first, n)):
        true, pred = (np.array([first], dtype) + side.astype(dtype) for side in codes(n_classes))
        assert int(true.min()) == first
        assert int(true.max()) == first + n_classes - 1
        assert_counted(true, pred, n_classes, WEIGHTS[(k + first) % 3])


@cache
def all_names():
    """The names of all codes, with one for the category that no sample has."""
    return np.char.zfill(np.arange(max(N_CLASSES) + 1).astype(str), 5)


def names(side):
    """Strings in the order of the codes."""
    return all_names()[side]


def shuffled(n_classes):
    """Categories out of order, one more than classes, and the position of each code in them."""
    order = np.random.default_rng(0).permutation(n_classes + 1)
    position = np.argsort(order)
    return names(order), position


def categorical(side, n_classes):
    categories, position = shuffled(n_classes)
    return pd.Series(pd.Categorical.from_codes(position[side], categories=categories))


def dictionary(side, n_classes, index):
    categories, position = shuffled(n_classes)
    return pa.DictionaryArray.from_arrays(
        pa.array(position[side].astype(index)), pa.array(categories.tolist())
    )


CONTAINERS = {
    "float32": lambda side, _: side.astype(np.float32),
    "float64": lambda side, _: side.astype(np.float64),
    "fixed width": lambda side, _: names(side),
    "bytes": lambda side, _: names(side).astype("S"),
    "objects": lambda side, _: names(side).astype(object),
    "list of numbers": lambda side, _: side.tolist(),
    "list of strings": lambda side, _: names(side).tolist(),
    "pandas numbers": lambda side, _: pd.Series(side),
    "pandas strings": lambda side, _: pd.Series(names(side)),
    "pandas categorical": categorical,
    "polars numbers": lambda side, _: pl.Series(side),
    "polars strings": lambda side, _: pl.Series(names(side).tolist()),
    "polars categorical": lambda side, _: pl.Series(names(side).tolist(), dtype=pl.Categorical),
    "polars enum": lambda side, n: pl.Series(
        names(side).tolist(), dtype=pl.Enum(shuffled(n)[0].tolist())
    ),
    "pyarrow numbers": lambda side, _: pa.array(side),
    "pyarrow strings": lambda side, _: pa.array(names(side).tolist()),
}
DICTIONARIES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"]


def assert_container_counted(container, n_classes):
    true, pred = (CONTAINERS[container](side, n_classes) for side in codes(n_classes))
    assert_counted(true, pred, n_classes, WEIGHTS[n_classes % 3])


@pytest.mark.parametrize("container", CONTAINERS)
def test_classes_in_every_container_are_counted(container):
    for n_classes in N_CLASSES if container.startswith("float") else FEW:
        assert_container_counted(container, n_classes)


@pytest.mark.parametrize(
    "container",
    [
        pytest.param(name, marks=[] if "numbers" in name or "float" in name else [pytest.mark.slow])
        for name in CONTAINERS
    ],
)
def test_very_many_classes_in_every_container_are_counted(container):
    """Names of so many classes take long, and each container encodes them in its own way."""
    assert_container_counted(container, MANY[list(CONTAINERS).index(container) % len(MANY)])


@pytest.mark.parametrize("index", DICTIONARIES)
def test_arrow_dictionaries_of_every_index_are_counted(index):
    for n_classes in FEW:
        if holds(index, 0, n_classes + 1):
            assert_counted(
                *(dictionary(side, n_classes, index) for side in codes(n_classes)), n_classes
            )


@pytest.mark.slow
@pytest.mark.parametrize(("index", "n_classes"), [("uint16", 65535), ("int32", 65536)])
def test_arrow_dictionaries_of_very_many_classes_are_counted(index, n_classes):
    """Their own codes are of other types than ours."""
    assert_counted(*(dictionary(side, n_classes, index) for side in codes(n_classes)), n_classes)


@pytest.mark.parametrize(
    ("weighting", "container", "n_classes"),
    one_in(
        2,
        WEIGHTS,
        ["fixed width", "objects", "pandas categorical", "float64"],
        [127, 128, 255, 256],
    ),
)
def test_weights_of_every_kind_are_counted_in_containers(weighting, container, n_classes):
    true, pred = (CONTAINERS[container](side, n_classes) for side in codes(n_classes))
    assert_counted(true, pred, n_classes, weighting)


KINDS = [("int64", "fixed width"), ("narrow", "wide"), ("wide", "narrow")]


@pytest.mark.parametrize(
    ("kinds", "n_classes"),
    [
        *((kinds, n_classes) for kinds in KINDS for n_classes in FEW),
        *((kinds, n_classes) for kinds in KINDS[1:] for n_classes in (32768, 65536)),
        *(
            pytest.param(KINDS[0], n_classes, marks=pytest.mark.slow)
            for n_classes in (32768, 65536)
        ),
    ],
)
def test_sides_of_two_types_and_other_classes_are_counted(kinds, n_classes):
    """The first class is never actual, the last one never predicted. Names of very many classes
    take long.
    """
    true = np.tile(np.arange(1, n_classes), 2)
    pred = np.append(np.arange(n_classes - 1), np.arange(1, n_classes) % (n_classes - 1))
    right = int((true == pred).sum())
    if "fixed width" in kinds:
        true, pred = names(true), names(pred).astype(object)
    else:
        narrow = np.min_scalar_type(n_classes - 1)
        types = {"narrow": narrow, "wide": np.int64}
        true, pred = true.astype(types[kinds[0]]), pred.astype(types[kinds[1]])
    found = multilabel_confusion_matrix(true, pred)
    assert found.shape == (n_classes, 2, 2)
    assert found[:, 1, 1].sum() == right == n_classes - 2
    assert found[0].tolist() == [[2 * n_classes - 4, 2], [0, 0]]
    assert found[-1].tolist() == [[2 * n_classes - 4, 0], [2, 0]]
    assert accuracy_score(true, pred, normalize=False) == right


@pytest.mark.parametrize("n_classes", N_CLASSES)
@pytest.mark.parametrize("weighting", WEIGHTS)
def test_labels_that_leave_out_a_class_count_it_as_the_rest(n_classes, weighting):
    true, pred = codes(n_classes)
    chosen = np.arange(n_classes)[::-1][:-1]
    weights = weights_of(weighting, len(true))
    narrow = np.min_scalar_type(n_classes - 1)
    found = multilabel_confusion_matrix(
        true.astype(narrow), pred.astype(narrow), labels=chosen, sample_weight=weights
    )
    np.testing.assert_array_equal(found.reshape(-1, 4), counts(n_classes, weighting)[chosen])


@pytest.mark.parametrize(("weighting", "n_classes"), one_in(3, WEIGHTS, N_CLASSES_OF_MATRICES))
def test_matrices_are_counted_cell_by_cell(weighting, n_classes):
    true, pred = codes(n_classes)
    weights = weights_of(weighting, len(true))
    # The cells that have samples, by their places in the matrix as one line, and their sums.
    places, cells = np.unique(true * n_classes + pred, return_inverse=True)
    expected = np.bincount(cells, weights)

    def of_names():
        return ConfusionMatrix.from_predictions(
            names(true), names(pred), sample_weight=weights
        ).counts

    def of_type(dtype):
        return confusion_matrix(true.astype(dtype), pred.astype(dtype), sample_weight=weights)

    ways = [partial(of_type, np.min_scalar_type(n_classes - 1)), partial(of_type, int), of_names]
    if n_classes not in FEW:
        # Matrices of thousands of classes take long: of names without weights, else of few bytes.
        ways = ways[-1:] if weighting == "none" else ways[:1]
    for way in ways:
        found = way()
        assert found.shape == (n_classes, n_classes)
        assert np.array_equal(found.ravel()[places], expected)
        assert np.count_nonzero(found) == len(places)
