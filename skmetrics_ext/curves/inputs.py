"""The labels, scores, weights and thresholds of a threshold curve, validated."""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.columns import NamedScores, check_single_column, labels_of_names
from skmetrics_ext.adapter.positive import check_positive, is_first_of_two, positive_of
from skmetrics_ext.adapter.scale import check_scale, in_precision_of
from skmetrics_ext.counting.ranking import Samples, with_weight
from skmetrics_ext.reading.containers import as_array, only_column
from skmetrics_ext.reading.groups import columns_of_clusters
from skmetrics_ext.reading.labels import Column, Indicator, read_column, read_order
from skmetrics_ext.reading.messages import warn
from skmetrics_ext.reading.names import check_same_samples, index_of_samples, places_of
from skmetrics_ext.reading.numbers import check_total
from skmetrics_ext.reading.order import as_ranked, position_of, positions_in, show, sorted_union
from skmetrics_ext.reading.pairs import Weights, are_not_all_0_or_1, common_length, read_as_said

# What an entry is: a sample; so many identical ones; all samples of one score, as their number or
# weight; or all of one bin, at its lower edge.
Entries = Literal["samples", "frequencies", "counts", "weights", "bins", "weighted bins"]
BINS: tuple[Entries, Entries] = ("bins", "weighted bins")


class CurveLabels(NamedTuple):
    """The two labels of a curve, which is positive, and whether they are ranked."""

    labels: NDArray[Any]
    positive: Any
    ranked: bool = False


class CurveClasses(NamedTuple):
    """The classes of the data behind a curve; `known` has all, or is None."""

    curve: CurveLabels
    positive: Any
    known: NDArray[Any] | None


def edges_of_bins(samples: Samples, entries: Entries) -> NDArray[np.float64] | None:
    """The thresholds of a curve of bins, decreasing; None for others, which have all scores."""
    return np.unique(samples.scores)[::-1] if entries in BINS else None


def read_labels_of_curve(y_true: Any, name: str) -> Column:
    """One label per sample."""
    return read_column(
        y_true, name, " A curve is for one class: use ThresholdCurves.from_scores, one per label."
    )


def classes_of_curve(
    present: NDArray[Any], ranking: NDArray[Any] | None, pos_label: Any, name: str = "y_true"
) -> CurveClasses:
    """The labels of a curve, in the order that is named or declared, else [negative, positive].

    Negatives of several classes or an unknown one are "not" the positive label.
    """
    known = present
    if len(known) == 1 and pos_label is not None:
        check_positive(pos_label, known)
        known = sorted_union(known, read_order([pos_label], "pos_label"))
    if len(known) == 1 and position_of(np.array([-1, 0, 1]), known[0]) is not None:
        known = np.array([min(known[0], 0), 1], dtype=known.dtype)
    if pos_label is None and len(known) > 2:
        raise ValueError(
            f"{name} has {len(known)} labels {show(known)}, but a curve is for one class: pass "
            "pos_label= for one of them against the rest, or use ThresholdCurves.from_scores for "
            "one curve per class."
        )
    positive = positive_of(known, pos_label).label
    if len(known) == 2:
        in_order = as_ranked(known, ranking)
        is_ranked = ranking is not None and bool(
            (positions_in(ranking, known) < len(ranking)).all()
        )
        return CurveClasses(labels_of_two(in_order, positive, is_ranked), positive, known)
    return CurveClasses(against_the_rest(positive), positive, known if len(known) > 2 else None)


def labels_of_two(order: NDArray[Any], positive: Any, is_ranked: bool) -> CurveLabels:
    """Two labels as ranked, else with the positive one last, as a matrix has them."""
    is_turned = not is_ranked and is_first_of_two(order, positive)
    return CurveLabels(order[::-1] if is_turned else order, positive, is_ranked)


def check_same_scores(true: Column | Indicator, scores: NamedScores) -> None:
    """Reject labels and scores in different orders, before columns are matched."""
    check_same_samples(true.index, scores.index, ("y_true", "y_score"), default_is_name=False)


def known_labels_of_columns(scores: NamedScores, true: Column) -> NDArray[Any]:
    """The labels of the data and of the columns of a frame of their scores."""
    check_same_scores(true, scores)
    if scores.names is None or len(scores.names) == 1:
        return true.labels
    return np.sort(labels_of_names(scores.names, true.labels))


def against_the_rest(label: Any) -> CurveLabels:
    """The labels where negatives are several classes or an unknown one."""
    return CurveLabels(np.array([f"not {label}", f"{label}"]), f"{label}", ranked=True)


def scores_of_class(
    named_scores: NamedScores, present: NDArray[Any], classes: CurveClasses
) -> NDArray[Any]:
    """The scores of the positive class, maybe one of several columns."""
    scores, names, _ = named_scores
    if named_scores.are_of_labels:
        raise ValueError(
            f"y_score is a list of {len(scores)} arrays, as returned by a multilabel "
            "predict_proba, but a curve is for one class: use ThresholdCurves.from_scores, which "
            "makes one per label."
        )
    needed = (
        present
        if names is None
        else sorted_union(present, read_order([classes.positive], "pos_label"))
    )
    if scores.ndim == 1:
        check_single_column(named_scores, needed, classes.positive)
        return np.asarray(scores)
    if names is not None:
        places = places_of(
            needed,
            names,
            "the columns of y_score",
            "name them accordingly, or pass only the column of that class.",
        )
        return np.asarray(scores[:, places[position_of(needed, classes.positive) or 0]])
    if classes.known is None or scores.shape[1] != len(classes.known):
        raise ValueError(
            f"y_score has {scores.shape[1]} columns and y_true the labels {show(present)}, so the "
            "column for "
            f"{classes.positive!r} can't be identified: pass only that column, or a data frame "
            "with named columns."
        )
    return np.asarray(scores[:, position_of(classes.known, classes.positive)])


