"""Estimator and X -> labels, or scores of the positive class."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter import rule as rules
from skmetrics_ext.adapter.columns import (
    NamedScores,
    check_single_column,
    columns_in_order,
    columns_named,
    is_one_hot,
)
from skmetrics_ext.adapter.estimator import (
    Answer,
    EstimatorClasses,
    ask,
    classes_for,
    is_regressor,
    read_classes,
    scores_of,
    with_both_columns,
)
from skmetrics_ext.adapter.positive import known_positive, positive_of
from skmetrics_ext.adapter.rule import Rule, advice_of_lacking, check_one_label
from skmetrics_ext.adapter.scale import (
    check_threshold_of_probabilities,
    is_one_number,
    looks_like_probability,
)
from skmetrics_ext.reading import order as orders
from skmetrics_ext.reading.containers import as_array
from skmetrics_ext.reading.labels import Column, Indicator, column_from_codes
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.order import check_same_kind, plain, position_of, positions_in, show

# A model without classes may predict scores.
SCORES_FIRST = ("predict_proba", "decision_function", "predict")


class Prediction(NamedTuple):
    """Targets and predictions as label arrays, and all classes that can be predicted, if known."""

    true: Any
    pred: Any
    classes: NDArray[Any] | None


class PositiveScores(NamedTuple):
    """Scores (n_samples,) of the positive class, this class, and all known classes."""

    scores: NDArray[Any]
    positive: Any
    known: NDArray[Any]


def predict_labels(
    estimator: Any,
    X: Any,
    true: Column | Indicator,
    rule: Rule,
    *,
    response_method: tuple[str, ...] = (),
    classes: NDArray[Any] | None = None,
    multilabel: bool | None = None,
    declared: EstimatorClasses | None = None,
) -> Prediction:
    """The labels that an estimator predicts for X, by the rule of scores; it may know `classes`."""
    rule = rule.ranked_by(classes, true)
    declared = declared or classes_for(estimator, true)
    answer = ask(estimator, X, response_method or _methods_for(rule), declared)
    check_can_be_reached(rule, (answer.method,))
    if response_method or (rule.threshold is not None and is_regressor(estimator)):
        # A regressor was fitted to 0 and 1, the scale of its scores.
        rule = rule._replace(scale="chosen")
    own = answer.classes.own
    known = answer.classes.known if classes is None else classes
    single = isinstance(true, Column) or multilabel is False
    if isinstance(true, Column) and known is not None:
        check_same_kind(true.labels, known, "y_true", "classes")
        if own is not None and not _are_numbers_of(own, known):
            check_same_kind(own, known, "the estimator's classes_", "classes")
            _check_lists_all(known, own, is_enough=True)
    if answer.method == "predict" and are_labels(answer, true, rule, classes, single):
        prediction = Prediction(true, answer.response, known)
    elif single and own is not None and len(own) == 1:
        # A model predicts the only class that it saw, whatever its scores.
        only = column_from_codes(np.zeros(len(answer.response), dtype=np.intp), own)
        prediction = Prediction(true, only, known)
    elif isinstance(true, Column):
        prediction = _one_label_a_sample(answer, true, rule, known, multilabel)
    else:
        prediction = _columns_of_labels(answer, true, rule, classes, multilabel)
    if isinstance(prediction.true, Column) and prediction.classes is not None:
        _warn_of_unseen_labels(prediction.true.labels, prediction.classes)
    return prediction


def predict_scores(
    estimator: Any, X: Any, true: Column, pos_label: Any, response_method: tuple[str, ...] = ()
) -> PositiveScores:
    """An estimator's scores of the positive class, which need not be its second class."""
    declared = classes_for(estimator, true)
    methods = response_method or (SCORES_FIRST if declared.own is None else SCORES_FIRST[:2])
    answer = ask(estimator, X, methods, declared)
    named_scores = scores_of(answer, true)
    if named_scores.are_of_labels:
        raise ValueError(
            "the estimator gives a list of arrays, like multilabel ones: one label per sample is "
            "needed."
        )
    scores, columns = columns_in_order(named_scores, true.labels, declared.own)
    check_same_kind(true.labels, columns, "y_true", "classes")
    _warn_of_unseen_labels(true.labels, columns)
    known = orders.sorted_union(np.sort(columns), true.labels)
    if len(columns) == 1:
        positive, place = positive_of(columns, pos_label, known=known)
        return PositiveScores(np.full(len(scores), float(place == 0)), positive, known)
    n_columns = 2 if scores.ndim == 1 else scores.shape[1]
    if n_columns != len(columns):
        raise ValueError(
            f"{answer.method} returns scores for {n_columns} classes, but classes_ are "
            f"{show(columns)}."
        )
    if pos_label is not None and position_of(known, pos_label) is not None:
        _check_learned(columns, pos_label)
    positive, place = positive_of(columns, pos_label)
    if scores.ndim == 2:
        return PositiveScores(scores[:, place], positive, known)
    check_single_column(named_scores, columns, plain(columns)[1])
    if place != 1:
        _check_declared(
            declared.own is not None, columns, positive, answer.method, "Give it classes_."
        )
        scores = _scores_of_other_class(scores, answer.method)
    return PositiveScores(scores, positive, known)


