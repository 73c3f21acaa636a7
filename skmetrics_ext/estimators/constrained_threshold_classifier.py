"""ConstrainedThresholdClassifier: a classifier and bounds -> the best threshold that meets them, on new data too."""

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
from sklearn.utils.validation import check_is_fitted, validate_data

from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.adapter.responses import predict_scores
from skmetrics_ext.adapter.rule import in_precision_of
from skmetrics_ext.curves.best import Bound, choose_of_curve
from skmetrics_ext.curves.from_scores import curve_of_class
from skmetrics_ext.estimators.chosen_threshold import MetricConstraint, choose_threshold, read_metric_constraints
from skmetrics_ext.estimators.held_out import HeldOut, held_out_scores, read_splitter
from skmetrics_ext.estimators.targets import read_target
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
    """The best threshold of a classifier for two classes that meets bounds: precision with recall of at least 0.95.

    The threshold is chosen on samples that the model has not seen, and with `confidence_level` so that
    the bounds hold on new data, too. `predict` gives the positive class where its score reaches it.

    Parameters
    ----------
    estimator : classifier with predict_proba or decision_function
        It is cloned, unless `cv="prefit"`. Models whose `predict` gives probabilities become
        classifiers by `ProbabilityClassifier`.
    metric : str or function
        What is to be best, as in `ThresholdCurve.best`; one that needs no parameters.
    subject_to : dict of metric to bound
        As in `ThresholdCurve.best`: `{"recall": 0.95}`; a pair (low, high) bounds from both sides.
    pos_label : int, float, bool or str, default=None
        The positive class. None: 1 of {0, 1}, {-1, 1} or {False, True}; other labels need it.
    cv : int, float, splitter, iterable or "prefit", default=5
        A number of stratified folds, a splitter or an iterable of (train, test): a clone is fitted a
        fold, and the scores of all held-out samples are pooled. A float between 0 and 1: this share of
        the samples is held out, once. "prefit": the estimator is fitted, and the data given to `fit`,
        which it must not have seen, only choose the threshold.
    confidence_level : float, default=None
        1 - d: each of the m bounds is tested at d / m, see Notes; a pair with two sides that cut
        something is two. None: the value of the chosen samples alone decides, the plug-in threshold.
    refit : bool, default=True
        Whether the model that predicts is fitted to all data once the threshold is chosen. False needs
        one split, and keeps the model whose scores chose it. "prefit" refits nothing, whatever this says.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        What gives the scores. "auto": predict_proba, else decision_function.
    random_state : int, RandomState or None, default=None
        Shuffles the samples where `cv` is a float.
    n_jobs : int, default=None
        Folds at a time, as in scikit-learn's `cross_validate`.

    Attributes
    ----------
    estimator_ : object
        The fitted model that predicts.
    best_threshold_ : float
        The middle between two scores of the samples that chose it, so that the same model gives a sample
        the same label in any batch and order in memory; a score that equals it is positive.
    best_value_ : float
        The metric at it, of these samples.
    constraints_ : list of KeptConstraint
        Named tuples of metric, asked, reached and bound: what was asked of each metric, the value that it has on these
        samples and, with `confidence_level`, the limit for which the threshold qualifies, else None. What
        is promised of new data is what was asked: the limit was not asked for before it was seen.
    curve_ : ThresholdCurve
        The curve of these samples.
    classes_ : ndarray of shape (2,)
        Those of `estimator_`.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features seen in `fit`, where all are strings.

    See Also
    --------
    ThresholdCurve.best : The same choice from labels and scores.
    ProbabilityClassifier : A classifier of a model whose predict gives probabilities.
    sklearn.model_selection.TunedThresholdClassifierCV : The best value of a scorer without bounds.

    Notes
    -----
    Without `confidence_level` the samples that chose the threshold meet the bounds, and new ones need not:
    the plug-in threshold stands where the bound is just met, so that its true rate misses the bound in
    about half of the draws (.43 to .63 where it was measured).

    With it, P(a threshold is returned and its true rate misses a constraint) <= d = 1 - confidence_level,
    over calibration samples of the fitted model from the same population (for rates that are not of the
    positive or the negative samples alone, such as precision, of the same prevalence). It is not
    conditional on a threshold being returned. It is exact for `cv="prefit"` and `refit=False`; for pooled
    folds with a refit it is an approximation, since the model that predicts gave none of the scores. It
    is a poor one for models whose scores change with the number of training samples, as those of a
    strongly regularised one do: take `cv=0.4, refit=False` for these.

    The threshold stands in the gap between a score and the next lower one, where all counts are those at
    the score, and the promise is of the true rate at that threshold.

    - recall, false_negative_rate, specificity, false_positive_rate, predicted_positive_rate and
      detection_rate rise or fall with the threshold. Every distinct score whose one-sided limit of
      Clopper & Pearson at d / m keeps to the bound qualifies, without a correction: a wrong one needs an
      accident at one fixed point, that where the true rate meets the bound. It holds in the whole gap
      below the score. Of the shares that reach a threshold, such as false_positive_rate, the lower limit
      is for the score itself, where they are least, and the upper one is the distribution of the share at the next
      lower sample of their kind, the next negative, down to which the gap goes at most; the other rates
      are 1 less such a share. For recall alone the score is the exact tolerance limit, the k-th smallest
      of the positive samples with the largest k for which P(Binomial(n_positive, 1 - bound) <= k - 1) <= d.
      Of a bound r at least ceil(log d / log r) samples are needed, 59 positive ones for a recall of 0.95
      at d = 0.05.
    - precision, negative_predictive_value, accuracy and f1 (as Jaccard's F1 / (2 - F1)) go up and down. Up
      to 12 ranks are looked at, spaced geometrically and fixed before the labels are seen, the first the
      smallest n with bound^n <= d / (12 m), each at d / (12 m) at both ends of the gap, on the samples
      strictly on that side of the score that ends it, and also on all, since scores may have ties. That
      the promise holds between both ends, where the rate may be another, is simulated. All such bounds
      share the ranks. For accuracy and f1, which count the samples on both sides, the level at a rank is
      that of a fixed threshold.

    The samples count as independent draws: clusters, such as several samples of one patient, promise less.

    `fit_params` of `fit` reach the estimator. A `sample_weight` among them weighs the counts as well:
    as repeated samples with `frequency_weights=True`; with metadata routing unless
    `set_fit_request(sample_weight=False)` says no. `groups` reach the splitter.

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
    >>> print(f"recall {kept.reached:.3f} with the limit {kept.bound:.3f}; promised of new data: {kept.asked}")
    recall 0.852 with the limit 0.820; promised of new data: 0.8
    """

    # A named parameter of fit would promise that weights of 0 and left out samples make the same folds.
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
        """Choose the threshold on held-out samples, and fit the model that predicts.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            What the estimator takes.
        y : array-like of shape (n_samples,)
            Labels of two classes.
        frequency_weights : bool, default=False
            Whether the weights are numbers of equal samples that were counted, so that they must be whole,
            and larger ones make a value surer.
        **fit_params
            Handed to the estimator's `fit`, with metadata routing what it requests. `sample_weight` weighs
            the counts as well, `groups` reach the splitter. `by` gives counts and results of each group;
            `clusters` are samples that belong together, for how sure a value is; `groups` are
            scikit-learn's, for splitting.

        Returns
        -------
        ConstrainedThresholdClassifier
            Itself.

        Raises
        ------
        ValueError
            If y has not two classes, the positive one is not clear, an option does not fit, no threshold
            meets the bounds: the message has the best that each can reach. With `confidence_level` also if
            there are too few samples, with the number that is needed, if `sample_weight` holds no numbers of
            samples, if a bounded metric is none that can be promised, or if folds hold a sample out twice.
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
        classes: NDArray[Any] = self.estimator_.classes_
        return classes

    def predict(self, X: object) -> NDArray[Any]:
        """The positive class where its score reaches the threshold, else the other one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            What the estimator takes.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels, of the type of those given to `fit`.

        Raises
        ------
        NotFittedError
            Before `fit`.
        ValueError, TypeError
            If the estimator's scores are NaN or infinite.
        """
        self._check_input(X)
        labels, positive = self.curve_.labels, self.curve_.pos_label
        # The actual labels are not known, but for what they may be.
        actual = Column(np.zeros(0, dtype=np.uint8), labels)
        scores = predict_scores(self.estimator_, X, actual, positive, self._methods()).scores
        is_positive = scores >= in_precision_of(scores, np.array([self.best_threshold_]))
        place = position_of(labels, positive) or 0
        predicted: NDArray[Any] = labels[np.where(is_positive, place, 1 - place)]
        return predicted

    @available_if(_estimator_has("predict_proba"))  # type: ignore[untyped-decorator]  # no types there
    def predict_proba(self, X: object) -> NDArray[Any]:
        """Probabilities of the estimator, which the threshold does not change.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            What the estimator takes.

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
            What the estimator takes.

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
            What the estimator takes.

        Returns
        -------
        ndarray of shape (n_samples,)
            The larger, the likelier is the second of `classes_`.
        """
        return self._ask("decision_function", X)

    def get_metadata_routing(self) -> MetadataRouter:
        """What `fit` hands on: all that the estimator's `fit` and the splitter request.

        Returns
        -------
        MetadataRouter
            scikit-learn's description of it.
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
        """What the fitted estimator says."""
        self._check_input(X)
        answer: NDArray[Any] = getattr(self.estimator_, method)(X)
        return answer

    def _check_input(self, X: Any) -> None:
        """Refuse X before `fit`, and other features where the estimator does not, as those of scikit-learn do."""
        check_is_fitted(self, "estimator_")
        if not hasattr(self.estimator_, "n_features_in_"):
            validate_data(self, X, reset=False, skip_check_array=True)

    def _methods(self) -> tuple[str, ...]:
        """What gives the scores, the first that the estimator has."""
        return SCORES if self.response_method == "auto" else (self.response_method,)

    def _check_options(self, labels: NDArray[Any]) -> list[MetricConstraint]:
        """The bounds, and what can be wrong about the options before anything is fitted."""
        if self.response_method not in ("auto", *SCORES):
            raise ValueError(f"response_method must be one of {['auto', *SCORES]}; got {self.response_method!r}.")
        check_flag(self.refit, "refit")
        if self.confidence_level is not None:
            check_in_range(self.confidence_level, "confidence_level", lambda x: 0 < x < 1, "a number between 0 and 1")
        choose_of_curve(self.metric, labels)
        return read_metric_constraints(self.subject_to, self.confidence_level)

    def _weights(self, sample_weight: ArrayLike | None, frequency_weights: bool, target: Column) -> NDArray[Any] | None:
        """The weights of the counts, which must be numbers of samples where something is promised."""
        if sample_weight is None or not self._counts_weights():
            return None
        weights = read_weights(sample_weight, target.n_samples, target.index, "y")
        check_frequencies(frequency_weights, weights)
        if self.confidence_level is not None and are_no_counts(weights) and not frequency_weights:
            raise ValueError(
                "sample_weight does not tell how many samples there are, and confidence_level needs that: pass "
                "frequency_weights=True where a weight says how often a sample occurs, leave confidence_level out, or, "
                "with metadata routing, keep the weights to the estimator by set_fit_request(sample_weight=False)."
            )
        return weights

    def _counts_weights(self) -> bool:
        """Whether weights are more than what the estimator is fitted with."""
        if not sklearn.get_config()["enable_metadata_routing"]:
            return True
        own = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        try:
            own.validate_metadata(method="fit", params={"sample_weight": None})
        except TypeError:
            return False
        return True

    def _held_out(self, X: Any, target: Column, positive: Any, fit_params: dict[str, Any]) -> HeldOut:
        """The scores that choose the threshold, and the model that they are of if it is kept."""
        if sklearn.get_config()["enable_metadata_routing"]:
            process_routing(self, "fit", **fit_params)
        if isinstance(self.cv, str) and self.cv == "prefit":
            return self._of_fitted(X, target, positive, fit_params)
        y = target.labels[target.codes]
        splitter = read_splitter(self.cv, y, self.random_state)
        if not self.refit and (n_splits := splitter.get_n_splits(X, y, fit_params.get("groups"))) != 1:
            raise ValueError(
                f"refit=False keeps the model whose scores chose the threshold, but cv={self.cv!r} has {n_splits} "
                "splits, each with its own: pass a float, the share of the samples to hold out, or a cv of one split."
            )
        scorer = SamplesScorer(positive, self._methods())
        held_out = held_out_scores(
            self.estimator, X, y, splitter, scorer, fit_params, self.n_jobs, keep_models=not self.refit
        )
        if self.confidence_level is not None and len(np.unique(held_out.places)) < len(held_out.places):
            raise ValueError(
                f"cv={self.cv!r} holds samples out more than once, but confidence_level counts each as a draw of its "
                "own: pass a cv that holds each out once, or leave confidence_level out."
            )
        return held_out

    def _of_fitted(self, X: Any, target: Column, positive: Any, fit_params: dict[str, Any]) -> HeldOut:
        """The scores of the fitted estimator."""
        if needless := sorted(fit_params.keys() - {"sample_weight"}):
            raise ValueError(f"cv='prefit' fits and splits nothing, but fit got {needless}: leave these out.")
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
    """Refuse other labels than two, in the words that scikit-learn's estimator checks look for."""
    if len(labels) != 2:
        raise ValueError(
            f"Only binary classification is supported. One threshold is for two labels, and there are {len(labels)}, "
            f"{show(labels)}: make two of them, such as y == {labels.tolist()[0]!r}."
        )
