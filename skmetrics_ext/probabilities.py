"""Scores -> codes, the adapter: thresholds, ties, costs and one-hot targets; labels_from_scores decodes them."""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from skmetrics_ext.labels import (
    Column,
    check_same_kind,
    column_from_codes,
    position_of,
    read_labels,
    read_order,
    show,
)

Ties = Literal["positive", "negative"]

# How far from 1 the sum of a row of probabilities may be: float32 softmax over many classes.
SUM_TOLERANCE = 1e-3

LACKING = "A scorer whose models may lack a class in training takes all with classes=[...]."


class Rule(NamedTuple):
    """How scores become labels; checked when it is made by `make_rule`."""

    threshold: NDArray[Any] | None
    ties: Ties
    pos_label: Any
    cost_matrix: NDArray[Any] | None


def labels_from_scores(
    y_score: Any,
    *,
    classes: ArrayLike | None = None,
    threshold: float | ArrayLike | None = None,
    ties: Ties = "positive",
    pos_label: Any = None,
    cost_matrix: ArrayLike | None = None,
) -> NDArray[Any]:
    """Predicted labels of scores: argmax of 2-D scores, p >= 0.5 of 1-D probabilities, or as a threshold or costs say.

    Parameters
    ----------
    y_score : array-like of shape (n_samples,), (n_samples, 1), (n_samples, n_classes), \
or list of n_labels arrays (n_samples, 2)
        Probabilities or other scores, the larger the likelier. 1-D scores and a single
        column are those of the positive class. A list is the `predict_proba` of a
        multilabel model.
    classes : array-like of shape (n_classes,), default=None
        Label of each column, in order (for 1-D scores: of the negative and of the positive
        class). None: the column numbers 0, 1, ...
    threshold : float or array-like of shape (n_classes,), default=None
        A number is for two classes: the positive class is predicted where its score reaches
        the threshold. One number above 0 a class predicts argmax(score_k / threshold_k).
        None: 0.5 for 1-D scores, argmax (ties to the first class) for 2-D ones.
    ties : {"positive", "negative"}, default="positive"
        What a score equal to a threshold of two classes predicts: score >= threshold is
        positive, or only score > threshold.
    pos_label : int, float, bool or str, default=None
        The class that the threshold and 1-D scores speak of. None: the second of `classes`.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Cost of each actual class (row) predicted as each class (column). The class of least
        expected cost, argmin(p @ cost), is predicted.

    Returns
    -------
    ndarray of shape (n_samples,)
        Labels, of the type of `classes`; for a list of arrays a 0/1 indicator of shape
        (n_samples, n_labels).

    Raises
    ------
    ValueError
        If scores are NaN or infinite, the columns do not match `classes`, the threshold does
        not fit the columns or is not positive where it divides, 1-D scores lie outside
        [0, 1] without a threshold, or both a threshold and costs are given.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI; for one threshold a
    class, the cutoff of randomForest (R).

    Examples
    --------
    >>> from skmetrics_ext import labels_from_scores
    >>> labels_from_scores([0.4, 0.7, 0.3], classes=["benign", "malignant"])
    array(['benign', 'malignant', 'benign'], dtype='<U9')
    >>> labels_from_scores([0.4, 0.7, 0.3], classes=["benign", "malignant"], threshold=0.35)
    array(['malignant', 'malignant', 'benign'], dtype='<U9')
    >>> labels_from_scores([[0.2, 0.5, 0.3], [0.1, 0.4, 0.5]])
    array([1, 2])
    >>> labels_from_scores([[0.9, 0.1], [0.6, 0.4]], cost_matrix=[[0, 1], [5, 0]])
    array([0, 1])
    """
    rule = make_rule(threshold=threshold, ties=ties, pos_label=pos_label, cost_matrix=cost_matrix)
    scores = read_scores(y_score)
    if isinstance(scores, list):
        return _indicator_of_pairs(scores, rule).astype(np.int64)
    n_classes = max(2, scores.shape[-1]) if scores.ndim == 2 else 2
    order = np.arange(n_classes) if classes is None else order_of_columns(y_score, classes)
    labels: NDArray[Any] = order[codes_from_scores(scores, order, rule)]
    return labels


