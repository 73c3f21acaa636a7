"""What a ConfusionScorer is to compute, read and checked once from its metrics and options."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.estimator import check_response_method
from skmetrics_ext.adapter.positive import check_positive, second_of
from skmetrics_ext.adapter.responses import predict_scores
from skmetrics_ext.adapter.rule import Rule, make_rule
from skmetrics_ext.catalogue.averages import check_average, check_worst
from skmetrics_ext.catalogue.choice import Choice, average_in_force, choose, keyed_metrics, sign_of
from skmetrics_ext.catalogue.names import MetricName, resolve_scorer, row_of, scorer_name
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.catalogue.score import check_of_two
from skmetrics_ext.curves.best import Bound, read_constraints
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.reading.arguments import check_choice, check_flag, check_whole
from skmetrics_ext.reading.calls import option_hint
from skmetrics_ext.reading.labels import read_column, read_order
from skmetrics_ext.reading.numbers import costs_of_all
from skmetrics_ext.reading.order import KIND_OF_DTYPE, check_covered, check_label
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.scoring.base import check_rule
from skmetrics_ext.scoring.groups_of_scorer import GroupsRequest, OverGroups, read_groups_request
from skmetrics_ext.scoring.options import OPTIONS, ScorerOptions, is_best, refuse_others
from skmetrics_ext.scoring.parts import (
    PRESETS,
    ClassesPart,
    CountsPart,
    GroupsPart,
    KeysKnown,
    MetricPart,
    Part,
    keys_of,
)


class BestThresholdRequest(NamedTuple):
    """What is best, within which bounds."""

    row: Metric
    sign: int
    pos_label: Any
    subject_to: Mapping[Any, Bound] | None
    parameters: dict[str, Any]


class MetricOfScorer(NamedTuple):
    """A metric by its key, as the caller names it, and the average or the class in its name."""

    key: str
    name: str
    row: Metric
    average: str | None
    of_class: Any = None

    @property
    def beginning(self) -> str:
        """The start of the keys of its classes: "recall" of "recall_macro"."""
        return self.name if self.average is None else self.name[: -len(f"_{self.average}")]


class Plan(NamedTuple):
    """What is computed, how labels are made of predictions, and which groups are scored."""

    name: str
    parts: tuple[Part, ...]
    rule: Rule
    methods: tuple[str, ...]
    classes: NDArray[Any] | None
    labels: NDArray[Any] | None
    single: Choice | None = None
    best: BestThresholdRequest | None = None
    # The evaluation index and a best threshold are not by group.
    takes_groups: bool = True
    groups: GroupsRequest | None = None
    demands_groups: bool = False
    over_groups: OverGroups = "worst"
    min_samples: int = 0
    # Whether one of more than two classes can't be asked for, as of the metric functions.
    is_of_two: bool = False

    @property
    def takes_matrix(self) -> bool:
        """Whether margins are not enough."""
        return any(part.takes_matrix for part in self.parts)

    def check_labels(self, own: NDArray[Any] | None) -> None:
        """Refuse labels that stand for all classes, and lack one of the estimator's."""
        labels = self.labels
        if own is None or labels is None or labels is not self.classes:
            return
        if KIND_OF_DTYPE[own.dtype.kind] == KIND_OF_DTYPE[labels.dtype.kind]:
            check_covered(labels, own, "List these, too.")


def read_plan(metrics: Any, options: ScorerOptions) -> Plan:
    """The plan of a scorer; rejects what no data can fit, since a search would give NaN for it."""
    if options.pos_label is not None:
        check_label(options.pos_label, "pos_label")
    if isinstance(metrics, str) and metrics in PRESETS:
        plan = _plan_of_preset(metrics, options)
    else:
        plan = _plan_of_metrics(metrics, options)
    divides = any(part.is_of_one_class for part in plan.parts)
    check_rule(plan.rule, plan.methods, plan.classes, divides=divides)
    keys_of(plan.parts, KeysKnown(plan.classes, plan.groups))
    return plan if options.name is None else plan._replace(name=_checked_name(options.name))


