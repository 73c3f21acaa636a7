"""Scores in decreasing order -> counts at every threshold, and areas; pure, vectorised."""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.reading.aliases import Ties
from skmetrics_ext.reading.numbers import in_float32_at_least

# Below so many samples, or with this share in one, buckets do not pay.
FEW = 1 << 15
CROWDED = 0.25
LAST_BUCKET = (1 << 16) - 1
MOST_BUCKETS = 1 << 20
# In a range between these, the buckets per unit are an ordinary float32.
LEAST_SPAN, MOST_SPAN = 1e-30, 1e30


class Samples(NamedTuple):
    """The samples of a curve: scores, positives, weights and clusters or None, each (n,)."""

    scores: NDArray[Any]
    positive: NDArray[np.bool_]
    weights: NDArray[Any] | None
    clusters: NDArray[Any] | None = None


def codes_of_clusters(names: NDArray[Any]) -> NDArray[np.int64]:
    """The place of each sample's cluster among all."""
    return np.unique(names, return_inverse=True)[1].reshape(-1)


def with_weight(samples: Samples) -> Samples:
    """The samples with weights above 0; others add no threshold."""
    weights = samples.weights
    if weights is None or weights.all():
        return samples
    kept = weights > 0
    return Samples._make(None if part is None else part[kept] for part in samples)


def without_single_clusters(samples: Samples) -> Samples:
    """Samples of which each is a cluster are independent."""
    clusters = samples.clusters
    if clusters is None or len(np.unique(clusters)) < len(clusters):
        return samples
    return samples._replace(clusters=None)