def _check_learned(columns: NDArray[Any], pos_label: Any) -> None:
    """Reject a class of which a model has no scores, as one that a training fold lacks."""
    if position_of(columns, pos_label) is None:
        raise ValueError(
            f"the model was fitted to samples of {show(columns)}, so it has no scores of "
            f"pos_label={pos_label!r}: fit it to samples of this class, too, e.g. by stratified "
            "folds."
        )


def predict_probabilities(
    estimator: Any, X: Any, true: Column, classes: NDArray[Any]
) -> NDArray[Any]:
    """An estimator's probabilities (n_samples, n_classes) of all classes, also of unseen ones."""
    answer = ask(estimator, X, ("predict_proba",), read_classes(estimator))
    scores = scores_of(answer, true)
    check_one_label(scores, None)
    shares, columns = columns_in_order(scores, classes, answer.classes.own)
    check_same_kind(true.labels, columns, "y_true", "classes")
    _warn_of_unseen_labels(true.labels, columns)
    if shares.ndim == 1:
        # A model that saw one class gives it probability 1.
        shares = np.stack([shares] if len(columns) == 1 else [1 - shares, shares], axis=1)
    return _with_all_classes(shares, columns, classes, answer.method)


def _methods_for(rule: Rule) -> tuple[str, ...]:
    """Labels from predict, unless the rule needs scores."""
    if rule.cost_matrix is not None:
        return ("predict_proba", "predict")
    return ("predict",) if rule.threshold is None else SCORES_FIRST


def check_can_be_reached(rule: Rule, methods: tuple[str, ...]) -> None:
    """Reject a threshold that no or every probability reaches, unless for other scores."""
    if methods == ("predict_proba",) and is_one_number(rule.threshold):
        check_threshold_of_probabilities(
            rule.threshold, "; response_method='decision_function' returns other scores"
        )


def _one_label_a_sample(
    answer: Answer, true: Column, rule: Rule, known: NDArray[Any] | None, multilabel: bool | None
) -> Prediction:
    """Scores for 1-D targets as labels."""
    named_scores = scores_of(answer, true)
    check_one_label(named_scores, multilabel)
    own = answer.classes.own
    scores, columns = columns_in_order(named_scores, true.labels, known if own is None else own)
    order = columns if known is None else known
    scores = _with_all_classes(scores, columns, order, answer.method)
    is_declared = own is not None or known is not None
    if scores.ndim == 1 and len(columns) == 2:
        check_single_column(named_scores, columns, plain(columns)[1])
    scores, class_position = _oriented_scores(
        answer, scores, columns, order, rule, is_declared=is_declared
    )
    if rule.threshold is None and class_position is not None:
        rule = _with_ties_of_positive(rule, order, class_position)
    if answer.method == "decision_function":
        rule = _rule_of_decisions(rule, answer, scores, is_cut=scores.ndim == 1)
    return Prediction(*rules.decode_column(true, scores, order, rule, class_position))


def _columns_of_labels(
    answer: Answer,
    true: Indicator,
    rule: Rule,
    classes: NDArray[Any] | None,
    multilabel: bool | None,
) -> Prediction:
    """Scores for 2-D targets as labels: one per sample if the targets are one-hot, else several."""
    answer = with_both_columns(answer)
    scores = scores_of(answer, true)
    if multilabel is None:
        multilabel = not is_one_hot(true.values, scores.values)
    own = answer.classes.own
    if multilabel and own is not None:
        # scikit-learn numbers multilabel columns; XGBoost's classes are the 0 and 1 in them.
        are_names = len(own) == true.values.shape[1] and not _are_column_numbers(own)
        own = own if are_names else None
    order = own if classes is None else classes
    # Where classes are known, the names of columns are applied here, and gone.
    if own is not None and not multilabel and not scores.are_of_labels:
        order = np.sort(own) if classes is None else classes
        columns = columns_named(scores, own)
        scores = NamedScores(_with_all_classes(columns, own, order, answer.method))
    elif order is not None:
        scores = NamedScores(columns_named(scores, order))
    if answer.method == "decision_function":
        rule = _rule_of_decisions(rule, answer, scores.values, is_cut=multilabel)
    return Prediction(*rules.decode_indicator(true, scores, rule, order, multilabel))


def _with_all_classes(
    scores: NDArray[Any], own: NDArray[Any], order: NDArray[Any], method: str
) -> NDArray[Any]:
    """The columns in the order of all classes, with probability 0 for an unseen one."""
    if own is order or np.array_equal(own, order):
        return scores
    if _are_numbers_of(own, order):
        return scores
    check_same_kind(own, order, "the estimator's classes_", "classes")
    are_as_many = len(own) == len(order)
    # No decision value stands for an unseen class.
    lacks_values = method == "decision_function" and len(own) < len(order)
    is_enough = not lacks_values and (scores.ndim == 2 or are_as_many)
    _check_lists_all(order, own, is_enough=is_enough)
    if scores.ndim == 1:
        return scores
    in_order = np.zeros((len(scores), len(order)), dtype=scores.dtype)
    in_order[:, positions_in(order, own)] = scores
    return in_order


