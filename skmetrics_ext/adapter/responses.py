"""Estimator and X -> labels or scores: the one place that asks an estimator anything."""

import inspect
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.columns import (
    check_single_column,
    columns_in_order,
    columns_matched,
    columns_named,
    read_scores,
)
from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.adapter.rule import Rule, decode
from skmetrics_ext.reading.labels import Column, Indicator, column_from_codes, read_labels, read_order
from skmetrics_ext.reading.messages import levels_to_caller
from skmetrics_ext.reading.names import check_same_samples, index_of
from skmetrics_ext.reading.order import check_same_kind, plain, position_of, positions_in, show, sorted_union, with_all

METHODS = ("predict", "predict_proba", "decision_function")


class Prediction(NamedTuple):
    """Targets and predictions as label arrays, and all classes that the prediction may take, if known."""

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


def classes_of(estimator: Any) -> NDArray[Any] | None:
    """The label of each column of the estimator's scores, if it tells; multi-output estimators have several."""
    classes = getattr(estimator, "classes_", None)
    if classes is None or (isinstance(classes, list) and any(np.ndim(column) for column in classes)):
        return None
    return read_order(classes, "classes_")


def known_labels(estimator: Any, y_true: Any, classes: NDArray[Any] | None) -> NDArray[Any] | None:
    """All labels that a prediction for `y_true` is about, as far as they are known without it."""
    own = classes_of(estimator)
    known = np.sort(own) if classes is None and own is not None else classes
    try:
        true = read_labels(y_true, "y_true")
        if isinstance(true, Column):
            return None if known is None else with_all(known, true.labels)
    except (TypeError, ValueError):
        return known
    return np.arange(true.values.shape[1]) if known is None else known


def predict_labels(
    estimator: Any,
    X: Any,
    true: Column | Indicator,
    rule: Rule,
    *,
    response_method: tuple[str, ...] = (),
    classes: NDArray[Any] | None = None,
    multilabel: bool | None = None,
) -> Prediction:
    """What an estimator predicts for X as labels, by the rule where it gives scores; `true` has been read.

    The estimator's own classes name its columns; `classes` are all that it might have
    had, or those of the columns of an estimator that does not tell.
    """
    own = classes_of(estimator)
    # The order of classes_ is not the caller's: labels are sorted unless he names them.
    known = np.sort(own) if classes is None and own is not None else classes
    method = _first_method(estimator, response_method or _methods_for(rule))
    response = response_of(estimator, method, X)
    single = isinstance(true, Column) or multilabel is False
    if method == "predict" and _are_labels(response, true, single, estimator, classes, rule):
        if isinstance(true, Column) and known is not None:
            _warn_of_strangers(true.labels, known)
        return Prediction(true, response, known)
    if own is not None and len(own) == 1 and single:
        if isinstance(true, Column) and known is not None:
            _warn_of_strangers(true.labels, known)
        constant = np.zeros(len(response), dtype=np.intp)
        return Prediction(true, column_from_codes(constant, own, "y_pred"), known)
    scores = read_scores(_as_pairs(response, estimator) if isinstance(response, list) else response)
    check_same_samples(true.index, index_of(response), ("y_true", f"what {method} gives"), default_is_name=False)
    if isinstance(true, Indicator):
        _, scores, _ = columns_matched(true, response, scores, own if classes is None else classes)
    elif known is None and not isinstance(scores, list):
        scores, known = columns_in_order(response, scores, true.labels, None)
    elif known is not None:
        scores = columns_named(response, scores, known if own is None else own)
    if own is not None and known is not None and single:
        scores = _in_order(scores, own, known, method)
    scores, speaks_of = _of_class(response, scores, method, known if own is None else own, known, rule)
    if method == "decision_function":
        rule = _rule_of_decisions(rule, scores, single)
    true, pred, order = decode(true, scores, rule, known, multilabel, speaks_of)
    if isinstance(true, Column) and order is not None:
        _warn_of_strangers(true.labels, order)
    return Prediction(true, pred, order)


def scores_of_positive(estimator: Any, X: Any, true: Column, pos_label: Any) -> tuple[NDArray[Any], Any, NDArray[Any]]:
    """An estimator's scores (n_samples,) of the positive class, this class, and all that are known."""
    own = classes_of(estimator)
    methods = ("predict_proba", "decision_function") if own is not None else METHODS[1:] + METHODS[:1]
    method = _first_method(estimator, methods)
    response = response_of(estimator, method, X)
    scores = read_scores(response)
    if isinstance(scores, list):
        raise ValueError("the estimator gives a list of arrays, as multilabel ones do: one label a sample is needed.")
    check_same_samples(true.index, index_of(response), ("y_true", f"what {method} gives"), default_is_name=False)
    if own is None:
        scores, columns = columns_in_order(response, scores, true.labels, None)
    else:
        scores, columns = columns_named(response, scores, own), own
    _warn_of_strangers(true.labels, columns)
    known = sorted_union(np.sort(columns), true.labels)
    if len(columns) == 1:
        # The model saw one class, and gives it all probability.
        positive = positive_of(known, pos_label)
        return np.full(len(scores), float(position_of(columns, positive) == 0)), positive, known
    n_columns = 2 if scores.ndim == 1 else scores.shape[1]
    if n_columns != len(columns):
        raise ValueError(
            f"{method} gives scores of {n_columns} classes, but the estimator's classes_ are {show(columns)}."
        )
    positive = positive_of(columns, pos_label)
    position = position_of(columns, positive)
    if scores.ndim == 1:
        check_single_column(response, scores, columns, plain(columns)[1])
        return scores if position == 1 else _of_the_other(scores, method), positive, known
    return scores[:, position], positive, known


