"""Totals at the ends of the number types: exact, or refused, and never wrapped around."""

from typing import Any

import numpy as np

import skmetrics_ext
from skmetrics_ext import ConfusionMatrix, ThresholdCurve
from tests.fuzz.case import Case, quietly
from tests.fuzz.compare import differences

# Beyond these totals of float weights products of counts have no float.
LEAST_TOTAL, LARGEST_TOTAL = 1e-100, 1e100
LARGEST_INTEGER = 2**63 - 1
FUNCTIONS = [
    "accuracy_score",
    "recall_score",
    "matthews_corrcoef",
    "confusion_matrix",
    "cohen_kappa_score",
    "cramers_v",
]


def run(case: Case) -> None:
    """One limit."""
    case.random.choice([_float_totals, _integer_weights, _integer_counts, _float_counts])(case)


def _float_totals(case: Case) -> None:
    """Float weights whose sum is too large or too small, although each of them is a number."""
    random = case.random
    size = random.randint(2, 12)
    if random.random() < 0.5:
        weights = [random.choice([1.0, 1e100]) for _ in range(size)]
        weights[random.randrange(size)] = random.choice([2 * LARGEST_TOTAL, 1e308, 1.7e308])
    else:
        weights = [random.choice([0.0, 1e-300, LEAST_TOTAL / 20]) for _ in range(size)]
        weights[random.randrange(size)] = LEAST_TOTAL / 20
    y_true, y_pred = (
        case.given(name, random.choices([0, 1], k=size)) for name in ("y_true", "y_pred")
    )
    case.given("sample_weight", weights)
    y_true[0] = 1
    case.given("y_true", y_true)
    name = case.given("function", random.choice(FUNCTIONS))
    case.refused(name, getattr(skmetrics_ext, name), y_true, y_pred, sample_weight=weights)
    case.refused(
        "from_predictions", ConfusionMatrix.from_predictions, y_true, y_pred, sample_weight=weights
    )
    case.refused(
        "ThresholdCurve.from_scores",
        ThresholdCurve.from_scores,
        y_true,
        y_pred,
        pos_label=1,
        sample_weight=weights,
    )


def _integer_weights(case: Case) -> None:
    """Integer weights whose sum no integer type holds, or only just."""
    random = case.random
    dtype = case.given("type", random.choice(["uint8", "uint16", "int64", "uint64"]))
    size = random.randint(2, 300)
    largest = np.iinfo(dtype).max
    weights = case.given(
        "sample_weight", np.array([random.choice([1, largest]) for _ in range(size)], dtype=dtype)
    )
    y_true, y_pred = (
        case.given(name, random.choices([0, 1, 2], k=size)) for name in ("y_true", "y_pred")
    )
    total = sum(weights.tolist())
    right = sum(w for w, i, j in zip(weights.tolist(), y_true, y_pred, strict=True) if i == j)
    matrix, _ = quietly(ConfusionMatrix.from_predictions, y_true, y_pred, sample_weight=weights)
    case.equal("the total of the matrix", differences(float(matrix.counts.sum()), float(total)))
    found, _ = quietly(skmetrics_ext.accuracy_score, y_true, y_pred, sample_weight=weights)
    case.equal("accuracy", differences(found, right / total))


def _integer_counts(case: Case) -> None:
    """Integer counts whose total is, or passes, the largest of int64; in one matrix or in a sum."""
    random = case.random
    total = case.given("total", LARGEST_INTEGER + random.choice([-1, 0, 1, 2, 2**62, 2**63]))
    counts = _cells(random, total)
    case.given("counts", counts)
    if total > LARGEST_INTEGER:
        case.refused("from_counts", ConfusionMatrix.from_counts, counts, labels=["no", "yes"])
    else:
        matrix, _ = quietly(ConfusionMatrix.from_counts, counts, labels=["no", "yes"])
        case.check(sum(map(int, matrix.counts.ravel())) == total, "from_counts changed the total")
    part = random.choice([LARGEST_INTEGER, LARGEST_INTEGER - 1, 2**62, 2**61, 1])
    one, other = (
        ConfusionMatrix.from_counts(_cells(random, size), labels=["no", "yes"])
        for size in (2**62, part)
    )
    stack = np.array([one.counts, other.counts])
    if 2**62 + part > LARGEST_INTEGER:
        case.refused("+", lambda: one + other)
        case.refused("sum", lambda: ConfusionMatrix.from_counts(stack, labels=["no", "yes"]).sum())
    else:
        case.check(
            sum(map(int, (one + other).counts.ravel())) == 2**62 + part, "+ changed the total"
        )
        together = ConfusionMatrix.from_counts(stack, labels=["no", "yes"]).sum("axis_0")
        case.check(sum(map(int, together.counts.ravel())) == 2**62 + part, "sum changed the total")


def _cells(random: Any, total: int) -> list[list[int]]:
    """Four counts of a total, none of which is beyond int64."""
    cuts = sorted(random.choice([0, total // 3, total // 2]) for _ in range(3))
    one, two, three = (high - low for low, high in zip([0, *cuts[:2]], cuts, strict=True))
    rest = total - one - two - three
    return [[rest // 2, one + rest - rest // 2], [two, three]]


def _float_counts(case: Case) -> None:
    """Float counts whose sum is too large or too small."""
    random = case.random
    usual, extreme = random.choice(
        [([0.0, 1.0, 1e99], [1.1e100, 1e308, 1.7e308]), ([0.0, 1e-300], [9e-101, 1e-200])]
    )
    counts = [[random.choice(usual) for _ in range(2)] for _ in range(2)]
    counts[random.randrange(2)][random.randrange(2)] = random.choice(extreme)
    case.given("counts", counts)
    case.refused("from_counts", ConfusionMatrix.from_counts, counts, labels=["no", "yes"])
    most = ConfusionMatrix.from_counts(
        [[0.6 * LARGEST_TOTAL, 0.0], [0.0, 1.0]], labels=["no", "yes"]
    )
    case.refused("+", lambda: most + most)
