"""What is asked: a value as a function of matrices, the shares that it follows from, and what it rests on."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.catalogue.score import classes_request, divided, position_of_positive, score
from skmetrics_ext.counting.counted import Counted, CountedLabels, CountedMatrix
from skmetrics_ext.counting.counts import ClassCounts, Margins, as_floats, margins_of, two_by_two
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.formulas import all_classes, one_class
from skmetrics_ext.reading.order import plain, positions_in
from skmetrics_ext.statistics.proportions import Array, Limits, mover, mover_of_ratio

# So small a share of the samples, added to an absent class, moves no value that does not depend on it,
TRACE = 1e-9
# by more than this.
JUMP = 1e-4
# Metrics that are the same whatever the prevalence, of the rates within the actual classes alone: those of one class,
ONE_CLASS_OF_ACTUAL = (
    "informedness",
    "g_mean",
    "one_vs_rest_balanced_accuracy",
    "index_balanced_accuracy",
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
    "diagnostic_odds_ratio",
    "yule_q",
    "d_prime",
    "prevalence_threshold",
    "extremal_dependence_index",
    "symmetric_extremal_dependence_index",
)
# those over all classes,
ALL_OF_ACTUAL = ("balanced_accuracy", "geometric_mean", "macro_averaged_mean_absolute_error")
# and those of which these averages are.
AVERAGES_OF_ACTUAL = ("recall", "false_negative_rate")
# One of fewer samples moves a share by more than a tenth.
FEW = 10


class Estimand(NamedTuple):
    """The value of which the limits are sought, as a function of matrices."""

    choice: Choice
    average: str | None
    """Settled: None or "binary" for one class against the rest; None, too, of a metric over all classes."""
    matrices: Array
    """Those that were counted, (..., n_classes, n_classes), or (..., 2, 2) of one class against the rest."""
    value_of: Callable[[Any], Array]
    """Values (...) of matrices (..., n_classes, n_classes), NaN where undefined."""
    counts: ClassCounts | None = None
    """Those of one class against the rest that are asked for; None of a metric over all classes."""
    labels: NDArray[Any] | None = None
    """The classes of the last axis of the values, if it has them."""
    positions: NDArray[np.intp] | None = None
    """Where the classes stand that have a table each; None of one matrix of all classes, or of all labels."""
    unit: float = 1.0
    """The weight of a pseudo-sample."""
    margins_suffice: bool = False
    """Whether the value of matrices is that of their margins, too, which are counted once for many metrics."""
    value_of_each: Callable[[Any], Array] | None = None
    """The values (..., n_classes) of which the value is the plain mean; None of other values."""
    order: NDArray[Any] | None = None
    """The classes of the matrices, if these are of all classes."""
    label: Any = None
    """The one class that is asked for; None of several, and of all."""
    is_of_labels: bool = False
    """Whether all labels of a sample are asked for together: then the matrices are (..., n_labels, 4)."""

    @property
    def is_of_one_class(self) -> bool:
        """Whether there is one value a class, of its own table."""
        return self.choice.row.has_average and self.average in (None, "binary")

    @property
    def smoothing(self) -> Array:
        """What is added to the cells before they are drawn: half a sample each of two classes, one in all of more.

        Rows without samples stay empty, and so do columns of classes that never occur: nothing is known of them.
        """
        if self.is_of_one_class:
            return np.full(self.matrices.shape, 0.5 * self.unit)
        matrices = tables_of_labels(self.matrices) if self.is_of_labels else self.matrices
        is_actual = matrices.sum(-1) > 0
        occurs = is_actual | (matrices.sum(-2) > 0)
        cells = is_actual[..., :, None] & occurs[..., None, :]
        if self.is_of_labels:
            return np.where(cells, 0.25 * self.unit, 0).reshape(self.matrices.shape)
        in_all = self.unit * (2 if matrices.shape[-1] == 2 else 1)
        return np.asarray(in_all * cells / np.maximum(cells.sum((-2, -1), keepdims=True), 1))


def estimand_of(counted: Counted, choice: Choice) -> Estimand:
    """What is asked of which matrices."""
    counts = None
    if choice.row.has_average:
        asked = classes_request(counted, choice)
        are_averaged = asked.average in ("macro", "micro", "weighted", "worst")
        if are_averaged and choice.labels is not None and len(choice.labels) == 1:
            # An average of one class is that class.
            counts = classes_request(counted, choice._replace(average=None)).counts
            tables, places = two_by_two(as_floats(counts))[..., 0, :, :], _places(counted, choice, choice.labels)
            label = plain(choice.labels)[0]
            return Estimand(choice, "binary", tables, value_of_one_class(choice), counts, None, places, label=label)
        if asked.average in (None, "binary"):
            labels = asked.names if asked.average is None and isinstance(asked.names, np.ndarray) else None
            tables = two_by_two(as_floats(asked.counts))
            tables = tables if labels is not None else tables[..., 0, :, :]
            places = _places(counted, choice, labels)
            label = positive_of(counted.known, choice.positive, counted.positive) if labels is None else None
            return Estimand(
                choice, asked.average, tables, value_of_one_class(choice), asked.counts, labels, places, label=label
            )
        if counted.multilabel:
            raise ValueError(
                f"the labels of a sample depend on each other, so that a matrix does not tell how sure their average "
                f"{asked.average!r} is: take the interval of each label, average=None, or pass the labels of the "
                "samples to metric_interval."
            )
        choice, counts = choice._replace(average=asked.average), asked.counts
    return Estimand(
        choice,
        choice.average,
        as_floats(counted.matrix),
        value_of_matrices(counted, choice),
        counts,
        margins_suffice=choice.row.has_average or not choice.takes_matrix,
        value_of_each=value_of_each_class(counted, choice),
        order=counted.order,
    )


def value_of_matrices(counted: Counted, choice: Choice) -> Callable[[Any], Array]:
    """The value of matrices, or of their margins where these are enough, over the classes that were counted."""
    undefined_left_out = _leaving_out(choice)

    def value_of(counts: Any) -> Array:
        """The metric of a matrix over all classes."""
        return np.asarray(
            score(CountedMatrix(counts, counted.order, counted.positive, counted.ranking), undefined_left_out)
        )

    return value_of


def value_of_each_class(counted: Counted, choice: Choice) -> Callable[[Any], Array] | None:
    """The values (..., n_classes) of matrices or margins of which a value is the plain mean; None of other values."""
    if choice.row.name == "balanced_accuracy" and not choice.parameters.get("adjusted"):
        choice = choice._replace(row=BY_NAME["recall"], parameters={})
    elif not (choice.row.has_average and choice.average == "macro"):
        return None
    return None if choice.labels is not None else value_of_matrices(counted, choice._replace(average=None))


def estimand_of_labels(counted: Counted, choice: Choice) -> Estimand:
    """What is asked of all labels of multilabel data together."""
    if choice.row.has_average:
        choice = choice._replace(average=classes_request(counted, choice).average)
    undefined_left_out = _leaving_out(choice)

    def value_of(matrices: Array) -> Array:
        """The metric of a row of four cells a label."""
        counts = class_counts_of(tables_of_labels(matrices))
        return np.asarray(score(CountedLabels(counts, counted.order), undefined_left_out))

    matrices = two_by_two(as_floats(counted.classes)).reshape(-1, 4)
    return Estimand(choice, choice.average, matrices, value_of, is_of_labels=True)


def tables_of_labels(matrices: Array) -> Array:
    """(..., n_labels, 4) as (..., n_labels, 2, 2)."""
    return matrices.reshape(*matrices.shape[:-1], 2, 2)


def _leaving_out(choice: Choice) -> Choice:
    """The choice for replicates: a class that is undefined there is left out of its average."""
    return choice._replace(zero_division=np.nan, sign=1)


def _places(counted: Counted, choice: Choice, labels: NDArray[Any] | None) -> NDArray[np.intp]:
    """Where the classes stand that are asked for, each for itself; behind all where the positive one never occurs."""
    if labels is not None:
        return positions_in(counted.order, labels)
    place = position_of_positive(counted, choice.positive)
    return np.array([len(counted.order) if place is None else place])


def value_of_one_class(choice: Choice) -> Callable[[Array], Array]:
    """The value of tables of one class against the rest."""

    def value_of(tables: Array) -> Array:
        """The metric of one class."""
        return divided(choice.row.formula(class_counts_of(tables), **choice.parameters))

    return value_of


def class_counts_of(tables: Array) -> ClassCounts:
    """[[tn, fp], [fn, tp]] as tp, fp, fn and tn, one entry a table."""
    return ClassCounts(*(tables[..., i, j] for i, j in ((1, 1), (0, 1), (1, 0), (0, 0))))


def clipped(limits: Limits, choice: Choice) -> Limits:
    """Limits within the range of a metric."""
    least, most = range_of(choice)
    return Limits(*(np.clip(limit, least, most) for limit in limits))


def range_of(choice: Choice) -> tuple[float, float]:
    """The range that a row states; ends that are no numbers, or hold on a condition, bound nothing."""
    text = choice.row.range
    if all(value is choice.row.parameters[name].default for name, value in choice.parameters.items()):
        # What follows is about other parameters.
        text = re.sub("(; adjusted| for alpha).*", "", text)
    found = re.fullmatch(r"[\[(](.+), (.+)[\])](.*)", text)
    least, most, condition = found.groups() if found else ("", "", "")
    return _number(least, -np.inf), np.inf if condition else _number(most, np.inf)


def _number(text: str, otherwise: float) -> float:
    """A number such as "-1/3"."""
    numerator, _, denominator = text.partition("/")
    try:
        return float(numerator) / float(denominator or 1)
    except ValueError:
        return otherwise


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


class Carried(NamedTuple):
    """A share, hits of n, and the value that follows from it; it rises or falls with the share throughout."""

    hits: Array
    n: Array
    value_at: Callable[[Array], Array]


def carried(estimand: Estimand) -> Carried | None:
    """The share that a metric is, or that its value follows from; None of other metrics."""
    row = estimand.choice.row
    if estimand.is_of_labels:
        return None
    if row.interval == "share":
        if estimand.is_of_one_class:
            return _own_share(row.formula(class_counts_of(estimand.matrices)))
        return _of_all_classes(estimand)
    if row.interval == "overlap":
        if estimand.average == "micro":
            return _micro(estimand)
        if estimand.is_of_one_class and _errors_count_alike(estimand):
            tp, fp, fn, _ = class_counts_of(estimand.matrices)
            return Carried(tp, tp + fp + fn, lambda share: _value(estimand, share, 1 - share, 0, 0))
    return None


def two_quotients(estimand: Estimand) -> list[tuple[Array, Array]]:
    """The hits and the samples of both shares that a metric follows from."""
    of_both, counts = TWO_SHARES[estimand.choice.row.name], class_counts_of(estimand.matrices)
    return [share(counts) for share in (of_both.first, of_both.second)]


def samples_of(estimand: Estimand) -> NDArray[np.int64]:
    """How many samples each value is about: of a share of some of them those of its denominator, of all else all."""
    share = carried(estimand) if estimand.choice.row.interval == "share" else None
    of_all = estimand.matrices[..., 0, :].sum(-1) if estimand.is_of_labels else estimand.matrices.sum((-2, -1))
    return np.asarray(np.rint(of_all if share is None else share.n)).astype(np.int64)


def _of_all_classes(estimand: Estimand) -> Carried | None:
    """Shares of all samples, and micro averages."""
    row = estimand.choice.row
    if row.has_average:
        return _micro(estimand)
    margins = margins_of(estimand.matrices)
    if row.name != "bennett_s":
        return _own_share(row.formula(margins))
    n_classes = estimand.matrices.shape[-1]
    if n_classes == 1:
        return None
    return Carried(
        *all_classes.accuracy(margins),
        lambda share: divided((share * n_classes - 1, np.full_like(share, n_classes - 1))),
    )


def _micro(estimand: Estimand) -> Carried | None:
    """A micro average over all classes, which follows from the accuracy; over some of them precision and recall."""
    if estimand.average != "micro" or estimand.matrices.shape[-1] == 1:
        return None
    row, n_classes = estimand.choice.row, estimand.matrices.shape[-1]
    if estimand.choice.labels is None:
        # Each error is a false positive of one class and a false negative of another.
        accuracy = all_classes.accuracy(margins_of(estimand.matrices))
        return Carried(*accuracy, lambda share: _value(estimand, share, 1 - share, 1 - share, n_classes - 2 + share))
    if row.name not in ("precision", "recall"):
        return None
    return _own_share(row.formula(ClassCounts(*(part[..., 0] for part in estimand.counts or ()))))


def _errors_count_alike(estimand: Estimand) -> bool:
    """Whether false positives and false negatives count the same, so that the value follows from Jaccard's."""
    false_positive, false_negative = (_value(estimand, 1, *errors, 0) for errors in ((1, 0), (0, 1)))
    return bool(false_positive == false_negative)


