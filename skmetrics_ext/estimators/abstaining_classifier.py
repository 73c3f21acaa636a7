"""AbstainingClassifier: answers only where enough answers are right, also on new data."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skmetrics_ext.adapter.responses import predict_probabilities
from skmetrics_ext.adapter.scale import in_precision_of
from skmetrics_ext.catalogue.rows import BY_NAME
from skmetrics_ext.counting.ranking import Samples
from skmetrics_ext.curves.curve import ThresholdCurve
from skmetrics_ext.curves.inputs import CurveLabels
from skmetrics_ext.estimators.chosen_threshold import choose_threshold, read_metric_constraints
from skmetrics_ext.estimators.held_out import HeldOutClassifier
from skmetrics_ext.reading.aliases import Label, RandomState, TargetLike
from skmetrics_ext.reading.arguments import check_choice, check_in_range
from skmetrics_ext.reading.labels import read_order
from skmetrics_ext.reading.order import check_same_kind, plain, position_of, show

# The more answers the better.
COVERAGE = replace(BY_NAME["predicted_positive_rate"], better="higher")


class AbstainingClassifier(HeldOutClassifier):
    """Classifier that abstains where its largest probability is low, so that at least 98 % of its
    answers are right.

    The threshold of the largest probability is chosen on samples held out from the model: the one
    with the most answers among those at which the share of right ones is large enough, with
    `confidence_level` also on new data. Any number of classes.

    Parameters
    ----------
    estimator : classifier with predict_proba
        It is cloned, unless `cv="prefit"`.
    metric : str, default="accuracy"
        What the answers promise. "accuracy": the share of right ones among all answers. The
        precision of a class, such as "precision_ill" for the class "ill": the share of right ones
        among the answers "ill"; it abstains from these only, and answers all samples predicted as
        another class.
    at_least : float
        The promised share, between 0 and 1.
    abstain_label : int, float, bool or str
        What `predict` returns where it abstains; of the same kind as the labels (a string for
        strings), but none of them.
    confidence_level : float, default=0.95
        P(a threshold is returned and the true share at it is below `at_least`) is at most 1 - this,
        over random calibration samples, see Notes. None: the share is large enough on these samples
        only.
    cv : int, float, splitter, iterable or "prefit", default=5
        A number of stratified folds, a splitter or an iterable of (train, test): a clone is fitted
        per fold, and the held-out scores are pooled. A float between 0 and 1: this fraction of the
        samples is held out, once. "prefit": the estimator is already fitted, and the data given to
        `fit`, which it must not have seen, are only used to choose the threshold.
    refit : bool, default=True
        Whether the final model is refitted to all data once the threshold is chosen. False needs a
        single split, and keeps the model whose scores were used to choose the threshold. Ignored
        with "prefit".
    random_state : int, RandomState or None, default=None
        Shuffles the samples where `cv` is a float.
    n_jobs : int, default=None
        Number of folds that are fitted in parallel. None: one, unless joblib is told otherwise; -1:
        as many as there are processors.

    Attributes
    ----------
    estimator_ : object
        The fitted final model.
    best_threshold_ : float
        The smallest largest probability of an answer: the midpoint between two of the held-out
        samples.
    coverage_ : float
        The share of the held-out samples that are answered.
    constraints_ : list of KeptConstraint
        One, of the promised share: `asked`, `reached` on the held-out samples, and `bound`, the
        confidence limit by which the threshold qualifies.
    curve_ : ThresholdCurve
        The curve of right answers by their probability, for `plot_risk_coverage`: precision is the
        share of right answers, and predicted_positive_rate the share of samples answered. For the
        precision of a class these are the samples predicted as it.
    classes_ : ndarray of shape (n_classes,)
        The classes of `estimator_`, without `abstain_label`.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features seen in `fit`, where all are strings.

    See Also
    --------
    ConstrainedThresholdClassifier : Bounds on the metrics of classes, without abstention.
    plot_risk_coverage : The share of wrong answers against the share of samples answered.

    Notes
    -----
    Evaluate the answered samples beside the coverage, as in the example. An abstention is no class:
    metrics of all samples count it as an error and, averaged over classes, as a class of its own,
    which is never right (in the example f1_macro is .78, where that of the answers is .89). `score`
    is the accuracy with each abstention as an error.

    The promise is a bound on precision with "right" as the label, held by the method and under the
    assumptions of `ConstrainedThresholdClassifier`: independent samples of the same population,
    exact for `cv="prefit"` and `refit=False`, and an approximation with a refit.

    `fit_params` are passed to the estimator. A `sample_weight` among them also weights the counts,
    and `groups` are passed to the splitter.

    References
    ----------
    Geifman & El-Yaniv (2017), Selective classification for deep neural networks, NeurIPS, for the
    promise; Chow (1970), IEEE Transactions on Information Theory 16:41, for the rule.

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

    def __init__(
        self,
        estimator: object,
        metric: str = "accuracy",
        *,
        at_least: float,
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
        self.abstain_label = abstain_label
        self.confidence_level = confidence_level
        self.cv = cv
        self.refit = refit
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, X: object, y: TargetLike, *, frequency_weights: bool = False, **fit_params: Any
    ) -> Self:
        """Choose the threshold on held-out samples, and fit the final model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.
        y : array-like of shape (n_samples,)
            Labels of two or more classes.
        frequency_weights : bool, default=False
            Whether the weights are counts of identical samples; they must then be whole numbers,
            and larger ones narrow the confidence intervals.
        **fit_params
            Passed to the estimator's `fit`; with metadata routing, only what it requests.
            `sample_weight` also weights the counts, `groups` are passed to the splitter. `by` gives
            counts and results of each group; `clusters` identify dependent samples, for confidence
            intervals and tests; `groups` are scikit-learn's, for cross-validation splits.

        Returns
        -------
        AbstainingClassifier
            The fitted classifier (self).

        Raises
        ------
        ValueError
            If no threshold keeps the promise, there are too few samples for it, an option is
            invalid, or `abstain_label` is one of the labels or of another kind.
        NotFittedError
            If `cv="prefit"` and the estimator is not fitted.
        """
        target = self._target(X, y)
        self._check_calibration()
        check_in_range(self.at_least, "at_least", lambda x: 0 < x < 1, "a number between 0 and 1")
        asked = read_metric_constraints({"precision": self.at_least}, self.confidence_level)
        self._check_labels(target.labels)
        scores_of = partial(predict_probabilities, classes=target.labels)
        held_out = self._held_out(X, target, scores_of, frequency_weights, fit_params)
        answers, largest, promised = _answers(held_out.scores, target.labels, self.metric)
        if not np.any(promised if held_out.weights is None else held_out.weights[promised]):
            raise ValueError(
                f"no held-out sample is predicted as the class of {self.metric!r}: there is no "
                "threshold."
            )
        weights = None if held_out.weights is None else held_out.weights[promised]
        samples = Samples(largest[promised], (answers == held_out.codes)[promised], weights)
        self.curve_ = ThresholdCurve._of_samples(
            samples, CurveLabels(np.array([False, True]), True)
        )
        try:
            best, [kept] = choose_threshold(self.curve_, COVERAGE, asked, self.confidence_level)
        except ValueError as error:
            raise ValueError(
                f"no threshold promises {self.metric} >= {self.at_least:g} of answers: {error}"
            ) from error
        self.best_threshold_, self.constraints_ = (
            best.threshold,
            [kept._replace(metric=self.metric)],
        )
        self.coverage_ = np.average(
            ~promised | (largest >= best.threshold), weights=held_out.weights
        ).item()
        text = f"threshold {best.threshold:.6g}, chosen on {held_out.size} held-out samples"
        self._chosen = (
            text,
            "coverage",
            self.coverage_,
            None,
            [f"{self.metric} >= {self.at_least:g}"],
        )
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
            If the estimator's probabilities are NaN or infinite, or `abstain_label` was set to one
            of the labels.
        """
        labels, shares = self._probabilities(X)
        self._check_labels(labels)
        # As fitted, whatever set_params has changed.
        answers, largest, promised = _answers(shares, labels, self.constraints_[0].metric)
        is_unsure = promised & (
            largest < in_precision_of(largest, np.array([self.best_threshold_]))
        )
        return np.append(labels, [self.abstain_label])[np.where(is_unsure, len(labels), answers)]

    def _check_labels(self, labels: NDArray[Any]) -> None:
        """Reject a metric of none of the labels, and a label of abstentions that is not apart from
        them.
        """
        check_choice(
            self.metric, "metric", ("accuracy", *(f"precision_{name}" for name in plain(labels)))
        )
        check_same_kind(
            labels, read_order([self.abstain_label], "abstain_label"), "y", "abstain_label"
        )
        if position_of(labels, self.abstain_label) is not None:
            raise ValueError(
                f"abstain_label={self.abstain_label!r} is one of the labels {show(labels)}: pass "
                "another."
            )


def _answers(
    shares: NDArray[Any], labels: NDArray[Any], metric: str
) -> tuple[NDArray[np.intp], NDArray[Any], NDArray[np.bool_]]:
    """The code and the probability of the most probable class, and whether the
    promise is about it.
    """
    answers = shares.argmax(axis=1)
    promises = [metric in ("accuracy", f"precision_{name}") for name in plain(labels)]
    return answers, shares.max(axis=1), np.array(promises)[answers]
