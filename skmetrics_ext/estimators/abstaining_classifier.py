"""AbstainingClassifier: answers only where enough answers are right, also on new data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.responses import predict_probabilities
from skmetrics_ext.adapter.scale import in_precision_of
from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.counting.ranking import Samples
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.inputs import CurveLabels
from skmetrics_ext.curves.promised_threshold import (
    KeptConstraint,
    choose_threshold,
    read_metric_constraints,
)
from skmetrics_ext.estimators.held_out import HeldOut, HeldOutClassifier
from skmetrics_ext.reading.aliases import Label, RandomState, TargetLike
from skmetrics_ext.reading.arguments import check_choice, check_in_range
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import KIND_OF_DTYPE, plain, position_of, show

SHARES = (lambda share: 0 < share < 1, "a number between 0 and 1")


# The more answers the better.
COVERAGE = replace(BY_NAME["predicted_positive_rate"], better="higher")


class Answers(NamedTuple):
    """The code of the most probable class of each sample, and its probability."""

    codes: NDArray[np.intp]
    largest: NDArray[Any]

    def below(self, thresholds: list[float]) -> NDArray[np.bool_]:
        """Which of them are less probable than the threshold of their class."""
        least = in_precision_of(self.largest, np.array(thresholds))
        return np.asarray(self.largest < least[self.codes])


class Promise(NamedTuple):
    """The least share of right ones among the answers of some classes."""

    metric: str
    at_least: float
    classes: list[int]

    def __str__(self) -> str:
        return f"{self.metric} >= {self.at_least:.10g}"


class Outcome(NamedTuple):
    """The threshold that keeps a promise, or infinity and why none does."""

    threshold: float
    kept: KeptConstraint | None
    why_not: str = ""


class AbstainingClassifier(HeldOutClassifier):
    """Classifier that abstains where its largest probability is low, so that at least 98 % of its
    answers are right.

    Its threshold is the one with the most answers at which the share of right ones, on samples held
    out from the model, is large enough.

    Parameters
    ----------
    estimator : classifier with predict_proba
        It is cloned, unless `cv="prefit"`.
    metric : str, default="accuracy"
        What the answers promise. "accuracy": the share of right ones among all answers.
        "precision_ill": the share of right ones among the answers "ill"; other answers are always
        given.
    at_least : float, default=None
        The promised share, between 0 and 1. None: `subject_to` has the promises.
    subject_to : dict of str to float, default=None
        Instead of `metric` and `at_least`, promised precisions of classes: `{"precision_ill": 0.9,
        "precision_well": 0.98}`. A class whose promise no threshold keeps is never answered; one
        without a promise always is.
    abstain_label : int, float, bool or str
        What `predict` returns where it abstains; of the kind of the labels (a string for strings),
        but none of them.
    confidence_level : float, default=0.95
        The probability of returning a threshold that breaks a promise on new data is at most 1 -
        this. None: the share is large enough on the held-out samples only.
    cv : int, float, splitter, iterable or "prefit", default=5
        A number of stratified folds, a splitter or an iterable of (train, test), whose held-out
        scores are pooled. A float: the fraction of the samples that is held out, once. "prefit":
        `estimator` is already fitted, and `fit` only chooses the threshold, on data that it has not
        seen.
    refit : bool, default=True
        Whether the final model is refitted to all data. False needs a single split, whose model is
        kept. Ignored with "prefit".
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
        The least probability of an answer that the promise is about. None with `subject_to`.
    thresholds_ : dict of label to float
        The least probability of an answer of each class: 0 without a promise, inf if it is never
        answered.
    never_answered_ : dict of label to str
        Why no threshold keeps the promise of a class.
    coverage_ : float
        The share of the held-out samples that are answered.
    constraints_ : list of KeptConstraint
        One of each kept promise: `required`, its `value` on the held-out samples, and the
        confidence `limit` by which the threshold qualifies.
    curve_ : ThresholdCurve or None
        The curve of right answers by their probability, for `plot_risk_coverage`: precision is the
        share of right answers, and predicted_positive_rate that of samples answered. None with
        `subject_to`.
    curves_ : dict of label to ThresholdCurve
        With `subject_to` that curve of each class with a promise, of the samples predicted as it.
    classes_ : ndarray of shape (n_classes,)
        The classes of `estimator_`, without `abstain_label`.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features seen in `fit`, where all are strings.

    Notes
    -----
    Evaluate answers beside the coverage: metrics of all samples, and `score`, count an abstention
    as an error. A promise is kept as by `ConstrainedThresholdClassifier`.

    References
    ----------
    Geifman & El-Yaniv (2017), Selective classification for deep neural networks, NeurIPS; Chow
    (1970), IEEE Transactions on Information Theory 16:41.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skmetrics_ext import AbstainingClassifier, f1_score
    >>> X, X_test, y, y_test = train_test_split(*load_digits(return_X_y=True), random_state=0)
    >>> model = AbstainingClassifier(
    ...     GaussianNB(), at_least=0.85, abstain_label=-1, cv=0.4, refit=False, random_state=0
    ... ).fit(X, y)
    >>> predicted = model.predict(X_test)
    >>> answered = predicted != -1
    >>> of_answers = f1_score(y_test[answered], predicted[answered], average="macro")
    >>> print(f"f1_macro {of_answers:.3f} at a coverage of {answered.mean():.3f}")
    f1_macro 0.889 at a coverage of 0.927
    """

    best_threshold_: float | None
    thresholds_: dict[Any, float]
    never_answered_: dict[Any, str]
    curve_: ThresholdCurve | None
    curves_: dict[Any, ThresholdCurve]
    coverage_: float

    @explained
    def __init__(
        self,
        estimator: object,
        metric: str = "accuracy",
        *,
        at_least: float | None = None,
        subject_to: Mapping[str, float] | None = None,
        abstain_label: Label,
        confidence_level: float | None = 0.95,
        cv: object = 5,
        refit: bool = True,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.metric = metric
        self.at_least = at_least
        self.subject_to = subject_to
        self.abstain_label = abstain_label
        self.confidence_level = confidence_level
        self.cv = cv
        self.refit = refit
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, X: object, y: TargetLike, *, frequency_weights: bool = False, **fit_params: Any
    ) -> Self:
        """Choose the thresholds on held-out samples, and fit the final model.

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
        AbstainingClassifier
            The fitted classifier (self).

        Raises
        ------
        ValueError, TypeError
            If no threshold keeps the promise, or any of several, or an option is invalid.
        NotFittedError
            If `cv="prefit"` and the estimator is not fitted.
        """
        target = self._target(X, y)
        labels = plain(target.labels)
        self._check_calibration()
        promises = self._promises(labels)
        self._check_abstain_label(target.labels)
        scores_of = partial(predict_probabilities, classes=target.labels)
        held_out = self._held_out(X, target, scores_of, frequency_weights, fit_params)
        answers = answers_of(held_out.scores)
        curves = [curve_of(promise, answers, held_out) for promise in promises]
        outcomes = [
            outcome_of(promise, curve, self.confidence_level, len(promises))
            for promise, curve in zip(promises, curves, strict=True)
        ]
        if all(outcome.kept is None for outcome in outcomes):
            why_not = outcomes[0].why_not
            raise ValueError(
                why_not
                if len(promises) == 1
                else f"none of the {len(promises)} promises can be kept. The first: {why_not}"
            )
        thresholds = np.zeros(len(labels))
        for promise, outcome in zip(promises, outcomes, strict=True):
            thresholds[promise.classes] = outcome.threshold
        is_answered = ~answers.below(thresholds.tolist())
        self.thresholds_ = dict(zip(labels, thresholds.tolist(), strict=True))
        self.coverage_ = np.average(is_answered, weights=held_out.weights).item()
        self.constraints_ = [outcome.kept for outcome in outcomes if outcome.kept is not None]
        if self.subject_to is None:
            self.best_threshold_, self.curve_ = outcomes[0].threshold, curves[0]
            self.curves_, self.never_answered_ = {}, {}
            title = f"threshold {self.best_threshold_:.6g}"
        else:
            self.best_threshold_ = self.curve_ = None
            promised = [labels[promise.classes[0]] for promise in promises]
            self.curves_ = {
                label: curve
                for label, curve in zip(promised, curves, strict=True)
                if curve is not None
            }
            self.never_answered_ = {
                label: outcome.why_not
                for label, outcome in zip(promised, outcomes, strict=True)
                if outcome.kept is None
            }
            title = "thresholds_ by class"
        title += f", chosen on {held_out.size} held-out samples"
        if self.never_answered_:
            title += f"; never answered: {', '.join(map(repr, self.never_answered_))}"
        bounds = [
            str(promise)
            for promise, outcome in zip(promises, outcomes, strict=True)
            if outcome.kept is not None
        ]
        self._chosen = (title, "coverage", self.coverage_, None, bounds)
        self.estimator_ = self._final_model(held_out, X, target, fit_params)
        return self

    def predict(self, X: object) -> NDArray[Any]:
        """The most probable class, or `abstain_label` where its probability is below the threshold.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels as passed to `fit`, and `abstain_label`.

        Raises
        ------
        NotFittedError
            Before `fit`.
        ValueError, TypeError
            If the estimator's probabilities or `abstain_label` are invalid.
        """
        labels, shares = self._probabilities(X)
        self._check_abstain_label(labels)
        answers = answers_of(shares)
        thresholds = self._of_each_class(self.thresholds_, labels)
        codes = np.where(answers.below(thresholds), len(labels), answers.codes)
        return np.append(labels, [self.abstain_label])[codes]

    def _promises(self, labels: list[Any]) -> list[Promise]:
        """The promise of `at_least`, or those of `subject_to`, with the codes of their classes."""
        of_a_class = {f"precision_{label}": [code] for code, label in enumerate(labels)}
        if self.subject_to is None:
            check_choice(self.metric, "metric", ("accuracy", *of_a_class))
            if self.at_least is None:
                raise ValueError(
                    "nothing is promised: pass at_least=, the share of right answers, or "
                    "subject_to=, that of each class."
                )
            check_in_range(self.at_least, "at_least", *SHARES)
            classes = of_a_class.get(self.metric, list(range(len(labels))))
            return [Promise(self.metric, self.at_least, classes)]
        if self.at_least is not None or self.metric != "accuracy":
            raise ValueError(
                "subject_to has the promises of classes, and metric and at_least are a single one: "
                "pass one of these."
            )
        if not isinstance(self.subject_to, Mapping):
            raise TypeError(
                "subject_to must be a dict of promises like {'precision_ill': 0.9}; got "
                f"{type(self.subject_to).__name__}."
            )
        if not self.subject_to:
            raise ValueError("subject_to is empty: pass a promise such as {'precision_ill': 0.9}.")
        for metric, at_least in self.subject_to.items():
            check_choice(metric, "a promise of subject_to", tuple(of_a_class))
            check_in_range(at_least, f"subject_to[{metric!r}]", *SHARES)
        return [
            Promise(metric, at_least, of_a_class[metric])
            for metric, at_least in self.subject_to.items()
        ]

    def _check_abstain_label(self, labels: NDArray[Any]) -> None:
        """Reject a label of abstentions that is not apart from those of samples."""
        if isinstance(self.abstain_label, (list, tuple, np.ndarray)):
            raise ValueError(f"abstain_label must be one label; got {self.abstain_label!r}.")
        own = read_order([self.abstain_label], "abstain_label")
        kind, own_kind = (KIND_OF_DTYPE[of.dtype.kind] for of in (labels, own))
        if kind != own_kind:
            raise ValueError(
                f"abstain_label must be of the kind of y, which holds {kind} {show(labels, 3)}; "
                f"got {self.abstain_label!r}."
            )
        if position_of(labels, self.abstain_label) is not None:
            raise ValueError(
                f"abstain_label={self.abstain_label!r} is one of the labels {show(labels)}: pass "
                "another."
            )
        if plain(np.append(labels, [self.abstain_label])[:-1]) != plain(labels):
            raise ValueError(
                f"abstain_label={self.abstain_label!r} and the labels {show(labels)} have no type "
                "in common that holds them all exactly: pass another."
            )


def answers_of(shares: NDArray[Any]) -> Answers:
    """The answers of a model that never abstains."""
    return Answers(shares.argmax(axis=1), shares.max(axis=1))


def curve_of(promise: Promise, answers: Answers, held_out: HeldOut) -> ThresholdCurve | None:
    """The curve of right answers by their probability; None if there are none."""
    is_about = np.isin(answers.codes, promise.classes)
    weights = None if held_out.weights is None else held_out.weights[is_about]
    if not np.any(is_about if weights is None else weights):
        return None
    is_right = (answers.codes == held_out.codes)[is_about]
    samples = Samples(answers.largest[is_about], is_right, weights)
    return ThresholdCurve._of_samples(samples, CurveLabels(np.array([False, True]), True))


def outcome_of(
    promise: Promise, curve: ThresholdCurve | None, confidence_level: float | None, n_promises: int
) -> Outcome:
    """The outcome of one of some promises: the threshold with the most answers that keeps it."""
    if curve is None:
        return Outcome(
            np.inf,
            None,
            f"no held-out sample is predicted as the class of {promise.metric!r}: there is no "
            "threshold.",
        )
    level, part = confidence_level, ""
    if level is not None and n_promises > 1:
        # Each has its part of the error.
        level = 1 - (1 - level) / n_promises
        part = f", at {level:.6g} so that {n_promises} promises hold at {confidence_level:g}"
    asked = read_metric_constraints({"precision": promise.at_least}, level)
    try:
        best, [kept] = choose_threshold(curve, COVERAGE, asked, level)
    except ValueError as error:
        return Outcome(np.inf, None, f"no threshold promises {promise} of answers{part}: {error}")
    return Outcome(best.threshold, kept._replace(metric=promise.metric))
