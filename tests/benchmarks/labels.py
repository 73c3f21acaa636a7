"""Metrics and matrices of labels: few and many classes, every container, several labels a sample."""

from importlib.util import find_spec

import numpy as np
import sklearn.metrics
from timing import OURS, SKLEARN

import skmetrics_ext

ROWS = 1_000_000
TORCHMETRICS, UNVALIDATED, IMBLEARN = "torchmetrics", "unvalidated", "imbalanced-learn"


def two_sides(n_classes, n_samples=ROWS, dtype=np.int64):
    """Actual and predicted classes; 70 % are right, and a share of the rest by chance."""
    random = np.random.default_rng(0)
    actual = random.integers(0, n_classes, n_samples)
    predicted = np.where(random.random(n_samples) < 0.7, actual, random.integers(0, n_classes, n_samples))
    return actual.astype(dtype), predicted.astype(dtype)


def weights(n_samples=ROWS):
    return np.random.default_rng(1).random(n_samples)


def both(function, sides, **options):
    """The same call of our function and of scikit-learn's."""
    return {
        OURS: lambda: getattr(skmetrics_ext, function)(*sides, **options),
        SKLEARN: lambda: getattr(sklearn.metrics, function)(*sides, **options),
    }


def with_torchmetrics(calls, function, sides, **options):
    """The same by torchmetrics, where it is installed: as it is, and without its look at the values."""
    if not find_spec("torchmetrics"):
        return calls
    import torch
    from torchmetrics.functional import classification

    target, preds = map(torch.from_numpy, sides)

    def call(validate):
        return lambda: getattr(classification, function)(preds, target, validate_args=validate, **options).numpy()

    return calls | {TORCHMETRICS: call(True), UNVALIDATED: call(False)}


def with_imblearn(function, sides, **options):
    """Our function and imbalanced-learn's, where it is installed; scikit-learn has none."""
    calls = {OURS: lambda: getattr(skmetrics_ext, function)(*sides, **options)}
    if not find_spec("imblearn"):
        return calls
    import imblearn.metrics

    return calls | {IMBLEARN: lambda: getattr(imblearn.metrics, function)(*sides, **options)}


def matrix(n_samples=ROWS, dtype=np.int64):
    sides = two_sides(10, n_samples, dtype)
    calls = both("confusion_matrix", sides)
    return with_torchmetrics(calls, "multiclass_confusion_matrix", sides, num_classes=10)


def accuracy_of_two_classes():
    sides = two_sides(2)
    return with_torchmetrics(both("accuracy_score", sides), "binary_accuracy", sides)


def f1_macro(n_classes, weighted=False):
    sides = two_sides(n_classes)
    calls = both("f1_score", sides, average="macro", sample_weight=weights() if weighted else None)
    if weighted:
        return calls
    return with_torchmetrics(calls, "multiclass_f1_score", sides, num_classes=n_classes, average="macro")


def matrix_of_many_classes():
    return both("confusion_matrix", two_sides(10_000))


def named(convert):
    """The matrix of ten long names in some container."""
    names = np.array([f"class_number_{k:03d}_abcdefg" for k in range(10)])
    assert names.dtype == "U24"
    return both("confusion_matrix", [convert(names[side]) for side in two_sides(10)])


def pandas_categorical(values):
    import pandas as pd

    return pd.Series(values, dtype="category")


def polars_strings(values):
    import polars as pl

    return pl.Series(values.tolist())


def pyarrow_strings(values):
    import pyarrow as pa

    return pa.array(values.tolist())


def of_polars():
    """scikit-learn takes no column of polars: it gets the same strings as objects."""
    return named(polars_strings) | {SKLEARN: named(lambda values: values.astype(object))[SKLEARN]}


def of_pyarrow():
    return named(pyarrow_strings) | {SKLEARN: named(lambda values: values.astype(object))[SKLEARN]}


def several_labels(average, weighted=False):
    true, pred = np.random.default_rng(0).random((2, 200_000, 50)) < 0.3
    return both("f1_score", (true, pred), average=average, sample_weight=weights(200_000) if weighted else None)


def few_samples():
    return both("f1_score", np.random.default_rng(0).integers(0, 3, (2, 100)), average="macro")


CASES = {
    "accuracy, 2 classes, int64": accuracy_of_two_classes,
    "matrix, 10 classes, int64": matrix,
    "matrix, 10 classes, 1e7 int64": lambda: matrix(10_000_000),
    "matrix, 10 classes, 1e7 uint8": lambda: matrix(10_000_000, np.uint8),
    "matrix, strings of 24 characters": lambda: named(np.asarray),
    "matrix, object strings": lambda: named(lambda values: values.astype(object)),
    "matrix, pandas categorical": lambda: named(pandas_categorical),
    "matrix, polars String": of_polars,
    "matrix, pyarrow string": of_pyarrow,
    "matrix, 10,000 classes": matrix_of_many_classes,
    "f1 macro, 10 classes": lambda: f1_macro(10),
    "f1 macro, 65 classes": lambda: f1_macro(65),
    "f1 macro, 500 classes": lambda: f1_macro(500),
    "f1 macro, 100,000 classes": lambda: f1_macro(100_000),
    "f1 macro, 65 classes, float weights": lambda: f1_macro(65, weighted=True),
    "f1 macro, 500 classes, float weights": lambda: f1_macro(500, weighted=True),
    "f1 macro, 2e5 x 50 labels": lambda: several_labels("macro"),
    "f1 macro, 2e5 x 50 labels, float weights": lambda: several_labels("macro", weighted=True),
    "f1 macro, 100 samples": few_samples,
    "specificity macro, 10 classes": lambda: with_imblearn("specificity_score", two_sides(10), average="macro"),
    "geometric mean, 10 classes": lambda: with_imblearn("geometric_mean_score", two_sides(10)),
}
CASES_OF_MEMORY = {
    "peak memory, matrix of 1e7 int64": lambda: both("confusion_matrix", two_sides(10, 10_000_000)),
    "peak memory, matrix of 1e7 uint8": lambda: both("confusion_matrix", two_sides(10, 10_000_000, np.uint8)),
    "peak memory, matrix of 10,000 classes": matrix_of_many_classes,
}
