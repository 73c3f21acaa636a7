"""Labels and scores, or an estimator -> the parts of a threshold curve."""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.responses import predict_scores
from skmetrics_ext.adapter.rule import Ties, make_rule
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.ranking import Samples, counts_at, counts_at_every_score, with_weight
from skmetrics_ext.curves.inputs import (
    CurveLabels,
    classes_of_curve,
    read_labels_of_curve,
    read_thresholds,
    scores_of_class,
    weights_of_samples,
)
from skmetrics_ext.reading.labels import Column
from skmetrics_ext.reading.order import position_of
from skmetrics_ext.reading.pairs import Weights, are_no_counts, check_frequencies

# What an entry of the samples of a curve is: a sample; all samples of one score, as their number or their weight; or
# all those whose scores are in one bin, of which the lower edge is known.
Entries = Literal["samples", "counts", "weights", "bins", "weighted bins"]
BINS: tuple[Entries, Entries] = ("bins", "weighted bins")


def are_weighted(samples: Samples, entries: Entries) -> bool:
    """Whether counts are sums of weights; of a table whether there was a column of them."""
    return entries in ("weights", "weighted bins") or (entries == "samples" and are_no_counts(samples.weights))


class CurveParts(NamedTuple):
    """The attributes of a ThresholdCurve."""

    thresholds: NDArray[Any]
    counts: ClassCounts
    labels: NDArray[Any]
    pos_label: Any
    ties: Ties
    samples: Samples
    at_every_score: bool
    entries: Entries = "samples"
    are_quantiles: bool = False
    ranked: bool = False


def parts_of_model(
    estimator: Any,
    X: Any,
    y: Any,
    pos_label: Any,
    methods: tuple[str, ...],
    ties: Ties,
    weights: Weights,
    thresholds: ArrayLike | None,
) -> CurveParts:
    """The scores that an estimator has for the positive class, against the actual labels."""
    make_rule(ties=ties)
    true = read_labels_of_curve(y, "y")
    scores, positive, known = predict_scores(estimator, X, true, pos_label, methods)
    return parts_of_class(true, scores, known, positive, ties, weights, thresholds)


def parts_of_class(
    true: Column,
    y_score: Any,
    known: NDArray[Any],
    pos_label: Any,
    ties: Ties,
    weights: Weights,
    thresholds: ArrayLike | None,
) -> CurveParts:
    """One of the classes that are known, of labels that have been read."""
    samples, labels = samples_of_class(true, y_score, known, pos_label, weights.of_samples)
    check_frequencies(weights.are_frequencies, samples.weights)
    parts = parts_of_samples(samples, labels, ties, thresholds)
    return parts._replace(entries="counts") if weights.are_frequencies else parts


def samples_of_class(
    true: Column, y_score: Any, known: NDArray[Any], pos_label: Any, sample_weight: ArrayLike | None
) -> tuple[Samples, CurveLabels]:
    """What the curve of one of the classes counts, and its two labels."""
    classes = classes_of_curve(known, true.ranking, pos_label)
    scores = scores_of_class(y_score, known, classes)
    weights = weights_of_samples(true, y_score, len(scores), sample_weight)
    place = position_of(true.labels, classes.positive)
    positive = np.zeros(len(scores), dtype=bool) if place is None else true.codes == place
    # Copies, since arrays of the caller may change.
    return Samples(np.array(scores), positive, None if weights is None else np.array(weights)), classes.curve


def parts_of_samples(
    samples: Samples, labels: CurveLabels, ties: Ties = "positive", thresholds: ArrayLike | None = None
) -> CurveParts:
    """What has been read and checked, except for the thresholds."""
    if thresholds is None:
        chosen, counts = counts_at_every_score(with_weight(samples), ties)
    else:
        chosen = read_thresholds(thresholds, samples)
        counts = counts_at(samples, chosen, ties)
    order, positive, ranked = labels
    are_quantiles = isinstance(thresholds, (int, np.integer))
    return CurveParts(
        chosen,
        counts,
        order,
        positive,
        ties,
        samples,
        at_every_score=thresholds is None,
        are_quantiles=are_quantiles,
        ranked=ranked,
    )
