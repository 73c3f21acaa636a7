"""Threshold curves from cross-validation, one per fold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.adapter.estimator import check_response_method, classes_for
from skmetrics_ext.adapter.responses import predict_scores
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.design import FOLD, INDEPENDENT, names_of_samples
from skmetrics_ext.counting.ranking import Samples
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.curves.inputs import classes_of_curve, read_labels_of_curve, weights_of_samples
from skmetrics_ext.reading.aliases import GroupsLike, Label, TargetLike
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.order import position_of
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.scoring.splits import FoldScorer, payloads_of_folds


@explained
def cross_val_threshold_curves(
    estimator: object,
    X: object,
    y: TargetLike,
    *,
    groups: GroupsLike | None = None,
    cv: object = None,
    n_jobs: int | None = None,
    params: dict[str, Any] | None = None,
    pre_dispatch: int | str = "2*n_jobs",
    pos_label: Label | None = None,
    response_method: str | Sequence[str] = "auto",
    verbose: int = 0,
) -> ThresholdCurves:
    """The threshold curve of each fold, from out-of-fold scores.

    `curves.sum("fold")` is the curve pooled over all folds, which determines a threshold better
    than one fold; it assumes that scores of all fold models are comparable, as probabilities are.

    Parameters
    ----------
    estimator : object with fit, and predict, predict_proba or decision_function
        A clone of it is fitted to the training samples of each fold.
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Actual labels, one for each sample.
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
    pos_label : int, float, bool or str, default=None
        The positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or {False, True};
        required for other labels.
    response_method : str or list of str, default="auto"
        "auto": predict_proba, else decision_function.
    verbose : int, default=0
        Above 0: messages of the parallel jobs, as in scikit-learn's `cross_validate`.

    Returns
    -------
    ThresholdCurves
        With the axis "fold".

    Raises
    ------
    ValueError
        If the positive class cannot be inferred, `y` is multilabel, or an option is invalid.
    Exception
        Any exception raised in a fold.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skmetrics_ext import cross_val_threshold_curves
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> curves = cross_val_threshold_curves(GaussianNB(), X, y, cv=3)
    >>> curves
    ThresholdCurves of 569 samples, 3 folds, positive 1
    >>> curves.roc_auc().round(3)
    array([0.979, 0.99 , 0.991])
    >>> round(curves.sum("fold").best("f1").threshold, 3)
    0.994
    """
    methods = check_response_method(response_method)
    true = read_labels_of_curve(y, "y")
    # Labels are checked before any model is fitted.
    classes_for(estimator, true)
    classes = classes_of_curve(true.labels, true.ranking, pos_label)
    scorer = FoldScorer(samples_of_fold, classes.positive, methods)
    of_folds = {
        "groups": groups,
        "cv": cv,
        "n_jobs": n_jobs,
        "pre_dispatch": pre_dispatch,
        "verbose": verbose,
    }
    samples, rows, n_train = payloads_of_folds(scorer, estimator, X, y, params, **of_folds)
    axis = Axis(FOLD, np.arange(len(samples)))
    row = np.concatenate(rows)
    times = len(row) / len(np.unique(row))
    if times > 1:
        # A sample keeps its scores in all folds together.
        data = (part for scores, positive, *_ in samples for part in (scores, positive))
        names = names_of_samples(row, row, *data)
        ends = np.cumsum([len(rows_of_fold) for rows_of_fold in rows])[:-1]
        samples = [
            of_fold._replace(clusters=own)
            for of_fold, own in zip(samples, np.split(names, ends), strict=True)
        ]
    train_shares = [n / true.n_samples for n in n_train]
    scores = (of_fold.scores for of_fold in samples)
    design = INDEPENDENT.of_folds(times, train_shares, row, *scores)
    return ThresholdCurves._of(axis, tuple(samples), classes.curve, design=design)


def samples_of_fold(
    estimator: object,
    X: object,
    y: TargetLike,
    sample_weight: ArrayLike | None,
    positive: Any,
    methods: Any,
) -> tuple[Samples, int]:
    """The scores of the positive class, and whether each sample belongs to it, for a curve."""
    true = read_labels_of_curve(y, "y")
    scores = predict_scores(estimator, X, true, positive, methods).scores
    weights = weights_of_samples(true, None, len(scores), Weights(sample_weight))
    place = position_of(true.labels, positive)
    is_positive = np.zeros(len(scores), dtype=bool) if place is None else true.codes == place
    return Samples(np.array(scores), is_positive, weights), len(scores)