def _value(estimand: Estimand, *parts: Any) -> Array:
    """The metric of counts of one class."""
    counts = ClassCounts(*np.broadcast_arrays(*(np.asarray(part, dtype=float) for part in parts)))
    return divided(estimand.choice.row.formula(counts, **estimand.choice.parameters))


def _own_share(quotient: tuple[Array, Array]) -> Carried:
    """A value that is a share itself."""
    return Carried(*quotient, lambda share: share)


def rests_on_absent(estimand: Estimand) -> NDArray[np.bool_]:
    """Where (...) a metric over all classes, or an average, depends on a class that has no samples.

    Either a trace of such a class changes the value by whether it is predicted right, as in a mean over
    the classes; or there is one actual class alone, and whatever is predicted for it gives one value, as of kappa.
    """
    matrices = estimand.matrices
    if estimand.order is None or len(estimand.order) < 2:
        return np.zeros(matrices.shape[:-2], dtype=bool)
    actual = matrices.sum(-1)
    occurs = (actual + matrices.sum(-2)).reshape(-1, actual.shape[-1]).any(0)
    is_absent = occurs & (actual == 0) & actual.any(-1, keepdims=True)
    if not is_absent.any():
        return np.zeros(matrices.shape[:-2], dtype=bool)
    trace = TRACE * actual.sum(-1)[..., None, None] * is_absent[..., None]
    right, wrong = np.eye(matrices.shape[-1]), np.roll(np.eye(matrices.shape[-1]), 1, axis=1)
    jumps = _differ(estimand, matrices + trace * right, matrices + trace * wrong)
    is_alone = (actual > 0).sum(-1) == 1
    # Half of the samples right, and a quarter.
    half, quarter = (actual[..., None] * (share * right + (1 - share) * wrong) for share in (0.5, 0.25))
    return np.asarray(jumps | (is_alone & ~_differ(estimand, half, quarter)))


