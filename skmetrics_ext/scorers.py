"""Scorers for scikit-learn's `scoring=`: by name, from a function, and ConfusionScorer for models that give scores."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
import sklearn
from numpy.typing import ArrayLike, NDArray
from sklearn import metrics as sklearn_metrics
from sklearn.utils.metadata_routing import MetadataRequest

from skmetrics_ext import catalogue
from skmetrics_ext.catalogue import METRICS, Metric, did_you_mean
from skmetrics_ext.counts import (
    Counts,
    count_classes,
    count_exact_samples,
    count_indicators,
    count_margins,
    count_matrix,
    count_samples,
)
from skmetrics_ext.evaluate import ZeroDivision, check_average, check_two_labels, check_zero_division
from skmetrics_ext.labels import (
    Column,
    Encoded,
    Indicators,
    encode,
    position_of,
    positions_in,
    read_labels,
    read_order,
    show,
)
from skmetrics_ext.probabilities import Ties, check_rule_fits, make_rule
from skmetrics_ext.responses import Prediction, check_response_method, classes_of, predict_labels

ADAPTER_OPTIONS = ("response_method", "threshold", "ties", "classes", "cost_matrix", "greater_is_better")


def get_scorer_names() -> list[str]:
    """Names that `get_scorer` builds without parameters: ours, and scikit-learn's that we do not have.

    Each metric has one name, with "neg_" where lower is better; metrics of one class
    against the rest have "_macro", "_micro", "_weighted" and "_samples" besides. Aliases
    ("npv", "neg_fpr") are understood but not listed.

    Returns
    -------
    list of str
        Sorted.

    Examples
    --------
    >>> from skmetrics_ext import get_scorer_names
    >>> [name for name in get_scorer_names() if name.startswith("specificity")]
    ['specificity', 'specificity_macro', 'specificity_micro', 'specificity_samples', 'specificity_weighted']
    """
    own = {
        _sign_prefix(row) + row.name + suffix
        for row in METRICS
        if not row.required
        for suffix in ("", *(f"_{average}" for average in catalogue.SUFFIXES if row.has_average))
    }
    return sorted(own.union(sklearn_metrics.get_scorer_names()))


def get_scorer(scoring: str | Callable[..., Any], **params: Any) -> Any:
    """The scorer of a name, with its options: `get_scorer("specificity", threshold=0.3)`.

    Parameters
    ----------
    scoring : str or callable
        A name of `get_scorer_names` or an alias; "neg_" belongs before metrics that are
        better when lower. One of our metric functions makes its scorer; another callable
        is a scorer already and comes back as it is.
    **params
        Parameters of the metric (`pos_label`, `labels`, `zero_division`, `beta`, ...) and
        the options of `make_scorer` (`threshold`, `classes`, ...).

    Returns
    -------
    callable
        `scorer(estimator, X, y)` -> float, higher is better.

    Raises
    ------
    ValueError
        If the name is unknown (the message suggests others), lacks or has a wrong "neg_",
        or an option does not fit.
    TypeError
        If a parameter is missing or unknown.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext import get_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LogisticRegression(max_iter=10_000).fit(X, y)
    >>> get_scorer("specificity")(model, X, y) > 0.9
    True
    >>> get_scorer("neg_fpr", threshold=0.9)(model, X, y) > -0.1
    True
    """
    if not isinstance(scoring, str):
        if catalogue.row_of(scoring) is not None:
            return make_scorer(scoring, **params)
        _refuse_what_is_no_metric(scoring)
        if params:
            raise ValueError(f"options need a name or one of this package's metrics; {scoring!r} is neither.")
        return scoring
    bare = scoring.removeprefix("neg_")
    try:
        row, average = catalogue.resolve(bare)
    except ValueError:
        return _sklearn_scorer(scoring, params)
    if (prefix := _sign_prefix(row)) != scoring.removesuffix(bare):
        direction = "lower is better, so its scorer is negated" if prefix else f"{row.better} is better"
        raise ValueError(f"{scoring!r} is no scorer: of {row.name}, {direction}. Did you mean {prefix + bare!r}?")
    if row.has_average and average is not None:
        if params.get("average", average) != average:
            raise ValueError(f"{scoring!r} already has an average; average={params['average']!r} contradicts it.")
        params = {**params, "average": average}
    return make_scorer(row.function, **params)


def make_scorer(
    score_func: Callable[..., Any],
    *,
    response_method: str | Sequence[str] | None = None,
    threshold: float | ArrayLike | None = None,
    ties: Ties = "positive",
    classes: ArrayLike | None = None,
    cost_matrix: ArrayLike | None = None,
    greater_is_better: bool | None = None,
    **kwargs: Any,
) -> Any:
    """A scorer of a metric function; with a threshold, classes or costs one that reads the model's scores.

    Parameters
    ----------
    score_func : callable
        One of our metrics. Any other function goes to `sklearn.metrics.make_scorer` as it is.
    response_method : str or sequence of str, default=None
        Method of the estimator to ask. None: predict, or what a threshold or costs need.
    threshold, ties, classes, cost_matrix
        How scores become labels, see `labels_from_scores`. 1-D scores of a model are those of
        its second class, whichever is positive. For `expected_cost`, `cost_matrix` is what
        the metric sums up, in the order of `labels`, else of `classes`, else of the model's.
    greater_is_better : bool, default=None
        None: as the catalogue of metrics says; for other functions True.
    **kwargs
        Parameters of the metric: `pos_label`, `average`, `labels`, `zero_division`, `beta`, ...

    Returns
    -------
    callable
        A scikit-learn scorer where the estimator's `predict` gives the labels, else a
        `ConfusionScorer`. A score that is better when lower is negated.

    Raises
    ------
    ValueError, TypeError
        If a parameter is unknown, missing or out of range: scikit-learn would turn an error
        during a search into NaN.

    Examples
    --------
    >>> from skmetrics_ext import fbeta_score, make_scorer
    >>> make_scorer(fbeta_score, beta=2, average="macro")
    make_scorer(fbeta_score, response_method='predict', beta=2, average=macro, pos_label=None)
    >>> make_scorer(fbeta_score, beta=2, threshold=0.3)
    ConfusionScorer('fbeta', average='binary', threshold=0.3, beta=2)
    """
    row = catalogue.row_of(score_func)
    if row is None:
        _refuse_what_is_no_metric(score_func)
        if threshold is not None or classes is not None or cost_matrix is not None:
            raise ValueError(
                f"threshold=, classes= and cost_matrix= need one of this package's metrics; {score_func!r} is none."
            )
        method = "predict" if response_method is None else response_method
        better = greater_is_better is not False
        return sklearn_metrics.make_scorer(score_func, response_method=method, greater_is_better=better, **kwargs)
    if cost_matrix is not None and "cost_matrix" in row.parameters:
        # These are the costs that the metric sums up; labels come from the model.
        kwargs, cost_matrix = {**kwargs, "cost_matrix": cost_matrix}, None
    adapted = threshold is not None or classes is not None or cost_matrix is not None
    better = row.better != "lower" if greater_is_better is None else greater_is_better
    _check_options(row, kwargs)
    if adapted or response_method not in (None, "predict"):
        return ConfusionScorer(
            score_func,
            response_method="auto" if response_method is None else response_method,
            threshold=threshold,
            ties=ties,
            classes=classes,
            greater_is_better=better,
            **{"cost_matrix": cost_matrix, **({"average": "binary"} if row.has_average else {}), **kwargs},
        )
    if ties != "positive":
        raise ValueError(f"ties={ties!r} needs scores: pass a threshold or a response_method besides.")
    if "pos_label" in row.options and _average_of(row, kwargs) != "binary":
        # scikit-learn reads pos_label from the signature and demands it among the classes.
        kwargs = {**kwargs, "pos_label": None}
    return sklearn_metrics.make_scorer(score_func, greater_is_better=better, **kwargs)


class ConfusionScorer:
    """The value of a metric for what an estimator predicts: `scorer(estimator, X, y)`, from labels or from scores.

    It sees the estimator's `classes_`, so that the columns of `predict_proba` find their
    labels in every fold, also where a fold lacks a class; and it scores estimators whose
    `predict` gives probabilities.

    Parameters
    ----------
    metric : str or function
        A name, an alias (without "neg_") or one of our metric functions.
    average : {"auto", "binary", "macro", "micro", "weighted"}, default="auto"
        "auto": "binary" for two classes and "macro" for more. The classes averaged are those
        that occur in the labels or the predictions, as in the metric functions.
    response_method : str or sequence of str, default="auto"
        "auto": predict; with a threshold or costs the first method that gives scores.
    threshold, ties, classes, cost_matrix
        How scores become labels, see `labels_from_scores`. `classes` are by default the
        estimator's `classes_`; name those besides that its training may lack. 1-D scores of a
        model are those of its second class, whichever is positive.
    pos_label : int, float, bool or str, default=None
        The positive class. None: 1 if it is a class, else the second one.
    labels : array-like, default=None
        Classes to average. None: all.
    zero_division : {"warn", 0, 1, nan}, default="warn"
        The value where the metric is 0/0.
    greater_is_better : bool, default=None
        False negates the value. None: as the catalogue says.
    **parameters
        Parameters of the metric, such as `beta`.

    Raises
    ------
    ValueError, TypeError
        At construction, if an option or a parameter does not fit.

    Notes
    -----
    Sample weights: `set_score_request(sample_weight=True)` with metadata routing, or
    `sample_weight=` in the call. TunedThresholdClassifierCV, which tunes the threshold
    itself, needs a scorer without one: `get_scorer(name)`.

    Examples
    --------
    >>> from skmetrics_ext import ConfusionScorer
    >>> class Model:
    ...     def predict(self, X):
    ...         return [0.4, 0.7, 0.3]
    >>> round(ConfusionScorer("accuracy")(Model(), None, [0, 1, 1]), 4)
    0.6667
    """

    def __init__(
        self,
        metric: str | Callable[..., Any],
        *,
        average: str = "auto",
        response_method: str | Sequence[str] = "auto",
        threshold: float | ArrayLike | None = None,
        ties: Ties = "positive",
        pos_label: Any = None,
        classes: ArrayLike | None = None,
        cost_matrix: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        zero_division: ZeroDivision = "warn",
        greater_is_better: bool | None = None,
        **parameters: Any,
    ) -> None:
        self._row, own_average = catalogue.resolve(metric)
        if cost_matrix is not None and "cost_matrix" in self._row.parameters:
            parameters, cost_matrix = {**parameters, "cost_matrix": cost_matrix}, None
        self._average = own_average or average
        self._methods = check_response_method(response_method)
        self._rule = make_rule(threshold=threshold, ties=ties, pos_label=pos_label, cost_matrix=cost_matrix)
        self._pos_label = pos_label
        self._classes = None if classes is None else read_order(classes, "classes")
        self._labels = None if labels is None else read_order(labels)
        self._zero_division = zero_division
        better = self._row.better != "lower" if greater_is_better is None else greater_is_better
        self._sign = 1 if better else -1
        self._parameters = parameters
        self._request = _request_of_weights(None)
        options = {
            "average": (average, "auto"),
            "response_method": (response_method, "auto"),
            "threshold": (threshold, None),
            "ties": (ties, "positive"),
            "pos_label": (pos_label, None),
            "classes": (classes, None),
            "cost_matrix": (cost_matrix, None),
            "labels": (labels, None),
            "zero_division": (zero_division, "warn"),
            "greater_is_better": (better, self._row.better != "lower"),
        }
        self._given = {name: value for name, (value, default) in options.items() if value is not default}
        check_zero_division(zero_division)
        catalogue.check_parameters(self._row, parameters)
        if self._average is None:
            raise ValueError("a scorer gives one number: average=None gives one a class.")
        if self._average != "auto":
            check_average(self._average)
            if not self._row.has_average:
                raise ValueError(f"{self._row.name} is one value over all classes: average= does not apply to it.")
        if labels is not None and not self._row.has_average and not self._row.counts_absent_labels:
            raise ValueError(f"{self._row.name} takes no labels= here: it is one value over all classes.")
        if self._classes is not None:
            check_rule_fits(self._rule, self._classes)

    def __call__(self, estimator: Any, X: Any, y_true: Any, sample_weight: ArrayLike | None = None) -> float:
        """The score of what the estimator predicts for X against y_true; higher is better."""
        true = read_labels(y_true, "y_true")
        known = classes_of(estimator) if self._classes is None else self._classes
        if isinstance(true, Column) and (known is None or len(known) < 2):
            known = true.labels if known is None else np.union1d(known, true.labels)
        positive = self._positive(known)
        prediction = predict_labels(
            estimator,
            X,
            true,
            self._rule._replace(pos_label=positive),
            response_method=self._methods,
            classes=self._classes,
        )
        return self._sign * self._value(prediction, positive, sample_weight)

    def _positive(self, classes: NDArray[Any] | None) -> Any:
        """The positive class: the one named, or 1, or the second of two."""
        if self._pos_label is not None or classes is None or len(classes) > 2:
            return self._pos_label
        return classes[1] if len(classes) == 2 and position_of(classes, 1) is None else 1

    def _value(self, prediction: Prediction, positive: Any, sample_weight: ArrayLike | None) -> float:
        """Count once, then score by name."""
        true, known = prediction.true, prediction.classes
        pred = read_labels(prediction.pred, "y_pred")
        present = encode(true, pred).labels if isinstance(true, Column) else None
        candidates = present if known is None or len(known) < 2 else known
        average, labels = self._average, self._labels
        if average == "auto":
            average = "macro" if present is None or candidates is None or len(candidates) > 2 else "binary"
        if not self._row.has_average:
            average = "auto"
            labels = self._all_labels(present, known) if self._row.counts_absent_labels else None
        elif average == "binary" and present is not None and candidates is not None:
            check_two_labels(candidates)
            # One class against the rest: whatever else occurs is the rest.
            among = present if known is None else np.union1d(present, known)
            labels = None if position_of(among, positive) is None else np.array([positive])
        encoded = encode(true, pred, labels=labels, sample_weight=sample_weight)
        if isinstance(encoded, Encoded) and not self._row.has_average and encoded.n_codes > len(encoded.labels):
            raise ValueError(f"labels={show(encoded.labels)} must cover all data for {self._row.name}.")
        value = catalogue.score(
            _needed_counts(encoded, self._row, average, self._parameters),
            self._row.name,
            order=encoded.labels,
            average=average,
            labels=encoded.labels if self._row.ordered and self._labels is not None else None,
            pos_label=positive if average == "binary" else None,
            zero_division=self._zero_division,
            sample_weight=encoded.weights,
            **self._parameters,
        )
        return float(value)

    def _all_labels(self, present: NDArray[Any] | None, known: NDArray[Any] | None) -> NDArray[Any] | None:
        """The labels of a metric that depends on those missing from a fold, too: all that are known."""
        if self._labels is not None or known is None or present is None:
            return self._labels
        return present if positions_in(known, present).max() == len(known) else known

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """Request sample weights from a search with metadata routing.

        Parameters
        ----------
        sample_weight : bool, str or None
            True: pass them on; False: do not; a str: the name under which the search has
            them; None: raise if there are any.

        Returns
        -------
        ConfusionScorer
            This scorer.

        Raises
        ------
        RuntimeError
            If metadata routing is not enabled.
        """
        if not sklearn.get_config()["enable_metadata_routing"]:
            raise RuntimeError(
                "set_score_request needs metadata routing: sklearn.set_config(enable_metadata_routing=True)."
            )
        self._request = _request_of_weights(sample_weight)
        return self

    def get_metadata_routing(self) -> MetadataRequest:
        """What this scorer requests from a search, for scikit-learn."""
        return self._request

    @property
    def _score_func(self) -> Any:
        """Asked by TunedThresholdClassifierCV, which needs another scorer."""
        raise AttributeError(
            "TunedThresholdClassifierCV tunes the threshold itself: give it a scorer that has none, get_scorer(name)."
        )

    def _accept_sample_weight(self) -> bool:
        """Asked by scikit-learn of scorers in a dict while metadata routing is off."""
        return True

    def __repr__(self) -> str:
        options = {**self._given, **self._parameters}
        return f"ConfusionScorer({', '.join([repr(self._row.name), *(f'{k}={v!r}' for k, v in options.items())])})"


def _request_of_weights(alias: bool | str | None) -> MetadataRequest:
    """A request for sample_weight, by scikit-learn's public class."""
    request = MetadataRequest(owner=ConfusionScorer.__name__)
    request.score.add_request(param="sample_weight", alias=alias)
    return request


