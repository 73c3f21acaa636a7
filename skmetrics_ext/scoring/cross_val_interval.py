"""cross_val_interval: cross-validated metrics with intervals of the model fitted to all samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack, overload

from skmetrics_ext.catalogue.names import MetricName
from skmetrics_ext.counting.replicates import random_of, seed_of
from skmetrics_ext.reading.aliases import GroupsLike, RandomState, TargetLike
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.scoring.confusion_scorer import ConfusionScorer
from skmetrics_ext.scoring.metrics_of_folds import (
    Scoring,
    check_positive_is_known,
    counted_repetitions,
    read_scoring,
)
from skmetrics_ext.scoring.splits import SEEDS, read_labels_of_folds, read_repeated_folds
from skmetrics_ext.statistics.caveats import told_once
from skmetrics_ext.statistics.entries import of_origin
from skmetrics_ext.statistics.request import check_request, requested
from skmetrics_ext.statistics.results import CrossValidatedInterval
from skmetrics_ext.statistics.values.cross_validated import cross_validated_intervals


class OptionsOfFolds(TypedDict, total=False):
    """The options that make no difference to the type of the result."""

    groups: GroupsLike | None
    cv: object
    n_repeats: int
    params: dict[str, Any] | None
    confidence_level: float
    n_jobs: int | None
    pre_dispatch: int | str
    verbose: int
    n_resamples: int
    random_state: RandomState


@overload
def cross_val_interval(
    estimator: object,
    X: object,
    y: TargetLike,
    *,
    scoring: ConfusionScorer,
    **options: Unpack[OptionsOfFolds],
) -> Any: ...
@overload
def cross_val_interval(  # type: ignore[overload-overlap]  # a name is a sequence of names
    estimator: object,
    X: object,
    y: TargetLike,
    *,
    scoring: MetricName,
    **options: Unpack[OptionsOfFolds],
) -> CrossValidatedInterval: ...
@overload
def cross_val_interval(
    estimator: object,
    X: object,
    y: TargetLike,
    *,
    scoring: Sequence[MetricName] | Mapping[str, MetricName],
    **options: Unpack[OptionsOfFolds],
) -> dict[str, CrossValidatedInterval]: ...
@explained
def cross_val_interval(
    estimator: object,
    X: object,
    y: TargetLike,
    *,
    scoring: Scoring,
    groups: GroupsLike | None = None,
    cv: object = None,
    n_repeats: int = 4,
    params: dict[str, Any] | None = None,
    confidence_level: float = 0.95,
    n_jobs: int | None = None,
    pre_dispatch: int | str = "2*n_jobs",
    verbose: int = 0,
    n_resamples: int = 9_999,
    random_state: RandomState = None,
) -> CrossValidatedInterval | dict[str, CrossValidatedInterval]:
    """Cross-validated metrics with confidence intervals for the model fitted to all samples, on new
    data.

    Each sample is predicted by models that were not fitted to it, in `n_repeats` repetitions of
    shuffled folds.

    Parameters
    ----------
    estimator : object
        A classifier, a pipeline or a search, with whatever samples choose, such as features,
        hyperparameters or a threshold.
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Actual labels, one for each sample.
    scoring : str, function, list or dict of these, or scorer
        Metrics as in `ConfusionMatrix.interval`; or a scorer of `get_scorer`, `make_scorer` or
        `ConfusionScorer`. Values are not negated.
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
    n_jobs : int, default=None
        Number of folds fitted in parallel. None: one, unless joblib is told otherwise; -1: one per
        processor.
    pre_dispatch : int or str, default="2*n_jobs"
        How many jobs are started in advance, as in scikit-learn's `cross_validate`.
    verbose : int, default=0
        Above 0: messages of the parallel jobs, as in scikit-learn's `cross_validate`.
    n_resamples : int, default=9_999
        Number of bootstrap replicates; at least 100.
    random_state : int, numpy Generator or RandomState, default=None
        The same int gives the same splits and replicates; None: others at each call.

    Returns
    -------
    CrossValidatedInterval, or dict of str to CrossValidatedInterval
        The interval of one metric, or those of several by key.

    Raises
    ------
    ValueError
        If a metric needs scores instead of labels, `cv` is anything but shuffled folds, `groups`
        are missing or would be split, labels are multilabel, or an option is out of range.
    Exception
        Any exception raised in a fold.

    Warns
    -----
    UnreliableIntervalWarning
        If the interval may not hold.

    Notes
    -----
    K (R + 1) models are fitted, of K folds and R repetitions. The page on cross-validation has the
    formula, and what the interval is not valid for.

    References
    ----------
    Nadeau & Bengio (2003), Machine Learning 52:239; Bates, Hastie & Tibshirani (2024), JASA
    119:1434.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skmetrics_ext import cross_val_interval
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    >>> cross_val_interval(tree, X, y, scoring="accuracy", random_state=0)
    accuracy 0.9183 [0.8839, 0.9428] 95 % for the refitted model, repeated cross-validation,
    4 x 5 folds, n = 569
    """
    actual = read_labels_of_folds(y)
    metrics = read_scoring(scoring, actual.labels)
    check_positive_is_known(metrics, actual.labels)
    drawn = seed_of(random_state)
    random = random_of(drawn)
    seed = int(random.integers(SEEDS))
    request = requested(confidence_level, n_resamples=n_resamples, random_state=seed)
    check_request(request)
    folds = read_repeated_folds(cv, X, actual, groups, n_repeats, random)
    of_folds = {
        "clusters": groups,
        "params": params,
        "n_jobs": n_jobs,
        "pre_dispatch": pre_dispatch,
        "verbose": verbose,
        **metrics.of_labels,
    }
    counted = counted_repetitions(estimator, X, y, folds, of_folds)
    # Told by the seed of all, of the folds too.
    found = (
        of_origin(interval, interval._origin[0], n_resamples, drawn.entropy)
        for interval in cross_validated_intervals(counted, [*metrics.choices.values()], request)
    )
    intervals = dict(zip(metrics.choices, told_once(found), strict=True))
    return next(iter(intervals.values())) if metrics.is_single else intervals
