"""ConfusionScorer: predict once, count once, and every metric, class and count as a score."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skmetrics_ext.adapter.estimator import check_response_method, known_labels, read_classes
from skmetrics_ext.adapter.positive import check_positive, second_of
from skmetrics_ext.adapter.responses import predict_labels
from skmetrics_ext.adapter.rule import make_rule
from skmetrics_ext.catalogue.averages import check_worst
from skmetrics_ext.catalogue.names import scorer_name
from skmetrics_ext.catalogue.score import score
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.counting.counted import Counted, at_labels
from skmetrics_ext.metrics.of_labels import options_of
from skmetrics_ext.reading.aliases import (
    CostsLike,
    GroupsLike,
    Label,
    LabelsLike,
    TargetLike,
    ThresholdsLike,
    Ties,
)
from skmetrics_ext.reading.arguments import check_choice, check_flag, check_whole
from skmetrics_ext.reading.labels import Column, read_labels, read_order
from skmetrics_ext.reading.messages import warn_once
from skmetrics_ext.reading.order import plain, show, with_all
from skmetrics_ext.reports.evaluation_index import count_names, count_values
from skmetrics_ext.scoring import entries, groups_of_scorer
from skmetrics_ext.scoring.base import BaseScorer, as_call, check_rule, given_options, own_options
from skmetrics_ext.scoring.entries import Entry, MetricName, Outcome
from skmetrics_ext.scoring.groups_of_scorer import (
    CountsOfGroups,
    GroupsOption,
    GroupsRequest,
    OverGroups,
)
from skmetrics_ext.scoring.key_scorer import KeyScorer
from skmetrics_ext.scoring.predicted import count_prediction


class ConfusionScorer(BaseScorer):
    """Scorer for one or more metrics of an estimator's predictions: one call to predict and one
    count give every value.

    It reads the estimator's `classes_`, so the columns of `predict_proba` are matched to their
    labels in every fold, even where a fold lacks a class; it also scores estimators whose `predict`
    returns probabilities.

    Parameters
    ----------
    metrics : str or function, list of them, or dict of key to metric
        Names of `get_scorer_names`, aliases, metric functions of this package, or custom ones as in
        `ConfusionMatrix.score`. One metric makes a scorer that returns a float; a list or a dict
        makes one that returns a dict, keyed by the given names or keys. Where lower is better a
        name starts with "neg_", and the value is negated; for a custom function, if it has an
        attribute `greater_is_better = False`.
    average : {"auto", "binary", "macro", "micro", "weighted", "samples", "worst"}, default="auto"
        For one-vs-rest metrics named without an averaging suffix. "auto": "binary" for two classes
        and "macro" for more; "worst": the value of the class that scores worst. The classes
        averaged are those that occur in the actual or predicted labels, as in the metric functions.
    per_class : bool, default=False
        Add `<metric>_<label>` for each class and each listed metric that has per-class values:
        "recall_ash", also for "recall_macro". The classes are those of the estimator and of
        `y_true`, which are the same in every fold of a cross-validation; where a split may lack a
        class in both labels and predictions, list all with `classes`.
    counts : bool, default=False
        Add the counts "true_positive_<label>", "false_positive_<label>",
        "true_negative_<label>", "false_negative_<label>", and "cf_<label>_<label>" for each
        actual and each predicted class.
    response_method : str or sequence of str, default="auto"
        "auto": predict; with a threshold or costs the first method that gives scores.
    threshold, ties, classes, cost_matrix
        How scores are converted to labels; see `labels_from_scores`. `classes` are by default the
        estimator's `classes_`; list any that its training data may lack as well. 1-D scores from a
        model belong to its second class, whichever class is positive; a model without `classes_`
        needs `classes` if the first class is to be positive. With the metric `expected_cost`,
        `cost_matrix` holds the costs that this metric averages.
    pos_label : int, float, bool or str, default=None
        The positive class for binary metrics and for a single threshold. None: the second of
        `classes`, if given, else 1 of {0, 1}, {-1, 1} or {False, True}. Where it is needed but
        unknown, a single-metric scorer raises an error; in a dict the affected scores are NaN.
    labels : array-like, default=None
        Classes to average. None: all. For multilabel data, the columns to average, or, for arrays,
        a name for each: keys are then "f1_sport", as with a data frame's columns.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where a metric is 0/0.
    by : str, int or dict of either to groups, default=None
        The column of X that holds each sample's group, by name, or by position in an array; or a
        dict of it to all its groups, `{"sex": ["F", "M"]}`. Groups may be passed in each call
        instead, see Notes. A single metric is scored on its worst group, see `over_groups`; with
        several the dict adds "recall_sex_worst" and "recall_sex_gap", and "recall_sex:F" for each
        group listed. A group for which the metric is undefined is omitted from both; a class for
        which it is undefined counts in its group's average as in any other average. `by` gives
        counts and results of each group; `clusters` identify dependent samples, for confidence
        intervals and tests; `groups` are scikit-learn's, for cross-validation splits.
    over_groups : {"worst", "gap"}, default=None
        For one metric with groups: the value of the worst group (the default), or the gap between
        the best and the worst. Gaps are always negated, so that higher is better. If given, a call
        without groups is an error.
    min_samples : int, default=0
        Minimum number of samples in the metric's denominator (see `Gap`) for a group to count as
        the worst or enter a gap. If given, a call without groups is an error.
    greater_is_better : bool, default=None
        For one metric: False negates the value. None: as defined in the metric catalogue.
    name : str, default=None
        The scorer's `__name__`, which learning curves and reports show. None: the name of the
        metric with its average, such as "recall_macro"; for several metrics, their keys joined by
        ", ".
    **parameters
        Parameters of the metrics, such as `beta`, passed to every metric that accepts them.

    Raises
    ------
    ValueError, TypeError
        At construction, if a name, an option or a parameter is invalid, or two scores have the same
        key; on the first call, if a class produces a key already in use.

    Warns
    -----
    UserWarning
        If `y_true` contains labels unseen in training: they count as errors of the class predicted;
        if a threshold between 0 and 1 is applied to decision_function scores that were not
        explicitly requested. In dict form, if a metric can't be computed: its score is NaN.

    Notes
    -----
    Sample weights and groups: `set_score_request(sample_weight=True, by=True)` with metadata
    routing, as in `cross_validate(..., params={"by": groups})`, or `sample_weight=` and `by=` in
    the call. A column of X is also a feature of the model unless a pipeline drops it, and
    permutation_importance would shuffle it: use metadata routing in these cases.
    HalvingGridSearchCV, HalvingRandomSearchCV, learning_curve, validation_curve and cross_val_score
    accept only a single score, so pass one metric. TunedThresholdClassifierCV, which tunes the
    threshold itself, needs one of scikit-learn's own scorers: `get_scorer(name)`.

    With one metric errors are raised, and a search replaces them by its `error_score`; scikit-learn
    cannot do so for a dict, so failed scores are NaN whatever `error_score` is.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skmetrics_ext import ConfusionScorer
    >>> X, y = load_iris(return_X_y=True)
    >>> scorer = ConfusionScorer(["mcc", "specificity_macro", "recall"], per_class=True)
    >>> results = cross_validate(GaussianNB(), X, y, scoring=scorer)
    >>> print(results["test_mcc"].mean().round(3), results["test_recall_2"].mean().round(3))
    0.933 0.92
    >>> class Model:
    ...     def predict(self, X):
    ...         return [0.4, 0.7, 0.3]
    >>> round(ConfusionScorer("accuracy")(Model(), None, [0, 1, 1]), 4)
    0.6667
    """

    takes_groups = True

    def __init__(
        self,
        metrics: MetricName | Sequence[MetricName] | Mapping[str, MetricName],
        *,
        average: str = "auto",
        per_class: bool = False,
        counts: bool = False,
        response_method: str | Sequence[str] = "auto",
        threshold: ThresholdsLike | None = None,
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
        given = given_options(ConfusionScorer.__init__, locals())
        self._is_single = isinstance(metrics, str) or callable(metrics)
        resolved = entries.resolved_metrics(metrics)
        if cost_matrix is not None and any(
            "cost_matrix" in row.parameters for _, row, _ in resolved.values()
        ):
            # These are the costs that the metric averages; labels come from the model.
            parameters, cost_matrix = {**parameters, "cost_matrix": cost_matrix}, None
        self._names = {key: name for key, (name, _, _) in resolved.items()}
        self._labels = None if labels is None else read_order(labels)
        entries.check_average_of(average, list(resolved.values()), self._is_single)
        if greater_is_better is not None:
            check_flag(greater_is_better, "greater_is_better")
        known = ConfusionScorer.__init__.__kwdefaults__ or ()
        asked: dict[str, Any] = {
            "average": average,
            "labels": self._labels,
            "zero_division": zero_division,
        }
        self._entries = entries.entries_of(
            resolved, copy.deepcopy(parameters), greater_is_better, known, **asked
        )
        self._per_class, self._counts = per_class, counts
        self._groups, self._over_groups = (
            groups_of_scorer.read_groups_request(by),
            over_groups or "worst",
        )
        self._min_samples = min_samples
        self._methods = check_response_method(response_method)
        self._classes = None if classes is None else read_order(classes, "classes")
        rule = make_rule(
            threshold=threshold, ties=ties, pos_label=pos_label, cost_matrix=cost_matrix
        )
        self._rule = rule._replace(
            carried=second_of(self._classes), labels=self._labels, ranking=self._classes
        )
        self._keys_by_name = isinstance(metrics, Mapping)
        self._options = own_options(given)
        super().__init__(self._name(name), (entries.own_copy(metrics),), self._options)
        if self._is_single:
            self._instead = self._as_get_scorer()
        self._check()

    def _name(self, given: Any) -> str:
        """The given name, or that of the single metric, or those of all metrics."""
        if given is not None:
            if not isinstance(given, str) or not given:
                raise TypeError(f"name must be a non-empty string; got {given!r}.")
            return given
        if self._is_single:
            choice = self._entries[0].choice
            of_all = scorer_name(choice.row, choice.average, negated=choice.sign < 0)
            return (
                of_all
                if self._groups is None
                else f"{of_all}_{self._groups.title}_{self._over_groups}"
            )
        return ", ".join(entry.key for entry in self._entries) or "counts"

    def _as_get_scorer(self) -> str:
        """The call that makes a native scikit-learn scorer of the single metric, which reads
        predicted labels.
        """
        row, average = self._entries[0].choice[:2]
        if row.is_own:
            counted = f"{row.name}(ConfusionMatrix.from_labels(y_true, y_pred))"
            return f"sklearn.metrics.make_scorer(lambda y_true, y_pred: {counted})"
        is_of_one = row.has_average and average in ("auto", "binary")
        left_out = {"average"} if is_of_one else {"average", "pos_label"}
        takes = {*options_of(row), "greater_is_better"} - left_out
        options = {option: value for option, value in self._options.items() if option in takes}
        return as_call(
            "get_scorer", scorer_name(row, average, negated=row.better == "lower"), **options
        )

    def _check(self) -> None:
        """Reject incompatible options, since a search would turn the error into NaN."""
        check_flag(self._per_class, "per_class")
        check_flag(self._counts, "counts")
        check_choice(self._over_groups, "over_groups", ("worst", "gap"))
        check_whole(self._min_samples, "min_samples")
        if not self._is_single and "over_groups" in self._options:
            raise ValueError(
                "over_groups= is for a single metric; of several, the worst group and the gap "
                "have keys."
            )
        if self._is_single and self._groups is not None and self._over_groups == "worst":
            check_worst(self._entries[0].choice.row.name, self._entries[0].choice.row.better)
        names = ", ".join(self._names.values())
        if self._is_single and (self._per_class or self._counts):
            raise ValueError(
                f"per_class= and counts= make a dict of scores: pass a list, [{names!r}]."
            )
        if not self._is_single and "greater_is_better" in self._options:
            raise ValueError(
                "greater_is_better= is for a single metric; in a list, use the prefix 'neg_' "
                "instead."
            )
        if not self._entries and not self._counts:
            raise ValueError("metrics is empty: specify at least one, or pass counts=True.")
        divides = any(entry.choice.average == "binary" for entry in self._entries)
        check_rule(self._rule, self._methods, self._classes, divides=divides)
        self._keys(self._classes, self._groups)

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
            gives counts and results of each group; `clusters` identify dependent samples, for
            confidence intervals and tests; `groups` are scikit-learn's, for cross-validation
            splits.

        Returns
        -------
        float, or dict of str to float
        """
        with warn_once(self._said):
            try:
                counts, groups = self._counted(estimator, X, y_true, sample_weight, by)
            except Exception as error:
                if self._is_single:
                    raise
                labels = known_labels(read_classes(estimator), y_true, self._classes, self._labels)
                if labels is None and (self._per_class or self._counts):
                    raise
                keys = self._keys(labels, self._groups_of_call(by))
                return entries.with_nan(keys, dict.fromkeys(keys, error))
            if not self._is_single:
                keys = self._keys(self._labels_of(counts), self._groups_of_call(by))
                return entries.with_nan(keys, self._outcomes_of(counts, groups))
            choice = self._entries[0].choice
            if groups is None:
                return score(counts, choice)
            return groups_of_scorer.over_groups_of(
                groups_of_scorer.values_of_groups(groups, choice), self._over_groups
            )

    def scorers(self) -> dict[str, ConfusionScorer | KeyScorer]:
        """One single-metric scorer per key, for tools that do not accept multi-metric scorers.

        Examples are dask-ml and optuna's OptunaSearchCV. Each scorer calls predict separately:
        where a tool accepts a scorer that returns a dict, as scikit-learn does, pass this object,
        which predicts once.

        Returns
        -------
        dict of str to callable
            `scorer(estimator, X, y)` -> float, higher is better, by the keys of this scorer's dict;
            each has its key as `__name__`. Where the dict would hold NaN, these raise an error,
            which a search turns into its `error_score`.

        Raises
        ------
        ValueError
            With per_class=True or counts=True, if `classes`, needed to name the scores, is not
            given.

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
        if self._is_single:
            return {self.__name__: self}
        labels = self._classes if self._labels is None else self._labels
        if (self._per_class or self._counts) and labels is None:
            raise ValueError(
                "per_class=True or counts=True names scores after the classes: pass classes=."
            )
        return {key: self._scorer_of(key) for key in self._keys(labels, self._groups)}

    def _scorer_of(self, key: str) -> KeyScorer:
        """The scorer of one key. Pickles from 0.1.0 call it."""
        one = KeyScorer(self, key)
        one._request_metadata(self._aliases)
        return one

    def _labels_of(self, counts: Counted) -> NDArray[Any]:
        """The classes that the keys refer to."""
        return counts.order if self._labels is None or counts.are_chosen else self._labels

    def _outcomes(self, *call: Any) -> dict[str, Outcome]:
        """Each score by its key, or the error instead, for a KeyScorer."""
        with warn_once(self._said):
            return self._outcomes_of(*self._counted(*call))

    def _groups_of_call(self, by: Any) -> GroupsRequest | None:
        """The groups requested in the scorer, or those passed in the call."""
        if self._groups is not None:
            return self._groups
        if by is None and (
            self._aliases.get("by") or {"over_groups", "min_samples"} & self._options.keys()
        ):
            raise ValueError(
                "groups are required, but none were passed in this call: pass by=, or "
                "params={'by': groups} and "
                "fit(X, y, by=groups) with metadata routing."
            )
        return None if by is None else GroupsRequest(None, None)

    def _counted(
        self, estimator: Any, X: Any, y_true: Any, sample_weight: ArrayLike | None, by: Any
    ) -> tuple[Counted, CountsOfGroups | None]:
        """Predict once and count once, and once more for groups."""
        true = read_labels(y_true, "y_true")
        declared = read_classes(estimator)
        known = declared.known if self._classes is None else self._classes
        if isinstance(true, Column) and self._rule.pos_label is not None:
            check_positive(
                self._rule.pos_label, true.labels if known is None else with_all(known, true.labels)
            )
        prediction = predict_labels(
            estimator,
            X,
            true,
            self._rule,
            response_method=self._methods,
            classes=self._classes,
            declared=declared,
        )
        asked = self._groups_of_call(by)
        groups = None if asked is None else groups_of_scorer.groups_in_call(asked, X, by, true)
        counts = count_prediction(
            prediction,
            labels=self._labels,
            positive=self._rule.carried if self._rule.pos_label is None else self._rule.pos_label,
            sample_weight=sample_weight,
            needs_matrix=self._counts or any(entry.choice.takes_matrix for entry in self._entries),
            columns=declared.own if self._classes is None else self._classes,
            named=self._classes,
        )
        return counts, None if groups is None else groups_of_scorer.count_by_groups(
            counts, groups, self._min_samples
        )

    def _outcomes_of(self, counts: Counted, groups: CountsOfGroups | None) -> dict[str, Outcome]:
        """Each score by its key, or the error instead."""
        outcomes: dict[str, Outcome] = {}
        labels = self._labels_of(counts)
        asked_of_counts = [([entry.key], entry.choice) for entry in self._entries]
        for base, entry in self._per_class_entries().items():
            of_classes = entry.choice._replace(average=None, labels=labels)
            asked_of_counts.append(([f"{base}_{name}" for name in plain(labels)], of_classes))
        for keys, choice in asked_of_counts:
            outcomes |= _tried(keys, partial(score, counts, choice))
        if groups is not None:
            asked = self._groups or GroupsRequest(None, None)
            for entry in self._entries:
                keys = groups_of_scorer.keys_of_groups(entry, asked)
                outcomes |= _tried(
                    keys, partial(groups_of_scorer.scores_of_groups, entry, asked, groups)
                )
        if self._counts:
            outcomes |= _tried(count_names(labels), partial(_count_values, counts, labels))
        return outcomes

    def _per_class_entries(self) -> dict[str, Entry]:
        """The metrics that have per-class values, by the start of their key: one of "recall" and
        "recall_macro".
        """
        return {
            entry.base: entry
            for entry in self._entries
            if self._per_class and entry.choice.row.has_average
        }

    def _keys(self, labels: NDArray[Any] | None, groups: GroupsRequest | None) -> list[str]:
        """All keys in their order, as far as they are known without the labels."""
        keys = [entry.key for entry in self._entries]
        if labels is not None:
            keys += [
                f"{base}_{name}" for base in self._per_class_entries() for name in plain(labels)
            ]
            keys += count_names(labels) if self._counts else []
        if groups is not None:
            keys += [
                key
                for entry in self._entries
                for key in groups_of_scorer.keys_of_groups(entry, groups)
            ]
        if len(set(keys)) < len(keys):
            twice = next(key for key in keys if keys.count(key) > 1)
            cause = "" if labels is None else f" with the classes {show(labels)}"
            raise ValueError(
                f"two scores have the key {twice!r}{cause}: rename one with a dict of key to "
                "metric."
            )
        return keys

    def __repr__(self) -> str:
        names = list(self._names.values())
        metrics = self._names if self._keys_by_name else names[0] if self._is_single else names
        return as_call("ConfusionScorer", metrics, **self._options)


def _tried(keys: list[str], compute: Callable[[], Any]) -> dict[str, Outcome]:
    """The values by their keys, or the error for each."""
    try:
        return dict(zip(keys, np.ravel(compute()).tolist(), strict=True))
    except Exception as error:
        return dict.fromkeys(keys, error)


def _count_values(counts: Counted, labels: NDArray[Any]) -> NDArray[Any]:
    """The counts of the labels in the order of their names."""
    if counts.multilabel:
        raise ValueError(
            "multilabel data have no single confusion matrix over all labels: omit counts=True."
        )
    matrix = at_labels(counts.matrix, counts.order, labels)
    return count_values(at_labels(counts.classes, counts.order, labels), matrix)
