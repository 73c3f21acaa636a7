"""Scores -> codes: thresholds, ties, costs and one-hot targets; labels_from_scores decodes them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter import columns
from skmetrics_ext.adapter.columns import NamedScores
from skmetrics_ext.adapter.positive import Positive, positive_of, second_of
from skmetrics_ext.adapter.scale import Scale, check_scale, in_precision_of, is_one_number
from skmetrics_ext.reading import numbers
from skmetrics_ext.reading.aliases import (
    CostsLike,
    Label,
    LabelsLike,
    ScoresLike,
    ThresholdsLike,
    Ties,
)
from skmetrics_ext.reading.arguments import check_flag
from skmetrics_ext.reading.calls import explained, option_of_caller
from skmetrics_ext.reading.labels import (
    Column,
    Indicator,
    column_from_codes,
    named_classes,
    read_labels,
    read_order,
)
from skmetrics_ext.reading.names import NamedNumbers, check_same_samples
from skmetrics_ext.reading.numbers import Costs, Thresholds
from skmetrics_ext.reading.order import check_same_kind, plain, position_of, show
from skmetrics_ext.reading.pairs import are_names_of_all

DecisionMethod = Literal["largest", "cheapest", "divided", "reached"]

# Targets and scores as label arrays, and the classes of the columns; None for multilabel data.
Decoded = tuple[Column | Indicator, Column | Indicator, NDArray[Any] | None]


def advice_of_lacking() -> str:
    """What to do if a model may not know all classes."""
    option = option_of_caller("classes")
    how = f"as {option}=[...]" if option else "to the scorer, get_scorer(..., classes=[...])"
    return f"If a class may be missing from some training sets, pass all classes {how}."


class Rule(NamedTuple):
    """How scores are converted to labels; checked when made by `make_rule`."""

    threshold: Thresholds | None = None
    ties: Ties = "positive"
    pos_label: Any = None
    cost_matrix: Costs | None = None
    # The default positive class: the second in the caller's order.
    default_positive: Any = None
    # The labels to average; of a multilabel array, maybe its column names.
    labels: NDArray[Any] | None = None
    # The declared classes from low to high, the order of unnamed thresholds and costs.
    ranking: NDArray[Any] | None = None
    # Classes beside those of the columns, which may have thresholds and costs, too.
    known: NDArray[Any] | None = None
    scale: Scale = "unknown"

    def ranked_by(self, named: NDArray[Any] | None, true: Any) -> Rule:
        """The same for classes in an order of the caller, else of an ordered categorical."""
        ranking = getattr(true, "ranking", None) if named is None else named
        known = getattr(true, "labels", None) if self.known is None else self.known
        return self._replace(ranking=ranking, known=known)

    def positive_among(self, classes: NDArray[Any]) -> Positive:
        """The positive one of the classes."""
        return positive_of(classes, self.pos_label, self.default_positive)


class Decision(NamedTuple):
    """A rule applied to the classes of some columns: how their scores select one of them."""

    method: DecisionMethod
    # The index of the class to which 1-D scores and a single threshold apply.
    class_position: int | None = None
    # The costs, the divisors, or the threshold, which is 0.5 for None.
    numbers: NDArray[Any] | None = None


@explained
def labels_from_scores(
    y_score: ScoresLike,
    *,
    classes: LabelsLike | None = None,
    threshold: ThresholdsLike | None = None,
    ties: Ties = "positive",
    pos_label: Label | None = None,
    cost_matrix: CostsLike | None = None,
    multilabel: bool | None = None,
) -> NDArray[Any]:
    """Convert scores to labels: argmax for 2-D scores, p >= 0.5 for 1-D ones, or by thresholds or
    costs.

    Parameters
    ----------
    y_score : array-like of shape (n_samples,), (n_samples, 1), (n_samples, n_classes), \
