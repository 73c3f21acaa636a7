"""compare_curves: whether areas under curves on the same samples differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np

from skmetrics_ext.analyses.models import check_models, pairs_of
from skmetrics_ext.counting.design import Crossed
from skmetrics_ext.counting.ranking import Samples, codes_of_clusters, without_single_clusters
from skmetrics_ext.counting.replicates import random_of, seed_of, stream_of
from skmetrics_ext.curves.areas import (
    AREAS,
    Asked,
    caveats_of_pooled_folds,
    classes_at_scores,
    influence_of_samples,
    precision_area_of_curve,
    refuse_operating_point,
    scores_of_classes,
)
from skmetrics_ext.curves.best import Bound
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.curves import ThresholdCurves
from skmetrics_ext.curves.data import rows_of
from skmetrics_ext.curves.operating_points import point_of_curve
from skmetrics_ext.curves.readers import scores_of_readers
from skmetrics_ext.reading.aliases import RandomState
from skmetrics_ext.reading.arguments import check_choice, check_whole
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.statistics.areas.average_precision import (
    PrecisionOfModel,
    difference_of_precisions,
)
from skmetrics_ext.statistics.areas.bootstrap import difference_by_bootstrap, resampled_areas
from skmetrics_ext.statistics.areas.delong import Area, RankedSamples, placement_values
from skmetrics_ext.statistics.areas.operating_point import PointOfModel, difference_of_points
from skmetrics_ext.statistics.areas.readers import difference_of_mean_areas
from skmetrics_ext.statistics.areas.zou_yue import BY_VARIANCE, caveats_by_name
from skmetrics_ext.statistics.arrays import Array
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.clusters import caveats_of_classes
from skmetrics_ext.statistics.compared import (
    Compared,
    LimitsAndTest,
    check_comparison,
    comparison_of,
)
from skmetrics_ext.statistics.entries import of_origin
from skmetrics_ext.statistics.estimate import refuse_unknown
from skmetrics_ext.statistics.methods import check_method_of_area
from skmetrics_ext.statistics.results import Comparison

# Streams 0 and 1 are those of the first and the second model of a pair.
OF_CORRELATION = 2


@explained
def compare_curves(
    curves: Mapping[str, ThresholdCurve] | Mapping[str, ThresholdCurves],
    metric: str | Callable[..., Any] = "roc_auc",
    *,
    subject_to: Mapping[Any, Bound] | None = None,
    baseline: str | None = None,
    confidence_level: float = 0.95,
    correction: Literal["holm", "bonferroni"] | None = "holm",
    margin: float | None = None,
    method: str = "auto",
    n_resamples: int = 9_999,
    random_state: RandomState = 0,
) -> Comparison:
    """Compare areas under ROC curves, average precision, or rates at an operating point, on the
    same samples by a paired test.

    It is about these models on new samples, not about models refitted to new training data.

    Parameters
    ----------
    curves : dict of str to ThresholdCurve or ThresholdCurves
        Threshold curve of each of two or more models, by name, of the same samples in one order; or
        curves by reader, made with `clusters=` the cases, whose mean areas are compared over new
        readers and cases.
    metric : str or function, default="roc_auc"
        "roc_auc", "average_precision", or a metric at the operating point `subject_to`.
    subject_to : dict of metric to bound, default=None
        The operating point, as in `ThresholdCurve.interval`: `{"specificity": 0.9}` for "recall".
    baseline : str, default=None
        Reference model. None: all pairs.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.
    correction : {"holm", "bonferroni"} or None, default="holm"
        Multiple-testing correction over all rows, of p-values and confidence limits.
    margin : float, default=None
        Largest difference that does not matter, decided before seeing the data. `not_worse`: the
        model is worse than the reference by less (non-inferiority); `equivalent`: they differ by
        less.
    method : str, default="auto"
        For "roc_auc" also "delong", "delong-logit" (Zou & Yue's limits, of both areas' on the
        logit) or "bootstrap", as published. "auto" takes DeLong's test and limits, these no nearer
        than Zou & Yue's where the rarer class has few samples, or few of them are misranked.
    n_resamples : int, default=9999
        Number of bootstrap replicates; at least 100.
    random_state : int, numpy Generator or RandomState, default=0
        The same int gives the same interval; None: another at each call.

    Returns
    -------
    Comparison
        One row per pair; difference is model - reference, the baseline if given.

    Raises
    ------
    ValueError
        If curves are of other samples, given thresholds or one class, or options out of
        range.
    TypeError
        If `curves` is not a dict of names to curves.

    Warns
    -----
    UserWarning
        If the rarer class has fewer than ten samples, or a model misranks less than one of them; of
        average precision fewer than 20, or if fewer than five samples of a class decide it.

    Notes
    -----
    Average precision is scikit-learn's at the prevalence of the samples, or of `at_prevalence`. Of
    more than two classes, compare the curves of one: `{"a": a["ash"], "b": b["ash"]}`.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44:837; Obuchowski (1997), Biometrics 53:567;
    Zou & Yue (2013), Statistics in Medicine 32:5077; Zou (2007), Psychological Methods 12:399;
    Obuchowski & Rockette (1995), Communications in Statistics 24:285.

    Examples
    --------
    >>> from skmetrics_ext import ThresholdCurve, compare_curves
    >>> y = [0, 1] * 40
    >>> a = ThresholdCurve.from_scores(y, [k % 5 + 2 * (k % 2) for k in range(80)])
    >>> b = ThresholdCurve.from_scores(y, [k % 7 + k % 2 for k in range(80)])
    >>> compare_curves({"a": a, "b": b}, correction=None).to_table()
    95 % confidence intervals, class 1
    metric   model  reference  value  reference value        difference    p
    roc_auc  a      b           0.82             0.63  0.19 (0.04-0.34)  .01
    """
    check_comparison(confidence_level, correction, margin)
    check_models(
        curves,
        "curves",
        '{"a": ThresholdCurve.from_scores(y, a), "b": ThresholdCurve.from_scores(y, b)}',
    )
    pairs = pairs_of(curves, baseline)
    seed = seed_of(random_state)
    name = metric.lower() if isinstance(metric, str) else ""
    if subject_to is not None:
        refuse_operating_point(metric, subject_to)
    if any(isinstance(of_model, ThresholdCurves) for of_model in curves.values()):
        by_readers = _compared_readers(dict(curves), pairs, name, method)
        compared = comparison_of(by_readers, confidence_level, correction, margin)
        return of_origin(compared, Crossed.name, n_resamples, seed.entropy)
    curves = _of_one_curve_each(curves)
    if name in AREAS:
        check_method_of_area(method, "difference of areas", name)
    if name == "roc_auc":
        asked = Asked(method, confidence_level, n_resamples, seed)
        found = _compared_areas(curves, pairs, asked)
    elif name == "average_precision":
        found = _compared_precision_areas(curves, pairs)
    else:
        check_choice(method, "method", ("auto",))
        found = _compared_points(curves, pairs, metric, subject_to or {}, n_resamples, seed)
    values = found.values
    of_pairs = [
        Compared(
            metric=found.metric,
            models=(a, b),
            values=(values[a], values[b]),
            known=known,
            caveats=(
                *caveats_of_pooling({a: curves[a], b: curves[b]}),
                *found.caveats,
                *known.caveats,
            ),
            label=curves[a].pos_label,
        )
        for (a, b), known in zip(pairs, found.differences, strict=True)
    ]
    compared = comparison_of(of_pairs, confidence_level, correction, margin)
    design = next(iter(curves.values()))._design.name
    return of_origin(compared, design, n_resamples, seed.entropy)


def _of_one_curve_each(curves: Mapping[str, Any]) -> Mapping[str, ThresholdCurve]:
    """The curves of models, refused if they are anything else."""
    for name, curve in curves.items():
        if not isinstance(curve, ThresholdCurve):
            raise TypeError(
                f"curves[{name!r}] must be a ThresholdCurve; got {type(curve).__name__}."
            )
    return curves


def _compared_readers(
    curves: dict[str, Any], pairs: list[tuple[str, str]], name: str, method: str
) -> list[Compared]:
    """The differences of the means of the readers' areas."""
    if name != "roc_auc" or method != "auto":
        raise ValueError(
            "of curves by reader only roc_auc is compared, by method='auto': the difference of the "
            "means of their areas."
        )
    read = scores_of_readers(curves)
    values = {model: float(np.mean(of.roc_auc(average=None))) for model, of in curves.items()}
    return [
        Compared(
            metric=name,
            models=(a, b),
            values=(values[a], values[b]),
            known=(known := difference_of_mean_areas(read[a], read[b])),
            caveats=known.caveats,
            label=curves[a].pos_label,
        )
        for a, b in pairs
    ]