def _needed_counts(encoded: Encoded | Indicators, row: Metric, average: str, parameters: dict[str, Any]) -> Counts:
    """The cheapest counts that a metric can be computed from."""
    if isinstance(encoded, Indicators):
        if average == "samples":
            return count_samples(encoded)
        if row.has_average or row.multilabel == "class counts":
            return count_indicators(encoded)
        if row.multilabel is None:
            raise ValueError(f"{row.name} needs one label a sample; y_true and the predictions are multilabel.")
        return count_exact_samples(encoded)
    if average == "samples" and row.has_average:
        raise ValueError("average='samples' needs multilabel data: 2-D 0/1 indicators, one column a label.")
    if row.has_average:
        return count_classes(encoded)
    return count_matrix(encoded) if row.takes_matrix(parameters) else count_margins(encoded)


def _sign_prefix(row: Metric) -> str:
    """What a scorer's name starts with, as in scikit-learn."""
    return "neg_" if row.better == "lower" else ""


def _sklearn_scorer(name: str, params: dict[str, Any]) -> Any:
    """A scorer that only scikit-learn has."""
    if name not in sklearn_metrics.get_scorer_names():
        aliases = [_sign_prefix(row) + alias for alias, row in catalogue.BY_NAME.items()]
        hint = did_you_mean(name, [*get_scorer_names(), *aliases])
        raise ValueError(f"{name!r} is no scorer.{hint} get_scorer_names() lists all.")
    if params:
        raise ValueError(f"{name!r} is a scorer of scikit-learn, which takes no options by name; got {sorted(params)}.")
    return sklearn_metrics.get_scorer(name)


