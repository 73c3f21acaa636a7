"""Scorers for scikit-learn's `scoring=`: by name and from a function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import EllipsisType
from typing import Any, Literal, get_args, overload

from sklearn import metrics as sklearn_metrics

from skmetrics_ext.catalogue import names
from skmetrics_ext.catalogue.custom_metrics import PACKAGE, custom_metric, is_defined_in
from skmetrics_ext.catalogue.rows import BY_NAME, METRICS
from skmetrics_ext.catalogue.undefined import ZeroDivision
from skmetrics_ext.curves.best import Bound
from skmetrics_ext.reading.aliases import CostsLike, Label, LabelsLike, ThresholdsLike, Ties
from skmetrics_ext.reading.arguments import check_choice, check_flag
from skmetrics_ext.reading.calls import explained, instead
from skmetrics_ext.scoring.base import Scorer
from skmetrics_ext.scoring.confusion_scorer import ConfusionScorer
from skmetrics_ext.scoring.groups_of_scorer import GroupsOption, OverGroups
from skmetrics_ext.scoring.native import native_scorer, read_request
from skmetrics_ext.scoring.options import given_options, is_best, refuse_others
from skmetrics_ext.scoring.parts import PRESETS

ScorerGroup = Literal[
    "binary", "macro", "micro", "weighted", "samples", "worst", "overall", "dict", "scikit-learn"
]


@overload
def get_scorer(
    scoring: Literal["evaluation_index"], **options: Any
) -> Scorer[dict[str, float]]: ...
@overload
def get_scorer(scoring: ConfusionScorer) -> ConfusionScorer: ...
@overload
def get_scorer(scoring: str | Callable[..., Any], **options: Any) -> Scorer[float]: ...
@explained
@instead("For scoring=, pass what it gives: get_scorer('recall').")
def get_scorer(
    scoring: str | Callable[..., Any],
    *,
    average: str | EllipsisType = ...,
    pos_label: Label | EllipsisType | None = ...,
    labels: LabelsLike | None = None,
    zero_division: ZeroDivision = "warn",
    response_method: str | Sequence[str] | None = None,
    threshold: ThresholdsLike | None = None,
    subject_to: Mapping[Any, Bound] | None = None,
    ties: Ties = "positive",
    classes: LabelsLike | None = None,
    cost_matrix: CostsLike | None = None,
    greater_is_better: bool | None = None,
    by: GroupsOption | None = None,
    over_groups: OverGroups | None = None,
    min_samples: int = 0,
    **parameters: Any,
) -> Any:
    """Return a scorer by name, with options: `get_scorer("specificity", threshold=0.3)`.

    Parameters
    ----------
    scoring : str or callable
        A name from `get_scorer_names` or an alias, case-insensitive; metrics where lower is better
        take the prefix "neg_". A metric function of this package, or a custom one of a
        ConfusionMatrix, gives its scorer; any other callable is taken to be a scorer and returned
        unchanged.
    average, pos_label, labels, zero_division
        As in the metric function, with the same defaults.
    response_method : str or sequence of str, default=None
        Estimator method to call. None: predict, or whatever a threshold or costs require.
    threshold : float, array-like, dict or "best", default=None
        A number: `pos_label` of two classes is predicted where its score reaches it. One positive
        number per class predicts argmax(score_k / threshold_k), labeled or in the order of the
        classes. "best": the best value over all thresholds. None: the labels of `predict`, or those
        of the least expected cost.
    subject_to : dict of metric to bound, default=None
        Bounds for the best threshold, for values before negation, as in `ThresholdCurve.best`:
        `{"recall": 0.9}`, `{"false_positive_rate": 0.1}`, `{"predicted_positive_rate": (0, 0.1)}`.
    ties : {"positive", "negative"}, default="positive"
        Which class a score equal to the binary threshold predicts.
    classes : array-like of shape (n_classes,), default=None
        The label of each column of scores, [negative, positive] for two. None: the estimator's
        `classes_`; list any that its training data may lack as well. 1-D scores are of the second
        class; without `classes_`, name them if it is the first.
    cost_matrix : array-like of shape (n_classes, n_classes), data frame, or dict of (actual, \
predicted) to cost, default=None
        For `expected_cost`, the costs to average of what `predict` gives;
        `ProbabilityClassifier(model, cost_matrix=costs)` predicts the cheapest. For other metrics,
        the class of the lowest expected cost, argmin(p @ cost), is predicted. Labeled, or in the
        order of `labels`, `classes`, an ordered categorical or numbers. None: costs are passed in
        each call, also per sample: `set_score_request(cost_matrix=True)` with metadata routing.
    greater_is_better : bool, default=None
        None: as defined in the metric catalogue; True for other functions.
    by : str, int, list of them, or dict of either to groups, default=None
        The column of X with each sample's group, by name, or by position in an array; several,
        crossed; or a dict of columns to all their groups, `{"sex": ["F", "M"]}`. A ConfusionScorer
        then gives the score of the worst group, or the gap, as `over_groups` says. Groups may be
        passed in each call instead. `by` is for results of each group, `clusters` for dependent
        samples, `groups` for splits.
    over_groups : {"worst", "gap"}, default=None
        For one metric with groups: the value of the worst (the default), or the gap between the
        best and the worst, negated so that higher is better. If given, a call without groups is an
        error.
    min_samples : int, default=0
        Least number of samples in the metric's denominator (see `Gap`) of a group that may be the
        worst or enter a gap. If given, a call without groups is an error.
    **parameters
        Parameters of the metric, such as `beta`.

    Returns
    -------
    callable
        `scorer(estimator, X, y)` -> float, higher is better. "evaluation_index" gives the dict of
        that function, whose values are not negated, for `cross_validate`. With `threshold="best"`
        it uses predict_proba, else decision_function, else the scores that predict returns; where
        no threshold meets the bounds it raises a ValueError.

    Raises
    ------
    ValueError
        If the name is unknown, a "neg_" prefix is missing or wrong, or an option is invalid.
    TypeError
        If a parameter is missing or unknown.

    Notes
    -----
    The best threshold is chosen on the fold being scored, so the value is optimistic. To choose a
    model's threshold, and for an unbiased value, use scikit-learn's TunedThresholdClassifierCV.

    Without a threshold, costs, classes or groups scikit-learn's scorer sees labels only, so that
    "recall" of a model of three classes is not refused for classes that the rows lack.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skmetrics_ext import get_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LogisticRegression(max_iter=10_000).fit(X, y)
    >>> get_scorer("specificity")(model, X, y) > 0.9
    True
    >>> get_scorer("precision", threshold="best", subject_to={"recall": 0.95})(model, X, y) > 0.9
    True
    """
    options = given_options(
        parameters,
        average=average,
        pos_label=pos_label,
        labels=labels,
        zero_division=zero_division,
        response_method=response_method,
        threshold=threshold,
        subject_to=subject_to,
        ties=ties,
        classes=classes,
        cost_matrix=cost_matrix,
        greater_is_better=greater_is_better,
        by=by,
        over_groups=over_groups,
        min_samples=min_samples,
    )
    if isinstance(scoring, str) and scoring.lower() in PRESETS:
        return ConfusionScorer(scoring.lower(), **options)
    if isinstance(scoring, str) and not is_scorer_name(scoring):
        return scikit_learn_scorer(scoring, options)
    if not isinstance(scoring, str) and not _is_metric(scoring):
        if options:
            raise ValueError(
                f"options need a name or one of this package's metrics; {scoring!r} is neither."
            )
        _check_scorer(scoring)
        return scoring
    return _scorer_of(scoring, options)


@explained
def make_scorer(
    score_func: Callable[..., Any],
    *,
    average: str | EllipsisType = ...,
    pos_label: Label | EllipsisType | None = ...,
    labels: LabelsLike | None = None,
    zero_division: ZeroDivision = "warn",
    response_method: str | Sequence[str] | None = None,
    threshold: ThresholdsLike | None = None,
    subject_to: Mapping[Any, Bound] | None = None,
    ties: Ties = "positive",
    classes: LabelsLike | None = None,
    cost_matrix: CostsLike | None = None,
    greater_is_better: bool | None = None,
    by: GroupsOption | None = None,
    over_groups: OverGroups | None = None,
    min_samples: int = 0,
    **parameters: Any,
) -> Scorer[float]:
    """Make a scorer from a metric function; with a threshold, classes or costs, one that uses the
    model's scores.

    Parameters
    ----------
    score_func : callable
        One of this package's metrics, or a custom one as in `ConfusionMatrix.score`. Any other
        function is passed to `sklearn.metrics.make_scorer` unchanged.
    average, pos_label, labels, zero_division
        As in the metric function, with the same defaults.
    response_method, threshold, subject_to, ties, classes, cost_matrix, by, over_groups, min_samples
        As in `get_scorer`: how labels are made of scores, and which groups are scored.
    greater_is_better : bool, default=None
        None: as defined in the metric catalogue; True for other functions.
    **parameters
        Parameters of the metric, such as `beta`.

    Returns
    -------
    callable
        A scikit-learn scorer where the estimator's `predict` returns the labels; otherwise, for
        costs without `labels`, for groups and for custom metrics, a `ConfusionScorer`. Metrics that
        are better when lower are negated.

    Raises
    ------
    ValueError, TypeError
        If a parameter is unknown, missing or out of range.

    Examples
    --------
    >>> from skmetrics_ext import fbeta_score, make_scorer
    >>> make_scorer(fbeta_score, beta=2, average="macro")
    make_scorer(fbeta_score(average='macro', beta=2), response_method='predict')
    >>> make_scorer(fbeta_score, beta=2, threshold=0.3)
    ConfusionScorer('fbeta', average='binary', threshold=0.3, pos_label=1, beta=2)
    """
    options = given_options(
        parameters,
        average=average,
        pos_label=pos_label,
        labels=labels,
        zero_division=zero_division,
        response_method=response_method,
        threshold=threshold,
        subject_to=subject_to,
        ties=ties,
        classes=classes,
        cost_matrix=cost_matrix,
        greater_is_better=greater_is_better,
        by=by,
        over_groups=over_groups,
        min_samples=min_samples,
    )
    make = _scorer_of if _is_metric(score_func) else _scorer_of_foreign
    scorer: Scorer[float] = make(score_func, options)
    return scorer


def _is_metric(function: Any) -> bool:
    """Whether a function is a metric; rejects what cannot be a scorer, as a confusion matrix."""
    if names.row_of(function) is not None or custom_metric(function) is not None:
        return True
    if not callable(function):
        raise TypeError(
            "a scorer is of one name (get_scorer) or function, a ConfusionScorer of several; got "
            f"{function!r}."
        )
    if is_defined_in(function, PACKAGE) and inspect.isfunction(function):
        raise ValueError(
            f"{function.__name__} does not return a single number that a search could compare."
            f"{names.uncalled(function)}"
        )
    return False


def _check_scorer(scorer: Callable[..., Any]) -> None:
    """Reject what is not called with a model, X and y."""
    if isinstance(scorer, type):
        raise TypeError(f"{scorer.__name__} is a class, and no scorer.{names.uncalled(scorer)}")
    try:
        inspect.signature(scorer).bind(None, None, None)
    except TypeError:
        raise TypeError(
            f"{scorer!r} is no scorer, which is called with a model, X and y: make one of a "
            "function of y_true and y_pred with make_scorer(function)."
        ) from None
    except ValueError:
        # One of another language shows no signature.
        return


def _scorer_of(metric: str | Callable[..., Any], options: dict[str, Any]) -> Any:
    """A scorer of labels or, where these are not enough, a ConfusionScorer."""
    if "subject_to" in options or is_best(options.get("threshold")) or custom_metric(metric):
        return ConfusionScorer(metric, **options)
    request = read_request(metric, options)
    if request.takes_labels:
        return native_scorer(request)
    return ConfusionScorer(request.row.scorer_name, **request.with_defaults())


def _scorer_of_foreign(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """scikit-learn's scorer of a function that the catalogue does not have."""
    refuse_others(options, "foreign")
    if options.get("greater_is_better") is not None:
        check_flag(options["greater_is_better"], "greater_is_better")
    better = options.get("greater_is_better") is not False
    options = {"response_method": "predict", **options, "greater_is_better": better}
    scorer = sklearn_metrics.make_scorer(function, **options)
    name = getattr(function, "__name__", type(function).__name__)
    scorer.__name__ = name if better else f"neg_{name}"
    return scorer