def make_rule(
    *,
    threshold: float | ArrayLike | None = None,
    ties: Ties = "positive",
    pos_label: Any = None,
    cost_matrix: ArrayLike | None = None,
) -> Rule:
    """Check what can be known of a rule without data."""
    if ties not in ("positive", "negative"):
        raise ValueError(
            f"ties must be 'positive' (score >= threshold) or 'negative' (score > threshold); got {ties!r}."
        )
    if threshold is not None and cost_matrix is not None:
        raise ValueError("threshold and cost_matrix both decide the label: pass one of them.")
    cut = None if threshold is None else _read_numbers(threshold, "threshold").copy()
    costs = None if cost_matrix is None else _read_numbers(cost_matrix, "cost_matrix").copy()
    if cut is not None:
        if cut.ndim > 1:
            raise ValueError(f"threshold must be a number, or one number a class; it has shape {cut.shape}.")
        if cut.ndim == 1 and (cut <= 0).any():
            raise ValueError(f"threshold={cut.tolist()} must be positive: scores are divided by it.")
    if costs is not None and (costs.ndim != 2 or costs.shape[0] != costs.shape[1]):
        raise ValueError(
            f"cost_matrix must be square, actual classes in rows and predicted in columns; it has shape {costs.shape}."
        )
    return Rule(cut, ties, pos_label, costs)


def read_scores(y_score: Any) -> NDArray[np.float64] | list[NDArray[np.float64]]:
    """Finite scores (n,) or (n, K), or a list of L arrays (n, 2)."""
    if isinstance(y_score, list) and y_score and np.ndim(y_score[0]) == 2:
        pairs = [_read_numbers(pair, "y_score") for pair in y_score]
        if not len(pairs[0]):
            raise ValueError("y_score is empty: its arrays have no samples, and at least 1 is needed.")
        if any(pair.ndim != 2 or pair.shape != (len(pairs[0]), 2) for pair in pairs):
            raise ValueError(
                "y_score is a list of arrays, as a multilabel predict_proba gives: each must be of shape "
                f"(n_samples, 2); got {[pair.shape for pair in pairs]}."
            )
        return pairs
    scores = _read_numbers(y_score, "y_score")
    if scores.ndim not in (1, 2):
        raise ValueError(f"y_score must be 1-D or 2-D; it has shape {scores.shape}.")
    if not scores.size:
        raise ValueError(f"y_score is empty (shape {scores.shape}): at least 1 sample is needed.")
    return scores[:, 0] if scores.ndim == 2 and scores.shape[1] == 1 else scores


def codes_from_scores(scores: NDArray[Any], classes: NDArray[Any], rule: Rule) -> NDArray[Any]:
    """The code into `classes` that the rule predicts for each row of scores."""
    n_columns = 2 if scores.ndim == 1 else scores.shape[1]
    if n_columns != len(classes):
        columns = "1-D scores are for two classes" if scores.ndim == 1 else f"y_score has {n_columns} columns"
        raise ValueError(
            f"{columns}, but classes names {len(classes)}: {show(classes)}. Name each column once, in order."
        )
    check_rule_fits(rule, classes)
    positive = 0 if position_of(classes, rule.pos_label) == 0 else 1
    cut = rule.threshold
    if rule.cost_matrix is not None:
        return np.asarray(np.argmin(_two_columns(scores, positive, "cost_matrix") @ rule.cost_matrix, axis=1))
    if cut is not None and cut.ndim:
        return np.asarray(np.argmax(_two_columns(scores, positive, "one threshold a class") / cut, axis=1))
    if cut is None and scores.ndim == 2:
        return np.asarray(np.argmax(scores, axis=1))
    if cut is None:
        _check_probabilities(scores)
    is_positive = _reaches(scores if scores.ndim == 1 else scores[:, positive], cut, rule.ties)
    return np.where(is_positive, positive, 1 - positive)


def check_rule_fits(rule: Rule, classes: NDArray[Any]) -> None:
    """Check what can be known of a rule and the classes without scores."""
    n_classes = len(classes)
    if rule.pos_label is not None and position_of(classes, rule.pos_label) is None:
        raise ValueError(f"pos_label={rule.pos_label!r} is not one of the classes {show(classes)}.")
    if rule.cost_matrix is not None and len(rule.cost_matrix) != n_classes:
        raise ValueError(
            f"cost_matrix has shape {rule.cost_matrix.shape} for {n_classes} classes: {show(classes)}. {LACKING}"
        )
    cut = rule.threshold
    if cut is None:
        return
    if cut.ndim and len(cut) != n_classes:
        raise ValueError(
            f"threshold has {len(cut)} numbers for {n_classes} classes: pass one number a class. {LACKING}"
        )
    if not cut.ndim and n_classes > 2:
        raise ValueError(
            f"threshold={float(cut)} is one number, but there are {n_classes} classes: pass one number "
            "above 0 a class (the largest score / threshold wins), or threshold=None for the argmax."
        )