def _refuse_what_is_no_metric(function: Any) -> None:
    """Refuse what cannot be scored by, such as a confusion matrix."""
    if not callable(function):
        raise TypeError(f"a scorer is made from a name, by get_scorer, or from a function; got {function!r}.")
    if getattr(function, "__module__", "").startswith("skmetrics_ext.") and inspect.isfunction(function):
        raise ValueError(f"{function.__name__} gives no single number that a search could compare.")


def _average_of(row: Metric, options: dict[str, Any]) -> Any:
    """The average in force: the one given, or the function's own."""
    return options.get("average", inspect.signature(row.function).parameters["average"].default)


def _check_options(row: Metric, options: dict[str, Any]) -> None:
    """Refuse options that the metric would refuse, before a search turns the error into NaN."""
    if unknown := [name for name in options if name not in row.options]:
        known = [*row.options, *ADAPTER_OPTIONS]
        raise TypeError(
            f"{row.function.__name__} has no parameter {unknown[0]!r}.{did_you_mean(unknown[0], known)} Its parameters "
            f"are {row.options}, those of a scorer {list(ADAPTER_OPTIONS)}."
        )
    catalogue.check_parameters(row, {name: options[name] for name in row.parameters if name in options})
    if "average" in row.options:
        average = _average_of(row, options)
        if average is None:
            raise ValueError("a scorer gives one number, and average=None gives one a class: choose another average.")
        if row.has_average or average != "multiclass":
            check_average(average)
        if average != "binary" and options.get("pos_label") is not None:
            raise ValueError(f"pos_label={options['pos_label']!r} is for average='binary', but here it is {average!r}.")
    check_zero_division(options.get("zero_division", "warn"))
    if options.get("labels") is not None:
        read_order(options["labels"])
    if "replace_undefined_by" in options:
        row.function([0, 1], [0, 1], replace_undefined_by=options["replace_undefined_by"])
