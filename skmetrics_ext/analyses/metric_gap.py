"""metric_gap: how much a metric differs between groups of weighted or clustered samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.analyses.metric_interval import (
    counts_of_samples,
    is_mean_of_samples,
    read_samples,
)
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.reading.aliases import GroupsLike, Label, LabelsLike, RandomState, TargetLike
from skmetrics_ext.reading.groups import Groups, axis_of_groups
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.statistics.caveats import told
from skmetrics_ext.statistics.gaps import GapRequest, refuse_zero_division
from skmetrics_ext.statistics.gaps_of_designs import gap_of_design
from skmetrics_ext.statistics.results import Gap


def metric_gap(
    y_true: TargetLike,
    y_pred: TargetLike,
    metric: str | Callable[..., Any],
    *,
    by: GroupsLike,
    sample_weight: ArrayLike | None = None,
    frequency_weights: bool = False,
    clusters: GroupsLike | None = None,
    kind: Literal["difference", "ratio"] = "difference",
    baseline: Label | None = None,
    min_samples: int = 0,
    average: str | None = "auto",
    labels: LabelsLike | None = None,
    pos_label: Label | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 9_999,
    random_state: RandomState = 0,
    **parameters: Any,
) -> Gap:
    """How much a metric differs between groups, for weighted or clustered samples.

    It equals `ConfusionMatrix.gap` of samples counted with the same weights and clusters.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels: numbers, strings or categoricals.
    metric : str or function
        A name ("specificity") or an alias ("tnr"), maybe with an average ("specificity_macro"), a
        metric function of this package, or a custom one of a ConfusionMatrix. Values are not
        negated.
    by : array-like of shape (n_samples,), dict or list of arrays, or data frame
        The group of each sample: adds a leading axis "group", sorted, or in the order of an ordered
        categorical. A dict or data frame gives one axis per name, a list the axes "group_0",
        "group_1", ..., with zero counts for combinations without samples. `by` is for results of
        each group, `clusters` for dependent samples, `groups` for cross-validation splits.
    sample_weight : array-like of shape (n_samples,), default=None
        Sampling weight: how many units of the population a sample stands for; only relative size
        matters, even of whole numbers. See `frequency_weights`.
    frequency_weights : bool, default=False
        Whether weights are counts of identical samples: whole numbers, of which larger ones narrow
        confidence intervals.
    clusters : array-like of shape (n_samples,), default=None
        Cluster of each sample, such as its patient, within which samples may be dependent. `by` is
        for results of each group, `clusters` for dependent samples, `groups` for cross-validation
        splits.
    kind : {"difference", "ratio"}, default="difference"
        "difference": the highest group value minus the lowest. "ratio": the lowest divided by the
        highest, for metrics that are never negative.
    baseline : label, default=None
        Reference group: the gap is the largest difference from its value, up or down, or the lowest
        ratio of the lower value to the higher. None: all pairs.
    min_samples : int, default=0
        Groups with a smaller effective sample size (see `Gap`) are omitted and listed in its
        `excluded_groups`.
    average : {"auto", "binary", "macro", "micro", "weighted", "worst"} or None, default="auto"
        "auto": "binary" for two classes and "macro" for more. A class whose value is undefined in a
        group is omitted from that group's average.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report; for multilabel data, the columns. None: all.
    pos_label : int, float, bool or str, default=None
        The positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or {False, True};
        required for other labels.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.
    n_resamples : int, default=9999
        Number of permutations and of bootstrap replicates; at least 100.
    random_state : int, numpy Generator or RandomState, default=0
        The same int gives the same permutations and replicates; None: others at each call. In
        simulations pass a Generator, for independent draws.
    **parameters
        Parameters of the metric, such as `beta`.

    Returns
    -------
    Gap
        As of `ConfusionMatrix.gap`.

    Raises
    ------
    ValueError
        As `metric_interval` and `ConfusionMatrix.gap`.

    Warns
    -----
    UserWarning
        As `metric_interval`, for each group, and `ConfusionMatrix.gap`.

    Notes
    -----
    Limits are MOVER's as in `ConfusionMatrix.gap`. The correlation of groups that have samples of
    the same clusters is allowed for (Zou 2007).

    References
    ----------
    Zou (2007), Psychological Methods 12:399; Zou & Donner (2008), Statistics in Medicine 27:1693;
    Donner & Zou (2012), Statistical Methods in Medical Research 21:347.

    Examples
    --------
    >>> from skmetrics_ext import metric_gap
    >>> y_true, y_pred = [1, 1, 1, 0] * 40, [1, 1, 0, 0] * 20 + [1, 1, 1, 0] * 15 + [1, 0, 0, 1] * 5
    >>> patients, sexes = [k // 4 for k in range(160)], ["f"] * 80 + ["m"] * 80
    >>> metric_gap(y_true, y_pred, "recall", by=sexes, clusters=patients)
    0.1667 [0.0000, 0.4047] 95 %, p = 0.176: difference of recall of 1, f below m (MOVER, inverted, n = 120)
    """  # noqa: E501
    refuse_zero_division(parameters)
    choice = choose(
        metric,
        average=average,
        labels=labels,
        pos_label=pos_label,
        zero_division=np.nan,
        **parameters,
    )
    if by is None:
        raise TypeError(
            "by must be the group of each sample, such as a list or a column of a data frame; got "
            "None."
        )
    weights = Weights(sample_weight, frequency_weights)
    samples = read_samples(y_true, y_pred, choice, weights, clusters)
    true, index_of_predicted, _ = samples.read_as
    axis, column = axis_of_groups(by, true, index_of_predicted)
    if is_mean_of_samples(samples, choice):
        raise ValueError(
            "a gap in a mean over the samples has no confidence limits: use another average, or "
            "metric_interval for each group."
        )
    groups = Groups([axis], [column])
    counted, axes, design, choice = counts_of_samples(samples, choice, groups)
    request = GapRequest(
        axis, kind, baseline, min_samples, confidence_level, n_resamples, random_state
    )
    return told(gap_of_design(counted, choice, axes, request, design))