def decode(
    y_true: Any, y_score: Any, rule: Rule, classes: ArrayLike | None = None, multilabel: bool | None = None
) -> tuple[Any, Any, NDArray[Any] | None]:
    """Targets and scores as label arrays for `labels.encode`, and the classes of the columns.

    One-hot targets become labels here, and only here.
    """
    scores = read_scores(y_score)
    true = read_labels(y_true, "y_true")
    if isinstance(true, Column):
        if multilabel or isinstance(scores, list):
            raise ValueError("y_true is 1-D, one label a sample; multilabel scores need a 2-D 0/1 y_true.")
        scores, order = columns_in_order(y_score, scores, true.labels, classes)
        check_same_kind(true.labels, order, "y_true", "classes")
        return true, column_from_codes(codes_from_scores(scores, order, rule), order, "y_score"), order
    check_same_columns(y_true, y_score)
    if isinstance(true, sparse.csr_array):
        true = true.toarray()
    if multilabel is None:
        multilabel = isinstance(scores, list) or not is_one_hot(true, scores)
    if multilabel:
        return true, _indicator(scores, true.shape, rule), None
    if isinstance(scores, list) or scores.shape != true.shape:
        shape = "a list" if isinstance(scores, list) else f"shape {scores.shape}"
        raise ValueError(
            f"y_true is one-hot with shape {true.shape}, but y_score is {shape}: one column a class in both."
        )
    if (true.sum(axis=1) != 1).any():
        raise ValueError("multilabel=False, but some rows of y_true do not have exactly one 1.")
    order = np.arange(true.shape[1]) if classes is None else order_of_columns(y_score, classes)
    predicted = codes_from_scores(scores, order, rule)
    return (
        column_from_codes(true.argmax(axis=1), order, "y_true"),
        column_from_codes(predicted, order, "y_score"),
        order,
    )


def named_columns(y_score: Any, present: NDArray[Any]) -> NDArray[Any] | None:
    """The columns of a data frame that are named as the labels are."""
    names = _names_of(y_score)
    if present.dtype.kind != "U" or names is None:
        return None
    if not np.isin(present, names).all():
        raise ValueError(
            f"y_score has the columns {show(names)}, but y_true has the labels {show(present)}: name the columns as "
            "the labels, or pass classes=[...], the label of each column in order."
        )
    return names


