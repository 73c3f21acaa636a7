"""Points of the curves of one class, areas under them, and their intervals."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.catalogue.undefined import warn_undefined
from skmetrics_ext.counting.counts import ClassCounts
from skmetrics_ext.counting.division import ratio, squared
from skmetrics_ext.counting.ranking import (
    Samples,
    codes_of_clusters,
    counts_at_every_score,
    precision_area,
    roc_area,
    with_weight,
    without_single_clusters,
)
from skmetrics_ext.counting.replicates import random_of
from skmetrics_ext.curves.data import CurveData, factors_at, rows_of
from skmetrics_ext.curves.operating_points import check_independent
from skmetrics_ext.curves.values import row_of_one_class
from skmetrics_ext.formulas import one_class
from skmetrics_ext.reading.arguments import (
    check_confidence_level,
    check_in_range,
    check_number,
    check_whole,
)
from skmetrics_ext.statistics.areas import delong
from skmetrics_ext.statistics.areas.average_precision import (
    influence_on_precision,
    limits_of_average_precision,
    precision_area_of,
)
from skmetrics_ext.statistics.areas.bootstrap import percentiles_or_range, resampled_areas
from skmetrics_ext.statistics.areas.delong import Area, AtScores, RankedSamples
from skmetrics_ext.statistics.arrays import Limits
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.clusters import caveats_of_classes
from skmetrics_ext.statistics.constants import MOST_OUTWEIGHED, MOST_OUTWEIGHED_IN_CLUSTERS
from skmetrics_ext.statistics.estimate import caveats_of_folds, refuse_unknown
from skmetrics_ext.statistics.methods import check_method_of_area, shown
from skmetrics_ext.statistics.results import Interval


class RocCurve(NamedTuple):
    """False positive rate and true positive rate at each threshold.

    Attributes
    ----------
    fpr, tpr : ndarray of shape (n_points,)
        1 - specificity and recall; nan without negatives or positives, respectively.
    thresholds : ndarray of shape (n_points,)
        In decreasing order, or the given thresholds in their order.
    """

    fpr: NDArray[np.float64]
    tpr: NDArray[np.float64]
    thresholds: NDArray[Any]


class PrecisionRecallCurve(NamedTuple):
    """Precision and recall at each threshold.

    Attributes
    ----------
    precision, recall : ndarray of shape (n_points,)
        As `ThresholdCurve.score` gives them.
    thresholds : ndarray of shape (n_points,)
        In decreasing order, or the given thresholds in their order.
    """

    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    thresholds: NDArray[Any]


def roc_points(counts: ClassCounts, thresholds: NDArray[Any], include_origin: bool) -> RocCurve:
    """Both rates at every threshold, on request after inf, which no score reaches."""
    fpr = ratio(*one_class.false_positive_rate(counts))
    tpr = ratio(*one_class.recall(counts))
    if lacking := [
        name for name, rate in (("negatives", fpr), ("positives", tpr)) if np.isnan(rate).any()
    ]:
        warn_undefined(
            f"there are no {' and no '.join(lacking)}: their rate is undefined (0/0) and set to "
            "nan."
        )
    if not include_origin:
        return RocCurve(fpr, tpr, thresholds)
    # 0/0 is undefined at the origin, too.
    fpr, tpr = (np.append(0 * rate[:1], rate) for rate in (fpr, tpr))
    return RocCurve(fpr, tpr, np.append(np.inf, thresholds))


def checked_roc_area(
    counts: ClassCounts, max_fpr: float | None = None, *, at_every_score: bool
) -> float:
    """The area up to a false positive rate, nan without positives or negatives."""
    if max_fpr is not None:
        check_number(max_fpr, "max_fpr")
        check_in_range(max_fpr, "max_fpr", lambda x: 0 < x <= 1, "above 0 and at most 1")
    _check_every_score("roc_auc", counts, at_every_score)
    return _area_or_nan("roc_auc", roc_area(counts, max_fpr), "it needs positives and negatives")


def checked_precision_area(counts: ClassCounts, *, at_every_score: bool) -> float:
    """Average precision, nan without positives."""
    _check_every_score("average_precision", counts, at_every_score)
    return _area_or_nan("average_precision", precision_area(counts), "there are no positives")


def _check_every_score(name: str, counts: ClassCounts, at_every_score: bool) -> None:
    """Reject areas at selected thresholds, which differ from that over all scores."""
    if not at_every_score:
        raise ValueError(
            f"{name} is an area over all scores, but this curve has only {len(counts.tp)} "
            "selected thresholds: make one with ThresholdCurve.from_scores(..., thresholds=None), "
            "or from_frame(..., bins=None)"
            f"{'; roc_auc_bounds() returns lower and upper bounds on it' * (name == 'roc_auc')}."
        )


def _area_or_nan(name: str, area: float, cause: str) -> float:
    """The area, with a warning where it is nan."""
    if np.isnan(area):
        warn_undefined(f"{name} is undefined, because {cause}; it is set to nan.")
    return area


def bounds_of_roc_area(
    counts: ClassCounts, thresholds: NDArray[Any], *, at_every_score: bool
) -> tuple[float, float]:
    """Bounds of the area where only the counts at some thresholds are known."""
    positives, negatives = float(counts.tp[0] + counts.fn[0]), float(counts.fp[0] + counts.tn[0])
    if at_every_score or not (positives and negatives):
        area = _area_or_nan("roc_auc", roc_area(counts), "it needs positives and negatives")
        return area, area
    order = np.argsort(-thresholds, kind="stable")
    tpr = np.concatenate(([0.0], counts.tp[order] / positives, [1.0]))
    fpr = np.concatenate(([0.0], counts.fp[order] / negatives, [1.0]))
    negatives_between = np.diff(fpr)
    # At the extremes each negative between two thresholds is above all positives there, or below.
    low = float((negatives_between * tpr[:-1]).sum())
    high = float((negatives_between * tpr[1:]).sum())
    return min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0)


class Asked(NamedTuple):
    """What a caller asks of the limits of an area."""

    method: str
    confidence_level: float
    n_resamples: int
    random_state: Any

    @property
    def alpha(self) -> float:
        """One minus the confidence level."""
        return alpha_of(self.confidence_level)


def is_of_thresholds(curve: CurveData, metric: Any) -> bool:
    """Whether a metric has an interval at each threshold; refuse one at every score."""
    if isinstance(metric, str) and metric.lower() in AREAS:
        return False
    row = row_of_one_class(metric)
    if curve.at_every_score:
        name = row.name if isinstance(metric, str) else repr(metric)
        raise ValueError(
            f"{name} has a value at each threshold, and an interval at one: "
            "curve.at(threshold).interval(...), at some, if the curve is made with thresholds=, or "
            "where another rate is fixed: subject_to={'recall': 0.9}. The curve itself has those "
            f"of its areas, {list(AREAS)}."
        )
    return True


def area_interval(curve: CurveData, metric: Any, asked: Asked) -> Interval:
    """An area with its confidence interval."""
    kind = AREAS[metric.lower()]
    check_method_of_area(asked.method, "area", metric.lower())
    check_whole(asked.n_resamples, "n_resamples", 100)
    kind.check_classes(curve.counts)
    area = kind.area_of(curve.counts, at_every_score=curve.at_every_score)
    return kind.interval(curve, area, asked)


def refuse_operating_point(metric: Any, subject_to: Any) -> None:
    """Refuse a bound for an area."""
    if isinstance(metric, str) and metric.lower() in AREAS:
        raise ValueError(
            f"subject_to={subject_to!r} is an operating point, which an area does not have: leave "
            f"it out, or pass another metric than {metric!r}."
        )


def _check_classes_of_roc(counts: ClassCounts) -> None:
    """Reject curves that lack a class: their area has no interval."""
    if not counts.tp[0] + counts.fn[0] or not counts.fp[0] + counts.tn[0]:
        raise ValueError(
            "the area under the ROC curve needs positives and negatives: there is no confidence "
            "interval."
        )


def _check_classes_of_precision(counts: ClassCounts) -> None:
    """Reject curves without positives: average precision has no interval."""
    if not counts.tp[0] + counts.fn[0]:
        raise ValueError(
            "average precision needs positive samples: there is no confidence interval."
        )


def _roc_area_interval(curve: CurveData, area: float, asked: Asked) -> Interval:
    """The area with its confidence interval."""
    samples, are_counts = _comparable(curve)
    ranked, caveats = _in_clusters(samples, curve._unit)
    if ranked is None:
        found = delong.roc_area_of(area, *_at_scores(samples, are_counts=are_counts))
    else:
        placed = delong.placement_values(samples.scores, ranked.positive, ranked.weights)
        found = ranked.area_of(area, ranked.influence_of(placed))
    if asked.method == "bootstrap":
        limits, how = _limits_by_bootstrap(curve, asked), shown("bootstrap")
    else:
        limits, how = BY_VARIANCE[asked.method](found, asked.alpha)
    if asked.method != "auto":
        caveats = (*caveats, *_caveats_by_name(found, limits, asked.method))
    interval = _interval("roc_auc", area, limits, asked.confidence_level, how, curve, samples)
    return replace(interval, caveats=(*interval.caveats, *caveats))


def _limits_by_bootstrap(curve: CurveData, asked: Asked) -> Limits:
    """Percentiles of areas of resampled samples."""
    scores = scores_of_classes(curve)
    drawn = resampled_areas([scores], asked.n_resamples, random_of(asked.random_state))
    possible = Limits(np.array(0.0), np.array(1.0))
    return percentiles_or_range(drawn[0], possible)(asked.alpha)


def scores_of_classes(curve: CurveData) -> tuple[NDArray[Any], NDArray[Any]]:
    """The scores of the positive and of the negative samples, which can be resampled."""
    check_independent(curve, "method='bootstrap'")
    scores, positive, *_ = rows_of(curve)
    return scores[positive], scores[~positive]


def _caveats_by_name(area: Area, limits: Limits, method: str) -> Iterator[Caveat]:
    """The caveats of a method that was asked for."""
    if np.isnan(limits.low):
        text = "DeLong's variance of roc_auc needs two samples of each class: its limits are nan."
        yield Caveat("few_samples", text)
    elif limits.low == limits.high:
        text = (
            "both limits of roc_auc are its value by this method, which says nothing of its "
            "uncertainty."
        )
        yield Caveat("constant", text)
    elif area.has_few_misplaced:
        text = (
            f"confidence limits by method={method!r} are too narrow when so few samples are "
            f"misranked (area {area.value:.4g}, {area.rarer:.4g} samples of the rarer class): "
            "method='auto' gives wider limits."
        )
        yield Caveat("few_misranked", text)


def _precision_area_interval(curve: CurveData, area: float, asked: Asked) -> Interval:
    """Average precision with its confidence interval."""
    samples, are_counts = _comparable(curve)
    of_classes = classes_at_scores(curve, samples, are_counts=are_counts)
    found, caveats = precision_area_of_curve(curve, area, samples, of_classes)
    limits = limits_of_average_precision(found, asked.alpha)
    name, level = "average_precision", asked.confidence_level
    interval = _interval(name, area, limits, level, shown("logit"), curve, samples)
    return replace(interval, caveats=(*interval.caveats, *caveats))


def precision_area_of_curve(
    curve: CurveData, area: float, samples: Samples, of_classes: tuple[AtScores, AtScores]
) -> tuple[Area, tuple[Caveat, ...]]:
    """Average precision with its variance, and the caveats."""
    ranked, caveats = _in_clusters(samples, curve._unit)
    if ranked is None:
        is_given = curve._prevalence is not None
        found = precision_area_of(area, *of_classes, prevalence_is_given=is_given)
    else:
        found = ranked.area_of(area, influence_of_samples(curve, area, samples, of_classes))
    of_weights = _caveats_of_outweighed(*of_classes, in_clusters=ranked is not None)
    return found, (*caveats, *of_weights)


def influence_of_samples(
    curve: CurveData, area: float, samples: Samples, of_classes: tuple[AtScores, AtScores]
) -> NDArray[np.float64]:
    """What each sample of a curve adds to average precision, to first order."""
    of_positive, of_negative = influence_on_precision(
        area, *of_classes, prevalence_is_given=curve._prevalence is not None
    )
    # In the order of the scores, which decreases.
    _, place = np.unique(-samples.scores, return_inverse=True)
    place = place.reshape(-1)
    influence = np.where(samples.positive, of_positive[place], of_negative[place])
    weights = 1.0 if samples.weights is None else samples.weights
    return np.asarray(weights * _times_counted(curve)[samples.positive.astype(np.intp)] * influence)


def classes_at_scores(
    curve: CurveData, samples: Samples, *, are_counts: bool = False
) -> tuple[AtScores, AtScores]:
    """The positive and the negative samples at each score, as they count at the prevalence."""
    of_negative, of_positive = _times_counted(curve)
    positive, negative = _at_scores(samples, are_counts=are_counts)
    return positive.counted(of_positive), negative.counted(of_negative)


def _times_counted(curve: CurveData) -> NDArray[np.float64]:
    """How many times the negative and the positive samples count."""
    return np.ones(2) if curve._prevalence is None else factors_at(curve, curve._prevalence)


def _caveats_of_outweighed(
    positive: AtScores, negative: AtScores, *, in_clusters: bool
) -> Iterator[Caveat]:
    """The caveat of negative samples that count as many positive ones, so that few decide."""
    one_positive, one_negative = (
        ratio(of.squares.sum(), of.weights.sum()) for of in (positive, negative)
    )
    most = MOST_OUTWEIGHED_IN_CLUSTERS if in_clusters else MOST_OUTWEIGHED
    if one_negative > most * one_positive * (1 + delong.ROUNDING):
        text = (
            f"each negative sample counts as {one_negative / one_positive:.3g} positive ones, so "
            "that few negative samples decide average precision, and its confidence limits may "
            "be too narrow: use more negative samples."
        )
        yield Caveat("outweighed", text)


class _Comparable(NamedTuple):
    """Samples with weights that are numbers of samples, or relative to the largest."""

    samples: Samples
    are_counts: bool


def _comparable(curve: CurveData) -> _Comparable:
    """The samples of a curve that has them, with weights whose squares do not overflow."""
    refuse_unknown(curve._design, "an interval")
    if curve._entries not in ("samples", "frequencies", "counts"):
        raise ValueError(
            "an interval needs the weight of each sample, but this curve has only their sum at "
            "each score: make it with ThresholdCurve.from_scores, or without sample_weight."
        )
    samples, are_counts = with_weight(curve._samples), curve._entries != "samples"
    if are_counts and samples.clusters is not None:
        samples, are_counts = rows_of(curve), False
    if are_counts:
        return _Comparable(samples, are_counts)
    samples = without_single_clusters(samples)
    if samples.weights is not None:
        samples = samples._replace(weights=samples.weights / samples.weights.max())
    return _Comparable(samples, are_counts)


def _in_clusters(samples: Samples, unit: str) -> tuple[RankedSamples | None, tuple[Caveat, ...]]:
    """The samples if they are in clusters, and the caveats of few of these."""
    if samples.clusters is None:
        return None, ()
    weights = np.ones(len(samples.scores)) if samples.weights is None else samples.weights
    codes = codes_of_clusters(samples.clusters)
    caveats = caveats_of_classes(codes, samples.positive, weights, unit)
    return RankedSamples(samples.positive, weights, codes), tuple(caveats)


def _at_scores(samples: Samples, *, are_counts: bool) -> tuple[AtScores, AtScores]:
    """The positive and the negative samples at each score."""
    weights = squares = _weights_at_scores(samples)
    if samples.weights is not None and not are_counts:
        squares = _weights_at_scores(samples._replace(weights=squared(samples.weights)))
    positive, negative = (AtScores(*pair) for pair in zip(weights, squares, strict=True))
    return positive, negative


def _weights_at_scores(samples: Samples) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights of positives and negatives at each distinct score."""
    _, counts = counts_at_every_score(samples, "positive")
    of_positive = np.diff(counts.tp.astype(np.float64), prepend=0.0)
    of_negative = np.diff(counts.fp.astype(np.float64), prepend=0.0)
    return of_positive, of_negative