list of n_labels arrays (n_samples, 2), or list of n_samples dicts of label to score
        Probabilities or other scores, larger where more likely. 1-D scores and a single column are
        of the positive class. A list of arrays is a multilabel `predict_proba`; dicts are read as a
        data frame.
    classes : array-like of shape (n_classes,), default=None
        Label of each column, in order; for 1-D scores [negative, positive]. Columns named after
        them are matched by name. None: the names of a data frame, sorted, else 0, 1, ...
    threshold : float, array-like of shape (n_classes,), Series or dict, default=None
        A number is for two classes: the positive class is predicted where its score reaches the
        threshold. One positive number per class, labeled or in the order of the classes, predicts
        argmax(score_k / threshold_k). None: 0.5 for 1-D scores, argmax (ties to the first class)
        for 2-D ones. Multilabel scores have one threshold, or one per label. For a data frame
        without `classes`, an array needs columns that are numbers.
    ties : {"positive", "negative"}, default="positive"
        Which class a score equal to the binary threshold predicts.
    pos_label : int, float, bool or str, default=None
        The class that a single threshold and 1-D scores refer to. None: the second of `classes`,
        else 1 of {0, 1}, {-1, 1} or {False, True}; required for other labels.
    cost_matrix : array-like of shape (n_classes, n_classes) or (n_samples, n_classes, n_classes), \
data frame, or dict of (actual, predicted) to cost, default=None
        Cost of each actual class (row) predicted as each class (column), for all samples or for
        each, labeled or, as thresholds, in the order of the classes; a pair missing from a dict
        costs 0. Predicted is the class of the lowest expected cost, argmin(p @ cost).
    multilabel : bool, default=None
        Whether each column is a label of its own, as of a list of arrays. None: they are classes.

    Returns
    -------
    ndarray of shape (n_samples,)
        Labels, of the type of `classes`; for multilabel scores a 0/1 indicator of shape (n_samples,
        n_labels).

    Raises
    ------
    ValueError
        If scores are NaN or infinite, columns or names do not match, the positive class is needed
        but unknown, 1-D scores lie outside [0, 1] without a threshold, a threshold is outside where
        they are inside, or not positive where it divides, or costs are given, too.

    Warns
    -----
    UserWarning
        If a single threshold is between 0 and 1, and scores are not; instead of the error, where
        scores may be decision values.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI.

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
    rule = make_rule(
        threshold=threshold,
        ties=ties,
        pos_label=pos_label,
        cost_matrix=cost_matrix,
        of_samples=True,
    )
    if multilabel is not None:
        check_flag(multilabel, "multilabel")
    scores = columns.read_scores(y_score)
    named = named_classes(classes)
    if named is not None:
        scores = scores._replace(values=columns.columns_named(scores, named))
        rule = rule._replace(default_positive=second_of(named), ranking=named)
    if multilabel or scores.are_of_labels:
        if multilabel is False:
            raise ValueError(
                "y_score is a list of arrays, which means multilabel data: omit multilabel=False."
            )
        return _indicator_of_columns(scores, named, rule)
    values = scores.values
    if named is None:
        order = np.arange(2) if values.ndim == 1 else _names_or_numbers(scores, values.shape[1])
        if values.ndim == 2:
            values, order = columns.in_sorted_order(values, order)
    else:
        order = named
        if values.ndim == 1 and len(order) == 2:
            columns.check_single_column(scores, order, rule.positive_among(order).label)
    labels: NDArray[Any] = order[codes_from_scores(values, order, rule)]
    return labels


def _names_or_numbers(scores: NamedScores, n_columns: int) -> NDArray[Any]:
    """The classes or labels of columns not named by the caller."""
    return np.arange(n_columns) if scores.names is None else read_order(scores.names, "columns")


def _indicator_of_columns(
    named_scores: NamedScores, named: NDArray[Any] | None, rule: Rule
) -> NDArray[np.int64]:
    """Multilabel scores as 0 and 1, without targets that say which labels these are."""
    scores = named_scores.values
    if not isinstance(scores, list) and scores.ndim == 1:
        scores = scores[:, np.newaxis]
    n_labels = len(scores) if isinstance(scores, list) else scores.shape[1]
    order = _names_or_numbers(named_scores, n_labels) if named is None else named
    _check_all_listed(n_labels, order, f"y_score has {n_labels} label columns")
    if rule.pos_label is not None:
        raise ValueError(
            "pos_label is for data with one label per sample: omit it for multilabel data."
        )
    n_samples = len(scores[0]) if isinstance(scores, list) else len(scores)
    return _indicator(scores, (n_samples, n_labels), rule, order).astype(np.int64)