def _plan_of_preset(name: str, options: ScorerOptions) -> Plan:
    """The plan of a dict of scores with a name of its own."""
    refuse_others(options.given(), "index")
    _check_known([], [name], options.parameters)
    if is_best(options.threshold):
        raise ValueError(f"threshold='best' is for one metric, not for {name!r}.")
    labels = None if options.labels is None else read_order(options.labels)
    # The labels are all classes, in their order.
    classes = labels if options.classes is None else read_order(options.classes, "classes")
    return Plan(
        name=name,
        parts=(PRESETS[name],),
        rule=_rule(options, options.threshold, options.cost_matrix, classes, labels),
        methods=check_response_method(options.response_method),
        classes=classes,
        labels=labels,
        takes_groups=False,
    )


def _plan_of_metrics(metrics: Any, options: ScorerOptions) -> Plan:
    """The plan of one metric, or of a list or dict of them."""
    check_flag(options.per_class, "per_class")
    check_flag(options.counts, "counts")
    check_choice(options.over_groups or "worst", "over_groups", ("worst", "gap"))
    check_whole(options.min_samples, "min_samples")
    classes = None if options.classes is None else read_order(options.classes, "classes")
    asked = metrics_of_scorer(metrics, classes)
    is_single = isinstance(metrics, str) or callable(metrics)
    if is_single:
        _check_single(asked[0], options)
    else:
        _check_several(asked, options)
    labels = None if options.labels is None else read_order(options.labels)
    parameters = dict(options.parameters)
    costs_of_labels = options.cost_matrix
    if costs_of_labels is not None and any(
        "cost_matrix" in metric.row.parameters for metric in asked
    ):
        # These are the costs that the metric averages; labels come from the model.
        parameters["cost_matrix"] = costs_of_labels
        costs_of_labels = None
    choices = _choices(asked, options, labels, parameters)
    if classes is not None:
        _check_one_class(choices, classes, options)
    best, threshold = None, options.threshold
    if is_best(threshold):
        best, threshold = _best_threshold_request(asked[0], choices[0], options), None
    groups = read_groups_request(options.by)
    over_groups = options.over_groups or "worst"
    if is_single:
        if groups is not None and over_groups == "worst":
            check_worst(asked[0].row.name, asked[0].row.better)
        name = _name_of(asked[0], choices[0], groups, over_groups, is_best=best is not None)
    else:
        name = ", ".join(metric.key for metric in asked) or "counts"
    return Plan(
        name=name,
        parts=_parts(asked, choices, options),
        rule=_rule(options, threshold, costs_of_labels, classes, labels),
        methods=check_response_method(options.response_method),
        classes=classes,
        labels=labels,
        single=choices[0] if is_single else None,
        best=best,
        takes_groups=best is None,
        groups=groups,
        demands_groups=bool({"over_groups", "min_samples"} & options.given().keys()),
        over_groups=over_groups,
        min_samples=options.min_samples,
        is_of_two=options.average == "binary",
    )


def _check_one_class(
    choices: Iterable[Choice], classes: NDArray[Any], options: ScorerOptions
) -> None:
    """Reject a metric of the positive class of two where there are more, and an unknown class."""
    for choice in choices:
        if choice.positive is not None:
            check_positive(choice.positive, classes)
        is_named = choice.positive is not None or options.pos_label is not None
        are_of_two = options.average == "binary"
        check_of_two(choice, classes, is_named=is_named, are_of_two=are_of_two)


def _rule(
    options: ScorerOptions,
    threshold: Any,
    cost_matrix: Any,
    classes: NDArray[Any] | None,
    labels: NDArray[Any] | None,
) -> Rule:
    """How scores become labels; `classes` are in the caller's order."""
    rule = make_rule(
        threshold=threshold, ties=options.ties, pos_label=options.pos_label, cost_matrix=cost_matrix
    )
    return rule._replace(default_positive=second_of(classes), labels=labels, ranking=classes)