def weights_of_samples(
    true: Column | Indicator, index: Any, n_scores: int, weights: Weights
) -> NDArray[Any] | None:
    """The weights of labels and scores of one length."""
    n_samples = common_length(true, n_scores, ("y_true", "y_score"))
    index = index_of_samples(true.index, index)
    own: NDArray[Any] | None = read_as_said(weights, n_samples, index).of_samples
    return own


def samples_of_class(
    true: Column,
    named_scores: NamedScores,
    known: NDArray[Any],
    pos_label: Any,
    weights: Weights,
    clusters: Any = None,
) -> tuple[Samples, CurveLabels, Entries]:
    """The samples for the curve of a class, its labels, and what an entry is."""
    classes = classes_of_curve(known, true.ranking, pos_label)
    scores = scores_of_class(named_scores, known, classes)
    _warn_of_labels(scores, true.labels)
    own = weights_of_samples(true, named_scores.index, len(scores), weights)
    place = position_of(true.labels, classes.positive)
    positive = np.zeros(len(scores), dtype=bool) if place is None else true.codes == place
    # Copies, since the caller's arrays may change.
    of_clusters = clusters_of_samples(clusters, true, named_scores.index)
    samples = Samples(
        np.array(scores), positive, None if own is None else np.array(own), of_clusters
    )
    return samples, classes.curve, "frequencies" if weights.are_frequencies else "samples"


def _warn_of_labels(scores: NDArray[Any], present: NDArray[Any]) -> None:
    """Say that scores are labels, whose area is that of one threshold."""
    if len(present) != 2 or present.dtype.kind not in "biuf":
        return
    are_low, are_high = scores == present[0], scores == present[1]
    if are_low.any() and are_high.any() and (are_low | are_high).all():
        warn(
            f"y_score holds only the labels {show(present)}, so areas are those of predicted "
            "labels, one threshold: pass scores, such as predict_proba(X)[:, 1], or count labels "
            "with ConfusionMatrix.from_predictions."
        )


def clusters_of_samples(clusters: Any, true: Column | Indicator, index: Any) -> NDArray[Any] | None:
    """The name of each sample's cluster, the same in every curve."""
    if clusters is None:
        return None
    column, *readers = columns_of_clusters(clusters, true, index, "y_score")
    if readers:
        raise ValueError(
            "a curve takes one column of clusters. For areas over new readers and new cases make "
            "curves by reader, ThresholdCurves.from_scores(y_true, y_score, by={'reader': reader}, "
            "clusters=case), and compare them by compare_curves."
        )
    return np.asarray(column.labels[column.codes])


def are_weighted(samples: Samples, entries: Entries) -> bool:
    """Whether counts are sums of weights; of a table, whether it had any."""
    return entries in ("weights", "weighted bins") or (
        entries == "samples" and are_not_all_0_or_1(samples.weights)
    )


def read_thresholds(thresholds: Any, samples: Samples) -> NDArray[Any]:
    """The thresholds in the precision of the scores."""
    if isinstance(thresholds, (int, np.integer)) and not isinstance(thresholds, bool):
        return _quantiles(int(thresholds), with_weight(samples))
    advice = "pass a list of numbers, a number of quantiles such as 100, or None for all scores"
    ragged = ValueError(f"thresholds must be 1-D, but its rows have different lengths: {advice}.")
    chosen = as_array(only_column(thresholds), "thresholds", ragged)
    if chosen.dtype.kind not in "iuf" and chosen.size:
        raise TypeError(f"thresholds must be numbers; got {chosen.dtype}: {advice}.")
    if chosen.ndim != 1:
        raise ValueError(
            f"thresholds must be 1-D, one number per threshold; it has shape {chosen.shape}: "
            f"{advice}."
        )
    if not len(chosen):
        raise ValueError(f"thresholds is empty: {advice}.")
    if np.isnan(chosen).any():
        raise ValueError(f"thresholds holds NaN, which no score reaches: {advice}.")
    return in_precision_of(samples.scores, chosen)


def read_thresholds_on_scale(thresholds: Any, samples: Samples) -> NDArray[Any]:
    """The same, rejecting those that are no probabilities where the scores are."""
    chosen = read_thresholds(thresholds, samples)
    if not isinstance(thresholds, (int, np.integer)):
        check_scale(chosen, with_weight(samples).scores, name="thresholds")
    return chosen


def _quantiles(n_quantiles: int, samples: Samples) -> NDArray[Any]:
    """Quantiles of the scores, decreasing and distinct; all scores if there are fewer."""
    if n_quantiles < 1:
        raise ValueError(f"thresholds={n_quantiles} is a number of quantiles: pass at least 1.")
    if n_quantiles > len(samples.scores):
        return np.unique(samples.scores)[::-1]
    shares = np.linspace(1, 0, n_quantiles)
    quantiles = np.quantile(samples.scores, shares, weights=samples.weights, method="inverted_cdf")
    return np.unique(quantiles)[::-1]


def locked(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view of the array."""
    view = array.view()
    view.setflags(write=False)
    return view


def locked_samples(*parts: Any) -> Samples:
    """The samples as read-only views, with a total weight within range."""
    samples = Samples._make(None if part is None else locked(part) for part in parts)
    if samples.weights is not None:
        check_total(samples.weights.sum(dtype=np.float64), "sample_weight")
    return samples