def make_rule(
    *,
    threshold: ThresholdsLike | None = None,
    ties: Ties = "positive",
    pos_label: Any = None,
    cost_matrix: CostsLike | None = None,
    of_samples: bool = False,
) -> Rule:
    """Check a rule as far as possible without data; costs may be `of_samples` if known."""
    if ties not in ("positive", "negative"):
        raise ValueError(
            "ties must be 'positive' (score >= threshold) or 'negative' (score above it); got "
            f"{ties!r}."
        )
    if threshold is not None and cost_matrix is not None:
        raise ValueError(
            "threshold and cost_matrix both determine the label: pass only one of them."
        )
    cut = None if threshold is None else numbers.read_threshold(threshold)
    costs = None if cost_matrix is None else numbers.read_costs(cost_matrix)
    return Rule(cut, ties, pos_label, costs if of_samples else numbers.costs_of_all(costs))


def codes_from_scores(
    scores: NDArray[Any], classes: NDArray[Any], rule: Rule, class_position: int | None = None
) -> NDArray[Any]:
    """The code of the class predicted for each row; 1-D scores are of the class at a position."""
    n_columns = None if scores.ndim == 1 else scores.shape[1]
    method, scored_position, given = decide(rule, classes, n_columns, class_position)
    if method == "largest":
        return np.asarray(np.argmax(scores, axis=1))
    if method == "cheapest" and given is not None:
        numbers.check_costs_of(given, len(scores))
        shares = _two_columns(scores, scored_position, "cost_matrix")
        costs = np.einsum("nk,nkj->nj", shares, given) if given.ndim == 3 else shares @ given
        return np.asarray(np.argmin(costs, axis=1))
    if method == "divided":
        shares = _two_columns(scores, scored_position, "one threshold per class")
        return np.asarray(np.argmax(shares / given, axis=1))
    if given is None:
        check_range_of_probabilities(scores.min(), scores.max())
    else:
        _check_scale(given, scores, rule)
    position = scored_position or 0
    reached = _reaches(scores if scores.ndim == 1 else scores[:, position], given, rule.ties)
    # Code 1: scores that reach the threshold of class 1, or not that of class 0. As bytes, since
    # np.where's integers are several times slower to make and to count.
    return np.asarray(reached == position).view(np.uint8)


def decide(
    rule: Rule, classes: NDArray[Any], n_columns: int | None, class_position: int | None = None
) -> Decision:
    """How scores select labels, for NumPy and any other engine; n_columns=None: 1-D scores."""
    columns_text = f"y_score has {n_columns} columns"
    if n_columns is None:
        columns_text = "1-D scores are for two classes"
    _check_all_listed(n_columns or 2, classes, columns_text)
    cut, costs = bound_rule(rule, classes)
    if n_columns is not None and cut is None and costs is None:
        return Decision("largest")
    if class_position is None and (n_columns is None or is_one_number(cut)):
        class_position = rule.positive_among(classes).place
    if costs is not None:
        return Decision("cheapest", class_position, costs)
    if cut is not None and not is_one_number(cut):
        check_divides(rule.threshold)
        return Decision("divided", class_position, cut)
    return Decision("reached", class_position, cut)


def _check_all_listed(n_columns: int, classes: NDArray[Any], columns_text: str) -> None:
    """Reject more or fewer classes than there are columns."""
    if n_columns != len(classes):
        raise ValueError(
            f"{columns_text}, but classes lists {len(classes)}: {show(classes)}. List each once, "
            "in order."
        )


