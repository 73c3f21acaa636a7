"""Which methods of finding limits fit a metric, the best one first."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.catalogue.score import divided
from skmetrics_ext.counting.counts import ClassCounts, margins_of
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.formulas import all_classes, one_class
from skmetrics_ext.uncertainty.proportions import Limits, mover, mover_of_ratio
from skmetrics_ext.uncertainty.question import Array, Question, class_counts_of
from skmetrics_ext.uncertainty.slopes import SCALES

# Names as they are given, and as they are shown.
METHODS = {
    "wilson": "Wilson",
    "clopper-pearson": "Clopper-Pearson",
    "korn-graubard": "Korn-Graubard",
    "mover": "MOVER",
    "delta": "delta",
    "bootstrap": "smoothed bootstrap",
    "dirichlet": "Dirichlet",
}


class TwoShares(NamedTuple):
    """A metric of one class that follows from the sum or the ratio of two shares of different samples."""

    first: Callable[..., Any]
    second: Callable[..., Any]
    limits_of: Callable[[tuple[Array, Array], tuple[Limits, Limits]], Limits]
    """Those of the sum or the ratio."""
    value_at: Callable[[Array], Array]
    """The value, which rises with the sum or the ratio."""


def _as_it_is(ratio_of_shares: Array) -> Array:
    """A value that is the ratio itself."""
    return ratio_of_shares


def _threshold_at(ratio_of_rates: Array) -> Array:
    """The prevalence threshold at a ratio of the false positive rate to the recall."""
    return ratio(1, 1 + ratio(1, np.sqrt(ratio_of_rates)))


TWO_SHARES = {
    "informedness": TwoShares(one_class.recall, one_class.specificity, mover, lambda total: total - 1),
    "one_vs_rest_balanced_accuracy": TwoShares(one_class.recall, one_class.specificity, mover, lambda total: total / 2),
    "markedness": TwoShares(one_class.precision, one_class.negative_predictive_value, mover, lambda total: total - 1),
    "positive_likelihood_ratio": TwoShares(one_class.recall, one_class.false_positive_rate, mover_of_ratio, _as_it_is),
    "negative_likelihood_ratio": TwoShares(
        one_class.false_negative_rate, one_class.specificity, mover_of_ratio, _as_it_is
    ),
    "relative_risk": TwoShares(one_class.precision, one_class.false_omission_rate, mover_of_ratio, _as_it_is),
    "prevalence_threshold": TwoShares(one_class.false_positive_rate, one_class.recall, mover_of_ratio, _threshold_at),
}

# What keeps its law where the numbers of the actual classes are fixed by design.
GIVEN_ACTUAL = (
    "recall",
    "specificity",
    "false_positive_rate",
    "false_negative_rate",
    "informedness",
    "one_vs_rest_balanced_accuracy",
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
    "prevalence_threshold",
)


class Carried(NamedTuple):
    """A share, hits of n, and the value that follows from it; it rises or falls with the share throughout."""

    hits: Array
    n: Array
    value_at: Callable[[Array], Array]


def chosen_method(question: Question, asked: str, fitting: list[str], of: str = "") -> str:
    """The method that is asked for by name, or the first that fits."""
    if asked == "auto":
        return fitting[0]
    if asked not in fitting:
        raise ValueError(f"method={asked!r} does not fit {_described(question)}{of}: choose one of {sorted(fitting)}.")
    return asked


def carried(question: Question) -> Carried | None:
    """The share that a metric is, or that its value follows from; None of other metrics."""
    row = question.choice.row
    if question.is_of_labels:
        return None
    if row.interval == "share":
        if question.is_of_one_class:
            return _own_share(row.formula(class_counts_of(question.matrices)))
        return _of_all_classes(question)
    if row.interval == "overlap":
        if question.average == "micro":
            return _micro(question)
        if question.is_of_one_class and _errors_count_alike(question):
            tp, fp, fn, _ = class_counts_of(question.matrices)
            return Carried(tp, tp + fp + fn, lambda share: _value(question, share, 1 - share, 0, 0))
    return None


def two_quotients(question: Question) -> list[tuple[Array, Array]]:
    """The hits and the samples of both shares that a metric follows from."""
    of_both, counts = TWO_SHARES[question.choice.row.name], class_counts_of(question.matrices)
    return [share(counts) for share in (of_both.first, of_both.second)]


def samples_of(question: Question) -> NDArray[np.int64]:
    """How many samples each value is about: of a share of some of them those of its denominator, of all else all."""
    share = carried(question) if question.choice.row.interval == "share" else None
    of_all = question.matrices[..., 0, :].sum(-1) if question.is_of_labels else question.matrices.sum((-2, -1))
    return np.asarray(np.rint(of_all if share is None else share.n)).astype(np.int64)


def has_slope(row: Metric, average: str | None) -> bool:
    """Whether the value moves in proportion to small changes of the counts, wherever it is."""
    return not row.has_kinks and row.interval != "biased" and average != "worst"


def fitting_counts(question: Question, *, by_row: bool) -> list[str]:
    """The methods that fit counts of samples, the best one first."""
    row = question.choice.row
    keeps_law = not by_row or (row.name in GIVEN_ACTUAL and question.is_of_one_class)
    fitting = []
    if keeps_law and carried(question) is not None:
        fitting += ["wilson", "clopper-pearson"]
    if keeps_law and question.is_of_one_class and row.name in TWO_SHARES:
        fitting.append("mover")
    if question.is_of_one_class and row.interval in SCALES:
        return [*fitting, "delta", "bootstrap", "dirichlet"]
    return [*fitting, "bootstrap", "dirichlet", *(["delta"] if has_slope(row, question.average) else [])]


def _of_all_classes(question: Question) -> Carried | None:
    """Shares of all samples, and micro averages."""
    row = question.choice.row
    if row.has_average:
        return _micro(question)
    margins = margins_of(question.matrices)
    if row.name != "bennett_s":
        return _own_share(row.formula(margins))
    n_classes = question.matrices.shape[-1]
    if n_classes == 1:
        return None
    return Carried(
        *all_classes.accuracy(margins),
        lambda share: divided((share * n_classes - 1, np.full_like(share, n_classes - 1))),
    )


def _micro(question: Question) -> Carried | None:
    """A micro average over all classes, which follows from the accuracy; over some of them precision and recall."""
    if question.average != "micro" or question.matrices.shape[-1] == 1:
        return None
    row, n_classes = question.choice.row, question.matrices.shape[-1]
    if question.choice.labels is None:
        # Each error is a false positive of one class and a false negative of another.
        accuracy = all_classes.accuracy(margins_of(question.matrices))
        return Carried(*accuracy, lambda share: _value(question, share, 1 - share, 1 - share, n_classes - 2 + share))
    if row.name not in ("precision", "recall"):
        return None
    return _own_share(row.formula(ClassCounts(*(part[..., 0] for part in question.counts or ()))))


def _errors_count_alike(question: Question) -> bool:
    """Whether false positives and false negatives count the same, so that the value follows from Jaccard's."""
    false_positive, false_negative = (_value(question, 1, *errors, 0) for errors in ((1, 0), (0, 1)))
    return bool(false_positive == false_negative)


def _value(question: Question, *parts: Any) -> Array:
    """The metric of counts of one class."""
    counts = ClassCounts(*np.broadcast_arrays(*(np.asarray(part, dtype=float) for part in parts)))
    return divided(question.choice.row.formula(counts, **question.choice.parameters))


def _own_share(quotient: tuple[Array, Array]) -> Carried:
    """A value that is a share itself."""
    return Carried(*quotient, lambda share: share)


def _described(question: Question) -> str:
    """A metric and its average for a message."""
    name = question.choice.row.name
    if not question.choice.row.has_average:
        return name
    return f"{name} of one class" if question.is_of_one_class else f"{name} with average={question.average!r}"