@explained
def get_scorer_names(group: ScorerGroup | None = None) -> list[str]:
    """Names that `get_scorer` accepts without parameters: this package's, and those only
    scikit-learn has.

    Each metric has one name, with "neg_" where lower is better, and one-vs-rest metrics also one
    with each average, such as "_macro". Aliases ("npv", "neg_fpr") are understood but not listed.

    Parameters
    ----------
    group : str or None, default=None
        "binary": metrics of the positive class; "macro", "micro", "weighted", "samples" or "worst":
        these with that average; "overall": metrics over all classes; "dict": scorers of several
        values, for `cross_validate`; "scikit-learn": those only scikit-learn has. None: all.

    Returns
    -------
    list of str
        Sorted.

    Raises
    ------
    ValueError
        If there is no such group; the message lists them.

    See Also
    --------
    metrics_table : The metrics behind the names, as a data frame.
    describe : Describe one metric in words.

    Examples
    --------
    >>> from skmetrics_ext import get_scorer_names
    >>> [name for name in get_scorer_names() if name.startswith("f1")]
    ['f1', 'f1_macro', 'f1_micro', 'f1_samples', 'f1_weighted', 'f1_worst']
    """
    groups = _names_by_group()
    if group is None:
        return sorted(name for of_group in groups.values() for name in of_group)
    check_choice(group, "group", tuple(groups))
    return sorted(groups[group])


