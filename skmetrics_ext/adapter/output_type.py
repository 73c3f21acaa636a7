"""Labels or scores: which of them `predict` returned, by its form, else by the context."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.estimator import Answer
from skmetrics_ext.adapter.rule import Rule
from skmetrics_ext.reading.containers import as_array
from skmetrics_ext.reading.labels import Column, Indicator


def are_labels(
    answer: Answer, true: Column | Indicator, rule: Rule, classes: NDArray[Any] | None, single: bool
) -> bool:
    """Whether `predict` returned labels; an error if the rule needs scores.

    `classes` are those given by the caller.
    """
    values = as_array(answer.response, f"{answer.method}(X)")
    if (single and _have_columns(values)) or not _are_whole(values):
        # A column per class, such as votes or softmax; or 0.3; or NaN, rejected later.
        return False
    needs_scores = rule.threshold is not None or rule.cost_matrix is not None
    # Names, integers and booleans are labels; 0.0, 1.0 and 2.0 are labels, or probabilities of a
    # model that is certain.
    if values.dtype.kind == "f" and not _are_labels_of_floats(
        values, answer, true, classes, needs_scores
    ):
        return False
    if needs_scores:
        raise ValueError(
            "the estimator's predict returns labels, and there are no scores to which a threshold "
            "or costs could be applied: use an estimator with predict_proba."
        )
    return True


def _are_whole(values: NDArray[Any]) -> bool:
    """No fractions; for several columns, only 0 and 1."""
    if _have_columns(values):
        return _are_zero_or_one(values)
    return values.dtype.kind != "f" or bool((values == np.rint(values)).all())


def _are_labels_of_floats(
    values: NDArray[Any],
    answer: Answer,
    true: Column | Indicator,
    classes: NDArray[Any] | None,
    needs_scores: bool,
) -> bool:
    """Whether whole floats are labels of a classifier, else probabilities if they can be."""
    declared = answer.classes
    if _have_columns(values):
        return declared.is_declared and not needs_scores
    if declared.own is not None:
        return True
    if needs_scores:
        return False
    # Given classes are those of columns of scores; else 0.0 and 1.0 may be labels of y_true.
    return not _are_zero_or_one(values) or (classes is None and _occur_in(true, values))


def _have_columns(values: NDArray[Any]) -> bool:
    """More than one column: (n, 1) is one number per sample."""
    return values.ndim == 2 and values.shape[1] > 1


def _are_zero_or_one(values: NDArray[Any]) -> bool:
    """Only 0 and 1."""
    return bool(((values == 0) | (values == 1)).all())


def _occur_in(true: Column | Indicator, values: NDArray[Any]) -> bool:
    """Whether the 0 and 1 among the values are labels of `true`; always in multilabel data.

    If the other label is not 0, 1.0 may be a probability, as 0.999 is; likewise 0.0.
    """
    if isinstance(true, Indicator):
        return True
    if len(true.labels) == 2 and not _are_zero_or_one(true.labels):
        return False
    return true.labels.dtype.kind in "biuf" and bool(np.isin(values, true.labels).all())
