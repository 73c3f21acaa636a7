"""compare_estimators: the difference of learners that are cross-validated on the same folds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from skmetrics_ext.analyses.models import check_direction, check_models, pairs_of, with_undefined
from skmetrics_ext.counting.design import Clustered
from skmetrics_ext.counting.replicates import random_of, seed_of
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.reading.aliases import GroupsLike, RandomState, TargetLike
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.scoring.cross_validation import cross_val_confusion_matrix
from skmetrics_ext.scoring.metrics_of_folds import (
    Scoring,
    by_repetition,
    caveats_of_models,
    check_positive_is_known,
    counted_as,
    folds_counted_once,
    read_scoring,
)
from skmetrics_ext.scoring.splits import RepeatedFolds, read_labels_of_folds, read_repeated_folds
from skmetrics_ext.statistics.compared import check_comparison, comparison_of
from skmetrics_ext.statistics.entries import of_origin
from skmetrics_ext.statistics.pairs.cross_validated import (
    Learner,
    SameFolds,
    difference_of_learners,
    metric_of_learners,
)
from skmetrics_ext.statistics.results import Comparison


@explained
def compare_estimators(
    estimators: Mapping[str, object],
    X: object,
    y: TargetLike,
    *,
    scoring: Scoring,
    baseline: str | None = None,
    groups: GroupsLike | None = None,
    cv: object = None,
    n_repeats: int = 4,
    params: dict[str, Any] | None = None,
    confidence_level: float = 0.95,
    correction: Literal["holm", "bonferroni"] | None = "holm",
    margin: float | None = None,
    n_jobs: int | None = None,
    pre_dispatch: int | str = "2*n_jobs",
    verbose: int = 0,
    random_state: RandomState = None,
) -> Comparison:
    """Compare learners on the same folds of repeated cross-validation: differences of the models
    fitted to all samples, with confidence intervals and p-values.

    Parameters
    ----------
    estimators : dict of str to estimator
        Two or more classifiers, pipelines or searches by name.
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Actual labels, one for each sample.
    scoring : str, function, list or dict of these, or scorer
        As in `cross_val_interval`; metrics that are bounded and have derivatives, of one value.
    baseline : str, default=None
        Reference model. None: all pairs.
    groups : array-like of shape (n_samples,), default=None
        The group of each sample, such as its patient: in one fold, and dependent. Only here groups
        are also the clusters of the interval. `by` is for results of each group, `clusters` for
        dependent samples, `groups` for splits.
    cv : int, KFold, StratifiedKFold, GroupKFold or StratifiedGroupKFold, default=None
        Number of stratified folds, 5 by default; or a splitter, whose folds are shuffled anew in
        each repetition.
    n_repeats : int, default=4
        Number of repetitions. The interval of one is 1.5 times as wide as that of one model, of two
        1.22, of four 1.15 times. Repetitions with the same folds count once.
    params : dict, default=None
        Passed to `fit` of the estimator; with metadata routing, to all that requests them: a
        `sample_weight` then weights the counts, too.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.
    correction : {"holm", "bonferroni"} or None, default="holm"
        Multiple-testing correction over all rows, of p-values and confidence limits.
    margin : float, default=None
        Largest difference that does not matter, decided before seeing the data. `not_worse`: the
        model is worse than the reference by less (non-inferiority); `equivalent`: they differ by
        less.
    n_jobs : int, default=None
        Number of folds fitted in parallel. None: one, unless joblib is told otherwise; -1: one per
        processor.
    pre_dispatch : int or str, default="2*n_jobs"
        How many jobs are started in advance, as in scikit-learn's `cross_validate`.
    verbose : int, default=0
        Above 0: messages of the parallel jobs, as in scikit-learn's `cross_validate`.
    random_state : int, numpy Generator or RandomState, default=None
        The same int gives the same splits and replicates; None: others at each call.

    Returns
    -------
    Comparison
        One row per metric and pair; difference is model - reference, the baseline if given.

    Raises
    ------
    ValueError
        As in `cross_val_interval`; if a metric is unbounded, has kinks or several values, or is
        undefined by a margin.
    TypeError
        If `estimators` is not a dict.

    Warns
    -----
    UnreliableIntervalWarning
        If an interval may not hold.

    Notes
    -----
    K R models of each learner are fitted, of K folds and R repetitions. The page on
    cross-validation has the method.

    References
    ----------
    Nadeau & Bengio (2003), Machine Learning 52:239.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skmetrics_ext import compare_estimators
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> learners = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> comparison = compare_estimators(learners, X, y, scoring="recall", random_state=0)
    >>> row = comparison.rows[0]
    >>> round(row.difference, 3), round(row.p_value, 3)
    (0.033, 0.046)
    """
    check_comparison(confidence_level, correction, margin)
    check_models(estimators, "estimators", "{'tree': DecisionTreeClassifier(), 'svm': SVC()}")
    pairs = pairs_of(estimators, baseline)
    actual = read_labels_of_folds(y)
    metrics = read_scoring(scoring, actual.labels)
    check_positive_is_known(metrics, actual.labels)
    seed = seed_of(random_state)
    folds = read_repeated_folds(cv, X, actual, groups, n_repeats, random_of(seed))
    of_folds = {
        "clusters": np.arange(folds.n_samples) if groups is None else groups,
        "params": params,
        "n_jobs": n_jobs,
        "pre_dispatch": pre_dispatch,
        "verbose": verbose,
        **metrics.of_labels,
    }
    learners = {}
    for name, estimator in estimators.items():
        cm = cross_val_confusion_matrix(estimator, X, y, cv=folds.splits(), **of_folds)
        learners[name] = _learner(name, estimator, cm, folds)
    counted = next(iter(learners.values())).once
    same = SameFolds(folds.n_folds, folds.n_repeats, folds.in_groups)
    compared = []
    for key, choice in metrics.choices.items():
        metric = metric_of_learners(counted, choice)
        check_direction(metric.choice.row, key, margin)
        for a, b in pairs:
            of_pair = difference_of_learners(learners[a], learners[b], metric, key, same)
            compared.append(with_undefined(of_pair)._replace(label=metric.label))
    found = comparison_of(compared, confidence_level, correction, margin)
    return of_origin(found, "samples predicted by cross-validated models", seed=seed.entropy)


def _learner(name: str, estimator: object, cm: ConfusionMatrix, folds: RepeatedFolds) -> Learner:
    """What the models of a learner predict, from a matrix of each fold."""
    design = by_repetition(cm, folds)._design
    assert isinstance(design, Clustered), "each sample is a cluster"
    return Learner(
        name=name,
        once=folds_counted_once(cm, slice(None), folds.n_repeats),
        numbers=counted_as(cm, design.numbers.sum(0) / folds.n_repeats),
        units=design.units,
        caveats=tuple(caveats_of_models(estimator, cm, folds)),
    )
