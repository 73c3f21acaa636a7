"""FixedMetric: a metric function with its options fixed, as scikit-learn's own scorers take it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from numpy.typing import ArrayLike
from sklearn import metrics as sklearn_metrics

from skmetrics_ext.catalogue.averages import check_average
from skmetrics_ext.catalogue.choice import average_in_force, choose, sign_of
from skmetrics_ext.catalogue.names import resolve, resolve_scorer, scorer_name
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.catalogue.undefined import check_replacement
from skmetrics_ext.metrics.from_labels import default_of, function_of, options_of
from skmetrics_ext.reading.aliases import TargetLike
from skmetrics_ext.reading.arguments import check_flag
from skmetrics_ext.reading.calls import explained, option_hint
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import check_label
from skmetrics_ext.scoring.base import as_call, as_lists, as_mappings
from skmetrics_ext.scoring.options import OF_SCORER, READS_MORE, own_options


class ScorerRequest(NamedTuple):
    """A metric of the catalogue, the options of its function, and those of the scorer."""

    row: Metric
    # The one in force; None for a metric over all classes without averages.
    average: str | None
    sign: int
    of_metric: dict[str, Any]
    of_scorer: dict[str, Any]

    @property
    def takes_labels(self) -> bool:
        """Whether what predict returns is enough: no scores, no groups, no classes of the model."""
        if READS_MORE & self.of_scorer.keys():
            return False
        if self.of_scorer.get("response_method", "predict") != "predict":
            return False
        # Tables are for all classes, which a scorer of labels does not see.
        weights = self.of_metric.get("weights")
        has_table = "cost_matrix" in self.of_metric or not (
            weights is None or isinstance(weights, str)
        )
        return not has_table or "labels" in self.of_metric

    def with_defaults(self) -> dict[str, Any]:
        """All options, with the function's defaults, not those of a ConfusionScorer."""
        defaults: dict[str, Any] = {"average": "binary"} if self.row.has_average else {}
        of_metric = self.of_metric
        if self.row.has_average and self.average == "binary":
            defaults["pos_label"] = 1
            # As in scikit-learn's functions, which ignore them.
            of_metric = {name: value for name, value in of_metric.items() if name != "labels"}
        return {**self.of_scorer, **defaults, **of_metric}


