"""Confusion matrices from cross-validation, one per fold, counted from samples of all folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from skmetrics_ext.adapter.estimator import check_response_method
from skmetrics_ext.adapter.positive import second_of
from skmetrics_ext.adapter.rule import Rule, bound_rule, make_rule
from skmetrics_ext.counting.design import Clusters, CrossedUnits, names_of_samples
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.from_data import GivenGroups, encoded_of_estimator, fields_of_encoded
from skmetrics_ext.reading.aliases import (
    CostsLike,
    GroupsLike,
    Label,
    LabelsLike,
    TargetLike,
    ThresholdsLike,
    Ties,
)
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.containers import index_of
from skmetrics_ext.reading.groups import Groups
from skmetrics_ext.reading.labels import (
    Column,
    Indicator,
    code_dtype,
    named_classes,
    read_labels,
    read_order,
)
from skmetrics_ext.reading.names import NamedNumbers, NamedTable
from skmetrics_ext.reading.order import as_ranked, check_covered, plain, positions_in, show
from skmetrics_ext.reading.pairs import Encoded, Indicators, Weights, labels_of_columns
from skmetrics_ext.scoring.base import check_rule
from skmetrics_ext.scoring.splits import FoldScorer, payloads_of_folds


@explained
def cross_val_confusion_matrix(
    estimator: object,
    X: object,
    y: TargetLike,
    *,
    groups: GroupsLike | None = None,
    cv: object = None,
    n_jobs: int | None = None,
    params: dict[str, Any] | None = None,
    pre_dispatch: int | str = "2*n_jobs",
    response_method: str | Sequence[str] = "auto",
    threshold: ThresholdsLike | None = None,
    ties: Ties = "positive",
    pos_label: Label | None = None,
    classes: LabelsLike | None = None,
    cost_matrix: CostsLike | None = None,
    multilabel: bool | None = None,
    labels: LabelsLike | None = None,
    by: GroupsLike | None = None,
    missing_group: Label | None = None,
    clusters: GroupsLike | None = None,
    verbose: int = 0,
) -> ConfusionMatrix:
    """The confusion matrix of each fold, from out-of-fold predictions.

    `.score(metric)` gives one value per fold; `.sum("fold").score(metric)` that of all folds, the
    only one that makes sense with LeaveOneOut.

    Parameters
    ----------
    estimator : object with fit, and predict, predict_proba or decision_function
        A clone of it is fitted to the training samples of each fold.
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual labels.
    groups : array-like of shape (n_samples,), default=None
        The group of each sample, for a `cv` that keeps each group on one side of each split. `by`
        is for results of each group, `clusters` for dependent samples, `groups` for splits.
    cv : int, splitter or iterable, default=None
        Number of stratified folds, 5 by default; a splitter; or an iterable of (train, test).
    n_jobs : int, default=None
        Number of folds fitted in parallel. None: one, unless joblib is told otherwise; -1: one per
        processor.
    params : dict, default=None
        Passed to `fit` of the estimator; with metadata routing, to all that requests them: a
        `sample_weight` then weights the counts, too.
    pre_dispatch : int or str, default="2*n_jobs"
        How many jobs are started in advance, as in scikit-learn's `cross_validate`.
    response_method : {"auto", "predict", "predict_proba", "decision_function"}, default="auto"
        "auto": predict; with a threshold or costs, the first method that gives scores.
    threshold : float, array-like of shape (n_classes,), Series or dict, default=None
        A number: the positive class of two is predicted where its score reaches it. One positive
        number per class predicts argmax(score_k / threshold_k), labeled or in the order of
        `classes`; multilabel: one, or one per label. None: as `predict`, of scores as
        `labels_from_scores`.
    ties : {"positive", "negative"}, default="positive"
        Which class a score equal to the binary threshold predicts.
    pos_label : int, float, bool or str, default=None
        The positive class, of 1-D scores too. None: the second of `classes`, if given, else 1 of
        {0, 1}, {-1, 1} or {False, True}.
    classes : array-like of shape (n_classes,), default=None
        Label of each column of scores, [negative, positive] for two, and from lowest to highest for
        ordinal metrics, costs and thresholds. None: the estimator's `classes_`, whose order says
        neither. 1-D scores are of the second.
    cost_matrix : array-like of shape (n_classes, n_classes) or (n_samples, n_classes, n_classes), \
