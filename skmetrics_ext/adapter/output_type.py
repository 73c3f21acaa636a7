"""Labels or scores: which of them `predict` returned, by a table of forms, and by context where the form fits both."""

from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.estimator import Answer
from skmetrics_ext.adapter.rule import Rule
from skmetrics_ext.reading.containers import as_array
from skmetrics_ext.reading.labels import Column, Indicator


class OutputType(Enum):
    """What `predict` returned, by its form."""

    LABELS = "labels"
    SCORES = "scores"
    EITHER = "either"


LABELS, SCORES, EITHER = OutputType

OUTPUT_TYPE_OF_LOOKS = {
    # (a column per class, floats, whole)
    (False, False, True): LABELS,  # names, integers, booleans; for multilabel data 0 and 1
    (False, False, False): SCORES,  # integers per label beyond 0 and 1, such as votes
    (False, True, True): EITHER,  # 0.0, 1.0, 2.0: labels, or the probabilities of a model that is certain
    (False, True, False): SCORES,  # 0.3; also NaN, so that it is rejected where scores are read
    (True, False, False): SCORES,  # one-hot integers, votes
    (True, True, False): SCORES,  # softmax
    # Columns of classes are scores however certain, so whether they are whole is not checked: there
    # is no (True, False, True) and no (True, True, True).
}


def are_labels(
    answer: Answer, true: Column | Indicator, rule: Rule, classes: NDArray[Any] | None, single: bool
) -> bool:
    """Whether `predict` returned labels, one or several per sample; an error if the rule needs scores.

    `classes` are those given by the caller.
    """
    values = as_array(answer.response, f"{answer.method}(X)")
    needs_scores = rule.threshold is not None or rule.cost_matrix is not None
    has_class_columns = single and _have_columns(values)
    output_type = OUTPUT_TYPE_OF_LOOKS[
        has_class_columns, _are_floats(values), not has_class_columns and _are_whole(values)
    ]
    if output_type is EITHER:
        output_type = _settled(values, answer, true, classes, needs_scores)
    if output_type is LABELS and needs_scores:
        raise ValueError(
            "the estimator's predict returns labels, and there are no scores to which a threshold or costs could be "
            "applied: use an estimator with predict_proba."
        )
    return output_type is LABELS


def _are_floats(values: NDArray[Any]) -> bool:
    """Floating-point numbers, as probabilities and sometimes labels are."""
    return values.dtype.kind == "f"


def _are_whole(values: NDArray[Any]) -> bool:
    """No fractions; for several columns, only 0 and 1."""
    if _have_columns(values):
        return _are_zero_or_one(values)
    return not _are_floats(values) or bool((values == np.rint(values)).all())


def _settled(
    values: NDArray[Any], answer: Answer, true: Column | Indicator, classes: NDArray[Any] | None, needs_scores: bool
) -> OutputType:
    """What whole floats are: labels of a classifier; certain probabilities of any other model, if they can be."""
    declared = answer.classes
    if _have_columns(values):
        return LABELS if declared.is_declared and not needs_scores else SCORES
    if declared.own is not None:
        return LABELS
    if needs_scores:
        return SCORES
    if not _are_zero_or_one(values):
        return LABELS
    # Given classes are those of the columns of scores; otherwise 0.0 and 1.0 are labels if y_true has them as such.
    return LABELS if classes is None and _occur_in(true, values) else SCORES


def _have_columns(values: NDArray[Any]) -> bool:
    """More than one column: (n, 1) is one number per sample."""
    return values.ndim == 2 and values.shape[1] > 1


def _are_zero_or_one(values: NDArray[Any]) -> bool:
    """Only 0 and 1."""
    return bool(((values == 0) | (values == 1)).all())


def _occur_in(true: Column | Indicator, values: NDArray[Any]) -> bool:
    """Whether 0 and 1 are labels of `true` as far as they are among the values; in multilabel data they always are.

    If the other label is not 0, a 1.0 may be a probability, as 0.999 is; likewise a 0.0 if the other label is not 1.
    """
    if isinstance(true, Indicator):
        return True
    if len(true.labels) == 2 and not _are_zero_or_one(true.labels):
        return False
    return true.labels.dtype.kind in "biuf" and bool(np.isin(values, true.labels).all())