class FixedMetric:
    """A metric function with its options fixed, which `get_scorer` makes for scikit-learn's
    scorers.

    Its signature shows `pos_label` if that has an effect.

    Parameters
    ----------
    metric : str
        The name of a metric, without an average: "recall".
    **options
        Options of its function, such as `average` and `pos_label`.

    Examples
    --------
    >>> from skmetrics_ext import FixedMetric
    >>> recall = FixedMetric("recall", pos_label="ill")
    >>> recall(["ill", "well", "ill"], ["ill", "ill", "well"])
    0.5
    >>> recall
    FixedMetric('recall', pos_label='ill')
    """

    @explained
    def __init__(self, metric: str, **options: Any) -> None:
        row, _ = resolve(metric)
        self._metric, self._options = row.name, own_options(options)
        self._function = function_of(row)
        self.__signature__ = _signature_of(row, self._options)
        shown = ", ".join(f"{name}={value!r}" for name, value in self._options.items())
        # scikit-learn shows a scorer by the name of its function.
        self.__name__ = f"{row.function}({shown})" if shown else row.function

    def __call__(
        self,
        y_true: TargetLike,
        y_pred: TargetLike,
        *,
        sample_weight: ArrayLike | None = None,
        **further: Any,
    ) -> float:
        """The value for actual and predicted labels.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n_samples,), or multilabel 0/1 (n_samples, n_labels)
            Actual and predicted labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.
        **further
            `pos_label`, if the signature shows it, and costs that are not fixed.

        Returns
        -------
        float
        """
        if unknown := further.keys() - self.__signature__.parameters.keys():
            of_groups = " To score groups, make it with over_groups='worst'." * ("by" in unknown)
            raise TypeError(f"{self!r} takes no {min(unknown)!r} in a call.{of_groups}")
        options = {**self._options, **further}
        value: float = self._function(y_true, y_pred, sample_weight=sample_weight, **options)
        return value

    def __getstate__(self) -> dict[str, Any]:
        return {"metric": self._metric, "options": as_lists(self._options)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        FixedMetric.__init__(self, state["metric"], **as_mappings(state["options"]))

    def __repr__(self) -> str:
        return as_call("FixedMetric", self._metric, **self._options)


class DefaultLabel(int):
    """A positive class that nobody named. Where a model lacks it, scikit-learn raises before the
    metric is called, and its message then says what to do.
    """

    def __str__(self) -> str:
        return f"{int(self)} (the default: pass the positive class to get_scorer as pos_label=)"


def _signature_of(row: Metric, options: Mapping[str, Any]) -> inspect.Signature:
    """What scikit-learn may pass, among it what the metric needs that is not fixed."""
    own = inspect.signature(function_of(row)).parameters
    first, second, *_ = own
    shown = {name: own[name] for name in (first, second)}
    average = options.get("average", own["average"].default if "average" in own else None)
    if average == "binary":
        fixed = options.get("pos_label", DefaultLabel(own["pos_label"].default))
        shown["pos_label"] = own["pos_label"].replace(default=fixed)
    shown["sample_weight"] = own["sample_weight"]
    shown |= {name: own[name] for name in row.required if name not in options}
    return inspect.Signature(
        [parameter.replace(annotation=inspect.Parameter.empty) for parameter in shown.values()]
    )


def native_scorer(request: ScorerRequest) -> Any:
    """scikit-learn's own scorer of the labels that predict returns."""
    function = FixedMetric(request.row.name, **request.of_metric)
    scorer = sklearn_metrics.make_scorer(function, greater_is_better=request.sign > 0)
    scorer.__name__ = scorer_name(request.row, request.average, negated=request.sign < 0)
    return scorer


def request_of_fixed(metric: FixedMetric) -> ScorerRequest:
    """What get_scorer was asked for to make such a function."""
    row, _ = resolve(metric._metric)
    return read_request(row.scorer_name, metric._options)


def read_request(metric: str | Callable[..., Any], options: Mapping[str, Any]) -> ScorerRequest:
    """The metric with its options, checked here, since a search would turn the error into NaN."""
    row, named = resolve_scorer(metric)
    has_threshold = options.get("threshold") is not None
    of_scorer = {name: value for name, value in options.items() if _is_of_scorer(name, row)}
    of_metric = {name: value for name, value in options.items() if name not in of_scorer}
    if named is not None:
        average = of_metric.get("average", named)
        of_metric["average"] = average_in_force(str(metric), named, average)
    average = of_metric.get("average", default_of(row, "average"))
    if average != "binary" and "average" in options_of(row):
        of_metric = _without_defaults(row, of_metric, has_threshold=has_threshold)
    # For scores, pos_label is the class that a single threshold applies to, whatever is averaged.
    left_out = {"pos_label"} if has_threshold else set()
    _check_options(row, average, {k: v for k, v in of_metric.items() if k not in left_out})
    greater_is_better = of_scorer.get("greater_is_better")
    if greater_is_better is not None:
        check_flag(greater_is_better, "greater_is_better")
    request = ScorerRequest(row, average, sign_of(row, greater_is_better), of_metric, of_scorer)
    ties = of_scorer.get("ties", "positive")
    if request.takes_labels and ties != "positive":
        raise ValueError(f"ties={ties!r} needs scores: also pass a threshold or a response_method.")
    return request


def _is_of_scorer(name: str, row: Metric) -> bool:
    """Whether an option is of the scorer; costs that a metric averages choose no labels."""
    return name in OF_SCORER and name not in row.parameters


def _without_defaults(
    row: Metric, of_metric: dict[str, Any], *, has_threshold: bool
) -> dict[str, Any]:
    """Without the function's own defaults, to which a threshold gives another meaning."""
    defaults: list[tuple[str, Any]] = [] if row.has_average else [("average", "multiclass")]
    defaults += [] if has_threshold else [("pos_label", 1)]
    return {name: value for name, value in of_metric.items() if (name, value) not in defaults}


def _check_options(row: Metric, average: Any, options: Mapping[str, Any]) -> None:
    """Reject options that the metric would reject."""
    if options.get("pos_label") is not None:
        check_label(options["pos_label"], "pos_label")
    if unknown := [name for name in options if name not in options_of(row)]:
        known = [name for name in (*options_of(row), *OF_SCORER) if name != unknown[0]]
        raise TypeError(
            f"{row.function} has no parameter {unknown[0]!r}.{option_hint(unknown[0], known)} It "
            f"has {list(options_of(row))}, and the scorer options are {OF_SCORER}."
        )
    own = {name: options[name] for name in row.parameters if name in options}
    # Costs may be per sample, passed in each call.
    if own or row.required != ["cost_matrix"]:
        zero_division = options.get("zero_division", "warn")
        asked = average if row.has_average else "binary"
        choose(row, average=asked, zero_division=zero_division, **own)
    if "average" in options_of(row):
        _check_average(row, average, options.get("pos_label"))
    if options.get("labels") is not None:
        read_order(options["labels"])
    if "replace_undefined_by" in options:
        check_replacement(options["replace_undefined_by"])


def _check_average(row: Metric, average: Any, pos_label: Any) -> None:
    """Reject an average that gives several numbers, or none with a positive class."""
    if average is None:
        raise ValueError(
            "a scorer returns one number, but average=None gives one per class: choose another."
        )
    if not row.has_average and average != "multiclass":
        check_average(average)
    if average != "binary" and pos_label is not None:
        raise ValueError(
            f"pos_label={pos_label!r} is only for average='binary', not for {average!r}."
        )
