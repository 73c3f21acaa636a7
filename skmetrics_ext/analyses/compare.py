"""compare: whether models differ on the same samples, by any metrics of their predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.analyses.models import (
    Models,
    check_direction,
    pairs_of,
    read_models,
    with_undefined,
)
from skmetrics_ext.catalogue.choice import average_of_each, choose, keyed_metrics
from skmetrics_ext.catalogue.names import MetricName, resolve_any
from skmetrics_ext.counting.axes import Axis
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.counting.design import INSTEAD, Crossed
from skmetrics_ext.counting.replicates import seed_of
from skmetrics_ext.reading.aliases import GroupsLike, Label, LabelsLike, RandomState
from skmetrics_ext.reading.arguments import check_choice, check_whole
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.statistics.caveats import Caveat, NoLimitsError, told
from skmetrics_ext.statistics.classes import fitting_methods
from skmetrics_ext.statistics.clusters import caveats_of_units
from skmetrics_ext.statistics.compared import Compared, check_comparison, comparison_of, unknown
from skmetrics_ext.statistics.entries import of_origin, stacked_results
from skmetrics_ext.statistics.estimand import estimand_of
from skmetrics_ext.statistics.methods import check_method, chosen, methods_for
from skmetrics_ext.statistics.pairs.across_groups import across_groups
from skmetrics_ext.statistics.pairs.crossed import difference_of_readings
from skmetrics_ext.statistics.pairs.metric import PairedMetric, paired_metric
from skmetrics_ext.statistics.pairs.models import DifferenceRequest, difference_of
from skmetrics_ext.statistics.pairs.pair import pair_of
from skmetrics_ext.statistics.pairs.partial_labels import differences_of_partial_labels
from skmetrics_ext.statistics.results import Comparison
from skmetrics_ext.writing.progress import progress_of


@explained
def compare(
    y_true: LabelsLike,
    predictions: Mapping[str, LabelsLike],
    metrics: MetricName | Sequence[MetricName],
    *,
    baseline: str | None = None,
    pos_label: Label | None = None,
    labels: LabelsLike | None = None,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    frequency_weights: bool = False,
    clusters: GroupsLike | None = None,
    strata: GroupsLike | None = None,
    by: GroupsLike | None = None,
    kind: Literal["difference", "ratio"] = "difference",
    confidence_level: float = 0.95,
    correction: Literal["holm", "bonferroni"] | None = "holm",
    margin: float | None = None,
    method: str = "auto",
    n_resamples: int = 9_999,
    random_state: RandomState = 0,
    verbose: int = 0,
    **parameters: Any,
) -> Comparison:
    """Compare fitted models on the same samples: differences in metrics with confidence intervals
    and p-values.

    It is about these models on new samples, not refitted ones (`compare_folds`).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Actual labels, one per sample.
    predictions : dict of str to array-like of shape (n_samples,)
        Predicted labels of each model, by name.
    metrics : str or function, list of them, or dict of name to metric
        As in `ConfusionMatrix.score`; one class of several is `("recall", "ash")`.
    baseline : str, default=None
        Reference model. None: all pairs.
    pos_label : int, float, bool or str, default=None
        The positive class for "binary". None: 1 of {0, 1}, {-1, 1} or {False, True}.
    labels : array-like of shape (n_classes,), default=None
        Classes to average. None: all.
    average : {"binary", "macro", "micro", "weighted"}, default="binary"
        Unless a metric's name says otherwise.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each sample.
    frequency_weights : bool, default=False
        Whether weights are counts of identical samples, which narrow confidence intervals.
    clusters : array-like of shape (n_samples,), default=None
        Cluster of each sample, such as its patient; two columns, cases and readers, for limits over
        new ones of both. `by` is for results of each group, `clusters` for dependent samples,
        `groups` for splits.
    strata : array-like of shape (n_samples,), default=None
        As in `ConfusionMatrix.from_partial_labels`, for missing labels.
    by : array-like of shape (n_samples,), mapping or data frame, default=None
        As in `metric_interval`: a row per group, and `Comparison.across_groups`.
    kind : {"difference", "ratio"}, default="difference"
        Ratios need metrics that are never negative.
    confidence_level : float, default=0.95
        At least 0.5 and below 1.
    correction : {"holm", "bonferroni"} or None, default="holm"
        Multiple-testing correction over all rows, of p-values and confidence limits.
    margin : float, default=None
        Largest difference that does not matter, decided before seeing the data. `not_worse`: the
        model is worse than the reference by less (non-inferiority); `equivalent`: they differ by
        less.
    method : str, default="auto"
        Or as published: "tango" (ratios: "tang"), "mcnemar" (without limits), "delta", "bootstrap",
        "smoothed-bootstrap".
    n_resamples : int, default=9_999
        Number of bootstrap replicates, at least 100.
    random_state : int, numpy Generator or RandomState, default=0
        The same int gives the same interval; None: another at each call.
    verbose : int, default=0
        Above 0: progress on stderr.
    **parameters
        Parameters such as `beta`, of all metrics.

    Returns
    -------
    Comparison
        One row per metric and pair.

    Raises
    ------
    ValueError, TypeError
        If models, metrics or options do not fit.

    Warns
    -----
    UserWarning
        If a metric is undefined, or clusters are few.

    References
    ----------
    Fagerland, Lydersen & Laake (2013), BMC Medical Research Methodology 13:91; Tango (1998),
    Statistics in Medicine 17:891; Holm (1979), Scandinavian Journal of Statistics 6:65.

    Examples
    --------
    >>> from skmetrics_ext import compare
    >>> y = [0] * 40 + [1] * 40
    >>> tree = [0] * 38 + [1] * 2 + [1] * 36 + [0] * 4
    >>> svm = [0] * 30 + [1] * 10 + [1] * 34 + [0] * 6
    >>> compare(y, {"tree": tree, "svm": svm}, "recall", correction=None).to_table()
    95 % confidence intervals, class 1
    metric  model  reference  value  reference value            difference    p
    recall  tree   svm         0.90             0.85  0.05 (-0.04 to 0.17)  .25
    """
    check_comparison(confidence_level, correction, margin)
    check_choice(kind, "kind", ("difference", "ratio"))
    if kind == "ratio" and margin is not None:
        raise ValueError(
            "margin= is of differences: hold a ratio against its bound by "
            "check(comparison, {metric: bound})."
        )
    check_whole(n_resamples, "n_resamples", 100)
    progress = progress_of("compare", verbose)
    request = DifferenceRequest(confidence_level, n_resamples, progress.step, method, kind)
    check_method(method, request.question)
    models = read_models(
        y_true, predictions, Weights(sample_weight, frequency_weights), clusters, strata, by
    )
    options = {"average": average, "labels": labels, "pos_label": pos_label, **parameters}
    counted = models.counted()
    asked = _paired_metrics(metrics, counted, options, margin, kind)
    if models.readings is not None:
        _check_of_readings(counted, asked, request)
    pairs = pairs_of(predictions, baseline)
    seed = seed_of(random_state)
    if by is None:
        compared = _compared(models, asked, pairs, request, seed)
        progress.stage(f"{len(compared)} of {len(compared)} rows")
        found = comparison_of(compared, confidence_level, correction, margin)
        return of_origin(found, models.design, n_resamples, seed.entropy)
    of_groups = [
        _of_group(group, of, metrics, options, pairs, request, seed)
        for group, of in models.of_groups()
    ]
    # By metric and pair, the groups of each together.
    together = [*map(list, zip(*of_groups, strict=True))]
    progress.stage(f"{sum(map(len, together))} of {sum(map(len, together))} rows")
    found = _by_groups(together, models, (confidence_level, correction, margin))
    origin = models.design, n_resamples, seed.entropy
    assert found.across_groups is not None, "there are groups"
    return of_origin(replace(found, across_groups=of_origin(found.across_groups, *origin)), *origin)


def _paired_metrics(
    metrics: Any, counted: CountedMatrix, options: dict[str, Any], margin: float | None, kind: str
) -> dict[str, PairedMetric]:
    """The metrics, keyed by the names that the caller gave."""
    found: dict[str, PairedMetric] = {}
    asked = keyed_metrics(
        metrics, lambda metric: resolve_any(metric)[0].name, classes=counted.order
    )
    averages = average_of_each(
        [resolve_any(metric)[0] for metric in asked.values()], options["average"]
    )
    for (name, metric), of_metric in zip(asked.items(), averages, strict=True):
        of_pair = paired_metric(counted, choose(metric, **options | {"average": of_metric}))
        check_direction(of_pair.choice.row, name, margin)
        if kind == "ratio" and not of_pair.ends.low >= 0:
            raise ValueError(
                f"{of_pair.choice.asked} can be negative, so a ratio is not meaningful: use "
                "kind='difference'."
            )
        found[name] = of_pair
    return found


def _check_of_readings(
    counted: CountedMatrix, metrics: dict[str, PairedMetric], request: DifferenceRequest
) -> None:
    """Refuse metrics and methods that are not known to hold over new readers and new cases."""
    if request.kind == "ratio":
        raise ValueError("kind='ratio' does not go with clusters of cases and readers: omit it.")
    chosen(request.method, methods_for("difference", "crossed"), f"differences{Crossed.of_samples}")
    for name, metric in metrics.items():
        if not fitting_methods(estimand_of(counted, metric.choice), Crossed.kind):
            raise NoLimitsError(
                f"the difference in {name}{Crossed.of_samples} has no limits that are known to "
                f"hold: {INSTEAD}."
            )


def _of_group(
    group: Any,
    models: Models,
    metrics: Any,
    options: dict[str, Any],
    pairs: list[tuple[str, str]],
    request: DifferenceRequest,
    seed: np.random.SeedSequence,
) -> list[Compared]:
    """The differences in one group, as if its samples were alone; unknown ones of a single one."""
    asked = _paired_metrics(metrics, models.counted(), options, None, request.kind)
    if models.n_units < 2:
        what = "sample" if models.clusters is None else "cluster"
        text = f"a group has fewer than two {what}s, so limits and p-values are nan{{where}}."
        few = (Caveat("few_samples", text),)
        found = [
            _without_variation(models, metric, (name, *pair), request.kind)._replace(caveats=few)
            for name, metric in asked.items()
            for pair in pairs
        ]
    else:
        in_group = request._replace(tell=lambda text: request.tell(f"{text} in {group!r}"))
        found = _compared(models, asked, pairs, in_group, seed)
    return [of._replace(group=group) for of in found]


def _without_variation(
    models: Models, metric: PairedMetric, names: tuple[str, str, str], kind: str
) -> Compared:
    """The values of two models of a single unit."""
    name, *pair = names
    first, second = (float(metric.value.values(of)) for of in models.units(*pair).totals())
    is_lower_better = metric.choice.row.better == "lower"
    return Compared(
        name,
        (pair[0], pair[1]),
        (first, second),
        unknown("undefined"),
        is_lower_better,
        kind=kind,
        label=metric.label,
    )


def _by_groups(
    together: list[list[Compared]],
    models: Models,
    asked: tuple[float, Literal["holm", "bonferroni"] | None, float | None],
) -> Comparison:
    """The comparison of all groups, with what these say together."""
    confidence_level, correction, margin = asked
    assert models.by is not None, "there are groups"
    each = [of for of_pair in together for of in of_pair]
    found = comparison_of(each, confidence_level, correction, margin, models.by[0])
    are_across = models.have_clusters_across_groups()
    least = int(np.bincount(models.by[1].codes).min())
    of_pairs = [across_groups(of, confidence_level, margin, are_across, least) for of in together]
    names = [f"{of.metric}: {of.model}, {of.reference}" for of in of_pairs]
    of_all = told(stacked_results(of_pairs, Axis("row", np.array(names))))
    return replace(found, across_groups=of_all)


def _at_row(request: DifferenceRequest, place: str) -> DifferenceRequest:
    """A request whose progress messages also name the row."""
    tell = request.tell
    return request._replace(tell=lambda text: tell(f"{place}, {text}"))


def _compared(
    models: Models,
    metrics: dict[str, PairedMetric],
    pairs: list[tuple[str, str]],
    request: DifferenceRequest,
    seed: np.random.SeedSequence,
) -> list[Compared]:
    """The differences of each metric and pair, each from the same stream, as if it were alone."""
    found: dict[str, list[Compared]] = {name: [] for name in metrics}
    for a, b in pairs:
        if models.is_known is not None:
            for of_metric in differences_of_partial_labels(
                *models.cells(a, b), metrics, (a, b), request, seed
            ):
                found[of_metric.metric].append(of_metric)
            continue
        if models.readings is not None:
            for name, metric in metrics.items():
                units = models.units(a, b)
                one = difference_of_readings(units, models.readings, metric, (name, a, b))
                found[name].append(one)
            continue
        pair = pair_of(models.units(a, b), models.n_samples, clustered=models.clusters is not None)
        if pair.n < 2:
            raise ValueError(
                "a comparison needs at least two samples, or two clusters, with a weight above 0."
            )
        of_pair: tuple[Caveat, ...] = ()
        if pair.clustered:
            of_pair = (*caveats_of_units(pair.n, pair.n_effective, "cluster"),)
        for name, metric in metrics.items():
            n_done = sum(map(len, found.values()))
            at = f"{n_done} of {len(pairs) * len(metrics)} rows; {name} of {a!r} and {b!r}"
            at_row = _at_row(request, at)
            one = difference_of(pair, metric, (name, a, b), at_row, seed)
            found[name].append(one._replace(caveats=(*of_pair, *one.caveats)))
    return [
        with_undefined(one)._replace(label=metrics[name].label)
        for name, of_metric in found.items()
        for one in of_metric
    ]