class _ComparedCurves(NamedTuple):
    """A metric's name, its value for each model, and what is known of the pairs' differences."""

    metric: str
    values: dict[str, float]
    differences: list[LimitsAndTest]
    caveats: tuple[Caveat, ...] = ()


def _compared_areas(
    curves: Mapping[str, ThresholdCurve], pairs: list[tuple[str, str]], asked: Asked
) -> _ComparedCurves:
    """The areas under the ROC curves."""
    areas, variance_of_difference, caveats = areas_on_same_samples(curves)
    drawn = _resampled(curves, asked) if asked.method == "bootstrap" else {}
    differences = []
    for a, b in pairs:
        if drawn:
            known = difference_by_bootstrap(areas[a].value - areas[b].value, drawn[a] - drawn[b])
        else:
            difference_of = BY_VARIANCE[asked.method]
            known = difference_of(areas[a], areas[b], variance_of_difference(a, b))
        if asked.method != "auto":
            told = caveats_by_name(areas[a], areas[b], known, asked.alpha)
            known = known._replace(caveats=told)
        differences.append(known)
    values = {model: area.value for model, area in areas.items()}
    return _ComparedCurves("roc_auc", values, differences, caveats)


def _compared_precision_areas(
    curves: Mapping[str, ThresholdCurve], pairs: list[tuple[str, str]]
) -> _ComparedCurves:
    """Average precision."""
    found = precision_on_same_samples(curves)
    differences = [difference_of_precisions(found[a], found[b]) for a, b in pairs]
    values = {model: of.area.value for model, of in found.items()}
    # Those of the samples, whichever model is asked.
    caveats = next(iter(found.values())).caveats
    return _ComparedCurves("average_precision", values, differences, caveats)