def _interval(
    metric: str,
    area: float,
    limits: Limits,
    level: float,
    method: str,
    curve: CurveData,
    samples: Samples,
) -> Interval:
    """An area with its confidence interval."""
    if samples.clusters is not None:
        method += f" of {len(np.unique(samples.clusters))} {curve._unit}s"
    n_samples = len(samples.scores)
    if curve._entries != "samples" and samples.weights is not None:
        n_samples = int(samples.weights.sum())
    return Interval(
        value=area,
        low=float(limits.low),
        high=float(limits.high),
        confidence_level=level,
        method=method,
        metric=metric,
        label=curve.pos_label,
        n=n_samples,
        caveats=tuple(caveats_of_pooled_folds(curve)),
    )


def caveats_of_pooled_folds(curve: CurveData) -> Iterator[Caveat]:
    """The caveats of a curve of pooled folds."""
    has_clusters = curve._samples.clusters is not None
    folds, n_models = float(curve._design.folds), int(curve._design.n_models)
    return caveats_of_folds(folds, n_models, keeps_units_together=has_clusters)


def alpha_of(confidence_level: Any) -> float:
    """One minus the confidence level."""
    check_confidence_level(confidence_level)
    return float(1 - confidence_level)


class AreaOfCurve(NamedTuple):
    """How an area is computed, and its limits."""

    area_of: Callable[..., float]
    check_classes: Callable[[ClassCounts], None]
    interval: Callable[[CurveData, float, Asked], Interval]


BY_VARIANCE = {
    "auto": delong.limits_of_roc_area,
    "delong": delong.limits_by_delong,
    "delong-logit": delong.limits_on_logit,
}
AREAS = {
    "roc_auc": AreaOfCurve(checked_roc_area, _check_classes_of_roc, _roc_area_interval),
    "average_precision": AreaOfCurve(
        checked_precision_area, _check_classes_of_precision, _precision_area_interval
    ),
}