def _check_lists_all(classes: NDArray[Any], own: NDArray[Any], *, is_enough: bool) -> None:
    """Reject classes without one of the estimator's, or of which it has too few."""
    if not is_enough or (positions_in(classes, own) == len(classes)).any():
        raise ValueError(
            f"classes={show(classes)} do not match the estimator, whose classes_ are {show(own)}: "
            "omit classes, or list these plus any that may be missing from its training data."
        )


def _are_numbers_of(own: NDArray[Any], order: NDArray[Any]) -> bool:
    """Whether a model was fitted to the numbers of one-hot columns, which a caller can name."""
    are_numbers = orders.KIND_OF_DTYPE[order.dtype.kind] == "numbers"
    return len(own) == len(order) and _are_column_numbers(own) and not are_numbers


def _are_column_numbers(own: NDArray[Any]) -> bool:
    """Whether classes are 0, 1, 2, ..."""
    return bool(np.array_equal(own, np.arange(len(own))))


def _oriented_scores(
    answer: Answer,
    scores: NDArray[Any],
    own: NDArray[Any],
    order: NDArray[Any],
    rule: Rule,
    *,
    is_declared: bool,
) -> tuple[NDArray[Any], int | None]:
    """1-D scores and the position of their class; reversed if a threshold is for the other."""
    if scores.ndim == 2 or len(own) != 2:
        return scores, None
    scored_class = plain(own)[1]
    position = position_of(order, scored_class)
    if not is_one_number(rule.threshold):
        return scores, position
    positive, place = rule.positive_among(order)
    if scored_class == positive:
        return scores, position
    advice = (
        "Pass classes= with the class of the scores second, or give the estimator a classes_ "
        "attribute."
    )
    _check_declared(is_declared, own, positive, answer.method, advice)
    return _scores_of_other_class(scores, answer.method), place


def _with_ties_of_positive(rule: Rule, order: NDArray[Any], class_position: int) -> Rule:
    """Ties at 0.5 or 0 are those of scores of the positive class, if it is known."""
    positive = known_positive(order, rule.pos_label, rule.default_positive)
    if positive is None or position_of(order, positive) == class_position:
        return rule
    # Reversing the scores could round them.
    return rule._replace(ties="negative" if rule.ties == "positive" else "positive")


def _check_declared(
    is_declared: bool, classes: NDArray[Any], positive: Any, method: str, advice: str
) -> None:
    """Reject reversing scores if only the alphabet says that they are of the other class."""
    if not is_declared:
        raise ValueError(
            f"{method} returns one score per sample, the estimator has no classes_, and "
            f"pos_label={positive!r} is the first of {show(classes)}: it is not known which class "
            f"the scores are for. {advice}"
        )


def _rule_of_decisions(rule: Rule, answer: Answer, scores: Any, *, is_cut: bool) -> Rule:
    """Decision values are thresholded at 0 where probabilities are at 0.5, or at any number."""
    if rule.cost_matrix is not None:
        raise ValueError(
            "cost_matrix needs probabilities, and decision_function returns none: use "
            "predict_proba."
        )
    if rule.threshold is None:
        return rule._replace(threshold=np.asarray(0.0)) if is_cut else rule
    if rule.scale == "unknown":
        _warn_of_decisions(rule, answer, np.asarray(scores))
    # With a column per class, decision values may be the softmax of a network.
    return rule._replace(scale="decisions" if is_cut else "chosen")


def _warn_of_decisions(rule: Rule, answer: Answer, scores: NDArray[Any]) -> None:
    """Warn of a threshold like a probability for decision values that were not requested."""
    if is_one_number(rule.threshold) and looks_like_probability(rule.threshold, scores):
        warn(
            f"threshold={float(rule.threshold):g} is compared with the values of "
            f"decision_function, which are not probabilities, because {answer.estimator} has no "
            "predict_proba: wrap it in sklearn's CalibratedClassifierCV, or pass "
            "response_method='decision_function' if the threshold is for such values."
        )


def _scores_of_other_class(scores: NDArray[Any], method: str) -> NDArray[Any]:
    """The scores of one of two classes as those of the other."""
    return -scores if method == "decision_function" else 1 - scores


def _warn_of_unseen_labels(present: NDArray[Any], known: NDArray[Any]) -> None:
    """Actual labels that the estimator cannot predict are errors, which warrants a warning."""
    if orders.are_equal(present, known):
        return
    unseen = present[positions_in(known, present) == len(known)]
    if len(unseen):
        warn(
            f"y_true has labels {show(unseen)} that the estimator never saw in training: they are "
            f"counted as errors. {advice_of_lacking()}"
        )


def are_labels(
    answer: Answer, true: Column | Indicator, rule: Rule, classes: NDArray[Any] | None, single: bool
) -> bool:
    """Whether `predict` returned labels; an error if the rule needs scores."""
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
