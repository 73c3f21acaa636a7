"""The scorer of the evaluation index, and the order that `labels=` gives a rule."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.estimator import check_response_method, known_labels, read_classes
from skmetrics_ext.adapter.positive import second_of
from skmetrics_ext.adapter.rule import Rule, bound_rule, make_rule
from skmetrics_ext.catalogue.names import did_you_mean
from skmetrics_ext.matrices.confusion_matrix import ConfusionMatrix
from skmetrics_ext.matrices.from_data import By, fields_of_estimator
from skmetrics_ext.reading.aliases import TargetLike
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.messages import warn_once
from skmetrics_ext.reading.names import NamedNumbers, NamedTable
from skmetrics_ext.reading.order import plain
from skmetrics_ext.reading.pairs import Weights
from skmetrics_ext.reports.evaluation_index import evaluation_index, index_names
from skmetrics_ext.scoring.base import BaseScorer, as_call, check_rule, own_options
from skmetrics_ext.scoring.entries import with_nan

RULE = ("threshold", "ties", "pos_label", "cost_matrix")
OPTIONS = [*RULE, "classes", "response_method", "multilabel", "labels"]


class EvaluationIndexScorer(BaseScorer):
    """Scorer returned by `get_scorer("evaluation_index")`, with its options; returns the dict of
    `evaluation_index`.

    The option `labels` fixes the classes and their order, regardless of which occur.
    """

    def __init__(self, **options: Any) -> None:
        if unknown := [name for name in options if name not in OPTIONS]:
            raise TypeError(
                f"{unknown[0]!r} is no option.{did_you_mean(unknown[0], OPTIONS)} Options are "
                f"{OPTIONS}."
            )
        labels, classes = options.get("labels"), options.get("classes")
        self._labels = None if labels is None else read_order(labels)
        self._classes = None if classes is None else read_order(classes, "classes")
        rule = make_rule(**{name: options[name] for name in RULE if name in options})
        options = own_options(options)
        method = options.get("response_method", "auto")
        check_rule(rule, check_response_method(method), self._classes, divides=True)
        if self._labels is not None:
            rule = with_order_of_labels(rule, self._labels, has_classes=self._classes is not None)
        self._how = rule, method, self._classes, options.get("multilabel")
        super().__init__("evaluation_index", (), options)
        self._options = {name: value for name, value in options.items() if name != "labels"}

    def __call__(
        self,
        estimator: object,
        X: object,
        y_true: TargetLike,
        sample_weight: ArrayLike | None = None,
    ) -> dict[str, float]:
        """The evaluation index of what the estimator predicts for X, or its keys with NaN."""
        with warn_once(self._said):
            try:
                fields = fields_of_estimator(
                    estimator, X, y_true, *self._how, Weights(sample_weight), By()
                )
                cm = ConfusionMatrix(**fields)
                return evaluation_index(
                    cm if self._labels is None or cm.axes else cm.with_labels(self._labels)
                )
            except Exception as error:
                labels = known_labels(read_classes(estimator), y_true, self._classes, self._labels)
                if labels is None:
                    raise
                keys = index_names(labels)
                return with_nan(keys, dict.fromkeys(keys, error))

    def __repr__(self) -> str:
        labels = None if self._labels is None else self._labels.tolist()
        return as_call("get_scorer", self.__name__, **self._options, labels=labels)


def with_order_of_labels(rule: Rule, labels: NDArray[Any], *, has_classes: bool) -> Rule:
    """A rule with the order declared by `labels=`, unless `classes=` is given as well."""
    if rule.pos_label is None:
        rule = rule._replace(pos_label=second_of(labels))
    if has_classes:
        return rule
    names = plain(labels)
    cut, costs = bound_rule(rule._replace(ranking=labels), labels)
    threshold = NamedNumbers(names, cut) if cut is not None and cut.ndim else rule.threshold
    return rule._replace(
        threshold=threshold, cost_matrix=None if costs is None else NamedTable(names, names, costs)
    )