def _differ(estimand: Estimand, first: Array, second: Array) -> Any:
    """Whether both matrices have values, and these differ."""
    with np.errstate(invalid="ignore"):
        return np.abs(estimand.value_of(first) - estimand.value_of(second)) > JUMP


def is_of_actual(estimand: Estimand) -> bool:
    """Whether the value depends on the rates within each actual class alone, and not on how many samples these have."""
    name = estimand.choice.row.name
    if estimand.is_of_one_class:
        return name in ONE_CLASS_OF_ACTUAL
    return name in ALL_OF_ACTUAL or (name in AVERAGES_OF_ACTUAL and estimand.average in ("macro", "worst"))


def sees_hits_alone(estimand: Estimand) -> bool:
    """Whether all that the value depends on is how many samples of each actual class are right, and how many wrong."""
    return estimand.value_of_each is not None and is_of_actual(estimand)


def hits_and_misses(matrices: NDArray[Any]) -> NDArray[Any]:
    """How many samples of each actual class are right and wrong (..., n_classes, 2)."""
    misses = np.where(np.eye(matrices.shape[-1], dtype=bool), 0, matrices).sum(-1)
    return np.stack([matrices.diagonal(axis1=-2, axis2=-1), misses], -1)


def margins_of_hits(hits: NDArray[Any]) -> Margins:
    """Margins of hits and misses for what sees no more: which classes the misses were predicted as is not known."""
    right, wrong = hits[..., 0], hits[..., 1]
    return Margins(right, wrong, wrong, right)


