"""metric_gap: how much a metric differs between groups of weighted or clustered samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.analyses.metric_interval import interval_of_samples, read_samples
from skmetrics_ext.catalogue.choice import choose
from skmetrics_ext.counting.replicates import random_of
from skmetrics_ext.matrices.counted import counted_for_limits
from skmetrics_ext.reading.aliases import GroupsLike, Label, LabelsLike, RandomState, TargetLike
from skmetrics_ext.reading.groups import Groups
from skmetrics_ext.reading.messages import naming
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.statistics.bootstrap import leaves_any_out
from skmetrics_ext.statistics.caveats import Caveat, told
from skmetrics_ext.statistics.gaps import (
    GapRequest,
    LimitsOfEach,
    SampledGroups,
    gap_of,
    refuse_zero_division,
)
from skmetrics_ext.statistics.intervals import Request
from skmetrics_ext.statistics.proportions import Limits
from skmetrics_ext.statistics.results import Gap, Interval


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
    random_state: RandomState = None,
    **parameters: Any,
) -> Gap:
    """How much a metric differs between groups, for weighted or clustered samples.

    Without weights and clusters it equals `ConfusionMatrix.gap`; with them it combines the groups'
    intervals by `metric_interval` in the same way.

    Parameters
    ----------
    y_true, y_pred, metric, by, sample_weight, frequency_weights, clusters
        As in `metric_interval`.
    average, labels, pos_label
        As in `metric_interval`.
    kind, baseline, min_samples, n_resamples, random_state
        As in `ConfusionMatrix.gap`.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.
    **parameters
        Parameters of the metric, such as `beta`.

    Returns
    -------
    Gap
        With weights or clusters, p_value is one minus the highest confidence level at which the
        limits exclude equality of all groups, so that both always agree; it is at least 2e-9, or
        what the replicates of a bootstrap can tell.

    Raises
    ------
    ValueError
        As `metric_interval` and `ConfusionMatrix.gap`.

    Warns
    -----
    UserWarning
        As `metric_interval`, for each group, and `ConfusionMatrix.gap`; if a cluster has samples in
        several groups: groups are treated as independent.

    Notes
    -----
    MOVER of the groups' limits, simultaneous for all pairs by Tukey's studentised range, or by
    Bonferroni against a baseline, as in `ConfusionMatrix.gap`.

    References
    ----------
    Zou & Donner (2008), Statistics in Medicine 27:1693; Donner & Zou (2012), Statistical Methods in
    Medical Research 21:347.

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
    read = read_samples(
        y_true, y_pred, choice, Weights(sample_weight, frequency_weights), clusters, by
    )
    if read.by is None:
        raise TypeError(
            "by must be the group of each sample, such as a list or a column of a data frame; got "
            "None."
        )
    samples, groups = read.with_comparable_weights(), Groups([read.axis], [read.by])
    counted, axes = counted_for_limits(samples.matrix(samples.weights, groups), choice)
    request = GapRequest(
        None, kind, baseline, min_samples, confidence_level, n_resamples, random_state
    )
    if samples.cluster is None and samples.are_counts:
        return told(gap_of(counted, choice, axes, request))
    each, caveats = [*read.groups()], list[Caveat]()
    n_clusters = [
        len(np.unique(of.cluster))
        for of in (samples, *(of for _, of in each))
        if of.cluster is not None
    ]
    if n_clusters and sum(n_clusters[1:]) > n_clusters[0]:
        text = (
            "some clusters have samples in several groups, but a gap treats groups as independent: "
            "its limits and p-value are conservative if the samples of a cluster are alike, and "
            "invalid if they are opposed."
        )
        caveats.append(Caveat("shared_clusters", text))
    once, _ = counted_for_limits(samples.matrix(samples.numbers, groups), choice)
    # The replicates of all confidence levels must be the same.
    seed = int(random_of(random_state).integers(2**32))

    # Beyond all replicates there is no evidence, so that no p-value goes there.
    finest = 1 - 2 / (n_resamples + 1)

    @cache
    def interval_at(place: int, level: float) -> Interval:
        """The interval of a group at a confidence level."""
        name, of_group = each[place]
        with naming(f"group {name!r}"):
            own = Request(level, n_resamples=n_resamples, random_state=seed)
            return interval_of_samples(of_group, choice, own)

    def limits_of(is_asked: NDArray[np.bool_], request: Request) -> LimitsOfEach:
        """The limits of the requested groups; NaN where they would be those of the farthest
        replicates.
        """
        level = request.confidence_level
        ends: list[Any] = [np.nan] * len(each)
        of_groups: list[Caveat] = []
        for place in np.flatnonzero(is_asked.reshape(-1, len(each)).any(0)).tolist():
            found = interval_at(place, min(level, finest))
            of_groups += _named(found.caveats, each[place][0])
            ends[place] = np.stack([found.low, found.high])
            if level > finest and not leaves_any_out(n_resamples, 1 - level):
                of_level = found if "bootstrap" in found.method else interval_at(place, level)
                further = np.stack([of_level.low, of_level.high])
                # Other methods draw replicates where the samples do not vary; one end alone may be
                # that of the range.
                ends[place] = np.where((further != ends[place]).any(0), further, np.nan)
        limits = Limits(*np.stack(np.broadcast_arrays(*ends), -1))
        return LimitsOfEach(limits, tuple(of_groups))

    sampled = SampledGroups(once, limits_of, tuple(caveats))
    return told(gap_of(counted, choice, axes, request, sampled))


def _named(caveats: Iterable[Caveat], group: Any) -> list[Caveat]:
    """Caveats of all entries of a group, which they name."""
    return [
        caveat._replace(sentence=f"group {group!r}: {caveat.sentence}", entries=None)
        for caveat in caveats
    ]