def decreasing(scores: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """The order from the highest score to the lowest, and the scores in it."""
    nearly = _nearly_decreasing(scores)
    if nearly is None:
        order = np.argsort(-scores)
        return order, scores[order]
    negated = -scores[nearly]
    order_of_nearly = np.argsort(negated, kind="stable")
    return nearly[order_of_nearly], -negated[order_of_nearly]


def counts_at_every_score(samples: Samples, ties: Ties) -> tuple[NDArray[Any], ClassCounts]:
    """The distinct scores, decreasing, and the counts (n_thresholds,) at each of them."""
    scores, positive, weights, _ = samples
    order, scores = decreasing(scores)
    positive = positive[order]
    last = _last_of_each(scores)
    if weights is None:
        tp = np.cumsum(positive, dtype=np.int64)
        fp = np.arange(1, len(tp) + 1) - tp
        # Scores without ties, as a million mostly are, need no copies.
        if len(last) < len(scores):
            scores, tp, fp = scores[last], tp[last], fp[last]
        fn, tn = tp[-1] - tp, fp[-1] - fp
    else:
        weights = weights[order]
        tp, fn = _up_to_and_beyond(np.where(positive, weights, 0), last)
        fp, tn = _up_to_and_beyond(np.where(positive, 0, weights), last)
        scores = scores[last]
    if ties == "negative":
        nothing = np.zeros_like(tp[:1])
        tp, fn = np.append(nothing, tp[:-1]), np.append(tp[:1] + fn[:1], fn[:-1])
        fp, tn = np.append(nothing, fp[:-1]), np.append(fp[:1] + tn[:1], tn[:-1])
    return scores, ClassCounts(tp, fp, fn, tn)


def counts_at(samples: Samples, thresholds: NDArray[Any], ties: Ties) -> ClassCounts:
    """The counts at each threshold, in any order, without sorting the samples."""
    n_thresholds = len(thresholds)
    reached, place = _reached(samples.scores, thresholds, ties)
    cell = 2 * reached + samples.positive
    sums = np.bincount(cell, samples.weights, minlength=2 * (n_thresholds + 1))
    if samples.weights is None or samples.weights.dtype.kind == "i":
        sums = sums.astype(np.int64, copy=False)
    sums_of_classes = sums.reshape(-1, 2)
    fp, tp = sums_of_classes[::-1].cumsum(axis=0)[:-1].T
    # Sums from the other end, not differences.
    tn, fn = sums_of_classes.cumsum(axis=0)[-2::-1].T
    return ClassCounts(tp[place], fp[place], fn[place], tn[place])


def sums_of_either(
    reaching: NDArray[Any],
    others: NDArray[Any],
    scores: NDArray[Any],
    thresholds: NDArray[Any],
    ties: Ties,
) -> NDArray[Any]:
    """The sum of a value (n,) over samples that reach each threshold, and of another over
    others.
    """
    n_cells = len(thresholds) + 1
    reached, place = _reached(scores, thresholds, ties)
    above = np.bincount(reached, reaching, minlength=n_cells)[::-1].cumsum()[:-1]
    below = np.bincount(reached, others, minlength=n_cells).cumsum()[-2::-1]
    return np.asarray((above + below)[place])


def roc_area(counts: ClassCounts, max_fpr: float | None = None) -> float:
    """Area under tpr against fpr by trapezoids; nan without positives or negatives.

    Up to `max_fpr` it is standardised: 0.5 at chance, 1 at best (McClish 1989).
    """
    positives, negatives = _totals(counts)
    if not (positives and negatives):
        return np.nan
    tp, fp = _from_nothing_to_all(counts.tp, positives), _from_nothing_to_all(counts.fp, negatives)
    n_pairs = float(tp[-1]) * float(fp[-1])
    if max_fpr is None or max_fpr == 1:
        # Sums of float weights may exceed the total by rounding.
        return min(max(_trapezoids(fp, tp) / n_pairs, 0.0), 1.0)
    most_fp = max_fpr * float(fp[-1])
    stop = np.searchsorted(fp, most_fp, side="right")
    tp_at_most = np.interp(most_fp, fp[stop - 1 : stop + 1], tp[stop - 1 : stop + 1])
    area = _trapezoids(np.append(fp[:stop], most_fp), np.append(tp[:stop], tp_at_most)) / n_pairs
    at_chance = max_fpr**2 / 2
    return min((1 + (area - at_chance) / (max_fpr - at_chance)) / 2, 1.0)


def precision_area(counts: ClassCounts) -> float:
    """Average precision, sum_t (recall_t - recall_{t-1}) precision_t; nan without positives."""
    positives, negatives = _totals(counts)
    if not positives:
        return np.nan
    # A point below all scores: with ties="negative" the lowest is not above itself.
    tp, fp = np.append(counts.tp, positives), np.append(counts.fp, negatives)
    gained = np.diff(tp, prepend=0)
    (rises,) = np.nonzero(gained)
    precision = tp[rises] / (tp[rises] + fp[rises])
    return min(float((gained[rises] * precision).sum()) / positives, 1.0)


def one_vs_one_areas(
    scores: NDArray[Any], codes: NDArray[Any], weights: NDArray[Any] | None, n_classes: int
) -> NDArray[np.float64]:
    """A[j, k]: how often a sample of class j scores higher for j than one of class k, else nan.

    Ties count half. The samples have scores (n_samples, n_classes) and the code of their class.
    """
    areas = np.empty((n_classes, n_classes))
    weights = np.ones(len(codes), dtype=np.int64) if weights is None else weights
    totals = np.bincount(codes, weights, minlength=n_classes)
    for j in range(n_classes):
        order, decreasing_scores = decreasing(scores[:, j])
        weight, code = weights[order], codes[order]
        last = _last_of_each(decreasing_scores)
        up_to = np.cumsum(weight * (code == j))[last]
        middle = ratio((up_to + np.append(0, up_to[:-1])) / 2, totals[j])
        higher = np.repeat(middle, np.diff(last, prepend=-1))
        areas[j] = ratio(np.bincount(code, weight * higher, minlength=n_classes), totals)
    return areas


def _nearly_decreasing(scores: NDArray[Any]) -> NDArray[np.intp] | None:
    """An order by 65,536 buckets of equal width, in linear time; None if that would not help."""
    # NumPy sorts 16-bit integers by radix, and timsort is fast on nearly sorted floats: half the
    # time of one float sort of a million.
    if len(scores) < FEW:
        return None
    scores = in_float32_at_least(scores)
    high = scores.max()
    span = float(high) - float(scores.min())
    if not LEAST_SPAN < span < MOST_SPAN:
        return None
    bucket = ((high - scores) * (LAST_BUCKET / span)).astype(np.uint16)
    if np.bincount(bucket).max() > CROWDED * len(scores):
        return None
    return np.argsort(bucket, kind="stable")


def _up_to_and_beyond(
    values: NDArray[Any], places: NDArray[np.intp]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The sums up to each position and beyond it, neither a difference."""
    beyond = np.append(values[::-1].cumsum()[::-1], 0)[1:]
    return values.cumsum()[places], beyond[places]


def _last_of_each(scores: NDArray[Any]) -> NDArray[np.intp]:
    """The last position of each distinct value of sorted scores."""
    return np.append(np.flatnonzero(scores[1:] != scores[:-1]), len(scores) - 1)


def _reached(
    scores: NDArray[Any], thresholds: NDArray[Any], ties: Ties
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """How many thresholds each score reaches, and their positions in decreasing order."""
    order = np.argsort(-thresholds, kind="stable")
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    increasing = thresholds[order[::-1]]
    n_reached = _number_below(scores, increasing, "right" if ties == "positive" else "left")
    return n_reached, place


def _number_below(
    scores: NDArray[Any], increasing: NDArray[Any], side: Literal["left", "right"]
) -> NDArray[Any]:
    """np.searchsorted for each score; of many by buckets of equal width, in linear time."""
    # With float16 the buckets would be infinite.
    scores, increasing = in_float32_at_least(scores), in_float32_at_least(increasing)
    low, high = scores.min(), scores.max()
    span = float(high) - float(low)
    if len(scores) < FEW or not LEAST_SPAN < span < MOST_SPAN:
        return np.searchsorted(increasing, scores, side=side)
    n_buckets = min(max(LAST_BUCKET + 1, 16 * len(increasing)), MOST_BUCKETS)
    buckets_per_unit = (n_buckets - 1) / span
    # Larger numbers are never in lower buckets: only within a bucket scores are compared.
    bucket_of_threshold = ((np.clip(increasing, low, high) - low) * buckets_per_unit).astype(
        np.int32
    )
    taken = np.bincount(bucket_of_threshold, minlength=n_buckets + 1)
    in_lower = np.where(taken > 0, -1, taken.cumsum()).astype(np.int32)
    below: NDArray[Any] = in_lower[((scores - low) * buckets_per_unit).astype(np.int32)]
    (unknown,) = np.nonzero(below < 0)
    below[unknown] = np.searchsorted(increasing, scores[unknown], side=side)
    return below


def _totals(counts: ClassCounts) -> tuple[float, float]:
    """The weight of all positives and of all negatives."""
    return float(counts.tp[0] + counts.fn[0]), float(counts.fp[0] + counts.tn[0])


def _from_nothing_to_all(sums: NDArray[Any], whole: float) -> NDArray[np.float64]:
    """Cumulative sums from 0 to the total, whichever of the two the ties omit.

    Divided by a power of two near the total, so that products stay finite, without rounding.
    """
    return np.asarray(np.ldexp(np.concatenate(([0.0], sums, [whole])), -np.frexp(whole)[1]))


def _trapezoids(x: NDArray[Any], y: NDArray[Any]) -> float:
    """The area under y against x."""
    # A long dot product would start threads of BLAS, which cost more than they save.
    return float((np.diff(x) * (y[1:] + y[:-1])).sum()) / 2
