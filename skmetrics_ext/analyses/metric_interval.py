"""metric_interval: a metric with its interval, for weighted, clustered or multilabel samples."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.catalogue.choice import Choice, choose
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.axes import Axis, axis_of_column
from skmetrics_ext.counting.counted import Counted, CountedIndicators
from skmetrics_ext.counting.design import Clusters, CrossedUnits, SampleDesign
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.counted import counted_for_limits, design_of_counted
from skmetrics_ext.matrices.from_data import (
    GivenGroups,
    fields_of_encoded,
    ranked_by,
    refuse_with_readers,
    units_of_columns,
)
from skmetrics_ext.reading.aliases import GroupsLike, Label, LabelsLike, RandomState, TargetLike
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.groups import Groups, columns_of_clusters
from skmetrics_ext.reading.labels import Column, Indicator, read_labels
from skmetrics_ext.reading.order import plain
from skmetrics_ext.reading.pairs import Encoded, Indicators, Weights, encode
from skmetrics_ext.statistics.caveats import told
from skmetrics_ext.statistics.entries import over_axes, stacked_results
from skmetrics_ext.statistics.estimate import interval_of
from skmetrics_ext.statistics.request import Request, check_request, requested
from skmetrics_ext.statistics.results import Interval
from skmetrics_ext.statistics.values.means import Members, interval_of_means


@explained
def metric_interval(
    y_true: TargetLike,
    y_pred: TargetLike,
    metric: str | Callable[..., Any],
    *,
    sample_weight: ArrayLike | None = None,
    frequency_weights: bool = False,
    clusters: GroupsLike | None = None,
    by: GroupsLike | None = None,
    missing_group: Label | None = None,
    average: str | None = "binary",
    labels: LabelsLike | None = None,
    pos_label: Label | None = None,
    zero_division: ZeroDivision = "warn",
    confidence_level: float = 0.95,
    method: str = "auto",
    fixed: Literal["actual"] | None = None,
    simultaneous: bool = False,
    n_resamples: int = 9_999,
    random_state: RandomState = 0,
    prior: float | None = None,
    **parameters: Any,
) -> Interval:
    """The value of a metric with its confidence interval, for weighted, clustered or multilabel
    samples; otherwise that of `ConfusionMatrix.interval`.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
        Actual and predicted labels.
    metric : str or function
        A name ("specificity") or an alias ("tnr"), maybe with an average ("specificity_macro"), a
        metric function, or a custom one of a ConfusionMatrix. Values are not negated.
    sample_weight : array-like of shape (n_samples,), default=None
        How many units of the population a sample stands for; only relative size matters, unless
        they are frequencies.
    frequency_weights : bool, default=False
        Whether weights are counts of identical samples, which narrow confidence intervals.
    clusters : array-like of shape (n_samples,), default=None
        Cluster of each sample, such as its patient; two columns, cases and readers, for limits over
        new ones of both. `by` is for results of each group, `clusters` for dependent samples,
        `groups` for splits.
    by : array-like of shape (n_samples,), dict or list of arrays, or data frame, default=None
        The group of each sample, for a leading axis "group", sorted or in the order of a
        categorical. A dict or data frame gives one axis per name, a list "group_0", "group_1", ...
        `by` is for results of each group, `clusters` for dependent samples, `groups` for splits.
    missing_group : str, int, bool or date, default=None
        Name of the group of samples without one, placed last. None: an error.
    average : str or None, default="binary"
        As in the metric's function.
    labels : array-like of shape (n_classes,), default=None
        Classes to average or report; for multilabel data, the columns. None: all.
    pos_label : int, float, bool or str, default=None
        The positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or {False, True};
        required for other labels.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the metric is 0/0: nan unless given. Averages omit undefined classes from
        their interval.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.
    method : str, default="auto"
        As in `ConfusionMatrix.interval`; "auto": the method that fits.
    fixed : "actual" or None, default=None
        "actual": the numbers of samples per actual class were fixed by design. Limits are those at
        the counted prevalence, as of `at_prevalence`.
    simultaneous : bool, default=False
        Whether intervals of all groups and classes hold together.
    n_resamples : int, default=9_999
        Number of bootstrap replicates; at least 100.
    random_state : int, numpy Generator or RandomState, default=0
        The same int gives the same interval; None: another at each call.
    prior : float, default=None
        For "dirichlet": pseudo-count added to each cell. None: 1/2 per cell of a 2 x 2 table, 1 in
        total for a larger matrix.
    **parameters
        Parameters of the metric, such as `beta`.

    Returns
    -------
    Interval
        `value`, `low` and `high`: floats, or arrays.

    Raises
    ------
    ValueError
        As `ConfusionMatrix.interval`; if there is a single cluster, or frequency weights are not
        whole.

    Warns
    -----
    UserWarning
        As `ConfusionMatrix.interval`.

    References
    ----------
    Korn & Graubard (1998), Survey Methodology 24:193; Cochran (1977), Sampling Techniques; Berry &
    Armitage (1995), The Statistician 44:417.

    Examples
    --------
    >>> from skmetrics_ext import metric_interval
    >>> y_true = [0, 0, 1, 1, 1, 0, 1, 1, 0, 1] * 4
    >>> y_pred = [0, 1, 1, 1, 0, 0, 1, 1, 0, 1] * 4
    >>> metric_interval(y_true, y_pred, "recall", sample_weight=[1, 3] * 20)
    recall of 1 0.9167 [0.7072, 0.9916] 95 %, mid-P, n = 24
    >>> metric_interval(y_true, y_pred, "recall", clusters=[k // 2 for k in range(40)])
    recall of 1 0.8333 [0.5405, 0.9736] 95 %, mid-P of 16 clusters, n = 24
    """
    true, pred = read_labels(y_true, "y_true"), read_labels(y_pred, "y_pred")
    choice = choose(
        metric,
        classes=known_to_either(true, pred),
        average=average,
        labels=labels,
        pos_label=pos_label,
        zero_division=zero_division,
        **parameters,
    )
    request = requested(
        confidence_level, method, fixed, simultaneous, n_resamples, random_state, prior
    )
    check_request(request)
    weights = Weights(sample_weight, frequency_weights)
    samples = read_samples(true, pred, choice, weights, clusters)
    groups = GivenGroups(by, missing_group).read(*samples.read_as)
    if is_mean_of_samples(samples, choice):
        return told(_interval_of_means(samples, choice, request, groups))
    counted, axes, design, choice = counts_of_samples(samples, choice, groups)
    return told(interval_of(counted, choice, axes, request, design))


def known_to_either(true: Column | Indicator, pred: Column | Indicator) -> list[Any]:
    """The classes that occur; none for several labels a sample, which have columns."""
    columns = [of for of in (true, pred) if isinstance(of, Column)]
    return [label for column in columns for label in plain(column.labels)]


class SamplesOf(NamedTuple):
    """Both labels of each sample with its weight, and its cluster where there are any."""

    # Encoded or Indicators.
    encoded: Any
    clusters: Clusters | CrossedUnits | None
    # What groups are read for: actual labels, the index of predicted ones, and both names.
    read_as: tuple[Any, Any, tuple[str, str]]

    @property
    def n(self) -> int:
        """How many there are."""
        return int(self.encoded.true.shape[0])

    @property
    def are_counts(self) -> bool:
        """Whether the weights are frequency weights (numbers of samples), or there are none."""
        return self.encoded.weights is None or self.encoded.are_frequencies


def read_samples(
    true: Column | Indicator,
    pred: Column | Indicator,
    choice: Choice,
    weights: Weights,
    clusters: Any,
) -> SamplesOf:
    """The labels, weights and clusters of the samples, validated."""
    of_clusters = None
    if clusters is not None:
        of_clusters = units_of_columns(columns_of_clusters(clusters, true, pred.index))
    order = choice.labels if isinstance(true, Indicator) or not choice.row.has_average else None
    encoded = ranked_by(encode(true, pred, labels=order, weights=weights), order, "labels")
    if encoded.weights is not None and not (encoded.weights > 0).any():
        raise ValueError("no sample has a weight above 0, so there is nothing to estimate.")
    if isinstance(of_clusters, CrossedUnits):
        refuse_with_readers(encoded)
    return SamplesOf(encoded, of_clusters, (true, pred.index, ("y_true", "y_pred")))


def counts_of_samples(
    samples: SamplesOf, choice: Choice, groups: Groups | None
) -> tuple[Counted, tuple[Axis, ...], SampleDesign, Choice]:
    """The counts of a metric with axes and design, and the metric as it is of these."""
    encoded = samples.encoded
    if isinstance(encoded, Indicators):
        # The labels asked for are those that were read.
        choice = choice._replace(labels=None)
        if choice.row.multilabel == "exact samples":
            encoded = _all_right_or_not(encoded)
    is_multilabel = isinstance(encoded, Indicators)
    is_of_each_label = choice.row.has_average and choice.average is None
    units = samples.clusters
    if units is None and is_multilabel and not is_of_each_label:
        # The labels of a sample stay together.
        every = np.arange(samples.n)
        units = Clusters(every, every, "sample")
    fields = fields_of_encoded(encoded, groups, clusters=units)
    cm = ConfusionMatrix(**fields)
    counted, axes = counted_for_limits(cm, choice, over_labels=is_multilabel)
    return counted, axes, design_of_counted(cm, counted), choice


def _all_right_or_not(encoded: Indicators) -> Encoded:
    """Samples with every label correct as hits of a single class, others as errors."""
    differs = encoded.true != encoded.pred
    wrong = (np.asarray(differs.sum(axis=1)).ravel() > 0).astype(np.int64)
    classes = np.array([0, 1])
    weights, are_frequencies = encoded.weights, encoded.are_frequencies
    hits = np.zeros_like(wrong)
    return Encoded(hits, wrong, classes, 2, weights, classes, are_frequencies=are_frequencies)


def is_mean_of_samples(samples: SamplesOf, choice: Choice) -> bool:
    """Whether the value is a mean over the samples, which no matrix gives."""
    return isinstance(samples.encoded, Indicators) and choice.average == "samples"


def _interval_of_means(
    samples: SamplesOf, choice: Choice, request: Request, groups: Groups | None
) -> Interval:
    """The interval of a mean over the samples, in each group."""
    if request.fixed is not None:
        raise ValueError(
            f"fixed={request.fixed!r} is for actual classes, and average='samples' is a mean over "
            "samples: leave it out."
        )
    choice = choice._replace(labels=None)
    if groups is None:
        return interval_of_means(
            CountedIndicators(samples.encoded), choice, _members(samples), request
        )
    n_entries = math.prod(groups.lengths)
    if request.simultaneous:
        level = 1 - (1 - request.confidence_level) / n_entries
        request = request._replace(confidence_level=level)
    axes = tuple(map(axis_of_column, groups.names, groups.columns))
    codes = groups.codes()
    intervals = []
    for code in range(n_entries):
        of_group = _samples_at(samples, np.flatnonzero(codes == code))
        counted = CountedIndicators(of_group.encoded)
        intervals.append(interval_of_means(counted, choice, _members(of_group), request))
    return over_axes(stacked_results(intervals, Axis("entry", np.arange(n_entries))), axes)


def _samples_at(samples: SamplesOf, rows: NDArray[np.intp]) -> SamplesOf:
    """Some of the samples."""
    encoded = samples.encoded
    weights = None if encoded.weights is None else encoded.weights[rows]
    own = encoded._replace(true=encoded.true[rows], pred=encoded.pred[rows], weights=weights)
    clusters = samples.clusters
    if isinstance(clusters, Clusters):
        clusters = clusters._replace(codes=clusters.codes[rows])
    return samples._replace(encoded=own, clusters=clusters)


def _members(samples: SamplesOf) -> Members:
    """Each sample's cluster, or itself, its weight and its number in a mean over samples."""
    ones = np.ones(samples.n)
    given = samples.encoded.weights
    weights = ones if given is None else given.astype(np.float64)
    numbers = weights if samples.are_counts else (weights > 0).astype(np.int64)
    if isinstance(samples.clusters, Clusters):
        unit = samples.clusters.codes
        return Members("cluster", unit, weight=weights, frequencies=ones, numbers=numbers)
    unit = np.arange(samples.n)
    if samples.are_counts:
        return Members("sample", unit, weight=ones, frequencies=weights, numbers=numbers)
    return Members("sample", unit, weight=weights, frequencies=ones, numbers=numbers)
