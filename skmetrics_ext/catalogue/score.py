"""Counts and a choice -> the value, and its ends: the only way from any counts to any metric."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import (
    Positive,
    is_first_of_two,
    known_positive,
    positive_of,
    second_of,
)
from skmetrics_ext.catalogue.averages import averaged, kind_of_average
from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.custom_metrics import values_of_custom_metric
from skmetrics_ext.catalogue.undefined import defined, warn_without_support
from skmetrics_ext.counting.counted import Counted, at_labels
from skmetrics_ext.counting.counts import ClassCounts, Counts, as_floats, in_numbers, margins_of
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.formulas.ranges import Ends, Given
from skmetrics_ext.reading.calls import option_of_caller
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.numbers import costs_in_order, distances_in_order
from skmetrics_ext.reading.order import (
    check_covered,
    from_low_to_high,
    label_distances,
    label_steps,
    plain,
    position_of,
    show,
    with_all,
)


def score(counted: Counted, choice: Choice) -> Any:
    """The value: a float, or an array over leading axes, and classes for average=None."""
    if choice.row.has_average:
        return score_of_classes(counted, choice)
    value_of = _value_of_custom_metric if choice.row.is_custom else _value_over_all
    return _signed(value_of(counted, choice), choice.sign)


def score_of_classes(counted: Counted, choice: Choice) -> Any:
    """The same of a metric with a value for each class."""
    return _signed(_value_of_classes(counted, choice), choice.sign)


def _signed(value: NDArray[Any], sign: int) -> Any:
    """The value of a function, or of a scorer, which may negate it."""
    signed = -value if sign < 0 else value
    return signed if signed.ndim else float(signed)


def class_values_and_averages(
    counted: Counted, choice: Choice, averages: Sequence[str]
) -> tuple[NDArray[Any], dict[str, Any]]:
    """A metric of each class, and its averages, which do not warn of them again."""
    values = score(counted, choice._replace(average=None))
    of_averages = {}
    for average in averages:
        # That of the samples uses other counts, of which no warning was given.
        own_choice = choice if average == "samples" else choice.quiet()
        of_averages[average] = score(counted, own_choice._replace(average=average))
    return values, of_averages


def is_of_several(choice: Choice) -> bool:
    """Whether the value combines those of several classes, each of which may be undefined."""
    return kind_of_average(choice.average).combines == "classes"


class ClassesRequest(NamedTuple):
    """The counts of a one-vs-rest metric: of classes, of samples, or pooled."""

    counts: ClassCounts
    # The classes along the last axis, or what they represent.
    names: NDArray[Any] | str | None
    positive: Positive | None = None


def classes_request(counted: Counted, choice: Choice) -> ClassesRequest:
    """The counts that an average uses, or the values of the classes."""
    average = choice.average
    names: NDArray[Any] | str | None = None
    positive = None
    if choice.positive is not None and average != "binary":
        raise ValueError(
            f"pos_label={choice.positive!r} applies only to average='binary', but average is "
            f"{average!r}: omit it, or "
            "request the value for each class with average=None."
        )
    if average == "samples":
        counts, names = counted.samples, "samples"
    elif average == "binary":
        positive = _positive_in(counted, choice)
        counts = _counts_of_positive(counted, positive.place)
    else:
        names = counted.present if choice.labels is None or counted.are_chosen else choice.labels
        counts = at_labels(counted.classes, counted.order, names)
    counts = as_floats(counts)
    if average == "micro":
        counts = ClassCounts(*(part.sum(-1, keepdims=True) for part in counts))
        names = None
    return ClassesRequest(counts, names, positive)


def _value_of_classes(counted: Counted, choice: Choice) -> NDArray[Any]:
    """A metric with one value per class."""
    counts, names, _ = classes_request(counted, choice)
    row, average, weights = choice.row, choice.average, counted.weights_of_samples
    if weights is not None and average == "samples":
        # Samples of weight 0 must not cause a warning.
        counts = ClassCounts(*(part[weights > 0] for part in counts))
        weights = weights[weights > 0]
    values = divided(row.formula(counts, **choice.parameters))
    name = choice.asked
    support = counts.tp + counts.fn
    if average == "weighted" and choice.is_default_undefined:
        warn_without_support(values, support, name, names)
    values = defined(values, name, choice.zero_division, choice.undefined, names, counts)
    return averaged(values, average, better=row.better, support=support, weights=weights)


def _value_over_all(counted: Counted, choice: Choice) -> NDArray[Any]:
    """A metric over all classes."""
    row = choice.row
    counts, parameters = request_over_all(counted, choice)
    values = divided(row.formula(as_floats(counts), **parameters))
    return defined(values, choice.asked, choice.zero_division, choice.undefined)


def request_over_all(counted: Counted, choice: Choice) -> tuple[Any, dict[str, Any]]:
    """The counts of a metric over all classes, and its parameters in the order of these."""
    if counted.multilabel:
        return _counts_of_indicators(counted, choice), choice.parameters
    order = _order_over_all(counted, choice)
    of_all = counted.matrix if choice.takes_matrix else counted.margins
    counts = at_labels(of_all, counted.order, order)
    if choice.row.needs_numbers:
        _check_numbers(counted, choice)
        counts = in_numbers(counts, counted.weight_of_one)
    return counts, _bound_parameters(counted, choice, counts, order)


def _check_numbers(counted: Counted, choice: Choice) -> None:
    """Reject counts that do not tell how many samples there are."""
    if np.isnan(counted.weight_of_one).any():
        raise ValueError(
            f"{choice.asked} needs the number of samples, which these sums of weights do not "
            "tell: count the samples with from_predictions(sample_weight=), or pass "
            "frequency_weights=True if each weight is the number of times a sample occurs."
        )


def _value_of_custom_metric(counted: Counted, choice: Choice) -> NDArray[Any]:
    """A user-supplied function of a matrix of all classes."""
    if counted.multilabel:
        raise ValueError(
            f"{choice.asked} needs one label per sample, but these data are multilabel."
        )
    order = _order_over_all(counted, choice)
    positive = known_positive(counted.known, choice.positive, counted.positive)
    if positive is None:
        # Here they are the order of a matrix.
        positive = second_of(choice.labels)
    ranking = counted.ranking if choice.labels is None else order

    def values_in(order: NDArray[Any], *, quiet: bool) -> NDArray[np.float64]:
        """The values of the matrices with the classes in this order."""
        matrices = at_labels(counted.matrix, counted.order, order)
        matrices, order = _with_absent_positive(matrices, order, positive)
        classes = order, positive, ranking
        return values_of_custom_metric(
            choice.row, matrices, classes, choice.parameters, quiet=quiet
        )

    values = values_in(order, quiet=not choice.is_default_undefined)
    is_named_first = ranking is not None and is_first_of_two(order, positive)
    if is_named_first or (positive is None and len(order) == 2):
        others = values_in(order[::-1], quiet=True)
        if not np.allclose(values, others, rtol=1e-9, atol=1e-12, equal_nan=True):
            _refuse_order(choice, order, positive)
    # The function itself decides what is undefined.
    if choice.is_default_undefined:
        return values
    return np.where(np.isnan(values), choice.zero_division, values)


def _with_absent_positive(
    matrices: NDArray[Any], order: NDArray[Any], positive: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    """[[n, 0], [0, 0]] where a positive class that never occurs is known beside a single label."""
    if positive is None or len(order) > 1 or position_of(order, positive) is not None:
        return matrices, order
    around = [(0, 0)] * (matrices.ndim - 2) + [(0, 1), (0, 1)]
    return np.pad(matrices, around), np.concatenate([order, read_order([positive])])


def _refuse_order(choice: Choice, order: NDArray[Any], positive: Any) -> None:
    """Say that a value depends on which class is last, which must be the positive one."""
    label = positive_of(order, positive).label
    raise ValueError(
        f"{choice.asked} depends on the order of the classes, which are named as {show(order)} "
        f"though {label!r} is positive: name them as [negative, positive], {show(order[::-1])}."
    )


def _counts_of_positive(counted: Counted, place: int | None) -> ClassCounts:
    """The counts (..., 1) of the positive class.

    One that never occurs beside a single label has true negatives only.
    """
    if place is not None:
        return counted.of_class(place)
    only = counted.of_class(0)
    total = only.tp + only.fp + only.fn + only.tn
    zero = np.zeros_like(total)
    return ClassCounts(zero, zero, zero, total)


def _positive_in(counted: Counted, choice: Choice) -> Positive:
    """The positive class of two, or the class of several that was asked for."""
    if counted.multilabel:
        several = "each sample may have several labels (multilabel data)"
        raise ValueError(_not_of_one_class(choice.asked, several))
    is_given = choice.positive is not None or counted.positive is not None
    if counted.n_classes > 2:
        labels = with_all(counted.known, counted.order)
        check_of_two(choice, labels, is_named=is_given, are_of_two=counted.roles.are_of_two)
    return positive_of(counted.order, choice.positive, counted.positive, counted.known)


def check_of_two(
    choice: Choice,
    labels: NDArray[Any],
    *,
    is_named: bool,
    are_of_two: bool = False,
    advice: str = "",
) -> None:
    """Refuse a metric of one class where there are more than two, unless the class is named, which
    does not count with `are_of_two`.
    """
    if choice.average != "binary" or len(labels) < 3 or (is_named and not are_of_two):
        return
    if are_of_two:
        raise ValueError(
            f"{_not_of_one_class(choice.asked, _how_many(labels))} One class of several is "
            f"cm.score({choice.asked!r}, pos_label=...), or in a search "
            f"ConfusionScorer({choice.asked!r}, pos_label=...)."
        )
    raise ValueError(of_more_than_two(choice.asked, labels, advice))


def of_more_than_two(asked: str, labels: NDArray[Any], advice: str = "") -> str:
    """The message of a metric of the positive class of two, where there are more, with what names
    one of them unless there is other advice.
    """
    of_one = f"'{asked}_{plain(labels)[-1]}'"
    if option_of_caller("pos_label") is not None:
        of_one = "pos_label="
    message = _not_of_one_class(asked, _how_many(labels))
    return f"{message} {advice or f'One class is named by {of_one}.'}"


def _how_many(labels: NDArray[Any]) -> str:
    """How many classes there are, and which."""
    return f"there are {len(labels)}, {show(labels)}"


def _not_of_one_class(asked: str, why: str) -> str:
    """The message of a metric of the positive class of two, and why there is none."""
    mean = f"'{asked}_macro'"
    if option_of_caller("average") is not None:
        mean = f"{mean} or average='macro'"
    return (
        f"{asked} is of the positive class of two, but {why}: ask for their mean, {mean}; "
        f"cm.score('{asked}', average=None) has the value of each class."
    )


def _order_over_all(counted: Counted, choice: Choice) -> NDArray[Any]:
    """The classes of a metric over all: those that occur, unless others count too."""
    row, labels = choice.row, choice.labels
    if labels is None:
        order = counted.order if row.counts_absent_labels else counted.present
        if row.goes_by_order(choice.parameters):
            order = from_low_to_high(order, counted.ranking)
        return order
    if labels is not counted.order:
        check_covered(labels, counted.present, f"List these, too, for {choice.asked}.")
    return labels


def _counts_of_indicators(counted: Counted, choice: Choice) -> Counts:
    """The counts of multilabel data that serve as those of all classes."""
    if choice.row.multilabel is None:
        raise ValueError(
            f"{choice.asked} needs one label per sample, but these data are multilabel."
        )
    return counted.classes if choice.row.multilabel == "class counts" else counted.exact


def _bound_parameters(
    counted: Counted, choice: Choice, counts: Any, order: NDArray[Any]
) -> dict[str, Any]:
    """The parameters with distances of the classes, and costs in their order."""
    row, parameters = choice.row, choice.parameters
    takes_table, takes_costs = row.takes_table(parameters), "cost_matrix" in parameters
    goes_by_order = row.takes_label_distances or row.goes_by_order(parameters)
    if not (goes_by_order or takes_table or takes_costs):
        return parameters
    ranking = counted.ranking if choice.labels is None else order
    if row.takes_label_distances:
        return {**parameters, "label_distances": label_distances(order, ranking)}
    if goes_by_order:
        return {**parameters, "label_steps": label_steps(order, ranking)}
    margins = margins_of(counts)
    n_of_classes = np.reshape(margins.row_sums + margins.column_sums, (-1, len(order)))
    occurs = np.any(n_of_classes > 0, axis=0)
    known = () if choice.labels is not None else (counted.known, counted.order, counted.ranking)
    if takes_table:
        distances = distances_in_order(parameters["weights"], order, ranking, occurs, known)
        return {**parameters, "weights": distances}
    costs = costs_in_order(parameters["cost_matrix"], order, ranking, occurs, known=known)
    return {**parameters, "cost_matrix": costs}


def divided(result: Any) -> NDArray[Any]:
    """The result of a formula as one value."""
    return ratio(*result) if isinstance(result, tuple) else result


def lowest_and_highest(counted: Counted, choice: Choice, *, are_shares_given: bool = False) -> Ends:
    """Both ends, for all entries or for each as the value has them.

    The shares of the actual classes are given at a prevalence, or where a design fixed their
    numbers; else they are estimated, and the ends do not depend on them.
    """
    if not choice.row.has_average:
        return _ends_over_all(counted, choice, are_shares_given=are_shares_given)
    counts, *_ = classes_request(counted, choice)
    given = Given(shares=_shares(counts)) if are_shares_given else Given()
    low, high = map(np.asarray, choice.row.ends(given, **choice.parameters))
    if choice.average is None:
        return low, high
    # Any classes may be left out of an average since they are undefined.
    return low.min(-1) if low.ndim else low, high.max(-1) if high.ndim else high


def _ends_over_all(counted: Counted, choice: Choice, *, are_shares_given: bool) -> Ends:
    """Both ends of a metric over all classes."""
    if choice.row.is_custom:
        return choice.row.ends(Given(), **choice.parameters)
    counts, parameters = request_over_all(counted, choice)
    if counted.multilabel:
        return choice.row.ends(Given(), **parameters)
    of_all = margins_of(counts)
    given = Given(
        n_classes=of_all.tp.shape[-1],
        is_actual=np.asarray(of_all.row_sums) > 0,
        shares=_shares(of_all) if are_shares_given else None,
    )
    low, high = choice.row.ends(given, **parameters)
    return np.asarray(low), np.asarray(high)


def _shares(counts: ClassCounts) -> NDArray[Any]:
    """How frequent each actual class is."""
    actual, others = counts.tp + counts.fn, counts.fp + counts.tn
    return ratio(actual, actual + others)