def _methods_for(rule: Rule) -> tuple[str, ...]:
    """Labels from predict, unless the rule is about scores."""
    if rule.cost_matrix is not None:
        return ("predict_proba", "predict")
    return ("predict",) if rule.threshold is None else ("predict_proba", "decision_function", "predict")


def response_of(estimator: Any, method: str, X: Any) -> Any:
    """What a method gives. That of a Keras model prints a progress bar unless told not to, in each fold."""
    respond = getattr(estimator, method)
    if hasattr(estimator, "classes_") or "verbose" not in inspect.signature(respond).parameters:
        return respond(X)
    return respond(X, verbose=0)


def _first_method(estimator: Any, methods: tuple[str, ...]) -> str:
    """The first of the methods that the estimator has."""
    for method in methods:
        if callable(getattr(estimator, method, None)):
            return method
    raise TypeError(f"{type(estimator).__name__} has none of the methods {list(methods)} that this score needs.")


def _are_labels(
    response: Any,
    true: Column | Indicator,
    single: bool,
    estimator: Any,
    classes: NDArray[Any] | None,
    rule: Rule,
) -> bool:
    """Whether `predict` gave labels; regressors and neural networks give probabilities."""
    values = np.asarray(response)
    own = classes_of(estimator)
    about_scores = rule.threshold is not None or rule.cost_matrix is not None
    if values.ndim == 2 and values.shape[1] > 1:
        are_labels = not single and bool(np.isin(values, (0, 1)).all())
        # Floats of a model that is no classifier are probabilities, however certain.
        doubtful = values.dtype.kind == "f" and (about_scores or not hasattr(estimator, "classes_"))
    elif values.dtype.kind != "f":
        are_labels, doubtful = True, False
    elif (values != np.rint(values)).any():
        return False
    else:
        # Whole floats may be labels, or probabilities that are all 0 and 1.
        zero_one = bool(np.isin(values, (0, 1)).all())
        if own is not None or not zero_one:
            are_labels = True
        else:
            labels = true.labels if isinstance(true, Column) else np.array([0, 1])
            are_labels = classes is None and labels.dtype.kind in "biuf" and bool(np.isin(values, labels).all())
        doubtful = about_scores and own is None
    if are_labels and about_scores and not doubtful:
        raise ValueError(
            "the estimator's predict gives labels, and it has no scores for a threshold or for costs to act on: "
            "use an estimator with predict_proba."
        )
    return are_labels and not doubtful


def _rule_of_decisions(rule: Rule, scores: Any, single: bool) -> Rule:
    """Decision values are cut at 0 where probabilities are cut at 0.5."""
    if rule.cost_matrix is not None:
        raise ValueError("cost_matrix needs probabilities, and decision_function gives none: use predict_proba.")
    if rule.threshold is None and (np.ndim(scores) == 1 or not single):
        return rule._replace(threshold=np.asarray(0.0))
    return rule


def _as_pairs(response: list[Any], estimator: Any) -> list[Any]:
    """A multilabel predict_proba with two columns a label, also where training saw a label always or never."""
    classes = getattr(estimator, "classes_", None)
    if not isinstance(classes, list) or any(np.ndim(column) != 2 for column in response):
        return response
    pairs = []
    for columns, labels in zip(response, classes, strict=True):
        pair = np.zeros((len(columns), 2), dtype=np.asarray(columns).dtype)
        pair[:, np.asarray(labels).astype(np.intp)] = columns
        pairs.append(pair)
    return pairs


def _in_order(scores: Any, own: NDArray[Any], classes: NDArray[Any], method: str) -> Any:
    """The estimator's columns in the order of `classes`, with probability 0 for a class its training lacked."""
    if np.array_equal(own, classes):
        return scores
    check_same_kind(own, classes, "the estimator's classes_", "classes")
    columns = positions_in(classes, own)
    if scores.ndim == 1 and len(own) == len(classes) and columns.max() < len(classes):
        return scores
    if scores.ndim == 1 or columns.max() == len(classes) or (method == "decision_function" and len(own) < len(classes)):
        raise ValueError(
            f"classes={show(classes)} do not fit the estimator, whose classes_ are {show(own)}: leave classes "
            "out, or name these and those that its training may lack."
        )
    in_order = np.zeros((len(scores), len(classes)), dtype=scores.dtype)
    in_order[:, columns] = scores
    return in_order


def _of_class(
    response: Any, scores: Any, method: str, own: NDArray[Any] | None, known: NDArray[Any] | None, rule: Rule
) -> tuple[Any, int | None]:
    """1-D scores, and the position of the class that they speak of: the second one of an estimator.

    One threshold is for the positive class, so that they are turned where it is the other.
    """
    if isinstance(scores, list) or scores.ndim == 2 or known is None or own is None or len(own) != 2:
        return scores, None
    spoken = plain(own)[1]
    check_single_column(response, scores, own, spoken)
    position = position_of(known, spoken)
    if isinstance(rule.threshold, np.ndarray) and not rule.threshold.ndim:
        positive = position_of(known, positive_of(known, rule.pos_label, rule.carried))
        return scores if positive == position else _of_the_other(scores, method), positive
    return scores, position


def _of_the_other(scores: NDArray[Any], method: str) -> NDArray[Any]:
    """The scores of the one of two classes as those of the other."""
    return -scores if method == "decision_function" else 1 - scores


def _warn_of_strangers(present: NDArray[Any], known: NDArray[Any]) -> None:
    """True labels that the estimator cannot predict are errors, which deserves a word."""
    check_same_kind(present, known, "y_true", "classes")
    strangers = present[positions_in(known, present) == len(known)]
    if len(strangers):
        warnings.warn(
            f"y_true has labels {show(strangers)} that the estimator never saw; they count as errors of "
            "the classes predicted for them.",
            UserWarning,
            stacklevel=levels_to_caller(),
        )