data frame, or dict of (actual, predicted) to cost, default=None
        Cost of each actual class (row) predicted as each class (column), for all samples or for
        each, labeled or in the order of `classes`. Predicted is the class of the lowest expected
        cost, argmin(p @ cost).
    multilabel : bool, default=None
        Whether 2-D targets are independent labels. None: unless each row has one 1, and scores that
        sum to 1.
    labels : array-like of shape (n_classes,), default=None
        All labels in order; two mean [negative, positive], and ordinal metrics, costs and
        thresholds read them from lowest to highest. None: those of `y`, in the order of `classes`
        or of an ordered categorical, else sorted. For multilabel data, the names of the columns.
    by : array-like of shape (n_samples,), dict or list of arrays, or data frame, default=None
        The group of each sample, for a leading axis "group", sorted or in the order of a
        categorical. A dict or data frame gives one axis per name, a list "group_0", "group_1", ...
        `by` is for results of each group, `clusters` for dependent samples, `groups` for splits.
    missing_group : str, int, bool or date, default=None
        Name of the group of samples without one, placed last. None: an error.
    clusters : array-like of shape (n_samples,), default=None
        Cluster of each sample, such as its patient. `by` is for results of each group, `clusters`
        for dependent samples, `groups` for splits.
    verbose : int, default=0
        Above 0: messages of the parallel jobs, as in scikit-learn's `cross_validate`.

    Returns
    -------
    ConfusionMatrix
        Of the leading axis "fold", followed by those of the groups; for multilabel data of the axes
        "fold" and "label", which is the last.

    Raises
    ------
    ValueError
        If an option is invalid, or a prediction is not among the labels.
    Exception
        Any exception raised in a fold.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skmetrics_ext import cross_val_confusion_matrix
    >>> X, y = load_iris(return_X_y=True)
    >>> cm = cross_val_confusion_matrix(GaussianNB(), X, y, cv=3)
    >>> cm.score("accuracy")
    array([0.92, 0.94, 0.96])
    >>> cm.sum("fold")
    ConfusionMatrix of 150 samples (rows: actual, columns: predicted)
        0   1   2
    0  50   0   0
    1   0  45   5
    2   0   4  46
    """
    methods = check_response_method(response_method)
    rule = make_rule(threshold=threshold, ties=ties, pos_label=pos_label, cost_matrix=cost_matrix)
    actual = read_labels(y, "y")
    named = named_classes(classes)
    chosen = None if labels is None else read_order(labels)
    # From low to high, as listed or declared.
    ranking = named if chosen is None else chosen
    if ranking is None and isinstance(actual, Column):
        ranking = actual.ranking
    order = _order(actual, chosen, named, ranking)
    rule = rule._replace(default_positive=second_of(named), known=order)
    if chosen is not None:
        rule = _with_order_of_labels(
            rule, order, has_classes=named is not None or isinstance(actual, Indicator)
        )
    if isinstance(actual, Indicator) and classes is None and labels is not None:
        named = order
    check_rule(rule, methods, named, divides=multilabel is False)
    given = GivenGroups(by, missing_group, clusters)
    groups_of_y = given.read(actual, index_of(X), ("y", "X"), taken=("fold",))
    clusters_of_y = given.read_clusters(actual, index_of(X), ("y", "X"))
    if isinstance(clusters_of_y, CrossedUnits):
        raise ValueError(
            "clusters= of cases and readers is not for predictions of cross-validation: pass the "
            "cases alone."
        )
    of_folds = {
        "groups": groups,
        "cv": cv,
        "n_jobs": n_jobs,
        "pre_dispatch": pre_dispatch,
        "verbose": verbose,
    }
    scorer = FoldScorer(pairs_of_fold, order, (rule, methods, named, multilabel))
    folds, rows, n_train = payloads_of_folds(scorer, estimator, X, y, params, **of_folds)
    if isinstance(actual, Indicator) and actual.names is not None and labels is None:
        # Multilabel data keep the order of the columns of y, whatever the order of the classes.
        order = _names_of_columns(actual, None)
    encoded, by_fold = counted_pairs(folds, rows, groups_of_y, order)
    if isinstance(encoded, Encoded) and ranking is not None:
        encoded = encoded._replace(rankings=(("labels", ranking),))
    row = np.concatenate(rows)
    distinct, place = np.unique(row, return_inverse=True)
    repeats = len(row) / len(distinct)
    units = None
    if clusters_of_y is not None:
        units = clusters_of_y._replace(codes=clusters_of_y.codes[row])
    elif repeats > 1:
        # A sample keeps its predictions of all folds together.
        names = names_of_samples(distinct, row, encoded.true, encoded.pred)
        units = Clusters(place.reshape(-1), names, "sample")
    fields = fields_of_encoded(
        encoded, by_fold, rule.pos_label, rule.default_positive, clusters=units
    )
    train_shares = [n / actual.n_samples for n in n_train]
    predictions = row, encoded.true, encoded.pred
    return ConfusionMatrix(
        **fields | {"_design": fields["_design"].of_folds(repeats, train_shares, *predictions)}
    )


def _order(
    actual: Column | Indicator,
    chosen: NDArray[Any] | None,
    named: NDArray[Any] | None,
    ranking: NDArray[Any] | None,
) -> NDArray[Any]:
    """The classes of every fold, regardless of which occur in it."""
    if isinstance(actual, Column):
        return as_ranked(actual.labels, ranking) if chosen is None else chosen
    return named if chosen is None and named is not None else _names_of_columns(actual, chosen)


def _names_of_columns(actual: Indicator, chosen: NDArray[Any] | None) -> NDArray[Any]:
    """The names of the columns of multilabel data."""
    columns, selected = labels_of_columns(actual.names, actual.values.shape[1], chosen)
    if selected is not None and not np.array_equal(selected, np.arange(len(columns))):
        raise ValueError(
            f"labels={show(columns)} of multilabel data must list all columns of y in their "
            "order: to use only some, select columns of y."
        )
    return columns


def _with_order_of_labels(rule: Rule, labels: NDArray[Any], *, has_classes: bool) -> Rule:
    """A rule with the order declared by `labels=`, unless `classes=` is given as well."""
    if rule.pos_label is None:
        rule = rule._replace(pos_label=second_of(labels))
    if has_classes:
        return rule
    names = plain(labels)
    cut, costs = bound_rule(rule._replace(ranking=labels), labels)
    threshold = NamedNumbers(names, cut) if cut is not None and cut.ndim else rule.threshold
    return rule._replace(
        threshold=threshold, cost_matrix=None if costs is None else NamedTable(names, names, costs)
    )


def pairs_of_fold(
    estimator: object,
    X: object,
    y: TargetLike,
    sample_weight: ArrayLike | None,
    labels: NDArray[Any],
    how: tuple[Rule, tuple[str, ...], Any, Any],
) -> tuple[Encoded | Indicators, float]:
    """Both labels of each sample, fold by fold, since a fold does not know its rows."""
    weights = Weights(sample_weight)
    encoded = encoded_of_estimator(estimator, X, read_labels(y, "y"), *how, weights)
    pairs = _in_order_of(encoded, labels)
    return pairs, pairs.true.shape[0] if pairs.weights is None else pairs.weights.sum().item()


def counted_pairs(
    folds: Sequence[Encoded | Indicators],
    rows: Sequence[NDArray[np.intp]],
    groups: Groups | None,
    labels: NDArray[Any],
) -> tuple[Encoded | Indicators, Groups]:
    """The samples of all folds one after another, with the fold and the groups of each."""
    fold = np.repeat(np.arange(len(folds)), [len(of_fold) for of_fold in rows])
    by_fold = Groups(["fold"], [Column(fold, np.arange(len(folds)))])
    if groups is not None:
        row = np.concatenate(rows)
        columns = [column._replace(codes=column.codes[row]) for column in groups.columns]
        by_fold = Groups([*by_fold.names, *groups.names], [*by_fold.columns, *columns])
    first = folds[0]
    weights = None if first.weights is None else np.concatenate([pairs.weights for pairs in folds])
    join = sparse.vstack if sparse.issparse(first.true) else np.concatenate
    true, pred = join([pairs.true for pairs in folds]), join([pairs.pred for pairs in folds])
    if isinstance(first, Indicators):
        return Indicators(true, pred, labels, weights), by_fold
    return first._replace(true=true, pred=pred, weights=weights), by_fold


def _in_order_of(encoded: Encoded | Indicators, order: NDArray[Any]) -> Encoded | Indicators:
    """Codes in a different label order, which has all labels that occur."""
    if isinstance(encoded, Indicators):
        return encoded
    check_covered(order, encoded.present)
    place = positions_in(order, encoded.labels).astype(code_dtype(len(order) + 1))
    return Encoded(
        place[encoded.true], place[encoded.pred], order, len(order), encoded.weights, order
    )
