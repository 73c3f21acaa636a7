"""Labels -> counts -> value: the path that every public metric function takes in one call."""

import warnings
from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from skmetrics_ext.counts import (
    Margins,
    count_classes,
    count_exact_samples,
    count_indicators,
    count_margins,
    count_samples,
)
from skmetrics_ext.evaluate import (
    ZeroDivision,
    check_average,
    check_zero_division,
    class_value,
    one_class,
    overall_value,
)
from skmetrics_ext.labels import Indicators, encode, encode_single_label


def class_metric(
    formula: Callable[..., Any],
    y_true: Any,
    y_pred: Any,
    *,
    undefined: float,
    labels: ArrayLike | None,
    pos_label: Any,
    average: str | None,
    sample_weight: ArrayLike | None,
    zero_division: ZeroDivision,
    **parameters: Any,
) -> Any:
    """A metric of class counts: a float, or an array (n_classes,) for average=None."""
    check_average(average)
    check_zero_division(zero_division)
    if average != "binary" and pos_label not in (None, 1):
        warnings.warn(
            f"pos_label={pos_label!r} is ignored, because average is {average!r} and not 'binary'. "
            f"For this class alone pass labels=[{pos_label!r}].",
            UserWarning,
            stacklevel=3,
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
        counts = one_class(counts, encoded.labels, pos_label)
    value = class_value(
        formula,
        counts,
        encoded.labels,
        average=average,
        undefined=undefined,
        zero_division=zero_division,
        sample_weight=encoded.weights,
        **parameters,
    )
    return value if average is None else float(value)


def margin_metric(
    formula: Callable[..., Any],
    y_true: Any,
    y_pred: Any,
    *,
    undefined: float,
    sample_weight: ArrayLike | None,
    zero_division: ZeroDivision = "warn",
    **parameters: Any,
) -> float:
    """A metric of the margins of all classes; single-label data only."""
    margins = count_margins(encode_single_label(y_true, y_pred, sample_weight=sample_weight))
    return float(overall_value(formula, margins, undefined=undefined, zero_division=zero_division, **parameters))


def correct_and_total(y_true: Any, y_pred: Any, sample_weight: ArrayLike | None) -> Margins:
    """Margins for the share of samples that are right: for multilabel data, right in every label."""
    encoded = encode(y_true, y_pred, sample_weight=sample_weight)
    if isinstance(encoded, Indicators):
        return count_exact_samples(encoded)
    return count_margins(encoded)
