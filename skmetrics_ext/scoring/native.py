"""FixedMetric: a metric function with its options fixed, as scikit-learn's own scorers take it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike
from sklearn import metrics as sklearn_metrics

from skmetrics_ext.catalogue.names import resolve, scorer_name
from skmetrics_ext.catalogue.rows import Metric
from skmetrics_ext.metrics.from_labels import function_of
from skmetrics_ext.reading.aliases import TargetLike
from skmetrics_ext.scoring.base import as_call, as_lists, as_mappings
from skmetrics_ext.scoring.options import own_options
from skmetrics_ext.scoring.request import ScorerRequest, read_request


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


def _signature_of(row: Metric, options: Mapping[str, Any]) -> inspect.Signature:
    """What scikit-learn may pass, among it what the metric needs that is not fixed."""
    own = inspect.signature(function_of(row)).parameters
    first, second, *_ = own
    shown = {name: own[name] for name in (first, second)}
    average = options.get("average", own["average"].default if "average" in own else None)
    if average == "binary":
        fixed = options.get("pos_label", own["pos_label"].default)
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
