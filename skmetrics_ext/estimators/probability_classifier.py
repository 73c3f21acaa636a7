"""ProbabilityClassifier: a model whose predict returns probabilities -> a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import sklearn
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import Tags
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import validate_data

from skmetrics_ext.adapter import rule
from skmetrics_ext.adapter.columns import SUM_TOLERANCE, NamedScores, columns_named, read_scores
from skmetrics_ext.adapter.estimator import (
    ask,
    check_response_method,
    is_outlier_detector,
    read_classes,
    tags_of,
)
from skmetrics_ext.adapter.positive import positive_of
from skmetrics_ext.adapter.routing import with_auto_requests
from skmetrics_ext.adapter.rule import Rule
from skmetrics_ext.adapter.scale import check_threshold_of_probabilities, is_one_number
from skmetrics_ext.estimators.targets import PairsInFiles, beside, check_input, read_target
from skmetrics_ext.reading.aliases import CostsLike, Label, TargetLike, ThresholdsLike, Ties
from skmetrics_ext.reading.calls import explained
from skmetrics_ext.reading.names import NamedNumbers, NamedTable
from skmetrics_ext.reading.order import show

# A classifier's predict returns labels.
PROBABILITIES_FIRST = ("predict_proba", "predict")


class ProbabilityClassifier(PairsInFiles, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]  # no types there
    """Wrap an estimator whose `predict` returns probabilities, or that expects 0/1 or one-hot
    targets, as a classifier.

    Regressors and neural networks then work in searches, pipelines, calibration and scoring.

    Parameters
    ----------
    estimator : object with fit, and predict_proba, predict or the method in `response_method`
        Its response is the probability of the second class, of shape (n_samples,) or (n_samples,
        1), or of each class. It is cloned; one without `get_params`, such as a Keras model, is
        copied with its weights: pass an unfitted one.
    threshold : float, array-like of shape (n_classes,), Series or dict, default=None
        A number is for two classes: the positive class is predicted where its probability reaches
        the threshold. One positive number per class predicts argmax(p_k / threshold_k): labeled, or
        in the order of the classes as `cost_matrix`. None: the most probable class, the first of
        ties.
    ties : {"positive", "negative"}, default="positive"
        Which class a probability equal to the binary threshold predicts.
    pos_label : int, float, bool or str, default=None
        The class that a threshold refers to. None: 1 of {0, 1}, {-1, 1} or {False, True}; a single
        threshold for other labels needs it.
    cost_matrix : array-like of shape (n_classes, n_classes), data frame or dict, default=None
        Cost of each actual class (row) predicted as each class (column), labeled as in
        `labels_from_scores`, or in the order of an ordered categorical in `fit`, else of numbers.
        The class with the lowest expected cost, argmin(p @ cost), is predicted.
    response_method : str or sequence of str, default="auto"
        The estimator method whose response is the probability; of several, the first available.
        "auto": predict_proba, else predict. Logits and distances are rejected.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    estimator_ : object
        The fitted estimator. Its targets are class numbers for a classifier or a Keras model with a
        sparse loss; else 0 and 1 in float32, or one-hot rows for more than two classes or a Keras
        model with two outputs.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features seen in `fit`, where all are strings.

    Notes
    -----
    In a pipeline, wrap the last step: `make_pipeline(StandardScaler(),
    ProbabilityClassifier(network))`. The threshold acts in `predict` alone: an estimator around
    this one that reads `predict_proba`, as most ensembles do, ignores it. A VotingClassifier
    encodes labels: inside of it, omit `pos_label` or set it to 0 or 1.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import Ridge
    >>> from skmetrics_ext import ProbabilityClassifier
    >>> data = load_breast_cancer()
    >>> X, y = data.data, data.target_names[data.target]
    >>> model = ProbabilityClassifier(Ridge(), threshold=0.3, pos_label="malignant").fit(X, y)
    >>> model.predict(X[-3:])
    array(['malignant', 'malignant', 'benign'], dtype='<U9')
    >>> model.predict_proba(X[-3:]).round(2)
    array([[0.38, 0.62],
           [0.  , 1.  ],
           [1.  , 0.  ]])
    """

    # fit only passes its weights on: with metadata routing the estimator requests them itself.
    __metadata_request__fit = {"sample_weight": UNUSED}  # noqa: RUF012

    @explained
    def __init__(
        self,
        estimator: object,
        *,
        threshold: ThresholdsLike | None = None,
        ties: Ties = "positive",
        pos_label: Label | None = None,
        cost_matrix: CostsLike | None = None,
        response_method: str | Sequence[str] = "auto",
    ) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.ties = ties
        self.pos_label = pos_label
        self.cost_matrix = cost_matrix
        self.response_method = response_method

    def fit(
        self, X: object, y: TargetLike, sample_weight: ArrayLike | None = None, **fit_params: Any
    ) -> Self:
        """Fit a clone of the estimator to the encoded labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.
        y : array-like of shape (n_samples,)
            One label per sample, with at least two classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Passed to the estimator's `fit`, if given.
        **fit_params
            Passed to the estimator's `fit`, such as `epochs`; with metadata routing, only what it
            requests, if it supports routing.

        Returns
        -------
        ProbabilityClassifier
            The fitted classifier (self).

        Raises
        ------
        ValueError, TypeError
            If y is not one label per sample of two or more classes, an option does not fit the
            classes, or the estimator gives no probabilities.
        """
        if not hasattr(self.estimator, "fit"):
            raise TypeError(
                f"estimator must be a model with fit; got {self.estimator!r}: pass the model "
                "itself."
            )
        validate_data(self, X, y, skip_check_array=True)
        labels = read_target(y)
        _check_fits(self._rule()._replace(ranking=labels.ranking), labels.labels)
        methods = check_response_method(self.response_method)
        targets = _targets_for(self.estimator, labels.codes, len(labels.labels))
        _check_outputs(self.estimator, targets)
        if sample_weight is not None:
            fit_params["sample_weight"] = sample_weight
        has_routing = hasattr(self.estimator, "get_metadata_routing")
        if has_routing and sklearn.get_config()["enable_metadata_routing"]:
            fit_params = process_routing(self, "fit", **fit_params).estimator.fit
        fitted = clone(self.estimator, safe=False)
        fitted.fit(X, beside(X, targets), **fit_params)
        _check_has_method(fitted, methods)
        first_method = next((method for method in methods if hasattr(fitted, method)), None)
        if first_method == "decision_function":
            # For few samples decision values may happen to lie in the range of probabilities.
            _columns_of(fitted, X, methods, labels.labels)
        self.classes_ = labels.labels
        self.estimator_ = fitted
        self._ranking = labels.ranking
        return self

    def predict_proba(self, X: object) -> NDArray[Any]:
        """Probabilities of the classes: the estimator's response, clipped to [0, 1], in rows that
        sum to 1.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`. A row that sums to 0 becomes uniform.

        Raises
        ------
        NotFittedError
            Before `fit`.
        ValueError, TypeError
            If the estimator's response is not probabilities of the classes.
        """
        check_input(self, X)
        methods = check_response_method(self.response_method) or PROBABILITIES_FIRST
        columns = _columns_of(self.estimator_, X, methods, self.classes_)
        return _normalised(np.clip(columns, 0, 1))

    def predict(self, X: object) -> NDArray[Any]:
        """Labels chosen by the threshold, the costs or, by default, the largest probability.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Input in any form the estimator accepts.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels, of the type of `classes_`.

        Raises
        ------
        NotFittedError
            Before `fit`.
        ValueError, TypeError
            As `predict_proba`, or if an option was set that does not fit the classes.
        """
        probabilities = self.predict_proba(X)
        asked = self._rule()._replace(ranking=self._ranking)
        codes = rule.codes_from_scores(probabilities, self.classes_, asked)
        return np.asarray(self.classes_[codes])

    def get_metadata_routing(self) -> MetadataRouter:
        """Metadata that `fit` passes on: everything the estimator's `fit` requests.

        Returns
        -------
        MetadataRouter
            The routing as a scikit-learn MetadataRouter.
        """
        fit_to_fit = MethodMapping().add(caller="fit", callee="fit")
        own = with_auto_requests(super().get_metadata_routing(), "score")
        router = MetadataRouter(owner=type(self).__name__).add_self_request(own)
        return router.add(estimator=self.estimator, method_mapping=fit_to_fit)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if (inner := tags_of(self.estimator)) is not None:
            tags.input_tags = inner.input_tags
            if inner.classifier_tags is not None:
                multi_class = inner.classifier_tags.multi_class
            else:
                multi_class = inner.target_tags.multi_output or _is_classifier(self.estimator)
            tags.classifier_tags.multi_class = multi_class
        return tags

    def _rule(self) -> Rule:
        """The validated options, since constructors in scikit-learn only store them."""
        return rule.make_rule(
            threshold=self.threshold,
            ties=self.ties,
            pos_label=self.pos_label,
            cost_matrix=self.cost_matrix,
        )


def _check_fits(asked: Rule, classes: NDArray[Any]) -> None:
    """Reject options that do not fit the classes.

    Labels are looked up by `predict`: VotingClassifier and others fit to the codes 0, 1, ..., which
    lack them.
    """
    rule.check_divides(asked.threshold)
    if classes.dtype.kind in "iu" and np.array_equal(classes, np.arange(len(classes))):
        threshold = None if isinstance(asked.threshold, NamedNumbers) else asked.threshold
        costs = None if isinstance(asked.cost_matrix, NamedTable) else asked.cost_matrix
        asked = asked._replace(pos_label=None, threshold=threshold, cost_matrix=costs)
    cut, _ = rule.bound_rule(asked, classes)
    if is_one_number(cut):
        check_threshold_of_probabilities(cut)
        positive_of(classes, asked.pos_label)


def _targets_for(estimator: Any, codes: NDArray[Any], n_classes: int) -> NDArray[Any]:
    """Targets in the form that an estimator expects, by its type, its loss and its outputs."""
    estimator = _last_step(estimator)
    # Keras models have a loss, skorch's nets a criterion: a name, a class, a function or an object.
    loss = f"{getattr(estimator, 'loss', '')} {getattr(estimator, 'criterion', '')}".lower()
    is_classifier = _is_classifier(estimator)
    if "sparse" in loss or (is_classifier and "bce" not in loss):
        return codes.astype(np.int64)
    # PyTorch computes losses in float32 only.
    shape_of_keras = getattr(estimator, "output_shape", None)
    if n_classes > 2 or (shape_of_keras and shape_of_keras[-1] == 2):
        one_hot = np.zeros((len(codes), n_classes), dtype=np.float32)
        one_hot[np.arange(len(codes)), codes] = 1
        return one_hot
    targets = codes.astype(np.float32)
    if hasattr(estimator, "module") and not is_classifier:
        # PyTorch's losses would broadcast (n, 1) outputs against (n,) targets.
        return targets[:, np.newaxis]
    return targets


def _check_outputs(estimator: Any, targets: NDArray[Any]) -> None:
    """Reject a multi-output model for a single target column, and a model of no target."""
    model = _last_step(estimator)
    if is_outlier_detector(model):
        raise TypeError(
            f"{type(model).__name__} detects outliers and returns no probabilities: use it as it "
            "is, with the labels -1 and 1."
        )
    tags = tags_of(model)
    if tags is not None and not tags.target_tags.single_output and targets.ndim == 1:
        raise ValueError(
            f"{type(model).__name__} learns several target columns, but the target of "
            f"{'a classifier' if _is_classifier(model) else 'two classes'} is a single column: "
            "pass a single-output model, such as the one it wraps."
        )


def _check_has_method(fitted: Any, methods: tuple[str, ...]) -> None:
    """Reject an estimator that cannot return probabilities."""
    name = type(fitted).__name__
    if methods and not any(hasattr(fitted, method) for method in methods):
        raise TypeError(
            f"{name} has none of the methods {list(methods)} specified by response_method."
        )
    if not methods and _is_classifier(fitted) and not hasattr(fitted, "predict_proba"):
        # It is a distance for scikit-learn's own classifiers, and the output of a network for
        # wrappers.
        is_of_sklearn = type(_last_step(fitted)).__module__.partition(".")[0] == "sklearn"
        by_name = (
            "; or specify the method that returns probabilities, such as "
            "response_method='decision_function'"
        )
        raise TypeError(
            f"{name} is a classifier without predict_proba, so it returns no probabilities: wrap "
            "it in sklearn's "
            f"CalibratedClassifierCV first, or use it as it is{'' if is_of_sklearn else by_name}."
        )


def _is_classifier(estimator: Any) -> bool:
    """Whether the estimator encodes labels itself: by its tag, or with probabilities."""
    model = _last_step(estimator)
    tags = tags_of(model)
    kind = None if tags is None else tags.estimator_type
    if kind is None:
        # Estimators for older versions of scikit-learn say it by an attribute.
        kind = getattr(model, "_estimator_type", None)
    if kind is not None:
        return bool(kind == "classifier")
    is_network = any(hasattr(model, name) for name in ("module", "output_shape"))
    return hasattr(model, "predict_proba") and not is_network


def _last_step(estimator: Any) -> Any:
    """The model that learns the targets."""
    return estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator


def _columns_of(fitted: Any, X: Any, methods: Sequence[str], classes: NDArray[Any]) -> NDArray[Any]:
    """The response for X of the first available method, one column per class."""
    method, response, declared, _ = ask(fitted, X, methods, read_classes(fitted))
    own = declared.own
    source = f"{type(fitted).__name__}.{method}"
    # Labels would be mistaken for probabilities of 0 and 1.
    if method == "predict" and _is_classifier(fitted) and np.asarray(response).dtype.kind != "f":
        raise ValueError(
            f"{source} returns labels, not probabilities: choose another method with "
            "response_method=."
        )
    scores = _read_response(response, source)
    # A wrapped classifier was fitted to the class codes.
    named = columns_named(scores, np.arange(len(classes)) if own is None else own)
    columns = _one_per_class(named, own, classes, source)
    if method == "decision_function":
        _check_are_probabilities(columns, source)
    return columns


def _read_response(response: Any, source: str) -> NamedScores:
    """Scores (n,) or (n, K) of one estimator, whose name any error begins with."""
    if isinstance(response, np.ndarray) and response.ndim == 3 and response.shape[2] == 1:
        # skorch stacks the two probabilities of an (n, 1) output as (n, 2, 1).
        response = response[:, :, 0]
    try:
        scores = read_scores(response)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{source} returns no probabilities: {error}") from error
    if scores.are_of_labels:
        raise ValueError(
            f"{source} returns {len(scores.values)} arrays, not a single output for one label per "
            "sample."
        )
    return scores


def _one_per_class(
    scores: NDArray[Any], own: NDArray[Any] | None, classes: NDArray[Any], source: str
) -> NDArray[Any]:
    """Scores in the order of the classes; `own` are the codes that a wrapped classifier saw."""
    if own is not None and scores.ndim == 2 and not np.array_equal(own, np.arange(len(classes))):
        in_order = np.zeros((len(scores), len(classes)), dtype=scores.dtype)
        in_order[:, own.astype(np.intp)] = scores
        return in_order
    columns = np.stack([1 - scores, scores], axis=1) if scores.ndim == 1 else scores
    if columns.shape[1] != len(classes):
        outputs = "one output" if scores.ndim == 1 else f"{columns.shape[1]} outputs"
        raise ValueError(
            f"{source} returns {outputs}, but there are {len(classes)} classes {show(classes)}: "
            "use an estimator with one output per class, such as sklearn's MultiOutputRegressor "
            "wrapped around this one."
        )
    return columns


def _check_are_probabilities(columns: NDArray[Any], source: str) -> None:
    """Reject decision values, of which clipping to [0, 1] would change labels."""
    low, high = columns.min(), columns.max()
    if low < 0 or high > 1:
        values_text = f"values from {low:.6g} to {high:.6g}"
    elif (np.abs(columns.sum(axis=1) - 1) > SUM_TOLERANCE).any():
        values_text = "rows that do not sum to 1"
    else:
        return
    raise ValueError(
        f"{source} returns {values_text}, which are not probabilities: wrap the estimator in "
        "sklearn's CalibratedClassifierCV, or use it as it is, with FixedThresholdClassifier for a "
        "threshold of decision values."
    )


def _normalised(columns: NDArray[Any]) -> NDArray[Any]:
    """Rows that sum to 1; those that do are unchanged, so that ties with a threshold remain."""
    columns = np.where(columns.any(axis=1, keepdims=True), columns, 1)
    total = columns.sum(axis=1, keepdims=True)
    rounding = columns.shape[1] * np.finfo(columns.dtype).eps
    return np.where(np.abs(total - 1) <= rounding, columns, columns / total)
