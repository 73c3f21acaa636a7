"""ConstrainedThresholdClassifier: a classifier with the best threshold or weights within bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.adapter.responses import predict_probabilities, predict_scores
from skmetrics_ext.adapter.scale import in_precision_of
from skmetrics_ext.catalogue.choice import name_asked_for
from skmetrics_ext.catalogue.names import MetricName
from skmetrics_ext.curves.best import Bound, read_bound
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.promised_threshold import (
    KeptConstraint,
    MetricConstraint,
    choose_threshold,
    read_metric_constraints,
)
from skmetrics_ext.curves.values import choose_of_curve, row_of_one_class
from skmetrics_ext.estimators.chosen_weights import (
    Objective,
    choose_weights,
    codes_by_weights,
    read_objective,
)
from skmetrics_ext.estimators.held_out import Chosen, HeldOut, HeldOutClassifier
from skmetrics_ext.estimators.targets import check_input
from skmetrics_ext.reading.aliases import Label, RandomState, TargetLike
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.labels import Column
from skmetrics_ext.reading.order import plain, position_of, show
from skmetrics_ext.reading.pairs import Weights

SCORES = ("predict_proba", "decision_function")


class ConstrainedThresholdClassifier(HeldOutClassifier):
    """Classifier with its threshold tuned under constraints: the best precision with recall of at
    least 0.95.

    With more than two classes a weight for each is chosen instead, and `predict` returns the class
    with the largest product of probability and weight.

    Parameters
    ----------
    estimator : classifier with predict_proba or decision_function
        It is cloned, unless `cv="prefit"`. Wrap models whose `predict` returns probabilities in
        `ProbabilityClassifier` first.
    metric : str or function
        The metric to optimize, as in `ThresholdCurve.best`, without parameters. With more than two
        classes "f1_macro" or the like, or "recall_ill" for the class "ill".
    subject_to : dict of metric to bound
        As in `ThresholdCurve.best`: `{"recall": 0.95}`; with more than two classes as scorers name
        metrics: `{"recall_ill": 0.9, "precision_worst": 0.5}`.
    pos_label : int, float, bool or str, default=None
        The positive class of two. None: 1 of {0, 1}, {-1, 1} or {False, True}; required for other
        labels. In a VotingClassifier, which encodes labels, the second is 1.
    cv : int, float, splitter, iterable or "prefit", default=5
        A number of stratified folds, a splitter or an iterable of (train, test), whose held-out
        scores are pooled. A float: the fraction of the samples that is held out, once. "prefit":
        `estimator` is already fitted, and `fit` only chooses the threshold, on data that it has not
        seen.
    confidence_level : float, default=None
        The probability of returning a threshold that violates a bound on new data is at most 1 -
        this; for two classes only. None: bounds hold on the held-out samples only.
    refit : bool, default=True
        Whether the final model is refitted to all data. False needs a single split, whose model is
        kept. Ignored with "prefit".
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        "auto": predict_proba, else decision_function; more than two classes need predict_proba.
    random_state : int, RandomState or None, default=None
        Shuffles the samples where `cv` is a float.
    n_jobs : int, default=None
        Number of folds fitted in parallel. None: one, unless joblib is told otherwise; -1: one per
        processor.

    Attributes
    ----------
    estimator_ : object
        The fitted final model.
    best_threshold_ : float or None
        The midpoint between two scores of held-out samples; a score equal to it is predicted
        positive. inf where nobody should be positive. None with more than two classes.
    best_weights_ : dict of label to float, or None
        With more than two classes the weight of each, the largest 1. As thresholds of classes:
        `threshold={label: 1 / weight}`.
    best_value_ : float
        The value of the metric on these samples.
    constraints_ : list of KeptConstraint
        Each bound, which is what is promised, the value on these samples and, with
        `confidence_level`, the confidence limit by which the threshold qualifies.
    curve_ : ThresholdCurve or None
        The curve of these samples; None with more than two classes.
    classes_ : ndarray of shape (n_classes,)
        The classes of `estimator_`.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features seen in `fit`, where all are strings.

    Notes
    -----
    A promise is exact for `cv="prefit"` and `refit=False`, approximate with a refit, and for
    independent samples. It is made for rates of an actual class, of predicted positives and of
    detection, and for precision, negative_predictive_value, accuracy and f1.

    The choice acts in `predict` alone: an estimator around this one that reads `predict_proba`, as
    most ensembles do, ignores it. With metadata routing a `sample_weight` weights the counts unless
    `set_fit_request(sample_weight=False)` is set.

    References
    ----------
    Clopper & Pearson (1934), Biometrika 26:404; Wilks (1941), Annals of Mathematical Statistics
    12:91, for tolerance limits.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext import ConstrainedThresholdClassifier
    >>> X, y = make_classification(2000, weights=[0.8], class_sep=0.8, flip_y=0.05, random_state=0)
    >>> model = ConstrainedThresholdClassifier(
    ...     LogisticRegression(), "precision", subject_to={"recall": 0.8}, confidence_level=0.95,
    ...     cv=0.4, refit=False, random_state=0,
    ... ).fit(X, y)
    >>> [kept] = model.constraints_
    >>> print(f"recall {kept.value:.3f}, confidence limit {kept.limit:.3f}")
    recall 0.855, confidence limit 0.803
    >>> print(f"guaranteed on new data: {kept.required}")
    guaranteed on new data: 0.8
    """

    curve_: ThresholdCurve | None
    best_weights_: dict[Any, float] | None

    @explained
    def __init__(
        self,
        estimator: object,
        metric: str | Callable[..., Any],
        *,
        subject_to: Mapping[Any, Bound] | None,
        pos_label: Label | None = None,
        cv: object = 5,
        confidence_level: float | None = None,
        refit: bool = True,
        response_method: Literal["auto", "predict_proba", "decision_function"] = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.metric = metric
        self.subject_to = subject_to
        self.pos_label = pos_label
        self.cv = cv
        self.confidence_level = confidence_level
        self.refit = refit
        self.response_method = response_method
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, X: object, y: TargetLike, *, frequency_weights: bool = False, **fit_params: Any
    ) -> Self:
        """Choose the threshold or the weights on held-out samples, and fit the final model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.
        y : array-like of shape (n_samples,)
            Labels of two or more classes.
        frequency_weights : bool, default=False
            Whether weights are counts of identical samples, which narrow confidence intervals.
        **fit_params
            Passed to the estimator's `fit`; with metadata routing, only what it requests.
            `sample_weight` also weights the counts, `groups` go to the splitter. `by` is for
            results of each group, `clusters` for dependent samples, `groups` for splits.

        Returns
        -------
        ConstrainedThresholdClassifier
            The fitted classifier (self).

        Raises
        ------
        ValueError
            If an option is invalid, or no threshold or weights meet the bounds; with
            `confidence_level` also if there are too few samples, or no guarantee is available.
        NotFittedError
            If `cv="prefit"` and the estimator is not fitted.
        """
        target = self._target(X, y)
        if self.response_method not in ("auto", *SCORES):
            raise ValueError(
                f"response_method must be one of {['auto', *SCORES]}; got {self.response_method!r}."
            )
        self._check_calibration()
        if len(target.labels) == 2:
            positive, bounds = self._asked_of_threshold(target)
            scores_of = partial(_scores_of_positive, positive=positive, methods=self._methods())
            held_out = self._held_out(X, target, scores_of, frequency_weights, fit_params)
            rule = _chosen_threshold(self, held_out, target, positive, bounds)
        else:
            objective = self._asked_of_weights(target)
            probabilities_of = partial(predict_probabilities, classes=target.labels)
            held_out = self._held_out(X, target, probabilities_of, frequency_weights, fit_params)
            rule = _chosen_weights(self.metric, held_out, objective)
        self.curve_, self.best_threshold_ = rule.curve, rule.threshold
        self.best_weights_, self.best_value_ = rule.weights, rule.value
        self.constraints_, self._chosen = rule.kept, rule.chosen
        self.estimator_ = self._final_model(held_out, X, target, fit_params)
        return self

    def predict(self, X: object) -> NDArray[Any]:
        """The positive class where its score reaches the threshold, or the class with the largest
        weighted probability.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels, of the same type as those passed to `fit`.

        Raises
        ------
        NotFittedError
            Before `fit`.
        ValueError, TypeError
            If the estimator's scores are NaN or infinite.
        """
        check_input(self, X)
        if self.best_weights_ is not None:
            labels, shares = self._probabilities(X)
            weights = np.array(self._of_each_class(self.best_weights_, labels))
            return np.asarray(labels[codes_by_weights(shares, labels, weights)])
        assert self.curve_ is not None, "two classes have a curve"
        labels, positive = self.curve_.labels, self.curve_.pos_label
        # Of the actual labels only the classes are known.
        actual = Column(np.zeros(0, dtype=np.uint8), labels)
        scores = predict_scores(self.estimator_, X, actual, positive, self._methods()).scores
        is_positive = scores >= in_precision_of(scores, np.array([self.best_threshold_]))
        place = position_of(labels, positive) or 0
        return np.asarray(labels[np.where(is_positive, place, 1 - place)])

    def _asked_of_threshold(self, target: Column) -> tuple[Any, list[MetricConstraint]]:
        """The positive class and the bounds, which are checked before any model is fitted."""
        positive = positive_of(target.labels, self.pos_label).label
        bounds = read_metric_constraints(self.subject_to, self.confidence_level)
        choose_of_curve(self.metric, target.labels, {})
        return positive, bounds

    def _asked_of_weights(self, target: Column) -> Objective:
        """The metric and the bounds of several classes, checked before any model is fitted."""
        for option in ("confidence_level", "pos_label", "response_method"):
            if (given := getattr(self, option)) not in (None, "auto", "predict_proba"):
                raise ValueError(
                    f"{option}={given!r} is for two classes, but there are {len(target.labels)}, "
                    f"{show(target.labels)}, whose probabilities are weighted, without a "
                    "guarantee: omit it, or reduce "
                    f"the labels to two, such as y == {plain(target.labels)[0]!r}."
                )
        return read_objective(self.metric, self.subject_to, target)

    def _methods(self) -> tuple[str, ...]:
        """The methods that may return the scores, of which the first available is used."""
        return SCORES if self.response_method == "auto" else (self.response_method,)


def _scores_of_positive(
    estimator: Any, X: Any, true: Column, positive: Any, methods: tuple[str, ...]
) -> NDArray[Any]:
    """The scores of the positive class, by a function that other processes can load."""
    return predict_scores(estimator, X, true, positive, methods).scores


class _Rule(NamedTuple):
    """What was chosen: a threshold of a curve, or the weight of each class."""

    curve: ThresholdCurve | None
    threshold: float | None
    weights: dict[Any, float] | None
    value: float
    kept: list[KeptConstraint]
    chosen: Chosen


def _chosen_threshold(
    model: ConstrainedThresholdClassifier,
    held_out: HeldOut,
    target: Column,
    positive: Any,
    bounds: list[MetricConstraint],
) -> _Rule:
    """The threshold for two classes."""
    true = Column(held_out.codes, target.labels)
    weights = Weights(held_out.weights, held_out.are_frequencies)
    curve = ThresholdCurve._of_class(true, held_out.scores, target.labels, positive, weights)
    best, kept = choose_threshold(curve, model.metric, bounds, model.confidence_level)
    name = name_asked_for(model.metric, row_of_one_class(model.metric))
    unbounded = curve.best(model.metric).value if bounds else None
    texts = [read_bound(each.row.name, each.row.better, each.bound)[0] for each in bounds]
    text = (
        f"threshold {best.threshold:.6g} for {positive!r}, chosen on {held_out.size} held-out "
        "samples"
    )
    chosen = (text, name, best.value, unbounded, texts)
    return _Rule(curve, best.threshold, None, best.value, kept, chosen)


def _chosen_weights(metric: MetricName, held_out: HeldOut, objective: Objective) -> _Rule:
    """The weight of each of several classes."""
    of_classes, value, kept = choose_weights(objective, held_out)
    unbounded = None
    if objective.bounds:
        # The search without bounds has fewer starts, and may find a lower value.
        free = choose_weights(objective._replace(bounds=[]), held_out)[1]
        unbounded = (max if objective.choice.row.better == "higher" else min)(free, value)
    weights = dict(zip(plain(objective.classes.labels), of_classes.tolist(), strict=True))
    shown = ", ".join(f"{weight:.4g} for {label!r}" for label, weight in weights.items())
    text = f"weights {shown}, chosen on {held_out.size} held-out samples"
    name = name_asked_for(metric, objective.choice.row)
    chosen = (text, name, value, unbounded, [limits.text for *_, limits in objective.bounds])
    return _Rule(None, None, weights, value, kept, chosen)
