"""metric_interval: a metric between its limits, of samples with weights, in clusters or with several labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from skmetrics_ext.catalogue.choice import Choice, choose
from skmetrics_ext.catalogue.score import classes_request
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.counted import Counted, CountedIndicators, CountedLabels
from skmetrics_ext.counting.units import Units, units_of
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.counted import counted_for
from skmetrics_ext.matrices.from_data import fields_of_encoded, ranked_by
from skmetrics_ext.reading.aliases import GroupsLike, Label, LabelsLike, RandomState, TargetLike
from skmetrics_ext.reading.groups import groups_of_samples
from skmetrics_ext.reading.labels import Indicator, read_labels
from skmetrics_ext.reading.pairs import Encoded, Indicators, check_frequencies, counted_once, encode
from skmetrics_ext.statistics.clusters import Members, Sampled, interval_of_dependent, interval_of_means
from skmetrics_ext.statistics.estimand import class_counts_of
from skmetrics_ext.statistics.intervals import Request, interval_of
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
    """The value of a metric between the limits of its confidence interval, where counts alone do not tell it.

    It is for samples that count by weights, that belong together (several of one patient), or that have
    several labels; of all others it is `ConfusionMatrix.interval`. It covers the value that this fitted
    model has on new samples, or clusters, of the same kind, not that of models fitted to new training
    data.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,), or 0/1 indicators (n_samples, n_labels)
        Actual and predicted labels: numbers, strings or categoricals; 2-D is multilabel.
    metric : str or function
        A name ("specificity"), an alias ("tnr"), either with an average ("specificity_macro"), a
        metric function of this package, or one of your own as in `ConfusionMatrix.score`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample: how many others it stands for, as in a survey, and only relative to each
        other; whole numbers, too. See `frequency_weights`.
    frequency_weights : bool, default=False
        Whether the weights are numbers of equal samples that were counted, so that they must be whole,
        and larger ones make a value surer.
    clusters : array-like of shape (n_samples,), default=None
        What the samples belong to, such as patients: those of one cluster depend on each other. `by`
        gives counts and results of each group; `clusters` are samples that belong together, for how
        sure a value is; `groups` are scikit-learn's, for splitting.
    average : str or None, default="auto"
        As in the metric's function; "auto": "binary" for two classes and "macro" for more.
    labels : array-like of shape (n_classes,), default=None
        As in `ConfusionMatrix.score`; of multilabel data the columns.
    pos_label : int, float, bool or str, default=None
        The positive class; all others are negative. None: 1 of {0, 1}, {-1, 1} or {False, True};
        other labels need it.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        As in `ConfusionMatrix.score`. A class that is undefined is left out of the limits of an average.
    confidence_level : float, default=0.95
        Above 0 and below 1.
    method : str, default="auto"
        The first that fits of the table below, or one by name; "korn-graubard" is for shares of
        samples with weights, and wider.
    simultaneous : bool, default=False
        Whether the intervals of all classes hold at once, by Bonferroni.
    n_resamples : int, default=9_999
        Number of replicates of the bootstrap; at least 100.
    random_state : int, numpy Generator or RandomState, default=None
        What the replicates are drawn by. The same int gives the same interval.
    **parameters
        Parameters of the metric, such as `beta`.

    Returns
    -------
    Interval
        `value`, `low` and `high`: floats, or arrays as the metric's function gives them.

    Raises
    ------
    ValueError
        If an input is no label array, the lengths differ, an option is out of range, the method does not
        fit, there is a single cluster, or frequency weights are not whole.

    Warns
    -----
    UserWarning
        If there are fewer than 15 clusters, or a few have most samples, and as `ConfusionMatrix.interval`.

    Notes
    -----
    What "auto" does:

    ==============================  ================================================================
    neither weights nor clusters,   what `ConfusionMatrix.interval` does; of multilabel data for each
    or frequency weights            label by itself, average=None
    weights: shares of samples of   Wilson, and MOVER of two, with p (1 - p) / v samples, v the variance
    one prediction or actual class  of the ratio, and Student's t distribution; where all are hits as many as the
                                    weights are times the largest that a miss might have had; no more than
                                    where errors weigh what samples with their prediction do
    weights: F1, accuracy and all   delta method on the metric's own scale, with one sample more of each
    others that have a slope        prediction, of its mean weight, spread over the actual classes
    weights: averages of shares     the same, no nearer than MOVER of the classes' limits
    weights: all others             smoothed bootstrap: samples are drawn with their weights; where
                                    these are many, sums of weights from a scaled Poisson distribution
    clusters: shares of samples     Wilson with p (1 - p) / v samples and Student's t distribution; next to 0 and 1
                                    no more samples than clusters
    clusters, and macro, micro and  delta method, with as many degrees of freedom as there are further
    weighted averages of            clusters that tell of the class, on the logit of values in [0, 1], the
    multilabel data, hamming_loss   artanh of those in [-1, 1] and the logarithm of those above 0
    average="samples"               the same, of the mean of a value each
    clusters: metrics with          smoothed bootstrap of whole clusters, its percentiles as far out as few
    ties, mutual information        clusters ask for, further out by its bias as that of samples is
    ==============================  ================================================================

    Where clusters do not differ at all, as when all is right, shares have Wilson's limits as if each
    cluster that has such samples were one sample, and other metrics those of the bootstrap, in which a
    cluster is spread over all cells. The accuracy of multilabel data is the share of samples
    with every label right. Weights count relative to their mean, which Krippendorff's alpha notices.

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

    Of each of 20 patients there are two samples that are alike:

    >>> metric_interval(y_true, y_pred, "recall", clusters=[k % 20 for k in range(40)])
    recall of 1 0.8333 [0.5015, 0.9814] 95 %, Wilson of 20 clusters, n = 24
    """
    choice = choose(
        metric, average=average, labels=labels, pos_label=pos_label, zero_division=zero_division, **parameters
    )
    request = Request(confidence_level, method, None, simultaneous, n_resamples, random_state)
    true, pred = read_labels(y_true, "y_true"), read_labels(y_pred, "y_pred")
    group = (
        None if clusters is None else groups_of_samples(clusters, "clusters", true, pred.index).codes.astype(np.int64)
    )
    order = choice.labels if isinstance(true, Indicator) or not choice.row.has_average else None
    encoded = encode(true, pred, labels=order, sample_weight=sample_weight)
    check_frequencies(frequency_weights, encoded.weights)
    weights, are_counts = _weights_of(encoded.weights, frequency_weights)
    samples = SamplesOf(group, weights, are_counts, request)
    encoded = ranked_by(encoded._replace(weights=weights), order, "labels")
    if isinstance(encoded, Indicators):
        return _of_several_labels(encoded, choice._replace(labels=None), samples)
    return _of_pairs(encoded, choice, samples)


class SamplesOf(NamedTuple):
    """What samples are besides their labels, and what is asked of them."""

    group: NDArray[np.int64] | None
    weights: NDArray[Any] | None
    are_counts: bool
    """Whether weights are numbers of samples, or there are none."""
    request: Request

    @property
    def name(self) -> str:
        """What is drawn by itself."""
        return "sample" if self.group is None else "cluster"

    @property
    def numbers(self) -> NDArray[Any] | None:
        """How many samples each one is."""
        return self.weights if self.are_counts else counted_once(self.weights)


def _weights_of(weights: NDArray[Any] | None, are_frequencies: bool) -> tuple[NDArray[Any] | None, bool]:
    """Weights as numbers of samples, or else as multiples of their mean; and whether they are the former."""
    if weights is None:
        return None, True
    if are_frequencies:
        return weights, True
    occurs = weights > 0
    if (weights[occurs] == weights.max()).all():
        return occurs.astype(np.int64), True
    return weights / weights[occurs].mean(), False


def _of_pairs(encoded: Encoded, choice: Choice, samples: SamplesOf) -> Interval:
    """Of one label a sample."""
    cm = _matrix_of(encoded)
    if samples.group is None and samples.are_counts:
        return interval_of(counted_for(cm, choice), choice, (), samples.request)
    cells = encoded.true.astype(np.int64) * len(cm.labels) + encoded.pred

    def counted_of(sums: NDArray[Any]) -> Counted:
        """A sum over units as the matrix is read."""
        return counted_for(replace(cm, counts=sums.reshape(cm.counts.shape)), choice)

    units = units_of([cells], cm.counts.size, samples.weights, samples.group)
    find = interval_of_weights if samples.group is None else interval_of_dependent
    once = counted_for(_matrix_of(encoded._replace(weights=samples.numbers)), choice)
    return find(Sampled(units, counted_of, samples.name, once), choice, samples.request)


def _matrix_of(encoded: Encoded) -> ConfusionMatrix:
    """The matrix of samples; what their weights are has been settled."""
    return ConfusionMatrix(**fields_of_encoded(encoded) | {"weighted": False})


def _of_several_labels(encoded: Indicators, choice: Choice, samples: SamplesOf) -> Interval:
    """Of several labels a sample."""
    if choice.row.multilabel == "exact samples":
        return _of_pairs(_all_right_or_not(encoded), choice, samples)
    counted = CountedIndicators(encoded)
    average = classes_request(counted, choice).average if choice.row.has_average else ""
    if average == "samples":
        return interval_of_means(counted, choice, _members(encoded, samples), samples.name, samples.request)
    is_independent = samples.group is None and average is None
    if is_independent and samples.are_counts:
        return interval_of(CountedLabels(counted.classes, encoded.labels), choice, (), samples.request)

    def counted_of(sums: NDArray[Any]) -> Counted:
        """Four cells a label."""
        return CountedLabels(class_counts_of(sums.reshape(-1, 2, 2)), encoded.labels)

    find = interval_of_weights if is_independent else interval_of_dependent
    once = CountedLabels(CountedIndicators(encoded._replace(weights=samples.numbers)).classes, encoded.labels)
    return find(Sampled(_units_of_labels(encoded, samples), counted_of, samples.name, once), choice, samples.request)


def _all_right_or_not(encoded: Indicators) -> Encoded:
    """Samples with every label right as right ones of a single class, all others as errors of it."""
    differs = encoded.true != encoded.pred
    wrong = (np.asarray(differs.sum(axis=1)).ravel() > 0).astype(np.int64)
    classes = np.array([0, 1])
    return Encoded(np.zeros_like(wrong), wrong, classes, 2, encoded.weights, classes)


def _members(encoded: Indicators, samples: SamplesOf) -> Members:
    """What each sample of the mean over them is."""
    ones = np.ones(encoded.true.shape[0])
    weights = ones if samples.weights is None else samples.weights.astype(np.float64)
    numbers = ones if samples.numbers is None else samples.numbers
    if samples.group is not None:
        return Members(samples.group, weights, ones, numbers)
    own = np.arange(len(ones))
    times, weights = (weights, ones) if samples.are_counts else (ones, weights)
    return Members(own, weights, times, numbers)


def _units_of_labels(encoded: Indicators, samples: SamplesOf) -> Units:
    """Samples, or their clusters, of which each has one of four cells of every label."""
    true, pred = (side.toarray() if sparse.issparse(side) else side for side in (encoded.true, encoded.pred))
    cells = 4 * np.arange(true.shape[1]) + 2 * true + pred
    if samples.group is not None or not samples.are_counts or samples.weights is None:
        return units_of([cells], 4 * true.shape[1], samples.weights, samples.group)
    kept = samples.weights > 0
    return units_of([cells[kept]], 4 * true.shape[1])._replace(times=samples.weights[kept].astype(np.int64))
