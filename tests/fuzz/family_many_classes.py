"""Numbers of classes at the limits of integer types, in codes of every type, against add.at."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import skmetrics_ext
from tests.fuzz.case import Case, quietly
from tests.fuzz.compare import ABSOLUTE, RELATIVE

# Where codes of 8 and 16 bits end, and where one count of all cells gives way to margins.
FEW = [63, 64, 65, 127, 128, 129, 255, 256, 257]
MANY = [32767, 32768, 65535, 65536, 65537]
TYPES = ["uint8", "int8", "uint16", "int16", "int32", "uint64", "strings", "categories"]


class Counts(NamedTuple):
    """What the expected values are made of, one number a class."""

    right: Any
    actual: Any
    predicted: Any
    total: Any


def run(case: Case) -> None:
    """One number of classes, all of which occur on a side."""
    random = case.random
    n_classes = random.choice(MANY if random.random() < 0.03 else FEW)
    dtype = case.given("type", random.choice([name for name in TYPES if _holds(name, n_classes)]))
    generator = np.random.default_rng(random.getrandbits(32))
    size = case.given("n_classes", n_classes) + generator.integers(0, n_classes)
    codes = generator.integers(0, n_classes, (2, size))
    codes[:, :n_classes] = generator.permutation(n_classes)
    codes[1, : n_classes // 3] = codes[0, : n_classes // 3][::-1]
    if random.random() < 0.5:
        codes = codes[::-1]
    weights = generator.integers(0, 5, size) if random.random() < 0.3 else None
    if weights is not None:
        weights[0] = 1
    start = case.given("start", random.choice(_starts(dtype, n_classes)))
    y_true, y_pred = (
        case.given(name, _coded(dtype, side, start))
        for name, side in zip(("y_true", "y_pred"), codes, strict=True)
    )
    case.given("sample_weight", weights)
    _check(case, _count(*codes, weights, n_classes), (y_true, y_pred), weights)


def _holds(dtype: str, n_classes: int) -> bool:
    """Whether a type has so many values."""
    return not dtype[-1].isdigit() or n_classes <= 1 << np.iinfo(dtype).bits


def _starts(dtype: str, n_classes: int) -> list[int]:
    """First codes: 0, 1 and the least of the type, as far as the last code fits."""
    if not dtype[-1].isdigit():
        return [0]
    limits = np.iinfo(dtype)
    return [start for start in (0, 1, int(limits.min)) if start + n_classes - 1 <= limits.max] or [
        int(limits.min)
    ]


def _coded(dtype: str, codes: Any, start: int) -> Any:
    """Labels whose order is that of the codes."""
    if dtype == "strings":
        return np.char.zfill(codes.astype("U"), 6)
    if dtype == "categories":
        return pd.Series(pd.Categorical.from_codes(codes, categories=np.arange(codes.max() + 1)))
    return (codes + start).astype(dtype)


def _count(true: Any, predicted: Any, weights: Any, n_classes: int) -> Counts:
    """Margins by NumPy's plainest means."""
    weights = np.ones(len(true), dtype=np.int64) if weights is None else weights
    counts = np.zeros((3, n_classes), dtype=np.int64)
    np.add.at(counts[0], true[true == predicted], weights[true == predicted])
    np.add.at(counts[1], true, weights)
    np.add.at(counts[2], predicted, weights)
    return Counts(*counts, weights.sum())


def _check(case: Case, counts: Counts, sides: Any, weights: Any) -> None:
    """The metrics that need margins and class counts."""
    right, actual, predicted, total = counts
    with np.errstate(divide="ignore", invalid="ignore"):
        recalls = right / actual
        expected = {
            "accuracy_score": right.sum() / total,
            "balanced_accuracy_score": np.nanmean(recalls),
            "matthews_corrcoef": _matthews(*counts),
            "recall_score": np.where(actual > 0, recalls, 0),
            "precision_score": np.where(predicted > 0, right / predicted, 0),
            "false_positive_rate": (predicted - right) / (total - actual),
        }
    for name, value in expected.items():
        options = {"average": None} if np.ndim(value) else {}
        found, _ = quietly(getattr(skmetrics_ext, name), *sides, sample_weight=weights, **options)
        case.check(
            np.shape(found) == np.shape(value)
            and np.allclose(found, value, rtol=RELATIVE, atol=ABSOLUTE),
            lambda name=name, found=found, value=value: (
                f"{name}: {_first_difference(found, value)}"
            ),
        )


def _matthews(right: Any, actual: Any, predicted: Any, total: Any) -> Any:
    """R_K by the shares of the classes."""
    actual, predicted = actual / total, predicted / total
    return (right.sum() / total - actual @ predicted) / np.sqrt(
        (1 - actual @ actual) * (1 - predicted @ predicted)
    )


def _first_difference(found: Any, expected: Any) -> str:
    """Where two arrays begin to differ."""
    if np.shape(found) != np.shape(expected):
        return f"{np.size(found)} values for {np.size(expected)} classes"
    place = int(
        np.argmax(~np.isclose(np.ravel(found), np.ravel(expected), rtol=RELATIVE, atol=ABSOLUTE))
    )
    return f"class {place}: got {np.ravel(found)[place]!r}, expected {np.ravel(expected)[place]!r}"
