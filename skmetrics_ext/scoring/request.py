"""What get_scorer and make_scorer are asked for, read and checked once."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from skmetrics_ext.catalogue.averages import check_average
from skmetrics_ext.catalogue.choice import choose, sign_of
from skmetrics_ext.catalogue.names import option_hint, resolve_scorer
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.catalogue.undefined import check_replacement
from skmetrics_ext.metrics.from_labels import default_of, options_of
from skmetrics_ext.reading.arguments import check_flag
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.scoring.options import OF_SCORER, READS_MORE


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
        if self.row.has_average and self.average == "binary":
            defaults["pos_label"] = 1
        return {**self.of_scorer, **defaults, **self.of_metric}


def read_request(metric: str | Callable[..., Any], options: Mapping[str, Any]) -> ScorerRequest:
    """The metric with its options, checked here, since a search would turn the error into NaN."""
    row, named = resolve_scorer(metric)
    has_threshold = options.get("threshold") is not None
    of_scorer = {name: value for name, value in options.items() if _is_of_scorer(name, row)}
    of_metric = {name: value for name, value in options.items() if name not in of_scorer}
    if named is not None and of_metric.setdefault("average", named) != named:
        raise ValueError(
            f"{metric!r} already has an average; average={of_metric['average']!r} contradicts it."
        )
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
    if unknown := [name for name in options if name not in options_of(row)]:
        known = [name for name in (*options_of(row), *OF_SCORER) if name != unknown[0]]
        raise TypeError(
            f"{row.function} has no parameter {unknown[0]!r}.{option_hint(unknown[0], known)} It "
            f"has {list(options_of(row))}, and the scorer options are {list(OF_SCORER)}."
        )
    own = {name: options[name] for name in row.parameters if name in options}
    # Costs may be per sample, passed in each call.
    if own or row.required != ["cost_matrix"]:
        zero_division = options.get("zero_division", "warn")
        asked = average if row.has_average else "auto"
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