def _names_by_group() -> dict[str, set[str]]:
    """The names of scorers, each in one group."""
    groups: dict[str, set[str]] = {group: set() for group in get_args(ScorerGroup)}
    groups["dict"].update(PRESETS)
    for row in METRICS:
        if row.required:
            continue
        for average in ("binary", *names.suffixes_of(row)) if row.has_average else ("overall",):
            groups[average].add(names.scorer_name(row, average, negated=bool(row.scorer_prefix)))
    groups["scikit-learn"] = set(sklearn_metrics.get_scorer_names()).difference(*groups.values())
    return groups


def is_scorer_name(scoring: str) -> bool:
    """Whether a name is this package's, apart from a "neg_" that may be missing or wrong."""
    return names.is_metric_name(scoring.lower().removeprefix("neg_"))


def scikit_learn_scorer(scoring: str, options: Mapping[str, Any]) -> Any:
    """A scorer that only scikit-learn has; its names ignore case, too, and take no options."""
    known = scoring.lower()
    if known not in sklearn_metrics.get_scorer_names():
        aliases = [row.scorer_prefix + alias for alias, row in BY_NAME.items()]
        hint = names.hint_for(known, "scorer", [*get_scorer_names(), *aliases])
        raise ValueError(f"{scoring!r} is not a scorer.{hint} get_scorer_names() lists all.")
    if options:
        raise ValueError(
            f"{scoring!r} is a scikit-learn scorer, which takes no keyword options; got "
            f"{sorted(options)}."
        )
    scorer = sklearn_metrics.get_scorer(known)
    scorer.__name__ = known
    return scorer
