"""Functions that scikit-learn has too, with odd parameters: the same value, or both raise."""

import math
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import sklearn.metrics

import skmetrics_ext
from tests.fuzz.case import Case
from tests.fuzz.compare import same_outcome
from tests.fuzz.data import draw_bits, draw_labels

KINDS = {"integers": 3, "strings": 2, "booleans": 1}
# Beyond these, what NumPy makes of a list of integers is not what it says.
LARGEST = 2**31
FAILED = "an error"


def run(case: Case) -> None:
    """One function of one set of labels, single or multiple."""
    random = case.random
    name = case.given("function", random.choice(list(OPTIONS)))
    if name in MULTILABEL and random.random() < 0.3:
        true, predicted = map(np.array, draw_bits(random))
        known, kind = list(range(true.shape[1])), "indicator"
    else:
        drawn = draw_labels(random, KINDS, most=12)
        while drawn.kind == "integers" and max(map(abs, drawn.known)) > LARGEST:
            drawn = draw_labels(random, KINDS, most=12)
        true, predicted = np.array(drawn.true), np.array(drawn.predicted)
        known, kind = drawn.known, drawn.kind
    y_true, y_pred = case.given("y_true", true), case.given("y_pred", predicted)
    options = {
        **OPTIONS[name](random, known, kind),
        "sample_weight": _weights(random, len(true), name),
    }
    case.given("options", options)
    if _deviates(name, options, y_true):
        return
    ours = _outcome(getattr(skmetrics_ext, name), y_true, y_pred, options)
    theirs = _outcome(getattr(sklearn.metrics, name), y_true, y_pred, options)
    failed = [outcome is FAILED for outcome in (ours, theirs)]
    right = all(failed) or (not any(failed) and same_outcome(ours, theirs))
    case.check(right, lambda: f"{name}: got {ours!r}, scikit-learn has {theirs!r}")


def _outcome(
    function: Callable[..., Any], y_true: Any, y_pred: Any, options: dict[str, Any]
) -> Any:
    """The value, or that there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(y_true, y_pred, **options)
        except (ValueError, TypeError):
            return FAILED


def _weights(random: Random, size: int, name: str) -> Any:
    """Positive weights; integers where scikit-learn would divide its rounding errors."""
    kind = random.choice(["none", "none", "integers", "floats"])
    if kind == "none":
        return None
    if kind == "integers" or name in ("matthews_corrcoef", "cohen_kappa_score"):
        return np.array([random.randint(1, 5) for _ in range(size)])
    return np.array([random.choice([0.25, 0.5, 1.0, 2.25]) for _ in range(size)])


def _subset(random: Random, known: list[Any]) -> list[Any] | None:
    """Some labels in any order, or none named."""
    return random.sample(known, random.randint(1, len(known))) if random.random() < 0.5 else None


def _averaged(random: Random, known: list[Any], kind: str) -> dict[str, Any]:
    """What metrics of class counts take."""
    averages = ["binary", "macro", "micro", "weighted", None] + ["samples"] * (kind == "indicator")
    options = {"average": random.choice(averages), "labels": _subset(random, known)}
    options["zero_division"] = random.choice(["warn", 0, 1, math.nan])
    if options["average"] == "binary":
        options["pos_label"] = random.choice(known)
    return options


def _of_fbeta(random: Random, known: list[Any], kind: str) -> dict[str, Any]:
    """What fbeta takes."""
    return {**_averaged(random, known, kind), "beta": random.choice([0, 0.5, 1, 2, math.inf])}


def _of_matrix(random: Random, known: list[Any], kind: str) -> dict[str, Any]:
    """What a confusion matrix takes."""
    del kind
    return {
        "labels": _subset(random, known),
        "normalize": random.choice([None, "true", "pred", "all"]),
    }


OPTIONS: dict[str, Callable[[Random, list[Any], str], dict[str, Any]]] = {
    "accuracy_score": lambda random, *_: {"normalize": random.random() < 0.5},
    "zero_one_loss": lambda random, *_: {"normalize": random.random() < 0.5},
    "hamming_loss": lambda *_: {},
    "precision_score": _averaged,
    "recall_score": _averaged,
    "f1_score": _averaged,
    "jaccard_score": _averaged,
    "fbeta_score": _of_fbeta,
    "precision_recall_fscore_support": _of_fbeta,
    "confusion_matrix": _of_matrix,
    "multilabel_confusion_matrix": lambda random, known, kind: {
        "labels": _subset(random, known),
        "samplewise": kind == "indicator" and random.random() < 0.5,
    },
    "cohen_kappa_score": lambda random, known, kind: {
        # Without labels weights of strings would go by the alphabet there.
        "labels": _subset(random, known) or (sorted(known) if kind == "strings" else None),
        "weights": random.choice([None, "linear", "quadratic"]),
    },
    "balanced_accuracy_score": lambda random, *_: {"adjusted": random.random() < 0.5},
    "matthews_corrcoef": lambda *_: {},
    "class_likelihood_ratios": lambda random, known, _: {"labels": _subset(random, known)},
}
MULTILABEL = {
    *(
        "accuracy_score",
        "zero_one_loss",
        "hamming_loss",
        "precision_score",
        "recall_score",
        "f1_score",
        "jaccard_score",
    ),
    *("fbeta_score", "precision_recall_fscore_support", "multilabel_confusion_matrix"),
}


def _deviates(name: str, options: dict[str, Any], y_true: Any) -> bool:
    """Where the two differ on purpose, as docs/differences.md says."""
    if name == "jaccard_score":
        return bool(options["zero_division"] != options["zero_division"])
    return (
        name == "balanced_accuracy_score" and options["adjusted"] and len(set(y_true.tolist())) == 1
    )
