"""metric_interval: a metric with its interval, for weighted, clustered or multilabel samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from skmetrics_ext.catalogue.choice import Choice, choose
from skmetrics_ext.catalogue.score import classes_request
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.axes import axis_of_column
from skmetrics_ext.counting.counted import Counted, CountedIndicators, CountedLabels
from skmetrics_ext.counting.units import Units, units_of
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.counted import counted_for
from skmetrics_ext.matrices.from_data import fields_of_encoded, ranked_by
from skmetrics_ext.reading.aliases import GroupsLike, Label, LabelsLike, RandomState, TargetLike
from skmetrics_ext.reading.groups import Groups, axis_of_groups, groups_of_samples, rows_of_groups
from skmetrics_ext.reading.labels import Column, Indicator, read_labels
from skmetrics_ext.reading.messages import naming
from skmetrics_ext.reading.order import plain
from skmetrics_ext.reading.pairs import (
    Encoded,
    Indicators,
    Weights,
    check_frequencies,
    counted_once,
    encode,
)
from skmetrics_ext.statistics.caveats import told
from skmetrics_ext.statistics.clusters import (
    Members,
    Sampled,
    interval_of_dependent,
    interval_of_means,
)
from skmetrics_ext.statistics.estimand import class_counts_of
from skmetrics_ext.statistics.intervals import Request, check_request, interval_of, requested
from skmetrics_ext.statistics.results import Interval
from skmetrics_ext.statistics.weights import interval_of_weights


def metric_interval(
    y_true: TargetLike,
    y_pred: TargetLike,
    metric: str | Callable[..., Any],
    *,
    sample_weight: ArrayLike | None = None,
    frequency_weights: bool = False,
    clusters: GroupsLike | None = None,
    by: GroupsLike | None = None,
    average: str | None = "auto",
    labels: LabelsLike | None = None,
    pos_label: Label | None = None,
    zero_division: ZeroDivision = "warn",
    confidence_level: float = 0.95,
    method: str = "auto",
    simultaneous: bool = False,
    n_resamples: int = 9_999,
    random_state: RandomState = None,
    **parameters: Any,
) -> Interval:
    """The value of a metric with its confidence interval, for data where the counts alone do not
    determine it.

    For weighted, clustered (such as several samples per patient) or multilabel samples; otherwise
    it equals `ConfusionMatrix.interval`. The estimand is the value that this fitted model has on
    new samples, or clusters, from the same population, not that of models refitted to new training
    data.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Actual and predicted labels: numbers, strings or categoricals; 2-D is multilabel.
    metric : str or function
        A name ("specificity"), an alias ("tnr"), either with an averaging suffix
        ("specificity_macro"), a metric function of this package, or a custom one as in
        `ConfusionMatrix.score`.
    sample_weight : array-like of shape (n_samples,), default=None
        Sampling weight: how many population units each sample represents, as in a survey; only
        relative size matters, even for whole numbers. See `frequency_weights`.
    frequency_weights : bool, default=False
        Whether the weights are counts of identical samples; they must then be whole numbers, and
        larger ones narrow the confidence intervals.
    clusters : array-like of shape (n_samples,), default=None
        Cluster of each sample, such as the patient: samples in a cluster may be dependent. `by`
        gives counts and results of each group; `clusters` identify dependent samples, for
        confidence intervals and tests; `groups` are scikit-learn's, for cross-validation splits.
    by : array-like of shape (n_samples,), or dict, list or data frame of several, default=None
        The group of each sample: adds a leading axis "group", or of the name of the column, sorted,
        or in the order of an ordered categorical. Several columns give one axis, such as "site,
        sex", of their combinations that occur, such as "a, f". `by` gives counts and results of
        each group; `clusters` identify dependent samples, for confidence intervals and tests;
        `groups` are scikit-learn's, for cross-validation splits.
    average : str or None, default="auto"
        As in the metric's function; "auto": "binary" for two classes and "macro" for more.
    labels : array-like of shape (n_classes,), default=None
        As in `ConfusionMatrix.score`; for multilabel data the columns.
    pos_label : int, float, bool or str, default=None
        The positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or {False, True};
        required for other labels.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        As in `ConfusionMatrix.score`, but a value that is 0/0 is nan unless `zero_division` is
        given. Classes for which the metric is undefined are omitted from the interval of an
        average.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.
    method : str, default="auto"
        "auto": the first applicable method in the table below; or one by name; "korn-graubard" is
        for proportions with weighted samples, and is more conservative.
    simultaneous : bool, default=False
        Whether the intervals of all groups and classes are simultaneous (Bonferroni).
    n_resamples : int, default=9_999
        Number of bootstrap replicates; at least 100.
    random_state : int, numpy Generator or RandomState, default=None
        Seed or generator for the resampling; the same int gives the same interval.
    **parameters
        Parameters of the metric, such as `beta`.

    Returns
    -------
    Interval
        `value`, `low` and `high`: floats, or arrays as returned by the metric's function.

    Raises
    ------
    ValueError
        If an input is not an array of labels, the lengths differ, an option is out of range, the
        method does not apply, there is a single cluster, in a group or in all, or frequency weights
        are not whole.

    Warns
    -----
    UserWarning
        If there are fewer than 15 clusters, or a few contain most samples, and as
        `ConfusionMatrix.interval`.

    Notes
    -----
    What "auto" does:

    ==============================  ================================================================
    neither weights nor clusters,   as `ConfusionMatrix.interval`; for multilabel data for each
    label or frequency weights            separately, average=None weights: proportions of one
    Wilson, or MOVER of two, with Student's t quantile and effective class, functions of two of
    sample size p (1 - p) / v, v the variance of the ratio estimator; at them
    most the size that results if hits and misses have the mean weight
                                    (Kish) of all samples with the same prediction; if all are hits,
                                    or none is, the total weight over the largest weight that a
                                    miss, or a hit, could have had
    weights: F1, accuracy and all   delta method on the logit, artanh or log scale that fits the
    range, other differentiable metrics    else untransformed, with Student's t quantile; one sample
    is added
                                    per predicted class, of the mean weight there, spread over the
                                    actual classes
    weights: macro and weighted     the same, at least as wide as MOVER of the classes' limits
    averages of proportions
    weights: all others             smoothed bootstrap: samples are resampled with their weights; if
                                    there are many distinct ones, sums of weights from a scaled
                                    Poisson distribution
    clusters: proportions           Wilson with Student's t quantile and effective sample size
                                    p (1 - p) / v, at most the effective number of clusters (Kish)
                                    if it gives fewer than five effective hits or misses
    clusters: other differentiable  delta method with Student's t, degrees of freedom one less than
    the metrics; macro, micro and       effective number (Kish) of clusters, on the logit scale for
    weighted averages of            values in [0, 1], the artanh scale for [-1, 1] and the log scale
    multilabel data, hamming_loss   above 0 average="samples"               the same, for the mean
    of per-sample values clusters: metrics that are not  smoothed cluster bootstrap, its percentiles
    widened for the number differentiable everywhere,      of clusters (Hesterberg) and by its bias
    as in mutual information              `ConfusionMatrix.interval` ==============================
    ================================================================

    Where there is no variation between clusters, as when every prediction is correct, proportions
    have Wilson's limits as if each cluster with samples in the denominator were one sample, and
    other metrics those of the bootstrap, smoothed by the weight of one cluster spread over the
    cells. The accuracy of multilabel data is the proportion of samples with every label correct.
    Weights are rescaled to mean 1, which affects Krippendorff's alpha.

    References
    ----------
    Korn & Graubard (1998), Survey Methodology 24:193; Cochran (1977), Sampling Techniques; Wilson
    (1927), JASA 22:209;
    Newcombe (1998), Statistics in Medicine 17:873; Hesterberg (2015), American Statistician 69:371.

    Examples
    --------
    >>> from skmetrics_ext import metric_interval
    >>> y_true = [0, 0, 1, 1, 1, 0, 1, 1, 0, 1] * 4
    >>> y_pred = [0, 1, 1, 1, 0, 0, 1, 1, 0, 1] * 4
    >>> metric_interval(y_true, y_pred, "recall")
    recall of 1 0.8333 [0.6415, 0.9332] 95 %, Wilson, n = 24
    >>> metric_interval(y_true, y_pred, "recall", sample_weight=[1, 3] * 20)
    recall of 1 0.9167 [0.7254, 0.9877] 95 %, Wilson, n = 24

    Two identical samples from each of 20 patients:

    >>> metric_interval(y_true, y_pred, "recall", clusters=[k % 20 for k in range(40)])
    recall of 1 0.8333 [0.5015, 0.9814] 95 %, Wilson of 20 clusters, n = 24
    """
    choice = choose(
        metric,
        average=average,
        labels=labels,
        pos_label=pos_label,
        zero_division=zero_division,
        **parameters,
    )
    request = requested(confidence_level, method, None, simultaneous, n_resamples, random_state)
    samples = read_samples(
        y_true, y_pred, choice, Weights(sample_weight, frequency_weights), clusters, by
    )
    if samples.by is None:
        return told(interval_of_samples(samples, choice, request))
    if simultaneous:
        check_request(request)
        request = request._replace(
            confidence_level=1 - (1 - confidence_level) / len(samples.by.labels)
        )
    found = []
    for name, of_group in samples.groups():
        with naming(f"group {name!r}"):
            found.append(interval_of_samples(of_group, choice, request))
    caveats = tuple(
        caveat._replace(sentence=f"group {name!r}: {caveat.sentence}", entries=None)
        for name, of in zip(plain(samples.by.labels), found, strict=True)
        for caveat in of.caveats
    )
    entries = zip(*((of.value, of.low, of.high, of.n_undefined, of.n) for of in found), strict=True)
    value, low, high, n_undefined, n = map(np.stack, entries)
    methods = {
        of.method if clusters is None else of.method.rpartition(" of ")[0] + " of clusters"
        for of in found
    }
    axes = axis_of_column(samples.axis, samples.by), *found[0].axes
    interval = Interval(
        value=value,
        low=low,
        high=high,
        confidence_level=confidence_level,
        method=", ".join(sorted(methods)),
        n_undefined=n_undefined,
        axes=axes,
        metric=found[0].metric,
        label=found[0].label,
        n=n,
        caveats=caveats,
    )
    return told(interval)


class SamplesOf(NamedTuple):
    """Both labels of each sample with its weight, and its cluster and its group where there are
    any.
    """

    # Encoded or Indicators.
    encoded: Any
    cluster: NDArray[np.int64] | None
    # Whether the weights are frequency weights (numbers of samples), or there are no weights.
    are_counts: bool
    by: Column | None = None
    # The name of the axis of groups.
    axis: str = "group"

    @property
    def weights(self) -> NDArray[Any] | None:
        """The weights of the samples."""
        weights: NDArray[Any] | None = self.encoded.weights
        return weights

    @property
    def name(self) -> str:
        """What is resampled as a unit."""
        return "sample" if self.cluster is None else "cluster"

    def matrix(self, weights: NDArray[Any] | None, groups: Groups | None = None) -> ConfusionMatrix:
        """The matrix of all samples, or of each group, with weights whose meaning is resolved
        before.
        """
        fields = fields_of_encoded(self.encoded._replace(weights=weights), groups)
        return ConfusionMatrix(**fields | {"weighted": False})

    @property
    def numbers(self) -> NDArray[Any] | None:
        """The number of samples each one represents."""
        return self.weights if self.are_counts else counted_once(self.weights)

    def groups(self) -> Iterator[tuple[Any, SamplesOf]]:
        """The samples of each group, with its name."""
        assert self.by is not None, "there are groups"
        for name, rows in zip(plain(self.by.labels), rows_of_groups(self.by), strict=True):
            of_rows = {part: getattr(self.encoded, part)[rows] for part in ("true", "pred")}
            weights, cluster = (
                None if of is None else of[rows] for of in (self.weights, self.cluster)
            )
            # Units have all codes up to the largest.
            codes = (
                None if cluster is None else np.unique(cluster, return_inverse=True)[1].reshape(-1)
            )
            yield (
                name,
                SamplesOf(
                    self.encoded._replace(**of_rows, weights=weights), codes, self.are_counts
                ),
            )

    def with_comparable_weights(self) -> SamplesOf:
        """With weights as numbers of samples, or else as multiples of their mean."""
        weights = self.weights
        if weights is None or self.are_counts:
            return self
        occurs = weights > 0
        if not occurs.any():
            raise ValueError("no sample has a weight above 0, so there is nothing to estimate.")
        are_equal = bool((weights[occurs] == weights.max()).all())
        weights = occurs.astype(np.int64) if are_equal else weights / weights[occurs].mean()
        return self._replace(encoded=self.encoded._replace(weights=weights), are_counts=are_equal)


def read_samples(
    y_true: Any, y_pred: Any, choice: Choice, weights: Weights, clusters: Any, by: Any
) -> SamplesOf:
    """The labels, weights, clusters and groups of the samples, validated."""
    true, pred = read_labels(y_true, "y_true"), read_labels(y_pred, "y_pred")
    cluster, axis, group = None, "group", None
    if clusters is not None:
        cluster = groups_of_samples(clusters, "clusters", true, pred.index)
    if by is not None:
        axis, group = axis_of_groups(by, true, pred.index)
    order = choice.labels if isinstance(true, Indicator) or not choice.row.has_average else None
    encoded = ranked_by(
        encode(true, pred, labels=order, sample_weight=weights.of_samples), order, "labels"
    )
    check_frequencies(weights.are_frequencies, encoded.weights)
    codes = None if cluster is None else cluster.codes.astype(np.int64)
    are_counts = weights.are_frequencies or encoded.weights is None
    return SamplesOf(encoded, codes, are_counts, group, axis)


def interval_of_samples(samples: SamplesOf, choice: Choice, request: Request) -> Interval:
    """The interval of all samples, whatever their groups."""
    samples = samples.with_comparable_weights()
    if isinstance(samples.encoded, Indicators):
        return _interval_of_several_labels(samples, choice._replace(labels=None), request)
    return _interval_of_pairs(samples, choice, request)


def _interval_of_pairs(samples: SamplesOf, choice: Choice, request: Request) -> Interval:
    """With one label per sample."""
    cm, encoded = samples.matrix(samples.weights), samples.encoded
    if samples.cluster is None and samples.are_counts:
        return interval_of(counted_for(cm, choice), choice, (), request)
    cells = encoded.true.astype(np.int64) * len(cm.labels) + encoded.pred

    def counted_of(sums: NDArray[Any]) -> Counted:
        """A sum over units, read as a matrix."""
        return counted_for(replace(cm, counts=sums.reshape(cm.counts.shape)), choice)

    units = units_of([cells], cm.counts.size, samples.weights, samples.cluster)
    find = interval_of_weights if samples.cluster is None else interval_of_dependent
    once = counted_for(samples.matrix(samples.numbers), choice)
    return find(Sampled(units, counted_of, samples.name, once), choice, request)


def _interval_of_several_labels(samples: SamplesOf, choice: Choice, request: Request) -> Interval:
    """With several labels per sample."""
    if choice.row.multilabel == "exact samples":
        return _interval_of_pairs(
            samples._replace(encoded=_all_right_or_not(samples.encoded)), choice, request
        )
    encoded = samples.encoded
    counted = CountedIndicators(encoded)
    average = classes_request(counted, choice).average if choice.row.has_average else ""
    if average == "samples":
        return interval_of_means(counted, choice, _members(samples), samples.name, request)
    is_independent = samples.cluster is None and average is None
    if is_independent and samples.are_counts:
        return interval_of(CountedLabels(counted.classes, encoded.labels), choice, (), request)

    def counted_of(sums: NDArray[Any]) -> Counted:
        """Four cells per label."""
        return CountedLabels(class_counts_of(sums.reshape(-1, 2, 2)), encoded.labels)

    find = interval_of_weights if is_independent else interval_of_dependent
    once = CountedLabels(
        CountedIndicators(encoded._replace(weights=samples.numbers)).classes, encoded.labels
    )
    return find(Sampled(_units_of_labels(samples), counted_of, samples.name, once), choice, request)


def _all_right_or_not(encoded: Indicators) -> Encoded:
    """Samples with every label correct as hits of a single class, all others as errors of it."""
    differs = encoded.true != encoded.pred
    wrong = (np.asarray(differs.sum(axis=1)).ravel() > 0).astype(np.int64)
    classes = np.array([0, 1])
    return Encoded(np.zeros_like(wrong), wrong, classes, 2, encoded.weights, classes)


def _members(samples: SamplesOf) -> Members:
    """Cluster, weight and number of each sample in the mean over samples."""
    ones = np.ones(samples.encoded.true.shape[0])
    weights = ones if samples.weights is None else samples.weights.astype(np.float64)
    numbers = ones if samples.numbers is None else samples.numbers
    if samples.cluster is not None:
        return Members(samples.cluster, weights, ones, numbers)
    own = np.arange(len(ones))
    frequencies, weights = (weights, ones) if samples.are_counts else (ones, weights)
    return Members(own, weights, frequencies, numbers)


def _units_of_labels(samples: SamplesOf) -> Units:
    """Samples, or their clusters; a sample is in one of four cells of every label."""
    true, pred = (side.toarray() if sparse.issparse(side) else side for side in samples.encoded[:2])
    cells = 4 * np.arange(true.shape[1]) + 2 * true + pred
    if samples.cluster is not None or not samples.are_counts or samples.weights is None:
        return units_of([cells], 4 * true.shape[1], samples.weights, samples.cluster)
    kept = samples.weights > 0
    return units_of([cells[kept]], 4 * true.shape[1])._replace(
        frequencies=samples.weights[kept].astype(np.int64)
    )