def precision_on_same_samples(curves: Mapping[str, ThresholdCurve]) -> dict[str, PrecisionOfModel]:
    """Average precision of each model, and what each sample adds to it."""
    scores, ranked = _scores_of_same_samples(curves)
    _check_same_prevalence(curves)
    if min(ranked.numbers_of_units()) < 2:
        raise ValueError(
            "a difference of average precision needs two samples of each class, in clusters two "
            "clusters with each: one alone does not tell how much it varies."
        )
    found = {}
    for name, curve in curves.items():
        value = curve.average_precision()
        samples = Samples(scores[name], ranked.positive, ranked.weights, ranked.clusters)
        of_classes = classes_at_scores(curve, samples)
        area, caveats = precision_area_of_curve(curve, value, samples, of_classes)
        influence = influence_of_samples(curve, value, samples, of_classes)
        found[name] = PrecisionOfModel(area, influence, ranked, caveats)
    return found


def _check_same_prevalence(curves: Mapping[str, ThresholdCurve]) -> None:
    """Refuse curves at different prevalences."""
    found = {name: curve._prevalence for name, curve in curves.items()}
    if len(set(found.values())) > 1:
        raise ValueError(
            f"curves are compared at one prevalence; they are at {found}, where None is that of "
            "the samples: call at_prevalence of all of them."
        )


def _resampled(curves: Mapping[str, ThresholdCurve], asked: Asked) -> dict[str, Array]:
    """The areas of each model in the same resampled samples."""
    check_whole(asked.n_resamples, "n_resamples", 100)
    scores = [scores_of_classes(curve) for curve in curves.values()]
    drawn = resampled_areas(scores, asked.n_resamples, random_of(seed_of(asked.random_state)))
    return dict(zip(curves, drawn, strict=True))


