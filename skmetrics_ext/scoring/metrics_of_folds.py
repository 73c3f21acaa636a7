"""What cross-validated intervals are asked for, and the counts of repetitions, of summed folds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skmetrics_ext.adapter.positive import known_positive, second_of
from skmetrics_ext.catalogue.choice import Choice, choose, keyed_metrics
from skmetrics_ext.catalogue.names import MetricName, is_metric_name, resolve_any
from skmetrics_ext.catalogue.score import check_of_two
from skmetrics_ext.counting.counted import CountedMatrix
from skmetrics_ext.counting.design import Clustered
from skmetrics_ext.counting.division import ratio
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.reading.aliases import TargetLike
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import check_among, check_same_kind, plain, show
from skmetrics_ext.scoring.confusion_scorer import ConfusionScorer, request_of_scorer
from skmetrics_ext.scoring.cross_validation import cross_val_confusion_matrix
from skmetrics_ext.scoring.native import FixedMetric, request_of_fixed
from skmetrics_ext.scoring.parts import GroupsPart, MetricPart
from skmetrics_ext.scoring.plan import Plan
from skmetrics_ext.scoring.private_hooks import function_of_native
from skmetrics_ext.scoring.splits import RepeatedFolds
from skmetrics_ext.statistics.caveats import Caveat
from skmetrics_ext.statistics.values.cross_validated import (
    REPETITION,
    CountedRepetitions,
    PredictedInFolds,
    caveats_of_folding,
)

Scoring = ConfusionScorer | MetricName | Sequence[MetricName] | Mapping[str, MetricName]

OF_LABELS = ("response_method", "threshold", "ties", "pos_label", "classes", "cost_matrix")


class MetricsOfFolds(NamedTuple):
    """Metrics by their keys, and how the labels that they are of are made."""

    choices: dict[str, Choice]
    is_single: bool
    of_labels: dict[str, Any]
    # Whether one of more than two classes can't be asked for.
    is_of_two: bool = False


def read_scoring(scoring: Any, labels: NDArray[Any]) -> MetricsOfFolds:
    """The metrics of names, functions, a list or a dict of these, or a scorer of this package."""
    function = function_of_native(scoring)
    if isinstance(function, FixedMetric):
        request = request_of_fixed(function)
        return _of_scorer(ConfusionScorer(request.row.scorer_name, **request.with_defaults()))
    if function is not None:
        raise ValueError(
            f"scoring={scoring!r} is a scorer of scikit-learn: pass the name of a metric that "
            "ConfusionMatrix.interval takes, such as 'recall', or get_scorer(name) or "
            "ConfusionScorer(...) of this package with further options."
        )
    if isinstance(scoring, ConfusionScorer):
        return _of_scorer(scoring)
    name_of = lambda metric: resolve_any(_no_scorer(metric))[0].name  # noqa: E731
    asked = keyed_metrics(scoring, name_of, classes=labels)
    choices = {key: choose(_no_scorer(metric)) for key, metric in asked.items()}
    return MetricsOfFolds(choices, isinstance(scoring, str) or callable(scoring), {})


def _no_scorer(metric: Any) -> Any:
    """A metric of several; a scorer is refused."""
    if isinstance(metric, ConfusionScorer) or function_of_native(metric) is not None:
        raise ValueError(
            "a list or dict of scoring holds metrics, not scorers, which may each have labels of "
            "their own: pass one scorer of all, such as ConfusionScorer({'sensitivity': 'recall', "
            "'mcc': 'mcc'}, threshold=0.3)."
        )
    return metric


def _of_scorer(scorer: ConfusionScorer) -> MetricsOfFolds:
    """The metrics of a scorer, with its options."""
    plan, options, key, wants_groups = request_of_scorer(scorer)
    if wrong := _refused(plan, wants_groups=wants_groups):
        raise ValueError(f"scoring: {wrong}")
    choices = {}
    for part in plan.parts:
        if isinstance(part, MetricPart):
            choices[_unsigned_key(part)] = part.choice._replace(sign=1)
    of_labels = {name: options[name] for name in OF_LABELS if name in options}
    if plan.rule.cost_matrix is None:
        of_labels.pop("cost_matrix", None)
    is_single = plan.single is not None or key is not None
    return MetricsOfFolds(choices, is_single, of_labels, plan.is_of_two)


def _refused(plan: Plan, *, wants_groups: bool) -> str:
    """Why a scorer has no interval; empty if it has."""
    if plan.best is not None:
        return (
            "the best threshold of the samples that are scored has no interval: choose it in each "
            "fold, with ConstrainedThresholdClassifier or TunedThresholdClassifierCV as estimator."
        )
    if plan.groups is not None or plan.demands_groups or wants_groups:
        return (
            "groups of scorers have no interval of folds: count cross_val_confusion_matrix(by=) or "
            "pass the samples of one group."
        )
    if any(not isinstance(part, (MetricPart, GroupsPart)) for part in plan.parts):
        return (
            "per_class=, counts= and 'evaluation_index' have no interval of folds: pass metrics, "
            "such as ['recall', 'precision']; for one class, a scorer with pos_label=."
        )
    return ""


def _unsigned_key(part: MetricPart) -> str:
    """The key of a value that is not negated, unless the caller gave one of another kind."""
    bare = part.key.removeprefix("neg_")
    ending = "" if part.choice.positive is None else f"_{part.choice.positive}"
    return bare if is_metric_name(bare.removesuffix(ending)) else part.key


def check_positive_is_known(metrics: MetricsOfFolds, labels: NDArray[Any]) -> None:
    """Refuse metrics of one class, before models are fitted, if it is not known which."""
    of_labels = metrics.of_labels
    order = None if of_labels.get("classes") is None else read_order(of_labels["classes"])
    if order is not None:
        check_same_kind(labels, order, "y", "classes")
        check_among(order, labels, "y")
    of_all = known_positive(labels, of_labels.get("pos_label"), second_of(order))
    of_one = {key: choice for key, choice in metrics.choices.items() if choice.average == "binary"}
    for key, choice in of_one.items():
        is_unknown = choice.positive is None and of_all is None
        check_of_two(choice, labels, is_named=not is_unknown, are_of_two=metrics.is_of_two)
        if is_unknown:
            positive = plain(labels)[-1]
            raise ValueError(
                f"it is not known which of the labels {show(labels)} is the positive class, and "
                f"{key} depends on it: pass a scorer, such as "
                f"scoring=get_scorer({choice.row.scorer_name!r}, pos_label={positive!r})."
            )


def counted_repetitions(
    estimator: object, X: object, y: TargetLike, folds: RepeatedFolds, options: Mapping[str, Any]
) -> CountedRepetitions:
    """The counts of all repetitions and of the guard, from one list of splits."""
    splits = [*folds.splits(), *folds.splits_of_guard()]
    cm = cross_val_confusion_matrix(estimator, X, y, cv=splits, **options)
    each = by_repetition(cm, folds)
    # Each model predicts two folds.
    guard = folds_counted_once(cm, slice(folds.n_models, None), 2) if folds.has_guard else None
    return CountedRepetitions(
        each=counted_as(cm, each.counts),
        together=folds_counted_once(cm, slice(folds.n_models), folds.n_repeats),
        guard=guard,
        # Each repetition has each sample once, of which these limits are.
        design=replace(each._design, folds=0.0),
        n_folds=folds.n_folds,
        n_repeats=folds.n_repeats,
        in_groups=folds.in_groups,
        caveats=tuple(caveats_of_models(estimator, cm, folds)),
    )


def by_repetition(cm: ConfusionMatrix, folds: RepeatedFolds) -> ConfusionMatrix:
    """The matrix of each repetition, from one of each fold."""
    starts = range(0, folds.n_models, folds.n_folds)
    return ConfusionMatrix.stack(
        {
            repetition: cm.sel(fold=range(start, start + folds.n_folds)).sum("fold")
            for repetition, start in enumerate(starts)
        },
        axis=REPETITION,
    )


def folds_counted_once(cm: ConfusionMatrix, entries: slice, times: int) -> CountedMatrix:
    """The counts of some folds together, by how many times they have each sample."""
    return counted_as(cm, cm.counts[entries].sum(0) / times)


def counted_as(cm: ConfusionMatrix, counts: NDArray[Any]) -> CountedMatrix:
    """Counts with the labels of a matrix."""
    of_all = cm.sum("fold")
    weight_of_one = of_all._design.weight_of_one(of_all.counts)
    return CountedMatrix(counts, cm.labels, cm.pos_label, cm.ranking, weight_of_one=weight_of_one)


def caveats_of_models(
    estimator: object, cm: ConfusionMatrix, folds: RepeatedFolds
) -> Iterator[Caveat]:
    """What is wrong with all metrics of these folds."""
    numbers = cm._design.numbers_of(cm.counts)[: folds.n_models].sum(-2)
    of_folds = numbers.reshape(folds.n_repeats, folds.n_folds, -1)
    effects = np.ones((folds.n_repeats, of_folds.shape[-1]))
    if folds.in_groups:
        effects = _effects_of_groups(by_repetition(cm, folds))
    predicted = PredictedInFolds(of_folds, effects)
    yield from caveats_of_folding(predicted, is_stratified=folds.is_stratified)
    yield from _of_held_out_choice(estimator)


def _of_held_out_choice(estimator: object) -> Iterator[Caveat]:
    """A threshold chosen on a held-out fraction, or a single split, which refit=False needs."""
    parameters = estimator.get_params() if hasattr(estimator, "get_params") else {}
    for name, value in parameters.items():
        prefix, is_of_splits = name.removesuffix("cv"), name.rpartition("__")[2] == "cv"
        is_fraction = isinstance(value, float) and 0 < value < 1
        is_single = parameters.get(f"{prefix}refit") is False and not isinstance(value, str)
        if is_of_splits and (is_fraction or is_single):
            text = (
                f"samples held out of the training choose the threshold ({name}={value!r}), and "
                "how much it varies with these the folds show only in part: in simulations with "
                "300 to 1,000 samples 95 % limits of precision were right in 62 to 76 %. Let all "
                "samples choose it, as by cv=5, or test the fitted model on further samples."
            )
            yield Caveat("held_out_choice", text)


def _effects_of_groups(cm: ConfusionMatrix) -> NDArray[np.float64]:
    """By how much groups raise the variance of the numbers predicted (n_repeats, n_classes)."""
    design = cm._design
    assert isinstance(design, Clustered), "groups are clusters"
    n_repeats, n_classes, _ = cm.counts.shape
    cells = np.arange(cm.counts.size).reshape(cm.counts.shape)
    places = np.arange(n_repeats * n_classes).reshape(n_repeats, 1, n_classes)
    to_predicted = sparse.csr_array(
        (np.ones(cells.size), (cells.ravel(), np.broadcast_to(places, cells.shape).ravel()))
    )
    scale = design.numbers.sum() / cm.counts.sum()
    is_there = scale * (design.units @ to_predicted).toarray().reshape(-1, n_repeats, n_classes)
    sizes = is_there.sum(-1, keepdims=True)
    shares = is_there.sum(0) / sizes.sum(0)
    between = ((is_there - sizes * shares) ** 2).sum(0)
    return np.asarray(ratio(between, sizes.sum(0) * shares * (1 - shares)))
