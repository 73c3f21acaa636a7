"""Estimator and X -> labels or scores: the one place that asks an estimator anything."""

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.labels import Column, position_of, positions_in, read_order, show
from skmetrics_ext.probabilities import Rule, decode

METHODS = ("predict", "predict_proba", "decision_function")


class Prediction(NamedTuple):
    """Targets and predictions as label arrays, and the classes that the estimator knows."""

    true: Any
    pred: Any
    classes: NDArray[Any] | None


def check_response_method(response_method: str | Sequence[str]) -> tuple[str, ...]:
    """The methods to try, in order; none for "auto", where the rule decides."""
    chosen = (response_method,) if isinstance(response_method, str) else tuple(response_method)
    if chosen == ("auto",):
        return ()
    if not chosen or any(method not in METHODS for method in chosen):
        raise ValueError(
            f"response_method must be 'auto' or one or several of {list(METHODS)}; got {response_method!r}."
        )
    return chosen


def predict_labels(
    estimator: Any,
    X: Any,
    true: Column | Any,
    rule: Rule,
    *,
    response_method: tuple[str, ...] = (),
    classes: ArrayLike | None = None,
    multilabel: bool | None = None,
) -> Prediction:
    """What an estimator predicts for X as labels, by the rule where it gives scores; `true` has been read."""
    known = classes_of(estimator) if classes is None else read_order(classes)
    method = _first_method(estimator, response_method or _methods_for(rule))
    response = getattr(estimator, method)(X)
    if method == "predict" and _are_labels(response, true, rule):
        return Prediction(true, response, known)
    if method == "decision_function":
        rule = _rule_of_decisions(rule, response, true)
    scores = _of_positive_class(response, method, known, rule)
    true, pred, order = decode(true, scores, rule, known, multilabel)
    if isinstance(true, Column) and order is not None:
        _warn_of_strangers(true.labels, order)
    return Prediction(true, pred, order)


def _methods_for(rule: Rule) -> tuple[str, ...]:
    """Labels from predict, unless the rule is about scores."""
    if rule.cost_matrix is not None:
        return ("predict_proba", "predict")
    return ("predict",) if rule.threshold is None else ("predict_proba", "decision_function", "predict")


def _first_method(estimator: Any, methods: tuple[str, ...]) -> str:
    """The first of the methods that the estimator has."""
    for method in methods:
        if callable(getattr(estimator, method, None)):
            return method
    raise TypeError(f"{type(estimator).__name__} has none of the methods {list(methods)} that this score needs.")


def classes_of(estimator: Any) -> NDArray[Any] | None:
    """The label order of the estimator's columns, if it tells; multi-output estimators have several."""
    classes = getattr(estimator, "classes_", None)
    if classes is None or isinstance(classes, list):
        return None
    return read_order(classes)


def _are_labels(response: Any, true: Column | Any, rule: Rule) -> bool:
    """Whether `predict` gave labels; regressors and neural networks give probabilities."""
    values = np.asarray(response)
    if values.ndim == 2 and values.shape[1] > 1:
        return not isinstance(true, Column) and bool(np.isin(values, (0, 1)).all())
    about_scores = rule.threshold is not None or rule.cost_matrix is not None
    if values.dtype.kind == "f":
        numeric = not isinstance(true, Column) or true.labels.dtype.kind in "biuf"
        return numeric and not about_scores and bool((values == np.rint(values)).all())
    if about_scores:
        raise ValueError(
            "the estimator's predict gives labels, and it has no scores for a threshold or for costs "
            "to act on: use an estimator with predict_proba or decision_function."
        )
    return True


def _rule_of_decisions(rule: Rule, response: Any, true: Column | Any) -> Rule:
    """Decision values are cut at 0 where probabilities are cut at 0.5."""
    if rule.cost_matrix is not None:
        raise ValueError("cost_matrix needs probabilities, and decision_function gives none: use predict_proba.")
    separate = np.ndim(response) == 1 or not isinstance(true, Column)
    return rule._replace(threshold=np.asarray(0.0)) if rule.threshold is None and separate else rule


def _of_positive_class(response: Any, method: str, known: NDArray[Any] | None, rule: Rule) -> Any:
    """1-D scores of an estimator speak of its second class; turn them if the first one is positive."""
    one_score = np.ndim(response) == 1 or (np.ndim(response) == 2 and np.shape(response)[1] == 1)
    if known is None or len(known) != 2 or not one_score or position_of(known, rule.pos_label) != 0:
        return response
    scores = np.asarray(response)
    return -scores if method == "decision_function" else 1 - scores


def _warn_of_strangers(present: NDArray[Any], known: NDArray[Any]) -> None:
    """True labels that the estimator cannot predict are errors, which deserves a word."""
    strangers = present[positions_in(known, present) == len(known)]
    if len(strangers):
        warnings.warn(
            f"y_true has labels {show(strangers)} that the estimator never saw; they count as errors of "
            "the classes predicted for them.",
            UserWarning,
            stacklevel=2,
        )