def samples_counted(estimand: Estimand) -> Array:
    """How many samples each value rests on: of several denominators, or of the classes of an average, the fewest.

    Classes without any are no part of an average; infinite where it has none. Of association over all classes it is
    the smallest actual or predicted class.
    """
    if estimand.counts is not None and estimand.average in ("macro", "worst"):
        tables, value_of = two_by_two(estimand.counts), value_of_one_class(estimand.choice)
        of_classes = estimand._replace(average=None, matrices=tables, value_of=value_of)
        return _fewest(samples_counted(of_classes))
    if (share := carried(estimand)) is not None:
        return share.n
    if estimand.choice.row.interval == "biased":
        return np.minimum(*(_fewest(estimand.matrices.sum(axis)) for axis in (-1, -2)))
    if estimand.is_of_one_class and estimand.choice.row.name in TWO_SHARES:
        return np.minimum(*(n for _, n in two_quotients(estimand)))
    if is_of_actual(estimand):
        actual = estimand.matrices.sum(-1)
        return np.asarray(actual.min(-1)) if estimand.is_of_one_class else _fewest(actual)
    n = estimand.matrices.sum((-2, -1))
    if estimand.choice.row.is_own or not _needs_others(estimand):
        return np.asarray(n)
    right = np.diagonal(estimand.matrices, axis1=-2, axis2=-1)
    return np.asarray(n - (right[..., 0] if estimand.is_of_one_class else right.max(-1)))


def _fewest(of_classes: Array) -> Array:
    """The fewest of the classes that have any."""
    return np.asarray(np.min(of_classes, -1, where=of_classes > 0, initial=np.inf))


def _needs_others(estimand: Estimand) -> bool:
    """Whether samples of one class that are predicted so, true negatives of one class, have no value by themselves."""
    alone = np.zeros(estimand.matrices.shape[-2:])
    alone[0, 0] = 1
    with np.errstate(divide="ignore", invalid="ignore"):
        return bool(np.isnan(estimand.value_of(alone)))
