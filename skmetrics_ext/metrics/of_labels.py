"""Labels -> counts -> value: the path that every public metric function takes in one call."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.averages import (
    ZeroDivision,
    check_average,
    check_zero_division,
    class_value,
    counts_of_positive,
    overall_value,
)
from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.counting.counts import (
    ClassCounts,
    Margins,
    count_classes,
    count_exact_samples,
    count_indicators,
    count_margins,
    count_matrix,
    count_samples,
)
from skmetrics_ext.reading.messages import levels_to_caller
from skmetrics_ext.reading.order import check_ordered, show
from skmetrics_ext.reading.pairs import Encoded, Indicators, encode, encode_single_label, without_others


def class_metric(
    name: str,
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None,
    pos_label: Any,
    average: str | None,
    sample_weight: ArrayLike | None,
    zero_division: ZeroDivision,
    **parameters: Any,
) -> Any:
    """A metric of class counts: a float, or an array (n_classes,) for average=None."""
    row = BY_NAME[name]
    check_zero_division(zero_division)
    if parameters:
        # The formula knows the range of its parameters: try it before there is work to lose.
        row.formula(ClassCounts(*np.ones((4, 1))), **parameters)
    counts, order, weights = counts_for(
        y_true, y_pred, labels=labels, pos_label=pos_label, average=average, sample_weight=sample_weight
    )
    value = class_value(
        row.formula,
        counts,
        order,
        average=average,
        undefined=row.undefined,
        zero_division=zero_division,
        sample_weight=weights,
        **parameters,
    )
    return value if average is None else float(value)


def counts_for(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None,
    pos_label: Any,
    average: str | None,
    sample_weight: ArrayLike | None,
) -> tuple[ClassCounts, NDArray[Any], NDArray[Any] | None]:
    """The class counts that an average is taken of, their labels and the weights of the samples."""
    check_average(average)
    if average != "binary" and pos_label not in (None, 1):
        warnings.warn(
            f"pos_label={pos_label!r} is ignored, because average is {average!r} and not 'binary'. "
            f"For this class alone pass labels=[{pos_label!r}].",
            UserWarning,
            stacklevel=levels_to_caller(),
        )
    chosen = None if average == "binary" else labels
    encoded = encode(y_true, y_pred, labels=chosen, sample_weight=sample_weight)
    if isinstance(encoded, Indicators):
        if average == "binary":
            raise ValueError(
                "average='binary' does not fit multilabel data (2-D 0/1 indicators): choose "
                "average='macro', 'micro', 'weighted', 'samples' or None."
            )
        counts = count_samples(encoded) if average == "samples" else count_indicators(encoded)
    elif average == "samples":
        raise ValueError("average='samples' needs multilabel data: 2-D 0/1 indicators, one column a label.")
    else:
        counts = count_classes(encoded)
    if average == "binary":
        counts = counts_of_positive(counts, encoded.labels, pos_label)
    return counts, encoded.labels, encoded.weights


def overall_metric(
    name: str,
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: ArrayLike | None,
    zero_division: ZeroDivision,
    labels: ArrayLike | None = None,
    **parameters: Any,
) -> float:
    """A metric over all classes; single-label data only."""
    row = BY_NAME[name]
    check_zero_division(zero_division)
    encoded = encode_single_label(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    if encoded.n_codes > len(encoded.labels):
        raise ValueError(
            f"labels={show(encoded.labels)} must cover all data: y_true or y_pred has other labels, too, which "
            "would be neither right nor wrong."
        )
    if row.ordered and labels is None:
        check_ordered(encoded.labels)
    counts = count_matrix(encoded) if row.takes_matrix(parameters) else count_margins(encoded)
    value = overall_value(
        row.formula, counts, encoded.labels, undefined=row.undefined, zero_division=zero_division, **parameters
    )
    return float(value)


def correct_and_total(y_true: Any, y_pred: Any, sample_weight: ArrayLike | None) -> Margins:
    """Margins for the share of samples that are right: for multilabel data, right in every label."""
    encoded = encode(y_true, y_pred, sample_weight=sample_weight)
    if isinstance(encoded, Indicators):
        return count_exact_samples(encoded)
    return count_margins(encoded)


def of_chosen_labels(y_true: Any, y_pred: Any, labels: Any, sample_weight: Any, names: tuple[str, str]) -> Encoded:
    """The samples of the chosen labels alone; one of these labels must occur."""
    encoded = encode_single_label(y_true, y_pred, labels=labels, sample_weight=sample_weight, names=names)
    if labels is not None and (encoded.true == len(encoded.labels)).all():
        raise ValueError(
            f"no sample of {names[0]} has one of labels={show(encoded.labels)}: name at least one that occurs."
        )
    return without_others(encoded)