def _compared_points(
    curves: Mapping[str, ThresholdCurve],
    pairs: list[tuple[str, str]],
    metric: str | Callable[..., Any],
    bounds: Mapping[Any, Bound],
    n_resamples: int,
    seed: np.random.SeedSequence,
) -> _ComparedCurves:
    """A rate at the threshold at which another reaches a value, of each pair of models."""
    # Refuses curves of other samples.
    _scores_of_same_samples(curves)

    @cache
    def point_of(model: str, role: int) -> PointOfModel:
        """A model at the threshold, as the first or the second of a pair."""
        random = random_of(stream_of(seed, role))
        return point_of_curve(curves[model], metric, bounds, n_resamples, random)

    points = [(point_of(a, 0), point_of(b, 1)) for a, b in pairs]
    differences = [
        difference_of_points(first, second, random_of(stream_of(seed, OF_CORRELATION)))
        for first, second in points
    ]
    values = {
        point: of.value
        for pair, of_pair in zip(pairs, points, strict=True)
        for point, of in zip(pair, of_pair, strict=True)
    }
    return _ComparedCurves(points[0][0].name, values, differences)


def areas_on_same_samples(
    curves: Mapping[str, ThresholdCurve],
) -> tuple[dict[str, Area], Callable[[str, str], float], tuple[Caveat, ...]]:
    """The areas, the variance of the difference of two, caveats."""
    scores, samples = _scores_of_same_samples(curves)
    influence = {
        name: samples.influence_of(placement_values(own, samples.positive, samples.weights))
        for name, own in scores.items()
    }
    caveats: tuple[Caveat, ...] = ()
    if samples.clusters is not None:
        unit = next(iter(curves.values()))._unit
        of_classes = caveats_of_classes(samples.clusters, samples.positive, samples.weights, unit)
        caveats = tuple(of_classes)
    areas = {
        name: samples.area_of(curve.roc_auc(), influence[name]) for name, curve in curves.items()
    }

    def variance_of_difference(a: str, b: str) -> float:
        return samples.variance_of(influence[a] - influence[b])

    return areas, variance_of_difference, caveats


def caveats_of_pooling(curves: Mapping[str, ThresholdCurve]) -> tuple[Caveat, ...]:
    """The caveats of curves of pooled folds, each once."""
    each = [caveat for curve in curves.values() for caveat in caveats_of_pooled_folds(curve)]
    return tuple(dict.fromkeys(each))


def _scores_of_same_samples(
    curves: Mapping[str, ThresholdCurve],
) -> tuple[dict[str, Array], RankedSamples]:
    """The scores by each curve of samples with a weight, and all else, the same in all curves."""
    scores: dict[str, Array] = {}
    samples: dict[str, RankedSamples] = {}
    for name, curve in _of_one_curve_each(curves).items():
        refuse_unknown(curve._design, "a comparison")
        if curve._entries not in ("samples", "frequencies"):
            raise ValueError(
                f"curves[{name!r}] has counts per score, not each sample's: make it with "
                "ThresholdCurve.from_scores."
            )
        own = without_single_clusters(rows_of(curve))
        clusters = None if own.clusters is None else codes_of_clusters(own.clusters)
        # Squares of weights near 1 do not overflow.
        relative = np.ones(len(own.scores))
        if own.weights is not None:
            relative = own.weights / own.weights.max()
        scores[name] = own.scores
        samples[name] = RankedSamples(own.positive, relative, clusters)
    (first_name, first), *others = samples.items()
    for name, other in others:
        both: Any = zip(first, other, strict=True)
        if not all(np.array_equal(*parts) for parts in both):
            raise ValueError(
                f"the curves {first_name!r} and {name!r} are based on different samples, or on "
                "samples in a different order: make them from the same y_true, sample_weight, "
                "clusters and pos_label."
            )
    if first.positive.all() or not first.positive.any():
        raise ValueError("a comparison of curves needs positive and negative samples.")
    return scores, first
