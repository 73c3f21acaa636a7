"""Scorers that summarise the confusion matrix of an estimator's predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.estimator import check_response_method, known_labels, read_classes
from skmetrics_ext.adapter.positive import second_of
from skmetrics_ext.adapter.responses import check_can_be_reached
from skmetrics_ext.adapter.rule import bound_rule, check_divides, make_rule
from skmetrics_ext.catalogue.names import did_you_mean
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.reading.aliases import TargetLike
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.messages import warn_once
from skmetrics_ext.reading.names import NamedNumbers, NamedTable
from skmetrics_ext.reading.order import plain
from skmetrics_ext.reports.evaluation_index import evaluation_index, index_names
from skmetrics_ext.scoring.base import BaseScorer, as_call, own_options
from skmetrics_ext.scoring.entries import with_nan

RULE = ("threshold", "ties", "pos_label", "cost_matrix")
OPTIONS = [*RULE, "classes", "response_method", "multilabel", "labels"]


class MatrixScorer(BaseScorer):
    """`scorer(estimator, X, y)` returns a summary of the matrix from `ConfusionMatrix.from_estimator` with the options.

    The option `labels` fixes the classes of the matrix and their order, regardless of which occur.
    If `_names` gives the keys of a summary from its classes, an error gives NaN for each.
    """

    _title: str
    _summary: Callable[..., Any]
    _names: Callable[[NDArray[Any]], list[str]] | None = None

    def __init__(self, **options: Any) -> None:
        if unknown := [name for name in options if name not in OPTIONS]:
            raise TypeError(
                f"there is no option {unknown[0]!r}.{did_you_mean(unknown[0], OPTIONS)} Options are {OPTIONS}."
            )
        labels, classes = options.get("labels"), options.get("classes")
        self._labels = None if labels is None else read_order(labels)
        self._classes = None if classes is None else read_order(classes, "classes")
        rule = make_rule(**{name: options[name] for name in RULE if name in options})
        if self._names is not None or options.get("multilabel") is False:
            check_divides(rule.threshold)
        if self._classes is not None:
            bound_rule(rule._replace(ranking=self._classes), self._classes)
        check_can_be_reached(rule, check_response_method(options.get("response_method", "auto")))
        options = own_options(options)
        super().__init__(self._title, (), options)
        self._options = {name: value for name, value in options.items() if name != "labels"}
        # Those of folds are the caller's only where cross-validation says so.
        self._declared = self._options if self._names is None else with_order_of_labels(self._options, self._labels)

    def __call__(self, estimator: object, X: object, y_true: TargetLike, sample_weight: ArrayLike | None = None) -> Any:
        """The summary of one count."""
        with warn_once(self._said):
            return self._summary_of(estimator, X, y_true, sample_weight)

    def _summary_of(self, estimator: Any, X: Any, y_true: Any, sample_weight: ArrayLike | None) -> Any:
        """The summary, or its keys with NaN."""
        try:
            cm = ConfusionMatrix.from_estimator(estimator, X, y_true, sample_weight=sample_weight, **self._declared)
            return self._summary(cm if self._labels is None or cm.axes else cm.with_labels(self._labels))
        except Exception as error:
            labels = known_labels(read_classes(estimator), y_true, self._classes, self._labels)
            if self._names is None or labels is None:
                raise
            keys = self._names(labels)
            return with_nan(keys, dict.fromkeys(keys, error))

    def __repr__(self) -> str:
        labels = None if self._labels is None else self._labels.tolist()
        return as_call("get_scorer", self.__name__, **self._options, labels=labels)


def with_order_of_labels(options: dict[str, Any], labels: NDArray[Any] | None) -> dict[str, Any]:
    """Options with the order declared by `labels=`, unless `classes=` is given as well."""
    if labels is None:
        return options
    declared = dict(options)
    if options.get("pos_label") is None and (positive := second_of(labels)) is not None:
        declared["pos_label"] = positive
    if options.get("classes") is None:
        rule = make_rule(**{name: declared[name] for name in RULE if name in declared})
        cut, costs = bound_rule(rule._replace(ranking=labels), labels)
        if cut is not None and cut.ndim:
            declared["threshold"] = NamedNumbers(plain(labels), cut)
        if costs is not None:
            declared["cost_matrix"] = NamedTable(plain(labels), plain(labels), costs)
    return declared


class EvaluationIndexScorer(MatrixScorer):
    """Scorer returned by `get_scorer("evaluation_index")`, with its options; returns the dict of `evaluation_index`."""

    _title = "evaluation_index"
    _names = staticmethod(index_names)

    def _summary(self, cm: ConfusionMatrix) -> dict[str, float]:
        return evaluation_index(cm)
