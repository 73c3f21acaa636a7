"""ConfusionScorer: predict once, count once, and every metric, class and count as a score."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from types import EllipsisType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skmetrics_ext.adapter.estimator import classes_for, known_labels, read_classes
from skmetrics_ext.adapter.positive import check_positive
from skmetrics_ext.adapter.responses import predict_labels
from skmetrics_ext.catalogue.choice import Choice
from skmetrics_ext.catalogue.names import MetricName, scorer_name
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.curves.best import Bound
from skmetrics_ext.metrics.from_labels import options_of
from skmetrics_ext.reading.aliases import (
    CostsLike,
    GroupsLike,
    Label,
    LabelsLike,
    TargetLike,
    ThresholdsLike,
    Ties,
)
from skmetrics_ext.reading.calls import explained, instead
from skmetrics_ext.reading.labels import Column, read_labels
from skmetrics_ext.reading.messages import warn_once
from skmetrics_ext.reading.order import show, with_all
from skmetrics_ext.scoring import groups_of_scorer
from skmetrics_ext.scoring.base import BaseScorer, LoggedScore, as_call
from skmetrics_ext.scoring.groups_of_scorer import GroupsOption, GroupsRequest, OverGroups
from skmetrics_ext.scoring.options import ScorerOptions
from skmetrics_ext.scoring.parts import (
    KeysKnown,
    Predicted,
    count_prediction,
    keys_of,
    outcomes_of,
    with_nan,
)
from skmetrics_ext.scoring.plan import Plan, by_names, read_plan, value_at_best_threshold


class Call(NamedTuple):
    """What a scorer is called with."""

    estimator: Any
    X: Any
    y_true: Any
    sample_weight: Any
    by: Any


class ConfusionScorer(BaseScorer):
    """Scorer for one or more metrics, by one call to predict and one count.

    Parameters
    ----------
    metrics : str or function, list of them, or dict of key to metric
        As in `ConfusionMatrix.score`; in a list or dict `("recall", "ash")` is of one of several
        classes.
        One gives a float; a list or a dict gives a dict, by name or key. Where lower is better a
        name starts with "neg_", and the value is negated, as of functions with greater_is_better =
        False.
        "evaluation_index" gives the dict of that function.
    average : {"binary", "macro", "micro", "weighted", "samples", "worst"}, default="binary"
        For metrics named without an average or a class. "binary": of `pos_label`, needed for more
        than two classes (said, two only, as in functions); "worst": of the worst class.
    per_class : bool, default=False
        Add `<metric>_<label>` for each class, if the metric has such values: "recall_ash". Classes
        that model and `y_true` may lack need `classes`.
    counts : bool, default=False
        Add `true_positive_<label>` and so on, and `cf_<actual>_<predicted>`.
    response_method : str or sequence of str, default="auto"
        "auto": predict; with a threshold or costs, the first method that gives scores.
    threshold : float, array-like, dict or "best", default=None
        As in `labels_from_scores`; or "best", for one metric, as in `get_scorer`. None: the labels
        of `predict`, or those of the least expected cost.
    subject_to : dict of metric to bound, default=None
        Bounds for "best", as in `ThresholdCurve.best`.
    ties : {"positive", "negative"}, default="positive"
        Which class a score equal to the binary threshold predicts.
    pos_label : int, float, bool or str, default=None
        The positive class for binary metrics and for a single threshold. None: the second of two
        `classes`, else 1 of {0, 1}, {-1, 1} or {False, True}.
    classes : array-like of shape (n_classes,), default=None
        The label of each column of scores, [negative, positive] for two. None: the estimator's
        `classes_`; list any that its training data may lack as well. 1-D scores are of the second
        class; without `classes_`, name them if it is the first.
    cost_matrix : array-like of shape (n_classes, n_classes), data frame or dict, default=None
        With `expected_cost`, the costs that it averages; for others, the class with the lowest
        expected cost is predicted. Labeled, or in the order of `classes`.
    labels : array-like, default=None
        Classes to average. None: all. Of multilabel arrays, the columns or their names.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the metric is 0/0.
    by : str, int, list of them, or dict of either to groups, default=None
        The column of X with each sample's group, by name, or by position in an array; several,
        crossed; or a dict of columns to all their groups, `{"sex": ["F", "M"]}`. One metric is
        scored on its worst group; several add "recall_sex_worst", "recall_sex_gap", and
        "recall_sex:F" for each group listed. `by` is for results of each group, `clusters` for
        dependent samples, `groups` for splits.
    over_groups : {"worst", "gap"}, default=None
        For one metric with groups: the value of the worst (the default), or the gap between the
        best and the worst, negated so that higher is better. If given, a call without groups is an
        error.
    min_samples : int, default=0
        Least number of samples in the metric's denominator (see `Gap`) of a group that may be the
        worst or enter a gap. If given, a call without groups is an error.
    greater_is_better : bool, default=None
        For one metric: False negates the value. None: as defined in the metric catalogue.
    name : str, default=None
        The scorer's `__name__`. None: that of its metrics.
    **parameters
        Parameters such as `beta`, for every metric that accepts them.

    Raises
    ------
    ValueError, TypeError
        If a name or an option is invalid, or two scores have the same key.

    Warns
    -----
    UserWarning
        If labels were unseen in training; if scores outside [0, 1] meet a threshold inside; of
        several metrics, if one can't be computed and is NaN.

    Notes
    -----
    Weights and groups are passed in the call, or by metadata routing after
    `set_score_request(sample_weight=True, by=True)`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skmetrics_ext import ConfusionScorer
    >>> X, y = load_iris(return_X_y=True)
    >>> scorer = ConfusionScorer(["mcc", "specificity_macro", "recall_macro"], per_class=True)
    >>> results = cross_validate(GaussianNB(), X, y, scoring=scorer)
    >>> print(results["test_mcc"].mean().round(3), results["test_recall_2"].mean().round(3))
    0.933 0.92
    """

    @explained
    @instead("For scoring=, pass an object: ConfusionScorer(['f1', 'recall']).")
    def __init__(
        self,
        metrics: MetricName | Sequence[MetricName] | Mapping[str, MetricName],
        *,
        average: str | EllipsisType = ...,
        per_class: bool = False,
        counts: bool = False,
        response_method: str | Sequence[str] = "auto",
        threshold: ThresholdsLike | None = None,
        subject_to: Mapping[Any, Bound] | None = None,
        ties: Ties = "positive",
        pos_label: Label | None = None,
        classes: LabelsLike | None = None,
        cost_matrix: CostsLike | None = None,
        labels: LabelsLike | None = None,
        zero_division: ZeroDivision = "warn",
        greater_is_better: bool | None = None,
        name: str | None = None,
        by: GroupsOption | None = None,
        over_groups: OverGroups | None = None,
        min_samples: int = 0,
        **parameters: Any,
    ) -> None:
        options = ScorerOptions(
            average=average,
            per_class=per_class,
            counts=counts,
            response_method=response_method,
            threshold=threshold,
            subject_to=subject_to,
            ties=ties,
            pos_label=pos_label,
            classes=classes,
            cost_matrix=cost_matrix,
            labels=labels,
            zero_division=zero_division,
            greater_is_better=greater_is_better,
            name=name,
            by=by,
            over_groups=over_groups,
            min_samples=min_samples,
            parameters=parameters,
        ).owned()
        self._plan = read_plan(metrics, options)
        self.takes_groups = self._plan.takes_groups
        # Of a scorer of `scorers()`: its only key.
        self._key: str | None = None
        super().__init__(self._plan.name, (by_names(metrics),), options.given())
        if self._plan.single is not None:
            self._instead = _native_call(self._plan.single, options)

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | ({} if self._key is None else {"key": self._key})

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "key" in state:
            self._narrow_to(state["key"])

    def __call__(
        self,
        estimator: object,
        X: object,
        y_true: TargetLike,
        sample_weight: ArrayLike | None = None,
        by: GroupsLike | None = None,
    ) -> Any:
        """The scores of what the estimator predicts for X against y_true; higher is better.

        Parameters
        ----------
        estimator : object with predict, predict_proba or decision_function
            A fitted model.
        X : array-like
            Samples to predict.
        y_true : array-like of shape (n_samples,) or (n_samples, n_classes)
            Actual labels, one-hot rows or multilabel indicators.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each sample.
        by : array-like of shape (n_samples,), default=None
            The group of each sample. None: the column of X that the scorer was given, if any. `by`
            is for results of each group, `clusters` for dependent samples, `groups` for
            splits.

        Returns
        -------
        float, or dict of str to float
        """
        call = Call(estimator, X, y_true, sample_weight, by)
        with warn_once(self._said):
            if self._key is not None:
                return LoggedScore(self._score_of_key(call, self._key))
            if self._plan.single is not None:
                return LoggedScore(self._value(call, self._plan.single))
            return self._scores(call)

    def _value(self, call: Call, choice: Choice) -> float:
        """The value of the single metric; errors are raised."""
        plan = self._plan
        if plan.best is not None:
            self._groups_request(call.by)
            return value_at_best_threshold(
                plan.best, call.estimator, call.X, call.y_true, call.sample_weight
            )
        predicted = self._predicted(call)
        if predicted.groups is None:
            return float(score(predicted.counts, choice))
        of_groups = groups_of_scorer.values_of_groups(predicted.groups, choice)
        return groups_of_scorer.over_groups_of(of_groups, plan.over_groups)

    def _score_of_key(self, call: Call, key: str) -> float:
        """One score of several; errors are raised."""
        outcomes = outcomes_of(self._plan.parts, self._predicted(call))
        if key not in outcomes:
            raise ValueError(
                f"there is no score {key!r} for these data, only {show(np.array([*outcomes]))}: "
                "specify classes or labels as they appear in the data."
            )
        outcome = outcomes[key]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def _scores(self, call: Call) -> dict[str, float]:
        """All scores by their keys; what fails is NaN, with a warning."""
        plan = self._plan
        try:
            predicted = self._predicted(call)
        except Warning:
            raise
        except Exception as error:
            declared = read_classes(call.estimator)
            labels = known_labels(declared, call.y_true, plan.classes, plan.labels)
            if labels is None and any(part.names_classes for part in plan.parts):
                raise
            keys = keys_of(plan.parts, KeysKnown(labels, self._groups_request(call.by)))
            return with_nan(keys, dict.fromkeys(keys, error))
        keys = keys_of(plan.parts, predicted.known)
        return with_nan(keys, outcomes_of(plan.parts, predicted))

    def _groups_request(self, by: Any) -> GroupsRequest | None:
        """The groups requested in the scorer, or those passed in the call."""
        if by is not None and not self.takes_groups:
            raise ValueError("this scorer takes no groups: omit by=.")
        if self._plan.groups is not None:
            return self._plan.groups
        if by is not None:
            return GroupsRequest()
        if self._aliases.get("by") or self._plan.demands_groups:
            raise ValueError(
                "groups are required, but none were passed in this call: pass by=, or "
                "cross_validate(..., params={'by': groups}) and fit(X, y, by=groups) with metadata "
                "routing."
            )
        return None

    def _predicted(self, call: Call) -> Predicted:
        """Predict once and count once, and once more for groups."""
        plan, rule = self._plan, self._plan.rule
        true = read_labels(call.y_true, "y_true")
        declared = classes_for(call.estimator, true)
        plan.check_labels(declared.own)
        known = declared.known if plan.classes is None else plan.classes
        if isinstance(true, Column) and rule.pos_label is not None:
            labels = true.labels if known is None else with_all(known, true.labels)
            check_positive(rule.pos_label, labels)
        prediction = predict_labels(
            call.estimator,
            call.X,
            true,
            rule,
            response_method=plan.methods,
            classes=plan.classes,
            declared=declared,
        )
        request = self._groups_request(call.by)
        of_samples = None
        if request is not None:
            of_samples = groups_of_scorer.groups_in_call(request, call.X, call.by, true)
        counts = count_prediction(
            prediction,
            labels=plan.labels,
            positive=rule.default_positive if rule.pos_label is None else rule.pos_label,
            sample_weight=call.sample_weight,
            needs_matrix=plan.takes_matrix,
            columns=declared.own if plan.classes is None else plan.classes,
            named=plan.classes,
            are_of_two=plan.is_of_two,
        )
        groups = None
        if of_samples is not None:
            groups = groups_of_scorer.count_by_groups(counts, of_samples, plan.min_samples)
        named = counts.order if plan.labels is None or counts.are_chosen else plan.labels
        return Predicted(counts, named, request, groups)

    def scorers(self) -> dict[str, ConfusionScorer]:
        """One single-metric scorer per key, each of which calls predict, for tools that do not
        accept multi-metric scorers.

        Returns
        -------
        dict of str to callable
            `scorer(estimator, X, y)` -> float, higher is better, by the keys of this scorer's dict.
            Where the dict would hold NaN, it raises an error.

        Raises
        ------
        ValueError
            With per_class=True or counts=True, if `classes` is not given.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.model_selection import cross_validate
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = load_iris(return_X_y=True)
        >>> scorers = ConfusionScorer(["mcc", "specificity_macro"]).scorers()
        >>> results = cross_validate(GaussianNB(), X, y, scoring=scorers)
        >>> print(results["test_mcc"].mean().round(3))
        0.933
        """
        plan = self._plan
        if self._key is not None or plan.single is not None:
            return {self.__name__: self}
        known = self._known()
        if known.labels is None and any(part.names_classes for part in plan.parts):
            raise ValueError(
                "per_class=True or counts=True names scores after the classes: pass classes=."
            )
        scorers = {}
        for key in keys_of(plan.parts, known):
            scorers[key] = copy.deepcopy(self)
            scorers[key]._narrow_to(key)
        return scorers

    def _known(self) -> KeysKnown:
        """What keys depend on, as far as it is known before any data."""
        plan = self._plan
        return KeysKnown(plan.classes if plan.labels is None else plan.labels, plan.groups)

    def _narrow_to(self, key: str) -> None:
        """Compute only the part that has this key."""
        parts = tuple(part for part in self._plan.parts if key in part.keys(self._known()))
        self.__name__ = self._key = key
        self._plan = self._plan._replace(parts=parts)

    def __repr__(self) -> str:
        (metrics,), options = self._made_of
        shown = as_call("ConfusionScorer", metrics, **options)
        return shown if self._key is None else f"{shown}.scorers()[{self._key!r}]"


def _native_call(choice: Choice, options: ScorerOptions) -> str:
    """The call that makes scikit-learn's own scorer of a metric, which reads labels."""
    row, average = choice.row, choice.average
    if row.is_custom:
        counted = f"{row.name}(ConfusionMatrix.from_predictions(y_true, y_pred))"
        return f"sklearn.metrics.make_scorer(lambda y_true, y_pred: {counted})"
    takes = {*options_of(row), "greater_is_better"} - {"average"}
    if average != "binary":
        takes.discard("pos_label")
    given = {name: value for name, value in options.given().items() if name in takes}
    if choice.positive is not None:
        given["pos_label"] = choice.positive
    name = scorer_name(row, average, negated=row.better == "lower")
    call = as_call("get_scorer", name, **given)
    # A table is of all classes, which labels do not show.
    has_table = "cost_matrix" in given or not isinstance(given.get("weights", ""), str)
    return f"{call[:-1]}, labels=[...])" if has_table and "labels" not in given else call


class RequestOfScorer(NamedTuple):
    """What a scorer computes, its options, its only key, if any, and whether it requests groups."""

    plan: Plan
    options: Mapping[str, Any]
    key: str | None
    wants_groups: bool


def request_of_scorer(scorer: ConfusionScorer) -> RequestOfScorer:
    """What other functions that are given a scorer need to know of it."""
    wants_groups = bool(scorer._aliases.get("by"))
    return RequestOfScorer(scorer._plan, scorer._made_of[1], scorer._key, wants_groups)