def metrics_of_scorer(metrics: Any, classes: NDArray[Any] | None) -> list[MetricOfScorer]:
    """The metrics by their keys: the caller's, or the names as given."""
    read = []
    asked = keyed_metrics(metrics, _scorer_name_of, classes=classes, may_be_empty=True)
    for key, metric in asked.items():
        row, average = resolve_scorer(metric)
        own, of_class = metric if isinstance(metric, tuple) else (metric, None)
        name = own if isinstance(own, str) else row.scorer_name
        read.append(MetricOfScorer(key, name, row, average, of_class))
    return read


def _scorer_name_of(metric: Any) -> str:
    """The name of the scorer of a function."""
    return resolve_scorer(metric)[0].scorer_name


def by_names(metrics: Any) -> Any:
    """A copy of the caller's list or dict of metrics; this package's are given by name."""
    if isinstance(metrics, Mapping):
        return {key: _by_name(metric) for key, metric in metrics.items()}
    is_list = isinstance(metrics, Sequence) and not isinstance(metrics, str)
    return [*map(_by_name, metrics)] if is_list else _by_name(metrics)


def _by_name(metric: MetricName) -> MetricName:
    """The name for one of this package's functions, else the metric as given."""
    if isinstance(metric, tuple):
        return tuple(map(_by_name, metric[:1])) + metric[1:]
    row = row_of(metric)
    return metric if row is None else row.scorer_name


def _check_single(metric: MetricOfScorer, options: ScorerOptions) -> None:
    """Reject options that are for several metrics, or that the metric has not."""
    refuse_others(options.given_options(), "best" if is_best(options.threshold) else "one")
    _check_average([metric], options.average)
    average_in_force(metric.name, metric.average, _said(options.average))
    if options.greater_is_better is not None:
        check_flag(options.greater_is_better, "greater_is_better")


def _check_several(metrics: list[MetricOfScorer], options: ScorerOptions) -> None:
    """Reject options that are for a single metric."""
    refuse_others(options.given_options(), "several")
    if not metrics and not options.counts:
        raise ValueError("metrics is empty: specify at least one, or pass counts=True.")
    if is_best(options.threshold):
        first = repr(metrics[0].name) if metrics else "'f1'"
        raise ValueError(
            "threshold='best' finds the threshold at which one metric is best: pass the metric on "
            f"its own, such as ConfusionScorer({first}, threshold='best'), and several as a dict "
            "of such scorers."
        )
    _check_average(metrics, options.average)


def _check_average(metrics: list[MetricOfScorer], average: Any) -> None:
    """Reject an average that no metric accepts."""
    if average is None:
        raise ValueError(
            "a scorer gives one number per key, average=None one per class: per_class=True adds "
            "these."
        )
    if _said(average) == "binary":
        return
    check_average(average)
    if metrics and not any(metric.row.has_average for metric in metrics):
        names = ", ".join(metric.name for metric in metrics)
        raise ValueError(f"{names} is one value over all classes: average= does not apply to it.")


def _said(average: Any) -> Any:
    """The average of a scorer, which is "binary" unless it is said."""
    return "binary" if average is ... else average


def _choices(
    metrics: list[MetricOfScorer],
    options: ScorerOptions,
    labels: NDArray[Any] | None,
    parameters: dict[str, Any],
) -> list[Choice]:
    """The metrics with the parameters they accept, and the average where their names have none."""
    _check_known([metric.row for metric in metrics], [metric.key for metric in metrics], parameters)
    choices = []
    for metric in metrics:
        row = metric.row
        own = {name: value for name, value in parameters.items() if name in row.parameters}
        average: Any = "binary"
        if row.has_average and metric.of_class is None:
            average = metric.average or _said(options.average)
        choice = choose(
            row,
            sign=sign_of(row, options.greater_is_better),
            average=average,
            pos_label=metric.of_class,
            labels=labels,
            zero_division=options.zero_division,
            **own,
        )
        choices.append(choice._replace(asked=metric.beginning.removeprefix("neg_")))
    return choices


