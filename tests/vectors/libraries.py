"""What each library calls the metrics of the test vectors, by its public functions at their
defaults: a table -> one call a metric.
"""

import inspect
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import imblearn.metrics
import numpy as np
import sklearn.metrics as sk
from numpy.typing import NDArray
from pycm import ConfusionMatrix as PycmMatrix

from skmetrics_ext import ConfusionMatrix
from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.metrics.from_labels import function_of
from tests.vectors.all_classes import OVERALL_METRICS
from tests.vectors.compute import METRIC_CASES, numbers
from tests.vectors.entries import ExactMetric
from tests.vectors.one_class import CLASS_METRICS
from tests.vectors.sources import Library
from tests.vectors.tables import Label, Table

Calls = dict[str, Callable[[], Any]]

# Larger tables are given as one weighted sample a cell, or not at all to what takes no weights.
MOST_SAMPLES = 20_000


class TooManySamples(Exception):
    """What takes no weights is not asked about a table of so many samples."""


def as_labels(
    table: Table, labels: Iterable[Label]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Actual and predicted labels, and weights where there are too many samples."""
    labels, cells = np.array(list(labels)), np.array(table.matrix)
    actual, predicted = (labels[codes].ravel() for codes in np.indices(cells.shape))
    if sum(map(sum, table.matrix)) <= MOST_SAMPLES:
        return actual.repeat(cells.ravel()), predicted.repeat(cells.ravel()), None
    kept = cells.ravel() > 0
    return actual[kept], predicted[kept], cells.ravel()[kept]


def unweighted(table: Table, labels: Iterable[Label]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Actual and predicted labels for what takes no weights."""
    actual, predicted, weights = as_labels(table, labels)
    if weights is not None:
        raise TooManySamples
    return actual, predicted


def skmetrics_ext(table: Table) -> Calls:
    """This package, by its functions of labels, but where weights would not say how many samples
    there are.
    """
    calls: Calls = {}
    for case in METRIC_CASES:
        row = BY_NAME[case.name]
        labels = list(table.labels)
        if row.takes_label_distances and isinstance(labels[0], str):
            labels = [*range(len(labels))]
        actual, predicted, weights = as_labels(table, labels)
        given = {
            name: float(value) if isinstance(value, Fraction) else value
            for name, value in numbers(case, table).items()
        }
        function = function_of(row)
        if "labels" in inspect.signature(function).parameters:
            given["labels"] = labels
        if case.of_classes:
            given["average"] = None
        if row.needs_numbers and weights is not None:
            cm = ConfusionMatrix.from_counts(table.matrix, labels=labels)
            calls[case.key] = partial(cm.score, row.name, **given)
            continue
        calls[case.key] = partial(function, actual, predicted, sample_weight=weights, **given)
    return calls


def scikit_learn(table: Table) -> Calls:
    """scikit-learn."""
    labels = list(table.labels)
    actual, predicted, weights = as_labels(table, labels)
    given = partial(partial, y_true=actual, y_pred=predicted, sample_weight=weights)
    by_class = partial(given, labels=labels, average=None)

    def likelihood_ratio(which: int) -> list[float]:
        of_classes = ((actual == label, predicted == label) for label in labels)
        found = [
            sk.class_likelihood_ratios(*sides, labels=[False, True], sample_weight=weights)
            for sides in of_classes
        ]
        return [ratios[which] for ratios in found]

    def of_clusters(function: Callable[..., float]) -> float:
        return function(*unweighted(table, labels))

    return {
        "precision": by_class(sk.precision_score),
        "recall": by_class(sk.recall_score),
        "f1": by_class(sk.f1_score),
        "fbeta(beta=2)": by_class(sk.fbeta_score, beta=2),
        "fbeta(beta=1/2)": by_class(sk.fbeta_score, beta=0.5),
        "jaccard": by_class(sk.jaccard_score),
        "positive_likelihood_ratio": partial(likelihood_ratio, 0),
        "negative_likelihood_ratio": partial(likelihood_ratio, 1),
        "accuracy": given(sk.accuracy_score),
        "zero_one_loss": given(sk.zero_one_loss),
        "hamming_loss": given(sk.hamming_loss),
        "balanced_accuracy": given(sk.balanced_accuracy_score),
        "balanced_accuracy(adjusted=true)": given(sk.balanced_accuracy_score, adjusted=True),
        "matthews_corrcoef": given(sk.matthews_corrcoef),
        "cohen_kappa": partial(
            sk.cohen_kappa_score, actual, predicted, labels=labels, sample_weight=weights
        ),
        "cohen_kappa(weights=linear)": partial(
            sk.cohen_kappa_score,
            actual,
            predicted,
            labels=labels,
            weights="linear",
            sample_weight=weights,
        ),
        "cohen_kappa(weights=quadratic)": partial(
            sk.cohen_kappa_score,
            actual,
            predicted,
            labels=labels,
            weights="quadratic",
            sample_weight=weights,
        ),
        "mutual_information": partial(of_clusters, sk.mutual_info_score),
        "normalized_mutual_information": partial(of_clusters, sk.normalized_mutual_info_score),
        "uncertainty_coefficient": partial(of_clusters, sk.homogeneity_score),
    }


index_of_geometric_mean = imblearn.metrics.make_index_balanced_accuracy(alpha=0.1)(
    imblearn.metrics.geometric_mean_score
)


def imbalanced_learn(table: Table) -> Calls:
    """imbalanced-learn."""
    labels = list(table.labels)
    actual, predicted, weights = as_labels(table, labels)
    given = partial(partial, y_true=actual, y_pred=predicted, sample_weight=weights)
    by_class = partial(given, labels=labels, average=None)
    actual, predicted, _ = as_labels(
        table, range(len(labels)) if isinstance(labels[0], str) else labels
    )
    return {
        "recall": by_class(imblearn.metrics.sensitivity_score),
        "specificity": by_class(imblearn.metrics.specificity_score),
        "g_mean": by_class(imblearn.metrics.geometric_mean_score),
        "index_balanced_accuracy(alpha=1/10)": by_class(index_of_geometric_mean),
        "macro_averaged_mean_absolute_error": partial(
            imblearn.metrics.macro_averaged_mean_absolute_error,
            actual,
            predicted,
            sample_weight=weights,
        ),
        "geometric_mean": given(
            imblearn.metrics.geometric_mean_score, labels=labels, average="multiclass"
        ),
    }


def statistics_of_pycm(metrics: dict[str, ExactMetric]) -> dict[str, str]:
    """What it calls the metrics of which it is an oracle by a statistic."""
    return {
        name: oracle.statistic
        for name, metric in metrics.items()
        for oracle in metric.oracles
        if isinstance(oracle, Library) and oracle.statistic
    }


OF_CLASSES_IN_PYCM = statistics_of_pycm(CLASS_METRICS)
# The zero-one loss of PyCM is a number of samples.
OVERALL_IN_PYCM = statistics_of_pycm(OVERALL_METRICS) | {"zero_one_loss": "Zero-one Loss"}
METHODS_OF_PYCM = {
    "fbeta(beta=2)": ("F_beta", 2),
    "fbeta(beta=1/2)": ("F_beta", 0.5),
    # Its alpha is for false negatives.
    "tversky(alpha=3/10, beta=7/10)": ("TI", 0.7, 0.3),
    "index_balanced_accuracy(alpha=1/10)": ("IBA_alpha", 0.1),
    "d_prime": ("sensitivity_index",),
    # It takes the odds of the threshold.
    "net_benefit(threshold_probability=3/10)": ("NB", 3 / 7),
}


def pycm(table: Table) -> Calls:
    """PyCM."""
    size = range(len(table.labels))

    @cache
    def matrix() -> PycmMatrix:
        return PycmMatrix(matrix={i: dict(enumerate(row)) for i, row in enumerate(table.matrix)})

    def of_classes(name: str) -> list[Any]:
        return list(matrix().class_stat[name].values())

    def method(name: str, *arguments: float) -> list[Any]:
        return list(getattr(matrix(), name)(*arguments).values())

    def overall(name: str) -> Any:
        return matrix().overall_stat[name]

    def in_nats() -> Any:
        value = overall("Mutual Information")
        return value if value == "None" else value * np.log(2)

    def kappa(power: int) -> Any:
        return matrix().weighted_kappa(
            weight={i: {j: abs(i - j) ** power for j in size} for i in size}
        )

    calls = {key: partial(of_classes, name) for key, name in OF_CLASSES_IN_PYCM.items()}
    calls |= {key: partial(method, *call) for key, call in METHODS_OF_PYCM.items()}
    calls |= {key: partial(overall, name) for key, name in OVERALL_IN_PYCM.items()}
    calls |= {
        "cohen_kappa(weights=linear)": partial(kappa, 1),
        "cohen_kappa(weights=quadratic)": partial(kappa, 2),
    }
    return {**calls, "mutual_information": in_nats}


def torchmetrics(table: Table) -> Calls:
    """TorchMetrics, in single precision as it computes by default."""
    import torch
    from torchmetrics.functional import classification, clustering, nominal

    size = len(table.labels)

    def call(function: Callable[..., Any], **options: Any) -> Any:
        actual, predicted = (torch.from_numpy(side) for side in unweighted(table, range(size)))
        return function(predicted, actual, **options).tolist()

    each, all_classes = {"num_classes": size, "average": None}, {"num_classes": size}
    kappa = classification.multiclass_cohen_kappa
    return {
        "precision": partial(call, classification.multiclass_precision, **each),
        "recall": partial(call, classification.multiclass_recall, **each),
        "specificity": partial(call, classification.multiclass_specificity, **each),
        "negative_predictive_value": partial(
            call, classification.multiclass_negative_predictive_value, **each
        ),
        "f1": partial(call, classification.multiclass_f1_score, **each),
        "fbeta(beta=2)": partial(call, classification.multiclass_fbeta_score, beta=2.0, **each),
        "fbeta(beta=1/2)": partial(call, classification.multiclass_fbeta_score, beta=0.5, **each),
        "jaccard": partial(call, classification.multiclass_jaccard_index, **each),
        "accuracy": partial(
            call, classification.multiclass_accuracy, num_classes=size, average="micro"
        ),
        "hamming_loss": partial(
            call, classification.multiclass_hamming_distance, num_classes=size, average="micro"
        ),
        "balanced_accuracy": partial(
            call, classification.multiclass_accuracy, num_classes=size, average="macro"
        ),
        "matthews_corrcoef": partial(
            call, classification.multiclass_matthews_corrcoef, **all_classes
        ),
        "cohen_kappa": partial(call, kappa, **all_classes),
        "cohen_kappa(weights=linear)": partial(call, kappa, weights="linear", **all_classes),
        "cohen_kappa(weights=quadratic)": partial(call, kappa, weights="quadratic", **all_classes),
        "cramers_v": partial(call, nominal.cramers_v, bias_correction=False),
        "mutual_information": partial(call, clustering.mutual_info_score),
        "normalized_mutual_information": partial(call, clustering.normalized_mutual_info_score),
        # Its first argument is what is explained.
        "uncertainty_coefficient": partial(
            call, lambda predicted, actual: nominal.theils_u(actual, predicted)
        ),
    }


LIBRARIES: dict[str, Callable[[Table], Calls]] = {
    "skmetrics-ext": skmetrics_ext,
    "scikit-learn": scikit_learn,
    "imbalanced-learn": imbalanced_learn,
    "pycm": pycm,
    "torchmetrics": torchmetrics,
}