def bound_rule(
    rule: Rule, classes: NDArray[Any]
) -> tuple[NDArray[Any] | None, NDArray[Any] | None]:
    """The thresholds and costs of a rule in the order of the classes, which it must match."""
    n_classes = len(classes)
    if rule.pos_label is not None and position_of(classes, rule.pos_label) is None:
        named = "." if option_of_caller("classes") is None else ", or name the columns by classes=."
        raise ValueError(
            f"pos_label={rule.pos_label!r} is not one of the classes {show(classes)}: pass one of "
            f"these as pos_label={named}"
        )
    threshold, costs = rule.threshold, rule.cost_matrix
    if is_one_number(threshold) and n_classes > 2:
        raise ValueError(
            f"threshold={float(threshold)} is one number, but there are {n_classes} classes: pass "
            "one number above 0 per class (the largest score / threshold wins), or threshold=None "
            f"for the argmax{', with classes=[...]' * bool(option_of_caller('classes'))}."
        )
    thresholds_in_order = costs_in_order = None
    if threshold is not None:
        thresholds_in_order = numbers.thresholds_of_classes(
            threshold, classes, rule.ranking, rule.known
        )
        if thresholds_in_order is None:
            raise ValueError(
                f"threshold has {len(threshold)} numbers for {n_classes} classes: pass one per "
                f"class. {advice_of_lacking()}"
            )
    if costs is not None:
        costs_in_order = numbers.costs_in_order(
            costs, classes, rule.ranking, known=(rule.known, rule.labels)
        )
    return thresholds_in_order, costs_in_order


def check_divides(threshold: Thresholds | None) -> None:
    """Reject thresholds of classes that cannot divide scores; multilabel ones may be any."""
    given = threshold.values if isinstance(threshold, NamedNumbers) else threshold
    if given is None or not given.ndim or ((given > 0) & (given < np.inf)).all():
        return
    shown: Any = given.tolist()
    if isinstance(threshold, NamedNumbers):
        shown = dict(zip(threshold.names, shown, strict=True))
    raise ValueError(
        f"threshold={shown} must be positive and finite: scores are divided by it. Pass a small "
        "number in place of 0 and a large one in place of inf; per-class thresholds do not apply "
        "to decision values."
    )


def decode(
    y_true: Any,
    scores: NamedScores,
    rule: Rule,
    classes: NDArray[Any] | None = None,
    multilabel: bool | None = None,
) -> Decoded:
    """Targets and scores as label arrays, columns matched by name or by given classes."""
    true = read_labels(y_true, "y_true")
    rule = rule.ranked_by(classes, true)
    check_same_samples(true.index, scores.index, ("y_true", "y_score"), default_is_name=False)
    if isinstance(true, Indicator):
        return decode_indicator(true, scores, rule, classes, multilabel)
    check_one_label(scores, multilabel)
    values, order = columns.columns_in_order(scores, true.labels, classes)
    check_same_kind(true.labels, order, "y_true", "classes")
    if values.ndim == 1 and len(order) == 2:
        columns.check_single_column(scores, order, rule.positive_among(order).label)
    return decode_column(true, values, order, rule)


def check_one_label(scores: NamedScores, multilabel: bool | None) -> None:
    """Reject scores of several labels per sample, of which 1-D targets have one."""
    if multilabel or scores.are_of_labels:
        raise ValueError(
            "y_true is 1-D, one label per sample; multilabel scores need a 2-D 0/1 y_true."
        )


def decode_column(
    true: Column,
    scores: NDArray[Any],
    order: NDArray[Any],
    rule: Rule,
    class_position: int | None = None,
) -> Decoded:
    """1-D targets and scores in the order of the classes as label arrays."""
    codes = codes_from_scores(scores, order, rule, class_position)
    pred = column_from_codes(codes, order)
    return true, pred._replace(index=true.index), order


def decode_indicator(
    true: Indicator,
    named_scores: NamedScores,
    rule: Rule,
    classes: NDArray[Any] | None,
    multilabel: bool | None,
) -> Decoded:
    """2-D targets and scores as label arrays. One-hot targets become labels here, and only here."""
    target, scores, names = columns.columns_matched(true, named_scores, classes)
    if multilabel is None:
        multilabel = not columns.is_one_hot(target, scores)
    order = np.arange(target.shape[1]) if names is None else names
    _check_all_listed(target.shape[1], order, f"y_true has {target.shape[1]} label columns")
    if multilabel:
        names_of_scores = None if names is None else plain(names)
        if names is None and rule.labels is not None and are_names_of_all(rule.labels, len(order)):
            order, rule = rule.labels, rule._replace(ranking=rule.labels)
        pred = Indicator(_indicator(scores, target.shape, rule, order), names_of_scores)
        return true, pred, None
    if isinstance(scores, list) or scores.shape != target.shape:
        shape = "a list" if isinstance(scores, list) else f"shape {scores.shape}"
        raise ValueError(
            f"y_true is one-hot {target.shape}, but y_score is {shape}: both need one column per "
            "class."
        )
    if (target.sum(axis=1) != 1).any():
        raise ValueError("multilabel=False, but some rows of y_true do not have exactly one 1.")
    if classes is None:
        place = np.argsort(order, kind="stable")
        target, scores, order = target[:, place], scores[:, place], order[place]
    codes = codes_from_scores(scores, order, rule)
    return column_from_codes(target.argmax(axis=1), order), column_from_codes(codes, order), order


