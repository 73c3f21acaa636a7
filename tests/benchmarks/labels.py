"""Metrics and matrices of labels: few and many classes, every container, multilabel, training."""

import functools
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pandas as pd
import sklearn.metrics
from sklearn.metrics.cluster import contingency_matrix
from timing import OURS, SKLEARN, Part, Row

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import METRICS
from skmetrics_ext.metrics.from_labels import function_of

N_SAMPLES = 1_000_000
TORCHMETRICS, UNVALIDATED, IMBLEARN = (
    "torchmetrics",
    "torchmetrics, unvalidated",
    "imbalanced-learn",
)
MODULES = {SKLEARN: "sklearn.metrics", IMBLEARN: "imblearn.metrics"}
PARAMETERS = {"beta": 2, "threshold_probability": 0.5, "cost_matrix": 1 - np.eye(10)}
TYPES = ("int64", "uint8")
OBJECTS = functools.partial(np.asarray, dtype=object)


def two_sides(n_classes, n_samples=N_SAMPLES, dtype="int64"):
    """Actual and predicted classes; 70 % are right, and a share of the rest by chance."""
    random = np.random.default_rng(0)
    actual = random.integers(0, n_classes, n_samples)
    predicted = np.where(
        random.random(n_samples) < 0.7, actual, random.integers(0, n_classes, n_samples)
    )
    return actual.astype(dtype), predicted.astype(dtype)


def weights(n_samples=N_SAMPLES):
    return np.random.default_rng(1).random(n_samples)


def both(function, sides, peer=SKLEARN, **options):
    """The same call of our function and of the peer's."""
    modules = {OURS: skmetrics_ext, peer: import_module(MODULES[peer])}
    return {
        name: lambda module=module: getattr(module, function)(*sides, **options)
        for name, module in modules.items()
    }


def both_and_torch(function, of_torchmetrics, sides, n_classes=None, **options):
    """Torchmetrics, too, where it is installed: as it is, and without its look at the values."""
    calls = both(function, sides, **options)
    if not find_spec("torchmetrics"):
        return calls
    import torch
    from torchmetrics.functional import classification

    target, preds = map(torch.from_numpy, sides)
    options |= {"num_classes": n_classes} if n_classes else {}
    call = functools.partial(getattr(classification, of_torchmetrics), preds, target, **options)
    return calls | {
        name: lambda validate=validate: call(validate_args=validate).numpy()
        for name, validate in ((TORCHMETRICS, True), (UNVALIDATED, False))
    }


def matrix(n_samples=N_SAMPLES, dtype="int64"):
    """Also the fastest ways that users have who know that labels are clean, and from 0 to 9."""
    actual, predicted = sides = two_sides(10, n_samples, dtype)
    calls = both_and_torch("confusion_matrix", "multiclass_confusion_matrix", sides, 10)
    frame = pd.DataFrame({"actual": actual, "predicted": predicted})
    others = {
        "pandas, groupby": lambda: (
            frame.groupby(["actual", "predicted"]).size().unstack().to_numpy()
        ),
        "scikit-learn, contingency_matrix": lambda: contingency_matrix(actual, predicted),
        "np.bincount, unchecked": lambda: np.bincount(
            10 * actual.astype(np.int64, copy=False) + predicted, minlength=100
        ).reshape(10, 10),
    }
    return {OURS: calls.pop(OURS)} | others | calls


def large(dtype):
    return both("confusion_matrix", two_sides(10, 10_000_000, dtype))


def f1_macro(n_classes):
    sides = two_sides(n_classes)
    if n_classes > 10_000:
        # torchmetrics builds a matrix of 80 GB.
        return both("f1_score", sides, average="macro")
    return both_and_torch("f1_score", "multiclass_f1_score", sides, n_classes, average="macro")


def f1_macro_weighted(n_classes):
    actual, predicted = two_sides(n_classes)
    of_samples = weights()

    def bincounts():
        """What a user of NumPy writes."""
        tp = np.bincount(actual, of_samples * (actual == predicted), n_classes)
        total = np.bincount(actual, of_samples, n_classes) + np.bincount(
            predicted, of_samples, n_classes
        )
        return (2 * tp[total > 0] / total[total > 0]).mean()

    calls = both("f1_score", (actual, predicted), average="macro", sample_weight=of_samples)
    return {OURS: calls[OURS], "three np.bincount": bincounts, SKLEARN: calls[SKLEARN]}


def named(convert, convert_theirs=None):
    """The matrix of ten names of 24 characters in some container, which scikit-learn may need to
    get in another.
    """
    names = np.array([f"class_number_{k:03d}_abcdefg" for k in range(10)])
    sides = [names[side] for side in two_sides(10)]
    converted = list(map(convert, sides))
    theirs = list(map(convert_theirs or convert, sides))
    return {
        OURS: both("confusion_matrix", converted)[OURS],
        "pandas, crosstab": lambda: pd.crosstab(*theirs).to_numpy(),
        SKLEARN: both("confusion_matrix", theirs)[SKLEARN],
    }


def matrix_of_many_classes():
    sides = two_sides(10_000)
    return both("confusion_matrix", sides) | {
        OURS: lambda: ConfusionMatrix.from_predictions(*sides).counts
    }


