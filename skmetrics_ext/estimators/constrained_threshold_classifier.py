"""ConstrainedThresholdClassifier: a classifier and bounds -> the best threshold that meets them, also on new data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, Self

import numpy as np
import sklearn
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import validate_data

from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.adapter.responses import predict_scores
from skmetrics_ext.adapter.rule import in_precision_of
from skmetrics_ext.curves.best import Bound, choose_of_curve
from skmetrics_ext.curves.from_scores import curve_of_class
from skmetrics_ext.estimators.chosen_threshold import MetricConstraint, choose_threshold, read_metric_constraints
from skmetrics_ext.estimators.held_out import HeldOut, held_out_scores, read_splitter
from skmetrics_ext.estimators.targets import check_input, read_target
from skmetrics_ext.reading.aliases import Label, RandomState, TargetLike
from skmetrics_ext.reading.arguments import check_flag, check_in_range
from skmetrics_ext.reading.labels import Column
from skmetrics_ext.reading.numbers import read_weights
from skmetrics_ext.reading.order import position_of, show
from skmetrics_ext.reading.pairs import Weights, are_no_counts, check_frequencies
from skmetrics_ext.scoring.folds_of_curves import SamplesScorer

SCORES = ("predict_proba", "decision_function")


def _estimator_has(name: str) -> Callable[[Any], bool]:
    """Whether the model has a method, fitted or not."""
    return lambda self: hasattr(getattr(self, "estimator_", self.estimator), name)


class ConstrainedThresholdClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]  # no types there
    """Binary classifier with its threshold tuned under constraints: the best precision with recall of at least 0.95.

    The threshold is chosen on samples held out from the model, and with `confidence_level` so that
    the constraints also hold on new data. `predict` returns the positive class where its score
    reaches the threshold.

    Parameters
    ----------
    estimator : classifier with predict_proba or decision_function
        It is cloned, unless `cv="prefit"`. Wrap models whose `predict` returns probabilities
        in `ProbabilityClassifier` first.
    metric : str or function
        The metric to optimise, as in `ThresholdCurve.best`; it must not need parameters.
    subject_to : dict of metric to bound
        As in `ThresholdCurve.best`: `{"recall": 0.95}`; a pair (low, high) bounds from both sides.
    pos_label : int, float, bool or str, default=None
        The positive class. None: 1 of {0, 1}, {-1, 1} or {False, True}; required for other labels.
    cv : int, float, splitter, iterable or "prefit", default=5
        A number of stratified folds, a splitter or an iterable of (train, test): a clone is fitted per
        fold, and the held-out scores are pooled. A float between 0 and 1: this fraction of the samples
        is held out, once. "prefit": the estimator is already fitted, and the data given to `fit`, which
        it must not have seen, are only used to choose the threshold.
    confidence_level : float, default=None
        1 - d: each of the m bounds is tested at level d / m, see Notes; a pair with two binding sides
        counts as two. None: only the observed values on the calibration samples are used (plug-in
        threshold).
    refit : bool, default=True
        Whether the final model is refitted to all data once the threshold is chosen. False needs a
        single split, and keeps the model whose scores were used to choose the threshold. Ignored with
        "prefit".
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        Method that returns the scores. "auto": predict_proba, else decision_function.
    random_state : int, RandomState or None, default=None
        Shuffles the samples where `cv` is a float.
    n_jobs : int, default=None
        Number of folds run in parallel, as in scikit-learn's `cross_validate`.

    Attributes
    ----------
    estimator_ : object
        The fitted final model.
    best_threshold_ : float
        The midpoint between two scores of the calibration samples, so that the same model gives a sample
        the same label whatever the batch or memory layout; a score equal to it is predicted positive.
    best_value_ : float
        The value of the metric at the threshold on these samples.
    constraints_ : list of KeptConstraint
        Named tuples of metric, asked, reached and bound: the bound requested for each metric, its value
        on these samples and, with `confidence_level`, the one-sided confidence limit by which the
        threshold qualifies, else None. What is guaranteed on new data is the requested bound, not the
        confidence limit, which was only known after seeing the data.
    curve_ : ThresholdCurve
        The curve of these samples.
    classes_ : ndarray of shape (2,)
        The classes of `estimator_`.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features seen in `fit`, where all are strings.

    See Also
    --------
    ThresholdCurve.best : The same selection from labels and scores.
    ProbabilityClassifier : Makes a classifier of a model whose predict returns probabilities.
    sklearn.model_selection.TunedThresholdClassifierCV : Optimises a scorer without constraints.

    Notes
    -----
    Without `confidence_level` the bounds are met on the calibration samples but not necessarily on new
    ones: the plug-in threshold lies where the bound is only just met, so its true rate violates the
    bound for about half of all calibration sets (0.43 to 0.63 in simulations).

    With it, P(a threshold is returned and its true rate violates a constraint) <= d = 1 - confidence_level,
    over random calibration samples from the same population, for the fitted model (for rates not
    conditional on the actual class, such as precision, with the same prevalence). It is not conditional
    on a threshold being returned. It is exact for `cv="prefit"` and `refit=False`; for pooled folds with
    a refit it is an approximation, since the final model produced none of the scores. It is poor for
    models whose scores change with the training-set size, such as a strongly regularised one: use
    `cv=0.4, refit=False` for these.

    The threshold lies in the gap between a score and the next lower one, where all counts equal those at
    the score, and the guarantee is for the true rate at that threshold.

    - recall, false_negative_rate, specificity, false_positive_rate, predicted_positive_rate and
      detection_rate are monotone in the threshold. Every distinct score whose one-sided Clopper-Pearson
      limit at d / m satisfies the bound qualifies, with no multiplicity correction: a wrong threshold can
      be returned only if the limit fails at one fixed point, where the true rate crosses the bound. This
      covers the whole gap below the score. For proportions of scores at or above the threshold, such as
      false_positive_rate, the lower limit is taken at the score itself, where they are smallest, and the
      upper one from the distribution of the proportion at the next lower sample of the same actual class
      (here the next negative), the furthest the gap can extend; the other rates are 1 minus such a
      proportion. For recall alone the score is the exact tolerance limit, the k-th smallest of the
      positive samples with the largest k for which P(Binomial(n_positive, 1 - bound) <= k - 1) <= d.
      For a bound r at least ceil(log d / log r) samples are needed, 59 positive ones for a recall of 0.95
      at d = 0.05.
    - precision, negative_predictive_value, accuracy and f1 (as Jaccard's F1 / (2 - F1)) are not monotone. Up
      to 12 ranks are tested, spaced geometrically and fixed before the labels are seen, the first being the
      smallest n with bound^n <= d / (12 m), each at d / (12 m) at both ends of the gap, on the samples
      strictly on that side of the score at the end of the gap, and also on all samples, since scores may
      be tied. That the guarantee also holds inside the gap, where the rate may differ, is supported by
      simulation only. All such bounds share the ranks. For accuracy and f1, which count the samples on
      both sides, the level at a rank is that of a fixed threshold.

    Samples are assumed independent: with clustered data, such as several samples per patient, the
    guarantee is weaker.

    `fit_params` are passed to the estimator. A `sample_weight` among them also weights the counts:
    as repeated samples with `frequency_weights=True`; with metadata routing unless
    `set_fit_request(sample_weight=False)` is set. `groups` are passed to the splitter.

    References
    ----------
    Clopper & Pearson (1934), Biometrika 26:404; Wilks (1941), Annals of Mathematical Statistics 12:91,
    for tolerance limits.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext import ConstrainedThresholdClassifier
    >>> X, y = make_classification(2000, weights=[0.8], class_sep=0.8, flip_y=0.05, random_state=0)
    >>> model = ConstrainedThresholdClassifier(
    ...     LogisticRegression(), "precision", subject_to={"recall": 0.8}, confidence_level=0.95
    ... ).fit(X, y)
    >>> [kept] = model.constraints_
    >>> print(f"recall {kept.reached:.3f}, confidence limit {kept.bound:.3f}; guaranteed on new data: {kept.asked}")
    recall 0.852, confidence limit 0.820; guaranteed on new data: 0.8
    """

    # As a named parameter of fit it would imply that weights of 0 give the same folds as omitting the samples.
    __metadata_request__fit = {"sample_weight": None, "frequency_weights": UNUSED}  # noqa: RUF012

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

    def fit(self, X: object, y: TargetLike, *, frequency_weights: bool = False, **fit_params: Any) -> Self:
        """Choose the threshold on held-out samples, and fit the final model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.
        y : array-like of shape (n_samples,)
            Labels of two classes.
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
        ConstrainedThresholdClassifier
            The fitted classifier (self).

        Raises
        ------
        ValueError
            If y does not have two classes, the positive class cannot be inferred, an option is invalid,
            or no threshold meets the bounds (the message gives the best attainable value of each). With
            `confidence_level` also if there are too few samples (the message gives the number needed),
            if `sample_weight` does not hold counts of samples, if no guarantee is available for a
            bounded metric, or if a sample is held out in more than one fold.
        NotFittedError
            If `cv="prefit"` and the estimator is not fitted.
        """
        validate_data(self, X, y, skip_check_array=True)
        target = read_target(y)
        _check_two(target.labels)
        positive = positive_of(target.labels, self.pos_label)
        asked = self._check_options(target.labels)
        weights = self._weights(fit_params.get("sample_weight"), frequency_weights, target)
        held_out = self._held_out(X, target, positive, fit_params)
        true = Column(target.codes[held_out.places], target.labels)
        held_weights = None if weights is None else weights[held_out.places]
        curve = curve_of_class(true, held_out.scores, target.labels, positive, weights=Weights(held_weights))
        best, self.constraints_ = choose_threshold(curve, self.metric, asked, self.confidence_level)
        self.curve_, self.best_threshold_, self.best_value_ = curve, best.threshold, best.value
        self.estimator_ = held_out.models[0] if held_out.models else self._refitted(X, target, fit_params)
        return self

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, in the order of the columns of `predict_proba`."""
        return np.asarray(self.estimator_.classes_)

    def predict(self, X: object) -> NDArray[Any]:
        """The positive class where its score reaches the threshold, else the other class.

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
        labels, positive = self.curve_.labels, self.curve_.pos_label
        # The actual labels are unknown, except for which classes there are.
        actual = Column(np.zeros(0, dtype=np.uint8), labels)
        scores = predict_scores(self.estimator_, X, actual, positive, self._methods()).scores
        is_positive = scores >= in_precision_of(scores, np.array([self.best_threshold_]))
        place = position_of(labels, positive) or 0
        return np.asarray(labels[np.where(is_positive, place, 1 - place)])

    @available_if(_estimator_has("predict_proba"))  # type: ignore[untyped-decorator]  # no types there
    def predict_proba(self, X: object) -> NDArray[Any]:
        """Probabilities of the estimator, which the threshold does not change.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Columns in the order of `classes_`.
        """
        return self._ask("predict_proba", X)

    @available_if(_estimator_has("predict_log_proba"))  # type: ignore[untyped-decorator]  # no types there
    def predict_log_proba(self, X: object) -> NDArray[Any]:
        """Logarithms of the probabilities of the estimator.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Columns in the order of `classes_`.
        """
        return self._ask("predict_log_proba", X)

    @available_if(_estimator_has("decision_function"))  # type: ignore[untyped-decorator]  # no types there
    def decision_function(self, X: object) -> NDArray[Any]:
        """Decision values of the estimator, which the threshold does not change.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.

        Returns
        -------
        ndarray of shape (n_samples,)
            Larger values mean that the second of `classes_` is more likely.
        """
        return self._ask("decision_function", X)

    def get_metadata_routing(self) -> MetadataRouter:
        """Metadata that `fit` passes on: everything the estimator's `fit` and the splitter request.

        Returns
        -------
        MetadataRouter
            The routing as a scikit-learn MetadataRouter.
        """
        router = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        router.add(estimator=self.estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        return router.add(splitter=self.cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    def _ask(self, method: str, X: Any) -> NDArray[Any]:
        """The response of the fitted estimator."""
        check_input(self, X)
        answer: NDArray[Any] = getattr(self.estimator_, method)(X)
        return answer

    def _methods(self) -> tuple[str, ...]:
        """The methods that may return the scores; the first available one is used."""
        return SCORES if self.response_method == "auto" else (self.response_method,)

    def _check_options(self, labels: NDArray[Any]) -> list[MetricConstraint]:
        """The bounds; options are validated before anything is fitted."""
        if self.response_method not in ("auto", *SCORES):
            raise ValueError(f"response_method must be one of {['auto', *SCORES]}; got {self.response_method!r}.")
        check_flag(self.refit, "refit")
        if self.confidence_level is not None:
            check_in_range(self.confidence_level, "confidence_level", lambda x: 0 < x < 1, "a number between 0 and 1")
        choose_of_curve(self.metric, labels)
        return read_metric_constraints(self.subject_to, self.confidence_level)

    def _weights(self, sample_weight: ArrayLike | None, frequency_weights: bool, target: Column) -> NDArray[Any] | None:
        """The weights of the counts, which must be numbers of samples where a guarantee is requested."""
        if sample_weight is None or not self._counts_weights():
            return None
        weights = read_weights(sample_weight, target.n_samples, target.index, "y")
        check_frequencies(frequency_weights, weights)
        if self.confidence_level is not None and are_no_counts(weights) and not frequency_weights:
            raise ValueError(
                "sample_weight does not give the number of samples, which confidence_level needs: pass "
                "frequency_weights=True if each weight is the number of times a sample occurs, omit confidence_level, "
                "or, with metadata routing, route the weights only to the inner estimator with "
                "set_fit_request(sample_weight=False)."
            )
        return weights

    def _counts_weights(self) -> bool:
        """Whether weights also weight the counts, and not only the fit of the estimator."""
        if not sklearn.get_config()["enable_metadata_routing"]:
            return True
        own = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        try:
            own.validate_metadata(method="fit", params={"sample_weight": None})
        except TypeError:
            return False
        return True

    def _held_out(self, X: Any, target: Column, positive: Any, fit_params: dict[str, Any]) -> HeldOut:
        """The scores for choosing the threshold, and the model behind them if it is kept."""
        if sklearn.get_config()["enable_metadata_routing"]:
            process_routing(self, "fit", **fit_params)
        if isinstance(self.cv, str) and self.cv == "prefit":
            return self._of_fitted(X, target, positive, fit_params)
        y = target.labels[target.codes]
        splitter = read_splitter(self.cv, y, self.random_state)
        if not self.refit and (n_splits := splitter.get_n_splits(X, y, fit_params.get("groups"))) != 1:
            raise ValueError(
                f"refit=False keeps the model whose scores chose the threshold, but cv={self.cv!r} has {n_splits} "
                "splits, each with its own model: pass a float, the fraction of samples to hold out, or a cv with a "
                "single split."
            )
        scorer = SamplesScorer(positive, self._methods())
        # Sample weights are applied later, to the pooled folds.
        scorer._request_metadata({"sample_weight": False})
        options = {"scoring": scorer, "n_jobs": self.n_jobs, "return_estimator": not self.refit}
        held_out = held_out_scores(self.estimator, X, y, splitter, fit_params, **options)
        if self.confidence_level is not None and len(np.unique(held_out.places)) < len(held_out.places):
            raise ValueError(
                f"cv={self.cv!r} holds samples out more than once, but confidence_level treats each as an "
                "independent observation: pass a cv that holds each sample out once, or omit confidence_level."
            )
        return held_out

    def _of_fitted(self, X: Any, target: Column, positive: Any, fit_params: dict[str, Any]) -> HeldOut:
        """The scores of the fitted estimator."""
        if needless := sorted(fit_params.keys() - {"sample_weight"}):
            raise ValueError(f"cv='prefit' fits and splits nothing, but fit got {needless}: omit these.")
        scores, _, known = predict_scores(self.estimator, X, target, positive, self._methods())
        _check_two(known)
        return HeldOut(scores, np.arange(len(scores)), [self.estimator])

    def _refitted(self, X: Any, target: Column, fit_params: dict[str, Any]) -> Any:
        """A clone of the estimator fitted to all data."""
        if sklearn.get_config()["enable_metadata_routing"]:
            fit_params = process_routing(self, "fit", **fit_params).estimator.fit
        else:
            fit_params = {name: value for name, value in fit_params.items() if name != "groups"}
        return clone(self.estimator).fit(X, target.labels[target.codes], **fit_params)


def _check_two(labels: NDArray[Any]) -> None:
    """Reject labels other than two, with the message that scikit-learn's estimator checks expect."""
    if len(labels) != 2:
        raise ValueError(
            f"Only binary classification is supported. A single threshold separates two labels, but there are "
            f"{len(labels)}, {show(labels)}: reduce them to two, such as y == {labels.tolist()[0]!r}."
        )