def _check_scale(cut: NDArray[Any], scores: NDArray[Any], rule: Rule) -> None:
    """Several thresholds may lie between 0 and 1 by chance."""
    if rule.scale != "decisions":
        check_scale(cut, scores, warns=rule.scale == "unknown" and is_one_number(cut))


def check_range_of_probabilities(low: float, high: float) -> None:
    """Reject the range of decision values where 0.5 would be the threshold."""
    if low < 0 or high > 1:
        raise ValueError(
            f"scores from {low:.6g} to {high:.6g} are not probabilities: they look like decision "
            "values, or a regressor's. Pass a threshold on that scale, threshold=0 for decision "
            "values."
        )


def _two_columns(scores: NDArray[Any], class_position: int | None, reason: str) -> NDArray[Any]:
    """Probabilities as one column per class, also from 1-D ones for one of two classes."""
    scores = numbers.in_float32_at_least(scores)
    check_range_of_columns(scores.min(), scores.max(), is_one=scores.ndim == 1, reason=reason)
    if scores.ndim == 2:
        return scores
    both = [1 - scores, scores]
    return np.stack(both if class_position == 1 else both[::-1], axis=1)


def check_range_of_columns(low: float, high: float, *, is_one: bool, reason: str) -> None:
    """Reject the range of non-probabilities where scores are divided or have costs."""
    if low < 0 or (is_one and high > 1):
        raise ValueError(
            f"{reason} needs probabilities, not scores from {low:.6g} to {high:.6g}: use "
            "predict_proba."
        )


def _reaches(scores: NDArray[Any], cut: NDArray[Any] | None, ties: Ties) -> NDArray[np.bool_]:
    """Whether scores reach a threshold, by default 0.5, or one threshold per column."""
    limit = 0.5 if cut is None else in_precision_of(scores, cut)
    return np.asarray(scores >= limit if ties == "positive" else scores > limit)


def _indicator(
    scores: Any, shape: tuple[int, ...], rule: Rule, labels: NDArray[Any]
) -> NDArray[np.bool_]:
    """Multilabel scores as 0/1 indicators."""
    if isinstance(scores, list):
        return _indicator_of_pairs(scores, rule, labels)
    if scores.shape != shape:
        raise ValueError(
            f"y_true has shape {shape}, but y_score has {scores.shape}: both need one column per "
            "label."
        )
    if rule.threshold is None and rule.cost_matrix is None:
        check_range_of_probabilities(scores.min(), scores.max())
    return _each_label(scores, rule, labels, scores)


def _indicator_of_pairs(
    pairs: list[NDArray[Any]], rule: Rule, labels: NDArray[Any]
) -> NDArray[np.bool_]:
    """A multilabel predict_proba list: column 1 of each pair is the label's probability."""
    if rule.threshold is None and rule.cost_matrix is None:
        return np.stack([pair.argmax(axis=1) == 1 for pair in pairs], axis=1)
    scores = np.stack([pair[:, 1] for pair in pairs], axis=1)
    return _each_label(scores, rule, labels, np.concatenate(pairs))


def _each_label(
    scores: NDArray[Any], rule: Rule, labels: NDArray[Any], rows: NDArray[Any]
) -> NDArray[np.bool_]:
    """Each label's score (n_samples, n_labels) against its threshold, on the scale of `rows`."""
    if rule.cost_matrix is not None:
        raise ValueError(
            "cost_matrix applies to data with one label per sample; multilabel scores take "
            "threshold=."
        )
    cut = None
    if rule.threshold is not None:
        cut = numbers.thresholds_of_labels(rule.threshold, labels, rule.ranking)
        _check_scale(cut, rows, rule)
    return _reaches(scores, cut, rule.ties)
