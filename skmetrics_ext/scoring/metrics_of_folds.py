"""What cross-validated intervals are asked for: metrics, or a scorer with options of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import known_positive, second_of
from skmetrics_ext.catalogue.choice import Choice, choose, keyed_metrics
from skmetrics_ext.catalogue.names import is_metric_name, resolve
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import plain, show
from skmetrics_ext.scoring.confusion_scorer import ConfusionScorer, request_of_scorer
from skmetrics_ext.scoring.native import FixedMetric, request_of_fixed
from skmetrics_ext.scoring.parts import GroupsPart, MetricPart
from skmetrics_ext.scoring.plan import MetricName, Plan
from skmetrics_ext.scoring.private_hooks import function_of_native

Scoring = ConfusionScorer | MetricName | Sequence[MetricName] | Mapping[str, MetricName]

OF_LABELS = ("response_method", "threshold", "ties", "pos_label", "classes", "cost_matrix")


class MetricsOfFolds(NamedTuple):
    """Metrics by their keys, and how the labels that they are of are made."""

    choices: dict[str, Choice]
    # Whether there is one only, and no list or dict of one.
    is_single: bool
    of_labels: dict[str, Any]


def read_scoring(scoring: Any) -> MetricsOfFolds:
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
    asked = keyed_metrics(scoring, lambda metric: resolve(_no_scorer(metric))[0].name)
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
            choices[_unsigned_key(part)] = _unsigned(part.choice, plan)
    of_labels = {name: options[name] for name in OF_LABELS if name in options}
    if plan.rule.cost_matrix is None:
        of_labels.pop("cost_matrix", None)
    return MetricsOfFolds(choices, plan.single is not None or key is not None, of_labels)


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
    return bare if is_metric_name(bare) else part.key


def _unsigned(choice: Choice, plan: Plan) -> Choice:
    """A metric as functions return it, not negated where lower is better."""
    if plan.classes is not None and len(plan.classes) > 2 and choice.average == "auto":
        # Also where the data have but two of these classes.
        average = "macro" if choice.row.has_average else "auto"
        return choice._replace(sign=1, average=average)
    return choice._replace(sign=1)


def check_positive_is_known(metrics: MetricsOfFolds, labels: NDArray[Any]) -> None:
    """Refuse metrics of one class, before models are fitted, if it is not known which."""
    of_labels = metrics.of_labels
    order = None if of_labels.get("classes") is None else read_order(of_labels["classes"])
    if known_positive(labels, of_labels.get("pos_label"), second_of(order)) is not None:
        return
    for key, choice in metrics.choices.items():
        is_of_two = choice.average == "auto" and len(labels) == 2
        if choice.row.has_average and (is_of_two or choice.average == "binary"):
            positive = plain(labels)[-1]
            raise ValueError(
                f"it is not known which of the labels {show(labels)} is the positive class, and "
                f"{key} depends on it: pass a scorer, such as "
                f"scoring=get_scorer({choice.row.scorer_name!r}, pos_label={positive!r})."
            )
