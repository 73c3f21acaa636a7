"""An estimator's classes and the response of one of its methods: the only place that calls it."""

import inspect
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags, get_tags

from skmetrics_ext.adapter.columns import NamedScores, read_scores
from skmetrics_ext.reading.labels import Column, Indicator, read_labels, read_order
from skmetrics_ext.reading.names import check_same_samples
from skmetrics_ext.reading.order import plain, show, with_all
from skmetrics_ext.reading.pairs import labels_of_columns

METHODS = ("predict", "predict_proba", "decision_function")

_ABSENT: Any = object()
# What scikit-learn's outlier detectors predict, without a `classes_`; scores are of the second.
OF_DETECTORS = np.array([-1, 1])
OF_DETECTORS.flags.writeable = False


class EstimatorClasses(NamedTuple):
    """The `classes_` of an estimator, read: a property of a pipeline or a search has a cost."""

    is_declared: bool = False
    # The raw attribute: a list of arrays if there are several outputs.
    declared: Any = None
    own: NDArray[Any] | None = None
    # The same, sorted: `classes_` imply no order.
    known: NDArray[Any] | None = None


class Answer(NamedTuple):
    """What a method returned, the classes it refers to, and the estimator's type."""

    method: str
    response: Any
    classes: EstimatorClasses
    estimator: str = "the estimator"


def check_response_method(response_method: str | Sequence[str]) -> tuple[str, ...]:
    """The methods to try, in order; None for "auto", where the rule decides."""
    is_one = isinstance(response_method, str) or not isinstance(response_method, Iterable)
    chosen: tuple[Any, ...] = (response_method,) if is_one else tuple(response_method)
    if chosen == ("auto",):
        return ()
    if not chosen or any(method not in METHODS for method in chosen):
        raise ValueError(
            f"response_method must be 'auto' or one or more of {list(METHODS)}; got "
            f"{response_method!r}."
        )
    return chosen


def read_classes(estimator: Any) -> EstimatorClasses:
    """The classes of an estimator, if any; several arrays of a multi-output one."""
    declared = getattr(estimator, "classes_", _ABSENT)
    if declared is _ABSENT or (
        hasattr(declared, "__len__") and getattr(declared, "ndim", 1) > 0 and not len(declared)
    ):
        # A CatBoostRegressor also has the attribute, without classes in it.
        if is_outlier_detector(estimator):
            return EstimatorClasses(True, OF_DETECTORS, OF_DETECTORS, OF_DETECTORS)
        return EstimatorClasses()
    if declared is None or (
        isinstance(declared, list) and any(np.ndim(column) for column in declared)
    ):
        return EstimatorClasses(True, declared)
    own = read_order(declared, "classes_")
    return EstimatorClasses(True, declared, own, np.sort(own))


def classes_for(estimator: Any, true: Column | Indicator) -> EstimatorClasses:
    """The same, where targets are scored, which must be those of an outlier detector."""
    classes = read_classes(estimator)
    if classes.own is not OF_DETECTORS or isinstance(true, Indicator):
        return classes
    if not {*plain(true.labels)} <= {*plain(OF_DETECTORS)}:
        raise ValueError(
            f"{type(estimator).__name__} detects outliers: it predicts 1 for inliers and -1 for "
            f"outliers, but the actual labels are {show(true.labels)}. Pass "
            "np.where(is_outlier, -1, 1)."
        )
    return classes


def tags_of(estimator: Any) -> Tags | None:
    """scikit-learn's tags, which Keras models lack."""
    has_tags = hasattr(estimator, "__sklearn_tags__") and not isinstance(estimator, type)
    return get_tags(estimator) if has_tags else None


def is_regressor(estimator: Any) -> bool:
    """Whether an estimator says that it is a regressor."""
    return _kind_of(estimator) == "regressor"


def is_outlier_detector(estimator: Any) -> bool:
    """Whether an estimator says that it detects outliers."""
    return _kind_of(estimator) == "outlier_detector"


def _kind_of(estimator: Any) -> str | None:
    """What an estimator is by its tags."""
    tags = tags_of(estimator)
    return None if tags is None else tags.estimator_type


def known_labels(
    declared: EstimatorClasses,
    y_true: Any,
    classes: NDArray[Any] | None,
    chosen: NDArray[Any] | None,
) -> NDArray[Any] | None:
    """All labels that a prediction for `y_true` refers to, or chosen ones, as far as known."""
    known = declared.known if classes is None else classes
    try:
        true = read_labels(y_true, "y_true")
        if isinstance(true, Indicator):
            columns, _ = labels_of_columns(true.names, true.values.shape[1], chosen)
            return known if known is not None and chosen is None and true.names is None else columns
        if chosen is None and known is not None:
            return with_all(known, true.labels)
    except (TypeError, ValueError):
        return known if chosen is None else chosen
    return chosen


def ask(estimator: Any, X: Any, methods: Sequence[str], classes: EstimatorClasses) -> Answer:
    """What the first available method of the estimator returns for X."""
    if isinstance(estimator, type):
        name = estimator.__name__
        raise TypeError(f"{name} is a class: pass a fitted object of it, {name}(...).fit(X, y).")
    for name in methods:
        method = getattr(estimator, name, None)
        if callable(method):
            # A Keras model's prints a progress bar in each fold unless it is switched off.
            is_silent = classes.is_declared or "verbose" not in inspect.signature(method).parameters
            response = method(X) if is_silent else method(X, verbose=0)
            return Answer(name, response, classes, type(estimator).__name__)
    labels = ""
    if hasattr(estimator, "__array__") or isinstance(estimator, (list, tuple)):
        labels = (
            " A scorer is called with a model, X and y_true; for labels and predictions, call a "
            "metric function such as recall_score(y_true, y_pred)."
        )
    raise TypeError(
        f"{type(estimator).__name__} has none of the methods {list(methods)} that this score "
        f"needs.{labels}"
    )


def scores_of(answer: Answer, true: Column | Indicator) -> NamedScores:
    """The scores for the samples of `true`."""
    scores = read_scores(answer.response)
    names = "y_true", f"what {answer.method} gives"
    check_same_samples(true.index, scores.index, names, default_is_name=False)
    return scores


def with_both_columns(answer: Answer) -> Answer:
    """A multilabel predict_proba with two columns per label, even of a constant one."""
    response, declared = answer.response, answer.classes.declared
    if (
        not isinstance(response, list)
        or not isinstance(declared, list)
        or answer.classes.own is not None
    ):
        return answer
    if any(np.ndim(columns) != 2 for columns in response):
        return answer
    pairs = []
    for columns, labels in zip(response, declared, strict=True):
        pair = np.zeros((len(columns), 2), dtype=np.asarray(columns).dtype)
        pair[:, np.asarray(labels).astype(np.intp)] = columns
        pairs.append(pair)
    return answer._replace(response=pairs)