def of_groups(n_groups):
    actual, predicted = two_sides(2)
    groups = np.random.default_rng(2).integers(0, n_groups, N_SAMPLES)
    return {
        OURS: lambda: ConfusionMatrix.from_predictions(actual, predicted, by=groups).counts,
        "np.bincount": lambda: np.bincount((groups * 2 + actual) * 2 + predicted).reshape(
            n_groups, 2, 2
        ),
    }


def training_step():
    """32 labels added to a running matrix of ten classes."""
    sides = two_sides(10, 32)
    running = ConfusionMatrix.from_predictions(*sides, labels=range(10))
    calls = {OURS: lambda: running.add(*sides)}
    if find_spec("torchmetrics"):
        import torch
        from torchmetrics.classification import MulticlassConfusionMatrix

        target, preds = map(torch.from_numpy, sides)
        for name, validate in ((TORCHMETRICS, True), (UNVALIDATED, False)):
            metric = MulticlassConfusionMatrix(10, validate_args=validate)
            calls[name] = lambda metric=metric: metric.update(preds, target)
    return calls


def one_sample():
    label, labels = np.array([3]), np.arange(10)
    return {OURS: lambda: ConfusionMatrix.from_predictions(label, label, labels=labels)}


def many_over_few(row):
    """The same metric with 100,000 classes and with ten."""
    options = {name: PARAMETERS[name] for name in row.required} | (
        {"average": "macro"} if row.has_average else {}
    )
    many, few = two_sides(100_000), two_sides(10)
    function = functools.partial(function_of(row), **options)
    return {OURS: lambda: function(*many), "ours, 10 classes": Part(lambda: function(*few), 1)}


def several_labels(average, weighted=False):
    true, pred = np.random.default_rng(0).random((2, 200_000, 50)) < 0.3
    return both(
        "f1_score",
        (true, pred),
        average=average,
        sample_weight=weights(200_000) if weighted else None,
    )


def few_samples(function, **options):
    return both(function, np.random.default_rng(0).integers(0, 3, (2, 100)), **options)


def f1_of_few_samples():
    actual, predicted = np.random.default_rng(0).integers(0, 3, (2, 100))

    def by_hand():
        """The formula from scikit-learn's matrix."""
        matrix = sklearn.metrics.confusion_matrix(actual, predicted)
        return (2 * matrix.diagonal() / (matrix.sum(0) + matrix.sum(1))).mean()

    calls = few_samples("f1_score", average="macro")
    return {
        OURS: calls[OURS],
        "by hand from scikit-learn's matrix": by_hand,
        SKLEARN: calls[SKLEARN],
    }


ROWS = [
    Row(
        "accuracy, 2 classes, int64",
        lambda: both_and_torch("accuracy_score", "binary_accuracy", two_sides(2)),
    ),
    Row("matrix, 10 classes, int64", matrix),
    *(
        Row(f"matrix, 10 classes, 1e7 {dtype}", lambda t=dtype: matrix(10_000_000, t))
        for dtype in TYPES
    ),
    Row("matrix, strings of 24 characters", lambda: named(np.asarray)),
    Row("matrix, object strings", lambda: named(OBJECTS)),
    Row(
        "matrix, pandas categorical",
        lambda: named(lambda values: import_module("pandas").Series(values, dtype="category")),
    ),
    Row(
        "matrix, polars String",
        lambda: named(lambda values: import_module("polars").Series(values), OBJECTS),
    ),
    Row(
        "matrix, pyarrow string",
        lambda: named(lambda values: import_module("pyarrow").array(values), OBJECTS),
    ),
    Row("matrix, 10,000 classes", matrix_of_many_classes),
    Row("matrices by 5,000 groups", lambda: of_groups(5_000), times=0.69),
    *(Row(f"f1 macro, {n:,} classes", lambda n=n: f1_macro(n)) for n in (10, 65, 500, 100_000)),
    *(
        Row(f"f1 macro, {n} classes, float weights", lambda n=n: f1_macro_weighted(n))
        for n in (65, 500)
    ),
    Row("f1 macro, 100,000 classes, float weights", lambda: f1_macro_weighted(100_000), times=0.62),
    Row("f1 macro, 2e5 x 50 labels", lambda: several_labels("macro")),
    Row("f1 macro, 2e5 x 50 labels, float weights", lambda: several_labels("macro", weighted=True)),
    Row("accuracy, 100 samples", lambda: few_samples("accuracy_score"), times=7.5),
    Row("f1 macro, 100 samples", f1_of_few_samples, times=8),
    Row("matrix, 100 samples", lambda: few_samples("confusion_matrix"), times=20),
    Row("training step of 32 samples", training_step, times=0.97, at_most=0.04),
    Row("from_predictions of 1 sample", one_sample, at_most=0.06),
    Row(
        "specificity macro, 10 classes",
        lambda: both("specificity_score", two_sides(10), IMBLEARN, average="macro"),
    ),
    Row(
        "geometric mean, 10 classes", lambda: both("geometric_mean_score", two_sides(10), IMBLEARN)
    ),
    *(
        Row(f"peak memory, matrix of 1e7 {dtype}", functools.partial(large, dtype), unit="MB")
        for dtype in TYPES
    ),
    Row("peak memory, matrix of 10,000 classes", matrix_of_many_classes, at_most=800, unit="MB"),
    *(
        Row(f"{row.name} of 100,000 classes", lambda row=row: many_over_few(row))
        for row in METRICS
        if row.takes != "matrix"
    ),
]