def _check_known(rows: Iterable[Metric], keys: list[str], parameters: Mapping[str, Any]) -> None:
    """Reject a parameter that none of the metrics has."""
    known = {name for row in rows for name in row.parameters}
    if unknown := [name for name in parameters if name not in known]:
        hint = option_hint(unknown[0], [*known, *OPTIONS])
        raise TypeError(
            f"{unknown[0]!r} is neither an option nor a parameter of the metrics {keys}.{hint}"
        )


def _best_threshold_request(
    metric: MetricOfScorer, choice: Choice, options: ScorerOptions
) -> BestThresholdRequest:
    """The metric to be best at a threshold that the scorer finds."""
    costs_of_all(choice.parameters.get("cost_matrix"))
    parameters = choice.parameters
    bounds = options.subject_to
    request = BestThresholdRequest(metric.row, choice.sign, options.pos_label, bounds, parameters)
    check_best_threshold(request, metric.average)
    return request


def _parts(
    metrics: list[MetricOfScorer], choices: list[Choice], options: ScorerOptions
) -> tuple[Part, ...]:
    """The metrics, then those of classes, counts, and those of groups."""
    pairs = list(zip(metrics, choices, strict=True))
    of_all = [MetricPart(metric.key, choice) for metric, choice in pairs]
    # One of "recall" and "recall_macro".
    of_classes = {
        metric.beginning: ClassesPart(metric.beginning, choice)
        for metric, choice in pairs
        if options.per_class and metric.row.has_average
    }
    counts = [CountsPart()] if options.counts else []
    of_groups = [GroupsPart(metric.key, choice) for metric, choice in pairs]
    return (*of_all, *of_classes.values(), *counts, *of_groups)


def _name_of(
    metric: MetricOfScorer,
    choice: Choice,
    groups: GroupsRequest | None,
    over_groups: OverGroups,
    *,
    is_best: bool,
) -> str:
    """The name of a scorer of one metric: with its average or class, and the groups."""
    if is_best:
        return f"best_{choice.row.scorer_name}"
    name = scorer_name(choice.row, choice.average, negated=choice.sign < 0)
    if metric.of_class is not None:
        name = f"{name}_{metric.of_class}"
    return name if groups is None else f"{name}_{groups.title}_{over_groups}"


def _checked_name(name: Any) -> str:
    """The name that the caller gave."""
    if not isinstance(name, str) or not name:
        raise TypeError(f"name must be a non-empty string; got {name!r}.")
    return name


def check_best_threshold(request: BestThresholdRequest, average: str | None) -> None:
    """Reject a metric of which no value is best on a curve, and bounds that cannot be read."""
    row = request.row
    if average is not None:
        raise ValueError(
            f"the metric specifies an average, {average!r}, but a curve is for one class: pass "
            f"{row.scorer_name!r}."
        )
    if row.better == "neither":
        raise ValueError(
            f"neither higher nor lower values of {row.name} are better, so none is best: bound it."
        )
    read_constraints(request.subject_to, lambda _: np.empty(0))


def value_at_best_threshold(
    request: BestThresholdRequest, estimator: object, X: object, y_true: Any, sample_weight: Any
) -> float:
    """The best value at any threshold of the estimator's scores for X, negated for a loss."""
    true = read_column(y_true, "y_true", " One class is scored here.")
    scores, positive, known = predict_scores(estimator, X, true, request.pos_label)
    curve = ThresholdCurve._of_class(true, scores, known, positive, Weights(sample_weight))
    best = curve.best(request.row, subject_to=request.subject_to, **request.parameters)
    return request.sign * best.value