def columns_in_order(
    y_score: Any, scores: NDArray[Any], present: NDArray[Any], classes: ArrayLike | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Scores and the class of each column: as given, by its name in a data frame, or inferred."""
    if classes is not None:
        return scores, order_of_columns(y_score, classes)
    names = named_columns(y_score, present) if scores.ndim == 2 else None
    if names is None:
        return scores, inferred_classes(present, scores)
    # Sorted as the labels are, so that no class is positive for its place in the frame.
    return scores[:, np.argsort(names)], np.sort(names)


def check_same_columns(y_true: Any, y_score: Any) -> None:
    """Refuse two data frames that have the same columns in two orders."""
    true, score = _names_of(y_true), _names_of(y_score)
    if true is not None and score is not None and _reordered(true, score):
        raise ValueError(
            f"y_true has the columns {show(true)}, but y_score has them in another order, {show(score)}: pass "
            "y_score[y_true.columns]."
        )


def _names_of(frame: Any) -> NDArray[np.str_] | None:
    """The names of a data frame's columns, if they are strings."""
    names = list(getattr(frame, "columns", []))
    return np.array(names) if names and all(isinstance(name, str) for name in names) else None


def _reordered(names: NDArray[Any], others: NDArray[Any]) -> bool:
    """Whether the same names stand in two orders."""
    return np.array_equal(np.sort(names), np.sort(others)) and not np.array_equal(names, others)


def in_precision_of(scores: NDArray[Any], thresholds: NDArray[Any]) -> NDArray[Any]:
    """Thresholds as numbers of the scores' type, in which 0.7 equals float32's 0.7."""
    with np.errstate(over="ignore"):
        # What is beyond the largest float32 is beyond all scores, as infinity is.
        return thresholds.astype(scores.dtype)


def order_of_columns(y_score: Any, classes: ArrayLike) -> NDArray[Any]:
    """The classes of the columns as given, unless a data frame names them in another order."""
    order = read_order(classes, "classes")
    names = _names_of(y_score)
    if names is not None and order.dtype.kind == "U" and _reordered(names, order):
        raise ValueError(
            f"the columns of y_score are named {show(names)}, but classes={show(order)} names them in another order: "
            "leave classes out, or rename the columns."
        )
    return order


def _read_numbers(values: Any, name: str) -> NDArray[Any]:
    """Finite numbers as float64, float32 kept."""
    try:
        numbers = np.asarray(values)
        if numbers.dtype.kind == "O":
            numbers = numbers.astype(np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must hold numbers, in rows of one length; got {type(values).__name__}.") from None
    if numbers.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold numbers; it holds {numbers.dtype}.")
    if numbers.dtype != np.float32:
        numbers = numbers.astype(np.float64, copy=False)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} holds NaN or infinity: every entry must be a finite number.")
    return numbers


def _check_probabilities(scores: NDArray[Any]) -> None:
    """Refuse decision values where 0.5 would be the threshold."""
    low, high = scores.min(), scores.max()
    if low < 0 or high > 1:
        raise ValueError(
            f"scores from {low:.6g} to {high:.6g} are no probabilities: they look like decision values. "
            "Pass their threshold, usually threshold=0."
        )


def _two_columns(scores: NDArray[Any], positive: int, reason: str) -> NDArray[Any]:
    """Probabilities as one column a class, also where 1-D ones are of the positive class."""
    low, high = scores.min(), scores.max()
    if low < 0 or (scores.ndim == 1 and high > 1):
        raise ValueError(
            f"{reason} needs probabilities, but the scores go from {low:.6g} to {high:.6g}: use predict_proba."
        )
    if scores.ndim == 2:
        return scores
    columns = [1 - scores, scores]
    return np.stack(columns if positive == 1 else columns[::-1], axis=1)


def _reaches(scores: NDArray[Any], cut: NDArray[Any] | None, ties: Ties) -> NDArray[np.bool_]:
    """Whether scores reach a threshold, by default 0.5, or one threshold a column."""
    limit = 0.5 if cut is None else in_precision_of(scores, cut)
    return np.asarray(scores >= limit if ties == "positive" else scores > limit)


def inferred_classes(present: NDArray[Any], scores: NDArray[Any]) -> NDArray[Any]:
    """The classes of the columns where the true labels leave no doubt."""
    n_columns = 2 if scores.ndim == 1 else scores.shape[1]
    if len(present) == n_columns:
        return present
    if n_columns == 2 and len(present) == 1 and position_of(np.array([0, 1]), present[0]) is not None:
        return np.array([0, 1], dtype=present.dtype)
    raise ValueError(
        f"y_score has scores of {n_columns} classes, but y_true has {len(present)} labels {show(present)}, so the "
        "columns can't be told apart: pass classes=[...], the label of each column in order."
    )


def is_one_hot(true: NDArray[Any], scores: NDArray[Any]) -> bool:
    """Whether 2-D targets and scores are one-hot classes rather than independent labels."""
    return bool(
        scores.ndim == 2 and (true.sum(axis=1) == 1).all() and (np.abs(scores.sum(axis=1) - 1) < SUM_TOLERANCE).all()
    )


def _indicator(scores: Any, shape: tuple[int, ...], rule: Rule) -> NDArray[np.bool_]:
    """Multilabel scores as 0/1 indicators."""
    if isinstance(scores, list):
        return _indicator_of_pairs(scores, rule)
    if scores.shape != shape:
        raise ValueError(f"y_true has shape {shape}, but y_score has {scores.shape}: one column a label in both.")
    if rule.threshold is None:
        _check_probabilities(scores)
    return _each_label(scores, rule)


def _indicator_of_pairs(pairs: list[NDArray[Any]], rule: Rule) -> NDArray[np.bool_]:
    """The predict_proba list of a multilabel model: column 1 of each pair is the label's probability."""
    if rule.threshold is None and rule.cost_matrix is None:
        return np.stack([pair.argmax(axis=1) == 1 for pair in pairs], axis=1)
    return _each_label(np.stack([pair[:, 1] for pair in pairs], axis=1), rule)


def _each_label(scores: NDArray[Any], rule: Rule) -> NDArray[np.bool_]:
    """Each label's score (n_samples, n_labels) against one threshold, or one threshold a label."""
    if rule.cost_matrix is not None:
        raise ValueError("cost_matrix is for one label a sample; multilabel scores take threshold=.")
    cut = rule.threshold
    if cut is not None and cut.ndim and len(cut) != scores.shape[1]:
        raise ValueError(f"threshold has {len(cut)} numbers for {scores.shape[1]} labels: pass one a label.")
    return _reaches(scores, cut, rule.ties)
